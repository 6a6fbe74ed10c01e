package ptx

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"simtgdb/simt"
	"simtgdb/simt/ptx/numeric"
	"simtgdb/simt/texel"
)

func init() {
	register(map[string]func(b *builder) error{"suld": (*builder).suld, "sust": (*builder).sust,
		"sured": (*builder).sured})
}

// An edge says what becomes of coordinates outside of a surface (PTX ISA, "Surface Instructions", .clamp).
type edge uint8

const (
	edgeTrap  edge = iota // a fault
	edgeClamp             // the nearest
	edgeZero              // reads 0, and writes nothing
)

// surface reads the modifiers and the address, operand i, of an instruction on a surface.
func (b *builder) surface(i int, mods ...string) (u *pictureUse, e edge, err error) {
	u, o, err := b.picture(i)
	if err != nil {
		return nil, 0, err
	}
	if err := b.only(append(mods, "1d", "2d", "3d", "a1d", "a2d", "v2", "v4", "b", "p", "trap", "clamp",
		"zero", "ca", "cg", "cs", "cv", "wb", "wt")...); err != nil {
		return nil, 0, err
	}
	if len(o.List) != 2 || u.cube || b.has("b") == b.has("p") {
		return nil, 0, refuse("is not simulated in this form")
	}
	u.whole, u.bytes, u.changes = true, b.has("b"), i == 0
	e = edge(max(slices.IndexFunc([]string{"trap", "clamp", "zero"}, b.has), 0))
	if u.at, err = b.coordinates(u, &o.List[1]); err != nil {
		return nil, 0, err
	}
	in := b.in
	in.space, in.elements = Global, 1
	for _, m := range b.mods {
		if n, ok := vectors[m]; ok {
			in.elements = uint8(n)
		}
	}
	in.size = uint8(numeric.Widths[b.typ()] / 8)
	if in.size == 0 || in.size > 8 {
		return nil, 0, refuse("has no type that can be in memory")
	}
	return u, e, nil
}

// suld loads bytes of a surface (PTX ISA, "suld").
func (b *builder) suld() error {
	u, e, err := b.surface(1)
	if err != nil {
		return err
	}
	if !u.bytes || len(b.args) != 2 {
		return refuse("is not simulated in this form")
	}
	list, err := b.registers(&b.args[0])
	if err != nil || len(list) != int(b.in.elements) {
		return refuse("has %d registers for %d values", len(list), b.in.elements)
	}
	copy(b.in.regs[:], list)
	b.in.run = func(c *Core, in *inst, mask uint32) {
		in.surfaces(c, mask, e,
			func(addr *[simt.MaxLanes]uint64, lanes, outside uint32, _ *texel.Format) bool {
				size := int(in.size)
				if lanes != 0 && !c.touch(in, addr, lanes, simt.PermRead, size*int(in.elements)) {
					return false
				}
				for k := range int(in.elements) {
					for m := lanes; m != 0; m &= m - 1 {
						l := first(m)
						r := c.regionFor(addr[l], uint64(size), 0)
						c.out[l] = word(r.Data[addr[l]-r.Base+uint64(k*size):], size)
					}
					for m := outside; m != 0; m &= m - 1 {
						c.out[first(m)] = 0
					}
					c.merge(in.regs[k], &c.out, lanes|outside)
				}
				return true
			})
	}
	return nil
}

// sust stores bytes of a surface, or numbers as its format has them (PTX ISA, "sust").
func (b *builder) sust() error {
	u, e, err := b.surface(0)
	if err != nil {
		return err
	}
	if len(b.args) != 2 {
		return refuse("has %d operands; expected 2", len(b.args))
	}
	list, err := b.values(&b.args[1])
	if err != nil || len(list) != int(b.in.elements) {
		return refuse("has %d values; expected %d", len(list), b.in.elements)
	}
	copy(b.in.elems[:], list)
	if !u.bytes {
		b.in.elements = 0
		b.in.run = func(c *Core, in *inst, mask uint32) { in.storeTexels(c, mask, e, len(list)) }
		return nil
	}
	b.in.run = func(c *Core, in *inst, mask uint32) {
		in.surfaces(c, mask, e, func(addr *[simt.MaxLanes]uint64, lanes, _ uint32, _ *texel.Format) bool {
			size := int(in.size)
			if lanes != 0 && !c.touch(in, addr, lanes, simt.PermWrite, size*int(in.elements)) {
				return false
			}
			for k := range int(in.elements) {
				v := c.element(in, k)
				for m := lanes; m != 0; m &= m - 1 {
					l := first(m)
					r := c.regionFor(addr[l], uint64(size), 0)
					putWord(r.Data[addr[l]-r.Base+uint64(k*size):], size, v[l])
				}
			}
			return true
		})
	}
	return nil
}

// storeTexels stores numbers as a surface's format has them.
func (in *inst) storeTexels(c *Core, mask uint32, e edge, n int) {
	in.surfaces(c, mask, e, func(addr *[simt.MaxLanes]uint64, lanes, _ uint32, f *texel.Format) bool {
		return lanes == 0 || c.texels(in).Texels(uint64(lanes), addr, f.Size, true, func(l int, b []byte) {
			var x texel.Texel
			for k := range n {
				switch v := c.element(in, k)[l]; f.Numeric {
				case texel.Sint:
					x[k] = f.FromWhole(int64(int32(v)))
				case texel.Uint:
					x[k] = f.FromWhole(int64(uint32(v)))
				default:
					x[k] = fromSingle(v)
				}
			}
			f.Encode(x, b)
		})
	})
}

