package gcn

import (
	"math"
	"math/bits"
	"slices"
	"unsafe"

	"simtgdb/simt"
)

// Observers are told of waves in bulk one by one at first. Where one has made its accesses as the one before
// it, each of them some bytes further on, code sees itself whether those behind it do so, too, and leaves to
// tell of none of them ([simt.Foreseer]).

// A foresight is what is foreseen, as translated code knows it.
type foresight struct {
	step  uintptr // the foreseenStep that is to come next; 0 where nothing is foreseen
	first uintptr // of those of a wave
	wave  uint64  // how many waves behind the one whose steps they are the one is that executes
	by    uint32  // room for a distance
}

// A foreseenStep is accesses that are told of together. It is of a wave, and says how much further on they
// are in the wave behind it.
type foreseenStep struct {
	site   uint64 // the number of the interlude that tells of them, which begin with 1; 0 behind the last
	waited uint64 // as nativeContext.waited, before them
	rows   [mostRows]foreseenRow
}

// A foreseenRow is what addresses are made of: a scalar and a vector register, or two of these.
type foreseenRow struct {
	base, baseBy uint64
	by           uint64
	low, high    uintptr // of Vectors
}

// A toldStep is a step that observers have been told of.
type toldStep struct {
	site   uint64
	waited uint32
	notes  *notes
	rows   []toldRow
	pieces []simt.Piece // of loads
	store  toldStore
}

// A toldRow is the registers of a foreseenRow.
type toldRow struct {
	base      uint64
	low, high Vector
}

// A toldStore is where a store was: lanes side by side from an address on, or each at its own.
type toldStore struct {
	side bool
	at   uint64
	addr [simt.MaxLanes]uint64
}

// A toldWave is what observers have been told of a wave in bulk.
type toldWave struct {
	id    int
	odd   bool // or something else as well
	steps []toldStep
	end   uint32 // what it waited for when code left last: in the end, behind them
}

// foreseeing is what a bulk has for observers.
type foreseeing struct {
	by    simt.Foreseer // who is told; nil if nobody looks on
	last  toldWave      // the last of which all was told
	now   toldWave      // the one that executes
	steps []foreseenStep

	behind int  // how many waves behind the last have been foreseen,
	most   int  // and can be; 0 where it did not as the one before it
	ended  bool // the one that executes has come to its end as was foreseen

	asks simt.Backoff
}

// foresee arms code to go on, from the bulk's wave on, for as many waves as will be foreseen, rest at most.
// It says how many, which is at least one: that one is told of if nothing is foreseen.
func (c *Core) foresee(rest int) int {
	k := &c.bulk
	w, n := &k.Wave, min(rest, k.most-k.behind)
	k.now = toldWave{id: w.ID, steps: k.now.steps[:0]}
	if n <= 0 || w.ID != k.last.id+k.behind+1 {
		return 1
	}
	if k.asks.Idle() {
		return 1
	}
	if n = k.by.Foresee(w.ID, n); n == 0 {
		k.asks.InVain()
		return 1
	}
	first := uintptr(unsafe.Pointer(&k.steps[0]))
	c.context.foresight = foresight{step: first, first: first, wave: uint64(k.behind) + 1}
	return n
}

// settleForeseen tells of what code has not told of, once it has left: how many waves have come to their ends
// so, and what the one did that has left before its end.
func (c *Core) settleForeseen() {
	x, k := &c.context, &c.bulk
	f := x.foresight
	x.foresight, x.series.left = foresight{}, 0
	n := int(f.wave) - k.behind - 1
	at := int((f.step - f.first) / unsafe.Sizeof(foreseenStep{}))
	k.ended = x.ended != 0 && at == len(k.last.steps) && uint64(x.waited) == k.steps[at].waited
	if k.ended {
		n, x.waited = n+1, 0
	}
	k.behind += n
	k.by.Foreseen(n)
	if k.ended {
		k.asks.Paid()
		return
	}
	k.now = toldWave{id: k.Wave.ID, odd: true, steps: k.now.steps[:0]}
	c.r.pending = 0
	for i := range k.last.steps[:at] {
		c.tellAgain(&k.last.steps[i], &k.steps[i], f.wave)
	}
}

