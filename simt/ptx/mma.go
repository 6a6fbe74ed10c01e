package ptx

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"simtgdb/simt"
	"simtgdb/simt/vec"
)

func init() {
	register(map[string]func(b *builder) error{"mma": (*builder).mma})
}

// A product is the matrix instruction D = A·B + C, with the registers of its matrices.
type product struct {
	a, b, c, d *layout // b turned over: its rows are the columns of the factor
	sum        func(p *product, t *terms)
	types      [4]string // of d, a, b, c
	limit      bool      // whole sums are limited, not cut
	and        bool      // of single bits: those that both have, not those in which they differ
	sparse     *sparse   // of the first factor, whose layout is that of what is stored; nil for a whole one

	dst     []int32
	factors [3][]source
}

// terms are the elements of a product under way.
type terms struct {
	a, b, c, d []uint64
	whole      []uint64 // of a sparse factor
	x, y, s    []float64
	room64     []float64
	regs       [3][]*vec.Wide
	out        []vec.Wide
	room       []vec.Wide
}

// shapeOf finds the shape among modifiers: "m16n8k16".
func shapeOf(mods []string) (m, n, k int, ok bool) {
	for _, mod := range mods {
		if c, err := fmt.Sscanf(mod, "m%dn%dk%d", &m, &n, &k); err == nil && c == 3 {
			return m, n, k, true
		}
	}
	return 0, 0, 0, false
}

// mmaForms are the shapes of mma, by the types of its factors, with those of its sums.
var mmaForms = map[string]struct{ shapes, sums []string }{
	"f16":  {[]string{"m16n8k8", "m16n8k16"}, []string{"f16", "f32"}},
	"bf16": {[]string{"m16n8k8", "m16n8k16"}, []string{"f32"}},
	"tf32": {[]string{"m16n8k4", "m16n8k8"}, []string{"f32"}},
	"f64":  {[]string{"m8n8k4", "m16n8k4", "m16n8k8", "m16n8k16"}, []string{"f64"}},
	"e4m3": {[]string{"m16n8k16", "m16n8k32"}, []string{"f16", "f32"}},
	"e5m2": {[]string{"m16n8k16", "m16n8k32"}, []string{"f16", "f32"}},
	"s8":   {[]string{"m8n8k16", "m16n8k16", "m16n8k32"}, []string{"s32"}},
	"u8":   {[]string{"m8n8k16", "m16n8k16", "m16n8k32"}, []string{"s32"}},
	"s4":   {[]string{"m8n8k32", "m16n8k32", "m16n8k64"}, []string{"s32"}},
	"u4":   {[]string{"m8n8k32", "m16n8k32", "m16n8k64"}, []string{"s32"}},
	"b1":   {[]string{"m8n8k128", "m16n8k128", "m16n8k256"}, []string{"s32"}},
}

// mma multiplies matrices that the lanes of the warp hold (PTX ISA, "mma.sync").
func (b *builder) mma() error {
	types, err := b.elementTypes()
	if err != nil {
		return err
	}
	m, n, k, ok := shapeOf(b.mods)
	if len(types) != 4 || !ok || !b.has("sync") || !b.has("aligned") {
		return refuse("is not simulated in this form")
	}
	p := &product{types: [4]string(types), limit: b.has("satfinite"), and: b.has("and")}
	if b.has("sp") || b.has("sp::ordered_metadata") {
		return b.sparseProduct(p, m, n, k)
	}
	if m == 8 && k == 4 && types[1] == "f16" {
		return b.mmaOfQuads(p)
	}
	known := mmaForms[types[1]]
	if !slices.Contains(known.shapes, fmt.Sprintf("m%dn%dk%d", m, n, k)) ||
		!slices.Contains(known.sums, types[0]) || !b.has("row") || !b.has("col") {
		return refuse("is not simulated for its shape and types")
	}
	return b.multiply(p, m, n, k)
}

