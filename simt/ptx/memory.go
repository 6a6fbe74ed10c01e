package ptx

import (
	"encoding/binary"

	"simtgdb/simt"
	"simtgdb/simt/ptx/numeric"
	"simtgdb/simt/vec"
)

// An access is what one statement does to memory in all its lanes.
type access struct {
	addr [simt.MaxLanes]uint64 // of each lane, in its space
	bad  simt.Fault            // its Lanes are those found at fault

	// whole is the region that all lanes access, nil if there is no one such.
	whole *simt.Region
}

// places are the addresses of the lanes of a warp.
func (a *access) places() *vec.Wide { return (*vec.Wide)(a.addr[:warpSize]) }

func init() {
	register(map[string]func(b *builder) error{
		"ld": (*builder).load, "ldu": (*builder).load, "st": (*builder).store,
	})
}

// accessMods are the modifiers of loads and stores that change nothing here: there is one memory, and
// all see it in one order.
var accessMods = []string{
	"volatile", "relaxed", "acquire", "release", "weak", "mmio", "cta", "gpu", "sys", "cluster",
	"ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc", "unified",
	"L1::evict_normal", "L1::evict_unchanged", "L1::evict_first", "L1::evict_last", "L1::no_allocate",
	"L2::64B", "L2::128B", "L2::256B", "L2::cache_hint", "L2::evict_first", "L2::evict_last",
	"L2::evict_normal",
}

// spaces are the modifiers that name a state space.
var spaces = map[string]Space{
	"const": Const, "global": Global, "shared": Shared, "shared::cta": Shared, "shared::cluster": Shared,
	"local": Local, "param": Param,
	"param::entry": Param, "param::func": Param,
}

var vectors = map[string]int{"v2": 2, "v4": 4, "v8": 8}

// memoryForm reads the modifiers of an access: space, type, count of elements.
func (b *builder) memoryForm(allowed ...string) (typ string, err error) {
	in := b.in
	in.elements = 1
	var plain []string
	for _, m := range b.mods {
		if s, ok := spaces[m]; ok {
			in.space = s
			continue
		}
		if n, ok := vectors[m]; ok {
			in.elements = uint8(n)
			continue
		}
		plain = append(plain, m)
	}
	all := b.mods
	b.mods = plain
	err = b.only(append(allowed, accessMods...)...)
	b.mods = all
	typ = b.typ()
	if err == nil && (numeric.Widths[typ] < 8 || numeric.Widths[typ] > 64) {
		err = refuse("has no type that can be in memory")
	}
	for _, m := range []string{"volatile", "relaxed", "acquire", "release", "mmio"} {
		in.ordered = in.ordered || b.has(m)
	}
	in.order, in.scope = b.ordering()
	in.size = uint8(numeric.Widths[typ] / 8)
	in.signed = typ != "" && typ[0] == 's'
	return typ, err
}

// address makes a memory operand source i, and its offset.
func (b *builder) address(o *Operand, i int) error {
	if o.Kind != Mem || len(o.List) != 1 {
		return refuse("has no address")
	}
	base := o.List[0]
	s, err := b.source(&base, "b64")
	if err != nil {
		return err
	}
	in := b.in
	in.offset = o.Value
	switch s.kind {
	case fromPred:
		return refuse("has a predicate for an address")
	case fromImm:
		s.imm, in.offset = broadcast(s.imm[0]+o.Value), 0
	case fromFrame:
		s.off += o.Value
		in.offset = 0
		if in.space != Param && in.space != Local {
			return refuse("accesses a variable of the frame in another space")
		}
		in.param = in.space == Param
		in.space = Local
	case fromArg:
		s.off += o.Value
		in.offset = 0
	case fromReg:
		if known, ok := b.frameRegister(&base); ok && (in.space == Generic || in.space == Local) {
			if known.generic == (in.space == Generic) {
				s = source{kind: fromFrame, off: known.off + o.Value}
				in.offset, in.space = 0, Local
			}
		}
	}
	in.s[i] = s
	return nil
}

