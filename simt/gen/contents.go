package gen

import (
	"fmt"
	"math/bits"

	"simtgdb/simt"
	"simtgdb/simt/contents"
)

// Registers without contents, for package contents: bytes of them, since a register has elements of several
// channels. At first those general registers have contents that the thread is given. Architecture registers
// but for flags and addresses count as written.

// knownBytes are as many as can be followed: of a0, and of the general registers, which lie behind it.
const (
	knownBytes = offGRF - offA0 + maxRegs*maxRegBytes
	knownWords = (knownBytes + 63) / 64
)

// known are the bytes of registers that nothing has been written to, counted from a0 on.
type known struct {
	blank [knownWords]uint64                   // a bit for each byte of which anything has none
	some  [(knownBytes + 255) / 256 * 4]uint16 // a bit for each part of the file with any of them
	from  *[knownBytes / 4]uint32              // by dword, the instruction by which that is so; nil: none
	flags [2]uint64                            // of the flag registers, which bits
	made  [4]uint32                            // by which instructions
	since int                                  // simt.Machine.Followed
	parts *knownParts                          // see contents_exact.go; nil: no bytes of blank have anything
}

// known is what is kept for the thread.
func (c *Core) known() *known {
	if since := c.m.Followed(); c.r.known == nil || c.r.known.since != since {
		k := c.r.spareKnown
		if c.r.spareKnown = nil; k == nil {
			k = new(known)
		}
		if c.w.Insts == 0 && c.w.PC == c.m.Dispatch.Entry {
			*k = *c.begun()
		} else {
			*k = known{}
		}
		k.since, c.r.known = since, k
	}
	return c.r.known
}

// begun is what is known of a thread that begins.
func (c *Core) begun() *known {
	if c.beginning == nil {
		c.beginning = new(known)
		c.beginning.empty(c.isa.Kernel.payloadEnd(), c.r.gen.grfEnd())
	}
	return c.beginning
}

func (k *known) clone() *known {
	copied := *k
	if k.from != nil {
		from := *k.from
		copied.from = &from
	}
	if k.parts != nil {
		parts := *k.parts
		copied.parts = &parts
	}
	return &copied
}

// payloadEnd is where the registers end that a thread is given.
func (k *Kernel) payloadEnd() int {
	g := k.generation()
	return g.grf(1) + max(k.PerThread, g.regBytes) + len(k.CrossThread)
}

// fromOf is the instruction by which a dword has no contents, 0 if there is none.
func (k *known) fromOf(dword int) uint64 {
	if k.from == nil {
		return 0
	}
	return uint64(k.from[dword])
}

func (k *known) setFrom(dword int, from uint32) {
	if k.from == nil {
		if from == 0 {
			return
		}
		k.from = new([knownBytes / 4]uint32)
	}
	k.from[dword] = from
}

// lacks reports whether no byte of an element has contents.
func (k *known) lacks(at, size int) bool {
	for at, end := at-offA0, at-offA0+size; at < end; at++ {
		if at < 0 || at >= knownBytes || k.blank[at/64]>>(at%64)&1 == 0 ||
			k.parts != nil && k.parts.has[at] != 0 {
			return false
		}
	}
	return true
}

// set notes of the bytes of an element whether they have contents.
func (k *known) set(at, size int, blank bool, from uint64) {
	if !blank {
		lo, hi := max(at-offA0, 0), min(at-offA0+size, knownBytes)
		for at := lo; at < hi; at = at&^63 + 64 {
			k.blank[at/64] &^= bitsOf(at, hi)
		}
		k.mark(lo, hi)
		return
	}
	for at, end := max(at-offA0, 0), min(at-offA0+size, knownBytes); at < end; at++ {
		k.blank[at/64] |= 1 << (at % 64)
		k.setFrom(at/4, uint32(from))
		k.parts.forget(at)
	}
	k.mark(max(at-offA0, 0), min(at-offA0+size, knownBytes))
}

// The operands of an instruction: its sources by their index, and these.
const (
	operandDst     contents.Operand = 3 + iota
	operandIndex                    // elements of a0 that name registers, by their operand
	operandFlag    = operandIndex + 4
	operandBlock   = operandFlag + 1    // where a block message's memory is
	operandAddress = operandBlock + 1   // of another message
	operandData    = operandAddress + 1 // the first component of its data
)

