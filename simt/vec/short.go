package vec

// ShortArgs are the operands of an operation on the beginning of rows, or of Wides: as many vectors of 64
// bytes as Vectors says, of which Mask has a bit for each number. Other bytes of the destination are not
// touched. It reads a vector of all sources before it writes that vector.
type ShortArgs struct {
	D, A, B, C *Row

	Vectors int
	Mask    uint32
	Full    bool // Mask has all numbers of the vectors
	Out     uint32
}

// A ShortFunc runs an operation on the beginning of rows.
type ShortFunc func(x *ShortArgs)

// Short is what runs the operation on the beginning of rows, or nil: only the path for AVX-512 has some. Of
// arithmetic that gives a NaN, it gives the processor's.
func (op Op) Short() ShortFunc {
	if current != AVX512 {
		return nil
	}
	return shortOps[op]
}

// Short is what runs the operation on the beginning of Wides, or nil. Of arithmetic that gives a NaN, it
// gives the processor's.
func (op WideOp) Short() ShortFunc {
	if current != AVX512 {
		return nil
	}
	return shortWideOps[op]
}
