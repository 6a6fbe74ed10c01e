package spirv

import (
	"fmt"
	"iter"
	"math/bits"
	"slices"

	"simtgdb/simt/contents"
)

// Values without contents, for package contents: of OpUndef, and what is loaded from variables of
// functions and private ones before anything was stored there. Every slot of a value has its own.

// known are the slots of a wave that have no contents.
func (c *core) known() *contents.Rows {
	s := c.s
	if since := c.m.Followed(); s.known == nil || s.since != since {
		s.known, s.since = contents.NewRows(c.p.slots, 0), since
		for _, slot := range c.p.undefinedSlots() {
			s.known.Set(contents.Operand(slot), ^uint64(0), ^uint64(0), 0)
		}
	}
	return s.known
}

// findUndefinedSlots finds undefinedSlots.
func (p *Program) findUndefinedSlots() (slots []int32) {
	of := map[uint32][]int32{} // places in a constant
	for _, in := range p.insts {
		v := p.values[in.res]
		switch {
		case in.res == 0 || v == nil:
			continue
		case in.op == opUndef:
			for k := range v.typ.slots {
				of[in.res] = append(of[in.res], int32(k))
			}
		case in.op == opConstantComposite || in.op == opSpecConstantComposite:
			at := int32(0)
			for _, id := range in.args {
				for _, k := range of[id] {
					of[in.res] = append(of[in.res], at+k)
				}
				if part := p.values[id]; part != nil {
					at += int32(part.typ.slots)
				}
			}
		}
		for _, k := range of[in.res] {
			slots = append(slots, v.slot+k)
		}
	}
	return slots
}

// values are the slots of the wave that a core runs. It implements contents.Exact.
type values struct {
	*contents.Rows
	c  *core
	in *inst
}

// SetBits implements contents.Exact.
func (v *values) SetBits(o contents.Operand, lane int, lacking uint64, mere bool, from uint64) {
	v.Rows.SetBits(o, lane, lacking, v.Width(o), mere, from)
}

// Width implements contents.Exact.
func (v *values) Width(o contents.Operand) uint64 { return v.c.p.slotWidths()[o] }

// Value implements contents.Exact.
func (v *values) Value(o contents.Operand, lane int) uint64 { return v.c.one(int32(o))[lane] }

// Put implements contents.Exact.
func (v *values) Put(o contents.Operand, lane int, x uint64) { v.c.one(int32(o))[lane] = x }

// Try implements contents.Exact.
func (v *values) Try() {
	switch c, in := v.c, v.in; {
	case c.full || in.dn == 0:
		in.exec(c, in)
	default:
		c.runMasked(in)
	}
}

// slotWidths has the bits of each slot's values.
func (p *Program) slotWidths() []uint64 {
	p.widthsOnce.Do(func() {
		p.widths = make([]uint64, p.slots)
		for i := range p.widths {
			p.widths[i] = ^uint64(0)
		}
		for _, v := range p.values {
			if v == nil || v.typ == nil || v.typ.slots == 0 {
				continue
			}
			for k, l := range v.typ.leaves(layout{}) {
				if at := int(v.slot) + k; k < v.typ.slots && at < len(p.widths) {
					p.widths[at] = l.typ.mask()
				}
			}
		}
	})
	return p.widths
}

// Truth implements contents.Registers.
func (v *values) Truth(o contents.Operand) (lanes uint64) {
	for l, x := range v.c.one(int32(o)) {
		if x != 0 {
			lanes |= 1 << l
		}
	}
	return lanes
}

// Name implements contents.Registers.
func (v *values) Name(o contents.Operand) string {
	for _, in := range v.c.p.insts {
		if w := v.c.p.values[in.res]; in.res != 0 && w != nil && int32(o) >= w.slot &&
			int32(o) < w.slot+int32(w.typ.slots) {
			return fmt.Sprintf("%%%d", in.res)
		}
	}
	return fmt.Sprintf("slot %d", o)
}

