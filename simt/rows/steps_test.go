package rows

import (
	"math/rand/v2"
	"testing"

	"simtgdb/simt/vec"
	"simtgdb/testdata/sweep"
)

// TestSteps holds operations that a core executes against what defines them, for rows of each length, in some
// lanes and all, into registers that they read.
func TestSteps(t *testing.T) {
	const registers = 6
	r := rand.New(sweep.PCG(5, 23))
	odd := []uint64{0, 1, 31, 1 << 31, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffc00001, 0x3f800000, 1<<32 - 1}
	number := func() uint64 {
		if r.IntN(2) == 0 {
			return odd[r.IntN(len(odd))]
		}
		return uint64(r.Uint32())
	}
	value := func() Value {
		if r.IntN(4) == 0 {
			return Value{Const: true, Imm: number()}
		}
		return Value{Reg: int32(r.IntN(registers))}
	}
	var made Stepping
	for op := vec.WideAdd; op <= vec.WideOrdF64; op++ {
		for n := range 60 {
			lanes := 8 << (n % 4)
			always := Mask{N: Always}
			o := Op{Kind: Calc, Op: op, D: int32(r.IntN(registers)), S: [3]Value{value(), value(), value()}, Under: always}
			ops := []Op{{Kind: Copy, D: -1, S: [3]Value{value()}, Under: always}, o}
			switch {
			case op >= vec.WideEqU:
				ops[1].Kind, ops[1].P, ops[1].Invert = Test, 1, r.IntN(2) == 0
				ops = append(ops, Op{Kind: Calc, Op: vec.WideSelect, D: o.D, S: o.S, In: Mask{N: 1}, Under: always})
			case op == vec.WideSelect:
				test := Op{Kind: Test, Op: vec.WideLtU, P: 1, S: o.S, Under: always}
				o.In = Mask{N: 1, Not: true}
				ops = []Op{ops[0], test, o}
			}
			numbers := make([]uint64, registers*lanes+Lanes)
			for i := range numbers {
				numbers[i] = number()
			}
			mask := ^uint64(0) >> (64 - lanes)
			if n%3 == 0 {
				mask &= r.Uint64()
			}
			want := append([]uint64{}, numbers...)
			for first := 0; first < lanes; first += Lanes {
				s := State{Rows: make([]vec.Wide, registers), Masks: make([]uint32, 2), Active: uint32(mask >> first)}
				for reg := range s.Rows {
					copy(s.Rows[reg][:min(lanes, Lanes)], want[reg*lanes+first:])
				}
				u := Unit{Insts: []Inst{{Known: true, Ops: ops}}}
				if u.Run(&s) != 1 {
					t.Fatal("the unit stops")
				}
				for reg := range s.Rows {
					copy(want[reg*lanes+first:], s.Rows[reg][:min(lanes, Lanes)])
				}
			}
			var s Stepper
			s.Run(made.Steps(ops), numbers, lanes, mask)
			for i := range want {
				if numbers[i] != want[i] {
					t.Fatalf("%v, %d lanes of mask %#x: number %d is %#x, want %#x", &ops[len(ops)-1], lanes,
						mask, i, numbers[i], want[i])
				}
			}
		}
	}
}
