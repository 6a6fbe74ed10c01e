package texel

import (
	"encoding/binary"
	"strings"
	"testing"
)

// described is a description as the client library writes it.
func described(order, typ uint32, size [3]int32, layers int32, row, slice uint64) []byte {
	b := binary.LittleEndian.AppendUint64(nil, 0x1000)
	for _, v := range []uint32{order, typ, uint32(size[0]), uint32(size[1]), uint32(size[2]), uint32(layers)} {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	b = binary.LittleEndian.AppendUint64(b, row)
	b = binary.LittleEndian.AppendUint64(b, slice)
	return append(b, make([]byte, OpenCLBytes-len(b))...)
}

// TestReadOpenCL reads images of each shape and kind of format, and refuses what is none.
func TestReadOpenCL(t *testing.T) {
	const (
		r, rg, rgba, bgra, argb    = 0x10b0, 0x10b2, 0x10b5, 0x10b6, 0x10b7
		unorm8, p565, uint32s, f32 = 0x10d2, 0x10d4, 0x10dc, 0x10de
	)
	for _, c := range []struct {
		b      []byte
		format string
		shape  Shape
		size   [3]int
		layers int
	}{
		{described(r, f32, [3]int32{5, 4, 1}, 1, 48, 192), "r32_sfloat", Plane, [3]int{5, 4, 1}, 1},
		{described(rg, uint32s, [3]int32{5, 1, 1}, 1, 40, 40), "r32g32_uint", Line, [3]int{5, 1, 1}, 1},
		{described(bgra, unorm8, [3]int32{5, 4, 3}, 1, 20, 80), "b8g8r8a8_unorm", Volume, [3]int{5, 4, 3}, 1},
		{described(rgba, unorm8, [3]int32{5, 4, 1}, 3, 20, 80), "r8g8b8a8_unorm", Plane, [3]int{5, 4, 1}, 3},
		{described(r, unorm8, [3]int32{5, 1, 1}, 3, 16, 16), "r8_unorm", Plane, [3]int{5, 3, 1}, 1},
		{described(0x10b4, p565, [3]int32{5, 4, 1}, 1, 10, 40), "r5g6b5_unorm_pack16", Plane, [3]int{5, 4, 1}, 1},
	} {
		m, err := ReadOpenCL(c.b)
		if err != nil || m.Format.Name != c.format || m.Shape != c.shape || m.Size != c.size || m.Layers != c.layers ||
			m.Address != 0x1000 {
			t.Errorf("%+v, %v; want %+v", m, err, c)
		}
	}
	for want, b := range map[string][]byte{
		"order 0x10b7":                      described(argb, unorm8, [3]int32{5, 4, 1}, 1, 20, 80),
		"0 as width":                        described(r, unorm8, [3]int32{0, 4, 1}, 1, 20, 80),
		"-1 as height":                      described(r, unorm8, [3]int32{4, -1, 1}, 1, 20, 80),
		"rows of 5 bytes are 4 bytes apart": described(r, unorm8, [3]int32{5, 4, 1}, 1, 4, 16),
		"slices of 80 bytes that are 96":    described(rgba, unorm8, [3]int32{5, 4, 3}, 1, 20, 96),
		"description of 20 bytes":           make([]byte, 20),
	} {
		if m, err := ReadOpenCL(b); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v, %v; want %q", m, err, want)
		}
	}
}
