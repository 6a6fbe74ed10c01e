package check

import (
	"fmt"
	"strings"
	"testing"

	"simtgdb/simt"
)

// TestBounds: an access is outside of what it is meant for by a byte before or behind, in another space, or
// where a load of a byte says so itself; what is not known to be meant for anything is not looked at.
func TestBounds(t *testing.T) {
	for _, c := range []struct {
		name   string
		space  simt.Space
		at     uint64 // in the buffer, whose object has the bytes from 16 up to 32, or in LDS
		size   int
		meant  bool
		base   bool // computed from the buffer's address, and at is one of all memory
		how    string
		what   string
		advice string
	}{
		{"the first bytes", global, 16, 4, true, false, "read", "", ""},
		{"the last bytes", global, 28, 4, true, false, "write", "", ""},
		{"one byte before", global, 15, 4, true, false, "read",
			`an address computed from "o" leads outside of it`,
			`"o" is at [`},
		{"one byte behind", global, 29, 4, true, false, "read",
			`an address computed from "o" leads outside of it`,
			`, 16 bytes.`},
		{"just behind", global, 32, 4, true, false, "write",
			`an address computed from "o" leads outside of it`, ""},
		{"far behind", global, 200, 4, true, false, "write",
			`an address computed from "o" leads outside of it`, ""},
		{"another space", lds, 20, 4, true, false, "write",
			`an address computed from "o" leads outside of it`, ""},
		{"meant for nothing", global, 200, 4, false, false, "write", "", ""},
		{"in the buffer", global, 1020, 4, false, true, "write", "", ""},
		{"behind it", global, 1021, 4, false, true, "write",
			"an address computed from buffer leads outside of it",
			"buffer is at ["},
		{"in LDS", lds, 2000, 4, false, true, "write", "", ""},
		{"what says so itself", global, 40, 1, false, false, "read", "says so", ""},
		{"more bytes there", global, 40, 4, false, false, "read", "", ""},
		{"a store there", global, 40, 1, false, false, "write", "", ""},
		{"beside it", global, 41, 1, false, false, "read", "", ""},
	} {
		w := newWorld(t)
		w.Look(Bounds)
		w.Told = map[uint64]string{w.buffer.Base + 40: "says so"}
		a := w.access(1, 0x10, c.space, c.at, c.how)
		good := w.buffer.Base + 16
		if c.space == lds {
			good = 16
		}
		if a.Size = c.size; c.meant {
			a.Meant = &simt.Object{Name: "o", Space: global, Lo: w.buffer.Base + 16, Hi: w.buffer.Base + 32}
		}
		if c.base {
			a.Base = w.buffer.Base + 5
		}
		a.Addr[2], a.Addr[0], a.Lanes = a.Addr[0], good, 5
		lanes := uint64(4)
		if c.meant && c.space == lds { // there no lane is where it is meant to be
			lanes = 5
		}
		w.Observe(a)
		w.Observe(a) // once more, which is no news
		switch {
		case c.what == "" && len(w.found) > 0:
			t.Errorf("%s: %s", c.name, w.found[0].What)
		case c.what == "":
		case len(w.found) != 1 || w.found[0].Kind != Bounds || w.found[0].What != c.what ||
			w.found[0].Lanes != lanes ||
			!strings.Contains(w.found[0].Advice, c.advice):
			t.Errorf("%s: %+v", c.name, w.found)
		}
	}
}

