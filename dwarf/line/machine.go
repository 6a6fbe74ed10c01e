package line

import (
	"math"

	"simtgdb/dwarf/internal/section"
)

// Standard and extended opcodes (DWARF 5 sections 7.22, tables 7.25 and 7.26).
const (
	opExtended = iota
	opCopy
	opAdvancePC
	opAdvanceLine
	opSetFile
	opSetColumn
	opNegateStmt
	opSetBasicBlock
	opConstAddPC
	opFixedAdvancePC
	opSetPrologueEnd
	opSetEpilogueBegin
	opSetISA
	standardOpcodes // one more than the highest

	extEndSequence      = 1
	extSetAddress       = 2
	extDefineFile       = 3
	extSetDiscriminator = 4
)

// A machine runs a line number program (DWARF 5 section 6.2.5).
type machine struct {
	t   *Table
	r   section.Reader
	reg Row
	at  func(offset uint64, size int) // is told where addresses are, nil for nobody
}

func (m *machine) reset() {
	m.reg = Row{File: 1, Line: 1}
	if m.t.DefaultIsStmt {
		m.reg.Flags = IsStmt
	}
}

func (m *machine) run() {
	m.t.Rows = make([]Row, 0, m.r.Len()/3)
	m.reset()
	for m.r.Len() > 0 {
		op := m.r.U8()
		switch {
		case op >= m.t.OpcodeBase:
			m.special(op)
		case op == opExtended:
			m.extended()
		case op < standardOpcodes:
			m.standard(op)
		default: // of a later standard: the header says how many operands it has
			for n := m.t.OpcodeLengths[op-1]; n > 0; n-- {
				m.r.ULEB()
			}
		}
	}
}

// emit adds a row and resets the registers that hold for one row.
func (m *machine) emit() {
	m.t.Rows = append(m.t.Rows, m.reg)
	m.reg.Flags &= IsStmt
	m.reg.Discriminator = 0
	m.reg.View++
}

// advance moves the address on by a number of operations (DWARF 5 section 6.2.5.1).
func (m *machine) advance(ops uint64) {
	if ops == 0 {
		return
	}
	m.reg.View = 0
	maxOps := uint64(m.t.MaxOps)
	if maxOps <= 1 {
		m.reg.Addr += ops * uint64(m.t.MinInstLength)
		return
	}
	n := uint64(m.reg.OpIndex) + ops
	m.reg.Addr += n / maxOps * uint64(m.t.MinInstLength)
	m.reg.OpIndex = uint8(n % maxOps)
}

// adjusted splits a special opcode into the operations and lines that it advances by.
func (m *machine) adjusted(op uint8) (ops uint64, lines int32) {
	if m.t.LineRange == 0 {
		m.r.Fail("special opcode 0x%x with a line_range of 0", op)
		return 0, 0
	}
	n := op - m.t.OpcodeBase
	return uint64(n / m.t.LineRange), int32(m.t.LineBase) + int32(n%m.t.LineRange)
}

func (m *machine) special(op uint8) {
	ops, lines := m.adjusted(op)
	if m.r.Err() != nil {
		return
	}
	m.advance(ops)
	m.reg.Line += uint32(lines)
	m.emit()
}

func (m *machine) standard(op uint8) {
	switch op {
	case opCopy:
		m.emit()
	case opAdvancePC:
		m.advance(m.r.ULEB())
	case opAdvanceLine:
		m.reg.Line += uint32(m.r.SLEB())
	case opSetFile:
		m.reg.File = m.number("file")
	case opSetColumn:
		m.reg.Column = m.number("column")
	case opNegateStmt:
		m.reg.Flags ^= IsStmt
	case opSetBasicBlock:
		m.reg.Flags |= BasicBlock
	case opConstAddPC:
		ops, _ := m.adjusted(255)
		m.advance(ops)
	case opFixedAdvancePC:
		m.reg.Addr += m.r.Uint(2) // the view stays: the assembler does not know that the address moves
		m.reg.OpIndex = 0
	case opSetPrologueEnd:
		m.reg.Flags |= PrologueEnd
	case opSetEpilogueBegin:
		m.reg.Flags |= EpilogueBegin
	case opSetISA:
		m.reg.ISA = m.number("isa")
	}
}

func (m *machine) number(what string) uint32 {
	n := m.r.ULEB()
	if n > math.MaxUint32 {
		m.r.Fail("%s number 0x%x of more than 32 bits", what, n)
	}
	return uint32(n)
}

func (m *machine) extended() {
	length := m.r.ULEB()
	end := m.r.End(length)
	if m.r.Err() != nil || length == 0 {
		return
	}
	switch op := m.r.U8(); op {
	case extEndSequence:
		m.reg.Flags |= EndSequence
		m.emit()
		m.reset()
	case extSetAddress:
		if length < 2 || length > 9 {
			m.r.Fail("DW_LNE_set_address with an address of %d bytes", length-1)
			return
		}
		if m.at != nil {
			m.at(m.r.Offset(), int(length)-1)
		}
		m.reg.Addr = m.r.Uint(int(length) - 1)
		m.reg.OpIndex, m.reg.View = 0, 0
	case extDefineFile:
		if f, ok := readFile2(&m.r); ok {
			m.t.Files = append(m.t.Files, f)
		}
	case extSetDiscriminator:
		m.reg.Discriminator = m.number("discriminator")
	}
	m.r.Seek(end)
}
