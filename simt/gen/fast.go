package gen

import (
	"encoding/binary"
	"math"
	"math/bits"

	"simtgdb/simt/rows/regions"
	"simtgdb/simt/vec"
)

// Most instructions compute 32- or 64-bit elements without saturating. They are row code (package regions),
// found when they are decoded: what the core executes, and translated code is made of. All else goes by the
// arrays of ints and floats (runALU).

var le = binary.LittleEndian

// ones are bits that are all set.
const ones = ^uint64(0)

// The floating-point controls under which row code computes: round to nearest, and
// denormals are kept.
const (
	floatControl  = crDenormF | crRound
	doubleControl = crDenormDF | crDenormF | crRound
)

// A rowCode is an instruction as row code.
type rowCode struct {
	*regions.Step
	op    regions.Op
	first []*regions.Step // operations before it, if it takes several

	// The bits of cr0 that matter, and what they must be. Otherwise slow executes the instruction.
	control, want uint32
	slow          runner

	elem     int  // bytes that an element is computed in
	negates  bool // source 1's negation is in the operation
	unsigned bool // it is that of integers without a sign
	copies   bool
}

// runRow executes an instruction that is row code.
func runRow(c *Core, in *Inst) {
	r := in.row
	if r.control != 0 && c.r.u32(offCR)&r.control != r.want {
		r.slow(c, in)
		return
	}
	mask := c.enabled(in)
	if in.pred != 0 && !r.In.On {
		mask &= c.predicate(in)
	}
	if mask == 0 {
		return
	}
	c.lanes += uint64(bits.OnesCount32(mask))
	c.state.File, c.state.Flags = c.r.file[:], offFlag
	for _, s := range r.first {
		s.Run(&c.state, mask)
	}
	r.Run(&c.state, mask)
}

// all are its operations.
func (r *rowCode) all() (ops []*regions.Op) {
	for _, s := range r.first {
		ops = append(ops, s.Op)
	}
	return append(ops, r.Op)
}

// makeRow makes the instruction's row code, or nil if it has none.
func (in *Inst) makeRow() *rowCode {
	if in.saturate || in.width > maxChannels || in.dst.place == indirect ||
		in.Op.Code == opSel && (in.cond != 0 && in.pred != 0 || in.pred > 1) ||
		in.Op.form == formMath && in.isMacro() ||
		(in.pred == 1 || in.setsFlags()) && in.flagShift()+in.width > 16*loweredFlags {
		return nil
	}
	r := &rowCode{op: regions.Op{First: uint8(in.first), Lanes: uint8(in.width), Always: in.noMask}}
	o := &r.op
	o.Under, _ = in.under()
	if !r.choose(in) {
		return nil
	}
	o.Elem = uint8(max(r.elem, 4))
	if o.Cond.Op != vec.WideNone && r.elem < 4 {
		return nil
	}
	for i := range in.sourceCount() {
		if !r.source(in, i) {
			return nil
		}
	}
	if in.Op.Code == opMac { // to which the accumulator is a source
		o.S[2] = regions.Source{Keep: ones,
			Region: regions.Region{At: offAcc, Step: int32(r.elem), Size: uint8(r.elem)}}
	}
	if !r.arrange(in) || !r.result(in) {
		return nil
	}
	if in.setsFlags() {
		o.Flags, o.Bit = true, uint8(in.flagShift())
	}
	if split := splits[in.Op.Code]; split != nil && !split(r, in) {
		return nil
	}
	for _, d := range []*regions.Region{&o.D, &o.Also} {
		if lo, hi := d.Extent(0, in.width); d.Size != 0 && (lo < 0 || hi > int32(in.gen.fileBytes())) {
			return nil
		}
	}
	r.Step = o.Step()
	return r
}

// A rowFlag says more of a row's operations.
type rowFlag uint8

const (
	exactRow rowFlag = 1 << iota // the sources' signs must be the same
	plainRow                     // integers with modifiers are not what it computes
	shiftRow                     // of source 1 five or six bits matter
	addRow                       // source 0 is what is added, in the end
)

// rowOps are an instruction's operations, by the type that it computes in.
type rowOps struct {
	dword, qword         vec.WideOp // integers
	unsigned, unsigned64 vec.WideOp // the same where source 0 has no sign, if that matters
	float, double        vec.WideOp
	flags                rowFlag
}

