package check

import (
	"encoding/binary"
	"reflect"
	"strings"
	"testing"

	"simtgdb/simt"
)

// noISA is an instruction set that only says how wide its waves are: tests say themselves what
// waves do.
type noISA struct {
	simt.ISA
	size int
}

func (i noISA) WaveSize() int { return i.size }

// A world is a dispatch of two workgroups with two waves each, mostly of four lanes, and its checker.
type world struct {
	*Checker
	t      *testing.T
	m      *simt.Machine
	buffer *simt.Region
	waves  []*simt.Wave
	found  []*Report
	heard  bool // of a wave that a fence is told of something is known
}

func newWorld(t *testing.T) *world { return newWorldOf(t, 4) }

func newWorldOf(t *testing.T, size int) *world {
	mem := simt.NewMemory()
	r, err := mem.Alloc("buffer", 1024, simt.PermRead|simt.PermWrite)
	if err != nil {
		t.Fatal(err)
	}
	block := uint32(2 * size)
	m, err := simt.New(mem, noISA{size: size}, simt.Dispatch{Grid: [3]uint32{2 * block, 1, 1},
		Block: [3]uint32{block, 1, 1}, LDSSize: 1024})
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, m: m, buffer: r}
	for i := range 2 {
		g := &simt.Workgroup{Index: i, ID: [3]uint32{uint32(i)}, Size: [3]uint32{block, 1, 1},
			LDS: make([]byte, 1024)}
		for j := range 2 {
			all := uint64(1)<<size - 1
			wave := &simt.Wave{ID: 2*i + j, Index: j, Group: g, Size: size, Valid: all, Exec: all}
			wave.Regs = allActive{}
			g.Waves = append(g.Waves, wave)
			w.waves = append(w.waves, wave)
		}
	}
	w.Checker = New(m, All)
	w.Sink = func(r *Report) bool {
		w.found = append(w.found, r)
		return true
	}
	return w
}

// allActive are registers of a wave whose lanes all execute.
type allActive struct{ simt.WaveState }

func (allActive) Active(w *simt.Wave) uint64           { return w.Exec }
func (allActive) LanePC(w *simt.Wave, lane int) uint64 { return w.PC }

const (
	global = simt.Global
	lds    = simt.LDS
)

// access is an access by lane 0 of a wave to four bytes.
func (w *world) access(wave int, pc uint64, space simt.Space, at uint64, how string) *simt.Access {
	var addr [simt.MaxLanes]uint64
	addr[0] = at
	if space == global {
		addr[0] += w.buffer.Base
	}
	a := &simt.Access{Wave: w.waves[wave], PC: pc, Space: space, Size: 4, Lanes: 1, Addr: &addr}
	for _, word := range strings.Fields(how) {
		switch word {
		case "read":
			a.Read = true
		case "write":
			a.Write = true
		case "add":
			a.Read, a.Write, a.Atomic = true, true, true
		case "atomic":
			a.Atomic = true
		case "perhaps":
			a.Perhaps = true
		case "acquire":
			a.Order |= simt.Acquire
		case "release":
			a.Order |= simt.Release
		case "group":
			a.Scope = simt.GroupScope
		default:
			w.t.Fatalf("what is %q", word)
		}
	}
	return a
}

// kinds are the kinds of what was found.
func (w *world) kinds() string {
	var list []string
	for _, r := range w.found {
		list = append(list, r.Kind.String())
	}
	return strings.Join(list, " ")
}

// A step is what a wave does: an access, "fence ORDER… [group] [lds|global]", or "barrier" of its
// whole workgroup.
type step struct {
	wave  int
	space simt.Space
	at    uint64
	how   string
}

