package ptx

import (
	"fmt"
	"math/bits"
	"slices"

	"simtgdb/simt"
	"simtgdb/simt/vec"
)

// An exchange is one warp operation as its lanes meet in it.
type exchange struct {
	value vec.Wide // the first source of each lane
	pred  uint32   // the same, if it is a predicate
	from  uint32   // lanes that are there
	group vec.Wide // of each lane: those of its members that are there
}

func init() {
	register(map[string]func(b *builder) error{
		"shfl": (*builder).shfl, "vote": (*builder).vote, "match": (*builder).match,
		"redux": (*builder).redux, "activemask": (*builder).activemask, "elect": (*builder).elect,
		"bar": (*builder).barrier, "barrier": (*builder).barrier,
	})
}

// setSync makes a warp operation whose member mask is source i; the first source is what lanes exchange.
func (b *builder) setSync(members int, run func(c *Core, p *path, in *inst, x *exchange)) {
	in := b.in
	in.sync, in.imm = run, uint64(members)
	in.jump, in.ends = runSync, true
}

// runSync executes a warp operation for the lanes whose members have all come; the others wait.
func runSync(c *Core, in *inst, mask uint32) {
	p := c.st.cur
	if mask == 0 {
		p.pc = c.at + 1
		return
	}
	if mask != p.mask { // lanes that do not take part go on
		p = c.splitOff(p, mask)
	}
	if c.complete(p, in) {
		x := exchange{from: p.mask}
		c.gather(&x, p, in)
		in.sync(c, p, in, &x)
		p.pc = c.at + 1
		return
	}
	p.wait = waitSync
	c.st.cur = nil
	c.resolveSync()
}

// members is the mask of lanes that an operation of a path names in each of its lanes.
func (c *Core) members(in *inst) *vec.Wide { return c.value(in, int(in.imm)) }

// complete reports whether all lanes that a path's operation names and that have not ended are in the path.
func (c *Core) complete(p *path, in *inst) bool {
	m, alive := c.members(in), c.st.alive()
	if alive&^p.mask == 0 {
		return true
	}
	for rest := p.mask; rest != 0; rest &= rest - 1 {
		if uint32(m[first(rest)])&alive&^p.mask != 0 {
			return false
		}
	}
	return true
}

// gather adds what a path brings to an exchange.
func (c *Core) gather(x *exchange, p *path, in *inst) {
	m := c.members(in)
	unnamed := uint32(0)
	for rest := p.mask; rest != 0; rest &= rest - 1 {
		l := first(rest)
		x.group[l] = m[l] & uint64(x.from)
		if m[l]>>l&1 == 0 {
			unnamed |= 1 << l
		}
	}
	if unnamed != 0 && c.m.Observed() {
		c.undefined(p, unnamed, 0, "does not name the lane that executes it")
	}
	switch s := &in.s[0]; s.kind {
	case fromNone:
	case fromPred:
		x.pred |= c.pred(s) & p.mask
	default:
		v := c.value(in, 0)
		for rest := p.mask; rest != 0; rest &= rest - 1 {
			l := first(rest)
			x.value[l] = v[l]
			if v[l] != 0 {
				x.pred |= 1 << l
			}
		}
		if s.not {
			x.pred ^= p.mask
		}
	}
}

// enterPath makes a path the one whose registers are read and written, and returns its statement.
func (c *Core) enterPath(p *path) *inst {
	c.act, c.at = p.act, p.pc
	return &c.isa.code[p.pc]
}

// resolveSync lets lanes that wait at warp operations of one kind go on if all that they name have come.
func (c *Core) resolveSync() {
	for again := true; again; {
		again = false
		for _, p := range c.st.paths {
			if p.wait == waitSync && c.resolveKind(builderName(c.isa.code[p.pc].src.Op)) {
				again = true
				break
			}
		}
	}
}

// builderName is the first part of an instruction's name.
func builderName(op string) string {
	for i := range len(op) {
		if op[i] == '.' {
			return op[:i]
		}
	}
	return op
}

