package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"simtgdb/stub/suite"
	"simtgdb/testdata/forkedgdb"
	"simtgdb/testdata/sweep"
)

var update = flag.Bool("update", false, "rewrite the transcripts in testdata/gdb and in the documents")

// root is the top of the repository, where gdb scripts run.
const root = "../../.."

// program builds the program under test once, in the place where the scripts
// look for it, unless it was built.
func program(t *testing.T) {
	t.Helper()
	if err := built(); err != nil {
		t.Fatal(err)
	}
}

var built = sync.OnceValue(func() error {
	if wasBuilt() {
		return nil
	}
	out, err := exec.Command("go", "build", "-o", filepath.Join(root, "bin", "simtgdb"), ".").CombinedOutput()
	if err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	return nil
})

// debuggers are the programs that every script runs in: "gdb", or those that the
// environment has in SIMTGDB_GDBS, separated by spaces.
var debuggers = sync.OnceValue(func() []string {
	if gdbs := strings.Fields(os.Getenv("SIMTGDB_GDBS")); len(gdbs) > 0 {
		return gdbs
	}
	return []string{"gdb"}
})

// manyArch is a gdb that has all CPUs. It runs some scripts again, on both
// facades: those that show no address of the stub's own.
const manyArch = "gdb-multiarch"

var onBothFacades = []string{"finish", "demo", "mandelbrot", "vectors", "guide_break", "recursion", "threads",
	"guide_step", "guide_watch", "guide_calls", "optimised", "unwind_indirect", "unwind_flat", "intel_bare",
	"ptx_recursion", "intel_results", "ptx_lines", "ptx_optimised", "ptx_step"}

// shownElsewhere are scripts that show of one machine, of one level or in one document what others show of
// another: all are run where tests sweep, and by check-suite.
var shownElsewhere = strings.Fields(`
	builtins_intel builtins_ptx builtins_spirv check_arrays_intel check_back check_bounds_ptx check_ptx
	check_reverse_ptx check_rows check_spirv check_uninit ends_intel ends_opencl ends_ptx ends_spirv
	guide_break guide_calls guide_check guide_check_uninit guide_dynamic guide_ends guide_intel guide_lanes
	guide_many guide_memory guide_narrow guide_optimised guide_pointers guide_ptx guide_reverse guide_spirv
	guide_step guide_watch identity_intel intel_back intel_bare intel_gen11 intel_gen12lp intel_large_values
	intel_memory intel_objects_optimized intel_plain intel_reverse intel_watch intel_xe_values
	lanes_print_cl lanes_print_cpp lanes_print_spirv late matmul opencl_optimised ptx_dumps ptx_ends
	ptx_inlined ptx_lines ptx_many ptx_opencl ptx_recursion ptx_watch python_ptx_lanes python_spirv
	reverse_begin_ptx shared_optimised siginfo_intel siginfo_ptx siginfo_spirv signal_kinds_ptx spirv_back
	spirv_cl_layout spirv_lines spirv_local spirv_loops spirv_printf spirv_reverse spirv_shared
	spirv_speclayout spirv_types traps_back_ptx unwind_indirect words_intel words_ptx words_spirv`)

// TestTranscripts runs each script of testdata/gdb in real debuggers and
// compares all that they print with the transcript beside it.
func TestTranscripts(t *testing.T) {
	program(t)
	scripts, err := filepath.Glob(filepath.Join(root, "testdata/gdb/*.gdb"))
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, name := range shownElsewhere {
		if !slices.Contains(scripts, filepath.Join(root, "testdata/gdb", name+".gdb")) {
			t.Errorf("there is no script %s", name)
		}
	}
	for _, script := range scripts {
		name := strings.TrimSuffix(filepath.Base(script), ".gdb")
		if slices.Contains(shownElsewhere, name) && !sweep.All() && !*update {
			continue
		}
		for _, debugger := range debuggers() {
			t.Run(name+"/"+strings.ReplaceAll(strings.Trim(debugger, "/"), "/", "_"), func(t *testing.T) {
				t.Parallel()
				for _, u := range unlike {
					if v := gdbVersion(t, debugger); u.script == name && u.from <= v && v <= u.to {
						t.Skipf("skipped: %s", u.why)
					}
				}
				transcribe(t, debugger, script, "")
			})
		}
		number := slices.Index(onBothFacades, name)
		if number < 0 || number%sweep.Step(5) != 0 || *update {
			continue
		}
		facades := []string{"aarch64", "x86-64"}
		if number%2 == 1 {
			slices.Reverse(facades)
		}
		for _, cpu := range sweep.Some(2, facades...) { // one of them, by turns, or both
			t.Run(name+"/"+manyArch+"/"+cpu, func(t *testing.T) {
				t.Parallel()
				transcribe(t, manyArch, script, cpu)
			})
		}
	}
}