// rowTable has the instructions that are row code, by opcode.
var rowTable = map[uint8]rowOps{
	opNot: {dword: vec.WideXor, qword: vec.WideXor},
	0x05:  {dword: vec.WideAnd, qword: vec.WideAnd},
	0x06:  {dword: vec.WideOr, qword: vec.WideOr},
	0x07:  {dword: vec.WideXor, qword: vec.WideXor},
	opShr: {dword: vec.WideShr32, qword: vec.WideShr, flags: shiftRow},
	0x09:  {dword: vec.WideShl32, qword: vec.WideShl, flags: shiftRow},
	opAsr: {dword: vec.WideSar32, qword: vec.WideSar, unsigned: vec.WideShr32, unsigned64: vec.WideShr,
		flags: plainRow | shiftRow},
	opAdd:  {dword: vec.WideAdd32, qword: vec.WideAdd, float: vec.WideAddF32, double: vec.WideAddF64},
	opMul:  {dword: vec.WideMul32, qword: vec.WideMul, float: vec.WideMulF32, double: vec.WideMulF64},
	0x44:   {float: vec.WideCeilF32},
	0x45:   {float: vec.WideFloorF32},
	0x46:   {float: vec.WideRintF32},
	0x47:   {float: vec.WideTruncF32},
	opMac:  {float: vec.WideFmaF32},
	opMach: {dword: vec.WideMulHiI32, unsigned: vec.WideMulHiU32, flags: plainRow | exactRow},
	opMacl: {dword: vec.WideMul32, flags: plainRow},
	opAdd3: {dword: vec.WideAdd32, qword: vec.WideAdd},
	opAddc: {dword: vec.WideAdd32, flags: plainRow},
	opSubb: {dword: vec.WideSub32, flags: plainRow},
	opMad:  {dword: vec.WideMad32, float: vec.WideFmaF32, double: vec.WideFmaF64, flags: addRow},
}

// rowSubs are those of add whose second source is subtracted.
var rowSubs = rowOps{dword: vec.WideSub32, qword: vec.WideSub, float: vec.WideSubF32, double: vec.WideSubF64}

// rowMaths are functions of math in single precision.
var rowMaths = map[uint8]vec.WideOp{mathInv: vec.WideDivF32, 4: vec.WideSqrtF32, 9: vec.WideDivF32}

// mathInv is the function that gives 1/x.
const mathInv = 1

// A rowConversion is a mov from one type to another, and whether it depends on how floats are rounded.
type rowConversion struct {
	op      vec.WideOp
	control uint32
}

// rowConversions have destination and source.
var rowConversions = map[[2]Type]rowConversion{
	{F, D}:  {vec.WideF32I, floatControl},
	{F, UD}: {vec.WideF32U, floatControl},
	{D, F}:  {vec.WideIF32, 0},
	{UD, F}: {vec.WideUF32, 0},
}

// choose finds the operation and its type.
func (r *rowCode) choose(in *Inst) bool {
	switch code := in.Op.Code; {
	case code == opMov:
		return r.chooseMov(in)
	case code == opCmp, code == opCmpn:
		r.op.Kind = regions.Test
		return in.cond != 0 && r.chooseTest(in, in.cond)
	case code == opSel:
		return r.chooseSel(in)
	case in.Op.form == formMath:
		r.op.Op, r.elem, r.control, r.want = rowMaths[in.cond], 4, floatControl, crDenormF
		return in.kind == kindFloat && in.dst.typ == F && r.op.Op != vec.WideNone
	}
	ops, ok := rowTable[in.Op.Code]
	if code := in.Op.Code; code == opMach && in.Op.flags&ownAcc != 0 && !in.accWrite {
		ops = rowTable[opMacl] // it gives the low half
	} else if in.Op.flags&ownAcc != 0 && splits[code] == nil {
		return false
	}
	if !ok || in.cond != 0 && in.Op.flags&noModifier != 0 {
		return false
	}
	if o := &in.src[1]; in.Op.Code == opAdd && o.neg && !o.abs {
		ops, r.negates = rowSubs, true
	}
	switch {
	case in.kind == kindInt:
		return r.chooseInt(in, &ops)
	case in.kind == kindFloat && in.dst.typ == F:
		r.op.Op, r.elem = ops.float, 4
		r.control, r.want = floatControl, crDenormF
	case in.kind == kindDouble && in.dst.typ == DF:
		r.op.Op, r.elem = ops.double, 8
		r.control, r.want = doubleControl, crDenormDF|crDenormF
	}
	return r.op.Op != vec.WideNone && (in.cond == 0 || in.cond <= 6 && r.testResult(in))
}

