package texel

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"
)

// A Numeric is how a channel's bits are a number.
type Numeric uint8

const (
	Unorm   Numeric = iota // of 0 to 1
	Snorm                  // of -1 to 1
	Uscaled                // integers as floats
	Sscaled
	Uint
	Sint
	Float
	SRGB   // Unorm, of a color by the transfer function of sRGB; alpha is linear
	Ufloat // floats without a sign, of 10 or 11 bits
	Shared // three mantissas of 9 bits with one exponent
)

// Integer reports whether texels are integers to shaders.
func (n Numeric) Integer() bool { return n == Uint || n == Sint }

// A channel is a component of a texel: bits from a place on, counted from the lowest bit of the first byte.
type channel struct {
	component uint8 // 0 to 3: R, G, B, A
	at, bits  uint8
}

// A Format is how texels of one kind lie in memory. Number is Vulkan's (VkFormat).
type Format struct {
	Name     string
	Number   uint32
	Size     int // bytes of a texel
	Numeric  Numeric
	channels []channel
	block    blockKind  // 0 of formats whose texels lie by themselves
	planes   []plane    // nil of formats whose texels lie in one piece
	octets   *[2]octets // of formats whose channels are bytes each: of color, and of alpha
}

// octets are the numbers that the bits of a byte are.
type octets [1 << 8]float64

func (f *Format) String() string { return f.Name }

// Channels is how many components a texel has in memory, and ChannelBits how many bits the first of them has.
func (f *Format) Channels() int { return len(f.channels) }

func (f *Format) ChannelBits() int { return int(f.channels[0].bits) }

// Wide reports whether texels are integers of 64 bits, which a Texel has as the bits of its numbers.
func (f *Format) Wide() bool {
	const bits = 64
	return f.Numeric.Integer() && f.ChannelBits() == bits
}

// Whole is a number of a texel of integers, and FromWhole the counterpart.
func (f *Format) Whole(x float64) int64 {
	if f.Wide() {
		return int64(math.Float64bits(x))
	}
	return int64(x)
}

// bits is a texel of small whole numbers as one of the format has them.
func (f *Format) bits(t Texel) Texel {
	if f.Wide() {
		for i := range t {
			t[i] = f.FromWhole(int64(t[i]))
		}
	}
	return t
}

// held is a texel with the components that the format has; of the others color is 0 and alpha 1 (Vulkan,
// "Conversion to RGBA").
func (f *Format) held(t Texel) Texel {
	out := Texel{3: f.FromWhole(1)}
	for _, c := range f.channels {
		if f.Numeric != Shared || c.component < 3 { // its fourth is the exponent
			out[c.component] = t[c.component]
		}
	}
	return out
}

// Has reports whether texels have a component, 0 to 3, of their own.
func (f *Format) Has(component uint8) bool {
	for _, c := range f.channels {
		if c.component == component {
			return f.Numeric != Shared || component < 3
		}
	}
	return false
}

func (f *Format) FromWhole(v int64) float64 {
	if f.Wide() {
		return math.Float64frombits(uint64(v))
	}
	return float64(v)
}

// Orders and types of channels, as OpenCL numbers them.
const (
	orderR     = 0x10b0
	orderRG    = 0x10b2
	orderRGB   = 0x10b4
	orderRGBA  = 0x10b5
	orderBGRA  = 0x10b6
	orderSRGB  = 0x10bf
	orderSRGBA = 0x10c1
	orderSBGRA = 0x10c2

	firstType = 0x10d0
)

// packedOpenCL are the types of the formats that have channels of different sizes, or of 10 bits.
var packedOpenCL = map[string]int{"r5g6b5_unorm_pack16": 4, "a1r5g5b5_unorm_pack16": 5,
	"a2r10g10b10_unorm_pack32": 6}

// typesOpenCL are the types of channels by what a number is and by its bits.
var typesOpenCL = map[Numeric]map[int]int{Snorm: {8: 0, 16: 1}, Unorm: {8: 2, 16: 3}, SRGB: {8: 2},
	Sint: {8: 7, 16: 8, 32: 9}, Uint: {8: 10, 16: 11, 32: 12}, Float: {16: 13, 32: 14}}

// openCL are the order and the type of channels that OpenCL has for a format; the type is 0 if it has none.
func (f *Format) openCL() (order, kind int) {
	order = [...]int{0, orderR, orderRG, orderRGB, orderRGBA}[f.Channels()]
	if t, ok := packedOpenCL[f.Name]; ok {
		return orderRGB, firstType + t
	}
	blue := f.channels[0].component == 2 // comes first
	switch {
	case f.Numeric == SRGB && blue:
		order = orderSBGRA
	case f.Numeric == SRGB && f.Channels() > 2:
		order = map[int]int{orderRGB: orderSRGB, orderRGBA: orderSRGBA}[order]
	case blue:
		order = orderBGRA
	}
	if t, ok := typesOpenCL[f.Numeric][f.ChannelBits()]; ok && f.Size*8 == f.Channels()*f.ChannelBits() {
		return order, firstType + t
	}
	return order, 0
}

