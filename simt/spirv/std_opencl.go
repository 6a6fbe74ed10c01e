package spirv

import (
	"math"
	"math/bits"
	"sync"

	"simtgdb/simt/libm"
)

func buildOpenCL(b *builder, number uint32) (*inst, error) {
	return b.buildStd("OpenCL.std", openclFuncs()[number], number)
}

// openclFuncs are the functions of OpenCL.std, by number. half_ and native_ functions are as exact as others.
var openclFuncs = sync.OnceValue(func() map[uint32]stdFunc {
	return map[uint32]stdFunc{
		0: fn1(math.Acos).double(libm.Acos), 1: fn1(math.Acosh).double(libm.Acosh),
		2: fn1(byPi(math.Acos)).double(byPi(libm.Acos)), 3: fn1(math.Asin).double(libm.Asin),
		4: fn1(math.Asinh).double(libm.Asinh), 5: fn1(byPi(math.Asin)).double(byPi(libm.Asin)),
		6: fn1(math.Atan), 7: fn2(math.Atan2).double2(libm.Atan2), 8: fn1(math.Atanh).double(libm.Atanh),
		9: fn1(byPi(math.Atan)), 10: fn2(func(y, x float64) float64 { return math.Atan2(y, x) / math.Pi }).
			double2(func(y, x float64) float64 { return libm.Atan2(y, x) / math.Pi }),
		11: fn1(math.Cbrt).double(libm.Cbrt), 12: fn1(math.Ceil), 13: fn2(math.Copysign), 14: cosine,
		15: fn1(math.Cosh).double(libm.Cosh), 16: fn1(cosPi).double(libm.Cospi), 17: fn1(math.Erfc),
		18: fn1(math.Erf), 19: exponent, 20: exponent2, 21: exponent10,
		22: fn1(math.Expm1).double(libm.Expm1),
		23: fn1(math.Abs).fast(execFAbs32), 24: fn2(fdim), 25: fn1(math.Floor), 26: special(buildFma),
		27: fn2(fmax).fast(execFMax32), 28: fn2(fmin).fast(execFMin32), 29: fn2(math.Mod),
		30: special(buildSecond(true, fract)), 31: special(buildSecond(true, frexp)),
		32: fn2(math.Hypot).double2(libm.Hypot), 33: special(buildIlogb), 34: special(buildLdexp),
		35: fn1(libm.Lgamma), 36: special(buildSecond(true, lgammaSign)), 37: logarithm, 38: logarithm2,
		39: logTen, 40: fn1(math.Log1p).double(libm.Log1p), 41: fn1(math.Logb), 42: special(buildMad),
		43: fn2(maxMag), 44: fn2(minMag), 45: special(buildSecond(true, wholeAndFraction)),
		46: special(buildNaN),
		47: special(buildNextAfter), 48: power, 49: special(buildPown(libm.Pow)), 50: powerReal,
		51: fn2(math.Remainder), 52: special(buildTwoResults(2, true, remquo)), 53: fn1(math.RoundToEven),
		54: special(buildPown(rootn)), 55: fn1(math.Round), 56: rootInverse, 57: sine,
		58: special(buildSecond(true, sineAndCosine)), 59: fn1(math.Sinh).double(libm.Sinh),
		60: fn1(sinPi).double(libm.Sinpi), 61: squareRoot, 62: tangent, 63: fn1(math.Tanh).double(libm.Tanh),
		64: fn1(tanPi).double(tanPiWide), 65: fn1(math.Gamma).double(libm.Gamma), 66: fn1(math.Trunc),

		67: cosine, 68: quotient, 69: exponent, 70: exponent2, 71: exponent10, 72: logarithm, 73: logarithm2,
		74: logTen, 75: powerReal, 76: inverted, 77: rootInverse, 78: sine, 79: squareRoot, 80: tangent,
		81: cosine, 82: quotient, 83: exponent, 84: exponent2, 85: exponent10, 86: logarithm, 87: logarithm2,
		88: logTen, 89: powerReal, 90: inverted, 91: rootInverse, 92: sine, 93: squareRoot, 94: tangent,

		95: fn3(fclamp), 96: fn1(func(x float64) float64 { return x * (180 / math.Pi) }), 97: fn2(fmax),
		98:  fn2(fmin),
		99:  fn3(func(x, y, a float64) float64 { return x + (y-x)*a }),
		100: fn1(func(x float64) float64 { return x * (math.Pi / 180) }), 101: fn2(step),
		102: fn3(smoothStep),
		103: fn1(sign),
		104: special(buildVector(2, cross)), 105: special(buildVector(2, distance)),
		106: special(buildVector(1, length)),
		107: special(buildVector(1, normalize)), 108: special(buildVector(2, distance)),
		109: special(buildVector(1, length)),
		110: special(buildVector(1, normalize)),

		141: in1(absInt), 142: in2(func(x, y uint64, w uint) uint64 { return smax(x, y, w) - smin(x, y, w) }),
		143: in2(func(x, y uint64, w uint) uint64 { return addSat(x, y, w) }),
		144: in2(func(x, y uint64, w uint) uint64 {
			s, c := bits.Add64(x, y, 0)
			return pick(c != 0 || s > fieldMask(uint64(w)), fieldMask(uint64(w)), s)
		}),
		145: in2(func(x, y uint64, w uint) uint64 {
			a, b := signed(x, w), signed(y, w)
			return uint64(a>>1 + b>>1 + a&b&1)
		}),
		146: in2(func(x, y uint64, _ uint) uint64 { return x>>1 + y>>1 + x&y&1 }),
		147: in2(func(x, y uint64, w uint) uint64 {
			a, b := signed(x, w), signed(y, w)
			return uint64(a>>1 + b>>1 + (a|b)&1)
		}),
		148: in2(func(x, y uint64, _ uint) uint64 { return x>>1 + y>>1 + (x|y)&1 }),
		149: in3(sclamp), 150: in3(func(x, lo, hi uint64, _ uint) uint64 { return min(max(x, lo), hi) }),
		151: in1(func(x uint64, w uint) uint64 { return uint64(bits.LeadingZeros64(x)) - uint64(64-w) }),
		152: in1(func(x uint64, w uint) uint64 { return uint64(min(bits.TrailingZeros64(x), int(w))) }),
		153: in3(func(x, y, z uint64, w uint) uint64 {
			_, hi := mulWideSigned(x, y, fieldMask(uint64(w)), w)
			return hi + z
		}),
		154: in3(func(x, y, z uint64, w uint) uint64 {
			lo, hi := mulWide(x, y, fieldMask(uint64(w)), w)
			s, c := bits.Add64(lo, z, 0)
			return pick(hi != 0 || c != 0 || s > fieldMask(uint64(w)), fieldMask(uint64(w)), s)
		}),
		155: in3(madSat),
		156: in2(smax), 157: in2(func(x, y uint64, _ uint) uint64 { return max(x, y) }),
		158: in2(smin), 159: in2(func(x, y uint64, _ uint) uint64 { return min(x, y) }),
		160: in2(func(x, y uint64, w uint) uint64 {
			_,
				hi := mulWideSigned(x, y, fieldMask(uint64(w)), w)
			return hi
		}),
		161: in2(func(x, y uint64, w uint) uint64 { n := uint(y) & (w - 1); return x<<n | x>>(w-n) }),
		162: in2(func(x, y uint64, w uint) uint64 { return subSat(x, y, w) }),
		163: in2(func(x, y uint64, _ uint) uint64 { return pick(x < y, 0, x-y) }),
		164: special(buildUpsample), 165: special(buildUpsample),
		166: in1(func(x uint64, _ uint) uint64 { return uint64(bits.OnesCount64(x)) }),
		167: in3(func(x, y, z uint64, _ uint) uint64 { return uint64(signed(x, 24)*signed(y, 24)) + z }),
		168: in3(func(x, y, z uint64, _ uint) uint64 { return x&0xffffff*(y&0xffffff) + z }),
		169: in2(func(x, y uint64, _ uint) uint64 { return uint64(signed(x, 24) * signed(y, 24)) }),
		170: in2(func(x, y uint64, _ uint) uint64 { return x & 0xffffff * (y & 0xffffff) }),
		171: special(buildVload(0)), 172: special(buildVstore(0)), 173: special(buildVload(1)),
		174: special(buildVload(1)),
		175: special(buildVstore(1)), 176: special(buildVstore(1)), 177: special(buildVstore(1)),
		178: special(buildVstore(1)),
		179: special(buildVload(2)), 180: special(buildVstore(2)), 181: special(buildVstore(2)),
		182: special(buildShuffleDynamic), 183: special(buildShuffleDynamic), 184: special(buildOpenCLPrintf),
		185: special(buildNothing),
		186: in3(func(x, y, z uint64, _ uint) uint64 { return x&^z | y&z }),
		187: special(buildSelectBits),
		201: in1(func(x uint64, _ uint) uint64 { return x }),
		202: in2(func(x, y uint64, _ uint) uint64 { return max(x, y) - min(x, y) }),
		203: in2(func(x, y uint64, w uint) uint64 {
			_, hi := mulWide(x, y, fieldMask(uint64(w)), w)
			return hi
		}),
		204: in3(func(x, y, z uint64, w uint) uint64 {
			_,
				hi := mulWide(x, y, fieldMask(uint64(w)), w)
			return hi + z
		}),
	}
})

