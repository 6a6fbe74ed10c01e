package ptx

import (
	"simtgdb/simt/ptx/numeric"
	"simtgdb/simt/vec"
)

// The instructions that programs have most are one operation of package vec each, on whole registers. Others
// have a loop here.

// A wideInst is an instruction that an operation computes.
type wideInst struct {
	op   vec.WideOp
	n    int    // sources, in the operation's order
	last string // the type of the last one, if it has another than the rest
}

// wideInsts has them by their whole names: with other modifiers they are something else.
var wideInsts = map[string]wideInst{
	"add.u32": {vec.WideAdd32, 2, ""}, "add.s32": {vec.WideAdd32, 2, ""},
	"add.u64": {vec.WideAdd, 2, ""}, "add.s64": {vec.WideAdd, 2, ""},
	"sub.u32": {vec.WideSub32, 2, ""}, "sub.s32": {vec.WideSub32, 2, ""},
	"sub.u64": {vec.WideSub, 2, ""}, "sub.s64": {vec.WideSub, 2, ""},
	"mul.lo.u32": {vec.WideMul32, 2, ""}, "mul.lo.s32": {vec.WideMul32, 2, ""},
	"mul.lo.u64": {vec.WideMul, 2, ""}, "mul.lo.s64": {vec.WideMul, 2, ""},
	"mul.hi.u32": {vec.WideMulHiU32, 2, ""}, "mul.hi.s32": {vec.WideMulHiI32, 2, ""},
	"mul.wide.u32": {vec.WideMulU32, 2, ""}, "mul.wide.s32": {vec.WideMulI32, 2, ""},
	"mad.lo.u32": {vec.WideMad32, 3, ""}, "mad.lo.s32": {vec.WideMad32, 3, ""},
	"mad.lo.u64": {vec.WideMad, 3, ""}, "mad.lo.s64": {vec.WideMad, 3, ""},
	"mad.wide.u32": {vec.WideMadU32, 3, "u64"}, "mad.wide.s32": {vec.WideMadI32, 3, "u64"},

	"and.b16": {vec.WideAnd, 2, ""}, "and.b32": {vec.WideAnd, 2, ""}, "and.b64": {vec.WideAnd, 2, ""},
	"or.b16": {vec.WideOr, 2, ""}, "or.b32": {vec.WideOr, 2, ""}, "or.b64": {vec.WideOr, 2, ""},
	"xor.b16": {vec.WideXor, 2, ""}, "xor.b32": {vec.WideXor, 2, ""}, "xor.b64": {vec.WideXor, 2, ""},
	"shl.b32": {vec.WideShl32, 2, "u32"}, "shl.b64": {vec.WideShl, 2, "u32"},
	"shr.b32": {vec.WideShr32, 2, "u32"}, "shr.u32": {vec.WideShr32, 2, "u32"},
	"shr.b64": {vec.WideShr, 2, "u32"}, "shr.u64": {vec.WideShr, 2, "u32"},
	"shr.s32": {vec.WideSar32, 2, "u32"}, "shr.s64": {vec.WideSar, 2, "u32"},
	"min.u32": {vec.WideMinU, 2, ""}, "max.u32": {vec.WideMaxU, 2, ""},
	"min.u64": {vec.WideMinU, 2, ""}, "max.u64": {vec.WideMaxU, 2, ""},
	"min.s32": {vec.WideMinI32, 2, ""}, "max.s32": {vec.WideMaxI32, 2, ""},

	"add.f32": {vec.WideAddF32, 2, ""}, "add.rn.f32": {vec.WideAddF32, 2, ""},
	"sub.f32": {vec.WideSubF32, 2, ""}, "sub.rn.f32": {vec.WideSubF32, 2, ""},
	"mul.f32": {vec.WideMulF32, 2, ""}, "mul.rn.f32": {vec.WideMulF32, 2, ""},
	"div.rn.f32": {vec.WideDivF32, 2, ""}, "sqrt.rn.f32": {vec.WideSqrtF32, 1, ""},
	"fma.rn.f32": {vec.WideFmaF32, 3, ""}, "mad.rn.f32": {vec.WideFmaF32, 3, ""},
	"add.f64": {vec.WideAddF64, 2, ""}, "add.rn.f64": {vec.WideAddF64, 2, ""},
	"sub.f64": {vec.WideSubF64, 2, ""}, "sub.rn.f64": {vec.WideSubF64, 2, ""},
	"mul.f64": {vec.WideMulF64, 2, ""}, "mul.rn.f64": {vec.WideMulF64, 2, ""},
	"div.rn.f64": {vec.WideDivF64, 2, ""},
	"fma.rn.f64": {vec.WideFmaF64, 3, ""}, "mad.rn.f64": {vec.WideFmaF64, 3, ""},
}

