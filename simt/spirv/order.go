package spirv

import "simtgdb/simt"

// ordering reads operands n, a scope, and n+1, memory semantics (sections 3.27 and 3.25): among
// whom, in which direction and for which memories the instruction orders accesses. Where they are
// no constants it orders all.
func (b *builder) ordering(n int) (scope simt.Scope, order simt.Order, spaces uint8) {
	scopeID, err1 := b.arg(n)
	semanticsID, err2 := b.arg(n + 1)
	if err1 != nil || err2 != nil {
		return
	}
	how, ok := b.p.constantUint(semanticsID)
	if !ok {
		return simt.DeviceScope, simt.Acquire | simt.Release, simt.AllSpaces
	}
	if v, ok := b.p.constantUint(scopeID); ok && v < uint64(len(scopes)) {
		scope = scopes[v]
	}
	if how&semanticsAcquire != 0 {
		order |= simt.Acquire
	}
	if how&semanticsRelease != 0 {
		order |= simt.Release
	}
	if how&semanticsGlobal != 0 {
		spaces |= 1 << simt.Global
	}
	if how&semanticsWorkgroup != 0 {
		spaces |= 1 << simt.LDS
	}
	return scope, order, spaces
}

// scopes are what package simt tells apart of CrossDevice, Device, Workgroup, Subgroup, Invocation,
// QueueFamily.
var scopes = [...]simt.Scope{simt.DeviceScope, simt.DeviceScope, simt.GroupScope, simt.WaveScope,
	simt.WaveScope,
	simt.DeviceScope}

// Bits of memory semantics.
const (
	semanticsAcquire   = 0x2 | 0x8 | 0x10 // Acquire, AcquireRelease, SequentiallyConsistent
	semanticsRelease   = 0x4 | 0x8 | 0x10
	semanticsGlobal    = 0x40 | 0x200 // UniformMemory, CrossWorkgroupMemory
	semanticsWorkgroup = 0x100
)

// buildFence makes MemoryBarrier, which has only those who observe the order to do something for.
func buildFence(b *builder) (*inst, error) {
	i := &inst{exec: execFence}
	i.scope, i.order, i.spaces = b.ordering(0)
	return i, nil
}

// execFence tells observers what an instruction orders.
func execFence(c *core, in *inst) {
	if c.m.Ordered() && in.order != simt.Relaxed {
		c.m.Fence(c.w, simt.Fence{Order: in.order, Scope: in.scope, Spaces: in.spaces})
	}
}

// GivenScratch implements simt.ScratchGiver: inputs, variables with an initialiser, and copies of
// arguments by value.
func (isa *ISA) GivenScratch() []simt.Extent {
	p := isa.p
	var given []simt.Extent
	for _, v := range p.globals {
		if v.typ != nil && (v.storage == scInput || v.storage == scPrivate && v.init != 0) {
			given = append(given, simt.Extent{Lo: v.at, Hi: v.at + v.typ.size})
		}
	}
	params, _ := p.Params()
	for i, q := range params {
		if q.ByValue {
			given = append(given, simt.Extent{Lo: p.byValue[i], Hi: p.byValue[i] + q.Size})
		}
	}
	return given
}
