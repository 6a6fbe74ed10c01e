package gen

import "slices"

// From Gen12LP on there is no instruction that divides integers. IGC computes quotients of up to 32 bits by a
// reciprocal, behind a branch that gives -1 where the divisor is 0, and those of 64 bits bit by bit, without
// one. Both are known by what they consist of.

// slightlyLess is the float that IGC multiplies reciprocals with for such quotients, so that they are not too
// large: -3*2^-23.
const slightlyLess = 0xb4c00000

// condEqual is the condition "eq".
const condEqual = 1

// quotientReach is how many instructions a quotient's code is looked for in.
const quotientReach = 128

// hiddenDivision finds the channels that divide by zero at an instruction that is no division itself, but one
// of those by which IGC divides, and says what they do; nil if it is none.
func (c *Core) hiddenDivision(in *Inst, before []Inst) (zero func(*Core, *Inst) uint64, what string) {
	if in.comparesRemainder(before) {
		return func(c *Core, in *Inst) uint64 { return c.zeros(in, 1, uint64(c.channels(in))) }, longByZero
	}
	if i := c.comparesHalves(in, before); i >= 0 {
		low := new(Inst)
		*low = before[i]
		return func(c *Core, in *Inst) uint64 {
			return c.zeros(in, 1, c.zeros(low, 1, uint64(c.enabled(in))))
		}, longByZero
	}
	if c.testsDivisor(in) {
		return func(c *Core, in *Inst) uint64 {
			taken := c.predicate(in)
			if in.invert {
				taken = ^taken
			}
			return uint64(c.enabled(in) & taken)
		}, byZero
	}
	return nil, ""
}

// testsDivisor reports whether the instruction is the branch before a quotient. The predicate is then true in
// channels whose divisor is 0, but for its inversion.
func (c *Core) testsDivisor(in *Inst) bool {
	if in.Op.Name != "goto" || in.pred != 1 || in.branch || !in.gen.hasTokens() {
		return false
	}
	divides, zero := in.after(), in.jipAt()
	if in.invert {
		divides, zero = zero, divides
	}
	code := c.straight(uint64(divides))
	if !slices.ContainsFunc(code, func(x Inst) bool {
		o := &x.src[0]
		return x.Op.Name == "mov" && o.place == immediate && o.typ == F && uint32(o.imm) == slightlyLess
	}) || !givesOnes(c.straight(uint64(zero))) {
		return false
	}
	earlier := c.earlier(in)
	tested := comparedWithZero(earlier, in.flag>>1)
	code = append(earlier, code...)
	for i := len(earlier); i < len(code); i++ {
		x := &code[i]
		if x.Op.form == formMath && x.cond == mathInv && magnitudeOf(&x.src[0], code[:i], tested, 8) {
			return true
		}
	}
	return false
}

// givesOnes reports whether code begins with what gives a quotient by 0. It does not where the source tests
// the divisor, and IGC has seen that one test will do.
func givesOnes(code []Inst) bool {
	i := slices.IndexFunc(code, func(x Inst) bool { return x.Op.form != formSync })
	if i < 0 {
		return false
	}
	o, ones := &code[i].src[0], uint64(1)<<(8*code[i].src[0].typ.Size())-1
	return code[i].Op.Name == "mov" && o.place == immediate && o.imm&ones == ones
}

// straight are the instructions from an address on up to one that goes elsewhere, behind one at which
// channels meet.
func (c *Core) straight(pc uint64) (code []Inst) {
	for len(code) < quotientReach {
		in, err := c.decodeAt(pc)
		if err != nil {
			break
		}
		if pc += uint64(in.Size); in.Op.Name == "join" && len(code) == 0 {
			continue
		}
		if in.endsBlock() {
			break
		}
		code = append(code, *in)
	}
	return code
}

// earlier are instructions that the kernel has before another.
func (c *Core) earlier(in *Inst) (code []Inst) {
	for pc := c.m.Dispatch.Entry; pc < in.PC; {
		x, err := c.decodeAt(pc)
		if err != nil {
			break
		}
		pc += uint64(x.Size)
		if code = append(code, *x); len(code) == 2*quotientReach {
			code = append(code[:0], code[quotientReach:]...)
		}
	}
	return code
}

// comparedWithZero are the operands that the last instructions compare with 0 for a flag register.
func comparedWithZero(code []Inst, flag uint8) (found []*operand) {
	const halves = 4 // of a flag register, of which each is made by itself
	for i := range slices.Backward(code) {
		x := &code[i]
		if x.flag>>1 != flag || x.cond != condEqual || !x.setsFlags() {
			continue
		}
		if found = append(found, &x.src[0]); x.dst.place == inGRF {
			found = append(found, &x.dst)
		}
		if len(found) >= 2*halves {
			break
		}
	}
	return found
}

// magnitudeOf reports whether some code makes an operand of one of others by moves, conversions, and what
// makes a number positive: x plus its sign, exclusive or its sign. It looks at so many steps.
func magnitudeOf(o *operand, code []Inst, of []*operand, steps int) bool {
	if o.place != inGRF || steps == 0 {
		return false
	}
	same := func(x *operand) bool { return x.place == inGRF && x.reg == o.reg && x.sub == o.sub }
	if slices.ContainsFunc(of, same) {
		return true
	}
	at := maker(code, o)
	if at < 0 {
		return false
	}
	made := func(source int) bool { return magnitudeOf(&code[at].src[source], code[:at], of, steps-1) }
	switch second := code[at].src[1].place == immediate; code[at].Op.Name {
	case "mov":
		return made(0)
	case "asr":
		return second && made(0)
	case "add", "xor":
		return !second && (made(0) || made(1))
	}
	return false
}

// comparesHalves is which of the instructions before a comparison of high halves compares the low ones, with
// a divisor of 64 bits; -1 if it is no such comparison. The low half of the remainder is moved up, and has
// the next bit of the dividend.
func (c *Core) comparesHalves(in *Inst, before []Inst) int {
	const andOr = 0xf8 // s0&s1|s2
	if in.Op.Name != "cmp" || in.cond != condEqual || in.src[0].place != inGRF || in.src[1].place != inGRF ||
		!in.gen.hasTokens() {
		return -1
	}
	for i := range slices.Backward(before) {
		low := &before[i]
		if low.Op.Name != "cmp" || low.cond != condLess || low.pred != 0 || low.src[0].typ != UD ||
			low.width != in.width || low.first != in.first || low.src[1].place != inGRF {
			continue
		}
		sum := maker(before[:i], &low.src[0])
		if sum < 0 || before[sum].Op.form != formBfn || before[sum].function != andOr {
			continue
		}
		moved := c.earlier(&before[sum])
		at := maker(moved, &before[sum].src[2])
		if at < 0 || moved[at].Op.Name != "shl" {
			continue
		}
		if by := &moved[at].src[1]; by.place == immediate && by.imm == 1 {
			return i
		}
	}
	return -1
}