// moveKnown notes that lanes of n slots have what others have.
func (c *core) moveKnown(dst, src, n int32, lanes uint64) {
	if c.tracker != nil {
		c.moveOrigins(dst, src, n, lanes)
		return
	}
	known := c.known()
	for k := range n {
		known.Give(contents.Operand(dst+k), known.Take(contents.Operand(src+k), lanes))
	}
}

// movePhis is moveKnown of the phis of an edge, which all read before any is written.
func (c *core) movePhis(e *edge, lanes uint64) {
	if c.tracker != nil {
		c.phiOrigins(e, lanes)
		return
	}
	known := c.known()
	var all []contents.Taken
	for _, k := range e.copies {
		for i := range k.n {
			all = append(all, known.Take(contents.Operand(k.src+i), lanes))
		}
	}
	for _, k := range e.copies {
		for i := range k.n {
			known.Give(contents.Operand(k.dst+i), all[0])
			all = all[1:]
		}
	}
}

// beginValues looks at what an instruction is going to do with values.
func (c *core) beginValues(in *inst) {
	does := c.does[in.raw]
	if does == nil {
		does = c.p.does(in.raw)
		if in.raw.op == opLoad {
			does.FindBack(in.raw.args[0], c.p.steps(in.raw.res), true)
		}
		if c.does == nil {
			c.does = map[*raw]*contents.Inst{}
		}
		c.does[in.raw] = does
	}
	c.values = values{c.known(), c, in}
	c.follower.Begin(c.m, c.w, &c.values, does, in.pc, c.mask, c.mask)
}

// steps are what instructions do with slots that use a value, or what they make of it by moving its bits.
func (p *Program) steps(value uint32) iter.Seq[contents.Step] {
	p.usersOnce.Do(p.findUsers)
	return func(yield func(contents.Step) bool) {
		seen := map[uint32]bool{}
		for ids := []uint32{value}; len(ids) > 0; ids = ids[1:] {
			for _, in := range p.users[ids[0]] {
				d := &doing{p: p, in: in}
				if !p.does(in).Steps(in.args[0], in.op == opStore, d.every(), yield) {
					return
				}
				if in.res != 0 && !seen[in.res] {
					ids, seen[in.res] = append(ids, in.res), true
				}
			}
		}
	}
}

// findUsers finds the instructions that have a value among their operands.
func (p *Program) findUsers() {
	p.users = map[uint32][]*raw{}
	for _, b := range p.blocks {
		for _, in := range slices.Concat(b.phis, b.raws) {
			for _, id := range in.args {
				if v := p.values[id]; v != nil && !v.fixed && in.op != opLine {
					p.users[id] = append(p.users[id], in)
				}
			}
		}
	}
}

// ways says how bits without contents go from the scalars of operands to those of the result, by opcode. Of
// other instructions, as of those that give what other invocations have, nothing is said.
var ways = merged(map[contents.Way]map[uint16]bool{
	// Copies.
	contents.Moved: opcodes([][2]uint16{{opCopyObject}, {opCopyLogical}}),
	// Conversions of floats and pointers, arithmetic, comparisons.
	contents.Whole: opcodes([][2]uint16{{opConvertFToU, opConvertUToF}, {opFConvert}, {opConvertPtrToU},
		{opConvertUToPtr, opGenericCastToPtr}, {opSNegate, opVectorTimesScalar}, {opDot},
		{opLogicalEqual, opLogicalNotEqual}, {opIEqual, opFUnordGreaterThanEqual}, {opNot}}),
	// Conversions between integers, and what puts bits side by side.
	contents.Placed: opcodes([][2]uint16{{opVectorExtractDynamic, opVectorInsertDynamic},
		{opUConvert, opSConvert}, {opBitwiseOr}, {opBitwiseAnd}, {opBitFieldInsert, opBitFieldUExtract}}),
	contents.Shifted: opcodes([][2]uint16{{opShiftRightLogical}, {opShiftLeftLogical}}),
	contents.Computed: opcodes([][2]uint16{{opAny, opIsInf}, {opShiftRightArithmetic}, {opBitwiseXor},
		{opBitReverse, opBitCount}}),
})

func merged(all map[contents.Way]map[uint16]bool) map[uint16]contents.Way {
	by := map[uint16]contents.Way{}
	for way, ops := range all {
		for op := range ops {
			by[op] = way
		}
	}
	return by
}

