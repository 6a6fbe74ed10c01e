package main

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simtgdb/stub/arch"
)

// edited writes a copy of a code object with some of it changed.
func edited(t *testing.T, change func(b []byte) []byte) string {
	t.Helper()
	b, err := os.ReadFile(object("vecadd", "gfx90a", "O0"))
	if err != nil {
		t.Fatal(err)
	}
	return written(t, string(change(b)))
}

func written(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "input")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// Offsets in the header of ELF64 files.
const (
	elfType    = 16
	elfMachine = 18
	elfProgOff = 32
	elfFlags   = 48
)

// put changes 16 bits of a file.
func put(offset int, v uint16) func(b []byte) []byte {
	return func(b []byte) []byte {
		binary.LittleEndian.PutUint16(b[offset:], v)
		return b
	}
}

// readable lists the files that can be read.
func readable() string {
	var files []string
	for _, f := range arch.Families() {
		files = append(files, f.Files())
	}
	return strings.Join(files, ", or ")
}

// Input that is bad gives one line on standard error, which says what is
// wrong, and status 2. FILE stands for the file in question.
func TestBadInput(t *testing.T) {
	shape := []string{"--grid", "64", "--block", "64"}
	args := []string{"--arg", "buf:f32[64]", "--arg", "buf:f32[64]", "--arg", "buf:f32[64]",
		"--arg", "i32:64"}
	for _, test := range []struct {
		name string
		file string
		args []string
		want string
	}{
		{"missing file", "no/such.co", nil, "open FILE: no such file or directory"},
		{"folder", ".", nil, "read FILE: is a directory"},
		{"empty file", written(t, ""), nil, "FILE: offset 0x0: empty file; want " + readable()},
		{"text", written(t, "{\"kernel\": 1}"), nil,
			`FILE: offset 0x0: text that begins with "{\"kernel\": 1}"; want ` + readable() +
				"; or a source, which is known by the end of its name: .hip, .cu, .cl, .comp, .glsl, .hlsl, .wgsl, .slang"},
		{"cut in the magic", written(t, "\x7fE"), nil,
			"FILE: offset 0x0: magic number of 4 bytes runs past the end of the file; the file has 2 bytes"},
		{"cut in the header", edited(t, func(b []byte) []byte { return b[:40] }), nil, ""},
		{"cut in the code", edited(t, func(b []byte) []byte { return b[:len(b)/2] }), nil, ""},
		{"another machine", edited(t, put(elfMachine, 62)), nil,
			"FILE: offset 0x12: ELF file for x86-64 (machine 62); want AMDGPU (224); a host program is read if it has a .hip_fatbin section, and run by simtgdb exec"},
		{"unlinked", edited(t, put(elfType, 1)), nil,
			"FILE: offset 0x10: unlinked AMDGPU object (ET_REL); link it with ld.lld -shared"},
		{"program headers nowhere", edited(t, put(elfProgOff+4, 0xffff)), nil, ""},
		{"flags of another processor", edited(t, put(elfFlags, 0x54c)), nil, ""},
		{"compressed bundle", written(t, "CCOB\x02\x00\x01\x00"), nil,
			"FILE: offset 0x0: compressed offload bundle (zstd); rebuild with --no-offload-compress, or unpack it with clang-offload-bundler --unbundle --type=o"},
		{"kernel that is not there", object("vecadd", "gfx90a", "O0"), []string{"--kernel", "vecsub"},
			`FILE: kernel "vecsub": no such kernel; the file has: vecadd`},
		{"no grid", object("vecadd", "gfx90a", "O0"), nil,
			"kernel vecadd: no grid: give --groups X[,Y[,Z]], the workgroups, or --grid, the work-items in all"},
		{"too few arguments", object("vecadd", "gfx90a", "O0"), append(args[:6:6], shape...),
			"kernel vecadd: 3 arguments given, 4 wanted; the kernel wants: 0 a: a buffer (const float *), 1 b: a buffer (const float *), 2 c: a buffer (float *), 3 n: a value of 4 bytes (int)"},
		{"wrong argument", object("vecadd", "gfx90a", "O0"),
			append(append(args[:6:6], "--arg", "f64:1"), shape...),
			"kernel vecadd: argument 3 (n) is f64 with 8 bytes, not 4; the kernel wants: 0 a: a buffer (const float *), 1 b: a buffer (const float *), 2 c: a buffer (float *), 3 n: a value of 4 bytes (int)"},
		{"missing expectation", object("vecadd", "gfx90a", "O0"),
			append(append(args, "--expect", "2=no/such.bin"), shape...),
			"kernel vecadd: argument 2 (c): expectation: open no/such.bin: no such file or directory"},
		{"nowhere to save to", object("vecadd", "gfx90a", "O0"),
			append(append(args, "--out", "2=no/such/out.bin"), shape...),
			"kernel vecadd: argument 2 (c): cannot be saved to no/such/out.bin: there is no folder no/such"},
		{"a size of waves", object("vecadd", "gfx90a", "O0"),
			append(append(args, "--subgroup-size", "32"), shape...),
			"kernel vecadd: the size of a wave is for programs that leave it to who runs them, as SPIR-V"},
		{"unknown flag", object("vecadd", "gfx90a", "O0"), []string{"--gird", "1"},
			"flag provided but not defined: -gird (did you mean --grid? simtgdb run --help lists the flags)"},
		{"wrong flag value", object("vecadd", "gfx90a", "O0"), []string{"--grid", "x"},
			`invalid value "x" for flag -grid: "x" is no size; want X[,Y[,Z]] (simtgdb run --help lists the flags)`},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := simtgdb(t, append([]string{"run", test.file}, test.args...)...)
			got := strings.ReplaceAll(r.err, test.file, "FILE")
			want := "simtgdb run: " + test.want
			ok := got == want+"\n"
			if test.want == "" { // what exactly is wrong is the loader's to say
				ok = strings.HasPrefix(got, "simtgdb run: FILE: offset 0x") && strings.Count(got, "\n") == 1
			}
			if r.status != statusInput || !ok || r.out != "" {
				t.Errorf("status %d\n got %swant %s\n%s", r.status, got, want, r.out)
			}
		})
	}
}

