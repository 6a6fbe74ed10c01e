package spirv

import "slices"

// flowOrder sorts the blocks of a function without structured control flow: a weak topological order, in
// which strongly connected components stay together behind what leads to them, and each again without the
// edges to its header (Bourdoncle, "Efficient chaotic iteration strategies with widenings", section 3).
// Lanes that wait for the first block then meet where all ways to it have ended. Blocks that nothing leads
// to are dropped.
func (f *function) flowOrder() {
	o := &orderer{position: map[*block]int{}}
	for i, b := range f.blocks {
		o.position[b] = i
	}
	o.region(reachable(f.blocks[0]), f.blocks[0])
	f.blocks, f.loops = o.order, o.loops
}

func reachable(b *block) []*block {
	b.seen = 1
	all := []*block{b}
	for i := 0; i < len(all); i++ {
		for _, s := range all[i].succs {
			if s.seen == 0 {
				s.seen = 1
				all = append(all, s)
			}
		}
	}
	return all
}

// An orderer makes a weak topological order.
type orderer struct {
	position map[*block]int // in the module
	order    []*block
	loops    [][2]int // ranges of order, outer before inner

	in    map[*block]bool // the region
	num   map[*block]int
	low   map[*block]int
	stack []*block
	parts [][]*block
}

// region orders some blocks; the first to run is entry, if it is among them.
func (o *orderer) region(blocks []*block, entry *block) {
	r := &orderer{position: o.position, in: map[*block]bool{}, num: map[*block]int{}, low: map[*block]int{}}
	for _, b := range blocks {
		r.in[b] = true
	}
	slices.SortFunc(blocks, func(a, b *block) int { return o.position[b] - o.position[a] })
	if r.in[entry] {
		blocks = append([]*block{entry}, blocks...)
	}
	for _, b := range blocks {
		if r.num[b] == 0 {
			r.connect(b)
		}
	}
	for i := len(r.parts) - 1; i >= 0; i-- { // components come out with their successors first
		o.component(r.parts[i], entry)
	}
}

// connect is Tarjan's search for strongly connected components.
func (o *orderer) connect(b *block) {
	o.num[b] = len(o.num) + 1
	o.low[b] = o.num[b]
	at := len(o.stack)
	o.stack = append(o.stack, b)
	for _, s := range b.succs {
		switch {
		case !o.in[s]:
		case o.num[s] == 0:
			if o.connect(s); o.low[s] > 0 { // of the same component
				o.low[b] = min(o.low[b], o.low[s])
			}
		case o.low[s] > 0: // on the stack
			o.low[b] = min(o.low[b], o.num[s])
		}
	}
	if o.low[b] != o.num[b] {
		return
	}
	part := slices.Clone(o.stack[at:])
	o.stack = o.stack[:at]
	for _, x := range part {
		o.low[x] = -1
	}
	o.parts = append(o.parts, part)
}

// component puts one component into the order; its header is the first block that is reached from outside.
func (o *orderer) component(part []*block, entry *block) {
	if len(part) == 1 && !slices.Contains(part[0].succs, part[0]) {
		o.order = append(o.order, part[0])
		return
	}
	inside := map[*block]bool{}
	for _, b := range part {
		inside[b] = true
	}
	slices.SortFunc(part, func(a, b *block) int { return o.position[a] - o.position[b] })
	header := part[0]
	reached := map[*block]bool{entry: true}
	for b := range o.position {
		if !inside[b] {
			for _, s := range b.succs {
				reached[s] = true
			}
		}
	}
	for _, b := range part {
		if reached[b] {
			header = b
			break
		}
	}
	start, loop := len(o.order), len(o.loops)
	o.loops = append(o.loops, [2]int{})
	o.order = append(o.order, header)
	rest := slices.DeleteFunc(part, func(b *block) bool { return b == header })
	if len(rest) > 0 {
		o.region(rest, nil)
	}
	o.loops[loop] = [2]int{start, len(o.order)}
}
