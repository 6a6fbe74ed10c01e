package gcn

import (
	"slices"

	"simtgdb/simt/native"
	"simtgdb/simt/vec"
)

// Vector instructions: those that are one operation of package vec, a quarter
// of the lanes at a time. A quad is four vector registers with a row of the
// vector file; results are written to memory at once, under EXEC, and kept in
// a quad as well, where lanes that are switched off do not count.

// ins is an instruction of AVX-512 with W 0: opcode map, prefix, opcode.
func ins(m, prefix, op byte) native.Instruction {
	return native.Instruction{Map: m, Prefix: prefix, Op: op}
}

var (
	vmovdqu32    = ins(1, 2, 0x6f)
	vmovdqu32to  = ins(1, 2, 0x7f) // to memory
	vmovdqa32    = ins(1, 1, 0x6f)
	vpbroadcastd = ins(2, 1, 0x58)
	vpaddd       = ins(1, 1, 0xfe)
	vpsubd       = ins(1, 1, 0xfa)
	vpandd       = ins(1, 1, 0xdb)
	vpandnd      = ins(1, 1, 0xdf)
	vpord        = ins(1, 1, 0xeb)
	vpxord       = ins(1, 1, 0xef)
	vpmulld      = ins(2, 1, 0x40)
	vpminud      = ins(2, 1, 0x3b)
	vpmaxud      = ins(2, 1, 0x3f)
	vpminsd      = ins(2, 1, 0x39)
	vpmaxsd      = ins(2, 1, 0x3d)
	vpsllvd      = ins(2, 1, 0x47)
	vpsrlvd      = ins(2, 1, 0x45)
	vpsravd      = ins(2, 1, 0x46)
	vpshiftd     = ins(1, 1, 0x72) // by a constant: 6 left, 2 right, 4 right with the sign
	vpmuludq     = native.Instruction{Map: 1, Prefix: 1, W: 1, Op: 0xf4}
	vpmuldq      = native.Instruction{Map: 2, Prefix: 1, W: 1, Op: 0x28}
	vpshiftq     = native.Instruction{Map: 1, Prefix: 1, W: 1, Op: 0x73}
	vpternlogd   = ins(3, 1, 0x25)
	vpblendmd    = ins(2, 1, 0x64)
	vpcmpud      = ins(3, 1, 0x1e)
	vpcmpd       = ins(3, 1, 0x1f)
	vpcmpeqd     = ins(1, 1, 0x76)
	vptestnmd    = ins(2, 2, 0x27)
	vcmpps       = ins(1, 0, 0xc2)
	vaddps       = ins(1, 0, 0x58)
	vsubps       = ins(1, 0, 0x5c)
	vmulps       = ins(1, 0, 0x59)
	vminps       = ins(1, 0, 0x5d)
	vmaxps       = ins(1, 0, 0x5f)
	vdivps       = ins(1, 0, 0x5e)
	vfmadd213ps  = ins(2, 1, 0xa8)
	vfmadd231ps  = ins(2, 1, 0xb8)
	vrndscaleps  = ins(3, 1, 0x08)
	vcvtdq2ps    = ins(1, 0, 0x5b)
	vcvtudq2ps   = ins(1, 3, 0x7a)
	vcvttps2dq   = ins(1, 2, 0x5b)
	vcvttps2udq  = ins(1, 0, 0x78)
)

const (
	shiftLeft  = 6
	shiftRight = 2
	shiftSign  = 4
)

func rowAt(row int) native.Mem        { return native.Mem{Base: regV, Disp: int32(256 * row)} }
func quarterAt(row, q int) native.Mem { return native.Mem{Base: regV, Disp: int32(256*row + 64*q)} }

// A rowCache says which rows are in which quads of vector registers, from 0
// on.
type rowCache struct {
	row    [quads]int // -1: none
	used   [quads]int // when
	pinned [quads]bool
	there  int // how many quads there are
	clock  int
	full   bool // there were too few for an instruction
}

// quads is how many quads there are of waves of 32 lanes, in the registers that 64 have four in.
const quads = 8

func (c *rowCache) forget() {
	for i := range c.row {
		c.row[i], c.pinned[i] = -1, false
	}
}

func (c *rowCache) drop(row int) {
	for i, r := range c.row {
		if r == row {
			c.row[i] = -1
		}
	}
}

