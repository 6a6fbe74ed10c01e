package expr

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

// AMDGPUPrivateWave gives the private_wave address that backs a private_lane
// address: dword a/4 of all lanes lies together (AMDGPUUsage, "Private").
func AMDGPUPrivateWave(addr uint64, lane, waveSize int) uint64 {
	return addr/4*uint64(waveSize)*4 + uint64(lane)*4 + addr%4
}

// IntelGT is the architecture of Intel's graphics processors: it has one address
// space, whose addresses say by their highest byte which memory they are in.
var IntelGT = &Arch{Name: "intelgt"}
