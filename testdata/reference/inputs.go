package reference

import (
	"encoding/binary"
)

// Inputs returns the files that launch files name for initial contents.
func Inputs() map[string][]byte {
	return map[string][]byte{
		"calls.input.bin":   encode(someParticles(120)),
		"atomics.start.bin": encode(emptyTally),
	}
}

func encode(v any) []byte {
	b, err := binary.Append(nil, binary.LittleEndian, v)
	if err != nil {
		panic(err) // the callers' types have a fixed size
	}
	return b
}

// someParticles lie within a box of 4 by 2 and move in all directions.
func someParticles(n int) []particle {
	next := splitMix64(11)
	below := func(limit float32) float32 { return float32(next()>>40) / (1 << 24) * limit }
	s := make([]particle, n)
	for i := range s {
		s[i] = particle{X: below(4), Y: below(2), VX: below(32) - 16, VY: below(32) - 16}
	}
	return s
}
