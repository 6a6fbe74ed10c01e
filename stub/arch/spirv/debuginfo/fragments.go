package debuginfo

import "slices"

// Fragments say of bits of a variable what its value is, of which neither need be whole scalars: a long comes
// as two values of 32 bits, two members as one of 64. So leaves are cut where fragments, or scalars of their
// values, end.

// cutLeaves cuts a variable's leaves for a DebugValue or DebugDeclare with a fragment.
func (b *body) cutLeaves(x *instance, d *dinst) {
	e := b.expression(d.arg(2))
	if !e.fragment {
		return
	}
	if x.typ == nil {
		x.typ = b.synth(x.v.arg(1))
	}
	if x.leaves == nil {
		x.leaves, _ = leavesOf(x.typ, layout{}, 0, nil)
	}
	at := []uint64{e.bit / 8, (e.bit + e.bits) / 8}
	if def := b.m.Def(d.arg(1)); def != nil && d.number == dValue {
		held, _ := leavesOf(b.m.Types[def.Type], layout{}, 0, nil)
		for _, l := range held {
			at = append(at, e.bit/8+l.offset, e.bit/8+l.offset+l.size)
		}
	}
	for _, cut := range at {
		for i, l := range x.leaves {
			if l.offset < cut && cut < l.offset+l.size && len(x.leaves) < maxLeaves {
				n := cut - l.offset
				x.leaves[i].size = n
				x.leaves = slices.Insert(x.leaves, i+1, leaf{cut, l.size - n, l.scalar, l.skip + n})
				break
			}
		}
	}
}

// fragment is which leaves a fragment means: from which on, and how many.
func (x *instance) fragment(e expression) (from, n int) {
	for i, l := range x.leaves {
		if 8*l.offset < e.bit {
			from = i + 1
		} else if 8*(l.offset+l.size) <= e.bit+e.bits {
			n++
		}
	}
	return from, n
}

// scalarRange makes leaves of scalars: from which on, and how many.
func (x *instance) scalarRange(from, n int) (first, leaves int) {
	first = len(x.leaves)
	for i, l := range x.leaves {
		if l.scalar >= from && l.scalar < from+n {
			first = min(first, i)
			leaves++
		}
	}
	return min(first, len(x.leaves)-leaves), leaves
}

// scalarsIn is how many of some leaves belong to the first scalars.
func (x *instance) scalarsIn(from, n, scalars int) int {
	k := 0
	for k < n && x.leaves[from+k].scalar-x.leaves[from].scalar < scalars {
		k++
	}
	return k
}

// base is where in a variable the value of a DebugValue begins.
func (x *instance) base(from int, e expression) uint64 {
	if e.fragment || from >= len(x.leaves) {
		return e.bit / 8
	}
	return x.leaves[from].offset
}

// sourceAt is what lies some bytes on in a value with these scalars.
func sourceAt(id uint32, held []leaf, offset uint64) source {
	for _, h := range held {
		if h.offset <= offset && offset < h.offset+h.size {
			return source{id: id, n: h.scalar, skip: offset - h.offset}
		}
	}
	return source{}
}
