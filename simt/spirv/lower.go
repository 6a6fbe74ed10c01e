package spirv

import (
	"simtgdb/simt/rows"
	"simtgdb/simt/rows/host"
	"simtgdb/simt/vec"
)

// The instructions that programs have most are lowered to row code (package rows). A register of row code is
// a slot. The core executes the others, between one unit of row code and the next.

// A lowered is how an instruction of one or two operands is an operation on each scalar.
type lowered struct {
	op     vec.WideOp
	swap   bool    // the operands change places
	invert bool    // of a comparison: true where the operation says false
	with   *uint64 // the second operand, of an instruction that has none
}

func number(v uint64) *uint64 { return &v }

// lowered32 are those of operands and results of 32 bits, lowered64 of 64 bits, loweredBools of bools.
var (
	lowered32 = map[uint16]lowered{
		opFNegate: {op: vec.WideXor, with: number(1 << 31)},
		opNot:     {op: vec.WideXor, with: number(1<<32 - 1)},
		opIAdd:    {op: vec.WideAdd32}, opISub: {op: vec.WideSub32}, opIMul: {op: vec.WideMul32},
		opFAdd: {op: vec.WideAddF32}, opFSub: {op: vec.WideSubF32}, opFMul: {op: vec.WideMulF32},
		opFDiv: {op: vec.WideDivF32}, opBitwiseOr: {op: vec.WideOr}, opBitwiseXor: {op: vec.WideXor},
		opBitwiseAnd:  {op: vec.WideAnd},
		opConvertFToU: {op: vec.WideUF32}, opConvertFToS: {op: vec.WideIF32},
		opConvertSToF: {op: vec.WideF32I}, opConvertUToF: {op: vec.WideF32U},
	}
	lowered64 = map[uint16]lowered{
		opFNegate: {op: vec.WideXor, with: number(1 << 63)},
		opNot:     {op: vec.WideXor, with: number(^uint64(0))},
		opFAdd:    {op: vec.WideAddF64}, opFSub: {op: vec.WideSubF64}, opFMul: {op: vec.WideMulF64},
		opFDiv: {op: vec.WideDivF64}, opIAdd: {op: vec.WideAdd}, opISub: {op: vec.WideSub},
		opIMul:      {op: vec.WideMul},
		opBitwiseOr: {op: vec.WideOr}, opBitwiseXor: {op: vec.WideXor}, opBitwiseAnd: {op: vec.WideAnd},
	}
	// loweredNarrow are those of fewer bits than 32, of whose result as many are kept.
	loweredNarrow = map[uint16]lowered{
		opIAdd: {op: vec.WideAdd32}, opISub: {op: vec.WideSub32}, opIMul: {op: vec.WideMul32},
		opBitwiseOr:  {op: vec.WideOr},
		opBitwiseXor: {op: vec.WideXor}, opBitwiseAnd: {op: vec.WideAnd},
		opNot: {op: vec.WideXor, with: number(1<<32 - 1)},
	}
	loweredBools = map[uint16]lowered{opLogicalNotEqual: {op: vec.WideXor}, opLogicalOr: {op: vec.WideOr},
		opLogicalAnd: {op: vec.WideAnd},
		opLogicalNot: {op: vec.WideXor, with: number(1)}}
)

// loweredShifts are by width, and take as many bits of their count as that needs.
var loweredShifts = map[uint]map[uint16]vec.WideOp{
	32: {opShiftRightLogical: vec.WideShr32, opShiftRightArithmetic: vec.WideSar32,
		opShiftLeftLogical: vec.WideShl32},
	64: {opShiftRightLogical: vec.WideShr, opShiftRightArithmetic: vec.WideSar,
		opShiftLeftLogical: vec.WideShl},
}

// loweredFuncs64 are functions of extended sets of 64 bits, loweredFuncs of 32 bits.
var loweredFuncs64 = map[string]map[uint32]lowered{
	"GLSL.std.450": {4: {op: vec.WideAnd, with: number(1<<63 - 1)}, 50: {op: vec.WideFmaF64}},
	"OpenCL.std":   {23: {op: vec.WideAnd, with: number(1<<63 - 1)}, 26: {op: vec.WideFmaF64}},
}

