package gen

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand"
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/texel"
	"simtgdb/testdata/sweep"
)

// samplerPayloads are the parameters of messages to the sampler, as the PRM of Skylake lists them (volume 7,
// "Parameter Types"), one after the other. What is an integer is marked.
var samplerPayloads = map[uint32]string{
	0: "u v r ai", 1: "bias u v r ai", 2: "lod u v r ai", 3: "ref u v r ai",
	4: "u dudx dudy v dvdx dvdy r drdx drdy ai", 5: "ref bias u v r ai", 6: "ref lod u v r ai",
	7: "#u #v #lod #r", 8: "u v r ai", 9: "u v r ai", 10: "#lod", 11: "", 16: "ref u v r ai",
	17: "u v #offu #offv r", 18: "ref u v #offu #offv r", 20: "ref u dudx dudy v dvdx dvdy r drdx drdy ai",
	24: "u v r ai", 25: "ref u v r ai", 26: "#u #v #r", 28: "#si #mcsl #mcsh #u #v #r", 29: "#u #v #r #lod",
	30: "#si #mcs #u #v #r", 31: "#si #u #v #r",
}

// plainTexels is memory in which everything is allowed. It implements texel.Memory.
type plainTexels struct{ data *simt.Region }

func (p plainTexels) Block(uint64, uint64) []byte { return nil }
func (p plainTexels) Outside(uint64, bool)        {}
func (p plainTexels) Wrong(uint64, error)         {}
func (p plainTexels) Texels(lanes uint64, addr *[simt.MaxLanes]uint64, size int, _ bool,
	f func(lane int, b []byte)) bool {
	for l := range simt.MaxLanes {
		if lanes>>l&1 != 0 {
			f(l, p.data.Data[addr[l]-p.data.Base:][:size])
		}
	}
	return true
}

// imageBench is a bench with an image of each shape, and their numbers in the binding table; all lie in the
// same bytes.
func imageBench(t *testing.T, width int, r *rand.Rand, format string) (*bench, map[uint32]*texel.Image) {
	t.Helper()
	b := newBench(t, width).of(XeHPG)
	r.Read(b.r.file[offGRF:b.r.gen.grfEnd()])
	r.Read(b.data.Data)
	f := texel.ByName(format)
	if f.Numeric == texel.Float {
		for i := 0; i < len(b.data.Data); i += 4 {
			binary.LittleEndian.PutUint32(b.data.Data[i:], math.Float32bits(float32(r.Intn(64))))
		}
	}
	images := map[uint32]*texel.Image{}
	for i, c := range []struct {
		shape  texel.Shape
		size   [3]int
		layers int
	}{{texel.Line, [3]int{13, 1, 1}, 1}, {texel.Line, [3]int{9, 1, 1}, 4}, {texel.Plane, [3]int{8, 6, 1}, 1},
		{texel.Plane, [3]int{5, 4, 1}, 3}, {texel.Volume, [3]int{4, 4, 4}, 1},
		{texel.Cube, [3]int{4, 4, 1}, 6}} {
		m := texel.NewImage(f, c.shape, c.size, 2, c.layers)
		m.Address = b.data.Base
		images[uint32(i+3)] = &m
	}
	samples := texel.NewImage(f, texel.Plane, [3]int{6, 5, 1}, 1, 1)
	samples.Samples, samples.Address = 4, b.data.Base
	images[20] = &samples
	b.core.isa.Kernel.Images = images
	by := texel.Sampler{Mag: texel.Linear, Min: texel.Linear, Mip: texel.Linear, Compare: texel.LessOrEqual,
		Modes: [3]texel.Mode{texel.Repeat, texel.MirroredRepeat, texel.ClampToBorder}, Top: 1.5,
		Border: texel.Texel{1, 2, 3, 4}}
	b.core.isa.Kernel.Samplers = map[uint32]*texel.Sampler{5: &by}
	return b, images
}

// TestSampler sends each message to the sampler for images of each shape, with and without a header, for 8
// and 16 channels, all of them and some, with results of 32 and of 16 bits, and compares with what package
// texel makes of the parameters that the PRM lists.
func TestSampler(t *testing.T) {
	r := rand.New(sweep.Source(28))
	for typ, params := range samplerPayloads {
		for i := range 24 {
			c := samplerCase{typ: typ, params: strings.Fields(params), width: 8 << (i & 1), half: i&2 != 0,
				header: i&4 != 0, exec: []uint32{0xffff, r.Uint32()}[i>>3&1], surface: uint32(3 + r.Intn(6))}
			if typ >= 28 && typ != 29 {
				c.surface = 20
			}
			c.run(t, r)
		}
	}
}

type samplerCase struct {
	typ           uint32
	params        []string
	width         int
	half, header  bool
	exec, surface uint32
}

