package gen

import "simtgdb/simt/vec"

// Most instructions compute 32- or 64-bit elements without saturating. They
// go by rows: when they are decoded, a function is chosen for the operation and
// its type, one for each source that brings its elements side by side in that
// type, and one that stores the results. Sources that already lie so are used
// where they are, and so is the destination if all channels execute. All else
// goes by the arrays of ints and floats (runALU).

// A row is an operand's elements, one after the other.
type row [8 * maxChannels]byte

// A rowOp computes n bytes of elements of d from those of its sources.
type rowOp func(d, a, b, c *row, n int)

// A rowTest tells for which elements of two rows something is true: bit 0 of
// the first.
type rowTest func(a, b *row, n int) uint32

// A fastSource is a source as a plan sees it.
type fastSource struct {
	load func(c *Core, in *Inst, i int) *row // nil: the row is at base
	base int                                 // in the file
	row  *row                                // of a constant

	// Of floats: what of an element's bits stays, and what is inverted then.
	keep, flip uint64
	neg        bool // an integer is negated
}

// A plan is how an instruction goes by rows.
type plan struct {
	op       rowOp
	test     rowTest // of cmp and of sel with a condition; of others' results
	invert   bool    // of the test
	unsigned bool    // op is that of integers without a sign

	// What package vec computes instead, if it does; see fast_vec.go.
	vec     vec.ShortFunc
	order   [3]uint8
	convert vec.Op // of mov
	vecTest vec.ShortFunc

	// The same, for row code.
	copies  bool  // op is rowMov
	is      vecOp // what computes
	compare rowComparison

	swapped bool // the test's sources are

	n       int // bytes of a row
	elem    int // bytes of an element
	src     [3]fastSource
	sources int
	store   func(c *Core, in *Inst, mask uint32, out *row) // nil: there is no destination
	stored  int                                            // bytes of an element that is stored
	inPlace bool                                           // the results' row can be the destination
	acc     bool                                           // results go to the accumulator too
	negates bool                                           // op subtracts: source 1's negation is in it

	// The bits of cr0 that matter, and what they must be.
	control, controlWant uint32
	slow                 runner // otherwise
}

// The floating-point controls under which plans compute: round to nearest, and
// denormals are kept.
const (
	floatControl  = crDenormF | crRound
	doubleControl = crDenormDF | crDenormF | crRound
	halfControl   = crDenormHF | crDenormF | crRound
)

// makePlan makes the instruction's plan, or nil if it has none.
func (in *Inst) makePlan() *plan {
	if in.saturate || in.width > maxChannels || in.dst.place == indirect ||
		in.Op.Code == opSel && in.cond != 0 && in.pred != 0 ||
		in.Op.form == formMath && in.isMacro() {
		return nil
	}
	p := &plan{sources: in.sourceCount()}
	if !p.chooseOp(in) {
		return nil
	}
	p.n = p.elem * in.width
	for i := range p.sources {
		if !p.plan(in, i) {
			return nil
		}
	}
	if p = p.finish(in); p != nil {
		p.chooseVec(in)
	}
	return p
}

// chooseOp finds the function for the operation and its type.
func (p *plan) chooseOp(in *Inst) bool {
	code := in.Op.Code
	switch {
	case code == opMov:
		return p.chooseMov(in)
	case code == opCmp, code == opCmpn:
		return in.cond != 0 && p.chooseTest(in, in.cond)
	case code == opSel:
		return p.chooseSel(in)
	case in.Op.form == formMath:
		return p.chooseMath(in)
	}
	ops := rowOps[code]
	if ops == nil || in.Op.flags&ownAcc != 0 || in.cond != 0 && in.Op.flags&noModifier != 0 {
		return false
	}
	if o := &in.src[1]; code == opAdd && o.neg && !o.abs {
		ops, p.negates = &rowSubs, true
	}
	switch {
	case in.kind == kindInt:
		return p.chooseInt(in, ops)
	case in.kind == kindFloat && in.dst.typ == F:
		p.op, p.elem = ops.float, 4
		p.control, p.controlWant = floatControl, crDenormF
	case in.kind == kindDouble && in.dst.typ == DF:
		p.op, p.elem = ops.double, 8
		p.control, p.controlWant = doubleControl, crDenormDF|crDenormF
	}
	return p.op != nil && (in.cond == 0 || in.cond <= 6 && p.testResult(in))
}

