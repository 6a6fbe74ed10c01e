package simt_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/simttest"
	"simtgdb/testdata/sweep"
)

// What follows runs random programs of the toy machine: loops, branches in which lanes part, calls, LDS with
// barriers, and global memory of which each work-item has a word of its own.

const (
	codeBase = 0x1000
	dataBase = 0x100000
	items    = 44
)

// toyProgram writes a program: what it does is in its number.
type toyProgram struct {
	code []byte
	r    *rand.Rand
}

func (p *toyProgram) add(op simttest.ToyOp, a, b, c int) int {
	p.code = append(p.code, byte(op), byte(a), byte(b), byte(c))
	return len(p.code)/simttest.ToySize - 1
}

// land makes a jump or branch lead to the next instruction.
func (p *toyProgram) land(at int) {
	p.code[at*simttest.ToySize+2] = byte(len(p.code) / simttest.ToySize)
}

// randomToy is a program: registers 0 to 3 are its own, 4 is memory, 5 the work-item's word, 6 its place in
// the workgroup, 7 counts a loop.
func randomToy(number uint64) []byte {
	p := &toyProgram{r: rand.New(sweep.PCG(number, 40))}
	p.add(simttest.ToyItem, 5, 0, 0)
	p.add(simttest.ToyLane, 6, 0, 0)
	for i := range 4 {
		p.add(simttest.ToyAddI, i, 5+p.r.IntN(2), p.r.IntN(200))
	}
	times := 3 + p.r.IntN(30)
	if number == 0 { // long enough for many snapshots
		times = 255
	}
	p.add(simttest.ToyLoad, 7, times, 0)
	loop := len(p.code) / simttest.ToySize
	p.statements(3, 2)
	if sharesMemory(number) {
		p.add(simttest.ToyLoad, 0, 0, 0)
		p.add(simttest.ToyPut, 0, 6, 1)
		p.add(simttest.ToyBarrier, 0, 0, 0)
		p.add(simttest.ToyAndI, 2, 2, 7) // a word that another lane has written
		p.add(simttest.ToyTake, 0, 2, 3)
		p.add(simttest.ToyBarrier, 0, 0, 0)
	} else if number%2 == 0 { // where waves come after as many instructions as they happen to have had
		p.add(simttest.ToyAndI, 2, 6, simttest.ToySize)
		skip := p.add(simttest.ToyBZ, 2, 0, 0)
		for range p.r.IntN(60) {
			p.add(simttest.ToyAddI, 3, 3, 1)
		}
		p.land(skip)
		p.add(simttest.ToyBarrier, 0, 0, 0)
	}
	p.add(simttest.ToyStore, 4, 5, 3)
	p.add(simttest.ToyAddI, 7, 7, 255) // one less
	p.add(simttest.ToyAndI, 7, 7, 255)
	end := p.add(simttest.ToyBZ, 7, 0, 0)
	p.add(simttest.ToyJump, 0, loop, 0)
	p.land(end)
	p.add(simttest.ToyStore, 4, 5, 1)
	p.add(simttest.ToyEnd, 0, 0, 0)
	return p.code
}

// sharesMemory reports whether the lanes of a workgroup share LDS in a program.
func sharesMemory(number uint64) bool { return number%3 != 2 }

// statements adds some.
func (p *toyProgram) statements(count, depth int) {
	reg := func() int { return p.r.IntN(4) }
	for range count {
		switch kind := p.r.IntN(8); {
		case kind < 3:
			p.add(simttest.ToyAdd, reg(), reg(), reg())
		case kind == 3:
			p.add(simttest.ToyAddI, reg(), reg(), p.r.IntN(256))
		case kind == 4:
			p.add(simttest.ToyStore, 4, 5, reg())
		case kind == 5:
			p.add(simttest.ToyFetch, 4, 5, reg())
		case kind == 6 && depth > 0: // lanes part
			a := reg()
			p.add(simttest.ToyAndI, a, 6, 1<<p.r.IntN(2))
			skip := p.add(simttest.ToyBZ, a, 0, 0)
			p.statements(2, depth-1)
			p.land(skip)
		case depth > 0: // a function, behind which the code goes on
			call := p.add(simttest.ToyCall, 0, 0, 0)
			over := p.add(simttest.ToyJump, 0, 0, 0)
			p.land(call)
			p.statements(2, depth-1)
			p.add(simttest.ToyRet, 0, 0, 0)
			p.land(over)
		}
	}
}