// sured changes a number of a surface (PTX ISA, "sured").
func (b *builder) sured() error {
	_, e, err := b.surface(0, "add", "min", "max", "and", "or")
	if err != nil {
		return err
	}
	name := slices.IndexFunc([]string{"add", "min", "max", "and", "or"}, b.has)
	if name < 0 || len(b.args) != 2 || b.in.elements != 1 || b.in.size < 4 {
		return refuse("is not simulated in this form")
	}
	in := b.in
	in.aux = atomicOp([]string{"add", "min", "max", "and", "or"}[name], b.typ())
	if in.elems[0], err = b.source(&b.args[1], b.typ()); err != nil {
		return err
	}
	in.atomic = true
	in.run = func(c *Core, in *inst, mask uint32) {
		in.surfaces(c, mask, e, func(addr *[simt.MaxLanes]uint64, lanes, _ uint32, _ *texel.Format) bool {
			size := int(in.size)
			if lanes != 0 && !c.touch(in, addr, lanes, simt.PermRead|simt.PermWrite, size) {
				return false
			}
			if c.m.Concurrent {
				c.m.Shared.Lock()
				defer c.m.Shared.Unlock()
			}
			v := c.element(in, 0)
			for m := lanes; m != 0; m &= m - 1 {
				l := first(m)
				r := c.regionFor(addr[l], uint64(size), 0)
				at := r.Data[addr[l]-r.Base:]
				putWord(at, size, in.aux(word(at, size), v[l], 0))
			}
			return true
		})
	}
	return nil
}

// surfaces finds where the lanes of a mask access their surfaces, and calls f for each surface, with the
// lanes that are inside and those that are not and need no fault.
func (in *inst) surfaces(c *Core, mask uint32, e edge,
	f func(addr *[simt.MaxLanes]uint64, lanes, outside uint32, format *texel.Format) bool) {
	u := in.picture
	o, _ := c.op(in, mask)
	o.Each(c.texels(in), func(m *texel.Image, lanes uint64) bool {
		var addr [simt.MaxLanes]uint64
		size := int(in.size) * int(max(in.elements, 1))
		if !u.bytes {
			size = m.Format.Size
		}
		var outside, crooked uint32
		for rest := uint32(lanes); rest != 0; rest &= rest - 1 {
			l := first(rest)
			if !u.placed(m, &o.Place[l], size, e, &addr[l]) {
				outside |= 1 << l
			}
			if u.bytes && addr[l]&uint64(size-1) != 0 {
				crooked |= 1 << l
			}
		}
		if crooked != 0 {
			c.fault(simt.Fault{Kind: simt.Misaligned, Lanes: uint64(crooked), Addr: addr[first(crooked)],
				Size: size, Write: u.changes, Text: in.src.Text})
			return false
		}
		if outside != 0 && e == edgeTrap {
			l := first(outside)
			c.fault(simt.Fault{Kind: simt.NoTexel, Lanes: uint64(outside), Addr: addr[l], Size: size,
				Write: u.changes, Text: u.beyond(m, &o.Place[l])})
			return false
		}
		return f(&addr, uint32(lanes)&^outside, outside, m.Format)
	})
}

// beyond says where a texel is that a surface has not.
func (u *pictureUse) beyond(m *texel.Image, p *texel.Place) string {
	unit := "texels"
	if u.bytes {
		unit = "bytes"
	}
	var place, sizes []string
	for i := range m.Shape.Coordinates() {
		place = append(place, fmt.Sprint(math.Floor(p.At[i])))
		sizes = append(sizes, fmt.Sprint(m.Size[i]))
	}
	return fmt.Sprintf("the place is %s, x in %s; the surface has %s texels of %d bytes",
		strings.Join(place, ","), unit, strings.Join(sizes, " x "), m.Format.Size)
}

// placed finds where a lane's texel is, x counted in bytes or in texels, and reports whether the surface has
// it.
func (u *pictureUse) placed(m *texel.Image, p *texel.Place, size int, e edge, addr *uint64) bool {
	width := m.LevelSize(0)[0]
	at := [4]int{0, 0, 0, int(p.Layer)}
	for i := range u.dims {
		at[i] = int(math.Floor(p.At[i])) // coordinates are those of the middle
	}
	unit := 1
	if u.bytes {
		unit = m.Format.Size
	}
	last := [4]int{width*unit - 1, m.LevelSize(0)[1] - 1, m.LevelSize(0)[2] - 1, m.ViewLayers - 1}
	if u.bytes {
		last[0] = width*unit - size
	}
	inside := true
	for i := range at {
		if at[i] < 0 || at[i] > last[i] {
			inside = false
			at[i] = min(max(at[i], 0), max(last[i], 0))
		}
	}
	off, _ := m.Offset(at[0]/unit, at[1], at[2], at[3], 0, 0)
	*addr = m.Address + off + uint64(at[0]%unit)
	return inside || e == edgeClamp
}
