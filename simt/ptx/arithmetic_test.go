package ptx

import (
	"testing"

	"simtgdb/simt"
)

// TestWork: what statements compute.
func TestWork(t *testing.T) {
	for name, want := range map[string]simt.Arithmetic{
		"add.rn.f32": {Floats: 1}, "fma.rn.f64": {Floats: 2}, "fma.rn.f16x2": {Floats: 4},
		"mul.bf16x2": {Floats: 2}, "add.s32": {Integers: 1}, "mad.lo.s32": {Integers: 2},
		"mad.wide.u32": {Integers: 2}, "shl.b32": {Integers: 1}, "and.b32": {Integers: 1},
		"ld.global.f32": {}, "cvt.rn.f32.s32": {}, "setp.lt.f32": {}, "mov.b32": {}, "bra": {},
		"dp4a.s32.s32": {Integers: 8}, "ex2.approx.f32": {Floats: 1},
		"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32":   {Floats: 2 * 16 * 16 * 16, Wave: true},
		"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32": {Floats: 2 * 16 * 8 * 16, Wave: true},
		"mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32":   {Integers: 2 * 16 * 8 * 32, Wave: true},
		"wmma.load.a.sync.aligned.row.m16n16k16.global.f16": {},
	} {
		got := work(name)
		if got.Floats != want.Floats || got.Integers != want.Integers || got.Wave != want.Wave {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

// TestObjectOfSum: an address is one of the variable whose address is among its operands, if there is one
// alone; what is chosen from two is if both are of it.
func TestObjectOfSum(t *testing.T) {
	a, b := &simt.Object{}, &simt.Object{}
	for _, c := range []struct {
		keeps keeping
		of    [3]*simt.Object
		want  *simt.Object
	}{
		{keepsOne, [3]*simt.Object{}, nil},
		{keepsOne, [3]*simt.Object{a, nil, nil}, a}, {keepsOne, [3]*simt.Object{nil, a, nil}, a},
		{keepsOne, [3]*simt.Object{nil, nil, a}, a}, // what is added to a product
		{keepsOne, [3]*simt.Object{a, b, nil}, several}, {keepsOne, [3]*simt.Object{a, a, nil}, several},
		{keepsOne, [3]*simt.Object{a, nil, b}, several}, {keepsOne, [3]*simt.Object{nil, a, b}, several},
		{keepsBoth, [3]*simt.Object{a, a, nil}, a}, {keepsBoth, [3]*simt.Object{a, b, nil}, several},
		{keepsBoth, [3]*simt.Object{a, nil, nil}, several}, {keepsBoth, [3]*simt.Object{}, nil},
	} {
		if got := objectOfSum(c.keeps, c.of); got != c.want {
			t.Errorf("%v of %v: %p, want %p", c.keeps, c.of, got, c.want)
		}
	}
}
