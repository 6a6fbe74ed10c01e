package dwarf

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"simtgdb/dwarf/internal/dwarftest"
	"simtgdb/dwarf/internal/section"
)

// asm puts together sections from numbers, LEB128 numbers and texts.
type asm struct{ buffer }

func (a *asm) u8(v ...byte) *asm { a.bytes(v); return a }
func (a *asm) leb(v ...uint64) *asm {
	for _, n := range v {
		a.uleb(n)
	}
	return a
}

func (a *asm) fixed(size int, v ...uint64) *asm {
	for _, n := range v {
		for i := range size {
			a.b = append(a.b, byte(n>>(8*i)))
		}
	}
	return a
}

// unit puts a unit header in front of entries.
func unit(version uint16, entries []byte) []byte {
	var a, h asm
	h.fixed(2, uint64(version))
	if version >= 5 {
		h.u8(1, 8).fixed(4, 0)
	} else {
		h.fixed(4, 0).u8(8)
	}
	h.bytes(entries)
	a.fixed(4, uint64(len(h.b)))
	return append(a.b, h.b...)
}

// oneEntry reads a unit of one entry with one attribute.
func oneEntry(t *testing.T, version uint16, name At, form Form, s Sections, value []byte) (*Unit, *DIE,
	error) {
	t.Helper()
	var abbrevs, entry asm
	abbrevs.leb(1, uint64(TagCompileUnit)).u8(0).leb(uint64(name), uint64(form))
	if form == FormImplicitConst {
		abbrevs.u8(0x7e)
	}
	// The bases come behind the attribute that needs them.
	for _, base := range []At{AttrStrOffsetsBase, AttrAddrBase, AttrRnglistsBase, AttrLoclistsBase} {
		abbrevs.leb(uint64(base), uint64(FormSecOffset))
	}
	abbrevs.u8(0, 0, 0)
	entry.leb(1).bytes(value)
	entry.fixed(4, 8, 8, 12, 12)
	s.Info, s.Abbrev = unit(version, entry.b), abbrevs.b
	d, err := New(s, Options{})
	if err != nil {
		return nil, nil, err
	}
	u := d.Units()[0]
	root, err := u.Root()
	return u, root, err
}

