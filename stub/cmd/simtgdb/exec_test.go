//go:build linux

package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"simtgdb/stub/device/client"
	"simtgdb/stub/device/openclc"
	"simtgdb/testdata/forkedgdb"
	"simtgdb/testdata/sweep"
)

// hostPrograms has the sources of host programs.
const hostPrograms = kernels + "/hostprograms"

// libraries is the folder that programs find HIP's library in, and the cache that it and the other client
// libraries lie in, which lasts; empty where there is no C compiler.
var libraries = sync.OnceValues(func() (cache, dir string) {
	if _, err := exec.LookPath("cc"); err != nil {
		return "", ""
	}
	cache, err := lastingCache()
	if err != nil {
		panic(err)
	}
	for _, l := range []*client.Library{&client.CUDA, &client.OpenCL, &client.Vulkan, &client.HIP} {
		if dir, err = libraryIn(cache, l); err != nil {
			panic(err) // there is a compiler: tests that skip themselves would hide that it refuses this
		}
	}
	return cache, dir
})

// buildProgram compiles program.c, which has the kernels of a bundle, as C.
func buildProgram(t testing.TB, bundle string) string {
	t.Helper()
	return buildSource(t, "program.c", bundle)
}

// buildSource compiles a host program as C likewise.
func buildSource(t testing.TB, source, bundle string) string {
	t.Helper()
	_, dir := libraries()
	if dir == "" {
		t.Skip("skipped: no C compiler")
	}
	return sharedProgram(t, "program", "cc", "-O1", "-w", fmt.Sprintf("-DKERNELS=%q", bundle), source,
		"-L$HIP", "-l:libamdhip64.so.5", "-lpthread")
}

// execOn is the command that runs a program with exec.
func execOn(t testing.TB, flags []string, program ...string) *exec.Cmd {
	t.Helper()
	cache, _ := libraries()
	c := simtgdbCommand(t, append(append([]string{"exec"}, flags...),
		append([]string{"--"}, program...)...)...)
	c.Env = append(c.Env, "XDG_CACHE_HOME="+cache, "MODULE="+object("saxpy", "gfx90a", "O0"))
	return c
}

// execute runs a program with exec.
func execute(t testing.TB, flags []string, program ...string) result {
	t.Helper()
	c := execOn(t, flags, program...)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	var exit *exec.ExitError
	if err := c.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return result{c.ProcessState.ExitCode(), out.String(), errs.String()}
}

// executeInTurn runs a program with one exec, once for each of some words, which are its arguments, and no
// further than up to the first that fails.
func executeInTurn(t testing.TB, flags []string, program string, words ...string) result {
	t.Helper()
	const script = `program="$1"; shift; for words; do "$program" $words || exit; done`
	return execute(t, flags, append([]string{"sh", "-c", script, "sh", program}, words...)...)
}

// scenarios are those of program.c.
var scenarios = []struct {
	name   string
	status int
	out    string // all of it
	err    []string
}{
	{"twenty", 0, "twenty: done\n", nil},
	{"streams", 0, "streams: done\n", nil},
	{"nodes", 0, "nodes: done\n", nil},
	{"symbols", 0, "symbols: done\n", nil},
	{"registered", 0, "registered: done\n", nil},
	{"modules", 0, "modules: done\n", nil},
	{"mallocs", 0, "mallocs: done\n", nil},
	{"forks", 0, "forks: done\n", nil},
	{"threads", 0, "threads: done\n", nil},
	{"says", 0, "before\nlane 0 of 3\nlane 1 of 3\nlane 2 of 3\nafter\nsays: done\n", nil},
	{"assert", 1, "hipDeviceSynchronize(): error 710, hipErrorAssert\n", []string{
		"Device-side assertion `p[i] < 100' failed.\n",
		"in launch 2, number 1 of kernel check:\nthe kernel trapped", "first of 28: 36-63"}},
	{"bounds", 1, "hipDeviceSynchronize(): error 700, hipErrorIllegalAddress\n", []string{
		"in launch 1, number 1 of kernel beyond:\nthe kernel faulted: unmapped address",
		"(64,0,0) in the grid", "in beyond+", "kernels.hip:51)",
		"0 bytes after the end of argument 0 (p), allocation of 256 bytes"}},
	{"careless", 3, "careless: done\n",
		[]string{"the program ended with status 0, but kernel beyond failed"}},
	{"touch", 128 + 11, "touching\n", []string{"program was ended by a signal: segmentation fault\n"}},
	{"missing", 0, "hipErrorNotSupported\nmissing: done\n", []string{
		"hipIpcCloseMemHandle is not there: it returns hipErrorNotSupported\n"}},
}

