package native

import "encoding/binary"

// A Reg is a general register.
type Reg uint8

// The general registers.
const (
	RAX Reg = iota
	RCX
	RDX
	RBX
	RSP
	RBP
	RSI
	RDI
	R8
	R9
	R10
	R11
	R12
	R13
	R14
	R15
)

// A Z is a vector register of 512 bits, 0 to 31; a K is a mask register.
type (
	Z uint8
	K uint8
)

// A Mem is a place in memory.
type Mem struct {
	Base Reg
	Disp int32
}

// A Cond is a condition, as its instructions number it.
type Cond uint8

// The conditions.
const (
	O Cond = iota
	NO
	B
	AE
	E
	NE
	BE
	A
	S
	NS
	P
	NP
	L
	GE
	LE
	G
)

// A Label is a place in the code, to which jumps may lead before it is set.
type Label int

// An Assembler makes code.
type Assembler struct {
	Code   []byte
	AVX512 bool  // the code has an instruction that needs it
	labels []int // where they are, -1 before that is known
	jumps  []jump
}

// A jump ends at a place in the code with a distance of 32 bits to a label.
type jump struct {
	at int // of the distance
	to Label
}

func (a *Assembler) bytes(b ...byte) { a.Code = append(a.Code, b...) }
func (a *Assembler) imm32(v int32)   { a.Code = binary.LittleEndian.AppendUint32(a.Code, uint32(v)) }

// NewLabel makes a label that is nowhere yet.
func (a *Assembler) NewLabel() Label {
	a.labels = append(a.labels, -1)
	return Label(len(a.labels) - 1)
}

// Set puts a label here.
func (a *Assembler) Set(l Label) { a.labels[l] = len(a.Code) }

// Offset is where a label is, from the beginning of the code.
func (a *Assembler) Offset(l Label) int { return a.labels[l] }

// Finish makes jumps lead to their labels, all of which must be set.
func (a *Assembler) Finish() []byte {
	for _, j := range a.jumps {
		binary.LittleEndian.PutUint32(a.Code[j.at:], uint32(a.labels[j.to]-j.at-4))
	}
	a.jumps = nil
	return a.Code
}

// Jmp jumps.
func (a *Assembler) Jmp(l Label) {
	a.bytes(0xe9)
	a.distance(l)
}

// Jcc jumps if a condition holds.
func (a *Assembler) Jcc(c Cond, l Label) {
	a.bytes(0x0f, 0x80|byte(c))
	a.distance(l)
}

func (a *Assembler) distance(l Label) {
	a.jumps = append(a.jumps, jump{len(a.Code), l})
	a.imm32(0)
}

// JmpMem jumps to the address in memory.
func (a *Assembler) JmpMem(m Mem) { a.memOp(false, []byte{0xff}, 4, m) }

// CallReg calls the address in a register.
func (a *Assembler) CallReg(r Reg) {
	a.rex(false, 0, r)
	a.bytes(0xff, 0xd0|byte(r&7))
}

// Ret returns.
func (a *Assembler) Ret() { a.bytes(0xc3) }

// rex emits the prefix for a register in ModRM.reg and one in ModRM.rm.
func (a *Assembler) rex(wide bool, reg, rm Reg) {
	p := byte(0x40) | byte(reg>>3)<<2 | byte(rm>>3)
	if wide {
		p |= 8
	}
	if p != 0x40 {
		a.bytes(p)
	}
}

// place emits ModRM, SIB and displacement.
func (a *Assembler) place(reg byte, m Mem) {
	a.bytes(0x80 | reg&7<<3 | byte(m.Base&7))
	if m.Base&7 == RSP {
		a.bytes(0x24)
	}
	a.imm32(m.Disp)
}

func (a *Assembler) memOp(wide bool, op []byte, reg Reg, m Mem) {
	a.rex(wide, reg, m.Base)
	a.bytes(op...)
	a.place(byte(reg), m)
}

