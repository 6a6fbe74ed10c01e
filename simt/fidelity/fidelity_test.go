package fidelity

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/contents"
	"simtgdb/simt/simttest"
	"simtgdb/testdata/sweep"
)

// A followed machine says which of its instructions are inexact.
type followed struct{ *simttest.ToyISA }

func (followed) FollowsInexact() string { return "square roots" }

// TestSets: unions are those of sets, and what is left of a set is what was to be kept.
func TestSets(t *testing.T) {
	s, r := newSets(), rand.New(sweep.PCG(1, 81))
	known := map[Origins]map[int]bool{0: {}}
	members := func(o Origins) (all []int) {
		s.each(o, 100, func(site int) { all = append(all, site) })
		return all
	}
	pick := func() Origins {
		n := r.IntN(len(known))
		for o := range known {
			if n--; n < 0 {
				return o
			}
		}
		return 0
	}
	for range 400 {
		o, set := s.one(r.IntN(20)*300), map[int]bool{}
		switch r.IntN(3) {
		case 0:
			set[members(o)[0]] = true
		case 1:
			a, b := pick(), pick()
			o = s.union(a, b)
			for _, of := range []Origins{a, b} {
				for site := range known[of] {
					set[site] = true
				}
			}
		default:
			a := pick()
			o = s.filter(a, func(site int) bool { return site%2 == 0 })
			for site := range known[a] {
				if site%2 == 0 {
					set[site] = true
				}
			}
		}
		got := members(o)
		if len(got) != len(set) || !slices.IsSorted(got) || slices.ContainsFunc(got,
			func(n int) bool { return !set[n] }) {
			t.Fatalf("%d is %v, want %v", o, got, set)
		}
		if was, ok := known[o]; ok && len(was) != len(set) || (o == 0) != (len(set) == 0) {
			t.Fatalf("%d is two sets", o)
		}
		known[o] = set
	}
	if o := s.one(1 << 16); o != everything || s.union(o, 3) != o || s.union(3, o) != o || s.union(0,
		o) != o ||
		s.filter(o, func(int) bool { return false }) != o || len(members(o)) != 100 {
		t.Error("a site that has no number is not as good as any")
	}
	for n := 0; len(s.members) < int(everything); n++ {
		s.of([]uint16{uint16(n), uint16(n >> 1)})
	}
	if s.of([]uint16{7, 8, 9}) != everything || s.one(0) == everything {
		t.Error("there are more sets than numbers")
	}
}

// A values is registers, of which one is a mask with its truth, and lanes that would write if they executed.
type values struct {
	*Rows
	truth uint64
	reach []Access
}

func (v *values) Truth(contents.Operand) uint64 { return v.truth }
func (v *values) Reach(lanes uint64, do func(x *Access)) {
	for i := range v.reach {
		x := v.reach[i]
		if x.Lanes &= lanes; x.Lanes != 0 {
			do(&x)
		}
	}
}

// bench is a wave whose instructions are followed. Its registers 1, 2 and 3 are inexact by the sites a, b and
// c, in lanes 0 to 3, register 4 by a in lane 1 alone; so are the bytes from 0x110 on by b, four of them.
type bench struct {
	t  *testing.T
	tr *Tracker
	f  Follower
	v  *values
	w  *simt.Wave
	of map[string]Site
}

func newBench(t *testing.T) *bench {
	t.Helper()
	mem := simt.NewMemory()
	for name, base := range map[string]uint64{"data": 0x100, "more": 0x1000} {
		if _, err := mem.Map(name, base, make([]byte, 0x100), simt.PermRead|simt.PermWrite); err != nil {
			t.Fatal(err)
		}
	}
	m, err := simt.New(mem, followed{&simttest.ToyISA{Base: 0x100}}, simt.Dispatch{Grid: [3]uint32{8, 1, 1},
		Block: [3]uint32{8, 1, 1}, Entry: 0x100})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Fill(); err != nil {
		t.Fatal(err)
	}
	tr, err := New(m)
	if err != nil {
		t.Fatal(err)
	}
	tr.Follow(m)
	b := &bench{t: t, tr: tr, v: &values{Rows: NewRows(tr, 10)}, w: m.Waves()[0], of: map[string]Site{}}
	for i, name := range []string{"a", "b", "c"} {
		b.of[name] = tr.Site(uint64(0x40+i), name, "1 ulp", name == "c")
		from := Lanes{}
		tr.JoinAll(&from, tr.Ran(b.of[name], 4), 0xf)
		b.v.Came(contents.Operand(i+1), 0xf, &from)
	}
	from := Lanes{1: tr.sets.one(0)}
	b.v.Came(4, 0xf, &from)
	b.tr.Store(&Access{Access: simt.Access{Wave: b.w}, Lane: [simt.MaxLanes]uint64{0x110}}, 0, 0, 4,
		tr.sets.one(1))
	return b
}

