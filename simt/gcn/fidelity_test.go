package gcn

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

const (
	fidelityDoc   = "../../docs/fidelity.md"
	fidelityBegin = "<!-- made by TestFidelityDoc from here -->\n"
	fidelityEnd   = "<!-- to here -->\n"
)

// TestFidelityDoc holds the list of what is approximate and what does not
// execute in the documentation against the operation table.
func TestFidelityDoc(t *testing.T) {
	data, err := os.ReadFile(fidelityDoc)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(data), fidelityBegin)
	got, tail, ok2 := strings.Cut(rest, fidelityEnd)
	if !ok || !ok2 {
		t.Fatalf("%s does not have the lines %q and %q", fidelityDoc, fidelityBegin, fidelityEnd)
	}
	want := writeFidelity(t)
	if *updateDocs {
		if err := os.WriteFile(fidelityDoc, []byte(head+fidelityBegin+want+fidelityEnd+tail),
			0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := gocmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); d != "" {
		t.Errorf("%s is not what the table says; -update-docs writes it anew (-want +got):\n%s",
			fidelityDoc, d)
	}
}

// writeFidelity lists the instructions that are not exact.
func writeFidelity(t *testing.T) string {
	on := map[string][]string{} // the processors of an instruction that does not execute
	var idle []string
	inexact := map[string][]string{} // by how far
	seen := map[string]bool{}
	for _, processor := range slices.Concat(Targets(), laterProcessors) {
		later := strings.HasPrefix(processor, "gfx1")
		list, err := Instructions(processor)
		if err != nil {
			t.Fatal(err)
		}
		for _, in := range list {
			switch {
			case !in.Executes && later:
				continue
			case !in.Executes:
				if on[in.Name] == nil {
					idle = append(idle, in.Name)
				}
				on[in.Name] = append(on[in.Name], processor)
				continue
			}
			if far := Approximate(in.Name); far != "" && !seen[in.Name] {
				seen[in.Name] = true
				inexact[far] = append(inexact[far], in.Name)
			}
		}
	}
	var b strings.Builder
	b.WriteString("Approximate:\n\n| instructions | how far |\n|---|---|\n")
	for _, a := range approximations {
		names := inexact[a.far]
		if len(names) == 0 {
			t.Errorf("no instruction is as approximate as %q says", a.far)
		}
		slices.Sort(names)
		fmt.Fprintf(&b, "| %s | %s |\n", "`"+strings.Join(names, "`, `")+"`", a.far)
	}
	b.WriteString("\nNot executed on gfx9: a wave that comes to one of these stops with its name.\n\n")
	b.WriteString("| processors | instructions |\n|---|---|\n")
	groups := map[string][]string{}
	var order []string
	for _, name := range idle {
		key := strings.Join(on[name], ", ")
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], name)
	}
	slices.Sort(order)
	for _, key := range order {
		slices.Sort(groups[key])
		fmt.Fprintf(&b, "| %s | %s |\n", key, "`"+strings.Join(groups[key], "`, `")+"`")
	}
	b.WriteString("\nAll others are exact.\n")
	return b.String()
}
