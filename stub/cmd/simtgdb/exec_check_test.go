//go:build linux

package main

import (
	"bufio"
	"strings"
	"testing"

	"simtgdb/testdata/forkedgdb"
	"simtgdb/testdata/sweep"
)

// defectsHIP compiles the host program that launches kernels with HIP.
func defectsHIP(t *testing.T) string {
	t.Helper()
	_, dir := libraries()
	if dir == "" {
		t.Skip("skipped: no C compiler")
	}
	return sharedProgram(t, "program", "cc", "-O1", "-w", "defects_hip.c", "-L$HIP",
		"-l:libamdhip64.so.5")
}

// checkedLaunches are kernels that host programs launch, in this order, and what is reported of them.
var checkedLaunches = []struct {
	name, check, object string
	kernels             []string
	status              int
	want                []string // on standard error, in this order
}{
	{"correct", "all", "defects.O0.co",
		[]string{"tile_ok", "array_ok", "local_ok", "private_ok", "left_ok"}, 0,
		nil},
	{"race", "race", "defects.O0.co", []string{"tile_ok", "tile_race"}, statusFault,
		[]string{"launch 2, number 1 of kernel tile_race: check race: data race", "(defects.cl:12)",
			"missing"}},
	{"bounds", "bounds", "arrays.O0.co", []string{"before_bounds", "before_ok", "before_bounds"}, statusFault,
		[]string{"launch 1, number 1 of kernel before_bounds: check bounds: the source has an element of " +
			"\"b\"",
			"lane         0 of wave 0, first of 2: 0,32", "(arrays.cl:18)",
			"launch 3, number 2 of kernel before_bounds: check bounds"}},
	{"uninit", "uninit", "defects.O2.co", []string{"local_uninit"}, statusFault,
		[]string{"kernel local_uninit: check uninit: nothing has written what is read", "(defects.cl:123)"}},
	{"barrier", "barrier", "defects.O0.co", []string{"half_ok", "half_barrier"}, statusFault,
		[]string{"kernel half_barrier: check barrier:", "(defects.cl:"}},
	{"not looked for", "barrier,race", "arrays.O0.co", []string{"before_bounds"}, 0, nil},
}

// TestExecChecked: what host programs launch is looked through, the program's own status is kept where
// nothing is found, and it goes on where something is.
func TestExecChecked(t *testing.T) {
	t.Parallel()
	programs := map[string]string{"HIP": defectsHIP(t), "OpenCL": buildOpenCLProgram(t, "defects_opencl.c")}
	for api, program := range programs {
		for _, c := range sweep.Some(map[string]int{"HIP": 1, "OpenCL": 4}[api], checkedLaunches...) {
			t.Run(api+"/"+c.name, func(t *testing.T) {
				flags := []string{"--check", c.check, "--source", checkObjects + "src"}
				r := execute(t, flags, append([]string{program, checkObjects + c.object}, c.kernels...)...)
				want := strings.Join(c.kernels, ": done\n") + ": done\n"
				if r.status != c.status || r.out != want {
					t.Errorf("status %d, want %d: %q, want %q\n%s", r.status, c.status, r.out, want, r.err)
				}
				if missing := inOrder(r.err, c.want); missing != "" || len(c.want) == 0 && r.err != "" {
					t.Errorf("no %q in its place in\n%s", missing, r.err)
				}
			})
		}
	}
}

// TestExecBoundsUnknown: where the text of the source is not found that is said once, of the first launch.
func TestExecBoundsUnknown(t *testing.T) {
	t.Parallel()
	program := defectsHIP(t)
	want := "simtgdb exec: launch 1: check: bounds of arrays that the source names are not looked at, for " +
		"the text of arrays.cl is not found, or is not what was compiled: --source FOLDER says where it is\n"
	for kinds, want := range map[string]string{"bounds": want, "race": ""} {
		r := execute(t, []string{"--check", kinds}, program, checkObjects+"arrays.O0.co", "before_ok",
			"store_ok")
		if r.status != 0 || r.err != want {
			t.Errorf("%s: status %d: %q, want %q", kinds, r.status, r.err, want)
		}
	}
}

