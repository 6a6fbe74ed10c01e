package simt

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"sync"
)

// Perm says what a program may do with a region of memory.
type Perm uint8

// The permissions of a region.
const (
	PermRead Perm = 1 << iota
	PermWrite
	PermExec
)

// A Region is one allocation of global memory: the addresses from Base up to,
// not including, Base+len(Data).
type Region struct {
	Name string
	Base uint64
	Data []byte
	Perm Perm
	// Private says that parts of the region belong to one wave each, and to
	// another when that has ended: no two share it.
	Private bool

	kept  []uint64 // bits for the pages that the latest snapshot has; nil without snapshots
	there []uint64 // bits for rows of pages that the system has found memory for, or is about to
}

// End is the first address after the region.
func (r *Region) End() uint64 { return r.Base + uint64(len(r.Data)) }

// Holds reports whether the size bytes at addr all lie in the region.
func (r *Region) Holds(addr, size uint64) bool {
	off := addr - r.Base
	return off < uint64(len(r.Data)) && size <= uint64(len(r.Data))-off
}

func (r *Region) String() string {
	return fmt.Sprintf("%s [%#x, %#x)", r.Name, r.Base, r.End())
}

// heapBase is where allocations without an address of their own begin: above
// any code object, below the apertures (1<<48 and up), and with 32 bits that
// are not zero in either half, so that a truncated pointer is an unmapped one.
const (
	heapBase  = 0x7e00_1000_0000
	heapEnd   = 0x7f00_0000_0000
	guardSize = 0x1_0000
)

// Memory is the global address space: sparse, every region with its bounds
// and permissions, and guard space between regions placed by [Memory.Alloc].
// Mapping and unmapping regions is not safe while several waves run; access to mapped bytes is as
// racy as the program that does it.
type Memory struct {
	regions []*Region // by Base
	layout  int       // counts changes of regions
	next    uint64    // where Alloc looks next
	spare   [][]byte  // of regions that were recycled, for Alloc

	keeping   [16]sync.Mutex    // of what [Region.kept] says of rows of pages
	saving    sync.Mutex        // of what snapshots have
	snapshots []*memorySnapshot // oldest first
	held      held              // by snapshots, those of waves and workgroups among them
}

// NewMemory returns an empty address space.
func NewMemory() *Memory { return &Memory{next: heapBase} }

// Regions returns all regions in the order of their addresses.
func (m *Memory) Regions() []*Region { return m.regions }

// Layout changes whenever regions come, go, or get other bytes of the host, and when a snapshot is made.
func (m *Memory) Layout() int { return m.layout }

// Map adds a region at a given address. It fails if the region is empty,
// wraps around, or overlaps another.
func (m *Memory) Map(name string, base uint64, data []byte, perm Perm) (*Region, error) {
	if len(data) == 0 {
		return nil, fmt.Errorf("map %s at %#x: the region is empty", name, base)
	}
	if base > math.MaxUint64-uint64(len(data)) {
		return nil, fmt.Errorf("map %s at %#x: %d bytes wrap around the address space", name, base, len(data))
	}
	r := &Region{Name: name, Base: base, Data: data, Perm: perm}
	i := sort.Search(len(m.regions), func(i int) bool { return m.regions[i].Base >= base })
	for _, j := range []int{i - 1, i} {
		if j >= 0 && j < len(m.regions) && m.regions[j].Base < r.End() && base < m.regions[j].End() {
			return nil, fmt.Errorf("map %s [%#x, %#x): overlaps %v", name, base, r.End(), m.regions[j])
		}
	}
	m.layout++
	m.regions = append(m.regions, nil)
	copy(m.regions[i+1:], m.regions[i:])
	m.regions[i] = r
	return r, nil
}

// Alloc adds a region of zeros where there is room, with guard space on both
// sides. An empty request gets one byte, so that its address is its own.
func (m *Memory) Alloc(name string, size uint64, perm Perm) (*Region, error) {
	return m.AllocAligned(name, size, guardSize, perm)
}

// AllocAligned is Alloc with an address that is a multiple of align, a power
// of two.
func (m *Memory) AllocAligned(name string, size, align uint64, perm Perm) (*Region, error) {
	size, align = max(size, 1), max(align, guardSize)
	base := (m.next + align - 1) &^ (align - 1)
	if base > heapEnd || size > heapEnd-base {
		return nil, fmt.Errorf("allocate %s: %d bytes do not fit into the %d left of the simulated memory",
			name, size, heapEnd-m.next)
	}
	r, err := m.Map(name, base, m.zeros(size), perm)
	if err != nil {
		return nil, err
	}
	m.next = (r.End() + 2*guardSize - 1) &^ (guardSize - 1)
	return r, nil
}

// Bounds on the bytes of regions that wait to be used again: of each, and how many.
const (
	leastSpare, mostSpare = 64 << 10, 16 << 20
	maxSpare              = 4
)

