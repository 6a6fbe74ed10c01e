// Package decode reads what device printf leaves for the host: records in the
// buffers of OpenCL C, HIP, LLPC and Intel's IGC, the messages of HIP's hostcall service, and
// the argument structures of CUDA's vprintf. The readers find format and
// values; package printf makes the text. They are functions of bytes and know
// no machine, wave or object file.
//
// ReadStrings reads amdhsa.printf; NewBuffer and NewLLPC walk a buffer record by
// record, also while the kernel still runs: a buffer is filled with Unwritten
// before the launch, and a record is not complete as long as some of that is
// left where the call stores.
//
// The kernel can overwrite its buffer and metadata can say anything, so every
// offset is checked and a buffer that cannot be walked further ends with an
// error.
//
// Sources: LLVM's AMDGPUPrintfRuntimeBinding.cpp and AMDGPUEmitPrintf.cpp;
// LLPC's DdnDebugPrintf document; IGC's OpenCLPrintfResolution.
package decode

import (
	"encoding/binary"

	"simtgdb/stub/printf"
)

// Unwritten is what every byte of a buffer is before the launch. No UTF-8 text
// has it.
const Unwritten = 0xfe

// unwritten is a dword that nobody wrote.
const unwritten = 0x01010101 * Unwritten

// A Record is one call.
type Record struct {
	Offset, Size int  // in the buffer, in bytes
	Stderr       bool // the text is for standard error
	Text         []byte
	Problems     printf.Problems
	// Incomplete: some of what the call stores looks unwritten.
	Incomplete bool
}

// A Writer says what is known of the lane that writes a record.
type Writer uint8

const (
	Writing Writer = iota // it may be about to write
	Resting               // it has not written for a while: what it usually writes is there
	Gone                  // it has gone on: what is there is all there will be
)

// A Reader walks the records of one buffer in the order of their allocation.
type Reader interface {
	// Init prepares a buffer for a launch, and the reader for its first record.
	Init(buf []byte)
	// Clone is a reader that goes on by itself.
	Clone() Reader
	// At is the offset of the next record.
	At() int
	// Next reads the next record. It reports false if there is none, or if
	// it may not be complete. After an error the rest cannot be read.
	Next(buf []byte, w Writer) (Record, bool, error)
}

func u32(b []byte) uint32 { return binary.LittleEndian.Uint32(b) }
func u64(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }

// load reads size bytes, at most 8, as an unsigned number.
func load(b []byte, size int) uint64 {
	var word [8]byte
	copy(word[:min(max(size, 0), 8)], b)
	return u64(word[:])
}

// fill makes all of buf unwritten.
func fill(buf []byte) {
	if len(buf) == 0 {
		return
	}
	buf[0] = Unwritten
	for n := 1; n < len(buf); n *= 2 {
		copy(buf[n:], buf[:n])
	}
}

// fields are the values that a format takes, in their order: the conversion
// of each, or nil for the number of a *.
func fields(f *printf.Format) []*printf.Conversion {
	var all []*printf.Conversion
	for _, c := range f.Conversions() {
		if c.Width.Star {
			all = append(all, nil)
		}
		if c.Precision.Star {
			all = append(all, nil)
		}
		all = append(all, c)
	}
	return all
}

// isString reports whether a field is a string.
func isString(c *printf.Conversion) bool { return c != nil && c.Verb == 's' }
