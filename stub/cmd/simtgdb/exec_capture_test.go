//go:build linux

package main

import (
	"context"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"simtgdb/simt"
	"simtgdb/stub/device/openclc"
	"simtgdb/stub/launch"
	"simtgdb/testdata/forkedgdb"
)

// TestExecCapture writes the launches of a program as launch files, and runs and debugs
// these by themselves.
func TestExecCapture(t *testing.T) {
	program := buildProgram(t, "kernels.O0.hipfb")
	dir := filepath.Join(t.TempDir(), "captured")
	if r := execute(t, []string{"--capture", dir}, program, "nodes", "twenty", "symbols"); r.status != 0 {
		t.Fatalf("status %d: %s", r.status, r.err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) != 22 {
		t.Fatalf("%d launch files, %v", len(files), err)
	}
	for _, f := range files {
		r := simtgdb(t, "run", "--launch", f)
		if r.status != 0 || !strings.Contains(r.out, "elements are as expected") {
			t.Errorf("%s: status %d: %s%s", filepath.Base(f), r.status, r.out, r.err)
		}
	}
	results, err := filepath.Glob(filepath.Join(dir, "0003-scale.*.out.bin"))
	if err != nil || len(results) != 1 {
		t.Fatal(results, err)
	}
	data, err := os.ReadFile(results[0])
	if err != nil {
		t.Fatal(err)
	}
	data[4*99]++
	if err := os.WriteFile(results[0], data, 0o666); err != nil {
		t.Fatal(err)
	}
	scale := filepath.Join(dir, "0003-scale.json")
	if r := simtgdb(t, "run", "--launch", scale); r.status != statusUnexpected ||
		!strings.Contains(r.out, "1 of 100 elements differ") {
		t.Errorf("status %d: %s%s", r.status, r.out, r.err)
	}
	if r := execute(t, []string{"--capture", dir}, program); r.status != statusInput {
		t.Errorf("into a folder that is not empty: status %d", r.status)
	}
	needGDB(t)
	walk := filepath.Join(dir, "0001-walk.json")
	c := debugger(t.Context(), "gdb",
		fmt.Sprintf("target remote | %s=1 %s serve --stdio --launch %s", asProgram, programFile(t), walk),
		"break walk", "continue", "print *first->next", "print *first->next->values@4", "kill")
	out, err := forkedgdb.CombinedOutput(t.Context(), c)
	missing := inOrder(string(out), []string{"$1 = {next = 0x2000", "count = 4}", "$2 = {1, 2, 3, 4}"})
	if err != nil || missing != "" {
		t.Errorf("%v, no %q in\n%s", err, missing, out)
	}
}

// TestExecCaptureAgain: what is captured of programs that use every kind of memory runs by itself, and so do
// what a session's recording packs of that, and what it packs of that again.
func TestExecCaptureAgain(t *testing.T) {
	hip := buildProgram(t, "kernels.O3.hipfb")
	cl, images := buildOpenCLProgram(t, "opencl.c"), buildOpenCLProgram(t, "images.c")
	for _, c := range []struct {
		name    string
		program []string
		source  bool // it is compiled when it runs
		most    int  // of its launches, that are looked at
	}{
		{"hip", []string{hip, "twenty", "nodes", "registered", "mallocs", "modules", "streams", "symbols"},
			false, 99},
		{"opencl", []string{cl, "memory", hostPrograms + "/kernels.co"}, false, 99},
		{"images", []string{images, hostPrograms + "/images.cl"}, true, 12},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := openclc.Find(); c.source && err != nil {
				t.Skipf("skipped: %v", err)
			}
			dir := filepath.Join(t.TempDir(), "captured")
			if r := execute(t, []string{"--capture", dir}, c.program...); r.status != 0 {
				t.Fatalf("status %d: %s", r.status, r.err)
			}
			files, err := filepath.Glob(filepath.Join(dir, "*.json"))
			if err != nil || len(files) == 0 {
				t.Fatalf("%d launch files, %v", len(files), err)
			}
			for _, f := range files[:min(len(files), c.most)] {
				text, packed := packAgain(t, launch.File{Path: f})
				again, same := packAgain(t, launch.File{Path: "launch.json", FS: packed})
				if d := cmp.Diff(text, again); d != "" || len(packed) != len(same) {
					t.Errorf("%s: packed again it is another:\n%s", filepath.Base(f), d)
				}
			}
		})
	}
}

// numbers begin the names of packed files.
var numbers = regexp.MustCompile("files/[0-9-]+")

// packAgain runs a launch, which must come to what it expects, and packs it.
func packAgain(t *testing.T, f launch.File) (text string, packed fstest.MapFS) {
	t.Helper()
	s, err := launch.ReadSpec(f)
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Load()
	if err != nil {
		t.Fatalf("%s: %v", f, err)
	}
	ev, err := p.Run(context.Background(), 1)
	expected := 0
	for i := range p.Buffers {
		if p.Buffers[i].Expected() {
			expected++
		}
	}
	if bad := p.Check(); err != nil || ev.Kind != simt.EndEvent || len(bad) > 0 || expected == 0 {
		t.Errorf("%s: %v, %v, %d expected, %d are not so", f, ev.Kind, err, expected, len(bad))
	}
	launchFile, files, err := p.Pack()
	if err != nil {
		t.Fatal(err)
	}
	packed = fstest.MapFS{"launch.json": {Data: launchFile}}
	for name, data := range files {
		packed[name] = &fstest.MapFile{Data: data}
	}
	return numbers.ReplaceAllString(string(launchFile), "files/"), packed
}

