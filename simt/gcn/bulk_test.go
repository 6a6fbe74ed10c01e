package gcn

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/native"
	"simtgdb/simt/simttest"
	"simtgdb/simt/vec"
	"simtgdb/testdata/sweep"
)

// A countedISA makes cores that translate at once and count what they do without making waves, or in teams.
type countedISA struct {
	*ISA
	n *bulkCounts
}

// bulkCounts are of waves that have been executed in bulk, of those that have been begun so, of those behind
// the first workgroup of a series, and of rounds of teams.
type bulkCounts struct{ bulk, begun, series, rounds atomic.Int64 }

type countedCore struct {
	*Core
	of countedISA
}

func (a countedISA) NewCore(m *simt.Machine) simt.Core {
	c := a.ISA.NewCore(m).(*Core)
	c.warmRuns = 1
	return countedCore{c, a}
}

func (c countedCore) RunSeries(g *simt.Workgroup, groups int, n uint64) ([]simt.Stats, bool) {
	perGroup := c.m.WavesOf(g)
	done, tried := c.Core.RunSeries(g, groups, n)
	c.of.n.bulk.Add(int64(len(done)))
	c.of.n.series.Add(int64(max(0, len(done)-perGroup)))
	if c.Begun() {
		c.of.n.begun.Add(1)
	}
	return done, tried
}

func (c countedCore) RunTeam(g *simt.Workgroup, n uint64, rounds int) (done, next int, kind simt.EventKind) {
	done, next, kind = c.Core.RunTeam(g, n, rounds)
	c.of.n.rounds.Add(int64(done))
	return done, next, kind
}

// bulkMachines are processors and their lanes, with what differs in how waves begin.
var bulkMachines = []string{"gfx900/64", "gfx90a/64", "gfx942/64", "gfx1030/32", "gfx1100/32", "gfx1100/64",
	"gfx1200/32"}

// teamMachines are those whose barriers have a translation.
var teamMachines = bulkMachines[:6]

// Where programs of bulk waves have their results, a row of items for each register.
const bulkRow = 0xc000

// A bulkProgram is a kernel of random instructions between what finds a work-item's place and what stores
// registers there.
type bulkProgram struct {
	code          [][]uint32
	kernel        Kernel
	grid, block   [3]uint32
	data, scratch int
	lds           uint32
	far           bool // there is as much memory 4 GB behind the data
	top           int  // where the loop begins in which waves meet
}

// Whether waves of a workgroup share LDS and meet at barriers, some of them; and whether workgroups, too, may
// see what others do.
type meeting uint8

const (
	nobodyMeets meeting = iota
	wavesMeet
	groupsMeet
)

// groupBytes is by how much a workgroup's number is shifted to give where its items are.
const groupBytes = 10

// An adder adds an instruction with a literal.
type adder func(enc Enc, name string, w, v uint32)

// coder is what adds instructions with literals, and moves to scalar registers.
func (p *bulkProgram) coder(c *laterCoder) (literal adder, scalar func(reg, v uint32)) {
	literal = func(enc Enc, name string, w uint32, v uint32) {
		w |= c.find(enc, name)<<map[Enc]int{SOP1: 8, VOP2: 25}[enc] | srcLiteral
		p.code = append(p.code, []uint32{w, v})
	}
	return literal, func(reg, v uint32) { literal(SOP1, "s_mov_b32", 0xbe800000|reg<<16, v) }
}

