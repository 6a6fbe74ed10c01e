package line

import (
	"encoding/binary"
	"fmt"

	"simtgdb/dwarf/internal/section"
)

// EncodeOptions says how a table is written.
type EncodeOptions struct {
	BigEndian bool
	AddrSize  int // of DW_LNE_set_address: 4 or 8; 0 means 8
	// LineStr puts a string into .debug_line_str and gives its offset, for the tables of version 5. Where
	// it is nil the strings are in the table itself.
	LineStr func(string) uint64
}

// NewHeader gives a header for a table that is made, with the parameters that the GNU and LLVM tools use.
func NewHeader(version uint16, minInstLength uint8) Header {
	return Header{
		Version: version, MinInstLength: minInstLength, MaxOps: 1, DefaultIsStmt: true,
		LineBase: -5, LineRange: 14, OpcodeBase: standardOpcodes,
		OpcodeLengths: []uint8{0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1},
	}
}

// Append writes the table behind out as a line number program of the header's version that gives the same
// rows. The program takes its parameters (LineBase, LineRange, OpcodeBase, MinInstLength, MaxOps) from the
// header; offsets and lengths in the header are not looked at.
func (t *Table) Append(out []byte, o EncodeOptions) ([]byte, error) {
	if err := t.encodable(); err != nil {
		return out, fmt.Errorf("line table: %w", err)
	}
	e := encoder{t: t, o: o, order: binary.LittleEndian, b: out}
	if o.BigEndian {
		e.order = binary.BigEndian
	}
	if e.o.AddrSize == 0 {
		e.o.AddrSize = 8
	}
	if e.o.LineStr == nil {
		e.inline = true
	}
	length := e.lengthField(true)
	e.u16(t.Version)
	if t.Version >= 5 {
		e.b = append(e.b, byte(e.o.AddrSize), 0)
	}
	headerLength := e.lengthField(false)
	e.header()
	e.patch(headerLength)
	e.program()
	e.patch(length)
	return e.b, e.err
}

func (t *Table) encodable() error {
	switch {
	case t.Version < 2 || t.Version > 5:
		return fmt.Errorf("version %d, versions 2 to 5 are known", t.Version)
	case t.LineRange == 0 || t.MinInstLength == 0:
		return fmt.Errorf("line_range %d, minimum_instruction_length %d: neither can be 0", t.LineRange,
			t.MinInstLength)
	case t.OpcodeBase < opFixedAdvancePC+1:
		return fmt.Errorf("opcode_base %d, at least %d is needed", t.OpcodeBase, opFixedAdvancePC+1)
	case len(t.OpcodeLengths) != int(t.OpcodeBase)-1:
		return fmt.Errorf("%d standard opcode lengths with opcode_base %d", len(t.OpcodeLengths),
			t.OpcodeBase)
	case len(t.Rows) > 0 && !t.Rows[len(t.Rows)-1].Has(EndSequence):
		return fmt.Errorf("the last row does not end a sequence")
	}
	for i, f := range t.Files {
		if f.Name == "" && t.Version < 5 {
			return fmt.Errorf("file %d has no name", i)
		}
	}
	return nil
}

type encoder struct {
	t      *Table
	o      EncodeOptions
	order  binary.AppendByteOrder
	inline bool // strings are in the table
	b      []byte
	reg    Row
	err    error
}

func (e *encoder) u16(v uint16)  { e.b = e.order.AppendUint16(e.b, v) }
func (e *encoder) uleb(v uint64) { e.b = section.AppendULEB(e.b, v) }

func (e *encoder) offset(v uint64) {
	if e.t.Is64 {
		e.b = e.order.AppendUint64(e.b, v)
	} else {
		e.b = e.order.AppendUint32(e.b, uint32(v))
	}
}

// lengthField leaves room for a length, which patch fills in; initial ones have the mark of the 64-bit
// format in front. It gives the position behind the field.
func (e *encoder) lengthField(initial bool) int {
	if initial && e.t.Is64 {
		e.b = append(e.b, 0xff, 0xff, 0xff, 0xff)
	}
	e.offset(0)
	return len(e.b)
}

func (e *encoder) patch(end int) {
	n := uint64(len(e.b) - end)
	rest := e.b
	if e.t.Is64 {
		e.b = e.b[:end-8]
	} else {
		e.b = e.b[:end-4]
		if n >= 0xfffffff0 {
			e.fail("0x%x bytes do not fit the 32-bit format", n)
		}
	}
	e.offset(n)
	e.b = rest
}

