package host

import (
	"fmt"

	"simtgdb/simt"
)

// A heap is the memory that device code asks the host for. ROCm's device
// libraries make slabs of 2 MiB of it, which must be aligned to their size.
type heap struct {
	mem    *simt.Memory
	blocks map[uint64]*simt.Region
	used   uint64
}

const (
	slab    = 2 << 20
	maxHeap = 1 << 30 // bytes, all blocks together
)

// alloc makes a block of zeros.
func (h *heap) alloc(size uint64) (uint64, error) {
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
func (h *heap) free(address uint64) bool {
	r := h.blocks[address]
	if r == nil {
		return false
	}
	delete(h.blocks, address)
	h.used -= uint64(len(r.Data))
	h.mem.Unmap(r)
	return true
}
