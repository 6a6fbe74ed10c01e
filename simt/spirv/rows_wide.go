package spirv

import (
	"unsafe"

	"simtgdb/simt/vec"
)

// Frequent instructions of 64 bits run by package vec too: a slot of 32 lanes is one of its Wides.

// wideOps are elementwise instructions of operands of 64 bits.
var wideOps = map[uint16]vec.WideOp{128: vec.WideAdd, 130: vec.WideSub, 132: vec.WideMul, 197: vec.WideOr,
	198: vec.WideXor, 199: vec.WideAnd}

// lowHalves keeps the low halves of numbers.
var lowHalves = func() (d vec.Wide) {
	for l := range d {
		d[l] = 1<<32 - 1
	}
	return
}()

// wideRows makes an instruction run by operations on Wides, if it is one that can.
func (b *builder) wideRows(i *inst) {
	in := b.in
	if b.typ.scalar() == nil || b.p.hasDecoration(in.res, decRounding) {
		return
	}
	width := b.typ.scalar().width()
	switch {
	case in.op == 114 && width == 64 && b.operandsOf(in.args, 32) && !b.saturates():
		i.byWides(vec.WideSignExtend32, nil)
	case (in.op == 113 || in.op == 114) && width == 32 && b.operandsOf(in.args, 64) && !b.saturates():
		i.byWides(vec.WideAnd, &lowHalves)
	case in.op == 113 && width == 64 && b.operandsOf(in.args, 32) && !b.saturates():
		i.byWides(vec.WideAnd, &lowHalves)
	case wideOps[in.op] != vec.WideNone && width == 64 && b.operandsOf(in.args, 64):
		i.byWides(wideOps[in.op], nil)
	}
}

const decSaturated = 28

func (b *builder) saturates() bool { return b.p.hasDecoration(b.in.res, decSaturated) }

// byWides makes an instruction run by an operation, with a second operand if one is given.
func (in *inst) byWides(op vec.WideOp, with *vec.Wide) {
	run := op.Func()
	in.wide = everywhere
	in.exec = func(c *core, in *inst) {
		x := &c.wides
		for k := range int(in.n) * c.perSlot {
			x.Mask = c.keepLanes[k&(c.perSlot-1)]
			x.D, x.A, x.B = c.wideRow(in.d, k), c.wideRow(in.a, k), with
			if with == nil {
				x.B = c.wideRow(in.b, k)
			}
			run(x)
		}
	}
}

// wideRow is row k of a run of slots.
func (c *core) wideRow(slot int32, k int) *vec.Wide {
	at := int(slot)*c.lanes + 32*k
	return (*vec.Wide)(unsafe.Pointer(unsafe.SliceData(c.f[at : at+32])))
}

// rowMad makes a multiplication and an addition of 32 bits, each rounded.
func (b *builder) rowMad(i *inst) *inst {
	mul, add := vec.MulF32.Func(), vec.AddF32.Func()
	i.wide = evens
	i.exec = func(c *core, in *inst) {
		x := &c.x
		for k := range int(in.n) * c.perSlot {
			x.Mask = evens
			x.D, x.A, x.B = &c.tmp, c.row(in.a, k), c.row(in.b, k)
			mul(x)
			x.Mask = c.keepRows[k&(c.perSlot-1)] & evens
			x.D, x.A, x.B = c.row(in.d, k), &c.tmp, c.row(in.e, k)
			add(x)
		}
	}
	return i
}

// wideChain makes an address of a base, an offset and an index of 64 bits.
func wideChain(known bool, offset uint64, s chainStep) func(*core, *inst) {
	mad, add := vec.WideMad.Func(), vec.WideAdd.Func()
	var stride, offsets vec.Wide
	for l := range stride {
		stride[l], offsets[l] = s.stride, offset
	}
	return func(c *core, in *inst) {
		x := &c.wides
		for half := range c.perSlot {
			x.Mask = c.keepLanes[half]
			x.D, x.A, x.B, x.C = c.wideRow(in.d, half), c.wideRow(s.slot, half), &stride, &offsets
			if !known {
				x.C = c.wideRow(in.a, half)
			}
			mad(x)
			if !known && offset != 0 {
				x.A, x.B = x.D, &offsets
				add(x)
			}
		}
	}
}
