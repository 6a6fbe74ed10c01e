package capture

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"sync"

	"simtgdb/simt"
	"simtgdb/stub/device"
	"simtgdb/stub/launch"
)

// pageSize is how much memory is kept at a time when a kernel first writes there.
const pageSize = 4096

// touched is which memory a launch touched of what was there before it, and what was in it. It is an
// observer of the machine's accesses.
type touched struct {
	mem *simt.Memory

	mu      sync.Mutex
	regions map[*simt.Region]*regionPages
	last    *simt.Region
}

// regionPages are the pages of a region that were written, as they were.
type regionPages struct {
	region  *simt.Region
	base    uint64
	data    []byte // the region's, which has none any more when it has been freed
	heap    string // which part of the heap of malloc it is
	touched bool
	saved   map[int][]byte
}

func newTouched(l *device.Launch) *touched {
	t := &touched{mem: l.Program.Memory, regions: map[*simt.Region]*regionPages{}}
	for _, r := range t.mem.Regions() {
		if l.Persists(r) {
			t.regions[r] = &regionPages{region: r, base: r.Base, data: r.Data, heap: l.Call.Heap.Part(r)}
		}
	}
	return t
}

// all are the regions that were touched, by address; those of the heap of malloc all, if one was: they
// lie where the device's libraries remember them.
func (t *touched) all() []*regionPages {
	heap := false
	for _, p := range t.regions {
		heap = heap || p.touched && p.heap != ""
	}
	all := slices.SortedFunc(maps.Values(t.regions),
		func(a, b *regionPages) int { return cmp.Compare(a.base, b.base) })
	return slices.DeleteFunc(all, func(p *regionPages) bool { return !p.touched && (!heap || p.heap == "") })
}

// bound has bindings that are parts of memory say of which, by the names of regions, which count as touched.
func (t *touched) bound(all []launch.BindingSpec) []launch.BindingSpec {
	all = slices.Clone(all)
	for i := range all {
		b := &all[i]
		r := t.mem.Find(b.At)
		if p := t.regions[r]; b.Part && b.Size > 0 && p != nil {
			p.touched = true
			b.Place = launch.Place{Name: memoryName(p.base), Add: b.At - p.base}
		}
	}
	return all
}

// memoryName is what a region is called in a launch file.
func memoryName(base uint64) string { return fmt.Sprintf("m%x", base) }

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
		return // the launch's own
	}
	pages.touched = true
	if !write {
		return
	}
	if pages.saved == nil {
		pages.saved = map[int][]byte{}
	}
	for p := int(from / pageSize); p <= int((to-1)/pageSize); p++ {
		if pages.saved[p] == nil {
			pages.saved[p] = bytes.Clone(r.Data[p*pageSize : min((p+1)*pageSize, len(r.Data))])
		}
	}
}

// freed reports whether the launch has freed the region.
func (p *regionPages) freed() bool { return p.region.Data == nil }

// after is what is in the region, or was when it was freed.
func (p *regionPages) after() []byte {
	if p.freed() {
		return p.data
	}
	return p.region.Data[:len(p.data)] // not what it has for the launch alone
}

// before is what was in the region before the launch. It is not to be changed.
func (p *regionPages) before() []byte {
	if len(p.saved) == 0 {
		return p.after()
	}
	data := bytes.Clone(p.after())
	for n, page := range p.saved {
		copy(data[n*pageSize:], page)
	}
	return data
}
