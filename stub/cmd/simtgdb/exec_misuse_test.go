//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"simtgdb/testdata/sweep"
)

// misuses are the programs that use an API in wrong ways and in right ones.
var misuses = []struct {
	api     string
	library string // as places calls its folder
	source  string
	object  string
	flags   []string
	call    string // what functions of the API begin with
	part    int    // every so manieth way is tried, unless all are
}{
	{"HIP", "$HIP", "misuse_hip.c", checkObjects + "defects.O0.co", []string{"-l:libamdhip64.so.5"},
		"hip", 1},
	{"CUDA", "$CUDA", "misuse_hip.c", checkObjects + "defects.O0.ptx",
		[]string{"-DCUDA", "-l:libcuda.so.1"}, "cu", 4}, // HIP's ways
	{"Vulkan", "$VULKAN", "misuse_vulkan.c", hostPrograms + "/scale.spv", []string{"-lvulkan"}, "vk", 1},
	{"OpenCL", "$OPENCL", "misuse_opencl.c", checkObjects + "defects.O0.co",
		[]string{"-l:libOpenCL.so.1"}, "cl", 1},
}

// misuseWays are the names of what such a program does, by how they begin, with the lines that are marked
// with them.
func misuseWays(t *testing.T, source string) (ways map[string][]string, lines map[string]int) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(hostPrograms, source))
	if err != nil {
		t.Fatal(err)
	}
	ways, lines = map[string][]string{}, map[string]int{}
	for _, m := range regexp.MustCompile(`WAY\(((bad|ok|host|fine)_\w+)\)`).FindAllStringSubmatch(
		string(text), -1) {
		ways[m[2]] = append(ways[m[2]], m[1])
	}
	for i, line := range strings.Split(string(text), "\n") {
		if _, mark, ok := strings.Cut(line, "// "); ok {
			lines[mark] = i + 1
		}
	}
	for kind, least := range map[string]int{"bad": 10, "ok": 1, "host": 1, "fine": 1} {
		if len(ways[kind]) < least {
			t.Fatalf("%s has %d ways that are called %s_", source, len(ways[kind]), kind)
		}
	}
	return ways, lines
}

// TestExecMisuse: calls of each API that are wrong, and accesses of the program's own that nothing orders
// with what the device does, are reported with the call and its line, and nothing is of what is right.
func TestExecMisuse(t *testing.T) {
	t.Parallel()
	for _, m := range misuses {
		t.Run(m.api, func(t *testing.T) {
			program := compileMisuse(t, m.library, m.source, m.flags)
			ways, lines := misuseWays(t, m.source)
			for kind := range ways {
				ways[kind] = sweep.Some(m.part, ways[kind]...)
			}
			right := append(ways["ok"], ways["fine"]...)
			r := execute(t, []string{"--check", "api,host"}, append([]string{program, m.object}, right...)...)
			if want := strings.Join(right, "\n") + "\n"; r.status != 0 || r.err != want {
				t.Errorf("status %d:\n%s", r.status, r.err)
			}
			for begin, want := range map[string]string{"bad": "check api: ",
				"host": "check host: data race with "} {
				var told []string
				for some := range slices.Chunk(ways[begin], reportsShown) {
					r := execute(t, []string{"--check", "api,host"},
						append([]string{program, m.object}, some...)...)
					if r.status != statusFault {
						t.Errorf("status %d", r.status)
					}
					told = append(told, strings.Split(r.err, "simtgdb exec: ")[1:]...)
				}
				if len(told) != len(ways[begin]) {
					t.Errorf("%d reports of %d ways:\n%s", len(told), len(ways[begin]),
						strings.Join(told, ""))
				}
				for _, way := range ways[begin] {
					place := fmt.Sprintf("%s:%d in %s", m.source, lines[way], way)
					i := slices.IndexFunc(told,
						func(text string) bool { return strings.Contains(text, place) })
					if i < 0 || lines[way] == 0 || !strings.HasPrefix(told[i], want) {
						t.Errorf("nothing is told of %s, at %s", way, place)
					} else if strings.Contains(told[i], " fails with ") && !strings.HasPrefix(told[i], want+
						m.call) {
						t.Errorf("%s is of no function %s…:\n%s", way, m.call, told[i])
					}
				}
			}
		})
	}
}

// compileMisuse compiles such a program, for a library that is called as places calls its folder.
func compileMisuse(t *testing.T, library, source string, flags []string) string {
	t.Helper()
	cache, _ := libraries()
	if cache == "" {
		t.Skip("skipped: no C compiler")
	}
	if library == "$VULKAN" {
		if _, err := os.Stat("/usr/include/vulkan/vulkan.h"); err != nil {
			t.Skipf("skipped: %v", err)
		}
	}
	flags = append([]string{"-O1", "-g", "-w", source, "-L" + library}, flags...)
	return sharedProgram(t, "program", "cc", flags...)
}
