package ptx

import (
	"slices"

	"simtgdb/simt"
	"simtgdb/simt/ptx/numeric"
	"simtgdb/simt/vec"
)

func init() {
	register(map[string]func(b *builder) error{"mbarrier": (*builder).mbarrier})
}

// A barrierValue is an mbarrier object: 8 bytes of shared memory, of which the PTX ISA says what they stand
// for, not how ("Parallel Synchronization and Communication Instructions: mbarrier"). Here they are the
// phase, how many arrivals are awaited still, and in each phase, and how many bytes.
type barrierValue uint64

const (
	barrierCount = 1<<20 - 1
	barrierBytes = 1<<22 - 1
	barrierPhase = 1 << 63
)

func (v barrierValue) pending() uint64  { return uint64(v) & barrierCount }
func (v barrierValue) expected() uint64 { return uint64(v) >> 20 & barrierCount }
func (v barrierValue) awaited() int64 {
	return int64(numeric.SignExtend(uint64(v)>>40&barrierBytes, 22))
}

// with is the object with other counts.
func (v barrierValue) with(pending, expected uint64, awaited int64) barrierValue {
	return v&barrierPhase | barrierValue(
		pending&barrierCount|expected&barrierCount<<20|uint64(awaited)&barrierBytes<<40)
}

func (v barrierValue) arrive(n uint64) barrierValue {
	return v.with(v.pending()-n, v.expected(), v.awaited())
}

func (v barrierValue) expect(bytes int64) barrierValue {
	return v.with(v.pending(), v.expected(), v.awaited()+bytes)
}

// settled is the object after what has come: its phase ends when nothing is awaited any more.
func (v barrierValue) settled() barrierValue {
	if v.pending() != 0 || v.awaited() != 0 {
		return v
	}
	return (v ^ barrierPhase).with(v.expected(), v.expected(), 0)
}

// barrierOf is a statement that changes the object at an address, when what another one does asynchronously
// is done: who waits for that sees it.
func (b *builder) barrierOf(o *Operand) (*inst, error) {
	in, err := b.accessOf(o, Shared)
	if err == nil {
		in.atomic, in.order = true, simt.Acquire|simt.Release
	}
	return in, err
}

// barriers changes the objects of the lanes of a mask, one after the other, and gives what was there. It
// reports whether it could.
func (c *Core) barriers(in *inst, mask uint32,
	change func(l int, v barrierValue) barrierValue) (old vec.Wide, ok bool) {
	return c.barriersAt(in, c.value(in, 0), mask, change)
}

// barriersAt is barriers for objects that are a statement's offset behind addresses.
func (c *Core) barriersAt(in *inst, base *vec.Wide, mask uint32,
	change func(l int, v barrierValue) barrierValue) (old vec.Wide, ok bool) {
	need := simt.PermRead | simt.PermWrite
	switch {
	case change == nil:
		need = simt.PermRead
	case in.anew:
		need = simt.PermWrite
	}
	const size = 8
	space, ok := c.resolveAt(in, base, mask, need, size)
	if !ok {
		return old, false
	}
	for m := mask; m != 0; m &= m - 1 {
		l := first(m)
		if at, _ := c.spaceOf(space, l); at != Shared {
			c.fault(simt.Fault{Kind: simt.IllegalInstruction, Lanes: 1 << l,
				Text: in.src.Text + " has a barrier that is not in shared memory"})
			return old, false
		}
	}
	for m := mask; m != 0; m &= m - 1 {
		l := first(m)
		if !in.anew {
			old[l] = c.get(space, l, size)
		}
		if change != nil {
			c.put(space, l, size, uint64(change(l, barrierValue(old[l]))))
		}
	}
	return old, true
}

// barrierOps are what instructions do to an object, with their second operand, or what stands for it.
var barrierOps = map[string]struct {
	otherwise uint64
	change    func(v barrierValue, n uint64) barrierValue
}{
	"init":   {1, func(_ barrierValue, n uint64) barrierValue { return barrierValue(0).with(n, n, 0) }},
	"inval":  {0, func(barrierValue, uint64) barrierValue { return 0 }},
	"arrive": {1, func(v barrierValue, n uint64) barrierValue { return v.arrive(n).settled() }},
	"arrive_drop": {1, func(v barrierValue, n uint64) barrierValue {
		return v.with(v.pending()-n, v.expected()-n, v.awaited()).settled()
	}},
	"expect_tx":   {0, func(v barrierValue, n uint64) barrierValue { return v.expect(int64(n)) }},
	"complete_tx": {0, func(v barrierValue, n uint64) barrierValue { return v.expect(-int64(n)).settled() }},
}

// mbarrierMods are modifiers that change nothing here.
var mbarrierMods = []string{"shared", "shared::cta", "shared::cluster", "b64", "release", "acquire",
	"relaxed", "cta", "cluster", "noComplete"}

