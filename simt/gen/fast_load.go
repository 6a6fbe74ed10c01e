package gen

import (
	"encoding/binary"
	"math"
)

var le = binary.LittleEndian

const (
	ones   = ^uint64(0)
	sign32 = 1<<63 | 1<<31 // of two elements of 32 bits
	sign64 = 1 << 63
)

// plan chooses how a source becomes a row. It reports whether it can.
func (p *plan) plan(in *Inst, i int) bool {
	o, s := &in.src[i], &p.src[i]
	neg, abs := o.neg && !(p.negates && i == 1), o.abs
	s.base, s.keep = o.layout.base, ones
	raw := in.kind == kindInt || p.rowType(in) == o.typ || o.typ == VF && in.kind == kindFloat ||
		in.Op.Code == opMov
	widens := in.kind == kindDouble && o.typ == F && in.Op.Code != opMov
	if !raw && !widens {
		return false
	}
	switch {
	case !neg && !abs:
	case in.kind != kindInt:
		sign := uint64(sign64)
		switch {
		case o.typ == F && p.elem == 4:
			sign = sign32
		case o.typ == F && !widens:
			sign = 1 << 31
		case o.typ != DF:
			return false
		}
		if abs {
			s.keep = ^sign
		}
		if neg {
			s.flip = sign
		}
	case abs:
		return false
	case in.Op.flags&logicFlag != 0:
		s.flip = ones
	default:
		s.neg = true
	}
	if widens && (neg || abs) {
		return false
	}
	return p.chooseLoad(in, i, widens)
}

// rowType is the type of the plan's elements.
func (p *plan) rowType(in *Inst) Type {
	switch {
	case in.kind == kindDouble:
		return DF
	case in.kind == kindFloat:
		return F
	}
	return noType
}

// chooseLoad chooses by where a source's elements lie.
func (p *plan) chooseLoad(in *Inst, i int, widens bool) bool {
	o, s := &in.src[i], &p.src[i]
	size := o.typ.Size()
	if o.place == immediate {
		s.load, s.row = loadConstant, p.constant(in, o, s)
		return true
	}
	plain := s.flip == 0 && s.keep == ones && !s.neg
	if widens {
		s.load = loadWidened
		return o.place != indirect && o.layout.table == nil
	}
	switch l := &o.layout; {
	case o.place == indirect:
		s.load = loadIndirect
	case l.table != nil:
		s.load = loadTable
	case size == p.elem && (l.step == size || in.width == 1) && plain:
		// where it is
	case size == p.elem && l.step == size && !s.neg:
		s.load = loadFlipped
	case l.step == 0:
		s.load = loadBroadcast
	default:
		s.load = loadElements
	}
	return true
}

func loadConstant(_ *Core, in *Inst, i int) *row { return in.plan.src[i].row }

// constant makes the row of a constant.
func (p *plan) constant(in *Inst, o *operand, s *fastSource) *row {
	r := new(row)
	for k := range maxChannels {
		v := uint64(o.ints[k])
		switch {
		case o.typ == VF:
			v = uint64(math.Float32bits(float32(o.floats[k])))
		case o.typ == F && in.kind == kindDouble && in.Op.Code != opMov:
			v = math.Float64bits(o.floats[k])
		}
		writeBits(r[k*p.elem:], p.elem, s.modify(v))
	}
	return r
}

// modify applies a source's modifiers to an element.
func (s *fastSource) modify(v uint64) uint64 {
	if s.neg {
		return -v
	}
	return v&s.keep ^ s.flip
}

// loadFlipped copies elements of the row's size, which lie side by side, with
// modifiers.
func loadFlipped(c *Core, in *Inst, i int) *row {
	p := in.plan
	s, out := &p.src[i], &c.rows[i]
	from := (*row)(c.r.file[s.base:])
	for k := 0; k+8 <= len(out) && k < p.n; k += 8 {
		le.PutUint64(out[k:k+8], le.Uint64(from[k:k+8])&s.keep^s.flip)
	}
	return out
}

// loadBroadcast repeats one element.
func loadBroadcast(c *Core, in *Inst, i int) *row {
	p := in.plan
	s := &p.src[i]
	v := s.modify(uint64(readInt(c.r.file[s.base:], in.src[i].typ)))
	if p.elem < 8 {
		v = v & 0xffffffff * (1<<32 + 1)
		switch p.elem {
		case 2:
			v = v & 0xffff * 0x0001000100010001
		case 1:
			v = v & 0xff * 0x0101010101010101
		}
	}
	out := &c.rows[i]
	for k := 0; k+8 <= len(out) && k < p.n; k += 8 {
		le.PutUint64(out[k:k+8], v)
	}
	return out
}

