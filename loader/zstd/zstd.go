// Package zstd reads what Zstandard has compressed, as fat binaries and other containers hold modules.
//
// Source: RFC 8878, "Zstandard Compression and the 'application/zstd' Media Type", whose sections the
// comments name. Dictionaries are not read, and checksums are not compared.
package zstd

import (
	"encoding/binary"
	"errors"
	"fmt"
)

const (
	magic        = 0xfd2fb528
	skippable    = 0x184d2a50 // and the next 15
	maxBlock     = 128 << 10
	headerOfSkip = 8
)

// An Error says where a frame is not as the format has it.
type Error struct {
	Offset int
	What   string
}

func (e *Error) Error() string { return fmt.Sprintf("zstd: offset %#x: %s", e.Offset, e.What) }

var errShort = errors.New("ends too early")

// Decompress gives the contents of all frames, which must be no more than limit bytes.
func Decompress(data []byte, limit int) ([]byte, error) {
	d := &decoder{data: data, limit: limit, out: make([]byte, 0, min(limit, likelyRatio*len(data)))}
	for d.at < len(data) {
		begun := d.at
		if err := d.frame(); err != nil {
			return nil, &Error{d.at, fmt.Sprintf("%v, in the frame at %#x", err, begun)}
		}
	}
	return d.out, nil
}

// likelyRatio is how many times as large as the data the contents are taken to be at first: room for so much
// is there before it is known.
const likelyRatio = 16

// A decoder is on its way through the data.
type decoder struct {
	data  []byte
	at    int
	out   []byte
	limit int

	frameStart int // in out
	offsets    [3]int
	huffman    *huffman
	tables     [3]*fse // of lengths of literals, offsets, lengths of matches
	literals   []byte
}

// take gives the next n bytes.
func (d *decoder) take(n int) ([]byte, error) {
	if n < 0 || n > len(d.data)-d.at {
		return nil, errShort
	}
	p := d.data[d.at : d.at+n]
	d.at += n
	return p, nil
}

// number reads n bytes as a number.
func (d *decoder) number(n int) (uint64, error) {
	p, err := d.take(n)
	if err != nil {
		return 0, err
	}
	return little(p), nil
}

func little(p []byte) uint64 {
	var b [8]byte
	copy(b[:], p)
	return binary.LittleEndian.Uint64(b[:])
}

// frame reads one frame (3.1).
func (d *decoder) frame() error {
	m, err := d.number(4)
	if err != nil {
		return err
	}
	if m&^15 == skippable {
		n, err := d.number(4)
		if err != nil || n > uint64(len(d.data)) {
			return errShort
		}
		_, err = d.take(int(n))
		return err
	}
	if m != magic {
		return fmt.Errorf("begins with %#x, not with %#x", m, magic)
	}
	checksum, size, sized, err := d.frameHeader()
	if err != nil {
		return err
	}
	d.frameStart, d.offsets, d.huffman, d.tables = len(d.out), [3]int{1, 4, 8}, nil, [3]*fse{}
	for last := false; !last; {
		if last, err = d.block(); err != nil {
			return err
		}
	}
	if got := uint64(len(d.out) - d.frameStart); sized && got != size {
		return fmt.Errorf("has %d bytes of contents, not %d", got, size)
	}
	if checksum {
		_, err = d.take(4)
	}
	return err
}

// frameHeader reads a frame's header (3.1.1.1).
func (d *decoder) frameHeader() (checksum bool, size uint64, sized bool, err error) {
	b, err := d.number(1)
	if err != nil {
		return false, 0, false, err
	}
	single := b>>5&1 != 0
	if b>>3&1 != 0 {
		return false, 0, false, errors.New("uses a bit that is reserved")
	}
	if !single { // the size of the window, which all that is decompressed is in here
		if _, err := d.take(1); err != nil {
			return false, 0, false, err
		}
	}
	dictionary, err := d.number([]int{0, 1, 2, 4}[b&3])
	if err == nil && dictionary != 0 {
		err = fmt.Errorf("needs dictionary %d", dictionary)
	}
	if err != nil {
		return false, 0, false, err
	}
	n := []int{0, 2, 4, 8}[b>>6]
	if n == 0 && single {
		n = 1
	}
	size, err = d.number(n)
	if n == 2 {
		size += 256
	}
	if size > uint64(d.limit) {
		err = fmt.Errorf("has %d bytes of contents, of which %d are allowed", size, d.limit)
	}
	return b>>2&1 != 0, size, n > 0, err
}

