package gcn

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"simtgdb/simt"
)

// A Kernel is what a kernel descriptor says of the state in which the kernel
// wants its waves to start (LLVM, "User Guide for AMDGPU Backend", tables
// "Kernel Descriptor" and "compute_pgm_rsrc1/2/3").
type Kernel struct {
	PrivateSegmentBuffer bool // ENABLE_SGPR_PRIVATE_SEGMENT_BUFFER and so on, in the order of the registers
	DispatchPtr          bool
	QueuePtr             bool
	KernargSegmentPtr    bool
	DispatchID           bool
	FlatScratchInit      bool
	PrivateSegmentSize   bool
	PreloadLength        int // dwords of arguments loaded into SGPRs
	PreloadOffset        int // in dwords
	UserSGPRs            int // USER_SGPR_COUNT

	WorkgroupID   [3]bool // ENABLE_SGPR_WORKGROUP_ID_X, Y, Z
	WorkgroupInfo bool
	ScratchOffset bool // ENABLE_PRIVATE_SEGMENT
	WorkItemIDs   int  // ENABLE_VGPR_WORKITEM_ID: 0 is x, 1 x and y, 2 all

	Mode uint32 // the MODE register: FLOAT_ROUND_MODE_32 and on, DX10_CLAMP, IEEE_MODE, FP16_OVFL

	SGPRs, VGPRs, AGPRs int // as many as are allocated

	// Spread says that the waves of a workgroup may have several vector caches: TG_SPLIT, or WGP_MODE.
	Spread bool

	// TexelBounds says that texels outside of an image are defects, and not what the program means to read as
	// 0.
	TexelBounds bool

	// Robust has accesses beyond the workgroup's LDS read 0 and write nothing, as hardware does.
	Robust bool

	WaveSize int // lanes of a wave: 32, or 64, which 0 stands for
}

// Where the waves' private memories begin, and how many share a base: code
// adds its wave's offset to the base it is given.
const (
	scratchWindow = 0x7f00_0000_0000
	wavesPerBase  = 16
)

// A Launch is where the things of one launch are in memory that a kernel is told of.
type Launch struct {
	Kernarg uint64 // the kernel's arguments
	Packet  uint64 // the dispatch packet
	Queue   uint64 // the queue descriptor

	// User are the user SGPRs of kernels that have no descriptor which says what
	// is in them; nil for those that have one. The descriptor of their private
	// memory is what ScratchDescriptor makes.
	User []uint32
}

// LDSLimit is how many bytes of LDS a workgroup can have (LLVM, AddressableLocalMemorySize).
func (a *ISA) LDSLimit() uint64 {
	switch a.Target {
	case GFX950:
		return 160 << 10
	case GFX1250:
		return 320 << 10
	}
	return 64 << 10
}

// LDSGranule is of how many bytes hardware allocates a multiple for a workgroup (LLVM, AMDGPUUsage,
// GRANULATED_LDS_SIZE).
func (a *ISA) LDSGranule() uint32 {
	if a.Target == GFX950 {
		return 1280
	}
	return 512
}

// minVectors is how many vector registers every wave holds: those in which
// work-item ids arrive.
const minVectors = 4

// newRegs gives a wave its registers, all zero: as many vector registers as
// its kernel allocates.
func newRegs(w *simt.Wave, vectors int) *Regs {
	r, ok := w.Regs.(*Regs)
	if !ok {
		r = &Regs{}
		if v, ok := spareVectors.Get().(*[]Vector); ok {
			r.V = *v
		}
	} else {
		r.clear()
	}
	r.hold(max(vectors, minVectors))
	r.wide = ^uint64(0) >> (simt.MaxLanes - w.Size)
	w.Regs = r
	return r
}

// clear makes registers what new ones are, but for the record of lanes, which begins anew where somebody
// wants it.
func (r *Regs) clear() {
	r.restart()
	r.V = r.V[:0]
}

// restart is clear but for the vector registers.
func (r *Regs) restart() {
	clear(r.S[:])
	r.vectors, r.accs, r.scalars, r.given = 0, 0, 0, 0
	r.scratchBase, r.gws, r.pending = 0, 0, 0
	r.barrier, r.named = splitBarrier{}, [namedBarriers]namedBarrier{}
	if r.follow != nil {
		r.followed()
		r.spareFollow = r.follow
	}
	r.jump, r.shadows, r.follow = jumped{}, [2]*shadow{}, nil
	r.calls.depth = 0
}

