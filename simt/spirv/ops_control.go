package spirv

import (
	"sync"

	"simtgdb/simt"
)

// Control flow, synchronisation and extended instructions (sections 3.42.17, 3.42.20, 3.42.4).

var controlBuilders = sync.OnceValue(func() map[uint16]func(*builder) (*inst, error) {
	return map[uint16]func(*builder) (*inst, error){
		opBranch: buildBranch, opBranchConditional: buildBranchConditional, opSwitch: buildSwitch,
		opUnreachable: buildEnd, opReturn: buildReturn, opReturnValue: buildReturn,
		opFunctionCall: buildCall, opControlBarrier: buildBarrier, opMemoryBarrier: buildFence,
		opAssumeTrueKHR: buildNothing, opExpectKHR: buildCopy,
		opExtInst: buildExtInst, opReadClockKHR: buildClock,
	}
})

func buildNothing(*builder) (*inst, error) { return &inst{exec: execNothing}, nil }

// edgeTo is the way to a block.
func (b *builder) edgeTo(label uint32) (*edge, error) {
	to := b.f.labels[label]
	if to == nil {
		return nil, b.errorf("leads to %%%d, which is no block of the function", label)
	}
	return b.p.edge(b.blk, to)
}

func (b *builder) edges(labels ...uint32) ([]*edge, error) {
	var es []*edge
	for _, l := range labels {
		e, err := b.edgeTo(l)
		if err != nil {
			return nil, err
		}
		es = append(es, e)
	}
	return es, nil
}

func buildBranch(b *builder) (*inst, error) {
	es, err := b.edges(b.in.args[0])
	return &inst{edges: es, flags: moves, exec: execBranch}, err
}

// condition is operand 0, one scalar of a kind.
func (b *builder) condition(k kind) (*value, error) {
	v, err := b.value(0)
	if err != nil {
		return nil, err
	}
	if v.typ.kind != k {
		return nil, b.errorf("decides by %%%d, which is of another type", b.in.args[0])
	}
	return v, nil
}

func buildBranchConditional(b *builder) (*inst, error) {
	v, err := b.condition(kBool)
	if err != nil {
		return nil, err
	}
	es, err := b.edges(b.in.args[1:3]...)
	return &inst{a: v.slot, edges: es, flags: moves, exec: execBranchConditional}, err
}

func buildSwitch(b *builder) (*inst, error) {
	v, err := b.condition(kInt)
	if err != nil {
		return nil, err
	}
	values, labels, err := b.p.switchCases(b.in)
	if err != nil {
		return nil, err
	}
	es, err := b.edges(append([]uint32{b.in.args[1]}, labels...)...)
	return &inst{a: v.slot, edges: es, cases: values, imm: v.typ.mask(), flags: moves, exec: execSwitch}, err
}

func buildEnd(*builder) (*inst, error) { return &inst{flags: moves, exec: execKill}, nil }

func buildReturn(b *builder) (*inst, error) {
	i := &inst{flags: moves, exec: execReturn}
	if b.in.op == opReturn {
		return i, nil
	}
	v, err := b.value(0)
	if err != nil {
		return nil, err
	}
	if v.typ.slots != b.f.result.slots {
		return nil, b.errorf("has a value of another type than its function returns")
	}
	i.a, i.n = v.slot, int32(v.typ.slots)
	return i, nil
}

