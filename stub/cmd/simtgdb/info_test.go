package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/dwarf/visa"
	"simtgdb/stub/launch"
)

func TestInfo(t *testing.T) {
	file := object("reduce_cl", "gfx90a", "O2")
	want := file + `: AMDGPU code object
  target        amdgcn-amd-amdhsa--gfx90a, code object version 6 (can be simulated)
  segment       0x0 to 0x980 r-- .rodata
  segment       0x1a00 to 0x2300 r-x .text
  segment       0x3300 to 0x4000 rw- .dynamic+.relro_padding
  symbols       14, of them 3 functions and 1 objects
  relocations   0
  debug info    1 unit
  unit          reduce_cl.cl, DWARF 5, OpenCL, by Debian clang version 22.1.8 (1~deb12u1)
  line table    123 rows of 1 file
  .debug_frame  3 functions, 0 with rules

kernel reduce_cl
  language      OpenCL C 2.0
  code          0x1b00 in reduce_cl (reduce_cl.cl:14)
  workgroup     at most 256 work-items
  wave          64 lanes
  registers     used: 20 SGPRs, 8 VGPRs, 0 AGPRs; allocated: 32 SGPRs, 8 VGPRs, 0 AGPRs
  LDS           256 bytes for a workgroup
  private       0 bytes for a lane
  arguments     288 bytes, aligned to 8
       offset  size  kind                     name and type
    0  0       8     global_buffer            input float*
    1  8       8     global_buffer            sums float*
    2  16      8     global_buffer            tops float*
    3  24      4     dynamic_shared_pointer   partial float*
    4  28      4     by_value                 n int
       32      4     hidden_block_count_x
       36      4     hidden_block_count_y
       40      4     hidden_block_count_z
       44      2     hidden_group_size_x
       46      2     hidden_group_size_y
       48      2     hidden_group_size_z
       50      2     hidden_remainder_x
       52      2     hidden_remainder_y
       54      2     hidden_remainder_z
       72      8     hidden_global_offset_x
       80      8     hidden_global_offset_y
       88      8     hidden_global_offset_z
       96      2     hidden_grid_dims
       152     4     hidden_dynamic_lds_size
`
	r := simtgdb(t, "info", file)
	if diff := cmp.Diff(want, r.out); diff != "" || r.status != statusDone || r.err != "" {
		t.Errorf("status %d: %s\n-want +got:\n%s", r.status, r.err, diff)
	}
}

// A pipeline of PAL: what it prints, and what its registers hold.
func TestInfoPipeline(t *testing.T) {
	file := filepath.Join(kernels, "pal", "co", "tables.gfx900.o")
	want := file + `: AMDGPU PAL pipeline
  target        amdgcn-amd-amdpal--gfx900 (can be simulated)
  segment       0x1000 to 0x1228 r-x .text
  segment       0x2000 to 0x2010 r-- .rodata.cst16
  symbols       13, of them 1 functions and 1 objects
  relocations   0
  pipeline      Vulkan Cs, metadata version 3.0, hash 0102030405060708 1112131415161718
  user data     5 entries, those from 4 on in the spill table
  printf        the table with the buffer is user data 3
  printf        0xcafe0001: "%d small\n", 1 scalar, 0 of them of 64 bits
  printf        0xfedcba987654: "%u of group %u of %u: %d over %d, bias %.2f\n", 6 scalars, 0 of them of 64 bits
  debug info    1 unit
  unit          tables.comp, DWARF 5, C99, by LLPC
  line table    34 rows of 1 file
  .debug_frame  1 function, 0 with rules

kernel _amdgpu_cs_main
  code          0x1000 in main (tables.comp:11)
  workgroup     at most 64 work-items, required (64,1,1)
  wave          64 lanes
  registers     used: 26 SGPRs, 7 VGPRs, 0 AGPRs; allocated: 32 SGPRs, 8 VGPRs, 0 AGPRs
  s0            global table
  s1            workgroup counts
  s2            workgroup counts, high half
  s3            user data 0
  s4            user data 1
  s5            user data 2
  s6            user data 3
  s7            per-shader table
  s8            spill table
  LDS           512 bytes for a workgroup
  private       0 bytes for a lane
`
	r := simtgdb(t, "info", file)
	if diff := cmp.Diff(want, r.out); diff != "" || r.status != statusDone || r.err != "" {
		t.Errorf("status %d: %s\n-want +got:\n%s", r.status, r.err, diff)
	}
}

// TestInfoPrintf shows the formats of OpenCL C and HIP.
func TestInfoPrintf(t *testing.T) {
	for file, want := range map[string]string{
		"print_cl.gfx900.O2.co":           `  printf        6: "%d: odd %d %ld %hhd %hd %#o %s %d\n", arguments of [4 4 8 4 4 4 8 4] bytes` + "\n",
		"print_hip.buffered.gfx900.O2.co": `  printf        498b12708a2e43f0: "%d: end %s%s%s\n"` + "\n",
	} {
		r := simtgdb(t, "info", filepath.Join(kernels, "printf", "co", file))
		if !strings.Contains(r.out, want) {
			t.Errorf("%s: no line %q\n%s%s", file, want, r.out, r.err)
		}
	}
}

