package amdgpu

import (
	"simtgdb/simt/gcn"
	"simtgdb/stub/arch"
)

// Instructions implements arch.Lister.
func (Family) Instructions(processor string) ([]arch.Instruction, error) {
	list, err := gcn.Instructions(processor)
	if err != nil {
		return nil, err
	}
	out := make([]arch.Instruction, len(list))
	for i, in := range list {
		out[i] = arch.Instruction{Group: in.Enc.String(), Name: in.Name, Executes: in.Executes}
	}
	return out, nil
}
