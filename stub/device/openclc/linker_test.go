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
