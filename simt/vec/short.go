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

// shortFuncs are what a path has for the beginning of rows; shorts has those of each path.
type shortFuncs struct {
	ops  map[Op]ShortFunc
	wide map[WideOp]ShortFunc
}

// Short is what runs the operation on the beginning of rows, or nil: only paths of assembly have some. Of
// arithmetic that gives a NaN, it gives the processor's.
func (op Op) Short() ShortFunc { return shorts[current].ops[op] }

// Short is what runs the operation on the beginning of Wides, or nil. Of arithmetic that gives a NaN, it
// gives the processor's.
func (op WideOp) Short() ShortFunc { return shorts[current].wide[op] }
