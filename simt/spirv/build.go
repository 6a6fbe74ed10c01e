package spirv

import (
	"maps"
	"strings"
	"sync"
)

// A builder makes the executable form of one instruction.
type builder struct {
	p   *Program
	in  *raw
	f   *function
	blk *block
	typ *typ  // of the result
	dst int32 // its slots
}

// builders has what makes an instruction of each opcode that executes, when it is first asked for. What is in
// nobody's table has no moment of its own if it is in silent, and otherwise cannot be executed.
var builders = sync.OnceValue(func() map[uint16]func(*builder) (*inst, error) {
	all := map[uint16]func(*builder) (*inst, error){}
	for _, some := range []map[uint16]func(*builder) (*inst, error){controlBuilders(), integerBuilders(),
		mixedDotBuilders, floatBuilders(), convertBuilders(), compositeBuilders(), memoryBuilders(),
		atomicBuilders(), groupBuilders(), reductionBuilders(), cooperativeBuilders(), tensorBuilders(),
		imageBuilders(), sparseBuilders()} {
		maps.Copy(all, some)
	}
	return all
})

// silent are the opcodes in function bodies that do nothing when they are reached.
var silent = map[uint16]bool{opNop: true, opUndef: true, opLine: true, opNoLine: true, opVariable: true,
	opSource: true, opLifetimeStart: true, opLifetimeStop: true}

// build makes the instruction, or nil where nothing executes.
func (b *builder) build() (*inst, error) {
	in := b.in
	if least := opTable()[in.op].least(); len(in.args) < least {
		return nil, b.errorf("has %d operands, at least %d are needed", len(in.args), least)
	}
	if b.typ == nil && strings.HasPrefix(opTable()[in.op].operands, "t") {
		return nil, b.errorf("has a result of type %%%d, which is no type", in.typ)
	}
	if b.computesMinis() {
		return nil,
			b.errorf("computes with bfloat16 or a float of 8 bits, which are only converted and multiplied")
	}
	if f := builders()[in.op]; f != nil {
		i, err := f(b)
		if i != nil {
			i.d = b.dst
			if i.exec == nil {
				return nil, b.errorf("is not simulated for its type")
			}
		}
		return i, err
	}
	if silent[in.op] {
		return nil, nil
	}
	row, ok := opTable()[in.op]
	switch {
	case !ok:
		return nil, b.p.errorf(in.word, "instruction %d, which the machine does not know%s", in.op,
			b.p.declared())
	case row.needs != "":
		return nil, b.errorf("needs %s, which the machine does not have", b.p.need(row.needs))
	}
	return nil, b.errorf("is not simulated")
}

// least is how many operands an instruction has at least, besides its result.
func (r opRow) least() int {
	must, _, _ := strings.Cut(r.operands, "?")
	return len(strings.TrimLeft(must, "tr"))
}

func (b *builder) errorf(format string, args ...any) error {
	what := append([]any{opTable()[b.in.op].name}, args...)
	return b.p.errorf(b.in.word, "Op%s "+format, what...)
}

// arg is the id that operand i is.
func (b *builder) arg(i int) (uint32, error) {
	if i >= len(b.in.args) {
		return 0, b.errorf("has %d operands, more are needed", len(b.in.args))
	}
	return b.in.args[i], nil
}

// value is what operand i stands for.
func (b *builder) value(i int) (*value, error) {
	id, err := b.arg(i)
	if err != nil {
		return nil, err
	}
	return b.id(id)
}

// pair is what operand i and the one behind it stand for.
func (b *builder) pair(i int) (v, next *value, err error) {
	if v, err = b.value(i); err == nil {
		next, err = b.value(i + 1)
	}
	return v, next, err
}

