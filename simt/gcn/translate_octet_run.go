package gcn

import (
	"slices"

	"simtgdb/simt/native"
)

// Code of a segment for eight lanes, and what vector registers hold meanwhile.

// A keptKey is what a vector register holds: a row, the number of a scalar register or a constant in all
// lanes, or a mask in scalar registers.
type keptKey struct {
	kind keptKind
	n    uint32
}

type keptKind uint8

const (
	keptNothing keptKind = iota
	keptRow
	keptScalar
	keptConstant
	keptMask
)

// keptRegs are the vector registers that keep what a segment uses, in the order in which they are taken.
// Those from fixedKept on have a use of their own in instructions on pairs.
var keptRegs = []native.Z{8, 9, 12, 13, 14, 15, 3, 10, 11}

const fixedKept = 6

// A keptReg is one of them.
type keptReg struct {
	is      keptKey
	dirty   bool // the row in memory has not got it; of a mask: it is nowhere else
	negated bool // the mask's opposite is there
	pinned  bool // by the instruction that is being translated
	used    int
}

// octetRegs are what they hold.
type octetRegs struct {
	regs  [16]keptReg
	clock int
}

// find is the register that holds something.
func (k *octetRegs) find(key keptKey) (native.Z, bool) {
	for _, z := range keptRegs {
		if k.regs[z].is == key {
			k.pin(z)
			return z, true
		}
	}
	return 0, false
}

func (k *octetRegs) pin(z native.Z) {
	k.clock++
	k.regs[z].used, k.regs[z].pinned = k.clock, true
}

// drop forgets something.
func (k *octetRegs) drop(key keptKey) {
	for _, z := range keptRegs {
		if r := &k.regs[z]; r.is == key {
			r.is, r.dirty = keptKey{}, false
		}
	}
}

// An octetRun makes the code of a segment for eight lanes after the other.
type octetRun struct {
	t     *translator
	s     *segment
	kept  octetRegs
	fixed bool // the last of keptRegs are the instruction's own
	full  bool // there were too few registers for instruction
	at    int

	quick   bool // NaNs are looked for at the ends of chains
	o       int
	pending []int // rows with results that may be NaNs and have not been looked at
	again   native.Label
	asks    int // how often NaNs are looked for
}

// take finds a register for something else.
func (x *octetRun) take() native.Z {
	best := native.Z(0)
	regs := keptRegs
	if x.fixed {
		regs = regs[:fixedKept]
	}
	for _, z := range regs {
		r := &x.kept.regs[z]
		switch {
		case r.pinned || r.dirty:
		case r.is == keptKey{}:
			x.kept.pin(z)
			return z
		case best == 0 || r.used < x.kept.regs[best].used:
			best = z
		}
	}
	if best == 0 {
		x.full = true
		return regs[0]
	}
	x.kept.regs[best] = keptReg{}
	x.kept.pin(best)
	return best
}

// hold says what a register holds.
func (x *octetRun) hold(z native.Z, key keptKey, dirty bool) {
	x.kept.drop(key)
	r := &x.kept.regs[z]
	r.is, r.dirty, r.negated = key, dirty, false
}

// operand is the register that has an operand's dword.
func (x *octetRun) operand(o *operand, dword int) native.Z {
	key := keyOf(o, dword)
	if z, ok := x.kept.find(key); ok {
		return z
	}
	z := x.take()
	x.load(z, key)
	x.hold(z, key, false)
	return z
}

// keyOf is what a dword of an operand is.
func keyOf(o *operand, dword int) keptKey {
	switch o.kind {
	case vectorReg:
		return keptKey{keptRow, uint32(o.reg) + uint32(dword)}
	case constant:
		return keptKey{keptConstant, uint32(o.imm >> (32 * dword))}
	}
	return keptKey{keptScalar, uint32(o.reg) + uint32(dword)}
}

// load brings something from memory.
func (x *octetRun) load(z native.Z, key keptKey) {
	switch key.kind {
	case keptRow:
		x.t.V256(vmovdqu32, z, 0, native.InMem(octetAt(int(key.n), x.o)))
	case keptScalar:
		x.t.V256(vpbroadcastd, z, 0, native.InMem(scalar(uint16(key.n))))
	case keptConstant:
		x.t.V256(vpbroadcastd, z, 0, native.InMem(x.t.constant(key.n)))
	case keptMask:
		x.t.expand(z, scalar(uint16(key.n)), x.o)
	}
}

