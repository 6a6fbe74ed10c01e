package stub

import (
	"sync"

	"simtgdb/simt"
	"simtgdb/stub/source"
)

// places says where lanes stand. Compilers for machines whose lanes share a program
// counter put the glue of branches and loops, which switches lanes on and off, into the
// rows of whatever statement is near: a lane stands at, and steps to, the statements
// that it executes, wherever the glue is that its wave goes through.
type places struct {
	source  *source.Map
	machine *simt.Machine

	mu    *sync.RWMutex   // of known: waves may run on several processors
	known map[uint64]row  // by address
	glue  map[uint64]bool // by address
}

// A row is what a line table says of an instruction: a number for its line, 0 for the
// compiler's own, and whether a statement begins there.
type row struct {
	statement uint64
	begins    bool
}

// noTable is the statement of code without a line table.
const noTable = 1 << 63

// statement is what simt.Machine.Statement wants.
func (p *places) statement(pc uint64) (uint64, bool) {
	p.mu.RLock()
	r, ok := p.known[pc]
	p.mu.RUnlock()
	if ok {
		return r.statement, r.begins
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	r.statement = noTable
	if s, ok := p.source.StatementAt(pc); ok {
		r = row{begins: s.Begins}
		if s.Line != 0 {
			r.statement = uint64(s.File)<<32 | uint64(s.Line)
		}
	}
	p.known[pc] = r
	return r.statement, r.begins
}

// maxTail bounds how far isGlue looks.
const maxTail = 1 << 10

// isGlue reports whether a wave goes through the instruction at pc only to decide which
// of its lanes execute others: it is of no statement, or from it to the end of its
// statement there is nothing else. A place where a statement begins is none.
func (p *places) isGlue(pc uint64) bool {
	if g, ok := p.glue[pc]; ok {
		return g
	}
	n, begins := p.statement(pc)
	g := n != noTable && !begins && (n == 0 || p.isTail(pc, n))
	if p.glue == nil {
		p.glue = map[uint64]bool{}
	}
	p.glue[pc] = g
	return g
}

// isTail reports whether there is only glue from pc to the end of its statement, n.
func (p *places) isTail(pc, n uint64) bool {
	for range maxTail {
		in, err := p.machine.InstAt(pc)
		switch {
		case err != nil || !in.Glue:
			return false
		case in.Flow == simt.FlowJump:
			return true
		}
		pc += uint64(in.Size)
		if next, _ := p.statement(pc); next != n {
			return true
		}
	}
	return false
}
