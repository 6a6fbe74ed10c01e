package ptx

import (
	"math/bits"

	"simtgdb/simt"
	"simtgdb/simt/vec"
)

// shfl reads a register of another lane (PTX ISA, "shfl.sync").
func (b *builder) shfl() error {
	if err := b.only("sync", "up", "down", "bfly", "idx"); err != nil {
		return err
	}
	if !b.has("sync") {
		return refuse("names no lanes: expected shfl.sync")
	}
	if err := b.operands(5); err != nil {
		return err
	}
	if err := b.destAndPredicate(); err != nil {
		return err
	}
	if err := b.sources(1, "b32"); err != nil {
		return err
	}
	for mode, f := range shuffles {
		if b.has(mode) {
			b.setShuffle(&shuffle{lane: f, within: mode == "idx"})
			return nil
		}
	}
	return refuse("has no direction")
}

// A shuffle says which lane each lane reads.
type shuffle struct {
	lane   func(l, n, lo, hi int) (int, bool)
	within bool // the operand counts lanes of a segment
	known  *shuffled
}

// A shuffled is the lane that each lane reads, its own where the operands lead out of its segment; valid are
// those in which they do not.
type shuffled struct {
	from  [warpSize]uint8
	valid uint32
}

// setShuffle makes a shuffle. Which lanes are read is known before where the operands are numbers.
func (b *builder) setShuffle(s *shuffle) {
	if n, limits := &b.in.s[1], &b.in.s[2]; n.kind == fromImm && limits.kind == fromImm {
		known := s.lanes(n.imm, limits.imm)
		s.known = &known
	}
	b.setSync(3, func(c *Core, p *path, in *inst, x *exchange) { c.shuffle(p, in, x, s) })
}

// lanes says which lanes are read.
func (s *shuffle) lanes(n, limits *vec.Wide) (w shuffled) {
	for l := range warpSize {
		clamp, segment := int(limits[l]&31), int(limits[l]>>8&31)
		hi := l&segment | clamp&^segment
		count, lo := int(n[l]&31), l&segment
		if s.within {
			count &^= segment
		}
		from, ok := s.lane(l, count, lo, hi)
		if ok {
			w.valid |= 1 << l
		} else {
			from = l
		}
		w.from[l] = uint8(from & 31)
	}
	return w
}

// shuffles say for lane l, with operand n and the limits of its segment, which lane to read and whether
// it is in the segment.
var shuffles = map[string]func(l, n, lo, hi int) (int, bool){
	"up":   func(l, n, _, hi int) (int, bool) { return l - n, l-n >= hi },
	"down": func(l, n, _, hi int) (int, bool) { return l + n, l+n <= hi },
	"bfly": func(l, n, _, hi int) (int, bool) { return l ^ n, l^n <= hi },
	"idx":  func(_, n, lo, hi int) (int, bool) { return lo | n, lo|n <= hi },
}

func (c *Core) shuffle(p *path, in *inst, x *exchange, s *shuffle) {
	w := s.known
	if w == nil {
		lanes := s.lanes(c.value(in, 1), c.value(in, 2))
		w = &lanes
	}
	var out vec.Wide
	var lost, unnamed uint32
	for rest := p.mask; rest != 0; rest &= rest - 1 {
		l := first(rest)
		from := w.from[l] & 31
		out[l] = x.value[from]
		if x.group[l]>>from&1 == 0 { // not there: undefined, so the lane's own
			out[l] = x.value[l]
			lost, unnamed = lost|1<<l, unnamed|1<<from
		}
	}
	c.merge(in.dst, &out, p.mask)
	c.setPred(in.pdst, w.valid&p.mask, p.mask)
	if lost != 0 && c.m.Observed() {
		c.undefined(p, lost, unnamed, "reads lanes that it does not name or that have ended")
	}
}

// undefined tells judges of what lanes of a path do at its statement.
func (c *Core) undefined(p *path, lanes, of uint32, what string) {
	at := p.pc
	stop := c.m.Undefined(&simt.Undefined{Wave: c.w, PC: c.isa.addr(at), Lanes: uint64(lanes), Of: uint64(of),
		Text: c.isa.code[at].src.Text + " " + what})
	c.watch = c.watch || stop
}

// vote combines predicates (PTX ISA, "vote.sync").
func (b *builder) vote() error {
	if err := b.only("sync", "all", "any", "uni", "ballot"); err != nil {
		return err
	}
	if !b.has("sync") {
		return refuse("names no lanes: expected vote.sync")
	}
	if err := b.operands(3); err != nil {
		return err
	}
	var err error
	if b.has("ballot") {
		err = b.dest(0)
	} else {
		b.in.pdst, err = b.predicate(&b.args[0])
	}
	if err != nil {
		return err
	}
	if err := b.sources(1, "b32"); err != nil {
		return err
	}
	for mode, f := range votes {
		if b.has(mode) {
			b.setSync(1, func(c *Core, p *path, in *inst, x *exchange) {
				var pred uint32
				var out vec.Wide
				for rest := p.mask; rest != 0; rest &= rest - 1 {
					l := first(rest)
					v := f(x.pred&uint32(x.group[l]), uint32(x.group[l]))
					out[l] = uint64(v)
					pred |= v & 1 << l
				}
				if in.dst >= 0 {
					c.merge(in.dst, &out, p.mask)
				}
				c.setPred(in.pdst, pred, p.mask)
			})
			return nil
		}
	}
	return refuse("has no mode")
}

