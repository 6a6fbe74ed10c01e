package launch

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"simtgdb/loader/amdgpu"
	"simtgdb/simt"
	"simtgdb/simt/gcn"
	"simtgdb/stub/arch"
)

// object is the file of a test kernel for gfx90a at -O0.
func object(name string) File {
	return File{Path: filepath.Join(kernels, "co", name+".gfx90a.O0.co")}
}

func parseArgs(t *testing.T, texts ...string) []Arg {
	t.Helper()
	var args []Arg
	for _, text := range texts {
		a, err := ParseArg(text)
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, a)
	}
	return args
}

func load(t *testing.T, s *Spec) *Program {
	t.Helper()
	p, err := s.Load()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// read gives memory as words.
func read(t *testing.T, p *Program, addr uint64, into any) {
	t.Helper()
	b := make([]byte, binary.Size(into))
	if _, err := p.Memory.Read(addr, b); err != nil {
		t.Fatal(err)
	}
	if _, err := binary.Decode(b, binary.LittleEndian, into); err != nil {
		t.Fatal(err)
	}
}

// The hidden arguments lie where AMDGPUUsage's table "AMDHSA Code Object V5
// Kernel Argument Metadata Map Additions and Changes" has them behind the
// explicit ones.
func TestKernarg(t *testing.T) {
	p := load(t, &Spec{CodeObject: object("reduce_cl"), Grid: Dims{500, 5, 1}, Block: Dims{128, 2, 1},
		LDS: 16, Args: parseArgs(t, "buf:f32[8]=iota", "buf:f32[4]", "buf:f32[4]", "local:512", "i32:-3")})
	var got struct {
		Buffers     [3]uint64
		Local       uint32
		N           int32
		Blocks      [3]uint32
		Size, Rest  [3]uint16
		_           [16]byte
		Offset      [3]uint64
		Dims        uint16
		_           [6]byte
		Printf      uint64
		Hostcall    uint64
		_           [4]uint64
		DynamicLDS  uint32
		_           [68]byte
		PrivateBase uint32
		SharedBase  uint32
		Queue       uint64
	}
	read(t, p, p.isa().Launch.Kernarg, &got)
	want := got
	for i, b := range p.Buffers {
		want.Buffers[i] = b.Region.Base
	}
	want.Local, want.N = 256, -3 // behind the 256 bytes of the kernel's own
	want.Blocks = [3]uint32{3, 2, 1}
	want.Size, want.Rest = [3]uint16{128, 2, 1}, [3]uint16{116, 1, 0}
	want.Offset, want.Dims, want.Printf, want.Hostcall = [3]uint64{}, 2, 0, 0
	want.DynamicLDS, want.Queue = 528, p.isa().Launch.Queue
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("arguments: -want +got:\n%s", diff)
	}
	if n := p.Machine.Dispatch.LDSSize; n != 256+512+16 {
		t.Errorf("%d bytes of LDS, want 784", n)
	}
	if p.Buffers[0].Name != "argument 0 (input)" ||
		p.Memory.Find(got.Buffers[0]).Name != "argument 0 (input)" {
		t.Errorf("the first buffer is %q", p.Buffers[0].Name)
	}
	var first [3]float32
	read(t, p, got.Buffers[0], &first)
	if first != [3]float32{0, 1, 2} {
		t.Errorf("the first buffer begins with %v", first)
	}
}

// The dispatch packet is hsa_kernel_dispatch_packet_t of the HSA Runtime
// Programmer's Reference Manual, the queue amd_queue_t.
func TestPacketAndQueue(t *testing.T) {
	stack := uint64(100)
	p := load(t, &Spec{CodeObject: object("grid3d"), Grid: Dims{10, 7, 5}, Block: Dims{4, 4, 2},
		Stack: &stack, Args: parseArgs(t, "buf:u16[4200]")})
	type packet struct {
		Header, Setup, SizeX, SizeY, SizeZ, _ uint16
		GridX, GridY, GridZ, Private, Group   uint32
		Object, Kernarg, _, CompletionSignal  uint64
	}
	var got packet
	read(t, p, p.isa().Launch.Packet, &got)
	fixed := p.native().Descriptor.PrivateSegmentFixedSize
	want := packet{Header: 2, Setup: 3, SizeX: 4, SizeY: 4, SizeZ: 2, GridX: 10, GridY: 7, GridZ: 5,
		Private: (fixed + 100 + 3) &^ 3, Object: p.native().DescriptorAddr, Kernarg: p.isa().Launch.Kernarg}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("packet: -want +got:\n%s", diff)
	}
	if d := p.Machine.Dispatch; d.ScratchSize != uint64(want.Private) || d.ScratchLimit != d.ScratchSize {
		t.Errorf("scratch of %d bytes, limit %d, want %d", d.ScratchSize, d.ScratchLimit, want.Private)
	}
	var apertures [2]uint32
	read(t, p, p.isa().Launch.Queue+0x40, &apertures)
	if apertures != [2]uint32{gcn.SharedBase >> 32, gcn.PrivateBase >> 32} {
		t.Errorf("apertures %#x", apertures)
	}
}