var loweredFuncs = map[string]map[uint32]lowered{
	"GLSL.std.450": {2: {op: vec.WideRintF32}, 3: {op: vec.WideTruncF32},
		4: {op: vec.WideAnd, with: number(1<<31 - 1)}, 8: {op: vec.WideFloorF32}, 9: {op: vec.WideCeilF32},
		31: {op: vec.WideSqrtF32}, 37: {op: vec.WideMinF32}, 38: {op: vec.WideMinU}, 39: {op: vec.WideMinI32},
		40: {op: vec.WideMaxF32}, 41: {op: vec.WideMaxU}, 42: {op: vec.WideMaxI32}, 50: {op: vec.WideFmaF32}},
	"OpenCL.std": {12: {op: vec.WideCeilF32}, 23: {op: vec.WideAnd, with: number(1<<31 - 1)},
		25: {op: vec.WideFloorF32}, 26: {op: vec.WideFmaF32}, 27: {op: vec.WideMaxF32},
		28: {op: vec.WideMinF32}, 53: {op: vec.WideRintF32}, 61: {op: vec.WideSqrtF32},
		66: {op: vec.WideTruncF32}, 156: {op: vec.WideMaxI32}, 157: {op: vec.WideMaxU},
		158: {op: vec.WideMinI32}, 159: {op: vec.WideMinU}},
}

const openCLMad = 42

// loweredTests are the comparisons by the width of their operands.
var loweredTests = map[uint]map[uint16]lowered{
	32: lowerTests(vec.WideLtI32, vec.WideEqF32, vec.WideNeF32, vec.WideLtF32, vec.WideLeF32),
	64: lowerTests(vec.WideLtI64, vec.WideEqF64, vec.WideNeF64, vec.WideLtF64, vec.WideLeF64),
}

// lowerTests are the comparisons that follow from a few.
func lowerTests(signed, eq, ne, lt, le vec.WideOp) map[uint16]lowered {
	return map[uint16]lowered{
		opIEqual: {op: vec.WideEqU}, opINotEqual: {op: vec.WideEqU, invert: true},
		opUGreaterThan: {op: vec.WideLtU, swap: true}, opUGreaterThanEqual: {op: vec.WideLtU, invert: true},
		opULessThan: {op: vec.WideLtU}, opULessThanEqual: {op: vec.WideLtU, swap: true, invert: true},
		opSGreaterThan: {op: signed, swap: true}, opSGreaterThanEqual: {op: signed, invert: true},
		opSLessThan: {op: signed}, opSLessThanEqual: {op: signed, swap: true, invert: true},
		opFOrdEqual: {op: eq}, opFUnordEqual: {op: ne, invert: true}, opFOrdNotEqual: {op: ne},
		opFUnordNotEqual: {op: eq, invert: true},
		opFOrdLessThan:   {op: lt}, opFUnordLessThan: {op: le, swap: true, invert: true},
		opFOrdGreaterThan: {op: lt, swap: true}, opFUnordGreaterThan: {op: le, invert: true},
		opFOrdLessThanEqual: {op: le}, opFUnordLessThanEqual: {op: lt, swap: true, invert: true},
		opFOrdGreaterThanEqual: {op: le, swap: true}, opFUnordGreaterThanEqual: {op: lt, invert: true},
	}
}

const (
	decRounding  = 39
	decSaturated = 28
)

// A lowerer makes row code of a program.
type lowerer struct {
	p     *Program
	first []int32         // by block: the number of its first instruction
	edges []*edge         // that have copies
	edge  map[*edge]int32 // their numbers
	masks map[int32]int32 // by slot: masks that have been made of bools in this unit
	ops   []rows.Op       // of the instruction
	ok    bool            // it can be lowered
	// buffers are what pointers in slots lead into, where that bounds accesses; constants what slots hold
	// that are parts of constants.
	buffers   map[int32]*variable
	constants map[int32]uint64
	standing  map[int32]bool // slots of pointers that are the same in all lanes

	judging judging

	near  map[int32]nearby // pointers that are a number of bytes from others
	block *block           // that is lowered
}

// A nearby pointer is an offset from another, which is computed in the same block before it.
type nearby struct {
	slot   int32
	offset int64
	home   *block
}

func newLowerer(p *Program) *lowerer {
	l := &lowerer{p: p, edge: map[*edge]int32{}, buffers: map[int32]*variable{},
		constants: map[int32]uint64{}, near: map[int32]nearby{}, standing: map[int32]bool{}}
	for _, x := range append(p.bound[:len(p.bound):len(p.bound)], p.standing...) {
		l.standing[x.slot] = true
	}
	for id, v := range p.values {
		if def := p.def[id]; v != nil && v.fixed && v.ptr == nil && def != nil && isConstant(def.op) {
			for k, x := range p.bitsOf(v) {
				l.constants[v.slot+int32(k)] = x
			}
		}
	}
	n := int32(0)
	for _, b := range p.blocks {
		l.first = append(l.first, n)
		n += int32(len(b.insts))
	}
	return l
}

