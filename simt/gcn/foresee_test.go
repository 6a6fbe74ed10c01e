package gcn

import (
	"bytes"
	"fmt"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/native"
	"simtgdb/simt/vec"
)

// A seer is told what waves do, and works out itself what those do that it foresees: it keeps all of it.
type seer struct {
	listener
	by       map[int]*seenWave
	asked    int
	foreseen int
}

// A seenWave is what a wave has done, in its order.
type seenWave struct {
	all    []seen
	fences map[simt.Order]uint8 // since the last access, and in how many places others were
	places int
}

// A seen is an access of a lane, fences, or the end.
type seen struct {
	pc                            uint64
	space                         simt.Space
	write, perhaps, near, inOrder bool
	size, lane, places            int
	fences                        string
	at                            uint64
}

func (s *seer) wave(id int) *seenWave {
	if s.by[id] == nil {
		s.by[id] = &seenWave{fences: map[simt.Order]uint8{}}
	}
	return s.by[id]
}

func (*seer) Steady(*simt.Wave) bool { return false }

func (s *seer) Fence(w *simt.Wave, f simt.Fence) { s.wave(w.ID).fences[f.Order] |= f.Spaces }

// place counts where fences were: of two that nothing lies between the machine may tell as of one.
func (w *seenWave) place() int {
	if len(w.fences) > 0 {
		w.places++
		w.all = append(w.all, seen{places: w.places, fences: fmt.Sprint(w.fences)})
		clear(w.fences)
	}
	return w.places
}

func (s *seer) Ended(w *simt.Wave) {
	of := s.wave(w.ID)
	of.all = append(of.all, seen{places: of.place(), fences: "end"})
}

func (s *seer) Observe(a *simt.Access) bool {
	of := s.wave(a.Wave.ID)
	behind := of.place()
	simt.Lanes(a.Lanes, func(lane int) {
		at := a.Addr[lane]
		if !a.Write { // of lanes that read the same one is told of
			lane = 0
		}
		of.all = append(of.all, seen{a.PC, a.Space, a.Write, a.Perhaps, a.Near, a.InOrder, a.Size, lane,
			behind, "", at})
	})
	return false
}

func (s *seer) Noted(a *simt.Access) bool { return s.will(a.PC) && !s.Observe(a) }

func (s *seer) NotedStride(a *simt.Access, at uint64, step uint32) bool {
	return s.Noted(placed(a, at, step))
}

func (s *seer) NotedLoads(w *simt.Wave, of *simt.Loads, pieces []simt.Piece) bool {
	if !s.will(of.All[0].PC) {
		return false
	}
	oneByOne(w, of, pieces, func(a *simt.Access) { s.Observe(a) })
	return true
}

func (s *seer) Foresee(id, n int) int {
	s.asked = id
	one, two := s.by[id-2], s.by[id-1]
	if one == nil || two == nil || len(one.all) != len(two.all) {
		return 0
	}
	for i, was := range one.all {
		if was.at = two.all[i].at; was != two.all[i] {
			return 0
		}
	}
	return min(n, 1+id%40)
}

func (s *seer) Foreseen(n int) {
	for id := s.asked; id < s.asked+n; id++ {
		one, two, of := s.by[id-2], s.by[id-1], s.wave(id)
		for i, last := range two.all {
			last.at += last.at - one.all[i].at
			of.all = append(of.all, last)
		}
	}
	s.foreseen += n
}

// TestForeseen: of waves in bulk observers are told what they are told of waves that are made, or work it out
// themselves where code says that they can; and the waves do the same.
func TestForeseen(t *testing.T) {
	was, panics := vec.Current(), simt.LetPanic
	simt.LetPanic = true
	defer func() {
		vec.Use(was)
		simt.LetPanic = panics
	}()
	foreseen, bulk := 0, bulkCounts{}
	for i, machine := range bulkMachines {
		for seed := range uint64(8) {
			paths := vec.Paths() // the last are AVX2 and AVX-512 where there are both
			vec.Use(paths[len(paths)-1-int(seed)%min(2, len(paths))])
			p := newBulkProgram(machine, uint64(i)<<8+seed+400, seed%3 == 0, nobodyMeets)
			if seed < 6 {
				p.scratch, p.block[0] = 0, []uint32{64, 256, 256}[p.block[0]%3] // waves at even distances
				p.grid[0] = 40 * p.block[0]
			}
			foreseen += p.seeAlike(t, machine, []uint64{0, 0, 0, 1 << (seed * 5 % 64)}[seed%4], &bulk)
		}
	}
	if native.Available() && foreseen < 60 {
		t.Errorf("%d waves were foreseen, of %d in bulk: too few to tell", foreseen, bulk.bulk.Load())
	}
}

// seeAlike runs a program interpreted and in bulk, with observers who want to know of some accesses when they
// happen. It says how many waves have been foreseen.
func (p *bulkProgram) seeAlike(t *testing.T, machine string, refuses uint64, n *bulkCounts) int {
	t.Helper()
	var seers [2]*seer
	for k := range seers {
		seers[k] = &seer{by: map[int]*seenWave{}}
		seers[k].refuses = refuses
	}
	ends, stats, data := p.bothWays(t, machine, n, []simt.Observer{seers[0], seers[1]})
	what := fmt.Sprintf("%s, %v in %v\n%s", machine, p.grid, p.block,
		(&stream{code: p.code}).text(newHarness(t, machine).isa))
	if stats[0] != stats[1] || ends[0].Kind != ends[1].Kind || !bytes.Equal(data[0], data[1]) {
		t.Fatalf("%v %v, in bulk %v %v, the same memory: %v: %s", ends[0].Kind, stats[0], ends[1].Kind,
			stats[1], bytes.Equal(data[0], data[1]), what)
	}
	for id, of := range seers[0].by {
		want, got := of.set(), seers[1].wave(id).set()
		for one := range want {
			if !got[one] {
				t.Fatalf("of wave %d nothing is told of %+v: %s", id, one, what)
			}
		}
		if ends[0].Kind == simt.EndEvent && len(want) != len(got) { // loads behind a fault may be told of
			t.Fatalf("%d are told of wave %d, not %d: %s", len(got), id, len(want), what)
		}
	}
	return seers[1].foreseen
}

// set is what a wave has done, in any order.
func (w *seenWave) set() map[seen]bool {
	all := map[seen]bool{}
	for _, one := range w.all {
		all[one] = true
	}
	return all
}
