package gcn

import (
	"math"
	"math/big"
	"math/bits"
	"regexp"
	"strings"
	"sync"

	"simtgdb/simt"
	"simtgdb/simt/pattern"
	"simtgdb/simt/softfloat"
)

// Exceptions of arithmetic (MI200 ISA, tables "TRAPSTS register fields" and "MODE register fields"): TRAPSTS
// keeps those that have been raised, and those that MODE enables trap. They cost, so they are looked for only
// while MODE enables one, or if the program has an instruction that reads TRAPSTS.
const intDivideByZero = 1 << 6 // the others are the flags of package softfloat

var exceptionNames = []string{"invalid operation", "denormal operand", "division by zero", "overflow",
	"underflow",
	"inexact result", "integer division by zero"}

// exceptionText names exceptions.
func exceptionText(set uint32) string {
	var names []string
	for i, n := range exceptionNames {
		if set>>i&1 != 0 {
			names = append(names, n)
		}
	}
	return strings.Join(names, ", ")
}

// A raiser says which exceptions an operation raises for one lane's operands.
type raiser func(f format, v [3]uint64, e env, x *lanes, lane int) softfloat.Flags

// raisers are the operations that raise exceptions, by the names of their rows; the first that matches
// counts. What is approximate (see approximations) is never called inexact. Matrix and dot
// instructions, and conversions from and to bytes, bfloat16 and normalized integers raise nothing.
var raisers = []struct {
	names func() *regexp.Regexp
	raise raiser
}{
	{pattern.Compile(`^v_(pk_)?add_f`), raiseAdd(0, 0)},
	{pattern.Compile(`^v_sub_f`), raiseAdd(0, 1)},
	{pattern.Compile(`^v_subrev_f`), raiseAdd(1, 0)},
	{pattern.Compile(`^v_(pk_)?mul_f`),
		func(f format, v [3]uint64, e env, _ *lanes, _ int) softfloat.Flags {
			return f.MulFlags(v[0], v[1], e)
		}},
	{pattern.Compile(`^v_mul_legacy_f`),
		func(f format, v [3]uint64, e env, _ *lanes, _ int) softfloat.Flags {
			if f.Abs(f.In(v[0], e)) == 0 || f.Abs(f.In(v[1], e)) == 0 {
				return 0
			}
			return f.MulFlags(v[0], v[1], e)
		}},
	{pattern.Compile(`^v_(fma|fmac|fmaak|fmamk|pk_fma|pk_fmac|fma_mix(lo|hi)?|fma_legacy)_f`), raiseFMA},
	{pattern.Compile(`^v_(mad|mac|madak|madmk|mad_mix(lo|hi)?|mad_legacy)_f`), raiseMad},
	{pattern.Compile(`^v_div_fmas_f`), raiseDivFMAS},
	{pattern.Compile(`^v_div_fixup(_legacy)?_f`), raiseDivFixup},
	{pattern.Compile(`^v_cmpx?_class_`), nil},
	{pattern.Compile(`^v_cmpx?_[a-z]+_f|^v_(pk_)?(min|max)(imum)?3?_f|^v_med3_f`), raiseQuiet},
	{pattern.Compile(`^v_(trunc|ceil|floor|rndne|fract|frexp_mant)_f`), raiseQuiet1},
	{pattern.Compile(`^v_ldexp_f`), func(f format, v [3]uint64, e env, x *lanes, _ int) softfloat.Flags {
		n := int(int32(v[1]))
		if f == half16 {
			n = int(int16(v[1]))
		}
		return f.LdexpFlags(v[0], n, e)
	}},
	{pattern.Compile(`^v_cvt_f(16|32|64)_f(16|32|64)$`), raiseConvert},
	{pattern.Compile(`^v_cvt_pkrtz_f16_f32$`), func(f format, v [3]uint64, e env, x *lanes,
		_ int) softfloat.Flags {
		g := envOf(half16, x.mode)
		g.Round = roundZero
		return f.ConvertFlags(half16, v[0], e, g) | f.ConvertFlags(half16, v[1], e, g)
	}},
	{pattern.Compile(`^v_cvt_f(16|32|64)_[iu](16|32)$`), raiseFromInt},
	{pattern.Compile(`^v_cvt_([iu](16|32))_f(16|32|64)$`), raiseToInt},
	{pattern.Compile(`^v_rcp_iflag_f32$`), func(f format, v [3]uint64, e env, _ *lanes,
		_ int) softfloat.Flags {
		if f.Abs(f.In(v[0], e)) == 0 {
			return intDivideByZero
		}
		return 0
	}},
	{pattern.Compile(`^v_rcp_f`), func(f format, v [3]uint64, e env, _ *lanes, _ int) softfloat.Flags {
		return inexactly(f.DivFlags(f.One(), v[0], e))
	}},
	{pattern.Compile(`^v_sqrt_f`), func(f format, v [3]uint64, e env, _ *lanes, _ int) softfloat.Flags {
		return inexactly(f.SqrtFlags(v[0], e))
	}},
	{pattern.Compile(`^v_(rsq|log(_legacy)?)_f`), raisePole},
	{pattern.Compile(`^v_exp(_legacy)?_f`), func(f format, v [3]uint64, e env, _ *lanes,
		_ int) softfloat.Flags {
		raised := f.QuietFlags(e, v[0])
		if f.IsNaN(v[0]) || f.Abs(v[0]) == f.Inf() {
			return raised
		}
		n := max(min(f.Float(f.In(v[0], e)), 5000), -5000)
		return raised | inexactly(f.RoundFlags(
			new(big.Float).SetMantExp(big.NewFloat(1), int(math.Floor(n))), e))
	}},
	{pattern.Compile(`^v_(sin|cos)_f`),
		func(f format, v [3]uint64, e env, _ *lanes, _ int) softfloat.Flags {
			if f.Abs(v[0]) == f.Inf() {
				return softfloat.Invalid
			}
			return f.QuietFlags(e, v[0])
		}},
}

