package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// TestReportsNameNullPointers: on every machine a fault near address 0 names the arguments that are null, and
// no other fault does.
func TestReportsNameNullPointers(t *testing.T) {
	const in, out, null = "buf:i32[512]=iota", "buf:i32[512]=zero", "u64:0"
	for object, name := range map[string]string{"O0.co": " (in)", "O2.co": " (in)", "O0.ptx": " (in)",
		"O0.spv": " (in)", "O2.spv": "", "some_barrier.O0.zebin": " (in)", "O2.zebin": " (in)"} {
		for _, c := range []struct {
			kernel, in, out, want string
		}{
			{"some_barrier", null, out, "argument 0" + name + " is null\n"},
			{"some_barrier", null, null, "argument 0" + name + " and argument 1" +
				strings.Replace(name, "in", "out", 1) + " are null\n"},
			{"some_barrier", in, null, "argument 1" + strings.Replace(name, "in", "out", 1) + " is null\n"},
			{"far_fault", in, null, ""},
		} {
			file := checkObjects + "calls." + object
			if strings.HasPrefix(object, "some_barrier") && c.kernel != "some_barrier" {
				continue
			}
			r := simtgdb(t, "run", file, "--kernel", c.kernel, "--arg", c.in, "--arg", c.out, "--grid", "128",
				"--block", "128")
			if r.status != statusFault || !strings.Contains(r.err, c.want) ||
				c.want == "" && strings.Contains(r.err, "null") {
				t.Errorf("%s %s %s %s: status %d, want %q in\n%s", object, c.kernel, c.in, c.out, r.status,
					c.want, r.err)
			}
		}
	}
}

// TestReportsNameRecursion: a stack that recursion overflows is called that, with the function, and as many
// calls as fit by the sizes of the frames: unoptimised, 48 bytes of each call lie behind 48 of the kernel's,
// and the prologue's first store is at 28. The report is of a lane that is in all of these calls.
func TestReportsNameRecursion(t *testing.T) {
	for _, c := range []struct {
		object string
		stack  int
		depth  int // 0 if the stack overflows without recursion
	}{
		{"co/recursion.gfx90a.O0.co", 20, 2}, {"co/recursion.gfx90a.O0.co", 120, 4},
		{"co/recursion.gfx90a.O0.co", 150, 5}, {"co/recursion.gfx90a.O0.co", 200, 6},
		{"ptx/co/recursion.O0.ptx", 100, 0}, {"ptx/co/recursion.O0.ptx", 300, 4},
		{"ptx/co/recursion.O2d.ptx", 100, 2}, {"ptx/co/recursion.O2d.ptx", 300, 6},
	} {
		r := simtgdb(t, "run", "../../../testdata/"+c.object, "--stack", fmt.Sprint(c.stack), "--grid", "64",
			"--block", "64", "--arg", "buf:i32[64]", "--arg", "i32:64")
		want := "faulted: unmapped address\n"
		if c.depth > 0 {
			want = fmt.Sprintf("faulted: stack overflow by recursion of walk, %d calls deep\n", c.depth)
		}
		if r.status != statusFault || !strings.Contains(r.err, want) {
			t.Errorf("%s, %d bytes: status %d, want %q in\n%s", c.object, c.stack, r.status, want, r.err)
		}
		calls := regexp.MustCompile(`(pc|called from) +0x[0-9a-f]+ in walk\+`).FindAllString(r.err, -1)
		if len(calls) != max(c.depth, 1) {
			t.Errorf("%s, %d bytes: %d calls, want %d:\n%s", c.object, c.stack, len(calls), c.depth, r.err)
		}
	}
}

// TestReportsNameElements: what reads an element that nothing has written says which.
func TestReportsNameElements(t *testing.T) {
	for _, object := range []string{"O0.co", "O2.co", "O0.ptx"} {
		r := simtgdb(t, "run", "--check=uninit", "--source", checkObjects+"src",
			checkObjects+"defects."+object, "--kernel", "local_uninit", "--arg", "buf:i32[512]=iota", "--arg",
			"buf:i32[512]=zero", "--grid", "256", "--block", "128")
		if !strings.Contains(r.err, "  in           tile[128], LDS of workgroup (0,0,0), ") {
			t.Errorf("%s: %s", object, r.err)
		}
	}
}

// TestReportsNameElementsHeld: so does what uses a value that an instruction before it has read there: it
// says what that was. The lowest lane of each report reads the element that its input, iota, says. The atomic
// operation is a macro's, in whose place the source has no element: the variable that is there has a name all
// the same.
func TestReportsNameElementsHeld(t *testing.T) {
	for _, object := range []string{"O0.co", "O0.ptx", "O0.spv"} {
		for kernel, want := range map[string]string{"pick_uninit": "a[0]", "which_uninit": "b[0]",
			"atomic_uninit": "a[0]"} {
			if kernel == "atomic_uninit" && object != "O0.spv" {
				continue // a temporary is between
			}
			r := simtgdb(t, "run", "--check=uninit", "--source", checkObjects+"src",
				checkObjects+"held."+object, "--kernel", kernel, "--arg", "buf:i32[512]=iota", "--arg",
				"buf:i32[512]=zero", "--grid", "128", "--block", "128")
			if !strings.Contains(r.err, "  element      "+want+"\n") {
				t.Errorf("%s, %s: want %s in\n%s", object, kernel, want, r.err)
			}
		}
	}
}

// TestBoundsOfSPIRV: an index that leads out of what the module has types of says out of what, and where to,
// with no source at hand.
func TestBoundsOfSPIRV(t *testing.T) {
	for _, c := range []struct{ object, kernel, want string }{
		{"arrays", "frame_bounds", "The index leads to b[-16], of 32 elements."},
		{"arrays", "before_bounds", "The index leads to before_bounds.b[-1], of 32 elements."},
		{"arrays", "store_bounds", "The index leads to store_bounds.b[32], of 32 elements."},
	} {
		r := simtgdb(t, "run", "--check=bounds", checkObjects+c.object+".O0.spv", "--kernel", c.kernel,
			"--arg", "buf:i32[512]=iota", "--arg", "buf:i32[512]=zero", "--grid", "128", "--block", "128")
		if !strings.Contains(r.err, "missing      "+c.want+"\n") {
			t.Errorf("%s: want %q in\n%s", c.kernel, c.want, r.err)
		}
	}
	r := simtgdb(t, "run", "--check=bounds", "../../../testdata/spirv/undefined.Od.spv", "--groups", "1",
		"--binding", "0.0=u32[4]=zero", "--robust")
	for _, want := range []string{"The index leads to table[8], of 8 elements.",
		"The index leads to column[2], of 2 elements.", "has 16 bytes, and this is byte 16 and on."} {
		if !strings.Contains(r.err, want) {
			t.Errorf("want %q in\n%s", want, r.err)
		}
	}
}
