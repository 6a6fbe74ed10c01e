package debuginfo

import (
	"slices"

	"simtgdb/dwarf"
	"simtgdb/dwarf/expr"
	"simtgdb/loader/spirv"
)

// An instance is a local variable in one inlined instance of its function.
type instance struct {
	v       *dinst // DebugLocalVariable
	name    string
	scope   scope
	home    code // of the whole, for the whole scope
	homeAt  int  // index of the declaration
	typ     *spirv.Type
	leaves  []leaf
	changes []change
	param   uint64
}

// A change is a DebugValue: scalars [from, from+n) of the variable are now sources.
type change struct {
	index   int
	from    int
	sources []source
}

// A source is where a scalar of a variable is: a scalar of an id's value, or memory that an id's value
// leads to.
// The zero source is nowhere.
type source struct {
	id     uint32
	n      int
	skip   uint64 // bytes of the scalar before what is meant
	memory bool
	offset uint64
	ops    string // DWARF operations on the value, where there are any
}

// A leaf is a scalar of a type in memory, or a part of it that a fragment ends in.
type leaf struct {
	offset, size uint64
	scalar       int    // counted from 0
	skip         uint64 // bytes of the scalar before it
}

const maxLeaves = 256

// leavesOf lists the scalars of a type; nil if there are too many, or what has no size.
func leavesOf(s *spirv.Type, l layout, at uint64, to []leaf) ([]leaf, bool) {
	if s == nil || len(to) > maxLeaves {
		return nil, false
	}
	ok := true
	switch s.Kind {
	case spirv.Bool, spirv.Int, spirv.Float, spirv.Pointer:
		return append(to, leaf{offset: at, size: s.Size, scalar: len(to)}), true
	case spirv.Vector, spirv.Array:
		for i := uint64(0); i < s.Len && ok; i++ {
			to, ok = leavesOf(s.Elem, l, at+i*s.Stride, to)
		}
		return to, ok
	case spirv.Matrix:
		stride := s.Elem.Size
		if l.stride != 0 && !l.rowMajor {
			stride = l.stride
		}
		for i := uint64(0); i < s.Len && ok; i++ {
			to, ok = leavesOf(s.Elem, layout{}, at+i*stride, to)
		}
		return to, ok
	case spirv.Struct:
		for i := range s.Members {
			m := &s.Members[i]
			if to, ok = leavesOf(m.Type, layoutOf(m), at+m.Offset, to); !ok {
				return nil, false
			}
		}
		return to, true
	}
	return nil, false
}

// scalars is how many slots a value of a type has.
func scalars(s *spirv.Type) int {
	n, _ := leavesOf(s, layout{}, 0, nil)
	return len(n)
}

// variables adds the local variables.
func (b *body) variables() {
	all := map[instanceKey]*instance{}
	var order []*instance
	find := func(d *dinst, index int) *instance {
		v := b.get(d.arg(0), dLocalVariable)
		inlined := uint32(0)
		if iv := b.get(d.arg(0), dInlinedVariable); iv != nil {
			v, inlined = b.get(iv.arg(0), dLocalVariable), iv.arg(1)
		}
		if v == nil {
			return nil
		}
		if inlined == 0 {
			inlined = b.inlinedOf(v, index)
		}
		k := instanceKey{v.id, inlined}
		if all[k] == nil {
			all[k] = &instance{v: v, name: b.str(v, 0), scope: scope{v.arg(5), inlined}, homeAt: -1,
				param: b.num(v, 7)}
			order = append(order, all[k])
		}
		return all[k]
	}
	var values []int
	for i := b.f.First; i < b.f.End; i++ {
		d := debugInst(b.m, i)
		if d == nil || d.number != dDeclare && d.number != dValue {
			continue
		}
		if x := find(d, i); x != nil {
			values = append(values, i)
			b.cutLeaves(x, d)
		}
	}
	for _, i := range values {
		d := debugInst(b.m, i)
		x := find(d, i)
		switch {
		case d.number == dDeclare:
			b.declare(x, d, i)
		default:
			b.change(x, d, i)
		}
	}
	if len(b.list) == 0 {
		order = b.namedVariables()
	}
	slices.SortStableFunc(order, func(x, y *instance) int { return paramOrder(x) - paramOrder(y) })
	for _, x := range order {
		b.addVariable(x, order)
	}
}