func (w *world) do(steps []step) {
	for i, s := range steps {
		switch first, rest, _ := strings.Cut(s.how, " "); first {
		case "barrier":
			w.Opened(simt.Meeting{Waves: w.waves[s.wave].Group.Waves})
		case "fence":
			f := simt.Fence{Spaces: simt.AllSpaces}
			for _, word := range strings.Fields(rest) {
				switch word {
				case "acquire":
					f.Order |= simt.Acquire
				case "release":
					f.Order |= simt.Release
				case "group":
					f.Scope = simt.GroupScope
				case "lds":
					f.Spaces = 1 << simt.LDS
				case "global":
					f.Spaces = 1 << simt.Global
				}
			}
			w.Fence(w.waves[s.wave], f)
		default:
			a := w.access(s.wave, uint64(0x100+i), s.space, s.at, s.how)
			if a.Atomic && !a.Write {
				a.Read = true
			}
			w.Observe(a)
		}
	}
}

// TestOrder holds what is found against the definition of a race: conflicting accesses, not both
// atomic, that are not ordered by happens-before (C++ [intro.races], with the scopes of OpenCL 2.0,
// section 3.3.6.2).
func TestOrder(t *testing.T) {
	const all = "fence acquire release"
	for _, test := range []struct {
		name  string
		steps []step
		want  string
	}{
		{"two writes", []step{{0, lds, 0, "write"}, {1, lds, 0, "write"}}, "race"},
		{"write, then read", []step{{0, lds, 0, "write"}, {1, lds, 0, "read"}}, "race"},
		{"read, then write", []step{{0, lds, 0, "read"}, {1, lds, 0, "write"}}, "race"},
		{"of one wave", []step{{0, lds, 0, "write"}, {0, lds, 0, "read"}, {0, lds, 0, "write"}}, ""},
		{"other places", []step{{0, lds, 0, "write"}, {1, lds, 4, "write"}}, ""},
		{"other workgroups' LDS", []step{{0, lds, 0, "write"}, {2, lds, 0, "write"}}, ""},
		{"two reads", []step{{0, global, 0, "read"}, {1, global, 0, "read"}}, ""},
		{"atomics", []step{{0, global, 0, "add"}, {2, global, 0, "add"}}, ""},
		{"an atomic and a plain read", []step{{0, global, 0, "add"}, {2, global, 0, "read"}}, "race"},
		{"a plain write and an atomic", []step{{0, global, 0, "write"}, {2, global, 0, "add"}}, "race"},
		{"what may be an atomic store", []step{{0, global, 0, "write perhaps"}, {2, global, 0, "add"}}, ""},
		{"what may be one, and a plain read", []step{{0, global, 0, "write perhaps"}, {2, global, 0, "read"}},
			"race"},

		{"barrier", []step{{0, lds, 0, "write"}, {0, lds, 0, all}, {1, lds, 0, all}, {0, lds, 0, "barrier"},
			{1, lds, 0, "read"}}, ""},
		{"barrier without a fence", []step{{0, lds, 0, "write"}, {0, lds, 0, "barrier"}, {1, lds, 0, "read"}},
			"race"},
		{"barrier for LDS only", []step{{0, global, 0, "write"}, {0, lds, 0, "write"}, {0, lds, 0, all + " lds"},
			{0, lds, 0, "barrier"}, {1, lds, 0, "read"}, {1, global, 0, "read"}}, "race"},
		{"after the fence", []step{{0, lds, 0, all}, {0, lds, 0, "write"}, {0, lds, 0, "barrier"},
			{1, lds, 0, "read"}}, "race"},
		{"barrier orders its own workgroup only", []step{{0, global, 0, "write"}, {0, lds, 0, all},
			{0, lds, 0, "barrier"}, {2, lds, 0, all}, {2, lds, 0, "barrier"}, {3, global, 0, "read"}}, "race"},

		{"message passing", []step{{0, global, 0, "write"}, {0, global, 4, "write atomic release"},
			{2, global, 4, "atomic acquire"}, {2, global, 0, "read"}}, ""},
		{"without release", []step{{0, global, 0, "write"}, {0, global, 4, "write atomic"},
			{2, global, 4, "atomic acquire"}, {2, global, 0, "read"}}, "race"},
		{"without acquire", []step{{0, global, 0, "write"}, {0, global, 4, "write atomic release"},
			{2, global, 4, "atomic"}, {2, global, 0, "read"}}, "race"},
		{"on another place", []step{{0, global, 0, "write"}, {0, global, 4, "write atomic release"},
			{2, global, 8, "atomic acquire"}, {2, global, 0, "read"}}, "race"},
		{"by fences", []step{{0, global, 0, "write"}, {0, global, 0, "fence release"},
			{0, global, 4, "write atomic"},
			{2, global, 4, "atomic"}, {2, global, 0, "fence acquire"}, {2, global, 0, "read"}}, ""},
		{"fence of the workgroup, to another", []step{{0, global, 0, "write"},
			{0, global, 0, "fence release group"},
			{0, global, 4, "write atomic"}, {2, global, 4, "atomic acquire"}, {2, global, 0, "read"}}, "race"},
		{"fence of the workgroup, in it", []step{{0, global, 0, "write"}, {0, global, 0, "fence release group"},
			{0, global, 4, "write atomic"}, {1, global, 4, "atomic acquire group"}, {1, global, 0, "read"}}, ""},
		{"acquire of the workgroup, from another", []step{{0, global, 0, "write"},
			{0, global, 4, "write atomic release"}, {2, global, 4, "atomic acquire group"}, {2, global, 0, "read"}},
			"race"},
		{"release sequence", []step{{0, global, 0, "write"}, {0, global, 4, "add release"}, {1, global, 4, "add"},
			{2, global, 4, "atomic acquire"}, {2, global, 0, "read"}}, ""},
		{"broken by a store", []step{{0, global, 0, "write"}, {0, global, 4, "add release"},
			{1, global, 4, "write atomic"}, {2, global, 4, "atomic acquire"}, {2, global, 0, "read"}}, "race"},
		{"in two steps", []step{{0, global, 0, "write"}, {0, global, 4, "add release"},
			{1, global, 4, "add acquire"},
			{1, global, 8, "add release"}, {2, global, 8, "add acquire"}, {2, global, 0, "read"}}, ""},
		{"what may be a release", []step{{0, global, 0, "write perhaps"}, {0, global, 0, "fence release"},
			{0, global, 4, "write perhaps"}, {2, global, 4, "atomic acquire"}, {2, global, 0, "read"}}, ""},
		{"what may be one without a fence", []step{{0, global, 0, "write perhaps"},
			{0, global, 4, "write perhaps"}, {2, global, 4, "atomic acquire"}, {2, global, 0, "read"}}, "race"},
		{"a lock given back by what may be a store", []step{{0, global, 0, "write perhaps"},
			{0, global, 0, "fence release"}, {0, global, 4, "write perhaps"}, {2, global, 4, "add acquire"},
			{2, global, 0, "write perhaps"}, {2, global, 0, "fence release"}, {2, global, 4, "write perhaps"}}, ""},
		{"a turn given on by what may be a store", []step{{0, global, 0, "write perhaps"},
			{0, global, 0, "fence release"}, {0, global, 4, "write perhaps"}, {2, global, 4, "atomic acquire"},
			{2, global, 0, "write perhaps"}, {2, global, 0, "fence release"}, {2, global, 4, "write perhaps"}}, ""},
		{"after a lock was given back", []step{{0, global, 0, "fence release"}, {0, global, 4, "write perhaps"},
			{0, global, 0, "write perhaps"}, {2, global, 4, "add acquire"}, {2, global, 0, "write perhaps"}}, "race"},
		{"a reader among several", []step{{0, global, 0, "read"}, {1, global, 0, "read"}, {2, global, 0, "read"},
			{2, global, 0, "write"}}, "race"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t)
			w.Look(Race)
			w.do(test.steps)
			if got := w.kinds(); got != test.want {
				t.Errorf("found %q, want %q", got, test.want)
			}
		})
	}
}

