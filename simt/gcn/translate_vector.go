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
	emit, ok := vectorForms[f.op]
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

// quarters is an operation that a function makes for each quarter.
func quarters(f func(x *vectorCode, d native.Z, q int)) func(*vectorCode) bool {
	return func(x *vectorCode) bool {
		d := x.result()
		for q := range x.t.parts {
			f(x, d.at(q), q)
		}
		x.write(d)
		return true
	}
}

// simple is an operation whose last instruction is the only one that writes d, and that can do so under a
// mask.
func simple(f func(x *vectorCode, k native.K, d native.Z, q int)) func(*vectorCode) bool {
	return func(x *vectorCode) bool {
		t, row := x.t, int(x.in.dst.reg)
		if !t.exact {
			d := x.result()
			for q := range t.parts {
				f(x, 0, d.at(q), q)
			}
			x.write(d)
			return true
		}
		d := t.row(row)
		for q := range t.parts {
			f(x, native.K(1+q), d.at(q), q)
			t.V(vmovdqu32to, d.at(q), 0, native.InMem(quarterAt(row, q)), 0)
		}
		t.changed(row)
		t.rows.row[t.quadOf(d)] = row
		return true
	}
}

func binary2(i native.Instruction) func(*vectorCode) bool {
	return simple(func(x *vectorCode, k native.K, d native.Z, q int) { x.under(k, i, d, x.a(q), x.b(q)) })
}

// then is an operation on A and B, and another on what they give and C.
func then(i, j native.Instruction) func(*vectorCode) bool {
	return simple(func(x *vectorCode, k native.K, d native.Z, q int) {
		x.op(i, 18, x.a(q), x.b(q))
		x.under(k, j, d, 18, x.c(q))
	})
}

func shiftRev(kind byte) func(*vectorCode) bool {
	return simple(func(x *vectorCode, k native.K, d native.Z, q int) { x.shift(k, kind, d, x.b(q), 0, q) })
}

func unary1(i native.Instruction, imm ...byte) func(*vectorCode) bool {
	return simple(func(x *vectorCode, k native.K, d native.Z, q int) { x.under(k, i, d, 0, x.a(q), imm...) })
}

// shiftThen is A shifted left by B, and an operation on that and C.
func shiftThen(j native.Instruction) func(*vectorCode) bool {
	return simple(func(x *vectorCode, k native.K, d native.Z, q int) {
		x.shift(0, shiftLeft, 18, x.a(q), 1, q)
		x.under(k, j, d, 18, x.c(q))
	})
}

// compareCode is a comparison; the condition is inverted if the row's is.
func compareCode(i native.Instruction, cond, inverted byte) func(*vectorCode) bool {
	return func(x *vectorCode) bool {
		if x.in.fast.invert {
			cond := inverted
			return x.compare(i, cond)
		}
		return x.compare(i, cond)
	}
}

func (x *vectorCode) compare(i native.Instruction, cond byte) bool {
	for q := range x.t.parts {
		x.under(native.K(1+q), i, 5, x.a(q), x.b(q), cond)
		x.collect(5, q)
	}
	x.writeMask()
	return true
}

// float2Code is an operation of singles on A and B. A result that is a NaN
// though the operands are ordered is the positive one. There seldom is a NaN.
func float2Code(i native.Instruction) func(*vectorCode) bool {
	return func(x *vectorCode) bool {
		t, d := x.t, x.result()
		for q := range t.parts {
			x.op(i, d.at(q), x.a(q), x.b(q))
		}
		x.ifNaN(d, func() {
			for q := range t.parts {
				x.float2(i, d.at(q), x.a(q), x.b(q))
			}
		})
		x.write(d)
		return true
	}
}

// ifNaN does something, out of the way, if a lane of a quad is a NaN.
func (x *vectorCode) ifNaN(d source, then func()) {
	t := x.t
	nan, back := t.NewLabel(), t.NewLabel()
	for q := 0; q < t.parts; q += 2 {
		x.op(vcmpps, native.Z(5+q/2), d.at(q), d.at(q+1), 3)
	}
	t.Kortest16(5, native.K(4+t.parts/2))
	t.Jcc(native.NE, nan)
	t.Set(back)
	t.stubs = append(t.stubs, func() {
		t.Set(nan)
		then()
		t.Jmp(back)
	})
}

func (x *vectorCode) float2(i native.Instruction, d, a, b native.Z) {
	x.op(i, d, a, b)
	x.op(vcmpps, 5, d, d, 3)
	x.under(5, vcmpps, 5, a, b, 7)
	x.under(5, vmovdqa32, d, 0, zNaN)
}

// noNaN leaves the instruction to the interpreter if an active lane of the
// result is a NaN.
func (x *vectorCode) noNaN(d source) {
	t := x.t
	bail := t.unlessDone(x.in, 0)
	x.ifNaN(d, func() {
		for q := range t.parts {
			x.under(native.K(1+q), vcmpps, 5, d.at(q), d.at(q), 3)
			t.Kortest16(5, 5)
			t.Jcc(native.NE, bail)
		}
	})
}

