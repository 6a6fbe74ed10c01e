package gcn

import (
	"iter"

	"simtgdb/simt/contents"
)

// Loads of LDS that give what is only put together with others and stored back: see [contents.PutBack]. What
// nothing has written of it is followed from there on as if it had been loaded from private memory.

// backWithin is how many instructions behind a load are looked at.
const backWithin = 64

// findBack notes of a load that may be from LDS whether it is such a one, by the code behind it.
func (a *ISA) findBack(in *Inst, behind []byte, at codeAt) {
	if in.loadsBack() {
		load := in.step()
		unused, back := contents.PutBack(&load, a.steps(behind, at))
		in.back = unused && back
	}
}

// loadsBack reports whether an instruction loads from LDS, or may, what can be stored back.
func (in *Inst) loadsBack() bool {
	a := in.Op.mem
	return (in.form == DS || in.form == FLAT) && a != nil && !a.write && !a.atomic && a.places == 0 &&
		in.dst.kind == vectorReg && !in.mem.gds
}

// steps are the instructions of code, up to the end of a block.
func (a *ISA) steps(code []byte, at codeAt) iter.Seq[contents.Step] {
	return func(yield func(contents.Step) bool) {
		for range backWithin {
			in, err := a.decodeAt(code, at)
			if err != nil {
				return
			}
			for _, part := range in.parts() {
				if !yield(part.step()) {
					return
				}
			}
			if in.Op.ends() || len(code) <= in.Size {
				return
			}
			code, at = code[in.Size:], codeAt{at.pc + uint64(in.Size), in.after()}
		}
	}
}

// step is what an instruction does with vector registers.
func (in *Inst) step() (s contents.Step) {
	add := func(to *[]int, o *operand, n int) {
		for i := range n {
			if o.kind == vectorReg {
				*to = append(*to, int(o.reg)+i)
			}
		}
	}
	in.eachResult(func(o *operand, n int) { add(&s.To, o, n) })
	if in.keepsBits() != 0 {
		add(&s.From, &in.dst, 1)
	}
	if a := in.Op.mem; in.form >= DS && a != nil && in.image == nil {
		address, data := &in.src[0], &in.src[1]
		if in.form == MUBUF || in.form == MTBUF {
			address = &in.src[2]
		}
		in.eachSource(func(o *operand, n int) {
			if o != data {
				add(&s.Uses, o, n)
			} else if a.write {
				add(&s.From, o, n)
			}
		})
		s.Stores = a.write && !a.atomic && a.places == 0
		s.At = placeOf{in.form, in.simm, address.reg, in.mem.saddr.reg}
		return s
	}
	in.eachSource(func(o *operand, n int) { add(&s.From, o, n) })
	s.Merges = (placing[in.Op.Name] || in.Op.Name == "v_mov_b16") && (in.mod == nil || in.mod.dpp == nil)
	return s
}

// A placeOf is what says of an access where it is, besides what registers have.
type placeOf struct {
	form           Enc
	offset         int32
	address, saddr uint16
}