func (c *samplerCase) run(t *testing.T, r *rand.Rand) {
	t.Helper()
	b, images := imageBench(t, c.width, r, "r32_sfloat")
	g, m := XeHPG, images[c.surface]
	name := fmt.Sprintf("%+v of %v", *c, m.Shape)
	var o texel.Op
	o.Begin(uint64(c.exec) & b.w.Valid)
	o.One, o.By = m, b.core.isa.Kernel.Samplers[5]
	const src = 10
	at, desc := src, c.typ<<12|uint32(c.width/8)<<17|5<<8|c.surface
	header := uint32(0)
	if c.header {
		header = uint32(r.Intn(16))<<8 | uint32(r.Intn(16))<<4 | uint32(r.Intn(16)) | uint32(r.Intn(15))<<12 |
			uint32(r.Intn(4))<<16
		b.r.setU32(g.grf(src)+8, header)
		b.r.setU32(g.grf(src)+12, 0)
		at++
		desc |= 1 << 19
	}
	signed := func(v uint32) int { return int(int32(v<<28) >> 28) }
	for l := range c.width {
		o.Component[l] = int(header >> 16 & 3)
		o.Place[l].Offset = [3]int{signed(header >> 8), signed(header >> 4), signed(header)}
	}
	params := c.parameters(m)
	for _, p := range params {
		for l := range c.width {
			c.parameter(b, r, &o, m, p, l, g.grf(at)+4*l)
		}
		at += c.width / 8
	}
	step := 4 * c.width
	if c.half {
		desc, step = desc|1<<30, 32
	}
	one := min(at-src, 1+r.Intn(8)) // the rest is the second payload
	desc |= uint32(one)<<25 | uint32(4*step/32)<<20
	before := b.grfPart()
	want := c.want(b, &o, m)
	s := lscSend{width: c.width, sfid: sfidSampler, desc: desc, dst: 60, src0: src, src1: src + one, len1: at - src - one}
	if at == src { // there is no message without a payload
		s.desc |= 1 << 25
	}
	s.run(b, c.exec)
	to := 0
	for i := range 4 {
		if header>>(12+i)&1 != 0 {
			continue
		}
		for l := range c.width {
			place, size := g.grf(60)+to+4*l, 4
			if c.half {
				place, size = g.grf(60)+to+2*l, 2
			}
			expected := before[place-offGRF:][:size]
			if o.Lanes>>l&1 != 0 {
				expected = binary.LittleEndian.AppendUint32(nil, want(l, i))[:size]
			}
			if got := b.r.file[place:][:size]; string(got) != string(expected) {
				t.Fatalf("%s: component %d of channel %d is %x, want %x", name, i, l, got, expected)
			}
		}
		to += step
	}
}

// parameters are as many as a shape needs, or a message has.
func (c *samplerCase) parameters(m *texel.Image) []string {
	coordinates := m.Shape.Coordinates()
	if m.Layers > 1 {
		coordinates++
	}
	if m.Shape == texel.Cube {
		coordinates = 3
	}
	if c.typ == 7 || c.typ == 29 { // where the level lies between
		return c.params
	}
	names := []string{"u", "v", "r", "ai"}
	for i, p := range c.params {
		if coordinates < len(names) && strings.TrimPrefix(p, "#") == names[coordinates] {
			return c.params[:i]
		}
	}
	return c.params
}

// parameter chooses a number of a lane, and puts it where the message has it, and where package texel does.
func (c *samplerCase) parameter(b *bench, r *rand.Rand, o *texel.Op, m *texel.Image, p string, l, at int) {
	p, integer := strings.CutPrefix(p, "#")
	v := float64(r.Intn(64))/16 - 1.5
	if integer {
		v = float64(r.Intn(7) - 1)
	}
	place := &o.Place[l]
	layered := func(i int) bool { return m.Shape != texel.Cube && i >= m.Shape.Coordinates() }
	switch i := strings.Index("uvr", p); {
	case p == "ai":
	case i >= 0 && layered(i):
		if v = float64(r.Intn(4)); i == m.Shape.Coordinates() && m.Layers > 1 {
			place.Layer = v
		}
	case i >= 0:
		if place.At[i] = v; m.Shape == texel.Cube && i == 2 && integer {
			v = float64(r.Intn(6))
			place.At[2] = v
		}
	case p == "lod" || p == "bias":
		if integer {
			v = float64(r.Intn(2))
		}
		place.Lod = v
	case p == "ref":
		v = float64(r.Intn(64))
		o.Compares, o.Reference[l] = true, v
	case p == "si":
		v = float64(r.Intn(4))
		o.Sample[l] = int(v)
	case p == "offu":
		place.Offset[0] = int(v)
	case p == "offv":
		place.Offset[1] = int(v)
	case len(p) == 4 && p[0] == 'd':
		if o.Gradients == nil {
			o.Gradients = new([simt.MaxLanes][2][3]float64)
		}
		if axis := strings.IndexByte("uvr", p[1]); axis < m.Shape.Coordinates() || m.Shape == texel.Cube {
			o.Gradients[l][p[3]-'x'][axis] = v
		} else {
			v = 0
		}
	}
	if integer {
		b.r.setU32(at, uint32(int32(v)))
		return
	}
	b.r.setU32(at, math.Float32bits(float32(v)))
}

