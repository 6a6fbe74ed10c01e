package symfile

import (
	"encoding/binary"
	"slices"

	"simtgdb/dwarf"
	"simtgdb/dwarf/expr"
)

// Optimised kernels keep an argument only as long as they need it; the memory that it
// came in stays as it is. gdb shows what a parameter was when its function was entered as
// NAME@entry, for calls that DW_TAG_call_site_parameter describes. A kernel has no caller
// that gdb would ask (get_prev_frame ends at main), so what it was launched with is an
// entry of its own, of that name: of a parameter that has no place at all a parameter,
// which the line of the frame shows, and a variable of one that has none in part of the
// kernel.

// entryValue adds NAME@entry to the launched kernel for one of its parameters.
func (t *translator) entryValue(src *dwarf.DIE) {
	f := src.Parent
	if src.Tag != dwarf.TagFormalParameter || f == nil || f.Tag != dwarf.TagSubprogram || t.kernel == nil {
		return
	}
	code, ok := f.LowHigh()
	if !ok || code.Low != t.layout.Kernel {
		return
	}
	arg, ok := t.argument(src)
	typ := src.TypeDIE()
	if !ok || typ == nil || t.pointerInto(typ) != nil || t.model.Size(typ) != arg.Size {
		return
	}
	tag := dwarf.TagFormalParameter
	if a, ok := src.Attr(dwarf.AttrLocation); ok {
		locs, err := src.Unit.LocList(a)
		if err != nil || a.Class != dwarf.ClassLocList || covers(locs, code) {
			return
		}
		if slices.ContainsFunc(locs, func(l dwarf.LocEntry) bool { return len(l.Expr) > 0 }) {
			tag = dwarf.TagVariable
		}
	}
	t.kernel.Add(dwarf.NewDIE(tag, dwarf.StringAttr(dwarf.AttrName, src.Name()+"@entry"),
		dwarf.RefAttr(dwarf.AttrType, typ), dwarf.ExprAttr(dwarf.AttrLocation,
			binary.LittleEndian.AppendUint64([]byte{expr.OpAddr}, arg.Addr))))
}

// argument is the memory of a parameter of the launched kernel.
func (t *translator) argument(src *dwarf.DIE) (Argument, bool) {
	index, count := -1, 0
	for _, p := range src.Parent.Children {
		if p == src {
			index = count
		}
		if p.Tag == dwarf.TagFormalParameter {
			count++
		}
	}
	if index < 0 || count != len(t.layout.Arguments) {
		return Argument{}, false
	}
	return t.layout.Arguments[index], true
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
