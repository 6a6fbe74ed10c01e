package ptx

import (
	"slices"

	"simtgdb/simt/ptx/numeric"
	"simtgdb/simt/rows"
	"simtgdb/simt/rows/host"
	"simtgdb/simt/vec"
)

// Instructions that are several operations of package vec, one after the other, as those are that flush
// subnormal numbers (composed.go). The core does the stages one by one, and row code has them as operations
// on registers that the instruction has for itself.

// A stage is an operation on what the instruction reads and what stages before it have left.
type stage struct {
	op  vec.WideOp
	to  int // a register of the instruction's own, or stageDest
	s   []stageValue
	nan uint64
}

// stageDest is the instruction's destination.
const stageDest = -1

// A stageValue is what a stage reads: a source, a register of the instruction's own, or a number.
type stageValue struct {
	kind stageKind
	n    int
	imm  *vec.Wide
}

type stageKind uint8

const (
	ofSource stageKind = iota
	ofStage
	ofNumber
)

// mostStages is how many registers of its own an instruction has at most.
const mostStages = 13

// shareRegisters has stages use registers again whose numbers nothing reads any more. It reports whether
// there are enough.
func (m *composer) shareRegisters() bool {
	last := make([]int, m.own) // the stage that reads a register's number last
	for i, st := range m.list {
		for _, v := range st.s {
			if v.kind == ofStage {
				last[v.n] = i
			}
		}
	}
	as, used := make([]int, m.own), [mostStages]bool{}
	for i := range m.list {
		st := &m.list[i]
		st.s = slices.Clone(st.s)
		for k := range st.s {
			if v := &st.s[k]; v.kind == ofStage {
				if n := v.n; last[n] == i {
					used[as[n]] = false
				}
				v.n = as[v.n]
			}
		}
		if st.to == stageDest {
			continue
		}
		free := slices.Index(used[:], false)
		if free < 0 {
			return false
		}
		as[st.to], used[free], st.to = free, true, free
	}
	return true
}

// A composer makes the stages of an instruction.
type composer struct {
	list []stage
	own  int
	ftz  bool
	pair bool   // of halves
	nan  uint64 // of results that are no number
}

func source0(n int) stageValue { return stageValue{n: n} }

func numberOf(v uint64) stageValue { return stageValue{kind: ofNumber, imm: broadcast(v)} }

// do adds a stage and returns where its result is.
func (m *composer) do(op vec.WideOp, s ...stageValue) stageValue {
	m.list = append(m.list, stage{op, m.own, s, m.nan})
	m.own++
	return stageValue{kind: ofStage, n: m.own - 1}
}

// source is a source of the instruction, without subnormals if it flushes them.
func (m *composer) source(n int) stageValue { return m.flush(source0(n)) }

func (m *composer) flush(v stageValue) stageValue {
	if !m.ftz {
		return v
	}
	return m.do(vec.WideFlushF32, v)
}

// sources are the first n.
func (m *composer) sources(n int) []stageValue {
	all := make([]stageValue, n)
	for i := range all {
		all[i] = m.source(i)
	}
	return all
}

// one has a NaN become the one of the machine: a product with 1 changes nothing else.
func (m *composer) one(v stageValue) stageValue {
	return m.do(vec.WideMulF32, v, numberOf(numeric.Bits32(1)))
}

// setStages makes an instruction of n sources of a type of what a composer has: the last stage gives the
// result.
func (b *builder) setStages(m *composer, n int, typ string) error {
	if err := b.setOp(n, typ); err != nil || b.in.dst < 0 {
		return err
	}
	m.list[len(m.list)-1].to = stageDest
	if !m.shareRegisters() {
		return refuse("needs more registers of its own than there are")
	}
	b.in.stages, b.in.run, b.in.clears = m.list, runStages, m.ftz && numeric.Widths[b.typs()[0]] == 32
	return nil
}

// stageOf is what a stage reads.
func (c *Core) stageOf(in *inst, v *stageValue) *vec.Wide {
	switch v.kind {
	case ofSource:
		return c.value(in, v.n)
	case ofStage:
		return &c.stages[v.n]
	}
	return v.imm
}

func runStages(c *Core, in *inst, mask uint32) {
	x := &c.x
	for i := range in.stages {
		st := &in.stages[i]
		x.A = c.stageOf(in, &st.s[0])
		if len(st.s) > 1 {
			x.B = c.stageOf(in, &st.s[1])
		}
		if len(st.s) > 2 {
			x.C = c.stageOf(in, &st.s[2])
		}
		x.NaN, x.Mask = st.nan, fullMask
		if st.to != stageDest {
			x.D = &c.stages[st.to]
		} else if x.D = &c.act.r[in.dst]; mask != c.act.lanes {
			x.Mask = mask
		}
		st.op.Func()(x)
	}
}

