package ptx

import "simtgdb/simt"

// blocks finds where statements of a function begin that something jumps to or that follow a jump, and
// for each statement the last of its block.
func (a *ISA) blocks(fn *function) {
	code := a.code[fn.start:fn.end]
	for i := range code {
		in := &code[i]
		for _, t := range in.targets {
			if t >= fn.start && t < fn.end {
				a.code[t].leader = true
			}
		}
		if in.ends && i+1 < len(code) {
			code[i+1].leader = true
		}
	}
	last := int32(len(code)) - 1
	for i := last; i >= 0; i-- {
		if int(i)+1 == len(code) || code[i+1].leader || code[i].ends {
			last = i
		}
		code[i].last = fn.start + last
	}
}

// never is the statement at which lanes do not come together again.
const never = -1

// joins finds for every branch of a function the statement where its lanes come together: the first of
// the block that is the branch's immediate post-dominator, unless they end there. The algorithm is that of
// Cooper, Harvey and Kennedy ("A Simple, Fast Dominance Algorithm") on the graph turned round, with a made-up
// block that all ends of the function lead to.
func (a *ISA) joins(fn *function) {
	g := a.graph(fn)
	n := len(g.first)
	exit := int32(n)
	order, number := g.postorder()
	dom := make([]int32, n+1)
	for i := range dom {
		dom[i] = never
	}
	dom[exit] = exit
	for changed := true; changed; {
		changed = false
		for i := len(order) - 1; i >= 0; i-- {
			b := order[i]
			if b == exit {
				continue
			}
			best := int32(never)
			for _, s := range g.next[b] {
				switch {
				case dom[s] == never:
				case best == never:
					best = s
				default:
					best = meet(dom, number, best, s)
				}
			}
			if best != never && dom[b] != best {
				dom[b], changed = best, true
			}
		}
	}
	for b := range n {
		in := &a.code[a.code[g.first[b]].last]
		in.join = never
		if d := dom[b]; d != never && d != exit && !a.code[g.first[d]].isEnd() {
			in.join = g.first[d]
		}
	}
}

// isEnd reports whether a statement does nothing but end lanes. They need not come together for that: who has
// nothing left to execute does not wait for others.
func (in *inst) isEnd() bool { return in.flow == simt.FlowEnd && in.guard < 0 }

// meet is the nearest block that post-dominates two.
func meet(dom, number []int32, x, y int32) int32 {
	for x != y {
		for number[x] < number[y] {
			x = dom[x]
		}
		for number[y] < number[x] {
			y = dom[y]
		}
	}
	return x
}

// A graph has the blocks of a function by number: their first statements, and the blocks that follow;
// the number after the last stands for the end of the function.
type graph struct {
	first []int32
	next  [][]int32
}

func (a *ISA) graph(fn *function) *graph {
	g := &graph{}
	number := map[int32]int32{}
	for at := fn.start; at < fn.end; at = a.code[at].last + 1 {
		number[at] = int32(len(g.first))
		g.first = append(g.first, at)
	}
	exit := int32(len(g.first))
	for _, at := range g.first {
		in := &a.code[a.code[at].last]
		var next []int32
		for _, t := range in.targets {
			if b, ok := number[t]; ok {
				next = append(next, b)
			}
		}
		if after := a.code[at].last + 1; !in.leaves || in.guard >= 0 {
			if b, ok := number[after]; ok {
				next = append(next, b)
			} else {
				next = append(next, exit)
			}
		}
		if in.toExit || len(next) == 0 {
			next = append(next, exit)
		}
		g.next = append(g.next, next)
	}
	return g
}

// postorder walks the graph turned round from its end: the order of blocks in which each comes after
// those that it is reached by, and each block's place in it.
func (g *graph) postorder() (order, number []int32) {
	n := len(g.first)
	before := make([][]int32, n+1)
	for b, next := range g.next {
		for _, s := range next {
			before[s] = append(before[s], int32(b))
		}
	}
	number = make([]int32, n+1)
	seen := make([]bool, n+1)
	type visit struct {
		b int32
		i int
	}
	stack := []visit{{b: int32(n)}}
	seen[n] = true
	for len(stack) > 0 {
		v := &stack[len(stack)-1]
		if v.i == len(before[v.b]) {
			number[v.b] = int32(len(order))
			order = append(order, v.b)
			stack = stack[:len(stack)-1]
			continue
		}
		b := before[v.b][v.i]
		v.i++
		if !seen[b] {
			seen[b] = true
			stack = append(stack, visit{b: b})
		}
	}
	return order, number
}