// units lowers the blocks of a function, but for those that stops says to leave out.
func (l *lowerer) units(f *function, stops func(b *block) bool) (all []rows.Unit) {
	edges := len(l.edges)
	for _, b := range f.blocks {
		l.findNear(b)
	}
	for _, b := range f.blocks {
		l.block = b
		if stops(b) {
			continue
		}
		open := false
		for i := range b.insts {
			at := l.first[b.index] + int32(i)
			if !open {
				l.masks = map[int32]int32{}
			}
			in := l.inst(&b.insts[i])
			one := rows.Unit{At: at, Insts: []rows.Inst{in}}
			switch {
			case !in.Known || rows.Verify(&one, l.p.slots, l.p.masks()) != nil:
				if n := len(all); n > 0 && all[n-1].At >= l.first[b.index] {
					all[n-1].Go++
				}
				open = false
			case !open:
				all, open = append(all, one), true
			default:
				u := &all[len(all)-1]
				u.Insts = append(u.Insts, in)
			}
		}
	}
	for i := edges; i < len(l.edges); i++ {
		e := l.edges[i]
		ops, ok := l.copies(e)
		if !ok {
			continue
		}
		in := rows.Inst{Known: true, Ops: ops, Flow: rows.Jump, Target: l.first[e.to.index], Free: true}
		all = append(all, rows.Unit{At: edgeNumber(i), Insts: []rows.Inst{in}})
	}
	return all
}

// edgeNumber is the number of an edge's copies, which no instruction has.
func edgeNumber(i int) int32 { return -1 - int32(i) }

// way is the number to go to along an edge.
func (l *lowerer) way(e *edge) int32 {
	if len(e.copies) == 0 {
		return l.first[e.to.index]
	}
	n, ok := l.edge[e]
	if !ok {
		n = edgeNumber(len(l.edges))
		l.edge[e] = n
		l.edges = append(l.edges, e)
	}
	return n
}

// copies makes those of an edge. What one overwrites before another reads it is kept aside.
func (l *lowerer) copies(e *edge) (all []rows.Op, ok bool) {
	written := map[int32]int32{} // and where it is kept
	var kept, copies []rows.Op
	for _, c := range e.copies {
		for k := range c.n {
			src := l.slot(c.src + k)
			if keep, ok := written[src.Reg]; ok && !src.Const {
				if keep == 0 {
					keep = -1 - int32(len(kept))
					written[src.Reg] = keep
					kept = append(kept, move(keep, src))
				}
				src.Reg = keep
			}
			copies = append(copies, move(c.dst+k, src))
			if _, ok := written[c.dst+k]; !ok {
				written[c.dst+k] = 0
			}
		}
	}
	return append(kept, copies...), len(kept) <= rows.Temps
}

// always is the mask of operations for all active lanes.
var always = rows.Mask{N: rows.Always}

func move(d int32, s rows.Value) rows.Op {
	return rows.Op{Kind: rows.Copy, D: d, S: [3]rows.Value{s}, Under: always}
}

// The functions below make an instruction's operations.

func (l *lowerer) calc(d int32, op vec.WideOp, s ...rows.Value) {
	o := rows.Op{Kind: rows.Calc, Op: op, D: d, Under: always}
	copy(o.S[:], s)
	l.ok = l.ok && host.Can(&o)
	l.ops = append(l.ops, o)
}

func (l *lowerer) test(t lowered, mask int32, a, b rows.Value) {
	if t.swap {
		a, b = b, a
	}
	l.ops = append(l.ops, rows.Op{Kind: rows.Test, Op: t.op, Invert: t.invert, P: mask,
		S: [3]rows.Value{a, b}, Under: always})
}

func (l *lowerer) choose(d, mask int32, yes, no rows.Value) {
	l.calc(d, vec.WideSelect, yes, no)
	l.ops[len(l.ops)-1].In = rows.Mask{N: mask}
}

func constant(v uint64) rows.Value { return rows.Value{Const: true, Imm: v} }

// of is scalar k of a value.
func (l *lowerer) of(id uint32, k int) rows.Value {
	v := l.p.values[id]
	if v == nil || k >= v.typ.slots {
		l.ok = false
		return rows.Value{}
	}
	return l.slot(v.slot + int32(k))
}

