package texel

import "fmt"

// Formats of several planes (Vulkan, "Multi-planar Formats" and "Formats of 4:2:2"): luma has a number for
// each texel, and the two chromas have one for each texel, for two side by side, or for a square of four.
// Luma is shown as G, the chromas as B and R. Planes lie one behind the other in each layer, and each can
// be viewed as an image of its own; where numbers of both kinds lie side by side there is one plane, which
// is read as two.

// A plane is a part of a format: an image of a smaller format, some of whose components are components of the
// whole.
type plane struct {
	format        *Format
	narrow, short bool     // half as wide, half as high
	shared        bool     // it lies where the plane before it lies
	as            [4]uint8 // which components of the whole its own are; noComponent if none
}

const noComponent = 0xff

// Planes is how many planes a format has that can be viewed by themselves: 0 of those whose texels lie in
// one piece.
func (f *Format) Planes() (n int) {
	for i := range f.planes {
		if !f.planes[i].shared {
			n++
		}
	}
	return n
}

// A planarFamily is formats of planes with numbers of so many bits, the unused ones lowest.
type planarFamily struct {
	first, separate uint32 // numbers of the first seven, and of the one with two planes of one size
	bits, unused    uint8
	pack            string
}

var planar = []planarFamily{
	{1000156000, 1000330000, 8, 0, ""}, {1000156010, 1000330001, 10, 6, "_3pack16"},
	{1000156020, 1000330002, 12, 4, "_3pack16"}, {1000156027, 1000330003, 16, 0, ""},
}

// What a plane's components are of the whole.
var (
	asLuma   = [4]uint8{1, noComponent, noComponent, noComponent}
	asBlue   = [4]uint8{2, noComponent, noComponent, noComponent}
	asRed    = [4]uint8{0, noComponent, noComponent, noComponent}
	asChroma = [4]uint8{2, 0, noComponent, noComponent}
)

func (all formats) addPlanes() {
	for i := range planar {
		planar[i].packed(all)
		planar[i].apart(all)
	}
}

// size is how many bytes a number has.
func (r *planarFamily) size() uint8 { return (r.bits + r.unused) / 8 }

// letter is a component in the names of formats.
func (r *planarFamily) letter(l string) string {
	if r.unused > 0 {
		return fmt.Sprintf("%s%dx%d", l, r.bits, r.unused)
	}
	return fmt.Sprintf("%s%d", l, r.bits)
}

func (r *planarFamily) add(all formats, number uint32, name string, planes ...plane) {
	f := &Format{Name: name, Number: number, Size: planes[0].format.Size, planes: planes}
	for c := range 3 {
		f.channels = append(f.channels, channel{component: uint8(c), bits: r.bits})
	}
	all[number] = f
}

// part is a format of so many bytes with numbers at some of them, as components from the first on: Vulkan's
// if it has one.
func (r *planarFamily) part(all formats, bytes uint8, at ...uint8) *Format {
	f := &Format{Size: int(bytes)}
	for c, a := range at {
		f.channels = append(f.channels, channel{component: uint8(c), at: 8*a + r.unused, bits: r.bits})
	}
	return all.like(f)
}

// packed makes the formats whose numbers lie side by side: G, B, G, R, or B, G, R, G.
func (r *planarFamily) packed(all formats) {
	pack, size := r.pack, r.size()
	if pack != "" {
		pack = "_4pack16"
	}
	for k, order := range []string{"gbgr", "bgrg"} {
		name := ""
		for _, c := range order {
			name += r.letter(string(c))
		}
		g, b := uint8(k)*size, uint8(1-k)*size
		r.add(all, r.first+uint32(k), name+"_422_unorm"+pack,
			plane{format: r.part(all, 2*size, g), as: asLuma},
			plane{format: r.part(all, 4*size, b, b+2*size), narrow: true, shared: true, as: asChroma})
	}
}