func (e *encoder) fail(format string, args ...any) {
	if e.err == nil {
		e.err = fmt.Errorf("line table: "+format, args...)
	}
}

func (e *encoder) header() {
	t := e.t
	e.b = append(e.b, t.MinInstLength)
	if t.Version >= 4 {
		e.b = append(e.b, max(1, t.MaxOps))
	}
	e.b = append(e.b, bit(t.DefaultIsStmt), byte(t.LineBase), t.LineRange, t.OpcodeBase)
	e.b = append(e.b, t.OpcodeLengths...)
	if t.Version >= 5 {
		e.tables5()
	} else {
		e.tables2()
	}
}

func bit(v bool) byte {
	if v {
		return 1
	}
	return 0
}

func (e *encoder) cstring(s string) { e.b = append(append(e.b, s...), 0) }

func (e *encoder) tables2() {
	for _, d := range e.t.Dirs {
		e.cstring(d)
	}
	e.b = append(e.b, 0)
	for _, f := range e.t.Files {
		e.cstring(f.Name)
		e.uleb(f.Dir)
		e.uleb(f.Time)
		e.uleb(f.Length)
	}
	e.b = append(e.b, 0)
}

func (e *encoder) string(s string) {
	if e.inline {
		e.cstring(s)
	} else {
		e.offset(e.o.LineStr(s))
	}
}

func (e *encoder) tables5() {
	stringForm := uint64(formLineStrp)
	if e.inline {
		stringForm = formString
	}
	e.formats(entryFormat{contentPath, stringForm})
	e.uleb(uint64(len(e.t.Dirs)))
	for _, d := range e.t.Dirs {
		e.string(d)
	}
	has := e.t.Has
	formats := []entryFormat{{contentPath, stringForm}, {contentDir, formUdata}}
	for _, part := range []struct {
		has bool
		entryFormat
	}{
		{has.Time, entryFormat{contentTime, formUdata}},
		{has.Length, entryFormat{contentSize, formUdata}},
		{has.MD5, entryFormat{contentMD5, formData16}},
		{has.Source, entryFormat{contentLLVMSource, stringForm}},
	} {
		if part.has {
			formats = append(formats, part.entryFormat)
		}
	}
	e.formats(formats...)
	e.uleb(uint64(len(e.t.Files)))
	for _, f := range e.t.Files {
		for _, format := range formats {
			e.filePart(f, format.content)
		}
	}
}

func (e *encoder) formats(list ...entryFormat) {
	e.b = append(e.b, byte(len(list)))
	for _, f := range list {
		e.uleb(f.content)
		e.uleb(f.form)
	}
}

func (e *encoder) filePart(f File, content uint64) {
	switch content {
	case contentPath:
		e.string(f.Name)
	case contentDir:
		e.uleb(f.Dir)
	case contentTime:
		e.uleb(f.Time)
	case contentSize:
		e.uleb(f.Length)
	case contentMD5:
		e.b = append(e.b, f.MD5[:]...)
	case contentLLVMSource:
		e.string(string(f.Source))
	}
}

// program writes opcodes that lead from row to row.
func (e *encoder) program() {
	start := Row{File: 1, Line: 1}
	if e.t.DefaultIsStmt {
		start.Flags = IsStmt
	}
	e.reg = start
	first := true
	for _, r := range e.t.Rows {
		if first {
			e.setAddress(r.Addr)
		}
		e.registers(r)
		e.row(r)
		first = r.Has(EndSequence)
		if first {
			e.reg = start
		}
	}
}

// registers writes what differs from the row before, but for address and line.
func (e *encoder) registers(r Row) {
	set := func(now *uint32, want uint32, op byte) {
		if *now != want {
			e.b = append(e.b, op)
			e.uleb(uint64(want))
			*now = want
		}
	}
	set(&e.reg.File, r.File, opSetFile)
	set(&e.reg.Column, r.Column, opSetColumn)
	if e.need(r.ISA != e.reg.ISA, opSetISA) {
		set(&e.reg.ISA, r.ISA, opSetISA)
	}
	if r.Discriminator != 0 {
		n := section.AppendULEB(nil, uint64(r.Discriminator))
		e.extended(extSetDiscriminator, n)
	}
	if (r.Flags^e.reg.Flags)&IsStmt != 0 {
		e.b = append(e.b, opNegateStmt)
		e.reg.Flags ^= IsStmt
	}
	if r.Has(BasicBlock) {
		e.b = append(e.b, opSetBasicBlock)
	}
	if e.need(r.Has(PrologueEnd), opSetPrologueEnd) {
		e.b = append(e.b, opSetPrologueEnd)
	}
	if e.need(r.Has(EpilogueBegin), opSetEpilogueBegin) {
		e.b = append(e.b, opSetEpilogueBegin)
	}
}

