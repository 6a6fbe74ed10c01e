package gen

// A runner executes an instruction.
type runner func(c *Core, in *Inst)

// A Core executes threads.
type Core struct{}

// A msg is a message that is being executed.
type msg struct{}

func (in *Inst) prepare() {}
