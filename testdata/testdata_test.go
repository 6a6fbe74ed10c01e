package testdata

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/testdata/built"
	"simtgdb/testdata/reference"
)

const clang = "clang-22"

var (
	targets = []string{"gfx900", "gfx90a", "gfx942"}
	levels  = []string{"O0", "O2"}
)

// TestLaunchFiles makes sure that every launch file can be read, that it names
// an object that is there, and that every kernel has one.
func TestLaunchFiles(t *testing.T) {
	launched := make(map[string]bool)
	for _, path := range glob(t, "launch/*.json") {
		l, err := reference.ReadLaunch(path)
		if err != nil {
			t.Error(err)
			continue
		}
		launched[l.Kernel] = true
		if _, err := os.Stat(filepath.Join("launch", l.CodeObject)); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	for _, kernel := range reference.Kernels() {
		if !launched[kernel] {
			t.Errorf("no launch file launches %s", kernel)
		}
	}
}

// TestObjectsComplete holds the folder of objects against the sources.
func TestObjectsComplete(t *testing.T) {
	var want []string
	sources := append(glob(t, "src/*.cl"), glob(t, "src/*.hip")...)
	for _, source := range sources {
		name := strings.TrimSuffix(filepath.Base(source), filepath.Ext(source))
		for _, target := range targets {
			for _, level := range levels {
				want = append(want, fmt.Sprintf("co/%s.%s.%s.co", name, target, level))
			}
		}
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, glob(t, "co/*.co")); diff != "" {
		t.Errorf("objects (-want +got):\n%s", diff)
	}
}

// TestExpectations compares the committed inputs and expectations with what
// the reference makes, and finds files that nothing makes any more.
func TestExpectations(t *testing.T) {
	want := reference.Inputs()
	for _, path := range glob(t, "launch/*.json") {
		files, err := reference.Expectations(path)
		if err != nil {
			t.Fatal(err)
		}
		for name, contents := range files {
			if _, twice := want[name]; twice {
				t.Errorf("%s: %s is made twice", path, name)
			}
			want[name] = contents
		}
	}
	got := make(map[string][]byte)
	for _, path := range glob(t, "launch/*.bin") {
		contents, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		got[filepath.Base(path)] = contents
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("run `go run ./testdata/gen` (-want +got):\n%s", diff)
	}
}

// objectKinds are the ends of the names of files that compilers made.
var objectKinds = []string{".co", ".spv", ".zebin", ".ptx", ".dbg", ".gen", ".hipfb", ".so", ".o"}

// neutral are the folders that objects may name: those that build scripts compile in, and compilers' own.
var neutral = regexp.MustCompile(`^/(kernels|usr/lib/llvm-22)/`)

// instructions are bytes of code, or of a table, that look like the name of a file, by their object.
var instructions = map[string]string{"check/registers.co": "/th/", "igc/zebin/gen12lp/shared-O2.zebin": "/x/"}

// absolute is an absolute file name.
var absolute = regexp.MustCompile(`^/[a-z]\w*/[\w./-]*`)

// absoluteIn are the absolute file names in an object. Where a word goes on with a slash, it is no such name.
func absoluteIn(contents []byte) (names []string) {
	for at := 0; ; at++ {
		next := bytes.IndexByte(contents[at:], '/')
		if next < 0 {
			return names
		}
		at += next
		if at > 0 && (wordByte(contents[at-1]) || strings.IndexByte(".<", contents[at-1]) >= 0) {
			continue
		}
		if name := absolute.Find(contents[at:]); name != nil {
			names = append(names, string(name))
			at += len(name) - 1
		}
	}
}

// wordByte reports whether a byte is of a word.
func wordByte(b byte) bool {
	return b == '_' || '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z'
}

// TestNoMachinePaths looks for absolute file names in all objects of the repository.
func TestNoMachinePaths(t *testing.T) {
	objects := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (path == "../.git" || path == "../bin") {
			return fs.SkipDir
		}
		if d.IsDir() || !slices.Contains(objectKinds, filepath.Ext(path)) {
			return nil
		}
		objects++
		contents, err := os.ReadFile(path)
		for _, found := range absoluteIn(contents) {
			code, known := instructions[strings.TrimPrefix(filepath.ToSlash(path), "../testdata/")]
			if known && found == code {
				continue
			}
			if !neutral.MatchString(found) {
				t.Errorf("%s: contains %q", path, found)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if objects < 400 {
		t.Errorf("only %d objects", objects)
	}
}

// TestObjectsUpToDate builds the objects anew and compares them.
func TestObjectsUpToDate(t *testing.T) {
	version, err := exec.Command(clang, "--version").Output()
	if err != nil {
		t.Skipf("skipped: %s does not run: %v", clang, err)
	}
	producer, _, _ := bytes.Cut(version, []byte("\n"))
	committed, err := os.ReadFile("co/demo.gfx90a.O0.co")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(committed, producer) {
		t.Skipf("skipped: the objects were made by another compiler than %q", producer)
	}
	compareKernels(t)
	for _, folder := range []string{"debug", "steps", "matrix", "rdna"} {
		sources := map[string]string{"rdna": "rdna/src/*"}[folder]
		if sources == "" {
			sources = folder + "/*.*"
		}
		made := built.Of(t, folder, []string{clang}, sources, folder+"/build.sh", folder+"/co/*", "src/*")
		if !made.Known() {
			compareBuilt(t, folder+"/build.sh", folder+"/co/*.co")
			made.Keep()
		}
	}
}

// compareKernels compiles the kernels of src anew that nobody has since they changed, and a few that somebody
// has.
func compareKernels(t *testing.T) {
	t.Helper()
	var anew, objects []string
	var sets []*built.Set
	for _, source := range append(glob(t, "src/*.cl"), glob(t, "src/*.hip")...) {
		name := strings.TrimSuffix(filepath.Base(source), filepath.Ext(source))
		made := built.Of(t, "kernel "+name, []string{clang}, "build.sh", "src/*.h", source,
			"co/"+name+".gfx*.co")
		if !made.Known() || made.Sampled(48) {
			anew, sets, objects = append(anew, name), append(sets, made), append(
				objects, "co/"+name+".gfx*.co")
		}
	}
	if len(anew) == 0 {
		return
	}
	compareBuiltOf(t, "./build.sh", anew, objects...)
	for _, made := range sets {
		made.Keep()
	}
}

// TestBenchUpToDate builds the programs of the benchmarks anew, for every machine, and compares them.
func TestBenchUpToDate(t *testing.T) {
	needTools(t, clang, "clang-15", "llvm-spirv-15", "ocloc")
	made := built.Of(t, "bench", []string{clang, "clang-15", "llvm-spirv-15", "ocloc"}, "bench/build.sh",
		"bench/bench.*", "bench/gen/*")
	if made.Known() {
		return
	}
	t.Setenv("SOURCES", t.TempDir())
	compareBuilt(t, "bench/build.sh", "bench/bench.*[ovxn]", "bench/gen/*")
	made.Keep()
}

// needTools skips the test where a program is missing; `make test` names it at its end.
func needTools(t *testing.T, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("skipped: %v", err)
		}
	}
}

// TestNativeStepsUpToDate steps two programs on the host again, if that has not been done since they, the
// compiler or gdb changed, and all with SIMTGDB_STEPS=all.
func TestNativeStepsUpToDate(t *testing.T) {
	for _, tool := range []string{clang, "gdb"} {
		if err := exec.Command(tool, "--version").Run(); err != nil {
			t.Skipf("skipped: %s does not run: %v", tool, err)
		}
	}
	made := built.Of(t, "native steps", []string{clang, "gdb"}, "steps/*.*", "steps/host/*")
	names := []string{"fall", "recursion"}
	if os.Getenv("SIMTGDB_STEPS") == "all" {
		names = nil
		for _, path := range glob(t, "steps/*.lines") {
			names = append(names, strings.TrimSuffix(filepath.Base(path), ".lines"))
		}
	} else if made.Known() {
		return
	}
	folder := t.TempDir()
	if out, err := exec.Command("steps/native.sh",
		append([]string{folder}, names...)...).CombinedOutput(); err != nil {
		t.Fatalf("steps/native.sh: %v\n%s", err, out)
	}
	for _, name := range names {
		want, err := os.ReadFile("steps/" + name + ".lines")
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(folder, name+".lines"))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("steps/%s.lines is not what steps/native.sh makes: %v", name, err)
		}
	}
	made.Keep()
}

