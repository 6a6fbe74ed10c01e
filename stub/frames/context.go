package frames

import (
	"encoding/binary"
	"errors"
	"fmt"

	"simtgdb/dwarf/expr"
	"simtgdb/dwarf/types"
	"simtgdb/simt"
	"simtgdb/stub/arch"
	"simtgdb/stub/symfile"
	"simtgdb/stub/threads"
	"simtgdb/stub/unwind"
)

// A frameContext is what a location expression of a variable is evaluated in:
// one frame of one lane. It implements expr.Context and those of its optional
// interfaces that a GPU frame has an answer to.
type Context struct {
	Finder *Finder
	Frame  *unwind.Frame
	Slot   *symfile.Slot
}

// AddressSize implements expr.Context.
func (c *Context) AddressSize() int { return 8 }

// Lane implements expr.LaneContext.
func (c *Context) Lane() int { return c.Frame.Lane }

// WaveSize implements expr.LaneContext.
func (c *Context) WaveSize() int { return c.Frame.Wave.Size }

// FrameBase implements expr.FrameBaseContext.
func (c *Context) FrameBase() ([]byte, error) {
	if c.Slot == nil {
		return nil, errors.New("call frame information has no frame base")
	}
	base, err := c.Finder.Arch.FrameBase(c.Frame, c.Slot.FrameBase)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Slot.Name, err)
	}
	return base, nil
}

// Addrx implements expr.AddressContext.
func (c *Context) Addrx(index uint64) (uint64, error) {
	if c.Slot == nil {
		return 0, errors.New("call frame information has no unit")
	}
	return c.Slot.Unit.Addr(index)
}

// BaseType implements expr.BaseTypeContext.
func (c *Context) BaseType(offset uint64) (expr.BaseType, error) {
	if c.Slot == nil {
		return expr.BaseType{}, errors.New("call frame information has no unit")
	}
	return types.Base(c.Slot.Unit, offset)
}

// RegisterSize implements expr.Context.
func (c *Context) RegisterSize(num uint64) (int, error) {
	r, ok := c.Finder.Arch.Register(num)
	if !ok {
		return 0, expr.Errorf(expr.NoRegister, "DWARF register %d", num)
	}
	if r.PerLane {
		return r.Bytes * c.Frame.Wave.Size, nil
	}
	return r.Bytes, nil
}

// ReadRegister implements expr.Context.
func (c *Context) ReadRegister(num uint64, off int, p []byte) error {
	return c.eachPart(num, off, len(p), func(r arch.Register, lane, from, at, n int) error {
		b := make([]byte, r.Bytes)
		if err := c.part(r, lane, b); err != nil {
			return err
		}
		copy(p[at:at+n], b[from:])
		return nil
	})
}

// WriteRegister implements expr.Writer.
func (c *Context) WriteRegister(num uint64, off int, p []byte) error {
	return c.eachPart(num, off, len(p), func(r arch.Register, lane, from, at, n int) error {
		if r.PC || r.Zero {
			return expr.Errorf(expr.NoRegister, "DWARF register %d is no place for a variable", num)
		}
		b := make([]byte, r.Bytes)
		if err := c.part(r, lane, b); err != nil {
			return err
		}
		copy(b[from:], p[at:at+n])
		return c.Frame.Registers.Write(r.Reg, lane, b)
	})
}

// eachPart calls f for each part of a register, which is a lane's or all of
// it, that the bytes [off, off+n) touch: which lane, from which of the part's
// bytes, where in the caller's bytes, and how many.
func (c *Context) eachPart(num uint64, off, n int,
	f func(r arch.Register, lane, from, at, n int) error) error {
	r, ok := c.Finder.Arch.Register(num)
	size, err := c.RegisterSize(num)
	if !ok || err != nil {
		return err
	}
	if off < 0 || n > size-off {
		return expr.Errorf(expr.OutOfRange, "bytes [%d, %d) of register %d, which has %d", off, off+n, num,
			size)
	}
	for at := 0; at < n; {
		lane, from := c.Frame.Lane, off+at
		if r.PerLane {
			lane, from = from/r.Bytes, from%r.Bytes
		}
		m := min(r.Bytes-from, n-at)
		if err := f(r, lane, from, at, m); err != nil {
			return err
		}
		at += m
	}
	return nil
}

// part reads a register, or a lane's part of one.
func (c *Context) part(r arch.Register, lane int, b []byte) error {
	switch {
	case r.Zero:
		clear(b)
		return nil
	case r.PC:
		binary.LittleEndian.PutUint64(b, c.Frame.PC)
		return nil
	}
	return c.Frame.Registers.Read(r.Reg, lane, b)
}

// ReadMemory implements expr.Context.
func (c *Context) ReadMemory(space uint64, lane int, addr uint64, p []byte) error {
	return c.eachPlace(space, lane, addr, p, func(at arch.Place, p []byte) (int, error) {
		if at.Space == simt.Global {
			return c.Finder.memory.Read(at.Addr, p)
		}
		return threads.ReadOwn(threads.WindowOf(at.Space), c.Frame.Wave, at.Lane, at.Addr, p)
	})
}

// WriteMemory implements expr.Writer.
func (c *Context) WriteMemory(space uint64, lane int, addr uint64, p []byte) error {
	return c.eachPlace(space, lane, addr, p, func(at arch.Place, p []byte) (int, error) {
		if at.Space == simt.Global {
			return c.Finder.memory.Write(at.Addr, p)
		}
		return threads.WriteOwn(threads.WindowOf(at.Space), c.Frame.Wave, at.Lane, at.Addr, p)
	})
}

// eachPlace moves bytes at an address by what lies together.
func (c *Context) eachPlace(space uint64, lane int, addr uint64, p []byte,
	move func(at arch.Place, p []byte) (int, error)) error {
	if lane < 0 {
		lane = c.Frame.Lane
	}
	for {
		at, err := c.Finder.Arch.Place(c.Frame.Wave, lane, space, addr)
		if err != nil {
			return expr.Errorf(expr.MemoryUnavailable, "%v", err)
		}
		n := len(p)
		if at.Bytes != 0 {
			n = min(n, at.Bytes)
		}
		if got, err := move(at, p[:n]); err != nil || got < n {
			return expr.Errorf(expr.MemoryUnavailable, "%v", err)
		}
		if n == len(p) {
			return nil
		}
		addr, p = addr+uint64(n), p[n:]
	}
}
