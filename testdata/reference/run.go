package reference

import (
	"fmt"
	"maps"
	"slices"
)

// kernels has each kernel of testdata/src under its name.
var kernels = map[string]func(*Launch){
	"atomics":        atomics,
	"calls":          calls,
	"demo":           demo,
	"early_return":   earlyReturn,
	"function_table": functionTable,
	"grid3d":         grid3d,
	"lanes":          lanes,
	"lds":            lds,
	"mandelbrot":     mandelbrot,
	"matmul":         matmul,
	"matmul_cl":      matmulCL,
	"preserved":      preserved,
	"private_array":  privateArray,
	"recursion":      recursion,
	"reduce_cl":      reduceCL,
	"reduction":      reduction,
	"saxpy":          saxpy,
	"types":          types,
	"vecadd":         vecadd,
	"vecadd_cl":      vecaddCL,
	"wide":           wide,
}

// Kernels lists the kernels that Run knows, sorted.
func Kernels() []string { return slices.Sorted(maps.Keys(kernels)) }

// Run does to the buffers of a launch what its kernel does.
func Run(l *Launch) error {
	kernel, ok := kernels[l.Kernel]
	if !ok {
		return fmt.Errorf("no reference for kernel %q; there are %v", l.Kernel, Kernels())
	}
	kernel(l)
	return nil
}

// items is how many work-items a one-dimensional kernel with a bound runs to
// the end.
func (l *Launch) items(bound int) int { return min(l.Grid[0], bound) }

// Expectations reads a launch file and returns the contents of the files that
// it expects its buffers to equal, by name.
func Expectations(path string) (map[string][]byte, error) {
	l, err := ReadLaunch(path)
	if err != nil {
		return nil, err
	}
	if err := Run(l); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	files := make(map[string][]byte)
	for _, a := range l.Args {
		if a.Expect != nil {
			files[a.Expect.File] = a.Buffer
		}
	}
	return files, nil
}