// Memory has the module's segments at their own addresses, with their rights,
// and nothing at address 0.
func TestSegments(t *testing.T) {
	p := load(t, &Spec{CodeObject: object("calls"), Grid: Dims{64, 1, 1}, Block: Dims{64, 1, 1},
		Args: parseArgs(t, "buf:f32[600]", "buf:f32[120]", "bytes:000080400000004000002041", "i32:1")})
	if r := p.Memory.Find(0); r != nil {
		t.Errorf("%v is at address 0", r)
	}
	code := p.Memory.Find(p.Kernel.Entry)
	if code == nil || code.Perm != simt.PermRead|simt.PermExec || !strings.Contains(code.Name, ".text") {
		t.Fatalf("the code is in %v", code)
	}
	d := p.Memory.Find(p.native().DescriptorAddr)
	if d == nil || d.Perm != simt.PermRead {
		t.Errorf("the descriptor is in %v", d)
	}
	for _, name := range []string{"kernel arguments", "dispatch packet", "queue descriptor"} {
		found := false
		for _, r := range p.Memory.Regions() {
			if r.Name == name {
				found = true
				if r.Perm != simt.PermRead {
					t.Errorf("%s can be written", name)
				}
			}
		}
		if !found {
			t.Errorf("no region %q", name)
		}
	}
	if !p.isa().FunctionAt(p.Kernel.Entry) || p.isa().FunctionAt(p.Kernel.Entry+4) {
		t.Error("the ISA does not know where functions begin")
	}
}

func TestStack(t *testing.T) {
	size := func(name string, stack *uint64, args ...string) uint64 {
		p := load(t, &Spec{CodeObject: object(name), Grid: Dims{64, 1, 1}, Block: Dims{64, 1, 1},
			Stack: stack, Args: parseArgs(t, args...)})
		return p.Machine.Dispatch.ScratchLimit - uint64(p.native().Descriptor.PrivateSegmentFixedSize)
	}
	none := uint64(0)
	for _, test := range []struct {
		name string
		got  uint64
		want uint64
	}{
		{"a kernel that knows its need", size("private_array", nil, "buf:u32[128]", "buf:i32[256]",
			"i32:128"), 0},
		{"a kernel that recurses", size("recursion", nil, "buf:i32[128]", "i32:128"), arch.DefaultStack},
		{"the same with --stack 0", size("recursion", &none, "buf:i32[128]", "i32:128"), 0},
	} {
		if test.got != test.want {
			t.Errorf("%s: %d bytes beyond the fixed ones, want %d", test.name, test.got, test.want)
		}
	}
}

// vecaddArgs are arguments that fit vecadd.
var vecaddArgs = []string{"buf:f32[64]", "buf:f32[64]", "buf:f32[64]", "i32:64"}

