package simt

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"simtgdb/testdata/sweep"
)

// TestPieces: the pieces of a row are its lanes that are on, each with its address, but that of lanes one
// behind the other that read the same one there may be fewer; and they are few where lanes lie at even
// distances, in groups that do so, too.
func TestPieces(t *testing.T) {
	r := rand.New(sweep.PCG(1, 61))
	for n := range 3000 {
		addr := make([]uint64, 8<<(n%4))
		at, step, group := uint64(r.IntN(1<<20)), uint64(4*r.IntN(3)), 1+r.IntN(9)
		for l := range addr {
			if addr[l] = at; r.IntN(40) == 0 {
				addr[l] += uint64(r.IntN(3)) << (r.IntN(2) * 33)
			}
			if at += step; l%group == group-1 && n%3 > 0 {
				at += uint64(100 * r.IntN(2))
			}
			if r.IntN(100) == 0 {
				at -= uint64(r.IntN(1 << 18))
			}
		}
		lanes := ^uint64(0) >> (64 - len(addr))
		for range r.IntN(4) {
			lanes &^= uint64(1+r.IntN(15)) << r.IntN(len(addr))
		}
		got := map[int]uint64{}
		for _, p := range Pieces(nil, 3, addr, lanes) {
			if p.Row != 3 || p.Many == 0 || p.Times == 0 {
				t.Fatalf("row %d is %+v", n, p)
			}
			for g := range uint64(p.Times) {
				for i := range uint64(p.Many) {
					l := int(uint64(p.First) + g*uint64(p.Apart) + i)
					if _, twice := got[l]; twice {
						t.Fatalf("row %d: lane %d twice", n, l)
					}
					got[l] = p.At + g*uint64(p.Skip) + i*uint64(p.Step)
				}
			}
		}
		for l, a := range addr {
			p, ok := got[l]
			is := lanes>>l&1 != 0
			if !ok && is { // as the lane before
				p, ok = addr[l-1], lanes>>(l-1)&1 != 0
				got[l] = p
			}
			if ok != is || is && p != a {
				t.Fatalf("row %d: lane %d of %#x at %#x, not %#x", n, l, lanes, p, a)
			}
		}
	}
	fill := func(f func(l uint64) uint64) []uint64 {
		row := make([]uint64, 64)
		for l := range row {
			row[l] = f(uint64(l))
		}
		return row
	}
	for _, c := range []struct {
		name  string
		addr  []uint64
		lanes uint64
		want  []Piece
	}{
		{"all at even distances", fill(func(l uint64) uint64 { return 64 + 4*l }), ^uint64(0),
			[]Piece{{At: 64, Step: 4, Row: 1, Many: 64, Times: 1}}},
		{"groups of 16", fill(func(l uint64) uint64 { return 256*(l/16) + 4*(l%16) }), ^uint64(0),
			[]Piece{{Step: 4, Skip: 256, Row: 1, Many: 16, Times: 4, Apart: 16}}},
		{"one place", fill(func(uint64) uint64 { return 32 }), 0xff0,
			[]Piece{{At: 32, Row: 1, First: 4, Many: 1, Times: 1}}},
		{"two lanes", fill(func(l uint64) uint64 { return 8 * l }), 3,
			[]Piece{{Step: 8, Row: 1, Many: 2, Times: 1}}},
		{"every other lane", fill(func(l uint64) uint64 { return 8 * l }), 0x55,
			[]Piece{{Skip: 16, Row: 1, Many: 1, Times: 4, Apart: 2}}},
		{"backwards", fill(func(l uint64) uint64 { return 1000 - 8*l }), 7,
			[]Piece{{At: 1000, Row: 1, Many: 1, Times: 1}, {At: 992, Row: 1, First: 1, Many: 1, Times: 1},
				{At: 984, Row: 1, First: 2, Many: 1, Times: 1}}},
		{"another distance behind", fill(func(l uint64) uint64 { return 4*l + 60*(l/8)*(l/8) }),
			0xffffff, []Piece{{Step: 4, Row: 1, Many: 8, Skip: 92, Times: 2, Apart: 8},
				{At: 304, Step: 4, Row: 1, First: 16, Many: 8, Times: 1}}},
	} {
		if got := Pieces(nil, 1, c.addr, c.lanes); !slices.Equal(got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// TestLoadRows: what loads do with a row lies from the least that they add up to behind the last byte; a
// piece of lanes accesses all of it if those lie side by side, or what is added does.
func TestLoadRows(t *testing.T) {
	for _, c := range []struct {
		name string
		adds [][2]int // what is added, and the size
		want LoadRow
		p    Piece
		all  Extent // of the piece's first group
		full bool
	}{
		{"one load", [][2]int{{8, 4}}, LoadRow{8, 12, 4, 0}, Piece{At: 100, Step: 4, Many: 32}, Extent{108,
			236}, true},
		{"lanes with gaps", [][2]int{{8, 4}}, LoadRow{8, 12, 4, 0}, Piece{At: 100, Step: 8, Many: 2},
			Extent{108, 120}, false},
		{"one lane", [][2]int{{0, 4}, {4, 4}}, LoadRow{0, 8, 4, 4}, Piece{At: 100, Many: 1}, Extent{100,
			108}, true},
		{"one lane with a gap", [][2]int{{0, 4}, {8, 4}}, LoadRow{0, 12, 4, 8}, Piece{At: 100, Many: 1},
			Extent{100, 112}, false},
		{"a gap that other lanes fill", [][2]int{{8, 4}, {0, 4}}, LoadRow{0, 12, 4, 8},
			Piece{At: 100, Step: 4, Many: 2}, Extent{100, 116}, true},
		{"a larger one", [][2]int{{0, 4}, {-16, 4}, {12, 4}}, LoadRow{-16, 16, 4, 16},
			Piece{At: 100, Step: 4, Many: 3}, Extent{84, 124}, false},
		{"as large as they fill", [][2]int{{0, 4}, {-16, 4}, {12, 4}}, LoadRow{-16, 16, 4, 16},
			Piece{At: 100, Step: 4, Many: 4}, Extent{84, 128}, true},
		{"two sizes", [][2]int{{0, 4}, {4, 8}}, LoadRow{0, 12, 0, 4}, Piece{At: 100, Step: 4, Many: 2},
			Extent{100, 116}, false},
	} {
		l := Loads{All: []Load{{Row: 1, Add: 1000, Size: 2}}}
		for _, a := range c.adds {
			l.All = append(l.All, Load{Row: 0, Add: int64(a[0]), Size: a[1]})
		}
		if l.Ready(2); len(l.Rows) != 2 || l.Rows[0] != c.want || l.Rows[1] != (LoadRow{1000, 1002, 2, 0}) {
			t.Errorf("%s: rows %+v, want %+v", c.name, l.Rows, c.want)
			continue
		}
		if all := c.p.Group(&l.Rows[0]); all != c.all || c.p.Dense(&l.Rows[0]) != c.full {
			t.Errorf("%s: %+v is accessed, all of it %v; want %+v", c.name, all, !c.full, c.all)
		}
	}
	if p := (Piece{Times: 4, Skip: 100}); p.Further() != 300 {
		t.Errorf("the last of 4 groups is %d further on", p.Further())
	}
}

// A postponing eye may be told of loads from LDS later.
type postponing struct {
	*eye
	room   []LoadRecord
	loaded []uint64
}

func (p *postponing) Room(*Wave, Space) []LoadRecord { return p.room }
func (p *postponing) Loaded(_ *Wave, space Space, filled []LoadRecord, tell func(*LoadRecord,
	func(*Access))) {
	for i := range filled {
		tell(&filled[i], func(a *Access) { p.loaded = append(p.loaded, a.PC) })
	}
}

// TestPostpones: loads are told of later only if one alone wants to know of them, who has room.
func TestPostpones(t *testing.T) {
	lds := map[Space]bool{LDS: false}
	for _, c := range []struct {
		name string
		by   func(p *postponing) []Observer
		want bool
	}{
		{"nobody", func(p *postponing) []Observer { return nil }, false},
		{"one", func(p *postponing) []Observer { return []Observer{p} }, true},
		{"one without room", func(p *postponing) []Observer {
			p.room = nil
			return []Observer{p}
		}, false},
		{"one who wants nothing", func(p *postponing) []Observer {
			p.wants = nil
			return []Observer{p}
		}, false},
		{"beside one who wants nothing", func(p *postponing) []Observer {
			return []Observer{&eye{}, p, &eye{}}
		}, true},
		{"beside one who is told at once", func(p *postponing) []Observer {
			return []Observer{p, &eye{wants: lds}}
		}, false},
		{"two", func(p *postponing) []Observer {
			return []Observer{p, &postponing{eye: p.eye,
				room: p.room}}
		}, false},
	} {
		p := &postponing{eye: &eye{wants: lds}, room: make([]LoadRecord, 4)}
		m := looked(t, c.by(p)...)
		h := NewHistory(m, nil)
		w := m.Waves()[0]
		who, room := m.Postpones(w, LDS)
		if (who != nil) != c.want || (len(room) == 4) != c.want {
			t.Errorf("%s: %v with room for %d", c.name, who, len(room))
		}
		var l LateLoads
		if at, end, ok := l.Begin(m, w); ok != c.want || ok && end-at != 4*unsafe.Sizeof(LoadRecord{}) {
			t.Errorf("%s: there is room from %#x to %#x", c.name, at, end)
		}
		h.Release()
	}
}

// TestLateLoads: records that code leaves are told of once, in their order, also such as others have left as
// far as there is room.
func TestLateLoads(t *testing.T) {
	const size = unsafe.Sizeof(LoadRecord{})
	p := &postponing{eye: &eye{wants: map[Space]bool{LDS: false}}, room: make([]LoadRecord, 4)}
	m := looked(t, p)
	var l LateLoads
	if l.Left(0) != nil {
		t.Error("records are left before anybody begins")
	}
	if _, ok := l.Put(0, nil); ok {
		t.Error("there is room before anybody begins")
	}
	at, _, _ := l.Begin(m, m.Waves()[0])
	tell := func(r *LoadRecord, each func(a *Access)) { each(&Access{PC: r.Site}) }
	if l.Tell(at, tell); len(p.loaded) != 0 {
		t.Error("told of nothing")
	}
	p.room[0].Site, p.room[1].Site = 5, 6
	if left := l.Left(at + 2*size); len(left) != 2 || left[1].Site != 6 {
		t.Errorf("%v are left", left)
	}
	l.Tell(at+2*size, tell)
	if left := l.Left(at + 2*size); len(left) != 0 {
		t.Errorf("%v are left once they are told of", left)
	}
	more := []LoadRecord{{Site: 7}, {Site: 8}, {Site: 9}}
	if _, ok := l.Put(at, more[:1]); ok {
		t.Error("records are put where others have been told of")
	}
	if _, ok := l.Put(at+2*size, more); ok {
		t.Error("there is room for more than there is")
	}
	upTo, ok := l.Put(at+2*size, more[:2])
	if !ok || upTo != at+4*size {
		t.Errorf("two are put up to %#x, %v", upTo, ok)
	}
	if l.Tell(upTo, tell); !slices.Equal(p.loaded, []uint64{5, 6, 7, 8}) {
		t.Errorf("told of %d", p.loaded)
	}
	room := make(LoadRoom, 3)
	from, end := room.Extent()
	if end-from != 3*size || len(room.Left(from+size)) != 1 || &room.Left(end)[2] != &room[2] {
		t.Errorf("the room is from %#x to %#x", from, end)
	}
}

// TestBackoff: what was in vain is left out twice, then twice as often each time, up to 64 times; what was
// not, not at all.
func TestBackoff(t *testing.T) {
	var b Backoff
	for _, want := range []int{0, 2, 4, 8, 16, 32, 64, 64} {
		for i := range want {
			if !b.Idle() {
				t.Fatalf("of %d times it is left out %d", want, i)
			}
		}
		if b.Idle() {
			t.Fatalf("it is left out more than %d times", want)
		}
		b.InVain()
	}
	for b.Idle() {
	}
	b.Paid()
	if b.Idle() {
		t.Error("it is left out although it was not in vain")
	}
	b.InVain()
	var left []bool
	for range 3 {
		left = append(left, b.Idle())
	}
	if !slices.Equal(left, []bool{true, true, false}) {
		t.Errorf("in vain once more it is left out %v, not twice", left)
	}
}

// A seeing eye foresees turns.
type seeing struct {
	*eye
	steady bool
}

func (seeing) Foresee(id, n int) int                       { return 0 }
func (seeing) Foreseen(n int)                              {}
func (seeing) ForeseeTurns(g *Workgroup, turns, n int) int { return 0 }
func (seeing) ForeseenTurns(n int)                         {}
func (s seeing) Steady(*Wave) bool                         { return s.steady }

// A restless eye foresees, but does not say how long it wants to know the same.
type restless struct {
	Foreseer
	Orderer
}

func (r restless) Observe(a *Access) bool { return r.Foreseer.Observe(a) }

// TestTurnForeseer: turns are foreseen by who looks on alone, wants to know the same of all waves, and
// follows nothing that the core does not see to; not while waves keep records, or several processors run.
func TestTurnForeseer(t *testing.T) {
	s := func() *eye { return &eye{} }
	for _, c := range []struct {
		name            string
		by              []Observer
		change          func(m *Machine)
		foresees, turns bool
	}{
		{name: "nobody"},
		{"one", []Observer{seeing{eye: s()}}, nil, true, true},
		{"two", []Observer{seeing{eye: s()}, seeing{eye: s()}}, nil, false, false},
		{"who does not foresee", []Observer{s()}, nil, false, false},
		{"who does not say how long", []Observer{restless{seeing{eye: s()}, s()}}, nil, true, false},
		{"who follows", []Observer{seeing{eye: &eye{wanted: Following{Waits: true}}}}, nil, true, false},
		{"with records", []Observer{seeing{eye: s()}}, func(m *Machine) { m.Track = true }, true, false},
		{"on several processors", []Observer{seeing{eye: s()}}, func(m *Machine) { m.Concurrent = true },
			true, false},
	} {
		m := looked(t, c.by...)
		g := m.Waves()[0].Group
		if c.change != nil {
			c.change(m)
		}
		if got := m.Foreseer() != nil; got != c.foresees {
			t.Errorf("%s: foresees %v", c.name, got)
		}
		if got := m.TurnForeseer(g, false) != nil; got != c.turns {
			t.Errorf("%s: foresees turns %v", c.name, got)
		}
		follows := c.turns || c.name == "who follows"
		if got := m.TurnForeseer(g, true) != nil; got != follows {
			t.Errorf("%s: foresees turns where the core sees to what is followed %v", c.name, got)
		}
		if m.TurnForeseer(&Workgroup{}, true) != nil {
			t.Errorf("%s: foresees turns of no waves", c.name)
		}
	}
}
