package regions

import "simtgdb/simt/vec"

// Compilers leave operations that nobody needs: what they compute is overwritten, or a flag decides that code
// sets to one value. Some are halves, since the machine has no more elements at once. All operations of a
// unit always happen, so that between its beginning and its end nobody sees what the file has.

// all are the bits of n flags.
func all(n uint8) uint64 { return 1<<n - 1 }

// Tidy gives the operations of a unit that is no access as few as it finds, and those that count for their
// channels. They are for threads of a layout, of which whole ones have all channels on and others at least
// one; the operations that it makes have no more than so many bytes.
func Tidy(ops []*Op, of Layout, whole bool, most int) (run, counted []*Op) {
	t := &tidying{Layout: of, whole: whole}
	for _, o := range ops {
		if o.Kind == Load || o.Kind == Store {
			return ops, ops
		}
	}
	t.fold(ops)
	counted = append([]*Op(nil), t.ops...)
	t.unite()
	t.drop()
	t.join(most)
	return t.ops, counted
}

// A tidying is what is known of a unit on the way.
type tidying struct {
	Layout
	whole bool
	ops   []*Op

	ones, zeros uint64   // flags
	some        []uint64 // of each of these some are ones
}

// covers reports whether an operation is for all of its channels.
func (t *tidying) covers(o *Op) bool { return !o.Under.On && (o.Always || t.whole) }

// fold leaves out predicates that are known, and operations for which they do not hold.
func (t *tidying) fold(ops []*Op) {
	for _, o := range ops {
		if o.Under.On {
			holds, known := t.evaluate(o.Under, o.Lanes)
			if known && !holds {
				continue
			}
			if known {
				o = o.with(func(o *Op) { o.Under = Predicate{} })
			}
		}
		if o.Kind == Pick && o.In.On && !o.Flags {
			if holds, known := t.evaluate(o.In, o.Lanes); known {
				o = o.with(func(o *Op) {
					if o.Kind, o.In = Copy, (Predicate{}); !holds {
						o.S[0] = o.S[1]
					}
					o.S[1] = Source{}
				})
			}
		}
		t.learn(o)
		t.ops = append(t.ops, o)
	}
}

// with is a copy with changes.
func (o *Op) with(change func(o *Op)) *Op {
	c := *o
	change(&c)
	return &c
}

// evaluate says whether a predicate holds for all of n channels, or known that it holds for none; else it is
// not known.
func (t *tidying) evaluate(p Predicate, n uint8) (holds, known bool) {
	bits := all(n) << p.Bit
	if p.Group > 0 {
		bits = all(p.Group) << p.Bit
	}
	set, cleared := bits&^t.ones == 0, bits&^t.zeros == 0
	switch {
	case p.Group > 0 && p.Every:
		cleared = bits&t.zeros != 0
	case p.Group > 0:
		set = bits&t.ones != 0
		for _, m := range t.some {
			set = set || m&^bits == 0
		}
	}
	return set != p.Not, set || cleared
}

// learn notes what flags an operation leaves.
func (t *tidying) learn(o *Op) {
	if o.Flags {
		bits, sure := all(o.Lanes)<<o.Bit, o.certain()
		switch {
		case sure && t.covers(o):
			t.ones, t.zeros = t.ones|bits, t.zeros&^bits
		case sure:
			if t.zeros &^= bits; !o.Under.On && !o.Always && o.First == 0 && int(o.Lanes) >= t.Channels {
				t.some = append(t.some, bits)
			}
		default:
			t.forget(bits)
		}
	}
	for _, r := range [2]*Region{&o.D, &o.Also} {
		bits := t.flagsOf(r, o.Lanes)
		if bits == 0 {
			continue
		}
		ones, zeros := t.ones, t.zeros
		if t.forget(bits); o.Kind != Copy || o.S[0].Const == nil || o.Lanes != 1 || o.Flags {
			continue
		}
		v := modifiedNumber(&o.S[0]) << (8 * (r.At - t.Flags)) & bits
		if t.covers(o) {
			ones, zeros = ones|v, zeros|^v
		}
		t.ones |= ones & v & bits
		t.zeros |= zeros &^ v & bits
	}
}

func modifiedNumber(s *Source) uint64 { return s.modified(s.Const[0], 8) }

// certain reports whether a comparison is of something with itself.
func (o *Op) certain() bool {
	a, b := &o.S[0], &o.S[1]
	return o.Kind == Test && o.Cond.Op == vec.WideEqU && !o.Cond.Not && a.Const == nil && b.Const == nil &&
		sameRegion(&a.Region, &b.Region) && a.Keep == b.Keep && a.Flip == b.Flip && a.Neg == b.Neg
}

func sameRegion(a, b *Region) bool {
	return a.Table == nil && b.Table == nil && a.At == b.At && a.Step == b.Step && a.Size == b.Size &&
		a.Signed == b.Signed
}

// forget forgets flags.
func (t *tidying) forget(bits uint64) {
	t.ones, t.zeros = t.ones&^bits, t.zeros&^bits
	kept := t.some[:0]
	for _, m := range t.some {
		if m&bits == 0 {
			kept = append(kept, m)
		}
	}
	t.some = kept
}

// flagsOf are the flags that lie where a region of n elements may be; all of a region that lies there only in
// part.
func (t *tidying) flagsOf(r *Region, n uint8) uint64 {
	lo, hi := r.Extent(0, int(n))
	if r.Size == 0 || hi <= t.Flags || lo >= t.Flags+8 {
		return 0
	}
	if lo < t.Flags || hi > t.Flags+8 {
		return ^uint64(0)
	}
	return (^uint64(0) >> (64 - 8*(hi-lo))) << (8 * (lo - t.Flags))
}

// A use is what an operation reads or writes: bytes of the file, and flags.
type use struct {
	parts [3][2]int32
	n     int
	flags uint64
}

func (u *use) spans() [][2]int32 { return u.parts[:u.n] }

func (t *tidying) use(u *use, r *Region, n uint8) {
	if r.Size != 0 {
		lo, hi := r.Extent(0, int(n))
		u.parts[u.n] = [2]int32{lo, hi}
		u.n++
		u.flags |= t.flagsOf(r, n)
	}
}

// reads is what an operation reads.
func (t *tidying) reads(o *Op) (u use) {
	for i := range o.Sources() {
		if s := &o.S[i]; s.Const == nil {
			t.use(&u, &s.Region, o.Lanes)
		}
	}
	for _, p := range [2]*Predicate{&o.Under, &o.In} {
		if p.On {
			u.flags |= all(uint8(p.flags(int(o.Lanes)))) << p.Bit
		}
	}
	return u
}

// writes is what an operation writes, or may.
func (t *tidying) writes(o *Op) (u use) {
	t.use(&u, &o.D, o.Lanes)
	t.use(&u, &o.Also, o.Lanes)
	if o.Flags {
		u.flags |= all(o.Lanes) << o.Bit
	}
	return u
}

// meets reports whether two uses have something in common.
func (u *use) meets(v *use) bool {
	if u.flags&v.flags != 0 {
		return true
	}
	for _, a := range u.spans() {
		for _, b := range v.spans() {
			if a[0] < b[1] && b[0] < a[1] {
				return true
			}
		}
	}
	return false
}

// passes reports whether two operations may change places.
func (t *tidying) passes(a, b *Op) bool {
	aw, bw := t.writes(a), t.writes(b)
	ar, br := t.reads(a), t.reads(b)
	return !aw.meets(&br) && !aw.meets(&bw) && !ar.meets(&bw)
}
