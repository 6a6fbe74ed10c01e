package spirv

import (
	"slices"

	"simtgdb/simt/contents"
	"simtgdb/simt/fidelity"
)

// Where the results of inexact instructions go, for package fidelity: of each slot, in each lane. What an
// instruction does with values is what package contents is told, with all that each result comes from.

// FollowsInexact implements fidelity.Machine.
func (isa *ISA) FollowsInexact() string {
	return "what docs/fidelity.md lists of SPIR-V as inexact"
}

var _ fidelity.Machine = (*ISA)(nil)

// traced are the slots of a wave. It implements fidelity.Values.
type traced struct {
	*fidelity.Rows
	values
}

// origins are those of the wave.
func (c *core) origins() *fidelity.Rows {
	fresh := func() any { return fidelity.NewRows(c.tracker, c.p.slots) }
	return c.tracker.Registers(c.w, fresh).(*fidelity.Rows)
}

// runTraced executes an instruction and follows where its values come from.
func (c *core) runTraced() uint64 {
	in := &c.s.b.insts[c.s.i]
	flow := c.flows[in.raw]
	if flow == nil {
		if flow = c.p.flow(in); c.flows == nil {
			c.flows = map[*raw]*fidelity.Flow{}
		}
		c.flows[in.raw] = flow
	}
	c.traced = traced{c.origins(), values{nil, c, in}}
	lanes := c.mask
	c.trace.Begin(c.tracker, &c.traced, flow, lanes, lanes)
	c.met = 0
	n := c.runInsts(1)
	if c.stop.Fault == nil {
		c.trace.End()
		c.metOrigins(flow, lanes)
	}
	return n
}

// leaveOrigins keeps where n slots come from that the wave leaves for its workgroup.
func (c *core) leaveOrigins(to, from, n int32) {
	var of fidelity.Lanes
	for k := range n {
		c.origins().From(contents.Operand(from+k), c.mask, &of)
	}
	var all fidelity.Origins
	for _, o := range of {
		all = c.tracker.Union(all, o)
	}
	if c.s.left == nil {
		c.s.left = map[int32]fidelity.Origins{}
	}
	c.s.left[to] = all
}

// metOrigins adds to what an instruction has given in some lanes where it comes from that others have left.
func (c *core) metOrigins(flow *fidelity.Flow, lanes uint64) {
	if c.met == 0 {
		return
	}
	for i := range flow.Moves {
		var from fidelity.Lanes
		c.origins().From(flow.Moves[i].To, lanes, &from)
		c.tracker.JoinAll(&from, c.met, lanes)
		c.origins().Came(flow.Moves[i].To, lanes, &from)
	}
}

// moveOrigins is moveKnown for origins.
func (c *core) moveOrigins(dst, src, n int32, lanes uint64) {
	r := c.origins()
	for k := range n {
		var from fidelity.Lanes
		r.From(contents.Operand(src+k), lanes, &from)
		r.Came(contents.Operand(dst+k), lanes, &from)
	}
}

// phiOrigins is movePhis for origins.
func (c *core) phiOrigins(e *edge, lanes uint64) {
	r := c.origins()
	var all []fidelity.Lanes
	for _, k := range e.copies {
		for i := range k.n {
			all = append(all, fidelity.Lanes{})
			r.From(contents.Operand(k.src+i), lanes, &all[len(all)-1])
		}
	}
	at := 0
	for _, k := range e.copies {
		for i := range k.n {
			r.Came(contents.Operand(k.dst+i), lanes, &all[at])
			at++
		}
	}
}

// flow is what an instruction does with values, with all that each result comes from.
func (p *Program) flow(in *inst) *fidelity.Flow {
	d := &doing{p: p, in: in.raw}
	f := &fidelity.Flow{Inst: *p.does(in.raw), PC: in.pc, Text: fidelity.Text(instText(in.raw)),
		Far: p.far(in.raw), Mixes: mixing[in.raw.op], Guards: contents.Constant}
	switch {
	case in.raw.op == opImageWrite:
		f.Address, f.Data = slices.Concat(d.operands(0), d.operands(1)), d.operands(2)
		for i := 4; i < len(in.raw.args); i++ { // behind which of them there are
			f.Address = append(f.Address, d.operands(i)...)
		}
	case reading[in.raw.op]:
		f.Address = d.named()
	case len(f.Moves) == 0 && f.Address == nil: // what it may store, as vstore4 does
		f.Data = d.named()
	}
	for k := range f.Moves {
		m := &f.Moves[k]
		if m.Logic = nil; len(m.From) > 0 {
			continue
		}
		if in.raw.op == opExtInst && p.lanewise(in.raw) {
			for i := range in.raw.args[2:] {
				m.From = append(m.From, d.operand(2+i, k))
			}
			continue
		}
		m.From = d.named()
	}
	return f
}

