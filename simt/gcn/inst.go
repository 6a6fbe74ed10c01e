package gcn

import (
	"encoding/binary"
	"fmt"
	"math"

	"simtgdb/simt"
)

type operandKind uint8

const (
	noOperand operandKind = iota
	scalarReg
	vectorReg // accumulation registers are accBase and up
	constant
	special // vccz, execz, lds_direct: computed when read
)

// An operand is one operand of a decoded instruction, ready to be fetched.
type operand struct {
	kind operandKind
	typ  typ
	reg  uint16 // the register, or the operand's number in the encoding
	imm  uint64 // constant: its value at the operand's width
	// vec are imm's dwords in every lane, for vector instructions.
	vec [2]*Vector

	high     uint8 // the bits of reg that MODE has: see highBits
	half     bool  // it is a 16-bit half of a register, the high one if OP_SEL says so
	numbered bool  // a scalar register that has a name on gfx9 and only a number here
}

// modifiers are the parts of a vector encoding that most instructions leave
// alone; see exec_modify.go.
type modifiers struct {
	abs, neg, negHi uint8 // a bit for each source
	opSel, opSelHi  uint8 // a bit for each source; opSel bit 3 for the destination
	omod            uint8 // 0 none, 1 *2, 2 *4, 3 /2
	clamp           bool
	sdwa            *sdwa
	dpp             *dpp

	// cbsz, abid and blgp say how matrix instructions share and permute their
	// sources.
	cbsz, abid, blgp uint8

	// scales are those of the factors of a matrix instruction that has them, by
	// a prefix; opSel and opSelHi choose their bytes.
	scales *[2]operand
}

// modifiers are those of an instruction, which may have none.
func (in *Inst) modifiers() *modifiers {
	if in.mod == nil {
		return &modifiers{}
	}
	return in.mod
}

// sdwa is the second dword of a sub-dword-addressing encoding.
type sdwa struct {
	dstSel, dstUnused uint8
	sel               [2]uint8
	sext              [2]bool
}

// dpp is the second dword of a data-parallel-primitives encoding.
type dpp struct {
	ctrl              uint16
	bankMask, rowMask uint8
	boundCtrl         bool
	later             bool // of gfx10 or gfx11
	inactive          bool // FI: reads lanes that are switched off as well
	eight             bool // DPP8: lanes says for each of eight lanes which one it reads
	lanes             uint32
}

// An Inst is a decoded instruction.
type Inst struct {
	Op   *Op
	PC   uint64
	Size int // bytes

	on   Target
	form Enc // VOP3 for a VOP1, VOP2 or VOPC row in its long form
	dst  operand
	sdst operand // the lane mask that a VOP3 or VOP2 row writes besides dst; for VOPC rows dst
	src  [4]operand
	mod  *modifiers

	// simm is the 16-bit immediate of SOPK and SOPP (sign-extended), or the
	// offset of a memory instruction.
	simm int32
	mem  memFields

	words [5]uint32 // as encoded

	exec func(*Core, *Inst)
	next func(*Core, *Inst) // what exec wraps
	fast *fastInst          // for runFast

	image *imageFields
	block *blockFields

	told   bool // what executes it tells observers something: it has no translation
	later  bool // and is a wait, of which they may be told when they are told of what comes next
	joins  bool // it may switch lanes on, which observers want to know
	clause bool // it is in a clause, if somebody wants to know what accesses are meant for
	back   bool // what it loads is at most stored back, if somebody follows values

	high highBits // that the instruction finds
	past bool     // a group of vector registers goes past the last one

	pair *[2]Inst // VOPD: the two instructions that this one is

	region *simt.Region // where the lanes' items were, for fastGlobal
}

