package launch

import (
	"errors"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/simttest"
	"simtgdb/testdata/sweep"
)

// remembered is a launch that has begun, with its history.
func remembered(t *testing.T, name string) (*Program, *simt.History) {
	t.Helper()
	s, err := ReadSpec(File{Path: filepath.Join(kernels, "launch", name+".json")})
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Load()
	if err != nil {
		t.Fatal(err)
	}
	p.Machine.Track, p.Machine.Resident = true, 4
	if err := p.Machine.Fill(); err != nil {
		t.Fatal(err)
	}
	return p, simt.NewHistory(p.Machine, nil)
}

// TestHistory goes from random times to random times of a run, backwards and
// forwards, and finds the machine as it was, to the bit.
func TestHistory(t *testing.T) {
	for _, name := range []string{"atomics", "lds", "recursion", "private_array", "reduction",
		"function_table", "grid3d"} {
		t.Run(name, func(t *testing.T) {
			p, h := remembered(t, name)
			rnd := rand.New(sweep.PCG(5, uint64(len(name))))
			digests := map[uint64]string{h.Now(): simttest.Digest(p.Machine)}
			times := []uint64{h.Now()}
			for !p.Machine.Done() {
				if rnd.IntN(8) == 0 {
					digests[h.Now()] = simttest.Digest(p.Machine)
					times = append(times, h.Now())
				}
				var err error
				if ready := p.Machine.Waves(); rnd.IntN(3) == 0 {
					_, err = h.StepWave(ready[rnd.IntN(len(ready))], 1+rnd.Uint64N(5))
				} else {
					_, err = h.Advance(1 + rnd.Uint64N(200))
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			digests[h.Now()] = simttest.Digest(p.Machine)
			end := h.Now()
			for range sweep.Times(10, 20) {
				at := times[rnd.IntN(len(times))]
				if err := h.Goto(at); err != nil {
					t.Fatal(err)
				}
				if simttest.Digest(p.Machine) != digests[at] {
					t.Fatalf("time %d of %d is not what it was", at, end)
				}
			}
			for h.Replaying() { // forwards, as a debugger would go on
				if _, err := h.Advance(1 + rnd.Uint64N(100)); err != nil {
					t.Fatal(err)
				}
				if want, ok := digests[h.Now()]; ok && simttest.Digest(p.Machine) != want {
					t.Fatalf("going on comes to something else at %d", h.Now())
				}
			}
			if h.Now() != end || simttest.Digest(p.Machine) != digests[end] {
				t.Errorf("going on ends at %d, not as the run did at %d", h.Now(), end)
			}
			h.Release()
			if p.Machine.Observed() {
				t.Error("somebody observes although the history is released")
			}
		})
	}
}

// TestHistoryKeepsCode: who goes back and forth while there are breakpoints has no code decoded anew for it.
func TestHistoryKeepsCode(t *testing.T) {
	p, h := remembered(t, "lds")
	if _, err := h.Advance(300); err != nil {
		t.Fatal(err)
	}
	p.Machine.SetBreakpoint(p.Machine.Waves()[0].PC)
	before, now := p.Machine.Generation(), h.Now()
	for _, at := range []uint64{now / 2, now, now / 3} {
		if err := h.Goto(at); err != nil {
			t.Fatal(err)
		}
		if after := p.Machine.Generation(); after != before {
			t.Errorf("at %d code is of generation %d, not %d", at, after, before)
		}
	}
}

// TestHistoryTurns: a run that has gone back and come again to where it was goes on as if it had not: it is
// the same wave's turn.
func TestHistoryTurns(t *testing.T) {
	for _, name := range []string{"atomics", "reduction", "recursion"} {
		const turns = 40
		run := func(back bool) (digests []string) {
			p, h := remembered(t, name)
			for i := range 2 * turns {
				if i == turns+1 && back {
					if err := errors.Join(h.Goto(h.Begin()), h.Goto(h.End())); err != nil {
						t.Fatal(err)
					}
				}
				if _, err := h.Advance(7); err != nil {
					t.Fatal(err)
				}
				digests = append(digests, simttest.Digest(p.Machine))
			}
			return digests
		}
		straight, back := run(false), run(true)
		for i := range straight {
			if straight[i] != back[i] {
				t.Errorf("%s: turn %d is another after going back", name, i)
				break
			}
		}
	}
}

// TestHistoryHeld: the log and what was changed count for what a history holds.
func TestHistoryHeld(t *testing.T) {
	p, h := remembered(t, "reduction")
	besides := func() uint64 { return h.Held() - p.Machine.Held() }
	const turns, word = 200, 8
	before := besides()
	for range turns {
		if _, err := h.Advance(1); err != nil {
			t.Fatal(err)
		}
	}
	logged := besides()
	if logged < before+turns*3*word { // a turn is at least a time, a wave and a count
		t.Errorf("%d turns count for %d bytes", turns, logged-before)
	}
	h.Changed(write{data: make([]byte, 1000)})
	if n := besides() - logged; n < 1000 {
		t.Errorf("a change of 1000 bytes counts for %d", n)
	}
}

// wave looks for instructions of one wave.
type wave struct{ *simt.Wave }

func (v wave) Observe(*simt.Access) bool { return false }
func (v wave) Each(w *simt.Wave) bool    { return w == v.Wave }
func (v wave) Before(w *simt.Wave) bool  { return w == v.Wave }
func (v wave) After(*simt.Wave, simt.Event) (before, after bool) {
	return false, false
}

// write is a change of memory.
type write struct {
	mem  *simt.Memory
	at   uint64
	data []byte
}

func (w write) Size() int { return len(w.data) }
func (w write) Redo() error {
	_, err := w.mem.Write(w.at, w.data)
	return err
}

// TestHistoryBack finds every instruction of one wave, last to first.
func TestHistoryBack(t *testing.T) {
	p, h := remembered(t, "lds")
	w := p.Machine.Waves()[1]
	type step struct{ time, pc uint64 }
	var steps []step
	for len(steps) < 60 {
		before := step{h.Now(), w.PC}
		if _, err := h.StepWave(w, 1); err != nil {
			t.Fatal(err)
		}
		if h.Now() > before.time {
			steps = append(steps, before)
		}
		if _, err := h.Advance(3); err != nil {
			t.Fatal(err)
		}
	}
	end := h.Now()
	if err := h.Goto(steps[len(steps)-1].time + 1); err != nil {
		t.Fatal(err)
	}
	for i := len(steps) - 1; i >= 0; i-- {
		for {
			ok, err := h.Back(wave{w}, nil)
			if err != nil || !ok {
				t.Fatalf("step %d: %v %v", i, ok, err)
			}
			if h.Now() <= steps[i].time {
				break // others of the wave came with Advance
			}
		}
		if h.Now() != steps[i].time || w.PC != steps[i].pc {
			t.Fatalf("step %d: at %d, pc %#x; want %d, %#x", i, h.Now(), w.PC, steps[i].time, steps[i].pc)
		}
	}
	if ok, err := h.Back(wave{nil}, nil); ok || err != nil || h.Now() != h.Begin() {
		t.Errorf("before everything: %v %v, time %d", ok, err, h.Now())
	}
	// What changes from outside makes another future.
	if err := h.Goto(steps[10].time); err != nil {
		t.Fatal(err)
	}
	c := write{p.Memory, p.Buffers[0].Region.Base, []byte{1, 2, 3, 4}}
	if err := c.Redo(); err != nil {
		t.Fatal(err)
	}
	h.Changed(c)
	if h.End() != steps[10].time || h.Replaying() || end == h.End() {
		t.Errorf("the end is %d, want %d", h.End(), steps[10].time)
	}
	changed := simttest.Digest(p.Machine)
	for range 30 {
		if _, err := h.Advance(50); err != nil {
			t.Fatal(err)
		}
	}
	end, last := h.End(), simttest.Digest(p.Machine)
	if err := h.Goto(steps[10].time); err != nil || simttest.Digest(p.Machine) != changed {
		t.Errorf("the change is not remembered: %v", err)
	}
	if err := h.Goto(steps[5].time); err != nil {
		t.Fatal(err)
	}
	for h.Now() < end { // over the change, as a debugger goes on
		if _, err := h.Advance(7); err != nil {
			t.Fatal(err)
		}
	}
	if simttest.Digest(p.Machine) != last {
		t.Error("the change is not made again")
	}
	if err := h.Goto(h.End() + 1); err == nil {
		t.Error("the future was reached")
	}
}

// TestHistoryBounded: a history in little room gives up its beginning, and knows all times that it says it
// knows.
func TestHistoryBounded(t *testing.T) {
	for _, name := range []string{"matmul", "reduction", "recursion"} {
		t.Run(name, func(t *testing.T) {
			p, h := remembered(t, name)
			least := h.Held()
			limit := 3*least + 1<<16
			h.SetLimit(limit)
			rnd := rand.New(sweep.PCG(9, uint64(len(name))))
			digests := map[uint64]string{}
			for !p.Machine.Done() {
				if rnd.IntN(300) == 0 {
					digests[h.Now()] = simttest.Digest(p.Machine)
				}
				if _, err := h.Advance(1 + rnd.Uint64N(64)); err != nil {
					t.Fatal(err)
				}
				if rnd.IntN(100) == 0 && !p.Machine.Done() {
					if _, err := h.AdvanceFar(simt.Far{Turn: 64, Insts: 4000, Workers: 2}); err != nil {
						t.Fatal(err)
					}
				}
				// What has come since the last snapshot may exceed it: its pages, and the log.
				if h.Held() > 2*limit {
					t.Fatalf("at %d it holds %d bytes, %d are allowed and a snapshot has %d", h.Now(),
						h.Held(), limit, least)
				}
			}
			if name == "matmul" && h.Begin() == 0 {
				t.Errorf("%d instructions fit into %d bytes", h.Now(), limit)
			}
			// Who goes through the past loses none of it, and the room that is taken stays bounded.
			begin, end, known := h.Begin(), h.End(), 0
			if ok, err := h.Back(wave{nil}, nil); ok || err != nil || h.Now() != begin {
				t.Errorf("a search for nothing: %v %v, at %d", ok, err, h.Now())
			}
			if h.Held() > 2*limit {
				t.Errorf("after the search it holds %d bytes, %d are allowed", h.Held(), limit)
			}
			for at, want := range digests {
				err := h.Goto(at)
				switch {
				case at < h.Begin():
					if err == nil {
						t.Fatalf("went to %d, before the beginning %d", at, h.Begin())
					}
				case err != nil || simttest.Digest(p.Machine) != want:
					t.Fatalf("time %d is not what it was: %v", at, err)
				default:
					known++
				}
			}
			if h.Begin() != begin || h.End() != end {
				t.Errorf("the history was from %d to %d, and is from %d to %d",
					begin, end, h.Begin(), h.End())
			}
			h.Release()
			if h.Held() != 0 {
				t.Errorf("%d bytes are held after the end; %d times were compared", h.Held(), known)
			}
		})
	}
}

// TestHistoryInterrupted: a search that is given up ends where nothing is between it and the present.
func TestHistoryInterrupted(t *testing.T) {
	p, h := remembered(t, "matmul")
	for range 3000 {
		if _, err := h.Advance(64); err != nil {
			t.Fatal(err)
		}
	}
	present, asked := h.Now(), 0
	ok, err := h.Back(wave{nil}, func() bool { asked++; return asked > 40 })
	if ok || !errors.Is(err, simt.ErrInterrupted) || h.Now() >= present || h.Now() == h.Begin() {
		t.Errorf("%v %v: at %d of %d", ok, err, h.Now(), present)
	}
	if err := h.Goto(present); err != nil || p.Machine.Observed() != true {
		t.Error(err)
	}
}
