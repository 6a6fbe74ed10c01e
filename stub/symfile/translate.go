package symfile

import (
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"sort"

	"simtgdb/dwarf"
	"simtgdb/dwarf/cfi"
	"simtgdb/dwarf/expr"
	"simtgdb/dwarf/types"
	"simtgdb/loader"
	"simtgdb/simt"
	"simtgdb/stub/arch"
	"simtgdb/stub/facade"
)

// producer is what the translated units say made them. gdb skips the prologues
// of clang's units by their line tables, in `break FUNCTION` and where `step`
// enters a function, and ends up where they say prologue_end.
const producer = "clang version 22.1.0"

// dropped are attributes that mean nothing, or something else, to a stock gdb.
var dropped = map[dwarf.At]bool{
	dwarf.AttrCallingConvention: true, dwarf.AttrAddressClass: true, dwarf.AttrCallAllCalls: true,
	dwarf.AttrCallAllSourceCalls: true, dwarf.AttrCallAllTailCalls: true, dwarf.AttrSegment: true,
	dwarf.AttrStaticLink: true, dwarf.AttrReturnAddr: true, dwarf.AttrMacros: true, dwarf.AttrMacroInfo: true,
	dwarf.AttrGNUMacros: true, dwarf.AttrGNUAllCallSites: true, dwarf.AttrGNUAllTailCallSites: true,
}

// vendorAttrs are where attributes of vendors begin and end that stock gdb has
// no use for: LLVM's and Apple's.
const firstVendorAttr, lastVendorAttr = 0x3e00, 0x3fff

// droppedTags are entries that stock gdb cannot use: their expressions speak of
// GPU registers.
var droppedTags = map[dwarf.Tag]bool{
	dwarf.TagCallSite: true, dwarf.TagCallSiteParameter: true,
	dwarf.TagGNUCallSite: true, dwarf.TagGNUCallSiteParameter: true,
}

// A translator copies the units of an object.
type translator struct {
	file *File
	// pending are the attributes that wait for their slots' places.
	pending []pendingLocation
	root    *dwarf.DIE // of the unit that is copied, its copy
	kernel  *dwarf.DIE // the launched one's copy

	module *loader.Module
	layout Layout
	model  types.Model
	lost   map[*dwarf.DIE][]byte     // locations of the unit's variables that have none
	arrays map[*dwarf.DIE]*dwarf.DIE // what narrow pointers in memory lead to, by their types

	functions map[*dwarf.DIE]*dwarf.DIE // of the unit, their copies
	bases     map[*dwarf.DIE]*Base      // of functions of the unit
}

// A pendingLocation is a translated DW_AT_location, one or more slots long.
type pendingLocation struct {
	die    *dwarf.DIE
	locs   []dwarf.LocEntry
	slots  []int                 // for each entry, or -1 for one that has its expression already
	parts  [][]expr.WrittenPiece // for each entry that is known in part
	isList bool
}

// translate makes the debug sections.
func (f *File) translate(m *loader.Module, l Layout) (map[string][]byte, error) {
	t := &translator{file: f, module: m, layout: l, model: f.arch.Model(),
		arrays: map[*dwarf.DIE]*dwarf.DIE{}, functions: map[*dwarf.DIE]*dwarf.DIE{},
		bases: map[*dwarf.DIE]*Base{}}
	units, err := dwarf.Copy(f.Data.Units(), dwarf.CopyOptions{Edit: t.edit})
	if err != nil {
		return nil, err
	}
	t.orderEntries()
	f.sortBases()
	for _, u := range units {
		u.Lines = l.shownLines(u.Lines)
		l.define(u)
	}
	units = f.withBuiltins(units, l)
	if err := f.place(l); err != nil {
		return nil, err
	}
	for _, p := range t.pending {
		p.set(f.Slots, f.facade.Columns().SP)
	}
	return dwarf.Write(units, dwarf.WriteOptions{})
}

