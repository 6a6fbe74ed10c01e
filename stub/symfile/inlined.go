package symfile

import (
	"simtgdb/dwarf"
	"simtgdb/simt"
)

// A function that clang inlines has an abstract entry, which calls that were inlined and
// its code refer to. Its variables of static duration are in neither: clang writes them to
// the entry of its code alone. What was inlined gets them from there.

// statics finds the variables of static duration of functions that have been inlined.
func (t *translator) statics(root *dwarf.DIE) {
	out := t.file.Statics
	for _, f := range root.Children {
		origin := f.Ref(dwarf.AttrAbstractOrigin)
		if f.Tag != dwarf.TagSubprogram || origin == nil {
			continue
		}
		for _, v := range f.Children {
			if _, refers := v.Attr(dwarf.AttrAbstractOrigin); v.Tag == dwarf.TagVariable && !refers &&
				t.isStatic(v) {
				out[origin] = append(out[origin], v)
			}
		}
	}
}

// isStatic reports whether a variable has one place that depends on no frame, in global memory or LDS, or
// none that the compiler tells.
func (t *translator) isStatic(v *dwarf.DIE) bool {
	a, ok := t.located(v)
	if !ok {
		return true
	}
	p, ok := t.place(v.Unit, a.Bytes)
	return a.Class == dwarf.ClassExprLoc && ok && p.Space != simt.Scratch
}

// located is the location of a variable.
func (t *translator) located(v *dwarf.DIE) (dwarf.Attr, bool) {
	if e := t.lost[v]; e != nil {
		return dwarf.ExprAttr(dwarf.AttrLocation, e), true
	}
	return v.Attr(dwarf.AttrLocation)
}

// addStatics gives an inlined function its variables of static duration.
func (t *translator) addStatics(src, dst *dwarf.DIE) {
	for _, v := range t.file.Statics[src.Ref(dwarf.AttrAbstractOrigin)] {
		own := t.addVariable(v, dst)
		if a, ok := t.located(v); ok {
			t.location(v, own, a)
		}
	}
}

// addVariable adds a variable like another, without a location.
func (t *translator) addVariable(v, dst *dwarf.DIE) *dwarf.DIE {
	own := dwarf.NewDIE(dwarf.TagVariable, dwarf.StringAttr(dwarf.AttrName, v.Name()))
	if typ := v.TypeDIE(); typ != nil {
		own.Set(dwarf.RefAttr(dwarf.AttrType, typ))
	}
	t.variable(v, own)
	dst.Add(own)
	return own
}

// IsInlinedBody reports whether an inlined function is the body of the kernel that it is inlined into.
func (l Layout) IsInlinedBody(src *dwarf.DIE) bool {
	kernel := src.Parent
	if src.Tag != dwarf.TagInlinedSubroutine || kernel == nil || kernel.Tag != dwarf.TagSubprogram {
		return false
	}
	code, ok := kernel.LowHigh()
	name := l.BodyNames[code.Low]
	return ok && name != "" && src.LinkageName() == name
}

// inlineBody makes a block of the kernel of its body, which the compiler has put there: gdb
// shows one function, as there is one in the source. Variables that are described no more gdb takes from
// what is inlined (inherit_abstract_dies), a block has its own.
func (t *translator) inlineBody(src, dst *dwarf.DIE) {
	described := map[*dwarf.DIE]bool{}
	for _, c := range src.Children {
		described[c.Ref(dwarf.AttrAbstractOrigin)] = true
	}
	if body := src.Ref(dwarf.AttrAbstractOrigin); body != nil {
		for _, v := range body.Children {
			if v.Tag == dwarf.TagVariable && !described[v] {
				t.addVariable(v, dst)
			}
		}
	}
	dst.Tag = dwarf.TagLexicalBlock
	dst.Delete(dwarf.AttrAbstractOrigin, dwarf.AttrCallFile, dwarf.AttrCallLine, dwarf.AttrCallColumn,
		dwarf.AttrEntryPC)
}
