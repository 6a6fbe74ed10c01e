package simt

import "bytes"

// pageSize is how much memory is copied at a time when it changes after a snapshot.
const pageSize = 4096

// pageCount is how many pages bytes take.
func pageCount(n int) int { return (n + pageSize - 1) / pageSize }

// A memorySnapshot is the state of global memory at one time. Of what has not changed since then it holds nothing:
// that is still in the regions. The first write to a page after a snapshot copies the page, once for all snapshots
// since the last write before.
type memorySnapshot struct {
	next    uint64
	regions []*Region
	pages   map[*Region]*regionPages
}

// regionPages are the pages of a region as a snapshot has them: nil for one that has not been written since.
type regionPages struct {
	data  []byte // the region's own bytes, which may since have been unmapped
	saved [][]byte
}

// snapshot makes a snapshot of all regions.
func (m *Memory) snapshot() *memorySnapshot {
	s := &memorySnapshot{next: m.next, regions: append([]*Region(nil), m.regions...), pages: map[*Region]*regionPages{}}
	for _, r := range m.regions {
		n := pageCount(len(r.Data))
		s.pages[r] = &regionPages{data: r.Data, saved: make([][]byte, n)}
		r.kept = make([]uint64, (n+63)/64)
	}
	m.snapshots = append(m.snapshots, s)
	return s
}

// willWrite makes the snapshots keep what is in some bytes of a region that are about to be written.
func (m *Memory) willWrite(r *Region, off, size uint64) {
	if r.kept == nil || size == 0 {
		return
	}
	for p := off / pageSize; p <= (off+size-1)/pageSize; p++ {
		if r.kept[p/64]>>(p%64)&1 == 0 {
			m.keep(r, int(p))
		}
	}
}

// keep gives the snapshots that have not got a page its contents.
func (m *Memory) keep(r *Region, page int) {
	r.kept[page/64] |= 1 << (page % 64)
	var copied []byte
	for i := len(m.snapshots) - 1; i >= 0; i-- {
		pages := m.snapshots[i].pages[r]
		if pages == nil {
			continue // the region was not mapped then
		}
		if pages.saved[page] != nil {
			break
		}
		if copied == nil {
			from := pages.data[page*pageSize:]
			copied = append(copied, from[:min(pageSize, len(from))]...)
		}
		pages.saved[page] = copied
	}
}

// restore makes all regions what they were.
func (m *Memory) restore(s *memorySnapshot) {
	for _, r := range s.regions {
		pages := s.pages[r]
		r.Data = pages.data
		if r.kept == nil {
			r.kept = make([]uint64, (len(pages.saved)+63)/64)
		}
		for p, saved := range pages.saved {
			if saved != nil {
				m.willWrite(r, uint64(p)*pageSize, 1)
				copy(r.Data[p*pageSize:], saved)
			}
		}
	}
	for _, r := range m.regions {
		if s.pages[r] == nil {
			r.Data, r.kept = nil, nil // mapped later
		}
	}
	m.next, m.regions = s.next, append([]*Region(nil), s.regions...)
}

// release forgets a snapshot.
func (m *Memory) release(s *memorySnapshot) {
	for i := range m.snapshots {
		if m.snapshots[i] == s {
			m.snapshots = append(m.snapshots[:i], m.snapshots[i+1:]...)
			break
		}
	}
	if len(m.snapshots) == 0 {
		for _, r := range m.regions {
			r.kept = nil
		}
	}
}

// pages are a copy of a workgroup's or a wave's own memory, whose pages are shared with the copy before where they
// are equal.
type pages struct {
	size int
	all  [][]byte
}

// copyPages copies memory. last is the copy before, or nil.
func copyPages(data []byte, last *pages) *pages {
	p := &pages{size: len(data), all: make([][]byte, pageCount(len(data)))}
	for i := range p.all {
		page := data[i*pageSize : min((i+1)*pageSize, len(data))]
		if last != nil && i < len(last.all) && bytes.Equal(last.all[i], page) {
			p.all[i] = last.all[i]
		} else {
			p.all[i] = bytes.Clone(page)
		}
	}
	return p
}

// restore gives the memory as it was, in the place of data if that has room.
func (p *pages) restore(data []byte) []byte {
	if cap(data) < p.size {
		data = make([]byte, p.size)
	}
	data = data[:p.size]
	for i, page := range p.all {
		copy(data[i*pageSize:], page)
	}
	return data
}
