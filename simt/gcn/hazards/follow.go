package hazards

import "simtgdb/simt/gcn/processor"

// What lies between two instructions of a block is known when it is decoded; only what the blocks before have
// left behind is not, and it is one of few: what the last instructions of the paths to the block are. So a
// block keeps, for each that it has been entered with, which of its instructions come too early then, and
// what it leaves behind in its turn: an automaton that is made as it is needed. A wave looks at it when it
// enters a block.

// A Tail is what the last instructions that a wave has executed have left behind, the latest last. It does
// not change; nil is nothing.
type Tail struct {
	last []leftBehind // on gfx9

	// On gfx10 and later.
	pending []pending
	read    uint64 // pairs of scalar registers that vector instructions have read (gfx12): a bit for each
}

// An Early is an instruction of a block that comes too early.
type Early struct {
	Index int
	Text  string
	From  uint64 // the instruction that it follows
}

// An edge is a block entered with a tail.
type edge struct {
	from, to *Tail
	early    []Early // by index
}

// A Block is instructions that follow each other, of which only the last one can lead elsewhere.
type Block struct {
	Insts []Inst
	edges []*edge
}

// Bounds of what is kept: of a block's edges, and of a follower's tails.
const (
	mostEdges = 16
	mostTails = 1 << 14
)

// A State is where a wave is.
type State struct {
	tail  *Tail  // when it entered the block
	block *Block // nil before the first
	edge  *edge
	begun uint64 // how many instructions the wave had executed
}

// Early are the instructions of the wave's block that come too early, by index.
func (s *State) Early() []Early {
	if s.edge == nil {
		return nil
	}
	return s.edge.early
}

// A Follower finds what comes too early in the blocks of a processor.
type Follower struct {
	names Names
	rows  *rows      // of gfx9
	later *laterRows // of gfx10 and later
	tails map[string]*Tail

	// Met, if not nil, is called for each row of the table, as text, that is found to hold between two
	// instructions.
	Met func(row string)
}

// New makes a follower for a processor and a size of waves.
func New(on processor.Set, lanes int, names Names) *Follower {
	if on.IsLater() {
		return &Follower{names: names, later: laterRowsOf(on, lanes)}
	}
	return &Follower{names: names, rows: rowsOf(on)}
}

// Rows are all rows of the tables, as Follower.Met is told of them.
func Rows() (all []string) {
	for i := range hazards {
		all = append(all, hazards[i].String())
	}
	for i := range laterHazards {
		all = append(all, laterHazards[i].String())
	}
	return all
}

// Enter notes that a wave begins a block, after it has executed so many instructions.
func (f *Follower) Enter(s *State, b *Block, executed uint64) {
	t := s.tail
	if s.block != nil {
		switch n := executed - s.begun; {
		case n == uint64(len(s.block.Insts)):
			t = s.edge.to
		case n > uint64(len(s.block.Insts)): // nobody has looked on meanwhile
			t = nil
		default:
			t, _ = f.Walk(t, s.block.Insts[:n])
		}
	}
	s.tail, s.block, s.edge, s.begun = t, b, f.edge(t, b), executed
}

// edge is a block entered with a tail.
func (f *Follower) edge(from *Tail, b *Block) *edge {
	for _, e := range b.edges {
		if e.from == from {
			return e
		}
	}
	if len(b.edges) == mostEdges {
		b.edges = nil
	}
	e := &edge{from: from}
	e.to, e.early = f.Walk(from, b.Insts)
	b.edges = append(b.edges, e)
	return e
}

// Walk goes through instructions with what was left behind before. It returns what is left behind then, and
// what comes too early on the way.
func (f *Follower) Walk(from *Tail, insts []Inst) (to *Tail, all []Early) {
	if f.later != nil {
		return f.walkLater(from, insts)
	}
	return f.walkGFX9(from, insts)
}

// oneTail is the tail that is kept for a key.
func (f *Follower) oneTail(key []byte, made Tail) *Tail {
	t := f.tails[string(key)]
	if t == nil {
		if f.tails == nil || len(f.tails) >= mostTails {
			f.tails = map[string]*Tail{}
		}
		t = &made
		f.tails[string(key)] = t
	}
	return t
}
