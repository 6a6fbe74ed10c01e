package gcn

import (
	"reflect"

	"simtgdb/simt"
	"simtgdb/simt/vec"
)

// Enc is an instruction encoding of the ISA documents.
type Enc uint8

// The encodings of gfx9.
const (
	SOP2 Enc = iota
	SOPK
	SOP1
	SOPC
	SOPP
	SMEM
	VOP2
	VOP1
	VOPC
	VOP3
	VOP3P
	VINTRP
	DS
	FLAT    // flat_*
	SCRATCH // scratch_*: FLAT with SEG 1
	GLOBAL  // global_*: FLAT with SEG 2
	MUBUF
	MTBUF
	MIMG
	EXP
	vopd    // two instructions of VOP1 and VOP2 at once (gfx11)
	VSAMPLE // image instructions with a sampler (gfx12)
	VINTERP // interpolation (gfx11)
	LDSDIR  // what pixel shaders get through LDS (gfx11)
	encCount
)

var encNames = [encCount]string{"SOP2", "SOPK", "SOP1", "SOPC", "SOPP", "SMEM", "VOP2", "VOP1", "VOPC",
	"VOP3", "VOP3P", "VINTRP", "DS", "FLAT", "SCRATCH", "GLOBAL", "MUBUF", "MTBUF", "MIMG", "EXP", "VOPD",
	"VSAMPLE", "VINTERP", "LDSDIR"}

func (e Enc) String() string { return encNames[e] }

func (e Enc) isVectorALU() bool { return e >= VOP2 && e <= VOP3P }

// typ is the type of an operand: how many dwords it has and how a constant
// for it is made and printed.
type typ uint8

const (
	none typ = iota
	b32
	i32
	u32
	f32
	b16
	i16
	u16
	x16 // an integer whose inline constants are those of floats (the exponent of v_ldexp_f16)
	f16
	bf16
	b64
	i64
	u64
	f64
	b96
	b128
	b192
	b256
	b384
	b512
	b1024
	v2f16 // two packed in a dword
	v2bf16
	v2i16
	v2u16
	v2b16
	v2f32 // two packed in a register pair
	v2b32
	mixed  // a float of 32 bits or, as OP_SEL_HI says, of 16 (v_fma_mix)
	mixedB // the same with bfloat16
	mask   // a lane mask in an SGPR pair: carry, condition
	mask32 // the same of an operand of a wave of 32 lanes: one SGPR (gfx10 and on)
	sdst32 // a scalar register although the encoding says vector (v_readlane)
	ssrc32 // a source that must be scalar (the lane of v_readlane)
	ssrc64
	typCount
)

// typDwords is how many dwords an operand of the type has.
var typDwords = [typCount]int{none: 0, b32: 1, i32: 1, u32: 1, f32: 1, b16: 1, i16: 1, u16: 1, x16: 1,
	f16: 1, bf16: 1, b64: 2, i64: 2, u64: 2, f64: 2, b96: 3, b128: 4, b192: 6, b256: 8, b384: 12, b512: 16,
	b1024: 32, v2f16: 1, v2bf16: 1, v2i16: 1, v2u16: 1, v2b16: 1, v2f32: 2, v2b32: 2, mixed: 1, mixedB: 1,
	mask: 2, mask32: 1, sdst32: 1, ssrc32: 1, ssrc64: 2}

// isFloat reports whether neg and abs apply to a source of the type.
func (t typ) isFloat() bool {
	switch t {
	case f16, bf16, f32, f64, v2f16, v2bf16, v2f32, mixed, mixedB:
		return true
	}
	return false
}

// flags are what an instruction does beyond its operands.
type flags uint64