// named are the scalars of all operands that an instruction has by their ids.
func (d *doing) named() (all []contents.Operand) {
	row := []byte(opTable()[d.in.op].operands)
	at := 0
	for i := range d.in.args {
		for at < len(row) && (row[at] == 't' || row[at] == 'r' || row[at] == '?') {
			at++
		}
		kind := byte('L')
		if at < len(row) {
			kind = row[at]
		}
		switch kind {
		case 'i', 'I':
			all = append(all, d.operands(i)...)
		case 'l', 'L', 'M', 'T': // image operands and their like have ids among them
			if p := d.in.op; p >= 87 && p <= 99 || p >= 305 && p <= 320 || p == 61 || p == 62 {
				all = append(all, d.operands(i)...)
			}
		}
		if kind != 'I' && kind != 'L' && at < len(row) {
			at++
		}
	}
	return all
}

// mixing are the instructions of whose results each lane's may come from what others have: those of groups
// and of matrices.
var mixing = opcodes([][2]uint16{{opGroupAsyncCopy, opGroupSMax},
	{opGroupNonUniformElect, opGroupNonUniformQuadSwap}, {opSubgroupBallotKHR, opSubgroupReadInvocationKHR},
	{opCooperativeMatrixLoadKHR, opCooperativeMatrixMulAddKHR}, {opCooperativeMatrixConvertNV},
	{opCooperativeMatrixReduceNV, opCooperativeMatrixPerElementOpNV}, {opCooperativeMatrixTransposeNV},
	{opSubgroupShuffleINTEL, opSubgroupShuffleXorINTEL}, {opGroupIMulKHR, opGroupLogicalXorKHR},
	{opDPdx, opFwidthCoarse}})

// reading are those whose operands all say which texels they access.
var reading = opcodes([][2]uint16{{opImageSampleImplicitLod, opImageRead},
	{opImageSparseSampleImplicitLod, opImageSparseRead}})

// extended names a set of instructions and some of its numbers.
type extended struct {
	set string
	no  map[uint16]bool
}

// inexactLibrary are the functions of the extended sets that are computed otherwise than hardware may.
var inexactLibrary = []extended{
	{"GLSL.std.450", opcodes([][2]uint16{{11, 34}, {46}, {49, 50}, {66, 72}})},
	{"OpenCL.std", opcodes([][2]uint16{{0, 11}, {14, 22}, {32}, {35, 40}, {42}, {48, 50}, {54},
		{56, 65}, {67, 94}, {96}, {99, 100}, {102}, {104, 110}})},
}

// crossing are those whose components come from all of their operands.
var crossing = []extended{
	{"GLSL.std.450", opcodes([][2]uint16{{33, 36}, {51, 52}, {54, 72}})},
	{"OpenCL.std", opcodes([][2]uint16{{104, 110}, {171, 183}})},
}

// among reports whether an instruction of an extended set is one of some.
func (p *Program) among(in *raw, some []extended) bool {
	for _, x := range some {
		if p.imports[in.args[0]] == x.set && x.no[uint16(in.args[1])] {
			return true
		}
	}
	return false
}

// lanewise reports whether each component of an extended instruction's result comes from the same of its
// operands.
func (p *Program) lanewise(in *raw) bool { return !p.among(in, crossing) }

// An approximation is a set of instructions whose results may differ from those of hardware, and by how much.
type approximation struct {
	ops    map[uint16]bool
	floats bool // of floats alone
	far    string
}

var approximations = []approximation{
	{opcodes([][2]uint16{{opFDiv}, {opFRem, opFMod}}), true,
		"correctly rounded; Vulkan and OpenCL C allow quotients of singles 2.5 units in the last place"},
	{opcodes([][2]uint16{{opVectorTimesMatrix, opDot}, {opCooperativeMatrixMulAddKHR},
		{opFDot2MixAcc32VALVE}}), true,
		"products are added in the order of components; no document says how hardware adds them"},
	{opcodes([][2]uint16{{opGroupNonUniformFAdd}, {opGroupNonUniformFMul}, {opGroupFAdd},
		{opGroupFMulKHR}}), true,
		"combined in the order of invocations; no document gives an order"},
	{opcodes([][2]uint16{{opImageSampleImplicitLod, opImageSampleProjDrefExplicitLod},
		{opImageSparseSampleImplicitLod, opImageSparseSampleProjDrefExplicitLod}}), true,
		"texels are weighed exactly; hardware has weights of some eight bits"},
	{opcodes([][2]uint16{{opReadClockKHR}}), false, "counts the instructions of the subgroup, not time"},
}

const libraryFar = "the nearest value, nearly always; " +
	"Vulkan and OpenCL C allow each function its own distance"

// far says by how much an instruction's results may differ from hardware's, "" for one that is exact.
func (p *Program) far(in *raw) string {
	if in.op == opExtInst && p.among(in, inexactLibrary) {
		return libraryFar
	}
	for _, a := range approximations {
		if a.ops[in.op] && (!a.floats || p.givesFloats(in)) {
			return a.far
		}
	}
	return ""
}

// givesFloats reports whether an instruction's result is of floats, and not of doubles alone.
func (p *Program) givesFloats(in *raw) bool {
	v := p.values[in.res]
	if v == nil || v.typ == nil {
		return false
	}
	for _, l := range v.typ.leaves(layout{}) {
		if l.typ.kind == kFloat && l.typ.size <= 4 {
			return true
		}
	}
	return false
}
