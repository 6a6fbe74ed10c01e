package spirv

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"

	"simtgdb/simt"
	"simtgdb/simt/contents"
	"simtgdb/simt/fidelity"
	"simtgdb/simt/rows"
)

// A State is what the machine keeps for a wave: the slots of all values and where its lanes stand. It
// implements simt.WaveState.
type State struct {
	p      *Program
	lanes  int
	f      []uint64 // slot-major: slot*lanes + lane
	b      *block
	i      int
	frames []frame  // innermost last
	wait   []uint64 // by block: the lanes that wait to run it
	set    []uint64 // the blocks that lanes wait for
	ended  [simt.MaxLanes]uint64
	begin  *start // used again by each wave
	since  int    // simt.Machine.Followed of known
	// changed: a debugger has written a slot or moved lanes. Slots may then have what the program never
	// computes.
	changed bool
	known   *contents.Rows // slots without contents, while somebody wants to know; see contents.go
	// left is where what it leaves for its workgroup comes from, by slot; see origins.go.
	left map[int32]fidelity.Origins
}

// A frame is a function that some lanes of a wave are in.
type frame struct {
	fn       *function
	back     place  // the call, in its caller; its block is nil for the entry point
	lanes    uint64 // that entered
	returned uint64
}

func newState(p *Program, lanes int) *State {
	s := &State{p: p, lanes: lanes, begin: &start{},
		f:    make([]uint64, p.slots*lanes, p.slots*lanes+max(0, rows.Lanes-lanes)),
		wait: make([]uint64, len(p.blocks)), set: make([]uint64, p.setSize)}
	for i, c := range p.constants {
		run := s.f[i*lanes : (i+1)*lanes]
		for l := range run {
			run[l] = c
		}
	}
	return s
}

// reset makes the state that of a wave that begins.
func (s *State) reset() {
	clear(s.wait)
	clear(s.set)
	s.ended = [simt.MaxLanes]uint64{}
	for _, of := range [][]standing{s.p.bound, s.p.standing} {
		for _, x := range of {
			run := s.f[int(x.slot)*s.lanes : (int(x.slot)+1)*s.lanes]
			for l := range run {
				run[l] = s.p.constants[x.base] + x.offset
			}
		}
	}
	s.frames = append(s.frames[:0], frame{fn: s.p.entry})
	s.known, s.left, s.changed = nil, nil, false
	for _, m := range s.p.meetings {
		clear(s.f[int(m)*s.lanes : (int(m)+1)*s.lanes])
	}
	s.b, s.i = s.p.entry.blocks[0], 0
}

// pc is where the active lanes stand.
func (s *State) pc() uint64 {
	if s.b == nil {
		return 0
	}
	if s.i < len(s.b.insts) {
		return s.b.insts[s.i].pc
	}
	return s.b.insts[len(s.b.insts)-1].pc
}

// Clone implements simt.WaveState.
func (s *State) Clone() simt.WaveState {
	c := *s
	c.f, c.frames, c.begin = append(make([]uint64, 0, cap(s.f)), s.f...), slices.Clone(s.frames), &start{}
	c.known = s.known.Clone()
	c.wait, c.set = slices.Clone(s.wait), slices.Clone(s.set)
	return &c
}

// StateBytes implements simt.Sizer.
func (s *State) StateBytes() int { return 8 * (len(s.f) + len(s.wait) + len(s.set) + 4*len(s.frames)) }

// Active implements simt.WaveState.
func (s *State) Active(w *simt.Wave) uint64 { return w.Exec & w.Valid }

// LanePC implements simt.WaveState: a lane that is not active stands at the block that it waits for, behind
// the call that it has returned from, or where it ended.
func (s *State) LanePC(w *simt.Wave, lane int) uint64 {
	bit := uint64(1) << lane
	if w.Exec&bit != 0 || w.State == simt.Ended {
		return w.PC
	}
	for i := len(s.frames) - 1; i >= 0; i-- {
		fr := &s.frames[i]
		for _, b := range fr.fn.blocks {
			if s.wait[b.index]&bit != 0 {
				return b.insts[0].pc
			}
		}
		if fr.returned&bit != 0 && fr.back.b != nil {
			return fr.back.b.insts[fr.back.i+1].pc
		}
	}
	return s.ended[lane]
}

// EndedLanes implements simt.Ender.
func (s *State) EndedLanes(*simt.Wave) uint64 {
	var mask uint64
	for l, pc := range s.ended {
		if pc != 0 {
			mask |= 1 << l
		}
	}
	return mask
}

