package visa

import (
	"math/rand/v2"
	"testing"
)

// TestRegMap compares a regMap with one location for every byte.
func TestRegMap(t *testing.T) {
	const size = 64
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		m := identityMap()
		var bytes [size]Location
		for i := range bytes {
			bytes[i] = Location{InRegister, uint32(i)}
		}
		for range 12 {
			offset := random.Uint32N(size)
			n := random.Uint32N(size - offset + 1)
			// Few different locations, so that neighbours often continue each other.
			loc := Location{LocationKind(random.Uint32N(3)), 8 * random.Uint32N(8)}
			if loc.Kind == Undefined {
				loc.Offset = 0
			}
			m = m.with(offset, n, loc)
			for i := range n {
				bytes[offset+i] = loc.plus(i)
			}
		}
		for from := range uint32(size) {
			at := from
			pieces := m.pieces(from, size-from)
			for i, p := range pieces {
				if i > 0 && pieces[i-1].Location.plus(pieces[i-1].Size) == p.Location {
					t.Fatalf("pieces %v and %v continue each other", pieces[i-1], p)
				}
				for j := range p.Size {
					if got := p.Location.plus(j); got != bytes[at] || got != m.at(at) {
						t.Fatalf("byte %d is at %v, expected %v", at, got, bytes[at])
					}
					at++
				}
			}
			if at != size {
				t.Fatalf("pieces from %d end at %d", from, at)
			}
		}
	}
}