func TestLoadErrors(t *testing.T) {
	const vecaddWants = "; the kernel wants: 0 a: a buffer (const float *), 1 b: a buffer (const float *), " +
		"2 c: a buffer (float *), 3 n: a value of 4 bytes (int)"
	const reduceWants = "; the kernel wants: 0 input: a buffer (const float *), 1 sums: a buffer (float " +
		"*), 2 tops: a buffer (float *), 3 partial: local (float *), 4 n: a value of 4 bytes (int)"
	huge := uint64(1 << 40)
	one := func(name string, change func(*Spec)) *Spec {
		s := &Spec{CodeObject: object(name), Grid: Dims{64, 1, 1}, Block: Dims{64, 1, 1},
			Args: parseArgs(t, vecaddArgs...)}
		change(s)
		return s
	}
	args := func(texts ...string) func(*Spec) { return func(s *Spec) { s.Args = parseArgs(t, texts...) } }
	small := filepath.Join(t.TempDir(), "small.bin")
	if err := os.WriteFile(small, make([]byte, 7), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		spec *Spec
		want string
	}{
		{&Spec{}, "no code object: name a FILE, a source or what a compiler made of it, or give --launch FILE.json, or --demo"},
		{one("missing", func(*Spec) {}), "open " + object("missing").Path + ": no such file or directory"},
		{one("vecadd", func(s *Spec) { s.Kernel = "saxpy" }), object("vecadd").Path +
			`: kernel "saxpy": no such kernel; the file has: vecadd`},
		{one("vecadd", func(s *Spec) { s.Target = "gfx900" }), object("vecadd").Path +
			`: no single code object for target "gfx900"; the file has: amdgcn-amd-amdhsa--gfx90a`},
		{one("vecadd", func(s *Spec) { s.Grid = Dims{} }),
			"kernel vecadd: no grid: give --groups X[,Y[,Z]], the workgroups, or --grid, the work-items in all"},
		{one("vecadd", func(s *Spec) { s.Block = Dims{} }),
			"kernel vecadd: no workgroup size: give --block X[,Y[,Z]], the work-items per workgroup"},
		{one("vecadd", func(s *Spec) { s.Block = Dims{64, 32, 1} }),
			"kernel vecadd: workgroup (64,32,1) has 2048 work-items, the kernel allows 1024"},
		{one("vecadd", func(s *Spec) { s.Block = Dims{1 << 31, 1 << 31, 4} }),
			"kernel vecadd: workgroup (2147483648,2147483648,4) is too large in direction 0"},
		{one("vecadd", func(s *Spec) { s.Stack = &huge }),
			"kernel vecadd: 64 bytes of private memory for a lane and 1099511627776 of --stack; at most 4194304 can be had"},
		{one("vecadd", func(s *Spec) { s.LDS = huge }),
			"kernel vecadd: too much LDS: 0 bytes of the kernel's own and what the launch adds are more than 65536"},
		{one("vecadd", args()), "kernel vecadd: 0 arguments given, 4 wanted" + vecaddWants},
		{one("vecadd", args(vecaddArgs[:3]...)), "kernel vecadd: 3 arguments given, 4 wanted" + vecaddWants},
		{one("vecadd", args("i32:1", "buf:f32[64]", "buf:f32[64]", "i32:64")),
			"kernel vecadd: argument 0 (a) is i32, not a buffer (const float *)" + vecaddWants},
		{one("vecadd", args("bytes:00", "buf:f32[64]", "buf:f32[64]", "i32:64")),
			"kernel vecadd: argument 0 (a) is 1 raw byte, not 8" + vecaddWants},
		{one("vecadd", args("buf:f32[64]", "buf:f32[64]", "local:64", "i32:64")),
			"kernel vecadd: argument 2 (c) is local:64, not a buffer (float *)" + vecaddWants},
		{one("vecadd", args("buf:f32[64]", "buf:f32[64]", "buf:f32[64]", "i64:64")),
			"kernel vecadd: argument 3 (n) is i64 with 8 bytes, not 4" + vecaddWants},
		{one("vecadd", args("buf:f32[64]", "buf:f32[64]", "buf:f32[64]", "buf:f32[64]")),
			"kernel vecadd: argument 3 (n) is a buffer of f32[64], not a value of 4 bytes (int)" +
				vecaddWants},
		{one("reduce_cl", args("buf:f32[64]", "buf:f32[64]", "buf:f32[64]", "buf:f32[64]", "i32:1")),
			"kernel reduce_cl: argument 3 (partial) is a buffer of f32[64], not local (float *)" +
				reduceWants},
		{one("reduce_cl", args("buf:f32[64]", "buf:f32[64]", "buf:f32[64]", "local:65281", "i32:1")),
			"kernel reduce_cl: too much LDS: 256 bytes of the kernel's own and what the launch adds are more than 65536"},
		{one("vecadd", args("buf:f32[64]=file:missing.bin", "buf:f32[64]", "buf:f32[64]", "i32:64")),
			"kernel vecadd: argument 0 (a): open missing.bin: no such file or directory"},
		{one("vecadd", args("buf:f32[64]=file:"+small, "buf:f32[64]", "buf:f32[64]", "i32:64")),
			"kernel vecadd: argument 0 (a): " + small + " has 7 bytes, the buffer f32[64] has 256"},
		{one("vecadd", args("buf:f32[64]=file:.", "buf:f32[64]", "buf:f32[64]", "i32:64")),
			"kernel vecadd: argument 0 (a): read .: is a directory"},
		{one("vecadd", args("buf:u8[1000]", "buf:u8[4294967000]", "buf:f32[64]", "i32:64")),
			"kernel vecadd: the buffers have more than 4294967296 bytes together"},
		{one("vecadd", func(s *Spec) { s.Args[2].Expect = &Expect{File: File{Path: small}} }),
			"kernel vecadd: argument 2 (c): expectation: " + small +
				" has 7 bytes, the buffer f32[64] has 256"},
	} {
		if _, err := test.spec.Load(); err == nil || err.Error() != test.want {
			t.Errorf("got  %v\nwant %s", err, test.want)
		}
	}
}

// Pointers may be addresses, and raw bytes may be anything of the right size.
func TestRawArguments(t *testing.T) {
	p := load(t, &Spec{CodeObject: object("vecadd"), Grid: Dims{64, 1, 1}, Block: Dims{64, 1, 1},
		Args: parseArgs(t, "u64:0x1234", "bytes:0102030405060708", "buf:f32[0]", "bytes:40000000")})
	var got struct {
		A, B, C uint64
		N       uint32
	}
	read(t, p, p.isa().Launch.Kernarg, &got)
	if got.A != 0x1234 || got.B != 0x0807060504030201 || got.C != p.Buffers[0].Region.Base || got.N != 64 {
		t.Errorf("arguments %#x", got)
	}
}

