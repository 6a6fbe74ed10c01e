package spirv

import (
	"errors"
	"fmt"
	"strings"

	"simtgdb/loader"
	"simtgdb/loader/spirv"
	machine "simtgdb/simt/spirv"
	"simtgdb/stub/arch"
)

// Needs implements arch.Describer: what a shader is to be given.
func (Family) Needs(m *loader.Module, k *loader.Kernel) arch.Needs {
	native := moduleOf(m)
	var n arch.Needs
	if e, _ := k.Native.(*spirv.Entry); e != nil && e.Model == spirv.ModelKernel {
		return n
	}
	seen := map[uint32]bool{}
	for _, c := range native.SpecConstants() {
		if seen[c.SpecID] {
			continue
		}
		seen[c.SpecID] = true
		typ := "bool"
		if c.Type.Kind != spirv.Bool {
			typ = elementName(c.Type)
		}
		n.Constants = append(n.Constants, arch.NeedConstant{ID: c.SpecID, Type: typ, Value: c.Bits})
	}
	if p := native.PushConstant(); p != nil {
		n.Push = pushed(p.Type)
	}
	n.Bindings = neededBindings(native, leastElements)
	return n
}

// leastElements are those that a buffer of any length is given.
const leastElements = 64

// neededBindings are buffers, images and samplers of a module; buffers of any length have so many elements.
func neededBindings(native *spirv.Module, elements uint64) (all []arch.NeedBinding) {
	const mostElements = 16 // of an array of buffers
	for _, b := range native.Bindings() {
		kind := "uniform"
		if b.Storage {
			kind = "storage"
		}
		typ, size := "u8", uint64(1)
		if s := onlyScalar(b.Block, 0); s != nil {
			typ, size = elementName(s), s.Size
		}
		bytes := b.Size + elements*b.Tail
		for e := range max(min(b.Elements, mostElements), 1) {
			all = append(all, arch.NeedBinding{Set: b.Set, Number: b.Binding, Element: uint32(e),
				Kind: kind, Type: typ, Count: (bytes + size - 1) / size})
		}
	}
	for _, b := range native.ImageBindings() {
		for e := range max(min(b.Elements, mostElements), 1) {
			need := imageNeed(&b)
			need.Element = uint32(e)
			all = append(all, need)
		}
	}
	return all
}

// missing adds flags to an error of what is not bound that give the launch all it lacks, the first few of
// them: buffers of any length have an element for each work-item.
func missing(err error, native *spirv.Module, l *arch.Launch, bound map[machine.Slot]machine.Buffer) error {
	const most = 4
	var unbound *machine.UnboundError
	if !errors.As(err, &unbound) {
		return err
	}
	var flags []string
	for _, b := range neededBindings(native, itemsOf(l)) {
		slot := machine.Slot{Set: b.Set, Binding: b.Number, Element: b.Element}
		if _, ok := bound[slot]; !ok && (slot == unbound.Slot || len(flags) < most) {
			flags = append(flags, b.Flag())
		}
	}
	if flags == nil {
		return err
	}
	return fmt.Errorf("%w: give it, as %s", err, strings.Join(flags, " "))
}

// itemsOf is how many elements a buffer of any length is given for a launch.
func itemsOf(l *arch.Launch) uint64 {
	items := uint64(1)
	for _, n := range l.Grid {
		items *= uint64(n)
		if items > mostItems {
			return leastElements
		}
	}
	return max(items, leastElements)
}

const mostItems = 1 << 20

