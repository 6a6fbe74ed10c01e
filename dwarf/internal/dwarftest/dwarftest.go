// Package dwarftest builds the programs whose debugging information the tests of dwarf and of the packages
// below it read: the same sources by several producers, in all versions and both formats. Tools that are
// missing skip a test. It is for tests alone, and knows nothing of package dwarf.
//
// Entry points: [AllBuilds] and its parts, [Some] of them, [Build.Make], [Kept], [Dumps], [Sections].
package dwarftest

import (
	"debug/elf"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simtgdb/testdata/installed"
	"simtgdb/testdata/sweep"
)

// Sections reads the debug sections of a file, by their names without the z of compressed ones, and says
// whether they are big-endian.
func Sections(t testing.TB, file string) (sections map[string][]byte, bigEndian bool) {
	t.Helper()
	f, err := elf.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sections = map[string][]byte{}
	for _, s := range f.Sections {
		name := s.Name
		if strings.HasPrefix(name, ".zdebug_") {
			name = ".debug_" + strings.TrimPrefix(name, ".zdebug_")
		}
		if !strings.HasPrefix(name, ".debug_") || s.Type == elf.SHT_NOBITS || sections[name] != nil {
			continue
		}
		if sections[name], err = s.Data(); err != nil {
			t.Fatal(err)
		}
	}
	return sections, f.Data == elf.ELFDATA2MSB
}

// Lines gives the lines of a dump with the white space made equal, without empty ones and the one that names
// the file.
func Lines(text string) []string {
	var out []string
	for _, l := range strings.Split(text, "\n") {
		l = strings.Join(strings.Fields(l), " ")
		if l != "" && !strings.Contains(l, "file format ") {
			out = append(out, l)
		}
	}
	return out
}

// Need skips a test where a tool is missing.
func Need(t testing.TB, tool string) {
	t.Helper()
	if _, err := installed.Tool(tool); err != nil {
		t.Skipf("skipped: %v", err)
	}
}

// Output runs a tool and gives what it writes on standard output.
func Output(t testing.TB, tool string, args ...string) string {
	t.Helper()
	Need(t, tool)
	cmd := exec.Command(tool, args...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", tool, strings.Join(args, " "), err, stderr.String())
	}
	return string(out)
}

// Dumps gives what a tool of LLVM says of each of some files.
func Dumps(t testing.TB, tool string, args, files []string) (texts []string) {
	t.Helper()
	texts, err := installed.Each(Output(t, tool, slices.Concat(args, files)...), files)
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	return texts
}

// PutSections gives a copy of an ELF file with other debug sections.
func PutSections(t testing.TB, file string, sections map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	args := []string{"-g"}
	for _, name := range slices.Sorted(maps.Keys(sections)) {
		part := filepath.Join(dir, name)
		if err := os.WriteFile(part, sections[name], 0o666); err != nil {
			t.Fatal(err)
		}
		args = append(args, "--add-section", name+"="+part)
	}
	out := filepath.Join(dir, "rewritten")
	tool := "llvm-objcopy-22" // knows all machines
	Output(t, tool, append(args, file, out)...)
	return out
}

// A Build is a way to compile a program of testdata.
type Build struct {
	Name, Tool string
	Args       []string
	Source     string
}

// programs has what was built, by the names of the builds: tests share them.
var programs = struct {
	dir  string
	made map[string]string
}{made: make(map[string]string)}

// Main runs the tests of a package and takes away what they built; it is for TestMain.
func Main(m *testing.M) int {
	dir, err := os.MkdirTemp("", "dwarf")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	programs.dir = dir
	defer os.RemoveAll(dir)
	return m.Run()
}

// Make gives the program, which it builds for the first test that wants it.
func (b Build) Make(t testing.TB) string {
	t.Helper()
	Need(t, b.Tool)
	if slices.Contains(b.Args, "-fuse-ld=lld") {
		Need(t, "ld.lld-22")
	}
	return Kept(t, b.Name, func(out string) {
		Output(t, b.Tool, append(slices.Clone(b.Args), "-o", out, source(b.Source))...)
	})
}

// Kept gives the file of a name, which is made for the first test that wants it.
func Kept(t testing.TB, name string, make func(out string)) string {
	t.Helper()
	if programs.made[name] == "" {
		out := filepath.Join(programs.dir, fmt.Sprint(len(programs.made)))
		make(out)
		programs.made[name] = out
	}
	return programs.made[name]
}