// begin finds a work-item's places.
func (p *bulkProgram) begin(c *laterCoder) {
	literal, scalar := p.coder(c)
	scalar(streamBase, dataBase)
	scalar(streamBase+1, 0)
	scalar(streamOffset, 256)
	if c.isa.Target&gfx12 != 0 {
		p.code = append(p.code, []uint32{0xbe800000 | c.find(SOP1, "s_mov_b32")<<8 | regTTMP + 9})
	}
	p.code = append(p.code, []uint32{0x80000000 | c.find(SOP2, "s_lshl_b32")<<23 | (128+groupBytes)<<8})
	vop2 := func(name string, dst, src0, src1 uint32) {
		p.code = append(p.code, []uint32{c.find(VOP2, name)<<25 | dst<<17 | src1<<9 | src0})
	}
	literal(VOP2, "v_and_b32", streamLDS<<17, 0x3ff)
	vop2("v_lshlrev_b32", streamLDS, 130, streamLDS)
	vop2("v_add_u32", streamGlobal, 0, streamLDS)
	vop2("v_add_u32", streamGlobal, streamBase, streamGlobal)
	p.code = append(p.code, []uint32{0x7e000000 | (streamGlobal+1)<<17 | c.find(VOP1, "v_mov_b32")<<9 | 128})
}

// newBulkProgram makes one.
func newBulkProgram(machine string, seed uint64, loops bool, who meeting) *bulkProgram {
	meets := who != nobodyMeets
	isa := newISA(&testing.T{}, machine, nil)
	c := laterCoderOf(isa, seed, 31)
	later := isa.Target.IsLater()
	p := &bulkProgram{kernel: Kernel{VGPRs: 16 + 8*c.IntN(4), SGPRs: 102, WaveSize: isa.WaveSize(),
		WorkgroupID: [3]bool{true}, WorkgroupInfo: c.IntN(2) == 0,
		Mode: streamModes[c.IntN(len(streamModes))]}}
	literal, scalar := p.coder(c)
	p.begin(c)
	rows := streamRows(isa)
	add := func(words []uint32) {
		in, err := isa.Decode(wordsCode(words...), 0)
		if words == nil || err != nil || in.Op.ends() ||
			!isa.Translates(in, p.kernel.Mode) && (!meets || c.IntN(4) > 0) ||
			in.dst.kind == scalarReg && in.dst.reg >= streamScalars && in.dst.reg < regVCC ||
			who == wavesMeet && (in.form == SMEM || in.Op.mem != nil && (in.form != DS || in.mem.gds)) {
			return
		}
		p.code = append(p.code, words[:in.Size/4])
	}
	top := len(p.code)
	if loops {
		scalar(streamCounter, []uint32{1, 3, 3, 9}[c.IntN(4)])
		if top++; seed%16 == 5 {
			p.code[top-1][1] = 6000
		}
	}
	for range 4 + c.IntN(20) {
		op := rows[c.IntN(len(rows))]
		switch {
		case meets && c.IntN(3) == 0 && !later:
			add(streamMemory(c.Rand))
		case meets && op.Enc == DS && later:
			add(c.row(op))
		case op.Enc >= DS:
		case later:
			add(c.row(op))
		default:
			add(streamInst(c.Rand, op))
		}
		switch k := c.IntN(24); {
		case !meets:
		case k < 4:
			p.code = append(p.code, c.sopp("s_barrier", 0))
		case k < 6:
			p.code = append(p.code, c.sopp("s_cbranch_vccz", 1), c.sopp("s_barrier", 0))
		case k == 6:
			p.code = append(p.code, c.sopp("s_cbranch_scc0", 1), c.sopp("s_endpgm", 0))
		}
		if c.IntN(5) == 0 {
			p.code = append(p.code, c.global("global_load_dword", uint32(c.IntN(streamVectors))))
		}
	}
	if loops {
		p.loop(c, top)
	}
	p.code = append(p.code, c.setExec(execs[c.IntN(2)]))
	for reg := range uint32(8) {
		p.code = append(p.code, c.global("global_store_dword", reg))
		literal(VOP2, "v_add_u32", streamGlobal<<17|streamGlobal<<9, bulkRow)
	}
	p.code = append(p.code, c.sopp("s_endpgm", 0))
	p.block = [3]uint32{uint32(20 + c.IntN(236)), 1, 1}
	if c.IntN(2) == 0 {
		p.block[0] = 64 * uint32(1+c.IntN(4))
	}
	p.grid = [3]uint32{p.block[0]*uint32(6+c.IntN(9)) - uint32(c.IntN(2)*c.IntN(20)), 1, 1}
	p.data, p.scratch = 9*bulkRow, 64*c.IntN(2)
	if c.IntN(3) == 0 { // the last stores of later workgroups are at fault
		p.data = 7*bulkRow + 1<<groupBytes*c.IntN(9)
	}
	if meets {
		p.lds = ldsSize
	}
	if seed%4 == 1 && seed%16 != 5 { // of few workgroups a worker takes one after the other
		p.grid[0] = 45 * p.block[0]
	}
	return p
}

