package gcn

import (
	"encoding/binary"
	"fmt"
	"slices"
	"unsafe"

	"simtgdb/simt"
)

// The register files, in the order of Files.
const (
	FileV     = iota // vector registers
	FileA            // accumulation registers
	FileS            // scalar registers
	FileNamed        // and on: those of namedRegisters
)

// The registers with a name that DWARF knows.
var (
	RegExec        = simt.Reg{File: FileNamed}
	RegVCC         = simt.Reg{File: FileNamed + 1}
	RegFlatScratch = simt.Reg{File: FileNamed + 2}
)

// FlatScratchIndex is the number of the scalar register that is the first of
// RegFlatScratch.
const FlatScratchIndex = regFlatScratch

// Numbered scalar registers: as many as a debugger shows, and as many as code can name, those of
// FLAT_SCRATCH and XNACK_MASK among them.
const (
	maxSGPRs       = 102
	maxScalarIndex = laterSGPRs
)

// A namedRegister is a scalar register or pair that has a name instead of a number.
type namedRegister struct {
	name   string
	index  uint8 // in Regs.S
	dwords int
}

// namedRegisters are those that a debugger shows.
var namedRegisters = []namedRegister{
	{"exec", regExec, 2},
	{"vcc", regVCC, 2},
	{"flat_scratch", regFlatScratch, 2},
	{"m0", regM0, 1},
	{"scc", regSCC, 1},
	{"mode", regMode, 1},
}

// laterRegisters are those of gfx10 and later: FLAT_SCRATCH is none of the numbered registers, and the halves
// of masks, of which waves of 32 lanes use the first, have names as null has.
var laterRegisters = append(slices.Replace(slices.Clone(namedRegisters), 2, 3,
	namedRegister{"flat_scratch", regFlatLo, 2}),
	namedRegister{"vcc_lo", regVCC, 1}, namedRegister{"vcc_hi", regVCC + 1, 1},
	namedRegister{"exec_lo", regExec, 1}, namedRegister{"exec_hi", regExec + 1, 1},
	namedRegister{"null", regNull, 1})

// fileTTMP is the registers of traps, where gfx12 has the workgroup's number: behind laterRegisters.
const countTTMP = 16

var fileTTMP = uint8(FileNamed + len(laterRegisters))

func (r *Regs) namedFiles() []namedRegister {
	if r.later {
		return laterRegisters
	}
	return namedRegisters
}

// Files implements simt.Registers.
func (r *Regs) Files() []simt.RegFile {
	files := []simt.RegFile{
		FileV: {Name: "v", Bits: 32, Count: r.vectors, PerLane: true},
		FileA: {Name: "a", Bits: 32, Count: r.accs, PerLane: true},
		FileS: {Name: "s", Bits: 32, Count: min(r.scalars, maxSGPRs)},
	}
	for _, n := range r.namedFiles() {
		files = append(files, simt.RegFile{Name: n.name, Bits: 32 * n.dwords})
	}
	if r.later {
		files[FileS].Count = min(r.scalars, laterSGPRs)
		files = append(files, simt.RegFile{Name: "ttmp", Bits: 32, Count: countTTMP})
	}
	return files
}

// vectorIndex is where a register of the files v and a is in V.
func (r *Regs) vectorIndex(reg simt.Reg) (int, error) {
	i, count := int(reg.Index), accBase
	if reg.File == FileV {
		count = max(count, r.vectors)
	}
	if i >= count {
		return 0, fmt.Errorf("vector register %d: the last is %d", i, count-1)
	}
	if reg.File == FileA {
		i += accBase
	}
	return i, nil
}

// scalarIndex is where a scalar register begins in S, and how many dwords it has.
func (r *Regs) scalarIndex(reg simt.Reg) (index uint8, dwords int, err error) {
	named := r.namedFiles()
	if n := int(reg.File) - FileNamed; n >= 0 && n < len(named) {
		return named[n].index, named[n].dwords, nil
	}
	if r.later && reg.File == fileTTMP && reg.Index < countTTMP {
		return regTTMP + uint8(reg.Index), 1, nil
	}
	if reg.File != FileS || reg.Index >= maxScalarIndex {
		return 0, 0, fmt.Errorf("no register %d in file %d", reg.Index, reg.File)
	}
	return uint8(reg.Index), 1, nil
}

// Read implements simt.Registers.
func (r *Regs) Read(reg simt.Reg, lane int, p []byte) error {
	if reg.File <= FileA {
		i, err := r.vectorIndex(reg)
		if err == nil {
			v := uint32(0)
			if row := r.vector(i); row != nil {
				v = row[lane]
			}
			binary.LittleEndian.PutUint32(p, v)
		}
		return err
	}
	i, n, err := r.scalarIndex(reg)
	if err != nil {
		return err
	}
	if i == regNull {
		clear(p)
		return nil
	}
	for d := range min(n, len(p)/4) { // who wants EXEC of 32 lanes wants its lower half
		binary.LittleEndian.PutUint32(p[4*d:], r.S[int(i)+d])
	}
	return nil
}

// Write implements simt.Registers. EXEC in the wave itself becomes what was written when the wave next
// runs or is
// looked at: see Active.
func (r *Regs) Write(reg simt.Reg, lane int, p []byte) error {
	if reg.File <= FileA {
		i, err := r.vectorIndex(reg)
		if err == nil {
			r.hold(i + 1)
			r.V[i][lane] = binary.LittleEndian.Uint32(p)
		}
		return err
	}
	i, n, err := r.scalarIndex(reg)
	if err != nil {
		return err
	}
	if i == regNull {
		return nil
	}
	for d := range min(n, len(p)/4) {
		r.S[int(i)+d] = binary.LittleEndian.Uint32(p[4*d:])
	}
	return nil
}

// Active implements simt.WaveState: EXEC, but for a time in which the compiler's own code has all lanes on
// to save
// registers whole.
func (r *Regs) Active(w *simt.Wave) uint64 {
	r.refresh(w)
	if w.Track != nil && r.lanes.whole {
		return r.lanes.saved
	}
	return w.Exec
}

// LanePC implements simt.WaveState.
func (r *Regs) LanePC(w *simt.Wave, lane int) uint64 {
	if w.Track == nil || w.Active()>>lane&1 != 0 {
		return w.PC
	}
	return r.lanes.pc[lane]
}

// SetPC implements simt.WaveState: all lanes have one program counter.
func (r *Regs) SetPC(w *simt.Wave, pc uint64) error {
	w.PC = pc
	return nil
}

// Clone implements simt.WaveState.
func (r *Regs) Clone() simt.WaveState {
	c := *r
	c.V, c.shadows = slices.Clone(r.V), [2]*shadow{}
	c.follow, c.spareFollow = r.follow.clone(), nil
	return &c
}

// StateBytes implements simt.Sizer: a copy has room for the whole file.
func (r *Regs) StateBytes() int {
	return int(unsafe.Sizeof(*r)) + max(len(r.V), 2*accBase)*int(unsafe.Sizeof(Vector{}))
}
