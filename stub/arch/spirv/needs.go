package spirv

import (
	"fmt"

	"simtgdb/loader"
	"simtgdb/loader/spirv"
	"simtgdb/stub/arch"
)

// maxElements bounds the elements of an array of buffers that are listed.
const maxElements = 16

// Needs implements arch.Describer.
func (Family) Needs(m *loader.Module, _ *loader.Kernel) arch.Needs {
	native := moduleOf(m)
	var n arch.Needs
	for _, c := range native.SpecConstants() {
		if t := scalarType(c.Type); t != "" {
			n.Constants = append(n.Constants, arch.NeedConstant{ID: c.SpecID, Type: t, Value: c.Bits})
		}
	}
	if p := native.PushConstant(); p != nil {
		n.Push = values(p.Type)
	}
	for _, b := range native.Bindings() {
		need := arch.NeedBinding{Set: b.Set, Number: b.Binding, Kind: "uniform", Type: "u8", Count: b.Size}
		if b.Storage {
			need.Kind = "storage"
		}
		if t := scalarIn(b.Block, 0); t != nil && t.Size > 0 && b.Size%t.Size == 0 {
			need.Type, need.Count = scalarType(t), b.Size/t.Size
		}
		if b.Tail > 0 {
			need.Count = 0
		}
		for i := range min(max(b.Elements, 1), maxElements) {
			need.Element = uint32(i)
			n.Bindings = append(n.Bindings, need)
		}
	}
	return n
}

// scalarType is the launch files' name of a scalar type, "" for any other.
func scalarType(t *spirv.Type) string {
	switch {
	case t.Kind == spirv.Bool:
		return "bool"
	case t.Kind == spirv.Float:
		return fmt.Sprintf("f%d", t.Bits)
	case t.Kind == spirv.Int && t.Signed:
		return fmt.Sprintf("i%d", t.Bits)
	case t.Kind == spirv.Int:
		return fmt.Sprintf("u%d", t.Bits)
	}
	return ""
}

// maxDepth bounds how deep types lie in each other.
const maxDepth = 32

// scalarIn is the first number in a type, nil if there is none.
func scalarIn(t *spirv.Type, depth int) *spirv.Type {
	switch {
	case t == nil || depth > maxDepth:
		return nil
	case t.Kind == spirv.Int || t.Kind == spirv.Float:
		return t
	case t.Kind == spirv.Struct && len(t.Members) > 0:
		// What a block ends with is most of it.
		return scalarIn(t.Members[len(t.Members)-1].Type, depth+1)
	case t.Kind == spirv.Pointer:
		return nil
	}
	return scalarIn(t.Elem, depth+1)
}

// values are those that a block of push constants is made of, with what is between them.
func values(t *spirv.Type) []arch.NeedValue {
	var out []arch.NeedValue
	at := uint64(0)
	for _, m := range t.Members {
		if m.Offset > at {
			out = append(out, arch.NeedValue{Type: "bytes", Size: m.Offset - at})
		}
		element, n := m.Type, uint64(1)
		if element.Kind == spirv.Vector {
			element, n = element.Elem, element.Len
		}
		if name := scalarType(element); name != "" && name != "bool" {
			for range n {
				out = append(out, arch.NeedValue{Type: name, Size: element.Size})
			}
		} else {
			out = append(out, arch.NeedValue{Type: "bytes", Size: m.Type.Size})
		}
		at = m.Offset + m.Type.Size
	}
	if t.Size > at {
		out = append(out, arch.NeedValue{Type: "bytes", Size: t.Size - at})
	}
	return out
}