func (a *Assembler) regOp(wide bool, op []byte, reg, rm Reg) {
	a.rex(wide, reg, rm)
	a.bytes(op...)
	a.bytes(0xc0 | byte(reg&7)<<3 | byte(rm&7))
}

// An ALU is an operation of the first group, as its instructions number it.
type ALU uint8

// The operations.
const (
	ADD ALU = iota
	OR
	ADC
	SBB
	AND
	SUB
	XOR
	CMP
)

// A Width is that of a general operation: false for 32 bits, true for 64.
type Width = bool

// The widths.
const (
	W32 Width = false
	W64 Width = true
)

// Op is d op= s.
func (a *Assembler) Op(op ALU, w Width, d, s Reg) { a.regOp(w, []byte{byte(op)<<3 | 3}, d, s) }

// OpMem is d op= memory.
func (a *Assembler) OpMem(op ALU, w Width, d Reg, m Mem) { a.memOp(w, []byte{byte(op)<<3 | 3}, d, m) }

// OpImm is d op= v, sign-extended.
func (a *Assembler) OpImm(op ALU, w Width, d Reg, v int32) {
	a.regOp(w, []byte{0x81}, Reg(op), d)
	a.imm32(v)
}

// OpMemImm is memory op= v, sign-extended.
func (a *Assembler) OpMemImm(op ALU, w Width, m Mem, v int32) {
	a.memOp(w, []byte{0x81}, Reg(op), m)
	a.imm32(v)
}

// OpToMem is memory op= s.
func (a *Assembler) OpToMem(op ALU, w Width, m Mem, s Reg) { a.memOp(w, []byte{byte(op)<<3 | 1}, s, m) }

// Mov is d = s.
func (a *Assembler) Mov(w Width, d, s Reg) { a.regOp(w, []byte{0x8b}, d, s) }

// Load is d = memory; 32 bits are zero-extended.
func (a *Assembler) Load(w Width, d Reg, m Mem) { a.memOp(w, []byte{0x8b}, d, m) }

// Load8 is d = a byte of memory, zero-extended.
func (a *Assembler) Load8(d Reg, m Mem) { a.memOp(W32, []byte{0x0f, 0xb6}, d, m) }

// Load16 is Load8 of 16 bits.
func (a *Assembler) Load16(d Reg, m Mem) { a.memOp(W32, []byte{0x0f, 0xb7}, d, m) }

// Store is memory = s.
func (a *Assembler) Store(w Width, m Mem, s Reg) { a.memOp(w, []byte{0x89}, s, m) }

// StoreImm is memory = v, sign-extended.
func (a *Assembler) StoreImm(w Width, m Mem, v int32) {
	a.memOp(w, []byte{0xc7}, 0, m)
	a.imm32(v)
}

// Lea is d = the address of memory.
func (a *Assembler) Lea(d Reg, m Mem) { a.memOp(W64, []byte{0x8d}, d, m) }

// LeaLabel is d = the address of a label.
func (a *Assembler) LeaLabel(d Reg, l Label) {
	a.rex(true, d, 0)
	a.bytes(0x8d, 0x05|byte(d&7)<<3)
	a.distance(l)
}

// MovImm is d = v.
func (a *Assembler) MovImm(d Reg, v uint64) {
	switch {
	case v>>32 == 0:
		a.rex(false, 0, d)
		a.bytes(0xb8 | byte(d&7))
		a.imm32(int32(v))
	case v == uint64(int64(int32(v))):
		a.regOp(W64, []byte{0xc7}, 0, d)
		a.imm32(int32(v))
	default:
		a.rex(true, 0, d)
		a.bytes(0xb8 | byte(d&7))
		a.Code = binary.LittleEndian.AppendUint64(a.Code, v)
	}
}

// A Shift is an operation of the second group.
type Shift uint8

// The shifts.
const (
	SHL Shift = 4
	SHR Shift = 5
	SAR Shift = 7
)

// ShiftImm shifts by a constant.
func (a *Assembler) ShiftImm(s Shift, w Width, d Reg, n uint8) {
	a.regOp(w, []byte{0xc1}, Reg(s), d)
	a.bytes(n)
}