// take finds a quad that is not pinned, the longest unused, and pins it.
func (c *rowCache) take() int {
	best := -1
	for i := range c.there {
		if !c.pinned[i] && (best < 0 || c.row[i] < 0 && c.row[best] >= 0 ||
			c.row[i] < 0 == (c.row[best] < 0) && c.used[i] < c.used[best]) {
			best = i
		}
	}
	if best < 0 {
		c.full = true
		return 0
	}
	c.row[best] = -1
	c.pin(best)
	return best
}

func (c *rowCache) pin(i int) {
	c.clock++
	c.used[i], c.pinned[i] = c.clock, true
}

func (c *rowCache) unpin() { c.pinned = [quads]bool{} }

// changed forgets what is known of a row.
func (t *translator) changed(row int) {
	t.rows.drop(row)
	for i, r := range t.greatest {
		if r == row {
			t.greatest[i] = -1
		}
	}
}

// A source is where the quarters of an operand are: a quad, or one register
// for all.
type source struct {
	z    native.Z
	step native.Z
	imm  uint32
	is   bool // a constant, imm
}

func (s source) at(q int) native.Z { return s.z + s.step*native.Z(q) }

// source makes dword of source i ready. Registers from 24 on hold what is the
// same in all lanes.
func (t *translator) source(o *operand, i, dword int) (source, bool) {
	z := native.Z(20 + 2*i + dword)
	switch o.kind {
	case vectorReg:
		return t.row(int(o.reg) + dword), true
	case constant:
		v := uint32(o.imm >> (32 * dword))
		t.V(vpbroadcastd, z, 0, native.InMem(t.constant(v)), 0)
		return source{z: z, imm: v, is: true}, true
	case scalarReg:
		if int(o.reg)+dword > 255 {
			return source{}, false
		}
		t.V(vpbroadcastd, z, 0, native.InMem(scalar(o.reg+uint16(dword))), 0)
		return source{z: z}, true
	}
	return source{}, false
}

// row brings a row into a quad.
func (t *translator) row(row int) source {
	for i, r := range t.rows.row {
		if r == row {
			t.rows.pin(i)
			return t.quad(i)
		}
	}
	i := t.rows.take()
	t.rows.row[i] = row
	t.loadQuad(i, row)
	return t.quad(i)
}

// quad is a quad as the place of a row.
func (t *translator) quad(i int) source { return source{z: native.Z(t.parts * i), step: 1} }

// quadOf is the number of a quad.
func (t *translator) quadOf(s source) int { return int(s.z) / t.parts }

// loadQuad fills a quad with a row.
func (t *translator) loadQuad(quad, row int) {
	for q := range t.parts {
		t.V(vmovdqu32, t.quad(quad).at(q), 0, native.InMem(quarterAt(row, q)), 0)
	}
}

// vectorInst makes the code of a vector instruction.
func (t *translator) vectorInst(in *Inst) bool {
	f := in.fast
	if in.dst.kind == vectorReg && typDwords[in.dst.typ] > 1 {
		return t.vector64(in) || t.byForm(in)
	}
	if t.mode&f.mode != f.want {
		return false
	}
	emit, ok := vectorForms()[f.op]
	if !ok {
		return false
	}
	if in.writesExec() {
		t.whileTracked(in)
	}
	defer t.rows.unpin()
	x := &vectorCode{t: t, in: in}
	for i := range f.n {
		o := &in.src[i]
		if o.typ == mask || o.typ == mask32 {
			if !t.loadLanes(native.RSI, o) {
				return false
			}
			t.KmovTo64(7, native.RSI)
			continue
		}
		if typDwords[o.typ] > 1 {
			return false
		}
		var s source
		if ok := true; i == 0 && t.first != nil {
			s = *t.first
		} else if s, ok = t.source(o, i, 0); !ok {
			return false
		}
		x.src[f.first[i]] = x.changed(s, f.changes[i], i)
	}
	if in.Op.flag&readsVCC != 0 {
		t.Load(t.laneWidth(), native.RSI, scalar(regVCC))
		t.KmovTo64(7, native.RSI)
	}
	return emit(x) && !t.rows.full
}

// changed is a source after a change. A quad with it holds a row no more; if
// the row is a source as it is as well, another quad gets it.
func (x *vectorCode) changed(s source, by *srcChange, i int) source {
	if by == nil {
		return s
	}
	t, n, d := x.t, 1, source{z: s.z, step: s.step}
	if s.step != 0 {
		n = t.parts
		for _, o := range x.src {
			if o.step != 0 && o.z == s.z {
				d = t.quad(t.rows.take())
				break
			}
		}
		t.rows.row[t.quadOf(d)] = -1
	}
	for q := range n {
		x.change(by, d.at(q), s.at(q))
	}
	return d
}