// testScenarios runs all scenarios, or every nth: those that end well and of which nothing is told with one
// exec.
func testScenarios(t *testing.T, n int, program string, flags ...string) {
	var well []string
	out := ""
	for _, s := range sweep.Some(n, scenarios...) {
		if s.name == "modules" && len(flags) > 0 {
			continue // the module is gfx90a's
		}
		if s.status == 0 && s.err == nil {
			well, out = append(well, s.name), out+s.out
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			r := execute(t, flags, program, s.name)
			if r.status != s.status || r.out != s.out {
				t.Errorf("status %d, want %d: %q, want %q\n%s", r.status, s.status, r.out, s.out, r.err)
			}
			for _, want := range s.err {
				if len(flags) > 0 { // waves of 32 lanes
					want = strings.Replace(want, "36-63", "4-31", 1)
				}
				if !strings.Contains(r.err, want) {
					t.Errorf("no %q in\n%s", want, r.err)
				}
			}
			if s.name == "missing" && strings.Count(r.err, "not there") != 1 {
				t.Errorf("said more than once:\n%s", r.err)
			}
		})
	}
	if r := executeInTurn(t, flags, program, well...); r.status != 0 || r.out != out {
		t.Errorf("status %d: %q, want %q\n%s", r.status, r.out, out, r.err)
	}
}

// TestExec runs the host program of the tests, which does by hand what clang makes
// of one, so that it needs no compiler for the device.
func TestExec(t *testing.T) {
	t.Parallel()
	for bundle, n := range map[string]int{"kernels.O0.hipfb": 1, "kernels.O3.hipfb": 7} {
		t.Run(bundle, func(t *testing.T) { testScenarios(t, n, buildProgram(t, bundle)) })
	}
}

// TestExecHostAccess has a program use memory of the device by itself.
func TestExecHostAccess(t *testing.T) {
	r := execute(t, []string{"--host-access"}, buildProgram(t, "kernels.O3.hipfb"), "touch")
	if r.status != 0 || r.out != "touching\nnothing happened\ntouch: done\n" {
		t.Errorf("status %d: %s%s", r.status, r.out, r.err)
	}
}

// TestExecHIP compiles the same program as HIP, as the guide says, where the tools
// and the headers are there.
func TestExecHIP(t *testing.T) {
	t.Parallel()
	for _, level := range sweep.Some(2, "-O3", "-O0") {
		t.Run(level, func(t *testing.T) { testScenarios(t, 3, compileProgram(t, level, "program.c")) })
	}
}

// compileProgram compiles a program of hostPrograms as HIP, as the guide says, unless it is committed. The
// test is skipped where a tool or HIP's headers are not there; HIP_INCLUDE may say where they are.
func compileProgram(t testing.TB, level, source string, more ...string) string {
	t.Helper()
	return compileFor(t, "gfx90a", level, source, more...)
}

// compileFor is compileProgram for a processor.
func compileFor(t testing.TB, processor, level, source string, more ...string) string {
	t.Helper()
	include := os.Getenv("HIP_INCLUDE")
	flags := []string{"-isystem", include, "--hip-path=" + filepath.Dir(include)}
	if include == "" {
		include, flags = "/usr/include", nil
	}
	if _, dir := libraries(); dir == "" {
		t.Skip("skipped: no C compiler")
	}
	// The headers of C++11 are read in three quarters of the time that those of C++17 take; and what HIP's
	// include <thread> for, no program here has.
	args := append([]string{"-x", "hip", "-std=c++11", "-D_GLIBCXX_THREAD=1", "--offload-arch=" + processor,
		fmt.Sprintf("-D__AMDGCN_WAVEFRONT_SIZE=%d", openclc.WaveSize(processor, nil)),
		"-mcode-object-version=5", "-include", "../../docs/example/hip_debian.h",
		"--rocm-device-lib-path=" + deviceLibraries(processor)}, flags...)
	args = append(args, level, "-g", "-w", source, "-no-hip-rt", "-fuse-ld=lld", "-L$HIP",
		"-l:libamdhip64.so.5", "-lpthread")
	args = append(args, more...)
	needToCompile(t, "clang++-22", args, filepath.Join(include, "hip/hip_runtime.h"), "/usr/bin/clang++-22",
		"/usr/bin/clang-offload-bundler-22", debianLibraries+"/ockl.bc")
	return sharedProgram(t, "program", "clang++-22", args...)
}

