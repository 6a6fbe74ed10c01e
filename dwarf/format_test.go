package dwarf

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/dwarf/internal/dwarftest"
)

// TestFormats writes one unit in both formats, in both orders of bytes and with addresses of both sizes: what
// is read is the same, and llvm-dwarfdump finds nothing wrong.
func TestFormats(t *testing.T) {
	dwarftest.Need(t, "llvm-dwarfdump-22")
	var files []string
	for version := uint16(2); version <= 5; version++ {
		var want []string
		for _, big := range []bool{false, true} {
			for _, is64 := range []bool{false, true} {
				for _, size := range []uint8{8, 4} {
					u := exampleUnit(version)
					u.AddrSize, u.Is64 = size, is64
					sections := written(t, []*OutUnit{u, exampleUnit(version)}, WriteOptions{BigEndian: big})
					d, err := New(sectionsFrom(sections), Options{BigEndian: big})
					if err != nil {
						t.Fatal(err)
					}
					got := shape(t, d)
					if got[0] != fmt.Sprintf("unit %d DW_UT_compile %d 0", version, size) {
						t.Errorf("a unit of version %d with addresses of %d bytes is %s", version, size,
							got[0])
					}
					got = got[1:]
					if want == nil {
						want = got
					}
					if diff := cmp.Diff(want, got); diff != "" {
						t.Errorf("version %d, big %v, 64-bit %v, addresses of %d bytes (-want +got):\n%s",
							version, big, is64, size, diff)
					}
					if d.Units()[0].Is64 != is64 || d.BigEndian() != big {
						t.Errorf("the unit is of the 64-bit format: %v, want %v", d.Units()[0].Is64, is64)
					}
					if !big && version > 2 && size == 8 { // the object is little-endian; 64 bits came with 3
						files = append(files, dwarftest.Object(t, sections, 0))
					}
				}
			}
		}
	}
	for i, kinds := range faults(t, files...) {
		if len(kinds) > 0 {
			t.Errorf("llvm-dwarfdump --verify of object %d: %v", i, kinds)
		}
	}
}

// TestUnitKinds writes units of all kinds that Write has, and reads them.
func TestUnitKinds(t *testing.T) {
	for _, is64 := range []bool{false, true} {
		for _, c := range []struct {
			version uint16
			kind    UnitKind
			section string
		}{
			{4, UnitType, ".debug_types"}, {5, UnitType, ".debug_info"}, {5, UnitSkeleton, ".debug_info"},
			{5, UnitSplitCompile, ".debug_info"}, {5, UnitPartial, ".debug_info"},
		} {
			node := NewDIE(TagStructureType, StringAttr(AttrName, "node"))
			root := NewDIE(TagTypeUnit)
			root.Add(NewDIE(TagBaseType, StringAttr(AttrName, "int")), node)
			u := &OutUnit{Version: c.version, AddrSize: 8, Is64: is64, Type: c.kind,
				Signature: 0x1122334455667788, DWOID: 0x99aabbccddeeff00, Root: root}
			if c.kind.IsType() {
				u.TypeDIE = node
			}
			d, err := New(sectionsFrom(written(t, []*OutUnit{exampleUnit(c.version), u}, WriteOptions{})),
				Options{})
			if err != nil || len(d.Units()) != 2 {
				t.Fatal(err, d.Units())
			}
			got := d.Units()[1]
			if got.Type != c.kind || got.SectionName() != c.section {
				t.Errorf("%v of version %d is %v in %s", c.kind, c.version, got.Type, got.SectionName())
			}
			switch c.kind {
			case UnitType:
				if got.Signature != u.Signature || got.TypeDIE() == nil || got.TypeDIE().Name() != "node" ||
					d.TypeUnit(u.Signature) != got {
					t.Errorf("%v of version %d: %x for %v", c.kind, c.version, got.Signature, got.TypeDIE())
				}
			case UnitSkeleton, UnitSplitCompile:
				if got.DWOID != u.DWOID || got.TypeDIE() != nil {
					t.Errorf("%v of version %d: %x", c.kind, c.version, got.DWOID)
				}
			}
			if r, err := got.Root(); err != nil || len(r.Children) != 2 {
				t.Errorf("%v of version %d: %v, %v", c.kind, c.version, r, err)
			}
		}
	}
}

