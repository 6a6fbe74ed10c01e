package simt

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// An eye is an observer that is all that one may be, and keeps what it is told. What it is not is taken away
// by embedding it as an interface.
type eye struct {
	wants  map[Space]bool // stores besides loads
	within Extent
	spares bool
	aims   uint64
	minds  string
	log    []string
	stop   bool
	refuse bool
	wanted Following
}

func (e *eye) say(format string, args ...any) { e.log = append(e.log, fmt.Sprintf(format, args...)) }

func (e *eye) Observe(a *Access) bool { e.say("observe %#x", a.PC); return e.stop }
func (e *eye) Wants(_ *Wave, space Space, write bool) bool {
	both, ok := e.wants[space]
	return ok && (both || !write)
}
func (e *eye) Within(*Wave, Space, bool) Extent         { return e.within }
func (e *eye) Noted(a *Access) bool                     { e.say("noted %#x", a.PC); return !e.refuse }
func (e *eye) SparesGiven(*Wave) bool                   { return e.spares }
func (e *eye) Anywhere(_ *Wave, _ Space, w bool) Extent { return Extent{e.within.Lo + 1, e.within.Hi} }
func (e *eye) Aims(pc uint64, write bool) bool          { return pc == e.aims && write }
func (e *eye) Minds(r *Region, _ bool) bool             { return r.Name == e.minds }
func (e *eye) Fence(_ *Wave, f Fence)                   { e.say("fence %d", f.Order) }
func (e *eye) Arrived(ev Event)                         { e.say("arrived %#x", ev.PC) }
func (e *eye) Came(_ *Wave, barrier uint8)              { e.say("came %d", barrier) }
func (e *eye) Opened(m Meeting)                         { e.say("opened for %d", len(m.Waves)) }
func (e *eye) Together(_ *Wave, lanes uint64)           { e.say("together %#x", lanes) }
func (e *eye) Ended(w *Wave)                            { e.say("ended %v", w.State) }
func (e *eye) Quiet(bool)                               {}
func (e *eye) Follows() Following                       { return e.wanted }
func (e *eye) Used(u *Use) bool                         { e.say("used %s", u.Text); return e.stop }
func (e *eye) Undefined(u *Undefined) bool              { e.say("undefined %s", u.Text); return e.stop }
func (e *eye) NotedStride(_ *Access, at uint64, step uint32) bool {
	e.say("stride %#x %d", at, step)
	return !e.refuse
}
func (e *eye) NotedLoads(_ *Wave, l *Loads, p []Piece) bool {
	e.say("%d loads of %d pieces", len(l.All), len(p))
	return !e.refuse
}

// What an observer is that is less than an eye.
type (
	plainEye     struct{ Observer }
	selectiveEye struct{ Selective }
	boundedEye   struct{ Bounded }
	noterEye     struct{ Noter }
	aimerEye     struct{ Aimer }
	strideEye    struct{ StrideNoter }
	readerEye    struct{ LoadsReader }
	sparingEye   struct{ Sparing }
)

// looked is a machine of two waves of four lanes, with some observers.
func looked(t *testing.T, observers ...Observer) *Machine {
	t.Helper()
	m := newMachine(t, &toy{size: 4, program: []func(*Wave) EventKind{end}},
		Dispatch{Grid: [3]uint32{8, 1, 1}, Block: [3]uint32{8, 1, 1}})
	if err := m.Fill(); err != nil {
		t.Fatal(err)
	}
	for _, o := range observers {
		m.AddObserver(o)
	}
	return m
}

