package gen

import (
	"slices"

	"simtgdb/simt"
)

// Threads that nobody looks at, of a kernel all of whose code is known, are executed one after the other with
// the registers of one: making a thread costs more than many a kernel executes. Of the general registers
// those alone are made 0 that the kernel writes, and may read before it has written all of them.

// A bulk is what a core knows of the kernel that it executes so, and the thread that it does it with.
type bulk struct {
	known bool // whether the kernel that begins at entry is executed so: longest is 0 if not
	entry uint64
	// longest is how many instructions a thread executes at most, unbounded if that is not known.
	longest uint64
	stale   []simt.Extent // of the file, what must be 0 when a thread starts, but for what it is given
	first   []firstWrite  // the other registers that the kernel writes
	ips     [maxChannels]uint32

	// given are the general registers that threads begin with, by their place in a workgroup of the whole
	// size, but for what ISA.place gives them.
	given [][]byte

	w     simt.Wave
	again bool // a thread of the kernel has had the registers

	begun bool // w has been executed in part,
	whole bool // as many instructions as it may
	done  []simt.Stats
	ends  []threadEnd // of those
}

// A threadEnd is where a thread has ended.
type threadEnd struct{ pc, exec uint64 }

// A firstWrite is a general register that an instruction of a kernel's first block, by its number, writes
// whole before any has read it.
type firstWrite struct{ reg, by int }

// unbounded is the longest way through a loop.
const unbounded = ^uint64(0)

// RunBulk implements simt.BulkRunner.
func (c *Core) RunBulk(g *simt.Workgroup, n uint64) (done []simt.Stats, tried bool) {
	d, k := &c.m.Dispatch, &c.bulk
	if d.LDSSize > 0 || len(g.Waves) > 0 || c.isa.Kernel.PrivateSlot > 0 || c.m.Watched() ||
		c.m.Follows() != (simt.Following{}) || d.Entry > uint64(noWake) {
		return nil, false
	}
	w := &k.w
	r, ok := w.Regs.(*Regs)
	if !ok || r.gen != c.isa.Kernel.generation() {
		r = newRegs(c.isa.Kernel.generation())
		w.Regs = r
	}
	c.m.Place(w, g, 0)
	if c.begin(w); c.tracker != nil || !c.translates() || !c.knowsKernel(d.Entry, n) {
		return nil, false
	}
	k.begun, k.whole, k.done, k.ends = false, false, k.done[:0], k.ends[:0]
	for more := true; more; more = c.m.PlaceNext(w) {
		c.startBulk(g.Size == d.Block)
		c.run(n)
		if c.stop.Kind != simt.EndEvent {
			c.refresh(w.PC)
			k.begun, k.whole = true, c.stop.Kind == simt.NoEvent && w.Insts >= n
			break
		}
		k.done = append(k.done, simt.Stats{Waves: 1, Insts: w.Insts, LaneInsts: w.LaneInsts})
		k.ends = append(k.ends, threadEnd{w.PC, w.Exec})
	}
	return k.done, true
}

// startBulk starts the bulk's thread, of a workgroup of the whole size or of another.
func (c *Core) startBulk(whole bool) {
	k := &c.bulk
	w, r := &k.w, c.r
	switch {
	case !k.again:
		clear(r.file[offAcc:])
		k.again = true
	default:
		for _, x := range k.stale {
			clear(r.file[x.Lo:x.Hi])
		}
		if w.Valid != 1<<w.Size-1 { // channels that are not there write nothing
			k.unwritten(r, 0)
		}
	}
	r.ip, r.from = k.ips, k.ips
	c.stop.Kind = simt.NoEvent
	n := w.ID % c.isa.Kernel.Threads // as number has it, without private memory
	if whole && w.Index < len(k.given) {
		copy(r.file[offGRF:], k.given[w.Index])
		c.isa.place(w, r, n)
		return
	}
	c.isa.give(w, r, n)
	if whole && w.Index == len(k.given) {
		end := min(c.isa.Kernel.payloadEnd(), r.gen.grfEnd())
		if c.isa.Kernel.Indirect != nil { // they have the rest in memory
			end = r.gen.grf(2)
		}
		k.given = append(k.given, slices.Clone(r.file[offGRF:end]))
	}
}

// knowsKernel reports whether the kernel that begins at an address is executed in bulk, where threads execute
// up to n instructions. A debugger's threads keep a record, which what executes here has not got: they must
// not stop amid it.
func (c *Core) knowsKernel(entry, n uint64) bool {
	k := &c.bulk
	if !k.known || k.entry != entry {
		*k = bulk{known: true, entry: entry, w: k.w, done: k.done, ends: k.ends}
		for l := range k.ips {
			k.ips[l] = uint32(entry)
		}
		c.learn(k)
	}
	return k.longest > 0 && (!c.m.Track || n >= k.longest)
}

