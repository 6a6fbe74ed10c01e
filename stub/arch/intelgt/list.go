package intelgt

import (
	"simtgdb/simt/gen"
	"simtgdb/stub/arch"
)

// Instructions implements arch.Lister.
func (Family) Instructions(string) ([]arch.Instruction, error) {
	var out []arch.Instruction
	for _, in := range gen.Instructions() {
		out = append(out, arch.Instruction{Group: in.Form, Name: in.Name, Executes: in.Executes})
	}
	return out, nil
}