// memFields are the cache-policy and addressing bits of memory encodings.
type memFields struct {
	glc, slc, scc     bool
	dlc               bool    // gfx10 and gfx11
	th, scope         uint8   // gfx12: the temporal hint and the scope
	nv, scaled        bool    // gfx12: non-volatile; the offset counts items, not bytes
	lds               bool    // the data goes to LDS
	offen, idxen, tfe bool    // MUBUF and MTBUF
	dfmt, nfmt        uint8   // MTBUF: the format of the data, and of their numbers
	gds               bool    // DS
	offset1           uint8   // DS: the second 8-bit offset
	split             bool    // FLAT in threadgroup split mode, whose workgroups have no LDS to access
	immOffset         bool    // SMEM: simm counts as well as soffset
	saddr             operand // FLAT: scalar address
	soffset           operand // SMEM, MUBUF
}

// A DecodeError is bytes that are no instruction.
type DecodeError struct {
	PC    uint64
	Bytes []byte
	Why   string
}

func (e *DecodeError) Error() string {
	if len(e.Bytes) == 0 {
		return fmt.Sprintf("%#x: %s", e.PC, e.Why)
	}
	return fmt.Sprintf("%#x: bytes % x: %s", e.PC, e.Bytes, e.Why)
}

// Decode decodes the instruction at the start of code, which lies at pc.
func (a *ISA) Decode(code []byte, pc uint64) (*Inst, error) {
	return a.decodeAt(code, codeAt{pc: pc})
}

// decodeAt is Decode where MODE has the upper bits of registers' numbers.
func (a *ISA) decodeAt(code []byte, at codeAt) (*Inst, error) {
	return new(decoding).decode(a, code, at)
}

// A decoding is an instruction that is decoded, and what decodes it.
type decoding struct {
	in Inst
	d  decoder
}

// decode is decodeAt in the place of the instruction before.
func (p *decoding) decode(a *ISA, code []byte, at codeAt) (*Inst, error) {
	p.in = Inst{PC: at.pc, on: a.Target}
	p.d = decoder{isa: a, in: &p.in, code: code, high: at.high}
	if err := p.d.decode(); err != nil {
		return nil, err
	}
	return &p.in, nil
}

// String is the instruction in LLVM's syntax.
func (in *Inst) String() string { return in.text() }

// A decoder works on one instruction.
type decoder struct {
	isa  *ISA
	in   *Inst
	code []byte
	high highBits // of MODE
	lit  bool     // the literal has been read
}

func (d *decoder) fail(format string, args ...any) error {
	n := min(len(d.code), max(d.in.Size, 4))
	return &DecodeError{PC: d.in.PC, Bytes: append([]byte(nil), d.code[:n]...),
		Why: fmt.Sprintf(format, args...)}
}

// word reads the next dword of the instruction.
func (d *decoder) word() (uint32, error) {
	i := d.in.Size
	if i+4 > len(d.code) {
		return 0, d.fail("the instruction is cut short")
	}
	v := binary.LittleEndian.Uint32(d.code[i:])
	d.in.words[i/4] = v
	d.in.Size += 4
	return v, nil
}

// peek is the next dword, all ones if there is none.
func (d *decoder) peek() uint32 {
	if i := d.in.Size; i+4 <= len(d.code) {
		return binary.LittleEndian.Uint32(d.code[i:])
	}
	return math.MaxUint32
}

// source makes operand i from its number in the encoding, reading the
// literal where the number says so.
func (d *decoder) source(i int, num uint32) error {
	return d.operand(&d.in.src[i], d.in.Op.src[i], num)
}

