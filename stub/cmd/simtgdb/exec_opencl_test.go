//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"simtgdb/stub/device/client"
	"simtgdb/stub/device/openclc"
	"simtgdb/testdata/sweep"
)

// openCLLibrary is the folder of the OpenCL library, in the cache that libraries has; empty where there is no
// C compiler.
var openCLLibrary = sync.OnceValues(func() (string, error) {
	cache, _ := libraries()
	if cache == "" {
		return "", nil
	}
	return libraryIn(cache, &client.OpenCL)
})

// openCLLoader is an ICD loader, if it is installed.
const openCLLoader = "/usr/lib/x86_64-linux-gnu/libOpenCL.so.1"

// buildOpenCLProgram compiles a program.
func buildOpenCLProgram(t *testing.T, source string) string {
	t.Helper()
	dir, err := openCLLibrary()
	if err != nil {
		t.Fatal(err)
	}
	if dir == "" {
		t.Skip("skipped: no C compiler")
	}
	return sharedProgram(t, "program", "cc", "-O1", "-w", source, "-L$OPENCL", "-l:libOpenCL.so.1",
		"-lpthread")
}

// TestExecOpenCL runs the scenarios of opencl.c with a code object.
func TestExecOpenCL(t *testing.T) {
	t.Parallel()
	program := buildOpenCLProgram(t, "opencl.c")
	for _, s := range []struct {
		name   string
		status int
		out    string
		err    []string
	}{
		{"errors", 0, "errors: done\n", []string{"clCreatePipe is not there: it returns -59\n"}},
		{"beyond", 1, "clFinish(queue): error -5\n", []string{"in launch 1, number 1 of kernel beyond:",
			"lane         4 of wave 0, first of 28: 4-31", "kernels.cl:25)",
			"0 bytes after the end of argument 0 (out), allocation of 256 bytes"}},
	} {
		t.Run(s.name, func(t *testing.T) {
			r := execute(t, nil, program, s.name, hostPrograms+"/kernels.co")
			if r.status != s.status || !strings.HasSuffix(r.out, s.out) {
				t.Errorf("status %d, want %d: %q, want %q\n%s", r.status, s.status, r.out, s.out, r.err)
			}
			for _, want := range s.err {
				if !strings.Contains(r.err, want) {
					t.Errorf("no %q in\n%s", want, r.err)
				}
			}
		})
	}
	var words []string
	for _, s := range []string{"kernels", "memory", "events", "says", "rounds"} {
		words = append(words, s+" "+hostPrograms+"/kernels.co")
	}
	want := []string{"kernels: done\n", "memory: done\n", "events: done\n", "group 0 of 3\ngroup 1 of 3\n" +
		"group 2 of 3\nsays: done\n", "rounds: done\n"}
	r := executeInTurn(t, nil, program, words...)
	if missing := inOrder(r.out, want); missing != "" || r.status != 0 {
		t.Errorf("status %d, no %q in its place in\n%s\n%s", r.status, missing, r.out, r.err)
	}
}

// TestExecOpenCLLoader runs a scenario by way of an ICD loader, where one is installed.
func TestExecOpenCLLoader(t *testing.T) {
	program := buildOpenCLProgram(t, "opencl.c")
	if _, err := os.Stat(openCLLoader); err != nil {
		t.Skipf("skipped: %v", err)
	}
	r := execute(t, nil, "/usr/bin/env", "-u", "LD_LIBRARY_PATH", program, "memory",
		hostPrograms+"/kernels.co")
	if r.status != 0 || r.out != "memory: done\n" {
		t.Errorf("status %d: %q\n%s", r.status, r.out, r.err)
	}
}

