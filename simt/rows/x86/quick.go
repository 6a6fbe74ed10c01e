package x86

import (
	"cmp"
	"slices"
	"unsafe"

	"simtgdb/simt/native"
	"simtgdb/simt/rows"
	"simtgdb/simt/vec"
)

// A quick is a shorter way through a segment, which a part can leave for the general one as long as
// nothing that this would read has been written over.
//
// NaNs are looked for late. An operation whose result goes into another that makes a NaN of it needs no look
// of its own: the last one of a chain tells. A part in which there is one is done again, by code that makes
// each NaN the one that the machine has.
//
// Hot groups are loads of dwords that lie side by side or at one place in a part: as many dwords as it has
// lanes under a mask, from where the first is, and a permutation of these, which are found out once for all
// loads of a group. With AVX2 mask and permutation are one vector register, and only parts all of whose lanes
// are active have them.
type quick struct {
	late bool
	look map[*rows.Op]bool // where to look for NaNs
	kept map[int32]bool    // registers that the general way reads, and that the segment writes
	hot  []int             // groups

	looked bool // for a NaN in this part
}

// What a hot group has: a mask register and a vector register for the permutation, and a register for the
// place of the first lane.
var hotRegs = [...]struct {
	k     native.K
	order native.Z
	first native.Reg
}{{1, 28, native.R11}, {3, 29, native.R12}, {4, 30, native.R13}}

// hotQuads is hotRegs with AVX2.
var hotQuads = [...]struct {
	order native.Z
	first native.Reg
}{{active256, native.R11}, {nans256 - 1, native.R12}}

const (
	mostKept  = 12 // of the vector registers, so that there are some for others
	mostKept4 = 5  // with AVX2
	leastHot  = 3  // loads of a group
	nansFound = native.K(2)
	dwordsOn  = native.K(3) // the active lanes of a part, two bits for each
)

// quickly finds the quick way of a segment whose groups are known, or nil.
func (t *translator) quickly(insts []rows.Inst) *quick {
	q := &quick{look: map[*rows.Op]bool{}, kept: map[int32]bool{}}
	most, mostHot := mostKept, len(hotRegs)
	if t.quads {
		most, mostHot = mostKept4, len(hotQuads)
	}
	q.late = q.mayWait(insts) && len(q.kept) <= most && q.chains(insts)
	loads := map[int]int{}
	for i := range insts {
		for k := range insts[i].Ops {
			if o := &insts[i].Ops[k]; o.Kind == rows.Load && o.Size == 4 && o.Space != rows.Private &&
				!o.Same {
				if g, ok := o.Checked(); ok && g.Under.N == rows.Always {
					loads[t.plan.Find(g)]++
				}
			}
		}
	}
	for g, n := range loads {
		if n >= leastHot {
			q.hot = append(q.hot, g)
		}
	}
	slices.SortFunc(q.hot, func(a, b int) int { return cmp.Or(loads[b]-loads[a], a-b) })
	q.hot = q.hot[:min(len(q.hot), mostHot)]
	if !q.late && len(q.hot) == 0 {
		return nil
	}
	return q
}

// mayWait reports whether a part can be done again from its beginning, and finds the registers that are kept
// for that.
func (q *quick) mayWait(insts []rows.Inst) bool {
	written, read, masks := map[int32]bool{}, map[int32]bool{}, map[int32]bool{}
	for i := range insts {
		if insts[i].Guarded { // lanes that are off would be counted twice
			return false
		}
		for k := range insts[i].Ops {
			o := &insts[i].Ops[k]
			for _, v := range o.Reads() {
				read[v.Reg] = read[v.Reg] || !v.Const && !written[v.Reg]
			}
			masks[o.Under.N] = true
			switch o.Kind {
			case rows.Store:
				return false
			case rows.Test:
				if masks[o.P] {
					return false
				}
				continue
			}
			if o.Kind == rows.Calc && o.Op == vec.WideSelect {
				masks[o.In.N] = true
			}
			if o.Under.N == rows.Always {
				written[o.D] = true
			} else if !written[o.D] {
				read[o.D] = true
			}
			if read[o.D] {
				q.kept[o.D] = true
			}
		}
	}
	return true
}

