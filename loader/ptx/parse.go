package ptx

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
)

// Bounds on what a text may ask for.
const (
	maxText      = 256 << 20 // bytes of text
	maxData      = 1 << 30   // bytes of all variables of a space
	maxInitial   = 64 << 20  // … of those with initial values
	maxRegs      = 1 << 20   // registers of a function
	maxNesting   = 64        // of blocks, initialisers and expressions
	maxFrameSize = 1 << 28
)

// Parse reads a module; file is its name in messages. The error is an *Error.
func Parse(file, text string) (m *Module, err error) {
	p := &parser{
		lex: lexer{text: text, line: 1},
		m: &Module{File: file, AddressSize: 64, Files: map[int]string{}, Labels: map[string]uint64{},
			Names: map[uint64]string{}},
		globals: map[string]any{},
		hidden:  map[string]*Var{},
		pc:      CodeBase,
	}
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*Error)
			if !ok {
				panic(r)
			}
			m, err = nil, e
		}
	}()
	if len(text) > maxText {
		p.failAt(Pos{1, 1}, "the text has %d bytes, more than %d", len(text), maxText)
	}
	p.advance()
	p.module()
	p.finish()
	return p.m, nil
}

// A parser reads one module. Errors leave it by a panic with an *Error, which Parse recovers.
type parser struct {
	lex  lexer
	tok  token // the next one
	last token // the one before
	m    *Module

	globals map[string]any  // *Var, *Func
	hidden  map[string]*Var // of bodies, by the first of their name
	pc      uint64          // of the next statement

	f      *Func            // whose body is being read
	scopes []scope          // of the body, innermost last
	labels map[string]label // of the innermost block

	subscripted bool   // the last operand had a subscript
	insts       []Inst // of the body, and, until the next is read, of the one before
	again       bool   // a body is read that has been read before

	args, bases []Operand // of the statements of a body, which are not kept if it is not read again
	inits       []initialiser
	defined     int            // bodies so far
	users       map[*Var]*Func // of shared variables of the module: the one that uses it, nil for several
	wanted      []Operand      // names in bodies that nothing was called before
	regsNow     int

	sections []section
}

// A label of a block: an address, a list of targets or a prototype.
type label struct {
	addr    uint64
	targets []Operand // .branchtargets, .calltargets
	proto   *Func     // .callprototype
}

// A scope is a block with the names it declares.
type scope struct {
	vars map[string]*Var
	regs []Regs
}

func (p *parser) failAt(pos Pos, format string, args ...any) {
	panic(&Error{File: p.m.File, Pos: pos, Msg: fmt.Sprintf(format, args...)})
}

// expected fails at the next token.
func (p *parser) expected(what string) {
	p.failAt(p.tok.pos, "expected %s, found %v", what, p.tok)
}

func (p *parser) advance() {
	p.last = p.tok
	p.tok = p.lex.next()
	if p.tok.kind == tokBad {
		if p.tok.text == `"` {
			p.failAt(p.tok.pos, `expected a closing " before the end of the line`)
		}
		p.expected("a name, a number, a directive or a sign of the language")
	}
}

// accept passes the next token if it is the given one.
func (p *parser) accept(text string) bool {
	if !p.tok.is(text) {
		return false
	}
	p.advance()
	return true
}

func (p *parser) expect(text, where string) {
	if !p.accept(text) {
		p.expected(fmt.Sprintf("%q %s", text, where))
	}
}

// name passes a name.
func (p *parser) name(what string) (string, Pos) {
	if p.tok.kind != tokName {
		p.expected(what)
	}
	t := p.tok
	p.advance()
	return t.text, t.pos
}

// count passes an integer between 0 and most.
func (p *parser) count(what string, most uint64) uint64 {
	pos := p.tok.pos
	v := p.constant(what)
	if v.float || v.bits > most {
		p.failAt(pos, "expected %s, a number from 0 to %d", what, most)
	}
	return v.bits
}

// module reads what stands outside functions.
func (p *parser) module() {
	for p.tok.kind != tokEOF {
		t := p.tok
		if t.kind != tokDirect {
			p.expected("a directive (.func, .entry, .global, .section …)")
		}
		p.advance()
		if read, ok := moduleDirectives[t.text]; ok {
			read(p)
			continue
		}
		p.declaration(t)
	}
}

var moduleDirectives map[string]func(p *parser)

func init() {
	moduleDirectives = map[string]func(p *parser){
		".version": (*parser).version,
		".target":  (*parser).target,
		".address_size": func(p *parser) {
			pos := p.tok.pos
			if n := p.count("the size of an address", 64); n != 64 {
				p.failAt(pos, "expected an .address_size of 64; this machine has no %d-bit addresses", n)
			}
		},
		".file":    (*parser).file,
		".loc":     (*parser).loc,
		".pragma":  (*parser).pragma,
		".section": (*parser).section,
		".alias":   (*parser).alias,
	}
}