// zeros are the bytes of a new region.
func (m *Memory) zeros(size uint64) []byte {
	for i, b := range m.spare {
		if uint64(len(b)) == size {
			m.spare = slices.Delete(m.spare, i, i+1)
			clear(b)
			return b
		}
	}
	return make([]byte, size)
}

// Recycle is Unmap for a region that Alloc has made, and whose bytes nobody has kept: it may use them again.
// A program that launches many kernels would else leave them to the garbage collector each time.
func (m *Memory) Recycle(r *Region) {
	b := r.Data
	m.Unmap(r)
	if r.Data == nil && len(b) >= leastSpare && len(b) <= mostSpare && len(m.spare) < maxSpare &&
		len(m.snapshots) == 0 {
		m.spare = append(m.spare, b)
	}
}

// Unmap takes a region away. It holds nothing from then on, for those too that
// still know of it.
func (m *Memory) Unmap(r *Region) {
	i := sort.Search(len(m.regions), func(i int) bool { return m.regions[i].Base >= r.Base })
	if i < len(m.regions) && m.regions[i] == r {
		m.layout++
		m.regions = append(m.regions[:i], m.regions[i+1:]...)
		r.Data = nil
	}
}

// Resize gives a region so many bytes of those that its Data has room for. No wave may run meanwhile.
func (m *Memory) Resize(r *Region, size int) {
	r.Data = r.Data[:size]
	m.layout++
}

// Allocated are the regions where Alloc places them, in the order of their addresses.
func (m *Memory) Allocated() []*Region {
	from := sort.Search(len(m.regions), func(i int) bool { return m.regions[i].Base >= heapBase })
	to := sort.Search(len(m.regions), func(i int) bool { return m.regions[i].Base >= heapEnd })
	return m.regions[from:to]
}

// Trim makes room for Alloc again where regions have been unmapped behind the
// last one that it has placed and that is still there.
func (m *Memory) Trim() {
	m.next = heapBase
	if all := m.Allocated(); len(all) > 0 {
		m.next = (all[len(all)-1].End() + 2*guardSize - 1) &^ (guardSize - 1)
	}
}

// Find returns the region that addr lies in, or nil.
func (m *Memory) Find(addr uint64) *Region {
	lo, hi := 0, len(m.regions)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if m.regions[mid].Base <= addr {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo > 0 && addr < m.regions[lo-1].End() {
		return m.regions[lo-1]
	}
	return nil
}

// FindFor returns the region that holds an access with the permissions it needs, or nil. It is looked for
// in the one that the last was in first, which last keeps.
func (m *Memory) FindFor(last **Region, addr, size uint64, need Perm) *Region {
	r := *last
	if r == nil || !r.Holds(addr, size) {
		if r = m.Find(addr); r == nil || !r.Holds(addr, size) {
			return nil
		}
		*last = r
	}
	if r.Perm&need != need {
		return nil
	}
	return r
}

// Nearest returns the region closest to addr and how far addr is past its end
// (positive) or before its start (negative); 0 is inside. It returns nil if
// nothing is mapped.
func (m *Memory) Nearest(addr uint64) (r *Region, distance int64) {
	best := uint64(math.MaxUint64)
	for _, c := range m.regions {
		switch {
		case addr < c.Base:
			if d := c.Base - addr; d < best {
				best, r, distance = d, c, -int64(min(d, math.MaxInt64))
			}
		case addr < c.End():
			return c, 0
		default:
			if d := addr - c.End() + 1; d < best {
				best, r, distance = d, c, int64(min(d, math.MaxInt64))
			}
		}
	}
	return r, distance
}

// An AccessError says which byte of a host access to memory is not there.
type AccessError struct {
	Space Space
	Addr  uint64
}

func (e *AccessError) Error() string {
	return fmt.Sprintf("cannot access %v memory at %#x", e.Space, e.Addr)
}

// Read fills p from addr on, across adjacent regions, and returns how many
// bytes are mapped; the error is an *AccessError if that is fewer than asked.
// It heeds no permissions: it is the host that reads.
func (m *Memory) Read(addr uint64, p []byte) (int, error) {
	return m.access(addr, p, func(r *Region, off uint64, p []byte) int { return copy(p, r.Data[off:]) })
}

// Write is Read's counterpart.
func (m *Memory) Write(addr uint64, p []byte) (int, error) {
	return m.access(addr, p, func(r *Region, off uint64, p []byte) int {
		m.willWrite(r, off, min(uint64(len(p)), uint64(len(r.Data))-off))
		return copy(r.Data[off:], p)
	})
}

func (m *Memory) access(addr uint64, p []byte, move func(r *Region, off uint64, p []byte) int) (int, error) {
	done := 0
	for done < len(p) {
		r := m.Find(addr + uint64(done))
		if r == nil {
			return done, &AccessError{Global, addr + uint64(done)}
		}
		done += move(r, addr+uint64(done)-r.Base, p[done:])
	}
	return done, nil
}