// TestExprRefs writes offsets of entries in expressions, in attributes and in lists: each is that of its
// target, which is only known when all units are written.
func TestExprRefs(t *testing.T) {
	for _, version := range []uint16{4, 5} {
		for _, big := range []bool{false, true} {
			first, second := exampleUnit(version), exampleUnit(version)
			own, other := second.Root.Children[2], first.Root.Children[3] // int, node
			refs := []ExprRef{
				{Pos: 1, Size: 3, Kind: RefUnitLEB, Target: own},
				{Pos: 5, Size: 4, Kind: RefUnitFixed, Target: own},
				{Pos: 10, Size: 4, Kind: RefSection, Target: other},
				{Pos: 15, Size: 8, Kind: RefSection, Target: own},
			}
			code := append(bytes.Repeat([]byte{0x96}, 23), 0x31)
			second.Root.Children[0].Children[0].Set(ExprAttr(AttrLocation, code, refs...))
			second.Root.Children[0].Children[1].Set(LocListAttr(AttrLocation, []LocEntry{
				{Low: 0x401000, High: 0x401010, Expr: []byte{0x31}},
				{Low: 0x401010, High: 0x401020, Expr: code, Refs: refs}}))
			d, err := New(sectionsFrom(written(t, []*OutUnit{first, second}, WriteOptions{BigEndian: big})),
				Options{BigEndian: big})
			if err != nil {
				t.Fatal(err)
			}
			u := d.Units()[1]
			root, err := u.Root()
			if err != nil {
				t.Fatal(err)
			}
			otherRoot, _ := d.Units()[0].Root()
			ownAt, otherAt := root.Children[2].Offset, otherRoot.Children[3].Offset
			v := uint32(ownAt - u.Offset)
			order := binary.AppendByteOrder(binary.LittleEndian)
			if big {
				order = binary.BigEndian
			}
			want := []byte{0x96, byte(v) | 0x80, byte(v>>7) | 0x80, byte(v >> 14), 0x96}
			want = append(order.AppendUint32(want, v), 0x96)
			want = append(order.AppendUint32(want, uint32(otherAt)), 0x96)
			want = append(order.AppendUint64(want, ownAt), 0x31)
			a, _ := root.Children[0].Children[0].Attr(AttrLocation)
			l, _ := root.Children[0].Children[1].Attr(AttrLocation)
			locs, err := u.LocList(l)
			if err != nil || len(locs) != 2 {
				t.Fatal(locs, err)
			}
			for what, got := range map[string][]byte{"attribute": a.Bytes, "list": locs[1].Expr} {
				if !bytes.Equal(got, want) {
					t.Errorf("version %d, %s: % x, want % x", version, what, got, want)
				}
			}
		}
	}
}

// TestExprRefErrors gives references that cannot be written.
func TestExprRefErrors(t *testing.T) {
	for _, c := range []struct {
		want  string
		ref   ExprRef
		other bool // the target is of another unit
	}{
		{"leads to another unit", ExprRef{Pos: 0, Size: 4, Kind: RefUnitFixed}, true},
		{"leads to another unit", ExprRef{Pos: 0, Size: 4, Kind: RefUnitLEB}, true},
		{"does not fit 1 bytes", ExprRef{Pos: 0, Size: 1, Kind: RefSection}, false},
		{"does not fit a LEB128 number of 1 bytes", ExprRef{Pos: 0, Size: 1, Kind: RefUnitLEB}, false},
		{"reference of 0 bytes at 0", ExprRef{Pos: 0, Size: 0, Kind: RefUnitFixed}, false},
		{"reference of 4 bytes at -1", ExprRef{Pos: -1, Size: 4, Kind: RefUnitFixed}, false},
		{"reference of 4 bytes at 5", ExprRef{Pos: 5, Size: 4, Kind: RefUnitFixed}, false},
		{"", ExprRef{Pos: 4, Size: 4, Kind: RefUnitFixed}, false},
		{"", ExprRef{Pos: 6, Size: 2, Kind: RefUnitLEB}, false},
		{"", ExprRef{Pos: 0, Size: 4, Kind: RefSection}, true},
	} {
		for _, list := range []bool{false, true} {
			first, second := exampleUnit(5), exampleUnit(5)
			c.ref.Target = second.Root.Children[4]
			if c.other {
				c.ref.Target = first.Root.Children[4]
			}
			a := ExprAttr(AttrLocation, make([]byte, 8), c.ref)
			if list {
				a = LocListAttr(AttrLocation, []LocEntry{{Low: 0x401000, High: 0x401004,
					Expr: make([]byte, 8), Refs: []ExprRef{c.ref}}})
			}
			second.Root.Children[0].Children[0].Set(a)
			_, err := Write([]*OutUnit{first, second}, WriteOptions{})
			if c.want == "" && err != nil ||
				c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%+v in a list %v: error %v, want one with %q", c.ref, list, err, c.want)
			}
		}
	}
}