// TestExecOpenCLSources has kernels compiled, where the compiler is installed.
func TestExecOpenCLSources(t *testing.T) {
	t.Parallel()
	program := buildOpenCLProgram(t, "opencl.c")
	if _, err := openclc.Find(); err != nil {
		t.Skipf("skipped: %v", err)
	}
	for _, s := range []string{"kernels", "sources", "rounds", "arguments"} {
		r := execute(t, nil, program, s, hostPrograms+"/kernels.cl")
		if r.status != 0 || !strings.HasSuffix(r.out, s+": done\n") {
			t.Errorf("%s: status %d: %q\n%s", s, r.status, r.out, r.err)
		}
		// The program looks into the log of what it has built wrongly, and shows it nobody.
		told := strings.Contains(r.err, "simtgdb exec: an OpenCL program does not compile:\n") &&
			strings.Contains(r.err, "use of undeclared identifier 'nothing'\n")
		if told != (s == "sources") {
			t.Errorf("%s: %s", s, r.err)
		}
	}
}

// TestExecOpenCLSourcesIntel has kernels compiled for Intel's generations, for one of them each time but in a
// sweep.
func TestExecOpenCLSourcesIntel(t *testing.T) {
	t.Parallel()
	program := buildOpenCLProgram(t, "opencl.c")
	if _, err := exec.LookPath("ocloc"); err != nil {
		t.Skipf("skipped: %v", err)
	}
	generations := []string{"xe-hpc"}
	if sweep.All() {
		generations = []string{"gen8", "gen9", "gen11", "gen12lp", "xe-hpg", "xe-hpc"}
	}
	for _, g := range generations {
		for _, s := range []string{"kernels", "arguments"} {
			r := execute(t, []string{"--target", g}, program, s, hostPrograms+"/kernels.cl")
			if r.status != 0 || !strings.HasSuffix(r.out, s+": done\n") {
				t.Errorf("%s, %s: status %d: %q\n%s", g, s, r.status, r.out, r.err)
			}
		}
	}
	r := execute(t, []string{"--target", generations[0]}, program, "sources", hostPrograms+"/kernels.cl")
	for _, want := range []string{"error: unknown argument: -fno-such-option\n",
		"a program is built of one source; nothing is linked\n"} {
		if !strings.Contains(r.err, want) {
			t.Errorf("status %d, no %q in\n%s", r.status, want, r.err)
		}
	}
}

// TestExecOpenCLCache: a program that runs again is not compiled again, unless the user wants it.
func TestExecOpenCLCache(t *testing.T) {
	program := buildOpenCLProgram(t, "opencl.c")
	c, err := openclc.Find()
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	dir := t.TempDir()
	counter, compiler := filepath.Join(dir, "count"), filepath.Join(dir, "clang")
	script := fmt.Sprintf("#!/bin/sh\necho run >>%s\nexec %s \"$@\"\n", counter, c.Clang)
	if err := os.WriteFile(compiler, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SIMTGDB_CLANG", compiler)
	for i, run := range []struct {
		flags    []string
		compiles bool
	}{{nil, true}, {nil, false}, {[]string{"--no-cache"}, true}, {[]string{"--cl-options", "-DX"}, true}} {
		r := execute(t, run.flags, program, "rounds", hostPrograms+"/kernels.cl")
		_, err := os.Stat(counter)
		if r.status != 0 || !strings.HasSuffix(r.out, "rounds: done\n") || err == nil != run.compiles {
			t.Errorf("run %d: status %d: %q, it compiles: %v\n%s", i, r.status, r.out, err == nil, r.err)
		}
		_ = os.Remove(counter)
	}
}

// TestExecNoOpenCLCompiler: what a program learns where there is none.
func TestExecNoOpenCLCompiler(t *testing.T) {
	program := buildOpenCLProgram(t, "opencl.c")
	c := execOn(t, nil, program, "kernels", hostPrograms+"/kernels.cl")
	c.Env = append(c.Env, "SIMTGDB_CLANG=no-such-compiler")
	out, err := c.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "error -11") {
		t.Errorf("%v\n%s", err, out)
	}
}
