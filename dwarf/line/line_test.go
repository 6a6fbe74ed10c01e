package line

import (
	"debug/elf"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func run(t *testing.T, tool string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath(tool); err != nil {
		t.Skipf("skipped: %s is not installed", tool)
	}
	out, err := exec.Command(tool, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", tool, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// parseFile reads the first line table of an ELF file.
func parseFile(t *testing.T, file string) *Table {
	t.Helper()
	f, err := elf.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var s Sections
	for name, data := range map[string]*[]byte{
		".debug_line": &s.Line, ".debug_line_str": &s.LineStr, ".debug_str": &s.Str,
	} {
		if section := f.Section(name); section != nil {
			if *data, err = section.Data(); err != nil {
				t.Fatal(err)
			}
		}
	}
	table, err := Parse(&s, 0)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// llvmRow matches a row as llvm-dwarfdump prints it.
var llvmRow = regexp.MustCompile(`(?m)^(0x[0-9a-f]{16}) +(\d+) +(\d+) +(\d+) +(\d+) +(\d+) +(\d+) +(.*)$`)

func llvmRows(t *testing.T, file string) []string {
	t.Helper()
	var rows []string
	for _, m := range llvmRow.FindAllStringSubmatch(run(t, "llvm-dwarfdump-22", "--debug-line", file), -1) {
		rows = append(rows, strings.Join(strings.Fields(strings.Join(m[1:], " ")), " "))
	}
	return rows
}

func ownRows(t *Table) []string {
	var rows []string
	for _, r := range t.Rows {
		s := fmt.Sprintf("0x%016x %d %d %d %d %d %d", r.Addr, r.Line, r.Column, r.File, r.ISA,
			r.Discriminator, r.OpIndex)
		for _, f := range []Flags{IsStmt, BasicBlock, PrologueEnd, EpilogueBegin, EndSequence} {
			if r.Has(f) {
				s += " " + f.String()
			}
		}
		rows = append(rows, s)
	}
	return rows
}

// TestFlags reads what the GNU assembler makes of all its .loc options, in all versions.
func TestFlags(t *testing.T) {
	for _, version := range []string{"-gdwarf-2", "-gdwarf-3", "-gdwarf-4", "-gdwarf-5"} {
		t.Run(version, func(t *testing.T) {
			object := filepath.Join(t.TempDir(), "flags")
			run(t, "gcc", "-c", version, "-Wa,"+version, "testdata/flags.s", "-o", object+".o")
			run(t, "ld", "-Ttext=0x1000", "-e0", object+".o", "-o", object)
			table := parseFile(t, object)
			want := llvmRows(t, object)
			if len(want) != 7 {
				t.Fatalf("llvm-dwarfdump prints %d rows, want 7", len(want))
			}
			if diff := cmp.Diff(want, ownRows(table)); diff != "" {
				t.Errorf("rows (-llvm-dwarfdump +here):\n%s", diff)
			}
		})
	}
}

// readelfRow matches a row as readelf prints it, with line, address and, where it is not 0, the view.
var readelfRow = regexp.MustCompile(`(?m)^\S+ +(\d+) +(0x[0-9a-f]+)(?: +(\d+))?(?: +x)?\s*$`)

// TestViews compares view numbers with readelf, which counts them too.
func TestViews(t *testing.T) {
	program := filepath.Join(t.TempDir(), "program")
	run(t, "gcc", "-gdwarf-5", "-O2", "../testdata/shapes.c", "-o", program)
	var want, got []string
	for _, m := range readelfRow.FindAllStringSubmatch(run(t, "readelf", "--debug-dump=decodedline",
		program), -1) {
		if m[3] == "" {
			m[3] = "0"
		}
		want = append(want, strings.Join(m[1:], " "))
	}
	for _, r := range parseFile(t, program).Rows {
		if !r.Has(EndSequence) {
			got = append(got, fmt.Sprintf("%d 0x%x %d", r.Line, r.Addr, r.View))
		}
	}
	if len(want) < 50 {
		t.Fatalf("readelf prints %d rows", len(want))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("line, address and view (-readelf +here):\n%s", diff)
	}
}

// TestLookupIsSymbolizers compares the lookup of each address with llvm-symbolizer.
func TestLookupIsSymbolizers(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "program")
	run(t, "gcc", "-gdwarf-5", "-O2", "-no-pie", "../testdata/shapes.c", "-o", program)
	table := parseFile(t, program)
	var addrs []string
	var want []Row
	for _, s := range table.Sequences() {
		for a := s.Low; a < s.High; a++ {
			i, ok := table.Lookup(a)
			if !ok {
				t.Fatalf("no row for 0x%x in [0x%x, 0x%x)", a, s.Low, s.High)
			}
			addrs = append(addrs, fmt.Sprintf("0x%x", a))
			want = append(want, table.Rows[i])
		}
	}
	out := strings.Split(strings.TrimSpace(run(t, "llvm-symbolizer-22",
		append([]string{"--no-inlines", "-f=none", "-e", program}, addrs...)...)), "\n\n")
	if len(out) != len(addrs) {
		t.Fatalf("%d answers for %d addresses", len(out), len(addrs))
	}
	for i, text := range out {
		parts := strings.Split(strings.TrimSpace(text), ":")
		line, err := strconv.Atoi(parts[len(parts)-2])
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if int(want[i].Line) != line {
			t.Errorf("%s: line %d, llvm-symbolizer says %q", addrs[i], want[i].Line, text)
		}
	}
}

// table makes a table of rows.
func table(version uint16, rows ...Row) *Table {
	t := &Table{Header: NewHeader(version, 1), Rows: rows}
	t.Files = []File{{Name: "a.c"}, {Name: "b.c"}}
	t.Dirs = []string{"/dir"}
	return t
}

func row(addr uint64, line uint32, flags Flags) Row {
	return Row{Addr: addr, Line: line, File: 1, Flags: flags}
}

// encoded writes a table and reads it again.
func encoded(t *testing.T, in *Table, o EncodeOptions) *Table {
	t.Helper()
	b, err := in.Append(nil, o)
	if err != nil {
		t.Fatal(err)
	}
	out, err := Parse(&Sections{Line: b, BigEndian: o.BigEndian}, 0)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestLookup(t *testing.T) {
	tab := encoded(t, table(5,
		row(0x200, 1, IsStmt), row(0x210, 2, IsStmt), row(0x210, 3, 0), row(0x220, 3, EndSequence),
		row(0x100, 10, IsStmt), row(0x180, 11, IsStmt), row(0x1a0, 11, EndSequence),
		row(0x300, 20, EndSequence),
		row(0x208, 30, IsStmt), row(0x20a, 30, EndSequence),
	), EncodeOptions{})
	for _, c := range []struct {
		addr uint64
		line uint32 // 0: none
	}{
		{0xff, 0}, {0x100, 10}, {0x17f, 10}, {0x180, 11}, {0x19f, 11}, {0x1a0, 0}, {0x1ff, 0},
		{0x200, 1}, {0x207, 1}, {0x208, 30}, {0x209, 30}, {0x20a, 1}, {0x210, 3}, {0x21f, 3}, {0x220, 0},
		{0x300, 0},
	} {
		i, ok := tab.Lookup(c.addr)
		var line uint32
		if ok {
			line = tab.Rows[i].Line
		}
		if line != c.line {
			t.Errorf("Lookup(0x%x) is line %d, want %d", c.addr, line, c.line)
		}
	}
	want := []Range{{0x100, 0x1a0}, {0x200, 0x220}, {0x208, 0x20a}}
	if diff := cmp.Diff(want, tab.Sequences()); diff != "" {
		t.Errorf("Sequences (-want +got):\n%s", diff)
	}
	if got := tab.RowRange(0); got != (Range{0x200, 0x210}) {
		t.Errorf("RowRange(0) = %x", got)
	}
	// It has no end, and goes backwards.
	broken := Table{Rows: []Row{row(0x20, 1, 0), row(0x18, 2, 0), row(0x28, 3, 0)}}
	for i, want := range []Range{{0x20, 0x20}, {0x18, 0x28}, {0x28, 0x28}} {
		if got := broken.RowRange(i); got != want {
			t.Errorf("RowRange(%d) of a broken table = %x, want %x", i, got, want)
		}
	}
	for _, end := range []int{3, 6} { // the next sequence is in front of it, and behind it
		if got := tab.RowRange(end); got.Low != got.High {
			t.Errorf("RowRange of a row that ends a sequence = %x, want nothing", got)
		}
	}
}

func TestPath(t *testing.T) {
	old := Header{Version: 4, Dirs: []string{"/abs", "rel"}, Files: []File{
		{Name: "a.c"}, {Name: "a.h", Dir: 1}, {Name: "b.h", Dir: 2}, {Name: "/x/c.h", Dir: 2},
		{Name: "d.h", Dir: 9},
	}}
	now := Header{Version: 5, Dirs: []string{"/comp", "/abs", "rel"}, Files: []File{
		{Name: "a.c"}, {Name: "a.h", Dir: 1}, {Name: "b.h", Dir: 2}, {Name: "/x/c.h", Dir: 2},
	}}
	slash := Header{Version: 4, Dirs: []string{"/abs/", "/"}, Files: []File{{Name: "a", Dir: 1},
		{Name: "b", Dir: 2}}}
	moved := Header{Version: 5, Dirs: []string{"build"}, Files: []File{{Name: "a.c"}}}
	for _, c := range []struct {
		h     *Header
		index uint64
		want  string
	}{
		{&moved, 0, "build/a.c"}, // the first directory is that of compilation
		{&slash, 1, "/abs/a"}, {&slash, 2, "/b"},
		{&old, 0, ""}, {&old, 1, "/src/a.c"}, {&old, 2, "/abs/a.h"}, {&old, 3, "/src/rel/b.h"},
		{&old, 4, "/x/c.h"}, {&old, 5, "/src/d.h"}, {&old, 6, ""},
		{&now, 0, "/comp/a.c"}, {&now, 1, "/abs/a.h"}, {&now, 2, "/src/rel/b.h"}, {&now, 3, "/x/c.h"},
		{&now, 4, ""},
	} {
		if got := c.h.Path(c.index, "/src"); got != c.want {
			t.Errorf("version %d: Path(%d) = %q, want %q", c.h.Version, c.index, got, c.want)
		}
	}
	for i, want := range []string{"", "/abs", "rel"} {
		if got, ok := old.Dir(uint64(i)); got != want || !ok {
			t.Errorf("version 4: Dir(%d) = %q, %v, want %q", i, got, ok, want)
		}
	}
	if got, ok := old.Dir(3); ok {
		t.Errorf("version 4: Dir(3) = %q, want none", got)
	}
}

// TestEncode writes tables with everything that rows can have, in all formats.
func TestEncode(t *testing.T) {
	rows := []Row{
		{Addr: 0x1000, Line: 1, File: 1, Flags: IsStmt},
		{Addr: 0x1004, Line: 1, File: 1, Flags: IsStmt | PrologueEnd},
		{Addr: 0x1008, Line: 100000, File: 2, Column: 70000, Flags: BasicBlock},
		{Addr: 0x1008, Line: 3, File: 2, Column: 70000, View: 1, Flags: IsStmt},
		{Addr: 0x100c, Line: 0, File: 2, Discriminator: 5000, Flags: IsStmt | EpilogueBegin},
		{Addr: 0x1050, Line: 4, File: 1, ISA: 3},
		{Addr: 0x8_0000, Line: 5, File: 1, ISA: 3, Flags: IsStmt},
		{Addr: 0x8_0004, Line: 2, File: 1, ISA: 3, Flags: IsStmt},
		{Addr: 0x7_0000, Line: 2, File: 1, ISA: 3, Flags: IsStmt},
		{Addr: 0x7_0010, Line: 2, File: 1, ISA: 3, Flags: IsStmt | EndSequence},
		{Addr: 0x10, Line: 1, File: 1, Flags: IsStmt | EndSequence},
	}
	for version := uint16(2); version <= 5; version++ {
		for _, unit := range []uint8{1, 4} {
			for _, is64 := range []bool{false, true} {
				for _, o := range []EncodeOptions{{}, {BigEndian: true}, {AddrSize: 4}} {
					in := &Table{Header: NewHeader(version, unit), Rows: rows}
					in.Is64 = is64
					in.Dirs = []string{"/one", "two"}
					in.Files = []File{{Name: "a.c"}, {Name: "b.h", Dir: 1}}
					in.Has = FileContent{Time: true, Length: true}
					if version == 5 {
						in.Has.MD5, in.Has.Source = true, true
						in.Files[1].MD5[3], in.Files[1].Source = 9, []byte("text\n")
					}
					out := encoded(t, in, o)
					opts := []cmp.Option{cmpopts.IgnoreUnexported(Table{}), cmpopts.EquateEmpty(),
						cmpopts.IgnoreFields(Header{}, "End", "Length", "HeaderLength", "AddrSize")}
					if diff := cmp.Diff(in, out, opts...); diff != "" {
						t.Errorf("version %d, unit %d, 64-bit %v, %+v (-written +read):\n%s", version, unit,
							is64, o, diff)
					}
				}
			}
		}
	}
}

// TestEncodeOperations writes a table of a machine with several operations per instruction.
func TestEncodeOperations(t *testing.T) {
	in := table(4,
		Row{Addr: 0x100, Line: 1, File: 1, Flags: IsStmt},
		Row{Addr: 0x100, OpIndex: 2, Line: 2, File: 1, Flags: IsStmt},
		Row{Addr: 0x110, OpIndex: 1, Line: 3, File: 1, Flags: IsStmt},
		Row{Addr: 0x140, Line: 3, File: 1, Flags: IsStmt | EndSequence})
	in.MaxOps, in.MinInstLength = 3, 16
	if diff := cmp.Diff(in.Rows, encoded(t, in, EncodeOptions{}).Rows); diff != "" {
		t.Errorf("rows (-written +read):\n%s", diff)
	}
}

func TestEncodeErrors(t *testing.T) {
	end := row(0x10, 1, EndSequence)
	for name, change := range map[string]func(*Table){
		"version":         func(t *Table) { t.Version = 6 },
		"line_range":      func(t *Table) { t.LineRange = 0 },
		"opcode_base":     func(t *Table) { t.OpcodeBase = 3 },
		"end of sequence": func(t *Table) { t.Rows = []Row{row(1, 1, IsStmt)} },
		"name":            func(t *Table) { t.Files[0].Name = "" },
		"missing opcode": func(t *Table) {
			t.OpcodeBase, t.OpcodeLengths = 10,
				t.OpcodeLengths[:9]
			t.Rows[0].ISA = 1
		},
		"operation":         func(t *Table) { t.Rows[0].OpIndex = 1 },
		"address too large": func(t *Table) { t.Rows[0].Addr = 1 << 33 },
	} {
		in := table(4, row(0, 1, IsStmt), end)
		change(in)
		if _, err := in.Append(nil, EncodeOptions{AddrSize: 4}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// program makes a table of version 4 with line_range 14, opcode_base 10 and one file, and these opcodes.
func program(opcodes ...byte) []byte {
	header := []byte{1, 1, 1, 0xfb, 14, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 'a', 0, 0, 0, 0, 0}
	b := []byte{0, 0, 0, 0, 4, 0, byte(len(header)), 0, 0, 0}
	b = append(append(b, header...), opcodes...)
	b[0] = byte(len(b) - 4)
	return b
}

func TestOpcodes(t *testing.T) {
	for _, c := range []struct {
		name    string
		opcodes []byte
		want    []Row
	}{
		{"special", []byte{10 + 14*2 + 5 + 1}, []Row{{Addr: 2, Line: 2, File: 1, Flags: IsStmt}}},
		{"const_add_pc", []byte{8, 1}, []Row{{Addr: 17, Line: 1, File: 1, Flags: IsStmt}}},
		{"fixed_advance_pc", []byte{9, 0x34, 0x12, 1},
			[]Row{{Addr: 0x1234, Line: 1, File: 1, Flags: IsStmt}}},
		{"advance_line down", []byte{3, 0x7e, 3, 3, 1}, []Row{{Line: 2, File: 1, Flags: IsStmt}}},
		{"empty extended", []byte{0, 0, 1}, []Row{{Line: 1, File: 1, Flags: IsStmt}}},
		{"file of 32 bits", []byte{4, 0xff, 0xff, 0xff, 0xff, 0x0f, 1},
			[]Row{{Line: 1, File: 1<<32 - 1, Flags: IsStmt}}},
		{"set_address of 1 byte", []byte{0, 2, 2, 7, 1}, []Row{{Addr: 7, Line: 1, File: 1, Flags: IsStmt}}},
		{"define_file", []byte{0, 6, 3, 'b', 0, 0, 0, 0, 4, 2, 1}, []Row{{Line: 1, File: 2, Flags: IsStmt}}},
		{"unknown extended", []byte{0, 3, 0x80, 1, 2, 1}, []Row{{Line: 1, File: 1, Flags: IsStmt}}},
		{"padded extended", []byte{0, 4, 1, 0, 0, 0}, []Row{{Line: 1, File: 1, Flags: IsStmt | EndSequence}}},
		{"discriminator for one row", []byte{0, 2, 4, 9, 1, 1}, []Row{
			{Line: 1, File: 1, Discriminator: 9, Flags: IsStmt}, {Line: 1, File: 1, View: 1, Flags: IsStmt}}},
		{"set_address of 4 bytes", []byte{0, 5, 2, 1, 2, 3, 4, 1},
			[]Row{{Addr: 0x04030201, Line: 1, File: 1, Flags: IsStmt}}},
	} {
		got, err := Parse(&Sections{Line: program(c.opcodes...)}, 0)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if diff := cmp.Diff(c.want, got.Rows); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// TestDefineFile: a program adds files behind those of its header; one without a name is none.
func TestDefineFile(t *testing.T) {
	got, err := Parse(&Sections{Line: program(0, 6, 3, 'b', 0, 7, 8, 9, 0, 5, 3, 0, 1, 2, 3)}, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := []File{{Name: "a"}, {Name: "b", Dir: 7, Time: 8, Length: 9}}
	if diff := cmp.Diff(want, got.Files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

// TestFlagNames: flags by their names in the standard, for errors and dumps.
func TestFlagNames(t *testing.T) {
	for f, want := range map[Flags]string{0: "none", IsStmt | PrologueEnd: "is_stmt prologue_end",
		BasicBlock | EndSequence: "basic_block end_sequence", EpilogueBegin: "epilogue_begin"} {
		if got := f.String(); got != want {
			t.Errorf("flags %#x are %q, want %q", uint8(f), got, want)
		}
	}
}

func TestErrors(t *testing.T) {
	first := program(1)
	first[4] = 1
	for _, c := range []struct {
		name   string
		data   []byte
		offset uint64 // of the error
	}{
		{"no length", []byte{1, 2}, 0},
		{"length too large", []byte{9, 0, 0, 0, 4, 0}, 4},
		{"reserved length", []byte{0xf0, 0xff, 0xff, 0xff}, 4},
		{"version", []byte{2, 0, 0, 0, 6, 0}, 6},
		{"version 1", first, 6},
		{"operand cut off", program(2, 0x80), 34},
		{"extended too long", program(0, 9, 1), 34},
		{"address of 0 bytes", program(0, 1, 2), 35},
		{"address of 9 bytes", program(0, 10, 2, 1, 2, 3, 4, 5, 6, 7, 8, 9), 35},
		{"file of more than 32 bits", program(4, 0x80, 0x80, 0x80, 0x80, 0x10), 38},
	} {
		_, err := Parse(&Sections{Line: c.data}, 0)
		var e *Error
		if !errors.As(err, &e) || e.Section != ".debug_line" || e.Offset != c.offset {
			t.Errorf("%s: error %v, want one of .debug_line at 0x%x", c.name, err, c.offset)
		} else if strings.HasPrefix(c.name, "address of ") && !strings.HasSuffix(err.Error(), c.name) {
			t.Errorf("error %v, want an %s", err, c.name)
		}
	}
	bad := program(10)
	bad[14] = 0 // line_range
	if _, err := Parse(&Sections{Line: bad}, 0); err == nil {
		t.Error("special opcode with line_range 0: no error")
	}
}

// TestTruncated cuts a table at every byte: a table that claims its full length is then an error.
func TestTruncated(t *testing.T) {
	in := table(5, row(0, 1, IsStmt), row(4, 9, IsStmt|PrologueEnd), row(8, 9, EndSequence))
	b, err := in.Append(nil, EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for n := range b {
		if _, err := Parse(&Sections{Line: b[:n]}, 0); err == nil {
			t.Errorf("cut at %d of %d bytes: no error", n, len(b))
		}
	}
}

func FuzzLine(f *testing.F) {
	f.Add(program(10+14*2+6, 8, 1, 0, 1, 1), []byte("a\x00"), false)
	for version := uint16(2); version <= 5; version++ {
		in := table(version, row(0, 1, IsStmt), row(40, 900, IsStmt|PrologueEnd), row(48, 9, EndSequence))
		for _, big := range []bool{false, true} {
			b, err := in.Append(nil, EncodeOptions{BigEndian: big, LineStr: func(string) uint64 { return 0 }})
			if err != nil {
				f.Fatal(err)
			}
			f.Add(b, []byte("name\x00"), big)
		}
	}
	f.Fuzz(func(t *testing.T, data, strs []byte, big bool) {
		s := Sections{Line: data, LineStr: strs, Str: strs, BigEndian: big,
			StrOffset: func(i uint64) (uint64, error) { return i, nil }}
		in, err := Parse(&s, 0)
		for i := range in.Rows {
			in.RowRange(i)
			in.Lookup(in.Rows[i].Addr)
		}
		in.Path(1, "/dir")
		if err != nil {
			return
		}
		b, err := in.Append(nil, EncodeOptions{BigEndian: big})
		if err != nil {
			return // not all that can be read can be written
		}
		out, err := Parse(&Sections{Line: b, BigEndian: big}, 0)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
		if diff := cmp.Diff(in.Rows, out.Rows, cmpopts.IgnoreFields(Row{}, "View"),
			cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("rows (-read +written):\n%s", diff)
		}
	})
}