// chains finds where NaNs are looked for and reports whether they may come up at all.
func (q *quick) chains(insts []rows.Inst) bool {
	goesOn := map[int32]int{} // registers of which an operation makes NaNs of NaNs of so many bits, behind
	for i := len(insts) - 1; i >= 0; i-- {
		for k := len(insts[i].Ops) - 1; k >= 0; k-- {
			o := &insts[i].Ops[k]
			if o.Kind == rows.Test {
				continue
			}
			n, always := goesOn[o.D], o.Under.N == rows.Always
			delete(goesOn, o.D)
			nan := 0
			switch {
			case o.Kind == rows.Calc && always:
				nan = calcs[o.Op].nan
				q.look[o] = nan != 0 && n != nan
			case o.Kind == rows.Copy && always:
				nan = n
			}
			for _, v := range o.Reads() {
				if nan != 0 && !v.Const {
					goesOn[v.Reg] = nan
				}
			}
		}
	}
	for _, is := range q.look {
		if is {
			return true
		}
	}
	return false
}

// some is the way where not all lanes are active.
func (q *quick) some() *quick {
	if q == nil || !q.late {
		return nil
	}
	return &quick{late: true, look: q.look, kept: q.kept}
}

// isLate reports whether NaNs that an operation makes are looked for later.
func (t *translator) isLate(o *rows.Op) bool {
	return t.quick != nil && t.quick.late && o.Under.N == rows.Always
}

// room256 is how many vector registers hold rows with AVX2.
func (q *quick) room256() native.Z {
	switch {
	case len(q.hot) == len(hotQuads):
		return hotQuads[len(hotQuads)-1].order
	case q.late:
		return nans256
	}
	return cachedQuads
}

// keeps reports whether what a vector register holds must not be written to memory yet.
func (t *translator) keeps(h *rows.Holding) bool {
	return h.Dirty && t.quick != nil && t.quick.late && t.quick.kept[h.Reg]
}

// beginQuick begins a part.
func (t *translator) beginQuick() {
	t.quick.looked = false
	for i, g := range t.quick.hot {
		table, order, first := t.orders(), hotRegs[i].order, hotRegs[i].first
		if t.quads {
			order, first = hotQuads[i].order, hotQuads[i].first
		}
		t.Load(native.W32, native.RAX, t.howAt(g, t.part))
		t.Test(native.W32, native.RAX, native.RAX)
		t.Jcc(native.E, t.away)
		t.ShiftImm(native.SHL, native.W32, native.RAX, orderShift)
		t.Op(native.ADD, native.W64, native.RAX, regPool)
		table.Base = native.RAX
		table.Disp -= side << orderShift
		t.move(order, native.InMem(table))
		if !t.quads {
			table.Disp += 64
			t.Kload8(hotRegs[i].k, table)
		}
		t.Load(native.W64, first, t.firstAt(g, t.part))
	}
	switch {
	case t.quick.late && t.quads:
		t.V256(native.XorQ, nans256, nans256, native.InReg(nans256))
	case t.quick.late && !t.full:
		t.V(native.MovM2Q, 27, 0, native.InReg(1), 0)
		t.V(native.MovD2M, native.Z(dwordsOn), 0, native.InReg(27), 0)
	}
}

// orderShift is that of an entry of orders.
const orderShift = 7

