// Package bundle reads clang's offload bundles: containers of modules of any
// format, as files of their own or in the host program of a HIP compilation.
//
// It does not open what an entry holds, and knows of an entry's target only what
// its ID spells: the packages of the formats choose among the entries those that
// are theirs. The format is that of clang's "Clang Offload Bundler" page
// ("Bundled Code Object File Format").
//
// [Entries] lists a bundle, [InProgram] the bundles of a host program.
package bundle

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"

	"simtgdb/loader"
	"simtgdb/loader/printable"
)

// Magic begins an offload bundle.
const Magic = "__CLANG_OFFLOAD_BUNDLE__"

// Section is where HIP host programs keep their bundles, one for each
// translation unit.
const Section = ".hip_fatbin"

// Is reports whether data begins as an offload bundle does.
func Is(data []byte) bool { return bytes.HasPrefix(data, []byte(Magic)) }

// Entry is a module in an offload bundle.
type Entry struct {
	ID           string // KIND-TRIPLE-TARGET: "hipv4-amdgcn-amd-amdhsa--gfx90a"
	Kind         string // "hipv4", "openmp", "host", ...
	Target       string // the rest of the ID: "amdgcn-amd-amdhsa--gfx90a"
	Offset, Size uint64 // in the bundle
	Data         []byte
}

// Host reports whether the entry is the program for the host.
func (e *Entry) Host() bool { return e.Kind == "host" }

// Entries lists what the offload bundle at the start of data holds, host entries
// included.
func Entries(data []byte) ([]Entry, error) {
	entries, _, err := read(data)
	return entries, err
}

// read reads the entries of the bundle at the start of data, and where the last
// of them ends.
func read(data []byte) (entries []Entry, end uint64, err error) {
	have := uint64(len(data))
	pos := uint64(len(Magic))
	if !Is(data) {
		return nil, 0, &loader.FormatError{Offset: 0, What: "no offload bundle",
			Want: fmt.Sprintf("want %q", Magic),
			Err:  loader.ErrUnknownFormat}
	}
	if have-pos < 8 {
		return nil, 0, loader.Truncated(pos, "bundle header", 8, have)
	}
	count := le64(data[pos:])
	pos += 8
	end = pos
	for i := range count {
		if have-pos < 24 {
			return nil, 0, loader.Truncated(
				pos, fmt.Sprintf("header of bundle entry %d of %d", i, count), 24, have)
		}
		off, size, idLen := le64(data[pos:]), le64(data[pos+8:]), le64(data[pos+16:])
		if idLen > have-pos-24 {
			return nil, 0, loader.Truncated(pos, fmt.Sprintf("ID of bundle entry %d", i), idLen, have)
		}
		id := string(data[pos+24 : pos+24+idLen])
		if off > have || size > have-off {
			return nil, 0, loader.Truncated(
				off, fmt.Sprintf("bundle entry %s", printable.Name(id)), size, have)
		}
		e := Entry{ID: id, Offset: off, Size: size, Data: data[off : off+size : off+size]}
		e.Kind, e.Target, _ = strings.Cut(id, "-")
		entries = append(entries, e)
		pos += 24 + idLen
		end = max(end, pos, off+size)
	}
	return entries, end, nil
}

// InProgram lists the entries of all bundles in section i of a host program.
func InProgram(f *loader.ELF, section int) ([]Entry, error) {
	b, err := f.SectionBytes(section)
	if err != nil {
		return nil, err
	}
	if !Is(b) {
		return nil, fmt.Errorf("section %s: %w", Section, loader.DescribeUnknown(b, "want an offload bundle"))
	}
	var entries []Entry
	for {
		more, end, err := read(b)
		if err != nil {
			return nil, fmt.Errorf("section %s: offload bundle: %w", Section, err)
		}
		entries = append(entries, more...)
		// Bundles are aligned to pages, with padding between them.
		next := bytes.Index(b[end:], []byte(Magic))
		if next < 0 {
			return entries, nil
		}
		b = b[end:][next:]
	}
}

// IDs lists the IDs of entries.
func IDs(entries []Entry) []string {
	ids := make([]string, len(entries))
	for i, e := range entries {
		ids[i] = e.ID
	}
	return ids
}

func le64(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }
