package zstd

import (
	"errors"
	"fmt"
	"math/bits"
)

// An fse is a table of a finite state code (4.1): what each state stands for, and how the next is found.
type fse struct {
	log    uint
	states []state
}

type state struct {
	symbol, bits uint8
	base         uint16
}

// fixed is the table of a code that is always the same symbol.
func fixed(symbol byte) *fse { return &fse{0, []state{{symbol: symbol}}} }

// readFSE reads the description of a table (4.1.1).
func readFSE(p []byte, maxLog uint, maxSymbol int) (t *fse, rest []byte, err error) {
	f := &forward{data: p}
	log, err := f.read(4)
	if err != nil {
		return nil, nil, err
	}
	if log += 5; log > uint64(maxLog) {
		return nil, nil, fmt.Errorf("has a table with 2^%d states, at most 2^%d are allowed", log, maxLog)
	}
	var counts []int16
	for left := 1<<log + 1; left > 1; {
		n := uint(bits.Len(uint(left)))
		v, err := f.peek(n)
		if err != nil {
			return nil, nil, err
		}
		low := uint64(1<<n-1) - uint64(left) // as many values need a bit less
		if small := v & (1<<(n-1) - 1); small < low {
			f.at += int(n) - 1
			v = small
		} else {
			f.at += int(n)
			if v >= 1<<(n-1) {
				v -= low
			}
		}
		count := int16(v) - 1
		counts = append(counts, count)
		if count < 0 {
			left--
		} else {
			left -= int(count)
		}
		if left < 1 || len(counts) > maxSymbol+1 {
			return nil, nil, errors.New("has a table whose counts are not those of its states")
		}
		if count == 0 {
			if counts, err = f.zeros(counts, maxSymbol); err != nil {
				return nil, nil, err
			}
		}
	}
	if rest, err = f.rest(); err != nil {
		return nil, nil, err
	}
	return newFSE(uint(log), counts), rest, nil
}

// zeros reads how many symbols more have no states: by two bits, again if all are set.
func (f *forward) zeros(counts []int16, maxSymbol int) ([]int16, error) {
	for {
		n, err := f.read(2)
		if err != nil {
			return nil, err
		}
		for range n {
			counts = append(counts, 0)
		}
		if len(counts) > maxSymbol+1 {
			return nil, errors.New("has a table of more symbols than there are")
		}
		if n < 3 {
			return counts, nil
		}
	}
}

// newFSE makes a table of the numbers of states that symbols have, -1 for one at the end of the table.
func newFSE(log uint, counts []int16) *fse {
	size := 1 << log
	t := &fse{log, make([]state, size)}
	next := make([]uint16, len(counts))
	high := size
	for s, n := range counts {
		if next[s] = uint16(n); n == -1 {
			high--
			t.states[high].symbol = uint8(s)
			next[s] = 1
		}
	}
	step, at := size>>1+size>>3+3, 0
	for s, n := range counts {
		for range max(n, 0) {
			t.states[at].symbol = uint8(s)
			for at = (at + step) & (size - 1); at >= high; at = (at + step) & (size - 1) {
			}
		}
	}
	for i := range t.states {
		e := &t.states[i]
		n := next[e.symbol]
		next[e.symbol]++
		e.bits = uint8(log) - uint8(bits.Len16(n)-1)
		e.base = n<<e.bits - uint16(size)
	}
	return t
}

// next is the state after another.
func (t *fse) next(s uint16, b *backward) uint16 {
	e := &t.states[s]
	return e.base + uint16(b.read(uint(e.bits)))
}
