package ptx

import (
	"slices"

	"simtgdb/simt"
	"simtgdb/simt/ptx/numeric"
	"simtgdb/simt/vec"
)

func init() {
	register(map[string]func(b *builder) error{"wgmma": (*builder).wgmma})
}

// wgmma multiplies matrices of 64 rows by four warps together: each has 16 rows of the first factor and of
// the sum. Where a warp commits its products it waits for the other three, as hardware multiplies for all
// four at once: programs change a factor as soon as one warp has its sum. Nothing in the PTX ISA allows that,
// so that observers are not told of it. The second factor is in shared memory, where the first may be, too.
// What is asynchronous is done when it is begun (PTX ISA, "Asynchronous warpgroup level matrix
// instructions"). Of a sparse first factor half of the columns are stored.

const (
	groupRows  = 64
	groupWarps = 4
	warpRows   = groupRows / groupWarps
	// unitBytes is what lies beside each other of a matrix in shared memory, in every layout.
	unitBytes = 16
	unitRows  = 8 // units that lie behind each other at one pitch
)

// groupForms are the numbers of columns of the first factor, by its type, with the types of sums.
var groupForms = map[string]struct {
	k    int
	sums []string
}{
	"f16": {16, []string{"f16", "f32"}}, "bf16": {16, []string{"f32"}}, "tf32": {8, []string{"f32"}},
	"e4m3": {32, []string{"f16", "f32"}}, "e5m2": {32, []string{"f16", "f32"}},
	"s8": {32, []string{"s32"}}, "u8": {32, []string{"s32"}}, "b1": {256, []string{"s32"}},
}

// A groupProduct is a product by a group of warps.
type groupProduct struct {
	product
	m, n, k int
	first   *inShared // nil for one in registers
	second  inShared
	keeps   source // a predicate: the sum goes on from what is there
	negates [2]bool
}

// An inShared is a factor in shared memory, that a descriptor says where it is.
type inShared struct {
	at     source
	turned bool // what lies beside each other is of one column of the first factor, or row of the second
	width  int  // of an element
}

func (b *builder) wgmma() error {
	if len(b.mods) == 0 {
		return refuse("is not simulated in this form")
	}
	switch b.mods[0] {
	case "fence", "wait_group":
		return b.nothing()
	case "commit_group":
		return b.groupMeets()
	case "mma_async":
		return b.groupMultiply(b.mods[1:])
	}
	return refuse("is not simulated")
}

// groupMeets lets the warps of a group go on when all of them have come.
func (b *builder) groupMeets() error {
	b.a.counts, b.a.groups = true, true
	b.in.ends = true
	b.in.jump = func(c *Core, _ *inst, mask uint32) {
		p := c.st.cur
		if mask == 0 {
			p.pc = c.at + 1
			return
		}
		group := c.w.Index / groupWarps
		p = c.splitOff(p, mask)
		p.wait, p.barrier = waitBarrier, uint32(firstGroupBarrier+group)
		p.count = uint32(min(groupWarps, len(c.w.Group.Waves)-group*groupWarps))
		c.st.cur = nil
		c.checkBarrier(p.barrier)
	}
	return nil
}

func (b *builder) groupMultiply(mods []string) error {
	g := &groupProduct{keeps: source{kind: fromImm, imm: broadcast(1)}}
	var types []string
	sparse := false
	for _, mod := range mods {
		switch {
		case mod == "sp":
			sparse = true
		case elementWidth(mod) != 0:
			types = append(types, mod)
		case slices.Contains([]string{"sync", "aligned", "and", "popc", "satfinite"}, mod):
		case mod[0] == 'm':
		default:
			return refuse("has the modifier .%s, which is not simulated", mod)
		}
	}
	var ok bool
	g.m, g.n, g.k, ok = shapeOf(mods)
	if !ok || len(types) != 3 {
		return refuse("is not simulated in this form")
	}
	form, stored := groupForms[types[1]], g.k
	if sparse {
		stored /= 2
	}
	if g.m != groupRows || g.n%8 != 0 || g.n < 8 || g.n > 256 || stored != form.k ||
		!slices.Contains(form.sums, types[0]) || elementWidth(types[1]) != elementWidth(types[2]) ||
		sparse && sparsities[types[1]] == nil {
		return refuse("is not simulated for its shape and types")
	}
	width := elementWidth(types[1])
	g.types = [4]string{types[0], types[1], types[2], types[0]}
	g.limit, g.and = b.has("satfinite"), true
	g.a, g.b = factor(warpRows, stored, width), &layout{rows: g.n, cols: g.k, width: width}
	g.c = result(warpRows, g.n, elementWidth(types[0]))
	g.d, g.sum = g.c, sumOf(types[1])
	g.second.width = width
	if sparse && len(b.args) >= 5 {
		var err error
		if g.sparse, err = b.metadata(sparsities[types[1]], g.k, &b.args[3], &b.args[4]); err != nil {
			return err
		}
		b.args = slices.Delete(slices.Clone(b.args), 3, 5)
	} else if sparse {
		return refuse("has %d operands; expected 5 or more", len(b.args))
	}
	return b.setGroup(g)
}

