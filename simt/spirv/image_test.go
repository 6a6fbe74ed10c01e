package spirv

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"simtgdb/simt/simttest"
	"simtgdb/simt/texel"
)

// A picture is what is bound as an image, a sampler, or both.
type picture struct {
	image   texel.Image
	sampler texel.Sampler
	alone   bool // a sampler alone
	data    []byte
}

// block is a picture's block of memory, with its texels at an address.
func (p picture) block(texels uint64) []byte {
	b := make([]byte, texel.BlockBytes)
	if p.alone {
		p.sampler.Write(b)
		return b[:texel.SamplerBytes]
	}
	p.image.Address = texels
	p.image.Write(b)
	p.sampler.Write(b[texel.SamplerAt:])
	return b
}

// Texels of the images of image.comp, by level, layer and place, as bytes that differ much from place to
// place.
func byteAt(level, layer, x, y, z, component int) byte {
	return byte(37*x + 91*y + 53*z + 17*layer + 29*level + 67*component)
}

// bytePicture is an image of four bytes a texel, or one.
func bytePicture(format uint32, shape texel.Shape, size [3]int, levels, layers int, s texel.Sampler) picture {
	m := texel.NewImage(texel.Formats()[format], shape, size, levels, layers)
	p := picture{image: m, sampler: s}
	for layer := range layers {
		for level := range levels {
			n := m.LevelSize(level)
			for z := range n[2] {
				for y := range n[1] {
					for x := range n[0] {
						for c := range m.Format.Size {
							p.data = append(p.data, byteAt(level, layer, x, y, z, c))
						}
					}
				}
			}
		}
	}
	return p
}

// imageCoordinates are sixty-four places in and around an image, none of them where rounding decides.
func imageCoordinates() [64][4]float32 {
	var all [64][4]float32
	r := random(5)
	for i := range all {
		for k := range all[i] {
			all[i][k] = float32(r.next()%997)/499.37 - 0.49
		}
		all[i][3] = float32(i%5) / 2.13
	}
	return all
}

// component is a component of a texel of the test's images: bytes of 0 to 1, with a wrap for each dimension.
func (w wrapped) component(level, layer, x, y, z, c int) float64 {
	at := [3]int{x, y, z}
	for i := range at {
		size := max(w.size[i]>>level, 1)
		switch w.modes[i] {
		case texel.Repeat:
			for at[i] < 0 {
				at[i] += size
			}
			at[i] %= size
		case texel.ClampToEdge:
			at[i] = max(0, min(at[i], size-1))
		default:
			if at[i] < 0 || at[i] >= size {
				return w.border[c]
			}
		}
	}
	return float64(byteAt(level, layer, at[0], at[1], at[2], c)) / 255
}

type wrapped struct {
	size   [3]int
	modes  [3]texel.Mode
	border texel.Texel
}

// linear is the sum over the 2^n texels around a place, in texels.
func (w wrapped) linear(n, level, layer int, at [3]float64, c int) (sum float64) {
	for corner := range 1 << n {
		weight, texel := 1.0, [3]int{}
		for i := range n {
			low := math.Floor(at[i] - 0.5)
			part := at[i] - 0.5 - low
			texel[i] = int(low)
			if corner>>i&1 == 1 {
				texel[i]++
				weight *= part
			} else {
				weight *= 1 - part
			}
		}
		sum += weight * w.component(level, layer, texel[0], texel[1], texel[2], c)
	}
	return sum
}

func (w wrapped) nearest(n, level, layer int, at [3]float64, c int) float64 {
	var texel [3]int
	for i := range n {
		texel[i] = int(math.Floor(at[i]))
	}
	return w.component(level, layer, texel[0], texel[1], texel[2], c)
}