// toyMachine is a machine that has not executed anything.
func toyMachine(t testing.TB, number uint64) *simt.Machine {
	t.Helper()
	mem := simt.NewMemory()
	for _, r := range []struct {
		name string
		base uint64
		data []byte
		perm simt.Perm
	}{{"code", codeBase, randomToy(number), simt.PermRead | simt.PermExec},
		{"data", dataBase, make([]byte, 4*items), simt.PermRead | simt.PermWrite}} {
		if _, err := mem.Map(r.name, r.base, r.data, r.perm); err != nil {
			t.Fatal(err)
		}
	}
	lds := uint32(0)
	if sharesMemory(number) {
		lds = 32
	}
	m, err := simt.New(mem, &simttest.ToyISA{Base: codeBase, Args: []uint64{dataBase}}, simt.Dispatch{
		Grid: [3]uint32{items, 1, 1}, Block: [3]uint32{8, 1, 1}, Entry: codeBase, LDSSize: lds})
	if err != nil {
		t.Fatal(err)
	}
	m.Track, m.Resident = true, 4+int(number%2)
	if err := m.Fill(); err != nil {
		t.Fatal(err)
	}
	return m
}

const toyPrograms = 12

// advance makes a random number of turns, and fails at anything but barriers and ends.
func advance(t *testing.T, h interface {
	Advance(n uint64) (simt.Event, error)
}, n uint64) simt.Event {
	t.Helper()
	ev, err := h.Advance(n)
	if err != nil || ev.Kind != simt.NoEvent && ev.Kind != simt.BarrierEvent && ev.Kind != simt.EndEvent {
		t.Fatalf("%+v, %v", ev, err)
	}
	return ev
}

// TestHistoryGoesAnywhere: the same states come again at the same times, in any order of going there, with
// much room and with little.
func TestHistoryGoesAnywhere(t *testing.T) {
	for number := range uint64(toyPrograms) {
		r := rand.New(sweep.PCG(number, 41))
		m := toyMachine(t, number)
		h := simt.NewHistory(m, nil)
		states := map[uint64]string{0: simttest.Digest(m)}
		times, turns := []uint64{0}, []uint64(nil)
		for !m.Done() {
			n := 1 + r.Uint64N(40)
			advance(t, h, n)
			states[h.Now()] = simttest.Digest(m)
			times, turns = append(times, h.Now()), append(turns, n)
		}
		end := h.Now()
		for i := range 60 {
			if i == 30 && h.Goto(end) == nil {
				h.SetLimit(h.Held() / 3)
			}
			at := times[r.IntN(len(times))]
			if at < h.Begin() {
				if err := h.Goto(at); err == nil {
					t.Fatalf("program %d: went to %d, before the beginning at %d", number, at, h.Begin())
				}
				continue
			}
			if err := h.Goto(at); err != nil {
				t.Fatalf("program %d: to %d: %v", number, at, err)
			}
			if got := simttest.Digest(m); got != states[at] || h.Now() != at || h.Replaying() != (at < end) {
				t.Fatalf("program %d: another state at %d (now %d)", number, at, h.Now())
			}
		}
		if err := h.Goto(end + 1); err == nil {
			t.Errorf("program %d: went beyond the end", number)
		}
		goesOnOtherwise(t, number, h, m, times, turns)
		if h.Release(); h.Held() != 0 {
			t.Errorf("program %d: %d bytes are held", number, h.Held())
		}
	}
}

// goesOnOtherwise lets a machine go on from a time in the past, with other turns than it had, and holds it
// against one that has never been anywhere else.
func goesOnOtherwise(t *testing.T, number uint64, h *simt.History, m *simt.Machine, times, turns []uint64) {
	t.Helper()
	i := len(times) - len(times)/5
	for times[i] < h.Begin() {
		i++
	}
	if err := h.Goto(times[i]); err != nil {
		t.Fatal(err)
	}
	h.ForgetFuture()
	other := toyMachine(t, number)
	for _, n := range turns[:i] {
		advance(t, other, n)
	}
	for !m.Done() {
		advance(t, h, 16)
		if advance(t, other, 16); simttest.Digest(m) != simttest.Digest(other) {
			t.Fatalf("program %d: from %d on it goes on otherwise, at %d", number, times[i], h.Now())
		}
	}
}

