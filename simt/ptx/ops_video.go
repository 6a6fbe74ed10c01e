package ptx

import (
	"math"
	"math/bits"
	"strings"

	"simtgdb/simt/ptx/numeric"
	"simtgdb/simt/vec"
)

// Video instructions (PTX ISA, "Scalar Video Instructions", "SIMD Video Instructions"): they compute
// with parts of registers, signed or not, in more bits than a register has.

func init() {
	for name := range videoOps {
		register(map[string]func(b *builder) error{"v" + name: (*builder).video})
	}
	for _, name := range []string{"add", "sub", "absdiff", "min", "max", "avrg"} {
		register(map[string]func(b *builder) error{"v" + name + "2": (*builder).videoSIMD,
			"v" + name + "4": (*builder).videoSIMD})
	}
	register(map[string]func(b *builder) error{"vmad": (*builder).videoMad, "vset": (*builder).videoSet,
		"vset2": (*builder).videoSet, "vset4": (*builder).videoSet})
}

// videoOps compute from two numbers.
var videoOps = map[string]func(a, b int64) int64{
	"add":     func(a, b int64) int64 { return a + b },
	"sub":     func(a, b int64) int64 { return a - b },
	"absdiff": func(a, b int64) int64 { return max(a-b, b-a) },
	"min":     func(a, b int64) int64 { return min(a, b) },
	"max":     func(a, b int64) int64 { return max(a, b) },
	"shl":     func(a, b int64) int64 { return a << uint64(b) },
	"shr":     func(a, b int64) int64 { return a >> uint64(b) },
}

// average rounds away from zero, as the SIMD instruction does.
func average(a, b int64) int64 {
	if s := a + b; s >= 0 {
		return (s + 1) >> 1
	} else {
		return s >> 1
	}
}

// partOf takes a part of a register as a number of a type.
func partOf(v uint64, part, typ string) int64 {
	width := 32
	if part != "" {
		n := uint64(part[1] - '0')
		width = 8
		if part[0] == 'h' {
			width = 16
		}
		v = v >> (n * uint64(width)) & numeric.Mask(width)
	}
	if typ[0] == 's' {
		return int64(numeric.SignExtend(v, width))
	}
	return int64(v)
}

func validPart(part string) bool {
	return part == "" || len(part) == 2 && (part[0] == 'b' && part[1] >= '0' && part[1] <= '3' ||
		part[0] == 'h' && part[1] >= '0' && part[1] <= '1')
}

// clamp limits a number to a type of some width.
func clamp(v int64, width int, typ string) int64 {
	if typ[0] == 's' {
		most := int64(1)<<(width-1) - 1
		return max(min(v, most), -most-1)
	}
	return max(min(v, int64(1)<<width-1), 0)
}

// videoForm reads types and parts of a scalar video instruction.
func (b *builder) videoForm(args int) (types []string, parts [3]string, err error) {
	types = b.typs()
	if len(b.args) < args || len(b.args) > args+1 {
		return nil, parts, refuse("has %d operands; expected %d or %d", len(b.args), args, args+1)
	}
	if err = b.dest(0); err != nil {
		return
	}
	for i := range parts {
		if parts[i] = b.args[i].Part; !validPart(parts[i]) {
			return nil, parts, refuse("has the part .%s of a register", parts[i])
		}
	}
	err = b.sources(1, "b32")
	if err == nil && (len(types) < 2 || b.in.dst < 0) {
		err = refuse("has no types of its operands")
	}
	return
}

// finishVideo puts a result into its part of the third source, or joins it with that.
func (b *builder) finishVideo(part string) (func(v int64, c uint64) uint64, error) {
	secondary := ""
	for _, m := range []string{"add", "min", "max"} {
		if b.has(m) {
			secondary = m
		}
	}
	signed := b.typs()[0][0] == 's'
	switch {
	case part != "":
		width, n := uint64(8), uint64(part[1]-'0')
		if part[0] == 'h' {
			width = 16
		}
		field := numeric.Mask(int(width)) << (n * width)
		return func(v int64, c uint64) uint64 { return c&^field | uint64(v)<<(n*width)&field }, nil
	case secondary == "":
		return func(v int64, _ uint64) uint64 { return uint64(uint32(v)) }, nil
	}
	f := videoOps[secondary]
	return func(v int64, c uint64) uint64 {
		x, y := int64(uint32(v)), int64(c)
		if signed {
			x, y = int64(int32(v)), int64(int32(c))
		}
		return uint64(uint32(f(x, y)))
	}, nil
}