// imageLaunch is a launch of image.comp.
func imageLaunch() (launch, [64][4]float32) {
	at := imageCoordinates()
	var in []byte
	for _, v := range at {
		in = append(in, floatBytes(v[:]...)...)
	}
	repeat := [3]texel.Mode{}
	clamp := [3]texel.Mode{texel.ClampToEdge, texel.ClampToEdge, texel.ClampToEdge}
	border := [3]texel.Mode{texel.ClampToBorder, texel.ClampToBorder, texel.ClampToBorder}
	linear := func(modes [3]texel.Mode) texel.Sampler {
		return texel.Sampler{Mag: texel.Linear, Min: texel.Linear, Mip: texel.Linear, Modes: modes, Top: 1000,
			Compare: texel.NoCompare, Border: texel.Texel{0, 0, 0, 1}}
	}
	shadow := linear(clamp)
	shadow.Compare = texel.LessOrEqual
	nearest := texel.Sampler{Modes: border, Top: 1000, Compare: texel.NoCompare,
		Border: texel.Texel{1, 1, 1, 1}}
	zeros := func(format uint32, shape texel.Shape, size [3]int) picture {
		m := texel.NewImage(texel.Formats()[format], shape, size, 1, 1)
		return picture{image: m, data: make([]byte, m.Bytes())}
	}
	const rgba8, r8, r32ui, rgba16i = 37, 9, 98, 96
	numbers := zeros(rgba16i, texel.Volume, [3]int{8, 8, 2})
	for i := range len(numbers.data) / 2 {
		binary.LittleEndian.PutUint16(numbers.data[2*i:], uint16(int16(1000-31*i)))
	}
	several := bytePicture(rgba8, texel.Plane, [3]int{16, 4, 1}, 1, 1, nearest) // four samples side by side
	several.image.Size[0], several.image.Samples = 4, 4
	// combined is for a variable that is a sampler.
	combined := bytePicture(rgba8, texel.Plane, [3]int{4, 4, 1}, 1, 1, linear(border))
	slot := func(n, element uint32) Slot { return Slot{Binding: n, Element: element} }
	return launch{groups: [3]uint32{2},
		buffers: map[Slot][]byte{slot(0, 0): in, slot(1, 0): make([]byte, 16*64*20)},
		images: map[Slot]picture{
			slot(2, 0):  bytePicture(rgba8, texel.Plane, [3]int{16, 8, 1}, 4, 1, linear(repeat)),
			slot(3, 0):  bytePicture(rgba8, texel.Plane, [3]int{8, 8, 1}, 1, 3, linear(clamp)),
			slot(4, 0):  bytePicture(rgba8, texel.Cube, [3]int{8, 8, 1}, 1, 6, nearest),
			slot(5, 0):  bytePicture(rgba8, texel.Volume, [3]int{4, 4, 4}, 1, 1, linear(border)),
			slot(6, 0):  bytePicture(rgba8, texel.Plane, [3]int{8, 8, 1}, 1, 1, nearest),
			slot(7, 0):  zeros(r32ui, texel.Plane, [3]int{4, 1, 1}),
			slot(8, 0):  bytePicture(r8, texel.Plane, [3]int{8, 8, 1}, 1, 1, shadow),
			slot(9, 0):  bytePicture(rgba8, texel.Plane, [3]int{8, 4, 1}, 1, 1, nearest),
			slot(10, 0): {sampler: nearest, alone: true}, slot(10, 1): combined,
			slot(11, 0): bytePicture(rgba8, texel.Line, [3]int{64, 1, 1}, 1, 1, nearest),
			slot(12, 0): bytePicture(rgba8, texel.Line, [3]int{32, 1, 1}, 1, 1, linear(clamp)),
			slot(13, 0): numbers, slot(14, 0): several,
		}}, at
}

// cubeTexel is the texel of the test's cube in a direction, by the table of faces as the specification
// prints it.
func cubeTexel(d [3]float64, c int) float64 {
	x, y, z := d[0], d[1], d[2]
	ax, ay, az := math.Abs(x), math.Abs(y), math.Abs(z)
	var face int
	var sc, tc, ma float64
	switch {
	case az >= ax && az >= ay && z >= 0:
		face, sc, tc, ma = 4, x, -y, az
	case az >= ax && az >= ay:
		face, sc, tc, ma = 5, -x, -y, az
	case ay >= ax && y >= 0:
		face, sc, tc, ma = 2, x, z, ay
	case ay >= ax:
		face, sc, tc, ma = 3, x, -z, ay
	case x >= 0:
		face, sc, tc, ma = 0, -z, -y, ax
	default:
		face, sc, tc, ma = 1, z, -y, ax
	}
	at := func(v float64) int { return min(7, int((v/ma/2+0.5)*8)) }
	return float64(byteAt(0, face, at(sc), at(tc), 0, c)) / 255
}

