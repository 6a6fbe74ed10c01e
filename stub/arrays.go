package stub

import (
	"fmt"
	"io/fs"
	"iter"
	"path"
	"path/filepath"
	"strings"

	"simtgdb/dwarf"
	"simtgdb/dwarf/expr"
	"simtgdb/dwarf/types"
	"simtgdb/loader/printable"
	"simtgdb/simt"
	"simtgdb/stub/launch"
	"simtgdb/stub/source"
	"simtgdb/stub/subscript"
	"simtgdb/stub/symfile"
	"simtgdb/stub/unwind"
)

// arrays tells checkers which arrays a program's accesses are meant for: the line table says where in the
// source an instruction comes from, the source which variable is subscripted there, and its location where
// that is. It implements check.Objects.
type arrays struct {
	frames  *frames
	program *launch.Program
	finder  source.Finder
	at      map[uint64]*elementAt // by pc
	lost    map[*dwarf.Unit]map[*dwarf.DIE][]byte
	texts   map[string]string // of source files, by name; "" for those that are not there or have changed
}

// An elementAt is what the source accesses at an instruction; no variable: that is not known.
type elementAt struct {
	variable *dwarf.DIE
	does     subscript.Expr
	slot     *symfile.Slot
	depth    int  // of the function: 0 is a kernel
	static   bool // it is in the same place always: in fixed, once that is known
	fixed    *simt.Object
	rows     *rows // of an array of arrays; nil if it is none, or its subscripts cannot be followed
}

// FindObjects makes checkers of a program know the arrays that its source names. Sources are looked for
// where the debugging information says, in folders, and beside the program's file.
func FindObjects(p *launch.Program, folders []string) {
	if p.Source == nil || p.Source.Data == nil {
		return
	}
	of := &frames{lanes: lanes{windows: windowsOf(64)}, module: p.Module, memory: p.Memory, arch: p.Arch}
	a := &arrays{program: p, frames: of, at: map[uint64]*elementAt{}, texts: map[string]string{},
		lost: map[*dwarf.Unit]map[*dwarf.DIE][]byte{}}
	a.finder.Folders = append(a.finder.Folders, folders...)
	if f := p.Spec.CodeObject; f.FS != nil {
		a.finder.Trees = []fs.FS{f.FS}
	} else if f.Path != "" {
		a.finder.Folders = append(a.finder.Folders, filepath.Dir(f.Path))
	}
	p.Objects = a
}

// BoundsUnknown says in a sentence why accesses are not held against the arrays that a program's source
// names: its text is not there. It is "" where it is, and where the program says nothing of its source.
func BoundsUnknown(p *launch.Program) string {
	a, ok := p.Objects.(*arrays)
	if !ok {
		return ""
	}
	at, ok := p.Source.At(p.Kernel.Entry)
	if !ok || a.text(at) != "" {
		return ""
	}
	return fmt.Sprintf("bounds of arrays that the source names are not looked at, for the text of %s is not "+
		"found, or is not what was compiled: --source FOLDER says where it is", printable.Name(at.File))
}

// Meant implements check.Objects.
func (a *arrays) Meant(acc *simt.Access, lane int) *simt.Object {
	e := a.at[acc.PC]
	if e == nil {
		e = a.element(acc.PC)
		a.at[acc.PC] = e
	}
	switch {
	case e.variable == nil, acc.Write && !e.does.Writes, !acc.Write && !e.does.Reads:
		return nil
	case e.fixed != nil:
		return e.fixed
	}
	o := a.place(e, acc.Wave, lane, acc.PC)
	if e.static {
		e.fixed = o
	}
	return o
}

// element finds what the source accesses at an instruction.
func (a *arrays) element(pc uint64) *elementAt {
	none := &elementAt{}
	p, ok := a.program.Source.At(pc)
	u := a.program.Source.Data.UnitAt(pc)
	if !ok || p.Column == 0 {
		return none
	}
	text := a.text(p)
	at, ok := subscript.Offset(text, p.Line, p.Column)
	if !ok {
		return none
	}
	does, ok := subscript.At(text, at)
	if !ok {
		return none
	}
	scopes := u.ScopesAt(pc)
	if len(scopes) == 0 {
		return none
	}
	v, slot := a.variable(u, scopes, does.Name, pc)
	if slot == nil || !a.isArray(v) || !a.declared(v, p) {
		return none
	}
	e := &elementAt{variable: v, does: does, slot: slot, depth: 1}
	if r, ok := scopes[0].LowHigh(); ok && r.Low == a.program.Kernel.Entry {
		e.depth = 0
	}
	switch e.slot.Expr[0] {
	case expr.OpAddr, expr.OpAddrx, expr.OpConst4u:
		e.static = true
	}
	e.rows = a.rowsOf(e, &scene{unit: u, scopes: scopes, source: text})
	return e
}