// ShiftCL shifts by CL.
func (a *Assembler) ShiftCL(s Shift, w Width, d Reg) { a.regOp(w, []byte{0xd3}, Reg(s), d) }

// Not inverts all bits.
func (a *Assembler) Not(w Width, d Reg) { a.regOp(w, []byte{0xf7}, 2, d) }

// Test sets the flags of d & s.
func (a *Assembler) Test(w Width, d, s Reg) { a.regOp(w, []byte{0x85}, s, d) }

// Imul is d *= s.
func (a *Assembler) Imul(w Width, d, s Reg) { a.regOp(w, []byte{0x0f, 0xaf}, d, s) }

// ImulImm is d = s * v.
func (a *Assembler) ImulImm(w Width, d, s Reg, v int32) {
	a.regOp(w, []byte{0x69}, d, s)
	a.imm32(v)
}

// Popcnt counts the bits of s.
func (a *Assembler) Popcnt(w Width, d, s Reg) {
	a.bytes(0xf3)
	a.regOp(w, []byte{0x0f, 0xb8}, d, s)
}

// Tzcnt counts the zero bits of s below its lowest other one: all of them if
// it is 0.
func (a *Assembler) Tzcnt(w Width, d, s Reg) {
	a.bytes(0xf3)
	a.regOp(w, []byte{0x0f, 0xbc}, d, s)
}

// Prefetch brings a line of memory near, to be read or to be written. It need not be there.
func (a *Assembler) Prefetch(m Mem, write bool) {
	if write {
		a.memOp(W32, []byte{0x0f, 0x0d}, 1, m)
		return
	}
	a.memOp(W32, []byte{0x0f, 0x18}, 1, m)
}

// SetStore makes a dword of memory 1 if a condition holds, else 0. It uses d.
func (a *Assembler) SetStore(c Cond, m Mem, d Reg) {
	a.rex(false, 0, d)
	if d >= RSP && d <= RDI { // without a prefix these would be AH and so on
		a.bytes(0x40)
	}
	a.bytes(0x0f, 0x90|byte(c), 0xc0|byte(d&7))
	if d >= RSP && d <= RDI {
		a.bytes(0x40, 0x0f, 0xb6, 0xc0|byte(d&7)<<3|byte(d&7))
	} else {
		a.regOp(false, []byte{0x0f, 0xb6}, d, d)
	}
	a.Store(W32, m, d)
}

// Cmov is d = s if a condition holds.
func (a *Assembler) Cmov(c Cond, w Width, d, s Reg) { a.regOp(w, []byte{0x0f, 0x40 | byte(c)}, d, s) }

// KmovTo64 is K = r.
func (a *Assembler) KmovTo64(k K, r Reg) { a.vexK(0xfb, k, r, 0x92) }

// KmovTo16 is K = the low 16 bits of r.
func (a *Assembler) KmovTo16(k K, r Reg) { a.vexK(0x78, k, r, 0x92) }

// KmovFrom16 is r = K, zero-extended.
func (a *Assembler) KmovFrom16(r Reg, k K) {
	b := byte(0xe1)
	if r >= R8 {
		b = 0x61
	}
	a.bytes(0xc4, b, 0x78, 0x93, 0xc0|byte(r&7)<<3|byte(k))
}

func (a *Assembler) vexK(p byte, k K, r Reg, op byte) {
	a.AVX512 = true
	b := byte(0xe1)
	if r >= R8 {
		b = 0xc1
	}
	a.bytes(0xc4, b, p, op, 0xc0|byte(k)<<3|byte(r&7))
}

// Kshiftr64 is d = s >> n, of 64 bits.
func (a *Assembler) Kshiftr64(d, s K, n uint8) {
	a.AVX512 = true
	a.bytes(0xc4, 0xe3, 0xf9, 0x31, 0xc0|byte(d)<<3|byte(s), n)
}

// Kortest16 sets the flags of d | s.
func (a *Assembler) Kortest16(d, s K) { a.bytes(0xc5, 0xf8, 0x98, 0xc0|byte(d)<<3|byte(s)) }

