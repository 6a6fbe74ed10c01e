package gen

import (
	"context"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/check"
	"simtgdb/simt/rows/regions/x86"
	"simtgdb/simt/simttest"
	"simtgdb/testdata/sweep"
)

// A meetingKernel is one of threads that load, store and meet at barriers in a loop, where each does mostly
// what it did some rounds before.
type meetingKernel struct {
	randomKernel
	groups, threads int
	seed            int64
}

// The registers of a meetingKernel, of eight channels.
const (
	meetingMoves  = 20 // addresses of 64 bits, which move by what meetingBy has each round
	meetingStays  = 24 // and others, which do not
	meetingLDS    = 28 // offsets: so many ways to lie in local memory
	meetingWays   = 4
	meetingLoaded = 40 // what has been loaded
	meetingBy     = 50 // of 64 bits
	meetingRound  = 52 // 64 for each round, and the thread's number
	meetingOdd    = 53 // what that is where one does something else
	meetingStep   = 54
	meetingEnd    = 55
	meetingOther  = 56 // addresses that some have in the odd round
)

// of gives the instruction at an offset its destination and sources; a negative one is left as it is.
func (k *meetingKernel) of(at, dst int, src ...int) {
	for i, reg := range append([]int{dst}, src...) {
		if reg >= 0 {
			k.field(at, k.registersAt()[i], 8, uint64(reg))
		}
	}
}

// sum appends an addition of 64 bits.
func (k *meetingKernel) sum(dst, a, b int) {
	at := len(k.code)
	k.code = append(k.code, decoded("40006000284b60216005694a00010000")...) // add (8) r11:q r43:q r8<0;1,0>:q
	k.of(at, dst, a, b)
}

// one appends what threads do in a round.
func (k *meetingKernel) one() {
	way := meetingLDS + k.rnd.Intn(meetingWays)
	loaded := meetingLoaded + k.rnd.Intn(4)
	global := []int{meetingMoves, meetingMoves + 2, meetingStays, meetingStays + 2}[k.rnd.Intn(4)]
	switch k.rnd.Intn(9) {
	case 0, 1:
		k.of(k.add("read"), loaded, global)
	case 2, 3:
		k.of(k.add("slm-read"), loaded, way)
	case 4:
		k.of(k.add("slm-write"), -1, []int{meetingLDS, way}[k.rnd.Intn(2)])
	case 5:
		if k.rnd.Intn(4) == 0 {
			k.of(k.add("write"), -1, global)
		}
	case 6:
		k.of(k.add("add-d"), loaded, loaded, meetingLDS)
	default:
		k.meet()
	}
}

// meet appends a barrier, sometimes with something between coming to it and waiting for it.
func (k *meetingKernel) meet() {
	k.add("barrier")
	switch k.rnd.Intn(12) {
	case 0:
		k.of(k.add("slm-read"), meetingLoaded, meetingLDS)
	case 1:
		k.odd(func() { k.of(k.add("read"), meetingLoaded, meetingStays) })
	case 2:
		k.odd(func() { k.of(k.add("slm-read"), meetingLoaded, meetingLDS+1) })
	}
	k.code = append(k.code, decoded(k.a["wait"])...)
}

// odd appends something that is done in one round alone, or in all but one, by some.
func (k *meetingKernel) odd(does func()) {
	at := k.add("cmp-lt")
	k.field(at, 24, 4, 1) // eq
	k.of(at, -1, meetingRound, meetingOdd)
	skip := k.add("goto")
	k.field(skip, 16, 5, uint64(1+16*k.rnd.Intn(2))) // (f0.0) or (~f0.0)
	k.field(skip, 32, 2, 0)
	does()
	end := k.join()
	k.target(skip, end, end)
}

