// Package arch is what a debug session must know of a family of machines: the
// meaning of its DWARF register numbers and address spaces, what its compilers
// leave unsaid in debugging information, and how its functions return values.
// A folder below it fills the interface for each family.
//
// Entry point: [Arch].
package arch

import (
	"simtgdb/dwarf"
	"simtgdb/dwarf/cfi"
	"simtgdb/dwarf/expr"
	"simtgdb/dwarf/types"
	"simtgdb/loader"
	"simtgdb/simt"
	"simtgdb/stub/unwind"
)

// An Arch is a family of machines, as far as one loaded module is concerned.
type Arch interface {
	// Name is the family's, as the feature of gdb's target description has it:
	// "org.simtgdb.NAME".
	Name() string

	// Register says what a DWARF register number stands for.
	Register(number uint64) (Register, bool)
	// Parts says where a register, or one lane of it, is among DWARF's
	// registers, in a wave of so many lanes: nowhere if there are none.
	Parts(r simt.Reg, lane, lanes int) []Part

	// Place says which memory a location's address in an address space leads
	// to, for a lane of a wave.
	Place(w *simt.Wave, lane int, space, addr uint64) (Place, error)
	// Aperture says which memory an address of the program's own leads to
	// that is not simply global memory.
	Aperture(addr uint64) (space simt.Space, offset uint64, ok bool)
	// Model is how wide pointers are.
	Model() types.Model
	// ClassSpace is the address space of pointers of a DW_AT_address_class
	// that are narrower than addresses.
	ClassSpace(class uint64) uint64

	// Options are how the expressions of a unit are to be read.
	Options(u *dwarf.Unit) expr.Options
	// FrameBase is the expression of a frame's base, given what the function
	// has for DW_AT_frame_base, if anything.
	FrameBase(f *unwind.Frame, written []byte) ([]byte, error)
	// Follow gives the location of an object of a size in bytes for what its
	// expression gave, where the compiler means something else by it.
	Follow(ctx expr.Context, u *dwarf.Unit, l expr.Location, lane int, size uint64) (expr.Location, error)
	// Locations are those of variables of a unit that the compiler lost, or
	// that are known better now that the program is launched. The kernel that is launched may be nil.
	Locations(m *loader.Module, launched *loader.Kernel, u *dwarf.Unit, root *dwarf.DIE) map[*dwarf.DIE][]byte

	// CFI is how call frame information is read, nil if there is none.
	CFI() *cfi.Arch
	// Returned assembles the object of a type that a lane has come back with
	// from a call.
	Returned(w *simt.Wave, lane int, call *simt.Call, typ *dwarf.DIE) ([]byte, error)
}

// An Unwinder is an Arch that finds callers by tables of its own. They are asked
// before call frame information and the machine's record of calls.
type Unwinder interface {
	Unwinders() []unwind.Provider
}

// An ArgumentKeeper is an Arch whose kernels find their arguments in memory, where they
// stay as they were launched.
type ArgumentKeeper interface {
	// ArgumentsAt is the address that the offsets of a kernel's arguments count from; false if there is none.
	ArgumentsAt(isa simt.ISA) (uint64, bool)
}

// A GenericAddresser is an Arch whose programs have pointers to all memories alike.
type GenericAddresser interface {
	// GenericAddress is Aperture's inverse: the address that a program has for a
	// place in a lane's private memory or its workgroup's LDS.
	GenericAddress(space simt.Space, offset uint64) uint64
}

// A FrameOffsetter is an Arch whose compilers keep variables of a lane at offsets from its frame base, in
// memory that programs have addresses for.
type FrameOffsetter interface {
	GenericAddresser
	// FrameOffset takes the location of such a variable apart: what is at a base, another location, and the
	// distance from there in any frame.
	FrameOffset(u *dwarf.Unit, location []byte) (base []byte, distance int64, ok bool)
}

// An ObjectReader is an Arch whose compilers describe some objects otherwise than DWARF does, or say that
// they are where they are not.
type ObjectReader interface {
	// Objects are the locations of an entry for an object of so many bytes as DWARF has them. Left out is
	// what nobody can tell the meaning of, and code in which the object is not where its location says.
	Objects(v *dwarf.DIE, locations []dwarf.LocEntry, size uint64) []dwarf.LocEntry
}

// A DynamicSharer is an Arch whose compilers have no name for the LDS that a launch adds to a kernel's own.
type DynamicSharer interface {
	GenericAddresser
	// DynamicShared is the offset in LDS at which it begins.
	DynamicShared(k *loader.Kernel) uint64
}

// A BodyFinder is an Arch whose compilers make two functions of a kernel.
type BodyFinder interface {
	// Body gives where the function begins that is what the user wrote of a
	// kernel, if the kernel's code does nothing but call it.
	Body(m *loader.Module, k *loader.Kernel, d *dwarf.Data) (entry uint64, ok bool)
	// BodyName is the linkage name of that function, which may have been inlined.
	BodyName(k *loader.Kernel) string
}

// A Register is what a DWARF register number stands for.
type Register struct {
	Reg     simt.Reg
	Bytes   int  // of the register, or of one lane's part of it
	PerLane bool // DWARF's register has all lanes' parts, one after the other
	PC      bool // it is the program counter, which no file holds
	Zero    bool // it is none of the machine's, and reads as zero
}

// A Part of a register is some bytes of a DWARF register.
type Part struct {
	Number        uint64
	Offset, Bytes int
}

// A Place is a place in a memory of the machine. Bytes is how many bytes from
// there on are together; 0 means all.
type Place struct {
	Space simt.Space // Global, LDS or Scratch
	Lane  int        // Scratch: whose
	Addr  uint64
	Bytes int
}
