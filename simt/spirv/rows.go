package spirv

import (
	"unsafe"

	"simtgdb/simt/vec"
)

// Frequent instructions of 32 bits run by package vec where the processor has assembly for it. A slot of 32
// lanes, 64 bits each, is a row of vec's 64 numbers: those of even places are the scalars, those of odd
// places the upper halves, which are zeros and stay so because they are masked out. A slot of 64 lanes is
// two rows; narrower subgroups run by the loops in Go, which define what the instructions do.

// evens are the places of a row that hold scalars of up to 32 bits, all are those of 64-bit ones.
const (
	evens      = 0x5555555555555555
	everywhere = ^uint64(0)
)

// allLanes are those of a row.
const allLanes = ^uint32(0)

// A rowOp is how an instruction runs by an operation of vec.
type rowOp struct {
	op     vec.Op
	swap   bool    // operands change places
	invert bool    // of a comparison: true where the operation says false
	with   *rowPad // the second operand, of an instruction that has none
}

type rowPad = vec.Row

// rowPads are operands that are the same in all lanes.
var (
	zeros, ones, signs, absolutes rowPad
)

func init() {
	for l := 0; l < vec.Lanes; l += 2 {
		ones[l], signs[l], absolutes[l] = 1, 1<<31, 1<<31-1
	}
}

// rowOps are elementwise instructions of operands of 32 bits, rowLogic those of bools, rowCompares those of
// 32 bits with a result of bools.
var rowOps = map[uint16]rowOp{
	127: {op: vec.Xor, with: &signs}, 200: {op: vec.Not},
	128: {op: vec.Add}, 130: {op: vec.Sub}, 132: {op: vec.Mul},
	129: {op: vec.AddF32}, 131: {op: vec.SubF32}, 133: {op: vec.MulF32}, 136: {op: vec.DivF32},
	197: {op: vec.Or}, 198: {op: vec.Xor}, 199: {op: vec.And},
	194: {op: vec.ShrRev, swap: true}, 195: {op: vec.SarRev, swap: true}, 196: {op: vec.ShlRev, swap: true},
	109: {op: vec.UF32}, 110: {op: vec.IF32}, 111: {op: vec.F32I}, 112: {op: vec.F32U},
}

var rowCompares = map[uint16]rowOp{
	170: {op: vec.EqU}, 171: {op: vec.NeU},
	172: {op: vec.LtU, swap: true}, 174: {op: vec.LeU, swap: true}, 176: {op: vec.LtU}, 178: {op: vec.LeU},
	173: {op: vec.LtI, swap: true}, 175: {op: vec.LeI, swap: true}, 177: {op: vec.LtI}, 179: {op: vec.LeI},
	180: {op: vec.EqF32}, 182: {op: vec.NeF32}, 183: {op: vec.EqF32, invert: true},
	181: {op: vec.NeF32, invert: true},
	184: {op: vec.LtF32}, 186: {op: vec.LtF32, swap: true}, 188: {op: vec.LeF32},
	190: {op: vec.LeF32, swap: true},
	185: {op: vec.LeF32, swap: true, invert: true}, 187: {op: vec.LeF32, invert: true},
	189: {op: vec.LtF32, swap: true, invert: true}, 191: {op: vec.LtF32, invert: true},
}

var rowLogic = map[uint16]rowOp{
	165: {op: vec.Xor}, 166: {op: vec.Or}, 167: {op: vec.And}, 168: {op: vec.Xor, with: &ones},
}

// rowFuncs are functions of extended sets.
var rowFuncs = map[string]map[uint32]rowOp{
	"GLSL.std.450": {2: {op: vec.RintF32}, 3: {op: vec.TruncF32}, 4: {op: vec.And, with: &absolutes},
		8: {op: vec.FloorF32}, 9: {op: vec.CeilF32}, 31: {op: vec.SqrtF32}, 37: {op: vec.MinF32},
		38: {op: vec.MinU}, 39: {op: vec.MinI}, 40: {op: vec.MaxF32}, 41: {op: vec.MaxU}, 42: {op: vec.MaxI},
		50: {op: vec.FmaF32}},
	"OpenCL.std": {12: {op: vec.CeilF32}, 23: {op: vec.And, with: &absolutes}, 25: {op: vec.FloorF32},
		26: {op: vec.FmaF32}, 27: {op: vec.MaxF32}, 28: {op: vec.MinF32}, 53: {op: vec.RintF32},
		61: {op: vec.SqrtF32}, 66: {op: vec.TruncF32}, 156: {op: vec.MaxI}, 157: {op: vec.MaxU},
		158: {op: vec.MinI}, 159: {op: vec.MinU}},
}