// imageWants are the rows of results, by invocation and component.
func imageWants(at [64][4]float32) []func(i, c int) float64 {
	modes := func(m texel.Mode) [3]texel.Mode { return [3]texel.Mode{m, m, m} }
	plane := wrapped{[3]int{16, 8, 1}, modes(texel.Repeat), texel.Texel{}}
	layered := wrapped{[3]int{8, 8, 1}, modes(texel.ClampToEdge), texel.Texel{}}
	volume := wrapped{[3]int{4, 4, 4}, modes(texel.ClampToBorder), texel.Texel{0, 0, 0, 1}}
	alone := wrapped{[3]int{8, 4, 1}, modes(texel.ClampToBorder), texel.Texel{1, 1, 1, 1}}
	line := wrapped{[3]int{32, 1, 1}, modes(texel.ClampToEdge), texel.Texel{}}
	of := func(i, k int) float64 { return float64(at[i][k]) }
	scaled := func(i int, size [3]int, level int) (p [3]float64) {
		for k := range p {
			p[k] = of(i, k) * float64(max(size[k]>>level, 1))
		}
		return p
	}
	trilinear := func(lod float64, at func(level int) [3]float64, c int) float64 {
		lod = max(0, min(lod, 3))
		low := int(lod)
		part := lod - float64(low)
		sum := (1 - part) * plane.linear(2, low, 0, at(low), c)
		if part > 0 {
			sum += part * plane.linear(2, low+1, 0, at(low+1), c)
		}
		return sum
	}
	gather := [4][2]int{{0, 1}, {1, 1}, {1, 0}, {0, 0}}
	around := func(i, k int, size [3]int) (x, y int) {
		p := scaled(i, size, 0)
		return int(math.Floor(p[0]-0.5)) + gather[k][0], int(math.Floor(p[1]-0.5)) + gather[k][1]
	}
	passes := func(i, x, y int) float64 {
		x, y = max(0, min(x, 7)), max(0, min(y, 7))
		return float64(one(of(i, 2) <= float64(byteAt(0, 0, x, y, 0, 0))/255))
	}
	passesHalf := func(i, x, y int) float64 {
		x, y = max(0, min(x, 7)), max(0, min(y, 7))
		return float64(one(of(i, 2)/2 <= float64(byteAt(0, 0, x, y, 0, 0))/255))
	}
	return []func(i, c int) float64{
		func(i, c int) float64 {
			return trilinear(of(i, 3), func(l int) [3]float64 { return scaled(i, plane.size, l) }, c)
		},
		func(i, c int) float64 {
			p := scaled(i, plane.size, 0)
			return plane.linear(2, 0, 0, [3]float64{p[0] + 1, p[1] - 2}, c)
		},
		func(i, c int) float64 {
			dx, dy := float64(float32(of(i, 2)/16))*16, float64(float32(of(i, 3)/16))*8
			return trilinear(math.Log2(max(math.Abs(dx), math.Abs(dy))),
				func(l int) [3]float64 { return scaled(i, plane.size, l) }, c)
		},
		func(i, c int) float64 {
			if i/8 > 3 {
				return 0
			}
			return float64(byteAt(1, 0, i%8, i/8, 0, c)) / 255
		},
		func(i, c int) float64 {
			x, y := around(i, c, plane.size)
			return plane.component(0, 0, x, y, 0, 2)
		},
		func(i, c int) float64 {
			layer := int(max(0, min(math.RoundToEven(of(i, 2)*2), 2)))
			return layered.linear(2, 0, layer, scaled(i, layered.size, 0), c)
		},
		func(i, c int) float64 {
			return cubeTexel([3]float64{of(i, 0) - 0.5, of(i, 1) - 0.5, of(i, 2) - 0.5}, c)
		},
		func(i, c int) float64 { return volume.linear(3, 0, 0, scaled(i, volume.size, 0), c) },
		func(i, _ int) (sum float64) {
			p := scaled(i, layered.size, 0)
			fx, fy := p[0]-0.5-math.Floor(p[0]-0.5), p[1]-0.5-math.Floor(p[1]-0.5)
			for k, w := range []float64{(1 - fx) * fy, fx * fy, fx * (1 - fy), (1 - fx) * (1 - fy)} {
				x, y := around(i, k, layered.size)
				sum += w * passes(i, x, y)
			}
			return sum
		},
		func(i, c int) float64 {
			x, y := around(i, c, layered.size)
			return passes(i, x, y)
		},
		func(i, c int) float64 {
			if i&1 == 0 {
				return alone.nearest(2, 0, 0, scaled(i, alone.size, 0), c)
			}
			w := alone
			w.border = texel.Texel{0, 0, 0, 1}
			return w.linear(2, 0, 0, scaled(i, alone.size, 0), c)
		},
		func(i, c int) float64 { return float64(byteAt(0, 0, i, 0, 0, c)) / 255 },
		func(i, c int) float64 { return line.linear(1, 0, 0, scaled(i, line.size, 0), c) },
		func(i, c int) float64 {
			p := [3]float64{of(i, 0) / of(i, 2) * 16, of(i, 1) / of(i, 2) * 8}
			return plane.linear(2, 0, 0, p, c)
		},
		func(_, c int) float64 { return [4]float64{8, 4, 4, 3}[c] },
		func(_, c int) float64 { return [4]float64{8, 8, 2, 8}[c] },
		func(i, c int) float64 {
			p := scaled(i, layered.size, 0)
			x, y := p[0]/2-0.5, p[1]/2-0.5
			fx, fy := x-math.Floor(x), y-math.Floor(y)
			var sum float64
			for k, w := range []float64{(1 - fx) * fy, fx * fy, fx * (1 - fy), (1 - fx) * (1 - fy)} {
				sum += w * passesHalf(i, int(math.Floor(x))+gather[k][0], int(math.Floor(y))+gather[k][1])
			}
			return sum
		},
		func(i, c int) float64 {
			x, y := i%8/2, i/8/2
			return float64(byteAt(0, 0, 4*x+i%4, y, 0, c)) / 255
		},
		func(int, int) float64 { return 4 },
		func(i, c int) float64 { return float64(int16(1000 - 31*(4*i+c))) },
	}
}

