package native

// Routines are the addresses of what code may call. All of them expect a mask of lanes in R15.
type Routines struct {
	// Offsets makes in the row at RDI the low halves of the sums of R11 and the numbers in the row at RSI,
	// joined with the high halves in the row at RDX if that is not 0, under the mask in RAX; in RAX then the
	// lanes whose sum is greater than RCX.
	Offsets uintptr
	// Side is for lanes that are all active: whether the sums of Offsets, without a mask, lie side by side,
	// each 4 after the one before, and none is greater than RCX: no carry then, and the first one in RAX. It
	// keeps R11, R13, RCX, RDX and RSI.
	Side uintptr
	// Greatest gives in RAX the greatest number of the row at RSI.
	Greatest uintptr
	// Load fills the row at RDI with the dwords at RSI plus the offsets in the row at RCX.
	Load uintptr
	// Store is Load the other way.
	Store uintptr
	// Store8 and Store16 store the low bytes or words of numbers that lie 4 bytes apart from RDI on to RSI
	// plus the offsets in the row at RCX.
	Store8, Store16 uintptr
}