// text is a source file's, "" if it is not there or not what was compiled.
func (a *arrays) text(p source.Position) string {
	text, known := a.texts[p.File]
	if !known {
		if b, ok := a.finder.File(p); ok && a.program.Source.IsText(p, b) {
			text = string(b)
		}
		for _, f := range a.program.Source.Files() {
			if f.Text != nil && (f.Path == p.File || f.Path == path.Join("/", p.CompDir, p.File)) {
				text = string(f.Text)
			}
		}
		a.texts[p.File] = text
	}
	return text
}

// variable is the one of a name that is visible at a pc, in some scopes, the innermost last, or in the unit,
// and where it is there; no slot if that is not known. Of optimised code not every scope is described: a name
// that a function declares twice is nobody's.
func (a *arrays) variable(u *dwarf.Unit, scopes []*dwarf.DIE, name string, pc uint64) (v *dwarf.DIE,
	slot *symfile.Slot) {
	for b := range visibleBlocks(u, scopes) {
		for _, entry := range b {
			if entry.Tag != dwarf.TagCompileUnit && !declaredOnce(entry, name) {
				return nil, nil
			}
		}
		for d := range b.variables() {
			if d.Name() != name {
				continue
			}
			if v != nil && !sameDeclaration(v, d) {
				return nil, nil
			}
			if v == nil || slot == nil {
				v, slot = d, a.slotOf(d, pc)
			}
		}
		if v != nil {
			break
		}
	}
	return v, slot
}

// visibleBlocks are the blocks whose variables are visible in some scopes, and the unit.
func visibleBlocks(u *dwarf.Unit, scopes []*dwarf.DIE) iter.Seq[block] {
	return func(yield func(block) bool) {
		for b := range blocks(u, scopes[max(innermostCall(scopes, symfile.Layout{}), 0):]) {
			if !yield(b) {
				return
			}
		}
		if root, err := u.Root(); err == nil {
			yield(block{root})
		}
	}
}

// declaredOnce reports whether all variables of a name in an entry and what is below have one declaration.
func declaredOnce(scope *dwarf.DIE, name string) bool {
	var first *dwarf.DIE
	once := true
	scope.Walk(func(d *dwarf.DIE) bool {
		if d.Tag == dwarf.TagInlinedSubroutine && d != scope {
			return false
		}
		if isVariable(d) && d.Name() == name {
			if first == nil {
				first = d
			}
			once = once && sameDeclaration(first, d)
		}
		return once
	})
	return once
}

// sameDeclaration reports whether variables, of a function or of a copy of it, are declared in one place.
func sameDeclaration(a, b *dwarf.DIE) bool {
	if a, b = a.Origin(), b.Origin(); a == b {
		return true
	}
	for _, at := range []dwarf.At{dwarf.AttrDeclFile, dwarf.AttrDeclLine} {
		x, ok := a.Uint(at)
		if y, ok1 := b.Uint(at); !ok || !ok1 || x != y {
			return false
		}
	}
	return true
}

// isArray reports whether a variable is an array of numbers, so that an element of it is in it.
func (a *arrays) isArray(v *dwarf.DIE) bool {
	t := types.Strip(v.TypeDIE())
	if t == nil || t.Tag != dwarf.TagArrayType || types.IsVector(t) {
		return false
	}
	for t != nil && t.Tag == dwarf.TagArrayType && !types.IsVector(t) {
		t = types.Strip(t.TypeDIE())
	}
	return t != nil && (t.Tag == dwarf.TagBaseType || t.Tag == dwarf.TagEnumerationType || types.IsVector(t))
}

