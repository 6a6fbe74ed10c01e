package ptx

import (
	"strings"

	"simtgdb/simt"
)

// A floatResult says what floats a statement makes of what.
type floatResult struct {
	width, source uint8 // bits; no width for others, no source where those are integers
	sources       int
}

// computesFloats are the statements that compute floats, by how many sources they have.
var computesFloats = map[string]int{"add": 2, "sub": 2, "mul": 2, "div": 2, "fma": 3, "mad": 3, "rcp": 1,
	"sqrt": 1, "rsqrt": 1, "sin": 1, "cos": 1, "lg2": 1, "ex2": 1, "tanh": 1, "cvt": 1}

var floatBits = map[string]uint8{"f16": 16, "f32": 32, "f64": 64}

// floatsOf is what floats a statement makes.
func floatsOf(op string) floatResult {
	parts := strings.Split(op, ".")
	n, last := computesFloats[parts[0]], parts[len(parts)-1]
	switch {
	case n == 0:
		return floatResult{}
	case parts[0] == "cvt" && len(parts) > 2:
		return floatResult{floatBits[parts[len(parts)-2]], floatBits[last], n}
	}
	return floatResult{floatBits[last], floatBits[last], n}
}

// finiteLanes are those of some lanes in which all sources of a statement that makes floats are finite.
func (c *Core) finiteLanes(in *inst, mask uint32) uint32 {
	for i := 0; i < in.makes.sources && in.makes.source != 0; i++ {
		v := c.value(in, i)
		for rest := mask; rest != 0; rest &= rest - 1 {
			if l := first(rest); !simt.IsFinite(v[l], uint(in.makes.source)) {
				mask &^= 1 << l
			}
		}
	}
	return mask
}

// made tells of lanes in which a statement has made a NaN or an infinity of finite numbers.
func (c *Core) made(in *inst, finite uint32) {
	if finite == 0 || in.dst < 0 || c.stop.Kind == simt.FaultEvent {
		return
	}
	d := &c.act.r[in.dst]
	stop := c.m.MadeOf(c.w, c.isa.addr(c.at), uint64(finite), uint(in.makes.width),
		func(l int) uint64 { return d[l] })
	c.watch = c.watch || stop
}
