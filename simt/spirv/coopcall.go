package spirv

import "math/bits"

// Instructions of cooperative matrices that call a function for elements (SPV_NV_cooperative_matrix2). Such
// an instruction is two: the first begins a call, and the second takes what the function has returned and
// goes back to the first until all calls are made. How far it is stands in a slot, so that it is part of the
// wave's state.

// elementCalls are the calls of one instruction.
type elementCalls struct {
	fn     *function
	params []*value
	steps  int
	count  int32 // slot: in lane 0 how many calls are made, in lane 1 the lanes of the one under way
	// begin gives the parameters of a call their values and says in which lanes the function is called; in
	// the others, and if it is called in none, there is nothing to do.
	begin func(c *core, step int) (lanes uint64)
	end   func(c *core, in *inst, step int, lanes uint64)
	done  func(c *core, in *inst)
}

// oneScalar stands for any type with one scalar.
var oneScalar = &typ{slots: 1}

// callee is the function whose id an operand is, which must have a result of one type and parameters of
// others.
func (b *builder) callee(id uint32, result *typ, params ...*typ) (*elementCalls, error) {
	f := b.p.functions[id]
	if f == nil {
		return nil, b.errorf("calls %%%d (%q), which has no body in the module", id, b.p.names[id])
	}
	if len(f.params) != len(params) {
		return nil, b.errorf("calls %%%d, which has %d parameters; %d expected", id, len(f.params),
			len(params))
	}
	if f.result != result {
		return nil, b.errorf("calls %%%d, whose result is not of type %%%d", id, result.id)
	}
	calls := &elementCalls{fn: f, done: func(*core, *inst) {}}
	for i, in := range f.params {
		v := b.p.values[in.res]
		if v == nil || v.typ.slots != params[i].slots {
			return nil, b.errorf("calls %%%d with a value that its parameter %d does not take", id, i)
		}
		calls.params = append(calls.params, v)
	}
	var err error
	calls.count, err = b.p.newSlots(b.in.word, 1)
	b.p.meetings = append(b.p.meetings, calls.count)
	return calls, err
}

// insts are the two instructions.
func (e *elementCalls) insts(m *cooperative) *inst {
	return &inst{fn: e.fn, flags: moves | faults, exec: func(c *core, in *inst) { e.call(c, in, m) },
		then: &inst{flags: moves | faults, exec: e.take}}
}

// call begins the next call in which the function is called in some lane, or ends the instruction.
func (e *elementCalls) call(c *core, in *inst, m *cooperative) {
	s := c.s
	at := int(in.imm)
	s.i = at + 2
	if !m.held(c) {
		clear(c.slots(in.d, in.then.dn))
		return
	}
	if !c.together(in) {
		s.i = at
		return
	}
	count := c.one(e.count)
	for step := int(count[0]); step < e.steps; step++ {
		lanes := e.begin(c, step)
		if lanes == 0 {
			e.end(c, in, step, 0)
			continue
		}
		count[0], count[1] = uint64(step), lanes
		target := e.fn.blocks[0]
		if c.w.Track != nil {
			c.w.EnterCall(in.pc, in.pc, target.insts[0].pc, s)
		}
		// The lanes that the function is not called in have returned before the others.
		s.frames = append(s.frames, frame{fn: e.fn, back: place{s.b, at}, lanes: lanes,
			returned: c.mask &^ lanes})
		c.resume(lanes)
		s.b, s.i = target, 0
		return
	}
	count[0] = 0
	e.done(c, in)
}

// take takes what the function has returned, and goes back for the next call.
func (e *elementCalls) take(c *core, in *inst) {
	at := int(in.imm)
	c.s.i = at
	if !c.together(in) { // some have ended in the function
		return
	}
	count := c.one(e.count)
	e.end(c, in, int(count[0]), count[1])
	count[0]++
	c.s.i = at - 1
}

