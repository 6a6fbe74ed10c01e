package stub

import (
	"encoding/binary"
	"errors"
	"fmt"

	"simtgdb/dwarf/cfi"
	"simtgdb/dwarf/expr"
	"simtgdb/loader"
	"simtgdb/simt/gcn"
	"simtgdb/stub/unwind"
)

// callFrames unwinds by the module's call frame information, where it has a
// rule. It implements unwind.Provider.
type callFrames struct {
	session *Session
	table   *cfi.Table
}

// newCallFrames reads .debug_frame. A table with nothing in it is no provider:
// stock clang writes such.
func (s *Session) newCallFrames(m *loader.Module) *callFrames {
	section, err := m.Section(".debug_frame")
	if err != nil {
		return nil
	}
	table, err := cfi.Parse(section, cfi.Options{Arch: cfi.AMDGPU})
	if err != nil {
		s.symbols.Complaints = append(s.symbols.Complaints, err)
	}
	return &callFrames{s, table}
}

// Name implements unwind.Provider.
func (*callFrames) Name() string { return "call frame information" }

// Caller implements unwind.Provider.
func (c *callFrames) Caller(f *unwind.Frame) (unwind.Caller, bool, error) {
	fde := c.table.FDE(f.At)
	if fde == nil {
		return unwind.Caller{}, false, nil
	}
	row, err := fde.Row(f.At)
	if err != nil {
		return unwind.Caller{}, false, err
	}
	// The registers of a frame that was unwound like this are in those of a
	// frame further in: the first one whose registers are in no other frame's.
	base := &frameContext{session: c.session, frame: f}
	ctx := expr.Context(base)
	inner, ok := f.Registers.(*ruledRegisters)
	if ok {
		base, ctx = inner.base, inner.frame.Caller()
	}
	frame, err := row.Unwind(ctx)
	if errors.Is(err, cfi.ErrNoCFA) {
		return unwind.Caller{}, false, nil
	}
	if err != nil {
		return unwind.Caller{}, false, err
	}
	pc, ok, err := frame.ReturnAddress()
	if err != nil {
		return unwind.Caller{}, false, err
	}
	return unwind.Caller{PC: pc, Registers: &ruledRegisters{frame, base, inner}, Outermost: !ok}, true, nil
}

// ruledRegisters are the registers of a frame where the rules of its callee's
// row say: each has a location among the registers of the base frame and in
// memory. It implements unwind.Registers and unwind.Describer.
type ruledRegisters struct {
	frame *cfi.Frame
	base  *frameContext
	inner *ruledRegisters // those of the next frame further in, if they are such too
}

func (r *ruledRegisters) place(num, off uint64, ok bool) (expr.Location, error) {
	if !ok {
		return expr.Location{}, fmt.Errorf("a register without a DWARF number: %w", unwind.ErrNotSaved)
	}
	l, err := r.frame.Register(num)
	if err != nil {
		return l, err
	}
	return l.Offset(r.base, int64(off), 0)
}

func (r *ruledRegisters) read(num, off uint64, ok bool) (uint32, error) {
	l, err := r.place(num, off, ok)
	if err != nil {
		return 0, err
	}
	b, err := l.Read(r.base, 0, 32)
	if err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint32(b), nil
}

func (r *ruledRegisters) write(num, off uint64, ok bool, v uint32) error {
	l, err := r.place(num, off, ok)
	if err != nil {
		return err
	}
	return l.Write(r.base, 0, 32, binary.LittleEndian.AppendUint32(nil, v))
}

// Scalar implements unwind.Registers.
func (r *ruledRegisters) Scalar(reg uint8) (uint32, error) { return r.read(gcn.DWARFScalar(reg)) }

// SetScalar implements unwind.Registers.
func (r *ruledRegisters) SetScalar(reg uint8, v uint32) error {
	num, off, ok := gcn.DWARFScalar(reg)
	return r.write(num, off, ok, v)
}

// Vector implements unwind.Registers.
func (r *ruledRegisters) Vector(reg uint16, lane int) (uint32, error) {
	return r.read(gcn.DWARFVector(reg), uint64(4*lane), true)
}

// SetVector implements unwind.Registers.
func (r *ruledRegisters) SetVector(reg uint16, lane int, v uint32) error {
	return r.write(gcn.DWARFVector(reg), uint64(4*lane), true, v)
}
