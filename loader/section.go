package loader

import (
	"bytes"
	"compress/zlib"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Section describes a section of the file.
type Section struct {
	Name         string
	Type         string // ELF: "SHT_PROGBITS", ...
	Addr         uint64 // zero if it is not loaded
	Offset, Size uint64 // in the file, as it is there
	Compressed   string // "zlib" or "zstd"; empty if it is not
	Data         []byte // as in the file; of a section that a reader has made, what Module.Section gives

	file  *ELF // that it is of, nil if a reader has made it
	index int
}

// ModuleSections gives the sections of the file as those of a module, whose
// methods decompress them.
func (f *ELF) ModuleSections() []Section {
	var out []Section
	for i, s := range f.Sections {
		if elf.SectionType(s.Type) == elf.SHT_NULL {
			continue
		}
		info := Section{Name: s.Name, Type: sectionTypeName(elf.SectionType(s.Type)), Addr: s.Addr,
			Offset: s.Off, Size: s.Size,
			file: f, index: i}
		if c, err := f.compressed(i); err == nil && c != nil {
			info.Compressed = c.method
		}
		info.Data, _ = f.SectionBytes(i) // the tables were read: it is in the file
		out = append(out, info)
	}
	return out
}

// contents gives the bytes of a section, decompressed.
func (s *Section) contents() ([]byte, error) {
	if s.file == nil {
		return s.Data, nil
	}
	return s.file.Contents(s.index)
}

// shtRelr is the type of sections with relative relocations in compact form
// (System V ABI, "Sections"), which debug/elf does not have.
const shtRelr elf.SectionType = 19

func sectionTypeName(t elf.SectionType) string {
	if t == shtRelr {
		return "SHT_RELR"
	}
	return t.String()
}

// Section gives the contents of a section, decompressed. The names of sections
// in GNU's old compressed form (".zdebug_info") are found by the usual ones. The
// error is ErrNoSection if there is none. The bytes may alias the file.
func (m *Module) Section(name string) ([]byte, error) {
	i := m.findSection(name)
	if i < 0 {
		return nil, &SectionError{name, ErrNoSection}
	}
	b, err := m.Sections[i].contents()
	if err != nil {
		return nil, &SectionError{m.Sections[i].Name, err}
	}
	return b, nil
}

// DebugSections gives the contents of all sections that debug information
// engines want (".debug_*", ".eh_frame"), decompressed, by their usual names.
func (m *Module) DebugSections() (map[string][]byte, error) {
	out := map[string][]byte{}
	var total uint64
	for i := range m.Sections {
		name := m.Sections[i].Name
		if rest, old := strings.CutPrefix(name, oldCompressed); old {
			name = ".debug_" + rest
		}
		if !strings.HasPrefix(name, ".debug_") && name != ".eh_frame" {
			continue
		}
		if _, twice := out[name]; twice {
			continue
		}
		b, err := m.Section(name)
		if err != nil {
			return nil, err
		}
		if total += uint64(len(b)); total > maxDecompressed {
			return nil, &SectionError{name, tooLarge(total)}
		}
		out[name] = b
	}
	return out, nil
}

// oldCompressed begins the names of sections in GNU's old compressed form.
const oldCompressed = ".zdebug_"

func (m *Module) findSection(name string) int {
	if i, ok := m.bySection[name]; ok {
		return i
	}
	if rest, ok := strings.CutPrefix(name, ".debug_"); ok {
		if i, ok := m.bySection[oldCompressed+rest]; ok {
			return i
		}
	}
	return -1
}

// Bounds on decompression: a section may grow as much as deflate can make it
// (1032 times, 258 bytes of output in two bits), and to no more than this.
const (
	maxDeflateRatio = 1032
	maxDecompressed = 1 << 30
)

func tooLarge(size uint64) error {
	return fmt.Errorf("%d bytes when decompressed, at most %d are read: %w", size, uint64(maxDecompressed),
		ErrUnsupported)
}

// compressedSection is what the header of a compressed section says.
type compressedSection struct {
	method string
	size   uint64 // decompressed
	data   []byte
}

// compressed reads the header of a compressed section; nil if it is not.
func (f *ELF) compressed(i int) (*compressedSection, error) {
	s := &f.Sections[i]
	b, err := f.SectionBytes(i)
	if err != nil {
		return nil, err
	}
	if elf.SectionFlag(s.Flags)&elf.SHF_COMPRESSED != 0 {
		// System V ABI, "Section Compression": Elf64_Chdr.
		const header = 24
		if len(b) < header {
			return nil, Truncated(s.Off, "compression header", header, uint64(len(b)))
		}
		c := &compressedSection{size: le64(b[8:]), data: b[header:]}
		switch t := elf.CompressionType(le32(b)); t {
		case elf.COMPRESS_ZLIB:
			c.method = "zlib"
		case elf.COMPRESS_ZSTD:
			c.method = "zstd"
		default:
			return nil, &FormatError{Offset: int64(s.Off),
				What: fmt.Sprintf("unknown compression type %d", t), Want: "use -gz=zlib",
				Err: ErrUnsupported}
		}
		return c, nil
	}
	const oldMagic = "ZLIB"
	if strings.HasPrefix(s.Name, oldCompressed) && bytes.HasPrefix(b, []byte(oldMagic)) &&
		len(b) >= len(oldMagic)+8 {
		return &compressedSection{method: "zlib", size: binary.BigEndian.Uint64(b[len(oldMagic):]),
			data: b[len(oldMagic)+8:]}, nil
	}
	return nil, nil
}

// Contents gives the bytes of the section with index i, decompressed. They may
// alias the file.
func (f *ELF) Contents(i int) ([]byte, error) {
	c, err := f.compressed(i)
	if err != nil {
		return nil, err
	}
	if c == nil {
		return f.SectionBytes(i)
	}
	switch {
	case c.method != "zlib":
		return nil, fmt.Errorf("compressed with %s, which is not read; use -gz=zlib or "+
			"llvm-objcopy --decompress-debug-sections: %w", c.method, ErrUnsupported)
	case c.size > maxDecompressed:
		return nil, tooLarge(c.size)
	case c.size/maxDeflateRatio > uint64(len(c.data)):
		return nil, fmt.Errorf("%d compressed bytes cannot make the %d announced", len(c.data), c.size)
	}
	z, err := zlib.NewReader(bytes.NewReader(c.data))
	if err != nil {
		return nil, err
	}
	// The buffer grows with what is there, not with what was announced.
	var out bytes.Buffer
	n, err := io.Copy(&out, io.LimitReader(z, int64(c.size)+1))
	if err != nil {
		return nil, fmt.Errorf("decompressing: %w", err)
	}
	if uint64(n) != c.size {
		return nil, fmt.Errorf("decompresses to %d bytes or more, %d were announced", n, c.size)
	}
	return slices.Clip(out.Bytes()), nil
}
