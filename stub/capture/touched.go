package capture

import (
	"bytes"
	"math/bits"
	"sync"

	"simtgdb/simt"
)

// pageSize is how much memory is kept at a time when a kernel first writes there.
const pageSize = 4096

// touched is which memory a launch touched, and what was in it before. It is an
// observer of the machine's accesses.
type touched struct {
	mem *simt.Memory

	mu      sync.Mutex
	regions map[*simt.Region]*regionPages
	last    *simt.Region
}

// regionPages are the pages of a region that were written, as they were.
type regionPages struct {
	saved map[int][]byte
}

func newTouched(mem *simt.Memory) *touched {
	return &touched{mem: mem, regions: map[*simt.Region]*regionPages{}}
}

// Observe implements simt.Observer.
func (t *touched) Observe(a *simt.Access) bool {
	if a.Space != simt.Global {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for lanes := a.Lanes; lanes != 0; lanes &= lanes - 1 {
		addr := a.Addr[bits.TrailingZeros64(lanes)]
		for end := addr + uint64(max(a.Size, 1)); addr < end; {
			r := t.last
			if r == nil || !r.Holds(addr, 1) {
				if r = t.mem.Find(addr); r == nil {
					break
				}
				t.last = r
			}
			stop := min(end, r.End())
			t.touch(r, addr-r.Base, stop-r.Base, a.Write || a.Atomic)
			addr = stop
		}
	}
	return false
}

// touch notes an access to some bytes of a region.
func (t *touched) touch(r *simt.Region, from, to uint64, write bool) {
	pages := t.regions[r]
	if pages == nil {
		pages = &regionPages{saved: map[int][]byte{}}
		t.regions[r] = pages
	}
	if !write {
		return
	}
	for p := int(from / pageSize); p <= int((to-1)/pageSize); p++ {
		if pages.saved[p] == nil {
			pages.saved[p] = bytes.Clone(r.Data[p*pageSize : min((p+1)*pageSize, len(r.Data))])
		}
	}
}

// before is what was in a region before the launch.
func (p *regionPages) before(r *simt.Region) []byte {
	data := bytes.Clone(r.Data)
	for n, page := range p.saved {
		copy(data[n*pageSize:], page)
	}
	return data
}
