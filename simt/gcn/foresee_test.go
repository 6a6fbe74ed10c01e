package gcn

import (
	"bytes"
	"fmt"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/native"
	"simtgdb/simt/simttest"
	"simtgdb/simt/vec"
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
		(&stream{code: p.code}).text(newHarness(t, machine).isa))
	if stats[0] != stats[1] || ends[0].Kind != ends[1].Kind || !bytes.Equal(data[0], data[1]) {
		t.Fatalf("%v %v, in bulk %v %v, the same memory: %v: %s", ends[0].Kind, stats[0], ends[1].Kind,
			stats[1], bytes.Equal(data[0], data[1]), what)
	}
	if d := seers[0].Differs(seers[1], ends[0].Kind == simt.EndEvent); d != "" {
		t.Fatalf("%s: %s", d, what)
	}
	return seers[1].Foretold
}

// TestScalarLoadsForeseen is TestForeseen for waves that load scalars from what observers mind.
func TestScalarLoadsForeseen(t *testing.T) {
	for _, machine := range bulkMachines {
		isa := newHarness(t, machine).isa
		load := isa.tables.rows[SMEM][laterCoderOf(isa, 0, 0).find(SMEM, "s_load_dwordx4")]
		foreseen, bulk := 0, bulkCounts{}
		for seed := range uint64(4) { // some add a register to the address
			c := laterCoderOf(isa, seed, 43)
			p := &bulkProgram{data: 9 * bulkRow, block: [3]uint32{256, 1, 1}, grid: [3]uint32{40 * 256, 1, 1},
				kernel: Kernel{VGPRs: 32, SGPRs: 102, WaveSize: isa.WaveSize(), WorkgroupID: [3]bool{true}}}
			p.begin(c)
			p.code = append(p.code, c.scalarMemory(load, false), c.global("global_load_dword", 1),
				c.global("global_store_dword", 2), c.sopp("s_endpgm", 0))
			foreseen += p.seeAlike(t, machine, 0, &bulk)
		}
		if native.Available() && foreseen == 0 {
			t.Errorf("%s: no wave was foreseen, of %d in bulk", machine, bulk.bulk.Load())
		}
	}
}
