package rows

import (
	"math/rand/v2"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/simttest"
	"simtgdb/testdata/sweep"
)

// streams are what waves of a kernel do: accesses at addresses that are mostly as much further on as those of
// the wave before.
type streams struct {
	notes  []Note
	at, by [registers]uint64 // of each row, of the first wave, and from one wave to the next
	strays map[int]int       // waves, by their IDs, that do something else from one of the notes on
	lesser map[int]int       // that end at one of the notes
	lanes  map[int]uint64    // that have not all lanes
	starts map[int]bool      // that begin anew once they have done something
	uneven uint64            // lanes whose addresses are further on than others, in one row
}

func newStreams(r *rand.Rand, waves int) *streams {
	s := &streams{strays: map[int]int{}, lesser: map[int]int{}, lanes: map[int]uint64{},
		starts: map[int]bool{}}
	inst := int32(0)
	for range 1 + r.IntN(4) {
		var n Note
		for range 1 + r.IntN(4) {
			o := &Op{Kind: Load, Space: Global, D: 1, S: [3]Value{{Reg: r.Int32N(registers)}}, Size: 4,
				Offset: 4 * r.Int64N(100), Under: always}
			if r.IntN(4) == 0 {
				o.Kind = Store
			} else if r.IntN(6) == 0 {
				o.Size, o.Offset = 8, o.Offset&^7
			}
			n = append(n, NoteAccess{Inst: inst, Op: o})
			inst++
		}
		s.notes = append(s.notes, n)
	}
	for i := range s.at {
		s.at[i], s.by[i] = globalBase+0x10000*uint64(i), uint64(128*r.IntN(3))
		if r.IntN(5) == 0 {
			s.by[i] = -s.by[i]
		}
	}
	if r.IntN(3) > 0 {
		for range r.IntN(3) {
			s.strays[r.IntN(waves)] = r.IntN(len(s.notes))
			s.lesser[r.IntN(waves)] = r.IntN(len(s.notes))
			s.lanes[r.IntN(waves)] = 1<<r.IntN(Lanes) - 1 | 1
			s.starts[r.IntN(waves)] = true
		}
	}
	if r.IntN(8) == 0 {
		s.uneven = r.Uint64()
	}
	return s
}

// active are the lanes of a wave.
func (s *streams) active(id int) uint64 {
	if lanes, ok := s.lanes[id]; ok {
		return lanes
	}
	return 1<<Lanes - 1
}

// each gives the notes of a wave with its rows; again is called where it begins anew.
func (s *streams) each(id int, again func(), give func(n Note, rows []uint64)) {
	rows := make([]uint64, registers*Lanes)
	fill := func(further uint64) {
		for i := range rows {
			reg, l := i/Lanes, uint64(i%Lanes)
			rows[i] = s.at[reg] + uint64(id)*s.by[reg] + further + 4*l
			if reg == 0 && s.uneven>>l&1 != 0 {
				rows[i] += 1024 * uint64(id)
			}
		}
	}
	if s.starts[id] {
		again()
	}
	fill(0)
	for i, n := range s.notes {
		if at, ok := s.strays[id]; ok && at == i {
			fill(4)
		}
		if at, ok := s.lesser[id]; ok && at == i {
			return
		}
		give(n, rows)
	}
}

// TestForeseenWaves: of waves in bulk observers are told what they are told where nothing is foreseen, or
// work it out themselves where the waves do as those before them, each as much further on; if one does not,
// they are told of all that it has done.
func TestForeseenWaves(t *testing.T) {
	foreseen := 0
	for seed := range uint64(sweep.Times(120, 5000)) {
		r := rand.New(sweep.PCG(seed, 52))
		perGroup, groups := 1+r.IntN(6), 1+r.IntN(8)
		refuses := uint64(0)
		if r.IntN(6) == 0 {
			refuses = 1 << r.IntN(16)
		}
		s := newStreams(r, perGroup*groups)
		var seers [2]*simttest.Seer
		for k := range seers {
			seers[k] = simttest.NewSeer(refuses)
			m, err := simt.New(simt.NewMemory(), &rowISA{}, simt.Dispatch{
				Grid:  [3]uint32{uint32(perGroup * groups * Lanes), 1, 1},
				Block: [3]uint32{uint32(perGroup * Lanes), 1, 1}})
			if err != nil {
				t.Fatal(err)
			}
			m.AddObserver(seers[k])
			c := &rowCore{isa: &rowISA{}, m: m}
			var f Foresight
			g := &simt.Workgroup{Index: -1}
			for group := range groups {
				m.PlaceGroupBehind(g)
				if group%3 == 0 { // as many as are executed at once
					f.End()
					f.Begin(m, true)
				}
				for index := range perGroup {
					c.streams(&f, s, g, index, perGroup*(3-group%3)-index, k > 0)
				}
			}
			f.End()
			if k > 0 {
				foreseen += seers[k].Foretold
			}
		}
		if d := seers[0].Differs(seers[1], true); d != "" {
			t.Fatalf("seed %d: %s", seed, d)
		}
	}
	if t.Logf("%d waves foreseen", foreseen); foreseen < 300 {
		t.Error("too few to tell")
	}
}

// streams tells of a wave of a workgroup, of which there are some from it on, unless it is foreseen.
func (c *rowCore) streams(f *Foresight, s *streams, g *simt.Workgroup, index, rest int, foresees bool) {
	id := c.m.FirstWave(g) + index
	active := s.active(id)
	var now *simt.Wave
	told := func() *simt.Wave {
		if now == nil {
			now = c.m.BulkWave(g, index)
			f.Tell(now, Lanes)
		}
		return now
	}
	if !foresees || !f.Wave(id, active, rest) {
		told()
	}
	again := func() { // what it has done till then is told of twice, where it is told of
		if foresees {
			f.Again()
		}
	}
	s.each(id, again, func(n Note, rows []uint64) {
		if now != nil || !f.Foresaw(n, active, rows, Lanes) {
			var keep *Told
			if told(); foresees {
				keep = f.Now()
			}
			c.tell(n, now, active, rows, nil, keep, false)
		}
	})
	if !foresees || !f.Ended() {
		c.m.EndedInBulk(told())
		if foresees {
			f.Told(Lanes)
		}
	}
}
