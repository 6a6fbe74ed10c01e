package ptx

import (
	"slices"
	"strings"

	"simtgdb/simt"
)

func init() {
	register(map[string]func(b *builder) error{"cp": (*builder).cp, "mapa": (*builder).mapa,
		"getctarank": (*builder).getCTARank})
}

// Asynchronous copies are done when they are begun, which is one of the times at which hardware may do them. Waiting for
// them is nothing then (PTX ISA, "Data Movement and Conversion Instructions: Asynchronous copy").

// A copying is a copy from one address to another.
type copying struct {
	to, from *inst // statements of one access each, with its address
	size     source
	read     source // how many bytes are read, if it says so: the rest is zeros
	ignore   source // a predicate that none are
	barrier  *inst  // in shared memory, that is told how many bytes have come; nil for none
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
	case b.has("commit_group") || b.has("wait_all") || b.has("wait_group") || b.has("prefetch"):
		if b.has("tensor") {
			break
		}
		return b.nothing()
	case b.has("mbarrier") && b.has("arrive"):
		return b.copiesArrive()
	case b.has("tensor") || b.has("reduce"):
	case b.has("bulk"):
		return b.bulkCopy()
	default:
		return b.smallCopy()
	}
	return refuse("is not simulated")
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
	c := &copying{size: source{kind: fromImm, imm: broadcast(n)}}
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

// bulkCopy is cp.async.bulk: any multiple of 16 bytes between global and shared memory.
func (b *builder) bulkCopy() error {
	var places []Space
	c := &copying{}
	for _, m := range b.mods {
		s, is := spaces[m]
		switch {
		case is:
			places = append(places, s)
		case slices.Contains([]string{"async", "bulk", "mbarrier::complete_tx::bytes", "bulk_group", "L2::cache_hint"}, m):
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
		c.barrier, err = b.accessOf(&b.args[3], Shared)
	}
	if err != nil {
		return err
	}
	return b.setCopy(c, &b.args[0], places[0], &b.args[1], places[1])
}

func (b *builder) setCopy(c *copying, to *Operand, toSpace Space, from *Operand, fromSpace Space) error {
	var err error
	if c.to, err = b.accessOf(to, toSpace); err != nil {
		return err
	}
	if c.from, err = b.accessOf(from, fromSpace); err != nil {
		return err
	}
	b.in.s = [5]source{c.from.s[0], c.to.s[0], c.size, c.read}
	if c.barrier != nil {
		b.in.s[4] = c.barrier.s[0]
	}
	b.in.matrix = &matrixUse{}
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
	for m := mask; m != 0; m &= m - 1 {
		l := first(m)
		n := uint64(uint32(size[l]))
		some := min(uint64(uint32(read[l])), n)
		if ignored>>l&1 != 0 {
			some = 0
		}
		if !c.copyLane(p, in, l, n, some) {
			return
		}
	}
	if p.barrier != nil {
		c.barriers(p.barrier, mask, func(l int, v barrierValue) barrierValue {
			return v.expect(-int64(uint32(size[l]))).settled()
		})
	}
}

// copyPiece is how many bytes an access of a copy has at most: observers know what an instruction may access at once.
const copyPiece = 16

// copyLane copies n bytes of a lane, of which some are read. It reports whether it could.
func (c *Core) copyLane(p *copying, in *inst, l int, n, some uint64) bool {
	if n%4 != 0 || n > copyPiece && n%copyPiece != 0 {
		c.fault(simt.Fault{Kind: simt.IllegalInstruction, Lanes: 1 << l,
			Text: in.src.Text + " copies a number of bytes that it may not copy"})
		return false
	}
	lane := uint32(1) << l
	base := &c.tmp[4]
	at := func(from *inst, i int, off uint64, need simt.Perm, size uint64) ([]byte, bool) {
		base[l] = c.value(in, i)[l] + off
		space, ok := c.resolveAt(from, base, lane, need, int(size))
		if !ok {
			return nil, false
		}
		return c.bytes(space, l, size, in)
	}
	// Where it goes is looked at first, so that nothing is half done.
	want := c.want
	c.want = simt.Interest{}
	for off := uint64(0); off < n; off += copyPiece {
		if _, ok := at(p.to, 1, off, simt.PermWrite, min(n, copyPiece)); !ok {
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
			from, ok := at(p.from, 0, off+done, simt.PermRead, part)
			if !ok {
				return false
			}
			done += uint64(copy(piece[done:], from))
		}
		to, ok := at(p.to, 1, off, simt.PermWrite, size)
		if !ok {
			return false
		}
		copy(to, piece[:])
	}
	return true
}

// bytes are those of a lane's access in Core.access, which has been found good.
func (c *Core) bytes(space Space, lane int, size uint64, in *inst) ([]byte, bool) {
	space, addr := c.spaceOf(space, lane)
	switch space {
	case Shared:
		return c.w.Group.LDS[addr:][:size], true
	case Local:
		c.fault(simt.Fault{Kind: simt.IllegalInstruction, Lanes: 1 << lane,
			Text: in.src.Text + " copies private memory"})
		return nil, false
	}
	r := c.regionFor(addr, size, 0)
	return r.Data[addr-r.Base:][:size], true
}

// mapa maps an address of shared memory to another block of the cluster, which has one.
func (b *builder) mapa() error {
	if len(b.args) != 3 {
		return refuse("has %d operands; expected 3", len(b.args))
	}
	b.args = b.args[:2]
	return b.set1(func(d, a *vec) { *d = *a }, b.typ())
}

// getCTARank is the block of the cluster that an address is in.
func (b *builder) getCTARank() error { return b.set1(func(d, _ *vec) { fill(d, 0) }, b.typ()) }
