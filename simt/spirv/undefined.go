package spirv

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sync"

	"simtgdb/simt"
)

// What the specification leaves undefined, apart from memory: a simt.Judge is told of it, and the machine
// goes on with what drivers do. Nothing here costs anything while there is no judge.

// A rule says what is undefined of an instruction: in which lane, given its operands. Rules of operands
// that may be vectors are asked for each component.
type rule struct {
	what  string
	leads bool // it leads out of an object
	lane  func(q *question, l int) bool
	lanes func(q *question) uint64         // of all at once
	parts func(q *question, l, k int) bool // of component k of the first operand
	tells func(q *question, l int) string  // more of a lane in which it is; nil if there is no more to say
}

// A question is asked of an instruction before it executes.
type question struct {
	c    *core
	in   *inst
	args []uint32
}

// value is what operand i is.
func (q *question) value(i int) *value {
	if i >= len(q.args) {
		return nil
	}
	return q.c.p.values[q.args[i]]
}

// at is scalar k of operand i in a lane, or the only one that it has.
func (q *question) at(i, l, k int) uint64 {
	v := q.value(i)
	if v == nil || v.typ.slots == 0 {
		return 0
	}
	return q.c.one(v.slot + int32(min(k, v.typ.slots-1)))[l]
}

func (q *question) width(i int) uint { return q.value(i).leafWidth() }

func (q *question) number(i, l, k int) float64 { return toFloat(q.at(i, l, k), q.width(i)) }

func (q *question) signed(i, l, k int) int64 { return signed(q.at(i, l, k), q.width(i)) }

// result is the type of the result.
func (q *question) result() *typ { return q.c.p.types[q.in.raw.typ] }

var (
	shiftRule = rule{what: "shifts by the width of its operand or more",
		parts: func(q *question, l, k int) bool { return q.at(1, l, k) >= uint64(q.width(0)) }}
	unsignedRule = rule{what: "divides by zero", parts: func(q *question, l,
		k int) bool {
		return q.at(1, l, k) == 0
	}}
	signedRule = rule{what: "divides by zero, or has a quotient out of range",
		parts: func(q *question, l, k int) bool {
			y := q.signed(1, l, k)
			return y == 0 || y == -1 && q.at(0, l, k) == 1<<(q.width(0)-1)
		}}
	fieldRule = rule{what: "names bits behind the width of its operand"}
	laneRule  = rule{what: "reads an invocation that is not active or not there"}
)

// fields makes the rule of an instruction whose operands i and i+1 are the offset and number of bits.
func fields(i int) rule {
	r := fieldRule
	r.lane = func(q *question, l int) bool {
		return q.at(i, l, 0)+q.at(i+1, l, 0) > uint64(q.width(0))
	}
	return r
}

// lanes makes the rule of an instruction that reads the invocation that from gives, of the lane and operand
// i.
func lanes(i int, from func(l, x uint64) uint64) rule {
	r := laneRule
	r.lane = func(q *question, l int) bool {
		src := from(uint64(l), q.at(i, l, 0)) & fieldMask(uint64(q.width(i)))
		return src >= uint64(q.c.lanes) || q.c.mask>>src&1 == 0
	}
	return r
}

// partial is the rule of instructions that all invocations of a workgroup have to reach.
var partial = rule{what: "is not reached by all invocations of its workgroup",
	lane: func(q *question, l int) bool {
		b := builder{p: q.c.p, in: q.in.raw}
		return b.wide() && !q.c.full
	}}