// TestCopies: what a copy writes nobody touches until it has been waited for, what it reads nobody writes; of
// lanes' own copies the last groups may go on; for an event one waits or all of the workgroup.
func TestCopies(t *testing.T) {
	strip := func(space simt.Space, at uint64) []simt.Strip {
		return []simt.Strip{{Space: space, At: at, Size: 4, Stride: 16, Count: 2}}
	}
	type act func(w *world)
	begins := func(wave int, lanes, event uint64) act {
		return func(w *world) {
			w.Begun(&simt.Copy{Wave: w.waves[wave], Lanes: lanes, PC: 0x30, Event: event, To: strip(lds, 64),
				From: strip(global, w.buffer.Base+64)})
		}
	}
	commits := func(lanes uint64) act { return func(w *world) { w.Committed(w.waves[0], lanes) } }
	waits := func(wave int, lanes uint64, groups int) act {
		return func(w *world) { w.Waited(w.waves[wave], lanes, groups) }
	}
	waitsFor := func(wave int, event uint64, wide bool) act {
		return func(w *world) { w.WaitedFor(w.waves[wave], event, wide) }
	}
	ends := func(waves ...int) act {
		return func(w *world) {
			for _, i := range waves {
				w.waves[i].State = simt.Ended
				w.Ended(w.waves[i])
			}
		}
	}
	for _, c := range []struct {
		name  string
		acts  []act
		wave  int
		space simt.Space
		at    uint64
		how   string
		race  bool
	}{
		{"reads what it writes", []act{begins(0, 1, 0)}, 1, lds, 80, "read", true},
		{"reads between", []act{begins(0, 1, 0)}, 1, lds, 72, "read", false},
		{"reads what it reads", []act{begins(0, 1, 0)}, 1, global, 64, "read", false},
		{"writes what it reads", []act{begins(0, 1, 0)}, 1, global, 80, "write", true},
		{"the wave itself", []act{begins(0, 1, 0)}, 0, lds, 64, "read", true},
		{"another workgroup", []act{begins(0, 1, 0)}, 2, lds, 64, "read", false},
		{"waited for", []act{begins(0, 1, 0), waits(0, 1, simt.AllGroups)}, 0, lds, 64, "read", false},
		{"by another lane", []act{begins(0, 1, 0), waits(0, 2, simt.AllGroups)}, 0, lds, 64, "read", true},
		{"by another wave", []act{begins(0, 1, 0), waits(1, 1, simt.AllGroups)}, 0, lds, 64, "read", true},
		{"for another kind", []act{begins(0, 1, 7), waits(0, 1, simt.AllGroups)}, 0, lds, 64, "read", true},
		{"not committed", []act{begins(0, 1, 0), waits(0, 1, 0)}, 0, lds, 64, "read", true},
		{"committed", []act{begins(0, 1, 0), commits(1), waits(0, 1, 0)}, 0, lds, 64, "read", false},
		{"by another lane", []act{begins(0, 1, 0), commits(2), waits(0, 1, 0)}, 0, lds, 64, "read", true},
		{"the last group may go on", []act{begins(0, 1, 0), commits(1), waits(0, 1, 1)}, 0, lds, 64, "read",
			true},
		{"the last but one", []act{begins(0, 1, 0), commits(1), commits(1), waits(0, 1, 1)}, 0, lds, 64,
			"read",
			false},
		{"in the second group", []act{commits(1), begins(0, 1, 0), commits(1), waits(0, 1, 1)}, 0, lds, 64,
			"read",
			true},
		{"an event", []act{begins(0, 1, 7), waitsFor(0, 7, false)}, 1, lds, 64, "read", false},
		{"another event", []act{begins(0, 1, 7), waitsFor(0, 8, false)}, 1, lds, 64, "read", true},
		{"of another wave", []act{begins(0, 1, 7), waitsFor(1, 7, false)}, 1, lds, 64, "read", true},
		{"one of all", []act{begins(0, 1, 7), waitsFor(0, 7, true)}, 1, lds, 64, "read", true},
		{"all", []act{begins(0, 1, 7), waitsFor(0, 7, true), waitsFor(1, 7, true)}, 1, lds, 64, "read",
			false},
		{"all that are left", []act{begins(0, 1, 7), ends(0), waitsFor(1, 7, true)}, 1, lds, 64, "read",
			false},
	} {
		w := newWorld(t)
		w.Look(Race)
		for _, act := range c.acts {
			act(w)
		}
		kept := w.copies.clone()
		w.Observe(w.access(c.wave, 0x50, c.space, c.at, c.how))
		if got := w.kinds() == "race"; got != c.race || len(w.found) > 1 {
			t.Errorf("%s: found %q", c.name, w.kinds())
		} else if got && (w.found[0].Others[0].PC != 0x30 || w.found[0].Others[0].Wave != 0 ||
			w.found[0].Others[0].Write != (c.space == lds)) {
			t.Errorf("%s: %+v", c.name, w.found[0].Others)
		}
		w.Observe(w.access(0, 0x60, lds, 900, "read"))
		if ends(0, 1)(w); len(w.copies.of) > 0 || len(w.copies.committed) > 0 || len(kept.of) == 0 && c.race {
			t.Errorf("%s: copies of a workgroup that has ended are kept", c.name)
		}
	}
	w := newWorld(t)
	w.Look(Barrier)
	if begins(0, 1, 0)(w); len(w.copies.of) > 0 {
		t.Error("copies are kept although nobody looks for races")
	}
}

