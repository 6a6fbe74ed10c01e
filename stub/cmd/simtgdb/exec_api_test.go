//go:build linux

package main

import (
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"simtgdb/testdata/sweep"
)

// TestExecGraphs runs a program whose work is in graphs and memory pools.
func TestExecGraphs(t *testing.T) {
	t.Parallel()
	for _, level := range sweep.Some(2, "-O3", "-O0") {
		t.Run(level, func(t *testing.T) {
			r := execute(t, nil, compileProgram(t, level, "graphs.hip"))
			if r.status != 0 || r.out != "graphs: done\n" || r.err != "" {
				t.Errorf("status %d: %s%s", r.status, r.out, r.err)
			}
		})
	}
}

// TestExecAttributes runs a program that asks what kernels are.
func TestExecAttributes(t *testing.T) {
	t.Parallel()
	r := execute(t, nil, compileProgram(t, "-O3", "attributes.hip"))
	if r.status != 0 || r.out != "gfx90a:sramecc+:xnack- (910): waves of 64 lanes\nattributes: done\n" ||
		r.err != "" {
		t.Errorf("status %d: %s%s", r.status, r.out, r.err)
	}
}

// TestExecSeparate runs a program whose files are compiled by themselves and whose device code is linked.
func TestExecSeparate(t *testing.T) {
	t.Parallel()
	for _, level := range sweep.Some(2, "-O3", "-O0") {
		program := compileProgram(t, level, "separate.hip", "separate_other.hip", "-fgpu-rdc", "--hip-link")
		r := execute(t, nil, program)
		if r.status != 0 || r.out != "separate: 0 wrong, 42 launches\n" || r.err != "" {
			t.Errorf("%s: status %d: %s%s", level, r.status, r.out, r.err)
		}
	}
}

// TestExecRTC runs a program that compiles its kernels by hiprtc.
func TestExecRTC(t *testing.T) {
	t.Parallel()
	const want = "bad.hip:1:23: error: use of undeclared identifier 'oops'\nrtc: done\n"
	const refused = "simtgdb: a source of the program does not compile: " +
		"bad.hip:1:23: error: use of undeclared identifier 'oops'\n" +
		"simtgdb: a module of the program cannot be loaded: it is of no known format\n"
	r := execute(t, nil, compileProgram(t, "-O3", "rtc.hip"))
	if r.status != 0 || r.out != want || r.err != refused {
		t.Errorf("status %d: %s%s", r.status, r.out, r.err)
	}
}

// TestExecTogether runs a cooperative launch, whose workgroups wait for each other: plainly, for a
// profile, and once more from what was captured of it.
func TestExecTogether(t *testing.T) {
	program := compileProgram(t, "-O3", "together.hip")
	dir := filepath.Join(t.TempDir(), "captured")
	for _, flags := range [][]string{nil, {"--profile", "-"}, {"--capture", dir}} {
		r := execute(t, flags, program)
		if r.status != 0 || r.out != "hipErrorCooperativeLaunchTooLarge, hipSuccess, hipSuccess, 0 wrong\n" {
			t.Errorf("%q: status %d: %s%s", flags, r.status, r.out, r.err)
		}
	}
	if r := simtgdb(t, "run", "--launch", filepath.Join(dir, "0001-exchange.json")); r.status != 0 {
		t.Errorf("captured: status %d: %s%s", r.status, r.out, r.err)
	}
}

// exported are the functions that the client library has.
func exported(t *testing.T) map[string]bool {
	t.Helper()
	_, dir := libraries()
	if dir == "" {
		t.Skip("skipped: no C compiler")
	}
	f, err := elf.Open(filepath.Join(dir, "libamdhip64.so"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	symbols, err := f.DynamicSymbols()
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, s := range symbols {
		names[s.Name] = names[s.Name] || s.Section != elf.SHN_UNDEF
	}
	return names
}

// TestHIPFunctions: every function of HIP's headers is exported, where they are there.
func TestHIPFunctions(t *testing.T) {
	include := os.Getenv("HIP_INCLUDE")
	if include == "" {
		include = "/usr/include"
	}
	names := exported(t)
	const results = `hipError_t|hiprtcResult|const char\s*\*|int`
	declared := regexp.MustCompile(`(?m)^(?:` + results + `)\s+(hip\w+)\s*\(`)
	for _, header := range []string{"hip_runtime_api.h", "hip_ext.h", "hiprtc.h"} {
		text, err := os.ReadFile(filepath.Join(include, "hip", header))
		if err != nil {
			t.Skipf("skipped: %v", err)
		}
		found := declared.FindAllStringSubmatch(string(text), -1)
		if len(found) < 2 {
			t.Errorf("%s declares %d functions", header, len(found))
		}
		for _, m := range found {
			if !names[m[1]] {
				t.Errorf("%s of %s is not exported", m[1], header)
			}
		}
	}
}

// TestHIPMissing calls each function that is not served, which says so once.
func TestHIPMissing(t *testing.T) {
	t.Parallel()
	_, dir := libraries()
	if dir == "" {
		t.Skip("skipped: no C compiler")
	}
	const list = "../../device/client/src/hip_missing.c"
	text, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range regexp.MustCompile(`MISSING\((_?\w+)\)`).FindAllStringSubmatch(string(text), -1) {
		if m[1] != "name" {
			names = append(names, m[1])
		}
	}
	if len(names) < 60 {
		t.Fatalf("%s lists %d functions", list, len(names))
	}
	program := sharedProgram(t, "missing", "cc", "missing.c", "-ldl")
	r := execute(t, nil, append([]string{program}, names...)...)
	if r.status != 0 || r.out != "" {
		t.Errorf("status %d: %s", r.status, r.out)
	}
	for _, name := range names {
		line := fmt.Sprintf("simtgdb: %s is not there: it returns hipErrorNotSupported\n", name)
		if n := strings.Count(r.err, line); n != 1 {
			t.Errorf("%s is said %d times", name, n)
		}
	}
}
