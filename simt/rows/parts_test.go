package rows

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"unsafe"

	"simtgdb/simt"
	"simtgdb/simt/vec"
)

// TestPlan: accesses are checked together that differ in nothing but where they are, from the least offset up
// to behind the last byte; of each kind it is said whether the machine has put all of it there.
func TestPlan(t *testing.T) {
	at := func(o Op, offset int64) Op {
		o.Offset = offset
		return o
	}
	in := func(o Op, s Space) Op {
		o.Space = s
		return o
	}
	given := load(1, 0)
	given.Given = true
	constant := in(load(1, 0), Private)
	constant.S[0] = Value{Const: true, Imm: 8}
	var p Plan
	for _, c := range []struct {
		why    string
		ops    []Op
		groups string // register, from, to and whether it is written
		kinds  string
		stores int
	}{
		{"nothing", []Op{add(1, 0)}, "", "[]", 0},
		{"one row", []Op{at(load(1, 0), 8), at(load(2, 0), -4), at(load(3, 0), 4)}, "r0 -4 12 false,",
			"[{0 0 true}]", 0},
		{"two rows", []Op{load(1, 0), load(1, 2)}, "r0 8 12 false,r2 8 12 false,", "[{0 0 true}]", 0},
		{"given and not", []Op{given, at(given, 12)}, "r0 8 16 false,", "[{0 0 false}]", 0},
		{"given, another not", []Op{given, load(1, 0)}, "r0 8 12 false,", "[{0 0 true}]", 0},
		{"a store", []Op{store(0, 1), load(1, 0)}, "r0 0 4 true,r0 8 12 false,",
			"[{0 0 true} {0 1 true}]", 1},
		{"under a mask", []Op{load(1, 0), under(load(2, 0), 1)}, "r0 8 12 false,r0 8 12 false,",
			"[{0 0 true}]", 0},
		{"private", []Op{in(store(0, 1), Private), in(load(1, 0), Shared)}, "r0 0 4 true,r0 8 12 false,",
			"[{1 0 true} {2 1 true}]", 0},
		{"where no check is", []Op{constant}, "", "[{2 0 true}]", 0},
	} {
		if !p.Make(unit(c.ops...).Insts) {
			t.Fatalf("%s: there is no room", c.why)
		}
		groups := ""
		for i := range p.Groups {
			a := p.Groups[i].Access()
			groups += fmt.Sprintf("r%d %d %d %v,", a.Reg, a.Offset, a.Offset+int64(a.Size), a.Write)
			if p.Find(p.Groups[i].Group) != i || a.Under != p.Groups[i].Under {
				t.Errorf("%s: group %d is not found", c.why, i)
			}
		}
		if kinds := fmt.Sprint(p.Kinds); groups != c.groups || p.Stores != c.stores || kinds != c.kinds {
			t.Errorf("%s: groups %s, kinds %s, %d stores; want %s, %s, %d", c.why, groups, kinds, p.Stores,
				c.groups, c.kinds, c.stores)
		}
	}
	var many []Op
	for reg := range int32(MostGroups) {
		many = append(many, load(1, reg))
	}
	if !p.Make(unit(append(many, load(1, 3))...).Insts) ||
		p.Make(unit(append(many, load(1, MostGroups))...).Insts) {
		t.Error("there is room for another number of groups")
	}
}

