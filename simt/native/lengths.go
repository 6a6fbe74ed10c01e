package native

// Lengths of vectors, as instructions number them.
const (
	L128 = 0
	L256 = 1
	L512 = 2
)

// VL is V for vectors of another length.
func (a *Assembler) VL(length byte, in Instruction, d, s Z, o Operand, k K, imm ...byte) {
	at := len(a.Code)
	a.V(in, d, s, o, k, imm...)
	a.Code[at+3] = a.Code[at+3]&^0x60 | length<<5
}

// VLZ is VL with the elements that the mask leaves out made 0.
func (a *Assembler) VLZ(length byte, in Instruction, d, s Z, o Operand, k K, imm ...byte) {
	at := len(a.Code)
	a.VL(length, in, d, s, o, k, imm...)
	a.Code[at+3] |= 0x80
}

// VEX is V256 for vectors of another length, of which there are two.
func (a *Assembler) VEX(length byte, in Instruction, d, s Z, o Operand, imm ...byte) {
	at := len(a.Code)
	a.V256(in, d, s, o, imm...)
	a.Code[at+2] = a.Code[at+2]&^4 | length<<2
}

// GatherVEX is GatherAt of AVX2, for the elements of a mask in a vector register, which it clears.
func (a *Assembler) GatherVEX(length byte, in Instruction, d Z, m Mem, at, mask Z) {
	p0 := in.Map
	if m.Base < R8 {
		p0 |= 0x20
	}
	if d&8 == 0 {
		p0 |= 0x80
	}
	if at&8 == 0 {
		p0 |= 0x40
	}
	a.bytes(0xc4, p0, in.W<<7|^byte(mask)&15<<3|length<<2|in.Prefix, in.Op, 0x80|byte(d&7)<<3|4,
		byte(at&7)<<3|byte(m.Base&7))
	a.imm32(m.Disp)
}

// GatherAt is Gather of what lies at the elements of at from a place on. They have 32 bits for gathers and
// scatters with D in their names, else 64. The length is that of the greater ones.
func (a *Assembler) GatherAt(length byte, in Instruction, d Z, m Mem, at Z, k K) {
	a.AVX512 = true
	p0 := in.Map
	if m.Base < R8 {
		p0 |= 0x20
	}
	if d&8 == 0 {
		p0 |= 0x80
	}
	if at&8 == 0 {
		p0 |= 0x40
	}
	if d&16 == 0 {
		p0 |= 0x10
	}
	p2 := length<<5 | byte(k)
	if at&16 == 0 {
		p2 |= 8
	}
	a.bytes(0x62, p0, in.W<<7|0x7c|in.Prefix, p2, in.Op, 0x80|byte(d&7)<<3|4, byte(at&7)<<3|byte(m.Base&7))
	a.imm32(m.Disp)
}

// Kmov16 is d = s.
func (a *Assembler) Kmov16(d, s K) { a.bytes(0xc5, 0xf8, 0x90, 0xc0|byte(d)<<3|byte(s)) }

// Kshiftr16 is d = s >> n, of 16 bits.
func (a *Assembler) Kshiftr16(d, s K, n uint8) {
	a.bytes(0xc4, 0xe3, 0xf9, 0x30, 0xc0|byte(d)<<3|byte(s), n)
}

// Store8 stores the low bits of RAX, RCX, RDX or RBX.
func (a *Assembler) Store8(m Mem, s Reg) { a.memOp(false, []byte{0x88}, s, m) }

// Store16 is Store8 of 16 bits.
func (a *Assembler) Store16(m Mem, s Reg) {
	a.bytes(0x66)
	a.memOp(false, []byte{0x89}, s, m)
}