// TestForms reads one attribute of each form.
func TestForms(t *testing.T) {
	s := Sections{
		Str:        []byte("zero\x00one\x00"),
		LineStr:    []byte("\x00line\x00"),
		StrOffsets: new(asm).fixed(4, 0, 0).fixed(4, 5, 0).b,
		Addr:       new(asm).fixed(4, 0, 0).fixed(8, 0x1000, 0x2000).b,
		LocLists:   new(asm).fixed(4, 0, 0, 0).fixed(4, 8, 0x20).b,
		RngLists:   new(asm).fixed(4, 0, 0, 0).fixed(4, 8, 0x20).b,
	}
	text := func(v string) Attr { return Attr{Class: ClassString, Bytes: []byte(v)} }
	number := func(c Class, v uint64) Attr { return Attr{Class: c, Val: v} }
	for _, c := range []struct {
		form    Form
		name    At
		version uint16
		value   []byte
		want    Attr
	}{
		{FormAddr, AttrLowPC, 5, []byte{1, 2, 3, 4, 5, 6, 7, 8}, number(ClassAddress, 0x0807060504030201)},
		{FormAddrx, AttrLowPC, 5, []byte{1}, number(ClassAddress, 0x2000)},
		{FormAddrx1, AttrLowPC, 5, []byte{1}, number(ClassAddress, 0x2000)},
		{FormAddrx2, AttrLowPC, 5, []byte{1, 0}, number(ClassAddress, 0x2000)},
		{FormAddrx3, AttrLowPC, 5, []byte{0, 0, 0}, number(ClassAddress, 0x1000)},
		{FormAddrx4, AttrLowPC, 5, []byte{1, 0, 0, 0}, number(ClassAddress, 0x2000)},
		{FormGNUAddrIndex, AttrLowPC, 4, []byte{1}, number(ClassAddress, 0x2000)},
		{FormLLVMAddrxOffset, AttrLowPC, 5, []byte{1, 4, 0, 0, 0}, number(ClassAddress, 0x2004)},
		{FormBlock, AttrConstValue, 5, []byte{2, 7, 8}, Attr{Class: ClassBlock, Bytes: []byte{7, 8}}},
		{FormBlock1, AttrConstValue, 2, []byte{2, 7, 8}, Attr{Class: ClassBlock, Bytes: []byte{7, 8}}},
		{FormBlock2, AttrConstValue, 2, []byte{2, 0, 7, 8}, Attr{Class: ClassBlock, Bytes: []byte{7, 8}}},
		{FormBlock4, AttrConstValue, 2, []byte{2, 0, 0, 0, 7, 8},
			Attr{Class: ClassBlock, Bytes: []byte{7, 8}}},
		{FormBlock1, AttrLocation, 2, []byte{1, 0x30}, Attr{Class: ClassExprLoc, Bytes: []byte{0x30}}},
		{FormExprloc, AttrLocation, 4, []byte{1, 0x30}, Attr{Class: ClassExprLoc, Bytes: []byte{0x30}}},
		{FormData1, AttrByteSize, 5, []byte{0xff}, number(ClassConstant, 0xff)},
		{FormData2, AttrByteSize, 5, []byte{0xff, 1}, number(ClassConstant, 0x1ff)},
		{FormData4, AttrByteSize, 5, []byte{1, 0, 0, 0x80}, number(ClassConstant, 0x80000001)},
		{FormData8, AttrByteSize, 5, []byte{1, 0, 0, 0, 0, 0, 0, 0x80},
			number(ClassConstant, 0x8000000000000001)},
		{FormData16, AttrConstValue, 5, bytes.Repeat([]byte{9}, 16),
			Attr{Class: ClassConstant, Bytes: bytes.Repeat([]byte{9}, 16)}},
		{FormSdata, AttrConstValue, 5, []byte{0x7f}, number(ClassConstant, ^uint64(0))},
		{FormUdata, AttrConstValue, 5, []byte{0xff, 1}, number(ClassConstant, 0xff)},
		{FormImplicitConst, AttrConstValue, 5, nil, number(ClassConstant, ^uint64(1))},
		{FormFlag, AttrExternal, 5, []byte{1}, number(ClassFlag, 1)},
		{FormFlagPresent, AttrExternal, 5, nil, number(ClassFlag, 1)},
		{FormRef1, AttrType, 5, []byte{12}, number(ClassReference, 12)},
		{FormRef2, AttrType, 5, []byte{12, 0}, number(ClassReference, 12)},
		{FormRef4, AttrType, 5, []byte{12, 0, 0, 0}, number(ClassReference, 12)},
		{FormRef8, AttrType, 5, []byte{12, 0, 0, 0, 0, 0, 0, 0}, number(ClassReference, 12)},
		{FormRefUdata, AttrType, 5, []byte{12}, number(ClassReference, 12)},
		{FormRefAddr, AttrType, 5, []byte{12, 0, 0, 0}, number(ClassReference, 12)},
		{FormRefAddr, AttrType, 3, []byte{12, 0, 0, 0}, number(ClassReference, 12)},
		{FormRefAddr, AttrType, 2, []byte{12, 0, 0, 0, 0, 0, 0, 0}, number(ClassReference, 12)},
		{FormRefSig8, AttrType, 5, []byte{1, 0, 0, 0, 0, 0, 0, 2},
			number(ClassReferenceSig, 0x0200000000000001)},
		{FormRefSup4, AttrType, 5, []byte{1, 0, 0, 0}, number(ClassReferenceSup, 1)},
		{FormRefSup8, AttrType, 5, []byte{1, 0, 0, 0, 0, 0, 0, 0}, number(ClassReferenceSup, 1)},
		{FormGNURefAlt, AttrType, 4, []byte{1, 0, 0, 0}, number(ClassReferenceSup, 1)},
		{FormSecOffset, AttrStmtList, 5, []byte{1, 0, 0, 0}, number(ClassLinePtr, 1)},
		{FormSecOffset, AttrLocation, 5, []byte{1, 0, 0, 0}, number(ClassLocList, 1)},
		{FormSecOffset, AttrRanges, 5, []byte{1, 0, 0, 0}, number(ClassRngList, 1)},
		{FormSecOffset, AttrMacros, 5, []byte{1, 0, 0, 0}, number(ClassMacPtr, 1)},
		{FormSecOffset, AttrGNULocviews, 5, []byte{1, 0, 0, 0}, number(ClassSecOffset, 1)},
		{FormData4, AttrLocation, 3, []byte{1, 0, 0, 0}, number(ClassLocList, 1)},
		{FormData4, AttrStmtList, 2, []byte{1, 0, 0, 0}, number(ClassLinePtr, 1)},
		{FormData4, AttrDataMemberLocation, 4, []byte{1, 0, 0, 0}, number(ClassConstant, 1)},
		{FormData4, AttrStartScope, 3, []byte{1, 0, 0, 0}, number(ClassConstant, 1)},
		{FormString, AttrName, 5, []byte("here\x00"), text("here")},
		{FormStrp, AttrName, 5, []byte{5, 0, 0, 0}, text("one")},
		{FormLineStrp, AttrName, 5, []byte{1, 0, 0, 0}, text("line")},
		{FormStrx, AttrName, 5, []byte{1}, text("zero")},
		{FormStrx1, AttrName, 5, []byte{0}, text("one")},
		{FormStrx2, AttrName, 5, []byte{0, 0}, text("one")},
		{FormStrx3, AttrName, 5, []byte{1, 0, 0}, text("zero")},
		{FormStrx4, AttrName, 5, []byte{1, 0, 0, 0}, text("zero")},
		{FormGNUStrIndex, AttrName, 4, []byte{1}, text("zero")},
		{FormStrpSup, AttrName, 5, []byte{1, 0, 0, 0}, number(ClassStringSup, 1)},
		{FormGNUStrpAlt, AttrName, 4, []byte{1, 0, 0, 0}, number(ClassStringSup, 1)},
		{FormLoclistx, AttrLocation, 5, []byte{1}, number(ClassLocList, 0x2c)},
		{FormRnglistx, AttrRanges, 5, []byte{0}, number(ClassRngList, 0x14)},
	} {
		t.Run(fmt.Sprintf("%v in version %d", c.form, c.version), func(t *testing.T) {
			c.want.Name, c.want.Form = c.name, c.form
			opts := []cmp.Option{cmpopts.IgnoreUnexported(Attr{}), cmpopts.IgnoreFields(Attr{}, "Raw"),
				cmpopts.EquateEmpty()}
			if c.want.Class == ClassString {
				opts = append(opts, cmpopts.IgnoreFields(Attr{}, "Val"))
			}
			for _, indirect := range []bool{false, true} {
				form, value := c.form, c.value
				if indirect {
					form, value = FormIndirect, append(new(asm).leb(uint64(c.form)).b, c.value...)
					if c.form == FormImplicitConst {
						value = append(value, 0x7e)
					}
				}
				u, d, err := oneEntry(t, c.version, c.name, form, s, value)
				if err != nil {
					t.Fatal(err)
				}
				if complaints := u.Complaints(); len(complaints) > 0 {
					t.Error(complaints)
				}
				c.want.Indirect = indirect
				if diff := cmp.Diff(c.want, d.Attrs[0], opts...); diff != "" {
					t.Errorf("indirect %v (-want +got):\n%s", indirect, diff)
				}
			}
		})
	}
	for form := range formNames() {
		if form != FormIndirect && formClasses[form] == 0 {
			t.Errorf("%v has no class", form)
		}
	}
}

