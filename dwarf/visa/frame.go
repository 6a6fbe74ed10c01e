package visa

import (
	"encoding/binary"
	"fmt"
)

// Frame is the activation of a kernel, of a stack-call function or of a
// sub-routine.
type Frame struct {
	IP         uint64 // next instruction; of an outer frame the one it will return to
	Object     *Object
	Subroutine *Subroutine // the sub-routine of Object that runs, or nil
	BEFP       uint32      // in the target's units
	BEFPValid  bool

	unwinder *Unwinder
	site     uint32 // Gen offset in Object at which the tables are looked up
	index    uint32 // vISA index at site
	indexed  bool
	entered  bool // the prologue has run and the epilogue has not
	nested   int  // sub-routines that the frame was reached through in this activation
	kept     bool // address and flag registers are the thread's own
	regs     regMap
}

func (f *Frame) fail(reason string, err error) error {
	e := &UnwindError{IP: f.IP, Reason: reason, Err: err}
	if f.Object != nil {
		e.Object = f.Object.Name
	}
	return e
}

// apply overrides the locations of saved registers. Registers that are saved in
// registers are where the map from says those are.
func (f *Frame) apply(regs, from regMap, blocks []savedBlock) (regMap, error) {
	for _, b := range blocks {
		if b.to.Storage == Memory {
			loc, err := f.scratch(b.to)
			if err != nil {
				return nil, err
			}
			regs = regs.with(b.offset, b.size, loc)
			continue
		}
		offset := b.offset
		for _, p := range from.pieces(f.unwinder.grfOffset(b.to), b.size) {
			regs = regs.with(offset, p.Size, p.Location)
			offset += p.Size
		}
	}
	return regs, nil
}

// scratch gives the scratch address of a place in memory.
func (f *Frame) scratch(p Place) (Location, error) {
	address := int64(p.Offset)
	if !p.Absolute {
		if !f.BEFPValid {
			return Location{}, f.fail(fmt.Sprintf("%v is needed before BE_FP is set", p), nil)
		}
		address += int64(f.BEFP) * int64(f.unwinder.target.scratchUnit())
	}
	if address < 0 || address > 1<<32-1 {
		return Location{}, f.fail(fmt.Sprintf("%v with BE_FP %#x is at %#x, outside of scratch memory", p,
			f.BEFP, address), nil)
	}
	return Location{Kind: InScratch, Offset: uint32(address)}, nil
}

// Base is the scratch byte address that the frame begins at. It identifies the
// activation, but not the sub-routine, which has no frame of its own.
func (f *Frame) Base() (address uint64, ok bool) {
	return uint64(f.BEFP) * uint64(f.unwinder.target.scratchUnit()), f.BEFPValid
}

// VISAIndex is the vISA instruction that the frame is at; for an outer frame,
// the call.
func (f *Frame) VISAIndex() (uint32, bool) { return f.index, f.indexed }

// GRF says where the bytes of the frame's general registers are, from a byte
// offset into the register file on.
func (f *Frame) GRF(offset, size uint32) ([]Piece, error) {
	if end := uint64(offset) + uint64(size); end > uint64(f.unwinder.target.grfFileBytes()) {
		return nil, f.fail(fmt.Sprintf("byte %d is outside of the register file of %d bytes", end,
			f.unwinder.target.grfFileBytes()), nil)
	}
	return f.regs.pieces(offset, size), nil
}

// Place says where the value at a table's place is for this frame. The tables
// do not give sizes: the caller does. Address and flag registers are not
// preserved over stack calls.
func (f *Frame) Place(p Place, size uint32) ([]Piece, error) {
	switch p.Storage {
	case General:
		return f.GRF(f.unwinder.grfOffset(p), size)
	case Memory:
		loc, err := f.scratch(p)
		if err != nil {
			return nil, err
		}
		return []Piece{{Size: size, Location: loc}}, nil
	}
	loc := Location{}
	switch {
	case f.kept && p.Storage == Address:
		loc = Location{Kind: InAddressRegister, Offset: uint32(p.Reg)*addressRegisterBytes + uint32(p.SubReg)}
	case f.kept:
		loc = Location{Kind: InFlagRegister, Offset: uint32(p.Reg)*flagRegisterBytes + uint32(p.SubReg)}
	}
	return []Piece{{Size: size, Location: loc}}, nil
}

// ReadGRF reads the frame's general registers from a byte offset on. The error
// wraps ErrUndefined for registers that were not preserved.
func (f *Frame) ReadGRF(m Machine, offset uint32, p []byte) error {
	pieces, err := f.GRF(offset, uint32(len(p)))
	if err != nil {
		return err
	}
	return f.readPieces(m, pieces, p)
}

func (f *Frame) readPieces(m Machine, pieces []Piece, p []byte) error {
	for _, piece := range pieces {
		var err error
		switch piece.Kind {
		case InRegister:
			err = m.ReadGRF(piece.Offset, p[:piece.Size])
		case InScratch:
			err = m.ReadScratch(piece.Offset, p[:piece.Size])
		default:
			err = ErrUndefined
		}
		if err != nil {
			return f.fail(piece.Location.String(), err)
		}
		p = p[piece.Size:]
	}
	return nil
}

func (f *Frame) readWord(m Machine, offset uint32) (uint32, error) {
	var b [4]byte
	err := f.ReadGRF(m, offset, b[:])
	return binary.LittleEndian.Uint32(b[:]), err
}

// readPlace reads a word that the unwinder itself needs.
func (f *Frame) readPlace(m Machine, p Place) (uint32, error) {
	if p.Storage < General {
		return 0, f.fail(fmt.Sprintf("%v: expected a general register or scratch memory", p), nil)
	}
	pieces, err := f.Place(p, 4)
	if err != nil {
		return 0, err
	}
	var b [4]byte
	err = f.readPieces(m, pieces, b[:])
	return binary.LittleEndian.Uint32(b[:]), err
}