// chooseInt chooses among an instruction's operations on integers.
func (r *rowCode) chooseInt(in *Inst, ops *rowOps) bool {
	if types[in.dst.typ].float {
		return false
	}
	r.op.Op, r.elem = ops.dword, 4
	if in.wide() {
		r.op.Op, r.elem = ops.qword, 8
	}
	if !in.src[0].signed() && (r.elem == 4 || in.src[0].typ == UQ) {
		if r.elem == 4 && ops.unsigned != vec.WideNone {
			r.op.Op, r.unsigned = ops.unsigned, true
		} else if ops.unsigned64 != vec.WideNone {
			r.op.Op, r.unsigned = ops.unsigned64, true
		}
	}
	if ops.flags&exactRow != 0 && !in.sameSigns() || ops.flags&plainRow != 0 && in.modified() {
		return false
	}
	if in.setsFlags() && (in.cond > 6 || in.dst.typ.Size() != r.elem || !r.testResult(in)) {
		return false
	}
	return r.op.Op != vec.WideNone
}

// sameSigns reports whether the first two sources have a sign, or both none.
func (in *Inst) sameSigns() bool { return in.src[0].signed() == in.src[1].signed() }

// modified reports whether a source has a modifier.
func (in *Inst) modified() bool {
	for i := range in.sourceCount() {
		if in.src[i].neg || in.src[i].abs {
			return true
		}
	}
	return false
}

// signed reports whether an operand's type has a sign.
func (o *operand) signed() bool { return types[o.typ].signed }

// rowTests are comparisons of elements of a type.
type rowTests struct{ less, lessOrEqual, equal vec.WideOp }

var (
	testsSigned     = rowTests{less: vec.WideLtI32, equal: vec.WideEqU}
	testsUnsigned   = rowTests{less: vec.WideLtU, equal: vec.WideEqU}
	testsSigned64   = rowTests{less: vec.WideLtI64, equal: vec.WideEqU}
	testsUnsigned64 = rowTests{less: vec.WideLtU, equal: vec.WideEqU}
	testsFloat      = rowTests{vec.WideLtF32, vec.WideLeF32, vec.WideEqF32}
	testsDouble     = rowTests{vec.WideLtF64, vec.WideLeF64, vec.WideEqF64}
)

// setTest makes a test of a condition. Of integers one is the other's
// opposite; of numbers, which may be none, only equality has one.
func (r *rowCode) setTest(s *rowTests, cond uint8) {
	c := regions.Comparison{Op: s.less, Swap: cond == 3 || cond == 4}
	switch {
	case cond == 1, cond == 2:
		c.Op, c.Not = s.equal, cond == 2
	case cond == 3, cond == 5:
	case s.lessOrEqual != vec.WideNone:
		c.Op = s.lessOrEqual
	default:
		c.Swap, c.Not = !c.Swap, true
	}
	r.op.Cond = c
}

// testResult makes the test that compares results with zero.
func (r *rowCode) testResult(in *Inst) bool {
	s := map[Type]*rowTests{D: &testsSigned, UD: &testsUnsigned, Q: &testsSigned64, UQ: &testsUnsigned64,
		F: &testsFloat, DF: &testsDouble}[in.dst.typ]
	if s != nil {
		r.setTest(s, in.cond)
	}
	return s != nil
}

// chooseTest makes the test of cmp, or of sel with a condition.
func (r *rowCode) chooseTest(in *Inst, cond uint8) bool {
	if cond == 0 || cond > 6 {
		return false
	}
	s, elem := in.testSet()
	if s == nil {
		return false
	}
	r.elem = elem
	switch s {
	case &testsFloat:
		r.control, r.want = crDenormF, crDenormF
	case &testsDouble:
		r.control, r.want = crDenormDF|crDenormF, crDenormDF|crDenormF
	}
	r.setTest(s, cond)
	return true
}