// edit changes the copy of one entry.
func (t *translator) edit(src, dst *dwarf.DIE) bool {
	if droppedTags[src.Tag] {
		return false
	}
	dst.Attrs = slices.DeleteFunc(dst.Attrs, func(a dwarf.Attr) bool {
		vendors := a.Name >= firstVendorAttr && a.Name <= lastVendorAttr
		return (dropped[a.Name] || vendors) && !isConvention(src, a)
	})
	if src.Parent == nil { // whatever a damaged file makes of it
		t.root, t.lost = dst, nil
		clear(t.arrays)
		clear(t.functions)
		clear(t.bases)
	}
	t.entryValue(src)
	t.notePointers(src)
	switch src.Tag {
	case dwarf.TagCompileUnit, dwarf.TagPartialUnit:
		t.unit(src, dst)
	case dwarf.TagArrayType:
		t.vector(src, dst)
	case dwarf.TagInlinedSubroutine:
		t.addStatics(src, dst)
		if t.layout.IsInlinedBody(src) {
			t.inlineBody(src, dst)
		}
	case dwarf.TagVariable, dwarf.TagFormalParameter:
		if !t.variable(src, dst) {
			return false
		}
		if t.isLost(src) {
			dst.Delete(dwarf.AttrExternal) // gdb would look for a symbol, and say that it is missing
		}
	case dwarf.TagSubrangeType:
		if len(facade.Components(src.Parent)) > 0 {
			return false
		}
	case dwarf.TagSubprogram:
		if !t.function(src, dst) {
			return false
		}
	default:
		if size, ok := t.model.Narrow(src); ok {
			dst.Set(dwarf.UintAttr(dwarf.AttrByteSize, size))
		}
		t.narrow(src, dst)
	}
	if _, ok := dst.Attr(dwarf.AttrFrameBase); ok {
		dst.Set(dwarf.ExprAttr(dwarf.AttrFrameBase, []byte{expr.OpCallFrameCFA}))
	}
	if a, ok := t.located(src); ok {
		dst.Delete(dwarf.AttrLocation)
		t.location(src, dst, a)
	} else {
		t.placed(src, pendingLocation{die: dst})
	}
	return true
}

// unit says that clang has made the unit, of C where gdb knows the language too little.
func (t *translator) unit(src, dst *dwarf.DIE) {
	t.lost = t.file.arch.Locations(t.module, t.layout.Launched, src.Unit, src)
	maps.Copy(t.file.Lost, t.lost)
	t.statics(src)
	dst.Set(dwarf.StringAttr(dwarf.AttrProducer, producer))
	if types.IsOpenCL(src) {
		dst.Set(dwarf.UintAttr(dwarf.AttrLanguage, dwarf.LangC99))
	}
}

// function reports whether gdb is shown a function: what a launch enters it is not, where the user's kernel
// is another one.
func (t *translator) function(src, dst *dwarf.DIE) bool {
	t.functions[src] = dst
	if r, ok := src.LowHigh(); ok {
		if t.layout.InCaller(r.Low) {
			return false
		}
		if r.Low == t.layout.Kernel {
			t.kernel = dst
			t.dynamicShared(src)
		}
		if _, ok := t.layout.body(r.Low); ok {
			dst.Delete(dwarf.AttrLinkageName)
			dst.Delete(dwarf.AttrMIPSLinkageName)
		}
	}
	if t.file.facade.Unreturnable(t.model, src.TypeDIE()) {
		dst.Set(dwarf.UintAttr(dwarf.AttrCallingConvention, dwarf.CCNocall))
	}
	return true
}

// vector makes a structure of a vector, if it is to be shown as one.
func (t *translator) vector(src, dst *dwarf.DIE) {
	names := facade.Components(src)
	if len(names) == 0 {
		return
	}
	element := src.TypeDIE()
	dst.Tag = dwarf.TagStructureType
	dst.Attrs = []dwarf.Attr{dwarf.UintAttr(dwarf.AttrByteSize, t.model.Size(src))}
	for i, name := range names {
		dst.Add(dwarf.NewDIE(dwarf.TagMember,
			dwarf.StringAttr(dwarf.AttrName, name), dwarf.RefAttr(dwarf.AttrType, element),
			dwarf.UintAttr(dwarf.AttrDataMemberLocation, uint64(i)*t.model.Size(element))))
	}
}

