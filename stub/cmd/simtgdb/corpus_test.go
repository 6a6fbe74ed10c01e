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

var updateDocs = flag.Bool("update-docs", false,
	"rewrite the table of what checkers find in docs/checking.md")

// A corpus counts kernels of testdata/check: those with a defect of which that is found, and the others that
// are reported, of all.
type corpus struct {
	mu    sync.Mutex
	cells map[corpusCell][2]int // found, all
}

type corpusCell struct{ kind, machine, level string }

// machineNames are the machines of the table by what their objects' names end in, in its order.
var machineNames = [][2]string{{"co", "gfx90a"}, {"gfx1100.co", "gfx1100"}, {"zebin", "Gen9"},
	{"xe-hpg.zebin", "Xe-HPG"}, {"ptx", "PTX"}, {"spv", "SPIR-V"}}

// compiledAs is what the name of an object says,
// SOURCE.LEVEL.MACHINE or SOURCE.KERNEL.LEVEL.MACHINE; "" for all
// of it if it is of neither form.
func compiledAs(object string) (source, level, machine string) {
	words := strings.Split(object, ".")
	for i := 1; i <= 2 && i < len(words)-1; i++ {
		if slices.Contains(opts, words[i]) {
			return words[0], words[i], strings.Join(words[i+1:], ".")
		}
	}
	return "", "", ""
}

// count notes what was found in a kernel of an object NAME.LEVEL.MACHINE, where some kinds were looked for.
func (c *corpus) count(kernel, kinds, object string, found bool) {
	_, level, machine := compiledAs(object)
	_, kind, _ := strings.Cut(kernel, "_")
	if machine == "" || strings.HasPrefix(object, "exchange.gfx") || takenAway.of(kernel, object) != nil {
		return
	}
	if kind == "race" && kinds != "all" {
		kind = kinds
	}
	at := corpusCell{kind, machine, level}
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
var corpusKinds = []string{"race", "race-strict", "bounds", "uninit", "barrier", "undefined", "nan"}

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
	b.WriteString("\nNot found:\n")
	missed.write(&b)
	b.WriteString("\nNot counted, since the compiler has taken the defect away:\n")
	takenAway.write(&b)
	return b.String() + "\n"
}

// Excuses say of kernels with a defect why it is not found in some of their objects.
type excuses []excuse

type excuse struct {
	level, machine, source string // level is "" for all; the machine may be several
	kernels                string
	why                    string
}

// of is the excuse for a kernel of an object NAME.LEVEL.MACHINE; nil if there is none.
func (e excuses) of(kernel, object string) *excuse {
	source, level, machine := compiledAs(object)
	for i, x := range e {
		if slices.Contains(strings.Fields(x.machine), machine) && x.source == source &&
			(x.level == "" || x.level == level) &&
			slices.Contains(strings.Fields(x.kernels), kernel) {
			return &e[i]
		}
	}
	return nil
}

// write prints them as a table.
func (e excuses) write(b *strings.Builder) {
	b.WriteString("\n| machine | kernels of | | because |\n|---|---|---|---|\n")
	for _, x := range e {
		var names []string
		for _, m := range machineNames {
			if slices.Contains(strings.Fields(x.machine), m[0]) {
				names = append(names, m[1])
			}
		}
		machine := strings.Join(names, ", ")
		if x.level != "" {
			machine += " `-" + x.level + "`"
		}
		fmt.Fprintf(b, "| %s | `%s.cl` | %s | %s |\n", machine, x.source,
			strings.Join(strings.Fields(x.kernels), ", "), x.why)
	}
}

// takenAway are kernels whose defect is none of the object any more, as its code shows. Whatever registers
// and memory hold at first, they do the same.
var takenAway = excuses{
	{"O2", "co gfx1100.co", "defects", "private_uninit",
		"the element that is not set is 0 (`v_cndmask_b32_e32 v2, 0, v2, vcc`)"},
	{"O2", "co gfx1100.co", "values", "address_uninit",
		"all work-items write where those do that set the address"},
	{"O2", "co gfx1100.co", "values", "branch_uninit",
		"the work-item that does not set the flag leaves before"},
	{"O2", "co gfx1100.co", "values", "sum_uninit", "the kernel is empty"},
	{"O2", "co gfx1100.co", "values", "member_uninit",
		"the function returns the member that is set, and is not given the other"},
	{"O2", "co gfx1100.co", "values", "wide_uninit", "the pointer that is not set is 0"},
	{"O2", "co gfx1100.co", "held", "pick_uninit which_uninit atomic_uninit spill_uninit",
		"elements that are not set are 0"},
	{"O2", "ptx", "values", "address_uninit", "all work-items write where those do that set the address"},
	{"O2", "ptx", "values", "branch_uninit", "the work-item that does not set the flag leaves before"},
	{"O2", "ptx", "values", "sum_uninit", "the kernel is empty"},
	{"O2", "spv", "values", "address_uninit", "all work-items write where those do that set the address"},
	{"O2", "spv", "values", "branch_uninit", "the work-item that does not set the flag leaves before"},
	{"O2", "spv", "values", "sum_uninit", "the kernel is empty"},
	{"O2", "spv", "defects", "two_barrier", "one `OpControlBarrier` is behind both branches"},
	{"O2", "spv", "more", "twice_barrier",
		"one call of the function with the barrier is behind both branches"},
	{"O2", "zebin xe-hpg.zebin", "values", "address_uninit",
		"all work-items write where those do that set the address"},
	{"O2", "zebin xe-hpg.zebin", "values", "branch_uninit",
		"the work-item that does not set the flag leaves before"},
	{"O2", "zebin xe-hpg.zebin", "values", "sum_uninit", "the kernel is empty"},
}