type instanceKey struct{ id, inlined uint32 }

// paramOrder puts parameters first, in their order.
func paramOrder(x *instance) int {
	if x.param == 0 || x.param > 1<<16 {
		return 1 << 20
	}
	return int(x.param)
}

// inlinedOf finds the instance that a variable belongs to at an instruction: that of the scope there, if
// this is of the variable's function, else of the next scope of that function, as spirv-opt writes
// values of parameters before the scope of what is inlined.
func (b *body) inlinedOf(v *dinst, index int) uint32 {
	fn := b.function(v.arg(5))
	if s := b.marks[index-b.f.First].scope; b.function(s.id) == fn {
		return s.inlined
	}
	for i := index; i < b.f.End; i++ {
		if d := debugInst(b.m, i); d != nil && d.number == dScope && b.function(d.arg(0)) == fn {
			return d.arg(1)
		}
	}
	return 0
}

// pointee is the type that an id's value points to, with its storage class.
func (b *body) pointee(id uint32) (*spirv.Type, spirv.StorageClass, bool) {
	def := b.m.Def(id)
	if def == nil {
		return nil, 0, false
	}
	p := b.m.Types[def.Type]
	if p == nil || p.Kind != spirv.Pointer {
		return nil, 0, false
	}
	return p.Elem, p.Storage, true
}

// declare gives a variable a home in memory.
func (b *body) declare(x *instance, d *dinst, index int) {
	s, storage, ok := b.pointee(d.arg(1))
	if !ok {
		b.change(x, d, index) // a value after all
		return
	}
	e := b.expression(d.arg(2))
	if len(d.args) > 3 || e.fragment {
		from, n := b.part(x, d.args[min(3, len(d.args)):], e)
		b.record(x, index, from, n, func(k int) source {
			return source{id: d.arg(1), memory: true, offset: x.leaves[from+k].offset - x.leaves[from].offset}
		})
		return
	}
	x.typ, x.homeAt = s, index
	x.home = code(nil).memory(d.arg(1), storage, e.offset)
	if e.deref { // the home holds the variable's address
		x.home = x.home.op(expr.OpDeref)
		x.typ = nil
		if s != nil && s.Kind == spirv.Pointer {
			x.typ = s.Elem
		}
	}
}

// change notes a DebugValue.
func (b *body) change(x *instance, d *dinst, index int) {
	def := b.m.Def(d.arg(1))
	if def == nil || b.m.Types[def.Type] == nil {
		return
	}
	index = b.sinceEntry(x, d.arg(1), index)
	s := b.m.Types[def.Type]
	e := b.expression(d.arg(2))
	indexes := d.args[min(3, len(d.args)):]
	if x.typ == nil {
		switch {
		case e.deref && s.Kind == spirv.Pointer:
			x.typ = s.Elem
		case len(indexes) == 0 && !e.fragment && !e.deref:
			x.typ = s
		}
		x.leaves = nil
	}
	from, n := b.part(x, indexes, e)
	switch {
	case e.deref && s.Kind == spirv.Pointer:
		b.record(x, index, from, n, func(k int) source {
			return source{id: d.arg(1), memory: true,
				offset: e.offset + x.leaves[from+k].offset - x.leaves[from].offset}
		})
	case e.ops != "":
		if n == 1 {
			b.record(x, index, from, 1, func(int) source { return source{id: d.arg(1), ops: e.ops} })
		}
	default:
		first := x.base(from, e)
		held, _ := leavesOf(s, layout{}, 0, nil)
		if !e.fragment && x.leaves != nil && from < len(x.leaves) {
			n = x.scalarsIn(from, n, len(held))
		}
		b.record(x, index, from, n, func(k int) source {
			l := x.leaves[from+k]
			if !e.fragment {
				return source{id: d.arg(1), n: l.scalar - x.leaves[from].scalar, skip: l.skip}
			}
			return sourceAt(d.arg(1), held, l.offset-first)
		})
	}
}

