package ptx

import (
	"slices"
	"strings"

	"simtgdb/simt"
	"simtgdb/simt/ptx/numeric"
	"simtgdb/simt/vec"
)

func init() {
	register(map[string]func(b *builder) error{"cp": (*builder).cp})
}

// Asynchronous copies are done when they are begun, which is one of the times at which hardware may do them.
// Waiting for them is nothing then (PTX ISA, "Data Movement and Conversion Instructions: Asynchronous copy").

// A copying is a copy from one address to another.
type copying struct {
	to, from *inst // statements of one access each, with its address
	size     source
	read     source     // how many bytes are read, if it says so: the rest is zeros
	ignore   source     // a predicate that none are
	barrier  *inst      // in shared memory, that is told how many bytes have come; nil for none
	reduce   *reduction // nil for a plain copy
	small    bool       // of up to 16 bytes, which the lane itself waits for
	many     source     // the workgroups of the cluster that get it, a mask; none for who is addressed
}

// accessOf is a statement that accesses one of the addresses of another.
func (b *builder) accessOf(o *Operand, space Space) (*inst, error) {
	in := *b.in
	in.space, in.elements = space, 0
	p := *b
	p.in = &in
	if err := p.address(o, 0); err != nil {
		return nil, err
	}
	return &in, nil
}

func (b *builder) cp() error {
	switch {
	case !b.has("async"):
		return refuse("is not simulated")
	case b.has("bulk") && (b.has("commit_group") || b.has("wait_group") || b.has("prefetch")):
		return b.nothing()
	case b.has("commit_group"):
		return b.tellCopiers(func(o simt.Copier, w *simt.Wave, lanes uint64) { o.Committed(w, lanes) })
	case b.has("wait_all"):
		return b.tellCopiers(waitForAll)
	case b.has("wait_group"):
		if err := b.operands(1); err != nil {
			return err
		}
		n := int(b.args[0].Value)
		return b.tellCopiers(func(o simt.Copier, w *simt.Wave, lanes uint64) { o.Waited(w, lanes, n) })
	case b.has("mbarrier") && b.has("arrive"):
		return b.copiesArrive()
	case b.has("tensor"):
		return b.tensorCopy()
	case b.has("bulk"):
		return b.bulkCopy()
	case b.has("reduce"):
		return refuse("is not simulated")
	}
	return b.smallCopy()
}

// waitForAll tells that lanes have waited for all of their copies.
func waitForAll(o simt.Copier, w *simt.Wave, lanes uint64) { o.Waited(w, lanes, simt.AllGroups) }

// tellCopiers makes a statement that only those have something to do for who observe copies.
func (b *builder) tellCopiers(f func(o simt.Copier, w *simt.Wave, lanes uint64)) error {
	b.in.run = func(c *Core, _ *inst, mask uint32) {
		for o := range c.m.Copiers {
			if mask != 0 {
				f(o, c.w, uint64(mask))
			}
		}
	}
	return nil
}

// smallCopy is cp.async: 4, 8 or 16 bytes of each lane from global to shared memory.
func (b *builder) smallCopy() error {
	for _, m := range b.mods {
		if !slices.Contains([]string{"async", "ca", "cg", "shared", "shared::cta", "global"}, m) &&
			!strings.HasPrefix(m, "L2::") {
			return refuse("has the modifier .%s, which is not simulated", m)
		}
	}
	if len(b.args) < 3 || len(b.args) > 5 || b.args[2].Kind != Int {
		return refuse("is not simulated in this form")
	}
	n := b.args[2].Value
	if n != 4 && n != 8 && n != 16 {
		return refuse("copies %d bytes; expected 4, 8 or 16", n)
	}
	c := &copying{size: source{kind: fromImm, imm: broadcast(n)}, small: true}
	if len(b.args) > 3 {
		s, err := b.source(&b.args[3], "u32")
		switch {
		case err != nil:
			return err
		case s.kind == fromPred:
			c.ignore = s
		case len(b.args) == 5 || !b.has("L2::cache_hint"):
			c.read = s
		}
	}
	return b.setCopy(c, &b.args[0], Shared, &b.args[1], Global)
}

// bulkMods are modifiers of bulk copies that say nothing beyond what their operands and spaces do.
var bulkMods = []string{"async", "reduce", "bulk", "mbarrier::complete_tx::bytes", "bulk_group",
	"L2::cache_hint", "multicast::cluster", "noftz"}

