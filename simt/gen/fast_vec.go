package gen

import (
	"unsafe"

	"simtgdb/simt/vec"
)

// Where the processor has assembly for it, package vec computes what plans have, all channels in one call.
// The loops of fast_ops.go and fast_compare.go are for other processors.

// A vecOp is an operation of package vec: one of dwords, or one of numbers of 64 bits.
type vecOp struct {
	op    vec.Op
	wide  vec.WideOp
	order [3]uint8 // the sources that are its operands
}

// These orders of sources are not the operation's own.
var (
	reversed = [3]uint8{1, 0, 2} // the count of a shift comes first
	addendIs = [3]uint8{1, 2, 0} // the first source of mad is what is added
	inOrder  = [3]uint8{0, 1, 2}
)

// A vecKey is what says which operation an instruction is.
type vecKey struct {
	code     uint8
	kind     kind
	elem     int  // bytes
	negates  bool // the second source
	unsigned bool // an integer's first source has no sign, and that matters
}

var vecOps = map[vecKey]vecOp{
	{code: 0x05, elem: 4}: {op: vec.And, order: inOrder}, {code: 0x05, elem: 8}: {wide: vec.WideAnd,
		order: inOrder},
	{code: 0x06, elem: 4}: {op: vec.Or, order: inOrder}, {code: 0x06, elem: 8}: {wide: vec.WideOr,
		order: inOrder},
	{code: 0x07, elem: 4}:                   {op: vec.Xor, order: inOrder},
	{code: 0x07, elem: 8}:                   {wide: vec.WideXor, order: inOrder},
	{code: 0x04, elem: 4}:                   {op: vec.Not, order: inOrder},
	{code: 0x08, elem: 4}:                   {op: vec.ShrRev, order: reversed},
	{code: 0x09, elem: 4}:                   {op: vec.ShlRev, order: reversed},
	{code: 0x0c, elem: 4}:                   {op: vec.SarRev, order: reversed},
	{code: 0x0c, elem: 4, unsigned: true}:   {op: vec.ShrRev, order: reversed},
	{code: 0x40, elem: 4}:                   {op: vec.Add, order: inOrder},
	{code: 0x40, elem: 4, negates: true}:    {op: vec.Sub, order: inOrder},
	{code: 0x40, elem: 8}:                   {wide: vec.WideAdd, order: inOrder},
	{code: 0x40, elem: 8, negates: true}:    {wide: vec.WideSub, order: inOrder},
	{code: 0x41, elem: 4}:                   {op: vec.Mul, order: inOrder},
	{code: opMacl, elem: 4}:                 {op: vec.Mul, order: inOrder},
	{code: opMacl, elem: 4, unsigned: true}: {op: vec.Mul, order: inOrder},
	{code: 0x41, elem: 8}:                   {wide: vec.WideMul, order: inOrder},
	{code: 0x49, elem: 4}:                   {op: vec.MulHiI, order: inOrder},
	{code: 0x49, elem: 4, unsigned: true}:   {op: vec.MulHiU, order: inOrder},

	{code: 0x40, kind: kindFloat, elem: 4}:                {op: vec.AddF32, order: inOrder},
	{code: 0x40, kind: kindFloat, elem: 4, negates: true}: {op: vec.SubF32, order: inOrder},
	{code: 0x41, kind: kindFloat, elem: 4}:                {op: vec.MulF32, order: inOrder},
	{code: 0x5b, kind: kindFloat, elem: 4}:                {op: vec.FmaF32, order: addendIs},
	{code: 0x44, kind: kindFloat, elem: 4}:                {op: vec.CeilF32, order: inOrder},
	{code: 0x45, kind: kindFloat, elem: 4}:                {op: vec.FloorF32, order: inOrder},
	{code: 0x46, kind: kindFloat, elem: 4}:                {op: vec.RintF32, order: inOrder},
	{code: 0x47, kind: kindFloat, elem: 4}:                {op: vec.TruncF32, order: inOrder},
}

// vecShifts are shifts of 64 bits by a constant below 64; counts in registers are cut to 6 bits first.
var vecShifts = map[uint8]vec.WideOp{0x08: vec.WideShr, 0x09: vec.WideShl}

// vecMaths are the functions of math in single precision.
var vecMaths = map[uint8]vec.Op{4: vec.SqrtF32, 9: vec.DivF32}

// chooseVec has package vec compute what the plan has a loop for.
func (p *plan) chooseVec(in *Inst) {
	if p.op == nil {
		return
	}
	v := vecOps[vecKey{in.Op.Code, in.kind, p.elem, p.negates, p.unsigned}]
	switch {
	case in.Op.form == formMath && in.kind == kindFloat:
		v = vecOp{op: vecMaths[in.cond], order: inOrder}
	case in.Op.form == formMath || in.Op.Code == opSel:
		return
	case in.Op.Code == opMov:
		v = vecOp{op: p.convert, order: inOrder}
	case p.elem == 8 && in.kind == kindInt && vecShifts[in.Op.Code] != vec.WideNone &&
		in.src[1].place == immediate && in.src[1].imm < 64:
		v = vecOp{wide: vecShifts[in.Op.Code], order: inOrder}
	}
	p.order, p.is = v.order, v
	if v.op != vec.None {
		p.vec = v.op.Short()
	} else if v.wide != vec.WideNone {
		p.vec = v.wide.Short()
	}
}

func (r *row) dwords() *vec.Row { return (*vec.Row)(unsafe.Pointer(r)) }

// short prepares an operation of package vec on a plan's rows.
func (c *Core) short(p *plan, a, b *row) *vec.ShortArgs {
	x := &c.vec
	x.A, x.B, x.Vectors = a.dwords(), b.dwords(), (p.n+63)/64
	return x
}

// compute writes the elements of a mask, or, with full, all of the vectors that they are in.
func (c *Core) compute(p *plan, out *row, from *[3]*row, mask uint32, full bool) {
	x := c.short(p, from[p.order[0]], from[p.order[1]])
	x.D, x.C, x.Mask, x.Full = out.dwords(), from[p.order[2]].dwords(), mask, full
	p.vec(x)
}

// testBy applies a test of package vec to some elements.
func (c *Core) testBy(p *plan, a, b *row) uint32 {
	x := c.short(p, a, b)
	x.Mask = ^uint32(0)
	p.vecTest(x)
	return x.Out
}