// TestWanted: cores tell of what any observer wants to know, within what all want together; snapshots, which
// memory tells itself, are left out where it is said.
func TestWanted(t *testing.T) {
	lds := func(lo, hi uint64) *eye { return &eye{wants: map[Space]bool{LDS: false}, within: Extent{lo, hi}} }
	nothing, all := Extent{Lo: ^uint64(0)}, Extent{Hi: ^uint64(0)}
	for _, c := range []struct {
		name            string
		by              []Observer
		wanted          bool // loads of LDS
		within          Extent
		anywhere        Extent
		notes           bool // those who want to know of loads of LDS are told by translated code
		sparing, minded bool // of scratch and of the region "data"
	}{
		{name: "nobody", within: nothing, anywhere: nothing, notes: true, sparing: true},
		{"who wants all", []Observer{plainEye{lds(0, 9)}}, true, all, all, false, false, true},
		{"who wants loads of LDS", []Observer{selectiveEye{lds(0, 9)}}, true, all, all, false, true, false},
		{"within bounds", []Observer{boundedEye{lds(4, 9)}}, true, Extent{4, 9}, Extent{4, 9}, false, true,
			false},
		{"two of them", []Observer{boundedEye{lds(4, 9)}, boundedEye{lds(12, 20)}}, true, Extent{4, 20},
			Extent{4, 20}, false, true, false},
		{"and one of stores of scratch", []Observer{boundedEye{lds(4, 9)},
			selectiveEye{&eye{wants: map[Space]bool{Scratch: true}}}}, true, Extent{4, 9}, Extent{4, 9},
			false,
			false, false},
		{"who spares it", []Observer{sparingEye{&eye{wants: map[Space]bool{Scratch: false}, spares: true}}},
			false,
			nothing, nothing, true, true, false},
		{"who does not", []Observer{sparingEye{&eye{wants: map[Space]bool{Scratch: false}}}}, false, nothing,
			nothing, true, false, false},
		{"who is told by code", []Observer{noterEye{lds(0, 9)}}, true, all, all, true, true, false},
		{"and one who is not", []Observer{noterEye{lds(0, 9)}, selectiveEye{lds(0, 9)}}, true, all, all,
			false,
			true, false},
		{"who aims", []Observer{aimerEye{lds(4, 9)}}, true, all, Extent{5, 9}, false, true, false},
		{"who aims at nothing", []Observer{aimerEye{lds(8, 9)}}, true, all, nothing, false, true, false},
		{"who minds data", []Observer{aimerEye{&eye{wants: map[Space]bool{Global: false}, minds: "data"}}},
			false,
			nothing, nothing, true, true, true},
		{"who minds code", []Observer{aimerEye{&eye{wants: map[Space]bool{Global: false}, minds: "code"}}},
			false,
			nothing, nothing, true, true, false},
		{"who wants stores alone", []Observer{&eye{},
			selectiveEye{&eye{wants: map[Space]bool{Global: false}}}},
			false, nothing, nothing, true, true, true},
	} {
		for _, snapshots := range []bool{false, true} {
			m := looked(t, c.by...)
			want := c.within
			if snapshots {
				h := NewHistory(m, nil)
				defer h.Release()
			}
			w := m.Waves()[0]
			if got := m.Wanted(w, LDS, false); got != c.wanted {
				t.Errorf("%s: wanted %v", c.name, got)
			}
			if m.Wanted(w, LDS, true) != (len(c.by) > 0 && c.within == all && !c.notes && c.minded) {
				t.Errorf("%s: stores are wanted, or are not", c.name)
			}
			if got := m.WantedAnywhere(w, LDS, false); got != c.anywhere {
				t.Errorf("%s: wanted anywhere in %+v, want %+v", c.name, got, c.anywhere)
			}
			if got := m.WantedWithin(w, LDS, false); !snapshots && got != want {
				t.Errorf("%s: wanted within %+v, want %+v", c.name, got, want)
			}
			var x, beside Interest
			if m.Interests(w, &x, &beside); beside.In(LDS, false) != c.wanted {
				t.Errorf("%s: the interest besides snapshots is another", c.name)
			}
			if m.InterestsAnywhere(w, &x); x.In(LDS, false) == c.anywhere.Empty() ||
				x.Touched(LDS, false, c.anywhere.Lo, c.anywhere.Lo+1) != x.In(LDS, false) {
				t.Errorf("%s: the interest anywhere is %+v", c.name, x)
			}
			if got := m.Notes(w, LDS, false); got != c.notes {
				t.Errorf("%s: told by code %v", c.name, got)
			}
			if got := m.SparesGiven(w); got != c.sparing {
				t.Errorf("%s: spares %v", c.name, got)
			}
			if got := m.Minded(w, &Region{Name: "data"}, false); got != c.minded {
				t.Errorf("%s: minds %v", c.name, got)
			}
			if m.Watched() != (len(c.by) > 0) || m.Observed() != (len(c.by) > 0 || snapshots) {
				t.Errorf("%s: watched %v, observed %v", c.name, m.Watched(), m.Observed())
			}
		}
	}
	a := &eye{aims: 0x40}
	m := looked(t, plainEye{a}, a)
	for pc, write := range map[uint64]bool{0x40: true, 0x44: false} {
		if got := m.Aimed(pc, write); got != write || m.Aimed(pc, false) {
			t.Errorf("at %#x, write %v: aimed %v", pc, write, got)
		}
	}
}

