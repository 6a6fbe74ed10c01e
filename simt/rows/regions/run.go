package regions

import (
	"encoding/binary"
	"math/bits"

	"simtgdb/simt/vec"
)

var le = binary.LittleEndian

// A State is what steps are executed on.
type State struct {
	File  []byte
	Flags int // where in it they are

	args vec.WideArgs
	rows [4]vec.Wide // operands, and the result
}

// A Step is an operation that is no access, made ready to be executed in Go.
type Step struct {
	*Op
	calc, test, ordered vec.WideFunc
	sources             int
	numbers             [3]*vec.Wide // of operands that are numbers
	changes             [3]bool      // operands' elements are not what is loaded
	nan                 uint64       // what arithmetic gives, of floats; 0 if the result is none
}

// nans are the processor's, by the bytes of an element.
var nans = map[uint8]uint64{4: 0xffc00000, 8: 0xfff8_0000_0000_0000}

// arithmetic are the operations on floats whose results may be NaNs.
var arithmetic = map[vec.WideOp]bool{vec.WideAddF32: true, vec.WideSubF32: true, vec.WideMulF32: true,
	vec.WideDivF32: true, vec.WideFmaF32: true, vec.WideSqrtF32: true, vec.WideAddF64: true,
	vec.WideSubF64: true, vec.WideMulF64: true, vec.WideFmaF64: true}

// Step makes the operation ready.
func (o *Op) Step() *Step {
	p := &Step{Op: o, test: o.Cond.Op.Func(), ordered: vec.WideOrdF32.Func(), sources: o.Sources()}
	if o.Elem == 8 {
		p.ordered = vec.WideOrdF64.Func()
	}
	if o.Kind == Calc {
		if p.calc = o.Op.Func(); arithmetic[o.Op] {
			p.nan = nans[o.Elem]
		}
	}
	for i := range p.sources {
		s := &o.S[i]
		p.changes[i] = s.Neg || s.Flip != 0 || s.Keep&s.cut(o.Elem) != s.cut(o.Elem) ||
			o.Elem == 4 && (s.Signed || s.Size == 8)
		if s.Const != nil {
			row := new(vec.Wide)
			for k := range row {
				row[k] = s.modified(s.Const[min(k, len(s.Const)-1)], o.Elem)
			}
			p.numbers[i] = row
		}
	}
	return p
}

// Run executes the operation for the channels of a mask, bit 0 of which is the first. Results that are no
// numbers are the processor's: the first operand that is none, made quiet, or the one of its own.
func (p *Step) Run(s *State, mask uint32) {
	var from [3]*vec.Wide
	for i := range p.sources {
		if from[i] = p.numbers[i]; from[i] == nil {
			from[i] = &s.rows[i]
			s.load(p, i)
		}
	}
	out, flags := &s.rows[3], uint32(0)
	switch p.Kind {
	case Copy:
		out = from[0]
	case Calc:
		x := &s.args
		x.A, x.B, x.C, x.D, x.Mask, x.NaN = from[0], from[1], from[2], out, ^uint32(0), p.nan
		if p.calc(x); p.nan != 0 {
			x.A, x.B = out, out
			if p.ordered(x); x.Out|^mask != ^uint32(0) {
				p.firstNaNs(out, &from)
			}
		}
	case Test:
		flags = s.compare(p, from[0], from[1])
		for k := range out[:p.Lanes&63] {
			if out[k] = -uint64(flags >> k & 1); p.One {
				out[k] &= 1
			}
		}
	case Pick:
		if p.In.On {
			flags = uint32(le.Uint64(s.File[s.Flags:]) >> p.In.Bit)
			if p.In.Not {
				flags = ^flags
			}
		} else {
			flags = s.compare(p, from[0], from[1])
		}
		for k := range out[:p.Lanes&63] {
			if out[k] = from[0][k]; flags>>k&1 == 0 {
				out[k] = from[1][k]
			}
		}
	}
	if p.Flags {
		if p.Kind != Test {
			flags = s.compare(p, out, &zeros)
		}
		m := uint64(mask) << p.Bit
		le.PutUint64(s.File[s.Flags:], le.Uint64(s.File[s.Flags:])&^m|uint64(flags)<<p.Bit&m)
	}
	s.store(&p.D, out, mask)
	s.store(&p.Also, out, mask)
}

var zeros vec.Wide

// compare tells for which channels the operation's comparison holds.
func (s *State) compare(p *Step, a, b *vec.Wide) uint32 {
	x := &s.args
	x.A, x.B, x.Mask = a, b, ^uint32(0)
	if p.Cond.Swap {
		x.A, x.B = b, a
	}
	p.test(x)
	flags := x.Out
	if p.Cond.Not {
		flags = ^flags
	}
	if p.Cond.Loose {
		x.A, x.B = b, b
		p.ordered(x)
		flags |= ^x.Out
	}
	return flags
}