// missed are those that the checkers do not find: whoever makes them find one takes it out here.
var missed = excuses{
	{"O2", "co gfx1100.co", "arrays", "before_bounds",
		"LLVM has made one `ds_read2_b32`, of no line, of two loads"},
	{"O2", "co gfx1100.co", "members", "member_bounds",
		"LLVM has made one `ds_read2_b32` of two loads, and it has no column"},
	{"O2", "co gfx1100.co", "more", "line_bounds",
		"LLVM has made one `ds_read2_b32` of two loads, and it has no column"},
	{"O2", "co gfx1100.co", "arrays", "frame_bounds",
		"the array is in registers, which an index leaves for other registers"},
	{"O2", "co gfx1100.co", "members", "called_bounds",
		"of three parameters the function has two, and these no more at the access"},
	{"O2", "ptx", "arrays", "frame_bounds called_bounds", "clang says of no array in a frame where it is"},
	{"O2", "ptx", "rows", "plane_bounds", "clang says of no array in a frame where it is"},
	{"O2", "ptx", "members", "frame_bounds", "clang says of no array in a frame where it is"},
	{"O2", "ptx", "members", "called_bounds", "clang describes no parameters"},
	{"", "zebin xe-hpg.zebin", "defects", "table_bounds",
		"IGC writes no debugging information where there are constants"},
	{"", "zebin xe-hpg.zebin", "rows", "entry_bounds",
		"IGC writes no debugging information where there are constants"},
	{"O0", "zebin xe-hpg.zebin", "members", "called_bounds",
		"IGC says that the pointer to the array is in a register that has another address"},
	{"O2", "zebin xe-hpg.zebin", "arrays", "frame_bounds called_bounds",
		"the arrays are in registers, which an index leaves for others"},
	{"O2", "zebin xe-hpg.zebin", "rows", "plane_bounds", "IGC does not say where the array is"},
	{"O2", "zebin xe-hpg.zebin", "members", "frame_bounds", "IGC does not say where the structure is"},
	{"O2", "zebin xe-hpg.zebin", "members", "called_bounds",
		"IGC does not describe the parameter that points to the array"},
	{"O0", "xe-hpg.zebin", "arrays", "frame_bounds", "IGC does not say where the array is"},
	{"O0", "xe-hpg.zebin", "rows", "plane_bounds", "IGC does not say where the array is"},
	{"O0", "xe-hpg.zebin", "members", "frame_bounds", "IGC does not say where the structure is"},
	{"O2", "xe-hpg.zebin", "members", "cell_bounds", "IGC does not say where `x` is at the access"},
	{"", "co gfx1100.co zebin xe-hpg.zebin", "parts", "vector_uninit",
		"a dword without contents beside others may be padding of a structure that is copied"},
	{"", "co gfx1100.co", "parts", "field_uninit",
		"what is put together with bits of a register without contents counts as written"},
	{"O0", "co gfx1100.co", "halves", "alone_uninit",
		"what is put together with bits of a register without contents counts as written"},
	{"O2", "gfx1100.co", "members", "frame_bounds",
		"the structure is in registers, which an index leaves for others"},
	{"O0", "xe-hpg.zebin", "merged", "half_uninit",
		"what is computed by way of an accumulator counts as written"},
	{"O2", "zebin xe-hpg.zebin", "undef", "place_uninit data_uninit",
		"IGC takes a register for the value that another value was in before"},
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
		t.Errorf("%s is not what was found; go test ./stub/cmd/simtgdb -run 'TestDefects$' -update-docs "+
			"writes it anew (-want +got):\n%s", corpusDoc, d)
	}
}

// TestCorpusTable: each machine, level and kind is counted by itself.
func TestCorpusTable(t *testing.T) {
	var c corpus
	for _, x := range []struct {
		kernel, object string
		found          bool
	}{{"a_race", "x.O0.co", true}, {"b_race", "x.O0.co", false}, {"b_ok", "x.y.O2.zebin", false},
		{"a_race", "exchange.gfx942.O0.co", true}, {"a_wait", "registers.co", true},
		{"c_barrier", "x.O2.spv", true}} {
		c.count(x.kernel, "all", x.object, x.found)
	}
	lines := strings.Split(c.table(), "\n")
	for _, want := range []string{"| `race` | 1 of 2 | 0 of 0 |", "| all | 1 of 2 |",
		"| `barrier` | 0 of 0 |",
		"| correct kernels that are reported | 0 of 0 | 0 of 0 | 0 of 0 | 0 of 0 | 0 of 0 | 0 of 1 |"} {
		if !slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, want) }) {
			t.Errorf("%q is missing in\n%s", want, strings.Join(lines, "\n"))
		}
	}
}