// sinceEntry is where a change takes effect: where the function begins, if it is the first of a parameter and
// says that this is what the caller gave.
func (b *body) sinceEntry(x *instance, id uint32, index int) int {
	if x.param == 0 || x.scope.inlined != 0 || len(b.blocks) == 0 || index >= b.blocks[0].end ||
		!slices.Contains(b.f.Params, id) {
		return index
	}
	for _, c := range x.changes {
		if c.index > b.blocks[0].first {
			return index
		}
	}
	return b.blocks[0].first
}

// record adds a change of n scalars.
func (b *body) record(x *instance, index, from, n int, f func(k int) source) {
	c := change{index: index, from: from}
	for k := range n {
		c.sources = append(c.sources, f(k))
	}
	if n > 0 {
		x.changes = append(x.changes, c)
	}
}

// part finds which scalars of a variable indexes or a fragment mean: from which on, and how many.
func (b *body) part(x *instance, indexes []uint32, e expression) (from, n int) {
	if x.typ == nil {
		x.typ = b.synth(x.v.arg(1))
	}
	if x.leaves == nil {
		x.leaves, _ = leavesOf(x.typ, layout{}, 0, nil)
	}
	s := x.typ
	for _, id := range indexes {
		k, ok := b.m.Uint(id)
		if !ok || s == nil {
			return 0, 0
		}
		switch s.Kind {
		case spirv.Struct:
			if k >= uint64(len(s.Members)) {
				return 0, 0
			}
			for _, m := range s.Members[:k] {
				from += scalars(m.Type)
			}
			s = s.Members[k].Type
		case spirv.Vector, spirv.Matrix, spirv.Array:
			if k >= s.Len {
				return 0, 0
			}
			s = s.Elem
			from += int(k) * scalars(s)
		default:
			return 0, 0
		}
	}
	n = scalars(s)
	if e.fragment {
		return x.fragment(e)
	}
	from, n = x.scalarRange(from, n)
	if from+n > len(x.leaves) {
		return 0, 0
	}
	return from, n
}

// An expression is what a DebugExpression does to the value or the place.
type expression struct {
	deref     bool
	offset    uint64
	fragment  bool
	bit, bits uint64
	ops       string // anything else, as DWARF operations that yield a value
}

// expression reads a DebugExpression. "Constu 0, Swap, Xderef" is llvm-spirv's way of saying "here".
func (b *body) expression(id uint32) expression {
	var e expression
	d := b.get(id, dExpression)
	if d == nil {
		return e
	}
	var ops code
	plain := true
	for _, id := range d.args {
		o := b.get(id, dOperation)
		if o == nil {
			continue
		}
		switch b.num(o, 0) {
		case 0:
			ops = ops.op(expr.OpDeref)
			e.deref = true
		case 1:
			ops, plain = ops.op(opPlus), false
		case 2:
			ops, plain = ops.op(opMinus), false
		case 3:
			e.offset += b.num(o, 1)
			ops = ops.op(expr.OpPlusUconst).uleb(b.num(o, 1))
		case 4, 9:
			e.fragment, e.bit, e.bits = true, b.num(o, 1), b.num(o, 2)
		case 8:
			if n := b.num(o, 1); n != 0 {
				plain = false
			}
			ops = ops.op(expr.OpConstu).uleb(b.num(o, 1))
		case 5:
			ops = ops.op(opSwap)
		case 6:
			if n := len(ops); n >= 3 && ops[n-1] == opSwap && ops[n-2] == 0 && ops[n-3] == expr.OpConstu {
				ops = ops[:n-3]
			}
		}
	}
	if !plain || e.offset != 0 && !e.deref {
		e.ops = string(ops)
	}
	return e
}

// Operations that package expr has no name for here (DWARF 5, table 7.9).
const (
	opSwap  = 0x16
	opMinus = 0x1c
	opPlus  = 0x22
)