// A put is a change: a word is written to memory.
type put struct {
	m    *simt.Machine
	at   uint64
	word uint32
}

func (p put) Redo() error {
	_, err := p.m.Mem.Write(p.at, binary.LittleEndian.AppendUint32(nil, p.word))
	return err
}
func (p put) Size() int { return 4 }

// TestHistoryChanges: what is changed in the past is made again, and what was the future is not.
func TestHistoryChanges(t *testing.T) {
	for number := range uint64(toyPrograms) {
		r := rand.New(sweep.PCG(number, 42))
		m := toyMachine(t, number)
		h := simt.NewHistory(m, nil)
		h.KeepWhole()
		for range 60 {
			advance(t, h, 1+r.Uint64N(30))
		}
		if err := h.Goto(h.Now() / 2); err != nil {
			t.Fatal(err)
		}
		change := put{m, dataBase + 4*r.Uint64N(items), r.Uint32()}
		if err := change.Redo(); err != nil {
			t.Fatal(err)
		}
		h.Changed(change)
		if h.Replaying() || h.End() != h.Now() {
			t.Fatalf("program %d: there is a future after a change", number)
		}
		changed, at := simttest.Digest(m), h.Now()
		for !m.Done() {
			advance(t, h, 1+r.Uint64N(30))
		}
		last, end := simttest.Digest(m), h.Now()
		for _, c := range []struct {
			at   uint64
			want string
		}{{0, ""}, {at, changed}, {end, last}, {at, changed}} {
			if err := h.Goto(c.at); err != nil {
				t.Fatal(err)
			}
			if got := simttest.Digest(m); c.want != "" && got != c.want {
				t.Errorf("program %d: another state at %d", number, c.at)
			}
		}
		again := toyMachine(t, number)
		timeline := h.Timeline()
		if len(timeline.Changes) != 1 || timeline.Changes[0].At != at {
			t.Errorf("program %d: changes %+v", number, timeline.Changes)
		}
		for i, c := range timeline.Changes {
			p := c.Change.(put)
			p.m = again
			timeline.Changes[i].Change = p
		}
		replay := simt.NewHistory(again, nil)
		if err := errors.Join(replay.Expect(timeline), replay.Goto(end)); err != nil {
			t.Fatal(err)
		}
		if simttest.Digest(again) != last {
			t.Errorf("program %d: the timeline leads another machine elsewhere", number)
		}
		if err := h.Goto(at / 2); err != nil {
			t.Fatal(err)
		}
		for h.ForgetFuture(); !m.Done(); {
			advance(t, h, 20)
		}
		if changes := h.Timeline().Changes; len(changes) != 0 {
			t.Errorf("program %d: changes of a forgotten future %+v", number, changes)
		}
	}
}

// TestHistoryIsBounded: a history with little room begins later and later, and knows what it still knows.
func TestHistoryIsBounded(t *testing.T) {
	m := toyMachine(t, 0)
	h := simt.NewHistory(m, nil)
	const limit = 40000
	h.SetLimit(limit)
	states := map[uint64]string{}
	for n := 0; !m.Done(); n++ {
		if advance(t, h, 100); n%20 == 0 {
			states[h.Now()] = simttest.Digest(m)
		}
	}
	if h.Held() < limit/3 {
		t.Errorf("it holds %d bytes of %d", h.Held(), limit)
	}
	if h.Begin() == 0 || h.Held() > limit {
		t.Errorf("it begins at %d of %d and holds %d bytes", h.Begin(), h.End(), h.Held())
	}
	known := 0
	for at, want := range states {
		if at < h.Begin() {
			continue
		}
		known++
		if err := h.Goto(at); err != nil || simttest.Digest(m) != want {
			t.Errorf("another state at %d: %v", at, err)
		}
	}
	if known == 0 {
		t.Error("nothing of the past is known")
	}
}