// opcodes are those of ranges, of which the last is given as well, if it is another than the first.
func opcodes(ranges [][2]uint16) map[uint16]bool {
	all := map[uint16]bool{}
	for _, r := range ranges {
		for op := r[0]; op <= max(r[0], r[1]); op++ {
			all[op] = true
		}
	}
	return all
}

// truthLogic is the logic of truths, by opcode.
var truthLogic = map[uint16]contents.Logic{opLogicalOr: contents.Or, opLogicalAnd: contents.And,
	opLogicalNot: contents.Copy}

// does is what an instruction does with values.
func (p *Program) does(in *raw) *contents.Inst {
	d := &doing{p: p, in: in}
	if d.result = p.values[in.res]; in.res == 0 || in.typ == 0 {
		d.result = nil
	}
	switch op := in.op; {
	case op == opLoad, op == opCooperativeMatrixLoadKHR:
		d.out.Address, d.out.Loads, d.out.Each = d.operands(0), d.results(), true
		return &d.out
	case op == opStore, op == opCooperativeMatrixStoreKHR:
		d.out.Address, d.out.Data, d.out.Each = d.operands(0), d.operands(1), true
		if v := p.values[in.args[1]]; v != nil && v.typ.kind == kVector { // kernels store three as four
			d.out.Vector, d.out.Last = true, !p.kernel || v.typ.len != 4
		}
		return &d.out
	case op == opVariable:
		d.out.Data, d.out.Each = d.operands(1), true
		return &d.out
	case op == opCopyMemory, op == opCopyMemorySized:
		d.out.Address, d.out.Copies = append(d.operands(0), d.operands(1)...), true
		return &d.out
	case op >= opAtomicLoad && op <= opAtomicXor, op == opAtomicFAddEXT: // atomic operations
		d.out.Address = d.operands(0)
		switch op {
		case opAtomicLoad, opAtomicIIncrement, opAtomicIDecrement:
		case opAtomicCompareExchange:
			d.out.Data = d.operands(4)
		default:
			d.out.Data = d.operands(3)
		}
	case op == opBranchConditional, op == opSwitch:
		d.out.Decides = d.operands(0)
		return &d.out
	case op == opFunctionCall:
		d.call()
		return &d.out
	case op >= opReturn && op <= opReturnValue: // returns move values by themselves, as calls do
		return &d.out
	case op >= opAccessChain && op <= opPtrAccessChain, op == opInBoundsPtrAccessChain: // access chains
		for i := range in.args {
			d.from = append(d.from, d.operands(i)...)
		}
	}
	if d.result == nil {
		return &d.out
	}
	for k := range d.result.typ.slots {
		d.out.Moves = append(d.out.Moves, d.move(k))
	}
	return &d.out
}

// call is what a call does: it copies objects that are passed by value. It moves values by itself.
func (d *doing) call() {
	f := d.p.functions[d.in.args[0]]
	for k := range min(len(f.params), len(d.in.args)-1) {
		if _, ok := d.p.copies[f.params[k].res]; ok {
			d.out.Address, d.out.Copies = append(d.out.Address, d.operands(1+k)...), true
		}
	}
}

// doing makes what an instruction does with values.
type doing struct {
	p      *Program
	in     *raw
	result *value
	out    contents.Inst
	from   []contents.Operand // of all of the result
}

// operand is scalar k of operand i, or its only one.
func (d *doing) operand(i, k int) contents.Operand {
	if i >= len(d.in.args) {
		return contents.Constant
	}
	v := d.p.values[d.in.args[i]]
	if v == nil || v.typ.slots == 0 {
		return contents.Constant
	}
	return contents.Operand(v.slot + int32(min(k, v.typ.slots-1)))
}

// operands are the scalars of operand i.
func (d *doing) operands(i int) (all []contents.Operand) {
	if i < len(d.in.args) && d.p.values[d.in.args[i]] != nil {
		for k := range d.p.values[d.in.args[i]].typ.slots {
			all = append(all, d.operand(i, k))
		}
	}
	return all
}

