package amdgpu

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/loader"
	"simtgdb/loader/amdgpu"
	"simtgdb/loader/amdgpu/amdgputest"
	"simtgdb/simt"
	"simtgdb/simt/gcn"
	"simtgdb/stub/arch"
	"simtgdb/stub/printf/host"
)

// A dispatchPacket is hsa_kernel_dispatch_packet_t (HSA Runtime Programmer's Reference Manual).
type dispatchPacket struct {
	Header, Setup     uint16
	Workgroup         [3]uint16
	_                 uint16
	Grid              [3]uint32
	Private, Group    uint32 // sizes of segments
	Object, Arguments uint64
	_                 uint64
	Completion        uint64
}

// implicit are the arguments behind one pointer of version 5 (AMDGPUUsage, "Code Object V5 Metadata").
type implicit struct {
	Out          uint64
	BlockCount   [3]uint32
	GroupSize    [3]uint16
	Remainder    [3]uint16
	_            [16]byte
	GlobalOffset [3]uint64
	GridDims     uint16
	_            [6]byte
	PrintfBuffer uint64
	Hostcall     uint64
	Multigrid    uint64
	Heap         uint64
	DefaultQueue uint64
	Completion   uint64
	DynamicLDS   uint32
	_            [68]byte
	PrivateBase  uint32
	SharedBase   uint32
	Queue        uint64
}

// TestDispatch: a kernel finds in the packet, among its arguments and in the queue what the host launches, as
// the runtime lays it out.
func TestDispatch(t *testing.T) {
	m := amdgputest.Open(t, "../../../testdata/debug/co/returned.O0.co")
	k := &m.Kernels[0]
	native := amdgpu.KernelOf(k)
	native.UniformWorkgroupSize, native.Descriptor.GroupSegmentFixedSize = false, 20
	stack := uint64(5)
	in := &arch.Launch{Module: m, Kernel: k, Memory: simt.NewMemory(), Host: &host.Host{},
		Stack: &stack, LDS: 40,
		Grid: [3]uint32{1000, 7, 9}, Block: [3]uint32{64, 3, 2}, Offset: [3]uint32{11, 12, 13}}
	for i, a := range k.Args {
		in.Params = append(in.Params, arch.Param{Arg: a, Index: i})
	}
	in.Params[0].Given, in.Params[0].PointeeAlign, in.Params[0].Local = arch.GivenLocal, 16, 24
	for _, a := range []loader.Arg{
		{Kind: amdgpu.HiddenDynamicLDSSize, Offset: 128, Size: 4, Hidden: true},
		{Kind: amdgpu.HiddenPrivateBase, Offset: 200, Size: 4, Hidden: true},
		{Kind: amdgpu.HiddenSharedBase, Offset: 204, Size: 4, Hidden: true},
	} {
		in.Params = append(in.Params, arch.Param{Arg: a, Index: -1})
	}
	got, err := Family{}.Launch(in)
	if err != nil {
		t.Fatal(err)
	}
	at := got.ISA.(*gcn.ISA).Launch

	// 3328 bytes of the kernel's own and 5 of the stack, in whole dwords; 20 bytes of LDS, 24 more at
	// the next multiple of 16, and 40.
	const private, group, local = 3336, 96, 32
	var packet dispatchPacket
	read(t, in.Memory, at.Packet, 64, &packet)
	wantPacket := dispatchPacket{Header: 2, Setup: 3, Workgroup: [3]uint16{64, 3, 2}, Grid: in.Grid,
		Private: private, Group: group, Object: native.DescriptorAddr, Arguments: at.Kernarg}
	if d := cmp.Diff(wantPacket, packet, cmp.AllowUnexported(dispatchPacket{})); d != "" {
		t.Errorf("packet: -want +got\n%s", d)
	}
	var args implicit
	read(t, in.Memory, at.Kernarg, 320, &args) // 264 bytes, in whole lines of 64
	want := implicit{Out: local, BlockCount: [3]uint32{15, 2, 4}, GroupSize: packet.Workgroup,
		Remainder: [3]uint16{40, 1, 1}, GlobalOffset: [3]uint64{11, 12, 13}, GridDims: 3,
		DynamicLDS: group - 20, PrivateBase: gcn.PrivateBase >> 32, SharedBase: gcn.SharedBase >> 32,
		Queue: at.Queue}
	if d := cmp.Diff(want, args, cmp.AllowUnexported(implicit{})); d != "" {
		t.Errorf("arguments: -want +got\n%s", d)
	}
	var queue struct { // amd_queue_t
		_               [64]byte
		Shared, Private uint32
	}
	read(t, in.Memory, at.Queue, 256, &queue)
	if queue.Shared != gcn.SharedBase>>32 || queue.Private != gcn.PrivateBase>>32 {
		t.Errorf("apertures at %#x and %#x", queue.Shared, queue.Private)
	}
	if d := got.Dispatch; d.Grid != in.Grid || d.Block != in.Block || d.Entry != k.Entry ||
		d.LDSSize != group || d.ScratchSize != private || d.ScratchLimit != private {
		t.Errorf("dispatch %+v", d)
	}
}

// read reads a structure at the beginning of a region of so many bytes.
func read(t *testing.T, memory *simt.Memory, addr uint64, size int, to any) {
	t.Helper()
	r := memory.Find(addr)
	if r == nil || r.Base != addr || len(r.Data) != size {
		t.Fatalf("at %#x is %+v, want %d bytes", addr, r, size)
	}
	if err := binary.Read(bytes.NewReader(r.Data), binary.LittleEndian, to); err != nil {
		t.Fatal(err)
	}
}

// TestLaunchLimits: what a kernel cannot be launched with is refused, and what it just can is not.
func TestLaunchLimits(t *testing.T) {
	const fixed = 3328 // bytes of private memory, of 4 MiB
	for _, c := range []struct {
		name        string
		grid, block uint32
		uniform     bool
		most        uint32 // workgroups
		lds, stack  uint64
		ok          bool
	}{
		{"a part of a workgroup", 100, 64, false, 0, 0, 0, true},
		{"a part of a workgroup, uniform", 100, 64, true, 0, 0, 0, false},
		{"whole workgroups, uniform", 128, 64, true, 0, 0, 0, true},
		{"as many workgroups as allowed", 128, 64, false, 2, 0, 0, true},
		{"one workgroup too many", 129, 64, false, 2, 0, 0, false},
		{"all of the LDS", 64, 64, false, 0, 64 << 10, 0, true},
		{"more than the LDS", 64, 64, false, 0, 64<<10 + 1, 0, false},
		{"LDS beyond 64 bits", 64, 64, false, 0, ^uint64(0), 0, false},
		{"all private memory", 64, 64, false, 0, 0, 4<<20 - fixed, true},
		{"more than private memory", 64, 64, false, 0, 0, 4<<20 - fixed + 1, false},
		{"private memory beyond 64 bits", 64, 64, false, 0, 0, ^uint64(0), false},
	} {
		m := amdgputest.Open(t, "../../../testdata/debug/co/returned.O0.co")
		k := &m.Kernels[0]
		native := amdgpu.KernelOf(k)
		native.UniformWorkgroupSize, native.MaxNumWorkgroups[0] = c.uniform, c.most
		_, err := Family{}.Launch(&arch.Launch{Module: m, Kernel: k, Memory: simt.NewMemory(), LDS: c.lds,
			Stack: &c.stack, Grid: [3]uint32{c.grid, 1, 1}, Block: [3]uint32{c.block, 1, 1}})
		if (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