// TestHeld: vector registers keep what they hold until it is needed least recently, but not what an
// instruction works with; of a row one alone has what it has got.
func TestHeld(t *testing.T) {
	h := Held{Of: make([]Holding, 3)}
	reg := func(n int32) Value { return Value{Reg: n} }
	take := func(v Value) int {
		if z, ok := h.Find(v); ok {
			return z
		}
		z := h.Oldest(nil)
		if z >= 0 {
			h.Take(z)
			h.Fill(z, v)
		}
		return z
	}
	want := func(what string, got, want int) {
		t.Helper()
		if got != want {
			t.Errorf("%s is in vector register %d, not %d", what, got, want)
		}
	}
	want("the first row", take(reg(5)), 0)
	want("a number", take(Value{Const: true, Imm: 5}), 1)
	want("the row again", take(reg(5)), 0)
	want("another number", take(Value{Const: true, Imm: 6}), 2)
	want("what has no room", take(reg(6)), -1)
	h.Unpin()
	want("the row once more", take(reg(5)), 0)
	h.Unpin()
	want("what takes the place of the first number", take(reg(0)), 1)
	want("the other number", take(Value{Const: true, Imm: 6}), 2)
	h.Unpin()
	want("the oldest of those that do not hold row 5",
		h.Oldest(func(x *Holding) bool { return x.Reg == 5 }), 1)

	h.Result(2, 5) // which was in 0
	if h.Of[0].Dirty || !h.Of[2].Dirty || h.Of[1].Dirty {
		t.Errorf("a result leaves %+v", h.Of)
	}
	want("the result", take(reg(5)), 2)
	want("what takes the place of the former one", take(reg(7)), 0)
	h.Unpin()
	h.Result(1, -2)
	h.Drop([]int32{7})
	for z, what := range []Value{reg(7), reg(-2)} {
		if _, ok := h.Find(what); ok {
			t.Errorf("%v is still in vector register %d", what, z)
		}
	}
	want("what is neither dead nor an instruction's own", take(reg(5)), 2)
	h.Unpin()
	want("what takes the place of nothing", take(Value{Const: true, Imm: 7}), 0)
	h.Drop([]int32{7}) // of rows, not of numbers
	want("a number of a dead row's number", take(Value{Const: true, Imm: 7}), 0)
	h.Result(1, 8)
	h.Of[1].Dirty = false
	h.Merge(0, 1)
	if _, ok := h.Find(Value{Const: true, Imm: 7}); ok || !h.Of[1].Dirty {
		t.Errorf("what has become a part of another is there: %+v", h.Of)
	}
	h.Unpin()
	for z := range h.Of {
		h.Result(z, int32(20+z))
	}
	want("what has no room beside results of the instruction", h.Oldest(nil), -1)
	h.Unpin()
	h.Take(0)
	if _, ok := h.Find(reg(0)); ok { // not filled yet
		t.Error("a register that holds nothing is found")
	}
}

// TestSlots: a slot makes addresses those of the host.
func TestSlots(t *testing.T) {
	data := make([]byte, 64*12)
	const base = 0x7f0000001000
	s := SlotOf(base, data)
	at := uintptr(unsafe.Pointer(&data[40]))
	if s.Base != base || s.Size != 64*12 || uintptr(base+40)+s.Delta != at {
		t.Errorf("%+v", s)
	}
	if s := SlotOf(base, nil); s != (Slot{}) {
		t.Errorf("nothing is %+v", s)
	}
	for _, c := range []struct {
		size, want uint64
		lanes      int
	}{{8, 8, 64}, {12, 12, 64}, {100, 12, 64}, {100, 24, 32}} {
		s := PrivateSlotOf(base, c.size, data, c.lanes)
		if s.Base != base || s.Size != c.want || s.Delta != uintptr(unsafe.Pointer(&data[0])) {
			t.Errorf("%d bytes of each of %d lanes: %+v", c.size, c.lanes, s)
		}
	}
	if s := PrivateSlotOf(base, 8, nil, 64); s != (Slot{Base: base}) {
		t.Errorf("private memory that is not there is %+v", s)
	}
}

// TestAnotherCore: code of another core has slots of its own, and remembers nothing of who is told.
func TestAnotherCore(t *testing.T) {
	o := load(1, 0)
	c := &Code{Slots: []Slot{{Size: 4}}, Notes: []Note{{{Inst: 3, Op: &o, together: &together{count: 1}}}}}
	other := c.Another()
	if other.Slots[0] != (Slot{}) || other.Notes[0][0].together != nil || other.Notes[0][0].Inst != 3 {
		t.Errorf("%+v", other)
	}
	if other.Slots[0].Size = 8; c.Slots[0].Size != 4 || c.Notes[0][0].together == nil {
		t.Error("the first core's are others now")
	}
	if c.Forget(); c.Slots[0] != (Slot{}) || other.Slots[0].Size != 8 {
		t.Error("not the slots of one core alone are forgotten")
	}
}

