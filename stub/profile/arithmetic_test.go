package profile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestArithmetic: a product of matrices of n times n floats is n cubed products and sums, on every machine
// and whatever the compiler made of it; a sum of vectors is one for each element, and four bytes of three
// buffers.
func TestArithmetic(t *testing.T) {
	const n = 32
	matmul := `{"code_object": %q, "kernel": "matmul", "grid": [32, 32, 1], "block": [16, 16, 1], "args": [` +
		`{"buffer": {"type": "f32", "count": 1024, "init": "iota"}}, {"buffer": {"type": "f32", "count": 1024, "init": "iota"}}, ` +
		`{"buffer": {"type": "f32", "count": 1024, "init": "zero"}}, {"i32": 32}]}`
	vecadd := `{"code_object": %q, "kernel": "vecadd", "grid": [512, 1, 1], "block": [256, 1, 1], "args": [` +
		`{"buffer": {"type": "f32", "count": 512, "init": "iota"}}, {"buffer": {"type": "f32", "count": 512, "init": "iota"}}, ` +
		`{"buffer": {"type": "f32", "count": 512, "init": "zero"}}]}`
	for _, file := range []string{"gfx90a.co", "gfx1100.co", "ptx", "spv", "zebin"} {
		for _, c := range []struct {
			name, launch  string
			floats, bytes uint64
		}{{"matmul", matmul, 2 * n * n * n, 4 * (2*n*n*n/16 + n*n)}, {"vecadd", vecadd, 512, 3 * 4 * 512}} {
			t.Run(file+"/"+c.name, func(t *testing.T) {
				object, err := filepath.Abs(filepath.Join(testdata, "bench", "bench."+file))
				if err != nil {
					t.Fatal(err)
				}
				launch := filepath.Join(t.TempDir(), "launch.json")
				if err := os.WriteFile(launch, fmt.Appendf(nil, c.launch, object), 0o600); err != nil {
					t.Fatal(err)
				}
				r, _, err := profiled(t, launch)
				if err != nil {
					t.Fatal(err)
				}
				if r.Total.Floats != c.floats {
					t.Errorf("%d operations on floats, want %d", r.Total.Floats, c.floats)
				}
				if r.Total.Integers == 0 || r.Total.Integers > 40*c.floats+1<<15 {
					t.Errorf("%d operations on integers for %d on floats", r.Total.Integers, c.floats)
				}
				// Arguments are read as well: in PTX by every lane.
				if lanes := uint64(r.WaveCount * r.WaveSize); r.Total.Bytes < c.bytes ||
					r.Total.Bytes > c.bytes+32*lanes {
					t.Errorf("%d bytes, want %d and what arguments take", r.Total.Bytes, c.bytes)
				}
				var lines uint64
				for _, l := range r.Lines {
					lines += l.Floats
				}
				if lines != r.Total.Floats {
					t.Errorf("%d operations of lines, %d in all", lines, r.Total.Floats)
				}
			})
		}
	}
}