// isLost reports whether nothing says where a variable is that is defined here.
func (t *translator) isLost(src *dwarf.DIE) bool {
	_, located := t.located(src)
	_, constant := src.Attr(dwarf.AttrConstValue)
	return src.Tag == dwarf.TagVariable && !located && !constant && !src.Flag(dwarf.AttrDeclaration)
}

// isConvention reports whether an attribute is a calling convention that means
// the same to gdb: that a class is passed by reference or by value, or that
// optimisation has changed a function's parameters or result, so that gdb must
// not look for the result.
func isConvention(src *dwarf.DIE, a dwarf.Attr) bool {
	if a.Name != dwarf.AttrCallingConvention {
		return false
	}
	cc, _ := src.Uint(dwarf.AttrCallingConvention)
	return (src.Tag == dwarf.TagSubprogram) == (cc == dwarf.CCNocall)
}

// variable changes the copy of a variable or parameter; false leaves it out.
func (t *translator) variable(src, dst *dwarf.DIE) bool {
	if p, _ := t.pointersIn(src.TypeDIE()); p != nil {
		dst.Set(dwarf.RefAttr(dwarf.AttrType, t.wide(src.TypeDIE())))
	}
	if src.Tag == dwarf.TagFormalParameter && src.Parent != nil && t.layout.IsInlinedBody(src.Parent) {
		// The kernel has parameters of its own; what is known of them here is in its block.
		dst.Tag = dwarf.TagVariable
		_, located := src.Attr(dwarf.AttrLocation)
		return located
	}
	return true
}

// location makes slots for an entry's DW_AT_location.
func (t *translator) location(src, dst *dwarf.DIE, a dwarf.Attr) {
	locs, err := Locations(t.file.arch, src, a)
	if err != nil {
		t.file.Complaints = append(t.file.Complaints, err)
		return
	}
	base := t.slot(src)
	p := pendingLocation{die: dst, isList: a.Class == dwarf.ClassLocList ||
		slices.ContainsFunc(locs, func(l dwarf.LocEntry) bool { return !l.Default })}
	for _, l := range locs {
		slot, parts := -1, []expr.WrittenPiece(nil)
		if len(l.Expr) == 0 {
			continue // optimized out here
		} else if addr, ok := t.plainAddress(src.Unit, l.Expr); ok && base.Pointers == 0 {
			l.Expr = binary.LittleEndian.AppendUint64([]byte{expr.OpAddr}, addr)
		} else if e := t.fromBase(src, l.Expr); e != nil {
			l.Expr = e
		} else if addr, ok := t.sharedAddress(src, l.Expr); ok && base.Pointers == 0 {
			l.Expr = binary.LittleEndian.AppendUint64([]byte{expr.OpAddr}, addr)
		} else {
			s := base
			s.Expr = l.Expr
			slot = len(t.file.Slots)
			t.file.Slots = append(t.file.Slots, s)
			parts = t.parts(&s)
		}
		l.Refs = nil
		p.add(l, slot, parts)
		if slot >= 0 && outsideFunctions(src) {
			// What each lane has of its own, such as its number: see sharedAddress.
			dst.Set(dwarf.FlagAttr(dwarf.AttrArtificial))
		}
	}
	t.placed(src, p)
}

// Locations are those of an entry's attribute, as its family of machines reads them.
func Locations(a arch.Arch, d *dwarf.DIE, location dwarf.Attr) ([]dwarf.LocEntry, error) {
	locs, err := d.Unit.LocList(location)
	if r, ok := a.(arch.ObjectReader); ok && err == nil {
		locs = r.Objects(d, locs, a.Model().Size(d.TypeDIE()))
	}
	return locs, err
}

// placed keeps the location of an entry, if there is any, until the slots have places.
func (t *translator) placed(src *dwarf.DIE, p pendingLocation) {
	t.launched(src, &p)
	if len(p.locs) > 0 {
		t.pending = append(t.pending, p)
	}
}

