package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"simtgdb/testdata/forkedgdb"
	"simtgdb/testdata/steps"
	"simtgdb/testdata/sweep"
)

// TestStepsAsNative steps lanes with gdb through programs with nested divergent loops,
// break, continue, fallthrough, goto, early returns, short circuits, recursion, calls by
// pointer, destructors and what else moves control, and back again. The lines are those
// of the same source compiled for the host and stepped there (testdata/steps), in their
// order. One lane of each program is stepped, and back if its way is short;
// SIMTGDB_STEPS=all steps all 64, there and back. (TestPlaces of package stub holds
// against the same lines where every lane stands at every instruction.)
func TestStepsAsNative(t *testing.T) {
	if _, err := exec.LookPath("gdb"); err != nil {
		t.Skipf("skipped: %v", err)
	}
	programs, err := steps.Read(filepath.Join(root, "testdata/steps"))
	if err != nil || len(programs) < 16 {
		t.Fatalf("%d programs, %v", len(programs), err)
	}
	for _, p := range programs {
		if slices.Contains(alike, p.Name) && !sweep.All() && os.Getenv("SIMTGDB_STEPS") != "all" {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			stepAsNative(t, &p, "", chosenLanes(&p))
		})
		if !slices.Contains(ofLater, p.Name) {
			continue
		}
		laters := []string{".gfx1100", ".gfx1250"}
		if p.Name == ofLater[1] {
			slices.Reverse(laters)
		}
		for _, processor := range sweep.Some(2, laters...) { // one of them, by turns, or both
			t.Run(p.Name+processor, func(t *testing.T) {
				t.Parallel()
				stepAsNative(t, &p, processor, chosenLanes(&p))
			})
		}
	}
}

// alike are programs whose ways others have too: loops that lanes leave one by one and from within others,
// switches in loops, conditions that are not evaluated to their end, blocks. TestPlaces has all.
var alike = []string{"chains", "circuits", "collatz", "early", "shadow", "sort", "states"}

// ofLater are the programs that are there for processors whose waves have 32 lanes.
var ofLater = []string{"nested", "recursion"}

// chosenLanes are the lanes to be stepped.
func chosenLanes(p *steps.Program) []int {
	var all []int
	for lane := range p.Lanes {
		all = append(all, lane)
	}
	if os.Getenv("SIMTGDB_STEPS") == "all" {
		return all
	}
	few := []int{3, 5, 6, 11, 23, 40, 63}
	slices.SortStableFunc(few, func(a, b int) int { return len(p.Lanes[a]) - len(p.Lanes[b]) })
	return few[2:3]
}

// shortWay is how many lines a lane that is stepped back comes to at most, unless all are. Those that are
// left out where tests do not sweep call nothing and fall through nothing.
func shortWay() int { return 25 + 5/sweep.Step(10) }

// stepAsNative steps lanes there and back and compares the lines.
func stepAsNative(t *testing.T, p *steps.Program, processor string, lanes []int) {
	all := os.Getenv("SIMTGDB_STEPS") == "all"
	back := all || len(p.Lanes[lanes[0]]) <= shortWay()
	// By TCP: of a pipe gdb reads each byte by two system calls.
	address, _ := server(t, "--code-object", filepath.Join(kernels, "steps/co", p.Name+processor+".co"),
		"--kernel", "kernel",
		"--grid", "64", "--block", "64", "--arg", "buf:i32[64]=zero")
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Minute)
	defer cancel()
	numbers := strings.ReplaceAll(strings.Trim(fmt.Sprint(lanes), "[]"), " ", ",")
	cmd := debugger(ctx, debuggers()[0], "set print thread-events off", "target remote "+address,
		fmt.Sprintf("python LANES = [%s]; LAST = '%s'; BACK = %d", numbers, p.Last, count(back)),
		"source testdata/steps/lanes.py")
	out, err := forkedgdb.CombinedOutput(ctx, cmd)
	walks, lines := 0, 0
	for line := range strings.Lines(string(out)) {
		var lane int
		words := strings.Fields(line)
		if len(words) < 3 || words[0] != "lines" && words[0] != "back" {
			continue
		}
		if _, err := fmt.Sscan(words[1], &lane); err != nil || lane >= len(p.Lanes) {
			t.Fatalf("%q", line)
		}
		walks++
		want, err := p.Parse(p.Lanes[lane])
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Parse(words[2:])
		if err != nil {
			t.Fatal(err)
		}
		lines += want.Count()
		if words[0] == "back" {
			want.Reverse()
			want.Compact()
			got.Compact()
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s, lane %d (-native +lane):\n%s", words[0], lane, d)
		}
	}
	if walks != len(lanes)*(1+count(back)) {
		t.Fatalf("%d walks of %d lanes: %v\n%s", walks, len(lanes), err, out)
	}
	t.Logf("%d lines in %d walks", lines, walks)
}

// count is 1 for something that is there.
func count(is bool) int {
	if is {
		return 1
	}
	return 0
}
