package rows

import (
	"unsafe"

	"simtgdb/simt"
)

// A Teller gives an observer the records that code leaves of loads ([simt.Postponer]), of one run after the
// other.
type Teller struct {
	PC func(inst int32) uint64 // where an instruction of the code is, by its number

	loads simt.LateLoads
	code  *Code
	tell  func(r *simt.LoadRecord, each func(a *simt.Access)) // of the records of a code
	told  *Code
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

// Tell gives the records that have been left, and keeps them in a Told, if there is one.
func (t *Teller) Tell(x *Context, keep *Told) {
	if x.Telling == 0 {
		return
	}
	keep.Records(t.loads.Left(x.LateAt))
	t.loads.Tell(x.LateAt, t.tells())
}

// Left tells of records that have been left elsewhere: later, or at once if that is to be.
func (t *Teller) Left(x *Context, m *simt.Machine, records []simt.LoadRecord) {
	if len(records) == 0 {
		return
	}
	if x.Telling != 0 {
		if upTo, ok := t.loads.Put(x.LateAt, records); ok {
			x.LateAt = upTo
			t.Tell(x, nil)
			return
		}
	}
	for i := range records {
		t.tells()(&records[i], func(a *simt.Access) {
			a.Wave = t.loads.Wave
			m.Note(a)
		})
	}
}

// tells makes accesses of records of the code.
func (t *Teller) tells() func(r *simt.LoadRecord, each func(a *simt.Access)) {
	if t.told != t.code {
		t.told, t.tell = t.code, tells(t.code.Tells, t.PC)
	}
	return t.tell
}

// tells makes accesses of records, of all of a segment in the order of its loads.
func tells(tells []Tell, pc func(inst int32) uint64) func(r *simt.LoadRecord, each func(a *simt.Access)) {
	var rows []*simt.LoadRecord // of the segment, so far
	return func(r *simt.LoadRecord, each func(a *simt.Access)) {
		t := &tells[r.Site]
		rows = append(rows[:t.At], r)
		if !t.Last {
			return
		}
		var addr [simt.MaxLanes]uint64
		for i := range t.All {
			o, of := t.All[i].Op, rows[t.Rows[i]]
			row := (*[2 * len(r.Rows)]uint32)(unsafe.Pointer(&of.Rows))
			for l := range addr {
				addr[l] = uint64(row[l] + uint32(o.Offset))
			}
			each(&simt.Access{PC: pc(t.All[i].Inst), Space: simt.LDS, Read: true, Size: o.Size,
				Lanes: of.Lanes, Addr: &addr})
		}
	}
}
