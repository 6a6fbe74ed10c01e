package symfile

import (
	"testing"

	"simtgdb/dwarf"
)

// TestLaunched reads the parameters of a kernel back: each is in the memory of arguments up to the end of the
// prologue, which clang's line tables say, and elsewhere from there on.
func TestLaunched(t *testing.T) {
	m, f := build(t, "../../testdata/co/vecadd.gfx90a.O0.co")
	entry := m.Kernels[0].Entry
	if f.prologue.Low != entry || f.prologue.High <= entry {
		t.Fatalf("the prologue is %#x", f.prologue)
	}
	found := 0
	for _, p := range f.Data.UnitAt(entry).FunctionAt(entry).Children {
		if p.Tag != dwarf.TagFormalParameter {
			continue
		}
		arg := &f.layout.Arguments[found]
		found++
		for pc, want := range map[uint64]bool{
			entry - 4: false, entry: true, f.prologue.High - 4: true, f.prologue.High: false,
		} {
			if addr, ok := f.InPrologue(p, pc); ok != want || ok && addr != arg.Addr {
				t.Errorf("%s at pc %#x: %#x, %v", p.Name(), pc, addr, ok)
			}
		}
		arg.Size++ // not what the variable holds
		if _, ok := f.InPrologue(p, entry); ok {
			t.Errorf("%s is taken from an argument of another size", p.Name())
		}
		arg.Size--
	}
	if found != len(f.layout.Arguments) {
		t.Errorf("%d parameters, %d arguments", found, len(f.layout.Arguments))
	}
}

// TestFits: a vector of three is an argument of four, whatever its type says of its size.
func TestFits(t *testing.T) {
	number := dwarf.NewDIE(dwarf.TagBaseType, dwarf.UintAttr(dwarf.AttrByteSize, 4))
	for _, c := range []struct {
		count     uint64
		vector    bool
		size, arg uint64
		want      bool
	}{{3, true, 12, 16, true}, {3, true, 16, 16, true}, {3, true, 12, 12, true}, {3, true, 12, 20, false},
		{3, false, 12, 16, false}, {4, true, 16, 16, true}, {2, true, 8, 16, false}} {
		array := dwarf.NewDIE(dwarf.TagArrayType, dwarf.RefAttr(dwarf.AttrType, number))
		if c.vector {
			array.Set(dwarf.FlagAttr(dwarf.AttrGNUVector))
		}
		array.Add(dwarf.NewDIE(dwarf.TagSubrangeType, dwarf.UintAttr(dwarf.AttrCount, c.count)))
		if got := fits(array, c.size, c.arg); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
}
