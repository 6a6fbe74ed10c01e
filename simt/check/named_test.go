package check

import (
	"strings"
	"testing"

	"simtgdb/simt"
)

// toyObjects knows of an array of each lane at 128 bytes for each, and of one behind the arrays.
type toyObjects struct{ space simt.Space }

func (o toyObjects) Meant(a *simt.Access, lane int) *simt.Object {
	if a.PC != 1 {
		return nil
	}
	if o.space != simt.Global {
		lane = 0
	}
	at := uint64(0x1000 + 128*lane)
	return &simt.Object{Name: "array", Space: o.space, Lo: at, Hi: at + 128}
}

func (o toyObjects) Holding(_ *simt.Access, _ int, addr uint64) *simt.Object {
	if addr < 0x2000 || addr >= 0x2010 {
		return nil
	}
	return &simt.Object{Name: "other", Space: o.space, Lo: 0x2000, Hi: 0x2010}
}

func (o toyObjects) Beyond(a *simt.Access) func(lane int) *Subscript {
	if a.PC != 1 {
		return nil
	}
	return func(lane int) *Subscript {
		if in := o.Meant(a, lane); a.Space == in.Space && a.Addr[lane] == in.Lo+0x40 {
			return &Subscript{Text: "k", Index: 16, Count: 16, Array: in, Row: true}
		}
		return nil
	}
}

func (o toyObjects) Together(a, b uint64) bool     { return true }
func (o toyObjects) Unbounded(pc uint64) bool      { return pc == 2 }
func (o toyObjects) Bounds(pc uint64, _ bool) bool { return pc == 1 }
func (o toyObjects) Atomic(pc uint64) bool         { return pc == 3 }
func (o toyObjects) Plain(pc uint64) bool          { return pc == 2 }

// TestUnbounded: a pointer is no defect where the source has no array.
func TestUnbounded(t *testing.T) {
	w := &simt.Wave{Group: &simt.Workgroup{}}
	for _, u := range []simt.Undefined{{PC: 1, Pointer: true}, {PC: 2, Pointer: true}, {PC: 2}, {PC: 1}} {
		u.Wave, u.Bounds, u.Lanes = w, true, 1
		found := false
		c := &Checker{Objects: toyObjects{}, Sink: func(*Report) bool { found = true; return false }}
		c.kinds, c.reported = Bounds, map[place]bool{}
		if c.Undefined(&u); found == (u.PC == 2 && u.Pointer) {
			t.Errorf("%+v: reported: %v", u, found)
		}
	}
}

// TestNamed: what counts as leaving the array that the source names.
func TestNamed(t *testing.T) {
	for _, c := range []struct {
		name  string
		known simt.Space
		a     simt.Access
		addrs [2]uint64
		lanes uint64 // reported
	}{
		{"inside", simt.LDS, simt.Access{PC: 1, Space: simt.LDS, Size: 4}, [2]uint64{0x1000, 0x107c}, 0},
		{"partly inside", simt.LDS, simt.Access{PC: 1, Space: simt.LDS, Size: 4},
			[2]uint64{0xffd, 0x107f}, 0},
		{"beside, in LDS", simt.LDS, simt.Access{PC: 1, Space: simt.LDS, Size: 4},
			[2]uint64{0xffc, 0x1080}, 3},
		{"one", simt.LDS, simt.Access{PC: 1, Space: simt.LDS, Size: 4}, [2]uint64{0x1000, 0x1080}, 2},
		{"another instruction", simt.LDS, simt.Access{PC: 2, Space: simt.LDS, Size: 4}, [2]uint64{0, 0}, 0},
		{"another memory", simt.LDS, simt.Access{PC: 1, Space: simt.Scratch, Size: 4}, [2]uint64{0, 0}, 0},
		{"atomic", simt.LDS, simt.Access{PC: 1, Space: simt.LDS, Size: 4, Atomic: true}, [2]uint64{0, 0}, 0},
		{"joined", simt.LDS, simt.Access{PC: 1, Space: simt.LDS, Size: 4, Joined: true}, [2]uint64{0, 0}, 0},
		{"nothing known there", simt.Scratch, simt.Access{PC: 1, Space: simt.Scratch, Size: 4},
			[2]uint64{0x3000, 0x1ffc}, 0},
		{"another variable", simt.Scratch, simt.Access{PC: 1, Space: simt.Scratch, Size: 4},
			[2]uint64{0x3000, 0x2000}, 2},
		{"each lane's own", simt.Global, simt.Access{PC: 1, Space: simt.Global, Size: 4},
			[2]uint64{0x1000, 0x10fc}, 0},
		{"each lane's own, left", simt.Global, simt.Access{PC: 1, Space: simt.Global, Size: 4},
			[2]uint64{0x2000, 0x200c}, 3},
		{"another row", simt.LDS, simt.Access{PC: 1, Space: simt.LDS, Size: 4}, [2]uint64{0x1000, 0x1040}, 2},
		{"another row of a lane's own", simt.Global, simt.Access{PC: 1, Space: simt.Global, Size: 4},
			[2]uint64{0x1040, 0x10fc}, 1},
		{"another row, joined", simt.LDS, simt.Access{PC: 1, Space: simt.LDS, Size: 4, Joined: true},
			[2]uint64{0x1040, 0x1044}, 1},
		{"outside and in another row", simt.LDS, simt.Access{PC: 1, Space: simt.LDS, Size: 4},
			[2]uint64{0x1040, 0x1080}, 2},
	} {
		a := c.a
		a.Lanes, a.Addr = 3, &[simt.MaxLanes]uint64{c.addrs[0], c.addrs[1]}
		r := (&Checker{Objects: toyObjects{c.known}}).named(&a)
		switch {
		case r == nil && c.lanes != 0:
			t.Errorf("%s: no report", c.name)
		case r != nil && (r.Lanes != c.lanes || !strings.Contains(r.What, `"array"`)):
			t.Errorf("%s: lanes %b, want %b: %s", c.name, r.Lanes, c.lanes, r.What)
		}
	}
}