// lowerStages makes row code of stages. Registers that have no subnormals, as cleans says, need no flush.
func (a *ISA) lowerStages(in *inst, under rows.Mask) (none rows.Inst) {
	l := stageLowerer{in: in, under: under}
	for i := range in.stages {
		if !l.stage(&in.stages[i]) {
			return none
		}
	}
	return rows.Inst{Known: true, Ops: l.ops}
}

// A stageLowerer makes row code of the stages of an instruction.
type stageLowerer struct {
	in    *inst
	under rows.Mask
	ops   []rows.Op
	at    [mostStages]rows.Value // of the instruction's own registers
}

func (l *stageLowerer) value(v *stageValue) (rows.Value, bool) {
	switch v.kind {
	case ofSource:
		return lowerSource(&l.in.s[v.n])
	case ofStage:
		return l.at[v.n], true
	}
	return number(v.imm[0]), true
}

// add adds an operation, whose result is in a register of the instruction's own or in its destination.
func (l *stageLowerer) add(op vec.WideOp, nan uint64, to int, s ...rows.Value) (rows.Value, bool) {
	o := rows.Op{Kind: rows.Calc, Op: op, NaN: nan, D: int32(-1 - to), Under: rows.Mask{N: rows.Always}}
	if to == stageDest {
		o.D, o.Under = l.in.dst, l.under
	}
	copy(o.S[:], s)
	l.ops = append(l.ops, o)
	return rows.Value{Reg: o.D}, host.Can(&o)
}

func (l *stageLowerer) stage(st *stage) bool {
	var s [3]rows.Value
	for i := range st.s {
		var ok bool
		if s[i], ok = l.value(&st.s[i]); !ok {
			return false
		}
	}
	if st.op == vec.WideFlushF32 {
		return l.flush(st, s[0])
	}
	out, ok := l.add(st.op, st.nan, st.to, s[:len(st.s)]...)
	if st.to != stageDest {
		l.at[st.to] = out
	}
	return ok
}

// flush makes a subnormal a zero of its sign: the sign is all that is left where no bit of the exponent is.
func (l *stageLowerer) flush(st *stage, v rows.Value) bool {
	if st.to != stageDest && l.clean(&st.s[0], v) {
		l.at[st.to] = v
		return true
	}
	t := st.to
	if t == stageDest || st.s[0].kind == ofStage { // which may be in the register that it goes to
		t = mostStages
	}
	x, ok := l.add(vec.WideAnd, 0, t, v, number(0x7f800000))
	for _, o := range []struct {
		op vec.WideOp
		a  rows.Value
		b  rows.Value
	}{{vec.WideMinI32, x, number(1)}, {vec.WideSub32, number(0), x}, {vec.WideOr, x, number(1 << 31)}} {
		_, can := l.add(o.op, 0, t, o.a, o.b)
		ok = ok && can
	}
	out, can := l.add(vec.WideAnd, 0, st.to, x, v)
	if st.to != stageDest {
		l.at[st.to] = out
	}
	return ok && can
}

// clean reports whether a value has no subnormals.
func (l *stageLowerer) clean(v *stageValue, is rows.Value) bool {
	if is.Const {
		return numeric.Flush(is.Imm) == is.Imm
	}
	return v.kind == ofSource && l.in.clean>>v.n&1 != 0
}

// cleans finds which sources of instructions that flush subnormals have none, since the same block has put
// them there with such an instruction.
func (a *ISA) cleans(fn *function) {
	clean := map[int32]bool{}
	for at := fn.start; at < fn.end; at++ {
		in := &a.code[at]
		if in.leader {
			clear(clean)
		}
		for i := range in.s {
			if in.s[i].kind == fromReg && clean[in.s[i].n] {
				in.clean |= 1 << i
			}
		}
		switch plain := in.matrix == nil && in.picture == nil && in.call == nil && in.dst2 < 0; {
		case in.stages != nil:
			clean[in.dst] = in.clears && (in.guard < 0 || clean[in.dst])
		case plain && in.jump == nil && in.pdst >= 0 && in.dst < 0:
		case plain && (in.op != vec.WideNone || in.f1 != nil || in.f2 != nil || in.f3 != nil):
			delete(clean, in.dst)
		case plain && slices.Contains([]string{"ld", "st"}, builderName(in.src.Op)):
			for _, r := range in.regs[:in.elements] {
				delete(clean, r)
			}
		default:
			clear(clean)
		}
	}
}
