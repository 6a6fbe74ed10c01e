package rows

import (
	"encoding/binary"
	"slices"
	"testing"

	"simtgdb/simt/vec"
)

// TestUnitRun: an instruction is executed if all accesses of its lanes may be, else nothing of it happens nor
// of what follows; lanes that are off, or not in the mask, access nothing and keep what they have.
func TestUnitRun(t *testing.T) {
	global := func(o Op, align int) Op {
		o.Align = align
		return o
	}
	two := func(o ...Op) []Inst { return []Inst{{Known: true, Ops: o}} }
	sized := func(o Op, size int) Op {
		o.Size, o.Offset = size, 0
		return o
	}
	for _, c := range []struct {
		name   string
		insts  []Inst
		active uint32
		bad    int // the lane whose address is one that nothing is at; -1 for none
		odd    int // the lane whose address is no multiple of what accesses are aligned to
		ran    int
		want   map[int]uint64 // numbers of register 1 by lanes
	}{
		{"all lanes", unit(load(1, 0)).Insts, ^uint32(0), -1, -1, 1, map[int]uint64{0: 1002, 31: 1033}},
		{"a lane nowhere", unit(add(1, 1), load(1, 0), add(1, 1)).Insts, ^uint32(0), 5, -1, 1,
			map[int]uint64{0: 10, 5: 15}},
		{"which is off", unit(load(1, 0)).Insts, ^uint32(1 << 5), 5, -1, 1, map[int]uint64{4: 1006, 5: 12}},
		{"which is not in the mask", unit(under(load(1, 0), 1)).Insts, ^uint32(0), 5, -1, 1,
			map[int]uint64{4: 11, 6: 1008, 5: 12}},
		{"which is", unit(under(load(1, 0), 1)).Insts, ^uint32(0), 6, -1, 0, map[int]uint64{4: 11, 6: 13}},
		{"not aligned", unit(load(1, 0)).Insts, ^uint32(0), -1, 3, 0, map[int]uint64{3: 10}},
		{"by more than a byte", unit(global(load(1, 0), 8)).Insts, 1 << 1, -1, -1, 0, map[int]uint64{1: 8}},
		{"which others are", unit(global(load(1, 0), 8)).Insts, 1 << 2, -1, -1, 1, map[int]uint64{2: 1004}},
		{"bytes", unit(sized(load(1, 0), 1)).Insts, 1, -1, -1, 1, map[int]uint64{0: 1000 & 0xff}},
		{"8 bytes", unit(sized(load(1, 0), 8)).Insts, 1, -1, -1, 1, map[int]uint64{0: 1000 | 1001<<32}},
		{"one operation that may not be", two(add(1, 1), load(2, 0)), ^uint32(0), 9, -1, 0,
			map[int]uint64{9: 16, 0: 7}},
		{"a store and what it has stored", append(unit(store(0, 1)).Insts, Inst{Known: true,
			Ops: []Op{sized(load(1, 0), 4)}}), 1<<7 | 1<<8, -1, -1, 2, map[int]uint64{7: 14, 8: 15}},
		{"a choice", unit(Op{Op: vec.WideSelect, D: 1, S: [3]Value{{Reg: 1}, {Const: true, Imm: 77}},
			In: Mask{N: 1, Not: true}, Under: always}).Insts, ^uint32(0), -1, -1, 1, map[int]uint64{4: 11,
			6: 77}},
		{"a copy under a mask's opposite", unit(Op{Kind: Copy, D: 1, S: [3]Value{{Const: true, Imm: 77}},
			Under: Mask{N: 1, Not: true}}).Insts, ^uint32(2), -1, -1, 1, map[int]uint64{0: 77, 1: 8, 4: 77,
			6: 13}},
	} {
		s := &State{Rows: make([]vec.Wide, 3), Masks: []uint32{0, 0xffffffc0}, Active: c.active}
		data := make([]byte, 256)
		for l := range uint64(Lanes) {
			s.Rows[0][l], s.Rows[1][l] = 4096+4*l, 7+l
		}
		for i := range uint32(64) {
			binary.LittleEndian.PutUint32(data[4*i:], 1000+i)
		}
		if c.bad >= 0 {
			s.Rows[0][c.bad] = 1 << 20
		}
		if c.odd >= 0 {
			s.Rows[0][c.odd] += 2
		}
		s.Memory = func(_ Space, _ int, at uint64, size int, _ bool) []byte {
			if at -= 4096; at > uint64(len(data)-size) {
				return nil
			}
			return data[at:][:size]
		}
		u := Unit{Insts: c.insts}
		if ran := u.Run(s); ran != c.ran {
			t.Errorf("%s: %d instructions, want %d", c.name, ran, c.ran)
		}
		for l, want := range c.want {
			if got := s.Rows[1][l]; got != want {
				t.Errorf("%s: lane %d has %d, want %d", c.name, l, got, want)
			}
		}
	}
}