// slot is the operand in a slot.
func (l *lowerer) slot(n int32) rows.Value {
	if x, ok := l.constants[n]; ok {
		return constant(x)
	}
	return rows.Value{Reg: n}
}

// isConstant reports whether an instruction makes a constant, perhaps a specialised one.
func isConstant(op uint16) bool { return op >= opConstantTrue && op <= opSpecConstantOp }

// width is the width of the scalars of a value; 1 of bools.
func (l *lowerer) width(id uint32) uint {
	if v := l.p.values[id]; v != nil && v.typ.scalar() != nil {
		return v.typ.scalar().width()
	}
	return 0
}

// widths reports whether all values are of a width.
func (l *lowerer) widths(w uint, ids ...uint32) bool {
	for _, id := range ids {
		if l.width(id) != w {
			return false
		}
	}
	return true
}

// mask is that of a bool.
func (l *lowerer) mask(cond rows.Value) int32 {
	if !cond.Const {
		if m, ok := l.masks[cond.Reg]; ok {
			return m
		}
		m := 1 + cond.Reg
		l.test(lowered{op: vec.WideEqU, invert: true}, m, cond, constant(0))
		l.masks[cond.Reg] = m
		return m
	}
	l.test(lowered{op: vec.WideEqU, invert: true}, 0, cond, constant(0))
	return 0
}

// setBool makes a bool of a mask that was made for it.
func (l *lowerer) setBool(d int32) {
	l.choose(d, 1+d, constant(1), constant(0))
	l.masks[d] = 1 + d
}

// inst makes row code of an instruction; Known is false if it has none.
func (l *lowerer) inst(in *inst) (out rows.Inst) {
	l.ops, l.ok = nil, true
	r := in.raw
	switch {
	case r.op == opFunction:
	case r.op == opBranch:
		out.Flow, out.Target = rows.Jump, l.way(in.edges[0])
	case r.op == opBranchConditional:
		out.Flow, out.Cond = rows.Branch, rows.Mask{N: l.mask(l.slot(in.a))}
		out.Target, out.Else = l.way(in.edges[0]), l.way(in.edges[1])
	case r.op == opSwitch:
		l.choices(in, &out)
	case l.leaves(in):
		return rows.Inst{}
	case in.then != nil || in.flags&moves != 0 || in.lacks() ||
		l.p.hasDecoration(r.res, decRounding):
		return rows.Inst{}
	case in.mem != nil && (r.op == opLoad || r.op == opStore || r.op == opVariable):
		l.access(in)
	case in.mem != nil || in.flags != 0:
		return rows.Inst{}
	case in.chain != nil:
		l.address(in)
	default:
		l.compute(in)
	}
	out.Known, out.Ops = l.ok, l.ops
	return out
}

// mostCases is how many cases a switch has at most. Its masks are behind those of slots.
const mostCases = 16

// masks is how many masks a program's row code has.
func (p *Program) masks() int { return p.slots + 1 + mostCases }

// choices makes a switch.
func (l *lowerer) choices(in *inst, out *rows.Inst) {
	out.Flow, out.Target = rows.Jump, l.way(in.edges[0])
	if len(in.cases) == 0 {
		return
	}
	if len(in.cases) > mostCases {
		l.ok = false
		return
	}
	out.Flow, out.Else = rows.Branch, out.Target
	for i, v := range in.cases {
		m := int32(l.p.slots + 1 + i)
		l.test(lowered{op: vec.WideEqU}, m, l.slot(in.a), constant(v&in.imm))
		out.More = append(out.More, rows.Case{Cond: rows.Mask{N: m}, Target: l.way(in.edges[i+1])})
	}
	out.Cond, out.Target, out.More = out.More[0].Cond, out.More[0].Target, out.More[1:]
}

// lacks reports whether nothing is known of an instruction but what executes it.
func (in *inst) lacks() bool {
	return in.n == 0 && in.mem == nil && in.args == nil && in.chain == nil && in.products == nil
}

// castsPointers are the opcodes that give a pointer of 64 bits as it is.
var castsPointers = opcodes([][2]uint16{{opConvertPtrToU}, {opConvertUToPtr, opPtrCastToGeneric}})

