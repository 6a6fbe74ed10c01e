package stub

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"simtgdb/rsp"
	"simtgdb/rsp/agent"
	"simtgdb/simt"
	"simtgdb/stub/facade"
	"simtgdb/stub/frames"
	"simtgdb/stub/threads"
)

// judge tells for which active lanes of a wave the breakpoint at its PC is
// to stop it, a mask. Each lane's own registers and memory decide.
func (s *Session) judge(w *simt.Wave, lanes uint64) uint64 {
	b := s.hits.breakpoints[w.PC]
	if b == nil {
		return 0 // removed since the wave came to it
	}
	if len(b.Conditions) == 0 || s.symbols.NarrowPointers {
		return lanes // gdb checks its condition itself (bpstat_check_breakpoint_conditions)
	}
	ctx := &laneContext{session: s, wave: w, places: commonPlaces{frames: s.frames, wave: w}}
	ctx.look(bits.TrailingZeros64(lanes))
	sure := &sureContext{s, w, ctx.lane, sureOfWave}
	if b.Never(sure) || b.Never(&sureOfValues{*sure, ctx}) {
		s.frames.Forget()
		return 0
	}
	sure.least = sureOfLane
	asks := b.Asks(sure)
	var hit uint64
	simt.Lanes(lanes, func(l int) {
		if sure.lane = l; asks && b.Never(sure) {
			return
		}
		ctx.look(l)
		if ok, _ := b.Triggers(ctx); ok {
			hit |= 1 << l
		}
	})
	s.frames.Forget()
	return hit
}

// A sureContext answers for what conditions ask of where a lane is. It implements agent.Sure.
type sureContext struct {
	session *Session
	wave    *simt.Wave
	lane    int
	least   sureness
}

// Known implements agent.Sure.
func (c *sureContext) Known(n int) (uint64, bool) {
	if n < 0 || n >= len(c.session.registers) || c.session.registers[n].sure < c.least {
		return 0, false
	}
	v, err := c.session.number(c.wave, c.lane, n)
	return v, err == nil
}

// KnownMemory implements agent.Sure: memory is what lanes call their places by, and nothing else.
func (c *sureContext) KnownMemory(addr uint64, size int) (uint64, bool) {
	kind, _, offset := c.session.Split(addr)
	if kind != threads.BuiltinWindow {
		return 0, false
	}
	b := builtinAt(offset)
	if b == nil || b.sure < c.least {
		return 0, false
	}
	var buf [8]byte
	if n, err := c.session.readBuiltin(c.wave, c.lane, offset, buf[:size]); err != nil || n < size {
		return 0, false
	}
	return binary.LittleEndian.Uint64(buf[:]), true
}

// number is a register as conditions have it.
func (s *Session) number(w *simt.Wave, lane, n int) (v uint64, err error) {
	data, err := s.contentsOf(w, lane, &s.registers[n])
	for i, b := range data[:min(8, len(data))] {
		v |= uint64(b) << (8 * i)
	}
	return v, err
}

// sureOfValues knows variables besides that have one value for all lanes of the wave. It implements
// agent.FieldSure.
type sureOfValues struct {
	sureContext
	ctx *laneContext
}

// KnownField implements agent.FieldSure.
func (c *sureOfValues) KnownField(f *agent.Field) (v uint64, ok bool) {
	if f.Register >= len(c.session.registers) || c.session.registers[f.Register].role != facade.Handle ||
		f.Size != frames.WideSize || f.Then == 0 {
		return 0, false
	}
	v, ok, err := c.ctx.places.slot(c.ctx, int64(f.Offset), f.Then)
	return v, ok && err == nil && c.ctx.places.ofWave(int64(f.Offset))
}

// A laneContext is what a breakpoint's condition is evaluated in. It
// implements agent.Context and agent.FieldLoader.
type laneContext struct {
	session *Session
	wave    *simt.Wave
	lane    int
	thread  rsp.ThreadID
	places  commonPlaces
	word    [8]byte // that was loaded last
}

// look goes to a lane.
func (c *laneContext) look(lane int) { c.lane, c.thread = lane, threads.Of(c.wave, lane) }

// Register implements agent.Context.
func (c *laneContext) Register(n int) (uint64, error) {
	if n < 0 || n >= len(c.session.registers) {
		return 0, fmt.Errorf("no register has number %d", n)
	}
	return c.session.number(c.wave, c.lane, n)
}

// Load implements agent.Context.
func (c *laneContext) Load(addr uint64, size int) (uint64, error) {
	clear(c.word[:])
	n, err := c.read(addr, c.word[:size])
	if err == nil && n < size {
		err = fmt.Errorf("cannot access memory at %#x", addr+uint64(n))
	}
	return binary.LittleEndian.Uint64(c.word[:]), err
}

// read reads memory as the lane sees it. That a condition reads an object shows it to nobody.
func (c *laneContext) read(addr uint64, buf []byte) (int, error) {
	switch kind, _, offset := c.session.Split(addr); kind {
	case threads.BuiltinWindow:
		return c.session.readBuiltin(c.wave, c.lane, offset, buf)
	case 0:
		if space, offset, own := c.session.arch.Aperture(addr); own {
			return threads.ReadOwn(threads.WindowOf(space), c.wave, c.lane, offset, buf)
		}
	}
	return c.session.readMemory(c.thread, addr, buf)
}

// LoadField implements agent.FieldLoader. gdb finds a variable by a slot at the frame's handle, a parameter
// by the frame's base: neither wants all frames of the lane.
func (c *laneContext) LoadField(f *agent.Field) (v uint64, ok bool, err error) {
	if f.Register >= len(c.session.registers) {
		return 0, false, nil
	}
	switch c.session.registers[f.Register].role {
	case facade.Handle:
		if f.Size == frames.WideSize {
			return c.places.slot(c, int64(f.Offset), f.Then)
		}
	case facade.Base:
		if base, ok := c.places.base(c.lane); ok && f.Then == 0 {
			v, err = c.Load(base+f.Offset, f.Size)
			return v, true, err
		}
	}
	return 0, false, nil
}