// byRows reports whether waves of so many lanes run by rows on this processor.
func byRows(lanes int) bool { return vec.Current() >= vec.AVX2 && lanes%32 == 0 }

// rows makes an instruction run by package vec, if it is one that can.
func (b *builder) rows(i *inst) {
	if !b.p.rows || b.typ == nil || i.n == 0 || i.flags != 0 {
		return
	}
	in := b.in
	if i.wide == 0 {
		b.wideRows(i)
	}
	const opSelect = 169
	switch {
	case in.op != opSelect && b.controlled():
	case in.op == 12 && len(in.args) > 2:
		r, ok := rowFuncs[b.p.imports[in.args[0]]][in.args[1]]
		if ok && b.words(in.args[2:]) {
			i.byRows(r, execRows)
		}
	case in.op == opSelect:
		if x := b.typ.scalar(); x != nil {
			i.byRows(rowOp{op: vec.Select}, execRowSelect)
			i.imm = one(b.p.values[in.args[0]].typ.slots == 1)
			if x.width() > 32 {
				i.wide = everywhere
			}
		}
	case in.op == 142:
		if b.words(in.args) {
			i.byRows(rowOp{op: vec.MulF32}, execRowScale)
		}
	case b.p.hasDecoration(in.res, decRounding):
	default:
		if r, ok := rowOps[in.op]; ok && i.f3 == nil && b.words(in.args) {
			i.byRows(r, execRows)
		} else if r, ok := rowLogic[in.op]; ok && b.operandsOf(in.args, 1) {
			i.byRows(r, execRows)
		} else if r, ok := rowCompares[in.op]; ok && b.operandsOf(in.args, 32) {
			i.byRows(r, execRowCompare)
		}
	}
}

const decRounding = 39

// single takes what is faster for one row.
func (b *builder) single(i *inst) {
	if b.p.o.SubgroupSize != 32 || i.n != 1 || i.run == nil {
		return
	}
	switch op := b.in.op; {
	case op == 169:
	case op == 142:
		i.exec = execRow
	case rowCompares[op].op != vec.None:
		i.exec = execRowTest
	case i.pad != nil:
		i.exec = execRowWith
	default:
		i.exec = execRow
	}
}

// words reports whether the result and all operands have 32 bits.
func (b *builder) words(ids []uint32) bool {
	return b.typ.scalar() != nil && b.typ.scalar().width() == 32 && b.operandsOf(ids, 32)
}

// operandsOf reports whether all operands are numbers of a width.
func (b *builder) operandsOf(ids []uint32, width uint) bool {
	for _, id := range ids {
		v := b.p.values[id]
		if v == nil || v.typ.scalar() == nil || v.typ.scalar().width() != width {
			return false
		}
	}
	return true
}

func (in *inst) byRows(r rowOp, exec func(*core, *inst)) {
	in.exec, in.run, in.pad, in.invert, in.wide = exec, r.op.Func(), r.with, r.invert, evens
	if r.swap {
		in.a, in.b = in.b, in.a
	}
}

// only is the row of a slot in a wave of 32 lanes. Slots of instructions are in bounds since they were built.
func (c *core) only(slot int32) *vec.Row {
	const size = 4 * vec.Lanes
	return (*vec.Row)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(c.f)), int(slot)*size))
}

// execRow is execRows for one row, execRowWith that with the same second operand in all lanes.
func execRow(c *core, in *inst) {
	x := &c.x
	x.Mask = c.keepRows[0] & in.wide
	x.D, x.A, x.B, x.C = c.only(in.d), c.only(in.a), c.only(in.b), c.only(in.e)
	in.run(x)
}

func execRowWith(c *core, in *inst) {
	x := &c.x
	x.Mask = c.keepRows[0] & in.wide
	x.D, x.A, x.B = c.only(in.d), c.only(in.a), in.pad
	in.run(x)
}

