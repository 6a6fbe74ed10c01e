package symfile

import (
	"bytes"
	"crypto/sha1"
	"debug/elf"
	"testing"

	"simtgdb/loader"
	"simtgdb/loader/amdgpu/amdgputest"
)

const calls = "../../testdata/co/calls.gfx90a.O0.co"

func parsed(t *testing.T, f *File) *elf.File {
	t.Helper()
	e, err := elf.NewFile(bytes.NewReader(f.ELF))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestNote: the build id is the hash of the file without it, in a note as the Linux standard base has it, and
// so it is where gdb looks in the memory.
func TestNote(t *testing.T) {
	_, f := build(t, calls)
	s := parsed(t, f).Section(".note.gnu.build-id")
	note, err := s.Data()
	if err != nil {
		t.Fatal(err)
	}
	head := []byte("\x04\x00\x00\x00\x14\x00\x00\x00\x03\x00\x00\x00GNU\x00")
	if want := append(head, f.BuildID...); !bytes.Equal(note, want) {
		t.Errorf("the note is %x, want %x", note, want)
	}
	file := bytes.Clone(f.ELF)
	clear(file[s.Offset+16:][:sha1.Size])
	if id := sha1.Sum(file); !bytes.Equal(id[:], f.BuildID) {
		t.Errorf("the build id is %x, want %x", f.BuildID, id)
	}
	at := s.Addr - testLayout.Dispatch
	for _, tt := range []struct{ offset, from, to uint64 }{
		{at, 0, 36}, {at + 16, 16, 36}, {at + 35, 35, 36}, {at + 36, 36, 36}, {at + 40, 36, 36},
		{at - 1, 0, 0},
	} {
		buf := make([]byte, 64)
		if n := f.ReadNote(tt.offset, buf); !bytes.Equal(buf[:n], note[tt.from:tt.to]) {
			t.Errorf("%d bytes behind it is %x, want %x", tt.offset, buf[:n], note[tt.from:tt.to])
		}
	}
}

// TestSegments: what is loaded is what sections at the same addresses have, and symbols are in the order that
// ELF wants, local ones first.
func TestSegments(t *testing.T) {
	m := amdgputest.Open(t, calls)
	m.Segments = append(m.Segments, loader.Segment{Name: "more code", Addr: 1 << 40, MemSize: 4,
		Data: []byte{1, 2, 3, 4}, Exec: true})
	f := buildOf(t, m)
	e := parsed(t, f)
	names := map[string]bool{}
	for _, s := range e.Sections {
		if names[s.Name] {
			t.Errorf("two sections are called %q", s.Name)
		}
		names[s.Name] = true
	}
	for _, p := range e.Progs {
		if p.Memsz == 0 {
			t.Errorf("a segment at %#x has no memory", p.Vaddr)
		}
		for _, s := range e.Sections {
			if s.Flags&elf.SHF_ALLOC == 0 || s.Addr != p.Vaddr || s.Type == elf.SHT_NOBITS {
				continue
			}
			loaded, want := make([]byte, p.Filesz), f.ELF[s.Offset:s.Offset+s.Size]
			if _, err := p.ReadAt(loaded, 0); err != nil || !bytes.Equal(loaded, want) {
				t.Errorf("section %s is not what is loaded there, %v", s.Name, err)
			}
		}
	}
	symbols, err := e.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	globals := 0
	for i, s := range symbols { // the first of all, which is not among them, is local
		global := elf.ST_BIND(s.Info) == elf.STB_GLOBAL
		if global != (uint32(i)+1 >= e.SectionByType(elf.SHT_SYMTAB).Info) {
			t.Errorf("symbol %d, %s, is among those of the other binding", i, s.Name)
		}
		if global {
			globals++
		}
	}
	want := 0
	for _, s := range m.Symbols {
		if (s.Kind == loader.SymbolFunc || s.Kind == loader.SymbolObject) && s.Global {
			want++
		}
	}
	if globals != want {
		t.Errorf("%d global symbols, want %d", globals, want)
	}
}
