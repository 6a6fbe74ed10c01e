package stub

import (
	"encoding/binary"
	"fmt"

	"simtgdb/dwarf"
	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/stub/symfile"
)

// After a function has returned, gdb's `finish` reads its value as System V's
// x86-64 calling convention returns it. The stub puts what the GPU's registers
// hold by LLVM's AMDGPU convention there: in rax and rdx, in xmm0 and xmm1, or,
// for an object of more than 16 bytes, in memory that rax points to.

// A returnPart names a register of the facade that can hold a part of a value:
// the first or second of its class.
type returnPart struct {
	sse bool
	n   int
}

var returnParts = map[string]returnPart{
	"rax": {false, 0}, "rdx": {false, 1}, "xmm0": {true, 0}, "xmm1": {true, 1},
}

// returned is the content of a facade register in a lane, zero unless the lane
// has just returned.
func (s *Session) returned(w *simt.Wave, lane int, part returnPart, size int) []byte {
	out := make([]byte, size)
	object, typ, err := s.returnedObject(w, lane)
	if err != nil {
		return out
	}
	if len(object) > 16 {
		if part == (returnPart{false, 0}) {
			copy(out, le64(window(returnWindow, int(threadOf(w, lane)), 0)))
		}
		return out
	}
	seen := map[bool]int{}
	for i := 0; i < len(object); i += 8 {
		sse := onlyFloats(typ, uint64(i), uint64(i+8))
		if sse == part.sse && seen[sse] == part.n {
			copy(out, object[i:min(i+8, len(object))])
		}
		seen[sse]++
	}
	return out
}

// readReturned reads the window of a returned object.
func (s *Session) readReturned(owner int, offset uint64, buf []byte) (int, error) {
	w, lane, err := s.lane(rsp.ThreadID(owner))
	if err != nil {
		return 0, err
	}
	object, _, err := s.returnedObject(w, lane)
	if err != nil || offset >= uint64(len(object)) {
		return 0, refuse(rsp.EFAULT, "lane %d has no returned object there", lane)
	}
	return copy(buf, object[offset:]), nil
}

// returnedObject assembles what the function returned that the lane has just
// come from.
func (s *Session) returnedObject(w *simt.Wave, lane int) ([]byte, *dwarf.DIE, error) {
	none := fmt.Errorf("lane %d has not just returned from a function", lane)
	if w.Track == nil || w.Active()>>lane&1 == 0 {
		return nil, nil, none
	}
	call := w.Track.Returned[lane]
	if call == nil || call.Return != w.PC {
		return nil, nil, none
	}
	u := s.symbols.Data.UnitAt(call.Target)
	if u == nil {
		return nil, nil, none
	}
	f := u.FunctionAt(call.Target)
	if f == nil || f.TypeDIE() == nil {
		return nil, nil, none
	}
	typ := f.TypeDIE()
	size := symfile.SizeOf(typ)
	leaves, ok := leavesOf(typ, 0, nil)
	if !ok || size == 0 || size > maxReturned {
		return nil, nil, fmt.Errorf("the type of %s has no simple layout", f.Name())
	}
	object := make([]byte, size)
	if isAggregate(typ) && size <= 8 {
		leaves = []leaf{{0, size, false}}
	}
	registers := 0
	for _, l := range leaves {
		registers += int(l.size+3) / 4
	}
	if registers > maxReturnRegisters {
		// The caller passed the address of the result, a private one, in v0.
		v := call.Vector(0)
		if v == nil {
			return nil, nil, none
		}
		_, err := w.ReadScratch(lane, uint64(v[lane]), object)
		return object, typ, err
	}
	reg := 0
	for _, l := range leaves {
		for at := uint64(0); at < l.size; at += 4 {
			var b [4]byte
			binary.LittleEndian.PutUint32(b[:], w.V[reg][lane])
			copy(object[l.offset+at:min(l.offset+l.size, size)], b[:])
			reg++
		}
	}
	return object, typ, nil
}

// Limits of AMDGPU's convention (clang, AMDGPUABIInfo: aggregates of up to 16
// registers are returned in them), and of what the stub assembles.
const (
	maxReturnRegisters = 16
	maxReturned        = 4096
)

// A leaf is a scalar part of a type.
type leaf struct {
	offset, size uint64
	float        bool
}

const (
	encodingComplexFloat = 0x03
	encodingFloat        = 0x04
)

// leavesOf lists the scalar parts of a type in order.
func leavesOf(d *dwarf.DIE, offset uint64, leaves []leaf) ([]leaf, bool) {
	for depth := 0; d != nil && depth < 32; depth++ {
		switch d.Tag {
		case dwarf.TagTypedef, dwarf.TagConstType, dwarf.TagVolatileType, dwarf.TagRestrictType, dwarf.TagAtomicType:
			d = d.TypeDIE()
			continue
		case dwarf.TagStructureType, dwarf.TagClassType:
			return memberLeaves(d, offset, leaves)
		case dwarf.TagArrayType:
			return arrayLeaves(d, offset, leaves)
		case dwarf.TagBaseType, dwarf.TagPointerType, dwarf.TagReferenceType, dwarf.TagRvalueReferenceType, dwarf.TagEnumerationType:
			size := symfile.SizeOf(d)
			encoding, _ := d.Uint(dwarf.AttrEncoding)
			return append(leaves, leaf{offset, size, encoding == encodingFloat}), size > 0 && encoding != encodingComplexFloat
		}
		break
	}
	return leaves, false
}

func memberLeaves(d *dwarf.DIE, offset uint64, leaves []leaf) ([]leaf, bool) {
	ok := len(leaves) < maxReturned
	for _, c := range d.Children {
		if c.Tag != dwarf.TagMember && c.Tag != dwarf.TagInheritance || !ok {
			continue
		}
		if _, bitfield := c.Uint(dwarf.AttrBitSize); bitfield || c.Flag(dwarf.AttrExternal) {
			return leaves, false
		}
		at, _ := c.Uint(dwarf.AttrDataMemberLocation)
		leaves, ok = leavesOf(c.TypeDIE(), offset+at, leaves)
	}
	return leaves, ok
}

func arrayLeaves(d *dwarf.DIE, offset uint64, leaves []leaf) ([]leaf, bool) {
	element, total := symfile.SizeOf(d.TypeDIE()), symfile.SizeOf(d)
	if element == 0 || total > maxReturned || element < 4 && d.Flag(dwarf.AttrGNUVector) {
		return leaves, false
	}
	ok := true
	for at := uint64(0); at+element <= total && ok; at += element {
		leaves, ok = leavesOf(d.TypeDIE(), offset+at, leaves)
	}
	return leaves, ok
}

func isAggregate(d *dwarf.DIE) bool {
	for depth := 0; d != nil && depth < 32; depth++ {
		switch d.Tag {
		case dwarf.TagStructureType, dwarf.TagClassType, dwarf.TagUnionType:
			return true
		case dwarf.TagTypedef, dwarf.TagConstType, dwarf.TagVolatileType:
			d = d.TypeDIE()
			continue
		}
		return false
	}
	return false
}

// onlyFloats tells whether the bytes [lo, hi) of a type are floating-point
// numbers alone: System V's class SSE.
func onlyFloats(d *dwarf.DIE, lo, hi uint64) bool {
	leaves, _ := leavesOf(d, 0, nil)
	any := false
	for _, l := range leaves {
		if l.offset < hi && l.offset+l.size > lo {
			if !l.float {
				return false
			}
			any = true
		}
	}
	return any
}
