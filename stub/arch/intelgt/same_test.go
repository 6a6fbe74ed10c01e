package intelgt

import (
	"bytes"
	"context"
	"testing"

	"simtgdb/simt"
	_ "simtgdb/stub/arch/amdgpu"
	launcher "simtgdb/stub/launch"
)

// benchKernels are those of bench.cl.
var benchKernels = []string{"mandel", "mix", "mix64", "stream", "matmul"}

// benchObjects are what the compilers of both families make of bench.cl.
var benchObjects = map[string]string{"gen9": "bench-O2.zebin", "gfx900": "bench.gfx900.co"}

// benchLaunch reads the launch of a kernel of bench.cl for a family.
func benchLaunch(t testing.TB, kernel, family string) *launcher.Spec {
	t.Helper()
	s, err := launcher.ReadSpec(launcher.File{Path: programs + "bench/" + kernel + ".json"})
	if err != nil {
		t.Fatal(err)
	}
	s.CodeObject.Path = programs + "bench/" + benchObjects[family]
	return s
}

// TestSameOnBoth checks that what two compilers make of the measured kernels,
// for two families, computes the same.
func TestSameOnBoth(t *testing.T) {
	for _, kernel := range benchKernels {
		var results [2][]byte
		for i, family := range []string{"gen9", "gfx900"} {
			p, err := benchLaunch(t, kernel, family).Load()
			if err != nil {
				t.Fatal(err)
			}
			if ev, err := p.Machine.Run(context.Background(), 2); err != nil || ev.Kind != simt.EndEvent {
				t.Fatal(kernel, family, ev, err)
			}
			results[i] = p.Buffers[0].Region.Data
		}
		if n := len(results[0]); n == 0 || bytes.Count(results[0], []byte{0}) == n ||
			!bytes.Equal(results[0], results[1]) {
			t.Errorf("%s: %d bytes that differ, or zeros alone", kernel, n)
		}
	}
}
