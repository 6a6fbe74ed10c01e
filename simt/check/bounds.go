package check

import (
	"fmt"
	"math/bits"

	"simtgdb/simt"
)

// bounds reports lanes whose addresses were computed from one object or region and lead to another:
// what lies outside of every region is a fault already.
func (c *Checker) bounds(a *simt.Access) *Report {
	if o := a.Meant; o != nil {
		if r := outside(a, o); r != nil {
			return r
		}
	}
	if r := c.told(a); r != nil {
		return r
	}
	if r := c.named(a); r != nil || a.Base == 0 || a.Space != simt.Global {
		return r
	}
	meant := c.m.Mem.Find(a.Base)
	if meant == nil {
		return nil
	}
	var bad uint64
	for rest := a.Lanes; rest != 0; rest &= rest - 1 {
		if l := bits.TrailingZeros64(rest); !meant.Holds(a.Addr[l], uint64(a.Size)) {
			bad |= 1 << l
		}
	}
	if bad == 0 {
		return nil
	}
	r := accessReport(Bounds, a, bad)
	r.What = fmt.Sprintf("an address computed from %s leads outside of it", meant.Name)
	r.Advice = fmt.Sprintf("%s is at [%#x,%#x).", meant.Name, meant.Base, meant.End())
	return r
}

// told reports lanes that load a byte to say that they leave what they are meant for.
func (c *Checker) told(a *simt.Access) *Report {
	if len(c.Told) == 0 || a.Size != 1 || a.Write || a.Space != simt.Global {
		return nil
	}
	var bad uint64
	what := ""
	for rest := a.Lanes; rest != 0; rest &= rest - 1 {
		l := bits.TrailingZeros64(rest)
		if text := c.Told[a.Addr[l]]; text != "" {
			what, bad = text, bad|1<<l
		}
	}
	if bad == 0 {
		return nil
	}
	return &Report{Kind: Bounds, Wave: a.Wave, Lanes: bad, PC: a.PC, What: what}
}

// outside reports lanes that leave the object that they are meant for.
func outside(a *simt.Access, o *simt.Object) *Report {
	var bad uint64
	for rest := a.Lanes; rest != 0; rest &= rest - 1 {
		l := bits.TrailingZeros64(rest)
		if at := a.Addr[l]; a.Space != o.Space || at < o.Lo || at > o.Hi || o.Hi-at < uint64(a.Size) {
			bad |= 1 << l
		}
	}
	if bad == 0 {
		return nil
	}
	r := accessReport(Bounds, a, bad)
	r.What = fmt.Sprintf("an address computed from %q leads outside of it", o.Name)
	r.Advice = placeText(o)
	return r
}
