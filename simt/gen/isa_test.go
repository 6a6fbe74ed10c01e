package gen

import (
	"strings"
	"testing"

	"simtgdb/simt"
)

// TestKernels: what a kernel cannot want.
func TestKernels(t *testing.T) {
	whole := make([]byte, 127*regBytes)
	indirect := func([3]uint32) uint32 { return 0 }
	for _, c := range []struct {
		k    Kernel
		want string
	}{
		{Kernel{SIMD: 8, Threads: 1, PerThread: 96, CrossThread: whole[96:]}, ""},
		{Kernel{SIMD: 32, Threads: MaxThreads, CrossThread: whole[regBytes:]}, ""},
		{Kernel{SIMD: 16, Threads: 1, CrossThread: whole, Indirect: indirect, Generation: XeHPG}, ""},
		{Kernel{SIMD: 8, Threads: 1, PerThread: 96, CrossThread: whole[95:]}, "4065 bytes of arguments"},
		{Kernel{SIMD: 8, Threads: 1, CrossThread: whole[regBytes-1:]}, "room for 4064"},
		{Kernel{SIMD: 4, Threads: 1}, "threads of 4 channels"},
		{Kernel{SIMD: 8}, "room for 0 threads"},
		{Kernel{SIMD: 8, Threads: MaxThreads + 1}, "room for 513 threads"},
	} {
		if _, err := New(simt.NewMemory(), c.k); err == nil && c.want != "" ||
			err != nil && (c.want == "" || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	mem := simt.NewMemory()
	isa, err := New(mem, Kernel{SIMD: 8, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	one := [3]uint32{8, 1, 1}
	for entry, ok := range map[uint64]bool{1<<32 - 16: true, 1 << 32: false} {
		m, err := simt.New(mem, isa, simt.Dispatch{Grid: one, Block: one, Entry: entry})
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Fill(); (err == nil) != ok {
			t.Errorf("a kernel at %#x: %v", entry, err)
		}
	}
}

// TestDescribed: where instructions go, as iga64 has them, and which are atomic operations on memory that
// all workgroups share, or may be.
func TestDescribed(t *testing.T) {
	a := assembled(t)
	for name, want := range map[string]simt.Inst{
		"add-d":        {Flow: simt.FlowNext},
		"calla":        {Flow: simt.FlowCall, Target: 32},
		"calla-r":      {Flow: simt.FlowCall},
		"call-r":       {Flow: simt.FlowCall},
		"jmpi-r":       {Flow: simt.FlowBranch},
		"ret":          {Flow: simt.FlowReturn},
		"if":           {Flow: simt.FlowBranch, Target: codeBase + 48},
		"while":        {Flow: simt.FlowBranch, Target: codeBase + 32},
		"goto-back":    {Flow: simt.FlowBranch, Target: codeBase + 32},
		"halt":         {Flow: simt.FlowBranch, Target: codeBase + 48},
		"endif":        {Flow: simt.FlowBranch, Target: codeBase + 16},
		"atomic":       {GlobalAtomic: true},
		"write-a0":     {GlobalAtomic: true},
		"read-a0":      {GlobalAtomic: true},
		"slm-atomic":   {},
		"read":         {},
		"write":        {},
		"surface":      {},
		"sampler":      {},
		"scratch-read": {},
	} {
		code, pc := append(decoded(a[name]), make([]byte, 16)...), uint64(codeBase)
		in, err := Gen9.Describe(code, pc)
		if err != nil {
			t.Fatal(name, err)
		}
		want.Text, want.Size = in.Text, in.Size
		if in != want {
			t.Errorf("%s: %+v, want %+v", name, in, want)
		}
	}
}
