package gen

// Where in some code registers hold what a description of the program says to be there. A compiler may
// say so of code before the instruction that computes the value, and of code behind the one that puts
// another value there. What is said here is certain: where a register may hold the value, it counts as
// holding it.

// A Place is bytes of a general register.
type Place struct{ Reg, At, Size int }

// A Span is a piece of code.
type Span struct{ Low, High uint64 }

// A Value is what a description says of a value.
type Value struct {
	Places []Place // for each lane, or one for all of them; at most 32
	Code   []Span  // where it says that the value is there
	Given  bool    // the function is given the value where it begins
	// Address is set if the value is where an object is: no constant, and not yet there while instructions
	// add to what is in its place.
	Address bool
	// One is set if it is one value for all of the code, not one after the other; Line is where the source
	// computes it, 0 if it is given, or, if nothing is computed there, Before.
	One          bool
	Line, Before uint64
	Preserved    int                           // the first register that called functions leave as it is
	LineOf       func(pc uint64) (line uint64) // of an instruction, 0 if it has none
}

// maxPlaces is how many places can be followed at once.
const maxPlaces = 32

// Absent gives the parts of the code in which the value is not in its places.
//
// A place counts as holding the value where it is read before it is written again, and from there on, or
// from the write on, until something is written to it. Of what is written and read there for another
// purpose nothing can be said, unless the value is one, or given: it comes from writes that have reads
// in common then (webs.go).
func (a *Accesses) Absent(v *Value) (absent []Span) {
	if a == nil || len(a.insts) == 0 || len(v.Places) > maxPlaces {
		return nil
	}
	f := flowing{a: a, v: v, all: uint32(uint64(1)<<len(v.Places) - 1)}
	if !f.find() {
		return nil
	}
	f.follow()
	f.hold()
	other := f.otherValues()
	for i := range a.insts {
		x := &a.insts[i]
		gap := Span{x.pc, x.end}
		if f.in[i] && f.live[i]|f.held[i] == f.all && !other[i] {
			if !x.calls || f.lost == 0 {
				continue
			}
			gap.Low = x.end - 1 // where a debugger takes the frame to be while it is called
		}
		switch n := len(absent); {
		case !f.in[i]:
		case n > 0 && absent[n-1].High == gap.Low:
			absent[n-1].High = gap.High
		default:
			absent = append(absent, gap)
		}
	}
	return absent
}

// flowing is what happens to places, a bit for each, by instruction.
type flowing struct {
	a             *Accesses
	v             *Value
	all           uint32
	in            []bool   // it is in the value's code
	reads, writes []uint32 // writes: of all bytes
	touched       []uint64 // bytes of the first place that are written
	looked        []uint64 // those that are read
	live          []uint32 // before an instruction: what is read before it is written
	held          []uint32 // what has been the value and nothing has been written to
	lost          uint32   // by calls
}

// find notes which instructions read and write the places.
func (f *flowing) find() bool {
	n := len(f.a.insts)
	f.in = make([]bool, n)
	f.reads, f.writes = make([]uint32, n), make([]uint32, n)
	f.touched, f.looked = make([]uint64, n), make([]uint64, n)
	for i := range f.a.insts {
		for _, s := range f.v.Code {
			f.in[i] = f.in[i] || f.a.insts[i].pc >= s.Low && f.a.insts[i].pc < s.High
		}
	}
	type part struct {
		bit   uint32
		bytes uint64
	}
	var in [maxRegs][]part
	for i, p := range f.v.Places {
		if p.Reg < 0 || p.Reg >= f.a.gen.grfCount || p.At < 0 || p.Size <= 0 ||
			p.At+p.Size > f.a.gen.regBytes {
			return false
		}
		in[p.Reg] = append(in[p.Reg], part{1 << i, p.bytes()})
	}
	for reg, parts := range in {
		if len(parts) == 0 {
			continue
		}
		for _, i := range f.a.naming[reg] {
			x := &f.a.insts[i]
			read, written := bytesIn(x.reads, reg), bytesIn(x.writes, reg)
			for _, p := range parts {
				if read&p.bytes != 0 {
					f.reads[i] |= p.bit
				}
				if written&p.bytes == p.bytes {
					f.writes[i] |= p.bit
				}
				if p.bit == 1 {
					f.looked[i], f.touched[i] = read&p.bytes, written&p.bytes
				}
			}
		}
	}
	for _, i := range f.a.any {
		f.reads[i], f.looked[i] = f.all, f.v.Places[0].bytes()
	}
	return true
}

// bytes are those of the place's register.
func (p Place) bytes() uint64 { return (uint64(1)<<p.Size - 1) << p.At }

// bytesIn are those of a register that are used.
func bytesIn(all []used, reg int) (bytes uint64) {
	for _, u := range all {
		if u.reg == reg {
			bytes |= u.bytes
		}
	}
	return bytes
}

// follow finds what is live.
func (f *flowing) follow() {
	f.live = make([]uint32, len(f.a.insts))
	for changed := true; changed; {
		changed = false
		for i := len(f.live) - 1; i >= 0; i-- {
			live := f.after(i)
			if f.a.insts[i].sure {
				live &^= f.writes[i]
			}
			if live |= f.reads[i]; live != f.live[i] {
				f.live[i], changed = live, true
			}
		}
	}
}

// after is what is live behind an instruction.
func (f *flowing) after(i int) (live uint32) {
	x := &f.a.insts[i]
	if x.away && !x.calls {
		return f.all
	}
	for _, j := range x.next {
		live |= f.live[j]
	}
	return live
}

// hold finds where places hold what they have held before.
func (f *flowing) hold() {
	for i, p := range f.v.Places {
		if p.Reg < f.v.Preserved {
			f.lost |= 1 << i
		}
	}
	f.held = make([]uint32, len(f.a.insts))
	if f.v.Given {
		f.held[0] = f.all
	}
	f.forward(func(i int32) uint32 {
		x, out := &f.a.insts[i], f.held[i]
		if f.in[i] {
			out |= f.live[i]
		}
		if x.sure {
			out &^= f.writes[i]
		}
		if x.calls {
			out &^= f.lost
		}
		if j := int(i) + 1; j < len(f.in) && f.in[j] && f.writes[i]&f.after(int(i)) != 0 {
			out |= f.writes[i]
		}
		return out
	}, f.held)
}

// forward goes along the code until what comes to each instruction no longer changes; out is what comes
// out of one.
func (f *flowing) forward(out func(i int32) uint32, come []uint32) {
	todo, queued := make([]int32, len(come)), make([]bool, len(come))
	for i := range come {
		todo[i], queued[i] = int32(i), true
	}
	for len(todo) > 0 {
		i := todo[0]
		todo, queued[i] = todo[1:], false
		for _, j := range f.a.insts[i].next {
			if o := out(i); o&^come[j] != 0 {
				come[j] |= o
				if !queued[j] {
					todo, queued[j] = append(todo, j), true
				}
			}
		}
	}
}
