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

// TestStreamsAlike: the same is found whether what waves in a row do alike is kept as a stream, of some of
// which nobody tells, or is looked at as it comes.
func TestStreamsAlike(t *testing.T) {
	found, kept, foreseen := 0, 0, 0
	for seed := range sweep.Seeds(250, 350, 700) {
		f, n, k := streamsAlike(t, func() *rand.Rand { return rand.New(sweep.PCG(seed, 11)) })
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
		found, kept, foreseen = found+f, kept+n, foreseen+k
	}
	if found < 250 || kept < 2500 || foreseen < 500 {
		t.Errorf("%d defects were found, %d waves were kept, %d foreseen", found, kept, foreseen)
	}
}

// streamsAlike is how much is found in waves, which is to be the same in both ways, and how many have been
// kept as streams, or foreseen.
func streamsAlike(t *testing.T, random func() *rand.Rand) (found, kept, foreseen int) {
	slow, _, _ := streamOf(t, random(), false)
	quick, kept, foreseen := streamOf(t, random(), true)
	if !slices.Equal(slow, quick) {
		t.Errorf("as it comes\n%s\nas streams\n%s", strings.Join(slow, "\n"), strings.Join(quick, "\n"))
	}
	return len(slow), kept, foreseen
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

// A streamed is what each wave does in a row: loads, a store, or a fence.
type streamed struct {
	loads    *simt.Loads
	fence    *simt.Fence
	single   bool // loads are told of one by one
	seen     bool // it is observed, not noted
	inLDS    bool // a store there,
	loadsLDS bool // or a load
	pc       uint64
	at       uint64
	step     uint64 // from one lane to the next
	by       uint64 // from one wave to the next
}

// streamOf is what is found in waves that mostly do the same, one after the other, and how many have been
// kept as streams.
func streamOf(t *testing.T, r *rand.Rand, quick bool) (found []string, kept, foreseen int) {
	const waves, pages = 48, 40
	w := streamWorld(t, waves, pages)
	w.Look([]Kinds{Race, All}[r.IntN(2)])
	w.Attach()
	if !quick {
		w.streamsInVain = mostVain
	}
	w.heard = !quick
	var all []streamed
	for i := range 1 + r.IntN(5) {
		all = append(all, stepOf(r, i, all))
	}
	odd := []int{4, 20, 1000}[r.IntN(3)] // of how many waves one does something else, too
	jumps := uint64(0)
	done := make([]streamedWave, waves)
	for i, wave := range w.waves {
		if r.IntN(20) == 0 {
			jumps = uint64(r.IntN(5)) << (6 * (1 + r.IntN(2)))
		}
		done[i] = w.plan(r, wave, all, odd, jumps)
	}
	for i := 0; i < waves; {
		if n := alikeFrom(done[:i], done[i:]); quick && n > 0 { // more may be asked for, and fewer done
			granted := w.Foresee(i, n+i%3)
			m := min(granted, n-i%2)
			if granted > 0 {
				w.Foreseen(m)
			}
			if m > 0 {
				i, foreseen = i+m, foreseen+m
				continue
			}
		}
		done[i].do()
		i++
		for _, run := range w.stream.runs {
			kept += run.count
		}
	}
	w.Checker.Release(w.Snapshot())
	for _, one := range w.found {
		found = append(found, fmt.Sprintf("%#x %#x %v %v", one.PC, one.Lanes, one.Addr-w.buffer.Base,
			one.Others))
	}
	return found, kept, foreseen
}

// A streamedWave is what a wave does, and where its steps are; it is regular if it does those alone, and all.
type streamedWave struct {
	do      func()
	regular bool
	at      []uint64
}

// plan is what a wave does: steps, further on by some bytes than they are, but for one of odd.
func (w *world) plan(r *rand.Rand, wave *simt.Wave, steps []streamed, odd int, jumps uint64) streamedWave {
	p := streamedWave{do: func() {}, regular: true}
	add := func(do func()) {
		before := p.do
		p.do = func() { before(); do() }
	}
	state := &simt.BulkState{}
	if wave.Regs = state; r.IntN(odd) == 0 {
		state.Calls, p.regular = []uint64{0x40}, false
	}
	if r.IntN(odd) == 0 {
		p.regular = false
		return p
	}
	for _, s := range steps {
		if r.IntN(odd) == 0 {
			add(w.other(r, wave, steps[r.IntN(len(steps))]))
			p.regular = false
		}
		if r.IntN(odd) == 0 {
			p.regular = false
			continue
		}
		off := s.at + s.by*uint64(wave.ID) + jumps
		if s.step > 1<<quietPage {
			off %= 1 << quietPage
		}
		off %= uint64(len(w.buffer.Data)) - 1024
		p.at = append(p.at, off)
		add(func() { w.streamed(wave, &s, off) })
	}
	if r.IntN(odd) != 0 {
		add(func() {
			wave.State = simt.Ended
			w.Ended(wave)
		})
	} else {
		p.regular = false
	}
	return p
}

// alikeFrom is how many waves do as the last two before them did, each as much further on.
func alikeFrom(before, from []streamedWave) int {
	if len(before) < 2 {
		return 0
	}
	for n := range from {
		last := append(slices.Clone(before[len(before)-2:]), from[n])
		for _, one := range last {
			if !one.regular {
				return n
			}
		}
		for k, at := range last[2].at {
			if at-last[1].at[k] != last[1].at[k]-last[0].at[k] {
				return n
			}
		}
		before = append(slices.Clone(before), from[n])
	}
	return len(from)
}

// stepOf is a step behind others.
func stepOf(r *rand.Rand, i int, before []streamed) streamed {
	s := streamed{pc: uint64(0x100 + 0x40*i), at: uint64(r.IntN(6))<<quietPage + 64*uint64(r.IntN(4)),
		step: 4, by: []uint64{64, 64, 128, 0, 4096, 3 << quietPage}[r.IntN(6)], seen: r.IntN(3) == 0}
	switch r.IntN(6) {
	case 0:
		s.fence = &simt.Fence{Order: simt.Order(r.IntN(4)), Scope: simt.Scope(r.IntN(3)),
			Spaces: uint8(r.IntN(simt.AllSpaces + 1))}
	case 1, 2:
		s.loads, s.step = &simt.Loads{}, []uint64{0, 4, 4, 8, 2<<quietPage + 4}[r.IntN(5)]
		for k := range 1 + r.IntN(3) {
			s.loads.All = append(s.loads.All, simt.Load{PC: s.pc + 4*uint64(k), Add: int64(4 * r.IntN(9)),
				Size: 4 << r.IntN(2)})
		}
		s.loads.Ready(1)
		s.single = r.IntN(2) == 0
	case 3: // beside what one before stores
		if n := len(before); n > 0 {
			last := &before[n-1]
			s.by = []uint64{last.by, 128, 128}[r.IntN(3)]
			last.by = []uint64{last.by, s.by, s.by}[r.IntN(3)]
			s.at = last.at + 64*uint64(r.IntN(3)) - 64
		}
	}
	return s
}

// tell tells of an access as a core does.
func (w *world) tell(a *simt.Access) {
	if !w.m.Note(a) {
		w.Observe(a)
	}
}

// tellFence tells of a fence, of a wave that something is known of where it is to be.
func (w *world) tellFence(wave *simt.Wave, f simt.Fence) {
	if w.heard {
		w.wave(wave)
	}
	w.Fence(wave, f)
}

// streamed does one step of a wave, from an offset on.
func (w *world) streamed(wave *simt.Wave, s *streamed, off uint64) {
	if s.fence != nil {
		w.tellFence(wave, *s.fence)
		return
	}
	tell := w.tell
	if s.seen {
		tell = func(a *simt.Access) { w.Observe(a) }
	}
	var addr [simt.MaxLanes]uint64
	for l := range addr {
		addr[l] = w.buffer.Base + off + s.step*uint64(l)
	}
	if s.loads == nil {
		tell(&simt.Access{Wave: wave, PC: s.pc, Space: global, Write: true, Size: 4, Lanes: wave.Valid,
			Addr: &addr})
		return
	}
	if !s.single && w.m.NoteLoads(wave, s.loads, simt.Pieces(nil, 0, addr[:], wave.Valid)) {
		return
	}
	for _, o := range s.loads.All {
		at := addr
		for l := range at {
			at[l] += uint64(o.Add)
		}
		tell(&simt.Access{Wave: wave, PC: o.PC, Space: global, Read: true, Size: o.Size, Lanes: wave.Valid,
			Addr: &at})
	}
}

// other is something that is no part of a stream.
func (w *world) other(r *rand.Rand, wave *simt.Wave, s streamed) func() {
	how := []string{"read", "write", "add release", "atomic read acquire", "atomic write", "write"}[r.IntN(6)]
	off := uint64(4 * r.IntN(len(w.buffer.Data)/4))
	if r.IntN(4) > 0 { // where others have been, or will be
		off = (s.at + s.by*uint64(max(wave.ID+r.IntN(9)-4, 0))) % (uint64(len(w.buffer.Data)) - 1024)
	}
	if r.IntN(8) == 0 {
		return func() {
			w.tellFence(wave, simt.Fence{Order: simt.Acquire | simt.Release, Spaces: simt.AllSpaces,
				Scope: simt.DeviceScope})
		}
	}
	a := w.access(wave.ID, 0x900+uint64(4*r.IntN(8)), global, off, how)
	a.Scope = simt.DeviceScope
	return func() { w.tell(a) }
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

// TestStreamKept: waves whose steps are fences, single loads and several stores to a page are kept as a
// stream.
func TestStreamKept(t *testing.T) {
	const page = 1 << quietPage
	w := streamWorld(t, 8, 40)
	w.Attach()
	l := &simt.Loads{All: []simt.Load{{PC: 0x100, Size: 4}}}
	l.Ready(1)
	for i, wave := range w.waves {
		at := 128 * uint64(i)
		for _, s := range []streamed{
			{fence: &simt.Fence{Order: simt.Release, Spaces: simt.AllSpaces}},
			{loads: l, step: 4, at: at, single: true},
			{loads: l, step: 4, at: at, single: true, seen: true},
			{fence: &simt.Fence{Order: simt.Acquire | simt.Release, Spaces: simt.AllSpaces}},
			{fence: &simt.Fence{Order: simt.Acquire, Spaces: simt.AllSpaces}},
			{pc: 0x200, step: 4, at: page + at},
			{pc: 0x204, step: 4, at: page + at + 64, seen: true},
		} {
			w.streamed(wave, &s, s.at)
		}
		w.Ended(wave)
	}
	if runs := w.stream.runs; len(runs) != 1 || runs[0].count != 8 || len(w.found) > 0 {
		t.Errorf("runs %v, found %v", runs, w.found)
	}
}

// TestStreamFences: what a wave does is ordered by its own fence, whatever those of waves before it were.
func TestStreamFences(t *testing.T) {
	const page = 1 << quietPage
	all := simt.Fence{Order: simt.Acquire | simt.Release, Spaces: simt.AllSpaces}
	local, acquire := all, all
	local.Spaces, acquire.Order = 1<<simt.LDS, simt.Acquire
	for _, c := range []struct {
		name   string
		fences []simt.Fence // of waves that store and end, then of one that raises a flag
		heard  bool         // the last is known from before
		orders bool
	}{
		{name: "a fence of the first", fences: []simt.Fence{all}, orders: true},
		{name: "as those before", fences: []simt.Fence{all, all, all}, orders: true},
		{name: "unlike those before", fences: []simt.Fence{all, all, local}},
		{name: "more than those before", fences: []simt.Fence{local, local, all}, orders: true},
		{name: "of LDS", fences: []simt.Fence{local}},
		{name: "one that acquires", fences: []simt.Fence{acquire, acquire}},
		{name: "of one that is known", fences: []simt.Fence{all}, heard: true, orders: true},
	} {
		w := streamWorld(t, 8, 40)
		w.Attach()
		store := streamed{pc: 0x200, step: 4}
		for i, f := range c.fences {
			if c.heard {
				w.wave(w.waves[i])
			}
			w.streamed(w.waves[i], &store, 64*uint64(i))
			w.Fence(w.waves[i], f)
			if i < len(c.fences)-1 {
				w.Ended(w.waves[i])
			}
		}
		last := len(c.fences) - 1
		for i, how := range []string{"atomic write", "atomic read acquire", "read"} {
			at := []uint64{8 * page, 8 * page, 64 * uint64(last)}[i]
			a := w.access([]int{last, 7, 7}[i], 0x900+uint64(4*i), global, at, how)
			a.Scope = simt.DeviceScope
			w.tell(a)
		}
		if found := len(w.found) > 0; found == c.orders {
			t.Errorf("%s: found %v", c.name, w.found)
		}
	}
}

// TestForeseenFarther: where waves in a row load far from each other, who writes to what one that was
// foreseen has loaded is in a race with it, whichever of them it is.
func TestForeseenFarther(t *testing.T) {
	const by, told, waves = 3 << quietPage, 5, 11
	for victim := range waves {
		w := streamWorld(t, 14, 40)
		w.Look(Race)
		w.Attach()
		loads := &simt.Loads{All: []simt.Load{{PC: 0x100, Add: 16, Size: 4}}}
		loads.Ready(1)
		foreseen := 0
		for i := 0; i < waves; i++ {
			if i == told {
				if n := w.Foresee(i, waves-i); n > 0 {
					w.Foreseen(n)
					foreseen, i = n, i+n-1
					continue
				}
			}
			wave := w.waves[i]
			row := make([]uint64, wave.Size)
			for l := range row {
				row[l] = w.buffer.Base + uint64(i)*by + 4*uint64(l)
			}
			if !w.NotedLoads(wave, loads, simt.Pieces(nil, 0, row, wave.Valid)) {
				t.Fatalf("loads of wave %d are not noted", i)
			}
			wave.State = simt.Ended
			w.Ended(wave)
		}
		if foreseen != waves-told {
			t.Fatalf("%d waves are foreseen", foreseen)
		}
		w.Observe(w.access(13, 0x200, global, uint64(victim)*by+16, "write"))
		w.Observe(w.access(13, 0x204, global, uint64(victim)*by+16+4*16,
			"write")) // behind what it has loaded
		if len(w.found) != 1 || w.found[0].PC != 0x200 || w.found[0].Others[0].PC != 0x100 ||
			w.found[0].Others[0].Wave != victim {
			t.Errorf("a write to what wave %d has loaded: %q", victim, w.kinds())
		}
	}
}
