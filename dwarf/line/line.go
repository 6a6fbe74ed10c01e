// Package line reads and writes the line number information of DWARF 2 to 5 (.debug_line, DWARF 5 section
// 6.2): which source line each instruction comes from.
//
// Parse runs a line number program and gives its Table of rows, files and directories; Table.Lookup finds
// the row for an address; Table.Encode writes a table again. The package knows sections and nothing of
// the entries of .debug_info that refer to them. Bad input gives an error of type *Error; time and memory
// are bounded by the size of the sections.
package line

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"sort"

	"simtgdb/dwarf/internal/section"
)

// An Error says what is wrong in which section and at which offset.
type Error = section.Error

// A Header is the header of a line number program (DWARF 5 section 6.2.4).
type Header struct {
	Offset          uint64 // in .debug_line
	End             uint64 // offset behind the program
	Length          uint64 // as the header says
	HeaderLength    uint64
	Is64            bool // the 64-bit format
	Version         uint16
	AddrSize        uint8 // since version 5
	SegSelectorSize uint8 // since version 5
	MinInstLength   uint8
	MaxOps          uint8 // operations per instruction, since version 4; 1 before
	DefaultIsStmt   bool
	LineBase        int8
	LineRange       uint8
	OpcodeBase      uint8
	OpcodeLengths   []uint8 // numbers of operands of the standard opcodes, from opcode 1 on
	Dirs            []string
	Files           []File
	Has             FileContent
}

// FileContent says what a file table has besides names and directories. Before version 5 it is always
// the time and the length.
type FileContent struct{ Time, Length, MD5, Source bool }

// A File is an entry of the file table.
type File struct {
	Name   string
	Dir    uint64 // index of the directory
	Time   uint64
	Length uint64
	MD5    [16]byte
	Source []byte // the text of the file, LLVM's extension
}

// Flags are the registers of the state machine that are true or false.
type Flags uint8

// Flags of a row (DWARF 5 table 6.3).
const (
	IsStmt Flags = 1 << iota
	BasicBlock
	EndSequence
	PrologueEnd
	EpilogueBegin
)

// A Row is a row of the line table: the registers of the state machine (DWARF 5 section 6.2.2).
type Row struct {
	Addr          uint64
	Line          uint32 // 0 where the instruction comes from no line
	Column        uint32
	File          uint32 // see Table.File
	Discriminator uint32
	ISA           uint32
	View          uint16 // number of the row among those of its address, as the GNU tools count
	OpIndex       uint8
	Flags         Flags
}

// Has reports whether all of the flags are set.
func (r Row) Has(f Flags) bool { return r.Flags&f == f }

// A Range is the addresses from Low up to and without High.
type Range struct{ Low, High uint64 }

// A Table is a line number program that was run.
type Table struct {
	Header
	Rows []Row // every sequence ends with a row that has EndSequence

	sequences []sequence // in the order of their addresses
}

// A sequence is the rows from first up to and with last, which ends it.
type sequence struct {
	low, high   uint64
	first, last int
	reach       uint64 // the highest end of the sequences up to this one
}

// index sorts the sequences by address. Empty ones are left out.
func (t *Table) index() {
	t.sequences = nil
	first := 0
	for i, r := range t.Rows {
		if !r.Has(EndSequence) {
			continue
		}
		if low := t.Rows[first].Addr; low < r.Addr {
			t.sequences = append(t.sequences, sequence{low: low, high: r.Addr, first: first, last: i})
		}
		first = i + 1
	}
	slices.SortStableFunc(t.sequences, func(a, b sequence) int { return cmp.Compare(a.low, b.low) })
	var reach uint64
	for i := range t.sequences {
		reach = max(reach, t.sequences[i].high)
		t.sequences[i].reach = reach
	}
}

// Lookup gives the index of the row for an address: the last row at or before it in the sequence that
// has it. It relies on the rows of a sequence having rising addresses, as the standard demands.
func (t *Table) Lookup(addr uint64) (row int, ok bool) {
	i := sort.Search(len(t.sequences), func(i int) bool { return t.sequences[i].low > addr })
	for i--; i >= 0 && t.sequences[i].reach > addr; i-- {
		s := t.sequences[i]
		if addr >= s.high {
			continue
		}
		rows := t.Rows[s.first:s.last]
		n := sort.Search(len(rows), func(i int) bool { return rows[i].Addr > addr })
		if n > 0 {
			return s.first + n - 1, true
		}
	}
	return 0, false
}

// RowRange gives the addresses that a row stands for: from its own to that of the next row. The range is
// empty where the next row has the same address, and for a row that ends a sequence.
func (t *Table) RowRange(row int) Range {
	r := t.Rows[row]
	if r.Has(EndSequence) || row+1 >= len(t.Rows) {
		return Range{r.Addr, r.Addr}
	}
	return Range{r.Addr, max(r.Addr, t.Rows[row+1].Addr)}
}

// Sequences gives the address ranges of the sequences, in the order of their addresses.
func (t *Table) Sequences() []Range {
	out := make([]Range, len(t.sequences))
	for i, s := range t.sequences {
		out[i] = Range{s.low, s.high}
	}
	return out
}

// FirstFile is the index of the first file: 0 since version 5, 1 before.
func (h *Header) FirstFile() uint64 {
	if h.Version >= 5 {
		return 0
	}
	return 1
}

// File gives the file with the index that rows and DW_AT_decl_file use.
func (h *Header) File(index uint64) (File, bool) {
	if i := index - h.FirstFile(); i < uint64(len(h.Files)) {
		return h.Files[i], true
	}
	return File{}, false
}

// Dir gives the directory with the index that files use; "" stands for the directory of compilation
// before version 5, where it is not in the table.
func (h *Header) Dir(index uint64) (string, bool) {
	if h.Version < 5 {
		if index == 0 {
			return "", true
		}
		index--
	}
	if index < uint64(len(h.Dirs)) {
		return h.Dirs[index], true
	}
	return "", false
}

// Path gives the path of a file: its name, with its directory and with compDir, the unit's
// DW_AT_comp_dir, in front where these are needed to make it absolute; "" for an index out of range.
func (h *Header) Path(index uint64, compDir string) string {
	f, ok := h.File(index)
	if !ok {
		return ""
	}
	if path.IsAbs(f.Name) {
		return f.Name
	}
	dir, _ := h.Dir(f.Dir)
	full := join(dir, f.Name)
	if !path.IsAbs(dir) && (h.Version < 5 || f.Dir != 0) {
		full = join(compDir, full)
	}
	return full
}

// join puts a slash between the parts and leaves the rest as it is, dots included: these are names for
// the user.
func join(dir, name string) string {
	switch {
	case dir == "":
		return name
	case dir[len(dir)-1] == '/':
		return dir + name
	}
	return dir + "/" + name
}

func (f Flags) String() string {
	names := [...]string{"is_stmt", "basic_block", "end_sequence", "prologue_end", "epilogue_begin"}
	s := ""
	for i, n := range names {
		if f&(1<<i) != 0 {
			s += " " + n
		}
	}
	if s == "" {
		return "none"
	}
	return s[1:]
}

func (r Row) String() string {
	return fmt.Sprintf("0x%x file %d line %d column %d (%v)", r.Addr, r.File, r.Line, r.Column, r.Flags)
}
