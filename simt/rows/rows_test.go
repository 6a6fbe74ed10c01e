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
