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
	simt.BulkWave
	known bool // whether the kernel that begins at entry is executed so: longest is 0 if not
	entry uint64
	// longest is how many instructions a thread executes at most, unbounded if that is not known.
	longest uint64
	stale   []simt.Extent // of the file, what must be 0 when a thread starts, but for what it is given
	ips     [maxChannels]uint32

	// given are the general registers that threads begin with, by their place in a workgroup of the whole
	// size, but for what ISA.place gives them.
	given [][]byte
}

// unbounded is the longest way through a loop.
const unbounded = ^uint64(0)

// RunBulk implements simt.BulkRunner.
func (c *Core) RunBulk(g *simt.Workgroup, n uint64) (done []simt.Stats, tried bool) {
	d, k := &c.m.Dispatch, &c.bulk
	if d.LDSSize > 0 || len(g.Waves) > 0 || c.isa.Kernel.PrivateSlot > 0 || c.m.Watched() ||
		c.m.Follows() != (simt.Following{}) || d.Entry > uint64(noWake) {
		return nil, false
	}
	w := &k.Wave
	r, ok := w.Regs.(*Regs)
	if !ok || r.gen != c.isa.Kernel.generation() {
		r = newRegs(c.isa.Kernel.generation())
		w.Regs = r
	}
	c.m.Place(w, g, 0)
	if c.begin(w); c.tracker != nil || !c.translates() || !c.knowsKernel(d.Entry, n) {
		return nil, false
	}
	k.Begin()
	for more := true; more; more = c.m.PlaceNext(w) {
		c.startBulk(g.Size == d.Block)
		if c.run(n); !k.Ran(c.stop.Kind, n) {
			c.refresh(w.PC)
			break
		}
	}
	return k.Done(), true
}

// startBulk starts the bulk's thread, of a workgroup of the whole size or of another.
func (c *Core) startBulk(whole bool) {
	k := &c.bulk
	w, r := &k.Wave, c.r
	switch {
	case !k.Again:
		clear(r.file[offAcc:])
		k.Again = true
	default:
		for _, x := range k.stale {
			clear(r.file[x.Lo:x.Hi])
		}
		if w.Valid != 1<<w.Size-1 { // channels that are not there write nothing
			k.Unwritten(0, r.clearGeneral)
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
// up to n instructions. A debugger's threads keep a record, which what executes here has not got: once one
// has stopped amid it, those alone are that come to their ends.
func (c *Core) knowsKernel(entry, n uint64) bool {
	k := &c.bulk
	if !k.known || k.entry != entry {
		*k = bulk{BulkWave: k.BulkWave, known: true, entry: entry}
		k.Learn()
		for l := range k.ips {
			k.ips[l] = uint32(entry)
		}
		c.learn(k)
	}
	return k.longest > 0 && (c.m.MayStopAmid() || n >= k.longest)
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
		if g.grf(f.Reg) >= c.isa.Kernel.payloadEnd() { // what is given is there until it is written
			k.First = append(k.First, f)
			written[f.Reg] = false
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
func firstWrites(insts []Inst, channels int) (all []simt.FirstWrite) {
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
				all = append(all, simt.FirstWrite{Reg: u.reg, By: i})
			}
			used[u.reg] = true
		}
	}
	return all
}

// clearGeneral makes a general register 0.
func (r *Regs) clearGeneral(reg int) { clear(r.file[r.gen.grf(reg):r.gen.grf(reg+1)]) }

// Finish implements simt.BulkRunner.
func (c *Core) Finish(w *simt.Wave) { w.PC, w.Exec = c.bulk.End(w.Index) }

// Begun implements simt.Resumer.
func (c *Core) Begun() bool { return c.bulk.Begun() }

// Resume implements simt.Resumer.
func (c *Core) Resume(w *simt.Wave) (whole bool) {
	k := &c.bulk
	k.Unwritten(int(min(k.Wave.Insts, simt.MaxBlock)), regsOf(&k.Wave).clearGeneral)
	return k.BulkWave.Resume(w)
}