// fract is x - floor(x), below 1 in its width (OpenCL C, 6.13.2).
func fract(x float64, w uint) (float64, float64) {
	whole := math.Floor(x)
	if math.IsInf(x, 0) {
		return math.Copysign(0, x), x
	}
	most := map[uint]float64{16: 1 - 0x1p-11, 32: 1 - 0x1p-24, 64: 1 - 0x1p-53}[w]
	return math.Min(x-whole, most), whole
}

func maxMag(x, y float64) float64 {
	switch a, b := math.Abs(x), math.Abs(y); {
	case a > b:
		return x
	case b > a:
		return y
	}
	return fmax(x, y)
}

func minMag(x, y float64) float64 {
	switch a, b := math.Abs(x), math.Abs(y); {
	case a < b:
		return x
	case b < a:
		return y
	}
	return fmin(x, y)
}

func addSat(x, y uint64, w uint) uint64 {
	a, b := signed(x, w), signed(y, w)
	s := a + b
	if w == 64 && (a < 0) == (b < 0) && (s < 0) != (a < 0) {
		return pick(a < 0, 1<<63, 1<<63-1)
	}
	return clampSigned(s, w)
}

func subSat(x, y uint64, w uint) uint64 {
	a, b := signed(x, w), signed(y, w)
	s := a - b
	if w == 64 && (a < 0) != (b < 0) && (s < 0) != (a < 0) {
		return pick(a < 0, 1<<63, 1<<63-1)
	}
	return clampSigned(s, w)
}

