package symfile

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/dwarf"
	"simtgdb/loader"
)

// TestDropped: what the compiler says of calls, in expressions of the GPU's registers, gdb is not shown,
// whatever tags it has; other entries it is.
func TestDropped(t *testing.T) {
	f := dwarf.NewDIE(dwarf.TagSubprogram, append(code(0x1000, 0x40), name("f"))...)
	for tag, dropped := range map[dwarf.Tag]bool{dwarf.TagCallSite: true, dwarf.TagCallSiteParameter: true,
		dwarf.TagGNUCallSite: true, dwarf.TagGNUCallSiteParameter: true, dwarf.TagLabel: false,
		dwarf.TagVariable: false} {
		n := "kept"
		if dropped {
			n = "dropped"
		}
		f.Add(dwarf.NewDIE(tag, name(n)))
	}
	root := dwarf.NewDIE(dwarf.TagCompileUnit, append(code(0x1000, 0x100), name("a.cl"))...)
	root.Add(f)
	kept := 0
	translatedRoot(t, root).Walk(func(d *dwarf.DIE) bool {
		if d.Name() == "kept" {
			kept++
		} else if d.Name() == "dropped" {
			t.Errorf("there is a %v", d.Tag)
		}
		return true
	})
	if kept != 2 {
		t.Errorf("%d entries are kept, want 2", kept)
	}
}

// TestFunctions: code is cut where functions and kernels begin and end, from the beginning of its
// segment to its end.
func TestFunctions(t *testing.T) {
	symbol := func(addr, size uint64, kind loader.SymbolKind) loader.Symbol {
		return loader.Symbol{Addr: addr, Size: size, Kind: kind}
	}
	undefined := symbol(0x1c0, 4, loader.SymbolFunc)
	undefined.Undefined = true
	m := &loader.Module{Symbols: []loader.Symbol{symbol(0x120, 0x20, loader.SymbolFunc),
		symbol(0x160, 0x10, loader.SymbolObject), symbol(0x300, 8, loader.SymbolFunc), undefined},
		Kernels: []loader.Kernel{{Entry: 0x180}, {Entry: 0x400}}}
	want := []dwarf.Range{{Low: 0x100, High: 0x120}, {Low: 0x120, High: 0x140}, {Low: 0x140, High: 0x180},
		{Low: 0x180, High: 0x200}}
	if diff := cmp.Diff(want, functions(m, loader.Segment{Addr: 0x100, MemSize: 0x100})); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
