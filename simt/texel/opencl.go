package texel

import (
	"encoding/binary"
	"fmt"
)

// OpenCLBytes is the size of the description that kernels of OpenCL C get of an image where it is read by functions over
// memory: the address of the texels, the order and the type of their channels by OpenCL's numbers, width, height, depth,
// layers, bytes of a row and of a slice, bytes of a texel.
const OpenCLBytes = 56

// Orders of channels (cl.h, CL_R and on), as Vulkan's formats spell those in memory. What one component alone means to a
// kernel, such as CL_A and CL_LUMINANCE, is the same in memory.
var openCLOrders = map[uint32]string{0x10b0: "r", 0x10b1: "r", 0x10b2: "rg", 0x10b3: "rg", 0x10b5: "rgba", 0x10b6: "bgra",
	0x10b8: "r", 0x10b9: "r", 0x10bd: "r"}

// Types of channels (cl.h, CL_SNORM_INT8 and on): bits, and how they are numbers.
var openCLTypes = map[uint32]struct {
	bits int
	kind string
}{0x10d0: {8, "snorm"}, 0x10d1: {16, "snorm"}, 0x10d2: {8, "unorm"}, 0x10d3: {16, "unorm"}, 0x10d7: {8, "sint"},
	0x10d8: {16, "sint"}, 0x10d9: {32, "sint"}, 0x10da: {8, "uint"}, 0x10db: {16, "uint"}, 0x10dc: {32, "uint"},
	0x10dd: {16, "sfloat"}, 0x10de: {32, "sfloat"}}

// packedOpenCL are the formats of CL_RGB with the packed types.
var packedOpenCL = map[uint32]string{0x10d4: "r5g6b5_unorm_pack16", 0x10d5: "a1r5g5b5_unorm_pack16",
	0x10d6: "a2r10g10b10_unorm_pack32"}

// ReadOpenCL reads such a description.
func ReadOpenCL(b []byte) (Image, error) {
	if len(b) < OpenCLBytes {
		return Image{}, fmt.Errorf("an image's description of %d bytes, %d are needed", len(b), OpenCLBytes)
	}
	word := func(at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }
	order, typ := word(8), word(12)
	name := packedOpenCL[typ]
	if letters, t := openCLOrders[order], openCLTypes[typ]; letters != "" && t.bits > 0 {
		name = ""
		for _, c := range letters {
			name += fmt.Sprintf("%c%d", c, t.bits)
		}
		name += "_" + t.kind
	}
	f := ByName(name)
	if f == nil {
		return Image{}, fmt.Errorf("an image of order %#x and type %#x, which is not shown", order, typ)
	}
	size, layers := [3]int{int(int32(word(16))), int(int32(word(20))), int(int32(word(24)))}, int(int32(word(28)))
	row, slice := binary.LittleEndian.Uint64(b[32:]), binary.LittleEndian.Uint64(b[40:])
	shape := Plane
	switch {
	case size[1] == 1 && layers > 1: // the layers of lines are rows
		size[1], layers = layers, 1
	case size[2] > 1:
		shape = Volume
	case size[1] == 1:
		shape = Line
	}
	m := NewImage(f, shape, size, 1, layers)
	m.Pitch, m.Address = row, binary.LittleEndian.Uint64(b)
	if shape == Line {
		m.Pitch = 0
	}
	if err := m.Check(); err != nil {
		return m, err
	}
	if (size[2] > 1 || layers > 1) && slice != m.SliceBytes(0) {
		return m, fmt.Errorf("an image with slices of %d bytes that are %d bytes apart, which is not shown", m.SliceBytes(0), slice)
	}
	return m, nil
}
