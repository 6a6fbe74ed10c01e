package launch

import (
	"fmt"
	"slices"
	"strings"

	"simtgdb/simt"
	"simtgdb/simt/texel"
)

// An ImageSpec is what a binding of the kinds image and sampler says besides its contents: what is bound is
// an image with a sampler, or a sampler alone, and a shader takes of it what it wants.
type ImageSpec struct {
	Format  string
	Size    []uint64 // texels in each dimension
	Levels  uint64
	Layers  uint64
	Samples uint64 // of each texel
	Cube    bool
	Filter  string // nearest or linear
	Address string // repeat and so on: see addressModes
	// Unnormalized says that coordinates count texels, as those of CUDA's and HIP's textures do unless they
	// are asked not to.
	Unnormalized bool
}

const (
	imageBinding   = "image"
	samplerBinding = "sampler"
	unnormalized   = "unnormalized"
)

// addressModes are the names of what is outside of an image, in the order of texel.Mode.
var addressModes = []string{"repeat", "mirror", "clamp", "border", "mirror-clamp"}

// image is the image that is meant; its texels lie nowhere yet.
func (s *ImageSpec) image() (texel.Image, error) {
	f := texel.ByName(s.Format)
	if f == nil {
		return texel.Image{}, fmt.Errorf("unknown format %q; formats are named as Vulkan's, such as "+
			"r8g8b8a8_unorm, r32_sfloat, r32g32b32a32_uint", s.Format)
	}
	size, shape := [3]int{1, 1, 1}, texel.Line
	if n := len(s.Size); n == 0 || n > len(size) {
		return texel.Image{}, fmt.Errorf("want its size, of one to three dimensions, as [16, 16]")
	}
	for i, n := range s.Size {
		size[i], shape = int(min(n, 1<<20)), texel.Shape(i)
	}
	layers := max(s.Layers, 1)
	if s.Cube {
		shape, layers = texel.Cube, 6*layers
	}
	m := texel.NewImage(f, shape, size, int(min(max(s.Levels, 1), 1<<10)), int(min(layers, 1<<20)))
	m.Samples = int(min(max(s.Samples, 1), 1<<10))
	return m, m.Check()
}

// sampler is the sampler that is meant.
func (s *ImageSpec) sampler() (texel.Sampler, error) {
	const everyLevel = 1000 // VK_LOD_CLAMP_NONE
	out := texel.Sampler{Compare: texel.NoCompare, Top: everyLevel, Border: texel.Texel{0, 0, 0, 1},
		Unnormalized: s.Unnormalized}
	switch s.Filter {
	case "", "nearest":
	case "linear":
		out.Mag, out.Min, out.Mip = texel.Linear, texel.Linear, texel.Linear
	default:
		return out, fmt.Errorf("unknown filter %q; the filters are nearest, linear", s.Filter)
	}
	mode := slices.Index(addressModes, s.Address)
	if s.Address == "" {
		mode = int(texel.ClampToEdge)
	}
	if mode < 0 {
		return out, fmt.Errorf("unknown address mode %q; the modes are %s", s.Address,
			strings.Join(addressModes, ", "))
	}
	out.Modes = [3]texel.Mode{texel.Mode(mode), texel.Mode(mode), texel.Mode(mode)}
	return out, nil
}

// block puts what an image is into memory of its own; texels is where its contents are, nil for a sampler.
func (p *Program) block(name string, spec *ImageSpec, texels *simt.Region) (*simt.Region, error) {
	s, err := spec.sampler()
	if err != nil {
		return nil, err
	}
	r, err := p.Memory.Alloc(name, texel.BlockBytes, simt.PermRead)
	if err != nil {
		return nil, err
	}
	at := r.Data
	if texels != nil {
		m, err := spec.image()
		if err != nil {
			return nil, err
		}
		m.Address = texels.Base
		p.Buffers[len(p.Buffers)-1].Image = &m
		m.Write(at)
		at = at[texel.SamplerAt:]
	}
	s.Write(at)
	return r, nil
}

// schema are the fields of an image or a sampler in a launch file.
func (s *ImageSpec) schema() schema {
	return schema{"format": stringTo(&s.Format), "levels": numberTo(&s.Levels),
		"layers": numberTo(&s.Layers), "samples": numberTo(&s.Samples),
		"cube": boolTo(&s.Cube), "filter": stringTo(&s.Filter), "address": stringTo(&s.Address),
		unnormalized: boolTo(&s.Unnormalized)}
}

// contents makes the buffer that an image's texels are.
func (b *BindingSpec) contents(typ, init string, f File) (err error) {
	if b.Kind == samplerBinding {
		_, err = b.Image.sampler()
		return err
	}
	m, err := b.Image.image()
	if err != nil {
		return err
	}
	if _, err = b.Image.sampler(); err != nil {
		return err
	}
	b.Buffer, err = texels(&m, typ, init, f.beside)
	return err
}

