package gcn

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// Pictures that tests of image instructions take texels from, and what each instruction is to give.

// imageProcessors are those whose image instructions are executed here: one for each layout of descriptors,
// and one without pitches.
var imageProcessors = []string{"gfx900", "gfx1010", "gfx1030", "gfx1100", "gfx1200"}

// A pictured is an image as a test lays it out, and a descriptor of it written from ROCr's structures.
type pictured struct {
	kind                        uint32 // SQ_RSRC_IMG_TYPE
	data, num                   uint8  // gfx9's numbers of the format
	width, height, deep, levels uint32
	size                        uint32 // bytes of a texel
}

// The formats' numbers on gfx10, and on gfx11 and gfx12.
var picturedFormats = map[[2]uint8][2]uint32{{14, 7}: {77, 63}, {4, 4}: {20, 20}, {4, 7}: {22, 22},
	{10, 0}: {56, 42}, {10, 1}: {57, 43}, {10, 4}: {60, 46}, {10, 5}: {61, 47}, {11, 4}: {62, 48},
	{12, 5}: {70, 56}, {10, 9}: {130, 66},
	{16, 0}: {133, 68}}

func (p *pictured) words(on string) []uint32 {
	const address = dataBase >> 8
	kind, w, h, d, last := p.kind<<28, p.width-1, p.height-1, p.deep-1, p.levels-1
	format := picturedFormats[[2]uint8{p.data, p.num}]
	const selects = 4 | 5<<3 | 6<<6 | 7<<9
	row := uint32(256) / p.size
	pitch := (p.width+row-1)/row*row - 1
	plain := p.kind == 8 || p.kind == 9
	switch on[:len(on)-2] {
	case "gfx9":
		return []uint32{address, uint32(p.data)<<20 | uint32(p.num)<<26, w | h<<14, kind | last<<16 | selects,
			d | pitch<<13, last << 28, 0, 0}
	case "gfx10":
		if plain && on != "gfx1010" && p.levels == 1 {
			d = pitch
		}
		return []uint32{address, format[0]<<20 | w<<30, w>>2 | h<<14 | 1<<31, kind | last<<16 | selects, d,
			last << 4, 0, 0}
	case "gfx11":
		return []uint32{address, format[1]<<20 | last<<16 | w<<30, w>>2 | h<<14, kind | last<<16 | selects, d,
			0, 0, 0}
	}
	return []uint32{address, format[1]<<17 | last<<12 | w<<30, w>>2 | h<<14, kind | last<<15 | selects, d,
		0, 0, 0}
}

// at is where a texel is.
func (p *pictured) at(on string, x, y, z, level uint32) uint32 {
	align := uint32(256)
	if strings.HasPrefix(on, "gfx12") {
		align = 128
	}
	var off, layer uint32
	for l := range p.levels {
		row := (max(p.width>>l, 1)*p.size + align - 1) / align * align
		slice := row * max(p.height>>l, 1)
		if l == level {
			off = layer + y*row + x*p.size
			if p.kind == 10 {
				off += z * slice
			}
		}
		if p.kind == 10 {
			slice *= max(p.deep>>l, 1)
		}
		layer += slice
	}
	if p.kind != 10 {
		off += z * layer
	}
	return off
}

// samplerWords are the descriptor of a sampler that is linear in all, clamps to edges and passes what is
// less.
func samplerWords(on string) []uint32 {
	most := uint32(0xfff) << 12
	if strings.HasPrefix(on, "gfx12") {
		most = 0x1fff << 13
	}
	return []uint32{2 | 2<<3 | 2<<6 | 1<<12, most, 1<<20 | 1<<22 | 2<<24 | 2<<26, 0}
}

// An imageCase is an instruction that a test runs, and what it expects.
type imageCase struct {
	pictured
	name, dim string // dim of the encoding
	flags     string
	dmask     int
	data      int                   // registers of data
	address   []func(l int) uint32  // registers
	stored    func(l, i int) uint32 // what is to be stored
	fill      func(x, y, z, level uint32) []byte
	want      func(l, i int) (uint32, bool) // of register i; false if it does not count
	after     func(x, y uint32) []byte      // a texel of level 0, if it is to have changed
	near      bool                          // floats may differ a little
}

