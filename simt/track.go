package simt

import "math/bits"

// Track is what a debugger wants to know of a wave beyond its registers, kept
// by the ISA while the wave runs: the calls each lane is in.
type Track struct {
	// Innermost is the innermost call that each lane is in, nil for a lane
	// that is in the kernel itself.
	Innermost [MaxLanes]*Call

	// Returned is the call that each lane has returned from last.
	Returned [MaxLanes]*Call

	// Last is the mask of lanes that were active before none was.
	Last uint64

	// Statement is [Machine].Statement.
	Statement func(pc uint64) (n uint64, begins bool)

	calls bool // there have been some
}

// begin makes the record that of a wave that starts.
func (t *Track) begin(m *Machine) {
	if t.calls { // else most of it is as it was
		*t = Track{}
	}
	t.Last, t.Statement = 0, m.Statement
}

// A Call is one execution of a call instruction, shared by the lanes that
// executed it together out of the same call.
type Call struct {
	Site   uint64 // the call instruction
	Return uint64 // where it returns to
	Target uint64 // the function called; a tail call puts its own target here
	Outer  *Call  // that it was made in, nil for the kernel
	Depth  int    // calls outside it
	Lanes  uint64 // the lanes that made it, a mask

	// Regs are the registers as the call instruction left them: what the
	// caller will find again in those that callees preserve.
	Regs Registers
}

// At is the call of a number, counted from the outermost, among c and those
// that it was made in; nil if there are not as many.
func (c *Call) At(depth int) *Call {
	if c == nil || depth < 0 || depth > c.Depth {
		return nil
	}
	for c.Depth > depth {
		c = c.Outer
	}
	return c
}

// Like reports whether a call has the same place in the program as another, and so have those that they were
// made in: one that is executed again has.
func (c *Call) Like(o *Call) bool {
	for ; c != o; c, o = c.Outer, o.Outer {
		if c == nil || o == nil || c.Site != o.Site || c.Return != o.Return || c.Target != o.Target ||
			c.Depth != o.Depth {
			return false
		}
	}
	return true
}

// Count is how many calls c and those that it was made in are.
func (c *Call) Count() int {
	if c == nil {
		return 0
	}
	return c.Depth + 1
}

// EnterCall records a call by the active lanes. The ISA calls it after the
// instruction has written its return address, if Track is not nil.
func (w *Wave) EnterCall(site, ret, target uint64, saved Registers) {
	t := w.Track
	t.calls = true
	for rest := w.Active(); rest != 0; {
		outer := t.Innermost[bits.TrailingZeros64(rest)]
		c := &Call{Site: site, Return: ret, Target: target, Outer: outer, Depth: outer.Count(), Regs: saved}
		Lanes(rest, func(l int) {
			if t.Innermost[l] == outer {
				c.Lanes |= 1 << l
			}
		})
		Lanes(c.Lanes, func(l int) { t.Innermost[l] = c })
		rest &^= c.Lanes
	}
}

// LeaveCall records an indirect branch of the active lanes. Where it goes to
// the return address of a call that a lane is in, that call and those inside
// it are over; elsewhere it is a tail call if tail says that a function
// begins there.
func (w *Wave) LeaveCall(target uint64, tail bool) {
	t := w.Track
	Lanes(w.Active(), func(l int) {
		for c := t.Innermost[l]; c != nil; c = c.Outer {
			if c.Return == target {
				if r, ok := c.Regs.(Returner); ok {
					r.Return(w, l)
				}
				t.Returned[l], t.Innermost[l] = c, c.Outer
				return
			}
		}
		if tail && t.Innermost[l] != nil {
			w.tailCall(l, target)
		}
	})
}

// tailCall replaces the lane's innermost call by one to target with the same
// way back; other lanes may still be in the old one.
func (w *Wave) tailCall(lane int, target uint64) {
	c := *w.Track.Innermost[lane]
	c.Target, c.Lanes = target, 1<<lane
	w.Track.Innermost[lane] = &c
}
