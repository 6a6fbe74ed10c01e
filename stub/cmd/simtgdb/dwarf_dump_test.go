package main

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/dwarf/dump"
	"simtgdb/testdata/installed"
	"simtgdb/testdata/sweep"
)

// dwarfDump runs simtgdb dwarf dump in this process.
func dwarfDump(args ...string) result {
	var out, errs bytes.Buffer
	status := dispatch(append([]string{"dwarf", "dump"}, args...), stdio{strings.NewReader(""), &out, &errs})
	return result{status, out.String(), errs.String()}
}

// dumped gives the lines of a dump with single spaces. Those that are empty are
// left out, and the headings of empty sections, which llvm-dwarfdump prints
// when it is asked for them.
func dumped(text string) []string {
	const heading = " contents:"
	var lines []string
	trim := func() {
		if n := len(lines); n > 0 && strings.HasSuffix(lines[n-1], heading) {
			lines = lines[:n-1]
		}
	}
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		line = strings.Join(f, " ")
		if strings.HasSuffix(line, heading) {
			trim()
		}
		lines = append(lines, line)
	}
	trim()
	return lines
}

// llvmFlags has what llvm-dwarfdump calls the parts.
var llvmFlags = map[string][]string{
	"--info":   {"--debug-info", "--debug-types"},
	"--loc":    {"--debug-loc", "--debug-loclists"},
	"--frame":  {"--debug-frame"},
	"--line":   {"--debug-line"},
	"--ranges": {"--debug-ranges", "--debug-rnglists"},
	"-v":       {"-v"},
}

// compareWithLLVM compares parts of a file's dump with what llvm-dwarfdump
// prints, but for the lines that are left out.
func compareWithLLVM(t *testing.T, file string, least int, leftOut func(line string) bool, parts ...string) {
	t.Helper()
	said := llvmDumps(t, []string{file}, parts)[0]
	compareDump(t, file, said, least, leftOut, parts...)
}

// llvmDumps gives what llvm-dwarfdump prints of parts of each of some files.
func llvmDumps(t *testing.T, files, parts []string) []string {
	t.Helper()
	tool, err := exec.LookPath("llvm-dwarfdump-22")
	if err != nil {
		t.Skip("skipped: no llvm-dwarfdump-22")
	}
	var flags []string
	for _, p := range parts {
		flags = append(flags, llvmFlags[p]...)
	}
	out, err := exec.Command(tool, append(flags, files...)...).Output()
	if err != nil {
		t.Fatalf("llvm-dwarfdump: %v", err)
	}
	texts, err := installed.Each(string(out), files)
	if err != nil {
		t.Fatalf("llvm-dwarfdump: %v", err)
	}
	for i, file := range files {
		texts[i] = file + ":\tfile format " + texts[i]
	}
	return texts
}

// compareDump compares parts of a file's dump with what llvm-dwarfdump says.
func compareDump(t *testing.T, file, said string, least int, leftOut func(line string) bool,
	parts ...string) {
	t.Helper()
	want, got := dumped(said), dumped(mustDump(t, append(parts, file)...))
	if leftOut != nil {
		want, got = slices.DeleteFunc(want, leftOut), slices.DeleteFunc(got, leftOut)
	}
	if len(want) < least {
		t.Fatalf("llvm-dwarfdump prints %d lines, want %d at least", len(want), least)
	}
	if slices.Equal(want, got) { // cmp.Diff takes long for long lists
		return
	}
	for i := range min(len(want), len(got)) {
		if want[i] != got[i] {
			from := max(i-5, 0)
			diff := cmp.Diff(want[from:min(i+30, len(want))], got[from:min(i+30, len(got))])
			t.Fatalf("%v: %d lines, want %d; from line %d (-llvm-dwarfdump +here):\n%s", parts, len(got),
				len(want), from+1, diff)
		}
	}
	t.Fatalf("%v: %d lines, want %d", parts, len(got), len(want))
}

// mustDump dumps a file, which is to be done without a complaint.
func mustDump(t testing.TB, args ...string) string {
	t.Helper()
	r := dwarfDump(args...)
	if r.status != statusDone || r.err != "" {
		t.Fatalf("dwarf dump %v: status %d, %s", args, r.status, r.err)
	}
	return r.out
}

