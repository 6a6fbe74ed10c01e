package line

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/dwarf/internal/dwarftest"
	"simtgdb/dwarf/internal/section"
	"simtgdb/testdata/sweep"
)

// TestRandom reads programs that were written at random, with headers, tables of files and instructions of
// every kind that LLVM knows; llvm-dwarfdump says what they mean.
func TestRandom(t *testing.T) {
	t.Parallel()
	w := programWriter{r: rand.New(sweep.PCG(9, 31))}
	n := sweep.Times(40, 2000)
	for range n {
		w.program()
	}
	s := Sections{Line: w.b, LineStr: []byte(lineStrings), Str: []byte(strings.ToUpper(lineStrings))}
	file := dwarftest.Object(t, map[string][]byte{".debug_line": s.Line, ".debug_line_str": s.LineStr,
		".debug_str": s.Str}, 0)
	_, text, _ := strings.Cut(run(t, "llvm-dwarfdump-22", "--debug-line", file), "contents:\n")
	want := dwarftest.Lines(notHere.ReplaceAllString(text, ""))
	var got []string
	for at := uint64(0); at < uint64(len(s.Line)); {
		table, err := Parse(&s, at)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, dwarftest.Lines(described(table))...)
		at = table.End
	}
	if len(want) < 30*n || !slices.Equal(want, got) {
		t.Errorf("%d lines (-llvm-dwarfdump +here): %.4000s", len(want), cmp.Diff(want, got))
	}
	var addresses []uint64
	if err := EachAddress(&s, func(offset uint64, size int) {
		if size != 8 {
			t.Errorf("an address of %d bytes", size)
		}
		addresses = append(addresses, offset)
	}); err != nil || !slices.Equal(w.addresses, addresses) {
		t.Errorf("addresses at %v, %v, want %v", addresses, err, w.addresses)
	}
}

// notHere are lines of llvm-dwarfdump that say how many operands opcodes have, that something is behind the
// tables, and that several operations for each instruction are new to it.
var notHere = regexp.MustCompile(`(?m)^(standard_opcode_lengths|warning: ).*\n`)

// described says of a table what llvm-dwarfdump does.
func described(t *Table) string {
	var b strings.Builder
	format, digits := "DWARF32", 8
	if t.Is64 {
		format, digits = "DWARF64", 16
	}
	fmt.Fprintf(&b, "debug_line[0x%08x]\nLine table prologue:\ntotal_length: 0x%0*x\nformat: %s\n", t.Offset,
		digits, t.Length, format)
	fmt.Fprintf(&b, "version: %d\n", t.Version)
	if t.Version >= 5 {
		fmt.Fprintf(&b, "address_size: %d\nseg_select_size: %d\n", t.AddrSize, t.SegSelectorSize)
	}
	fmt.Fprintf(&b, "prologue_length: 0x%0*x\nmin_inst_length: %d\n", digits, t.HeaderLength, t.MinInstLength)
	if t.Version >= 4 {
		fmt.Fprintf(&b, "max_ops_per_inst: %d\n", t.MaxOps)
	}
	isStmt := 0
	if t.DefaultIsStmt {
		isStmt = 1
	}
	fmt.Fprintf(&b, "default_is_stmt: %d\nline_base: %d\nline_range: %d\nopcode_base: %d\n", isStmt,
		t.LineBase, t.LineRange, t.OpcodeBase)
	for i := range t.Dirs {
		fmt.Fprintf(&b, "include_directories[%3d] = %q\n", uint64(i)+t.FirstFile(), t.Dirs[i])
	}
	for i, f := range t.Files {
		fmt.Fprintf(&b, "file_names[%3d]:\nname: %q\ndir_index: %d\n", uint64(i)+t.FirstFile(), f.Name, f.Dir)
		if t.Has.MD5 {
			fmt.Fprintf(&b, "md5_checksum: %x\n", f.MD5)
		}
		if t.Has.Time {
			fmt.Fprintf(&b, "mod_time: 0x%08x\n", f.Time)
		}
		if t.Has.Length {
			fmt.Fprintf(&b, "length: 0x%08x\n", f.Length)
		}
		if len(f.Source) > 0 {
			fmt.Fprintf(&b, "source: %q\n", f.Source)
		}
	}
	b.WriteString("Address Line Column File ISA Discriminator OpIndex Flags\n" +
		"------------------ ------ ------ ------ --- ------------- ------- -------------\n")
	b.WriteString(strings.Join(ownRows(t), "\n") + "\n")
	return b.String()
}

// lineStrings is a section of strings: names of four letters.
const lineStrings = "abcd\x00efgh\x00ijkl\x00mnop\x00"

// A programWriter writes line number programs at random.
type programWriter struct {
	r         *rand.Rand
	b         []byte
	addresses []uint64 // where operands of DW_LNE_set_address are

	version, opcodeBase, minLength, lineRange int
	is64                                      bool
}

func (w *programWriter) offset(b []byte, v uint64) []byte {
	if w.is64 {
		return binary.LittleEndian.AppendUint64(b, v)
	}
	return binary.LittleEndian.AppendUint32(b, uint32(v))
}