// TestExecFlags: what is wrong with a command line, and what --stats prints.
func TestExecFlags(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"exec"}, "no program"},
		{[]string{"exec", "--target", "gfx1234", "--", "true"}, `processor "gfx1234" is not known`},
		{[]string{"exec", "--break", "k#0", "--", "true"}, "want KERNEL or KERNEL#N"},
		{[]string{"exec", "--break", "", "--", "true"}, "want a KERNEL, or * for all"},
		{[]string{"exec", "--profile", "no/such/p.json", "--", "true"}, "there is no folder no/such"},
		{[]string{"profile", "--demo", "--html", "no/such/p.html"}, "there is no folder no/such"},
		{[]string{"profile", "--demo", "--html", "-", "--json", "-"},
			"standard output is for one of the two"},
		{[]string{"exec", "--gdb-ex", "bt", "--", "true"}, "--gdb opens, which is not given"},
		{[]string{"exec", "--gdb", "--listen", "127.0.0.1:0", "--", "true"}, "give one of the two"},
		{[]string{"exec", "--listen", "127.0.0.1:0", "--", "true"}, "give --serve, or --break KERNEL"},
		{[]string{"exec", "--serve", "--resident", "0", "--", "true"}, "at least one wave must run"},
		{[]string{"exec", "--serve", "--listen", "0.0.0.0:1", "--", "true"},
			"can be reached from other machines"},
	} {
		if r := simtgdbHere(c.args...); r.status != statusInput || !strings.Contains(r.err, c.want) {
			t.Errorf("%q: status %d, %s", c.args, r.status, r.err)
		}
	}
	program := buildProgram(t, "kernels.O3.hipfb")
	r := execute(t, []string{"--stats"}, program, "rounds")
	for _, want := range []string{`(?m)^ +4 +8 .*scale$`, `(?m)^ +2 +3 .*fill$`} {
		if !regexp.MustCompile(want).MatchString(r.err) {
			t.Errorf("no %q in\n%s", want, r.err)
		}
	}
	if r := execute(t, nil, "/nonexistent"); r.status != statusInput {
		t.Errorf("status %d: %s", r.status, r.err)
	}
	if r := execute(t, nil, "sh", "-c", "exit 7"); r.status != 7 {
		t.Errorf("status %d: %s", r.status, r.err)
	}
	for set, want := range map[string]string{
		"CC=no-such-compiler":         `no C compiler "no-such-compiler"`,
		"XDG_CACHE_HOME=/dev/null/no": "set XDG_CACHE_HOME to a folder that can be written",
		"XDG_CACHE_HOME=relative":     "set XDG_CACHE_HOME to a folder that can be written",
	} {
		c := execOn(t, nil, program, "twenty")
		c.Env = append(c.Env, set)
		if out, err := c.CombinedOutput(); err == nil || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v: %s", set, err, out)
		}
	}
}

// TestExecUnused: a program that has no code for the device fails, and of one that does not use the device
// that is said if anybody wants to know of launches.
func TestExecUnused(t *testing.T) {
	program := buildProgram(t, "kernels.O3.hipfb")
	if r := execute(t, []string{"--target", "gfx906"}, program, "careless"); r.status != statusFault ||
		!strings.Contains(r.err, `has no code for the device: no single code object for target "gfx906"`) {
		t.Errorf("status %d: %s", r.status, r.err)
	}
	const unused = "simtgdb exec: sh has not used the simulated device: it is not linked with a library of " +
		"HIP, CUDA, OpenCL or Vulkan (which it may load later by itself)\n"
	for _, c := range []struct {
		flags  []string
		script string
		status int
		err    string
	}{{nil, "exit 0", 0, ""}, {nil, "exit 5", 5, unused}, {[]string{"--check", "all"}, "exit 0", 0, unused}} {
		if r := execute(t, c.flags, "sh", "-c", c.script); r.status != c.status || r.err != c.err {
			t.Errorf("%q %q: status %d: %s", c.flags, c.script, r.status, r.err)
		}
	}
}

