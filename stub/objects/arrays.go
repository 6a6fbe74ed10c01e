// Package objects says which of a program's arrays an access is meant for, for checkers ([Find]): the line
// table says where in the source an instruction comes from, the source which variable is subscripted there,
// and its location where that is. Subscripts are evaluated in the lane. It knows no session, and no machine.
package objects

import (
	"fmt"
	"io/fs"
	"iter"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"simtgdb/dwarf"
	"simtgdb/dwarf/expr"
	"simtgdb/dwarf/types"
	"simtgdb/loader/printable"
	"simtgdb/simt"
	"simtgdb/stub/frames"
	"simtgdb/stub/launch"
	"simtgdb/stub/names"
	"simtgdb/stub/source"
	"simtgdb/stub/subscript"
	"simtgdb/stub/symfile"
	"simtgdb/stub/unwind"
)

// arrays tells checkers which arrays a program's accesses are meant for: the line table says where in the
// source an instruction comes from, the source which variable is subscripted there, and its location where
// that is. It implements check.Objects.
type arrays struct {
	frames    *frames.Finder
	program   *launch.Program
	finder    source.Finder
	at        map[uint64]*elementAt // by pc
	unbounded map[uint64]bool       // what is known of [arrays.Unbounded]
	plain     map[uint64]bool       // what is known of [arrays.Plain]
	atomic    map[uint64]bool       // what is known of [arrays.Atomic]
	lost      map[*dwarf.Unit]map[*dwarf.DIE][]byte
	included  map[string]string // of source files, with what they include, by name
	texts     map[string]string // of source files, by name; "" for those that are not there or have changed
	declared  map[string]*declarations
	described map[*dwarf.Unit]bool // whether it has variables
}

// An elementAt is what the source accesses at an instruction.
type elementAt struct {
	does  subscript.Expr
	scene *scene
	depth int // of the function: 0 is a kernel
	paths []*accessPath
	left  int     // how often paths are still followed
	start *uint64 // of a path that starts at a static variable, once that is known
	// sourced is the variable where only the source declares it; it is where the machine says.
	sourced described

	whole  *whole // the array that the object is in, of a variable; nil if that is not known
	slot   *symfile.Slot
	static bool // it is in the same place always: in fixed, once that is known
	fixed  *simt.Object
}

// Find makes checkers of a program know the arrays that its source names. Sources are looked for
// where the debugging information says, in folders, and beside the program's file.
func Find(p *launch.Program, folders []string) {
	if p.Source == nil || p.Source.Data == nil {
		return
	}
	of := frames.OfProgram(p)
	a := &arrays{program: p, frames: of, at: map[uint64]*elementAt{}, texts: map[string]string{},
		included: map[string]string{}, lost: map[*dwarf.Unit]map[*dwarf.DIE][]byte{},
		unbounded: map[uint64]bool{}, plain: map[uint64]bool{},
		atomic:   map[uint64]bool{},
		declared: map[string]*declarations{}, described: map[*dwarf.Unit]bool{}}
	a.finder.Folders = append(a.finder.Folders, folders...)
	if f := p.Spec.CodeObject; f.FS != nil {
		a.finder.Trees = []fs.FS{f.FS}
	} else if f.Path != "" {
		a.finder.Folders = append(a.finder.Folders, filepath.Dir(f.Path))
	}
	p.Objects = a
}

// BoundsUnknown says in a sentence why accesses are not held against the arrays that a program's source
// names: its text is not there, or the program does not say what source it is of. It is "" where both are
// known, and where a program of its kind has bounds by itself.
func BoundsUnknown(p *launch.Program) string {
	a, ok := p.Objects.(*arrays)
	var at source.Position
	if ok {
		at, ok = p.Source.At(p.Kernel.Entry)
	}
	if !ok {
		return linesUnknown(p)
	}
	if a.text(at) != "" {
		return ""
	}
	return fmt.Sprintf("bounds of arrays that the source names are not looked at, for the text of %s is not "+
		"found, or is not what was compiled: --source FOLDER says where it is", printable.Name(at.File))
}

// A bounder is an ISA whose programs say themselves what an address leads to, whatever is known of their
// source. Of what else the source has bounds, it says; "" if of nothing.
type bounder interface {
	Unbounded() string
}

// linesUnknown is BoundsUnknown of a program in which nothing says what lines of a source it is of.
func linesUnknown(p *launch.Program) string {
	what := "arrays that the source names"
	if b, ok := p.Machine.ISA().(bounder); ok {
		what = b.Unbounded()
	}
	if what == "" {
		return ""
	}
	return "bounds of " + what + " are not looked at, for the kernel has no debugging information: " +
		"compilers write it with -g" // the same of each kernel, so that it is said once of all of a program's
}

// elementAt is what the source accesses at an access; nil if that is not known.
func (a *arrays) elementAt(acc *simt.Access) *elementAt { return a.elementOf(acc.PC, acc.Write) }

