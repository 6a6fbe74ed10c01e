package stub

import (
	"cmp"
	"context"
	"io"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/stub/symfile"
	"simtgdb/stub/threads"
	"simtgdb/testdata/sweep"
)

// everyInstruction is a backward that looks at each instruction of all waves.
type everyInstruction struct{ *backward }

func (everyInstruction) Each(*simt.Wave) bool { return true }

// stopPlaces are where a program can be stopped: at instructions, some of them behind barriers, and at words
// of all memories, those that are written.
type stopPlaces struct {
	s            *Session
	code, behind []uint64
	words        []rsp.Watchpoint
}

// Observe implements simt.Observer.
func (p *stopPlaces) Observe(a *simt.Access) bool {
	if !a.Write || a.Size < 4 {
		return false
	}
	lane := 0
	for a.Lanes>>lane&1 == 0 {
		lane++
	}
	w := rsp.Watchpoint{Kind: rsp.WatchWrite, Address: a.Addr[lane], Size: 4}
	switch kind := kindOf(a.Space); kind {
	case threads.ScratchWindow:
		w.Address = p.s.Window(kind, int(threads.Of(a.Wave, lane)), a.Addr[lane])
	case threads.LDSWindow:
		w.Address = p.s.Window(kind, a.Wave.Group.Index, a.Addr[lane])
	}
	if len(p.words) < 1000 && !slices.Contains(p.words, w) {
		p.words = append(p.words, w)
	}
	return false
}

// stopPlacesOf runs a program to see where it can be stopped.
func stopPlacesOf(t testing.TB, name string) *stopPlaces {
	t.Helper()
	p := &stopPlaces{s: reversibleSession(t, name)}
	p.s.machine.AddObserver(p)
	for n := uint64(1); !p.s.machine.Done(); n = n%7 + 1 {
		var waiting []*simt.Wave
		for _, w := range p.s.machine.Waves() {
			if w.State == simt.AtBarrier {
				waiting = append(waiting, w)
			}
		}
		ev, err := p.s.machine.Advance(n)
		if err != nil {
			t.Fatal(err)
		}
		if w := ev.Wave; w != nil && w.State != simt.Ended && !slices.Contains(p.code, w.PC) {
			p.code = append(p.code, w.PC)
		}
		for _, w := range waiting {
			if w.State == simt.Ready && !slices.Contains(p.behind, w.PC) {
				p.behind = append(p.behind, w.PC)
			}
		}
	}
	return p
}

// A stopMade is before which instruction of which wave a session has stopped, and when.
type stopMade struct {
	wave      int
	insts, at uint64
}

func (s *Session) stopMade(t *testing.T, stop rsp.Stop) stopMade {
	t.Helper()
	w, _, err := s.view.lane(stop.Thread)
	if err != nil {
		t.Fatal(err)
	}
	return stopMade{w.ID, w.Insts, s.past.Now()}
}

// TestReverseHits: going back from the end meets the breakpoints and watchpoints, in code and in all
// memories, that going forward has met, and each where a search that looks at every instruction finds it.
func TestReverseHits(t *testing.T) {
	for name := range reversible {
		t.Run(name, func(t *testing.T) {
			places := stopPlacesOf(t, name)
			rnd := rand.New(sweep.PCG(3, uint64(len(name))))
			s := reversibleSession(t, name)
			for range 3 {
				s.InsertSoftwareBreakpoint(rsp.Breakpoint{Address: places.code[rnd.IntN(len(places.code))]})
				if len(places.words) > 0 {
					s.InsertWatchpoint(places.words[rnd.IntN(len(places.words))])
				}
			}
			for _, pc := range places.behind {
				s.InsertSoftwareBreakpoint(rsp.Breakpoint{Address: pc})
			}
			var want []stopMade
			for len(want) < 30 {
				stop := resume(t, s, letAllRun)
				if stop.Kind != rsp.Stopped {
					break
				}
				if s.ThreadAlive(stop.Thread) {
					m := s.stopMade(t, stop)
					if stop.Cause == rsp.CauseWatch {
						m.insts-- // backwards it is before the instruction
						m.at--
					}
					want = append(want, m)
				}
			}
			if s.hits.offer != nil { // this is the present, not the past
				want = want[:len(want)-1]
			}
			if got := goBack(t, s); !slices.Equal(got, sortedStops(want)) {
				t.Errorf("backwards\n%v, forwards\n%v", got, sortedStops(want))
			}
		})
	}
}