// resolveKind is resolveSync for operations of one kind. It reports whether lanes go on.
func (c *Core) resolveKind(kind string) bool {
	at, act := c.at, c.act
	defer func() { c.at, c.act = at, act }()
	var waiting []*path
	var there uint32
	var named vec.Wide
	for _, p := range c.st.paths {
		if p.wait != waitSync || builderName(c.isa.code[p.pc].src.Op) != kind {
			continue
		}
		waiting = append(waiting, p)
		there |= p.mask
		m := c.members(c.enterPath(p))
		for rest := p.mask; rest != 0; rest &= rest - 1 {
			named[first(rest)] = m[first(rest)]
		}
	}
	ready := uint32(0)
	for rest := there; rest != 0; rest &= rest - 1 {
		l := first(rest)
		others := uint32(named[l]) & c.st.alive()
		ok := others&^there == 0
		for m := others & there; m != 0 && ok; m &= m - 1 {
			ok = named[first(m)] == named[l] // the same lanes must be named
		}
		if ok {
			ready |= 1 << l
		}
	}
	if ready == 0 {
		return false
	}
	if c.m.Ordered() {
		c.m.Together(c.w, uint64(ready))
	}
	x := exchange{from: ready}
	for _, p := range waiting {
		if p.mask&ready == 0 {
			continue
		}
		if rest := p.mask &^ ready; rest != 0 {
			q := *p
			q.mask = rest
			p.mask &= ready
			c.st.insert(p, []*path{&q})
		}
		c.gather(&x, p, c.enterPath(p))
	}
	for _, p := range waiting {
		if p.mask&ready != 0 {
			in := c.enterPath(p)
			in.sync(c, p, in, &x)
			p.wait = running
			p.pc++
			c.st.settle(p)
		}
	}
	return true
}

// barrier is bar and barrier: sync, arrive and red for a workgroup, warp.sync for lanes.
func (b *builder) barrier() error {
	if b.has("warp") {
		if err := b.sources(0, "b32"); err != nil {
			return err
		}
		b.in.flow = simt.FlowBarrier
		b.setSync(0, syncLanes)
		return nil
	}
	if b.has("cluster") {
		return b.clusterBarrier()
	}
	if err := b.only("cta", "sync", "arrive", "red", "popc", "and", "or", "aligned"); err != nil {
		return err
	}
	in := b.in
	firstSource := 0
	if b.has("red") {
		if len(b.args) < 3 {
			return refuse("has %d operands; expected 3 or 4", len(b.args))
		}
		var err error
		if b.has("popc") {
			err = b.dest(0)
		} else {
			in.pdst, err = b.predicate(&b.args[0])
		}
		if err != nil {
			return err
		}
		firstSource = 1
	}
	if err := b.sources(firstSource, "u32"); err != nil {
		return err
	}
	if b.has("red") { // the predicate is last; it goes to s[2]
		if len(b.args) == 3 {
			in.s[1], in.s[2] = source{}, in.s[1]
		}
		if in.s[2].kind != fromPred {
			return refuse("reduces no predicate")
		}
	}
	in.jump, in.ends, in.flow = runBarrier, true, simt.FlowBarrier
	b.a.counts = b.a.counts || in.s[1].kind != fromNone
	if b.has("arrive") {
		if in.s[1].kind == fromNone {
			return refuse("does not say how many threads the barrier waits for")
		}
		in.jump = runArrive
	}
	return nil
}

// Barriers of a workgroup: those that have numbers, that of the cluster, and where groups of four warps meet.
const (
	numberedBarriers  = 16
	clusterBarrierID  = numberedBarriers
	firstGroupBarrier = clusterBarrierID + 1
	allBarriers       = firstGroupBarrier + 8
)

// syncLanes is bar.warp.sync for the lanes of a path: each is told of once, by the path that has the first of
// them.
func syncLanes(c *Core, p *path, _ *inst, x *exchange) {
	if l := first(p.mask); c.m.Ordered() && first(uint32(x.group[l])) == l {
		c.m.Fence(c.w, simt.Fence{Order: simt.Acquire | simt.Release, Scope: simt.WaveScope,
			Spaces: simt.AllSpaces, Lanes: x.group[l]})
	}
}