// TestWriteForms writes an attribute of each form in each version: where the version has not got the form,
// another one says the same (DWARF 5 table 7.5, and those of the versions before).
func TestWriteForms(t *testing.T) {
	sixteen := []byte("0123456789abcdef")
	constant := func(f Form, v uint64) Attr {
		return Attr{Name: AttrByteSize, Form: f, Class: ClassConstant, Val: v}
	}
	pointer := func(f Form, v uint64) Attr { // before version 4 a form of four bytes would be an offset
		return Attr{Name: AttrDataMemberLocation, Form: f, Class: ClassConstant, Val: v}
	}
	forms := func(f ...Form) []Form { return f } // of versions 2, 3, 4 and 5
	for _, c := range []struct {
		attr Attr
		want []Form
	}{
		{constant(FormData1, 0xff), forms(FormData1, FormData1, FormData1, FormData1)},
		{constant(FormData2, 0xffff), forms(FormData2, FormData2, FormData2, FormData2)},
		{constant(FormData4, 0xffffffff), forms(FormData4, FormData4, FormData4, FormData4)},
		{constant(FormData8, ^uint64(0)), forms(FormData8, FormData8, FormData8, FormData8)},
		{constant(FormUdata, 300), forms(FormUdata, FormUdata, FormUdata, FormUdata)},
		{constant(FormSdata, ^uint64(2)), forms(FormSdata, FormSdata, FormSdata, FormSdata)},
		{constant(FormImplicitConst, ^uint64(2)), forms(FormSdata, FormSdata, FormSdata, FormImplicitConst)},
		{pointer(FormData1, 7), forms(FormData1, FormData1, FormData1, FormData1)},
		{pointer(FormData4, 7), forms(FormUdata, FormUdata, FormData4, FormData4)},
		{pointer(FormData8, 7), forms(FormUdata, FormUdata, FormData8, FormData8)},
		{Attr{Name: AttrConstValue, Form: FormData16, Class: ClassConstant, Bytes: sixteen},
			forms(FormBlock1, FormBlock1, FormBlock1, FormData16)},
		{BlockAttr(AttrDiscrList, []byte{1, 2}), forms(FormBlock, FormBlock, FormBlock, FormBlock)},
		{Attr{Name: AttrDiscrList, Form: FormBlock1, Class: ClassBlock, Bytes: make([]byte, 255)},
			forms(FormBlock1, FormBlock1, FormBlock1, FormBlock1)},
		{Attr{Name: AttrDiscrList, Form: FormBlock1, Class: ClassBlock, Bytes: make([]byte, 256)},
			forms(FormBlock, FormBlock, FormBlock, FormBlock)},
		{Attr{Name: AttrDiscrList, Form: FormBlock2, Class: ClassBlock, Bytes: make([]byte, 256)},
			forms(FormBlock2, FormBlock2, FormBlock2, FormBlock2)},
		{Attr{Name: AttrDiscrList, Form: FormBlock4, Class: ClassBlock, Bytes: []byte{1}},
			forms(FormBlock4, FormBlock4, FormBlock4, FormBlock4)},
		{ExprAttr(AttrLocation, []byte{0x31}), forms(FormBlock1, FormBlock1, FormExprloc, FormExprloc)},
		{ExprAttr(AttrLocation, bytes.Repeat([]byte{0x96}, 256)),
			forms(FormBlock, FormBlock, FormExprloc, FormExprloc)},
		{FlagAttr(AttrExternal), forms(FormFlag, FormFlag, FormFlagPresent, FormFlagPresent)},
		{Attr{Name: AttrExternal, Form: FormFlag, Class: ClassFlag}, forms(FormFlag, FormFlag, FormFlag,
			FormFlag)},
		{StringAttr(AttrName, "s"), forms(FormStrp, FormStrp, FormStrp, FormStrp)},
		{Attr{Name: AttrName, Form: FormString, Class: ClassString, Bytes: []byte("s")},
			forms(FormString, FormString, FormString, FormString)},
		{Attr{Name: AttrName, Form: FormLineStrp, Class: ClassString, Bytes: []byte("s")},
			forms(FormStrp, FormStrp, FormStrp, FormLineStrp)},
		{Attr{Name: AttrName, Form: FormStrx1, Class: ClassString, Bytes: []byte("s")},
			forms(FormStrp, FormStrp, FormStrp, FormStrp)},
		{Attr{Name: AttrType, Form: FormRefSig8, Class: ClassReferenceSig, Val: 1 << 60},
			forms(0, 0, FormRefSig8, FormRefSig8)},
		{Attr{Name: AttrType, Form: FormRefSup4, Class: ClassReferenceSup, Val: 9},
			forms(FormRefSup4, FormRefSup4, FormRefSup4, FormRefSup4)},
		{Attr{Name: AttrType, Form: FormRefSup8, Class: ClassReferenceSup, Val: 9},
			forms(FormRefSup8, FormRefSup8, FormRefSup8, FormRefSup8)},
		{Attr{Name: AttrType, Form: FormGNURefAlt, Class: ClassReferenceSup, Val: 9},
			forms(FormGNURefAlt, FormGNURefAlt, FormGNURefAlt, FormGNURefAlt)},
		{Attr{Name: AttrName, Form: FormStrpSup, Class: ClassStringSup, Val: 9},
			forms(FormStrpSup, FormStrpSup, FormStrpSup, FormStrpSup)},
		{Attr{Name: AttrName, Form: FormGNUStrpAlt, Class: ClassStringSup, Val: 9},
			forms(FormGNUStrpAlt, FormGNUStrpAlt, FormGNUStrpAlt, FormGNUStrpAlt)},
		{Attr{Name: AttrType, Form: FormRef4, Class: ClassReferenceSup, Val: 9}, forms(0, 0, 0, 0)},
		{constant(FormData1, 0x100), forms(0, 0, 0, 0)},
		{constant(FormData4, 1<<32), forms(0, 0, 0, 0)},
		{Attr{Name: AttrConstValue, Form: FormData16, Class: ClassConstant, Bytes: sixteen[1:]},
			forms(0, 0, 0, 0)},
		{UintAttr(AttrHighPC, 0x40), forms(0, 0, FormUdata, FormUdata)},
		{Attr{Name: AttrType, Form: FormRef4, Class: ClassReference, Val: 9}, forms(0, 0, 0, 0)},
		{Attr{Name: AttrLocation, Class: ClassLocList}, forms(0, 0, 0, 0)},
		{Attr{Name: AttrRanges, Class: ClassRngList}, forms(0, 0, 0, 0)},
	} {
		for i, want := range c.want {
			checkForm(t, uint16(i+2), c.attr, want)
		}
	}
}