// testSet finds in which type two sources are compared, and its size. Integers
// of which one has a sign and the other 32 bits without are compared in 64.
func (in *Inst) testSet() (*rowTests, int) {
	switch in.kind {
	case kindFloat:
		return &testsFloat, 4
	case kindDouble:
		return &testsDouble, 8
	case kindHalf:
		return nil, 0
	}
	if in.modified() {
		return nil, 0
	}
	signed, full, quad := false, false, false
	for i := range 2 {
		o := &in.src[i]
		signed = signed || o.signed()
		full = full || o.typ == UD
		quad = quad || o.typ.Size() == 8
		if o.typ == UQ && in.src[1-i].typ != UQ {
			return nil, 0
		}
	}
	switch {
	case in.src[0].typ == UQ:
		return &testsUnsigned64, 8
	case quad, signed && full:
		return &testsSigned64, 8
	case signed:
		return &testsSigned, 4
	}
	return &testsUnsigned, 4
}

// chooseSel makes sel: by the predicate, by a comparison, or of numbers the less or greater. A number that is
// none makes the other one be taken, which comparisons do not do.
func (r *rowCode) chooseSel(in *Inst) bool {
	o := &r.op
	switch {
	case in.kind == kindInt && !types[in.dst.typ].float:
		if r.elem = 4; in.wide() {
			r.elem = 8
		}
	case in.kind == kindFloat && in.dst.typ == F:
		r.elem, r.control, r.want = 4, crDenormF, crDenormF
	case in.kind == kindDouble && in.dst.typ == DF:
		r.elem, r.control, r.want = 8, crDenormDF|crDenormF, crDenormDF|crDenormF
	default:
		return false
	}
	elem := r.elem
	o.Kind, o.In, o.Under = regions.Pick, o.Under, regions.Predicate{}
	switch {
	case in.cond == 0 && !o.In.On:
		o.Kind = regions.Copy
	case in.cond == 0:
	case in.kind == kindInt:
		return r.chooseTest(in, in.cond) && r.elem >= elem
	case in.cond != 4 && in.cond != 5:
		return false
	default:
		tests := &testsFloat
		if in.kind == kindDouble {
			tests = &testsDouble
		}
		if o.Cond = (regions.Comparison{Op: tests.less, Loose: true}); in.cond == 4 {
			o.Cond = regions.Comparison{Op: tests.lessOrEqual, Swap: true, Loose: true}
		}
	}
	return true
}

// chooseMov makes mov: a copy, or a conversion.
func (r *rowCode) chooseMov(in *Inst) bool {
	d, s := in.dst.typ, in.src[0].typ
	r.op.Kind, r.copies = regions.Copy, true
	if in.cond != 0 {
		if in.kind != kindInt || types[d].float || in.cond > 6 || d.Size() < 4 {
			return false
		}
		if r.elem = 4; in.wide() {
			r.elem = 8
		}
		return d.Size() == r.elem && r.testResult(in)
	}
	if d == s || !types[d].float && !types[s].float && d.Size() == s.Size() {
		r.elem = d.Size()
		if in.modified() && types[d].float {
			r.control, r.want = crDenormDF|crDenormF, crDenormDF|crDenormF
		}
		return !in.modified() || d == s && r.elem >= 4
	}
	if s == VF && d == F {
		r.elem = 4
		return !in.modified()
	}
	if !types[d].float && !types[s].float {
		if r.elem = 4; in.wide() {
			r.elem = 8
		}
		return true
	}
	conversion, ok := rowConversions[[2]Type{d, in.converted()}]
	if !ok || in.modified() && !types[s].float {
		return false
	}
	r.op.Kind, r.op.Op, r.elem, r.copies = regions.Calc, conversion.op, 4, false
	r.control, r.want = conversion.control, conversion.control&^crRound
	return true
}

// converted is the type that elements of mov's source are extended to.
func (in *Inst) converted() Type {
	switch t := in.src[0].typ; t {
	case UW, W, UB, B, V, UV:
		return D
	case VF:
		return F
	default:
		return t
	}
}

