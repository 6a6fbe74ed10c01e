package x86

import (
	"unsafe"

	"simtgdb/simt"
	"simtgdb/simt/native"
	"simtgdb/simt/rows/regions"
)

// A NoteAccess is a load or store of a unit, with the unit's address.
type NoteAccess struct {
	At uint32
	Op *regions.Op
}

// A Tell is a load of some channels from First on, whose addresses, for so many of them, records have.
type Tell struct {
	NoteAccess
	First, Lanes uint8
}

// NoteBit is the bit of a kind of accesses in Context.Noted.
func NoteBit(space regions.Space, write bool) uint32 {
	if write {
		return 2 << (2 * space)
	}
	return 1 << (2 * space)
}

// note lets those who want to know of an access have a look before it happens: code leaves, and comes back if
// that was all. No vector register holds anything then.
func (t *translator) note(u *regions.Unit, o *regions.Op) {
	t.Load(native.W32, native.RAX, t.field(unsafe.Offsetof(t.x.Noted)))
	if o.Access.Block != nil && o.Access.Space == regions.Shared && o.Kind == regions.Load { // has no record
		t.OpMem(native.OR, native.W32, native.RAX, t.field(unsafe.Offsetof(t.x.Telling)))
	}
	t.OpImm(native.AND, native.W32, native.RAX, int32(NoteBit(o.Access.Space, o.Kind == regions.Store)))
	t.notes = append(t.notes, NoteAccess{u.At, o})
	n := len(t.notes)
	leave, again, on := t.NewLabel(), t.NewLabel(), t.NewLabel()
	t.Jcc(native.NE, leave)
	t.Set(on)
	t.stubs = append(t.stubs, func() {
		t.Set(leave)
		t.LeaLabel(native.RAX, again)
		t.Store(native.W64, t.field(unsafe.Offsetof(t.x.entry)), native.RAX)
		t.OpImm(native.ADD, native.W64, regBudget, u.Insts)
		t.StoreImm(native.W64, t.field(unsafe.Offsetof(t.x.Go)), 1)
		t.StoreImm(native.W64, t.field(unsafe.Offsetof(t.x.note)), int32(n))
		t.MovImm(native.RAX, uint64(u.At))
		t.Jmp(t.leave)
		t.Set(again)
		t.OpImm(native.SUB, native.W64, regBudget, u.Insts)
		t.Jmp(on)
	})
}

// tellLater makes a record of a load of shared memory that has been checked. It uses RCX and RSI.
func (t *translator) tellLater(u *regions.Unit, o *regions.Op, a *accessing) {
	t.tells = append(t.tells, Tell{NoteAccess{u.At, o}, o.First, o.Lanes})
	site := len(t.tells) - 1
	told, back := t.NewLabel(), t.NewLabel()
	t.OpMemImm(native.CMP, native.W32, t.field(unsafe.Offsetof(t.x.Telling)), 0)
	t.Jcc(native.NE, told)
	t.Set(back)
	t.stubs = append(t.stubs, func() {
		var r simt.LoadRecord
		at := func(offset uintptr) native.Mem { return native.Mem{Base: native.RCX, Disp: int32(offset)} }
		t.Set(told)
		t.Load(native.W64, native.RCX, t.field(unsafe.Offsetof(t.x.LateAt)))
		t.OpMem(native.CMP, native.W64, native.RCX, t.field(unsafe.Offsetof(t.x.LateEnd)))
		t.Jcc(native.AE, a.bail)
		t.StoreImm(native.W64, at(unsafe.Offsetof(r.Site)), int32(site))
		t.Store(native.W64, at(unsafe.Offsetof(r.Active)), regExec)
		if a.some {
			t.Mov(native.W32, native.RSI, regMask)
		} else {
			t.MovImm(native.RSI, 1<<o.Lanes-1)
		}
		if o.First != 0 {
			t.ShiftImm(native.SHL, native.W64, native.RSI, o.First)
		}
		t.Store(native.W64, at(unsafe.Offsetof(r.Lanes)), native.RSI)
		for k := int32(0); k < 4*int32(o.Lanes); k += 8 {
			t.Load(native.W64, native.RSI, fileAt(o.Access.Addresses+k))
			t.Store(native.W64, at(unsafe.Offsetof(r.Rows)+uintptr(k)), native.RSI)
		}
		t.OpMemImm(native.ADD, native.W64, t.field(unsafe.Offsetof(t.x.LateAt)), int32(unsafe.Sizeof(r)))
		t.Jmp(back)
	})
}
