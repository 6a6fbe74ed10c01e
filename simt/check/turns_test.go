package check

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/testdata/sweep"
)

// TestTurnsAlike: the same is found whether turns of workgroups are foreseen or told of.
func TestTurnsAlike(t *testing.T) {
	found, foreseen := 0, 0
	for seed := range sweep.Seeds(100, 150, 300) {
		slow, _ := turnsOf(t, seed, false)
		quick, n := turnsOf(t, seed, true)
		if !slices.Equal(slow, quick) {
			t.Fatalf("seed %d, told\n%s\nforeseen\n%s", seed, strings.Join(slow, "\n"),
				strings.Join(quick, "\n"))
		}
		found, foreseen = found+len(slow), foreseen+n
	}
	if t.Logf("%d found, %d turns foreseen", found, foreseen); found < 1500 || foreseen < 1500 {
		t.Error("too few to tell")
	}
}

// TestForeseenReaders: who writes where waves have loaded in turns, of which each loads again what others did
// before, is told of the load of the last of them, also where that was foreseen. In each turn a wave loads a
// row by one instruction, and by another the row that it has loaded by the first the turn before; the second
// wave is a row further on. So the first wave's second instruction is the last at each row.
func TestForeseenReaders(t *testing.T) {
	const first, last, turns = 0x104, 0x108, 20
	for _, backwards := range []bool{false, true} {
		w := streamWorld(t, 4, 4)
		w.Look(Race)
		w.Attach()
		w.streamsInVain = mostVain
		loads := &simt.Loads{All: []simt.Load{{PC: first, Add: 64, Size: 4}, {PC: last, Size: 4}}}
		loads.Ready(1)
		fence := &simt.Fence{Order: simt.Release, Scope: simt.GroupScope, Spaces: simt.AllSpaces}
		g := turning{world: w, g: w.waves[0].Group, again: turns, backwards: backwards,
			turns: [][]streamed{{{loads: loads, step: 4, by: 64}, {fence: fence}}}}
		if n := g.run(rand.New(rand.NewPCG(1, 1)), true); n < turns/2 {
			t.Errorf("%d turns were foreseen", n)
		}
		for row := uint64(2); row < turns; row++ {
			w.tell(w.access(2, 0x900+4*row, global, 64*row, "write"))
		}
		if len(w.found) != turns-2 {
			t.Errorf("%d rows were found to be in conflict", len(w.found))
		}
		for _, one := range w.found {
			if o := one.Others[0]; o.Wave != 0 || o.PC != last {
				t.Errorf("at row %d wave %d is named, at %#x", (one.Addr-w.buffer.Base)/64, o.Wave, o.PC)
			}
		}
	}
}

// TestForeseenWhereKnown: turns are foreseen where waves have come to know of all that others read in the
// last ones, or of nothing. If they know of what was read the time before, but not the last time, they would
// come to know of what was foreseen in between, of which nobody is told.
func TestForeseenWhereKnown(t *testing.T) {
	const all, ofLDS = simt.AllSpaces, 1 << simt.LDS
	for _, test := range []struct {
		released [2]uint8 // at the end of each of two turns
		foreseen bool
	}{{[2]uint8{all, all}, true}, {[2]uint8{ofLDS, ofLDS}, true},
		{[2]uint8{all, ofLDS}, false}} {
		w := streamWorld(t, 4, 4)
		w.Look(Race)
		w.Attach()
		w.streamsInVain = mostVain
		g := turning{world: w, g: w.waves[0].Group}
		for i, spaces := range test.released {
			loads := &simt.Loads{All: []simt.Load{{PC: uint64(0x100 + 8*i), Size: 4}}}
			loads.Ready(1)
			fence := &simt.Fence{Order: simt.Release, Scope: simt.GroupScope, Spaces: spaces}
			g.turns = append(g.turns, []streamed{{loads: loads, step: 4, by: 64, at: uint64(256 * i)},
				{fence: fence}})
		}
		for i := range 8 {
			g.turn(i)
		}
		if n := g.ForeseeTurns(g.g, 2, 10); n > 0 != test.foreseen {
			t.Errorf("released %v: %d times are foreseen", test.released, n)
		}
	}
}

// A turning is a workgroup that does the same again after some turns.
type turning struct {
	*world
	g       *simt.Workgroup
	turns   [][]streamed
	again   int // how many times
	regular int // turns of which all was noted

	backwards bool // the last wave has its turn first
}