const (
	readsVCC   flags = 1 << iota // reads VCC without naming it
	writesVCC                    // a lane mask destination: VCC, or sdst in VOP3
	readsDst                     // the destination is also the last source (v_mac_f32)
	writesExec                   // besides its destination (v_cmpx, s_and_saveexec)
	ends                         // ends a basic block, though control flows on
	noVOP3                       // has no VOP3 form
	noSDWA
	noDPP
	whole        // if its source is a constant, EXEC is set to reach lanes of registers
	byteSel      // with opSel: its upper two bits select a byte of the destination
	opSel        // VOP3: heeds OP_SEL, and a 16-bit result replaces one half of the destination
	keeps        // a 16-bit result leaves the high half of the destination alone
	high         // with keeps: the result is the high half, and the low one is left alone
	clamps       // VOP3: takes CLAMP although its result is no float
	scales       // VOP3: takes OMOD although its result is no float
	bare         // VOP3: takes neither although its result is a float
	immFirst     // its immediate is written before its operands
	literal32    // its source is a literal that follows it
	gdsOnly      // there is no form for LDS
	swizzles     // its offset says how lanes are permuted
	literal1     // VOP2: source 1 is a literal that follows (v_madmk)
	literal2     // VOP2: source 2 is (v_madak)
	matrix       // VOP3P-MAI: the fields of VOP3P that matrix instructions have
	accDst       // the destination is always an accumulation register
	fixedDst     // SDWA: the destination has no selector
	doubles      // with matrix: works on 64-bit floats
	vectorOnly   // the source must be a vector register
	accSrc       // the source is always an accumulation register
	truthTable   // VOP3: OMOD, ABS and NEG are a table of eight bits
	fetches      // with opSel: its lower two bits are FI and BOUND_CTRL
	prefetches   // SMEM: has an immediate for the destination, and no result
	controls     // GLOBAL: of caches, without operands
	byLane       // GLOBAL: has no vector address
	alone        // with byLane: has no address at all
	saves        // GLOBAL: stores what no register has
	toLDS        // GLOBAL: the data goes to LDS
	blocks       // GLOBAL and SCRATCH: up to 32 registers, those that M0 says
	ordered      // GLOBAL: an atomic operation that is not executed
	signless     // VOP3P: the bits of signs do not count
	selectsScale // VOP3: OP_SEL selects a scale
	readsByte    // VOP3: OP_SEL selects a byte of the source
	unmarked     // VOP1: its name has no suffix for the encoding
	attribute    // VOP3: its first source is an attribute of a pixel shader's inputs
	setsHigh     // sets the upper bits of registers' numbers
	spills       // moves registers to others, as compilers do with lane masks that have no place
	slow         // is done by the unit for functions that are not algebraic, and roots
	dots         // adds products of parts of its sources
	permutes     // gives lanes what lanes of other rows have
	swaps        // exchanges parts of its source and its destination
	readsM0      // without naming it
)

// An Op is one row of the table: everything there is to know about one
// instruction. VOP1, VOP2 and VOPC rows are also found under VOP3.
type Op struct {
	Enc  Enc
	Code uint16
	Name string // LLVM's, without the suffix for the encoding

	title  string // LLVM's name on a later processor, if it is another one
	halves bool   // its 16-bit operands are halves of registers

	dst  typ
	src  [4]typ
	flag flags
	flow simt.Flow
	on   Target // the processors that have it; 0 means all

	// order tells observers what the instruction orders; it is executed in the
	// place of run, which does nothing, if there are some.
	order func(c *Core, in *Inst)
	over  waitsOver // of a wait

	// value says what of the result has contents where not all operands have,
	// mask the same of the bits of masks; see contents.go.
	value valueKind
	mask  func(ua, a, ub, b uint64) uint64

	// Semantics: run for an instruction that does everything itself, vec for
	// a vector instruction whose operands the core fetches and whose results
	// it stores under EXEC. Both nil: known, not executed.
	// sat is vec with CLAMP, for rows whose integer results saturate.
	// mem is what a vector memory instruction does in each lane.
	run func(*Core, *Inst)
	vec func(*lanes)
	mem *access
	sat func(*lanes)

	// fast is the operation of package vec that does the same, and native how an instruction becomes
	// translated code that is no such operation, or not as translated code wants it.
	fast   fastRow
	native form

	// product is what its hazards depend on of a product of matrices up to gfx9.
	product matrixProduct

	// wave is a product of matrices that are spread over the lanes of a wave (gfx11 and later).
	wave *waveMatrix

	// block is a product of matrices of which blocks can have scales (gfx1250).
	block *blockMatrix

	// copies says that an access copies between memory and LDS, and goes on before it is done.
	copies copyKind

	// typed is a buffer access that converts between numbers and a format.
	typed *typedAccess

	// image says what operands an image instruction has.
	image *imageShape

	// imm writes the 16-bit immediate of scalar instructions that have one.
	imm func(uint16, Target) string
}

// ends reports whether the instruction ends a basic block: it sets the wave's PC.
func (op *Op) ends() bool { return op.flow != simt.FlowNext || op.flag&ends != 0 }

// idles reports whether the instruction does nothing.
func (op *Op) idles() bool {
	return op.run != nil && reflect.ValueOf(op.run).Pointer() == reflect.ValueOf(noop).Pointer()
}

// srcCount is how many sources the row has.
func (op *Op) srcCount() int {
	n := 0
	for n < len(op.src) && op.src[n] != none {
		n++
	}
	return n
}

// srcs writes a row's source types.
func srcs(t ...typ) (s [4]typ) {
	copy(s[:], t)
	return s
}

// lanes are the operands of one vector instruction while it executes. A
// semantic function loops over all lanes of the vectors and knows nothing of
// EXEC, modifiers, SDWA or DPP: inactive lanes are computed and dropped. It
// must read every source of a lane before it writes a destination of that
// lane, since they may be the same registers.
type lanes struct {
	d, d1 *Vector // destination: low and high dword

	// The sources, low and high dwords. b1 and the like are nil for 32-bit
	// operands.
	a, a1, b, b1, c, c1 *Vector

	in   uint64 // the lane mask source, or VCC for readsVCC
	out  uint64 // the lane mask destination, for writesVCC and VOPC
	mode uint32 // MODE
	inst *Inst

	half Vector   // of a result on its way to d
	args vec.Args // the same for package vec
}