// StartWave implements simt.ISA ("Initial Kernel Execution State").
func (a *ISA) StartWave(w *simt.Wave, d *simt.Dispatch) error {
	return a.start(w, d, newRegs(w, a.Kernel.VGPRs))
}

// start is StartWave with registers that are 0.
func (a *ISA) start(w *simt.Wave, d *simt.Dispatch, r *Regs) error {
	k := &a.Kernel
	r.vectors, r.accs, r.scalars, r.later = k.VGPRs, k.AGPRs, k.SGPRs, a.Target.IsLater()
	if w.Track != nil {
		r.lanes.start(w)
	}
	setExec(w, w.Exec)
	r.S[regMode] = k.Mode

	base := scratchWindow + uint64(w.ID/wavesPerBase)%4096*wavesPerBase*w.ScratchLimit
	if a.Launch.User != nil { // all know the same one
		base = scratchWindow
	}
	offset := uint64(w.ID%wavesPerBase) * w.ScratchLimit
	r.scratchBase = base + offset

	if err := a.giveUser(r, d, base, w); err != nil {
		return err
	}
	next := a.giveGroup(&r.S, w.Group)
	if a.Target&gfx12 != 0 {
		r.S[regTrapCtrl] = r.S[regMode] & ModeExcp >> ModeExcpShift
		r.S[regMode] = r.S[regMode]&^ModeExcp | ModeDX10Clamp // which it always does
		r.S[regTTMP+8] = uint32(w.Index) & 0x1f << 25
	} else {
		next += giveDword(r, next, k.WorkgroupInfo, a.workgroupInfo(w))
	}
	next += giveDword(r, next, k.ScratchOffset && !a.architectedFlatScratch(), uint32(offset))
	r.given = next
	if a.architectedFlatScratch() {
		at := uint8(regFlatScratch)
		if a.Target.IsLater() {
			at = regFlatLo
			setPair(r, srcScratchBase, r.scratchBase)
		}
		setPair(r, at, r.scratchBase)
	}
	a.startVectors(w, d)
	return nil
}

// giveUser fills the user SGPRs, with base that of private memory.
func (a *ISA) giveUser(r *Regs, d *simt.Dispatch, base uint64, w *simt.Wave) error {
	k := &a.Kernel
	next := copy(r.S[:], a.Launch.User)
	if k.PrivateSegmentBuffer {
		next += copy(r.S[next:], scratchDescriptor(base, w.ScratchLimit*wavesPerBase, w.Size))
	}
	give64 := func(want bool, v uint64) {
		next += giveDword(r, next, want, uint32(v))
		next += giveDword(r, next, want, uint32(v>>32))
	}
	give64(k.DispatchPtr, a.Launch.Packet)
	give64(k.QueuePtr, a.Launch.Queue)
	give64(k.KernargSegmentPtr, a.Launch.Kernarg)
	give64(k.DispatchID, 1)
	give64(k.FlatScratchInit, base)
	next += giveDword(r, next, k.PrivateSegmentSize, uint32(d.ScratchSize))
	if k.PreloadLength > 0 {
		n, err := a.preload(r, next)
		if err != nil {
			return err
		}
		next += n
	}
	if next > k.UserSGPRs {
		return fmt.Errorf("the kernel descriptor enables %d user SGPRs and counts %d", next, k.UserSGPRs)
	}
	return nil
}

// giveDword gives a scalar register what the kernel may want there, and says how many that were.
func giveDword(r *Regs, next int, want bool, dword uint32) (n int) {
	if !want {
		return 0
	}
	r.S[next] = dword
	return 1
}

// giveGroup puts the workgroup's id where a wave finds it: in registers behind the user SGPRs, on gfx12 in
// those of trap handlers ("Initial Kernel Execution State"). It returns which register is next.
func (a *ISA) giveGroup(scalars *[256]uint32, g *simt.Workgroup) (next int) {
	k := &a.Kernel
	if a.Target&gfx12 != 0 {
		reg, _ := a.groupRegister()
		scalars[reg] = g.ID[0]
		scalars[regTTMP+7] = g.ID[1]&0xffff | g.ID[2]<<16
		return k.UserSGPRs
	}
	next = k.UserSGPRs
	for i, want := range k.WorkgroupID {
		if want {
			scalars[next] = g.ID[i]
			next++
		}
	}
	return next
}

// groupRegister is the scalar register that has the workgroup's number in the first direction, if one has.
func (a *ISA) groupRegister() (reg int, ok bool) {
	if a.Target&gfx12 != 0 {
		return regTTMP + 9, true
	}
	return a.Kernel.UserSGPRs, a.Kernel.WorkgroupID[0]
}

