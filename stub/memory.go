package stub

import (
	"bytes"
	"errors"

	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/stub/frames"
	"simtgdb/stub/threads"
)

// ReadMemory implements rsp.Target: global memory, the apertures as the thread
// sees them, and the stub's own windows. What gdb has read it may watch.
func (s *Session) ReadMemory(t rsp.ThreadID, addr uint64, buf []byte) (int, error) {
	s.noteRead(t, addr, len(buf))
	return s.readMemory(t, addr, buf)
}

// noteRead notes that gdb reads memory.
func (s *Session) noteRead(t rsp.ThreadID, addr uint64, size int) {
	s.watches.noteRead(addr, size)
	if t == rsp.AnyThread {
		return
	}
	// gdb reads an address that is typed by hand before it watches it.
	switch kind, _, _ := s.Split(addr); kind {
	case threads.FrameWindow, threads.ReturnWindow, threads.BuiltinWindow, threads.DispatchWindow:
	default:
		if own, err := s.ownAt(t, addr); err == nil && own.kind != 0 {
			s.frames.Show(own.wave, own.lane, addr, uint64(size))
		}
	}
}

// readMemory reads as gdb does, without a note of it.
func (s *Session) readMemory(t rsp.ThreadID, addr uint64, buf []byte) (int, error) {
	kind, owner, offset := s.Split(addr)
	switch kind {
	case threads.FrameWindow:
		return s.frames.ReadWindow(owner, offset, buf)
	case threads.ReturnWindow:
		return s.readReturned(owner, offset, buf)
	case threads.BuiltinWindow:
		return s.readBuiltins(t, offset, buf)
	case threads.DispatchWindow:
		if n := s.symbols.ReadNote(offset, buf); n > 0 {
			return n, nil
		}
	}
	if own, err := s.ownAt(t, addr); err != nil {
		return 0, err
	} else if own.kind != 0 {
		n, err := threads.ReadOwn(own.kind, own.wave, own.lane, own.offset, buf)
		if n > 0 && own.kind == threads.ScratchWindow && frames.IsLine(addr, uint64(len(buf))) {
			// gdb throws a line away that it does not get whole, and reads it again for each variable in it.
			clear(buf[n:])
			return len(buf), nil
		}
		return partial(n, err)
	}
	n, err := s.prog.Memory.Read(addr, buf)
	if n == 0 && s.endsString(addr, buf) {
		return len(buf), nil
	}
	s.disguise(addr, buf[:n])
	return partial(n, err)
}

// endsString reads a NUL behind the last byte of a buffer. gdb shows a char * as a
// string and reads it byte by byte where it cannot read all (partial_memory_read):
// a buffer without a NUL would put an error into every line with such an argument.
func (s *Session) endsString(addr uint64, buf []byte) bool {
	if len(buf) != 1 || addr == 0 {
		return false
	}
	r := s.prog.Memory.Find(addr - 1)
	if r == nil || r.Perm&simt.PermExec != 0 {
		return false
	}
	buf[0] = 0
	return true
}

// disguise changes what is read of an instruction by itself, if gdb would take
// it for an instruction of the facade.
func (s *Session) disguise(addr uint64, b []byte) {
	if addr%s.align() != 0 || len(b) == 0 || len(b) > maxDisguised {
		return
	}
	if r := s.prog.Memory.Find(addr); r.Perm&simt.PermExec != 0 {
		s.facade.Disguise(b)
	}
}

// maxDisguised is the longest instruction that gdb reads by itself.
const maxDisguised = 4

// ownMemory is a place in a lane's private memory or a workgroup's LDS.
type ownMemory struct {
	kind   uint64 // scratchWindow or ldsWindow; 0 for memory that is nobody's own
	wave   *simt.Wave
	lane   int
	offset uint64
}

// ownAt finds what an address leads to in a window, or in an aperture as the
// thread sees it.
func (s *Session) ownAt(t rsp.ThreadID, addr uint64) (own ownMemory, err error) {
	kind, owner, offset := s.Split(addr)
	if kind == threads.ScratchWindow || kind == threads.LDSWindow {
		own.kind, own.offset = kind, offset
		if kind == threads.LDSWindow {
			own.wave, err = s.view.Group(owner)
		} else {
			own.wave, own.lane, err = s.view.Owner(owner)
		}
		return own, err
	}
	space, offset, ok := s.arch.Aperture(addr)
	if !ok {
		return ownMemory{}, nil
	}
	own.kind, own.offset = threads.WindowOf(space), offset
	own.wave, own.lane, err = s.view.lane(t)
	return own, err
}

// partial is the protocol's idea of a short read: an error only if there is
// nothing.
func partial(n int, err error) (int, error) {
	if n > 0 {
		return n, nil
	}
	var access *simt.AccessError
	if errors.As(err, &access) {
		return 0, rsp.EFAULT.Errorf("%v", err)
	}
	return 0, err
}

// WriteMemory implements rsp.Target.
func (s *Session) WriteMemory(t rsp.ThreadID, addr uint64, data []byte) error {
	if t == rsp.AnyThread {
		t = s.view.current()
	}
	if err := s.mayChange(); err != nil {
		return err
	}
	if err := s.writeMemory(t, addr, data); err != nil {
		return err
	}
	s.past.wrote(s, Write{Thread: t, Memory: true, Where: addr, Data: bytes.Clone(data)})
	return nil
}

func (s *Session) writeMemory(t rsp.ThreadID, addr uint64, data []byte) error {
	s.frames.Forget()
	s.changed = s.machine.Started()
	kind, owner, offset := s.Split(addr)
	switch kind {
	case threads.FrameWindow:
		return s.frames.WriteWindow(owner, offset, data)
	case threads.ReturnWindow:
		return rsp.EPERM.Errorf("what a function returned cannot be written")
	case threads.BuiltinWindow:
		return rsp.EPERM.Errorf("what says where the lane is cannot be set")
	}
	// All or nothing: what can be read can be written.
	if n, err := s.readMemory(t, addr, make([]byte, len(data))); err != nil || n < len(data) {
		return rsp.EFAULT.Errorf("cannot access memory at %#x", addr+uint64(n))
	}
	own, err := s.ownAt(t, addr)
	if err != nil {
		return err
	}
	if own.kind != 0 {
		space := simt.Scratch
		if own.kind == threads.LDSWindow {
			space = simt.LDS
		}
		s.defects.wrote(space, own.wave, own.lane, own.offset, len(data))
		_, err = threads.WriteOwn(own.kind, own.wave, own.lane, own.offset, data)
		return err
	}
	s.defects.wrote(simt.Global, nil, 0, addr, len(data))
	_, err = s.prog.Memory.Write(addr, data)
	if r := s.prog.Memory.Find(addr); r != nil && r.Perm&simt.PermExec != 0 {
		s.machine.Invalidate()
	}
	return err
}
