package gen

import (
	"math"
	"math/bits"

	"simtgdb/simt"
)

// makesFloats reports whether an instruction computes floats and puts them where they can be read as they
// are. The steps of a division and a root, madm, have what their first, a macro of math, has found already.
func (in *Inst) makesFloats() bool {
	return types[in.dst.typ].float && in.dst.place == inGRF && in.Op.Name != "madm" && in.Op.Name != "mov" &&
		(in.computes() && in.floatOp != nil && in.kind != kindInt || in.Op.form == formMath && in.isMacro())
}

// noticed wraps what executes an instruction that may make a NaN or an infinity of finite numbers: whoever
// looks for that is told of it.
func (in *Inst) noticed() {
	if in.exec == nil || !in.makesFloats() {
		return
	}
	execute := in.exec
	in.watched = true
	in.exec = func(c *Core, in *Inst) {
		finite := c.finiteChannels(in, c.channels(in))
		if execute(c, in); finite == 0 || c.stop.Kind == simt.FaultEvent {
			return
		}
		stop := c.m.MadeOf(c.w, in.PC, uint64(finite)<<in.first&c.w.Valid, 64, func(lane int) uint64 {
			return math.Float64bits(c.floatAt(&in.dst, lane-in.first))
		})
		if stop && c.stop.Kind == simt.NoEvent {
			c.stop.Kind, c.stop.Lanes = simt.WatchEvent, c.w.Exec
		}
	}
}

// finiteChannels are those of some channels in which all sources are finite.
func (c *Core) finiteChannels(in *Inst, mask uint32) uint32 {
	var v floats
	for i := range in.sourceCount() {
		if !types[in.src[i].typ].float || mask == 0 {
			continue
		}
		if in.src[i].place == indirect {
			return 0
		}
		c.loadFloats(in, i, &v)
		for m := mask; m != 0; m &= m - 1 {
			if k := bits.TrailingZeros32(m); math.IsNaN(v[k] - v[k]) {
				mask &^= 1 << k
			}
		}
	}
	return mask
}

// floatAt is the float that an operand has for a channel.
func (c *Core) floatAt(o *operand, k int) float64 {
	at := o.layout.base + k*o.layout.step
	if o.layout.table != nil {
		at = int(o.layout.table[k])
	}
	return readFloat(c.r.file[at:], o.typ)
}
