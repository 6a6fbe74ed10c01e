package gen

// A Type is the type of an operand.
type Type uint8

// The types, in the order of their codes in registers; those after them occur
// as immediates only.
const (
	UD Type = iota
	D
	UW
	W
	UB
	B
	DF
	F
	UQ
	Q
	HF
	UV   // eight unsigned integers of 4 bits
	VF   // four floats of 8 bits
	V    // eight signed integers of 4 bits
	NF   // as the accumulators have floats; nothing computes with it here
	BF   // a float's upper half
	BF8  // a half's upper half
	TF32 // a float of which 19 bits count
	U4   // of dpas only: integers of fewer bits
	S4
	U2
	S2
	noType
)

// A typeInfo is what the machine knows of a type.
type typeInfo struct {
	name   string
	size   int // bytes of an element
	signed bool
	float  bool
}

var types = [...]typeInfo{
	UD: {"ud", 4, false, false}, D: {"d", 4, true, false},
	UW: {"uw", 2, false, false}, W: {"w", 2, true, false},
	UB: {"ub", 1, false, false}, B: {"b", 1, true, false},
	DF: {"df", 8, true, true}, F: {"f", 4, true, true},
	UQ: {"uq", 8, false, false}, Q: {"q", 8, true, false},
	HF: {"hf", 2, true, true},
	UV: {"uv", 2, false, false}, VF: {"vf", 4, true, true}, V: {"v", 2, true, false},
	NF:   {"nf", 4, true, true},
	BF:   {"bf", 2, true, true},
	BF8:  {"bf8", 1, true, true},
	TF32: {"tf32", 4, true, true},
	U4:   {"u4", 1, false, false}, S4: {"s4", 1, true, false}, U2: {"u2", 1, false, false},
	S2:     {"s2", 1, true, false},
	noType: {"?", 4, false, false},
}

func (t Type) String() string { return types[t].name }

// Size is how many bytes an element of the type has in a register.
func (t Type) Size() int { return types[t].size }

// ternaryTypes are the types by their codes in Gen9's instructions of three sources (PRM volume 7,
// "Instruction Encoding", SrcType).
var ternaryTypes = [8]Type{F, D, UD, DF, HF, noType, noType, noType}
