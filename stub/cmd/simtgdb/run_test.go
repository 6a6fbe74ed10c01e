package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var (
	targets = []string{"gfx900", "gfx90a", "gfx942"}
	opts    = []string{"O0", "O2"}
)

// kernelNames lists the test kernels: those that have a code object.
func kernelNames(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob(object("*", targets[0], opts[0]))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no test kernels: %v", err)
	}
	var names []string
	for _, p := range paths {
		name, _, _ := strings.Cut(filepath.Base(p), ".")
		names = append(names, name)
	}
	return names
}

// Every kernel gives exactly the expected buffers on every target, optimised
// or not.
func TestRunKernels(t *testing.T) {
	for _, kernel := range kernelNames(t) {
		launch, err := os.ReadFile(launchFile(kernel))
		if err != nil {
			t.Fatal(err)
		}
		expectations := bytes.Count(launch, []byte(`"expect"`))
		for _, target := range targets {
			for _, opt := range opts {
				t.Run(kernel+"/"+target+"/"+opt, func(t *testing.T) {
					t.Parallel()
					r := simtgdb(t, "run", "--launch", launchFile(kernel), "--code-object",
						object(kernel, target, opt))
					if r.status != statusDone || r.err != "" {
						t.Fatalf("status %d\n%s%s", r.status, r.err, r.out)
					}
					if n := strings.Count(r.out, "elements are as expected"); n != expectations || n == 0 {
						t.Errorf("%d buffers as expected, want %d:\n%s", n, expectations, r.out)
					}
				})
			}
		}
	}
}

// summary is the line that a run ends with which has come to its end.
var summary = regexp.MustCompile(`simtgdb run: \S+ has run to its end: \d+ workgroups? of \d+ work-items?, ` +
	`\d+ waves?, \d+ wave instructions?\n$`)

// TestSummary: a run that comes to its end says so, last and on standard error, and no other does.
func TestSummary(t *testing.T) {
	const want = "simtgdb run: demo has run to its end: 2 workgroups of 64 work-items, 2 waves, 1830 wave " +
		"instructions\n"
	if r := simtgdbWhole(t, "run", "--demo"); r.err != want || r.status != statusDone {
		t.Errorf("status %d, %q, want %q", r.status, r.err, want)
	}
	zeros := filepath.Join(t.TempDir(), "zeros")
	if err := os.WriteFile(zeros, make([]byte, 512), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, flags := range [][]string{{"--max-instructions", "100"}, {"--expect", "1=" + zeros}} {
		r := simtgdbWhole(t, append([]string{"run", "--demo"}, flags...)...)
		if r.status == statusDone || summary.MatchString(r.err) {
			t.Errorf("%v: status %d, %q", flags, r.status, r.err)
		}
	}
}

// TestRunLater runs the kernels of testdata/rdna, in whose names the processor and the size of waves are,
// once with a look at what is undefined and what is not waited for.
func TestRunLater(t *testing.T) { runLater(t, filepath.Join(kernels, "rdna", "co")) }

// TestRunLaterAll does so with all programs for all processors, which it compiles; `make later` asks for it.
func TestRunLaterAll(t *testing.T) {
	if os.Getenv("SIMTGDB_LATER") != "all" {
		t.Skip("skipped: SIMTGDB_LATER=all asks for it")
	}
	folder := t.TempDir()
	if out, err := exec.Command(kernels+"/rdna/build.sh", folder, "all").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	runLater(t, folder)
}

// ofWaves64 are the programs whose results are those of waves of 64 lanes.
var ofWaves64 = []string{"lanes", "wide"}

func runLater(t *testing.T, folder string) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.co"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no kernels: %v", err)
	}
	for _, path := range paths {
		name := filepath.Base(path)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kernel, _, _ := strings.Cut(name, ".")
			switch {
			case kernel == "pressure": // TestPressure runs it
				return
			case kernel == "bench":
				benchLater(t, path)
				return
			case slices.Contains(ofWaves64, kernel) && !strings.Contains(name, "w64"):
				return
			}
			launch, err := os.ReadFile(launchFile(kernel))
			if err != nil {
				t.Fatal(err)
			}
			run := []string{"run", "--stats", "--launch", launchFile(kernel), "--code-object", path}
			r := simtgdb(t, run...)
			if r.status != statusDone || r.err != "" {
				t.Fatalf("status %d\n%s%s", r.status, r.err, r.out)
			}
			i := simtgdb(t, append(run, "--interpret", "--check=undefined,wait")...)
			if i.status != statusDone || i.err != "" {
				t.Errorf("with checks: status %d\n%s", i.status, i.err)
			}
			if got, want := timeless(r.out), timeless(i.out); got != want {
				t.Errorf("translated:\n%s\ninterpreted:\n%s", got, want)
			}
			want := bytes.Count(launch, []byte(`"expect"`))
			if n := strings.Count(r.out, "elements are as expected"); n != want || n == 0 {
				t.Errorf("%d buffers as expected, want %d:\n%s", n, want, r.out)
			}
		})
	}
}

