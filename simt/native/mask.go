package native

// Instructions on mask registers of eight bits, and those of AVX-512 that gather and scatter.

// kk emits an instruction on mask registers: L is 1 for those with two sources.
func (a *Assembler) kk(l, op byte, d, s, t K) {
	a.AVX512 = true
	a.bytes(0xc5, 0x81|^byte(s)&15<<3|l<<2, op, 0xc0|byte(d)<<3|byte(t))
}

// Kmov8 is d = s, Knot8 d = ^s.
func (a *Assembler) Kmov8(d, s K) { a.kk(0, 0x90, d, 0, s) }
func (a *Assembler) Knot8(d, s K) { a.kk(0, 0x44, d, 0, s) }

// Kand8 is d = s & t, Kandn8 d = ^s & t, and so on.
func (a *Assembler) Kand8(d, s, t K)  { a.kk(1, 0x41, d, s, t) }
func (a *Assembler) Kandn8(d, s, t K) { a.kk(1, 0x42, d, s, t) }
func (a *Assembler) Kor8(d, s, t K)   { a.kk(1, 0x45, d, s, t) }
func (a *Assembler) Kxor8(d, s, t K)  { a.kk(1, 0x47, d, s, t) }

// Kortest8 sets the flags of d | s: E for none, B for all eight.
func (a *Assembler) Kortest8(d, s K) { a.kk(0, 0x98, d, 0, s) }

// Kload8 is d = a byte of memory, Kstore8 the other way.
func (a *Assembler) Kload8(d K, m Mem)  { a.kmem(0x90, d, m) }
func (a *Assembler) Kstore8(m Mem, s K) { a.kmem(0x91, s, m) }

func (a *Assembler) kmem(op byte, k K, m Mem) {
	a.AVX512 = true
	p0 := byte(0xc1)
	if m.Base < R8 {
		p0 |= 0x20
	}
	a.bytes(0xc4, p0, 0x79, op)
	a.place(byte(k), m)
}

// Gather makes the elements of d under a mask, which it clears, what lies at the addresses in the eight
// elements of at; scatters have the same form. Elements have 32 bits with W 0, 64 with W 1.
func (a *Assembler) Gather(in Instruction, d, at Z, k K) {
	a.AVX512 = true
	p0 := in.Map | 0x20
	if d&8 == 0 {
		p0 |= 0x80
	}
	if at&8 == 0 {
		p0 |= 0x40
	}
	if d&16 == 0 {
		p0 |= 0x10
	}
	p2 := byte(0x40) | byte(k)
	if at&16 == 0 {
		p2 |= 8
	}
	a.bytes(0x62, p0, in.W<<7|0x7c|in.Prefix, p2, in.Op, byte(d&7)<<3|4, byte(at&7)<<3|5)
	a.imm32(0)
}

// Gather256 is Gather for the four elements of at, of AVX2: mask is a vector register, which it clears. With
// W 0 four dwords come into the lower half of d.
func (a *Assembler) Gather256(in Instruction, d, at, mask Z) {
	p0 := in.Map | 0x20
	if d&8 == 0 {
		p0 |= 0x80
	}
	if at&8 == 0 {
		p0 |= 0x40
	}
	a.bytes(0xc4, p0, in.W<<7|^byte(mask)&15<<3|4|in.Prefix, in.Op, byte(d&7)<<3|4, byte(at&7)<<3|5)
	a.imm32(0)
}