// Of a bundle with several targets the one that can be simulated is taken.
func TestBundle(t *testing.T) {
	contents, err := os.ReadFile(object("vecadd").Path)
	if err != nil {
		t.Fatal(err)
	}
	bundle := func(ids ...string) File {
		head := binary.LittleEndian.AppendUint64([]byte("__CLANG_OFFLOAD_BUNDLE__"), uint64(len(ids)))
		const body = 4096
		for _, id := range ids {
			for _, v := range []uint64{body, uint64(len(contents)), uint64(len(id))} {
				head = binary.LittleEndian.AppendUint64(head, v)
			}
			head = append(head, id...)
		}
		path := filepath.Join(t.TempDir(), "bundle")
		if err := os.WriteFile(path, append(append(head, make([]byte, body-len(head))...), contents...),
			0o644); err != nil {
			t.Fatal(err)
		}
		return File{Path: path}
	}
	const id = "hipv4-amdgcn-amd-amdhsa--"
	m, err := OpenModule(bundle(id+"gfx602", id+"gfx90a"), "")
	if err != nil {
		t.Fatal(err)
	}
	if m.Target.Name != "gfx90a" {
		t.Errorf("took %s", m.Target.Name)
	}
	two := bundle(id+"gfx900", id+"gfx90a")
	_, err = OpenModule(two, "")
	want := two.Path + ": several code objects, choose a target: " + id + "gfx900, " + id + "gfx90a"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if m, err := OpenModule(two, "gfx90a"); err != nil || m.Target.Name != "gfx90a" {
		t.Errorf("with a target: %v", err)
	}
}

// A kernel with atomics on global memory runs on one worker unless it is told
// otherwise.
func TestWorkers(t *testing.T) {
	for _, test := range []struct {
		kernel string
		args   []string
		one    bool
	}{
		{"vecadd", vecaddArgs, false},
		{"atomics", []string{"buf:u32[200]", "buf:u32[56]", "buf:u32[14]", "buf:u32[16]", "i32:200"}, true},
	} {
		p := load(t, &Spec{CodeObject: object(test.kernel), Grid: Dims{64, 1, 1}, Block: Dims{64, 1, 1},
			Args: parseArgs(t, test.args...)})
		if p.hasAtomics() != test.one || test.one && p.Workers() != 1 {
			t.Errorf("%s: atomics %v, %d workers", test.kernel, p.hasAtomics(), p.Workers())
		}
	}
}

// TestDynamicVGPRs: a kernel that allocates vector registers while it runs is refused.
func TestDynamicVGPRs(t *testing.T) {
	const rsrc3, rsrc2 = 44, 52 // where they are in a descriptor
	bits := map[string]struct{ at, bit int }{"gfx1200": {rsrc2, 6}, "gfx1250": {rsrc3, 17}}
	for target, word := range bits {
		data := readFile(t, filepath.Join(kernels, "rdna", "co", "types."+target+".O2.co"))
		m, err := OpenModuleData(data, "")
		if err != nil {
			t.Fatal(err)
		}
		// The segment with the descriptors begins the file.
		at := int(amdgpu.KernelOf(&m.Kernels[0]).DescriptorAddr)
		data[at+word.at+word.bit/8] |= 1 << (word.bit % 8)
		spec := Spec{CodeObject: File{Path: "x.co", FS: fstest.MapFS{"x.co": {Data: data}}},
			Kernel: m.Kernels[0].Name, Grid: Dims{64, 1, 1}, Block: Dims{64, 1, 1}}
		for _, a := range m.Kernels[0].ExplicitArgs() {
			spec.Args = append(spec.Args, Arg{Kind: ValueArg, Type: bytesType, Value: make([]byte, a.Size)})
		}
		if _, err := spec.Load(); err == nil || !strings.Contains(err.Error(), "(ENABLE_DYNAMIC_VGPR)") {
			t.Errorf("%s: error %v", target, err)
		}
	}
}

// TestGenericTarget: code for a generic target runs.
func TestGenericTarget(t *testing.T) {
	p := load(t, &Spec{CodeObject: File{Path: "../../loader/amdgpu/testdata/ocl-gfx9-generic-v6.co"},
		Kernel: "required", Grid: Dims{8, 4, 2}, Block: Dims{8, 4, 2},
		Args: parseArgs(t, "buf:i32[1]", "bytes:05000000", "f64:37.5")})
	run(t, p)
	if got := binary.LittleEndian.Uint32(p.Buffers[0].Data()); got != 42 {
		t.Errorf("q[0] is %d, want 42", got)
	}
}