// TestParties: a report names both lanes.
func TestParties(t *testing.T) {
	w := newWorld(t)
	first, second := w.access(1, 0x10, lds, 8, "write"), w.access(0, 0x20, lds, 8, "read")
	first.Addr[2], first.Lanes = 8, 1<<2
	second.Addr[3], second.Lanes = 8, 1<<3
	w.Observe(first)
	w.Observe(second)
	if len(w.found) != 1 {
		t.Fatalf("found %q", w.kinds())
	}
	r := w.found[0]
	if r.Lane() != 3 || r.PC != 0x20 || r.Addr != 8 || r.Write ||
		r.Access() != "read of 4 bytes at 0x8 in LDS memory" {
		t.Errorf("the access is %+v", r)
	}
	want := Party{Wave: 1, Lane: 2, Item: [3]uint32{6, 0, 0}, PC: 0x10, Write: true}
	if len(r.Others) != 1 || !reflect.DeepEqual(r.Others[0], want) {
		t.Errorf("the other is %+v, want %+v", r.Others, want)
	}
	w.Observe(second)
	if len(w.found) != 1 {
		t.Error("the same is reported again")
	}
}

// TestBytes: neighbouring bytes of a word are places of their own.
func TestBytes(t *testing.T) {
	w := newWorld(t)
	for i, wave := range []int{0, 1, 0, 1} {
		a := w.access(wave, 0x10, lds, uint64(i), "write")
		a.Size = 1
		w.Observe(a)
	}
	if len(w.found) != 0 {
		t.Fatalf("bytes side by side: found %q", w.kinds())
	}
	w.Observe(w.access(1, 0x20, lds, 0, "write"))
	if w.kinds() != "race" {
		t.Errorf("the word over them: found %q", w.kinds())
	}
}

