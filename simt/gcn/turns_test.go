package gcn

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/check"
	"simtgdb/simt/native"
	"simtgdb/simt/simttest"
	"simtgdb/simt/vec"
	"simtgdb/testdata/sweep"
)

// newTurnProgram makes a kernel whose waves meet in a loop, and mostly do there what they did some turns
// before.
func newTurnProgram(machine string, seed uint64) *bulkProgram {
	isa := newISA(&testing.T{}, machine, nil)
	c := laterCoderOf(isa, seed, 37)
	p := &bulkProgram{lds: ldsSize, data: (9 - 3*c.IntN(3)) * bulkRow, kernel: Kernel{VGPRs: 32, SGPRs: 102,
		WaveSize: isa.WaveSize(), WorkgroupID: [3]bool{true}, Spread: c.IntN(4) == 0}}
	literal, scalar := p.coder(c)
	p.begin(c)
	scalar(streamMask, 0xf0f0ffff)
	scalar(streamMask+1, ^uint32(0))
	scalar(streamCounter, uint32(6+c.IntN(20)))
	p.code = append(p.code, c.firstPlace())
	top := len(p.code)
	p.top = top
	for range 1 + c.IntN(3) {
		for range 1 + c.IntN(6) {
			c.addToTurn(p, literal)
		}
		p.code = append(p.code, c.sopp("s_barrier", 0))
	}
	p.loop(c, top)
	if c.IntN(3) > 0 {
		p.code = append(p.code, c.global("global_store_dword", 4))
	}
	p.code = append(p.code, c.sopp("s_endpgm", 0))
	p.block = [3]uint32{64 * uint32(1+c.IntN(4)), 1, 1}
	if c.IntN(8) == 0 {
		p.block[0] -= 20
	}
	p.grid = [3]uint32{p.block[0] * uint32(2+c.IntN(5)), 1, 1}
	return p
}

// loop has the instructions from one on execute as often as the counter says.
func (p *bulkProgram) loop(c *laterCoder, top int) {
	size := 3
	for _, w := range p.code[top:] {
		size += len(w)
	}
	p.code = append(p.code, []uint32{0x80808100 | streamCounter<<16 | streamCounter},
		[]uint32{0xbf078000 | streamCounter}, c.sopp("s_cbranch_scc1", -size))
}

// addToTurn adds what a wave does in a turn.
func (c *laterCoder) addToTurn(p *bulkProgram, literal adder) {
	shared := func(code uint32) []uint32 {
		at := uint32(c.IntN(4)) * 64
		if code&1 == 0 && code < 0x30 || code == 0x37 { // of two places
			at = uint32(c.IntN(8)) | uint32(c.IntN(64))<<8
		}
		return c.shared(code, at, uint32(2+2*c.IntN(4))<<24|uint32(c.IntN(8))<<16|uint32(c.IntN(8))<<8)
	}
	waits := []int{0, 0xc07f, 0xfc07, 0x0f70}
	switch c.IntN(17) {
	case 0, 1, 2:
		p.code = append(p.code, c.global("global_load_dword", uint32(c.IntN(8))))
	case 3, 4, 5:
		literal(VOP2, "v_add_u32", streamGlobal<<17|streamGlobal<<9, uint32(c.IntN(4))<<(2*c.IntN(6)))
	case 6, 7:
		p.code = append(p.code, shared(0x0d+uint32(c.IntN(2))))
	case 8, 9, 10:
		p.code = append(p.code, shared(0x36+uint32(c.IntN(2))))
	case 11, 12:
		p.code = append(p.code, c.sopp("s_waitcnt", waits[c.IntN(len(waits))]))
	case 13: // there and back
		p.code = append(p.code, c.moveLDS())
	case 14:
		if c.IntN(6) == 0 {
			p.code = append(p.code, c.setExec(execs[c.IntN(2)]))
		}
	case 15:
		for range 1 + c.IntN(2) {
			p.code = append(p.code, c.invalidate())
		}
	default:
		compare := []uint32{0xbf068000 | uint32(1+c.IntN(20))<<8 | streamCounter} // once only
		if c.IntN(3) == 0 {                                                       // of one wave
			first := 4 * uint32(c.isa.WaveSize()*c.IntN(4))
			compare = []uint32{0xbf060000 | srcLiteral<<8 | streamWave, first}
		}
		words := shared(0x0d)
		if c.IntN(2) == 0 {
			words = c.moveLDS()
		}
		p.code = append(p.code, compare, c.sopp("s_cbranch_scc0", len(words)), words)
	}
}

