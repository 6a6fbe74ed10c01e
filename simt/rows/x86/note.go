package x86

import (
	"unsafe"

	"simtgdb/simt/native"
	"simtgdb/simt/rows"
)

// note lets those who want to know of a segment's accesses have a look: code leaves, and comes back if that
// was all.
func (t *translator) note(u *rows.Unit, s rows.Segment, rest, run int32) {
	all, bits := u.Noted(s)
	if bits == 0 {
		return
	}
	t.notes = append(t.notes, all)
	n := len(t.notes)
	leave, again, on := t.NewLabel(), t.NewLabel(), t.NewLabel()
	t.Load(native.W32, native.RAX, t.field(unsafe.Offsetof(t.x.Noted)))
	t.OpImm(native.AND, native.W32, native.RAX, int32(bits))
	t.Jcc(native.NE, leave)
	t.Set(on)
	t.stubs = append(t.stubs, func() {
		t.Set(leave)
		t.LeaLabel(native.RAX, again)
		t.Store(native.W64, t.field(unsafe.Offsetof(t.x.Entry)), native.RAX)
		t.OpImm(native.ADD, native.W64, regBudget, rest)
		t.StoreImm(native.W64, t.field(unsafe.Offsetof(t.x.Go)), run)
		t.StoreImm(native.W64, t.field(unsafe.Offsetof(t.x.Told)), int32(n))
		t.MovImm(native.RAX, uint64(u.At+int32(s.First)))
		t.Jmp(t.leave)
		t.Set(again)
		t.OpImm(native.SUB, native.W64, regBudget, rest)
		t.Jmp(on)
	})
}
