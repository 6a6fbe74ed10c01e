package spirv

import "simtgdb/simt"

// computesFloats are the opcodes that do, if their results are floats.
var computesFloats = opcodes([][2]uint16{{opFConvert}, {opFAdd}, {opFSub}, {opFMul}, {opFDiv},
	{opFRem, opFMod}, {opVectorTimesScalar, opDot}})

// makesFloats are the operations that compute floats, and from which operand on they do it of what they have:
// additions to dot products, conversions, and functions of the instruction sets.
func (in *inst) makesFloats() (from int, ok bool) {
	switch {
	case in.raw.op == opExtInst:
		return 2, true
	case computesFloats[in.raw.op]:
		return 0, true
	}
	return 0, false
}

// floatValue reports whether a value is a float or several, and of how many bits each.
func (v *value) floatValue() (width uint, ok bool) {
	if v == nil || v.typ.slots == 0 {
		return 0, false
	}
	t := v.typ
	for t.kind != kFloat {
		if t.elem == nil || t.kind == kPointer {
			return 0, false
		}
		t = t.elem
	}
	return v.leafWidth(), true
}

// made is an instruction under way that may make a NaN or an infinity of finite numbers.
type made struct {
	in     *inst
	result *value
	width  uint
	finite uint64 // the lanes in which all operands are
}

// beginFloats looks at what an instruction computes floats of.
func (c *core) beginFloats(in *inst) (m made) {
	from, ok := in.makesFloats()
	if !ok || in.raw.res == 0 {
		return m
	}
	result := c.p.values[in.raw.res]
	width, ok := result.floatValue()
	if !ok {
		return m
	}
	m = made{in, result, width, c.mask}
	for i := from; i < len(in.raw.args); i++ {
		v := c.p.values[in.raw.args[i]]
		w, ok := v.floatValue()
		if !ok {
			continue
		}
		for k := range v.typ.slots {
			row := c.one(v.slot + int32(k))
			simt.Lanes(m.finite, func(l int) {
				if !simt.IsFinite(row[l], w) {
					m.finite &^= 1 << l
				}
			})
		}
	}
	return m
}

// endFloats tells of lanes in which it has made a NaN or an infinity. It reports whether the wave is to stop.
func (c *core) endFloats(m made) (stop bool) {
	if m.finite == 0 || c.stop.Kind == simt.FaultEvent {
		return false
	}
	for k := range m.result.typ.slots {
		row := c.one(m.result.slot + int32(k))
		stop = c.m.MadeOf(c.w, m.in.pc, m.finite, m.width, func(l int) uint64 { return row[l] }) || stop
	}
	return stop
}
