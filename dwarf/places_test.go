package dwarf

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// placesData is two units of a version and a size of addresses, of which all addresses are of the form
// 0xa0…: in entries, in lists, in expressions. Both units have the same location list.
func placesData(t *testing.T, version uint16, size int) *Data {
	t.Helper()
	address := func(n uint64) uint64 { return 0xa0<<(8*size-8) + n }
	abbrevs := new(asm).
		leb(1, uint64(TagCompileUnit)).u8(1).leb(uint64(AttrLowPC), uint64(FormAddr)).
		leb(uint64(AttrRanges), uint64(FormSecOffset), 0, 0).
		leb(2, uint64(TagSubprogram)).u8(1).leb(uint64(AttrLowPC), uint64(FormAddr)).
		leb(uint64(AttrByteSize), uint64(FormData4)).leb(uint64(AttrFrameBase), uint64(FormExprloc), 0, 0).
		leb(3, uint64(TagVariable)).u8(0).leb(uint64(AttrLocation), uint64(FormSecOffset), 0, 0).
		leb(0).b
	entries := func(n uint64) []byte {
		return new(asm).leb(1).fixed(size, address(n)).fixed(4, 0).
			leb(2).fixed(size, address(n+1)).fixed(4, 8).leb(2).u8(0x9c, byte(n)).
			leb(3).fixed(4, 0).leb(0, 0).b
	}
	sizeAt := 10 // in the header
	if version >= 5 {
		sizeAt = 7
	}
	var info []byte
	for n := range uint64(2) {
		u := unit(version, entries(0x10*n))
		u[sizeAt] = byte(size)
		info = append(info, u...)
	}
	var loc, ranges asm
	if version >= 5 {
		loc.u8(6).fixed(size, address(0x100)).u8(4, 1, 2, 1, 0x31).
			u8(7).fixed(size, address(0x101), address(0x102)).u8(1, 0x32).
			u8(8).fixed(size, address(0x103)).u8(4, 0, 5, 1, 0x33, 0)
		ranges.u8(5).fixed(size, address(0x200)).u8(4, 1, 2).
			u8(6).fixed(size, address(0x201), address(0x202)).u8(7).fixed(size, address(0x203)).u8(4, 0)
	} else {
		loc.fixed(size, ^uint64(0), address(0x100), 1, 2).fixed(2, 1).u8(0x31).
			fixed(size, 3, 4).fixed(2, 0).fixed(size, 0, 0)
		ranges.fixed(size, 1, 2, ^uint64(0), address(0x200), 1, 2, 0, 0)
	}
	d, err := New(Sections{Info: info, Abbrev: abbrevs, Loc: loc.b, LocLists: loc.b, Ranges: ranges.b,
		RngLists: ranges.b}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestPlaces finds what a linker would have to change: each address and each expression once, and which
// addresses are the bases of lists. What counts from a base is no address.
func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		version uint16
		lists   []string // of locations, and of ranges
	}{
		{4, []string{"100", "expr 31", "200"}},
		{5, []string{"100", "expr 31", "101", "102", "expr 32", "103", "expr 33", "200", "201", "202",
			"203"}},
	} {
		for _, size := range []int{4, 8} {
			d := placesData(t, c.version, size)
			want := append([]string{"0 base", "1", "expr 9c00", "10 base", "11", "expr 9c10"}, c.lists...)
			var got []string
			if err := d.Places(func(p Place) {
				if p.Expr {
					got = append(got, fmt.Sprintf("expr %x", p.Bytes))
					return
				}
				b := bytes.Clone(p.Bytes)
				slices.Reverse(b)
				text := strings.TrimPrefix(fmt.Sprintf("%x", b), "a0")
				if text = strings.TrimLeft(text, "0"); text == "" {
					text = "0"
				}
				if p.Base {
					text += " base"
				}
				got = append(got, text)
				if p.Unit.AddrSize != uint8(size) || len(p.Bytes) != size {
					t.Errorf("version %d: %d bytes of a unit with addresses of %d", c.version, len(p.Bytes),
						p.Unit.AddrSize)
				}
			}); err != nil {
				t.Error(err)
			}
			slices.Sort(want)
			slices.Sort(got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("version %d, addresses of %d bytes (-want +got):\n%s", c.version, size, diff)
			}
		}
	}
}

