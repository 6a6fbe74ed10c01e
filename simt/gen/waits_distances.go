package gen

import "fmt"

// Distances of the software scoreboard. Instructions that are no messages, no dpas and, but on Xe-HPC, no
// math are done in the order in which they were given to their pipeline, each some cycles later. Which
// register one writes is not looked at by those that come: an instruction says how many instructions back in
// a pipeline that one is that it needs ("@2", "F@1"; "A@1": in each), and then waits until that one, and with
// it all before it, are done. (PRM of DG1, volume 9, "Software Scoreboard"; what pipelines have is as IGA has
// it.)

// A pipeline is where instructions are done in order.
type pipeline uint8

const (
	integerPipe pipeline = iota // before Xe-HP the only one
	floatPipe
	longPipe // 64 bits
	mathPipe
	pipelines
	noPipe
)

// pipeNames are what texts call them.
var pipeNames = map[string]pipeline{"F": floatPipe, "I": integerPipe, "L": longPipe, "M": mathPipe}

// farthest is how far back in its pipeline an instruction can be that is not done yet. A distance says seven
// at most, which is a wait for those further back as well. (IGC takes what is eleven back for done.)
const farthest = 10

// kept is of how many instructions the writes are remembered: as many as can be under way.
const kept = farthest * int(pipelines)

// distances are what is under way in the pipelines of a thread.
type distances struct {
	issued [pipelines]uint32 // instructions that each was given
	done   [pipelines]uint32 // how many of them are known to be done
	last   [kept]issue       // the latest that write registers
	next   int               // of last
}

// An issue is an instruction that a pipeline was given.
type issue struct {
	pipe   pipeline
	number uint32 // in its pipeline, from 1 on; 0 is none
	writes []used
	by     uint64
}

// pipe is in which pipeline an instruction is done in order.
func (in *Inst) pipe() pipeline {
	switch in.Op.form {
	case formMath:
		if in.gen.wide {
			return mathPipe
		}
		return noPipe
	case formSendXe, formDpas, formSync:
		return noPipe
	case formBasic, formTernary, formBfn:
	default:
		return integerPipe
	}
	if !in.gen.xehp {
		return integerPipe
	}
	typ := in.dst.typ
	if in.dst.place == noPlace || typ == noType {
		typ = in.src[0].typ
	}
	long := in.gen.isLong(typ)
	for i := range in.sourceCount() {
		long = long || in.gen.isLong(in.src[i].typ) && !in.gen.wide
	}
	switch {
	case long:
		return longPipe
	case types[typ].float:
		return floatPipe
	}
	return integerPipe
}

// isLong reports whether a type is computed in the pipeline of 64 bits. Xe-HPC's for integers does theirs.
func (g *Generation) isLong(t Type) bool { return t == DF || t.Size() == 8 && !g.wide }

// waited notes what an instruction waits for.
func (d *distances) waited(in *Inst) {
	if !in.wait.counts || in.wait.distance == 0 {
		return
	}
	back := uint32(in.wait.distance) - 1
	first, last := pipeline(0), pipelines-1
	if p, named := pipeNames[in.wait.pipe]; named {
		first, last = p, p
	} else if in.wait.pipe == "" {
		if own := in.pipe(); own != noPipe {
			first, last = own, own
		}
	}
	for p := first; p <= last; p++ {
		if d.issued[p] > back {
			d.done[p] = max(d.done[p], d.issued[p]-back)
		}
	}
}

// early finds an instruction that writes bytes of a register and may not be done yet.
func (d *distances) early(u used) (by *issue, distance uint32) {
	bytes := u.bytes
	for i := range d.last {
		e := &d.last[(d.next+2*len(d.last)-1-i)%len(d.last)]
		if e.number == 0 {
			break
		}
		for _, w := range e.writes {
			if w.reg != u.reg || w.bytes&bytes == 0 {
				continue
			}
			back := d.issued[e.pipe] - e.number + 1
			if e.number > d.done[e.pipe] && back <= farthest {
				return e, back
			}
			if bytes &^= w.bytes; bytes == 0 {
				return nil, 0
			}
		}
	}
	return nil, 0
}

// jumped notes that the thread goes on elsewhere: until what is there has been fetched, all that was given to
// the pipelines is done. (IGC has no waits for it.)
func (d *distances) jumped() { d.done = d.issued }

// distanceText is how an instruction would wait for one that is so far back in a pipeline.
func (g *Generation) distanceText(p pipeline, back uint32) string {
	if !g.xehp {
		return fmt.Sprintf("@%d", back)
	}
	return fmt.Sprintf("%c@%d", "IFLM"[p], back)
}

// issue notes that an instruction is given to its pipeline. writes are what it will write.
func (d *distances) issue(in *Inst, writes []used) {
	p := in.pipe()
	if p == noPipe {
		return
	}
	d.issued[p]++
	if len(writes) > 0 {
		d.last[d.next] = issue{p, d.issued[p], writes, in.PC}
		d.next = (d.next + 1) % len(d.last)
	}
}
