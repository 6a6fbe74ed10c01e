package stub

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// walkBlock is a block of code on the page, with the file that it belongs to.
var walkBlock = regexp.MustCompile("(?s)\n`((?:stub|simt/simttest)/toy[a-z_]*\\.go)`:\n\n```go\n(.*?)\n```\n")

// TestWalk: the toy machine is what the walk of docs/machine.md comes to.
func TestWalk(t *testing.T) {
	page, err := os.ReadFile("../docs/machine.md")
	if err != nil {
		t.Fatal(err)
	}
	made := map[string][]string{}
	for _, b := range walkBlock.FindAllStringSubmatch(string(page), -1) {
		made[b[1]] = append(made[b[1]], b[2])
	}
	for _, file := range []string{"simt/simttest/toy.go", "stub/toy_arch_test.go"} {
		text, err := os.ReadFile("../" + file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.Join(made[file], "\n\n")+"\n", string(text)); diff != "" {
			t.Errorf("%s differs from docs/machine.md (-page +file):\n%s", file, diff)
		}
		delete(made, file)
	}
	if len(made) != 0 {
		t.Errorf("the page has code of other files: %v", made)
	}
}
