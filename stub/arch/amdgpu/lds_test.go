package amdgpu

import (
	"encoding/binary"
	"maps"
	"os"
	"testing"

	"simtgdb/dwarf/expr"
	"simtgdb/loader"
	"simtgdb/loader/amdgpu/amdgputest"
	"simtgdb/stub/source"
)

// TestCalledLDS places the LDS of functions. The offsets are the literals of the code (llvm-objdump):
// `sums` is of two kernels and comes first, `own` and `turn` of one.
func TestCalledLDS(t *testing.T) {
	for _, opt := range []string{"O0", "O2"} {
		m, got := located(t, "../../../testdata/debug/co/shared."+opt+".co")
		want := map[string]uint64{"sums": 0, "own": 0x100, "turn": 0x200}
		if !maps.Equal(got, want) {
			t.Errorf("%s: %v, want %v", opt, got, want)
		}
		m.Kernels[0].LDSSize += 256
		m.Kernels[1].LDSSize += 256
		if got := places(t, m, nil); len(got) != 0 {
			t.Errorf("%s: with 256 bytes that nothing is known of: %v", opt, got)
		}
	}
}

// TestTableLDS places the LDS that lies elsewhere in each kernel, against what LLVM has put into its table of
// offsets: a row for each kernel that has LDS by a table or dynamic LDS, in the order of their names, of the
// one variable `near`. `far`, which as many kernels use, is in the structure of the module.
func TestTableLDS(t *testing.T) {
	for _, opt := range []string{"O0", "O2"} {
		m := amdgputest.Open(t, "../../../testdata/debug/co/tables."+opt+".co")
		var table []byte
		for _, s := range m.Symbols {
			if s.Name == "llvm.amdgcn.lds.offset.table" {
				table, _ = m.BytesAt(s.Addr, s.Size)
			}
		}
		if len(table) != 12 {
			t.Fatalf("%s: a table of %d bytes", opt, len(table))
		}
		row := map[string]int{"one": 0, "two": 2}
		for i := range m.Kernels {
			k := &m.Kernels[i]
			got := places(t, m, k)
			if row, ok := row[k.Name]; ok {
				if want := uint64(binary.LittleEndian.Uint32(table[4*row:])); got["near"] != want {
					t.Errorf("%s: near is at %#x in %s, want %#x", opt, got["near"], k.Name, want)
				}
			}
			if at, ok := got["far"]; ok != (k.Name != "one") || at != 0 {
				t.Errorf("%s: far is at %#x, %v, in %s", opt, at, ok, k.Name)
			}
		}
		if at, ok := places(t, m, nil)["near"]; ok {
			t.Errorf("%s: near is at %#x in every kernel", opt, at)
		}
	}
}

// TestLinkedLDS places the LDS of kernels for which the linker has put 0 as every variable's address. The
// offsets are those of the code's instructions (llvm-objdump).
func TestLinkedLDS(t *testing.T) {
	m, got := located(t, "../../../testdata/check/arrays.O2.co")
	if want := map[string]uint64{"a": 0, "b": 0x80, "c": 0x100}; !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for i := range m.Kernels {
		m.Kernels[i].LDSSize += 256
	}
	if got := places(t, m, nil); len(got) != 0 {
		t.Errorf("with 256 bytes that nothing is known of: %v", got)
	}
}

// TestUnitLDS places LDS at namespace scope. The offsets are the literals of the code (llvm-objdump).
func TestUnitLDS(t *testing.T) {
	for _, opt := range []string{"O0", "O2"} {
		m := amdgputest.Open(t, "../../../testdata/debug/co/filescope."+opt+".co")
		for i := range m.Kernels {
			k := &m.Kernels[i]
			want := map[string]uint64{"own": 0, "all": 0x100, "half": 0x180}
			if k.Name == "part" {
				want = map[string]uint64{"half": 0}
			}
			if got := places(t, m, k); !maps.Equal(got, want) {
				t.Errorf("%s, %s: %v, want %v", opt, k.Name, got, want)
			}
			k.LDSSize += 4
			if got := places(t, m, k); len(got) > 0 {
				t.Errorf("%s, %s: with 4 bytes that nothing is known of: %v", opt, k.Name, got)
			}
		}
	}
}

// located opens an object and places its LDS.
func located(t *testing.T, file string) (*loader.Module, map[string]uint64) {
	t.Helper()
	m := amdgputest.Open(t, file)
	return m, places(t, m, nil)
}

// places are the offsets in LDS of variables that the compiler lost, by their names, as a kernel has them.
func places(t *testing.T, m *loader.Module, k *loader.Kernel) map[string]uint64 {
	t.Helper()
	d, err := source.Data(m)
	if err != nil {
		t.Fatal(err)
	}
	a, out := New(m.Target.Name), map[string]uint64{}
	for _, u := range d.Units() {
		root, err := u.Root()
		if err != nil {
			t.Fatal(err)
		}
		for v, code := range a.Locations(m, k, u, root) {
			loc, err := expr.Evaluate(nowhere{}, code, a.Options(u))
			if err != nil {
				t.Fatal(err)
			}
			if at, ok := loc.Address(); ok && at.Space == expr.SpaceLocal {
				out[v.Name()] = at.Address
			}
		}
	}
	return out
}

// nowhere is a context without registers and memory.
type nowhere struct{}

func (nowhere) AddressSize() int                             { return 8 }
func (nowhere) RegisterSize(uint64) (int, error)             { return 0, os.ErrInvalid }
func (nowhere) ReadRegister(uint64, int, []byte) error       { return os.ErrInvalid }
func (nowhere) ReadMemory(uint64, int, uint64, []byte) error { return os.ErrInvalid }
