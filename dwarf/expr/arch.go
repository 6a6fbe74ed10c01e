package expr

import "strconv"

// A Space is one row of an architecture's DWARF address space table.
type Space struct {
	ID          uint64
	Name        string // DW_ASPACE_ name without the prefix
	AddressBits int    // 0: the size of a generic value
	PerLane     bool   // each lane has its own storage
}

// An Arch is what the evaluator has to know of an architecture.
type Arch struct {
	Name   string
	Spaces []Space
	// LaneBits is the width of one lane of a vector register, 0 for any
	// other register.
	LaneBits func(reg uint64) int
	// Frame reports a stack or frame pointer register whose value is
	// scaled by the wave size (see Dialect).
	Frame func(reg uint64) bool
}

// space finds a row; ok is false for an identifier the table lacks.
func (a *Arch) space(id uint64) (Space, bool) {
	if a != nil {
		for i := range a.Spaces {
			if a.Spaces[i].ID == id {
				return a.Spaces[i], true
			}
		}
	}
	return Space{}, id == 0 && (a == nil || len(a.Spaces) == 0)
}

func (a *Arch) laneBits(reg uint64) int {
	if a == nil || a.LaneBits == nil {
		return 0
	}
	return a.LaneBits(reg)
}

func (a *Arch) isFrame(reg uint64) bool {
	return a != nil && a.Frame != nil && a.Frame(reg)
}

// The AMDGPU address spaces (LLVM AMDGPUUsage, "Address Space Identifier").
const (
	SpaceGlobal      = 0
	SpaceGeneric     = 1
	SpaceRegion      = 2
	SpaceLocal       = 3
	SpacePrivateLane = 5
	SpacePrivateWave = 6
)

// AMDGPU is the architecture of LLVM's "User Guide for AMDGPU Backend".
var AMDGPU = &Arch{
	Name: "amdgcn",
	Spaces: []Space{
		{ID: SpaceGlobal, Name: "LLVM_none"},
		{ID: SpacePrivateLane, Name: "AMDGPU_private_lane", AddressBits: 32, PerLane: true},
		{ID: SpacePrivateWave, Name: "AMDGPU_private_wave", AddressBits: 32},
		{ID: SpaceLocal, Name: "AMDGPU_local", AddressBits: 32},
		{ID: SpaceGeneric, Name: "AMDGPU_generic", AddressBits: 64},
		{ID: SpaceRegion, Name: "AMDGPU_region", AddressBits: 32},
	},
	LaneBits: amdgpuLaneBits,
	Frame:    func(reg uint64) bool { return reg >= 64 && reg <= 66 },
}

// A registerRange is one row of the AMDGPU DWARF register table.
type registerRange struct {
	first, last uint64
	name        string // without a number when first == last
	base        int    // number of the first register
	laneBits    int
	unnamed     bool // llvm-dwarfdump 22 has no name for it
}

// amdgpuRegisters is the table "AMDGPU DWARF Register Mapping" of AMDGPUUsage.
var amdgpuRegisters = []registerRange{
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

func amdgpuRegister(num uint64) *registerRange {
	for i := range amdgpuRegisters {
		if r := &amdgpuRegisters[i]; num >= r.first && num <= r.last {
			return r
		}
	}
	return nil
}

func amdgpuLaneBits(num uint64) int {
	if num < 1536 {
		return 0
	}
	if r := amdgpuRegister(num); r != nil {
		return r.laneBits
	}
	return 0
}

// AMDGPUDumpName names a register as llvm-dwarfdump 22 does, which leaves the
// wave32 vector registers and some others as bare numbers ("").
func AMDGPUDumpName(num uint64) string {
	if r := amdgpuRegister(num); r == nil || r.unnamed {
		return ""
	}
	return AMDGPURegisterName(num)
}

// AMDGPURegisterName names a DWARF register of AMDGPU in the spelling of LLVM's
// register names, "" for a reserved number.
func AMDGPURegisterName(num uint64) string {
	r := amdgpuRegister(num)
	switch {
	case r == nil:
		return ""
	case r.first == r.last:
		return r.name
	}
	return r.name + strconv.Itoa(r.base+int(num-r.first))
}

// AMDGPUPrivateWave gives the private_wave address that backs a private_lane
// address: dword a/4 of all lanes lies together (AMDGPUUsage, "Private").
func AMDGPUPrivateWave(addr uint64, lane, waveSize int) uint64 {
	return addr/4*uint64(waveSize)*4 + uint64(lane)*4 + addr%4
}
