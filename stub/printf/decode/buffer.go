package decode

import (
	"encoding/binary"
	"fmt"
)

// Header bytes of OpenCL's and HIP's buffer: how many bytes of records are
// used, and how many there is room for.
const header = 8

// A Buffer walks hidden_printf_buffer.
type Buffer struct {
	strings *Strings
	at      int
	failed  bool
}

// NewBuffer walks records whose formats are in s.
func NewBuffer(s *Strings) *Buffer { return &Buffer{strings: s, at: header} }

// Init makes the buffer empty. Like the vendor's runtime it leaves the last 8
// bytes unused.
func (b *Buffer) Init(buf []byte) {
	fill(buf)
	b.at, b.failed = header, false
	if len(buf) >= header {
		binary.LittleEndian.PutUint32(buf, 0)
		binary.LittleEndian.PutUint32(buf[4:], uint32(len(buf)-header))
	}
}

// Clone implements Reader.
func (b *Buffer) Clone() Reader { c := *b; return &c }

// At is the offset of the next record.
func (b *Buffer) At() int { return b.at }

// Next reads the next record.
func (b *Buffer) Next(buf []byte, w Writer) (Record, bool, error) {
	if b.failed || len(buf) < header {
		return Record{}, false, nil
	}
	end := header + int(min(uint64(u32(buf)), uint64(len(buf)-header)))
	if b.at+4 > end {
		return Record{}, false, nil
	}
	rest := buf[b.at:end]
	if u32(rest) == unwritten {
		if w != Gone {
			return Record{}, false, nil
		}
		b.failed = true
		return Record{}, false, fmt.Errorf("printf buffer: record at %#x: its call has not come to write it",
			b.at)
	}
	read := b.strings.readOpenCL
	if b.strings.HIP() {
		read = b.strings.readHIP
	}
	r, complete, err := read(rest, w)
	if err != nil {
		b.failed = true
		return Record{}, false, fmt.Errorf("printf buffer: record at %#x: %w", b.at, err)
	}
	if !complete {
		return Record{}, false, nil
	}
	r.Offset = b.at
	b.at += r.Size
	return r, true, nil
}
