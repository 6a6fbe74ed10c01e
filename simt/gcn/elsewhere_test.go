package gcn

import (
	"bytes"
	"encoding/binary"
	"slices"
	"sync"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/vec"
)

// Tests of execution run what they run as they say, in the interpreter with what vector instructions the host
// has, and then in other paths: a row's first instructions in all of them, later ones in the path that comes
// next. All must come to the same. When all tests have run, TestMain looks for rows that were not executed in
// some path.

// A harnessState is all that an instruction can change.
type harnessState struct {
	wave    simt.Wave
	regs    Regs
	vectors []Vector
	scratch []byte
	lds     []byte
	memory  [][]byte // of regions that can be written
}

// harnessStates are those that nobody looks at any more: a new one takes the memory of one, since there are
// hundreds of thousands of 150 KB.
var harnessStates = sync.Pool{New: func() any { return &harnessState{} }}

func (h *harness) state() *harnessState {
	s := harnessStates.Get().(*harnessState)
	s.wave, s.regs = *h.w, *h.regs
	s.vectors = append(s.vectors[:0], h.regs.V...)
	s.scratch = append(s.scratch[:0], h.w.Scratch...)
	s.lds = append(s.lds[:0], h.group.LDS...)
	regions := h.m.Mem.Regions()
	for len(s.memory) < len(regions) {
		s.memory = append(s.memory, nil)
	}
	for i, r := range regions {
		s.memory[i] = append(s.memory[i][:0], r.Data...)
	}
	return s
}

// become makes the harness what it was.
func (h *harness) become(s *harnessState) {
	scratch, v := h.w.Scratch, h.regs.V
	*h.w, *h.regs = s.wave, s.regs
	h.regs.V = append(v[:0], s.vectors...)
	h.w.Scratch = append(scratch[:0], s.scratch...)
	copy(h.group.LDS, s.lds)
	for i, r := range h.m.Mem.Regions() {
		copy(r.Data, s.memory[i])
	}
}

// differsFromState says in what the harness is not what it was in another path, "" if in nothing.
func (h *harness) differsFromState(s *harnessState) string {
	o := &harness{m: h.m, w: &s.wave, regs: &s.regs, group: &simt.Workgroup{LDS: s.lds}}
	s.regs.V, s.wave.Scratch = s.vectors, s.scratch
	n := min(len(h.regs.V), len(s.vectors)) // registers that one does not hold are 0
	all, others := h.regs.V, s.regs.V
	h.regs.V, s.regs.V = all[:n], others[:n]
	d := h.differsInRegisters(o)
	h.regs.V, s.regs.V = all, others
	for i, r := range h.m.Mem.Regions() {
		if !bytes.Equal(r.Data, s.memory[i]) {
			d += " " + r.String()
		}
	}
	if !bytes.Equal(h.group.LDS, s.lds) {
		d += " LDS"
	}
	if n := min(len(h.w.Scratch), len(s.scratch)); !bytes.Equal(h.w.Scratch[:n], s.scratch[:n]) {
		d += " private memory"
	}
	return d
}

// An execution is of a row in a path: by all lanes, or by some.
type execution struct {
	op      *Op
	path    path
	partial bool
}

// executions counts those whose results were compared with an expectation: by the test itself where the test
// ran it, and with what it left there in the other paths.
var executions = map[execution]int{}

// partial reports whether some lanes execute and others do not.
func partial(w *simt.Wave) bool { return w.Exec != 0 && w.Exec != w.Valid }

// compared notes that results of rows in a path were compared.
func compared(ops []*Op, p path, partial bool) {
	for _, op := range ops {
		executions[execution{op, p, partial}]++
	}
}

// elsewhere counts what was run in another path.
var elsewhere int

// otherPaths are the paths in which rows that were run are to run too: those that one of the rows has not
// been executed in, and if there are none, that which comes next.
func otherPaths(ops []*Op, partial bool) []path {
	all, lacking := paths(), []path(nil)
	here := path{vec: vec.Current()}
	for _, p := range all {
		never := func(op *Op) bool { return executions[execution{op, p, partial}] == 0 }
		if p != here && slices.ContainsFunc(ops, never) {
			lacking = append(lacking, p)
		}
	}
	if lacking == nil {
		elsewhere++
		lacking = all[elsewhere%len(all):][:1]
	}
	return lacking
}

// runBoth runs n instructions that were loaded, here and in other paths.
func (h *harness) runBoth(n int) simt.Event {
	h.t.Helper()
	var ops []*Op
	if h.comparing {
		ops = h.opsAtPC(n)
	}
	some := partial(h.w)
	compared(ops, path{vec: vec.Current()}, some)
	if h.m.Observed() || h.w.Track != nil || h.regs.follow != nil { // who must not be told twice
		return h.core.Run(h.w, uint64(n))
	}
	before := h.state()
	ev := h.core.Run(h.w, uint64(n))
	after := h.state()
	for _, p := range otherPaths(ops, some) {
		h.become(before)
		other := h.runIn(p, n)
		copy(h.code.Data, after.memory[slices.Index(h.m.Mem.Regions(), h.code)])
		if d := h.differsFromState(after); d != "" || other.Kind != ev.Kind ||
			!sameFault(other.Fault, ev.Fault) {
			h.t.Errorf("%v: %v %v, not %v %v; what differs: %s", p, other.Kind, other.Fault, ev.Kind,
				ev.Fault, d)
		}
		compared(ops, p, some)
	}
	h.become(after)
	harnessStates.Put(before)
	harnessStates.Put(after)
	h.m.Invalidate()
	return ev
}