// loadElements extends elements that lie at equal distances.
func loadElements(c *Core, in *Inst, i int) *row {
	p := in.plan
	s, out := &p.src[i], &c.rows[i]
	at, step, n := s.base, in.src[i].layout.step, min(p.n, len(out))
	file, t := c.r.file, in.src[i].typ
	switch {
	case s.flip != 0 || s.neg || s.keep != ones:
	case p.elem == 4 && t == UW:
		for k := 0; k+4 <= n; k += 4 {
			le.PutUint32(out[k:k+4], uint32(le.Uint16(file[at:])))
			at += step
		}
		return out
	case p.elem == 4 && t == UB:
		for k := 0; k+4 <= n; k += 4 {
			le.PutUint32(out[k:k+4], uint32(file[at]))
			at += step
		}
		return out
	case p.elem == 8 && t == D:
		for k := 0; k+8 <= n; k += 8 {
			le.PutUint64(out[k:k+8], uint64(int32(le.Uint32(file[at:]))))
			at += step
		}
		return out
	case p.elem == 8 && t == UD:
		for k := 0; k+8 <= n; k += 8 {
			le.PutUint64(out[k:k+8], uint64(le.Uint32(file[at:])))
			at += step
		}
		return out
	case p.elem == 4 && t.Size() == 4:
		for k := 0; k+4 <= n; k += 4 {
			le.PutUint32(out[k:k+4], le.Uint32(file[at:]))
			at += step
		}
		return out
	}
	for k := 0; k < n; k += p.elem {
		writeBits(out[k:], p.elem, s.modify(uint64(readInt(file[at:], t))))
		at += step
	}
	return out
}

// loadTable gathers elements of a region of rows.
func loadTable(c *Core, in *Inst, i int) *row {
	return c.gather(in, i, in.src[i].layout.table)
}

// loadIndirect gathers elements that address registers lead to; nil if one is
// not in the registers.
func loadIndirect(c *Core, in *Inst, i int) *row {
	o := &in.src[i]
	if o.vstride != perChannel || o.width != 1 {
		a, ok := c.indirectAccess(o, in.width)
		if !ok {
			c.illegalOperand(in, i)
			return nil
		}
		if a.table == nil {
			t := make([]uint16, in.width)
			for k := range t {
				t[k] = uint16(a.base + k*a.step)
			}
			a.table = t
		}
		return c.gather(in, i, a.table)
	}
	var t [maxChannels]uint16
	size := o.typ.Size()
	for k := range in.width {
		at := offGRF + int(le.Uint16(c.r.file[offA0+2*((int(o.addr)+k)&15):])) + int(o.offset)
		if at < offGRF || at+size > in.gen.grfEnd() {
			c.illegalOperand(in, i)
			return nil
		}
		t[k&31] = uint16(at)
	}
	return c.gather(in, i, t[:in.width])
}

// gather copies elements that lie anywhere.
func (c *Core) gather(in *Inst, i int, table []uint16) *row {
	p := in.plan
	s, out, t := &p.src[i], &c.rows[i], in.src[i].typ
	file := c.r.file
	if p.elem == 4 && t.Size() == 4 && s.flip == 0 && s.keep == ones && !s.neg {
		for k, at := range table {
			le.PutUint32(out[4*k&255:], le.Uint32(file[at:]))
		}
		return out
	}
	for k, at := range table {
		writeBits(out[k*p.elem&255:], p.elem, s.modify(uint64(readInt(file[at:], t))))
	}
	return out
}

// loadWidened makes doubles of single-precision numbers.
func loadWidened(c *Core, in *Inst, i int) *row {
	out, at, step := &c.rows[i], in.plan.src[i].base, in.src[i].layout.step
	for k := range in.width {
		v := math.Float32frombits(le.Uint32(c.r.file[at:]))
		le.PutUint64(out[8*k&255:], math.Float64bits(float64(v)))
		at += step
	}
	return out
}

// storeElements stores the low bits of a row's elements, at equal distances.
func storeElements(c *Core, in *Inst, mask uint32, out *row) {
	elem, at, step := in.plan.stored, in.dst.layout.base, in.dst.layout.step
	file := c.r.file
	switch in.dst.typ.Size() {
	case 1:
		for k := range in.width {
			if mask>>k&1 != 0 {
				file[at] = out[k*elem&255]
			}
			at += step
		}
	case 2:
		for k := range in.width {
			if mask>>k&1 != 0 {
				le.PutUint16(file[at:], le.Uint16(out[k*elem&255:]))
			}
			at += step
		}
	case 4:
		for k := range in.width {
			if mask>>k&1 != 0 {
				le.PutUint32(file[at:], le.Uint32(out[k*elem&255:]))
			}
			at += step
		}
	default:
		for k := range in.width {
			if mask>>k&1 != 0 {
				le.PutUint64(file[at:], le.Uint64(out[k*elem&255:]))
			}
			at += step
		}
	}
}

// mergeRow stores a row of elements that have the destination's size over it.
func mergeRow(c *Core, in *Inst, mask uint32, out *row) {
	d, elem := (*row)(c.r.file[in.dst.layout.base:]), in.plan.stored
	if n := elem * in.width; mask == in.all() {
		copy(d[:n], out[:n])
	} else {
		blend(elem, d, out, d, mask, n)
	}
}

// blend takes the elements of a that first has, and b's others.
func blend(elem int, d, a, b *row, first uint32, n int) {
	n = min(n, len(d))
	switch elem {
	case 4:
		for k := 0; k+4 <= n; k += 4 {
			x, y := le.Uint32(a[k:k+4]), le.Uint32(b[k:k+4])
			le.PutUint32(d[k:k+4], y^(x^y)&-(first&1))
			first >>= 1
		}
	case 8:
		for k := 0; k+8 <= n; k += 8 {
			x, y := le.Uint64(a[k:k+8]), le.Uint64(b[k:k+8])
			le.PutUint64(d[k:k+8], y^(x^y)&-uint64(first&1))
			first >>= 1
		}
	default:
		for k := 0; k+elem <= n; k += elem {
			from := b
			if first&1 != 0 {
				from = a
			}
			copy(d[k:k+elem], from[k:k+elem])
			first >>= 1
		}
	}
}
