//go:build linux

package main

import (
	"path/filepath"
	"strings"
	"testing"

	"simtgdb/stub/device/openclc"
	"simtgdb/testdata/sweep"
)

// everywhere are the scenarios of opencl_more.c that hold for every implementation of OpenCL.
var everywhere = []string{"access", "maps", "shared", "order", "callbacks", "threads", "times", "boxes",
	"asks", "integers", "contexts"}

// TestExecOpenCLMore runs the scenarios of opencl_more.c.
func TestExecOpenCLMore(t *testing.T) {
	t.Parallel()
	program := buildOpenCLProgram(t, "opencl_more.c")
	var words []string
	want := ""
	_, noCompiler := openclc.Find()
	for _, s := range append([]string{"forks", "own", "fails", "pictures", "constants"}, everywhere...) {
		file := hostPrograms + "/kernels.co"
		switch s {
		case "constants":
			file = hostPrograms + "/special.spv"
		case "asks", "integers": // of what a source says; compiles one
			if noCompiler != nil {
				continue
			}
			file = hostPrograms + "/kernels.cl"
		}
		words, want = append(words, s+" "+file), want+s+": done\n"
	}
	if r := executeInTurn(t, nil, program, words...); r.status != 0 || r.out != want {
		t.Errorf("status %d: %q, want %q\n%s", r.status, r.out, want, r.err)
	}
	if noCompiler != nil {
		t.Skipf("skipped in part: %v", noCompiler)
	}
}

// TestOpenCLMoreOnPoCL has PoCL run them, where it is installed with an ICD loader: what they want is not
// our own idea of OpenCL.
func TestOpenCLMoreOnPoCL(t *testing.T) {
	program := buildOpenCLProgram(t, "opencl_more.c")
	onPoCL := needPoCL(t)
	for _, s := range sweep.Some(3, everywhere...) {
		out, err := onPoCL(program, s, hostPrograms+"/kernels.cl").CombinedOutput()
		if err != nil || string(out) != s+": done\n" {
			t.Errorf("%s: %v: %s", s, err, out)
		}
	}
	language := buildOpenCLProgram(t, "opencl_language.c")
	for _, s := range ofTheLanguage {
		if s == "attributes" { // PoCL names none before a kernel has run, and takes no conversions
			break
		}
		if out, err := onPoCL(language, s).Output(); err != nil || string(out) != s+": done\n" {
			t.Errorf("%s: %v: %s", s, err, out)
		}
	}
}

// ofTheLanguage are the scenarios of opencl_language.c, which hold for every implementation.
var ofTheLanguage = []string{"macros", "dims", "mistakes", "attributes", "conversions"}

// TestExecOpenCLLanguage: what kernels are told of the device, and what is accepted with a warning.
func TestExecOpenCLLanguage(t *testing.T) {
	if _, err := openclc.Find(); err != nil {
		t.Skipf("skipped: %v", err)
	}
	program := buildOpenCLProgram(t, "opencl_language.c")
	want := strings.Join(ofTheLanguage, ": done\n") + ": done\n"
	if r := executeInTurn(t, nil, program, ofTheLanguage...); r.status != 0 || r.out != want {
		t.Errorf("status %d: %q, want %q\n%s", r.status, r.out, want, r.err)
	}
	// Once more from what was captured: the launch whose kernel is told of two dimensions and has one.
	dir := filepath.Join(t.TempDir(), "captured")
	execute(t, []string{"--capture", dir}, program, "dims")
	if r := simtgdb(t, "run", "--launch", filepath.Join(dir, "0002-k.json")); r.status != 0 {
		t.Errorf("captured: status %d: %s%s", r.status, r.out, r.err)
	}
}

// TestExecBoth runs a program that uses two libraries, each of which has a device.
func TestExecBoth(t *testing.T) {
	t.Parallel()
	r := execute(t, nil, buildOpenCLProgram(t, "both.c"), hostPrograms+"/kernels.co")
	if r.status != 0 || r.out != "both: 1 1 1\n" || r.err != "" {
		t.Errorf("status %d: %q\n%s", r.status, r.out, r.err)
	}
}

// TestExecOpenCLTold: what kernels print and do wrong is told, whatever the program did since the launch.
func TestExecOpenCLTold(t *testing.T) {
	t.Parallel()
	r := execute(t, nil, buildOpenCLProgram(t, "opencl_more.c"), "told", hostPrograms+"/kernels.co")
	if want := "group 0 of 2\ngroup 1 of 2\nwaited\ntold: done\n"; r.status != statusFault || r.out != want {
		t.Errorf("status %d: %q, want %q", r.status, r.out, want)
	}
	const want = "in launch 2, number 1 of kernel beyond:\nthe kernel faulted: unmapped address"
	if strings.Count(r.err, want) != 1 {
		t.Errorf("no %q in\n%s", want, r.err)
	}
}
