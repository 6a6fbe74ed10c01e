package gen

import (
	"encoding/binary"
	"math"
)

// Values of the channels of one instruction, by element.
type (
	ints   [maxChannels]int64
	floats [maxChannels]float64
)

// An access says where the elements of an operand lie in the file: element i
// at base+i*step, or at table[i].
type access struct {
	base, step int
	table      []uint16
}

// sourceAccess lays out the elements of a source of n channels, relative to
// its first one.
func (o *operand) sourceAccess(n int) access {
	size := o.typ.Size()
	switch {
	case n == 1, o.vstride == 0 && o.width == 1, o.vstride == 0 && o.hstride == 0:
		return access{}
	case o.width == 1:
		return access{step: o.vstride * size}
	case o.width >= n, o.vstride == o.width*o.hstride:
		return access{step: o.hstride * size}
	}
	t := make([]uint16, n)
	for i := range t {
		t[i] = uint16((i/o.width*o.vstride + i%o.width*o.hstride) * size)
	}
	return access{table: t}
}

// last is the offset of the last element from the first.
func (a *access) reach(n int) int {
	if a.table == nil {
		return a.step * (n - 1)
	}
	most := 0
	for _, t := range a.table {
		most = max(most, int(t))
	}
	return most
}

// resolve places an operand in the file. It reports whether there is such a
// place; that of an indirect one is known when it executes.
func (o *operand) resolve(g *Generation, a access, n int) (access, bool) {
	limit := g.grfEnd()
	switch o.place {
	case inGRF:
		a.base += g.grf(int(o.reg)) + int(o.sub)
	case inARF:
		off, ok := arfOffsets[o.reg>>4]
		if !ok {
			return a, false
		}
		limit = off + arfBytes
		switch o.reg >> 4 {
		case arfAcc:
			limit = offAcc + accCount*g.regBytes
			off += int(o.reg&15) * g.regBytes
		case arfFlag:
			off += int(o.reg&15) * 4
		case arfNull:
			limit = offAcc
		default:
			if o.reg&15 != 0 {
				return a, false
			}
		}
		a.base += off + int(o.sub)
	default:
		return a, true
	}
	if a.base+a.reach(n)+o.typ.Size() > limit {
		return a, false
	}
	return a.based(), true
}

// based adds the base to a table.
func (a access) based() access {
	if a.table == nil {
		return a
	}
	t := make([]uint16, len(a.table))
	for i := range t {
		t[i] = a.table[i] + uint16(a.base)
	}
	a.table = t
	return a
}

// indirectAccess places an indirect operand, now that address registers are
// known. It reports whether all elements are in the general registers.
func (c *Core) indirectAccess(o *operand, n int) (access, bool) {
	size := o.typ.Size()
	start := func(row int) int {
		a := binary.LittleEndian.Uint16(c.r.file[offA0+2*((int(o.addr)+row)&15):])
		return offGRF + int(a) + int(o.offset)
	}
	fits := func(at int) bool { return at >= offGRF && at+size <= c.r.gen.grfEnd() }
	if o.vstride != perChannel {
		a := o.layout
		a.base += start(0)
		return a.based(), fits(a.base) && fits(a.base+a.reach(n))
	}
	t := make([]uint16, n)
	for i := range t {
		at := start(i/o.width) + i%o.width*o.hstride*size
		if !fits(at) {
			return access{}, false
		}
		t[i] = uint16(at)
	}
	return access{table: t}, true
}

// readInt reads an integer of a type, sign- or zero-extended; of floats, their
// bits.
func readInt(b []byte, t Type) int64 {
	le := binary.LittleEndian
	switch t {
	case UD, F:
		return int64(le.Uint32(b))
	case D:
		return int64(int32(le.Uint32(b)))
	case UW, HF, BF:
		return int64(le.Uint16(b))
	case W:
		return int64(int16(le.Uint16(b)))
	case UB:
		return int64(b[0])
	case B:
		return int64(int8(b[0]))
	}
	return int64(le.Uint64(b))
}

