package rows

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/simttest"
	"simtgdb/simt/vec"
	"simtgdb/testdata/sweep"
)

// The registers of turning: where global memory is loaded from and stored to, the wave's own place in the LDS
// and the next one's, the turns, and numbers from 5 on.
const (
	loadsAt = iota
	storesAt
	ownAt
	nextAt
	turnsAt
	lateAt // the turns, of each wave some more than of the one before it
	firstNumber
	ofWave = registers - 1 // its index
)

// turning is a program whose waves meet in a loop, and mostly do there what they did some turns before; most
// is how many instructions a turn may have.
func turning(r *rand.Rand) (y *rowISA) {
	y = &rowISA{size: 4096, most: 1 << 16, left: 1 << 40, onward: r.IntN(2) == 0}
	one := func(ops ...Op) { y.code = append(y.code, Inst{Known: true, Ops: ops}) }
	number := func() int32 { return firstNumber + r.Int32N(ofWave-firstNumber) }
	plus := func(to int32, n uint64) {
		one(Op{Op: vec.WideAdd, D: to, S: [3]Value{{Reg: to}, {Const: true, Imm: n}}, Under: always})
	}
	access := func(kind Kind, space Space, at int32, offset int64) Op {
		o := Op{Kind: kind, Space: space, D: number(), S: [3]Value{{Reg: at}, {Reg: number()}}, Size: 4,
			Offset: offset, Under: always}
		if kind == Store {
			o.D = 0
		}
		return o
	}
	compares := func(op vec.WideOp, reg int32, n uint64, invert bool) {
		one(Op{Kind: Test, Op: op, P: 1, S: [3]Value{{Reg: reg}, {Const: true, Imm: n}}, Invert: invert,
			Under: always})
	}
	shared := func() (at int32, offset int64) {
		return ownAt + r.Int32N(2), 512*r.Int64N(3) + 4*r.Int64N(2)*r.Int64N(9)
	}
	barrier := func() {
		y.meets = append(append(y.meets, make([]Meeting, len(y.code)-len(y.meets))...),
			Meeting(1+r.IntN(barriers)))
		y.code = append(y.code, Inst{})
	}
	step := func() {
		switch r.IntN(18) {
		case 0, 1, 2:
			o := access(Load, Global, loadsAt, 512*r.Int64N(4))
			if ops := []Op{o, o}; r.IntN(3) == 0 { // of 8 bytes
				ops[1].D, ops[1].Offset = number(), o.Offset+4
				one(ops...)
			} else {
				one(o)
			}
		case 3, 4, 5:
			plus(loadsAt, uint64(4*r.IntN(3)<<(2*r.IntN(3))))
		case 6, 7, 8:
			at, offset := shared()
			one(access(Load, Shared, at, offset))
		case 9, 10:
			at, offset := shared()
			one(access(Store, Shared, at, offset))
		case 11: // there and back
			one(Op{Op: vec.WideXor, D: ownAt, S: [3]Value{{Reg: ownAt}, {Const: true, Imm: 4 << r.IntN(6)}},
				Under: always})
		case 12: // once only, or all but once, or by one wave
			reg, n := turnsAt+r.Int32N(2), r.IntN(24)
			if r.IntN(4) == 0 {
				reg, n = ofWave, n%3
			}
			compares(vec.WideEqU, reg, uint64(n), r.IntN(2) > 0)
			at, offset := shared()
			y.code = append(y.code, Inst{Known: true, Flow: Branch, Cond: Mask{N: 1},
				Target: int32(len(y.code) + 2), Else: int32(len(y.code) + 1)})
			switch r.IntN(5) {
			case 0, 1:
				one(access(Load+Kind(r.IntN(2)), Shared, at, offset))
			case 2:
				plus(loadsAt+r.Int32N(3), 8)
			default:
				one(access(Load, Global, loadsAt, 512*r.Int64N(4)))
			}
		case 13, 14: // by some lanes, or some bytes further on each time
			if r.IntN(2) == 0 {
				at, offset := shared()
				one(under(access(Load, Shared, at, offset), 2))
			} else if r.IntN(6) == 0 {
				plus(ownAt, 4)
			}
		default:
			one(Op{Op: vec.WideAdd, D: number(), S: [3]Value{{Reg: number()}, {Reg: number()}},
				Under: always})
		}
	}
	for range 1 + r.IntN(3) {
		for range 1 + r.IntN(6) {
			step()
		}
		barrier()
	}
	plus(turnsAt, 1)
	plus(lateAt, 1)
	compares(vec.WideLtU, turnsAt, uint64(6+r.IntN(26)), false)
	y.code = append(y.code, Inst{Known: true, Flow: Branch, Cond: Mask{N: 1}, Target: 0,
		Else: int32(len(y.code) + 1)})
	one(access(Store, Global, storesAt, 0))
	y.code = append(y.code, Inst{})
	y.meets = append(y.meets, make([]Meeting, len(y.code)-len(y.meets))...)
	some := uint32(1)<<max(r.IntN(Lanes)-8, 0) - 1
	y.begin = func(w *simt.Wave, s *rowState) {
		first := uint64(w.Index * Lanes)
		s.of.Masks[2] = some
		for l := range uint64(Lanes) {
			s.of.Rows[loadsAt][l] = globalBase + 4*(first+l)
			s.of.Rows[storesAt][l] = globalBase + 0x8000 + 4*(uint64(w.ID*Lanes)+l)
			s.of.Rows[ownAt][l] = 4 * (first + l)
			s.of.Rows[nextAt][l] = 4 * (first + Lanes + l)
			s.of.Rows[ofWave][l], s.of.Rows[lateAt][l] = uint64(w.Index), uint64(3*w.Index)
			for n := firstNumber; n < ofWave; n++ {
				s.of.Rows[n][l] = 1000*uint64(n)*(first+1) + l
			}
		}
	}
	return y
}