// TestSameValue: writes of one value to one place are not in conflict, in one instruction or in two
// waves.
func TestSameValue(t *testing.T) {
	for _, test := range []struct {
		values [2]uint32
		want   string
	}{{[2]uint32{7, 7}, ""}, {[2]uint32{7, 8}, "race"}} {
		data := func(lane int, p []byte) { binary.LittleEndian.PutUint32(p, test.values[lane&1]) }
		w := newWorld(t)
		a := w.access(0, 0x10, lds, 0, "write")
		a.Lanes, a.Data = 3, data
		w.Observe(a)
		if got := w.kinds(); got != test.want {
			t.Errorf("%v in one instruction: found %q, want %q", test.values, got, test.want)
		}
		w = newWorld(t)
		for wave := range 2 {
			a := w.access(wave, 0x10, global, 0, "write")
			a.Data = func(_ int, p []byte) { data(wave, p) }
			w.Observe(a)
			a.Data(0, w.buffer.Data)
		}
		if got := w.kinds(); got != test.want {
			t.Errorf("%v in two waves: found %q, want %q", test.values, got, test.want)
		}
	}
}

// TestUninit: what nothing has written, of memories that hold nothing at first.
func TestUninit(t *testing.T) {
	w := newWorld(t)
	w.Look(Uninit)
	w.Blank(w.buffer)
	expect := func(what, want string) {
		t.Helper()
		if got := w.kinds(); got != want {
			t.Errorf("%s: found %q, want %q", what, got, want)
		}
		w.found = nil
	}
	pc := uint64(0)
	touch := func(space simt.Space, at uint64, size int, how string) {
		pc++
		a := w.access(0, pc, space, at, how)
		a.Size = size
		w.Observe(a)
	}
	for _, space := range []simt.Space{global, lds, simt.Scratch} {
		name := space.String()
		touch(space, 0, 4, "read")
		expect(name+" before it is written", "uninit")
		touch(space, 6, 1, "write")
		touch(space, 6, 1, "read")
		touch(space, 4, 4, "read")
		touch(space, 0, 16, "read")
		expect(name+" of which a part is written", "")
		touch(space, 5, 1, "read")
		expect(name+" beside it", "uninit")
		touch(space, 32, 4, "add")
		expect(name+" added to", "uninit")
		touch(space, 32, 4, "read")
		expect(name+" after that", "")
	}
	a := w.access(0, 0x100, simt.Scratch, 0, "write")
	a.Lanes = 1
	w.Observe(a)
	b := w.access(0, 0x101, simt.Scratch, 0, "read")
	b.Lanes = 3
	w.Observe(b)
	if len(w.found) != 1 || w.found[0].Lanes != 2 {
		t.Errorf("another lane's scratch: found %q", w.kinds())
	}
}

