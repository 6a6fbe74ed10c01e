package gen

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"simtgdb/simt"
)

// What Gen9 leaves undefined of an instruction: regions that its documents forbid (PRM of Skylake, volume 7,
// section "Register Region Restrictions"), a message that ends the thread from registers that may be
// another's by then (volume 2a, "Send Message"), and a division of integers by zero or with a quotient out of
// range, of whose result a program's language says nothing. The machine goes on with what follows from how
// regions are laid out; whoever looks for what is undefined is told when the instruction executes.

// A regionRule is a restriction of a region of n channels, in registers of a size: it reports whether the
// region breaks it.
type regionRule struct {
	what   string
	source func(o *operand, n, size int) bool // of sources
	dest   func(o *operand, n, size int) bool // of destinations
}

// regionRules are the restrictions of regions in general registers that an instruction names.
var regionRules = []regionRule{
	{what: "elements off their alignment",
		source: func(o *operand, _, _ int) bool { return int(o.sub)%o.typ.Size() != 0 },
		dest:   func(o *operand, _, _ int) bool { return int(o.sub)%o.typ.Size() != 0 }},
	{what: "rows wider than the instruction",
		source: func(o *operand, n, _ int) bool { return o.width > n }},
	{what: "one row, and a vertical stride that is not its width",
		source: func(o *operand, n, _ int) bool {
			return o.width == n && n > 1 && o.hstride != 0 && o.vstride != o.width*o.hstride
		}},
	{what: "rows of one element, and a horizontal stride",
		source: func(o *operand, _, _ int) bool { return o.width == 1 && o.hstride != 0 }},
	{what: "one element, and a stride",
		source: func(o *operand, n, size int) bool {
			return n == 1 && o.width == 1 && o.vstride|o.hstride != 0
		}},
	{what: "no strides, and rows of several elements",
		source: func(o *operand, _, _ int) bool { return o.width > 1 && o.vstride == 0 && o.hstride == 0 }},
	{what: "a row that crosses a register",
		source: func(o *operand, n, size int) bool {
			for first := 0; first < n; first += o.width {
				at := int(o.sub) + first/o.width*o.vstride*o.typ.Size()
				last := at + (min(o.width, n)-1)*o.hstride*o.typ.Size()
				if at/size != last/size {
					return true
				}
			}
			return false
		}},
	{what: "more than two registers",
		source: func(o *operand, n, size int) bool {
			a := o.sourceAccess(n)
			return (int(o.sub)+a.reach(n))/size > 1
		},
		dest: func(o *operand, n, size int) bool {
			return (int(o.sub)+(n-1)*o.hstride*o.typ.Size())/size > 1
		}},
}

// firstEOT is the first register that the payload of a message may begin in which ends the thread.
const firstEOT = 112

// brokenEnd is what a message that ends the thread has that it must not.
func (in *Inst) brokenEnd() string {
	first, second, _ := in.messageLengths()
	for i, length := range []int{first, second} {
		if o := &in.src[i]; in.eot && length > 0 && o.place == inGRF && o.reg < firstEOT {
			return "a message that ends the thread has a payload below r112"
		}
	}
	return ""
}

// brokenRule is what a region of the instruction has that it must not; "" if all are as they should be.
func (in *Inst) brokenRule() string {
	switch in.Op.form {
	case formSend, formSends, formSendXe:
		return in.brokenEnd()
	case formBasic, formMath:
	default:
		return ""
	}
	if in.isMacro() {
		return ""
	}
	for _, r := range regionRules {
		if o := &in.dst; o.place == inGRF && r.dest != nil && r.dest(o, in.width, in.gen.regBytes) {
			return "the destination has " + r.what
		}
		for i := range in.sourceCount() {
			if o := &in.src[i]; o.place == inGRF && o.vstride != perChannel &&
				r.source(o, in.width, in.gen.regBytes) {
				return "a source has " + r.what
			}
		}
	}
	return ""
}

// divides reports whether the instruction is a division of integers.
func (in *Inst) divides() bool { return in.Op.form == formMath && mathIntOps[in.cond] != nil }

