package gen

import (
	"slices"

	"simtgdb/simt"
	"simtgdb/simt/rows/regions"
	"simtgdb/simt/rows/regions/x86"
)

// Instructions that are row code (fast.go), messages that move data, and branches are translated as far as
// package regions/x86 has them. A unit begins wherever a channel may wait, so that none wakes within
// one.

// accessible reports whether row code has some bytes of the file: general registers, addresses,
// accumulators, flags, the notification register, and the control register as a whole.
func accessible(lo, hi int32) bool {
	return lo >= offA0 || lo >= offAcc && hi <= offFlag+8 || lo >= offN && hi <= offN+arfBytes ||
		lo == offCR && hi == offCR+4
}

// lower gives an instruction's row code as translated code has it, for threads of so many channels whose
// general state begins at an address, or nil.
func (in *Inst) lower(channels int, general uint64) []*regions.Op {
	if _, known := in.under(); !known || in.faults || in.watched ||
		in.setsFlags() && in.flag >= loweredFlags {
		return nil
	}
	var ops []*regions.Op
	switch {
	case in.row != nil:
		ops = in.row.all()
		for _, o := range ops {
			if !in.reachable(o) {
				return nil
			}
		}
	case in.moves != nil:
		o := in.lowerMove()
		if o == nil {
			return nil
		}
		ops = []*regions.Op{o}
	case in.message != nil:
		o := in.lowerBlock(general)
		if o == nil {
			return nil
		}
		ops = []*regions.Op{o}
	default:
		return nil
	}
	for _, o := range ops {
		if !x86.Can(o) || o.Verify(int32(in.gen.grfEnd()), channels) != nil {
			return nil
		}
	}
	return ops
}

// under is the instruction's predicate as row code has it. Where a group's flags decide, it is one group's
// for all channels.
func (in *Inst) under() (p regions.Predicate, ok bool) {
	if in.pred == 0 {
		return p, true
	}
	m := in.gen.predModes[in.pred]
	p = regions.Predicate{On: true, Bit: uint8(in.flagShift()), Not: in.invert}
	switch {
	case in.flag >= loweredFlags || m.vertical || in.pred != 1 && m.group == 0:
		return regions.Predicate{}, false
	case m.group > 0:
		within := in.first % m.group
		p.Bit, p.Group, p.Every = p.Bit-uint8(within), uint8(m.group), m.every
		if within+in.width > m.group || int(p.Bit)+m.group > 16*loweredFlags {
			return regions.Predicate{}, false
		}
	}
	return p, true
}

// loweredFlags is how many halves of flag registers row code has.
const loweredFlags = 4

// reachable reports whether translated code has the bytes of an operation's operands.
func (in *Inst) reachable(o *regions.Op) bool {
	for i := range o.Sources() {
		if s := &o.S[i]; s.Const == nil && !accessible(s.Extent(0, in.width)) {
			return false
		}
	}
	lo, hi := o.D.Extent(0, in.width)
	return o.D.Size == 0 || accessible(lo, hi) && (lo != offCR || in.pred == 0 && in.noMask)
}

// controls reports whether operations write the control register.
func controls(ops []*regions.Op) bool {
	return len(ops) == 1 && ops[0].D.Size != 0 && ops[0].D.At == offCR
}

// lowerMove lowers a message.
func (in *Inst) lowerMove() *regions.Op {
	p := in.moves
	if p.size != p.slot && p.size > 4 || p.slots != in.width || in.eot {
		return nil
	}
	o := in.accessOp(p.write)
	o.Access = regions.Access{Space: regions.Shared, SharedMask: SLMMask, Addresses: int32(p.address),
		Data: int32(p.data), Size: uint8(p.size), Count: uint8(p.count)}
	if p.wide {
		o.Access.Space = regions.Global
	}
	return o
}

// accessOp is a load or store of the instruction's channels.
func (in *Inst) accessOp(write bool) *regions.Op {
	o := &regions.Op{Kind: regions.Load, First: uint8(in.first), Lanes: uint8(in.width), Always: in.noMask}
	if o.Under, _ = in.under(); write {
		o.Kind = regions.Store
	}
	return o
}

