package amdgpu

import (
	"simtgdb/simt"
	"simtgdb/simt/gcn"
	"simtgdb/stub/arch"
)

// A numberRange is consecutive DWARF register numbers for consecutive registers of a file (LLVM, "User Guide
// for AMDGPU Backend", section "Register Identifier"). Vector registers have other numbers in waves of 32
// lanes.
type numberRange struct {
	first, count uint64
	file         uint8
	index        uint16 // of the first
	lanes        int    // of the waves that it is for; 0: any
}

const (
	numberExec32 = 1 // EXEC of waves of 32 lanes
	numberPC     = 16
	numberExec   = 17
	numberVCC    = 768
)

var numberRanges = []numberRange{
	{32, 64, gcn.FileS, 0, 0},
	{1088, 42, gcn.FileS, 64, 0},
	{2560, 256, gcn.FileV, 0, 64},
	{3072, 256, gcn.FileA, 0, 64},
	{1536, 512, gcn.FileV, 0, 32},
	{3584, 512, gcn.FileV, 512, 32},
	{2048, 256, gcn.FileA, 0, 32},
}

// zeroRegister is a register that no GPU has: see FrameBase.
const zeroRegister = 1 << 14

// Register implements arch.Arch.
func (*Arch) Register(number uint64) (arch.Register, bool) {
	switch number {
	case numberPC:
		return arch.Register{PC: true, Bytes: 8}, true
	case numberExec:
		return arch.Register{Reg: gcn.RegExec, Bytes: 8}, true
	case numberExec32:
		return arch.Register{Reg: gcn.RegExec, Bytes: 4}, true
	case numberVCC:
		return arch.Register{Reg: gcn.RegVCC, Bytes: 8}, true
	case zeroRegister:
		return arch.Register{Zero: true, Bytes: 4}, true
	}
	for _, r := range numberRanges {
		if n := number - r.first; number >= r.first && n < r.count {
			reg := simt.Reg{File: r.file, Index: r.index + uint16(n)}
			return arch.Register{Reg: reg, Bytes: 4, PerLane: r.file != gcn.FileS}, true
		}
	}
	return arch.Register{}, false
}

// Parts implements arch.Arch.
func (*Arch) Parts(r simt.Reg, lane, lanes int) []arch.Part {
	switch r {
	case gcn.RegExec:
		if lanes == 32 {
			return []arch.Part{{Number: numberExec32, Bytes: 4}}
		}
		return []arch.Part{{Number: numberExec, Bytes: 8}}
	case gcn.RegVCC:
		return []arch.Part{{Number: numberVCC, Bytes: 8}}
	case gcn.RegFlatScratch:
		lo, hi := scalarNumber(gcn.FlatScratchIndex), scalarNumber(gcn.FlatScratchIndex+1)
		return []arch.Part{{Number: lo, Bytes: 4}, {Number: hi, Bytes: 4}}
	}
	for _, g := range numberRanges {
		if r.File == g.file && (g.lanes == 0 || g.lanes == lanes) && r.Index >= g.index &&
			uint64(r.Index-g.index) < g.count {
			p := arch.Part{Number: g.first + uint64(r.Index-g.index), Bytes: 4}
			if g.file != gcn.FileS {
				p.Offset = 4 * lane
			}
			return []arch.Part{p}
		}
	}
	return nil
}

// scalarNumber is the DWARF number of a scalar register.
func scalarNumber(index uint16) uint64 {
	for _, g := range numberRanges {
		if g.file == gcn.FileS && index >= g.index && uint64(index-g.index) < g.count {
			return g.first + uint64(index-g.index)
		}
	}
	return 0
}