func newMeetingKernel(a map[string]string, seed int64) *meetingKernel {
	rnd := rand.New(sweep.Source(seed))
	k := &meetingKernel{randomKernel: randomKernel{gen: Gen9, rnd: rnd, a: a, simd: 8}, seed: seed,
		groups: 2 + rnd.Intn(3), threads: 1 + rnd.Intn(4)}
	for range rnd.Intn(3) {
		k.one()
	}
	k.loop(func() {
		for range 2 + rnd.Intn(9) {
			k.one()
		}
		way := meetingLDS + rnd.Intn(meetingWays)
		switch rnd.Intn(10) {
		case 6, 7:
			k.of(k.add("slm-write"), -1, way)
			k.odd(func() { k.of(k.add("xor"), way, way, meetingStep) })
			k.meet()
		case 4:
			k.odd(k.meet)
		case 5:
			k.odd(k.one)
		case 0:
			k.odd(func() { k.of(k.add("slm-write"), -1, meetingLDS+k.rnd.Intn(meetingWays)) })
		case 1:
			k.odd(func() { k.of(k.add("write"), -1, meetingOther) })
		case 2:
			k.odd(func() { k.of(k.add("read"), meetingLoaded, meetingOther) })
		case 3, 8:
			moves := meetingMoves + 2*rnd.Intn(2)
			k.of(k.add("read"), meetingLoaded, moves)
			k.odd(func() { k.sum(moves, meetingOther, meetingBy) })
			k.meet()
		}
		for range rnd.Intn(4) {
			k.one()
		}
	})
	return k
}

// loop appends a loop, and the end.
func (k *meetingKernel) loop(body func()) {
	start := len(k.code)
	body()
	k.sum(meetingMoves, meetingMoves, meetingBy)
	k.sum(meetingMoves+2, meetingMoves+2, meetingBy)
	k.of(k.add("add-d"), meetingRound, meetingRound, meetingStep)
	k.of(k.add("cmp-lt"), -1, meetingRound, meetingEnd)
	again := k.branch("while", true)
	k.field(again, 16, 4, 1)
	k.field(again, 96, 32, uint64(uint32(start-again)))
	k.of(k.add("write"), -1, meetingStays)
	k.code = append(k.code, decoded("3100600704020020e00f000610000082")...)
}

// A meetingISA has its threads begin with registers of a meetingKernel.
type meetingISA struct {
	*ISA
	k *meetingKernel
}

// StartWave implements simt.ISA.
func (a meetingISA) StartWave(w *simt.Wave, d *simt.Dispatch) error {
	err := a.ISA.StartWave(w, d)
	rnd := rand.New(sweep.Source(a.k.seed))
	r, g, items := regsOf(w), a.k.gen, 8*a.k.threads
	r.setU32(offCR, loweredWant)
	strides := []uint64{4, 4, 4, 8, 64, 0}
	by, step := strides[rnd.Intn(6)]*uint64(rnd.Intn(3)), strides[rnd.Intn(6)]
	ways := [meetingWays]int{0, rnd.Intn(items), 8 * rnd.Intn(a.k.threads), rnd.Intn(2)}
	few := rnd.Intn(2) * rnd.Intn(9)
	odd := [3]uint32{uint32(64 * (1 + rnd.Intn(25))), uint32(rnd.Intn(a.k.threads)), uint32(rnd.Intn(2))}
	for l := range 8 {
		item := 8*w.Index + l
		for i, reg := range []int{meetingMoves, meetingMoves + 2, meetingStays, meetingStays + 2,
			meetingOther} {
			at := dataBase + 0x1000*uint64(i) + step*uint64(item)
			if i != 1 {
				at += 0x400 * uint64(w.Group.Index)
			}
			if i == 4 { // at no even distances
				at += uint64(odd[2]) * 4 * uint64(l*l)
			}
			le.PutUint64(r.file[g.grf(reg)+8*l:], at)
		}
		le.PutUint64(r.file[g.grf(meetingBy)+8*l:], by)
		for i, way := range ways {
			at := (item + way) % items
			if i == 3 && way == 1 {
				at = items - 1 - item
			}
			r.setU32(g.grf(meetingLDS+i)+4*l, uint32(4*at))
		}
		r.setU32(g.grf(meetingRound)+4*l, uint32(w.Index))
		at := odd[0] + odd[1] + uint32(w.Group.Index)*odd[2]*64
		if l < few {
			at++ // none
		}
		r.setU32(g.grf(meetingOdd)+4*l, at)
		r.setU32(g.grf(meetingStep)+4*l, 64)
		r.setU32(g.grf(meetingEnd)+4*l, 64*20)
	}
	return err
}

