package rows

import (
	"unsafe"

	"simtgdb/simt"
)

// A Teller gives an observer the records that code leaves of loads ([simt.Postponer]), of one run after the
// other.
type Teller struct {
	to   simt.Postponer
	w    *simt.Wave
	from uintptr // where the records begin that nobody has been told of
	code *Code
}

// Begin lets code leave records of a wave's loads of shared memory, if they were to be noted and somebody may
// be told of them later.
func (t *Teller) Begin(x *Context, m *simt.Machine, w *simt.Wave, code *Code) {
	t.to, t.w, t.code, x.Telling = nil, w, code, 0
	bit := NoteBit(Shared, false)
	if x.Noted&bit == 0 || len(code.Tells) == 0 {
		return
	}
	to, room := m.Postpones(w, simt.LDS)
	if to == nil {
		return
	}
	x.Noted &^= bit
	t.to, x.Telling = to, 1
	t.from = uintptr(unsafe.Pointer(unsafe.SliceData(room)))
	x.LateAt, x.LateEnd = t.from, t.from+uintptr(len(room))*unsafe.Sizeof(room[0])
}

// Again is Begin once observers have been told of something else.
func (t *Teller) Again(x *Context, m *simt.Machine) {
	if x.Telling != 0 {
		x.Noted |= NoteBit(Shared, false)
		t.Begin(x, m, t.w, t.code)
	}
}

// Tell gives the records that have been left. pc is where an instruction is, by its number.
func (t *Teller) Tell(x *Context, pc func(inst int32) uint64) {
	if x.Telling == 0 || x.LateAt == t.from {
		return
	}
	n := int((x.LateAt - t.from) / unsafe.Sizeof(simt.LoadRecord{}))
	t.from = x.LateAt
	tells := t.code.Tells
	t.to.Loaded(t.w, simt.LDS, n, func(r *simt.LoadRecord, each func(a *simt.Access)) {
		o := tells[r.Site].Op
		row := (*[2 * len(r.Rows)]uint32)(unsafe.Pointer(&r.Rows))
		var addr [simt.MaxLanes]uint64
		for l := range addr {
			addr[l] = uint64(row[l] + uint32(o.Offset))
		}
		each(&simt.Access{PC: pc(tells[r.Site].Inst), Space: simt.LDS, Read: true, Size: o.Size,
			Lanes: r.Lanes, Addr: &addr})
	})
}