// TestTold: all are told of what they can be told, in the order in which they came; the wave stops if any
// wants that; who was taken away is told of nothing more.
func TestTold(t *testing.T) {
	first, second := &eye{}, &eye{}
	m := looked(t, first, plainEye{second})
	w := m.Waves()[0]
	for _, stop := range []bool{false, true} {
		first.stop, second.stop = stop, false
		if m.Observe(&Access{Wave: w, PC: 1}) != stop || m.Undefined(&Undefined{Text: "of"}) != stop ||
			m.Used(&Use{Text: "of"}) != stop {
			t.Errorf("who wants to stop %v has another answer", stop)
		}
		second.stop, first.stop = stop, false
		if m.Observe(&Access{Wave: w, PC: 1}) != stop {
			t.Errorf("the second wants to stop %v, and has another answer", stop)
		}
	}
	if len(first.log) != 8 || len(second.log) != 4 {
		t.Errorf("the first is told of %q, the second, who can be told of accesses alone, of %q", first.log,
			second.log)
	}
	if !m.Ordered() || !slices.Equal(m.Observers(), []Observer{first, plainEye{second}}) {
		t.Errorf("%v look on", m.Observers())
	}
	first.log = nil
	m.Fence(w, Fence{Order: Release})
	m.Together(w, 5)
	m.Came(w, 3)
	m.Arrived(Event{PC: 7})
	m.arrived(Event{Kind: BarrierEvent, PC: 8})
	m.arrived(Event{Kind: EndEvent, Wave: w, PC: 9})
	m.OpenedOf(w.Group)
	m.Waves()[1].State = AtBarrier
	m.OpenedOf(w.Group)
	m.Ended(w)
	want := "fence 2, together 0x5, came 3, arrived 0x7, arrived 0x8, ended ready, " +
		"opened for 0, opened for 1, ended ended"
	if got := strings.Join(first.log, ", "); got != want {
		t.Errorf("told\n%s, want\n%s", got, want)
	}
	m.RemoveObserver(&eye{}) // who does not look on
	if m.RemoveObserver(first); m.Ordered() || len(m.Observers()) != 1 {
		t.Error("who was taken away looks on")
	}
}

// TestFollows: what followers want is what any of them does, and has a number of its own each time it
// changes; those are judges who follow what is undefined, objects or NaNs, or do not say what they follow.
func TestFollows(t *testing.T) {
	a, b := &eye{}, &eye{}
	m := looked(t, a, b)
	if m.Follows() != (Following{}) || m.Judged() {
		t.Error("followers want something at first")
	}
	known := map[int]bool{m.Followed(): true}
	for _, c := range []struct {
		a, b, want Following
		judged     bool
	}{
		{Following{Values: true}, Following{Waits: true}, Following{Values: true, Waits: true}, false},
		{Following{Waits: true}, Following{Values: true, Objects: true},
			Following{Values: true, Waits: true, Objects: true}, true},
		{Following{Undefined: true}, Following{}, Following{Undefined: true}, true},
		{Following{}, Following{NaN: true}, Following{NaN: true}, true},
		{Following{NaN: true, Objects: true}, Following{Undefined: true},
			Following{NaN: true, Objects: true, Undefined: true}, true},
	} {
		a.wanted, b.wanted = c.a, c.b
		m.Invalidate()
		if m.Follows() != c.want || m.Judged() != c.judged || known[m.Followed()] {
			t.Errorf("%+v and %+v follow %+v, judged %v, number %d", c.a, c.b, m.Follows(), m.Judged(),
				m.Followed())
		}
		known[m.Followed()] = true
		a.wanted, b.wanted = c.b, c.a // all the same
		if m.Invalidate(); !known[m.Followed()] {
			t.Error("the number changes where nobody wants anything else")
		}
	}
	if m := looked(t, struct{ Judge }{a}); !m.Judged() {
		t.Error("a judge who does not say what it follows is none")
	}
}

