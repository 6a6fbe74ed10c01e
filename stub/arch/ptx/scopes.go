package ptx

import (
	"cmp"
	"slices"

	"simtgdb/dwarf"
)

// closeScopes takes from scopes what others beside them have: a scope that is not in one piece is
// written from its first to its last, across others that lie between. The shorter one keeps what both
// claim.
func closeScopes(d *dwarf.DIE) {
	type scope struct {
		die    *dwarf.DIE
		ranges []dwarf.Range
		size   uint64
		cut    bool
	}
	var scopes []*scope
	for _, c := range d.Children {
		closeScopes(c)
		if c.Tag != dwarf.TagLexicalBlock && c.Tag != dwarf.TagInlinedSubroutine {
			continue
		}
		low, ok1 := c.Uint(dwarf.AttrLowPC)
		high, ok2 := c.Uint(dwarf.AttrHighPC)
		if ok1 && ok2 && low < high {
			scopes = append(scopes, &scope{die: c, ranges: []dwarf.Range{{Low: low, High: high}},
				size: high - low})
		}
	}
	slices.SortStableFunc(scopes, func(a, b *scope) int { return cmp.Compare(a.size, b.size) })
	for i, inner := range scopes {
		own := inner.die
		low, _ := own.Uint(dwarf.AttrLowPC)
		high, _ := own.Uint(dwarf.AttrHighPC)
		for _, outer := range scopes[i+1:] {
			rest := subtract(outer.ranges, dwarf.Range{Low: low, High: high})
			if len(rest) > 0 && !slices.Equal(rest, outer.ranges) {
				outer.ranges, outer.cut = rest, true
			}
		}
	}
	for _, s := range scopes {
		if s.cut {
			s.die.Delete(dwarf.AttrLowPC)
			s.die.Delete(dwarf.AttrHighPC)
			s.die.Set(dwarf.RangesAttr(s.ranges))
		}
	}
}

// subtract takes a range out of others.
func subtract(ranges []dwarf.Range, cut dwarf.Range) []dwarf.Range {
	var out []dwarf.Range
	for _, r := range ranges {
		if r.Low < min(r.High, cut.Low) {
			out = append(out, dwarf.Range{Low: r.Low, High: min(r.High, cut.Low)})
		}
		if max(r.Low, cut.High) < r.High {
			out = append(out, dwarf.Range{Low: max(r.Low, cut.High), High: r.High})
		}
	}
	return out
}