// compute makes an instruction of operations on scalars.
func (l *lowerer) compute(in *inst) {
	r, w := in.raw, l.width(in.raw.res)
	switch {
	case l.moves(in, w):
	case l.controlled(r):
		l.ok = false
	case r.op == opExtInst:
		l.extended(in)
	case r.op == opVectorTimesScalar && (w == 32 || w == 64) && l.widths(w, r.args...):
		for k := range int(in.n) {
			l.calc(in.d+int32(k), map[uint]vec.WideOp{32: vec.WideMulF32, 64: vec.WideMulF64}[w],
				l.of(r.args[0], k), l.of(r.args[1], 0))
		}
	case r.op == opVectorExtractDynamic || r.op == opVectorInsertDynamic:
		l.element(in)
	case r.op == opUConvert || r.op == opSConvert:
		l.convert(in)
	case castsPointers[r.op] && w == 64 && l.widths(64, r.args...):
		l.run(in.d, in.a, int(in.n))
	case r.op == opSNegate && w > 1 && l.widths(w, r.args...):
		for k := range int(in.n) {
			l.calc(in.d+int32(k), vec.WideSub, constant(0), l.of(r.args[0], k))
			l.keep(in.d+int32(k), w)
		}
	case in.products != nil:
		l.products(in)
	case divides(r.op, w):
		l.divide(in)
	case r.op == opUMulExtended || r.op == opSMulExtended:
		l.products64(in)
	case l.compares(in), l.shifts(in, w):
	default:
		l.alike(in, w)
	}
}

// moves makes an instruction that copies scalars or chooses among them, and reports whether it is one.
func (l *lowerer) moves(in *inst, w uint) bool {
	r, n := in.raw, int(in.n)
	switch {
	case r.op == opVectorShuffle || r.op == opCompositeConstruct:
		for k, slot := range in.args {
			l.ops = append(l.ops, move(in.d+int32(k), l.slot(slot)))
		}
	case r.op == opCompositeExtract, r.op == opCopyObject, r.op == opCopyLogical,
		r.op == opBitcast && l.widths(w, r.args...):
		l.run(in.d, in.a, n)
	case r.op == opCompositeInsert:
		l.run(in.d, in.a, n)
		l.run(in.d+in.e, in.b, int(in.imm))
	case r.op == opSelect:
		for k := range n {
			cond := k
			if l.p.values[r.args[0]].typ.slots == 1 {
				cond = 0
			}
			yes, no := l.of(r.args[1], k), l.of(r.args[2], k)
			l.choose(in.d+int32(k), l.mask(l.of(r.args[0], cond)), yes, no)
		}
	default:
		return false
	}
	return true
}

// compares makes a comparison, and reports whether the instruction is one.
func (l *lowerer) compares(in *inst) bool {
	r := in.raw
	t, ok := loweredTests[l.width(r.args[0])][r.op]
	if !ok || len(r.args) != 2 || !l.widths(l.width(r.args[0]), r.args...) {
		return false
	}
	for k := range int(in.n) {
		d := in.d + int32(k)
		l.test(t, 1+d, l.of(r.args[0], k), l.of(r.args[1], k))
		l.setBool(d)
	}
	return true
}

// shifts makes a shift by a number of whatever size, and reports whether the instruction is one.
func (l *lowerer) shifts(in *inst, w uint) bool {
	r := in.raw
	op, ok := loweredShifts[w][r.op]
	if !ok || !l.widths(w, r.args[0]) || l.width(r.args[1]) < 32 {
		return false
	}
	for k := range int(in.n) {
		count := l.of(r.args[1], k)
		if count.Const {
			count.Imm &= uint64(w - 1)
		} else {
			l.calc(-1, vec.WideAnd, count, constant(uint64(w-1)))
			count = rows.Value{Reg: -1}
		}
		l.calc(in.d+int32(k), op, l.of(r.args[0], k), count)
	}
	return true
}

// alike makes an instruction that is one operation on each scalar, of operands of the result's width.
func (l *lowerer) alike(in *inst, w uint) {
	t, ok := map[uint]map[uint16]lowered{1: loweredBools, 8: loweredNarrow, 16: loweredNarrow, 32: lowered32,
		64: lowered64}[w][in.raw.op]
	if !ok || in.f3 != nil || !l.widths(w, in.raw.args...) {
		l.ok = false
		return
	}
	l.each(in, t, in.raw.args...)
	for k := range int(in.n) {
		if w == 8 || w == 16 {
			l.keep(in.d+int32(k), w)
		}
	}
}

