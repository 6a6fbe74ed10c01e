package openclc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"simtgdb/stub/device/transient"
)

// linker is the program that links SPIR-V, of the SPIR-V tools.
const linker = "spirv-link"

// LinkSPIRV links modules in SPIR-V by the installed linker: into one that can be launched, or into a
// library, whose functions others may still import. What it says is in the result's log.
func LinkSPIRV(ctx context.Context, library bool, modules [][]byte) (*Result, error) {
	path, err := exec.LookPath(linker)
	if err != nil {
		return &Result{Log: fmt.Sprintf("modules in SPIR-V are linked by %s, which is not installed "+
			"(Debian: apt-get install spirv-tools)\n", linker)}, nil
	}
	dir, err := transient.Make("", "simtgdb-spirv-")
	if err != nil {
		return nil, err
	}
	defer dir.Remove()
	out := filepath.Join(dir.Path, "out.spv")
	args := []string{"-o", out}
	if library {
		args = append(args, "--create-library", "--allow-partial-linkage")
	}
	for i, m := range modules {
		name := filepath.Join(dir.Path, fmt.Sprintf("%d.spv", i))
		if err := os.WriteFile(name, m, 0o600); err != nil {
			return nil, err
		}
		args = append(args, name)
	}
	text, err := Command(ctx, dir.Path, path, args)
	log := strings.ReplaceAll(string(text), dir.Path+string(filepath.Separator), "")
	var exit *exec.ExitError
	if errors.As(err, &exit) && ctx.Err() == nil {
		return &Result{Log: log}, nil
	}
	if err != nil {
		return nil, err
	}
	file, err := os.ReadFile(out)
	return &Result{File: file, Log: log}, err
}
