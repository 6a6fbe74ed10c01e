package vec

import "unsafe"

// A Wide is a number of up to 64 bits for each of 32 lanes. One of 32 bits has zeros above.
type Wide = [32]uint64

// WideArgs are the operands of an operation on Wides. It reads all sources of a lane before it writes that
// lane: they may be the same.
type WideArgs struct {
	D, A, B, C *Wide

	Mask uint32 // the lanes that are written
	In   uint32 // a mask source
	Out  uint32 // a mask result, of the lanes of Mask

	// NaN is what a result of the operation's arithmetic on floats is if it is no number.
	NaN uint64

	spare Wide // results on their way to D
	row   Args // of an operation on rows
}

// A WideFunc runs an operation on Wides.
type WideFunc func(x *WideArgs)

// A WideOp is an operation on Wides.
type WideOp uint8

// The operations on Wides. Those named 32 take and give numbers of 32 bits, others of 64 bits. Floats are
// IEEE 754's, rounded to nearest even, with denormals.
const (
	WideNone WideOp = iota

	WideAdd // A + B
	WideSub // A - B
	WideMul // the low half of A * B
	WideMad // the low half of A * B, plus C
	WideAnd
	WideOr
	WideXor
	WideShl  // A << B, B of 32 bits: 0 for B of 64 and more
	WideShr  // A >> B
	WideSar  // int64(A) >> B
	WideMinU // also of unsigned numbers of fewer bits, as MaxU, EqU and LtU are
	WideMaxU

	WideAdd32
	WideSub32
	WideMul32
	WideMad32
	WideShl32
	WideShr32
	WideSar32
	WideMinI32
	WideMaxI32
	WideMulHiU32 // the high half of the product of unsigned numbers
	WideMulHiI32
	WideMulU32 // all of the product of unsigned numbers
	WideMulI32
	WideMadU32 // all of it, plus C of 64 bits
	WideMadI32
	WideSignExtend32 // A, as a signed number of 64 bits

	WideSelect // A where In, else B

	WideAddF32
	WideSubF32
	WideMulF32
	WideDivF32
	WideFmaF32 // A * B + C, rounded once
	WideSqrtF32
	WideF32I // of a signed number of 32 bits
	WideF32U
	WideMinF32 // this and the next are what Op's are
	WideMaxF32
	WideTruncF32
	WideFloorF32
	WideCeilF32
	WideRintF32
	WideIF32
	WideUF32
	WideFlushF32 // A, denormals as zeros of their signs

	// Of 16-bit floats, as Op's are.
	WideF32F16
	WideF16F32
	WideAddF16
	WideMulF16
	WideFmaF16
	WidePkAddF16
	WidePkMulF16
	WidePkFmaF16
	WideOneNaNF16 // A, each half that is a NaN as 0x7fff

	WideAddF64
	WideSubF64
	WideMulF64
	WideDivF64
	WideFmaF64

	WideEqU // Out: A == B, and so on
	WideLtU
	WideLtI64
	WideLtI32
	WideEqF32 // false of NaNs
	WideNeF32 // less or greater: false of NaNs
	WideLtF32
	WideLeF32
	WideOrdF32 // neither is a NaN
	WideEqF64
	WideNeF64
	WideLtF64
	WideLeF64
	WideOrdF64

	wideOpCount
)

