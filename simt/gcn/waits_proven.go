package gcn

import (
	"encoding/binary"

	"simtgdb/simt"
)

// Compilers find the waits that a program needs by looking at all ways through it, and so it can be found out
// before a program runs that nothing of it comes too early. Then its waits need not be followed while it
// runs.

// Bounds on what is looked at to find that out.
const (
	mostWaitWays   = 4096 // blocks, each as often as it is entered with other accesses under way
	mostWaitStates = 64   // of one block
)

// oldest is an age of accesses that no count tells from greater ones.
const oldest = 100

// wantsWaits reports whether a wave's waits have to be followed.
func (c *Core) wantsWaits(follows simt.Following) bool {
	if !follows.Waits {
		return false
	}
	if c.waitsKnown == 0 {
		if c.waitsKnown = waitsOpen; c.waitsHold(c.m.Dispatch.Entry) {
			c.waitsKnown = waitsHold
		}
	}
	return c.waitsKnown != waitsHold
}

// What is known of the program's waits; 0 for nothing.
const (
	waitsOpen = iota + 1
	waitsHold
)

// A waitWay is a block that is entered, with the accesses that are under way then.
type waitWay struct {
	pc    uint64
	state *waitState
}

// waitsHold reports whether it is known that nothing comes too early, in a program that begins at a place
// with nothing under way. It is not known of programs with calls.
func (c *Core) waitsHold(entry uint64) bool {
	if c.isa.Target&GFX1250 != 0 { // whose accesses may have to be begun anew
		return false
	}
	seen := map[uint64]map[string]bool{}
	todo := []waitWay{{entry, &waitState{}}}
	for n := 0; len(todo) > 0; n++ {
		way := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		key := way.state.normalise()
		states := seen[way.pc]
		if states == nil {
			states = map[string]bool{}
			seen[way.pc] = states
		}
		if states[key] {
			continue
		}
		if states[key] = true; len(states) > mostWaitStates || n > mostWaitWays {
			return false
		}
		next, ok := c.waitBlock(way)
		if !ok {
			return false
		}
		for i, pc := range next {
			s := way.state
			if i < len(next)-1 {
				copied := *s
				copied.read = append([]lockedRegisters(nil), s.read...)
				s = &copied
			}
			todo = append(todo, waitWay{pc, s})
		}
	}
	return true
}

// waitBlock goes through a block, and says where it leads. ok is false if something comes too early, or is
// not known.
func (c *Core) waitBlock(way waitWay) (next []uint64, ok bool) {
	pc := way.pc
	r := c.mem.Find(pc)
	if r == nil || r.Perm&simt.PermExec == 0 || pc&3 != 0 {
		return nil, false
	}
	for n := 0; n < simt.MaxBlock; n++ {
		in, err := c.isa.decodeAt(r.Data[pc-r.Base:], codeAt{pc, 0})
		if err != nil || in.Op.copies != 0 {
			return nil, false
		}
		for _, part := range in.parts() {
			early := false
			part.checkWaits(way.state, func(*operand, int, uint64, uint8, string) { early = true })
			if early {
				return nil, false
			}
			way.state.executed(part)
		}
		pc += uint64(in.Size)
		switch in.Op.flow {
		case simt.FlowEnd:
			return nil, true
		case simt.FlowJump:
			return []uint64{in.branchTarget()}, true
		case simt.FlowBranch:
			return []uint64{in.branchTarget(), pc}, true
		case simt.FlowNext, simt.FlowBarrier:
		default:
			return nil, false
		}
		if pc-r.Base >= uint64(len(r.Data)) {
			return nil, false
		}
	}
	return []uint64{pc}, true
}

// normalise makes states the same of which nobody could tell that they are not: what counts is how many
// accesses came behind one that is under way. It returns what tells them apart.
func (s *waitState) normalise() string {
	const newest = 1 << 20
	var key []byte
	age := func(counter uint8, number uint32) uint32 { return min(s.issued[counter]-number, oldest) }
	var first [counters]uint32 // the oldest that is under way
	for i := range first {
		first[i] = newest + 1
	}
	renumber := func(counter uint8, number *uint32) {
		if *number <= s.done[counter] {
			*number = 0
			return
		}
		*number = newest - age(counter, *number)
		first[counter] = min(first[counter], *number)
	}
	pending := func(at int, p *pendingAccess) {
		if p.number == 0 && p.also == 0 {
			return
		}
		if s.arrived(p) {
			*p = pendingAccess{}
			return
		}
		if p.counter == flatCount {
			renumber(vmCount, &p.number)
			renumber(lgkmCount, &p.also)
		} else {
			renumber(p.counter, &p.number)
		}
		key = append(binary.LittleEndian.AppendUint16(key, uint16(at)), p.counter)
		key = appendDwords(key, p.number, p.also)
	}
	for i := range s.vector {
		pending(i, &s.vector[i])
	}
	for i := range s.scalar {
		pending(len(s.vector)+i, &s.scalar[i])
	}
	key = append(key, 0xff, 0xff)
	renumber(lgkmCount, &s.disorder)
	renumber(vmCount, &s.flat[0])
	renumber(lgkmCount, &s.flat[1])
	key = appendDwords(key, s.disorder, s.flat[0], s.flat[1])
	kept := s.read[:0]
	for _, l := range s.read {
		if renumber(expCount, &l.number); l.number != 0 {
			kept = append(kept, l)
			key = appendDwords(key, l.number, uint32(l.first), uint32(l.n))
		}
	}
	s.read = kept
	for i := range first {
		s.issued[i], s.done[i] = newest, first[i]-1
	}
	return string(key)
}

func appendDwords(b []byte, all ...uint32) []byte {
	for _, v := range all {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return b
}