// bulkCopy is cp.async.bulk and cp.reduce.async.bulk: any multiple of 16 bytes between global and shared
// memory.
func (b *builder) bulkCopy() error {
	var places []Space
	c := &copying{}
	name, typ := "", ""
	for _, m := range b.mods {
		s, is := spaces[m]
		switch {
		case is:
			places = append(places, s)
		case slices.Contains(bulkMods, m):
		case b.has("reduce") && slices.Contains(atomicNames, m):
			name = m
		case b.has("reduce") && numeric.Widths[m] != 0:
			typ = m
		default:
			return refuse("has the modifier .%s, which is not simulated", m)
		}
	}
	told := b.has("mbarrier::complete_tx::bytes")
	if len(places) != 2 || len(b.args) < 3 || told && len(b.args) < 4 {
		return refuse("is not simulated in this form")
	}
	var err error
	if c.size, err = b.source(&b.args[2], "u32"); err == nil && told {
		c.barrier, err = b.barrierOf(&b.args[3])
	}
	if err != nil {
		return err
	}
	if b.has("multicast::cluster") {
		if len(b.args) < 5 || !told {
			return refuse("is not simulated in this form")
		}
		if c.many, err = b.source(&b.args[4], "u16"); err != nil {
			return err
		}
	}
	if b.has("reduce") {
		if c.reduce, err = b.reduction(name, typ); err != nil {
			return err
		}
	}
	return b.setCopy(c, &b.args[0], places[0], &b.args[1], places[1])
}

// A reduction is what a copy does with each element that is there already.
type reduction struct {
	size int
	op   func(old, x, y uint64) uint64
}

// reduction is one of the atomic operations on elements of a type.
func (b *builder) reduction(name, typ string) (*reduction, error) {
	r := &reduction{size: numeric.Widths[typ] / 8}
	switch {
	case typ == "" || name == "exch" || name == "cas":
	case numeric.IsFloat(typ):
		r.op = b.floatAtomic(name, typ)
	default:
		r.op = atomicOp(name, typ)
	}
	if r.op == nil {
		return nil, refuse("is not simulated in this form")
	}
	return r, nil
}

// onto makes a piece that is copied what the memory becomes from it.
func (r *reduction) onto(piece, old []byte) {
	for i := 0; i < len(piece); i += r.size {
		putWord(piece[i:], r.size, r.op(word(old[i:], r.size), word(piece[i:], r.size), 0))
	}
}

func (b *builder) setCopy(c *copying, to *Operand, toSpace Space, from *Operand, fromSpace Space) error {
	var err error
	if c.to, err = b.accessOf(to, toSpace); err != nil {
		return err
	}
	if c.from, err = b.accessOf(from, fromSpace); err != nil {
		return err
	}
	c.to.atomic = c.reduce != nil
	b.in.s = [5]source{c.from.s[0], c.to.s[0], c.size, c.read}
	if c.barrier != nil {
		b.in.s[4] = c.barrier.s[0]
	}
	b.in.matrix = &matrixUse{}
	if c.many.kind != fromNone {
		b.in.matrix.reads = []source{c.many}
	}
	b.in.run = func(core *Core, in *inst, mask uint32) { core.copies(c, in, mask) }
	return nil
}

// copies does the copies of the lanes of a mask, one after the other.
func (c *Core) copies(p *copying, in *inst, mask uint32) {
	size, read := c.value(in, 2), c.value(in, 2)
	if p.read.kind != fromNone {
		read = c.value(in, 3)
	}
	ignored := uint32(0)
	if p.ignore.kind != fromNone {
		ignored = c.pred(&p.ignore)
	}
	if p.reduce != nil && c.m.Concurrent {
		c.m.Shared.Lock()
		defer c.m.Shared.Unlock()
	}
	left := mask
	if c.copiesTogether(p, in, mask) {
		left = 0
	}
	for m := left; m != 0; m &= m - 1 {
		l := first(m)
		n := uint64(uint32(size[l]))
		some := min(uint64(uint32(read[l])), n)
		if ignored>>l&1 != 0 {
			some = 0
		}
		if !c.eachTarget(&p.many, l, c.value(in, 1)[l], p.to, func(to uint64) bool {
			return c.copyLane(p, in, l, to, n, some)
		}) {
			return
		}
	}
	if p.barrier != nil {
		c.tellBarriers(&p.many, p.barrier, mask, func(l int) int64 { return int64(uint32(size[l])) })
	}
	if p.small {
		for o := range c.m.Copiers {
			o.Begun(c.begun(p, in, mask, size))
		}
	}
}

