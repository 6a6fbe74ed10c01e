package expr

import "strconv"

// A registerRange is one row of an architecture's DWARF register table.
type registerRange struct {
	first, last uint64
	name        string // without a number when first == last
	base        int    // number of the first register
	laneBits    int
	unnamed     bool // llvm-dwarfdump 22 has no name for it
}

type registerTable []registerRange

func (t registerTable) find(num uint64) *registerRange {
	for i := range t {
		if r := &t[i]; num >= r.first && num <= r.last {
			return r
		}
	}
	return nil
}

func (t registerTable) name(num uint64) string {
	r := t.find(num)
	switch {
	case r == nil:
		return ""
	case r.first == r.last:
		return r.name
	}
	return r.name + strconv.Itoa(r.base+int(num-r.first))
}

// amdgpuRegisters is the table "AMDGPU DWARF Register Mapping" of AMDGPUUsage.
var amdgpuRegisters = registerTable{
	{first: 0, last: 0, name: "PC_32", unnamed: true},
	{first: 1, last: 1, name: "EXEC_LO"},
	{first: 16, last: 16, name: "PC_REG"},
	{first: 17, last: 17, name: "EXEC"},
	{first: 32, last: 95, name: "SGPR"},
	{first: 128, last: 128, name: "STATUS", unnamed: true},
	{first: 512, last: 512, name: "VCC_LO", unnamed: true},
	{first: 768, last: 768, name: "VCC", unnamed: true},
	{first: 1088, last: 1129, name: "SGPR", base: 64},
	{first: 1536, last: 2047, name: "VGPR", laneBits: 32, unnamed: true},
	{first: 2048, last: 2303, name: "AGPR", laneBits: 32, unnamed: true},
	{first: 2560, last: 3071, name: "VGPR", laneBits: 32}, // the table ends at 2815, LLVM does not
	{first: 3072, last: 3327, name: "AGPR", laneBits: 32},
	{first: 3584, last: 4095, name: "VGPR", base: 512, laneBits: 32, unnamed: true},
}

// x86Registers is figure 3.36 "DWARF Register Number Mapping" of the System V
// psABI for x86-64, as far as llvm-dwarfdump 22 has names.
var x86Registers = registerTable{
	{first: 0, last: 0, name: "RAX"},
	{first: 1, last: 1, name: "RDX"},
	{first: 2, last: 2, name: "RCX"},
	{first: 3, last: 3, name: "RBX"},
	{first: 4, last: 4, name: "RSI"},
	{first: 5, last: 5, name: "RDI"},
	{first: 6, last: 6, name: "RBP"},
	{first: 7, last: 7, name: "RSP"},
	{first: 8, last: 15, name: "R", base: 8},
	{first: 16, last: 16, name: "RIP"},
	{first: 17, last: 32, name: "XMM"},
	{first: 33, last: 40, name: "ST"},
	{first: 41, last: 48, name: "MM"},
	{first: 49, last: 49, name: "RFLAGS"},
	{first: 50, last: 50, name: "ES"},
	{first: 51, last: 51, name: "CS"},
	{first: 52, last: 52, name: "SS"},
	{first: 53, last: 53, name: "DS"},
	{first: 54, last: 54, name: "FS"},
	{first: 55, last: 55, name: "GS"},
	{first: 58, last: 58, name: "FS_BASE"},
	{first: 59, last: 59, name: "GS_BASE"},
	{first: 67, last: 82, name: "XMM", base: 16},
	{first: 118, last: 125, name: "K"},
	{first: 130, last: 145, name: "R", base: 16},
}

// aarch64Registers is section 4.1 of "DWARF for the Arm 64-bit Architecture",
// with the names of llvm-dwarfdump 22: those of the narrowest view.
var aarch64Registers = registerTable{
	{first: 0, last: 30, name: "W"},
	{first: 31, last: 31, name: "WSP"},
	{first: 46, last: 46, name: "VG"},
	{first: 47, last: 47, name: "FFR"},
	{first: 48, last: 63, name: "PN"},
	{first: 64, last: 95, name: "B"},
	{first: 96, last: 127, name: "Z"},
}

func amdgpuLaneBits(num uint64) int {
	if num < 1536 {
		return 0
	}
	if r := amdgpuRegisters.find(num); r != nil {
		return r.laneBits
	}
	return 0
}

// AMDGPUDumpName names a register as llvm-dwarfdump 22 does, which leaves the
// wave32 vector registers and some others as bare numbers ("").
func AMDGPUDumpName(num uint64) string {
	if r := amdgpuRegisters.find(num); r == nil || r.unnamed {
		return ""
	}
	return AMDGPURegisterName(num)
}

// AMDGPURegisterName names a DWARF register of AMDGPU in the spelling of LLVM's
// register names, "" for a reserved number.
func AMDGPURegisterName(num uint64) string { return amdgpuRegisters.name(num) }

// X86DumpName names a register of x86-64 as llvm-dwarfdump 22 does, "" for one
// that it leaves as a number.
func X86DumpName(num uint64) string { return x86Registers.name(num) }

// AArch64DumpName names a register of AArch64 as llvm-dwarfdump 22 does, "" for
// one that it leaves as a number.
func AArch64DumpName(num uint64) string { return aarch64Registers.name(num) }