// buildPerElement makes CooperativeMatrixPerElementOpNV: a function of each element's row, column and value.
func buildPerElement(b *builder) (*inst, error) {
	v, err := b.matrix(0)
	if err != nil {
		return nil, err
	}
	if b.typ != v.typ {
		return nil, b.errorf("has a result of another type than its operand")
	}
	more, err := b.values(2)
	if err != nil {
		return nil, err
	}
	params := []*typ{oneScalar, oneScalar, v.typ.elem}
	for _, x := range more {
		t := x.typ
		if t.matrix != nil {
			if *t.matrix != *v.typ.matrix {
				return nil, b.errorf("has a further matrix of another shape")
			}
			t = t.elem
		}
		params = append(params, t)
	}
	calls, err := b.callee(b.in.args[1], v.typ.elem, params...)
	if err != nil {
		return nil, err
	}
	m := v.typ.matrix
	calls.steps = v.typ.slots
	calls.begin = func(c *core, step int) uint64 {
		rows, columns := c.one(calls.params[0].slot), c.one(calls.params[1].slot)
		for l := range c.lanes {
			e := step*c.lanes + l
			rows[l], columns[l] = uint64(e/m.columns), uint64(e%m.columns)
		}
		c.copySlots(calls.params[2].slot, v.slot+int32(step), 1)
		for i, x := range more {
			from, n := x.slot, int32(x.typ.slots)
			if x.typ.matrix != nil {
				from, n = from+int32(step), 1
			}
			c.copySlots(calls.params[3+i].slot, from, n)
		}
		return m.present(c.lanes, step)
	}
	calls.end = func(c *core, in *inst, step int, lanes uint64) {
		c.mergeSlots(in.d+int32(step), calls.fn.ret, lanes)
	}
	return calls.insts(m), nil
}

// copySlots copies values with what is known of them.
func (c *core) copySlots(to, from, n int32) {
	copy(c.slots(to, n), c.slots(from, n))
	if c.valued || c.tracker != nil {
		c.moveKnown(to, from, n, c.mask)
	}
}

// mergeSlots copies a scalar of some lanes.
func (c *core) mergeSlots(to, from int32, lanes uint64) {
	c.merge(c.one(to), c.one(from), lanes)
	if c.valued || c.tracker != nil {
		c.moveKnown(to, from, 1, lanes)
	}
}

// Cooperative matrix reduce modes.
const (
	reduceRows = 1 << iota
	reduceColumns
	reduceSquares
)

// A reduction combines the elements of groups, which are so many of the same length each.
type reduction struct {
	groups, length int
	item           func(group, i int) int // an element of the operand
	group          func(e int) int        // of an element of the result
}

// reductionOf is how a matrix of one shape becomes one of another.
func reductionOf(mode uint32, from, to *cooperative) (reduction, bool) {
	switch mode {
	case reduceRows:
		return reduction{from.rows, from.columns, func(g, i int) int { return g*from.columns + i },
			func(e int) int { return e / to.columns }}, from.rows == to.rows
	case reduceColumns:
		return reduction{from.columns, from.rows, func(g, i int) int { return i*from.columns + g },
			func(e int) int { return e % to.columns }}, from.columns == to.columns
	case reduceSquares:
		return reduction{to.elements(), 4, func(g, i int) int {
			return (g/to.columns*2+i/2)*from.columns + g%to.columns*2 + i%2
		}, func(e int) int { return e }}, from.rows == 2*to.rows && from.columns == 2*to.columns
	case reduceRows | reduceColumns:
		return reduction{1, from.elements(), func(_, i int) int { return i },
			func(int) int { return 0 }}, true
	}
	return reduction{}, false
}