// want is what a message gives of each lane and component.
func (c *samplerCase) want(b *bench, o *texel.Op, m *texel.Image) func(l, i int) uint32 {
	var out [simt.MaxLanes]texel.Texel
	number := func(l, i int) uint32 {
		if c.half {
			var b [2]byte
			texel.ByName("r16_sfloat").Encode(texel.Texel{out[l][i]}, b[:])
			return uint32(binary.LittleEndian.Uint16(b[:]))
		}
		return math.Float32bits(float32(out[l][i]))
	}
	integer := func(l, i int) uint32 { return uint32(int64(out[l][i])) }
	mem := plainTexels{b.data}
	switch c.typ {
	case 7, 26, 28, 30, 31:
		// A texel outside is 0 in what the format has, a single component here.
		o.Border = func(*texel.Image) texel.Texel { return texel.Texel{3: 1} }
		o.Fetch(mem, &out)
	case 8, 16, 17, 18:
		o.Gather = true
		o.Take(mem, &out)
	case 9:
		for l := range out {
			lod := o.Place[l].Lod
			out[l] = texel.Texel{max(0, min(lod, 1.5, float64(m.Levels-1))), lod}
		}
	case 10:
		for l := range out {
			if level := o.Place[l].Lod; level < float64(m.Levels) {
				size := m.LevelSize(int(level))
				out[l] = map[texel.Shape]texel.Texel{texel.Line: {float64(size[0]), float64(m.Layers)},
					texel.Plane:  {float64(size[0]), float64(size[1]), float64(m.Layers)},
					texel.Volume: {float64(size[0]), float64(size[1]), float64(size[2])},
					texel.Cube:   {float64(size[0]), float64(size[1]), 1}}[m.Shape]
			}
			out[l][3] = float64(m.Levels)
		}
		return integer
	case 11:
		for l := range out {
			out[l] = texel.Texel{float64(m.Samples)}
		}
		return integer
	case 29:
		return func(int, int) uint32 { return math.MaxUint32 }
	default:
		o.Take(mem, &out)
	}
	return number
}

// TestTyped reads, writes and changes texels by messages to typed surfaces: of 8 channels, or of either half
// of 16.
func TestTyped(t *testing.T) {
	r := rand.New(sweep.Source(29))
	const read, write, atomic = 0x05, 0x0d, 0x06
	for i := range 96 {
		typ := []uint32{read, write, atomic}[i%3]
		format := []string{"r32_sint", "r32_sfloat", "r32_uint"}[i/3%3]
		if typ != atomic && i%2 == 0 {
			format = "r8g8b8a8_sint"
		}
		exec := []uint32{0xffff, r.Uint32()}[i/24&1]
		surface, high := uint32(3+r.Intn(5)), i/48 == 1
		testTyped(t, r, typ, format, surface, exec, high)
	}
}

