// Package a64 assembles instructions of AArch64 that translated code is made of: general registers, and
// vectors of Advanced SIMD. It runs nothing; package native does.
//
// Source: Arm, "Architecture Reference Manual for A-profile architecture", section C4.1 (encodings).
package a64

import (
	"encoding/binary"
	"errors"
)

// A Reg is a general register. As a base of memory 31 is the stack pointer, else it is the register that
// is 0.
type Reg uint8

// ZR is the register that is 0.
const ZR Reg = 31

// A V is a vector register of 128 bits, 0 to 31.
type V uint8

// A Mem is a place in memory.
type Mem struct {
	Base Reg
	Disp int32
}

// A Cond is a condition, as instructions number it.
type Cond uint8

// The conditions.
const (
	EQ Cond = iota
	NE
	HS
	LO
	MI
	PL
	VS
	VC
	HI
	LS
	GE
	LT
	GT
	LE
)

// A Label is a place in the code, to which jumps may lead before it is set.
type Label int

// An Assembler makes code. It uses the register Tmp for what does not fit into an instruction.
type Assembler struct {
	Code   []byte
	Tmp    Reg
	labels []int // where they are, -1 before that is known
	jumps  []jump
}

// A jump ends in a distance to a label, of so many bits from one on.
type jump struct {
	at, first, bits int
	to              Label
}

// adrBits says of a jump that it is an ADR, whose distance is in bytes and has two places.
const adrBits = 21

func (a *Assembler) word(w uint32) { a.Code = binary.LittleEndian.AppendUint32(a.Code, w) }

// NewLabel makes a label that is nowhere yet.
func (a *Assembler) NewLabel() Label {
	a.labels = append(a.labels, -1)
	return Label(len(a.labels) - 1)
}

// Set puts a label here.
func (a *Assembler) Set(l Label) { a.labels[l] = len(a.Code) }

// Offset is where a label is, from the beginning of the code.
func (a *Assembler) Offset(l Label) int { return a.labels[l] }

var errFar = errors.New("more code than jumps reach over")

// Finish makes jumps lead to their labels, all of which must be set.
func (a *Assembler) Finish() ([]byte, error) {
	for _, j := range a.jumps {
		d := a.labels[j.to] - j.at
		if j.bits != adrBits {
			d >>= 2
		}
		if d >= 1<<(j.bits-1) || d < -1<<(j.bits-1) {
			return nil, errFar
		}
		v := uint32(d) & (1<<j.bits - 1)
		w := binary.LittleEndian.Uint32(a.Code[j.at:])
		if j.bits == adrBits {
			w |= v&3<<29 | v>>2<<5
		} else {
			w |= v << j.first
		}
		binary.LittleEndian.PutUint32(a.Code[j.at:], w)
	}
	a.jumps = nil
	return a.Code, nil
}

func (a *Assembler) to(w uint32, first, bits int, l Label) {
	a.jumps = append(a.jumps, jump{len(a.Code), first, bits, l})
	a.word(w)
}

// B jumps, Bc jumps if a condition holds.
func (a *Assembler) B(l Label)          { a.to(0x14000000, 0, 26, l) }
func (a *Assembler) Bc(c Cond, l Label) { a.to(0x54000000|uint32(c), 5, 19, l) }

// Cbz jumps if a register is 0, Cbnz if it is not.
func (a *Assembler) Cbz(w Width, r Reg, l Label)  { a.to(0x34000000|uint32(w)<<31|uint32(r), 5, 19, l) }
func (a *Assembler) Cbnz(w Width, r Reg, l Label) { a.to(0x35000000|uint32(w)<<31|uint32(r), 5, 19, l) }

// Adr is d = the address of a label.
func (a *Assembler) Adr(d Reg, l Label) { a.to(0x10000000|uint32(d), 0, adrBits, l) }

// Br jumps to the address in a register, Ret returns.
func (a *Assembler) Br(r Reg) { a.word(0xd61f0000 | uint32(r)<<5) }
func (a *Assembler) Ret()     { a.word(0xd65f03c0) }

// A Width is that of a general operation.
type Width uint32

// The widths.
const (
	W32 Width = iota
	W64
)

// An ALU is an operation on general registers, as its instruction of 32 bits has it.
type ALU uint32

// The operations. Those with S set the conditions, BIC is d = n &^ m, ORN d = n | ^m.
const (
	ADD  ALU = 0x0b000000
	SUB  ALU = 0x4b000000
	SUBS ALU = 0x6b000000
	AND  ALU = 0x0a000000
	ANDS ALU = 0x6a000000
	ORR  ALU = 0x2a000000
	EOR  ALU = 0x4a000000
	BIC  ALU = 0x0a200000
	ORN  ALU = 0x2a200000
	LSLV ALU = 0x1ac02000
	LSRV ALU = 0x1ac02400
)

// Op is d = n op m.
func (a *Assembler) Op(op ALU, w Width, d, n, m Reg) {
	a.word(uint32(op) | uint32(w)<<31 | uint32(m)<<16 | uint32(n)<<5 | uint32(d))
}

