package stub

import (
	"encoding/binary"

	"simtgdb/dwarf/expr"
	"simtgdb/simt"
	"simtgdb/stub/frames"
	"simtgdb/stub/symfile"
	"simtgdb/stub/unwind"
)

// commonPlaces finds where the variables of a wave's lanes lie that stand at one breakpoint. Where a location
// says the same for all of them it is evaluated once: a condition asks each of the lanes.
type commonPlaces struct {
	frames *frames.Finder
	wave   *simt.Wave
	frame  unwind.Frame // innermost, of the lane that is looked at
	known  []commonPlace
}

// A commonPlace is where an object lies in each lane of a wave.
type commonPlace struct {
	slot     *symfile.Slot
	location expr.Location
	ok       bool // it does not depend on the lane
}

// slot is what gdb finds in a slot of a lane's innermost frame, or in so many bytes at the address that it
// finds there; ok is false where it cannot be told without the lane's other frames.
func (c *commonPlaces) slot(in *laneContext, at int64, then int) (v uint64, ok bool, err error) {
	for i, where := range c.frames.Symbols.SlotsIn(at, at+1) {
		slot := &c.frames.Symbols.Slots[i]
		if where != at || slot.Pointers > 0 || uint64(then) > slot.Size {
			continue
		}
		loc, err := c.locate(in.lane, slot)
		if err != nil {
			return 0, false, nil
		}
		if a, ok := loc.Address(); ok {
			addr, ok := c.frames.Visible(&c.frame, a)
			if ok && then > 0 {
				addr, err = in.Load(addr, then)
			}
			return addr, ok, err
		}
		if then == 0 {
			return 0, false, nil // where gdb sees it depends on the frame's depth
		}
		var word [8]byte
		b, err := loc.Read(&frames.Context{Finder: c.frames, Frame: &c.frame, Slot: slot}, 0, uint64(8*then))
		copy(word[:], b)
		return binary.LittleEndian.Uint64(word[:]), err == nil, nil
	}
	return 0, false, nil
}

// ofWave reports whether what lies in a slot's object is the same in all lanes: it is in a register of the
// wave, computed of such, or at one place in global memory.
func (c *commonPlaces) ofWave(at int64) bool {
	for i := range c.known {
		p := &c.known[i]
		if p.slot.At != at || !p.ok {
			continue
		}
		if num, _, inRegister := p.location.Register(); inRegister {
			r, ok := c.frames.Arch.Register(num)
			files := c.frame.Registers.Files()
			return ok && !r.PC && !r.Zero && int(r.Reg.File) < len(files) && !files[r.Reg.File].PerLane
		}
		if _, _, computed := p.location.Constant(); computed {
			return true
		}
		a, _ := p.location.Address()
		place, err := c.frames.Arch.Place(c.wave, c.frame.Lane, a.Space, a.Address)
		return err == nil && place.Space == simt.Global
	}
	return false
}

// base is the frame base of a lane's innermost frame, if it is in memory that gdb sees.
func (c *commonPlaces) base(lane int) (addr uint64, ok bool) {
	b := c.frames.Symbols.BaseAt(c.wave.PC)
	if b == nil {
		return 0, false
	}
	loc, err := c.locate(lane, &b.Slot)
	if err != nil {
		return 0, false
	}
	a, ok := loc.Address()
	if !ok {
		return 0, false
	}
	return c.frames.Visible(&c.frame, a)
}

// locate is frames.locate in a lane's innermost frame.
func (c *commonPlaces) locate(lane int, slot *symfile.Slot) (expr.Location, error) {
	if c.frame.Wave == nil {
		c.frame = c.frames.Of(c.wave, lane)[0]
	}
	c.frame.Lane = lane // lanes that stand together have the registers of their wave
	if c.wave.Track != nil {
		c.frame.Call = c.wave.Track.Innermost[lane]
	}
	for i := range c.known {
		if p := &c.known[i]; p.slot == slot && p.ok {
			return p.location, nil
		} else if p.slot == slot {
			loc, _, err := c.frames.Locate(&c.frame, slot)
			return loc, err
		}
	}
	f := c.frame
	own := &ownness{Registers: f.Registers}
	f.Registers = own
	ctx := &ownContext{Context: frames.Context{Finder: c.frames, Frame: &f, Slot: slot}, own: own}
	loc, err := expr.Evaluate(ctx, slot.Expr, c.frames.Arch.Options(slot.Unit))
	if err == nil {
		loc, err = c.frames.Arch.Follow(ctx, slot.Unit, loc, lane, slot.Size)
	}
	_, inMemory := loc.Address()
	_, _, inRegister := loc.Register()
	_, _, computed := loc.Constant()
	whole := inMemory || computed || inRegister && !own.focused
	c.known = append(c.known, commonPlace{slot, loc, err == nil && !own.asked && whole})
	return loc, err
}

// ownness are registers that notice when something is read that a lane has of its own. It implements
// simt.Registers.
type ownness struct {
	simt.Registers
	asked   bool
	focused bool // the number of the lane was asked for
}

// Read implements simt.Registers.
func (o *ownness) Read(r simt.Reg, lane int, p []byte) error {
	if files := o.Files(); int(r.File) >= len(files) || files[r.File].PerLane {
		o.asked = true
	}
	return o.Registers.Read(r, lane, p)
}

// An ownContext is a frame's context that notices when a location asks for what a lane has of its own.
type ownContext struct {
	frames.Context
	own *ownness
}

// Lane implements expr.LaneContext.
func (c *ownContext) Lane() int {
	c.own.focused = true
	return c.Context.Lane()
}

// LanePushed implements expr.LaneObserver.
func (c *ownContext) LanePushed() { c.own.asked = true }

// ReadMemory implements expr.Context.
func (c *ownContext) ReadMemory(space uint64, lane int, addr uint64, p []byte) error {
	c.own.asked = true
	return c.Context.ReadMemory(space, lane, addr, p)
}

// CFA implements expr.CFAContext.
func (c *ownContext) CFA() (expr.Location, error) {
	c.own.asked = true
	return c.Context.CFA()
}

// EntryRegister implements expr.EntryContext.
func (c *ownContext) EntryRegister(num uint64) (expr.Location, error) {
	c.own.asked = true
	return c.Context.EntryRegister(num)
}
