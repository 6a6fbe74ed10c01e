package openclc

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoLinker: where clang finds no linker, what it says begins with the package to install, whatever clang
// is called.
func TestNoLinker(t *testing.T) {
	const spawn = "clang: error: unable to execute command: posix_spawn failed: No such file or directory\n"
	for _, c := range []struct{ path, said, lld string }{
		{"/usr/bin/clang-19", spawn + "clang: error: ld.lld command failed with exit code 1", "lld-19"},
		{"/usr/lib/llvm-20/bin/clang++", spawn + "clang: error: amdgcn-link command failed", "lld-20"},
		{"/opt/bin/clang", "clang: error: unable to execute command: Executable \"ld.lld\" doesn't exist!\n" +
			"clang: error: ld.lld command failed with exit code 1", "lld"},
		{"/usr/bin/clang-19", "ld.lld: error: undefined symbol: f\n" +
			"clang: error: ld.lld command failed with exit code 1", ""},
		{"/usr/bin/clang-19", spawn + "clang: error: llvm-link command failed with exit code 1", ""},
	} {
		got := explainLinker(c.said, c.path)
		begins := strings.HasPrefix(got, "error: "+filepath.Base(c.path)) &&
			strings.Contains(got, "apt-get install "+c.lld+")\n")
		if !strings.HasSuffix(got, c.said) || begins != (c.lld != "") {
			t.Errorf("%s says %q, explained as %q", c.path, c.said, got)
		}
	}
}

// TestNoLinkerOfClang: the installed clang says that it lacks its linker as TestNoLinker has it.
func TestNoLinkerOfClang(t *testing.T) {
	clang, err := FindClang("OpenCL C", "clang-22")
	if err != nil {
		t.Skip(err)
	}
	resources, err := exec.Command(clang, "-print-resource-dir").Output()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	alone, source := filepath.Join(dir, filepath.Base(clang)), filepath.Join(dir, "k.cl")
	if err := os.Symlink(clang, alone); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(source, []byte("kernel void k(global int *p) { *p = 1; }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	said, err := Command(context.Background(), dir, alone, []string{"-no-canonical-prefixes",
		"-resource-dir=" + strings.TrimSpace(string(resources)), "-x", "cl", "-target", "amdgcn-amd-amdhsa",
		"-mcpu=gfx90a", "-nogpulib", source, "-o", filepath.Join(dir, "k.co")})
	if want := "error: " + filepath.Base(clang) + " finds no linker, lld"; err == nil ||
		!strings.HasPrefix(string(said), want) {
		t.Errorf("%v, said %q, want %q first", err, said, want)
	}
}

// logged makes a program beside others that notes its name in their log and runs a real one.
func logged(t *testing.T, dir, name, real string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	script := "#!/bin/sh\necho " + name + " >>\"${0%/*}/log\"\nexec " + real + " \"$@\"\n"
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestLinkedApart: clang and its linker are each run once to make a code object of a source, which is the one
// that clang makes by itself, where it lies alone or options say so.
func TestLinkedApart(t *testing.T) {
	clang, err := FindClang("OpenCL C", "clang-22")
	if err != nil {
		t.Skip(err)
	}
	linker := besides(clang)
	if linker == "" {
		t.Skip("skipped: no ld.lld beside clang")
	}
	source := filepath.Join(t.TempDir(), "k.cl")
	text := "kernel void k(global int *p) { *p = 1; }\nkernel void l(global int *p) { *p = UNKNOWN; }\n"
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var objects []string
	for _, c := range []struct {
		withLinker bool
		unlinked   []string
		ran        string
	}{{true, []string{"-c"}, "clang\nld.lld\n"}, {true, nil, "clang\n"}, {false, []string{"-c"}, "clang\n"}} {
		dir := t.TempDir()
		compiler, out := logged(t, dir, "clang", clang), filepath.Join(dir, "k.co")
		if c.withLinker {
			logged(t, dir, "ld.lld", linker)
		}
		run := func(value string) (string, error) {
			said, err := CommandLinked(context.Background(), dir, compiler, []string{"-x", "cl", "-target",
				"amdgcn-amd-amdhsa", "-mcpu=gfx90a", "-nogpulib", "-g", "-DUNKNOWN=" + value, source,
				"-o", out}, c.unlinked)
			return string(said), err
		}
		if said, err := run("2"); err != nil || said != "" {
			t.Fatalf("%v: %s", err, said)
		}
		ran, _ := os.ReadFile(filepath.Join(dir, "log"))
		object, err := os.ReadFile(out)
		if string(ran) != c.ran || err != nil {
			t.Errorf("%q is run, want %q: %v", ran, c.ran, err)
		}
		objects = append(objects, string(object))
		const undefined = "({ int none(void); none(); })"
		if said, err := run(undefined); err == nil || !strings.Contains(said, "undefined") {
			t.Errorf("what is not defined is linked: %s", said)
		}
		if said, err := run("+"); err == nil || !strings.Contains(said, "k.cl:2:") {
			t.Errorf("what is no expression is taken: %v: %s", err, said)
		}
	}
	if objects[0] != objects[1] || objects[0] != objects[2] {
		t.Error("what is linked apart is not what clang links")
	}
}

func TestSeparable(t *testing.T) {
	for options, want := range map[string]bool{"": true, "-O3 -g -DN=3 -Iinclude -mwavefrontsize64": true,
		"-Wl,-z,now": false, "-Xlinker -s": false, "-lm": false, "-flto": false, "-c": false,
		"-save-temps": false, "-fgpu-rdc": false, "-fuse-ld=lld": false, "-gsplit-dwarf": false,
		"-ffast-math": true} {
		if got := Separable(strings.Fields(options)); got != want {
			t.Errorf("%s: %v", options, got)
		}
	}
}
