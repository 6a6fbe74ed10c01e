package stub

import (
	"errors"
	"fmt"

	"simtgdb/dwarf"
	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/stub/threads"
)

// After a function has returned, gdb's `finish` reads its value where the
// facade's calling convention has it. The stub puts what the GPU's registers hold
// by the family's own convention there: in the facade's registers, or in memory
// that one of them points to, which is a window of the lane.

// returned are the contents of the facade's result registers in a lane, by
// their numbers; nil unless the lane has just returned.
func (s *Session) returned(w *simt.Wave, lane int) map[int][]byte {
	object, typ, err := s.returnedObject(w, lane)
	if err != nil {
		return nil
	}
	return s.facade.Returned(s.arch.Model(), typ, object,
		s.Window(threads.ReturnWindow, int(threads.Of(w, lane)), 0))
}

// readReturned reads the window of a returned object.
func (s *Session) readReturned(owner int, offset uint64, buf []byte) (int, error) {
	w, lane, err := s.view.Owner(owner)
	if err != nil {
		return 0, err
	}
	object, _, err := s.returnedObject(w, lane)
	if err != nil || offset >= uint64(len(object)) {
		return 0, rsp.EFAULT.Errorf("lane %d has no returned object there", lane)
	}
	return copy(buf, object[offset:]), nil
}

var errNotReturned = errors.New("the lane has not just returned from a function")

// returnedObject assembles what the function returned that the lane has just
// come from.
func (s *Session) returnedObject(w *simt.Wave, lane int) ([]byte, *dwarf.DIE, error) {
	if w.Track == nil || w.Active()>>lane&1 == 0 {
		return nil, nil, errNotReturned
	}
	call := w.Track.Returned[lane]
	if call == nil || call.Return != w.PC {
		return nil, nil, errNotReturned
	}
	u := s.symbols.Data.UnitAt(call.Target)
	if u == nil {
		return nil, nil, errNotReturned
	}
	f := u.FunctionAt(call.Target)
	if f == nil || f.TypeDIE() == nil {
		return nil, nil, errNotReturned
	}
	typ := f.TypeDIE()
	object, err := s.arch.Returned(w, lane, call, typ)
	if err != nil {
		return nil, nil, fmt.Errorf("what %s returned: %w", f.Name(), err)
	}
	return object, typ, nil
}