var wideNames = [wideOpCount]string{"None", "Add", "Sub", "Mul", "Mad", "And", "Or", "Xor", "Shl",
	"Shr", "Sar", "MinU", "MaxU", "Add32", "Sub32", "Mul32", "Mad32", "Shl32", "Shr32", "Sar32", "MinI32",
	"MaxI32", "MulHiU32", "MulHiI32", "MulU32", "MulI32", "MadU32", "MadI32", "SignExtend32", "Select",
	"AddF32", "SubF32", "MulF32", "DivF32", "FmaF32", "SqrtF32", "F32I", "F32U", "MinF32", "MaxF32",
	"TruncF32", "FloorF32", "CeilF32", "RintF32", "IF32", "UF32", "FlushF32", "F32F16", "F16F32", "AddF16",
	"MulF16", "FmaF16", "PkAddF16", "PkMulF16", "PkFmaF16", "OneNaNF16", "AddF64", "SubF64",
	"MulF64", "DivF64", "FmaF64", "EqU", "LtU", "LtI64", "LtI32", "EqF32", "NeF32", "LtF32", "LeF32",
	"OrdF32", "EqF64", "NeF64", "LtF64", "LeF64", "OrdF64"}

func (op WideOp) String() string { return wideNames[op] }

// wideChosen is what runs each operation, wideMoves what moves Wides.
var (
	wideChosen [wideOpCount]WideFunc
	wideMoves  wideMover
)

// Func is what runs the operation; nil for WideNone.
func (op WideOp) Func() WideFunc { return wideChosen[op] }

// A wideMover moves Wides to and from memory.
type wideMover struct {
	reach                            func(x *wideSpan)
	load32, load64, store32, store64 func(x *wideMove)
	join                             func(d *Wide, lo, hi *byte, mask uint32)
	part                             func(s *Wide, lo, hi *byte, mask uint32)
}

// A WideMover moves Wides to and from memory by addresses. It is made once and used again.
type WideMover struct {
	span wideSpan
	move wideMove
}

// A wideSpan is what Reach works on.
type wideSpan struct {
	d, a        *Wide
	add         uint64
	mask        uint32
	lo, hi, low uint64
}

// Reach gives each lane a + add in d, and for the lanes of a mask, of which there is at least one, the
// least and the greatest of these and all bits that are in any of them.
func (w *WideMover) Reach(d, a *Wide, add uint64, mask uint32) (lo, hi, low uint64) {
	x := &w.span
	x.d, x.a, x.add, x.mask = d, a, add, mask
	wideMoves.reach(x)
	return x.lo, x.hi, x.low
}

// A wideMove is what loads and stores work on: at are addresses, of which first is that of mem.
type wideMove struct {
	row, at *Wide
	mem     *byte
	first   uint64
	mask    uint32
}

// Load fills the lanes of a mask with the numbers of size bytes, 4 or 8, that lie at their addresses in a
// memory that begins at base. They are there: the caller has looked.
func (w *WideMover) Load(d *Wide, mem []byte, at *Wide, base uint64, size int, mask uint32) {
	x := &w.move
	*x = wideMove{d, at, unsafe.SliceData(mem), base, mask}
	if size == 4 {
		wideMoves.load32(x)
		return
	}
	wideMoves.load64(x)
}

// Store is Load's counterpart. Of lanes with one place the highest wins.
func (w *WideMover) Store(s *Wide, mem []byte, at *Wide, base uint64, size int, mask uint32) {
	x := &w.move
	*x = wideMove{s, at, unsafe.SliceData(mem), base, mask}
	if size == 4 {
		wideMoves.store32(x)
		return
	}
	wideMoves.store64(x)
}

// wideRowBytes are those of 32 dwords side by side.
const wideRowBytes = 4 * len(Wide{})

// LoadRow fills the lanes of a mask with the dwords that lie side by side in lo, and above them those in hi
// unless it is nil.
func LoadRow(d *Wide, lo, hi []byte, mask uint32) {
	wideMoves.join(d, rowOf(lo), rowOf(hi), mask)
}

// StoreRow is LoadRow's counterpart.
func StoreRow(s *Wide, lo, hi []byte, mask uint32) {
	wideMoves.part(s, rowOf(lo), rowOf(hi), mask)
}

// rowOf is the first byte of a row of dwords, which all are there; nil if there are none.
func rowOf(p []byte) *byte {
	if p == nil {
		return nil
	}
	return unsafe.SliceData(p[:wideRowBytes])
}
