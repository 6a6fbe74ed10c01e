package gcn

import "simtgdb/simt"

// Entries of simt.Wave.S. Up to 127 they are the scalar registers under the
// numbers that instructions use; hidden state lies above, at numbers that no
// instruction can name as a register.
const (
	regFlatScratch = 102 // pair
	regXnackMask   = 104 // pair
	regVCC         = 106 // pair
	regTTMP        = 108 // 16 of them
	regM0          = 124
	regExec        = 126 // pair; always equal to simt.Wave.Exec
	regMode        = 209 // the MODE hardware register
	regTrapSts     = 210
	regSCC         = 253 // the number that reads SCC as an operand
)

// Numbers of source operands that are not registers.
const (
	srcInlineInt     = 128 // 128 is 0, 129..192 are 1..64, 193..208 are -1..-16
	srcSharedBase    = 235
	srcSharedLimit   = 236
	srcPrivateBase   = 237
	srcPrivateLimit  = 238
	srcPopsExitingID = 239
	srcInlineFloat   = 240 // 0.5 -0.5 1 -1 2 -2 4 -4 1/(2*pi)
	srcSDWA          = 249
	srcDPP           = 250
	srcVCCZ          = 251
	srcEXECZ         = 252
	srcSCC           = 253
	srcLDSDirect     = 254
	srcLiteral       = 255
	srcVGPR          = 256
)

// The flat apertures: addresses from these bases on lead to LDS and to the
// lane's private memory. Each is 4 GiB.
const (
	SharedBase  = 1 << 48
	PrivateBase = 2 << 48
	apertureLen = 1 << 32
)

// The fields of MODE.
const (
	modeRound32   = 0x3 << 0
	modeRound64   = 0x3 << 2
	modeDenorm32  = 0x3 << 4 // bit 0: inputs kept, bit 1: outputs kept
	modeDenorm64  = 0x3 << 6
	modeDX10Clamp = 1 << 8
	modeIEEE      = 1 << 9
	modeOverflow  = 1 << 23 // FP16_OVFL: saturate instead of giving an infinity
)

func pair(w *simt.Wave, r uint8) uint64 {
	return uint64(w.S[r]) | uint64(w.S[r+1])<<32
}

func setPair(w *simt.Wave, r uint8, v uint64) {
	w.S[r], w.S[r+1] = uint32(v), uint32(v>>32)
}

func setSCC(w *simt.Wave, v bool) {
	w.S[regSCC] = 0
	if v {
		w.S[regSCC] = 1
	}
}

func setExec(w *simt.Wave, v uint64) {
	w.Exec = v
	setPair(w, regExec, v)
}