// execRowTest is execRowCompare for one row.
func execRowTest(c *core, in *inst) {
	x := &c.x
	x.Mask, x.A, x.B = everywhere, c.only(in.a), c.only(in.b)
	in.run(x)
	x.In = x.Out
	if in.invert {
		x.In = ^x.Out
	}
	c.condSlot, c.cond = in.d, lanesOfPlaces(x.In)
	x.Mask = c.keepRows[0] & evens
	x.D, x.A, x.B = c.only(in.d), &zeros, &ones
	choose(x)
}

// row is row k of a run of slots. Places in c.f are checked as a slice's are.
func (c *core) row(slot int32, k int) *vec.Row {
	at := int(slot)*c.lanes + 32*k
	return (*vec.Row)(unsafe.Pointer(unsafe.SliceData(c.f[at : at+32])))
}

// places spreads a mask of lanes to both places of each lane in a row; k is the row of a slot.
func places(lanes uint64, k int) uint64 {
	x := lanes >> (32 * k & 63) & 0xffffffff
	x = (x | x<<16) & 0x0000ffff0000ffff
	x = (x | x<<8) & 0x00ff00ff00ff00ff
	x = (x | x<<4) & 0x0f0f0f0f0f0f0f0f
	x = (x | x<<2) & 0x3333333333333333
	x = (x | x<<1) & evens
	return x | x<<1
}

// lanesOfPlaces is the mask of lanes whose even places are in a mask.
func lanesOfPlaces(x uint64) uint64 {
	x &= evens
	x = (x | x>>1) & 0x3333333333333333
	x = (x | x>>2) & 0x0f0f0f0f0f0f0f0f
	x = (x | x>>4) & 0x00ff00ff00ff00ff
	x = (x | x>>8) & 0x0000ffff0000ffff
	return (x | x>>16) & 0xffffffff
}

// runRows executes an instruction of rows whose result is for the active lanes only.
func (c *core) runRows(in *inst) {
	for k := range c.perSlot {
		c.keepRows[k], c.keepLanes[k] = places(c.mask, k), uint32(c.mask>>(32*k))
	}
	in.exec(c, in)
	c.keepRows, c.keepLanes = [2]uint64{everywhere, everywhere}, [2]uint32{allLanes, allLanes}
}

func execRows(c *core, in *inst) {
	x := &c.x
	for k := range int(in.n) * c.perSlot {
		x.Mask = c.keepRows[k&(c.perSlot-1)] & in.wide
		x.D, x.A, x.B, x.C = c.row(in.d, k), c.row(in.a, k), in.pad, c.row(in.e, k)
		if x.B == nil {
			x.B = c.row(in.b, k)
		}
		in.run(x)
	}
}

// execRowScale multiplies with a scalar.
func execRowScale(c *core, in *inst) {
	x := &c.x
	for k := range int(in.n) * c.perSlot {
		half := k & (c.perSlot - 1)
		x.Mask = c.keepRows[half] & evens
		x.D, x.A, x.B = c.row(in.d, k), c.row(in.a, k), c.row(in.b, half)
		in.run(x)
	}
}

// execRowSelect takes the first operand where the condition, which may be one for all components, is true.
func execRowSelect(c *core, in *inst) {
	x := &c.x
	for k := range int(in.n) * c.perSlot {
		half := k & (c.perSlot - 1)
		cond := k
		if in.imm != 0 {
			cond = half
		}
		x.Mask = everywhere
		x.A, x.B = c.row(in.e, cond), &zeros
		notEqual(x)
		x.In = x.Out & evens
		x.In |= x.In << 1
		x.Mask = c.keepRows[half] & in.wide
		x.D, x.A, x.B = c.row(in.d, k), c.row(in.b, k), c.row(in.a, k)
		in.run(x)
	}
}

func execRowCompare(c *core, in *inst) {
	x := &c.x
	var cond uint64
	for k := range int(in.n) * c.perSlot {
		half := k & (c.perSlot - 1)
		x.Mask = everywhere
		x.A, x.B = c.row(in.a, k), c.row(in.b, k)
		in.run(x)
		x.In = x.Out
		if in.invert {
			x.In = ^x.Out
		}
		cond |= lanesOfPlaces(x.In) << (32 * half & 63)
		x.Mask = c.keepRows[half] & evens
		x.D, x.A, x.B = c.row(in.d, k), &zeros, &ones
		choose(x)
	}
	c.condSlot, c.cond = in.d, cond
	if in.n > 1 {
		c.condSlot = -1
	}
}

