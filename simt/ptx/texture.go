package ptx

import (
	"slices"

	"simtgdb/simt"
	"simtgdb/simt/contents"
	"simtgdb/simt/ptx/numeric"
	"simtgdb/simt/texel"
	"simtgdb/simt/vec"
)

func init() {
	register(map[string]func(b *builder) error{"tex": (*builder).tex, "tld4": (*builder).tld4,
		"txq": (*builder).query, "suq": (*builder).query, "istypep": (*builder).istypep})
}

// Textures and surfaces. What a program has of one, in a register of 64 bits, is the address of a block of
// memory that says what it is: [texel.Image], with [texel.Sampler] behind it at [texel.SamplerAt]. A variable
// of the type .texref is such a block, a parameter the address of one (PTX ISA, "Texture Instructions",
// "Surface Instructions").

// A pictureUse is what an instruction on a texture or a surface reads besides its first source, which is the
// texture, and what it writes.
type pictureUse struct {
	geometry
	reads  []source
	writes []int32
	// Indices of reads; -1 for what is not there.
	sampler, at, lod, depth, offset, dx, dy int

	whole     bool // coordinates are integers
	bytes     bool // … the first of bytes, and elements lie side by side, whatever the format
	changes   bool
	gather    bool
	component int
	typ       string // of the result
}

// A geometry says what coordinates are.
type geometry struct {
	dims    int
	array   bool // the layer comes first
	cube    bool
	samples bool // which sample comes next
}

var geometries = map[string]geometry{"1d": {dims: 1}, "2d": {dims: 2}, "3d": {dims: 3},
	"a1d": {dims: 1, array: true}, "a2d": {dims: 2, array: true}, "cube": {dims: 3, cube: true},
	"acube": {dims: 3, array: true, cube: true}, "2dms": {dims: 2, samples: true},
	"a2dms": {dims: 2, array: true, samples: true}}

// picture begins an instruction on a texture or a surface: its geometry and the address, operand i.
func (b *builder) picture(i int) (*pictureUse, *Operand, error) {
	u := &pictureUse{sampler: -1, at: -1, lod: -1, depth: -1, offset: -1, dx: -1, dy: -1}
	for _, m := range b.mods {
		if g, ok := geometries[m]; ok {
			u.geometry = g
		}
	}
	if i >= len(b.args) || b.args[i].Kind != Mem || len(b.args[i].List) == 0 {
		return nil, nil, refuse("has no texture or surface in brackets")
	}
	o := &b.args[i]
	s, err := b.handle(&o.List[0], o.Value)
	if err != nil {
		return nil, nil, err
	}
	b.in.s[0], b.in.picture = s, u
	return u, o, nil
}

// handle makes the operand that says which texture, surface or sampler a source.
func (b *builder) handle(o *Operand, offset uint64) (source, error) {
	base := *o
	s, err := b.source(&base, "b64")
	switch {
	case err != nil:
		return s, err
	case s.kind == fromReg && offset == 0:
		return s, nil
	case s.kind != fromArg && s.kind != fromImm:
		return s, refuse("takes its texture, surface or sampler out of neither a register nor a variable")
	}
	if s.kind == fromImm { // a variable is the block itself
		s.imm = broadcast(s.imm[0] + offset)
		return s, nil
	}
	off := s.off + offset
	return source{kind: fromSpecial, name: base.Name, get: func(c *Core, d *vec.Wide) {
		from := c.isa.launch.Args + off
		var v uint64
		if r := c.mem.Find(from); r != nil && r.Holds(from, 8) {
			v = word(r.Data[from-r.Base:], 8)
		}
		fill(d, v)
	}}, nil
}

// coordinates reads the vector of coordinates, and gives the index of the first.
func (b *builder) coordinates(u *pictureUse, o *Operand) (int, error) {
	need := u.dims
	for _, more := range []bool{u.array, u.samples} {
		if more {
			need++
		}
	}
	at := len(u.reads)
	list, err := b.values(o)
	if err == nil && (u.dims == 0 || len(list) < need) {
		err = refuse("has %d coordinates; expected %d", len(list), need)
	}
	u.reads = append(u.reads, list[:min(len(list), need)]...)
	return at, err
}

