package dwarf

import "simtgdb/dwarf/internal/section"

// A CIE is the part that entries of .debug_frame have in common (DWARF 5 section 6.4.1).
type CIE struct {
	CodeAlign    uint64
	DataAlign    int64
	ReturnReg    uint64
	Instructions []byte
	FDEs         []FDE
}

// An FDE has the call frame instructions of a range of code.
type FDE struct {
	Low, High    uint64
	Instructions []byte
}

// frames writes .debug_frame in the format of the first unit, the 32-bit one with addresses of 8 bytes
// where there are no units.
func (w *writer) frames(cies []CIE, units []*OutUnit) ([]byte, error) {
	u := &outUnit{OutUnit: &OutUnit{AddrSize: 8}, w: w}
	if len(units) > 0 {
		u.AddrSize, u.Is64 = units[0].AddrSize, units[0].Is64
	}
	var b buffer
	for _, c := range cies {
		start := b.len()
		behind := u.startLength(&b)
		w.uint(&b, u.offsetSize(), ^uint64(0))
		b.bytes([]byte{4, 0, u.AddrSize, 0}) // version, augmentation, sizes of address and segment
		b.uleb(c.CodeAlign)
		b.b = section.AppendSLEB(b.b, c.DataAlign)
		b.uleb(c.ReturnReg)
		b.bytes(c.Instructions)
		if err := u.endFrame(&b, behind); err != nil {
			return nil, err
		}
		for _, f := range c.FDEs {
			behind := u.startLength(&b)
			w.uint(&b, u.offsetSize(), start)
			u.pair(&b, f.Low, f.High-f.Low)
			b.bytes(f.Instructions)
			if err := u.endFrame(&b, behind); err != nil {
				return nil, err
			}
		}
	}
	return b.b, nil
}

// endFrame pads an entry of .debug_frame with DW_CFA_nop.
func (u *outUnit) endFrame(b *buffer, behind int) error {
	for len(b.b)%int(u.AddrSize) != 0 {
		b.bytes([]byte{0})
	}
	return u.endLength(b, behind)
}

// A CFAProgram is call frame instructions as bytes (DWARF 5 section 6.4.2). Its methods give the program
// with one instruction more.
type CFAProgram []byte

// The instructions that can be made, with the numbers of DWARF 5 table 7.29.
const (
	cfaOffsetExtended = 0x05
	cfaUndefined      = 0x07
	cfaSameValue      = 0x08
	cfaDefCFA         = 0x0c
	cfaValOffset      = 0x14
	cfaValOffsetSF    = 0x15
)

func (p CFAProgram) add(op byte, operands ...uint64) CFAProgram {
	p = append(p, op)
	for _, v := range operands {
		p = section.AppendULEB(p, v)
	}
	return p
}

// DefCFA adds DW_CFA_def_cfa: the CFA is reg + offset.
func (p CFAProgram) DefCFA(reg, offset uint64) CFAProgram { return p.add(cfaDefCFA, reg, offset) }

// Offset adds DW_CFA_offset_extended: reg is saved at CFA + factored*DataAlign.
func (p CFAProgram) Offset(reg, factored uint64) CFAProgram {
	return p.add(cfaOffsetExtended, reg, factored)
}

// ValOffset adds DW_CFA_val_offset: reg was CFA + factored*DataAlign.
func (p CFAProgram) ValOffset(reg uint64, factored int64) CFAProgram {
	if factored >= 0 {
		return p.add(cfaValOffset, reg, uint64(factored))
	}
	return section.AppendSLEB(p.add(cfaValOffsetSF, reg), factored)
}

// Undefined adds DW_CFA_undefined. For the return address it says that there is no caller.
func (p CFAProgram) Undefined(reg uint64) CFAProgram { return p.add(cfaUndefined, reg) }

// SameValue adds DW_CFA_same_value.
func (p CFAProgram) SameValue(reg uint64) CFAProgram { return p.add(cfaSameValue, reg) }
