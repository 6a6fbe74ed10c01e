package zstd

import (
	"errors"
	"fmt"
)

// The kinds of code in a sequence.
const (
	ofLiterals = iota
	ofOffset
	ofMatch
)

// A kind is what is known of a kind of code: which tables it may have, the one that it has if none is given,
// and for lengths what each symbol begins with and how many bits are added (3.1.1.3.2.1.1, 3.1.1.3.2.2).
type kind struct {
	maxLog    uint
	maxSymbol int
	usual     *fse
	base      []int
	bits      []uint
}

var kinds = [3]kind{
	ofLiterals: {9, 35, newFSE(6, []int16{4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2,
		2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1}),
		[]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 24, 28, 32, 40, 48, 64,
			128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536},
		[]uint{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11,
			12, 13, 14, 15, 16}},
	ofOffset: {8, 31, newFSE(5, []int16{1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
		1, -1, -1, -1, -1, -1}), nil, nil},
	ofMatch: {9, 52, newFSE(6, []int16{1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
		1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1}),
		[]int{3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
			29, 30, 31, 32, 33, 34, 35, 37, 39, 41, 43, 47, 51, 59, 67, 83, 99, 131, 259, 515, 1027, 2051,
			4099, 8195, 16387, 32771, 65539},
		[]uint{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
			1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}},
}

// sequences reads the section of sequences (3.1.1.3.2) and does what they say.
func (d *decoder) sequences(p []byte) error {
	n, p, err := sequenceCount(p)
	if err != nil {
		return err
	}
	if n == 0 {
		if len(p) > 0 {
			return errors.New("has bytes behind a block without sequences")
		}
		return d.append(d.literals)
	}
	if len(p) == 0 {
		return errShort
	}
	modes := p[0]
	p = p[1:]
	for k := range kinds {
		if p, err = d.table(k, modes>>(6-2*k)&3, p); err != nil {
			return err
		}
	}
	b, err := newBackward(p)
	if err != nil {
		return err
	}
	var at [3]uint16
	for k := range at {
		at[k] = uint16(b.read(d.tables[k].log))
	}
	for i := range n {
		if err := d.sequence(at, b); err != nil {
			return err
		}
		if i == n-1 {
			break
		}
		for _, k := range [...]int{ofLiterals, ofMatch, ofOffset} {
			at[k] = d.tables[k].next(at[k], b)
		}
	}
	if b.left != 0 {
		return errors.New("has sequences that end elsewhere than their stream")
	}
	return d.append(d.literals)
}

// sequenceCount reads how many sequences there are.
func sequenceCount(p []byte) (n int, rest []byte, err error) {
	switch {
	case len(p) > 0 && p[0] < 128:
		return int(p[0]), p[1:], nil
	case len(p) > 1 && p[0] < 255:
		return (int(p[0])-128)<<8 + int(p[1]), p[2:], nil
	case len(p) > 2:
		return int(p[1]) + int(p[2])<<8 + 0x7f00, p[3:], nil
	}
	return 0, nil, errShort
}

// table finds the table of a kind of code, in a mode.
func (d *decoder) table(k int, mode byte, p []byte) (rest []byte, err error) {
	const usual, same, given = 0, 1, 2
	of := &kinds[k]
	switch mode {
	case usual:
		d.tables[k] = of.usual
	case same:
		if len(p) == 0 || int(p[0]) > of.maxSymbol {
			return nil, errors.New("has a table of one symbol that is none")
		}
		d.tables[k], p = fixed(p[0]), p[1:]
	case given:
		d.tables[k], p, err = readFSE(p, of.maxLog, of.maxSymbol)
	default:
		if d.tables[k] == nil {
			err = errors.New("repeats a table that is not there")
		}
	}
	return p, err
}

// sequence does one sequence: literals, then a match.
func (d *decoder) sequence(at [3]uint16, b *backward) error {
	symbol := func(k int) int { return int(d.tables[k].states[at[k]].symbol) }
	bits := uint(symbol(ofOffset))
	offset := 1<<bits + int(b.read(bits))
	length := func(k int) int { return kinds[k].base[symbol(k)] + int(b.read(kinds[k].bits[symbol(k)])) }
	match := length(ofMatch)
	literals := length(ofLiterals)
	if b.left < 0 || literals > len(d.literals) {
		return errShort
	}
	if err := d.append(d.literals[:literals]); err != nil {
		return err
	}
	d.literals = d.literals[literals:]
	offset = d.offset(offset, literals == 0)
	if offset <= 0 || offset > len(d.out)-d.frameStart {
		return fmt.Errorf("has a match %d bytes back, after %d", offset, len(d.out)-d.frameStart)
	}
	if err := d.room(match); err != nil {
		return err
	}
	for from := len(d.out) - offset; match > 0; {
		n := min(match, len(d.out)-from)
		d.out = append(d.out, d.out[from:from+n]...)
		match -= n
	}
	return nil
}

// offset is what a number means: one of the latest three, or a new one (3.1.1.5).
func (d *decoder) offset(v int, none bool) int {
	const repeated = 3
	if v > repeated {
		d.offsets = [3]int{v - repeated, d.offsets[0], d.offsets[1]}
		return d.offsets[0]
	}
	if !none {
		v--
	}
	switch v {
	case 0:
		return d.offsets[0]
	case 1:
		d.offsets[0], d.offsets[1] = d.offsets[1], d.offsets[0]
	case 2:
		d.offsets = [3]int{d.offsets[2], d.offsets[0], d.offsets[1]}
	default:
		d.offsets = [3]int{d.offsets[0] - 1, d.offsets[0], d.offsets[1]}
	}
	return d.offsets[0]
}
