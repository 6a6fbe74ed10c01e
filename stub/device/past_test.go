//go:build linux

package device_test

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"simtgdb/simt"
	"simtgdb/simt/check"
	"simtgdb/stub/device"
)

// TestPast: memory is made what it was before each launch, and again what it is, and of what the host has
// written on the way between two launches is told.
func TestPast(t *testing.T) {
	var y uint64
	over := make(chan bool)
	look := func(d *device.Device) {
		defer close(over)
		var b [4]byte
		value := func() float32 {
			if _, err := d.Memory().Read(y, b[:]); err != nil {
				t.Error(err)
			}
			return floatAt(b[:], 0)
		}
		past, touched := d.Past(), ""
		told := func(addr, size uint64) { touched += fmt.Sprintf(" %d+%d", addr-y, size) }
		third := past.Before(nil)
		second := past.Before(third)
		first := past.Before(second)
		if first == nil || past.Before(first) != nil || past.After(third) != nil ||
			past.After(first) != second || first.Number != 1 || third.Number != 3 {
			t.Errorf("launches %v, %v, %v", first, second, third)
			return
		}
		for _, at := range []struct {
			launch *device.Launch // nil for the present
			value  float32
			told   string
		}{{third, 4, ""}, {second, 1, ""}, {first, 0, " 2+2"}, {second, 1, " 2+2"}, {third, 4, ""},
			{first, 0, " 2+2"}, {nil, 7, ""}} {
			touched = ""
			var err error
			if at.launch == nil {
				err = past.Present()
			} else {
				err = past.GoBefore(at.launch, told)
			}
			if v := value(); err != nil || v != at.value || touched != at.told {
				t.Errorf("%v, told of%s, %v; want %v,%s", v, touched, err, at.value, at.told)
			}
		}
	}
	s := listen(t, device.Options{Past: 1 << 20, Leaving: look})
	f := connect(t, s)
	f.load("co/saxpy.gfx90a.O2.co")
	const n = 64
	x, xs := f.Alloc(4 * n)
	addr, ys := f.Alloc(4 * n)
	y = addr
	putFloats(xs, func(int) float32 { return 1 })
	for i := range 3 {
		if s, b := f.saxpy(0, 0, n, 3, x, y); s != device.Done {
			t.Fatalf("%d %s", s, b)
		}
		f.condition()
		if i == 0 {
			putFloats(ys[:4], func(int) float32 { return 1 }) // of 3, whose lower two bytes are the same
		}
	}
	f.Conn.Close()
	<-over
	s.Wait(10 * time.Second)
}

// TestProcesses: devices that launch anything are numbered in the order in which they first do.
func TestProcesses(t *testing.T) {
	said := make(chan string, 10)
	s := listen(t, device.Options{Ended: func(l *device.Launch) {
		said <- fmt.Sprintf("launch %d of process %d", l.Number, l.Process)
	}})
	one, two := connect(t, s), connect(t, s)
	one.load("co/saxpy.gfx90a.O2.co")
	two.load("co/saxpy.gfx90a.O2.co")
	for _, f := range []*fake{two, one, two} {
		x, _ := f.Alloc(256)
		f.saxpy(0, 0, 64, 2, x, x)
		f.condition()
	}
	for _, want := range []string{"launch 1 of process 1", "launch 1 of process 2", "launch 2 of process 1"} {
		if got := <-said; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestUnorderedLaunches: of two launches in streams that nothing orders, which write to the same memory, the
// second has a race, in the lanes that do; where the streams are ordered, or write elsewhere, it has none.
func TestUnorderedLaunches(t *testing.T) {
	for _, c := range []struct {
		name   string
		stream int
		waits  bool
		away   uint64
		lanes  uint64
	}{
		{"in another stream", 2, false, 0, math.MaxUint64}, {"in the same stream", 1, false, 0, 0},
		{"after the other stream", 2, true, 0, 0}, {"elsewhere", 2, false, 4 * 64, 0},
		{"half of it", 2, false, 4 * 32, math.MaxUint32},
	} {
		var found []*check.Report
		f := connect(t, listen(t, device.Options{Race: func(*device.Defect) {},
			Run: func(ctx context.Context, l *device.Launch) (simt.Event, error) {
				l.Program.LookFor(check.Race, func(r *check.Report) bool {
					found = append(found, r)
					return false
				})
				return l.Program.Run(ctx, 1)
			}}))
		f.load("co/saxpy.gfx90a.O2.co")
		x, _ := f.Alloc(4 * 64)
		y, _ := f.Alloc(4 * 128)
		f.saxpy(1, 0, 64, 2, x, y)
		if c.waits {
			f.Ask(device.OpOrder, 2, 2, 1, 1)
		}
		f.saxpy(c.stream, 0, 64, 2, x, y+c.away)
		if s, what := f.condition(); s != device.Done {
			t.Fatal(s, what)
		}
		lanes := uint64(0)
		for _, r := range found {
			lanes |= r.Lanes
		}
		if lanes != c.lanes {
			t.Errorf("%s: races in lanes %#x, want %#x", c.name, lanes, c.lanes)
		}
	}
}
