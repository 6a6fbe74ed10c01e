package amdgpu

import (
	"encoding/binary"
	"errors"

	"simtgdb/dwarf"
	"simtgdb/simt"
	"simtgdb/simt/gcn"
)

// errLayout says that a type's layout in LLVM is not known.
var errLayout = errors.New("its type has no layout that is known")

// Returned implements arch.Arch.
func (*Arch) Returned(w *simt.Wave, lane int, call *simt.Call, typ *dwarf.DIE) ([]byte, error) {
	leaves, ok := returnRegisters(typ)
	if !ok {
		return nil, errLayout
	}
	object := make([]byte, model.Size(typ))
	if leaves == nil {
		// The caller passed the address of the result, a private one, in v0.
		at, err := vectorRegister(call.Regs, 0, lane)
		if err != nil {
			return nil, err
		}
		_, err = w.ReadScratch(lane, uint64(at), object)
		return object, err
	}
	reg := uint16(0)
	for _, l := range leaves {
		var b []byte
		for range l.registers() {
			v, err := vectorRegister(w.Regs, reg, lane)
			if err != nil {
				return nil, err
			}
			b = binary.LittleEndian.AppendUint32(b, v)
			reg++
		}
		copy(object[l.offset:], b[:l.size])
	}
	return object, nil
}

func vectorRegister(r simt.Registers, index uint16, lane int) (uint32, error) {
	var b [4]byte
	err := r.Read(simt.Reg{File: gcn.FileV, Index: index}, lane, b[:])
	return binary.LittleEndian.Uint32(b[:]), err
}
