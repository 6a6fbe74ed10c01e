package rows

import "simtgdb/simt"

// Observers are told of waves in bulk one by one at first. Where one has made its accesses as the one before
// it, each of them some bytes further on, those behind it are compared with what it did, and observers are
// told of none that did so, too (simt.Foreseer).

// A Foresight compares waves that are executed in bulk, one after the other, for a Foreseer.
type Foresight struct {
	m    *simt.Machine
	by   simt.Foreseer
	last toldWave // of the waves of which all was told
	now  toldWave // the one that executes, if it is told of
	// alike says that the last did as the one before it, each row as much further on in all lanes.
	alike bool

	compared bool   // the one that executes is, which is so many waves behind the last,
	behind   uint64 // and has made so many of the last one's accesses
	at       int
	granted  int // how many waves more, from it on, are foreseen,
	seen     int // and how many have been

	asks simt.Backoff
}

// A toldWave is what observers have been told of a wave with an ID.
type toldWave struct {
	Told
	id int
}

// Now is where what observers are told of the wave that executes is kept.
func (f *Foresight) Now() *Told { return &f.now.Told }

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
		f.now.id = id
		f.now.begin(lanes)
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
	if !f.compared || f.at < len(f.last.steps) {
		return false
	}
	f.seen++
	f.asks.Paid()
	if f.granted--; f.granted == 0 {
		f.End()
	}
	return true
}

// Told is where observers have been told of a wave of so many lanes up to its end. It finds out whether those
// behind it can be foreseen.
func (f *Foresight) Told(lanes int) {
	if f.by == nil {
		return
	}
	f.alike = f.behind == 0 && f.now.id == f.last.id+1 && f.now.behind(&f.last.Told, lanes)
	f.last, f.now, f.behind = f.now, f.last, 0
}

// Again is where the wave begins anew.
func (f *Foresight) Again() { f.at, f.now.odd = 0, true }

// Foresaw reports whether the accesses of a Note, in some lanes, are what was foreseen.
func (f *Foresight) Foresaw(n Note, active uint64, r []uint64, lanes int) bool {
	if !f.compared || active != f.last.lanes {
		return false
	}
	at := f.at
	for ; len(n) > 0; at++ {
		if at == len(f.last.steps) || !f.last.steps[at].does(n, r, lanes, active, f.behind) {
			return false
		}
		n = n[f.last.steps[at].count:]
	}
	f.at = at
	return true
}

// Tell is before observers are told of the wave that executes, of so many lanes, if it is not: what they
// would have been told of it before is told of.
func (f *Foresight) Tell(w *simt.Wave, lanes int) {
	if !f.compared {
		return
	}
	behind, at := f.behind, f.at
	f.behind--
	f.End()
	f.asks.InVain()
	f.now.id = w.ID
	f.now.begin(0)
	f.now.odd = true
	for i := range f.last.steps[:at] {
		w.Regs.(*simt.BulkState).Calls = f.last.steps[i].calls
		f.last.steps[i].again(f.m, w, lanes, behind)
	}
}