// each makes an operation on each scalar.
func (l *lowerer) each(in *inst, t lowered, args ...uint32) {
	for k := range int(in.n) {
		var s []rows.Value
		for _, id := range args {
			s = append(s, l.of(id, k))
		}
		if t.with != nil {
			s = append(s, constant(*t.with))
		}
		l.calc(in.d+int32(k), t.op, s...)
	}
}

// keep clears what is above the lowest bits of a number, which it may have below the 64th.
func (l *lowerer) keep(d int32, width uint) {
	if width < 64 {
		l.calc(d, vec.WideAnd, rows.Value{Reg: d}, constant(1<<width-1))
	}
}

// element makes VectorExtractDynamic and VectorInsertDynamic. An index that is out of bounds is the last.
func (l *lowerer) element(in *inst) {
	r := in.raw
	last := l.p.values[r.args[0]].typ.slots - 1
	index := l.of(r.args[len(r.args)-1], 0)
	at := func(k int) int32 {
		if k < last {
			l.test(lowered{op: vec.WideEqU}, 0, index, constant(uint64(k)))
		} else {
			l.test(lowered{op: vec.WideLtU, invert: true}, 0, index, constant(uint64(k)))
		}
		return 0
	}
	if r.op == opVectorExtractDynamic {
		l.run(in.d, in.a+int32(last), 1)
		for k := range last {
			l.choose(in.d, at(k), l.of(r.args[0], k), rows.Value{Reg: in.d})
		}
		return
	}
	for k := range last + 1 {
		l.choose(in.d+int32(k), at(k), l.of(r.args[1], 0), l.of(r.args[0], k))
	}
}

// controlled reports whether floats are computed in a way that row code has not.
func (l *lowerer) controlled(r *raw) bool {
	var result *typ
	if v := l.p.values[r.res]; v != nil {
		result = v.typ
	}
	return l.p.controlled(result, r)
}

// run copies a run of slots.
func (l *lowerer) run(d, s int32, n int) {
	for k := range int32(n) {
		l.ops = append(l.ops, move(d+k, l.slot(s+k)))
	}
}

// convert makes UConvert and SConvert.
func (l *lowerer) convert(in *inst) {
	r := in.raw
	to, from := l.width(r.res), l.width(r.args[0])
	if l.p.hasDecoration(r.res, decSaturated) || min(to, from) < 8 {
		l.ok = false
		return
	}
	for k := range in.n {
		d, s := in.d+k, l.of(r.args[0], int(k))
		switch {
		case r.op == opSConvert && from < to && from < 32:
			l.calc(d, vec.WideShl32, s, constant(uint64(32-from)))
			l.calc(d, vec.WideSar32, rows.Value{Reg: d}, constant(uint64(32-from)))
			if to == 64 {
				l.calc(d, vec.WideSignExtend32, rows.Value{Reg: d})
			}
			l.keep(d, to)
		case r.op == opSConvert && from < to:
			l.calc(d, vec.WideSignExtend32, s)
		default:
			l.calc(d, vec.WideAnd, s, constant(1<<min(to, from)-1))
		}
	}
}

// products makes sums of products, each step rounded.
func (l *lowerer) products(in *inst) {
	for r, p := range in.products {
		d := in.d + int32(r)
		for k := range p.a {
			x, y := l.slot(p.a[k]), l.slot(p.b[k])
			if k == 0 {
				l.calc(d, vec.WideMulF32, x, y)
				continue
			}
			l.calc(-1, vec.WideMulF32, x, y)
			l.calc(d, vec.WideAddF32, rows.Value{Reg: d}, rows.Value{Reg: -1})
		}
	}
}

// extended makes a function of an extended set.
func (l *lowerer) extended(in *inst) {
	r := in.raw
	set, number, args := l.p.imports[r.args[0]], r.args[1], r.args[2:]
	w := l.width(r.res)
	if w != 32 && w != 64 || !l.widths(w, args...) {
		l.ok = false
		return
	}
	if w == 64 {
		t, ok := loweredFuncs64[set][number]
		if l.ok = ok; ok {
			l.each(in, t, args...)
		}
		return
	}
	if set == "OpenCL.std" && number == openCLMad {
		for k := range int(in.n) {
			l.calc(-1, vec.WideMulF32, l.of(args[0], k), l.of(args[1], k))
			l.calc(in.d+int32(k), vec.WideAddF32, rows.Value{Reg: -1}, l.of(args[2], k))
		}
		return
	}
	t, ok := loweredFuncs[set][number]
	if !ok {
		l.ok = false
		return
	}
	l.each(in, t, args...)
}
