package simt

import (
	"slices"
	"strings"
	"testing"
)

// cut is a dispatch whose workgroups are cut off in each direction, of waves of four lanes.
var cut = Dispatch{Grid: [3]uint32{7, 5, 3}, Block: [3]uint32{3, 2, 2}, Entry: 0x40, ScratchLimit: 6}

// TestPlaces: a wave that a core executes without its being made is the one that would have been made, in
// whichever way the core comes to it, and has executed nothing.
func TestPlaces(t *testing.T) {
	m := newMachine(t, &toy{size: 4, program: []func(*Wave) EventKind{end}}, cut)
	m.Resident = 1000
	if err := m.Fill(); err != nil {
		t.Fatal(err)
	}
	if m.ISA().(*toy).size != 4 || m.Started() != 18 {
		t.Errorf("%d workgroups have started", m.Started())
	}
	same := func(how string, w *Wave, want *Wave) {
		t.Helper()
		if w.ID != want.ID || w.Index != want.Index || w.Size != want.Size || w.Valid != want.Valid ||
			w.Exec != want.Valid || w.PC != 0x40 || w.State != Ready || w.Insts+w.LaneInsts != 0 ||
			w.SkipBreak ||
			w.Group.Index != want.Group.Index || w.Group.ID != want.Group.ID ||
			w.Group.Size != want.Group.Size ||
			w.Group.Before != want.Group.Before || w.ScratchLimit != 8*4 && how != "in bulk" ||
			slices.ContainsFunc(w.Scratch, func(b byte) bool { return b != 0 }) ||
			w.WorkItem(0) != want.WorkItem(0) {
			t.Errorf("%s: %+v of %+v, want %+v of %+v", how, w, w.Group, want, want.Group)
		}
	}
	dirty := func(w *Wave) {
		w.State, w.PC, w.Exec, w.Insts, w.LaneInsts, w.SkipBreak = Ended, 1, 0, 5, 6, true
		if w.GrowScratch(32) {
			w.Scratch[3] = 1
		}
	}
	var w Wave
	items, at := uint64(0), 0
	g := &Workgroup{Index: -1}
	for g.Index < 17 {
		m.PlaceGroupBehind(g)
		for i := range m.WavesOf(g) + 1 {
			is := i < m.WavesOf(g)
			if dirty(&w); m.Place(&w, g, i) != is {
				t.Fatalf("workgroup %d has wave %d: %v", g.Index, i, !is)
			}
			if !is {
				break
			}
			want := m.Waves()[at]
			same("placed", &w, want)
			if n, ok := m.ItemsBefore(want.ID); n != items || !ok {
				t.Errorf("%d work-items before wave %d, %v; want %d", n, want.ID, ok, items)
			}
			at++
			items += uint64(onesOf(want.Valid))
		}
		m.Place(&w, g, 0)
		for i := 1; ; i++ {
			dirty(&w)
			if next := m.PlaceNext(&w); next != (i < m.WavesOf(g)) {
				t.Fatalf("workgroup %d has a wave behind %d: %v", g.Index, i-1, next)
			} else if !next {
				break
			}
			same("next", &w, m.Waves()[at-m.WavesOf(g)+i])
		}
		if m.FirstWave(g) != m.Waves()[at-m.WavesOf(g)].ID {
			t.Errorf("the first wave of workgroup %d is %d", g.Index, m.FirstWave(g))
		}
		for i := range m.WavesOf(g) { // as observers are told of it
			same("in bulk", m.BulkWave(g, i), m.Waves()[at-m.WavesOf(g)+i])
		}
	}
	if items != 7*5*3 {
		t.Errorf("%d work-items in all", items)
	}
	for _, wave := range []int{-1, 18 * 3, 8} { // of the third workgroup, which is cut off, 8 is not there
		if n, ok := m.ItemsBefore(wave); ok {
			t.Errorf("wave %d is there, behind %d work-items", wave, n)
		}
	}
	series := Dispatch{Grid: [3]uint32{24, 1, 1}, Block: [3]uint32{6, 1, 1}, Entry: 0x40, ScratchLimit: 6}
	m = newMachine(t, &toy{size: 4, program: []func(*Wave) EventKind{end}}, series)
	if err := m.Fill(); err != nil {
		t.Fatal(err)
	}
	for from := range 8 {
		for n := range 8 - from {
			g := &Workgroup{Index: from/2 - 1}
			m.PlaceGroupBehind(g)
			m.Place(&w, g, from%2)
			dirty(&w)
			m.PlaceBehind(&w, n)
			same("behind", &w, m.Waves()[from+n])
		}
	}
}

