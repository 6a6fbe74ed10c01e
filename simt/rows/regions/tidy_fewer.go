package regions

import "slices"

// unite lets what computes a value that is only copied write it where the copy goes.
func (t *tidying) unite() {
	for j := 0; j < len(t.ops); j++ {
		c := t.ops[j]
		if !c.plainCopy() {
			continue
		}
		i := t.source(j)
		if i < 0 || !t.unread(j+1, &c.S[0].Region, c.Lanes) {
			continue
		}
		t.ops[i] = t.ops[i].with(func(o *Op) { o.D = c.D })
		t.ops = append(t.ops[:j], t.ops[j+1:]...)
		j--
	}
}

// plainCopy reports whether the operation only brings elements from one place to another.
func (o *Op) plainCopy() bool {
	s := &o.S[0]
	return o.Kind == Copy && s.Const == nil && s.Keep == ^uint64(0) && s.Flip == 0 && !s.Neg && !o.Flags &&
		!o.Under.On && o.Also.Size == 0 && o.D.Size == s.Size && s.dense(o.Lanes) && o.D.Table == nil
}

// dense reports whether a region's elements lie side by side.
func (r *Region) dense(n uint8) bool { return r.Table == nil && (r.Step == int32(r.Size) || n == 1) }

// source is which operation computes what a copy copies, if it can as well write where the copy goes; else
// -1.
func (t *tidying) source(j int) int {
	c := t.ops[j]
	var from, to use
	t.use(&from, &c.S[0].Region, c.Lanes)
	t.use(&to, &c.D, c.Lanes)
	if from.flags|to.flags != 0 || from.meets(&to) {
		return -1
	}
	for i := j - 1; i >= 0; i-- {
		o := t.ops[i]
		w, r := t.writes(o), t.reads(o)
		if w.meets(&from) {
			if o.Under.On || o.Also.Size != 0 || o.Lanes != c.Lanes || o.First != c.First ||
				o.Always != c.Always || !o.D.dense(o.Lanes) || o.D.At != c.S[0].At || o.D.Size != c.D.Size ||
				!c.D.dense(c.Lanes) && o.D.Size != o.Elem {
				return -1
			}
			return i
		}
		if r.meets(&from) || r.meets(&to) || w.meets(&to) {
			return -1
		}
	}
	return -1
}

// unread reports whether the operations from some one on overwrite a region before any reads it.
func (t *tidying) unread(from int, r *Region, n uint8) bool {
	var gone use
	t.use(&gone, r, n)
	for _, o := range t.ops[from:] {
		if u := t.reads(o); u.meets(&gone) {
			return false
		}
		if lo, hi := o.D.Extent(0, int(o.Lanes)); t.covers(o) && o.D.Size != 0 && o.D.dense(o.Lanes) &&
			lo <= gone.parts[0][0] && hi >= gone.parts[0][1] {
			return true
		}
	}
	return false
}

// A dying is what is overwritten before anybody reads it: bytes of the file, flags, and results of channels
// that are on.
type dying struct {
	spans  [][2]int32
	flags  uint64
	lately []*Op
}

// drop leaves out operations whose results nobody reads, but for those that count channels by a predicate.
func (t *tidying) drop() {
	var d dying
	kept := len(t.ops)
	for i := len(t.ops) - 1; i >= 0; i-- {
		o := t.ops[i]
		w, r := t.writes(o), t.reads(o)
		if counts := o.Under.On && !o.Always && !o.Part; !counts && (d.has(&w) || d.again(o)) {
			continue
		}
		if t.covers(o) {
			d.add(t, o)
		} else if !o.Under.On && !o.Always {
			d.lately = append(d.lately, o)
		}
		d.cut(t, &r)
		kept--
		t.ops[kept] = o
	}
	t.ops = t.ops[kept:]
}

// has reports whether all that an operation writes is among it.
func (d *dying) has(u *use) bool {
	if u.flags&^d.flags != 0 {
		return false
	}
next:
	for _, s := range u.spans() {
		for _, e := range d.spans {
			if e[0] <= s[0] && s[1] <= e[1] {
				continue next
			}
		}
		return false
	}
	return true
}

// again reports whether a later operation writes what an operation writes, for the same channels.
func (d *dying) again(o *Op) bool {
	for _, l := range d.lately {
		if !o.Always && o.First == l.First && o.Lanes == l.Lanes && sameRegion(&o.D, &l.D) &&
			(o.Also.Size == 0 || sameRegion(&o.Also, &l.Also)) && (!o.Flags || l.Flags && o.Bit == l.Bit) {
			return true
		}
	}
	return false
}