func madSat(x, y, z uint64, w uint) uint64 {
	lo, hi := mulWideSigned(x, y, fieldMask(uint64(w)), w)
	if w == 64 {
		s, c := bits.Add64(lo, z, 0)
		h := int64(hi) + int64(c)
		if int64(z) < 0 {
			h--
		}
		if h != int64(s)>>63 {
			return pick(h < 0, 1<<63, 1<<63-1)
		}
		return s
	}
	return clampSigned(signed(lo|hi<<w, 2*w)+signed(z, w), w)
}

// buildMad makes mad: a multiplication and an addition, each rounded.
func buildMad(b *builder) (*inst, error) {
	i, _, err := b.elementwise(3)
	if err != nil {
		return nil, err
	}
	ctl := b.control(64 - i.shift)
	i.f3 = func(x, y, z uint64) uint64 { return ctl.add(ctl.multiply(x, y), z) }
	return i.with(map3), nil
}

func buildIlogb(b *builder) (*inst, error) {
	return b.mixed(1, func(x, _ uint64, wx, _ uint) uint64 {
		f := toFloat(x, wx)
		switch {
		case f == 0 || f != f:
			return 1 << 31
		case math.IsInf(f, 0):
			return 1<<31 - 1
		}
		return uint64(math.Ilogb(f))
	})
}

func buildNaN(b *builder) (*inst, error) {
	quiet := map[uint]uint64{16: 0x7e00, 32: 0x7fc00000, 64: 0x7ff8 << 48}
	return b.mixed(1,
		func(x, _ uint64, w, _ uint) uint64 { return quiet[w] | x&(quiet[w]>>1&fieldMask(uint64(w/2))) })
}

