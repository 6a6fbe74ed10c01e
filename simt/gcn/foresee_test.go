package gcn

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/native"
	"simtgdb/simt/simttest"
	"simtgdb/simt/vec"
	"simtgdb/testdata/sweep"
)

// TestForeseen: of waves in bulk observers are told what they are told of waves that are made, or work it out
// themselves where code says that they can; and the waves do the same.
func TestForeseen(t *testing.T) {
	was, panics := vec.Current(), simt.LetPanic
	simt.LetPanic = true
	defer func() {
		vec.Use(was)
		simt.LetPanic = panics
	}()
	foreseen, bulk := 0, bulkCounts{}
	for i, machine := range bulkMachines {
		for seed := range uint64(8) {
			paths := vec.Paths() // the last are AVX2 and AVX-512 where there are both
			vec.Use(paths[len(paths)-1-int(seed)%min(2, len(paths))])
			p := newBulkProgram(machine, uint64(i)<<8+seed+400, seed%3 == 0, nobodyMeets)
			if seed < 6 {
				p.scratch, p.block[0] = 0, []uint32{64, 256, 256}[p.block[0]%3] // waves at even distances
				p.grid[0] = 40 * p.block[0]
			}
			foreseen += p.seeAlike(t, machine, []uint64{0, 0, 0, 1 << (seed * 5 % 64)}[seed%4], &bulk)
		}
	}
	if native.Available() && foreseen < 60 {
		t.Errorf("%d waves were foreseen, of %d in bulk: too few to tell", foreseen, bulk.bulk.Load())
	}
}

// seeAlike runs a program interpreted and in bulk, with observers who want to know of some accesses when they
// happen. It says how many waves have been foreseen.
func (p *bulkProgram) seeAlike(t *testing.T, machine string, refuses uint64, n *bulkCounts) int {
	t.Helper()
	seers := [2]*simttest.Seer{simttest.NewSeer(refuses), simttest.NewSeer(refuses)}
	ends, stats, data := p.bothWays(t, machine, n, []simt.Observer{seers[0], seers[1]})
	what := fmt.Sprintf("%s, %v in %v\n%s", machine, p.grid, p.block,
		(&stream{code: p.code}).text(newISA(t, machine, nil)))
	if stats[0] != stats[1] || ends[0].Kind != ends[1].Kind || !bytes.Equal(data[0], data[1]) {
		t.Fatalf("%v %v, in bulk %v %v, the same memory: %v: %s", ends[0].Kind, stats[0], ends[1].Kind,
			stats[1], bytes.Equal(data[0], data[1]), what)
	}
	if d := seers[0].Differs(seers[1], ends[0].Kind == simt.EndEvent); d != "" {
		t.Fatalf("%s: %s", d, what)
	}
	return seers[1].Foretold
}

// TestScalarLoadsForeseen is TestForeseen for waves that load scalars from what observers mind: at addresses
// that are their workgroup's, where one of the workgroups does something else.
func TestScalarLoadsForeseen(t *testing.T) {
	seeds := sweep.Times(8, 16) // each kind, both ways
	for _, machine := range bulkMachines {
		foreseen, bulk := [2]int{}, bulkCounts{}
		for seed := range uint64(seeds) { // some add a register to the address
			p := newScalarProgram(machine, seed)
			foreseen[seed%2] += p.seeAlike(t, machine, 0, &bulk)
		}
		if native.Available() && slices.Min(foreseen[:]) < 9*seeds {
			t.Errorf("%s: %d waves were foreseen, of %d in bulk", machine, foreseen, bulk.bulk.Load())
		}
	}
}

// newScalarProgram makes one of workgroups of one wave or several, one of which executes fewer lanes or ends
// where the others do not, or behind one of which none waits where those before it do.
func newScalarProgram(machine string, seed uint64) *bulkProgram {
	isa := newISA(&testing.T{}, machine, nil)
	c := laterCoderOf(isa, seed, 43)
	p := &bulkProgram{data: 9 * bulkRow, block: [3]uint32{uint32(isa.WaveSize()), 1, 1},
		kernel: Kernel{VGPRs: 32, SGPRs: 102, WaveSize: isa.WaveSize(), WorkgroupID: [3]bool{true}}}
	if seed%2 == 1 {
		p.block[0] = 256
	}
	p.grid = [3]uint32{60 * p.block[0], 1, 1}
	p.begin(c)
	kind := seed / 2 % 4
	once := [][]uint32{c.sopp("s_endpgm", 0), c.sopp("s_waitcnt", 0xc07f), c.setExec(129),
		c.sopp("s_waitcnt", 0x0f70)}[kind]
	before := c.IntN(2) == 0
	compare, last := "s_cmp_eq_u32", c.sopp("s_waitcnt", 0)
	if kind%2 == 1 { // those up to that one wait, and nothing waits in the end
		compare, last, before = "s_cmp_le_u32", nil, kind == 1
	}
	guarded := func(now bool) {
		if now == before { // both ways jump to what follows, which is the same code for both
			p.code = append(p.code, c.sopp("s_cbranch_scc0", len(once)+1), once, c.sopp("s_branch", 1),
				c.sopp("s_branch", 0))
		}
	}
	addGroup := 0x80000000 | c.find(SOP2, "s_add_u32")<<23 | streamBase<<16 | streamBase
	p.code = append(p.code, []uint32{addGroup},
		[]uint32{0xbf000000 | c.find(SOPC, compare)<<16 | srcLiteral<<8, 20 << groupBytes},
		c.scalarMemory(isa.tables.rows[SMEM][c.find(SMEM, "s_load_dwordx4")], false),
		c.global("global_load_dword", 1))
	guarded(true)
	p.code = append(p.code, c.global("global_store_dword", 2))
	guarded(false)
	p.code = append(p.code, last, c.sopp("s_endpgm", 0))
	return p
}