// name is a set in letters.
func (b *bench) name(o Origins) (s string) {
	b.tr.sets.each(o, len(b.tr.sites), func(site int) { s += b.tr.sites[site].text })
	return s + "."
}

// at is what a register's lanes come from.
func (b *bench) at(reg contents.Operand) (s string) {
	var from Lanes
	b.v.From(reg, 0xf, &from)
	for _, o := range from[:4] {
		s += b.name(o)
	}
	return s
}

// bytes is what n bytes of a space come from.
func (b *bench) bytes(space simt.Space, at uint64, n int) (s string) {
	a := &Access{Access: simt.Access{Wave: b.w, Space: space}, Lane: [simt.MaxLanes]uint64{at, at, at, at}}
	for i := range n {
		s += b.name(b.tr.Load(a, 1, i, 1))
	}
	return s
}

// access is one of all four lanes, each some bytes further on.
func access(w *simt.Wave, space simt.Space, write bool, at, step uint64, size int,
	lanes uint64) *simt.Access {
	a := &simt.Access{Wave: w, Space: space, Read: !write, Write: write, Size: size, Lanes: lanes,
		Addr: new([simt.MaxLanes]uint64)}
	for l := range a.Addr {
		a.Addr[l] = at + step*uint64(l)
	}
	return a
}