// imageFormats are Vulkan's names for the formats of images, in their order (SPIR-V 1.6, section 3.11;
// Vulkan, "Compatibility Between SPIR-V Image Formats And Vulkan Formats").
var imageFormats = strings.Fields(`
	- r32g32b32a32_sfloat r16g16b16a16_sfloat r32_sfloat r8g8b8a8_unorm r8g8b8a8_snorm r32g32_sfloat
	r16g16_sfloat b10g11r11_ufloat_pack32 r16_sfloat r16g16b16a16_unorm a2b10g10r10_unorm_pack32
	r16g16_unorm r8g8_unorm r16_unorm r8_unorm r16g16b16a16_snorm r16g16_snorm r8g8_snorm r16_snorm
	r8_snorm r32g32b32a32_sint r16g16b16a16_sint r8g8b8a8_sint r32_sint r32g32_sint r16g16_sint
	r8g8_sint r16_sint r8_sint r32g32b32a32_uint r16g16b16a16_uint r8g8b8a8_uint r32_uint
	a2b10g10r10_uint_pack32 r32g32_uint r16g16_uint r8g8_uint r16_uint r8_uint`)

// imageNeed is an image or a sampler that a module wants, of a format that its type allows.
func imageNeed(b *spirv.ImageBinding) arch.NeedBinding {
	n := arch.NeedBinding{Set: b.Set, Number: b.Binding, Kind: "sampler"}
	if b.Sampler {
		return n
	}
	const cube = 3
	n.Kind, n.Cube, n.Layered = "image", b.Dim == cube, b.Arrayed
	// 1D, 2D, 3D, cube, rectangle, buffer.
	n.Dimensions = map[uint32]int{0: 1, 1: 2, 2: 3, cube: 2, 4: 2, 5: 1}[b.Dim]
	switch {
	case b.Format > 0 && int(b.Format) < len(imageFormats):
		n.Format = imageFormats[b.Format]
	case b.Sampled != nil && b.Sampled.Kind == spirv.Int:
		n.Format = "r8g8b8a8_uint"
		if b.Sampled.Signed {
			n.Format = "r8g8b8a8_sint"
		}
	default:
		n.Format = "r8g8b8a8_unorm"
	}
	return n
}

// pushed are the push constants of a block: its members if all are numbers with names, or vectors, matrices
// and arrays of numbers without gaps; or else all its bytes.
func pushed(block *spirv.Type) []arch.NeedValue {
	var all []arch.NeedValue
	for i := range block.Members {
		m := &block.Members[i]
		t := m.Type
		if packed(t) {
			t = t.Elem
		}
		if t.Kind == spirv.Matrix && !m.RowMajor && m.MatrixStride == t.Elem.Size {
			t = t.Elem
		}
		if t.Kind == spirv.Vector {
			t = t.Elem
		}
		if m.Name == "" || t.Kind != spirv.Int && t.Kind != spirv.Float {
			return []arch.NeedValue{{Type: "bytes", Size: block.Size}}
		}
		all = append(all, arch.NeedValue{Name: m.Name, Offset: m.Offset, Type: elementName(t),
			Size: m.Type.Size})
	}
	return all
}

// packed reports whether a type is an array whose elements lie side by side.
func packed(t *spirv.Type) bool {
	return t.Kind == spirv.Array && t.Elem.Size > 0 && t.Stride == t.Elem.Size
}

// elementName is the launch file's name of a scalar type.
func elementName(s *spirv.Type) string {
	kind := "u"
	switch {
	case s.Kind == spirv.Float:
		kind = "f"
	case s.Kind == spirv.Int && s.Signed:
		kind = "i"
	}
	return fmt.Sprintf("%s%d", kind, 8*s.Size)
}

// onlyScalar is the type of all scalars in a type, or nil if they differ.
func onlyScalar(t *spirv.Type, depth int) *spirv.Type {
	const deepest = 16
	switch {
	case t == nil || depth > deepest:
		return nil
	case t.Kind == spirv.Int || t.Kind == spirv.Float:
		return t
	case t.Kind != spirv.Struct:
		return onlyScalar(t.Elem, depth+1)
	}
	var one *spirv.Type
	for i := range t.Members {
		s := onlyScalar(t.Members[i].Type, depth+1)
		if s == nil || one != nil && s != one {
			return nil
		}
		one = s
	}
	return one
}