// checkForm writes an attribute and reads it: it has the form wanted, and says what it said. Form 0 is an
// error.
func checkForm(t *testing.T, version uint16, a Attr, want Form) {
	t.Helper()
	root := NewDIE(TagCompileUnit, a)
	root.Add(NewDIE(TagBaseType, UintAttr(AttrByteSize, 77))) // to see that what follows is read
	s, err := Write([]*OutUnit{{Version: version, AddrSize: 8, Root: root}}, WriteOptions{})
	if err != nil || want == 0 {
		if (err == nil) != (want != 0) {
			t.Errorf("%v, %v in version %d: error %v", a.Name, a.Form, version, err)
		}
		return
	}
	d, err := New(sectionsFrom(s), Options{})
	if err != nil {
		t.Fatal(err)
	}
	read, err := d.Units()[0].Root()
	if err != nil || len(read.Children) != 1 {
		t.Fatalf("%v, %v in version %d: %v", a.Name, a.Form, version, err)
	}
	if v, _ := read.Children[0].Uint(AttrByteSize); v != 77 {
		t.Errorf("%v, %v in version %d: what follows it is %d, want 77", a.Name, a.Form, version, v)
	}
	got := read.Attrs[0]
	if got.Form != want || !bytes.Equal(got.Bytes, a.Bytes) || a.Class != ClassString && got.Val != a.Val {
		t.Errorf("%v, %v in version %d: %v with %d and % x, want %v with %d and % x", a.Name, a.Form, version,
			got.Form, got.Val, got.Bytes, want, a.Val, a.Bytes)
	}
}