// TestExpectChanges: a change in the midst of a turn is made when its time comes.
func TestExpectChanges(t *testing.T) {
	m := toyMachine(t, 1)
	h := simt.NewHistory(m, nil)
	const at, word = dataBase + 4*(items-1), 0x12345678 // the last work-item's, which does not run yet
	if err := h.Expect(simt.Timeline{Turns: []simt.Turn{{Wave: 0, Count: 10}},
		Changes: []simt.TimedChange{{At: 5, Change: put{m, at, word}}}}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		at   uint64
		want uint32
	}{{10, word}, {4, 0}, {5, word}, {0, 0}} {
		if err := h.Goto(c.at); err != nil {
			t.Fatal(err)
		}
		if got := binary.LittleEndian.Uint32(m.Mem.Find(at).Data[at-dataBase:]); got != c.want {
			t.Errorf("at %d: %#x, want %#x", c.at, got, c.want)
		}
	}
}

// TestHistoryBeforeFault: the time at which an instruction faults is that before it, wherever one
// goes there from, and if one is there.
func TestHistoryBeforeFault(t *testing.T) {
	m := toyMachine(t, 0)
	r := m.Mem.Find(dataBase)
	m.Mem.Unmap(r)
	if _, err := m.Mem.Map("data", dataBase, make([]byte, 4*items-4), r.Perm); err != nil {
		t.Fatal(err)
	}
	h := simt.NewHistory(m, nil)
	for before := ""; ; {
		before = simttest.Digest(m)
		ev, err := h.Advance(1)
		if err != nil || m.Done() {
			t.Fatalf("no fault: %v", err)
		}
		if ev.Kind != simt.FaultEvent {
			continue
		}
		at := h.Now()
		for _, to := range []uint64{at, at / 2, at, h.Begin(), at} {
			if err := h.Goto(to); err != nil || to == at && simttest.Digest(m) != before {
				t.Fatalf("going to %d of %d comes to something else (%v)", to, at, err)
			}
		}
		again, err := h.StepWave(ev.Wave, 1)
		if err != nil || again.Kind != simt.FaultEvent || again.PC != ev.PC {
			t.Errorf("tried again: %+v, %v", again, err)
		}
		return
	}
}

// TestExpectRefuses what no machine can have done.
func TestExpectRefuses(t *testing.T) {
	m := toyMachine(t, 1)
	for _, c := range []simt.Timeline{
		{Turns: []simt.Turn{{Wave: -1, Count: 1}}}, {Turns: []simt.Turn{{Wave: 0, Count: 0}}},
		{Turns: []simt.Turn{{Wave: 0, Count: 1, Next: -1}}}, {Turns: []simt.Turn{{Count: 1 << 63}}},
		{Turns: []simt.Turn{{Count: 2}}, Changes: []simt.TimedChange{{At: 3, Change: put{m, dataBase, 1}}}},
	} {
		if err := simt.NewHistory(m, nil).Expect(c); err == nil {
			t.Errorf("%+v is expected", c)
		}
	}
	h := simt.NewHistory(m, nil)
	if err := h.Expect(simt.Timeline{Turns: []simt.Turn{{Wave: 999, Count: 5}}}); err != nil {
		t.Fatal(err)
	}
	var diverged *simt.Diverged
	if err := h.Goto(5); !errors.As(err, &diverged) || diverged.Wave != 999 {
		t.Errorf("a wave that there is not has executed: %v", err)
	}
}

// TestHistoryStepsWaves: a wave that is stepped in the past takes the others along as they went; where the
// past ends it goes alone.
func TestHistoryStepsWaves(t *testing.T) {
	m := toyMachine(t, 3)
	h := simt.NewHistory(m, nil)
	for range 40 {
		advance(t, h, 7)
	}
	end, state := h.Now(), simttest.Digest(m)
	if err := h.Goto(end / 3); err != nil {
		t.Fatal(err)
	}
	for steps := 0; h.Replaying(); steps++ {
		w := m.Waves()[steps%len(m.Waves())]
		before := w.Insts
		if ev, err := h.StepWave(w, 1); err != nil ||
			ev.Wave == w && ev.Kind == simt.NoEvent && w.Insts > before+1 {
			t.Fatalf("%+v, %v: %d instructions", ev, err, w.Insts-before)
		}
		if steps > 10000 {
			t.Fatal("the past does not end")
		}
	}
	if simttest.Digest(m) != state {
		t.Error("it has led elsewhere")
	}
	w := m.Waves()[0]
	if w.State == simt.Ready {
		before := h.Now()
		if _, err := h.StepWave(w, 1); err != nil || h.Now() != before+1 {
			t.Errorf("%v, at %d after %d", err, h.Now(), before)
		}
	}
}

