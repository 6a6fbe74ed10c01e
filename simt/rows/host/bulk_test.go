package host

import (
	"encoding/binary"
	"testing"

	"simtgdb/simt/rows"
	"simtgdb/simt/vec"
)

type list []rows.Inst

func (l list) Inst(n int32) rows.Inst {
	if int(n) >= len(l) {
		return rows.Inst{}
	}
	return l[n]
}

// TestPartedWaves: lanes that have parted store once all have come where nothing is left but that. A wave
// some of whose lanes come to what has no code has stored nothing.
func TestPartedWaves(t *testing.T) {
	if !Available() {
		t.Skip("this host has no translated code")
	}
	const lanes, base = 32, 0x1000
	always := rows.Mask{N: rows.Always}
	value := func(r int32) rows.Value { return rows.Value{Reg: r} }
	three := rows.Value{Const: true, Imm: 3}
	add := rows.Inst{Known: true, Ops: []rows.Op{{Op: vec.WideAdd, D: 1, S: [3]rows.Value{value(1), three},
		Under: always}}}
	jump := func(to int32) rows.Inst { return rows.Inst{Known: true, Flow: rows.Jump, Target: to} }
	// Lanes that are below 20 get more, and then all store, or the others come to what has no code.
	code := func(other int32) list {
		return list{
			{Known: true, Ops: []rows.Op{{Kind: rows.Test, Op: vec.WideLtU, P: 0,
				S: [3]rows.Value{value(1), {Const: true, Imm: 20}}, Under: always}}},
			{Known: true, Flow: rows.Branch, Target: 2, Else: other, Cond: rows.Mask{N: 0}},
			add,
			jump(4),
			{Known: true, Ops: []rows.Op{{Kind: rows.Store, Size: 4, S: [3]rows.Value{value(0), value(1)},
				Under: always}}},
			jump(7),
			{},
		}
	}
	for _, c := range []struct {
		other int32
		ok    bool
	}{{4, true}, {6, false}} {
		units, err := rows.Whole(code(c.other), 0, 7, 2, 1, true)
		if err != nil {
			t.Fatal(err)
		}
		r := make([]uint64, 2*lanes)
		for l := range lanes {
			r[l], r[lanes+l] = base+4*uint64(l), uint64(l)
		}
		var shared Shared
		translate := func() (*rows.Code, error) { return Translate(units, true, lanes) }
		if _, err := shared.Code(c.other, translate); err != nil { // another core's
			t.Fatal(err)
		}
		code, err := shared.Code(c.other, func() (*rows.Code, error) { return nil, nil })
		if err != nil || code == nil {
			t.Fatalf("it is not shared: %v", err)
		}
		b := NewBulk(code, units[0].At, 7, r, make([]uint32, 1), nil, lanes, rows.NewOrder(units, nil, 7))
		data := make([]byte, 4*lanes)
		insts, ofLanes, ok := b.Run(1<<lanes-1, 1000, func(*rows.Access) rows.Slot {
			for l := range lanes { // it begins anew
				r[lanes+l] = uint64(l)
			}
			return rows.SlotOf(base, data)
		})
		if ok != c.ok || ok && (insts != 6 || ofLanes != 4*lanes+2*20) {
			t.Errorf("%v after %d and %d instructions", ok, insts, ofLanes)
		}
		for l := range lanes {
			want := uint32(l)
			if l < 20 {
				want += 3
			}
			if !c.ok {
				want = 0
			}
			if got := binary.LittleEndian.Uint32(data[4*l:]); got != want {
				t.Errorf("lane %d has stored %d, want %d", l, got, want)
			}
		}
	}
}

// TestWholeWaves: a wave of code that does not part is executed from its entry to its end, in so many
// instructions at most, with registers that are 0 where they are to be, and once the memory of its accesses
// is found; where that is nowhere it has done nothing.
func TestWholeWaves(t *testing.T) {
	if !Available() {
		t.Skip("this host has no translated code")
	}
	const lanes, base = 32, 0x1000
	always := rows.Mask{N: rows.Always}
	reg := func(n int32) rows.Value { return rows.Value{Reg: n} }
	in := func(o rows.Op) rows.Inst { return rows.Inst{Known: true, Ops: []rows.Op{o}} }
	code := list{
		in(rows.Op{Op: vec.WideAdd, D: 1, S: [3]rows.Value{reg(1), {Const: true, Imm: 7}}, Under: always}),
		in(rows.Op{Op: vec.WideAdd, D: 1, S: [3]rows.Value{reg(1), reg(2)}, Under: always}),
		in(rows.Op{Kind: rows.Store, Size: 4, S: [3]rows.Value{reg(0), reg(1)}, Under: always}),
	}
	units, err := rows.Whole(code, 0, 3, 3, 1, false)
	if err != nil {
		t.Fatal(err)
	}
	translated, err := Translate(units, false, lanes)
	if err != nil {
		t.Fatal(err)
	}
	data := make([]byte, 4*lanes)
	for _, c := range []struct {
		name          string
		active, n     uint64
		slot          rows.Slot
		insts, ofThem uint64
		ok            bool
		fills         int
	}{
		{"memory that is nowhere", 1<<lanes - 1, 100, rows.Slot{}, 0, 0, false, 1},
		{"too few instructions", 1<<lanes - 1, 2, rows.SlotOf(base, data), 0, 0, false, 0},
		{"all lanes", 1<<lanes - 1, 3, rows.SlotOf(base, data), 3, 3 * lanes, true, 1},
		{"some, where memory is known", 0xff, 1 << 63, rows.Slot{}, 3, 24, true, 0},
	} {
		r := make([]uint64, 3*lanes)
		for l := range lanes {
			r[l], r[lanes+l], r[2*lanes+l] = base+4*uint64(l), 1000, uint64(l)
		}
		clear(data)
		fills := 0
		b := NewBulk(translated, units[0].At, 3, r, make([]uint32, 1), []int32{1}, lanes, nil)
		insts, ofThem, ok := b.Run(c.active, c.n, func(*rows.Access) rows.Slot {
			fills++
			return c.slot
		})
		if ok != c.ok || ok && (insts != c.insts || ofThem != c.ofThem) || fills != c.fills {
			t.Errorf("%s: %d and %d instructions, %v, memory is looked for %d times", c.name, insts, ofThem,
				ok, fills)
		}
		for l := range lanes {
			want := uint32(0)
			if c.ok && c.active>>l&1 != 0 {
				want = 7 + uint32(l)
			}
			if got := binary.LittleEndian.Uint32(data[4*l:]); got != want {
				t.Errorf("%s: lane %d has stored %d, want %d", c.name, l, got, want)
			}
		}
		if c.name == "some, where memory is known" {
			b.Forget()
			if _, _, ok := b.Run(1, 100, func(*rows.Access) rows.Slot { return rows.Slot{} }); ok {
				t.Error("where memory is once slots are forgotten is known")
			}
		}
	}
}
