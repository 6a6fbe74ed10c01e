package main

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestSources writes the source of a shader out of its module.
func TestSources(t *testing.T) {
	want, err := os.ReadFile(filepath.Join(root, "testdata/spirv/src/control.comp"))
	if err != nil {
		t.Fatal(err)
	}
	for _, module := range []string{"control.Od.spv", "control.10.spv"} {
		dir := t.TempDir()
		var out, errs strings.Builder
		status := sourcesCommand([]string{"--out", dir, filepath.Join(root, "testdata/spirv", module)},
			stdio{strings.NewReader(""), &out, &errs})
		got, err := os.ReadFile(filepath.Join(dir, "control.comp"))
		if status != statusDone || err != nil || string(got) != string(want) {
			t.Errorf("%s: status %d, %v, %s%s", module, status, err, out.String(), errs.String())
		}
	}
	var out, errs strings.Builder
	status := sourcesCommand([]string{"--out", t.TempDir(),
		filepath.Join(root, "testdata/spirv/cl_sum.cl.spv")}, stdio{strings.NewReader(""), &out, &errs})
	if status == statusDone || !strings.Contains(errs.String(), "has no text of its sources") {
		t.Errorf("a file without text: status %d, %s", status, errs.String())
	}
}

// TestDebuginfod: a gdb that has debuginfod lists the source of a shader that is nowhere but in the module.
func TestDebuginfod(t *testing.T) {
	eachDebugger(t, func(t *testing.T, gdb string) {
		out := debug(t, gdb, "show debuginfod enabled")
		if !strings.Contains(out, "Debuginfod functionality") ||
			strings.Contains(debug(t, gdb, "set debuginfod enabled on"), "not compiled") {
			t.Skipf("skipped: this gdb has no debuginfod: %s", out)
		}
		cmd := simtgdbCommand(t, "serve", "--listen", "127.0.0.1:0", "--sources", "--launch",
			filepath.Join(root, "testdata/spirv/launch/control.json"))
		errs, err := cmd.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		defer cmd.Wait()
		defer cmd.Process.Kill()
		lines := bufio.NewReader(errs)
		url, address := "", ""
		for address == "" {
			line, err := lines.ReadString('\n')
			if err != nil {
				t.Fatalf("url %q, %q: %v", url, line, err)
			}
			if m := regexp.MustCompile(`urls (http://\S+)`).FindStringSubmatch(line); m != nil {
				url = m[1]
			} else if words := strings.Fields(line); strings.HasPrefix(line, "Waiting for gdb") {
				address = words[len(words)-1]
			}
		}
		go io.Copy(io.Discard, errs)
		text, err := os.ReadFile(filepath.Join(root, "testdata/spirv/src/control.comp"))
		if err != nil {
			t.Fatal(err)
		}
		source := strings.Split(string(text), "\n")
		t.Setenv("DEBUGINFOD_CACHE_PATH", t.TempDir())
		out = debug(t, gdb, "set debuginfod urls "+url, "set debuginfod enabled on",
			"target remote "+address, "list 1,4", "info source")
		contains(t, out, "1\t"+source[0], "2\t"+source[1], "3\t"+source[2], "4\t"+source[3], "control.comp")
	})
}
