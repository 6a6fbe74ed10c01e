package device

import (
	"cmp"
	"fmt"
	"slices"

	"simtgdb/simt"
	"simtgdb/simt/check"
)

// Where heaps lie in the devices' address spaces and in the clients': where
// neither Linux nor sanitizers put anything, and so that neither half of an
// address is zero. A process that has several devices, one for each library, has their heaps one behind the
// other.
const (
	heapBase = 0x2000_1000_0000
	heapSize = 1 << 40
	maxHeaps = 8
	// guard is how far allocations are apart.
	guard = 64 << 10
)

// MemorySize is how many bytes of memory a device has.
const MemorySize = 16 << 30

// A heap is the memory that the device shares with its client. An address that
// was freed is not given out again before all others have been, so that who
// still uses it is noticed.
type heap struct {
	base   uint64
	shared *shared
	blocks []*block // by address
	next   uint64   // where to look for room, from base on
	used   uint64   // bytes of all blocks
}

// A block is an allocation.
type block struct {
	base, size uint64 // size in whole pages
	region     *simt.Region
	asked      uint64 // bytes of the region
	told       bool   // that a kernel has left the region

	// written is what has been written of it; nil if all counts as written.
	written *check.Written

	number   int // among the allocations
	launches int // before it was made
	by       asker
	own      bool // a library has it for itself
	alone    bool // the program cannot write to it, and what its library writes is told: see touched
	wrote    bool // what else than launches has written to it since the past has looked
}

func (b *block) end() uint64 { return b.base + b.size }

// newHeap makes a heap, the one with a number among those of its process.
func newHeap(number uint64) (*heap, error) {
	if number >= maxHeaps {
		return nil, refuse(Invalid, "heap %d of a process, which may have %d", number, maxHeaps)
	}
	s, err := newShared("simtgdb device", heapSize)
	if err != nil {
		return nil, err
	}
	base := heapBase + number*heapSize
	return &heap{base: base, shared: s, next: base}, nil
}

// pages is a size in whole pages, at least one.
func pages(size uint64) uint64 { return (max(size, 1) + pageSize - 1) &^ (pageSize - 1) }

// alloc finds room for size bytes at a multiple of align, a power of two.
func (h *heap) alloc(size, align uint64) (*block, error) {
	if size > MemorySize || pages(size) > MemorySize-h.used {
		return nil, refuse(NoMemory, "%d bytes of device memory: %d of %d are free", size, MemorySize-h.used,
			uint64(MemorySize))
	}
	size = pages(size)
	b, err := h.place(size, align)
	if err == nil {
		h.used += size
	}
	return b, err
}

// place finds room for addresses of whole pages, which take no memory yet.
func (h *heap) place(size, align uint64) (*block, error) {
	if align&(align-1) != 0 || align > 1<<30 {
		return nil, refuse(Invalid, "an alignment of %d", align)
	}
	align = max(align, pageSize)
	for _, from := range []uint64{h.next, h.base} {
		if b := h.fit(from, size, align); b != nil {
			h.next = b.end() + guard
			return b, nil
		}
	}
	return nil, refuse(NoMemory, "no %d bytes of device memory are free in one piece", size)
}

func compareBase(b *block, at uint64) int { return cmp.Compare(b.base, at) }

// fit makes a block in the first gap at or after an address.
func (h *heap) fit(from, size, align uint64) *block {
	i, _ := slices.BinarySearchFunc(h.blocks, from, compareBase)
	if i > 0 {
		from = max(from, h.blocks[i-1].end()+guard)
	}
	for {
		from = (from + align - 1) &^ (align - 1)
		limit := h.base + heapSize
		if i < len(h.blocks) {
			limit = h.blocks[i].base
		}
		if from+size+guard <= limit {
			b := &block{base: from, size: size}
			h.blocks = slices.Insert(h.blocks, i, b)
			return b
		}
		if i == len(h.blocks) {
			return nil
		}
		from = h.blocks[i].end() + guard
		i++
	}
}

// find is the block that an address lies in, or nil.
func (h *heap) find(addr uint64) *block {
	i, ok := slices.BinarySearchFunc(h.blocks, addr, compareBase)
	if !ok {
		i--
	}
	if i < 0 || addr >= h.blocks[i].end() {
		return nil
	}
	return h.blocks[i]
}

// free gives a block's memory back.
func (h *heap) free(b *block) {
	h.remove(b)
	h.used -= b.size
}

// remove gives back the addresses of a block that has memory no more, or none yet.
func (h *heap) remove(b *block) {
	if i, ok := slices.BinarySearchFunc(h.blocks, b.base, compareBase); ok {
		h.blocks = slices.Delete(h.blocks, i, i+1)
	}
	h.shared.forget(int64(b.base-h.base), int64(b.size))
}

// data is the memory of the first size bytes of a block.
func (h *heap) data(b *block, size uint64) []byte { return h.at(b.base, size) }

// granule is what devices allocate memory in multiples of: kernels that read, by a whole vector, past the end
// of what was asked for, and do not leave the granule, have always worked.
const granule = 256

// granules is the memory of the first size bytes of a block, with room for the rest of the last granule.
func (h *heap) granules(b *block, size uint64) []byte {
	return h.at(b.base, (size+granule-1)&^(granule-1))[:size]
}

// at is the memory of some addresses.
func (h *heap) at(addr, size uint64) []byte {
	at := addr - h.base
	return h.shared.data[at : at+size : at+size]
}

// contains reports whether some addresses are the heap's.
func (h *heap) contains(addr, size uint64) bool {
	return addr < h.base+heapSize && addr+size > h.base
}

// A deviceRange names what is at an address, for a message.
func deviceRange(addr, size uint64) string { return fmt.Sprintf("[%#x, %#x)", addr, addr+size) }