// TestForeseenFar: where one workgroup of many accesses what is 4 GB further on than what others do,
// observers are told of that.
func TestForeseenFar(t *testing.T) {
	for _, machine := range bulkMachines {
		isa := newISA(t, machine, nil)
		c := laterCoderOf(isa, 0, 48)
		p := &bulkProgram{data: 9 * bulkRow, far: true, block: [3]uint32{uint32(isa.WaveSize()), 1, 1},
			kernel: Kernel{VGPRs: 32, SGPRs: 102, WaveSize: isa.WaveSize(), WorkgroupID: [3]bool{true}}}
		p.grid = [3]uint32{40 * p.block[0], 1, 1}
		p.begin(c)
		p.code = append(p.code, []uint32{0xbf060000 | srcLiteral<<8, 20 << groupBytes},
			[]uint32{0x80000000 | c.find(SOP2, "s_cselect_b32")<<23 | streamWave<<16 | 128<<8 | 129},
			[]uint32{0x7e000000 | (streamGlobal+1)<<17 | c.find(VOP1, "v_mov_b32")<<9 | streamWave},
			c.global("global_load_dword", 2), c.sopp("s_waitcnt", 0), c.global("global_store_dword", 2),
			c.sopp("s_endpgm", 0))
		if foreseen := p.seeAlike(t, machine, 0, &bulkCounts{}); native.Available() && foreseen < 25 {
			t.Errorf("%s: %d waves were foreseen", machine, foreseen)
		}
	}
}

// TestFurther: of a row of addresses it is known for how many waves more it goes on as it did, all lanes as
// much further on: as long as none of them comes past 32 bits, one way or the other.
func TestFurther(t *testing.T) {
	const lanes, all = 4, math.MaxInt32
	for _, c := range []struct {
		name     string
		was, now [lanes]uint32
		base     [2]uint64 // before, and now
		high     [2]uint32
		want     int    // waves
		by       int32  // how much further on it is each time,
		baseBy   uint64 // and what it is added to
	}{
		{name: "the same", was: [lanes]uint32{1, 2, 3, 4}, now: [lanes]uint32{1, 2, 3, 4}, want: all},
		{name: "further on", was: [lanes]uint32{0, 4, 8, 12}, now: [lanes]uint32{256, 260, 264, 268}, by: 256,
			want: (1<<32 - 1 - 268) / 256},
		{name: "near the end", was: [lanes]uint32{1<<32 - 300, 1<<32 - 196, 0, 0},
			now: [lanes]uint32{1<<32 - 200, 1<<32 - 96, 100, 100}, by: 100, want: 0},
		{name: "up to the end", was: [lanes]uint32{1<<32 - 300, 1<<32 - 301, 0, 0},
			now: [lanes]uint32{1<<32 - 200, 1<<32 - 201, 100, 100}, by: 100, want: 1},
		{name: "back", was: [lanes]uint32{1000, 1004, 1008, 1012}, now: [lanes]uint32{900, 904, 908, 912},
			by: -100, want: 9},
		{name: "back to the beginning", was: [lanes]uint32{300, 301, 302, 1000},
			now: [lanes]uint32{200, 201, 202, 900}, by: -100, want: 2},
		{name: "back beyond it", was: [lanes]uint32{199, 301, 302, 1000},
			now: [lanes]uint32{99, 201, 202, 900}, by: -100, want: 0},
		{name: "one lane otherwise", was: [lanes]uint32{0, 4, 8, 12}, now: [lanes]uint32{256, 260, 264, 269}},
		{name: "another upper half", was: [lanes]uint32{0, 4, 8, 12}, now: [lanes]uint32{256, 260, 264, 268},
			high: [2]uint32{1, 2}},
		{name: "another base", base: [2]uint64{64, 192}, want: all, baseBy: 128},
		{name: "another base by a part of a dword", base: [2]uint64{64, 66}},
	} {
		var was, now toldRow
		was.base, now.base = c.base[0], c.base[1]
		for l := range lanes {
			was.low[l], now.low[l] = c.was[l], c.now[l]
			was.high[l], now.high[l] = c.high[0], c.high[1]
		}
		now.low[lanes] = 77 // which the wave has not
		var f foreseenRow
		switch most := f.learn(&now, &was, lanes); {
		case most != c.want:
			t.Errorf("%s: known for %d waves, want %d", c.name, most, c.want)
		case most > 0 && (int32(f.by) != c.by || f.baseBy != c.baseBy || f.base != c.base[1]):
			t.Errorf("%s: %d and %d further on, want %d and %d", c.name, int32(f.by), f.baseBy, c.by,
				c.baseBy)
		}
	}
}
