package gen

import (
	"iter"

	"simtgdb/simt/contents"
)

// Loads of local memory that give what is only put together with others and stored back, see
// [contents.PutBack]. The cells are bytes of the registers that are followed.

// backWithin is how many instructions behind a load are looked at.
const backWithin = 128

// steps are what the instructions from a place on do with registers, up to the end of a block.
func (c *Core) steps(pc uint64) iter.Seq[contents.Step] {
	return func(yield func(contents.Step) bool) {
		for range backWithin {
			in, err := c.decodeAt(pc)
			if err != nil || !yield(in.step()) || in.endsBlock() {
				return
			}
			pc += uint64(in.Size)
		}
	}
}

// findBack notes of what an instruction loads whether it is stored back.
func (c *Core) findBack(in *Inst, does *contents.Inst) {
	if len(does.Loads) == 0 || in.pieces == nil || !in.isLocal() {
		return
	}
	load := in.step()
	if unused, back := contents.PutBack(&load, c.steps(in.PC+uint64(in.Size))); unused && back {
		does.Back = ^uint64(0)
	}
}

// isLocal reports whether a message is for local memory.
func (in *Inst) isLocal() bool {
	return in.exDesc&15 == sfidSLM || !in.isLSC() && !in.pieces.wide && in.desc&255 == surfaceSLM
}

// step is what an instruction does with registers.
func (in *Inst) step() (s contents.Step) {
	does := in.contents()
	s.Merges = len(does.Moves) == 1 && does.Moves[0].To == operandDst && does.Moves[0].Way.Carries()
	if in.Op.isMessage() {
		in.messageStep(&s)
		return s
	}
	for o := range contents.Operand(in.sourceCount()) {
		s.From = append(s.From, in.cellsOf(o)...)
	}
	s.To = in.cellsOf(operandDst)
	return s
}

// messageStep is step of a message.
func (in *Inst) messageStep(s *contents.Step) {
	one, two, response := in.messageLengths()
	payload := func(o *operand, registers int) (all []int) {
		if o.place != inGRF {
			return nil
		}
		at := in.gen.grf(int(o.reg))
		return bytesFrom(at, registers*in.gen.regBytes)
	}
	s.To = payload(&in.dst, response)
	p := in.pieces
	if p == nil || p.atomic {
		s.From = append(payload(&in.src[0], one), payload(&in.src[1], two)...)
		return
	}
	size := 4
	if p.wide {
		size = 8
	}
	s.Uses = bytesFrom(p.address, p.slots*size)
	if s.Stores = p.write; p.write {
		s.From = bytesFrom(p.data, p.count*p.slots*p.slot)
	}
	s.At = placeOf{in.exDesc & 15, in.desc & 255, p.address}
	if in.isLSC() {
		s.At = placeOf{in.exDesc & 15, in.exDesc >> 12, p.address}
	}
}

// A placeOf is what says of a message where its memory is, besides what registers have.
type placeOf struct {
	shared, surface uint32
	address         int
}

// bytesFrom are n bytes from one on.
func bytesFrom(at, n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = at + i
	}
	return all
}

// cellsOf are the bytes of registers that an operand has, all of them if it is indirect.
func (in *Inst) cellsOf(o contents.Operand) (all []int) {
	x := in.operand(o)
	if x.place == indirect {
		return bytesFrom(offGRF, in.gen.grfEnd()-offGRF)
	}
	v := values{in: in}
	for i := range in.width {
		if at, size, ok := v.element(o, i); ok {
			all = append(all, bytesFrom(at, size)...)
		}
	}
	return all
}
