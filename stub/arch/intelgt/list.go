package intelgt

import (
	"simtgdb/stub/arch"
)

// Instructions implements arch.Lister.
func (Family) Instructions(processor string) ([]arch.Instruction, error) {
	var out []arch.Instruction
	for _, in := range generations[processor].Instructions() {
		out = append(out, arch.Instruction{Group: in.Form, Name: in.Name, Executes: in.Executes})
	}
	return out, nil
}
