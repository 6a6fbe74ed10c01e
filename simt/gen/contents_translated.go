package gen

import (
	"math/bits"

	"simtgdb/simt/rows/regions"
)

// Code stays translated while values are followed. Of each unit translated code knows which parts of the file
// it names; where bytes of any have no contents it leaves, and it is found here whether the unit reads such:
// if so the core executes it, which follows each instruction, else what the unit writes has contents from
// then on.

// granule is how many bytes a part of the file has that a bit of known.some is for: so few, since registers
// often have one number and nothing else.
const granule = 4

// wordGranules are the parts of which a word of known.blank tells.
const wordGranules = 64 / granule

// mark notes of the parts that bytes are in whether there are any without contents, from one byte up to
// another.
func (k *known) mark(from, to int) {
	for i := from / 64; i*64 < to; i++ {
		some := uint16(0)
		switch w := k.blank[i]; w {
		case 0:
		case ^uint64(0):
			some = 1<<wordGranules - 1
		default:
			for g := range wordGranules {
				if w>>(g*granule)&(1<<granule-1) != 0 {
					some |= 1 << g
				}
			}
		}
		k.some[i] = some
	}
}

// whole reports whether all bytes from one of the file on have contents.
func (k *known) whole(at, n int32) bool {
	lo, hi := max(int(at)-offA0, 0), min(int(at+n)-offA0, knownBytes)
	for ; lo < hi; lo = lo&^63 + 64 {
		if k.blank[lo/64]&bitsOf(lo, hi) != 0 {
			return false
		}
	}
	return true
}

// fill gives them contents.
func (k *known) fill(at, n int32) {
	from, hi := max(int(at)-offA0, 0), min(int(at+n)-offA0, knownBytes)
	for lo := from; lo < hi; lo = lo&^63 + 64 {
		k.blank[lo/64] &^= bitsOf(lo, hi)
	}
	k.mark(from, hi)
}

// empty makes bytes of the file such as nothing has been written to, ever.
func (k *known) empty(at, end int) {
	for lo, hi := at-offA0, end-offA0; lo < hi; lo = lo&^63 + 64 {
		k.blank[lo/64] |= bitsOf(lo, hi)
	}
	k.mark(at-offA0, end-offA0)
}

// bitsOf are the bits of a word from one on, up to another or to the end.
func bitsOf(lo, hi int) uint64 {
	mask := ^uint64(0) << (lo % 64)
	if hi-lo&^63 < 64 {
		mask &= 1<<(hi%64) - 1
	}
	return mask
}

// each calls f for the bytes of a region's elements in some channels, from bit 0 on, and ends where f says
// so.
func each(r *regions.Region, channels uint64, f func(at, n int32) bool) bool {
	size := int32(r.Size)
	n := bits.Len64(channels)
	switch {
	case size == 0 || channels == 0:
		return true
	case r.Table == nil && r.Step == 0:
		return f(r.At, size)
	case r.Table == nil && r.Step == size && channels == 1<<n-1:
		return f(r.At, int32(n)*size)
	}
	for ; channels != 0; channels &= channels - 1 {
		if !f(r.Offset(bits.TrailingZeros64(channels)), size) {
			return false
		}
	}
	return true
}

// settled reports whether a unit reads nothing without contents, and notes that what it writes has some,
// unless predicates say where it writes.
func (c *Core) settled(u *regions.Unit) bool {
	k := c.known()
	for _, o := range u.Ops {
		channels := uint64(1)<<o.Lanes - 1
		if !o.Always {
			channels &= c.w.Exec >> o.First
		}
		for i := range o.Sources() {
			if s := &o.S[i]; s.Const == nil && !each(&s.Region, channels, k.whole) {
				return false
			}
		}
		fill := func(at, n int32) bool { k.fill(at, n); return true }
		if o.Under.On { // who knows in which
			fill = k.whole
		}
		switch a := &o.Access; o.Kind {
		case regions.Load, regions.Store:
			note := fill
			if o.Kind == regions.Store {
				note = k.whole
			}
			if a.Block != nil {
				for _, x := range a.Block.Terms {
					if !k.whole(x.At, int32(x.Size)) {
						return false
					}
				}
				if !note(a.Data, a.Block.Bytes) {
					return false
				}
				continue
			}
			addresses := regions.Region{At: a.Addresses, Step: a.Width(), Size: uint8(a.Width())}
			if !each(&addresses, channels, k.whole) {
				return false
			}
			for e := range int32(a.Count) {
				data := regions.Region{At: a.Data + e*int32(o.Lanes)*a.Slot(), Step: a.Slot(),
					Size: uint8(a.Slot())}
				if !each(&data, channels, note) {
					return false
				}
			}
		default:
			if !each(&o.D, channels, fill) || !each(&o.Also, channels, fill) {
				return false
			}
		}
	}
	return true
}
