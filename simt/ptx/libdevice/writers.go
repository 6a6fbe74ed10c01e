package libdevice

import (
	"encoding/binary"
	"math"
	"math/big"

	"simtgdb/simt/libm"
	"simtgdb/simt/ptx/numeric"
)

// addWriter adds a function that writes numbers of some bytes through its last arguments.
func addWriter(name string, size int, f func(v []uint64) (result uint64, written []uint64)) {
	functions[name] = &Function{call: func(v []uint64, passed int, mem Memory) (uint64, error) {
		result, written := f(v)
		for i, x := range written {
			n := passed - len(written) + i
			if n < 0 {
				continue
			}
			p := binary.LittleEndian.AppendUint64(nil, x)
			if err := mem.Write(v[n], p[:size]); err != nil {
				return 0, err
			}
		}
		return result, nil
	}}
}

// addWriters adds functions that give more than their result.
func addWriters() {
	for _, p := range []*precision{&double, &single} {
		p.addSplit("modf", wholeAndRest)
		p.addSplit("sincospi", func(x float64) (float64, []float64) {
			return 0, []float64{libm.Sinpi(x), libm.Cospi(x)}
		})
		addWriter("frexp"+p.suffix, 4, func(v []uint64) (uint64, []uint64) {
			f, e := math.Frexp(p.number(v[0]))
			return p.result(f), []uint64{uint64(uint32(e))}
		})
		addWriter("remquo"+p.suffix, 4, func(v []uint64) (uint64, []uint64) {
			r, q := remquo(p.number(v[0]), p.number(v[1]))
			return p.result(r), []uint64{q}
		})
		p.addNorm("norm", libm.Norm)
		p.addNorm("rnorm", libm.Rnorm)
	}
	double.addSplit(
		"sincos",
		func(x float64) (float64, []float64) { return 0, []float64{libm.Sin(x), libm.Cos(x)} },
	)
	single.addSplit(
		"sincos",
		func(x float64) (float64, []float64) { return 0, []float64{math.Sin(x), math.Cos(x)} },
	)
	functions["fast_sincosf"] = functions["sincosf"]
}

// addSplit adds a function that gives a float and writes others.
func (p *precision) addSplit(name string, f func(x float64) (float64, []float64)) {
	addWriter(name+p.suffix, int(p.bits/8), func(v []uint64) (uint64, []uint64) {
		r, written := f(p.number(v[0]))
		out := make([]uint64, len(written))
		for i, x := range written {
			out[i] = p.result(x)
		}
		return p.result(r), out
	})
}

// wholeAndRest are the parts of a number before and behind the point, both with its sign.
func wholeAndRest(x float64) (float64, []float64) {
	if math.IsInf(x, 0) {
		return math.Copysign(0, x), []float64{x}
	}
	whole, rest := math.Modf(x)
	return math.Copysign(rest, x), []float64{whole}
}

// remquo is the remainder of a division to nearest and the low three bits of the quotient, with its sign.
func remquo(x, y float64) (float64, uint64) {
	r := math.Remainder(x, y)
	if r != r || math.IsInf(y, 0) {
		return r, 0
	}
	q := new(big.Float).SetPrec(numeric.ExactPrecision).Sub(numeric.Exactly(x), numeric.Exactly(r))
	q.Quo(q, numeric.Exactly(y))
	n, _ := q.Int(nil)
	low := new(big.Int).And(new(big.Int).Abs(n), big.NewInt(7)).Int64()
	if n.Sign() < 0 {
		low = -low
	}
	return r, uint64(uint32(low))
}

// longestVector bounds the counts of numbers that are read for a length.
const longestVector = 1 << 20

// addNorm adds a length of as many numbers as the first argument says, which lie where the second leads to.
func (p *precision) addNorm(name string, length func(x ...float64) float64) {
	functions[name+p.suffix] = &Function{call: func(v []uint64, _ int, mem Memory) (uint64, error) {
		size := uint64(p.bits / 8)
		var x []float64
		for i := range uint64(min(max(int(int32(v[0])), 0), longestVector)) {
			var b [8]byte
			if err := mem.Read(v[1]+i*size, b[:size]); err != nil {
				return 0, err
			}
			x = append(x, p.number(binary.LittleEndian.Uint64(b[:])))
		}
		return p.result(length(x...)), nil
	}}
}