// TestExecLanesOfWave: that lanes go in step is said once, of the first launch in which they do.
func TestExecLanesOfWave(t *testing.T) {
	t.Parallel()
	r := execute(t, []string{"--check", "all"}, defectsHIP(t), checkObjects+"defects.O0.co", "count_race",
		"count_race")
	if n := strings.Count(r.err, "they are taken to go in step"); n != 1 {
		t.Errorf("said %d times\n%s", n, r.err)
	}
}

// checkedStops are launches of host programs that a gdb stops in at defects by itself, each in the lane that
// did it.
var checkedStops = []struct {
	name     string
	flags    []string
	object   string
	kernels  []string
	commands []string
	status   int
	out, err []string // in this order
}{
	{"from the first launch on", []string{"--check", "race"}, "defects.O0.co",
		[]string{"tile_ok", "tile_race", "left_ok"},
		[]string{"continue", "print i", "monitor check", "delete", "continue", "continue"}, statusFault,
		[]string{"tile_ok (in=0x2000", "new program: /simtgdb/tile_race-",
			"\"wave 1 lane 0\" received signal SIGTRAP",
			"tile_race (in=0x2000", "$1 = 64\n", "received signal SIGTRAP",
			"tile_ok: done\ntile_race: done\nleft_ok: done\n",
			"exited normally]"},
		[]string{"check race: data race\n  lane         0 of wave 1", "(defects.cl:12)",
			"with         read by lane 0 of wave 0",
			"launch 2, number 1 of kernel tile_race\n", "checked: race; 1 found\n", "check race: data race"}},
	{"before the launch that was asked for", []string{"--check", "bounds", "--break", "before_ok"},
		"arrays.O0.co",
		[]string{"before_bounds", "before_ok", "store_bounds"},
		[]string{"backtrace", "monitor check show", "continue", "continue", "continue", "continue"},
		statusFault, []string{"#0  0x", " in before_bounds (in=0x2000", "new program: /simtgdb/before_ok-",
			"before_ok (in=0x2000",
			"new program: /simtgdb/store_bounds-", "\"wave 0 lane 31\" received signal SIGTRAP",
			"\"wave 2 lane 31\" received signal SIGTRAP", "store_bounds: done\n", "exited normally]"},
		[]string{"simtgdb exec: launch 1, number 1 of kernel before_bounds: check bounds: the source",
			"(arrays.cl:18)",
			"1 found\n", "launch 2, number 1 of kernel before_ok\n", "check bounds:",
			"launch 3, number 1 of kernel store_bounds\n"}},
	{"with breakpoints in another module", []string{"--check", "barrier,bounds"}, "defects.O0.co",
		[]string{"half_ok", checkObjects + "arrays.O0.co", "before_ok", "before_bounds"},
		[]string{"break half_ok if in == 0", "continue", "backtrace", "continue", "continue"}, statusFault,
		[]string{"half_ok (in=0x2000", "new program: /simtgdb/before_bounds-", "received signal SIGTRAP",
			"#0  0x", " in before_bounds (in=0x2000", "half_ok: done\nbefore_ok: done\nbefore_bounds: done\n",
			"exited normally]"},
		[]string{"check bounds: the source has an element of \"b\"",
			"launch 3, number 1 of kernel before_bounds\n"}},
	{"nothing to find", []string{"--check", "all"}, "defects.O0.co", []string{"tile_ok", "left_ok"},
		[]string{"continue"}, 0, []string{"tile_ok (in=0x2000", "left_ok: done\n", "exited normally]"}, nil},
	{"let go", []string{"--check", "race", "--source", checkObjects + "src"}, "defects.O0.co",
		[]string{"tile_ok", "tile_race"}, []string{"detach"}, statusFault,
		[]string{"tile_ok (in=0x2000", "Detaching from program"},
		[]string{"simtgdb exec: launch 2, number 1 of kernel tile_race: check race: data race",
			"(defects.cl:12)"}},
	{"found again, and let go there", []string{"--check", "race"}, "defects.O0.co", []string{"tile_race"},
		[]string{"continue", "reverse-continue", "continue", "detach"}, statusFault,
		[]string{"received signal SIGTRAP", "No more reverse-execution history", "received signal SIGTRAP",
			"Detaching from program"},
		[]string{"check race: data race",
			"simtgdb exec: launch 1, number 1 of kernel tile_race: check race: data race"}},
}