// guarded is an operation that must not give a NaN.
func guarded(f func(x *vectorCode, d native.Z, q int)) func(*vectorCode) bool {
	return func(x *vectorCode) bool {
		d := x.result()
		for q := range x.t.parts {
			f(x, d.at(q), q)
		}
		x.noNaN(d)
		x.write(d)
		return true
	}
}

// fma32Code adds a product: to the destination itself, if that is what it is added to, since sums wait for
// each other.
func fma32Code(x *vectorCode) bool {
	t, row, c := x.t, int(x.in.dst.reg), x.src[2]
	if !t.exact || c.step == 0 || t.rows.row[t.quadOf(c)] != row {
		return guarded(fmaCode)(x)
	}
	before := x.result()
	bail := t.unlessDone(x.in, 0)
	for q := range t.parts {
		x.op(vmovdqa32, before.at(q), 0, c.at(q))
		x.under(native.K(1+q), vfmadd231ps, c.at(q), x.a(q), x.b(q))
	}
	x.ifNaN(c, func() {
		fine := t.NewLabel()
		for q := range t.parts {
			x.under(native.K(1+q), vcmpps, native.Z(5+q), c.at(q), c.at(q), 3)
		}
		t.Kortest16(5, 6)
		t.Jcc(native.E, fine)
		for q := range t.parts {
			x.op(vmovdqa32, c.at(q), 0, before.at(q))
		}
		t.Jmp(bail)
		t.Set(fine)
	})
	for q := range t.parts {
		t.V(vmovdqu32to, c.at(q), 0, native.InMem(quarterAt(row, q)), 0)
	}
	t.changed(row)
	t.rows.row[t.quadOf(c)] = row
	return true
}

func fmaCode(x *vectorCode, d native.Z, q int) {
	x.op(vmovdqa32, d, 0, x.a(q))
	x.op(vfmadd213ps, d, x.b(q), x.c(q))
}

// madCode flushes denormals before and after the product and the sum.
func madCode(x *vectorCode, d native.Z, q int) {
	flush := func(to, z native.Z) {
		if to != z {
			x.op(vmovdqa32, to, 0, z)
		}
		x.op(vptestnmd, 5, to, 17)
		x.under(5, vpandd, to, zSign, to)
	}
	x.t.V(vpbroadcastd, 17, 0, native.InMem(x.t.constant(0x7f800000)), 0)
	flush(d, x.a(q))
	flush(18, x.b(q))
	x.op(vmulps, d, d, 18)
	flush(d, d)
	flush(18, x.c(q))
	x.op(vaddps, d, d, 18)
	flush(d, d)
}

// extremeCode is a minimum or a maximum: equal operands differ at most in the
// sign of 0, of which join chooses. NaN operands are the interpreter's.
func extremeCode(i, join native.Instruction) func(*vectorCode) bool {
	return func(x *vectorCode) bool {
		t := x.t
		bail := t.unlessDone(x.in, 0)
		for q := range x.t.parts {
			x.under(native.K(1+q), vcmpps, 5, x.a(q), x.b(q), 3)
			t.Kortest16(5, 5)
			t.Jcc(native.NE, bail)
		}
		d := x.result()
		for q := range x.t.parts {
			a, b := x.a(q), x.b(q)
			x.op(vcmpps, 5, a, b, 0)
			x.op(i, d.at(q), a, b)
			x.under(5, join, d.at(q), a, b)
		}
		x.write(d)
		return true
	}
}

// rcpCode divides where the reciprocal is a normal number: exponents from 1 to
// 252.
func rcpCode(x *vectorCode) bool {
	t := x.t
	bail := t.unlessDone(x.in, 0)
	d := x.result()
	t.V(vpbroadcastd, 17, 0, native.InMem(t.constant(1)), 0)
	t.V(vpbroadcastd, 18, 0, native.InMem(t.constant(251)), 0)
	for q := range x.t.parts {
		x.op(vpshiftd, shiftLeft, 19, x.a(q), 1)
		x.op(vpshiftd, shiftRight, 19, 19, 24)
		x.op(vpsubd, 19, 19, 17)
		x.under(native.K(1+q), vpcmpud, 5, 19, 18, 6)
		t.Kortest16(5, 5)
		t.Jcc(native.NE, bail)
	}
	t.V(vpbroadcastd, 17, 0, native.InMem(t.constant(0x3f800000)), 0)
	for q := range x.t.parts {
		x.op(vdivps, d.at(q), 17, x.a(q))
	}
	x.write(d)
	return true
}

// selectCode takes B where the mask source has a bit.
func selectCode(x *vectorCode) bool {
	d := x.result()
	for q := range x.t.parts {
		x.inQuarter(q)
		x.under(5, vpblendmd, d.at(q), x.a(q), x.b(q))
	}
	x.write(d)
	return true
}

