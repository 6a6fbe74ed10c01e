package simt

import "math/bits"

// MaxLanes is the widest wave.
const MaxLanes = 64

// State is what a wave does at present.
type State uint8

// The states of a wave.
const (
	Ready State = iota
	AtBarrier
	Ended
	Faulted
)

var stateNames = [...]string{"ready", "at barrier", "ended", "faulted"}

func (s State) String() string { return stateNames[s] }

// A Wave is a group of lanes that share a program counter.
type Wave struct {
	ID    int // in the dispatch, counted from 0 in dispatch order
	Index int // in its workgroup
	Group *Workgroup
	Size  int    // lanes: 8, 16, 32 or 64
	Valid uint64 // the lanes that are work-items, a mask

	PC    uint64
	Exec  uint64 // the lanes that execute, a mask
	State State

	// Regs are the wave's registers, which belong to the ISA.
	Regs WaveState

	// Scratch is the wave's private memory as it lies swizzled: dword i of
	// lane l is dword i*Size+l. It grows as it is used, up to ScratchLimit.
	Scratch      []byte
	ScratchLimit uint64 // bytes

	Track *Track // kept for a debugger, or nil

	// SkipBreak makes the wave pass a breakpoint at PC, once.
	SkipBreak bool

	Insts     uint64 // instructions executed
	LaneInsts uint64 // the same, each times the lanes that executed it; see Stats
}

// Active is the mask of lanes that the program means to be executing: mostly
// Exec.
func (w *Wave) Active() uint64 { return w.Regs.Active(w) & w.Valid }

// EndedLanes is the mask of lanes that have ended, as far as the machine knows: with those that wait for
// others before the wave's end, or without.
func (w *Wave) EndedLanes() uint64 {
	if w.State == Ended {
		return w.Valid
	}
	if e, ok := w.Regs.(Ender); ok {
		return e.EndedLanes(w) & w.Valid
	}
	return 0
}

// LanePC is where a lane stands: at the wave's PC if it is active, otherwise
// where it was switched off.
func (w *Wave) LanePC(lane int) uint64 { return w.Regs.LanePC(w, lane) }

// WorkItem is the lane's work-item id in its workgroup.
func (w *Wave) WorkItem(lane int) [3]uint32 {
	flat := uint32(w.Index*w.Size + lane)
	b := w.Group.Size
	return [3]uint32{flat % b[0], flat / b[0] % b[1], flat / b[0] / b[1]}
}

// WorkItems makes items those of the first lanes.
func (w *Wave) WorkItems(items [][3]uint32) {
	at, size := w.WorkItem(0), w.Group.Size
	for l := range items {
		items[l] = at
		if at[0]++; at[0] == size[0] {
			at[0] = 0
			if at[1]++; at[1] == size[1] {
				at[1], at[2] = 0, at[2]+1
			}
		}
	}
}

// SwizzledOffset is where byte addr of a lane's private memory lies in
// Scratch.
func (w *Wave) SwizzledOffset(lane int, addr uint64) uint64 {
	return addr/4*4*uint64(w.Size) + uint64(lane)*4 + addr%4
}

// GrowScratch makes the wave's private memory hold size bytes and reports
// whether that is within its limit.
func (w *Wave) GrowScratch(size uint64) bool {
	if size <= uint64(len(w.Scratch)) {
		return true
	}
	if size > w.ScratchLimit {
		return false
	}
	grown := min(max(size, 2*uint64(len(w.Scratch)), 4096), w.ScratchLimit)
	w.Scratch = append(w.Scratch, make([]byte, grown-uint64(len(w.Scratch)))...)
	return true
}

// ReadScratch fills p from a lane's private memory and returns how many bytes
// are within its limit.
func (w *Wave) ReadScratch(lane int, addr uint64, p []byte) (int, error) {
	return w.accessScratch(lane, addr, len(p), func(off uint64, i int) {
		p[i] = 0
		if off < uint64(len(w.Scratch)) {
			p[i] = w.Scratch[off]
		}
	})
}

// WriteScratch is ReadScratch's counterpart.
func (w *Wave) WriteScratch(lane int, addr uint64, p []byte) (int, error) {
	return w.accessScratch(lane, addr, len(p), func(off uint64, i int) {
		w.GrowScratch(off + 1)
		w.Scratch[off] = p[i]
	})
}

func (w *Wave) accessScratch(lane int, addr uint64, n int, move func(off uint64, i int)) (int, error) {
	perLane := w.ScratchLimit / uint64(w.Size)
	for i := range n {
		if a := addr + uint64(i); a >= perLane {
			return i, &AccessError{Scratch, a}
		}
		move(w.SwizzledOffset(lane, addr+uint64(i)), i)
	}
	return n, nil
}

// Lanes calls f for each lane of the mask, lowest first.
func Lanes(mask uint64, f func(lane int)) {
	for ; mask != 0; mask &= mask - 1 {
		f(bits.TrailingZeros64(mask))
	}
}

// A Workgroup is the waves that share an LDS and a barrier.
type Workgroup struct {
	Index  int       // in the dispatch
	Before uint64    // work-items of the dispatch in workgroups before it
	ID     [3]uint32 // in the grid
	Size   [3]uint32 // work-items in each direction; the last groups may be partial
	Waves  []*Wave
	LDS    []byte

	// Peers are the workgroups of its cluster, by their ranks there; nil if it is in none of several.
	Peers []*Workgroup
	Rank  int

	number int    // in the order in which they start, which is that of indices but for clusters
	from   int    // the first wave that has a turn before others may have another
	begun  uint64 // instructions of this turn that it has executed in bulk
}

// ReadLDS fills p from the workgroup's LDS and returns how many bytes are in
// its bounds.
func (g *Workgroup) ReadLDS(addr uint64, p []byte) (int, error) {
	return g.accessLDS(addr, len(p), func(mem []byte) int { return copy(p, mem) })
}

// WriteLDS is ReadLDS's counterpart.
func (g *Workgroup) WriteLDS(addr uint64, p []byte) (int, error) {
	return g.accessLDS(addr, len(p), func(mem []byte) int { return copy(mem, p) })
}

func (g *Workgroup) accessLDS(addr uint64, n int, move func(mem []byte) int) (int, error) {
	done := 0
	if of, at := g.Owner(addr); of != nil && at < uint64(len(of.LDS)) {
		done = move(of.LDS[at:])
	}
	if done < n {
		return done, &AccessError{LDS, addr + uint64(done)}
	}
	return n, nil
}