// addVariable adds the entry of a variable.
func (b *body) addVariable(x *instance, all []*instance) {
	name := x.name
	tag := dwarf.TagVariable
	if x.param != 0 {
		tag = dwarf.TagFormalParameter
	}
	die := dwarf.NewDIE(tag)
	if name != "" {
		die.Set(dwarf.StringAttr(dwarf.AttrName, name))
	}
	b.place(die, x.v.arg(2), b.num(x.v, 3))
	const artificial = 1 << 5
	if b.num(x.v, 6)&artificial != 0 {
		die.Set(dwarf.FlagAttr(dwarf.AttrArtificial))
	}
	parent := b.scopeEntry(x.scope, 0)
	if x.home != nil {
		if end, twice := b.shadowed(x, all); twice {
			blk := dwarf.NewDIE(dwarf.TagLexicalBlock, dwarf.AddressAttr(dwarf.AttrLowPC, b.pc(x.homeAt)),
				dwarf.UintAttr(dwarf.AttrHighPC, b.pc(end)-b.pc(x.homeAt)))
			b.takeIn(parent, blk, dwarf.Range{Low: b.pc(x.homeAt), High: b.pc(end)})
			parent = blk
		}
		die.Set(dwarf.ExprAttr(dwarf.AttrLocation, x.home))
	} else if locs := b.locations(x); len(locs) > 0 {
		die.Set(dwarf.LocListAttr(dwarf.AttrLocation, locs))
	}
	parent.Add(b.typed(die, b.typeDIE(x.v.arg(1), x.typ, layout{})))
}

// takeIn makes an entry one of its parent's and moves into it those of the parent's blocks that lie in its
// range.
func (b *body) takeIn(parent, blk *dwarf.DIE, r dwarf.Range) {
	inside := func(d *dwarf.DIE) bool {
		rs := b.ranges[d]
		for _, x := range rs {
			if x.Low < r.Low || x.High > r.High {
				return false
			}
		}
		return len(rs) > 0
	}
	var moved []*dwarf.DIE
	parent.Children = slices.DeleteFunc(parent.Children, func(d *dwarf.DIE) bool {
		if inside(d) {
			moved = append(moved, d)
			return true
		}
		return false
	})
	blk.Add(moved...)
	parent.Add(blk)
}

// shadowed reports whether another variable of the same name has its home in the same scope, as the
// variables of two loops do for glslang, and this is a loop's: then it ends at the merge block of the
// loop that begins in its line, or at the declaration of the next.
func (b *body) shadowed(x *instance, all []*instance) (end int, is bool) {
	end = b.f.End
	twice := false
	for _, y := range all {
		if y == x || y.home == nil || y.scope != x.scope || y.name != x.name {
			continue
		}
		twice = true
		if y.homeAt > x.homeAt {
			end = min(end, y.homeAt)
		}
	}
	if !twice {
		return end, false
	}
	line := uint32(b.num(x.v, 3))
	for i := x.homeAt; i < end; i++ {
		in := &b.m.Insts[i]
		if in.Op != spirv.OpLoopMerge {
			continue
		}
		if m := b.m.DefIndex(in.Arg(0)); m > i && b.marks[i-b.f.First].at.line == line {
			return m, true
		}
		break
	}
	return end, false
}

// namedVariables are those of a module without debug instructions.
func (b *body) namedVariables() []*instance {
	var out []*instance
	for i := b.f.First; i < b.f.End; i++ {
		in := &b.m.Insts[i]
		name := b.m.Names[in.Result]
		if in.Op != spirv.OpVariable && in.Op != spirv.OpFunctionParameter || name == "" {
			continue
		}
		x := &instance{v: &dinst{}, name: name, homeAt: i}
		if in.Op == spirv.OpFunctionParameter {
			x.param = uint64(i)
		}
		if s, storage, ok := b.pointee(in.Result); ok && storage == spirv.FunctionStorage {
			x.typ, x.home = s, code(nil).memory(in.Result, storage, 0)
		} else {
			x.typ = b.m.Types[in.Type]
			at := i
			if len(b.blocks) > 0 { // from where the function begins
				at = b.blocks[0].first
			}
			b.record(x, at, 0, scalars(x.typ), func(k int) source { return source{id: in.Result, n: k} })
			x.leaves, _ = leavesOf(x.typ, layout{}, 0, nil)
		}
		out = append(out, x)
	}
	return out
}
