package amdgpu

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/testdata/sweep"
)

// tool gives the path of a program, or skips the test.
func tool(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("skipped: %s is not installed", name)
	}
	return path
}

func output(t testing.TB, name string, args ...string) string {
	t.Helper()
	var stderr bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, stderr.String())
	}
	return string(out)
}

// one is 1 for true.
func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// directives gives each field in the spelling and the units of the directives
// that llvm-objdump prints for a descriptor. The two SGPR counts are of LLVM's
// making: it prints the smallest counts that assemble to the same bits.
var directives = map[string]func(d *Descriptor) int{
	"group_segment_fixed_size":   func(d *Descriptor) int { return int(d.GroupSegmentFixedSize) },
	"private_segment_fixed_size": func(d *Descriptor) int { return int(d.PrivateSegmentFixedSize) },
	"kernarg_size":               func(d *Descriptor) int { return int(d.KernargSize) },
	"accum_offset":               func(d *Descriptor) int { return d.accumOffset() },
	"tg_split":                   func(d *Descriptor) int { return one(d.TGSplit) },
	"next_free_vgpr":             func(d *Descriptor) int { return d.TotalVGPRs },
	"next_free_sgpr":             func(d *Descriptor) int { return 8 * (int(d.GranulatedSGPRCount) + 1) },
	"float_round_mode_32":        func(d *Descriptor) int { return int(d.FloatRoundMode32) },
	"float_round_mode_16_64":     func(d *Descriptor) int { return int(d.FloatRoundMode16_64) },
	"float_denorm_mode_32":       func(d *Descriptor) int { return int(d.FloatDenorm32) },
	"float_denorm_mode_16_64":    func(d *Descriptor) int { return int(d.FloatDenorm16_64) },
	"dx10_clamp":                 func(d *Descriptor) int { return one(d.DX10Clamp) },
	"round_robin_scheduling":     func(d *Descriptor) int { return one(d.WGRREnable) },
	"ieee_mode":                  func(d *Descriptor) int { return one(d.IEEEMode) },
	"fp16_overflow":              func(d *Descriptor) int { return one(d.FP16Overflow) },
	"workgroup_processor_mode":   func(d *Descriptor) int { return one(d.WGPMode) },
	"memory_ordered":             func(d *Descriptor) int { return one(d.MemOrdered) },
	"forward_progress":           func(d *Descriptor) int { return one(d.FwdProgress) },
	"shared_vgpr_count":          func(d *Descriptor) int { return int(d.SharedVGPRCount) },
	"inst_pref_size":             func(d *Descriptor) int { return int(d.InstPrefSize) },
	"named_barrier_count":        func(d *Descriptor) int { return int(d.NamedBarrierCount) },
	"enable_private_segment":     func(d *Descriptor) int { return one(d.EnablePrivateSegment) },
	"system_sgpr_private_segment_wavefront_offset": func(d *Descriptor) int {
		return one(d.EnablePrivateSegment)
	},
	"system_sgpr_workgroup_id_x":       func(d *Descriptor) int { return one(d.EnableWorkgroupIDX) },
	"system_sgpr_workgroup_id_y":       func(d *Descriptor) int { return one(d.EnableWorkgroupIDY) },
	"system_sgpr_workgroup_id_z":       func(d *Descriptor) int { return one(d.EnableWorkgroupIDZ) },
	"system_sgpr_workgroup_info":       func(d *Descriptor) int { return one(d.EnableWorkgroupInfo) },
	"system_vgpr_workitem_id":          func(d *Descriptor) int { return int(d.EnableVGPRWorkitemID) },
	"exception_fp_ieee_invalid_op":     func(d *Descriptor) int { return one(d.ExceptionFPInvalid) },
	"exception_fp_denorm_src":          func(d *Descriptor) int { return one(d.ExceptionFPDenormal) },
	"exception_fp_ieee_div_zero":       func(d *Descriptor) int { return one(d.ExceptionFPDivideByZero) },
	"exception_fp_ieee_overflow":       func(d *Descriptor) int { return one(d.ExceptionFPOverflow) },
	"exception_fp_ieee_underflow":      func(d *Descriptor) int { return one(d.ExceptionFPUnderflow) },
	"exception_fp_ieee_inexact":        func(d *Descriptor) int { return one(d.ExceptionFPInexact) },
	"exception_int_div_zero":           func(d *Descriptor) int { return one(d.ExceptionIntDivideByZero) },
	"user_sgpr_private_segment_buffer": func(d *Descriptor) int { return one(d.EnablePrivateSegmentBuffer) },
	"user_sgpr_dispatch_ptr":           func(d *Descriptor) int { return one(d.EnableDispatchPtr) },
	"user_sgpr_queue_ptr":              func(d *Descriptor) int { return one(d.EnableQueuePtr) },
	"user_sgpr_kernarg_segment_ptr":    func(d *Descriptor) int { return one(d.EnableKernargSegmentPtr) },
	"user_sgpr_dispatch_id":            func(d *Descriptor) int { return one(d.EnableDispatchID) },
	"user_sgpr_flat_scratch_init":      func(d *Descriptor) int { return one(d.EnableFlatScratchInit) },
	"user_sgpr_private_segment_size":   func(d *Descriptor) int { return one(d.EnablePrivateSegmentSize) },
	"user_sgpr_kernarg_preload_length": func(d *Descriptor) int { return int(d.KernargPreloadLength) },
	"user_sgpr_kernarg_preload_offset": func(d *Descriptor) int { return int(d.KernargPreloadOffset) },
	"wavefront_size32":                 func(d *Descriptor) int { return one(d.EnableWavefrontSize32) },
	"uses_dynamic_stack":               func(d *Descriptor) int { return one(d.UsesDynamicStack) },
}

