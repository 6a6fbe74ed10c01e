package intelgt

import (
	"os"
	"strings"
	"testing"

	"simtgdb/dwarf"
	"simtgdb/dwarf/cfi"
	"simtgdb/loader"
	"simtgdb/simt"
)

// TestDebugOfKernels: what kernels of a patch-token file have of debug information each for itself is that of
// one module: units, lines and frames are where their kernel is.
func TestDebugOfKernels(t *testing.T) {
	m := openModule(t, programs+"debug/patch/pair-gen9.bin", simt.NewMemory())
	sections, err := m.DebugSections()
	if err != nil {
		t.Fatal(err)
	}
	data, err := dwarf.New(dwarf.SectionsNamed(sections), dwarf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	frames, err := cfi.Parse(sections[frameSection],
		cfi.Options{Arch: (&Arch{generation: generations["gen9"].Generation}).CFI()})
	if err != nil {
		t.Fatal(err)
	}
	units := data.Units()
	if len(units) != len(m.Kernels) {
		t.Fatalf("%d units of %d kernels", len(units), len(m.Kernels))
	}
	for i, u := range units {
		k := &m.Kernels[i]
		end := k.Entry + m.SegmentAt(k.Entry).MemSize
		root, err := u.Root()
		if err != nil {
			t.Fatal(err)
		}
		if low, ok := root.Attr(dwarf.AttrLowPC); !ok || low.Val != k.Entry {
			t.Errorf("the unit of %s begins at %#x, the kernel at %#x", k.Name, low.Val, k.Entry)
		}
		lines, err := u.Lines()
		if err != nil || lines == nil || len(lines.Rows) < 10 {
			t.Fatalf("lines of %s: %v", k.Name, err)
		}
		for _, r := range lines.Rows {
			if r.Addr < k.Entry || r.Addr > end {
				t.Errorf("a row of %s is for %#x", k.Name, r.Addr)
			}
		}
		count := 0
		for _, e := range frames.Entries {
			if e.FDE != nil && e.FDE.Start >= k.Entry && e.FDE.Start+e.FDE.Range <= end {
				count++
			}
		}
		if count != 2 { // the kernel and its copy of scaled
			t.Errorf("%d functions of %s have frame information", count, k.Name)
		}
	}
}

// FuzzDebug opens damaged debug data of kernels.
func FuzzDebug(f *testing.F) {
	for _, name := range []string{"pair-gen9.bin", "recurse-xe-hpc.bin"} {
		data, err := os.ReadFile(programs + "debug/patch/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := (Family{}).Open(data, loader.Options{}); err != nil &&
			strings.Contains(err.Error(), "\n") {
			t.Errorf("an error of several lines: %q", err)
		}
	})
}
