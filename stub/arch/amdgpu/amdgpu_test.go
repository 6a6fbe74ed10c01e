package amdgpu

import (
	"slices"
	"testing"

	"simtgdb/dwarf/expr"
	"simtgdb/loader/amdgpu"
	"simtgdb/loader/amdgpu/amdgputest"
	"simtgdb/simt"
	"simtgdb/simt/gcn"
	"simtgdb/stub/arch"
	"simtgdb/stub/source"
)

// TestPlace: what an address in each address space of AMDGPU's DWARF means (LLVM, "User Guide for AMDGPU
// Backend", section "Address Space Identifier"). Private memory of a wave is swizzled: a dword of each lane
// in turn. An address of the generic space is in the aperture that its high half says.
func TestPlace(t *testing.T) {
	a, w := New("gfx90a"), &simt.Wave{Size: 64}
	const lane = 7
	for _, c := range []struct {
		space, addr uint64
		want        arch.Place
	}{
		{0, 0x1234, arch.Place{Space: simt.Global, Addr: 0x1234}},
		{1, 0x1234, arch.Place{Space: simt.Global, Addr: 0x1234}},
		{1, gcn.SharedBase + 0x10, arch.Place{Space: simt.LDS, Lane: lane, Addr: 0x10}},
		{1, gcn.SharedBase + 0xffffffff, arch.Place{Space: simt.LDS, Lane: lane, Addr: 0xffffffff}},
		{1, gcn.SharedBase - 4, arch.Place{Space: simt.Global, Addr: gcn.SharedBase - 4}},
		{1, gcn.PrivateBase + 0x20, arch.Place{Space: simt.Scratch, Lane: lane, Addr: 0x20}},
		{1, gcn.PrivateBase + 1<<32, arch.Place{Space: simt.Global, Addr: gcn.PrivateBase + 1<<32}},
		{3, 0x40, arch.Place{Space: simt.LDS, Addr: 0x40}},
		{5, 0x40, arch.Place{Space: simt.Scratch, Lane: lane, Addr: 0x40}},
		{6, 2*256 + 3*4 + 1, arch.Place{Space: simt.Scratch, Lane: 3, Addr: 2*4 + 1, Bytes: 3}},
		{6, 0, arch.Place{Space: simt.Scratch, Bytes: 4}},
	} {
		if got, err := a.Place(w, lane, c.space, c.addr); err != nil || got != c.want {
			t.Errorf("space %d, %#x: %+v, %v, want %+v", c.space, c.addr, got, err, c.want)
		}
	}
	if _, err := a.Place(w, lane, 2, 0); err == nil {
		t.Error("there is an address space 2")
	}
	for _, space := range []simt.Space{simt.LDS, simt.Scratch} {
		if got, at, ok := a.Aperture(a.GenericAddress(space, 0x123)); got != space || at != 0x123 || !ok {
			t.Errorf("%v: %#x in %v, %v", space, at, got, ok)
		}
	}
}

