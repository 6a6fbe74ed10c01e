package fidelity

import (
	"simtgdb/simt"
	"simtgdb/simt/shadow"
)

// memory is the memory of an access, nil if nothing in it comes from anywhere and it is not to be written.
func (t *Tracker) memory(a *Access, write bool) *shadow.Memory[Origins] {
	own, index := t.scratch, a.Wave.ID
	switch a.Space {
	case simt.Global:
		return t.global
	case simt.LDS:
		own, index = t.lds, a.Group().Index
	}
	m := own[index]
	if m == nil && write {
		m = newMemory()
		own[index] = m
	}
	return m
}

// cell is where a byte of a lane is: bytes of private memory lie by word and lane, so that the lanes of a
// wave share pages.
func (a *Access) cell(lane, i int) uint64 {
	at := a.Lane[lane] + uint64(i)
	if a.Space == simt.Scratch {
		return (at/4*simt.MaxLanes+uint64(lane))*4 + at%4
	}
	return at
}

// Load is where n bytes of a lane's item come from, from byte i of it on.
func (t *Tracker) Load(a *Access, lane, i, n int) Origins {
	m := t.memory(a, false)
	if m == nil {
		return 0
	}
	var o Origins
	for end := i + n; i < end; i++ {
		if b := m.Get(a.cell(lane, i)); b != o && b != 0 {
			o = t.sets.union(o, b)
		}
	}
	return o
}

// Store says where n bytes of a lane's item come from that it writes.
func (t *Tracker) Store(a *Access, lane, i, n int, o Origins) {
	m := t.memory(a, o != 0)
	if m == nil {
		return
	}
	for end := i + n; i < end; i++ {
		if at := a.cell(lane, i); m.Get(at) != o {
			*m.At(at, 1) = o
		}
	}
}

// Perhaps adds where n bytes of a lane's item come from that would be others if it had written them.
func (t *Tracker) Perhaps(a *Access, lane, n int, o Origins) {
	if o == 0 {
		return
	}
	for i := range n {
		t.Store(a, lane, i, 1, t.Union(t.Load(a, lane, i, 1), o))
	}
}
