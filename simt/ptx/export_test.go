package ptx

import "fmt"

// Mnemonics are the first parts of the names of all instructions that the machine has.
func Mnemonics() []string {
	var names []string
	for name := range builders {
		names = append(names, name)
	}
	return names
}

// Rows are the mnemonics, and the whole names of what operations of package vec run.
func Rows() []string {
	names := Mnemonics()
	for name := range wideInsts {
		names = append(names, name)
	}
	for name := range wideWith {
		names = append(names, name)
	}
	for name := range wideCvt {
		names = append(names, name)
	}
	for name := range wideMasks {
		names = append(names, name)
	}
	for typ, orders := range lowerTests {
		for order := range orders {
			names = append(names, fmt.Sprintf("setp.%s.%s", order, typ))
		}
	}
	for order := range ordersS16 {
		names = append(names, fmt.Sprintf("setp.%s.s16", order))
	}
	return names
}

// Note makes every statement say its name when it is executed, and whether all lanes of the warp execute it.
func (a *ISA) Note(say func(op string, all bool)) {
	for i := range a.code {
		in := &a.code[i]
		wrap := func(f exec) exec {
			if f == nil {
				return nil
			}
			return func(c *Core, in *inst, mask uint32) {
				say(in.src.Op, mask == fullMask)
				f(c, in, mask)
			}
		}
		in.run, in.jump = wrap(in.run), wrap(in.jump)
	}
}

// Ready are the names of the functions that are ready.
func (a *ISA) Ready() (names []string) {
	for _, fn := range a.funcs {
		names = append(names, fn.src.Name)
	}
	return names
}

// SpecialRegisters are the names of those that the machine has.
func SpecialRegisters() []string {
	var names []string
	for name := range specialRegisters {
		names = append(names, name)
	}
	return names
}

// TranslateAfter changes how often a block runs before it is translated, and has a function told how many
// statements translated code executes, until the function that it returns is called.
func TranslateAfter(n uint8, told func(n uint64)) func() {
	old := translateAfter
	translateAfter, onTranslated = n, told
	return func() { translateAfter, onTranslated = old, nil }
}

// BulkAfter changes after how many workgroups kernels are executed in bulk, until the function that it
// returns is called.
func BulkAfter(n int) func() {
	old := bulkAfter
	bulkAfter = n
	return func() { bulkAfter = old }
}

// New makes all of a program ready to run. Statements that the machine does not know make no error: they are
// faults of the lanes that reach them.
func New(p *Program, launch Launch) (*ISA, error) {
	if len(p.Funcs) == 0 {
		return nil, fmt.Errorf("the program has no functions")
	}
	return newISA(p, launch, p.Funcs...)
}
