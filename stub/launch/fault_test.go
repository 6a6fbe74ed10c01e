package launch

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"simtgdb/simt"
)

// assemble makes a kernel k of one instruction line after another. It has no
// metadata; s[0:1] point at its arguments, v0 is the work-item.
func assemble(t *testing.T, code string) File {
	t.Helper()
	return compile(t, "k.s", fmt.Sprintf(`.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.text
.globl k
.p2align 8
.type k,@function
k:
%s
s_endpgm
.size k, .-k
.rodata
.p2align 6
.amdhsa_kernel k
.amdhsa_group_segment_fixed_size 16
.amdhsa_user_sgpr_kernarg_segment_ptr 1
.amdhsa_next_free_vgpr 8
.amdhsa_next_free_sgpr 16
.end_amdhsa_kernel
`, code), "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx900", "-nogpulib", "-x", "assembler")
}

var addresses = regexp.MustCompile(`0x7[0-9a-f]{11}`)

// faultOf runs a kernel that must not end well and describes how it did.
func faultOf(t *testing.T, p *Program) string {
	t.Helper()
	ev, err := p.Run(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if ev.Kind == simt.EndEvent {
		t.Fatal("the kernel ended without a fault")
	}
	return addresses.ReplaceAllString(p.DescribeFault(ev), "ADDR")
}

// The place that the reports of kernels share.
const (
	everyLane = "  lane         0 of wave 0, first of 4: 0-3\n"
	firstItem = "  work-item    (0,0,0) of workgroup (0,0,0), (0,0,0) in the grid\n"
)

// TestFaultsNameCalls: a wave of gfx9 knows the calls that it is in by itself: with no debugging information,
// no record and no other run, however it is run.
func TestFaultsNameCalls(t *testing.T) {
	for _, test := range []struct {
		file, kernel string
		args         []string
		stack        uint64
		want         string // functions and how many calls of each there are
	}{
		{"check/calls.O0.co", "far_fault", []string{"buf:i32[512]=iota", "buf:i32[512]"}, 0,
			"outer far_fault far_fault"}, // unoptimised, the kernel calls what has its body
		{"check/calls.O2.co", "far_fault", []string{"buf:i32[512]=iota", "buf:i32[512]"}, 0,
			"outer far_fault"},
		{"co/recursion.gfx90a.O0.co", "", []string{"buf:i32[64]", "i32:64"}, 200,
			"walk walk walk walk walk recursion"},
	} {
		for _, interpret := range []bool{false, true} {
			s := &Spec{CodeObject: File{Path: filepath.Join(kernels, test.file)}, Kernel: test.kernel,
				Stack: &test.stack, Grid: Dims{64, 1, 1}, Block: Dims{64, 1, 1},
				Args: parseArgs(t, test.args...)}
			if test.stack == 0 {
				s.Stack = nil
			}
			p := load(t, s)
			p.Machine.Interpret = interpret
			var got []string
			for _, m := range regexp.MustCompile(`called from  0x\w+ in (\w+)`).FindAllStringSubmatch(
				faultOf(t, p), -1) {
				got = append(got, m[1])
			}
			if text := strings.Join(got, " "); text != test.want {
				t.Errorf("%s, interpreted %v: called from %s, want %s", test.file, interpret, text, test.want)
			}
		}
	}
}

func TestDescribeFault(t *testing.T) {
	const pointer = "s_load_dwordx2 s[4:5], s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\nv_mov_b32 v2, s4\nv_mov_b32 v3, s5\n"
	for _, test := range []struct{ name, code, want string }{
		{"null pointer", "v_mov_b32 v2, 0\nv_mov_b32 v3, 0\nglobal_load_dword v1, v[2:3], off",
			"the kernel faulted: unmapped address\n" + everyLane + firstItem +
				"  pc           0x1308 in k+0x8\n" +
				"  instruction  global_load_dword v1, v[2:3], off\n" +
				"  access       read of 4 bytes at 0x0 in global memory\n" +
				"  nearest      640 bytes before the start of .rodata at [0x280,0x2c0)\n"},
		{"past the end, in one lane",
			pointer + "v_lshlrev_b32 v4, 2, v0\nv_add_co_u32 v2, vcc, v2, v4\nv_addc_co_u32 v3, vcc, 0, v3, vcc\nglobal_store_dword v[2:3], v0, off",
			"the kernel faulted: unmapped address\n" +
				"  lane         3 of wave 0, alone\n" +
				"  work-item    (3,0,0) of workgroup (0,0,0), (3,0,0) in the grid\n" +
				"  pc           0x1320 in k+0x20\n" +
				"  instruction  global_store_dword v[2:3], v0, off\n" +
				"  access       write of 4 bytes at ADDR in global memory\n" +
				"  nearest      0 bytes after the end of argument 0, i32[3] at [ADDR,ADDR): element 3\n"},
		{"across the end", pointer + "global_load_dwordx2 v[4:5], v[2:3], off offset:8",
			"the kernel faulted: unmapped address\n" + everyLane + firstItem +
				"  pc           0x1314 in k+0x14\n" +
				"  instruction  global_load_dwordx2 v[4:5], v[2:3], off offset:8\n" +
				"  access       read of 8 bytes at ADDR in global memory\n" +
				"  nearest      across the end of argument 0, i32[3] at [ADDR,ADDR): element 2\n"},
		{"before the start", pointer + "global_load_dword v4, v[2:3], off offset:-20",
			"the kernel faulted: unmapped address\n" + everyLane + firstItem +
				"  pc           0x1314 in k+0x14\n" +
				"  instruction  global_load_dword v4, v[2:3], off offset:-20\n" +
				"  access       read of 4 bytes at ADDR in global memory\n" +
				"  nearest      20 bytes before the start of argument 0, i32[3] at [ADDR,ADDR)\n"},
		{"write to code",
			"s_getpc_b64 s[4:5]\nv_mov_b32 v2, s4\nv_mov_b32 v3, s5\nglobal_store_dword v[2:3], v0, off",
			"the kernel faulted: forbidden access\n" + everyLane + firstItem +
				"  pc           0x130c in k+0xc\n" +
				"  instruction  global_store_dword v[2:3], v0, off\n" +
				"  access       write of 4 bytes at 0x1304 in global memory\n" +
				"  nearest      in .text at [0x1300,0x1318), which is readable and executable only\n"},
		{"misaligned atomic", pointer + "global_atomic_add v[2:3], v0, off offset:2",
			"the kernel faulted: misaligned address\n" + everyLane + firstItem +
				"  pc           0x1314 in k+0x14\n" +
				"  instruction  global_atomic_add v[2:3], v0, off offset:2\n" +
				"  access       write of 4 bytes at ADDR in global memory\n" +
				"  nearest      in argument 0, i32[3] at [ADDR,ADDR): element 0\n"},
		{"LDS", "v_mov_b32 v2, 14\nds_write_b32 v2, v0",
			"the kernel faulted: unmapped address\n" + everyLane + firstItem +
				"  pc           0x1304 in k+0x4\n" +
				"  instruction  ds_write_b32 v2, v0\n" +
				"  access       write of 4 bytes at 0xe in LDS memory\n" +
				"  nearest      the workgroup has 16 bytes of LDS\n"},
		{"trap", "s_nop 0\ns_trap 2",
			"the kernel trapped (s_trap 2)\n" + everyLane + firstItem +
				"  pc           0x1304 in k+0x4\n" +
				"  instruction  s_trap 2\n"},
		{"illegal instruction", ".long 0xbeffffff",
			"the kernel faulted: illegal instruction\n" + everyLane + firstItem +
				"  pc           0x1300 in k\n" +
				"  reason       0x1300: bytes ff ff ff be: SOP1 has no opcode 0xff on gfx900\n"},
		{"trap of no lane", "s_mov_b64 exec, 0\ns_trap 2",
			"the kernel trapped (s_trap 2)\n" +
				"  lane         0 of wave 0, which is not active, nor is any other\n" + firstItem +
				"  pc           0x1304 in k+0x4\n" +
				"  instruction  s_trap 2\n"},
		{"branch to nowhere", "s_mov_b64 s[4:5], 0\ns_setpc_b64 s[4:5]",
			"the kernel faulted: illegal instruction\n" + everyLane + firstItem +
				"  pc           0x0\n" +
				"  reason       0x0: no code is mapped here\n" +
				"  came from    0x1304 in k+0x4: s_setpc_b64 s[4:5]\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := load(t, &Spec{CodeObject: assemble(t, test.code), Grid: Dims{4, 1, 1}, Block: Dims{4, 1, 1},
				Args: parseArgs(t, "buf:i32[3]")})
			if got := faultOf(t, p); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// Recursion without the room that it needs.
func TestDescribeStackOverflow(t *testing.T) {
	none := uint64(0)
	p := load(t, &Spec{CodeObject: object("recursion"), Grid: Dims{64, 1, 1}, Block: Dims{64, 1, 1},
		Stack: &none, Args: parseArgs(t, "buf:i32[64]", "i32:64")})
	got := faultOf(t, p)
	want := regexp.MustCompile(`^the kernel faulted: stack overflow by recursion of walk, 2 calls deep
  lane         \d+ of wave 0, first of \d+: .*
  work-item    .*
  pc           0x[0-9a-f]+ in walk\+0x[0-9a-f]+ \(recursion.hip:\d+\)
  called from  0x[0-9a-f]+ in walk\+0x[0-9a-f]+ \(recursion.hip:\d+\)
  called from  0x[0-9a-f]+ in recursion\+0x[0-9a-f]+ \(recursion.hip:\d+\)
  instruction  buffer_store_dword .*
  access       write of 4 bytes at 0x[0-9a-f]+ in scratch memory
  nearest      a lane has \d+ bytes of private memory \(see --stack\)
$`)
	if !want.MatchString(got) {
		t.Error(got)
	}
}

func TestLanesText(t *testing.T) {
	for _, test := range []struct {
		mask uint64
		want string
	}{
		{0, "which is not active, nor is any other"},
		{1 << 5, "alone"},
		{0b1011, "first of 3: 0-1,3"},
		{^uint64(0), "first of 64: 0-63"},
		{0xf << 60, "first of 4: 60-63"},
		{1<<63 | 1, "first of 2: 0,63"},
	} {
		if got := lanesText(test.mask); got != test.want {
			t.Errorf("%#x: %s, want %s", test.mask, got, test.want)
		}
	}
}