// streamWave is a scalar register with the place in LDS of the first lane of a wave.
const streamWave = streamCounter + 1

// firstPlace gives that register that place.
func (c *laterCoder) firstPlace() []uint32 {
	return []uint32{0x7e000000 | streamWave<<17 | c.find(VOP1, "v_readfirstlane_b32")<<9 | 256 + streamLDS}
}

// moveLDS moves the place of each lane in LDS, and the next time back.
func (c *laterCoder) moveLDS() []uint32 {
	return []uint32{c.find(VOP2, "v_xor_b32")<<25 | streamLDS<<17 | streamLDS<<9 | srcLiteral, 4 << c.IntN(8)}
}

// shared accesses the place of each lane in LDS, some bytes further on; registers are the others'.
func (c *laterCoder) shared(code, at, registers uint32) []uint32 {
	shift := 17
	if c.isa.Target.IsLater() {
		shift = 18
	}
	return []uint32{0xd8<<24 | code<<shift | at, registers | streamLDS}
}

// invalidate makes what others have written visible.
func (c *laterCoder) invalidate() []uint32 {
	names := []string{"buffer_wbinvl1", "buffer_wbinvl1_vol"}
	switch on := c.isa.Target; {
	case on.IsLater():
		names = []string{gl0Invalidate, "buffer_gl1_inv"}
	case on&gfx942P != 0:
		names = []string{"buffer_inv"}
	}
	return []uint32{0xe0000000 | c.find(MUBUF, names[c.IntN(len(names))])<<18, 0}
}

// invalidates reports whether an instruction does that: it is the only one of its encoding.
func invalidates(words []uint32) bool { return words[0]>>26 == 0xe0>>2 }

// TestTurnsForeseen: of turns of workgroups observers are told what they are told where code is interpreted,
// or work it out themselves where code says that they can; and the waves do the same.
func TestTurnsForeseen(t *testing.T) {
	foreseen, invalidating, seeds := 0, 0, sweep.Times(8, 24)
	withTurns(t, uint64(seeds), func(machine string, p *bulkProgram, seed uint64) {
		var seers [2]*simttest.TurnSeer
		for k := range seers {
			refuses, room := uint64(0), 0
			if seed%3 > 0 {
				room = 64
			}
			if seed%8 == 7 {
				refuses = 1 << (seed * 5 % 64)
			}
			seers[k] = simttest.NewTurnSeer(refuses, room, func(text string) { t.Fatal(text) })
		}
		var n bulkCounts
		ends, stats, data := p.bothWays(t, machine, &n, []simt.Observer{seers[0], seers[1]})
		what := fmt.Sprintf("%s, %v in %v\n%s", machine, p.grid, p.block,
			(&stream{code: p.code}).text(newISA(t, machine, nil)))
		if stats[0] != stats[1] || ends[0].Kind != ends[1].Kind || !bytes.Equal(data[0], data[1]) {
			t.Fatalf("%v %v, foreseen %v %v, the same memory: %v: %s", ends[0].Kind, stats[0], ends[1].Kind,
				stats[1], bytes.Equal(data[0], data[1]), what)
		}
		if d := seers[0].Differs(&seers[1].Seer, ends[0].Kind == simt.EndEvent); d != "" {
			t.Fatalf("%s: %s", d, what)
		}
		foreseen += seers[1].Foretold
		if slices.ContainsFunc(p.code, invalidates) {
			invalidating += seers[1].Foretold
		}
	})
	t.Logf("%d turns of waves were foreseen, %d of kernels with invalidations", foreseen, invalidating)
	if native.Available() && (foreseen < 80*seeds || invalidating < 20*seeds) {
		t.Error("too few to tell")
	}
}

// withTurns gives programs of all machines whose waves meet.
func withTurns(t *testing.T, seeds uint64, each func(machine string, p *bulkProgram, seed uint64)) {
	was, panics := vec.Current(), simt.LetPanic
	simt.LetPanic = true
	defer func() {
		vec.Use(was)
		simt.LetPanic = panics
	}()
	for i, machine := range teamMachines {
		for seed := range seeds {
			paths := vec.Paths() // the last are AVX2 and AVX-512 where there are both
			vec.Use(paths[len(paths)-1-int(seed)%min(2, len(paths))])
			each(machine, newTurnProgram(machine, uint64(i)<<8+seed), seed)
		}
	}
}