// elementOf is what the source accesses at an instruction that writes or reads; nil if that is not known.
func (a *arrays) elementOf(pc uint64, write bool) *elementAt {
	e, ok := a.at[pc]
	if !ok {
		e = a.element(pc)
		a.at[pc] = e
	}
	if e == nil || write && !e.does.Writes || !write && !e.does.Reads {
		return nil
	}
	return e
}

// Bounds implements check.Objects.
func (a *arrays) Bounds(pc uint64, write bool) bool {
	e := a.elementOf(pc, write)
	return e != nil && (e.whole != nil || len(e.paths) > 0 && e.left > 0)
}

// Meant implements check.Objects.
func (a *arrays) Meant(acc *simt.Access, lane int) *simt.Object {
	e := a.elementAt(acc)
	switch {
	case e == nil || e.whole == nil:
		return nil
	case e.fixed != nil:
		return e.fixed
	}
	o := a.placed(e.slot, e.frame(acc.Wave, lane, acc.PC))
	if o != nil {
		o.Name, o.Lo = e.whole.name, o.Lo+e.whole.offset
		o.Hi, o.Stride = o.Lo+e.whole.size, e.whole.stride
	}
	if e.static {
		e.fixed = o
	}
	return o
}

// element finds what the source accesses at an instruction.
func (a *arrays) element(pc uint64) *elementAt {
	text, at, p, ok := a.textAt(pc)
	if !ok {
		return nil
	}
	e := &elementAt{left: lanesLooked}
	if e.does, ok = subscript.At(text, at); !ok {
		return nil
	}
	if e.scene = a.scene(pc, p, text, at); e.scene == nil {
		return nil
	}
	v := e.scene.named(&e.does)
	if v.entry == nil || v.declaration == nil && !a.isDeclared(v.entry, p) {
		return nil
	}
	e.paths, e.whole, _ = e.scene.pathsOf(a.frames.Arch.Model(), v.entry, e.does)
	if v.declaration != nil {
		e.sourced, e.whole = v, nil
		return e
	}
	e.depth = a.depthIn(e.scene.scopes)
	if e.slot = v.slot; e.slot == nil {
		e.whole = nil
		return e
	}
	switch e.slot.Expr[0] {
	case expr.OpAddr, expr.OpAddrx, expr.OpConst4u:
		e.static = true
	}
	return e
}

// depthIn is the depth of the frame of a function, by its scopes: 0 of a kernel.
func (a *arrays) depthIn(scopes []*dwarf.DIE) int {
	if r, ok := scopes[0].LowHigh(); ok && r.Low == a.program.Kernel.Entry {
		return 0
	}
	return 1
}

// Unbounded implements check.Objects.
func (a *arrays) Unbounded(pc uint64) bool {
	known, ok := a.unbounded[pc]
	if !ok {
		known = a.noneBounded(pc)
		a.unbounded[pc] = known
	}
	return known
}

// Together implements check.Objects.
func (a *arrays) Together(x, y uint64) bool {
	f, _, ok := a.program.Source.Function(x)
	g, _, ok1 := a.program.Source.Function(y)
	return ok && ok1 && f == g
}

// noneBounded reports whether no element that the source has at an instruction is in an array with a bound;
// where it has none in that place, whether none of its line is.
func (a *arrays) noneBounded(pc uint64) bool {
	text, at, p, ok := a.textAt(pc)
	if !ok {
		return false
	}
	elements := subscript.InLine(text, p.Line)
	if x, ok := subscript.At(text, at); ok {
		elements = []subscript.Expr{x}
	}
	s := a.scene(pc, p, text, at)
	return !slices.ContainsFunc(elements, func(x subscript.Expr) bool {
		if s != nil {
			if v := s.named(&x); v.entry != nil {
				paths, _, all := s.pathsOf(a.frames.Arch.Model(), v.entry, x)
				return !all || len(paths) > 0
			}
		}
		return !subscript.Unbounded(text, x)
	})
}

// textAt is the text that an instruction comes from, and the place in it.
func (a *arrays) textAt(pc uint64) (text string, at int, p source.Position, ok bool) {
	if p, ok = a.program.Source.At(pc); !ok || p.Column == 0 {
		return "", 0, p, false
	}
	text = a.text(p)
	at, ok = subscript.Offset(text, p.Line, p.Column)
	return text, at, p, ok
}

// scene is where an instruction is in the source, at a place of a text; nil if no function is described that
// has it.
func (a *arrays) scene(pc uint64, p source.Position, text string, at int) *scene {
	s := &scene{arrays: a, unit: a.program.Source.Data.UnitAt(pc), pc: pc, source: a.withIncluded(p),
		known: map[string]described{}}
	if !a.describes(s.unit) {
		s.declares, s.at = a.declarations(text), at
		return s
	}
	if s.scopes = s.unit.ScopesAt(pc); len(s.scopes) == 0 {
		return nil
	}
	return s
}