// TestComplaints gives numbers that lead nowhere: the unit stays usable.
func TestComplaints(t *testing.T) {
	for _, c := range []struct {
		form    Form
		name    At
		value   []byte
		section string
	}{
		{FormStrp, AttrName, []byte{99, 0, 0, 0}, ".debug_str"},
		{FormStrx1, AttrName, []byte{99}, ".debug_str_offsets"},
		{FormLineStrp, AttrName, []byte{1, 0, 0, 0}, ".debug_line_str"},
		{FormAddrx1, AttrLowPC, []byte{9}, ".debug_addr"},
		{FormLoclistx, AttrLocation, []byte{9}, ".debug_loclists"},
		{FormRnglistx, AttrRanges, []byte{9}, ".debug_rnglists"},
	} {
		u, d, err := oneEntry(t, 5, c.name, c.form, Sections{Str: []byte("x\x00")}, c.value)
		if err != nil || len(d.Attrs) != 5 {
			t.Errorf("%v: %v, want the entry with 5 attributes", c.form, err)
			continue
		}
		var e *Error
		if got := u.Complaints(); len(got) != 1 || !errors.As(got[0], &e) || e.Section != c.section {
			t.Errorf("%v: complaints %v, want one about %s", c.form, got, c.section)
		}
	}
}

