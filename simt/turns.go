package simt

import "slices"

// mostPeriod is after how many turns at most waves may do the same again, notedTurns how many turns are kept.
const (
	mostPeriod = 4
	notedTurns = 2*mostPeriod + 1
)

// mostRefused is how often observers are asked of a workgroup in vain.
const mostRefused = 4

// Turns is what a core keeps of the turns of a workgroup, a T of each wave and turn. Where the waves meet at
// barriers in a loop, each does from one to the next mostly what it did some turns before: it accesses the
// same places of LDS, and global memory some bytes further on. Observers are told of turns one by one at
// first; once some have been as the ones before them, as the core finds, they are foreseen (TurnForeseer).
type Turns[T any] struct {
	By     TurnForeseer // who is told; nil if nothing is kept
	Period int          // so many turns, the last ones that are kept, are foreseen; 0 if none are
	Ahead  int          // how many times they have been

	group   *Workgroup // whose turns they are,
	index   int        // and its number
	noted   [notedTurns][]T
	begun   []bool // the waves that have had the turn under way, or have it now
	count   int    // turns since something else was told of; that which is under way is the next
	most    int    // how many times the last ones can be foreseen
	refused int    // how often it was not foreseen what could have been
	helped  bool   // some turns of the workgroup were foreseen
	keeps   Backoff
}

// Begin begins with the turns of a workgroup, if these are kept: by whom that says then.
func (k *Turns[T]) Begin(g *Workgroup, by func() TurnForeseer) {
	switch {
	case k.By == nil:
	case k.helped:
		k.keeps.Paid()
	default:
		k.keeps.InVain()
	}
	k.group, k.index, k.refused, k.helped = g, g.Index, 0, false
	if k.By = nil; !k.keeps.Idle() {
		if k.By = by(); k.By != nil {
			k.Forget()
		}
	}
}

// Of reports whether the turns are those of a workgroup.
func (k *Turns[T]) Of(g *Workgroup) bool { return k.group == g && k.index == g.Index }

// turn is what is kept of a turn, by its number.
func (k *Turns[T]) turn(i int) []T { return k.noted[i%notedTurns] }

// Wave begins the turn of a wave, which it has not had: else nothing is kept any more.
func (k *Turns[T]) Wave(w *Wave) *T {
	if !k.Of(w.Group) || w.Index >= len(k.begun) || k.begun[w.Index] {
		k.By = nil
		return nil
	}
	k.begun[w.Index] = true
	return &k.turn(k.count)[w.Index]
}

// Now is what is kept of a wave's turn that is under way, nil if that has not begun.
func (k *Turns[T]) Now(w *Wave) *T {
	if !k.begun[w.Index] {
		return nil
	}
	return &k.turn(k.count)[w.Index]
}

// Began reports whether any wave has had the turn that is under way.
func (k *Turns[T]) Began() bool { return slices.Contains(k.begun, true) }

// Over notes that all waves have had a turn. It is kept if all that each has done is, as the core says.
func (k *Turns[T]) Over(whole func(w *Wave, t *T) bool) {
	keeps := k.Period == 0
	for i, w := range k.group.Waves {
		keeps = keeps && k.begun[i] && whole(w, &k.turn(k.count)[i])
	}
	if keeps {
		k.count++
		k.room()
		return
	}
	k.Forget()
}

// Forget forgets all turns: what is told of next is not what was done before.
func (k *Turns[T]) Forget() {
	k.Period, k.count = 0, 0
	k.room()
}

// room makes room for the turn that begins.
func (k *Turns[T]) room() {
	n := len(k.group.Waves)
	of := &k.noted[k.count%notedTurns]
	if len(*of) != n {
		*of = make([]T, n)
	}
	k.begun = append(k.begun[:0], make([]bool, n)...)
}

// Find looks for the least number of turns that were as many others before them: learn says, of a number,
// how many times more it can be foreseen what was done in the last turns, 0 if they were not. It is not known
// what was told before the first turn of a workgroup.
func (k *Turns[T]) Find(learn func(turns int) (most int)) bool {
	for p := 1; p <= mostPeriod && 2*p < k.count; p++ {
		if k.most = learn(p); k.most > 0 {
			k.Period, k.Ahead = p, 0
			return true
		}
	}
	return false
}

// Last gives what waves have done in the last turns, so many, from the first one on, each with what they did
// in the one that is as many turns before it; until it is answered false.
func (k *Turns[T]) Last(turns int, each func(now, before []T) bool) {
	for i := k.count - turns; i < k.count && each(k.turn(i), k.turn(i-turns)); i++ {
	}
}

// Foreseen is what waves do in a foreseen turn, by how many were had before it, and how many times as much
// further on that is.
func (k *Turns[T]) Foreseen(turn int) (of []T, times uint64) {
	return k.turn(k.count - k.Period + turn%k.Period), uint64(k.Ahead + 1 + turn/k.Period)
}

// Ask has turns foreseen, n at most, and says how many are. If none, all are told of; may says whether any
// may be foreseen.
func (k *Turns[T]) Ask(n int, may bool) int {
	if n = min(n/k.Period, k.most-k.Ahead); n > 0 && may {
		if n = k.By.ForeseeTurns(k.group, k.Period, n); n > 0 {
			return n * k.Period
		}
	}
	if k.Ahead > 0 { // what is kept was not told of last
		k.Forget()
	}
	k.Period = 0
	if k.refused++; k.refused == mostRefused {
		k.By = nil
	}
	return 0
}

// Settle says that all waves have had so many foreseen turns. The first so many of them nobody need be told
// of, but of all others, in their order: [Turns.Passed] is behind that.
func (k *Turns[T]) Settle(had int) (untold int) {
	times := max(had/k.Period-1, 0)
	k.By.ForeseenTurns(times)
	k.helped = k.helped || times > 0
	return times * k.Period
}

// Passed notes that it has been told of foreseen turns: whole says whether nothing has been told of behind
// them, so that what comes can be foreseen as well.
func (k *Turns[T]) Passed(had int, whole bool) {
	k.Ahead += had / k.Period
	if had%k.Period > 0 || !whole {
		k.Forget()
	}
}
