package gen

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"simtgdb/simt"
)

// dpas multiplies matrices: to each row of src0 it adds the product of a row of src2 and the matrix src1
// ("Dot Product Accumulate Systolic", PRM of DG2, volume 9; vISA, "DPAS"). Columns are channels. Rows of
// src0, of the destination and of src2 lie one behind the other; of src1 each dword of a register has
// elements of a column.

// dpasBits are how many bits an element of a type has; 0 of one that does not execute.
var dpasBits = map[Type]int{UB: 8, B: 8, U4: 4, S4: 4, U2: 2, S2: 2, HF: 16, BF: 16, TF32: 32}

// A dpasForm is how an instruction's matrices lie.
type dpasForm struct {
	ops          int // elements of each step of depth
	left, right  int // bits of an element of src2, and of src1
	columns      int
	float        bool
	perDword     int // steps of which a dword of src1 has the elements
	out, in      int // bytes of an element of the destination, and of src0
	rightRegs    int // registers of src1
	leftBytes    int // of all rows of src2
	own          int // of them, what each thread of a pair has; of dpas, all
	writes, adds int // bytes of all rows of the destination, and of src0
}

// dpasForm finds it. ok is false of operands that do not go together, or are not in the registers.
func (in *Inst) dpasForm() (f dpasForm, ok bool) {
	a, b, g := &in.src[2], &in.src[1], in.gen
	f = dpasForm{left: dpasBits[a.typ], right: dpasBits[b.typ], columns: g.regBytes / 4,
		float: types[b.typ].float, out: in.dst.typ.Size(), in: in.src[0].typ.Size(), ops: 8}
	if f.left == 0 || f.right == 0 || in.width != f.columns || types[a.typ].float != f.float ||
		f.float && a.typ != b.typ || !f.results(&in.dst, b.typ) || !f.results(&in.src[0], b.typ) {
		return f, false
	}
	if f.float || f.left == 8 || f.right == 8 {
		f.ops = 32 / max(f.left, f.right)
	}
	steps, rows := int(in.depth), int(in.repeat)
	f.perDword = 32 / (f.ops * f.right)
	f.rightRegs = (steps + f.perDword - 1) / f.perDword
	f.leftBytes = (rows*steps*f.ops*f.left + 7) / 8
	f.own = f.leftBytes
	if in.Op.Code == opDpasw {
		f.own = (f.leftBytes + 2*g.regBytes - 1) / (2 * g.regBytes) * g.regBytes
	}
	f.writes, f.adds = rows*f.columns*f.out, rows*f.columns*f.in
	fits := func(o *operand, n int) bool {
		return o.place == inGRF && g.grf(int(o.reg))+int(o.sub)+n <= g.grfEnd()
	}
	return f, fits(&in.dst, f.writes) && (in.src[0].isNull() || fits(&in.src[0], f.adds)) && fits(a, f.own) &&
		fits(b, f.rightRegs*g.regBytes) && b.sub == 0 && (f.own == f.leftBytes || a.sub == 0)
}

// results reports whether sums of products of a type can have an operand's.
func (f *dpasForm) results(o *operand, of Type) bool {
	switch {
	case o.isNull():
		return true
	case f.float:
		return o.typ == F || o.typ == of && of != TF32
	}
	return o.typ == D || o.typ == UD
}

// runDpasw executes dpasw, at which a thread may wait for the other one of its pair.
func runDpasw(c *Core, in *Inst) {
	if runDpas(c, in); c.stop.Kind == simt.NoEvent {
		c.goOn(in)
	}
}

// runDpas executes dpas. All is read before anything is written.
func runDpas(c *Core, in *Inst) {
	f, ok := in.dpasForm()
	if !ok {
		unknown(c, in)
		return
	}
	mask := c.channels(in)
	if mask == 0 {
		return
	}
	left := c.r.file[in.gen.grf(int(in.src[2].reg))+int(in.src[2].sub):]
	if f.own != f.leftBytes {
		if left = c.together(in, left[:f.own]); left == nil {
			return
		}
	}
	c.lanes += uint64(bits.OnesCount32(mask))
	var out [8][maxChannels]uint64
	for r := range int(in.repeat) {
		for n := range f.columns {
			out[r][n] = c.dpasElement(in, &f, left, r, n)
		}
	}
	for r := range int(in.repeat) {
		for n := range f.columns {
			if mask>>n&1 != 0 {
				writeBits(c.r.file[in.gen.grf(int(in.dst.reg))+int(in.dst.sub)+(r*f.columns+n)*f.out:], f.out,
					out[r][n])
			}
		}
	}
}

