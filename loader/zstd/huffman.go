package zstd

import (
	"errors"
	"math/bits"
)

const (
	maxHuffman = 11 // bits of a code
	maxWeights = 255
)

// A huffman is a table by the next bits of a stream (4.2).
type huffman struct {
	log   uint
	codes []code
}

type code struct{ symbol, bits uint8 }

// readHuffman reads the description of a table (4.2.1) and gives what is behind it.
func readHuffman(p []byte) (h *huffman, rest []byte, err error) {
	if len(p) == 0 {
		return nil, nil, errShort
	}
	n := int(p[0])
	p = p[1:]
	var weights []uint8
	if n >= 128 { // half a byte each
		n -= 127
		size := (n + 1) / 2
		if size > len(p) {
			return nil, nil, errShort
		}
		for i := range n {
			weights = append(weights, p[i/2]>>(4*(1-i%2))&15)
		}
		rest = p[size:]
	} else {
		if n > len(p) {
			return nil, nil, errShort
		}
		if weights, err = readWeights(p[:n]); err != nil {
			return nil, nil, err
		}
		rest = p[n:]
	}
	h, err = newHuffman(weights)
	return h, rest, err
}

// readWeights reads weights in a finite state code, of two states that take turns (4.2.1.2).
func readWeights(p []byte) ([]uint8, error) {
	const log, most = 6, 12
	t, p, err := readFSE(p, log, most)
	if err != nil {
		return nil, err
	}
	b, err := newBackward(p)
	if err != nil {
		return nil, err
	}
	s := [2]uint16{uint16(b.read(t.log)), uint16(b.read(t.log))}
	var weights []uint8
	for i := 0; ; i ^= 1 {
		weights = append(weights, t.states[s[i]].symbol)
		s[i] = t.next(s[i], b)
		if b.left < 0 { // the other has the last
			return append(weights, t.states[s[i^1]].symbol), nil
		}
		if len(weights) > maxWeights {
			return nil, errors.New("has more weights than there are symbols")
		}
	}
}

// newHuffman makes a table of the weights of all symbols but the last, whose weight makes the sum a power of
// two.
func newHuffman(weights []uint8) (*huffman, error) {
	bad := errors.New("has weights of codes that do not make a table")
	sum := 0
	for _, w := range weights {
		if w > maxHuffman {
			return nil, bad
		}
		if w > 0 {
			sum += 1 << (w - 1)
		}
	}
	if sum == 0 || len(weights) > maxWeights {
		return nil, bad
	}
	log := uint(bits.Len(uint(sum)))
	left := 1<<log - sum
	if log > maxHuffman || left&(left-1) != 0 {
		return nil, bad
	}
	weights = append(weights, uint8(bits.Len(uint(left))))
	h := &huffman{log, make([]code, 0, 1<<log)}
	for w := uint8(1); uint(w) <= log; w++ {
		for s, of := range weights {
			if of != w {
				continue
			}
			for range 1 << (w - 1) {
				h.codes = append(h.codes, code{uint8(s), uint8(log + 1 - uint(w))})
			}
		}
	}
	if len(h.codes) != 1<<log {
		return nil, bad
	}
	return h, nil
}

// stream reads n symbols of a stream, which must be all that it has.
func (h *huffman) stream(out, p []byte, n int) ([]byte, error) {
	b, err := newBackward(p)
	if err != nil {
		return nil, err
	}
	for range n {
		c := h.codes[b.peek(h.log)]
		b.left -= int(c.bits)
		out = append(out, c.symbol)
	}
	if b.left != 0 {
		return nil, errors.New("has literals that end elsewhere than their stream")
	}
	return out, nil
}
