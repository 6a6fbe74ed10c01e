package gcn

import (
	"unsafe"

	"simtgdb/simt/native"
)

// For hosts that have AVX2 and no AVX-512, vector instructions that follow each other are a segment: it
// is done for eight lanes, then for the next eight, and what it computes stays in vector registers as
// far as these go; the last value of each row is stored. Nothing of a segment can stop or leave, so
// scalar instructions among the vector ones may come before or behind all of them, where neither reads
// what the other writes.
//
// Whether a result is a NaN, whose bits are not the host's, is looked at only where no other result would be
// one for it. Eight lanes with one are done again from the beginning, since they have stored nothing yet,
// with instructions that see to each NaN.

// A segment is a stretch of a block.
type segment struct {
	before, behind []int // scalar instructions, as the block numbers them
	vectors        []segmentInst
	end            int // where the block goes on
	masks          []segmentMask
}

// A segmentInst is a vector instruction of a segment, of the block's with a number.
type segmentInst struct {
	in    *Inst
	place int
	mask  int  // which of the segment's masks it makes, -1: none that is needed
	later bool // others of the segment read the mask that it makes
}

// A segmentMask is one that is in a scalar register behind a segment: until then in a general register.
type segmentMask struct {
	in      *Inst // which makes it
	reg     native.Reg
	negated bool
}

// maskRegs are general registers for masks.
var maskRegs = []native.Reg{native.RDX, native.RSI, native.RDI, native.R11, native.R12}

// mostInSegment is how many vector instructions a segment has: its code is made for each eight lanes, twice
// where there are floats.
const mostInSegment = 32

// A scalarSet is scalar registers by their numbers.
type scalarSet [4]uint64

func (s *scalarSet) add(reg, n int) {
	for i := reg; i < min(reg+n, 256); i++ {
		s[i/64] |= 1 << (i % 64)
	}
}

// addOperand adds the registers of an operand.
func (s *scalarSet) addOperand(o *operand) {
	if o.kind == scalarReg {
		s.add(int(o.reg), max(typDwords[o.typ], 1))
	}
}

func (s *scalarSet) meets(t *scalarSet) bool {
	return (s[0]&t[0] | s[1]&t[1] | s[2]&t[2] | s[3]&t[3]) != 0
}

func (s *scalarSet) join(t *scalarSet) {
	for i := range s {
		s[i] |= t[i]
	}
}

// scalarsOf are the scalar registers that an instruction reads as numbers, reads as masks, and writes.
func (in *Inst) scalarsOf() (reads, masks, writes scalarSet) {
	for i := range in.src {
		if o := &in.src[i]; o.typ == mask || o.typ == mask32 {
			masks.addOperand(o)
		} else {
			reads.addOperand(o)
		}
	}
	if in.Op.flag&readsVCC != 0 {
		masks.add(regVCC, 2)
	}
	if in.form < VOP2 { // some of which read what they write
		reads.addOperand(&in.dst)
	}
	writes.addOperand(&in.dst)
	writes.addOperand(&in.sdst)
	return reads, masks, writes
}

// segmented reports whether a vector instruction, which has a translation, may be in a segment.
func (t *translator) segmented(in *Inst) bool {
	if in.form < VOP2 || in.pair != nil || in.writesExec() || in.Op.mem != nil {
		return false
	}
	if form, ok := t.octetForm(in); ok {
		return form.check == nil
	}
	f, ok := in.Op.native.(lonely)
	return ok && (f.octets != nil && !f.octets.guarded || f.dwords != nil)
}

// octetForm is what an instruction is as an operation of package vec on rows of dwords.
func (t *translator) octetForm(in *Inst) (octetForm, bool) {
	if in.fast == nil || in.dst.kind == vectorReg && typDwords[in.dst.typ] > 1 {
		return octetForm{}, false
	}
	form, ok := octetForms()[in.fast.op]
	return form, ok
}

// movable reports whether a scalar instruction may be moved over vector ones.
func (in *Inst) movable() bool {
	_, ok := in.Op.native.(scalarForm)
	return ok && in.form < VOP2 && in.form != SMEM && in.Op.Name != "s_set_vgpr_msb" && !in.writesExec() &&
		!in.Op.ends()
}

// findSegment finds the segment that begins with an instruction of a block, of so many vector instructions at
// most.
func (t *translator) findSegment(b *regionBlock, from, most int) *segment {
	s := &segment{end: from}
	var read, written scalarSet // by vector instructions
	var behindReads, behindWrites scalarSet
	var masks []*operand
	last := from
	for i := from; i < b.count && !b.left[i]; i++ {
		in := &b.insts[i]
		switch {
		case in.Op.ends(), in.later: // what is waited for is noted where it is
			return s.cut(last)
		case in.Op.idles() && !in.writesExec():
			s.end = i + 1
			continue
		case in.movable():
			reads, more, writes := in.scalarsOf()
			reads.join(&more)
			if len(s.behind) == 0 && !reads.meets(&written) && !writes.meets(&written) &&
				!writes.meets(&read) {
				s.before = append(s.before, i)
			} else {
				s.behind = append(s.behind, i)
				behindReads.join(&reads)
				behindWrites.join(&writes)
			}
			s.end = i + 1
			continue
		}
		parts, ok := orderedParts(in)
		if !ok || len(s.vectors)+len(parts) > most {
			return s.cut(last)
		}
		for _, part := range parts {
			reads, ofMasks, writes := part.scalarsOf()
			ok = ok && t.segmented(part) && masksMatch(part, masks) && !reads.meets(&written) &&
				!reads.meets(&behindWrites) && !ofMasks.meets(&behindWrites) &&
				!writes.meets(&behindWrites) && !writes.meets(&behindReads)
			read.join(&reads)
			read.join(&ofMasks)
			written.join(&writes)
			if part.sdst.kind == scalarReg {
				masks = append(masks, &part.sdst)
			}
		}
		if !ok {
			return s.cut(last)
		}
		for _, part := range parts {
			s.vectors = append(s.vectors, segmentInst{in: part, place: i, mask: -1})
		}
		s.end, last = i+1, i+1
	}
	return s.cut(last)
}

