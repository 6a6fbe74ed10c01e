package gcn

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// An Instruction is what the operation table has of an instruction: its name, which is LLVM's without the
// suffix for the encoding, and whether it executes. One that does not decodes and prints.
type Instruction struct {
	Enc      Enc
	Name     string
	Executes bool
}

// Instructions lists the instructions of a processor by encoding and name. A name can have several rows in
// the table; it executes if one of them does.
func Instructions(processor string) ([]Instruction, error) {
	target, ok := processorNamed(processor)
	if !ok {
		return nil, fmt.Errorf("processor %q is not known; these are: %s", processor,
			strings.Join(Processors(), ", "))
	}
	type key struct {
		enc  Enc
		name string
	}
	executes := map[key]bool{}
	add := func(op *Op) {
		k := key{op.Enc, op.display()}
		executes[k] = executes[k] || op.executes()
	}
	for _, rows := range opTables() {
		for i := range rows {
			if op := &rows[i]; cmp.Or(op.on, gfx9)&target != 0 {
				add(op)
			}
		}
	}
	if target.IsLater() {
		for _, rows := range tablesFor(target).rows {
			for _, op := range rows {
				if op != nil {
					add(op)
				}
			}
		}
	}
	var list []Instruction
	for k, does := range executes {
		list = append(list, Instruction{k.enc, k.name, does})
	}
	slices.SortFunc(list, func(a, b Instruction) int {
		return cmp.Or(cmp.Compare(a.Enc, b.Enc), strings.Compare(a.Name, b.Name))
	})
	return list, nil
}

// executes reports whether the row has semantics.
func (op *Op) executes() bool {
	return op.run != nil || op.vec != nil || op.mem != nil || op.typed != nil
}
