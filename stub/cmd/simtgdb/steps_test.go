package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// steps is a script for gdb's Python that steps through functions by `next` and
// prints the lines that it stops at. THREAD is what confines breakpoints to a lane.
const steps = `import gdb
functions = ["chain", "loop", "nested", "cases"]
inside = lambda f: (gdb.selected_frame().name() or "").startswith(f)
for f in functions:
    gdb.execute("tbreak " + f + THREAD, to_string=True)
gdb.execute(START, to_string=True)
for f in functions:
    if not inside(f):
        gdb.execute("continue", to_string=True)
    lines = []
    while inside(f):
        lines.append(gdb.selected_frame().find_sal().line)
        gdb.execute("next", to_string=True)
    print("steps", f, *lines)
gdb.execute("kill")
`

// TestStepsAsNative steps lanes through functions with nested loops, continue, break,
// fallthrough, goto, early returns and short circuits, and compares the lines with
// those of the same source compiled for this machine. Lines with nothing but a
// brace do not count: only one of the compilers has code there.
func TestStepsAsNative(t *testing.T) {
	const clang = "clang-22"
	for _, p := range []string{clang, "gdb"} {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("skipped: %v", err)
		}
	}
	program(t)
	source, err := os.ReadFile(filepath.Join(root, "testdata/debug/glue.hip"))
	if err != nil {
		t.Fatal(err)
	}
	native := compileNative(t, clang, string(source))
	braces := map[string]bool{}
	for i, text := range strings.Split(string(source), "\n") {
		braces[fmt.Sprint(i+1)] = regexp.MustCompile(`^\s*(do )?[{}]\s*$`).MatchString(text)
	}
	for _, lane := range []int{0, 3, 5, 7, 11, 33, 50} {
		t.Run(fmt.Sprint("lane", lane), func(t *testing.T) {
			t.Parallel()
			want := stepLines(t, braces, "", "run "+fmt.Sprint(lane), "-ex", "set startup-with-shell off", native)
			got := stepLines(t, braces, fmt.Sprintf(" thread %d", lane+1), "continue", "-ex",
				"target remote | bin/simtgdb serve --stdio --code-object testdata/debug/co/glue.O0.co --kernel glue "+
					"--grid 64 --block 64 --arg buf:i32[64]=zero")
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("lines (-native +lane):\n%s", d)
			}
		})
	}
}

// compileNative compiles the kernel for this machine: its only argument is the lane.
func compileNative(t *testing.T, clang, source string) string {
	t.Helper()
	for _, device := range []string{"device, ", "global"} {
		source = strings.ReplaceAll(source, device, "")
	}
	source = strings.ReplaceAll(source, "__builtin_amdgcn_workitem_id_x()", "lane")
	folder := t.TempDir()
	file, out := filepath.Join(folder, "glue.cpp"), filepath.Join(folder, "glue")
	source = "static int lane;" + source + "\nextern \"C\" int atoi(const char *);\n" +
		"int main(int, char **argv) { static int out[64]; lane = atoi(argv[1]); glue(out); }\n"
	if err := os.WriteFile(file, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	if b, err := exec.Command(clang, "-x", "c++", "-g", "-O0", "-w", "-std=c++20", file, "-o", out).CombinedOutput(); err != nil {
		t.Skipf("skipped: no program for this machine can be compiled: %v\n%s", err, b)
	}
	return out
}

// stepLines runs the script and gives the lines of each function.
func stepLines(t *testing.T, braces map[string]bool, thread, start string, args ...string) []string {
	t.Helper()
	script := filepath.Join(t.TempDir(), "steps.py")
	text := fmt.Sprintf("THREAD = %q\nSTART = %q\n%s", thread, start, steps)
	if err := os.WriteFile(script, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	args = append([]string{"-nx", "-batch", "-ex", "set confirm off", "-ex", "set print thread-events off"}, args...)
	cmd := exec.CommandContext(ctx, "gdb", append(args, "-x", script)...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "LC_ALL=C", "DEBUGINFOD_URLS=", "TERM=dumb", "HOME=/nonexistent")
	out, err := cmd.CombinedOutput()
	var lines []string
	for _, line := range strings.Split(string(out), "\n") {
		if words := strings.Fields(line); len(words) > 0 && words[0] == "steps" {
			kept := words[:2]
			for _, w := range words[2:] {
				if !braces[w] {
					kept = append(kept, w)
				}
			}
			lines = append(lines, strings.Join(kept, " "))
		}
	}
	if len(lines) != 4 {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return lines
}