// TestFrameOffset: variables of unoptimised code lie at an offset from the frame base, in any of the address
// spaces that DW_OP_lit0 to DW_OP_lit31 can say.
func TestFrameOffset(t *testing.T) {
	d, err := source.Data(amdgputest.Open(t, "../../../testdata/debug/co/returned.O0.co"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name     string
		location []byte
		ok       bool
	}{
		{"private", []byte{expr.OpFbreg, 0x14, expr.OpLit0 + 5, expr.OpSwap, expr.OpXderef}, true},
		{"space 0", []byte{expr.OpFbreg, 0x14, expr.OpLit0, expr.OpSwap, expr.OpXderef}, true},
		{"space 31", []byte{expr.OpFbreg, 0x14, expr.OpLit0 + 31, expr.OpSwap, expr.OpXderef}, true},
		{"before it", []byte{expr.OpFbreg, 0x14, expr.OpLit0 - 1, expr.OpSwap, expr.OpXderef}, false},
		{"behind it", []byte{expr.OpFbreg, 0x14, expr.OpLit0 + 32, expr.OpSwap, expr.OpXderef}, false},
		{"no swap", []byte{expr.OpFbreg, 0x14, expr.OpLit0 + 5, expr.OpDup, expr.OpXderef}, false},
		{"no address", []byte{expr.OpFbreg, 0x14, expr.OpLit0 + 5, expr.OpSwap, expr.OpDup}, false},
		{"more", []byte{expr.OpFbreg, 0x14, expr.OpLit0 + 5, expr.OpSwap, expr.OpXderef, expr.OpDup}, false},
		{"alone", []byte{expr.OpFbreg, 0x14}, false},
	} {
		base, distance, ok := New("gfx90a").FrameOffset(d.Units()[0], c.location)
		if ok != c.ok {
			t.Errorf("%s: %v", c.name, ok)
		} else if want := append([]byte{expr.OpFbreg, 0}, c.location[2:]...); ok &&
			(distance != 0x14 || !slices.Equal(base, want)) {
			t.Errorf("%s: % x and %#x, want % x and 0x14", c.name, base, distance, want)
		}
	}
}

// TestKernelState: how waves start is what the descriptor says (AMDGPUUsage, "compute_pgm_rsrc1" and
// "compute_pgm_rsrc2").
func TestKernelState(t *testing.T) {
	for _, c := range []struct {
		name string
		of   amdgpu.Descriptor
		want gcn.Kernel
	}{
		{"plain", amdgpu.Descriptor{}, gcn.Kernel{WaveSize: 64}},
		{"32 lanes", amdgpu.Descriptor{EnableWavefrontSize32: true}, gcn.Kernel{WaveSize: 32}},
		{"split", amdgpu.Descriptor{TGSplit: true}, gcn.Kernel{WaveSize: 64, Spread: true}},
		{"WGP", amdgpu.Descriptor{WGPMode: true}, gcn.Kernel{WaveSize: 64, Spread: true}},
		{"rounding", amdgpu.Descriptor{Rsrc1: 0xfffa5fff}, gcn.Kernel{WaveSize: 64, Mode: 0xa5}},
		{"clamp", amdgpu.Descriptor{DX10Clamp: true}, gcn.Kernel{WaveSize: 64, Mode: 1 << 8}},
		{"IEEE", amdgpu.Descriptor{IEEEMode: true}, gcn.Kernel{WaveSize: 64, Mode: 1 << 9}},
		{"overflow", amdgpu.Descriptor{FP16Overflow: true}, gcn.Kernel{WaveSize: 64, Mode: 1 << 23}},
		{"exceptions", amdgpu.Descriptor{Rsrc2: 0x55ffffff}, gcn.Kernel{WaveSize: 64, Mode: 0x55 << 12}},
		{"registers", amdgpu.Descriptor{SGPRs: 112, ArchVGPRs: 24, AccVGPRs: 8},
			gcn.Kernel{WaveSize: 64, SGPRs: 102, VGPRs: 24, AGPRs: 8}},
	} {
		if got := kernelState(&c.of); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// TestDetect: code objects are taken, and what may carry them: programs and libraries for the host, and
// bundles; not what only has a beginning in common.
func TestDetect(t *testing.T) {
	elf := func(kind, machine byte) string {
		b := make([]byte, 64)
		copy(b, "\x7fELF\x02\x01\x01")
		b[16], b[18], b[20], b[52] = kind, machine, 1, 64
		return string(b)
	}
	for _, c := range []struct {
		name, data string
		want       bool
	}{
		{"code object", elf(3, 224), true},
		{"relocatable code", elf(1, 224), true},
		{"program", elf(2, 62), true},
		{"library", elf(3, 62), true},
		{"the host's object", elf(1, 62), false},
		{"bundle", "__CLANG_OFFLOAD_BUNDLE__" + string(make([]byte, 64)), true},
		{"SPIR-V", "\x03\x02\x23\x07" + string(make([]byte, 64)), false},
		{"nothing", "", false},
	} {
		if got := (Family{}).Detect([]byte(c.data)); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