// implicit makes of the samples of a module whose level of detail is the constant 0 such as say none.
func implicit(words []uint32) []uint32 {
	out := append([]uint32(nil), words[:5]...)
	zero := map[uint32]bool{}
	for at := 5; at < len(words); {
		in := append([]uint32(nil), words[at:at+int(words[at]>>16)]...)
		at += len(in)
		op, n := in[0]&0xffff, len(in)
		switch {
		case op == 43 && n == 4 && in[3] == 0:
			zero[in[2]] = true
		case op >= 88 && op <= 94 && op%2 == 0 && n > 6 && in[n-2] == 2 && zero[in[n-1]]:
			in = in[:n-2]
			in[0] = uint32(len(in))<<16 | op - 1
		}
		out = append(out, in...)
	}
	return out
}

// sparsely makes each image instruction of a module that has one its sparse twin, whose result is the texel
// where the code says that it is resident, and else the code.
func sparsely(words []uint32) []uint32 {
	twins := map[uint32]uint32{}
	for sparse, op := range sparseTwins {
		twins[uint32(op)] = uint32(sparse)
	}
	next := words[3]
	fresh := func() uint32 { next++; return next - 1 }
	structs := map[uint32]uint32{} // of a code and a type
	number, boolean := uint32(0), fresh()
	var types []uint32
	out := append([]uint32(nil), words[:5]...)
	begun := false
	var body []uint32
	for at := 5; at < len(words); {
		in := words[at : at+int(words[at]>>16)]
		at += len(in)
		op := in[0] & 0xffff
		switch {
		case op == 21 && in[2] == 32 && in[3] == 0:
			number = in[1]
		case op == 20:
			boolean = in[1]
		}
		begun = begun || op == 54
		sparse := twins[op]
		switch {
		case !begun:
			out = append(out, in...)
		case sparse == 0:
			body = append(body, in...)
		default:
			s := structs[in[1]]
			if s == 0 {
				s = fresh()
				structs[in[1]] = s
				types = append(types, 4<<16|30, s, number, in[1])
			}
			whole, code, there, texel := fresh(), fresh(), fresh(), fresh()
			body = append(body, uint32(len(in))<<16|sparse, s, whole)
			body = append(body, in[3:]...)
			body = append(body, 5<<16|81, number, code, whole, 0, 4<<16|316, boolean, there, code,
				5<<16|81, in[1], texel, whole, 1)
			none := fresh()
			types = append(types, 3<<16|46, in[1], none)
			body = append(body, 6<<16|169, in[1], in[2], there, texel, none)
		}
	}
	if boolean == words[3] {
		types = append([]uint32{2<<16 | 20, boolean}, types...)
	}
	out = append(append(out, types...), body...)
	out[3] = next
	return out
}

