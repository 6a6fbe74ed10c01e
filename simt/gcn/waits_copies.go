package gcn

import (
	"fmt"
	"math/bits"
	"slices"

	"simtgdb/simt"
)

// Waits of gfx1250 (LLVM's SIInsertWaitcnts). Accesses find where their addresses are in order, those of
// vector memory with stores among them; those of scalar memory are ready when none is left. Of the two, one
// kind at a time is on its way: the hardware waits before one of the other.

// mostCounted is how many accesses under way the counters of gfx1250 can count: the next one waits.
const mostCounted = 63

// pageWaits are the accesses of a wave that may have to be begun anew.
type pageWaits struct {
	scalars   bool   // they are of scalar memory
	lastStore uint32 // the number of the last store, in xCount
	reading   []translating
}

// translating are registers that an access may have to read again.
type translating struct {
	pc       uint64
	number   uint32 // in xCount
	load     uint32 // in vmCount: that of the access, or of the first load after it
	first, n uint16
	kind     operandKind
}

// translates notes an access of gfx1250, which has been counted.
func (s *waitState) translates(in *Inst, scalar, store bool) {
	if scalar != s.scalars {
		s.waited(xCount, 0)
		s.scalars = scalar
	}
	in.eachResult(func(o *operand, n int) {
		if i := s.rereads(o, n); i >= 0 && !scalar {
			s.done[xCount] = max(s.done[xCount], s.reading[i].number)
		}
	})
	s.issued[xCount]++
	s.waited(xCount, mostCounted)
	load := s.issued[vmCount]
	if store {
		s.lastStore = s.issued[xCount]
		load++
	}
	s.reading = slices.DeleteFunc(s.reading, func(t translating) bool { return s.translated(&t) })
	in.eachSource(func(o *operand, n int) {
		s.reading = append(s.reading, translating{in.PC, s.issued[xCount], load, o.reg, uint16(n), o.kind})
	})
	if in.Op.copies != 0 {
		s.issued[asyncCount]++
		s.waited(asyncCount, mostCounted)
	}
}

// translated reports whether an access will not be begun anew: it has been waited for, or a load after it.
func (s *waitState) translated(t *translating) bool {
	return t.number <= s.done[xCount] || !s.scalars && t.load <= s.done[vmCount] || s.scalars &&
		s.done[scalarCount] == s.issued[scalarCount]
}

// rereads is the last of the accesses that may have to read some registers again, -1 if there is none.
func (s *waitState) rereads(o *operand, n int) int {
	for i := len(s.reading) - 1; i >= 0; i-- {
		if t := &s.reading[i]; t.kind == o.kind && int(o.reg) < int(t.first+t.n) &&
			int(t.first) < int(o.reg)+n && !s.translated(t) {
			return i
		}
	}
	return -1
}

// untranslated looks for an access that may have to read some registers again, which an instruction writes.
// One of vector memory gives registers after those before it have found their addresses, and LLVM takes it
// for a wait for them.
func (s *waitState) untranslated(in *Inst, o *operand, n int) (pc uint64, ok bool) {
	if len(s.reading) == 0 {
		return 0, false
	}
	switch in.counter() {
	case vmCount, flatCount:
		return 0, false
	case scalarCount:
		if !s.scalars {
			return 0, false
		}
	}
	i := s.rereads(o, n)
	if i < 0 {
		return 0, false
	}
	pc = s.reading[i].pc
	s.done[xCount] = max(s.done[xCount], s.reading[i].number) // told once
	return pc, true
}

// waitedForPages does what s_wait_xcnt does.
func (s *waitState) waitedForPages(left uint32) {
	if left == 0 || !s.scalars {
		s.waited(xCount, left)
	}
}

// waitedForStores notes that no store is under way.
func (s *waitState) waitedForStores() {
	if !s.scalars {
		s.done[xCount] = max(s.done[xCount], s.lastStore)
	}
}

// A copying is bytes of LDS that a copy under way is to write or has yet to read.
type copying struct {
	pc       uint64
	number   uint32 // in asyncCount
	from, to uint64
	reads    bool
}

// A copyKind is a kind of copies that asynccnt counts, 0 for what is none.
type copyKind uint8

const (
	copiesToLDS copyKind = iota + 1
	copiesFromLDS
	copiesDone // none: an arrival at a barrier in LDS, once those before it are done
)

// usesLDS follows an access to LDS: one that a copy under way is to come before is told of, and one of a
// copy is noted.
func (c *Core) usesLDS(a *access, mask uint64) {
	s, in := &c.r.follow.waits, c.follows
	switch in.Op.copies {
	case 0:
	case copiesDone: // whoever waits for that barrier waits for them
		s.copies = nil
		return
	default:
		s.copies = slices.DeleteFunc(s.copies, func(p copying) bool { return p.number <= s.done[asyncCount] })
		var all []copying
		for m := mask; m != 0; m &= m - 1 {
			at := c.addr[bits.TrailingZeros64(m)]
			all = append(all, copying{in.PC, s.issued[asyncCount] + 1, at, at + uint64(a.size),
				in.Op.copies == copiesFromLDS})
		}
		slices.SortFunc(all, func(p, q copying) int { return int(p.from) - int(q.from) })
		for _, p := range all {
			last := len(s.copies) - 1
			if last >= 0 && s.copies[last].number == p.number && p.from <= s.copies[last].to {
				s.copies[last].to = max(s.copies[last].to, p.to)
				continue
			}
			s.copies = append(s.copies, p)
		}
		return
	}
	for i := range s.copies {
		p := &s.copies[i]
		if p.number <= s.done[asyncCount] || p.reads && !a.write && !a.atomic {
			continue
		}
		var lanes uint64
		first := uint64(0)
		for m := mask; m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m)
			if at := c.addr[l]; at < p.to && p.from < at+uint64(a.size) {
				if lanes == 0 {
					first = max(at, p.from)
				}
				lanes |= 1 << l
			}
		}
		if lanes == 0 {
			continue
		}
		what := "LDS at %#x is used before the %s that the copy to it needs"
		if p.reads {
			what = "LDS at %#x is written before the %s that the copy from it needs"
		}
		c.early = c.m.Used(&simt.Use{Wave: c.w, PC: in.PC, Lanes: lanes, Waits: true, From: p.pc,
			Text: fmt.Sprintf(what, first, waitsOf(in.on)[asyncCount])}) || c.early
		p.number = 0
	}
}
