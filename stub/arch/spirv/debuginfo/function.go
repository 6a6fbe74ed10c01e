package debuginfo

import (
	"slices"

	"simtgdb/dwarf"
	"simtgdb/dwarf/line"
	"simtgdb/loader/spirv"
)

// A scope is a lexical scope in an inlined instance of its function: DebugScope's operands.
type scope struct{ id, inlined uint32 }

// A position is where in the source an instruction comes from.
type position struct {
	file, line uint32
	column     uint32
	known      bool
}

// A body translates one OpFunction.
type body struct {
	*translator
	f      *spirv.Function
	fn     *dinst // its DebugFunction, or nil
	die    *dwarf.DIE
	low    uint64
	high   uint64
	scopes map[scope]*dwarf.DIE
	ranges map[*dwarf.DIE][]dwarf.Range

	marks  []mark // by instruction, counted from f.First
	blocks []*block
}

// A mark is the scope and position of an instruction.
type mark struct {
	scope scope
	at    position
}

// A block is a basic block: instructions [first, end).
type block struct {
	label      uint32
	first, end int
	succs      []uint32
	preds      []*block
}

func (b *body) pc(index int) uint64 {
	if index >= len(b.m.Insts) {
		return spirv.PC(spirv.Base, len(b.m.Words))
	}
	return spirv.PC(spirv.Base, b.m.Insts[index].Word)
}

// translateFunction makes the entry of a function and all in it.
func (t *translator) translateFunction(f *spirv.Function) {
	b := &body{translator: t, f: f, scopes: map[scope]*dwarf.DIE{}, ranges: map[*dwarf.DIE][]dwarf.Range{}}
	b.low, b.high = b.pc(f.First), b.pc(f.End)
	b.findFunction()
	b.cut()
	b.mark()
	b.subprogram()
	b.scopeRanges()
	b.rows()
	b.variables()
	for die, rs := range b.ranges {
		if die.Tag != dwarf.TagSubprogram {
			die.Set(dwarf.RangesAttr(joined(rs)))
		}
	}
}

// findFunction finds the DebugFunction of an OpFunction.
func (b *body) findFunction() {
	for i := b.f.First; i < b.f.End; i++ {
		if d := debugInst(b.m, i); d != nil && d.number == dFunctionDefinition && b.fn == nil {
			b.fn = b.get(d.arg(0), dFunction)
		}
	}
	if b.fn != nil {
		return
	}
	for _, d := range b.list {
		const definition = 9 // OpenCL.DebugInfo.100: the OpFunction
		if d.opencl && d.number == dFunction && d.arg(definition) == b.f.ID {
			b.fn = d
		}
	}
}

// cut finds the blocks.
func (b *body) cut() {
	var cur *block
	byLabel := map[uint32]*block{}
	for i := b.f.First; i < b.f.End; i++ {
		in := &b.m.Insts[i]
		if in.Op == spirv.OpLabel {
			cur = &block{label: in.Result, first: i}
			byLabel[cur.label] = cur
			b.blocks = append(b.blocks, cur)
		}
		if cur == nil || !in.Op.Ends() {
			continue
		}
		cur.end = i + 1
		switch in.Op {
		case spirv.OpBranch:
			cur.succs = in.Args
		case spirv.OpBranchConditional:
			cur.succs = in.Args[min(1, len(in.Args)):min(3, len(in.Args))]
		case spirv.OpSwitch:
			cur.succs = in.Args[min(1, len(in.Args)):] // literals too: only labels are found
		}
		cur = nil
	}
	b.blocks = slices.DeleteFunc(b.blocks, func(x *block) bool { return x.end == 0 })
	for _, x := range b.blocks {
		for _, s := range x.succs {
			if to := byLabel[s]; to != nil && !slices.Contains(to.preds, x) {
				to.preds = append(to.preds, x)
			}
		}
	}
}

// mark finds scope and position of every instruction. Both end with their block; one that says nothing has
// those of the branch that leads to it.
func (b *body) mark() {
	b.marks = make([]mark, b.f.End-b.f.First)
	ends := map[uint32]mark{} // of the first branch to a block
	for _, x := range b.blocks {
		cur := ends[x.label]
		for i := x.first; i < x.end; i++ {
			in := &b.m.Insts[i]
			if d := debugInst(b.m, i); d != nil {
				b.apply(&cur, d)
			} else if in.Op == spirv.OpLine && len(in.Args) >= 3 {
				cur.at = position{b.file(b.m.Strings[in.Args[0]]), in.Args[1], in.Args[2], true}
			} else if in.Op == spirv.OpNoLine {
				cur.at = position{known: true}
			}
			b.marks[i-b.f.First] = cur
		}
		for _, s := range x.succs {
			if _, ok := ends[s]; !ok {
				ends[s] = cur
			}
		}
	}
}

