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

// TestResident: lanes are found by their threads, and by the low bits of these that windows have.
func TestResident(t *testing.T) {
	mem := simt.NewMemory()
	code := []byte{byte(simttest.ToyNop), 0, 0, 0, byte(simttest.ToyEnd), 0, 0, 0}
	if _, err := mem.Map("code", 0x1000, code, simt.PermRead|simt.PermExec); err != nil {
		t.Fatal(err)
	}
	const items, block = 30, 7 // the last lanes of waves and the last workgroup are not whole
	m, err := simt.New(mem, &simttest.ToyISA{Base: 0x1000}, simt.Dispatch{Grid: [3]uint32{items, 1, 1},
		Block: [3]uint32{block, 1, 1}, Entry: 0x1000})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Fill(); err != nil {
		t.Fatal(err)
	}
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
