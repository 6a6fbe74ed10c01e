package frames

import (
	"errors"
	"fmt"

	"simtgdb/dwarf/cfi"
	"simtgdb/dwarf/expr"
	"simtgdb/loader"
	"simtgdb/simt"
	"simtgdb/stub/unwind"
)

// callFrames unwinds by the module's call frame information, where it has a
// rule. It implements unwind.Provider.
type callFrames struct {
	frames *Finder
	tables []*cfi.Table
}

// CFA implements expr.CFAContext.
func (c *Context) CFA() (expr.Location, error) {
	for _, p := range c.Finder.Providers {
		if table, ok := p.(*callFrames); ok {
			if r, err := table.rules(c.Frame); r != nil || err != nil {
				return r.cfa(), err
			}
		}
	}
	return expr.Location{}, expr.Errorf(expr.MissingContext,
		"no call frame information tells the frame's address")
}

// EntryRegister implements expr.EntryContext: the value that the caller had
// there, whoever found the caller.
func (c *Context) EntryRegister(num uint64) (expr.Location, error) {
	frames := c.Finder.Of(c.Frame.Wave, c.Frame.Lane)
	if c.Frame.Level+1 >= len(frames) {
		return expr.Location{}, expr.Errorf(expr.MissingContext, "the frame has no caller")
	}
	size, err := c.RegisterSize(num)
	if err != nil {
		return expr.Location{}, err
	}
	value := make([]byte, size)
	caller := &Context{Finder: c.Finder, Frame: &frames[c.Frame.Level+1]}
	if err := caller.ReadRegister(num, 0, value); err != nil {
		return expr.Location{}, err
	}
	return expr.Implicit(value), nil
}

// newCallFrames reads .debug_frame and .eh_frame. It is nil if the module has
// neither, or the family none.
func (fs *Finder) newCallFrames() *callFrames {
	m := fs.module
	if fs.Arch.CFI() == nil {
		return nil
	}
	c := &callFrames{frames: fs}
	for _, name := range []string{".debug_frame", ".eh_frame"} {
		data, err := m.Section(name)
		if errors.Is(err, loader.ErrNoSection) {
			continue
		}
		if err == nil {
			var table *cfi.Table
			table, err = cfi.Parse(data, cfi.Options{Arch: fs.Arch.CFI(), EH: name == ".eh_frame",
				Address: sectionAddress(m, name)})
			c.tables = append(c.tables, table)
		}
		if err != nil {
			fs.Symbols.Complaints = append(fs.Symbols.Complaints, fmt.Errorf("%s: %w", name, err))
		}
	}
	if len(c.tables) == 0 {
		return nil
	}
	return c
}

// sectionAddress is where a section is in memory, 0 if it is not.
func sectionAddress(m *loader.Module, name string) uint64 {
	for _, s := range m.Sections {
		if s.Name == name {
			return s.Addr
		}
	}
	return 0
}

// Name implements unwind.Provider.
func (*callFrames) Name() string { return "call frame information" }

// Caller implements unwind.Provider.
func (c *callFrames) Caller(f *unwind.Frame) (unwind.Caller, bool, error) {
	r, err := c.rules(f)
	if r == nil || err != nil {
		return unwind.Caller{}, false, err
	}
	pc, ok, err := r.frame.ReturnAddress()
	if err != nil {
		return unwind.Caller{}, false, err
	}
	return unwind.Caller{PC: pc, Registers: r, Outermost: !ok}, true, nil
}

// Explain implements explainer: the row of each table that has the code.
func (c *callFrames) Explain(f *unwind.Frame, register func(number uint64) string) ([]string, error) {
	var lines []string
	for _, t := range c.tables {
		fde := t.FDE(f.At)
		if fde == nil {
			continue
		}
		row, err := fde.Row(f.At)
		if err != nil {
			return lines, err
		}
		lines = append(lines, fmt.Sprintf("row %#x to %#x of the entry for %#x to %#x", row.Start, row.End,
			fde.Start, fde.End()))
		spelling := expr.Printer{Encoding: c.frames.Arch.CFI().Encoding, Register: register}
		lines = append(lines, t.Lines(&row, spelling)...)
	}
	return lines, nil
}

// rules gives the registers that the caller of a frame has, nil if no table
// says.
func (c *callFrames) rules(f *unwind.Frame) (*ruledRegisters, error) {
	for _, t := range c.tables {
		fde := t.FDE(f.At)
		if fde == nil {
			continue
		}
		row, err := fde.Row(f.At)
		if err != nil {
			return nil, err
		}
		if row.CFA.Kind != cfi.NoCFA { // what clang has for kernels
			return c.apply(row, f)
		}
	}
	return nil, nil
}

// apply evaluates the rules of a row.
func (c *callFrames) apply(row cfi.Row, f *unwind.Frame) (*ruledRegisters, error) {
	// The registers of a frame that was unwound like this are in those of a
	// frame further in: the first one whose registers are in no other frame's.
	base := &Context{Finder: c.frames, Frame: f}
	ctx := expr.Context(base)
	inner, ok := f.Registers.(*ruledRegisters)
	if ok {
		base, ctx = inner.base, inner.frame.Caller()
	}
	frame, err := row.Unwind(ctx)
	if err != nil {
		return nil, err
	}
	return &ruledRegisters{frame, base, inner}, nil
}

// ruledRegisters are the registers of a frame where the rules of its callee's
// row say: each has a location among the registers of the base frame and in
// memory. It implements unwind.Registers and unwind.Describer.
type ruledRegisters struct {
	frame *cfi.Frame
	base  *Context
	inner *ruledRegisters // those of the next frame further in, if they are such too
}

func (r *ruledRegisters) cfa() expr.Location {
	if r == nil {
		return expr.Location{}
	}
	return r.frame.CFA
}

// Files implements simt.Registers.
func (r *ruledRegisters) Files() []simt.RegFile { return r.base.Frame.Registers.Files() }

// Read implements simt.Registers.
func (r *ruledRegisters) Read(reg simt.Reg, lane int, p []byte) error {
	return r.each(reg, lane, p, func(l expr.Location, p []byte) error {
		b, err := l.Read(r.base, 0, uint64(8*len(p)))
		copy(p, b)
		return err
	})
}

// Write implements simt.Registers.
func (r *ruledRegisters) Write(reg simt.Reg, lane int, p []byte) error {
	return r.each(reg, lane, p, func(l expr.Location, p []byte) error {
		return l.Write(r.base, 0, uint64(8*len(p)), p)
	})
}

// each moves a register, or a lane's part of it, by the DWARF registers that it
// is in.
func (r *ruledRegisters) each(reg simt.Reg, lane int, p []byte,
	move func(l expr.Location, p []byte) error) error {
	parts := r.base.Finder.Arch.Parts(reg, lane, r.base.Frame.Wave.Size)
	if parts == nil {
		return fmt.Errorf("a register without a DWARF number: %w", unwind.ErrNotSaved)
	}
	for _, part := range parts {
		l, err := r.frame.Register(part.Number)
		if err == nil {
			l, err = l.Offset(r.base, int64(part.Offset), 0)
		}
		n := min(part.Bytes, len(p))
		if err == nil {
			err = move(l, p[:n])
		}
		if err != nil {
			return err
		}
		p = p[n:]
	}
	return nil
}