// TestJoined: waves of a workgroup that come to one copy have the same operands, each time.
func TestJoined(t *testing.T) {
	of := func(w *world, wave int, event, at uint64) *simt.Copy {
		return &simt.Copy{Wave: w.waves[wave], PC: 0x30, Event: event, To: []simt.Strip{{At: at}},
			From: []simt.Strip{{At: 2 * at}}}
	}
	w := newWorld(t)
	for _, c := range []struct {
		wave      int
		event, at uint64
		other     int
		differs   bool
	}{
		{0, 1, 8, 0, false}, {1, 1, 8, 0, false}, {1, 1, 8, 1, false}, {0, 2, 8, 1, true}, {0, 1, 8, 0,
			false},
		{1, 1, 12, 0, true}, {2, 5, 12, 0, false}, {3, 5, 12, 0, false}, {0, 3, 8, 0, false}, {0, 4, 8, 0,
			false},
		{1, 3, 8, 0, false}, {1, 4, 8, 0, false},
	} {
		if other, differs := w.Joined(of(w, c.wave, c.event, c.at)); other != c.other ||
			differs != c.differs {
			t.Errorf("%+v: differs %v from wave %d", c, differs, other)
		}
	}
	if len(w.copies.joint) != 0 {
		t.Errorf("%d copies are kept to which all have come", len(w.copies.joint))
	}
	w.Look(Race)
	if _, differs := w.Joined(of(w, 0, 1, 8)); differs || len(w.copies.joint) > 0 {
		t.Error("it is looked at although nobody looks for what is undefined")
	}
}

