package host

import (
	"maps"

	"simtgdb/simt"
	"simtgdb/stub/printf/hostcall"
)

// A Snapshot is what a host knows of its dispatch at one time. It goes with the
// machine's.
type Snapshot struct {
	count   int
	buffers []buffer
	service *hostcall.Service
	owners  map[int]*simt.Wave
	blocks  map[uint64]*simt.Region
	used    uint64
}

// Snapshot makes a snapshot.
func (h *Host) Snapshot() *Snapshot {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := &Snapshot{count: h.count}
	for _, b := range h.buffers {
		s.buffers = append(s.buffers, b.clone())
	}
	if c := h.calls; c != nil {
		s.service, s.owners = c.service.Clone(), maps.Clone(c.owners)
		s.blocks, s.used = maps.Clone(c.heap.blocks), c.heap.used
	}
	return s
}

// Restore makes the host what it was. The Sink is not given again what it has
// been given since.
func (h *Host) Restore(s *Snapshot) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.count = s.count
	for i, b := range h.buffers {
		*b = s.buffers[i].clone()
	}
	if c := h.calls; c != nil {
		c.service, c.owners = s.service.Clone(), maps.Clone(s.owners)
		c.heap.blocks, c.heap.used = maps.Clone(s.blocks), s.used
	}
}

func (b *buffer) clone() buffer {
	c := *b
	c.reader = b.reader.Clone()
	c.writers, c.partial, c.last = maps.Clone(b.writers), maps.Clone(b.partial), maps.Clone(b.last)
	return c
}
