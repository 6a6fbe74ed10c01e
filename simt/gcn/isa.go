package gcn

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"strings"
	"sync/atomic"

	"simtgdb/simt"
	"simtgdb/simt/gcn/processor"
)

// Target is a set of processors.
type Target = processor.Set

// The processors and sets of them, by the names that the rows have.
const (
	GFX900  = processor.GFX900
	GFX906  = processor.GFX906
	GFX908  = processor.GFX908
	GFX90A  = processor.GFX90A
	GFX942  = processor.GFX942
	GFX950  = processor.GFX950
	GFX1010 = processor.GFX1010
	GFX1011 = processor.GFX1011
	GFX1030 = processor.GFX1030
	GFX1100 = processor.GFX1100
	GFX1150 = processor.GFX1150
	GFX1200 = processor.GFX1200
	GFX1250 = processor.GFX1250

	gfx9     = processor.GFX9
	graphics = processor.Graphics
	gfx906P  = processor.GFX906On
	gfx908P  = processor.GFX908On
	gfx90aP  = processor.GFX90AOn
	gfx942P  = processor.GFX942On
	gfx101   = processor.GFX101
	gfx10    = processor.GFX10
	gfx11    = processor.GFX11
	gfx12    = processor.GFX12
	gfx11P   = processor.GFX11On
	rdna     = processor.RDNA
)

// Processors returns the names of all processors, sorted.
func Processors() []string { return processor.Names() }

// processorNamed is the processor of a name.
func processorNamed(name string) (Target, bool) { return processor.Named(name) }

// An ISA is the gfx9 instruction set of one processor, with what a program
// that runs on it needs to start. It implements simt.ISA.
type ISA struct {
	Target Target
	Kernel Kernel
	Launch Launch

	// FunctionAt, if not nil, tells whether a function begins at an address:
	// the only way to know an indirect branch that is a tail call.
	FunctionAt func(addr uint64) bool

	mem    *simt.Memory
	tables *decodeTables

	readsTrapSts bool // the program has an instruction that reads TRAPSTS

	ids atomic.Pointer[workItemIDs] // of the size of workgroup that started last

	translations translations // by cores of the machine that runs
}

// New returns the instruction set of a processor ("gfx90a") for one kernel
// whose code and arguments are in mem.
func New(name string, mem *simt.Memory, k Kernel) (*ISA, error) {
	t, ok := processorNamed(name)
	if !ok {
		return nil, fmt.Errorf("processor %s cannot be simulated; these can: %s", name,
			strings.Join(Processors(), ", "))
	}
	return &ISA{Target: t, Kernel: k, mem: mem, tables: tablesFor(t)}, nil
}

// Prepare looks through the code in memory for instructions that need what costs all programs if they have
// it: a global data share, and exceptions of arithmetic in TRAPSTS. That a constant may look like one does no
// harm.
func (a *ISA) Prepare() error {
	const (
		ds                = 0b110110
		getreg            = 0b1011_10001
		dsShift, sopShift = 26, 23
	)
	gds, trapSts := uint32(1<<16), true
	switch {
	case a.Target&gfx12 != 0: // no GDS, and no TRAPSTS that says something
		return nil
	case a.Target.IsLater():
		gds, trapSts = 1<<17, false
	}
	share := false
	for _, r := range a.mem.Regions() {
		if r.Perm&simt.PermExec == 0 {
			continue
		}
		for at := 0; at+4 <= len(r.Data); at += 4 {
			w := binary.LittleEndian.Uint32(r.Data[at:])
			share = share || w>>dsShift == ds && w&gds != 0
			id, _, _ := hwregField(int32(w))
			a.readsTrapSts = a.readsTrapSts || trapSts && w>>sopShift == getreg && id == hwTrapSts
		}
	}
	if share {
		return a.mapGDS()
	}
	return nil
}

// WaveSize is what the kernel says; if it says nothing, 64 on gfx9 and 32 from gfx10 on.
func (a *ISA) WaveSize() int {
	if a.Target.IsLater() {
		return cmp.Or(a.Kernel.WaveSize, laterWave)
	}
	return cmp.Or(a.Kernel.WaveSize, simt.MaxLanes)
}

// laterWave is how many lanes a wave has from gfx10 on where nothing says otherwise.
const laterWave = 32

// Align is 4: instructions are made of dwords.
func (a *ISA) Align() int { return 4 }

// NewCore implements simt.ISA.
func (a *ISA) NewCore(m *simt.Machine) simt.Core {
	c := &Core{isa: a, mem: m.Mem, m: m, gen: m.Generation(),
		warmRuns: translateAfter}
	c.follow()
	return c
}
