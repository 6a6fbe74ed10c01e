package main

import "fmt"

// knownDifferences are random programs that differ from the host at a level of a machine for a reason that
// has been found, and is not this project's: docs/fidelity.md has the evidence. Another compiler may well
// make them right.
var knownDifferences = map[string]string{
	"gcn O0 680": "LLVM 22 divides 0xffff8000 and the like as 24 bits, by floats",
	"gcn O2 633": "LLVM 22's StructurizeCFG makes a value poison that two blocks behind a switch have " +
		"in common",
	"gcn O3 633": "as at O2",
	"gcn O2 642": "LLVM 22's StructurizeCFG makes a value poison that two blocks behind a switch have " +
		"in common",
	"gcn O3 642": "as at O2",
	"gen O2 271": "IGC's optimised code, run as LLVM IR, gives what differs here",
	"gen O2 312": "IGC's last pass over its LLVM IR loses the shorts of a vector that were cut out of " +
		"96 bits",
	"gen O2 399":      "IGC's optimised code makes 16 bits of 32 by a bitcast, which LLVM IR does not allow",
	"gen O2 433":      "compiled with others, IGC overwrites addresses of private memory",
	"gen O2 635":      "compiled with the nine others from 630 on, IGC overwrites the address of its output",
	"gen O2 835":      "IGC takes 0 - x for -x, whose zero has another sign",
	"gen O2 993":      "compiled with others, IGC writes values of 128 bits over the registers behind theirs",
	"gen11 O0 2048":   zeroShift,
	"gen11 O0 2098":   zeroShift,
	"gen12lp O0 2048": zeroShift,
	"gen12lp O0 2098": zeroShift,
	"xe-hpg O0 2048":  zeroShift,
	"xe-hpg O0 2098":  zeroShift,
	"gen11 O0 2151":   zeroShift,
	"gen11 O0 2156":   zeroShift,
	"gen11 O0 2193":   zeroShift,
	"gen12lp O0 2151": zeroShift,
	"gen12lp O0 2156": zeroShift,
	"gen12lp O0 2193": zeroShift,
	"xe-hpg O0 2151":  zeroShift,
	"xe-hpg O0 2156":  zeroShift,
	"xe-hpg O0 2193":  zeroShift,
	"gen12lp O2 914":  leftOut,
	"xe-hpg O2 914":   leftOut,
	"xe-hpc O2 914":   leftOut,
	"gen O2 990": "IGC's last pass over its LLVM IR loses the shorts of a vector that were cut out of " +
		"96 bits",
}

const zeroShift = "shifting 64 bits by nothing, IGC makes a shift of their upper half by 32, which shifts " +
	"by nothing"

const leftOut = "IGC leaves out the wait for a load before rndd, the first of the instructions that use " +
	"it, whose destination is acc0; the second has it"

// known is why a kernel differs, if that is known.
func (c *compiler) known(kernel, level string) (why string, ok bool) {
	why, ok = knownDifferences[fmt.Sprintf("%s %s %s", c.machine, levelName(level), kernel[1:])]
	return why, ok
}