// TestRunAgain: code that leaves to tell of accesses goes on until that was not all, or it leaves for good.
func TestRunAgain(t *testing.T) {
	rows, masks := make([]uint64, Lanes), make([]uint32, 1)
	for _, all := range []bool{true, false} {
		var told []int32
		times := 0
		c := &Code{Notes: []Note{{{Inst: 7}}, {{Inst: 9}}}, Slots: make([]Slot, 1)}
		x := &Context{Off: 5, Miss: 2, Go: 3}
		c.Call = func(p unsafe.Pointer) {
			if p != unsafe.Pointer(x) || x.Rows != unsafe.Pointer(&rows[0]) ||
				x.Masks != unsafe.Pointer(&masks[0]) || x.Slots != unsafe.Pointer(&c.Slots[0]) ||
				x.Entry != 11 || x.Miss != 0 || x.Go != 0 || x.Told != 0 {
				t.Errorf("code runs on %+v", x)
			}
			if times++; times < 3 {
				x.Told, x.Miss, x.Go = uint64(times), 1, 1
			}
		}
		x.Note = func(n Note) bool {
			told = append(told, n[0].Inst)
			return all
		}
		c.Run(x, 11, rows, masks)
		if want := map[bool][]int32{true: {7, 9}, false: {7}}[all]; !slices.Equal(told, want) || x.Off != 0 {
			t.Errorf("told of %v, want %v", told, want)
		}
		if x.Rows != nil || x.Masks != nil || x.Slots != nil {
			t.Error("the context keeps what it worked on")
		}
		uniform, items := make([]byte, 4), make([]uint32, 32)
		x.Say(uniform, items)
		if x.Uniform != unsafe.Pointer(&uniform[0]) || x.Items != unsafe.Pointer(&items[0]) {
			t.Error("the context has other memory")
		}
	}
}

// A steady observer wants to know the same until it says otherwise.
type steady struct{ which bool }

func (steady) Observe(*simt.Access) bool               { return false }
func (steady) Wants(*simt.Wave, simt.Space, bool) bool { return true }
func (s *steady) Steady(*simt.Wave) bool               { return s.which }

