package fidelity

import (
	"fmt"
	"math/bits"

	"simtgdb/simt"
	"simtgdb/simt/contents"
)

// Values are what a wave keeps values in, with the operands of the instruction under way.
type Values interface {
	// From adds in some lanes where an operand comes from; Came notes it.
	From(o contents.Operand, lanes uint64, to *Lanes)
	Came(o contents.Operand, lanes uint64, from *Lanes)
	// Truth are the lanes in which what a choice goes by is true.
	Truth(o contents.Operand) uint64
}

// A Reacher are values that know where lanes would have written that do not execute an instruction. Of those
// that are none only what executes is followed into memory.
type Reacher interface {
	// Reach gives accesses to memory that lanes would have made.
	Reach(lanes uint64, do func(x *Access))
}

// A Flow is an instruction of a machine that says what its instructions do with values: Inst names all that
// each of its results comes from.
type Flow struct {
	contents.Inst
	PC    uint64
	Text  fmt.Stringer
	Far   string // how far its results may be from hardware's; "" if it is exact
	Mixes bool   // what it gives in a lane may come from what any has
	// Guards is what decides whether lanes execute it, which keep what they had where they do not; Constant
	// for none.
	Guards contents.Operand
	Shares bool // it does something besides giving results, so that its guard is told of
	site   Site
}

// A Text is an instruction as it is written.
type Text string

func (s Text) String() string { return string(s) }

// A Follower follows the instruction that a core executes. Its zero value is ready to use.
type Follower struct {
	t       *Tracker
	v       Values
	in      *Flow
	lanes   uint64
	come    uint64
	skip    bool
	address Lanes // where addresses come from, and with them what lanes execute
	decides Lanes
	guard   Lanes
	data    []Lanes
	results []Lanes
	own     Origins
}

// Own is where the results of the instruction that has ended come from, besides its operands.
func (f *Follower) Own() Origins { return f.own }

// Begin looks at what an instruction is going to do in the lanes that execute it, of some that come to it.
// End follows, unless it faults.
func (f *Follower) Begin(t *Tracker, v Values, in *Flow, lanes, come uint64) {
	t.Begin()
	f.own = 0
	if f.skip = in.Far == "" && t.AllExact(); f.skip {
		return
	}
	if in.Far != "" && in.site.s == nil {
		in.site = t.Site(in.PC, in.Text.String(), in.Far, false)
	}
	f.t, f.v, f.in, f.lanes, f.come = t, v, in, lanes, come
	f.address, f.decides, f.guard = f.of(in.Address, lanes), f.of(in.Decides, come), Lanes{}
	if in.Guards != contents.Constant {
		v.From(in.Guards, come, &f.guard)
	}
	f.data = f.data[:0]
	for i := range in.Data {
		f.data = append(f.data, f.of(in.Data[i:i+1], lanes))
	}
	f.results = f.results[:0]
	for i := range in.Moves {
		f.results = append(f.results, f.result(&in.Moves[i]))
	}
}

// of is where any of some operands comes from.
func (f *Follower) of(operands []contents.Operand, lanes uint64) (from Lanes) {
	for _, o := range operands {
		if o >= 0 {
			f.v.From(o, lanes, &from)
		}
	}
	return from
}

// result is where the result of a move comes from.
func (f *Follower) result(m *contents.Move) Lanes {
	if !m.Chosen {
		return f.of(m.From, f.lanes)
	}
	from := f.of(m.From[2:3], f.lanes)
	which, either := f.v.Truth(m.From[2]), uint64(0)
	for l, o := range from {
		if o != 0 {
			either |= 1 << l
		}
	}
	yes, no := f.of(m.From[:1], f.lanes&(which|either)), f.of(m.From[1:2], f.lanes&(^which|either))
	f.t.Join(&from, &yes)
	f.t.Join(&from, &no)
	return from
}

