package ptx

import "strings"

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
		v = v >> (n * uint64(width)) & widthMask(width)
	}
	if typ[0] == 's' {
		return int64(signExtend(v, width))
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
		field := widthMask(int(width)) << (n * width)
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
		b.in.s[2] = source{kind: fromImm, imm: new(vec)}
	}
	b.in.f3, b.in.run = each3(f), run3
	return nil
}

// videoMad multiplies and adds: d = a*b + c, shifted right by 0, 7 or 15.
func (b *builder) videoMad() error {
	if err := b.only("sat", "shr7", "shr15", "po"); err != nil {
		return err
	}
	types, parts, err := b.videoForm(3)
	if err != nil || len(types) != 3 || b.has("po") || parts[0] != "" || len(b.args) != 4 {
		return refuse("is not simulated in this form")
	}
	shift := 0
	if b.has("shr7") {
		shift = 7
	}
	if b.has("shr15") {
		shift = 15
	}
	sat, signed := b.has("sat"), types[0][0] == 's'
	return b.videoRun(func(x, y, z uint64) uint64 {
		c := int64(z)
		if signed {
			c = int64(int32(z))
		}
		v := (partOf(x, parts[1], types[1])*partOf(y, parts[2], types[2]) + c) >> shift
		if sat {
			v = clamp(v, 32, types[0])
		}
		return uint64(uint32(v))
	})
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

// simd applies a function to n parts; .add sums them up with the third source.
func (b *builder) simd(n string, f func(p, q int64) int64) error {
	if err := b.operands(4); err != nil {
		return err
	}
	types := b.typs()
	if len(types) < 2 {
		return refuse("has no types of its operands")
	}
	dtype := types[0]
	if len(types) == 2 { // vset has no type of its result
		types = []string{"u32", types[0], types[1]}
	}
	for _, o := range b.args[:3] {
		if o.Part != "" || len(types) != 3 {
			return refuse("is not simulated with selected parts")
		}
	}
	if err := b.dest(0); err != nil {
		return err
	}
	if err := b.sources(1, "b32"); err != nil {
		return err
	}
	kind, parts, width := "b", 4, 8
	if n == "2" {
		kind, parts, width = "h", 2, 16
	}
	add, sat := b.has("add"), b.has("sat")
	return b.videoRun(func(x, y, z uint64) uint64 {
		out, sum := uint64(0), int64(0)
		for i := range parts {
			part := kind + string(rune('0'+i))
			v := f(partOf(x, part, types[1]), partOf(y, part, types[2]))
			if sat {
				v = clamp(v, width, dtype)
			}
			sum += v
			out |= uint64(v) & widthMask(width) << (i * width)
		}
		if add {
			return uint64(uint32(sum + int64(z)))
		}
		return out
	})
}
