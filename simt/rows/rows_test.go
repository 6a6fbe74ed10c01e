package rows

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"simtgdb/simt/vec"
)

var always = Mask{N: Always}

func unit(ops ...Op) *Unit {
	u := &Unit{At: 5}
	for _, o := range ops {
		u.Insts = append(u.Insts, Inst{Known: true, Ops: []Op{o}})
	}
	return u
}

func load(d, at int32) Op {
	return Op{Kind: Load, D: d, S: [3]Value{{Reg: at}}, Size: 4, Offset: 8, Under: always}
}

func store(at, v int32) Op {
	return Op{Kind: Store, S: [3]Value{{Reg: at}, {Reg: v}}, Size: 4, Under: always}
}

func add(d, a int32) Op {
	return Op{Op: vec.WideAdd, D: d, S: [3]Value{{Reg: a}, {Const: true, Imm: 3}}, Under: always}
}

func test(p, a int32) Op {
	return Op{Kind: Test, Op: vec.WideLtU, P: p, S: [3]Value{{Reg: a}, {Reg: a}}, Under: always}
}

func under(o Op, m int32) Op {
	o.Under = Mask{N: m}
	return o
}

// TestCut: a segment ends where an address or the mask of an access is not yet known, and where lanes could
// see what others write.
func TestCut(t *testing.T) {
	for _, c := range []struct {
		why  string
		ops  []Op
		want []int // the first instruction of each segment
	}{
		{"loads and arithmetic", []Op{load(1, 0), add(2, 1), load(3, 0), add(3, 3)}, []int{0}},
		{"an address of the segment", []Op{add(1, 0), load(2, 1)}, []int{0, 1}},
		{"a loaded address", []Op{load(1, 0), load(2, 1)}, []int{0, 1}},
		{"an address that is overwritten", []Op{load(0, 0), add(1, 0)}, []int{0}},
		{"a store of what was computed", []Op{add(1, 0), store(0, 1)}, []int{0}},
		{"a store behind a load", []Op{load(1, 0), store(0, 1)}, []int{0, 1}},
		{"behind a store", []Op{store(0, 1), add(1, 0)}, []int{0, 1}},
		{"two stores", []Op{store(0, 1), store(0, 2)}, []int{0, 1}},
		{"an access under a mask of the segment", []Op{test(0, 1), under(load(2, 0), 0)}, []int{0, 1}},
		{"arithmetic under a mask of the segment", []Op{test(0, 1), under(add(2, 0), 0)}, []int{0}},
	} {
		var got []int
		end := 0
		for _, s := range Cut(unit(c.ops...)) {
			if s.First != end {
				t.Errorf("%s: a segment begins at %d behind one that ends at %d", c.why, s.First, end)
			}
			got, end = append(got, s.First), s.Last
		}
		if len(got) != len(c.want) || end != len(c.ops) || got[len(got)-1] != c.want[len(got)-1] {
			t.Errorf("%s: segments begin at %v and end at %d, want %v", c.why, got, end, c.want)
		}
	}
}

// TestVerify: what translators rely on is refused if it is not so.
func TestVerify(t *testing.T) {
	bad := load(1, 0)
	bad.Size = 3
	odd := load(1, 0)
	odd.Offset = 6
	constant := load(1, 0)
	constant.S[0] = Value{Const: true}
	two := unit(load(1, 0))
	two.Insts[0].Ops = append(two.Insts[0].Ops, load(2, 1))
	jumps := unit(add(1, 0), add(1, 0))
	jumps.Insts[0].Flow = Jump
	for why, u := range map[string]*Unit{"size": unit(bad), "offset": unit(odd),
		"constant address":           unit(constant),
		"address of the instruction": two, "jump in the middle": jumps, "register": unit(add(9, 0)),
		"source": unit(add(1, 9)), "mask": unit(under(add(1, 0), 2)), "no mask": unit(test(-1, 0))} {
		if Verify(u, 5, 2) == nil {
			t.Errorf("%s: nothing is found wrong with\n%v", why, u)
		}
	}
	good := unit(under(add(1, 0), 1), load(2, 1), test(1, 2))
	if err := Verify(good, 5, 2); err != nil {
		t.Error(err)
	}
	want := "5:\tunder m1 r1 = Add r0 0x3\n6:\tr2 = global32[r1+8]\n7:\tm1 = LtU r2 r2\n"
	if got := good.String(); strings.TrimSpace(got) != strings.TrimSpace(want) {
		t.Errorf("printed %q, want %q", got, want)
	}
}