func (b *body) apply(cur *mark, d *dinst) {
	switch d.number {
	case dScope:
		cur.scope = scope{d.arg(0), d.arg(1)}
	case dNoScope:
		cur.scope = scope{}
	case dLine:
		cur.at = position{b.source(d.arg(0)), uint32(b.num(d, 1)), uint32(b.num(d, 3)), true}
	case dNoLine:
		cur.at = position{known: true}
	}
}

// line is the source line of the function: that of its DebugFunction, of the OpLine before it, or of its
// first
// statement.
func (b *body) line() (file, line uint32) {
	if b.fn != nil {
		if n := b.num(b.fn, 3); n != 0 {
			return b.source(b.fn.arg(2)), uint32(n)
		}
	}
	if i := b.f.First - 1; i >= 0 && b.m.Insts[i].Op == spirv.OpLine && len(b.m.Insts[i].Args) >= 2 {
		in := &b.m.Insts[i]
		return b.file(b.m.Strings[in.Args[0]]), in.Args[1]
	}
	for _, k := range b.marks {
		if k.at.line != 0 {
			return k.at.file, k.at.line
		}
	}
	return 0, 0
}

// name is what the function is called in the source.
func (b *body) name() string {
	if b.fn != nil {
		if n := b.str(b.fn, 0); n != "" {
			return trimEntry(n)
		}
	}
	return b.m.FunctionName(b.f.ID)
}

// trimEntry is the name of an entry point as the source has it: glslang's HLSL front end puts @ before it.
func trimEntry(name string) string {
	if len(name) > 1 && name[0] == '@' {
		return name[1:]
	}
	return name
}

func (b *body) subprogram() {
	file, line := b.line()
	b.die = dwarf.NewDIE(dwarf.TagSubprogram, dwarf.StringAttr(dwarf.AttrName, b.name()),
		dwarf.AddressAttr(dwarf.AttrLowPC, b.low), dwarf.UintAttr(dwarf.AttrHighPC, b.high-b.low),
		dwarf.FlagAttr(dwarf.AttrExternal), dwarf.FlagAttr(dwarf.AttrPrototyped))
	if line != 0 {
		b.die.Set(dwarf.UintAttr(dwarf.AttrDeclFile, uint64(file)))
		b.die.Set(dwarf.UintAttr(dwarf.AttrDeclLine, uint64(line)))
	}
	parent := b.root
	if b.fn != nil {
		b.subprograms[b.fn.id] = b.die
		parent = b.scopeDIE(b.fn.arg(5))
		b.typed(b.die, b.resultType(b.fn, b.returned()))
		b.templateParameters(b.die, b.fn.id)
		if d := b.declaration(b.fn.arg(declarationOperand(b.fn))); d != nil {
			b.die.Set(dwarf.RefAttr(dwarf.AttrSpecification, d))
		}
	} else {
		b.typed(b.die, b.typeDIE(0, b.m.Types[b.f.Result], layout{}))
	}
	parent.Add(b.die)
}

// returned is the type that the function returns, or that of the object for which its caller gives it a
// place.
func (b *body) returned() *spirv.Type {
	const sret = 3
	if ps := b.f.Params; len(ps) > 0 && b.m.Decorated(ps[0], spirv.DecorationFuncParamAttr, sret) {
		s, _, _ := b.pointee(ps[0])
		return s
	}
	return b.m.Types[b.f.Result]
}

// declarationOperand is which operand of DebugFunction names a declaration.
func declarationOperand(d *dinst) int {
	if d.opencl {
		return 10
	}
	return 9
}

// resultType is what a DebugFunction returns.
func (t *translator) resultType(fn *dinst, s *spirv.Type) *dwarf.DIE {
	typ := t.get(fn.arg(1), dTypeFunction)
	if typ == nil || s != nil && s.Kind == spirv.Void {
		return nil
	}
	return t.typeDIE(typ.arg(1), s, layout{})
}