// EndingLanes implements simt.Ender.
func (s *State) EndingLanes(w *simt.Wave) uint64 { return w.Exec }

// SetPC implements simt.WaveState: the active lanes go on elsewhere in their function.
func (s *State) SetPC(w *simt.Wave, pc uint64) error {
	at, ok := s.p.at[int((pc-s.p.o.Base)/4)]
	if !ok || (pc-s.p.o.Base)%4 != 0 {
		return fmt.Errorf("no instruction that executes begins at %#x", pc)
	}
	if fn := s.frames[len(s.frames)-1].fn; at.b.fn != fn {
		return fmt.Errorf("%#x is in another function than the one that runs", pc)
	}
	s.b, s.i, s.changed = at.b, at.i, true
	w.PC = pc
	return nil
}

// The register files of the machine: every scalar of every value is a register of 64 bits per lane.
var slotFile = simt.RegFile{Name: "id", Bits: 64, PerLane: true}

// Files implements simt.Registers.
func (s *State) Files() []simt.RegFile {
	f := slotFile
	f.Count, f.Names = s.p.slots, s.p.slotNames()
	return []simt.RegFile{f}
}

func (s *State) slot(r simt.Reg, lane int, p []byte) (*uint64, error) {
	if r.File != 0 || int(r.Index) >= s.p.slots || lane < 0 || lane >= s.lanes || len(p) != 8 {
		return nil,
			fmt.Errorf("no register %d of file %d, lane %d, of %d bytes", r.Index, r.File, lane, len(p))
	}
	return &s.f[int(r.Index)*s.lanes+lane], nil
}

// Read implements simt.Registers.
func (s *State) Read(r simt.Reg, lane int, p []byte) error {
	v, err := s.slot(r, lane, p)
	if err == nil {
		binary.LittleEndian.PutUint64(p, *v)
	}
	return err
}

// Write implements simt.Registers.
func (s *State) Write(r simt.Reg, lane int, p []byte) error {
	v, err := s.slot(r, lane, p)
	if err == nil {
		*v, s.changed = binary.LittleEndian.Uint64(p), true
		if s.known != nil {
			s.known.Set(contents.Operand(r.Index), 1<<lane, 0, 0)
		}
	}
	return err
}

// put makes lanes wait for a block.
func (s *State) put(b *block, lanes uint64) {
	s.wait[b.index] |= lanes
	s.set[b.index>>6] |= 1 << (b.index & 63)
}

// take gives the first block of a function that lanes wait for, and the lanes.
func (s *State) take(fn *function) (*block, uint64) {
	for _, b := range fn.ends {
		if s.wait[b.index] != 0 {
			return b, s.leave(b.index)
		}
	}
	first := fn.blocks[0].index
	last := first + len(fn.blocks)
	for w := first >> 6; w<<6 < last; w++ {
		set := s.set[w]
		if w == first>>6 {
			set &= ^uint64(0) << (first & 63)
		}
		if set == 0 {
			continue
		}
		i := w<<6 + bits.TrailingZeros64(set)
		if i >= last {
			return nil, 0
		}
		return s.p.blocks[i], s.leave(i)
	}
	return nil, 0
}

// leave gives the lanes that wait for a block, which do so no longer.
func (s *State) leave(block int) (lanes uint64) {
	lanes, s.wait[block] = s.wait[block], 0
	s.set[block>>6] &^= 1 << (block & 63)
	return lanes
}

// waitsBefore reports whether lanes wait for a block of a function that comes before another.
func (s *State) waitsBefore(fn *function, b *block) bool {
	first := fn.blocks[0].index
	for w := first >> 6; w <= b.index>>6; w++ {
		set := s.set[w]
		if w == first>>6 {
			set &= ^uint64(0) << (first & 63)
		}
		if w == b.index>>6 {
			set &= 1<<(b.index&63) - 1
		}
		if set != 0 {
			return true
		}
	}
	return false
}

// CallSites implements simt.Caller.
func (s *State) CallSites(_ *simt.Wave, lane int, sites []uint64) (all []uint64, whole bool) {
	for i := len(s.frames) - 1; i >= 0; i-- {
		if f := &s.frames[i]; f.back.b != nil && f.lanes>>lane&1 != 0 && f.returned>>lane&1 == 0 {
			sites = append(sites, f.back.b.insts[f.back.i].pc)
		}
	}
	return sites, true
}