// Mov is d = n, Cmp compares.
func (a *Assembler) Mov(w Width, d, n Reg) { a.Op(ORR, w, d, ZR, n) }
func (a *Assembler) Cmp(w Width, n, m Reg) { a.Op(SUBS, w, ZR, n, m) }

// AddImm is d = n + v, neither of which is ZR, CmpImm compares. They may use Tmp.
func (a *Assembler) AddImm(w Width, d, n Reg, v int64) { a.addImm(0x11000000, ADD, SUB, w, d, n, v) }
func (a *Assembler) CmpImm(w Width, n Reg, v int64)    { a.addImm(0x31000000, 0, SUBS, w, ZR, n, -v) }

// SubsImm is d = n - v and sets the conditions.
func (a *Assembler) SubsImm(w Width, d, n Reg, v int64) { a.addImm(0x31000000, 0, SUBS, w, d, n, -v) }

// addImm adds. add is the operation on registers, or 0 where that is no subtraction of the same conditions.
func (a *Assembler) addImm(in uint32, add, sub ALU, w Width, d, n Reg, v int64) {
	u, by := v, add
	if v < 0 || add == 0 {
		u, in, by = -v, in|1<<30, sub
	}
	in |= uint32(w) << 31
	switch {
	case u >= 0 && u < 1<<12:
		a.word(in | uint32(u)<<10 | uint32(n)<<5 | uint32(d))
	case u >= 0 && u < 1<<24 && u&(1<<12-1) == 0:
		a.word(in | 1<<22 | uint32(u>>12)<<10 | uint32(n)<<5 | uint32(d))
	default:
		a.MovImm(a.Tmp, uint64(u))
		a.Op(by, w, d, n, a.Tmp)
	}
}

// MovImm is d = v.
func (a *Assembler) MovImm(d Reg, v uint64) {
	const movz, movn, movk = 0xd2800000, 0x92800000, 0xf2800000
	zeros, ones := 0, 0
	for i := range 4 {
		switch uint16(v >> (16 * i)) {
		case 0:
			zeros++
		case 0xffff:
			ones++
		}
	}
	in, skip, flip := uint32(movz), uint16(0), uint16(0)
	if ones > zeros {
		in, skip, flip = movn, 0xffff, 0xffff
	}
	for i := range 4 {
		if h := uint16(v >> (16 * i)); h != skip || in != movk && i == 3 {
			a.word(in | uint32(i)<<21 | uint32(h^flip)<<5 | uint32(d))
			in, flip = movk, 0
		}
	}
}

// LslImm and LsrImm shift.
func (a *Assembler) LslImm(d, n Reg, by uint8) { a.bits(d, n, -by&63, 63-by) }
func (a *Assembler) LsrImm(d, n Reg, by uint8) { a.bits(d, n, by, 63) }

func (a *Assembler) bits(d, n Reg, r, s uint8) {
	a.word(0xd3400000 | uint32(r)<<16 | uint32(s)<<10 | uint32(n)<<5 | uint32(d))
}

// A Move is a load or a store, as its instruction with an offset has it.
type Move struct {
	in    uint32
	shift uint8 // of the offset
}

// The moves.
var (
	LoadW  = Move{0xb9400000, 2}
	LoadX  = Move{0xf9400000, 3}
	LoadD  = Move{0xfd400000, 3}
	LoadQ  = Move{0x3dc00000, 4}
	StoreW = Move{0xb9000000, 2}
	StoreX = Move{0xf9000000, 3}
	StoreD = Move{0xfd000000, 3}
	StoreQ = Move{0x3d800000, 4}
)

// Move moves between a general or vector register and memory. It may use Tmp.
func (a *Assembler) Move(in Move, r uint8, m Mem) {
	base, disp := m.Base, int64(m.Disp)
	if most := int64(0xfff) << in.shift; disp < 0 || disp > most || disp&(1<<in.shift-1) != 0 {
		a.MovImm(a.Tmp, uint64(disp))
		a.Op(ADD, W64, a.Tmp, base, a.Tmp)
		base, disp = a.Tmp, 0
	}
	a.word(in.in | uint32(disp>>in.shift)<<10 | uint32(base)<<5 | uint32(r))
}

// Load and Store move general registers; loads of 32 bits are zero-extended.
func (a *Assembler) Load(w Width, d Reg, m Mem)  { a.Move([...]Move{LoadW, LoadX}[w], uint8(d), m) }
func (a *Assembler) Store(w Width, m Mem, s Reg) { a.Move([...]Move{StoreW, StoreX}[w], uint8(s), m) }

// LoadAt is d = memory at base + index, StoreAt the other way.
func (a *Assembler) LoadAt(w Width, d, base, index Reg) { a.at(0xb8606800, w, d, base, index) }
func (a *Assembler) StoreAt(w Width, s, base, index Reg) {
	a.at(0xb8206800, w, s, base, index)
}

func (a *Assembler) at(in uint32, w Width, r, base, index Reg) {
	a.word(in | uint32(w)<<30 | uint32(index)<<16 | uint32(base)<<5 | uint32(r))
}