// TestHeaderErrors gives broken units; the errors say where.
func TestHeaderErrors(t *testing.T) {
	good := unit(4, []byte{0})
	for _, c := range []struct {
		name   string
		info   []byte
		offset uint64
	}{
		{"cut in the length", good[:3], 0},
		{"cut in the header", []byte{2, 0, 0, 0, 4, 0}, 6},
		{"length too large", []byte{200, 0, 0, 0, 4, 0}, 4},
		{"reserved length", []byte{0xf5, 0xff, 0xff, 0xff, 4, 0}, 4},
		{"cut in the second unit", append(append([]byte{}, good...), 1), uint64(len(good))},
	} {
		_, err := New(Sections{Info: c.info}, Options{})
		var e *Error
		if !errors.As(err, &e) || e.Section != ".debug_info" || e.Offset != c.offset {
			t.Errorf("%s: error %v, want one of .debug_info at 0x%x", c.name, err, c.offset)
		}
	}
	padded := append(append([]byte{0, 0, 0, 0}, unit(9, []byte{0})...), good...)
	d, err := New(Sections{Info: padded}, Options{})
	if err != nil || len(d.Units()) != 1 || len(d.Complaints()) != 1 {
		t.Fatalf("padding, a unit of version 9 and one of version 4: %v, want one unit and one complaint",
			err)
	}
}

