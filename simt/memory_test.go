package simt

import (
	"bytes"
	"errors"
	"math"
	"testing"
)

func mustMap(t *testing.T, m *Memory, name string, base uint64, size int, perm Perm) *Region {
	t.Helper()
	r, err := m.Map(name, base, make([]byte, size), perm)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestMapRefusesWhatCannotBe(t *testing.T) {
	m := NewMemory()
	mustMap(t, m, "a", 0x1000, 0x100, PermRead)
	for _, c := range []struct {
		name string
		base uint64
		size int
	}{
		{"empty", 0x5000, 0},
		{"wraps", math.MaxUint64 - 4, 16},
		{"same", 0x1000, 0x100},
		{"inside", 0x1010, 4},
		{"over the start", 0xff0, 0x11},
		{"over the end", 0x10ff, 4},
		{"around", 0x800, 0x1000},
	} {
		if r, err := m.Map(c.name, c.base, make([]byte, c.size), PermRead); err == nil {
			t.Errorf("%s: mapped %v", c.name, r)
		}
	}
	mustMap(t, m, "before", 0xff0, 0x10, PermRead)
	mustMap(t, m, "after", 0x1100, 4, PermRead)
	if n := len(m.Regions()); n != 3 {
		t.Errorf("%d regions, want 3", n)
	}
}

func TestRegionHolds(t *testing.T) {
	m := NewMemory()
	r := mustMap(t, m, "a", 0x1000, 0x10, PermRead)
	for _, c := range []struct {
		addr, size uint64
		want       bool
	}{
		{0x1000, 0x10, true}, {0x1000, 0x11, false}, {0xfff, 1, false}, {0x100f, 1, true}, {0x1010, 0, false},
		{0x1008, math.MaxUint64, false}, {math.MaxUint64, 2, false}, {0, math.MaxUint64, false},
	} {
		if got := r.Holds(c.addr, c.size); got != c.want {
			t.Errorf("Holds(%#x, %#x) = %v", c.addr, c.size, got)
		}
	}
}

func TestAllocKeepsItsDistance(t *testing.T) {
	m := NewMemory()
	var last *Region
	for _, size := range []uint64{1, 0, 0xffff, 0x10000, 0x10001} {
		r, err := m.Alloc("x", size, PermRead|PermWrite)
		if err != nil {
			t.Fatal(err)
		}
		if uint64(len(r.Data)) != max(size, 1) {
			t.Errorf("allocated %d bytes for %d", len(r.Data), size)
		}
		if last != nil && r.Base < last.End()+guardSize {
			t.Errorf("%v follows %v with less than %#x between", r, last, guardSize)
		}
		if uint32(r.Base) == 0 || r.Base>>32 == 0 {
			t.Errorf("%v: a half of its address would be a null pointer", r)
		}
		last = r
	}
	if _, err := m.Alloc("huge", math.MaxUint64, PermRead); err == nil {
		t.Error("allocated all addresses")
	}
	if _, err := m.Alloc("large", 1<<44, PermRead); err == nil {
		t.Error("allocated more than there is room for")
	}
}

func TestFindAndNearest(t *testing.T) {
	m := NewMemory()
	if r, _ := m.Nearest(5); r != nil || m.Find(5) != nil {
		t.Error("found a region in an empty memory")
	}
	b := mustMap(t, m, "b", 0x3000, 0x100, PermRead)
	a := mustMap(t, m, "a", 0x1000, 0x100, PermRead)
	for _, c := range []struct {
		addr     uint64
		find     *Region
		nearest  *Region
		distance int64
	}{
		{0x0fff, nil, a, -1}, {0x1000, a, a, 0}, {0x10ff, a, a, 0}, {0x1100, nil, a, 1},
		{0x2fff, nil, b, -1}, {0x30ff, b, b, 0}, {0x3110, nil, b, 0x11},
		{math.MaxUint64, nil, b, math.MaxInt64},
	} {
		if got := m.Find(c.addr); got != c.find {
			t.Errorf("Find(%#x) = %v", c.addr, got)
		}
		if r, d := m.Nearest(c.addr); r != c.nearest || d != c.distance {
			t.Errorf("Nearest(%#x) = %v, %d; want %v, %d", c.addr, r, d, c.nearest, c.distance)
		}
	}
}

func TestHostAccessGoesAcrossRegions(t *testing.T) {
	m := NewMemory()
	a := mustMap(t, m, "a", 0x1000, 4, PermRead)
	b := mustMap(t, m, "b", 0x1004, 4, 0)
	if n, err := m.Write(0x1002, []byte{1, 2, 3, 4}); n != 4 || err != nil {
		t.Fatalf("Write = %d, %v", n, err)
	}
	if !bytes.Equal(a.Data, []byte{0, 0, 1, 2}) || !bytes.Equal(b.Data, []byte{3, 4, 0, 0}) {
		t.Errorf("wrote % x, % x", a.Data, b.Data)
	}
	p := make([]byte, 5)
	n, err := m.Read(0x1004, p)
	var access *AccessError
	if n != 4 || !errors.As(err, &access) || access.Addr != 0x1008 || access.Space != Global {
		t.Errorf("Read over the end = %d, %v", n, err)
	}
	if !bytes.Equal(p[:4], []byte{3, 4, 0, 0}) {
		t.Errorf("read % x", p)
	}
	if n, err := m.Read(0x9000, nil); n != 0 || err != nil {
		t.Errorf("Read of nothing = %d, %v", n, err)
	}
}

func TestAllocAligned(t *testing.T) {
	m := NewMemory()
	first, err := m.Alloc("first", 10, PermRead)
	if err != nil {
		t.Fatal(err)
	}
	const align = 2 << 20
	r, err := m.AllocAligned("aligned", 100, align, PermRead)
	if err != nil || r.Base%align != 0 || r.Base < first.End()+guardSize {
		t.Errorf("%v, %v", r, err)
	}
	if next, err := m.Alloc("next", 1, PermRead); err != nil || next.Base < r.End()+guardSize {
		t.Errorf("%v, %v", next, err)
	}
	if r, err := m.AllocAligned("too much", heapEnd-heapBase-align, align, PermRead); err == nil {
		t.Errorf("%v", r)
	}
}

func TestUnmap(t *testing.T) {
	m := NewMemory()
	first, _ := m.Alloc("first", 10, PermRead)
	second, _ := m.Alloc("second", 10, PermRead)
	base := first.Base
	for range 2 {
		m.Unmap(first)
		if m.Find(base) != nil || m.Find(second.Base) != second || first.Holds(base, 1) {
			t.Errorf("regions: %v", m.Regions())
		}
	}
	if _, err := m.Map("again", base, make([]byte, 10), PermRead); err != nil {
		t.Error(err)
	}
}

// TestRecycle: bytes of a region that was recycled are another's, and zeros again; those of others are not.
func TestRecycle(t *testing.T) {
	m := NewMemory()
	const size = 1 << 16
	alloc := func(size uint64) *Region {
		t.Helper()
		r, err := m.Alloc("region", size, PermRead|PermWrite)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	first := alloc(size)
	data := first.Data
	data[5] = 1
	m.Recycle(first)
	if first.Data != nil || m.Find(first.Base) != nil {
		t.Error("the region is still there")
	}
	if other := alloc(2 * size); &other.Data[0] == &data[0] {
		t.Error("a larger region has the bytes")
	}
	if next := alloc(size); &next.Data[0] != &data[0] || next.Data[5] != 0 {
		t.Errorf("the next region begins with %v, in the same bytes: %v", next.Data[:8],
			&next.Data[0] == &data[0])
	}
	if third := alloc(size); &third.Data[0] == &data[0] {
		t.Error("two regions have the same bytes")
	}
}

// TestFindFor: a region is found with the permissions that are needed alone, and kept for the next.
func TestFindFor(t *testing.T) {
	m := NewMemory()
	a, b := mustMap(t, m, "a", 0x10000, 64, PermRead), mustMap(t, m, "b", 0x20000, 64, PermRead|PermWrite)
	var last *Region
	for _, c := range []struct {
		addr, size uint64
		need       Perm
		want, last *Region
	}{
		{a.Base, 4, PermRead, a, a}, {a.Base + 60, 8, PermRead, nil, a}, {a.Base, 4, PermWrite, nil, a},
		{b.Base, 64, PermWrite, b, b}, {b.Base + 64, 1, 0, nil, b}, {a.Base + 63, 1, 0, a, a},
	} {
		if got := m.FindFor(&last, c.addr, c.size, c.need); got != c.want || last != c.last {
			t.Errorf("%#x, %d bytes, %v: %v, the last %v", c.addr, c.size, c.need, got, last)
		}
	}
}
