package ptx

import (
	"encoding/binary"
	"fmt"
	"math"

	"simtgdb/dwarf"
	"simtgdb/dwarf/cfi"
	"simtgdb/dwarf/expr"
	"simtgdb/dwarf/types"
	"simtgdb/loader"
	"simtgdb/simt"
	machine "simtgdb/simt/ptx"
	"simtgdb/stub/arch"
	"simtgdb/stub/unwind"
)

// An Arch is the family as one module has it. It implements arch.Arch.
type Arch struct {
	isa *machine.ISA
}

// New returns the family for a module that the machine is to run.
func New(_ *loader.Module, isa *machine.ISA) *Arch { return &Arch{isa: isa} }

// Name implements arch.Arch.
func (*Arch) Name() string { return "ptx" }

// ArgumentsAt implements arch.ArgumentKeeper.
func (*Arch) ArgumentsAt(isa simt.ISA) (uint64, bool) {
	a, ok := isa.(*machine.ISA)
	if !ok || a.Arguments() == 0 {
		return 0, false
	}
	return a.Arguments(), true
}

// CFI implements arch.Arch: the record of calls knows all frames.
func (*Arch) CFI() *cfi.Arch { return nil }

// maxName is how many characters of a register's name fit into its number.
const maxName = 8

// registerName is the name that a DWARF register number is: its characters, the first in the most
// significant byte.
func registerName(number uint64) string {
	var b [maxName]byte
	binary.BigEndian.PutUint64(b[:], number)
	i := 0
	for i < maxName && b[i] == 0 {
		i++
	}
	return string(b[i:])
}

// Register implements arch.Arch: a number is a name, which means another register in every function.
func (a *Arch) Register(number uint64) (arch.Register, bool) {
	reg, file, ok := a.isa.RegisterNamed(registerName(number))
	return arch.Register{Reg: reg, Bytes: file.Bits / 8}, ok
}

// Parts implements arch.Arch: what gdb is shown has no numbers.
func (*Arch) Parts(simt.Reg, int, int) []arch.Part { return nil }

// Place implements arch.Arch: addresses in DWARF are generic ones.
func (a *Arch) Place(_ *simt.Wave, lane int, space, addr uint64) (arch.Place, error) {
	if space != 0 {
		return arch.Place{}, fmt.Errorf("address space %d", space)
	}
	in, offset, _ := a.Aperture(addr)
	return arch.Place{Space: in, Lane: lane, Addr: offset}, nil
}

// Aperture implements arch.Arch.
func (*Arch) Aperture(addr uint64) (simt.Space, uint64, bool) {
	switch addr >> 32 {
	case machine.SharedWindow >> 32:
		return simt.LDS, addr & (1<<32 - 1), true
	case machine.LocalWindow >> 32:
		return simt.Scratch, addr & (1<<32 - 1), true
	}
	return simt.Global, addr, false
}

// GenericAddress implements arch.GenericAddresser.
func (*Arch) GenericAddress(space simt.Space, offset uint64) uint64 {
	if space == simt.LDS {
		return machine.SharedWindow + offset
	}
	return machine.LocalWindow + offset
}

// clangKernelBody is put in front of the name of the function that clang makes of what the user wrote
// of a kernel of OpenCL C.
const clangKernelBody = "__clang_ocl_kern_imp_"

// Body implements arch.BodyFinder.
func (*Arch) Body(m *loader.Module, k *loader.Kernel, _ *dwarf.Data) (entry uint64, ok bool) {
	own := functionOf(k)
	if own == nil {
		return 0, false
	}
	for _, in := range own.Insts() {
		for _, o := range in.Args {
			if o.Func != nil && o.Func.Defined && o.Func.Name == clangKernelBody+k.Name {
				return o.Func.Start, true
			}
		}
	}
	return 0, false
}

// BodyName implements arch.BodyFinder.
func (*Arch) BodyName(k *loader.Kernel) string { return clangKernelBody + k.Name }

// Model implements arch.Arch: all pointers have 64 bits.
func (*Arch) Model() types.Model { return types.Model{} }

// ClassSpace implements arch.Arch.
func (*Arch) ClassSpace(uint64) uint64 { return 0 }

// Options implements arch.Arch.
func (*Arch) Options(u *dwarf.Unit) expr.Options {
	return expr.Options{Version: int(u.Version), DWARF64: u.Is64}
}

// FrameBase implements arch.Arch: whatever is written, it is where the frame's own activation has its
// variables.
func (*Arch) FrameBase(f *unwind.Frame, _ []byte) ([]byte, error) {
	e := make([]byte, 9)
	e[0] = expr.OpAddr
	if err := f.Registers.Read(simt.Reg{File: machine.FileFrame}, f.Lane, e[1:]); err != nil {
		return nil, err
	}
	return e, nil
}

// FrameOffset implements arch.FrameOffsetter: a place in the depot of the activation.
func (*Arch) FrameOffset(_ *dwarf.Unit, location []byte) (base []byte, distance int64, ok bool) {
	distance, rest, ok := expr.CutFbreg(location)
	if ok && len(rest) > 1 && rest[0] == expr.OpPlusUconst {
		more, n := binary.Uvarint(rest[1:])
		if n <= 0 || n+1 != len(rest) || more > math.MaxInt32 {
			return nil, 0, false
		}
		distance, rest = distance+int64(more), nil
	}
	return []byte{expr.OpFbreg, 0}, distance, ok && len(rest) == 0
}

// Follow implements arch.Arch: locations mean what they say.
func (*Arch) Follow(_ expr.Context, _ *dwarf.Unit, l expr.Location, _ int, _ uint64) (expr.Location, error) {
	return l, nil
}

// Locations implements arch.Arch.
func (*Arch) Locations(*loader.Module, *loader.Kernel, *dwarf.Unit, *dwarf.DIE) map[*dwarf.DIE][]byte {
	return nil
}

// maxReturned is the largest object that is read as a result.
const maxReturned = 4096

// Returned implements arch.Arch: a result lies in memory as it is laid out.
func (a *Arch) Returned(w *simt.Wave, lane int, call *simt.Call, typ *dwarf.DIE) ([]byte, error) {
	size := a.Model().Size(typ)
	if size == 0 || size > maxReturned {
		return nil, fmt.Errorf("its type has %d bytes; from 1 to %d can be read", size, maxReturned)
	}
	p := make([]byte, size)
	return p, machine.Result(w, lane, call, p)
}
