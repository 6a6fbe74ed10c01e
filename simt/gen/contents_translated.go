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

// each calls f for the bytes of a region's elements in some channels, from bit 0 on.
func each(r *regions.Region, channels uint64, f func(at, n int32)) {
	size := int32(r.Size)
	n := bits.Len64(channels)
	switch {
	case size == 0 || channels == 0:
	case r.Table == nil && r.Step == 0:
		f(r.At, size)
	case r.Table == nil && r.Step == size && channels == 1<<n-1:
		f(r.At, int32(n)*size)
	default:
		for ; channels != 0; channels &= channels - 1 {
			f(r.Offset(bits.TrailingZeros64(channels)), size)
		}
	}
}

// A blankUnit is a unit that translated code has left, with what it reads and writes for the channels that
// were on the last time.
type blankUnit struct {
	*regions.Unit
	past     uintptr // where code goes on behind it
	channels uint64
	made     bool

	needs, gives []wordBits // what must have contents before, and what has some then
}

// wordBits are bits of a word of known.blank.
type wordBits struct {
	word int
	bits uint64
}

// A unitBytes is what is found of a unit, by words of known.blank.
type unitBytes struct {
	needs, gives [len(known{}.blank)]uint64
}

// need notes that the unit reads bytes, from one of the file on.
func (b *unitBytes) need(at, n int32) {
	lo, hi := max(int(at)-offA0, 0), min(int(at+n)-offA0, knownBytes)
	for ; lo < hi; lo = lo&^63 + 64 {
		b.needs[lo/64] |= bitsOf(lo, hi) &^ b.gives[lo/64]
	}
}

// give notes that it writes them.
func (b *unitBytes) give(at, n int32) {
	lo, hi := max(int(at)-offA0, 0), min(int(at+n)-offA0, knownBytes)
	for ; lo < hi; lo = lo&^63 + 64 {
		b.gives[lo/64] |= bitsOf(lo, hi)
	}
}

// appendWords appends the words that have bits.
func appendWords(to []wordBits, words []uint64) []wordBits {
	for i, w := range words {
		if w != 0 {
			to = append(to, wordBits{i, w})
		}
	}
	return to
}

// settled reports whether a unit reads nothing without contents, and notes if so that what it writes has
// some.
func (c *Core) settled(u *blankUnit) bool {
	if !u.made || u.channels != c.w.Exec {
		u.find(c.w.Exec)
	}
	k := c.r.known
	for _, w := range u.needs {
		if k.blank[w.word]&w.bits != 0 {
			return false
		}
	}
	for _, w := range u.gives {
		if k.blank[w.word]&w.bits != 0 {
			k.blank[w.word] &^= w.bits
			k.mark(w.word*64, w.word*64+64)
		}
	}
	return true
}

// find finds out what the unit reads and writes in some channels. What it writes it does not say where
// predicates say which channels do: that must have contents before.
func (u *blankUnit) find(exec uint64) {
	var b unitBytes
	for _, o := range u.Ops {
		channels := uint64(1)<<o.Lanes - 1
		if !o.Always {
			channels &= exec >> o.First
		}
		for i := range o.Sources() {
			if s := &o.S[i]; s.Const == nil {
				each(&s.Region, channels, b.need)
			}
		}
		give := b.give
		if o.Under.On {
			give = b.need
		}
		switch a := &o.Access; o.Kind {
		case regions.Load, regions.Store:
			note := give
			if o.Kind == regions.Store {
				note = b.need
			}
			if a.Block != nil {
				for _, x := range a.Block.Terms {
					b.need(x.At, int32(x.Size))
				}
				note(a.Data, a.Block.Bytes)
				continue
			}
			addresses := regions.Region{At: a.Addresses, Step: a.Width(), Size: uint8(a.Width())}
			each(&addresses, channels, b.need)
			for e := range int32(a.Count) {
				data := regions.Region{At: a.Data + e*int32(o.Lanes)*a.Slot(), Step: a.Slot(),
					Size: uint8(a.Slot())}
				each(&data, channels, note)
			}
		default:
			each(&o.D, channels, give)
			each(&o.Also, channels, give)
		}
	}
	u.made, u.channels = true, exec
	u.needs, u.gives = appendWords(u.needs[:0], b.needs[:]), appendWords(u.gives[:0], b.gives[:])
}
