package gen

import (
	"math/bits"

	"simtgdb/simt"
	"simtgdb/simt/contents"
	"simtgdb/simt/fidelity"
)

// Where the results of inexact instructions go, for package fidelity: of each byte of the file of registers,
// and of each bit of the flags. Instructions are wrapped when they are decoded, so that it costs nothing
// otherwise.

// FollowsInexact implements fidelity.Machine.
func (a *ISA) FollowsInexact() string {
	return "what docs/fidelity.md lists of Intel's machines as inexact"
}

var _ fidelity.Machine = (*ISA)(nil)

const flagBits = 8 * 16

// origins are where what the registers of a thread hold comes from.
type origins struct {
	t     *fidelity.Tracker
	file  []fidelity.Origins // by byte
	flags [flagBits]fidelity.Origins
}

// of is where n bytes of the file come from.
func (s *origins) of(at, n int) (o fidelity.Origins) {
	for end := at + n; at < end; at++ {
		switch i := at - offFlag; {
		case i >= 0 && i < flagBits/8:
			for _, b := range s.flags[8*i : 8*i+8] {
				o = s.t.Union(o, b)
			}
		case at >= 0 && at < len(s.file):
			o = s.t.Union(o, s.file[at])
		}
	}
	return o
}

// set says where n bytes of the file come from.
func (s *origins) set(at, n int, o fidelity.Origins) {
	for end := at + n; at < end; at++ {
		switch i := at - offFlag; {
		case i >= 0 && i < flagBits/8:
			for b := range 8 {
				s.flags[8*i+b] = o
			}
		case at >= 0 && at < len(s.file):
			s.file[at] = o
		}
	}
}

// operandAcc is what an instruction has in the accumulator without naming it, besides the operands of
// contents.go.
const operandAcc = operandData + maxRegBytes

// traced are the operands of the instruction under way. It implements fidelity.Values.
type traced struct {
	values
	s *origins
}

// place is where channel i of an operand is in the file.
func (v *traced) place(o contents.Operand, i int) (at, size int) {
	if o > operandDst {
		at, size, _ = v.element(o, i)
		return at, size
	}
	x := v.in.operand(o)
	a := x.layout
	if x.place == indirect {
		a = v.c.indirect[o]
	}
	if at = a.base + i*a.step; a.table != nil {
		at = int(a.table[i])
	}
	return at, x.typ.Size()
}

// accumulators are where channel i may be in the accumulator.
func (v *traced) accumulators(i int) [2]int {
	return [2]int{offAcc + 4*i, offAcc + v.in.dst.typ.Size()*i}
}

// From implements fidelity.Values.
func (v *traced) From(o contents.Operand, lanes uint64, to *fidelity.Lanes) {
	for m := lanes >> v.in.first; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		l := (i + v.in.first) & (simt.MaxLanes - 1)
		to[l] = v.s.t.Union(to[l], v.from(o, i))
	}
}

// from is where channel i of an operand comes from.
func (v *traced) from(o contents.Operand, i int) (from fidelity.Origins) {
	switch o {
	case operandFlag:
		pair, shift := v.in.flagPair()
		if v.in.pred > 1 { // of several channels
			return v.s.of(offFlag+8*pair, 8)
		}
		return v.s.flags[(64*pair+(shift+i)&63)%flagBits]
	case operandAcc:
		for _, at := range v.accumulators(i) {
			from = v.s.t.Union(from, v.s.of(at, 4))
		}
		return from
	}
	at, size := v.place(o, i)
	from = v.s.of(at, size)
	if x := v.in.operand(min(o, operandDst)); o <= operandDst && v.in.isMacro() && x.mme < 8 {
		from = v.s.t.Union(from, v.s.of(x.extendedAt(i), size))
	}
	return from
}

// Came implements fidelity.Values.
func (v *traced) Came(o contents.Operand, lanes uint64, from *fidelity.Lanes) {
	for m := lanes >> v.in.first; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		f := from[(i+v.in.first)&(simt.MaxLanes-1)]
		switch o {
		case operandFlag:
			pair, shift := v.in.flagPair()
			v.s.flags[(64*pair+(shift+i)&63)%flagBits] = f
			continue
		case operandAcc:
			v.accumulated(i, f)
			continue
		}
		at, size := v.place(o, i)
		if v.s.set(at, size, f); o == operandDst && v.in.isMacro() && v.in.dst.mme < 8 {
			v.s.set(v.in.dst.extendedAt(i), size, f)
		}
	}
}

// accumulated notes where what channel i has left in the accumulator comes from: a carry, or a result; what
// only some instructions of a name leave there, is added.
func (v *traced) accumulated(i int, f fidelity.Origins) {
	at := v.accumulators(i)
	switch v.in.Op.Name {
	case "addc", "subb":
		v.s.set(at[0], 4, f)
	case "mach", "macl":
		v.s.set(at[0], 4, v.s.t.Union(f, v.s.of(at[0], 4)))
	}
	if size := v.in.dst.typ.Size(); v.in.accWrite {
		v.s.set(at[1], size, v.s.t.Union(f, v.s.of(at[1], size)))
	}
}

