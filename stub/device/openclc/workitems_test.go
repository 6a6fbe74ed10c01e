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

// TestWorkItems: programs that call functions of work-items alone are linked with these, to the same bytes
// as with the library that has all, and others with that library.
func TestWorkItems(t *testing.T) {
	c, err := Find()
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	const ids = "size_t i = get_global_id(0) * get_local_id(1) + get_group_id(2) + get_global_size(0) + " +
		"get_local_size(1) + get_num_groups(2);"
	for _, test := range []struct{ code, begins string }{
		{ids, "workitems-"}, {"int i = 3;", "ocml.bc"}, {"int i = sin(p[0]);", "opencl.bc"},
		{ids + " barrier(CLK_GLOBAL_MEM_FENCE);", "opencl.bc"},
	} {
		for _, processor := range sweep.Some(3, "gfx90a", "gfx906", "gfx1030") {
			b := &build{Compiler: c, ctx: context.Background(), dir: t.TempDir(),
				request: &Request{Processor: processor}}
			text := filepath.Join(b.dir, "k.ll")
			source := "kernel void k(global float *p) { " + test.code + " p[i] = i; }\n"
			if err := b.compile(0, []byte(source), text); err != nil {
				t.Fatalf("%v: %s", err, b.log.String())
			}
			said, err := os.ReadFile(text)
			if err != nil {
				t.Fatal(err)
			}
			some, err := b.withoutOpenCL(b.libraries(), said)
			if err != nil || !strings.HasPrefix(filepath.Base(some[0]), test.begins) {
				t.Errorf("%s: %v, linked with %q", test.code, err, some)
			}
			if test.begins != "workitems-" {
				continue
			}
			var made [2][]byte
			for i, libraries := range [][]string{some, b.libraries()} {
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
				t.Errorf("for %s the functions are others than the library's", processor)
			}
		}
	}
}

// TestWaves: functions that are linked into a program have waves of its size.
func TestWaves(t *testing.T) {
	c, err := Find()
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	for _, code := range []string{"p[get_local_id(0)] = 1;", "p[0] = abs_diff(p[1], 3);"} {
		r := &Request{Processor: "gfx1030", Options: "-mwavefrontsize64", Inputs: []Input{{Contents: []byte(
			"kernel void k(global int *p) { " + code + " }\n")}}}
		got, err := c.Build(context.Background(), r)
		// A number below 128 is one byte of the metadata (MessagePack's positive fixint).
		if err != nil || !bytes.Contains(got.File, []byte(".wavefront_size\x40")) {
			t.Errorf("%s for waves of 64 lanes: %v: %s", code, err, got.Log)
		}
	}
}
