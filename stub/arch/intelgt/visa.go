package intelgt

import (
	"errors"
	"fmt"
	"slices"

	"simtgdb/dwarf/visa"
	"simtgdb/loader"
	"simtgdb/loader/zebin"
	"simtgdb/simt"
	"simtgdb/simt/gen"
	"simtgdb/stub/arch"
	"simtgdb/stub/unwind"
)

// tables are the vISA debug tables of one kernel. They implement
// unwind.Provider.
type tables struct {
	name       string // of the file
	start, end uint64 // of the kernel's code and its functions'
	unwinder   *visa.Unwinder
}

// newTables reads a file of tables. Its first object is named after the kernel
// that it is for.
func newTables(m *loader.Module, t arch.Table) (*tables, error) {
	f, err := visa.Parse(t.Data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.Name, err)
	}
	if len(f.Objects) == 0 {
		return nil, fmt.Errorf("%s: the tables describe no kernel", t.Name)
	}
	k, err := m.Kernel(f.Objects[0].Name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.Name, err)
	}
	seg := m.SegmentAt(k.Entry)
	if seg == nil {
		return nil, fmt.Errorf("%s: kernel %s has no code", t.Name, k.Name)
	}
	target := generations[m.Target.Name].tables
	if zebin.KernelOf(k).Registers > int(target.GRFCount) {
		target.GRFCount = uint32(zebin.KernelOf(k).Registers)
	}
	u, err := visa.NewUnwinder(f, target, visa.CodePlace{KernelStart: k.Entry})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.Name, err)
	}
	return &tables{name: t.Name, start: k.Entry, end: seg.Addr + seg.MemSize, unwinder: u}, nil
}

// Unwinders implements arch.Unwinder.
func (a *Arch) Unwinders() []unwind.Provider {
	var all []unwind.Provider
	for _, t := range a.tables {
		all = append(all, t)
	}
	return all
}

// Name implements unwind.Provider.
func (t *tables) Name() string { return "vISA tables" }

// Caller implements unwind.Provider.
func (t *tables) Caller(f *unwind.Frame) (unwind.Caller, bool, error) {
	if f.Wave.PC < t.start || f.Wave.PC >= t.end {
		return unwind.Caller{}, false, nil
	}
	m := thread{f.Wave}
	var frame *visa.Frame
	var err error
	switch r := f.Registers.(type) {
	case *tableRegisters:
		frame = r.frame
	case *standingRegisters:
		frame = r.frame
	default:
		if frame, err = t.find(m, f.Lane, f.Level); err != nil {
			return unwind.Caller{}, false, err
		}
	}
	caller, err := t.unwinder.Caller(m, frame)
	switch {
	case errors.Is(err, visa.ErrOutermost):
		return unwind.Caller{Outermost: true}, true, nil
	case err != nil:
		return unwind.Caller{}, false, err
	}
	return unwind.Caller{PC: caller.IP, Registers: &tableRegisters{m, caller}}, true, nil
}

// Standing implements unwind.Finder.
func (t *tables) Standing(f *unwind.Frame) (simt.Registers, bool, error) {
	if f.Wave.PC < t.start || f.Wave.PC >= t.end {
		return nil, false, nil
	}
	m := thread{f.Wave}
	frame, err := t.find(m, f.Lane, 0)
	if err != nil {
		return nil, false, err
	}
	return &standingRegisters{&tableRegisters{m, frame}, f.Registers}, true, nil
}

// Explain says what the tables have of the frame, at its place in the code.
func (t *tables) Explain(f *unwind.Frame, _ func(number uint64) string) ([]string, error) {
	if f.At < t.start || f.At >= t.end {
		return nil, nil
	}
	return t.unwinder.Explain(f.At)
}

// find walks the thread's frames to the one that a lane has at a level. A lane
// is in the innermost activation whose call mask has it.
func (t *tables) find(m thread, lane, level int) (*visa.Frame, error) {
	mask, err := m.callMask()
	if err != nil {
		return nil, err
	}
	f, err := t.unwinder.Innermost(m, m.w.PC)
	for ; err == nil; f, err = t.unwinder.Caller(m, f) {
		if mask>>lane&1 != 0 {
			if level == 0 {
				return f, nil
			}
			level--
			continue
		}
		if mask, err = f.CallerMask(m); err != nil {
			break
		}
	}
	return nil, err
}

// A thread is a wave as the unwinder looks at it. It implements visa.Machine.
type thread struct{ w *simt.Wave }

func (t thread) callMask() (uint32, error) {
	r, ok := t.w.Regs.(*gen.Regs)
	if !ok {
		return 0, errors.New("the wave is none of Intel's")
	}
	return r.CallMask(), nil
}

// ReadGRF implements visa.Machine.
func (t thread) ReadGRF(offset uint32, p []byte) error { return t.eachGRF(offset, p, false) }

// eachGRF reads or writes bytes of the general registers.
func (t thread) eachGRF(offset uint32, p []byte, write bool) error {
	size := registerBytes(t.w.Regs)
	b := make([]byte, size)
	for len(p) > 0 {
		reg, at := gen.GRF(int(offset)/size), int(offset)%size
		if err := t.w.Regs.Read(reg, 0, b); err != nil {
			return err
		}
		n := min(len(p), size-at)
		if write {
			copy(b[at:], p[:n])
			if err := t.w.Regs.Write(reg, 0, b); err != nil {
				return err
			}
		} else {
			copy(p, b[at:at+n])
		}
		p, offset = p[n:], offset+uint32(n)
	}
	return nil
}