// TestVerifyAccesses: row code has accesses of some sizes alone, no farther from their registers than code
// can say, and checks what it accesses before an instruction does anything.
func TestVerifyAccesses(t *testing.T) {
	change := func(o Op, by func(o *Op)) Op {
		by(&o)
		return o
	}
	in := func(o Op, s Space) Op {
		o.Space = s
		return o
	}
	constant := func(o Op, at uint64) Op {
		o.S[0] = Value{Const: true, Imm: at}
		return o
	}
	sized := func(o Op, size int, offset int64) Op {
		o.Size, o.Offset = size, offset
		return o
	}
	for _, c := range []struct {
		why  string
		ops  []Op
		good bool
	}{
		{"a byte", []Op{sized(load(1, 0), 1, 3)}, true},
		{"8 bytes", []Op{sized(load(1, 0), 8, 16)}, true},
		{"8 bytes amid others", []Op{sized(load(1, 0), 8, 12)}, false},
		{"16 bytes", []Op{sized(load(1, 0), 16, 0)}, false},
		{"no bytes", []Op{sized(load(1, 0), 0, 0)}, false},
		{"two bytes of shared memory", []Op{in(sized(load(1, 0), 2, 6), Shared)}, true},
		{"two bytes of private memory", []Op{in(sized(load(1, 0), 2, 4), Private)}, false},
		{"8 bytes of private memory", []Op{in(sized(load(1, 0), 8, 8), Private)}, true},
		{"8 bytes at a place of private memory", []Op{constant(in(sized(load(1, 0), 8, 4), Private), 8)},
			true},
		{"a place that no dword is at", []Op{constant(in(load(1, 0), Private), 6)}, false},
		{"an offset that no dword is at", []Op{constant(in(sized(load(1, 0), 4, 2), Private), 8)}, false},
		{"a place of global memory", []Op{constant(load(1, 0), 8)}, false},
		{"a place of shared memory", []Op{constant(in(load(1, 0), Shared), 8)}, false},
		{"what the machine says of lanes", []Op{constant(in(load(1, 0), Items), 8)}, true},
		{"and where a register says", []Op{in(load(1, 0), Items)}, false},
		{"a store to it", []Op{constant(in(store(0, 1), Items), 8)}, false},
		{"a store to what it says of the wave", []Op{constant(in(store(0, 1), Uniform), 8)}, false},
		{"a place in private memory stored to", []Op{constant(in(store(0, 1), Private), 8)}, true},
		{"aligned to 16", []Op{change(load(1, 0), func(o *Op) { o.Align = 16 })}, true},
		{"aligned to 12", []Op{change(load(1, 0), func(o *Op) { o.Align = 12 })}, false},
		{"as far as may be", []Op{sized(load(1, 0), 4, 1<<28), sized(load(1, 0), 4, -1<<28)}, true},
		{"farther", []Op{sized(load(1, 0), 4, 1<<28+4)}, false},
		{"farther before", []Op{sized(load(1, 0), 4, -1<<28-4)}, false},
		{"as far in private memory", []Op{in(sized(load(1, 0), 4, 1<<24), Private)}, true},
		{"farther there", []Op{in(sized(load(1, 0), 4, 1<<24+4), Private)}, false},
		{"a store behind a load", []Op{load(1, 0), store(0, 2)}, false},
		{"a load behind a store", []Op{store(0, 2), load(1, 0)}, false},
		{"a private store behind a load", []Op{load(1, 0), in(store(0, 2), Private)}, true},
		{"a private load behind a store", []Op{store(0, 2), in(load(1, 0), Private)}, true},
		{"a store behind a private load", []Op{in(load(1, 0), Private), store(0, 2)}, true},
		{"a register of the instruction", []Op{add(-1, 0), add(1, -1)}, true},
		{"one that it has not written", []Op{add(-1, 0), add(1, -2)}, false},
		{"more than it has", []Op{add(-Temps, 0), add(-Temps-1, 0)}, false},
		{"the last register and mask", []Op{under(add(4, 4), 1), test(1, 4)}, true},
		{"a mask behind it", []Op{under(add(1, 0), 2)}, false},
		{"a test into one behind it", []Op{test(2, 1)}, false},
		{"a choice by one behind it", []Op{{Op: vec.WideSelect, D: 1, In: Mask{N: 2}, Under: always}}, false},
	} {
		u := &Unit{Insts: []Inst{{Known: true, Ops: c.ops}}}
		if err := Verify(u, 5, 2); (err == nil) != c.good {
			t.Errorf("%s: %v", c.why, err)
		}
	}
	for n, good := range map[int32]bool{0: true, 1: true, 2: false, Always: false} {
		for i := range 2 {
			in := Inst{Known: true, Flow: Branch, More: []Case{{}}}
			if in.Cond.N = n; i > 0 {
				in.Cond.N, in.More[0].Cond.N = 0, n
			}
			if err := Verify(&Unit{Insts: []Inst{in}}, 5, 2); (err == nil) != good {
				t.Errorf("a branch by mask %d: %v", n, err)
			}
		}
	}
	if Verify(&Unit{Insts: []Inst{{}}}, 5, 2) == nil {
		t.Error("an instruction that is not known is in a unit")
	}
}

