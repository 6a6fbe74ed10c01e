package contents

import (
	"cmp"
	"math/bits"
	"slices"

	"simtgdb/simt"
)

// Exact are registers of which bits are known apart: what has been written only in part, such as a number
// that is loaded from bytes some of which are padding. Which bits of a result come from bits without
// contents is found by executing the instruction with several values in their place (try.go).
type Exact interface {
	Registers
	// Lacks are the lanes, of some, whose operand has bits without contents, all of them or a part.
	Lacks(o Operand, lanes uint64) uint64
	// Bits are those of an operand in a lane that have no contents, and the instruction by which that is so.
	// They are mere where they have only been moved from memory others of whose bytes have contents, as
	// padding of a structure is.
	Bits(o Operand, lane int) (lacking uint64, mere bool, from uint64)
	// SetBits notes that some bits of an operand have none.
	SetBits(o Operand, lane int, lacking uint64, mere bool, from uint64)
	// Width has the bits of an operand.
	Width(o Operand) uint64
	// Value is that of an operand in a lane; Put changes it.
	Value(o Operand, lane int) uint64
	Put(o Operand, lane int, v uint64)
	// Try executes the instruction under way for its results.
	Try()
}

// A Way says which bits of a result have no contents, for registers that are [Exact].
type Way uint8

// The ways.
const (
	Opaque   Way = iota // none where only a part of a source has none
	Moved               // those of the first source, or of the one that is chosen
	Computed            // those that depend on such bits
	Placed              // the same: bits have got another place, and what is mere stays so
	Shifted             // the same, unless what were whole bytes are none any more: that is arithmetic
	Paired              // the same of sources side by side, of which the last may be nobody's
	Whole               // all where all of a source has none, else as Computed
)

// Tries reports whether the instruction is executed to find out.
func (y Way) Tries() bool { return y >= Computed }

// partial is what is known of lanes of an operand bit by bit.
type partial struct {
	some uint64 // lanes in which a part has no contents
	mere uint64
	bits [simt.MaxLanes]uint64 // of some
}

// part is what is known of an operand bit by bit, to be changed.
func (r *Rows) part(o Operand) *partial {
	if r.parts == nil {
		r.parts = make([]*partial, len(r.blank))
	}
	if r.parts[o] == nil {
		r.parts[o] = &partial{}
	}
	return r.parts[o]
}

// parted is what is known of an operand bit by bit; nil for nothing.
func (r *Rows) parted(o Operand) *partial {
	if r.parts == nil {
		return nil
	}
	return r.parts[o]
}

// unpart forgets what is known of lanes bit by bit.
func (r *Rows) unpart(o Operand, lanes uint64) {
	if p := r.parted(o); p != nil {
		if p.some, p.mere = p.some&^lanes, p.mere&^lanes; p.some|p.mere == 0 {
			r.parts[o] = nil
		}
	}
}

// cloneParts copies what is known bit by bit.
func (r *Rows) cloneParts() []*partial {
	parts := slices.Clone(r.parts)
	for i, p := range parts {
		if p != nil {
			copied := *p
			parts[i] = &copied
		}
	}
	return parts
}

// Lacks is that of [Exact].
func (r *Rows) Lacks(o Operand, lanes uint64) uint64 {
	some := r.blank[o]
	if p := r.parted(o); p != nil {
		some |= p.some
	}
	return some & lanes
}

// Bits is that of [Exact]: all that there are where all have no contents.
func (r *Rows) Bits(o Operand, lane int) (lacking uint64, mere bool, from uint64) {
	if p := r.parted(o); p != nil {
		mere = p.mere>>lane&1 != 0
		if p.some>>lane&1 != 0 {
			lacking = p.bits[lane]
		}
	}
	if r.blank[o]>>lane&1 != 0 {
		lacking = ^uint64(0)
	}
	return lacking, mere, r.from[o]
}

// SetBits is that of [Exact], for an operand of a width.
func (r *Rows) SetBits(o Operand, lane int, lacking, width uint64, mere bool, from uint64) {
	at := uint64(1) << lane
	if lacking &= width; lacking == 0 {
		r.Set(o, at, 0, 0)
		return
	}
	r.Set(o, at, at, from)
	if lacking != width {
		p := r.part(o)
		r.blank[o] &^= at
		p.some |= at
		p.bits[lane] = lacking
	}
	if mere {
		r.part(o).mere |= at
	}
}