// undefined are the rules by opcode (sections 3.42.8 to 3.42.24).
var undefined = sync.OnceValue(func() map[uint16]rule {
	return map[uint16]rule{
		opShiftRightLogical: shiftRule, opShiftRightArithmetic: shiftRule, opShiftLeftLogical: shiftRule,
		opUDiv: unsignedRule, opUMod: unsignedRule, opSDiv: signedRule, opSRem: signedRule,
		opSMod:           signedRule,
		opBitFieldInsert: fields(2), opBitFieldSExtract: fields(1), opBitFieldUExtract: fields(1),
		opConvertFToU:          {what: "converts a number that its result cannot have", parts: converts},
		opConvertFToS:          {what: "converts a number that its result cannot have", parts: converts},
		opVectorExtractDynamic: componentRule(1), opVectorInsertDynamic: componentRule(2),
		opAccessChain: chainRule(1), opInBoundsAccessChain: chainRule(1), opPtrAccessChain: chainRule(2),
		opInBoundsPtrAccessChain: chainRule(2),
		opUnreachable:            {what: "is reached", lane: func(*question, int) bool { return true }},
		opGroupAsyncCopy: {what: "is not reached by all invocations of its workgroup, or has operands that " +
			"differ between them",
			lane: func(q *question, l int) bool {
				if partial.lane(q, l) {
					return true
				}
				first := bits.TrailingZeros64(q.c.mask)
				for operand := 1; operand <= 5; operand++ { // the last is the event
					if q.at(operand, l, 0) != q.at(operand, first, 0) {
						return true
					}
				}
				return false
			}},
		opGroupWaitEvents: {what: "is not reached by all invocations of its workgroup, or waits for events " +
			"that differ between them",
			lane: func(q *question, l int) bool {
				if partial.lane(q, l) {
					return true
				}
				first := bits.TrailingZeros64(q.c.mask)
				n := q.at(1, l, 0)
				for i := range min(n, mostEvents) {
					if q.c.eventAt(q.at(2, l, 0), l, i) != q.c.eventAt(q.at(2, first, 0), first, i) {
						return true
					}
				}
				return n != q.at(1, first, 0)
			}},
		opGroupNonUniformBroadcast: {
			what: "reads an invocation that is not active or not there, or differs " +
				"between invocations",
			lane: func(q *question, l int) bool {
				id := q.at(2, l, 0)
				return id >= uint64(q.c.lanes) || q.c.mask>>id&1 == 0 ||
					id != q.at(2, bits.TrailingZeros64(q.c.mask), 0)
			}},
		opGroupNonUniformShuffle:    lanes(2, func(_, id uint64) uint64 { return id }),
		opGroupNonUniformShuffleXor: lanes(2, func(l, m uint64) uint64 { return l ^ m }),
		// ShuffleUp and ShuffleDown are not here: at the ends of the subgroup programs do not use what
		// they give.
		opGroupNonUniformQuadBroadcast: lanes(2, func(l, i uint64) uint64 { return l&^3 | i }),
		opGroupNonUniformQuadSwap:      lanes(2, func(l, d uint64) uint64 { return l ^ (d + 1) }),
		opGroupNonUniformBallotBitExtract: {what: "names an invocation that the subgroup does not have",
			lane: func(q *question, l int) bool { return q.at(2, l, 0) >= uint64(q.c.lanes) }},
		opGroupAll: partial, opGroupAny: partial, opGroupBroadcast: partial, opGroupIAdd: partial,
		opGroupFAdd: partial, opGroupFMin: partial, opGroupUMin: partial,
		opGroupSMin: partial,
		opGroupFMax: partial, opGroupUMax: partial, opGroupSMax: partial, opGroupIMulKHR: partial,
		opGroupFMulKHR:       partial,
		opGroupBitwiseAndKHR: partial, opGroupBitwiseOrKHR: partial, opGroupBitwiseXorKHR: partial,
		opGroupLogicalAndKHR: partial, opGroupLogicalOrKHR: partial, opGroupLogicalXorKHR: partial,
	}
})

