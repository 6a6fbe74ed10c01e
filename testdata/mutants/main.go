// Command mutants makes small changes of meaning in the machine, one at a time, and runs the nearest
// package's tests, which are to notice. The tree stays as it is (go test -overlay). Run it at the top of the
// module:
//
//	go run ./testdata/mutants [FILE ...]
//
// With files, changes of these are made alone.
package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A mutant is a change of one place of a file.
type mutant struct {
	file, from, to string
	tests          string // those that are to notice, for go test; all of the package of the file if empty
}

// mutants are all of them.
var mutants = slices.Concat(ofMachines, ofReaders, ofStub)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	of := map[string]map[fate]int{} // by packages
	for _, m := range mutants {
		if only := os.Args[1:]; len(only) > 0 && !slices.Contains(only, m.file) {
			continue
		}
		f, err := m.try(dir)
		if err != nil {
			return err
		}
		fmt.Printf("%s: %q for %q %s\n", m.file, m.to, m.from, f)
		p := filepath.Dir(m.file)
		if of[p] == nil {
			of[p] = map[fate]int{}
		}
		of[p][f]++
	}
	for _, p := range slices.Sorted(maps.Keys(of)) {
		n := of[p]
		all := n[noticed] + n[survives] + n[swept] + n[late]
		fmt.Printf("%s: of %d changes %d are noticed by no test, %d by make check-all alone, of %d tests did"+
			" not end within %s\n", p, all, n[survives], n[swept], n[late], limit)
	}
	return nil
}

// A fate is what becomes of a mutant.
type fate string

const (
	noticed  fate = "is noticed"
	survives fate = "SURVIVES"
	late     fate = "RUNS OUT OF TIME"
	swept    fate = "is noticed by make check-all alone"
)

// limit is how long tests may take: a change that has them run for ever is not noticed by a test that says
// so.
const limit = "30m"

// source is the text that a mutant changes, which it has once.
func (m *mutant) source(top string) (string, error) {
	text, err := os.ReadFile(filepath.Join(top, m.file))
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(text), m.from); n != 1 {
		return "", fmt.Errorf("%s has %q %d times, expected once", m.file, m.from, n)
	}
	return string(text), nil
}

// try says whether tests pass with the change.
func (m *mutant) try(dir string) (fate, error) {
	text, err := m.source(".")
	if err != nil {
		return "", err
	}
	here, err := filepath.Abs(m.file)
	if err != nil {
		return "", err
	}
	changed, overlay := filepath.Join(dir, "changed.go"), filepath.Join(dir, "overlay.json")
	list, err := json.Marshal(map[string]map[string]string{"Replace": {here: changed}})
	if err != nil {
		return "", err
	}
	for path, p := range map[string][]byte{changed: []byte(strings.Replace(text, m.from, m.to, 1)),
		overlay: list} {
		if err := os.WriteFile(path, p, 0o666); err != nil {
			return "", err
		}
	}
	tests := m.tests
	if tests == "" {
		tests = "./" + filepath.Dir(m.file)
	}
	for _, sweep := range []string{"", "all"} { // what is tried by `make test`, and if that passes all
		// One failure is enough, and what vet says of a change is no test's.
		args := []string{"test", "-failfast", "-vet=off", "-timeout", limit, "-overlay", overlay}
		c := exec.Command("go", append(args, strings.Fields(tests)...)...)
		c.Env = append(os.Environ(), "SIMTGDB_SWEEP="+sweep)
		out, err := c.CombinedOutput()
		switch {
		case err == nil:
			continue
		case strings.Contains(string(out), "[build failed]"):
			return "", fmt.Errorf("%s with %q does not build: %w\n%s", m.file, m.to, err, out)
		case strings.Contains(string(out), "panic: test timed out"):
			return late, nil
		case sweep != "":
			return swept, nil
		}
		return noticed, nil
	}
	return survives, nil
}
