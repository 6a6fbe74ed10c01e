package gcn

import (
	"slices"

	"simtgdb/simt"
)

// What is known of a region that has all the code of a kernel: see bulk.go.

// closed reports whether what executes from the region's blocks on is all its own code, up to the wave's end,
// and how many instructions that are at most: 0 if there is a loop.
func (t *translator) closed() (closed bool, longest uint64) {
	for _, b := range t.blocks {
		if slices.Contains(b.left, true) {
			return false, 0
		}
		for _, at := range b.leadsTo() {
			if t.byPlace[at] == nil {
				return false, 0
			}
		}
		if last := b.last(); last.leads() || last.waits() {
			return false, 0
		}
	}
	state, most := map[*regionBlock]uint8{}, map[*regionBlock]uint64{}
	const entered, left = 1, 2
	looped := false
	var visit func(b *regionBlock)
	visit = func(b *regionBlock) {
		state[b] = entered
		for _, at := range b.leadsTo() {
			next := t.byPlace[at]
			if state[next] == 0 {
				visit(next)
			}
			looped = looped || state[next] == entered
			most[b] = max(most[b], most[next])
		}
		most[b] += uint64(b.count)
		state[b] = left
	}
	for _, b := range t.blocks {
		if state[b] == 0 {
			visit(b)
		}
		longest = max(longest, most[b])
	}
	if looped {
		longest = 0
	}
	return true, longest
}

// last is the last instruction of the block that the region has.
func (b *regionBlock) last() *Inst { return &b.insts[b.count-1] }

// leadsTo is where the block may go on.
func (b *regionBlock) leadsTo() []codeAt {
	last := b.last()
	switch {
	case last.Op.flow == simt.FlowJump:
		return []codeAt{last.leadsTo()}
	case last.Op.flow == simt.FlowBranch:
		return []codeAt{last.leadsTo(), last.behind()}
	case last.finishes():
		return nil
	}
	return []codeAt{last.behind()}
}

// written are the vector registers that the region may write.
func (t *translator) written() map[uint16]bool {
	all := map[uint16]bool{}
	for _, b := range t.blocks {
		for i := range b.insts[:b.count] {
			b.insts[i].eachWritten(func(reg uint16) { all[reg] = true })
		}
	}
	return all
}
