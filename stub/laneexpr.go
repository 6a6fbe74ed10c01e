package stub

import (
	"bytes"
	"errors"
	"fmt"

	"simtgdb/dwarf"
	"simtgdb/dwarf/expr"
	"simtgdb/dwarf/types"
	"simtgdb/simt"
	"simtgdb/stub/cexpr"
	"simtgdb/stub/symfile"
	"simtgdb/stub/unwind"
)

// A laneEnv is one of a lane's frames, for expressions that monitor lanes print evaluates. It implements
// cexpr.Env. Addresses are those that gdb has for the lane.
type laneEnv struct {
	session *Session
	wave    *simt.Wave
	lane    int
	frame   *unwind.Frame // nil where there is none
	scopes  []*dwarf.DIE  // the function and the blocks in it that are executed, innermost last
}

// laneEnv finds a frame of a lane, by the level that gdb gives it: the innermost is 0, and a call that was
// inlined
// has a frame of its own.
func (s *Session) laneEnv(w *simt.Wave, lane, level int) *laneEnv {
	e := &laneEnv{session: s, wave: w, lane: lane}
	list := s.frames.of(w, lane)
	for i := range list {
		if i > 0 && s.frames.layout.InCaller(list[i].Scope()) {
			break // gdb does not show what enters a kernel's body
		}
		e.frame, e.scopes = &list[i], nil
		if u := e.unit(); u != nil {
			e.scopes = u.ScopesAt(list[i].Scope())
		}
		for {
			inlined := len(e.scopes) - 1
			for ; inlined >= 0; inlined-- {
				d := e.scopes[inlined]
				if d.Tag == dwarf.TagInlinedSubroutine && !s.frames.layout.IsInlinedBody(d) {
					break
				}
			}
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
	e.frame, e.scopes = nil, nil
	return e
}

// laneValue is the text of the value that an expression has in a lane, of a register in hexadecimal if no
// format is given; in angle brackets, why it has none.
func (s *Session) laneValue(e *cexpr.Expr, w *simt.Wave, lane, level int, format byte) string {
	env := s.laneEnv(w, lane, level)
	if env.frame == nil && level > 0 {
		return fmt.Sprintf("<no frame %d>", level)
	}
	v, err := e.Eval(env)
	text := ""
	if e.IsRegister() && format == 0 {
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

// Model implements cexpr.Env.
func (e *laneEnv) Model() types.Model { return e.session.frames.arch.Model() }

// Read implements cexpr.Env: what gdb reads with the lane selected.
func (e *laneEnv) Read(addr uint64, p []byte) error {
	n, err := e.session.ReadMemory(threadOf(e.wave, e.lane), addr, p)
	if err != nil || n < len(p) {
		return fmt.Errorf("cannot read %d bytes at %#x", len(p), addr)
	}
	return nil
}

// Pointer implements cexpr.Env: a pointer into an address space that is narrower than addresses leads to
// where gdb sees that memory.
func (e *laneEnv) Pointer(t *dwarf.DIE, v uint64) uint64 {
	if _, narrow := e.Model().Narrow(t); !narrow || e.frame == nil {
		return v
	}
	if v == e.Model().Null {
		return 0
	}
	class, _ := t.Uint(dwarf.AttrAddressClass)
	fs := e.session.frames
	if addr, ok := fs.visible(e.frame, expr.Addr{Space: fs.arch.ClassSpace(class), Address: v,
		Lane: e.lane}); ok {
		return addr
	}
	return v
}

// PointerTo implements cexpr.Writer.
func (e *laneEnv) PointerTo(t *dwarf.DIE, addr uint64) (uint64, error) {
	if _, narrow := e.Model().Narrow(t); !narrow || e.frame == nil {
		return addr, nil
	}
	if addr == 0 {
		return e.Model().Null, nil
	}
	own, err := e.session.ownAt(threadOf(e.wave, e.lane), addr)
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
	return e.session.WriteMemory(threadOf(e.wave, e.lane), addr, p)
}

// Register implements cexpr.Env: a register of the GPU, one that the machine knows by a name, or any that gdb
// is shown.
func (e *laneEnv) Register(name string) (cexpr.Value, error) {
	if e.frame == nil {
		return cexpr.Value{}, errors.New("no frame")
	}
	r, file, ok := registerNamed(e.frame.Registers.Files(), name)
	if !ok {
		r, file, ok = ownRegister(e.frame.Registers, name)
	}
	if ok {
		b := make([]byte, file.Bits/8)
		if err := e.frame.Registers.Read(r, e.lane, b); err != nil {
			return cexpr.Value{}, fmt.Errorf("register %s is not available", name)
		}
		return registerValue(b), nil
	}
	if name == "pc" {
		return registerValue(le64(e.frame.PC)), nil
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

// errGone says that a variable has no value where the lane stands.
var errGone = errors.New("optimized out")

// unit is the unit of the code that the lane is in, or nil.
func (e *laneEnv) unit() *dwarf.Unit {
	data := e.session.prog.Source.Data
	if data == nil || e.frame == nil {
		return nil
	}
	return data.UnitAt(e.frame.Scope())
}

// object finds a variable in the frame: where it has an address, that which gdb has for it.
func (e *laneEnv) object(d *dwarf.DIE) (cexpr.Value, error) {
	if v, ok := d.Int(dwarf.AttrConstValue); ok {
		return cexpr.Value{Type: d.TypeDIE(), Data: le64(uint64(v))}, nil
	}
	if e.frame == nil {
		return cexpr.Value{}, errGone
	}
	if addr, ok := e.session.symbols.InPrologue(d, e.frame.Scope()); ok {
		return cexpr.Value{Type: d.TypeDIE(), InMemory: true, Addr: addr}, nil
	}
	if lost := e.session.symbols.Lost[d]; lost != nil {
		return e.located(d, lost)
	}
	location, ok := locationAt(d, e.frame.Scope())
	if !ok {
		return cexpr.Value{}, errGone
	}
	return e.located(d, location)
}

// locationAt is the expression of a variable's location at a pc, if it has one there.
func locationAt(d *dwarf.DIE, pc uint64) (location []byte, ok bool) {
	a, ok := d.Attr(dwarf.AttrLocation)
	if !ok {
		return nil, false
	}
	locs, err := d.Unit.LocList(a)
	if err != nil {
		return nil, false
	}
	for _, l := range locs {
		if a.Class != dwarf.ClassLocList || l.Default || pc >= l.Low && pc < l.High {
			return l.Expr, len(l.Expr) > 0
		}
	}
	return nil, false
}

// maxRegisters bounds how large an object in registers can be.
const maxRegisters = 1 << 16

func (e *laneEnv) located(d *dwarf.DIE, location []byte) (cexpr.Value, error) {
	fs := e.session.frames
	t := d.TypeDIE()
	size := e.Model().Size(t)
	slot := &symfile.Slot{Name: d.Name(), Unit: d.Unit, Expr: location, FrameBase: symfile.FrameBase(d),
		Size: size}
	if _, narrow := e.Model().Narrow(types.Strip(t)); narrow {
		slot.Pointers = 1
	}
	loc, ctx, err := fs.locate(e.frame, slot)
	if err != nil {
		return cexpr.Value{}, errGone
	}
	if a, ok := loc.Address(); ok {
		if addr, ok := fs.visible(e.frame, a); ok {
			return cexpr.Value{Type: t, InMemory: true, Addr: addr}, nil
		}
	}
	if size == 0 || size > maxRegisters {
		return cexpr.Value{}, fmt.Errorf("%d bytes", size)
	}
	b, err := loc.Read(ctx, 0, 8*size)
	if err != nil {
		return cexpr.Value{}, errGone
	}
	return cexpr.Value{Type: t, Data: b}, nil
}