// setGroup takes the operands: the sum, two factors, whether it goes on, and, of floats, how factors are
// taken.
func (b *builder) setGroup(g *groupProduct) error {
	if len(b.args) < 3 {
		return refuse("has %d operands; expected 3 or more", len(b.args))
	}
	var err error
	if g.dst, err = b.registers(&b.args[0]); err != nil {
		return err
	}
	if len(g.dst) != g.d.regs {
		return refuse("has %d registers for a matrix that is in %d", len(g.dst), g.d.regs)
	}
	use := &matrixUse{writes: g.dst}
	for _, n := range g.dst {
		g.factors[2] = append(g.factors[2], source{kind: fromReg, n: n})
	}
	if b.args[1].Kind == Vector {
		g.factors[0], err = b.values(&b.args[1])
		if err == nil && len(g.factors[0]) != g.a.regs {
			err = refuse("has %d registers for a matrix that is in %d", len(g.factors[0]), g.a.regs)
		}
	} else {
		g.first = &inShared{width: g.a.width}
		g.first.at, err = b.source(&b.args[1], "b64")
		g.factors[0] = []source{g.first.at}
	}
	if err != nil {
		return err
	}
	use.reads = append(use.reads, g.factors[0]...)
	if g.second.at, err = b.source(&b.args[2], "b64"); err != nil {
		return err
	}
	use.reads = append(use.reads, g.second.at)
	if g.sparse != nil {
		use.reads = append(use.reads, g.sparse.words)
	}
	if err := b.groupOptions(g, b.args[3:]); err != nil {
		return err
	}
	if g.keeps.kind == fromImm && g.keeps.imm[0] != 0 { // otherwise what is there may be nothing
		use.reads = append(use.reads, g.factors[2]...)
	}
	b.in.matrix, b.in.space, b.in.size = use, Shared, unitBytes
	b.in.s[1] = g.keeps
	b.in.run = func(c *Core, in *inst, mask uint32) {
		if c.allTogether(in, mask) {
			g.compute(c, in, mask)
		}
	}
	return nil
}

// groupOptions are the operands behind the factors: a predicate, then numbers.
func (b *builder) groupOptions(g *groupProduct, args []Operand) error {
	var err error
	if len(args) > 0 {
		if g.keeps, err = b.source(&args[0], "pred"); err != nil {
			return err
		}
		args = args[1:]
	}
	turns := []*bool{&g.second.turned}
	if g.first != nil {
		turns = []*bool{&g.first.turned, &g.second.turned}
	}
	for i := range args {
		v := int64(args[i].Value)
		switch turn := i - len(g.negates); {
		case args[i].Kind != Int:
			return refuse("has an operand that is no number")
		case turn < 0 && (v == 1 || v == -1):
			g.negates[i] = v == -1
		case turn >= 0 && turn < len(turns) && (v == 0 || v == 1 && g.a.width == 16):
			*turns[turn] = v == 1
		default:
			return refuse("has %d where that cannot be", v)
		}
	}
	return nil
}

// compute is the part of one warp.
func (g *groupProduct) compute(c *Core, in *inst, mask uint32) {
	t := &c.terms
	regs := func(i int, l *layout, to *[]uint64) {
		r := grow(&t.regs[i], len(g.factors[i]))
		c.read(r, g.factors[i], grow(&t.room, len(r)))
		l.elements(grow(to, len(l.at)), r)
	}
	warp := c.w.Index % groupWarps
	if g.first == nil {
		regs(0, g.a, &t.a)
	} else if !g.first.load(c, in, mask, grow(&t.a, warpRows*g.a.cols), warp*warpRows, warpRows, g.a.cols) {
		return
	}
	g.expand(c, t)
	if !g.second.load(c, in, mask, grow(&t.b, g.n*g.k), 0, g.n, g.k) {
		return
	}
	regs(2, g.c, &t.c)
	if !g.goesOn(c, mask) {
		clear(t.c)
	}
	for i, of := range [][]uint64{t.a, t.b} {
		for j := range of {
			if g.negates[i] {
				of[j] ^= 1 << (g.a.width - 1)
			}
		}
	}
	grow(&t.d, len(t.c))
	g.sum(&g.product, t)
	out := grow(&t.out, len(g.dst))
	clear(out)
	g.d.put(out, t.d)
	for i, n := range g.dst {
		c.merge(n, &out[i], mask)
	}
}