// firstNaNs makes results that are no numbers the first operand that is none.
func (p *Step) firstNaNs(out *vec.Wide, from *[3]*vec.Wide) {
	quiet, infinite := uint64(1<<22), uint64(0x7f800000)
	if p.Elem == 8 {
		quiet, infinite = 1<<51, 0x7ff0_0000_0000_0000
	}
	order := [3]int{2, 1, 0} // the last first
	if p.Op.Op == vec.WideFmaF32 || p.Op.Op == vec.WideFmaF64 {
		order = [3]int{2, 0, 1}
	}
	number := infinite | quiet | (quiet - 1) // what is no sign
	for k := range int(p.Lanes) & 63 {
		if out[k&31]&number <= infinite {
			continue
		}
		for _, i := range order {
			if v := from[i]; v != nil && v[k&31]&number > infinite {
				out[k&31] = v[k&31] | quiet
			}
		}
	}
}

// dwords are those of a row.
const dwords = 4 * len(vec.Wide{})

// load brings the elements of an operand into a row.
func (s *State) load(p *Step, i int) {
	r, d, n := &p.S[i], &s.rows[i], int(p.Lanes)
	at, step := int(r.At), int(r.Step)
	switch {
	case r.Table != nil:
		for k := range d[:n] {
			d[k] = element(s.File[r.Table[k]:], r.Size, r.Signed)
		}
	case step == 0:
		v := r.modified(element(s.File[at:], r.Size, r.Signed), p.Elem)
		for k := range d[:n] {
			d[k] = v
		}
		return
	case r.Size == 4 && step == 4 && !(r.Signed && p.Elem == 8) && at+dwords <= len(s.File):
		vec.LoadRow(d, s.File[at:], nil, uint32(uint64(1)<<n-1))
		if r.Signed && p.plain(r) {
			return
		}
	default:
		for k := range d[:n] {
			d[k] = element(s.File[at:], r.Size, r.Signed)
			at += step
		}
	}
	if p.changes[i] {
		for k, v := range d[:n] {
			d[k] = r.modified(v, p.Elem)
		}
	}
}

// plain reports whether an operand has no modifiers.
func (p *Step) plain(r *Source) bool {
	return !r.Neg && r.Flip == 0 && r.Keep&r.cut(p.Elem) == r.cut(p.Elem)
}

// element is an element, extended to 64 bits.
func element(p []byte, size uint8, signed bool) uint64 {
	switch size {
	case 1:
		if signed {
			return uint64(int8(p[0]))
		}
		return uint64(p[0])
	case 2:
		if signed {
			return uint64(int16(le.Uint16(p)))
		}
		return uint64(le.Uint16(p))
	case 4:
		if signed {
			return uint64(int32(le.Uint32(p)))
		}
		return uint64(le.Uint32(p))
	}
	return le.Uint64(p)
}

// cut are the bits of an element that count.
func (*Source) cut(elem uint8) uint64 {
	if elem == 4 {
		return 1<<32 - 1
	}
	return ^uint64(0)
}

// modified applies an operand's modifiers to an element, and cuts it.
func (r *Source) modified(v uint64, elem uint8) uint64 {
	if r.Neg {
		return -v & r.cut(elem)
	}
	return (v&r.Keep ^ r.Flip) & r.cut(elem)
}

// store writes the elements of a mask into a region, if there is one.
func (s *State) store(r *Region, from *vec.Wide, mask uint32) {
	at, step := int(r.At), int(r.Step)
	switch r.Size {
	case 4:
		if step == 4 && at+dwords <= len(s.File) {
			vec.StoreRow(from, s.File[at:], nil, mask)
			return
		}
		for m := mask; m != 0; m &= m - 1 {
			k := bits.TrailingZeros32(m) & 31
			le.PutUint32(s.File[at+step*k:], uint32(from[k]))
		}
	case 8:
		for m := mask; m != 0; m &= m - 1 {
			k := bits.TrailingZeros32(m) & 31
			le.PutUint64(s.File[at+step*k:], from[k])
		}
	case 2:
		for m := mask; m != 0; m &= m - 1 {
			k := bits.TrailingZeros32(m) & 31
			le.PutUint16(s.File[at+step*k:], uint16(from[k]))
		}
	case 1:
		for m := mask; m != 0; m &= m - 1 {
			k := bits.TrailingZeros32(m) & 31
			s.File[at+step*k] = byte(from[k])
		}
	}
}
