package spirv

import (
	"fmt"

	"simtgdb/loader"
	"simtgdb/loader/spirv"
	"simtgdb/stub/arch"
)

// Needs implements arch.Describer: what a shader is to be given.
func (Family) Needs(m *loader.Module, k *loader.Kernel) arch.Needs {
	const mostElements, elements = 16, 64
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
			n.Bindings = append(n.Bindings, arch.NeedBinding{Set: b.Set, Number: b.Binding, Element: uint32(e),
				Kind: kind, Type: typ, Count: (bytes + size - 1) / size})
		}
	}
	return n
}

// pushed are the push constants of a block: its members if all are numbers and vectors with names, or all its bytes.
func pushed(block *spirv.Type) []arch.NeedValue {
	var all []arch.NeedValue
	for i := range block.Members {
		m := &block.Members[i]
		t := m.Type
		if t.Kind == spirv.Vector {
			t = t.Elem
		}
		if m.Name == "" || t.Kind != spirv.Int && t.Kind != spirv.Float {
			return []arch.NeedValue{{Type: "bytes", Size: block.Size}}
		}
		all = append(all, arch.NeedValue{Name: m.Name, Offset: m.Offset, Type: elementName(t), Size: m.Type.Size})
	}
	return all
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
