// Package shadow keeps what an observer knows of memory: a cell for each word or byte of it, in pages that
// exist where something is known and that snapshots share until they change. It does not know what a cell
// holds. A [Memory] is made by [New].
package shadow

import (
	"iter"
	"maps"
	"slices"
	"unsafe"
)

const pageCells = 1024

// A Memory is the cells of a memory, by number. All are zero values at first.
type Memory[T any] struct {
	copied func(*T)
	all    map[uint64]*page[T]
	// The page that was used last.
	number uint64
	last   *page[T]
	// A page of zero values to be used again, or nil.
	spare *page[T]
}

// A page is copied before it changes if it may belong to a snapshot: if its generation is an earlier one.
type page[T any] struct {
	generation uint64
	keepers    int // snapshots that keep it, of those that say so
	weight     int // bytes, if any does
	cells      [pageCells]T
}

// New makes a memory. What a cell refers to and changes in place is copied by copied, which is called for
// each cell of a page that was copied; nil if there is nothing of that kind.
func New[T any](copied func(*T)) *Memory[T] {
	return &Memory[T]{copied: copied}
}

// Get is a cell's value.
func (m *Memory[T]) Get(i uint64) T {
	if n := i / pageCells; m.last == nil || m.number != n {
		pg := m.all[n]
		if pg == nil {
			var zero T
			return zero
		}
		m.number, m.last = n, pg
	}
	return m.last.cells[i%pageCells]
}

// At is a cell, to be changed. Whoever makes a snapshot uses a higher generation from then on.
func (m *Memory[T]) At(i, generation uint64) *T {
	if n := i / pageCells; m.last == nil || m.number != n || m.last.generation != generation {
		m.find(n, generation)
	}
	return &m.last.cells[i%pageCells]
}

// Row is some cells one behind the other, to be changed: n, or fewer if there are no more in their page.
func (m *Memory[T]) Row(i uint64, n int, generation uint64) []T {
	m.At(i, generation)
	at := int(i % pageCells)
	return m.last.cells[at:min(at+n, pageCells)]
}

// Look is some cells one behind the other of one page, to be looked at; nil if all are zero values.
func (m *Memory[T]) Look(i uint64, n int) []T {
	if pg := i / pageCells; m.last == nil || m.number != pg {
		found := m.all[pg]
		if found == nil {
			return nil
		}
		m.number, m.last = pg, found
	}
	at := int(i % pageCells)
	return m.last.cells[at : at+n]
}

func (m *Memory[T]) find(n, generation uint64) {
	pg := m.all[n]
	switch {
	case pg == nil:
		if pg = m.spare; pg == nil {
			pg = new(page[T])
		}
		m.spare, pg.generation = nil, generation
		m.put(n, pg)
	case pg.generation != generation:
		copied := *pg
		copied.generation, copied.keepers = generation, 0
		if m.copied != nil {
			for i := range copied.cells {
				m.copied(&copied.cells[i])
			}
		}
		pg = &copied
		m.put(n, pg)
	}
	m.number, m.last = n, pg
}

// put makes a page one of the memory's, of which most have none.
func (m *Memory[T]) put(n uint64, pg *page[T]) {
	if m.all == nil {
		m.all = map[uint64]*page[T]{}
	}
	m.all[n] = pg
}

// Snapshot is a memory with the same cells. It may be made of a nil one.
func (m *Memory[T]) Snapshot() *Memory[T] {
	if m == nil {
		return nil
	}
	return &Memory[T]{copied: m.copied, all: maps.Clone(m.all)}
}

// Copy is a memory with the same cells, which nobody is to change, and how many bytes of memory it takes: the
// copy shares the pages that are the same in one made before, which may be nil.
func Copy[T comparable](m, before *Memory[T]) (same *Memory[T], bytes int) {
	same = &Memory[T]{copied: m.copied}
	for n, pg := range m.all {
		var was *page[T]
		if before != nil {
			was = before.all[n]
		}
		if was == nil || was.cells != pg.cells {
			was = &page[T]{cells: pg.cells}
			bytes += int(unsafe.Sizeof(*was))
		}
		same.put(n, was)
	}
	return same, bytes
}

// Clear makes all cells zero values, of which the first cells may be others. It keeps a page that belongs to
// no snapshot for what is to come.
func (m *Memory[T]) Clear(cells int, generation uint64) {
	for n, pg := range m.all {
		if pg.generation == generation && m.spare == nil {
			clear(pg.cells[:max(0, min(cells-int(n)*pageCells, pageCells))])
			pg.keepers, pg.weight = 0, 0
			m.spare = pg
		}
	}
	clear(m.all)
	m.last = nil
}

// Empty reports whether nothing is known of the memory.
func (m *Memory[T]) Empty() bool { return len(m.all) == 0 }

// Bytes is how many bytes the pages take.
func (m *Memory[T]) Bytes() int {
	if m == nil {
		return 0
	}
	return len(m.all) * int(unsafe.Sizeof(page[T]{}))
}

// Keep says that a snapshot is kept. It returns how many bytes are kept now that no other one keeps, of which
// weigh gives what a cell takes besides itself; it may be nil.
func (m *Memory[T]) Keep(weigh func(*T) int) (bytes int) {
	if m == nil {
		return 0
	}
	for _, pg := range m.all {
		if pg.keepers++; pg.keepers > 1 {
			continue
		}
		pg.weight = int(unsafe.Sizeof(*pg))
		if weigh != nil {
			for i := range pg.cells {
				pg.weight += weigh(&pg.cells[i])
			}
		}
		bytes += pg.weight
	}
	return bytes
}

// Release undoes Keep. It returns how many bytes no snapshot keeps any more.
func (m *Memory[T]) Release() (bytes int) {
	if m == nil {
		return 0
	}
	for _, pg := range m.all {
		if pg.keepers--; pg.keepers == 0 {
			bytes += pg.weight
		}
	}
	return bytes
}

// All are the cells of the pages that exist, in order.
func (m *Memory[T]) All() iter.Seq2[uint64, T] {
	return func(yield func(uint64, T) bool) {
		for _, n := range slices.Sorted(maps.Keys(m.all)) {
			for i, v := range m.all[n].cells {
				if !yield(n*pageCells+uint64(i), v) {
					return
				}
			}
		}
	}
}
