package check

// A clocks says for each wave of the dispatch up to which time its accesses are known to have
// happened: 0 for none. It is a tree that is never changed, so that what waves learn from each
// other is shared rather than copied. nil has 0 for all.
type clocks struct {
	kids   [fanout]*clocks // nil in a leaf
	values []uint32        // of a leaf
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

// at is the clock of a wave.
func (c *clocks) at(depth, wave int) uint32 {
	for ; depth > 0 && c != nil; depth-- {
		c = c.kids[wave>>(depth*fanoutBits)&(fanout-1)]
	}
	if c == nil {
		return 0
	}
	return c.values[wave&(fanout-1)]
}

// with is c with one wave's clock set.
func (c *clocks) with(depth, wave int, v uint32) *clocks {
	n := &clocks{}
	if depth == 0 {
		n.values = make([]uint32, fanout)
		if c != nil {
			copy(n.values, c.values)
		}
		n.values[wave&(fanout-1)] = v
		return n
	}
	if c != nil {
		*n = *c
	}
	i := wave >> (depth * fanoutBits) & (fanout - 1)
	n.kids[i] = n.kids[i].with(depth-1, wave, v)
	return n
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

// leaf is the leaf that has a wave.
func (c *clocks) leaf(depth, wave int) *clocks {
	for ; depth > 0; depth-- {
		c = c.kids[wave>>(depth*fanoutBits)&(fanout-1)]
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
	case depth == 0:
		return joinLeaves(a, b)
	}
	var kids [fanout]*clocks
	isA, isB := true, true
	for i := range kids {
		kids[i] = join(depth-1, a.kids[i], b.kids[i])
		isA = isA && kids[i] == a.kids[i]
		isB = isB && kids[i] == b.kids[i]
	}
	switch {
	case isA:
		return a
	case isB:
		return b
	}
	return &clocks{kids: kids}
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
	n := &clocks{values: make([]uint32, fanout)}
	for i, v := range a.values {
		n.values[i] = max(v, b.values[i])
	}
	return n
}
