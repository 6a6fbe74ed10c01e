//go:build linux

package main

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// openCLFunctions are the functions of the API in the order of the table by which ICD loaders call.
func openCLFunctions(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile(hostPrograms + "/functions.txt")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(data))
}

// ofOtherAPIs are functions for what other APIs and extensions have.
var ofOtherAPIs = regexp.MustCompile(`GL|D3D|DX9|EXT$`)

// notThere are the functions of the API that say so.
var notThere = []string{"clCreatePipe", "clEnqueueNativeKernel"}

// TestExecOpenCLFunctions: every function of the API is there, stands in its place in the loaders' table,
// refuses to be called with nothing, and says its name, once, if that is all it does.
func TestExecOpenCLFunctions(t *testing.T) {
	t.Parallel()
	program := buildOpenCLProgram(t, "functions.c")
	functions := openCLFunctions(t)
	called := slices.DeleteFunc(slices.Clone(functions), func(name string) bool {
		return ofOtherAPIs.MatchString(name) || name == "clSVMFree" // which gives nothing
	})
	r := execute(t, nil, append([]string{program, strconv.Itoa(len(functions))}, called...)...)
	lines := strings.Split(strings.TrimSuffix(r.out, "\n"), "\n")
	if r.status != 0 || len(lines) != len(functions)+len(called) {
		t.Fatalf("status %d, %d lines: %s%s", r.status, len(lines), r.out, r.err)
	}
	for i, name := range functions {
		got := lines[i]
		if got != strings.TrimSuffix(name, "KHR") && got != name &&
			(got != "-" || !ofOtherAPIs.MatchString(name)) {
			t.Errorf("entry %d of the table is %s, want %s", i, got, name)
		}
	}
	// What gives an object gives none, and these have nothing to refuse.
	harmless :=
		regexp.MustCompile(`^cl(Create|Clone|Link|SVM|UnloadCompiler|GetExtensionFunction|EnqueueMap)`)
	for i, name := range called {
		got := lines[len(functions)+i]
		if code, ok := strings.CutPrefix(got, name+" -"); !ok && got != name+" 0" ||
			ok && code == "" || got == name+" 0" && !harmless.MatchString(name) {
			t.Errorf("%s: with nothing it gives %q", name, got)
		}
	}
	var said []string
	for _, m := range regexp.MustCompile(`(?m)(\w+) is not there: it returns -59$`).FindAllStringSubmatch(
		r.err, -1) {
		said = append(said, m[1])
	}
	slices.Sort(said)
	if d := cmp.Diff(notThere, said); d != "" {
		t.Errorf("these say that they are not there (-want +got):\n%s", d)
	}
}

// TestOpenCLFunctionsUpToDate compares the list of functions with the API's headers, where they are
// installed.
func TestOpenCLFunctionsUpToDate(t *testing.T) {
	functions := openCLFunctions(t)
	read := func(header string) string {
		data, err := os.ReadFile("/usr/include/CL/" + header)
		if err != nil {
			t.Skipf("skipped: %v", err)
		}
		return string(data)
	}
	for _, m := range regexp.MustCompile(`\b(cl[A-Z]\w+)\(`).FindAllStringSubmatch(read("cl.h"), -1) {
		if !slices.Contains(functions, m[1]) {
			t.Errorf("cl.h has %s, which is not in the list", m[1])
		}
	}
	_, table, _ := strings.Cut(read("cl_icd.h"), "typedef struct _cl_icd_dispatch {")
	table, _, _ = strings.Cut(table, "} cl_icd_dispatch;")
	var entries []string
	for _, m := range regexp.MustCompile(`(?:cl_api_\w+\s+|void \*)(\w+);`).FindAllStringSubmatch(table, -1) {
		entries = append(entries, m[1])
	}
	if d := cmp.Diff(entries, functions); d != "" {
		t.Errorf("cl_icd.h has another table (-header +list):\n%s", d)
	}
}