// global encodes an access to the place of each lane.
func (c *laterCoder) global(name string, data uint32) []uint32 {
	code := c.find(GLOBAL, name)
	switch on := c.isa.Target; {
	case on&gfx12 != 0:
		return []uint32{0xee<<24 | code<<14 | c.null(), data<<23 | data, streamGlobal}
	case on&gfx11 != 0:
		return []uint32{0xdc000000 | 2<<16 | code<<18, data<<24 | c.null()<<16 | data<<8 | streamGlobal}
	case on.IsLater():
		return []uint32{0xdc000000 | 2<<14 | code<<18, data<<24 | c.null()<<16 | data<<8 | streamGlobal}
	}
	return []uint32{0xdc008000 | code<<18, data<<24 | 0x7f<<16 | data<<8 | streamGlobal}
}

// machine makes a machine that is about to run the program, and its data.
func (p *bulkProgram) machine(t *testing.T, machine string, n *bulkCounts) (*simt.Machine, []byte) {
	t.Helper()
	mem := simt.NewMemory()
	var code []byte
	for _, w := range p.code {
		code = append(code, wordsCode(w...)...)
	}
	data := make([]byte, p.data)
	for i := range min(len(data), 256) {
		data[i] = byte(i * 13)
	}
	for n := 256; n < len(data); n *= 2 { // and so on
		copy(data[n:], data[:n])
	}
	for _, r := range []struct {
		base uint64
		data []byte
		perm simt.Perm
	}{{codeBase, code, simt.PermRead | simt.PermExec}, {dataBase, data, simt.PermRead | simt.PermWrite}} {
		if _, err := mem.Map("", r.base, r.data, r.perm); err != nil {
			t.Fatal(err)
		}
	}
	if p.far {
		behind := make([]byte, p.data)
		if _, err := mem.Map("", dataBase+1<<32, behind, simt.PermRead|simt.PermWrite); err != nil {
			t.Fatal(err)
		}
	}
	isa := newISA(t, machine, nil)
	isa = &ISA{Target: isa.Target, Kernel: p.kernel, mem: mem, tables: isa.tables}
	m, err := simt.New(mem, countedISA{isa, n}, simt.Dispatch{Grid: p.grid, Block: p.block, Entry: codeBase,
		LDSSize: p.lds, ScratchSize: uint64(p.scratch), ScratchLimit: uint64(p.scratch)})
	if err != nil {
		t.Fatal(err)
	}
	return m, data
}

