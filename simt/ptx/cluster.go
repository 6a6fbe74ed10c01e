package ptx

import (
	"slices"

	"simtgdb/simt"
	"simtgdb/simt/ptx/numeric"
	"simtgdb/simt/vec"
)

func init() {
	register(map[string]func(b *builder) error{"mapa": (*builder).mapa, "getctarank": (*builder).getCTARank})
}

// A cluster is workgroups that run at once, that wait for each other, and that access each other's shared
// memory (PTX ISA, "Cooperative Thread Arrays: Cluster of Cooperative Thread Arrays"). An address of shared
// memory below simt.PeerLDS is in that of the workgroup itself, as those of variables are; mapa makes others
// of them.

// blocks are the workgroups of the cluster.
func (c *Core) blocks() []*simt.Workgroup {
	if peers := c.w.Group.Peers; len(peers) > 0 {
		return peers
	}
	c.alone[0] = c.w.Group
	return c.alone[:]
}

// sharedAt is shared memory from an address on that has been found good.
func (c *Core) sharedAt(addr uint64) []byte {
	of, at := c.w.Group.Owner(addr)
	return of.LDS[at:]
}

// enterShared makes the shared memory that the lowest lane of a mask accesses the one that is accessed, and
// gives the lanes that access it, too, with their addresses there. It has nothing if its workgroup has ended.
func (c *Core) enterShared(mask uint32) (lanes uint32) {
	var owner *simt.Workgroup
	for m := mask; m != 0; m &= m - 1 {
		l := first(m)
		of, at := c.w.Group.Owner(c.access.addr[l] - SharedWindow)
		if lanes == 0 {
			owner = of
		}
		if of == owner {
			c.access.addr[l] = at
			lanes |= 1 << l
		}
	}
	c.lds, c.peer = nil, nil
	switch {
	case owner == c.w.Group:
		c.lds = owner.LDS
	case owner != nil:
		if c.peer = owner; !owner.Ended() {
			c.lds = owner.LDS
		}
	}
	return lanes
}

// mapa makes of an address of shared memory that of the same variable in another workgroup of the cluster.
func (b *builder) mapa() error {
	window := uint64(SharedWindow)
	for _, m := range b.mods[:max(len(b.mods)-1, 0)] {
		if m != "shared::cluster" {
			return refuse("has the modifier .%s, which is not simulated", m)
		}
		window = 0
	}
	if err := b.operands(3); err != nil {
		return err
	}
	if err := b.dest(0); err != nil {
		return err
	}
	if err := b.sources(1, b.typ()); err != nil {
		return err
	}
	whole := numeric.Mask(numeric.Widths[b.typ()])
	b.in.run = func(c *Core, in *inst, mask uint32) {
		a, rank, out := c.value(in, 0), c.value(in, 1), &c.out
		for l := range out {
			if out[l] = a[l] & whole; len(c.w.Group.Peers) > 0 || uint32(rank[l]) != 0 {
				out[l] = window + (uint64(uint32(rank[l]))+1)*simt.PeerLDS + (a[l]-window)%simt.PeerLDS
			}
		}
		c.merge(in.dst, out, mask)
	}
	return nil
}

// getCTARank gives the rank of the workgroup whose shared memory an address is in.
func (b *builder) getCTARank() error {
	if err := b.operands(2); err != nil {
		return err
	}
	if err := b.dest(0); err != nil {
		return err
	}
	if err := b.sources(1, b.typ()); err != nil {
		return err
	}
	b.in.run = func(c *Core, in *inst, mask uint32) {
		a, out := c.value(in, 0), &c.out
		for l := range out {
			out[l] = uint64(c.rankOf(a[l]))
		}
		c.merge(in.dst, out, mask)
	}
	return nil
}

// rankOf is the rank of the workgroup in whose shared memory an address is, which may be generic.
func (c *Core) rankOf(addr uint64) uint32 {
	rank := uint32(addr) / simt.PeerLDS
	if rank == 0 {
		return uint32(c.w.Group.Rank)
	}
	return rank - 1
}

// clusterBarrier is barrier.cluster: threads arrive, and wait for all of the cluster that have not ended to
// arrive.
func (b *builder) clusterBarrier() error {
	if err := b.only("cluster", "arrive", "wait", "release", "relaxed", "acquire", "aligned"); err != nil {
		return err
	}
	if err := b.operands(0); err != nil {
		return err
	}
	in := b.in
	b.a.cluster = true
	switch {
	case b.has("arrive"):
		in.jump, in.ends = runClusterArrive, true
	case b.has("wait"):
		in.jump, in.ends, in.flow = runClusterWait, true, simt.FlowBarrier
	default:
		return refuse("is not simulated in this form")
	}
	return nil
}

func runClusterArrive(c *Core, in *inst, mask uint32) {
	st := c.st
	st.cur.pc = c.at + 1
	if mask == 0 {
		return
	}
	if again := mask & (st.came | st.passed); again != 0 && c.judged {
		c.undefined(st.cur, again, 0, "arrives once more before it has waited")
	}
	if !hasPart(in.src.Op, "relaxed") {
		c.m.Fence(c.w, arriveFence)
	}
	st.came |= mask
	c.checkCluster()
}