// TestExecStatic: a program into which no library can be put is told of, also where gdb was to be opened.
func TestExecStatic(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("skipped: the program is assembly for x86-64")
	}
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skipf("skipped: %v", err)
	}
	dir := t.TempDir()
	source, program := filepath.Join(dir, "s.S"), filepath.Join(dir, "static")
	text := ".globl _start\n_start: mov $60, %eax\n mov $5, %edi\n syscall\n"
	if err := os.WriteFile(source, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("gcc", "-static", "-nostdlib", source, "-o",
		program).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const want = "has not used the simulated device: it is linked statically, so that the simulated " +
		"device's libraries cannot take the place of others; link it dynamically\n"
	for _, flags := range [][]string{nil, {"--gdb"}} {
		if r := execute(t, flags, program); r.status != 5 || !strings.HasSuffix(r.err, want) {
			t.Errorf("%q: %+v", flags, r)
		}
	}
}

// needGDB skips a test where there is no gdb.
func needGDB(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("gdb"); err != nil {
		t.Skip("skipped: no gdb")
	}
}

// inOrder reports the first of some texts that does not follow the others.
func inOrder(out string, texts []string) (missing string) {
	for _, want := range texts {
		i := strings.Index(out, want)
		if i < 0 {
			return want
		}
		out = out[i+len(want):]
	}
	return ""
}

// TestExecGDB has gdb opened in the third launch of the second kernel, and follows
// the program through its launches: a condition in a later launch of the kernel, a
// breakpoint in another kernel, and the end.
func TestExecGDB(t *testing.T) {
	t.Parallel()
	needGDB(t)
	program := buildProgram(t, "kernels.O0.hipfb")
	var flags []string
	for _, c := range []string{"set width 0", "backtrace",
		"break 31", "continue", "print round", "print p[7]", "delete", "break twice if v == 60", "continue",
		"up", "print round", "break fill", "continue",
		"next", "next", "print n", "print p[9]", "delete", "continue"} {
		flags = append(flags, "--gdb-ex", c)
	}
	r := execute(t, append(flags, "--break", "scale#3", "--gdb"), program, "rounds")
	missing := inOrder(r.out, []string{
		"#0  scale (", "kernels.hip:28", "hit Breakpoint 1, scale (p=0x2000", "n=100, round=2)",
		"$1 = 2\n$2 = 29\n",
		"new program: /simtgdb/scale-", "hit Breakpoint 2, twice (v=60)", "round=3) at", "$3 = 3\n",
		"new program: /simtgdb/fill-", "hit Breakpoint 3, fill (p=0x2000", "n=10)", "$4 = 10\n$5 = 155\n",
		"rounds: done\n[Inferior 1 (Remote target) exited normally]",
	})
	if missing != "" || r.status != 0 {
		t.Errorf("status %d; no %q in its place in\n%s\n%s", r.status, missing, r.out, r.err)
	}
}

// TestExecGDBModules follows a program whose launches are of two modules in turn: the
// symbols of the other are loaded, and breakpoints found in them.
func TestExecGDBModules(t *testing.T) {
	t.Parallel()
	needGDB(t)
	program := buildProgram(t, "kernels.O0.hipfb")
	flags := []string{"--gdb", "--break", "fill#1", "--break", "saxpy#2", "--break", "scale#3"}
	for _, c := range []string{"set width 0", "set breakpoint pending on", "break saxpy.hip:11", "continue",
		"print alpha", "print x[3]", "delete", "continue", "break saxpy.hip:11", "continue", "print y[5]",
		"break twice", "continue", "continue", "info symbol twice", "enable", "continue", "up", "print round",
		"delete", "continue"} {
		flags = append(flags, "--gdb-ex", c)
	}
	r := execute(t, flags, program, "modules")
	missing := inOrder(r.out, []string{"fill (p=", "Breakpoint 1 (saxpy.hip:11) pending",
		"new program: /simtgdb/saxpy-", "hit Breakpoint 1, saxpy (n=64, alpha=2, x=0x2000",
		"$1 = 2\n$2 = 3\n", "new program: /simtgdb/saxpy-", "received signal SIGTRAP",
		"hit Breakpoint 2, saxpy", "$3 = 10\n", "Breakpoint 3 (twice) pending", "hit Breakpoint 2, saxpy",
		"new program: /simtgdb/scale-", "received signal SIGTRAP", "twice(int) in section .text",
		"hit Breakpoint 3, twice (v=0)", "$4 = 2\n",
		"modules: done\n[Inferior 1 (Remote target) exited normally]"})
	if missing != "" || r.status != 0 {
		t.Errorf("status %d; no %q in its place in\n%s\n%s", r.status, missing, r.out, r.err)
	}
}