// End notes where what the instruction has given comes from.
func (f *Follower) End() {
	if f.skip {
		return
	}
	t, in := f.t, f.in
	if in.Far != "" && f.lanes != 0 {
		f.own = t.Ran(in.site, bits.OnesCount64(f.lanes))
	}
	own := f.own
	t.Reached(Branch, in.PC, in.Text, &f.decides, f.come)
	if in.Shares {
		t.Reached(Chosen, in.PC, in.Text, &f.guard, f.come)
	}
	accesses := t.Accesses()
	for i := range accesses {
		t.Reached(Address, in.PC, in.Text, &f.address, accesses[i].Lanes)
	}
	f.skipped() // what lanes read that execute it may be what others would have left
	t.Join(&f.address, &f.guard)
	switch {
	case in.Copies:
		f.copied(accesses)
	case in.Each:
		f.each(accesses)
	case in.Part > 0 && !in.Any && len(in.Moves) == 0:
		f.parts(accesses)
	default:
		f.anyhow(accesses, own)
	}
	for i := range f.results {
		f.came(in.Moves[i].To, &f.results[i], own)
	}
	f.skipped()
}

// skipped follows memory that lanes would have written to which do not execute the instruction: what is there
// comes from their guard too.
func (f *Follower) skipped() {
	r, ok := f.v.(Reacher)
	if lanes := f.come &^ f.lanes; ok && lanes != 0 && f.guard != (Lanes{}) {
		r.Reach(lanes, func(x *Access) {
			for m := x.Lanes; m != 0; m &= m - 1 {
				l := bits.TrailingZeros64(m) & (simt.MaxLanes - 1)
				f.t.Perhaps(x, l, x.Size, f.guard[l])
			}
		})
	}
}

// came notes where an operand comes from that has been written.
func (f *Follower) came(to contents.Operand, from *Lanes, own Origins) {
	f.t.JoinAll(from, own, f.lanes)
	if f.in.Mixes {
		f.t.mix(from, f.lanes)
	}
	if to == contents.Constant {
		return
	}
	f.v.Came(to, f.lanes, from)
	if f.guard != (Lanes{}) { // it would have been written in other lanes, or not in these
		var both Lanes
		f.v.From(to, f.come, &both)
		f.t.Join(&both, &f.guard)
		f.v.Came(to, f.come, &both)
	}
}

// mix gives lanes of a mask what any has.
func (t *Tracker) mix(from *Lanes, lanes uint64) {
	var all Origins
	for _, o := range from {
		all = t.sets.union(all, o)
	}
	t.JoinAll(from, all, lanes)
}

// loaded adds where n bytes of an access come from, from byte i on, with its address.
func (f *Follower) loaded(x *Access, i, n int, to *Lanes) {
	for m := x.Lanes; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & (simt.MaxLanes - 1)
		to[l] = f.t.sets.union(to[l], f.t.sets.union(f.t.Load(x, l, i, n), f.address[l]))
	}
}

// stored says where n bytes of an access come from that it writes, from byte i on.
func (f *Follower) stored(x *Access, i, n int, from *Lanes) {
	for m := x.Lanes; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & (simt.MaxLanes - 1)
		f.t.Store(x, l, i, n, f.t.sets.union(from[l], f.address[l]))
	}
}

// copied follows accesses of which each that writes has what one that reads has found.
func (f *Follower) copied(accesses []Access) {
	var reads []Lanes
	writes := 0
	for i := range accesses {
		x := &accesses[i]
		if !x.Write {
			var got Lanes
			f.loaded(x, 0, x.Size, &got)
			reads = append(reads, got)
		} else if writes < len(reads) {
			f.stored(x, 0, x.Size, &reads[writes])
			writes++
		}
	}
}

