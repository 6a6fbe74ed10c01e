package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// defectObjects are the programs with defects, and whether their debugging information has lines: IGC writes it only
// for programs with one kernel.
var defectObjects = map[string]bool{"co": true, "ptx": true, "spv": true, "zebin": false}

// A marked is what the source of a kernel with a defect says: the lines where it is reported, and of the others.
type marked struct{ at, other []int }

// defects reads the kernels and the marks of testdata/check/src/defects.cl.
func defects(t *testing.T) map[string]*marked {
	t.Helper()
	text, err := os.ReadFile("../../../testdata/check/src/defects.cl")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*marked{}
	kernel := regexp.MustCompile(`__kernel void (\w+)`)
	mark := regexp.MustCompile(`(\w+_(?:race|uninit|barrier))( other)?\b`)
	for i, line := range strings.Split(string(text), "\n") {
		if k := kernel.FindStringSubmatch(line); k != nil {
			all[k[1]] = &marked{}
			continue
		}
		_, comment, _ := strings.Cut(line, "//")
		for _, m := range mark.FindAllStringSubmatch(comment, -1) {
			if m[2] != "" {
				all[m[1]].other = append(all[m[1]].other, i+1)
			} else {
				all[m[1]].at = append(all[m[1]].at, i+1)
			}
		}
	}
	if len(all) < 20 {
		t.Fatalf("only %d kernels", len(all))
	}
	return all
}

var (
	reported  = regexp.MustCompile(`check (\w+): (.*)\n((?:  .*\n)*)`)
	lineOfPC  = regexp.MustCompile(`  pc .*\.cl:(\d+)\)`)
	lineOther = regexp.MustCompile(`  (?:with|elsewhere) .*\.cl:(\d+)\)`)
)

// TestDefects: what has a defect is reported, on all machines, and what only looks like it is not.
func TestDefects(t *testing.T) {
	for kernel, want := range defects(t) {
		for kind, lines := range defectObjects {
			for _, level := range opts {
				t.Run(fmt.Sprintf("%s/%s/%s", kernel, kind, level), func(t *testing.T) {
					t.Parallel()
					testDefect(t, kernel, want, lines, fmt.Sprintf("defects.%s.%s", level, kind))
				})
			}
		}
	}
}

// lost are kernels whose defect an optimiser may take away: a read of what is undefined, a barrier in both branches.
var lost = []string{"private_uninit", "local_uninit", "two_barrier"}

// unseen are defects that the checkers do not find on a machine: whoever makes them find one takes it out here.
// Gen9's private memory is global memory that threads use one after the other.
var unseen = map[string]bool{"private_uninit zebin": true, "private_uninit co": true}

func testDefect(t *testing.T, kernel string, want *marked, lines bool, object string) {
	init := "zero"
	if strings.HasPrefix(kernel, "output") {
		init = "none"
	}
	r := simtgdb(t, "run", "--check=all", filepath.Join("../../../testdata/check", object), "--kernel", kernel,
		"--grid", "512", "--block", "128", "--arg", "buf:i32[512]=iota", "--arg", "buf:i32[512]="+init)
	_, kind, _ := strings.Cut(kernel, "_")
	if kind == "ok" {
		if r.status != statusDone || r.err != "" {
			t.Errorf("status %d\n%s", r.status, r.err)
		}
		return
	}
	if r.status == statusDone && slices.Contains(lost, kernel) && strings.Contains(object, ".O2.") {
		return
	}
	if unseen[kernel+" "+object[strings.LastIndexByte(object, '.')+1:]] {
		if r.status != statusDone {
			t.Errorf("status %d: it is seen now\n%s", r.status, r.err)
		}
		return
	}
	if r.status != statusFault {
		t.Errorf("status %d\n%s", r.status, r.err)
	}
	at, found := false, false
	for _, m := range reported.FindAllStringSubmatch(r.err, -1) {
		if m[1] != kind {
			continue
		}
		found = true
		here := !lines || slices.Contains(want.at, lineIn(lineOfPC, m[3])) || slices.Contains(want.other, lineIn(lineOfPC, m[3]))
		with := !lines || len(want.other) == 0 || slices.Contains(want.other, lineIn(lineOther, m[3])) ||
			slices.Contains(want.at, lineIn(lineOther, m[3]))
		at = at || here && with
	}
	switch {
	case !found:
		t.Errorf("no report of kind %s:\n%s", kind, r.err)
	case !at:
		t.Errorf("no report at lines %v with %v:\n%s", want.at, want.other, r.err)
	}
}

// lineIn is the line that a report names; 0 if it names none.
func lineIn(r *regexp.Regexp, report string) (n int) {
	if m := r.FindStringSubmatch(report); m != nil {
		fmt.Sscan(m[1], &n)
	}
	return n
}
