package debuginfo

import (
	"cmp"
	"slices"

	"simtgdb/dwarf"
	"simtgdb/dwarf/expr"
	"simtgdb/loader/spirv"
)

// locations makes the location list of a variable of DebugValues: which sources its scalars have, by data
// flow over the blocks. Where ways with different sources meet, a scalar is nowhere until the next change;
// so a value is never shown where its definition does not dominate.
func (b *body) locations(x *instance) []dwarf.LocEntry {
	if len(x.changes) == 0 || len(x.leaves) == 0 || len(x.leaves) > maxLeaves {
		return nil
	}
	slices.SortStableFunc(x.changes, func(p, q change) int { return p.index - q.index })
	in, known := b.flow(x)
	var out []dwarf.LocEntry
	emit := func(state []source, first, end int) {
		low, high := b.pc(first), b.pc(end)
		if first == b.blocks[0].first {
			low = b.low // lanes stand at OpFunction first
		}
		if e := b.composite(x, state); e != nil && low < high {
			if n := len(out); n > 0 && out[n-1].High == low && string(out[n-1].Expr) == string(e) {
				out[n-1].High = high
				return
			}
			out = append(out, dwarf.LocEntry{Low: low, High: high, Expr: e})
		}
	}
	for k, blk := range b.blocks {
		if !known[k] {
			continue
		}
		state, from := slices.Clone(in[k]), blk.first
		for _, c := range x.changes {
			if c.index >= blk.first && c.index < blk.end {
				emit(state, from, c.index)
				copy(state[c.from:], c.sources)
				from = c.index
			}
		}
		emit(state, from, blk.end)
	}
	return out
}

// flow finds the state at the beginning of each block.
func (b *body) flow(x *instance) (in [][]source, known []bool) {
	n := len(b.blocks)
	in, known = make([][]source, n), make([]bool, n)
	out := make([][]source, n)
	number := map[*block]int{}
	for k, blk := range b.blocks {
		number[blk] = k
	}
	for k := range in {
		in[k] = make([]source, len(x.leaves))
	}
	if n > 0 {
		known[0] = true
	}
	for changed, rounds := true, 0; changed && rounds < n+2; rounds++ {
		changed = false
		for k, blk := range b.blocks {
			if k > 0 {
				b.meet(in, out, known, k, blk, number)
			}
			if !known[k] {
				continue
			}
			state := slices.Clone(in[k])
			for _, c := range x.changes {
				if c.index >= blk.first && c.index < blk.end {
					copy(state[c.from:], c.sources)
				}
			}
			if !slices.Equal(state, out[k]) {
				out[k], changed = state, true
			}
		}
	}
	return in, known
}

// meet is what all ways to a block agree on; ways that are not known yet do not count.
func (b *body) meet(in, out [][]source, known []bool, k int, blk *block, number map[*block]int) {
	first := true
	for _, p := range blk.preds {
		o := out[number[p]]
		if o == nil {
			continue
		}
		known[k] = true
		if first {
			copy(in[k], o)
			first = false
			continue
		}
		for i := range in[k] {
			if in[k][i] != o[i] {
				in[k][i] = source{}
			}
		}
	}
}

// composite is the location of a variable whose scalars have these sources, nil if none has any.
func (b *body) composite(x *instance, state []source) code {
	if s, ok := b.wholeInMemory(x, state); ok {
		return s
	}
	var c code
	at := uint64(0)
	some := false
	for i, l := range x.leaves {
		if l.offset < at {
			return nil // scalars out of order
		}
		if l.offset > at {
			c = c.piece(l.offset - at)
		}
		if s := state[i]; s.id != 0 {
			c = b.scalar(c, s)
			some = true
		}
		c = c.piece(l.size)
		at = l.offset + l.size
	}
	if !some {
		return nil
	}
	if x.typ != nil && x.typ.Size > at {
		c = c.piece(x.typ.Size - at)
	}
	return c
}

func (b *body) scalar(c code, s source) code {
	switch {
	case s.memory:
		_, storage, _ := b.pointee(s.id)
		return c.memory(s.id, storage, s.offset)
	case s.ops != "":
		return append(c.value(s.id, 0), s.ops...).op(expr.OpStackValue)
	}
	return c.laneAt(s.id, s.n, s.skip)
}

// wholeInMemory finds a variable that lies in memory as it is.
func (b *body) wholeInMemory(x *instance, state []source) (code, bool) {
	first := state[0]
	if !first.memory || first.offset != x.leaves[0].offset {
		return nil, false
	}
	for i, s := range state {
		if s.id != first.id || !s.memory || s.offset != x.leaves[i].offset {
			return nil, false
		}
	}
	_, storage, ok := b.pointee(first.id)
	return code(nil).memory(first.id, storage, 0), ok
}

// globalVariables adds the variables and constants of the module.
func (t *translator) globalVariables() {
	described := map[uint32]bool{}
	for _, d := range t.list {
		if d.number == dGlobalVariable {
			t.global(d)
			described[d.arg(7)] = true
		}
	}
	if len(t.list) > 0 {
		return
	}
	for i, v := range t.m.Variables {
		if v.Type == nil || v.Type.Kind == spirv.Opaque {
			continue
		}
		t.globalEntries(v.Name, 0, v, i, func(*dwarf.DIE) {})
	}
}

