package order

import (
	"math/rand/v2"
	"testing"

	"simtgdb/testdata/sweep"
)

// TestOrdered: what programs say of streams, events and waits, and which of two works comes after the other.
func TestOrdered(t *testing.T) {
	const a, b, c = 1, 2, 3
	for _, x := range []struct {
		name    string
		say     func(o *Order)
		ordered bool // work 2, of b, comes after work 1, of a
	}{
		{"nothing", func(*Order) {}, false},
		{"the stream waits for the stream", func(o *Order) { o.AfterStream(b, a, 1) }, true},
		{"for what it did before", func(o *Order) { o.AfterStream(b, a, 0) }, false},
		{"for the work", func(o *Order) { o.AfterWork(b, 1, false) }, true},
		{"the next for the work", func(o *Order) { o.AfterWork(b, 1, true) }, true},
		{"another waits", func(o *Order) { o.AfterWork(c, 1, false) }, false},
		{"for a work that there is not yet", func(o *Order) { o.AfterWork(b, 9, false) }, false},
		{"for no work", func(o *Order) { o.AfterWork(b, 0, false) }, false},
		{"by way of another", func(o *Order) { o.AfterWork(c, 1, false); o.AfterStream(b, c, 1) }, true},
		{"the host waits for the stream", func(o *Order) { o.HostAfterStream(a, 1) }, true},
		{"for another", func(o *Order) { o.HostAfterStream(c, 1) }, false},
		{"for the work alone", func(o *Order) { o.HostAfterWork(1) }, true},
		{"for all", func(o *Order) { o.HostAfterAll() }, true},
		{"a barrier of its own", func(o *Order) { o.Barrier(b) }, false},
	} {
		var o Order
		first := o.Submit(a, 1, "")
		x.say(&o)
		if got := o.Submit(b, 2, "").After(first); got != x.ordered {
			t.Errorf("%s: %v", x.name, got)
		}
	}
}

// TestLoose: the works of a stream without an order, with barriers and waits for one work.
func TestLoose(t *testing.T) {
	var o Order
	o.Loose(7)
	w := []*Work{nil}
	next := func() { w = append(w, o.Submit(7, uint64(len(w)), "")) }
	next()
	next()
	o.AfterWork(7, 1, true)
	next()
	next()
	o.Barrier(7)
	next()
	o.HostAfterStream(7, 5)
	next()
	for _, x := range []struct {
		after, before int
		want          bool
	}{{2, 1, false}, {3, 1, true}, {3, 2, false}, {4, 1, false}, {4, 3, false}, {5, 1, true},
		{5, 4, true}, {6, 5, true},
		{6, 2, true}} {
		if got := w[x.after].After(w[x.before]); got != x.want {
			t.Errorf("%d after %d: %v", x.after, x.before, got)
		}
	}
}

// TestModel compares the order of random programs with what a graph of all works says.
func TestModel(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(sweep.PCG(seed, 1))
		var o Order
		const streams = 4
		var works []*Work
		var edges [][]bool                             // reachability
		pend := map[uint64]map[int]bool{}              // before a stream's further works
		host, last := map[int]bool{}, map[uint64]int{} // indices
		closure := func(i int) map[int]bool {
			all := map[int]bool{i: true}
			for j := range i {
				if edges[i][j] {
					all[j] = true
				}
			}
			return all
		}
		for id := range uint64(streams) {
			pend[id], last[id] = map[int]bool{}, -1
		}
		add := func(to, from map[int]bool) {
			for k := range from {
				to[k] = true
			}
		}
		ofStream := func(id uint64) map[int]bool {
			all := map[int]bool{}
			add(all, pend[id])
			if last[id] >= 0 {
				add(all, closure(last[id]))
			}
			return all
		}
		for range 60 {
			id, other := r.Uint64N(streams), r.Uint64N(streams)
			switch r.IntN(8) {
			case 0:
				o.AfterStream(id, other, 1<<40)
				add(pend[id], ofStream(other))
			case 1:
				if len(works) == 0 {
					continue
				}
				k := r.IntN(len(works))
				o.AfterWork(id, works[k].Ticket, false)
				add(pend[id], closure(k))
			case 2:
				if r.IntN(4) > 0 {
					continue
				}
				o.HostAfterStream(id, 1<<40)
				add(host, ofStream(id))
			default:
				n := len(works)
				row := make([]bool, n)
				before := map[int]bool{}
				add(before, ofStream(id))
				add(before, host)
				for k := range before {
					row[k] = true
				}
				edges = append(edges, row)
				works = append(works, o.Submit(id, uint64(n+1), ""))
				last[id] = n
				for k := range n {
					if got := works[n].After(works[k]); got != row[k] {
						t.Fatalf("seed %d: %d after %d: %v, want %v", seed, n, k, got, row[k])
					}
				}
			}
		}
	}
}

