// Package all registers every family of machines with package arch. A program
// imports it for that alone.
package all

import (
	_ "simtgdb/stub/arch/amdgpu"  // AMD's gfx9
	_ "simtgdb/stub/arch/intelgt" // Intel's Gen9
	_ "simtgdb/stub/arch/ptx"     // PTX
	_ "simtgdb/stub/arch/spirv"   // SPIR-V
)
