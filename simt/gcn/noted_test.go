package gcn

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/simttest"
	"simtgdb/simt/vec"
	"simtgdb/testdata/sweep"
)

// A listener is told of accesses before they happen, of loads together, or not, as it chooses by where they
// are: it keeps all of them.
type listener struct {
	refuses uint64
	told    map[string]bool
	noted   int
	fences  []simt.Fence // since the last access
	behind  string       // which were before it, and in how many places others were
	places  int
	room    []simt.LoadRecord // for loads from LDS, if it is told of them later
	even    int
	later   int
}

func (l *listener) Fence(_ *simt.Wave, f simt.Fence)                { l.fences = append(l.fences, f) }
func (*listener) Arrived(simt.Event)                                {}
func (*listener) Came(*simt.Wave, uint8)                            {}
func (*listener) Opened(simt.Meeting)                               {}
func (*listener) Together(*simt.Wave, uint64)                       {}
func (*listener) Ended(*simt.Wave)                                  {}
func (*listener) Quiet(bool)                                        {}
func (*listener) Wants(*simt.Wave, simt.Space, bool) bool           { return true }
func (l *listener) will(pc uint64) bool                             { return l.refuses>>(pc>>2&63)&1 == 0 }
func (*listener) Aims(uint64, bool) bool                            { return false }
func (*listener) Minds(r *simt.Region, write bool) bool             { return true }
func (*listener) Anywhere(*simt.Wave, simt.Space, bool) simt.Extent { return simt.Everywhere() }

func (l *listener) Observe(a *simt.Access) bool {
	if len(l.fences) > 0 { // two that nothing lies between may be told of as one
		spaces := map[simt.Order]uint8{}
		for _, f := range l.fences {
			spaces[f.Order] |= f.Spaces
		}
		l.places++
		l.fences, l.behind = nil, fmt.Sprint(l.places, spaces)
	}
	simt.Lanes(a.Lanes, func(lane int) {
		at := a.Addr[lane]
		if !a.Write { // of lanes that read the same one is told of
			lane = 0
		}
		l.told[fmt.Sprintln(a.PC, a.Space, a.Write, a.Size, a.Perhaps, a.Near, a.InOrder, lane, at,
			l.behind)] = true
	})
	return false
}

func (l *listener) Noted(a *simt.Access) bool {
	if !l.will(a.PC) {
		return false
	}
	l.Observe(a)
	l.noted++
	return true
}

// NotedStride is Noted with the addresses that the access has.
func (l *listener) NotedStride(a *simt.Access, at uint64, step uint32) bool {
	if !l.Noted(simttest.Placed(a, at, step)) {
		return false
	}
	l.even++
	return true
}

func (l *listener) Room(*simt.Wave, simt.Space) []simt.LoadRecord { return l.room }

func (l *listener) Loaded(w *simt.Wave, _ simt.Space, filled []simt.LoadRecord,
	tell func(r *simt.LoadRecord, each func(a *simt.Access))) {
	for i := range filled {
		tell(&filled[i], func(a *simt.Access) {
			a.Wave = w
			l.Observe(a)
			l.later++
		})
	}
}

func (l *listener) NotedLoads(w *simt.Wave, of *simt.Loads, pieces []simt.Piece) bool {
	if !l.will(of.All[0].PC) {
		return false
	}
	l.noted += len(of.All)
	simttest.OneByOne(w, of, pieces, func(a *simt.Access) { l.Observe(a) })
	return true
}

// notedStream is accesses, and what changes their addresses and the lanes that make them.
func notedStream(isa *ISA, seed uint64) *stream {
	r := rand.New(sweep.PCG(seed, 31))
	s := &stream{mode: streamModes[0], seed: seed}
	for range 14 {
		words := streamMemory(r)
		switch r.IntN(8) {
		case 0: // v_add_u32_e32 of 4 to the addresses
			words = []uint32{0x68000000 | streamGlobal<<17 | streamGlobal<<9 | 0x84}
		case 1: // s_mov_b64 exec of a constant
			words = []uint32{0xbefe0180 | []uint32{0x41, 0x07, 0x3f}[r.IntN(3)]}
		case 2, 3: // a wait, as one generation or another has it
			wait := []uint32{0xbf8c0f70, 0xbf8cc07f, 0xbf8c0000, 0xbf8c3f70, 0xbf890000, 0xbf8903f7,
				0xbfc00000, 0xbfc60000, 0xbfc10000}[r.IntN(9)]
			if in, err := isa.Decode(wordsCode(wait), 0); err == nil && in.Op.over != nil {
				words = []uint32{wait}
			}
		}
		if in, err := isa.Decode(wordsCode(words...), 0); err == nil && !in.Op.ends() {
			s.code = append(s.code, words[:in.Size/4])
		}
	}
	s.loop()
	return s
}

// TestNotedPathsAgree: translated code tells of the accesses that code that is not tells of, whether
// observers hear of them before or not.
func TestNotedPathsAgree(t *testing.T) {
	was := vec.Current()
	defer vec.Use(was)
	noted, even, later := 0, 0, 0
	for seed := range uint64(200) {
		processor := Targets()[seed%uint64(len(Targets()))]
		var first *harness
		var want map[string]bool
		for _, p := range paths() {
			if !p.translated && first != nil {
				continue
			}
			h := newHarness(t, processor)
			l := &listener{refuses: []uint64{0, seed * 0x9e3779b97f4a7c15}[seed%2], told: map[string]bool{},
				room: make([]simt.LoadRecord, seed/2%5)}
			h.m.AddObserver(l)
			h.take(p)
			s := notedStream(h.isa, seed)
			s.begin(h)
			if p.translated {
				h.translate()
			}
			for h.w.Insts < mostOfStream && h.w.State == simt.Ready {
				h.core.Run(h.w, mostOfStream-h.w.Insts)
			}
			even, later = even+l.even, later+l.later
			if noted += l.noted; first == nil {
				first, want = h, l.told
				continue
			}
			for a := range want {
				if !l.told[a] {
					t.Fatalf("seed %d on %s: %v does not tell of %s%s", seed, processor, p, a, s.text(h.isa))
				}
			}
			// loads behind one that faults may have been told of
			if h.w.State != simt.Faulted && len(l.told) != len(want) {
				t.Fatalf("seed %d on %s: %v tells of %d, not %d\n%s", seed, processor, p, len(l.told),
					len(want), s.text(h.isa))
			}
			if d := h.differsFrom(first); d != "" {
				t.Fatalf("seed %d on %s: %v: %s\n%s", seed, processor, p, d, s.text(h.isa))
			}
		}
	}
	if noted < 1000 || even < 20 || later < 100 {
		t.Errorf("%d accesses were noted, %d of them at even distances, and %d later: too few to tell",
			noted, even, later)
	}
}