// objdumpDescriptors assembles descriptors and disassembles them with
// llvm-objdump. It gives the directives of each, or nil for those that
// llvm-objdump does not accept. The reserve_* directives stand for no field.
func objdumpDescriptors(t *testing.T, processor string, raw [][DescriptorSize]byte) []map[string]int {
	t.Helper()
	dir := t.TempDir()
	var asm strings.Builder
	fmt.Fprintf(&asm, ".amdgcn_target \"amdgcn-amd-amdhsa--%s\"\n.rodata\n.p2align 6\n", processor)
	for i, b := range raw {
		fmt.Fprintf(&asm, "k%d.kd:\n.type k%d.kd,@object\n.size k%d.kd, 64\n", i, i, i)
		for i := 0; i < len(b); i += 8 {
			fmt.Fprintf(&asm, ".quad %#x\n", binary.LittleEndian.Uint64(b[i:]))
		}
	}
	source, object := filepath.Join(dir, "d.s"), filepath.Join(dir, "d.o")
	if err := os.WriteFile(source, []byte(asm.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	version := "5"
	if strings.Contains(processor, "generic") {
		version = "6"
	}
	output(t, tool(t, "llvm-mc-22"), "-triple=amdgcn-amd-amdhsa", "-mcpu="+processor,
		"--amdhsa-code-object-version="+version,
		"-filetype=obj", "-o", object, source)
	// It fails with a list of errors if it does not accept a descriptor, but
	// prints the others.
	cmd := exec.Command(tool(t, "llvm-objdump-22"), "-D", "-j", ".rodata", object)
	text, err := cmd.Output()
	if _, exit := err.(*exec.ExitError); err != nil && !exit {
		t.Fatal(err)
	}
	out := make([]map[string]int, len(raw))
	var current map[string]int
	index := -1
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if _, label, ok := strings.Cut(line, "<k"); ok && strings.HasSuffix(label, ".kd>:") {
			if index, err = strconv.Atoi(strings.TrimSuffix(label, ".kd>:")); err != nil {
				t.Fatal(err)
			}
			current = map[string]int{}
			continue
		}
		if line == ".end_amdhsa_kernel" {
			out[index] = current
			continue
		}
		fields := strings.Fields(line)
		if len(fields) == 2 && strings.HasPrefix(fields[0], ".amdhsa_") && fields[0] != ".amdhsa_kernel" &&
			!strings.HasPrefix(fields[0], ".amdhsa_reserve_") {
			n, err := strconv.Atoi(fields[1])
			if err != nil {
				t.Fatalf("line %q: %v", line, err)
			}
			current[strings.TrimPrefix(fields[0], ".amdhsa_")] = n
		}
	}
	return out
}

// setWord stores one of the words that are made of bit fields.
func setWord(raw *[DescriptorSize]byte, w word, v uint32) {
	at := [words]int{rsrc1: 48, rsrc2: 52, rsrc3: 44, codeProperties: 56, kernargPreload: 58}[w]
	raw[at], raw[at+1] = byte(v), byte(v>>8)
	if w <= rsrc3 {
		raw[at+2], raw[at+3] = byte(v>>16), byte(v>>24)
	}
}

// descriptorProcessors are those of every family that llvm-objdump disassembles
// descriptors for: it does not for gfx6 and gfx7. Every second are one of each family.
var descriptorProcessors = []string{
	"gfx803", "gfx900", "gfx908", "gfx906", "gfx90a", "gfx942", "gfx1010", "gfx950", "gfx1030", "gfx1151",
	"gfx1100", "gfx9-generic", "gfx1200", "gfx12-generic", "gfx1250", "gfx9-4-generic", "gfx10-3-generic",
	"gfx11-generic",
}

func targetNamed(t testing.TB, name string) Target {
	t.Helper()
	for mach, p := range processors {
		if p.name == name {
			return Target{Name: name, Arch: p.arch, Mach: mach, Generic: p.generic, CodeObjectVersion: 6}
		}
	}
	t.Fatalf("no processor %s", name)
	return Target{}
}

// TestDescriptorBits compares descriptors with what llvm-objdump says of them, all in one object of each
// processor: random ones field by field, and such as have one bit set, which llvm-objdump refuses if that is
// reserved or must be zero.
func TestDescriptorBits(t *testing.T) {
	for _, processor := range sweep.Some(2, descriptorProcessors...) {
		t.Run(processor, func(t *testing.T) {
			target := targetNamed(t, processor)
			rnd := rand.New(rand.NewPCG(1, 2))
			raw := make([][DescriptorSize]byte, 40)
			for i := range raw {
				raw[i] = randomDescriptor(rnd, target.family())
			}
			random := len(raw)
			bits, names := singleBits()
			wants := objdumpDescriptors(t, processor, append(raw, bits...))
			for i, want := range wants[:random] {
				compareFields(t, i, raw[i], target, want)
			}
			for i, want := range wants[random:] {
				_, problems := DecodeDescriptor(bits[i], target)
				if want != nil {
					problems = slices.DeleteFunc(problems, isLenient)
				}
				if (want != nil) != (len(problems) == 0) {
					t.Errorf("%s: accepted by llvm-objdump: %v; problems: %q", names[i], want != nil,
						problems)
				}
			}
		})
	}
}

// compareFields compares the fields of a descriptor with the directives that llvm-objdump prints.
func compareFields(t *testing.T, i int, raw [DescriptorSize]byte, target Target, want map[string]int) {
	t.Helper()
	d, problems := DecodeDescriptor(raw, target)
	if len(problems) != 0 {
		t.Fatalf("descriptor %d: problems %q", i, problems)
	}
	if want == nil {
		t.Fatalf("llvm-objdump does not accept descriptor %d: % x", i, raw)
	}
	got := map[string]int{}
	for name := range want {
		f, ok := directives[name]
		if !ok {
			t.Fatalf("llvm-objdump prints .amdhsa_%s, which this test does not know", name)
		}
		got[name] = f(&d)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("descriptor %d (-llvm-objdump +loader):\n%s", i, diff)
	}
}

// singleBits are descriptors of one bit each, and which it is.
func singleBits() (raw [][DescriptorSize]byte, names []string) {
	for i := range 8 * DescriptorSize {
		if i/8 < 12 || i/8 >= 16 && i/8 < 24 {
			continue // sizes and the offset of the code: any value will do
		}
		var b [DescriptorSize]byte
		b[i/8] = 1 << (i % 8)
		raw = append(raw, b)
		names = append(names, fmt.Sprintf("byte %d bit %d", i/8, i%8))
	}
	return raw, names
}

// randomDescriptor sets the bits at random that a family's compilers may set.
func randomDescriptor(rnd *rand.Rand, fam family) [DescriptorSize]byte {
	var raw [DescriptorSize]byte
	for _, at := range []int{0, 4, 8} {
		raw[at], raw[at+1] = byte(rnd.Uint32()), byte(rnd.Uint32())
	}
	var value [words]uint32
	for _, f := range bitFields {
		if f.on&fam == 0 || f.zero&fam != 0 {
			continue
		}
		v := rnd.Uint32() & (1<<f.width - 1)
		switch {
		case f.name == "ENABLE_VGPR_WORKITEM_ID":
			v %= 3
		case f.name == "ACCUM_OFFSET":
			v %= 2 // so that it is below the number of registers
		}
		value[f.word] |= v << f.shift
	}
	for w := range words {
		setWord(&raw, w, value[w])
	}
	return raw
}

// lenient has the starts of problems that llvm-objdump lets pass: it knows no
// rule for settings that the command processor makes itself, for those that
// targets with architected flat scratch do not have, and for the preload word
// of targets without preloading. Its gfx8 takes the wavefront size bit.
var lenient = []string{
	"ENABLE_TRAP_HANDLER", "TRAP_ON_START", "TRAP_ON_END", "DISABLE_PERF",
	"ENABLE_SGPR_PRIVATE_SEGMENT_BUFFER", "ENABLE_SGPR_FLAT_SCRATCH_INIT",
	"ACCUM_OFFSET puts a0",
	"reserved bits 0x400 of KERNEL_CODE_PROPERTIES",
}

func isLenient(problem string) bool {
	return strings.HasSuffix(problem, "of KERNARG_PRELOAD are set") ||
		slices.ContainsFunc(lenient, func(start string) bool { return strings.HasPrefix(problem, start) })
}

// Settings that depend on the processor alone.
func TestDescriptorRegisters(t *testing.T) {
	var small, large, few [DescriptorSize]byte
	setWord(&large, rsrc1, 63|15<<6)
	setWord(&large, rsrc3, 7)
	setWord(&few, rsrc1, 32) // as of a kernel with amdgpu_waves_per_eu(1,1)
	tests := []struct {
		processor                   string
		wave32                      bool
		raw                         [DescriptorSize]byte
		total, arch, acc, registers int
	}{
		{"gfx700", false, small, 4, 4, 0, 8},
		{"gfx803", false, large, 256, 256, 0, 128},
		{"gfx900", false, small, 4, 4, 0, 16},
		{"gfx900", false, large, 256, 256, 0, 128},
		{"gfx906", false, large, 256, 256, 0, 128},
		{"gfx908", false, small, 4, 4, 4, 16},
		{"gfx908", false, large, 256, 256, 256, 128},
		{"gfx950", false, large, 512, 32, 256, 128},
		{"gfx90a", false, small, 8, 4, 4, 16},
		{"gfx90a", false, large, 512, 32, 256, 128},
		{"gfx90a", false, few, 264, 4, 256, 16},
		{"gfx942", false, large, 512, 32, 256, 128},
		{"gfx1030", false, large, 256, 256, 0, 128},
		{"gfx1030", true, small, 8, 8, 0, 128},
		{"gfx1030", true, large, 512, 512, 0, 128},
		{"gfx1250", true, large, 1024, 1024, 0, 128},
	}
	for _, tt := range tests {
		if tt.wave32 {
			setWord(&tt.raw, codeProperties, 1<<10)
		}
		d, _ := DecodeDescriptor(tt.raw, targetNamed(t, tt.processor))
		got := [4]int{d.TotalVGPRs, d.ArchVGPRs, d.AccVGPRs, d.SGPRs}
		if want := [4]int{tt.total, tt.arch, tt.acc, tt.registers}; got != want {
			t.Errorf("%s wave32 %v: VGPRs in all, v, a, SGPRs = %v, want %v", tt.processor, tt.wave32, got,
				want)
		}
	}
}

// TestAccumOffset: a0 may be at most behind the last register that is allocated; a kernel whose descriptor
// says otherwise has as many others as are allocated, and no accumulation registers.
func TestAccumOffset(t *testing.T) {
	for name, shared := range map[string]bool{"gfx908": false, "gfx90a": true, "gfx942": true,
		"gfx1100": false} {
		for offset, want := range map[uint32]string{0: "", 1: "",
			2: "ACCUM_OFFSET puts a0 at register 12 of 8"} {
			var raw [DescriptorSize]byte
			setWord(&raw, rsrc3, offset)
			d, problems := DecodeDescriptor(raw, targetNamed(t, name))
			if got := slices.Contains(problems, want); want != "" && got != shared {
				t.Errorf("%s, offset %d: %q", name, offset, problems)
			}
			if shared && (want == "" && len(problems) != 0 || d.TotalVGPRs != 8 ||
				d.ArchVGPRs != min(int(4*offset+4), 8) || d.AccVGPRs != 8-d.ArchVGPRs) {
				t.Errorf("%s, offset %d: %q, %d registers, %d and %d", name, offset, problems, d.TotalVGPRs,
					d.ArchVGPRs, d.AccVGPRs)
			}
		}
	}
}

// Fields lists what a family has, with values from the right bits.
func TestDescriptorFieldList(t *testing.T) {
	var raw [DescriptorSize]byte
	setWord(&raw, rsrc2, 13<<1)
	d, _ := DecodeDescriptor(raw, targetNamed(t, "gfx90a"))
	names := map[string]uint32{}
	for _, f := range d.Fields(targetNamed(t, "gfx90a")) {
		if _, twice := names[f.Name]; twice {
			t.Errorf("field %s is listed twice", f.Name)
		}
		names[f.Name] = f.Value
	}
	if n, ok := names["USER_SGPR_COUNT"]; !ok || n != 13 {
		t.Errorf("USER_SGPR_COUNT %d, %v, want 13", n, ok)
	}
	if _, ok := names["TG_SPLIT"]; !ok {
		t.Error("gfx90a has no TG_SPLIT")
	}
	if _, ok := names["WGP_MODE"]; ok {
		t.Error("gfx90a has WGP_MODE")
	}
}

func FuzzDescriptor(f *testing.F) {
	m := openTestdata(f, "hip-gfx90a-O0.co")
	for _, k := range m.Kernels {
		b, _ := m.BytesAt(KernelOf(&k).DescriptorAddr, DescriptorSize)
		f.Add(b, Of(m).Target.Mach)
	}
	f.Fuzz(func(t *testing.T, b []byte, mach uint8) {
		if len(b) < DescriptorSize {
			return
		}
		target := Target{Arch: processors[mach].arch}
		d, problems := DecodeDescriptor([DescriptorSize]byte(b), target)
		// Every bit is in a field, reported, or in a part that takes any value.
		var known [words]uint32
		for _, f := range bitFields {
			if f.on&target.family() != 0 {
				known[f.word] |= (1<<f.width - 1) << f.shift
			}
		}
		for w := range words {
			if d.word(w)&^known[w] != 0 && len(problems) == 0 {
				t.Errorf("bits %#x of %s are not reported", d.word(w)&^known[w], wordNames[w])
			}
		}
		if d.TotalVGPRs < d.ArchVGPRs || d.ArchVGPRs < 4 || d.SGPRs < 8 {
			t.Errorf("registers %d, %d, %d", d.TotalVGPRs, d.ArchVGPRs, d.SGPRs)
		}
		d.Fields(target)
	})
}
