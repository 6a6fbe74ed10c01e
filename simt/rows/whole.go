package rows

import (
	"errors"
	"math"
	"slices"

	"simtgdb/simt/vec"
)

// A whole is code of waves that nobody sees but when they have ended: of a program from its entry to its end.
// What no instruction reads any more is nowhere then, and a wave that does not come to its end must not have
// done anything.

// A Source gives the instructions of a program by their numbers, from 0 on; behind one whose Flow is Next
// comes the next number. Where Known is false code leaves.
type Source interface {
	Inst(n int32) Inst
}

// mostTraced bounds a unit, and mostUnits the units.
const (
	mostTraced = 128
	mostUnits  = 512
)

var (
	errLong     = errors.New("more code than is executed at once")
	errAfter    = errors.New("something happens behind a store")
	errNoEffect = errors.New("nothing is stored")
	errShared   = errors.New("waves share memory")
)

// Whole makes units of a program that begins at one number and ends at another, which has no instruction. A
// unit goes through to where control parts, so that instructions may be in several; not to where lanes may
// wait, if they may part. Nothing comes behind the first store that others can see but the end: code that
// leaves for another reason has done nothing.
func Whole(src Source, entry, end int32, registers, masks int, parting bool) ([]Unit, error) {
	var all []Unit
	known := map[int32]bool{entry: true, end: true}
	var ways map[int32]int
	if parting {
		ways = waysTo(src, entry, end)
	}
	stores := false
	for todo := []int32{entry}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		u := Unit{At: at, Moved: true}
		u.trace(src, at, end, ways)
		if len(u.Insts) == 0 {
			continue
		}
		for i := range u.Insts {
			one := Unit{At: at, Insts: u.Insts[i : i+1]}
			if err := Verify(&one, registers, masks); err != nil {
				return nil, err
			}
		}
		u.gather()
		if all = append(all, u); len(all) > mostUnits {
			return nil, errLong
		}
		has, err := u.effects(end)
		if err != nil {
			return nil, err
		}
		stores = stores || has
		last := &u.Insts[len(u.Insts)-1]
		for _, to := range u.next() {
			if last.Flow != Next && !known[to] {
				known[to] = true
				todo = append(todo, to)
			}
		}
	}
	if !stores {
		return nil, errNoEffect
	}
	bury(all, registers)
	return all, nil
}

// waysTo counts the instructions that go to each instruction.
func waysTo(src Source, entry, end int32) map[int32]int {
	ways := map[int32]int{entry: 1}
	for todo := []int32{entry}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		in := src.Inst(at)
		if at == end || !in.Known {
			continue
		}
		next := []int32{at + 1}
		if in.Flow != Next {
			next = in.targets()
		}
		for _, to := range next {
			if ways[to]++; ways[to] == 1 && to != entry {
				todo = append(todo, to)
			}
		}
	}
	return ways
}

// targets are where an instruction goes that goes anywhere.
func (in *Inst) targets() []int32 {
	if in.Flow == Jump {
		return []int32{in.Target}
	}
	to := []int32{in.Else}
	for c := range in.Cases() {
		to = append(to, c.Target)
	}
	return to
}

// trace adds instructions up to one that parts, goes to the end, or is not known. With ways it goes on to no
// instruction that others may wait for.
func (u *Unit) trace(src Source, at, end int32, ways map[int32]int) {
	from := int32(math.MinInt32) // the last instruction that has a place in the order of all
	for len(u.Insts) < mostTraced {
		in := src.Inst(at)
		if !in.Known {
			break
		}
		in.Number = at
		u.Insts = append(u.Insts, in)
		if at >= 0 {
			from = at
		}
		switch last := &u.Insts[len(u.Insts)-1]; last.Flow {
		case Branch:
			return
		case Jump:
			at = last.Target
			last.Flow = Next
		default:
			at++
		}
		if at == end || ways != nil && mayWait(from, at, ways) {
			break
		}
	}
	if n := len(u.Insts); n > 0 {
		u.Insts[n-1].Flow, u.Insts[n-1].Target = Jump, at
	}
}

// mayWait reports whether lanes may wait for an instruction, or for one before it, when others come to it
// from another one. All who wait do so behind those that go on: see [Order].
func mayWait(from, at int32, ways map[int32]int) bool {
	switch {
	case at < 0: // it has no place
		return false
	case at <= from:
		return from == math.MinInt32
	}
	return at != from+1 || ways[at] > 1
}

// gather puts arithmetic that waits for no access before all accesses, so that more of these can be checked
// at once: nobody sees the order of what happens before a store.
func (u *Unit) gather() {
	last := len(u.Insts) - 1
	var early, late []Inst
	read, written := map[int32]bool{}, map[int32]bool{} // by those that are late
	for i := range u.Insts[:last] {
		in := &u.Insts[i]
		if in.Flow == Next && in.waits(read, written) {
			late = append(late, *in)
			for k := range in.Ops {
				o := &in.Ops[k]
				for _, v := range o.Reads() {
					read[v.Reg] = read[v.Reg] || !v.Const
				}
				if o.Kind != Store && o.Kind != Test {
					written[o.D] = true
					read[o.D] = read[o.D] || o.Under.N != Always
				}
			}
			continue
		}
		early = append(early, *in)
	}
	u.Insts = append(append(early, late...), u.Insts[last])
}

