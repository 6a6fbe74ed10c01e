package gcn

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"sync/atomic"

	"simtgdb/simt"
)

// Target is a set of processors.
type Target uint32

// The processors of this package.
const (
	GFX900 Target = 1 << iota
	GFX906
	GFX908
	GFX90A
	GFX942
	GFX950

	gfx9 = graphics | gfx90aP

	// Those that can do graphics, and sets of processors with their successors.
	graphics = GFX900 | GFX906 | GFX908
	gfx906P  = GFX906 | gfx908P
	gfx908P  = GFX908 | gfx90aP
	gfx90aP  = GFX90A | gfx942P
	gfx942P  = GFX942 | GFX950
)

var targetNames = map[string]Target{"gfx900": GFX900, "gfx906": GFX906, "gfx908": GFX908, "gfx90a": GFX90A,
	"gfx942": GFX942, "gfx950": GFX950}

// genericNames are gfx9's generic targets: each is one of the processors whose instructions it has some of.
var genericNames = map[string]Target{"gfx9-generic": GFX900, "gfx9-4-generic": GFX942}

// Processors returns the names of all processors, sorted.
func Processors() []string {
	names := Targets()
	names = slices.AppendSeq(names, maps.Keys(laterNames))
	names = slices.AppendSeq(names, maps.Keys(genericNames))
	sort.Strings(names)
	return names
}

func processorNamed(name string) (Target, bool) {
	for _, names := range []map[string]Target{targetNames, laterNames, genericNames} {
		if t, ok := names[name]; ok {
			return t, true
		}
	}
	return 0, false
}

// Targets returns the names of the processors of gfx9, sorted.
func Targets() []string {
	var names []string
	for n := range targetNames {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

func (t Target) String() string {
	for n, v := range targetNames {
		if v == t {
			return n
		}
	}
	for n, v := range laterNames {
		if v == t && strings.HasSuffix(n, "0") || v == t && n == "gfx1011" {
			return n
		}
	}
	return fmt.Sprintf("targets(%#x)", uint32(t))
}

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
func New(processor string, mem *simt.Memory, k Kernel) (*ISA, error) {
	t, ok := processorNamed(processor)
	if !ok {
		return nil, fmt.Errorf("processor %s cannot be simulated; these can: %s", processor,
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
	case a.Target.isLater():
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
	if a.Target.isLater() {
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
	c := &Core{isa: a, mem: m.Mem, m: m, blocks: map[codeAt]*block{}, gen: m.Generation(),
		warmRuns: translateAfter}
	c.native, c.valued = c.translates(), c.m.Follows().Values
	return c
}
