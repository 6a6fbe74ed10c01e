package ptx_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"simtgdb/simt/simttest"
	"simtgdb/testdata/reference"
)

const objects = "../../testdata/ptx/co"

var levels = []string{"O0", "O2", "O2d"}

func compiled(t testing.TB, name, level string) *program {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(objects, name+"."+level+".ptx"))
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, name+".ptx", string(text))
}

// The kernels that are those of other machines too, with the launches that they have there, give what
// the CPU reference does.
func TestSharedKernels(t *testing.T) {
	for _, name := range []string{"calls", "demo", "early_return", "function_table", "lds", "mandelbrot",
		"matmul", "matmul_cl", "preserved", "private_array", "recursion", "reduce_cl", "reduction", "saxpy",
		"types", "vecadd", "vecadd_cl", "wide"} {
		for _, level := range simttest.Share(name, levels...) {
			t.Run(name+"."+level, func(t *testing.T) {
				path := "../../testdata/launch/" + name + ".json"
				want, err := reference.ReadLaunch(path)
				if err != nil {
					t.Fatal(err)
				}
				got, err := reference.ReadLaunch(path)
				if err != nil {
					t.Fatal(err)
				}
				if err := reference.Run(want); err != nil {
					t.Fatal(err)
				}
				compiled(t, name, level).run(name, fromReference(got))
				for i := range want.Args {
					equal(t, fmt.Sprintf("argument %d", i), got.Args[i].Buffer, want.Args[i].Buffer)
				}
			})
		}
	}
}

// fromReference makes a launch of one of the reference's.
func fromReference(l *reference.Launch) *launch {
	out := &launch{workers: 2}
	for i := range 3 {
		out.grid[i], out.block[i] = uint32(l.Grid[i]), uint32(l.Block[i])
		out.grid[i] = (out.grid[i] + out.block[i] - 1) / out.block[i] * out.block[i]
	}
	for _, a := range l.Args {
		switch {
		case a.Buffer != nil:
			out.args = append(out.args, a.Buffer)
		case a.Local > 0:
			out.args = append(out.args, local(a.Local))
		default:
			out.args = append(out.args, value(a.Value))
		}
	}
	return out
}

// value is an argument by its bytes.
type value []byte

// Kernels that are compiled for the host as well give what they do there: testdata/ptx/want, which
// TestPTXNative of testdata makes.
func TestNativeKernels(t *testing.T) {
	text, err := os.ReadFile("../../testdata/ptx/native.json")
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Grid, N uint32
		Kernels map[string][2]uint32
	}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	if len(all.Kernels) < 15 {
		t.Fatalf("native.json has %d kernels", len(all.Kernels))
	}
	read := func(name string) []byte {
		data, err := os.ReadFile("../../testdata/ptx/want/" + name + ".bin")
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	in := read("in")
	for name, shape := range all.Kernels {
		want := read(name)
		levels := levels
		if name == "nested" {
			levels = append(levels[:len(levels):len(levels)], "inlined")
		}
		for _, level := range simttest.Share(name, levels...) {
			t.Run(name+"."+level, func(t *testing.T) {
				l := grid(all.Grid, shape[1])
				got := make([]byte, len(want))
				l.args = []any{append([]byte(nil), in...), got, all.N}
				compiled(t, name, level).run(name, &l)
				equal(t, "output", got, want)
			})
		}
	}
}
