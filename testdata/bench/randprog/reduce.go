package randprog

// Reduce leaves out of a program what it can while the program still shows its fault, as fails says. The
// order of trials is fixed: the same answers give the same program.
func Reduce(p *Program, fails func(*Program) bool) {
	for smaller := true; smaller; {
		smaller = false
		for _, pass := range []func(*node, func() bool) bool{shorten, unwrap, simplify} {
			nodes := []*node{}
			p.root.walk(func(n *node) bool { nodes = append(nodes, n); return true })
			for _, n := range nodes {
				if pass(n, func() bool { return fails(p) }) {
					smaller = true
				}
			}
		}
	}
}

// try makes a change to a node, and takes it back if the fault is gone.
func (n *node) try(change node, fails func() bool) bool {
	old := *n
	*n = change
	if fails() {
		return true
	}
	*n = old
	return false
}

// shorten leaves members of a list out, many at a time at first.
func shorten(n *node, fails func() bool) (done bool) {
	if n.sort != list {
		return false
	}
	for size := len(n.kids); size > 0; size /= 2 {
		for at := len(n.kids) - size; at >= 0; at -= size {
			rest := append(append([]*node{}, n.kids[:at]...), n.kids[at+size:]...)
			if n.try(*listOf(rest...), fails) {
				done = true
				at = min(at, len(n.kids))
			}
		}
	}
	return done
}

// unwrap puts the statements of a loop or a branch in its place.
func unwrap(n *node, fails func() bool) bool {
	if n.sort != other {
		return false
	}
	for _, k := range n.kids {
		if k.sort == list && n.try(*k, fails) {
			return true
		}
	}
	return false
}

// simplify puts a plain expression in the place of one, or one that is within it.
func simplify(n *node, fails func() bool) bool {
	simple, ok := plain[n.sort]
	if !ok || len(n.kids) == 0 { // a name or a number is as good
		return false
	}
	if n.try(*n.sort.make(simple), fails) {
		return true
	}
	var within []*node
	for _, k := range n.kids {
		k.walk(func(m *node) bool {
			if m.sort == n.sort {
				within = append(within, m)
			}
			return true
		})
	}
	for i := len(within) - 1; i >= 0; i-- {
		if n.try(*within[i], fails) {
			return true
		}
	}
	return false
}
