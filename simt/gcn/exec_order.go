package gcn

import "simtgdb/simt"

// What orders accesses of different waves, for those who observe it (LLVM, "User Guide for AMDGPU
// Backend", section "Memory Model gfx90a" and those beside it): a release is a wait for all that
// the wave has accessed before, an acquire a wait for what it has read, and to the device an
// invalidation of the vector cache after it. Atomic operations have no order of their own, but that LDS
// does what a wave wants of it in order, so that LLVM waits for nothing before a release there.

// orderWait is s_waitcnt: waiting for all accesses to a memory releases them, and acquires from the
// workgroup, whose waves share the cache.
func orderWait(c *Core, in *Inst) {
	vm, _, lgkm := waitCounts(uint16(in.simm))
	if in.on.isLater() {
		vm, _, lgkm = laterWaitCounts(uint16(in.simm), in.on)
	}
	var spaces uint8
	if vm == 0 {
		spaces |= 1 << simt.Global
	}
	if lgkm == 0 {
		spaces |= 1 << simt.LDS
	}
	c.orderWaited(spaces)
}

// orderWaited tells of a wait for all accesses to some memories.
func (c *Core) orderWaited(spaces uint8) {
	if spaces == 0 {
		return
	}
	c.m.Fence(c.w, simt.Fence{Order: simt.Release, Scope: simt.DeviceScope, Spaces: spaces})
	c.m.Fence(c.w, simt.Fence{Order: simt.Acquire, Scope: simt.GroupScope, Spaces: simt.AllSpaces})
}

// orderInvalidate is an instruction that makes later loads see what others have written.
func orderInvalidate(c *Core, in *Inst) {
	c.m.Fence(c.w, simt.Fence{Order: simt.Acquire, Scope: simt.DeviceScope, Spaces: simt.AllSpaces})
}

// describeOrder adds to what observers are told of an access: a load that goes past the vector
// cache is an atomic or volatile one; a plain store, and a plain load for the workgroup, may be an
// atomic one.
func (c *Core) describeOrder(in *Inst, a *access, told *simt.Access) {
	if told.Space == simt.Scratch {
		told.Deferred = !a.write
		told.Nothing = c.nothing
		if n := a.size / 4; a.dwords && n > 1 && n <= maxItem {
			told.Parts = c.lack.of(n)
		}
	}
	if in.form == GLOBAL && in.mem.saddr.kind == scalarReg {
		told.Base = pair(c.r, uint8(in.mem.saddr.reg))
	}
	told.Joined = in.Op.mem != nil && in.Op.mem.places != 0
	if a.atomic {
		if told.Space == simt.LDS {
			c.m.Fence(c.w, simt.Fence{Order: simt.Release, Scope: simt.GroupScope, Spaces: 1 << simt.LDS})
		}
		return
	}
	whole := a.size <= 8 && told.Space == simt.Global
	switch {
	case !a.write:
		told.Atomic = whole && (in.mem.glc || in.mem.scc) && in.form > VOP3P
		told.Perhaps = whole && !told.Atomic
	case a.move != nil:
		told.Perhaps = whole
		p := c.pass
		told.Data = func(lane int, b []byte) {
			p := p
			p.mem, p.base, p.step, p.mask, p.side = b, c.addr[lane&63], 4, 1<<lane, false
			a.move(c, &p)
		}
	}
}

// joining wraps what executes an instruction that writes EXEC: the lanes that are on behind it execute in
// step from there. Those that an s_or_saveexec switches on are mostly off again at once: it begins the else
// of an if.
func (in *Inst) joining() func(*Core, *Inst) {
	execute := in.exec
	return func(c *Core, in *Inst) {
		before := c.w.Exec
		if execute(c, in); c.w.Exec&^before != 0 {
			c.m.Together(c.w, c.w.Exec)
		}
	}
}