// timeless is what --stats prints without what depends on the time that it took.
func timeless(stats string) string {
	return regexp.MustCompile(`\(.* per second\)|time +[\d.]+ +s|translated .*\n`).ReplaceAllString(stats, "")
}

// benchLater runs the kernels of testdata/bench, whose results must be gfx90a's.
func benchLater(t *testing.T, path string) {
	dir := t.TempDir()
	for _, b := range []struct {
		kernel string
		out    int // the argument that has the results
		flags  []string
	}{
		{"matmul", 2, []string{"--grid", "64,64", "--block", "16,16", "--arg", "buf:f32[4096]=iota", "--arg",
			"buf:f32[4096]=iota", "--arg", "buf:f32[4096]=zero", "--arg", "i32:64"}},
		{"mandelbrot", 0, []string{"--grid", "64,64", "--block", "16,16", "--arg", "buf:u32[4096]=zero",
			"--arg", "i32:64", "--arg", "i32:100"}},
		{"hash", 0, []string{"--grid", "512", "--block", "256", "--arg", "buf:u32[512]=zero", "--arg",
			"i32:64"}},
		{"vecadd", 2, []string{"--grid", "1024", "--block", "256", "--arg", "buf:f32[1024]=iota", "--arg",
			"buf:f32[1024]=iota", "--arg", "buf:f32[1024]=zero"}},
		{"fir", 2, []string{"--grid", "512", "--block", "256", "--arg", "buf:f32[527]=iota", "--arg",
			"buf:f32[16]=iota", "--arg", "buf:f32[512]=zero"}},
	} {
		var files [2][]byte
		for i, object := range []string{kernels + "/bench/bench.gfx90a.co", path} {
			file := filepath.Join(dir, "out")
			args := append([]string{"run", "--kernel", b.kernel, "--out", fmt.Sprintf("%d=%s", b.out, file)},
				b.flags...)
			if object == path {
				args = append(args, "--check=undefined,wait")
			}
			r := simtgdb(t, append(args, object)...)
			if r.status != statusDone {
				t.Fatalf("%s: status %d\n%s%s", b.kernel, r.status, r.err, r.out)
			}
			files[i], _ = os.ReadFile(file)
		}
		if len(files[0]) == 0 || !bytes.Equal(files[0], files[1]) {
			t.Errorf("%s: other results than gfx90a's", b.kernel)
		}
	}
}

// TestCheckLater: a correct program of gfx11, with pairs of instructions, or of gfx1250, with waits for
// addresses, has no defect.
func TestCheckLater(t *testing.T) {
	for _, object := range []string{"calls.gfx1100.O2", "types.gfx1100.O2", "calls.gfx1250.O2",
		"types.gfx1250.O2", "types.gfx1250.O0", "private_array.gfx1250.O2", "calls.gfx1250.O0",
		"atomics.gfx1030.O0", "atomics.gfx1100.O2", "atomics.gfx1200.O0", "atomics.gfx1250.O0",
		"atomics.gfx1250.O2"} {
		kernel, _, _ := strings.Cut(object, ".")
		r := simtgdb(t, "run", "--check=all", "--launch", launchFile(kernel), "--source",
			filepath.Join(kernels, "src"), "--code-object",
			filepath.Join(kernels, "rdna", "co", object+".co"))
		if r.status != statusDone {
			t.Errorf("%s: status %d\n%s%s", object, r.status, r.err, r.out)
		}
	}
}

func TestRunDemo(t *testing.T) {
	r := simtgdb(t, "run", "--demo")
	if want := "argument 1 (output): all 128 elements are as expected\n"; r.status != statusDone ||
		r.out != want || r.err != "" {
		t.Errorf("status %d\n%s%s", r.status, r.err, r.out)
	}
}

