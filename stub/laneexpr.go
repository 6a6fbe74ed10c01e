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

// A laneEnv is a lane's innermost frame, for expressions that monitor lanes print evaluates. It implements
// cexpr.Env. Addresses are those that gdb has for the lane.
type laneEnv struct {
	session *Session
	wave    *simt.Wave
	lane    int
	frame   *unwind.Frame // nil where there is none
}

func (s *Session) laneEnv(w *simt.Wave, lane int) *laneEnv {
	e := &laneEnv{session: s, wave: w, lane: lane}
	if list := s.frames.of(w, lane); len(list) > 0 {
		e.frame = &list[0]
	}
	return e
}

// laneValue is the text of the value that an expression has in a lane, of a register in hexadecimal if no
// format is given; in angle brackets, why it has none.
func (s *Session) laneValue(e *cexpr.Expr, w *simt.Wave, lane int, format byte) string {
	env := s.laneEnv(w, lane)
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
// where gdb
// sees that memory.
func (e *laneEnv) Pointer(t *dwarf.DIE, v uint64) uint64 {
	if _, narrow := e.Model().Narrow(t); !narrow || e.frame == nil {
		return v
	}
	class, _ := t.Uint(dwarf.AttrAddressClass)
	fs := e.session.frames
	if addr, ok := fs.visible(e.frame, expr.Addr{Space: fs.arch.ClassSpace(class), Address: v,
		Lane: e.lane}); ok {
		return addr
	}
	return v
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

// Variable implements cexpr.Env: the variable of a name that is visible at the frame's pc, the innermost
// scope's first, then those of the unit; else an enumerator of the unit.
func (e *laneEnv) Variable(name string) (cexpr.Value, error) {
	gone := fmt.Errorf("no variable %s here", name)
	u := e.unit()
	if u == nil {
		return cexpr.Value{}, gone
	}
	scopes := u.ScopesAt(e.frame.PC)
	for i := len(scopes) - 1; i >= 0; i-- {
		if d := namedIn(scopes[i], name, dwarf.TagVariable, dwarf.TagFormalParameter); d != nil {
			return e.object(d)
		}
		if scopes[i].Tag == dwarf.TagInlinedSubroutine {
			break // what is around it belongs to the frame outside
		}
	}
	root, err := u.Root()
	if err != nil {
		return cexpr.Value{}, gone
	}
	if d := namedIn(root, name, dwarf.TagVariable); d != nil {
		return e.object(d)
	}
	for _, t := range root.Children {
		if t.Tag != dwarf.TagEnumerationType {
			continue
		}
		if d := namedIn(t, name, dwarf.TagEnumerator); d != nil {
			v, _ := d.Int(dwarf.AttrConstValue)
			return cexpr.Integer(32, true, uint64(v)), nil
		}
	}
	return cexpr.Value{}, gone
}

// unit is the unit of the code that the lane is in, or nil.
func (e *laneEnv) unit() *dwarf.Unit {
	data := e.session.prog.Source.Data
	if data == nil || e.frame == nil {
		return nil
	}
	return data.UnitAt(e.frame.PC)
}

// Type implements cexpr.Env: types of the functions around the pc, then of the unit.
func (e *laneEnv) Type(name string, tags []dwarf.Tag) *dwarf.DIE {
	u := e.unit()
	if u == nil {
		return nil
	}
	if tags == nil {
		tags = []dwarf.Tag{dwarf.TagTypedef, dwarf.TagBaseType, dwarf.TagStructureType, dwarf.TagClassType,
			dwarf.TagUnionType, dwarf.TagEnumerationType}
	}
	scopes := u.ScopesAt(e.frame.PC)
	for i := len(scopes) - 1; i >= 0; i-- {
		if d := namedIn(scopes[i], name, tags...); d != nil {
			return d
		}
	}
	root, err := u.Root()
	if err != nil {
		return nil
	}
	return namedIn(root, name, tags...)
}

// isType reports whether a name is a type where the lane stands, and no variable.
func (e *laneEnv) isType(name string) bool {
	if e.Type(name, nil) == nil {
		return false
	}
	_, err := e.Variable(name)
	return err != nil
}

// namedIn finds a child of a name and one of the tags. Declarations, which say nothing of size and place, are
// passed over.
func namedIn(scope *dwarf.DIE, name string, tags ...dwarf.Tag) *dwarf.DIE {
	for _, d := range scope.Children {
		for _, t := range tags {
			if d.Tag == t && d.Name() == name && !d.Flag(dwarf.AttrDeclaration) {
				return d
			}
		}
	}
	return nil
}

// object finds a variable in the frame: where it has an address, that which gdb has for it.
func (e *laneEnv) object(d *dwarf.DIE) (cexpr.Value, error) {
	if v, ok := d.Int(dwarf.AttrConstValue); ok {
		return cexpr.Value{Type: d.TypeDIE(), Data: le64(uint64(v))}, nil
	}
	if addr, ok := e.session.symbols.InPrologue(d, e.frame.PC); ok {
		return cexpr.Value{Type: d.TypeDIE(), InMemory: true, Addr: addr}, nil
	}
	location, ok := locationAt(d, e.frame.PC)
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
	slot := &symfile.Slot{Name: d.Name(), Unit: d.Unit, Expr: location, FrameBase: symfile.FrameBase(d), Size: size}
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
