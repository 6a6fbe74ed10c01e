package check

import (
	"unsafe"

	"simtgdb/simt/shadow"
)

// An epoch is a stretch of a wave's time between two of its releases, in which the same lanes execute.
// There are many, so that it is small.
type epoch struct {
	wave, group int32
	clock       uint32 // 0 where it is in order with all; see taken
	at          uint32 // of one that is taken, the clock that it had; of one foreseen, the time's number
	side        uint32 // the time of the wave's sides
	serial      uint32 // another for each, but for heardBit
	lanes       uint64 // that execute
	had         *had   // nil where nobody asks for it: see begin
}

// had is what a wave had released before an epoch: to the device, and to its workgroup.
type had struct{ wide, near passed }

// before is what the wave had released before it wrote in an epoch what may be atomic.
func (e *epoch) before() had {
	if e.had == nil {
		return had{}
	}
	return *e.had
}

// A tag says where an access was made: a site's index and a lane.
type tag uint32

const (
	wordSize = 4
	laneBits = 6
	// maxReaders is how many unordered readers of a word are remembered beyond the first.
	maxReaders = 3
)

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

// A unit is what is known of some words of memory in a row: one cell for all of them while lanes in a
// row access them, whose tags are then those of the first word; or a cell for each.
type unit struct {
	cell
	words *[unitWords]cell
}

const (
	unitWords = 16
	unitSize  = unitWords * wordSize
)

// split gives each word of a unit a cell of its own.
func (u *unit) split(m *memory) *[unitWords]cell {
	if u.words != nil {
		return u.words
	}
	var w [unitWords]cell
	if u.write != nil || u.read != nil || u.more != nil {
		for i := range w {
			w[i] = u.moved(i)
		}
	}
	u.words, u.cell = &w, cell{}
	m.split += int(unsafe.Sizeof(w))
	return &w
}

// moved is what is known of a word of a unit.
func (c *cell) moved(word int) cell {
	by := tag(word)
	moved := *c
	moved.writeTag, moved.readTag = c.writeTag+by, c.readTag+by
	if c.more != nil {
		moved.more = &more{}
		for _, r := range c.more.readers {
			moved.more.readers = append(moved.more.readers, reader{r.at, r.tag + by})
		}
	}
	return moved
}

// split gives each byte of a word a cell of its own.
func (c *cell) split(m *memory) *[wordSize]cell {
	if c.more != nil && c.more.bytes != nil {
		return c.more.bytes
	}
	var b [wordSize]cell
	for i := range b {
		b[i] = *c
	}
	c.more = &more{bytes: &b}
	c.write, c.read = nil, nil
	m.split += int(unsafe.Sizeof(b))
	return &b
}

// copied gives a unit that was copied what it changes in place.
func (u *unit) copied() {
	if u.words == nil {
		return
	}
	w := *u.words
	for i := range w {
		w[i].more = w[i].more.clone()
	}
	u.words = &w
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

// A memory is what is known of the accesses to a memory.
type memory struct {
	*shadow.Memory[unit]
	split int // bytes of what was split
}

func newMemory() *memory { return &memory{shadow.New((*unit).copied), 0} }

func (m *memory) snapshot() *memory { return &memory{m.Snapshot(), m.split} }

// defined are the bytes of a memory that have been written: four bits for each word, see allWritten.
type defined = shadow.Memory[uint8]

func newDefined() *defined { return shadow.New[uint8](nil) }