// TestExecCheckedGDB: a gdb stops at defects by itself, in whatever launch they are; the program goes on
// behind them, and the status says that there were some.
func TestExecCheckedGDB(t *testing.T) {
	t.Parallel()
	needGDB(t)
	programs := map[string]string{"HIP": defectsHIP(t), "OpenCL": buildOpenCLProgram(t, "defects_opencl.c")}
	for api, program := range programs {
		for _, c := range sweep.Some(map[string]int{"HIP": 1, "OpenCL": 4}[api], checkedStops...) {
			t.Run(api+"/"+c.name, func(t *testing.T) {
				flags := append(append(gdbCommands(c.commands...), "--source", checkObjects+"src"),
					c.flags...)
				r := execute(t, flags, append([]string{program, checkObjects + c.object}, c.kernels...)...)
				if missing := inOrder(r.out, c.out); missing != "" || r.status != c.status {
					t.Errorf("status %d, want %d; no %q in its place in\n%s\n%s", r.status, c.status, missing,
						r.out, r.err)
				}
				if missing := inOrder(r.err, c.err); missing != "" ||
					c.err == nil && strings.Contains(r.err, "check ") {
					t.Errorf("no %q in its place in\n%s", missing, r.err)
				}
			})
		}
	}
}

// TestExecCheckedServe is the same for a gdb that connects by itself: to each launch, and to one that stands
// at
// a defect.
func TestExecCheckedServe(t *testing.T) {
	needGDB(t)
	program := defectsHIP(t)
	for _, c := range []struct {
		name, flag string
		commands   []string
		out        []string
	}{
		{"every launch", "--serve", []string{"continue", "continue", "continue", "continue"},
			[]string{"tile_ok (in=0x2000", "launch 2, number 1 of kernel tile_race\n",
				"check race: data race", "\"wave 1 lane 0\" received signal SIGTRAP", "check race: data race",
				"exited normally]"}},
		{"the defect's", "--break=left_ok", []string{"backtrace", "continue", "continue"},
			[]string{"tile_race (in=0x2000", "#0  tile_race (", "check race: data race",
				"received signal SIGTRAP", "exited normally]"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			cmd := execOn(t, []string{"--check", "race", c.flag, "--listen", "127.0.0.1:0"}, program,
				checkObjects+"defects.O0.co", "tile_ok", "tile_race")
			errs, err := cmd.StderrPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			lines, address := bufio.NewScanner(errs), ""
			for address == "" && lines.Scan() {
				_, address, _ = strings.Cut(lines.Text(), ": target remote ")
			}
			commands := append([]string{"target remote " + address}, c.commands...)
			out, err := forkedgdb.CombinedOutput(t.Context(), debugger(t.Context(), "gdb", commands...))
			if missing := inOrder(string(out), c.out); missing != "" || err != nil {
				t.Errorf("%v; no %q in its place in\n%s", err, missing, out)
			}
			for lines.Scan() { // until it has ended
			}
			if _ = cmd.Wait(); cmd.ProcessState.ExitCode() != statusFault {
				t.Errorf("status %d", cmd.ProcessState.ExitCode())
			}
		})
	}
}
