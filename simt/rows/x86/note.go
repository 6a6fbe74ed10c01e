package x86

import (
	"unsafe"

	"simtgdb/simt/native"
	"simtgdb/simt/rows"
)

// A Note is accesses to memory that is not private, of a segment of code: all have been checked, and none has
// happened.
type Note []NoteAccess

// A NoteAccess is one of them, with the machine's number of its instruction.
type NoteAccess struct {
	Inst int32
	Op   *rows.Op
}

// NoteBit is the bit of a kind of accesses in Context.Noted.
func NoteBit(space rows.Space, write bool) uint32 {
	if write {
		return 2 << (2 * space)
	}
	return 1 << (2 * space)
}

// note lets those who want to know of a segment's accesses have a look: code leaves, and comes back if that
// was all.
func (t *translator) note(u *rows.Unit, s rows.Segment, rest, run int32) {
	var all Note
	bits := uint32(0)
	for i := s.First; i < s.Last; i++ {
		in := &u.Insts[i]
		number := u.At + int32(i)
		if u.Moved {
			number = in.Number
		}
		for k := range in.Ops {
			o := &in.Ops[k]
			if g, ok := o.Checked(); ok && g.Space < rows.Private {
				all = append(all, NoteAccess{number, o})
				bits |= NoteBit(g.Space, g.Write)
			}
		}
	}
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
		t.Store(native.W64, t.field(unsafe.Offsetof(t.x.entry)), native.RAX)
		t.OpImm(native.ADD, native.W64, regBudget, rest)
		t.StoreImm(native.W64, t.field(unsafe.Offsetof(t.x.Go)), run)
		t.StoreImm(native.W64, t.field(unsafe.Offsetof(t.x.note)), int32(n))
		t.MovImm(native.RAX, uint64(u.At+int32(s.First)))
		t.Jmp(t.leave)
		t.Set(again)
		t.OpImm(native.SUB, native.W64, regBudget, rest)
		t.Jmp(on)
	})
}