func (w *programWriter) program() {
	w.version, w.is64 = 2+w.r.IntN(4), w.r.IntN(3) == 0
	w.opcodeBase, w.minLength, w.lineRange = []int{10, 13, 15}[w.r.IntN(3)], 1<<w.r.IntN(3), 1+w.r.IntN(20)
	h := []byte{byte(w.minLength)}
	if w.version >= 4 {
		h = append(h, []byte{1, 1, 3}[w.r.IntN(3)])
	}
	h = append(h, byte(w.r.IntN(2)), byte(-w.r.IntN(6)), byte(w.lineRange), byte(w.opcodeBase))
	operands := []byte{0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 2, 1}
	h = append(h, operands[:w.opcodeBase-1]...)
	if w.version >= 5 {
		h = w.tables5(h)
	} else {
		h = w.tables2(h)
	}
	head := binary.LittleEndian.AppendUint16(nil, uint16(w.version))
	if w.version >= 5 {
		head = append(head, 8, 0)
	}
	head = append(w.offset(head, uint64(len(h)+3)), h...)
	head = append(head, 0xff, 0xff, 0xff) // padding behind the tables: the header says where the program is
	var code []byte
	at := len(w.b) + 4 + len(head)
	if w.is64 {
		at += 8
	}
	for range 1 + w.r.IntN(2) {
		code = w.sequence(code, at)
	}
	if w.is64 {
		w.b = append(w.b, 0xff, 0xff, 0xff, 0xff)
	}
	w.b = append(append(w.offset(w.b, uint64(len(head)+len(code))), head...), code...)
}

// name is a string with its end.
func (w *programWriter) name() string {
	return fmt.Sprintf("%c%d\x00", 'a'+w.r.IntN(26), w.r.IntN(100))
}

func (w *programWriter) tables2(b []byte) []byte {
	for range w.r.IntN(3) {
		b = append(b, w.name()...)
	}
	b = append(b, 0)
	for range w.r.IntN(4) {
		b = append(b, w.name()...)
		for _, most := range []uint64{3, 1 << 30, 1 << 20} {
			b = section.AppendULEB(b, w.r.Uint64N(most))
		}
	}
	return append(b, 0)
}

// tables5 writes the tables of version 5, each content in one of the forms that it may have.
func (w *programWriter) tables5(b []byte) []byte {
	forms := map[uint64][]uint64{contentPath: {formString, formLineStrp, formStrp},
		contentDir: {formData1, formData2, formUdata}, contentTime: {formUdata, formData4, formData8},
		contentSize: {formUdata, formData1, formData2, formData4, formData8}, contentMD5: {formData16},
		contentLLVMSource: {formString, formLineStrp}}
	pick := func(contents ...uint64) (list []entryFormat) {
		for _, c := range contents {
			if c == contentPath || w.r.IntN(2) == 0 {
				list = append(list, entryFormat{c, forms[c][w.r.IntN(len(forms[c]))]})
			}
		}
		return list
	}
	for _, list := range [][]entryFormat{pick(contentPath),
		pick(contentPath, contentDir, contentMD5, contentTime, contentSize, contentLLVMSource)} {
		b = append(b, byte(len(list)))
		for _, f := range list {
			b = section.AppendULEB(section.AppendULEB(b, f.content), f.form)
		}
		n := 1 + w.r.IntN(3)
		b = section.AppendULEB(b, uint64(n))
		for range n {
			for _, f := range list {
				b = w.value(b, f.form)
			}
		}
	}
	return b
}

func (w *programWriter) value(b []byte, form uint64) []byte {
	switch form {
	case formString:
		return append(b, w.name()...)
	case formLineStrp, formStrp:
		return w.offset(b, w.r.Uint64N(uint64(len(lineStrings))))
	case formUdata:
		return section.AppendULEB(b, w.r.Uint64N(3))
	}
	size := map[uint64]int{formData1: 1, formData2: 2, formData4: 4, formData8: 8, formData16: 16}[form]
	value := make([]byte, size)
	if size == 16 {
		binary.LittleEndian.PutUint64(value[3:], w.r.Uint64())
	} else if value[0] = byte(w.r.IntN(3)); size > 2 {
		value[size-2] = 1
	}
	return append(b, value...)
}

// sequence writes instructions that end a sequence; at is where the first of all lies.
func (w *programWriter) sequence(b []byte, at int) []byte {
	b = append(b, 0, 9, extSetAddress)
	w.addresses = append(w.addresses, uint64(at+len(b)))
	b = binary.LittleEndian.AppendUint64(b, uint64(w.r.Uint32())<<w.r.IntN(16))
	for range 3 + w.r.IntN(20) {
		b = w.instruction(b)
	}
	return append(b, 0, 1, extEndSequence)
}

func (w *programWriter) instruction(b []byte) []byte {
	op := w.r.IntN(w.opcodeBase + 8)
	switch {
	case op >= w.opcodeBase:
		return append(b, byte(w.opcodeBase+w.r.IntN(256-w.opcodeBase)))
	case op == opExtended:
		return w.extended(b)
	}
	b = append(b, byte(op))
	switch op {
	case opAdvancePC, opSetFile, opSetColumn, 14:
		return section.AppendULEB(b, w.r.Uint64N(300))
	case opSetISA: // LLVM keeps a byte of it
		return section.AppendULEB(b, w.r.Uint64N(256))
	case opAdvanceLine:
		return section.AppendSLEB(b, int64(w.r.IntN(500))-100)
	case opFixedAdvancePC:
		return binary.LittleEndian.AppendUint16(b, uint16(w.r.Uint32()))
	case 13: // of a later standard: two operands
		return append(b, 0x81, 1, 7)
	}
	return b
}

func (w *programWriter) extended(b []byte) []byte {
	if w.r.IntN(2) == 0 {
		n := section.AppendULEB(nil, w.r.Uint64N(300))
		return append(append(b, 0, byte(1+len(n)), extSetDiscriminator), n...)
	}
	return append(b, 0, 4, 0x80, 1, 2, 3) // unknown
}