// A file without debugging information, and one with call frame information.
func TestInfoDebugInformation(t *testing.T) {
	folder := t.TempDir()
	bare := filepath.Join(folder, "bare.co")
	objcopy := oracle(t, "llvm-objcopy-22")
	if out, err := exec.Command(objcopy, "--strip-debug", object("demo", "gfx900", "O2"),
		bare).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	r := simtgdb(t, "info", bare)
	if r.status != statusDone || !strings.Contains(r.out, "\n  debug info    none (compile with -g)\n") {
		t.Errorf("status %d\n%s%s", r.status, r.out, r.err)
	}

	framed := filepath.Join(folder, "framed.s")
	text := `.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
.text
.globl k
.p2align 8
.type k,@function
k:
.cfi_sections .debug_frame
.cfi_startproc
.cfi_escape 0x0f, 0x04, 0x30, 0x36, 0xe9, 0x02
s_endpgm
.cfi_endproc
.size k, .-k
.rodata
.p2align 6
.amdhsa_kernel k
.amdhsa_next_free_vgpr 8
.amdhsa_next_free_sgpr 8
.amdhsa_accum_offset 4
.end_amdhsa_kernel
`
	if err := os.WriteFile(framed, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	clang := oracle(t, "clang-22")
	linked := filepath.Join(folder, "framed.co")
	if out, err := exec.Command(clang, "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx90a", "-nogpulib", framed,
		"-o", linked).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	r = simtgdb(t, "info", linked)
	for _, want := range []string{
		"\n  .debug_frame  1 function, 1 with rules\n",
		"\nkernel k\n",
		"\n  arguments     0 bytes; the file has no metadata that describes them\n",
	} {
		if r.status != statusDone || !strings.Contains(r.out, want) {
			t.Errorf("status %d\n%s%s\nwant in it:%s", r.status, r.out, r.err, want)
		}
	}
}

// vISA debug tables are printed as the package that reads them does it.
func TestInfoVISA(t *testing.T) {
	files, err := filepath.Glob("../../../dwarf/visa/testdata/igc/*/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no vISA files: %v", err)
	}
	tables := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		f, err := visa.Parse(data)
		if err != nil {
			continue // a file of another kind
		}
		tables++
		var want bytes.Buffer
		if err := visa.Print(&want, f); err != nil {
			t.Fatal(err)
		}
		if r := simtgdb(t, "info", file); r.status != statusDone || r.out != want.String() || r.err != "" {
			t.Errorf("%s: status %d: %s", file, r.status, r.err)
		}
		if tables == 1 {
			cut := written(t, string(data[:len(data)-1]))
			if r := simtgdb(t, "info", cut); r.status != statusInput || strings.Count(r.err, "\n") != 1 {
				t.Errorf("cut short: status %d: %s", r.status, r.err)
			}
		}
	}
	if tables == 0 {
		t.Error("none of the files has vISA tables")
	}
}

// TestInfoInstructions lists the instructions of a processor.
func TestInfoInstructions(t *testing.T) {
	r := simtgdb(t, "info", "--instructions", "gfx90a")
	lines := strings.Split(strings.TrimSuffix(r.out, "\n"), "\n")
	if r.status != statusDone || len(lines) < 1000 {
		t.Fatalf("%d lines, %+v", len(lines), r.err)
	}
	for _, want := range []string{"SOP2    s_add_u32\n", "VOP3P   v_mfma_f32_32x32x1f32\n",
		" (only decodes)\n"} {
		if !strings.Contains(r.out, want) {
			t.Errorf("there is no %q", want)
		}
	}
	r = simtgdb(t, "info", "--instructions", "gen9")
	for _, want := range []string{"basic   add\n", "math    math.exp\n", "send    send\n",
		"basic   pln (only decodes)\n"} {
		if r.status != statusDone || !strings.Contains(r.out, want) {
			t.Errorf("of gen9 there is no %q", want)
		}
	}
	if r = simtgdb(t, "info", "--instructions", "gen11"); !strings.Contains(r.out, "basic   rol\n") ||
		strings.Contains(r.out, "pln") {
		t.Errorf("of gen11: %+v", r)
	}
	if r = simtgdb(t, "info", "--instructions", "gen12lp"); !strings.Contains(r.out, "basic   sync\n") ||
		!strings.Contains(r.out, "ternary dp4a\n") || strings.Contains(r.out, "smov") {
		t.Errorf("of gen12lp: %+v", r)
	}
	if r = simtgdb(t, "info", "--instructions", "xe-hpg"); !strings.Contains(r.out, "ternary bfn\n") ||
		!strings.Contains(r.out, "ternary dpas\n") {
		t.Errorf("of xe-hpg: %+v", r)
	}
	if r = simtgdb(t, "info", "--instructions", "xe-hpc"); !strings.Contains(r.out, "basic   macl\n") ||
		!strings.Contains(r.out, "basic   srnd\n") {
		t.Errorf("of xe-hpc: %+v", r)
	}
	for _, args := range [][]string{{"--instructions", "gfx1"}, {"--instructions", "gfx90a", "x.co"},
		{"--kernel", "k", "x.co"}} {
		if r := simtgdb(t, append([]string{"info"}, args...)...); r.status != statusInput ||
			strings.Count(r.err, "\n") != 1 {
			t.Errorf("%v: %+v", args, r)
		}
	}
}

