package gcn

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"simtgdb/simt"
)

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
var picturedFormats = map[[2]uint8][2]uint32{{14, 7}: {77, 63}, {4, 4}: {20, 20}, {4, 7}: {22, 22}, {10, 0}: {56, 42},
	{10, 1}: {57, 43}, {10, 4}: {60, 46}, {10, 5}: {61, 47}, {11, 4}: {62, 48}, {12, 5}: {70, 56}, {10, 9}: {130, 66},
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
		return []uint32{address, format[0]<<20 | w<<30, w>>2 | h<<14 | 1<<31, kind | last<<16 | selects, d, last << 4, 0, 0}
	case "gfx11":
		return []uint32{address, format[1]<<20 | last<<16 | w<<30, w>>2 | h<<14, kind | last<<16 | selects, d, 0, 0, 0}
	}
	return []uint32{address, format[1]<<17 | last<<12 | w<<30, w>>2 | h<<14, kind | last<<15 | selects, d, 0, 0, 0}
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
			case c.near && math.Abs(float64(math.Float32frombits(got)-math.Float32frombits(want))) > 1e-3, !c.near && got != want:
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
	return 0.25 + 0.0625*float64(quad%3) + 0.25*float64(l&1), 0.25 + 0.03125*float64(quad%4) + 0.25*float64(l>>1&1)
}

func sampledU(l int) uint32 { u, _ := sampledAt(l); return math.Float32bits(float32(u)) }
func sampledV(l int) uint32 { _, v := sampledAt(l); return math.Float32bits(float32(v)) }

