package rows

import (
	"fmt"
	"slices"
	"testing"
)

// TestParting: units do not go through to where lanes may wait, and lanes that have parted go on at the
// lowest number, together where they meet; where they do nothing but end, at once.
func TestParting(t *testing.T) {
	inst := func(ops ...Op) Inst { return Inst{Known: true, Ops: ops} }
	jump := func(to int32) Inst { return Inst{Known: true, Flow: Jump, Target: to} }
	code := list{
		inst(add(1, 0)),  // 0
		inst(test(1, 1)), // 1: a loop
		{Known: true, Flow: Branch, Target: 3, Else: 7, Cond: Mask{N: 1}},
		inst(add(2, 1)), // 3
		{Known: true, Flow: Branch, Target: 5, Else: 6, Cond: Mask{N: 0, Not: true}},
		jump(7),
		jump(1),         // 6
		inst(add(3, 2)), // 7
		inst(store(0, 3)),
	}
	var got []string
	units, err := Whole(code, 0, 9, 8, 2, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range units {
		var of []int32
		for i := range u.Insts {
			of = append(of, u.Insts[i].Number)
		}
		got = append(got, fmt.Sprint(of))
	}
	slices.Sort(got)
	if want := []string{"[0]", "[1 2]", "[3 4]", "[5]", "[6 1 2]", "[7 8]"}; !slices.Equal(got, want) {
		t.Errorf("units of %v, want %v", got, want)
	}

	o := NewOrder(units, []int32{5}, 9)
	o.Begin()
	if stop, alone := o.Stop(); stop != 9 || !alone {
		t.Errorf("nobody waits: stops at %d, alone: %v", stop, alone)
	}
	o.Part(1, 0xff, []uint32{0, 0x0f}, 32) // f0 leave the loop
	next := func(wantAt int32, want uint64, wantInsts, wantLanes uint64) {
		t.Helper()
		at, lanes, insts, ofLanes := o.Next()
		if at != wantAt || lanes != want || insts != wantInsts || ofLanes != wantLanes {
			t.Errorf("lanes %#x go on at %d after %d and %d instructions, want %#x at %d after %d and %d",
				lanes, at, insts, ofLanes, want, wantAt, wantInsts, wantLanes)
		}
	}
	next(3, 0x0f, 0, 0)
	if stop, alone := o.Stop(); stop != 7 || alone {
		t.Errorf("lanes wait for 7: stops at %d, alone: %v", stop, alone)
	}
	o.Part(3, 0x0f, []uint32{0xfe, 0}, 32) // lane 0 alone goes to 5, and on to 7
	next(6, 0x0e, 1, 1)
	o.Wait(7, 0x0e)
	next(7, 0xff, 0, 0)
	o.Wait(9, 0xff)
	next(9, 0, 0, 0)
	o.Begin()
	o.Wait(3, 1)
	o.Wait(5, 2) // where lanes end
	o.Wait(4, 4)
	next(3, 1, 1, 1)
}

// TestNothingReads: what computes a register that nothing reads is dropped, with what that alone has read.
func TestNothingReads(t *testing.T) {
	in := func(ops ...Op) Inst { return Inst{Known: true, Ops: ops} }
	code := list{in(add(-1, 0), add(1, -1), add(2, 1)), in(under(add(2, 0), 1)), in(add(3, 0)),
		in(load(4, 0)), in(add(-2, 3), add(2, -2), add(-1, 2)), in(store(0, 2))}
	units, err := Whole(code, 0, int32(len(code)), 8, 2, false)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for i := range units[0].Insts {
		for k := range units[0].Insts[i].Ops {
			all = append(all, units[0].Insts[i].Ops[k].String())
		}
	}
	want := []string{"r3 = Add r0 0x3", "r4 = global32[r0+8]", "t2 = Add r3 0x3", "r2 = Add t2 0x3",
		"global32[r0+0] = r2"}
	if !slices.Equal(all, want) {
		t.Errorf("%q are left, want %q", all, want)
	}
}