// TestUninitBytes: machines that tell bytes apart hear which have nothing, and whether they may be padding.
func TestUninitBytes(t *testing.T) {
	w := newWorld(t)
	w.Look(Uninit)
	do := func(how string, at uint64, size int, bytes, spoilt uint64) *simt.Access {
		a := w.access(0, 0x40, lds, at, how)
		a.Size, a.Bytes, a.Spoilt = size, &[simt.MaxLanes]uint64{bytes}, spoilt
		w.Observe(a)
		return a
	}
	for _, c := range []struct {
		name          string
		write, wrote  uint64 // where, and which of four bytes it writes have nothing
		spoilt        uint64
		read          uint64 // where
		size          int
		bytes         uint64 // that have nothing, of those
		amid, reads   uint64 // lanes
		wantReports   int
		wantBlankLane bool
	}{
		{name: "all but the last", write: 0, wrote: 8, read: 0, size: 4, bytes: 8},
		{name: "across two words", write: 16, wrote: 8, read: 18, size: 4, bytes: 0xe},
		{name: "a byte amid", write: 32, wrote: 4, read: 34, size: 1, bytes: 1, amid: 1, wantBlankLane: true},
		{name: "a byte in the next word", write: 48, read: 53, size: 1, bytes: 1, amid: 1,
			wantBlankLane: true},
		{name: "a word behind", write: 64, read: 68, size: 4, bytes: 0xf, wantReports: 1},
		{name: "what was computed", write: 80, wrote: 4, spoilt: 1, read: 80, size: 4, bytes: 4, reads: 1},
		{name: "beside that", write: 96, wrote: 4, spoilt: 1, read: 99, size: 1},
		{name: "all of eight", write: 112, read: 112, size: 8, bytes: 0xf0},
	} {
		w.found = nil
		do("write", c.write, 4, c.wrote, c.spoilt)
		a := do("read", c.read, c.size, 0, 0)
		if a.Bytes[0] != c.bytes || a.Amid != c.amid || a.Spoilt != c.reads ||
			len(w.found) != c.wantReports || a.Blank != 0 != c.wantBlankLane {
			t.Errorf("%s: bytes %#x, amid %d, spoilt %d, blank %d, %d reports", c.name, a.Bytes[0], a.Amid,
				a.Spoilt, a.Blank, len(w.found))
		}
	}
}

// TestBarrier: who does not come.
func TestBarrier(t *testing.T) {
	arrive := func(w *world, wave int, pc, lanes uint64) {
		w.waves[wave].State = simt.AtBarrier
		w.Arrived(simt.Event{Kind: simt.BarrierEvent, Wave: w.waves[wave], PC: pc, Lanes: lanes})
	}
	w := newWorld(t)
	arrive(w, 0, 0x10, 0xf)
	arrive(w, 1, 0x10, 0xf)
	w.Opened(simt.Meeting{Waves: w.waves[:2]})
	if w.kinds() != "" {
		t.Errorf("all come: found %q", w.kinds())
	}
	arrive(w, 0, 0x10, 0x7)
	if w.kinds() != "barrier" || len(w.found[0].Others) != 1 || w.found[0].Others[0].Lane != 3 {
		t.Errorf("a lane is elsewhere: found %q", w.kinds())
	}
	w = newWorld(t)
	arrive(w, 0, 0x10, 0xf)
	arrive(w, 1, 0x20, 0xf)
	w.Opened(simt.Meeting{Waves: w.waves[:2]})
	if w.kinds() != "barrier" || w.found[0].Others[0].PC != 0x20 {
		t.Errorf("different barriers: found %q", w.kinds())
	}
	w = newWorld(t)
	w.waves[1].State = simt.Ended
	arrive(w, 0, 0x10, 0xf)
	w.Opened(simt.Meeting{Waves: w.waves[:1]})
	if w.kinds() != "barrier" || w.found[0].Others[0].Wave != 1 {
		t.Errorf("a wave has ended: found %q", w.kinds())
	}
}

