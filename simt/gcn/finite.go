package gcn

import (
	"strings"

	"simtgdb/simt"
)

// floatWidths are the bits of a float of an operand's type; of others 0.
var floatWidths = [typCount]uint{f16: 16, f32: 32, f64: 64}

// makesFloats reports whether an instruction computes floats of others or of integers, in a form of which the
// operands can be read as they are: without DPP and SDWA, and not several at once.
func (in *Inst) makesFloats() bool {
	if !in.form.isVectorALU() || floatWidths[in.dst.typ] == 0 || in.dst.kind != vectorReg ||
		in.Op.flag&matrix != 0 {
		return false
	}
	if in.mod != nil && (in.mod.sdwa != nil || in.mod.dpp != nil || in.mod.opSel != 0) {
		return false
	}
	for i := range in.src {
		if t := in.src[i].typ; t.isFloat() && floatWidths[t] == 0 {
			return false
		}
	}
	// the steps of a division have what its last puts right
	return !strings.HasPrefix(in.Op.Name, "v_div_scale_") && !strings.HasPrefix(in.Op.Name, "v_div_fmas_")
}

// noticed wraps what executes an instruction that may make a NaN or an infinity of finite numbers: whoever
// looks for that is told of it.
func (in *Inst) noticed() func(*Core, *Inst) {
	execute := in.exec
	if !in.makesFloats() {
		return execute
	}
	first := 0
	if strings.HasPrefix(in.Op.Name, "v_div_fixup_") {
		first = 1 // before divisor and dividend stands what the steps have come to
	}
	return func(c *Core, in *Inst) {
		finite := c.w.Exec
		for i := first; i < len(in.src); i++ {
			finite = c.finiteLanes(&in.src[i], finite)
		}
		if in.Op.flag&readsDst != 0 {
			finite = c.finiteLanes(&in.dst, finite)
		}
		if execute(c, in); finite == 0 || c.faulted() {
			return
		}
		c.stopFollowing(c.m.MadeOf(c.w, in.PC, finite, floatWidths[in.dst.typ],
			func(l int) uint64 { return c.floatOf(&in.dst, l) }), in)
	}
}

// finiteLanes are those of some lanes in which an operand is a finite float, or none at all.
func (c *Core) finiteLanes(o *operand, lanes uint64) (finite uint64) {
	width := floatWidths[o.typ]
	if width == 0 {
		return lanes
	}
	simt.Lanes(lanes, func(l int) {
		if simt.IsFinite(c.floatOf(o, l), width) {
			finite |= 1 << l
		}
	})
	return finite
}

// floatOf are the bits of a float operand in a lane.
func (c *Core) floatOf(o *operand, l int) (v uint64) {
	wide := o.typ == f64
	switch o.kind {
	case vectorReg:
		v = uint64(c.r.V[o.reg][l])
		if wide {
			v |= uint64(c.r.V[o.reg+1][l]) << 32
		}
		if o.half && o.typ == f16 {
			v >>= 16
		}
	case constant:
		return o.imm
	default:
		if v = uint64(c.s32(o)); wide {
			v = pair(c.r, uint8(o.reg))
		}
	}
	return v
}