// values are the operands of the instruction under way. It implements contents.Exact.
type values struct {
	c     *Core
	in    *Inst
	k     *known
	plain runner // executes it and tells nobody
}

// element is where channel i of an operand is in the registers that are followed. It is false for what is
// elsewhere.
func (v *values) element(o contents.Operand, i int) (at, size int, ok bool) {
	switch {
	case o == operandBlock:
		at, size = v.in.blockAddress()
		return at, size, true
	case o >= operandAddress:
		at, size = v.in.pieces.element(o, i)
		return at, size, true
	case o >= operandIndex:
		x := v.in.operand(o - operandIndex)
		row := 0
		if x.vstride == perChannel {
			row = i / x.width
		}
		return offA0 + 2*((int(x.addr)+row)&15), 2, true
	}
	x := v.in.operand(o)
	a := x.layout
	switch {
	case x.place == indirect:
		a = v.c.indirect[o]
	case !x.followed():
		return 0, 0, false
	}
	if at = a.base + i*a.step; a.table != nil {
		at = int(a.table[i])
	}
	return at, x.typ.Size(), true
}

// operand is one of the sources, or the destination.
func (in *Inst) operand(o contents.Operand) *operand {
	if o == operandDst {
		return &in.dst
	}
	return &in.src[o]
}

// followed reports whether an operand names registers of which it is known what they have.
func (o *operand) followed() bool {
	return o.place == inGRF || o.place == inARF && o.reg>>4 == arfAddress
}

// element is where channel i of a message's address or data is.
func (p *sendPlan) element(o contents.Operand, i int) (at, size int) {
	switch {
	case o > operandAddress:
		return p.data + (int(o-operandData)*p.slots+i)*p.slot, p.slot
	case p.wide: // its low dword: the other comes from a carry where there is no arithmetic of 64 bits
		return p.address + 8*i, 4
	}
	return p.address + 4*i, 4
}

// Blank implements contents.Registers.
func (v *values) Blank(o contents.Operand, lanes uint64) (blank, from uint64) {
	if o == operandFlag {
		pair, s := v.in.flagPair()
		return bits.RotateLeft64(v.k.flags[pair], v.in.first-s) & lanes, uint64(v.k.made[2*pair+s/32])
	}
	for m := lanes >> v.in.first; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		if at, size, ok := v.element(o, i); ok && v.k.lacks(at, size) {
			blank |= 1 << (i + v.in.first)
			from = v.k.fromOf((at - offA0) / 4)
		}
	}
	return blank, from
}

// Set implements contents.Registers.
func (v *values) Set(o contents.Operand, lanes, blank, from uint64) {
	if o == operandFlag {
		pair, s := v.in.flagPair()
		f, at := &v.k.flags[pair], bits.RotateLeft64(lanes, s-v.in.first)
		if *f = *f&^at | bits.RotateLeft64(blank, s-v.in.first)&at; blank&lanes != 0 {
			v.k.made[2*pair+s/32] = uint32(from)
		}
		return
	}
	for m := lanes >> v.in.first; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		if at, size, ok := v.element(o, i); ok {
			v.k.set(at, size, blank>>(i+v.in.first)&1 != 0, from)
		}
	}
}

// Truth implements contents.Registers: only the flag is one.
func (v *values) Truth(contents.Operand) uint64 {
	return uint64(v.c.predicate(v.in)) << v.in.first
}

// Name implements contents.Registers.
func (v *values) Name(o contents.Operand) string {
	at, _, _ := v.element(o, 0)
	return v.in.gen.knownName(at)
}

// knownName is the register that a byte of those that are followed is in.
func (g *Generation) knownName(at int) string {
	if reg, ok := g.register(at); ok {
		return fmt.Sprintf("r%d", reg)
	}
	return fmt.Sprintf("a0.%d", (at-offA0)/2)
}

