package simt

import "fmt"

// An ISA executes one instruction set, for one kernel: what code means, how its waves start, and what else
// of a family of processors the kernel needs.
type ISA interface {
	// WaveSize is how many lanes a wave of the kernel has: 8, 16, 32 or 64.
	WaveSize() int
	// Align is the alignment of instructions in bytes.
	Align() int
	// StartWave gives a new wave its Regs, with the values that the calling convention promises to a kernel.
	// A wave that is used again comes with the Regs it had, to be made new.
	StartWave(w *Wave, d *Dispatch) error
	// NewCore returns what executes waves of machine m, one at a time.
	NewCore(m *Machine) Core
	// Inst describes the instruction at the start of code, which lies at pc.
	Inst(code []byte, pc uint64) (Inst, error)
}

// A Core executes instructions. It is not safe for concurrent use; a machine has several.
//
// A core stops before an instruction with a breakpoint ([Machine.HasBreakpoint]) if lanes are active there,
// unless Wave.SkipBreak is set, which it clears; forgets what it decoded when [Machine.Generation] changes;
// and tells the machine of the accesses to memory that it makes while somebody observes them
// ([Machine.Observed]).
type Core interface {
	// Run executes up to n instructions of a wave that is Ready and says why it stopped. The core sets the
	// wave's State for the events that end or suspend it.
	Run(w *Wave, n uint64) Event
}

// A Stopper is a core that says of a run no more than which kind of event ended it, and the event when it is
// asked: most runs of a workgroup's waves end at barriers, and copying an event takes as long as much else of
// such a run.
type Stopper interface {
	RunKind(w *Wave, n uint64) EventKind
	Stopped() Event // of the last run, if it was ended by an event
}

// A Teamer is a core that can give waves of a workgroup turns without coming back in between.
type Teamer interface {
	Stopper
	// RunTeam gives the waves that have not ended, all of them ready, turns of up to n instructions as
	// [Machine.Run] does: one after the other, and once more when all wait at a barrier, which opens, up to
	// so many times. It says how many such rounds there were, and the index of the wave that is next in one
	// that has begun; 0 if none has. kind is that of the event by which the last turn of one that has begun
	// was ended. It may do nothing.
	RunTeam(g *Workgroup, n uint64, rounds int) (done, next int, kind EventKind)
	// Turns gives the turns of the last RunTeam, in their order: the index of a wave, and what it executed.
	Turns(give func(wave int, insts uint64))
	// Running is the wave whose turn it was last.
	Running() *Wave
}

// An OrderShower is an ISA that says of an instruction only what [Inst].GlobalAtomic and Size are, which is
// less work than to describe it.
type OrderShower interface {
	ShowsOrder(code []byte, pc uint64) (shows bool, size int, err error)
}

// An OrderReacher is an ISA that knows which instructions the kernel that begins at an address may come to.
// ReachesOrder reports whether there is one among them that has [Inst].GlobalAtomic, if that is known: it is
// not where a register says where the kernel goes on.
type OrderReacher interface {
	ReachesOrder(entry uint64) (shows, known bool)
}

// An LDSAvoider is an ISA of one kernel that knows whether what it may come to uses no LDS, though
// workgroups have some, as where it is of all kernels of a module.
type LDSAvoider interface {
	AvoidsLDS() bool
}

// A Flow is where control goes after an instruction.
type Flow uint8

// The kinds of flow.
const (
	FlowNext     Flow = iota
	FlowJump          // to Target
	FlowBranch        // to Target or on
	FlowIndirect      // to where a register says: a jump, a tail call or a return
	FlowCall          // and comes back
	FlowReturn
	FlowEnd // the wave, or the lanes that execute it, end
	FlowTrap
	FlowBarrier
)

// An Inst is what a debugger wants to know of an instruction.
type Inst struct {
	Text   string // in the syntax of the family's assembler
	Size   int    // bytes
	Flow   Flow
	Target uint64 // FlowJump, FlowBranch, FlowCall: where to, 0 if a register says
	// GlobalAtomic: the instruction is an atomic operation on global memory, or an access that is ordered
	// with those of other workgroups, so that the order of workgroups can be seen.
	GlobalAtomic bool
	// Glue: the instruction only decides which lanes execute others, or moves what decides it.
	Glue bool
}

// An Independent ISA has lanes that are in no order but by what the program does about it, even while they
// execute together.
type Independent interface {
	IndependentLanes()
}

// A RegFile is a set of registers of one shape, called Name followed by their number: "v12".
type RegFile struct {
	Name     string
	Bits     int // of one register or, if PerLane, of one lane of it
	Count    int // 0: it is one register, called Name
	PerLane  bool
	ReadOnly bool
	Type     string // as gdb's target descriptions spell it; "" for an unsigned integer
	// Names are the registers' own, where they are not called Name and their number.
	Names []string
}

// NameOf is the name of a register.
func (f *RegFile) NameOf(n int) string {
	switch {
	case f.Count == 0 && !f.PerLane:
		return f.Name
	case n < len(f.Names):
		return f.Names[n]
	}
	return fmt.Sprintf("%s%d", f.Name, n)
}

// A Reg names a register: the index of its file in Files, and its number there.
type Reg struct {
	File  uint8
	Index uint16
}

// Registers are those of a wave now, of a caller's frame, or of a snapshot.
type Registers interface {
	// Files lists the register files in a fixed order.
	Files() []RegFile
	// Read fills p, which has the register's size, with its value, or a lane's of it, in little-endian order.
	Read(r Reg, lane int, p []byte) error
	// Write is Read's counterpart.
	Write(r Reg, lane int, p []byte) error
}

// A WaveState is what a machine keeps for a wave: its registers, and where its lanes stand.
type WaveState interface {
	Registers
	// Active is the mask of lanes that the program means to be executing.
	Active(w *Wave) uint64
	// LanePC is where a lane stands: at the wave's PC if it is active, else where it was switched off or
	// will go on, in a statement that the lane executes.
	LanePC(w *Wave, lane int) uint64
	// SetPC makes the active lanes go on at pc.
	SetPC(w *Wave, pc uint64) error
	// Clone copies the state, for a snapshot.
	Clone() WaveState
}

// An Ender is a WaveState that knows which lanes have ended while others of the wave go on.
type Ender interface {
	EndedLanes(w *Wave) uint64
	// EndingLanes is the mask of lanes that the next instruction ends, which may end some.
	EndingLanes(w *Wave) uint64
}

// A Releaser is a WaveState that gives memory away when its wave has ended and nobody looks at it any more.
type Releaser interface {
	Release()
}

// A Returner is the Registers of a call's record that have something to do when a lane returns from the
// call: what a debugger wrote to the caller's registers becomes true.
type Returner interface {
	Return(w *Wave, lane int)
}

// A Caller is a WaveState that knows the calls its lanes are in, whether or not they are recorded.
type Caller interface {
	// CallSites appends the call instructions that a lane is inside of, innermost first, and says whether
	// these are all.
	CallSites(w *Wave, lane int, to []uint64) (sites []uint64, whole bool)
}