// TestRacesInTurns: the same races are found whether turns are foreseen or told of.
func TestRacesInTurns(t *testing.T) {
	found, seeds := 0, sweep.Times(8, 24)
	withTurns(t, uint64(seeds), func(machine string, p *bulkProgram, _ uint64) {
		all := p.checkedBothWays(t, machine, check.Race|check.Barrier, false, &bulkCounts{})
		found += len(all[0])
		p.foundAlike(t, machine, all)
	})
	if t.Logf("%d races", found); found < 4*seeds {
		t.Error("too few to tell")
	}
}

// foundAlike compares what was found in a program where turns were told of and where they were foreseen.
func (p *bulkProgram) foundAlike(t *testing.T, machine string, all [2][]string) {
	t.Helper()
	if !slices.Equal(all[0], all[1]) {
		t.Errorf("interpreted\n%s\nforeseen\n%s\n%s, %v in %v\n%s", strings.Join(all[0], "\n"),
			strings.Join(all[1], "\n"), machine, p.grid, p.block,
			(&stream{code: p.code}).text(newISA(t, machine, nil)))
	}
}

// fill has a program write to all of LDS, and to the registers that are stored there from one on, before its
// loop.
func (p *bulkProgram) fill(isa *ISA, first uint32) {
	c := &laterCoder{isa: isa}
	var fills [][]uint32
	for reg := first; reg < 10; reg++ {
		fills = append(fills, []uint32{0x7e000000 | reg<<17 | c.find(VOP1, "v_mov_b32")<<9 | 128})
	}
	const store, row = 0x0d, 256
	for at := uint32(0); at+4*p.block[0] <= ldsSize; at += row {
		fills = append(fills, c.shared(store, at, 0), c.sopp("s_waitcnt", 0), c.sopp("s_barrier", 0))
	}
	p.code = slices.Insert(p.code, p.top, fills...)
}

// TestTurnsFollowed: turns are foreseen as well while it is followed what registers contain, what addresses
// are meant for and what is undefined; and checkers find the same.
func TestTurnsFollowed(t *testing.T) {
	foreseen, found, seeds := 0, 0, sweep.Times(4, 8)
	var checked bulkCounts
	withTurns(t, uint64(seeds), func(machine string, p *bulkProgram, seed uint64) {
		p.fill(newISA(t, machine, nil), []uint32{1, 1, 4, 5}[seed%4])
		var seers [2]simttest.TurnFollower
		for k := range seers {
			seers[k] = simttest.TurnFollower{Objects: true,
				TurnSeer: simttest.NewTurnSeer(0, 64, func(text string) { t.Fatal(text) })}
		}
		ends, stats, data := p.bothWays(t, machine, &bulkCounts{}, []simt.Observer{seers[0], seers[1]})
		d := seers[0].Differs(&seers[1].Seer, ends[0].Kind == simt.EndEvent)
		if d != "" || stats[0] != stats[1] || !bytes.Equal(data[0], data[1]) {
			t.Fatalf("%s, %v, foreseen %v: %s, %v in %v\n%s", d, stats[0], stats[1], machine, p.grid,
				p.block, (&stream{code: p.code}).text(newISA(t, machine, nil)))
		}
		foreseen += seers[1].Foretold
		all := p.checkedBothWays(t, machine, check.All, false, &checked)
		found += len(all[0])
		p.foundAlike(t, machine, all)
	})
	t.Logf("%d turns of waves were foreseen, %d of workgroups while it was checked; %d found", foreseen,
		checked.rounds.Load(), found)
	few := native.Available() && (foreseen < 120*seeds || checked.rounds.Load() < int64(5*seeds))
	if few || found < 10*seeds {
		t.Error("too few to tell")
	}
}

// TestTurnsLoseContents: where waves store what has no contents amid turns that are foreseen, it is told of
// who loads that, and not before.
func TestTurnsLoseContents(t *testing.T) {
	for _, machine := range teamMachines {
		p := newMeetingLoop(machine, 1, func(c *laterCoder, p *bulkProgram) {
			_, scalar := p.coder(c)
			scalar(streamCounter, 40)
			p.top = len(p.code)
		}, func(c *laterCoder, p *bulkProgram) {
			store := c.shared(0x0d, 0, 12<<8)
			p.code = append(p.code, c.shared(0x0d, 0, 0), c.global("global_load_dword", 2),
				[]uint32{0xbf068000 | uint32(128+20)<<8 | streamCounter},
				c.sopp("s_cbranch_scc0", len(store)), store, c.sopp("s_waitcnt", 0),
				c.sopp("s_barrier", 0), c.shared(0x36, 0, 4<<24), c.sopp("s_waitcnt", 0))
		})
		p.fill(newISA(t, machine, nil), 1)
		var n bulkCounts
		all := p.checkedBothWays(t, machine, check.All, false, &n)
		p.foundAlike(t, machine, all)
		if len(all[0]) != 1 || !strings.HasPrefix(all[0][0], check.Uninit.String()) {
			t.Errorf("%s: found %q", machine, all[0])
		}
		if got := n.rounds.Load(); native.Available() && got < 30 {
			t.Errorf("%s: %d turns of workgroups were foreseen", machine, got)
		}
	}
}