// leveled are the same words with writes of images at a level that they name, the first.
func leveled(words []uint32) (out []uint32) {
	const intType, constant, imageWrite, lod = 21, 43, 99, 2
	zero, integer := uint32(0), uint32(0)
	out = slices.Clone(words[:5])
	for at := 5; at < len(words); at += int(words[at] >> 16) {
		in := words[at : at+int(words[at]>>16)]
		switch op := in[0] & 0xffff; {
		case op == intType && in[2] == 32 && in[3] == 1:
			integer = in[1]
		case op == constant && in[1] == integer && in[3] == 0:
			zero = in[2]
		case op == imageWrite && len(in) == 4:
			out = append(out, 6<<16|imageWrite, in[1], in[2], in[3], lod, zero)
			continue
		}
		out = append(out, in...)
	}
	return out
}

// TestImages runs image.comp, against sums that the specification's formulas give: with levels of detail and,
// where they are 0, without, and with sparse instructions.
func TestImages(t *testing.T) {
	for what, changed := range map[string]func(words []uint32) []uint32{
		"": slices.Clone[[]uint32], " without levels": implicit, " sparse": sparsely,
		" leveled":               leveled,
		" sparse without levels": func(words []uint32) []uint32 { return sparsely(implicit(words)) }} {
		for _, name := range simttest.Share("Images"+what, variants(t, "image")...) {
			testImages(t, name+what, changed(testModule(t, name)))
		}
	}
}

// queried makes each sample of a module with a level of detail a query of it: the level, and the level of
// detail, twice.
func queried(words []uint32) []uint32 {
	next := words[3]
	out := append([]uint32(nil), words[:5]...)
	pairs, float := uint32(0), uint32(0)
	for at := 5; at < len(words); {
		in := words[at : at+int(words[at]>>16)]
		at += len(in)
		switch op := in[0] & 0xffff; {
		case op == 22 && in[2] == 32:
			float = in[1]
		case op == 23 && in[2] == float && in[3] == 2:
			pairs = in[1]
		}
		if in[0]&0xffff != 88 {
			out = append(out, in...)
			continue
		}
		out = append(out, 5<<16|105, pairs, next, in[3], in[4], 5<<16|80, in[1], in[2], next, next)
		next++
	}
	out[3] = next
	return out
}