// TestExecRecord writes the launches of a program as recordings, which are replayed by themselves, with
// sources if they were wanted; and the same of a run.
func TestExecRecord(t *testing.T) {
	program := buildProgram(t, "kernels.O0.hipfb")
	dir := filepath.Join(t.TempDir(), "recorded")
	if r := execute(t, []string{"--record", dir, "--record-sources", "--source", checkObjects + "../src"},
		program, "nodes", "twenty"); r.status != 0 {
		t.Fatalf("status %d: %s", r.status, r.err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.simtgdb"))
	if err != nil || len(files) < 20 {
		t.Fatalf("%d recordings, %v", len(files), err)
	}
	own := filepath.Join(t.TempDir(), "run.simtgdb")
	if r := simtgdb(t, "run", "--launch", "../../../testdata/launch/matmul_cl.json", "--record", own,
		"--record-sources", "--source", "../../../testdata/src"); r.status != 0 {
		t.Fatalf("status %d: %s", r.status, r.err)
	}
	if r := simtgdb(t, "sources", own); !strings.Contains(r.out, "/matmul_cl.cl  ") {
		t.Errorf("sources: %s%s", r.out, r.err)
	}
	for _, c := range []struct {
		want string
		args []string
	}{
		{"--record-sources is about --record", []string{"--record-sources"}},
		{"exclude each other", []string{"--record", own, "--fidelity"}},
	} {
		r := simtgdb(t, append([]string{"run", "--launch", "../../../testdata/launch/demo.json"},
			c.args...)...)
		if r.status != statusInput || !strings.Contains(r.err, c.want) {
			t.Errorf("%q: status %d: %s", c.args, r.status, r.err)
		}
	}
	needGDB(t)
	for file, want := range map[string]string{files[2]: "elements are as expected",
		own: "argument 2 (c): all 1600 elements are as expected"} {
		c := debugger(t.Context(), "gdb",
			fmt.Sprintf("target remote | %s=1 %s replay --stdio %s", asProgram, programFile(t), file),
			"continue", "reverse-continue", "continue", "kill")
		out, err := forkedgdb.CombinedOutput(t.Context(), c)
		if missing := inOrder(string(out),
			[]string{want, "No more reverse-execution history", want}); err != nil ||
			missing != "" {
			t.Errorf("%s: %v, no %q in\n%s", filepath.Base(file), err, missing, out)
		}
	}
}

// TestSuiteOfCaptures: captured launches are a suite, which parts of a farm run each once, with results for
// CI systems; one that is not as expected fails there.
func TestSuiteOfCaptures(t *testing.T) {
	program := buildProgram(t, "kernels.O0.hipfb")
	dir := filepath.Join(t.TempDir(), "captured")
	if r := execute(t, []string{"--capture", dir}, program, "rounds"); r.status != 0 {
		t.Fatalf("status %d: %s", r.status, r.err)
	}
	passed := regexp.MustCompile(`(?m)^ok \d+ - (.+\.json)$`)
	times := map[string]int{}
	count := func(out string) {
		t.Helper()
		for _, m := range passed.FindAllStringSubmatch(out, -1) {
			times[m[1]]++
		}
	}
	first := simtgdb(t, "test", dir, "--shard", "1/3", "--tap", "-")
	count(first.out)
	t.Setenv("TEST_SHARD_INDEX", "1") // Bazel's count from 0
	t.Setenv("TEST_TOTAL_SHARDS", "3")
	junit := filepath.Join(t.TempDir(), "results.xml")
	second := simtgdb(t, "test", dir, "--tap", "-", "--junit", junit)
	count(second.out)
	own := len(times)
	t.Setenv("TEST_TOTAL_SHARDS", "")
	t.Setenv("SLURM_ARRAY_TASK_ID", "13")
	t.Setenv("SLURM_ARRAY_TASK_MIN", "11")
	t.Setenv("SLURM_ARRAY_TASK_COUNT", "3")
	third := simtgdb(t, "test", dir, "--tap", "-")
	count(third.out)
	if first.status != 0 || second.status != 0 || third.status != 0 || len(times) != 6 || own >= 6 {
		t.Errorf("%d launches ran, %d of them in two of three parts:\n%+v\n%+v\n%+v",
			len(times), own, first, second, third)
	}
	for name, n := range times {
		if n != 1 {
			t.Errorf("%s ran %d times", name, n)
		}
	}
	var results struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Cases    []struct {
			Name string `xml:"name,attr"`
		} `xml:"testcase"`
	}
	text, err := os.ReadFile(junit)
	if err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal(text, &results); err != nil ||
		len(results.Cases) != strings.Count(second.out, "\nok ") || results.Failures != 0 {
		t.Errorf("%v: %+v\n%s\n%s", err, results, text, second.out)
	}
	wrong, err := filepath.Glob(filepath.Join(dir, "0003-scale.*.out.bin"))
	if err != nil || len(wrong) != 1 {
		t.Fatal(wrong, err)
	}
	if err := os.WriteFile(wrong[0], make([]byte, 400), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SLURM_ARRAY_TASK_COUNT", "")
	if r := simtgdb(t, "test", dir, "--run", "0003|0004", "--tap", "-"); r.status != statusUnexpected ||
		!strings.Contains(r.out, "not ok ") || strings.Count(r.out, "0003-scale.json") == 0 {
		t.Errorf("%+v", r)
	}
}