// add notes what an operation overwrites.
func (d *dying) add(t *tidying, o *Op) {
	if o.Flags {
		d.flags |= all(o.Lanes) << o.Bit
	}
	for _, r := range [2]*Region{&o.D, &o.Also} {
		if r.Size == 0 || !r.dense(o.Lanes) {
			continue
		}
		lo, hi := r.Extent(0, int(o.Lanes))
		if lo >= t.Flags && hi <= t.Flags+8 {
			d.flags |= t.flagsOf(r, o.Lanes)
		}
		kept := d.spans[:0]
		for _, e := range d.spans {
			if e[0] <= hi && lo <= e[1] {
				lo, hi = min(lo, e[0]), max(hi, e[1])
				continue
			}
			kept = append(kept, e)
		}
		d.spans = append(kept, [2]int32{lo, hi})
	}
}

// cut takes away what an operation reads.
func (d *dying) cut(t *tidying, u *use) {
	d.flags &^= u.flags
	for _, s := range u.spans() {
		for i := len(d.spans) - 1; i >= 0; i-- {
			e := d.spans[i]
			if e[0] >= s[1] || s[0] >= e[1] {
				continue
			}
			d.spans = slices.Delete(d.spans, i, i+1)
			if e[0] < s[0] {
				d.spans = append(d.spans, [2]int32{e[0], s[0]})
			}
			if e[1] > s[1] {
				d.spans = append(d.spans, [2]int32{s[1], e[1]})
			}
		}
	}
	kept := d.lately[:0]
	for _, l := range d.lately {
		if w := t.writes(l); !w.meets(u) {
			kept = append(kept, l)
		}
	}
	d.lately = kept
}

// far is how many operations lie between two halves at most.
const far = 24

// join makes one operation of two halves, of at most so many bytes.
func (t *tidying) join(most int) {
	for i := 0; i < len(t.ops); i++ {
		for j := i + 1; j < min(len(t.ops), i+far); j++ {
			a, b := t.ops[i], t.ops[j]
			both := a.joined(b, most)
			if both == nil {
				continue
			}
			w, r, other := t.writes(a), t.reads(b), t.writes(b)
			if w.meets(&r) || w.meets(&other) {
				break
			}
			up, down := true, true
			for _, o := range t.ops[i+1 : j] {
				up, down = up && t.passes(o, b), down && t.passes(a, o)
			}
			switch {
			case up:
				t.ops[i] = both
				t.ops = append(t.ops[:j], t.ops[j+1:]...)
				i--
			case down:
				t.ops[j] = both
				t.ops = append(t.ops[:i], t.ops[i+1:]...)
				i--
			default:
				continue
			}
			break
		}
	}
}

// joined is what two operations are together, if the second is the first's other half.
func (o *Op) joined(b *Op, most int) *Op {
	n := o.Lanes
	if b.Lanes != n || b.Kind != o.Kind || b.Op != o.Op || b.Elem != o.Elem || b.Always != o.Always ||
		b.One != o.One || b.Cond != o.Cond || b.Flags != o.Flags || n < 4 || 2*int(n)*int(o.Elem) > most ||
		b.Part != o.Part || !o.Always && (b.First != o.First+n || o.First%(2*n) != 0) ||
		o.Flags && b.Bit != o.Bit+n || !o.Under.joins(b.Under, n) || !o.In.joins(b.In, n) ||
		!o.D.joins(&b.D, n) || !o.Also.joins(&b.Also, n) {
		return nil
	}
	for i := range o.Sources() {
		x, y := &o.S[i], &b.S[i]
		switch {
		case x.Keep != y.Keep || x.Flip != y.Flip || x.Neg != y.Neg || (x.Const == nil) != (y.Const == nil):
			return nil
		case x.Const != nil:
			if len(x.Const) != 1 || len(y.Const) != 1 || x.Const[0] != y.Const[0] {
				return nil
			}
		case !x.Region.joins(&y.Region, n):
			return nil
		}
	}
	return o.with(func(o *Op) { o.Lanes = 2 * n })
}

// joins reports whether a predicate is that of the n channels behind another's.
func (p Predicate) joins(q Predicate, n uint8) bool {
	if p.On && p.Group == 0 {
		p.Bit += n
	}
	return p == q
}

// joins reports whether a region is what follows n elements of another.
func (r *Region) joins(s *Region, n uint8) bool {
	return r.Table == nil && s.Table == nil && r.Size == s.Size && r.Step == s.Step && r.Signed == s.Signed &&
		(r.Size == 0 || s.At == r.At+int32(n)*r.Step)
}
