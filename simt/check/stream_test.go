package check

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"simtgdb/simt"
)

// TestStreamsAlike: the same is found whether what waves in a row do alike is kept as a stream or is looked
// at as it comes.
func TestStreamsAlike(t *testing.T) {
	found, kept := 0, 0
	for seed := range uint64(700) {
		slow, _ := streamOf(t, seed, false)
		quick, n := streamOf(t, seed, true)
		if !slices.Equal(slow, quick) {
			t.Fatalf("seed %d: as it comes\n%s\nas streams\n%s", seed, strings.Join(slow, "\n"),
				strings.Join(quick, "\n"))
		}
		found, kept = found+len(slow), kept+n
	}
	if found < 500 || kept < 5000 {
		t.Errorf("%d defects were found, %d waves were kept", found, kept)
	}
}

// streamWorld is one of so many waves, two in a workgroup, and memory of so many pages.
func streamWorld(t *testing.T, waves, pages int) *world {
	const size = 16
	mem := simt.NewMemory()
	r, err := mem.Alloc("buffer", uint64(pages)<<quietPage, simt.PermRead|simt.PermWrite)
	if err != nil {
		t.Fatal(err)
	}
	m, err := simt.New(mem, noISA{size: size}, simt.Dispatch{Grid: [3]uint32{uint32(waves) * size, 1, 1},
		Block: [3]uint32{2 * size, 1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, m: m, buffer: r}
	for i := range waves {
		g := &simt.Workgroup{Index: i / 2, ID: [3]uint32{uint32(i / 2)}, Size: [3]uint32{2 * size, 1, 1}}
		if i%2 == 1 {
			g = w.waves[i-1].Group
		}
		wave := &simt.Wave{ID: i, Index: i % 2, Group: g, Size: size, Valid: 1<<size - 1, Exec: 1<<size - 1,
			Regs: allActive{}}
		g.Waves, w.waves = append(g.Waves, wave), append(w.waves, wave)
	}
	w.Checker = New(m, All)
	w.Sink = func(r *Report) bool {
		w.found = append(w.found, r)
		return true
	}
	return w
}

// A streamed is what each wave does in a row: loads, or a store.
type streamed struct {
	loads *simt.Loads
	pc    uint64
	at    uint64
	step  uint64 // from one lane to the next
	by    uint64 // from one wave to the next
}

// streamOf is what is found in waves that mostly do the same, one after the other, and how many have been
// kept as streams.
func streamOf(t *testing.T, seed uint64, quick bool) (found []string, kept int) {
	r := rand.New(rand.NewPCG(seed, 11))
	const waves, pages = 48, 40
	w := streamWorld(t, waves, pages)
	w.Look([]Kinds{Race, All}[r.IntN(2)])
	w.Attach()
	if !quick {
		w.streamsInVain = mostVain
	}
	var all []streamed
	for i := range 1 + r.IntN(4) {
		s := streamed{pc: uint64(0x100 + 0x40*i), at: uint64(r.IntN(6))<<quietPage + 64*uint64(r.IntN(4)),
			step: 4, by: []uint64{64, 64, 128, 0, 4096, 3 << quietPage}[r.IntN(6)]}
		if r.IntN(2) == 0 {
			s.loads, s.step = &simt.Loads{}, []uint64{0, 4, 4, 8, 2<<quietPage + 4}[r.IntN(5)]
			for k := range 1 + r.IntN(3) {
				s.loads.All = append(s.loads.All, simt.Load{PC: s.pc + 4*uint64(k), Add: int64(4 * r.IntN(9)),
					Size: 4 << r.IntN(2)})
			}
			s.loads.Ready(1)
		}
		all = append(all, s)
	}
	odd := []int{4, 20, 1000}[r.IntN(3)] // of how many waves one does something else, too
	jumps := uint64(0)
	for i, wave := range w.waves {
		if r.IntN(20) == 0 {
			jumps = uint64(r.IntN(5)) << (6 * (1 + r.IntN(2)))
		}
		state := &simt.BulkState{}
		if wave.Regs = state; r.IntN(odd) == 0 {
			state.Calls = []uint64{0x40}
		}
		if r.IntN(odd) == 0 {
			continue
		}
		for _, s := range all {
			if r.IntN(odd) == 0 {
				w.other(r, wave, all[r.IntN(len(all))], i)
			}
			if r.IntN(odd) != 0 {
				off := s.at + s.by*uint64(i) + jumps
				if s.step > 1<<quietPage {
					off %= 1 << quietPage
				}
				w.streamed(wave, &s, off)
			}
		}
		if r.IntN(odd) != 0 {
			wave.State = simt.Ended
			w.Ended(wave)
		}
		for _, run := range w.stream.runs {
			kept += run.count
		}
	}
	w.Checker.Release(w.Snapshot())
	for _, one := range w.found {
		found = append(found, fmt.Sprintf("%#x %#x %v %v", one.PC, one.Lanes, one.Addr-w.buffer.Base,
			one.Others))
	}
	return found, kept
}

// tell tells of an access as a core does.
func (w *world) tell(a *simt.Access) {
	if !w.m.Note(a) {
		w.Observe(a)
	}
}

// streamed does one step of a wave, from an offset on.
func (w *world) streamed(wave *simt.Wave, s *streamed, off uint64) {
	off %= uint64(len(w.buffer.Data)) - 1024
	var addr [simt.MaxLanes]uint64
	for l := range addr {
		addr[l] = w.buffer.Base + off + s.step*uint64(l)
	}
	if s.loads == nil {
		w.tell(&simt.Access{Wave: wave, PC: s.pc, Space: global, Write: true, Size: 4, Lanes: wave.Valid,
			Addr: &addr})
		return
	}
	if w.m.NoteLoads(wave, s.loads, simt.Pieces(nil, 0, addr[:], wave.Valid)) {
		return
	}
	for _, o := range s.loads.All {
		at := addr
		for l := range at {
			at[l] += uint64(o.Add)
		}
		w.tell(&simt.Access{Wave: wave, PC: o.PC, Space: global, Read: true, Size: o.Size, Lanes: wave.Valid,
			Addr: &at})
	}
}

// other does something that is no part of a stream.
func (w *world) other(r *rand.Rand, wave *simt.Wave, s streamed, number int) {
	how := []string{"read", "write", "add release", "atomic read acquire", "atomic write", "write"}[r.IntN(6)]
	off := uint64(4 * r.IntN(len(w.buffer.Data)/4))
	if r.IntN(4) > 0 { // where others have been, or will be
		off = (s.at + s.by*uint64(max(number+r.IntN(9)-4, 0))) % (uint64(len(w.buffer.Data)) - 1024)
	}
	if r.IntN(8) == 0 {
		w.Fence(wave, simt.Fence{Order: simt.Acquire | simt.Release, Spaces: simt.AllSpaces,
			Scope: simt.DeviceScope})
		return
	}
	a := w.access(wave.ID, 0x900+uint64(4*r.IntN(8)), global, off, how)
	a.Scope = simt.DeviceScope
	w.tell(a)
}

// TestStreamPlaces: waves that load where one has stored before are found, however the pages lie that waves
// of the stream before them loaded from, and each by its number.
func TestStreamPlaces(t *testing.T) {
	const page = 1 << quietPage
	for _, c := range []struct {
		name  string
		step  uint64
		loads []uint64 // of waves
	}{
		{"lanes between lanes", 2 * page, []uint64{0, 4 * page, page}},
		{"behind a gap", 4, []uint64{0, 3 * page, page}},
	} {
		w := streamWorld(t, len(c.loads)+1, 40)
		w.Attach()
		l := &simt.Loads{All: []simt.Load{{PC: 0x100, Size: 4}}}
		l.Ready(1)
		load := streamed{loads: l, step: c.step}
		store := streamed{pc: 0x200, step: 4}
		for i, at := range c.loads {
			w.streamed(w.waves[i], &load, at)
			w.streamed(w.waves[i], &store, page+64*uint64(i))
			w.Ended(w.waves[i])
		}
		if len(w.found) == 0 {
			t.Errorf("%s: nothing was found", c.name)
		}
	}
	w := streamWorld(t, 8, 40)
	w.Attach()
	store := streamed{pc: 0x200, step: 4}
	for i, number := range []int{0, 2, 3} {
		w.streamed(w.waves[number], &store, 64*uint64(i))
		w.Ended(w.waves[number])
	}
	w.tell(w.access(7, 0x300, global, 64, "read"))
	if len(w.found) != 1 || w.found[0].Others[0].Wave != 2 {
		t.Errorf("found %v, of wave 2 something is to be", w.found)
	}
}