// TestBulk: waves that are executed in bulk leave what they leave when they are made, execute as many
// instructions, and stop at the same place with the same in their registers.
func TestBulk(t *testing.T) {
	var n bulkCounts
	faults, was, translates := 0, vec.Current(), native.Available()
	defer vec.Use(was)
	kernels := sweep.Times(6, 16)
	for i, machine := range bulkMachines {
		for seed := range uint64(kernels + 1) {
			// The sixth has a long loop, and so has the last. Of the others each is tried on half of the
			// machines.
			if !sweep.All() && (seed == 5 && i != 0 && i != 3 || seed < 5 && (uint64(i)+seed/2)%2 == 1 ||
				seed > 5 && machine != "gfx1200/32") {
				continue
			}
			if seed == uint64(kernels) { // of gfx1200 a wave leaves code here, and faults in its second turn
				seed = 53
			}
			// AVX-512 and AVX2 where there are both.
			vec.Use(vec.Paths()[len(vec.Paths())-1-int(seed)%min(2, len(vec.Paths()))])
			p := newBulkProgram(machine, uint64(i)<<8+seed, true, nobodyMeets)
			if seed%4 == 2 {
				p.grid[0], p.grid[1], p.kernel.WorkgroupID[1] = 20*p.block[0], 4, seed%8 == 2
			}
			if seed == 5 && !sweep.All() { // the first workgroups do as the others
				p.grid[0] = 3 * p.block[0]
			}
			faults += compareMade(t, p, machine, &n)
		}
	}
	t.Logf("%d waves in bulk, %d behind the first workgroups, %d begun, %d faults", n.bulk.Load(),
		n.series.Load(), n.begun.Load(), faults)
	most := int64(kernels)
	if translates && (n.bulk.Load() < 50*most || n.series.Load() < 15*most || n.begun.Load() < most/2 ||
		faults < kernels/2) {
		t.Error("too few to tell")
	}
}

// TestTeam is TestBulk for waves that meet: those of a workgroup run as a team.
func TestTeam(t *testing.T) {
	var n bulkCounts
	faults, was, translates := 0, vec.Current(), native.Available()
	defer vec.Use(was)
	kernels := sweep.Times(6, 24)
	for i, machine := range teamMachines {
		for seed := range uint64(kernels) {
			// AVX-512 and AVX2 where there are both.
			vec.Use(vec.Paths()[len(vec.Paths())-1-int(seed)%min(2, len(vec.Paths()))])
			p := newBulkProgram(machine, uint64(i)<<8+seed+9000, true, groupsMeet)
			faults += compareMade(t, p, machine, &n)
		}
	}
	t.Logf("%d rounds, %d faults", n.rounds.Load(), faults)
	if translates && (n.rounds.Load() < 20*int64(kernels) || faults < kernels/3) || n.bulk.Load() > 0 {
		t.Errorf("too few to tell, or %d waves were executed in bulk", n.bulk.Load())
	}
}

// bothWays runs a program interpreted and translated, each with an observer if there are any, and gives what
// it leaves.
func (p *bulkProgram) bothWays(t *testing.T, machine string, n *bulkCounts, observers []simt.Observer) (
	evs [2]simt.Event, stats [2]simt.Stats, data [2][]byte) {
	t.Helper()
	for k := range evs {
		var m *simt.Machine
		m, data[k] = p.machine(t, machine, n)
		if m.Interpret = k == 0; observers != nil {
			m.AddObserver(observers[k])
		}
		var err error
		if evs[k], err = m.Run(context.Background(), 1); err != nil {
			t.Fatal(err)
		}
		stats[k] = m.Stats()
	}
	return evs, stats, data
}

// compareMade runs a program interpreted and translated, and compares what it leaves. It gives 1 if there is
// a fault.
func compareMade(t *testing.T, p *bulkProgram, machine string, n *bulkCounts) (fault int) {
	t.Helper()
	evs, stats, data := p.bothWays(t, machine, n, nil)
	text := func() string { return (&stream{code: p.code}).text(newISA(t, machine, nil)) }
	if !bytes.Equal(data[0], data[1]) || stats[0] != stats[1] || evs[0].Kind != evs[1].Kind ||
		evs[0].PC != evs[1].PC || !sameFault(evs[0].Fault, evs[1].Fault) {
		t.Fatalf("%s, %v in %v: interpreted %v %+v, translated %v %+v, the same memory: %v\n%s", machine,
			p.grid, p.block, evs[0].Kind, stats[0], evs[1].Kind, stats[1], bytes.Equal(data[0], data[1]),
			text())
	}
	if evs[0].Kind != simt.FaultEvent {
		return 0
	}
	for i, a := range evs[0].Wave.Group.Waves {
		b := evs[1].Wave.Group.Waves[i]
		// What has ended in bulk has no registers.
		if a.State == simt.Ended && b.State == simt.Ended && p.lds == 0 {
			continue
		}
		h, o := &harness{w: a, regs: regsOf(a)}, &harness{w: b, regs: regsOf(b)}
		o.regs.hold(len(h.regs.V))
		h.regs.hold(len(o.regs.V))
		if d := h.differsInRegisters(o); d != "" || a.ID != b.ID {
			t.Fatalf("%s: wave %d of those that were interpreted and wave %d: %s\n%s", machine, a.ID, b.ID, d,
				text())
		}
	}
	return 1
}

