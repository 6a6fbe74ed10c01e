package intelgt

import (
	"encoding/binary"
	"fmt"
	"slices"

	"simtgdb/loader/zebin"
	"simtgdb/simt/gen"
	"simtgdb/simt/texel"
	"simtgdb/stub/arch"
)

// Images and samplers of a launch. What is given for an image is the address of a block of package texel; for
// a sampler the number that OpenCL C has for it, or such an address.

// bindImages makes images of the binding table's entries, and of the states whose places kernels are given.
func (l *launch) bindImages() error {
	l.start.Images = map[uint32]*texel.Image{}
	for i := range l.kernel.Args {
		a := &l.kernel.Args[i]
		if a.Space != zebin.SpaceImage || a.Type != zebin.ArgPointer {
			continue
		}
		if l.Module.Target.Name == gen.XeHPC.Name {
			return fmt.Errorf("argument %d is an image: %s has none, and compilers leave out what reads them",
				a.Index, l.Module.Target.Name)
		}
		m, block, err := l.imageOf(a)
		if err != nil {
			return err
		}
		q, _ := l.param(a)
		l.start.Images[stateOf(a.Index)] = m
		for _, b := range l.kernel.Bindings {
			if b.Index == a.Index {
				l.start.Images[uint32(b.Entry)] = m
			}
		}
		l.images = append(l.images, arch.Image{Name: q.Name, Number: uint32(a.Index), Block: block,
			Argument: true})
	}
	return nil
}

// imageOf is the image that an argument is given, and where its block is.
func (l *launch) imageOf(a *zebin.Arg) (*texel.Image, uint64, error) {
	block, err := l.given(a)
	if err != nil {
		return nil, 0, err
	}
	m, err := texel.ReadImage(l.block(block, texel.ImageBytes))
	if err != nil {
		return nil, 0, fmt.Errorf("argument %d is an image: want the address of its block: %w", a.Index, err)
	}
	return &m, block, nil
}

// given is the number that an argument is given.
func (l *launch) given(a *zebin.Arg) (uint64, error) {
	q, err := l.param(a)
	if err != nil {
		return 0, err
	}
	var word [8]byte
	copy(word[:], q.Value)
	return binary.LittleEndian.Uint64(word[:]), nil
}

// block is a block in memory, nil if none is there.
func (l *launch) block(addr, size uint64) []byte {
	r := l.Memory.Find(addr)
	if r == nil || !r.Holds(addr, size) {
		return nil
	}
	return r.Data[addr-r.Base:][:size]
}

// bindSamplers makes samplers of the kernel's arguments and of those that its source has.
func (l *launch) bindSamplers() error {
	l.start.Samplers = map[uint32]*texel.Sampler{}
	for i := range l.kernel.Args {
		a := &l.kernel.Args[i]
		if a.Space != zebin.SpaceSampler || a.Type != zebin.ArgPointer {
			continue
		}
		s, err := l.samplerOf(a)
		if err != nil {
			return err
		}
		l.start.Samplers[uint32(a.Sampler)] = s
		l.start.Samplers[stateOf(a.Index)] = s
	}
	for _, inline := range l.kernel.Samplers {
		s, err := inlineSampler(inline)
		if err != nil {
			return err
		}
		l.start.Samplers[uint32(inline.Index)] = s
	}
	return nil
}

// samplerOf is the sampler that an argument is given.
func (l *launch) samplerOf(a *zebin.Arg) (*texel.Sampler, error) {
	v, err := l.given(a)
	if err != nil {
		return nil, err
	}
	if s, ok := texel.OpenCLSampler(v); ok {
		return &s, nil
	}
	s, err := texel.ReadSampler(l.block(v, texel.SamplerBytes))
	if err != nil {
		return nil, fmt.Errorf("argument %d is a sampler: want what OpenCL C has for one, such as 0x12, or "+
			"the address of its block: %w", a.Index, err)
	}
	return &s, nil
}

// inlineModes are the names of address modes in the order of OpenCL C.
var inlineModes = []string{"none", "clamp_edge", "clamp_border", "repeat", "mirror"}

func inlineSampler(s zebin.Sampler) (*texel.Sampler, error) {
	mode := slices.Index(inlineModes, s.Address)
	filter := slices.Index([]string{"nearest", "linear"}, s.Filter)
	if mode < 0 || filter < 0 {
		return nil, fmt.Errorf("sampler %d of the kernel has the address mode %q and the filter %q, which "+
			"are not known",
			s.Index, s.Address, s.Filter)
	}
	out := texel.OpenCL(mode, filter == 1, s.Normalized)
	return &out, nil
}

// ofImage writes a property of an image.
func ofImage(f func(m *texel.Image) uint64) writer {
	return func(l *launch, a *zebin.Arg, p []byte) error {
		m := l.start.Images[stateOf(a.Index)]
		if m == nil {
			return fmt.Errorf("argument %d is no image", a.Index)
		}
		return put(p, f(m))
	}
}

// ofSampler writes a property of a sampler.
func ofSampler(f func(s *texel.Sampler) uint64) writer {
	return func(l *launch, a *zebin.Arg, p []byte) error {
		s := l.start.Samplers[stateOf(a.Index)]
		if s == nil {
			return fmt.Errorf("argument %d is no sampler", a.Index)
		}
		return put(p, f(s))
	}
}

// What Intel's runtime gives of a sampler: its address mode, whether coordinates are normalized, and whether
// the code is to keep those that are a little below 0 from being rounded into the image.

func addressOf(s *texel.Sampler) uint64 {
	return [...]uint64{texel.Repeat: 3, texel.MirroredRepeat: 4, texel.ClampToEdge: 2, texel.ClampToBorder: 1,
		texel.MirrorClampToEdge: 4}[s.Modes[0]]
}

func normalizedOf(s *texel.Sampler) uint64 {
	if s.Unnormalized {
		return 0
	}
	return 8
}

func snapOf(s *texel.Sampler) uint64 {
	if s.Modes[0] == texel.ClampToBorder && s.Mag == texel.Nearest {
		return 0xffff_ffff
	}
	return 0
}

// ImageBlocks implements arch.Blocked.
func (Family) ImageBlocks() {}

// Images implements arch.Imager.
func (a *Arch) Images() []arch.Image { return a.images }
