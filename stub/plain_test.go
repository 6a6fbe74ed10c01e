package stub

import (
	"errors"
	"fmt"

	"simtgdb/dwarf"
	"simtgdb/dwarf/cfi"
	"simtgdb/dwarf/expr"
	"simtgdb/dwarf/types"
	"simtgdb/loader"
	"simtgdb/simt"
	"simtgdb/stub/arch"
	"simtgdb/stub/unwind"
)

// plainArch is what is so for a family about which nothing is special: all memory
// is global, locations mean what DWARF says, and there is no call frame
// information. The toy embeds it and says what is otherwise.
type plainArch struct{}

// Parts implements Arch: DWARF has no registers.
func (plainArch) Parts(simt.Reg, int, int) []arch.Part { return nil }

// Place implements Arch.
func (plainArch) Place(_ *simt.Wave, _ int, space, addr uint64) (arch.Place, error) {
	if space != 0 {
		return arch.Place{}, fmt.Errorf("address space %d", space)
	}
	return arch.Place{Space: simt.Global, Addr: addr}, nil
}

// Aperture implements Arch: there are none.
func (plainArch) Aperture(addr uint64) (simt.Space, uint64, bool) { return simt.Global, addr, false }

// Model implements Arch: all pointers have the size of addresses.
func (plainArch) Model() types.Model { return types.Model{} }

// ClassSpace implements Arch.
func (plainArch) ClassSpace(uint64) uint64 { return 0 }

// Options implements Arch: expressions are read to the letter.
func (plainArch) Options(u *dwarf.Unit) expr.Options {
	return expr.Options{Version: int(u.Version), DWARF64: u.Is64}
}

// FrameBase implements Arch.
func (plainArch) FrameBase(_ *unwind.Frame, written []byte) ([]byte, error) {
	if written == nil {
		return nil, errors.New("its function has no frame base")
	}
	return written, nil
}

// Follow implements Arch.
func (plainArch) Follow(_ expr.Context, _ *dwarf.Unit, l expr.Location, _ int, _ uint64) (
	expr.Location, error) {
	return l, nil
}

// Locations implements Arch.
func (plainArch) Locations(*loader.Module, *loader.Kernel, *dwarf.Unit, *dwarf.DIE) map[*dwarf.DIE][]byte {
	return nil
}

// CFI implements Arch.
func (plainArch) CFI() *cfi.Arch { return nil }

// Returned implements Arch: nobody knows where functions return values.
func (plainArch) Returned(*simt.Wave, int, *simt.Call, *dwarf.DIE) ([]byte, error) {
	return nil, errors.New("where functions return values is not known")
}
