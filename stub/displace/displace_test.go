package displace_test

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

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

// linked is a code object that is relocated, with the type of its first relocation where it can be changed.
func linked(t *testing.T) (image []byte, f *elf.File, relocation int) {
	t.Helper()
	for _, name := range codeObjects(t) {
		m := open(t, name)
		if m == nil {
			continue
		}
		f, err := elf.NewFile(bytes.NewReader(m.Image))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range f.Sections {
			if s.Type == elf.SHT_RELA && s.Size > 0 && f.Type == elf.ET_DYN {
				return m.Image, f, int(s.Offset) + 8
			}
		}
	}
	t.Fatal("no code object has relocations")
	return nil, nil, 0
}

// program is where the header of the first segment of a type is in a file.
func program(f *elf.File, typ elf.ProgType) int {
	for i, p := range f.Progs {
		if p.Type == typ {
			return 64 + 56*i
		}
	}
	return -1
}

// TestHeaders looks at the numbers of the ELF file itself: which of them are addresses ELF says.
func TestHeaders(t *testing.T) {
	image, f, _ := linked(t)
	extent, err := displace.Of(image)
	if err != nil {
		t.Fatal(err)
	}
	data, err := displace.File(image, amdgpu.RelocRelative64, base)
	if err != nil {
		t.Fatal(err)
	}
	moved, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	by, empty, elsewhere := base-extent.Low, 0, 0
	for i, p := range f.Progs {
		want, is := p.ProgHeader, moved.Progs[i].ProgHeader
		if want.Memsz > 0 {
			want.Vaddr, want.Paddr = want.Vaddr+by, want.Paddr+by
		} else {
			empty++
		}
		if is != want {
			t.Errorf("segment %d: %+v, want %+v", i, is, want)
		}
	}
	for i, s := range f.Sections {
		want := s.Addr
		if s.Flags&elf.SHF_ALLOC != 0 {
			want += by
		} else {
			elsewhere++
		}
		if is := moved.Sections[i].Addr; is != want {
			t.Errorf("section %s at %#x, want %#x", s.Name, is, want)
		}
	}
	if empty == 0 || elsewhere < 2 {
		t.Errorf("%d segments without memory, %d sections without", empty, elsewhere)
	}
}

// TestChanged moves a file with one number changed, which is at a place in it; at another place in what
// comes out there is what is wanted.
func TestChanged(t *testing.T) {
	const entry, align, kind = 24, 48, 16
	image, f, relocation := linked(t)
	extent, err := displace.Of(image)
	if err != nil {
		t.Fatal(err)
	}
	dynamic := int(f.Progs[(program(f, elf.PT_DYNAMIC)-64)/56].Off)
	symbols := dynamic // the place of the symbol table's address, which is not the first
	for elf.DynTag(binary.LittleEndian.Uint64(image[symbols:])) != elf.DT_SYMTAB {
		symbols += 16
	}
	symbols += 8
	first := program(f, elf.PT_LOAD) + align
	by := base - extent.Low
	was := func(at int) uint64 { return binary.LittleEndian.Uint64(image[at:]) }
	for _, tt := range []struct {
		name    string
		at      int
		value   uint64
		look    int
		want    uint64
		isFixed bool // it is refused
		short   bool // the value has two bytes
	}{
		{name: "entry at nothing", at: entry, look: entry},
		{name: "entry at the end", at: entry, value: extent.High, look: entry, want: extent.High + by},
		{name: "entry behind", at: entry, value: extent.High + 1, look: entry, want: extent.High + 1},
		{name: "relative relocation", at: relocation, value: uint64(amdgpu.RelocRelative64),
			look: relocation + 8, want: was(relocation+8) + by},
		{name: "another relocation", at: relocation, value: 3, look: relocation + 8,
			want: was(relocation + 8)},
		{name: "dynamic section that ends", at: dynamic, value: uint64(elf.DT_NULL), look: symbols,
			want: was(symbols)},
		{name: "a hash", at: dynamic, value: uint64(elf.DT_HASH), look: dynamic + 8,
			want: was(dynamic+8) + by},
		{name: "relocated code", at: dynamic, value: uint64(elf.DT_TEXTREL), isFixed: true},
		{name: "odd alignment", at: first, value: 0x3000, isFixed: true},
		{name: "a program", at: kind, value: uint64(elf.ET_EXEC), isFixed: true, short: true},
	} {
		data := bytes.Clone(image)
		if tt.short {
			binary.LittleEndian.PutUint16(data[tt.at:], uint16(tt.value))
		} else {
			binary.LittleEndian.PutUint64(data[tt.at:], tt.value)
		}
		data, err := displace.File(data, amdgpu.RelocRelative64, base)
		if errors.Is(err, displace.ErrFixed) != tt.isFixed || err != nil && !tt.isFixed {
			t.Errorf("%s: error %v", tt.name, err)
		} else if err == nil {
			if is := binary.LittleEndian.Uint64(data[tt.look:]); is != tt.want {
				t.Errorf("%s: %#x, want %#x", tt.name, is, tt.want)
			}
		}
	}
	names := f.Sections[binary.LittleEndian.Uint16(image[62:])] // e_shstrndx
	data := bytes.Clone(image)
	copy(data[int(names.Offset)+bytes.Index(data[names.Offset:], []byte(".debug_line\x00")):], ".zdebug_lin")
	if _, err := displace.File(data, amdgpu.RelocRelative64, base); !errors.Is(err, displace.ErrFixed) {
		t.Errorf("sections in GNU's old compressed form: error %v", err)
	}
	data = bytes.Clone(image)
	binary.LittleEndian.PutUint64(data[first:], 2*extent.Align)
	if e, err := displace.Of(data); err != nil || e.Align != 2*extent.Align {
		t.Errorf("aligned to %#x, error %v, want %#x", e.Align, err, 2*extent.Align)
	}
}

// TestCompressed moves a file whose debugging information llvm-objcopy has compressed: it is that of the file
// that it has not.
func TestCompressed(t *testing.T) {
	tool, err := exec.LookPath("llvm-objcopy-22")
	if err != nil {
		t.Skip("skipped: llvm-objcopy-22 is not installed")
	}
	image, _, _ := linked(t)
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	if err := os.WriteFile(in, image, 0o666); err != nil {
		t.Fatal(err)
	}
	if b, err := exec.Command(tool, "--compress-debug-sections=zlib", in, out).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, b)
	}
	small, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var moved []map[string][]byte
	for _, data := range [][]byte{image, small} {
		data, err := displace.File(data, amdgpu.RelocRelative64, base)
		if err != nil {
			t.Fatal(err)
		}
		m, err := amdgpu.Open(data)
		if err != nil {
			t.Fatal(err)
		}
		if compressed(m) {
			t.Error("a section is still said to be compressed")
		}
		moved = append(moved, sections(t, m))
	}
	if m, err := amdgpu.Open(small); err != nil || !compressed(m) {
		t.Errorf("llvm-objcopy has compressed no section, %v", err)
	}
	if diff := cmp.Diff(moved[0], moved[1]); diff != "" {
		t.Errorf("(-as it was +compressed before):\n%s", diff)
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
