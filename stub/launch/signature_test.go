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
	for i, target := range []string{"gfx900", "gfx90a", "gfx942"} {
		t.Run(target, func(t *testing.T) {
			// Pointers and integers: every second signature is on one of the targets, or each on all.
			var mine [][2]int
			var source strings.Builder
			for pointers := 1; pointers <= 8; pointers++ {
				for ints := range 9 {
					if (i+pointers+ints)%3 == 0 && (pointers+ints/3)%2 == 0 || sweep.All() {
						mine = append(mine, [2]int{pointers, ints})
						source.WriteString(signature(pointers, ints))
					}
				}
			}
			object := opencl(t, target, source.String())
			for _, n := range mine {
				runSignature(t, object, n[0], n[1])
			}
		})
	}
}

// signature is a kernel that writes a sum of its integers through each of its pointers.
func signature(pointers, ints int) string {
	var params []string
	for i := range pointers {
		params = append(params, fmt.Sprintf("global int *p%d", i))
	}
	sum := "0"
	for i := range ints {
		params = append(params, fmt.Sprintf("int i%d", i))
		sum += fmt.Sprintf(" + %d * i%d", i+1, i)
	}
	text := fmt.Sprintf("kernel void f%d_%d(%s) {\n", pointers, ints, strings.Join(params, ","))
	for i := range pointers {
		text += fmt.Sprintf("  p%d[__builtin_amdgcn_workitem_id_x()] = %d + %s;\n", i, 1000*i, sum)
	}
	return text + "}\n"
}

// runSignature runs the kernel of a signature, and compares what it writes.
func runSignature(t *testing.T, object File, pointers, ints int) {
	t.Helper()
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
				t.Fatalf("%s: buffer %d, work-item %d: %d, want %d", p.Kernel.Name, i, l, v, want)
			}
		}
	}
}
