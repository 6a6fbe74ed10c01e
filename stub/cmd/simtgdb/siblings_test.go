package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// siblingMoves are ways to move a lane alone, as gdb believes. Its siblings move too.
var siblingMoves = []string{
	"break *$pc\nstepi", // over a breakpoint
	"delete\nset scheduler-locking on\nstepi",
	"stepi 3",
	"reverse-stepi",
	"monitor goto begin\nstepi",
	"stepi 2",
	"break *$pc\nstepi",
	"delete\nset scheduler-locking off\nmonitor goto 1\nbreak *$pc\nstepi",
	"thread 3\nstepi", // the lane of thread 1, which stands at the breakpoint, may go first
	"break *$pc\nthread 2\nstepi\nthread 1",
}

// TestSiblings looks at lanes before and after another lane of their wave was moved alone: gdb shows what it
// shows when it has been made to forget all registers.
func TestSiblings(t *testing.T) {
	for name, launch := range map[string]string{
		"gfx9":   "--demo",
		"ptx":    "--launch testdata/launch/demo.json --code-object testdata/ptx/co/demo.O0.ptx",
		"gen9":   "--launch testdata/igc/debug/tile.json",
		"spirv":  "--launch testdata/spirv/launch/cl_nodes.json",
		"shader": "--launch testdata/spirv/launch/layout.json",
	} {
		for _, debugger := range debuggers() {
			t.Run(name+"/"+strings.ReplaceAll(strings.Trim(debugger, "/"), "/", "_"), func(t *testing.T) {
				t.Parallel()
				siblings(t, debugger, strings.Fields(strings.ReplaceAll(launch, "testdata", kernels))...)
			})
		}
	}
}

func siblings(t *testing.T, debugger string, launch ...string) {
	// By TCP: of a pipe gdb reads each byte by two system calls.
	address, _ := server(t, launch...)
	const look = "echo =\\n\nthread apply 1-4 -q info registers\n"
	script := "set pagination off\nset width 0\nset confirm off\nset style enabled off\n" +
		"target remote " + address +
		"\nstepi 4\n" + look
	for _, move := range siblingMoves {
		script += "echo \\n=" + strings.ReplaceAll(move, "\n", "; ") + "\\n\n" + move + "\n" + look +
			"maint flush register-cache\n" + look
	}
	path := filepath.Join(t.TempDir(), "siblings.gdb")
	if err := os.WriteFile(path, []byte(script+"kill\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	pieces := strings.Split(runScript(t, debugger, path), "\n=")
	if len(pieces) != 2+3*len(siblingMoves) {
		t.Fatalf("%d pieces of %d moves:\n%s", len(pieces), len(siblingMoves), strings.Join(pieces, "\n="))
	}
	pcs := regexp.MustCompile(`(?m)^rip .*`)
	moved := 0
	before := pieces[1]
	for i, move := range siblingMoves {
		shown, forgotten := pieces[3+3*i], pieces[4+3*i]
		forgotten, _, _ = strings.Cut(forgotten, "[Inferior 1")
		if d := cmp.Diff(strings.TrimSpace(forgotten), strings.TrimSpace(shown)); d != "" {
			t.Errorf("after %q gdb shows (-what is there, +what it shows)\n%s", move, d)
		}
		was, is := pcs.FindAllString(before, -1), pcs.FindAllString(forgotten, -1)
		if len(was) != 4 || len(is) != 4 {
			t.Fatalf("after %q: places %q and %q of 4 threads", move, was, is)
		}
		if was[1] != is[1] {
			moved++
		}
		before = forgotten
	}
	if moved < len(siblingMoves)-2 {
		t.Errorf("only %d of %d moves have moved thread 2", moved, len(siblingMoves))
	}
}