// TestNumberedBarriers: barriers of a part of a workgroup order its part alone, who only comes to one learns
// nothing, and they are not those of others.
func TestNumberedBarriers(t *testing.T) {
	release := simt.Fence{Order: simt.Acquire | simt.Release, Scope: simt.GroupScope, Spaces: simt.AllSpaces}
	for _, test := range []struct {
		name        string
		write, read int // waves
		meet        func(w *world)
		want        string
	}{
		{"it came", 0, 1, func(w *world) {
			w.Came(w.waves[0], 2)
			w.Opened(simt.Meeting{Waves: w.waves[1:2], Barrier: 2, Part: true})
		}, ""},
		{"it waited", 1, 0, func(w *world) {
			w.Came(w.waves[0], 2)
			w.Opened(simt.Meeting{Waves: w.waves[1:2], Barrier: 2, Part: true})
		}, "race"},
		{"to another", 0, 1, func(w *world) {
			w.Came(w.waves[0], 3)
			w.Opened(simt.Meeting{Waves: w.waves[1:2], Barrier: 2, Part: true})
		}, "race"},
		{"the time before", 0, 1, func(w *world) {
			w.Came(w.waves[0], 2)
			w.Opened(simt.Meeting{Waves: w.waves[:1], Barrier: 2, Part: true})
			w.Opened(simt.Meeting{Waves: w.waves[1:2], Barrier: 2, Part: true})
		}, "race"},
		{"both wait", 0, 1, func(w *world) {
			w.Opened(simt.Meeting{Waves: w.waves[:2], Barrier: 2, Part: true})
		}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t)
			w.Look(Race)
			w.Observe(w.access(test.write, 0x10, lds, 0, "write"))
			for _, wave := range w.waves[:2] {
				w.Fence(wave, release)
			}
			saved := w.Snapshot()
			for range 2 {
				test.meet(w)
				w.Observe(w.access(test.read, 0x20, lds, 0, "read"))
				if got := w.kinds(); got != test.want {
					t.Errorf("found %q, want %q", got, test.want)
				}
				w.found = nil
				w.Restore(saved)
			}
		})
	}
	for _, test := range []struct {
		name string
		met  simt.Meeting
		want string
	}{{"of all", simt.Meeting{}, "barrier barrier"}, {"anywhere", simt.Meeting{Anywhere: true}, "barrier"},
		{"of a part", simt.Meeting{Anywhere: true, Part: true}, ""}} {
		w := newWorld(t)
		gone := *w.waves[1]
		gone.State = simt.Ended
		w.waves[0].Group.Waves = append(w.waves[0].Group.Waves, &gone)
		for i, wave := range w.waves[:2] {
			w.Arrived(simt.Event{Wave: wave, PC: uint64(0x10 + i), Lanes: 0xf, Barrier: 4})
		}
		test.met.Waves, test.met.Barrier = w.waves[:2], 4
		if w.Opened(test.met); w.kinds() != test.want {
			t.Errorf("%s: found %q, want %q", test.name, w.kinds(), test.want)
		}
	}
}

