package gcn

import (
	"encoding/binary"
	"strconv"
	"strings"
	"testing"

	"simtgdb/simt"
)

// Where a harness has its memory.
const (
	codeBase     = 0x1_0000
	dataBase     = 0x2_0000
	dataSize     = 0x1000
	constBase    = 0x3_0000 // read only
	ldsSize      = 0x1000
	scratchLimit = 0x400 // bytes per lane
)

// A harness is one wave of 64 lanes with some of every memory.
type harness struct {
	t     testing.TB
	isa   *ISA
	m     *simt.Machine
	core  *Core
	w     *simt.Wave
	regs  *Regs
	code  *simt.Region
	data  *simt.Region
	group *simt.Workgroup

	later *ISA // whose rows execute, if not isa's: see newHarnessFor

	comparing bool // the test compares what every instruction does
	eager     bool // what is loaded is translated
}

// newHarness is a wave of a processor, whose name may be followed by a stroke and how many lanes the wave
// has.
func newHarness(t testing.TB, processor string) *harness {
	t.Helper()
	h := &harness{t: t}
	mem := simt.NewMemory()
	region := func(name string, base uint64, size int, perm simt.Perm) *simt.Region {
		r, err := mem.Map(name, base, make([]byte, size), perm)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	h.code = region("code", codeBase, 0x4000, simt.PermRead|simt.PermExec)
	h.data = region("data", dataBase, dataSize, simt.PermRead|simt.PermWrite)
	region("constants", constBase, 0x100, simt.PermRead)
	h.isa = newISA(t, processor, mem)
	var err error
	h.m, err = simt.New(mem, h.isa, simt.Dispatch{Grid: [3]uint32{64, 1, 1}, Block: [3]uint32{64, 1, 1},
		Entry: codeBase, LDSSize: ldsSize, ScratchSize: 256, ScratchLimit: scratchLimit})
	if err != nil {
		t.Fatal(err)
	}
	if err := h.m.Fill(); err != nil {
		t.Fatal(err)
	}
	h.w = h.m.Waves()[0]
	h.group = h.w.Group
	h.regs = regsOf(h.w)
	h.core = h.isa.NewCore(h.m).(*Core)
	return h
}

// newISA is the machine of a processor, named as for newHarness, that has some memory.
func newISA(t testing.TB, processor string, mem *simt.Memory) *ISA {
	t.Helper()
	processor, size, _ := strings.Cut(processor, "/")
	lanes, _ := strconv.Atoi(size)
	isa, err := New(processor, mem, Kernel{VGPRs: 256, SGPRs: 102, WaveSize: lanes})
	if err != nil {
		t.Fatal(err)
	}
	return isa
}

// release gives the registers to other harnesses.
func (h *harness) release() { h.regs.Release() }

// track makes the wave keep a record for a debugger.
func (h *harness) track() {
	h.w.Track = &simt.Track{}
	h.regs.lanes.start(h.w)
}

// run executes instructions one after the other and returns what stopped
// the wave.
func (h *harness) run(insts ...[]uint32) simt.Event {
	h.t.Helper()
	if h.later != nil {
		return h.runLater(insts...)
	}
	h.load(insts...)
	return h.runBoth(len(insts))
}

// compares says that the test compares what each instruction that it runs
// does.
func (h *harness) compares() *harness {
	h.comparing = true
	return h
}

// load puts instructions where the wave goes on.
func (h *harness) load(insts ...[]uint32) {
	at := 0
	for _, words := range insts {
		for _, w := range words {
			binary.LittleEndian.PutUint32(h.code.Data[at:], w)
			at += 4
		}
	}
	h.w.PC, h.w.State = codeBase, simt.Ready
	h.m.Invalidate()
	if h.eager {
		h.endAfter(len(insts))
		h.core.forget()
		h.translate()
	}
}

// mustRun is run for instructions that nothing stops.
func (h *harness) mustRun(insts ...[]uint32) {
	h.t.Helper()
	if ev := h.run(insts...); ev.Kind != simt.NoEvent {
		h.t.Fatalf("stopped by %v at %#x: %v", ev.Kind, ev.PC, ev.Fault)
	}
}

// op finds an instruction's row.
func (h *harness) op(enc Enc, name string) *Op {
	h.t.Helper()
	for _, op := range h.isa.tables.rows[enc] {
		if op != nil && op.Name == name {
			return op
		}
	}
	h.t.Fatalf("%v has no %v %s", h.isa.Target, enc, name)
	return nil
}

// vector sets a register's lanes.
func (h *harness) vector(reg int, f func(l int) uint32) {
	for l := range h.regs.V[reg] {
		h.regs.V[reg][l] = f(l)
	}
}

// address sets a pair of registers' lanes.
func (h *harness) address(reg int, f func(l int) uint64) {
	h.vector(reg, func(l int) uint32 { return uint32(f(l)) })
	h.vector(reg+1, func(l int) uint32 { return uint32(f(l) >> 32) })
}

func (h *harness) exec(v uint64) { setExec(h.w, v) }