// more reads an operand of n numbers besides, and gives the index of the first.
func (b *builder) more(u *pictureUse, o *Operand, n int) (int, error) {
	at := len(u.reads)
	list, err := b.values(o)
	if err == nil && len(list) < n {
		err = refuse("has an operand of %d numbers; expected %d", len(list), n)
	}
	u.reads = append(u.reads, list[:min(len(list), n)]...)
	return at, err
}

// tex samples (PTX ISA, "tex").
func (b *builder) tex() error {
	return b.sample(func(u *pictureUse, rest []Operand) ([]Operand, error) {
		var err error
		for _, extra := range []struct {
			mod string
			n   int
			to  []*int
		}{{"level", 1, []*int{&u.lod}}, {"grad", u.dims, []*int{&u.dx, &u.dy}}} {
			if !b.has(extra.mod) {
				continue
			}
			for _, to := range extra.to {
				if len(rest) == 0 {
					return nil, refuse("has too few operands")
				}
				if *to, err = b.more(u, &rest[0], extra.n); err != nil {
					return nil, err
				}
				rest = rest[1:]
			}
		}
		return rest, nil
	})
}

// tld4 gathers a component of four texels (PTX ISA, "tld4").
func (b *builder) tld4() error {
	return b.sample(func(u *pictureUse, rest []Operand) ([]Operand, error) {
		u.gather = true
		u.component = slices.IndexFunc([]string{"r", "g", "b", "a"}, b.has)
		if u.component < 0 || u.dims != 2 {
			return nil, refuse("is not simulated in this form")
		}
		return rest, nil
	})
}

// sample is what tex and tld4 have in common; special reads the operands that one of them has alone.
func (b *builder) sample(special func(*pictureUse, []Operand) ([]Operand, error)) error {
	u, o, err := b.picture(1)
	if err != nil {
		return err
	}
	if u.dims == 0 || len(o.List) < 2 || len(o.List) > 3 {
		return refuse("is not simulated in this form")
	}
	if err := b.only("1d", "2d", "3d", "a1d", "a2d", "cube", "acube", "2dms", "a2dms", "base", "level",
		"grad", "v4",
		"v2", "r", "g", "b", "a", "u"); err != nil {
		return err
	}
	if len(o.List) == 3 {
		s, err := b.handle(&o.List[1], 0)
		if err != nil {
			return err
		}
		u.sampler, u.reads = 0, append(u.reads, s)
	}
	if u.at, err = b.coordinates(u, &o.List[len(o.List)-1]); err != nil {
		return err
	}
	types := b.typs()
	if len(types) != 2 || types[1] != "s32" && types[1] != "f32" {
		return refuse("has types that are not simulated")
	}
	u.typ, u.whole = types[0], types[1] == "s32"
	if u.writes, err = b.results(&b.args[0]); err != nil {
		return err
	}
	if per := 4 / max(len(u.writes), 1); 4%max(len(u.writes), 1) != 0 ||
		per != 1 && (per != 2 || u.typ != "f16x2") {
		return refuse("has %d registers for four numbers of the type .%s", len(u.writes), u.typ)
	}
	rest, err := special(u, b.args[2:])
	if err != nil {
		return err
	}
	for i := range rest {
		switch {
		case u.offset < 0 && u.depth < 0 && !u.cube && (rest[i].Kind == Vector || u.dims == 1):
			u.offset, err = b.more(u, &rest[i], u.dims)
		case u.depth < 0:
			u.depth, err = b.more(u, &rest[i], 1)
		default:
			err = refuse("has %d operands", len(b.args))
		}
		if err != nil {
			return err
		}
	}
	if u.samples && (!u.whole || u.lod >= 0 || u.dx >= 0 || u.depth >= 0 || u.gather) {
		return refuse("has what multisampled textures have not: levels, gradients, comparisons, gathers or " +
			"floats")
	}
	b.in.run = runTexture
	return nil
}