// together is src2 of dpasw: threads go in pairs, of which each has a half of it, the even one the first
// (vISA, "DPASW"). own is this thread's. The first of a pair that comes waits before the instruction for the
// other, which leaves it its half. nil says that the thread waits, or has faulted.
func (c *Core) together(in *Inst, own []byte) []byte {
	r, at := c.r, c.w.Index^1
	theirs := r.lent
	if theirs == nil {
		if at >= len(c.w.Group.Waves) {
			c.pairFault(in, "there is no other thread in its pair")
			return nil
		}
		other := c.w.Group.Waves[at]
		o := regsOf(other)
		if !o.paired || other.PC != in.PC {
			if other.State == simt.Ended || r.paired && (o.paired || other.State == simt.AtBarrier) {
				c.pairFault(in, "the other thread of its pair does not come")
				return nil
			}
			r.paired = true
			c.w.PC, c.w.State = in.PC, simt.AtBarrier
			c.stop.Kind, c.stop.Lanes = simt.BarrierEvent, c.w.Exec
			return nil
		}
		from := in.gen.grf(int(in.src[2].reg))
		theirs = o.file[from:][:len(own)]
		o.lent, o.paired = slices.Clone(own), false
		other.State = simt.Ready
	}
	r.lent, r.paired = nil, false
	if c.w.Index&1 == 0 {
		return slices.Concat(own, theirs)
	}
	return slices.Concat(theirs, own)
}

func (c *Core) pairFault(in *Inst, why string) {
	c.r.paired = false
	c.fault(simt.Fault{Kind: simt.IllegalInstruction, Lanes: c.w.Exec, Addr: in.PC,
		Text: in.trimmed() + ": " + why})
}

// dpasElement computes an element of the result. Of floats the sum is exact, or rounded to a double's
// precision, and rounded once.
func (c *Core) dpasElement(in *Inst, f *dpasForm, left []byte, row, column int) uint64 {
	a, b, g := &in.src[2], &in.src[1], in.gen
	sum, number := int64(0), 0.0
	if in.src[0].place == inGRF {
		at := c.r.file[g.grf(int(in.src[0].reg))+int(in.src[0].sub)+(row*f.columns+column)*f.in:]
		if f.float {
			number = readFloat(at, in.src[0].typ)
		} else {
			sum = readInt(at, in.src[0].typ)
		}
	}
	right := g.grf(int(b.reg)) + 4*column
	for d := range int(in.depth) {
		y := c.r.u32(right + d/f.perDword*g.regBytes)
		for i := range f.ops {
			at := ((row*int(in.depth)+d)*f.ops + i) * f.left
			x, n := binary.LittleEndian.Uint32(left[at/32*4:])>>(at%32), d%f.perDword*f.ops+i
			if f.float {
				number += floatOfBits(x, a.typ) * floatOfBits(y>>(n*f.right), b.typ)
			} else {
				sum += intOfBits(x, f.left, a.typ) * intOfBits(y>>(n*f.right), f.right, b.typ)
			}
		}
	}
	switch {
	case f.float:
		return fromFloat(number, in.dst.typ, nearest)
	case in.saturate:
		return uint64(clampInt(sum, in.dst.typ, false))
	}
	return uint64(sum)
}

func floatFromBits(v uint32) float64 { return float64(floatOf(int64(v))) }

// intOfBits is the integer of some bits.
func intOfBits(v uint32, width int, t Type) int64 {
	v <<= 32 - width
	if types[t].signed {
		return int64(int32(v) >> (32 - width))
	}
	return int64(v >> (32 - width))
}

// floatOfBits is the float that the low bits of a dword are.
func floatOfBits(v uint32, t Type) float64 {
	switch t {
	case BF:
		return floatFromBits(v << 16)
	case TF32:
		return floatFromBits(v &^ (1<<13 - 1))
	}
	return halfToFloat(uint16(v))
}
