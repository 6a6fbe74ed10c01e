package rows

import (
	"unsafe"

	"simtgdb/simt"
)

// A Teller gives an observer the records that code leaves of loads ([simt.Postponer]), of one run after the
// other.
type Teller struct {
	loads simt.LateLoads
	code  *Code
}

// Begin lets code leave records of a wave's loads of shared memory, if they were to be noted and somebody may
// be told of them later.
func (t *Teller) Begin(x *Context, m *simt.Machine, w *simt.Wave, code *Code) {
	t.code, t.loads, x.Telling = code, simt.LateLoads{Wave: w}, 0
	bit := NoteBit(Shared, false)
	if x.Noted&bit == 0 || len(code.Tells) == 0 {
		return
	}
	at, end, ok := t.loads.Begin(m, w)
	if !ok {
		return
	}
	x.Noted &^= bit
	x.Telling, x.LateAt, x.LateEnd = 1, at, end
}

// Again is Begin once observers have been told of something else.
func (t *Teller) Again(x *Context, m *simt.Machine) {
	if x.Telling != 0 {
		x.Noted |= NoteBit(Shared, false)
		t.Begin(x, m, t.loads.Wave, t.code)
	}
}

// Tell gives the records that have been left. pc is where an instruction is, by its number.
func (t *Teller) Tell(x *Context, pc func(inst int32) uint64) {
	if x.Telling == 0 {
		return
	}
	tells := t.code.Tells
	t.loads.Tell(x.LateAt, func(r *simt.LoadRecord, each func(a *simt.Access)) {
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