// tellAgain tells of a step that was told of a wave, for one that is some waves behind it, or of one of its
// turns that is some times as much further on.
func (c *Core) tellAgain(s *toldStep, by *foreseenStep, waves uint64) {
	c.waitAgain(s)
	further := func(row int) uint64 {
		r := &by.rows[row]
		return waves * (r.baseBy + uint64(int64(int32(r.by))))
	}
	if in := s.notes.store; in != nil && in.form == DS {
		c.tellShared(in, &s.rows[0].low)
		return
	} else if in != nil {
		c.describeStore(in, simt.Global)
		if by := further(0); s.store.side {
			c.m.NoteStride(&c.told, s.store.at+by, uint32(in.Op.mem.size))
		} else {
			for l, a := range s.store.addr {
				c.addr[l] = a + by
			}
			c.m.Note(&c.told)
		}
		return
	}
	c.pieces = append(c.pieces[:0], s.pieces...)
	for i := range c.pieces {
		c.pieces[i].At += further(int(c.pieces[i].Row))
	}
	c.m.NoteLoads(c.w, &s.notes.loads, c.pieces)
	if s.notes.scalar == nil {
		c.r.pending |= pendingLoads
	}
}

// noteTold keeps that observers have been told of accesses, which are those of an interlude by its number, if
// that may be of use.
func (c *Core) noteTold(site uint64, n *notes) {
	switch t := c.turning.now; {
	case c.bulk.by != nil:
		c.keepTold(&c.bulk.now, site, n)
	case t == nil || n.waits:
	case !c.allActive() || n.store != nil && n.store.form != DS:
		t.odd = true
	default:
		c.keepTold(&t.toldWave, site, n)
		t.end = 0
	}
}

// step is the next step of a wave, by its site, to be filled.
func (t *toldWave) step(site uint64) *toldStep {
	i := len(t.steps)
	t.steps = slices.Grow(t.steps, 1)[:i+1]
	s := &t.steps[i]
	s.site, s.waited, s.notes, s.rows = site, t.end, nil, s.rows[:0]
	return s
}

// keepTold is noteTold for a wave.
func (c *Core) keepTold(t *toldWave, site uint64, n *notes) {
	if n.waits || t.odd || c.context.noted == 0 {
		t.odd = true
		return
	}
	s := t.step(site)
	s.notes = n
	for _, in := range n.addressed() {
		s.rows = append(s.rows, c.toldRow(in))
	}
	if n.store == nil {
		s.pieces = append(s.pieces[:0], c.pieces...)
		return
	}
	s.store.side, s.store.at = c.told.Addr == nil, c.toldAt
	if c.told.Addr != nil {
		s.store.addr = c.addr
	}
}

// addressed are the instructions that the addresses of accesses come from.
func (n *notes) addressed() []*Inst {
	switch {
	case n.scalar != nil:
		return []*Inst{n.scalar}
	case n.store != nil:
		return []*Inst{n.store}
	}
	return n.rows
}

// toldRow is what the addresses of an instruction are made of now.
func (c *Core) toldRow(in *Inst) (r toldRow) {
	if in.form == SMEM {
		r.base = c.s64(&in.src[0])
		return r
	}
	at := in.src[0].reg
	if r.low = c.r.V[at]; in.form == DS {
		return r
	}
	if in.mem.saddr.kind == scalarReg {
		r.base = pair(c.r, uint8(in.mem.saddr.reg))
	} else {
		r.high = c.r.V[at+1]
	}
	return r
}

// endTold tells of the end of the bulk's wave, of which all was told, and finds out whether waves behind it
// can be foreseen.
func (c *Core) endTold() {
	k := &c.bulk
	if k.ended {
		k.ended = false
		return
	}
	c.m.EndedInBulk(&k.Wave)
	next := k.now.id == k.last.id+1 && k.behind == 0 && !k.now.odd && !k.last.odd
	if k.most = 0; next {
		k.most = k.learnSteps(k.Wave.Size)
	}
	k.last, k.now, k.behind = k.now, k.last, 0
	if k.most > 0 {
		k.pointSteps()
	}
}

// learnSteps works out how much further on the steps of the wave that has ended now are than those of the
// last, and of how many waves behind it that is known: 0 if it did something else.
func (k *foreseeing) learnSteps(lanes int) (most int) {
	k.steps, most = k.now.stepsBehind(&k.last, k.steps[:0], lanes)
	k.steps = append(k.steps, foreseenStep{waited: uint64(k.now.end)})
	return most
}