// TestFollower: a result comes from the operands that it is made of, a loaded one from its address as well,
// and memory from what is stored there; lanes that do not execute an instruction keep what they have, and
// with a guard that is inexact all come from that, too.
func TestFollower(t *testing.T) {
	const all = 0xf
	op := func(o ...contents.Operand) []contents.Operand { return o }
	move := func(to contents.Operand, from ...contents.Operand) contents.Move {
		return contents.Move{To: to, From: from}
	}
	none := contents.Constant
	for _, c := range []struct {
		name     string
		in       Flow
		lanes    uint64 // that execute, of all
		accesses func(b *bench) []*simt.Access
		truth    uint64
		regs     map[contents.Operand]string
		data     string // bytes from 0x120 on
		reached  string
	}{
		{name: "a move", in: Flow{Inst: contents.Inst{Moves: []contents.Move{move(8, 1, 2)}}}, lanes: all,
			regs: map[contents.Operand]string{8: "ab.ab.ab.ab.", 1: "a.a.a.a."}},
		{name: "in some lanes", in: Flow{Inst: contents.Inst{Moves: []contents.Move{move(1, 2, none)}}},
			lanes: 6,
			regs:  map[contents.Operand]string{1: "a.b.b.a."}},
		{name: "of what is exact", in: Flow{Inst: contents.Inst{Moves: []contents.Move{move(1, 9)}}},
			lanes: all,
			regs:  map[contents.Operand]string{1: "...."}},
		{name: "an inexact instruction", in: Flow{PC: 0x77, Text: Text("d"), Far: "2 ulp",
			Inst: contents.Inst{Moves: []contents.Move{move(8, 1), move(none, 2)}}}, lanes: 3,
			regs: map[contents.Operand]string{8: "ad.ad..."}},
		{name: "one of which lanes mix", in: Flow{Mixes: true,
			Inst: contents.Inst{Moves: []contents.Move{move(8, 4)}}},
			lanes: 7, regs: map[contents.Operand]string{8: "a.a.a.."}},
		{name: "a choice", in: Flow{Inst: contents.Inst{Moves: []contents.Move{{To: 8, From: op(1, 2, 9),
			Chosen: true}}}}, lanes: all, truth: 5, regs: map[contents.Operand]string{8: "a.b.a.b."}},
		{name: "a choice by what is inexact", in: Flow{Inst: contents.Inst{Moves: []contents.Move{{To: 8,
			From: op(2, 3, 4), Chosen: true}}}}, lanes: all, truth: 5,
			regs: map[contents.Operand]string{8: "b.abc.b.c."}},
		{name: "a branch", in: Flow{PC: 0x50, Text: Text("branch"), Inst: contents.Inst{Decides: op(4, 9)}},
			lanes:   all,
			reached: "branch 0x50 branch: a 1,"},
		{name: "what decides for lanes that do not execute", in: Flow{PC: 0x50, Text: Text("branch"),
			Inst: contents.Inst{Decides: op(2)}}, lanes: 1, reached: "branch 0x50 branch: b 4,"},
		{name: "a guard", in: Flow{Guards: 2, Inst: contents.Inst{Moves: []contents.Move{move(8, 1)}}},
			lanes: 3,
			regs:  map[contents.Operand]string{8: "ab.ab.b.b."}},
		{name: "a guard that is told of", in: Flow{Guards: 2, Shares: true, PC: 0x50, Text: Text("store")},
			lanes:   3,
			reached: "lanes 0x50 store: b 4,"},
		{name: "a load", in: Flow{Inst: contents.Inst{Loads: op(8)}}, lanes: all,
			accesses: func(b *bench) []*simt.Access {
				return []*simt.Access{access(b.w, simt.Global, false, 0x10c, 4, 4, 7)}
			}, regs: map[contents.Operand]string{8: ".b..."}},
		{name: "a load by an inexact address", in: Flow{PC: 0x50, Text: Text("load"),
			Inst: contents.Inst{Address: op(4), Loads: op(8)}}, lanes: all,
			accesses: func(b *bench) []*simt.Access {
				return []*simt.Access{access(b.w, simt.Global, false, 0x10c, 4, 4, 7)}
			}, regs: map[contents.Operand]string{8: ".ab..."}, reached: "address 0x50 load: a 1,"},
		{name: "a store", in: Flow{Inst: contents.Inst{Data: op(1)}}, lanes: all,
			accesses: func(b *bench) []*simt.Access {
				return []*simt.Access{access(b.w, simt.Global, true, 0x120, 4, 2, 3)}
			}, data: "a.a...a.a..."},
		{name: "a store of two side by side", in: Flow{Inst: contents.Inst{Data: op(1, 2), Part: 2}},
			lanes: all,
			accesses: func(b *bench) []*simt.Access {
				return []*simt.Access{access(b.w, simt.Global, true, 0x120, 4, 4, 3)}
			}, data: "a.a.b.b.a.a.b.b."},
		{name: "one of them alone", in: Flow{Inst: contents.Inst{Data: op(1, 2), Part: 2}}, lanes: all,
			accesses: func(b *bench) []*simt.Access {
				return []*simt.Access{access(b.w, simt.Global, true, 0x120, 4, 2, 1)}
			}, data: "ab.ab..."},
		{name: "a load of two side by side", in: Flow{Inst: contents.Inst{Loads: op(8, 9), Part: 2}},
			lanes: all,
			accesses: func(b *bench) []*simt.Access {
				return []*simt.Access{access(b.w, simt.Global, false, 0x10e, 0, 4, 1)}
			}, regs: map[contents.Operand]string{8: "....", 9: "b...."}},
		{name: "one part alone", in: Flow{Inst: contents.Inst{Loads: op(8, 9), Part: 2}}, lanes: all,
			accesses: func(b *bench) []*simt.Access {
				return []*simt.Access{access(b.w, simt.Global, false, 0x110, 0, 2, 1)}
			}, regs: map[contents.Operand]string{8: "b....", 9: "b...."}},
		{name: "an access of each", in: Flow{Inst: contents.Inst{Data: op(1, 2), Loads: op(8, 9),
			Each: true}},
			lanes: all, accesses: func(b *bench) []*simt.Access {
				return []*simt.Access{access(b.w, simt.Global, false, 0x10c, 0, 4, 1),
					access(b.w, simt.Global, false, 0x110, 0, 4, 1), access(b.w, simt.Global, true, 0x120,
						0, 1, 1),
					access(b.w, simt.Global, true, 0x121, 0, 1, 1)}
			}, regs: map[contents.Operand]string{8: "....", 9: "b...."}, data: "a.b..."},
		{name: "as many of each as there are not", in: Flow{Inst: contents.Inst{Data: op(1), Loads: op(8, 9),
			Each: true}}, lanes: all, accesses: func(b *bench) []*simt.Access {
			return []*simt.Access{access(b.w, simt.Global, false, 0x110, 0, 4, 1),
				access(b.w, simt.Global, true, 0x120, 0, 1, 1), access(b.w, simt.Global, true, 0x122, 0, 1,
					1)}
		}, regs: map[contents.Operand]string{8: "b....", 9: "b...."}, data: "a..a.."},
		{name: "a copy", in: Flow{Inst: contents.Inst{Copies: true}}, lanes: all,
			accesses: func(b *bench) []*simt.Access {
				return []*simt.Access{access(b.w, simt.Global, false, 0x113, 0, 2, 1),
					access(b.w, simt.Global, true, 0x120, 0, 1, 1), access(b.w, simt.Global, true, 0x121, 0,
						1, 1),
					access(b.w, simt.Global, false, 0x100, 0, 2, 1), access(b.w, simt.Global, true, 0x122,
						0, 1, 1)}
			}, data: "b...."},
		{name: "an atomic operation", in: Flow{Inst: contents.Inst{Data: op(1), Any: true, Loads: op(8)}},
			lanes: all,
			accesses: func(b *bench) []*simt.Access {
				a := access(b.w, simt.Global, true, 0x110, 16, 1, 3)
				a.Read = true
				return []*simt.Access{a}
			}, regs: map[contents.Operand]string{8: "b...."}, data: "a.."},
		{name: "one that finds what a lane before has left", in: Flow{Inst: contents.Inst{Data: op(1),
			Any:   true,
			Loads: op(8)}}, lanes: all, accesses: func(b *bench) []*simt.Access {
			a := access(b.w, simt.Global, true, 0x120, 0, 1, 7)
			a.Read = true
			return []*simt.Access{a}
		}, regs: map[contents.Operand]string{8: ".a.a.."}, data: "a.."},
		{name: "one that mixes", in: Flow{Mixes: true, Inst: contents.Inst{Data: op(4), Any: true,
			Loads: op(8)}},
			lanes: 7, accesses: func(b *bench) []*simt.Access {
				a := access(b.w, simt.Global, true, 0x110, 16, 1, 3)
				a.Read = true
				return []*simt.Access{a}
			}, regs: map[contents.Operand]string{8: "b.b.b.."}, data: "ab.."},
		{name: "what others would have written", in: Flow{Guards: 2, Inst: contents.Inst{Data: op(1)}},
			lanes: 1,
			accesses: func(b *bench) []*simt.Access {
				x := Access{Access: *access(b.w, simt.Global, true, 0x120, 4, 1, 3)}
				x.Lane = *x.Addr
				b.v.reach = []Access{x}
				return []*simt.Access{access(b.w, simt.Global, true, 0x120, 4, 1, 1)}
			}, data: "ab....b.."},
	} {
		b := newBench(t)
		b.v.truth = c.truth
		if c.in.Text == nil {
			c.in.Text = Text("")
		}
		if c.in.Guards == 0 {
			c.in.Guards = none
		}
		b.f.Begin(b.tr, b.v, &c.in, c.lanes, all)
		if c.accesses != nil {
			for _, a := range c.accesses(b) {
				b.tr.Observe(a)
			}
		}
		b.f.End()
		for reg, want := range c.regs {
			if got := b.at(reg); got != want {
				t.Errorf("%s: register %d comes from %s, want %s", c.name, reg, got, want)
			}
		}
		if got := b.bytes(simt.Global, 0x120, strings.Count(c.data, ".")); got != c.data {
			t.Errorf("%s: memory comes from %s, want %s", c.name, got, c.data)
		}
		got := ""
		for _, site := range b.tr.Report().Counts {
			for _, r := range site.Reached {
				got += fmt.Sprintf("%v %#x %s: %s %d,", r.Kind, r.PC, r.Text, site.Text, r.Lanes)
			}
		}
		if got != c.reached {
			t.Errorf("%s: reached %s, want %s", c.name, got, c.reached)
		}
		if own := c.in.Far != ""; (b.f.Own() != 0) != own {
			t.Errorf("%s: its own results come from %s", c.name, b.name(b.f.Own()))
		}
	}
}