// block reads a block (3.1.1.2).
func (d *decoder) block() (last bool, err error) {
	h, err := d.number(3)
	if err != nil {
		return false, err
	}
	last, size := h&1 != 0, int(h>>3)
	if size > maxBlock {
		return false, fmt.Errorf("has a block of %d bytes", size)
	}
	switch h >> 1 & 3 {
	case 0:
		p, err := d.take(size)
		if err != nil {
			return false, err
		}
		return last, d.append(p)
	case 1:
		p, err := d.take(1)
		if err != nil {
			return false, err
		}
		return last, d.repeat(p[0], size)
	case 2:
		p, err := d.take(size)
		if err != nil {
			return false, err
		}
		return last, d.compressed(p)
	}
	return false, errors.New("has a block of the kind that is reserved")
}

// room checks that n bytes more are allowed.
func (d *decoder) room(n int) error {
	if n > d.limit-len(d.out) {
		return fmt.Errorf("has more than the %d bytes of contents that are allowed", d.limit)
	}
	return nil
}

func (d *decoder) append(p []byte) error {
	if err := d.room(len(p)); err != nil {
		return err
	}
	d.out = append(d.out, p...)
	return nil
}

func (d *decoder) repeat(b byte, n int) error {
	if err := d.room(n); err != nil {
		return err
	}
	for range n {
		d.out = append(d.out, b)
	}
	return nil
}

// compressed reads a compressed block: literals, and sequences of literals and matches.
func (d *decoder) compressed(p []byte) error {
	rest, err := d.readLiterals(p)
	if err != nil {
		return err
	}
	return d.sequences(rest)
}

// readLiterals reads the section of literals (3.1.1.3.1) and gives what is behind it.
func (d *decoder) readLiterals(p []byte) (rest []byte, err error) {
	if len(p) == 0 {
		return nil, errShort
	}
	kind, format := p[0]&3, p[0]>>2&3
	if kind < 2 {
		return d.plainLiterals(p, kind == 1, format)
	}
	header := []int{3, 3, 4, 5}[format]
	bits := []uint{10, 10, 14, 18}[format]
	if len(p) < header {
		return nil, errShort
	}
	h := little(p[:header]) >> 4
	size, packed := int(h&(1<<bits-1)), int(h>>bits)
	p = p[header:]
	if packed > len(p) || size > maxBlock {
		return nil, errShort
	}
	p, rest = p[:packed], p[packed:]
	if kind == 2 {
		if d.huffman, p, err = readHuffman(p); err != nil {
			return nil, err
		}
	}
	if d.huffman == nil {
		return nil, errors.New("has literals by a table that is not there")
	}
	d.literals = d.literals[:0]
	if format == 0 {
		d.literals, err = d.huffman.stream(d.literals, p, size)
		return rest, err
	}
	return rest, d.fourStreams(p, size)
}

// plainLiterals reads literals that are as they are, or one many times.
func (d *decoder) plainLiterals(p []byte, same bool, format byte) (rest []byte, err error) {
	header, shift := 1, uint(3)
	switch format {
	case 1:
		header, shift = 2, 4
	case 3:
		header, shift = 3, 4
	}
	if len(p) < header {
		return nil, errShort
	}
	size := int(little(p[:header]) >> shift)
	p = p[header:]
	if size > maxBlock || same && len(p) < 1 || !same && len(p) < size {
		return nil, errShort
	}
	if !same {
		d.literals = append(d.literals[:0], p[:size]...)
		return p[size:], nil
	}
	d.literals = d.literals[:0]
	for range size {
		d.literals = append(d.literals, p[0])
	}
	return p[1:], nil
}

// fourStreams reads literals in four streams, with a table of the lengths of three.
func (d *decoder) fourStreams(p []byte, size int) (err error) {
	const streams, table = 4, 6
	if len(p) < table {
		return errShort
	}
	lengths, p := p[:table], p[table:]
	each := (size + streams - 1) / streams
	for i := range streams {
		n, want := len(p), size-3*each
		if i < streams-1 {
			n, want = int(binary.LittleEndian.Uint16(lengths[2*i:])), each
		}
		if n > len(p) || want < 0 {
			return errShort
		}
		if d.literals, err = d.huffman.stream(d.literals, p[:n], want); err != nil {
			return err
		}
		p = p[n:]
	}
	return nil
}