func onesOf(mask uint64) (n int) {
	Lanes(mask, func(int) { n++ })
	return n
}

// TestWorkItems: the ids of a wave's first lanes are those of each lane by itself.
func TestWorkItems(t *testing.T) {
	m := newMachine(t, &toy{size: 4, program: []func(*Wave) EventKind{end}}, cut)
	m.Resident = 1000
	if err := m.Fill(); err != nil {
		t.Fatal(err)
	}
	for _, w := range m.Waves() {
		items := make([][3]uint32, onesOf(w.Valid))
		w.WorkItems(items)
		for l, got := range items {
			if got != w.WorkItem(l) {
				t.Errorf("lane %d of wave %d is %v, want %v", l, w.ID, got, w.WorkItem(l))
			}
		}
	}
}

// An ending state knows which lanes have ended, and which the next instruction ends.
type ending struct {
	*toyRegs
	ended, ends uint64
}

func (e ending) EndedLanes(*Wave) uint64  { return e.ended }
func (e ending) EndingLanes(*Wave) uint64 { return e.ends }

// endingToy is an instruction set of which one ends waves, and code of two bytes is none.
type endingToy struct{ *toy }

func (endingToy) Inst(code []byte, _ uint64) (Inst, error) {
	if code[0] == 1 {
		return Inst{Size: 1, Flow: FlowEnd}, nil
	}
	return Inst{Size: 1}, nil
}

