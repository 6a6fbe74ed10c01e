package line

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// bytesOf puts numbers and texts together; numbers that are not bytes are of four, little-endian.
func bytesOf(parts ...any) []byte {
	var b []byte
	for _, p := range parts {
		switch p := p.(type) {
		case int:
			b = append(b, byte(p))
		case uint32:
			b = append(b, byte(p), byte(p>>8), byte(p>>16), byte(p>>24))
		case string:
			b = append(b, p...)
		case []byte:
			b = append(b, p...)
		}
	}
	return b
}

// programOf is what a table of version 4 has behind its header.
func programOf(t *testing.T, in *Table) []byte {
	t.Helper()
	b, err := in.Append(nil, EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	header := uint32(b[6]) | uint32(b[7])<<8
	return b[10+header:]
}

// TestSpecialOpcodes: which opcodes lead from a row to the next (DWARF 5 section 6.2.5.1): a special opcode
// is (lines - line_base) + line_range * operations + opcode_base, here -5, 14 and 13, and
// DW_LNS_const_add_pc advances by what opcode 255 does, (255 - 13) / 14 = 17 operations.
func TestSpecialOpcodes(t *testing.T) {
	setAddress := func(a uint64) []byte {
		b := []byte{0, 9, 2}
		for i := range 8 {
			b = append(b, byte(a>>(8*i)))
		}
		return b
	}
	for _, c := range []struct {
		name   string
		change func(h *Header)
		ops    uint64
		lines  int
		want   []byte
	}{
		{"nothing", nil, 0, 0, []byte{opCopy}},
		{"a line", nil, 0, 1, []byte{19}},
		{"both", nil, 1, 1, []byte{33}},
		{"an operation", nil, 1, 0, []byte{32}},
		{"the highest line", nil, 0, 8, []byte{26}},
		{"the lowest line", nil, 0, -5, []byte{13}},
		{"one line higher", nil, 1, 9, []byte{opAdvanceLine, 9, 32}},
		{"one line lower", nil, 1, -6, []byte{opAdvanceLine, 0x7a, 32}},
		{"far lines alone", nil, 0, 100, []byte{opAdvanceLine, 0xe4, 0, opCopy}},
		{"16 operations", nil, 16, 0, []byte{242}},
		{"17, which opcode 256 would be", nil, 17, 0, []byte{opConstAddPC, 18}},
		{"17 and the lowest line", nil, 17, -5, []byte{251}},
		{"33", nil, 33, 0, []byte{opConstAddPC, 242}},
		{"34", nil, 34, 0, []byte{opAdvancePC, 34, 18}},
		{"34 and the lowest line", nil, 34, -5, []byte{opConstAddPC, 251}},
		{"200", nil, 200, 3, []byte{opAdvancePC, 0xc8, 1, 21}},
		{"units of 4", func(h *Header) { h.MinInstLength = 4 }, 8, 1, []byte{47}},
		{"no multiple of the unit", func(h *Header) { h.MinInstLength = 4 }, 6, 1,
			append(setAddress(0x1006), 19)},
		{"backwards", nil, ^uint64(0x800) + 1, 1, append(setAddress(0x800), 19)},
		{"as far as it goes", nil, 1 << 40, 0, []byte{opAdvancePC, 0x80, 0x80, 0x80, 0x80, 0x80, 0x20, 18}},
		{"too far", nil, 1<<40 + 1, 0, append(setAddress(1<<40+0x1001), opCopy)},
		{"no special opcode stays on a line", func(h *Header) { h.LineBase, h.LineRange = 1, 4 }, 7, 10,
			[]byte{opAdvanceLine, 10, opAdvancePC, 7, opCopy}},
		{"no such special opcode", func(h *Header) {
			h.OpcodeBase, h.OpcodeLengths = 250, append(h.OpcodeLengths, make([]byte, 237)...)
		}, 7, 8, []byte{opAdvanceLine, 8, opAdvancePC, 7, opCopy}},
	} {
		in := table(4)
		if c.change != nil {
			c.change(&in.Header)
		}
		in.Rows = []Row{row(0x1000, 100, IsStmt), row(0x1000+c.ops, uint32(100+c.lines), IsStmt)}
		end := in.Rows[1]
		end.Flags |= EndSequence
		in.Rows = append(in.Rows, end)
		got := programOf(t, in)
		got, ok := bytes.CutPrefix(got, bytesOf(setAddress(in.Rows[0].Addr), opAdvanceLine, 0xe3, 0, opCopy))
		if !ok {
			t.Errorf("%s: the first row is % x", c.name, got)
		}
		if want := append(c.want, 0, 1, 1); !bytes.Equal(got, want) {
			t.Errorf("%s: % x, want % x", c.name, got, want)
		}
		read := encoded(t, in, EncodeOptions{})
		for i, r := range read.Rows {
			if r.Addr != in.Rows[i].Addr || r.Line != in.Rows[i].Line {
				t.Errorf("%s: row %d is read as %v, want %v", c.name, i, r, in.Rows[i])
			}
		}
	}
}

// TestNewHeader: the standard says how many operands each opcode has (DWARF 5 section 7.22).
func TestNewHeader(t *testing.T) {
	want := Header{Version: 4, MinInstLength: 2, MaxOps: 1, DefaultIsStmt: true, LineBase: -5, LineRange: 14,
		OpcodeBase: 13, OpcodeLengths: []uint8{
			0, // DW_LNS_copy
			1, // DW_LNS_advance_pc
			1, // DW_LNS_advance_line
			1, // DW_LNS_set_file
			1, // DW_LNS_set_column
			0, // DW_LNS_negate_stmt
			0, // DW_LNS_set_basic_block
			0, // DW_LNS_const_add_pc
			1, // DW_LNS_fixed_advance_pc
			0, // DW_LNS_set_prologue_end
			0, // DW_LNS_set_epilogue_begin
			1, // DW_LNS_set_isa
		}}
	if diff := cmp.Diff(want, NewHeader(4, 2)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestSizesThatCannotBe: what of a table cannot be written, exactly.
func TestSizesThatCannotBe(t *testing.T) {
	for _, c := range []struct {
		change func(in *Table, o *EncodeOptions)
		want   string // "" where it can
	}{
		{func(in *Table, o *EncodeOptions) { o.AddrSize = 2 }, "addresses of 2 bytes"},
		{func(in *Table, o *EncodeOptions) { o.AddrSize, in.Rows[0].Addr = 4, 0xffffffff }, ""},
		{func(in *Table, o *EncodeOptions) { o.AddrSize, in.Rows[0].Addr = 4, 0x100000000 },
			"does not fit 4"},
		{func(in *Table, o *EncodeOptions) { in.OpcodeLengths = in.OpcodeLengths[:11] },
			"11 standard opcode"},
		{func(in *Table, o *EncodeOptions) { in.MinInstLength = 0 }, "neither can be 0"},
		{func(in *Table, o *EncodeOptions) { in.Version = 1 }, "version 1"},
		{func(in *Table, o *EncodeOptions) { in.OpcodeBase, in.OpcodeLengths = 10, in.OpcodeLengths[:9] },
			""},
		{func(in *Table, o *EncodeOptions) { in.OpcodeBase, in.OpcodeLengths = 9, in.OpcodeLengths[:8] },
			"opcode_base 9, at least 10"},
		{func(in *Table, o *EncodeOptions) {
			in.OpcodeBase, in.OpcodeLengths = 10, in.OpcodeLengths[:9]
			in.Rows[0].Flags |= PrologueEnd
		}, "opcode 10 is needed"},
		{func(in *Table, o *EncodeOptions) {
			in.OpcodeBase, in.OpcodeLengths = 11, in.OpcodeLengths[:10]
			in.Rows[0].Flags |= PrologueEnd
		}, ""},
		{func(in *Table, o *EncodeOptions) {
			in.OpcodeBase, in.OpcodeLengths = 11, in.OpcodeLengths[:10]
			in.Rows[0].Flags |= EpilogueBegin
		}, "opcode 11 is needed"},
		{func(in *Table, o *EncodeOptions) { in.Rows = nil }, ""},
		{func(in *Table, o *EncodeOptions) { in.Rows[0].OpIndex = 1 }, "operation 1 cannot be reached"},
	} {
		in := table(4, row(0x10, 1, IsStmt), row(0x20, 1, EndSequence))
		var o EncodeOptions
		c.change(in, &o)
		_, err := in.Append(nil, o)
		if c.want == "" && err != nil || c.want != "" &&
			(err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}

// version5 is a table of version 5 without a program, whose directories and files are these bytes.
func version5(is64 bool, tables []byte) []byte {
	header := bytesOf(1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, tables)
	if is64 {
		rest := bytesOf(5, 0, 8, 0, uint32(len(header)), uint32(0), header)
		return bytesOf(uint32(0xffffffff), uint32(len(rest)), uint32(0), rest)
	}
	rest := bytesOf(5, 0, 8, 0, uint32(len(header)), header)
	return bytesOf(uint32(len(rest)), rest)
}

// TestEntryForms reads directories and files in each form that an entry may have (DWARF 5 section 6.2.4.1).
func TestEntryForms(t *testing.T) {
	sixteen := "0123456789abcdef"
	s := Sections{Str: []byte("x\x00in str\x00"), LineStr: []byte("in line_str\x00"),
		StrOffset: func(i uint64) (uint64, error) {
			if i > 0x10000 {
				return 0, fmt.Errorf("no string %d", i)
			}
			return 2 * (i & 1), nil
		}}
	for _, c := range []struct {
		name    string
		content uint64
		form    int
		bytes   []byte
		want    File
		has     FileContent
		err     string
	}{
		{"string", contentPath, formString, bytesOf("a.c", 0), File{Name: "a.c"}, FileContent{}, ""},
		{"line_strp", contentPath, formLineStrp, bytesOf(uint32(3)), File{Name: "line_str"}, FileContent{},
			""},
		{"strp", contentPath, formStrp, bytesOf(uint32(2)), File{Name: "in str"}, FileContent{}, ""},
		{"strx", contentPath, formStrx, bytesOf(0x81, 1), File{Name: "in str"}, FileContent{}, ""},
		{"strx1", contentPath, formStrx1, bytesOf(1), File{Name: "in str"}, FileContent{}, ""},
		{"strx2", contentPath, formStrx2, bytesOf(0, 1), File{Name: "x"}, FileContent{}, ""},
		{"strx3", contentPath, formStrx3, bytesOf(1, 0, 0), File{Name: "in str"}, FileContent{}, ""},
		{"strx4", contentPath, formStrx4, bytesOf(1, 0, 0, 0), File{Name: "in str"}, FileContent{}, ""},
		{"strp_sup", contentPath, formStrpSup, bytesOf(uint32(9)), File{}, FileContent{}, ""},
		{"directory", contentDir, formUdata, bytesOf(0x81, 1), File{Dir: 129}, FileContent{}, ""},
		{"directory, data1", contentDir, formData1, bytesOf(0x81), File{Dir: 129}, FileContent{}, ""},
		{"directory, data2", contentDir, formData2, bytesOf(1, 2), File{Dir: 0x201}, FileContent{}, ""},
		{"time", contentTime, formData4, bytesOf(1, 2, 3, 4), File{Time: 0x04030201},
			FileContent{Time: true}, ""},
		{"time, data8", contentTime, formData8, bytesOf(1, 2, 3, 4, 5, 6, 7, 8),
			File{Time: 0x0807060504030201}, FileContent{Time: true}, ""},
		{"time, block", contentTime, formBlock, bytesOf(2, 7, 7), File{}, FileContent{Time: true}, ""},
		{"size", contentSize, formUdata, bytesOf(5), File{Length: 5}, FileContent{Length: true}, ""},
		{"MD5", contentMD5, formData16, bytesOf(sixteen), File{MD5: [16]byte([]byte(sixteen))},
			FileContent{MD5: true}, ""},
		{"MD5 in a block", contentMD5, formBlock1, bytesOf(16, sixteen), File{MD5: [16]byte([]byte(sixteen))},
			FileContent{MD5: true}, ""},
		{"MD5 cut short", contentMD5, formBlock2, bytesOf(2, 0, "01"), File{MD5: [16]byte{'0', '1'}},
			FileContent{}, ""},
		{"source", contentLLVMSource, formBlock4, bytesOf(uint32(3), "int"), File{Source: []byte("int")},
			FileContent{Source: true}, ""},
		{"a vendor's", 0x2002, formUdata, bytesOf(7), File{}, FileContent{}, ""},
		{"no form", contentPath, 0x7f, bytesOf(0), File{}, FileContent{}, "form 0x7f in a table"},
		{"no string", contentPath, formStrx3, bytesOf(1, 0, 1), File{}, FileContent{}, "no string 65537"},
		{"outside", contentPath, formStrp, bytesOf(uint32(99)), File{}, FileContent{},
			"offset 0x63 is outside"},
		{"cut off", contentPath, formStrx4, bytesOf(1, 0), File{}, FileContent{}, "bytes expected"},
	} {
		format := bytesOf(1, int(c.content), c.form)
		if c.content >= 0x80 {
			format = bytesOf(1, int(c.content&0x7f|0x80), int(c.content>>7), c.form)
		}
		// One directory, and two files of which the second is there to see that it is read.
		tables := bytesOf(1, contentPath, formString, 1, "/d", 0, format, 2, c.bytes, c.bytes)
		if c.err != "" {
			tables = bytesOf(1, contentPath, formString, 1, "/d", 0, format, 1, c.bytes)
		}
		s.Line = version5(false, tables)
		got, err := Parse(&s, 0)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: error %v, want one with %q", c.name, err, c.err)
			}
			continue
		}
		if diff := cmp.Diff([]File{c.want, c.want}, got.Files); err != nil || diff != "" || got.Has != c.has {
			t.Errorf("%s: %v, has %+v, -want +got:\n%s", c.name, err, got.Has, diff)
		}
		if !slices.Equal(got.Dirs, []string{"/d"}) {
			t.Errorf("%s: directories %q", c.name, got.Dirs)
		}
	}
}

// TestEntryTables: offsets have the size of the format, and tables that cannot be are errors.
func TestEntryTables(t *testing.T) {
	s := Sections{LineStr: []byte("x\x00dir\x00"), Line: version5(true,
		bytesOf(1, contentPath, formLineStrp, 1, uint32(2), uint32(0), 0, 0))}
	got, err := Parse(&s, 0)
	if err != nil || !got.Is64 || !slices.Equal(got.Dirs, []string{"dir"}) || len(got.Files) != 0 ||
		got.End != uint64(len(s.Line)) {
		t.Errorf("64-bit: %+v, %v", got, err)
	}
	long := append(bytes.Repeat([]byte{'a'}, 6<<20), 0) // of which 16 MiB may be named
	for _, c := range []struct {
		tables []byte
		want   string
	}{
		{bytesOf(0, 1, 0, 0), "1 entries of 0 parts"},
		{bytesOf(1, contentPath, formString, 9, 0, 0, 0), "9 entries of 1 parts in 3 bytes"},
		{bytesOf(1, contentPath, formStrx1, 1, 0, 0, 0), "no unit with DW_AT_str_offsets_base"},
		{bytesOf(1, contentPath, formLineStrp, 3, uint32(0), uint32(0), uint32(0), 0, 0),
			"too many bytes of strings"},
		{bytesOf(1, contentPath, formLineStrp, 1, uint32(6<<20-1), 0, 0), ""},
		{bytesOf(0, 0, 0, 0), ""},
	} {
		_, err := Parse(&Sections{Line: version5(false, c.tables), LineStr: long}, 0)
		if c.want == "" && err != nil || c.want != "" &&
			(err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}

// TestEachAddress finds where addresses stand in all tables of a section, up to one that is damaged.
func TestEachAddress(t *testing.T) {
	first, err := table(4, row(0x100, 1, IsStmt), row(0x110, 1, EndSequence), row(0x80, 1, IsStmt),
		row(0x90, 1, EndSequence)).Append(nil, EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	both, err := table(5, row(0x200, 1, IsStmt), row(0x204, 1, EndSequence)).Append(first,
		EncodeOptions{AddrSize: 4})
	if err != nil {
		t.Fatal(err)
	}
	address := func(offset uint64, size int) (v uint64) {
		for i := range size {
			v |= uint64(both[offset+uint64(i)]) << (8 * i)
		}
		return v
	}
	for _, c := range []struct {
		data []byte
		want string
		err  bool
	}{
		{both, "100/8 80/8 200/4", false}, {first, "100/8 80/8", false}, {nil, "", false},
		{both[:len(both)-1], "100/8 80/8", true},
	} {
		var got []string
		err := EachAddress(&Sections{Line: c.data}, func(offset uint64, size int) {
			got = append(got, fmt.Sprintf("%x/%d", address(offset, size), size))
		})
		if text := strings.Join(got, " "); text != c.want || (err != nil) != c.err {
			t.Errorf("%d bytes: %s, %v; want %s", len(c.data), text, err, c.want)
		}
	}
}

// TestLaterOpcodes: of a standard opcode that is not known the header says how many operands it has.
func TestLaterOpcodes(t *testing.T) {
	header := bytesOf(1, 1, 1, 0xfb, 14, 16, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 2, 0, 1, 0, "a", 0, 0, 0,
		0, 0)
	rest := bytesOf(4, 0, uint32(len(header)), header, 13, 0x81, 1, 7, 14, 15, 3, opCopy, 16+5+14)
	got, err := Parse(&Sections{Line: bytesOf(uint32(len(rest)), rest)}, 0)
	want := []Row{{Line: 1, File: 1, Flags: IsStmt}, {Addr: 1, Line: 1, File: 1, Flags: IsStmt}}
	if diff := cmp.Diff(want, got.Rows); err != nil || diff != "" {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
	if text := want[1].String(); text != "0x1 file 1 line 1 column 0 (is_stmt)" {
		t.Errorf("a row is spelled %q", text)
	}
}