// TestHighPC: before version 4 DW_AT_high_pc is an address.
func TestHighPC(t *testing.T) {
	for version := uint16(2); version <= 5; version++ {
		d, err := New(sectionsFrom(written(t, []*OutUnit{exampleUnit(version)}, WriteOptions{})), Options{})
		if err != nil {
			t.Fatal(err)
		}
		top, err := d.Units()[0].Top()
		if err != nil {
			t.Fatal(err)
		}
		a, _ := top.Attr(AttrHighPC)
		want := Attr{Class: ClassConstant, Val: 0x40}
		if version < 4 {
			want = Attr{Class: ClassAddress, Val: 0x401040}
		}
		if r, ok := top.LowHigh(); a.Class != want.Class || a.Val != want.Val || !ok ||
			r != (Range{0x401000, 0x401040}) {
			t.Errorf("version %d: %v 0x%x, %v", version, a.Class, a.Val, r)
		}
	}
}

// TestOtherUnit writes a reference to an entry of another unit: since version 3 an offset, before an address.
func TestOtherUnit(t *testing.T) {
	for version := uint16(2); version <= 5; version++ {
		for _, size := range []uint8{4, 8} {
			first, second := exampleUnit(version), exampleUnit(version)
			second.AddrSize = size
			second.Root.Children[0].Set(RefAttr(AttrType, first.Root.Children[3]))
			d, err := New(sectionsFrom(written(t, []*OutUnit{first, second}, WriteOptions{})), Options{})
			if err != nil {
				t.Fatal(err)
			}
			root, err := d.Units()[1].Root()
			if err != nil {
				t.Fatal(err)
			}
			a, _ := root.Children[0].Attr(AttrType)
			target := root.Children[0].TypeDIE()
			if a.Form != FormRefAddr || target == nil || target.Name() != "node" ||
				target.Unit != d.Units()[0] {
				t.Errorf("version %d: %v to %v", version, a.Form, target)
			}
		}
	}
}