// The demonstration's expectation, broken by another bound.
func TestRunMismatch(t *testing.T) {
	folder := t.TempDir()
	wrong := filepath.Join(folder, "want.bin")
	if err := os.WriteFile(wrong, make([]byte, 4*64), 0o644); err != nil {
		t.Fatal(err)
	}
	r := simtgdb(t, "run", object("vecadd", "gfx90a", "O2"), "--grid", "64", "--block", "64",
		"--arg", "buf:f32[64]=iota", "--arg", "buf:f32[64]=fill:0.5", "--arg", "buf:f32[64]=fill:-1",
		"--arg", "i32:3",
		"--out", "2="+filepath.Join(folder, "out.bin"), "--expect", "2="+wrong)
	want := result{statusUnexpected, strings.ReplaceAll(`argument 2 (c): 64 of 64 elements differ from WRONG
  element  got  want
        0  0.5     0
        1  1.5     0
        2  2.5     0
        3   -1     0
        4   -1     0
        5   -1     0
        6   -1     0
        7   -1     0
  and 56 more
`, "WRONG", wrong), "simtgdb run: the results are not as expected\n"}
	if diff := cmp.Diff(want, r, cmp.AllowUnexported(result{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	// What was saved is what is expected the next time.
	r = simtgdb(t, "run", "--grid", "64", "--block", "64", "--arg", "buf:f32[64]=iota",
		"--arg", "buf:f32[64]=fill:0.5",
		"--arg", "buf:f32[64]=fill:-1", "--arg", "i32:3", "--expect", "2="+filepath.Join(folder, "out.bin"),
		object("vecadd", "gfx942", "O0"))
	if r.status != statusDone {
		t.Errorf("again: status %d\n%s%s", r.status, r.err, r.out)
	}
}

func TestRunStats(t *testing.T) {
	r := simtgdb(t, "run", "--demo", "--stats")
	want := regexp.MustCompile(`\nwaves +2
wave instructions +[1-9]\d*  \(\d+\.\d\d million per second\)
lane instructions +[1-9]\d*  \(\d+\.\d\d million per second\)
translated +0\.0  % of the wave instructions, with 0 interludes
time +\d+\.\d{3}  s
$`)
	if r.status != statusDone || !want.MatchString(r.out) || r.err != "" {
		t.Errorf("status %d\n%s%s", r.status, r.out, r.err)
	}
}

// TestRunStatsTranslated: what runs often is translated on every machine, and --interpret keeps from it.
func TestRunStatsTranslated(t *testing.T) {
	part :=
		regexp.MustCompile(`\ntranslated +(\d+\.\d)  % of the wave instructions, with (\d+) interludes?\n`)
	for _, name := range []string{"bench.gfx90a.co", "bench.gfx1100.co", "bench.ptx", "bench.spv",
		"bench.zebin"} {
		for _, flag := range []string{"--stats", "--interpret"} {
			r := simtgdb(t, "run", "--stats", flag, "--workers", "1", "--kernel", "hash", "--grid", "4096",
				"--block", "256", "--arg", "buf:u32[4096]=zero", "--arg", "u32:256",
				filepath.Join("../../../testdata/bench", name))
			found := part.FindStringSubmatch(r.out)
			if r.status != statusDone || found == nil {
				t.Fatalf("%s: status %d\n%s%s", name, r.status, r.out, r.err)
			}
			share, _ := strconv.ParseFloat(found[1], 64)
			if interpreted := flag == "--interpret"; interpreted != (share == 0) ||
				!interpreted && share < 50 || interpreted && found[2] != "0" {
				t.Errorf("%s %s:%s", name, flag, found[0])
			}
		}
	}
}

// The same launch gives the same results and counts on any number of workers.
func TestRunWorkers(t *testing.T) {
	count := regexp.MustCompile(`(?m)^(waves|wave instructions|lane instructions) +\d+`)
	var first []string
	for _, n := range []string{"1", "2", "7"} {
		r := simtgdb(t, "run", "--launch", launchFile("matmul"), "--stats", "--workers", n)
		if r.status != statusDone {
			t.Fatalf("%s workers: status %d\n%s%s", n, r.status, r.err, r.out)
		}
		counts := count.FindAllString(r.out, -1)
		if first == nil {
			first = counts
		}
		if diff := cmp.Diff(first, counts); diff != "" || len(counts) != 3 {
			t.Errorf("%s workers: -1 worker +these:\n%s", n, diff)
		}
	}
}

// faultLaunch is a launch of vecadd whose last buffer is too small.
func faultLaunch(target, opt string) []string {
	return []string{"run", object("vecadd", target, opt), "--grid", "256", "--block", "64",
		"--arg", "buf:f32[256]", "--arg", "buf:f32[256]", "--arg", "buf:f32[100]", "--arg", "i32:250"}
}

func TestRunFault(t *testing.T) {
	address := regexp.MustCompile(`0x[0-9a-f]+`)
	operands := regexp.MustCompile(`global_store_dword .*|flat_store_dword .*`)
	for _, target := range targets {
		for _, opt := range opts {
			r := simtgdb(t, faultLaunch(target, opt)...)
			got := operands.ReplaceAllString(address.ReplaceAllString(r.err, "ADDR"), "STORE")
			const want = `simtgdb run: the kernel faulted: unmapped address
  lane         36 of wave 1, first of 28: 36-63
  work-item    (36,0,0) of workgroup (1,0,0), (100,0,0) in the grid
  pc           ADDR in vecadd+ADDR (vecadd.hip:8)
  instruction  STORE
  access       write of 4 bytes at ADDR in global memory
  nearest      0 bytes after the end of argument 2 (c), f32[100] at [ADDR,ADDR): element 100
`
			if r.status != statusFault || got != want || r.out != "" {
				t.Errorf("%s %s: status %d\n%s\nwant\n%s", target, opt, r.status, got, want)
			}
		}
	}
}

// An interrupt ends a run, with a line and the places where waves stand.
func TestRunInterrupt(t *testing.T) {
	places := regexp.MustCompile("^simtgdb run: interrupted\n" +
		`(  waves? \d.* of workgroup \(\d+,\d+,0\), [a-z ]+: 0x[0-9a-f]+ in matmul.*\(matmul\.hip:\d+\)\n)+$`)
	interruptRun(t, places, "run", object("matmul", "gfx90a", "O0"), "--grid", "65536,65536", "--block",
		"16,16", "--arg", "buf:f32[16777216]", "--arg", "buf:f32[16777216]", "--arg", "buf:f32[16777216]",
		"--arg", "i32:4096")
}

// So it does while the program waits for a file that nobody writes, or writes one that nobody reads.
func TestRunInterruptFiles(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	vecadd := object("vecadd", "gfx90a", "O0")
	for _, args := range [][]string{
		{"run", pipe},
		{"run", "--launch", pipe},
		{"run", vecadd, "--grid", "64", "--block", "64", "--arg", "buf:f32[64]=file:" + pipe,
			"--arg", "buf:f32[64]", "--arg", "buf:f32[64]", "--arg", "i32:64"},
		{"run", vecadd, "--grid", "64", "--block", "64", "--arg", "buf:f32[64]",
			"--arg", "buf:f32[64]", "--arg", "buf:f32[64]", "--arg", "i32:64", "--out", "0=" + pipe},
		{"profile", "--demo", "--out", "1=" + pipe},
	} {
		interruptRun(t, regexp.MustCompile("^simtgdb "+args[0]+": interrupted\n$"), args...)
	}
}

// interruptRun starts the program and interrupts it: it has to end soon and say what is wanted.
func interruptRun(t *testing.T, want *regexp.Regexp, args ...string) {
	t.Helper()
	// Before the program has come so far as to listen, the signal just kills it; before it
	// has come to what it is interrupted in, it says only that it was, or where its waves are.
	early := 0
	for wait := 50 * time.Millisecond; wait < 20*time.Second; wait *= 2 {
		cmd := simtgdbCommand(t, args...)
		var errs bytes.Buffer
		cmd.Stderr = &errs
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(wait)
		cmd.Process.Signal(syscall.SIGINT)
		late := time.AfterFunc(20*time.Second, func() { cmd.Process.Kill() })
		cmd.Wait()
		if !late.Stop() {
			t.Fatalf("%v: an interrupt did not end the program", args)
		}
		if cmd.ProcessState.ExitCode() == -1 {
			continue
		}
		status, got := cmd.ProcessState.ExitCode(), errs.String()
		switch {
		case status == statusInterrupted && want.MatchString(got):
			return
		case status != statusInterrupted || !strings.HasPrefix(got, "simtgdb "+args[0]+": interrupted\n"):
			t.Fatalf("%v: status %d: %s\nwant %s", args, status, got, want)
		}
		early++
	}
	t.Errorf("%v: the program does not listen to interrupts; %d times it was interrupted in something else",
		args, early)
}

// TestRunWays runs every launch file in every way that run has: what it computes and prints is the same, as
// are the counts.
func TestRunWays(t *testing.T) {
	files, err := filepath.Glob(launchFile("*"))
	if err != nil || len(files) < 20 {
		t.Fatalf("%d launch files, %v", len(files), err)
	}
	speed := regexp.MustCompile(`(?m) +\([\d.]+ million per second\)$|^(time|translated) .*\n`)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			var first result
			for i, way := range [][]string{nil, {"--interpret"}, {"--workers", "1"},
				{"--workers", "1", "--interpret"}} {
				r := simtgdb(t, append([]string{"run", "--launch", file, "--stats"}, way...)...)
				r.out = speed.ReplaceAllString(r.out, "")
				if i == 0 {
					first = r
				}
				if d := cmp.Diff(first, r, cmp.AllowUnexported(result{})); d != "" || r.status != statusDone {
					t.Errorf("%v: status %d (-without +with):\n%s", way, r.status, d)
				}
			}
		})
	}
}
