package gen

import (
	"cmp"
	"fmt"

	"simtgdb/simt"
)

// Tokens of the software scoreboard. From Gen12LP on messages, math and dpas are done some time later. One
// sets a token ("$3"); who needs its result waits for "$3.dst", who writes over what it reads for "$3.src",
// and sync waits for several (PRM of DG1, volume 9, "Software Scoreboard"). Messages leave in order, so that
// what one gives cannot come before an earlier one has been read, and who has waited for one has waited until
// the earlier ones were read. One that sets a token that is in use waits for it first. What is done in order
// is in waits_distances.go.

// tokens are what is under way in a thread.
type tokens struct {
	since  int              // simt.Machine.Followed
	writes [maxRegs]pending // what will write a register
	reads  [maxRegs]pending // what still reads it

	sent uint64     // messages that have been sent
	of   [32]uint64 // which of them has a token
	to   [32]bool   // whether that went to local memory

	inOrder distances
}

// A pending is an instruction that is not known to be done.
type pending struct {
	on      bool
	bytes   uint64 // of the register
	local   bool   // it is a message to local memory
	message uint64 // which one it is, of those that were sent; 0 of others
	id      uint8  // its token
	by      uint64
}

// tokens are those of the thread.
func (c *Core) tokens() *tokens {
	if since := c.m.Followed(); c.r.tokens == nil || c.r.tokens.since != since {
		c.r.tokens = &tokens{since: since}
	}
	return c.r.tokens
}

// hasTokens reports whether a generation has them.
func (g *Generation) hasTokens() bool { return g.untyped }

// waits wraps what executes an instruction, so that it is told of what comes too early.
func (in *Inst) waits() {
	if in.exec == nil {
		return
	}
	execute := in.exec
	reads, writes := in.usedBytes()
	in.watched = true
	in.exec = func(c *Core, in *Inst) {
		t := c.tokens()
		t.waited(in)
		t.inOrder.waited(in)
		mask, stop := uint32(0), false
		switch in.Op.form {
		case formBasic, formMath, formTernary, formBfn, formSendXe, formDpas:
			if mask = c.channels(in); mask != 0 {
				stop = c.judgeTokens(t, in, reads, writes, mask)
			}
		}
		execute(c, in)
		if mask == 0 {
			t.inOrder.issue(in, nil)
		} else {
			t.inOrder.issue(in, writes)
		}
		if in.Op.flow != simt.FlowNext && c.w.PC != in.PC+uint64(in.Size) {
			t.inOrder.jumped()
		}
		if in.wait.token == tokenSet && mask != 0 && c.stop.Kind != simt.FaultEvent {
			t.set(in, reads, writes)
		}
		if stop && c.stop.Kind == simt.NoEvent {
			c.stop.Kind, c.stop.Lanes = simt.WatchEvent, c.w.Exec
		}
	}
}

// A used is which bytes of a register an instruction reads or writes.
type used struct {
	reg   int
	bytes uint64
}

// toLocal reports whether a message goes to local memory, which does what it is asked in order.
func (in *Inst) toLocal() bool {
	if in.isLSC() {
		return in.exDesc&15 == sfidSLM
	}
	sfid := in.exDesc & 15
	return !in.descInA0 && (sfid == sfidDC0 || sfid == sfidDC1) && in.desc&255 == surfaceSLM
}

// usedBytes are those that an instruction reads, and writes, in general registers that it names.
func (in *Inst) usedBytes() (reads, writes []used) {
	switch in.Op.form {
	case formSend, formSends, formSendXe:
		return wholeRegs(in.readRegs()), wholeRegs(in.writtenRegs())
	case formDpas:
		read, written := in.dpasRegs()
		return wholeRegs(read), wholeRegs(written)
	case formBasic, formMath, formTernary, formBfn:
		if in.isMacro() {
			return wholeRegs(in.readRegs()), wholeRegs(in.writtenRegs())
		}
		for i := range in.sourceCount() {
			if o := &in.src[i]; o.place == inGRF {
				reads = append(reads, o.usedBytes(in.gen, in.width)...)
			}
		}
		if in.dst.place == inGRF {
			writes = in.dst.usedBytes(in.gen, in.width)
		}
	}
	return reads, writes
}

// wholeRegs are registers that are used as wholes.
func wholeRegs(regs []int) (all []used) {
	for _, reg := range regs {
		all = append(all, used{reg, ^uint64(0)})
	}
	return all
}

// usedBytes are those of the n elements of an operand.
func (o *operand) usedBytes(g *Generation, n int) (all []used) {
	for _, reg := range o.regs(g, n) {
		bytes := uint64(0)
		for i := range n {
			for at := o.elementAt(i); at < o.elementAt(i)+o.typ.Size(); at++ {
				if b := at - g.grf(reg); b >= 0 && b < g.regBytes {
					bytes |= 1 << b
				}
			}
		}
		all = append(all, used{reg, bytes})
	}
	return all
}