// A finder looks for the last store to an address, or the last arrival at a pc. It implements simt.Visitor.
type finder struct {
	m     *simt.Machine
	addr  uint64 // of a word that is stored; 0 for none
	pc    uint64 // that a wave is about to execute
	each  bool   // it looks at every instruction
	wrote bool
}

func (f *finder) Observe(a *simt.Access) bool {
	simt.Lanes(a.Lanes,
		func(l int) { f.wrote = f.wrote || a.Write && a.Space == simt.Global && a.Addr[l] == f.addr })
	return f.wrote
}
func (f *finder) Each(*simt.Wave) bool { return f.each }
func (f *finder) Before(w *simt.Wave) bool {
	f.wrote = false
	return f.addr == 0 && w.PC == f.pc
}
func (f *finder) After(*simt.Wave, simt.Event) (before, after bool) { return f.wrote, false }

// isNext reports whether what is looked for is what the machine does next: a store, or a wave at a breakpoint.
func (f *finder) isNext(h *simt.History) bool {
	f.wrote = false
	f.m.AddObserver(f)
	defer f.m.RemoveObserver(f)
	ev, err := h.Advance(1)
	if f.addr == 0 {
		return err == nil && ev.Kind == simt.BreakEvent && ev.PC == f.pc
	}
	return err == nil && f.wrote
}

// TestBack: what is found in the past is what a search finds that looks at each instruction.
func TestBack(t *testing.T) {
	for number := range uint64(toyPrograms) {
		r := rand.New(sweep.PCG(number, 43))
		code := randomToy(number)
		m := toyMachine(t, number)
		h := simt.NewHistory(m, nil)
		for !m.Done() {
			advance(t, h, 1+r.Uint64N(64))
		}
		for i := range 7 {
			f := finder{m: m, addr: dataBase + 4*r.Uint64N(items)}
			if r.IntN(2) == 0 {
				f.addr, f.pc = 0, codeBase+4*r.Uint64N(uint64(len(code)/4))
				m.SetBreakpoint(f.pc)
			}
			from := 1 + r.Uint64N(h.End())
			if i == 0 { // what comes first of all
				m.ClearBreakpoint(f.pc)
				f.addr, f.pc, from = 0, codeBase, 1
				m.SetBreakpoint(f.pc)
			}
			var found [2]string
			for i, each := range []bool{false, true} {
				if err := h.Goto(from); err != nil {
					t.Fatal(err)
				}
				f.each = each
				ok, err := h.Back(&f, nil)
				found[i] = fmt.Sprint(ok, err, h.Now(), simttest.Digest(m))
				if ok && !f.isNext(h) || !ok && f.pc == codeBase {
					t.Errorf("program %d: at %d nothing is that was looked for", number, h.Now())
				}
			}
			if found[0] != found[1] {
				t.Errorf("program %d: back from %d to %#x or pc %#x: %s, looking at each %s", number, from,
					f.addr, f.pc, found[0], found[1])
			}
			m.ClearBreakpoint(f.pc)
		}
		if ok, err := h.Back(&finder{m: m, addr: 4, each: true}, func() bool { return true }); ok ||
			err != nil &&
				!errors.Is(err, simt.ErrInterrupted) {
			t.Errorf("interrupted: %v, %v", ok, err)
		}
	}
}

// TestFarAsTurnByTurn: many turns at once come to the same state, and to the same past, as one after the
// other.
func TestFarAsTurnByTurn(t *testing.T) {
	tried, vain := 0, 0
	for number := range uint64(toyPrograms) {
		r := rand.New(sweep.PCG(number, 44))
		far, near := toyMachine(t, number), toyMachine(t, number)
		h, n := simt.NewHistory(far, nil), simt.NewHistory(near, nil)
		for !far.Done() {
			for range r.IntN(4) { // it goes far from any wave's turn on
				advance(t, h, 16)
			}
			ok, err := h.AdvanceFar(simt.Far{Turn: 16, Insts: 1 + r.Uint64N(4000), Workers: 1 + r.IntN(3)})
			if err != nil {
				t.Fatalf("program %d: %v", number, err)
			}
			// A worker that was much quicker than others may have begun more workgroups than the rest can
			// make up for.
			if tried++; !ok {
				vain++
				advance(t, h, 16)
			}
			for n.Now() < h.Now() {
				advance(t, n, 16)
			}
			if n.Now() != h.Now() || simttest.Living(far) != simttest.Living(near) {
				t.Fatalf("program %d: at %d and %d machines differ", number, h.Now(), n.Now())
			}
		}
		for range 8 {
			at := r.Uint64N(h.End() + 1)
			if err := errors.Join(h.Goto(at), n.Goto(at)); err != nil {
				t.Fatal(err)
			}
			if simttest.Living(far) != simttest.Living(near) {
				t.Errorf("program %d: the past differs at %d", number, at)
			}
		}
		ran := toyMachine(t, number)
		if ev, err := ran.Run(context.Background(), 2); err != nil || ev.Kind != simt.EndEvent {
			t.Fatalf("%+v, %v", ev, err)
		}
		if !slices.Equal(ran.Mem.Find(dataBase).Data, near.Mem.Find(dataBase).Data) && h.Now() == h.End() {
			t.Errorf("program %d: Run has other results", number)
		}
	}
	if vain > tried/10 {
		t.Errorf("%d of %d calls were in vain", vain, tried)
	}
}