// results are the registers of a result, behind which may be the predicate of residency.
func (b *builder) results(o *Operand) (list []int32, err error) {
	if o.Reg2 >= 0 {
		if b.in.pdst, err = b.predicateOf(o.Reg2, true); err != nil {
			return nil, err
		}
	}
	return b.registers(o)
}

// An imageState is what instructions on textures and surfaces keep from one to the next.
type imageState struct {
	op     texel.Op
	out    [simt.MaxLanes]texel.Texel
	memory texels
}

// op is what an instruction asks of textures, in the lanes of a mask.
func (c *Core) op(in *inst, mask uint32) (*texel.Op, []*vec.Wide) {
	u := in.picture
	regs := grow(&c.terms.regs[0], len(u.reads))
	c.read(regs, u.reads, grow(&c.terms.room, len(regs)))
	if c.images == nil {
		c.images = new(imageState)
	}
	o := &c.images.op
	o.Begin(uint64(mask))
	o.Fraction = c.m.FilterBits
	copy(o.Image[:], c.value(in, 0)[:])
	if u.at < 0 {
		return o, regs
	}
	for m := mask; m != 0; m &= m - 1 {
		l := first(m)
		p, at := &o.Place[l], regs[u.at:]
		if u.array {
			p.Layer, at = float64(uint32(at[0][l])), at[1:]
		}
		if u.samples {
			o.Sample[l], at = int(uint32(at[0][l])), at[1:]
		}
		for i := range u.dims {
			if p.At[i] = fromSingle(at[i][l]); u.whole {
				p.At[i] = float64(int32(at[i][l])) + 0.5 // the middle of the texel
			}
			if u.offset >= 0 {
				p.Offset[i] = int(int32(regs[u.offset+i][l]))
			}
		}
	}
	return o, regs
}

// fromSingle is a value of the type .f32.
func fromSingle(v uint64) float64 { return float64(numeric.F32(v)) }

func runTexture(c *Core, in *inst, mask uint32) {
	u := in.picture
	o, regs := c.op(in, mask)
	o.Gather, o.Compares, o.Whole = u.gather, u.depth >= 0, u.whole
	if u.dx >= 0 {
		o.Gradients = new([simt.MaxLanes][2][3]float64)
	}
	for m := mask; m != 0; m &= m - 1 {
		l := first(m)
		o.Component[l] = u.component
		o.Sampler[l] = o.Image[l] + texel.SamplerAt
		if u.sampler >= 0 {
			o.Sampler[l] = regs[u.sampler][l] + texel.SamplerAt
		}
		switch {
		case u.lod >= 0 && u.whole:
			o.Place[l].Lod = float64(int32(regs[u.lod][l]))
		case u.lod >= 0:
			o.Place[l].Lod = fromSingle(regs[u.lod][l])
		}
		for i := range u.dims {
			if u.dx >= 0 {
				o.Gradients[l][0][i], o.Gradients[l][1][i] = fromSingle(regs[u.dx+i][l]), fromSingle(
					regs[u.dy+i][l])
			}
		}
		if u.depth >= 0 {
			o.Reference[l] = fromSingle(regs[u.depth][l])
		}
	}
	out := &c.images.out
	if !o.Take(c.texels(in), out) {
		return
	}
	for i, reg := range u.writes {
		for m := mask; m != 0; m &= m - 1 {
			l := first(m)
			c.out[l] = u.result(&out[l], i, o.Formats[l])
		}
		c.merge(reg, &c.out, mask)
	}
	c.setPred(in.pdst, mask, mask) // all texels are there
}

