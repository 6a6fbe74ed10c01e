// Package laneexpr evaluates expressions of C and C++ where a lane stands: an [Env] is one of a lane's
// frames, finds what names mean there ([Env.Variable], [Env.Type]) and reads and writes what they stand for.
// What it needs of the session around it is a [Session]. It knows no commands and no protocol.
package laneexpr

import (
	"errors"
	"fmt"

	"simtgdb/dwarf"
	"simtgdb/simt"
	"simtgdb/stub/cexpr"
	"simtgdb/stub/frames"
	"simtgdb/stub/names"
)

// A Session is what lanes are debugged in.
type Session interface {
	// ReadMemory and WriteMemory are what gdb does with the lane selected; that it was read gdb does not
	// know.
	ReadMemory(w *simt.Wave, lane int, addr uint64, p []byte) (int, error)
	WriteMemory(w *simt.Wave, lane int, addr uint64, p []byte) error
	// Own is the offset of an address in the memory of the workgroup's or the lane's own that it leads to;
	// own is false where it leads to other memory.
	Own(w *simt.Wave, lane int, addr uint64) (offset uint64, own bool, err error)
	// Register is what gdb is shown of a register, in memory that stays; known is false if it is shown none
	// of the name.
	Register(w *simt.Wave, lane int, name string) (contents []byte, known bool, err error)
}

// An Env is one of a lane's frames, for expressions. It implements cexpr.Env and cexpr.Writer. Memory is what
// gdb reads with the lane selected.
type Env struct {
	frames.Env
	// Scopes are the function and the blocks in it that are executed, innermost last.
	Scopes []*dwarf.DIE

	session Session
	data    *dwarf.Data
	wave    *simt.Wave
	lane    int
}

// At finds a frame of a lane, by the level that gdb gives it: the innermost is 0, and a call that was inlined
// has a frame of its own. Frame is nil if there is none. data is the program's debugging information, or nil.
func At(s Session, f *frames.Finder, data *dwarf.Data, w *simt.Wave, lane, level int) *Env {
	e := &Env{session: s, data: data, wave: w, lane: lane}
	e.Finder, e.ReadAt = f, func(addr uint64, p []byte) (int, error) { return s.ReadMemory(w, lane, addr, p) }
	list := f.Of(w, lane)
	for i := range list {
		if i > 0 && f.Layout.InCaller(list[i].Scope()) {
			break // gdb does not show what enters a kernel's body
		}
		e.Frame, e.Scopes = &list[i], nil
		if u := e.Unit(); u != nil {
			e.Scopes = u.ScopesAt(list[i].Scope())
		}
		for {
			inlined := names.InnermostCall(e.Scopes, f.Layout)
			if level == 0 {
				e.Scopes = e.Scopes[max(inlined, 0):] // what is around belongs to the frame outside
				return e
			}
			if level--; inlined < 0 {
				break
			}
			e.Scopes = e.Scopes[:inlined]
		}
	}
	e.Frame, e.Scopes = nil, nil
	return e
}

// PointerTo implements cexpr.Writer.
func (e *Env) PointerTo(t *dwarf.DIE, addr uint64) (uint64, error) {
	if _, narrow := e.Model().Narrow(t); !narrow || e.Frame == nil {
		return addr, nil
	}
	if addr == 0 {
		return e.Model().Null, nil
	}
	offset, own, err := e.session.Own(e.wave, e.lane, addr)
	if err != nil {
		return 0, err
	}
	if !own || e.Pointer(t, offset) != addr {
		return 0, fmt.Errorf("a pointer of this type does not lead to %#x", addr)
	}
	return offset, nil
}

// Write implements cexpr.Writer: as gdb writes with the lane selected.
func (e *Env) Write(addr uint64, p []byte) error {
	return e.session.WriteMemory(e.wave, e.lane, addr, p)
}

// Register implements cexpr.Env: a register of the GPU, one that the machine knows by a name, or any that gdb
// is shown.
func (e *Env) Register(name string) (cexpr.Value, error) {
	if e.Frame == nil {
		return cexpr.Value{}, errors.New("no frame")
	}
	r, file, ok := frames.RegisterNamed(e.Frame.Registers.Files(), name)
	if !ok {
		r, file, ok = frames.OwnRegister(e.Frame.Registers, name)
	}
	if ok {
		b := make([]byte, file.Bits/8)
		if err := e.Frame.Registers.Read(r, e.lane, b); err != nil {
			return cexpr.Value{}, fmt.Errorf("register %s is not available", name)
		}
		return registerValue(b), nil
	}
	if name == "pc" {
		return cexpr.Integer(64, false, e.Frame.PC), nil
	}
	b, known, err := e.session.Register(e.wave, e.lane, name)
	switch {
	case !known:
		return cexpr.Value{}, fmt.Errorf("no register %s", name)
	case err != nil:
		return cexpr.Value{}, fmt.Errorf("register %s is not available", name)
	}
	return registerValue(b), nil
}

// registerValue makes an unsigned integer of a register, or an array of those that are wider.
func registerValue(b []byte) cexpr.Value {
	switch len(b) {
	case 1, 2, 4, 8:
		v := uint64(0)
		for i := len(b) - 1; i >= 0; i-- {
			v = v<<8 | uint64(b[i])
		}
		return cexpr.Integer(8*len(b), false, v)
	}
	return cexpr.Words(b)
}

// Unit is the unit of the code that the lane is in, or nil.
func (e *Env) Unit() *dwarf.Unit {
	if e.data == nil || e.Frame == nil {
		return nil
	}
	return e.data.UnitAt(e.Frame.Scope())
}

// object finds a variable in the frame: where it has an address, that which gdb has for it.
func (e *Env) object(d *dwarf.DIE) (cexpr.Value, error) {
	if v, ok := frames.Constant(d); ok {
		return v, nil
	}
	if e.Frame == nil {
		return cexpr.Value{}, frames.ErrGone
	}
	if addr, ok := e.Finder.Symbols.InPrologue(d, e.Frame.Scope()); ok {
		return cexpr.Value{Type: d.TypeDIE(), InMemory: true, Addr: addr}, nil
	}
	location := e.Finder.Symbols.Lost[d]
	if location == nil {
		var ok bool
		if location, ok = frames.LocationAt(e.Finder.Arch, d, e.Frame.Scope()); !ok {
			return cexpr.Value{}, frames.ErrGone
		}
	}
	return e.Located(d.TypeDIE(), e.Finder.SlotOf(d, location))
}
