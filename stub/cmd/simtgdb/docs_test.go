package main

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"simtgdb/stub/device/client"
	"simtgdb/stub/suite"
	"simtgdb/testdata/sweep"
)

// console is a session with a shell in a document: each line that begins with
// "$ " is a command, which a backslash at the end of the line continues, and
// what follows it is all that it prints, to standard output and standard
// error.
var console = regexp.MustCompile("(?s)(<!-- console -->\n```console\n)(.*?)(```\n)")

// TestConsole runs the shell sessions that documents show, those of one
// document one after the other in one folder, and compares what they print.
func TestConsole(t *testing.T) {
	t.Parallel()
	program(t)
	documents, err := filepath.Glob(filepath.Join(root, "docs/*.md"))
	if err != nil {
		t.Fatal(err)
	}
	sessions := 0
	for _, doc := range append(documents, filepath.Join(root, "README.md")) {
		text, err := os.ReadFile(doc)
		if err != nil {
			t.Fatal(err)
		}
		if !console.Match(text) {
			continue
		}
		sessions++
		if filepath.Base(doc) == "tutorial-elsewhere.md" && !sweep.All() && !*update {
			continue // what tutorial.md has, three times, in other languages
		}
		t.Run(filepath.Base(doc), func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath("ocloc"); err != nil && bytes.Contains(text, []byte("--target gen9")) {
				t.Skipf("skipped: %v", err)
			}
			folder := consoleFolder(t)
			now := console.ReplaceAllFunc(text, func(block []byte) []byte {
				m := console.FindSubmatch(block)
				got := runConsole(t, folder, string(m[2]))
				if d := cmp.Diff(withoutPlace(string(m[2])), withoutPlace(got)); d != "" && !*update {
					t.Errorf("a console session prints something else (-want +got):\n%s", d)
				}
				return bytes.Join([][]byte{m[1], []byte(got), m[3]}, nil)
			})
			if *update && !bytes.Equal(now, text) {
				if err := os.WriteFile(doc, now, 0o666); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	if sessions == 0 {
		t.Error("no document shows a console session")
	}
}

// inFunction matches an address of code with where it is in its function.
var inFunction = regexp.MustCompile(`0x[0-9a-f]+( in \w+\+0x[0-9a-f]+)`)

// withoutPlace is what a session prints without the addresses of functions: a module in SPIR-V has the name
// of its source's folder in it, whose length they depend on. Where in a function something is stays.
func withoutPlace(text string) string { return inFunction.ReplaceAllString(text, "0x…$1") }

// consoleFolder is an empty folder but for the parts of the repository that
// sessions may use: what else they write does not litter the repository.
func consoleFolder(t *testing.T) string {
	t.Helper()
	for _, tool := range []string{"clang-22", "ld.lld-22", "gdb"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("skipped: %v", err)
		}
	}
	const library = "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode/ockl.bc"
	if _, err := os.Stat(library); err != nil {
		t.Skipf("skipped: no device libraries: %v", err)
	}
	top, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for _, part := range []string{"bin", "docs", "testdata"} {
		if err := os.Symlink(filepath.Join(top, part), filepath.Join(folder, part)); err != nil {
			t.Fatal(err)
		}
	}
	cached := filepath.Join(folder, ".cache", "simtgdb")
	if err := os.MkdirAll(cached, 0o777); err != nil {
		t.Fatal(err)
	}
	cache, _ := libraries()
	for _, l := range []*client.Library{&client.HIP, &client.CUDA, &client.OpenCL, &client.Vulkan} {
		dir, err := libraryIn(cache, l) // once for all documents
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(dir, filepath.Join(cached, filepath.Base(dir))); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// runConsole runs the commands of a session in one shell and gives the session
// as it is now.
func runConsole(t *testing.T, folder, session string) string {
	t.Helper()
	const end = "--end of output--"
	var commands []string
	var script strings.Builder
	lines := strings.SplitAfter(session, "\n")
	for i := 0; i < len(lines); i++ {
		command, ok := strings.CutPrefix(lines[i], "$ ")
		if !ok {
			continue
		}
		for strings.HasSuffix(command, "\\\n") && i+1 < len(lines) {
			i++
			command += lines[i]
		}
		commands = append(commands, command)
		script.WriteString(command + "status=$?; printf '\\n" + end + "\\n'; (exit $status)\n")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", script.String())
	cmd.Dir = folder
	cmd.WaitDelay = 5 * time.Second
	cmd.Env = append(os.Environ(), "LC_ALL=C", "DEBUGINFOD_URLS=", "TERM=dumb", "HOME=/nonexistent",
		"XDG_CACHE_HOME="+filepath.Join(folder, ".cache"))
	out, _ := cmd.CombinedOutput() // the last command's status is part of the session if it matters
	// The folder's name is another one in every run.
	out = bytes.ReplaceAll(out, []byte(folder), []byte("/kernels"))
	outputs := strings.Split(string(out), "\n"+end+"\n")
	if len(outputs) != len(commands)+1 {
		t.Fatalf("%d commands gave %d outputs:\n%s", len(commands), len(outputs)-1, out)
	}
	var b strings.Builder
	for i, command := range commands {
		b.WriteString("$ " + command)
		if outputs[i] != "" {
			b.WriteString(strings.TrimSuffix(suite.Normalise(outputs[i]), "\n") + "\n")
		}
	}
	return b.String()
}

var (
	// codePath is the name of a file of the repository in a document.
	codePath = regexp.MustCompile("`((?:docs|dwarf|loader|rsp|simt|stub|testdata)/[^` *]+\\.[a-z]+)`")
	// link is a link to another file.
	link = regexp.MustCompile(`\]\(([^)#:]+)[^):]*\)`)
)

// TestPaths looks for the files that documents name.
func TestPaths(t *testing.T) {
	documents, err := filepath.Glob(filepath.Join(root, "docs/*.md"))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, doc := range append(documents, filepath.Join(root, "README.md"),
		filepath.Join(root, "testdata/README.md")) {
		text, err := os.ReadFile(doc)
		if err != nil {
			t.Fatal(err)
		}
		look := func(pattern *regexp.Regexp, folder string) {
			for _, m := range pattern.FindAllSubmatch(text, -1) {
				found++
				if _, err := os.Stat(filepath.Join(folder, string(m[1]))); err != nil {
					t.Errorf("%s: %v", filepath.Base(doc), err)
				}
			}
		}
		look(codePath, root)
		look(link, filepath.Dir(doc))
	}
	if found == 0 {
		t.Error("no document names a file")
	}
}

// TestNamesOfTests looks for the tests that documents name.
func TestNamesOfTests(t *testing.T) {
	named := regexp.MustCompile("`((?:Test|Fuzz|Benchmark)[A-Z]\\w*)`")
	defined := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)\w+)\(`)
	there := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range defined.FindAllSubmatch(text, -1) {
			there[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	documents, err := filepath.Glob(filepath.Join(root, "docs/*.md"))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, doc := range documents {
		text, err := os.ReadFile(doc)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range named.FindAllSubmatch(text, -1) {
			if found++; !there[string(m[1])] {
				t.Errorf("%s names %s, which is nowhere", filepath.Base(doc), m[1])
			}
		}
	}
	if found == 0 {
		t.Error("no document names a test")
	}
}

// TestLengths: pages that people read from the beginning to the end stay as long as that takes; the rest is
// on pages of its own.
func TestLengths(t *testing.T) {
	for doc, most := range map[string]int{"README.md": 250, "docs/guide.md": 900,
		"docs/performance.md": 120} {
		text, err := os.ReadFile(filepath.Join(root, doc))
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(text, []byte("\n")); n > most {
			t.Errorf("%s has %d lines, at most %d are wanted", doc, n, most)
		}
	}
}