// TestQueryLod: without derivatives the sampler's bias is the level of detail, and its level one of the
// image's four.
func TestQueryLod(t *testing.T) {
	for bias, level := range map[float32]float32{1.5: 1.5, -2: 0, 9: 3} {
		l, _ := imageLaunch()
		p := l.images[Slot{Binding: 2}]
		p.sampler.Bias = bias
		l.images[Slot{Binding: 2}] = p
		got := l.run(t, queried(testModule(t, "image.O.spv"))).floats(Slot{Binding: 1})
		for i, g := range got[:4*64] {
			if want := [2]float32{level, bias}[i%2]; g != want {
				t.Fatalf("bias %g, invocation %d: %g, want %g", bias, i/4, g, want)
			}
		}
	}
}

func testImages(t *testing.T, name string, words []uint32) {
	t.Helper()
	l, at := imageLaunch()
	r := l.run(t, words)
	got := r.floats(Slot{Binding: 1})
	for row, want := range imageWants(at) {
		for i := range 64 {
			for c := range 4 {
				g, w := float64(got[4*(64*row+i)+c]), want(i, c)
				if math.Abs(g-w) > 2e-5 {
					t.Errorf("%s: row %d, invocation %d (at %v), component %d: %v, want %v",
						name, row, i, at[i], c, g, w)
					break
				}
			}
		}
	}
	picture := r.regions[Slot{Binding: 6}].Data
	for i := range 64 {
		for c := range 4 {
			want := byte(math.RoundToEven(max(0, min(float64(at[i][c]), 1)) * 255))
			if g := picture[4*(8*(i%8)+i/8)+c]; g != want {
				t.Errorf("%s: texel %d,%d is %d in component %d, want %d", name, i/8, i%8, g, c, want)
			}
		}
	}
	for k, g := range r.words(Slot{Binding: 7}) {
		want := uint32(0)
		for i := k; i < 64; i += 4 {
			want += uint32(i)
		}
		if g != want {
			t.Errorf("%s: count %d is %d, want %d", name, k, g, want)
		}
	}
	numbers := r.regions[Slot{Binding: 13}].Data
	for k := range 64 {
		want := int16(31*k - 1000)
		if g := int16(binary.LittleEndian.Uint16(numbers[2*(256+k):])); g != want {
			t.Errorf("%s: number %d is %d, want %d", name, k, g, want)
		}
	}
}

