package gcn

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

var updateDocs = flag.Bool("update-docs", false, "rewrite docs/instructions.md from the operation table")

// instructionsDoc is the document that TestInstructionsDoc checks.
const instructionsDoc = "../../docs/instructions.md"

// TestInstructionsDoc holds the list of instructions in the documentation
// against the operation table.
func TestInstructionsDoc(t *testing.T) {
	want := writeInstructions(listInstructions())
	if *updateDocs {
		if err := os.WriteFile(instructionsDoc, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(instructionsDoc)
	if err != nil {
		t.Fatal(err)
	}
	if d := gocmp.Diff(strings.Split(want, "\n"), strings.Split(string(got), "\n")); d != "" {
		t.Errorf("the operation table has changed; go test ./simt/gcn -run TestInstructionsDoc -update-docs writes the document anew (-want +got):\n%s", d)
	}
}

// A listed instruction is a name with the processors that execute it, and
// those that only decode it.
type listed struct {
	executes, decodes Target
}

// listInstructions collects the rows of the operation table by encoding and
// name. A name can have several rows.
func listInstructions() map[Enc]map[string]listed {
	all := map[Enc]map[string]listed{}
	for _, rows := range opTables {
		for i := range rows {
			op := &rows[i]
			if all[op.Enc] == nil {
				all[op.Enc] = map[string]listed{}
			}
			l := all[op.Enc][op.Name]
			on := cmp.Or(op.on, gfx9)
			if op.run != nil || op.vec != nil || op.mem != nil {
				l.executes |= on
			} else {
				l.decodes |= on
			}
			l.decodes &^= l.executes
			all[op.Enc][op.Name] = l
		}
	}
	return all
}

// targetSets are the sets of processors that instructions exist on, the
// largest first.
var targetSets = []Target{gfx9, gfx90aP, GFX900 | GFX90A, GFX900 | GFX942, GFX900, GFX90A, GFX942}

func targetSetName(set Target) string {
	var names []string
	for _, n := range Targets() {
		if targetNames[n]&set != 0 {
			names = append(names, n)
		}
	}
	return strings.Join(names, ", ")
}

const instructionsHead = `# Instructions

What the machine knows of the instruction sets of gfx900, gfx90a and gfx942.
This page is made from the operation table of package ` + "`simt/gcn`" + `, and a test
holds it against the table:

    go test ./simt/gcn -run TestInstructionsDoc -update-docs

An instruction *executes*, or it *only decodes*: ` + "`simtgdb disasm`" + ` and
` + "`monitor disasm`" + ` show it, and a wave that comes to it faults with
"illegal instruction" and its name. What is in neither list is not decoded.
Names are LLVM's, without the suffix for the encoding (` + "`_e32`, `_e64`" + `).

Instructions of VOP1, VOP2 and VOPC also have a form in VOP3, and most of them
forms with SDWA and DPP; these execute as well. How results differ from
hardware, if at all: [fidelity.md](fidelity.md).

`

// writeInstructions writes the document.
func writeInstructions(all map[Enc]map[string]listed) string {
	var b strings.Builder
	b.WriteString(instructionsHead)
	writeCounts(&b, all)
	for e := range encCount {
		if len(all[e]) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n## %v\n", e)
		writeNames(&b, "Executes", all[e], func(l listed) Target { return l.executes })
		writeNames(&b, "Only decodes", all[e], func(l listed) Target { return l.decodes })
	}
	return b.String()
}

// writeCounts writes a table of how many instructions execute, and how many
// only decode, for each encoding and processor.
func writeCounts(b *strings.Builder, all map[Enc]map[string]listed) {
	b.WriteString("How many execute, and how many more only decode:\n\n| encoding |")
	for _, n := range Targets() {
		fmt.Fprintf(b, " %s |", n)
	}
	b.WriteString("\n|---|" + strings.Repeat("--:|", len(Targets())) + "\n")
	sum := map[string][2]int{}
	cell := func(n [2]int) string {
		if n[1] == 0 {
			return fmt.Sprintf(" %d |", n[0])
		}
		return fmt.Sprintf(" %d + %d |", n[0], n[1])
	}
	for e := range encCount {
		if len(all[e]) == 0 {
			continue
		}
		fmt.Fprintf(b, "| %v |", e)
		for _, name := range Targets() {
			var n [2]int
			for _, l := range all[e] {
				switch t := targetNames[name]; {
				case l.executes&t != 0:
					n[0]++
				case l.decodes&t != 0:
					n[1]++
				}
			}
			sum[name] = [2]int{sum[name][0] + n[0], sum[name][1] + n[1]}
			b.WriteString(cell(n))
		}
		b.WriteString("\n")
	}
	b.WriteString("| all |")
	for _, name := range Targets() {
		b.WriteString(cell(sum[name]))
	}
	b.WriteString("\n")
}

// writeNames writes the instructions of an encoding that do something on any
// processor, grouped by the processors that they do it on.
func writeNames(b *strings.Builder, what string, names map[string]listed, on func(listed) Target) {
	for _, set := range targetSets {
		var list []string
		for _, name := range slices.Sorted(maps.Keys(names)) {
			if on(names[name]) == set {
				list = append(list, name)
			}
		}
		if list != nil {
			fmt.Fprintf(b, "\n%s (%s):\n\n```text\n%s```\n", what, targetSetName(set), wrap(list))
		}
	}
}

// wrap breaks a list of words into lines.
func wrap(words []string) string {
	const width = 96
	var b strings.Builder
	column := 0
	for i, w := range words {
		switch {
		case i == 0:
		case column+1+len(w) > width:
			b.WriteString("\n")
			column = 0
		default:
			b.WriteString(" ")
			column++
		}
		b.WriteString(w)
		column += len(w)
	}
	b.WriteString("\n")
	return b.String()
}
