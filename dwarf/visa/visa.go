// Package visa reads the debug tables that Intel's graphics compiler (IGC)
// writes for Gen code, and unwinds call stacks with them.
//
// The format is described in the vISA specification, "Appendix: Debug
// Information". A [File] holds one [Object] for the kernel and one for every
// stack-call function: maps from vISA instructions to Gen code, the live
// intervals of virtual variables, sub-routines, and the call frame: where
// BE_FP (the back-end frame pointer), the caller's BE_FP, the return address
// and the saved registers are. [Parse] reads a file, [Print] writes it
// readably, [FromELF] finds tables in the sections of an ELF container, and
// [NewUnwinder] walks frames over a [Machine], which is any register file with
// scratch memory.
//
// The package knows no instruction encodings, no source names (those are in
// the DWARF that goes with the tables) and no debugger. The tables do not say
// which device they are for; the unwinder must be told with a [Target].
package visa

import "fmt"

// Magic is the first word of a vISA debug file (DebugFormatHeader.magic_number).
const Magic = 0xdeadd010

// File is a whole vISA debug file (DebugFormatHeader).
type File struct {
	Layout  Layout // the variation of the format that the file is written in
	Objects []Object
}

// Object is one compiled kernel or stack-call function (DebugInfoFormat).
type Object struct {
	Name        string
	RelocOffset uint32    // offset of the first instruction in the kernel's code; 0 for the kernel
	OffsetMap   []Mapping // by vISA byte offset; empty in IGC's files
	IndexMap    []Mapping // by vISA instruction index
	Variables   []Variable
	Subroutines []Subroutine
	Frame       FrameInfo
}

// Mapping says which Gen code a vISA instruction begins at (VISAMap). Gen is
// relative to the object's first instruction.
type Mapping struct {
	VISA uint32
	Gen  uint32
}

// Variable is a virtual vISA variable and where it lives (VarInfo). The
// interval bounds are vISA instruction indices.
type Variable struct {
	Name string
	Live []Interval
}

// Subroutine is a sub-routine inside a compiled object (SubroutineInfo).
type Subroutine struct {
	Name  string
	Start uint32 // vISA index of the first instruction
	End   uint32 // vISA index of the last instruction

	// ReturnAddress is where the return address is (retVal). The bounds are
	// vISA indices, or Gen offsets when the file's Layout says so.
	ReturnAddress []Interval
}

// FrameInfo describes an object's call frame (CallFrameInfo). The bounds of
// its intervals are Gen byte offsets from the object's first instruction.
type FrameInfo struct {
	Size          uint16 // bytes of scratch memory
	BEFP          Tracked
	CallerBEFP    Tracked
	ReturnAddress Tracked // valid for stack-call functions only
	CalleeSaves   []SaveList
	CallerSaves   []SaveList
}

// Tracked is a value of the call frame that need not exist.
type Tracked struct {
	Valid bool
	Live  []Interval
}

// SaveList holds the registers that are saved from a Gen offset on, up to the
// offset of the next list (PhyRegSaveInfoPerIP).
type SaveList struct {
	Gen   uint32
	Saves []Save
}

// Save says where the bytes of a saved register are (RegInfoMapping).
type Save struct {
	Offset uint16 // first byte, counted from the start of the register file
	Bytes  uint16
	To     Place // General or Memory
}

// Interval is a place that is valid over a range of instructions
// (IntervalVISA, IntervalGenISA). Whether the bounds are vISA indices or Gen
// offsets depends on what the interval is of.
type Interval struct {
	Start   uint32
	End     uint32
	Virtual Storage // Address, Flag or General
	Place   Place
}

// Storage is a kind of place (virtualType, physicalType).
type Storage uint8

// The kinds of places, numbered as in the file.
const (
	Address Storage = iota // address register, a
	Flag                   // flag register, f
	General                // general register, r
	Memory                 // scratch memory
)

var storageNames = [...]string{"address", "flag", "general", "memory"}

func (s Storage) String() string {
	if int(s) < len(storageNames) {
		return storageNames[s]
	}
	return fmt.Sprintf("storage(%d)", uint8(s))
}

// Place is a register with a byte offset, or a place in scratch memory.
type Place struct {
	Storage Storage

	// Registers.
	Reg    uint16
	SubReg uint16 // byte offset inside the register

	// Memory.
	Offset   int32 // bytes
	Absolute bool  // from the start of scratch memory, not from BE_FP
}

var registerPrefix = [...]string{Address: "a", Flag: "f", General: "r"}

// String writes a register as r125+12 (register 125, byte 12) and memory as
// scratch[BE_FP+64] or scratch[64].
func (p Place) String() string {
	switch {
	case p.Storage < Memory && p.SubReg == 0:
		return fmt.Sprintf("%s%d", registerPrefix[p.Storage], p.Reg)
	case p.Storage < Memory:
		return fmt.Sprintf("%s%d+%d", registerPrefix[p.Storage], p.Reg, p.SubReg)
	case p.Absolute:
		return fmt.Sprintf("scratch[%d]", p.Offset)
	default:
		return fmt.Sprintf("scratch[BE_FP%+d]", p.Offset)
	}
}

// Layout names the variation of the format that a file is written in. The zero
// value is what IGC writes; the description differs from it in both fields.
type Layout struct {
	ByteNameLengths bool // name lengths are one byte (as described), not two
	GenSubroutines  bool // SubroutineInfo.retVal has Gen offsets (as described), not vISA indices
}

// layouts are tried in this order: the first that reads a file to its end is taken.
var layouts = [...]Layout{
	{},
	{GenSubroutines: true},
	{ByteNameLengths: true},
	{ByteNameLengths: true, GenSubroutines: true},
}

func (l Layout) String() string {
	names, subs := "2-byte", "vISA index"
	if l.ByteNameLengths {
		names = "1-byte"
	}
	if l.GenSubroutines {
		subs = "Gen offset"
	}
	return names + " name lengths, sub-routine return addresses by " + subs
}