// inexactly leaves out what an approximation cannot know.
func inexactly(raised softfloat.Flags) softfloat.Flags { return raised &^ softfloat.Inexact }

func raiseAdd(negate0, negate1 uint64) raiser {
	return func(f format, v [3]uint64, e env, _ *lanes, _ int) softfloat.Flags {
		return f.AddFlags(v[0]^negate0*f.Sign(), v[1]^negate1*f.Sign(), e)
	}
}

func raiseFMA(f format, v [3]uint64, e env, _ *lanes, _ int) softfloat.Flags {
	return f.FMAFlags(v[0], v[1], v[2], 0, e)
}

// raiseMad is of a product that is rounded before it is added to, with denormals flushed.
func raiseMad(f format, v [3]uint64, e env, _ *lanes, _ int) softfloat.Flags {
	e.KeepIn, e.KeepOut = false, false
	return f.MulFlags(v[0], v[1], e) | f.AddFlags(f.Mul(v[0], v[1], e), v[2], e)
}

func raiseDivFMAS(f format, v [3]uint64, e env, x *lanes, lane int) softfloat.Flags {
	n := 0
	if x.in>>lane&1 != 0 {
		if n = -2 * int(f.Width); int(f.Abs(v[2])>>f.Mant) > f.Bias() {
			n = -n
		}
	}
	return f.FMAFlags(v[0], v[1], v[2], n, e)
}

// raiseDivFixup is of the quotient c/b, whose inexactness the steps before have told.
func raiseDivFixup(f format, v [3]uint64, e env, _ *lanes, _ int) softfloat.Flags {
	e.KeepIn = true
	return inexactly(f.DivFlags(v[2], v[1], e))
}

func raiseQuiet(f format, v [3]uint64, e env, x *lanes, _ int) softfloat.Flags {
	return f.QuietFlags(e, v[:x.inst.Op.srcCount()]...)
}

func raiseQuiet1(f format, v [3]uint64, e env, _ *lanes, _ int) softfloat.Flags {
	return f.QuietFlags(e, v[0])
}

func raiseConvert(f format, v [3]uint64, e env, x *lanes, _ int) softfloat.Flags {
	g, _ := formatOf(x.inst.Op.dst)
	return f.ConvertFlags(g, v[0], e, envOf(g, x.mode))
}

func raiseFromInt(_ format, v [3]uint64, _ env, x *lanes, _ int) softfloat.Flags {
	g, _ := formatOf(x.inst.Op.dst)
	z := new(big.Float)
	switch x.inst.Op.src[0] {
	case i16:
		z.SetInt64(int64(int16(v[0])))
	case i32:
		z.SetInt64(int64(int32(v[0])))
	case u16:
		z.SetUint64(v[0] & 0xffff)
	default:
		z.SetUint64(v[0])
	}
	return g.RoundFlags(z, envOf(g, x.mode))
}