// TestWants: who looks for something wants to know of the accesses that have to do with it.
func TestWants(t *testing.T) {
	scratch := simt.Scratch
	everywhere, nowhere := simt.Everywhere(), simt.Extent{}
	for _, c := range []struct {
		kinds    Kinds
		blank    bool // there is a region of which nothing has been written
		space    simt.Space
		wants    bool
		anywhere simt.Extent // wherever accesses lead; the region's bytes if it ends with 1
	}{
		{0, true, global, false, nowhere}, {Barrier, true, lds, false, nowhere}, {Bounds, false, global,
			true, nowhere},
		{Bounds, false, scratch, true, nowhere}, {Race, false, global, true, everywhere},
		{Race, false, lds, true, everywhere}, {Race, false, scratch, false, nowhere},
		{Uninit, false, global, false, nowhere}, {Uninit, true, global, true, simt.Extent{Hi: 1}},
		{Uninit, false, lds, true, everywhere}, {Uninit, false, scratch, true, everywhere},
		{Race | Uninit, true, global, true, everywhere}, {Bounds | Uninit, true, global, true,
			simt.Extent{Hi: 1}},
	} {
		w := newWorld(t)
		if w.Look(c.kinds); c.blank {
			w.Blank(w.buffer)
		}
		want := c.anywhere
		if want.Hi == 1 {
			want = simt.Extent{Lo: w.buffer.Base, Hi: w.buffer.End()}
		}
		if got := w.Wants(w.waves[0], c.space, false); got != c.wants {
			t.Errorf("%v wants %v: %v", c.kinds, c.space, got)
		}
		if got := w.Anywhere(w.waves[0], c.space, true); got != want {
			t.Errorf("%v wants %v anywhere: %+v, want %+v", c.kinds, c.space, got, want)
		}
		constant := &simt.Region{Perm: simt.PermRead}
		if !w.Minds(w.buffer, false) || w.Minds(constant, false) || !w.Minds(constant, true) {
			t.Errorf("%v minds what nobody can write", c.kinds)
		}
		if w.buffer.Perm = simt.PermRead; w.Minds(w.buffer, false) != (c.blank && c.kinds&Uninit != 0) {
			t.Errorf("%v minds what holds nothing: %v", c.kinds, w.Minds(w.buffer, false))
		}
		if w.SparesGiven(nil) != (c.kinds&Bounds == 0) || w.Aims(1, false) {
			t.Errorf("%v spares what is given: %v", c.kinds, w.SparesGiven(nil))
		}
		w.Objects = toyObjects{}
		if w.Aims(1, false) != (c.kinds&Bounds != 0) || w.Aims(2, false) {
			t.Errorf("%v aims", c.kinds)
		}
		f := w.Follows()
		if f.Values != (c.kinds&Uninit != 0) || f.Objects != (c.kinds&Bounds != 0) || f.Waits ||
			f.Undefined || f.NaN {
			t.Errorf("%v follows %+v", c.kinds, f)
		}
	}
}

// TestReported: a defect is told of once; not one that is not looked for or is ignored; of the past those who
// want to know of it are told.
func TestReported(t *testing.T) {
	w := newWorld(t)
	w.Look(Race | Wait)
	at := func(pc uint64, kind Kinds) *Report {
		return &Report{Kind: kind, Wave: w.waves[0], Lanes: 1, PC: pc}
	}
	var ignored, passed int
	w.Ignore = func(r *Report) bool {
		if r.PC == 3 {
			ignored++
		}
		return r.PC == 3
	}
	for i, c := range []struct {
		r           *Report
		quiet, past bool
		stop        bool
		found       int
	}{
		{r: at(1, Race), stop: true, found: 1}, {r: at(1, Race), found: 1}, {r: at(1, Wait), stop: true,
			found: 2},
		{r: at(2, Uninit), found: 2}, {r: at(3, Race), found: 2}, {r: at(4, Race), quiet: true, found: 2},
		{r: at(5, Race), quiet: true, past: true, stop: true, found: 2}, {r: at(5, Race), found: 2},
	} {
		if w.Passed = nil; c.past {
			w.Passed = func(*Report) { passed++ }
		}
		w.Quiet(c.quiet)
		if stop := w.Found(c.r); stop != c.stop || len(w.found) != c.found {
			t.Errorf("report %d: stops %v, %d are found", i, stop, len(w.found))
		}
	}
	if ignored != 1 || passed != 1 {
		t.Errorf("%d are ignored, %d told of in the past", ignored, passed)
	}
}