// TestDwarfDumpCodeObjects compares all parts for objects of testdata: of each program one at least, of each
// processor and level some, or all.
func TestDwarfDumpCodeObjects(t *testing.T) {
	objects, err := filepath.Glob(filepath.Join(kernels, "co", "*.co"))
	if err != nil || len(objects) < 100 {
		t.Fatalf("%d objects, want 100 at least (%v)", len(objects), err)
	}
	parts := []string{"--info", "--loc", "--frame", "--line", "--ranges"}
	objects = sweep.Some(5, objects...) // of each program there are six
	said := llvmDumps(t, objects, parts)
	for i, file := range objects {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			compareDump(t, file, said[i], 100, nil, parts...)
		})
	}
}

func TestDwarfDumpVerbose(t *testing.T) {
	var objects []string
	for _, name := range []string{"lanes", "matmul_cl", "calls"} {
		objects = append(objects, object(name, "gfx90a", "O0"), object(name, "gfx90a", "O2"))
	}
	parts := []string{"--info", "-v"}
	for i, said := range llvmDumps(t, objects, parts) {
		compareDump(t, objects[i], said, 100, nil, parts...)
	}
}

// A hostBuild compiles or assembles an object with a tool of this system.
type hostBuild struct {
	name   string
	tool   string
	args   []string
	source string
	// linked objects are compared whole; in others llvm-dwarfdump leaves
	// some relocations out.
	linked bool
	// parts are those to compare; all are printed.
	parts []string
}

const (
	shapes  = "../../../dwarf/testdata/shapes"
	cfiTest = "../../../dwarf/cfi/testdata/"
)

// In .debug_loc and .debug_loclists GCC puts view numbers between its lists, of
// which llvm-dwarfdump makes lists as well.
var (
	noLists  = []string{"--info", "--frame", "--line"}
	allParts = []string{"--info", "--loc", "--frame", "--line"}
)

var hostBuilds = []hostBuild{
	{"gcc DWARF 2", "gcc", []string{"-c", "-g", "-gdwarf-2", "-gstrict-dwarf", "-O0"}, shapes + ".c", false,
		allParts},
	{"gcc DWARF 4", "gcc", []string{"-g", "-gdwarf-4", "-O2"}, shapes + ".c", true, noLists},
	{"gcc DWARF 5", "gcc", []string{"-c", "-g", "-gdwarf-5", "-O2"}, shapes + ".c", false, noLists},
	{"gcc 64-bit DWARF", "gcc", []string{"-c", "-g", "-gdwarf-5", "-gdwarf64", "-O2"}, shapes + ".c", false,
		noLists},
	{"gcc compressed", "gcc", []string{"-c", "-g", "-gz", "-O2"}, shapes + ".c", false, noLists},
	{"gcc debug_frame", "gcc", []string{"-c", "-g", "-O2", "-fno-asynchronous-unwind-tables"}, shapes +
		".c", false, noLists},
	{"g++", "g++", []string{"-g", "-O2"}, shapes + ".cc", true, noLists},
	{"g++ type units", "g++", []string{"-g", "-gdwarf-4", "-fdebug-types-section"}, shapes + ".cc", true,
		noLists},
	{"gfortran", "gfortran", []string{"-g", "-O2"}, shapes + ".f90", true, noLists},
	{"clang", "clang-22", []string{"-c", "-g", "-O2"}, shapes + ".c", false, allParts},
	{"clang zstd", "clang-22", []string{"-c", "-g", "-gz=zstd", "-gdwarf-4", "-O2"}, shapes + ".c", false,
		allParts},
	{"clang for AArch64", "clang-22",
		[]string{"-c", "-g", "-O2", "--target=aarch64-linux-gnu", "-ffreestanding"}, shapes + ".c", false,
		allParts},
	{"clang++", "clang++-22", []string{"-g", "-O2"}, shapes + ".cc", true, allParts},
	{"rustc", "rustc", []string{"-g", "-C", "opt-level=1", "--emit=obj"}, shapes + ".rs", false, allParts},
	{"go", "go", []string{"build"}, shapes + ".go", true, noLists},
	{"as", "as", []string{"-g"}, cfiTest + "x86.s", false, allParts},
	{"llvm-mc for AMDGPU", "llvm-mc-22",
		[]string{"-triple=amdgcn-amd-amdhsa", "-mcpu=gfx90a", "-filetype=obj", "-g"}, cfiTest + "amdgpu.s",
		false, allParts},
}

