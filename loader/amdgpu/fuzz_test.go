package amdgpu

import (
	"os"
	"path/filepath"
	"testing"

	"simtgdb/loader"
	"simtgdb/loader/bundle"
)

func addTestdata(f *testing.F, patterns ...string) {
	for _, pattern := range patterns {
		paths, err := filepath.Glob(filepath.Join("testdata", pattern))
		if err != nil || len(paths) == 0 {
			f.Fatalf("no %s in testdata (%v)", pattern, err)
		}
		for _, path := range paths {
			b, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(b)
		}
	}
}

// checkModule sees that what a module says of itself holds together.
func checkModule(t *testing.T, m *loader.Module, size int) {
	var total, end uint64
	for _, s := range m.Segments {
		if s.Addr < end || s.MemSize < uint64(len(s.Data)) {
			t.Errorf("segment %s at %#x overlaps or is smaller than its data", s.Name, s.Addr)
		}
		end = s.Addr + s.MemSize
		total += s.MemSize
	}
	if total > loader.MaxMemSize {
		t.Errorf("segments of %d bytes together", total)
	}
	for _, k := range m.Kernels {
		if found, err := m.Kernel(k.Name); err != nil || found.Name != k.Name {
			t.Errorf("kernel %q is not found: %v", k.Name, err)
		}
		if s := m.SegmentAt(k.Entry); s == nil || !s.Exec {
			t.Errorf("entry of kernel %q at %#x", k.Name, k.Entry)
		}
		for _, a := range k.Args {
			if a.Offset+a.Size > k.ArgSize {
				t.Errorf("argument of kernel %q at %d+%d of %d", k.Name, a.Offset, a.Size, k.ArgSize)
			}
		}
	}
	if len(m.Symbols) > size {
		t.Errorf("%d symbols from %d bytes", len(m.Symbols), size)
	}
	exercise(m)
}

func FuzzOpen(f *testing.F) {
	addTestdata(f, "bare*.co", "ocl-gfx900-v4.co", "no-sections-gfx900.co", "host.so")
	f.Fuzz(func(t *testing.T, data []byte) {
		if m, err := Open(data); err == nil {
			checkModule(t, m, len(data))
		}
	})
}

func FuzzBundle(f *testing.F) {
	object := readTestdata(f, "bare-gfx90a.co")
	const host, device = "host-x86_64-unknown-linux-gnu-", "hip-amdgcn-amd-amdhsa--gfx90a"
	f.Add(makeBundle([]string{host, device}, [][]byte{nil, object}))
	f.Add(makeBundle([]string{device, device + ":xnack+"}, [][]byte{object, []byte("CCOB")}))
	f.Add([]byte(bundle.Magic))
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, err := bundle.Entries(data)
		if err != nil {
			return
		}
		for _, e := range entries {
			if e.Offset > uint64(len(data)) || e.Size > uint64(len(data))-e.Offset {
				t.Errorf("entry %q at %d+%d of %d", e.ID, e.Offset, e.Size, len(data))
			}
			if m, err := OpenWith(data, loader.Options{Target: e.ID}); err == nil {
				checkModule(t, m, len(data))
			}
		}
	})
}

func FuzzMetadata(f *testing.F) {
	for _, file := range []string{"ocl-gfx900-v4.co", "hip-gfx90a-O0.co"} {
		elf, err := loader.ReadELF(readTestdata(f, file))
		if err != nil {
			f.Fatal(err)
		}
		notes, err := elf.Notes()
		if err != nil || len(notes) == 0 {
			f.Fatalf("%d notes, error %v", len(notes), err)
		}
		f.Add(notes[0].Desc)
	}
	f.Fuzz(func(t *testing.T, desc []byte) {
		m, err := decodeMetadata(desc)
		if err != nil {
			return
		}
		for _, k := range m.kernels {
			if k.Name == "" || k.Symbol == "" {
				t.Errorf("kernel without a name or symbol: %+v", k)
			}
		}
	})
}