// video is a scalar video instruction of two numbers.
func (b *builder) video() error {
	if err := b.only("sat", "add", "min", "max", "clamp", "wrap"); err != nil {
		return err
	}
	types, parts, err := b.videoForm(3)
	if err != nil || len(types) != 3 {
		return refuse("is not simulated in this form")
	}
	name := strings.TrimPrefix(builderName(b.src.Op), "v")
	f := videoOps[name]
	finish, err := b.finishVideo(parts[0])
	if err != nil {
		return err
	}
	width := partWidth(parts[0])
	sat, wrap, shift := b.has("sat"), b.has("wrap"), name == "shl" || name == "shr"
	run := func(x, y, z uint64) uint64 {
		p, q := partOf(x, parts[1], types[1]), partOf(y, parts[2], types[2])
		if shift {
			if q = int64(uint32(q)); wrap {
				q &= 31
			}
			q = min(q, 32)
		}
		v := f(p, q)
		if sat {
			v = clamp(v, width, types[0])
		}
		return finish(v, z)
	}
	return b.videoRun(run)
}

func partWidth(part string) int {
	switch {
	case part == "":
		return 32
	case part[0] == 'h':
		return 16
	}
	return 8
}

// videoRun makes an instruction of two or three sources.
func (b *builder) videoRun(f func(x, y, z uint64) uint64) error {
	if b.in.s[2].kind == fromNone {
		b.in.s[2] = source{kind: fromImm, imm: new(vec.Wide)}
	}
	b.in.f3, b.in.run = each3(f), run3
	return nil
}

// videoMad multiplies and adds: d = ±a*b ± c, plus one with .po, shifted right by 0, 7 or 15.
func (b *builder) videoMad() error {
	if err := b.only("sat", "shr7", "shr15", "po"); err != nil {
		return err
	}
	types, parts, err := b.videoForm(3)
	if err != nil || len(types) != 3 || parts[0] != "" || len(b.args) != 4 {
		return refuse("is not simulated in this form")
	}
	shift := uint(0)
	if b.has("shr7") {
		shift = 7
	}
	if b.has("shr15") {
		shift = 15
	}
	minusProduct, minusC := b.args[1].Negated != b.args[2].Negated, b.args[3].Negated
	sat, one := b.has("sat"), b.has("po")
	if one && (minusProduct || minusC) || minusProduct && minusC {
		return refuse("negates what it does not together with .po or another")
	}
	signed := types[1][0] == 's' || types[2][0] == 's' || minusProduct || minusC
	return b.videoRun(func(x, y, z uint64) uint64 {
		v := times(partOf(x, parts[1], types[1]), partOf(y, parts[2], types[2]))
		c := int64(z)
		if signed {
			c = int64(int32(z))
		}
		if minusProduct {
			v = v.negated()
		}
		if minusC {
			c = int64(^int32(z)) + 1 // the bits are inverted before they are extended
		}
		if v = v.plus(c); one {
			v = v.plus(1)
		}
		return uint64(uint32(v.result(shift, sat, signed)))
	})
}

// A wide is a number of 128 bits, in two's complement.
type wide struct{ hi, lo uint64 }

// times is a product of numbers of at most 33 bits.
func times(a, b int64) wide {
	v := wide{lo: uint64(max(a, -a)) * uint64(max(b, -b))}
	if (a < 0) != (b < 0) {
		return v.negated()
	}
	return v
}

func (w wide) negated() wide {
	lo, carry := bits.Add64(^w.lo, 1, 0)
	return wide{^w.hi + carry, lo}
}

func (w wide) plus(c int64) wide {
	lo, carry := bits.Add64(w.lo, uint64(c), 0)
	return wide{w.hi + uint64(c>>63) + carry, lo}
}

// result moves a number down, and limits it to 32 bits if that is wanted.
func (w wide) result(shift uint, sat, signed bool) uint64 {
	w = wide{uint64(int64(w.hi) >> shift), w.lo>>shift | w.hi<<(64-shift)}
	if !sat {
		return w.lo
	}
	least, most := int64(0), int64(math.MaxUint32)
	if signed {
		least, most = math.MinInt32, math.MaxInt32
	}
	switch {
	case int64(w.hi) < 0 && (w.hi != ^uint64(0) || int64(w.lo) > 0 || int64(w.lo) < least):
		return uint64(least)
	case int64(w.hi) >= 0 && (w.hi != 0 || w.lo > uint64(most)):
		return uint64(most)
	}
	return w.lo
}

// videoCompare are the comparisons of vset.
var videoCompare = map[string]func(a, b int64) bool{
	"eq": func(a, b int64) bool { return a == b }, "ne": func(a, b int64) bool { return a != b },
	"lt": func(a, b int64) bool { return a < b }, "le": func(a, b int64) bool { return a <= b },
	"gt": func(a, b int64) bool { return a > b }, "ge": func(a, b int64) bool { return a >= b },
}