// orders are where permutations and masks are, first that of places side by side, then that of one place:
// qwords of as many dwords as a part has lanes. The bits behind them are AVX-512's mask; AVX2's are the signs
// of the first dwords.
func (t *translator) orders() native.Mem {
	const (
		zero = 7 // a dword of those behind the ones that are loaded
		sign = 0x80
	)
	var b [2 << orderShift]byte
	for way, loaded := range [2]int{int(t.lanes), 1} {
		entry := b[way<<orderShift:]
		for lane := range int(t.lanes) {
			entry[8*lane], entry[8*lane+4] = byte(lane%loaded), zero|byte(t.lanes)
			if t.quads && lane < loaded {
				entry[4*lane+3] = sign
			}
		}
		entry[64] = 1<<loaded - 1
	}
	return t.pool.Of(b[:])
}

// loadHot loads by what is known of a hot group. It reports whether the group is one.
func (t *translator) loadHot(o *rows.Op, g int, d native.Z) bool {
	if t.quick == nil {
		return false
	}
	i := slices.Index(t.quick.hot, g)
	if i < 0 {
		return false
	}
	if t.quads {
		h := hotQuads[i]
		from := native.Mem{Base: h.first, Disp: int32(o.Offset)}
		t.VEX(native.L128, native.MaskMovD, d, h.order, native.InMem(from))
		t.V256(native.PermD, d, h.order, native.InReg(d))
		return true
	}
	h := hotRegs[i]
	t.VLZ(native.L256, native.MovDQU, d, 0, native.InMem(native.Mem{Base: h.first, Disp: int32(o.Offset)}),
		h.k)
	t.V(native.PermD, d, h.order, native.InReg(d), 0)
	return true
}

// lookForNaN notes whether a result is one.
func (t *translator) lookForNaN(o *rows.Op, d native.Z) {
	if !t.isLate(o) || !t.quick.look[o] {
		return
	}
	if t.quads {
		t.lookForNaN256(o, d)
		return
	}
	in, k := native.CmpPS, dwordsOn
	if calcs[o.Op].nan == 64 {
		in, k = native.CmpPD, 1
	}
	if t.full {
		k = 0
	}
	if !t.quick.looked { // there is one look at least
		t.V(in, native.Z(nansFound), d, native.InReg(d), k, 3)
		t.quick.looked = true
		return
	}
	t.V(in, 6, d, native.InReg(d), k, 3)
	t.Kor16(nansFound, nansFound, 6)
}

// lookForNaN256 is lookForNaN.
func (t *translator) lookForNaN256(o *rows.Op, d native.Z) {
	t.V256(nanForms[calcs[o.Op].nan].cmp, tmp1, d, native.InReg(d), 3)
	if !t.full {
		t.V256(native.AndQ, tmp1, tmp1, native.InReg(active256))
	}
	t.V256(native.OrQ, nans256, nans256, native.InReg(tmp1))
}

// endQuick goes to the general way if a NaN has come up.
func (t *translator) endQuick() {
	switch {
	case !t.quick.late:
		return
	case t.quads:
		t.V256(native.MovMskPS, native.Z(native.RAX), 0, native.InReg(nans256))
		t.Test(native.W32, native.RAX, native.RAX)
	default:
		t.Kortest16(nansFound, nansFound)
	}
	t.Jcc(native.NE, t.away)
}

// goAway is a label that does a part in the general way and goes on at another one. The code of that is made
// once.
func (t *translator) goAway(insts []rows.Inst, general *native.Label, on native.Label) native.Label {
	away, part := t.NewLabel(), t.part
	again := t.own(unsafe.Offsetof(t.s.again))
	first := *general == 0
	if first {
		*general = t.NewLabel()
	}
	code, groups := *general, slices.Clone(t.plan.Groups)
	t.stubs = append(t.stubs, func() {
		t.Set(away)
		t.LeaLabel(native.RAX, on)
		t.Store(native.W64, again, native.RAX)
		if !first {
			t.Jmp(code)
			return
		}
		t.Set(code)
		t.plan.Groups, t.part, t.full, t.quick = groups, part, false, nil
		t.onePart(insts)
		t.JmpMem(again)
	})
	return away
}