// TestTeams: waves of workgroups whose code runs as a team do what they do one by one, and of it observers
// are told the same, or work it out themselves where the waves do again what they did.
func TestTeams(t *testing.T) {
	defer func(old bool) { simt.LetPanic = old }(simt.LetPanic)
	simt.LetPanic = true
	foreseen, executed, inTeams := 0, uint64(0), uint64(0)
	for seed := range uint64(sweep.Times(100, 5000)) {
		r := rand.New(sweep.PCG(seed, 51))
		waves, groups := 1+r.IntN(4), 1+r.IntN(3)
		program := r.Uint64()
		limits := r.IntN(3)
		room, refuses := 0, uint64(0)
		if r.IntN(3) > 0 {
			room = 1 + r.IntN(2)*200
		}
		if r.IntN(8) == 0 {
			refuses = 1 << r.IntN(64)
		}
		watched, balks := r.IntN(5) > 0, r.IntN(10)
		var seers [2]*simttest.TurnSeer
		var out [2][]byte
		var stats [2]simt.Stats
		for k := range seers {
			y := turning(rand.New(rand.NewPCG(program, 0)))
			if y.team = k > 0; limits == 0 {
				y.most = 5 + program%40
			} else if limits == 1 {
				y.left = 20 + int64(program%200)
			}
			y.balks = func(w *simt.Wave) bool { // at first
				return w.Index == balks && w.Regs.(*rowState).of.Rows[turnsAt][0] < 1+program%4
			}
			mem := simt.NewMemory()
			out[k] = make([]byte, 1<<16)
			for i := range out[k] {
				out[k][i] = byte(i * i >> 3)
			}
			if _, err := mem.Map("data", globalBase, out[k], simt.PermRead|simt.PermWrite); err != nil {
				t.Fatal(err)
			}
			m, err := simt.New(mem, y, simt.Dispatch{Grid: [3]uint32{uint32(waves * groups * Lanes), 1, 1},
				Block: [3]uint32{uint32(waves * Lanes), 1, 1}, LDSSize: uint32(y.size)})
			if err != nil {
				t.Fatal(err)
			}
			seers[k] = simttest.NewTurnSeer(refuses, room, func(text string) {
				t.Fatalf("seed %d: %s", seed, text)
			})
			if watched {
				m.AddObserver(seers[k])
			}
			if ev, err := m.Run(t.Context(), 1); err != nil || ev.Kind != simt.EndEvent {
				t.Fatalf("seed %d: %v, %v", seed, ev, err)
			}
			stats[k] = m.Stats()
			inTeams += y.inTeams
		}
		executed += stats[1].Insts
		if stats[0] != stats[1] || !bytes.Equal(out[0], out[1]) {
			t.Fatalf("seed %d: as a team they do something else: %v, not %v", seed, stats[1], stats[0])
		}
		if d := seers[0].Differs(&seers[1].Seer, true); d != "" {
			t.Fatalf("seed %d: %s", seed, d)
		}
		foreseen += seers[1].Foretold
	}
	t.Logf("%d of %d instructions in teams, %d turns of waves foreseen", inTeams, executed, foreseen)
	if foreseen < 500 || inTeams < executed/2 {
		t.Error("too few to tell")
	}
}
