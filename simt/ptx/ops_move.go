package ptx

import (
	"strconv"

	"simtgdb/simt"
	"simtgdb/simt/ptx/numeric"
	"simtgdb/simt/vec"
)

func init() {
	register(map[string]func(b *builder) error{
		"mov": (*builder).mov, "cvta": (*builder).cvta, "selp": (*builder).selp,
		"isspacep": (*builder).isspacep, "alloca": (*builder).alloca, "stacksave": (*builder).stackSave,
		"stackrestore": (*builder).stackRestore, "membar": (*builder).fence, "fence": (*builder).fence,
		"prefetch": (*builder).nothing, "prefetchu": (*builder).nothing, "pmevent": (*builder).nothing,
		"nanosleep": (*builder).nanosleep, "discard": (*builder).nothing, "applypriority": (*builder).nothing,
		"griddepcontrol": (*builder).nothing, "setmaxnreg": (*builder).nothing,
		"createpolicy": (*builder).createPolicy,
	})
}

// nothing is what instructions do that are about caches and the order of memory: all accesses here are
// done in order and seen by all.
func (b *builder) nothing() error {
	b.in.run = func(*Core, *inst, uint32) {}
	return nil
}

// createPolicy makes a policy of the caches, which means nothing here.
func (b *builder) createPolicy() error {
	if err := b.dest(0); err != nil {
		return err
	}
	b.in.run = func(c *Core, in *inst, mask uint32) { c.merge(in.dst, new(vec.Wide), mask) }
	return nil
}

// nanosleep lets other lanes of the warp run, or, where all sleep, other warps.
func (b *builder) nanosleep() error {
	b.in.run = func(c *Core, _ *inst, _ uint32) { c.st.yield = true }
	b.in.ends = true
	return nil
}

// mov copies, packs and unpacks.
func (b *builder) mov() error {
	if err := b.only(); err != nil {
		return err
	}
	if err := b.operands(2); err != nil {
		return err
	}
	typ := b.typ()
	switch {
	case typ == "pred":
		return b.predicates(func(s []uint32) uint32 { return s[0] }, &predicateLogic{n: 1})
	case b.args[0].Kind == Vector:
		return b.unpack(numeric.Widths[typ])
	case b.args[1].Kind == Vector:
		return b.pack(numeric.Widths[typ])
	case numeric.Widths[typ] > 64 || numeric.Widths[typ] < 16:
		return refuse("is not simulated for its type")
	}
	return b.set1(func(d, a *vec.Wide) { *d = *a }, typ)
}

// unpack cuts a register into others.
func (b *builder) unpack(width int) error {
	list := b.args[0].List
	if len(list) < 2 || len(list) > 8 || width > 64 || width == 0 {
		return refuse("is not simulated in this form")
	}
	var err error
	for i := range list {
		if b.in.regs[i], err = b.vector(&list[i]); err != nil {
			return err
		}
	}
	if b.in.s[0], err = b.source(&b.args[1], b.typ()); err != nil {
		return err
	}
	part, n := width/len(list), len(list)
	b.in.parts, b.in.part = n, part
	b.in.run = func(c *Core, in *inst, mask uint32) {
		v := *c.value(in, 0)
		for i := range n {
			if in.regs[i] < 0 {
				continue
			}
			d := &c.act.r[in.regs[i]]
			for m := mask; m != 0; m &= m - 1 {
				l := first(m)
				d[l] = v[l] >> (i * part) & numeric.Mask(part)
			}
		}
	}
	return nil
}

// pack makes a register of others.
func (b *builder) pack(width int) error {
	list := b.args[1].List
	if len(list) < 2 || len(list) > 8 || width > 64 || width == 0 {
		return refuse("is not simulated in this form")
	}
	if err := b.dest(0); err != nil {
		return err
	}
	part, n := width/len(list), len(list)
	b.in.parts, b.in.part = n, part
	for i := range list {
		s, err := b.source(&list[i], "b"+strconv.Itoa(part))
		if err != nil {
			return err
		}
		b.in.elems[i] = s
	}
	b.in.run = func(c *Core, in *inst, mask uint32) {
		var out vec.Wide
		for i := range n {
			v := c.element(in, i)
			for l := range out {
				out[l] |= v[l] & numeric.Mask(part) << (i * part)
			}
		}
		c.merge(in.dst, &out, mask)
	}
	return nil
}

// windows has where the generic addresses of a space begin.
var windows = map[Space]uint64{Shared: SharedWindow, Local: LocalWindow}

// cvta makes an address of a space generic, cvta.to the other way.
func (b *builder) cvta() error {
	var space Space
	var plain []string
	for _, m := range b.mods {
		if s, ok := spaces[m]; ok {
			space = s
			continue
		}
		plain = append(plain, m)
	}
	b.mods = plain
	if err := b.only("to"); err != nil {
		return err
	}
	if b.typ() != "u64" {
		return refuse("is not simulated for its type")
	}
	window := windows[space]
	if b.has("to") {
		window = -window
	}
	return b.setWideWith(vec.WideAdd, window, "u64")
}

