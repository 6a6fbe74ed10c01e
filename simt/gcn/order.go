package gcn

import (
	"strings"

	"simtgdb/simt"
)

// What orders accesses of different waves, for those who observe it (LLVM, "User Guide for AMDGPU Backend",
// section "Memory Model gfx90a" and those of the other generations): a release is a wait for all that the
// wave has accessed before, an acquire a wait for what it has read, and an invalidation of the vector caches
// that others do not share after it. Atomic operations have no order of their own, but that LDS does what a
// wave wants of it in order, so that LLVM waits for nothing before a release there.
//
// The waves of a workgroup share a vector cache on gfx9, unless it runs in threadgroup split mode, and on
// gfx10 and gfx11 in CU mode. That cache does in order what comes from all of them, so that among them
// barriers and atomic operations need no wait for global memory, and LLVM makes none.

// What a wave has accessed in global memory by vector instructions and not waited for: by vmcnt, and for
// stores from gfx10 on by vscnt. Compilers leave out waits when nothing is under way.
const (
	pendingLoads uint8 = 1 << iota
	pendingStores
)

// sharesCache reports whether the waves of a workgroup have one vector cache.
func (c *Core) sharesCache() bool { return !c.isa.Kernel.Spread }

// A waitsOver says until what an instruction waits: until some accesses to global memory are over, or those
// to LDS.
type waitsOver func(in *Inst) (over uint8, lds bool)

// overWait is s_waitcnt's.
func overWait(in *Inst) (over uint8, lds bool) {
	vm, _, lgkm := waitCounts(uint16(in.simm))
	if in.on.IsLater() {
		vm, _, lgkm = laterWaitCounts(uint16(in.simm), in.on)
	}
	if vm == 0 {
		over = pendingLoads
	}
	return over, lgkm == 0
}

// overCount is that of s_waitcnt_vscnt and the waits of gfx12: the bits of the count of loads, that of stores
// and that of accesses to LDS.
func overCount(loads, stores, lds uint16) waitsOver {
	return func(in *Inst) (over uint8, _ bool) {
		is := func(count uint16) bool { return count != 0 && uint16(in.simm)&count == 0 }
		if is(loads) {
			over |= pendingLoads
		}
		if is(stores) {
			over |= pendingStores
		}
		return over, is(lds)
	}
}

// orderWait tells of a wait.
func orderWait(c *Core, in *Inst) { c.orderWaited(in.Op.over(in)) }

// orders reports whether an instruction orders anything: most waits are for a part of what is under way.
func (in *Inst) orders() bool {
	if in.Op.over != nil {
		over, lds := in.Op.over(in)
		return over != 0 || lds
	}
	return in.Op.order != nil
}

const allBits = 0xffff

// orderWaited is a wait until some accesses are over, or those to LDS. If nothing is under way then in global
// memory, what has been done there is released. What has been read acquires from the workgroup, as far as its
// waves see it: who acquires and then releases passes on what it has learned.
func (c *Core) orderWaited(over uint8, lds bool) {
	known, spaces := uint8(1<<simt.LDS), uint8(0)
	if c.sharesCache() {
		known = simt.AllSpaces
	}
	c.m.Fence(c.w, simt.Fence{Order: simt.Acquire, Scope: simt.GroupScope, Spaces: known})
	if c.r.pending &^= over; c.r.pending == 0 {
		spaces |= 1 << simt.Global
	}
	if lds {
		spaces |= 1 << simt.LDS
	}
	if spaces != 0 {
		c.m.Fence(c.w, simt.Fence{Order: simt.Release, Scope: simt.DeviceScope, Spaces: spaces})
	}
}

// orderInvalidate is an instruction that makes later loads see what others have written: those of the
// workgroup alone, where it is for the cache of one of its halves.
func orderInvalidate(c *Core, in *Inst) {
	scope := simt.DeviceScope
	switch {
	case in.on&gfx12 != 0 && in.mem.scope < scopeDevice, in.on.IsLater() && in.Op.Name == gl0Invalidate,
		in.on&gfx942P != 0 && !in.mem.scc:
		scope = simt.GroupScope
	}
	c.m.Fence(c.w, simt.Fence{Order: simt.Acquire, Scope: scope, Spaces: simt.AllSpaces})
	if c.r.pending == 0 {
		c.m.Fence(c.w, simt.Fence{Order: simt.Release, Scope: simt.DeviceScope, Spaces: 1 << simt.Global})
	}
}

const gl0Invalidate = "buffer_gl0_inv"

// orderGroup releases to the workgroup what a wave has done in global memory, and in other memories, before a
// barrier or an atomic operation: global memory if a cache that all share has it in order.
func (c *Core) orderGroup(spaces uint8) {
	if c.sharesCache() {
		spaces |= 1 << simt.Global
	}
	if spaces != 0 && c.m.Ordered() {
		c.m.Fence(c.w, simt.Fence{Order: simt.Release, Scope: simt.GroupScope, Spaces: spaces})
	}
}

// pastCache reports whether a load goes past a vector cache.
func (in *Inst) pastCache() bool {
	if in.on&gfx12 != 0 {
		return in.mem.scope != 0
	}
	return in.mem.glc || in.mem.scc
}

