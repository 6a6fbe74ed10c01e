package cfi

import "simtgdb/dwarf/expr"

// An Arch is what call frame information leaves to the architecture.
type Arch struct {
	Expr *expr.Arch
	// Encoding is that of the operations that are not DWARF's own; nil means
	// expr's default.
	Encoding *expr.Encoding
	// Default is the rule of a register that no instruction names.
	Default func(reg uint64) Rule
	// Vendor names the instructions in the vendor range that only this
	// architecture has; the rule they leave is Architectural.
	Vendor map[byte]Vendor
}

// A Vendor is an instruction without operands that toggles the architectural
// rule of a register.
type Vendor struct {
	Name     string
	Register uint64
}

// AMDGPU follows LLVM's AMDGPUUsage, "Call Frame Information": registers keep
// their value by default.
var AMDGPU = &Arch{
	Expr:    expr.AMDGPU,
	Default: func(uint64) Rule { return Rule{Kind: SameValue} },
}

// AMD64 follows the System V psABI: callee-saved registers keep their value,
// and the stack pointer of the caller is the CFA.
var AMD64 = &Arch{
	Default: func(reg uint64) Rule {
		switch reg {
		case 3, 6, 12, 13, 14, 15:
			return Rule{Kind: SameValue}
		case 7:
			return Rule{Kind: ValOffset}
		}
		return Rule{Kind: Undefined}
	},
}

// AArch64 follows the AAPCS64 and its DWARF supplement. The return address can
// be signed: the rule of RA_SIGN_STATE (34) is then architectural.
var AArch64 = &Arch{
	Default: func(reg uint64) Rule {
		switch {
		case reg >= 19 && reg <= 29, reg >= 72 && reg <= 79:
			return Rule{Kind: SameValue}
		case reg == 31:
			return Rule{Kind: ValOffset}
		}
		return Rule{Kind: Undefined}
	},
	Vendor: map[byte]Vendor{
		0x2c: {"DW_CFA_AARCH64_negate_ra_state_with_pc", 34},
		0x2d: {"DW_CFA_AARCH64_negate_ra_state", 34},
	},
}

func (a *Arch) defaultRule(reg uint64) Rule {
	if a == nil || a.Default == nil {
		return Rule{Kind: Undefined}
	}
	return a.Default(reg)
}

func (a *Arch) encoding() *expr.Encoding {
	if a == nil {
		return nil
	}
	return a.Encoding
}

func (a *Arch) expr() *expr.Arch {
	if a == nil {
		return nil
	}
	return a.Expr
}