func raiseToInt(f format, v [3]uint64, e env, x *lanes, _ int) softfloat.Flags {
	lo, hi := 0.0, float64(math.MaxUint32)
	switch x.inst.Op.dst {
	case i16:
		lo, hi = math.MinInt16, math.MaxInt16
	case u16:
		hi = math.MaxUint16
	case i32:
		lo, hi = math.MinInt32, math.MaxInt32
	}
	return f.IntFlags(v[0], lo, hi, e)
}

// raisePole is of functions that have a pole at 0 and nothing below.
func raisePole(f format, v [3]uint64, e env, _ *lanes, _ int) softfloat.Flags {
	switch a := f.In(v[0], e); {
	case f.IsNaN(a):
	case f.Abs(a) == 0:
		return softfloat.DivideByZero
	case a&f.Sign() != 0:
		return softfloat.Invalid
	}
	return f.QuietFlags(e, v[0])
}

var raiserCache sync.Map // of raiser by *Op

func raiserOf(op *Op) raiser {
	if r, ok := raiserCache.Load(op); ok {
		return r.(raiser)
	}
	var found raiser
	for i := range raisers {
		if raisers[i].names().MatchString(op.Name) {
			found = raisers[i].raise
			break
		}
	}
	raiserCache.Store(op, found)
	return found
}

// recordsExceptions reports whether exceptions of arithmetic are looked for.
func (c *Core) recordsExceptions() bool {
	return c.isa.readsTrapSts || c.trapping() != 0
}

// trapping are the exceptions that trap: MODE says so, and from gfx12 on TRAP_CTRL.
func (c *Core) trapping() uint32 {
	if c.isa.Target&gfx12 != 0 {
		return c.r.S[regTrapCtrl] & exceptions
	}
	return c.r.S[regMode] & ModeExcp >> ModeExcpShift
}

// runRaising executes an instruction in a block of its own and finds out which exceptions it raises. The wave
// stops after an instruction that raises an enabled one.
func (c *Core) runRaising(one *block) uint64 {
	in := &one.insts[0]
	raise := raiserOf(in.Op)
	if raise == nil || in.Op.vec == nil {
		return c.runInsts(one, one.insts)
	}
	var raised [simt.MaxLanes]softfloat.Flags
	exec, op := c.w.Exec, *in.Op
	vec := op.vec
	op.vec = func(x *lanes) {
		x.inst = in
		for m := exec; m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m) & 63
			raised[l] = raisedIn(&op, raise, x, l)
		}
		vec(x)
	}
	in.Op = &op
	if exec := in.vectorExec(); in.next != nil { // by way of op.vec, which not all instructions take
		in.next = exec
	} else {
		in.exec = exec
	}
	enabled, pc := c.trapping(), in.PC
	n := c.runInsts(one, one.insts)
	var all, trapped, lanes = softfloat.Flags(0), uint32(0), uint64(0)
	for l, r := range raised {
		all |= r
		if t := uint32(r) & enabled; t != 0 {
			trapped |= t
			lanes |= 1 << l
		}
	}
	c.r.S[regTrapSts] |= uint32(all)
	if trapped != 0 && c.stop.Kind == simt.NoEvent {
		c.stop = simt.Event{Kind: simt.TrapEvent, Trap: simt.ArithmeticTrap, PC: pc, Lanes: lanes,
			Code: trapped, Text: exceptionText(trapped)}
	}
	return n
}

// raisedIn are the exceptions of one lane: of packed operands, those of both parts.
func raisedIn(op *Op, raise raiser, x *lanes, l int) softfloat.Flags {
	t := op.src[0]
	f, ok := formatOf(t)
	if !ok {
		f, _ = formatOf(op.dst)
	}
	e := envOf(f, x.mode)
	var v [3]uint64
	for i := range op.srcCount() {
		if op.src[i] != mask {
			lo, hi := x.source(i)
			v[i] = get(l, lo, hi)
		}
	}
	switch t {
	case v2f16, v2bf16, v2f32:
		first, second := v, v
		for i := range v {
			first[i], second[i] = v[i]&f.All(), v[i]>>f.Width
		}
		return raise(f, first, e, x, l) | raise(f, second, e, x, l)
	case f16, bf16:
		for i := range v {
			v[i] &= 0xffff
		}
	}
	return raise(f, v, e, x, l)
}
