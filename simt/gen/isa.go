package gen

import (
	"fmt"
	"math/bits"
	"sync"
	"sync/atomic"

	"simtgdb/simt"
	"simtgdb/simt/texel"
)

// A Kernel is what a kernel needs of the hardware to start.
type Kernel struct {
	Generation *Generation // Gen9 if it is nil
	SIMD       int         // channels of a thread: 8, 16, 32

	// CrossThread is what all threads of a workgroup are given alike, and
	// PerThread how many bytes of local ids each gets before it; one register
	// that is not used if it is 0.
	CrossThread []byte
	PerThread   int

	// Inline is how many bytes of CrossThread a thread is given in r1; the rest, and the local ids, its code
	// reads from memory, Indirect(size) bytes behind GeneralBase for a workgroup of a size. Without Indirect
	// all are given in registers.
	Inline      int
	GeneralBase uint64
	Indirect    func(size [3]uint32) uint32

	// Surfaces are what the entries of the binding table stand for, and surface states by where they are: at
	// a multiple of SurfaceState that is more than any entry.
	Surfaces map[uint32]simt.Extent

	// Images are those of the entries that stand for images, and Samplers what samplers there are, by their
	// numbers, or by where their states are: at a multiple of SamplerState.
	Images   map[uint32]*texel.Image
	Samplers map[uint32]*texel.Sampler

	// Places in CrossThread that depend on the workgroup or the launch.
	LocalSize []int // of this workgroup: three dwords, smaller at the grid's end

	// PrivateBase is the address of the memory of which each thread has
	// PrivateSlot bytes; Threads is for how many it has room, at most
	// MaxThreads.
	PrivateBase, PrivateSlot uint64
	Threads                  int
}

// MaxThreads is how many threads the hardware numbers.
const MaxThreads = 512

// An ISA is a generation's instruction set, with what a program needs to start. It
// implements simt.ISA.
type ISA struct {
	Kernel Kernel

	mem          *simt.Memory
	translations translations
	ids          atomic.Pointer[idTable]

	mu      sync.Mutex
	numbers map[int]int             // thread numbers of waves
	used    [MaxThreads / 64]uint64 // the same, by number
}

// New returns the instruction set for one kernel whose code is in mem.
func New(mem *simt.Memory, k Kernel) (*ISA, error) {
	switch {
	case k.SIMD != 8 && k.SIMD != 16 && k.SIMD != 32:
		return nil, fmt.Errorf("threads of %d channels: there are those of 8, 16 and 32", k.SIMD)
	case k.Threads < 1 || k.Threads > MaxThreads:
		return nil, fmt.Errorf("room for %d threads: want 1 to %d", k.Threads, MaxThreads)
	}
	g := k.generation()
	if size, room := max(k.PerThread, g.regBytes)+len(
		k.CrossThread), (g.grfCount-1)*g.regBytes; size > room && k.Indirect == nil {
		return nil, fmt.Errorf("%d bytes of arguments: there is room for %d", size, room)
	}
	return &ISA{Kernel: k, mem: mem, numbers: map[int]int{}}, nil
}

// WaveSize implements simt.ISA.
func (a *ISA) WaveSize() int { return a.Kernel.SIMD }

// Align implements simt.ISA.
func (a *ISA) Align() int { return 8 }

// NewCore implements simt.ISA.
func (a *ISA) NewCore(m *simt.Machine) simt.Core {
	return &Core{isa: a, mem: m.Mem, m: m, gen: m.Generation()}
}

// Inst implements simt.ISA.
func (a *ISA) Inst(code []byte, pc uint64) (simt.Inst, error) {
	return a.Kernel.generation().Describe(code, pc)
}

func (k *Kernel) generation() *Generation {
	if k.Generation == nil {
		return Gen9
	}
	return k.Generation
}

// Describe says what a debugger wants to know of the instruction at the start
// of code, which lies at pc.
func (g *Generation) Describe(code []byte, pc uint64) (simt.Inst, error) {
	in, err := g.Decode(code, pc)
	if err != nil {
		return simt.Inst{}, err
	}
	out := simt.Inst{Text: in.text(), Size: in.Size, Flow: in.Op.flow}
	if in.eot {
		out.Flow = simt.FlowEnd
		return out, nil
	}
	out.Target = in.target()
	out.GlobalAtomic = in.Op.isMessage() && in.globalAtomic()
	return out, nil
}

// target is where an instruction sends channels, 0 if a register says or if it sends none.
func (in *Inst) target() uint64 {
	form, by := in.Op.form, in.src[0].place
	switch {
	case form == formJmpi && by == immediate, form == formJump1 && by == noPlace, in.Op.Name == "if":
		return in.PC + uint64(int64(in.jip))
	case form == formJump2 && by == noPlace:
		return in.PC + uint64(int64(in.uip))
	case form != formCall || by != noPlace:
		return 0
	case in.Op.Code == opCalla:
		return uint64(uint32(in.jip))
	}
	return in.PC + uint64(int64(in.jip))
}

// globalAtomic reports whether a message is, or may be, an atomic operation on
// global memory.
func (in *Inst) globalAtomic() bool {
	if in.descInA0 || in.exDescInA0 && !in.ownLength {
		return true
	}
	if in.isLSC() {
		return lscRows[in.desc&63].kind == lscAtomic && in.exDesc&15 != sfidSLM
	}
	typ := in.desc >> 14 & 31
	onSurface := (typ == 0x02 || typ == 0x1b) && in.desc&255 < surfaceIncoherent
	return in.exDesc&15 == sfidDC1 && (typ == 0x12 || typ == 0x1d || typ == 0x06 || onSurface)
}

// number gives a wave the lowest thread number that is free; a wave that is
// started once more, the one that it has. Where threads have no memory of their own nothing depends on it.
func (a *ISA) number(id int) (int, error) {
	if a.Kernel.PrivateSlot == 0 {
		return id % a.Kernel.Threads, nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if n, ok := a.numbers[id]; ok {
		return n, nil
	}
	for i, used := range a.used {
		n := 64*i + bits.TrailingZeros64(^used)
		if n >= a.Kernel.Threads {
			break
		}
		if ^used != 0 {
			a.used[i] |= 1 << (n & 63)
			a.numbers[id] = n
			return n, nil
		}
	}
	return 0, fmt.Errorf("all %d hardware threads are in use", a.Kernel.Threads)
}

// release frees the thread number of a wave that ends.
func (a *ISA) release(w *simt.Wave) {
	if a.Kernel.PrivateSlot == 0 {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if n, ok := a.numbers[w.ID]; ok {
		a.used[n/64] &^= 1 << (n & 63)
		delete(a.numbers, w.ID)
	}
}
