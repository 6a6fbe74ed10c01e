package cfi

import (
	"bytes"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/dwarf/expr"
)

// dump gives what llvm-dwarfdump prints of a section, without the headings.
func dump(t *testing.T, option, path string) []string {
	t.Helper()
	tool, err := exec.LookPath("llvm-dwarfdump-22")
	if err != nil {
		t.Skip("skipped: no llvm-dwarfdump-22")
	}
	out, _ := exec.Command(tool, option, path).Output() // fails where it cannot make rows
	section := strings.Replace(option, "--", ".", 1)
	section = strings.Replace(section, "-", "_", 1)
	text := string(out)
	_, text, ok := strings.Cut(text, section+" contents:\n")
	if !ok {
		t.Fatalf("llvm-dwarfdump %s shows no %s of %s", option, section, path)
	}
	text, _, _ = strings.Cut(text, "\n.eh_frame contents:\n")
	return normal(text)
}

// normal gives the lines with single spaces, without empty ones.
func normal(s string) []string {
	var lines []string
	for line := range strings.Lines(s) {
		if f := strings.Fields(line); len(f) > 0 {
			lines = append(lines, strings.Join(f, " "))
		}
	}
	return lines
}

// ours gives what Print prints.
func ours(t *testing.T, path, section string, arch *Arch, register func(uint64) string) []string {
	t.Helper()
	table := load(t, path, section, arch)
	var b bytes.Buffer
	if err := table.Print(&b, register); err != nil {
		t.Log(err) // llvm-dwarfdump prints what it can too
	}
	return normal(b.String())
}

func load(t testing.TB, path, section string, arch *Arch) *Table {
	t.Helper()
	f, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := f.Section(section)
	if s == nil {
		t.Fatalf("%s has no %s", path, section)
	}
	data, err := s.Data()
	if err != nil {
		t.Fatal(err)
	}
	table, err := Parse(data, Options{EH: section == ".eh_frame", Address: s.Addr, Arch: arch})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// System programs and libraries, of several compilers.
var systemFiles = []string{
	"/bin/true", "/bin/ls", "/bin/bash", "/usr/bin/perl", "/usr/bin/make", "/usr/bin/git", "/usr/bin/grep",
	"/usr/bin/ssh",
	"/lib/x86_64-linux-gnu/libc.so.6", "/lib/x86_64-linux-gnu/libm.so.6",
	"/lib/x86_64-linux-gnu/libgcc_s.so.1",
	"/usr/lib/x86_64-linux-gnu/libstdc++.so.6", "/lib64/ld-linux-x86-64.so.2", "/usr/bin/ld.bfd",
	"/usr/bin/gpg", "/usr/bin/openssl",
}

func TestPrintSystemFiles(t *testing.T) {
	n := 0
	for _, path := range systemFiles {
		if _, err := os.Stat(path); err != nil {
			continue
		}
		n++
		t.Run(filepath.Base(path), func(t *testing.T) {
			want := dump(t, "--eh-frame", path)
			if diff := cmp.Diff(want, ours(t, path, ".eh_frame", AMD64, expr.X86DumpName)); diff != "" {
				if len(diff) > 4000 {
					diff = diff[:4000]
				}
				t.Error(diff)
			}
		})
	}
	if n < 3 {
		t.Skipf("skipped: only %d of the system's files are here", n)
	}
}

// assemble makes an object of testdata/NAME.s.
func assemble(t testing.TB, name, triple string) string {
	t.Helper()
	tool, err := exec.LookPath("llvm-mc-22")
	if err != nil {
		t.Skip("skipped: no llvm-mc-22")
	}
	obj := filepath.Join(t.TempDir(), name+".o")
	args := append(strings.Fields("-triple="+triple), "-filetype=obj", filepath.Join("testdata", name+".s"),
		"-o", obj)
	if out, err := exec.Command(tool, args...).CombinedOutput(); err != nil {
		t.Fatalf("llvm-mc: %v\n%s", err, out)
	}
	return obj
}

// link applies the object's relocations.
func link(t testing.TB, obj string) string {
	t.Helper()
	tool, err := exec.LookPath("ld.lld-22")
	if err != nil {
		t.Skip("skipped: no ld.lld-22")
	}
	out := obj + ".linked"
	if text, err := exec.Command(tool, "-shared", obj, "-o", out).CombinedOutput(); err != nil {
		t.Fatalf("ld.lld: %v\n%s", err, text)
	}
	return out
}

func TestPrintAssembled(t *testing.T) {
	tests := []struct {
		name, triple, section string
		link                  bool
		arch                  *Arch
		register              func(uint64) string
	}{
		{"amdgpu", "amdgcn-amd-amdhsa -mcpu=gfx90a", ".debug_frame", true, AMDGPU, expr.AMDGPUDumpName},
		{"x86", "x86_64-linux-gnu", ".eh_frame", true, AMD64, expr.X86DumpName},
		{"x86", "x86_64-linux-gnu", ".debug_frame", true, AMD64, expr.X86DumpName},
		{"aarch64", "aarch64-linux-gnu", ".eh_frame", true, AArch64, expr.AArch64DumpName},
		{"headers", "x86_64-linux-gnu", ".debug_frame", true, AMD64, expr.X86DumpName},
		{"ehheaders", "x86_64-linux-gnu", ".eh_frame", false, AMD64, expr.X86DumpName},
	}
	for _, tt := range tests {
		t.Run(tt.name+tt.section, func(t *testing.T) {
			obj := assemble(t, tt.name, tt.triple)
			if tt.link {
				obj = link(t, obj)
			}
			option := "--" + strings.Replace(tt.section[1:], "_", "-", 1)
			if diff := cmp.Diff(dump(t, option, obj),
				ours(t, obj, tt.section, tt.arch, tt.register)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPrintTestdataObjects(t *testing.T) {
	objects, _ := filepath.Glob("../../testdata/co/*.co")
	if len(objects) == 0 {
		t.Skip("skipped: no objects in testdata/co")
	}
	for _, obj := range objects {
		want := dump(t, "--debug-frame", obj)
		if diff := cmp.Diff(want, ours(t, obj, ".debug_frame", AMDGPU, expr.AMDGPUDumpName)); diff != "" {
			t.Errorf("%s: %s", obj, diff)
		}
	}
}