// TestGuards: lanes that a guard keeps from an instruction are counted; those of a branch are not here.
func TestGuards(t *testing.T) {
	guarded := func(flow Flow, not bool) Inst {
		return Inst{Known: true, Guarded: true, Guard: Mask{N: 0, Not: not}, Flow: flow,
			Ops: []Op{{Kind: Copy, D: 0, S: [3]Value{{Const: true, Imm: 5}}, Under: Mask{N: 0, Not: not}}}}
	}
	s := &State{Rows: make([]vec.Wide, 1), Masks: []uint32{0x0f}, Active: 0x3c}
	u := Unit{Insts: []Inst{guarded(Next, false), guarded(Next, true), {Known: true}, guarded(Branch, false)}}
	if n := u.Run(s); n != 4 || s.Off != 2+2 {
		t.Errorf("%d instructions, %d lanes are off", n, s.Off)
	}
	want := vec.Wide{2: 5, 3: 5, 4: 5, 5: 5}
	if s.Rows[0] != want {
		t.Errorf("%v", s.Rows[0])
	}
	if n := (&Unit{Insts: []Inst{{}, {Free: true}, {}}}).Count(0); n != 2 {
		t.Errorf("%d instructions count", n)
	}
}

// TestFirstNaN: where it is to come out, a result that is a NaN is the first operand that is one, quiet,
// and of an invalid operation the positive quiet NaN; what is no NaN, and lanes that are off, are as they
// are.
func TestFirstNaN(t *testing.T) {
	for _, c := range []struct {
		op   vec.WideOp
		s    [3]uint64
		want uint64
	}{
		{vec.WideAddF32, [3]uint64{0x3f800000, 0x40000000}, 0x40400000},
		{vec.WideAddF32, [3]uint64{0x7f812345, 0xffc54321}, 0x7fc12345},
		{vec.WideAddF32, [3]uint64{0x3f800000, 0xff854321}, 0xffc54321},
		{vec.WideSubF32, [3]uint64{0x7f800000, 0x7f800000}, 0x7fc00000},
		{vec.WideFmaF32, [3]uint64{0x3f800000, 0x3f800000, 0xff800001}, 0xffc00001},
		{vec.WideSqrtF32, [3]uint64{0xbf800000}, 0x7fc00000},
		{vec.WideMulF64, [3]uint64{0x7ff0000000000001, 0xfff8000000000002}, 0x7ff8000000000001},
		{vec.WideDivF64, [3]uint64{0, 0}, 0x7ff8000000000000},
		{vec.WideAddF64, [3]uint64{1 << 62, 0}, 1 << 62},
	} {
		s := &State{Rows: make([]vec.Wide, 4), Active: 0x80000001}
		for i, v := range c.s {
			s.Rows[i] = vec.Wide{v, v, 31: v}
		}
		for d := range int32(4) { // also into an operand
			of := &State{Rows: slices.Clone(s.Rows), Active: s.Active}
			o := Op{Op: c.op, D: d, S: [3]Value{{Reg: 0}, {Reg: 1}, {Reg: 2}}, NaN: FirstNaN, Under: always}
			before := of.Rows[d][1]
			(&Unit{Insts: []Inst{{Known: true, Ops: []Op{o}}}}).Run(of)
			if got := of.Rows[d]; got[0] != c.want || got[31] != c.want || got[1] != before {
				t.Errorf("%v of %#x into %d is %#x, %#x where lanes are off; want %#x", c.op, c.s, d,
					got[0], got[1], c.want)
			}
		}
	}
}