// barrierOperands are the number of a barrier and how many warps it waits for, 0 for all.
func (c *Core) barrierOperands(in *inst, mask uint32) (id, warps uint32, ok bool) {
	l := first(mask)
	id = uint32(c.value(in, 0)[l])
	if in.s[1].kind != fromNone {
		n := uint32(c.value(in, 1)[l])
		if ok = n != 0 && n%warpSize == 0; !ok {
			c.fault(simt.Fault{Kind: simt.IllegalInstruction, Lanes: uint64(mask),
				Text: fmt.Sprintf("%s waits for %d threads, no multiple of %d", in.src.Text, n, warpSize)})
			return
		}
		warps = n / warpSize
	}
	if ok = id < numberedBarriers; !ok {
		c.fault(simt.Fault{Kind: simt.IllegalInstruction, Lanes: uint64(mask),
			Text: fmt.Sprintf("%s has barrier %d; there are 16", in.src.Text, id)})
	}
	return
}

func runBarrier(c *Core, in *inst, mask uint32) {
	p := c.st.cur
	if mask == 0 {
		p.pc = c.at + 1
		return
	}
	id, warps, ok := c.barrierOperands(in, mask)
	if !ok {
		return
	}
	c.m.Fence(c.w, barrierFence)
	p = c.splitOff(p, mask)
	p.wait, p.barrier, p.count = waitBarrier, id, warps
	c.comesTo(in, p)
	if in.s[2].kind == fromPred {
		p.vote = c.pred(&in.s[2]) & mask
	}
	c.st.cur = nil
	c.checkBarrier(id)
}

// runArrive counts at a barrier without waiting.
func runArrive(c *Core, in *inst, mask uint32) {
	p := c.st.cur
	p.pc = c.at + 1
	if mask == 0 {
		return
	}
	id, warps, ok := c.barrierOperands(in, mask)
	if !ok {
		p.pc = c.at
		return
	}
	c.m.Fence(c.w, arriveFence)
	c.m.Came(c.w, uint8(id))
	st := c.st
	st.awaited[id] = warps
	if st.arrived[id] |= mask; st.alive()&^st.arrived[id] == 0 {
		st.arrived[id] = 0
		st.arrivals[id]++
	}
	c.checkBarrier(id)
}

// checkBarriers opens the barriers of the workgroup for which all have come.
func (c *Core) checkBarriers() {
	n := uint32(numberedBarriers)
	if c.isa.groups {
		n = allBarriers
	}
	for id := range n {
		if id != clusterBarrierID {
			c.checkBarrier(id)
		}
	}
	if c.isa.cluster {
		c.checkCluster()
	}
}

// checkBarrier opens a barrier if enough warps wait at it: a warp counts when all its lanes that have
// not ended wait there, and for each time that it has arrived without waiting.
func (c *Core) checkBarrier(id uint32) {
	if !c.isa.counts && !c.allWait(id) {
		return
	}
	var come, want, all, passed uint32
	counted := false
	for _, w := range c.w.Group.Waves {
		st := w.Regs.(*state)
		passed += st.arrivals[id]
		if n := st.awaited[id]; n != 0 {
			want, counted = max(want, n), true
		}
		if st.alive() == 0 || w.State == simt.Ended {
			continue
		}
		all++
		var here uint32
		for _, p := range st.paths {
			if p.wait == waitBarrier && p.barrier == id {
				here |= p.mask
				if p.count != 0 {
					want, counted = max(want, p.count), true
				}
			}
		}
		if here != 0 && here == st.alive() {
			come++
		}
	}
	if come += passed; !counted {
		want = all
	}
	if come == 0 || come < want {
		return
	}
	c.openBarrier(id, passed > 0 || counted && int(want) < len(c.w.Group.Waves))
}

// allWait reports whether all lanes of the workgroup that have not ended wait at a barrier. The wave that
// comes last mostly has the last number.
func (c *Core) allWait(id uint32) bool {
	for _, w := range slices.Backward(c.w.Group.Waves) {
		if w.State == simt.Ended {
			continue
		}
		st := w.Regs.(*state)
		here := uint32(0)
		for _, p := range st.paths {
			if p.wait == waitBarrier && p.barrier == id {
				here |= p.mask
			}
		}
		if here != st.alive() {
			return false
		}
	}
	return true
}