// TestWriteAddrs writes a part of .debug_addr, which expressions have indexes of.
func TestWriteAddrs(t *testing.T) {
	for _, is64 := range []bool{false, true} {
		for _, size := range []uint8{4, 8} {
			first, second := exampleUnit(5), exampleUnit(5)
			first.Addrs = []uint64{1}
			second.Addrs, second.AddrSize, second.Is64 = []uint64{0x1000, 0x80000000}, size, is64
			d, err := New(sectionsFrom(written(t, []*OutUnit{first, second}, WriteOptions{})), Options{})
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range [][]uint64{first.Addrs, second.Addrs} {
				if got, err := d.Units()[i].Addrs(); err != nil || !slices.Equal(got, want) {
					t.Errorf("unit %d: %x, %v; want %x", i, got, err, want)
				}
			}
			units, err := Copy(d.Units(), CopyOptions{})
			if err != nil || !slices.Equal(units[1].Addrs, second.Addrs) {
				t.Errorf("the copy has the addresses %x, %v", units[1].Addrs, err)
			}
			again, err := New(sectionsFrom(written(t, units, WriteOptions{})), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got, err := again.Units()[1].Addrs(); err != nil || !slices.Equal(got, second.Addrs) {
				t.Errorf("the copy, written: %x, %v; want %x", got, err, second.Addrs)
			}
		}
	}
}

// TestWriteLists writes what the lists of a version cannot have as it is: addresses below those of the unit,
// entries that would end the list, empty ranges.
func TestWriteLists(t *testing.T) {
	for _, version := range []uint16{4, 5} {
		for _, size := range []uint8{4, 8} {
			u := exampleUnit(version) // from 0x401000 on
			u.AddrSize = size
			locs := []LocEntry{{Low: 0x400000, High: 0x400010, Expr: []byte{0x31}},
				{Low: 0x402000, High: 0x402000, Expr: []byte{0x32}}, {Low: 0x402000, High: 0x402010},
				{Low: 9, High: 8, Expr: []byte{0x33}}}
			u.Root.Children[0].Children[1].Set(LocListAttr(AttrLocation, locs))
			above := []LocEntry{{Low: 0x401000, High: 0x401000, Expr: []byte{0x34}},
				{Low: 0x401004, High: 0x401008, Expr: []byte{0x35}}}
			u.Root.Children[0].Children[0].Set(LocListAttr(AttrLocation, above))
			u.Root.Children[0].Children[2].Set(RangesAttr([]Range{{0x401010, 0x401010}, {0x400000, 0x400004},
				{0x401008, 0x401004}, {0x401020, 0x401024}}))
			d, err := New(sectionsFrom(written(t, []*OutUnit{u}, WriteOptions{})), Options{})
			if err != nil {
				t.Fatal(err)
			}
			r := d.Units()[0]
			root, err := r.Root()
			if err != nil {
				t.Fatal(err)
			}
			kernel := root.Children[0]
			first, _ := kernel.Children[0].Attr(AttrLocation)
			second, _ := kernel.Children[1].Attr(AttrLocation)
			ranges, _ := kernel.Children[2].Attr(AttrRanges)
			empty := "401000-401000:34 "
			if version < 5 { // which would end the list
				empty = ""
			}
			want := []string{empty + "401004-401008:35",
				"400000-400010:31 402000-402000:32 402000-402010:", "400000-400004 401020-401024"}
			got := []string{addressesOf(t, r, first), addressesOf(t, r, second), addressesOf(t, r, ranges)}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("version %d, addresses of %d bytes (-want +got):\n%s", version, size, diff)
			}
		}
	}
	u := exampleUnit(4)
	u.Root.Children[0].Children[1].Set(LocListAttr(AttrLocation, []LocEntry{{Low: 0x401000, High: 0x401004,
		Expr: make([]byte, 0x10000)}}))
	if _, err := Write([]*OutUnit{u}, WriteOptions{}); err == nil || !strings.Contains(err.Error(), "65535") {
		t.Errorf("an expression of 65536 bytes in version 4: error %v", err)
	}
}