// comparesRemainder reports whether the instruction is the step of IGC's division of 64-bit integers, bit by
// bit, that tells whether the divisor goes into the remainder: that is what there was, moved up, and the next
// bit of the dividend.
func (in *Inst) comparesRemainder(before []Inst) bool {
	if in.Op.Name != "cmp" || in.cond != condLess || in.src[0].typ != UQ || in.src[1].typ != UQ {
		return false
	}
	is := func(o *operand, n int, name string) (made *Inst, at int) {
		if at = maker(before[:n], o); at >= 0 && before[at].Op.Name == name {
			return &before[at], at
		}
		return nil, 0
	}
	one := func(o *operand) bool { return o.place == immediate && o.imm == 1 }
	sum, at := is(&in.src[0], len(before), "or")
	if sum == nil {
		return false
	}
	for i := range 2 {
		bit, n := is(&sum.src[i], at, "and")
		rest, _ := is(&sum.src[1-i], at, "shl")
		if bit == nil || rest == nil || !one(&bit.src[1]) || !one(&rest.src[1]) {
			continue
		}
		if moved, _ := is(&bit.src[0], n, "shr"); moved != nil {
			return true
		}
	}
	return false
}

// condLess is the condition "lt".
const condLess = 5

// maker is which of some instructions is the last that writes elements from where an operand has its first
// on, in a general register; -1 if none does.
func maker(before []Inst, o *operand) int {
	for i := range slices.Backward(before) {
		to := &before[i].dst
		if o.place == inGRF && to.place == inGRF && to.reg == o.reg && to.sub == o.sub {
			return i
		}
	}
	return -1
}

// judged wraps what executes an instruction that may be undefined, behind those of its block before it.
func (in *Inst) judged(c *Core, before []Inst) {
	if in.exec == nil {
		return
	}
	rule, divides := in.brokenRule(), in.divides()
	hidden, what := c.hiddenDivision(in, before)
	if rule == "" && !divides && hidden == nil {
		return
	}
	execute := in.exec
	in.watched = true
	in.exec = func(c *Core, in *Inst) {
		mask, stop := uint64(c.channels(in)), false
		if rule != "" && mask != 0 {
			stop = c.undefined(in, mask, rule)
		}
		if divides {
			zero, beyond := c.quotients(in, mask)
			if zero != 0 {
				stop = c.undefined(in, zero, byZero) || stop
			}
			if beyond != 0 {
				stop = c.undefined(in, beyond, "a quotient of integers is out of range") || stop
			}
		}
		if hidden != nil {
			if zero := hidden(c, in); zero != 0 {
				stop = c.undefined(in, zero, what) || stop
			}
		}
		execute(c, in)
		if stop && c.stop.Kind == simt.NoEvent {
			c.stop.Kind, c.stop.Lanes = simt.WatchEvent, c.w.Exec
		}
	}
}

const (
	byZero     = "an integer is divided by zero"
	longByZero = "an integer of 64 bits is divided by zero"
)

// zeros are the channels, of some, in which a source is zero.
func (c *Core) zeros(in *Inst, source int, mask uint64) (zero uint64) {
	var v ints
	c.loadInts(in, source, &v)
	for m := mask; m != 0; m &= m - 1 {
		if k := bits.TrailingZeros64(m); v[k] == 0 {
			zero |= 1 << k
		}
	}
	return zero
}

// quotients are the channels of a division, of some, that divide by zero, and those whose quotient is out of
// range, which is the least number's by -1.
func (c *Core) quotients(in *Inst, mask uint64) (zero, beyond uint64) {
	var of, by ints
	c.loadInts(in, 0, &of)
	c.loadInts(in, 1, &by)
	modifyInts(in, &in.src[0], &of)
	modifyInts(in, &in.src[1], &by)
	least := int64(math.MinInt64) >> (64 - 8*in.src[0].typ.Size())
	for m := mask; m != 0; m &= m - 1 {
		switch k := bits.TrailingZeros64(m); {
		case by[k] == 0:
			zero |= 1 << k
		case by[k] == -1 && of[k] == least:
			beyond |= 1 << k
		}
	}
	return zero, beyond
}

// undefined tells judges of channels of an instruction, from its first on. It reports whether the thread is
// to stop.
func (c *Core) undefined(in *Inst, mask uint64, what string) (stop bool) {
	return c.m.Undefined(&simt.Undefined{Wave: c.w, PC: in.PC, Text: what,
		Lanes: cmp.Or(mask<<in.first&c.w.Valid, c.w.Valid&-c.w.Valid)})
}