// undefinedGLSL are the rules of GLSL.std.450, by number.
var undefinedGLSL = sync.OnceValue(func() map[uint32]rule {
	return map[uint32]rule{
		16: numbers("Asin of a number beyond 1", func(x, _, _ float64) bool { return math.Abs(x) > 1 }),
		17: numbers("Acos of a number beyond 1", func(x, _, _ float64) bool { return math.Abs(x) > 1 }),
		23: numbers("Acosh of a number below 1", func(x, _, _ float64) bool { return x < 1 }),
		24: numbers("Atanh of a number not below 1", func(x, _, _ float64) bool { return math.Abs(x) >= 1 }),
		25: numbers("Atan2 of two zeros", func(y, x, _ float64) bool { return y == 0 && x == 0 }),
		26: numbers("Pow of a negative number, or of zero to no positive power",
			func(x, y, _ float64) bool { return x < 0 || x == 0 && y <= 0 }),
		28: numbers("Log of no positive number", func(x, _, _ float64) bool { return x <= 0 }),
		30: numbers("Log2 of no positive number", func(x, _, _ float64) bool { return x <= 0 }),
		31: numbers("Sqrt of a negative number", func(x, _, _ float64) bool { return x < 0 }),
		32: numbers("InverseSqrt of no positive number", func(x, _, _ float64) bool { return x <= 0 }),
		43: numbers("FClamp has bounds the wrong way round", func(_, lo, hi float64) bool { return lo > hi }),
		44: {what: "UClamp has bounds the wrong way round",
			parts: func(q *question, l, k int) bool { return q.at(1, l, k) > q.at(2, l, k) }},
		45: {what: "SClamp has bounds the wrong way round",
			parts: func(q *question, l, k int) bool { return q.signed(1, l, k) > q.signed(2, l, k) }},
		49: numbers("SmoothStep has edges the wrong way round",
			func(lo, hi, _ float64) bool { return lo >= hi }),
		81: numbers("NClamp has bounds the wrong way round", func(_, lo, hi float64) bool { return lo > hi }),
	}
})

// numbers makes a rule of up to three floats.
func numbers(what string, bad func(x, y, z float64) bool) rule {
	return rule{what: what, parts: func(q *question, l, k int) bool {
		var v [3]float64
		for i := range min(len(q.args), 3) {
			v[i] = q.number(i, l, k)
		}
		return bad(v[0], v[1], v[2])
	}}
}

// converts reports whether a conversion to an integer is out of its range, unless it saturates.
func converts(q *question, l, k int) bool {
	const saturated = 28
	if q.c.p.hasDecoration(q.in.raw.res, saturated) {
		return false
	}
	x, w := math.Trunc(q.number(0, l, k)), float64(q.result().scalar().width())
	if q.in.raw.op == opConvertFToU {
		return !(x >= 0 && x < math.Pow(2, w))
	}
	return !(x >= -math.Pow(2, w-1) && x < math.Pow(2, w-1))
}

// componentRule makes the rule of operand i being a component of operand 0.
func componentRule(i int) rule {
	return rule{what: "has an index behind the vector's last component",
		lane: func(q *question, l int) bool {
			v := q.value(0)
			return v != nil && q.at(i, l, 0) >= uint64(v.typ.slots)
		},
		tells: func(q *question, l int) string {
			return fmt.Sprintf("The index leads to %s[%d], of %d components.", q.name(0), q.at(i, l, 0),
				q.value(0).typ.slots)
		}}
}

// chainRule makes the rule of indices from operand i on into what operand 0 points to: what has a length
// is not to be left, wherever that leads. A pointer of OpenCL C to behind the last element is one as long as
// nothing is accessed by it.
func chainRule(i int) rule {
	return rule{what: "has an index out of bounds", leads: true,
		lanes: func(q *question) uint64 { return q.leaving(i) },
		tells: func(q *question, l int) string { return q.leavesText(i, l) }}
}

// An indexStep is an index of a chain of accesses into what has a length.
type indexStep struct {
	slot   int32
	width  uint
	len    uint64
	behind bool // it may be that length
}

// chain are those of operands from i on.
func (q *question) chain(i int) []indexStep {
	c, res := q.c, q.in.raw.res
	steps, ok := c.chains[res]
	if ok {
		return steps
	}
	if v := q.value(0); v != nil && v.typ.kind == kPointer {
		t := v.typ.elem
		for k := i; k < len(q.args) && t != nil; k++ {
			switch t.kind {
			case kStruct:
				n, _ := c.p.constantUint(q.args[k])
				t = t.members[n].typ
				continue
			case kArray, kVector, kMatrix:
				steps = append(steps, indexStep{q.value(k).slot, q.width(k), t.len,
					c.p.kernel && !c.p.accessed()[res]})
			}
			t = t.elem
		}
	}
	if c.chains == nil {
		c.chains = map[uint32][]indexStep{}
	}
	c.chains[res] = steps
	return steps
}

// leaving are the lanes in which a chain leaves what has a length.
func (q *question) leaving(i int) (bad uint64) {
	for _, s := range q.chain(i) {
		index := q.c.one(s.slot)
		for m := q.c.mask; m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m)
			n := signed(index[l], s.width)
			if (n < 0 || uint64(n) >= s.len) && !(s.behind && uint64(n) == s.len) {
				bad |= 1 << l
			}
		}
	}
	return bad
}

