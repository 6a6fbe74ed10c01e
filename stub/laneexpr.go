package stub

import (
	"bytes"
	"errors"
	"fmt"

	"simtgdb/dwarf"
	"simtgdb/simt"
	"simtgdb/stub/cexpr"
	"simtgdb/stub/frames"
	"simtgdb/stub/names"
	"simtgdb/stub/threads"
)

// A laneEnv is one of a lane's frames, for expressions that monitor lanes print evaluates. It implements
// cexpr.Env. Memory is what gdb reads with the lane selected.
type laneEnv struct {
	frames.Env
	session *Session
	wave    *simt.Wave
	lane    int
	scopes  []*dwarf.DIE // the function and the blocks in it that are executed, innermost last
}

// laneEnv finds a frame of a lane, by the level that gdb gives it: the innermost is 0, and a call that was
// inlined has a frame of its own.
func (s *Session) laneEnv(w *simt.Wave, lane, level int) *laneEnv {
	e := &laneEnv{session: s, wave: w, lane: lane}
	e.Finder, e.ReadAt = s.frames, func(addr uint64, p []byte) (int, error) {
		return s.ReadMemory(threads.Of(w, lane), addr, p)
	}
	list := s.frames.Of(w, lane)
	for i := range list {
		if i > 0 && s.frames.Layout.InCaller(list[i].Scope()) {
			break // gdb does not show what enters a kernel's body
		}
		e.Frame, e.scopes = &list[i], nil
		if u := e.unit(); u != nil {
			e.scopes = u.ScopesAt(list[i].Scope())
		}
		for {
			inlined := names.InnermostCall(e.scopes, s.frames.Layout)
			if level == 0 {
				e.scopes = e.scopes[max(inlined, 0):] // what is around belongs to the frame outside
				return e
			}
			if level--; inlined < 0 {
				break
			}
			e.scopes = e.scopes[:inlined]
		}
	}
	e.Frame, e.scopes = nil, nil
	return e
}

// laneValue is the text of the value that an expression has in a lane, of a register in hexadecimal if no
// format is given and it is not one that says where the lane is; in angle brackets, why it has none.
func (s *Session) laneValue(e *cexpr.Expr, w *simt.Wave, lane, level int, format byte) string {
	env := s.laneEnv(w, lane, level)
	if env.Frame == nil && level > 0 {
		return fmt.Sprintf("<no frame %d>", level)
	}
	v, err := e.Eval(env)
	text := ""
	if name := e.Register(); name != "" && format == 0 && !isIdentity(name) {
		format = 'x'
	}
	if err == nil {
		text, err = v.Text(env, format)
	}
	if err != nil {
		return "<" + err.Error() + ">"
	}
	return text
}

// PointerTo implements cexpr.Writer.
func (e *laneEnv) PointerTo(t *dwarf.DIE, addr uint64) (uint64, error) {
	if _, narrow := e.Model().Narrow(t); !narrow || e.Frame == nil {
		return addr, nil
	}
	if addr == 0 {
		return e.Model().Null, nil
	}
	own, err := e.session.ownAt(threads.Of(e.wave, e.lane), addr)
	if err != nil {
		return 0, err
	}
	if own.kind == 0 || e.Pointer(t, own.offset) != addr {
		return 0, fmt.Errorf("a pointer of this type does not lead to %#x", addr)
	}
	return own.offset, nil
}

// Write implements cexpr.Writer: as gdb writes with the lane selected.
func (e *laneEnv) Write(addr uint64, p []byte) error {
	return e.session.WriteMemory(threads.Of(e.wave, e.lane), addr, p)
}

// Register implements cexpr.Env: a register of the GPU, one that the machine knows by a name, or any that gdb
// is shown.
func (e *laneEnv) Register(name string) (cexpr.Value, error) {
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
		return registerValue(le64(e.Frame.PC)), nil
	}
	for i := range e.session.registers {
		if r := &e.session.registers[i]; r.name == name && r.get != nil {
			b, err := e.session.contentsOf(e.wave, e.lane, r)
			if err != nil {
				return cexpr.Value{}, fmt.Errorf("register %s is not available", name)
			}
			return registerValue(bytes.Clone(b)), nil
		}
	}
	return cexpr.Value{}, fmt.Errorf("no register %s", name)
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

// unit is the unit of the code that the lane is in, or nil.
func (e *laneEnv) unit() *dwarf.Unit {
	data := e.session.prog.Source.Data
	if data == nil || e.Frame == nil {
		return nil
	}
	return data.UnitAt(e.Frame.Scope())
}

// object finds a variable in the frame: where it has an address, that which gdb has for it.
func (e *laneEnv) object(d *dwarf.DIE) (cexpr.Value, error) {
	if v, ok := frames.Constant(d); ok {
		return v, nil
	}
	if e.Frame == nil {
		return cexpr.Value{}, frames.ErrGone
	}
	if addr, ok := e.session.symbols.InPrologue(d, e.Frame.Scope()); ok {
		return cexpr.Value{Type: d.TypeDIE(), InMemory: true, Addr: addr}, nil
	}
	location := e.session.symbols.Lost[d]
	if location == nil {
		var ok bool
		if location, ok = frames.LocationAt(e.Finder.Arch, d, e.Frame.Scope()); !ok {
			return cexpr.Value{}, frames.ErrGone
		}
	}
	return e.Located(d.TypeDIE(), e.Finder.SlotOf(d, location))
}
