package check

import "simtgdb/simt"

// Anywhere implements [simt.Aimer].
func (c *Checker) Anywhere(w *simt.Wave, space simt.Space, write bool) (e simt.Extent) {
	switch kinds := c.kinds &^ Bounds; {
	case !c.wants(kinds, w, space):
	case kinds&Race == 0 && space == simt.Global: // of what holds nothing at first
		for r := range c.blank {
			if e.Empty() {
				e = simt.Extent{Lo: r.Base, Hi: r.End()}
			}
			e.Lo, e.Hi = min(e.Lo, r.Base), max(e.Hi, r.End())
		}
	default:
		e = simt.Everywhere()
	}
	return e
}

// Aims implements [simt.Aimer].
func (c *Checker) Aims(pc uint64, write bool) bool {
	return c.kinds&Bounds != 0 && c.Objects != nil && c.Objects.Bounds(pc, write)
}

// Minds implements [simt.Aimer]: who only reads what nobody can write to is in conflict with nobody.
func (c *Checker) Minds(r *simt.Region, write bool) bool {
	return write || r.Perm&simt.PermWrite != 0 || c.kinds&Uninit != 0 && c.blank[r] != nil
}