func (b *hostBuild) make(t testing.TB) string {
	t.Helper()
	tool, err := installed.Tool(b.tool)
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	source, err := filepath.Abs(b.source)
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "object")
	cmd := exec.Command(tool, append(slices.Clone(b.args), "-o", out, source)...)
	cmd.Dir = filepath.Dir(out) // gfortran writes modules where it runs
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", b.tool, err, text)
	}
	return out
}

// notRelocated has the lines in which llvm-dwarfdump applies no relocations, or
// takes the address of a section at 0 for that of no section.
func notRelocated(line string) bool {
	for _, start := range []string{"Personality Address:", "Augmentation data:", "LSDA Address:"} {
		if strings.HasPrefix(line, start) {
			return true
		}
	}
	return false
}

// TestDwarfDumpOtherProducers reads what other compilers write.
func TestDwarfDumpOtherProducers(t *testing.T) {
	for i, b := range hostBuilds {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			file := b.make(t)
			if b.tool == "go" && !sweep.All() { // of a program with its whole library one dump says enough
				compareWithLLVM(t, file, 60, nil, b.parts...)
				return
			}
			out := mustDump(t, file)
			for _, want := range []string{".debug_info contents:\n", ".debug_line contents:\n", " FDE cie="} {
				if !strings.Contains(out, want) && !(want == " FDE cie=" && b.name == "as") {
					t.Errorf("the dump shows no %q", want)
				}
			}
			var leftOut func(string) bool
			if !b.linked {
				leftOut = notRelocated
			}
			compareWithLLVM(t, file, 60, leftOut, b.parts...)
			// By themselves, lists that start with an index of an address say
			// nothing; llvm-dwarfdump takes the index for the address.
			if b.tool != "go" && i%sweep.Step(2) == 0 {
				compareWithLLVM(t, file, 1, nil, "--ranges")
			}
			if b.linked && (sweep.All() || b.name == "g++") {
				compareWithLLVM(t, file, 60, nil, "--info", "-v")
			}
		})
	}
}

// TestDwarfDumpOldCompression reads sections in GNU's old compressed form,
// which llvm-dwarfdump does not: they are those of the new form.
func TestDwarfDumpOldCompression(t *testing.T) {
	dump := func(method string) []string {
		b := hostBuild{tool: "gcc", args: []string{"-c", "-g", "-gno-record-gcc-switches", "-gz=" + method},
			source: shapes + ".c"}
		file := b.make(t)
		lines := dumped(strings.ReplaceAll(mustDump(t, file), filepath.Dir(file), "FOLDER"))
		if len(lines) < 500 {
			t.Fatalf("%s: %d lines only", method, len(lines))
		}
		return lines[1:] // without the file's name
	}
	if diff := cmp.Diff(dump("zlib"), dump("zlib-gnu")); diff != "" {
		t.Errorf("(-zlib +zlib-gnu):\n%.3000s", diff)
	}
}

// offloadBundle makes a bundle of code objects (clang's "Clang Offload Bundler"
// page, "Bundled Code Object File Format").
func offloadBundle(t *testing.T, targets, files []string) string {
	t.Helper()
	var header, contents []byte
	const prefix = "hipv4-amdgcn-amd-amdhsa--"
	start := uint64(len("__CLANG_OFFLOAD_BUNDLE__") + 8)
	for _, target := range targets {
		start += uint64(24 + len(prefix) + len(target))
	}
	for i, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range []int{int(start) + len(contents), len(data), len(prefix) + len(targets[i])} {
			header = binary.LittleEndian.AppendUint64(header, uint64(v))
		}
		header = append(header, prefix+targets[i]...)
		contents = append(contents, data...)
	}
	bundle := binary.LittleEndian.AppendUint64([]byte("__CLANG_OFFLOAD_BUNDLE__"), uint64(len(files)))
	return written(t, string(slices.Concat(bundle, header, contents)))
}

