package symfile

import (
	"bytes"
	"debug/dwarf"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	dwarfs "simtgdb/dwarf"
	"simtgdb/dwarf/expr"
	"simtgdb/dwarf/objfile"
	"simtgdb/loader"
	"simtgdb/loader/amdgpu"
	arch "simtgdb/stub/arch/amdgpu"
	"simtgdb/stub/facade"
	"simtgdb/stub/source"
)

var testLayout = Layout{Stride: 1 << 24, Low: 4096, Dispatch: 0xe << 60}

func objects(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("../../testdata/co/*.co")
	if err != nil || len(files) == 0 {
		t.Fatalf("no code objects: %v", err)
	}
	return files
}

func build(t testing.TB, file string) (*loader.Module, *File) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m, err := amdgpu.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	l := testLayout
	l.Kernel = m.Kernels[0].Entry
	d, err := source.Data(m)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Build(m, d, arch.New(m.Target.Name), facade.Host(), l)
	if err != nil {
		t.Fatal(err)
	}
	return m, f
}

// TestStandardReaders has every symbol file read by the standard library, and
// compares the functions it finds with the module's symbols.
func TestStandardReaders(t *testing.T) {
	for _, file := range objects(t) {
		m, f := build(t, file)
		if len(f.Complaints) > 0 {
			t.Errorf("%s: %v", file, f.Complaints)
		}
		e, err := elf.NewFile(bytes.NewReader(f.ELF))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		d, err := e.DWARF()
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		low := map[uint64]bool{}
		for r := d.Reader(); ; {
			entry, err := r.Next()
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			if entry == nil {
				break
			}
			if pc, ok := entry.Val(dwarf.AttrLowpc).(uint64); ok && entry.Tag == dwarf.TagSubprogram {
				low[pc] = true
			}
			for _, field := range entry.Field {
				if uint32(field.Attr) >= firstVendorAttr && uint32(field.Attr) <= lastVendorAttr {
					t.Errorf("%s: entry at %#x still has attribute %v", file, entry.Offset, field.Attr)
				}
			}
		}
		for _, s := range m.Symbols {
			if s.Kind == loader.SymbolFunc && !low[s.Addr] {
				t.Errorf("%s: no subprogram begins at %s, %#x", file, s.Name, s.Addr)
			}
		}
	}
}

// TestVerify has llvm-dwarfdump judge the translated information.
func TestVerify(t *testing.T) {
	if _, err := exec.LookPath("llvm-dwarfdump-22"); err != nil {
		t.Skipf("skipped: %v", err)
	}
	for _, file := range objects(t) {
		_, f := build(t, file)
		elf := filepath.Join(t.TempDir(), "kernel")
		if err := os.WriteFile(elf, f.ELF, 0o666); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("llvm-dwarfdump-22", "--verify", elf).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", file, err, out)
		}
	}
}

// TestSlots checks that slots and objects have places of their own.
func TestSlots(t *testing.T) {
	for _, file := range objects(t) {
		_, f := build(t, file)
		for i, s := range f.Slots {
			n := 0
			for j, at := range f.SlotsIn(s.At, s.At+8) {
				if j != i || at != s.At {
					t.Errorf("%s: slot %d at %#x is found as %d at %#x", file, i, s.At, j, at)
				}
				n++
			}
			if n != 1 {
				t.Errorf("%s: %d slots at %#x", file, n, s.At)
			}
			if s.Size == 0 {
				t.Errorf("%s: %s has no size", file, s.Name)
				continue
			}
			for _, from := range []int64{0, int64(min(s.Size, maxInFrame)) - 1} {
				if j, at, ok := f.ObjectAt(s.Object + from); !ok || j != i || at != from {
					t.Errorf("%s: byte %d of object %d is found as byte %d of %d", file, from, i, at, j)
				}
			}
		}
		if _, _, ok := f.ObjectAt(slotBase); ok {
			t.Errorf("%s: an object lies among the slots", file)
		}
	}
}

// TestWithoutDebugInformation builds from a module that has none.
func TestWithoutDebugInformation(t *testing.T) {
	if _, err := exec.LookPath("llvm-objcopy-22"); err != nil {
		t.Skipf("skipped: %v", err)
	}
	out := filepath.Join(t.TempDir(), "stripped.co")
	if b, err := exec.Command("llvm-objcopy-22", "--strip-debug", "../../testdata/co/demo.gfx90a.O0.co",
		out).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, b)
	}
	_, f := build(t, out)
	e, err := elf.NewFile(bytes.NewReader(f.ELF))
	if err != nil {
		t.Fatal(err)
	}
	symbols, err := e.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range symbols {
		names = append(names, s.Name)
	}
	if all := strings.Join(names, " "); !strings.Contains(all, "demo") ||
		!strings.Contains(all, mainName) || e.Section(".debug_frame") == nil {
		t.Errorf("symbols %s, .debug_frame %v", all, e.Section(".debug_frame"))
	}
}

// FuzzBuild translates damaged modules: whatever the loader takes gets a
// symbol file or an error.
func FuzzBuild(f *testing.F) {
	for _, name := range []string{"demo.gfx90a.O0", "calls.gfx942.O2", "reduce_cl.gfx900.O0"} {
		data, err := os.ReadFile("../../testdata/co/" + name + ".co")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, uint32(0x2000), byte(0xff))
	}
	f.Fuzz(func(t *testing.T, data []byte, at uint32, with byte) {
		if len(data) == 0 {
			return
		}
		data = bytes.Clone(data)
		data[int(at)%len(data)] ^= with
		m, err := amdgpu.Open(data)
		if err != nil {
			return
		}
		if d, err := source.Data(m); err == nil {
			Build(m, d, arch.New(m.Target.Name), facade.Host(), testLayout)
		}
	})
}