// TestTouched: accesses of two works that nothing orders, and of two that are ordered.
func TestTouched(t *testing.T) {
	var o Order
	one, two := o.Submit(1, 1, "one"), o.Submit(2, 2, "two")
	o.AfterStream(3, 1, 1)
	three := o.Submit(3, 3, "three")
	type access struct {
		w             *Work
		addr, size    uint64
		write, atomic bool
	}
	for _, x := range []struct {
		name string
		all  []access
		with string // what the last is not in order with
	}{
		{"write and write", []access{{one, 100, 4, true, false}, {two, 96, 8, true, false}}, "one"},
		{"write and read", []access{{one, 100, 4, true, false}, {two, 100, 4, false, false}}, "one"},
		{"read and write", []access{{one, 100, 4, false, false}, {two, 100, 4, true, false}}, "one"},
		{"two reads", []access{{one, 100, 4, false, false}, {two, 100, 4, false, false}}, ""},
		{"two atomic ones", []access{{one, 100, 4, true, true}, {two, 100, 4, true, true}}, ""},
		{"an atomic one and a plain one", []access{{one, 100, 4, true, true}, {two, 100, 4, true, false}},
			"one"},
		{"other bytes of a word", []access{{one, 100, 2, true, false}, {two, 102, 2, true, false}}, ""},
		{"a common byte", []access{{one, 100, 3, true, false}, {two, 102, 2, true, false}}, "one"},
		{"beside it", []access{{one, 100, 4, true, false}, {two, 104, 4, true, false}}, ""},
		{"across pages", []access{{one, 4092, 8, true, false}, {two, 4096, 1, true, false}}, "one"},
		{"in order", []access{{one, 100, 4, true, false}, {three, 100, 4, true, false}}, ""},
		{"a read before the last", []access{{one, 100, 4, false, false}, {two, 100, 4, false, false},
			{three, 100, 4, true, false}}, "two"},
		{"a read before the last, which is in order", []access{{two, 100, 4, false, false},
			{one, 100, 4, false, false}, {three, 100, 4, true, false}}, "two"},
		{"its own", []access{{two, 100, 4, true, false}, {two, 100, 4, false, false}}, ""},
	} {
		var s Shadow
		var with *Touch
		for _, a := range x.all {
			with = s.Touched(Touch{Work: a.w, Write: a.write, Atomic: a.atomic}, a.addr, a.size)
		}
		got := ""
		if with != nil {
			got = with.Work.What
		}
		if got != x.with {
			t.Errorf("%s: with %q, want %q", x.name, got, x.with)
		}
	}
}

// TestApart: works that a library submits later than the host has asked for them come after what the host had
// waited for then, and not after what it has waited for meanwhile.
func TestApart(t *testing.T) {
	var o Order
	o.Apart(2)
	first := o.Submit(1, 1, "")
	asked := o.Submit(Host, 2, "")
	o.HostAfterStream(1, 1)
	o.AfterWork(2, asked.Ticket, false)
	if o.Submit(2, 3, "").After(first) {
		t.Error("a work that was asked for before the host waited comes after what it waited for")
	}
	again := o.Submit(Host, 4, "")
	o.HostAfterAll()
	o.AfterWork(2, again.Ticket, false)
	if w := o.Submit(2, 5, ""); !w.After(first) {
		t.Error("a work that was asked for behind the wait does not come after it")
	}
}

// TestApartLater: a stream may be said to come after what another did when the host has waited for that
// already.
func TestApartLater(t *testing.T) {
	var o Order
	o.Apart(1)
	o.Apart(2)
	o.Apart(3)
	first := o.Submit(1, 1, "")
	o.HostAfterStream(1, 1)
	o.AfterStream(2, 1, 1)
	if !o.Submit(2, 2, "").After(first) {
		t.Error("a work does not come after what its stream was said to come after")
	}
	if o.Submit(3, 3, "").After(first) {
		t.Error("a work comes after one that nobody says it comes after")
	}
}

// TestBytes: two works conflict where they write to a common byte, wherever in words and pages that lies and
// however long the first access is.
func TestBytes(t *testing.T) {
	var o Order
	one, two := o.Submit(1, 1, "one"), o.Submit(2, 2, "two")
	const from, to = pageBytes - 6, pageBytes + 6
	for addr := uint64(from); addr < to; addr++ {
		for size := uint64(1); size <= 11; size++ {
			var s Shadow
			s.Touched(Touch{Work: one, Write: true}, addr, size)
			for b := uint64(from); b < to+11; b++ {
				with := s.Touched(Touch{Work: two}, b, 1)
				if common := b >= addr && b < addr+size; common != (with != nil) {
					t.Errorf("%d bytes at %d and one at %d: conflict %v", size, addr, b, with != nil)
				}
				if with := s.Touched(Touch{Work: two}, b+pageBytes+size+11, 1); with != nil {
					t.Errorf("%d bytes at %d conflict with one a page behind", size, addr)
				}
			}
		}
	}
}

