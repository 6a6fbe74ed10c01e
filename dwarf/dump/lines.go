package dump

import (
	"encoding/hex"
	"io"

	"simtgdb/dwarf"
	"simtgdb/dwarf/line"
)

// Lines prints the line tables as llvm-dwarfdump 22 --debug-line does. A table that is broken is printed
// as far as it could be read, with the error behind it.
func Lines(w io.Writer, d *dwarf.Data, o Options) error {
	p := &linePrinter{printer: newPrinter(w, o)}
	p.printf("\n.debug_line contents:\n")
	owners := make(map[uint64]*dwarf.Unit)
	for _, u := range d.Units() {
		if top, _ := u.Top(); top != nil {
			if a, ok := top.Attr(dwarf.AttrStmtList); ok && owners[a.Val] == nil {
				owners[a.Val] = u
			}
		}
	}
	in := d.Sections()
	for offset := uint64(0); offset < uint64(len(in.Line)); {
		s := &line.Sections{Line: in.Line, LineStr: in.LineStr, Str: in.Str, BigEndian: d.BigEndian()}
		if u := owners[offset]; u != nil {
			s = u.LineSections()
		}
		t, err := line.Parse(s, offset)
		p.table(t)
		if err != nil {
			p.printf("error: %v\n", err)
		}
		if t.End <= offset {
			break
		}
		offset = t.End
	}
	return p.w.Flush()
}

type linePrinter struct{ printer }

// opcodeNames has the names of the standard opcodes, from 1 on (DWARF 5 table 7.25).
var opcodeNames = [...]string{
	"DW_LNS_copy", "DW_LNS_advance_pc", "DW_LNS_advance_line", "DW_LNS_set_file", "DW_LNS_set_column",
	"DW_LNS_negate_stmt", "DW_LNS_set_basic_block", "DW_LNS_const_add_pc", "DW_LNS_fixed_advance_pc",
	"DW_LNS_set_prologue_end", "DW_LNS_set_epilogue_begin", "DW_LNS_set_isa",
}

func (p *linePrinter) table(t *line.Table) {
	p.printf("debug_line[0x%08x]\n", t.Offset)
	p.prologue(&t.Header)
	for i, dir := range t.Dirs {
		p.printf("include_directories[%3d] = ", uint64(i)+t.FirstFile())
		p.quoted([]byte(dir))
		p.printf("\n")
	}
	for i, f := range t.Files {
		p.file(uint64(i)+t.FirstFile(), f, t.Has)
	}
	if len(t.Rows) > 0 {
		p.printf("\nAddress            Line   Column File   ISA Discriminator OpIndex Flags\n")
		p.printf("------------------ ------ ------ ------ --- ------------- ------- -------------\n")
	}
	for _, r := range t.Rows {
		p.row(r)
	}
	p.printf("\n")
}

func (p *linePrinter) prologue(h *line.Header) {
	digits := 8
	if h.Is64 {
		digits = 16
	}
	p.printf("Line table prologue:\n")
	p.printf("    total_length: 0x%0*x\n", digits, h.Length)
	p.printf("          format: DWARF%d\n", 4*digits)
	p.printf("         version: %d\n", h.Version)
	if h.Version >= 5 {
		p.printf("    address_size: %d\n seg_select_size: %d\n", h.AddrSize, h.SegSelectorSize)
	}
	p.printf(" prologue_length: 0x%0*x\n", digits, h.HeaderLength)
	p.printf(" min_inst_length: %d\n", h.MinInstLength)
	if h.Version >= 4 {
		p.printf("max_ops_per_inst: %d\n", h.MaxOps)
	}
	isStmt := 0
	if h.DefaultIsStmt {
		isStmt = 1
	}
	p.printf(" default_is_stmt: %d\n       line_base: %d\n      line_range: %d\n     opcode_base: %d\n",
		isStmt, h.LineBase, h.LineRange, h.OpcodeBase)
	for i, n := range h.OpcodeLengths {
		if i < len(opcodeNames) {
			p.printf("standard_opcode_lengths[%s] = %d\n", opcodeNames[i], n)
		} else {
			p.printf("standard_opcode_lengths[DW_LNS_unknown_%x] = %d\n", i+1, n)
		}
	}
}

func (p *linePrinter) file(index uint64, f line.File, has line.FileContent) {
	p.printf("file_names[%3d]:\n           name: ", index)
	p.quoted([]byte(f.Name))
	p.printf("\n      dir_index: %d\n", f.Dir)
	if has.MD5 {
		p.printf("   md5_checksum: %s\n", hex.EncodeToString(f.MD5[:]))
	}
	if has.Time {
		p.printf("       mod_time: 0x%08x\n", f.Time)
	}
	if has.Length {
		p.printf("         length: 0x%08x\n", f.Length)
	}
	if has.Source && len(f.Source) > 0 {
		p.printf("         source: ")
		p.quoted(f.Source)
		p.printf("\n")
	}
}

// flagOrder is the order in which flags are printed.
var flagOrder = [...]line.Flags{line.IsStmt, line.BasicBlock, line.PrologueEnd, line.EpilogueBegin,
	line.EndSequence}

func (p *linePrinter) row(r line.Row) {
	p.printf("0x%016x %6d %6d %6d %3d %13d %7d ", r.Addr, r.Line, r.Column, r.File, r.ISA, r.Discriminator,
		r.OpIndex)
	for _, f := range flagOrder {
		if r.Has(f) {
			p.printf(" %v", f)
		}
	}
	p.printf("\n")
}
