package texel

// ETC2 and EAC: blocks whose bits count from the highest of the first byte on, and whose texels follow each
// other column by column.

// etcSteps are how much lighter or darker texels are than their half of a block, by its table and the texel's
// index; the others are the negatives.
var etcSteps = [8][2]int{{2, 8}, {5, 17}, {9, 29}, {13, 42}, {18, 60}, {24, 80}, {33, 106}, {47, 183}}

// etcDistances are those of the two modes with a few colors.
var etcDistances = [8]int{3, 6, 11, 16, 23, 32, 41, 64}

// field is n bits of a block from a bit down.
func field(b uint64, from, n int) int { return int(b >> (from - n + 1) & (1<<n - 1)) }

// etcRGB is a color whose numbers are eight bits.
type etcRGB [3]int

func (c etcRGB) lighter(by int) etcRGB {
	for i := range c {
		c[i] = min(max(c[i]+by, 0), 255)
	}
	return c
}

func (c etcRGB) texel() Texel {
	return Texel{float64(c[0]) / 255, float64(c[1]) / 255, float64(c[2]) / 255, 1}
}

// widened makes a color's numbers eight bits.
func widened(width int, c etcRGB) etcRGB {
	for i := range c {
		c[i] = c[i]<<(8-width) | c[i]>>(2*width-8)
	}
	return c
}

// etcColor is a color of ETC2. Where alpha is one bit, that which says elsewhere that the second color is a
// difference says that all is opaque.
func etcColor(b uint64, x, y int, punch bool) Texel {
	n := 4*x + y
	index := int(b>>(16+n)&1<<1 | b>>n&1)
	opaque := !punch || b>>33&1 != 0
	if !punch && b>>33&1 == 0 {
		first := widened(4, etcRGB{field(b, 63, 4), field(b, 55, 4), field(b, 47, 4)})
		second := widened(4, etcRGB{field(b, 59, 4), field(b, 51, 4), field(b, 43, 4)})
		return etcHalves(b, x, y, index, [2]etcRGB{first, second}, true)
	}
	var first, second etcRGB
	for i := range first {
		from := 63 - 8*i
		first[i] = field(b, from, 5)
		second[i] = first[i] + field(b, from-5, 3)<<61>>61
		if second[i] >= 0 && second[i] < 32 {
			continue
		}
		switch i {
		case 0:
			return etcPaint(etcT(b), index, opaque)
		case 1:
			return etcPaint(etcH(b), index, opaque)
		}
		return etcPlanar(b, x, y)
	}
	return etcHalves(b, x, y, index, [2]etcRGB{widened(5, first), widened(5, second)}, opaque)
}

// etcHalves is a color of a block of two halves.
func etcHalves(b uint64, x, y, index int, base [2]etcRGB, opaque bool) Texel {
	half := x / 2
	if b>>32&1 != 0 {
		half = y / 2
	}
	steps := etcSteps[field(b, 39-3*half, 3)]
	by := steps[index&1]
	switch {
	case !opaque && index == 2:
		return Texel{}
	case !opaque && index == 0:
		by = 0
	case index > 1:
		by = -by
	}
	return base[half].lighter(by).texel()
}

// etcPaint is one of four colors; the third may stand for nothing.
func etcPaint(colors [4]etcRGB, index int, opaque bool) Texel {
	if !opaque && index == 2 {
		return Texel{}
	}
	return colors[index].texel()
}

// etcT are the colors of a block in which one stands alone.
func etcT(b uint64) [4]etcRGB {
	alone := widened(4, etcRGB{field(b, 60, 2)<<2 | field(b, 57, 2), field(b, 55, 4), field(b, 51, 4)})
	other := widened(4, etcRGB{field(b, 47, 4), field(b, 43, 4), field(b, 39, 4)})
	d := etcDistances[field(b, 35, 2)<<1|field(b, 32, 1)]
	return [4]etcRGB{alone, other.lighter(d), other, other.lighter(-d)}
}

