//go:build linux

package device_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"simtgdb/stub/device"
)

// A hearer notes what a service tells of its clients.
type hearer struct {
	mu   sync.Mutex
	said []string
}

func (h *hearer) hear(what string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.said = append(h.said, strings.TrimSuffix(what, "\n"))
}

func (h *hearer) defect(d *device.Defect) { h.hear(d.Text) }

// by is a caller in a file that cannot be read.
func by(pc int) []any { return []any{"/nowhere/program", pc, 0x1000, 0} }

// gone has a client go, and compares what is told of it.
func (f *fake) gone(s *device.Server, h *hearer, want ...string) {
	f.t.Helper()
	f.Conn.Close()
	s.Wait(10 * time.Second)
	h.mu.Lock()
	defer h.mu.Unlock()
	if d := cmp.Diff(want, h.said); d != "" {
		f.t.Errorf("(-want +got):\n%s", d)
	}
}

// TestLeaks: what a client has allocated and not freed is told of when it goes, by the places that have asked
// for it, in the order in which they first did; what a library has for itself, and what is shared, is not.
func TestLeaks(t *testing.T) {
	var h hearer
	s := listen(t, device.Options{Left: func(d *device.Device, all []device.Leak) {
		for _, l := range all {
			h.hear(l.Text)
			if l.Count < 1 || l.Bytes < 8 {
				t.Errorf("%+v", l)
			}
		}
	}})
	f := connect(t, s)
	alloc := func(size, form int, caller ...any) uint64 {
		return word(f.Ask(device.OpAlloc, append([]any{size, 256, form}, caller...)...), 0)
	}
	f.Ask(device.OpShare, uint64(0x5555_0000_0000), 4096)
	freed := alloc(8, 0, by(1)...)
	first := alloc(16, 0, by(2)...)
	second := alloc(24, 0)
	third := alloc(32, 0, by(3)...)
	alloc(40, 1, by(4)...)
	alloc(48, 0, by(2)...)
	f.Ask(device.OpFree, freed)
	f.gone(s, &h,
		fmt.Sprintf("allocation 2, of 16 bytes at %#x, made at 0x2 in program before any launch, the first "+
			"of 2 that were made there, of 64 bytes together", first),
		fmt.Sprintf("allocation 3, of 24 bytes at %#x, made before any launch", second),
		fmt.Sprintf("allocation 4, of 32 bytes at %#x, made at 0x3 in program before any launch", third))
}

// TestUndone: what a client leaves behind besides memory is told of when it goes, of each place once, with
// how many were made there.
func TestUndone(t *testing.T) {
	var h hearer
	s := listen(t, device.Options{Undone: h.defect})
	f := connect(t, s)
	left := func(what string, pc int) {
		args := append([]any{8, "", what, 0, 0}, by(0)...)
		f.Ask(device.OpMisuse, append(append(args, 1, "made"), by(pc)...)...)
	}
	left("not destroyed: a stream", 1)
	left("not destroyed: an event", 2)
	left("not destroyed: a stream", 1)
	left("not destroyed: a stream", 3)
	f.gone(s, &h,
		"check leak: not destroyed: a stream\n  made         0x1 in program\n"+
			"  how many     2, all made there",
		"check leak: not destroyed: an event\n  made         0x2 in program",
		"check leak: not destroyed: a stream\n  made         0x3 in program")
}

// TestMisuse: what a client does wrong by a call is told of once, with where it calls, what it is about, and
// what lies there.
func TestMisuse(t *testing.T) {
	var h hearer
	s := listen(t, device.Options{Misuse: h.defect})
	f := connect(t, s)
	kept := word(f.Ask(device.OpAlloc, append([]any{100, 256, 0}, by(1)...)...), 0)
	freed := word(f.Ask(device.OpAlloc, 100, 256, 0), 0)
	f.Ask(device.OpFree, append([]any{freed}, by(2)...)...)
	misuse := func(addr uint64, size int, others ...any) {
		args := append([]any{2, "hipMemcpy", "is given what it cannot use", addr, size}, by(3)...)
		f.Ask(device.OpMisuse, append(args, others...)...)
	}
	misuse(0, 0, 0)
	misuse(0, 0, 0)
	misuse(kept+90, 20, append([]any{1, "begun"}, by(4)...)...)
	misuse(freed+8, 0, 0)
	misuse(kept+128, 4, 0)
	misuse(0x1234, 4, 0)
	const what = "check api: hipMemcpy is given what it cannot use\n" +
		"  call         0x3 in program before any launch"
	memory := func(format string, args ...any) string {
		return what + "\n  memory       " + fmt.Sprintf(format, args...)
	}
	f.gone(s, &h, what,
		memory("20 bytes at %#x, byte 90 of allocation 1, of 100 bytes at %#x, made at 0x1 in program "+
			"before any launch; the last 10 are behind its end\n  begun        0x4 in program", kept+90,
			kept),
		memory("at %#x, byte 8 of allocation 2, of 100 bytes at %#x, made before any launch; freed at "+
			"0x2 in program before any launch", freed+8, freed),
		memory("4 bytes at %#x, where nothing is allocated", kept+128),
		memory("4 bytes at 0x1234, not memory of the device's"))
}

// TestUnordered: a copy and a fill of streams that nothing orders are told of where they meet, and not where
// one waits for the other, where the host has waited, or where they do not meet.
func TestUnordered(t *testing.T) {
	for _, c := range []struct {
		name   string
		second func(f *fake, a uint64)
		races  int
	}{
		{"in another stream", func(f *fake, a uint64) { f.Ask(device.OpFill, 2, a, "x", 8) }, 1},
		{"beside it", func(f *fake, a uint64) { f.Ask(device.OpFill, 2, a+8, "x", 8) }, 0},
		{"in the same stream", func(f *fake, a uint64) { f.Ask(device.OpFill, 1, a, "x", 8) }, 0},
		{"after the stream", func(f *fake, a uint64) {
			f.Ask(device.OpOrder, 2, 2, 1, 1)
			f.Ask(device.OpFill, 2, a, "x", 8)
		}, 0},
		{"after the host has waited", func(f *fake, a uint64) {
			f.Ask(device.OpOrder, 7, 0, 0, 0)
			f.Ask(device.OpFill, 2, a, "x", 8)
		}, 0},
		{"a copy from there", func(f *fake, a uint64) { f.Ask(device.OpCopy, 2, a+64, a+4, 8) }, 1},
		{"rows that pass by", func(f *fake, a uint64) {
			f.Ask(device.OpTouch, 2, 1, a+8, 4, 3, 16, 1, 0)
		}, 0},
		{"rows of which one meets it", func(f *fake, a uint64) {
			f.Ask(device.OpTouch, 2, 1, a-12, 4, 3, 16, 1, 0)
		}, 1},
		{"planes of which one meets it", func(f *fake, a uint64) {
			f.Ask(device.OpTouch, 2, 1, a-60, 4, 2, 32, 2, 60)
		}, 1},
	} {
		var h hearer
		s := listen(t, device.Options{Race: h.defect})
		f := connect(t, s)
		a, _ := f.Alloc(256)
		f.Ask(device.OpFill, 1, a+128, "y", 8)
		c.second(f, a+128)
		f.Ask(device.OpWait, 0, 0, 0)
		f.Conn.Close()
		s.Wait(10 * time.Second)
		if len(h.said) != c.races {
			t.Errorf("%s: %d races: %q", c.name, len(h.said), h.said)
		}
	}
}
