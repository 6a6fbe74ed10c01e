package symfile

import (
	"bytes"
	"debug/dwarf"
	"debug/elf"
	"fmt"
	"maps"
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
	"simtgdb/loader/amdgpu/amdgputest"
	arch "simtgdb/stub/arch/amdgpu"
	"simtgdb/stub/facade"
	"simtgdb/stub/source"
	"simtgdb/testdata/sweep"
)

var testLayout = Layout{Stride: 1 << 24, Low: 4096, Dispatch: 0xe << 60}

// testArguments is where the arguments of kernels are.
const testArguments = 0x7e0000000000

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
	m := amdgputest.Open(t, file)
	return m, buildOf(t, m)
}

func buildOf(t testing.TB, m *loader.Module) *File {
	t.Helper()
	l := testLayout
	l.Kernel = m.Kernels[0].Entry
	for _, a := range m.Kernels[0].ExplicitArgs() {
		l.Arguments = append(l.Arguments, Argument{Addr: testArguments + a.Offset, Size: a.Size})
	}
	d, err := source.Data(m)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Build(m, d, arch.New(m.Target.Name), facade.Host(), l)
	if err != nil {
		t.Fatal(err)
	}
	return f
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
	for _, file := range sweep.Some(6, objects(t)...) {
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
	for _, file := range sweep.Some(4, objects(t)...) {
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

// TestOrderOfSymbols: a module whose symbols are in another order, as IGC writes them each time, is the same
// program to gdb.
func TestOrderOfSymbols(t *testing.T) {
	const file = "../../testdata/co/calls.gfx90a.O0.co"
	_, f := build(t, file)
	m := amdgputest.Open(t, file)
	if slices.Reverse(m.Symbols); len(m.Symbols) < 2 {
		t.Fatalf("%d symbols", len(m.Symbols))
	}
	if again := buildOf(t, m); !bytes.Equal(f.BuildID, again.BuildID) {
		t.Errorf("the build id is %x, and %x of the same symbols in another order", f.BuildID, again.BuildID)
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
	for _, name := range []string{"co/demo.gfx90a.O0", "co/calls.gfx942.O2", "co/reduce_cl.gfx900.O0",
		"co/reduce_cl.gfx90a.O2", "debug/co/narrow_pointers.O0", "debug/co/shared.O2"} {
		data, err := os.ReadFile("../../testdata/" + name + ".co")
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
	if len(f.Slots) != 1 || f.Slots[0].Pointers != 1 {
		t.Fatalf("%+v; want one slot, of a pointer", f.Slots)
	}
}

// TestNarrowPointer translates a pointer into an address space and one into global memory, to the same
// type. gdb has one pointer type for each type: what a narrow one points to must be another.
func TestNarrowPointer(t *testing.T) {
	for _, space := range []uint64{expr.SpaceLocal, expr.SpacePrivateLane, expr.SpaceRegion} {
		number := dwarfs.NewDIE(dwarfs.TagBaseType, dwarfs.StringAttr(dwarfs.AttrName, "int"),
			dwarfs.UintAttr(dwarfs.AttrByteSize, 4))
		narrow := dwarfs.NewDIE(dwarfs.TagPointerType, dwarfs.UintAttr(dwarfs.AttrAddressClass, space),
			dwarfs.RefAttr(dwarfs.AttrType, number))
		wide := dwarfs.NewDIE(dwarfs.TagPointerType, dwarfs.RefAttr(dwarfs.AttrType, number))
		root := dwarfs.NewDIE(dwarfs.TagCompileUnit)
		root.Add(number, narrow, wide)
		read := translatedRoot(t, root)
		sizes := map[*dwarfs.DIE]uint64{}
		for _, c := range read.Children {
			if c.Tag == dwarfs.TagPointerType {
				size, _ := c.Uint(dwarfs.AttrByteSize)
				if other, ok := sizes[c.TypeDIE()]; ok && other != size {
					t.Errorf("space %d: pointers of %d and of %d bytes to %v", space, size, other,
						c.TypeDIE())
				}
				sizes[c.TypeDIE()] = size
			}
		}
		if len(sizes) != 2 {
			t.Errorf("space %d: pointers to %v", space, sizes)
		}
	}
}

// TestKnownInPart translates locations of an object of twelve bytes. Parts that
// they leave out have no location in the translation either.
func TestKnownInPart(t *testing.T) {
	four := []byte{expr.OpBregx, 0x80, 0x14, 0, expr.OpLit0 + 1, expr.OpSwap, expr.OpXderef, expr.OpPiece, 4}
	slot := fmt.Sprintf("DW_OP_breg%d +0, DW_OP_plus_uconst 0x100, DW_OP_deref", facade.Host().Columns().SP)
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
		location, _ := translatedRoot(t, root).Child(dwarfs.TagVariable).Attr(dwarfs.AttrLocation)
		if got := (&expr.Printer{}).String(location.Bytes); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// fileData is the debugging information of a symbol file.
func fileData(f *File) (*dwarfs.Data, error) {
	o, err := objfile.Open(f.ELF)
	if err != nil {
		return nil, err
	}
	return o.Data()
}

// translatedRoot is the first entry that the symbol file of a unit has.
func translatedRoot(t *testing.T, root *dwarfs.DIE) *dwarfs.DIE {
	t.Helper()
	d, err := fileData(translated(t, root))
	if err != nil {
		t.Fatal(err)
	}
	read, err := d.Units()[0].Root()
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// translated makes the symbol file of an object with one unit.
func translated(t *testing.T, root *dwarfs.DIE) *File {
	t.Helper()
	return translatedAs(t, testLayout, &dwarfs.OutUnit{Version: 5, AddrSize: 8, Root: root})
}

func translatedAs(t *testing.T, l Layout, u *dwarfs.OutUnit) *File {
	t.Helper()
	sections, err := dwarfs.Write([]*dwarfs.OutUnit{u}, dwarfs.WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := dwarfs.New(dwarfs.SectionsNamed(sections), dwarfs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := amdgputest.Open(t, objects(t)[0])
	f, err := Build(m, d, arch.New(m.Target.Name), facade.Host(), l)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestNarrowPointers: only where memory has pointers of four bytes does gdb have to
// check conditions by itself; arguments are none of them.
func TestNarrowPointers(t *testing.T) {
	for object, want := range map[string]bool{
		"debug/co/narrow_pointers.O0.co": true, "debug/co/narrow_pointers.O2.co": true,
		"co/reduce_cl.gfx90a.O0.co": false, "debug/co/pointers.O0.co": false,
	} {
		if _, f := build(t, filepath.Join("../../testdata", object)); f.NarrowPointers != want {
			t.Errorf("%s: %v, want %v", object, f.NarrowPointers, want)
		}
	}
}

// TestArraysOfPointers: the variables that gdb is given as pointers of 64 bits.
func TestArraysOfPointers(t *testing.T) {
	_, f := build(t, "../../testdata/debug/co/narrow_pointers.O0.co")
	got := map[string]uint64{}
	for _, s := range f.Slots {
		if s.Pointers > 0 {
			got[s.Name] = s.Pointers
			if s.Size != 8*s.Pointers {
				t.Errorf("%s has %d bytes", s.Name, s.Size)
			}
		}
	}
	want := map[string]uint64{"head": 1, "n": 1, "rows": 2, "place": 1, "tail": 1, "none": 1}
	if !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestPointersOfLoop translates a variable whose type is an array of itself, which a damaged
// file may have.
func TestPointersOfLoop(t *testing.T) {
	array := dwarfs.NewDIE(dwarfs.TagArrayType)
	array.Set(dwarfs.RefAttr(dwarfs.AttrType, array))
	array.Add(dwarfs.NewDIE(dwarfs.TagSubrangeType, dwarfs.UintAttr(dwarfs.AttrCount, 1)))
	root := dwarfs.NewDIE(dwarfs.TagCompileUnit)
	root.Add(array, dwarfs.NewDIE(dwarfs.TagVariable, dwarfs.RefAttr(dwarfs.AttrType, array),
		dwarfs.ExprAttr(dwarfs.AttrLocation, []byte{expr.OpReg0})))
	if f := translated(t, root); len(f.Slots) != 1 || f.Slots[0].Pointers != 0 {
		t.Errorf("%+v; want one slot, of no pointers", f.Slots)
	}
}

// TestVectors: a vector has components by name where the source's language gives them names, which all
// producers of OpenCL C share, and is an array that behaves as one value in C and C++.
func TestVectors(t *testing.T) {
	names := map[uint64]string{2: "x y", 3: "x y z", 4: "x y z w", 8: "s0 s1 s2 s3 s4 s5 s6 s7",
		16: "s0 s1 s2 s3 s4 s5 s6 s7 s8 s9 sa sb sc sd se sf"}
	for _, language := range []uint64{dwarfs.LangOpenCL, dwarfs.LangCPlusPlus14, dwarfs.LangC99} {
		for n, want := range names {
			number := dwarfs.NewDIE(dwarfs.TagBaseType, dwarfs.StringAttr(dwarfs.AttrName, "float"),
				dwarfs.UintAttr(dwarfs.AttrByteSize, 4),
				dwarfs.UintAttr(dwarfs.AttrEncoding, dwarfs.ATEFloat))
			vector := dwarfs.NewDIE(dwarfs.TagArrayType, dwarfs.FlagAttr(dwarfs.AttrGNUVector),
				dwarfs.RefAttr(dwarfs.AttrType, number))
			vector.Add(dwarfs.NewDIE(dwarfs.TagSubrangeType, dwarfs.UintAttr(dwarfs.AttrCount, n)))
			root := dwarfs.NewDIE(dwarfs.TagCompileUnit, dwarfs.UintAttr(dwarfs.AttrLanguage, language))
			root.Add(number, vector)
			read := translatedRoot(t, root)
			var got []string
			for _, m := range read.Children[len(read.Children)-1].Children {
				if m.Tag == dwarfs.TagMember {
					got = append(got, m.Name())
				}
			}
			if language != dwarfs.LangOpenCL {
				want = ""
			}
			if strings.Join(got, " ") != want {
				t.Errorf("language %#x, %d components: %q, want %q", language, n, got, want)
			}
		}
	}
}
