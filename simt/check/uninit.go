package check

import (
	"math/bits"

	"simtgdb/simt"
)

// uninit notes what is written, and reports lanes that read bytes of which nothing has written any.
// An item of which a part is written is no defect: compilers read vectors of three as four, and
// whole structures with their padding.
func (c *Checker) uninit(w *wave, a *simt.Access) *Report {
	if a.Atomic && a.Read && a.Data != nil { // an exchange: who begins with one has done nothing wrong
		stored := *a
		stored.Read = false
		a = &stored
	}
	if a.Space != simt.Global && c.old[a.Group().Index] {
		return nil
	}
	switch a.Space {
	case simt.Scratch:
		if w.written == nil {
			w.written = c.newScratch(a.Wave)
		}
		if bad, ok := c.privateRows(a, w.written); ok {
			return c.blankRead(a, bad)
		}
		return c.memory(a, a.Lanes, w.written, privateIndex(a))
	case simt.LDS:
		g := c.group(a.Group())
		switch {
		case a.Write && lacks(a):
			g.whole, g.upTo = false, 0
		case g.whole:
			return nil
		}
		if c.writesRow(a, a.Lanes, g.written, 0) {
			return nil
		}
		return c.memory(a, a.Lanes, g.written, func(word uint64, _ int) uint64 { return word })
	}
	if len(c.blank) == 0 {
		return nil
	}
	var first *Report
	for rest := a.Lanes; rest != 0; {
		r := c.m.Mem.Find(a.Addr[bits.TrailingZeros64(rest)])
		lanes := uint64(0)
		for m := rest; m != 0; m &= m - 1 {
			if l := bits.TrailingZeros64(m); r == nil || r.Holds(a.Addr[l], 1) {
				lanes |= 1 << l
			}
		}
		if r == nil {
			return first
		}
		rest &^= lanes
		if d := c.blank[r]; d != nil {
			base := r.Base / wordSize
			if c.writesRow(a, lanes, d, base) {
				continue
			}
			found := c.memory(a, lanes, d, func(word uint64, _ int) uint64 { return word - base })
			if first == nil {
				first = found
			}
		}
	}
	return first
}

// writesRow notes what lanes write that has contents, whole words one behind the other, if it is that. The
// words of d are counted from base on.
func (c *Checker) writesRow(a *simt.Access, lanes uint64, d *defined, base uint64) bool {
	first := bits.TrailingZeros64(lanes)
	n, size := bits.OnesCount64(lanes), uint64(a.Size)
	if a.Read || a.Nothing != 0 || a.Parts != nil || a.Bytes != nil || size%wordSize != 0 ||
		a.Addr[first]%wordSize != 0 || lanes>>first != ^uint64(0)>>(simt.MaxLanes-n) {
		return false
	}
	for i, at := range a.Addr[first+1 : first+n] {
		if at != a.Addr[first]+uint64(i+1)*size {
			return false
		}
	}
	word, left := a.Addr[first]/wordSize-base, n*a.Size/wordSize
	for left > 0 {
		row := d.Row(word, left, c.generation)
		for i := range row {
			row[i] |= allWritten
		}
		word, left = word+uint64(len(row)), left-len(row)
	}
	return true
}

// wholly looks whether all of a workgroup's LDS has been written, so that nothing is to be found there until
// somebody writes what has no contents: cores that follow that tell of it.
func (c *Checker) wholly(g *group, size int) {
	if size%wordSize != 0 {
		return
	}
	if u, ok := c.m.ISA().(simt.LDSUser); ok {
		g.upTo = max(g.upTo, u.UsedLDS().Lo/wordSize)
	}
	for words := uint64(size) / wordSize; g.upTo < words; g.upTo++ {
		if g.written.Get(g.upTo) != allWritten {
			return
		}
	}
	g.whole = true
}

// lacks reports whether an access writes anything without contents.
func lacks(a *simt.Access) bool {
	if a.Nothing&a.Lanes != 0 {
		return true
	}
	if a.Parts != nil {
		for _, lanes := range a.Parts.Nothing {
			if lanes&a.Lanes != 0 {
				return true
			}
		}
	}
	for rest := a.Lanes; a.Bytes != nil && rest != 0; rest &= rest - 1 {
		if a.Bytes[bits.TrailingZeros64(rest)] != 0 {
			return true
		}
	}
	return false
}

// private makes what waves have for themselves in global memory hold nothing at first.
func (c *Checker) private(m *simt.Machine) {
	if _, ok := m.ISA().(simt.PrivateOwner); !ok || m.Mem == nil {
		return
	}
	for _, r := range m.Mem.Regions() {
		if r.Private {
			c.Blank(r)
		}
	}
}