func halfOf(x float64) uint32 {
	return uint32(convertFloat(single, half16, uint64(math.Float32bits(float32(x))), ModeDenorm32|ModeDenorm64))
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
		c.address = append(c.address, func(l int) uint32 { u, v := sampledAt(l); return halfPair(halfOf(u), halfOf(v)) })
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

// TestImageSamples runs each instruction that samples, with coordinates of 32 bits and of 16, on an image
// that is a slope in each direction and from level to level, so that what is linear between texels and levels
// is a formula.
func TestImageSamples(t *testing.T) {
	for _, on := range imageProcessors {
		var cases []*imageCase
		for _, name := range imageNames(t, on) {
			s := imageShapeOf(name)
			if !s.samples || s.fetches {
				continue
			}
			cases = append(cases, sampleCase(name, false))
			if !s.gradients || on != "gfx900" { // where A16 makes these narrow too
				cases = append(cases, sampleCase(name, true))
			}
		}
		runImages(t, on, cases)
	}
}

// imageNames are the image instructions that a processor executes.
func imageNames(t *testing.T, on string) (names []string) {
	h := newHarness(t, on)
	for _, enc := range []Enc{MIMG, VSAMPLE} {
		for _, op := range h.isa.tables.rows[enc] {
			if op != nil && op.image != nil && op.run != nil {
				names = append(names, op.display())
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func column(l int) uint32 { return uint32(l % 8) }
func line(l int) uint32   { return uint32(l / 8 % 8) }

// byteTexel is a texel of four bytes that differ.
func byteTexel(x, y, z, level uint32) []byte {
	return []byte{byte(37*x + 11*y + 101*level), byte(200 + x), byte(y), byte(x ^ 0xff)}
}

// TestImageTexels loads and stores texels by whole coordinates.
func TestImageTexels(t *testing.T) {
	bytesOf := func(l int) []byte { return byteTexel(column(l), line(l), 0, 0) }
	unorm := func(l, i int) (uint32, bool) { return math.Float32bits(float32(bytesOf(l)[i]) / 255), true }
	rgba := pictured{9, 10, 0, 8, 8, 1, 1, 4}
	ints := pictured{9, 10, 5, 8, 8, 1, 1, 4}
	leveled := pictured{9, 10, 4, 8, 8, 1, 4, 4}
	at := []func(int) uint32{column, line}
	for _, on := range imageProcessors {
		cases := []*imageCase{
			{pictured: rgba, name: "image_load", dim: "2D", dmask: 15, data: 4, address: at, fill: byteTexel, want: unorm},
			{pictured: rgba, name: "image_load", dim: "2D", dmask: 10, data: 2, address: at, fill: byteTexel,
				want: func(l, i int) (uint32, bool) { return unorm(l, 2*i+1) }},
			{pictured: rgba, name: "image_load", dim: "2D", dmask: 7, data: 2, flags: " d16", address: at,
				fill: byteTexel, want: func(l, i int) (uint32, bool) {
					b, third := bytesOf(l), uint32(0)
					if i == 0 {
						third = halfOf(float64(float32(b[1]) / 255))
					}
					return halfPair(halfOf(float64(float32(b[2*i])/255)), third), true
				}},
			{pictured: rgba, name: "image_load", dim: "2D", dmask: 1, data: 1, flags: " a16", fill: byteTexel,
				address: []func(int) uint32{func(l int) uint32 { return halfPair(column(l), line(l)) }}, want: unorm},
			{pictured: rgba, name: "image_load", dim: "2D", dmask: 1, data: 2, flags: " tfe", address: at,
				fill: byteTexel, want: func(l, i int) (uint32, bool) {
					if i == 1 {
						return 0, true
					}
					return unorm(l, 0)
				}},
			{pictured: ints, name: "image_load", dim: "2D", dmask: 15, data: 4, address: at, fill: byteTexel,
				want: func(l, i int) (uint32, bool) { return uint32(int8(bytesOf(l)[i])), true }},
			{pictured: ints, name: "image_load", dim: "2D", dmask: 15, data: 4, fill: byteTexel, // outside
				address: []func(int) uint32{func(l int) uint32 { return column(l) + 8*uint32(l%2) }, line},
				want: func(l, i int) (uint32, bool) {
					return uint32(int32(int8(bytesOf(l)[i])) * int32(1-l%2)), true
				}},
			{pictured: leveled, name: "image_load_mip", dim: "2D", dmask: 1, data: 1, fill: byteTexel,
				address: []func(int) uint32{func(l int) uint32 { return column(l) >> (l % 3) },
					func(l int) uint32 { return line(l) >> (l % 3) }, func(l int) uint32 { return uint32(l % 3) }},
				want: func(l, i int) (uint32, bool) {
					return uint32(byteTexel(column(l)>>(l%3), line(l)>>(l%3), 0, uint32(l%3))[0]), true
				}},
			{pictured: rgba, name: "image_load_pck", dim: "2D", dmask: 3, data: 2, address: at,
				fill: byteTexel, want: func(l, i int) (uint32, bool) { return uint32(bytesOf(l)[i]), true }},
			{pictured: rgba, name: "image_load_pck_sgn", dim: "2D", dmask: 3, data: 2, address: at, fill: byteTexel,
				want: func(l, i int) (uint32, bool) { return uint32(int8(bytesOf(l)[i])), true }},
			{pictured: rgba, name: "image_store", dim: "2D", dmask: 15, data: 4, address: at, fill: byteTexel,
				stored: func(l, i int) uint32 { return math.Float32bits(float32(i) / 2) },
				after:  func(x, y uint32) []byte { return []byte{0, 128, 255, 255} }},
			{pictured: ints, name: "image_store", dim: "2D", dmask: 15, data: 4, address: at, fill: byteTexel,
				stored: func(l, i int) uint32 { return uint32(l - 100*i) },
				after: func(x, y uint32) []byte {
					l := int(y*8 + x)
					return []byte{byte(l), byte(max(l-100, -128)), byte(max(l-200, -128)), 0x80}
				}},
			{pictured: rgba, name: "image_store", dim: "2D", dmask: 2, data: 1, address: at, fill: byteTexel,
				stored: func(l, i int) uint32 { return math.Float32bits(1) },
				after: func(x, y uint32) []byte {
					if strings.HasPrefix(on, "gfx12") {
						return []byte{255, 255, 255, 255}
					}
					return []byte{0, 255, 0, 0}
				}},
			{pictured: rgba, name: "image_store", dim: "2D", dmask: 3, data: 1, flags: " d16", address: at,
				fill: byteTexel, stored: func(l, i int) uint32 { return halfPair(halfOf(1), halfOf(0.2)) },
				after: func(x, y uint32) []byte {
					if strings.HasPrefix(on, "gfx12") {
						return []byte{255, 51, 255, 255}
					}
					return []byte{255, 51, 0, 0}
				}},
			{pictured: rgba, name: "image_store_pck", dim: "2D", dmask: 15, data: 4, address: at,
				fill: byteTexel, stored: func(l, i int) uint32 { return uint32(0x1234500 + 16*i + 3) },
				after: func(x, y uint32) []byte { return []byte{3, 19, 35, 51} }},
			{pictured: leveled, name: "image_store_mip", dim: "2D", dmask: 15, data: 4, fill: byteTexel,
				address: []func(int) uint32{column, line, constant32(0)},
				stored:  func(l, i int) uint32 { return uint32(90*i) + 7 },
				after:   func(x, y uint32) []byte { return []byte{7, 97, 187, 255} }},
			{pictured: leveled, name: "image_get_resinfo", dim: "2D", dmask: 15, data: 4, fill: byteTexel,
				address: []func(int) uint32{func(l int) uint32 { return uint32(l % 3) }},
				want: func(l, i int) (uint32, bool) {
					return [4]uint32{8 >> (l % 3), 8 >> (l % 3), 1, 4}[i], true
				}},
		}
		for _, form := range []string{"load_mip_pck", "load_mip_pck_sgn"} {
			cases = append(cases, &imageCase{pictured: leveled, name: "image_" + form, dim: "2D", dmask: 2, data: 1,
				fill: byteTexel, address: []func(int) uint32{constant32(1), constant32(2), constant32(1)},
				want: func(l, i int) (uint32, bool) {
					v := byteTexel(1, 2, 0, 1)[1]
					if strings.HasSuffix(form, "sgn") {
						return uint32(int8(v)), true
					}
					return uint32(v), true
				}})
		}
		cases = append(cases, &imageCase{pictured: leveled, name: "image_store_mip_pck", dim: "2D", dmask: 15,
			data: 4, fill: byteTexel, address: []func(int) uint32{column, line, constant32(0)},
			stored: func(l, i int) uint32 { return uint32(i) },
			after:  func(x, y uint32) []byte { return []byte{0, 1, 2, 3} }})
		runImages(t, on, cases)
	}
}

// TestImageShapes samples and loads images of each shape, a layer or a slice of which is 1000 above the one
// before.
func TestImageShapes(t *testing.T) {
	place := func(i int) func(int) uint32 {
		return func(l int) uint32 {
			u, v := sampledAt(l)
			return math.Float32bits(float32([]float64{u, v}[i]))
		}
	}
	onFace := func(i int) func(int) uint32 {
		return func(l int) uint32 {
			u, v := sampledAt(l)
			return math.Float32bits(float32([]float64{u, v}[i] + 1))
		}
	}
	third := func(l int) uint32 { return uint32(l % 3) }
	thirdFloat := func(l int) uint32 { return math.Float32bits(float32(l % 3)) }
	for _, on := range imageProcessors {
		var cases []*imageCase
		for _, c := range []struct {
			kind             uint32
			dim              string
			w, h, d          uint32
			sampled, fetched []func(int) uint32
			middle           float64 // how far a slice's middle is from its beginning
		}{
			{8, "1D", 8, 1, 1, []func(int) uint32{place(0)}, []func(int) uint32{column}, 0},
			{10, "3D", 4, 4, 3, []func(int) uint32{place(0), place(1), func(l int) uint32 {
				return math.Float32bits((float32(l%3) + 0.5) / 3)
			}}, []func(int) uint32{third, third, third}, 0},
			{11, "CUBE", 2, 2, 6, []func(int) uint32{onFace(0), onFace(1), thirdFloat}, []func(int) uint32{
				constant32(1), constant32(0), third}, 0},
			{12, "1D_ARRAY", 8, 1, 3, []func(int) uint32{place(0), thirdFloat}, []func(int) uint32{column, third}, 0},
			{13, "2D_ARRAY", 4, 4, 3, []func(int) uint32{place(0), place(1), thirdFloat}, []func(int) uint32{third, third,
				third}, 0},
		} {
			p := pictured{c.kind, 14, 7, c.w, c.h, c.d, 1, 16}
			fill := slopeTexel(c.w, c.h)
			layered := c.d > 1
			cases = append(cases, &imageCase{pictured: p, name: "image_sample_lz", dim: c.dim, dmask: 3,
				data: 2, near: true, address: c.sampled, fill: fill, want: func(l, i int) (uint32, bool) {
					u, v := sampledAt(l)
					if c.h == 1 {
						v = 0.5
					}
					z := 0.0
					if layered {
						z = 1000 * float64(l%3)
					}
					inside := c.kind != 11 || u >= 0.25 && u <= 0.75 && v >= 0.25 && v <= 0.75
					return math.Float32bits(float32(slope(i, u, v, 0) + z)), inside
				}}, &imageCase{pictured: p, name: "image_load", dim: c.dim, dmask: 1, data: 1,
				address: c.fetched, fill: fill, want: func(l, i int) (uint32, bool) {
					at := [3]uint32{}
					for k, f := range c.fetched {
						at[k] = f(l)
					}
					if c.kind == 12 {
						at[1], at[2] = 0, at[1]
					}
					return binary.LittleEndian.Uint32(fill(at[0], at[1], at[2], 0)), true
				}})
		}
		runImages(t, on, cases)
	}
}

// imageAtomicModels are what atomic operations make of what was there and the data.
var imageAtomicModels = map[string]func(old, a, b uint32) uint32{
	"swap": func(_, a, _ uint32) uint32 { return a }, "add": func(o, a, _ uint32) uint32 { return o + a },
	"sub":  func(o, a, _ uint32) uint32 { return o - a },
	"smin": func(o, a, _ uint32) uint32 { return uint32(min(int32(o), int32(a))) },
	"umin": func(o, a, _ uint32) uint32 { return min(o, a) },
	"smax": func(o, a, _ uint32) uint32 { return uint32(max(int32(o), int32(a))) },
	"umax": func(o, a, _ uint32) uint32 { return max(o, a) }, "and": func(o, a, _ uint32) uint32 { return o & a },
	"or": func(o, a, _ uint32) uint32 { return o | a }, "xor": func(o, a, _ uint32) uint32 { return o ^ a },
	"inc": func(o, a, _ uint32) uint32 { return (o + 1) % (a + 1) }, // of what is not above the limit
	"dec": func(o, a, _ uint32) uint32 {
		if o <= a {
			return o - 1
		}
		return a
	},
	"cmpswap": func(o, a, b uint32) uint32 {
		if o == b {
			return a
		}
		return o
	},
}

// TestImageAtomics runs each atomic operation, with and without what was there before.
func TestImageAtomics(t *testing.T) {
	old := func(l int) uint32 { return uint32(l + 3) }
	for _, on := range imageProcessors {
		var cases []*imageCase
		for _, name := range imageNames(t, on) {
			full, ok := strings.CutPrefix(name, "image_atomic_")
			if !ok {
				continue
			}
			full = map[string]string{"add_uint": "add", "sub_uint": "sub", "min_int": "smin", "min_uint": "umin",
				"max_int": "smax", "max_uint": "umax", "inc_uint": "inc", "dec_uint": "dec"}[full]
			if full == "" {
				full = strings.TrimPrefix(name, "image_atomic_")
			}
			model, data := imageAtomicModels[full], func(l, i int) uint32 { return uint32(100*i+5*l+1) * uint32(1-i) }
			was := old
			p := pictured{9, 4, 4, 8, 8, 1, 1, 4}
			n := 1
			if strings.HasSuffix(full, "cmpswap") {
				n, data = 2, func(l, i int) uint32 { return []uint32{1000, uint32(l/2*2 + 3)}[i&1] }
			}
			if full == "inc" {
				data = func(l, i int) uint32 { return uint32((l+1)/2*2 + 3) }
			}
			if f, of := floatAtomics[full]; of {
				model = func(o, a, b uint32) uint32 { return f(o, a, b) }
				if strings.Contains(full, "pk") {
					was, data = constant32(0x3c003c00), func(l, i int) uint32 { return 0x40003c00 }
				} else {
					p.num = 7
					was = func(l int) uint32 { return math.Float32bits(float32(l)) }
					data = func(l, i int) uint32 { return math.Float32bits([]float32{20.5, float32(l / 2 * 2)}[i&1]) }
				}
			}
			if model == nil {
				t.Errorf("%s: no model of %s", on, name)
				continue
			}
			for _, flags := range []string{"", " glc"} {
				c := &imageCase{pictured: p, name: name, dim: "2D", dmask: 1<<n - 1, data: n, flags: flags,
					address: []func(int) uint32{column, line}, stored: data,
					fill:  func(x, y, _, _ uint32) []byte { return words32(was(int(8*y + x))) },
					after: func(x, y uint32) []byte { l := int(8*y + x); return words32(model(was(l), data(l, 0), data(l, 1))) },
					want:  func(l, i int) (uint32, bool) { return was(l), i == 0 }}
				if flags == "" {
					c.want = func(l, i int) (uint32, bool) { return data(l, i), true }
				}
				cases = append(cases, c)
			}
		}
		wide := pictured{9, 11, 4, 8, 8, 1, 1, 8}
		cases = append(cases, &imageCase{pictured: wide, name: "image_atomic_xor", dim: "2D", dmask: 3, data: 2,
			flags: " glc", address: []func(int) uint32{column, line}, stored: func(l, i int) uint32 { return uint32(l*i + 5) },
			fill:  func(x, y, _, _ uint32) []byte { return words32(x, y+77) },
			after: func(x, y uint32) []byte { l := 8*y + x; return words32(x^5, (y+77)^(l+5)) },
			want:  func(l, i int) (uint32, bool) { return []uint32{column(l), line(l) + 77}[i], true }})
		runImages(t, on, cases)
	}
}

// floatAtomics are those of floats.
var floatAtomics = map[string]func(o, a, b uint32) uint32{
	"fmin": floatModel(smaller), "min_flt": floatModel(smaller), "fmax": floatModel(larger),
	"max_flt": floatModel(larger), "add_flt": floatModel(func(a, b float32) float32 { return a + b }),
	"fcmpswap": func(o, a, b uint32) uint32 {
		if o == b {
			return a
		}
		return o
	},
	"pk_add_f16":  func(o, a, _ uint32) uint32 { return 0x42004000 }, // 1+1 and 1+2
	"pk_add_bf16": func(o, a, _ uint32) uint32 { return 0x40003c80 }, // twice 2^-7, and that and 2
}

func smaller(a, b float32) float32 { return min(a, b) }
func larger(a, b float32) float32  { return max(a, b) }

func floatModel(f func(a, b float32) float32) func(o, a, b uint32) uint32 {
	return func(o, a, b uint32) uint32 {
		return math.Float32bits(f(math.Float32frombits(o), math.Float32frombits(a)))
	}
}

// TestImageText9 compares the text of random image instructions of gfx9, whose descriptors say how long the
// address is, with LLVM's.
func TestImageText9(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	isa, err := New("gfx900", nil, Kernel{})
	if err != nil {
		t.Fatal(err)
	}
	var insts [][]uint32
	for _, op := range isa.tables.rows[MIMG] {
		for range 20 {
			if op != nil {
				insts = append(insts, []uint32{0xf0000000 | uint32(op.Code)<<18 | r.Uint32()&0x203bf00,
					r.Uint32()&0x83ffffff&^(3<<19|3<<24) | 8})
			}
		}
	}
	wrong, total := 0, 0
	for i, want := range llvmDisassemble(t, "gfx900", insts) {
		if want == "" || strings.Contains(want, "nvalid") {
			continue
		}
		if total++; ownText(isa, insts[i]) != want {
			wrong++
			t.Errorf("%08x: %s\nwant %s", insts[i], ownText(isa, insts[i]), want)
		}
	}
	if total < len(insts)/2 {
		t.Errorf("LLVM has read %d of %d", total, len(insts))
	}
}

// TestRandomImages executes random image instructions with random descriptors: whatever they are, there is a
// result or a fault.
func TestRandomImages(t *testing.T) {
	for _, on := range imageProcessors {
		h := newHarness(t, on)
		r := rand.New(rand.NewPCG(uint64(len(on)), 28))
		executed, done := 0, 0
		for executed < 400 {
			first := []uint32{0xf0000000 | r.Uint32()>>6}
			if strings.HasPrefix(on, "gfx12") {
				first[0] = []uint32{0xd0000000, 0xe4000000}[r.IntN(2)] | r.Uint32()>>6
			}
			words := append(first, r.Uint32(), r.Uint32(), r.Uint32())
			in, err := h.isa.Decode(wordsCode(words...), codeBase)
			if err != nil || in.image == nil || in.Op.run == nil {
				continue
			}
			for i := range h.regs.S[:96] {
				h.regs.S[i] = r.Uint32()
			}
			if s := h.regs.S[in.image.resource.reg:]; r.IntN(4) > 0 && len(s) >= 8 && in.image.resource.kind == scalarReg {
				kind := []uint32{8, 9, 10, 11, 12, 13, 14}[r.IntN(7)]
				p := pictured{kind, 4, 7, 1 + r.Uint32()%8, 1, 1, 1, 4}
				copy(s, p.words(on))
			}
			for v := range h.regs.V[:256] {
				h.vector(v, func(int) uint32 { return r.Uint32() >> (r.Uint32() % 32) })
			}
			h.exec(h.w.Valid)
			if h.run(words[:in.Size/4]).Kind == simt.NoEvent {
				done++
			}
			executed++
		}
		if done < executed/20 {
			t.Errorf("%s: only %d of %d were executed to their end", on, done, executed)
		}
	}
}
