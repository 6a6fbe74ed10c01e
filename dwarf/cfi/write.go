package cfi

import (
	"encoding/binary"
	"fmt"

	"simtgdb/dwarf/internal/section"
)

// Write makes a .debug_frame of version 4, little-endian, of FDEs: each CIE stands before the first of its
// FDEs. Of a CIE are written AddressSize (0 means 8), DWARF64, CodeAlign, DataAlign, ReturnAddress and
// Instructions, of an FDE its CIE, Start, Range and Instructions. A CIE with an augmentation is an error.
func Write(fdes []*FDE) ([]byte, error) {
	var out []byte
	at := map[*CIE]uint64{}
	for _, f := range fdes {
		w, err := newEntryWriter(f.CIE)
		if err != nil {
			return nil, err
		}
		start, written := at[f.CIE]
		if !written {
			start = uint64(len(out))
			at[f.CIE] = start
			out = w.entry(out, w.cie())
		}
		body := w.offset(nil, start)
		body = w.address(body, f.Start)
		body = w.address(body, f.Range)
		out = w.entry(out, append(body, f.Instructions...))
	}
	return out, nil
}

// An entryWriter writes a CIE and its FDEs.
type entryWriter struct {
	c    *CIE
	size int // of an address
}

func newEntryWriter(c *CIE) (*entryWriter, error) {
	w := &entryWriter{c: c, size: c.AddressSize}
	if w.size == 0 {
		w.size = 8
	}
	switch {
	case c.Augmentation != "":
		return nil, fmt.Errorf("call frame information: a CIE with the augmentation %q is not written",
			c.Augmentation)
	case w.size != 4 && w.size != 8:
		return nil, fmt.Errorf("call frame information: address size %d, 4 or 8 expected", w.size)
	}
	return w, nil
}

func (w *entryWriter) cie() []byte {
	b := w.offset(nil, ^uint64(0))
	b = append(b, 4, 0, byte(w.size), 0) // version, augmentation, sizes of address and segment
	b = section.AppendULEB(b, w.c.CodeAlign)
	b = section.AppendSLEB(b, w.c.DataAlign)
	b = section.AppendULEB(b, w.c.ReturnAddress)
	return append(b, w.c.Instructions...)
}

// entry appends an entry with its length, padded with DW_CFA_nop.
func (w *entryWriter) entry(out, body []byte) []byte {
	header := 4
	if w.c.DWARF64 {
		header = 12
	}
	for (len(out)+header+len(body))%w.size != 0 {
		body = append(body, 0)
	}
	if w.c.DWARF64 {
		out = binary.LittleEndian.AppendUint32(out, 0xffffffff)
	}
	return append(w.offset(out, uint64(len(body))), body...)
}

func (w *entryWriter) offset(b []byte, v uint64) []byte {
	if w.c.DWARF64 {
		return binary.LittleEndian.AppendUint64(b, v)
	}
	return binary.LittleEndian.AppendUint32(b, uint32(v))
}

func (w *entryWriter) address(b []byte, v uint64) []byte {
	if w.size == 4 {
		return binary.LittleEndian.AppendUint32(b, uint32(v))
	}
	return binary.LittleEndian.AppendUint64(b, v)
}

// A Program is call frame instructions as bytes (DWARF 5 section 6.4.2). Its methods give the program with
// one instruction more.
type Program []byte

func (p Program) add(op byte, operands ...uint64) Program {
	p = append(p, op)
	for _, v := range operands {
		p = section.AppendULEB(p, v)
	}
	return p
}

// DefCFA adds DW_CFA_def_cfa: the CFA is reg + offset.
func (p Program) DefCFA(reg, offset uint64) Program { return p.add(cfaDefCFA, reg, offset) }

// Offset adds DW_CFA_offset_extended: reg is saved at CFA + factored*DataAlign.
func (p Program) Offset(reg, factored uint64) Program { return p.add(cfaOffsetExtended, reg, factored) }

// ValOffset adds DW_CFA_val_offset: reg was CFA + factored*DataAlign.
func (p Program) ValOffset(reg uint64, factored int64) Program {
	if factored >= 0 {
		return p.add(cfaValOffset, reg, uint64(factored))
	}
	return section.AppendSLEB(p.add(cfaValOffsetSF, reg), factored)
}

// Undefined adds DW_CFA_undefined. For the return address it says that there is no caller.
func (p Program) Undefined(reg uint64) Program { return p.add(cfaUndefined, reg) }

// SameValue adds DW_CFA_same_value.
func (p Program) SameValue(reg uint64) Program { return p.add(cfaSameValue, reg) }
