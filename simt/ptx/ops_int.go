package ptx

import (
	"math/bits"
	"strings"

	"simtgdb/simt/ptx/numeric"
	"simtgdb/simt/vec"
)

// Types of integers, and their pairs of signed and unsigned.
type (
	uints interface{ ~uint16 | ~uint32 | ~uint64 }
	sints interface{ ~int16 | ~int32 | ~int64 }
)

func init() {
	register(map[string]func(b *builder) error{
		"and": logic(predAnd, vec.WideAnd), "or": logic(predOr, vec.WideOr),
		"xor": logic(predXor, vec.WideXor),
		"not": (*builder).not, "cnot": unary(
			op1s{"b16": cnot[uint16], "b32": cnot[uint32], "b64": cnot[uint64]}),
		"shl":  shift(op2s{"b16": shl[uint16]}),
		"shr":  shift(rightShifts),
		"popc": count(op1s{"b32": each1(popc), "b64": each1(popc)}),
		"clz":  count(op1s{"b32": each1(clz32), "b64": each1(clz64)}),
		"brev": unary(op1s{
			"b32": each1(func(a uint64) uint64 { return uint64(bits.Reverse32(uint32(a))) }),
			"b64": each1(bits.Reverse64)}),
		"bfind": (*builder).bfind, "bfe": (*builder).bfe, "bfi": (*builder).bfi, "fns": (*builder).fns,
		"bmsk": (*builder).bmsk, "szext": (*builder).szext,
		"lop3": (*builder).lop3, "shf": (*builder).shf, "prmt": (*builder).prmt,
		"rem": binary2(op2s{
			"u16": rem[uint16], "u32": rem[uint32], "u64": rem[uint64],
			"s16": srem[int16, uint16], "s32": srem[int32, uint32], "s64": srem[int64, uint64]}),
		"mul24": (*builder).mul24, "mad24": (*builder).mad24,
		"sad": ternary(op3s{
			"u16": sad[uint16], "u32": sad[uint32], "u64": sad[uint64],
			"s16": ssad[int16, uint16], "s32": ssad[int32, uint32], "s64": ssad[int64, uint64]}),
		"dp4a": (*builder).dp4a, "dp2a": (*builder).dp2a,
		"addc": (*builder).addc, "subc": (*builder).subc, "madc": (*builder).madc,
		"slct": (*builder).slct,
	})
}

// Tables of operations by type.
type (
	op1s = map[string]op1
	op2s = map[string]op2
	op3s = map[string]op3
)

// unary, binary2 and ternary make a builder of a table; mods are the modifiers that change nothing.
func unary(t op1s, mods ...string) func(b *builder) error { return byType(t, (*builder).set1, mods) }

func binary2(t op2s, mods ...string) func(b *builder) error { return byType(t, (*builder).set2, mods) }

func ternary(t op3s, mods ...string) func(b *builder) error { return byType(t, (*builder).set3, mods) }

func byType[F any](t map[string]F, set func(b *builder, f F, typ string) error,
	mods []string) func(b *builder) error {
	return func(b *builder) error {
		f, ok := t[b.typ()]
		if !ok {
			return refuse("is not simulated for its type")
		}
		if err := b.only(mods...); err != nil {
			return err
		}
		return set(b, f, b.typ())
	}
}

// The operations on integers. Sums, differences and products are those of unsigned numbers for both kinds.

func addInt[T uints](d, a, b *vec.Wide) {
	for l := range d {
		d[l] = uint64(T(a[l]) + T(b[l]))
	}
}

func subInt[T uints](d, a, b *vec.Wide) {
	for l := range d {
		d[l] = uint64(T(a[l]) - T(b[l]))
	}
}

func cnot[T uints](d, a *vec.Wide) {
	for l := range d {
		d[l] = uint64(one(T(a[l]) == 0))
	}
}

func shl[T uints](d, a, b *vec.Wide) {
	for l := range d {
		d[l] = uint64(T(a[l]) << uint32(b[l])) // Go shifts by the width and more as PTX does
	}
}

func shrU[T uints](d, a, b *vec.Wide) {
	for l := range d {
		d[l] = uint64(T(a[l]) >> uint32(b[l]))
	}
}

func shrS[S sints, T uints](d, a, b *vec.Wide) {
	for l := range d {
		d[l] = uint64(T(S(a[l]) >> uint32(b[l])))
	}
}

var rightShifts = op2s{
	"b16": shrU[uint16], "u16": shrU[uint16], "s16": shrS[int16, uint16],
}

// A division says what an integer division divides.
type division struct {
	bits   uint8 // 0 for other instructions
	signed bool
}

