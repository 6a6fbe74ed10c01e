// Package amdgpu is AMD's family of machines: the DWARF of its compilers, stock
// clang's dialect of it, and its calling convention. It knows no debugger.
//
// Entry point: [New].
package amdgpu

import (
	"fmt"
	"strings"

	"simtgdb/dwarf"
	"simtgdb/dwarf/cfi"
	"simtgdb/dwarf/expr"
	"simtgdb/simt"
	"simtgdb/simt/gcn"
	"simtgdb/stub/arch"
)

// An Arch is one processor of the family. It implements arch.Arch.
type Arch struct {
	flatScratch bool
}

// New returns the family as a processor ("gfx90a") has it.
func New(processor string) *Arch { return &Arch{flatScratch: flatScratch(processor)} }

// Name implements arch.Arch.
func (*Arch) Name() string { return "amdgpu" }

// ArgumentsAt implements arch.ArgumentKeeper.
func (*Arch) ArgumentsAt(isa simt.ISA) (uint64, bool) {
	a, ok := isa.(*gcn.ISA)
	if !ok || a.Launch.Kernarg == 0 {
		return 0, false
	}
	return a.Launch.Kernarg, true
}

// CFI implements arch.Arch.
func (*Arch) CFI() *cfi.Arch { return cfi.AMDGPU }

// flatScratch reports whether a processor's stack pointer is a lane address, as
// with architected flat scratch (LLVM, "User Guide for AMDGPU Backend", table
// "AMDGPU Processors").
func flatScratch(processor string) bool {
	for _, p := range []string{"gfx94", "gfx95", "gfx11", "gfx12", "gfx9-4-generic"} {
		if strings.HasPrefix(processor, p) {
			return true
		}
	}
	return false
}

// isStockClang reports whether a unit is written in stock clang's dialect.
func isStockClang(u *dwarf.Unit) bool {
	p := u.Producer()
	return strings.Contains(p, "clang") && !strings.HasPrefix(p, "AMD ")
}

// Options implements arch.Arch.
func (a *Arch) Options(u *dwarf.Unit) expr.Options {
	o := expr.Options{Arch: expr.AMDGPU, Version: int(u.Version), DWARF64: u.Is64}
	if isStockClang(u) {
		o.Dialect = expr.StockClang(a.flatScratch)
	}
	return o
}

// Place implements arch.Arch.
func (a *Arch) Place(w *simt.Wave, lane int, space, addr uint64) (arch.Place, error) {
	switch space {
	case expr.SpaceGlobal:
		return arch.Place{Space: simt.Global, Addr: addr}, nil
	case expr.SpaceLocal:
		return arch.Place{Space: simt.LDS, Addr: addr}, nil
	case expr.SpacePrivateLane:
		return arch.Place{Space: simt.Scratch, Lane: lane, Addr: addr}, nil
	case expr.SpaceGeneric:
		if space, offset, ok := a.Aperture(addr); ok {
			return arch.Place{Space: space, Lane: lane, Addr: offset}, nil
		}
		return arch.Place{Space: simt.Global, Addr: addr}, nil
	case expr.SpacePrivateWave: // swizzled by dwords
		stride := uint64(4 * w.Size)
		return arch.Place{Space: simt.Scratch, Lane: int(addr % stride / 4), Addr: addr/stride*4 + addr%4,
			Bytes: int(4 - addr%4)}, nil
	}
	return arch.Place{}, fmt.Errorf("address space %d", space)
}

// Aperture implements arch.Arch.
func (*Arch) Aperture(addr uint64) (simt.Space, uint64, bool) {
	switch addr >> 32 {
	case gcn.SharedBase >> 32:
		return simt.LDS, addr & (gcn.ApertureSize - 1), true
	case gcn.PrivateBase >> 32:
		return simt.Scratch, addr & (gcn.ApertureSize - 1), true
	}
	return simt.Global, addr, false
}

// GenericAddress implements arch.GenericAddresser.
func (*Arch) GenericAddress(space simt.Space, offset uint64) uint64 {
	if space == simt.LDS {
		return gcn.SharedBase | offset
	}
	return gcn.PrivateBase | offset
}

// ClassSpace implements arch.Arch: DW_AT_address_class is the address space.
func (*Arch) ClassSpace(class uint64) uint64 { return class }