// TestNoted: translated code tells those who can be told so, of whom each may refuse; of accesses at even
// distances or of loads together it tells one alone, else nobody.
func TestNoted(t *testing.T) {
	everything := map[Space]bool{Global: true, LDS: true}
	for _, c := range []struct {
		name   string
		by     func(e, other *eye) []Observer
		noted  bool
		stride bool
		loads  bool
		log    string // of the first, refusing nothing
	}{
		{"nobody", func(e, o *eye) []Observer { return nil }, true, true, false, ""},
		{"a noter", func(e, o *eye) []Observer { return []Observer{noterEye{e}} }, true, false, false,
			"noted 0x1"},
		{"of strides", func(e, o *eye) []Observer { return []Observer{strideEye{e}} }, true, true, false,
			"noted 0x1, stride 0x100 4"},
		{"of loads", func(e, o *eye) []Observer { return []Observer{readerEye{e}} }, true, false, true,
			"noted 0x1, 1 loads of 0 pieces"},
		{"two of strides", func(e, o *eye) []Observer { return []Observer{strideEye{e}, strideEye{o}} },
			true, false,
			false, "noted 0x1"},
		{"one, and one who wants nothing", func(e, o *eye) []Observer {
			o.wants = nil
			return []Observer{strideEye{e}, strideEye{o}}
		}, true, true, false, "noted 0x1, stride 0x100 4"},
		{"two of loads", func(e, o *eye) []Observer { return []Observer{readerEye{e}, readerEye{o}} }, true,
			false,
			false, "noted 0x1"},
		{"all at once", func(e, o *eye) []Observer { return []Observer{e} }, true, true, true,
			"noted 0x1, stride 0x100 4, 1 loads of 0 pieces"},
	} {
		for _, refuse := range []bool{false, true} {
			e, o := &eye{wants: everything, refuse: refuse}, &eye{wants: everything}
			m := looked(t, c.by(e, o)...)
			h := NewHistory(m, nil) // whose snapshots are told by memory
			a := &Access{Wave: m.Waves()[0], PC: 1}
			asked := len(c.log) > 0
			if got := m.Note(a); got != (c.noted && !(refuse && asked)) {
				t.Errorf("%s, refusing %v: noted %v", c.name, refuse, got)
			}
			if got := m.NoteStride(a, 0x100, 4); got != (c.stride && !(refuse && strings.Contains(c.log,
				"stride"))) {
				t.Errorf("%s, refusing %v: noted at even distances %v", c.name, refuse, got)
			}
			if got := m.NoteLoads(a.Wave, &Loads{All: make([]Load, 1)}, nil); got != (c.loads && !refuse) {
				t.Errorf("%s, refusing %v: noted together %v", c.name, refuse, got)
			}
			if got := strings.Join(e.log, ", "); got != c.log {
				t.Errorf("%s: told %q, want %q", c.name, got, c.log)
			}
			h.Release()
		}
	}
}

// TestNoteRow: lanes whose addresses are at even distances are told of by the first one's and the step, with
// what is added and the bits that are kept; nobody is told where they are not, or lanes in between are off.
func TestNoteRow(t *testing.T) {
	row := make([]uint64, 32)
	for l := range row {
		row[l] = 0x1000 + 8*uint64(l)
	}
	uneven := slices.Clone(row)
	uneven[9] += 4
	same := make([]uint64, 32)
	far := []uint64{0, 1 << 33, 1 << 34}
	for _, c := range []struct {
		name  string
		row   []uint64
		lanes uint64
		add   uint64
		kept  uint64
		want  string
	}{
		{"all", row, 0xffffffff, 16, ^uint64(0), "stride 0x1010 8"},
		{"some", row, 0xff0, 0, ^uint64(0), "stride 0x1020 8"},
		{"the last", row, 1 << 31, 0, ^uint64(0), "stride 0x10f8 0"},
		{"one in between is off", row, 0xf70, 0, ^uint64(0), ""},
		{"one elsewhere", uneven, 0xffffffff, 0, ^uint64(0), ""},
		{"those before it", uneven, 0x1ff, 0, ^uint64(0), "stride 0x1000 8"},
		{"with it", uneven, 0x3ff, 0, ^uint64(0), ""},
		{"from it on", uneven, 0xfe00, 0, ^uint64(0), ""},
		{"at one place", same, 0xffffffff, 4, ^uint64(0), "stride 0x4 0"},
		{"bits that are cut off in all", row, 0xffffffff, 0xf000_0000_0000, 1<<32 - 1, "stride 0x1000 8"},
		{"bits that are cut off from one lane on", row, 0xffffffff, 1<<32 - 0x1000 - 8, 1<<32 - 1, ""},
		{"a step of more than 32 bits", far, 7, 0, ^uint64(0), ""},
		{"lanes that the row does not have", far, 0xf, 0, ^uint64(0), ""},
	} {
		e := &eye{wants: map[Space]bool{Global: true}}
		m := looked(t, strideEye{e})
		a := &Access{Wave: m.Waves()[0], Lanes: c.lanes}
		got := m.NoteRow(a, c.row, c.add, c.kept)
		if log := strings.Join(e.log, ", "); got != (c.want != "") || log != c.want {
			t.Errorf("%s: %v, told %q, want %q", c.name, got, log, c.want)
		}
	}
}