func (p *parser) version() {
	pos := p.tok.pos
	major, minor, ok := strings.Cut(p.tok.text, ".")
	a, err1 := strconv.Atoi(major)
	b, err2 := strconv.Atoi(minor)
	if p.tok.kind != tokNumber || !ok || err1 != nil || err2 != nil {
		p.expected("a version of the language, as 7.8")
	}
	p.advance()
	p.m.Version = [2]int{a, b}
	if a < 3 || a > 9 {
		p.failAt(pos, "expected a version from 3.0 to 9.9 of PTX, found %d.%d", a, b)
	}
	if a < 6 {
		p.warn("%s:%d: PTX %d.%d is older than 6.0: its warp operations name no lanes", p.m.File, pos.Line,
			a, b)
	}
}

func (p *parser) warn(format string, args ...any) {
	p.m.Warnings = append(p.m.Warnings, fmt.Sprintf(format, args...))
}

func (p *parser) target() {
	for {
		word, _ := p.name("a target, as sm_80")
		switch {
		case word == "debug":
			p.m.Debug = true
		case strings.HasPrefix(word, "sm_"):
			p.m.Target = word
		}
		if !p.accept(",") {
			return
		}
	}
}

func (p *parser) file() {
	n := p.count("the number of a file", 1<<20)
	if p.tok.kind != tokString {
		p.expected("the name of a file in quotes")
	}
	p.m.Files[int(n)] = p.tok.text
	p.advance()
	for p.accept(",") { // time of change, size
		p.count("a number", ^uint64(0))
	}
}

// loc reads a row of source lines (PTX ISA, ".loc").
func (p *parser) loc() {
	r := Row{Addr: p.pc}
	p.lineOf(&r)
	for p.accept(",") {
		word, pos := p.name("function_name or inlined_at")
		switch word {
		case "function_name":
			if r.Function = ".debug_str"; !p.accept(r.Function) {
				r.Function, _ = p.name("a label of .debug_str")
			}
			if p.accept("+") {
				r.Function += "+" + strconv.FormatUint(p.count("an offset", 1<<32), 10)
			}
		case "inlined_at":
			r.InlinedAt = new(Row)
			p.lineOf(r.InlinedAt)
		default:
			p.failAt(pos, "expected function_name or inlined_at, found %s", quoted(word))
		}
	}
	p.m.Rows = append(p.m.Rows, r)
}

func (p *parser) lineOf(r *Row) {
	r.File = int(p.count("the number of a file", 1<<20))
	r.Line = int(p.count("a line", 1<<31))
	r.Col = int(p.count("a column", 1<<31))
}

func (p *parser) pragma() {
	for {
		if p.tok.kind != tokString {
			p.expected("a pragma in quotes")
		}
		p.advance()
		if !p.accept(",") {
			break
		}
	}
	p.expect(";", "after .pragma")
}

func (p *parser) alias() {
	name, pos := p.name("the name of a function")
	p.expect(",", "between the names of .alias")
	of, at := p.name("the name of a function")
	p.expect(";", "after .alias")
	f, ok := p.globals[of].(*Func)
	if !ok {
		p.failAt(at, "expected a function declared before, found %s", quoted(of))
	}
	if old, ok := p.globals[name].(*Func); ok && old.Defined {
		p.failAt(pos, "%s is defined already", quoted(name))
	}
	if old, ok := p.globals[name].(*Func); ok {
		p.m.Funcs = remove(p.m.Funcs, old)
		p.inits = append(p.inits, initialiser{alias: old, to: f})
	}
	p.globals[name] = f
}

func remove(s []*Func, f *Func) []*Func {
	for i := range s {
		if s[i] == f {
			return append(s[:i:i], s[i+1:]...)
		}
	}
	return s
}

// linkage are the directives in front of a declaration.
type linkage struct{ extern, visible, weak bool }

// declaration reads a variable or a function that begins with directive t.
func (p *parser) declaration(t token) {
	var l linkage
	for {
		switch t.text {
		case ".extern":
			l.extern = true
		case ".visible":
			l.visible = true
		case ".weak", ".common":
			l.weak, l.visible = true, true
		case ".func":
			p.function(l, false)
			return
		case ".entry":
			p.function(l, true)
			return
		case ".const":
			p.variables(Const, l)
			return
		case ".global":
			p.variables(Global, l)
			return
		case ".shared":
			p.variables(Shared, l)
			return
		case ".tex":
			p.texture(l)
			return
		default:
			p.failAt(
				t.pos, "expected .func, .entry, .const, .global, .shared or another directive, found %v", t)
		}
		if p.tok.kind != tokDirect {
			p.expected("a state space, .func or .entry")
		}
		t = p.tok
		p.advance()
	}
}

