package stub

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"simtgdb/dwarf"
	"simtgdb/dwarf/types"
	"simtgdb/loader"
	"simtgdb/simt/texel"
	"simtgdb/stub/arch"
	"simtgdb/stub/cexpr"
	"simtgdb/stub/laneexpr"
)

// An imageOf is an image of the program: what it is called, and what it is.
type imageOf struct {
	names []string // the first is the one that is shown
	texel.Image
}

// images are the images that the launch has given the kernel: bound to a shader, or arguments that are
// addresses of an image's block.
func (s *Session) images() (all []imageOf) {
	if a, ok := s.arch.(arch.Imager); ok {
		for _, i := range a.Images() {
			m, err := s.imageAt(i.Block)
			if err != nil {
				continue
			}
			number := fmt.Sprintf("%d.%d", i.Set, i.Number)
			if i.Argument {
				number = fmt.Sprint(i.Number)
			}
			if i.Element > 0 {
				number += fmt.Sprintf("[%d]", i.Element)
			}
			names := []string{number}
			if i.Name != "" && i.Element == 0 {
				names = []string{i.Name, number}
			}
			all = append(all, imageOf{names, m})
		}
	}
	keeper, ok := s.arch.(arch.ArgumentKeeper)
	if !ok {
		return all
	}
	base, ok := keeper.ArgumentsAt(s.machine.ISA())
	if !ok {
		return all
	}
	names := s.prog.Source.Parameters(s.prog.Kernel.Entry)
	for i, a := range s.prog.Kernel.ExplicitArgs() {
		var word [8]byte
		if n, err := s.prog.Memory.Read(base+a.Offset, word[:]); a.Size != 8 || err != nil || n < len(word) {
			continue
		}
		m, err := s.imageOfArgument(&a, binary.LittleEndian.Uint64(word[:]))
		if err != nil {
			continue
		}
		label := []string{strconv.Itoa(i)}
		if i < len(names) && names[i] != "" {
			label = []string{names[i], label[0]}
		}
		all = append(all, imageOf{label, m})
	}
	return all
}

// amdBlock is how far behind the descriptors that AMD's processors read the client libraries put the block
// (amd_image.h).
const amdBlock = 64

// imageOfArgument is the image that an argument's value leads to: to its block, to AMD's descriptors, or, for
// kernels of OpenCL C that read images by functions over memory, to what lies behind a block.
func (s *Session) imageOfArgument(a *loader.Arg, v uint64) (texel.Image, error) {
	m, err := s.imageAt(v)
	if err != nil {
		m, err = s.imageAt(v + amdBlock)
	}
	if err != nil && (a.Kind == loader.Image || a.Kind == loader.GlobalBuffer) {
		return s.imageAt(v - texel.DescriptionAt)
	}
	return m, err
}

var errNoImage = errors.New("no image is there")

// imageAt reads the block of an image, whose texels must lie in memory.
func (s *Session) imageAt(block uint64) (texel.Image, error) {
	r := s.prog.Memory.Find(block)
	if r == nil || !r.Holds(block, texel.ImageBytes) {
		return texel.Image{}, errNoImage
	}
	m, err := texel.ReadImage(r.Data[block-r.Base:])
	if err != nil {
		return m, errNoImage
	}
	if t := s.prog.Memory.Find(m.Address); t == nil || !t.Holds(m.Address, m.Bytes()) {
		return m, errNoImage
	}
	return m, nil
}

// imageNamed finds an image by its name or number, or by an expression that gives its block's address in the
// current lane.
func (s *Session) imageNamed(name string) (imageOf, error) {
	known := []string{}
	for _, m := range s.images() {
		for _, n := range m.names {
			if n == name {
				return m, nil
			}
		}
		known = append(known, m.names[0])
	}
	if v, err := s.currentValue(name); err == nil {
		if block, ok := v.number(); ok {
			for _, at := range []uint64{block, block + amdBlock} {
				if m, err := s.imageAt(at); err == nil {
					return imageOf{[]string{name}, m}, nil
				}
			}
		}
	}
	if len(known) == 0 {
		return imageOf{}, fmt.Errorf("%q is no image, and the launch has none; monitor image POINTER "+
			"WIDTHxHEIGHT shows a buffer as one",
			name)
	}
	return imageOf{}, fmt.Errorf("%q is no image; the launch has %s", name, strings.Join(known, ", "))
}

// A laneResult is the value of an expression in a lane.
type laneResult struct {
	cexpr.Value
	env *laneexpr.Env
}

// currentValue is what an expression is in the current lane.
func (s *Session) currentValue(text string) (laneResult, error) {
	w, lane, err := s.view.lane(s.view.current())
	if err != nil {
		return laneResult{}, err
	}
	env := s.laneEnv(w, lane, 0)
	e, err := cexpr.Parse(text, env.Meaning)
	if err != nil {
		return laneResult{}, err
	}
	v, err := e.Eval(env)
	return laneResult{v, env}, err
}

func (r laneResult) number() (uint64, bool) {
	n, ok := r.Int(r.env)
	return uint64(n), ok
}

// bufferAsImage is an image of numbers that lie side by side where an expression points to.
func (s *Session) bufferAsImage(name string, width, height int) (imageOf, error) {
	v, err := s.currentValue(name)
	if err != nil {
		return imageOf{}, err
	}
	t := types.Strip(v.Type)
	at, elem := v.Addr, (*dwarf.DIE)(nil)
	switch {
	case t == nil:
	case types.IsPointer(t):
		at, _ = v.number()
		elem = types.Strip(t.TypeDIE())
	case t.Tag == dwarf.TagArrayType && v.InMemory:
		elem = types.Strip(t.TypeDIE())
	}
	f := formatOf(elem)
	if f == nil {
		return imageOf{}, fmt.Errorf("%s is no pointer to numbers of 8 to 64 bits", name)
	}
	m := texel.NewImage(f, texel.Plane, [3]int{width, height, 1}, 1, 1)
	m.Address = at
	if err := m.Check(); err != nil {
		return imageOf{}, err
	}
	if r := s.prog.Memory.Find(at); r == nil || !r.Holds(at, m.Bytes()) {
		return imageOf{}, fmt.Errorf("%d x %d numbers of %d bytes at %#x are not all in one buffer", width,
			height, f.Size, at)
	}
	return imageOf{[]string{name}, m}, nil
}

// formatOf is the format of texels that are numbers of a base type, nil if there is none.
func formatOf(t *dwarf.DIE) *texel.Format {
	if t == nil || t.Tag != dwarf.TagBaseType {
		return nil
	}
	size, _ := t.Uint(dwarf.AttrByteSize)
	encoding, _ := t.Uint(dwarf.AttrEncoding)
	kind := "uint"
	switch encoding {
	case dwarf.ATEFloat:
		kind = "sfloat"
	case dwarf.ATESigned, dwarf.ATESignedChar:
		kind = "sint"
	}
	return texel.ByName(fmt.Sprintf("r%d_%s", 8*size, kind))
}
