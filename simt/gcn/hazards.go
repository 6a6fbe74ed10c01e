package gcn

import (
	"cmp"
	"slices"

	"simtgdb/simt"
	"simtgdb/simt/gcn/hazards"
)

// Instructions that come too early, which package hazards finds: here it is asked when a wave enters a
// block, and an instruction is wrapped once it has been found to come too early. What instructions are to
// it is in hazards_touch.go and hazards_later_touch.go.

// blockHazards is what a block keeps of hazards.
type blockHazards struct {
	hazards.Block
	wrapped map[int]bool // instructions that tell of hazards
}

// tellEarly makes a block tell of hazards.
func (b *block) tellEarly() {
	execute := b.insts[0].exec
	b.hazards = &blockHazards{}
	b.insts[0].exec = func(c *Core, in *Inst) {
		c.enter(b)
		if early := c.r.hazards.Early(); len(early) > 0 && early[0].Index == 0 {
			c.tooEarly(&early[0], in, execute)
			return
		}
		execute(c, in)
	}
}

// tooEarly executes an instruction that comes too early.
func (c *Core) tooEarly(e *hazards.Early, in *Inst, execute func(*Core, *Inst)) {
	stop := c.m.Undefined(&simt.Undefined{Wave: c.w, PC: in.PC, Lanes: cmp.Or(c.w.Exec, c.w.Valid),
		From: e.From,
		Text: e.Text})
	if execute(c, in); !c.faulted() {
		c.stopFollowing(stop, in)
	}
}

// enter notes that the wave begins a block.
func (c *Core) enter(b *block) {
	if b.hazards.Insts == nil {
		b.hazards.Insts = hazardsOf(b.insts)
	}
	if c.hazards == nil {
		c.hazards = hazards.New(c.isa.Target, c.isa.WaveSize(), hazardNames{c.isa.Target})
	}
	s := &c.r.hazards
	c.hazards.Enter(s, &b.hazards.Block, c.w.Insts)
	for _, e := range s.Early() {
		if e.Index > 0 && !b.hazards.wrapped[e.Index] {
			b.wrapEarly(e.Index)
		}
	}
}

// wrapEarly makes an instruction tell of it when it comes too early.
func (b *block) wrapEarly(i int) {
	if b.hazards.wrapped == nil {
		b.hazards.wrapped = map[int]bool{}
	}
	b.hazards.wrapped[i] = true
	execute := b.insts[i].exec
	b.insts[i].exec = func(c *Core, in *Inst) {
		all := c.r.hazards.Early()
		at := slices.IndexFunc(all, func(e hazards.Early) bool { return e.Index == i })
		if at < 0 {
			execute(c, in)
			return
		}
		c.tooEarly(&all[at], in, execute)
	}
}

// hazardsOf are instructions as package hazards sees them.
func hazardsOf(insts []Inst) []hazards.Inst {
	if insts[0].on.IsLater() {
		return laterHazardsOf(insts)
	}
	all := make([]hazards.Inst, len(insts))
	for i := range insts {
		in := &insts[i]
		all[i] = hazards.Inst{PC: in.PC, Op: in.Op, States: in.waitStates(), Far: in.Op.farJump(),
			Moves:  in.on == GFX908 && (in.Op.Name == accRead || in.Op.Name == accWrite),
			Leaves: in.leaves(), Needs: in.needs()}
	}
	return all
}

// waitStates is how many wait states an instruction is.
func (in *Inst) waitStates() uint8 {
	if in.Op.Enc == SOPP && in.Op.Name == "s_nop" {
		return uint8(in.simm)&15 + 1
	}
	return 1
}

// hazardNames are the names of a processor's registers.
type hazardNames struct{ on Target }

// Scalar names scalar registers: on gfx10 and later those of flat_scratch have numbers.
func (h hazardNames) Scalar(first uint16, n int) string {
	if h.on.IsLater() && first < laterSGPRs {
		return rangeText("s", first, n)
	}
	return scalarText(first, n)
}

// Vector names a vector register.
func (hazardNames) Vector(reg uint16) string {
	return registerName(&operand{kind: vectorReg, reg: reg}, 0)
}

// Setting names a hardware register.
func (hazardNames) Setting(id uint16) string { return hwregs[hwreg(id)].name }