// cut takes off what is behind the last vector instruction.
func (s *segment) cut(last int) *segment {
	if len(s.vectors) == 0 {
		return nil
	}
	drop := func(all []int) []int {
		for len(all) > 0 && all[len(all)-1] >= last {
			all = all[:len(all)-1]
		}
		return all
	}
	s.before, s.behind, s.end = drop(s.before), drop(s.behind), last
	return s
}

// masksMatch reports whether the masks that an instruction reads and writes are those, whole, that others
// have written, or have nothing to do with them.
func masksMatch(in *Inst, masks []*operand) bool {
	match := func(o *operand) bool {
		var own scalarSet
		own.addOperand(o)
		for _, m := range masks {
			var other scalarSet
			if other.addOperand(m); own.meets(&other) && own != other {
				return false
			}
		}
		return true
	}
	ok := match(&in.sdst)
	for i := range in.src {
		if o := &in.src[i]; o.typ == mask || o.typ == mask32 {
			ok = ok && match(o)
		}
	}
	if in.Op.flag&readsVCC != 0 {
		for _, m := range masks {
			ok = ok && (m.reg == regVCC || m.reg != regVCC+1)
		}
	}
	return ok
}

// orderedParts are the instructions of a pair in an order in which they may be executed one after the other,
// if there is one, or the one that it is.
func orderedParts(in *Inst) ([]*Inst, bool) {
	if in.pair == nil {
		return []*Inst{in}, true
	}
	x, y := &in.pair[0], &in.pair[1]
	switch {
	case overlap(&x.dst, &y.dst):
		return nil, false
	case !y.reads(&x.dst):
		return []*Inst{x, y}, true
	case x.reads(&y.dst):
		return nil, false
	}
	return []*Inst{y, x}, true
}

// giveMasks says which masks are needed, by the segment itself and behind it; false if there are too many.
func (s *segment) giveMasks() bool {
	for i := range s.vectors {
		v := &s.vectors[i]
		if v.in.sdst.kind != scalarReg {
			continue
		}
		reg, last := v.in.sdst.reg, true
		for j := i + 1; j < len(s.vectors) && last; j++ {
			later := s.vectors[j].in
			_, masks, _ := later.scalarsOf()
			var own scalarSet
			if own.addOperand(&v.in.sdst); masks.meets(&own) {
				v.later = true
			}
			last = later.sdst.kind != scalarReg || later.sdst.reg != reg
		}
		if !last {
			continue
		}
		if len(s.masks) == len(maskRegs) {
			return false
		}
		v.mask = len(s.masks)
		s.masks = append(s.masks, segmentMask{in: v.in, reg: maskRegs[v.mask]})
	}
	return true
}

// segmentAt is the segment that begins with an instruction of a block, as long as registers last.
func (t *translator) segmentAt(b *regionBlock, from int) *segment {
	if !t.octets {
		return nil
	}
	for most := mostInSegment; most > 0; {
		s := t.findSegment(b, from, most)
		if s == nil {
			return nil
		}
		if !s.giveMasks() {
			most = len(s.vectors) - 1
			continue
		}
		try := newTranslator(t.c, t.mode)
		try.now = b
		x := &octetRun{t: try, s: s}
		x.run(0, true)
		if !x.full {
			x.run(0, false)
		}
		if !x.full {
			return s
		}
		most = x.at
	}
	return nil
}

// emitSegment makes the code of a segment that begins with an instruction of a block.
func (t *translator) emitSegment(b *regionBlock, from int, s *segment) {
	scalars := func(all []int) {
		for _, i := range all {
			t.place = i
			t.inst(&b.insts[i])
		}
	}
	scalars(s.before)
	x := &octetRun{t: t, s: s}
	for o := range t.parts {
		x.octet(o)
	}
	for i := range s.vectors {
		v := &s.vectors[i]
		if v.in.dst.kind == vectorReg {
			for d := range max(typDwords[v.in.dst.typ], 1) {
				t.changed(int(v.in.dst.reg) + d)
			}
		}
		if i == 0 || s.vectors[i-1].place != v.place { // a pair is one
			t.counted++
		}
	}
	for _, m := range s.masks {
		if m.negated {
			t.Not(native.W64, m.reg)
		}
		t.Op(native.AND, native.W64, m.reg, regMask)
		t.Store(t.laneWidth(), scalar(m.in.sdst.reg), m.reg)
	}
	scalars(s.behind)
	for i := s.end - 1; i >= from; i-- {
		if b.places != nil && b.places[i] == i {
			t.stands(b, i)
			break
		}
	}
}

// stands notes that an instruction of a block is the last one executed where lanes stand, if they do there.
func (t *translator) stands(b *regionBlock, i int) {
	if b.places != nil && b.places[i] == i {
		t.stood = append(t.stood, &b.insts[i])
		t.StoreImm(native.W64, t.field(unsafe.Offsetof(t.c.context.stood)), int32(len(t.stood)))
	}
}