// mask is the register that has the mask of an operand, or its opposite.
func (x *octetRun) mask(o *operand) (z native.Z, negated bool) {
	if o.kind == constant {
		c := keptKey{keptConstant, 0}
		switch lanes := uint8(o.imm >> (8 * x.o)); lanes {
		case 0:
		case 0xff:
			c.n = ^uint32(0)
		default: // a byte in all dwords, of which each has its bit
			z := x.take()
			x.load(z, keptKey{keptConstant, uint32(lanes)})
			bits := native.InMem(x.t.octetBits(0))
			x.t.V256(vpandd, z, z, bits)
			x.t.V256(vpcmpeqd, z, z, bits)
			return z, false
		}
		if z, ok := x.kept.find(c); ok {
			return z, false
		}
		z := x.take()
		x.load(z, c)
		x.hold(z, c, false)
		return z, false
	}
	key := keptKey{keptMask, uint32(o.reg)}
	if z, ok := x.kept.find(key); ok {
		return z, x.kept.regs[z].negated
	}
	z = x.take()
	x.load(z, key)
	x.hold(z, key, false)
	return z, false
}

// put makes a register a row's new value: as it is, or copied to d, or to another.
func (x *octetRun) put(row int, z, d native.Z) {
	key := keptKey{keptRow, uint32(row)}
	r := &x.kept.regs[z]
	if !slices.Contains(keptRegs, z) || r.is != key && r.is != (keptKey{}) {
		if d == 0 || x.kept.regs[d].is != (keptKey{}) {
			d = x.take()
		}
		x.t.V256(vmovdqa32, d, 0, native.InReg(z))
		z = d
	}
	x.hold(z, key, true)
	x.kept.pin(z)
}

// putMask makes a register a mask that is needed.
func (x *octetRun) putMask(v *segmentInst, z native.Z, negated bool) {
	key := keptKey{keptMask, uint32(v.in.sdst.reg)}
	x.kept.drop(key)
	if v.later {
		if !slices.Contains(keptRegs, z) || x.kept.regs[z].is != (keptKey{}) || x.fixed {
			d := x.take()
			x.t.V256(vmovdqa32, d, 0, native.InReg(z))
			z = d
		}
		x.hold(z, key, true)
		x.kept.regs[z].negated = negated
		x.kept.pin(z)
	}
	if v.mask < 0 {
		return
	}
	m := &x.s.masks[v.mask]
	m.negated = negated
	if x.o == 0 {
		x.t.V256(vmovmskps, native.Z(m.reg), 0, native.InReg(z))
		return
	}
	x.t.V256(vmovmskps, native.Z(native.RCX), 0, native.InReg(z))
	x.t.ShiftImm(native.SHL, native.W64, native.RCX, uint8(8*x.o))
	x.t.Op(native.OR, native.W64, m.reg, native.RCX)
}

// vacate frees the registers that an instruction on pairs has a use for.
func (x *octetRun) vacate() {
	x.fixed = true
	for _, z := range keptRegs[fixedKept:] {
		r := x.kept.regs[z]
		if x.kept.regs[z] = (keptReg{}); r.dirty {
			d := x.take()
			x.t.V256(vmovdqa32, d, 0, native.InReg(z))
			x.kept.regs[d] = r
			x.kept.pin(d)
		}
	}
}

// look sees whether an active lane of rows is a NaN: then the eight lanes are done again.
func (x *octetRun) look(rows []int) {
	if len(rows) == 0 {
		return
	}
	t := x.t
	reg := func(i int) native.Z {
		z, _ := x.kept.find(keptKey{keptRow, uint32(rows[i])})
		return z
	}
	for i := 0; i < len(rows); i += 2 {
		z := native.Z(5 + min(i, 1))
		t.V256(vcmpps, z, reg(i), native.InReg(reg(min(i+1, len(rows)-1))), 3)
		if i > 0 {
			t.V256(vpord, 5, 5, native.InReg(z))
		}
	}
	x.asks++
	found, back, again, o := t.NewLabel(), t.NewLabel(), x.again, x.o
	t.V256(vptest, 5, 0, native.InReg(5))
	t.Jcc(native.NE, found)
	t.Set(back)
	t.stubs = append(t.stubs, func() {
		t.Set(found)
		t.V256(vpandd, 5, 5, native.InMem(t.maskAt(o)))
		t.V256(vptest, 5, 0, native.InReg(5))
		t.Jcc(native.E, back)
		t.Jmp(again)
	})
}