// wideWith are instructions of one source that are an operation on it and a number.
var wideWith = map[string]struct {
	op   vec.WideOp
	with uint64
}{
	"not.b16": {vec.WideXor, 0xffff}, "not.b32": {vec.WideXor, 0xffffffff},
	"not.b64": {vec.WideXor, ^uint64(0)},
	"neg.f32": {vec.WideXor, 1 << 31}, "neg.f64": {vec.WideXor, 1 << 63},
	"abs.f32": {vec.WideAnd, 1<<31 - 1}, "abs.f64": {vec.WideAnd, 1<<63 - 1},
}

// wide makes an instruction that is one operation of package vec. It reports whether it is one.
func (b *builder) wide() (bool, error) {
	typ := b.typ()
	if w, ok := wideWith[b.src.Op]; ok {
		return true, b.setWideWith(w.op, w.with, typ)
	}
	w, ok := wideInsts[b.src.Op]
	if !ok {
		return false, nil
	}
	err := b.setWide(w.op, w.n, typ)
	if err == nil && w.last != "" && b.in.dst >= 0 {
		err = b.retype(w.n, w.last)
	}
	return true, err
}

// setWide makes an instruction that is an operation on n sources of a type.
func (b *builder) setWide(op vec.WideOp, n int, typ string) error {
	if err := b.setOp(n, typ); err != nil || b.in.dst < 0 {
		return err
	}
	b.in.op, b.in.run = op, [...]exec{1: runWide1, 2: runWide2, 3: runWide3}[n]
	if b.in.imm = numeric.NaN32; typ == "f64" {
		b.in.imm = numeric.NaN64
	}
	return nil
}

// setWideWith makes an instruction that is an operation on a source of a type and a number.
func (b *builder) setWideWith(op vec.WideOp, with uint64, typ string) error {
	if err := b.setWide(op, 1, typ); err != nil || b.in.dst < 0 {
		return err
	}
	b.in.s[1], b.in.run = source{kind: fromImm, imm: broadcast(with)}, runWide2
	return nil
}

// wideArgs prepares an operation for lanes of a mask. If these are all that the function has, it does not
// matter what the others get.
func (c *Core) wideArgs(in *inst, mask uint32) *vec.WideArgs {
	if mask == c.act.lanes {
		mask = fullMask
	}
	x := &c.x
	x.D, x.A, x.Mask, x.NaN = &c.act.r[in.dst], c.value(in, 0), mask, in.imm
	return x
}

func runWide1(c *Core, in *inst, mask uint32) { in.op.Func()(c.wideArgs(in, mask)) }

func runWide2(c *Core, in *inst, mask uint32) {
	x := c.wideArgs(in, mask)
	x.B = c.value(in, 1)
	in.op.Func()(x)
}

func runWide3(c *Core, in *inst, mask uint32) {
	x := c.wideArgs(in, mask)
	x.B, x.C = c.value(in, 1), c.value(in, 2)
	in.op.Func()(x)
}