// text is the instruction for a processor, with its address from v16 on and its data from v4 on.
func (c *imageCase) text(on string) string {
	n := len(c.address)
	addr := rangeText("v", 16, n)
	if most := map[string]int{"gfx11": 5, "gfx12": 5}[on[:len(on)-2]]; most > 0 && n > 1 {
		if samplesImage(c.name) && strings.HasPrefix(on, "gfx12") {
			most = 4
		}
		var list []string
		for i := range n {
			if i == most-1 && n > most {
				list = append(list, rangeText("v", 16+uint16(i), n-i))
				break
			}
			list = append(list, fmt.Sprint("v", 16+i))
		}
		addr = "[" + strings.Join(list, ", ") + "]"
	}
	s := fmt.Sprintf("%s %s, %s, s[8:15]", c.name, rangeText("v", 4, c.data), addr)
	if samplesImage(c.name) {
		s += ", s[16:19]"
	}
	s += fmt.Sprintf(" dmask:%#x", c.dmask)
	if on == "gfx900" {
		if c.kind >= 11 {
			return s + c.flags + " da"
		}
		return s + c.flags
	}
	flags := c.flags
	if strings.HasPrefix(on, "gfx12") {
		flags = strings.ReplaceAll(flags, " glc", " th:TH_ATOMIC_RETURN")
	}
	return s + " dim:SQ_RSRC_IMG_" + c.dim + flags
}

func samplesImage(name string) bool { return imageShapeOf(name).samples }

// run runs cases on a processor by all lanes and by some.
func runImages(t *testing.T, on string, cases []*imageCase) {
	var texts []string
	h := newHarness(t, on)
	if on != "gfx900" {
		h = newHarness32(t, on)
	}
	for _, c := range cases {
		texts = append(texts, c.text(on))
	}
	codes := h.assembly(on, texts...)
	for i, c := range cases {
		for _, exec := range []uint64{h.w.Valid, 0x5a5a_3c3c_0ff0_9669 & h.w.Valid} {
			c.run(t, h, on, texts[i], codes[i], exec)
		}
	}
}

func (c *imageCase) run(t *testing.T, h *harness, on, text string, code []uint32, exec uint64) {
	copy(h.regs.S[8:], c.words(on))
	copy(h.regs.S[16:], samplerWords(on))
	clear(h.data.Data)
	for level := range c.levels {
		for z := range c.deep {
			for y := range max(c.height>>level, 1) {
				for x := range max(c.width>>level, 1) {
					copy(h.data.Data[c.at(on, x, y, z, level):], c.fill(x, y, z, level))
				}
			}
		}
	}
	const old = 0xabcd1234
	for i := range 8 {
		h.vector(4+i, func(l int) uint32 {
			if c.stored != nil {
				return c.stored(l, i)
			}
			return old
		})
	}
	for i, f := range c.address {
		h.vector(16+i, f)
	}
	h.exec(exec)
	h.compares()
	h.mustRun(code)
	for i := range c.data {
		for l := range h.w.Size {
			got := h.regs.V[4+i][l]
			switch want, counts := c.expect(l, i); {
			case exec>>l&1 == 0 && c.stored == nil && got != old:
				t.Fatalf("%s: %s: lane %d is off, register %d has become %#x", on, text, l, i, got)
			case exec>>l&1 == 0 || !counts:
			case c.near && math.Abs(float64(math.Float32frombits(got)-math.Float32frombits(want))) > 1e-3,
				!c.near && got != want:
				t.Fatalf("%s: %s: lane %d, register %d is %#x (%g), want %#x (%g)", on, text, l, i, got,
					math.Float32frombits(got), want, math.Float32frombits(want))
			}
		}
	}
	for y := range c.height {
		for x := range c.width {
			want := c.fill(x, y, 0, 0)
			if l := y*c.width + x; c.after != nil && l < 64 && exec>>l&1 != 0 {
				want = c.after(x, y)
			}
			if got := h.data.Data[c.at(on, x, y, 0, 0):][:len(want)]; !slices.Equal(got, want) {
				t.Fatalf("%s: %s: texel %d,%d is % x, want % x", on, text, x, y, got, want)
			}
		}
	}
}

func (c *imageCase) expect(l, i int) (uint32, bool) {
	if c.want == nil {
		return 0, false
	}
	return c.want(l, i)
}

func words32(v ...uint32) (b []byte) {
	for _, w := range v {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return b
}

func floats32(v ...float64) (b []byte) {
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(x)))
	}
	return b
}

func constant32(v uint32) func(int) uint32     { return func(int) uint32 { return v } }
func constantFloat(x float64) func(int) uint32 { return constant32(math.Float32bits(float32(x))) }
func halfPair(a, b uint32) uint32              { return a&0xffff | b<<16 }

// slope is what the image that is sampled has at a place from 0 to 1: linear, so that a linear filter finds
// it.
func slope(component int, u, v, level float64) float64 {
	return 10*float64(component) + 4*u + 16*v + 100*level
}

func slopeTexel(w, h uint32) func(x, y, z, level uint32) []byte {
	return func(x, y, z, level uint32) []byte {
		u, v := (float64(x)+0.5)/float64(max(w>>level, 1)), (float64(y)+0.5)/float64(max(h>>level, 1))
		var c []float64
		for k := range 4 {
			c = append(c, slope(k, u, v, float64(level))+1000*float64(z))
		}
		return floats32(c...)
	}
}