// elementTypes are the types among the modifiers, which are otherwise ones that matrix instructions have.
func (b *builder) elementTypes() (types []string, err error) {
	for _, mod := range b.mods {
		switch {
		case elementWidth(mod) != 0:
			types = append(types, mod)
		case slices.Contains([]string{"sync", "aligned", "row", "col", "satfinite", "xor", "and", "popc",
			"mma", "rn", "kind::f8f6f4", "sp", "sp::ordered_metadata"}, mod):
		case mod[0] == 'm' && strings.Contains(mod, "k"):
		default:
			return nil, refuse("has the modifier .%s, which is not simulated", mod)
		}
	}
	return types, nil
}

// multiply makes the instruction of a product whose types are known.
func (b *builder) multiply(p *product, m, n, k int) error {
	d, x, y, c := p.types[0], p.types[1], p.types[2], p.types[3]
	p.a, p.b = factor(m, k, elementWidth(x)), factor(n, k, elementWidth(y))
	if p.sparse != nil {
		p.a = factor(m, k/2, elementWidth(x))
	}
	p.c, p.d = result(m, n, elementWidth(c)), result(m, n, elementWidth(d))
	if elementWidth(c) != elementWidth(d) && (elementWidth(c) == 64 || elementWidth(d) == 64) ||
		elementWidth(x) != elementWidth(y) {
		return refuse("is not simulated for its types")
	}
	p.sum = sumOf(x)
	return b.setProduct(p)
}

// sumOf is how products of elements of a type are added.
func sumOf(typ string) func(p *product, t *terms) {
	switch {
	case typ == "b1":
		return (*product).sumBits
	case integerWidths[typ] != 0:
		return (*product).sumIntegers
	}
	return (*product).sumFloats
}

// setProduct takes the operands of a product, which are lists of registers.
func (b *builder) setProduct(p *product) error {
	if err := b.operands(4); err != nil {
		return err
	}
	var err error
	if p.dst, err = b.registers(&b.args[0]); err != nil {
		return err
	}
	for i := range p.factors {
		if p.factors[i], err = b.values(&b.args[i+1]); err != nil {
			return err
		}
	}
	for i, want := range []int{p.a.regs, p.b.regs, p.c.regs, p.d.regs} {
		have := len(p.dst)
		if i < 3 {
			have = len(p.factors[i])
		}
		if have < want || have > want && !b.spare(i, have) {
			return refuse("has %d registers for a matrix that is in %d", have, want)
		}
	}
	b.in.matrix = &matrixUse{reads: slices.Concat(p.factors[:]...), writes: p.dst}
	if p.sparse != nil {
		b.in.matrix.reads = append(b.in.matrix.reads, p.sparse.words)
	}
	b.in.run = func(c *Core, in *inst, mask uint32) {
		if c.allTogether(in, mask) {
			p.compute(c, mask)
		}
	}
	return nil
}

// spare reports whether a factor may have more registers than its elements need: those of halves for wmma
// have.
func (b *builder) spare(operand, have int) bool {
	return strings.HasPrefix(b.src.Op, "wmma") && operand < 2 && have == wmmaHalves
}

// A matrixUse is what a matrix instruction reads and writes besides its plain operands.
type matrixUse struct {
	reads  []source
	writes []int32
}

// registers are the vectors that an operand lists.
func (b *builder) registers(o *Operand) (list []int32, err error) {
	all := []Operand{*o}
	if o.Kind == Vector {
		all = o.List
	}
	for i := range all {
		n, err := b.vector(&all[i])
		if err != nil {
			return nil, err
		}
		list = append(list, n)
	}
	return list, nil
}

