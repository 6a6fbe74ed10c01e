//go:build linux

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// streamsHIP compiles the HIP program of launches and copies of several streams.
func streamsHIP(t *testing.T) string { return waysHIP(t, "streams_hip.c") }

func waysHIP(t *testing.T, source string) string {
	t.Helper()
	_, dir := libraries()
	if dir == "" {
		t.Skip("skipped: no C compiler")
	}
	return sharedProgram(t, "program", "cc", "-O1", "-g", "-w", source, "-L$HIP",
		"-l:libamdhip64.so.5")
}

// waysOf are the names of what such a program does: those with a race and those without.
func waysOf(t *testing.T, source string) (racing, ordered []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(hostPrograms, source))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`WAY\(((no|by)_\w+)\)`).FindAllStringSubmatch(string(text), -1) {
		if m[2] == "no" {
			racing = append(racing, m[1])
		} else {
			ordered = append(ordered, m[1])
		}
	}
	if len(racing) < 5 || len(ordered) < 5 {
		t.Fatalf("%s has %d ways with a race and %d without", source, len(racing), len(ordered))
	}
	return racing, ordered
}

// TestExecStreams: of what launches, copies and fills of several streams and queues access, what nothing
// orders is reported, and nothing else; each way to order them counts.
func TestExecStreams(t *testing.T) {
	t.Parallel()
	defects, scale := checkObjects+"defects.O0.co", scaleModule
	for _, api := range []struct {
		name, source, object string
		build                func(*testing.T) string
	}{
		{"HIP", "streams_hip.c", defects, streamsHIP},
		{"OpenCL", "streams_opencl.c", defects,
			func(t *testing.T) string { return buildOpenCLProgram(t, "streams_opencl.c") }},
		{"Vulkan", "streams_vulkan.c", scale,
			func(t *testing.T) string { return buildVulkan(t, "streams_vulkan.c") }},
	} {
		t.Run(api.name, func(t *testing.T) {
			program := api.build(t)
			racing, ordered := waysOf(t, api.source)
			r := execute(t, []string{"--check", "race,api,host"},
				append([]string{program, api.object}, ordered...)...)
			if want := strings.Join(ordered, "\n") + "\n"; r.status != 0 || r.err != want {
				t.Errorf("status %d:\n%s", r.status, r.err)
			}
			r = execute(t, []string{"--check", "race"}, append([]string{program, api.object}, racing...)...)
			var want []string
			for _, way := range racing {
				want = append(want, way+"\n", "check race: data race ", "access", "with", ", in stream ",
					"missing")
			}
			if missing := inOrder(r.err, want); missing != "" || r.status != statusFault {
				t.Errorf("status %d, no %q in its place in\n%s", r.status, missing, r.err)
			}
		})
	}
}

// TestExecStreamsTold: a race names both works, by launch, line and stream, or where a copy was asked for,
// and can be kept from being told.
func TestExecStreamsTold(t *testing.T) {
	t.Parallel()
	program := streamsHIP(t)
	object := checkObjects + "defects.O0.co"
	r := execute(t, []string{"--check", "race"}, program, object, "no_order")
	want := []string{"launch 2, number 2 of kernel tile_ok: check race: data race of this launch, in stream 3, with launch 1, " +
		"number 1 of kernel tile_ok\n", "(defects.cl:19)\n", "access       read of 4 bytes",
		"argument 0 (in)", "with         write by launch 1, number 1 of kernel tile_ok, in stream 2: ",
		"(defects.cl:21)\n"}
	if missing := inOrder(r.err, want); missing != "" {
		t.Errorf("no %q in its place in\n%s", missing, r.err)
	}
	report := filepath.Join(t.TempDir(), "found.json")
	r = execute(t, []string{"--check", "race", "--report", report}, program, object, "no_copy")
	want = []string{"check race: data race with launch 1, number 1 of kernel tile_ok\n",
		"access       read by a copy or fill, asked for at ", "streams_hip.c:", " in no_copy, in stream 3\n",
		"in           byte 0 of allocation 2, of 2048 bytes", "with         write by launch 1",
		"(defects.cl:21)\n"}
	if missing := inOrder(r.err, want); missing != "" {
		t.Errorf("no %q in its place in\n%s", missing, r.err)
	}
	written, err := os.ReadFile(report)
	if missing := inOrder(string(written), []string{`"kind": "race"`, `"function": "no_copy"`,
		`streams_hip.c"`}); missing != "" || err != nil {
		t.Errorf("%v, no %q in its place in\n%s", err, missing, written)
	}
	known := filepath.Join(t.TempDir(), "known")
	if err := os.WriteFile(known, []byte("race streams_hip.c no_copy\nrace defects.cl tile_ok\n"),
		0o666); err != nil {
		t.Fatal(err)
	}
	r = execute(t, []string{"--check", "race", "--suppress", known}, program, object, "no_copy", "no_order")
	if r.status != 0 || strings.Contains(r.err, "check race") ||
		!strings.Contains(r.err, "known:1 keeps 1 from") {
		t.Errorf("status %d:\n%s", r.status, r.err)
	}
}

// TestExecUnwritten: a kernel that reads memory of the device to which neither a kernel nor the host has
// written since it was allocated is reported, and no other.
func TestExecUnwritten(t *testing.T) {
	t.Parallel()
	program, object := waysHIP(t, "unwritten_hip.c"), checkObjects+"defects.O0.co"
	missing, there := waysOf(t, "unwritten_hip.c")
	r := execute(t, []string{"--check", "all", "--source", checkObjects + "src"},
		append([]string{program, object}, there...)...)
	if want := strings.Join(there, "\n") + "\n"; r.status != 0 || r.err != want {
		t.Errorf("status %d:\n%s", r.status, r.err)
	}
	r = execute(t, []string{"--check", "uninit"}, append([]string{program, object}, missing...)...)
	var want []string
	for _, way := range missing {
		want = append(want, way+"\n", "check uninit: nothing has written what is read\n", "(defects.cl:19)",
			"read of 4 bytes", "argument 0 (in), allocation of 2048 bytes: byte ",
			"Neither a kernel nor the host has written to it since it was allocated.")
	}
	if text := inOrder(r.err, want); text != "" || r.status != statusFault {
		t.Errorf("status %d, no %q in its place in\n%s", r.status, text, r.err)
	}
	// Where a copy, a fill, a row end.
	for _, where := range []string{"byte 256\n", "byte 128\n", "byte 32\n"} {
		if !strings.Contains(r.err, where) {
			t.Errorf("no %q in\n%s", where, r.err)
		}
	}
}
