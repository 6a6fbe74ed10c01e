//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestExecFreed: an access to what was freed says what it was, and where the host program has allocated and
// freed it; what is left behind is told by --check=leak, and is in the report.
func TestExecFreed(t *testing.T) {
	_, dir := libraries()
	if dir == "" {
		t.Skip("skipped: no C compiler")
	}
	program := sharedProgram(t, "program", "cc", "-O0", "-g", "-w", "freed_hip.c", "-L$HIP",
		"-l:libamdhip64.so.5")
	text, err := os.ReadFile(filepath.Join(hostPrograms, "freed_hip.c"))
	if err != nil {
		t.Fatal(err)
	}
	line := func(mark string) int {
		before, _, _ := strings.Cut(string(text), "// "+mark+"\n")
		return strings.Count(before, "\n") + 1
	}
	report := filepath.Join(t.TempDir(), "r.json")
	r := execute(t, []string{"--check=leak", "--report", report}, program, hostPrograms+"/granule.co")
	want := "first 0\nagain 1\nsecond 700\n"
	if r.status != statusFault || r.out != want {
		t.Errorf("status %d: %q, want %q", r.status, r.out, want)
	}
	made := fmt.Sprintf("freed_hip.c:%d in room before any launch", line("made"))
	if missing := inOrder(r.err, []string{"in launch 2, ",
		"  freed        byte 0 of allocation 1, of 256 bytes at 0x", ", made at ", made,
		fmt.Sprintf("freed_hip.c:%d in main after launch 1 was submitted\n", line("freed")),
		"check leak: not destroyed: a stream\n",
		fmt.Sprintf("/freed_hip.c:%d in main\n  how many     3, all made there\n", line("streams")),
		"check leak: allocation 3, of 100 bytes", made,
		"check leak: allocation 4, of 10 bytes", fmt.Sprintf("freed_hip.c:%d in main after launch 1 was "+
			"submitted, the first of 3 that were made there, of 33 bytes together\n", line("some")),
		"not freed: 4 of the program's allocations, of 133 bytes"}); missing != "" {
		t.Errorf("%q is missing in\n%s", missing, r.err)
	}
	all := readReport(t, report)
	if len(all) != 4 || all[0].Kind != "fault" || all[0].Launch != 2 {
		t.Fatalf("%+v", all)
	}
	for i, mark := range []string{"streams", "made", "some"} {
		if f := all[1+i]; f.Kind != "leak" || f.Place.Line != uint32(line(mark)) {
			t.Errorf("%s: %+v", mark, f)
		}
	}
	known := filepath.Join(t.TempDir(), "known")
	if err := os.WriteFile(known, []byte("leak freed_*.c room\nleak freed_*.c main\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	r = execute(t, []string{"--check=leak", "--suppress", known}, program, hostPrograms+"/granule.co")
	if strings.Contains(r.err, "check leak") || !strings.Contains(r.err, "known:1 keeps 1 from being told") {
		t.Errorf("with a leak that is known:\n%s", r.err)
	}
	if r := execute(t, nil, program, hostPrograms+"/granule.co"); strings.Contains(r.err, "leak") {
		t.Errorf("without --check=leak: %s", r.err)
	}
	if r := simtgdb(t, reportArgs("--check=leak")...); r.status != statusInput ||
		!strings.Contains(r.err, "exec") {
		t.Errorf("run --check=leak: status %d: %s", r.status, r.err)
	}
}