// TestTreeErrors gives broken entries; those before them are there.
func TestTreeErrors(t *testing.T) {
	abbrevs := new(asm).leb(1, uint64(TagCompileUnit)).u8(1, 0, 0).
		leb(2, uint64(TagBaseType)).u8(0).leb(uint64(AttrName), uint64(FormString)).u8(0, 0).
		leb(3, uint64(TagBaseType)).u8(0).leb(uint64(AttrName), uint64(FormIndirect)).u8(0, 0, 0).b
	for name, entries := range map[string][]byte{
		"unknown abbreviation":    {1, 2, 'a', 0, 9},
		"string without an end":   {1, 2, 'a', 0, 2, 'b'},
		"unknown form":            {1, 2, 'a', 0, 3, 0x7f},
		"indirect again":          {1, 2, 'a', 0, 3, 0x16, 0x16},
		"LEB128 number too large": append([]byte{1, 2, 'a', 0}, bytes.Repeat([]byte{0xff}, 12)...),
	} {
		d, err := New(Sections{Info: unit(4, entries), Abbrev: abbrevs}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		root, err := d.Units()[0].Root()
		var e *Error
		if !errors.As(err, &e) || e.Section != ".debug_info" || e.Offset < 15 {
			t.Errorf("%s: error %v, want one of .debug_info behind the first entries", name, err)
		}
		if root == nil || len(root.Children) != 1 || root.Children[0].Name() != "a" {
			t.Errorf("%s: the entry before the error is not there", name)
		}
	}
	for name, abbrevs := range map[string][]byte{
		"cut off":                 abbrevs[:len(abbrevs)-2],
		"code twice":              new(asm).leb(1, 1).u8(0, 0, 0).leb(1, 1).u8(0, 0, 0, 0).b,
		"unknown form":            new(asm).leb(1, 1).u8(0).leb(3, 0x7f).u8(0, 0, 0).b,
		"tag of more than 16 bit": new(asm).leb(1, 0x10000).u8(0, 0, 0, 0).b,
	} {
		d, err := New(Sections{Info: unit(4, []byte{1}), Abbrev: abbrevs}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = d.Units()[0].Root()
		var e *Error
		if !errors.As(err, &e) || e.Section != ".debug_abbrev" {
			t.Errorf("abbreviations %s: error %v, want one of .debug_abbrev", name, err)
		}
	}
}

// soon fails where f takes longer than any real object of the size could.
func soon(t *testing.T, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("no end in sight")
	}
}

// TestHostile gives files that are small and would cost much.
func TestHostile(t *testing.T) {
	deep := new(asm).leb(1, uint64(TagLexicalBlock)).u8(1, 0, 0, 0).b
	wide := new(asm).leb(1, uint64(TagCompileUnit)).u8(1)
	for range 100_000 {
		wide.leb(uint64(AttrExternal), uint64(FormFlagPresent))
	}
	wide.u8(0, 0, 0)
	named := new(asm).leb(1, uint64(TagNamespace)).u8(1).leb(uint64(AttrName), uint64(FormStrp)).u8(0, 0, 0).b
	many := bytes.Repeat([]byte{1}, 200_000)
	for name, s := range map[string]Sections{
		"nested without end":       {Abbrev: deep, Info: unit(4, many)},
		"attributes without bytes": {Abbrev: wide.b, Info: unit(4, many)},
		"one long string for each entry": {Abbrev: named,
			Info: unit(4, bytes.Repeat([]byte{1, 0, 0, 0, 0}, 100_000)),
			Str:  bytes.Repeat([]byte{'a'}, 10_000_000)},
	} {
		soon(t, func() {
			d, err := New(s, Options{})
			if err != nil {
				t.Errorf("%s: %v", name, err)
				return
			}
			_, err = d.Units()[0].Root()
			if err == nil {
				t.Errorf("%s: no error", name)
			}
		})
	}
	// Units that all start somewhere in one long abbreviation table.
	table := new(asm)
	for i := range 20_000 {
		table.leb(uint64(i)+1, uint64(TagBaseType)).u8(0, 0, 0)
	}
	var info []byte
	for i := range 20_000 {
		u := unit(4, []byte{1})
		copy(u[6:], new(asm).fixed(4, uint64(4*i)).b)
		info = append(info, u...)
	}
	soon(t, func() {
		d, err := New(Sections{Info: info, Abbrev: table.b}, Options{})
		if err != nil {
			t.Error(err)
			return
		}
		for _, u := range d.Units() {
			u.Root()
		}
	})
}

// TestHostileList copies many attributes that all have one long list: a sixteenth of what Copy allows is
// enough to see that there is an end.
func TestHostileList(t *testing.T) {
	var lists asm
	lists.fixed(4, 0, 0, 0)
	for range 10_000 {
		lists.u8(4, 1, 2, 1, 0x30)
	}
	lists.u8(0)
	abbrevs := new(asm).leb(1, uint64(TagCompileUnit)).u8(1, 0, 0).
		leb(2, uint64(TagVariable)).u8(0).leb(uint64(AttrLocation), uint64(FormSecOffset)).u8(0, 0, 0).b
	entries := append([]byte{1}, bytes.Repeat([]byte{2, 12, 0, 0, 0}, 10_000)...)
	d, err := New(Sections{Info: unit(5, entries), Abbrev: abbrevs, LocLists: lists.b}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	soon(t, func() {
		if _, err := copyUnits(d.Units(), CopyOptions{}, maxListEntries/16); err == nil ||
			!strings.Contains(err.Error(), "entries in all") {
			t.Errorf("Copy: error %v, want one about the number of entries", err)
		}
	})
}

// useAll calls everything that reads, for the fuzz targets.
func useAll(t *testing.T, d *Data) {
	t.Helper()
	for _, u := range d.Units() {
		root, _ := u.Root()
		u.Name()
		u.Language()
		u.TypeDIE()
		if _, err := u.Ranges(); err == nil {
			u.ScopesAt(0x10)
		}
		u.Addrs()
		u.FileName(1)
		if root == nil {
			continue
		}
		root.Walk(func(e *DIE) bool {
			e.Name()
			e.LinkageName()
			e.Origin()
			e.Ranges()
			for _, a := range e.Attrs {
				if a.Class == ClassLocList || a.Class == ClassRngList {
					u.ListEntries(a)
				}
				u.LocList(a)
				e.Ref(a.Name)
			}
			return true
		})
	}
	d.UnitAt(0x10)
}

// TestDamaged reads what compilers write with some bytes changed.
func TestDamaged(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, b := range []dwarftest.Build{
		{Name: "gcc -gdwarf-2 -O2", Tool: "gcc", Args: []string{"-gdwarf-2", "-O2"}, Source: "shapes.c"},
		{Name: "g++ -gdwarf-4 -fdebug-types-section -O2", Tool: "g++",
			Args: []string{"-gdwarf-4", "-fdebug-types-section", "-O2"}, Source: "shapes.cc"},
		{Name: "clang++-22 -gdwarf-5 -O2", Tool: "clang++-22", Args: []string{"-gdwarf-5", "-O2"},
			Source: "shapes.cc"},
	} {
		t.Run(b.Name, func(t *testing.T) {
			whole, o := sectionsOf(t, b.Make(t))
			for range 150 {
				s := whole
				parts := []*[]byte{&s.Info, &s.Abbrev, &s.Info, &s.Types, &s.StrOffsets, &s.Addr, &s.Line,
					&s.Loc, &s.LocLists, &s.Ranges, &s.RngLists}
				for range 1 + random.IntN(4) {
					part := parts[random.IntN(len(parts))]
					if len(*part) == 0 {
						continue
					}
					*part = bytes.Clone(*part)
					(*part)[random.IntN(len(*part))] = byte(random.Uint32())
				}
				d, err := New(s, o)
				if err != nil {
					continue
				}
				soon(t, func() {
					useAll(t, d)
					rewriteFuzzed(t, d, false)
				})
			}
		})
	}
}

// seedSections gives small sections with everything that Write makes.
func seedSections(f *testing.F, version uint16) Sections {
	f.Helper()
	out, err := Write([]*OutUnit{exampleUnit(version)}, WriteOptions{})
	if err != nil {
		f.Fatal(err)
	}
	return sectionsFrom(out)
}

func sectionsFrom(m map[string][]byte) Sections {
	return Sections{
		Info: m[".debug_info"], Types: m[".debug_types"], Abbrev: m[".debug_abbrev"], Str: m[".debug_str"],
		LineStr: m[".debug_line_str"], Addr: m[".debug_addr"], Line: m[".debug_line"], Loc: m[".debug_loc"],
		LocLists: m[".debug_loclists"], Ranges: m[".debug_ranges"], RngLists: m[".debug_rnglists"],
	}
}

func FuzzInfo(f *testing.F) {
	for version := uint16(2); version <= 5; version++ {
		s := seedSections(f, version)
		lists := append(bytes.Clone(s.Loc), s.LocLists...)
		f.Add(s.Info, s.Abbrev, s.Str, lists, append(bytes.Clone(s.Ranges), s.RngLists...), false)
	}
	f.Fuzz(func(t *testing.T, info, abbrev, str, loc, ranges []byte, big bool) {
		s := Sections{
			Info: info, Types: info, Abbrev: abbrev, Str: str, LineStr: str, StrOffsets: loc, Addr: ranges,
			Line: str,
			Loc:  loc, LocLists: loc, Ranges: ranges, RngLists: ranges,
		}
		d, err := New(s, Options{BigEndian: big})
		if err != nil {
			return
		}
		useAll(t, d)
		rewriteFuzzed(t, d, big)
	})
}

// rewriteFuzzed writes what was read and reads it again: it must have the same entries.
func rewriteFuzzed(t *testing.T, d *Data, big bool) {
	t.Helper()
	units, err := Copy(d.Units(), CopyOptions{})
	if err != nil {
		return
	}
	out, err := Write(units, WriteOptions{BigEndian: big})
	if err != nil {
		return
	}
	again, err := New(sectionsFrom(out), Options{BigEndian: big})
	if err != nil {
		t.Fatalf("what was written cannot be read: %v", err)
	}
	if got, want := len(again.Units()), len(units); got != want {
		t.Fatalf("%d units were written, %d are read", want, got)
	}
	for _, u := range again.Units() {
		if _, err := u.Root(); err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
	}
}

func FuzzLocList(f *testing.F) {
	f.Add([]byte{4, 1, 2, 1, 0x30, 5, 0, 0}, uint16(5), true)
	f.Add([]byte{6, 0, 0x10, 0, 0, 0, 0, 0, 0, 4, 0, 4, 2, 0x91, 0, 9, 1, 2, 7, 0, 0, 0, 0, 0, 0, 0, 0, 1,
		0, 0, 0, 0, 0, 0, 0, 0, 0}, uint16(5), true)
	f.Add([]byte{1, 0, 2, 0, 1, 1, 0x50, 3, 1, 4, 1, 0x51, 0}, uint16(5), true)
	f.Add(bytes.Repeat([]byte{1}, 64), uint16(4), true)
	f.Add([]byte{1, 0, 2, 0, 1, 3, 0, 8, 4, 0, 4, 0}, uint16(5), false)
	f.Fuzz(func(t *testing.T, data []byte, version uint16, locations bool) {
		version = 2 + version%4
		s := Sections{Loc: data, LocLists: data, Ranges: data, RngLists: data, Addr: data}
		u := &Unit{Data: &Data{sec: s}, Version: version, AddrSize: 8, topRead: true,
			bases: bases{hasAddr: true}}
		a := Attr{Name: AttrLocation, Class: ClassLocList}
		if !locations {
			a = Attr{Name: AttrRanges, Class: ClassRngList}
		}
		entries, err := u.ListEntries(a)
		if len(entries) > len(data) {
			t.Fatalf("%d entries in %d bytes", len(entries), len(data))
		}
		if err == nil && entries[len(entries)-1].Kind != ListEnd {
			t.Fatalf("the last entry is %v", entries[len(entries)-1].Kind)
		}
		u.LocList(a)
		u.RangeList(a)
	})
}

// TestReaderPositions checks that the sizes of forms are those of the standard: what follows an attribute
// is read from the right place.
func TestReaderPositions(t *testing.T) {
	u, root, err := oneEntry(t, 5, AttrName, FormString, Sections{}, []byte("x\x00"))
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := root.Uint(AttrLoclistsBase); got != 12 {
		t.Errorf("the attribute behind the first is 0x%x, want 12", got)
	}
	all := section.NewReader(".debug_info", u.Data.sec.Info, false)
	if uint64(all.Len()) != u.End {
		t.Errorf("the unit ends at 0x%x of 0x%x bytes", u.End, all.Len())
	}
}