func (b *builder) mbarrier() error {
	if len(b.mods) == 0 || len(b.args) == 0 {
		return refuse("is not simulated in this form")
	}
	what, rest := b.mods[0], b.mods[1:]
	expects := slices.Contains(rest, "expect_tx")
	for _, m := range rest {
		if !slices.Contains(mbarrierMods, m) && m != "expect_tx" && m != "parity" {
			return refuse("has the modifier .%s, which is not simulated", m)
		}
	}
	in := b.in
	in.atomic = true
	in.order, in.scope = b.ordering()
	if in.order == 0 && what != "init" && what != "inval" && !b.has("relaxed") {
		in.order = simt.Acquire | simt.Release
	}
	switch what {
	case "pending_count":
		return b.set1(each1(func(a uint64) uint64 { return barrierValue(a).pending() }), "b64")
	case "test_wait", "try_wait":
		return b.testWait(what == "try_wait")
	}
	op, ok := barrierOps[what]
	if !ok {
		return refuse("is not simulated")
	}
	in.dst, in.anew = -1, what == "init"
	if what == "arrive" || what == "arrive_drop" {
		if b.args[0].Kind != Mem {
			if err := b.dest(0); err != nil {
				return err
			}
			b.args = b.args[1:]
		}
	}
	if len(b.args) == 0 || len(b.args) > 2 {
		return refuse("is not simulated in this form")
	}
	if err := b.sharedAddress(&b.args[0]); err != nil {
		return err
	}
	in.s[1] = source{kind: fromImm, imm: broadcast(op.otherwise)}
	if len(b.args) == 2 {
		var err error
		if in.s[1], err = b.source(&b.args[1], "u32"); err != nil {
			return err
		}
		if in.s[1].kind == fromPred {
			return refuse("reads a predicate as a number")
		}
	}
	in.run = func(c *Core, in *inst, mask uint32) { c.changeBarriers(in, mask, op.change, expects) }
	return nil
}

// changeBarriers changes the barriers of lanes, each by a number, which is one of bytes that one arrival
// expects, or of arrivals.
func (c *Core) changeBarriers(in *inst, mask uint32, change func(v barrierValue, n uint64) barrierValue,
	expects bool) {
	n := *c.value(in, 1)
	old, ok := c.barriers(in, mask, func(l int, v barrierValue) barrierValue {
		if expects {
			return change(v.expect(int64(uint32(n[l]))), 1)
		}
		return change(v, uint64(uint32(n[l])))
	})
	if ok {
		c.merge(in.dst, &old, mask)
	}
}

// sharedAddress makes a memory operand the first source.
func (b *builder) sharedAddress(o *Operand) error {
	for _, m := range b.mods {
		if m == "shared" || m == "shared::cta" || m == "shared::cluster" {
			b.in.space = Shared
		}
	}
	return b.address(o, 0)
}

// testWait tells whether a phase has ended: that of a state, or one of a parity. Who tries to wait lets
// others of the warp go on.
func (b *builder) testWait(tries bool) error {
	if len(b.args) < 3 || len(b.args) > 4 { // the fourth is a time
		return refuse("has %d operands; expected 3", len(b.args))
	}
	in := b.in
	var err error
	if in.pdst, err = b.predicate(&b.args[0]); err != nil {
		return err
	}
	if err := b.sharedAddress(&b.args[1]); err != nil {
		return err
	}
	parity := b.has("parity")
	if in.s[1], err = b.source(&b.args[2], map[bool]string{false: "b64", true: "u32"}[parity]); err != nil {
		return err
	}
	if in.s[1].kind == fromPred {
		return refuse("reads a predicate as a number")
	}
	in.ends = tries
	in.run = func(c *Core, in *inst, mask uint32) {
		of := *c.value(in, 1)
		now, ok := c.barriers(in, mask, nil)
		if !ok {
			return
		}
		var ended uint32
		for m := mask; m != 0; m &= m - 1 {
			l := first(m)
			phase := of[l] >> 63
			if parity {
				phase = of[l] & 1
			}
			if now[l]>>63 != phase {
				ended |= 1 << l
			}
		}
		c.setPred(in.pdst, ended, mask)
		c.st.yield = c.st.yield || tries && ended != mask
	}
	return nil
}

// copiesArrive is cp.async.mbarrier.arrive: when all copies of the lane so far are done, which they are, it
// arrives. That was not awaited before, but with .noinc.
func (b *builder) copiesArrive() error {
	if err := b.operands(1); err != nil {
		return err
	}
	if err := b.sharedAddress(&b.args[0]); err != nil {
		return err
	}
	b.in.atomic, b.in.order, b.in.scope = true, simt.Release, simt.GroupScope // of what the copies have done
	counts := b.has("noinc")
	b.in.run = func(c *Core, in *inst, mask uint32) {
		for o := range c.m.Copiers {
			waitForAll(o, c.w, uint64(mask)) // whoever waits for the barrier has waited for the copies
		}
		c.barriers(in, mask, func(_ int, v barrierValue) barrierValue {
			if counts {
				return v.arrive(1).settled()
			}
			return v
		})
	}
	return nil
}
