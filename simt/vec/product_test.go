package vec

import (
	"math"
	"math/rand/v2"
	"testing"

	"simtgdb/testdata/sweep"
)

// TestProducts holds products of matrices, in each path, against the twin, and whole numbers, whose products
// are exact, against those of integers.
func TestProducts(t *testing.T) {
	best := Current()
	defer Use(best)
	odd := []float64{0, math.Copysign(0, -1), 1, math.Inf(1), math.Inf(-1), math.NaN(), 0x1p-1074, 0x1p1000}
	for _, p := range Paths() {
		Use(p)
		r := rand.New(sweep.PCG(4, 27))
		for range 100 {
			rows, columns, k := 8*(1+r.IntN(4)), 8*(1+r.IntN(4)), 1+r.IntN(20)
			if r.IntN(5) == 0 {
				columns = 1 + r.IntN(9)
			}
			whole := r.IntN(2) == 0
			matrix := func(n int) []float64 {
				all := make([]float64, n)
				for i := range all {
					switch {
					case whole:
						all[i] = float64(r.IntN(255) - 127)
					case r.IntN(40) == 0:
						all[i] = odd[r.IntN(len(odd))]
					default:
						all[i] = r.NormFloat64()
					}
				}
				return all
			}
			got, x, y := matrix(rows*columns), matrix(rows*k), matrix(k*columns)
			want := append([]float64(nil), got...)
			exact := append([]float64(nil), got...)
			AddProduct(got, x, y, columns, k)
			addProduct(want, x, y, columns, k)
			for i := range got {
				if math.Float64bits(got[i]) != math.Float64bits(want[i]) && (got[i] == got[i] ||
					want[i] == want[i]) {
					t.Fatalf("%v: %d by %d by %d, element %d: %v, want %v", p, rows, columns, k, i, got[i],
						want[i])
				}
				sum := int64(exact[i])
				for j := range k {
					sum += int64(x[i/columns*k+j]) * int64(y[j*columns+i%columns])
				}
				if whole && got[i] != float64(sum) {
					t.Fatalf("%v: element %d is %v, want %d", p, i, got[i], sum)
				}
			}
		}
	}
}