// A list is a program.
type list []Inst

func (l list) Inst(n int32) Inst {
	if int(n) >= len(l) {
		return Inst{}
	}
	return l[n]
}

// TestWhole: what may be done at once from the beginning to the end, and what is read no more.
func TestWhole(t *testing.T) {
	inst := func(ops ...Op) Inst { return Inst{Known: true, Ops: ops} }
	jump := func(to int32) Inst { return Inst{Known: true, Flow: Jump, Target: to} }
	branch := func(to, other int32) Inst {
		return Inst{Known: true, Flow: Branch, Target: to, Else: other, Cond: Mask{N: 1}}
	}
	shared := store(0, 1)
	shared.Space = Shared
	for _, c := range []struct {
		why   string
		code  list
		units int // 0: it may not
		unset []int32
		dead  string // of the first unit
	}{
		{"a store at the end", list{inst(add(1, 0)), inst(store(0, 1))}, 1, []int32{0}, "[] [0 1]"},
		{"what only some lanes write", list{inst(under(add(1, 0), 1)), inst(store(0, 1))}, 1, []int32{0, 1},
			"[] [0 1]"},
		{"a register that is overwritten", list{inst(add(1, 0)), inst(add(1, 0)), inst(store(0, 1))}, 1,
			[]int32{0}, "[1] [] [0 1]"},
		{"addresses of two loads", list{inst(load(1, 0)), inst(add(2, 0)), inst(load(3, 2)),
			inst(store(0, 3))}, 1, []int32{0}, "[] [1] [2] [0 3]"},
		{"a loaded address", list{inst(load(1, 0)), inst(add(2, 1)), inst(store(2, 1))}, 1, []int32{0},
			"[0] [] [2 1]"},
		{"a register that is used in vain", list{inst(store(0, 1)), inst(add(1, 2))}, 1, []int32{0, 1},
			"[0 1] [1 2]"},
		{"a register that is used before", list{inst(add(1, 2)), inst(store(0, 1))}, 1, []int32{0, 2},
			"[2] [0 1]"},
		{"a register that is written behind", list{inst(load(1, 2)), inst(add(2, 0)), inst(store(0, 2))}, 1,
			[]int32{0, 2}, "[1 2] [] [0 2]"},
		{"a load behind a store", list{inst(store(0, 1)), inst(load(1, 0))}, 0, nil, ""},
		{"two stores", list{inst(store(0, 1)), inst(store(0, 2))}, 0, nil, ""},
		{"arithmetic behind a store", list{inst(store(0, 1)), inst(add(1, 0))}, 1, []int32{0, 1},
			"[0 1] [1 0]"},
		{"no store", list{inst(add(1, 0))}, 0, nil, ""},
		{"shared memory", list{inst(shared)}, 0, nil, ""},
		{"a loop", list{inst(add(1, 0)), inst(test(1, 1)), branch(0, 3), inst(store(0, 1))}, 2, []int32{0}, "[] [] []"},
		{"a store in a loop", list{inst(store(0, 1)), branch(0, 2)}, 0, nil, ""},
		{"a jump", list{jump(2), {}, inst(store(0, 1)), jump(4)}, 1, []int32{0, 1}, "[] [0 1] []"},
		{"a store on one of two ways", list{branch(2, 1), jump(3), inst(store(0, 1))}, 3, []int32{0, 1}, "[]"},
		{"what has no row code", list{inst(add(1, 0)), {}, inst(store(0, 1))}, 0, nil, ""},
		{"what has none on one of two ways", list{branch(1, 2), {}, inst(store(0, 1))}, 2, []int32{0, 1}, "[]"},
		{"what has none behind a store", list{inst(store(0, 1)), {}}, 0, nil, ""},
	} {
		units, err := Whole(c.code, 0, int32(len(c.code)), 8, 2, false)
		if (err == nil) != (c.units > 0) || len(units) != c.units {
			t.Errorf("%s: %d units, %v, want %d", c.why, len(units), err, c.units)
		}
		if err != nil || len(units) == 0 {
			continue
		}
		var dead []string
		for i := range units[0].Insts {
			dead = append(dead, fmt.Sprint(units[0].Insts[i].Dead))
		}
		if got := strings.Join(dead, " "); got != c.dead {
			t.Errorf("%s: %s are dead, want %s", c.why, got, c.dead)
		}
		if got := Unset(units, 8); !slices.Equal(got, c.unset) {
			t.Errorf("%s: %v are not set, want %v", c.why, got, c.unset)
		}
	}
}
