package dwarf

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// listUnit is a unit at low whose object has these lists, and three addresses in .debug_addr.
func listUnit(t *testing.T, version uint16, low uint64, lists []byte) *Unit {
	t.Helper()
	u, _, err := oneEntry(t, version, AttrLowPC, FormAddr, Sections{
		Addr: new(asm).fixed(4, 0x1c).fixed(2, 5).u8(8, 0).fixed(8, 0x1000, 0x2000, 0x3000).b,
		Loc:  lists, LocLists: lists, Ranges: lists, RngLists: lists,
	}, new(asm).fixed(8, low).b)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// TestListEntries reads an entry of each kind (DWARF 5 sections 2.6.2, 2.17.3, 7.7.3 and 7.25; before it,
// DWARF 4 sections 2.6.2 and 2.17.3): what is written, and which addresses it has. Linkers write the highest
// address, or the one below it, for the start of code that they removed.
func TestListEntries(t *testing.T) {
	const top = ^uint64(0)
	a := func() *asm { return new(asm) }
	for _, c := range []struct {
		name      string
		version   uint16
		locations bool
		low       uint64 // of the unit
		bytes     []byte
		kinds     string
		want      string
	}{
		{"base of an index", 5, true, 0x400, a().u8(1, 1, 4, 0x10, 0x20, 1, 0x31, 0).b,
			"base_addressx(1,0) offset_pair(10,20) end_of_list(0,0)", "2010-2020:31"},
		{"two indexes", 5, true, 0x400, a().u8(2, 0, 2, 1, 0x32, 0).b,
			"startx_endx(0,2) end_of_list(0,0)", "1000-3000:32"},
		{"index and length", 5, true, 0x400, a().u8(3, 2, 8, 1, 0x33, 0).b,
			"startx_length(2,8) end_of_list(0,0)", "3000-3008:33"},
		{"from the unit", 5, true, 0x400, a().u8(4, 1, 2, 2, 0x34, 0x96, 0).b,
			"offset_pair(1,2) end_of_list(0,0)", "401-402:3496"},
		{"default", 5, true, 0x400, a().u8(5, 1, 0x35, 0).b,
			"default_location(0,0) end_of_list(0,0)", "default:35"},
		{"base", 5, true, 0x400, a().u8(6).fixed(8, 0x5000).u8(4, 0, 1, 1, 0x36, 0).b,
			"base_address(5000,0) offset_pair(0,1) end_of_list(0,0)", "5000-5001:36"},
		{"start and end", 5, true, 0x400, a().u8(7).fixed(8, 0x6000, 0x6010).u8(1, 0x37, 0).b,
			"start_end(6000,6010) end_of_list(0,0)", "6000-6010:37"},
		{"start and length", 5, true, 0x400, a().u8(8).fixed(8, 0x7000).u8(0x20, 1, 0x38, 0).b,
			"start_length(7000,20) end_of_list(0,0)", "7000-7020:38"},
		{"views", 5, true, 0x400, a().u8(9, 1, 2, 4, 1, 2, 0, 0).b,
			"GNU_view_pair(1,2) offset_pair(1,2) end_of_list(0,0)", "401-402:"},
		{"ranges", 5, false, 0x400, a().u8(1, 1, 4, 1, 2, 2, 0, 2, 3, 2, 8).
			u8(5).fixed(8, 0x5000).u8(4, 3, 4).u8(6).fixed(8, 0x6000, 0x6010).
			u8(7).fixed(8, 0x7000).u8(0x20, 0).b,
			"base_addressx(1,0) offset_pair(1,2) startx_endx(0,2) startx_length(2,8) base_address(5000,0)" +
				" offset_pair(3,4) start_end(6000,6010) start_length(7000,20) end_of_list(0,0)",
			"2001-2002 1000-3000 3000-3008 5003-5004 6000-6010 7000-7020"},
		{"empty range", 5, false, 0x400, a().u8(4, 2, 2, 4, 2, 3, 0).b,
			"offset_pair(2,2) offset_pair(2,3) end_of_list(0,0)", "402-403"},
		{"pairs", 4, true, 0x400, a().fixed(8, 1, 2).fixed(2, 1).u8(0x31).fixed(8, top, 0x5000).
			fixed(8, 3, 4).fixed(2, 0).fixed(8, 0, 0).b,
			"offset_pair(1,2) base_address(5000,0) offset_pair(3,4) end_of_list(0,0)",
			"401-402:31 5003-5004:"},
		{"pairs of ranges", 4, false, 0x400, a().fixed(8, 1, 2, top, 0x5000, 0, 4, 0, 0).b,
			"offset_pair(1,2) base_address(5000,0) offset_pair(0,4) end_of_list(0,0)",
			"401-402 5000-5004"},
		{"removed by start", 5, false, 0x400, a().u8(6).fixed(8, top, top).u8(7).fixed(8, top-1).u8(4).
			u8(7).fixed(8, top-2).u8(1, 5).fixed(8, top).u8(4, 1, 2, 0).b,
			"start_end(ffffffffffffffff,ffffffffffffffff) start_length(fffffffffffffffe,4)" +
				" start_length(fffffffffffffffd,1) base_address(ffffffffffffffff,0) offset_pair(1,2)" +
				" end_of_list(0,0)", "fffffffffffffffd-fffffffffffffffe"},
		{"removed with the unit", 5, true, top - 1, a().u8(4, 1, 2, 0, 5, 0, 0).b,
			"offset_pair(1,2) default_location(0,0) end_of_list(0,0)", "default:"},
		{"removed pairs", 4, true, 0, a().fixed(8, top-1, top-1).fixed(2, 0).fixed(8, 1, 2).fixed(2, 0).
			fixed(8, 0, 0).b,
			"offset_pair(fffffffffffffffe,fffffffffffffffe) offset_pair(1,2) end_of_list(0,0)", "1-2:"},
		// Since version 5 the base or the start says so, not an offset.
		{"not removed", 5, true, 0, a().u8(4).leb(top-1, top-1).u8(0, 4, 1, 2, 0, 0).b,
			"offset_pair(fffffffffffffffe,fffffffffffffffe) offset_pair(1,2) end_of_list(0,0)",
			"fffffffffffffffe-fffffffffffffffe: 1-2:"},
	} {
		u := listUnit(t, c.version, c.low, append([]byte{9, 9}, c.bytes...))
		attr := Attr{Name: AttrRanges, Class: ClassRngList, Val: 2}
		if c.locations {
			attr = Attr{Name: AttrLocation, Class: ClassLocList, Val: 2}
		}
		entries, err := u.ListEntries(attr)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var kinds []string
		at := uint64(2)
		for _, e := range entries {
			kinds = append(kinds, fmt.Sprintf("%v(%x,%x)", e.Kind, e.A, e.B))
			if e.Offset != at || e.End <= at {
				t.Errorf("%s: an entry from %d to %d, expected at %d", c.name, e.Offset, e.End, at)
			}
			at = e.End
		}
		if at != uint64(2+len(c.bytes)) {
			t.Errorf("%s: the list ends at %d of %d", c.name, at, 2+len(c.bytes))
		}
		got := []string{strings.Join(kinds, " "), addressesOf(t, u, attr)}
		if diff := cmp.Diff([]string{c.kinds, c.want}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// addressesOf spells what a list has.
func addressesOf(t *testing.T, u *Unit, a Attr) string {
	t.Helper()
	var out []string
	if a.Class == ClassRngList {
		ranges, err := u.RangeList(a)
		if err != nil {
			t.Error(err)
		}
		for _, r := range ranges {
			out = append(out, fmt.Sprintf("%x-%x", r.Low, r.High))
		}
		return strings.Join(out, " ")
	}
	locs, err := u.LocList(a)
	if err != nil {
		t.Error(err)
	}
	for _, l := range locs {
		where := fmt.Sprintf("%x-%x", l.Low, l.High)
		if l.Default {
			where = "default"
		}
		out = append(out, fmt.Sprintf("%s:%x", where, l.Expr))
	}
	return strings.Join(out, " ")
}

// TestEachListEntry stops where it is told to.
func TestEachListEntry(t *testing.T) {
	u := listUnit(t, 5, 0x400, []byte{4, 1, 2, 1, 0x31, 4, 3, 4, 1, 0x32, 4, 5, 6, 1, 0x33, 0})
	var got []Range
	err := u.EachListEntry(Attr{Class: ClassLocList}, func(e ListEntry, r Range) bool {
		got = append(got, r)
		return e.Expr[0] != 0x32
	})
	if diff := cmp.Diff([]Range{{0x401, 0x402}, {0x403, 0x404}}, got); err != nil || diff != "" {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
}

// TestListErrors reads what is no list.
func TestListErrors(t *testing.T) {
	for name, c := range map[string]struct {
		version uint16
		attr    Attr
		bytes   []byte
		want    string
	}{
		"location list kind": {5, Attr{Class: ClassLocList}, []byte{10, 0}, "location list entry kind 0xa"},
		"range list kind":    {5, Attr{Class: ClassRngList}, []byte{8, 0}, "range list entry kind 0x8"},
		"no end":             {5, Attr{Class: ClassRngList}, []byte{4, 1, 2}, "1 bytes expected, 0 are left"},
		"expression cut off": {4, Attr{Class: ClassLocList}, new(asm).fixed(8, 1, 2).fixed(2, 9).b,
			"9 bytes expected, 0 are left"},
		"no such address": {5, Attr{Class: ClassRngList}, []byte{2, 0, 3, 0},
			"list entry at 0x0: .debug_addr at offset 0x20: 8 bytes expected, 0 are left"},
		"outside":   {5, Attr{Class: ClassRngList, Val: 99}, nil, "offset 0x63 is outside of the section"},
		"no list":   {5, Attr{Name: AttrName, Class: ClassString}, nil, "DW_AT_name has class string, "},
		"no number": {5, Attr{Name: AttrByteSize, Class: ClassConstant}, nil, "DW_AT_byte_size has class "},
	} {
		u := listUnit(t, c.version, 0x400, c.bytes)
		_, err := u.ListEntries(c.attr)
		if c.attr.Class == ClassRngList || err == nil {
			_, err = u.RangeList(c.attr)
		} else if c.attr.Class == ClassLocList {
			_, err = u.LocList(c.attr)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
	}
}

// TestRangeEntries reads a part of a section with several lists, up to what is damaged.
func TestRangeEntries(t *testing.T) {
	for _, c := range []struct {
		version5 bool
		size     int
		bytes    []byte
		from, to uint64
		want     string
	}{
		{true, 8, []byte{4, 1, 2, 0, 4, 3, 4, 0, 4, 5, 6, 0}, 0, 8,
			"0:offset_pair(1,2) 3:end_of_list(0,0) 4:offset_pair(3,4) 7:end_of_list(0,0)"},
		{true, 8, []byte{4, 1, 2, 0, 4, 3, 4, 0}, 4, 8, "4:offset_pair(3,4) 7:end_of_list(0,0)"},
		{true, 4, []byte{5, 1, 0, 0, 0x80, 0}, 0, 6, "0:base_address(80000001,0) 5:end_of_list(0,0)"},
		{true, 8, []byte{4, 1, 2, 9, 0}, 0, 5, "0:offset_pair(1,2) error"},
		{true, 8, []byte{0}, 0, 9, "error"},
		{false, 4, new(asm).fixed(4, 1, 2, 0xffffffff, 7, 0, 0, 3, 4).b, 0, 32,
			"0:offset_pair(1,2) 8:base_address(7,0) 16:end_of_list(0,0) 24:offset_pair(3,4)"},
		{false, 8, nil, 0, 0, ""},
	} {
		d, err := New(Sections{Ranges: c.bytes, RngLists: c.bytes}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for e, err := range d.RangeEntries(c.version5, c.size, c.from, c.to) {
			if err != nil {
				got = append(got, "error")
				continue
			}
			got = append(got, fmt.Sprintf("%d:%v(%x,%x)", e.Offset, e.Kind, e.A, e.B))
		}
		if got := strings.Join(got, " "); got != c.want {
			t.Errorf("% x: %s, want %s", c.bytes, got, c.want)
		}
	}
}