// chooseInt chooses among an operation's functions of integers.
func (p *plan) chooseInt(in *Inst, ops *rowOpSet) bool {
	if types[in.dst.typ].float {
		return false
	}
	p.op, p.elem = ops.dword, 4
	if in.wide() {
		p.op, p.elem = ops.qword, 8
	}
	if !in.src[0].signed() && (p.elem == 4 || in.src[0].typ == UQ) {
		if p.elem == 4 && ops.unsigned != nil {
			p.op, p.unsigned = ops.unsigned, true
		} else if ops.unsigned64 != nil {
			p.op, p.unsigned = ops.unsigned64, true
		}
	}
	if ops.flags&exactRow != 0 && !in.sameSigns() || ops.flags&plainRow != 0 && in.modified() {
		return false
	}
	if ops.flags&bitsRow != 0 && in.shorts() {
		p.elem = 2
	}
	if in.setsFlags() && (in.cond > 6 || in.dst.typ.Size() != p.elem || !p.testResult(in)) {
		return false
	}
	return p.op != nil
}

// shorts reports whether all operands have 16 bits.
func (in *Inst) shorts() bool {
	for i := range in.sourceCount() {
		if in.src[i].typ.Size() != 2 || in.src[i].place == immediate && in.src[i].typ != UW && in.src[i].typ != W {
			return false
		}
	}
	return in.dst.typ.Size() == 2
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

// A rowComparison is a loop, and the operation of package vec that does the same.
type rowComparison struct {
	loop rowTest
	op   vec.Op
	wide vec.WideOp
}

// rowTests are comparisons by the size of elements and their type.
type rowTestSet struct{ less, lessOrEqual, equal rowComparison }

var (
	equalDwords = rowComparison{equal32, vec.EqU, vec.WideNone}
	equalQwords = rowComparison{equal64, vec.None, vec.WideEqU}

	testsSigned     = rowTestSet{less: rowComparison{loop: lessD, op: vec.LtI}, equal: equalDwords}
	testsUnsigned   = rowTestSet{less: rowComparison{loop: lessUD, op: vec.LtU}, equal: equalDwords}
	testsShort      = rowTestSet{equal: rowComparison{loop: equal16}}
	testsSigned64   = rowTestSet{less: rowComparison{loop: lessQ, wide: vec.WideLtI64}, equal: equalQwords}
	testsUnsigned64 = rowTestSet{less: rowComparison{loop: lessUQ, wide: vec.WideLtU}, equal: equalQwords}
	testsFloat      = rowTestSet{rowComparison{loop: lessF, op: vec.LtF32},
		rowComparison{loop: lessOrEqualF, op: vec.LeF32}, rowComparison{loop: equalF, op: vec.EqF32}}
	testsDouble = rowTestSet{rowComparison{loop: lessDF, wide: vec.WideLtF64},
		rowComparison{loop: lessOrEqualDF, wide: vec.WideLeF64}, rowComparison{loop: equalDF, wide: vec.WideEqF64}}
)

// setTest makes a test of a condition. Of integers one is the other's
// opposite; of numbers, which may be none, only equality has one.
func (p *plan) setTest(s *rowTestSet, cond uint8) bool {
	var t rowComparison
	switch cond {
	case 1:
		t = s.equal
	case 2:
		t, p.invert = s.equal, true
	case 3:
		t, p.swapped = s.less, true
	case 5:
		t = s.less
	case 4:
		t, p.swapped = s.lessOrEqual, true
		if t.loop == nil {
			t, p.swapped, p.invert = s.less, false, true
		}
	case 6:
		t = s.lessOrEqual
		if t.loop == nil {
			t, p.swapped, p.invert = s.less, true, true
		}
	}
	if p.test, p.compare = t.loop, t; t.op != vec.None {
		p.vecTest = t.op.Short()
	} else if t.wide != vec.WideNone {
		p.vecTest = t.wide.Short()
	}
	return p.test != nil
}

// testResult makes the test that compares results with zero.
func (p *plan) testResult(in *Inst) bool {
	s := map[Type]*rowTestSet{D: &testsSigned, UD: &testsUnsigned, Q: &testsSigned64, UQ: &testsUnsigned64,
		UW: &testsShort, W: &testsShort, F: &testsFloat, DF: &testsDouble}[in.dst.typ]
	return s != nil && s.equal.loop != nil && p.setTest(s, in.cond)
}

// chooseTest makes the test of cmp, or of sel with a condition.
func (p *plan) chooseTest(in *Inst, cond uint8) bool {
	if cond == 0 || cond > 6 {
		return false
	}
	s, elem := in.testSet()
	if s == nil {
		return false
	}
	p.elem = elem
	switch s {
	case &testsFloat:
		p.control, p.controlWant = crDenormF, crDenormF
	case &testsDouble:
		p.control, p.controlWant = crDenormDF|crDenormF, crDenormDF|crDenormF
	}
	return p.setTest(s, cond)
}

// testSet finds in which type two sources are compared, and its size. Integers
// of which one has a sign and the other 32 bits without are compared in 64.
func (in *Inst) testSet() (*rowTestSet, int) {
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

// chooseSel plans sel: by the predicate, or by a test. A number that is none
// makes the other one be taken, which tests do not do.
func (p *plan) chooseSel(in *Inst) bool {
	switch in.kind {
	case kindInt:
		p.elem = 4
		if in.wide() {
			p.elem = 8
		}
		if types[in.dst.typ].float {
			return false
		}
	case kindFloat:
		p.elem = 4
		if in.dst.typ != F {
			return false
		}
		p.control, p.controlWant = crDenormF, crDenormF
	case kindDouble:
		p.elem = 8
		if in.dst.typ != DF {
			return false
		}
		p.control, p.controlWant = crDenormDF|crDenormF, crDenormDF|crDenormF
	default:
		return false
	}
	if in.cond == 0 {
		return true
	}
	elem := p.elem
	if in.kind != kindInt {
		p.op = selRows[in.kind][in.cond]
		return p.op != nil
	}
	return p.chooseTest(in, in.cond) && p.elem >= elem
}

// selRows are sel with a condition of numbers.
var selRows = map[kind]map[uint8]rowOp{kindFloat: {4: maxF, 5: minF}, kindDouble: {4: maxDF, 5: minDF}}

// chooseMov plans mov: a copy, or a conversion.
func (p *plan) chooseMov(in *Inst) bool {
	d, s := in.dst.typ, in.src[0].typ
	if in.cond != 0 {
		if in.kind != kindInt || types[d].float || in.cond > 6 || d.Size() < 4 {
			return false
		}
		if p.elem = 4; in.wide() {
			p.elem = 8
		}
		p.op, p.copies = rowMov, true
		return d.Size() == p.elem && p.testResult(in)
	}
	if d == s || !types[d].float && !types[s].float && d.Size() == s.Size() {
		p.op, p.elem, p.copies = rowMov, d.Size(), true
		if in.modified() && types[d].float {
			p.control, p.controlWant = crDenormDF|crDenormF, crDenormDF|crDenormF
		}
		return !in.modified() || d == s && p.elem >= 4
	}
	if s == VF && d == F {
		p.op, p.elem, p.copies = rowMov, 4, true
		return !in.modified()
	}
	if !types[d].float && !types[s].float {
		p.op, p.elem, p.copies = rowMov, 4, true
		if in.wide() {
			p.elem = 8
		}
		return true
	}
	conversion, ok := conversions[[2]Type{d, in.converted()}]
	if !ok || in.modified() && !types[s].float {
		return false
	}
	p.op, p.elem, p.convert = conversion.op, conversion.elem, conversion.fast
	p.control, p.controlWant = conversion.control, conversion.control&^crRound
	return true
}

// converted is the type that a row of mov's source has.
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

// chooseMath plans functions of single-precision numbers and of 32-bit integers.
func (p *plan) chooseMath(in *Inst) bool {
	if in.kind == kindInt && mathIntRows[in.cond] != nil {
		return p.chooseInt(in, mathIntRows[in.cond])
	}
	if mathOps[in.cond] == nil || in.kind != kindFloat || in.dst.typ != F {
		return false
	}
	p.elem, p.control, p.controlWant = 4, floatControl, crDenormF
	p.op = mathRows[in.cond]
	return true
}

// finish chooses where results go.
func (p *plan) finish(in *Inst) *plan {
	size := in.dst.typ.Size()
	isTest := in.Op.Code == opCmp || in.Op.Code == opCmpn
	if in.dst.place == noPlace || in.dst.isNull() {
		if in.accWrite || in.Op.Code == opSel {
			return nil
		}
		return p
	}
	p.stored = p.elem
	if isTest {
		p.stored = 4
	}
	if size > p.stored || isTest && size != 4 {
		return nil
	}
	if in.accWrite {
		if in.Op.flags&ownAcc != 0 || in.Op.Code == opSel || size != p.elem || isTest {
			return nil
		}
		p.acc = true
	}
	switch l := &in.dst.layout; {
	case l.table != nil:
		return nil
	case size == p.stored && (l.step == size || in.width == 1):
		p.store = mergeRow
		p.inPlace = !isTest && p.clear(in)
	default:
		p.store = storeElements
	}
	return p
}

// clear reports whether no source is read after results have been written over
// it. A source in the very place of the destination is read before.
func (p *plan) clear(in *Inst) bool {
	d := in.dst.layout.base
	for i := range p.sources {
		s := &p.src[i]
		if s.load != nil {
			continue
		}
		if s.base != d && s.base < d+p.n && d < s.base+p.n {
			return false
		}
	}
	return true
}
