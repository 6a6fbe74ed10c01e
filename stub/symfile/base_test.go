package symfile

import (
	"testing"

	"simtgdb/dwarf"
)

// TestBaseAt: a base is that of the code around an address, and that of the kernel's arguments in its
// prologue alone.
func TestBaseAt(t *testing.T) {
	first, kernel, arguments := &Base{}, &Base{}, &Base{}
	f := &File{arguments: arguments, prologue: dwarf.Range{Low: 20, High: 35}, bases: []baseRange{
		{dwarf.Range{Low: 20, High: 40}, kernel}, {dwarf.Range{Low: 10, High: 20}, first}}}
	f.sortBases()
	for pc, want := range map[uint64]*Base{9: nil, 10: first, 19: first, 20: arguments,
		34: arguments, 35: kernel, 39: kernel, 40: nil} {
		if got := f.BaseAt(pc); got != want {
			t.Errorf("at %d there is %p, want %p", pc, got, want)
		}
	}
	f.arguments = nil
	if got := f.BaseAt(20); got != kernel {
		t.Errorf("without arguments the prologue has %p, want %p", got, kernel)
	}
}