// TestGoingBack: restored, a checker knows what it knew, and says nothing twice.
func TestGoingBack(t *testing.T) {
	w := newWorld(t)
	w.Observe(w.access(0, 0x10, lds, 0, "write"))
	w.Observe(w.access(0, 0x11, lds, 1, "write")) // by bytes
	s := w.Snapshot()
	for range 3 {
		w.found, w.reported = nil, map[place]bool{}
		w.Observe(w.access(0, 0x12, lds, 32, "write"))
		w.Observe(w.access(1, 0x20, lds, 0, "write"))
		w.Observe(w.access(1, 0x21, lds, 32, "read"))
		if w.kinds() != "race race" {
			t.Fatalf("found %q", w.kinds())
		}
		w.Restore(s)
		w.Observe(w.access(1, 0x22, lds, 32, "read"))
		if w.kinds() != "race race uninit" {
			t.Fatalf("gone back: found %q", w.kinds())
		}
		w.Restore(s)
	}
	w.Quiet(true)
	w.found = nil
	w.Observe(w.access(1, 0x30, lds, 0, "write"))
	if w.Quiet(false); len(w.found) != 0 {
		t.Errorf("while quiet: found %q", w.kinds())
	}
}

// TestClocks compares trees with maps.
func TestClocks(t *testing.T) {
	const depth = 2
	var trees [4]*clocks
	var maps [4]map[int]uint32
	for i := range maps {
		maps[i] = map[int]uint32{}
	}
	next := uint32(1)
	random := func(n int) int {
		next = next*1664525 + 1013904223
		return int(next>>8) % n
	}
	for range 4000 {
		i, j := random(4), random(4)
		if random(3) > 0 {
			wave, v := random(1<<12), uint32(random(100))
			if v >= maps[i][wave] {
				trees[i] = trees[i].with(depth, wave, v)
				maps[i][wave] = v
			}
			continue
		}
		trees[i] = join(depth, trees[i], trees[j])
		for wave, v := range maps[j] {
			maps[i][wave] = max(maps[i][wave], v)
		}
		wave := random(1 << 12)
		if got, want := trees[i].at(depth, wave), maps[i][wave]; got != want {
			t.Fatalf("wave %d: %d, want %d", wave, got, want)
		}
	}
}

func TestKinds(t *testing.T) {
	for text, want := range map[string]string{"all": "all", "race,barrier": "race,barrier",
		"race-strict": "race-strict", "all,race-strict": "all,race-strict",
		"race-strict,barrier,-race-strict": "race,barrier", "leak,all": "all,leak",
		"race-strict,wait,-race": "wait",
		"all,-race":              "bounds,uninit,barrier,wait,undefined",
		"none":                   "none", "race,-all": "none"} {
		if k, err := ParseKinds(text); err != nil || k.String() != want {
			t.Errorf("%q: %v, %v; want %s", text, k, err, want)
		}
	}
	for _, text := range []string{"", "races", "race,,barrier"} {
		if _, err := ParseKinds(text); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}

// TestPartyPlaces: a lane that has ended is named by the work-item that it was, also in workgroups that are
// cut off or do not fill their waves.
func TestPartyPlaces(t *testing.T) {
	m, err := simt.New(simt.NewMemory(), noISA{size: 4}, simt.Dispatch{Grid: [3]uint32{23, 8, 3},
		Block: [3]uint32{7, 3, 1}})
	if err != nil {
		t.Fatal(err)
	}
	c, g := New(m, Race), &simt.Workgroup{Index: -1}
	for g.Index < 4*3*3-1 {
		m.PlaceGroupBehind(g)
		for i := range m.WavesOf(g) {
			var w simt.Wave
			m.Place(&w, g, i)
			simt.Lanes(w.Valid, func(l int) {
				if p := c.partyAt(w.ID, l, site{pc: 7}); p.Group != g.ID || p.Item != w.WorkItem(l) ||
					p.PC != 7 {
					t.Errorf("lane %d of wave %d is work-item %v of %v, want %v of %v", l, w.ID, p.Item,
						p.Group,
						w.WorkItem(l), g.ID)
				}
			})
		}
	}
}