// Cuts reports whether a constant is a mask that leaves more than half of a number of so many bits, and not
// all of it.
func Cuts(mask uint64, width int) bool {
	n := bits.OnesCount64(mask & (^uint64(0) >> (64 - width)))
	return n > width/2 && n < width
}

// Taken is what is known of lanes of an operand.
type Taken struct {
	lanes, blank, from uint64
	parts              *partial
}

// Take gives what is known of lanes of an operand.
func (r *Rows) Take(o Operand, lanes uint64) Taken {
	t := Taken{lanes: lanes, blank: r.blank[o] & lanes, from: r.from[o]}
	if p := r.parted(o); p != nil {
		copied := *p
		t.parts = &copied
	}
	return t
}

// Give makes it what is known of another operand.
func (r *Rows) Give(o Operand, t Taken) {
	r.Set(o, t.lanes, t.blank, t.from)
	if t.parts == nil || (t.parts.some|t.parts.mere)&t.lanes == 0 {
		return
	}
	p := r.part(o)
	p.some |= t.parts.some & t.lanes
	p.mere |= t.parts.mere & t.lanes
	r.from[o] = t.from
	for m := t.parts.some & t.lanes; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m)
		p.bits[l] = t.parts.bits[l]
	}
}

// loaded is what an access has found: the lanes that have read bytes without contents, and which.
type loaded struct {
	some, mere uint64
	bytes      [simt.MaxLanes]uint64
}

// maxBytes is how many bytes of a lane an access can tell apart.
const maxBytes = 64

// bytewise says of an access byte by byte what it writes, or asks what it reads. It reports whether it can.
func (f *Follower) bytewise(a *simt.Access) bool {
	if f.e == nil || a.Size > maxBytes {
		return false
	}
	clear(f.bytes[:])
	a.Bytes = &f.bytes
	switch at := f.writes; {
	case !a.Write:
	case f.in.Copies && at < len(f.loads):
		if f.loads[at].some != 0 {
			f.bytes, a.Spoilt = f.loads[at].bytes, f.loads[at].some&^f.loads[at].mere
		}
	case f.in.Each && len(f.in.Data) > 0:
		f.storedBytes(f.in.Data[at%len(f.in.Data)], a, 0, a.Size)
	default:
		for i, o := range f.in.Data {
			size := cmp.Or(f.in.Part, a.Size)
			f.storedBytes(o, a, i*size, size)
		}
	}
	return true
}

// storedBytes notes which bytes of an operand have no contents, that are stored at an offset.
func (f *Follower) storedBytes(o Operand, a *simt.Access, offset, size int) {
	if offset+size > a.Size || o == Constant {
		return
	}
	lanes := a.Lanes
	if o != Undefined {
		lanes = f.e.Lacks(o, a.Lanes)
	}
	for ; lanes != 0; lanes &= lanes - 1 {
		l := bits.TrailingZeros64(lanes)
		lacking, mere := ^uint64(0), false
		if o != Undefined {
			lacking, mere, _ = f.e.Bits(o, l)
		}
		if !mere {
			a.Spoilt |= 1 << l
		}
		for i := range size {
			if lacking>>(8*i&63)&0xff == 0xff {
				f.bytes[l] |= 1 << (offset + i)
			}
		}
	}
}

// accessedBytes notes what observers have said of a read.
func (f *Follower) accessedBytes(a *simt.Access) {
	n := len(f.loads)
	if f.loads = slices.Grow(f.loads, 1)[:n+1]; a.Bytes == nil {
		f.loads[n].some = 0
		return
	}
	ld := &f.loads[n]
	ld.some, ld.mere = 0, 0
	all := ^uint64(0) >> (64 - a.Size)
	for m := a.Lanes; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m)
		lacks, at := f.bytes[l], uint64(1)<<l
		switch {
		case lacks == 0, lacks == all && a.Blank&at == 0: // none, or it has been reported
		case lacks == all && a.Amid&at == 0 && !f.back, a.Spoilt&at != 0:
			ld.some |= at
		default:
			ld.some, ld.mere = ld.some|at, ld.mere|at
		}
	}
	if ld.some != 0 {
		ld.bytes = f.bytes
	}
}

// Apart reports whether the instruction under way has pieces that a machine tells of one by one, each a
// part of what a lane accesses in memory of its own: Stored and Loaded are then in the place of Access and
// Accessed.
func (f *Follower) Apart() bool { return f.on && len(f.in.Data)+len(f.in.Loads) > 0 }