// texels makes the buffer that an image's texels are, of a type, or of that of the format's numbers.
func texels(m *texel.Image, typ, init string, beside func(string) File) (BufferSpec, error) {
	if typ == "" {
		typ = numbersOf(m.Format)
	}
	t := elementTypes[typ]
	if t == nil {
		return BufferSpec{}, fmt.Errorf("unknown type %q; the types are %s", typ, elementTypeNames)
	}
	n := m.Bytes() / uint64(t.size)
	return makeBuffer(typ, &n, init, beside)
}

// numbersOf is the type of the numbers that texels of a format are in memory: bytes, of those that are
// packed.
func numbersOf(f *texel.Format) string {
	bits := f.ChannelBits()
	if f.Channels()*bits != 8*f.Size {
		return "u8"
	}
	letter := "u"
	switch f.Numeric {
	case texel.Float:
		letter = "f"
	case texel.Sint, texel.Snorm, texel.Sscaled:
		letter = "i"
	}
	if name := fmt.Sprint(letter, bits); elementTypes[name] != nil {
		return name
	}
	return "u8"
}

// parseImage reads the syntax of flags for an image, "r8_unorm[16x16]:linear:repeat=file:a.bin", of which the
// words between colons and the contents may be left out; also "linear:repeat" for a sampler alone.
func parseImage(text string, sampler bool) (s *ImageSpec, b BufferSpec, err error) {
	s = &ImageSpec{}
	shape, init, has := strings.Cut(text, "=")
	if !has {
		init = "zero"
	}
	words := strings.Split(shape, ":")
	if !sampler {
		format, size, open := strings.Cut(words[0], "[")
		size, closed := strings.CutSuffix(size, "]")
		if !open || !closed {
			return s, b, fmt.Errorf("want FORMAT[WIDTHxHEIGHT], as in r8g8b8a8_unorm[16x16]=file:a.bin")
		}
		s.Format, words = format, words[1:]
		for _, side := range strings.Split(size, "x") {
			n, err := parseCount(side)
			if err != nil {
				return s, b, err
			}
			s.Size = append(s.Size, n)
		}
	}
	for _, w := range words {
		switch {
		case w == "nearest", w == "linear":
			s.Filter = w
		case slices.Contains(addressModes, w):
			s.Address = w
		case w == unnormalized:
			s.Unnormalized = true
		case w == "cube" && !sampler:
			s.Cube = true
		case w == "" && sampler:
		default:
			return s, b,
				fmt.Errorf("%q says nothing of an image; the words are nearest, linear, cube, %s, %s", w,
					strings.Join(addressModes, ", "), unnormalized)
		}
	}
	if sampler {
		_, err = s.sampler()
		return s, b, err
	}
	m, err := s.image()
	if err != nil {
		return s, b, err
	}
	b, err = texels(&m, "", init, hostFile)
	return s, b, err
}

// members are the fields of the schema that say something, and the size.
func (s *ImageSpec) members() (all members) {
	var size []any
	for _, n := range s.Size {
		size = append(size, n)
	}
	all.set(s.Format != "", "format", s.Format)
	all.set(size != nil, "size", size)
	all.set(s.Levels != 0, "levels", s.Levels)
	all.set(s.Layers != 0, "layers", s.Layers)
	all.set(s.Samples != 0, "samples", s.Samples)
	all.set(s.Cube, "cube", s.Cube)
	all.set(s.Filter != "", "filter", s.Filter)
	all.set(s.Address != "", "address", s.Address)
	all.set(s.Unnormalized, unnormalized, s.Unnormalized)
	return all
}

// readImage reads an image that is an argument.
func readImage(v value, f File, a *Arg) error {
	b := BindingSpec{Kind: imageBinding, Image: &ImageSpec{}}
	var typ string
	init := "zero"
	var n *uint64
	fields := b.Image.schema()
	fields["type"], fields["init"], fields["size"] = stringTo(&typ), listOrStringTo(&init), b.Image.sizeFrom
	fields["count"] = countTo(&n) // what packed launches say besides
	if err := v.object(fields); err != nil {
		return err
	}
	if err := b.contents(typ, init, f); err != nil {
		return v.errorf("%w", err)
	}
	a.Image, a.Buffer = b.Image, b.Buffer
	return nil
}

// sizeFrom reads the size.
func (s *ImageSpec) sizeFrom(v value) error {
	const maxDimensions = 3
	return listTo(maxDimensions, func(e value) error {
		var n uint64
		err := numberTo(&n)(e)
		s.Size = append(s.Size, n)
		return err
	})(v)
}
