package main

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/testdata/forkedgdb"
	"simtgdb/testdata/sweep"
)

// values are those that gdb has shown of each variable of a function, with how often; "FUNCTION.VARIABLE".
type values map[string]map[string]int

const gone = "<optimized out>"

var frameLine = regexp.MustCompile(`(?m)^#0  (?:0x[0-9a-f]+ in )?(\w+) \((.*)\) at \S+$`)

// valuesOf gives the values of parameters and variables in the innermost frame of a lane, after each of the
// gdb commands that a kernel takes to end.
func valuesOf(t *testing.T, object, command string, args ...string) values {
	t.Helper()
	script := filepath.Join(t.TempDir(), "script")
	// By TCP: of a pipe gdb reads each byte by two system calls.
	address, _ := server(t, append(slices.Clone(args), filepath.Join(root, object))...)
	text := "set pagination off\nset width 0\nset confirm off\nset print thread-events off\n" +
		"target remote " + address + "\nthread 6\n" +
		"while 1\nframe\ninfo locals\n" + command + "\nend\n"
	if err := os.WriteFile(script, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := forkedgdb.CombinedOutput(t.Context(), batchGDB(t.Context(), "gdb", "-x", script))
	if err != nil && !forkedgdb.Exited(err) {
		t.Fatal(err)
	}
	found := values{}
	stops := frameLine.FindAllSubmatchIndex(out, -1)
	for i, at := range stops {
		end := len(out)
		if i+1 < len(stops) {
			end = stops[i+1][0]
		}
		function := string(out[at[2]:at[3]])
		lines := strings.Split(string(out[at[4]:at[5]]), ", ")
		for _, l := range append(lines, strings.Split(string(out[at[1]:end]), "\n")...) {
			name, value, ok := strings.Cut(strings.Replace(l, " = ", "=", 1), "=")
			if !ok || strings.ContainsAny(name, " \t(") || strings.HasSuffix(name, "@entry") {
				continue
			}
			key := function + "." + name
			if found[key] == nil {
				found[key] = map[string]int{}
			}
			found[key][value]++
		}
	}
	if len(found) == 0 {
		t.Fatalf("%s: gdb shows nothing: %s", object, out)
	}
	return found
}

// TestOptimisedValues looks at each instruction of one lane of code that IGC has optimised, and compares the
// values that gdb shows of variables with those that they have in code that it has not. What is shown and is
// none of them is what IGC says wrongly and nothing contradicts, and is listed (docs/fidelity.md). Registers
// that are not written yet, and rows of narrow values, would be among it.
func TestOptimisedValues(t *testing.T) {
	program(t)
	if _, err := exec.LookPath("gdb"); err != nil {
		t.Skipf("skipped: %v", err)
	}
	args := []string{"--grid", "64", "--block", "64", "--arg", "buf:i32[64]=zero",
		"--arg", "buf:i32[80]=iota", "--arg", "i32:3"}
	for _, tt := range sweep.Some(2, []struct {
		program string
		right   int            // values shown that the variable has at some time
		wrong   map[string]int // values shown that it never has, by variable
	}{
		// id has the register that w.x is kept in later; h, all and t have partial results.
		{"updates", 959, map[string]int{"mix.h": 6, "updates.all": 6, "updates.id": 18, "updates.t": 1}},
		// k is 1 more in the loop's last instructions.
		{"narrow", 1213, map[string]int{"narrow.k": 8}},
	}...) {
		t.Run(tt.program, func(t *testing.T) {
			t.Parallel()
			object := "testdata/igc/debug/" + tt.program
			ever := valuesOf(t, object+"-O0.zebin", "step", args...)
			right, wrong := 0, map[string]int{}
			for name, shown := range valuesOf(t, object+"-O2.zebin", "stepi", args...) {
				for value, n := range shown {
					switch {
					case strings.Contains(value, gone):
					case ever[name][value] > 0:
						right += n
					default:
						wrong[name] += n
					}
				}
			}
			if right != tt.right || !maps.Equal(wrong, tt.wrong) {
				t.Errorf("%d right values, want %d; wrong ones (-want +got):\n%s", right, tt.right,
					cmp.Diff(tt.wrong, wrong))
			}
		})
	}
}