// declared reports whether the source has a variable's name where the debugging information says that it is
// declared, and that is not where an access is: there it gets its first value.
func (a *arrays) declared(v *dwarf.DIE, p source.Position) bool {
	v = v.Origin()
	line, ok := v.Uint(dwarf.AttrDeclLine)
	file, ok1 := v.Uint(dwarf.AttrDeclFile)
	if !ok || !ok1 {
		return false
	}
	at := source.Position{File: path.Clean(v.Unit.FileName(file)), CompDir: v.Unit.CompDir(), Line: uint32(line)}
	if at.File == p.File && at.Line == p.Line {
		return false
	}
	text := a.text(at)
	from, ok := subscript.Offset(text, at.Line, 1)
	if !ok {
		return false
	}
	rest, _, _ := strings.Cut(text[from:], "\n")
	if v.Parent != nil && v.Parent.Tag == dwarf.TagCompileUnit && subscript.InBraces(text[:from]) {
		return false // a function's, which the compiler has put beside the functions
	}
	return subscript.Declares(rest, v.Name())
}

// slotOf is where a variable is at a pc; nil if that is not known.
func (a *arrays) slotOf(v *dwarf.DIE, pc uint64) *symfile.Slot {
	lost := a.lost[v.Unit]
	if lost == nil {
		root, err := v.Unit.Root()
		if err != nil {
			return nil
		}
		lost = a.frames.arch.Locations(a.program.Module, a.program.Kernel, v.Unit, root)
		a.lost[v.Unit] = lost
	}
	location := lost[v]
	if location == nil {
		location, _ = locationAt(v, pc)
	}
	slot := a.frames.slotOf(v, location)
	if len(location) == 0 || slot.Size == 0 {
		return nil
	}
	return slot
}

// place is where the variable of an element is in a lane; nil if that is not one place in memory.
func (a *arrays) place(e *elementAt, w *simt.Wave, lane int, pc uint64) *simt.Object {
	return a.placed(e.slot, e.frame(w, lane, pc))
}

// frame is that of the function that accesses the element.
func (e *elementAt) frame(w *simt.Wave, lane int, pc uint64) *unwind.Frame {
	f := &unwind.Frame{Wave: w, Lane: lane, PC: pc, At: pc, Depth: e.depth, Registers: w.Regs}
	if w.Track != nil {
		f.Call = w.Track.Innermost[lane]
	}
	return f
}

func (a *arrays) placed(slot *symfile.Slot, f *unwind.Frame) *simt.Object {
	loc, _, err := a.frames.locate(f, slot)
	if err != nil {
		return nil
	}
	at, ok := loc.Address()
	if !ok {
		return nil
	}
	p, err := a.frames.arch.Place(f.Wave, f.Lane, at.Space, at.Address)
	if err != nil || p.Bytes != 0 || p.Space == simt.Scratch && p.Lane != f.Lane {
		return nil
	}
	return &simt.Object{Name: slot.Name, Space: p.Space, Lo: p.Addr, Hi: p.Addr + slot.Size}
}

// Holding implements check.Objects. The private memory of some machines' lanes lies in global memory, side by
// side.
func (a *arrays) Holding(acc *simt.Access, lane int, addr uint64) *simt.Object {
	if o := a.held(acc, lane, addr); o != nil || acc.Space != simt.Global {
		return o
	}
	for other := range acc.Wave.Size {
		if o := a.held(acc, other, addr); other != lane && o != nil {
			o.Name = fmt.Sprintf("%s of lane %d", o.Name, other)
			return o
		}
	}
	s, offset, ok := a.program.Module.SymbolAt(addr)
	if !ok || s.Size == 0 {
		return nil
	}
	return &simt.Object{Name: s.Name, Space: simt.Global, Lo: addr - offset, Hi: addr - offset + s.Size}
}

// held is the variable of a lane that an address is in, of those that are visible; nil if it is in none.
func (a *arrays) held(acc *simt.Access, lane int, addr uint64) *simt.Object {
	e, u := a.at[acc.PC], a.program.Source.Data.UnitAt(acc.PC)
	if e == nil || u == nil {
		return nil
	}
	for b := range visibleBlocks(u, u.ScopesAt(acc.PC)) {
		for v := range b.variables() {
			slot := a.slotOf(v, acc.PC)
			if slot == nil {
				continue
			}
			o := a.place(&elementAt{slot: slot, depth: e.depth}, acc.Wave, lane, acc.PC)
			if o != nil && o.Space == acc.Space && addr >= o.Lo && addr < o.Hi {
				return o
			}
		}
	}
	return nil
}