func (b *builder) id(id uint32) (*value, error) {
	if v := b.p.values[id]; v != nil {
		return v, nil
	}
	if def := b.p.def[id]; def != nil {
		if def.op == opUndef { // at module scope of a type without values, or before its function
			return nil, b.errorf("has operand %%%d, an OpUndef without a place", id)
		}
		if t := b.p.types[def.typ]; t != nil && t.kind == kPointer && t.elem != nil {
			if r := t.elem.refusal; r != "" {
				return nil, b.errorf("has operand %%%d: %s", id, r)
			}
		}
	}
	return nil, b.errorf("has operand %%%d, which is no value here", id)
}

// values are the operands from i on.
func (b *builder) values(from int) ([]*value, error) {
	var vs []*value
	for i := from; i < len(b.in.args); i++ {
		v, err := b.value(i)
		if err != nil {
			return nil, err
		}
		vs = append(vs, v)
	}
	return vs, nil
}

// operands are the first n operands, each with as many scalars as the result, or with one type among them.
func (b *builder) operands(n int) ([]*value, error) {
	if b.typ == nil {
		return nil, b.errorf("has no result type")
	}
	vs := make([]*value, n)
	for i := range vs {
		v, err := b.value(i)
		if err != nil {
			return nil, err
		}
		if v.typ.scalar() == nil || v.typ.slots != b.typ.slots {
			return nil,
				b.errorf("has operand %%%d of %d scalars for a result of %d", b.in.args[i], v.typ.slots,
					b.typ.slots)
		}
		vs[i] = v
	}
	return vs, nil
}

// elementwise begins an instruction that does the same for each scalar of its n operands.
func (b *builder) elementwise(n int) (*inst, []*value, error) {
	vs, err := b.operands(n)
	if err != nil {
		return nil, nil, err
	}
	s := b.typ.scalar()
	if s == nil {
		return nil, nil, b.errorf("has a result that is neither scalar nor vector")
	}
	i := &inst{n: int32(b.typ.slots), imm: s.mask(), shift: 64 - s.width()}
	for k, v := range vs {
		switch k {
		case 0:
			i.a = v.slot
		case 1:
			i.b = v.slot
		case 2:
			i.e = v.slot
		}
	}
	return i, vs, nil
}

// ab is the destination and two sources of an elementwise instruction.
func (c *core) ab(in *inst) (d, a, b []uint64) {
	d = c.slots(in.d, in.n)
	a = c.slots(in.a, in.n)
	b = c.slots(in.b, in.n)
	return d, a[:len(d)], b[:len(d)]
}

// a1 is the destination and the source of one.
func (c *core) a1(in *inst) (d, a []uint64) {
	d = c.slots(in.d, in.n)
	a = c.slots(in.a, in.n)
	return d, a[:len(d)]
}

// abe is the destination and three sources.
func (c *core) abe(in *inst) (d, a, b, e []uint64) {
	d, a, b = c.ab(in)
	e = c.slots(in.e, in.n)
	return d, a, b, e[:len(d)]
}

// The functions below run a function of scalars over all; what is hot has a loop of its own. Lanes often have
// the operands of the lane before them, whose result is theirs, too.

func map1(c *core, in *inst) {
	d, a := c.a1(in)
	var x, y uint64
	for i := range d {
		if i == 0 || a[i] != x {
			x = a[i]
			y = in.f1(x)
		}
		d[i] = y
	}
}

func map2(c *core, in *inst) {
	d, a, b := c.ab(in)
	var x, y, z uint64
	for i := range d {
		if i == 0 || a[i] != x || b[i] != y {
			x, y = a[i], b[i]
			z = in.f2(x, y)
		}
		d[i] = z
	}
}

func map3(c *core, in *inst) {
	d, a, b, e := c.abe(in)
	for i := range d {
		d[i] = in.f3(a[i], b[i], e[i])
	}
}

// copyRun copies a run of slots.
func copyRun(c *core, in *inst) { copy(c.slots(in.d, in.n), c.slots(in.a, in.n)) }

// with sets what executes an instruction.
func (in *inst) with(exec func(*core, *inst)) *inst { in.exec = exec; return in }
