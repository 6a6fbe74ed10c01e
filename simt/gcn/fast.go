package gcn

import (
	"simtgdb/simt"
	"simtgdb/simt/vec"
)

// Vector instructions that are one operation of package vec, on registers and
// constants as they are: without modifiers but the signs of 32-bit floats and parts of sources. The
// operation writes the lanes of EXEC itself. Everything else, and these where
// MODE asks for something else, goes by the functions of their rows.

// A fastRow is what makes a row one operation; none, if it is not one.
type fastRow struct {
	op         vec.Op
	mode, want uint32 // the bits of MODE that matter, and what they must be
	swap       bool   // the first two sources are exchanged
	invert     bool   // the mask result is the opposite
	noIn       bool   // the mask source is 0
}

// What operations want of MODE.
const (
	plainBits32 = ModeRound32 | ModeDenorm32
	plainBits64 = ModeRound64 | ModeDenorm64
)

func single32(op vec.Op) fastRow  { return fastRow{op: op, mode: plainBits32, want: ModeDenorm32} }
func double64(op vec.Op) fastRow  { return fastRow{op: op, mode: plainBits64, want: ModeDenorm64} }
func rounded32(op vec.Op) fastRow { return fastRow{op: op, mode: ModeRound32} }
func swapped(f fastRow) fastRow   { f.swap = true; return f }

// exact is an operation that MODE does not change.
func exact(op vec.Op) fastRow { return fastRow{op: op} }

// A fastInst is what runFast wants to know of an instruction.
type fastInst struct {
	fastRow
	run     vec.Func
	n       int           // sources
	first   [3]int        // the place of each source: 0 for A, 1 for B, 2 for C
	changes [3]*srcChange // of sources that are changed on their way
	general func(*Core, *Inst)
}

// A srcChange is what becomes of a source on its way: an operation on it, and
// on two constants.
type srcChange struct {
	op   vec.Op
	b, c uint32
	rows [2]*Vector // b and c
}

func changeBy(op vec.Op, b, c uint32) *srcChange {
	return &srcChange{op, b, c, [2]*Vector{broadcast(b), broadcast(c)}}
}

// fastExec makes an instruction run by an operation of package vec if there is
// one that does what it wants.
func (in *Inst) fastExec() {
	row := in.Op.fast
	if row.op == vec.None || in.Op.vec == nil || in.Op.flag&(opSel|keeps) != 0 || in.readsLDSDirect() {
		return
	}
	f := &fastInst{fastRow: row, run: row.op.Func(), general: in.exec}
	if !f.takesModifiers(in) {
		return
	}
	for i := range min(in.Op.srcCount(), len(f.first)) {
		f.first[i] = i
		f.n++
	}
	if row.swap {
		f.first[0], f.first[1] = 1, 0
	}
	in.fast, in.exec = f, runFast
}

// takesModifiers reports whether an instruction has no modifiers, or only
// signs of 32-bit floats, or selects parts of its sources (SDWA): it notes
// these.
func (f *fastInst) takesModifiers(in *Inst) bool {
	if in.mod.plain(in) {
		return true
	}
	m := *in.mod
	if s := m.sdwa; s != nil {
		m.sdwa = nil
		return m.plain(in) && s.dstSel == selDword && f.selects(s)
	}
	neg, abs := m.neg, m.abs
	m.neg, m.abs = 0, 0
	if in.form == VOP3P || !m.plain(in) {
		return false
	}
	for i := range f.changes {
		var drop, flip uint32
		if abs>>i&1 != 0 {
			drop = 1 << 31
		}
		if neg>>i&1 != 0 {
			flip = 1 << 31
		}
		if drop|flip == 0 {
			continue
		}
		if in.src[i].typ != f32 {
			return false
		}
		f.changes[i] = changeBy(vec.Signs, drop, flip)
	}
	return true
}

// selects notes the parts of sources that SDWA selects.
func (f *fastInst) selects(s *sdwa) bool {
	for i, sel := range s.sel {
		shift, width := 8*uint32(sel), uint32(8)
		switch {
		case sel == selDword:
			continue
		case sel > selDword:
			return false
		case sel >= selWord0:
			shift, width = 16*uint32(sel-selWord0), 16
		}
		op := vec.BfeU
		if s.sext[i] {
			op = vec.BfeI
		}
		f.changes[i] = changeBy(op, shift, width)
	}
	return true
}

// runFast executes an instruction by an operation of package vec.
func runFast(c *Core, in *Inst) {
	f, w := in.fast, c.w
	mode := c.r.S[regMode]
	if mode&f.mode != f.want {
		f.general(c, in)
		return
	}
	if w.Exec == 0 && in.sdst.kind == noOperand {
		return
	}
	x := &c.x.args
	x.Mask, x.Quiet = w.Exec, mode&ModeIEEE != 0
	if in.Op.flag&readsVCC != 0 {
		x.In = c.laneMask(regVCC)
	}
	for i := range f.n {
		c.fastSource(in, x, i)
	}
	if in.dst.kind == vectorReg {
		x.D = (*vec.Row)(&c.r.V[in.dst.reg])
		if typDwords[in.dst.typ] > 1 {
			x.D1 = (*vec.Row)(&c.r.V[in.dst.reg+1])
		} else {
			x.D1 = nil
		}
	}
	if f.noIn {
		x.In = 0
	}
	f.run(x)
	if in.sdst.kind == scalarReg {
		if f.invert {
			x.Out = ^x.Out & w.Exec
		}
		c.setLaneMask(uint8(in.sdst.reg), x.Out)
		if in.Op.flag&writesExec != 0 {
			c.setLaneMask(regExec, x.Out)
		}
	}
}

// fastSource makes source i ready.
func (c *Core) fastSource(in *Inst, x *vec.Args, i int) {
	f, o := in.fast, &in.src[i]
	if o.typ == mask || o.typ == mask32 {
		if x.In = c.s64(o); c.w.Size < simt.MaxLanes && o.kind == scalarReg {
			x.In = c.laneMask(uint8(o.reg))
		}
		return
	}
	lo := c.vector(o, i, 0)
	if s := f.changes[i]; s != nil {
		lo = c.changed(s, i, lo)
	}
	var hi *Vector
	if typDwords[o.typ] > 1 {
		hi = c.vector(o, i, 1)
	}
	switch f.first[i] {
	case 0:
		x.A, x.A1 = (*vec.Row)(lo), (*vec.Row)(hi)
	case 1:
		x.B, x.B1 = (*vec.Row)(lo), (*vec.Row)(hi)
	default:
		x.C, x.C1 = (*vec.Row)(lo), (*vec.Row)(hi)
	}
}

// changed is source i after a change.
func (c *Core) changed(s *srcChange, i int, v *Vector) *Vector {
	t, x := &c.tmp[2*i], &c.change
	x.D, x.A, x.B, x.C = (*vec.Row)(t), (*vec.Row)(v), (*vec.Row)(s.rows[0]), (*vec.Row)(s.rows[1])
	x.Mask = ^uint64(0)
	s.op.Func()(x)
	return t
}