// everyPath is for tests of what a run is beyond its instructions: each path has a run of the test, whose
// harnesses take it, and translate what they load if that is the path.
func everyPath(t *testing.T, test func(t *testing.T, start func(processor string) *harness)) {
	was := vec.Current()
	defer vec.Use(was)
	for _, p := range paths() {
		t.Run(p.String(), func(t *testing.T) {
			test(t, func(processor string) *harness {
				h := newHarness(t, processor)
				h.take(p)
				h.eager = p.translated
				return h
			})
		})
	}
}

// runIn runs n instructions that were loaded, in a path.
func (h *harness) runIn(p path, n int) simt.Event {
	own, interpret, was := h.core, h.m.Interpret, vec.Current()
	defer func() {
		h.core, h.m.Interpret = own, interpret
		vec.Use(was)
	}()
	h.core = h.isa.NewCore(h.m).(*Core)
	h.take(p)
	h.endAfter(n)
	if p.translated {
		h.translate()
	}
	return h.core.Run(h.w, uint64(n))
}

// opsAtPC are the rows of the n instructions at the PC.
func (h *harness) opsAtPC(n int) (ops []*Op) {
	for at := h.w.PC; n > 0; n-- {
		in, err := h.isa.Decode(h.code.Data[at-codeBase:], at)
		if err != nil {
			break
		}
		ops = append(ops, in.Op)
		at += uint64(in.Size)
	}
	return ops
}

// endAfter has a program end behind the n instructions at the PC, so that a translation of them is one of
// all.
func (h *harness) endAfter(n int) {
	at := h.w.PC
	for range n {
		in, err := h.isa.Decode(h.code.Data[at-codeBase:], at)
		if err != nil {
			return
		}
		at += uint64(in.Size)
	}
	binary.LittleEndian.PutUint32(h.code.Data[at-codeBase:], 0xbf810000) // s_endpgm
}

// manyRuns is how many runs of a row's instructions by themselves are all run in another path too; of more it
// is one of as many.
const manyRuns = 61

// harness is one without memory whose wave is the run's.
func (r *vectorRun) harness() *harness {
	return &harness{m: &simt.Machine{Mem: simt.NewMemory()}, w: r.w, regs: r.regs, group: r.w.Group}
}

// runElsewhere runs an instruction again, as before, in other paths, and compares.
func (r *vectorRun) runElsewhere(t testing.TB, in *Inst, before *harnessState) {
	t.Helper()
	defer harnessStates.Put(before)
	if r.core.stop.Kind != simt.NoEvent {
		return
	}
	ops, some := []*Op{in.Op}, partial(&before.wave)
	compared(ops, path{vec: vec.Current()}, some)
	h := r.harness()
	after := h.state()
	defer harnessStates.Put(after)
	for _, p := range otherPaths(ops, some) {
		h.become(before)
		stop := r.runIn(p, in, h)
		w := &after.wave
		h.w.PC, h.w.Insts, h.w.LaneInsts = w.PC, w.Insts, w.LaneInsts // in.exec leaves them
		if d := h.differsFromState(after); d != "" || stop != simt.NoEvent {
			t.Errorf("%v, %v: %v; what differs: %s", in, p, stop, d)
		}
		compared(ops, p, some)
	}
	h.become(after)
}

// runIn runs an instruction in a path, on a harness's state.
func (r *vectorRun) runIn(p path, in *Inst, h *harness) simt.EventKind {
	was := vec.Current()
	vec.Use(p.vec)
	defer vec.Use(was)
	h.m.Interpret = !p.translated
	c := r.isa.NewCore(h.m).(*Core)
	other := *in
	other.next, other.fast = nil, nil
	other.prepare()
	b := &block{pc: in.PC, end: in.PC + uint64(in.Size), insts: []Inst{other}, vectors: other.vectors()}
	c.w, c.r = h.w, h.regs
	c.blocks.Add(b.at(), b, 1)
	if c.translates() {
		if made := c.translate(b); made != nil {
			c.adopt(made)
		}
	}
	done := uint64(0)
	if b.region != nil {
		done = c.runTranslated(b, 1)
	}
	if done == 0 {
		c.runInsts(b, b.insts)
	}
	return c.stop.Kind
}

// someLanes are those that execute what is run lanewise.
const someLanes uint64 = 0x8000_0f0f_5555_0ff1

// lanewise runs, by all lanes, what makes each of them something of what it has alone, and before that from
// the same state by some lanes: those must come to the same, and the others keep what they had.
func lanewise(t testing.TB, w *simt.Wave, regs *Regs, run func()) {
	t.Helper()
	before, scalars := slices.Clone(regs.V), regs.S
	setExec(w, someLanes)
	run()
	some, masks := slices.Clone(regs.V), regs.S
	copy(regs.V, before)
	regs.S = scalars
	setExec(w, all64)
	run()
	for i := range some {
		for l, got := range some[i] {
			want := before[i][l]
			if someLanes>>l&1 != 0 {
				want = regs.V[i][l]
			}
			if got != want {
				t.Fatalf("by some lanes, v%d of lane %d is %#x, want %#x", i, l, got, want)
			}
		}
	}
	vcc, want := uint64(masks[regVCC])|uint64(masks[regVCC+1])<<32, pair(regs, regVCC)
	if vcc != want && vcc != want&someLanes {
		t.Fatalf("by some lanes, vcc is %#x, by all %#x", vcc, want)
	}
}
