package amdgpu

import (
	"bytes"
	"encoding/binary"
	"testing"

	"simtgdb/loader"
	"simtgdb/loader/amdgpu/amdgputest"
	"simtgdb/simt"
	"simtgdb/simt/gcn"
	"simtgdb/simt/texel"
	"simtgdb/stub/arch"
)

// TestDescribedImages: what an argument of an image is lies where the functions of the device libraries look
// for it (amd_image.h): the descriptor of the image, type and order of channels and the width in words 8 to
// 10, the sampler's descriptor at 48, and debuggers' block behind it. HSA's numbers are those of
// hsa_ext_image.h.
func TestDescribedImages(t *testing.T) {
	m := amdgputest.Open(t, "../../../testdata/debug/co/returned.O0.co")
	m.Target.Name = "gfx1030"
	image := texel.NewImage(texel.ByName("r8g8b8a8_unorm"), texel.Plane, [3]int{20, 6, 1}, 1, 1)
	image.Address = 0x10000
	sampler := texel.OpenCL(1, true, true)
	block := make([]byte, texel.BlockBytes)
	image.Write(block)
	sampler.Write(block[texel.SamplerAt:])
	const linearRepeat = 0x20 | 3<<1 | 1 // CLK_FILTER_LINEAR, CLK_ADDRESS_REPEAT, CLK_NORMALIZED_COORDS_TRUE
	address := []byte{0, 0, 0, 0, 1, 0, 0, 0}
	l := &launch{Launch: &arch.Launch{Module: m, Memory: simt.NewMemory(), Params: []arch.Param{
		{Arg: loader.Arg{Kind: loader.Image}, Block: &simt.Region{Data: block}},
		{Arg: loader.Arg{Kind: loader.Sampler}, Value: []byte{linearRepeat, 0, 0, 0, 0, 0, 0, 0}},
		{Arg: loader.Arg{Kind: loader.Sampler}, Value: address}, // of a descriptor that the host has made
	}}}
	if err := l.describeImages(); err != nil {
		t.Fatal(err)
	}
	at := func(i int) []byte {
		r := l.Memory.Find(binary.LittleEndian.Uint64(l.Params[i].Value))
		if r == nil {
			t.Fatalf("argument %d is %v", i, l.Params[i].Value)
		}
		return r.Data
	}
	words, err := gcn.DescribeImage("gfx1030", &image)
	if err != nil {
		t.Fatal(err)
	}
	of := gcn.DescribeSampler("gfx1030", &sampler, 1)
	var want []byte
	for _, w := range append(words[:], 2, 8, 20, 0) { // UNORM_INT8, RGBA
		want = binary.LittleEndian.AppendUint32(want, w)
	}
	for _, w := range of {
		want = binary.LittleEndian.AppendUint32(want, w)
	}
	if got, want := at(0), append(want, block...); !bytes.Equal(got, want) {
		t.Errorf("image:\n% x, want\n% x", got, want)
	}
	repeat, _ := texel.OpenCLSampler(linearRepeat)
	of = gcn.DescribeSampler("gfx1030", &repeat, 1)
	for i, w := range of {
		if got := binary.LittleEndian.Uint32(at(1)[4*i:]); got != w {
			t.Errorf("word %d of the sampler is %#x, want %#x", i, got, w)
		}
	}
	if !bytes.Equal(l.Params[2].Value, address) {
		t.Errorf("a descriptor's address has become %v", l.Params[2].Value)
	}
}

// TestHSAChannels: the orders and types of channels of OpenCL (cl.h) as HSA numbers them (hsa_ext_image.h).
func TestHSAChannels(t *testing.T) {
	for order, want := range map[int]uint32{
		0x10b0: 1, 0x10b1: 0, 0x10b2: 3, 0x10b3: 5, 0x10b4: 6, 0x10b5: 8, // R, A, RG, RA, RGB, RGBA
		0x10b6: 9, 0x10b7: 10, 0x10b8: 16, 0x10b9: 17, // BGRA, ARGB, INTENSITY, LUMINANCE
		0x10ba: 2, 0x10bb: 4, 0x10bc: 7, 0x10bd: 18, 0x10be: 19, // Rx, RGx, RGBx, DEPTH, DEPTH_STENCIL
		0x10bf: 12, 0x10c0: 13, 0x10c1: 14, 0x10c2: 15, 0x10c3: 11, // sRGB, sRGBx, sRGBA, sBGRA, ABGR
		0x10af: 0, 0x10c4: 0, // none
	} {
		if got := hsaOrder(order); got != want {
			t.Errorf("order %#x is %d, want %d", order, got, want)
		}
	}
	for kind, want := range map[int]uint32{
		0x10d0: 0, 0x10d1: 1, 0x10d2: 2, 0x10d3: 3, // SNORM_INT8 and 16, UNORM_INT8 and 16
		0x10d4: 6, 0x10d5: 5, 0x10d6: 7, // UNORM_SHORT_565 and 555, UNORM_INT_101010
		0x10d7: 8, 0x10d8: 9, 0x10d9: 10, 0x10da: 11, 0x10db: 12, 0x10dc: 13, // SIGNED_INT8 to UNSIGNED_INT32
		0x10dd: 14, 0x10de: 15, // HALF_FLOAT, FLOAT
		0x10cf: 0,
	} {
		if got := hsaType(kind); got != want {
			t.Errorf("type %#x is %d, want %d", kind, got, want)
		}
	}
}
