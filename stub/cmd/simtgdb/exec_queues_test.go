//go:build linux

package main

import (
	"fmt"
	"strings"
	"testing"

	"simtgdb/testdata/sweep"
)

// queues are the scenarios of queues.c that end well.
var queues = []string{"order", "gates", "across", "defaults", "values", "graphs", "own", "times", "stress"}

func testQueues(t *testing.T, program string) {
	t.Helper()
	r := execute(t, nil, append([]string{program}, queues...)...)
	want := strings.Join(queues, ": done\n") + ": done\n"
	if r.status != 0 || r.out != want || r.err != "" {
		t.Errorf("status %d: %q, want %q\n%s", r.status, r.out, want, r.err)
	}
	r = execute(t, nil, program, "callbacks") // whose kernel faults
	if r.status != 3 || r.out != "callbacks: done\n" ||
		!strings.Contains(r.err, "kernel beyond:\nthe kernel faulted") {
		t.Errorf("status %d: %s%s", r.status, r.out, r.err)
	}
}

// TestExecQueues runs a program whose streams wait for functions of the host and for values.
func TestExecQueues(t *testing.T) {
	testQueues(t, buildSource(t, "queues.c", "kernels.O3.hipfb"))
}

// TestExecQueuesHIP compiles it as HIP, and once more with a default stream of each thread's own.
func TestExecQueuesHIP(t *testing.T) {
	t.Parallel()
	for _, level := range sweep.Some(2, "-O0", "-O3") {
		t.Run(level, func(t *testing.T) { testQueues(t, compileProgram(t, level, "queues.c")) })
	}
	t.Run("per-thread", func(t *testing.T) {
		program := compileProgram(t, "-O3", "queues.c", "-fgpu-default-stream=per-thread")
		r := execute(t, nil, program, "apart", "order", "own", "stress")
		if r.status != 0 || r.out != "apart: done\norder: done\nown: done\nstress: done\n" {
			t.Errorf("status %d: %s%s", r.status, r.out, r.err)
		}
	})
}

// TestExecMemory runs a program that asks for memory of all kinds, and uses the device after main.
func TestExecMemory(t *testing.T) {
	t.Parallel()
	const want = "pieces: done\nadvice: done\nplanes: done\nresets: done\nexits: done\nat exit: 5\nafter " +
		"that: 11\n"
	programs := map[string]func(*testing.T) string{
		"C":   func(t *testing.T) string { return buildSource(t, "memory.c", "kernels.O0.hipfb") },
		"HIP": func(t *testing.T) string { return compileProgram(t, "-O3", "memory.c") },
	}
	for name, build := range programs {
		t.Run(name, func(t *testing.T) {
			r := execute(t, nil, build(t), "pieces", "advice", "planes", "resets", "exits")
			if r.status != 0 || r.out != want || r.err != "" {
				t.Errorf("status %d: %q, want %q\n%s", r.status, r.out, want, r.err)
			}
		})
	}
}

// TestExecPlugins runs a program that loads and unloads libraries whose kernels have the same names.
func TestExecPlugins(t *testing.T) {
	t.Parallel()
	_, dir := libraries()
	if dir == "" {
		t.Skip("skipped: no C compiler")
	}
	compile := func(output string, args ...string) string {
		return sharedProgram(t, output, "cc", append(args, "-w", "-L$HIP", "-l:libamdhip64.so.5", "-ldl")...)
	}
	plugin := func(level string) string {
		return compile(level+".so", "-shared", "-fPIC",
			fmt.Sprintf("-DKERNELS=%q", "kernels."+level+".hipfb"), "plugin.c")
	}
	program := compile("plugins", "plugins.c")
	r := execute(t, nil, program, plugin("O0"), plugin("O3"))
	// Numbers 11 and 12 of what fill and scale write, and 1000 times the counter of each library, which
	// starts at 5.
	if want := strings.Repeat("6033 6036 7033 7036 \n", 3); r.status != 0 || r.out != want || r.err != "" {
		t.Errorf("status %d: %q, want %q\n%s", r.status, r.out, want, r.err)
	}
}