// need fails where an opcode that is needed is not among the table's standard opcodes.
func (e *encoder) need(needed bool, op uint8) bool {
	if needed && op >= e.t.OpcodeBase {
		e.fail("opcode %d is needed, but opcode_base is %d", op, e.t.OpcodeBase)
		return false
	}
	return needed
}

// row moves address and line on and adds the row.
func (e *encoder) row(r Row) {
	ops, ok := e.operations(r)
	if !ok {
		e.setAddress(r.Addr)
		if r.OpIndex != 0 {
			e.fail("row at 0x%x: operation %d cannot be reached", r.Addr, r.OpIndex)
		}
		ops = 0
	}
	lines := int64(r.Line) - int64(e.reg.Line)
	e.reg.Addr, e.reg.OpIndex, e.reg.Line = r.Addr, r.OpIndex, r.Line
	if r.Has(EndSequence) {
		e.advanceLine(lines)
		e.advancePC(ops)
		e.extended(extEndSequence, nil)
		return
	}
	base, lineRange := int64(e.t.LineBase), int64(e.t.LineRange)
	if lines < base || lines >= base+lineRange {
		e.advanceLine(lines)
		lines = 0
	}
	if lines < base || lines >= base+lineRange { // the special opcodes cannot stay on a line
		e.advancePC(ops)
		e.b = append(e.b, opCopy)
		return
	}
	special := uint64(lines-base) + uint64(e.t.OpcodeBase)
	constAdd := uint64(255-e.t.OpcodeBase) / uint64(e.t.LineRange)
	switch most := (255 - min(255, special)) / uint64(lineRange); {
	case special > 255:
		e.advanceLine(lines)
		e.advancePC(ops)
		e.b = append(e.b, opCopy)
	case ops == 0 && lines == 0:
		e.b = append(e.b, opCopy)
	case ops <= most:
		e.b = append(e.b, byte(special+ops*uint64(lineRange)))
	case ops >= constAdd && ops-constAdd <= most:
		e.b = append(e.b, opConstAddPC, byte(special+(ops-constAdd)*uint64(lineRange)))
	default:
		e.advancePC(ops)
		e.b = append(e.b, byte(special))
	}
}

// operations gives the operation advance that leads to a row, if there is one.
func (e *encoder) operations(r Row) (uint64, bool) {
	if r.Addr < e.reg.Addr {
		return 0, false
	}
	delta, unit := r.Addr-e.reg.Addr, uint64(e.t.MinInstLength)
	maxOps := uint64(max(1, e.t.MaxOps))
	if delta%unit != 0 || delta > 1<<40 {
		return 0, false
	}
	ops := delta/unit*maxOps + uint64(r.OpIndex)
	if ops < uint64(e.reg.OpIndex) || uint64(r.OpIndex) >= maxOps {
		return 0, false
	}
	return ops - uint64(e.reg.OpIndex), true
}

func (e *encoder) advancePC(ops uint64) {
	if ops != 0 {
		e.b = append(e.b, opAdvancePC)
		e.uleb(ops)
	}
}

func (e *encoder) advanceLine(lines int64) {
	if lines != 0 {
		e.b = append(e.b, opAdvanceLine)
		e.b = section.AppendSLEB(e.b, lines)
	}
}

func (e *encoder) setAddress(addr uint64) {
	operand := make([]byte, 0, 8)
	switch e.o.AddrSize {
	case 8:
		operand = e.order.AppendUint64(operand, addr)
	case 4:
		operand = e.order.AppendUint32(operand, uint32(addr))
		if addr>>32 != 0 {
			e.fail("address 0x%x does not fit 4 bytes", addr)
		}
	default:
		e.fail("addresses of %d bytes, 4 and 8 can be written", e.o.AddrSize)
	}
	e.extended(extSetAddress, operand)
	e.reg.Addr, e.reg.OpIndex = addr, 0
}

func (e *encoder) extended(op byte, operand []byte) {
	e.b = append(e.b, opExtended)
	e.uleb(uint64(len(operand)) + 1)
	e.b = append(append(e.b, op), operand...)
}