// architectedFlatScratch: the hardware itself gives waves FLAT_SCRATCH, and
// scratch instructions take lane addresses.
func (a *ISA) architectedFlatScratch() bool { return a.Target&(gfx942P|gfx11P) != 0 }

// preload loads the first arguments into SGPRs ("Preloaded Kernel Arguments").
func (a *ISA) preload(r *Regs, first int) (int, error) {
	n := min(a.Kernel.PreloadLength, 16-first)
	buf := make([]byte, 4*max(n, 0))
	addr := a.Launch.Kernarg + 4*uint64(a.Kernel.PreloadOffset)
	if _, err := a.mem.Read(addr, buf); err != nil {
		return 0, fmt.Errorf("preload %d dwords of arguments: %w", n, err)
	}
	for i := range n {
		r.S[first+i] = binary.LittleEndian.Uint32(buf[4*i:])
	}
	return n, nil
}

// workgroupInfo is {first_wave, 14'b0, ordered_append_term[10:0],
// threadgroup_size_in_waves[5:0]}.
func (a *ISA) workgroupInfo(w *simt.Wave) uint32 {
	size := w.Group.Size
	v := (size[0]*size[1]*size[2] + uint32(w.Size) - 1) / uint32(w.Size)
	if w.Index == 0 {
		v |= 1 << 31
	}
	return v
}

// startVectors gives the lanes the work-item ids that the kernel enables:
// packed into one register, 10 bits each, from gfx90a on, else a register each.
func (a *ISA) startVectors(w *simt.Wave, d *simt.Dispatch) {
	var rows []Vector
	if ids := a.ids.Load(); w.Group.Size != d.Block {
		rows = a.workItemRows(w.Group.Size, w.Index*w.Size, w.Size)
	} else {
		if ids == nil || ids.size != d.Block || ids.counted != a.Kernel.WorkItemIDs {
			ids = a.newWorkItemIDs(d.Block, w.Size)
			a.ids.Store(ids)
		}
		rows = ids.waves[w.Index]
	}
	r := regsOf(w)
	for i := range rows {
		if w.Valid == ^uint64(0) {
			r.V[i] = rows[i]
		} else {
			copy(r.V[i][:bits.Len64(w.Valid)], rows[i][:])
		}
	}
}

// workItemIDs are what the waves of a whole workgroup find in their first vector registers.
type workItemIDs struct {
	size    [3]uint32
	counted int // Kernel.WorkItemIDs
	waves   [][]Vector
}

func (a *ISA) newWorkItemIDs(size [3]uint32, lanes int) *workItemIDs {
	all := &workItemIDs{size: size, counted: a.Kernel.WorkItemIDs}
	for first := 0; first < int(size[0]*size[1]*size[2]); first += lanes {
		all.waves = append(all.waves, a.workItemRows(size, first, lanes))
	}
	return all
}

// workItemRows are the vector registers with the ids of work-items from the first on, of a workgroup of a
// size.
func (a *ISA) workItemRows(size [3]uint32, first, lanes int) []Vector {
	packed, n := a.Target&(gfx90aP|gfx11P) != 0, min(a.Kernel.WorkItemIDs+1, 3)
	rows := make([]Vector, n)
	for l := range lanes {
		flat := uint32(first + l)
		for i, size := range size[:n] {
			id := flat % size
			if packed {
				rows[0][l] |= id << (10 * i)
			} else {
				rows[i][l] = id
			}
			flat /= size
		}
	}
	if packed {
		rows = rows[:1]
	}
	return rows
}

// ScratchDescriptor is the buffer descriptor of the private memories of a
// dispatch, to which a wave adds its offset.
func ScratchDescriptor(d *simt.Dispatch) []uint32 {
	perWave := (d.ScratchLimit + 3) / 4 * 4 * simt.MaxLanes
	return scratchDescriptor(scratchWindow, perWave*wavesPerBase, simt.MaxLanes)
}

// scratchDescriptor is the buffer descriptor of the waves' private memory:
// swizzled in elements of 4 bytes with an index stride of as many lanes as a
// wave has, the lane added to the index.
func scratchDescriptor(base, size uint64, lanes int) []uint32 {
	const swizzle, dataFormat32, addTID = 1 << 31, 4 << 15, 1 << 23
	indexStride := uint32(bits.TrailingZeros(uint(lanes/8))) << 21
	return []uint32{uint32(base), uint32(base>>32)&0xffff | swizzle,
		uint32(min(size, 1<<32-1)), dataFormat32 | indexStride | addTID}
}