// The commands that only look at a file treat a bad one alike.
func TestBadInputElsewhere(t *testing.T) {
	for _, command := range []string{"info", "disasm"} {
		for _, test := range []struct {
			args []string
			want string
		}{
			{nil, "want one FILE, not 0"},
			{[]string{"a", "b"}, "want one FILE, not 2"},
			{[]string{"no/such.co"}, "open no/such.co: no such file or directory"},
			{[]string{"no\n\x1b[1m.co"}, `open no\n\x1b[1m.co: no such file or directory`},
			{[]string{"--target", "gfx942", object("vecadd", "gfx90a", "O0")},
				object("vecadd", "gfx90a", "O0") +
					`: no single code object for target "gfx942"; the file has: amdgcn-amd-amdhsa--gfx90a`},
		} {
			r := simtgdb(t, append([]string{command}, test.args...)...)
			if want := "simtgdb " + command + ": " + test.want + "\n"; r.status != statusInput ||
				r.err != want || r.out != "" {
				t.Errorf("%s %v: status %d\n got %swant %s", command, test.args, r.status, r.err, want)
			}
		}
	}
}

// Names out of files cannot break lines, nor reach the terminal as they are.
func TestHostileNames(t *testing.T) {
	const plain, hostile = "vecadd", "v\x1b[\n\ad"
	original := object(plain, "gfx90a", "O0")
	path := edited(t, func(b []byte) []byte { return bytes.ReplaceAll(b, []byte(plain), []byte(hostile)) })
	shape := []string{"--grid", "256", "--block", "64", "--arg", "buf:f32[256]", "--arg", "buf:f32[256]"}
	for _, args := range [][]string{
		{"info"},
		{"disasm"},
		{"disasm", "--kernel", "x"},
		{"run"},
		{"run", "--kernel", "x"},
		append([]string{"run"}, shape...),
		append(append([]string{"run"}, shape...), "--arg", "buf:f32[100]", "--arg", "i32:250"), // a fault
	} {
		want := simtgdb(t, append(args[:1:1], append([]string{original}, args[1:]...)...)...)
		got := simtgdb(t, append(args[:1:1], append([]string{path}, args[1:]...)...)...)
		if got.status != want.status || strings.Count(got.out, "\n") != strings.Count(want.out, "\n") ||
			strings.Count(got.err, "\n") != strings.Count(want.err, "\n") {
			t.Errorf("%v: status %d, %d lines of output and\n%s\nwant status %d, %d lines and\n%s", args,
				got.status, strings.Count(got.out, "\n"), got.err, want.status, strings.Count(want.out, "\n"),
				want.err)
		}
		if i := strings.IndexAny(got.out+got.err, "\x1b\a"); i >= 0 {
			t.Errorf("%v: %.200q is printed as it is", args, (got.out + got.err)[max(0, i-40):])
		}
		if !strings.Contains(got.out+got.err, `v\x1b[\n\ad`) &&
			strings.Contains(want.out+want.err, plain+":") {
			t.Errorf("%v: the name is missing:\n%s%s", args, got.out, got.err)
		}
	}
}

// No damage to a code object makes the program do worse than refuse it.
func TestDamagedFiles(t *testing.T) {
	whole, err := os.ReadFile(object("vecadd", "gfx90a", "O0"))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(whole); i += len(whole)/24 + 1 {
		path := edited(t, func(b []byte) []byte {
			for j := i; j < min(i+16, len(b)); j++ {
				b[j] = 0xff
			}
			return b
		})
		for _, command := range []string{"info", "disasm"} {
			r := simtgdb(t, command, path)
			refused := r.status == statusInput && strings.Count(r.err, "\n") == 1
			if r.status != statusDone && !refused {
				t.Errorf("%s with bytes %#x on damaged: status %d\n%s", command, i, r.status, r.err)
			}
		}
	}
}

// TestTimeFlag: times that are none, or negative, are errors that say what is wanted.
func TestTimeFlag(t *testing.T) {
	for _, text := range []string{"abc", "-5s", "5", ""} {
		r := simtgdb(t, "run", "--demo", "--timeout="+text)
		if r.status != statusInput || !strings.Contains(r.err, "want a time such as 30s, 5m or 1h30m") ||
			r.out != "" {
			t.Errorf("%q: %+v", text, r)
		}
	}
	if r := simtgdb(t, "run", "--demo", "--timeout", "5m"); r.status != statusDone || r.err != "" {
		t.Errorf("%+v", r)
	}
}