// issued notes an access to global memory that the wave is to wait for.
func (c *Core) issued(in *Inst, a *access) {
	switch {
	case in.form <= VOP3P: // of scalars, which are waited for with LDS
	case a.write && in.on.IsLater() && !(a.atomic && in.mem.glc):
		c.r.pending |= pendingStores
	default:
		c.r.pending |= pendingLoads
	}
}

// describeOrder adds to what observers are told of an access: a load that goes past the vector cache is an
// atomic or volatile one; a plain store, and a plain load for the workgroup, may be an atomic one. Scalar
// loads never are, and stores for the device have a scope where stores have any. A plain load before a loop
// of cmpswap is the compiler's own, and part of that. Of loads from LDS only generic ones can have a mark; a
// plain one before a loop of cmpswap is taken for atomic.
func (c *Core) describeOrder(in *Inst, a *access, told *simt.Access) {
	c.describeContents(in, a, told)
	if in.form == GLOBAL && in.mem.saddr.kind == scalarReg {
		told.Base = pair(c.r, uint8(in.mem.saddr.reg))
	}
	if told.Space == simt.Global {
		c.issued(in, a)
	}
	told.Joined = in.clause || in.Op.mem != nil && in.Op.mem.places != 0
	if a.atomic {
		c.orderGroup(1 << told.Space & (1 << simt.LDS))
		if a == atomicSwap || a == atomicSwap64 {
			told.Data = c.dataOf(a)
		}
		return
	}
	told.InOrder = c.sharesCache()
	whole := a.size <= 8 && told.Space == simt.Global
	told.Unmarked = a.size <= 8 && in.form > VOP3P && (!a.write || a.move != nil)
	switch {
	case !a.write && told.Space == simt.LDS && a.size <= 8:
		told.Atomic = in.form == FLAT && in.pastCache()
		told.Perhaps, told.Near = !told.Atomic && c.swapsSoon(in), true
	case !a.write:
		told.Atomic = whole && in.pastCache() && in.form > VOP3P
		told.Perhaps, told.Near = whole && !told.Atomic, true
		if told.Perhaps && c.swapsSoon(in) {
			told.Near = false
		} else if in.form <= VOP3P {
			told.Perhaps = false
		}
	case a.move != nil:
		told.Perhaps, told.Near = whole, in.on&(gfx942P|gfx12) != 0 && !in.pastCache()
		told.Data = c.dataOf(a)
	}
}

// describeContents adds which lanes store what has no contents, in memory of which that is kept, and whether
// what is loaded from there is followed.
func (c *Core) describeContents(in *Inst, a *access, told *simt.Access) {
	n := a.size / 4
	apart := a.dwords && n > 1 && n <= maxItem
	switch told.Space {
	case simt.Scratch:
		told.Deferred, told.Nothing = !a.write, c.nothing
		if apart {
			told.Parts = c.lack.of(n)
		}
	case simt.LDS:
		told.Deferred = in.back && !a.write
		if c.lack.stores == 0 || a.atomic || a.places != 0 {
			break
		}
		if told.Nothing = c.nothing; apart {
			told.Parts = c.lack.of(n)
		}
	}
	c.tellParts(in, a, told)
}

// dataOf gives what lanes store by an access that is under way.
func (c *Core) dataOf(a *access) func(lane int, b []byte) {
	if c.stores = a; c.data == nil {
		c.data = c.storedData
	}
	return c.data
}

// storedData gives what a lane stores by the access under way.
func (c *Core) storedData(lane int, b []byte) {
	p := c.pass
	p.mem, p.base, p.step, p.mask, p.side, p.dst = b, c.addr[lane&63], 4, 1<<lane, false, nil
	c.stores.move(c, &p)
}

// swapsWithin is how far behind a load the compare-and-swap is looked for that it may belong to.
const swapsWithin = 64

// swapsSoon reports whether a compare-and-swap follows an instruction: LLVM makes such loops of atomic
// operations that the processor has not, and reads what is there at first as if nothing were atomic
// (AtomicExpandPass).
func (c *Core) swapsSoon(in *Inst) bool {
	soon, known := c.swaps[in.PC]
	if known {
		return soon
	}
	pc := in.PC + uint64(in.Size)
	for n := 0; n < swapsWithin && !soon; n++ {
		r := c.mem.Find(pc)
		if r == nil {
			break
		}
		next, err := c.isa.Decode(r.Data[pc-r.Base:], pc)
		if err != nil {
			break
		}
		soon = strings.Contains(next.Op.Name, "cmpswap") || strings.Contains(next.Op.Name, "cmpst")
		pc += uint64(next.Size)
	}
	if c.swaps == nil {
		c.swaps = map[uint64]bool{}
	}
	c.swaps[in.PC] = soon
	return soon
}

// ordered makes what executes an instruction tell observers of the order that it makes; track says that a
// debugger keeps a record of lanes besides.
func (in *Inst) ordered(track bool) {
	if in.orders() {
		in.exec, in.told, in.later = in.Op.order, true, in.Op.over != nil && in.Op.idles()
	}
	if in.waits() {
		in.told = true
	}
	if in.writesExec() && in.Op.flag&whole == 0 {
		in.exec, in.joins = in.joining(), true
		in.told = in.told || in.Op.ends() || track
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