// turnsOf is what is found in workgroups whose waves meet, and how many of their turns have been foreseen.
func turnsOf(t *testing.T, seed uint64, foresee bool) (found []string, foreseen int) {
	r, chosen := rand.New(sweep.PCG(seed, 41)), rand.New(sweep.PCG(seed, 42))
	backwards := rand.New(sweep.PCG(seed, 43)).IntN(2) == 0
	w := streamWorld(t, 12, 24)
	w.Look(Race)
	w.Attach()
	w.streamsInVain = mostVain
	for i := 0; i < len(w.waves); i += 2 {
		for range 1 + r.IntN(2) {
			g := turning{world: w, g: w.waves[i].Group, again: 4 + r.IntN(12), backwards: backwards}
			for range 1 + r.IntN(3) {
				g.turns = append(g.turns, turnOf(r))
			}
			foreseen += g.run(chosen, foresee)
			for range r.IntN(3) {
				steps := g.turns[r.IntN(len(g.turns))]
				w.other(r, w.waves[i+r.IntN(2)], steps[r.IntN(len(steps))])()
			}
		}
		for _, wave := range w.waves[i : i+2] {
			wave.State = simt.Ended
			w.Ended(wave)
		}
	}
	w.Checker.Release(w.Snapshot())
	for _, one := range w.found {
		line := fmt.Sprintf("%#x %#x %v %v", one.PC, one.Lanes, one.Space, one.Addr-w.buffer.Base)
		for _, other := range one.Others {
			line += fmt.Sprintf(" %#x", other.PC)
		}
		found = append(found, line)
	}
	return found, foreseen
}

// turnOf is what waves do in a turn: it ends with a release, mostly of all.
func turnOf(r *rand.Rand) (all []streamed) {
	for i := range 1 + r.IntN(4) {
		s := stepOf(r, i+8*r.IntN(8), nil)
		if s.seen = false; s.loads != nil {
			s.single = false
		} else if s.fence == nil {
			s.inLDS, s.at, s.by = true, uint64(64*r.IntN(3)), 0
			s.loadsLDS = r.IntN(2) == 0
		}
		all = append(all, s)
	}
	f := simt.Fence{Order: simt.Release, Scope: simt.GroupScope, Spaces: simt.AllSpaces}
	if r.IntN(6) == 0 {
		f.Spaces = 1 << simt.LDS
	}
	return append(all, streamed{fence: &f})
}

// run has all turns, and says how many have been foreseen.
func (g *turning) run(chosen *rand.Rand, foresee bool) (foreseen int) {
	n := len(g.turns)
	for i := 0; i < g.again*n; i++ {
		if most := (g.again*n - i) / n; foresee && g.regular > 2*n && most > 0 {
			if granted := g.ForeseeTurns(g.g, n, most); granted > 0 {
				times := chosen.IntN(granted)
				g.ForeseenTurns(times)
				foreseen += times * n
				i += times * n
				for range n - 1 {
					g.turn(i)
					i++
				}
			}
		}
		g.turn(i)
	}
	return foreseen
}

// turn has one, by its number.
func (g *turning) turn(i int) {
	refused := len(g.found)
	waves := slices.Clone(g.g.Waves)
	if g.backwards {
		slices.Reverse(waves)
	}
	for _, wave := range waves {
		for _, s := range g.turns[i%len(g.turns)] {
			if s.inLDS {
				if !g.shared(wave, &s) {
					refused = -1
				}
				continue
			}
			off := s.at + s.by*uint64(i/len(g.turns)) + 64*uint64(wave.Index)
			if off %= uint64(len(g.buffer.Data)) - 1024; s.step > 1<<quietPage {
				off %= 1 << quietPage
			}
			before := g.unheard.rows.len() + g.skipped
			g.streamed(wave, &s, off)
			if s.loads != nil && (g.unheard.rows.len()+g.skipped == before || g.wraps(&s, i)) {
				refused = -1
			}
		}
	}
	g.Opened(simt.Meeting{Waves: g.g.Waves})
	if g.regular++; refused != len(g.found) {
		g.regular = 0
	}
}

// wraps reports whether the place of a step begins anew at a time, or has just done so.
func (g *turning) wraps(s *streamed, i int) bool {
	room := uint64(len(g.buffer.Data)) - 1024
	if s.step > 1<<quietPage {
		room = 1 << quietPage
	}
	times := uint64(i/len(g.turns)) + 1
	return s.at+s.by*times+64 >= room
}

// shared accesses LDS, and reports whether that was noted.
func (g *turning) shared(wave *simt.Wave, s *streamed) bool {
	var addr [simt.MaxLanes]uint64
	for l := range addr {
		addr[l] = s.at + 64*uint64(wave.Index) + 4*uint64(l)
	}
	a := &simt.Access{Wave: wave, PC: s.pc, Space: simt.LDS, Read: s.loadsLDS, Write: !s.loadsLDS, Size: 4,
		Lanes: wave.Valid, Addr: &addr}
	if g.m.Note(a) {
		return true
	}
	g.Observe(a)
	return false
}
