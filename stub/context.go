package stub

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"simtgdb/dwarf/expr"
	"simtgdb/dwarf/types"
	"simtgdb/simt/gcn"
	"simtgdb/stub/symfile"
	"simtgdb/stub/unwind"
)

// A frameContext is what a location expression of a variable is evaluated in:
// one frame of one lane. It implements expr.Context and those of its optional
// interfaces that a GPU frame has an answer to.
type frameContext struct {
	session *Session
	frame   *unwind.Frame
	slot    *symfile.Slot
}

// AddressSize implements expr.Context.
func (c *frameContext) AddressSize() int { return 8 }

// Lane implements expr.LaneContext.
func (c *frameContext) Lane() int { return c.frame.Lane }

// WaveSize implements expr.LaneContext.
func (c *frameContext) WaveSize() int { return c.frame.Wave.Size }

// FrameBase implements expr.FrameBaseContext.
func (c *frameContext) FrameBase() ([]byte, error) {
	if c.slot == nil {
		return nil, errors.New("call frame information has no frame base")
	}
	if c.slot.FrameBase == nil && c.frame.Depth == 0 {
		return kernelBase, nil
	}
	if c.slot.FrameBase == nil {
		return nil, fmt.Errorf("%s is in no function with a frame base", c.slot.Name)
	}
	if bytes.Equal(c.slot.FrameBase, framePointer) && c.isFrameless() {
		return stackPointer, nil
	}
	return c.slot.FrameBase, nil
}

// The frame bases of stock clang: DW_OP_regx of SGPR33, the frame pointer of
// functions that have one, and of SGPR32, the stack pointer.
var framePointer, stackPointer = []byte{expr.OpRegx, 33 + 32}, []byte{expr.OpRegx, 32 + 32}

// zeroRegister is a register that no GPU has: it is 0. An optimised kernel with
// no frame pointer has no frame base in stock clang's debug information, and yet
// variables at offsets from it: those are from the beginning of the lane's
// private memory.
const zeroRegister = 1 << 14

var kernelBase = binary.AppendUvarint([]byte{expr.OpRegx}, zeroRegister)

// isFrameless reports whether the frame pointer is still, or again, that of the
// caller: clang sets it up in the prologue and restores it before the function
// returns, and says nowhere that the frame base does not hold there. The stack
// pointer is then what the frame pointer becomes.
func (c *frameContext) isFrameless() bool {
	f := c.frame
	if f.Wave.Track == nil || f.Depth == 0 || f.Depth > len(f.Wave.Track.Calls[f.Lane]) {
		return false
	}
	const sp, fp = 32, 33
	call := f.Wave.Track.Calls[f.Lane][f.Depth-1]
	now, err := f.Scalar(fp)
	return err == nil && now == call.S[fp] && call.S[fp] != call.S[sp]
}

// Addrx implements expr.AddressContext.
func (c *frameContext) Addrx(index uint64) (uint64, error) {
	if c.slot == nil {
		return 0, errors.New("call frame information has no unit")
	}
	return c.slot.Unit.Addr(index)
}

// BaseType implements expr.BaseTypeContext.
func (c *frameContext) BaseType(offset uint64) (expr.BaseType, error) {
	if c.slot == nil {
		return expr.BaseType{}, errors.New("call frame information has no unit")
	}
	return types.Base(c.slot.Unit, offset)
}

// RegisterSize implements expr.Context.
func (c *frameContext) RegisterSize(num uint64) (int, error) {
	if num == zeroRegister {
		return 4, nil
	}
	r, ok := gcn.DWARFRegisterOf(num)
	if !ok {
		return 0, expr.Errorf(expr.NoRegister, "DWARF register %d", num)
	}
	if r.Vector {
		return 4 * c.frame.Wave.Size, nil
	}
	return 4 * r.Dwords, nil
}

// ReadRegister implements expr.Context.
func (c *frameContext) ReadRegister(num uint64, off int, p []byte) error {
	if num == zeroRegister {
		clear(p)
		return nil
	}
	return c.eachDword(num, off, len(p), func(r gcn.DWARFRegister, dword, from, at, n int) error {
		v, err := c.dword(r, dword)
		if err != nil {
			return err
		}
		var b [4]byte
		binary.LittleEndian.PutUint32(b[:], v)
		copy(p[at:at+n], b[from:])
		return nil
	})
}