// machine makes one that is about to run the kernel.
func (k *meetingKernel) machine(t *testing.T) *simt.Machine {
	t.Helper()
	mem := simt.NewMemory()
	code := append(k.code[:len(k.code):len(k.code)], make([]byte, 16)...)
	if _, err := mem.Map("code", codeBase, code, simt.PermRead|simt.PermExec); err != nil {
		t.Fatal(err)
	}
	if _, err := mem.Map("data", dataBase, make([]byte, 0x10000), simt.PermRead|simt.PermWrite); err != nil {
		t.Fatal(err)
	}
	isa, err := New(mem, Kernel{Generation: k.gen, SIMD: k.simd, Threads: 16})
	if err != nil {
		t.Fatal(err)
	}
	n := uint32(k.simd * k.threads)
	m, err := simt.New(mem, meetingISA{isa, k}, simt.Dispatch{Grid: [3]uint32{n * uint32(k.groups), 1, 1},
		Block: [3]uint32{n, 1, 1}, Entry: codeBase, LDSSize: 0x400})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// checked is what checkers of some kinds find in the kernel.
func (k *meetingKernel) checked(t *testing.T, kinds check.Kinds, interpret bool) (found []string) {
	t.Helper()
	m := k.machine(t)
	m.Interpret = interpret
	c := check.New(m, kinds)
	c.Sink = func(r *check.Report) bool {
		found = append(found, fmt.Sprintf("%v %#x of wave %d, lanes %#x: %s %v %#x %v %s", r.Kind, r.PC,
			r.Wave.ID, r.Lanes, r.What, r.Space, r.Addr, r.Others, r.Advice))
		return false
	}
	c.Attach()
	if ev, err := m.Run(context.Background(), 1); err != nil || ev.Kind != simt.EndEvent {
		t.Fatalf("kernel %d: %v %v %v", k.seed, err, ev.Kind, ev.Fault)
	}
	return append(found, fmt.Sprintf("%+v", m.Stats()))
}

// TestToldAlike: observers are told of the same in random kernels whether these are translated or not.
func TestToldAlike(t *testing.T) {
	if !x86.Available() {
		t.Skip("no translated code")
	}
	translated := uint64(0)
	defer translating(2, func(n uint64) { translated += n })()
	a, foretold := assembled(t), 0
	for seed := range sweep.Seeds(200, 100, 3000) {
		k := newMeetingKernel(a, int64(seed))
		foretold += k.toldAlike(t, k.rnd.Uint64()&k.rnd.Uint64()&k.rnd.Uint64(), k.rnd.Intn(3)*20)
	}
	t.Logf("%d instructions in translated code, %d turns of waves were foreseen", translated, foretold)
	if translated < 10000 || foretold < 1000 {
		t.Error("too few to tell")
	}
}

// toldAlike compares what observers are told, who want to know of some instructions when they happen, and
// have so much room. It says how many turns of waves have been foreseen.
func (k *meetingKernel) toldAlike(t *testing.T, refuses uint64, room int) int {
	t.Helper()
	var seers [2]*simttest.TurnSeer
	for i := range seers {
		seers[i] = simttest.NewTurnSeer(refuses, room,
			func(text string) { t.Fatalf("kernel %d: %s\n%s", k.seed, text, k.listing(t)) })
		m := k.machine(t)
		m.Interpret = i == 0
		m.AddObserver(seers[i])
		if ev, err := m.Run(context.Background(), 1); err != nil || ev.Kind != simt.EndEvent {
			t.Fatalf("kernel %d: %v %v %v", k.seed, err, ev.Kind, ev.Fault)
		}
	}
	if differs := seers[0].Differs(&seers[1].Seer, true); differs != "" {
		t.Fatalf("kernel %d: %s\n%s", k.seed, differs, k.listing(t))
	}
	return seers[1].Foretold
}

// TestLoadsToldApart: of loads that come together observers are told one by one where the first ones are at
// no even distances, also if they were told of all together the last time.
func TestLoadsToldApart(t *testing.T) {
	if !x86.Available() {
		t.Skip("no translated code")
	}
	defer translating(1, nil)()
	a := assembled(t)
	for seed := range int64(20) {
		k := &meetingKernel{randomKernel: randomKernel{gen: Gen9, a: a, simd: 8,
			rnd: rand.New(rand.NewSource(seed))}, seed: seed, groups: 2, threads: 2}
		k.loop(func() {
			k.of(k.add("read"), meetingLoaded, meetingMoves)
			k.of(k.add("read"), meetingLoaded+1, meetingMoves+2)
			k.sum(meetingMoves, meetingOther, meetingBy)
		})
		k.toldAlike(t, 0, 0)
	}
}

// A followingSeer is a Seer that wants to know of values, too, and counts loads that it is told of by
// themselves.
type followingSeer struct {
	simttest.Seer
	alone int
}

func (*followingSeer) Follows() simt.Following { return simt.Following{Values: true} }
func (*followingSeer) Used(*simt.Use) bool     { return false }

func (s *followingSeer) NotedStride(a *simt.Access, at uint64, step uint32) bool {
	if a.Read {
		s.alone++
	}
	return s.Seer.NotedStride(a, at, step)
}

// TestLoadsToldTogether: of loads that come together observers are told so also where code leaves between
// them, since what they load to has no contents yet.
func TestLoadsToldTogether(t *testing.T) {
	if !x86.Available() {
		t.Skip("no translated code")
	}
	defer translating(1, nil)()
	k := &meetingKernel{randomKernel: randomKernel{gen: Gen9, a: assembled(t), simd: 8}, groups: 8,
		threads: 1}
	k.loop(func() {
		k.of(k.add("read"), meetingLoaded, meetingMoves)
		k.of(k.add("read"), meetingLoaded+1, meetingMoves+2)
	})
	s := &followingSeer{Seer: *simttest.NewSeer(0)}
	m := k.machine(t)
	if err := m.Fill(); err != nil {
		t.Fatal(err)
	}
	m.AddObserver(s)
	for _, w := range m.Waves() {
		r := regsOf(w)
		r.known = &known{since: m.Followed()}
		r.known.set(r.gen.grf(meetingLoaded), 2*r.gen.regBytes, true, codeBase)
	}
	for !m.Done() {
		if ev, err := m.Advance(10000); err != nil || ev.Kind != simt.EndEvent {
			t.Fatal(err, ev.Kind)
		}
	}
	if s.alone > 1 { // of the first thread, since where it loads from is not known yet
		t.Errorf("%d loads are told of by themselves", s.alone)
	}
}

// listing is the kernel's text.
func (k *meetingKernel) listing(t *testing.T) string {
	m := k.machine(t)
	return differing(k.gen, [2]*simt.Machine{m, m}, k.code)
}

// TestCheckedAlike: checkers find the same in random kernels whether these are translated or not.
func TestCheckedAlike(t *testing.T) {
	if !x86.Available() {
		t.Skip("no translated code")
	}
	defer translating(2, nil)()
	a := assembled(t)
	for _, kinds := range []check.Kinds{check.Race, check.Uninit, check.Race | check.Barrier, check.All} {
		found := 0
		for seed := range int64(sweep.Times(25, 600)) {
			k := newMeetingKernel(a, seed)
			want, got := k.checked(t, kinds, true), k.checked(t, kinds, false)
			if !slices.Equal(want, got) {
				t.Fatalf("kernel %d, %v: translated\n%s\ninterpreted\n%s\nof\n%s", seed, kinds,
					strings.Join(got, "\n"), strings.Join(want, "\n"), k.listing(t))
			}
			found += len(want) - 1
		}
		if t.Logf("%v: %d found", kinds, found); found == 0 {
			t.Errorf("%v: nothing was found in any kernel", kinds)
		}
	}
}
