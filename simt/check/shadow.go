package check

import "simtgdb/simt/shadow"

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
	wordSize = 4
	// maxReaders is how many unordered readers of a word are remembered beyond the first.
	maxReaders = 3
)

// pages are the cells of a memory, by word.
type pages = shadow.Memory[cell]

func newPages() *pages {
	return shadow.New(func(c *cell) { c.more = c.more.clone() })
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

// defined are the bytes of a memory that have been written: four bits for each word.
type defined = shadow.Memory[uint8]

func newDefined() *defined { return shadow.New[uint8](nil) }