// stepsBehind appends the steps of a wave, with how much further on they are than those of another, and says
// for how many more that is known: 0 if that one did something else.
func (t *toldWave) stepsBehind(last *toldWave, to []foreseenStep, lanes int) (_ []foreseenStep, most int) {
	if len(t.steps) != len(last.steps) || t.end != last.end {
		return to, 0
	}
	most = math.MaxInt32
	for i := range t.steps {
		s, was := &t.steps[i], &last.steps[i]
		if s.site != was.site || s.waited != was.waited || len(s.rows) != len(was.rows) {
			return to, 0
		}
		to = append(to, foreseenStep{site: s.site, waited: uint64(s.waited)})
		step := &to[len(to)-1]
		for r := range s.rows {
			most = min(most, step.rows[r].learn(&s.rows[r], &was.rows[r], lanes))
			if most == 0 || s.inLDS() && step.rows[r].by != 0 {
				return to, 0
			}
		}
	}
	return to, most
}

// inLDS reports whether a step accesses LDS.
func (s *toldStep) inLDS() bool {
	return s.notes == nil || s.notes.store != nil && s.notes.store.form == DS
}

// learn is learnSteps for a row. What is added to addresses must stay below 2^32.
func (f *foreseenRow) learn(now, was *toldRow, lanes int) (most int) {
	f.base, f.baseBy = now.base, now.base-was.base
	f.by = uint64(now.low[0] - was.low[0])
	least, greatest := now.low[0], now.low[0]
	for l := range lanes {
		if uint64(now.low[l]-was.low[l]) != f.by || now.high[l] != was.high[l] {
			return 0
		}
		least, greatest = min(least, now.low[l]), max(greatest, now.low[l])
	}
	switch by := int32(f.by); {
	case f.baseBy%4 != 0: // of scalar loads the low bits do not count
		return 0
	case by > 0:
		return int((math.MaxUint32 - greatest) / uint32(by))
	case by < 0:
		return int(least / uint32(-by))
	}
	return math.MaxInt32
}

// pointSteps says where the rows of the last wave are.
func (k *foreseeing) pointSteps() {
	k.last.point(k.steps)
}

// point says in steps, of which the wave's are the first, where its rows are.
func (t *toldWave) point(steps []foreseenStep) {
	for i := range t.steps {
		for r := range t.steps[i].rows {
			row, to := &t.steps[i].rows[r], &steps[i].rows[r]
			to.low, to.high = uintptr(unsafe.Pointer(&row.low)), uintptr(unsafe.Pointer(&row.high))
		}
	}
}

// inBulk does what comes before an interlude of a wave that is executed in bulk while somebody looks on. It
// reports whether that may execute: where observers are to be told of what it accesses, or may be of what it
// does, the wave stops before it, and is made.
func (c *Core) inBulk(i *interlude) bool {
	in, x := &i.b.insts[i.first], &c.context
	if c.bulk.now.end != 0 {
		c.bulk.now.odd = true // code that does not leave here tells of waits later
	}
	if !c.bulk.follows && (in.form != SMEM && in.form < DS || in.form == SMEM && !c.minded(in)) {
		return true
	}
	uncounted := i.uncounted
	if in.form >= VOP2 {
		uncounted--
	}
	x.lanes += uint64(bits.OnesCount64(c.w.Exec)) * uint64(uncounted)
	x.budget += int64(i.charged)
	c.w.PC = in.PC
	return false
}

// minded reports whether observers mind what a scalar load loads.
func (c *Core) minded(in *Inst) bool {
	addr, _ := c.scalarAddress(in, 4)
	r := c.mem.Find(addr)
	return r == nil || !c.m.Notes(c.w, simt.Global, false) || c.m.Minded(c.w, r, false)
}

// notesScalar reports whether code tells of a scalar load before it makes it.
func (c *Core) notesScalar(in *Inst) bool {
	return in.form == SMEM && c.m.Ordered() && in.mem.soffset.kind != scalarReg
}

// tellScalar tells of a scalar load that has found its region.
func (c *Core) tellScalar(n *notes) bool {
	in := n.scalar
	size := 4 * typDwords[in.dst.typ]
	addr, inside := c.scalarAddress(in, size)
	r := c.mem.Find(addr)
	if !inside || r == nil || r.Perm&simt.PermRead == 0 || !r.Holds(addr, uint64(size)) {
		return false
	}
	lanes := c.w.Exec
	if lanes == 0 {
		lanes = c.w.Valid
	}
	c.pieces = append(c.pieces[:0],
		simt.Piece{At: addr, First: uint8(bits.TrailingZeros64(lanes)), Many: 1, Times: 1})
	return c.m.NoteLoads(c.w, &n.loads, c.pieces)
}
