package simt

// Blocks is what a core keeps of decoded code: blocks by where they are, and of those the ones that were
// looked for last by their addresses alone.
type Blocks[At comparable, Block any] struct {
	Recent [256]*Block // by bits of the address: a block may be of another place
	all    map[At]*Block
	ones   map[At]*Block // of one instruction that was stepped, where there is no whole block
	kept   int           // instructions
}

// MaxBlock bounds how many instructions are decoded at once.
const MaxBlock = 128

// Find is the block that is kept of a place, or nil.
func (b *Blocks[At, Block]) Find(at At) *Block { return b.all[at] }

// Kept is how many instructions are kept: a core that finds too many has to Forget before it adds a block.
func (b *Blocks[At, Block]) Kept() int { return b.kept }

// Add keeps a block of so many instructions.
func (b *Blocks[At, Block]) Add(at At, block *Block, insts int) {
	if b.all == nil {
		b.all = map[At]*Block{}
	}
	b.all[at] = block
	b.kept += max(insts, 1)
}

// One is what is kept of the one instruction at a place, or nil.
func (b *Blocks[At, Block]) One(at At) *Block { return b.ones[at] }

// AddOne keeps a block of one instruction, for who steps it alone.
func (b *Blocks[At, Block]) AddOne(at At, block *Block) {
	if b.ones == nil {
		b.ones = map[At]*Block{}
	}
	b.ones[at] = block
	b.kept++
}

// All calls a function for each block that is whole.
func (b *Blocks[At, Block]) All(yield func(*Block) bool) {
	for _, block := range b.all {
		if !yield(block) {
			return
		}
	}
}

// Forget throws all blocks away.
func (b *Blocks[At, Block]) Forget() {
	clear(b.all)
	clear(b.ones)
	clear(b.Recent[:])
	b.kept = 0
}
