package gcn

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"

	"simtgdb/simt"
)

// The global data share, which all workgroups of a dispatch share, is global memory here, at an address that
// no allocation gets; so are the resources of global wave sync, a counter and a phase each.
const (
	GDSBase = 0x7dff_0000_0000
	GDSSize = 64 << 10

	gwsBase      = GDSBase + 1<<24
	gwsResources = 64
	gwsEntry     = 8 // bytes of a resource
)

// mapGDS gives the machine a global data share of zeros, if it has none.
func (a *ISA) mapGDS() error {
	if a.mem.Find(GDSBase) != nil {
		return nil
	}
	if _, err := a.mem.Map("GDS", GDSBase, make([]byte, GDSSize), simt.PermRead|simt.PermWrite); err != nil {
		return fmt.Errorf("global data share: %w", err)
	}
	_, err := a.mem.Map("GWS", gwsBase, make([]byte, gwsResources*gwsEntry), simt.PermRead|simt.PermWrite)
	if err != nil {
		return fmt.Errorf("global wave sync: %w", err)
	}
	return nil
}

// gdsWindow is the part of the global data share that M0 gives the wave: its base in the high half, its size
// in the low one (Vega ISA, section "Global data share").
func (c *Core) gdsWindow() (base, size uint64) {
	return uint64(c.r.S[regM0] >> 16), uint64(c.r.S[regM0] & 0xffff)
}

// runGDS executes a data-share instruction on the global data share.
func runGDS(c *Core, in *Inst) {
	a := in.Op.mem
	if c.w.Exec == 0 {
		return
	}
	dst, data, data2 := c.registers(&in.dst), c.registers(&in.src[1]), c.registers(&in.src[2])
	base := c.r.V[in.src[0].reg] // a copy: the destination may be the same
	if a.places == 0 {
		c.beginAccess(dst, data, data2)
		c.gdsAccess(in, &base, uint32(in.simm))
		return
	}
	unit, n := uint32(a.places*a.size), a.size/4
	data2 = slices.Clone(data2) // the first may have its result there
	c.beginAccess(part(dst, 0, n), data, nil)
	second := part(dst, n, n)
	if c.gdsAccess(in, &base, uint32(in.simm)*unit) {
		c.beginAccess(second, data2, nil)
		c.gdsAccess(in, &base, uint32(in.mem.offset1)*unit)
	}
}

func part(v []Vector, from, n int) []Vector {
	if v == nil {
		return nil
	}
	return v[from:][:n]
}

// gdsAccess does an access to the wave's window and reports whether it was done. What is outside the window
// reads 0 and is not written.
func (c *Core) gdsAccess(in *Inst, at *Vector, offset uint32) bool {
	a, exec := in.Op.mem, c.w.Exec
	base, size := c.gdsWindow()
	c.addresses32(at, offset, 0, exec)
	inside := uint64(0)
	for m := exec; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		if addr := c.addr[l]; addr+uint64(a.size) <= size && base+addr+uint64(a.size) <= GDSSize {
			inside |= 1 << l
		} else {
			for i := range c.pass.dst {
				c.pass.dst[i][l] = 0
			}
		}
		c.addr[l] += GDSBase + base
	}
	if inside == 0 {
		return true
	}
	c.globalAccess(in, inside, c.spanOf(inside))
	return !c.faulted()
}

// runCountGDS is runCount for a counter in the global data share, whose base alone counts.
func (c *Core) runCountGDS(in *Inst, sign uint32) {
	base, _ := c.gdsWindow()
	at := GDSBase + (base+uint64(in.simm))&(GDSSize-1)
	c.beginAccess(c.registers(&in.dst), nil, nil)
	fill(&c.addr, at)
	s := span{at, at, at}
	c.checkGlobal(counter, c.w.Exec, s)
	if c.raise(in, counter) {
		return
	}
	c.moveGlobal(in, counter, c.w.Exec, s)
	old := c.pass.dst[0][bits.TrailingZeros64(c.w.Exec)&63]
	mem := c.region.Data[at-c.region.Base:]
	binary.LittleEndian.PutUint32(mem, old+sign*uint32(bits.OnesCount64(c.w.Exec)))
}

