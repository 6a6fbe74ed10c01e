package ptx

import "simtgdb/simt"

// Which variables addresses are computed from, for observers that want to know ([simt.Following]): the
// text names them wherever it takes an address, and moves and sums keep it. Of what comes from memory,
// and of the variables that the compiler has put into the frame, nothing is known.

// keeping is what an instruction's result is the address of.
type keeping uint8

const (
	keepsNothing    keeping = iota
	keepsOne                // the variable of its operands, if they have one
	keepsBoth               // the same, if all of two have one
	comesFromMemory         // it is in regs
)

// keepers are the instructions whose result is in the variable that an operand is in.
var keepers = map[string]keeping{"mov": keepsOne, "cvta": keepsOne, "cvt": keepsOne, "add": keepsOne,
	"sub": keepsOne, "mad": keepsOne, "selp": keepsBoth,
	"ld": comesFromMemory, "ldu": comesFromMemory, "atom": comesFromMemory}

// What a register has if it is no variable's address; nil if nothing has been written to it.
var (
	unknown = &simt.Object{} // what nothing is known of
	several = &simt.Object{} // what is computed from more than one variable, or of one in some lanes
)

// objectOf is the variable whose address a source is; nil if it is none's.
func (c *Core) objectOf(s *source) *simt.Object {
	switch {
	case s.kind == fromImm:
		return s.of
	case s.kind == fromReg && c.act.of != nil && c.act.of[s.n] != unknown:
		return c.act.of[s.n]
	}
	return nil
}

// meant is the variable that an access is meant for; nil if that is not known, as of a texture, whose
// variable says where its texels are.
func (c *Core) meant(in *inst) *simt.Object {
	if !c.tracing || in.picture != nil {
		return nil
	}
	o := c.objectOf(&in.s[0])
	if m := c.isa.aims(c.act.fn); !m.dynamic {
		o = m.object(&in.s[0])
	}
	if o != several {
		return o
	}
	return nil
}

// trace notes what the results of an instruction are addresses of.
func (c *Core) trace(in *inst, mask uint32) {
	if in.keeps == comesFromMemory {
		for _, n := range in.regs[:in.elements] {
			c.setObject(n, nil, mask)
		}
	}
	c.setObject(in.dst2, nil, mask)
	var o *simt.Object
	if in.keeps == keepsOne || in.keeps == keepsBoth {
		o = objectOfSum(in.keeps, [3]*simt.Object{c.objectOf(&in.s[0]), c.objectOf(&in.s[1]),
			c.objectOf(&in.s[2])})
	}
	c.setObject(in.dst, o, mask)
}

// objectOfSum is the variable whose address comes of operands with those of variables, or none.
func objectOfSum(k keeping, of [3]*simt.Object) *simt.Object {
	a, b, third := of[0], of[1], of[2]
	switch {
	case k == keepsBoth && a != b, a != nil && b != nil && k == keepsOne,
		third != nil && (a != nil || b != nil):
		return several
	case a != nil:
		return a
	case b != nil:
		return b
	}
	return third
}

// setObject notes of the lanes of a mask that they have the address of a variable in a register.
func (c *Core) setObject(n int32, o *simt.Object, mask uint32) {
	if n < 0 {
		return
	}
	a := c.act
	if a.of == nil {
		a.of = make([]*simt.Object, len(a.r))
		if c.at != a.fn.start { // what has been written before nobody has seen
			for i := range a.of {
				a.of[i] = unknown
			}
		}
	}
	if o == nil {
		o = unknown
	}
	if a.lanes&c.st.alive()&^mask != 0 && a.of[n] != nil && a.of[n] != o { // other lanes have what they had
		o = several
	}
	a.of[n] = o
}
