package softfloat

import (
	"math"
	"math/big"
)

// Flags are the exceptions that an operation raises (IEEE 754-2019, section 7), and denormal operands that
// are not flushed, in the order of the flags of x86's MXCSR and of AMD's TRAPSTS.
type Flags uint8

// The exceptions. Underflow is of a result that is tiny after rounding and inexact; also of one that is
// flushed.
const (
	Invalid Flags = 1 << iota
	Denormal
	DivideByZero
	Overflow
	Underflow
	Inexact
)

var bigModes = [...]big.RoundingMode{RoundNearest: big.ToNearestEven, RoundUp: big.ToPositiveInf,
	RoundDown: big.ToNegativeInf, RoundZero: big.ToZero}

// RoundFlags are those of rounding an exact value, which is finite, to the format.
func (f Format) RoundFlags(exact *big.Float, e Env) Flags {
	if exact.Sign() == 0 {
		return 0
	}
	r := new(big.Float).SetPrec(f.Mant + 1).SetMode(bigModes[e.Round]).Set(exact)
	exponent := r.MantExp(nil) - 1 // 1 <= |r|/2^exponent < 2
	switch {
	case exponent > f.Bias():
		return Overflow | Inexact
	case exponent >= 1-f.Bias():
		if r.Cmp(exact) != 0 {
			return Inexact
		}
		return 0
	}
	units := new(big.Float).SetMantExp(exact, f.Bias()-1+int(f.Mant)) // of the least denormal
	if !e.KeepOut || !units.IsInt() {
		return Underflow | Inexact
	}
	return 0
}

// operandFlags looks at operands: done if one of them is a NaN, so that nothing else is raised.
func (f Format) operandFlags(e Env, vs ...uint64) (raised Flags, done bool) {
	for _, v := range vs {
		switch {
		case f.IsSNaN(v):
			return Invalid, true
		case f.IsNaN(v):
			done = true
		case e.KeepIn && f.IsDenorm(v):
			raised |= Denormal
		}
	}
	if done {
		for _, v := range vs {
			if f.IsSNaN(v) {
				return Invalid, true
			}
		}
		return 0, true
	}
	return raised, false
}

func (f Format) bigOf(v uint64, e Env) *big.Float { return bigFloat(f.Float(f.In(v, e))) }

func (f Format) isInf(v uint64) bool { return f.Abs(v) == f.Inf() }

func (f Format) isZero(v uint64, e Env) bool { return f.Abs(f.In(v, e)) == 0 }

// QuietFlags are those of an operation that gives one of its operands, a truth value, or something of the
// same kind: of signaling NaNs and denormal operands.
func (f Format) QuietFlags(e Env, vs ...uint64) Flags {
	raised, _ := f.operandFlags(e, vs...)
	return raised
}

// AddFlags are those of a+b.
func (f Format) AddFlags(a, b uint64, e Env) Flags {
	raised, done := f.operandFlags(e, a, b)
	switch {
	case done:
		return raised
	case f.isInf(a) && f.isInf(b) && a != b:
		return Invalid
	case f.isInf(a) || f.isInf(b):
		return raised
	}
	return raised | f.RoundFlags(new(big.Float).Add(f.bigOf(a, e), f.bigOf(b, e)), e)
}

// MulFlags are those of a*b.
func (f Format) MulFlags(a, b uint64, e Env) Flags {
	raised, done := f.operandFlags(e, a, b)
	switch {
	case done:
		return raised
	case f.isInf(a) && f.isZero(b, e), f.isZero(a, e) && f.isInf(b):
		return Invalid
	case f.isInf(a) || f.isInf(b):
		return raised
	}
	return raised | f.RoundFlags(new(big.Float).Mul(f.bigOf(a, e), f.bigOf(b, e)), e)
}

// FMAFlags are those of a*b+c, rounded once and scaled by 2^scale before that.
func (f Format) FMAFlags(a, b, c uint64, scale int, e Env) Flags {
	raised, done := f.operandFlags(e, a, b, c)
	product := f.isInf(a) || f.isInf(b)
	switch {
	case done:
		return raised
	case f.isInf(a) && f.isZero(b, e), f.isZero(a, e) && f.isInf(b),
		product && f.isInf(c) && (a^b^c)&f.Sign() != 0:
		return Invalid
	case product || f.isInf(c):
		return raised
	}
	z := new(big.Float).Mul(f.bigOf(a, e), f.bigOf(b, e))
	z.Add(z, f.bigOf(c, e))
	return raised | f.RoundFlags(z.SetMantExp(z, scale), e)
}

// DivFlags are those of a/b.
func (f Format) DivFlags(a, b uint64, e Env) Flags {
	raised, done := f.operandFlags(e, a, b)
	switch {
	case done:
		return raised
	case f.isInf(a) && f.isInf(b), f.isZero(a, e) && f.isZero(b, e):
		return Invalid
	case f.isInf(a) || f.isInf(b):
		return raised
	case f.isZero(b, e):
		return DivideByZero
	}
	// As many bits as tell a quotient from what it rounds to: a quotient of numbers of 53 bits is no nearer
	// to a number of that size, or to the middle of two, than 107 bits show.
	const prec = 160
	return raised | f.RoundFlags(new(big.Float).SetPrec(prec).Quo(f.bigOf(a, e), f.bigOf(b, e)), e)
}

// SqrtFlags are those of the square root of a.
func (f Format) SqrtFlags(a uint64, e Env) Flags {
	raised, done := f.operandFlags(e, a)
	switch {
	case done, f.isZero(a, e):
		return raised
	case a&f.Sign() != 0:
		return Invalid
	case f.isInf(a):
		return raised
	}
	const prec = 160
	return raised | f.RoundFlags(new(big.Float).SetPrec(prec).Sqrt(f.bigOf(a, e)), e)
}

// ConvertFlags are those of making a value of format g from a.
func (f Format) ConvertFlags(g Format, a uint64, in, out Env) Flags {
	raised, done := f.operandFlags(in, a)
	if done || f.isInf(a) {
		return raised
	}
	return raised | g.RoundFlags(f.bigOf(a, in), out)
}

// LdexpFlags are those of a*2^n.
func (f Format) LdexpFlags(a uint64, n int, e Env) Flags {
	raised, done := f.operandFlags(e, a)
	if done || f.isInf(a) {
		return raised
	}
	z := f.bigOf(a, e)
	return raised | f.RoundFlags(z.SetMantExp(z, max(min(n, 5000), -5000)), e)
}

// IntFlags are those of making an integer of a, between lo and hi.
func (f Format) IntFlags(a uint64, lo, hi float64, e Env) Flags {
	raised, done := f.operandFlags(e, a)
	x := f.Float(f.In(a, e))
	switch whole := math.Trunc(x); {
	case done, whole < lo, whole > hi:
		return Invalid
	case whole != x:
		return raised | Inexact
	}
	return raised
}
