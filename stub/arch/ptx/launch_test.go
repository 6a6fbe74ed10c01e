package ptx

import (
	"encoding/binary"
	"testing"

	"simtgdb/loader"
	"simtgdb/simt"
	"simtgdb/stub/arch"
	"simtgdb/stub/printf/host"
)

const launched = `.version 8.0
.target sm_90
.address_size 64
.shared .align 4 .b8 own[20];
.visible .entry free(.param .u64 near, .param .u64 further, .param .u64 far, .param .u32 n)
{
	.local .align 8 .b8 depot[40];
	st.shared.u32 [own], 0;
	ret;
}
.visible .entry pairs() .reqnctapercluster 2, 1, 1
{
	ret;
}
`

// launchOf opens the text for tests of launches, and makes a launch of one of its kernels.
func launchOf(t *testing.T, kernel string) *arch.Launch {
	t.Helper()
	m, err := Family{}.Open([]byte(launched), loader.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range m.Kernels {
		if k := &m.Kernels[i]; k.Name == kernel {
			if k, err = (Family{}).Kernel(m, k, nil); err != nil {
				t.Fatal(err)
			}
			return &arch.Launch{Module: m, Kernel: k, Memory: simt.NewMemory(), Host: &host.Host{},
				Grid: [3]uint32{64, 1, 1}, Block: [3]uint32{32, 1, 1}}
		}
	}
	t.Fatalf("no kernel %s", kernel)
	return nil
}

// TestLaunchedArguments: arguments lie where the kernel's parameters do; shared memory that is one lies
// behind the module's own, each at a multiple of 16, as hardware aligns it, and behind it what the launch
// adds.
func TestLaunchedArguments(t *testing.T) {
	l := launchOf(t, "free")
	for i, a := range l.Kernel.Args {
		l.Params = append(l.Params, arch.Param{Arg: a, Index: i})
	}
	l.Params[0].Given, l.Params[0].Local = arch.GivenLocal, 8
	l.Params[1].Given, l.Params[1].Local = arch.GivenLocal, 12
	l.Params[2].Given, l.Params[2].Buffer = arch.GivenBuffer, &simt.Region{Base: 0x123400}
	l.Params[3].Value = []byte{7, 0, 0, 0}
	l.LDS = 100
	got, err := Family{}.Launch(l)
	if err != nil {
		t.Fatal(err)
	}
	at, ok := got.Arch.(arch.ArgumentKeeper).ArgumentsAt(got.ISA)
	r := l.Memory.Find(at)
	if !ok || r == nil || len(r.Data) != 64 {
		t.Fatalf("arguments at %#x, %v: %+v", at, ok, r)
	}
	for i, want := range []uint64{32, 48, 0x123400, 7} {
		if got := binary.LittleEndian.Uint64(r.Data[8*i:]); got != want {
			t.Errorf("argument %d is %#x, want %#x", i, got, want)
		}
	}
	if d := got.Dispatch; d.LDSSize != 60+100 || d.ScratchSize != l.Kernel.PrivateSize+arch.DefaultStack ||
		d.ScratchLimit != d.ScratchSize || d.Entry != l.Kernel.Entry || d.Grid != l.Grid ||
		d.Block != l.Block {
		t.Errorf("dispatch %+v", d)
	}
}

// TestLaunchLimits: what compute capability 9.0 does not have is refused, and what it just has is not.
func TestLaunchLimits(t *testing.T) {
	const shared, private = 227 << 10, 4 << 20
	for _, c := range []struct {
		name, kernel      string
		threads           uint32
		lds, stack        uint64
		cluster, clusters [3]uint32 // asked for, and what there are; zeros where it is refused
	}{
		{name: "whole blocks", kernel: "pairs", threads: 64, clusters: [3]uint32{2, 1, 1}},
		{name: "part of a block", kernel: "pairs", threads: 65},
		{name: "the kernel's cluster", kernel: "pairs", threads: 64, cluster: [3]uint32{2, 1, 1},
			clusters: [3]uint32{2, 1, 1}},
		{name: "another cluster", kernel: "pairs", threads: 64, cluster: [3]uint32{1, 1, 1}},
		{name: "a cluster of the launch", kernel: "free", threads: 64, cluster: [3]uint32{1, 2, 1},
			clusters: [3]uint32{1, 2, 1}},
		{name: "all shared memory", kernel: "pairs", threads: 64, lds: shared, clusters: [3]uint32{2, 1, 1}},
		{name: "more than shared memory", kernel: "pairs", threads: 64, lds: shared + 1},
		{name: "shared memory beside the kernel's", kernel: "free", threads: 64, lds: shared - 19,
			cluster: [3]uint32{1, 1, 1}},
		{name: "beyond 64 bits", kernel: "pairs", threads: 64, lds: ^uint64(0)},
		{name: "all private memory", kernel: "pairs", threads: 64, stack: private,
			clusters: [3]uint32{2, 1, 1}},
		{name: "more than private memory", kernel: "pairs", threads: 64, stack: private + 1},
		{name: "private memory beside the kernel's", kernel: "free", threads: 64, stack: private - 39,
			cluster: [3]uint32{1, 1, 1}},
	} {
		l := launchOf(t, c.kernel)
		l.Grid[0], l.LDS, l.Stack, l.Cluster = c.threads, c.lds, &c.stack, c.cluster
		got, err := Family{}.Launch(l)
		if ok := c.clusters != [3]uint32{}; (err == nil) != ok || ok && got.Dispatch.Cluster != c.clusters {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
	}
}

// TestWindows: addresses of shared and of local memory are in their windows of the generic space.
func TestWindows(t *testing.T) {
	var a Arch
	for _, space := range []simt.Space{simt.LDS, simt.Scratch} {
		if got, at, ok := a.Aperture(a.GenericAddress(space, 0x123)); got != space || at != 0x123 || !ok {
			t.Errorf("%v: %#x in %v, %v", space, at, got, ok)
		}
	}
	if got, at, ok := a.Aperture(0x123); got != simt.Global || at != 0x123 || ok {
		t.Errorf("global memory: %#x in %v, %v", at, got, ok)
	}
}