// readFloat reads a number of a type.
func readFloat(b []byte, t Type) float64 {
	switch t {
	case F:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	case DF:
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	case HF:
		return halfToFloat(binary.LittleEndian.Uint16(b))
	case BF:
		return float64(math.Float32frombits(uint32(binary.LittleEndian.Uint16(b)) << 16))
	case BF8:
		return halfToFloat(uint16(b[0]) << 8)
	case TF32:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b) &^ (1<<13 - 1)))
	case UQ:
		return float64(binary.LittleEndian.Uint64(b))
	}
	return float64(readInt(b, t))
}

// writeBits writes the low bytes of a value.
func writeBits(b []byte, size int, v uint64) {
	le := binary.LittleEndian
	switch size {
	case 4:
		le.PutUint32(b, uint32(v))
	case 8:
		le.PutUint64(b, v)
	case 2:
		le.PutUint16(b, uint16(v))
	case 1:
		b[0] = byte(v)
	}
}

// loadInts reads the elements of a source as integers.
func (c *Core) loadInts(in *Inst, i int, out *ints) {
	o := &in.src[i]
	if o.ints != nil {
		*out = *o.ints
		return
	}
	a, t, n := o.layout, o.typ, in.width
	if o.place == indirect {
		a = c.indirect[i]
	}
	file := c.r.file
	switch {
	case a.table != nil:
		for k := range n {
			out[k] = readInt(file[a.table[k]:], t)
		}
	case a.step == 0:
		v := readInt(file[a.base:], t)
		for k := range n {
			out[k] = v
		}
	default:
		loadIntRow(file, a, t, n, out)
	}
}

// loadIntRow reads elements that lie at equal distances.
func loadIntRow(file []byte, a access, t Type, n int, out *ints) {
	at, le := a.base, binary.LittleEndian
	switch t {
	case D:
		for k := range n {
			out[k&31] = int64(int32(le.Uint32(file[at:])))
			at += a.step
		}
	case UD, F:
		for k := range n {
			out[k&31] = int64(le.Uint32(file[at:]))
			at += a.step
		}
	case Q, UQ, DF:
		for k := range n {
			out[k&31] = int64(le.Uint64(file[at:]))
			at += a.step
		}
	case UW, HF:
		for k := range n {
			out[k&31] = int64(le.Uint16(file[at:]))
			at += a.step
		}
	default:
		for k := range n {
			out[k&31] = readInt(file[at:], t)
			at += a.step
		}
	}
}

// loadFloats reads the elements of a source as numbers.
func (c *Core) loadFloats(in *Inst, i int, out *floats) {
	o := &in.src[i]
	if o.floats != nil {
		*out = *o.floats
		return
	}
	a, t, n := o.layout, o.typ, in.width
	if o.place == indirect {
		a = c.indirect[i]
	}
	file := c.r.file
	switch {
	case a.table != nil:
		for k := range n {
			out[k] = readFloat(file[a.table[k]:], t)
		}
	case a.step == 0:
		v := readFloat(file[a.base:], t)
		for k := range n {
			out[k] = v
		}
	case t == F:
		at := a.base
		for k := range n {
			out[k&31] = float64(math.Float32frombits(binary.LittleEndian.Uint32(file[at:])))
			at += a.step
		}
	default:
		at := a.base
		for k := range n {
			out[k&31] = readFloat(file[at:], t)
			at += a.step
		}
	}
}

// store writes the low bits of values to the destination's elements that mask
// has.
func (c *Core) store(in *Inst, mask uint32, v *ints) {
	a, size := in.dst.layout, in.dst.typ.Size()
	if in.dst.place == indirect {
		a = c.indirect[3]
	}
	file := c.r.file
	if size == 4 && a.table == nil {
		at := a.base
		if mask == in.all() {
			for k := range in.width {
				binary.LittleEndian.PutUint32(file[at:], uint32(v[k&31]))
				at += a.step
			}
			return
		}
		for k := range in.width {
			if mask>>k&1 != 0 {
				binary.LittleEndian.PutUint32(file[at:], uint32(v[k&31]))
			}
			at += a.step
		}
		return
	}
	for k, at := 0, a.base; k < in.width; k, at = k+1, at+a.step {
		if a.table != nil {
			at = int(a.table[k])
		}
		if mask>>k&1 != 0 {
			writeBits(file[at:], size, uint64(v[k&31]))
		}
	}
}