// TestNothingInexact: until the first inexact instruction nothing is followed.
func TestNothingInexact(t *testing.T) {
	b := newBench(t)
	tr, err := New(b.tr.m)
	if err != nil {
		t.Fatal(err)
	}
	in := Flow{Text: Text("add"), Guards: contents.Constant,
		Inst: contents.Inst{Moves: []contents.Move{{To: 1}}}}
	var f Follower
	if f.Begin(tr, nil, &in, 1, 1); !tr.AllExact() {
		t.Error("something is inexact at first")
	}
	f.End()
	in = Flow{Text: Text("sqrt"), Far: "1 ulp", Guards: contents.Constant, PC: 4}
	v := &values{Rows: NewRows(tr, 4)}
	f.Begin(tr, v, &in, 0, 1)
	if f.End(); !tr.AllExact() {
		t.Error("an instruction that no lane executes counts")
	}
	f.Begin(tr, v, &in, 3, 3)
	if f.End(); tr.AllExact() || tr.Site(4, "", "", false) != in.site {
		t.Error("an inexact instruction does not count, or its place has two sites")
	}
}

// TestReport: sites in the order of the program, how often each was executed, what it reached, in order, and
// which memory holds results: of regions of the program, not of waves.
func TestReport(t *testing.T) {
	b := newBench(t)
	tr := b.tr
	tr.Site(0x10, "never", "", false)
	early := tr.Site(0x20, "early", "3 ulp", false)
	o := tr.Union(tr.Ran(early, 2), tr.sets.one(0))
	tr.Ran(early, 5)
	at := func(space simt.Space, addr uint64) *Access {
		return &Access{Access: simt.Access{Wave: b.w, Space: space}, Lane: [simt.MaxLanes]uint64{addr}}
	}
	tr.Store(at(simt.Global, 0x130), 0, 0, 3, o)
	tr.Store(at(simt.Global, 0x140), 0, 0, 1, tr.sets.one(0))
	tr.Store(at(simt.Global, 0x1010), 0, 0, 2, o)
	tr.Store(at(simt.Global, 0x9000), 0, 0, 2, o) // where nothing is any more
	tr.Store(at(simt.LDS, 0x130), 0, 0, 8, o)
	own, err := tr.m.Mem.Map("waves", 0x5000, make([]byte, 16), simt.PermRead)
	if err != nil {
		t.Fatal(err)
	}
	own.Private = true
	tr.Store(at(simt.Global, 0x5000), 0, 0, 4, o)
	values := &Lanes{0: o, 2: tr.sets.one(1)}
	tr.Reached(Branch, 9, Text("second"), values, 0xf)
	tr.Reached(Branch, 9, Text("second"), values, 1)
	tr.Reached(Branch, 8, Text("first"), values, 1)
	tr.Reached(Address, 9, Text("address"), values, 2) // which is exact
	tr.Reached(Address, 10, Text("address"), values, 1)
	r, got := tr.Report(), ""
	for _, c := range r.Counts {
		got += fmt.Sprintf("%#x %s %s %d %d:", c.PC, c.Text, c.Far, c.Insts, c.Lanes)
		for _, x := range c.Reached {
			got += fmt.Sprintf(" %v %d %d", x.Kind, x.PC, x.Lanes)
		}
		for _, l := range c.Left {
			got += fmt.Sprintf(" %s %d", l.Region.Name, l.Bytes)
		}
		got += "\n"
	}
	want := "0x20 early 3 ulp 2 7: address 10 1 branch 8 1 branch 9 2 data 3 more 2\n" +
		"0x40 a 1 ulp 1 4: address 10 1 branch 8 1 branch 9 2 data 4 more 2\n" +
		"0x41 b 1 ulp 1 4: branch 9 1 data 4\n0x42 c 1 ulp 1 4:\n"
	if got != want || r.Nature != "square roots" {
		t.Errorf("%s\n%s, want\n%s", r.Nature, got, want)
	}
	if got := tr.Refined(tr.Union(o, tr.sets.one(2))); got != o {
		t.Errorf("without what only begins a computation there is %s", b.name(got))
	}
	for k, want := range map[Kind]string{Address: "address", Branch: "branch", Chosen: "lanes"} {
		if k.String() != want {
			t.Errorf("%v, want %s", k, want)
		}
	}
}

