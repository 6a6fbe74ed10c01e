package ptx

import (
	"strings"

	"simtgdb/simt"
	"simtgdb/simt/ptx/libdevice"
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
	if f := libdevice.Lookup(name); f != nil {
		return func(c *Core, call *builtinCall) error { return call.ofLibrary(c, f) }
	}
	return nil
}

// ofLibrary calls a function of the device library lane by lane.
func (b *builtinCall) ofLibrary(c *Core, f *libdevice.Function) error {
	v, memory := append(c.libraryArgs[:0], make([]uint64, len(b.args))...), c.memoryOf(0)
	for m := b.mask; m != 0; m &= m - 1 {
		l := first(m)
		memory.lane = l
		for i := range b.args {
			v[i] = b.args[i].v[l]
		}
		var err error
		if b.result[l], err = f.Call(v, memory); err != nil {
			return err
		}
	}
	if f.FloatBits != 0 && c.noticed {
		b.judgeFloats(f.FloatBits)
	}
	return nil
}

// A laneMemory is what generic addresses of a lane lead to. Nobody observes what is done with it.
type laneMemory struct {
	c    *Core
	lane int
}

func (c *Core) memoryOf(lane int) *laneMemory { return &laneMemory{c, lane} }

func (m *laneMemory) Read(addr uint64, p []byte) error  { return m.access(addr, p, false) }
func (m *laneMemory) Write(addr uint64, p []byte) error { return m.access(addr, p, true) }

func (m *laneMemory) access(addr uint64, p []byte, write bool) error {
	var err error
	switch w := m.c.w; {
	case addr-SharedWindow < windowSize && write:
		_, err = w.Group.WriteLDS(addr-SharedWindow, p)
	case addr-SharedWindow < windowSize:
		_, err = w.Group.ReadLDS(addr-SharedWindow, p)
	case addr-LocalWindow < windowSize && write:
		_, err = w.WriteScratch(m.lane, addr-LocalWindow, p)
	case addr-LocalWindow < windowSize:
		_, err = w.ReadScratch(m.lane, addr-LocalWindow, p)
	case write:
		_, err = m.c.mem.Write(addr, p)
	default:
		_, err = m.c.mem.Read(addr, p)
	}
	return err
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
	call := &c.call
	*call = builtinCall{c: c, in: in, mask: mask, args: call.args[:0], results: info.results,
		params: fn.src.Params}
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
	stop := b.c.m.MadeOf(b.c.w, b.c.isa.addr(b.c.at), uint64(finite), width,
		func(l int) uint64 { return b.result[l] })
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
