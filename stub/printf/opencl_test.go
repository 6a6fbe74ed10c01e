package printf_test

import (
	"fmt"
	"math"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"simtgdb/stub/printf"
	"simtgdb/testdata/sweep"
)

// vectorTypes are element types of OpenCL C with the length modifier that they
// want and an unsigned type of their size.
var vectorTypes = []struct {
	name, length, bits string
	size               int
	verbs              string
}{
	{"char", "hh", "uchar", 1, "diouxX"},
	{"short", "h", "ushort", 2, "diouxX"},
	{"int", "hl", "uint", 4, "diouxX"},
	{"long", "l", "ulong", 8, "diouxX"},
	{"float", "hl", "uint", 4, "fFeEgGaA"},
	{"double", "l", "ulong", 8, "fFeEgGaA"},
}

// A vectorCall is a call with one vector, as OpenCL C and as this package
// takes it.
type vectorCall struct {
	format string
	source string
	value  printf.Value
}

// vectorCalls are calls that PoCL 3.1 prints as C has it: it puts the signs
// of + and blank before unsigned numbers too, and reads wrong bytes for
// vectors of more than 64.
func vectorCalls() []vectorCall {
	r := rand.New(sweep.Source(4))
	var calls []vectorCall
	for _, t := range vectorTypes {
		for _, n := range []int{2, 3, 4, 8, 16} {
			if n*t.size > 64 {
				continue
			}
			for _, verb := range t.verbs {
				flags := flagSets[r.Intn(7)]
				if strings.ContainsRune("ouxX", verb) {
					flags = strings.Trim(flags, "+ ")
				}
				format := "%" + flags + []string{"", "4", "10"}[r.Intn(3)] + []string{"", ".2",
					".7"}[r.Intn(3)]
				format += fmt.Sprintf("v%d%s%c", n, t.length, verb)
				var elements []uint64
				var list []string
				for range n {
					v := edgeFloats[r.Intn(len(edgeFloats)-12)]
					bits := math.Float64bits(v)
					switch {
					case t.name == "float":
						bits = uint64(math.Float32bits(float32(v)))
					case t.name != "double":
						bits = r.Uint64() >> (64 - 8*t.size) >> r.Intn(8*t.size)
					}
					elements = append(elements, bits)
					list = append(list, fmt.Sprintf("%#x", bits))
				}
				calls = append(calls, vectorCall{
					format: format,
					source: fmt.Sprintf("  printf(\"%s\\n\", as_%s%d((%s%d)(%s)));\n", format, t.name, n,
						t.bits, n, strings.Join(list, ", ")),
					value: printf.Vector(t.size, elements...),
				})
			}
		}
	}
	return calls
}

// TestOpenCL compares vectors with what PoCL printed of the same calls when
// testdata/opencl.txt was made, and makes it anew where SIMTGDB_WRITE is set.
func TestOpenCL(t *testing.T) {
	const file = "testdata/opencl.txt"
	calls := vectorCalls()
	if os.Getenv("SIMTGDB_WRITE") != "" {
		if err := os.WriteFile(file, pocl(t, calls), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	if len(want) != len(calls) {
		t.Fatalf("%s has %d lines, want %d", file, len(want), len(calls))
	}
	for i, c := range calls {
		text, problems := printf.Parse(c.format, printf.OpenCL).Append(nil, []printf.Value{c.value})
		got := c.format + "\t" + string(text)
		if got != want[i] || problems != 0 {
			t.Errorf("%s:%d: %q (%v), want %q", file, i+1, got, problems, want[i])
		}
	}
}

// pocl compiles and runs the calls with PoCL.
func pocl(t *testing.T, calls []vectorCall) []byte {
	program := filepath.Join(t.TempDir(), "opencl")
	cc := exec.Command("cc", "-w", "-o", program, "testdata/opencl.c", "-lOpenCL")
	if out, err := cc.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var source strings.Builder
	source.WriteString("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\nkernel void print(void) {\n")
	for _, c := range calls {
		fmt.Fprintf(&source, "  printf(\"%%s\\t\", \"%s\");\n%s", c.format, c.source)
	}
	source.WriteString("}\n")
	cmd := exec.Command(program)
	cmd.Stdin = strings.NewReader(source.String())
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return out
}
