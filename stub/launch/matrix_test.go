package launch

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"simtgdb/testdata/sweep"
)

// smallFloat is a format of the OCP's: bits of exponent and fraction, and the bias ("OCP Microscaling Formats
// (MX) Specification" 1.0, section 5.3).
type smallFloat struct{ exp, mant, bias int }

// smallFloats are in the order of the numbers that v_mfma_scale_f32_*_f8f6f4 has for them.
var smallFloats = [...]smallFloat{{4, 3, 7}, {5, 2, 15}, {2, 3, 1}, {3, 2, 3}, {2, 1, 1}}

// value is what an encoding stands for, that is no infinity and no NaN.
func (f smallFloat) value(v byte) float64 {
	e, m := int(v)>>f.mant&(1<<f.exp-1), float64(int(v)&(1<<f.mant-1))/float64(int(1)<<f.mant)
	x := math.Ldexp(1+m, e-f.bias)
	if e == 0 {
		x = math.Ldexp(m, 1-f.bias)
	}
	if int(v)>>(f.exp+f.mant)&1 != 0 {
		return -x
	}
	return x
}

// encodings are those of numbers whose products have exact sums, n at random.
func (f smallFloat) encodings(r *rand.Rand, n int) []byte {
	var fit []byte
	for v := range 1 << (1 + f.exp + f.mant) {
		if x := f.value(byte(v)); math.Abs(x) <= 2 && x*4 == math.Trunc(x*4) {
			fit = append(fit, byte(v))
		}
	}
	out := make([]byte, n)
	for i := range out {
		out[i] = fit[r.IntN(len(fit))]
	}
	return out
}

// scaleBias is what a scale has more than the power of two that it stands for.
const scaleBias = 127

// TestSmallMatrices runs kernels of testdata/matrix, which clang has compiled for gfx950, and compares with
// the products of the matrices.
func TestSmallMatrices(t *testing.T) {
	for _, kernel := range []string{"deep_0_0", "wide_0_0", "deep_1_0", "wide_1_0", "deep_0_2", "wide_0_2",
		"deep_3_4", "wide_3_4", "deep_4_4", "wide_4_4", "deep_2_1", "wide_2_1"} {
		t.Run(kernel, func(t *testing.T) {
			size, depth, fa, fb := 16, 128, smallFloats[kernel[5]-'0'], smallFloats[kernel[7]-'0']
			if kernel[:4] == "wide" {
				size, depth = 32, 64
			}
			r := rand.New(sweep.PCG(9, 5))
			blocks := depth / 32
			a, b := fa.encodings(r, size*depth), fb.encodings(r, size*depth)
			scales := make([]byte, 2*size*blocks)
			for i := range scales {
				scales[i] = byte(scaleBias - 2 + r.IntN(5))
			}
			sa, sb := scales[:size*blocks], scales[size*blocks:]
			var args []string
			for i, contents := range [][]byte{a, b, sa, sb} {
				name := filepath.Join(t.TempDir(), fmt.Sprint(i))
				if err := os.WriteFile(name, contents, 0o666); err != nil {
					t.Fatal(err)
				}
				args = append(args, fmt.Sprintf("buf:u8[%d]=file:%s", len(contents), name))
			}
			p := load(t, &Spec{CodeObject: File{Path: "../../testdata/matrix/co/small.O2.co"}, Kernel: kernel,
				Grid: Dims{64, 1, 1}, Block: Dims{64, 1, 1},
				Args: parseArgs(t, append(args, fmt.Sprintf("buf:f32[%d]", size*size))...)})
			run(t, p)
			got := make([]float32, size*size)
			read(t, p, p.Buffers[4].Region.Base, got)
			for i := range size {
				for j := range size {
					want := 0.0
					for k := range depth {
						scale := int(sa[i*blocks+k/32]) + int(sb[j*blocks+k/32]) - 2*scaleBias
						want += math.Ldexp(fa.value(a[i*depth+k])*fb.value(b[j*depth+k]), scale)
					}
					if float64(got[i*size+j]) != want {
						t.Fatalf("row %d, column %d: %v, want %v", i, j, got[i*size+j], want)
					}
				}
			}
		})
	}
}
