package gcn

import "simtgdb/simt"

// A DWARFRegister says where a register that DWARF numbers is kept.
type DWARFRegister struct {
	Index  int  // in simt.Wave.V for a vector register, else in S
	Dwords int  // of a scalar register
	Vector bool // one dword for each lane
	PC     bool // the lane's program counter, which no register file holds
}

// DWARFRegisterOf finds the register with a number (LLVM, "User Guide for
// AMDGPU Backend", section "Register Identifier"). Only those of gfx9, whose
// waves have 64 lanes, are known.
func DWARFRegisterOf(num uint64) (DWARFRegister, bool) {
	n := int(num)
	switch {
	case num == 16:
		return DWARFRegister{PC: true, Dwords: 2}, true
	case num == 17:
		return DWARFRegister{Index: regExec, Dwords: 2}, true
	case num >= 32 && num <= 95:
		return DWARFRegister{Index: n - 32, Dwords: 1}, true
	case num == 768:
		return DWARFRegister{Index: regVCC, Dwords: 2}, true
	case num >= 1088 && num <= 1129:
		return DWARFRegister{Index: n - 1088 + 64, Dwords: 1}, true
	case num >= 2560 && num <= 2815:
		return DWARFRegister{Index: n - 2560, Vector: true}, true
	case num >= 3072 && num <= 3327:
		return DWARFRegister{Index: n - 3072 + simt.AccBase, Vector: true}, true
	}
	return DWARFRegister{}, false
}

// DWARFScalar is the inverse for an entry of simt.Wave.S: the number, and
// where in that register the entry begins, in bytes.
func DWARFScalar(reg uint8) (num, offset uint64, ok bool) {
	switch n := uint64(reg); {
	case n < 64:
		return n + 32, 0, true
	case n < MaxSGPRs+4:
		return n - 64 + 1088, 0, true
	case reg == regVCC || reg == regVCC+1:
		return 768, 4 * (n - regVCC), true
	case reg == regExec || reg == regExec+1:
		return 17, 4 * (n - regExec), true
	}
	return 0, 0, false
}

// DWARFVector is the inverse for an entry of simt.Wave.V.
func DWARFVector(reg uint16) uint64 {
	if reg >= simt.AccBase {
		return uint64(reg) - simt.AccBase + 3072
	}
	return uint64(reg) + 2560
}