// Stored are the bytes of n that a lane stores, from an offset of all on, that have no contents; spoilt says
// that they are no padding.
func (f *Follower) Stored(lane, offset, n int) (lacking uint64, spoilt bool) {
	for i := range n {
		o := f.in.Data[min((offset+i)/f.in.Part, len(f.in.Data)-1)]
		if o < 0 {
			continue
		}
		bits, mere, _ := f.e.Bits(o, lane)
		if bits>>(8*((offset+i)%f.in.Part))&0xff == 0xff {
			lacking, spoilt = lacking|1<<i, spoilt || !mere
		}
	}
	return lacking, spoilt
}

// Loaded notes what a lane loads at an offset of all: what an observer has said of an access of another one,
// whose memory it is. What lies beside it there may be anything, so it may be padding.
func (f *Follower) Loaded(lane, offset int, a *simt.Access, of int) {
	if len(f.loads) == 0 {
		f.loads = slices.Grow(f.loads, 1)[:1]
		f.loads[0] = loaded{}
	}
	ld, at := &f.loads[0], uint64(1)<<lane
	if a.Spoilt>>of&1 != 0 {
		ld.mere &^= at
	} else if ld.some&at == 0 {
		ld.mere |= at
	}
	ld.some |= at
	ld.bytes[lane] |= a.Bytes[of] << offset
}

// endLoads notes which bits of what has been loaded have no contents.
func (f *Follower) endLoads() {
	for i, o := range f.in.Loads {
		if o == Constant {
			continue
		}
		f.e.Set(o, f.lanes, 0, 0)
		for n := range f.loads {
			switch {
			case !f.in.Each:
				f.loadedBits(o, &f.loads[n], i*f.in.Part, f.in.Part)
			case i == n:
				f.loadedBits(o, &f.loads[n], 0, maxBytes)
			}
		}
	}
}

// loadedBits notes it of what lies at an offset of an access.
func (f *Follower) loadedBits(o Operand, ld *loaded, offset, size int) {
	for m := ld.some & f.lanes; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m)
		var lacking uint64
		bytes := ld.bytes[l] >> offset
		for i := range min(size, 8) {
			lacking |= bytes >> i & 1 * 0xff << (8 * i)
		}
		if f.in.Signed && size < 8 && bytes>>(size-1)&1 != 0 {
			lacking |= ^uint64(0) << (8 * size)
		}
		if lacking != 0 { // a whole word of its own is no padding
			alone := size >= 4 && size <= 8 && lacking == ^uint64(0)>>(64-8*size)
			f.e.SetBits(o, l, lacking, ld.mere>>l&1 != 0 && !alone, f.pc)
		}
	}
}

// published are the lanes that store what has no contents, and whether it is only a part of it: where all has
// none, or a component of a vector before one that has; but not what may be padding.
func (f *Follower) published() (data uint64, part bool, from uint64) {
	all, behind := f.lanes, uint64(0)
	if f.in.Last {
		behind = f.lanes
	}
	for _, o := range slices.Backward(f.in.Data) {
		whole, some, at := f.stored(o)
		if f.in.Any {
			data |= whole
		}
		if some != 0 {
			data, part = data|some, true
		}
		if f.in.Vector && whole&behind != 0 {
			data |= whole & behind
		}
		if whole|some != 0 {
			from = cmp.Or(from, at)
		}
		all &= whole
		behind |= f.lanes &^ whole
	}
	if len(f.in.Data) == 0 {
		return 0, false, 0
	}
	return data | all, part, from
}

// stored are the lanes in which an operand that is stored has nothing, and those in which it has not all.
func (f *Follower) stored(o Operand) (whole, some, from uint64) {
	switch o {
	case Constant:
		return 0, 0, 0
	case Undefined:
		return f.lanes, 0, f.pc
	}
	width := f.e.Width(o)
	if f.in.Part > 0 && f.in.Part < 8 {
		width &= 1<<(8*f.in.Part) - 1
	}
	for m := f.e.Lacks(o, f.lanes); m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m)
		lacking, mere, at := f.e.Bits(o, l)
		switch lacking &= width; {
		case lacking == 0, mere && (lacking&0xff != 0xff || lacking == width): // it begins with no padding
		case lacking == width:
			whole, from = whole|1<<l, at
		default:
			some, from = some|1<<l, at
		}
	}
	return whole, some, from
}