// checkedBothWays is what checkers of some kinds find where a program is interpreted and where it is not. Its
// data may be nothing that has been written.
func (p *bulkProgram) checkedBothWays(t *testing.T, machine string, kinds check.Kinds, blank bool,
	n *bulkCounts) (all [2][]string) {
	t.Helper()
	for k := range all {
		m, _ := p.machine(t, machine, n)
		m.Interpret = k == 0
		c := check.New(m, kinds)
		c.Sink = func(r *check.Report) bool {
			line := fmt.Sprintf("%v %#x of wave %d: %s, %v", r.Kind, r.PC, r.Wave.ID, r.What, r.Others)
			all[k] = append(all[k], line)
			return false
		}
		if blank {
			c.Blank(m.Mem.Find(dataBase))
		}
		c.Attach()
		if _, err := m.Run(context.Background(), 1); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// newMeetingLoop makes a kernel of workgroups of 128 work-items, whose waves meet as often as the counter
// says, and have their next place of global memory each time.
func newMeetingLoop(machine string, groups int, sets func(c *laterCoder, p *bulkProgram),
	does func(c *laterCoder, p *bulkProgram)) *bulkProgram {
	isa := newISA(&testing.T{}, machine, nil)
	c := laterCoderOf(isa, 0, 47)
	p := &bulkProgram{lds: ldsSize, data: 9 * bulkRow, block: [3]uint32{128, 1, 1},
		grid:   [3]uint32{uint32(groups) * 128, 1, 1},
		kernel: Kernel{VGPRs: 32, SGPRs: 102, WaveSize: isa.WaveSize(), WorkgroupID: [3]bool{true}}}
	literal, _ := p.coder(c)
	p.begin(c)
	sets(c, p)
	top := len(p.code)
	literal(VOP2, "v_add_u32", streamGlobal<<17|streamGlobal<<9, 4)
	does(c, p)
	p.code = append(p.code, c.sopp("s_barrier", 0))
	p.loop(c, top)
	p.code = append(p.code, c.sopp("s_endpgm", 0))
	return p
}

// seeTurns runs a kernel interpreted and translated, and gives how many turns of workgroups were foreseen,
// and how often that was asked for.
func (p *bulkProgram) seeTurns(t *testing.T, machine string) (foreseen, asked int) {
	t.Helper()
	var seers [2]*simttest.TurnSeer
	for k := range seers {
		seers[k] = simttest.NewTurnSeer(0, 64, func(text string) { t.Fatal(text) })
	}
	var n bulkCounts
	p.bothWays(t, machine, &n, []simt.Observer{seers[0], seers[1]})
	if d := seers[0].Differs(&seers[1].Seer, true); d != "" {
		t.Fatalf("%s: %s", machine, d)
	}
	return seers[1].Foretold / (int(p.block[0]) / newISA(t, machine, nil).WaveSize()), seers[1].Asked
}

// TestTurnsOfSome: where what is kept of turns is of use for every other workgroup, it is kept again soon
// after it was of none.
func TestTurnsOfSome(t *testing.T) {
	for _, machine := range sweep.Some(3, teamMachines...) {
		p := newMeetingLoop(machine, 128, func(c *laterCoder, p *bulkProgram) {
			sop2 := func(name string, src, with uint32) {
				code := c.find(SOP2, name)
				p.code = append(p.code, []uint32{0x80000000 | code<<23 | streamCounter<<16 | with<<8 | src})
			}
			literal, _ := p.coder(c)
			literal(SOP1, "s_mov_b32", 0xbe800000|streamCounter<<16, 1<<groupBytes)
			sop2("s_and_b32", streamCounter, 0)
			sop2("s_lshr_b32", streamCounter, 128+groupBytes-5)
			sop2("s_add_u32", streamCounter, 130) // 2 or 34 times
		}, func(c *laterCoder, p *bulkProgram) {
			p.code = append(p.code, c.global("global_load_dword", 2), c.shared(0x36, 0, 1<<24),
				c.sopp("s_waitcnt", 0xc07f))
		})
		if got, _ := p.seeTurns(t, machine); native.Available() && got < 700 {
			t.Errorf("%s: %d turns of workgroups were foreseen", machine, got)
		}
	}
}

// TestTurnsInvalidate: where waves wait, make caches invalid and go on, that is foreseen.
func TestTurnsInvalidate(t *testing.T) {
	for _, machine := range teamMachines {
		p := newMeetingLoop(machine, 2, func(c *laterCoder, p *bulkProgram) {
			_, scalar := p.coder(c)
			scalar(streamCounter, 40)
		}, func(c *laterCoder, p *bulkProgram) {
			p.code = append(p.code, c.global("global_load_dword", 2), c.sopp("s_waitcnt", 0), c.invalidate(),
				c.shared(0x36, 0, 1<<24), c.sopp("s_waitcnt", 0))
		})
		if got, _ := p.seeTurns(t, machine); native.Available() && got < 50 {
			t.Errorf("%s: %d turns that make caches invalid were foreseen", machine, got)
		}
	}
}

// TestTurnsMove: where waves load from another place of LDS than before, in some turns or one of them in
// every other turn, they are not foreseen to load from the same.
func TestTurnsMove(t *testing.T) {
	for _, machine := range teamMachines {
		isa := newISA(t, machine, nil)
		c := &laterCoder{isa: isa}
		xor := c.find(VOP2, "v_xor_b32")<<25 | streamLDS<<17 | streamLDS<<9
		const far = 1024 // from what any lane loads, or another could load what this one did
		for _, moves := range [][][]uint32{
			{{0x80000000 | c.find(SOP2, "s_and_b32")<<23 | (streamWave+1)<<16 | (128+8)<<8 | streamCounter},
				{0x80000000 | c.find(SOP2, "s_lshl_b32")<<23 | (streamWave+1)<<16 | (128+7)<<8 |
					(streamWave + 1)},
				{xor | (streamWave + 1)}},
			{{0xbf068000 | streamWave}, c.sopp("s_cbranch_scc0", 2), {xor | srcLiteral, far}},
		} {
			p := newMeetingLoop(machine, 1, func(c *laterCoder, p *bulkProgram) {
				_, scalar := p.coder(c)
				scalar(streamCounter, 40)
				p.code = append(p.code, c.firstPlace())
			}, func(c *laterCoder, p *bulkProgram) {
				p.code = append(append(p.code, moves...), c.shared(0x36, 0, 1<<24), c.sopp("s_waitcnt", 0))
			})
			if got, _ := p.seeTurns(t, machine); native.Available() && got < 5 {
				t.Errorf("%s: %d turns were foreseen", machine, got)
			}
		}
	}
}

// TestTurnsOfSomeLanes: what waves do while lanes are off is told of: a store that is made in some turns, and
// loads, in whose turns nobody is asked to foresee any.
func TestTurnsOfSomeLanes(t *testing.T) {
	for _, machine := range teamMachines {
		loop := func(ends ...[]uint32) *bulkProgram {
			return newMeetingLoop(machine, 2, func(c *laterCoder, p *bulkProgram) {
				_, scalar := p.coder(c)
				scalar(streamCounter, 60)
				scalar(streamMask, 0xf0f0ffff)
				scalar(streamMask+1, ^uint32(0))
			}, func(c *laterCoder, p *bulkProgram) {
				p.code = append(p.code, c.global("global_load_dword", 2), c.shared(0x36, 0, 1<<24),
					c.sopp("s_waitcnt", 0xc07f), c.setExec(streamMask))
				p.code = append(p.code, ends...)
				p.code = append(p.code, c.setExec(193), c.sopp("s_waitcnt", 0))
			})
		}
		c := laterCoderOf(newISA(t, machine, nil), 0, 47)
		const at = streamWave + 1
		store := c.shared(0x0d, 0, 0)
		and := c.find(SOP2, "s_and_b32")
		some := loop([]uint32{0x80000000 | and<<23 | at<<16 | (128+60)<<8 | streamCounter},
			[]uint32{0xbf068000 | (128+24)<<8 | at}, c.sopp("s_cbranch_scc0", len(store)), store)
		got, _ := some.seeTurns(t, machine)
		// Code for waves of 32 lanes is left where lanes are turned off.
		if native.Available() && c.isa.WaveSize() > laterWave && got < 50 {
			t.Errorf("%s: %d turns were foreseen, of which some store", machine, got)
		}
		if _, asked := loop(c.shared(0x36, 0, 4<<24)).seeTurns(t, machine); asked > 0 {
			t.Errorf("%s: it was asked %d times to foresee turns that load with lanes off", machine, asked)
		}
	}
}