// TestAranges writes which addresses each unit has (DWARF 5 section 6.1.2), in pairs that are aligned.
func TestAranges(t *testing.T) {
	for _, size := range []uint8{4, 8} {
		for _, is64 := range []bool{false, true} {
			withRanges, whole, functions := exampleUnit(5), exampleUnit(5), exampleUnit(5)
			withRanges.Root.Delete(AttrLowPC, AttrHighPC)
			withRanges.Root.Set(RangesAttr([]Range{{0x1000, 0x1010}, {0x2000, 0x2020}}))
			functions.Root.Delete(AttrLowPC, AttrHighPC)
			functions.Root.Children[0].Set(AddressAttr(AttrLowPC, 0x3000))
			none := &OutUnit{Version: 5, AddrSize: 8, Root: NewDIE(TagCompileUnit)}
			units := []*OutUnit{withRanges, whole, none, functions}
			for _, u := range units {
				u.AddrSize, u.Is64 = size, is64
			}
			sections := written(t, units, WriteOptions{})
			d, err := New(sectionsFrom(sections), Options{})
			if err != nil {
				t.Fatal(err)
			}
			var want asm
			for i, pairs := range [][]uint64{{0x1000, 0x10, 0x2000, 0x20}, {0x401000, 0x40}, nil,
				{0x3000, 0x40}} {
				if pairs == nil {
					continue
				}
				var set asm
				set.fixed(2, 2).fixed(whole.offsetSize(), d.Units()[i].Offset).u8(size, 0)
				head := 4
				if is64 {
					head = 12
				}
				for (head+len(set.b))%(2*int(size)) != 0 {
					set.u8(0)
				}
				set.fixed(int(size), append(pairs, 0, 0)...)
				if is64 {
					want.fixed(4, 0xffffffff)
				}
				want.fixed(whole.offsetSize(), uint64(len(set.b))).bytes(set.b)
			}
			if diff := cmp.Diff(want.b, sections[".debug_aranges"]); diff != "" {
				t.Errorf("addresses of %d bytes, 64-bit %v (-want +got):\n%s", size, is64, diff)
			}
		}
	}
}

// TestCopyWithout leaves units out, and attributes whose expressions refer to entries that are left out.
func TestCopyWithout(t *testing.T) {
	d, err := New(sectionsFrom(written(t, []*OutUnit{exampleUnit(5), exampleUnit(5)}, WriteOptions{})),
		Options{})
	if err != nil {
		t.Fatal(err)
	}
	lost := ""
	expr := func(u *Unit, code []byte) ([]byte, []ExprRef) {
		root, err := u.Root()
		if err != nil || lost == "" {
			return code, nil
		}
		var target *DIE
		for _, c := range root.Children {
			if c.Name() == lost {
				target = c
			}
		}
		return append(bytes.Clone(code), 0, 0, 0, 0), []ExprRef{{Pos: len(code), Size: 4, Kind: RefUnitFixed,
			Target: target}}
	}
	for _, c := range []struct {
		lost string // what expressions refer to
		has  bool   // the entries have their locations
	}{{"", true}, {"int", true}, {"node", false}, {"nothing", false}} {
		lost = c.lost
		units, err := Copy(d.Units(), CopyOptions{Expr: expr, Edit: func(src, dst *DIE) bool {
			return src.Name() != "node" && (src.Tag != TagCompileUnit || src.Unit != d.Units()[0])
		}})
		if err != nil || len(units) != 1 {
			t.Fatalf("%d units, %v; want one", len(units), err)
		}
		kernel := units[0].Root.Children[0]
		_, inAttr := kernel.Children[0].Attr(AttrLocation)
		_, inList := kernel.Children[1].Attr(AttrLocation)
		if inAttr != c.has || inList != c.has {
			t.Errorf("expressions that refer to %q: an attribute %v, a list %v, want %v", c.lost, inAttr,
				inList, c.has)
		}
		if _, err := Write(units, WriteOptions{}); err != nil {
			t.Error(err)
		}
	}
}

// TestWriteErrorsOfUnits gives Write units that are none.
func TestWriteErrorsOfUnits(t *testing.T) {
	for want, change := range map[string]func(u *OutUnit){
		"type unit of version 3": func(u *OutUnit) { u.Version, u.Type, u.TypeDIE = 3, UnitType, u.Root },
		"version 1":              func(u *OutUnit) { u.Version = 1 },
		"macro entry of kind 0x9": func(u *OutUnit) {
			u.Macros = []Macro{{Kind: 9}}
		},
		"no unit to read it from": func(u *OutUnit) {
			u.Root.Set(Attr{Name: AttrRanges, Class: ClassRngList})
		},
		"where no entry is": func(u *OutUnit) {
			u.Root.Set(Attr{Name: AttrType, Class: ClassReference, Val: 12})
		},
		"there is no DW_AT_low_pc": func(u *OutUnit) {
			u.Version, u.Lines = 3, nil
			u.Root.Children[1].Set(UintAttr(AttrHighPC, 8))
		},
	} {
		u := exampleUnit(5)
		change(u)
		if _, err := Write([]*OutUnit{u}, WriteOptions{}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}
