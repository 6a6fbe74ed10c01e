package stub

import "testing"

func TestFrameAddresses(t *testing.T) {
	for _, bits := range []int{64, 55} {
		testFrameAddresses(t, windowsOf(bits))
	}
	if _, _, ok := splitFrame(frameTop + frameStride); ok {
		t.Error("an offset above the kernel's frame belongs to a frame")
	}
}

func testFrameAddresses(t *testing.T, ws windows) {
	for _, thread := range []int{1, 64, 7000, int(ws.ownerMask())} {
		for _, depth := range []int{0, 1, 200, maxDepth} {
			h := ws.handle(thread, depth)
			for _, at := range []int64{-frameLow, -8, 0, 0x100, frameStride - frameLow - 1} {
				kind, owner, offset := ws.split(h + uint64(at))
				d, where, ok := splitFrame(offset)
				if kind != frameWindow || owner != thread || !ok || d != depth || where != at {
					t.Errorf("thread %d depth %d at %d: window %#x owner %d depth %d at %d ok %v", thread, depth, at, kind,
						owner, d, where, ok)
				}
			}
			if depth > 0 && ws.handle(thread, depth)+frameStride != ws.handle(thread, depth-1) {
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
		thread := threadOf(w, 7)
		at := s.handle(int(thread), 0)
		_, owner, _ := s.split(at)
		if ow, lane, err := s.view.owner(owner); ow != w || lane != 7 || err != nil {
			t.Errorf("thread %d: window %#x is of lane %d, %v", thread, at, lane, err)
		}
		var b [8]byte
		if n, err := s.ReadMemory(thread, at-8, b[:]); n != 8 || err != nil {
			t.Errorf("thread %d: its return address reads %d, %v", thread, n, err)
		}
	}
}