// nothing reports whether the instruction does nothing.
func (in *Inst) nothing() bool {
	return (in.Op.form == formNone || in.Op.form == formSync || in.choosesItself()) &&
		in.Op.flow == simt.FlowNext && !in.faults && !in.watched
}

// choosesItself reports whether the instruction is a csel of its destination and its destination, which IGC
// has for Gen12LP where something must be waited for.
func (in *Inst) choosesItself() bool {
	same := func(o *operand) bool {
		a, b := &o.layout, &in.dst.layout
		return o.place == inGRF && o.typ == in.dst.typ && a.table == nil && a.base == b.base &&
			a.step == b.step && !o.neg && !o.abs
	}
	return in.Op.Code == opCsel && in.noMask && !in.saturate && !in.accWrite && in.dst.place == inGRF &&
		same(&in.src[0]) && same(&in.src[1])
}

// lowerFlow lowers a branch that all channels take together, for threads of so many. Where they part, and
// where others wait behind it, the machine executes it.
func (in *Inst) lowerFlow(channels int) (f regions.Flow, ok bool) {
	f = regions.Flow{Kind: regions.Branch, At: uint32(in.PC), All: regions.Leave, None: regions.Leave}
	under, known := in.under()
	if !known || in.faults || in.watched {
		return f, false
	}
	f.Under = under
	if in.Op.Code == opJmpi {
		if in.src[0].place != immediate {
			return f, false
		}
		f.Kind, f.All, f.None = regions.One, in.jipAt(), in.after()
		if in.pred == 0 {
			f.Kind = regions.Jump
		}
		return f, true
	}
	if in.first != 0 || in.width < channels {
		return f, false
	}
	f.Counts = !in.noMask
	switch in.Op.Name {
	case "if":
		f.All, f.None = in.after(), in.jipAt()
	case "else": // they wait at UIP, and go on there at once
		if f.All = in.jipAt(); in.jip != in.uip {
			return f, false
		}
		f.WholeAll, f.Kind = true, regions.Jump
		return f, true
	case "endif", "join":
		f.Kind, f.All = regions.Jump, in.after()
		return f, true
	case "while":
		f.All, f.None = in.jipAt(), in.after()
	case "break", "cont", "halt":
		f.None = in.after()
	case "goto":
		in.lowerGoto(&f)
	default:
		return f, false
	}
	if in.pred == 0 { // it holds in all
		f.Kind = regions.Jump
	}
	return f, true
}

// lowerGoto says where the channels of a goto go on that take it, and that do not.
func (in *Inst) lowerGoto(f *regions.Flow) {
	switch {
	case in.branch: // backwards
		f.All, f.None = in.uipAt(), in.after()
	case in.Op == Gen9.ops[in.Op.Code]: // those that stay are those whose flag is set
		f.All = in.after()
		if in.jip == in.uip {
			f.None, f.WholeNone = in.jipAt(), true
		}
	default:
		f.None = in.after()
		if in.jip == in.uip {
			f.All, f.WholeAll = in.jipAt(), true
		}
	}
}

// layout is that of a thread.
func (a *ISA) layout() regions.Layout { return regions.Layout{Channels: a.WaveSize(), Flags: offFlag} }

// mostLowered bounds the instructions that are lowered at once, mostUnit those of a unit.
const (
	mostLowered = 4096
	mostUnit    = 64
)

// A lowering is the code that can be reached from somewhere.
type lowering struct {
	c      *Core
	insts  map[uint32]*Inst
	starts map[uint32]bool // where units begin
	todo   []uint32
}

// units are the row code of what can be reached from an address, in the order of addresses. inner are
// addresses within units, free the units that threads may enter whatever their floating-point control is.
func (c *Core) units(from uint32) (units []regions.Unit, inner, free map[uint32]bool) {
	l, _ := c.reached(from)
	return l.cut()
}