func one(t bool) uint32 {
	if t {
		return 1
	}
	return 0
}

// votes have the predicates that are set among those of the members.
var votes = map[string]func(set, members uint32) uint32{
	"ballot": func(set, _ uint32) uint32 { return set },
	"all":    func(set, members uint32) uint32 { return one(set == members) },
	"any":    func(set, _ uint32) uint32 { return one(set != 0) },
	"uni":    func(set, members uint32) uint32 { return one(set == members || set == 0) },
}

// destAndPredicate takes the first operand: a register, and after a bar a predicate if there is one.
func (b *builder) destAndPredicate() error {
	if err := b.dest(0); err != nil {
		return err
	}
	if b.args[0].Reg2 < 0 {
		return nil
	}
	var err error
	b.in.pdst, err = b.predicateOf(b.args[0].Reg2, true)
	return err
}

// match finds lanes with the same value (PTX ISA, "match.sync").
func (b *builder) match() error {
	if err := b.only("sync", "any", "all"); err != nil {
		return err
	}
	if err := b.operands(3); err != nil {
		return err
	}
	if err := b.destAndPredicate(); err != nil {
		return err
	}
	if err := b.sources(1, b.typ()); err != nil {
		return err
	}
	all := b.has("all")
	b.setSync(1, func(c *Core, p *path, in *inst, x *exchange) {
		var out vec.Wide
		var pred uint32
		for rest := p.mask; rest != 0; rest &= rest - 1 {
			l := first(rest)
			same := uint64(0)
			for m := uint32(x.group[l]); m != 0; m &= m - 1 {
				if x.value[first(m)] == x.value[l] {
					same |= 1 << first(m)
				}
			}
			if same == x.group[l] {
				pred |= 1 << l
			} else if all {
				same = 0
			}
			out[l] = same
		}
		c.merge(in.dst, &out, p.mask)
		c.setPred(in.pdst, pred, p.mask)
	})
	return nil
}

// redux combines values of all members (PTX ISA, "redux.sync").
func (b *builder) redux() error {
	if err := b.operands(3); err != nil {
		return err
	}
	if err := b.dest(0); err != nil {
		return err
	}
	typ := b.typ()
	if err := b.sources(1, typ); err != nil {
		return err
	}
	for mode, f := range map[string]func(a, b uint64) uint64{
		"add": func(a, b uint64) uint64 { return uint64(uint32(a + b)) },
		"and": func(a, b uint64) uint64 { return a & b },
		"or":  func(a, b uint64) uint64 { return a | b },
		"xor": func(a, b uint64) uint64 { return a ^ b },
		"min": lesser(typ), "max": greater(typ),
	} {
		if !b.has(mode) || f == nil {
			continue
		}
		b.setSync(1, func(c *Core, p *path, in *inst, x *exchange) {
			var out vec.Wide
			for rest := p.mask; rest != 0; rest &= rest - 1 {
				l := first(rest)
				m := uint32(x.group[l])
				v := x.value[first(m)]
				for m &= m - 1; m != 0; m &= m - 1 {
					v = f(v, x.value[first(m)])
				}
				out[l] = v
			}
			c.merge(in.dst, &out, p.mask)
		})
		return b.only("sync", mode)
	}
	return refuse("has no operation that is simulated")
}

// lesser and greater are the minimum and maximum of integers of 32 bits.
func lesser(typ string) func(a, b uint64) uint64 {
	return map[string]func(a, b uint64) uint64{
		"u32": func(a, b uint64) uint64 { return min(a, b) },
		"s32": func(a, b uint64) uint64 { return uint64(uint32(min(int32(a), int32(b)))) },
	}[typ]
}

func greater(typ string) func(a, b uint64) uint64 {
	return map[string]func(a, b uint64) uint64{
		"u32": func(a, b uint64) uint64 { return max(a, b) },
		"s32": func(a, b uint64) uint64 { return uint64(uint32(max(int32(a), int32(b)))) },
	}[typ]
}

// elect names one of the members (PTX ISA, "elect.sync").
func (b *builder) elect() error {
	if err := b.operands(2); err != nil {
		return err
	}
	if err := b.dest(0); err != nil {
		return err
	}
	var err error
	if b.in.pdst, err = b.predicateOf(b.args[0].Reg2, b.args[0].Reg2 >= 0); err != nil {
		return err
	}
	if err := b.sources(1, "b32"); err != nil {
		return err
	}
	b.setSync(0, func(c *Core, p *path, in *inst, x *exchange) {
		var out vec.Wide
		var pred uint32
		for rest := p.mask; rest != 0; rest &= rest - 1 {
			l := first(rest)
			leader := bits.TrailingZeros32(uint32(x.group[l]))
			out[l] = uint64(leader)
			if leader == l {
				pred |= 1 << l
			}
		}
		c.merge(in.dst, &out, p.mask)
		c.setPred(in.pdst, pred, p.mask)
	})
	return nil
}
