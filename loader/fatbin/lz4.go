package fatbin

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// unpackLZ4 gives the size bytes that a block of LZ4 has ("LZ4 Block Format Description"): sequences of a
// token, literals, and a match that begins some bytes back.
func unpackLZ4(p []byte, size int) ([]byte, error) {
	const least = 4 // bytes of a match
	short := errors.New("the block of LZ4 ends too early")
	out := make([]byte, 0, min(size, 255*len(p))) // no byte of a block makes more
	for len(p) > 0 {
		token := p[0]
		p = p[1:]
		literals, rest, ok := lz4Length(token>>4, p)
		if p = rest; !ok || literals > len(p) {
			return nil, short
		}
		if literals > size-len(out) {
			return nil, fmt.Errorf("the block of LZ4 has more than its %d bytes", size)
		}
		out = append(out, p[:literals]...)
		if p = p[literals:]; len(p) == 0 {
			break
		}
		if len(p) < 2 {
			return nil, short
		}
		offset := int(binary.LittleEndian.Uint16(p))
		n, rest, ok := lz4Length(token&15, p[2:])
		if p = rest; !ok {
			return nil, short
		}
		if n += least; n > size-len(out) {
			return nil, fmt.Errorf("the block of LZ4 has more than its %d bytes", size)
		}
		if offset == 0 || offset > len(out) {
			return nil, fmt.Errorf("the block of LZ4 has a match %d bytes back, after %d", offset, len(out))
		}
		for from := len(out) - offset; n > 0; n-- {
			out = append(out, out[from])
			from++
		}
	}
	if len(out) != size {
		return nil, fmt.Errorf("the block of LZ4 has %d bytes, not %d", len(out), size)
	}
	return out, nil
}

// lz4Length is a length whose first 4 bits a token has: 15 says that bytes are added, as long as they are
// 255.
func lz4Length(first byte, p []byte) (n int, rest []byte, ok bool) {
	n = int(first)
	for more := first == 15; more; p = p[1:] {
		if len(p) == 0 {
			return 0, nil, false
		}
		n += int(p[0])
		more = p[0] == 255
	}
	return n, p, true
}
