//go:build linux

package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestExecGranules: kernels that leave allocations, but not the granules that devices allocate, go on; each
// allocation is told of once, with all that a fault tells. What leaves the granule faults, and so does
// everything where bounds are checked, or in launches by themselves.
func TestExecGranules(t *testing.T) {
	_, dir := libraries()
	if dir == "" {
		t.Skip("skipped: no C compiler")
	}
	hip := sharedProgram(t, "program", "cc", "-O1", "-w", "granule_hip.c", "-L$HIP",
		"-l:libamdhip64.so.5")
	opencl := buildOpenCLProgram(t, "granule_opencl.c")
	const all = "sums: 7\nsums: 7\nclear: "
	told := []string{"simtgdb exec: in launch 1, number 1 of kernel sums: an access leaves",
		"lane         0 of wave 0, first", "work-item    (0,0,0)", "access       read of ",
		"the end of argument 0", ", allocation of 12 bytes at [0x"}
	second := append(append([]string{}, told...), "launch 4, number 3 of kernel sums: an access leaves")
	co, spv := hostPrograms+"/granule.co", hostPrograms+"/granule.spv"
	for _, c := range []struct {
		name   string
		flags  []string
		words  []string
		status int
		out    string
		err    []string
		times  int // that an access is told of
	}{
		{"HIP", nil, []string{hip, co, "0", "0"}, 0, all + "7\n" + all + "7\n", second, 2},
		{"OpenCL", nil, []string{opencl, co, "0", "0"}, 0, all + "7\n" + all + "7\n", second, 2},
		{"SPIR-V", nil, []string{opencl, spv, "0", "0"}, 0, all + "7\n" + all + "7\n", second, 2},
		{"one worker", []string{"--workers=1"}, []string{hip, co, "0"}, 0, all + "7\n", told, 1},
		{"past the granule", nil, []string{hip, co, "40"}, 1, "hipDeviceSynchronize(): error 700\n",
			append(told, "simtgdb: in launch 1", "kernel faulted: unmapped"), 1},
		{"bounds", []string{"--check=bounds"}, []string{hip, co, "0"}, 1,
			"hipDeviceSynchronize(): error 700\n",
			[]string{"simtgdb: in launch 1", "kernel faulted: unmapped", "allocation of 12 bytes"}, 0},
		{"other checks", []string{"--check=race"}, []string{hip, co, "0"}, 0, all + "7\n", told, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := execute(t, c.flags, c.words...)
			if r.status != c.status || r.out != c.out {
				t.Errorf("status %d, want %d: %q, want %q", r.status, c.status, r.out, c.out)
			}
			missing := inOrder(r.err, c.err)
			if n := strings.Count(r.err, "an access leaves"); missing != "" || n != c.times {
				t.Errorf("told %d times, want %d; %q is missing in\n%s", n, c.times, missing, r.err)
			}
		})
	}
	captured := filepath.Join(t.TempDir(), "captured")
	execute(t, []string{"--capture", captured}, hip, co, "0")
	r := simtgdb(t, "run", "--launch", filepath.Join(captured, "0001-sums.json"))
	if r.status != statusFault || !strings.Contains(r.err, "the kernel faulted: unmapped address") {
		t.Errorf("captured: status %d: %s", r.status, r.err)
	}
}