// videoSet compares, and gives 1 or 0, in each part of the SIMD forms.
func (b *builder) videoSet() error {
	var compare func(a, b int64) bool
	name := ""
	for n, f := range videoCompare {
		if b.has(n) {
			compare, name = f, n
		}
	}
	if compare == nil {
		return refuse("has no comparison")
	}
	if err := b.only(name, "add", "min", "max"); err != nil {
		return err
	}
	f := func(p, q int64) int64 {
		if compare(p, q) {
			return 1
		}
		return 0
	}
	if n := strings.TrimPrefix(builderName(b.src.Op), "vset"); n != "" {
		return b.simd(n, f)
	}
	types, parts, err := b.videoForm(3)
	if err != nil || len(types) != 2 {
		return refuse("is not simulated in this form")
	}
	finish, err := b.finishVideo(parts[0])
	if err != nil {
		return err
	}
	return b.videoRun(func(x, y, z uint64) uint64 {
		return finish(f(partOf(x, parts[1], types[0]), partOf(y, parts[2], types[1])), z)
	})
}

// videoSIMD is an instruction on two halves or four bytes.
func (b *builder) videoSIMD() error {
	if err := b.only("sat", "add"); err != nil {
		return err
	}
	name := strings.TrimPrefix(builderName(b.src.Op), "v")
	n := name[len(name)-1:]
	f := videoOps[name[:len(name)-1]]
	if f == nil {
		f = average
	}
	return b.simd(n, f)
}

// A lanePick is which part of which operand each lane of a SIMD video instruction takes: parts of the first
// operand count from 0, those of the second follow.
type lanePick [4]int

// simdPick reads a selector, as .h20 or .b7531: the first digit is the highest lane's. Without one the lanes
// are those of the operand that it stands at.
func simdPick(part string, kind byte, lanes, operand int) (pick lanePick, err error) {
	for i := range lanes {
		pick[i] = operand*lanes + i
	}
	if part == "" {
		return pick, nil
	}
	if len(part) != lanes+1 || part[0] != kind {
		return pick, refuse("has the selector .%s; expected .%c and %d digits", part, kind, lanes)
	}
	for i := range lanes {
		n := int(part[lanes-i]) - '0'
		if n < 0 || n >= 2*lanes {
			return pick, refuse("has the selector .%s; its digits are from 0 to %d", part, 2*lanes-1)
		}
		pick[i] = n
	}
	return pick, nil
}

// simdMask reads which lanes are written: .h1, .b320, all if nothing is said. Digits descend.
func simdMask(part string, kind byte, lanes int) (mask uint, err error) {
	if part == "" {
		return 1<<lanes - 1, nil
	}
	last := lanes
	for _, c := range []byte(part[1:]) {
		n := int(c) - '0'
		if n < 0 || n >= last {
			return 0, refuse("has the mask .%s; its digits descend from %d", part, lanes-1)
		}
		mask, last = mask|1<<n, n
	}
	if part[0] != kind || mask == 0 {
		return 0, refuse("has the mask .%s; expected .%c and the lanes that are written", part, kind)
	}
	return mask, nil
}

// simd applies a function to n parts. Those that the mask leaves out are the third source's; .add sums the
// others up with it instead.
func (b *builder) simd(n string, f func(p, q int64) int64) error {
	if err := b.operands(4); err != nil {
		return err
	}
	types := b.typs()
	if len(types) == 2 { // vset has no type of its result
		types = []string{"u32", types[0], types[1]}
	}
	if len(types) != 3 || b.args[3].Part != "" {
		return refuse("is not simulated in this form")
	}
	kind, lanes, width := byte('b'), 4, 8
	if n == "2" {
		kind, lanes, width = 'h', 2, 16
	}
	mask, err := simdMask(b.args[0].Part, kind, lanes)
	if err != nil {
		return err
	}
	var picks [2]lanePick
	for i := range picks {
		if picks[i], err = simdPick(b.args[1+i].Part, kind, lanes, i); err != nil {
			return err
		}
	}
	if err := b.dest(0); err != nil {
		return err
	}
	if err := b.sources(1, "b32"); err != nil {
		return err
	}
	add, sat, dtype := b.has("add"), b.has("sat"), types[0]
	if add && sat {
		return refuse("has .add and .sat at once")
	}
	return b.videoRun(func(x, y, z uint64) uint64 {
		pair := y<<32 | x
		out, sum := z, int64(z)
		for i := range lanes {
			if mask>>i&1 == 0 {
				continue
			}
			v := f(laneOf(pair, picks[0][i], width, types[1]), laneOf(pair, picks[1][i], width, types[2]))
			if sat {
				v = clamp(v, width, dtype)
			}
			sum += v
			field := numeric.Mask(width) << (i * width)
			out = out&^field | uint64(v)<<(i*width)&field
		}
		if add {
			return uint64(uint32(sum))
		}
		return out
	})
}

// laneOf is one of the numbers of a width that two registers hold.
func laneOf(pair uint64, n, width int, typ string) int64 {
	v := pair >> (n * width) & numeric.Mask(width)
	if typ[0] == 's' {
		return int64(numeric.SignExtend(v, width))
	}
	return int64(v)
}
