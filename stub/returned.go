package stub

import (
	"fmt"

	"simtgdb/dwarf"
	"simtgdb/rsp"
	"simtgdb/simt"
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
	sse, memory := systemV(s.arch.Model(), typ)
	if memory {
		if part == (returnPart{false, 0}) {
			copy(out, le64(window(returnWindow, int(threadOf(w, lane)), 0)))
		}
		return out
	}
	seen := map[bool]int{}
	for i, class := range sse {
		if class == part.sse && seen[class] == part.n {
			copy(out, object[8*i:min(8*i+8, len(object))])
		}
		seen[class]++
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
	object, err := s.arch.Returned(w, lane, call, typ)
	if err != nil {
		return nil, nil, fmt.Errorf("what %s returned: %w", f.Name(), err)
	}
	return object, typ, nil
}