// result is what register i is of a texel.
func (u *pictureUse) result(t *texel.Texel, i int, f *texel.Format) uint64 {
	switch {
	case u.typ == "f16x2" && len(u.writes) == 2:
		return numeric.RoundHalf(t[2*i]) | numeric.RoundHalf(t[2*i+1])<<16
	case f.Numeric.Integer():
		return uint64(uint32(f.Whole(t[i])))
	case u.typ == "f16":
		return numeric.RoundHalf(t[i])
	}
	return numeric.Bits32(float32(t[i]))
}

// texels is memory as an instruction on textures accesses it. It implements [texel.Memory].
type texels struct {
	c  *Core
	in *inst
}

// texels is memory as an instruction accesses it that has begun with op.
func (c *Core) texels(in *inst) *texels {
	c.images.memory = texels{c, in}
	return &c.images.memory
}

// Block implements [texel.Memory].
func (t *texels) Block(addr, size uint64) []byte {
	r := t.c.mem.Find(addr)
	if r == nil || !r.Holds(addr, size) {
		return nil
	}
	return r.Data[addr-r.Base:][:size]
}

// Texels implements [texel.Memory].
func (t *texels) Texels(lanes uint64, addr *[simt.MaxLanes]uint64, size int, write bool,
	f func(lane int, b []byte)) bool {
	need := simt.PermRead
	if write {
		need = simt.PermWrite
	}
	c, mask := t.c, uint32(lanes)
	if !c.touch(t.in, addr, mask, need, size) {
		return false
	}
	r := c.access.whole
	for m := mask; m != 0; m &= m - 1 {
		l := first(m)
		if c.access.whole == nil {
			r = c.regionFor(addr[l], uint64(size), 0)
		}
		f(l, r.Data[addr[l]-r.Base:][:size])
	}
	return true
}

// touch checks and observes an access to global memory.
func (c *Core) touch(in *inst, addr *[simt.MaxLanes]uint64, mask uint32, need simt.Perm, size int) bool {
	lo, hi := ^uint64(0), uint64(0)
	for m := mask; m != 0; m &= m - 1 {
		a := addr[first(m)]
		lo, hi = min(lo, a), max(hi, a)
	}
	c.access.addr, c.access.bad.Lanes, c.access.whole = *addr, 0, nil
	c.check(Global, mask, lo, hi, need, uint64(size))
	return c.allowed(in, Global, mask, need, size, lo, hi)
}

// Outside implements [texel.Memory]: what is outside is what a sampler says, and nothing wrong.
func (t *texels) Outside(uint64, bool) {}

// Wrong implements [texel.Memory].
func (t *texels) Wrong(lanes uint64, err error) {
	t.c.fault(simt.Fault{Kind: simt.IllegalInstruction, Lanes: lanes,
		Text: t.in.src.Text + ": " + err.Error()})
}

// istypep asks what a handle is of: each is a texture, a sampler and a surface (PTX ISA, "istypep").
func (b *builder) istypep() error {
	if err := b.operands(2); err != nil {
		return err
	}
	var err error
	if b.in.pdst, err = b.predicate(&b.args[0]); err != nil {
		return err
	}
	if err := b.sources(1, "b64"); err != nil {
		return err
	}
	b.in.run = func(c *Core, in *inst, mask uint32) {
		is := uint32(0)
		for m := mask; m != 0; m &= m - 1 {
			l := first(m)
			if _, err := texel.ReadImage((&texels{c, in}).Block(
				c.value(in, 0)[l], texel.ImageBytes)); err == nil {
				is |= 1 << l
			}
		}
		c.setPred(in.pdst, is, mask)
	}
	return nil
}

