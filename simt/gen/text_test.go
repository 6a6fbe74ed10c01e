package gen

import (
	"bufio"
	"compress/gzip"
	"debug/elf"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// programs is where the compiled OpenCL programs are, with iga64's text.
const programs = "../../testdata/igc"

// lines reads a compressed text.
func lines(t testing.TB, path string) []string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	s := bufio.NewScanner(z)
	for s.Scan() {
		all = append(all, s.Text())
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// compiled is where the programs for a generation are, in folders of programs, and the encodings that are
// compared besides.
var compiled = []struct {
	generation *Generation
	folder     string
	forms      []string
	platform   string // iga64's
	compact    int    // instructions at least
}{{Gen9, "", []string{"testdata/forms.txt.gz", "testdata/messages.txt.gz"}, "9", 900},
	{Gen11, "gen11/", []string{"testdata/forms.gen11.txt.gz"}, "11", 900},
	{Gen12LP, "gen12lp/", []string{"testdata/forms.gen12lp.txt.gz"}, "12p1", 4000},
	{XeHPG, "xe-hpg/", []string{"testdata/forms.xe-hpg.txt.gz"}, "12p71", 2500},
	{XeHPC, "xe-hpc/", []string{"testdata/forms.xe-hpc.txt.gz"}, "12p72", 2500}}

// codeSections calls f for each code section of the programs compiled for a generation, with iga64's text.
func codeSections(t testing.TB, folder string, f func(file, section string, code []byte, text []string)) {
	t.Helper()
	files, err := filepath.Glob(programs + "/zebin/" + folder + "*.zebin")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs in %s: %v", programs, err)
	}
	for _, path := range files {
		name := strings.TrimSuffix(filepath.Base(path), ".zebin")
		e, err := elf.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		all := lines(t, filepath.Join(programs, "text", folder, name+".txt.gz"))
		for i := 0; i < len(all); {
			section := strings.TrimPrefix(all[i], "== ")
			i++
			from := i
			for i < len(all) && !strings.HasPrefix(all[i], "== ") {
				i++
			}
			code, err := e.Section(section).Data()
			if err != nil {
				t.Fatal(err)
			}
			f(name, section, code, all[from:i])
		}
		e.Close()
	}
}

// TestTextOfPrograms compares the text of every instruction of the programs
// with iga64's.
func TestTextOfPrograms(t *testing.T) {
	for _, c := range compiled {
		count, compact := 0, 0
		codeSections(t, c.folder, func(file, section string, code []byte, text []string) {
			at := 0
			for _, want := range text {
				in, err := c.generation.Decode(code[at:], uint64(at))
				if err != nil {
					t.Fatalf("%s %s: %v; want %q", file, section, err, want)
				}
				if got := in.String(); got != want {
					t.Errorf("%s %s %s+%#x:\n got %q\nwant %q", c.generation.Name, file, section, at, got,
						want)
				}
				count++
				if in.Size == 8 {
					compact++
				}
				at += in.Size
			}
			if len(code)-at >= 16 {
				t.Errorf("%s %s: %d bytes are left", file, section, len(code)-at)
			}
		})
		if count < 15000 || compact < c.compact {
			t.Errorf("%s: %d instructions, %d of them compact: some are missing", c.generation.Name, count,
				compact)
		}
	}
}

// TestTextOfForms compares the text of encodings made by flipping bits of
// compiled ones, where iga64 accepts them: operands, types, modifiers and
// opcodes that IGC does not happen to emit. Each line is the encoding and
// iga64's text.
func TestTextOfForms(t *testing.T) {
	for _, c := range compiled {
		rows := map[*Op]bool{}
		for _, path := range c.forms {
			for _, l := range lines(t, path) {
				digits, want, _ := strings.Cut(l, " ")
				code, err := hex.DecodeString(digits)
				if err != nil {
					t.Fatal(err)
				}
				in, err := c.generation.Decode(code, 0)
				if err != nil {
					t.Errorf("%s: %v; want %q", digits, err, want)
					continue
				}
				if got := in.String(); got != want {
					t.Errorf("%s:\n got %q\nwant %q", digits, got, want)
				}
				rows[in.Op] = true
			}
		}
		codeSections(t, c.folder, func(_, _ string, code []byte, text []string) {
			at := 0
			for range text {
				in, err := c.generation.Decode(code[at:], 0)
				if err != nil {
					t.Fatal(err)
				}
				rows[in.Op] = true
				at += in.Size
			}
		})
		// iga64 does not know these, or no flipped bit made one.
		for _, op := range c.generation.ops {
			if op != nil && !rows[op] {
				t.Errorf("%s: no encoding of %s is compared", c.generation.Name, op.Name)
			}
		}
	}
}

// TestFormsDrift asks an installed iga64 for the text of the forms anew.
func TestFormsDrift(t *testing.T) {
	if _, err := exec.LookPath("iga64"); err != nil {
		t.Skip("iga64 is not installed")
	}
	for _, c := range compiled {
		var code []byte
		var want []string
		for _, l := range lines(t, c.forms[0]) {
			digits, text, _ := strings.Cut(l, " ")
			b, err := hex.DecodeString(digits)
			if err != nil {
				t.Fatal(err)
			}
			code, want = append(code, b...), append(want, text)
		}
		path := filepath.Join(t.TempDir(), "forms")
		if err := os.WriteFile(path, code, 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("iga64", "-d", "-n", "-p="+c.platform, "-Xprint-hex-floats", path).Output()
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
		if len(got) != len(want) {
			t.Fatalf("iga64 prints %d lines for %d instructions", len(got), len(want))
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("iga64 now prints\n%q\nit printed\n%q", got[i], want[i])
			}
		}
	}
}

// TestDecodeErrors checks what is said of bytes that are no instruction.
func TestDecodeErrors(t *testing.T) {
	for digits, want := range map[string]string{
		"0160": "no instruction at 0x10: it is cut off: 2 bytes are left, " +
			"at least 8 are needed",
		"0160600028080020": "no instruction at 0x10: it is cut off: 8 bytes are left, " +
			"16 are needed",
		"7d000000000000000000000000000000": "no instruction at 0x10: opcode 0x7d is unknown",
		"3100002000000000":                 "no instruction at 0x10: send has no compact form",
		"0160600068010000000000000000a000": "no instruction at 0x10: mov: its destination has no known type",
		"01006000280c00200000000000000000": "no instruction at 0x10: mov: source 0 is in no register file",
	} {
		code, err := hex.DecodeString(digits)
		if err != nil {
			t.Fatal(err)
		}
		in, err := Gen9.Decode(code, 0x10)
		if err == nil {
			t.Errorf("%s is %q; want an error", digits, in)
		} else if err.Error() != want {
			t.Errorf("%s: %v\nwant %s", digits, err, want)
		}
	}
}

// FuzzDecode decodes and prints anything.
func FuzzDecode(f *testing.F) {
	for _, c := range compiled {
		for i, l := range lines(f, c.forms[0]) {
			if i%400 != 0 {
				continue
			}
			digits, _, _ := strings.Cut(l, " ")
			code, err := hex.DecodeString(digits)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(code)
		}
	}
	f.Fuzz(func(t *testing.T, code []byte) {
		for _, c := range compiled {
			in, err := c.generation.Decode(code, 0)
			if err == nil && (in.Size != 8 && in.Size != 16 || in.String() == "") {
				t.Errorf("%s: %x: size %d, text %q", c.generation.Name, code, in.Size, in)
			}
		}
	})
}
