// Command mutants makes small changes of meaning in the machine, one at a time, and runs the nearest
// package's tests, which are to notice. The tree stays as it is (go test -overlay). Run it at the top of the
// module:
//
//	go run ./testdata/mutants [FILE ...]
//	go run ./testdata/mutants -draw 20 [-seed N] [-tests "./stub -run=TestStep"] FOLDER ...
//
// With files, changes of these are made alone. With -draw, so many changes of each package are drawn by
// chance rather than those listed, and printed as the lists have them. With -sweep=false what no test notices
// is not tried once more with all that make check-all tries, which may take minutes.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
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
	drawn := flag.Int("draw", 0, "draw so many changes of each package by chance")
	seed := flag.Uint64("seed", 1, "which changes are drawn")
	tests := flag.String("tests", "", "arguments of go test for changes drawn, the package itself if empty")
	sweep := flag.Bool("sweep", true, "try with all of make check-all too what is not noticed")
	limit := flag.Duration("limit", 30*time.Minute, "how long tests may take")
	flag.Parse()
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	t := trial{dir, *limit, *sweep}
	if *drawn == 0 {
		return t.listed(flag.Args())
	}
	for _, p := range flag.Args() {
		if err := t.drawn(filepath.Clean(p), *tests, *seed, *drawn); err != nil {
			return err
		}
	}
	return nil
}

// A trial is how changes are tried.
type trial struct {
	dir   string        // for what go test is to read
	limit time.Duration // of tests: what has them run for ever is not noticed by a test that says so
	sweep bool          // what make test does not notice is tried with all of make check-all
}

// listed tries the changes listed, of the files alone where there are any.
func (t *trial) listed(files []string) error {
	of := map[string]map[fate]int{} // by packages
	var broken []error
	for _, m := range mutants {
		if len(files) > 0 && !slices.Contains(files, m.file) {
			continue
		}
		f, err := t.try(&m)
		if errors.Is(err, errBuild) { // it wants another text
			broken = append(broken, err)
			continue
		} else if err != nil {
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
		t.report(p, of[p])
	}
	return errors.Join(broken...)
}

// report says how many of a package's changes are noticed.
func (t *trial) report(dir string, n map[fate]int) {
	all := n[noticed] + n[survives] + n[swept] + n[late]
	fmt.Printf("%s: of %d changes %d are noticed by no test, %d by make check-all alone, of %d tests did"+
		" not end within %s\n", dir, all, n[survives], n[swept], n[late], t.limit)
}

// A fate is what becomes of a mutant.
type fate string

const (
	noticed  fate = "is noticed"
	survives fate = "SURVIVES"
	late     fate = "RUNS OUT OF TIME"
	swept    fate = "is noticed by make check-all alone"
)

// errBuild is that of a change with which the package is no program.
var errBuild = errors.New("does not build")

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
func (t *trial) try(m *mutant) (fate, error) {
	text, err := m.source(".")
	if err != nil {
		return "", err
	}
	here, err := filepath.Abs(m.file)
	if err != nil {
		return "", err
	}
	changed, overlay := filepath.Join(t.dir, "changed.go"), filepath.Join(t.dir, "overlay.json")
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
	sweeps := []string{""} // what is tried by `make test`, and if that passes all
	if t.sweep {
		sweeps = append(sweeps, "all")
	}
	for _, sweep := range sweeps {
		// One failure is enough, and what vet says of a change is no test's.
		args := []string{"test", "-failfast", "-vet=off", "-timeout", t.limit.String(), "-overlay", overlay}
		c := exec.Command("go", append(args, strings.Fields(tests)...)...)
		c.Env = append(os.Environ(), "SIMTGDB_SWEEP="+sweep)
		out, err := c.CombinedOutput()
		switch {
		case err == nil:
			continue
		case strings.Contains(string(out), "[build failed]"):
			return "", fmt.Errorf("%s with %q %w:\n%s", m.file, m.to, errBuild, out)
		case strings.Contains(string(out), "panic: test timed out"):
			return late, nil
		case sweep != "":
			return swept, nil
		}
		return noticed, nil
	}
	return survives, nil
}
