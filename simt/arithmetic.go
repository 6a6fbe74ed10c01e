package simt

// An Arithmetic is how many operations on numbers an instruction does: each addition, multiplication,
// comparison of minima, shift or logical operation is one, a product with a sum two. Moves, conversions,
// comparisons that set flags and what finds addresses by itself are none.
type Arithmetic struct {
	Floats, Integers int
	Wave             bool // for the wave as a whole; else for each lane that executes
}

// An Arithmetician is an ISA that says how much arithmetic an instruction does, which lies at pc.
type Arithmetician interface {
	Arithmetic(code []byte, pc uint64) Arithmetic
}
