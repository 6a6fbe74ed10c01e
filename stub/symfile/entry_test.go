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
