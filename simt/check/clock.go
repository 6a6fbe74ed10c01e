package check

// A clocks says for each wave of the dispatch up to which time its accesses are known to have
// happened: 0 for none. It is a tree that is never changed, so that what waves learn from each
// other is shared rather than copied. nil has 0 for all. Where one leaf alone is below, it stands in the
// place of the nodes above it: mostly that of a workgroup's waves is all.
type clocks struct {
	kids   *[fanout]*clocks // nil in a leaf
	values *[fanout]uint32  // of a leaf
	number int32            // of a leaf: that of its first wave, over fanout
}

// A node has 2^bits children.
const (
	fanoutBits = 4
	fanout     = 1 << fanoutBits
)

// depthFor is how many levels of inner nodes a tree needs for waves.
func depthFor(waves int) int {
	depth := 0
	for n := fanout; n < waves; n *= fanout {
		depth++
	}
	return depth
}

// newLeaf is a leaf with values.
func newLeaf(number int32, values *[fanout]uint32) *clocks {
	n := &struct {
		clocks
		of [fanout]uint32
	}{}
	n.of, n.values, n.number = *values, &n.of, number
	return &n.clocks
}

// newInner is an inner node.
func newInner(kids *[fanout]*clocks) *clocks {
	n := &struct {
		clocks
		of [fanout]*clocks
	}{}
	n.of, n.kids = *kids, &n.of
	return &n.clocks
}

// at is the clock of a wave.
func (c *clocks) at(depth, wave int) uint32 {
	if c = c.leaf(depth, wave); c == nil {
		return 0
	}
	return c.values[wave&(fanout-1)]
}

// leaf is the leaf that has a wave; nil if there is none.
func (c *clocks) leaf(depth, wave int) *clocks {
	for ; c != nil && c.kids != nil; depth-- {
		c = c.kids[kid(depth, wave)]
	}
	if c == nil || int(c.number) != wave>>fanoutBits {
		return nil
	}
	return c
}

// kid is which child of a node, so many levels above leaves, has a wave.
func kid(depth, wave int) int { return wave >> (depth * fanoutBits) & (fanout - 1) }

// child is child i of a node, which may be a leaf in the place of one.
func (c *clocks) child(depth, i int) *clocks {
	switch {
	case c.kids != nil:
		return c.kids[i]
	case kid(depth, int(c.number)<<fanoutBits) == i:
		return c
	}
	return nil
}

// with is c with one wave's clock set.
func (c *clocks) with(depth, wave int, v uint32) *clocks {
	if c == nil || c.kids == nil && int(c.number) == wave>>fanoutBits {
		var values [fanout]uint32
		if c != nil {
			values = *c.values
		}
		values[wave&(fanout-1)] = v
		return newLeaf(int32(wave>>fanoutBits), &values)
	}
	var kids [fanout]*clocks
	for i := range kids {
		kids[i] = c.child(depth, i)
	}
	i := kid(depth, wave)
	kids[i] = kids[i].with(depth-1, wave, v)
	return newInner(&kids)
}

// withOwn is c with what waves have released of their own accesses to a memory.
func (c *clocks) withOwn(depth int, waves []*wave, p int) *clocks {
	var last *clocks // a leaf that is no part of c yet
	number := -1
	for _, w := range waves {
		own := w.near.own[p]
		if own <= c.at(depth, w.id) {
			continue
		}
		if n := w.id >> fanoutBits; n == number { // as it is mostly
			last.values[w.id&(fanout-1)] = own
			continue
		}
		c = c.with(depth, w.id, own)
		last, number = c.leaf(depth, w.id), w.id>>fanoutBits
	}
	return c
}

// join has of each wave the later clock. It is one of the two if that covers the other.
func join(depth int, a, b *clocks) *clocks {
	switch {
	case a == b || b == nil:
		return a
	case a == nil:
		return b
	case a.kids == nil && b.kids == nil && a.number == b.number:
		return joinLeaves(a, b)
	}
	var kids [fanout]*clocks
	isA, isB := true, true
	for i := range kids {
		of, other := a.child(depth, i), b.child(depth, i)
		kids[i] = join(depth-1, of, other)
		isA = isA && kids[i] == of
		isB = isB && kids[i] == other
	}
	switch {
	case isA:
		return a
	case isB:
		return b
	}
	return newInner(&kids)
}

func joinLeaves(a, b *clocks) *clocks {
	isA, isB := true, true
	for i, v := range a.values {
		isA = isA && v >= b.values[i]
		isB = isB && v <= b.values[i]
	}
	switch {
	case isA:
		return a
	case isB:
		return b
	}
	var values [fanout]uint32
	for i, v := range a.values {
		values[i] = max(v, b.values[i])
	}
	return newLeaf(a.number, &values)
}