// values are the sources that an operand lists.
func (b *builder) values(o *Operand) (list []source, err error) {
	all := []Operand{*o}
	if o.Kind == Vector {
		all = o.List
	}
	for i := range all {
		s, err := b.source(&all[i], "b32")
		if err == nil && s.kind == fromPred {
			err = refuse("reads a predicate as a number")
		}
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// allTogether reports whether all lanes of the warp that have not ended execute a statement, as they must; if
// not the wave has stopped.
func (c *Core) allTogether(in *inst, mask uint32) bool {
	if missing := c.st.alive() &^ mask; missing != 0 {
		c.fault(simt.Fault{Kind: simt.IllegalInstruction, Lanes: uint64(mask),
			Text: fmt.Sprintf("%s is not executed by all lanes of the warp together: without %#x",
				in.src.Text, missing)})
		return false
	}
	return true
}

// read finds what sources have in all lanes; what is no register is put into room.
func (c *Core) read(to []*vec.Wide, list []source, room []vec.Wide) {
	for i := range list {
		switch s := &list[i]; s.kind {
		case fromReg:
			to[i] = &c.act.r[s.n]
		case fromImm:
			to[i] = s.imm
		default:
			room[i] = *c.unusual(s, 0)
			to[i] = &room[i]
		}
	}
}

// grow gives a slice at least a length.
func grow[T any](s *[]T, n int) []T {
	if cap(*s) < n {
		*s = make([]T, n)
	}
	*s = (*s)[:n]
	return *s
}

// compute multiplies and adds.
func (p *product) compute(c *Core, mask uint32) {
	t := &c.terms
	for i, of := range []struct {
		l  *layout
		to *[]uint64
	}{{p.a, &t.a}, {p.b, &t.b}, {p.c, &t.c}} {
		regs := grow(&t.regs[i], len(p.factors[i]))
		c.read(regs, p.factors[i], grow(&t.room, len(regs)))
		of.l.elements(grow(of.to, len(of.l.at)), regs)
	}
	p.expand(c, t)
	grow(&t.d, len(t.c))
	p.sum(p, t)
	out := grow(&t.out, len(p.dst))
	clear(out)
	p.d.put(out, t.d)
	for i, n := range p.dst {
		c.merge(n, &out[i], mask)
	}
}

// numbers are elements of a type as numbers.
func numbers(to *[]float64, typ string, from []uint64) []float64 {
	out := grow(to, len(from))
	if n, whole := integerWidths[typ]; whole {
		for i, v := range from {
			if typ[0] == 's' {
				v = uint64(int64(v<<(64-n)) >> (64 - n))
			}
			out[i] = float64(int64(v))
		}
		return out
	}
	n := elementTypes[typ]()
	if n.all != nil {
		for i, v := range from {
			out[i] = float64(n.all[v])
		}
		return out
	}
	for i, v := range from {
		out[i] = n.value(v)
	}
	return out
}

// turned is a matrix of so many columns, turned over.
func turned(to *[]float64, from []float64, cols int) []float64 {
	out, rows := grow(to, len(from)), len(from)/cols
	for r := range rows {
		for c, v := range from[r*cols:][:cols] {
			out[c*rows+r] = v
		}
	}
	return out
}

// addTerms adds the products in double precision, each multiplication fused with an addition.
func (p *product) addTerms(t *terms) []float64 {
	k := p.b.cols
	x, sum := numbers(&t.x, p.types[1], t.a), numbers(&t.s, p.types[3], t.c)
	vec.AddProduct(sum, x, turned(&t.y, numbers(&t.room64, p.types[2], t.b), k), p.c.cols, k)
	return sum
}

// sumFloats rounds once: products of elements of up to 32 bits are exact in double precision.
func (p *product) sumFloats(t *terms) {
	round := rounders[p.types[0]]
	for i, v := range p.addTerms(t) {
		t.d[i] = round(v)
	}
}

// sumIntegers has exact sums, too.
func (p *product) sumIntegers(t *terms) {
	for i, v := range p.addTerms(t) {
		if p.limit {
			v = min(max(v, math.MinInt32), math.MaxInt32)
		}
		t.d[i] = uint64(uint32(int64(v)))
	}
}

// sumBits counts the bits in which rows and columns differ, or that both have.
func (p *product) sumBits(t *terms) {
	k := p.b.cols
	for i := range p.c.at {
		a, b := t.a[i/p.c.cols*k:][:k], t.b[i%p.c.cols*k:][:k]
		sum := uint32(t.c[i])
		for j := range a {
			if p.and {
				sum += uint32(a[j] & b[j])
			} else {
				sum += uint32(a[j] ^ b[j])
			}
		}
		t.d[i] = uint64(sum)
	}
}