// TestWays: what code does of accesses is kept until observers want to know something else, and never where
// nobody knows how long they want the same.
func TestWays(t *testing.T) {
	m, err := simt.New(simt.NewMemory(), &rowISA{}, simt.Dispatch{Grid: [3]uint32{1, 1, 1},
		Block: [3]uint32{1, 1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	var k Ways
	s := &steady{}
	m.AddObserver(s)
	x := &Context{Noted: 5}
	x.Wanted[1][1] = 2
	ask := func(when string, want bool) {
		t.Helper()
		var y Context
		if still := k.Still(&y, m, nil); still != want {
			t.Errorf("%s: kept %v", when, still)
		} else if still && (y.Noted != x.Noted || y.Wanted != x.Wanted) {
			t.Errorf("%s: code does %+v", when, y)
		}
		k.Keep(x)
	}
	ask("at first", false)
	ask("then", true)
	s.which = true
	ask("once it wants something else", false)
	ask("then", true)
	m.AddObserver(restless{})
	ask("where another does not say", false)
	ask("and again", false)
}

// A restless observer does not say how long it wants to know the same.
type restless struct{}

func (restless) Observe(*simt.Access) bool { return false }

// TestMerge: the lanes of a mask are copied, of rows of 32 and of 64 lanes, and the lanes are found that are
// not 0.
func TestMerge(t *testing.T) {
	var s Stepper
	for _, lanes := range []int{32, 64} {
		d, from, want := make([]uint64, 2*lanes), make([]uint64, 2*lanes), make([]uint64, 2*lanes)
		mask := uint64(0x8000_0005_f000_0006)
		if lanes == 32 {
			mask &= math.MaxUint32
		}
		yes := uint64(0)
		for i := range d {
			d[i], from[i] = uint64(i), uint64(1000+i)<<(i%50)
			if want[i] = d[i]; mask>>(i%lanes)&1 != 0 {
				want[i] = from[i]
			}
		}
		row := make([]uint64, lanes)
		for l := range row {
			if l%3 == 1 {
				row[l] = 1 << (2 * (l % 32))
				yes |= 1 << l
			}
		}
		s.Merge(d, from, lanes, mask)
		if !slices.Equal(d, want) {
			t.Errorf("%d lanes: %v, want %v", lanes, d, want)
		}
		if got := s.Truths(row); got != yes {
			t.Errorf("%d lanes: %#x are not 0, want %#x", lanes, got, yes)
		}
	}
}

// TestStepped: what a core cannot execute step by step is left to its own way.
func TestStepped(t *testing.T) {
	var made Stepping
	choose := Op{Op: vec.WideSelect, D: 1, S: [3]Value{{Reg: 1}, {Reg: 2}}, In: Mask{N: 1}, Under: always}
	for _, c := range []struct {
		why string
		ops []Op
		can bool
	}{
		{"arithmetic", []Op{add(1, 0)}, true},
		{"under a mask", []Op{under(add(1, 0), 1)}, false},
		{"a load", []Op{load(1, 0)}, false},
		{"a store", []Op{store(1, 0)}, false},
		{"a choice by a mask that is not known", []Op{choose}, false},
		{"by one that is", []Op{test(1, 1), choose}, true},
		{"by another", []Op{test(2, 1), choose}, false},
	} {
		if got := made.Steps(c.ops) != nil; got != c.can {
			t.Errorf("%s: %v, want %v", c.why, got, c.can)
		}
	}
	var tests []Op
	for p := range int32(mostStepMasks) {
		tests = append(tests, test(p, 1))
	}
	if made.Steps(tests) == nil || made.Steps(append(tests, test(mostStepMasks, 1))) != nil {
		t.Error("an instruction has another number of masks")
	}
}

// TestJoin: who waits when a team begins does so at one barrier.
func TestJoin(t *testing.T) {
	team := Team{Meets: []Meeting{0, 1, 2, 1}}
	for _, c := range []struct {
		at    []int32 // where members stand; those behind 0 wait behind the barrier before
		waits []bool
		want  bool
	}{
		{[]int32{0, 3}, []bool{false, false}, true},
		{[]int32{2, 0, 2}, []bool{true, false, true}, true},
		{[]int32{2, 4}, []bool{true, true}, true}, // another instruction, of one barrier
		{[]int32{2, 3}, []bool{true, true}, false},
		{[]int32{0, 1}, []bool{false, true}, false}, // which is none
	} {
		team.Begin()
		joined := true
		for i, at := range c.at {
			joined = joined && team.Join(Member{At: at, Waits: c.waits[i]})
		}
		if joined != c.want || joined && len(team.Members) != len(c.at) {
			t.Errorf("at %v, who wait %v: %v", c.at, c.waits, joined)
		}
	}
}

// TestTogether: loads of a Note are told of together from its beginning on, up to what is none of global
// memory in all lanes, what is in other calls, or more rows than are told of.
func TestTogether(t *testing.T) {
	at := func(inst, reg int32, offset int64, size int) NoteAccess {
		o := load(1, reg)
		o.Offset, o.Size = offset, size
		return NoteAccess{Inst: inst, Op: &o}
	}
	with := func(a NoteAccess, change func(o *Op)) NoteAccess {
		o := *a.Op
		change(&o)
		a.Op = &o
		return a
	}
	shared := with(at(1, 2, 0, 4), func(o *Op) { o.Space = Shared })
	stores := with(at(1, 2, 0, 4), func(o *Op) { o.Kind = Store })
	some := with(at(1, 2, 0, 4), func(o *Op) { o.Under = Mask{N: 0} })
	var many Note
	for reg := range int32(mostRows + 1) {
		many = append(many, at(reg, reg, 0, 4))
	}
	calls := func(inst int32) []uint64 {
		if inst >= 50 {
			return []uint64{3}
		}
		return nil
	}
	for _, c := range []struct {
		why   string
		n     Note
		count int
		want  string // instruction, row, offset and size of each
		rows  []int32
	}{
		{"one", Note{at(1, 2, 8, 4)}, 1, "1 0 8 4,", []int32{2}},
		{"two rows", Note{at(1, 2, 8, 4), at(2, 3, 0, 8), at(3, 2, 0, 4)}, 3, "1 0 8 4,2 1 0 8,3 0 0 4,",
			[]int32{2, 3}},
		{"parts of one access", Note{at(1, 2, 8, 4), at(1, 2, 12, 8), at(2, 2, 20, 4)}, 3,
			"1 0 8 12,2 0 20 4,", []int32{2}},
		{"parts with a gap", Note{at(1, 2, 8, 4), at(1, 2, 16, 4)}, 2, "1 0 8 4,1 0 16 4,", []int32{2}},
		{"parts of two rows", Note{at(1, 2, 8, 4), at(1, 3, 12, 4)}, 2, "1 0 8 4,1 1 12 4,", []int32{2, 3}},
		{"a store behind", Note{at(1, 2, 8, 4), stores, at(2, 2, 0, 4)}, 1, "1 0 8 4,", []int32{2}},
		{"shared memory behind", Note{at(1, 2, 8, 4), shared}, 1, "1 0 8 4,", []int32{2}},
		{"some lanes", Note{some, at(1, 2, 8, 4)}, 0, "", nil},
		{"as many rows as are told of", many[:mostRows], mostRows, "", []int32{0, 1, 2, 3, 4, 5, 6, 7}},
		{"one more", many, mostRows, "", []int32{0, 1, 2, 3, 4, 5, 6, 7}},
		{"one more load of a row", append(slices.Clone(many[:mostRows]), at(9, 0, 4, 4)), mostRows + 1, "",
			[]int32{0, 1, 2, 3, 4, 5, 6, 7}},
		{"another call", Note{at(1, 2, 8, 4), at(50, 2, 8, 4)}, 1, "1 0 8 4,", []int32{2}},
		{"calls", Note{at(50, 2, 8, 4), at(51, 2, 8, 4), at(1, 2, 8, 4)}, 2, "50 0 8 4,51 0 8 4,",
			[]int32{2}},
	} {
		of := c.n.together(func(inst int32) (uint64, []uint64) { return uint64(inst), calls(inst) })
		got := ""
		for _, l := range of.loads.All {
			got += fmt.Sprintf("%d %d %d %d,", l.PC, l.Row, l.Add, l.Size)
		}
		if of.count != c.count || c.want != "" && got != c.want || !slices.Equal(of.rows, c.rows) ||
			len(of.loads.Rows) != len(of.rows) {
			t.Errorf("%s: %d are together, %s of rows %d; want %d, %s, %d", c.why, of.count, got, of.rows,
				c.count, c.want, c.rows)
		}
	}
}

// TestText: row code is printed with all that it depends on.
func TestText(t *testing.T) {
	in := func(o Op, s Space) Op {
		o.Space = s
		return o
	}
	less := test(1, 2)
	less.Invert = true
	u := &Unit{At: 9, Insts: []Inst{
		{Ops: []Op{{Kind: Copy, D: -2, S: [3]Value{{Const: true, Imm: 16}}, Under: Mask{N: 3, Not: true}},
			less}},
		{Ops: []Op{{Op: vec.WideSelect, D: 1, S: [3]Value{{Reg: 2}, {Reg: -1}}, In: Mask{N: 2},
			Under: always}}},
		{Ops: []Op{in(store(1, 2), Private), in(load(1, 2), Items)}},
		{},
		{Flow: Branch, Target: 3, Cond: Mask{N: 1}, More: []Case{{Mask{N: 2, Not: true}, 5}}, Else: 7},
	}}
	want := "9:\tunder !m3 t2 = 0x10\n\tm1 = not LtU r2 r2\n10:\tr1 = Select r2 t1 by m2\n" +
		"11:\tprivate32[r1+0] = r2\n\tr1 = items32[r2+8]\n12:\n" +
		"13:\tgo to 3 if m1\n\tgo to 5 if !m2\n\telse to 7\n"
	if got := u.String(); got != want {
		t.Errorf("printed\n%s, want\n%s", got, want)
	}
	u.Insts = []Inst{{Flow: Jump, Target: 4}}
	if got := u.String(); got != "9:\tgo to 4\n" {
		t.Errorf("printed %q", got)
	}
}
