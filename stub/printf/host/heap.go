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
}

// NewHeap makes a heap in some memory.
func NewHeap(mem *simt.Memory) *Heap { return &Heap{mem: mem, blocks: map[uint64]*simt.Region{}} }

// State is what the device libraries keep of the heap: so many bytes, zeros at first.
func (h *Heap) State(size uint64) (r *simt.Region, err error) {
	if h.state == nil {
		h.state, err = h.mem.Alloc("heap of malloc", size, simt.PermRead|simt.PermWrite)
	}
	return h.state, err
}

// Has reports whether a region is the heap's.
func (h *Heap) Has(r *simt.Region) bool { return r == h.state || h.blocks[r.Base] == r }

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
