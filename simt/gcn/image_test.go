package gcn

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/testdata/sweep"
)

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
			{pictured: rgba, name: "image_load", dim: "2D", dmask: 15, data: 4, address: at, fill: byteTexel,
				want: unorm},
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
				address: []func(int) uint32{func(l int) uint32 { return halfPair(column(l), line(l)) }},
				want:    unorm},
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
					func(l int) uint32 { return line(l) >> (l % 3) },
					func(l int) uint32 { return uint32(l % 3) }},
				want: func(l, i int) (uint32, bool) {
					return uint32(byteTexel(column(l)>>(l%3), line(l)>>(l%3), 0, uint32(l%3))[0]), true
				}},
			{pictured: rgba, name: "image_load_pck", dim: "2D", dmask: 3, data: 2, address: at,
				fill: byteTexel, want: func(l, i int) (uint32, bool) { return uint32(bytesOf(l)[i]), true }},
			{pictured: rgba, name: "image_load_pck_sgn", dim: "2D", dmask: 3, data: 2, address: at,
				fill: byteTexel, want: func(l, i int) (uint32, bool) {
					return uint32(int8(bytesOf(l)[i])), true
				}},
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
			cases = append(cases, &imageCase{pictured: leveled, name: "image_" + form, dim: "2D", dmask: 2,
				data: 1, fill: byteTexel,
				address: []func(int) uint32{constant32(1), constant32(2), constant32(1)},
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
			{12, "1D_ARRAY", 8, 1, 3, []func(int) uint32{place(0), thirdFloat},
				[]func(int) uint32{column, third}, 0},
			{13, "2D_ARRAY", 4, 4, 3, []func(int) uint32{place(0), place(1), thirdFloat},
				[]func(int) uint32{third, third, third}, 0},
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
	"umax": func(o, a, _ uint32) uint32 { return max(o, a) },
	"and":  func(o, a, _ uint32) uint32 { return o & a },
	"or":   func(o, a, _ uint32) uint32 { return o | a }, "xor": func(o, a, _ uint32) uint32 { return o ^ a },
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
			full = map[string]string{"add_uint": "add", "sub_uint": "sub", "min_int": "smin",
				"min_uint": "umin", "max_int": "smax", "max_uint": "umax", "inc_uint": "inc",
				"dec_uint": "dec"}[full]
			if full == "" {
				full = strings.TrimPrefix(name, "image_atomic_")
			}
			model, data := imageAtomicModels[full],
				func(l, i int) uint32 { return uint32(100*i+5*l+1) * uint32(1-i) }
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
		cases = append(cases, &imageCase{pictured: wide, name: "image_atomic_xor", dim: "2D", dmask: 3,
			data: 2, flags: " glc", address: []func(int) uint32{column, line},
			stored: func(l, i int) uint32 { return uint32(l*i + 5) },
			fill:   func(x, y, _, _ uint32) []byte { return words32(x, y+77) },
			after:  func(x, y uint32) []byte { l := 8*y + x; return words32(x^5, (y+77)^(l+5)) },
			want:   func(l, i int) (uint32, bool) { return []uint32{column(l), line(l) + 77}[i], true }})
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
	r := rand.New(sweep.PCG(9, 9))
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
		r := rand.New(sweep.PCG(uint64(len(on)), 28))
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
			if s := h.regs.S[in.image.resource.reg:]; r.IntN(4) > 0 && len(s) >= 8 &&
				in.image.resource.kind == scalarReg {
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