// goesOn reports whether the sum begins with what is there. All lanes say the same.
func (g *groupProduct) goesOn(c *Core, mask uint32) bool {
	if g.keeps.kind == fromImm {
		return g.keeps.imm[0] != 0
	}
	return c.pred(&g.keeps)&mask != 0
}

// A descriptor of a matrix in shared memory (PTX ISA, "Matrix Descriptor Format").
type descriptor uint64

// field is a number of 16 bytes, in bytes.
func (d descriptor) field(bit int) uint64 { return uint64(d) >> bit & (1<<14 - 1) * unitBytes }

func (d descriptor) start() uint64   { return d.field(0) }
func (d descriptor) leading() uint64 { return d.field(16) }
func (d descriptor) stride() uint64  { return d.field(32) }
func (d descriptor) phase() uint64   { return uint64(d) >> 49 & 7 }

// units are how many units of a row lie beside each other before the next row begins: more than one where
// units are exchanged among rows.
func (d descriptor) units() uint64 { return [...]uint64{1, 8, 4, 2}[uint64(d)>>62] }

// unit is the address of a unit: of a row, or for one that is turned of a column, and its number there.
func (d descriptor) unit(row, number uint64, turned bool) uint64 {
	w := d.units()
	var at uint64
	switch {
	case w == 1 && !turned:
		at = row%unitRows*unitBytes + row/unitRows*d.stride() + number*d.leading()
	case w == 1:
		at = row%unitRows*unitBytes + row/unitRows*d.leading() + number*d.stride()
	case !turned:
		at = row%unitRows*unitBytes*w + row/unitRows*d.stride() + number*unitBytes
	default:
		at = row%unitRows*unitBytes*w + row/unitRows*d.stride() + number%w*unitBytes + number/w*d.leading()
	}
	at += d.start()
	// Which units are exchanged depends on the address: a pattern repeats after eight pieces of 128 bytes.
	const pieceBytes, pieces = 128, 8
	phase := (at/pieceBytes + pieces - d.phase()) % pieces
	return at ^ phase&(w-1)*unitBytes
}

// load reads rows of a factor, of k elements each, by units, as many at once as there are lanes. It reports
// whether it could.
func (s *inShared) load(c *Core, in *inst, mask uint32, to []uint64, from, rows, k int) bool {
	d := descriptor(c.one(&s.at, mask))
	each := unitBytes * 8 / s.width // elements of a unit
	lines, across := rows, k/each
	if s.turned {
		lines, across = k, rows/each
	}
	base, n := &c.tmp[3], lines*across
	for done := 0; done < n; done += warpSize {
		lanes := uint32(1)<<min(n-done, warpSize) - 1
		for l := range min(n-done, warpSize) {
			line, number := (done+l)/across, (done+l)%across
			if s.turned {
				base[l] = d.unit(uint64(line), uint64(number+from/each), true)
			} else {
				base[l] = d.unit(uint64(line+from), uint64(number), false)
			}
		}
		if _, ok := c.resolveAt(in, base, lanes, simt.PermRead, unitBytes); !ok {
			return false
		}
		for l := range min(n-done, warpSize) {
			line, number := (done+l)/across, (done+l)%across
			s.take(to, c.w.Group.LDS[c.access.addr[l]:][:unitBytes], line, number*each, k)
		}
	}
	return true
}

// take puts the elements of a unit where they are in rows of k elements: from a place of a line on.
func (s *inShared) take(to []uint64, unit []byte, line, place, k int) {
	for i := range unitBytes * 8 / s.width {
		bit := i * s.width
		v := word(unit[bit/8:], max(s.width/8, 1)) >> (bit % 8) & numeric.Mask(s.width)
		if s.turned {
			to[(place+i)*k+line] = v
		} else {
			to[line*k+place+i] = v
		}
	}
}

// one is what the first lane of a mask has of a source: all have the same.
func (c *Core) one(s *source, mask uint32) uint64 {
	var to [1]*vec.Wide
	c.read(to[:], []source{*s}, grow(&c.terms.room, 1))
	return to[0][first(mask)]
}