// each follows accesses of one operand each, or of all if there are not so many.
func (f *Follower) each(accesses []Access) {
	var reads, writes []*Access
	for i := range accesses {
		if x := &accesses[i]; x.Write {
			writes = append(writes, x)
		} else {
			reads = append(reads, x)
		}
	}
	for i, o := range f.in.Loads {
		from := f.address
		for k, x := range reads {
			if len(reads) != len(f.in.Loads) || k == i {
				f.loaded(x, 0, x.Size, &from)
			}
		}
		f.came(o, &from, 0)
	}
	for k, x := range writes {
		for i := range f.data {
			if len(writes) == len(f.data) && k != i {
				continue
			}
			f.stored(x, 0, x.Size, &f.data[i])
		}
	}
}

// parts follows accesses of several operands side by side, of which each may be one of a part of that.
func (f *Follower) parts(accesses []Access) {
	size := f.in.Part
	for i, o := range f.in.Loads {
		from := f.address
		for k := range accesses {
			if x := &accesses[k]; x.Size == size*len(f.in.Loads) {
				f.loaded(x, i*size, size, &from)
			} else {
				f.loaded(x, 0, x.Size, &from)
			}
		}
		f.came(o, &from, 0)
	}
	for k := range accesses {
		x := &accesses[k]
		for i := range f.data {
			if x.Size == size*len(f.data) {
				f.stored(x, i*size, size, &f.data[i])
			}
		}
		if all := (Lanes{}); x.Write && x.Size != size*len(f.data) {
			for i := range f.data {
				f.t.Join(&all, &f.data[i])
			}
			f.stored(x, 0, x.Size, &all)
		}
	}
}

// anyhow follows accesses of which nothing is known: what is written may come from all that the instruction
// has, and what it gives from all that it has read.
func (f *Follower) anyhow(accesses []Access, own Origins) {
	if len(accesses) == 0 {
		return
	}
	t := f.t
	var got, given Lanes
	for i := range f.data {
		t.Join(&given, &f.data[i])
	}
	for i := range f.results {
		t.Join(&given, &f.results[i])
	}
	t.JoinAll(&given, own, f.lanes)
	if f.in.Mixes {
		for i := range accesses {
			if x := &accesses[i]; x.Read {
				f.loaded(x, 0, x.Size, &got)
			}
		}
		t.mix(&got, f.lanes)
		t.mix(&given, f.lanes)
	}
	for i := range accesses {
		f.inTurn(&accesses[i], &got, &given)
	}
	for i := range f.results {
		t.Join(&f.results[i], &got)
	}
	for _, o := range f.in.Loads {
		from := got
		f.came(o, &from, own)
	}
}

// inTurn follows an access lane by lane, as each may find what one before has left.
func (f *Follower) inTurn(x *Access, got, given *Lanes) {
	t := f.t
	for m := x.Lanes; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & (simt.MaxLanes - 1)
		if x.Read {
			got[l] = t.Union(got[l], t.Union(t.Load(x, l, 0, x.Size), f.address[l]))
		}
		if x.Write {
			t.Store(x, l, 0, x.Size, t.Union(t.Union(given[l], got[l]), f.address[l]))
		}
	}
}

// Rows are registers of which each lane has its own. Those of nil are exact.
type Rows struct {
	t  *Tracker
	of []*Lanes
}

// NewRows makes n registers, all exact.
func NewRows(t *Tracker, n int) *Rows { return &Rows{t, make([]*Lanes, n)} }

// From is that of [Values].
func (r *Rows) From(o contents.Operand, lanes uint64, to *Lanes) {
	if p := r.of[o]; p != nil {
		for m := lanes; m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m) & (simt.MaxLanes - 1)
			to[l] = r.t.sets.union(to[l], p[l])
		}
	}
}

// Came is that of [Values].
func (r *Rows) Came(o contents.Operand, lanes uint64, from *Lanes) {
	if r.of[o] == nil {
		if *from == (Lanes{}) {
			return
		}
		r.of[o] = new(Lanes)
	}
	for m := lanes; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & (simt.MaxLanes - 1)
		r.of[o][l] = from[l]
	}
	if *r.of[o] == (Lanes{}) {
		r.of[o] = nil
	}
}
