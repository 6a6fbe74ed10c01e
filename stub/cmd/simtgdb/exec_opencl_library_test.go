//go:build linux

package main

import (
	"os"
	"testing"

	"simtgdb/stub/device/openclc"
)

// TestExecOpenCLLibrary runs library.c, whose results library.txt has as PoCL made them, with SPIR-V in which
// clang 22 has left the functions of OpenCL C to a library, and with what is compiled of the source.
func TestExecOpenCLLibrary(t *testing.T) {
	t.Parallel()
	program := buildOpenCLProgram(t, "library.c")
	want, err := os.ReadFile(hostPrograms + "/library.txt")
	if err != nil {
		t.Fatal(err)
	}
	kernels := []string{"library.O0.spv", "library.O2.spv"}
	if _, err := openclc.Find(); err == nil {
		kernels = append(kernels, "library.cl")
	}
	for _, k := range kernels {
		r := execute(t, nil, program, hostPrograms+"/"+k)
		if r.status != 0 || r.out != string(want) {
			t.Errorf("%s: status %d: other results than PoCL's\n%s", k, r.status, r.err)
		}
	}
	onPoCL := needPoCL(t)
	out, err := onPoCL(program, hostPrograms+"/library.cl").Output()
	if err != nil || string(out) != string(want) {
		t.Errorf("%v: library.txt is not what PoCL makes", err)
	}
}
