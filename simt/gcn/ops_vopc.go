package gcn

import (
	"simtgdb/simt"
	"simtgdb/simt/vec"
)

var (
	_ = register(comparisons)
	_ = register(classTests)
)

// The bits of a comparison's code say for which relations between its
// operands it holds.
const (
	relLess = 1 << iota
	relEqual
	relGreater
	relUnordered
)

var floatConditions = [...]string{"f", "lt", "eq", "le", "gt", "lg", "ge", "o", "u", "nge", "nlg", "ngt",
	"nle", "neq", "nlt", "tru"}
var intConditions = [...]string{"f", "lt", "eq", "le", "gt", "ne", "ge", "t"}

// comparisons are the rows of VOPC: for each type the conditions from a code
// on, and v_cmpx, which also writes EXEC, 16 codes later.
func comparisons() []Op {
	families := []struct {
		code       uint16
		t          typ
		name       string
		conditions []string
		vec        func(cond uint) func(*lanes)
		fast       func(cond uint) fastRow
		native     func(cond uint) form
	}{
		{0x20, f16, "f16", floatConditions[:], compare(floatKeys(half16)), nil, nil},
		{0x40, f32, "f32", floatConditions[:], compareF32, fastCompareF32, nil},
		{0x60, f64, "f64", floatConditions[:], compare(floatKeys(double)), nil, compareDoubles},
		{0xa0, i16, "i16", intConditions[:], compare(i16Keys), nil, nil},
		{0xa8, u16, "u16", intConditions[:], compare(u16Keys), nil, nil},
		{0xc0, i32, "i32", intConditions[:], func(cond uint) func(*lanes) {
			return compareDwords(cond, vec.LtI, vec.LeI)
		}, fastCompareInt(vec.LtI, vec.LeI), nil},
		{0xc8, u32, "u32", intConditions[:], func(cond uint) func(*lanes) {
			return compareDwords(cond, vec.LtU, vec.LeU)
		}, fastCompareInt(vec.LtU, vec.LeU), nil},
		{0xe0, i64, "i64", intConditions[:], compare(i64Keys), nil, compareInts(vpcmpq, false)},
		{0xe8, u64, "u64", intConditions[:], compare(u64Keys), nil, compareInts(vpcmpuq, true)},
	}
	rows := make([]Op, 0, 2*(3*len(floatConditions)+6*len(intConditions)))
	both := func(code uint16, name string, op Op) { // the row of v_cmp, and that of v_cmpx
		op.Enc, op.Code, op.Name, op.flag = VOPC, code, "v_cmp_"+name, noDPP
		rows = append(rows, op)
		op.Code, op.Name, op.flag = code+0x10, "v_cmpx_"+name, noDPP|writesExec
		rows = append(rows, op)
	}
	for _, f := range families {
		for cond, name := range f.conditions {
			op := Op{src: srcs(f.t, f.t), vec: f.vec(uint(cond))}
			if f.fast != nil {
				op.fast = f.fast(uint(cond))
			}
			if f.native != nil {
				op.native = f.native(uint(cond))
			}
			both(f.code+uint16(cond), name+"_"+f.name, op)
		}
	}
	return rows
}

// classTests are the rows that ask of what class a float is.
func classTests() (rows []Op) {
	for i, f := range []struct {
		t typ
		f format
	}{{f32, single}, {f64, double}, {f16, half16}} {
		name := "class_" + [...]string{"f32", "f64", "f16"}[i]
		src, vec := srcs(f.t, b32), testClass(f.f)
		code := 0x10 + 2*uint16(i)
		rows = append(rows,
			Op{Enc: VOPC, Code: code, Name: "v_cmp_" + name, src: src, flag: noDPP, vec: vec},
			Op{Enc: VOPC, Code: code + 1, Name: "v_cmpx_" + name, src: src, flag: noDPP | writesExec,
				vec: vec})
	}
	return rows
}

// compareDwords makes each condition from one of package vec's, its operands
// exchanged where the other order has it.
func compareDwords(cond uint, less, lessEqual vec.Op) func(*lanes) {
	switch cond {
	case 0:
		return func(x *lanes) { x.out = 0 }
	case relLess:
		return through(less)
	case relEqual:
		return through(vec.EqU)
	case relLess | relEqual:
		return through(lessEqual)
	case relGreater:
		return reversed(through(less))
	case relLess | relGreater:
		return through(vec.NeU)
	case relGreater | relEqual:
		return reversed(through(lessEqual))
	}
	return func(x *lanes) { x.out = ^uint64(0) }
}

func through(op vec.Op) func(*lanes) {
	return func(x *lanes) { x.apply(op) }
}