// TestAssembledUpToDate does the same for the kernels in assembly.
func TestAssembledUpToDate(t *testing.T) {
	const linker = "ld.lld-22"
	version, err := exec.Command(linker, "--version").Output()
	if err != nil {
		t.Skipf("skipped: %s does not run: %v", linker, err)
	}
	linked, _, _ := bytes.Cut(version, []byte(" (compatible"))
	committed, err := os.ReadFile("asm/co/frames.gfx90a.co")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(committed, linked) {
		t.Skipf("skipped: the objects were made by another linker than %q", linked)
	}
	made := built.Of(t, "asm", []string{"llvm-mc-22", linker}, "asm/build.sh", "asm/*.s", "asm/co/*")
	if !made.Known() {
		compareBuilt(t, "asm/build.sh", "asm/co/*.co")
		made.Keep()
	}
}

// compareBuilt runs a script that makes objects and compares them with those
// that are there.
func compareBuilt(t *testing.T, script string, objects ...string) {
	t.Helper()
	compareBuiltOf(t, script, nil, objects...)
}

// compareBuiltOf is compareBuilt for some sources, by their names.
func compareBuiltOf(t *testing.T, script string, sources []string, objects ...string) {
	t.Helper()
	folder := t.TempDir()
	if out, err := exec.Command(script,
		append([]string{folder}, sources...)...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", script, err, out)
	}
	var paths []string
	for _, pattern := range objects {
		paths = append(paths, glob(t, pattern)...)
	}
	for _, path := range paths {
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name, err := filepath.Rel(filepath.Dir(script), path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(folder, name)); err != nil { // scripts put some in no folder of theirs
			name = filepath.Base(path)
		}
		got, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Errorf("%s: %v", script, err)
			continue
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what %s makes of its source", path, script)
		}
	}
}

func TestDemoIsComplete(t *testing.T) {
	for _, name := range []string{"launch/demo.json", "launch/demo.output.bin", "co/demo.gfx90a.O0.co",
		"src/demo.hip"} {
		embedded, err := Demo.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		onDisk, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(embedded, onDisk) {
			t.Errorf("%s is embedded with other contents than it has", name)
		}
	}
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) == 0 {
		t.Fatalf("no file matches %s", pattern)
	}
	return paths
}