// leaves finds the operand, from i on, by which a chain of accesses leaves what has a length, and its type; 0
// if it stays in it.
func (q *question) leaves(i, l int) (int, *typ) {
	v := q.value(0)
	if v == nil || v.typ.kind != kPointer {
		return 0, nil
	}
	t := v.typ.elem
	for k := i; k < len(q.args) && t != nil; k++ {
		switch t.kind {
		case kStruct:
			n, _ := q.c.p.constantUint(q.args[k])
			t = t.members[n].typ
			continue
		case kArray, kVector, kMatrix:
			n := q.signed(k, l, 0)
			behind := q.c.p.kernel && uint64(n) == t.len && !q.c.p.accessed()[q.in.raw.res]
			if (n < 0 || uint64(n) >= t.len) && !behind {
				return k, t
			}
		}
		t = t.elem
	}
	return 0, nil
}

// leavesText is the element that a chain of accesses would choose where it leaves what has a length, and that
// length: "b[3][35], of 8 elements".
func (q *question) leavesText(i, l int) string {
	last, of := q.leaves(i, l)
	if last == 0 {
		return ""
	}
	text := q.name(0)
	if element := q.signed(1, l, 0); i == 2 && element != 0 {
		text += fmt.Sprintf("[%d]", element)
	}
	t := q.value(0).typ.elem
	for k := i; k <= last; k++ {
		if t.kind == kStruct {
			n, _ := q.c.p.constantUint(q.args[k])
			text += "." + cmp.Or(q.c.p.memberNames[memberKey{t.id, uint32(n)}], fmt.Sprint("member", n))
			t = t.members[n].typ
			continue
		}
		text += fmt.Sprintf("[%d]", q.signed(k, l, 0))
		t = t.elem
	}
	return fmt.Sprintf("The index leads to %s, of %d elements.", text, of.len)
}

// name is what the source calls operand i, or what a pointer was read from, or else its id.
func (q *question) name(i int) string {
	p, id := q.c.p, q.args[i]
	of := id
	if in := p.def[id]; in != nil && in.op == opLoad && len(in.args) > 0 {
		of = in.args[0]
	}
	return cmp.Or(p.declaredNames()[of], p.names[id], p.names[of], fmt.Sprintf("%%%d", id))
}

// declaredNames are the names that debug instructions declare variables by (DebugDeclare and
// DebugLocalVariable, which have the same numbers and operands in both sets).
func (p *Program) declaredNames() map[uint32]string {
	p.declaredOnce.Do(func() {
		const localVariable, declare = 26, 28
		p.debugNames = map[uint32]string{}
		for _, in := range p.insts {
			if in.op != opExtInst || len(in.args) < 4 || in.args[1] != declare ||
				!debugSets[p.imports[in.args[0]]] {
				continue
			}
			if v := p.def[in.args[2]]; v != nil && v.op == opExtInst && len(v.args) > 2 &&
				v.args[1] == localVariable {
				p.debugNames[in.args[3]] = p.strings[v.args[2]]
			}
		}
	})
	return p.debugNames
}

// debugSets are the sets of debug instructions.
var debugSets = map[string]bool{"OpenCL.DebugInfo.100": true, "NonSemantic.Shader.DebugInfo.100": true}

// findAccessed finds the pointers that instructions read or write memory by: as they are, or after a cast.
func (p *Program) findAccessed() map[uint32]bool {
	accessed := map[uint32]bool{}
	for _, in := range slices.Backward(p.insts) {
		switch {
		case in.op >= opAtomicLoad && in.op <= opAtomicXor && len(in.args) > 0: // atomic operations
			accessed[in.args[0]] = true
		case accessed[in.res] &&
			(in.op == opPtrCastToGeneric || in.op == opGenericCastToPtr || in.op == opBitcast):
			accessed[in.args[0]] = true
		}
		for _, u := range pointerUses[in.op] {
			if u.pointer < len(in.args) {
				accessed[in.args[u.pointer]] = true
			}
		}
	}
	return accessed
}

