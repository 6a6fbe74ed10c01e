package spirv

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"testing"

	"simtgdb/simt/simttest"
	"simtgdb/simt/softfloat"
)

// floatEntries are the entry points of floats.spvasm with what their modes say of each width.
var floatEntries = map[string]map[uint]floatControl{
	"plain": {}, "preserve": {},
	"zero":  {16: {round: roundZero}, 32: {round: roundZero}, 64: {round: roundZero}},
	"flush": {16: {flush: true}, 32: {flush: true}, 64: {flush: true}},
	"both": {16: {round: roundZero, flush: true}, 32: {round: roundZero, flush: true},
		64: {round: roundZero, flush: true}},
	"some": {32: {round: roundZero}, 64: {flush: true}},
	// Two that are made of "zero".
	"up":   {16: {round: roundUp}, 32: {round: roundUp}, 64: {round: roundUp}},
	"down": {16: {round: roundDown}, 32: {round: roundDown}, 64: {round: roundDown}},
}

// directed are the modes of entry points that are made of another, which rounds to zero.
var directed = map[string]uint32{"up": 5620, "down": 5621} // RoundingModeRTPINTEL, RoundingModeRTNINTEL

// floatModule is floats.spvasm and the name of an entry point there.
func floatModule(t *testing.T, entry string) ([]uint32, string) {
	words := testModule(t, "floats.spv")
	mode := directed[entry]
	if mode == 0 {
		return words, entry
	}
	const executionMode, roundingModeRTZ = 4<<16 | 16, 4463
	for at := 5; at < len(words); at += int(words[at] >> 16) {
		if words[at] == executionMode && words[at+2] == roundingModeRTZ {
			words[at+2] = mode
		}
	}
	return words, "zero"
}

// TestFloatControls runs floats.spvasm by each of its entry points, beside arithmetic of math/big.
func TestFloatControls(t *testing.T) {
	for entry, modes := range floatEntries {
		t.Run(entry, func(t *testing.T) {
			for _, seed := range simttest.Seeds("FloatControls", 6, 12) {
				in := floatOperands(seed)
				words, entry := floatModule(t, entry)
				l := launch{o: Options{Entry: entry}, buffers: map[Slot][]byte{{}: bytes64(in),
					{Binding: 1}: make([]byte, 8*32*65)}, track: seed%2 != 0}
				r := l.run(t, words)
				ended(t, r)
				compareFloats(t, modes, in, r.regions[Slot{Binding: 1}].Data)
			}
		})
	}
}

