package gcn

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/check"
	"simtgdb/simt/native"
	"simtgdb/simt/simttest"
	"simtgdb/simt/vec"
	"simtgdb/testdata/sweep"
)

// A quietFollower wants to know of values, and of accesses only if it is told so.
type quietFollower struct {
	follower
	wants bool
}

func (*quietFollower) Follows() simt.Following                   { return simt.Following{Values: true} }
func (f *quietFollower) Wants(*simt.Wave, simt.Space, bool) bool { return f.wants }

// Observe says that some lanes read what nothing has written to, by where the first of them does.
func (f *quietFollower) Observe(a *simt.Access) bool {
	if a.Lanes != 0 {
		a.Blank |= a.Addr[bits.TrailingZeros64(a.Lanes)] / 8 & a.Lanes
	}
	return false
}

func (f *quietFollower) Used(u *simt.Use) bool {
	f.seen = append(f.seen, fmt.Sprintf("%#x %#x %s from %#x", u.PC, u.Lanes, u.Text, u.From))
	return false
}

// TestFollowedPathsAgree: of random streams that begin with registers without contents, translated code tells
// the same uses as code that is not, and leaves the same registers without contents.
func TestFollowedPathsAgree(t *testing.T) {
	was := vec.Current()
	defer vec.Use(was)
	used, translated := 0, uint64(0)
	for seed := range uint64(60) {
		var first *harness
		var told []string
		for _, p := range paths() {
			if !p.translated && first != nil {
				continue
			}
			h, f := newHarness(t, Targets()[seed%uint64(len(Targets()))]), &quietFollower{wants: seed%3 == 0}
			h.m.AddObserver(f)
			h.take(p)
			s := randomStream(h.isa, streamRows(h.isa), seed, 8+int(seed%20))
			s.begin(h)
			h.blank(rand.New(sweep.PCG(seed, 12)))
			if p.translated {
				h.core.valued = true
				h.translate()
			}
			for h.w.Insts < mostOfStream && h.w.State == simt.Ready {
				h.core.Run(h.w, mostOfStream-h.w.Insts)
			}
			if first == nil {
				first, told = h, f.seen
				used += len(told)
				continue
			}
			translated += h.core.counted.Insts
			if !slices.Equal(f.seen, told) {
				t.Fatalf("seed %d: %v tells %q, %v %q\n%s", seed, p, f.seen, paths()[0], told, s.text(h.isa))
			}
			if d := first.differsInBlank(h); d != "" && h.w.State != simt.Faulted {
				t.Fatalf("seed %d: %v: %s\n%s", seed, p, d, s.text(h.isa))
			}
		}
	}
	if used == 0 || translated == 0 {
		t.Errorf("%d uses, %d instructions translated", used, translated)
	}
}

// blank makes some registers of a wave such as nothing has been written to.
func (h *harness) blank(r *rand.Rand) {
	h.regs.follow = &follow{since: h.m.Followed()}
	s := &h.regs.follow.values
	for i := range streamVectors {
		if r.IntN(4) == 0 {
			s.setLanes(i, ^uint64(0), []uint64{all64, r.Uint64()}[r.IntN(2)]&h.regs.wide, codeBase)
		}
		if r.IntN(6) == 0 {
			p := piece{lanes: r.Uint64() & h.regs.wide, mere: r.Uint64()}
			for l := range p.bits {
				p.bits[l] = 1<<r.IntN(32) | uint32(0xff)<<(8*r.IntN(4))
			}
			s.setPart(i, &p, codeBase)
		}
	}
	for i := range streamScalars {
		if r.IntN(6) == 0 {
			s.scalars.empty[0] |= 1 << i
			s.setSome(i)
		}
	}
}

// differsInBlank says in which register without contents a wave differs from another, "" if in none.
func (h *harness) differsInBlank(o *harness) string {
	a, b := &h.regs.follow.values, &o.regs.follow.values
	for i := range a.lanes {
		if a.lanes[i] != b.lanes[i] {
			return fmt.Sprintf("v%d has nothing in %#x and %#x", i, a.lanes[i], b.lanes[i])
		}
		if p, q := a.parts.lanes[i], b.parts.lanes[i]; p != q {
			return fmt.Sprintf("of v%d a part has nothing in %#x and %#x", i, p, q)
		}
		for m := a.parts.lanes[i]; m != 0; m &= m - 1 {
			l, p, q := bits.TrailingZeros64(m), a.parts.of[i], b.parts.of[i]
			if p.bits[l] != q.bits[l] || (p.mere^q.mere)>>l&1 != 0 {
				return fmt.Sprintf("of v%d in lane %d bits %#x and %#x have nothing", i, l, p.bits[l],
					q.bits[l])
			}
		}
	}
	if a.masks != b.masks || a.scalars.empty != b.scalars.empty || a.some != b.some {
		return fmt.Sprintf("masks %v, scalar registers %#x of %#x and %v, %#x of %#x", a.masks,
			a.scalars.empty, a.some, b.masks, b.scalars.empty, b.some)
	}
	return ""
}