// reached is the code that can be reached from an address; whole says that it is all of it.
func (c *Core) reached(from uint32) (l *lowering, whole bool) {
	l = &lowering{c: c, insts: map[uint32]*Inst{}, starts: map[uint32]bool{}}
	l.goes(from)
	for len(l.todo) > 0 && len(l.insts) < mostLowered {
		at := l.todo[len(l.todo)-1]
		l.todo = l.todo[:len(l.todo)-1]
		l.reach(at)
	}
	return l, len(l.todo) == 0
}

// goes notes that control may go to an address, or that channels may wait there.
func (l *lowering) goes(at uint32) {
	if !l.starts[at] {
		l.starts[at] = true
		l.todo = append(l.todo, at)
	}
}

// reach notes the instructions from an address up to one that is known, or a branch.
func (l *lowering) reach(at uint32) {
	for {
		b := l.c.block(uint64(at))
		if b.err != nil {
			return
		}
		for i := range b.insts {
			in := &b.insts[i]
			if at = uint32(in.PC); l.insts[at] != nil {
				return
			}
			l.insts[at] = in
		}
		at = uint32(b.end)
		if b.branch {
			l.follow(&b.insts[len(b.insts)-1])
			return
		}
	}
}

// follow notes where control goes from an instruction that ends a block.
func (l *lowering) follow(in *Inst) {
	if in.eot {
		return
	}
	l.goes(in.after())
	switch in.Op.form {
	case formJump2:
		l.goes(in.uipAt())
		if in.Op.Code == opBreak {
			l.goes(in.behind)
		}
		l.goes(in.jipAt())
	case formJump1:
		l.goes(in.jipAt())
	case formJmpi:
		if in.src[0].place == immediate {
			l.goes(in.jipAt())
		}
	}
}

// free finds the units that do the same whatever the floating-point control is, where control goes on only if
// it is what row code is for, or to another such unit.
func (l *lowering) free(units []regions.Unit) map[uint32]bool {
	free, known := map[uint32]bool{}, map[uint32]bool{}
	for i := len(units) - 1; i >= 0; i-- {
		u := &units[i]
		known[u.At] = true
		free[u.At] = u.Guard.Mask != 0 || u.Flow.Kind == regions.Next && (free[u.End] || !known[u.End])
		for at := u.At; at != u.End; at += uint32(l.insts[at].Size) {
			if r := l.insts[at].row; r != nil && r.control != 0 {
				free[u.At] = false
			}
		}
	}
	return free
}

// cut makes units.
func (l *lowering) cut() (units []regions.Unit, inner, free map[uint32]bool) {
	inner = map[uint32]bool{}
	var all []uint32
	for at := range l.insts {
		all = append(all, at)
	}
	slices.Sort(all)
	channels := l.c.isa.WaveSize()
	var u regions.Unit
	end := func() {
		if u.Insts > 0 {
			units = append(units, u)
		}
		u = regions.Unit{}
	}
	for _, at := range all {
		in := l.insts[at]
		if l.starts[at] || u.End != at || u.Insts >= mostUnit {
			end()
		}
		if l.c.m.HasBreakpoint(in.PC) {
			end()
			continue
		}
		ops, flow, branches := in.lower(channels, l.c.isa.Kernel.GeneralBase), regions.Flow{}, false
		access := len(ops) == 1 && (ops[0].Kind == regions.Load || ops[0].Kind == regions.Store)
		if access {
			end()
		}
		if ops == nil && !in.nothing() {
			if flow, branches = in.lowerFlow(channels); !branches {
				end()
				continue
			}
		}
		if u.Insts == 0 {
			u.At = at
		} else {
			inner[at] = true
		}
		u.Insts++
		u.End = at + uint32(in.Size)
		u.Ops = append(u.Ops, ops...)
		if u.Flow = flow; controls(ops) {
			u.Guard = regions.Guard{At: offCR, Mask: loweredControl, Want: loweredWant}
		}
		if branches || access || controls(ops) {
			end()
		}
	}
	end()
	return units, inner, l.free(units)
}