// source is the path of a file in dwarf/testdata, from dwarf or a package below it.
func source(name string) string {
	path := filepath.Join("testdata", name)
	if _, err := os.Stat(path); err != nil {
		return filepath.Join("..", path)
	}
	return path
}

// Clang reports whether clang compiles it.
func (b Build) Clang() bool { return strings.HasPrefix(b.Tool, "clang") }

// HostBuilds are C and C++ of all versions for this machine.
func HostBuilds() []Build {
	var list []Build
	add := func(tool, source string, args ...string) {
		list = append(list, Build{tool + " " + strings.Join(args, " "), tool, args, source})
	}
	// A position dependent link leaves no relocations in the debug sections.
	for _, v := range []string{"-gdwarf-2", "-gdwarf-3", "-gdwarf-4", "-gdwarf-5"} {
		for _, o := range []string{"-O0", "-O2"} {
			add("gcc", "shapes.c", v, o)
			add("clang-22", "shapes.c", v, o)
		}
		add("g++", "shapes.cc", v, "-O2")
		add("clang++-22", "shapes.cc", v, "-O2")
	}
	add("gcc", "shapes.c", "-gdwarf-5", "-gdwarf64", "-O2")
	add("gcc", "shapes.c", "-gdwarf-4", "-gdwarf64", "-O2")
	add("clang-22", "shapes.c", "-gdwarf-5", "-gdwarf64", "-O2")
	add("gcc", "shapes.c", "-gdwarf-5", "-gstrict-dwarf", "-O2")
	add("g++", "shapes.cc", "-gdwarf-4", "-fdebug-types-section", "-O2")
	add("g++", "shapes.cc", "-gdwarf-5", "-fdebug-types-section", "-O2")
	add("clang++-22", "shapes.cc", "-gdwarf-4", "-fdebug-types-section", "-O2")
	add("clang++-22", "shapes.cc", "-gdwarf-5", "-fdebug-types-section", "-O2")
	add("clang-22", "shapes.c", "-gdwarf-5", "-gembed-source", "-O2")
	return list
}

// GPUBuilds are a kernel for AMD processors.
func GPUBuilds() []Build {
	var list []Build
	for _, arch := range []string{"gfx900", "gfx90a"} {
		for _, o := range []string{"-O0", "-O2"} {
			for _, v := range []string{"-gdwarf-4", "-gdwarf-5"} {
				args := []string{"-x", "hip", "--cuda-device-only", "--offload-arch=" + arch, "-nogpuinc",
					"-nogpulib",
					"-g", v, o, "-c", "--no-gpu-bundle-output"}
				list = append(list, Build{"hip " + arch + o + v, "clang-22", args, "kernel.hip"})
			}
		}
	}
	return list
}

// CrossBuilds are for machines of the other byte order and with addresses of 4 bytes.
func CrossBuilds() []Build {
	var list []Build
	for _, target := range []string{"powerpc64-linux-gnu", "mips-linux-gnu", "i386-linux-gnu"} {
		for _, v := range []string{"-gdwarf-3", "-gdwarf-4", "-gdwarf-5"} {
			args := []string{"--target=" + target, v, "-O2", "-ffreestanding", "-nostdlib",
				"-fuse-ld=lld", "-Wl,-e,main", "-Wl,--unresolved-symbols=ignore-all"}
			list = append(list, Build{target + v, "clang-22", args, "shapes.c"})
		}
	}
	return list
}

// OtherBuilds are of other languages. The standard library of Rust, which has much debugging information, is
// not linked.
func OtherBuilds() []Build {
	return []Build{
		{"rustc", "rustc", []string{"-g", "-C", "opt-level=1", "-C", "prefer-dynamic"}, "shapes.rs"},
		{"gfortran", "gfortran", []string{"-g", "-O1", "-J", programs.dir}, "shapes.f90"},
		{"go", "go", []string{"build"}, "shapes.go"},
	}
}

// AllBuilds are all of them.
func AllBuilds() []Build {
	return slices.Concat(HostBuilds(), GPUBuilds(), CrossBuilds(), OtherBuilds())
}

// Some are one of five builds of a list, and all with `make check-all`. Every version and each
// compiler of C and C++ is among them: lists come round to the same compiler and level after six builds.
func Some(list []Build) []Build { return sweep.Some(5, list...) }