// TestExecHostAndDevice debugs both sides of a program at once: a gdb is started as the
// host program's parent, another connects to the launch that waits.
func TestExecHostAndDevice(t *testing.T) {
	t.Parallel()
	needGDB(t)
	program := buildProgram(t, "kernels.O0.hipfb")
	c := execOn(t, []string{"--break", "scale#2", "--listen", "127.0.0.1:0"}, "gdb", "-nx", "-q", "-batch",
		"-ex", "break main", "-ex", "run", "-ex", "continue", "--args", program, "rounds")
	errs, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	c.Stdout = &out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	lines, address := bufio.NewScanner(errs), ""
	for address == "" && lines.Scan() {
		_, address, _ = strings.Cut(lines.Text(), "kernel scale: target remote ")
	}
	device, err := forkedgdb.CombinedOutput(t.Context(), debugger(t.Context(), "gdb",
		"target remote "+address, "break 31", "continue", "print round", "delete", "continue"))
	missing := inOrder(string(device), []string{"hit Breakpoint 1, scale (p=0x2000", "$1 = 1\n",
		"exited normally]"})
	if err != nil || missing != "" {
		t.Errorf("device: %v, no %q in\n%s", err, missing, device)
	}
	if err := c.Wait(); err != nil {
		t.Error(err)
	}
	if missing := inOrder(out.String(),
		[]string{"Breakpoint 1, ", "main", "exited normally]"}); missing != "" {
		t.Errorf("host: no %q in\n%s", missing, &out)
	}
}

// TestExecCheck finds a race in the second launch of a program, and none in another.
func TestExecCheck(t *testing.T) {
	t.Parallel()
	program := buildProgram(t, "kernels.O3.hipfb")
	if r := execute(t, []string{"--check", "race"}, program, "twenty"); r.status != 0 || r.err != "" {
		t.Errorf("status %d: %s", r.status, r.err)
	}
	r := execute(t, []string{"--check", "race"}, program, "races")
	if want := "launch 2, number 1 of kernel race: check race: "; r.status != statusFault ||
		!strings.Contains(r.err, want) || r.out != "races: done\n" {
		t.Errorf("status %d, no %q in\n%s", r.status, want, r.err)
	}
}

// TestExecServe has each launch wait for a gdb that connects by itself, while another
// gdb debugs the host's side.
func TestExecServe(t *testing.T) {
	needGDB(t)
	program := buildProgram(t, "kernels.O0.hipfb")
	flags := []string{"--break", "scale", "--break", "fill#2", "--listen", "127.0.0.1:0"}
	c := execOn(t, flags, program, "rounds")
	errs, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(errs)
	lines.Scan()
	_, address, ok := strings.Cut(lines.Text(), "kernel scale: target remote ")
	if !ok {
		t.Fatalf("%q", lines.Text())
	}
	commands := append([]string{"set print thread-events off", "target remote " + address},
		slices.Repeat([]string{"continue"}, 5)...)
	out, err := forkedgdb.CombinedOutput(t.Context(), debugger(t.Context(), "gdb", commands...))
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	missing := inOrder(string(out), []string{"scale (p=",
		"launch 3, number 2 of kernel scale", "received signal SIGTRAP",
		"launch 4, number 3 of kernel scale", "launch 5, number 4 of kernel scale",
		"launch 6, number 2 of kernel fill",
		"fill (p=", "exited normally]"})
	if missing != "" {
		t.Errorf("no %q in its place in\n%s", missing, out)
	}
	if err := c.Wait(); err != nil {
		t.Error(err)
	}
}

// eventually waits for something that takes less than a minute.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !done(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not so within a minute: %s", what)
		}
	}
}
