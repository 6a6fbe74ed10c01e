package gcn

import "testing"

// laterRowWords is rowWords from gfx10 on.
func laterRowWords(op *Op) []uint32 {
	words := rowWords(op)
	switch {
	case op.Enc == VOP3:
		words[0] = words[0]&^0xfc00_0000 | 0xd400_0000
	case op.Enc == VOP3P:
		words[0] = words[0]&^0xff80_0000 | 0xcc00_0000 | uint32(op.Code)<<16
	case op.literalSource() >= 0 && typDwords[op.dst] == 2:
		words = append(words, rowLiteral)
	}
	return words
}

// newLaterRun is a vectorRun of a processor of gfx10 or later: of 64 lanes where it has such waves.
func newLaterRun(t *testing.T, processor string) *vectorRun {
	r := newVectorRun(t, processor)
	r.isa.Kernel.WaveSize = 64
	if r.isa.Target == GFX1250 {
		r.isa.Kernel.WaveSize = 32
		r.w.Size, r.w.Valid = 32, 1<<32-1
		r.regs.wide = 1<<32 - 1
		setExec(r.w, r.w.Valid)
	}
	return r
}
