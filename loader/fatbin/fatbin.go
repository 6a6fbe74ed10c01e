// Package fatbin reads NVIDIA's fat binaries: containers of PTX and of machine code for several processors,
// as they are in host programs. What is compressed in one, by LZ4 or Zstandard, it unpacks; it does not open
// it.
//
// Of the format there is no description by its makers. What is known is what the tools of CUDA 11 to 13
// write.
package fatbin

import (
	"encoding/binary"
	"fmt"
	"strings"

	"simtgdb/loader"
	"simtgdb/loader/zstd"
)

const (
	magic       = 0xba55ed50
	headerSize  = 16
	entrySize   = 64
	maxUnpacked = 1 << 30
)

// A Kind is what an entry holds.
type Kind uint16

// The kinds of entry.
const (
	PTX  Kind = 1
	Code Kind = 2 // an ELF file of machine code
)

// Flags of entries.
const (
	byLZ4  = 0x2000
	byZstd = 0x8000
)

// An Entry is one of the things in a fat binary.
type Entry struct {
	Kind Kind
	Arch uint32 // the compute capability, by ten: 80

	offset   uint64
	packed   []byte
	flags    uint64
	unpacked uint64 // bytes, if it is packed
}

// Name is what the entry is for: "sm_80".
func (e *Entry) Name() string { return fmt.Sprintf("sm_%d", e.Arch) }

// Is reports whether data begins as a fat binary does.
func Is(data []byte) bool { return len(data) >= 4 && binary.LittleEndian.Uint32(data) == magic }

// Entries lists what is in a fat binary.
func Entries(data []byte) ([]Entry, error) {
	le, have := binary.LittleEndian, uint64(len(data))
	if have < headerSize {
		return nil, loader.Truncated(0, "header", headerSize, have)
	}
	at, size := uint64(le.Uint16(data[6:])), le.Uint64(data[8:])
	if at < headerSize || at > have || size > have-at {
		return nil, loader.Truncated(at, "entries", size, have)
	}
	var all []Entry
	for end := at + size; at < end; {
		if end-at < entrySize {
			return nil, loader.Truncated(at, "header of an entry", entrySize, end)
		}
		h := data[at:]
		e := Entry{Kind: Kind(le.Uint16(h)), Arch: le.Uint32(h[28:]), flags: le.Uint64(h[40:]),
			unpacked: le.Uint64(h[56:]), offset: at}
		header, n, packed := uint64(le.Uint32(h[4:])), le.Uint64(h[8:]), uint64(le.Uint32(h[16:]))
		if header < entrySize || header > end-at || n > end-at-header {
			return nil, loader.Truncated(at, "entry", n, end)
		}
		if e.flags&(byLZ4|byZstd) == 0 {
			packed = n
		}
		if packed > n {
			return nil, loader.Truncated(at+header, "packed contents", packed, at+header+n)
		}
		e.packed = data[at+header:][:packed]
		all = append(all, e)
		at += header + n
	}
	return all, nil
}

// Data is what the entry holds.
func (e *Entry) Data() (out []byte, err error) {
	switch {
	case e.flags&(byLZ4|byZstd) != 0 && e.unpacked > maxUnpacked:
		err = fmt.Errorf("it has %d bytes, of which %d are allowed", e.unpacked, maxUnpacked)
	case e.flags&byLZ4 != 0:
		out, err = unpackLZ4(e.packed, int(e.unpacked))
	case e.flags&byZstd != 0:
		out, err = zstd.Decompress(e.packed, int(e.unpacked))
	default:
		out = e.packed
	}
	if err != nil {
		return nil, fmt.Errorf("fat binary, entry at %#x: %w", e.offset, err)
	}
	return out, nil
}

// ChoosePTX finds the PTX for a processor of a compute capability: that for the greatest that is not above
// it.
func ChoosePTX(entries []Entry, arch uint32) (*Entry, error) {
	var found *Entry
	var has []string
	for i := range entries {
		e := &entries[i]
		what := "something else"
		switch e.Kind {
		case PTX:
			what = "PTX"
			if e.Arch <= arch && (found == nil || e.Arch > found.Arch) {
				found = e
			}
		case Code:
			what = "machine code"
		}
		has = append(has, what+" for "+e.Name())
	}
	if len(has) == 0 {
		has = []string{"nothing"}
	}
	if found == nil {
		return nil, fmt.Errorf("the fat binary has no PTX for sm_%d or below it; it has %s; have it made "+
			"with nvcc -gencode arch=compute_%d,code=compute_%d, or clang++ --cuda-include-ptx=all", arch,
			strings.Join(has, ", "), arch, arch)
	}
	return found, nil
}