func testTyped(t *testing.T, r *rand.Rand, typ uint32, format string, surface, exec uint32, high bool) {
	t.Helper()
	b, images := imageBench(t, 16, r, format)
	g, m := XeHPG, images[surface]
	n := m.Shape.Coordinates()
	if m.Layers > 1 {
		n++
	}
	const src, data, dst = 10, 20, 60
	mask := exec
	if high {
		mask >>= 8
	}
	at := r.Perm(8) // texels apart from each other, so that no order matters
	var offset [8]uint64
	for l := range 8 {
		coordinates := [4]int{at[l]}
		if n > 1 && m.Size[1] > 1 {
			coordinates = [4]int{at[l] % 4, at[l] / 4}
		}
		inside := r.Intn(5) > 0
		if !inside {
			coordinates[0] = 100 + l
		}
		for i := range n {
			b.r.setU32(g.grf(src+i)+4*l, uint32(coordinates[i]))
		}
		layer := 0
		if n > m.Shape.Coordinates() {
			layer = coordinates[m.Shape.Coordinates()]
			coordinates[m.Shape.Coordinates()] = 0
		}
		off, ok := m.Offset(coordinates[0], coordinates[1], coordinates[2], layer, 0, 0)
		if offset[l] = off; ok != inside {
			t.Fatalf("%s: texel %v of %v is inside: %v", format, coordinates, m.Size, ok)
		}
		if !inside {
			offset[l] = math.MaxUint64
		}
	}
	control := uint32(1 << 4)
	if high {
		control = 2 << 4
	}
	s := lscSend{width: 16, sfid: sfidDC1, dst: dst, src0: src}
	out := uint32(0)
	switch typ {
	case 0x05:
		out = 4
	case 0x0d:
		s.src1, s.len1, s.dst = data, 4, 0
	case 0x06:
		control = 1<<5 | 7 // adds, and gives what was there
		if high {
			control |= 1 << 4
		}
		s.src1, s.len1, out = data, 1, 1
	}
	s.desc = surface | control<<8 | typ<<14 | out<<20 | uint32(n)<<25
	before, mem := b.grfPart(), append([]byte(nil), b.data.Data...)
	s.run(b, exec)
	le := binary.LittleEndian
	for l := range 8 {
		if mask>>l&1 == 0 {
			continue
		}
		was := texel.Texel{}
		word := uint32(0)
		if offset[l] != math.MaxUint64 {
			was, word = m.Format.Decode(mem[offset[l]:]), le.Uint32(mem[offset[l]:])
		}
		switch typ {
		case 0x05:
			for i := range 4 {
				want := uint32(int64(was[i]))
				if m.Format.Numeric == texel.Float {
					want = math.Float32bits(float32(was[i]))
				}
				if got := le.Uint32(b.r.file[g.grf(dst+i)+4*l:]); got != want {
					t.Fatalf("%s of %v: component %d of channel %d is %#x, want %#x", format, m.Shape, i, l, got, want)
				}
			}
		case 0x0d:
			if offset[l] == math.MaxUint64 {
				continue
			}
			var x texel.Texel
			for i := range x {
				v := le.Uint32(before[g.grf(data+i)+4*l-offGRF:])
				switch x[i] = float64(int32(v)); m.Format.Numeric {
				case texel.Float:
					x[i] = float64(math.Float32frombits(v))
				case texel.Uint:
					x[i] = float64(v)
				}
			}
			m.Format.Encode(x, mem[offset[l]:])
		case 0x06:
			if got := le.Uint32(b.r.file[g.grf(dst)+4*l:]); got != word {
				t.Fatalf("channel %d is given %#x, want %#x", l, got, word)
			}
			if offset[l] != math.MaxUint64 {
				le.PutUint32(mem[offset[l]:], word+le.Uint32(before[g.grf(data)+4*l-offGRF:]))
			}
		}
	}
	if string(mem) != string(b.data.Data) {
		t.Fatalf("%#x of %s, %v: the image is not what it should be", typ, format, m.Shape)
	}
}

// TestMediaBlock reads and writes blocks of an image as bytes.
func TestMediaBlock(t *testing.T) {
	r := rand.New(sweep.Source(30))
	for i := range 40 {
		b, images := imageBench(t, 16, r, "r8g8_uint")
		g, m := XeHPG, images[5] // 8 x 6 texels of two bytes
		width, height := []int{4, 8, 16}[r.Intn(3)], 1+r.Intn(4)
		left, top := 4*(r.Intn(6)-1), r.Intn(8)-1
		const src, dst = 10, 60
		for k, v := range []uint32{uint32(left), uint32(top), uint32(width-1) | uint32(height-1)<<16} {
			b.r.setU32(g.grf(src)+4*k, v)
		}
		regs := uint32(g.regsOfSize(width * height))
		s := lscSend{width: 8, sfid: sfidDC1, dst: dst, src0: src, desc: 5 | 4<<14 | 1<<19 | 1<<25 | regs<<20}
		write := i&1 == 1
		if write {
			s = lscSend{width: 8, sfid: sfidDC1, src0: src, src1: 20, len1: int(regs),
				desc: 5 | 10<<14 | 1<<19 | 1<<25}
		}
		mem := append([]byte(nil), b.data.Data...)
		exec := []uint32{0xffff, 0x5a}[i>>1&1]
		s.run(b, exec)
		row := m.Size[0] * 2
		for y := range height {
			for x := range width {
				byteAt := func(reg int) byte { return b.r.file[g.grf(reg)+y*width+x] }
				inside := left+x >= 0 && left+x < row && top+y >= 0 && top+y < m.Size[1]
				at := min(max(top+y, 0), m.Size[1]-1) * row
				switch {
				case write && inside:
					mem[at+left+x] = byteAt(20)
				case !write:
					column := left + x
					if column < 0 {
						column = x % 4
					} else if column >= row {
						column = row - 4 + x%4
					}
					if got, want := byteAt(dst), mem[at+column]; got != want {
						t.Fatalf("%dx%d at %d,%d: byte %d,%d is %#x, want %#x", width, height, left, top, x,
							y, got, want)
					}
				}
			}
		}
		if string(mem) != string(b.data.Data) {
			t.Fatalf("%dx%d at %d,%d, written: the image is not what it should be", width, height, left, top)
		}
	}
}
