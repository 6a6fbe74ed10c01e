//go:build linux

package main

import (
	"strings"
	"testing"

	"simtgdb/testdata/sweep"
)

// TestExecHIPTextures: arrays, textures and surfaces of each shape by HIP's own headers and the functions of
// the device libraries, on processors that have instructions for images.
func TestExecHIPTextures(t *testing.T) {
	t.Parallel()
	for processor, level := range map[string]string{"gfx1030": "-O2", "gfx1100": "-O0"} {
		program := compileFor(t, processor, level, "cuda_textures.cu")
		r := execute(t, []string{"--check=bounds,uninit"}, program)
		if r.status != 0 || r.out != "textures: all right\n" || r.err != "" {
			t.Errorf("%s: status %d: %s%s", processor, r.status, r.out, r.err)
		}
	}
}

// TestExecHIPReferences: references to textures by HIP's own headers.
func TestExecHIPReferences(t *testing.T) {
	t.Parallel()
	for _, processor := range sweep.Some(4, "gfx1100", "gfx900", "gfx1030", "gfx1201") {
		program := compileFor(t, processor, "-O1", "texture_references.cu")
		r := execute(t, []string{"--check=bounds,uninit"}, program)
		if r.status != 0 || r.out != "references: all right\n" || r.err != "" {
			t.Errorf("%s: status %d: %s%s", processor, r.status, r.out, r.err)
		}
	}
}

// TestExecHIPShowsTextures: gdb is shown what a texture object is of.
func TestExecHIPShowsTextures(t *testing.T) {
	t.Parallel()
	needGDB(t)
	program := compileFor(t, "gfx1100", "-O0", "cuda_textures.cu")
	flags := append(gdbCommands("break flat", "continue", "monitor image t", "kill"), "--break", "flat#1")
	r := execute(t, flags, program)
	want := []string{"t: 12 x 7 texels, r32_sfloat, at 0x", "texels from 0 to 107\n"}
	if missing := inOrder(r.err, want); missing != "" {
		t.Errorf("no %q in its place in\n%s", missing, r.err)
	}
}

// TestExecUnwrittenTexels: reads of texels that nothing has been written to are told of, as part of a sample,
// too, and no others.
func TestExecUnwrittenTexels(t *testing.T) {
	t.Parallel()
	const source = "unwritten_texels.cu"
	programs := map[string]string{"CUDA": buildCUDA(t, source, "-O1")}
	for _, processor := range sweep.Some(2, "gfx1100", "gfx1030") {
		programs[processor] = compileFor(t, processor, "-O1", source)
	}
	want := []string{"launch 1, number 1 of kernel read_none: check uninit: nothing has written what is read",
		"launch 3, number 1 of kernel read_below: check uninit: nothing has written what is read",
		"lane         3 of wave 0, alone",
		"launch 5, number 2 of kernel between_rows: check uninit: nothing has written what is read",
		"launch 8, number 1 of kernel read_beside: check uninit: nothing has written what is read",
		"lane         7 of wave 0, alone"}
	for name, program := range programs {
		r := execute(t, []string{"--check=uninit"}, program)
		if missing := inOrder(r.err, want); missing != "" || strings.Count(r.err, "check uninit") != 4 {
			t.Errorf("%s: no %q in its place, or more than that, in\n%s", name, missing, r.err)
		}
	}
}
