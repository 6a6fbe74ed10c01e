package gcn

import (
	"fmt"
	"sort"
	"strings"

	"simtgdb/simt"
)

// Target is a set of processors.
type Target uint8

// The processors of this package.
const (
	GFX900 Target = 1 << iota
	GFX90A
	GFX942

	gfx9    = GFX900 | GFX90A | GFX942
	gfx90aP = GFX90A | GFX942 // gfx90a and its successors
)

var targetNames = map[string]Target{"gfx900": GFX900, "gfx90a": GFX90A, "gfx942": GFX942}

// Targets returns the names of the processors, sorted.
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
	return fmt.Sprintf("targets(%#x)", uint8(t))
}

// An ISA is the gfx9 instruction set of one processor, with what a program
// that runs on it needs to start. It implements simt.ISA.
type ISA struct {
	Target Target
	Kernel Kernel

	// FunctionAt, if not nil, tells whether a function begins at an address:
	// the only way to know an indirect branch that is a tail call.
	FunctionAt func(addr uint64) bool

	mem    *simt.Memory
	tables *decodeTables
	breaks map[uint64]bool
	gen    int // counts changes that make decoded blocks stale
}

// New returns the instruction set of a processor ("gfx90a") for one kernel
// whose code and arguments are in mem.
func New(processor string, mem *simt.Memory, k Kernel) (*ISA, error) {
	t, ok := targetNames[processor]
	if !ok {
		return nil, fmt.Errorf("processor %s cannot be simulated; these can: %s", processor, strings.Join(Targets(), ", "))
	}
	return &ISA{Target: t, Kernel: k, mem: mem, tables: tablesFor(t), breaks: map[uint64]bool{}}, nil
}

// WaveSize is 64: gfx9 has no other.
func (a *ISA) WaveSize() int { return 64 }

// SetBreakpoint makes waves stop before the instruction at an address.
func (a *ISA) SetBreakpoint(addr uint64) { a.breaks[addr] = true; a.gen++ }

// ClearBreakpoint undoes SetBreakpoint.
func (a *ISA) ClearBreakpoint(addr uint64) { delete(a.breaks, addr); a.gen++ }

// Invalidate forgets decoded instructions, after code in memory has changed.
func (a *ISA) Invalidate() { a.gen++ }

// NewCore implements simt.ISA.
func (a *ISA) NewCore(m *simt.Machine) simt.Core {
	return &Core{isa: a, mem: m.Mem, m: m, blocks: map[uint64]*block{}, gen: a.gen}
}

// EndsAt reports whether the instruction at an address ends the wave.
func (a *ISA) EndsAt(addr uint64) bool {
	r := a.mem.Find(addr)
	if r == nil {
		return false
	}
	in, err := a.Decode(r.Data[addr-r.Base:], addr)
	return err == nil && strings.HasPrefix(in.Op.Name, "s_endpgm")
}