// TestUsed: a register that is used too early is told of with where it comes from, and the element of it.
func TestUsed(t *testing.T) {
	w := newWorld(t)
	w.Look(Uninit | Wait)
	w.Objects = toyObjects{space: lds}
	a := w.access(0, 1, lds, 0x1000, "read")
	a.Addr[1], a.Lanes = 0x1044, 2
	w.noteBlank(a, 2)
	for i, c := range []struct {
		u    simt.Use
		kind Kinds
		want string
	}{
		{simt.Use{PC: 0x20, Lanes: 2, From: 1, Text: "v1 is an address"}, Uninit, "array, its byte 68"},
		{simt.Use{PC: 0x24, Lanes: 1, From: 1}, Uninit, ""}, // which has not read it
		{simt.Use{PC: 0x28, Lanes: 2, From: 4}, Uninit, ""}, {simt.Use{PC: 0x2c, Lanes: 2, Waits: true},
			Wait, ""},
	} {
		c.u.Wave = w.waves[0]
		if w.Used(&c.u); len(w.found) != i+1 {
			t.Fatalf("use %d: found %q", i, w.kinds())
		}
		r := w.found[i]
		if r.Kind != c.kind || r.What != c.u.Text || r.Element != c.want ||
			(len(r.Others) == 1) != (c.u.From != 0) ||
			c.u.From != 0 && r.Others[0].PC != c.u.From {
			t.Errorf("use %d: %+v", i, r)
		}
	}
}

// TestElements: an access is of the array that the source names there, by its elements, or of what is there.
func TestElements(t *testing.T) {
	c := &Checker{Objects: strided{toyObjects{space: global}}}
	for _, e := range []struct {
		pc, at uint64
		lane   int
		space  simt.Space
		want   string
	}{
		{1, 0x1080, 1, global, "array[0]"}, {1, 0x10ff, 1, global, "array[15], its byte 7"},
		{1, 0x1100, 1, global, ""}, {1, 0x107f, 1, global, ""}, {1, 0x1080, 1, lds, ""},
		{1, 0x2000, 1, global, "other"}, {2, 0x200f, 0, global, "other, its byte 15"}, {2, 0x2010, 0,
			global, ""},
	} {
		a := &simt.Access{PC: e.pc, Space: e.space, Addr: new([simt.MaxLanes]uint64)}
		a.Addr[e.lane] = e.at
		if got := c.elementText(a, e.lane); got != e.want {
			t.Errorf("%#x: %q, want %q", e.at, got, e.want)
		}
	}
	if got := (&Checker{}).elementText(&simt.Access{}, 0); got != "" {
		t.Errorf("where nothing is known it is %q", got)
	}
}

// strided objects have arrays of elements of eight bytes.
type strided struct{ toyObjects }

func (s strided) Meant(a *simt.Access, lane int) *simt.Object {
	o := s.toyObjects.Meant(a, lane)
	if o != nil {
		o.Stride = 8
	}
	return o
}

// TestWritten: what has been written of a region byte by byte is kept, and its copies are not what is written
// then.
func TestWritten(t *testing.T) {
	w := NewWritten()
	w.Write(3, 7)
	first, bytes := w.Copy(nil)
	w.Write(100, 1)
	second, more := w.Copy(first)
	has := func(w *Written, at uint64) bool {
		return w.d.Get(at/wordSize)&bytesOf(at/wordSize, at, at+1) != 0
	}
	for at := range uint64(120) {
		old := at >= 3 && at < 10
		if has(first, at) != old || has(second, at) != (old || at == 100) {
			t.Errorf("byte %d: written %v, then %v", at, has(first, at), has(second, at))
		}
	}
	if same, none := w.Copy(second); bytes == 0 || more == 0 || none != 0 || !has(same, 100) {
		t.Errorf("copies take %d, %d and %d bytes", bytes, more, none)
	}
	c := newWorld(t)
	c.Look(Uninit)
	if c.Written(c.buffer) != nil {
		t.Error("of a region that has contents it is known what was written")
	}
	c.BlankBut(c.buffer, w)
	c.Observe(c.access(0, 1, global, 4, "read"))
	if c.Observe(c.access(0, 2, global, 50, "read")); fmt.Sprint(c.kinds()) != "uninit" {
		t.Errorf("found %q", c.kinds())
	}
	c.Observe(c.access(0, 3, global, 48, "write"))
	if !has(c.Checker.Written(c.buffer), 48) {
		t.Error("what a lane has written is not")
	}
}