// slot makes the slot of a variable, without its expression.
func (t *translator) slot(src *dwarf.DIE) Slot {
	s := Slot{Name: src.Name(), Unit: src.Unit, FrameBase: FrameBase(src), Size: t.model.Size(src.TypeDIE())}
	if p, n := t.pointersIn(src.TypeDIE()); p != nil {
		class, _ := p.Uint(dwarf.AttrAddressClass)
		s.Pointers, s.Space, s.Size = n, t.file.arch.ClassSpace(class), wideSize*n
	}
	return s
}

func (p *pendingLocation) add(l dwarf.LocEntry, slot int, parts []expr.WrittenPiece) {
	p.locs, p.slots, p.parts = append(p.locs, l), append(p.slots, slot), append(p.parts, parts)
}

// set writes the attribute now that the slots have places.
func (p *pendingLocation) set(slots []Slot, sp uint64) {
	for i, s := range p.slots {
		if s >= 0 {
			p.locs[i].Expr = readParts(sp, slots[s].At, p.parts[i])
		}
	}
	if p.isList {
		p.die.Set(dwarf.LocListAttr(dwarf.AttrLocation, p.locs))
		return
	}
	p.die.Set(dwarf.ExprAttr(dwarf.AttrLocation, p.locs[0].Expr))
}

// readSlot is the translated location of a variable. The stack pointer of a frame is its CFA: gdb looks for
// the caller before it says what the CFA is (dwarf2_frame_cfa), which is another packet for each lane that it
// lists.
func readSlot(sp uint64, at int64) []byte {
	e := []byte{expr.OpBreg0 + byte(sp), 0, expr.OpPlusUconst}
	e = binary.AppendUvarint(e, uint64(at))
	return append(e, expr.OpDeref)
}

// readParts is the translated location of a variable that is known in part: of
// the others gdb says that they are optimized out.
func readParts(sp uint64, at int64, parts []expr.WrittenPiece) []byte {
	if parts == nil {
		return readSlot(sp, at)
	}
	var e []byte
	offset := uint64(0)
	for _, p := range parts {
		if !p.Undefined {
			e = append(append(e, readSlot(sp, at)...), expr.OpPlusUconst)
			e = binary.AppendUvarint(e, offset)
		}
		e = binary.AppendUvarint(append(e, expr.OpPiece), p.Bits/8)
		offset += p.Bits / 8
	}
	return e
}

// parts are those of an object that is known in part, nil for any other.
func (t *translator) parts(s *Slot) []expr.WrittenPiece {
	o := t.file.arch.Options(s.Unit)
	f := expr.Format{AddressSize: int(s.Unit.AddrSize), DWARF64: o.DWARF64, Version: o.Version}
	parts := expr.WrittenPieces(s.Expr, o.Encoding, f)
	if parts == nil || s.Pointers > 0 {
		return nil
	}
	left, missing := 8*s.Size, false
	for _, p := range parts {
		if p.Bits > left || p.Bits%8 != 0 {
			return nil
		}
		left -= p.Bits
		missing = missing || p.Undefined
	}
	if left > 0 {
		parts = append(parts, expr.WrittenPiece{Bits: left, Undefined: true})
	} else if !missing {
		return nil
	}
	return parts
}

// plainAddress is the address of an expression that needs no frame and gives one in
// global memory: a variable that gdb reads by itself.
func (t *translator) plainAddress(u *dwarf.Unit, e []byte) (uint64, bool) {
	if len(e) == 0 || e[0] != expr.OpAddr && e[0] != expr.OpAddrx && e[0] != expr.OpGNUAddrIndex {
		return 0, false
	}
	p, ok := t.place(u, e)
	return p.Addr, ok && p.Space == simt.Global
}

// sharedAddress is the address that the program has for a variable of LDS outside of functions, where gdb's
// DAP reads a unit's variables without a frame and shows none if one needs it (get_global_scope, gdb 16 and
// 18).
func (t *translator) sharedAddress(src *dwarf.DIE, e []byte) (uint64, bool) {
	g, ok := t.file.arch.(arch.GenericAddresser)
	if !ok || !outsideFunctions(src) {
		return 0, false
	}
	p, ok := t.place(src.Unit, e)
	return g.GenericAddress(simt.LDS, p.Addr), ok && p.Space == simt.LDS
}