// TestFollowedAnew: where a wave begins, the same is known of registers as of the first one's, whatever is
// known of those of the wave before it.
func TestFollowedAnew(t *testing.T) {
	h := newHarness(t, "gfx90a")
	scalars := operand{kind: scalarReg, reg: 40, typ: b32}
	mask := operand{kind: scalarReg, reg: 42, typ: b64}
	in := &Inst{PC: codeBase}
	for what, leaves := range map[string]func(s *valueState){
		"nothing": func(*valueState) {},
		"lanes":   func(s *valueState) { s.setLanes(9, all64, 5, codeBase) },
		"a part":  func(s *valueState) { s.setPart(7, &piece{lanes: 3}, codeBase) },
		"a mask": func(s *valueState) {
			s.setMask(in, &mask, &valuesNow{kind: valueMask, lanes: 6}, 64)
		},
		"no mask": func(s *valueState) { s.setMask(in, &mask, &valuesNow{kind: valueCompare}, 64) },
		"a scalar": func(s *valueState) {
			s.setScalar(in, &scalars, &valuesNow{scalar: true, from: codeBase})
			s.setSome(40)
		},
		"SCC": func(s *valueState) { s.setSCC(true, codeBase) },
		"what is written": func(s *valueState) {
			s.setLanes(8, all64, 0, 0)
			s.setScalar(in, &scalars, &valuesNow{})
			s.setSome(40)
		},
	} {
		f, first := &follow{held: 16}, (&begun{}).values(8, h.w.Valid)
		f.begin(first)
		for range 2 {
			leaves(&f.values)
			f.begin(first)
			if got := f.values; got != *first {
				t.Errorf("behind a wave that leaves %s: %+v, not %+v", what, got, *first)
			}
		}
	}
}

// A usesSeer is a Seer that wants to know of values, too, and counts loads of four dwords that it is told of
// as loads, which code makes then.
type usesSeer struct {
	*simttest.Seer
	quietFollower
	loads int
}

func (s *usesSeer) Wants(w *simt.Wave, space simt.Space, write bool) bool {
	return s.Seer.Wants(w, space, write)
}

func (s *usesSeer) Observe(a *simt.Access) bool { return s.Seer.Observe(a) }

func (s *usesSeer) NotedLoads(w *simt.Wave, of *simt.Loads, pieces []simt.Piece) bool {
	if of.All[0].Size == 16 {
		s.loads++
	}
	return s.Seer.NotedLoads(w, of, pieces)
}

// TestScalarLoadsFollowed: of waves that load scalars while values are followed, observers are told the same
// of accesses by translated code, which makes these loads itself, as by the interpreter; and checkers of all
// kinds find the same, also where nothing has been written to what is loaded.
func TestScalarLoadsFollowed(t *testing.T) {
	seeds := sweep.Times(4, 16)
	for _, machine := range bulkMachines {
		loads, found := 0, 0
		var checked bulkCounts
		for seed := range uint64(seeds) {
			p := newScalarProgram(machine, seed)
			var seers [2]*usesSeer
			for k := range seers {
				seers[k] = &usesSeer{Seer: simttest.NewSeer(0)}
			}
			ends, stats, data := p.bothWays(t, machine, &bulkCounts{}, []simt.Observer{seers[0], seers[1]})
			if ends[0].Kind != ends[1].Kind || stats[0] != stats[1] || !slices.Equal(data[0], data[1]) {
				t.Fatalf("%s, program %d: %v %v, translated %v %v", machine, seed, ends[0].Kind, stats[0],
					ends[1].Kind, stats[1])
			}
			if d := seers[0].Differs(seers[1].Seer, ends[0].Kind == simt.EndEvent); d != "" {
				t.Fatalf("%s, program %d: %s", machine, seed, d)
			}
			loads += seers[1].loads
			kinds := []check.Kinds{check.All, check.Uninit, check.Bounds | check.Undefined}[seed%3]
			all := p.checkedBothWays(t, machine, kinds, seed%4 == 1, &checked)
			if found += len(all[0]); !slices.Equal(all[0], all[1]) {
				t.Fatalf("%s, program %d: %q, translated %q", machine, seed, all[0], all[1])
			}
		}
		bulk := checked.bulk.Load()
		t.Logf("%s: %d loads, %d waves in bulk, %d reports", machine, loads, bulk, found)
		if found == 0 || native.Available() && (loads < 20*seeds || bulk < int64(10*seeds)) {
			t.Errorf("%s: %d loads of scalars by code are told of, %d waves in bulk, %d reports", machine,
				loads, bulk, found)
		}
	}
}

// TestBulkLosesContents: of waves that begin one after the other in code one may use a register that those
// before it have written: it is told of that.
func TestBulkLosesContents(t *testing.T) {
	for _, machine := range bulkMachines {
		isa := newISA(t, machine, nil)
		c := laterCoderOf(isa, 0, 49)
		p := &bulkProgram{data: 9 * bulkRow, block: [3]uint32{uint32(isa.WaveSize()), 1, 1},
			kernel: Kernel{VGPRs: 32, SGPRs: 102, WaveSize: isa.WaveSize(), WorkgroupID: [3]bool{true}}}
		p.grid = [3]uint32{40 * p.block[0], 1, 1}
		p.begin(c)
		const reg = 9
		p.code = append(p.code, []uint32{0xbf060000 | srcLiteral<<8, 30 << groupBytes},
			c.sopp("s_cbranch_scc1", 1),
			[]uint32{0x7e000000 | reg<<17 | c.find(VOP1, "v_mov_b32")<<9 | 128},
			c.global("global_store_dword", reg), c.sopp("s_endpgm", 0))
		for _, kinds := range []check.Kinds{check.All, check.Uninit} {
			var n bulkCounts
			all := p.checkedBothWays(t, machine, kinds, false, &n)
			if p.foundAlike(t, machine, all); len(all[0]) != 1 {
				t.Errorf("%s: found %q", machine, all[0])
			}
			if bulk := n.bulk.Load(); native.Available() && bulk < 25 {
				t.Errorf("%s: %d waves in bulk", machine, bulk)
			}
		}
	}
}
