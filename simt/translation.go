package simt

// A Translation counts what translated code has done: how many instructions of waves it has executed, and how
// often it has left some to the interpreter in between.
type Translation struct{ Insts, Interludes uint64 }

// Ran counts instructions that translated code has executed. left: others are left to the interpreter.
func (t *Translation) Ran(insts uint64, left bool) {
	if t.Insts += insts; left {
		t.Interludes++
	}
}

// A Translator is a core that may run translated code. It counts over all machines that it has run for.
type Translator interface {
	Core
	Translation() Translation
}

func translationOf(c Core) (t Translation) {
	if c, ok := c.(Translator); ok {
		t = c.Translation()
	}
	return t
}

// Translation is what translated code has done in [Machine.Run].
func (m *Machine) Translation() Translation { return m.translation }

// translated adds what a core has counted since it had counted some.
func (m *Machine) translated(c Core, before Translation) {
	now := translationOf(c)
	m.translation.Insts += now.Insts - before.Insts
	m.translation.Interludes += now.Interludes - before.Interludes
}
