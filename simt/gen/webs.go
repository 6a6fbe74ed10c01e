package gen

// A web is writes of which some instruction may read whichever came last: one value of the program, or
// several that a compiler keeps in one place.

// maxWrites bounds the writes of a place that are told apart.
const maxWrites = 128

// webs are the writes of a value's first place, numbered; the first is what is there where the function
// begins.
type webs struct {
	f      *flowing
	by     []int32       // the instructions
	bytes  []uint64      // what they write
	of     []int         // the web that each belongs to, by its lowest number
	number map[int32]int // by instruction
	places []uint64      // the bytes of the place, a bit for each
	come   [][]bitset    // for each of these, which writes come to an instruction
}

type bitset [maxWrites / 64]uint64

func (b *bitset) set(i int)      { b[i/64] |= 1 << (i % 64) }
func (b *bitset) has(i int) bool { return b[i/64]>>(i%64)&1 != 0 }

// otherValues finds where the first place has another value than the one that there is, or a part of
// another one beside what is left of the value.
func (f *flowing) otherValues() []bool {
	other := make([]bool, len(f.a.insts))
	if !f.v.One && !f.v.Given && !f.v.Address {
		return other
	}
	whole := f.v.Places[0].bytes()
	w := webs{f: f, by: []int32{-1}, bytes: []uint64{whole}, number: map[int32]int{}}
	for i := range f.a.insts {
		if f.touched[i] != 0 {
			w.number[int32(i)] = len(w.by)
			w.by, w.bytes = append(w.by, int32(i)), append(w.bytes, f.touched[i])
		}
	}
	if len(w.by) > maxWrites {
		return other
	}
	for bit := uint64(1); bit != 0; bit <<= 1 {
		if whole&bit != 0 {
			w.places = append(w.places, bit)
			w.come = append(w.come, w.reach(bit))
		}
	}
	w.join()
	own := w.own()
	if own == nil {
		return other
	}
	begun := w.begun(own)
	for i := range other {
		its := 0 // bytes that may be the value's
		for _, come := range w.come {
			for n := range w.by {
				if come[i].has(n) && own[w.of[n]] && !begun[n] {
					its++
					break
				}
			}
		}
		other[i] = its > 0 && its < len(w.come) || f.v.One && its == 0
	}
	return other
}

// reach finds which writes of a byte come to which instructions.
func (w *webs) reach(bit uint64) []bitset {
	insts := w.f.a.insts
	come := make([]bitset, len(insts))
	come[0].set(0)
	for changed := true; changed; {
		changed = false
		for i := range insts {
			out := come[i]
			if n, ok := w.number[int32(i)]; ok && w.bytes[n]&bit != 0 {
				if insts[i].sure {
					out = bitset{}
				}
				out.set(n)
			}
			for _, j := range insts[i].next {
				for k, bits := range out {
					if bits&^come[j][k] != 0 {
						come[j][k] |= bits
						changed = true
					}
				}
			}
		}
	}
	return come
}

// join finds the webs.
func (w *webs) join() {
	w.of = make([]int, len(w.by))
	for n := range w.of {
		w.of[n] = n
	}
	for i, bytes := range w.f.looked {
		if bytes == 0 {
			continue
		}
		first := -1
		for n := range w.by {
			if !w.seen(i, n, bytes) {
				continue
			}
			if first < 0 {
				first = w.of[n]
			} else {
				first = w.unite(first, w.of[n])
			}
		}
	}
}

// seen reports whether some of the bytes that an instruction reads may be from a write.
func (w *webs) seen(i, n int, bytes uint64) bool {
	for k, bit := range w.places {
		if bytes&bit != 0 && w.come[k][i].has(n) {
			return true
		}
	}
	return false
}

// unite makes one web of two.
func (w *webs) unite(a, b int) int {
	a, b = min(a, b), max(a, b)
	for k := range w.of {
		if w.of[k] == b {
			w.of[k] = a
		}
	}
	return a
}

// own are the webs that the value may be, by their lowest number: those of which its line computes
// something, or the line before, else all in which some write is of the whole place. It is nil if nothing is
// known of that.
func (w *webs) own() map[int]bool {
	if w.f.v.Given {
		return map[int]bool{w.of[0]: true}
	}
	var computed, before, whole map[int]bool
	for n, i := range w.by[1:] {
		web, line := w.of[n+1], w.f.v.LineOf(w.f.a.insts[i].pc)
		switch {
		case w.f.v.Address && w.f.a.insts[i].constant:
			continue
		case line != 0 && line == w.f.v.Line:
			computed = with(computed, web)
		case line != 0 && line == w.f.v.Before:
			before = with(before, web)
		}
		if w.bytes[n+1] == w.bytes[0] {
			whole = with(whole, web)
		}
	}
	switch {
	case computed != nil:
		return computed
	case before != nil:
		return before
	}
	return whole
}

func with(set map[int]bool, n int) map[int]bool {
	if set == nil {
		set = map[int]bool{}
	}
	set[n] = true
	return set
}

// begun are the writes of an address of which something else is made in its place. There is none if nothing
// would be left.
func (w *webs) begun(own map[int]bool) map[int]bool {
	if !w.f.v.Address {
		return nil
	}
	var begun map[int]bool
	whole := false
	for n := range w.by {
		if n == 0 || !own[w.of[n]] {
			continue
		}
		goesOn := false
		for i, bytes := range w.f.looked {
			goesOn = goesOn || bytes != 0 && w.f.touched[i] != 0 && w.seen(i, n, bytes)
		}
		if goesOn {
			begun = with(begun, n)
		}
		whole = whole || !goesOn
	}
	if !whole {
		return nil
	}
	return begun
}