// writesAcc and readsAcc are the instructions that write and read the accumulator without naming it.
var (
	writesAcc = map[string]bool{"mach": true, "macl": true, "addc": true, "subb": true}
	readsAcc  = map[string]bool{"mac": true, "sada2": true}
)

// inexactMath are the functions of math that hardware computes otherwise, within bounds.
var inexactMath = [16]bool{1: true, 2: true, 3: true, 4: true, 5: true, 6: true, 7: true, 9: true, 10: true}

// far says by how much an instruction's results may differ from hardware's, "" for one that is exact.
func (in *Inst) far() string {
	switch {
	case in.Op.form == formMath && inexactMath[in.cond&15]:
		return "computed in double precision and rounded; hardware is within the error of its documents"
	case in.Op.form == formDpas && (in.dst.typ == F || in.dst.typ == HF || in.dst.typ == BF):
		return "products are added in double precision and rounded once; hardware may round between"
	case in.Op.isMessage() && in.isSampler():
		return "texels are weighed exactly; hardware has weights of some eight bits"
	}
	for i := range in.sourceCount() {
		if o := &in.src[i]; o.place == inARF && o.reg>>4 == arfTM {
			return "counts the instructions of the thread, not time"
		}
	}
	return ""
}

// named is the operand that source i is, of any registers.
func (in *Inst) named(i int) contents.Operand {
	if p := in.src[i].place; p == inGRF || p == inARF || p == indirect {
		return contents.Operand(i)
	}
	return contents.Constant
}

// flow is what an instruction does with values, with all that each result comes from.
func (in *Inst) flow() *fidelity.Flow {
	f := &fidelity.Flow{PC: in.PC, Text: fidelity.Text(in.trimmed()), Far: in.far(),
		Guards: contents.Constant}
	op := in.Op
	if in.pred != 0 && op.Code != opSel {
		if f.Guards = operandFlag; op.flow != simt.FlowNext {
			f.Guards, f.Decides = contents.Constant, []contents.Operand{operandFlag}
		}
	}
	f.Shares = op.isMessage()
	switch op.form {
	case formBasic, formMath, formTernary, formBfn:
	case formJump1, formJump2, formJmpi, formCall, formRet:
		f.Decides = append(f.Decides, in.named(0))
		return f
	default:
		return f
	}
	from := []contents.Operand{}
	for i := range in.sourceCount() {
		from = append(from, in.named(i))
	}
	for o := contents.Operand(0); o <= operandDst; o++ {
		if in.operand(o).place == indirect {
			f.Decides = append(f.Decides, operandIndex+o)
		}
	}
	chosen := op.Code == opSel && in.cond == 0 && in.pred != 0
	if readsAcc[op.Name] {
		from = append(from, operandAcc)
	}
	if chosen {
		from = []contents.Operand{in.named(0), in.named(1), operandFlag}
	}
	if writesAcc[op.Name] || in.accWrite {
		f.Moves = append(f.Moves, contents.Move{To: operandAcc, From: from, Chosen: chosen})
	}
	f.Moves = append(f.Moves, contents.Move{To: operandDst, From: from, Chosen: chosen})
	if in.setsFlags() || op.Code == opCmp || op.Code == opCmpn || in.isMacro() {
		f.Moves = append(f.Moves, contents.Move{To: operandFlag, From: from})
	}
	return f
}

// traced wraps what executes an instruction.
func (in *Inst) traced(t *fidelity.Tracker) {
	if in.exec == nil {
		return
	}
	execute, flow := in.exec, in.flow()
	in.exec = func(c *Core, in *Inst) {
		s := t.Registers(c.w, func() any {
			return &origins{t: t, file: make([]fidelity.Origins, len(c.r.file))}
		}).(*origins)
		c.traced = traced{values{c: c, in: in}, s}
		come := c.enabled(in)
		mask := come
		if in.Op.Code != opSel { // which takes the other source where the predicate is false
			mask = c.channels(in)
		}
		if in.Op.Name == "smov" {
			mask &= uint32(in.src[1].imm)
		}
		c.placeIndirect(in)
		c.trace.Begin(t, &c.traced, flow, uint64(mask)<<in.first, uint64(come)<<in.first)
		var m *tracedMessage
		if in.Op.isMessage() && !t.AllExact() {
			m = s.message(c, in)
		}
		execute(c, in)
		if c.stop.Kind == simt.FaultEvent {
			return
		}
		c.trace.End()
		switch {
		case m != nil:
			m.after(c, flow, mask)
		case in.Op.form == formDpas:
			s.wholly(in, c.trace.Own())
		case in.Op.form == formCall && in.dst.place == inGRF:
			s.set(in.dst.layout.base, 8, 0)
		}
	}
}

// wholly says that all that an instruction writes comes from all that it reads.
func (s *origins) wholly(in *Inst, own fidelity.Origins) {
	reads, writes := in.usedBytes()
	for _, u := range reads {
		own = s.t.Union(own, s.of(in.gen.grf(u.reg), in.gen.regBytes))
	}
	for _, u := range writes {
		s.set(in.gen.grf(u.reg), in.gen.regBytes, own)
	}
}