// TestNoImage binds what is no image, and one whose texels are not there.
func TestNoImage(t *testing.T) {
	for want, spoil := range map[string]func(p *picture, block []byte){
		"an image of format 0, which there is not": func(_ *picture, b []byte) { b[0] = 0 },
		"unmapped address": func(_ *picture, b []byte) {
			binary.LittleEndian.PutUint64(b[56:], 16)
		},
	} {
		l, _ := imageLaunch()
		r := l.start(t, testModule(t, "image.O.spv"))
		for _, reg := range r.m.Mem.Regions() {
			if reg.Name == "image" {
				spoil(nil, reg.Data)
				break
			}
		}
		ev, err := r.m.Run(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		if ev.Fault == nil || !bytes.Contains([]byte(ev.Fault.Kind.String()+ev.Fault.Text), []byte(want)) {
			t.Errorf("%+v, want %q", ev.Fault, want)
		}
	}
}

// TestKernelImages: kernels ask for the order and the type of channels, all invocations and then those with
// odd numbers, and read through samplers that are numbers.
func TestKernelImages(t *testing.T) {
	const imageType, floatType, vectorType, pointerType, sampledType, samplerType = 20, 21, 22, 23, 24, 25
	m := newModule(addresses, kernelCapability, 11) // Int64
	m.add(15, 6, 10, binary.LittleEndian.Uint32([]byte("k\x00\x00\x00")), 30)
	m.add(71, 30, 11, 28) // GlobalInvocationId
	m.add(19, 1)
	m.add(21, 3, 32, 0)
	m.add(21, 4, 64, 0)
	m.add(20, 5)
	m.add(25, imageType, 1, 1, 0, 0, 0, 0, 0, 0)
	m.add(26, samplerType)
	m.add(27, sampledType, imageType)
	m.add(22, floatType, 32)
	m.add(23, vectorType, floatType, 4)
	m.add(23, 26, 4, 3)
	m.add(32, 27, 1, 26)
	m.add(32, pointerType, 5, 3)
	m.add(32, 28, 5, vectorType)
	m.add(33, 2, 1, imageType, pointerType, 28)
	m.add(23, 29, floatType, 2)
	m.add(43, 3, 31, 1)
	m.add(43, 4, 32, 32, 0)
	m.add(43, 3, 33, 0)
	m.add(43, 3, 60, 8)
	m.add(43, floatType, 34, 0)
	m.add(45, samplerType, 35, 2, 0, 0) // Clamp, not normalized, nearest
	m.add(45, samplerType, 36, 3, 1, 1) // Repeat, normalized, linear
	m.add(59, 27, 30, 1)
	m.add(54, 1, 10, 0, 2)
	m.add(55, imageType, 40)
	m.add(55, pointerType, 41)
	m.add(55, 28, 42)
	m.add(248, 43)
	m.add(61, 26, 44, 30)
	m.add(81, 4, 45, 44, 0)
	m.add(113, 3, 46, 45)
	m.add(102, 3, 47, 40) // order
	m.add(101, 3, 48, 40) // type
	m.add(70, pointerType, 49, 41, 45)
	m.add(196, 3, 50, 47, 60) // order << 8
	m.add(128, 3, 51, 50, 48)
	m.add(62, 49, 51)
	m.add(112, floatType, 52, 46) // as a float
	m.add(80, 29, 53, 52, 34)
	m.add(86, sampledType, 54, 40, 35)
	m.add(88, vectorType, 55, 54, 53, 2, 34)
	m.add(86, sampledType, 56, 40, 36)
	m.add(88, vectorType, 57, 56, 53, 2, 34)
	m.add(129, vectorType, 58, 55, 57)
	m.add(70, 28, 59, 42, 45)
	m.add(62, 59, 58)
	m.add(199, 3, 61, 46, 31)
	m.add(171, 5, 62, 61, 33)
	m.add(247, 64, 0)
	m.add(250, 62, 63, 64)
	m.add(248, 63)
	m.add(102, 3, 65, 40)
	m.add(101, 3, 66, 40)
	m.add(196, 3, 67, 66, 60) // type << 8
	m.add(128, 3, 68, 67, 65)
	m.add(128, 4, 69, 45, 32)
	m.add(70, pointerType, 70, 41, 69)
	m.add(62, 70, 68)
	m.add(249, 64)
	m.add(248, 64)
	m.add(253)
	m.add(56)
	words := *m

	image := texel.NewImage(texel.ByName("r32_sfloat"), texel.Plane, [3]int{8, 1, 1}, 1, 1)
	image.Order, image.Type, image.Swizzle = 0x10b9, 0x10de, [4]uint8{0, 0, 0, texel.SwizzleOne} // luminance
	slot := func(n uint32) Slot { return Slot{Binding: n} }
	l := launch{block: [3]uint32{32, 1, 1}, args: make([]byte, 24), o: Options{SubgroupSize: 32},
		pointer: map[uint64]Slot{0: slot(2), 8: slot(0), 16: slot(1)},
		buffers: map[Slot][]byte{slot(0): make([]byte, 256), slot(1): make([]byte, 512)},
		images:  map[Slot]picture{slot(2): {image: image, data: floatBytes(0, 10, 20, 30, 40, 50, 60, 70)}}}
	r := l.run(t, words)
	ended(t, r)
	for i := range uint32(32) {
		odd := uint32(0)
		if i%2 == 1 {
			odd = 14<<8 + 9
		}
		if got := r.words(slot(0)); got[i] != 9<<8+14 || got[32+i] != odd {
			t.Errorf("work-item %d has %#x and %#x of the image's channels", i, got[i], got[32+i])
		}
		near := float32(10 * i)
		if i >= 8 {
			near = 0
		}
		// A whole number of images from the middle between the last texel and the first.
		if got, want := r.floats(slot(1))[4*i:4*i+4], []float32{near + 35, near + 35, near + 35, 2}; !slices.Equal(got, want) {
			t.Errorf("work-item %d has read %v, want %v", i, got, want)
		}
	}
}
