package vec

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// A mover moves rows to and from memory.
type mover struct {
	fill    func(d *Row, v uint32)
	merge   func(d, s *Row, mask uint64)
	offsets func(x *span) (outside uint64)
	load    func(d *Row, mem *byte, at *Row, mask uint64)
	store   func(s *Row, mem *byte, at *Row, mask uint64)
	places  func(to *[Lanes]uint64, base uint64, at *Row)
	steps   func(at *uint64, n int, step uint64) uint64
	further func(at, than *uint64, n int, by uint64) uint64
}

var moves = portableMoves

var portableMoves = mover{fill: fill, merge: merge, offsets: offsets, load: load, store: store,
	places: places, steps: steps, further: further}

// Fill gives all lanes one number.
func Fill(d *Row, v uint32) { moves.fill(d, v) }

// Merge copies the lanes of a mask.
func Merge(d, s *Row, mask uint64) { moves.merge(d, s, mask) }

func fill(d *Row, v uint32) {
	for l := range d {
		d[l] = v
	}
}

// A span is what Offsets works on.
type span struct {
	dst, lo, hi *Row   // hi is nil for addresses of 32 bits
	add, limit  uint64 // limit is less than 1<<32
	wrap        uint64 // a mask: sums are of so many bits
	mask        uint64
}

// Offsets are the places of the lanes' items in a memory.
type Offsets struct {
	// At has them, of the lanes of Mask, in bytes.
	At   Row
	Mask uint64

	x   span
	mem []byte
}

// Find works out where items of size bytes lie: at the 64-bit address in lo
// and hi, or the 32-bit one in lo if hi is nil, plus add, minus base, in a
// memory that begins at base. It reports whether all of the lanes of mask, of
// which there is at least one, are in mem, at most 4 GiB of which count.
func (o *Offsets) Find(mem []byte, lo, hi *Row, add, base uint64, size int, mask uint64) bool {
	return o.find(mem, lo, hi, add-base, size, mask, ^uint64(0))
}

// Find32 is Find for addresses of 32 bits in a memory that begins at 0, to
// which add is added modulo 2^32.
func (o *Offsets) Find32(mem []byte, lo *Row, add uint32, size int, mask uint64) bool {
	return o.find(mem, lo, nil, uint64(add), size, mask, 1<<32-1)
}

func (o *Offsets) find(mem []byte, lo, hi *Row, add uint64, size int, mask, wrap uint64) bool {
	if len(mem) < size || uint64(len(mem)) > 1<<32 {
		return false
	}
	o.Mask, o.mem = mask, mem
	o.x = span{&o.At, lo, hi, add, uint64(len(mem) - size), wrap, mask}
	return moves.offsets(&o.x) == 0
}

// Load fills the lanes of a row with the dwords that lie skip bytes after
// their items' beginning. Find has said that they are there.
func (o *Offsets) Load(d *Row, skip int) {
	mem := o.mem[skip:]
	moves.load(d, unsafe.SliceData(mem), &o.At, o.Mask)
}

// Store is Load's counterpart. Of lanes with one place the highest wins.
func (o *Offsets) Store(s *Row, skip int) {
	mem := o.mem[skip:]
	moves.store(s, unsafe.SliceData(mem), &o.At, o.Mask)
}

// Places makes addresses of where the items are, in a memory that begins at base.
func (o *Offsets) Places(to *[Lanes]uint64, base uint64) { moves.places(to, base, &o.At) }

func places(to *[Lanes]uint64, base uint64, at *Row) {
	for l, offset := range at {
		to[l] = base + uint64(offset)
	}
}

// Steps are the numbers, of up to 64, that the next one is a step more than: a bit for each, none for the
// last.
func Steps(of []uint64, step uint64) uint64 {
	if len(of)%8 != 0 || len(of) == 0 {
		return steps(unsafe.SliceData(of), len(of), step)
	}
	return moves.steps(unsafe.SliceData(of), len(of), step)
}

func steps(at *uint64, n int, step uint64) (all uint64) {
	of := unsafe.Slice(at, n)
	for i := 1; i < len(of); i++ {
		if of[i]-of[i-1] == step {
			all |= 1 << (i - 1)
		}
	}
	return all
}

// Further are the numbers, of up to 64, that are so much more than others, of which there are as many: a bit
// for each.
func Further(of, than []uint64, by uint64) uint64 {
	if len(of)%8 != 0 || len(of) == 0 {
		return further(unsafe.SliceData(of), unsafe.SliceData(than), len(of), by)
	}
	return moves.further(unsafe.SliceData(of), unsafe.SliceData(than), len(of), by)
}

func further(at, than *uint64, n int, by uint64) (all uint64) {
	of, less := unsafe.Slice(at, n), unsafe.Slice(than, n)
	for i := range of {
		if of[i]-less[i] == by {
			all |= 1 << i
		}
	}
	return all
}

func offsets(x *span) (outside uint64) {
	for m := x.mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		at := uint64(x.lo[l])
		if x.hi != nil {
			at |= uint64(x.hi[l]) << 32
		}
		at = (at + x.add) & x.wrap
		x.dst[l] = uint32(at)
		if at > x.limit {
			outside |= 1 << l
		}
	}
	return outside
}

func dwordAt(mem *byte, at uint32) []byte {
	return unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(mem), uint64(at))), 4)
}

func load(d *Row, mem *byte, at *Row, mask uint64) {
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		d[l] = binary.LittleEndian.Uint32(dwordAt(mem, at[l]))
	}
}

func store(s *Row, mem *byte, at *Row, mask uint64) {
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		binary.LittleEndian.PutUint32(dwordAt(mem, at[l]), s[l])
	}
}