// TestNth: streams are numbered by their first works; the host's own have no number.
func TestNth(t *testing.T) {
	var o Order
	if got := o.Submit(5, 1, "").Nth; got != 1 {
		t.Errorf("stream 5 has number %d", got)
	}
	if got := o.Submit(Host, 2, "").Nth; got != 0 {
		t.Errorf("the host has number %d", got)
	}
	if got, again := o.Submit(7, 3, "").Nth, o.Submit(5, 4, "").Nth; got != 2 || again != 1 {
		t.Errorf("stream 7 has number %d, stream 5 then %d", got, again)
	}
}

// TestLooseStays: a stream whose works are in no order has none either when the host has waited for all.
func TestLooseStays(t *testing.T) {
	var o Order
	o.Loose(7)
	first := o.Submit(7, 1, "")
	o.HostAfterAll()
	second := o.Submit(7, 2, "")
	third := o.Submit(7, 3, "")
	if !third.After(first) || third.After(second) {
		t.Errorf("behind the wait %v, beside it %v", third.After(first), third.After(second))
	}
}

// TestBounds: however many works and streams there are, what is kept is bounded. Beyond, all that was
// submitted is taken to be in order; when the host has waited for each stream, nothing is kept.
func TestBounds(t *testing.T) {
	var o Order
	first := o.Submit(1, 1, "")
	ticket := uint64(1)
	for ; ticket <= mostWorks; ticket++ {
		o.Submit(1, ticket+1, "")
	}
	if n := len(o.works); n > mostWorks {
		t.Errorf("%d works are kept", n)
	}
	o.AfterWork(2, 1, false)
	if !o.HostHas(1) || !o.Submit(2, ticket+1, "").After(first) {
		t.Error("what is not known any more is not in order")
	}
	o = Order{}
	first = o.Submit(1, 1, "")
	for id := uint64(2); id <= mostStreams; id++ {
		o.Submit(id, id, "")
	}
	if o.Submit(3, mostStreams+1, "").After(first) {
		t.Error("streams are in order while there is room for them")
	}
	if !o.Submit(mostStreams+1, mostStreams+2, "").After(first) || len(o.streams) > mostStreams {
		t.Errorf("beyond, streams are not in order, or %d are kept", len(o.streams))
	}
	o = Order{}
	o.Submit(1, 1, "")
	o.Submit(2, 2, "")
	o.HostAfterStream(1, 1)
	if o.HostHasAll() || len(o.works) != 2 {
		t.Errorf("the host has waited for one stream: all %v, %d works", o.HostHasAll(), len(o.works))
	}
	o.HostAfterStream(2, 2)
	if !o.HostHasAll() || len(o.works) != 0 || len(o.streams) != 0 {
		t.Errorf("the host has waited for both: all %v, %d works and %d streams are kept", o.HostHasAll(),
			len(o.works), len(o.streams))
	}
}

// TestWaitsForLoose: one may wait for several works that are in no order with each other, and comes after
// those alone.
func TestWaitsForLoose(t *testing.T) {
	var o Order
	o.Loose(7)
	var works []*Work
	for ticket := range uint64(4) {
		works = append(works, o.Submit(7, ticket+1, ""))
	}
	o.AfterWork(1, 1, false)
	o.AfterWork(1, 3, false)
	one := o.Submit(1, 5, "")
	o.AfterStream(2, 1, 5)
	o.AfterWork(2, 4, false)
	two := o.Submit(2, 6, "")
	for i, want := range [][2]bool{{true, true}, {false, false}, {true, true}, {false, true}} {
		if got := [2]bool{one.After(works[i]), two.After(works[i])}; got != want {
			t.Errorf("after work %d come %v, want %v", i+1, got, want)
		}
	}
}

// TestHostAccess: what is submitted later comes after an access of the host's own, but in a stream whose
// works a library submits at another time than the host asks for them. Nobody waits for the access.
func TestHostAccess(t *testing.T) {
	var o Order
	o.Apart(2)
	early := o.Submit(1, 1, "")
	access := o.Access(2, "")
	if access.After(early) {
		t.Error("an access comes after what the host has not waited for")
	}
	if !o.HostHas(2) {
		t.Error("the host has still to wait for its own access")
	}
	if !o.Submit(1, 3, "").After(access) || !o.Submit(3, 4, "").After(access) || early.After(access) {
		t.Error("a work does not come after what the host did before, or one does that was there already")
	}
	if o.Submit(2, 5, "").After(access) {
		t.Error("a work that may have been asked for before the access comes after it")
	}
}

// TestApartLatest: a stream may be said to come after the latest of all works when the host has waited for
// it, so that it is not known any more.
func TestApartLatest(t *testing.T) {
	var o Order
	o.Apart(2)
	first := o.Submit(1, 1, "")
	o.HostAfterAll()
	if o.Submit(2, 2, "").After(first) {
		t.Error("a work comes after one that nobody says it comes after")
	}
	latest := o.Submit(1, 3, "")
	o.HostAfterAll()
	o.AfterWork(2, 3, false)
	if !o.Submit(2, 4, "").After(latest) {
		t.Error("a work does not come after what its stream was said to come after")
	}
}