// Kor16 is d = s | t.
func (a *Assembler) Kor16(d, s, t K) {
	a.bytes(0xc5, 0x84|^byte(s)&15<<3, 0x45, 0xc0|byte(d)<<3|byte(t))
}

// Kand16 is d = s & t.
func (a *Assembler) Kand16(d, s, t K) {
	a.bytes(0xc5, 0x84|^byte(s)&15<<3, 0x41, 0xc0|byte(d)<<3|byte(t))
}

// Vzeroupper clears the upper halves of vector registers 0 to 15.
func (a *Assembler) Vzeroupper() { a.bytes(0xc5, 0xf8, 0x77) }

// An Instruction is one of AVX-512, as its encoding names it: the opcode map
// (1 for 0F, 2 for 0F38, 3 for 0F3A), the prefix (0 none, 1 66, 2 F3, 3 F2), W
// and the opcode.
type Instruction struct {
	Map, Prefix, W, Op byte
}

// An Operand is the last source of a vector instruction: a register, a vector
// in memory, or a dword or qword there that becomes every element.
type Operand struct {
	Reg       Z
	Mem       Mem
	InMemory  bool
	Broadcast bool
}

// InReg is a register.
func InReg(z Z) Operand { return Operand{Reg: z} }

// InMem is a vector in memory.
func InMem(m Mem) Operand { return Operand{Mem: m, InMemory: true} }

// Each is an element in memory that becomes every one.
func Each(m Mem) Operand { return Operand{Mem: m, InMemory: true, Broadcast: true} }

// V is an instruction of 512 bits: d is ModRM.reg, s the register in vvvv (0 if
// it has none), o the last operand, k the mask (0 for none, which writes every
// element), imm the bytes after it.
func (a *Assembler) V(in Instruction, d, s Z, o Operand, k K, imm ...byte) {
	a.AVX512 = true
	p0 := in.Map
	if d&8 == 0 {
		p0 |= 0x80
	}
	if d&16 == 0 {
		p0 |= 0x10
	}
	if o.InMemory {
		p0 |= 0x40
		if o.Mem.Base < R8 {
			p0 |= 0x20
		}
	} else {
		if o.Reg&16 == 0 {
			p0 |= 0x40
		}
		if o.Reg&8 == 0 {
			p0 |= 0x20
		}
	}
	p1 := in.W<<7 | ^byte(s)&15<<3 | 4 | in.Prefix
	p2 := byte(0x40) | byte(k)
	if s&16 == 0 {
		p2 |= 8
	}
	if o.Broadcast {
		p2 |= 0x10
	}
	a.bytes(0x62, p0, p1, p2, in.Op)
	if o.InMemory {
		a.place(byte(d), o.Mem)
	} else {
		a.bytes(0xc0 | byte(d&7)<<3 | byte(o.Reg&7))
	}
	a.bytes(imm...)
}

// V256 is the instruction of 256 bits of AVX2 or AVX with the same encoding
// but for its prefix, VEX: of registers 0 to 15, and without masks.
func (a *Assembler) V256(in Instruction, d, s Z, o Operand, imm ...byte) {
	p0 := in.Map | 0x40
	if d&8 == 0 {
		p0 |= 0x80
	}
	if o.InMemory && o.Mem.Base < R8 || !o.InMemory && o.Reg&8 == 0 {
		p0 |= 0x20
	}
	a.bytes(0xc4, p0, in.W<<7|^byte(s)&15<<3|4|in.Prefix, in.Op)
	if o.InMemory {
		a.place(byte(d), o.Mem)
	} else {
		a.bytes(0xc0 | byte(d&7)<<3 | byte(o.Reg&7))
	}
	a.bytes(imm...)
}

// VZ is V with the elements that the mask leaves out made 0.
func (a *Assembler) VZ(in Instruction, d, s Z, o Operand, k K, imm ...byte) {
	at := len(a.Code)
	a.V(in, d, s, o, k, imm...)
	a.Code[at+3] |= 0x80
}