// set notes what an instruction that sets a token will read and write.
func (t *tokens) set(in *Inst, reads, writes []used) {
	p := pending{on: true, id: in.wait.id, by: in.PC}
	if in.Op.isMessage() {
		t.sent++
		p.message, p.local = t.sent, in.toLocal()
	}
	t.of[p.id&31], t.to[p.id&31] = p.message, p.local
	for _, u := range reads {
		p.bytes = u.bytes
		t.reads[u.reg] = p
	}
	for _, u := range writes {
		p.bytes = u.bytes
		t.writes[u.reg] = p
	}
}

// dpasRegs are the registers that a dpas reads, and writes.
func (in *Inst) dpasRegs() (reads, writes []int) {
	f, ok := in.dpasForm()
	if !ok {
		return nil, nil
	}
	g := in.gen
	if in.src[0].place == inGRF {
		reads = g.regsFrom(int(in.src[0].reg), g.whole(f.adds)/g.regBytes)
	}
	reads = append(reads, g.regsFrom(int(in.src[1].reg), f.rightRegs)...)
	reads = append(reads, g.regsFrom(int(in.src[2].reg),
		g.whole(int(in.src[2].sub)+f.leftBytes)/g.regBytes)...)
	return reads, g.regsFrom(int(in.dst.reg), g.whole(f.writes)/g.regBytes)
}

// waited forgets what an instruction waits for.
func (t *tokens) waited(in *Inst) {
	written, read := uint32(0), uint32(0) // by token
	switch bit := uint32(1) << in.wait.id; in.wait.token {
	case tokenSet, tokenDst:
		written, read = bit, bit
	case tokenSrc:
		read = bit
	}
	if in.Op.form == formSync {
		all := ^uint32(0)
		if in.src[0].place == immediate {
			all = uint32(in.src[0].imm)
		}
		switch in.cond {
		case syncAllwr:
			written, read = written|all, read|all
		case syncAllrd:
			read |= all
		}
	}
	if read == 0 {
		return
	}
	read |= written
	// last is the last message that was read, and local the last one to local memory that is done.
	last, local := uint64(0), uint64(0)
	for id, message := range t.of {
		if read>>id&1 != 0 {
			last = max(last, message)
		}
		if written>>id&1 != 0 && t.to[id] {
			local = max(local, message)
		}
	}
	for reg := range t.writes {
		if w := &t.writes[reg]; w.on && (written>>w.id&1 != 0 || w.local && w.message <= local) {
			w.on = false
		}
		if r := &t.reads[reg]; r.on && (read>>r.id&1 != 0 || r.message != 0 && r.message <= last) {
			r.on = false
		}
	}
}

// judgeTokens tells of registers that an instruction uses too early. It reports whether the thread is to
// stop.
func (c *Core) judgeTokens(t *tokens, in *Inst, reads, writes []used, mask uint32) (stop bool) {
	tell := func(p *pending, format string, reg int, what string) {
		stop = c.m.Used(&simt.Use{Wave: c.w, PC: in.PC, Waits: true, From: p.by,
			Lanes: cmp.Or(uint64(mask)<<in.first&c.w.Valid, c.w.Valid&-c.w.Valid),
			Text:  fmt.Sprintf(format, reg, p.id, what)}) || stop
		p.on = false
	}
	early := func(e *issue, back uint32, format string, reg int) {
		stop = c.m.Used(&simt.Use{Wave: c.w, PC: in.PC, Waits: true, From: e.by,
			Lanes: cmp.Or(uint64(mask)<<in.first&c.w.Valid, c.w.Valid&-c.w.Valid),
			Text:  fmt.Sprintf(format, reg, in.gen.distanceText(e.pipe, back))}) || stop
	}
	for _, u := range reads {
		if e, back := t.inOrder.early(u); e != nil {
			early(e, back, "r%d is used before the wait for %s, when what writes it is done", u.reg)
		}
		if p := &t.writes[u.reg]; p.on && p.bytes&u.bytes != 0 {
			tell(p, "r%d is used before the wait for $%d.%s, when what writes it is done", u.reg, "dst")
		}
	}
	for _, u := range writes {
		if e, back := t.inOrder.early(u); e != nil && e.pipe != in.pipe() {
			early(e, back, "r%d is written before the wait for %s, when what writes it too is done", u.reg)
		}
		if p := &t.writes[u.reg]; p.on && p.bytes&u.bytes != 0 {
			tell(p, "r%d is written before the wait for $%d.%s, when what writes it too is done", u.reg,
				"dst")
		}
		if p := &t.reads[u.reg]; p.on && p.bytes&u.bytes != 0 && !(p.message != 0 && in.Op.isMessage()) {
			tell(p, "r%d is written before the wait for $%d.%s, when it has been read", u.reg, "src")
		}
	}
	return stop
}
