package simt

// Track is what a debugger wants to know of a wave beyond its registers, kept
// by the ISA while the wave runs: where inactive lanes stand, and the calls
// each lane is in.
type Track struct {
	LanePC [MaxLanes]uint64
	Calls  [MaxLanes][]*Call // innermost last

	// Returned is the call that each lane has returned from last.
	Returned [MaxLanes]*Call

	// Whole is set while EXEC was widened to every lane by code that spills
	// or restores whole registers; Saved is the mask it will come back to.
	Whole bool
	Saved uint64

	// Last is the mask of lanes that were active before none was.
	Last uint64
}

// A Call is one execution of a call instruction, shared by the lanes that
// executed it together.
type Call struct {
	Site   uint64 // the call instruction
	Return uint64 // where it returns to
	Target uint64 // the function called; a tail call puts its own target here
	Depth  int    // calls below it in the lanes that made it
	Lanes  uint64 // the lanes that made it, a mask

	// S are the scalar registers as the call instruction left them: what the
	// caller will find again in those that callees preserve. Vector gives the
	// vector registers.
	S       *[256]uint32
	vector  []Vector
	vectors int // ordinary ones among them; the rest are accumulation registers

	// written are the registers that a debugger changed in the caller's
	// frame: they become so when the call returns.
	writtenS map[uint8]uint32
	writtenV map[uint16]map[int]uint32
}

// Vector is a vector register as the call instruction left it, or nil if the
// kernel does not allocate it.
func (c *Call) Vector(reg uint16) *Vector {
	i := int(reg)
	switch {
	case i < AccBase && i < c.vectors:
	case i >= AccBase && i-AccBase < len(c.vector)-c.vectors:
		i += c.vectors - AccBase
	default:
		return nil
	}
	return &c.vector[i]
}

// SetS changes a scalar register of the caller's frame.
func (c *Call) SetS(reg uint8, value uint32) {
	if c.writtenS == nil {
		c.writtenS = map[uint8]uint32{}
	}
	c.S[reg], c.writtenS[reg] = value, value
}

// SetV changes one lane of a vector register of the caller's frame that the
// kernel allocates.
func (c *Call) SetV(reg uint16, lane int, value uint32) {
	if c.writtenV == nil {
		c.writtenV = map[uint16]map[int]uint32{}
	}
	if c.writtenV[reg] == nil {
		c.writtenV[reg] = map[int]uint32{}
	}
	c.Vector(reg)[lane], c.writtenV[reg][lane] = value, value
}

// StartTrack begins to keep a record for a wave that has not run yet.
func (w *Wave) StartTrack() {
	w.Track = &Track{}
	for i := range w.Track.LanePC {
		w.Track.LanePC[i] = w.PC
	}
}

// EnterCall records a call by the active lanes. The ISA calls it after the
// instruction has written its return address, if Track is not nil.
func (w *Wave) EnterCall(site, ret, target uint64) {
	t, mask := w.Track, w.Active()
	s := w.S
	c := &Call{Site: site, Return: ret, Target: target, Lanes: mask, S: &s, vectors: w.VectorCount}
	c.vector = make([]Vector, 0, w.VectorCount+w.AccCount)
	c.vector = append(c.vector, w.V[:w.VectorCount]...)
	c.vector = append(c.vector, w.V[AccBase:AccBase+w.AccCount]...)
	Lanes(mask, func(l int) {
		c.Depth = len(t.Calls[l])
		t.Calls[l] = append(t.Calls[l], c)
	})
}

// LeaveCall records an indirect branch of the active lanes. Where it goes to
// the return address of a call that a lane is in, that call and those inside
// it are over; elsewhere it is a tail call if tail says that a function
// begins there.
func (w *Wave) LeaveCall(target uint64, tail bool) {
	t := w.Track
	Lanes(w.Active(), func(l int) {
		calls := t.Calls[l]
		for i := len(calls) - 1; i >= 0; i-- {
			if calls[i].Return == target {
				w.restore(calls[i], l)
				t.Returned[l] = calls[i]
				t.Calls[l] = calls[:i]
				return
			}
		}
		if tail && len(calls) > 0 {
			w.tailCall(l, target)
		}
	})
}

// tailCall replaces the lane's innermost call by one to target with the same
// way back; other lanes may still be in the old one.
func (w *Wave) tailCall(lane int, target uint64) {
	calls := w.Track.Calls[lane]
	c := *calls[len(calls)-1]
	c.Target = target
	calls[len(calls)-1] = &c
}

// restore makes what a debugger wrote into the caller's frame come true.
func (w *Wave) restore(c *Call, lane int) {
	for r, v := range c.writtenS {
		w.S[r] = v
	}
	for r, lanes := range c.writtenV {
		if v, ok := lanes[lane]; ok {
			w.V[r][lane] = v
		}
	}
}

// ExecChanged records that the instruction at pc turned EXEC from old into
// what it is now. whole says that it did so to reach every lane of a register
// rather than to have them execute.
func (w *Wave) ExecChanged(old, pc uint64, whole bool) {
	t := w.Track
	if whole {
		if !t.Whole {
			t.Whole, t.Saved = true, old
		}
		return
	}
	if t.Whole {
		t.Whole, old = false, t.Saved
	}
	if w.Exec&w.Valid == 0 && old&w.Valid != 0 {
		t.Last = old & w.Valid
	}
	Lanes(old&^w.Exec, func(l int) { t.LanePC[l] = pc })
}