func (b *builder) load() error {
	typ, err := b.memoryForm()
	if err != nil {
		return err
	}
	if len(b.args) != 2 && len(b.args) != 3 { // a third is a policy of the caches
		return refuse("has %d operands; expected 2", len(b.args))
	}
	in := b.in
	if err := b.address(&b.args[1], 0); err != nil {
		return err
	}
	list := []Operand{b.args[0]}
	if b.args[0].Kind == Vector {
		list = b.args[0].List
	}
	if len(list) != int(in.elements) {
		return refuse("has %d registers for %d values", len(list), in.elements)
	}
	width := numeric.Widths[typ]
	for i := range list {
		if in.regs[i], err = b.vector(&list[i]); err != nil {
			return err
		}
		if w := b.bitsOf(&list[i]); w != 0 && w < width {
			return refuse("loads %d bits into a register of %d", width, w)
		} else if w != 0 {
			in.imm = numeric.Mask(w)
		}
	}
	in.signed = in.signed && in.imm != numeric.Mask(width)
	in.run = runLoad
	return nil
}

func (b *builder) store() error {
	typ, err := b.memoryForm(asyncMods...)
	if err != nil {
		return err
	}
	barrier, err := b.toldBarrier()
	if err != nil {
		return err
	}
	if len(b.args) != 2 && len(b.args) != 3 {
		return refuse("has %d operands; expected 2", len(b.args))
	}
	in := b.in
	if err := b.address(&b.args[0], 0); err != nil {
		return err
	}
	list := []Operand{b.args[1]}
	if b.args[1].Kind == Vector {
		list = b.args[1].List
	}
	if len(list) != int(in.elements) {
		return refuse("has %d values; expected %d", len(list), in.elements)
	}
	for i := range list {
		if in.elems[i], err = b.source(&list[i], typ); err != nil {
			return err
		}
		if in.elems[i].kind == fromPred {
			return refuse("stores a predicate")
		}
	}
	in.run = runStore
	in.tells(barrier)
	return nil
}

// element is what a store stores, in all lanes.
func (c *Core) element(in *inst, i int) *vec.Wide {
	s := &in.elems[i]
	switch s.kind {
	case fromReg:
		return &c.act.r[s.n]
	case fromImm:
		return s.imm
	}
	return c.unusual(s, 1)
}

func runLoad(c *Core, in *inst, mask uint32) {
	s := &in.s[0]
	if s.kind == fromFrame {
		c.loadFrame(in, c.act.base+s.off, mask)
		return
	}
	if s.kind == fromArg && in.space != Shared && in.space != Local {
		if c.loadUniform(in, c.isa.launch.Args+s.off, mask) {
			return
		}
	}
	space, ok := c.resolve(in, mask, simt.PermRead, int(in.size)*int(in.elements))
	if !ok {
		return
	}
	if space != mixed {
		c.loadFrom(in, space, mask)
		return
	}
	c.eachMemory(mask, func(space Space, lanes uint32) { c.loadFrom(in, space, lanes) })
}

func runStore(c *Core, in *inst, mask uint32) {
	s := &in.s[0]
	if s.kind == fromFrame {
		c.storeFrame(in, c.act.base+s.off, mask)
		return
	}
	space, ok := c.resolve(in, mask, simt.PermWrite, int(in.size)*int(in.elements))
	if !ok {
		return
	}
	if space != mixed {
		c.storeTo(in, space, mask)
		return
	}
	c.eachMemory(mask, func(space Space, lanes uint32) { c.storeTo(in, space, lanes) })
}

// mixed stands for lanes whose generic addresses lead to different memories, or to that of another workgroup;
// Core.access.addr are generic ones then.
const mixed = Space(255)

// resolve finds the addresses of an access, and the space they are in: Global, Shared or Local, with
// addresses in that space, or mixed. It reports whether the access may be; if not the wave has stopped.
func (c *Core) resolve(in *inst, mask uint32, need simt.Perm, size int) (Space, bool) {
	return c.resolveAt(in, c.value(in, 0), mask, need, size)
}