// The places that are sampled: neighbours in a quad are two texels of eight apart.
func sampledAt(l int) (u, v float64) {
	quad := l / 4
	return 0.25 + 0.0625*float64(quad%3) + 0.25*float64(l&1),
		0.25 + 0.03125*float64(quad%4) + 0.25*float64(l>>1&1)
}

func sampledU(l int) uint32 { u, _ := sampledAt(l); return math.Float32bits(float32(u)) }
func sampledV(l int) uint32 { _, v := sampledAt(l); return math.Float32bits(float32(v)) }

func halfOf(x float64) uint32 {
	return uint32(convertFloat(single, half16, uint64(math.Float32bits(float32(x))),
		ModeDenorm32|ModeDenorm64))
}

// sampleCase is an instruction that samples an image of eight by eight texels with four levels.
func sampleCase(name string, a16 bool) *imageCase {
	c := &imageCase{pictured: pictured{9, 14, 7, 8, 8, 1, 4, 16}, name: name, dim: "2D", dmask: 0xf, data: 4,
		near: true, fill: slopeTexel(8, 8)}
	s, parts := imageShapeOf(name), strings.Split(name, "_")[1:]
	has := func(p string) bool { return slices.Contains(parts, p) }
	lod, shift, least := func(int) float64 { return 1 }, 0.0, 0.0 // as the quads say
	if s.gathers {
		lod = func(int) float64 { return 0 }
	}
	if has("o") {
		shift = 1
		c.address = append(c.address, constant32(1|0x3f<<8)) // one to the right, one up
	}
	if has("b") {
		before := lod
		lod = func(l int) float64 { return before(l) - 0.5 }
		if a16 {
			c.address = append(c.address, constant32(halfOf(-0.5)))
		} else {
			c.address = append(c.address, constantFloat(-0.5))
		}
	}
	reference := func(l int) float64 { return 1e6 * float64(l%2*2-1) }
	if has("c") {
		c.address = append(c.address, func(l int) uint32 { return math.Float32bits(float32(reference(l))) })
	}
	if s.gradients {
		lod = func(int) float64 { return math.Log2(1.5) }
		for _, d := range [][2]float64{{0.1875, 0}, {0, 0.125}} {
			if has("g16") {
				c.address = append(c.address, constant32(halfPair(halfOf(d[0]), halfOf(d[1]))))
			} else {
				c.address = append(c.address, constantFloat(d[0]), constantFloat(d[1]))
			}
		}
	}
	if has("lz") {
		lod = func(int) float64 { return 0 }
	}
	last := func(int) float64 { return 0 }
	if has("l") {
		lod = func(l int) float64 { return 0.25 * float64(l%4) }
		last = lod
	}
	if has("cl") {
		least = 0.75
		last = func(int) float64 { return least }
	}
	if a16 {
		c.flags = " a16"
		c.address = append(c.address, func(l int) uint32 {
			u, v := sampledAt(l)
			return halfPair(halfOf(u), halfOf(v))
		})
	} else {
		c.address = append(c.address, sampledU, sampledV)
	}
	if s.mip && a16 {
		c.address = append(c.address, func(l int) uint32 { return halfOf(last(l)) })
	} else if s.mip {
		c.address = append(c.address, func(l int) uint32 { return math.Float32bits(float32(last(l))) })
	}
	c.want = func(l, i int) (uint32, bool) {
		u, v := sampledAt(l)
		at := max(lod(l), least)
		pass := math.Float32bits(float32(1 - l%2))
		switch {
		case s.gathers && has("c"):
			return pass, true
		case s.gathers:
			level := 0.0
			if has("l") || has("cl") || has("b") {
				level = math.Ceil(max(lod(l), 0)+0.5) - 1
			}
			by := [4][2]float64{{0, 1}, {1, 1}, {1, 0}, {0, 0}}[i]
			size := 8 / math.Exp2(level)
			x, y := math.Floor(u*size-0.5)+by[0]+shift, math.Floor(v*size-0.5)+by[1]-shift
			x, y = max(0, min(x, size-1)), max(0, min(y, size-1))
			return math.Float32bits(float32(slope(2, (x+0.5)/size, (y+0.5)/size, level))), true
		case name == "image_get_lod":
			return math.Float32bits(float32(1)), i < 2
		case has("c") && i == 0:
			return pass, true
		case has("c"):
			return 0, true
		}
		sum := 0.0
		for k := range 2 {
			level := math.Floor(at) + float64(k)
			part := math.Abs(1 - float64(k) - (at - math.Floor(at)))
			size := 8 / math.Exp2(level)
			edge := func(x float64) float64 { return max(0.5/size, min(x, 1-0.5/size)) }
			sum += part * slope(i, edge(u+shift/size), edge(v-shift/size), level)
		}
		return math.Float32bits(float32(sum)), true
	}
	if s.gathers {
		c.dmask = 4
	}
	if has("c") && s.gathers {
		c.dmask = 1
	}
	return c
}