func (d *decoder) operand(o *operand, t typ, num uint32) error {
	num = d.isa.scalarNumber(num)
	if t == mask {
		t = d.maskType()
	}
	o.typ, o.reg = t, uint16(num)
	switch {
	case num == regNull:
		o.kind = constant
	case num >= srcVGPR:
		o.kind, o.reg = vectorReg, uint16(num-srcVGPR)
	case num < srcInlineInt, num == srcSCC, d.isa.readsScratchBase(num):
		o.kind = scalarReg
	case num == srcLiteral:
		if !d.lit {
			if _, err := d.word(); err != nil {
				return err
			}
			d.lit = true
		}
		o.kind = constant
		o.imm = literal(t, d.in.words[d.in.Size/4-1])
	case num == srcLDSDirect && typDwords[t] == 2 && d.isa.Target == GFX1250:
		return d.wideLiteral(o)
	case num == srcLDSDirect && typDwords[t] > 1:
		return d.fail("src_lds_direct has 32 bits")
	case num == srcVCCZ, num == srcEXECZ, num == srcLDSDirect:
		o.kind = special
	case d.isa.Target.IsLater() && (num == srcScratchBase || num == srcScratchBase+1): // not there yet
		o.kind = special
	default:
		v, ok := inline(t, num)
		if !ok {
			return d.fail("operand number %d is reserved", num)
		}
		o.kind, o.imm = constant, v
	}
	if o.kind == vectorReg {
		return d.vectorRange(o)
	}
	if o.kind == scalarReg {
		return d.scalarRange(o)
	}
	if o.kind == constant && (d.in.form.isVectorALU() || d.in.form == vopd) {
		o.vec[0] = broadcast(uint32(o.imm))
		if typDwords[t] > 1 {
			o.vec[1] = broadcast(uint32(o.imm >> 32))
		}
	}
	return nil
}

func broadcast(v uint32) *Vector {
	var vec Vector
	for i := range vec {
		vec[i] = v
	}
	return &vec
}

// literal extends a 32-bit literal to the operand's type (MI200 ISA, section
// "Literal constants"): it is the high half of a double, sign-extended for
// signed and zero-extended for other 64-bit operands.
func literal(t typ, v uint32) uint64 {
	switch t {
	case f64:
		return uint64(v) << 32
	case i64:
		return uint64(int64(int32(v)))
	case v2f32, v2b32:
		return uint64(v) | uint64(v)<<32
	}
	return uint64(v)
}

// inlineFloats are the values of operand numbers 240 to 248.
var inlineFloats = [...]float64{0.5, -0.5, 1, -1, 2, -2, 4, -4, 0.15915494309189532}

// inlineHalves are the same as 16-bit floats.
var inlineHalves = [...]uint16{0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118}

// inline is the value of an inline constant for an operand type (MI200 ISA,
// table "Inline constants").
func inline(t typ, num uint32) (uint64, bool) {
	switch {
	case num >= 128 && num <= 192:
		return uint64(num - 128), true
	case num >= 193 && num <= 208:
		v := int64(192) - int64(num)
		if typDwords[t] == 1 {
			return uint64(uint32(v)), true
		}
		return uint64(v), true
	case num >= 240 && num <= 248:
		f := inlineFloats[num-240]
		switch t {
		case f64, b64, i64, u64:
			return math.Float64bits(f), true
		case f16, x16, v2f16:
			return uint64(inlineHalves[num-240]), true
		case bf16, v2bf16:
			return uint64(math.Float32bits(float32(f)) >> 16), true
		}
		if num == 248 {
			return 0x3e22f983, true // rounded down, unlike a conversion
		}
		return uint64(math.Float32bits(float32(f))), true
	case num == srcSharedBase:
		return SharedBase >> apertureShift(t), true
	case num == srcSharedLimit:
		return (SharedBase + ApertureSize - 1) >> apertureShift(t), true
	case num == srcPrivateBase:
		return PrivateBase >> apertureShift(t), true
	case num == srcPrivateLimit:
		return (PrivateBase + ApertureSize - 1) >> apertureShift(t), true
	case num == srcPopsExitingID:
		return 0, true
	}
	return 0, false
}

// apertureShift: a 32-bit operand reads the high half of an aperture register.
func apertureShift(t typ) uint {
	if typDwords[t] > 1 {
		return 0
	}
	return 32
}