// resolveAt is resolve for addresses that are a statement's offset behind others than those in its first
// source.
func (c *Core) resolveAt(in *inst, base *vec.Wide, mask uint32, need simt.Perm, size int) (Space, bool) {
	a, off := &c.access, in.offset
	a.bad.Lanes, a.whole = 0, nil
	lo, hi, low := c.mover.Reach(a.places(), base, off, mask)
	space := in.space
	switch space {
	case Generic:
		switch {
		case hi < SharedWindow || lo >= LocalWindow+windowSize:
			space = Global
		case lo >= LocalWindow && hi < LocalWindow+windowSize:
			space = Local
			c.rebase(LocalWindow, mask)
			lo, hi = lo-LocalWindow, hi-LocalWindow
		case lo >= SharedWindow && hi < SharedWindow+windowSize:
			space = Shared
			c.rebase(SharedWindow, mask)
			lo, hi = lo-SharedWindow, hi-SharedWindow
		default:
			return c.resolveMixed(in, mask, need, size)
		}
	case Shared:
		if hi>>32 != 0 {
			lo, hi = c.wrap(mask)
		}
	case Const, Param:
		space = Global
	}
	if space == Shared && hi >= simt.PeerLDS && len(c.w.Group.Peers) > 0 {
		c.rebase(1<<64-SharedWindow, mask) // they become generic
		return c.resolveMixed(in, mask, need, size)
	}
	if low&uint64(size-1) != 0 {
		c.misaligned(space, mask, size)
	}
	c.check(space, mask, lo, hi, need, uint64(size))
	return space, c.allowed(in, space, mask, need, size, lo, hi)
}

// wrap cuts addresses of shared memory to 32 bits, which is what hardware has for them: a subscript below 0
// that has become a large one comes round to what it was meant for.
func (c *Core) wrap(mask uint32) (lo, hi uint64) {
	lo = ^uint64(0)
	for m := mask; m != 0; m &= m - 1 {
		a := &c.access.addr[first(m)]
		*a &= 1<<32 - 1
		lo, hi = min(lo, *a), max(hi, *a)
	}
	return lo, hi
}

// resolveMixed is resolve for lanes that access different spaces.
func (c *Core) resolveMixed(in *inst, mask uint32, need simt.Perm, size int) (Space, bool) {
	c.eachMemory(mask, func(space Space, m uint32) {
		lo, hi, low := ^uint64(0), uint64(0), uint64(0)
		for rest := m; rest != 0; rest &= rest - 1 {
			x := c.access.addr[first(rest)]
			lo, hi, low = min(lo, x), max(hi, x), low|x
		}
		if low&uint64(size-1) != 0 {
			c.misaligned(space, m, size)
		}
		c.check(space, m, lo, hi, need, uint64(size))
	})
	ok := c.allowedNow(in, need, size)
	if ok && c.want.Any() {
		c.eachMemory(mask, func(space Space, m uint32) { c.observe(in, space, m, need, size) })
	}
	return mixed, ok
}

// eachMemory tells of each memory that generic addresses of the lanes of a mask lead to, with the lanes whose
// lead there. Meanwhile Core.access.addr are their addresses in it.
func (c *Core) eachMemory(mask uint32, do func(space Space, lanes uint32)) {
	generic := c.access.addr
	for _, space := range []Space{Global, Shared, Local} {
		left := uint32(0)
		for m := mask; m != 0; m &= m - 1 {
			if at, _ := c.spaceOf(mixed, first(m)); at == space {
				left |= 1 << first(m)
			}
		}
		for left != 0 {
			lanes := left
			if space == Shared {
				lanes = c.enterShared(left)
			}
			if space == Local {
				c.rebase(LocalWindow, lanes)
			}
			do(space, lanes)
			left &^= lanes
			c.access.addr = generic
		}
	}
	c.lds, c.peer = c.w.Group.LDS, nil
}

func (c *Core) rebase(window uint64, mask uint32) {
	for m := mask; m != 0; m &= m - 1 {
		c.access.addr[first(m)] -= window
	}
}

var simtSpaces = [...]simt.Space{Global: simt.Global, Shared: simt.LDS, Local: simt.Scratch}

// blame notes a lane at fault; the fault that is reported is the lowest's.
func (c *Core) blame(kind simt.FaultKind, space Space, lane int) {
	bad := &c.access.bad
	if bad.Lanes == 0 || lane < bad.Lane() {
		bad.Kind, bad.Space, bad.Addr = kind, simtSpaces[space], c.access.addr[lane]
		if space == Shared && c.peer != nil {
			bad.Addr = c.peer.Shared(bad.Addr)
		}
	}
	bad.Lanes |= 1 << lane
}

func (c *Core) misaligned(space Space, mask uint32, size int) {
	for m := mask; m != 0; m &= m - 1 {
		if l := first(m); c.access.addr[l]&uint64(size-1) != 0 {
			c.blame(simt.Misaligned, space, l)
		}
	}
}