// inQuarter brings a quarter of the mask source into K5.
func (x *vectorCode) inQuarter(q int) { x.t.Kshiftr64(5, 7, uint8(16*q)) }

// carryCode adds or subtracts with carries.
func carryCode(i, undo native.Instruction, subtract bool) func(*vectorCode) bool {
	return func(x *vectorCode) bool {
		t := x.t
		d := x.result()
		for q := range x.t.parts {
			a, b, r := x.a(q), x.b(q), d.at(q)
			x.op(i, r, a, b)
			if subtract {
				x.op(vpcmpud, 6, a, b, 1)
			} else {
				x.op(vpcmpud, 6, r, a, 1)
			}
			if !x.in.fast.noIn {
				x.inQuarter(q)
				if subtract {
					x.under(5, vpcmpeqd, 0, a, b)
				} else {
					x.under(5, vpcmpeqd, 0, r, zOnes)
				}
				t.Kor16(6, 6, 0)
				x.under(5, undo, r, r, zOnes)
			}
			x.collect(6, q)
		}
		x.write(d)
		t.Op(native.AND, native.W64, native.RDX, regMask)
		x.writeMask()
		return true
	}
}

func mulHighCode(i native.Instruction) func(*vectorCode) bool {
	return func(x *vectorCode) bool {
		d := x.result()
		x.t.MovImm(native.RCX, 0xaaaa)
		x.t.KmovTo16(5, native.RCX)
		for q := range x.t.parts {
			a, b, r := x.a(q), x.b(q), d.at(q)
			x.op(i, r, a, b)
			x.op(vpshiftq, shiftRight, 17, a, 32)
			x.op(vpshiftq, shiftRight, 18, b, 32)
			x.op(i, 17, 17, 18)
			x.op(vpshiftq, shiftRight, r, r, 32)
			x.under(5, vmovdqa32, r, 0, 17)
		}
		x.write(d)
		return true
	}
}

// low24 is the product of the low 24 bits of A and B, in d.
func (x *vectorCode) low24(signed bool, d native.Z, q int) {
	for i, z := range []native.Z{17, 18} {
		x.op(vpshiftd, shiftLeft, z, x.src[i].at(q), 8)
		if signed {
			x.op(vpshiftd, shiftSign, z, z, 8)
		} else {
			x.op(vpshiftd, shiftRight, z, z, 8)
		}
	}
	x.op(vpmulld, d, 17, 18)
}

func mul24Code(signed, add bool) func(*vectorCode) bool {
	return quarters(func(x *vectorCode, d native.Z, q int) {
		x.low24(signed, d, q)
		if add {
			x.op(vpaddd, d, d, x.c(q))
		}
	})
}

// bfeCode takes a constant number of bits.
func bfeCode(signed bool) func(*vectorCode) bool {
	return func(x *vectorCode) bool {
		if !x.src[1].is || !x.src[2].is || x.src[2].imm&31 == 0 {
			return false
		}
		from, width := x.src[1].imm&31, x.src[2].imm&31
		d := x.result()
		for q := range x.t.parts {
			if signed {
				x.op(vpshiftd, shiftSign, d.at(q), x.a(q), byte(from))
				x.op(vpshiftd, shiftLeft, d.at(q), d.at(q), byte(32-width))
				x.op(vpshiftd, shiftSign, d.at(q), d.at(q), byte(32-width))
				continue
			}
			x.op(vpshiftd, shiftRight, d.at(q), x.a(q), byte(from))
			x.t.V(vpandd, d.at(q), d.at(q), native.Each(x.t.constant(1<<width-1)), 0)
		}
		x.write(d)
		return true
	}
}

// ternary is d = a table of the bits of A, B and C.
func ternary(table byte) func(*vectorCode) bool {
	return quarters(func(x *vectorCode, d native.Z, q int) {
		x.op(vmovdqa32, d, 0, x.a(q))
		x.op(vpternlogd, d, x.b(q), x.c(q), table)
	})
}

// toIntCode converts singles to integers; what is out of range is as the
// comments of package vec's assembly say.
func toIntCode(signed bool) func(*vectorCode) bool {
	return func(x *vectorCode) bool {
		t := x.t
		d := x.result()
		t.V(vpxord, 17, 17, native.InReg(17), 0)
		t.V(vpbroadcastd, 18, 0, native.InMem(t.constant(0x4f000000)), 0)
		t.V(vpbroadcastd, 19, 0, native.InMem(t.constant(0x7fffffff)), 0)
		for q := range x.t.parts {
			a, r := x.a(q), d.at(q)
			if signed {
				x.op(vcvttps2dq, r, 0, a)
				x.op(vcmpps, 5, a, 18, 29)
				x.under(5, vmovdqa32, r, 0, 19)
				x.op(vcmpps, 5, a, a, 7)
			} else {
				x.op(vcvttps2udq, r, 0, a)
				x.op(vcmpps, 5, a, 17, 29)
			}
			t.VZ(vmovdqa32, r, 0, native.InReg(r), 5)
		}
		x.write(d)
		return true
	}
}
