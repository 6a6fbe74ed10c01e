package openclc

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/stub/device/buildcache"
)

func TestPrerequisites(t *testing.T) {
	rule := "it: /a/b.cl \\\n  /a\\ b/c\\#.h \\\n\t/x/$$y.h\n"
	if d := cmp.Diff([]string{"/a/b.cl", "/a b/c#.h", "/x/$y.h"}, prerequisites(rule)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestKeepable(t *testing.T) {
	for option, want := range map[string]bool{"-DA=1": true, "-I/x": true, "-cl-fast-relaxed-math": true,
		"-Werror": true, "-ffast-math": true, "-include": false, "-Wp,-include,x.h": false,
		"-fplugin=x": false, "-fprofile-use": false, "x.cl": false, "@file": false, "-DT=__TIME__": false,
		"-Xclang": false} {
		if got := keepable([]string{option}); got != want {
			t.Errorf("%s: %v, want %v", option, got, want)
		}
	}
}

// counted is the installed compiler behind a script that counts how often it is run.
func counted(t *testing.T) (c *Compiler, runs func() int) {
	t.Helper()
	c, err := Find()
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	dir := t.TempDir()
	count := filepath.Join(dir, "count")
	script := fmt.Sprintf("#!/bin/sh\necho run >>%s\nexec %s \"$@\"\n", count, c.Clang)
	if linker := besides(c.Clang); linker != "" { // that of the script, too
		if err := os.Symlink(linker, filepath.Join(dir, "ld.lld")); err != nil {
			t.Fatal(err)
		}
	}
	c.Clang = filepath.Join(dir, "clang")
	if err := os.WriteFile(c.Clang, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	c.Cache = &buildcache.Cache{Dir: filepath.Join(dir, "cache")}
	c.Sources = filepath.Join(dir, "sources")
	return c, func() int {
		text, _ := os.ReadFile(count)
		_ = os.Remove(count)
		return strings.Count(string(text), "run")
	}
}

// TestCache: what was built is not built again until something of what it was made of has changed.
func TestCache(t *testing.T) {
	c, runs := counted(t)
	first, second := filepath.Join(t.TempDir(), "first"), filepath.Join(t.TempDir(), "second")
	write := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(first, 0o755); err != nil {
		t.Fatal(err)
	}
	write(filepath.Join(second, "a b", "n.h"), "#include \"deep.h\"\n")
	write(filepath.Join(second, "a b", "deep.h"), "#define N 3\n")
	source := "#include \"a b/n.h\"\n#include \"own.h\"\nkernel void k(global int *p) { p[0] = N + OWN; }\n"
	r := &Request{Processor: "gfx90a", Inputs: []Input{{Contents: []byte(source)}},
		Options: fmt.Sprintf("-I %s -I %s", first, second),
		Headers: map[string][]byte{"own.h": []byte("#define OWN 1\n")}}
	build := func(what string, compiles bool) *Result {
		t.Helper()
		got, err := c.Build(context.Background(), r)
		if err != nil || got.File == nil {
			t.Fatalf("%s: %v\n%s", what, err, got.Log)
		}
		if n := runs(); n > 0 != compiles {
			t.Errorf("%s: the compiler ran %d times", what, n)
		}
		return got
	}
	old := build("the first time", true)
	if d := cmp.Diff(old, build("the second time", false)); d != "" {
		t.Errorf("what was kept is not what was built:\n%s", d)
	}
	write(filepath.Join(second, "a b", "deep.h"), "#define N 4\n")
	if bytes.Equal(old.File, build("a header has changed", true).File) {
		t.Error("the file of the old header is given")
	}
	build("nothing has changed", false)
	write(filepath.Join(first, "a b", "n.h"), "#define N 5\n")
	build("a header that comes before another is there", true)
	build("nothing has changed again", false)
	kept, err := filepath.Glob(filepath.Join(c.Sources, "*"))
	if err != nil || len(kept) != 1 {
		t.Fatalf("the sources that are kept: %q, %v", kept, err)
	}
	build("nothing has changed at last", false)
	write(kept[0], "damaged")
	build("what gdb shows is not the source any more", true)
}

// TestKeys: each thing that goes into a build is in its key.
func TestKeys(t *testing.T) {
	c, _ := counted(t)
	r := &Request{Processor: "gfx90a", Inputs: []Input{{Contents: []byte("kernel void k() {}\n")}},
		Headers: map[string][]byte{"own.h": []byte("#define OWN 1\n")}}
	seen := map[buildcache.Key]string{}
	for _, change := range []struct {
		what string
		do   func()
	}{
		{"nothing", func() {}},
		{"the source", func() { r.Inputs[0].Contents = []byte("kernel void j() {}\n") }},
		{"the kind of the input", func() { r.Inputs[0].Bitcode = true }},
		{"the number of inputs", func() { r.Inputs = append(r.Inputs, r.Inputs[0]) }},
		{"a header", func() { r.Headers["own.h"] = []byte("#define OWN 2\n") }},
		{"a header's name", func() { r.Headers = map[string][]byte{"o.h": r.Headers["own.h"]} }},
		{"options", func() { r.Options = "-DX" }},
		{"the user's options", func() { c.Extra = "-cl-opt-disable" }},
		{"the processor", func() { r.Processor = "gfx942" }},
		{"what is wanted", func() { r.Object = true }},
		{"where sources are", func() { c.Sources += "2" }},
		{"the date that is told", func() { t.Setenv("SOURCE_DATE_EPOCH", "1") }},
		{"the compiler", func() {
			if err := os.WriteFile(c.Clang, []byte("#!/bin/sh\n"), 0o755); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		change.do()
		words, err := Split(r.Options + " " + c.Extra)
		if err != nil {
			t.Fatal(err)
		}
		k, ok := (&build{Compiler: c, request: r, options: options(words)}).key()
		if other, is := seen[k]; is || !ok {
			t.Errorf("with %s changed the key is that of %q, %v", change.what, other, ok)
		}
		seen[k] = change.what
	}
}

// TestNoKey: what is not kept.
func TestNoKey(t *testing.T) {
	c, _ := counted(t)
	plain := Request{Inputs: []Input{{Contents: []byte("kernel void k() {}\n")}}}
	if _, ok := (&build{Compiler: c, request: &plain}).key(); !ok {
		t.Error("a plain program has no key")
	}
	timed := Request{Inputs: []Input{{Contents: []byte("// __TIME__\n")}}}
	if _, ok := (&build{Compiler: c, request: &timed}).key(); ok {
		t.Error("a source that knows the time has a key")
	}
	headed := plain
	headed.Headers = map[string][]byte{"a.h": []byte("__has_include")}
	if _, ok := (&build{Compiler: c, request: &headed}).key(); ok {
		t.Error("a header that asks for others has a key")
	}
	other := *c
	other.Cache = nil
	if _, ok := (&build{Compiler: &other, request: &plain}).key(); ok {
		t.Error("there is a key where there is no cache")
	}
	t.Setenv("CPATH", "/x")
	if _, ok := (&build{Compiler: c, request: &plain}).key(); ok {
		t.Error("there is a key where files are looked for in other places")
	}
}

// TestFunctionsKept: functions in the place of the device libraries' own are compiled for the first program
// that has use for them, and by another compiler anew.
func TestFunctionsKept(t *testing.T) {
	c, runs := counted(t)
	build := func(constant string, want int) {
		t.Helper()
		r, err := c.Build(context.Background(), &Request{Inputs: []Input{{Contents: []byte(
			"kernel void k(global uint *p) { p[0] = abs_diff((int)p[1], " + constant + "); }\n")}}})
		if err != nil || r.File == nil {
			t.Fatal(err, r)
		}
		if got := runs(); got != want {
			t.Errorf("with %s the compiler is run %d times, not %d", constant, got, want)
		}
	}
	build("3", 3)
	build("4", 2)
	text, err := os.ReadFile(c.Clang)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(c.Clang, append(text, "# another\n"...), 0o755); err != nil {
		t.Fatal(err)
	}
	build("4", 3)
}

// TestCacheOfErrors: the log of a build that fails comes of the compiler each time, that of one with
// warnings is kept.
func TestCacheOfErrors(t *testing.T) {
	c, runs := counted(t)
	for _, test := range []struct {
		source string
		fails  bool
	}{
		{"kernel void k() { none(); }\n", true},
		{"#warning careful\nkernel void k() {}\n", false},
	} {
		r := &Request{Inputs: []Input{{Contents: []byte(test.source)}}}
		var logs [2]string
		for i := range logs {
			got, err := c.Build(context.Background(), r)
			if err != nil || got.File == nil != test.fails {
				t.Fatalf("%v\n%s", err, got.Log)
			}
			logs[i] = got.Log
		}
		if n := runs(); logs[0] == "" || logs[0] != logs[1] || n != 2 {
			t.Errorf("%d runs, logs %q", n, logs)
		}
	}
}
