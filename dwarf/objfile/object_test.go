package objfile

import (
	"bytes"
	"debug/elf"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simtgdb/dwarf"
)

// functionsOf gives the addresses where functions begin, by the debugging information and by the symbols
// as the standard library reads them.
func functionsOf(t *testing.T, data []byte) (described map[string]uint64, symbols map[string]uint64) {
	t.Helper()
	o, err := Open(data)
	if err != nil {
		t.Fatal(err)
	}
	d, err := o.Data()
	if err != nil {
		t.Fatal(err)
	}
	described, symbols = map[string]uint64{}, map[string]uint64{}
	for _, u := range d.Units() {
		root, err := u.Root()
		if err != nil {
			t.Fatal(err)
		}
		root.Walk(func(e *dwarf.DIE) bool {
			if r, ok := e.LowHigh(); ok && e.Tag == dwarf.TagSubprogram {
				described[e.Name()] = r.Low
			}
			return true
		})
	}
	f, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	list, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		if elf.ST_TYPE(s.Info) == elf.STT_FUNC {
			symbols[s.Name] = s.Value
		}
	}
	return described, symbols
}

// TestOpen opens linked and unlinked objects of two producers: the functions begin where the symbols say,
// which takes the relocations of those that are not linked. Some programs that testdata/igc/debug has are
// compiled without debugging information.
func TestOpen(t *testing.T) {
	for pattern, format := range map[string]string{
		"../../testdata/co/calls.*.co":             "elf64-amdgpu",
		"../../testdata/igc/debug/*.zebin":         "elf64-unknown",
		"../../testdata/co/function_table.*.O0.co": "elf64-amdgpu",
	} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no files, %v", pattern, err)
		}
		without := 0
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			o, err := Open(data)
			if err != nil || o.Format != format || o.AddrSize != 8 || o.BigEndian {
				t.Fatalf("%s: %+v, %v; want %s", file, o, err, format)
			}
			described, symbols := functionsOf(t, data)
			if !bytes.Contains(data, []byte(".debug_info\x00")) {
				without++
			} else if len(described) == 0 {
				t.Errorf("%s: no functions", file)
			}
			for name, low := range described {
				if !begins(symbols, low) {
					t.Errorf("%s: %s begins at %#x, which no symbol has: %v", file, name, low, symbols)
				}
			}
		}
		if without > len(files)/2 {
			t.Errorf("%s: %d of %d files have no debugging information", pattern, without, len(files))
		}
	}
}

func begins(symbols map[string]uint64, addr uint64) bool {
	for _, value := range symbols {
		if value == addr {
			return true
		}
	}
	return false
}

// TestOpenErrors opens files that are not whole.
func TestOpenErrors(t *testing.T) {
	data, err := os.ReadFile("../../testdata/igc/debug/recurse-O0.zebin")
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(data, []byte(".rela.debug_info"))
	for _, test := range []struct {
		name   string
		change func([]byte) []byte
		want   string
	}{
		{"nothing", func([]byte) []byte { return nil }, "ELF file"},
		{"text", func([]byte) []byte { return []byte(strings.Repeat("text ", 40)) }, "ELF file"},
		{"half", func(b []byte) []byte { return b[:len(b)/2] }, "ELF file"},
		{"another machine", func(b []byte) []byte { b[18], b[19] = 243, 0; return b },
			"relocations of EM_RISCV"},
	} {
		if _, err := Open(test.change(bytes.Clone(data))); err == nil ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
	if at < 0 {
		t.Error("the object is linked")
	}
}

// FuzzOpen opens damaged objects: there are sections or an error.
func FuzzOpen(f *testing.F) {
	for _, name := range []string{"co/saxpy.gfx90a.O2.co", "igc/debug/recurse-O2.zebin"} {
		data, err := os.ReadFile("../../testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, uint32(0x28), byte(0xff))
	}
	f.Fuzz(func(t *testing.T, data []byte, at uint32, with byte) {
		if len(data) == 0 {
			return
		}
		data = bytes.Clone(data)
		data[int(at)%len(data)] ^= with
		if o, err := Open(data); err == nil {
			o.Data()
		}
	})
}
