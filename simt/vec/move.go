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

	loadItems  func(x *items)
	storeItems func(x *items)
}

var moves = portableMoves

var portableMoves = mover{fill: fill, merge: merge, offsets: offsets, load: load, store: store,
	loadItems: loadItems, storeItems: storeItems}

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

// Items moves dwords between memory and rows that are 32 numbers of 64 bits,
// whose upper halves are zeros, by 64-bit addresses in rows of this kind.
type Items struct{ x items }

// items is what Items works on: lanes is a mask of 32, outside becomes the
// places above limit.
type items struct {
	row, at    *Row
	mem        *byte
	add, limit uint64
	lanes      uint64
	outside    uint64
}

// Load fills the lanes of a row with the dwords at their addresses plus add,
// minus base, in a memory that begins at base. It reports whether all are in
// mem; otherwise nothing has happened.
func (i *Items) Load(d *Row, mem []byte, at *Row, add, base uint64, lanes uint32) bool {
	return i.move(moves.loadItems, d, mem, at, add-base, lanes)
}

// Store is Load's counterpart. Of lanes with one place the highest wins.
func (i *Items) Store(s *Row, mem []byte, at *Row, add, base uint64, lanes uint32) bool {
	return i.move(moves.storeItems, s, mem, at, add-base, lanes)
}

func (i *Items) move(f func(x *items), row *Row, mem []byte, at *Row, add uint64, lanes uint32) bool {
	if lanes == 0 {
		return true
	}
	if len(mem) < 4 {
		return false
	}
	i.x = items{row: row, at: at, mem: unsafe.SliceData(mem), add: add, limit: uint64(len(mem) - 4),
		lanes: uint64(lanes)}
	f(&i.x)
	return i.x.outside == 0
}

// places are where the items lie, and whether all are within the limit.
func (x *items) places() (at [Lanes / 2]uint64, ok bool) {
	for l := range at {
		at[l] = uint64(x.at[2*l]) | uint64(x.at[2*l+1])<<32
		if at[l] += x.add; x.lanes>>l&1 != 0 && at[l] > x.limit {
			x.outside |= 1
		}
	}
	return at, x.outside == 0
}

func loadItems(x *items) {
	at, ok := x.places()
	for l := range at {
		if ok && x.lanes>>l&1 != 0 {
			x.row[2*l] = binary.LittleEndian.Uint32(unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(x.mem), at[l])), 4))
			x.row[2*l+1] = 0
		}
	}
}

func storeItems(x *items) {
	at, ok := x.places()
	for l := range at {
		if ok && x.lanes>>l&1 != 0 {
			binary.LittleEndian.PutUint32(unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(x.mem), at[l])), 4),
				x.row[2*l])
		}
	}
}
