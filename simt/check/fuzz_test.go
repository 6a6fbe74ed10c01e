package check

import (
	"math/rand/v2"
	"testing"

	"simtgdb/testdata/sweep"
)

// FuzzWorlds: the same is found in worlds of accesses, fences and barriers that bytes choose, however what is
// known of them is kept. TestQuickAlike and TestStreamsAlike have random ones.
func FuzzWorlds(f *testing.F) {
	for seed := range uint64(4) {
		r, b := rand.New(sweep.PCG(seed, 13)), make([]byte, 300)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		f.Add(seed%2 == 0, b)
	}
	f.Fuzz(func(t *testing.T, inRow bool, b []byte) {
		chosen := func() *rand.Rand {
			c := choices(b)
			return rand.New(&c)
		}
		if inRow {
			streamsAlike(t, chosen)
		} else {
			rowsAlike(t, chosen)
		}
	})
}

// Choices are random numbers: a byte for each, and 0 once there are none left.
type choices []byte

// Uint64 implements rand.Source. The byte is both the highest one of the number's and its lowest, since
// package rand takes a number below a power of two from one end, and any other from the other end. The bits
// that follow the highest byte are set: of a number that is 0 there it may want another one, time and again.
func (c *choices) Uint64() uint64 {
	b := uint64(0)
	if len(*c) > 0 {
		b, *c = uint64((*c)[0]), (*c)[1:]
	}
	return b<<56 | 0xffffff<<32 | b
}