// TestFarInVain: where something happens the machine is where it was.
func TestFarInVain(t *testing.T) {
	const number = 3
	code, m := randomToy(number), toyMachine(t, number)
	h := simt.NewHistory(m, nil)
	for range 9 {
		advance(t, h, 5)
	}
	state, at := simttest.Digest(m), h.Now()
	for name, happens := range map[string]func(){
		"a breakpoint": func() { m.SetBreakpoint(codeBase + uint64(len(code)) - 8) },
		"a fault":      func() { m.Mem.Find(codeBase).Data[len(code)-8] = 0xff; m.Invalidate() },
	} {
		happens()
		if ok, err := h.AdvanceFar(simt.Far{Turn: 16, Insts: 1 << 20, Workers: 2}); ok || err != nil {
			t.Errorf("%s: %v, %v", name, ok, err)
		}
		m.ClearBreakpoint(codeBase + uint64(len(code)) - 8)
		copy(m.Mem.Find(codeBase).Data, code)
		if m.Invalidate(); simttest.Digest(m) != state || h.Now() != at {
			t.Errorf("%s: the machine is elsewhere", name)
		}
	}
}

// TestFarBeforeBreakpoint: who has gone far has come to no breakpoint, not even by the last instruction of
// a turn of a wave.
func TestFarBeforeBreakpoint(t *testing.T) {
	far, vain := 0, 0
	for number := range uint64(toyPrograms) {
		r := rand.New(sweep.PCG(number, 45))
		m := toyMachine(t, number)
		m.SetBreakpoint(codeBase + simttest.ToySize*uint64(7+r.IntN(12)))
		for !m.Done() {
			ok, err := m.AdvanceFar(simt.Far{Turn: 1 + r.Uint64N(9), Insts: 1, Workers: 1 + r.IntN(3)})
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				vain++
				break
			}
			far++
			for _, w := range m.Waves() {
				if w.State == simt.Ready && m.HasBreakpoint(w.PC) {
					t.Fatalf("program %d: wave %d has come to a breakpoint", number, w.ID)
				}
			}
		}
	}
	if far < 10 || vain < 6 {
		t.Errorf("%d times far, %d in vain: too few to tell", far, vain)
	}
}

// TestSnapshots: a machine goes back to a snapshot as often as one likes, until it is released.
func TestSnapshots(t *testing.T) {
	m := toyMachine(t, 4)
	for range 20 {
		advance(t, m, 9)
	}
	first, state := m.Snapshot(), simttest.Digest(m)
	var second *simt.Snapshot
	var later string
	for range 3 {
		for range 15 {
			advance(t, m, 9)
		}
		if second == nil {
			second, later = m.Snapshot(), simttest.Digest(m)
		} else if got := simttest.Digest(m); got != later {
			t.Error("it went elsewhere")
		}
		if m.Restore(first); simttest.Digest(m) != state {
			t.Error("it is elsewhere than when the snapshot was made")
		}
	}
	if m.Restore(second); simttest.Digest(m) != later || m.Held() == 0 {
		t.Errorf("the second snapshot is elsewhere, or nothing is held: %d bytes", m.Held())
	}
	m.Release(first)
	m.Release(second)
	if held := m.Held(); held != 0 {
		t.Errorf("%d bytes are held for nobody", held)
	}
}
