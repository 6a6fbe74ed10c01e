package ptx

import (
	"strings"

	"simtgdb/simt"
	"simtgdb/simt/vec"
)

// A builtinCall is a call of a function that the program does not define, by some lanes.
type builtinCall struct {
	c       *Core
	in      *inst
	mask    uint32
	args    []argument
	results []source
	params  []Var    // of the function, for sizes
	result  vec.Wide // of the function, if it has one
}

// An argument of a call to a function that the machine has: the value in each lane.
type argument struct{ v vec.Wide }

// builtin is the function of a name that the machine has, or nil.
func builtin(name string) func(c *Core, call *builtinCall) error {
	if f := systemFunctions[name]; f != nil {
		return f
	}
	return deviceFunction(name)
}

// runUndefined is what happens to lanes that come into an undefined function otherwise than by a call.
func runUndefined(c *Core, in *inst, mask uint32) {
	c.fault(simt.Fault{Kind: simt.IllegalInstruction, Lanes: uint64(mask), Text: in.src.Text})
}

// whyUndefined says of a function why it is not there. Kernels launch others by those of one library.
func whyUndefined(name string) string {
	for _, of := range []string{"cudaLaunchDevice", "cudaGetParameterBuffer", "cudaCDP"} {
		if strings.HasPrefix(name, of) {
			return "which is not defined: kernels that launch kernels (dynamic parallelism) " +
				"are not simulated"
		}
	}
	return "which is not defined"
}

// callUndefined calls a function that the machine has.
func (c *Core) callUndefined(p *path, in *inst, fn *function, mask uint32) {
	if fn.run == nil {
		c.fault(simt.Fault{Kind: simt.IllegalInstruction, Lanes: uint64(mask),
			Text: "call of " + fn.src.Name + ", " + whyUndefined(fn.src.Name)})
		return
	}
	info := in.call
	call := &builtinCall{c: c, in: in, mask: mask, results: info.results, params: fn.src.Params}
	if len(info.args) != len(fn.src.Params) || len(info.results) > 1 {
		c.fault(simt.Fault{Kind: simt.IllegalInstruction, Lanes: uint64(mask),
			Text: in.src.Text + " passes other arguments than " + fn.src.Name + " takes"})
		return
	}
	for i := range info.args {
		call.args = append(call.args, c.argument(&info.args[i], int(fn.src.Params[i].Size), mask))
	}
	if err := fn.run(c, call); err != nil {
		if c.stop.Kind == simt.NoEvent {
			c.fault(simt.Fault{Kind: simt.IllegalInstruction, Lanes: uint64(mask),
				Text: fn.src.Name + ": " + err.Error()})
		}
		return
	}
	if width := deviceFloats[strings.TrimPrefix(fn.src.Name, devicePrefix)]; width != 0 && c.noticed {
		call.judgeFloats(uint(width))
	}
	for i, s := range info.results {
		if s.kind == fromFrame && i < len(fn.src.Results) {
			size := min(fn.src.Results[i].Size, 8)
			c.w.GrowScratch((c.act.base + s.off + 8) * warpSize)
			if c.m.Ordered() {
				c.tellWritten(c.act.base+s.off, size, mask, nil, 0)
			}
			for m := mask; m != 0; m &= m - 1 {
				l := first(m)
				c.storeLocal(l, c.act.base+s.off, int(size), call.result[l])
			}
		}
	}
	p.pc = c.at + 1
}

// judgeFloats tells of lanes in which a function of floats has made a NaN or an infinity of finite ones.
func (b *builtinCall) judgeFloats(width uint) {
	finite := b.mask
	for m := b.mask; m != 0; m &= m - 1 {
		for i := range b.args {
			if l := first(m); !simt.IsFinite(b.args[i].v[l], width) {
				finite &^= 1 << l
			}
		}
	}
	stop := b.c.m.MadeOf(b.c.w, b.c.isa.addr(b.c.at), uint64(finite), width, func(l int) uint64 { return b.result[l] })
	b.c.watch = b.c.watch || stop
}

// argument reads an argument of at most eight bytes.
func (c *Core) argument(s *source, size int, mask uint32) (a argument) {
	if s.kind != fromFrame {
		in := inst{s: [5]source{*s}}
		a.v = *c.value(&in, 0)
		return a
	}
	c.w.GrowScratch((c.act.base + s.off + 8) * warpSize)
	for m := mask; m != 0; m &= m - 1 {
		l := first(m)
		a.v[l] = c.loadLocal(l, c.act.base+s.off, min(size, 8))
	}
	return a
}

// each computes the result lane by lane.
func (b *builtinCall) each(f func(l int) uint64) {
	for m := b.mask; m != 0; m &= m - 1 {
		l := first(m)
		b.result[l] = f(l)
	}
}
