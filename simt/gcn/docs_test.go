package gcn

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

var updateDocs = flag.Bool("update-docs", false, "rewrite docs/instructions.md from the operation table")

// instructionsDoc is the document that TestInstructionsDoc checks.
const instructionsDoc = "../../docs/instructions.md"

// TestInstructionsDoc holds the numbers of instructions in the documentation
// against the operation table.
func TestInstructionsDoc(t *testing.T) {
	want := writeInstructions(t)
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
		t.Errorf("the operation table has changed; go test ./simt/gcn -run TestInstructionsDoc -update-docs "+
			"writes the document anew (-want +got):\n%s", d)
	}
}

const instructionsHead = `# Instructions

What the machine knows of AMD's instruction sets, counted by encoding. The
names are printed by

    simtgdb info --instructions gfx90a

An instruction *executes*, or it *only decodes*: ` + "`simtgdb disasm`" + ` and
` + "`monitor disasm`" + ` show it, and a wave that comes to it faults with
"illegal instruction" and its name. What is not listed is not decoded. Names are
LLVM's, without the suffix for the encoding (` + "`_e32`, `_e64`" + `).

Instructions of VOP1, VOP2 and VOPC also have a form in VOP3, and most of them
forms with SDWA and DPP; these execute as well. How results differ from
hardware, if at all: [fidelity.md](fidelity.md).

How many execute, and how many more only decode (this table is made from the
operation table of package ` + "`simt/gcn`" + `, and a test holds it against that:
` + "`go test ./simt/gcn -run TestInstructionsDoc -update-docs`" + `):

`

// writeInstructions writes the document: a table of how many instructions
// execute, and how many only decode, for each encoding and processor.
func writeInstructions(t *testing.T) string {
	var b strings.Builder
	b.WriteString(instructionsHead + "| encoding |")
	counts := map[string]map[Enc][2]int{}
	for _, name := range Targets() {
		fmt.Fprintf(&b, " %s |", name)
		list, err := Instructions(name)
		if err != nil {
			t.Fatal(err)
		}
		counts[name] = map[Enc][2]int{}
		for _, in := range list {
			for _, e := range []Enc{in.Enc, encCount} { // encCount: all
				n := counts[name][e]
				n[map[bool]int{true: 0, false: 1}[in.Executes]]++
				counts[name][e] = n
			}
		}
	}
	b.WriteString("\n|---|" + strings.Repeat("--:|", len(Targets())) + "\n")
	for e := range encCount + 1 {
		row, any := "all", false
		if e < encCount {
			row = e.String()
		}
		line := fmt.Sprintf("| %s |", row)
		for _, name := range Targets() {
			n := counts[name][e]
			any = any || n[0]+n[1] > 0
			if line += fmt.Sprintf(" %d", n[0]); n[1] > 0 {
				line += fmt.Sprintf(" + %d", n[1])
			}
			line += " |"
		}
		if any {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}