func buildPown(f func(x, n float64) float64) func(*builder) (*inst, error) {
	return func(b *builder) (*inst, error) {
		return b.mixed(2, func(x, n uint64, wx, wn uint) uint64 {
			c := b.control(wx)
			return c.out(f(c.in(x), float64(signed(n, wn))))
		})
	}
}

func buildNextAfter(b *builder) (*inst, error) {
	return b.mixed(2, func(x, y uint64, w, _ uint) uint64 {
		f, g := toFloat(x, w), toFloat(y, w)
		switch {
		case f != f:
			return x
		case g != g || f == g:
			return y
		case f == 0:
			return y&(1<<(w-1)) | 1
		case (g > f) == (f > 0):
			return x + 1
		}
		return x - 1
	})
}

// mixed makes an elementwise function whose operands may be of different types.
func (b *builder) mixed(n int, f func(x, y uint64, wx, wy uint) uint64) (*inst, error) {
	i, vs, err := b.elementwise(n)
	if err != nil {
		return nil, err
	}
	wx, wy, mask := vs[0].typ.scalar().width(), uint(0), i.imm
	if n == 1 {
		i.f1 = func(x uint64) uint64 { return f(x, 0, wx, 0) & mask }
		return i.with(map1), nil
	}
	wy = vs[1].typ.scalar().width()
	i.f2 = func(x, y uint64) uint64 { return f(x, y, wx, wy) & mask }
	return i.with(map2), nil
}

func buildUpsample(b *builder) (*inst, error) {
	return b.mixed(2, func(hi, lo uint64, w, _ uint) uint64 { return hi<<w | lo })
}

// buildSelectBits makes select(a, b, c): of scalars by c's truth, of vectors by the highest bit of c's
// components.
func buildSelectBits(b *builder) (*inst, error) {
	i, vs, err := b.elementwise(3)
	if err != nil {
		return nil, err
	}
	w, vector := vs[2].typ.scalar().width(), vs[2].typ.kind == kVector
	i.f3 = func(x, y, z uint64) uint64 {
		if vector {
			z = z >> (w - 1)
		}
		return pick(z != 0, y, x)
	}
	return i.with(map3), nil
}

// buildShuffleDynamic makes shuffle and shuffle2: the mask's components choose, modulo the number there are.
func buildShuffleDynamic(b *builder) (*inst, error) {
	vs, err := b.values(0)
	if err != nil {
		return nil, err
	}
	if len(vs) < 2 || b.typ == nil || vs[len(vs)-1].typ.slots != b.typ.slots {
		return nil, b.errorf("has operands that do not fit")
	}
	mask := vs[len(vs)-1]
	var from []int32
	for _, v := range vs[:len(vs)-1] {
		n := v.typ.slots
		if n == 3 {
			n = 4
		}
		for k := range n {
			from = append(from, v.slot+int32(min(k, v.typ.slots-1)))
		}
	}
	return &inst{a: mask.slot, n: int32(b.typ.slots), exec: func(c *core, in *inst) {
		for k := range in.n {
			d, m := c.one(in.d+k), c.one(in.a+k)
			for l := range d {
				d[l] = c.one(from[m[l]%uint64(len(from))])[l]
			}
		}
	}}, nil
}

// vectorAccess is the memory of a vload or vstore: n elements at the pointer plus an offset of as many (half
// vectors with aligned true: of 4 where n is 3). half says that memory has 16-bit floats.
func (b *builder) vectorAccess(pointer int, n int, half, aligned, write bool) (*access, uint64, error) {
	v, ptr, err := b.pointer(pointer)
	if err != nil {
		return nil, 0, err
	}
	t := v.typ.elem
	if t == nil || t.kind != kFloat && t.kind != kInt {
		return nil, 0, b.errorf("has a pointer to what is no number")
	}
	if half {
		t = &typ{kind: kFloat, bits: 16, size: 2, align: 2, slots: 1}
	}
	m := &access{space: spaces[v.typ.storage], ptr: v.slot, known: ptr.known, at: ptr.at, write: write}
	for k := range n {
		m.leaves = append(m.leaves, leaf{uint64(k) * t.size, t})
	}
	if aligned && n == 3 {
		n = 4
	}
	return m, uint64(n) * t.size, nil
}

