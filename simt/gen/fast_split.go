package gen

import (
	"simtgdb/simt/rows/regions"
	"simtgdb/simt/vec"
)

// Some instructions are several operations of row code. Each of them is done for all channels before the
// next, so that none may write what a later one reads of the instruction's sources.

// splits make the operations before the last one, and that one, of instructions that take several. They
// report whether they could.
var splits = map[uint8]func(r *rowCode, in *Inst) bool{opAdd3: (*rowCode).splitAdd3,
	opAddc: (*rowCode).splitCarry, opSubb: (*rowCode).splitCarry}

// splitAdd3 adds two sources, and then one that the result does not lie over.
func (r *rowCode) splitAdd3(in *Inst) bool {
	o := &r.op
	if o.D.Size == 0 {
		return false
	}
	last := 2
	for ; last >= 0 && overlaps(&o.S[last], &o.D, in.width); last-- {
	}
	if last < 0 {
		return false
	}
	o.S[last], o.S[2] = o.S[2], o.S[last]
	first := *o
	first.S[2], first.Also, first.Flags, first.Cond =
		regions.Source{}, regions.Region{}, false, regions.Comparison{}
	first.Part = true
	r.first = append(r.first, first.Step())
	sum := regions.Source{Region: o.D, Keep: ones}
	o.S = [3]regions.Source{sum, o.S[2]}
	return true
}

// splitCarry leaves the carry or borrow in the accumulator: a sum is carried if what is added is more than
// the bits that the other number lacks, a difference is borrowed if less is there than is subtracted.
func (r *rowCode) splitCarry(in *Inst) bool {
	o := &r.op
	acc := regions.Region{At: offAcc, Step: r32, Size: r32}
	if r.elem != r32 || overlaps(&regions.Source{Region: o.D}, &acc, in.width) {
		return false
	}
	test := regions.Op{Kind: regions.Test, Elem: r32, First: o.First, Lanes: o.Lanes, Always: o.Always,
		Under: o.Under, One: true, D: acc, S: [3]regions.Source{o.S[0], o.S[1]},
		Cond: regions.Comparison{Op: vec.WideLtU}}
	for i := range 2 {
		if overlaps(&o.S[i], &acc, in.width) {
			return false
		}
	}
	if in.Op.Code == opAddc {
		s := &test.S[0]
		if s.Const != nil {
			s.Const = append([]uint64(nil), s.Const...)
			for i := range s.Const {
				s.Const[i] = ^s.Const[i] & (1<<32 - 1)
			}
		} else {
			s.Flip = ^s.Flip
		}
	}
	test.Part = true
	r.first = append(r.first, test.Step())
	return true
}

// r32 is the bytes of an element.
const r32 = 4

// overlaps reports whether the elements of an operand and a region have bytes in common, or may have.
func overlaps(s *regions.Source, r *regions.Region, n int) bool {
	if s.Const != nil || r.Size == 0 || s.Size == 0 {
		return false
	}
	lo, hi := s.Extent(0, n)
	low, high := r.Extent(0, n)
	return lo < high && low < hi
}
