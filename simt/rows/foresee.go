package rows

import (
	"math/bits"
	"slices"

	"simtgdb/simt"
	"simtgdb/simt/vec"
)

// Observers are told of waves in bulk one by one at first. Where one has made its accesses as the one before
// it, each of them some bytes further on, those behind it are compared with what it did, and observers are
// told of none that did so, too (simt.Foreseer).

// A Foresight compares waves that are executed in bulk, one after the other, for a Foreseer.
type Foresight struct {
	m    *simt.Machine
	by   simt.Foreseer
	last toldWave // of the waves of which all was told
	now  toldWave // the one that executes, if it is told of
	// alike says that the last did as the one before it, with rows that are further on by so much.
	alike bool
	apart []uint64

	compared bool   // the one that executes is, which is so many waves behind the last,
	behind   uint64 // and has made so many of the last one's accesses
	at       int
	granted  int // how many waves more, from it on, are foreseen,
	seen     int // and how many have been

	asks simt.Backoff
}

// A toldWave is what observers have been told of a wave.
type toldWave struct {
	id    int
	lanes uint64
	odd   bool // or something else as well
	all   []toldAccess
	rows  []toldRow
}

// A toldAccess is accesses of a Note, from one on, that were told of together.
type toldAccess struct {
	from  *NoteAccess
	count int
	calls []uint64
	loads *simt.Loads // nil for a store
	store simt.Access
	add   uint64 // to the addresses of that
	rows  int    // how many rows they have
}

// A toldRow is where a row of addresses lies: from one on, each a step further on than the one before it.
type toldRow struct {
	reg  int32
	at   uint64
	step uint64
}

// Begin is before waves of a machine are executed in bulk. Nothing is foreseen if nobody is told of them.
func (f *Foresight) Begin(m *simt.Machine, told bool) {
	if f.m, f.by = m, nil; told {
		f.by = m.Foreseer()
	}
}

// Wave begins the wave with an ID, which has some lanes; rest is how many there are from it on. It reports
// whether the wave is compared, so that it need not be told of.
func (f *Foresight) Wave(id int, lanes uint64, rest int) bool {
	f.at, f.compared = 0, false
	if f.by == nil {
		return false
	}
	follows := f.alike && id == f.last.id+int(f.behind)+1 && lanes == f.last.lanes
	if f.granted > 0 && !follows {
		f.End()
	}
	if f.granted == 0 && follows {
		f.ask(id, rest)
	}
	if f.compared = f.granted > 0; !f.compared {
		f.now = toldWave{id: id, lanes: lanes, all: f.now.all[:0], rows: f.now.rows[:0]}
	} else {
		f.behind++
	}
	return f.compared
}

// ask asks of how many waves, from one on, nothing need be told; not so often where that was in vain.
func (f *Foresight) ask(id, rest int) {
	if f.asks.Idle() {
		return
	}
	if f.granted = f.by.Foresee(id, rest); f.granted == 0 {
		f.asks.InVain()
	}
}

// End is before anybody else is told of anything.
func (f *Foresight) End() {
	if f.granted > 0 || f.seen > 0 {
		f.by.Foreseen(f.seen)
	}
	f.granted, f.seen, f.compared = 0, 0, false
}

// Ended is where the wave has come to its end. It reports whether that was foreseen: else it is told of, and
// Told is called then.
func (f *Foresight) Ended() bool {
	if !f.compared || f.at < len(f.last.all) {
		return false
	}
	f.seen++
	f.asks.Paid()
	if f.granted--; f.granted == 0 {
		f.End()
	}
	return true
}

// Told is where observers have been told of a wave up to its end. It finds out whether those behind it can be
// foreseen.
func (f *Foresight) Told() {
	if f.by == nil {
		return
	}
	if f.alike = f.behind == 0 && f.now.like(&f.last); f.alike {
		f.apart = f.apart[:0]
		for i := range f.now.rows {
			f.apart = append(f.apart, f.now.rows[i].at-f.last.rows[i].at)
		}
	}
	f.last, f.now, f.behind = f.now, f.last, 0
}

// like reports whether a wave has done what the one before it did, everywhere as far from each other.
func (t *toldWave) like(before *toldWave) bool {
	return !t.odd && !before.odd && t.id == before.id+1 && t.lanes == before.lanes &&
		slices.EqualFunc(t.all, before.all, func(a, b toldAccess) bool { return a.from == b.from }) &&
		slices.EqualFunc(t.rows, before.rows, func(a, b toldRow) bool { return a.step == b.step })
}

// Again is where the wave begins anew.
func (f *Foresight) Again() { f.at, f.now.odd = 0, true }