// isspacep asks whether a generic address leads to a space.
func (b *builder) isspacep() error {
	if len(b.mods) == 0 {
		return refuse("names no space")
	}
	space, ok := spaces[b.mods[0]]
	if !ok {
		return refuse("is not simulated for its space")
	}
	if err := b.operands(2); err != nil {
		return err
	}
	var err error
	if b.in.pdst, err = b.predicate(&b.args[0]); err != nil {
		return err
	}
	if err := b.sources(1, "u64"); err != nil {
		return err
	}
	own := b.mods[0] == "shared" || b.mods[0] == "shared::cta"
	b.in.run = func(c *Core, in *inst, mask uint32) {
		v := c.value(in, 0)
		var p uint32
		for l, x := range v {
			if c.isa.leadsTo(space, x, c) && (!own || c.rankOf(x) == uint32(c.w.Group.Rank)) {
				p |= 1 << l
			}
		}
		c.setPred(in.pdst, p, mask)
	}
	return nil
}

// leadsTo reports whether a generic address leads to a space. Constants and arguments are read-only
// regions.
func (a *ISA) leadsTo(space Space, addr uint64, c *Core) bool {
	shared, local := addr-SharedWindow < windowSize, addr-LocalWindow < windowSize
	switch space {
	case Shared:
		return shared
	case Local:
		return local
	case Global:
		return !shared && !local
	}
	r := c.mem.Find(addr)
	isArgs := r != nil && r.Holds(a.launch.Args, 1)
	return r != nil && r.Perm&simt.PermWrite == 0 && isArgs == (space == Param)
}

// selp selects by a predicate.
func (b *builder) selp() error {
	if err := b.only(); err != nil {
		return err
	}
	if err := b.operands(4); err != nil {
		return err
	}
	if err := b.dest(0); err != nil {
		return err
	}
	if err := b.sources(1, b.typ()); err != nil {
		return err
	}
	if k := b.in.s[2].kind; k != fromPred {
		return refuse("selects by no predicate")
	}
	choose := vec.WideSelect.Func()
	b.in.run = func(c *Core, in *inst, mask uint32) {
		p := c.pred(&in.s[2])
		x, y := c.value(in, 0), c.value(in, 1)
		if in.dst < 0 {
			return
		}
		c.x.D, c.x.A, c.x.B, c.x.Mask, c.x.In = &c.act.r[in.dst], x, y, mask, p
		choose(&c.x)
	}
	return nil
}

// alloca takes memory of the frame (PTX ISA, "alloca"): as much as the lane that wants most.
func (b *builder) alloca() error {
	align := uint64(8)
	if len(b.args) == 3 {
		align = max(b.args[2].Value, 1)
		b.args = b.args[:2]
	}
	if align > 1<<16 || align&(align-1) != 0 {
		return refuse("wants an alignment that is no power of two")
	}
	if err := b.set1(nil, "u64"); err != nil {
		return err
	}
	b.in.run = func(c *Core, in *inst, mask uint32) {
		size := c.value(in, 0)
		most := uint64(0)
		for m := mask; m != 0; m &= m - 1 {
			most = max(most, size[first(m)])
		}
		act := c.act
		at := (act.top + align - 1) &^ (align - 1)
		limit := c.w.ScratchLimit / warpSize
		if at > limit || most > limit-at {
			c.fault(simt.Fault{Kind: simt.Unmapped, Space: simt.Scratch, Lanes: uint64(mask), Addr: at,
				Size: int(most), Write: true, Text: in.src.Text + " has no room"})
			return
		}
		act.top = (at + most + frameAlign - 1) &^ (frameAlign - 1)
		c.merge(in.dst, broadcast(at), mask)
	}
	return nil
}

func (b *builder) stackSave() error {
	if err := b.dest(0); err != nil {
		return err
	}
	b.in.run = func(c *Core, in *inst, mask uint32) { c.merge(in.dst, broadcast(c.act.top), mask) }
	return nil
}

// stackRestore gives back what alloca took, unless lanes that are elsewhere may still have some of it.
func (b *builder) stackRestore() error {
	if err := b.operands(1); err != nil {
		return err
	}
	if err := b.sources(0, "u64"); err != nil {
		return err
	}
	b.in.run = func(c *Core, in *inst, mask uint32) {
		top := c.value(in, 0)[first(mask)]
		if mask == c.act.lanes&^c.st.exited && top >= c.act.base+c.act.fn.frameSize && top <= c.act.top {
			c.act.top = top
		}
	}
	return nil
}

// specialRegisters has what each gives (PTX ISA, "Special Registers"). There is one processor, on which
// all warps of the launch run; time is the count of statements that the warp has executed.
var specialRegisters = map[string]func(c *Core, d *vec.Wide){}

// The halves of the address of a grid's workspace.
const workspaceHigh, workspaceLow = "%envreg1", "%envreg2"