// queries are what txq and suq ask (PTX ISA, "txq", "suq"); kinds of channels and their order are numbered as
// in OpenCL.
var queries = map[string]func(m *texel.Image, s *texel.Sampler, level int) int{
	"width":  func(m *texel.Image, _ *texel.Sampler, level int) int { return m.LevelSize(level)[0] },
	"height": func(m *texel.Image, _ *texel.Sampler, level int) int { return m.LevelSize(level)[1] },
	"depth":  func(m *texel.Image, _ *texel.Sampler, level int) int { return m.LevelSize(level)[2] },
	"array_size": func(m *texel.Image, _ *texel.Sampler, _ int) int {
		if m.Shape == texel.Cube {
			return m.ViewLayers / 6
		}
		return m.ViewLayers
	},
	"num_mipmap_levels": func(m *texel.Image, _ *texel.Sampler, _ int) int { return m.ViewLevels },
	"num_samples":       func(m *texel.Image, _ *texel.Sampler, _ int) int { return m.Samples },
	"channel_order": func(m *texel.Image, _ *texel.Sampler, _ int) int {
		order, _ := m.OpenCL()
		return order
	},
	"channel_data_type": func(m *texel.Image, _ *texel.Sampler, _ int) int {
		_, kind := m.OpenCL()
		return kind
	},
	"normalized_coords": func(_ *texel.Image, s *texel.Sampler, _ int) int { return 1 - unnormalized(s) },
	"force_unnormalized_coords": func(_ *texel.Image, s *texel.Sampler, _ int) int {
		return unnormalized(s)
	},
	"filter_mode":   func(_ *texel.Image, s *texel.Sampler, _ int) int { return int(s.Mag) },
	"addr_mode_0":   func(_ *texel.Image, s *texel.Sampler, _ int) int { return addressMode(s.Modes[0]) },
	"addr_mode_1":   func(_ *texel.Image, s *texel.Sampler, _ int) int { return addressMode(s.Modes[1]) },
	"addr_mode_2":   func(_ *texel.Image, s *texel.Sampler, _ int) int { return addressMode(s.Modes[2]) },
	"memory_layout": func(*texel.Image, *texel.Sampler, int) int { return 0 },
}

func unnormalized(s *texel.Sampler) int {
	if s.Unnormalized {
		return 1
	}
	return 0
}

// addressMode is a mode's number among wrap, mirror, clamp_ogl, clamp_to_edge and clamp_to_border.
func addressMode(m texel.Mode) int {
	return [...]int{texel.Repeat: 0, texel.MirroredRepeat: 1, texel.ClampToEdge: 3, texel.ClampToBorder: 4,
		texel.MirrorClampToEdge: 3}[m]
}

// query is txq and suq.
func (b *builder) query() error {
	u, o, err := b.picture(1)
	if err != nil {
		return err
	}
	var ask func(m *texel.Image, s *texel.Sampler, level int) int
	for _, m := range b.mods {
		if q := queries[m]; q != nil {
			ask = q
		} else if m != "level" && m != "b32" {
			return refuse("has the modifier .%s, which is not simulated", m)
		}
	}
	if ask == nil || len(o.List) != 1 || len(b.args) > 3 || b.has("level") != (len(b.args) == 3) {
		return refuse("is not simulated in this form")
	}
	if err := b.dest(0); err != nil {
		return err
	}
	if len(b.args) == 3 {
		if u.lod, err = b.more(u, &b.args[2], 1); err != nil {
			return err
		}
	}
	b.in.run = func(c *Core, in *inst, mask uint32) {
		o, regs := c.op(in, mask)
		ok := o.Each(c.texels(in), func(m *texel.Image, lanes uint64) bool {
			for rest := uint32(lanes); rest != 0; rest &= rest - 1 {
				l, level := first(rest), 0
				if u.lod >= 0 {
					level = min(max(int(int32(regs[u.lod][l])), 0), m.ViewLevels-1)
				}
				s, _ := texel.ReadSampler(c.texels(in).Block(o.Image[l]+texel.SamplerAt, texel.SamplerBytes))
				c.out[l] = uint64(uint32(ask(m, &s, level)))
			}
			return true
		})
		if ok {
			c.merge(in.dst, &c.out, mask)
		}
	}
	return nil
}

// operands are what says where a texture is accessed.
func (u *pictureUse) operands(fn *function, in *inst) []contents.Operand {
	return append(fn.operands(in.s[0]), fn.operands(u.reads...)...)
}
