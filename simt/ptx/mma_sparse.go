package ptx

import (
	"fmt"
	"slices"

	"simtgdb/simt/vec"
)

// mma.sp multiplies by a matrix half of whose elements are zeros: lanes hold the others, and metadata say
// where they are (PTX ISA, "Matrix multiply-accumulate operation using mma.sp instruction with sparse matrix
// A").

// A sparsity says how the rows of a sparse factor are stored: divided into chunks, each with a field of four
// bits that has the places of what is stored of it.
type sparsity struct {
	chunk    int  // elements, of which half are stored
	piece    int  // how many beside each other have one place; 0 for one whose two halves have places
	rowPairs bool // a word of metadata has 16 bits each of two rows eight apart; otherwise it is of one row
	shapes   []string
}

var (
	ofHalves = sparsity{chunk: 4, piece: 1, rowPairs: true, shapes: []string{"m16n8k16", "m16n8k32"}}
	ofBytes  = sparsity{chunk: 4, piece: 1, shapes: []string{"m16n8k32", "m16n8k64"}}
	ofFP8    = sparsity{chunk: 4, piece: 1, shapes: []string{"m16n8k64"}}
	ofWords  = sparsity{chunk: 2, rowPairs: true, shapes: []string{"m16n8k8", "m16n8k16"}}
	ofFours  = sparsity{chunk: 8, piece: 2, shapes: []string{"m16n8k64", "m16n8k128"}}
)

var sparsities = map[string]*sparsity{"f16": &ofHalves, "bf16": &ofHalves, "tf32": &ofWords, "s8": &ofBytes,
	"u8": &ofBytes, "e4m3": &ofFP8, "e5m2": &ofFP8, "s4": &ofFours, "u4": &ofFours}

// A sparse is the metadata of a product's first factor.
type sparse struct {
	*sparsity
	selector int // of the lanes that have the words, among those that have the row
	words    source
}

const (
	metadataBits = 4  // of a chunk
	wordBits     = 32 // of metadata of a lane
)

// sparseProduct is mma.sp.
func (b *builder) sparseProduct(p *product, m, n, k int) error {
	s := sparsities[p.types[1]]
	if s == nil || !slices.Contains(s.shapes, fmt.Sprintf("m%dn%dk%d", m, n, k)) ||
		!slices.Contains(mmaForms[p.types[1]].sums, p.types[0]) || !b.has("row") || !b.has("col") {
		return refuse("is not simulated for its shape and types")
	}
	if err := b.operands(6); err != nil {
		return err
	}
	var err error
	if p.sparse, err = b.metadata(s, k, &b.args[4], &b.args[5]); err != nil {
		return err
	}
	b.args = b.args[:4]
	return b.multiply(p, m, n, k)
}

// metadata are those of a factor with k columns: words of all lanes of a row, of a half or of a
// fourth, which the selector says.
func (b *builder) metadata(s *sparsity, k int, words, selector *Operand) (*sparse, error) {
	from, err := b.source(words, "b32")
	if err != nil {
		return nil, err
	}
	lanesOfRow := k / s.chunk * metadataBits / 16
	if selector.Kind != Int || selector.Value >= uint64(4/lanesOfRow) || from.kind == fromPred {
		return nil, refuse("has no selector of lanes from 0 to %d", 4/lanesOfRow-1)
	}
	return &sparse{sparsity: s, selector: int(selector.Value) * lanesOfRow, words: from}, nil
}

// expand makes the first factor of what is stored of it a whole one.
func (p *product) expand(c *Core, t *terms) {
	if p.sparse == nil {
		return
	}
	var words [1]*vec.Wide
	c.read(words[:], []source{p.sparse.words}, grow(&t.room, 1))
	whole := grow(&t.whole, 2*len(t.a))
	p.sparse.spread(whole, t.a, words[0], p.a.rows, 2*p.a.cols)
	t.a, t.whole = t.whole, t.a
}

// fieldAt is the lane and the bit at which the metadata of a chunk of a row are.
func (s *sparse) fieldAt(row, chunk int) (lane, bit int) {
	lane, below := row%8*4+s.selector, row/8
	if s.rowPairs {
		const each = 16 / metadataBits
		return lane + chunk/each, 16*below + chunk%each*metadataBits
	}
	const each = wordBits / metadataBits
	return lane + below + chunk/each*2, chunk % each * metadataBits
}

// places are those in a chunk of what is stored of it.
func (s *sparse) places(field uint64, to []int) {
	if s.piece == 0 {
		to[0] = int(field >> 1 & 1)
		return
	}
	for i := range to {
		to[i] = int(field>>(2*(i/s.piece))&3)*s.piece + i%s.piece
	}
}

// spread gives a sparse factor's rows all of their elements.
func (s *sparse) spread(to, stored []uint64, words *vec.Wide, rows, columns int) {
	clear(to)
	half := s.chunk / 2
	var room [4]int
	for r := range rows {
		for c := range columns / s.chunk {
			lane, bit := s.fieldAt(r, c)
			at := room[:half]
			s.places(words[lane]>>bit&(1<<metadataBits-1), at)
			for i, place := range at {
				to[r*columns+c*s.chunk+place] = stored[r*columns/2+c*half+i]
			}
		}
	}
}