// declaration is the entry of a DebugFunctionDeclaration, or nil.
func (t *translator) declaration(id uint32) *dwarf.DIE {
	d := t.get(id, dFunctionDeclaration)
	if d == nil {
		return nil
	}
	if die := t.declarations[id]; die != nil {
		return die
	}
	die := dwarf.NewDIE(dwarf.TagSubprogram, dwarf.StringAttr(dwarf.AttrName, t.str(d, 0)),
		dwarf.FlagAttr(dwarf.AttrDeclaration), dwarf.FlagAttr(dwarf.AttrExternal))
	t.declarations[id] = die
	t.place(die, d.arg(2), t.num(d, 3))
	t.typed(die, t.resultType(d, nil))
	accessibility(die, t.num(d, 7))
	t.scopeDIE(d.arg(5)).Add(die)
	return die
}

// abstract is the entry that inlined instances of a function have in common.
func (t *translator) abstract(id uint32) *dwarf.DIE {
	d := t.get(id, dFunction)
	if d == nil {
		return nil
	}
	if die := t.abstracts[id]; die != nil {
		return die
	}
	const inlined = 1 // DW_INL_inlined
	die := dwarf.NewDIE(dwarf.TagSubprogram, dwarf.StringAttr(dwarf.AttrName, trimEntry(t.str(d, 0))),
		dwarf.UintAttr(dwarf.AttrInline, inlined), dwarf.FlagAttr(dwarf.AttrExternal))
	t.abstracts[id] = die
	t.place(die, d.arg(2), t.num(d, 3))
	t.typed(die, t.resultType(d, nil))
	t.templateParameters(die, id)
	t.scopeDIE(d.arg(5)).Add(die)
	return die
}

// scopeEntry is the entry of a scope of this function: its own, a lexical block or an inlined instance.
func (b *body) scopeEntry(s scope, depth int) *dwarf.DIE {
	if die := b.scopes[s]; die != nil {
		return die
	}
	d := b.debug[s.id]
	at := b.get(s.inlined, dInlinedAt)
	if depth > maxTypeNesting || d == nil {
		return b.die
	}
	var parent, die *dwarf.DIE
	switch {
	case d.number == dFunction && at == nil, d.number == dCompilationUnit:
		return b.die
	case d.number == dFunction:
		origin := b.abstract(d.id)
		parent = b.scopeEntry(scope{at.arg(1), at.arg(2)}, depth+1)
		die = dwarf.NewDIE(dwarf.TagInlinedSubroutine, dwarf.RefAttr(dwarf.AttrAbstractOrigin, origin))
		if n := b.num(at, 0); n != 0 {
			die.Set(dwarf.UintAttr(dwarf.AttrCallFile, uint64(b.scopeFile(at.arg(1)))))
			die.Set(dwarf.UintAttr(dwarf.AttrCallLine, n))
		}
	case d.number == dDiscriminator:
		return b.scopeEntry(scope{d.arg(2), s.inlined}, depth+1)
	case d.number == dLexicalBlock:
		parent = b.scopeEntry(scope{d.arg(3), s.inlined}, depth+1)
		die = dwarf.NewDIE(dwarf.TagLexicalBlock)
	default:
		return b.die
	}
	b.scopes[s] = die
	parent.Add(die)
	return die
}

// scopeFile is the file that a scope is in.
func (b *body) scopeFile(id uint32) uint32 {
	switch d := b.debug[id]; {
	case d == nil:
	case d.number == dFunction:
		return b.source(d.arg(2))
	case d.number == dLexicalBlock || d.number == dDiscriminator:
		return b.source(d.arg(0))
	}
	return 0
}

// scopeRanges gives scopes the addresses of the instructions in them, and those of the scopes in them.
// Ranges begin at instructions that execute, where gdb can stop; what executes nothing belongs to the
// instruction before it.
func (b *body) scopeRanges() {
	var code []int
	for i := b.f.First; i < b.f.End; i++ {
		if b.m.Executes(&b.m.Insts[i]) {
			code = append(code, i)
		}
	}
	for n, i := range code {
		high := b.high
		if n+1 < len(code) {
			high = b.pc(code[n+1])
		}
		for die := b.scopeEntry(b.marks[i-b.f.First].scope, 0); die != nil && die != b.die; die = die.Parent {
			b.ranges[die] = append(b.ranges[die], dwarf.Range{Low: b.pc(i), High: high})
		}
	}
}

// joined puts neighbouring ranges together.
func joined(rs []dwarf.Range) []dwarf.Range {
	slices.SortFunc(rs, func(a, b dwarf.Range) int {
		switch {
		case a.Low < b.Low:
			return -1
		case a.Low > b.Low:
			return 1
		}
		return 0
	})
	var out []dwarf.Range
	for _, r := range rs {
		if n := len(out); n > 0 && out[n-1].High >= r.Low {
			out[n-1].High = max(out[n-1].High, r.High)
		} else {
			out = append(out, r)
		}
	}
	return out
}

