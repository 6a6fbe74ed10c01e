package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

var updateDocs = flag.Bool("update-docs", false, "rewrite the table of what checkers find in docs/checking.md")

// A corpus counts kernels of testdata/check: those with a defect of which that is found, and the others that are
// reported, of all.
type corpus struct {
	mu    sync.Mutex
	cells map[corpusCell][2]int // found, all
}

type corpusCell struct{ kind, machine, level string }

// machineNames are the machines of the table by what their objects' names end in, in its order.
var machineNames = [][2]string{{"co", "gfx90a"}, {"zebin", "Gen9"}, {"ptx", "PTX"}, {"spv", "SPIR-V"}}

// count notes what was found in a kernel of an object NAME.LEVEL.MACHINE.
func (c *corpus) count(kernel, object string, found bool) {
	words := strings.Split(object, ".")
	_, kind, _ := strings.Cut(kernel, "_")
	if len(words) < 3 || strings.HasPrefix(object, "exchange.gfx") {
		return
	}
	at := corpusCell{kind, words[len(words)-1], words[len(words)-2]}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cells == nil {
		c.cells = map[corpusCell][2]int{}
	}
	n := c.cells[at]
	if n[1]++; found {
		n[0]++
	}
	c.cells[at] = n
}

// corpusKinds are the rows of the table.
var corpusKinds = []string{"race", "bounds", "uninit", "barrier", "undefined"}

// table is what docs/checking.md shows.
func (c *corpus) table() string {
	var b strings.Builder
	head, line := "| |", "|---|"
	for _, m := range machineNames {
		for _, level := range opts {
			head += fmt.Sprintf(" %s `-%s` |", m[1], level)
			line += "--:|"
		}
	}
	fmt.Fprintf(&b, "\n%s\n%s\n", head, line)
	row := func(name string, kinds ...string) {
		fmt.Fprintf(&b, "| %s |", name)
		for _, m := range machineNames {
			for _, level := range opts {
				found, all := 0, 0
				for _, kind := range kinds {
					n := c.cells[corpusCell{kind, m[0], level}]
					found, all = found+n[0], all+n[1]
				}
				fmt.Fprintf(&b, " %d of %d |", found, all)
			}
		}
		b.WriteByte('\n')
	}
	for _, kind := range corpusKinds {
		row("`"+kind+"`", kind)
	}
	row("all", corpusKinds...)
	row("correct kernels that are reported", "ok")
	return b.String() + "\n"
}

const (
	corpusBegin = "<!-- made by TestDefects from here -->\n"
	corpusEnd   = "<!-- to here -->\n"
	corpusDoc   = "../../../docs/checking.md"
)

// compare holds the table of docs/checking.md against what was found, unless not all was run.
func (c *corpus) compare(t *testing.T) {
	if f := flag.Lookup("test.run"); f != nil && strings.Contains(f.Value.String(), "/") || t.Failed() {
		return
	}
	data, err := os.ReadFile(corpusDoc)
	if err != nil {
		t.Error(err)
		return
	}
	head, rest, ok := strings.Cut(string(data), corpusBegin)
	got, tail, ok2 := strings.Cut(rest, corpusEnd)
	if !ok || !ok2 {
		t.Errorf("%s does not have the lines %q and %q", corpusDoc, corpusBegin, corpusEnd)
		return
	}
	want := c.table()
	if *updateDocs {
		if err := os.WriteFile(corpusDoc, []byte(head+corpusBegin+want+corpusEnd+tail), 0o666); err != nil {
			t.Error(err)
		}
		return
	}
	if d := gocmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); d != "" {
		t.Errorf("%s is not what was found; go test ./stub/cmd/simtgdb -run 'TestDefects$' -update-docs writes it anew "+
			"(-want +got):\n%s", corpusDoc, d)
	}
}

// TestCorpusTable: each machine, level and kind is counted by itself.
func TestCorpusTable(t *testing.T) {
	var c corpus
	for _, x := range []struct {
		kernel, object string
		found          bool
	}{{"a_race", "x.O0.co", true}, {"b_race", "x.O0.co", false}, {"b_ok", "x.y.O2.zebin", false}, {"a_race",
		"exchange.gfx942.O0.co", true}, {"a_wait", "registers.co", true}, {"c_barrier", "x.O2.spv", true}} {
		c.count(x.kernel, x.object, x.found)
	}
	lines := strings.Split(c.table(), "\n")
	for _, want := range []string{"| `race` | 1 of 2 | 0 of 0 |", "| all | 1 of 2 |", "| `barrier` | 0 of 0 |",
		"| correct kernels that are reported | 0 of 0 | 0 of 0 | 0 of 0 | 0 of 1 |"} {
		if !slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, want) }) {
			t.Errorf("%q is missing in\n%s", want, strings.Join(lines, "\n"))
		}
	}
}
