// Package intelgt is Intel's family of machines: zebin files, how
// their kernels are launched, IGC's DWARF and its calling convention. It knows
// no debugger.
//
// Entry points: [Family], which it registers; [New].
package intelgt

import (
	"fmt"

	"simtgdb/dwarf"
	"simtgdb/dwarf/cfi"
	"simtgdb/dwarf/expr"
	"simtgdb/dwarf/types"
	"simtgdb/loader"
	"simtgdb/loader/zebin"
	"simtgdb/simt"
	"simtgdb/simt/gen"
	"simtgdb/stub/arch"
	"simtgdb/stub/unwind"
)

// An Arch is the family as one module has it. It implements arch.Arch.
type Arch struct {
	module     *loader.Module
	generation *gen.Generation
	tables     []*tables
	read       read
	// Of a launched program:
	memory *simt.Memory
	images []arch.Image
	args   uint64 // address of the cross-thread data, which the hardware loads into the registers of threads
}

// New returns the family for a module, and the vISA tables of its kernels.
func New(m *loader.Module, given []arch.Table) (*Arch, error) {
	a := &Arch{module: m, generation: generations[m.Target.Name].Generation}
	for _, k := range zebin.Of(m).Kernels {
		a.generation = a.generation.WithRegisters(k.Registers)
	}
	for _, t := range given {
		k, err := newTables(m, t)
		if err != nil {
			return nil, err
		}
		a.tables = append(a.tables, k)
	}
	return a, nil
}

// Name implements arch.Arch.
func (*Arch) Name() string { return "intelgt" }

// ArgumentsAt implements arch.ArgumentKeeper.
func (a *Arch) ArgumentsAt(simt.ISA) (uint64, bool) { return a.args, a.args != 0 }

// numberGRF is r0's DWARF register number for IGC. The others follow, and behind them comes the instruction
// pointer: which number that has depends on how many registers kernels have.
const numberGRF = 16

// isGRF reports whether a DWARF register number is that of a general register.
func isGRF(g *gen.Generation, number uint64) bool {
	return number >= numberGRF && number < numberGRF+uint64(g.Registers())
}

// Register implements arch.Arch.
func (a *Arch) Register(number uint64) (arch.Register, bool) {
	switch {
	case number == numberGRF+uint64(a.generation.Registers()):
		return arch.Register{PC: true, Bytes: 4}, true
	case isGRF(a.generation, number):
		return arch.Register{Reg: gen.GRF(int(number - numberGRF)), Bytes: a.generation.RegBytes()}, true
	}
	return arch.Register{}, false
}

// Parts implements arch.Arch.
func (a *Arch) Parts(r simt.Reg, _, _ int) []arch.Part {
	if r != gen.GRF(int(r.Index)) {
		return nil
	}
	return []arch.Part{{Number: numberGRF + uint64(r.Index), Bytes: a.generation.RegBytes()}}
}

// registerBytes is the size of a general register.
func registerBytes(r simt.Registers) int { return r.Files()[gen.GRF(0).File].Bits / 8 }

// The memories that an address of IGC's DWARF names in its highest byte.
const (
	tagShift   = 56
	tagScratch = 0x09 // of the thread
	tagSLM     = 0x0a
)

// Place implements arch.Arch. Scratch is the thread's: where it lies, the
// machine keeps a dword of each lane in turn.
func (*Arch) Place(w *simt.Wave, lane int, space, addr uint64) (arch.Place, error) {
	if space != 0 {
		return arch.Place{}, fmt.Errorf("address space %d", space)
	}
	at := addr & (1<<tagShift - 1)
	switch addr >> tagShift {
	case tagScratch:
		row := uint64(4 * w.Size)
		return arch.Place{Space: simt.Scratch, Lane: int(at % row / 4), Addr: at/row*4 + at%4,
			Bytes: int(4 - at%4)}, nil
	case tagSLM:
		return arch.Place{Space: simt.LDS, Addr: at & gen.SLMMask}, nil
	}
	return arch.Place{Space: simt.Global, Addr: addr}, nil
}

// Aperture implements arch.Arch.
func (*Arch) Aperture(addr uint64) (simt.Space, uint64, bool) {
	if addr>>tagShift == tagSLM {
		return simt.LDS, addr & gen.SLMMask, true
	}
	return simt.Global, addr, false
}

// Model implements arch.Arch.
func (*Arch) Model() types.Model { return types.Model{} }

// ClassSpace implements arch.Arch: there is one address space.
func (*Arch) ClassSpace(uint64) uint64 { return 0 }

// Options implements arch.Arch.
func (*Arch) Options(u *dwarf.Unit) expr.Options {
	return expr.Options{Arch: expr.IntelGT, Encoding: expr.Intel, Version: int(u.Version), DWARF64: u.Is64}
}

// FrameBase implements arch.Arch.
func (*Arch) FrameBase(_ *unwind.Frame, written []byte) ([]byte, error) {
	if written == nil {
		return nil, fmt.Errorf("its function has no frame base")
	}
	return written, nil
}

// Follow implements arch.Arch.
func (*Arch) Follow(_ expr.Context, _ *dwarf.Unit, l expr.Location, _ int, _ uint64) (expr.Location,
	error) {
	return l, nil
}

// Locations implements arch.Arch. IGC describes a kernel's local memory in an
// inlined copy of the kernel that covers no code: what is located there alone
// belongs to the kernel.
func (*Arch) Locations(_ *loader.Module, _ *loader.Kernel, _ *dwarf.Unit,
	root *dwarf.DIE) map[*dwarf.DIE][]byte {
	out := map[*dwarf.DIE][]byte{}
	root.Walk(func(d *dwarf.DIE) bool {
		if d.Tag != dwarf.TagInlinedSubroutine {
			return true
		}
		if _, ok := d.Attr(dwarf.AttrLowPC); ok {
			return true
		}
		if _, ok := d.Attr(dwarf.AttrRanges); ok {
			return true
		}
		for _, v := range d.Children {
			location, ok := v.Attr(dwarf.AttrLocation)
			if origin := v.Origin(); ok && v.Tag == dwarf.TagVariable && origin != nil &&
				location.Class == dwarf.ClassExprLoc {
				out[origin] = location.Bytes
			}
		}
		return false
	})
	return out
}

// CFI implements arch.Arch. Registers that a callee may change are lost in the
// caller's frame unless a rule says otherwise.
func (a *Arch) CFI() *cfi.Arch {
	preserved := numberGRF + uint64(firstPreserved(a.generation))
	return &cfi.Arch{Expr: expr.IntelGT, Encoding: expr.Intel, Default: func(reg uint64) cfi.Rule {
		if reg >= preserved && isGRF(a.generation, reg) {
			return cfi.Rule{Kind: cfi.SameValue}
		}
		return cfi.Rule{Kind: cfi.Undefined}
	}}
}

// firstPreserved is the first register that functions preserve: the upper half of them, but for the last
// eight.
func firstPreserved(g *gen.Generation) int { return (g.Registers() - 8) / 2 }