// TestBulkAhead: what goes far in bulk comes to where turns come one by one, and leaves the same turns
// behind, by which the history goes back to the same states. Breakpoints keep waves from it.
func TestBulkAhead(t *testing.T) {
	var n bulkCounts
	far := testAhead(t, bulkMachines, sweep.Times(24, 2000), &n, func(i int, machine string) *bulkProgram {
		return newBulkProgram(machine, uint64(i)+5000, i%4 == 0, nobodyMeets)
	})
	t.Logf("%d waves in bulk, %d times far", n.bulk.Load(), far)
	if native.Available() && (n.bulk.Load() < 300 || far < 12) {
		t.Error("too few to tell")
	}
}

// TestTeamAhead is TestBulkAhead for waves that meet: those of a workgroup run as a team.
func TestTeamAhead(t *testing.T) {
	var n bulkCounts
	far := testAhead(t, teamMachines, sweep.Times(12, 2000), &n, func(i int, machine string) *bulkProgram {
		return newBulkProgram(machine, uint64(i)+7000, i%4 == 0, wavesMeet)
	}, 1252) // whose waves go far from where the second is next, and the first has ended
	t.Logf("%d rounds of teams, %d times far", n.rounds.Load(), far)
	if native.Available() && (n.rounds.Load() < 300 || far < 6) {
		t.Error("too few to tell")
	}
}

// testAhead is both of them for some programs, and also for some by number. It gives how often one went far.
func testAhead(t *testing.T, machines []string, programs int, n *bulkCounts,
	program func(i int, machine string) *bulkProgram, also ...int) (far int) {
	t.Helper()
	for i := range programs + len(also) {
		if i >= programs {
			i = also[i-programs]
		}
		r := rand.New(sweep.PCG(23, uint64(i)))
		machine := machines[i%len(machines)]
		p := program(i, machine)
		if p.grid[0] < 16*p.block[0] { // a row has places for the results of 48 workgroups
			p.grid[0] *= 3
		}

		turn, resident := []uint64{3, 64, 256}[r.IntN(3)], []int{1, 4, 9, 32}[r.IntN(4)]
		breaks := i%8 == 3
		var m [2]*simt.Machine
		for k := range m {
			m[k], _ = p.machine(t, machine, n)
			m[k].Track, m[k].Resident, m[k].Interpret = true, resident, k == 0 && i%2 == 0
			if breaks {
				m[k].SetBreakpoint(codeBase + uint64(4*len(p.code[0])))
			}
			if err := m[k].Fill(); err != nil {
				t.Fatal(err)
			}
		}
		what := fmt.Sprintf("kernel %d, %s, %v in %v\n%s", i, machine, p.grid, p.block,
			(&stream{code: p.code}).text(newISA(t, machine, nil)))
		before := n.bulk.Load()
		far += simttest.Ahead{Turn: turn, Steps: 60, What: what}.Compare(t, r, m)
		if now := n.bulk.Load(); breaks && now > before {
			t.Fatalf("kernel %d: %d waves are executed in bulk in spite of a breakpoint", i, now-before)
		}
	}
	return far
}