// Formats has every format, by number: what Vulkan has but for ASTC and PVRTC. Of formats of depth and
// stencil that of the number is the depth; that of the number with [StencilAspect] is the stencil.
// They are made when they are first asked for, since most sessions have no images.
var Formats = sync.OnceValue(func() map[uint32]*Format {
	all := formats{}
	all.addBlocks()
	all.addColors()
	all.addDepths()
	all.addPlanes()
	tables := map[Numeric]*[2]octets{}
	for _, f := range all {
		f.numberOctets(tables)
	}
	return all
})

// formats are formats by their numbers.
type formats map[uint32]*Format

// ByName finds a format by its name, such as r8g8b8a8_unorm.
func ByName(name string) *Format {
	for _, f := range Formats() {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// Packed is the format whose components R, G, B and A, as many as there are, have these numbers of bits from
// the lowest on: Vulkan's, the first if it has several such, else one without a number.
func Packed(n Numeric, bits ...uint8) *Format {
	f := &Format{Numeric: n}
	at := uint8(0)
	for i, b := range bits {
		f.channels = append(f.channels, channel{component: uint8(i), at: at, bits: b})
		f.Name += string("rgba"[i]) + strconv.Itoa(int(b))
		at += b
	}
	f.Size = int(at) / 8
	f.Name += "_" + words[n] + "_low_first"
	return formats(Formats()).like(f)
}

// like is the first format that has the same texels as f, or f if there is none.
func (all formats) like(f *Format) *Format {
	for _, known := range all {
		if known.Size == f.Size && known.Same(f) && (f.Number == 0 || known.Number < f.Number) {
			f = known
		}
	}
	return f
}

// Same reports whether texels of two formats have the same bits for the same numbers, as those of
// r8g8b8a8_unorm and a8b8g8r8_unorm_pack32 have.
func (f *Format) Same(g *Format) bool {
	return f.Numeric == g.Numeric && f.block == g.block && (f == g || f.block == 0 && f.planes == nil &&
		g.planes == nil) &&
		slices.Equal(sorted(f.channels), sorted(g.channels))
}

// sorted are channels in the order of their components.
func sorted(c []channel) []channel {
	return slices.SortedFunc(slices.Values(c),
		func(a, b channel) int { return int(a.component) - int(b.component) })
}

// A family is formats of the same channels, one number after the other.
type family struct {
	first uint32
	// channels are letters and bits, from the first byte on, or from the highest bit for packed ones; what is
	// x has no meaning.
	channels string
	packed   bool
	numerics string // one letter each; see letters
}

// named are the names of formats that are not made of their channels.
var named = map[string]string{
	"x8d24":      "x8_d24_unorm_pack32",
	"x6r10x6g10": "r10x6g10x6_unorm_2pack16", "x6r10x6g10x6b10x6a10": "r10x6g10x6b10x6a10x6_unorm_4pack16",
	"x4r12x4g12": "r12x4g12x4_unorm_2pack16", "x4r12x4g12x4b12x4a12": "r12x4g12x4b12x4a12x4_unorm_4pack16",
}

var letters = map[byte]Numeric{'n': Unorm, 's': Snorm, 'u': Uscaled, 'c': Sscaled, 'U': Uint, 'S': Sint,
	'f': Float, 'r': SRGB, 'F': Ufloat, 'E': Shared}

var words = [...]string{Unorm: "unorm", Snorm: "snorm", Uscaled: "uscaled", Sscaled: "sscaled", Uint: "uint",
	Sint: "sint", Float: "sfloat", SRGB: "srgb", Ufloat: "ufloat", Shared: "ufloat"}

// families are rows of the table of VkFormat (Vulkan 1.3, "Formats").
var families = []family{
	{1, "r4g4", true, "n"}, {2, "r4g4b4a4", true, "n"}, {3, "b4g4r4a4", true, "n"},
	{4, "r5g6b5", true, "n"}, {5, "b5g6r5", true, "n"}, {6, "r5g5b5a1", true, "n"},
	{7, "b5g5r5a1", true, "n"}, {8, "a1r5g5b5", true, "n"}, {9, "r8", false, "nsucUSr"},
	{16, "r8g8", false, "nsucUSr"}, {23, "r8g8b8", false, "nsucUSr"}, {30, "b8g8r8", false, "nsucUSr"},
	{37, "r8g8b8a8", false, "nsucUSr"}, {44, "b8g8r8a8", false, "nsucUSr"},
	{51, "a8b8g8r8", true, "nsucUSr"}, {58, "a2r10g10b10", true, "nsucUS"},
	{64, "a2b10g10r10", true, "nsucUS"}, {70, "r16", false, "nsucUSf"}, {77, "r16g16", false, "nsucUSf"},
	{84, "r16g16b16", false, "nsucUSf"}, {91, "r16g16b16a16", false, "nsucUSf"}, {98, "r32", false, "USf"},
	{101, "r32g32", false, "USf"}, {104, "r32g32b32", false, "USf"}, {107, "r32g32b32a32", false, "USf"},
	{122, "b10g11r11", true, "F"}, {123, "e5b9g9r9", true, "E"}, {124, "d16", false, "n"},
	{125, "x8d24", true, "n"}, {126, "d32", false, "f"}, {127, "s8", false, "U"}, {110, "r64", false, "USf"},
	{113, "r64g64", false, "USf"}, {116, "r64g64b64", false, "USf"}, {119, "r64g64b64a64", false, "USf"},
	{1000156007, "r10x6", true, "n"}, {1000156008, "x6r10x6g10", false, "n"},
	{1000156009, "x6r10x6g10x6b10x6a10", false, "n"}, {1000156017, "r12x4", true, "n"},
	{1000156018, "x4r12x4g12", false, "n"}, {1000156019, "x4r12x4g12x4b12x4a12", false, "n"},
	{1000340000, "a4r4g4b4", true, "n"}, {1000340001, "a4b4g4r4", true, "n"},
	{1000470000, "a1b5g5r5", true, "n"}, {1000470001, "a8", false, "n"},
}

// StencilAspect is what is added to the number of a format of depth and stencil to mean the stencil.
const StencilAspect = 1 << 31

// depthStencils are formats of depth and stencil in one piece: the depth first, then eight bits of stencil.
var depthStencils = []struct {
	number, of  uint32 // of is the format of the depth alone
	name        string
	size, depth uint8
}{{128, 124, "d16_unorm_s8_uint", 4, 16}, {129, 125, "d24_unorm_s8_uint", 4, 24},
	{130, 126, "d32_sfloat_s8_uint", 8, 32}}

func (all formats) addColors() {
	for _, row := range families {
		for i := range row.numerics {
			f := row.format(letters[row.numerics[i]])
			f.Number = row.first + uint32(i)
			all[f.Number] = f
		}
	}
}

func (all formats) addDepths() {
	for _, row := range depthStencils {
		const stencil = 8
		depth, bits := *all[row.of], int(row.size)
		depth.Name, depth.Number, depth.Size = row.name, row.number, bits
		depth.channels = []channel{{bits: row.depth}}
		all[row.number] = &depth
		all[row.number|StencilAspect] = &Format{Name: row.name + "_stencil",
			Number: row.number | StencilAspect,
			Size:   bits, Numeric: Uint, channels: []channel{{at: row.depth, bits: stencil}}}
	}
}

// numberOctets makes the table of a format whose channels are bytes each; formats of one kind of numbers have
// one.
func (f *Format) numberOctets(known map[Numeric]*[2]octets) {
	const bits, alpha = 8, 3
	for _, c := range f.channels {
		if c.at%bits != 0 || c.bits != bits {
			return
		}
	}
	if known[f.Numeric] == nil {
		t := new([2]octets)
		for v := range t[0] {
			t[0][v] = f.number(channel{bits: bits}, uint64(v))
			t[1][v] = f.number(channel{component: alpha, bits: bits}, uint64(v))
		}
		known[f.Numeric] = t
	}
	f.octets = known[f.Numeric]
}

func (row *family) format(n Numeric) *Format {
	f := &Format{Name: row.channels + "_" + words[n], Numeric: n}
	components := map[byte]uint8{'r': 0, 'g': 1, 'b': 2, 'a': 3, 'd': 0, 's': 0, 'e': 3}
	bits := 0
	for i := 0; i < len(row.channels); {
		start, c := i, channel{component: components[row.channels[i]]}
		for i++; i < len(row.channels) && row.channels[i] <= '9'; i++ {
			c.bits = 10*c.bits + row.channels[i] - '0'
		}
		c.at = uint8(bits)
		bits += int(c.bits)
		if row.channels[start] != 'x' {
			f.channels = append(f.channels, c)
		}
	}
	f.Size = bits / 8
	if row.packed {
		f.Name += fmt.Sprintf("_pack%d", bits)
		for i := range f.channels {
			c := &f.channels[i]
			c.at = uint8(bits) - c.at - c.bits
		}
	}
	if name, ok := named[row.channels]; ok {
		f.Name = name
	}
	return f
}