func buildCall(b *builder) (*inst, error) {
	id, err := b.arg(0)
	if err != nil {
		return nil, err
	}
	f := b.p.functions[id]
	if f == nil {
		return nil, b.errorf("calls %%%d (%q), which has no body in the module", id, b.p.names[id])
	}
	vs, err := b.values(1)
	if err != nil {
		return nil, err
	}
	if len(vs) != len(f.params) {
		return nil, b.errorf("has %d arguments, the function has %d parameters", len(vs), len(f.params))
	}
	if b.typ == nil || f.result == nil || b.typ.slots != f.result.slots {
		return nil, b.errorf("has a result of another type than the function")
	}
	i := &inst{fn: f, flags: moves, exec: execCall}
	var copies []func(*core, *inst)
	for k, v := range vs {
		p := b.p.values[f.params[k].res]
		if p == nil || p.typ.slots != v.typ.slots {
			return nil, b.errorf("has argument %d of another type than the parameter", k)
		}
		from := v.slot
		if c, ok := b.p.copies[f.params[k].res]; ok && v.typ.kind == kPointer {
			copies = append(copies, b.copyOf(c, v))
			from = c.slot
		}
		i.args = append(i.args, p.slot, from, int32(v.typ.slots))
	}
	if len(copies) == 0 {
		return i, nil
	}
	return &inst{then: i, flags: faults, exec: func(c *core, in *inst) {
		for _, x := range copies {
			if x(c, in); c.stop.Kind == simt.FaultEvent {
				return
			}
		}
	}}, nil
}

// copyOf makes what copies an object that is passed by value: what the callee stores stays its own.
func (b *builder) copyOf(to passed, v *value) func(c *core, in *inst) {
	ptr := v.ptr
	if ptr == nil {
		ptr = &pointer{}
	}
	src := &access{space: v.leadsTo(ptr), ptr: v.slot, known: ptr.known, at: ptr.at}
	dst := &access{space: scratch, known: true, at: to.at, write: true}
	var sizes [simt.MaxLanes]uint64
	for l := range sizes {
		sizes[l] = to.size
	}
	return func(c *core, in *inst) { c.copyBytes(in, dst, src, sizes[:c.lanes]) }
}

// buildBarrier makes ControlBarrier: of the workgroup or, for the lanes of a wave, which are together anyway,
// nothing.
func buildBarrier(b *builder) (*inst, error) {
	const workgroup = 2
	id, err := b.arg(0)
	if err != nil {
		return nil, err
	}
	i := &inst{flags: faults, meets: true, exec: execBarrier}
	i.scope, i.order, i.spaces = b.ordering(1)
	if scope, ok := b.p.constantUint(id); ok && scope > workgroup {
		i.flags, i.meets, i.exec = 0, false, execWaveBarrier
	}
	return i, nil
}

// buildClock makes ReadClock: the instructions that the wave has executed, which is the machine's time.
func buildClock(b *builder) (*inst, error) {
	at, split := len(b.blk.insts), b.typ.slots == 2
	return &inst{exec: func(c *core, in *inst) {
		now := c.w.Insts + uint64(at-c.from)
		if split {
			c.fill(in.d, now&0xffffffff)
			c.fill(in.d+1, now>>32)
		} else {
			c.fill(in.d, now)
		}
	}}, nil
}

// sets has what makes the instructions of extended sets.
var sets = map[string]func(b *builder, number uint32) (*inst, error){
	"GLSL.std.450":            buildGLSL,
	"OpenCL.std":              buildOpenCL,
	"NonSemantic.DebugPrintf": buildPrintf,
}

// buildExtInst makes an instruction of an extended set. Those of non-semantic sets and of debug information
// do
// nothing.
func buildExtInst(b *builder) (*inst, error) {
	if len(b.in.args) < 2 {
		return nil, b.errorf("has no set and number")
	}
	name, ok := b.p.imports[b.in.args[0]]
	if !ok {
		return nil, b.errorf("is of set %%%d, which is not imported", b.in.args[0])
	}
	number := b.in.args[1]
	if build := sets[name]; build != nil {
		in := *b.in
		in.args = in.args[2:]
		sub := *b
		sub.in = &in
		return build(&sub, number)
	}
	if silentSet(name) {
		return nil, nil
	}
	return nil, b.errorf("is of set %q, which the machine does not have", name)
}

func silentSet(name string) bool {
	const prefix = "NonSemantic."
	return len(name) >= len(prefix) && name[:len(prefix)] == prefix || name == "OpenCL.DebugInfo.100" ||
		name == "DebugInfo" || name == "SPIRV.debug"
}
