package spirv

import (
	"encoding/binary"
	"errors"
	"fmt"

	"simtgdb/dwarf"
	"simtgdb/dwarf/cfi"
	"simtgdb/dwarf/expr"
	"simtgdb/dwarf/types"
	"simtgdb/loader"
	"simtgdb/simt"
	machine "simtgdb/simt/spirv"
	"simtgdb/stub/arch"
	"simtgdb/stub/arch/spirv/debuginfo"
	"simtgdb/stub/unwind"
)

// An Arch is the machine of one program. It implements arch.Arch.
type Arch struct {
	m      *loader.Module
	p      *machine.Program
	images []arch.Image
}

// New returns the machine as far as a program of a module is concerned.
func New(m *loader.Module, p *machine.Program) *Arch { return &Arch{m: m, p: p} }

// Images implements arch.Imager.
func (a *Arch) Images() []arch.Image { return a.images }

// Name implements arch.Arch.
func (*Arch) Name() string { return "spirv" }

// ArgumentsAt implements arch.ArgumentKeeper.
func (*Arch) ArgumentsAt(isa simt.ISA) (uint64, bool) {
	a, ok := isa.(*machine.ISA)
	if !ok || a.Arguments().Size == 0 {
		return 0, false
	}
	return a.Arguments().Addr, true
}

var dwarfArch = &expr.Arch{Name: "spirv", Spaces: []expr.Space{
	{ID: debuginfo.SpaceGlobal, Name: "global"},
	{ID: debuginfo.SpaceGeneric, Name: "generic"},
	{ID: debuginfo.SpaceWorkgroup, Name: "workgroup"},
	{ID: debuginfo.SpacePrivate, Name: "private", PerLane: true},
}}

// Register implements arch.Arch: a register is a scalar of an id's value.
func (a *Arch) Register(number uint64) (arch.Register, bool) {
	id, n, ok := debuginfo.Registered(number)
	if !ok {
		return arch.Register{}, false
	}
	slot, ok := a.p.SlotOf(id, n)
	return arch.Register{Reg: simt.Reg{Index: uint16(slot)}, Bytes: 8, PerLane: true}, ok
}

// Parts implements arch.Arch.
func (a *Arch) Parts(r simt.Reg, lane, _ int) []arch.Part {
	id, scalar, ok := a.p.IDOf(int(r.Index))
	if !ok {
		return nil
	}
	return []arch.Part{{Number: debuginfo.Register(id, scalar), Offset: 8 * lane, Bytes: 8}}
}

// Place implements arch.Arch.
func (a *Arch) Place(_ *simt.Wave, lane int, space, addr uint64) (arch.Place, error) {
	switch space {
	case debuginfo.SpaceGlobal:
		return arch.Place{Space: simt.Global, Addr: addr}, nil
	case debuginfo.SpaceWorkgroup:
		return arch.Place{Space: simt.LDS, Addr: addr &^ machine.LDSAperture}, nil
	case debuginfo.SpacePrivate:
		return arch.Place{Space: simt.Scratch, Lane: lane, Addr: addr &^ machine.ScratchAperture}, nil
	case debuginfo.SpaceGeneric:
		space, offset, _ := a.Aperture(addr)
		return arch.Place{Space: space, Lane: lane, Addr: offset}, nil
	}
	return arch.Place{}, fmt.Errorf("address space %d", space)
}

// Aperture implements arch.Arch.
func (*Arch) Aperture(addr uint64) (simt.Space, uint64, bool) {
	switch addr &^ (1<<48 - 1) {
	case machine.LDSAperture:
		return simt.LDS, addr &^ machine.LDSAperture, true
	case machine.ScratchAperture:
		return simt.Scratch, addr &^ machine.ScratchAperture, true
	}
	return simt.Global, addr, false
}

// GenericAddress implements arch.GenericAddresser.
func (*Arch) GenericAddress(space simt.Space, offset uint64) uint64 {
	if space == simt.LDS {
		return machine.LDSAperture | offset
	}
	return machine.ScratchAperture | offset
}

// Model implements arch.Arch.
func (*Arch) Model() types.Model { return types.Model{} }

// ClassSpace implements arch.Arch.
func (*Arch) ClassSpace(class uint64) uint64 { return class }

// Options implements arch.Arch.
func (*Arch) Options(u *dwarf.Unit) expr.Options {
	return expr.Options{Arch: dwarfArch, Version: int(u.Version), DWARF64: u.Is64}
}

// FrameBase implements arch.Arch: the debug information of modules has none.
func (*Arch) FrameBase(*unwind.Frame, []byte) ([]byte, error) {
	return nil, errors.New("functions of SPIR-V modules have no frame base")
}

// Follow implements arch.Arch.
func (*Arch) Follow(_ expr.Context, _ *dwarf.Unit, l expr.Location, _ int, _ uint64) (expr.Location, error) {
	return l, nil
}

// Locations implements arch.Arch: buffers have addresses now, which gdb then knows by itself, so that it
// can watch them whatever frame it looks at.
func (a *Arch) Locations(_ *loader.Module, _ *loader.Kernel, _ *dwarf.Unit,
	root *dwarf.DIE) map[*dwarf.DIE][]byte {
	out := map[*dwarf.DIE][]byte{}
	for _, d := range root.Children {
		loc, ok := d.Attr(dwarf.AttrLocation)
		if d.Tag != dwarf.TagVariable || !ok || loc.Class != dwarf.ClassExprLoc {
			continue
		}
		id, offset, ok := debuginfo.InBuffer(loc.Bytes)
		if !ok {
			continue
		}
		if addr, ok := a.p.Address(id); ok {
			out[d] = binary.LittleEndian.AppendUint64([]byte{expr.OpAddr}, addr+offset)
		}
	}
	return out
}

// CFI implements arch.Arch: frames are found by the record of calls.
func (*Arch) CFI() *cfi.Arch { return nil }

// Returned implements arch.Arch: the value of a function lies where the machine has it for the caller.
func (a *Arch) Returned(w *simt.Wave, lane int, call *simt.Call, typ *dwarf.DIE) ([]byte, error) {
	leaves, err := a.p.ReturnedBy(call.Site)
	if err != nil {
		return nil, err
	}
	object := make([]byte, types.Model{}.Size(typ))
	if slot, ok := a.p.ReturnsBy(call.Site); ok {
		return object, readBehind(w, lane, call, slot, object)
	}
	for _, lf := range leaves {
		var b [8]byte
		if err := w.Regs.Read(simt.Reg{Index: uint16(lf.Slot)}, lane, b[:]); err != nil {
			return nil, err
		}
		if lf.Offset+lf.Size > uint64(len(object)) {
			return nil, errors.New("its type has another size than the function's result")
		}
		copy(object[lf.Offset:lf.Offset+lf.Size], b[:])
	}
	return object, nil
}

// readBehind reads the object that a register led to when a call was made.
func readBehind(w *simt.Wave, lane int, call *simt.Call, slot int, object []byte) error {
	var b [8]byte
	if err := call.Regs.Read(simt.Reg{Index: uint16(slot)}, lane, b[:]); err != nil {
		return err
	}
	addr := binary.LittleEndian.Uint64(b[:])
	if space, offset, _ := (*Arch)(nil).Aperture(addr); space == simt.Scratch {
		_, err := w.ReadScratch(lane, offset, object)
		return err
	}
	return errors.New("it lies in memory that is not the lane's own")
}
