package launch

import (
	"simtgdb/loader/amdgpu"
	"simtgdb/simt/gcn"
	_ "simtgdb/stub/arch/amdgpu" // the family of the test kernels
)

// native is what only AMDGPU's kernels have.
func (p *Program) native() *amdgpu.Kernel { return amdgpu.KernelOf(p.Kernel) }

// isa is the machine's of an AMDGPU program.
func (p *Program) isa() *gcn.ISA { return p.Machine.ISA().(*gcn.ISA) }
