package arch

import (
	"fmt"
	"strings"

	"simtgdb/loader"
)

// A Describer is a Family that knows what a kernel wants besides arguments.
type Describer interface {
	Needs(m *loader.Module, k *loader.Kernel) Needs
}

// Needs are what a kernel wants besides arguments. Types are those of launch files ("f32"), or "bytes".
type Needs struct {
	Constants []NeedConstant
	Push      []NeedValue // one after the other
	Bindings  []NeedBinding
}

// A NeedConstant is a specialisation constant.
type NeedConstant struct {
	ID    uint32
	Type  string
	Value uint64 // the bits it has by itself
}

// A NeedValue is a value of a type, or a vector of such; Size is in bytes.
type NeedValue struct {
	Name   string // "" if it has none
	Offset uint64
	Type   string
	Size   uint64
}

// A NeedBinding is a buffer, an image or a sampler.
type NeedBinding struct {
	Set, Number, Element uint32
	Kind                 string // as Binding has it
	Type                 string // of the elements
	Count                uint64 // 0 if the kernel takes any

	// Of images: a format by Vulkan's name, of how many dimensions, and whether it is a cube or has layers.
	Format        string
	Dimensions    int
	Cube, Layered bool
}

// Side is how many texels a side of an image has that is made up.
const Side = 16

// Flag is the flag that gives a launch what is needed, holding zeros.
func (b NeedBinding) Flag() string {
	label := fmt.Sprintf("--binding %d.%d", b.Set, b.Number)
	if b.Element > 0 {
		label += fmt.Sprintf("[%d]", b.Element)
	}
	switch b.Kind {
	case "sampler":
		return label + "=sampler:nearest"
	case "image":
		size := strings.TrimSuffix(strings.Repeat(fmt.Sprint(Side, "x"), max(b.Dimensions, 1)), "x")
		text := fmt.Sprintf("%s=image:%s[%s]", label, b.Format, size)
		if b.Cube {
			text += ":cube"
		}
		return text + "=zero"
	case "uniform":
		label += "=uniform:"
	default:
		label += "="
	}
	return fmt.Sprintf("%s%s[%d]=zero", label, b.Type, b.Count)
}