// ReadScratch implements visa.Machine.
func (t thread) ReadScratch(address uint32, p []byte) error {
	if uint64(address)+uint64(len(p)) > t.w.ScratchLimit {
		return &simt.AccessError{Space: simt.Scratch, Addr: uint64(address)}
	}
	clear(p)
	if int(address) < len(t.w.Scratch) {
		copy(p, t.w.Scratch[address:])
	}
	return nil
}

func (t thread) writeScratch(address uint32, p []byte) error {
	if !t.w.GrowScratch(uint64(address) + uint64(len(p))) {
		return &simt.AccessError{Space: simt.Scratch, Addr: uint64(address)}
	}
	copy(t.w.Scratch[address:], p)
	return nil
}

// tableRegisters are the registers of a caller, where its callees keep them.
// They implement simt.Registers and unwind.Describer.
type tableRegisters struct {
	m     thread
	frame *visa.Frame
}

// Files implements simt.Registers.
func (r *tableRegisters) Files() []simt.RegFile { return r.m.w.Regs.Files() }

// register is where the bytes of a general register are.
func (r *tableRegisters) register(n int) ([]visa.Piece, error) {
	size := uint32(registerBytes(r))
	return r.frame.GRF(uint32(n)*size, size)
}

// pieces are where a register is. Only general registers are kept. Of the
// frame descriptor, the call overwrites the part that it needs itself.
func (r *tableRegisters) pieces(reg simt.Reg) ([]visa.Piece, error) {
	if reg != gen.GRF(int(reg.Index)) {
		return nil, fmt.Errorf("vISA tables say nothing of it: %w", unwind.ErrNotSaved)
	}
	pieces, err := r.register(int(reg.Index))
	lost := !slices.ContainsFunc(pieces, func(p visa.Piece) bool { return p.Kind != visa.Undefined })
	if err == nil && lost {
		err = unwind.ErrNotSaved
	}
	return pieces, err
}

// Read implements simt.Registers. What is lost of a register reads as zero.
func (r *tableRegisters) Read(reg simt.Reg, _ int, p []byte) error {
	pieces, err := r.pieces(reg)
	if err != nil {
		return err
	}
	at := uint32(reg.Index) * uint32(registerBytes(r))
	for _, piece := range pieces {
		part := p[:min(int(piece.Size), len(p))]
		if piece.Kind == visa.Undefined {
			clear(part)
		} else if err := r.frame.ReadGRF(r.m, at, part); err != nil {
			return err
		}
		p, at = p[len(part):], at+piece.Size
	}
	return nil
}

// Write implements simt.Registers.
func (r *tableRegisters) Write(reg simt.Reg, _ int, p []byte) error {
	pieces, err := r.pieces(reg)
	if err != nil {
		return err
	}
	for _, piece := range pieces {
		n := min(int(piece.Size), len(p))
		switch piece.Kind {
		case visa.InScratch:
			err = r.m.writeScratch(piece.Offset, p[:n])
		case visa.InRegister:
			err = r.m.eachGRF(piece.Offset, p[:n], true)
		}
		if err != nil {
			return err
		}
		p = p[n:]
	}
	return nil
}

// Saved implements unwind.Describer.
func (r *tableRegisters) Saved() []string {
	base, ok := r.frame.Base()
	lines := []string{}
	if ok {
		lines = append(lines, fmt.Sprintf("frame at scratch byte %#x", base))
	}
	kept, lost := "", ""
	count := r.Files()[gen.GRF(0).File].Count
	for n := range count {
		pieces, err := r.register(n)
		if err != nil || len(pieces) == 0 {
			continue
		}
		switch p := pieces[0]; {
		case len(pieces) > 1:
			kept += fmt.Sprintf(" r%d in %d pieces", n, len(pieces))
		case p.Kind == visa.InScratch:
			kept += fmt.Sprintf(" r%d at scratch byte %#x", n, p.Offset)
		case p.Kind == visa.Undefined && n+1 < count && r.lost(n-1) && r.lost(n+1):
			// inside of a run
		case p.Kind == visa.Undefined && r.lost(n-1):
			lost += fmt.Sprintf("-r%d", n)
		case p.Kind == visa.Undefined:
			lost += fmt.Sprintf(" r%d", n)
		}
	}
	if kept != "" {
		lines = append(lines, "saved:"+kept)
	}
	if lost != "" {
		lines = append(lines, "not preserved:"+lost)
	}
	return lines
}

// standingRegisters are those of the frame that a lane stands in which waits
// while others are inside calls from there. Callees of the others leave alone
// what belongs to the lane, though by the tables they need not: that is where
// the record has it.
type standingRegisters struct {
	*tableRegisters
	record simt.Registers
}

// Read implements simt.Registers.
func (r *standingRegisters) Read(reg simt.Reg, lane int, p []byte) error {
	err := r.tableRegisters.Read(reg, lane, p)
	if errors.Is(err, unwind.ErrNotSaved) {
		return r.record.Read(reg, lane, p)
	}
	return err
}

// Write implements simt.Registers.
func (r *standingRegisters) Write(reg simt.Reg, lane int, p []byte) error {
	err := r.tableRegisters.Write(reg, lane, p)
	if errors.Is(err, unwind.ErrNotSaved) {
		return r.record.Write(reg, lane, p)
	}
	return err
}

// Saved implements unwind.Describer.
func (r *standingRegisters) Saved() []string {
	lines := append([]string{"by vISA tables, since others are inside a call:"}, r.tableRegisters.Saved()...)
	return append(lines, "those not preserved: as the record of calls has them")
}

// lost reports whether nothing of a register was preserved.
func (r *tableRegisters) lost(n int) bool {
	pieces, err := r.register(max(n, 0))
	return n >= 0 && err == nil && len(pieces) == 1 && pieces[0].Kind == visa.Undefined
}