// TestPlacesAreTheSections: what is written to a place is what is read afterwards.
func TestPlacesAreTheSections(t *testing.T) {
	d := placesData(t, 4, 8)
	if err := d.Places(func(p Place) {
		if p.Base {
			copy(p.Bytes, new(asm).fixed(8, 0x7000).b)
		}
	}); err != nil {
		t.Fatal(err)
	}
	again, err := New(d.sec, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range again.Units() {
		if top, err := u.Top(); err != nil || top.Attrs[0].Val != 0x7000 {
			t.Errorf("unit at 0x%x: %v, %v", u.Offset, top, err)
		}
	}
}

// TestPlacesErrors ends where entries or lists are damaged.
func TestPlacesErrors(t *testing.T) {
	for name, damage := range map[string]func(s *Sections){
		"abbreviation code 9 is not in the table": func(s *Sections) { s.Info[len(s.Info)-2] = 9 },
		"location list entry kind 0x63":           func(s *Sections) { s.LocLists[0] = 99 },
		"range list entry kind 0x63":              func(s *Sections) { s.RngLists[0] = 99 },
		"are left":                                func(s *Sections) { s.Info[len(s.Info)-2] = 2 },
		".debug_abbrev":                           func(s *Sections) { s.Abbrev = s.Abbrev[:3] },
	} {
		s := placesData(t, 5, 8).sec
		damage(&s)
		d, err := New(s, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Places(func(Place) {}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("error %v, want one with %q", err, name)
		}
	}
}

// TestAddrPlaces finds the addresses of .debug_addr: between headers, of which each part has its own size
// (DWARF 5 section 7.27); before version 5 all of it.
func TestAddrPlaces(t *testing.T) {
	parts := new(asm).fixed(4, 4+16).fixed(2, 5).u8(8, 0).fixed(8, 0x1000, 0x2000).
		fixed(4, 4+8).fixed(2, 5).u8(4, 0).fixed(4, 0x3000, 0x4000).
		fixed(4, 0xffffffff).fixed(8, 4+9).fixed(2, 5).u8(8, 0).fixed(8, 0x5000).u8(0).b
	for _, c := range []struct {
		name    string
		version uint16
		bytes   []byte
		want    string
		fails   bool
	}{
		{"parts", 5, parts, "8:1000 10:2000 20:3000 24:4000 38:5000", false},
		{"no headers", 4, new(asm).fixed(8, 0x1000, 0x2000).b, "0:1000 8:2000", false},
		{"none", 5, nil, "", false},
		{"size", 5, new(asm).fixed(4, 6).fixed(2, 5).u8(2, 0, 1, 0).b, "", true},
		{"segments", 5, new(asm).fixed(4, 12).fixed(2, 5).u8(8, 1).fixed(8, 0x1000).b, "", true},
		{"length", 5, new(asm).fixed(4, 99).fixed(2, 5).u8(8, 0).fixed(8, 0x1000).b, "", true},
	} {
		d, err := New(Sections{Info: unit(c.version, []byte{0}), Addr: c.bytes}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		err = d.AddrPlaces(func(offset uint64, b []byte) {
			if &b[0] != &c.bytes[offset] {
				t.Errorf("%s: the bytes at 0x%x are not the section's", c.name, offset)
			}
			v := uint64(0)
			for i, x := range b {
				v |= uint64(x) << (8 * i)
			}
			got = append(got, fmt.Sprintf("%x:%x", offset, v))
		})
		if text := strings.Join(got, " "); text != c.want || (err != nil) != c.fails {
			t.Errorf("%s: %q, %v; want %q", c.name, text, err, c.want)
		}
	}
}

// TestAddrs gives the part of .debug_addr that a unit has: up to the end of what follows a header, or up to
// another unit's part, since the Go linker writes one header for all units.
func TestAddrs(t *testing.T) {
	abbrevs := new(asm).leb(1, uint64(TagCompileUnit)).u8(0).
		leb(uint64(AttrAddrBase), uint64(FormSecOffset), 0, 0, 0).b
	addrs := new(asm).fixed(4, 4+24).fixed(2, 5).u8(8, 0).fixed(8, 1, 2, 3).
		fixed(4, 4+8).fixed(2, 5).u8(8, 0).fixed(8, 4).b
	var info []byte
	for _, base := range []uint64{8, 24, 40, 48} {
		info = append(info, unit(5, new(asm).leb(1).fixed(4, base).b)...)
	}
	d, err := New(Sections{Info: info, Abbrev: abbrevs, Addr: addrs}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]uint64{{1, 2}, {3}, {4}, nil} {
		u := d.Units()[i]
		got, err := u.Addrs()
		if !cmp.Equal(got, want) || (err != nil) != (want == nil) {
			t.Errorf("unit %d: %v, %v; want %v", i, got, err, want)
		}
		for k, a := range want {
			at, err := u.AddrOffset(uint64(k))
			v, err2 := u.Addr(uint64(k))
			if err != nil || err2 != nil || v != a || addrs[at] != byte(a) {
				t.Errorf("unit %d, address %d: %x at 0x%x, %v, %v", i, k, v, at, err, err2)
			}
		}
	}
	if _, err := d.Units()[2].AddrOffset(99); err == nil {
		t.Error("an address behind the section")
	}
}