// Foresaw reports whether the accesses of a Note, in some lanes, are what was foreseen.
func (f *Foresight) Foresaw(n Note, active uint64, r []uint64, lanes int) bool {
	if !f.compared || active != f.last.lanes {
		return false
	}
	row, at := 0, f.at
	for _, t := range f.last.all[:at] {
		row += t.rows
	}
	for ; len(n) > 0; at++ {
		if at == len(f.last.all) || f.last.all[at].from != &n[0] {
			return false
		}
		t := &f.last.all[at]
		for range t.rows {
			of := &f.last.rows[row]
			if !of.is(r[int(of.reg)*lanes:][:lanes], f.behind*f.apart[row], active) {
				return false
			}
			row++
		}
		n = n[t.count:]
	}
	f.at = at
	return true
}

// is reports whether a row lies as another did, so many bytes further on.
func (t *toldRow) is(row []uint64, by, lanes uint64) bool {
	first := bits.TrailingZeros64(lanes)
	all := lanes >> first >> 1
	return row[first] == t.at+by && vec.Steps(row, t.step)>>first&all == all
}

// Tell is before observers are told of the wave that executes, if it is not: what they would have been told
// of it before is told of.
func (f *Foresight) Tell(w *simt.Wave) {
	if !f.compared {
		return
	}
	behind, at := f.behind, f.at
	f.behind--
	f.End()
	f.asks.InVain()
	f.now = toldWave{id: w.ID, odd: true, all: f.now.all[:0], rows: f.now.rows[:0]}
	row := 0
	for i := range f.last.all[:at] {
		t := &f.last.all[i]
		f.tellAgain(t, w, f.last.rows[row:row+t.rows], f.apart[row:], behind)
		row += t.rows
	}
}

// tellAgain tells of accesses that a wave has made as the last did.
func (f *Foresight) tellAgain(t *toldAccess, w *simt.Wave, of []toldRow, apart []uint64, behind uint64) {
	w.Regs.(*simt.BulkState).Calls = t.calls
	if t.loads == nil {
		a := t.store
		a.Wave = w
		f.m.NoteStride(&a, of[0].at+behind*apart[0]+t.add, uint32(of[0].step))
		return
	}
	var pieces [mostRows]simt.Piece
	first := bits.TrailingZeros64(f.last.lanes)
	for i := range of {
		p := simt.Piece{At: of[i].at + behind*apart[i], Row: uint8(i), First: uint8(first), Many: 1, Times: 1}
		if of[i].step > 0 {
			p.Step, p.Many = uint32(of[i].step), uint8(bits.OnesCount64(f.last.lanes))
		}
		pieces[i] = p
	}
	f.m.NoteLoads(w, t.loads, pieces[:len(of)])
}

// Loads keeps that observers have been told of the first loads of a Note, together.
func (f *Foresight) Loads(n Note, by *LoadNoter, calls []uint64) {
	if f == nil {
		return
	}
	of := n[0].together
	if f.now.odd = f.now.odd || len(by.pieces) != len(of.rows); f.now.odd {
		return
	}
	for i, reg := range of.rows {
		p := &by.pieces[i]
		all := bits.OnesCount64(f.now.lanes)
		f.now.odd = f.now.odd || p.Times > 1 || p.Step > 0 && int(p.Many) != all
		f.now.rows = append(f.now.rows, toldRow{reg, p.At, uint64(p.Step)})
	}
	f.now.all = append(f.now.all, toldAccess{from: &n[0], count: of.count, calls: calls, loads: &of.loads,
		rows: len(of.rows)})
}

// Store keeps that observers have been told of a store, of count accesses of a Note, without an address for
// each lane.
func (f *Foresight) Store(n Note, count int, a *simt.Access, row []uint64,
	calls []uint64) {
	if f == nil {
		return
	}
	o := n[0].Op
	if !a.Write || a.Space != simt.Global || o.Under.N != Always || a.Lanes != f.now.lanes {
		f.now.odd = true
		return
	}
	first := bits.TrailingZeros64(a.Lanes)
	at, step := row[first], uint64(0)
	if a.Lanes>>first > 1 {
		step = row[first+1] - at
	}
	f.now.rows = append(f.now.rows, toldRow{o.S[0].Reg, at, step})
	t := toldAccess{from: &n[0], count: count, calls: calls, store: *a, add: uint64(o.Offset), rows: 1}
	t.store.Wave, t.store.Addr = nil, nil
	f.now.all = append(f.now.all, t)
}

// Odd keeps that observers have been told of something else.
func (f *Foresight) Odd() {
	if f != nil {
		f.now.odd = true
	}
}
