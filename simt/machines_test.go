package simt_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestFilesOfMachines: each machine has the files that the table of architecture.md says it has.
func TestFilesOfMachines(t *testing.T) {
	text, err := os.ReadFile("../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(text), "### Files of a machine")
	if !ok {
		t.Fatal("there is no table")
	}
	table, _, _ = strings.Cut(table, "###")
	pattern, seen := regexp.MustCompile("`([^`]+)`"), 0
	var machines []string
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		switch {
		case len(cells) < 3 || strings.HasPrefix(cells[1], "--"):
			continue
		case machines == nil:
			for _, c := range cells[2:6] {
				machines = append(machines, strings.TrimSpace(c))
			}
			continue
		}
		for i, machine := range machines {
			if strings.TrimSpace(cells[2+i]) != "x" {
				continue
			}
			found := false
			for _, name := range pattern.FindAllStringSubmatch(cells[1], -1) {
				files, err := filepath.Glob(filepath.Join(machine, name[1]))
				if err != nil {
					t.Fatal(err)
				}
				found = found || len(files) > 0
			}
			if seen++; !found {
				t.Errorf("%s has no file %s", machine, strings.TrimSpace(cells[1]))
			}
		}
	}
	if seen < 40 {
		t.Errorf("%d files in the table, which is not read as it is", seen)
	}
}