// TestDwarfDumpBundle takes a code object out of a bundle.
func TestDwarfDumpBundle(t *testing.T) {
	one, two := object("saxpy", "gfx900", "O0"), object("saxpy", "gfx90a", "O2")
	bundle := offloadBundle(t, []string{"gfx900", "gfx90a"}, []string{one, two})
	for target, file := range map[string]string{"gfx900": one, "gfx90a": two} {
		want, got := dumped(mustDump(t, file)), dumped(mustDump(t, "--target", target, bundle))
		if diff := cmp.Diff(want[1:], got[1:]); diff != "" {
			t.Errorf("%s (-alone +in the bundle):\n%.3000s", target, diff)
		}
	}
	if r := dwarfDump(bundle); r.status != statusInput || !strings.Contains(r.err, "gfx90a") {
		t.Errorf("without a target: status %d, %s", r.status, r.err)
	}
}

// TestDwarfDumpParts asks for one part at a time.
func TestDwarfDumpParts(t *testing.T) {
	file := object("calls", "gfx90a", "O2")
	all := strings.TrimPrefix(mustDump(t, file), file)
	var parts string
	for _, p := range dump.Parts {
		out := strings.TrimPrefix(mustDump(t, "--"+p.Name, file), file)
		header, body, _ := strings.Cut(out, "\n")
		if header != ":\tfile format elf64-amdgpu" || body == "" {
			t.Errorf("--%s: header %q and %d bytes", p.Name, header, len(body))
		}
		parts += body
	}
	if diff := cmp.Diff(strings.SplitN(all, "\n", 2)[1], parts); diff != "" {
		t.Errorf("the parts are not the whole (-whole +parts):\n%.2000s", diff)
	}
}

// patched writes an object of testdata that is changed.
func patched(t *testing.T, change func([]byte) []byte) string {
	t.Helper()
	data, err := os.ReadFile(object("saxpy", "gfx90a", "O2"))
	if err != nil {
		t.Fatal(err)
	}
	return written(t, string(change(data)))
}

// sectionAt gives the offset of a section of an ELF64 file, by its header.
func sectionAt(t *testing.T, data []byte, name string) uint64 {
	t.Helper()
	order := binary.LittleEndian
	table, count := order.Uint64(data[40:]), uint64(order.Uint16(data[60:]))
	header := func(i uint64) []byte { return data[table+64*i:] }
	names := data[order.Uint64(header(uint64(order.Uint16(data[62:])))[24:]):]
	for i := range count {
		if bytes.HasPrefix(names[order.Uint32(header(i)):], append([]byte(name), 0)) {
			return order.Uint64(header(i)[24:])
		}
	}
	t.Fatalf("no section %s", name)
	return 0
}