// divisionOf is what an instruction divides.
func divisionOf(op string) division {
	name, typ, _ := strings.Cut(op, ".")
	if name != "div" && name != "rem" || typ == "" || typ[0] != 'u' && typ[0] != 's' {
		return division{}
	}
	return division{uint8(numeric.Widths[typ]), typ[0] == 's'}
}

// judgeDivision tells of lanes that divide by zero, which PTX leaves open (PTX ISA, "div"), or whose quotient
// is out of range, of which it says nothing.
func (c *Core) judgeDivision(p *path, in *inst, mask uint32) {
	x, y, shift := c.value(in, 0), c.value(in, 1), 64-in.divides.bits
	var zero, beyond uint32
	for rest := mask; rest != 0; rest &= rest - 1 {
		switch l := first(rest); {
		case y[l]<<shift == 0:
			zero |= 1 << l
		case in.divides.signed && x[l]<<shift == 1<<63 && int64(y[l]<<shift)>>shift == -1:
			beyond |= 1 << l
		}
	}
	if zero|beyond != 0 {
		p.pc = c.at
	}
	if zero != 0 {
		c.undefined(p, zero, 0, "divides by zero")
	}
	if beyond != 0 {
		c.undefined(p, beyond, 0, "has a quotient out of range")
	}
}

// div and rem by zero give what NVIDIA's machines do: all ones, and the dividend. PTX leaves it open.
func div[T uints](d, a, b *vec.Wide) {
	for l := range d {
		if T(b[l]) == 0 {
			d[l] = uint64(^T(0))
			continue
		}
		d[l] = uint64(T(a[l]) / T(b[l]))
	}
}

func sdiv[S sints, T uints](d, a, b *vec.Wide) {
	for l := range d {
		if S(b[l]) == 0 {
			d[l] = uint64(^T(0))
			continue
		}
		d[l] = uint64(T(S(a[l]) / S(b[l])))
	}
}

func rem[T uints](d, a, b *vec.Wide) {
	for l := range d {
		if T(b[l]) == 0 {
			d[l] = a[l]
			continue
		}
		d[l] = uint64(T(a[l]) % T(b[l]))
	}
}

func srem[S sints, T uints](d, a, b *vec.Wide) {
	for l := range d {
		if S(b[l]) == 0 {
			d[l] = a[l]
			continue
		}
		d[l] = uint64(T(S(a[l]) % S(b[l])))
	}
}

func minU(d, a, b *vec.Wide) {
	for l := range d {
		d[l] = min(a[l], b[l])
	}
}

func maxU(d, a, b *vec.Wide) {
	for l := range d {
		d[l] = max(a[l], b[l])
	}
}

func minS[S sints, T uints](d, a, b *vec.Wide) {
	for l := range d {
		d[l] = uint64(T(min(S(a[l]), S(b[l]))))
	}
}

func maxS[S sints, T uints](d, a, b *vec.Wide) {
	for l := range d {
		d[l] = uint64(T(max(S(a[l]), S(b[l]))))
	}
}

func negInt[T uints](d, a *vec.Wide) {
	for l := range d {
		d[l] = uint64(-T(a[l]))
	}
}

func absInt[S sints, T uints](d, a *vec.Wide) {
	for l := range d {
		v := S(a[l])
		if v < 0 {
			v = -v
		}
		d[l] = uint64(T(v))
	}
}

func sad[T uints](d, a, b, c *vec.Wide) {
	for l := range d {
		x, y := T(a[l]), T(b[l])
		d[l] = uint64(T(c[l]) + max(x, y) - min(x, y))
	}
}

func ssad[S sints, T uints](d, a, b, c *vec.Wide) {
	for l := range d {
		x, y := S(a[l]), S(b[l])
		d[l] = uint64(T(c[l]) + T(max(x, y)-min(x, y)))
	}
}

func popc(a uint64) uint64  { return uint64(bits.OnesCount64(a)) }
func clz32(a uint64) uint64 { return uint64(bits.LeadingZeros32(uint32(a))) }
func clz64(a uint64) uint64 { return uint64(bits.LeadingZeros64(a)) }

// logic is an operation on predicates; those on numbers are in wideInsts.
func logic(p func(a, b uint32) uint32, op vec.WideOp) func(b *builder) error {
	return func(b *builder) error {
		if b.typ() != "pred" {
			return refuse("is not simulated for its type")
		}
		return b.predicates(func(s []uint32) uint32 { return p(s[0], s[1]) }, &predicateLogic{n: 2, op: op})
	}
}

func predAnd(a, b uint32) uint32 { return a & b }
func predOr(a, b uint32) uint32  { return a | b }
func predXor(a, b uint32) uint32 { return a ^ b }