// global adds what a DebugGlobalVariable describes.
func (t *translator) global(d *dinst) {
	finish := func(die *dwarf.DIE) {
		t.place(die, d.arg(2), t.num(d, 3))
		t.globals[d.id] = die
		if m := t.members[d.arg(9)]; m != nil {
			die.Set(dwarf.RefAttr(dwarf.AttrSpecification, m))
		}
		t.scopeDIE(d.arg(5)).Add(die)
	}
	id := d.arg(7)
	for i, v := range t.m.Variables {
		if v.ID == id {
			t.globalEntries(t.str(d, 0), d.arg(1), v, i, finish)
			return
		}
	}
	die := dwarf.NewDIE(dwarf.TagVariable, dwarf.StringAttr(dwarf.AttrName, t.str(d, 0)),
		dwarf.FlagAttr(dwarf.AttrExternal))
	if c := t.m.Constants[id]; c != nil {
		t.constant(die, d.arg(1), c)
	} else {
		if e := t.get(id, dExpression); e != nil {
			if v, ok := t.expressionConstant(e); ok {
				die.Set(dwarf.UintAttr(dwarf.AttrConstValue, v))
			}
		}
		t.typed(die, t.typeDIE(d.arg(1), nil, layout{}))
	}
	finish(die)
}

// expressionConstant is the value of a variable that was optimised out: an expression of one Constu.
func (t *translator) expressionConstant(e *dinst) (uint64, bool) {
	for _, id := range e.args {
		if o := t.get(id, dOperation); o != nil && t.num(o, 0) == 8 {
			return t.num(o, 1), true
		}
	}
	return 0, false
}

// constant gives the entry of a constant its value: of a scalar in the entry, of others by registers. What
// can be specialised is read from where the machine has it.
func (t *translator) constant(die *dwarf.DIE, typ uint32, c *spirv.Constant) {
	t.typed(die, t.typeDIE(typ, c.Type, layout{}))
	if c.Known && !c.Spec && c.Op != spirv.OpSpecConstantOp && c.Type.Kind <= spirv.Float {
		die.Set(constAttr(c))
		return
	}
	leaves, ok := leavesOf(c.Type, layout{}, 0, nil)
	if !ok {
		return
	}
	var e code
	for i, l := range leaves {
		e = e.lane(c.ID, i).piece(l.size)
	}
	die.Set(dwarf.ExprAttr(dwarf.AttrLocation, e))
}

// wraps reports whether a compiler has made a structure of what a buffer holds, since Vulkan wants
// structures: naga's has no name, nor has its only member, and glslang's of HLSL has one whose name no source
// can have.
func (t *translator) wraps(s *spirv.Type) bool {
	if s.Kind != spirv.Struct || len(s.Members) != 1 {
		return false
	}
	only := s.Members[0].Name
	return only == "@data" || only == "" && len(t.list) == 0 && t.m.Names[s.ID] == ""
}

// globalEntries adds a variable at module scope, or its members if it is a block without a name.
func (t *translator) globalEntries(name string, typ uint32, v *spirv.Variable, index int,
	finish func(*dwarf.DIE)) {
	s := v.Type
	length := 0
	if index < MaxLengths {
		length = index + 1
	}
	enter := func(name string, die *dwarf.DIE, more ...dwarf.Attr) {
		die.Set(dwarf.StringAttr(dwarf.AttrName, name))
		die.Set(dwarf.FlagAttr(dwarf.AttrExternal))
		for _, a := range more {
			die.Set(a)
		}
		if finish(die); die.Parent == nil {
			t.root.Add(die)
		}
	}
	add := func(name string, die *dwarf.DIE, offset uint64) {
		enter(name, die, dwarf.ExprAttr(dwarf.AttrLocation, code(nil).memory(v.ID, v.Storage, offset)))
	}
	for i := range t.tables {
		if tab := &t.tables[i]; tab.Variable == v.ID {
			if name == "" {
				name = cmp.Or(t.m.Names[s.Elem.ID], idName(v.ID))
			}
			enter(name, t.table(tab, typ, s.Elem, i))
			return
		}
	}
	if name != "" && t.wraps(s) { // the source knows of no structure
		m := &s.Members[0]
		var member *dinst
		if d := t.debug[typ]; d != nil && d.number == dTypeComposite {
			member = t.get(d.arg(9), dTypeMember)
		}
		add(name, t.typed(dwarf.NewDIE(dwarf.TagVariable),
			t.typeOf(member.arg(1), m.Type, layoutOf(m), length)), m.Offset)
		return
	}
	if name != "" || s.Kind != spirv.Struct {
		die := t.typed(dwarf.NewDIE(dwarf.TagVariable), t.typeOf(typ, s, layout{}, length))
		add(cmp.Or(name, idName(v.ID)), die, 0)
		return
	}
	d := t.debug[typ]
	for i := range s.Members {
		m := &s.Members[i]
		var member *dinst
		if d != nil && d.number == dTypeComposite {
			member = t.get(d.arg(9+i), dTypeMember)
		}
		last := 0
		if i == len(s.Members)-1 {
			last = length
		}
		die := t.typed(dwarf.NewDIE(dwarf.TagVariable),
			t.typeOf(member.arg(1), m.Type, layoutOf(m), last))
		add(cmp.Or(m.Name, t.str(member, 0)), die, m.Offset)
	}
}