// waits reports whether an instruction must not come before others that read and write registers. Those that
// instructions have for themselves are no matter.
func (in *Inst) waits(read, written map[int32]bool) bool {
	for k := range in.Ops {
		o := &in.Ops[k]
		if o.Kind == Store || o.Kind == Test || o.Kind == Load && o.Space < Uniform || o.Under.N != Always ||
			o.Kind == Calc && o.Op == vec.WideSelect || o.D >= 0 && (read[o.D] || written[o.D]) {
			return true
		}
		for _, v := range o.Reads() {
			if !v.Const && v.Reg >= 0 && written[v.Reg] {
				return true
			}
		}
	}
	return false
}

// next are the numbers that control goes to.
func (u *Unit) next() []int32 {
	if last := &u.Insts[len(u.Insts)-1]; last.Flow != Next {
		return last.targets()
	}
	return []int32{u.At + int32(len(u.Insts))}
}

// effects reports whether a unit stores to memory that others see, or says what may keep the wave from its
// end behind that: an access of a later segment.
func (u *Unit) effects(end int32) (stores bool, err error) {
	for _, s := range Cut(u) {
		before := stores
		for k := s.First; k < s.Last; k++ {
			for o := range u.Insts[k].Ops {
				op := &u.Insts[k].Ops[o]
				if op.Kind != Load && op.Kind != Store {
					continue
				}
				switch {
				case op.Space == Shared:
					return stores, errShared
				case before:
					return true, errAfter
				}
				stores = stores || op.Kind == Store && op.Space != Private
			}
		}
	}
	if last := &u.Insts[len(u.Insts)-1]; stores && (last.Flow != Jump || last.Target != end) {
		return true, errAfter
	}
	return stores, nil
}

// A registerSet is registers by their numbers; those that an instruction has for itself are in none.
type registerSet []uint64

func newRegisterSet(registers int) registerSet { return make(registerSet, (registers+63)/64) }

func (s registerSet) has(r int32) bool { return r >= 0 && s[r>>6]>>(r&63)&1 != 0 }

func (s registerSet) put(r int32, in bool) {
	if r >= 0 {
		s[r>>6] &^= 1 << (r & 63)
		if in {
			s[r>>6] |= 1 << (r & 63)
		}
	}
}

// merge adds the registers of another set and reports whether there were others.
func (s registerSet) merge(t registerSet) (more bool) {
	for i, w := range t {
		more = more || w&^s[i] != 0
		s[i] |= w
	}
	return more
}

// bury finds for each instruction of all units of a program which registers are dead behind it; outside of
// them nothing is read.
func bury(all []Unit, registers int) {
	live := lives(all, registers)
	for i := range all {
		all[i].before(live, registers, true)
	}
}

// Unset are the registers that units of a program, of which the first is where it begins, may read before
// they write them.
func Unset(all []Unit, registers int) (list []int32) {
	live := lives(all, registers)[all[0].At]
	for r := range int32(registers) {
		if live.has(r) {
			list = append(list, r)
		}
	}
	return list
}

// lives are the registers that are live where each unit begins.
func lives(all []Unit, registers int) map[int32]registerSet {
	live := map[int32]registerSet{}
	for i := range all {
		live[all[i].At] = newRegisterSet(registers)
	}
	for again := true; again; {
		again = false
		for i := len(all) - 1; i >= 0; i-- {
			again = live[all[i].At].merge(all[i].before(live, registers, false)) || again
		}
	}
	return live
}

// before are the registers that are live where the unit begins. note says whether to note the dead, and to
// drop what computes those.
func (u *Unit) before(live map[int32]registerSet, registers int, note bool) registerSet {
	s := newRegisterSet(registers)
	for _, to := range u.next() {
		if t := live[to]; t != nil {
			s.merge(t)
		}
	}
	for i := len(u.Insts) - 1; i >= 0; i-- {
		in := &u.Insts[i]
		if note {
			in.Dead = in.dead(s)
		}
		ops := in.Ops
		var kept []Op    // the last first
		var temps uint32 // that are live
		for k := len(ops) - 1; k >= 0; k-- {
			o := &ops[k]
			if o.Kind != Store && o.Kind != Test {
				if o.computes() && !s.has(o.D) && (o.D >= 0 || temps>>-o.D&1 == 0) {
					continue
				}
				s.put(o.D, o.Under.N != Always)
				if o.D < 0 && o.Under.N == Always {
					temps &^= 1 << -o.D
				}
			}
			for _, v := range o.Reads() {
				if v.Const {
					continue
				}
				if s.put(v.Reg, true); v.Reg < 0 {
					temps |= 1 << -v.Reg
				}
			}
			if note {
				kept = append(kept, *o)
			}
		}
		if note {
			slices.Reverse(kept)
			in.Ops = kept
		}
	}
	return s
}

// computes reports whether an operation does nothing but give its result.
func (o *Op) computes() bool {
	return o.Kind == Calc || o.Kind == Copy || o.Kind == Load && o.Space >= Uniform
}

// dead are the registers of an instruction's operations that are not in a set.
func (in *Inst) dead(live registerSet) (all []int32) {
	note := func(r int32) {
		if r >= 0 && !live.has(r) {
			all = append(all, r)
		}
	}
	for k := range in.Ops {
		o := &in.Ops[k]
		if o.Kind != Store && o.Kind != Test {
			note(o.D)
		}
		for _, v := range o.Reads() {
			if !v.Const {
				note(v.Reg)
			}
		}
	}
	return all
}
