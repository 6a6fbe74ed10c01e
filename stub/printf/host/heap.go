package host

import (
	"fmt"

	"simtgdb/simt"
)

// A Heap is the memory that device code asks the host for. ROCm's device
// libraries make slabs of 2 MiB of it, which must be aligned to their size. It may
// outlive a dispatch, and so may what the libraries keep of it.
type Heap struct {
	mem    *simt.Memory
	blocks map[uint64]*simt.Region
	used   uint64
	state  *simt.Region
	// Room is how many bytes a machine that has malloc itself gives out; 0 for as many as it likes.
	Room uint64
}

// NewHeap makes a heap in some memory.
func NewHeap(mem *simt.Memory) *Heap { return &Heap{mem: mem, blocks: map[uint64]*simt.Region{}} }

// State is what the device libraries keep of the heap: so many bytes, zeros at first.
func (h *Heap) State(size uint64) (r *simt.Region, err error) {
	if h.state == nil {
		h.state, err = h.mem.Alloc("heap of malloc", size, simt.PermRead|simt.PermWrite)
	}
	if err == nil && uint64(len(h.state.Data)) < size {
		err = fmt.Errorf("the heap of malloc has a state of %d bytes, not %d", len(h.state.Data), size)
	}
	return h.state, err
}

// Made reports whether anything has used the heap.
func (h *Heap) Made() bool { return h.state != nil || len(h.blocks) > 0 }

// The parts of a heap.
const (
	HeapState = "state" // what the device libraries keep of it
	HeapBlock = "block" // memory that they were given
)

// Part is which part of the heap a region is, "" if it is none.
func (h *Heap) Part(r *simt.Region) string {
	switch {
	case r == h.state:
		return HeapState
	case h.blocks[r.Base] == r:
		return HeapBlock
	}
	return ""
}

// Adopt makes a region a part of the heap, which was one of another heap.
func (h *Heap) Adopt(r *simt.Region, part string) error {
	switch {
	case part == HeapBlock && uint64(len(r.Data)) <= maxHeap-h.used:
		h.blocks[r.Base] = r
		h.used += uint64(len(r.Data))
	case part == HeapState && h.state == nil:
		h.state = r
	default:
		return fmt.Errorf("a heap of malloc has no room for this as a %q: it has one %q and several %q, of "+
			"%d bytes at most",
			part, HeapState, HeapBlock, maxHeap)
	}
	return nil
}

// Empty reports whether nobody has asked for anything of the heap.
func (h *Heap) Empty() bool { return h.state == nil && len(h.blocks) == 0 }

// Has reports whether a region is the heap's.
func (h *Heap) Has(r *simt.Region) bool { return h.Part(r) != "" }

const (
	slab    = 2 << 20
	maxHeap = 1 << 30 // bytes, all blocks together
)

// alloc makes a block of zeros.
func (h *Heap) alloc(size uint64) (uint64, error) {
	if size > maxHeap-h.used {
		return 0, fmt.Errorf("no room for %d bytes: %d are in use, %d can be had",
			size, h.used, uint64(maxHeap))
	}
	r, err := h.mem.AllocAligned("device memory", size, slab, simt.PermRead|simt.PermWrite)
	if err != nil {
		return 0, err
	}
	h.used += uint64(len(r.Data))
	h.blocks[r.Base] = r
	return r.Base, nil
}

// free takes a block back.
func (h *Heap) free(address uint64) bool {
	r := h.blocks[address]
	if r == nil {
		return false
	}
	delete(h.blocks, address)
	h.used -= uint64(len(r.Data))
	h.mem.Unmap(r)
	return true
}