// change is d = s after a change.
func (x *vectorCode) change(by *srcChange, d, s native.Z) {
	if by.op == vec.Signs {
		if by.b != 0 {
			x.op(vpandnd, d, zSign, s)
			s = d
		}
		if by.c != 0 {
			x.op(vpxord, d, zSign, s)
		}
		return
	}
	kind := native.Z(shiftRight)
	if by.op == vec.BfeI {
		kind = shiftSign
	}
	if above := 32 - by.b - by.c; above != 0 {
		x.op(vpshiftd, shiftLeft, d, s, byte(above))
		s = d
	}
	x.op(vpshiftd, kind, d, s, byte(32-by.c))
}

// A vectorCode is a vector instruction that is being translated.
type vectorCode struct {
	t   *translator
	in  *Inst
	src [3]source
}

func (x *vectorCode) a(q int) native.Z { return x.src[0].at(q) }
func (x *vectorCode) b(q int) native.Z { return x.src[1].at(q) }
func (x *vectorCode) c(q int) native.Z { return x.src[2].at(q) }

// op is d = s op r.
func (x *vectorCode) op(i native.Instruction, d, s, r native.Z, imm ...byte) {
	x.t.strip(i, x.t.low(d), x.t.low(s), native.InReg(x.t.low(r)), imm...)
}

// low is a register, or what stands for it on hosts without AVX-512.
func (t *translator) low(z native.Z) native.Z {
	if t.octets {
		return lowRegister(z)
	}
	return z
}

// under is op for the elements of a mask.
func (x *vectorCode) under(k native.K, i native.Instruction, d, s, r native.Z, imm ...byte) {
	x.t.V(i, d, s, native.InReg(r), k, imm...)
}

// shift is d = s shifted by the source with a number, under a mask.
func (x *vectorCode) shift(k native.K, kind byte, d, s native.Z, count, q int) {
	if c := x.src[count]; c.is {
		x.under(k, vpshiftd, native.Z(kind), d, s, byte(c.imm&31))
		return
	}
	x.op(vpandd, 19, zBits, x.src[count].at(q))
	i := map[byte]native.Instruction{shiftLeft: vpsllvd, shiftRight: vpsrlvd, shiftSign: vpsravd}[kind]
	x.under(k, i, d, s, 19)
}

// result is the quad for the result, whose row it becomes when it is written.
func (x *vectorCode) result() source {
	return x.t.quad(x.t.rows.take())
}

// write makes a quad the destination.
func (x *vectorCode) write(d source) {
	t, row := x.t, int(x.in.dst.reg)
	if t.exact {
		t.merge(d, row)
		return
	}
	for q := range x.t.parts {
		t.V(vmovdqu32to, d.at(q), 0, native.InMem(quarterAt(row, q)), native.K(1+q))
	}
	t.changed(row)
	t.rows.row[t.quadOf(d)] = row
}

// merge makes the active lanes of a quad a row's, and a quad the row.
func (t *translator) merge(d source, row int) {
	to, at := d, slices.Index(t.rows.row[:], row)
	if at >= 0 {
		to = t.quad(at)
	}
	for q := range t.parts {
		if at >= 0 {
			t.V(vmovdqa32, to.at(q), 0, native.InReg(d.at(q)), native.K(1+q))
		} else {
			t.V(vmovdqu32, 16, 0, native.InMem(quarterAt(row, q)), 0)
			t.V(vpblendmd, d.at(q), 16, native.InReg(d.at(q)), native.K(1+q))
		}
		t.V(vmovdqu32to, to.at(q), 0, native.InMem(quarterAt(row, q)), 0)
	}
	t.rows.row[t.quadOf(d)] = -1
	t.changed(row)
	t.rows.row[t.quadOf(to)] = row
}

// writeMask puts RDX, the lanes for which something holds, where it belongs.
func (x *vectorCode) writeMask() {
	t, in := x.t, x.in
	if in.sdst.kind == scalarReg && in.sdst.reg != regExec {
		t.Store(t.laneWidth(), scalar(in.sdst.reg), native.RDX)
	}
	if in.writesExec() {
		t.Mov(native.W64, native.RAX, native.RDX)
		t.setExec()
	}
}

// collect adds a quarter's mask to RDX.
func (x *vectorCode) collect(k native.K, q int) {
	t := x.t
	if q == 0 {
		t.KmovFrom16(native.RDX, k)
		return
	}
	t.KmovFrom16(native.RCX, k)
	t.ShiftImm(native.SHL, native.W64, native.RCX, uint8(16*q))
	t.Op(native.OR, native.W64, native.RDX, native.RCX)
}
