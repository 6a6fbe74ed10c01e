package threads

import (
	"testing"

	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/simt/simttest"
)

// TestWindows: an address says which window it is in, whose, and where in it, whatever the facade's width.
func TestWindows(t *testing.T) {
	for _, bits := range []int{48, 64} {
		ws := WindowsOf(bits)
		for _, kind := range []uint64{BuiltinWindow, FrameWindow, ScratchWindow, LDSWindow, ReturnWindow,
			DispatchWindow} {
			for _, owner := range []int{0, 1, 77, int(ws.OwnerMask())} {
				for _, offset := range []uint64{0, 1, OffsetMask} {
					addr := ws.Window(kind, owner, offset)
					k, o, at := ws.Split(addr)
					if k != kind || o != owner || at != offset || bits < 64 && addr>>bits != 0 {
						t.Errorf("%d bits: window %x of %d at %#x is %#x: %x, %d, %#x", bits, kind, owner,
							offset, addr, k, o, at)
					}
				}
			}
		}
	}
}

// TestFrames: what lies a little below a frame's handle and what lies above it belong to it, and deeper
// frames are below.
func TestFrames(t *testing.T) {
	ws := WindowsOf(64)
	for _, depth := range []int{0, 1, 2, MaxDepth - 1, MaxDepth} {
		kind, owner, offset := ws.Split(ws.Handle(9, depth))
		if kind != FrameWindow || owner != 9 {
			t.Fatalf("depth %d: window %x of %d", depth, kind, owner)
		}
		for _, at := range []int64{-FrameLow, -8, 0, 64, FrameStride - FrameLow - 1} {
			got, where, ok := SplitFrame(uint64(int64(offset) + at))
			if !ok || got != depth || where != at {
				t.Errorf("%d from the handle at depth %d: depth %d, %d, %v", at, depth, got, where, ok)
			}
		}
	}
	if deep := ws.Handle(9, MaxDepth+5); deep != ws.Handle(9, MaxDepth) {
		t.Errorf("too deep a frame is at %#x", deep)
	}
	if _, _, ok := SplitFrame(OffsetMask); ok {
		t.Error("an offset above the outermost frame is in a frame")
	}
}