// etcH are the colors of a block in which each of two is lighter or darker. The order of the two is a bit of
// how much.
func etcH(b uint64) [4]etcRGB {
	one := etcRGB{field(b, 62, 4), field(b, 58, 3)<<1 | field(b, 52, 1), field(b, 51, 1)<<3 | field(b, 49, 3)}
	two := etcRGB{field(b, 46, 4), field(b, 42, 4), field(b, 38, 4)}
	number := func(c etcRGB) int { return c[0]<<8 | c[1]<<4 | c[2] }
	d := field(b, 34, 1)<<2 | field(b, 32, 1)<<1
	if number(one) >= number(two) {
		d |= 1
	}
	by := etcDistances[d]
	one, two = widened(4, one), widened(4, two)
	return [4]etcRGB{one.lighter(by), one.lighter(-by), two.lighter(by), two.lighter(-by)}
}

// etcPlanar is a color of a block that three colors span: of the first texel, and of those four to the right
// and four below.
func etcPlanar(b uint64, x, y int) Texel {
	widths := [3]int{6, 7, 6}
	origin := etcRGB{field(b, 62, 6), field(b, 56, 1)<<6 | field(b, 54, 6),
		field(b, 48, 1)<<5 | field(b, 44, 2)<<3 | field(b, 41, 3)}
	right := etcRGB{field(b, 38, 5)<<1 | field(b, 32, 1), field(b, 31, 7), field(b, 24, 6)}
	below := etcRGB{field(b, 18, 6), field(b, 12, 7), field(b, 5, 6)}
	var c etcRGB
	for i, w := range widths {
		wide := func(v int) int { return v<<(8-w) | v>>(2*w-8) }
		o, h, v := wide(origin[i]), wide(right[i]), wide(below[i])
		c[i] = min(max((x*(h-o)+y*(v-o)+4*o+2)>>2, 0), 255)
	}
	return c.texel()
}

// eacSteps are how much more or less texels are than a block, by its table and their indices.
var eacSteps = [16][8]int{
	{-3, -6, -9, -15, 2, 5, 8, 14}, {-3, -7, -10, -13, 2, 6, 9, 12}, {-2, -5, -8, -13, 1, 4, 7, 12},
	{-2, -4, -6, -13, 1, 3, 5, 12}, {-3, -6, -8, -12, 2, 5, 7, 11}, {-3, -7, -9, -11, 2, 6, 8, 10},
	{-4, -7, -8, -11, 3, 6, 7, 10}, {-3, -5, -8, -11, 2, 4, 7, 10}, {-2, -6, -8, -10, 1, 5, 7, 9},
	{-2, -5, -8, -10, 1, 4, 7, 9}, {-2, -4, -8, -10, 1, 3, 7, 9}, {-2, -5, -7, -10, 1, 4, 6, 9},
	{-3, -4, -7, -10, 2, 3, 6, 9}, {-1, -2, -3, -10, 0, 1, 2, 9}, {-4, -6, -8, -9, 3, 5, 7, 8},
	{-3, -5, -7, -9, 2, 4, 6, 8}}

// eacStep is a texel's step, and what it is multiplied by.
func eacStep(b uint64, x, y int) (step, times int) {
	n := 4*x + y
	return eacSteps[field(b, 51, 4)][field(b, 47-3*n, 3)], field(b, 55, 4)
}

// eacByte is a number of eight bits.
func eacByte(b uint64, x, y int) int {
	step, times := eacStep(b, x, y)
	return min(max(field(b, 63, 8)+step*times, 0), 255)
}

// eacNumber is a number of eleven bits.
func eacNumber(b uint64, x, y int, signed bool) float64 {
	step, times := eacStep(b, x, y)
	if times *= 8; times == 0 {
		times = 1
	}
	if signed {
		base := max(int(int8(b>>56)), -127)
		return float64(min(max(8*base+step*times, -1023), 1023)) / 1023
	}
	return float64(min(max(8*field(b, 63, 8)+4+step*times, 0), 2047)) / 2047
}
