package cfi

import (
	"bytes"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/dwarf/expr"
	"simtgdb/dwarf/internal/dwarftest"
	"simtgdb/testdata/sweep"
)

func TestMain(m *testing.M) { os.Exit(dwarftest.Main(m)) }

// dump gives what llvm-dwarfdump prints of a section, without the headings.
func dump(t *testing.T, option, path string) []string {
	t.Helper()
	tool, err := exec.LookPath("llvm-dwarfdump-22")
	if err != nil {
		t.Skip("skipped: no llvm-dwarfdump-22")
	}
	out, _ := exec.Command(tool, option, path).Output() // fails where it cannot make rows
	return contents(t, option, path, string(out))
}

// contents gives what is printed of a section that an option asks for, without the headings.
func contents(t *testing.T, option, path, text string) []string {
	t.Helper()
	section := strings.Replace(option, "--", ".", 1)
	section = strings.Replace(section, "-", "_", 1)
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

// System programs and libraries, of several compilers: every sixth is tried by `make test`.
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
	for _, path := range sweep.Some(6, systemFiles...) {
		if _, err := os.Stat(path); err != nil {
			continue
		}
		n++
		t.Run(filepath.Base(path), func(t *testing.T) {
			want, got := dump(t, "--eh-frame", path), ours(t, path, ".eh_frame", AMD64, expr.X86DumpName)
			if !slices.Equal(want, got) { // cmp takes long for what is equal
				t.Errorf("%.4000s", cmp.Diff(want, got))
			}
		})
	}
	if n < 2 {
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
	return dwarftest.Kept(t, name+".o", func(obj string) {
		args := append(strings.Fields("-triple="+triple), "-filetype=obj",
			filepath.Join("testdata", name+".s"), "-o", obj)
		if out, err := exec.Command(tool, args...).CombinedOutput(); err != nil {
			t.Fatalf("llvm-mc: %v\n%s", err, out)
		}
	})
}

// link applies the object's relocations.
func link(t testing.TB, obj string) string {
	t.Helper()
	tool, err := exec.LookPath("ld.lld-22")
	if err != nil {
		t.Skip("skipped: no ld.lld-22")
	}
	return dwarftest.Kept(t, obj+".linked", func(out string) {
		if text, err := exec.Command(tool, "-shared", obj, "-o", out).CombinedOutput(); err != nil {
			t.Fatalf("ld.lld: %v\n%s", err, text)
		}
	})
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
	objects = sweep.Some(5, objects...)
	const option = "--debug-frame"
	for i, text := range dwarftest.Dumps(t, "llvm-dwarfdump-22", []string{option}, objects) {
		obj := objects[i]
		want, got := contents(t, option, obj, text), ours(t, obj, ".debug_frame", AMDGPU, expr.AMDGPUDumpName)
		if !slices.Equal(want, got) {
			t.Errorf("%s: %s", obj, cmp.Diff(want, got))
		}
	}
}