// transcribe compares what a debugger prints while it runs a script, shown a
// program of a CPU, with the script's transcript.
func transcribe(t *testing.T, debugger, script, cpu string) {
	t.Helper()
	if _, err := exec.LookPath(debugger); err != nil {
		t.Skipf("skipped: %v", err)
	}
	path, err := filepath.Rel(root, script)
	if err != nil {
		t.Fatal(err)
	}
	choice := ""
	if cpu != "" {
		choice = " --facade " + cpu
		text, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		path = filepath.Join(t.TempDir(), filepath.Base(script))
		text = bytes.ReplaceAll(text, []byte("simtgdb serve"), []byte("simtgdb serve"+choice))
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out := strings.ReplaceAll(runScript(t, debugger, path), "simtgdb serve"+choice, "simtgdb serve")
	compareTranscript(t, suite.Case{Name: script}.TranscriptOf(gdbVersion(t, debugger)), out)
}

// runScript gives what a debugger prints while it runs a script.
func runScript(t *testing.T, debugger, path string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	c := (&suite.Runner{GDB: debugger, Folder: root}).Command(ctx, path)
	out, err := forkedgdb.CombinedOutput(ctx, c)
	if err != nil && !forkedgdb.Exited(err) {
		t.Fatalf("%s in %s: %v\n%s", debugger, path, err, out)
	}
	return suite.Normalise(string(out))
}

// unlike are the scripts in which some gdbs do something else.
var unlike = []struct {
	script   string
	from, to int // the first and the last version that is unlike
	why      string
}{
	{"python", 0, 12, "gdb 12 has no gdb.disassembler"},
	{"intel_wide", 0, 12, "gdb 12 has no gdb.disassembler"},
	{"spirv_all", 0, 12, "gdb 12 finds no macro of the module"},
}

// gdbVersion is the number before the point of a gdb's version. Each gdb is asked once: it starts to say it.
func gdbVersion(t *testing.T, gdb string) int {
	t.Helper()
	version, _ := gdbVersions.LoadOrStore(gdb, sync.OnceValue(func() int { return suite.Version(gdb) }))
	n := version.(func() int)()
	if n == 0 {
		t.Fatalf("%s --version says no version", gdb)
	}
	return n
}

// gdbVersions has a function for each gdb that was asked for its version.
var gdbVersions sync.Map

func compareTranscript(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(suite.CommonWords(string(want)), suite.CommonWords(got)); d != "" {
		t.Errorf("the transcript differs (-want +got):\n%s", d)
	}
}

// quoted is a transcript in a document: a comment that names the file, and a
// fenced block with its contents.
var quoted = regexp.MustCompile("(?s)<!-- transcript: (\\S+) -->\n```[a-z]*\n(.*?)```\n")

// TestDocuments compares the transcripts that documents quote with the files
// that TestTranscripts checks.
func TestDocuments(t *testing.T) {
	documents, err := filepath.Glob(filepath.Join(root, "docs/*.md"))
	if err != nil {
		t.Fatal(err)
	}
	quotes := 0
	for _, doc := range append(documents, filepath.Join(root, "README.md")) {
		text, err := os.ReadFile(doc)
		if err != nil {
			t.Fatal(err)
		}
		now := quoted.ReplaceAllFunc(text, func(block []byte) []byte {
			m := quoted.FindSubmatch(block)
			quotes++
			want, err := os.ReadFile(filepath.Join(root, string(m[1])))
			if err != nil {
				t.Errorf("%s: %v", doc, err)
				return block
			}
			if !*update {
				if d := cmp.Diff(string(want), string(m[2])); d != "" {
					t.Errorf("%s quotes %s wrongly (-want +got):\n%s", filepath.Base(doc), m[1], d)
				}
			}
			return fmt.Appendf(nil, "<!-- transcript: %s -->\n```text\n%s```\n", m[1], want)
		})
		if *update && !bytes.Equal(now, text) {
			if err := os.WriteFile(doc, now, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	if quotes == 0 {
		t.Error("no document quotes a transcript")
	}
}