// learn finds out what code does that begins at the bulk's entry.
func (c *Core) learn(k *bulk) {
	l, whole := c.reached(uint32(k.entry))
	if !whole {
		return
	}
	var written [maxRegs]bool
	longest, accumulates := uint64(len(l.insts)), false
	for _, in := range l.insts {
		if !in.inBulk() || c.m.HasBreakpoint(in.PC) {
			return
		}
		if in.goesBack() {
			longest = unbounded
		}
		_, writes := in.usedBytes()
		for _, u := range writes {
			written[u.reg] = true
		}
		accumulates = accumulates || in.writesAcc()
	}
	g := c.isa.Kernel.generation()
	for _, f := range firstWrites(c.block(k.entry).insts, c.isa.WaveSize()) {
		if g.grf(f.reg) >= c.isa.Kernel.payloadEnd() { // what is given is there until it is written
			k.first = append(k.first, f)
			written[f.reg] = false
		}
	}
	k.longest = longest
	if accumulates {
		k.stale = append(k.stale, simt.Extent{Lo: offAcc, Hi: offFlag}, simt.Extent{Lo: offRest, Hi: offA0})
	}
	k.stale = append(k.stale, simt.Extent{Lo: offFlag, Hi: offRest}, simt.Extent{Lo: offA0, Hi: offGRF})
	for reg := range g.grfCount {
		if !written[reg] {
			continue
		}
		lo, hi := uint64(g.grf(reg)), uint64(g.grf(reg+1))
		if last := &k.stale[len(k.stale)-1]; last.Hi == lo {
			last.Hi = hi
		} else {
			k.stale = append(k.stale, simt.Extent{Lo: lo, Hi: hi})
		}
	}
}

// inBulk reports whether a thread that executes an instruction may be executed in bulk: it is known where
// control goes from there and which general registers it uses, and other threads of the workgroup have no
// part in it.
func (in *Inst) inBulk() bool {
	switch {
	case in.eot:
		return !in.descInA0 && !in.exDescInA0
	case !in.namesAll(), in.Op.form == formDpas, in.Op.form == formWait, in.Op == &barrierWait, in.jumps():
		return false
	case in.Op.form == formJmpi:
		return in.src[0].place == immediate
	}
	return !in.Op.isMessage() || uint8(in.exDesc&15) != sfidGateway
}

// writesAcc reports whether an instruction may write an accumulator, or an extended one.
func (in *Inst) writesAcc() bool {
	return in.accWrite || writesAcc[in.Op.Name] || in.Op.flags&ownAcc != 0 || in.isMacro() ||
		in.dst.place == inARF && in.dst.reg>>4 == arfAcc || in.Op.form == formMath && in.dst.mme >= 0
}

// goesBack reports whether an instruction may lead to one before it, or to itself.
func (in *Inst) goesBack() bool {
	switch in.Op.form {
	case formJump2:
		return in.uipAt() <= uint32(in.PC) || in.jipAt() <= uint32(in.PC)
	case formJump1, formJmpi:
		return in.jipAt() <= uint32(in.PC)
	}
	return false
}

// firstWrites finds the general registers that the instructions of a block, executed with all channels of a
// thread of so many, write whole before they use them otherwise, and by which instruction.
func firstWrites(insts []Inst, channels int) (all []firstWrite) {
	var used [maxRegs]bool
	for i := range insts {
		in := &insts[i]
		reads, writes := in.usedBytes()
		for _, u := range reads {
			used[u.reg] = true
		}
		whole := !in.faults && in.Op.form == formBasic && in.pred == 0 && in.dst.place == inGRF &&
			(in.noMask || in.first+in.width <= channels)
		for _, u := range writes {
			if whole && !used[u.reg] && u.bytes == ^uint64(0)>>(64-in.gen.regBytes) {
				all = append(all, firstWrite{u.reg, i})
			}
			used[u.reg] = true
		}
	}
	return all
}

// unwritten makes those registers 0 that instructions of the first block from one on write first.
func (k *bulk) unwritten(r *Regs, from int) {
	for _, f := range k.first {
		if f.by >= from {
			clear(r.file[r.gen.grf(f.reg):r.gen.grf(f.reg+1)])
		}
	}
}

// Finish implements simt.BulkRunner.
func (c *Core) Finish(w *simt.Wave) {
	e := &c.bulk.ends[w.Index]
	w.PC, w.Exec = e.pc, e.exec
}

// Begun implements simt.Resumer.
func (c *Core) Begun() bool { return c.bulk.begun }

// Resume implements simt.Resumer: the thread takes the registers of the bulk's.
func (c *Core) Resume(w *simt.Wave) (whole bool) {
	k := &c.bulk
	from := &k.w
	k.unwritten(regsOf(from), int(min(from.Insts, simt.MaxBlock)))
	w.Regs, from.Regs = from.Regs, w.Regs
	w.Scratch, from.Scratch = from.Scratch, w.Scratch
	w.PC, w.Exec = from.PC, from.Exec
	w.Insts, w.LaneInsts = from.Insts, from.LaneInsts // and it is ready: what faults does so again
	k.begun, k.again = false, false
	return k.whole
}