// contents is what an instruction does with values.
func (in *Inst) contents() (out contents.Inst) {
	op := in.Op
	if op.flow != simt.FlowNext && in.pred == 1 {
		out.Decides = append(out.Decides, operandFlag)
	}
	if op.isMessage() {
		in.messageContents(&out)
		return out
	}
	if op.form != formBasic && op.form != formMath && op.form != formTernary && op.form != formBfn {
		return out
	}
	way := in.way()
	move := contents.Move{To: operandDst, Way: way, Cut: in.cut}
	switch {
	case op.Code == opSel && in.cond == 0 && in.pred == 1:
		move.From, move.Chosen = []contents.Operand{0, 1, operandFlag}, true
	case way != contents.Opaque:
		for i := range in.sourceCount() {
			move.From = append(move.From, contents.Operand(i))
		}
	}
	for o := contents.Operand(0); o <= operandDst; o++ {
		if in.operand(o).place == indirect {
			out.Address = append(out.Address, operandIndex+o)
		}
	}
	if in.dst.followed() || in.dst.place == indirect {
		out.Moves = append(out.Moves, move)
	}
	if in.setsFlags() || op.Code == opCmp || op.Code == opCmpn {
		if move.To = operandFlag; move.Way == contents.Moved {
			move.Way = contents.Whole
		}
		out.Moves = append(out.Moves, move)
	}
	return out
}

// followed wraps what executes an instruction, behind those of its block before it; plain executes it and
// tells nobody.
func (in *Inst) followed(c *Core, plain runner, before []Inst) {
	if in.exec == nil {
		return
	}
	in.findCut(before)
	execute, does := in.exec, in.contents()
	c.findBack(in, &does)
	in.exec = func(c *Core, in *Inst) {
		k, v := c.known(), &c.values
		*v = values{c, in, k, plain}
		come := c.enabled(in)
		mask := come
		if in.Op.Code != opSel { // which takes the other source where the predicate is false
			mask = c.channels(in)
		}
		if p := in.pieces; p != nil {
			mask &= uint32(uint64(1)<<p.slots - 1)
		}
		c.placeIndirect(in)
		c.msg.block = noBlock
		if k.parts != nil && c.dividesByFloats(in) {
			v.settleDividend(uint64(mask) << in.first)
		}
		c.follower.Begin(c.m, c.w, v, &does, in.PC, uint64(mask)<<in.first, uint64(come)<<in.first)
		execute(c, in)
		if c.stop.Kind == simt.FaultEvent {
			c.follower.Fault()
			return
		}
		if c.follower.End() && c.stop.Kind == simt.NoEvent {
			c.stop.Kind, c.stop.Lanes = simt.WatchEvent, c.w.Exec
		}
		c.wrote(in, k)
	}
}

// nowhere is where an indirect operand is that is not in the registers.
const nowhere = offA0 + knownBytes

// placeIndirect finds where the elements of indirect operands are, as the execution of the instruction does,
// which faults if one is nowhere.
func (c *Core) placeIndirect(in *Inst) {
	for o := contents.Operand(0); o <= operandDst; o++ {
		if x := in.operand(o); x.place == indirect {
			a, ok := c.indirectAccess(x, in.width)
			if !ok {
				a = access{base: nowhere}
			}
			c.indirect[o] = a
		}
	}
}

// wrote notes what an instruction has written besides its elements: the response of a message of which
// they are not known, and flags that are a destination.
func (c *Core) wrote(in *Inst, k *known) {
	switch {
	case in.Op.isMessage():
		message := in
		if in.described != nil {
			message = in.described
		}
		_, _, response := message.messageLengths()
		if c.msg.block == noBlock && (in.pieces == nil || in.pieces.atomic) && in.dst.place == inGRF {
			k.set(in.gen.grf(int(in.dst.reg)), response*in.gen.regBytes, false, 0)
		}
	case in.dst.place == inARF && in.dst.reg>>4 == arfFlag:
		k.flags[in.dst.reg>>1&1] &^= 0xffffffff << (32 * (in.dst.reg & 1))
	case in.Op.form == formDpas:
		k.set(in.gen.grf(int(in.dst.reg)), int(in.repeat)*in.gen.regBytes, false, 0)
	case in.Op.form == formCall && in.dst.place == inGRF:
		k.set(in.dst.layout.base, 8, false, 0)
	}
}