// orderedF32 are the conditions of floats that no NaN meets.
var orderedF32 = map[uint]struct {
	op   vec.Op
	swap bool
}{
	relLess:                         {vec.LtF32, false},
	relEqual:                        {vec.EqF32, false},
	relLess | relEqual:              {vec.LeF32, false},
	relGreater:                      {vec.LtF32, true},
	relLess | relGreater:            {vec.NeF32, false},
	relGreater | relEqual:           {vec.LeF32, true},
	relLess | relEqual | relGreater: {vec.OrdF32, false},
}

// fastCompareInt and fastCompareF32 are the operations of package vec that conditions are.
func fastCompareInt(less, lessEqual vec.Op) func(cond uint) fastRow {
	return func(cond uint) fastRow {
		return [len(intConditions)]fastRow{
			relLess: exact(less), relEqual: exact(vec.EqU), relLess | relEqual: exact(lessEqual),
			relGreater: swapped(exact(less)), relLess | relGreater: exact(vec.NeU),
			relGreater | relEqual: swapped(exact(lessEqual)),
		}[cond]
	}
}

func fastCompareF32(cond uint) fastRow {
	o, ok := orderedF32[cond]
	invert := !ok
	if invert {
		o, ok = orderedF32[^cond&0xf]
	}
	if !ok {
		return fastRow{}
	}
	f := single32(o.op)
	f.swap, f.invert = o.swap, invert
	return f
}

// compareF32 makes each condition from one that no NaN meets, or from its
// opposite; operands are flushed as MODE says.
func compareF32(cond uint) func(*lanes) {
	slow := compare(floatKeys(single))(cond)
	want, invert := cond, uint64(0)
	if want&relUnordered != 0 {
		want, invert = ^want&0xf, ^uint64(0)
	}
	o, ok := orderedF32[want]
	return func(x *lanes) {
		if !plain32(x.mode) {
			slow(x)
			return
		}
		x.out = 0
		if ok {
			if o.swap {
				x.a, x.b = x.b, x.a
			}
			x.apply(o.op)
		}
		x.out ^= invert
	}
}

// Keys are numbers in the order of the lanes' values, for those lanes whose values are in an order.
type keys func(d *[simt.MaxLanes]int64, lo, hi *Vector, mode uint32) (unordered uint64)

// compare makes conditions of what keys say of either operand.
func compare(of keys) func(cond uint) func(*lanes) {
	return func(cond uint) func(*lanes) {
		return func(x *lanes) {
			var a, b [simt.MaxLanes]int64
			unordered := of(&a, x.a, x.a1, x.mode) | of(&b, x.b, x.b1, x.mode)
			x.out = 0
			for l := range a {
				rel := 0 // relLess, as the number of a bit
				if a[l] >= b[l] {
					rel++
				}
				if a[l] > b[l] {
					rel++
				}
				x.out |= uint64(cond>>rel&1) << l
			}
			if x.out &^= unordered; cond&relUnordered != 0 {
				x.out |= unordered
			}
		}
	}
}

// floatKeys are those of a format, whose denormals are 0 if MODE says so.
func floatKeys(f format) keys {
	sign, inf := f.Sign(), f.Inf()
	return func(d *[simt.MaxLanes]int64, lo, hi *Vector, mode uint32) (unordered uint64) {
		zero := uint64(0) // magnitudes up to this are
		if !envOf(f, mode).KeepIn {
			zero = f.Frac()
		}
		for l := range d {
			v := get(l, lo, hi)
			abs := v & (sign - 1)
			if abs > inf {
				unordered |= 1 << l
			}
			if abs <= zero {
				abs = 0
			}
			d[l] = int64(abs)
			if v&sign != 0 {
				d[l] = -d[l]
			}
		}
		return unordered
	}
}

func i16Keys(d *[simt.MaxLanes]int64, lo, _ *Vector, _ uint32) uint64 {
	for l := range d {
		d[l] = int64(int16(lo[l]))
	}
	return 0
}

func u16Keys(d *[simt.MaxLanes]int64, lo, _ *Vector, _ uint32) uint64 {
	for l := range d {
		d[l] = int64(uint16(lo[l]))
	}
	return 0
}

func i64Keys(d *[simt.MaxLanes]int64, lo, hi *Vector, _ uint32) uint64 {
	for l := range d {
		d[l] = int64(get(l, lo, hi))
	}
	return 0
}

func u64Keys(d *[simt.MaxLanes]int64, lo, hi *Vector, _ uint32) uint64 {
	for l := range d {
		d[l] = int64(get(l, lo, hi) ^ 1<<63)
	}
	return 0
}

// testClass is v_cmp_class: the second operand is a set of class bits.
func testClass(f format) func(*lanes) {
	return func(x *lanes) {
		var m uint64
		for l := range simt.MaxLanes {
			if classFloat(f, get(l, x.a, x.a1)&f.All())&x.b[l] != 0 {
				m |= 1 << l
			}
		}
		x.out = m
	}
}