// check finds the lanes that may not access memory where they want to.
func (c *Core) check(space Space, mask uint32, lo, hi uint64, need simt.Perm, size uint64) {
	var limit uint64
	switch space {
	case Global:
		if r := c.regionFor(lo, size, need); r != nil && r.Holds(hi, size) {
			c.access.whole = r
			return
		}
		for m := mask; m != 0; m &= m - 1 {
			l := first(m)
			addr := c.access.addr[l]
			if c.regionFor(addr, size, need) == nil {
				kind := simt.Unmapped
				if r := c.mem.Find(addr); r != nil && r.Holds(addr, size) {
					kind = simt.Forbidden
				}
				c.blame(kind, space, l)
			}
		}
		return
	case Shared:
		limit = uint64(len(c.lds))
	default:
		limit = c.w.ScratchLimit / warpSize
	}
	if size <= limit && hi <= limit-size {
		if space == Local {
			c.w.GrowScratch((hi + size + 3) / 4 * 4 * warpSize)
		}
		return
	}
	for m := mask; m != 0; m &= m - 1 {
		if l := first(m); size > limit || c.access.addr[l] > limit-size {
			c.blame(simt.Unmapped, space, l)
		}
	}
}

// regionFor is the region that holds an access with the permissions it needs, or nil.
func (c *Core) regionFor(addr, size uint64, need simt.Perm) *simt.Region {
	return c.mem.FindFor(&c.region, addr, size, need)
}

// allowed stops the wave if a lane is at fault, and tells observers of the access, at addresses from lo to
// hi, if none is.
func (c *Core) allowed(in *inst, space Space, mask uint32, need simt.Perm, size int, lo, hi uint64) bool {
	if !c.allowedNow(in, need, size) {
		return false
	}
	if c.want.Touched(simtSpaces[space], need&simt.PermWrite != 0, lo, hi+uint64(size)) {
		c.observe(in, space, mask, need, size)
	}
	return true
}

func (c *Core) allowedNow(in *inst, need simt.Perm, size int) bool {
	bad := &c.access.bad
	if bad.Lanes == 0 {
		return true
	}
	bad.Size, bad.Write, bad.Text = size, need&simt.PermWrite != 0, in.src.Text
	c.fault(*bad)
	return false
}

// observe tells observers of an access that will be.
func (c *Core) observe(in *inst, space Space, mask uint32, need simt.Perm, size int) {
	a := simt.Access{Wave: c.w, PC: c.isa.addr(c.at), Space: simtSpaces[space], Of: c.peer,
		Read: need&simt.PermRead != 0, Write: need&simt.PermWrite != 0,
		Atomic: in.atomic || in.ordered, Size: size,
		Lanes: uint64(mask), Addr: &c.access.addr, Order: in.order, Scope: in.scope, Deferred: in.param,
		Meant: c.meant(in), Data: c.stored(in, need)}
	c.follower.Access(&a, space == Local)
	if c.m.Observe(&a) {
		c.watch = true
	}
	c.follower.Accessed(&a)
}

// loadUniform loads from one address of global memory for all lanes, if all of that is simple.
func (c *Core) loadUniform(in *inst, addr uint64, mask uint32) bool {
	size := uint64(in.size) * uint64(in.elements)
	r := c.regionFor(addr, size, simt.PermRead)
	if r == nil || addr&(size-1) != 0 || c.want.Touched(simt.Global, false, addr, addr+size) {
		return false
	}
	for e := range int(in.elements) {
		if in.regs[e] >= 0 {
			v := in.extend(word(r.Data[addr-r.Base+uint64(e)*uint64(in.size):], int(in.size)))
			d := &c.act.r[in.regs[e]]
			if mask == c.act.lanes {
				fill(d, v)
				continue
			}
			for m := mask; m != 0; m &= m - 1 {
				d[first(m)] = v
			}
		}
	}
	return true
}

// word reads a number of 1, 2, 4 or 8 bytes.
func word(p []byte, size int) uint64 {
	switch size {
	case 4:
		return uint64(binary.LittleEndian.Uint32(p))
	case 8:
		return binary.LittleEndian.Uint64(p)
	case 2:
		return uint64(binary.LittleEndian.Uint16(p))
	}
	return uint64(p[0])
}