// source makes an operand. It reports whether row code has it.
func (r *rowCode) source(in *Inst, i int) bool {
	o, s := &in.src[i], &r.op.S[i]
	neg, abs := o.neg && !(r.negates && i == 1), o.abs
	s.Keep = ones
	widens := in.kind == kindDouble && o.typ == F && in.Op.Code != opMov
	raw := in.kind == kindInt || r.rowType(in) == o.typ || o.typ == VF && in.kind == kindFloat ||
		in.Op.Code == opMov
	if !raw && !widens || widens && (neg || abs || o.place != immediate) || o.place == indirect {
		return false
	}
	switch {
	case !neg && !abs:
	case in.kind != kindInt:
		sign := uint64(1) << 63
		if o.typ == F {
			sign = 1 << 31
		} else if o.typ != DF {
			return false
		}
		if abs {
			s.Keep = ^sign
		}
		if neg {
			s.Flip = sign
		}
	case abs:
		return false
	case in.Op.flags&logicFlag != 0:
		s.Flip = ones
	default:
		s.Neg = true
	}
	if o.place == immediate {
		s.Const = in.constants(o, s, r.op.Elem)
		s.Keep, s.Flip, s.Neg = ones, 0, false // they have them
		return true
	}
	s.Region = regions.Region{At: int32(o.layout.base), Step: int32(o.layout.step), Table: o.layout.table,
		Size: uint8(o.typ.Size())}
	switch o.typ {
	case D, W, B, Q:
		s.Signed = true
	}
	lo, hi := s.Extent(0, in.width)
	return lo >= 0 && hi <= int32(in.gen.fileBytes())
}

// rowType is the type of the elements of arithmetic.
func (r *rowCode) rowType(in *Inst) Type {
	switch in.kind {
	case kindDouble:
		return DF
	case kindFloat:
		return F
	}
	return noType
}

// constants are the numbers of an operand, one if all are the same, with its modifiers.
func (in *Inst) constants(o *operand, s *regions.Source, elem uint8) []uint64 {
	list, cut := make([]uint64, in.width), ones
	if elem == 4 {
		cut = 1<<32 - 1
	}
	same := true
	for k := range list {
		v := uint64(o.ints[k])
		switch {
		case o.typ == VF:
			v = uint64(math.Float32bits(float32(o.floats[k])))
		case o.typ == F && in.kind == kindDouble && in.Op.Code != opMov:
			v = math.Float64bits(o.floats[k])
		}
		if v = v&s.Keep ^ s.Flip; s.Neg {
			v = -v
		}
		list[k] = v & cut
		same = same && list[k] == list[0]
	}
	if same {
		return list[:1]
	}
	return list
}

// arrange brings operands into the order that the operation has them in.
func (r *rowCode) arrange(in *Inst) bool {
	o := &r.op
	if in.Op.form == formMath && in.cond == mathInv {
		o.S[0], o.S[1] = regions.Source{Const: []uint64{uint64(math.Float32bits(1))}, Keep: ones}, o.S[0]
	}
	if o.Kind != regions.Calc || in.Op.form == formMath || in.Op.Code == opMov {
		return true
	}
	switch flags := rowTable[in.Op.Code].flags; {
	case in.Op.Code == opNot:
		o.S[1] = regions.Source{Const: []uint64{ones}, Keep: ones}
	case flags&addRow != 0:
		o.S = [3]regions.Source{o.S[1], o.S[2], o.S[0]}
	case flags&shiftRow != 0:
		s, bits := &o.S[1], uint64(8*r.elem-1)
		switch {
		case s.Const != nil:
			for i := range s.Const {
				s.Const[i] &= bits
			}
		case s.Neg || s.Flip != 0:
			return false
		default:
			s.Keep &= bits
		}
	}
	return true
}

// result says where the results go. It reports whether row code can bring them there.
func (r *rowCode) result(in *Inst) bool {
	o, size := &r.op, in.dst.typ.Size()
	isTest := o.Kind == regions.Test
	if in.dst.place == noPlace || in.dst.isNull() {
		return !in.accWrite && in.Op.Code != opSel
	}
	l := &in.dst.layout
	if size > r.elem && !isTest || isTest && size != 4 || l.table != nil {
		return false
	}
	o.D = regions.Region{At: int32(l.base), Step: int32(l.step), Size: uint8(size)}
	if in.width == 1 {
		o.D.Step = int32(size)
	}
	if in.accWrite {
		o.Also = regions.Region{At: offAcc, Step: int32(size), Size: uint8(size)}
		if splits[in.Op.Code] != nil && in.Op.flags&ownAcc != 0 { // the carry is what it leaves there
			o.Also = regions.Region{}
			return size == r.elem
		}
		return in.Op.flags&ownAcc == 0 && in.Op.Code != opSel && size == r.elem && size >= 4 && !isTest
	}
	return true
}
