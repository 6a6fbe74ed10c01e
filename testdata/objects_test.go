package testdata

import (
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestObjectsShowTheirPoint makes sure that no compiler has optimised away
// what a kernel is there for.
func TestObjectsShowTheirPoint(t *testing.T) {
	const objdump = "llvm-objdump-22"
	if err := exec.Command(objdump, "--version").Run(); err != nil {
		t.Skipf("skipped: %s does not run: %v", objdump, err)
	}
	points := []struct {
		kernel, level, function string
		instruction             string
	}{
		{"recursion", "O0", "_Z4walkii", `s_swappc_b64`},
		{"recursion", "O2", "_Z4walkii", `s_swappc_b64`},
		{"function_table", "O2", "function_table", `s_swappc_b64`},
		{"function_table", "O2", "_Z6nestedii", `s_swappc_b64`},
		{"preserved", "O2", "_Z5outerii", `v_xor_b32_e32 v40`},
		{"preserved", "O2", "_Z6middleii", `v_xor_b32_e32 v40`},
		{"preserved", "O2", "_Z5innerii", `v_xor_b32_e32 v40`},
		{"calls", "O2", "_Z8simulateP8Particle3Boxi", `s_swappc_b64`},
		{"calls", "O2", "_Z7advanceP8Particle3Boxf", `s_swappc_b64`},
		{"demo", "O2", "demo", `s_swappc_b64`},
		{"private_array", "O2", "private_array", `(buffer|scratch)_load_\w*short`},
		{"matmul", "O2", "matmul", `s_barrier`},
		{"matmul", "O2", "matmul", `ds_read`},
		{"reduce_cl", "O2", "reduce_cl", `ds_write`},
		{"lanes", "O2", "lanes", `v_mov_b32_dpp`},
		{"types", "O2", "types", `_sdwa`},
		{"types", "O2", "types", `v_pk_fma_f16`},
		{"wide", "O2", "_Z7doublesddxPd", `v_div_fmas_f64`},
		{"atomics", "O2", "atomics", `global_atomic_cmpswap`},
		{"atomics", "O2", "atomics", `ds_cmpst_rtn_b32`},
	}
	var functions, kernels []string
	for _, p := range points {
		functions, kernels = append(functions, p.function), append(kernels, p.kernel+" "+p.level)
	}
	slices.Sort(kernels)
	kernels = slices.Compact(kernels)
	for _, target := range targets {
		file := func(kernel, level string) string {
			return fmt.Sprintf("co/%s.%s.%s.co", kernel, target, level)
		}
		args := []string{"-d", "--mcpu=" + target, "--disassemble-symbols=" + strings.Join(functions, ",")}
		for _, k := range kernels {
			kernel, level, _ := strings.Cut(k, " ")
			args = append(args, file(kernel, level))
		}
		all, err := exec.Command(objdump, args...).Output() // one start for all objects
		if err != nil {
			t.Fatalf("%s: %v", target, err)
		}
		for _, p := range points {
			object := file(p.kernel, p.level)
			_, code, _ := strings.Cut(string(all), object+":\tfile format")
			code, _, _ = strings.Cut(code, ":\tfile format")
			_, code, ok := strings.Cut(code, "<"+p.function+">:\n")
			if !ok {
				t.Errorf("%s: no function %s", object, p.function)
				continue
			}
			code, _, _ = strings.Cut(code, ">:\n") // of the next
			if !regexp.MustCompile(p.instruction).MatchString(code) {
				t.Errorf("%s: no %s in %s", object, p.instruction, p.function)
			}
		}
	}
}

// TestVariablesInPreservedRegisters makes sure that the variable that each
// function of the kernel preserved keeps is said to be in a register that
// callees preserve.
func TestVariablesInPreservedRegisters(t *testing.T) {
	const dwarfdump = "llvm-dwarfdump-22"
	if err := exec.Command(dwarfdump, "--version").Run(); err != nil {
		t.Skipf("skipped: %s does not run: %v", dwarfdump, err)
	}
	for _, target := range targets {
		object := "co/preserved." + target + ".O2.co"
		dump, err := exec.Command(dwarfdump, "--name=own", object).Output()
		if err != nil {
			t.Fatalf("%s: %v", object, err)
		}
		if n := strings.Count(string(dump), "DW_OP_bregx VGPR40+0"); n != 3 {
			t.Errorf("%s: %d of 3 variables are in v40:\n%s", object, n, dump)
		}
	}
}