// apart makes the formats of two and three planes.
func (r *planarFamily) apart(all formats) {
	size, first := r.size(), r.first+2
	luma := plane{format: r.part(all, size, 0), as: asLuma}
	g, blue, red := r.letter("g"), r.letter("b"), r.letter("r")
	for _, of := range []struct {
		name          string
		narrow, short bool
	}{{"420", true, true}, {"422", true, false}, {"444", false, false}} {
		one := plane{format: r.part(all, size, 0), narrow: of.narrow, short: of.short, as: asBlue}
		two := plane{format: r.part(all, 2*size, 0, size), narrow: of.narrow, short: of.short, as: asChroma}
		other := one
		other.as = asRed
		end := of.name + "_unorm" + r.pack
		r.add(all, first, g+"_"+blue+"_"+red+"_3plane_"+end, luma, one, other)
		second := first + 1
		if of.name == "444" {
			second = r.separate
		}
		r.add(all, second, g+"_"+blue+red+"_2plane_"+end, luma, two)
		first += 2
	}
}

// plane is a plane of an image as an image of its own.
func (m *Image) plane(i int) Image {
	out, p := *m, &m.Format.planes[i]
	for k := range i {
		if !p.shared {
			out.Address += m.planeBytes(k)
		}
	}
	out.Format, out.Swizzle = p.format, [4]uint8{0, 1, 2, 3}
	out.Size = p.size(m.Size)
	out.Pitch = uint64(out.Size[0] * p.format.Size)
	if p.shared { // rows of as many bytes as those of the plane before
		out.Pitch = uint64(m.Size[0] * m.Format.Size)
	}
	out.Slice, out.Align = m.LayerBytes(), 0
	return out
}

// Plane is a plane of an image that can be viewed by itself.
func (m *Image) Plane(i int) Image { return m.plane(i) }

func (p *plane) size(s [3]int) [3]int {
	if p.narrow {
		s[0] = (s[0] + 1) / 2
	}
	if p.short {
		s[1] = (s[1] + 1) / 2
	}
	return s
}

// planeBytes is how much memory a plane of a layer takes.
func (m *Image) planeBytes(i int) uint64 {
	p := &m.Format.planes[i]
	if p.shared {
		return 0
	}
	s := p.size(m.Size)
	return uint64(s[0]) * uint64(s[1]) * uint64(p.format.Size)
}

// planesBytes is how much memory all take.
func (m *Image) planesBytes() (n uint64) {
	for i := range m.Format.planes {
		n += m.planeBytes(i)
	}
	return n
}

// put makes components of a plane's texel components of the whole.
func (p *plane) put(of Texel, whole *Texel) {
	for i, as := range p.as {
		if as != noComponent {
			whole[as] = of[i]
		}
	}
}

// place is where a texel of the whole is in a plane.
func (p *plane) place(x, y int) (int, int) {
	if p.narrow && x >= 0 {
		x /= 2
	}
	if p.short && y >= 0 {
		y /= 2
	}
	return x, y
}

// Texel is a texel of the view, of an image whose memory is data; false where that has none for it.
func (m *Image) Texel(data []byte, x, y, z, layer, level, sample int) (Texel, bool) {
	if m.Format.planes == nil {
		at, ok := m.Offset(x, y, z, layer, level, sample)
		if !ok || at+uint64(m.Format.Size) > uint64(len(data)) {
			return Texel{}, false
		}
		return m.Format.DecodePart(data[at:], m.Format.Part(x, y)), true
	}
	whole := Texel{0, 0, 0, 1}
	for i := range m.Format.planes {
		p, of := &m.Format.planes[i], m.plane(i)
		px, py := p.place(x, y)
		at := of.Address - m.Address
		if at > uint64(len(data)) {
			return whole, false
		}
		t, ok := of.Texel(data[at:], px, py, z, layer, level, sample)
		if !ok {
			return whole, false
		}
		p.put(t, &whole)
	}
	return whole, true
}
