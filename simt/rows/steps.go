package rows

import (
	"unsafe"

	"simtgdb/simt/vec"
)

// A Stepping makes operations ready. What they have in common, they share.
type Stepping struct{ numbers map[uint64]*vec.Wide }

// Steps are the operations of an instruction that neither accesses memory nor goes anywhere, made ready for a
// core that executes one instruction after the other. Cores may share them.
type Steps []step

// A step is an operation with all that does not depend on the core.
type step struct {
	Op
	run      vec.WideFunc
	consts   [3]*vec.Wide // of operands that are numbers
	in, into int          // masks, by their places in Stepper.masks
	nan      int          // the width of numbers of which the first NaN comes out; 0 for others
}

// mostStepMasks is how many masks an instruction has at most.
const mostStepMasks = 32

// Steps makes operations ready; nil if the core has to execute the instruction in its own way. What masks
// hold is not known when it begins.
func (p *Stepping) Steps(ops []Op) Steps {
	known := map[int32]int{}
	all := make(Steps, len(ops))
	for i := range ops {
		s := &all[i]
		s.Op, s.run = ops[i], ops[i].Op.Func()
		if s.Under.N != Always || s.Kind == Load || s.Kind == Store {
			return nil
		}
		is := true
		switch {
		case s.Kind == Copy:
			s.run, s.Kind, s.Op.Op = vec.WideOr.Func(), Calc, vec.WideOr
			s.S[1] = Value{Const: true}
		case s.Kind == Test:
			s.into = len(known)
			known[s.P] = s.into
		case s.Op.Op == vec.WideSelect:
			s.in, is = known[s.In.N]
		}
		if !is || len(known) > mostStepMasks {
			return nil
		}
		if s.NaN == FirstNaN {
			s.nan = floats[s.Op.Op]
		}
		for k, v := range s.S[:Sources(s.Op.Op)] {
			if v.Const {
				s.consts[k] = p.number(v.Imm)
			}
		}
	}
	return all
}

func (p *Stepping) number(v uint64) *vec.Wide {
	w := p.numbers[v]
	if w == nil {
		w = &vec.Wide{}
		for l := range w {
			w[l] = v
		}
		if p.numbers == nil {
			p.numbers = map[uint64]*vec.Wide{}
		}
		p.numbers[v] = w
	}
	return w
}

// A Stepper executes steps.
type Stepper struct {
	x     vec.WideArgs
	masks [mostStepMasks]uint32
	temps [Temps]vec.Wide
	from  [3]*vec.Wide // the operands, of which some are
	kept  [3]vec.Wide
}

// Run executes steps on the lanes of a mask of rows of so many lanes, one behind the other. Behind the last
// there are as many numbers as a Wide has.
func (s *Stepper) Run(all Steps, numbers []uint64, lanes int, mask uint64) {
	for first := 0; first < lanes; first += Lanes {
		s.x.Mask = uint32(mask >> first)
		rows := unsafe.Pointer(unsafe.SliceData(numbers[first:]))
		for i := range all {
			s.step(&all[i], rows, lanes)
		}
	}
}

func (s *Stepper) step(o *step, rows unsafe.Pointer, lanes int) {
	row := func(n int32) *vec.Wide {
		if n < 0 {
			return &s.temps[-1-n]
		}
		return (*vec.Wide)(unsafe.Add(rows, int(n)*lanes*8))
	}
	x := &s.x
	of := [3]**vec.Wide{&x.A, &x.B, &x.C}
	sources := Sources(o.Op.Op)
	for k := range sources {
		if v := &o.S[k]; v.Const {
			*of[k] = o.consts[k]
		} else {
			*of[k] = row(v.Reg)
		}
		if s.from[k] = *of[k]; o.nan != 0 && !o.S[k].Const && o.S[k].Reg == o.D {
			s.kept[k] = **of[k]
			s.from[k] = &s.kept[k]
		}
	}
	switch {
	case o.Kind == Test:
		o.run(x)
		if s.masks[o.into] = x.Out; o.Invert {
			s.masks[o.into] = ^x.Out
		}
		return
	case o.Op.Op == vec.WideSelect:
		if x.In = s.masks[o.in]; o.In.Not {
			x.In = ^x.In
		}
	}
	x.D, x.NaN = row(o.D), o.NaN
	if o.nan == 0 {
		o.run(x)
		return
	}
	x.NaN = quietNaN32
	ordered := ordered32
	if o.nan == 64 {
		x.NaN, ordered = quietNaN64, ordered64
	}
	o.run(x)
	x.A, x.B = x.D, x.D
	if ordered(x); x.Out != x.Mask {
		firstNaN(x, &s.from, sources, o.nan)
	}
}

// What tells whether numbers are NaNs.
var ordered32, ordered64 = vec.WideOrdF32.Func(), vec.WideOrdF64.Func()

// Merge copies the lanes of a mask of some rows of so many lanes, 32 or a multiple of them.
func (s *Stepper) Merge(d, from []uint64, lanes int, mask uint64) {
	x := &s.x
	x.B = &nothing
	for at := 0; at < len(d); at += Lanes {
		x.D, x.A, x.Mask = (*vec.Wide)(d[at:]), (*vec.Wide)(from[at:]), uint32(mask>>(at%lanes))
		or(x)
	}
}

// Truths is the mask of the lanes in which a row of 32 lanes, or a multiple of them, is not 0.
func (s *Stepper) Truths(row []uint64) (yes uint64) {
	x := &s.x
	x.B, x.Mask = &nothing, ^uint32(0)
	for at := 0; at < len(row); at += Lanes {
		x.A = (*vec.Wide)(row[at:])
		equal(x)
		yes |= uint64(^x.Out) << at
	}
	return yes
}

var (
	nothing vec.Wide
	or      = vec.WideOr.Func()
	equal   = vec.WideEqU.Func()
)