// rows makes the function's part of the line table: a row where the line or the column changes at an
// instruction that executes. The column says which of a line's accesses is meant; where it alone changes no
// statement begins, unless lanes of another line branch there, which would never be at the line's beginning.
// The first is the function's own; the first statement ends the prologue.
func (b *body) rows() {
	file, first := b.line()
	add := func(pc uint64, file, line, column uint32, flags line.Flags) {
		b.lines.Rows = append(b.lines.Rows, rowOf(pc, file, line, column, flags))
	}
	add(b.low, file, first, 0, line.IsStmt)
	last, prologue := position{file: file, line: first, known: true}, true
	body, entries := b.afterParameters(), b.entries()
	discriminator := uint32(0)
	pending := false // the statement of the row before begins here
	for i := b.f.First; i < b.f.End; i++ {
		k := b.marks[i-b.f.First]
		if !b.m.Executes(&b.m.Insts[i]) || !k.at.known {
			continue
		}
		at := k.at
		dis := b.discriminator(k.scope)
		fresh := at.line != 0 && prologue && i >= body
		begins := !at.sameLine(last) || dis != discriminator || fresh || pending || b.entered(entries[i], at)
		if !begins && at.column == last.column {
			continue
		}
		flags := line.IsStmt
		if pending = begins && b.leadsIn(i, at, entries); pending || !begins {
			flags = 0
		} else if fresh {
			flags, prologue = flags|line.PrologueEnd, false
		}
		add(b.pc(i), at.file, at.line, at.column, flags)
		b.lines.Rows[len(b.lines.Rows)-1].Discriminator = dis
		last, discriminator = at, dis
	}
	add(b.high, last.file, last.line, 0, line.EndSequence|line.IsStmt)
}

func (p position) sameLine(q position) bool { return p.file == q.file && p.line == q.line }

// entries are the blocks by the first instruction that executes.
func (b *body) entries() map[int]*block {
	m := map[int]*block{}
	for _, x := range b.blocks {
		for i := x.first; i < x.end; i++ {
			if b.m.Executes(&b.m.Insts[i]) {
				m[i] = x
				break
			}
		}
	}
	return m
}

// entered reports whether lanes come to a block that begins in a line from instructions of other lines.
func (b *body) entered(x *block, at position) bool {
	return x != nil && at.line != 0 && slices.ContainsFunc(x.preds, func(p *block) bool {
		return !b.marks[p.end-1-b.f.First].at.sameLine(at)
	})
}

// leadsIn reports whether an instruction of a line does no more than branch to the block behind it, which is
// of the same line and the beginning of a loop: the statement begins there, where each round comes to, since
// of several places of a line in one scope gdb stops at the first alone (linespec.c, create_sals_line_offset,
// gdb 13).
func (b *body) leadsIn(i int, at position, entries map[int]*block) bool {
	if in := &b.m.Insts[i]; in.Op != spirv.OpBranch || at.line == 0 {
		return false
	}
	for j := i + 1; j < b.f.End; j++ {
		if x := entries[j]; x != nil {
			return x.label == b.m.Insts[i].Arg(0) && b.marks[j-b.f.First].at.sameLine(at) && len(x.preds) > 1
		}
	}
	return false
}

// afterParameters is the index behind the declarations of the parameters, which end the prologue.
func (b *body) afterParameters() int {
	end := b.f.First
	if len(b.blocks) == 0 {
		return end
	}
	for i := b.blocks[0].first; i < b.blocks[0].end; i++ {
		d := debugInst(b.m, i)
		if d == nil || d.number != dDeclare || b.marks[i-b.f.First].scope.inlined != 0 {
			continue
		}
		if v := b.get(d.arg(0), dLocalVariable); v != nil && b.num(v, 7) != 0 {
			end = i
		}
	}
	return end
}

func rowOf(pc uint64, file, n, column uint32, flags line.Flags) line.Row {
	return line.Row{Addr: pc, File: file, Line: n, Column: column, Flags: flags}
}

// discriminator is that of the scope, or 0.
func (b *body) discriminator(s scope) uint32 {
	if d := b.get(s.id, dDiscriminator); d != nil {
		return uint32(b.num(d, 1))
	}
	return 0
}
