package displace_test

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"simtgdb/dwarf"
	"simtgdb/dwarf/cfi"
	"simtgdb/dwarf/expr"
	"simtgdb/loader"
	"simtgdb/loader/amdgpu"
	"simtgdb/stub/displace"
)

// codeObjects are all linked code objects of the tests' kernels.
func codeObjects(t testing.TB) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"*/*.co", "*/*/*.co"} {
		some, err := filepath.Glob(filepath.Join("..", "..", "testdata", pattern))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, some...)
	}
	if len(all) < 20 {
		t.Fatalf("%d code objects", len(all))
	}
	return all
}

// open opens a file, of a bundle the code for one processor.
func open(t testing.TB, name string) *loader.Module {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	m, err := amdgpu.OpenWith(data, loader.Options{})
	if err != nil || m.Image == nil {
		return nil
	}
	return m
}

const base = 0x2000_1234_0000

// TestDisplaced reads what was moved by the readers of symbols, kernels, debugging information, line tables
// and call frame information, and compares with what they read before.
func TestDisplaced(t *testing.T) {
	moved, globals := 0, 0
	for _, name := range codeObjects(t) {
		was := open(t, name)
		if was == nil {
			continue
		}
		extent, err := displace.Of(was.Image)
		if err != nil {
			continue
		}
		moved++
		data, err := displace.File(was.Image, amdgpu.RelocRelative64, base)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		is, err := amdgpu.Open(data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		c := &comparison{T: t, name: name, extent: extent, by: base - extent.Low}
		c.modules(was, is)
		c.debugging(sections(t, was), sections(t, is))
		globals += c.globals
		back, err := displace.File(data, amdgpu.RelocRelative64, extent.Low)
		if err != nil || !bytes.Equal(back, was.Image) && !compressed(was) {
			t.Errorf("%s: not the same when moved back, %v", name, err)
		}
	}
	if moved < 150 || globals < 10 {
		t.Errorf("%d files were moved, with %d variables", moved, globals)
	}
}

func compressed(m *loader.Module) bool {
	for _, s := range m.Sections {
		if s.Compressed != "" {
			return true
		}
	}
	return false
}

func sections(t *testing.T, m *loader.Module) map[string][]byte {
	t.Helper()
	all, err := m.DebugSections()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A comparison holds what was moved against what it was.
type comparison struct {
	*testing.T
	name   string
	extent displace.Extent
	by     uint64

	globals int // variables in global memory
}

// address compares an address, which has moved if it is one of the file.
func (c *comparison) address(what string, was, is uint64) {
	c.Helper()
	if was != 0 && was >= c.extent.Low && was <= c.extent.High {
		was += c.by
	}
	if is != was {
		c.Errorf("%s: %s: %#x, not %#x", c.name, what, is, was)
	}
}

func (c *comparison) modules(was, is *loader.Module) {
	for i, s := range was.Symbols {
		want := s.Addr
		if s.Section != "" && !s.Absolute && !s.Undefined { // others are in LDS, or nowhere
			want += c.by
		}
		if at := is.Symbols[i].Addr; at != want {
			c.Errorf("%s: symbol %s: %#x, was %#x", c.name, s.Name, at, s.Addr)
		}
	}
	for i, k := range was.Kernels {
		c.address("kernel "+k.Name, k.Entry, is.Kernels[i].Entry)
	}
	for i, s := range was.Segments {
		if is.Segments[i].Addr != s.Addr+c.by {
			c.Errorf("%s: segment %s at %#x", c.name, s.Name, is.Segments[i].Addr)
		}
	}
	image, err := was.Relocate(c.by, nil)
	if err != nil {
		return // it wants symbols of others
	}
	placed, err := is.Relocate(0, nil)
	if err != nil {
		c.Errorf("%s: %v", c.name, err)
		return
	}
	for i, s := range was.Sections { // a loader does not move those that only serve a dynamic linker
		if s.Addr == 0 || s.Type != "SHT_PROGBITS" {
			continue
		}
		a, b := placedAt(image, s.Addr+c.by, s.Size), placedAt(placed, s.Addr+c.by, s.Size)
		if is.Sections[i].Addr != s.Addr+c.by || !bytes.Equal(a, b) {
			c.Errorf("%s: section %s differs from what a loader makes of it", c.name, s.Name)
		}
	}
}

// placedAt is what segments have at some addresses.
func placedAt(image []loader.Segment, addr, size uint64) []byte {
	for i := range image {
		if s := &image[i]; s.Contains(addr, size) && addr-s.Addr+size <= uint64(len(s.Data)) {
			return s.Data[addr-s.Addr:][:size]
		}
	}
	return nil
}

func (c *comparison) debugging(was, is map[string][]byte) {
	if was[".debug_info"] == nil {
		return
	}
	a, err := dwarf.New(dwarf.SectionsNamed(was), dwarf.Options{})
	if err != nil {
		c.Fatal(err)
	}
	b, err := dwarf.New(dwarf.SectionsNamed(is), dwarf.Options{})
	if err != nil {
		c.Fatal(err)
	}
	for i, u := range a.Units() {
		c.unit(u, b.Units()[i])
	}
	before, err := cfi.Parse(was[".debug_frame"], cfi.Options{Arch: cfi.AMDGPU})
	after, err2 := cfi.Parse(is[".debug_frame"], cfi.Options{Arch: cfi.AMDGPU})
	if err != nil || err2 != nil {
		c.Fatal(err, err2)
	}
	for i, e := range before.Entries {
		if e.FDE != nil {
			c.address("a frame's function", e.FDE.Start, after.Entries[i].FDE.Start)
		}
	}
}

func (c *comparison) unit(was, is *dwarf.Unit) {
	lines, err := was.Lines()
	moved, err2 := is.Lines()
	if err != nil || err2 != nil {
		c.Fatal(c.name, err, err2)
	}
	if lines != nil {
		for i, r := range lines.Rows {
			c.address("a line", r.Addr, moved.Rows[i].Addr)
		}
	}
	before, err := was.Root()
	after, err2 := is.Root()
	if err != nil || err2 != nil {
		c.Fatal(c.name, err, err2)
	}
	c.entries(before, after)
}

func (c *comparison) entries(was, is *dwarf.DIE) {
	c.entry(was, is)
	for i, d := range was.Children {
		c.entries(d, is.Children[i])
	}
}

func (c *comparison) entry(was, is *dwarf.DIE) {
	for i, a := range was.Attrs {
		b := is.Attrs[i]
		switch a.Class {
		case dwarf.ClassAddress:
			if a.Val != 0 || a.Name != dwarf.AttrLowPC {
				c.address(a.Name.String(), a.Val, b.Val)
			}
		case dwarf.ClassExprLoc:
			if v, global := variable(was.Unit, a.Bytes); global {
				moved, _ := variable(is.Unit, b.Bytes)
				c.address(was.Name(), v, moved)
				c.globals++
			} else if !bytes.Equal(a.Bytes, b.Bytes) {
				c.Errorf("%s: %v of %s: %x, was %x", c.name, a.Name, was.Name(), b.Bytes, a.Bytes)
			}
		case dwarf.ClassLocList, dwarf.ClassRngList:
			var before, after []dwarf.Range
			err := was.Unit.EachListEntry(a, func(_ dwarf.ListEntry, r dwarf.Range) bool {
				before = append(before, r)
				return true
			})
			err2 := is.Unit.EachListEntry(b, func(_ dwarf.ListEntry, r dwarf.Range) bool {
				after = append(after, r)
				return true
			})
			if err != nil || err2 != nil || len(before) != len(after) {
				c.Errorf("%s: %v: %d and %d entries, %v, %v", c.name, a.Name, len(before), len(after), err,
					err2)
				continue
			}
			for j, r := range before {
				if r.Low < r.High { // others are nowhere
					c.address("the beginning of a range", r.Low, after[j].Low)
					c.address("the end of a range", r.High, after[j].High)
				}
			}
		}
	}
}

// variable is the address of an expression that is a variable's in global memory.
func variable(u *dwarf.Unit, code []byte) (addr uint64, global bool) {
	switch {
	case len(code) == 9 && code[0] == expr.OpAddr:
		return binary.LittleEndian.Uint64(code[1:]), true
	case len(code) == 2 && code[0] == expr.OpAddrx:
		v, err := u.Addr(uint64(code[1]))
		return v, err == nil
	}
	return 0, false
}

// TestFixed: what cannot be moved is refused.
func TestFixed(t *testing.T) {
	for _, data := range [][]byte{nil, []byte("no ELF file"), []byte(elf.ELFMAG)} {
		if _, err := displace.File(data, amdgpu.RelocRelative64, base); err == nil {
			t.Errorf("%q was moved", data)
		}
	}
	m := open(t, codeObjects(t)[0])
	if _, err := displace.File(m.Image, amdgpu.RelocRelative64, base+1); err == nil {
		t.Error("it was moved to an odd address")
	}
	if _, err := displace.File(m.Image, amdgpu.RelocRelative64, ^uint64(0xfff)); err == nil {
		t.Error("it was moved to the end of all addresses")
	}
}

// FuzzFile: whatever a file is, moving it ends without a panic.
func FuzzFile(f *testing.F) {
	const small = 12 << 10 // of larger ones few executions come in a minute
	for _, name := range codeObjects(f) {
		if m := open(f, name); m != nil && len(m.Image) <= small {
			f.Add(m.Image)
		}
	}
	f.Fuzz(func(_ *testing.T, data []byte) {
		_, _ = displace.File(data, amdgpu.RelocRelative64, base)
	})
}
