package intelgt

import (
	"encoding/binary"
	"fmt"

	"simtgdb/dwarf"
	"simtgdb/dwarf/types"
	"simtgdb/simt"
	"simtgdb/simt/gen"
)

// firstResult is the register from which on functions return: each scalar of
// the object as many elements as the thread has lanes, one after the other, so
// that what is N bytes into the object begins N times the lanes behind it. A
// structure is returned there if it is of at most maxResult bytes and of scalars
// that are no integers or floats of 64 bits. All else is left in memory, whose
// address is the first argument, in the same register. (Observed of IGC.)
const (
	firstResult = 26
	maxResult   = 16
	maxObject   = 4096
)

// A scalar is a part of an object.
type scalar struct{ offset, size uint64 }

// Returned implements arch.Arch.
func (a *Arch) Returned(w *simt.Wave, lane int, call *simt.Call, typ *dwarf.DIE) ([]byte, error) {
	size := a.Model().Size(typ)
	if size == 0 || size > maxObject {
		return nil, fmt.Errorf("its type has %d bytes; from 1 to %d can be read", size, maxObject)
	}
	object := make([]byte, size)
	parts, ok := a.scalars(types.Strip(typ))
	if !ok {
		return object, a.inMemory(w, lane, call, object)
	}
	for _, p := range parts {
		if p.offset+p.size > size {
			return nil, fmt.Errorf("its type has a member outside of it")
		}
		at := p.offset*uint64(w.Size) + uint64(lane)*p.size
		if err := readResult(w.Regs, at, object[p.offset:p.offset+p.size]); err != nil {
			return nil, err
		}
	}
	return object, nil
}

// inMemory reads an object whose address the caller passed.
func (a *Arch) inMemory(w *simt.Wave, lane int, call *simt.Call, object []byte) error {
	var b [8]byte
	if err := readResult(call.Regs, uint64(lane)*8, b[:]); err != nil {
		return err
	}
	addr := binary.LittleEndian.Uint64(b[:])
	if a.memory == nil {
		return fmt.Errorf("there is no memory")
	}
	r := a.memory.Find(addr)
	if r == nil || !r.Holds(addr, uint64(len(object))) {
		return &simt.AccessError{Space: simt.Global, Addr: addr}
	}
	copy(object, r.Data[addr-r.Base:])
	return nil
}

// readResult reads bytes of a part of a result, which is within one register.
func readResult(r simt.Registers, at uint64, p []byte) error {
	size := uint64(registerBytes(r))
	b := make([]byte, size)
	if err := r.Read(gen.GRF(firstResult+int(at/size)), 0, b); err != nil {
		return err
	}
	copy(p, b[at%size:])
	return nil
}

// scalars are the parts of an object that is returned in registers; ok is
// false for one that is not.
func (a *Arch) scalars(d *dwarf.DIE) (parts []scalar, ok bool) {
	size := a.Model().Size(d)
	switch {
	case d == nil:
		return nil, false
	case types.IsVector(d):
		n, element := types.Elements(d), a.Model().Size(d.TypeDIE())
		for i := range min(n, maxResult) {
			parts = append(parts, scalar{i * element, element})
		}
		return parts, power(element)
	case d.Tag == dwarf.TagStructureType:
		return a.members(d, size)
	}
	return []scalar{{0, size}}, power(size) && d.Tag != dwarf.TagArrayType && !types.IsRecord(d)
}

// members are the scalars of a structure.
func (a *Arch) members(d *dwarf.DIE, size uint64) (parts []scalar, ok bool) {
	if size > maxResult {
		return nil, false
	}
	for m := range types.Members(d) {
		offset, _ := m.Uint(dwarf.AttrDataMemberLocation)
		t := types.Strip(m.TypeDIE())
		if t == nil || t.Tag == dwarf.TagArrayType || types.IsRecord(t) {
			return nil, false
		}
		n := a.Model().Size(t)
		if !power(n) || n == 8 && !types.IsPointer(t) {
			return nil, false
		}
		parts = append(parts, scalar{offset, n})
	}
	return parts, true
}

// power reports whether a scalar can have a size in bytes.
func power(size uint64) bool { return size == 1 || size == 2 || size == 4 || size == 8 }
