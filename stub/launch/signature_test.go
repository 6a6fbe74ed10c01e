package launch

import (
	"fmt"
	"strings"
	"testing"

	"simtgdb/testdata/sweep"
)

// TestSignatures launches kernels of 1 to 8 pointers and 0 to 8 integers, whose
// arguments compilers read with wider loads than they are long: each adds up
// what it is given.
func TestSignatures(t *testing.T) {
	var source strings.Builder
	for pointers := 1; pointers <= 8; pointers++ {
		for ints := range 9 {
			fmt.Fprintf(&source, "kernel void f%d_%d(", pointers, ints)
			for i := range pointers {
				fmt.Fprintf(&source, "global int *p%d,", i)
			}
			sum := "0"
			for i := range ints {
				fmt.Fprintf(&source, "int i%d,", i)
				sum += fmt.Sprintf(" + %d * i%d", i+1, i)
			}
			text := strings.TrimSuffix(source.String(), ",") + ") {\n"
			source.Reset()
			source.WriteString(text)
			for i := range pointers {
				fmt.Fprintf(&source, "  p%d[__builtin_amdgcn_workitem_id_x()] = %d + %s;\n", i, 1000*i, sum)
			}
			source.WriteString("}\n")
		}
	}
	for i, target := range []string{"gfx900", "gfx90a", "gfx942"} {
		t.Run(target, func(t *testing.T) {
			object := opencl(t, target, source.String())
			for pointers := 1; pointers <= 8; pointers++ {
				for ints := range 9 {
					if (i+pointers+ints)%sweep.Step(3) != 0 { // each signature on one of them
						continue
					}
					var args []string
					sum := int32(0)
					for range pointers {
						args = append(args, "buf:i32[8]")
					}
					for i := range ints {
						args = append(args, fmt.Sprintf("i32:%d", 7*i-3))
						sum += int32((i + 1) * (7*i - 3))
					}
					p := load(t, &Spec{CodeObject: object, Kernel: fmt.Sprintf("f%d_%d", pointers, ints),
						Grid: Dims{8, 1, 1}, Block: Dims{8, 1, 1}, Args: parseArgs(t, args...)})
					run(t, p)
					for i := range p.Buffers {
						var got [8]int32
						read(t, p, p.Buffers[i].Region.Base, &got)
						for l, v := range got {
							if want := int32(1000*i) + sum; v != want {
								t.Fatalf("%s: buffer %d, work-item %d: %d, want %d", p.Kernel.Name, i, l, v,
									want)
							}
						}
					}
				}
			}
		})
	}
}
