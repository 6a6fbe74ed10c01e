package native

// Octets makes code for AVX2 of what that has no instruction for, in vectors of 256 bits. It uses the vector
// registers Tmp and keeps operands.
type Octets struct {
	*Assembler
	*Pool
	Tmp [3]Z
}

// Conditions of CmpPS and CmpPD.
const (
	CmpUnordered = 3
	CmpInverse   = 4 // inverts others
	CmpOrdered   = 7
	CmpAtLeast   = 29
)

// Floats of 32 bits.
const (
	twoTo16 = 0x47800000
	twoTo31 = 0x4f000000
	twoTo32 = 0x4f800000
)

// EachD makes a dword that of all elements, EachQ a qword.
func (o *Octets) EachD(z Z, v uint64) { o.V256(BroadcastD, z, 0, InMem(o.Dword(v))) }

// EachQ is EachD of a qword.
func (o *Octets) EachQ(z Z, v uint64) { o.V256(ins(2, 1, 0, 0x59), z, 0, InMem(o.Qword(v))) }

// Blend makes d a, but where a mask of dwords is set b.
func (o *Octets) Blend(d, a, b, mask Z) { o.V256(BlendVPS, d, a, InReg(b), byte(mask)<<4) }

// MulQ makes the lower half of a product of 64 bits.
func (o *Octets) MulQ(d, a, b Z) {
	x, y := o.Tmp[0], o.Tmp[1]
	o.V256(ShiftQ, ShiftRight, x, InReg(a), 32)
	o.V256(MulUDQ, x, x, InReg(b))
	o.V256(ShiftQ, ShiftRight, y, InReg(b), 32)
	o.V256(MulUDQ, y, y, InReg(a))
	o.V256(AddQ, x, x, InReg(y))
	o.V256(ShiftQ, ShiftLeft, x, InReg(x), 32)
	o.V256(MulUDQ, d, a, InReg(b))
	o.V256(AddQ, d, d, InReg(x))
}

// SarQ shifts 64 bits to the right with their sign: what comes in besides it is taken off again.
func (o *Octets) SarQ(d, a, n Z) {
	x, y, sign := o.Tmp[0], o.Tmp[1], o.Tmp[2]
	o.V256(ShiftQ, ShiftRight, x, InReg(n), 6)
	o.V256(Xor, y, y, InReg(y))
	o.V256(CmpEqQ, x, x, InReg(y))
	o.EachQ(y, 63)
	o.V256(BlendVPD, y, y, InReg(n), byte(x)<<4)
	o.EachQ(sign, 1<<63)
	o.V256(SRLVQ, sign, sign, InReg(y))
	o.V256(SRLVQ, d, a, InReg(y))
	o.V256(Xor, d, d, InReg(sign))
	o.V256(SubQ, d, d, InReg(sign))
}

// Above makes a mask of where a is greater than b, numbers of some bytes without signs. d may be the first
// register of Tmp.
func (o *Octets) Above(d, a, b Z, bytes uint8) {
	x, y, in := o.Tmp[1], o.Tmp[2], CmpGtD
	if bytes == 8 {
		in = CmpGtQ
		o.EachQ(y, 1<<63)
	} else {
		o.EachD(y, 1<<31)
	}
	o.V256(Xor, x, a, InReg(y))
	o.V256(Xor, y, b, InReg(y))
	o.V256(in, d, x, InReg(y))
}

// TruncPS makes a signed number of a float: the nearest that there is, 0 of a NaN.
func (o *Octets) TruncPS(d, a Z) {
	x, y, most := o.Tmp[0], o.Tmp[1], o.Tmp[2]
	o.V256(CvtTPS2DQ, d, 0, InReg(a))
	o.EachD(x, twoTo31)
	o.V256(CmpPS, y, a, InReg(x), CmpAtLeast)
	o.EachD(most, 1<<31-1)
	o.Blend(d, d, most, y)
	o.V256(CmpPS, y, a, InReg(a), CmpOrdered)
	o.V256(And, d, d, InReg(y))
}

// TruncUPS is TruncPS to a number without a sign: from 2 to the 31st on it converts without that.
func (o *Octets) TruncUPS(d, a Z) {
	x, y, high := o.Tmp[0], o.Tmp[1], o.Tmp[2]
	o.V256(CvtTPS2DQ, d, 0, InReg(a))
	o.EachD(x, twoTo31)
	o.V256(CmpPS, y, a, InReg(x), CmpAtLeast)
	o.V256(SubPS, high, a, InReg(x))
	o.V256(CvtTPS2DQ, high, 0, InReg(high))
	o.EachD(x, 1<<31)
	o.V256(Xor, high, high, InReg(x))
	o.Blend(d, d, high, y)
	o.EachD(x, twoTo32)
	o.V256(CmpPS, y, a, InReg(x), CmpAtLeast)
	o.V256(Or, d, d, InReg(y))
	o.V256(Xor, x, x, InReg(x))
	o.V256(CmpPS, y, a, InReg(x), CmpAtLeast)
	o.V256(And, d, d, InReg(y))
}

// CvtUDQ makes a float of halves of a number without a sign, of which the sum alone is rounded.
func (o *Octets) CvtUDQ(d, a Z) {
	low, high, x := o.Tmp[0], o.Tmp[1], o.Tmp[2]
	o.EachD(low, 1<<16-1)
	o.V256(And, low, low, InReg(a))
	o.V256(CvtDQ2PS, low, 0, InReg(low))
	o.V256(ShiftD, ShiftRight, high, InReg(a), 16)
	o.V256(CvtDQ2PS, high, 0, InReg(high))
	o.EachD(x, twoTo16)
	o.V256(MulPS, high, high, InReg(x))
	o.V256(AddPS, d, high, InReg(low))
}