// TestReverseUsersLane: going back past a hit of another wave, which gdb declines, the lane that the user
// looks at is the first to hear of its own wave's.
func TestReverseUsersLane(t *testing.T) {
	s := reversibleSession(t, "gcn demo")
	if err := s.InsertSoftwareBreakpoint(rsp.Breakpoint{Address: s.address(t, "_Z5weighii")}); err != nil {
		t.Fatal(err)
	}
	first := resume(t, s, letAllRun)
	w, _, err := s.view.lane(first.Thread)
	if err != nil || s.hits.offer.lanes == 0 {
		t.Fatalf("%+v: %v, want a hit in several lanes", first, err)
	}
	user := threads.Of(w, bits.Len64(s.hits.offer.lanes)-1)
	other := resume(t, s, letAllRun)
	if ow, _, err := s.view.lane(other.Thread); err != nil || ow == w {
		t.Fatalf("%+v: %v, want another wave than that of %+v", other, err, first)
	}
	resume(t, s, stepping(other.Thread)...)
	resume(t, s, stepping(user)...)
	back := func() rsp.Stop {
		stop, err := s.ResumeBackward(context.Background(), rsp.Resumption{Actions: []rsp.Action{letAllRun},
			Console: io.Discard})
		if err != nil {
			t.Fatal(err)
		}
		return stop
	}
	s.Threads()
	if stop := back(); stop.Cause != rsp.CauseSoftwareBreakpoint || stop.Thread != other.Thread {
		t.Fatalf("%+v, want the hit of thread %d", stop, other.Thread)
	}
	if stop := back(); stop.Cause != rsp.CauseSoftwareBreakpoint || stop.Thread != user {
		t.Errorf("%+v, want the hit of thread %d", stop, user)
	}
}

// TestReverseWatchOtherCall watches a parameter that is in a register, in two calls of a function from
// different places: going back finds it change in the call in which it is watched, though that is made anew,
// and not in the other.
func TestReverseWatchOtherCall(t *testing.T) {
	s := launched(t, "calls", "calls.gfx90a.O2")
	s.Remember(DefaultHistory)
	bounce := s.address(t, "_Z6bouncePfS_f")
	limit := slices.IndexFunc(s.symbols.Slots, func(v symfile.Slot) bool { return v.Name == "limit" })
	w := s.machine.Waves()[0]
	step := func() rsp.Stop { return resume(t, s, rsp.Action{Kind: rsp.Step, Thread: 1}) }
	// watch steps into a call from elsewhere than a site, and watches the parameter there.
	watch := func(site uint64) (p rsp.Watchpoint, from uint64) {
		t.Helper()
		for range 400 {
			step()
			c := w.Track.Innermost[0]
			if c == nil || c.Target != bounce || c.Site == site {
				continue
			}
			s.frames.Forget()
			at := s.frames.SlotAddress(&s.frames.Of(w, 0)[0], limit)
			p = rsp.Watchpoint{Kind: rsp.WatchWrite, Address: at, Size: 4}
			if err := s.InsertWatchpoint(p); err != nil {
				t.Fatal(err)
			}
			return p, c.Site
		}
		t.Fatalf("no call from elsewhere than %#x", site)
		return p, 0
	}
	p, site := watch(0)
	for n := 0; step().Cause != rsp.CauseWatch; n++ {
		if n > 100 {
			t.Fatal("the parameter does not change")
		}
	}
	changed := s.past.Now()
	step()
	stop := back(t, s, rsp.Continue, rsp.AllThreads)
	if now := s.past.Now(); stop.Cause != rsp.CauseWatch || now != changed-1 {
		t.Errorf("in the first call: %+v at time %d, want the change at %d", stop, now, changed-1)
	}
	s.RemoveWatchpoint(p)
	again, _ := watch(site)
	step()
	if stop := back(t, s, rsp.Continue, rsp.AllThreads); stop.Cause != rsp.CauseReplayBegin || again != p {
		t.Errorf("in the second call: %+v at time %d, of %+v", stop, s.past.Now(), again)
	}
}

// goBack goes back to the beginning, by a search that looks at each instruction too, and returns where it has
// stopped.
func goBack(t *testing.T, s *Session) []stopMade {
	t.Helper()
	var stops []stopMade
	for {
		if len(s.hits.besides) > 0 {
			stops = append(stops, s.stopMade(t, back(t, s, rsp.Continue, rsp.AllThreads)))
			continue
		}
		present := s.past.Now()
		found, at, by := s.searchEach(t)
		if err := s.past.Goto(present); err != nil {
			t.Fatal(err)
		}
		stop := back(t, s, rsp.Continue, rsp.AllThreads)
		if found != (stop.Cause != rsp.CauseReplayBegin) || s.past.Now() != at {
			t.Fatalf("from %d to %d: %+v; each instruction: %v, time %d", present, s.past.Now(), stop,
				found, at)
		}
		if !found {
			return sortedStops(stops)
		}
		m := s.stopMade(t, stop)
		if m.wave != by {
			t.Fatalf("at %d wave %d stops; each instruction: wave %d", at, m.wave, by)
		}
		stops = append(stops, m)
	}
}

// sortedStops are stops in the order of waves, each once: a breakpoint and what its instruction writes are
// one.
func sortedStops(stops []stopMade) []stopMade {
	slices.SortFunc(stops, func(a, b stopMade) int {
		return cmp.Or(cmp.Compare(a.wave, b.wave), cmp.Compare(a.insts, b.insts), cmp.Compare(a.at, b.at))
	})
	return slices.Compact(stops)
}

// searchEach is what a search finds that looks at each instruction.
func (s *Session) searchEach(t *testing.T) (found bool, at uint64, wave int) {
	t.Helper()
	b := &backward{motion: &s.motion, present: s.past.Now(), watched: make([][]byte, len(s.watches.all))}
	found, err := s.past.Back(everyInstruction{b}, nil)
	s.watches.touches = s.watches.touches[:0]
	if err != nil {
		t.Fatal(err)
	}
	if found {
		wave = b.stops[len(b.stops)-1].wave.ID
	}
	return found, s.past.Now(), wave
}