// withIncluded is the text of a source file with those of the files that it includes.
func (a *arrays) withIncluded(p source.Position) string {
	text, known := a.included[p.File]
	if !known {
		text = a.text(p)
		for _, name := range subscript.Includes(text) {
			b, _ := a.finder.File(source.Position{File: path.Join(path.Dir(p.File), name),
				CompDir: p.CompDir})
			text += "\n" + string(b)
		}
		a.included[p.File] = text
	}
	return text
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
		for d := range b.Variables() {
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
func visibleBlocks(u *dwarf.Unit, scopes []*dwarf.DIE) iter.Seq[names.Block] {
	return func(yield func(names.Block) bool) {
		for b := range names.Blocks(u, scopes[max(names.InnermostCall(scopes, symfile.Layout{}), 0):]) {
			if !yield(b) {
				return
			}
		}
		if root, err := u.Root(); err == nil {
			yield(names.Block{root})
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
		if names.IsVariable(d) && d.Name() == name {
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

// isDeclared reports whether the source has a variable's name where the debugging information says that it is
// declared, and that is not where an access to the variable is: there it gets its first value. What no source
// declares is this.
func (a *arrays) isDeclared(v *dwarf.DIE, p source.Position) bool {
	if v = v.Origin(); v.Flag(dwarf.AttrArtificial) {
		return v.Name() == "this"
	}
	at, ok := declaration(v)
	if !ok {
		return false
	}
	t := types.Strip(v.TypeDIE())
	text := a.text(at)
	from, ok := subscript.Offset(text, at.Line, 1)
	if !ok || t == nil {
		return false
	}
	rest, _, _ := strings.Cut(text[from:], "\n")
	if !types.IsPointer(t) && at.File == p.File && at.Line == p.Line {
		// a declaration that ends before the access in that line
		rest = rest[:min(len(rest), int(p.Column)-1)]
		rest = rest[:max(strings.LastIndexByte(rest, ';'), 0)]
	}
	if v.Parent != nil && v.Parent.Tag == dwarf.TagCompileUnit && subscript.InBraces(text[:from]) {
		return false // a function's, which the compiler has put beside the functions
	}
	return subscript.Declares(rest, v.Name(), t.Tag == dwarf.TagArrayType)
}

// declaration is where the debugging information says that a variable is declared; no column.
func declaration(v *dwarf.DIE) (at source.Position, ok bool) {
	line, ok := v.Uint(dwarf.AttrDeclLine)
	file, ok1 := v.Uint(dwarf.AttrDeclFile)
	if !ok || !ok1 {
		return at, false
	}
	return source.Position{File: path.Clean(v.Unit.FileName(file)), CompDir: v.Unit.CompDir(),
		Line: uint32(line)}, true
}

// slotOf is where a variable is at a pc; nil if that is not known.
func (a *arrays) slotOf(v *dwarf.DIE, pc uint64) *symfile.Slot {
	lost := a.lost[v.Unit]
	if lost == nil {
		root, err := v.Unit.Root()
		if err != nil {
			return nil
		}
		lost = a.frames.Arch.Locations(a.program.Module, a.program.Kernel, v.Unit, root)
		a.lost[v.Unit] = lost
	}
	location := lost[v]
	if location == nil {
		location, _ = frames.LocationAt(a.frames.Arch, v, pc)
	}
	slot := a.frames.SlotOf(v, location)
	if len(location) == 0 || slot.Size == 0 {
		return nil
	}
	return slot
}

// frame is that of the function that accesses the element.
func (e *elementAt) frame(w *simt.Wave, lane int, pc uint64) *unwind.Frame {
	f := &unwind.Frame{Wave: w, Lane: lane, PC: pc, At: pc, Depth: e.depth, Registers: w.Regs}
	if w.Track != nil {
		f.Call = w.Track.Innermost[lane]
	}
	return f
}

// placed is where a variable is in a frame; nil if that is not one place in memory.
func (a *arrays) placed(slot *symfile.Slot, f *unwind.Frame) *simt.Object {
	loc, _, err := a.frames.Locate(f, slot)
	if err != nil {
		return nil
	}
	at, ok := loc.Address()
	if !ok {
		return nil
	}
	p, err := a.frames.Arch.Place(f.Wave, f.Lane, at.Space, at.Address)
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
	u := a.program.Source.Data.UnitAt(acc.PC)
	if u == nil {
		return nil
	}
	scopes := u.ScopesAt(acc.PC)
	if len(scopes) == 0 {
		return nil
	}
	e := &elementAt{depth: a.depthIn(scopes)}
	for b := range visibleBlocks(u, scopes) {
		for v := range b.Variables() {
			slot := a.slotOf(v, acc.PC)
			if slot == nil {
				continue
			}
			o := a.placed(slot, e.frame(acc.Wave, lane, acc.PC))
			if o != nil && o.Space == acc.Space && addr >= o.Lo && addr < o.Hi {
				if t := types.Strip(v.TypeDIE()); t != nil && t.Tag == dwarf.TagArrayType {
					o.Stride = (o.Hi - o.Lo) / max(types.Elements(t), 1)
				}
				return o
			}
		}
	}
	return nil
}