// offsetAccess runs an access at a pointer plus an index times a stride.
func (c *core) offsetAccess(in *inst, m *access, index int32, stride uint64, tmp int32,
	exec func(*core, *inst)) {
	d := c.one(tmp)
	for l := range d {
		d[l] = c.pointerOf(m, l) + c.one(index)[l]*stride
	}
	at := *m
	at.known, at.ptr = false, tmp
	sub := *in
	sub.mem = &at
	exec(c, &sub)
}

// Kinds of vload and vstore: 0 of the type itself, 1 of halves, 2 of halves aligned as vectors are.
func buildVload(kind int) func(*builder) (*inst, error) {
	return func(b *builder) (*inst, error) {
		index, err := b.value(0)
		if err != nil {
			return nil, err
		}
		if b.typ == nil || b.typ.scalar() == nil {
			return nil, b.errorf("has a result that is no vector")
		}
		m, stride, err := b.vectorAccess(1, b.typ.slots, kind > 0, kind == 2, false)
		if err != nil {
			return nil, err
		}
		tmp, err := b.p.newSlots(b.in.word, 1)
		if err != nil {
			return nil, err
		}
		w := b.typ.scalar().width()
		return &inst{n: int32(b.typ.slots), mem: m, flags: faults, exec: func(c *core, in *inst) {
			c.offsetAccess(in, m, index.slot, stride, tmp, execLoad)
			if kind > 0 {
				for i, d := 0, c.slots(in.d, in.n); i < len(d); i++ {
					d[i] = fromFloat(half(uint16(d[i])), w)
				}
			}
		}}, nil
	}
}

func buildVstore(kind int) func(*builder) (*inst, error) {
	return func(b *builder) (*inst, error) {
		v, err := b.value(0)
		if err != nil {
			return nil, err
		}
		index, err := b.value(1)
		if err != nil {
			return nil, err
		}
		s := v.typ.scalar()
		if s == nil {
			return nil, b.errorf("stores what is neither scalar nor vector")
		}
		m, stride, err := b.vectorAccess(2, v.typ.slots, kind > 0, kind == 2, true)
		if err != nil {
			return nil, err
		}
		n := int32(v.typ.slots)
		tmp, err := b.p.newSlots(b.in.word, 1+int(n))
		if err != nil {
			return nil, err
		}
		mode := b.control(16).round
		if len(b.in.args) > 3 {
			mode = b.in.args[3]
		}
		w := s.width()
		return &inst{a: v.slot, mem: m, flags: faults, exec: func(c *core, in *inst) {
			sub := *in
			if kind > 0 {
				src, d := c.slots(in.a, n), c.slots(tmp+1, n)
				for i := range d {
					d[i] = roundFloat(toFloat(src[i], w), 16, mode)
				}
				sub.a = tmp + 1
			}
			c.offsetAccess(&sub, m, index.slot, stride, tmp, execStore)
		}}, nil
	}
}

// buildOpenCLPrintf makes printf: its format is a constant string in the module.
func buildOpenCLPrintf(b *builder) (*inst, error) {
	if len(b.in.args) == 0 {
		return nil, b.errorf("prints without a format")
	}
	format, ok := b.p.constantString(b.in.args[0])
	if !ok {
		return nil, b.errorf("prints by %%%d, which leads to no constant string", b.in.args[0])
	}
	i, err := b.printf(format)
	if err == nil && b.typ != nil && b.typ.slots == 1 {
		i.exec = func(c *core, in *inst) {
			execPrintf(c, in)
			c.fill(in.d, 0)
		}
	}
	return i, err
}

// constantString follows a pointer to the initialiser of the array of characters that it leads into.
func (p *Program) constantString(id uint32) (string, bool) {
	for range 8 {
		if v := p.variables[id]; v != nil {
			c := p.values[v.init]
			if c == nil || !c.fixed || c.typ.kind != kArray || c.typ.elem.bits != 8 {
				return "", false
			}
			var s []byte
			for _, x := range p.bitsOf(c) {
				if x == 0 {
					break
				}
				s = append(s, byte(x))
			}
			return string(s), true
		}
		def := p.def[id]
		if def == nil || len(def.args) == 0 {
			return "", false
		}
		if id = def.args[0]; def.op == opSpecConstantOp && len(def.args) > 1 {
			id = def.args[1]
		}
	}
	return "", false
}