// The operations that others need besides their own.
var (
	notEqual = vec.NeU.Func()
	choose   = vec.Select.Func()
)

// truths is the mask of the lanes in which a bool is true.
func (c *core) truths(slot int32) uint64 {
	if slot == c.condSlot {
		return c.cond
	}
	var yes uint64
	if c.p.rows {
		x := &c.x
		for k := range c.perSlot {
			x.Mask, x.A, x.B = everywhere, c.row(slot, k), &zeros
			notEqual(x)
			yes |= lanesOfPlaces(x.Out) << (32 * k & 63)
		}
		return yes
	}
	for l, v := range c.one(slot) {
		yes |= v & 1 << l
	}
	return yes
}

// mergeRows is merge for waves that run by rows.
func (c *core) mergeRows(dst, src []uint64, lanes uint64) {
	masks := [2]uint64{places(lanes, 0)}
	if c.perSlot > 1 {
		masks[1] = places(lanes, 1)
	}
	for at, k := 0, 0; at < len(dst); at, k = at+32, k+1 {
		d, s := dst[at:at+32], src[at:at+32]
		vec.Merge((*vec.Row)(unsafe.Pointer(unsafe.SliceData(d))), (*vec.Row)(unsafe.Pointer(unsafe.SliceData(s))),
			masks[k&(c.perSlot-1)])
	}
}

// rowProducts makes a sum of products of rows, each step rounded.
func (b *builder) rowProducts(ps []product) *inst {
	mul, add := vec.MulF32.Func(), vec.AddF32.Func()
	return &inst{products: ps, wide: evens, exec: func(c *core, in *inst) {
		x := &c.x
		for r := range ps {
			for half := range c.perSlot {
				x.Mask = c.keepRows[half] & evens
				d := c.row(in.d+int32(r), half)
				for k, a := range ps[r].a {
					x.D, x.A, x.B = d, c.row(a, half), c.row(ps[r].b[k], half)
					if k == 0 {
						mul(x)
						continue
					}
					x.D = &c.tmp
					mul(x)
					x.D, x.A, x.B = d, d, &c.tmp
					add(x)
				}
			}
		}
	}}
}

// rowChain makes an address of a base and indices of 32 bits, or nil where the steps are of other kinds.
func (b *builder) rowChain(known bool, offset uint64, steps []chainStep) func(*core, *inst) {
	if !b.p.rows || len(steps) == 0 {
		return nil
	}
	if len(steps) == 1 && steps[0].shift == 0 {
		return wideChain(known, offset, steps[0])
	}
	strides := make([]*vec.Row, len(steps))
	for i, s := range steps {
		if s.shift != 32 || s.stride >= 1<<31 {
			return nil
		}
		strides[i] = &vec.Row{}
		for l := 0; l < vec.Lanes; l += 2 {
			strides[i][l] = uint32(s.stride)
		}
	}
	index := vec.Index.Func()
	return func(c *core, in *inst) {
		x := &c.x
		for half := range c.perSlot {
			x.Mask = c.keepRows[half]
			x.D, x.A, x.In = c.row(in.d, half), &zeros, in.imm
			if !known {
				x.A = c.row(in.a, half)
			}
			for i := range steps {
				x.B, x.C = c.row(steps[i].slot, half), strides[i]
				index(x)
				x.A, x.In = x.D, 0
			}
		}
	}
}

// loadRows loads a word for each active lane of memory by addresses in a slot. It reports whether all are
// in the window.
func (c *core) loadRows(w *window, ptr int32, offset uint64, d []uint64) bool {
	for half := range c.perSlot {
		to := (*vec.Row)(unsafe.Pointer(unsafe.SliceData(d[32*half : 32*half+32])))
		if !c.items.Load(to, w.data, c.row(ptr, half), offset, w.base, uint32(c.mask>>(32*half))) {
			return false
		}
	}
	return true
}
