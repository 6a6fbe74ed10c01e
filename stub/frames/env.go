package frames

import (
	"encoding/binary"
	"errors"
	"fmt"

	"simtgdb/dwarf"
	"simtgdb/dwarf/expr"
	"simtgdb/dwarf/types"
	"simtgdb/simt"
	"simtgdb/stub/arch"
	"simtgdb/stub/cexpr"
	"simtgdb/stub/symfile"
	"simtgdb/stub/threads"
	"simtgdb/stub/unwind"
)

// A laneFrame is one of a lane's frames, as expressions see it: the objects in it and the memory behind them.
// It is what the environments of expressions have in common, and implements what of cexpr.Env does not depend
// on what names mean. Addresses are those of frames.visible.
type Env struct {
	Finder *Finder
	Frame  *unwind.Frame // nil where there is none
	// read reads what lies at an address, as the lane sees it.
	ReadAt func(addr uint64, p []byte) (int, error)
}

// ErrGone says that a variable has no value where the lane stands.
var ErrGone = errors.New("optimized out")

// Model implements cexpr.Env.
func (e *Env) Model() types.Model { return e.Finder.Arch.Model() }

// Read implements cexpr.Env.
func (e *Env) Read(addr uint64, p []byte) error {
	n, err := e.ReadAt(addr, p)
	if err != nil || n < len(p) {
		return fmt.Errorf("cannot read %d bytes at %#x", len(p), addr)
	}
	return nil
}

// Pointer implements cexpr.Env: a pointer into an address space that is narrower than addresses leads to
// where gdb sees that memory.
func (e *Env) Pointer(t *dwarf.DIE, v uint64) uint64 {
	if _, narrow := e.Model().Narrow(t); !narrow || e.Frame == nil {
		return v
	}
	if v == e.Model().Null {
		return 0
	}
	class, _ := t.Uint(dwarf.AttrAddressClass)
	space := e.Finder.Arch.ClassSpace(class)
	if addr, ok := e.Finder.Visible(e.Frame, expr.Addr{Space: space, Address: v, Lane: e.Frame.Lane}); ok {
		return addr
	}
	return v
}

// Constant is the value of a variable that the compiler has made a constant of.
func Constant(d *dwarf.DIE) (cexpr.Value, bool) {
	v, ok := d.Int(dwarf.AttrConstValue)
	return cexpr.Value{Type: d.TypeDIE(), Data: binary.LittleEndian.AppendUint64(nil, uint64(v))}, ok
}

// SlotOf says of a variable what it takes to evaluate its location.
func (fs *Finder) SlotOf(d *dwarf.DIE, location []byte) *symfile.Slot {
	m, t := fs.Arch.Model(), d.TypeDIE()
	slot := &symfile.Slot{Name: d.Name(), Unit: d.Unit, Expr: location, FrameBase: symfile.FrameBase(d),
		Size: m.Size(t)}
	if plain := types.Strip(t); plain != nil {
		if _, narrow := m.Narrow(plain); narrow {
			slot.Pointers = 1
		}
	}
	return slot
}

// LocationAt is the expression of a variable's location at a pc, if it has one there.
func LocationAt(a arch.Arch, d *dwarf.DIE, pc uint64) (location []byte, ok bool) {
	at, ok := d.Attr(dwarf.AttrLocation)
	if !ok {
		return nil, false
	}
	locs, err := symfile.Locations(a, d, at)
	if err != nil {
		return nil, false
	}
	for _, l := range locs {
		if l.Default || pc >= l.Low && pc < l.High {
			return l.Expr, len(l.Expr) > 0
		}
	}
	return nil, false
}

// maxRegisters bounds how large an object in registers can be.
const maxRegisters = 1 << 16

// Located is a variable in the frame: in memory where it has an address.
func (e *Env) Located(t *dwarf.DIE, slot *symfile.Slot) (cexpr.Value, error) {
	loc, ctx, err := e.Finder.Locate(e.Frame, slot)
	if err != nil {
		return cexpr.Value{}, ErrGone
	}
	if a, ok := loc.Address(); ok {
		if addr, ok := e.Finder.Visible(e.Frame, a); ok {
			return cexpr.Value{Type: t, InMemory: true, Addr: addr}, nil
		}
	}
	if slot.Size == 0 || slot.Size > maxRegisters {
		return cexpr.Value{}, fmt.Errorf("%d bytes", slot.Size)
	}
	b, err := loc.Read(ctx, 0, 8*slot.Size)
	if err != nil {
		return cexpr.Value{}, ErrGone
	}
	return cexpr.Value{Type: t, Data: b}, nil
}

// OwnPlace is what an address leads to in the lane of a frame: memory of its own or of its workgroup, or
// global memory; false for another lane's.
func (fs *Finder) OwnPlace(f *unwind.Frame, addr uint64) (space simt.Space, at uint64, ok bool) {
	switch kind, owner, offset := fs.Split(addr); kind {
	case threads.LDSWindow:
		return simt.LDS, offset, true
	case threads.ScratchWindow:
		return simt.Scratch, offset, uint64(owner) == uint64(threads.Of(f.Wave, f.Lane))&fs.OwnerMask()
	}
	if space, at, ok = fs.Arch.Aperture(addr); ok {
		return space, at, true
	}
	return simt.Global, addr, true
}

// ReadFor reads what lies at an address, as the lane of a frame sees it.
func (fs *Finder) ReadFor(f *unwind.Frame, addr uint64, p []byte) (int, error) {
	space, at, ok := fs.OwnPlace(f, addr)
	switch {
	case !ok:
		return 0, errors.New("another lane's memory")
	case space == simt.Global:
		return fs.memory.Read(at, p)
	}
	return threads.ReadOwn(threads.WindowOf(space), f.Wave, f.Lane, at, p)
}
