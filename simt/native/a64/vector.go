package a64

// An Instruction is one on vector registers, with none of them named.
type Instruction uint32

// Instructions on three registers. Names end in the elements: D for two of 64 bits, S for four of 32, and H
// for the lower two of 32 that give two of 64. Bsl takes n where d has ones, else m; Bit replaces what is in
// d by n where m has ones, Bif where it has zeros. Those with mla add to d.
const (
	AddD   Instruction = 0x4ee08400
	AddS   Instruction = 0x4ea08400
	SubD   Instruction = 0x6ee08400
	SubS   Instruction = 0x6ea08400
	MulS   Instruction = 0x4ea09c00
	And    Instruction = 0x4e201c00
	Bic    Instruction = 0x4e601c00
	Orr    Instruction = 0x4ea01c00
	Eor    Instruction = 0x6e201c00
	Bsl    Instruction = 0x6e601c00
	Bit    Instruction = 0x6ea01c00
	Bif    Instruction = 0x6ee01c00
	UshlD  Instruction = 0x6ee04400
	UshlS  Instruction = 0x6ea04400
	SshlD  Instruction = 0x4ee04400
	SshlS  Instruction = 0x4ea04400
	CmeqD  Instruction = 0x6ee08c00
	CmhiD  Instruction = 0x6ee03400
	CmhiS  Instruction = 0x6ea03400
	CmgtD  Instruction = 0x4ee03400
	CmtstD Instruction = 0x4ee08c00
	SminS  Instruction = 0x4ea06c00
	SmaxS  Instruction = 0x4ea06400
	UmullH Instruction = 0x2ea0c000
	SmullH Instruction = 0x0ea0c000
	UmlalH Instruction = 0x2ea08000
	SmlalH Instruction = 0x0ea08000

	FaddS  Instruction = 0x4e20d400
	FsubS  Instruction = 0x4ea0d400
	FmulS  Instruction = 0x6e20dc00
	FdivS  Instruction = 0x6e20fc00
	FmlaS  Instruction = 0x4e20cc00
	FminS  Instruction = 0x4ea0f400
	FmaxS  Instruction = 0x4e20f400
	FcmeqS Instruction = 0x4e20e400
	FcmgeS Instruction = 0x6e20e400
	FcmgtS Instruction = 0x6ea0e400
	FaddD  Instruction = 0x4e60d400
	FsubD  Instruction = 0x4ee0d400
	FmulD  Instruction = 0x6e60dc00
	FdivD  Instruction = 0x6e60fc00
	FmlaD  Instruction = 0x4e60cc00
	FcmeqD Instruction = 0x4e60e400
	FcmgeD Instruction = 0x6e60e400
	FcmgtD Instruction = 0x6ee0e400
)

// Instructions on two registers. Xtn packs the lower halves of two numbers of 64 bits, Uxtl and Sxtl do the
// reverse. AddpD is a sum, MinvS the least of four and MaxvS the greatest; Cnt counts the bits of eight bytes
// each and AddvB adds these.
const (
	Mov     Instruction = 0x4ea01c00 // ORR, whose third register is the second
	NegD    Instruction = 0x6ee0b800
	NegS    Instruction = 0x6ea0b800
	Rev64S  Instruction = 0x4ea00800
	UaddlpS Instruction = 0x6ea02800
	Xtn     Instruction = 0x0ea12800
	Uxtl    Instruction = 0x2f20a400
	Sxtl    Instruction = 0x0f20a400
	AddpD   Instruction = 0x5ef1b800
	UminvS  Instruction = 0x6eb1a800
	UmaxvS  Instruction = 0x6eb0a800
	Cnt     Instruction = 0x0e205800
	AddvB   Instruction = 0x0e31b800

	ScvtfS  Instruction = 0x4e21d800
	UcvtfS  Instruction = 0x6e21d800
	FcvtzsS Instruction = 0x4ea1b800
	FcvtzuS Instruction = 0x6ea1b800
	FrintnS Instruction = 0x4e218800
	FrintmS Instruction = 0x4e219800
	FrintpS Instruction = 0x4ea18800
	FrintzS Instruction = 0x4ea19800
	FsqrtS  Instruction = 0x6ea1f800
)

// V3 is d = n in m.
func (a *Assembler) V3(in Instruction, d, n, m V) {
	a.word(uint32(in) | uint32(m)<<16 | uint32(n)<<5 | uint32(d))
}

// V2 is d = in of n.
func (a *Assembler) V2(in Instruction, d, n V) {
	if in == Mov {
		a.V3(Orr, d, n, n)
		return
	}
	a.word(uint32(in) | uint32(n)<<5 | uint32(d))
}

// A Shift is a shift of all elements by a number, with what makes the number a field.
type Shift struct {
	in    uint32
	size  uint8 // of an element, in bits
	right bool
}

// The shifts.
var (
	ShlD  = Shift{0x4f005400, 64, false}
	UshrD = Shift{0x6f000400, 64, true}
	SshrD = Shift{0x4f000400, 64, true}
	ShlS  = Shift{0x4f005400, 32, false}
	UshrS = Shift{0x6f000400, 32, true}
	SshrS = Shift{0x4f000400, 32, true}
)

// ShiftImm is d = n shifted by a number: to the left from 0 on and less than an element has bits, to the
// right from 1 on and up to these.
func (a *Assembler) ShiftImm(s Shift, d, n V, by uint8) {
	field := uint32(s.size) + uint32(by)
	if s.right {
		field = 2*uint32(s.size) - uint32(by)
	}
	a.word(s.in | field<<16 | uint32(n)<<5 | uint32(d))
}

// Zero clears a register.
func (a *Assembler) Zero(d V) { a.word(0x6f00e400 | uint32(d)) }

// Dup makes both elements of 64 bits what a general register has.
func (a *Assembler) Dup(d V, n Reg) { a.word(0x4e080c00 | uint32(n)<<5 | uint32(d)) }

// Umov is d = an element of 64 bits, Ins the other way.
func (a *Assembler) Umov(d Reg, n V, i int) {
	a.word(0x4e083c00 | uint32(i)<<20 | uint32(n)<<5 | uint32(d))
}
func (a *Assembler) Ins(d V, i int, n Reg) {
	a.word(0x4e081c00 | uint32(i)<<20 | uint32(n)<<5 | uint32(d))
}

// Fmov is d = the lowest 32 or 64 bits of n, FmovTo the other way, with zeros above.
func (a *Assembler) Fmov(w Width, d Reg, n V) {
	a.word([...]uint32{0x1e260000, 0x9e660000}[w] | uint32(n)<<5 | uint32(d))
}
func (a *Assembler) FmovTo(d V, n Reg) { a.word(0x9e670000 | uint32(n)<<5 | uint32(d)) }
