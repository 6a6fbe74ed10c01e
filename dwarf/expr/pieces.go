package expr

// A WrittenPiece is a part of an object as an expression writes it.
type WrittenPiece struct {
	Bits      uint64
	Undefined bool // nothing says where the part is
}

// WrittenPieces gives the parts that an expression makes an object of, by DW_OP_piece and DW_OP_bit_piece,
// without evaluating it. There are none if it is in one piece, or if which there are depends on more than
// its bytes.
func WrittenPieces(code []byte, enc *Encoding, f Format) []WrittenPiece {
	list, err := Instructions(code, enc, f)
	if err != nil {
		return nil
	}
	var pieces []WrittenPiece
	described := false
	for i := range list {
		switch in := &list[i]; in.info.code {
		case OpBra, OpSkip, OpCall2, OpCall4, OpCallRef, userCode | llvmPieceEnd:
			return nil
		case OpPiece:
			if in.args[0] > maxCompositeBits/8 {
				return nil
			}
			pieces, described = append(pieces, WrittenPiece{8 * in.args[0], !described}), false
		case OpBitPiece:
			pieces, described = append(pieces, WrittenPiece{in.args[0], !described}), false
		default:
			described = true
		}
	}
	if described {
		return nil
	}
	return pieces
}

// llvmPieceEnd is the number of DW_OP_LLVM_piece_end.
const llvmPieceEnd = 0x0a
