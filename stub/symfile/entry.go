package symfile

import (
	"encoding/binary"
	"slices"

	"simtgdb/dwarf"
	"simtgdb/dwarf/expr"
	"simtgdb/dwarf/line"
	"simtgdb/dwarf/types"
	"simtgdb/stub/arch"
)

// Optimised kernels keep an argument only as long as they need it; the memory that it
// came in stays as it is. gdb shows what a parameter was when its function was entered as
// NAME@entry, for calls that DW_TAG_call_site_parameter describes. A kernel has no caller
// that gdb would ask (get_prev_frame ends at main), so what it was launched with is an
// entry of its own, of that name: of a parameter that has no place at all a parameter,
// which the line of the frame shows, and a variable of one that has none in part of the
// kernel.

// Before an argument is where the debugging information says, it is only there: where the
// code of the launched kernel begins, up to the end of its prologue, that memory is the
// parameter's place (launched).

// entryValue adds NAME@entry to the launched kernel for one of its parameters.
func (t *translator) entryValue(src *dwarf.DIE) {
	arg, code, ok := t.file.Launched(src)
	if !ok || t.kernel == nil {
		return
	}
	tag := dwarf.TagFormalParameter
	if a, ok := src.Attr(dwarf.AttrLocation); ok {
		locs, err := Locations(t.file.arch, src, a)
		if err != nil || slices.ContainsFunc(locs, func(l dwarf.LocEntry) bool { return l.Default }) ||
			covers(append(locs, t.inPrologue(src, arg)), code) {
			return
		}
		if slices.ContainsFunc(locs, func(l dwarf.LocEntry) bool { return len(l.Expr) > 0 }) {
			tag = dwarf.TagVariable
		}
	}
	t.addMade(t.kernel, tag, src,
		Made{Name: src.Name() + entrySuffix, Type: src.TypeDIE(), Addr: arg.Addr, Function: &code})
}

// addMade adds a variable of the stub's own that lies in memory, with the unit and the function of another
// entry.
func (t *translator) addMade(parent *dwarf.DIE, tag dwarf.Tag, at *dwarf.DIE, v Made) {
	t.file.Made = append(t.file.Made, v)
	own := dwarf.NewDIE(tag, dwarf.StringAttr(dwarf.AttrName, v.Name), dwarf.RefAttr(dwarf.AttrType, v.Type))
	parent.Add(own)
	location := dwarf.ExprAttr(dwarf.AttrLocation, Argument{Addr: v.Addr}.location())
	if p, _ := t.pointersIn(v.Type); p == nil {
		if tag == dwarf.TagFormalParameter {
			location.Bytes = t.inArguments(at.Parent, Argument{Addr: v.Addr}, true)
		}
		own.Set(location)
		return
	}
	own.Set(dwarf.RefAttr(dwarf.AttrType, t.wide(v.Type)))
	t.location(at, own, location)
}

const entrySuffix = "@entry"

// orderEntries puts what entryValue added behind the parameters that it is of, as gdb has it. It was added
// before they were.
func (t *translator) orderEntries() {
	if t.kernel == nil {
		return
	}
	in := t.kernel.Children
	for i := 1; i < len(in); i++ {
		if in[i-1].Name() == in[i].Name()+entrySuffix {
			in[i-1], in[i] = in[i], in[i-1]
		}
	}
}

// launched puts a parameter of the launched kernel where it was launched with, in front of the
// places that it has from the end of the prologue on.
func (t *translator) launched(src *dwarf.DIE, p *pendingLocation) {
	arg, code, ok := t.file.Launched(src)
	if !ok {
		return
	}
	first, slot := pendingLocation{die: p.die, isList: true}, -1
	if s := t.slot(src); s.Pointers > 0 {
		s.Expr = arg.location()
		slot, t.file.Slots = len(t.file.Slots), append(t.file.Slots, s)
	}
	first.add(t.inPrologue(src, arg), slot, nil)
	for i, l := range p.locs {
		if !p.isList {
			l.Low, l.High, l.Default = code.Low, code.High, false
		}
		if l.Low = max(l.Low, t.file.prologue.High); l.Low < l.High || l.Default {
			first.add(l, p.slots[i], p.parts[i])
		}
	}
	*p = first
}

// inPrologue is the location of a parameter in the launched kernel's prologue.
func (t *translator) inPrologue(param *dwarf.DIE, arg Argument) dwarf.LocEntry {
	return dwarf.LocEntry{Low: t.file.prologue.Low, High: t.file.prologue.High,
		Expr: t.inArguments(param.Parent, arg, false)}
}

