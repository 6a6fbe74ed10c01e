package openclc

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simtgdb/testdata/sweep"
)

// TestFrequent: programs that call the most frequent functions alone are linked with these, to the same
// bytes as with the library that has all, and others with that library.
func TestFrequent(t *testing.T) {
	c, err := Find()
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	const ids = "size_t i = get_global_id(0) * get_local_id(1) + get_group_id(2) + get_global_size(0) + " +
		"get_local_size(1) + get_num_groups(2) + get_work_dim() + get_global_offset(1);"
	const order = "local int l[4]; l[i & 3] = atomic_inc(n); barrier(CLK_LOCAL_MEM_FENCE | " +
		"CLK_GLOBAL_MEM_FENCE); i += l[1]; barrier(i); mem_fence(3); read_mem_fence(3); write_mem_fence(3);"
	const atomics = "i += atomic_add(n, 1) + atomic_sub(n, 2) + atomic_min(n, 3) + atomic_max(n, 4) + " +
		"atomic_and(n, 5) + atomic_or(n, 6) + atomic_xor(n, 7) + atomic_xchg(n, 8) + atomic_dec(n) + " +
		"atomic_cmpxchg(n, 9, 10);"
	const numbers = "i += min(n[0], n[1]) + max(n[2], n[3]) + clamp(n[4], n[5], n[6]) + " +
		"sqrt(fabs(p[0])) + pow(p[1], exp(p[2])) + fma(p[3], floor(p[4]), fmin(p[5], fmax(p[6], " +
		"mad(p[7], p[8], rsqrt(p[9])))));"
	for _, test := range []struct{ code, begins string }{
		{ids + order + atomics + numbers, "frequent-"}, {ids + "i += abs_diff(n[0], n[1]);", "frequent-"},
		{"int i = 3;", "ocml.bc"}, {"int i = tanpi(p[0]);", "opencl.bc"},
	} {
		for _, processor := range sweep.Some(3, "gfx90a", "gfx906", "gfx1030") {
			b := &build{Compiler: c, ctx: context.Background(), dir: t.TempDir(),
				request: &Request{Processor: processor}}
			text := filepath.Join(b.dir, "k.ll")
			source := "kernel void k(global float *p, global int *n) { " + test.code + " p[i] = i; }\n"
			if err := b.compile(0, []byte(source), text); err != nil {
				t.Fatalf("%v: %s", err, b.log.String())
			}
			said, err := os.ReadFile(text)
			if err != nil {
				t.Fatal(err)
			}
			own, err := Replacements(b.ctx, b.Clang, b.folders(), processor, b.target(), said)
			if err != nil {
				t.Fatal(err)
			}
			some, err := b.sparing(own, said)
			if err != nil || !strings.HasPrefix(filepath.Base(some[0]), test.begins) {
				t.Errorf("%s: %v, linked with %q", test.code, err, some)
			}
			if test.begins != "frequent-" {
				continue
			}
			var made [2][]byte
			for i, libraries := range [][]string{some, append(own, b.libraries()...)} {
				out := filepath.Join(b.dir, "out")
				args := slices.Concat([]string{"-c"}, b.linkArgs(), LinkArguments(libraries),
					[]string{text, "-o", out})
				if said, err := Command(b.ctx, b.dir, c.Clang, args); err != nil {
					t.Fatalf("%v: %s", err, said)
				}
				if made[i], err = os.ReadFile(out); err != nil {
					t.Fatal(err)
				}
			}
			if !bytes.Equal(made[0], made[1]) {
				t.Errorf("for %s the functions of %s are others than the library's", processor, test.code)
			}
		}
	}
}