// axisRegisters adds the special registers of an axis, by its index and name.
func axisRegisters(i int, x string) {
	specialRegisters["%tid."+x] = func(c *Core, d *vec.Wide) {
		for l := range d {
			d[l] = uint64(c.st.local[l][i])
		}
	}
	specialRegisters["%ntid."+x] = func(c *Core, d *vec.Wide) { fill(d, uint64(c.st.dispatch.Block[i])) }
	specialRegisters["%ctaid."+x] = func(c *Core, d *vec.Wide) { fill(d, uint64(c.st.group[i])) }
	specialRegisters["%nctaid."+x] = func(c *Core, d *vec.Wide) {
		n := c.st.dispatch.Groups()
		fill(d, uint64(n[i]))
	}
	cluster := func(c *Core) uint32 { return max(c.st.dispatch.Cluster[i], 1) }
	specialRegisters["%clusterid."+x] = func(c *Core, d *vec.Wide) {
		fill(d, uint64(c.st.group[i]/cluster(c)))
	}
	specialRegisters["%nclusterid."+x] = func(c *Core, d *vec.Wide) {
		fill(d, uint64(c.st.dispatch.Clusters()[i]))
	}
	specialRegisters["%cluster_ctaid."+x] = func(c *Core, d *vec.Wide) {
		fill(d, uint64(c.st.group[i]%cluster(c)))
	}
	specialRegisters["%cluster_nctaid."+x] = func(c *Core, d *vec.Wide) {
		fill(d, uint64(cluster(c)))
	}
}

func init() {
	for i, x := range []string{"x", "y", "z"} {
		axisRegisters(i, x)
	}
	lane := func(f func(l uint) uint64) func(c *Core, d *vec.Wide) {
		return func(_ *Core, d *vec.Wide) {
			for l := range d {
				d[l] = f(uint(l))
			}
		}
	}
	same := func(f func(c *Core) uint64) func(c *Core, d *vec.Wide) {
		return func(c *Core, d *vec.Wide) { fill(d, f(c)) }
	}
	zero := same(func(*Core) uint64 { return 0 })
	clock := func(c *Core) uint64 { return c.w.Insts + uint64(c.at-c.st.cur.pc) }
	for name, f := range map[string]func(c *Core, d *vec.Wide){
		"%laneid":      lane(func(l uint) uint64 { return uint64(l) }),
		"%lanemask_eq": lane(func(l uint) uint64 { return 1 << l }),
		"%lanemask_le": lane(func(l uint) uint64 { return 2<<l - 1 }),
		"%lanemask_lt": lane(func(l uint) uint64 { return 1<<l - 1 }),
		"%lanemask_ge": lane(func(l uint) uint64 { return fullMask &^ (1<<l - 1) }),
		"%lanemask_gt": lane(func(l uint) uint64 { return fullMask &^ (2<<l - 1) }),
		"%warpid":      same(func(c *Core) uint64 { return uint64(c.st.warp) }),
		"%nwarpid":     same(func(c *Core) uint64 { return uint64(len(c.w.Group.Waves)) }),
		"%smid":        zero, "%nsmid": same(func(*Core) uint64 { return 1 }), "%gridid": zero,
		"%tid.w": zero, "%ntid.w": zero, "%ctaid.w": zero, "%nctaid.w": zero,
		"%clusterid.w": zero, "%nclusterid.w": zero, "%cluster_ctaid.w": zero, "%cluster_nctaid.w": zero,
		"%is_explicit_cluster": same(
			func(c *Core) uint64 { return uint64(min(c.st.dispatch.Cluster[0], 1)) }),
		"%cluster_ctarank":  same(func(c *Core) uint64 { return uint64(c.w.Group.Rank) }),
		"%cluster_nctarank": same(func(c *Core) uint64 { return uint64(len(c.blocks())) }),
		"%clock":            same(func(c *Core) uint64 { return clock(c) & 0xffffffff }),
		"%clock_hi":         same(func(c *Core) uint64 { return clock(c) >> 32 }),
		"%clock64":          same(clock), "%globaltimer": same(clock),
		"%globaltimer_lo":    same(func(c *Core) uint64 { return clock(c) & 0xffffffff }),
		"%globaltimer_hi":    same(func(c *Core) uint64 { return clock(c) >> 32 }),
		"%total_smem_size":   same(func(c *Core) uint64 { return uint64(len(c.w.Group.LDS)) }),
		"%aggr_smem_size":    same(func(c *Core) uint64 { return uint64(len(c.w.Group.LDS)) }),
		"%dynamic_smem_size": same(func(c *Core) uint64 { return uint64(c.isa.launch.Dynamic) }),
	} {
		specialRegisters[name] = f
	}
	for i := range 32 {
		specialRegisters["%envreg"+strconv.Itoa(i)] = zero
	}
	specialRegisters[workspaceHigh] = same(func(c *Core) uint64 { return c.isa.launch.Workspace >> 32 })
	specialRegisters[workspaceLow] = same(func(c *Core) uint64 { return c.isa.launch.Workspace & 0xffffffff })
}
