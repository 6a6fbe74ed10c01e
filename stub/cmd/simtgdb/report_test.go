package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simtgdb/stub/findings"
)

// readReport is what --report has written as JSON.
func readReport(t *testing.T, name string) (all []findings.Finding) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var r struct{ Findings []findings.Finding }
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	return r.Findings
}

// reportArgs run a kernel with a race that the source has in lines 12 and 13.
func reportArgs(more ...string) []string {
	return append([]string{"run", "--source", checkObjects + "src", checkObjects + "defects.O0.co",
		"--kernel", "tile_race", "--grid", "128", "--block", "128", "--arg", "buf:i32[128]=iota", "--arg",
		"buf:i32[128]=zero"}, more...)
}

// TestReport: what is found is written for other programs, with its places, and the same in both formats.
func TestReport(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "r.json")
	if r := simtgdb(t, reportArgs("--check=race", "--report", name)...); r.status != statusFault {
		t.Fatalf("status %d\n%s", r.status, r.err)
	}
	all := readReport(t, name)
	if len(all) != 2 {
		t.Fatalf("%d findings, want 2: %+v", len(all), all)
	}
	f := all[0]
	if f.Kind != "race" || f.Kernel != "tile_race" || f.Wave != 1 || f.Lanes != "0xffffffffffffffff" ||
		f.WorkItem != [3]uint32{64, 0, 0} || f.Place.Line != 12 ||
		filepath.Base(f.Place.File) != "defects.cl" || f.Place.Function != "tile_race" || f.Access == nil ||
		f.Access.Does != "write" || f.Access.Address != "0x100" || f.Access.Size != 4 || len(f.Others) != 1 ||
		f.Others[0].Does != "read" || f.Others[0].Place.Line != 13 ||
		!strings.HasPrefix(f.Text, "check race: data race\n") {
		t.Errorf("%+v", f)
	}

	sarif := filepath.Join(folder, "r.sarif")
	simtgdb(t, reportArgs("--check=race", "--report", sarif)...)
	text, err := os.ReadFile(sarif)
	if err != nil {
		t.Fatal(err)
	}
	var log struct {
		Version string
		Runs    []struct {
			Results []struct{ Properties findings.Finding }
		}
	}
	if err := json.Unmarshal(text, &log); err != nil || log.Version != "2.1.0" ||
		len(log.Runs[0].Results) != 2 || log.Runs[0].Results[1].Properties.Text != all[1].Text {
		t.Errorf("%v\n%s", err, text)
	}

	// A fault is one, without any checker; of nothing found there is a report too.
	args := reportArgs("--report", name)
	args[len(args)-3] = "buf:i32[8]=zero"
	if r := simtgdb(t, args...); r.status != statusFault {
		t.Fatalf("status %d\n%s", r.status, r.err)
	}
	if all := readReport(t, name); len(all) != 1 || all[0].Kind != "fault" || all[0].Place.Line != 13 ||
		all[0].Message != "the kernel faulted: unmapped address" {
		t.Errorf("%+v", all)
	}
	simtgdb(t, reportArgs("--report", name)...)
	if all := readReport(t, name); len(all) != 0 {
		t.Errorf("%+v", all)
	}
	for _, bad := range []string{"r.txt", "r", filepath.Join(folder, "none", "r.json")} {
		if r := simtgdb(t, reportArgs("--report", bad)...); r.status != statusInput ||
			!strings.Contains(r.err, "report") {
			t.Errorf("%s: status %d: %s", bad, r.status, r.err)
		}
	}
}

// TestSuppressed: what a file says is not told, does not count, and is in no report; what it says otherwise
// is.
func TestSuppressed(t *testing.T) {
	folder := t.TempDir()
	list, name := filepath.Join(folder, "known"), filepath.Join(folder, "r.json")
	for text, left := range map[string]int{"race defects.cl tile_*": 0, "race other.cl": 2,
		"bounds defects.cl": 2} {
		if err := os.WriteFile(list, []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		r := simtgdb(t, reportArgs("--check=race", "--suppress", list, "--report", name)...)
		if all := readReport(t, name); len(all) != left || (r.status == statusFault) != (left > 0) ||
			strings.Contains(r.err, "known:1 keeps 2 from being told") != (left == 0) {
			t.Errorf("%s: status %d, %d findings, want %d\n%s", text, r.status, len(all), left, r.err)
		}
	}
	if err := os.WriteFile(list, []byte("rice *\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{list, filepath.Join(folder, "none")} {
		if r := simtgdb(t, reportArgs("--check=race", "--suppress", file)...); r.status != statusInput {
			t.Errorf("%s: status %d: %s", file, r.status, r.err)
		}
	}
}