// Launched is the memory that a parameter of the launched kernel came in, and the kernel's code.
func (f *File) Launched(param *dwarf.DIE) (arg Argument, code dwarf.Range, ok bool) {
	kernel := param.Parent
	if param.Tag != dwarf.TagFormalParameter || kernel == nil || kernel.Tag != dwarf.TagSubprogram {
		return arg, code, false
	}
	if code, ok = kernel.LowHigh(); !ok || code.Low != f.layout.Kernel {
		return arg, code, false
	}
	if arg, ok = f.layout.Argument(param); !ok {
		return arg, code, false
	}
	typ := types.Strip(param.TypeDIE())
	_, narrow := f.arch.Model().Narrow(typ)
	return arg, code, typ != nil && fits(typ, f.arch.Model().Size(typ), arg.Size) && (narrow || !arg.Shared)
}

// fits reports whether a type of some size is that of an argument of a size. Arguments of three components
// have the room of four, which IGC's debugging information does not say.
func fits(typ *dwarf.DIE, size, arg uint64) bool {
	return size == arg || types.IsVector(typ) && types.Elements(typ) == 3 && size/3*4 == arg
}

// InPrologue is where a parameter of the launched kernel is at a pc of the kernel's prologue.
func (f *File) InPrologue(param *dwarf.DIE, pc uint64) (addr uint64, ok bool) {
	if pc < f.prologue.Low || pc >= f.prologue.High {
		return 0, false
	}
	arg, _, ok := f.Launched(param)
	return arg.Addr, ok
}

// prologue is that of the launched kernel, by its line table: no more than the place where it begins if
// that does not say.
func (l Layout) prologue(d *dwarf.Data) dwarf.Range {
	none := dwarf.Range{Low: l.Kernel, High: l.Kernel + 1}
	u := d.UnitAt(l.Kernel)
	if u == nil {
		return none
	}
	table, err := u.Lines()
	kernel := u.FunctionAt(l.Kernel)
	if err != nil || table == nil || kernel == nil {
		return none
	}
	code, _ := kernel.LowHigh()
	for _, r := range table.Rows {
		if r.Has(line.PrologueEnd) && l.Kernel < r.Addr && r.Addr < code.High {
			return dwarf.Range{Low: l.Kernel, High: r.Addr}
		}
	}
	return none
}

// framed is where all parameters of the launched kernel are found that have one place in all of its code,
// but for where it is not known yet: Intel's are in a frame, or at an address for each lane, which the code
// works out behind what the line table says to be the prologue. It is 0 if there are none.
func (f *File) framed() (at uint64) {
	if _, ok := f.arch.(arch.ObjectReader); !ok {
		return 0
	}
	u := f.Data.UnitAt(f.layout.Kernel)
	if u == nil {
		return 0
	}
	kernel := u.FunctionAt(f.layout.Kernel)
	if kernel == nil {
		return 0
	}
	for _, p := range kernel.Children {
		a, placed := p.Attr(dwarf.AttrLocation)
		if _, _, ok := f.Launched(p); !ok || !placed || a.Class == dwarf.ClassLocList {
			continue
		}
		if locs, err := Locations(f.arch, p, a); err == nil && len(locs) > 0 && !locs[0].Default {
			at = max(at, locs[0].Low)
		}
	}
	return at
}

// location is the place as an expression.
func (a Argument) location() []byte {
	return binary.LittleEndian.AppendUint64([]byte{expr.OpAddr}, a.Addr)
}

// Argument is the memory of a parameter of the launched kernel.
func (l Layout) Argument(param *dwarf.DIE) (Argument, bool) {
	index, count := -1, 0
	for _, p := range param.Parent.Children {
		if p == param {
			index = count
		}
		if p.Tag == dwarf.TagFormalParameter {
			count++
		}
	}
	if index < 0 || count != len(l.Arguments) {
		return Argument{}, false
	}
	return l.Arguments[index], true
}

// covers reports whether locations are known for all of some code.
func covers(locs []dwarf.LocEntry, code dwarf.Range) bool {
	var known []dwarf.Range
	for _, l := range locs {
		if len(l.Expr) > 0 {
			if l.Default {
				return true
			}
			known = append(known, dwarf.Range{Low: l.Low, High: l.High})
		}
	}
	slices.SortFunc(known, func(a, b dwarf.Range) int {
		if a.Low < b.Low {
			return -1
		}
		return 1
	})
	at := code.Low
	for _, r := range known {
		if r.Low > at {
			return false
		}
		at = max(at, r.High)
	}
	return at >= code.High
}
