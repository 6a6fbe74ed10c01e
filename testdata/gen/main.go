// Command gen writes the input files and the expectations that the launch
// files of testdata/launch name, from the CPU reference. Run it from the
// top of the repository: go run ./testdata/gen
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"simtgdb/testdata/reference"
)

func main() {
	folder := "testdata/launch"
	if len(os.Args) > 1 {
		folder = os.Args[1]
	}
	if err := generate(folder); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func generate(folder string) error {
	if err := write(folder, reference.Inputs()); err != nil {
		return err
	}
	launches, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return err
	}
	for _, path := range launches {
		expected, err := reference.Expectations(path)
		if err != nil {
			return err
		}
		if err := write(folder, expected); err != nil {
			return err
		}
	}
	return nil
}

func write(folder string, files map[string][]byte) error {
	for name, contents := range files {
		if err := os.WriteFile(filepath.Join(folder, name), contents, 0o644); err != nil {
			return err
		}
	}
	return nil
}
