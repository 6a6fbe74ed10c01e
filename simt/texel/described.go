package texel

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// What functions of OpenCL C over memory read of an image (images.cl of package openclc) lies DescriptionAt
// bytes behind the image's block.
const (
	DescriptionAt    = 128
	descriptionBytes = 56
	outsideAt        = 52 // two bytes, which are loaded to tell of texels outside that are read and written
)

// Told are the addresses whose loads say what a kernel does outside of the image whose description for
// functions of OpenCL C lies at an address, by b, what lies there from its block on; nil if that is none.
func Told(description uint64, b []byte) map[uint64]string {
	if len(b) < DescriptionAt+descriptionBytes {
		return nil
	}
	m, err := ReadImage(b)
	le, at := binary.LittleEndian, b[DescriptionAt:]
	if err != nil || le.Uint64(at) != m.Address || le.Uint32(at[16:]) != uint32(m.Size[0]) {
		return nil
	}
	return map[uint64]string{description + outsideAt: "reads a texel outside of its image",
		description + outsideAt + 1: "writes a texel outside of its image"}
}

// Described is the block of an image with what such functions read.
func (m *Image) Described() ([]byte, error) {
	order, kind := m.OpenCL()
	switch {
	case kind == 0:
		return nil, fmt.Errorf("OpenCL C has no images of format %s", m.Format)
	case m.Levels > 1 || m.Samples > 1 || m.Shape == Cube || m.Shape == Volume && m.Layers > 1:
		return nil, errors.New("functions over memory, by which OpenCL C reads images here, know no " +
			"levels, no samples and no cubes")
	}
	size := [3]int{m.Size[0], m.Size[1], m.Size[2]}
	row, slice := m.RowBytes(0), m.SliceBytes(0)
	switch m.Shape { // the layers of lines are rows, and those of planes are slices
	case Line:
		size[1], row = m.Layers, slice
		slice *= uint64(m.Layers)
	case Plane:
		size[2] = m.Layers
	}
	b := make([]byte, DescriptionAt+descriptionBytes)
	m.Write(b)
	le, at := binary.LittleEndian, b[DescriptionAt:]
	le.PutUint64(at, m.Address)
	for i, v := range []int{order, kind, size[0], size[1], size[2], m.Layers} {
		le.PutUint32(at[8+4*i:], uint32(v))
	}
	le.PutUint64(at[32:], row)
	le.PutUint64(at[40:], slice)
	le.PutUint32(at[48:], uint32(m.Format.Size))
	return b, nil
}
