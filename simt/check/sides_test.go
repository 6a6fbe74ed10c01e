package check

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"simtgdb/simt"
	"simtgdb/testdata/sweep"
)

// TestSides: lanes of one wave that have not executed together since one accessed a place are in a race.
func TestSides(t *testing.T) {
	type step struct {
		exec uint64
		at   int    // the lane of an access to a place, with the others of exec active; -1 for none
		how  string // "together" for lanes that come together
	}
	const all = 0xf
	for _, test := range []struct {
		name  string
		steps []step
		want  string
	}{
		{"two sides", []step{{0b0011, 0, "write"}, {0b1100, 2, "read"}}, "race"},
		{"two sides, read first", []step{{0b0011, 0, "read"}, {0b1100, 2, "write"}}, "race"},
		{"one of several readers", []step{{0b0011, 0, "read"}, {0b1100, 3, "read"}, {0b1100, 2, "write"}},
			"race"},
		{"both read", []step{{0b0011, 0, "read"}, {0b1100, 2, "read"}}, ""},
		{"one lane on two sides of others", []step{{0b0011, 0, "write"}, {0b0101, 0, "read"}}, ""},
		{"of one side", []step{{0b0011, 0, "write"}, {0b0011, 1, "read"}}, ""},
		{"they met", []step{{0b0011, 0, "write"}, {all, -1, "together"}, {0b1100, 2, "read"}}, ""},
		{"two of them met", []step{{0b0011, 0, "write"}, {0b0101, -1, "together"}, {0b1100, 2, "read"}}, ""},
		{"others met", []step{{0b0011, 0, "write"}, {0b1010, -1, "together"}, {0b1100, 2, "read"}}, "race"},
		{"they had met before", []step{{all, 0, "read"}, {0b0011, 0, "write"}, {0b1100, 2, "read"}}, "race"},
		{"a side that comes again", []step{{0b0011, 0, "write"}, {0b1100, -1, "together"},
			{0b0011, 1, "read"},
			{0b1100, 2, "read"}}, "race"},
		{"a barrier of the wave", []step{{0b0011, 0, "write"}, {0b0011, -1, "fence"}, {0b1100, 2, "read"}},
			""},
		{"atomics", []step{{0b0011, 0, "add"}, {0b1100, 2, "add"}}, ""},
		{"an atomic and a plain one", []step{{0b0011, 0, "write"}, {0b1100, 2, "add"}}, "race"},
		{"a plain one and an atomic", []step{{0b0011, 0, "add"}, {0b1100, 2, "read"}}, "race"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t)
			w.Look(Race)
			wave := w.waves[0]
			for i, s := range test.steps {
				switch wave.Exec = s.exec; s.how {
				case "together":
					w.Together(wave, s.exec)
				case "fence":
					w.Fence(wave, simt.Fence{Order: simt.Acquire | simt.Release, Scope: simt.WaveScope,
						Spaces: simt.AllSpaces})
				default:
					a := w.access(0, uint64(0x10+i), lds, 0, s.how)
					a.Lanes, a.Addr[s.at] = 1<<s.at, 0
					w.Observe(a)
				}
			}
			if got := w.kinds(); got != test.want {
				t.Errorf("found %q, want %q", got, test.want)
			}
		})
	}
}

// TestSidesMany: where more masks came than are remembered nothing is reported that is in order.
func TestSidesMany(t *testing.T) {
	rnd := rand.New(sweep.PCG(3, 4))
	for range 300 {
		var s sides
		type moment struct {
			time  uint32
			lanes uint64
		}
		var past []moment
		for range 40 {
			lanes := uint64(rnd.IntN(255) + 1)
			s.at(lanes, 0xff)
			past = append(past, moment{s.now, lanes})
			a, b, since := rnd.IntN(8), bits.TrailingZeros64(lanes), rnd.IntN(len(past))
			want := a == b
			for _, m := range past[since:] {
				want = want || m.lanes>>a&1 != 0 && m.lanes>>b&1 != 0
			}
			if got := s.together(a, b, past[since].time); want && !got {
				t.Fatalf("lanes %d and %d since %d of %v: %v", a, b, since, past, got)
			}
		}
	}
}

// TestUnits: what lanes in a row access at once is the same as what each of them accesses.
func TestUnits(t *testing.T) {
	const size = 32
	rnd := rand.New(sweep.PCG(1, 2))
	found := 0
	for range sweep.Times(80, 200) {
		at, each := newWorldOf(t, size), newWorldOf(t, size)
		at.Look(Race)
		each.Look(Race)
		for step := range 60 {
			wave, first := rnd.IntN(4), uint64(rnd.IntN(2)*unitSize+rnd.IntN(4)/3*wordSize)
			how := []string{"read", "read", "write", "write", "add"}[rnd.IntN(5)]
			space := []simt.Space{lds, global}[rnd.IntN(2)]
			exec := ^uint64(0) >> (64 - size)
			if rnd.IntN(3) == 0 {
				exec = 0xffff << (16 * rnd.IntN(2))
			}
			met, fence := rnd.IntN(8) == 0, rnd.IntN(4) == 0
			var lanes [2]uint64
			for i, w := range []*world{at, each} {
				w.found, w.reported = nil, map[place]bool{}
				if fence {
					w.Fence(w.waves[wave], simt.Fence{Order: simt.Acquire | simt.Release,
						Spaces: simt.AllSpaces})
				}
				if met {
					w.Opened(simt.Meeting{Waves: w.waves[wave].Group.Waves})
				}
				a := w.access(wave, uint64(step), space, first, how)
				w.waves[wave].Exec = exec
				for l := range size {
					a.Addr[l] = a.Addr[0] + uint64(l)*wordSize
				}
				for rest := exec; rest != 0; rest &^= a.Lanes {
					// Atomic ones are no rows: one that reads what another lane has written orders what comes
					// behind it, also in a lane that is next.
					if a.Lanes = rest; w == each && !a.Atomic {
						a.Lanes = rest & -rest
					}
					w.reported = map[place]bool{}
					w.Observe(a)
				}
				for _, r := range w.found {
					lanes[i] |= r.Lanes
				}
			}
			if lanes[0] != lanes[1] {
				t.Fatalf("step %d: %s by %#x of wave %d at %d: lanes %#x, each alone %#x", step, how, exec,
					wave, first, lanes[0], lanes[1])
			}
			if lanes[0] != 0 {
				found++
			}
		}
	}
	if found < 40 {
		t.Errorf("only %d races", found)
	}
}
