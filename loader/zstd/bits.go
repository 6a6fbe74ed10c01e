package zstd

import (
	"errors"
	"math/bits"
)

// backward reads bits from the end of a stream to its begin, the highest first. The highest bit of the last
// byte that is set says where the stream ends.
type backward struct {
	data []byte
	left int // bits that have not been read; below 0 if more have been than there are
}

func newBackward(p []byte) (*backward, error) {
	if len(p) == 0 || p[len(p)-1] == 0 {
		return nil, errors.New("has a stream of bits without an end")
	}
	return &backward{p, 8*(len(p)-1) + bits.Len8(p[len(p)-1]) - 1}, nil
}

// read gives the next n bits, at most 56; those before the begin of the stream are 0.
func (b *backward) read(n uint) uint64 {
	v := b.peek(n)
	b.left -= int(n)
	return v
}

// peek gives the next n bits without reading them.
func (b *backward) peek(n uint) uint64 {
	if n == 0 || b.left <= 0 {
		return 0
	}
	from := b.left - int(n) // the lowest bit
	shift := uint(0)
	if from < 0 {
		shift, from = uint(-from), 0
	}
	at := from / 8
	v := little(b.data[at:min(at+8, len(b.data))]) >> (from % 8)
	return v << shift & (1<<n - 1)
}

// forward reads bits from the begin of some bytes, the lowest first.
type forward struct {
	data []byte
	at   int // bits that have been read
}

func (f *forward) read(n uint) (uint64, error) {
	v, err := f.peek(n)
	f.at += int(n)
	return v, err
}

func (f *forward) peek(n uint) (uint64, error) {
	at := f.at / 8
	if at >= len(f.data) {
		return 0, errShort
	}
	return little(f.data[at:min(at+8, len(f.data))]) >> (f.at % 8) & (1<<n - 1), nil
}

// rest is what is behind the byte of the last bit.
func (f *forward) rest() ([]byte, error) {
	at := (f.at + 7) / 8
	if at > len(f.data) {
		return nil, errShort
	}
	return f.data[at:], nil
}
