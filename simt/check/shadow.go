package check

import "maps"

// An epoch is a stretch of a wave's time between two of its releases, and what it had released before.
type epoch struct {
	wave, group int32
	clock       uint32
	wide, near  released
}

// A tag says where an access was made: a site's index and a lane.
type tag uint32

const laneBits = 6

func (t tag) lane() int { return int(t & (1<<laneBits - 1)) }
func (t tag) site() int { return int(t >> laneBits) }

// A cell is what is known of the accesses to a word of memory, or to a byte of one that is accessed
// by bytes: the last write, and reads since then that are not ordered among each other.
type cell struct {
	write, read       *epoch
	writeTag, readTag tag
	more              *more
}

// more is what few cells have. It is replaced rather than changed.
type more struct {
	readers []reader        // and atomic writes that the last one is not ordered after
	bytes   *[wordSize]cell // of a word that is accessed by bytes
	sync    *syncState
}

type reader struct {
	at  *epoch
	tag tag
}

const (
	wordSize  = 4
	pageBytes = 4096
	pageCells = pageBytes / wordSize
	// maxReaders is how many unordered readers of a word are remembered beyond the first.
	maxReaders = 3
)

// A page is the cells of some memory. It is copied before it changes if a snapshot has it.
type page struct {
	generation uint64
	cells      [pageCells]cell
}

// pages are the cells of a memory.
type pages struct {
	all map[uint64]*page
	// The page that was used last.
	number uint64
	last   *page
}

func newPages() *pages { return &pages{all: map[uint64]*page{}} }

// at is the cell of a word, to be changed.
func (p *pages) at(addr, generation uint64) *cell {
	n := addr / pageBytes
	if p.last == nil || p.number != n || p.last.generation != generation {
		p.find(n, generation)
	}
	return &p.last.cells[addr/wordSize%pageCells]
}

func (p *pages) find(n, generation uint64) {
	pg := p.all[n]
	switch {
	case pg == nil:
		pg = &page{generation: generation}
		p.all[n] = pg
	case pg.generation != generation:
		copied := *pg
		copied.generation = generation
		for i := range copied.cells {
			copied.cells[i].more = copied.cells[i].more.clone()
		}
		pg = &copied
		p.all[n] = pg
	}
	p.number, p.last = n, pg
}

// clone copies what a cell changes in place.
func (m *more) clone() *more {
	if m == nil || m.bytes == nil {
		return m
	}
	copied, bytes := *m, *m.bytes
	for i := range bytes {
		bytes[i].more = bytes[i].more.clone()
	}
	copied.bytes = &bytes
	return &copied
}

func (p *pages) snapshot() *pages { return &pages{all: maps.Clone(p.all)} }

// defined are the bytes of a memory that have been written: four bits for each word.
type defined struct {
	all    map[uint64]*definedPage
	number uint64
	last   *definedPage
}

type definedPage struct {
	generation uint64
	words      [pageCells]uint8
}

func newDefined() *defined { return &defined{all: map[uint64]*definedPage{}} }

// get are the bits of a word.
func (d *defined) get(word uint64) uint8 {
	n := word / pageCells
	if d.last == nil || d.number != n {
		pg := d.all[n]
		if pg == nil {
			return 0
		}
		d.number, d.last = n, pg
	}
	return d.last.words[word%pageCells]
}

// set adds to the bits of a word.
func (d *defined) set(word uint64, bits uint8, generation uint64) {
	d.at(word, generation)[word%pageCells] |= bits
}

// clear takes bits of a word away.
func (d *defined) clear(word uint64, bits uint8, generation uint64) {
	d.at(word, generation)[word%pageCells] &^= bits
}

// at is the page of a word, to be changed.
func (d *defined) at(word, generation uint64) *[pageCells]uint8 {
	n := word / pageCells
	if d.last == nil || d.number != n || d.last.generation != generation {
		pg := d.all[n]
		switch {
		case pg == nil:
			pg = &definedPage{generation: generation}
			d.all[n] = pg
		case pg.generation != generation:
			copied := *pg
			copied.generation = generation
			pg = &copied
			d.all[n] = pg
		}
		d.number, d.last = n, pg
	}
	return &d.last.words
}

func (d *defined) snapshot() *defined {
	if d == nil {
		return nil
	}
	return &defined{all: maps.Clone(d.all)}
}
