package dwarf

import (
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// sectionsOf reads the debug sections of a file.
func sectionsOf(t testing.TB, file string) (Sections, Options) {
	t.Helper()
	f, err := elf.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	get := func(name string) []byte {
		s := f.Section(name)
		if s == nil {
			s = f.Section(".z" + name[1:])
		}
		if s == nil || s.Type == elf.SHT_NOBITS {
			return nil
		}
		b, err := s.Data()
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	return Sections{
		Info: get(".debug_info"), Types: get(".debug_types"), Abbrev: get(".debug_abbrev"),
		Str: get(".debug_str"), LineStr: get(".debug_line_str"), StrOffsets: get(".debug_str_offsets"),
		Addr: get(".debug_addr"), Line: get(".debug_line"), Loc: get(".debug_loc"),
		LocLists: get(".debug_loclists"), Ranges: get(".debug_ranges"), RngLists: get(".debug_rnglists"),
	}, Options{BigEndian: f.Data == elf.ELFDATA2MSB}
}

func dataOf(t testing.TB, file string) *Data {
	t.Helper()
	d, err := New(sectionsOf(t, file))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func need(t testing.TB, tool string) {
	t.Helper()
	if _, err := exec.LookPath(tool); err != nil {
		t.Skipf("skipped: %s is not installed", tool)
	}
}

// output runs a tool and gives what it writes on standard output.
func output(t testing.TB, tool string, args ...string) string {
	t.Helper()
	need(t, tool)
	cmd := exec.Command(tool, args...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", tool, strings.Join(args, " "), err, stderr.String())
	}
	return string(out)
}

// A build is a way to compile a program of testdata.
type build struct {
	name, tool string
	args       []string
	source     string
}

// programs has what was built, by the names of the builds: tests share them.
var programs = struct {
	dir  string
	made map[string]string
}{made: make(map[string]string)}

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "dwarf")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	programs.dir = dir
	status := m.Run()
	os.RemoveAll(dir)
	os.Exit(status)
}

// make gives the program, which it builds for the first test that wants it.
func (b build) make(t testing.TB) string {
	t.Helper()
	need(t, b.tool)
	if slices.Contains(b.args, "-fuse-ld=lld") {
		need(t, "ld.lld-22")
	}
	if programs.made[b.name] == "" {
		out := filepath.Join(programs.dir, fmt.Sprint(len(programs.made)))
		output(t, b.tool, append(slices.Clone(b.args), "-o", out, filepath.Join("testdata", b.source))...)
		programs.made[b.name] = out
	}
	return programs.made[b.name]
}

func (b build) clang() bool { return strings.HasPrefix(b.tool, "clang") }

func hostBuilds() []build {
	var list []build
	add := func(tool, source string, args ...string) {
		list = append(list, build{tool + " " + strings.Join(args, " "), tool, args, source})
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

func gpuBuilds() []build {
	var list []build
	for _, arch := range []string{"gfx900", "gfx90a"} {
		for _, o := range []string{"-O0", "-O2"} {
			for _, v := range []string{"-gdwarf-4", "-gdwarf-5"} {
				list = append(list, build{"hip " + arch + o + v, "clang-22", []string{"-x", "hip", "--cuda-device-only",
					"--offload-arch=" + arch, "-nogpuinc", "-nogpulib", "-g", v, o, "-c", "--no-gpu-bundle-output"}, "kernel.hip"})
			}
		}
	}
	return list
}

// crossBuilds are for machines of the other byte order and with addresses of 4 bytes.
func crossBuilds() []build {
	var list []build
	for _, target := range []string{"powerpc64-linux-gnu", "mips-linux-gnu", "i386-linux-gnu"} {
		for _, v := range []string{"-gdwarf-3", "-gdwarf-4", "-gdwarf-5"} {
			list = append(list, build{target + v, "clang-22", []string{"--target=" + target, v, "-O2", "-ffreestanding", "-nostdlib",
				"-fuse-ld=lld", "-Wl,-e,main", "-Wl,--unresolved-symbols=ignore-all"}, "shapes.c"})
		}
	}
	return list
}

func otherBuilds() []build {
	return []build{
		{"rustc", "rustc", []string{"-g", "-C", "opt-level=1"}, "shapes.rs"},
		{"gfortran", "gfortran", []string{"-g", "-O1", "-J", programs.dir}, "shapes.f90"},
		{"go", "go", []string{"build"}, "shapes.go"},
	}
}

func allBuilds() []build {
	return slices.Concat(hostBuilds(), gpuBuilds(), crossBuilds(), otherBuilds())
}

// TestNoComplaints reads everything that there is in the files of many producers.
func TestNoComplaints(t *testing.T) {
	for _, b := range allBuilds() {
		t.Run(b.name, func(t *testing.T) { readAll(t, dataOf(t, b.make(t))) })
	}
}

// readAll reads all entries, lists and line tables and checks that none of it is wrong.
func readAll(t *testing.T, d *Data) {
	t.Helper()
	if len(d.Units()) == 0 || len(d.Complaints()) != 0 {
		t.Fatalf("%d units, complaints %v; want some units without complaints", len(d.Units()), d.Complaints())
	}
	entries, locations, ranges, rows := 0, 0, 0, 0
	for _, u := range d.Units() {
		root, err := u.Root()
		if err != nil {
			t.Fatal(err)
		}
		root.Walk(func(e *DIE) bool {
			entries++
			for _, a := range e.Attrs {
				switch a.Class {
				case ClassLocList:
					l, err := u.LocList(a)
					if err != nil {
						t.Errorf("%v at 0x%x: %v: %v", e.Tag, e.Offset, a.Name, err)
					}
					locations += len(l)
				case ClassReference, ClassReferenceSig:
					if e.Ref(a.Name) == nil {
						t.Errorf("%v at 0x%x: %v leads nowhere", e.Tag, e.Offset, a.Name)
					}
				}
			}
			r, err := e.Ranges()
			if err != nil {
				t.Errorf("%v at 0x%x: %v", e.Tag, e.Offset, err)
			}
			ranges += len(r)
			return true
		})
		if c := u.Complaints(); len(c) != 0 {
			t.Errorf("unit at 0x%x: %v", u.Offset, c)
		}
		table, err := u.Lines()
		if err != nil {
			t.Error(err)
		}
		if table != nil {
			rows += len(table.Rows)
		}
	}
	if entries < 10 || ranges < 2 || rows < 5 {
		t.Errorf("%d entries, %d ranges, %d line rows: too few", entries, ranges, rows)
	}
	t.Logf("%d units, %d entries, %d locations, %d ranges, %d rows", len(d.Units()), entries, locations, ranges, rows)
}