// toy is a machine with work-items in workgroups.
func toy(t *testing.T, items, block uint32) *simt.Machine {
	t.Helper()
	mem := simt.NewMemory()
	code := []byte{byte(simttest.ToyNop), 0, 0, 0, byte(simttest.ToyEnd), 0, 0, 0}
	if _, err := mem.Map("code", 0x1000, code, simt.PermRead|simt.PermExec); err != nil {
		t.Fatal(err)
	}
	m, err := simt.New(mem, &simttest.ToyISA{Base: 0x1000}, simt.Dispatch{Grid: [3]uint32{items, 1, 1},
		Block: [3]uint32{block, 1, 1}, Entry: 0x1000, LDSSize: 64, ScratchSize: 32, ScratchLimit: 32})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Fill(); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestOwn: what a window leads to is the workgroup's for all of its lanes, or a lane's alone.
func TestOwn(t *testing.T) {
	m := toy(t, 8, 4)
	w, other := m.Waves()[0], m.Waves()[1]
	for _, kind := range []uint64{LDSWindow, ScratchWindow} {
		if n, err := WriteOwn(kind, w, 1, 8, []byte{1, 2}); n != 2 || err != nil {
			t.Fatalf("window %x: %d, %v", kind, n, err)
		}
		for _, c := range []struct {
			w    *simt.Wave
			lane int
			own  bool
		}{{w, 1, true}, {w, 0, kind == LDSWindow}, {other, 1, false}} {
			var b [2]byte
			n, err := ReadOwn(kind, c.w, c.lane, 8, b[:])
			if n != 2 || err != nil || (b == [2]byte{1, 2}) != c.own {
				t.Errorf("window %x of lane %d of wave %d: %v, %v", kind, c.lane, c.w.ID, b, err)
			}
		}
	}
	if WindowOf(simt.LDS) != LDSWindow || WindowOf(simt.Scratch) != ScratchWindow {
		t.Error("spaces have other windows")
	}
}

// TestResident: lanes are found by their threads, and by the low bits of these that windows have.
func TestResident(t *testing.T) {
	const items, block = 30, 7 // the last lanes of waves and the last workgroup are not whole
	m := toy(t, items, block)
	ls := Resident{Windows: WindowsOf(48), Machine: m}
	next := rsp.ThreadID(1) // threads count the work-items of the dispatch
	for _, w := range m.Waves() {
		simt.Lanes(w.Valid, func(l int) {
			id := Of(w, l)
			if id != next {
				t.Errorf("lane %d of wave %d is thread %d, want %d", l, w.ID, id, next)
			}
			next++
			found, lane, err := ls.Find(id)
			owner, of, err2 := ls.Owner(int(uint64(id) & ls.OwnerMask()))
			if err != nil || err2 != nil || found != w || lane != l || owner != w || of != l ||
				!ls.Alive(id) || ls.Now(w) != w {
				t.Errorf("thread %d: wave %v lane %d, %v; by its window %v, %d, %v", id, found, lane, err,
					owner, of, err2)
			}
		})
		if g, err := ls.Group(w.Group.Index); err != nil || g.Group != w.Group {
			t.Errorf("workgroup %d: %v", w.Group.Index, err)
		}
	}
	if next != items+1 {
		t.Errorf("%d threads", next-1)
	}
	for _, id := range []rsp.ThreadID{0, next, 1 << 40} {
		if _, _, err := ls.Find(id); err == nil || ls.Alive(id) {
			t.Errorf("thread %d is there", id)
		}
	}
	if _, _, err := ls.Owner(items + 1); err == nil {
		t.Error("nobody has a window")
	}
	if _, err := ls.Group(items); err == nil {
		t.Error("no workgroup has a window")
	}
	s := Set{}
	s.Add(m.Waves()[0], 2)
	s.Join(Set{m.Waves()[0].ID: 1, 9: 4})
	if s[m.Waves()[0].ID] != 5 || s[9] != 4 {
		t.Errorf("%v", s)
	}
}

// TestNow: a wave of a snapshot is the resident one of the same work-items, if there is one.
func TestNow(t *testing.T) {
	m := toy(t, 8, 4)
	ls := Resident{Windows: WindowsOf(48), Machine: m}
	w := m.Waves()[1]
	old := *w
	if got := ls.Now(&old); got != w {
		t.Errorf("wave %d is %p, want %p", w.ID, got, w)
	}
	ended := *w
	ended.Group = &simt.Workgroup{Before: 100}
	if got := ls.Now(&ended); got != &ended {
		t.Errorf("a wave that is not resident is %p", got)
	}
}

// TestOwnerIn: a window names the low bits of a thread's number: the lane among the waves that has these is
// meant, up to the last one of a wave of 64.
func TestOwnerIn(t *testing.T) {
	ls := Resident{Windows: WindowsOf(48)}
	if ls.OwnerMask() != 255 {
		t.Fatalf("owners have %#x", ls.OwnerMask())
	}
	wave := func(before uint64, index int, valid uint64) *simt.Wave {
		return &simt.Wave{Size: 64, Index: index, Valid: valid, Group: &simt.Workgroup{Before: before}}
	}
	waves := []*simt.Wave{wave(0, 0, 1<<40-1), wave(0, 1, 1), wave(3*256+128, 0, ^uint64(0))}
	for _, c := range []struct {
		owner, wave, lane int // wave -1: nobody
	}{{1, 0, 0}, {40, 0, 39}, {41, -1, 0}, {65, 1, 0}, {66, -1, 0}, {129, 2, 0}, {192, 2, 63}, {193, -1, 0},
		{255, -1, 0}} {
		w, lane, ok := ls.OwnerIn(c.owner, waves)
		if ok != (c.wave >= 0) || ok && (w != waves[c.wave] || lane != c.lane) {
			t.Errorf("%d: lane %d, %v, want lane %d of wave %d", c.owner, lane, ok, c.lane, c.wave)
		}
	}
	if _, _, ok := ls.OwnerIn(1, nil); ok {
		t.Error("nobody's lane is there")
	}
}
