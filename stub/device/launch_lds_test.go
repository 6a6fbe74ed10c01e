package device_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"simtgdb/stub/device"
)

// TestRobust: a kernel whose workgroup is twice as large as its LDS is meant for faults, which Robust lets
// pass; by its own source it then comes to the sum of the first half.
func TestRobust(t *testing.T) {
	for _, robust := range []bool{false, true} {
		var forgivable bool
		f := connect(t, listen(t, device.Options{Robust: robust,
			Ended: func(l *device.Launch) { forgivable = l.Forgivable() }}))
		f.load("co/reduction.gfx90a.O2.co")
		const n = 256
		in, ins := f.Alloc(4 * n)
		sums, sum := f.Alloc(4)
		for i := range n {
			binary.LittleEndian.PutUint32(ins[4*i:], uint32(i))
		}
		f.launch(0, n, n, in, sums, n)
		s, what := f.condition()
		if !robust {
			if s != device.Faulted || !forgivable || !strings.Contains(what, "LDS") {
				t.Errorf("without: %d %s, forgivable %v", s, what, forgivable)
			}
			continue
		}
		if got := binary.LittleEndian.Uint32(sum); s != device.Done || forgivable || got != 127*128/2 {
			t.Errorf("robust: %d %s, sum %d", s, what, got)
		}
	}
}
