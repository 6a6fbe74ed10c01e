package expr

import "slices"

// A WrittenPiece is a part of an object as an expression writes it.
type WrittenPiece struct {
	Bits      uint64
	Undefined bool // nothing says where the part is
}

// WrittenPieces gives the parts that an expression makes an object of, by DW_OP_piece and DW_OP_bit_piece,
// without evaluating it. There are none if it is in one piece, or if which there are depends on more than
// its bytes: all ways through its branches must come to the same.
func WrittenPieces(code []byte, enc *Encoding, f Format) []WrittenPiece {
	list, err := Instructions(code, enc, f)
	if err != nil {
		return nil
	}
	w := pieceWalk{list: list, end: len(code), left: maxPieceWays}
	pieces, ok := w.from(0, nil, false)
	if !ok {
		return nil
	}
	return pieces
}

// maxPieceWays bounds the ways through an expression that are looked at.
const maxPieceWays = 16

// A pieceWalk goes through an expression without evaluating it.
type pieceWalk struct {
	list []Instr
	end  int // offset behind the last operation
	left int // ways that may still be taken
}

// from gives the pieces by the end, from the operation at an index on; described says that something since
// the last piece tells where the next one is.
func (w *pieceWalk) from(i int, pieces []WrittenPiece, described bool) ([]WrittenPiece, bool) {
	for i < len(w.list) {
		in := &w.list[i]
		i++
		switch in.info.code {
		case OpCall2, OpCall4, OpCallRef, userCode | llvmPieceEnd:
			return nil, false
		case OpBra, OpSkip:
			to, ok := w.target(in)
			if !ok {
				return nil, false
			}
			if in.info.code == OpSkip {
				i = to
				continue
			}
			a, okA := w.from(to, slices.Clone(pieces), described)
			b, okB := w.from(i, pieces, described)
			return a, okA && okB && slices.Equal(a, b)
		case OpPiece:
			if in.args[0] > maxCompositeBits/8 {
				return nil, false
			}
			pieces, described = append(pieces, WrittenPiece{8 * in.args[0], !described}), false
		case OpBitPiece:
			pieces, described = append(pieces, WrittenPiece{in.args[0], !described}), false
		default:
			described = true
		}
	}
	return pieces, !described
}

// target is the index of the operation that a branch leads to, which must be behind it.
func (w *pieceWalk) target(in *Instr) (int, bool) {
	w.left--
	to := in.Next + int(int64(in.args[0]))
	if w.left < 0 || to < in.Next || to > w.end {
		return 0, false
	}
	if to == w.end {
		return len(w.list), true
	}
	i, ok := slices.BinarySearchFunc(w.list, to, func(in Instr, at int) int { return in.Offset - at })
	return i, ok
}

// llvmPieceEnd is the number of DW_OP_LLVM_piece_end.
const llvmPieceEnd = 0x0a