// TestInfoTemplate runs a kernel with the launch file that info makes for it.
func TestInfoTemplate(t *testing.T) {
	file, err := filepath.Abs(object("saxpy", "gfx90a", "O2"))
	if err != nil {
		t.Fatal(err)
	}
	r := simtgdb(t, "info", "--launch-template", file)
	if r.status != statusDone || r.err != "" {
		t.Fatalf("%+v", r)
	}
	launch := written(t, r.out)
	if r := simtgdb(t, "run", "--launch", launch); r.status != statusDone || r.err != "" {
		t.Errorf("%+v with\n%s", r, r.out)
	}
	calls := object("calls", "gfx90a", "O2")
	if r := simtgdb(t, "info", "--launch-template", "--kernel", "nothing", calls); r.status != statusInput ||
		!strings.Contains(r.err, "name one with --kernel") {
		t.Errorf("%+v", r)
	}
}

// TestInfoTemplates makes launch files for programs of the other families: the
// kernels can be launched with them.
func TestInfoTemplates(t *testing.T) {
	for _, pattern := range []string{"spirv/*.spv", "ptx/co/*.O0.ptx", "igc/zebin/*-O0.zebin"} {
		files, err := filepath.Glob(filepath.Join(kernels, pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no files: %v", pattern, err)
		}
		for _, file := range files {
			path, err := filepath.Abs(file)
			if err != nil {
				t.Fatal(err)
			}
			m, err := launch.OpenModule(launch.File{Path: path}, "")
			if err != nil {
				t.Fatal(err)
			}
			for i := range m.Kernels {
				var out bytes.Buffer
				if err := printTemplate([]string{path}, "", m.Kernels[i].Name,
					stdio{out: &out, err: io.Discard}); err != nil {
					t.Fatal(err)
				}
				spec, err := launch.ReadSpec(launch.File{Path: written(t, out.String())})
				if err == nil {
					_, err = spec.Load()
				}
				refused := filepath.Base(file) == "dead.spv" && m.Kernels[i].Name == "asks" // for rays
				if (err != nil) != refused {
					t.Errorf("%s: %v\n%s", file, err, &out)
				}
			}
		}
	}
}

// TestInfoSourceName: kernels of C++ are shown with the names that --kernel takes.
func TestInfoSourceName(t *testing.T) {
	r := simtgdb(t, "info", filepath.Join(kernels, "debug", "co", "instances.O2.co"))
	for _, want := range []string{
		"\nkernel _ZN6linear5dense5scaleIiLi16EEEvPT_\n  in the source linear::dense::scale<int, 16>\n",
		"\nkernel _Z3addPi\n  code  ",
	} {
		if !strings.Contains(r.out, want) {
			t.Errorf("no %q in\n%s", want, r.out)
		}
	}
}

// TestInfoShader: what a module leaves to the launch is said to be that.
func TestInfoShader(t *testing.T) {
	r := simtgdb(t, "info", filepath.Join(kernels, "spirv", "calls.Od.spv"))
	const want = "  workgroup     required (16,1,1)\n  wave          as many lanes as the launch says\n"
	if !strings.Contains(r.out, want) {
		t.Errorf("no %q in\n%s", want, r.out)
	}
}

// PTX runs whatever processor its text is for, and info says so.
func TestInfoPTXTarget(t *testing.T) {
	for _, target := range []string{"sm_20", "sm_90a", "sm_121f"} {
		file := filepath.Join(t.TempDir(), "k.ptx")
		text := ".version 8.8\n.target " + target + "\n.address_size 64\n.visible .entry k() { ret; }\n"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		r := simtgdb(t, "info", file)
		if r.status != statusDone || !strings.Contains(r.out, " (can be simulated)\n") {
			t.Errorf("%s: status %d\n%s%s", target, r.status, r.err, r.out)
		}
		if r := simtgdb(t, "run", "--grid", "1", "--block", "1", file); r.status != statusDone {
			t.Errorf("%s: status %d\n%s", target, r.status, r.err)
		}
	}
}
