package gen

import (
	"encoding/binary"
	"fmt"
	"slices"

	"simtgdb/simt"
)

// Registers are bytes of one file: the architecture registers that code can name, and behind them the general
// ones, whose size and number depend on the generation.
const (
	maxRegs     = 256
	maxRegBytes = 64
	arfBytes    = 32 // of an architecture register, but for accumulators
	accCount    = 16
	restBytes   = 16 * 8 // of an extended accumulator: what the elements of one instruction lack

	offNull = 0 // as a destination: 32 elements of 8 bytes with stride 4
	offAcc  = offNull + 32*8*4
	offFlag = offAcc + accCount*maxRegBytes
	offCE   = offFlag + arfBytes
	offSR   = offCE + arfBytes
	offCR   = offSR + arfBytes
	offN    = offCR + arfBytes
	offIP   = offN + arfBytes
	offTM   = offIP + arfBytes
	offDBG  = offTM + arfBytes
	offRest = offDBG + arfBytes
	offA0   = offRest + 8*restBytes + lineBytes - arfBytes
	offGRF  = offA0 + arfBytes

	lineBytes = 64 // of the host's cache: general registers do not lie across two
)

// grf is where a general register is in the file, or would be.
func (g *Generation) grf(reg int) int { return offGRF + reg*g.regBytes }

// grfEnd is where the general registers end. Behind them there is room for a row that begins in the last one.
func (g *Generation) grfEnd() int { return g.grf(g.grfCount) }

func (g *Generation) fileBytes() int { return g.grfEnd() + len(row{}) }

// RegBytes is the size of a general register.
func (g *Generation) RegBytes() int { return g.regBytes }

// Registers is how many of them there are.
func (g *Generation) Registers() int { return g.grfCount }

// whole rounds bytes up to whole registers.
func (g *Generation) whole(n int) int { return (n + g.regBytes - 1) / g.regBytes * g.regBytes }

// register is the general register that a byte of the file is in.
func (g *Generation) register(at int) (reg int, ok bool) {
	return (at - offGRF) / g.regBytes, at >= offGRF && at < g.grfEnd()
}

// arfOffsets are where the architecture registers lie that can be used.
var arfOffsets = map[uint8]int{arfAddress: offA0, arfAcc: offAcc, arfFlag: offFlag, arfCE: offCE,
	arfSR: offSR,
	arfCR: offCR, arfN: offN, arfIP: offIP, arfTM: offTM, arfDBG: offDBG, arfNull: offNull}

// maxChannels is the widest thread.
const maxChannels = 32

// Bits of the control register cr0.0 (PRM volume 7, "Control Register").
const (
	crRound      = 3 << 4 // of floats: nearest even, up, down, to zero
	crDenormDF   = 1 << 6 // denormals are kept
	crDenormF    = 1 << 7
	crDenormHF   = 1 << 10
	crRoundShift = 4
)

// Regs are the registers of a thread, and where its channels stand. They
// implement simt.WaveState.
type Regs struct {
	gen  *Generation
	file []byte

	// ip is where channels that do not execute will go on, from the branch
	// that sent them there. Those of simt.Wave.Exec are at the thread's PC.
	ip, from [maxChannels]uint32

	callMask uint32 // channels that are in the innermost call
	wake     uint32 // the next address that a channel waits at, noWake if none does

	arrived bool // the thread has sent its barrier message

	named    [namedBarriers]namedBarrier // of the workgroup, in its first thread
	notified uint32                      // named barriers that have opened since the thread signalled
	paired   bool                        // it waits for the other thread of its pair, at a dpasw
	lent     []byte                      // what that has left it
	standsAt uint8                       // the named barrier that it waits at, or 0

	slot uint32 // offset of its scratch from the general state base

	tokens *tokens // what is under way, while somebody wants to know; see waits_tokens.go
	hints  *hints  // what hints have left behind, while somebody wants to know; see waits_hints.go
	// spareKnown is that of a thread that has ended.
	spareKnown *known

	known *known // what nothing has been written to, while somebody wants to know; see contents.go
}

const noWake = ^uint32(0)

// newRegs makes the registers of a generation's thread, all zero.
func newRegs(g *Generation) *Regs { return &Regs{gen: g, file: make([]byte, g.fileBytes())} }

func regsOf(w *simt.Wave) *Regs { return w.Regs.(*Regs) }

func (r *Regs) u32(off int) uint32       { return binary.LittleEndian.Uint32(r.file[off:]) }
func (r *Regs) setU32(off int, v uint32) { binary.LittleEndian.PutUint32(r.file[off:], v) }
func (r *Regs) flags() uint64            { return r.flagPair(0) }
func (r *Regs) setFlags(v uint64)        { r.setFlagPair(0, v) }

func (r *Regs) flagPair(i int) uint64       { return binary.LittleEndian.Uint64(r.file[offFlag+8*i:]) }
func (r *Regs) setFlagPair(i int, v uint64) { binary.LittleEndian.PutUint64(r.file[offFlag+8*i:], v) }

