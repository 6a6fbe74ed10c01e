package profile_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"simtgdb/stub/profile"
	"simtgdb/testdata/built"
)

// TestStacks: on each machine the stacks have all that is executed, by the calls that the source has; each
// format has what they have, and pprof's own reader says the same.
func TestStacks(t *testing.T) {
	check, err := filepath.Abs(testdata + "/check")
	if err != nil {
		t.Fatal(err)
	}
	for object, calls := range map[string]string{
		"calls.O0.co":    "called_race;called_race;shift",
		"calls.O0.ptx":   "called_race;called_race;shift",
		"calls.O0.spv":   "called_race;shift",
		"calls.O0.zebin": "called_race;shift",
	} {
		t.Run(object, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "launch.json")
			spec := fmt.Sprintf(`{"code_object": %q, "kernel": "called_race", "grid": [256], "block": [128], "args": [`+
				`{"buffer": {"type": "i32", "count": 256, "init": "iota"}}, `+
				`{"buffer": {"type": "i32", "count": 260, "init": "zero"}}]}`, filepath.Join(check, object))
			if err := os.WriteFile(file, []byte(spec), 0o600); err != nil {
				t.Fatal(err)
			}
			r, _, err := profiled(t, file)
			if err != nil {
				t.Fatal(err)
			}
			holdsStacks(t, r, calls)
		})
	}
}

// holdsStacks holds the formats of a report against it.
func holdsStacks(t *testing.T, r *profile.Report, calls string) {
	t.Helper()
	var sum profile.Figures
	for _, s := range r.Stacks {
		sum.Executed, sum.Lanes, sum.Bytes = sum.Executed+s.Executed, sum.Lanes+s.Lanes, sum.Bytes+s.Bytes
	}
	if sum.Executed != r.Total.Executed || sum.Lanes != r.Total.Lanes || sum.Bytes != r.Total.Bytes {
		t.Errorf("stacks have %+v, all %+v", sum, r.Total)
	}
	var folded, tree, scope, packed bytes.Buffer
	for _, err := range []error{r.Folded(&folded), r.Tree(&tree), r.Speedscope(&scope), r.Pprof(&packed)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	total, inCall := uint64(0), uint64(0)
	for line := range strings.Lines(folded.String()) {
		at, n := strings.LastIndexByte(line, ' '), uint64(0)
		fmt.Sscan(line[at:], &n)
		if total += n; strings.HasPrefix(line, calls+";") {
			inCall += n
		}
	}
	if total != r.Total.Executed || inCall == 0 {
		t.Errorf("folded: %d of %d, %d in the call\n%s", total, r.Total.Executed, inCall, folded.String())
	}
	if want := fmt.Sprintf("%12d %12d  %sshift\n", inCall, inCall,
		strings.Repeat("  ", strings.Count(calls, ";"))); !strings.Contains(tree.String(), want) {
		t.Errorf("no %q in\n%s", want, tree.String())
	}
	var file struct {
		Shared   struct{ Frames []struct{ Name string } }
		Profiles []struct {
			EndValue uint64
			Samples  [][]int
			Weights  []uint64
		}
	}
	if err := json.Unmarshal(scope.Bytes(), &file); err != nil || len(file.Profiles) != 3 {
		t.Fatal(err)
	}
	for i, want := range []uint64{r.Total.Executed, r.Total.Lanes, r.Total.Bytes} {
		if p := file.Profiles[i]; p.EndValue != want || len(p.Samples) != len(p.Weights) {
			t.Errorf("speedscope: %d of %d", p.EndValue, want)
		}
	}
	readsPprof(t, packed.Bytes(), total)
}

// readsPprof holds a profile against what pprof's own reader says of it, which need not be asked about what
// it has read before: where it has not been built yet, that takes as long as all other tests of the package.
func readsPprof(t *testing.T, packed []byte, total uint64) {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	profile, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("Showing nodes accounting for %d, 100%% of %d total", total, total)
	read := built.OfTexts(t, "pprof of "+filepath.Base(t.Name()), profile, []byte(want))
	if read.Known() {
		return
	}
	path := filepath.Join(t.TempDir(), "p.pb.gz")
	if err := os.WriteFile(path, packed, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "tool", "pprof", "-sample_index=instructions", "-top",
		path).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if said := string(out); !strings.Contains(said, want) || !strings.Contains(said, "  shift\n") {
		t.Errorf("no %q in\n%s", want, out)
	}
	read.Keep()
}

// TestCompare: the lines of two runs are told by their text, in all their places.
func TestCompare(t *testing.T) {
	one := func(n uint64, lines ...profile.Line) *profile.Report {
		r := &profile.Report{Kernel: "k", SourceName: "k", Machine: "m", Lines: lines}
		r.Total.Executed = n
		return r
	}
	line := func(number int, text string, n uint64) profile.Line {
		return profile.Line{File: "a.cl", Number: number, Text: text, Figures: profile.Figures{Executed: n}}
	}
	before := one(130, line(1, "x = 1;", 100), line(2, "y = 2;", 20), line(3, "old", 10))
	now := one(75, line(2, "  x = 1;", 50), line(3, "y = 2;", 20), line(9, "new", 5))
	data, err := json.Marshal(before)
	if err != nil {
		t.Fatal(err)
	}
	if before, err = profile.Read(data); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := now.Compare(&b, before); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"130   75  -42.3 %  instructions of waves", "100   50  -50.0 %  a.cl:2\n",
		"10    -     gone  a.cl:3\n", "-    5      new  a.cl:9\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "a.cl:1") {
		t.Errorf("what is the same is listed\n%s", b.String())
	}
	for _, bad := range []string{"", "{}", "[1]", `{"kernel": "k"}`} {
		if _, err := profile.Read([]byte(bad)); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

// FuzzRead: whatever a file has, what is read can be compared.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"kernel": "k", "lines": [{"file": "a", "line": 1, "text": "x", "executed": 3}]}`))
	f.Add([]byte(`{"kernel": "k", "lines": [], "total": {"passes": 1, "bestPass": 2}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := profile.Read(data)
		if err != nil {
			return
		}
		if err := r.Compare(&bytes.Buffer{}, r); err != nil {
			t.Error(err)
		}
	})
}