// A gwsState is one resource of global wave sync: a semaphore's or a barrier's counter, and how often the
// barrier has opened.
type gwsState struct{ counter, phase uint32 }

// runGWS executes an instruction of global wave sync (Vega ISA, section "DS instructions", DS_GWS_*). A wave
// that has to wait stays at the instruction and comes to it again at its next turn.
func runGWS(step func(r *Regs, s *gwsState, data uint32) (done bool)) func(*Core, *Inst) {
	return func(c *Core, in *Inst) {
		region := c.mem.Find(gwsBase)
		if region == nil {
			unknown(c, in)
			return
		}
		data := uint32(0)
		if v := &in.src[0]; v.kind == vectorReg {
			data = c.r.V[v.reg][bits.TrailingZeros64(c.w.Exec|1<<63)]
		}
		id := (c.r.S[regM0]>>16 + uint32(in.simm)) % gwsResources
		if c.m.Concurrent {
			c.m.Shared.Lock()
			defer c.m.Shared.Unlock()
		}
		mem := region.Data[id*gwsEntry:][:gwsEntry]
		s := gwsState{binary.LittleEndian.Uint32(mem), binary.LittleEndian.Uint32(mem[4:])}
		c.w.PC = in.PC
		if step(c.r, &s, data) {
			c.w.PC += uint64(in.Size)
		} else {
			c.repeats = true
		}
		binary.LittleEndian.PutUint32(mem, s.counter)
		binary.LittleEndian.PutUint32(mem[4:], s.phase)
	}
}

// repeat has a wave that waits at its instruction execute it n times more, which are left of its turn, and
// returns how often it has: nothing comes of it but that they are counted, unless others run meanwhile.
func (c *Core) repeat(n uint64) uint64 {
	if c.repeats = false; c.m.Concurrent {
		return 0
	}
	c.w.Insts += n
	c.w.LaneInsts += n * uint64(bits.OnesCount64(c.w.Exec))
	return n
}

func gwsInit(_ *Regs, s *gwsState, data uint32) bool { s.counter = data; return true }
func gwsV(_ *Regs, s *gwsState, _ uint32) bool       { s.counter++; return true }
func gwsBr(_ *Regs, s *gwsState, data uint32) bool   { s.counter += data; return true }

// gwsReleaseAll lets all that wait for the semaphore go on, and nobody after them.
func gwsReleaseAll(_ *Regs, s *gwsState, _ uint32) bool { s.counter = 0; s.phase++; return true }

func gwsP(r *Regs, s *gwsState, _ uint32) bool {
	released := r.gws != 0 && r.gws != s.phase+1
	if !released && s.counter == 0 {
		r.gws = s.phase + 1
		return false
	}
	if r.gws = 0; !released {
		s.counter--
	}
	return true
}

// MeetGroups makes the first barrier of global wave sync one of all workgroups of a dispatch: what the driver
// does before a cooperative launch. The one wave of each that waits there gives it the same number again.
func (a *ISA) MeetGroups(d *simt.Dispatch) {
	region := a.mem.Find(gwsBase)
	if region == nil {
		return
	}
	groups := uint32(1)
	for _, n := range d.Groups() {
		groups *= n
	}
	clear(region.Data[:gwsEntry])
	binary.LittleEndian.PutUint32(region.Data, groups-1)
}

// gwsBarrier opens for the wave that finds the counter at 0, and for those that came before it; the counter
// then begins with that wave's data, which is how many others are to come.
func gwsBarrier(r *Regs, s *gwsState, data uint32) bool {
	switch {
	case r.gws != 0 && r.gws == s.phase+1:
		return false
	case r.gws != 0:
		r.gws = 0
	case s.counter == 0:
		s.counter, s.phase = data, s.phase+1
	default:
		s.counter--
		r.gws = s.phase + 1
		return false
	}
	return true
}