// TestLocationOfUnit translates a unit whose first entry is, by a damaged
// abbreviation, a variable in a register with a pointer into LDS for its type.
func TestLocationOfUnit(t *testing.T) {
	pointer := dwarfs.NewDIE(dwarfs.TagPointerType, dwarfs.UintAttr(dwarfs.AttrAddressClass, expr.SpaceLocal))
	variable := dwarfs.NewDIE(dwarfs.TagVariable, dwarfs.RefAttr(dwarfs.AttrType, pointer),
		dwarfs.ExprAttr(dwarfs.AttrLocation, []byte{expr.OpReg0}))
	variable.Add(pointer)
	f := translated(t, variable)
	if len(f.Slots) != 1 || !f.Slots[0].Pointer {
		t.Fatalf("%+v; want one slot, of a pointer", f.Slots)
	}
}

// TestNarrowPointer translates a pointer into LDS and one into global memory, to the same type. gdb has one
// pointer type for each type: what the narrow one points to must be another.
func TestNarrowPointer(t *testing.T) {
	number := dwarfs.NewDIE(dwarfs.TagBaseType, dwarfs.StringAttr(dwarfs.AttrName, "int"),
		dwarfs.UintAttr(dwarfs.AttrByteSize, 4))
	narrow := dwarfs.NewDIE(dwarfs.TagPointerType, dwarfs.UintAttr(dwarfs.AttrAddressClass, expr.SpaceLocal),
		dwarfs.RefAttr(dwarfs.AttrType, number))
	wide := dwarfs.NewDIE(dwarfs.TagPointerType, dwarfs.RefAttr(dwarfs.AttrType, number))
	root := dwarfs.NewDIE(dwarfs.TagCompileUnit)
	root.Add(number, narrow, wide)
	o, err := objfile.Open(translated(t, root).ELF)
	if err != nil {
		t.Fatal(err)
	}
	d, err := o.Data()
	if err != nil {
		t.Fatal(err)
	}
	read, err := d.Units()[0].Root()
	if err != nil {
		t.Fatal(err)
	}
	var targets []*dwarfs.DIE
	for _, c := range read.Children {
		if c.Tag == dwarfs.TagPointerType {
			targets = append(targets, c.TypeDIE())
		}
	}
	if len(targets) != 2 || targets[0].Tag != dwarfs.TagTypedef || targets[0].Name() != "int" ||
		targets[0].TypeDIE() != targets[1] {
		t.Errorf("pointers to %v", targets)
	}
}

// TestKnownInPart translates locations of an object of twelve bytes. Parts that
// they leave out have no location in the translation either.
func TestKnownInPart(t *testing.T) {
	four := []byte{expr.OpBregx, 0x80, 0x14, 0, expr.OpLit0 + 1, expr.OpSwap, expr.OpXderef, expr.OpPiece, 4}
	const slot = "DW_OP_call_frame_cfa, DW_OP_plus_uconst 0x100, DW_OP_deref"
	for _, test := range []struct {
		name string
		code []byte
		want string
	}{
		{"all", slices.Concat(four, four, four), slot},
		{"the first", four, slot + ", DW_OP_plus_uconst 0x0, DW_OP_piece 0x4, DW_OP_piece 0x8"},
		{"the second", slices.Concat([]byte{expr.OpPiece, 4}, four),
			"DW_OP_piece 0x4, " + slot + ", DW_OP_plus_uconst 0x4, DW_OP_piece 0x4, DW_OP_piece 0x4"},
		{"too much", slices.Concat(four, four, four, four), slot},
		{"bits", []byte{expr.OpLit0, expr.OpStackValue, expr.OpBitPiece, 4, 0}, slot},
		{"one piece", []byte{expr.OpLit0, expr.OpStackValue}, slot},
		{"nothing", []byte{expr.OpPiece, 12}, "DW_OP_piece 0xc"},
	} {
		typ := dwarfs.NewDIE(dwarfs.TagStructureType, dwarfs.UintAttr(dwarfs.AttrByteSize, 12))
		root := dwarfs.NewDIE(dwarfs.TagCompileUnit)
		root.Add(typ, dwarfs.NewDIE(dwarfs.TagVariable, dwarfs.RefAttr(dwarfs.AttrType, typ),
			dwarfs.ExprAttr(dwarfs.AttrLocation, test.code)))
		f := translated(t, root)
		o, err := objfile.Open(f.ELF)
		if err != nil {
			t.Fatal(err)
		}
		d, err := o.Data()
		if err != nil {
			t.Fatal(err)
		}
		read, err := d.Units()[0].Root()
		if err != nil {
			t.Fatal(err)
		}
		location, _ := read.Child(dwarfs.TagVariable).Attr(dwarfs.AttrLocation)
		if got := (&expr.Printer{}).String(location.Bytes); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// translated makes the symbol file of an object with one unit.
func translated(t *testing.T, root *dwarfs.DIE) *File {
	t.Helper()
	sections, err := dwarfs.Write([]*dwarfs.OutUnit{{Version: 5, AddrSize: 8, Root: root}},
		dwarfs.WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := dwarfs.New(dwarfs.SectionsNamed(sections), dwarfs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, _ := build(t, objects(t)[0])
	f, err := Build(m, d, arch.New(m.Target.Name), facade.Host(), testLayout)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
