package simt

import (
	"math/bits"
	"slices"
)

// A Snapshot is the whole state of a machine at one time: its waves with their registers, LDS, private and
// global memory, and whose turn it is. It costs memory as what it holds changes afterwards. Breakpoints and
// observers are not the machine's state and stay as they are.
type Snapshot struct {
	memory  *memorySnapshot
	groups  []*groupSnapshot
	next    int
	turn    int
	retired Stats
	states  held // bytes of registers
}

type groupSnapshot struct {
	group *Workgroup
	lds   *pages
	waves []*waveSnapshot
}

type waveSnapshot struct {
	wave    *Wave
	fields  Wave // but for Scratch, Regs and Track, which are below
	scratch *pages
	regs    WaveState
	track   *Track
}

// A Cloner is a WaveState whose calls, in a Track, share something with it, so that both must be cloned
// together.
type Cloner interface {
	CloneWith(t *Track) (WaveState, *Track)
}

// A Sizer is a WaveState that says how many bytes a copy of it takes. Of others it is what the registers
// have.
type Sizer interface {
	StateBytes() int
}

// stateBytes is how many bytes a copy of a wave's registers takes.
func stateBytes(w *Wave) held {
	if s, ok := w.Regs.(Sizer); ok {
		return held(s.StateBytes())
	}
	bits := 0
	for _, f := range w.Regs.Files() {
		n := f.Bits * max(f.Count, 1)
		if f.PerLane {
			n *= w.Size
		}
		bits += n
	}
	return held(bits / 8)
}

// cloneState copies what a machine and a debugger keep for a wave.
func cloneState(regs WaveState, t *Track) (WaveState, *Track) {
	if c, ok := regs.(Cloner); ok {
		return c.CloneWith(t)
	}
	if t != nil {
		copied := *t
		t = &copied
	}
	return regs.Clone(), t
}

// Snapshot makes a snapshot of a machine that [Machine.StepWave] and [Machine.Advance] execute, between
// their calls. Release it when it is not needed any more.
func (m *Machine) Snapshot() *Snapshot {
	s := &Snapshot{memory: m.Mem.snapshot(), next: m.next, turn: m.turn, retired: m.retired}
	last, held := m.latest, &m.Mem.held
	for _, g := range m.groups {
		gs := &groupSnapshot{group: g, lds: held.copyPages(g.LDS, last.ldsOf(g))}
		for _, w := range g.Waves {
			ws := &waveSnapshot{wave: w, fields: *w, scratch: held.copyPages(w.Scratch, last.scratchOf(w))}
			ws.regs, ws.track = cloneState(w.Regs, w.Track)
			s.states += stateBytes(w)
			gs.waves = append(gs.waves, ws)
		}
		s.groups = append(s.groups, gs)
	}
	*held += s.states
	m.latest = s
	if m.snapshots++; m.snapshots == 1 {
		// Code that is decoded does not depend on it.
		m.observers = append(m.observers, observerOf(writes{m.Mem}))
	}
	return s
}

// Restore makes the machine what it was when the snapshot was made. Waves and workgroups are the same
// objects as then; those that have started since are forgotten.
func (m *Machine) Restore(s *Snapshot) {
	if m.Mem.restore(s.memory) {
		m.generation++
	}
	m.groups, m.waves, m.ended = nil, nil, nil
	for _, gs := range s.groups {
		g := gs.group
		g.LDS = gs.lds.restore(g.LDS)
		for _, ws := range gs.waves {
			w, scratch := ws.wave, ws.wave.Scratch
			*w = ws.fields
			w.Scratch = ws.scratch.restore(scratch)
			w.Regs, w.Track = cloneState(ws.regs, ws.track)
			m.waves = append(m.waves, w)
		}
		m.groups = append(m.groups, g)
	}
	m.next, m.turn, m.retired = s.next, s.turn, s.retired
	m.latest = s
}

// is reports whether the machine is what a snapshot has, but for what is in registers.
func (m *Machine) is(s *Snapshot) bool {
	same := slices.EqualFunc(m.groups, s.groups, func(g *Workgroup, gs *groupSnapshot) bool {
		return g.Index == gs.group.Index && gs.lds.are(g.LDS) && slices.EqualFunc(g.Waves, gs.waves, isWave)
	})
	return same && m.Mem.is(s.memory)
}

// isWave compares what somebody may see of a wave.
func isWave(w *Wave, ws *waveSnapshot) bool {
	was := &ws.fields
	return w.ID == was.ID && w.State == was.State && w.Insts == was.Insts &&
		(w.State == Ended || w.PC == was.PC && w.Exec == was.Exec && ws.scratch.are(w.Scratch))
}

// Release forgets a snapshot.
func (m *Machine) Release(s *Snapshot) {
	m.Mem.release(s.memory)
	for _, gs := range s.groups {
		m.Mem.held.dropPages(gs.lds)
		for _, ws := range gs.waves {
			m.Mem.held.dropPages(ws.scratch)
		}
	}
	m.Mem.held -= s.states
	if m.latest == s {
		m.latest = nil
	}
	if m.snapshots--; m.snapshots == 0 {
		m.removeObserver(writes{m.Mem})
	}
}

// Held is how many bytes all snapshots hold that are not released: pages of memory and registers.
func (m *Machine) Held() uint64 { return uint64(m.Mem.held) }

func (s *Snapshot) ldsOf(g *Workgroup) *pages {
	if s != nil {
		for _, gs := range s.groups {
			if gs.group == g {
				return gs.lds
			}
		}
	}
	return nil
}

func (s *Snapshot) scratchOf(w *Wave) *pages {
	if s != nil {
		for _, gs := range s.groups {
			for _, ws := range gs.waves {
				if ws.wave == w {
					return ws.scratch
				}
			}
		}
	}
	return nil
}

// fewPages is how many pages are kept at once, if what lanes write lies in them, rather than to look at each
// lane.
const fewPages = 4

// writes are told of what waves write to global memory, for the snapshots.
type writes struct{ mem *Memory }

// Wants implements Selective.
func (o writes) Wants(_ *Wave, space Space, write bool) bool { return space == Global && write }

// Observe implements Observer.
func (o writes) Observe(a *Access) bool {
	if a.Space != Global || !a.Write && !a.Atomic {
		return false
	}
	lo, hi, size := ^uint64(0), uint64(0), uint64(a.Size)
	for rest := a.Lanes; rest != 0; rest &= rest - 1 {
		addr := a.Addr[bits.TrailingZeros64(rest)&63]
		lo, hi = min(lo, addr), max(hi, addr)
	}
	r := o.mem.Find(lo)
	if r != nil && hi-lo < fewPages*pageSize && r.Holds(lo, hi-lo+size) {
		o.mem.willWrite(r, lo-r.Base, hi-lo+size)
		return false
	}
	Lanes(a.Lanes, func(l int) {
		addr := a.Addr[l]
		if r == nil || !r.Holds(addr, size) {
			if r = o.mem.Find(addr); r == nil {
				return
			}
		}
		o.mem.willWrite(r, addr-r.Base, min(size, r.End()-addr))
	})
	return false
}
