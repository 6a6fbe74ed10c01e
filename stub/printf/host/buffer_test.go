package host

import (
	"math/rand/v2"
	"testing"

	"simtgdb/simt"
	"simtgdb/stub/printf/decode"
	"simtgdb/testdata/sweep"
)

// TestRunAsLookedAtAnew: what is kept of a run says what who looks at all that was written finds.
func TestRunAsLookedAtAnew(t *testing.T) {
	const begins, dwords = 8, 12
	rnd := rand.New(sweep.PCG(31, 0))
	states := map[decode.Writer]int{}
	for range 200 {
		w := &simt.Wave{ID: 1, Size: 64, Group: &simt.Workgroup{Size: [3]uint32{64, 1, 1}}}
		region := &simt.Region{Base: 0x1000, Data: make([]byte, begins+4*dwords)}
		h := New()
		h.add(&buffer{region: region, reader: decode.NewBuffer(decode.ReadStrings(nil)), room: begins})
		b := h.buffers[0]
		for range 30 {
			var addr [simt.MaxLanes]uint64
			lane := rnd.IntN(8) / 7
			addr[lane] = region.Base + begins + uint64(rnd.IntN(4*dwords-3))
			size := []int{1, 4}[rnd.IntN(2)]
			a := simt.Access{Wave: w, Lanes: 1 << lane, Addr: &addr, Size: size, Write: true,
				PC: rnd.Uint64()}
			b.written(&a, lane, int(addr[lane]-region.Base))
			w.Insts += []uint64{0, 1, resting / 2, resting, gone / 2}[rnd.IntN(5)]
			by, known := b.writers[begins]
			if !known {
				continue
			}
			var pcs []uint64
			left := func(_ *simt.Wave, _ int, pc uint64) bool { pcs = append(pcs, pc); return false }
			kept := b.state(&by, begins, left)
			b.run = run{}
			anew := b.state(&by, begins, left)
			if kept != anew || len(pcs) == 2 && pcs[0] != pcs[1] {
				t.Fatalf("%v and %#x, looked at anew %v", kept, pcs, anew)
			}
			states[kept]++
		}
	}
	for _, s := range []decode.Writer{decode.Writing, decode.Resting, decode.Gone} {
		if states[s] < 20 {
			t.Errorf("%v only %d times", s, states[s])
		}
	}
}