// buildReduce makes CooperativeMatrixReduceNV. Each lane combines the elements of a group, in their order;
// where there is but one group, each lane those in its slots, and then lanes each other's.
func buildReduce(b *builder) (*inst, error) {
	v, err := b.matrix(0)
	if err != nil {
		return nil, err
	}
	m, err := b.resultMatrix()
	if err != nil {
		return nil, err
	}
	r, ok := reductionOf(b.in.args[1], v.typ.matrix, m)
	if !ok || m.wide != v.typ.matrix.wide || b.typ.elem != v.typ.elem {
		return nil, b.errorf("reduces (mode %d) to a matrix that its operand does not fit", b.in.args[1])
	}
	calls, err := b.callee(b.in.args[2], v.typ.elem, v.typ.elem, v.typ.elem)
	if err != nil {
		return nil, err
	}
	lanes := b.p.o.SubgroupSize
	chunks := (r.groups + lanes - 1) / lanes
	acc, err := b.p.newSlots(b.in.word, chunks)
	if err != nil {
		return nil, err
	}
	w := &reducing{reduction: r, calls: calls, from: v, to: m, acc: acc}
	if r.groups == 1 {
		calls.steps, calls.begin = v.typ.slots-1+bits.Len(uint(lanes))-1, w.beginAll
	} else {
		calls.steps, calls.begin = chunks*(r.length-1), w.begin
	}
	calls.end = w.end
	calls.done = w.spread
	return calls.insts(m), nil
}

// A reducing is a reduction under way: what is combined so far is in slots from acc on, a group a lane.
type reducing struct {
	reduction
	calls *elementCalls
	from  *value
	to    *cooperative
	acc   int32
}

// operands are where the function takes its operands from.
func (w *reducing) operands(c *core) (x, y []uint64) {
	return c.one(w.calls.params[0].slot), c.one(w.calls.params[1].slot)
}

func (w *reducing) begin(c *core, step int) (lanes uint64) {
	chunk, i := step/(w.length-1), step%(w.length-1)+1
	x, y := w.operands(c)
	all, acc := c.slots(w.from.slot, int32(w.from.typ.slots)), c.one(w.acc+int32(chunk))
	for l := range c.lanes {
		g := chunk*c.lanes + l
		if g >= w.groups {
			break
		}
		lanes |= 1 << l
		if x[l] = acc[l]; i == 1 {
			x[l] = all[w.item(g, 0)]
		}
		y[l] = all[w.item(g, i)]
	}
	return lanes
}

// beginAll is begin of the one group: first lanes combine what is in their slots, and then the lower half of
// those that are left takes what the upper half has.
func (w *reducing) beginAll(c *core, step int) (lanes uint64) {
	x, y := w.operands(c)
	acc, n := c.one(w.acc), w.from.typ.slots
	if step < n-1 {
		if step == 0 {
			copy(acc, c.one(w.from.slot))
		}
		copy(x, acc)
		copy(y, c.one(w.from.slot+int32(step)+1))
		return w.from.typ.matrix.present(c.lanes, step+1)
	}
	if n == 1 && step == 0 {
		copy(acc, c.one(w.from.slot))
	}
	half := c.lanes >> (step - (n - 1) + 1)
	for l := range half {
		if l+half < w.length {
			lanes |= 1 << l
			x[l], y[l] = acc[l], acc[l+half]
		}
	}
	return lanes
}

func (w *reducing) end(c *core, _ *inst, step int, lanes uint64) {
	chunk := 0
	if w.groups > 1 {
		chunk = step / (w.length - 1)
	}
	c.merge(c.one(w.acc+int32(chunk)), c.one(w.calls.fn.ret), lanes)
}

// spread gives each element of the result what its group has come to.
func (w *reducing) spread(c *core, in *inst) {
	d := c.slots(in.d, int32((w.to.elements()+c.lanes-1)/c.lanes))
	all, acc := c.slots(w.from.slot, int32(w.from.typ.slots)), c.slots(
		w.acc, int32((w.groups+c.lanes-1)/c.lanes))
	for e := range w.to.elements() {
		if g := w.group(e); w.length == 1 {
			d[e] = all[w.item(g, 0)]
		} else {
			d[e] = acc[g]
		}
	}
}