// copiesTogether does small copies that may all be: from one region of global memory to the shared memory of
// the workgroup, where nobody observes. It reports whether it did them.
func (c *Core) copiesTogether(p *copying, in *inst, mask uint32) bool {
	if !p.small || p.read.kind != fromNone || p.ignore.kind != fromNone || p.to.space != Shared ||
		c.want.Any() || len(c.w.Group.Peers) > 0 {
		return false
	}
	size := p.size.imm[0]
	lo, hi, low := c.mover.Reach(&c.tmp[4], c.value(in, 0), p.from.offset, mask)
	r := c.regionFor(lo, size, simt.PermRead)
	if r == nil || !r.Holds(hi, size) || hi >= SharedWindow || low&(size-1) != 0 {
		return false
	}
	_, hi, low = c.mover.Reach(c.access.places(), c.value(in, 1), p.to.offset, mask)
	if limit := uint64(len(c.lds)); size > limit || hi > limit-size || low&(size-1) != 0 {
		return false
	}
	for m := mask; m != 0; m &= m - 1 {
		l := first(m)
		copy(c.lds[c.access.addr[l]:][:size], r.Data[c.tmp[4][l]-r.Base:])
	}
	return true
}

// begun is what is told of copies of lanes that have been made.
func (c *Core) begun(p *copying, in *inst, mask uint32, size *vec.Wide) *simt.Copy {
	want := c.want
	c.want = simt.Interest{}
	defer func() { c.want = want }()
	y := &simt.Copy{Wave: c.w, Lanes: uint64(mask), PC: c.isa.addr(c.at)}
	add := func(list []simt.Strip, as *inst, operand, l int, need simt.Perm) []simt.Strip {
		n := uint64(uint32(size[l]))
		c.tmp[4][l] = c.value(in, operand)[l]
		space, ok := c.resolveAt(as, &c.tmp[4], 1<<l, need, int(n))
		if !ok {
			return list
		}
		space, at := c.spaceOf(space, l)
		if last := len(list) - 1; last >= 0 && list[last].End() == at {
			list[last].Size += n
			return list
		}
		return append(list, simt.Strip{Space: simtSpaces[space], At: at, Size: n, Count: 1})
	}
	for m := mask; m != 0; m &= m - 1 {
		y.To = add(y.To, p.to, 1, first(m), simt.PermWrite)
		y.From = add(y.From, p.from, 0, first(m), simt.PermRead)
	}
	return y
}

// copyPiece is how many bytes an access of a copy has at most: observers know what an instruction may access
// at once.
const copyPiece = 16

// copyLane copies n bytes of a lane to an address, of which some are read. It reports whether it could.
func (c *Core) copyLane(p *copying, in *inst, l int, base, n, some uint64) bool {
	if n%4 != 0 || n > copyPiece && n%copyPiece != 0 {
		c.fault(simt.Fault{Kind: simt.IllegalInstruction, Lanes: 1 << l,
			Text: in.src.Text + " copies a number of bytes that it may not copy"})
		return false
	}
	from := c.value(in, 0)[l]
	at := func(as *inst, base, off uint64, need simt.Perm, size uint64) ([]byte, bool) {
		return c.oneAccess(in, as, l, base+off, need, size)
	}
	write := simt.PermWrite
	if p.reduce != nil {
		write |= simt.PermRead
	}
	// Where it goes is looked at first, so that nothing is half done.
	want := c.want
	c.want = simt.Interest{}
	for off := uint64(0); off < n; off += copyPiece {
		if _, ok := at(p.to, base, off, write, min(n, copyPiece)); !ok {
			c.want = want
			return false
		}
	}
	c.want = want
	for off := uint64(0); off < n; off += copyPiece {
		var piece [copyPiece]byte
		size := min(n, copyPiece)
		for done := uint64(0); off+done < some && done < size; {
			part := min(some-off-done, size-done)
			if part != size {
				part = 1
			}
			data, ok := at(p.from, from, off+done, simt.PermRead, part)
			if !ok {
				return false
			}
			done += uint64(copy(piece[done:], data))
		}
		to, ok := at(p.to, base, off, write, size)
		if !ok {
			return false
		}
		if p.reduce != nil {
			p.reduce.onto(piece[:size], to)
		}
		copy(to, piece[:])
	}
	return true
}

// oneAccess is an access of one lane, as another statement makes it, from a base: the bytes that are there.
func (c *Core) oneAccess(in, as *inst, lane int, base uint64, need simt.Perm, size uint64) ([]byte, bool) {
	c.tmp[4][lane] = base
	space, ok := c.resolveAt(as, &c.tmp[4], 1<<lane, need, int(size))
	if !ok {
		return nil, false
	}
	return c.bytes(space, lane, size, in)
}

// bytes are those of a lane's access in Core.access, which has been found good.
func (c *Core) bytes(space Space, lane int, size uint64, in *inst) ([]byte, bool) {
	space, addr := c.spaceOf(space, lane)
	switch space {
	case Shared:
		return c.sharedAt(addr)[:size], true
	case Local:
		c.fault(simt.Fault{Kind: simt.IllegalInstruction, Lanes: 1 << lane,
			Text: in.src.Text + " copies private memory"})
		return nil, false
	}
	r := c.regionFor(addr, size, 0)
	return r.Data[addr-r.Base:][:size], true
}