func runClusterWait(c *Core, in *inst, mask uint32) {
	st := c.st
	p := st.cur
	if mask&^st.passed == 0 { // or nobody waits
		st.passed &^= mask
		p.pc = c.at + 1
		return
	}
	if never := mask &^ (st.came | st.passed); never != 0 && c.judged {
		c.undefined(p, never, 0, "waits without having arrived")
	}
	p = c.splitOff(p, mask)
	p.wait, p.barrier, p.count = waitBarrier, clusterBarrierID, 0
	c.comesTo(in, p)
	st.cur = nil
}

// checkCluster opens the barrier of the cluster if all have arrived that have not ended.
func (c *Core) checkCluster() {
	var waves []*simt.Wave
	for _, g := range c.blocks() {
		for _, w := range g.Waves {
			if w.State == simt.Ended {
				continue
			}
			st := w.Regs.(*state)
			if st.alive()&^st.came != 0 {
				return
			}
			if st.came != 0 {
				waves = append(waves, w)
			}
		}
	}
	if len(waves) == 0 {
		return
	}
	at, act := c.at, c.act
	defer func() { c.at, c.act = at, act }()
	if c.m.Ordered() {
		c.m.Opened(simt.Meeting{Waves: waves, Barrier: clusterBarrierID, Part: true, Anywhere: true,
			Cluster: true})
	}
	for _, w := range waves {
		c.passCluster(w)
	}
}

// passCluster lets lanes of a wave go on that wait at the barrier of the cluster, which has opened.
func (c *Core) passCluster(w *simt.Wave) {
	st := w.Regs.(*state)
	st.passed |= st.came
	st.came = 0
	for _, p := range slices.Clone(st.paths) { // they change where lanes meet
		if p.wait == waitBarrier && p.barrier == clusterBarrierID && p.mask&^st.passed == 0 {
			st.passed &^= p.mask
			c.passBarrier(st, p, clusterBarrierID, 0, 0)
		}
	}
	if w.State == simt.AtBarrier {
		c.goOn(w)
	}
}

// eachTarget tells of the addresses that a copy of a lane goes to: the one that is said, or as far into the
// shared memory of each workgroup of the cluster whose bit a mask has. It reports whether all could be done.
func (c *Core) eachTarget(many *source, lane int, addr uint64, as *inst, do func(addr uint64) bool) bool {
	if many.kind == fromNone {
		return do(addr)
	}
	var masks [1]*vec.Wide
	var room [1]vec.Wide
	c.read(masks[:], []source{*many}, room[:])
	for left := uint32(uint16(masks[0][lane])); left != 0; left &= left - 1 {
		if !do(c.inBlock(first(left), addr, as)) {
			return false
		}
	}
	return true
}

// inBlock is where a statement that has an address finds the same one of the workgroup of a rank.
func (c *Core) inBlock(rank int, addr uint64, as *inst) uint64 {
	if len(c.w.Group.Peers) == 0 && rank == 0 {
		return addr
	}
	window := (addr + as.offset) &^ (windowSize - 1)
	return window + uint64(rank+1)*simt.PeerLDS + (addr+as.offset)%simt.PeerLDS - as.offset
}

// tellBarriers tells the barriers of the lanes of a mask how many bytes have come, in each workgroup that
// they have come to.
func (c *Core) tellBarriers(many *source, barrier *inst, mask uint32, bytes func(l int) int64) {
	for m := mask; m != 0; m &= m - 1 {
		l := first(m)
		c.eachTarget(many, l, c.value(barrier, 0)[l], barrier, func(addr uint64) bool {
			c.tmp[3][l] = addr
			_, ok := c.barriersAt(barrier, &c.tmp[3], 1<<l, func(_ int, v barrierValue) barrierValue {
				return v.expect(-bytes(l)).settled()
			})
			return ok
		})
	}
}

// asyncMods are modifiers of st.async and red.async, which tell a barrier how many bytes they have changed.
var asyncMods = []string{"async", "mbarrier::complete_tx::bytes"}

// toldBarrier takes the barrier that is told of a store away from its operands; nil if none is.
func (b *builder) toldBarrier() (*inst, error) {
	switch tells := b.has("mbarrier::complete_tx::bytes"); {
	case tells != b.has("async"):
		return nil, refuse("is not simulated in this form")
	case !tells:
		return nil, nil
	case len(b.args) != 3:
		return nil, refuse("has %d operands; expected 3", len(b.args))
	}
	barrier, err := b.barrierOf(&b.args[2])
	b.args = b.args[:2]
	return barrier, err
}

// tells makes a statement tell a barrier, that may be nil, of what it has changed.
func (in *inst) tells(barrier *inst) {
	if barrier == nil {
		return
	}
	run, size := in.run, int64(in.size)*int64(in.elements)
	in.s[4] = barrier.s[0]
	in.run = func(c *Core, in *inst, mask uint32) {
		if run(c, in, mask); c.stop.Kind == simt.NoEvent {
			c.tellBarriers(&source{}, barrier, mask, func(int) int64 { return size })
		}
	}
}
