package main

import (
	"os/exec"
	"testing"

	"simtgdb/stub/device"
)

// TestOldStandards: a program may ask for a standard that IGC's own header is too new for.
func TestOldStandards(t *testing.T) {
	if _, err := exec.LookPath("ocloc"); err != nil {
		t.Skipf("skipped: %v", err)
	}
	source := []byte("kernel void k(global int *out) { out[get_global_id(0)] = 1; }\n")
	built, err := buildForIntel(t.Context(), &device.BuildRequest{Processor: "gen9", Options: "-cl-std=CL1.1",
		Inputs: []device.BuildInput{{Contents: source}}}, "")
	if err != nil || len(built.File) == 0 {
		t.Errorf("%v: %.200s", err, built.Log)
	}
}