// openBarrier lets all that wait at a barrier go on. It may be that only a part of the workgroup waits.
func (c *Core) openBarrier(id uint32, part bool) {
	at, act := c.at, c.act
	defer func() { c.at, c.act = at, act }()
	var yes, all int
	for _, w := range c.w.Group.Waves {
		st := w.Regs.(*state)
		st.arrivals[id], st.arrived[id], st.awaited[id] = 0, 0, 0
		for _, p := range st.paths {
			if p.wait == waitBarrier && p.barrier == id {
				all += bits.OnesCount32(p.mask)
				yes += bits.OnesCount32(p.vote & p.mask)
			}
		}
	}
	if id < firstGroupBarrier {
		c.tellOpened(id, part)
	}
	for _, w := range c.w.Group.Waves {
		st := w.Regs.(*state)
		if len(st.paths) == 1 {
			c.passBarrier(st, st.paths[0], id, yes, all)
		} else {
			for _, p := range slices.Clone(st.paths) { // they change where lanes meet
				c.passBarrier(st, p, id, yes, all)
			}
		}
		if w.State == simt.AtBarrier {
			c.goOn(w)
		}
	}
}

// goOn makes a wave ready that has waited.
func (c *Core) goOn(w *simt.Wave) {
	st := w.Regs.(*state)
	w.State = simt.Ready
	st.cur = nil
	for _, p := range st.paths {
		if p.wait == running {
			st.cur = p
			w.PC, w.Exec = c.isa.addr(p.pc), uint64(p.mask)
			break
		}
	}
}

// passBarrier lets a path go on if it waits at a barrier.
func (c *Core) passBarrier(st *state, p *path, id uint32, yes, all int) {
	if p.wait != waitBarrier || p.barrier != id {
		return
	}
	in := c.enterPath(p)
	c.reduced(in, p.mask, yes, all)
	p.wait, p.vote = running, 0
	p.pc++
	st.settle(p)
}

// reduced writes what a reduction at a barrier comes to.
func (c *Core) reduced(in *inst, mask uint32, yes, all int) {
	if in.s[2].kind != fromPred {
		return
	}
	if in.dst >= 0 {
		c.merge(in.dst, broadcast(uint64(yes)), mask)
		return
	}
	result := yes == all
	if hasPart(in.src.Op, "or") {
		result = yes > 0
	}
	v := uint32(0)
	if result {
		v = fullMask
	}
	c.setPred(in.pdst, v, mask)
}

// hasPart reports whether an instruction's name has a modifier.
func hasPart(op, mod string) bool {
	for len(op) > 0 {
		part := builderName(op)
		if part == mod {
			return true
		}
		op = op[min(len(part)+1, len(op)):]
	}
	return false
}

// blocked makes an event of a wave of which no path can run.
func (c *Core) blocked() {
	st := c.st
	var barrier *path
	for _, p := range st.paths {
		if p.wait == waitBarrier && barrier == nil {
			barrier = p
		}
	}
	p := st.paths[0]
	c.at = p.pc
	if c.w.State != simt.AtBarrier && barrier != nil && c.othersRun() {
		c.w.State = simt.AtBarrier
		c.w.PC, c.w.Exec = c.isa.addr(p.pc), uint64(p.mask)
		st.cur = p
		c.stop = simt.Event{Kind: simt.BarrierEvent, PC: c.w.PC, Lanes: uint64(p.mask),
			Barrier: uint8(barrier.barrier)}
		return
	}
	st.cur = p
	c.fault(simt.Fault{Kind: simt.IllegalInstruction, Lanes: uint64(p.mask),
		Text: c.isa.code[p.pc].src.Text + " waits for others that cannot come"})
	c.stopped(p, p.pc)
}

// othersRun reports whether another wave of the workgroup, or of its cluster, can run.
func (c *Core) othersRun() bool {
	for _, g := range c.blocks() {
		for _, w := range g.Waves {
			if w != c.w && (w.State == simt.Ready || w.State == simt.Faulted) {
				return true
			}
		}
	}
	return false
}

// activemask is the lanes that execute together.
func (b *builder) activemask() error {
	if err := b.dest(0); err != nil {
		return err
	}
	b.in.run = func(c *Core, in *inst, mask uint32) { c.merge(in.dst, broadcast(uint64(mask)), mask) }
	return nil
}