// TestMemories: lanes have private memory of their own, workgroups LDS, until they have ended.
func TestMemories(t *testing.T) {
	b := newBench(t)
	o, all := b.tr.sets.one(0), []simt.Space{simt.Global, simt.LDS, simt.Scratch}
	check := func(when string, w *simt.Wave, lane int, want ...bool) {
		t.Helper()
		for i, space := range all {
			a := &Access{Access: simt.Access{Wave: w, Space: space}}
			for l := range a.Lane {
				a.Lane[l] = 0x13e
			}
			if got := b.tr.Load(a, lane, 0, 4) != 0; got != want[i] {
				t.Errorf("%s: %v is inexact %v", when, space, got)
			}
		}
	}
	for _, space := range all {
		a := &Access{Access: simt.Access{Wave: b.w, Space: space}, Lane: [simt.MaxLanes]uint64{1: 0x140}}
		b.tr.Store(a, 1, 0, 4, 0) // what is exact
		b.tr.Store(a, 1, 0, 4, o)
	}
	other := &simt.Wave{ID: 5, Group: &simt.Workgroup{Index: 3}}
	peer := b.w.Group.Waves[1]
	check("the lane that has written", b.w, 1, true, true, true)
	check("another lane", b.w, 2, true, true, false)
	check("a wave of the workgroup", peer, 1, true, true, false)
	check("a wave of another", other, 1, true, false, false)
	if b.tr.Registers(b.w, func() any { return 7 }) != 7 || b.tr.Registers(b.w,
		func() any { return 8 }) != 7 {
		t.Error("a wave has other registers each time")
	}
	b.w.State = simt.Ended
	b.tr.Ended(b.w)
	check("a wave that has ended", b.w, 1, true, true, false)
	if b.tr.Registers(b.w, func() any { return 8 }) != 8 {
		t.Error("a wave that has ended keeps its registers")
	}
	peer.State = simt.Ended
	b.tr.Ended(peer)
	check("the last wave has ended", b.w, 1, true, false, false)
	a := &Access{Access: simt.Access{Wave: b.w}, Lane: [simt.MaxLanes]uint64{0x110}}
	b.tr.Perhaps(a, 0, 2, o)
	b.tr.Perhaps(a, 0, 4, 0)
	if got := b.bytes(simt.Global, 0x110, 4); got != "ab.ab.b.b." {
		t.Errorf("what might have been written comes from %s", got)
	}
}