// TestDwarfDumpNames: names with line breaks and what a terminal obeys are escaped wherever they are printed.
func TestDwarfDumpNames(t *testing.T) {
	data, err := os.ReadFile(object("calls", "gfx90a", "O0"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "file.co")
	// Of a file, a type and a function.
	for _, name := range []string{"calls.hip", "Particle", "energy_of"} {
		if !bytes.Contains(data, []byte(name)) {
			t.Fatalf("no %s", name)
		}
		data = bytes.ReplaceAll(data, []byte(name), []byte("\x1b[2J\n"+name[5:]))
	}
	if err := os.WriteFile(file, data, 0o666); err != nil {
		t.Fatal(err)
	}
	r := simtgdb(t, "dwarf", "dump", file)
	if r.status != statusDone || !strings.Contains(r.out, `"\033[2J\n`) || strings.Contains(r.out, "\x1b") {
		t.Errorf("%d, %s: %.2000q", r.status, r.err, r.out)
	}
}

// TestDwarfDumpErrors gives files that cannot be dumped, or not whole: the
// status is 2, and there is one line that says why.
func TestDwarfDumpErrors(t *testing.T) {
	whole := func(b []byte) []byte { return b }
	good := patched(t, whole)
	hostObject := func(change func([]byte)) string {
		b := hostBuild{tool: "as", source: cfiTest + "x86.s", args: []string{"-g"}}
		data, err := os.ReadFile(b.make(t))
		if err != nil {
			t.Fatal(err)
		}
		change(data)
		return written(t, string(data))
	}
	for _, test := range []struct {
		name  string
		args  []string
		err   string
		lines int // that are printed at least
	}{
		{"no file", nil, "want one FILE, not 0", 0},
		{"two files", []string{good, good}, "want one FILE, not 2", 0},
		{"missing", []string{"missing.co"}, "missing.co: no such file", 0},
		{"text", []string{"dwarf_dump.go"}, "text that begins with", 0},
		{"flag", []string{"--fly", good}, "flag provided but not defined", 0},
		{"target", []string{"--target", "gfx1100", good}, "gfx1100", 0},
		{"truncated", []string{patched(t, func(b []byte) []byte { return b[:len(b)/2] })}, "ELF file", 0},
		{"short", []string{patched(t, func(b []byte) []byte { return b[:30] })}, "ELF file", 0},
		{"stripped", []string{patched(t, func(b []byte) []byte {
			return bytes.ReplaceAll(b, []byte(".debug_"), []byte(".dabug_"))
		})}, "no debug information", 0},
		{"unit of version 9", []string{patched(t, func(b []byte) []byte {
			b[sectionAt(t, b, ".debug_info")+4] = 9
			return b
		})}, "version 9", 20},
		{"unit without end", []string{patched(t, func(b []byte) []byte {
			b[sectionAt(t, b, ".debug_info")+1] = 0xff
			return b
		})}, ".debug_info", 20},
		{"frame entry without end", []string{patched(t, func(b []byte) []byte {
			b[sectionAt(t, b, ".debug_frame")+2] = 0xff
			return b
		})}, "section .debug_frame", 50},
		{"machine", []string{hostObject(func(b []byte) { b[18], b[19] = 243, 0 })},
			"relocations of EM_RISCV", 0},
		{"relocation", []string{hostObject(func(b []byte) {
			b[sectionAt(t, b,
				".rela.debug_info")+8] = 99
		})}, "type 99 of EM_X86_64", 0},
		{"relocation outside",
			[]string{hostObject(func(b []byte) { b[sectionAt(t, b, ".rela.debug_info")+3] = 0xff })},
			"outside of the section", 0},
		{"symbol outside", []string{hostObject(func(b []byte) {
			b[sectionAt(t, b,
				".rela.debug_info")+14] = 0xff
		})}, "symbol 16", 0},
		{"names", []string{written(t, string(manyNames()))}, "too long names", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := dwarfDump(test.args...)
			if r.status != statusInput || strings.Count(r.err, "\n") != 1 ||
				!strings.HasPrefix(r.err, "simtgdb dwarf dump: ") ||
				!strings.Contains(r.err, test.err) {
				t.Errorf("status %d, %q; want one line with %q", r.status, r.err, test.err)
			}
			if n := strings.Count(r.out, "\n"); n < test.lines || test.lines == 0 && n > 0 {
				t.Errorf("%d lines are printed, want %d at least", n, test.lines)
			}
		})
	}
}

// manyNames makes an ELF file of many sections that all have one long name.
func manyNames() []byte {
	const count, name = 20000, 20000
	b := make([]byte, 64+64*count+name+1)
	copy(b, "\x7fELF\x02\x01\x01")
	order := binary.LittleEndian
	for at, v := range map[int]uint16{16: 1, 18: 62, 20: 1, 52: 64, 58: 64, 60: count, 62: 1} {
		order.PutUint16(b[at:], v)
	}
	order.PutUint64(b[40:], 64)
	for i := range count {
		header := b[64+64*i:]
		order.PutUint32(header[4:], 1)
		if i == 1 {
			order.PutUint32(header[4:], 3)
			order.PutUint64(header[24:], 64+64*count)
			order.PutUint64(header[32:], name+1)
		}
	}
	for i := range name {
		b[64+64*count+i] = 'a'
	}
	return b
}

// A limitedWriter takes so many bytes: nobody reads more of a hostile file.
type limitedWriter struct{ left int }

func (w *limitedWriter) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

func FuzzDwarfDump(f *testing.F) {
	for _, file := range []string{object("saxpy", "gfx90a", "O2"), object("calls", "gfx900", "O0")} {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, false)
		f.Add(data, true)
	}
	if _, err := exec.LookPath("as"); err == nil {
		b := hostBuild{tool: "as", source: cfiTest + "x86.s", args: []string{"-g"}}
		data, err := os.ReadFile(b.make(f))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, true)
	}
	f.Fuzz(func(t *testing.T, data []byte, verbose bool) {
		d, err := dumperOf(data, "")
		if err != nil {
			return
		}
		d.Verbose = verbose
		for _, p := range dump.Parts {
			p.Print(d, &limitedWriter{1 << 22})
		}
	})
}