// WriteRegister implements expr.Writer.
func (c *frameContext) WriteRegister(num uint64, off int, p []byte) error {
	return c.eachDword(num, off, len(p), func(r gcn.DWARFRegister, dword, from, at, n int) error {
		v, err := c.dword(r, dword)
		if err != nil {
			return err
		}
		var b [4]byte
		binary.LittleEndian.PutUint32(b[:], v)
		copy(b[from:], p[at:at+n])
		v = binary.LittleEndian.Uint32(b[:])
		if r.Vector {
			return c.frame.SetVector(uint16(r.Index), dword, v)
		}
		if r.PC {
			return expr.Errorf(expr.NoRegister, "the pc is no place for a variable")
		}
		if err := c.frame.SetScalar(uint8(r.Index+dword), v); err != nil {
			return err
		}
		gcn.Refresh(c.frame.Wave)
		return nil
	})
}

// eachDword calls f for each dword of a register that the bytes [off, off+n)
// touch: which dword, from which of its bytes, where in the caller's bytes,
// and how many.
func (c *frameContext) eachDword(num uint64, off, n int, f func(r gcn.DWARFRegister, dword, from, at, n int) error) error {
	r, ok := gcn.DWARFRegisterOf(num)
	size, err := c.RegisterSize(num)
	if !ok || err != nil {
		return err
	}
	if off < 0 || n > size-off {
		return expr.Errorf(expr.OutOfRange, "bytes [%d, %d) of register %d, which has %d", off, off+n, num, size)
	}
	for at := 0; at < n; {
		dword, from := (off+at)/4, (off+at)%4
		m := min(4-from, n-at)
		if err := f(r, dword, from, at, m); err != nil {
			return err
		}
		at += m
	}
	return nil
}

func (c *frameContext) dword(r gcn.DWARFRegister, dword int) (uint32, error) {
	switch {
	case r.PC:
		return uint32(c.frame.PC >> (32 * dword)), nil
	case r.Vector:
		return c.frame.Vector(uint16(r.Index), dword)
	}
	return c.frame.Scalar(uint8(r.Index + dword))
}

// ReadMemory implements expr.Context.
func (c *frameContext) ReadMemory(space uint64, lane int, addr uint64, p []byte) error {
	if n := c.inDword(space, addr); n < len(p) {
		if err := c.ReadMemory(space, lane, addr, p[:n]); err != nil {
			return err
		}
		return c.ReadMemory(space, lane, addr+uint64(n), p[n:])
	}
	return c.memory(space, lane, addr, len(p), func(kind uint64, lane int, addr uint64) (int, error) {
		if kind == 0 {
			return c.session.prog.Memory.Read(addr, p)
		}
		return readOwn(kind, c.frame.Wave, lane, addr, p)
	})
}

// WriteMemory implements expr.Writer.
func (c *frameContext) WriteMemory(space uint64, lane int, addr uint64, p []byte) error {
	if n := c.inDword(space, addr); n < len(p) {
		if err := c.WriteMemory(space, lane, addr, p[:n]); err != nil {
			return err
		}
		return c.WriteMemory(space, lane, addr+uint64(n), p[n:])
	}
	return c.memory(space, lane, addr, len(p), func(kind uint64, lane int, addr uint64) (int, error) {
		if kind == 0 {
			return c.session.prog.Memory.Write(addr, p)
		}
		return writeOwn(kind, c.frame.Wave, lane, addr, p)
	})
}

// inDword is how many bytes from an address on belong to one lane.
func (c *frameContext) inDword(space, addr uint64) int {
	if space == expr.SpacePrivateWave {
		return int(4 - addr%4)
	}
	return math.MaxInt
}

// memory finds what backs an address: 0 for global memory, else the kind of
// window whose owner has it.
func (c *frameContext) memory(space uint64, lane int, addr uint64, n int, access func(kind uint64, lane int, addr uint64) (int, error)) error {
	if lane < 0 {
		lane = c.frame.Lane
	}
	var kind uint64
	switch space {
	case expr.SpaceGlobal:
	case expr.SpaceLocal:
		kind = ldsWindow
	case expr.SpacePrivateLane:
		kind = scratchWindow
	case expr.SpaceGeneric:
		switch shared, private, offset := aperture(addr); {
		case shared:
			kind, addr = ldsWindow, offset
		case private:
			kind, addr = scratchWindow, offset
		}
	case expr.SpacePrivateWave:
		kind = scratchWindow
		stride := uint64(4 * c.frame.Wave.Size)
		lane, addr = int(addr%stride/4), addr/stride*4+addr%4
	default:
		return expr.Errorf(expr.MemoryUnavailable, "address space %d", space)
	}
	got, err := access(kind, lane, addr)
	if err != nil || got < n {
		return expr.Errorf(expr.MemoryUnavailable, "%v", err)
	}
	return nil
}
