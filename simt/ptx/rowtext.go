package ptx

import (
	"fmt"

	"simtgdb/simt/rows"
)

// RowText gives what says what the statement at an address becomes as row code: nothing if the core executes
// it as it is.
func RowText(p *Program) func(code []byte, pc uint64) []string {
	all := NewDecoder(p)
	var of *Func
	var ready *ISA
	return func(_ []byte, pc uint64) []string {
		f := all.FuncAt(pc)
		if f == nil {
			return nil
		}
		if f != of {
			of, ready = f, nil
			if isa, err := newISA(p, Launch{}, f); err == nil {
				ready = isa
			}
		}
		if ready == nil {
			return nil
		}
		at, ok := ready.index(pc)
		if !ok {
			return nil
		}
		return ready.rowText(&ready.code[at])
	}
}

// rowText is a statement's row code, a line for each operation.
func (a *ISA) rowText(in *inst) (list []string) {
	r := a.lower(in)
	if !r.Known {
		return nil
	}
	for i := range r.Ops {
		list = append(list, r.Ops[i].String())
	}
	switch r.Flow {
	case rows.Jump:
		list = append(list, fmt.Sprintf("go to %#x", a.addr(r.Target)))
	case rows.Branch:
		list = append(list, fmt.Sprintf("go to %#x by %v", a.addr(r.Target), r.Cond))
	}
	return list
}