// A pointerUse is a pointer that an instruction reads or writes memory by, and where the memory operand is
// that says how.
type pointerUse struct{ pointer, operand int }

// pointerUses are those of instructions by opcode (section 3.42.8).
var pointerUses = map[uint16][]pointerUse{
	opLoad: {{0, 1}}, opStore: {{0, 2}}, opCopyMemory: {{0, 2}, {1, 2}}, opCopyMemorySized: {{0, 3}, {1, 3}},
	opCooperativeMatrixLoadKHR: {{0, 3}}, opCooperativeMatrixStoreKHR: {{0, 4}},
	opCooperativeMatrixLoadTensorNV: {{0, 3}}, opCooperativeMatrixStoreTensorNV: {{0, 3}},
}

// alignment is what a pointer is said to be aligned to; 1 if nothing is said. The second of two pointers has
// an operand of its own if there is one behind the first's.
func (u pointerUse) alignment(args []uint32) uint64 {
	const aligned, available, visible = 2, 8, 16
	at := u.operand
	if at >= len(args) {
		return 1
	}
	if u.pointer == 1 {
		next := at + 1
		for _, literal := range []uint32{aligned, available, visible} {
			if args[at]&literal != 0 {
				next++
			}
		}
		if next < len(args) {
			at = next
		}
	}
	if args[at]&aligned == 0 || at+1 >= len(args) {
		return 1
	}
	return max(uint64(args[at+1]), 1)
}

// judgePointers tells of pointers that are null, where that is no fault, or not aligned as an instruction
// says (section 3.26, Memory Operands, Aligned).
func (c *core) judgePointers(in *inst) (stop bool) {
	q := &question{c: c, in: in, args: in.raw.args}
	for _, u := range pointerUses[in.raw.op] {
		v := q.value(u.pointer)
		if v == nil || v.typ.kind != kPointer || v.typ.slots == 0 {
			continue
		}
		align, m := u.alignment(q.args), &access{space: spaces[v.typ.storage]}
		var null, off uint64
		simt.Lanes(c.mask, func(l int) {
			switch s, a := m.lane(q.at(u.pointer, l, 0)); {
			case s != global && a < nullBytes:
				null |= 1 << l
			case a%align != 0:
				off |= 1 << l
			}
		})
		name := "Op" + opTable()[in.raw.op].name
		tell := func(lanes uint64, text string) {
			stop = lanes != 0 && c.m.Undefined(&simt.Undefined{Wave: c.w, PC: in.pc, Lanes: lanes,
				Text: name + text}) || stop
		}
		tell(null, " uses a null pointer")
		tell(off, fmt.Sprintf(" uses a pointer that is not aligned to %d bytes, as it says", align))
	}
	return stop
}

// judge tells of what the next instruction does that is undefined. It reports whether the wave is to stop
// behind it.
func (c *core) judge(in *inst) bool {
	if pointerUses[in.raw.op] != nil {
		return c.judgePointers(in)
	}
	r, ok := undefined()[in.raw.op]
	q := &question{c: c, in: in, args: in.raw.args}
	name := "Op" + opTable()[in.raw.op].name + " "
	if in.raw.op == opExtInst && len(q.args) > 1 && c.p.imports[q.args[0]] == "GLSL.std.450" {
		r, ok = undefinedGLSL()[q.args[1]]
		name = ""
		q.args = q.args[2:]
	}
	if !ok {
		return false
	}
	var bad uint64
	if r.lanes != nil {
		bad = r.lanes(q)
	}
	each := c.mask
	if r.lane == nil && r.parts == nil {
		each = 0
	}
	simt.Lanes(each, func(l int) {
		if r.lane != nil && r.lane(q, l) {
			bad |= 1 << l
		}
		for k := 0; r.parts != nil && k < q.value(0).typ.slots; k++ {
			if r.parts(q, l, k) {
				bad |= 1 << l
			}
		}
	})
	if bad == 0 {
		return false
	}
	detail := ""
	if r.tells != nil {
		detail = r.tells(q, bits.TrailingZeros64(bad))
	}
	return c.m.Undefined(&simt.Undefined{Wave: c.w, PC: in.pc, Lanes: bad, Text: name + r.what,
		Detail: detail, Bounds: r.leads, Pointer: r.leads})
}