// TestEnding: the lanes that an instruction ends are all of the wave, but for a machine that knows better.
func TestEnding(t *testing.T) {
	m := newMachine(t, &toy{size: 4}, Dispatch{Grid: [3]uint32{3, 1, 1}, Block: [3]uint32{3, 1, 1}})
	m.isa = endingToy{&toy{size: 4}}
	for name, perm := range map[string]Perm{"code": PermRead | PermExec, "data": PermRead} {
		base := map[string]uint64{"code": 0x1000, "data": 0x2000}[name]
		if _, err := m.Mem.Map(name, base, []byte{0, 1, 0}, perm); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := m.InstAt(0x2001); err == nil || m.CodeAt(0x2001) != nil || len(m.CodeAt(0x1001)) != 2 {
		t.Errorf("what is not executable is code: %v", err)
	}
	regs := &toyRegs{}
	w := &Wave{Valid: 7, Exec: 7, Regs: regs}
	for _, c := range []struct {
		pc    uint64
		regs  WaveState
		want  uint64
		ends  bool
		ended uint64
	}{
		{0x1000, regs, 0, false, 0}, {0x1001, regs, 7, true, 0}, {0x1001, ending{regs, 9, 0x0c}, 4, true, 1},
		{0x1002, ending{regs, 2, 2}, 0, false, 2}, {0x2001, regs, 0, false, 0}, {0x5000, regs, 0, false, 0},
	} {
		w.PC, w.Regs = c.pc, c.regs
		if m.EndsAt(c.pc) != c.ends || m.Ending(w) != c.want {
			t.Errorf("at %#x lanes %#x end, %v; want %#x", c.pc, m.Ending(w), m.EndsAt(c.pc), c.want)
		}
		if w.State = Ready; w.EndedLanes() != c.ended {
			t.Errorf("lanes %#x have ended, want %#x", w.EndedLanes(), c.ended)
		}
		if w.State = Ended; w.EndedLanes() != 7 {
			t.Errorf("of a wave that has ended lanes %#x have", w.EndedLanes())
		}
	}
}

// TestBreaks: there are breakpoints where they were set, once, until they are taken away; what cores know of
// them is of no account then, nor while the past is executed again, in which they do not count.
func TestBreaks(t *testing.T) {
	m := newMachine(t, &toy{size: 4}, Dispatch{Grid: [3]uint32{4, 1, 1}, Block: [3]uint32{4, 1, 1}})
	known := map[int]bool{m.Generation(): true}
	change := func(what string, change func()) {
		t.Helper()
		if change(); known[m.Generation()] {
			t.Errorf("%s leaves what cores know as it was", what)
		}
		known[m.Generation()] = true
	}
	change("a breakpoint", func() { m.SetBreakpoint(0x20) })
	change("another", func() { m.SetBreakpoint(0x10) })
	m.SetBreakpoint(0x20) // once more
	check := func(has map[uint64]bool, within map[Extent]bool) {
		t.Helper()
		for at, want := range has {
			if m.HasBreakpoint(at) != want {
				t.Errorf("breakpoint at %#x: %v", at, !want)
			}
		}
		for e, want := range within {
			if m.BreaksWithin(e.Lo, e.Hi) != want {
				t.Errorf("breakpoint within %+v: %v", e, !want)
			}
		}
	}
	check(map[uint64]bool{0x10: true, 0x20: true, 0x18: false, 0x24: false},
		map[Extent]bool{{0, 0x10}: false, {0, 0x11}: true, {0x10, 0x11}: true, {0x11, 0x20}: false,
			{0x11, 0x21}: true, {0x21, 0x100}: false})
	m.quiet = true
	check(map[uint64]bool{0x10: false, 0x20: false}, map[Extent]bool{{0, 0x100}: false})
	change("the past", func() {})
	m.quiet = false
	change("one taken away", func() { m.ClearBreakpoint(0x20) })
	check(map[uint64]bool{0x10: true, 0x20: false}, map[Extent]bool{{0x11, 0x100}: false})
	m.ClearBreakpoint(0x30) // that is not there
	m.ClearBreakpoint(0x10)
	before := m.Generation()
	if m.quiet = true; m.Generation() != before {
		t.Error("without breakpoints the past is decoded anew")
	}
}

// TestClusters: workgroups of a cluster find each other's LDS by their ranks, and know which they are.
func TestClusters(t *testing.T) {
	d := Dispatch{Grid: [3]uint32{8, 6, 4}, Block: [3]uint32{1, 1, 1}, Cluster: [3]uint32{2, 3, 2}}
	seen := map[int]int{} // clusters
	for n := range 8 * 6 * 4 {
		seen[d.indexOf(n)] = n / 12
	}
	for x := range seen {
		for y := range seen {
			if got := d.SameCluster(x, y); got != (seen[x] == seen[y]) {
				t.Fatalf("workgroups %d and %d are of one cluster: %v", x, y, got)
			}
		}
	}
	alone := Dispatch{Grid: d.Grid, Block: d.Block}
	if !alone.SameCluster(5, 5) || alone.SameCluster(5, 6) {
		t.Error("without clusters a workgroup is not alone")
	}
	flat := Dispatch{Grid: d.Grid, Block: d.Block, Cluster: [3]uint32{2, 0, 0}}
	if !flat.SameCluster(4, 5) || flat.SameCluster(5, 6) || flat.SameCluster(4, 12) {
		t.Error("a cluster in one direction has others")
	}
	a, b := &Workgroup{LDS: make([]byte, 8)}, &Workgroup{LDS: make([]byte, 8), Rank: 1}
	a.Peers = []*Workgroup{a, b}
	b.Peers = a.Peers
	for _, c := range []struct {
		g    *Workgroup
		addr uint64
		of   *Workgroup
		at   uint64
	}{
		{a, 5, a, 5}, {b, 5, b, 5}, {b, PeerLDS + 5, a, 5}, {a, 2*PeerLDS + 7, b, 7}, {a, b.Shared(6), b, 6},
		{b, a.Shared(6), a, 6}, {a, 3 * PeerLDS, nil, 3 * PeerLDS}, {&Workgroup{}, 5, nil, 5},
	} {
		of, at := c.g.Owner(c.addr)
		if c.of == nil && len(c.g.Peers) == 0 {
			c.of = c.g
		}
		if of != c.of || at != c.at {
			t.Errorf("%#x leads to %#x, want %#x", c.addr, at, c.at)
		}
	}
	if n, err := a.WriteLDS(b.Shared(4), []byte{1, 2, 3, 4, 5}); n != 4 || err == nil || b.LDS[7] != 4 {
		t.Errorf("%d bytes are written to a peer: %v", n, err)
	}
	access := &Access{Wave: &Wave{Group: a}}
	if access.Group() != a {
		t.Error("an access is to another workgroup's LDS")
	}
	if access.Of = b; access.Group() != b {
		t.Error("an access to a peer's LDS is to another")
	}
	if a.Waves = []*Wave{{State: Ended}, {State: AtBarrier}}; a.Ended() {
		t.Error("a workgroup has ended of which a wave waits")
	}
	if a.Waves[1].State = Ended; !a.Ended() {
		t.Error("a workgroup has not ended of which all waves have")
	}
}

// A reused core says whether it can be another machine's.
type reused struct {
	toy
	by func(m *Machine) bool
}

func (r *reused) Reuse(m *Machine) bool { return r.by(m) }

// TestCores: cores are used again by machines that decode the same as those that had them, if they can be.
func TestCores(t *testing.T) {
	var p CorePool
	m := looked(t)
	m.Cores = &p
	made := 0
	m.isa = remade(func() Core {
		made++
		return &reused{by: func(o *Machine) bool { return o == m }}
	})
	first := m.takeCore()
	m.keepCore(first, m.generation)
	if c := m.takeCore(); c != first || made != 1 {
		t.Errorf("another core is taken than what was kept, %d are made", made)
	}
	for _, c := range []struct {
		why    string
		change func(m *Machine)
	}{
		{"code has changed", func(m *Machine) { m.generation++ }},
		{"there is a breakpoint", func(m *Machine) { m.breaks = []uint64{1} }},
		{"somebody is told of fences", func(m *Machine) { m.orderers = []Orderer{&eye{}} }},
		{"waves keep records", func(m *Machine) { m.Track = true }},
		{"nothing is translated", func(m *Machine) { m.Interpret = true }},
		{"the past is executed", func(m *Machine) { m.quiet = true }},
		{"there is no pool", func(m *Machine) { m.Cores = nil }},
	} {
		o := looked(t)
		o.Cores = &p
		o.isa = m.isa
		began := o.generation
		c.change(o)
		if o.keepCore(first, began); len(p.idle) != 0 {
			t.Errorf("a core is kept although %s", c.why)
		}
		p.idle = []Reuser{first.(Reuser)}
		before := made
		if o.takeCore(); made == before {
			t.Errorf("a core is used again although %s, or it cannot be", c.why)
		}
		p.idle = nil
	}
	for range maxIdle + 3 {
		p.put(first.(Reuser))
	}
	p.put(&reused{by: func(*Machine) bool { return false }})
	if len(p.idle) != maxIdle {
		t.Errorf("%d cores are kept", len(p.idle))
	}
	p.idle[maxIdle-1] = &reused{by: func(*Machine) bool { return false }}
	if c := p.take(m); c != first || len(p.idle) != maxIdle-2 {
		t.Errorf("the one behind a core that cannot be used is not taken; %d are left", len(p.idle))
	}
}

// remade is an instruction set whose cores a function makes.
type remade func() Core

func (remade) WaveSize() int                     { return 4 }
func (remade) Align() int                        { return 1 }
func (remade) StartWave(*Wave, *Dispatch) error  { return nil }
func (r remade) NewCore(*Machine) Core           { return r() }
func (remade) Inst([]byte, uint64) (Inst, error) { return Inst{}, nil }

// TestLayout: it changes with all that changes regions; room is found again behind the last that is there.
func TestLayout(t *testing.T) {
	m := NewMemory()
	known := map[int]bool{m.Layout(): true}
	changed := func(what string) {
		t.Helper()
		if known[m.Layout()] {
			t.Errorf("%s changes nothing", what)
		}
		known[m.Layout()] = true
	}
	low := mustMap(t, m, "low", 0x1000, 16, PermRead)
	changed("a region")
	mustMap(t, m, "high", heapEnd, 16, PermRead)
	changed("another")
	var all []*Region
	for range 3 {
		r, err := m.Alloc("heap", 100, PermRead)
		if err != nil {
			t.Fatal(err)
		}
		changed("what Alloc places")
		all = append(all, r)
	}
	if !slices.Equal(m.Allocated(), all) || all[0].Base != heapBase {
		t.Errorf("%v are allocated, want %v", m.Allocated(), all)
	}
	next := all[2].Base
	m.Unmap(all[2])
	changed("one less")
	m.Trim()
	if r, err := m.Alloc("again", 5, PermRead); err != nil || r.Base != next {
		t.Errorf("behind what was trimmed is %v, %v; want %#x", r, err, next)
	} else if m.Resize(r, 3); r.End() != next+3 {
		t.Errorf("resized to 3 bytes it is %v", r)
	}
	changed("another size")
	for _, r := range slices.Clone(m.Allocated()) {
		m.Unmap(r)
	}
	m.Trim()
	if r, _ := m.Alloc("first", 5, PermRead); r.Base != heapBase {
		t.Errorf("where nothing is left the first is %v", r)
	}
	if low.String() != "low [0x1000, 0x1010)" {
		t.Error(low)
	}
	if _, err := m.Alloc("all", heapEnd, PermRead); err == nil || !strings.Contains(err.Error(),
		"allocate all") {
		t.Errorf("%v", err)
	}
}

// TestInterestDrop: what nobody wants to know of any more is of no account, also of accesses to any space.
func TestInterestDrop(t *testing.T) {
	var none Interest
	all := Everything()
	if none.Any() || !all.Any() {
		t.Error("nothing is something, or everything nothing")
	}
	for i, space := range []Space{Global, LDS, Scratch} {
		x := Everything()
		x.Drop(space, true)
		if x.In(space, true) || x.Touched(space, true, 0, 9) || !x.In(space, false) || !x.In(Flat, true) {
			t.Errorf("without stores to %v: %+v", space, x)
		}
		if of := (Extent{4, 8}); x.Clear(space, true, of, 5) != of || x.Clear(space, false, of,
			5) != (Extent{}) {
			t.Errorf("without stores to %v there is nothing around a store", space)
		}
		if all.Drop(space, true); all.In(Flat, true) != (i < 2) || !all.In(Flat, false) {
			t.Errorf("stores to any space are wanted without %d spaces: %v", i+1, all.In(Flat, true))
		}
	}
	if x := Everything(); x.Clear(Flat, true, Extent{4, 8}, 5) != (Extent{}) {
		t.Error("around an access to any space nobody wants to know")
	}
}

// TestBulkWaves: what a core keeps of waves in bulk: how the last stopped, where others have ended, and which
// registers are to be made 0.
func TestBulkWaves(t *testing.T) {
	var b BulkWave
	b.Begin()
	b.Wave = Wave{Index: 0, PC: 8, Exec: 1, Insts: 5, LaneInsts: 9}
	if !b.Ran(EndEvent, 100) || b.Begun() {
		t.Error("a wave that has ended has not")
	}
	done, ends := b.Room(3)
	*done, *ends = Stats{1, 7, 8}, WaveEnd{12, 2}
	b.Told(1)
	b.Wave = Wave{Index: 2, Insts: 100, PC: 16, Regs: &toyRegs{value: 3}, Scratch: []byte{5}, Exec: 4}
	if b.Ran(NoEvent, 100) || !b.Begun() || !slices.Equal(b.Done(), []Stats{{1, 5, 9}, {1, 7, 8}}) {
		t.Errorf("behind waves %v the next has not stopped", b.Done())
	}
	for i, want := range []WaveEnd{{8, 1}, {12, 2}} {
		if pc, exec := b.End(i); pc != want.PC || exec != want.Exec {
			t.Errorf("wave %d has ended at %d with lanes %#x", i, pc, exec)
		}
	}
	b.Again = true
	w := &Wave{Regs: &toyRegs{value: 4}}
	if !b.Resume(w) || w.Regs.(*toyRegs).value != 3 || w.PC != 16 || w.Exec != 4 || w.Insts != 100 ||
		w.Scratch[0] != 5 || b.Begun() || b.Again || b.Wave.Regs.(*toyRegs).value != 4 {
		t.Errorf("resumed it is %+v", w)
	}
	for _, c := range []struct {
		kind  EventKind
		insts uint64
		whole bool
	}{{NoEvent, 99, false}, {NoEvent, 101, true}, {BarrierEvent, 100, false}} {
		b.Begin()
		b.Wave.Insts = c.insts
		if b.Ran(c.kind, 100); b.Resume(w) != c.whole {
			t.Errorf("after %d of 100 instructions and %v it has had its turn: %v", c.insts, c.kind, !c.whole)
		}
	}
	b.First = []FirstWrite{{3, 1}, {4, 2}, {5, 7}}
	var zero []int
	if b.Unwritten(2, func(reg int) { zero = append(zero, reg) }); !slices.Equal(zero, []int{4, 5}) {
		t.Errorf("registers %d are made 0", zero)
	}
	b.Again = true
	if b.Learn(); b.Again || len(b.First) != 0 {
		t.Error("another kernel's wave has the same registers")
	}
	for groups, many := range map[uint32]bool{64: false, 65: true} {
		if d := (Dispatch{Grid: [3]uint32{1, groups, 1}, Block: [3]uint32{1, 1, 1}}); d.Many() != many {
			t.Errorf("%d workgroups are many: %v", groups, !many)
		}
	}
	s := &BulkState{Calls: []uint64{7, 8}}
	if sites, whole := s.CallSites(nil, 0, []uint64{6}); !slices.Equal(sites, []uint64{6, 7, 8}) || !whole {
		t.Errorf("calls %d", sites)
	}
	if s.Active(&Wave{Exec: 5}) != 5 {
		t.Error("other lanes are active than those that execute")
	}
}