// beginPrivate forgets what a wave has for itself in global memory, where another has been before.
func (c *Checker) beginPrivate(w *simt.Wave) {
	owner, ok := c.m.ISA().(simt.PrivateOwner)
	if !ok || len(c.blank) == 0 || c.old[w.Group.Index] {
		return
	}
	own, ok := owner.PrivateMemory(w)
	if !ok {
		return
	}
	r := c.m.Mem.Find(own.Lo)
	d := c.blank[r]
	if d == nil {
		return
	}
	for at := (own.Lo - r.Base) / wordSize; at*wordSize < own.Hi-r.Base; at++ {
		if d.Get(at) != 0 {
			*d.At(at, c.generation) = 0
		}
	}
}

// newScratch is what a wave starts with.
func (c *Checker) newScratch(w *simt.Wave) *defined {
	d := newDefined()
	for _, g := range c.given {
		for word := g.Lo / wordSize; word*wordSize < g.Hi; word++ {
			for l := range w.Size {
				*d.At(word*uint64(w.Size)+uint64(l), c.generation) |= bytesOf(word, g.Lo, g.Hi)
			}
		}
	}
	return d
}

// Wrote says that somebody else has written bytes: of a lane's scratch, of LDS or, without a wave,
// of global memory.
func (c *Checker) Wrote(space simt.Space, w *simt.Wave, lane int, addr uint64, size int) {
	a := &simt.Access{Wave: w, Space: space, Write: true, Size: size, Lanes: 1 << lane,
		Addr: &[simt.MaxLanes]uint64{}}
	a.Addr[lane] = addr
	switch {
	case c.kinds&Uninit == 0 || size <= 0:
	case w != nil:
		c.uninit(c.wave(w), a)
	default:
		c.uninit(nil, a)
	}
}

// memory is uninit for the lanes of a mask and one memory, of whose words index makes places in d.
func (c *Checker) memory(a *simt.Access, lanes uint64, d *defined,
	index func(word uint64, lane int) uint64) *Report {
	if a.Bytes != nil {
		return c.blankRead(a, c.bytewise(a, lanes, d, index))
	}
	var bad uint64
	whole := simt.Parts{Size: a.Size, Blank: []uint64{0}, Nothing: []uint64{a.Nothing}}
	parts := a.Parts
	if parts == nil {
		parts = &whole
	}
	for rest := lanes; rest != 0; rest &= rest - 1 {
		l := bits.TrailingZeros64(rest)
		any := false
		for n := range parts.Blank {
			lo := a.Addr[l] + uint64(n*parts.Size)
			hi := lo + uint64(parts.Size)
			has := false
			for word := lo / wordSize; word*wordSize < hi; word++ {
				touched := bytesOf(word, lo, hi)
				i := index(word, l)
				if a.Read && d.Get(i)&touched != 0 {
					has = true
				}
				switch {
				case a.Write && parts.Nothing[n]>>l&1 != 0:
					*d.At(i, c.generation) &^= touched
				case a.Write:
					*d.At(i, c.generation) |= touched
				}
			}
			if any = any || has; !has {
				parts.Blank[n] |= 1 << l
			}
		}
		if a.Read && !any {
			bad |= 1 << l
		}
	}
	return c.blankRead(a, bad)
}

// privateIndex says where words of private memory are among what is known of it.
func privateIndex(a *simt.Access) func(word uint64, lane int) uint64 {
	width := uint64(a.Wave.Size)
	return func(word uint64, lane int) uint64 { return word*width + uint64(lane) }
}

// privateRows is memory for lanes that access whole words at one place of their private memory, as most do:
// what is known of these lies side by side. It is false, and nothing is done, of others.
func (c *Checker) privateRows(a *simt.Access, d *defined) (bad uint64, ok bool) {
	first, size := bits.TrailingZeros64(a.Lanes), a.Wave.Size
	at, words := a.Addr[first], a.Size/wordSize
	if a.Parts != nil || at%wordSize != 0 || a.Size%wordSize != 0 || words > maxItem/wordSize {
		return 0, false
	}
	for rest := a.Lanes & (a.Lanes - 1); rest != 0; rest &= rest - 1 {
		if a.Addr[bits.TrailingZeros64(rest)] != at {
			return 0, false
		}
	}
	var lacks [simt.MaxLanes]uint64
	for n := range words {
		cells := (at/wordSize + uint64(n)) * uint64(size)
		if a.Read {
			lackRow(a, d.Look(cells, size), n, &lacks)
		}
		if a.Write {
			writeRow(a, d.Row(cells, size, c.generation), n)
		}
	}
	for rest := a.Lanes; a.Read && rest != 0; rest &= rest - 1 {
		l := bits.TrailingZeros64(rest)
		if lacks[l] == ^uint64(0)>>(64-a.Size) {
			bad |= 1 << l
		}
		if a.Bytes != nil {
			a.Bytes[l] = lacks[l]
		}
	}
	return bad, true
}