// A predicateLogic is an operation on n predicates, as numbers that are 1 where they hold.
type predicateLogic struct {
	n   int
	op  vec.WideOp // WideNone for the first of them
	not bool       // of the result
}

// predicates makes an instruction that computes a predicate from others.
func (b *builder) predicates(f func(s []uint32) uint32, as *predicateLogic) error {
	n := as.n
	if err := b.operands(n + 1); err != nil {
		return err
	}
	var err error
	if b.in.pdst, err = b.predicate(&b.args[0]); err != nil {
		return err
	}
	if err := b.sources(1, "pred"); err != nil {
		return err
	}
	b.in.logic = as
	b.in.run = func(c *Core, in *inst, mask uint32) {
		var s [3]uint32
		for i := range n {
			s[i] = c.pred(&in.s[i])
		}
		c.setPred(in.pdst, f(s[:n]), mask)
	}
	return nil
}

func (b *builder) not() error {
	if b.typ() == "pred" {
		return b.predicates(func(s []uint32) uint32 { return ^s[0] }, &predicateLogic{n: 1, not: true})
	}
	return refuse("is not simulated for its type")
}

// shift is an operation whose second source has 32 bits whatever the type.
func shift(t op2s) func(b *builder) error {
	return func(b *builder) error {
		f := t[b.typ()]
		if f == nil {
			return refuse("is not simulated for its type")
		}
		if err := b.only(); err != nil {
			return err
		}
		if err := b.set2(f, b.typ()); err != nil {
			return err
		}
		return b.retype(2, "u32")
	}
}

// retype makes operand i a source of another type than the others.
func (b *builder) retype(i int, typ string) error {
	s, err := b.source(&b.args[i], typ)
	b.in.s[i-1] = s
	return err
}

// count is an operation whose result has 32 bits.
func count(t op1s) func(b *builder) error { return unary(t) }

// mul24 and mad24 multiply the low 24 bits (PTX ISA, "mul24").
func (b *builder) mul24() error {
	f, err := b.product24()
	if err != nil {
		return err
	}
	return b.set2(each2(f), b.typ())
}

func (b *builder) mad24() error {
	f, err := b.product24()
	if err != nil {
		return err
	}
	if b.has("sat") {
		return refuse("is not simulated with .sat")
	}
	return b.set3(each3(func(x, y, z uint64) uint64 { return uint64(uint32(f(x, y) + z)) }), b.typ())
}

func (b *builder) product24() (func(x, y uint64) uint64, error) {
	hi, typ := b.has("hi"), b.typ()
	return func(x, y uint64) uint64 {
		x, y = x&0xffffff, y&0xffffff
		if typ == "s32" {
			x, y = numeric.SignExtend(x, 24), numeric.SignExtend(y, 24)
		}
		p := x * y
		if hi {
			p >>= 16
		}
		return uint64(uint32(p))
	}, b.only("hi", "lo")
}

// dp4a adds the products of four bytes, dp2a those of two halves with two bytes (PTX ISA, "dp4a", "dp2a").
func (b *builder) dp4a() error { return b.dotProduct(8, 4, 0) }

func (b *builder) dp2a() error {
	firstByte := 0
	if b.has("hi") {
		firstByte = 2
	}
	return b.dotProduct(16, 2, firstByte)
}

func (b *builder) dotProduct(width, n, firstByte int) error {
	t := b.typs()
	if len(t) != 2 {
		return refuse("has no two types")
	}
	if err := b.only("lo", "hi"); err != nil {
		return err
	}
	part := func(v uint64, i, width int, typ string) uint64 {
		v = v >> (i * width) & numeric.Mask(width)
		if typ == "s32" {
			v = numeric.SignExtend(v, width)
		}
		return v
	}
	return b.set3(each3(func(x, y, z uint64) uint64 {
		for i := range n {
			z += part(x, i, width, t[0]) * part(y, i+firstByte, 8, t[1])
		}
		return uint64(uint32(z))
	}), "b32")
}

// slct selects by the sign of its last operand (PTX ISA, "slct").
func (b *builder) slct() error {
	t := b.typs()
	if len(t) != 2 {
		return refuse("has no two types")
	}
	ftz := b.has("ftz")
	if err := b.only("ftz"); err != nil {
		return err
	}
	f := func(x, y, z uint64) uint64 {
		if int32(z) >= 0 {
			return x
		}
		return y
	}
	if t[1] == "f32" {
		f = func(x, y, z uint64) uint64 {
			v := numeric.F32(z)
			if v >= 0 || ftz && numeric.Flush(numeric.Bits32(v))&0x7fffffff == 0 { // not a NaN
				return x
			}
			return y
		}
	}
	if err := b.set3(each3(f), t[0]); err != nil {
		return err
	}
	return b.retype(3, t[1])
}