// declare adds a name of the module.
func (p *parser) declare(name string, pos Pos, what any) {
	if old, ok := p.globals[name]; ok {
		if v, isVar := old.(*Var); !isVar || !v.Extern {
			p.failAt(pos, "%s is declared already", quoted(name))
		}
	}
	p.globals[name] = what
}

// finish places what is left and resolves names.
func (p *parser) finish() {
	for _, f := range p.m.Funcs {
		if !f.Defined {
			f.Start = p.pc
			p.pc += funcAlign
			f.End = p.pc
		}
	}
	p.m.end = p.pc
	for _, in := range p.inits {
		if in.alias != nil {
			in.alias.Start = in.to.Start
		}
	}
	p.place()
	for i := range p.wanted {
		p.resolveName(&p.wanted[i])
	}
	p.initialise()
	p.assemble()
	sort.SliceStable(p.m.Funcs, func(i, j int) bool { return p.m.Funcs[i].Start < p.m.Funcs[j].Start })
}

// place gives variables their addresses: in each segment those with initial values first.
func (p *parser) place() {
	initial := map[*Var]bool{}
	for _, in := range p.inits {
		initial[in.v] = true
	}
	base := align(p.m.end+segmentAlign, segmentAlign)
	for _, space := range []Space{Const, Global} {
		filled := p.placeVars(space, base, func(v *Var) bool { return initial[v] })
		if filled-base > maxInitial {
			p.failAt(Pos{1, 1}, "the initial values of variables in .%v have more than %d bytes", space,
				maxInitial)
		}
		end := p.placeVars(space, filled, func(v *Var) bool { return !initial[v] })
		if end > base {
			s := Segment{Name: space.String(), Addr: base, Size: end - base, Data: make([]byte, filled-base)}
			p.m.Segments = append(p.m.Segments, s)
			base = align(end+segmentAlign, segmentAlign)
		}
	}
	p.placeShared()
}

// placeVars places some variables of a space from addr on and returns the address behind them.
func (p *parser) placeVars(space Space, addr uint64, which func(v *Var) bool) uint64 {
	base := addr
	for _, v := range p.m.Vars {
		if v.Space != space || !which(v) {
			continue
		}
		v.Addr = align(addr, v.Align)
		addr = v.Addr + max(v.Size, 1)
		if addr-base > maxData {
			p.failAt(v.Pos, "the variables in .%v have more than %d bytes", space, maxData)
		}
	}
	return addr
}

// usedBySeveral notes that a variable, if a name is one's, is used by functions that are not told apart.
func (p *parser) usedBySeveral(name string) {
	if v, ok := p.globals[name].(*Var); ok {
		p.uses(nil, v)
	}
}

// placeShared places shared variables: those with a size first, then, all at one place, those whose size the
// launch says. Variables that entries declare in their bodies, or that only one entry uses, are at the same
// places: one entry runs at a time.
func (p *parser) placeShared() {
	var most uint64 = 1
	own := map[*Var]*Func{}
	for _, f := range p.m.Funcs {
		for _, v := range f.body.shared {
			if f.Entry {
				own[v] = f
			}
		}
	}
	for i := range p.wanted { // names that bodies had before they were declared: users are not told apart
		p.usedBySeveral(p.wanted[i].Name)
	}
	for i := range p.inits {
		p.usedBySeveral(p.inits[i].name)
	}
	for v, f := range p.users {
		if own[v] == nil && f != nil && f.Entry && v.Size > 0 {
			own[v] = f
		}
	}
	place := func(v *Var, addr uint64) uint64 {
		if v.Size == 0 {
			most = max(most, v.Align, 16)
			return addr
		}
		if v.Addr = align(addr, v.Align); v.Addr+v.Size > maxData {
			p.failAt(v.Pos, "the variables in .shared have more than %d bytes", maxData)
		}
		return v.Addr + v.Size
	}
	var common uint64
	for _, v := range p.m.Vars {
		if v.Space == Shared && own[v] == nil {
			common = place(v, common)
		}
	}
	end := common
	for _, f := range p.m.Funcs {
		f.SharedSize = common
	}
	for _, v := range p.m.Vars {
		if f := own[v]; f != nil && v.Space == Shared {
			f.SharedSize = place(v, f.SharedSize)
			end = max(end, f.SharedSize)
		}
	}
	end = align(end, most)
	for _, v := range p.m.Vars {
		if v.Space == Shared && v.Size == 0 {
			v.Addr = end
		}
	}
	p.m.SharedSize = end
}

func align(n, to uint64) uint64 { return (n + to - 1) / to * to }