func putWord(p []byte, size int, v uint64) {
	switch size {
	case 4:
		binary.LittleEndian.PutUint32(p, uint32(v))
	case 8:
		binary.LittleEndian.PutUint64(p, v)
	case 2:
		binary.LittleEndian.PutUint16(p, uint16(v))
	default:
		p[0] = byte(v)
	}
}

// loadFrom loads for lanes whose addresses, found good, are in Core.access.
func (c *Core) loadFrom(in *inst, space Space, mask uint32) {
	size := int(in.size)
	for e := range int(in.elements) {
		if in.regs[e] < 0 {
			continue
		}
		d := &c.act.r[in.regs[e]]
		off := uint64(e * size)
		switch space {
		case Shared:
			in.loadBytes(c, d, c.lds, -off, mask)
		case Local:
			for m := mask; m != 0; m &= m - 1 {
				l := first(m)
				d[l] = in.extend(c.loadLocal(l, c.access.addr[l]+off, size))
			}
		default:
			for rest := mask; rest != 0; {
				r, held := c.held(in, rest)
				in.loadBytes(c, d, r.Data, r.Base-off, held)
				rest &^= held
			}
		}
	}
}

// held is the region of the lowest lane's access and the lanes whose accesses are in it.
func (c *Core) held(in *inst, mask uint32) (*simt.Region, uint32) {
	size := uint64(in.size) * uint64(in.elements)
	r := c.regionFor(c.access.addr[first(mask)], size, 0)
	if c.access.whole == r { // as it nearly always is
		return r, mask
	}
	held := uint32(0)
	for m := mask; m != 0; m &= m - 1 {
		if l := first(m); r.Holds(c.access.addr[l], size) {
			held |= 1 << l
		}
	}
	return r, held
}

// loadBytes loads one element for lanes out of bytes of which the first is at address base.
func (in *inst) loadBytes(c *Core, d *vec.Wide, mem []byte, base uint64, mask uint32) {
	if in.size == 8 || in.size == 4 && !in.signed {
		c.mover.Load(d, mem, c.access.places(), base, int(in.size), mask)
		return
	}
	for m := mask; m != 0; m &= m - 1 {
		l := first(m)
		d[l] = in.extend(word(mem[c.access.addr[l]-base:], int(in.size)))
	}
}

func (c *Core) storeTo(in *inst, space Space, mask uint32) {
	size := int(in.size)
	for e := range int(in.elements) {
		v := c.element(in, e)
		off := uint64(e * size)
		switch space {
		case Shared:
			in.storeBytes(c, v, c.lds, -off, mask)
		case Local:
			for m := mask; m != 0; m &= m - 1 {
				l := first(m)
				c.storeLocal(l, c.access.addr[l]+off, size, v[l])
			}
		default:
			for rest := mask; rest != 0; {
				r, held := c.held(in, rest)
				in.storeBytes(c, v, r.Data, r.Base-off, held)
				rest &^= held
			}
		}
	}
}

func (in *inst) storeBytes(c *Core, v *vec.Wide, mem []byte, base uint64, mask uint32) {
	if in.size >= 4 {
		c.mover.Store(v, mem, c.access.places(), base, int(in.size), mask)
		return
	}
	for m := mask; m != 0; m &= m - 1 {
		l := first(m)
		putWord(mem[c.access.addr[l]-base:], int(in.size), v[l])
	}
}

// loadLocal reads up to 8 aligned bytes of a lane's private memory, which has grown to hold them.
func (c *Core) loadLocal(lane int, addr uint64, size int) uint64 {
	at := addr/4*4*warpSize + uint64(lane)*4 + addr&3
	if size == 8 {
		return word(c.w.Scratch[at:], 4) | word(c.w.Scratch[at+4*warpSize:], 4)<<32
	}
	return word(c.w.Scratch[at:], size)
}

func (c *Core) storeLocal(lane int, addr uint64, size int, v uint64) {
	at := addr/4*4*warpSize + uint64(lane)*4 + addr&3
	if size == 8 {
		putWord(c.w.Scratch[at:], 4, v)
		putWord(c.w.Scratch[at+4*warpSize:], 4, v>>32)
		return
	}
	putWord(c.w.Scratch[at:], size, v)
}