// The register files that a debugger is shown, in the order of regFiles'.
const (
	fileGRF = iota
	fileFlag
	fileAcc
	fileA0
	fileCE
	fileCM
	fileIP
)

// regFiles describes them.
func (g *Generation) regFiles() []simt.RegFile {
	return []simt.RegFile{
		{Name: "r", Bits: 8 * g.regBytes, Count: g.grfCount},
		{Name: "f", Bits: 32, Count: g.flags},
		{Name: "acc", Bits: 8 * g.regBytes, Count: g.flags}, // those that IGC's code has
		{Name: "a0", Bits: 8 * arfBytes},
		{Name: "ce", Bits: 32, ReadOnly: true},
		{Name: "cm", Bits: 32, ReadOnly: true},
		{Name: "ip", Bits: 32, ReadOnly: true}, // the lane's own
	}
}

// CallMask is the channels that are in the thread's innermost call.
func (r *Regs) CallMask() uint32 { return r.callMask }

// GRF is the general register with a number.
func GRF(n int) simt.Reg { return simt.Reg{File: fileGRF, Index: uint16(n)} }

// Files implements simt.Registers.
func (r *Regs) Files() []simt.RegFile { return r.gen.files }

// bytes are those of a register that is kept in the file, or nil.
func (r *Regs) bytes(reg simt.Reg) []byte {
	if int(reg.File) >= len(r.gen.files) || int(reg.Index) >= max(r.gen.files[reg.File].Count, 1) {
		return nil
	}
	size := r.gen.files[reg.File].Bits / 8
	var base int
	switch reg.File {
	case fileGRF:
		base = offGRF
	case fileFlag:
		base = offFlag
	case fileAcc:
		base = offAcc
	case fileA0:
		base = offA0
	default:
		return nil
	}
	base += int(reg.Index) * size
	return r.file[base : base+size]
}

// Read implements simt.Registers.
func (r *Regs) Read(reg simt.Reg, lane int, p []byte) error {
	if b := r.bytes(reg); b != nil {
		copy(p, b)
		return nil
	}
	v := uint32(0)
	switch {
	case reg.File == fileCE:
		v = r.u32(offCE)
	case reg.File == fileCM:
		v = r.callMask
	case reg.File == fileIP && lane < maxChannels:
		v = r.ip[lane]
		if r.u32(offCE)>>lane&1 != 0 {
			v = r.u32(offIP)
		}
	default:
		return fmt.Errorf("there is no register %d of file %d", reg.Index, reg.File)
	}
	var b [4]byte
	binary.LittleEndian.PutUint32(b[:], v)
	copy(p, b[:])
	return nil
}

// Write implements simt.Registers.
func (r *Regs) Write(reg simt.Reg, _ int, p []byte) error {
	b := r.bytes(reg)
	if b == nil {
		return fmt.Errorf("register %d of file %d cannot be written", reg.Index, reg.File)
	}
	copy(b, p)
	if r.known != nil && reg.File == fileGRF {
		r.known.set(r.gen.grf(int(reg.Index)), len(b), false, 0)
	}
	return nil
}

// Active implements simt.WaveState.
func (r *Regs) Active(w *simt.Wave) uint64 { return w.Exec }

// LanePC implements simt.WaveState: a channel that waits is shown at the
// branch that switched it off, never at code that it may not execute.
func (r *Regs) LanePC(w *simt.Wave, lane int) uint64 {
	if w.Exec>>lane&1 != 0 || lane >= maxChannels {
		return w.PC
	}
	return uint64(r.from[lane])
}

// SetPC implements simt.WaveState.
func (r *Regs) SetPC(w *simt.Wave, pc uint64) error {
	if pc > uint64(noWake) || pc%8 != 0 {
		return fmt.Errorf("no instruction can be at %#x: addresses have 32 bits and are multiples of 8", pc)
	}
	w.PC = pc
	r.arrive(w)
	r.setU32(offIP, uint32(pc))
	return nil
}

// Clone implements simt.WaveState.
func (r *Regs) Clone() simt.WaveState { return r.clone() }

func (r *Regs) clone() *Regs {
	c := *r
	c.file, c.spareKnown = slices.Clone(r.file), nil
	if r.known != nil {
		c.known = r.known.clone()
	}
	if r.tokens != nil {
		t := *r.tokens
		c.tokens = &t
	}
	if r.hints != nil {
		h := *r.hints
		c.hints = &h
	}
	return &c
}

// A saved are the registers of a caller, as its call left them.
type saved struct {
	Regs
	written map[simt.Reg][]byte // by a debugger
}

// Write implements simt.Registers: it becomes true when the call returns.
func (s *saved) Write(reg simt.Reg, lane int, p []byte) error {
	if err := s.Regs.Write(reg, lane, p); err != nil {
		return err
	}
	if s.written == nil {
		s.written = map[simt.Reg][]byte{}
	}
	s.written[reg] = append([]byte(nil), p...)
	return nil
}

// Return implements simt.Returner.
func (s *saved) Return(w *simt.Wave, _ int) {
	for reg, b := range s.written {
		regsOf(w).Write(reg, 0, b) // as it could be written here
	}
	s.written = nil
}