// lackRow notes which bytes of word n lanes read without contents. There is no row if nothing has been
// written to any.
func lackRow(a *simt.Access, row []uint8, n int, lacks *[simt.MaxLanes]uint64) {
	for rest := a.Lanes; rest != 0; rest &= rest - 1 {
		l := bits.TrailingZeros64(rest)
		had := uint8(0)
		if row != nil {
			had = row[l]
		}
		lacks[l] |= uint64(allWritten&^had) << (n * wordSize)
		if a.Bytes != nil && had>>wordSize != 0 {
			a.Spoilt |= 1 << l
		}
	}
}

// writeRow notes that lanes write word n.
func writeRow(a *simt.Access, row []uint8, n int) {
	for rest := a.Lanes; rest != 0; rest &= rest - 1 {
		l := bits.TrailingZeros64(rest)
		switch {
		case a.Bytes != nil:
			nothing := uint8(a.Bytes[l] >> (n * wordSize) & allWritten)
			row[l] = allWritten &^ nothing
			if a.Spoilt>>l&1 != 0 {
				row[l] |= nothing << wordSize
			}
		case a.Nothing>>l&1 != 0:
			row[l] &^= allWritten
		default:
			row[l] |= allWritten
		}
	}
}

// allWritten are all bytes of a word. Four bits above say of those that have nothing that they are spoilt.
const allWritten = 1<<wordSize - 1

// maxPadding is of how many bytes an access may be one to padding: who copies a structure by less than words.
const maxPadding = 2

// bytewise is memory for an access whose machine tells bytes apart. It gives the lanes that read nothing.
func (c *Checker) bytewise(a *simt.Access, lanes uint64, d *defined,
	index func(word uint64, lane int) uint64) (bad uint64) {
	for rest := lanes; rest != 0; rest &= rest - 1 {
		l := bits.TrailingZeros64(rest)
		lo := a.Addr[l]
		hi := lo + uint64(a.Size)
		var lacks uint64
		for word := lo / wordSize; word*wordSize < hi; word++ {
			touched, i := bytesOf(word, lo, hi), index(word, l)
			if a.Read {
				had := d.Get(i)
				if lacks |= placed(touched&^had, word, lo); had>>wordSize&touched != 0 {
					a.Spoilt |= 1 << l
				}
			}
			if a.Write {
				at, nothing := d.At(i, c.generation), touched&taken(a.Bytes[l], word, lo)
				*at = *at&^(touched|touched<<wordSize) | touched&^nothing
				if a.Spoilt>>l&1 != 0 {
					*at |= nothing << wordSize
				}
			}
		}
		if !a.Read {
			continue
		}
		a.Bytes[l] = lacks
		if lacks != ^uint64(0)>>(64-a.Size) {
			continue
		}
		bad |= 1 << l
		word := lo / wordSize &^ 1
		if a.Size <= maxPadding && (d.Get(index(word, l))|d.Get(index(word+1, l)))&allWritten != 0 {
			a.Amid |= 1 << l
		}
	}
	return bad
}

// placed are bytes of a word, four bits, among those of an access from lo on.
func placed(of uint8, word, lo uint64) uint64 {
	if at := word * wordSize; at >= lo {
		return uint64(of) << (at - lo)
	}
	return uint64(of) >> (lo - word*wordSize)
}

// taken is placed the other way round.
func taken(all, word, lo uint64) uint8 {
	if at := word * wordSize; at >= lo {
		return uint8(all >> (at - lo) & 0xf)
	}
	return uint8(all << (lo - word*wordSize) & 0xf)
}

// blankRead reports lanes that read what nothing has written, unless the machine goes on with that.
func (c *Checker) blankRead(a *simt.Access, bad uint64) *Report {
	if a.Deferred {
		a.Blank |= bad
		c.noteBlank(a, bad)
		return nil
	}
	a.Blank |= bad & a.Amid
	if bad &^= a.Amid; bad == 0 {
		return nil
	}
	r := accessReport(Uninit, a, bad)
	r.Write = false
	r.What, r.Element = "nothing has written what is read", c.elementText(a, bits.TrailingZeros64(bad))
	r.Advice = "Memory of this kind holds anything at first: write it before, " +
		"in each work-item or by one and a barrier."
	if a.Space == simt.Global {
		r.Advice = c.NoContents
	}
	return r
}

// bytesOf are the bytes of a word that lie in [lo, hi), four bits.
func bytesOf(word, lo, hi uint64) uint8 {
	at := word * wordSize
	mask := uint8(0xf)
	if at < lo {
		mask &= 0xf << (lo - at)
	}
	if end := at + wordSize; end > hi {
		mask &= 0xf >> (end - hi)
	}
	return mask
}
