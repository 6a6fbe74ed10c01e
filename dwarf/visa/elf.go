package visa

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
)

// Section is a section of an ELF file that holds vISA debug tables.
type Section struct {
	Name string
	File *File
}

// FromELF finds the sections of an ELF file that hold vISA debug tables: those
// that begin with [Magic]. IGC 1.0.12504 keeps the tables out of ocloc's
// containers, so there are usually none.
func FromELF(data []byte) ([]Section, error) {
	file, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("visa: %w", err)
	}
	var found []Section
	for _, s := range file.Sections {
		if s.Type == elf.SHT_NOBITS || s.Flags&elf.SHF_COMPRESSED != 0 || s.Offset > uint64(len(data)) ||
			s.FileSize > uint64(len(data))-s.Offset {
			continue
		}
		content := data[s.Offset : s.Offset+s.FileSize]
		if len(content) < 4 || binary.LittleEndian.Uint32(content) != Magic {
			continue
		}
		f, err := Parse(content)
		if err != nil {
			return found, fmt.Errorf("visa: section %.100q: %w", s.Name, err)
		}
		found = append(found, Section{Name: s.Name, File: f})
	}
	return found, nil
}