// run makes the code of all instructions for eight lanes.
func (x *octetRun) run(o int, quick bool) {
	x.o, x.quick, x.pending = o, quick, x.pending[:0]
	for i := range x.s.vectors {
		if x.inst(&x.s.vectors[i]); x.full {
			x.at = i
			return
		}
		for z := range x.kept.regs {
			x.kept.regs[z].pinned = false
		}
	}
	if quick {
		x.look(x.pending)
	}
	x.store()
	for z := range x.kept.regs { // what is the same in all lanes stays
		if r := &x.kept.regs[z]; r.is.kind == keptRow || r.is.kind == keptMask {
			*r = keptReg{}
		}
		x.kept.regs[z].pinned = false
	}
}

// store stores active lanes of the rows that have been written.
func (x *octetRun) store() {
	t, first := x.t, true
	for _, z := range keptRegs {
		r := &x.kept.regs[z]
		if !r.dirty || r.is.kind != keptRow {
			continue
		}
		if first { // the lanes that are switched off
			t.V256(vpcmpeqd, 7, 7, native.InReg(7))
			t.V256(vpxord, 7, 7, native.InMem(t.maskAt(x.o)))
			first = false
		}
		at := octetAt(int(r.is.n), x.o)
		t.V256(vblendvps, z, z, native.InMem(at), 7<<4)
		t.V256(vmovdqu32to, z, 0, native.InMem(at))
	}
}

// octet makes the code for eight lanes, and that for those with a NaN, out of the way.
func (x *octetRun) octet(o int) {
	t := x.t
	x.again, x.asks = t.NewLabel(), 0
	x.run(o, true)
	if x.asks == 0 {
		return
	}
	done := t.NewLabel()
	t.Set(done)
	again, s, after := x.again, x.s, x.kept
	t.stubs = append(t.stubs, func() {
		t.Set(again)
		for _, m := range s.masks { // which have lanes of those already
			if o > 0 {
				t.MovImm(native.RCX, ^(uint64(0xff) << (8 * o)))
				t.Op(native.AND, native.W64, m.reg, native.RCX)
			}
		}
		y := &octetRun{t: t, s: s}
		y.run(o, false)
		for _, z := range keptRegs {
			if after.regs[z].is != (keptKey{}) {
				y.load(z, after.regs[z].is)
			}
		}
		t.Jmp(done)
	})
}

// inst makes the code of one instruction.
func (x *octetRun) inst(v *segmentInst) {
	in := v.in
	y := &octetCode{vectorCode: &vectorCode{t: x.t, in: in}, o: x.o, run: x}
	form, ok := x.t.octetForm(in)
	lonely, _ := in.Op.native.(lonely)
	switch pair := lonely.octets; {
	case ok:
		x.plain(y, v, &form)
	case pair != nil:
		x.settle(in, false)
		x.vacate()
		y.pairHalves(pair)
		if pair.compares {
			y.op(vshufps, yLow, yLow, yHigh, 0x88)
			x.putMask(v, yLow, pair.negated)
		}
		y.writePair()
		x.fixed = false
	default:
		x.settle(in, false)
		y.d = x.take()
		y.dwords(lonely.dwords)
	}
}

// plain is inst for an operation of package vec.
func (x *octetRun) plain(y *octetCode, v *segmentInst, form *octetForm) {
	in := v.in
	x.settle(in, form.nan)
	y.d = x.take()
	for i := range in.fast.n {
		if o := &in.src[i]; o.typ == mask || o.typ == mask32 {
			y.takes = o
		} else {
			y.from[in.fast.first[i]], y.changes[in.fast.first[i]] = o, in.fast.changes[i]
		}
	}
	if in.Op.flag&readsVCC != 0 {
		y.takes = &operand{kind: scalarReg, reg: regVCC, typ: mask}
	}
	r := form.emit(y)
	if form.compares {
		x.putMask(v, r, form.negated != in.fast.invert)
		return
	}
	if form.carries {
		x.putMask(v, yCarry, false)
	}
	x.put(int(in.dst.reg), r, y.d)
	if form.nan {
		x.pending = append(x.pending, int(in.dst.reg))
	}
}

// settle looks at the results that an instruction is about to write over. Those that a float is made of need
// not be looked at: it is a NaN if one of them is.
func (x *octetRun) settle(in *Inst, float bool) {
	if float {
		for i := range in.fast.n {
			if o := &in.src[i]; o.kind == vectorReg {
				x.pending = slices.DeleteFunc(x.pending, func(row int) bool { return row == int(o.reg) })
			}
		}
	}
	if in.dst.kind != vectorReg {
		return
	}
	var over []int
	for d := range max(typDwords[in.dst.typ], 1) {
		if row := int(in.dst.reg) + d; slices.Contains(x.pending, row) {
			over = append(over, row)
			x.pending = slices.DeleteFunc(x.pending, func(r int) bool { return r == row })
		}
	}
	if x.quick {
		x.look(over)
	}
}