// TestFollow: a tracker looks at one machine at a time, keeps what memory holds, and refuses machines that do
// not say what is inexact.
func TestFollow(t *testing.T) {
	b := newBench(t)
	if Of(b.tr.m) != b.tr {
		t.Error("the machine does not know its tracker")
	}
	b.tr.Registers(b.w, func() any { return 7 })
	b.tr.Store(&Access{Access: simt.Access{Wave: b.w, Space: simt.LDS}}, 0, 0, 4, 1)
	b.tr.Store(&Access{Access: simt.Access{Wave: b.w, Space: simt.Scratch}}, 0, 0, 4, 1)
	first := b.tr.m
	m, err := simt.New(first.Mem, first.ISA(), first.Dispatch)
	if err != nil {
		t.Fatal(err)
	}
	if b.tr.Follow(m); Of(first) != nil || Of(m) != b.tr {
		t.Error("another machine is looked at, and the first still")
	}
	if b.bytes(simt.Global, 0x110, 1) != "b." || b.bytes(simt.LDS, 0, 1) != "." || b.bytes(simt.Scratch, 0,
		1) != "." ||
		b.tr.Registers(b.w, func() any { return 8 }) != 8 {
		t.Error("not only global memory is kept")
	}
	plain, err := simt.New(simt.NewMemory(), &simttest.ToyISA{}, first.Dispatch)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := New(plain); err == nil {
		t.Error("a machine is followed that does not say what is inexact")
	}
}