// results are the scalars of the result.
func (d *doing) results() (all []contents.Operand) {
	for k := range d.result.typ.slots {
		all = append(all, contents.Operand(d.result.slot+int32(k)))
	}
	return all
}

// move is where scalar k of the result comes from.
func (d *doing) move(k int) contents.Move {
	m := contents.Move{To: contents.Operand(d.result.slot + int32(k)), From: d.from, Way: ways[d.in.op]}
	switch op := d.in.op; {
	case op == opVectorExtractDynamic, op == opDot, op == opAny, op == opAll: // of all scalars of an operand
		m.From = d.every()
	case m.Way != contents.Opaque, truthLogic[op] != nil:
		m.Logic = truthLogic[op]
		for i := range d.in.args {
			m.From = append(m.From, d.operand(i, k))
		}
		for i, id := range d.in.args {
			if op == opBitwiseOr && d.p.cutBy(id, k) {
				m.Cut |= 1 << i
			}
		}
	case len(d.from) > 0: // access chains
		m.Way = contents.Whole
	case op == opBitcast:
		m.From, m.Way = d.cast(k)
	case op == opSelect:
		m.From, m.Chosen = []contents.Operand{d.operand(1, k), d.operand(2, k), d.operand(0, k)}, true
		m.Way = contents.Moved
	case op >= opVectorShuffle && op <= opCompositeInsert:
		if o, ok := d.part(k); ok {
			m.From, m.Way = []contents.Operand{o}, contents.Moved
		}
	}
	return m
}

// cutBy reports whether scalar k of a value is what a constant mask has left of a number, more than half of
// it.
func (p *Program) cutBy(id uint32, k int) bool {
	p.andsOnce.Do(func() {
		p.ands = map[uint32][]uint32{}
		for _, b := range p.blocks {
			for _, in := range b.raws {
				if in.op == opBitwiseAnd {
					p.ands[in.res] = in.args
				}
			}
		}
	})
	for _, by := range p.ands[id] {
		v := p.values[by]
		if v == nil || !v.fixed || v.typ.slots == 0 {
			continue
		}
		mask := p.bitsOf(v)[min(k, v.typ.slots-1)]
		if contents.Cuts(mask, bits.Len64(p.slotWidths()[v.slot])) {
			return true
		}
	}
	return false
}

// every are the scalars of all operands.
func (d *doing) every() (all []contents.Operand) {
	for i := range d.in.args {
		all = append(all, d.operands(i)...)
	}
	return all
}

// cast is what scalar k is made of whose bits were those of another type.
func (d *doing) cast(k int) ([]contents.Operand, contents.Way) {
	from := d.operands(0)
	switch n := d.result.typ.slots; {
	case len(from) == n:
		return from[k : k+1], contents.Moved
	case len(from) > n && len(from)%n == 0: // side by side
		by := len(from) / n
		return from[k*by : (k+1)*by], contents.Paired
	}
	return from, contents.Placed
}

// part is what scalar k of a composite is that an instruction takes apart or puts together.
func (d *doing) part(k int) (contents.Operand, bool) {
	b := &builder{p: d.p, in: d.in}
	switch a := d.in.args; d.in.op {
	case opVectorShuffle:
		n := d.p.values[a[0]].typ.slots
		switch c := a[2+k]; {
		case c == 0xffffffff:
			return contents.Undefined, true
		case int(c) < n:
			return d.operand(0, int(c)), true
		default:
			return d.operand(1, int(c)-n), true
		}
	case opCompositeConstruct:
		for i := range a {
			n := d.p.values[a[i]].typ.slots
			if k < n {
				return d.operand(i, k), true
			}
			k -= n
		}
	case opCompositeExtract:
		if at, _, err := b.part(d.p.values[a[0]].typ, a[1:]); err == nil {
			return d.operand(0, int(at)+k), true
		}
	case opCompositeInsert:
		if at, t, err := b.part(d.p.values[a[1]].typ, a[2:]); err == nil {
			if n := k - int(at); n >= 0 && n < t.slots {
				return d.operand(0, n), true
			}
			return d.operand(1, k), true
		}
	}
	return 0, false
}
