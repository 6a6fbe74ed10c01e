package gcn

import (
	"sync"

	"simtgdb/simt"
	"simtgdb/simt/gcn/hazards"
)

// Entries of Regs.S. Up to 127 they are the scalar registers under the
// numbers that instructions use; hidden state lies above, at numbers that no
// instruction can name as a register.
const (
	regFlatScratch = 102 // pair
	regXnackMask   = 104 // pair
	regVCC         = 106 // pair
	regTTMP        = 108 // 16 of them
	regM0          = 124
	regExec        = 126 // pair; see exec.go
	regMode        = 209 // the MODE hardware register
	regTrapSts     = 210
	regTrapCtrl    = 211 // HW_REG_WAVE_TRAP_CTRL (gfx12)
	regNull        = 216 // null: 16 that nobody reads (gfx10 and on)
	regFlatLo      = 232 // HW_REG_FLAT_SCR_LO and _HI, from gfx10 on
	regSCC         = 253 // the number that reads SCC as an operand
)

// Numbers of source operands that are not registers.
const (
	srcInlineInt     = 128 // 128 is 0, 129..192 are 1..64, 193..208 are -1..-16
	srcScratchBase   = 230 // and the number after it, from gfx12 on: where the wave's private memory is
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
	srcWideLiteral   = 0xffff // of 64 bits (gfx1250); 254 in the encoding
	srcVGPR          = 256
)

// The flat apertures: addresses from these bases on lead to LDS and to the
// lane's private memory. Each is 4 GiB.
const (
	SharedBase   = 1 << 48
	PrivateBase  = 2 << 48
	ApertureSize = 1 << 32
)

// The fields of MODE (MI200 ISA, table "MODE register fields").
const (
	ModeRound32   = 0x3 << 0
	ModeRound64   = 0x3 << 2
	ModeDenorm32  = 0x3 << 4 // bit 0: inputs kept, bit 1: outputs kept
	ModeDenorm64  = 0x3 << 6
	ModeDX10Clamp = 1 << 8
	ModeIEEE      = 1 << 9
	ModeExcp      = exceptions << ModeExcpShift // EXCP_EN: exceptions of arithmetic that trap; up to gfx11
	ModeExcpShift = 12
	exceptions    = 0x7f
	ModeOverflow  = 1 << 23 // FP16_OVFL: saturate instead of giving an infinity
)

// A Vector is one vector register: a 32-bit value for each lane.
type Vector [simt.MaxLanes]uint32

// vectorFile is how many vector registers instructions can name at most. Where
// there are accumulation registers they lie from accBase on, behind the
// ordinary ones; gfx1250 has ordinary ones there.
const (
	vectorFile = 1024
	accBase    = 256
)

// Regs are the registers of a wave. They implement simt.WaveState.
type Regs struct {
	// S is the scalar file. Its size lets a byte index it without a check.
	S [256]uint32
	// V are the vector registers from the first on: as many as the kernel
	// allocates, or all up to the last that code which has run names. Those
	// after them are 0.
	V []Vector

	// vectors and accs are how many ordinary and accumulation registers the
	// kernel allocates, scalars how many scalar ones.
	vectors, accs, scalars int
	later                  bool // the processor is gfx10 or later
	given                  int  // scalar registers that the wave began with

	scratchBase uint64 // the global address of the wave's private memory

	// wide are the lanes that a wave has, a mask: of a pair that holds a bit for
	// each lane, those of 32 lanes use the first.
	wide uint64

	barrier splitBarrier
	named   [namedBarriers]namedBarrier // of the workgroup, in its first wave

	pending uint8 // accesses to global memory that have not been waited for; kept for who looks for races

	gws uint32 // what the wave waits for at an instruction of global wave sync: a phase and 1, or 0

	lanes   laneRecord
	jump    jumped
	calls   callStack  // while nobody records them
	shadows [2]*shadow // of call records; nil before there are any
	follow  *follow    // nil while nobody wants it
	// spareFollow is that of a wave that has ended.
	spareFollow *follow
	hazards     hazards.State
}

// hold makes V hold the first n registers.
func (r *Regs) hold(n int) {
	old := len(r.V)
	if n <= old {
		return
	}
	if n <= cap(r.V) {
		r.V = r.V[:n]
		clear(r.V[old:])
		return
	}
	grown := make([]Vector, n)
	copy(grown, r.V)
	r.V = grown
}

// spareVectors are the vector registers of waves that have ended: *[]Vector.
var spareVectors sync.Pool

// Release gives the vector registers of a wave that has ended to others; they
// read as 0 then.
func (r *Regs) Release() {
	r.followed()
	if v := r.V[:0]; cap(v) > 0 {
		spareVectors.Put(&v)
		r.V = nil
	}
}

// followed notes how many vector registers there have been to follow.
func (r *Regs) followed() {
	if r.follow != nil {
		r.follow.held = max(len(r.V), r.follow.held)
	}
}

// vector is a register, or nil for one that is 0 since V does not hold it.
func (r *Regs) vector(i int) *Vector {
	if i < len(r.V) {
		return &r.V[i]
	}
	return nil
}

// jumped is the last jump of a wave to where a register said.
type jumped struct{ from, to uint64 }

// regsOf are the registers of a wave of this package.
func regsOf(w *simt.Wave) *Regs { return w.Regs.(*Regs) }

func pair(r *Regs, reg uint8) uint64 {
	return uint64(r.S[reg]) | uint64(r.S[reg+1])<<32
}

func setPair(r *Regs, reg uint8, v uint64) {
	r.S[reg], r.S[reg+1] = uint32(v), uint32(v>>32)
}

func setSCC(r *Regs, v bool) {
	r.S[regSCC] = 0
	if v {
		r.S[regSCC] = 1
	}
}
