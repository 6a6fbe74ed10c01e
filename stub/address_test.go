package stub

import (
	"simtgdb/stub/threads"
	"testing"
)

func TestFrameAddresses(t *testing.T) {
	for _, bits := range []int{64, 55} {
		testFrameAddresses(t, threads.WindowsOf(bits))
	}
	if _, _, ok := threads.SplitFrame(threads.FrameTop + threads.FrameStride); ok {
		t.Error("an offset above the kernel's frame belongs to a frame")
	}
}

func testFrameAddresses(t *testing.T, ws threads.Windows) {
	for _, thread := range []int{1, 64, 7000, int(ws.OwnerMask())} {
		for _, depth := range []int{0, 1, 200, threads.MaxDepth} {
			h := ws.Handle(thread, depth)
			for _, at := range []int64{-threads.FrameLow, -8, 0, 0x100,
				threads.FrameStride - threads.FrameLow - 1} {
				kind, owner, offset := ws.Split(h + uint64(at))
				d, where, ok := threads.SplitFrame(offset)
				if kind != threads.FrameWindow || owner != thread || !ok || d != depth || where != at {
					t.Errorf("thread %d depth %d at %d: window %#x owner %d depth %d at %d ok %v", thread,
						depth, at, kind, owner, d, where, ok)
				}
			}
			if depth > 0 && ws.Handle(thread, depth)+threads.FrameStride != ws.Handle(thread, depth-1) {
				t.Errorf("depth %d is not one stride below depth %d", depth, depth-1)
			}
		}
	}
}

// TestManyThreads finds the frames of threads whose numbers have more bits than a
// window has for its owner.
func TestManyThreads(t *testing.T) {
	s := launched(t, "demo", "")
	for _, w := range s.machine.Waves() {
		w.Group.Before += 1<<24 + 320 // threads from 16,777,537 on
	}
	for _, w := range s.machine.Waves() {
		thread := threads.Of(w, 7)
		at := s.Handle(int(thread), 0)
		_, owner, _ := s.Split(at)
		if ow, lane, err := s.view.Owner(owner); ow != w || lane != 7 || err != nil {
			t.Errorf("thread %d: window %#x is of lane %d, %v", thread, at, lane, err)
		}
		var b [8]byte
		if n, err := s.ReadMemory(thread, at-8, b[:]); n != 8 || err != nil {
			t.Errorf("thread %d: its return address reads %d, %v", thread, n, err)
		}
	}
}