func outsideFunctions(d *dwarf.DIE) bool {
	for ; d != nil; d = d.Parent {
		if d.Tag == dwarf.TagSubprogram {
			return false
		}
	}
	return true
}

// place evaluates a location that needs no frame.
func (t *translator) place(u *dwarf.Unit, e []byte) (arch.Place, bool) {
	loc, err := expr.Evaluate(static{u}, e, t.file.arch.Options(u))
	if err != nil {
		return arch.Place{}, false
	}
	a, ok := loc.Address()
	if !ok {
		return arch.Place{}, false
	}
	p, err := t.file.arch.Place(&simt.Wave{Size: simt.MaxLanes}, 0, a.Space, a.Address)
	return p, err == nil
}

// static is what an expression is evaluated in without a frame. It implements
// expr.Context.
type static struct{ unit *dwarf.Unit }

var errNoFrame = errors.New("there is no frame")

func (static) AddressSize() int                                { return 8 }
func (static) RegisterSize(uint64) (int, error)                { return 0, errNoFrame }
func (static) ReadRegister(uint64, int, []byte) error          { return errNoFrame }
func (static) ReadMemory(uint64, int, uint64, []byte) error    { return errNoFrame }
func (s static) Addrx(index uint64) (uint64, error)            { return s.unit.Addr(index) }
func (s static) BaseType(offset uint64) (expr.BaseType, error) { return types.Base(s.unit, offset) }

// FrameBase is the DW_AT_frame_base of the function around an entry.
func FrameBase(d *dwarf.DIE) []byte {
	for ; d != nil; d = d.Parent {
		if d.Tag != dwarf.TagSubprogram {
			continue
		}
		if a, ok := d.Attr(dwarf.AttrFrameBase); ok && a.Class == dwarf.ClassExprLoc {
			return a.Bytes
		}
		return nil
	}
	return nil
}

// frames is the call frame information, the same for all code: the CFA is the
// handle that the stub gives as the stack pointer, the caller's handle lies a stride above,
// and the caller's pc and base are what the stub says is stored at CFA-8 and CFA-16.
//
// A kernel has a caller too, which has none: if the kernel itself had none,
// gdb 13 would know no CFA for it, and no difference between one lane's kernel
// and another's. gdb does not show the caller of "main", which is what the
// kernel is called besides its name.
func frames(m *loader.Module, c facade.Columns, l Layout) ([]byte, error) {
	cie := &cfi.CIE{CodeAlign: 1, DataAlign: -8, ReturnAddress: c.PC,
		Instructions: cfi.Program(nil).DefCFA(c.SP, 0).Offset(c.PC, 1).Offset(c.Base, 2).
			ValOffset(c.SP, -l.Stride/8)}
	var fdes []*cfi.FDE
	for _, seg := range m.Segments {
		if !seg.Exec {
			continue
		}
		for _, r := range functions(m, seg) {
			fdes = append(fdes, &cfi.FDE{CIE: cie, Start: r.Low, Range: r.High - r.Low})
		}
	}
	fdes = append(fdes, &cfi.FDE{CIE: cie, Start: l.Dispatch, Range: dispatchSize,
		Instructions: cfi.Program(nil).Undefined(c.PC)})
	return cfi.Write(fdes)
}

// functions cuts a segment of code where functions begin and end.
func functions(m *loader.Module, seg loader.Segment) []dwarf.Range {
	cuts := map[uint64]bool{seg.Addr: true, seg.Addr + seg.MemSize: true}
	for _, s := range m.Symbols {
		if s.Kind == loader.SymbolFunc && !s.Undefined && seg.Contains(s.Addr, s.Size) {
			cuts[s.Addr], cuts[s.Addr+s.Size] = true, true
		}
	}
	for _, k := range m.Kernels {
		if seg.Contains(k.Entry, 0) {
			cuts[k.Entry] = true
		}
	}
	var at []uint64
	for c := range cuts {
		at = append(at, c)
	}
	sort.Slice(at, func(i, j int) bool { return at[i] < at[j] })
	var out []dwarf.Range
	for i := range len(at) - 1 {
		out = append(out, dwarf.Range{Low: at[i], High: at[i+1]})
	}
	return out
}
