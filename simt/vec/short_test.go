package vec

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"
)

// TestShort holds operations on the beginning of rows against the twins of those on whole ones.
func TestShort(t *testing.T) {
	best := Current()
	defer Use(best)
	for _, p := range Paths() {
		Use(p)
		r := rand.New(rand.NewPCG(5, 6))
		for op := None + 1; op < opCount; op++ {
			if f := op.Short(); f != nil {
				compareShort(t, op.String(), f, r, 16, func(x *ShortArgs) {
					y := Args{D: x.D, A: x.A, B: x.B, C: x.C, Mask: uint64(x.Mask)}
					twins[op](&y)
					x.Out = uint32(y.Out) & x.Mask
				})
			}
		}
		for op := WideNone + 1; op < wideOpCount; op++ {
			if f := op.Short(); f != nil {
				compareShort(t, op.String(), f, r, 8, func(x *ShortArgs) {
					y := WideArgs{D: wideOf(x.D), A: wideOf(x.A), B: wideOf(x.B), C: wideOf(x.C), Mask: x.Mask}
					wideTwins[op](&y)
					x.Out = y.Out
				})
			}
		}
	}
}

func wideOf(r *Row) *Wide { return (*Wide)(unsafe.Pointer(r)) }

func compareShort(t *testing.T, name string, f ShortFunc, r *rand.Rand, lanes int, twin func(x *ShortArgs)) {
	t.Helper()
	floats := strings.Contains(name, "F32")
	for range 400 {
		state := randomState(r)
		x := ShortArgs{Vectors: 1 + r.IntN(32/lanes), Mask: r.Uint32(), Full: r.IntN(2) == 0}
		all := uint32(uint64(1)<<(lanes*x.Vectors) - 1)
		if x.Mask &= all; x.Full {
			x.Mask = all
		}
		run := func(f func(x *ShortArgs)) ([8]Row, uint32) {
			s, y := *state, x
			y.A, y.B, y.C, y.D = &s.rows[0], &s.rows[1], &s.rows[2], &s.rows[3]
			f(&y)
			return s.rows, y.Out
		}
		got, gotOut := run(f)
		want, wantOut := run(twin)
		if gotOut != wantOut && (name[0] == 'E' || name[0] == 'L') {
			t.Fatalf("%s: mask %#x, want %#x", name, gotOut, wantOut)
		}
		for i := range got {
			for l := range got[i] {
				if g, w := got[i][l], want[i][l]; g != w && !(floats && nan(g) && nan(w)) {
					t.Fatalf("%s under %#x of %#x, %#x, %#x: row %d lane %d is %#x, want %#x", name, x.Mask,
						state.rows[0][l],
						state.rows[1][l], state.rows[2][l], i, l, g, w)
				}
			}
		}
	}
}

func nan(v uint32) bool { f := math.Float32frombits(v); return f != f }