func bytes64(vs []uint64) (b []byte) {
	for _, v := range vs {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return b
}

// floatOperands are three operands for each of 32 invocations, of which the lower bits are operands too.
func floatOperands(seed uint64) []uint64 {
	rnd := random(seed)
	special := []uint64{0, 1 << 63, 0x3ff0_0000_3f80_3c00, 1, 0x8000_0000_8000_8001, 0x000f_ffff_007f_03ff,
		0x7fef_ffff_7f7f_7bff, 0x7ff0_0000_7f80_7c00, 0x0010_0000_0080_0400, 0x3fff_ffff_ffff_ffff}
	in := make([]uint64, 96)
	for i := range in {
		v := uint64(rnd.next())<<33 ^ uint64(rnd.next())<<12 ^ uint64(rnd.next())
		switch rnd.next() >> 8 % 6 {
		case 0:
			v = special[rnd.next()>>8%uint32(len(special))]
		case 1: // denormal in each width
			v &= 0x800f_ffff_807f_83ff
		case 2: // near 1 in each width
			v = v&0x800f_ffff_807f_83ff | 0x3fe0_0000_3f00_3800
		case 3: // near the least normal number in each width
			v = v&0x801f_ffff_80ff_87ff | 0x0010_0000_0080_0400
		}
		in[i] = v
	}
	return in
}

// A bigControl computes by math/big what a [floatControl] asks for.
type bigControl struct{ floatControl }

func (c bigControl) of(v uint64) float64 {
	f := c.format()
	if c.flush && f.IsDenorm(v) {
		v &= f.Sign()
	}
	return toFloat(v, c.width)
}

// outward reports whether a number is rounded away from zero.
func (c bigControl) outward(z *big.Float) bool {
	return c.floatControl.round == roundUp && !z.Signbit() || c.floatControl.round == roundDown && z.Signbit()
}

// sum is that of two numbers: one that is zero is negative if both are, or if it is rounded down and one is
// (IEEE 754, 6.3).
func (c bigControl) sum(near float64, infinite, negative, either bool, z func() *big.Float) uint64 {
	v := c.exact(near, infinite, z)
	if f := c.format(); v&^f.Sign() == 0 && !infinite && z().Sign() == 0 &&
		(negative || either && c.floatControl.round == roundDown) {
		v |= f.Sign()
	}
	return v
}

// round rounds a number that is no zero, by counting in units of the last place.
func (c bigControl) round(z *big.Float) uint64 {
	f := c.format()
	least := 1 - f.Bias()
	e := max(z.MantExp(nil)-1, least) - int(f.Mant) // of the unit
	units, _ := new(big.Float).SetMantExp(new(big.Float).Abs(z), -e).Int(nil)
	rest := new(big.Float).SetPrec(5000).SetMantExp(new(big.Float).Abs(z), -e)
	rest.Sub(rest, new(big.Float).SetInt(units))
	n := units.Uint64()
	if half := rest.Cmp(big.NewFloat(0.5)); c.floatControl.round == roundEven &&
		(half > 0 || half == 0 && n&1 != 0) || rest.Sign() > 0 && c.outward(z) {
		n++
	}
	v := n + uint64(e+int(f.Mant)-least)<<f.Mant
	if n == 0 {
		v = 0
	}
	if v >= f.Inf() {
		v = f.Inf()
		if c.floatControl.round != roundEven && !c.outward(z) {
			v--
		}
	}
	if c.flush && f.IsDenorm(v) {
		v = 0
	}
	if z.Signbit() {
		v |= f.Sign()
	}
	return v
}

// exact rounds a number that 64 bits may not hold, which near says but for its tail: it decides where the
// result is no number, infinite because an operand is, or a zero.
func (c bigControl) exact(near float64, infinite bool, z func() *big.Float) uint64 {
	f := c.format()
	if near != near {
		return f.NaN()
	}
	if infinite {
		return fromFloat(near, c.width)
	}
	if n := z(); n.Sign() != 0 {
		return c.round(n)
	}
	return fromFloat(math.Copysign(0, near), c.width)
}

func wide(x float64) *big.Float { return new(big.Float).SetPrec(5000).SetFloat64(x) }

func (c bigControl) add(x, y uint64) uint64 {
	a, b := c.of(x), c.of(y)
	p, q := math.Signbit(a), math.Signbit(b)
	return c.sum(a+b, math.IsInf(a, 0) || math.IsInf(b, 0), p && q, p || q,
		func() *big.Float { return wide(a).Add(wide(a), wide(b)) })
}

func (c bigControl) multiply(x, y uint64) uint64 {
	a, b := c.of(x), c.of(y)
	return c.exact(a*b, math.IsInf(a, 0) || math.IsInf(b, 0),
		func() *big.Float { return wide(a).Mul(wide(a), wide(b)) })
}

func (c bigControl) fma(x, y, z uint64) uint64 {
	a, b, d := c.of(x), c.of(y), c.of(z)
	p, q := math.Signbit(a) != math.Signbit(b), math.Signbit(d)
	return c.sum(math.FMA(a, b, d), math.IsInf(a, 0) || math.IsInf(b, 0) || math.IsInf(d, 0), p && q, p || q,
		func() *big.Float { p := wide(a).Mul(wide(a), wide(b)); return p.Add(p, wide(d)) })
}

func (c bigControl) number(x float64) uint64 {
	return c.exact(x, math.IsInf(x, 0), func() *big.Float { return wide(x) })
}

// results are what invocations compute of their operands by one width, in order.
func (c bigControl) results(a, b, d uint64, sum *uint64) map[string]uint64 {
	f := c.format()
	mask := f.All()
	wideA := a
	a, b, d = a&mask, b&mask, d&mask
	x, y := c.of(a), c.of(b)
	less, infinite := x < y, math.IsInf(x, 0) || math.IsInf(y, 0)
	lesser := b
	if y != y || x < y || x == y && math.Signbit(x) {
		lesser = a
	}
	*sum = c.add(*sum, a)
	m := map[string]uint64{"add": c.add(a, b), "sub": c.add(a, b^f.Sign()), "mul": c.multiply(a, b),
		"div": c.exact(x/y, infinite || y == 0,
			func() *big.Float { return wide(x).SetPrec(300).Quo(wide(x), wide(y)) }),
		"negate": c.number(-x), "abs": c.number(math.Abs(x)), "min": c.number(c.of(lesser)),
		"fma": c.fma(a, b, d),
		"sqrt": c.exact(math.Sqrt(x), math.IsInf(x, 0),
			func() *big.Float { return new(big.Float).SetPrec(300).Sqrt(wide(x)) }),
		"ldexp":   c.exact(x, math.IsInf(x, 0), func() *big.Float { return wide(x).SetMantExp(wide(x), -5) }),
		"less":    one(less),
		"differs": one(!(x == y)), "select": pick(less, a, b), "scaled": c.multiply(a, d),
		"dot":    c.add(c.multiply(a, d), c.multiply(b, b)),
		"matrix": c.add(c.multiply(b, d), c.multiply(b, b)), "sum": *sum}
	m["unsigned"] = c.integer(new(big.Int).SetUint64(wideA))
	m["signed"] = c.integer(big.NewInt(int64(wideA)))
	return m
}

func (c bigControl) integer(n *big.Int) uint64 {
	if n.Sign() == 0 {
		return 0
	}
	return c.round(new(big.Float).SetInt(n))
}

// floatResults are the results of floats.spvasm of each width.
var floatResults = []string{"add", "sub", "mul", "div", "negate", "abs", "min", "fma", "sqrt", "ldexp",
	"less", "differs", "select", "scaled", "dot", "matrix", "sum", "unsigned", "signed"}

func compareFloats(t *testing.T, modes map[uint]floatControl, in []uint64, out []byte) {
	t.Helper()
	var sums [3]uint64
	widths := []uint{16, 32, 64}
	controls := map[uint]bigControl{}
	for _, w := range widths {
		c := modes[w]
		c.width = w
		controls[w] = bigControl{c}
	}
	for i := range 32 {
		a, b, d := in[3*i], in[3*i+1], in[3*i+2]
		at := 0
		check := func(name string, w uint, want uint64) {
			got := binary.LittleEndian.Uint64(out[8*(32*at+i):])
			f := controls[w].format()
			same := got == want || f.IsNaN(got) && f.IsNaN(want)
			if !same || name == "pack" && got != want {
				t.Errorf("%s of %d bits (%+v) of %#x, %#x, %#x: %#x, want %#x", name, w, modes[w], a, b, d,
					got, want)
			}
			at++
		}
		for k, w := range widths {
			c := controls[w]
			m := c.results(a, b, d, &sums[k])
			for _, name := range floatResults {
				check(name, w, m[name])
			}
			for _, o := range widths {
				if o != w {
					from := controls[o]
					check(fmt.Sprint("from", o), w, c.number(from.of(a&from.format().All())))
				}
			}
		}
		single := func(v uint64) uint64 { return controls[32].number(controls[64].of(v)) }
		half := func(v uint64) uint64 { return controls[16].number(controls[32].of(v)) }
		pack := half(single(a)) | half(single(b))<<16
		if h := softfloat.Half; h.IsNaN(half(single(a))) || h.IsNaN(half(single(b))) {
			at++
		} else {
			check("pack", 32, pack)
		}
		check("unpack", 32, controls[32].number(controls[16].of(a&0xffff)))
	}
}
