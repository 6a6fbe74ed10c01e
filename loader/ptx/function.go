package ptx

import (
	"slices"
)

// function reads the declaration or definition of a function or an entry (PTX ISA, "Kernel and Function
// Directives").
func (p *parser) function(l linkage, entry bool) {
	f := &Func{Entry: entry, Visible: l.visible, Weak: l.weak, Align: 1}
	p.functionFlags()
	if p.tok.is("(") {
		if entry {
			p.expected("the name of an entry, which returns nothing")
		}
		f.Results = p.parameters(f)
	}
	p.functionFlags()
	f.Name, f.Pos = p.name("the name of a function")
	if p.tok.is("(") {
		f.Params = p.parameters(f)
	}
	p.entryFlags(f)
	old := p.declareFunc(f)
	if p.accept(";") {
		if old == nil {
			p.m.Funcs = append(p.m.Funcs, f)
		}
		return
	}
	if !p.tok.is("{") {
		p.expected(`";" after a declaration or "{" before the body of a function`)
	}
	switch {
	case old == nil:
		p.m.Funcs = append(p.m.Funcs, f)
	case old.Defined:
		p.failAt(f.Pos, "%s is defined already", quoted(f.Name))
	default: // others have met the declaration
		f.Visible, f.Weak = f.Visible || old.Visible, f.Weak || old.Weak
		*old = *f
		f = old
	}
	p.define(f)
}

// declareFunc adds a function's name; it returns the earlier declaration, if there is one.
func (p *parser) declareFunc(f *Func) *Func {
	switch old := p.globals[f.Name].(type) {
	case *Func:
		if old.Entry != f.Entry || len(old.Params) != len(f.Params) || len(old.Results) != len(f.Results) {
			p.failAt(f.Pos, "%s is declared otherwise at line %d", quoted(f.Name), old.Pos.Line)
		}
		return old
	case *Var:
		p.failAt(f.Pos, "%s is declared already", quoted(f.Name))
	}
	p.globals[f.Name] = f
	return nil
}

// functionFlags passes what may stand in front of a function's name.
func (p *parser) functionFlags() {
	for p.tok.is(".noreturn") || p.tok.is(".attribute") {
		if p.advance(); p.accept("(") {
			for !p.accept(")") {
				if p.tok.kind == tokEOF {
					p.expected(`")" after .attribute(`)
				}
				p.advance()
			}
		}
	}
}

// parameters reads a list in parentheses.
func (p *parser) parameters(f *Func) []*Var {
	p.expect("(", "before parameters")
	var list []*Var
	for !p.accept(")") {
		if len(list) > 0 {
			p.expect(",", "between parameters")
		}
		list = append(list, p.parameter(f))
	}
	return list
}

func (p *parser) parameter(f *Func) *Var {
	if !p.tok.is(".param") && !p.tok.is(".reg") {
		p.expected(".param before a parameter")
	}
	if p.tok.is(".reg") {
		p.failAt(p.tok.pos, "expected .param: parameters in registers went with PTX 2.0")
	}
	p.advance()
	v := p.paramType()
	if p.tok.kind != tokName { // prototypes need no names
		v.Name, v.Pos = "_", p.tok.pos
		return &v
	}
	return p.variable(v)
}

// paramType is varType with the attribute of pointers, which may stand on either side of the alignment.
func (p *parser) paramType() Var {
	v := Var{Space: Param}
	for p.tok.is(".align") {
		p.advance()
		pos := p.tok.pos
		if v.Align = p.count("an alignment", 1<<16); v.Align == 0 || v.Align&(v.Align-1) != 0 {
			p.failAt(pos, "expected an alignment that is a power of two, found %d", v.Align)
		}
	}
	t := p.varType(Param)
	t.Align = max(t.Align, v.Align)
	if p.accept(".ptr") {
		t.Pointer = &Pointer{Align: 1}
		for p.tok.kind == tokDirect {
			word := p.tok.text[1:]
			pos := p.tok.pos
			p.advance()
			if word == "align" {
				t.Pointer.Align = p.count("an alignment", 1<<16)
				continue
			}
			space := slices.Index(spaceNames[:], word)
			if space <= 0 {
				p.failAt(pos, "expected .align or a state space after .ptr, found %s", quoted("."+word))
			}
			t.Pointer.Space = Space(space)
		}
	}
	return t
}

// threeFlags have up to three numbers, and oneFlags one.
var (
	threeFlags = []string{".maxntid", ".reqntid", ".reqnctapercluster"}
	oneFlags   = []string{".minnctapersm", ".maxnctapersm", ".maxnreg", ".maxclusterrank", ".abi_preserve",
		".abi_preserve_control"}
	bareFlags = []string{".noreturn", ".explicitcluster", ".blocksareclusters", ".unified"}
)

// entryFlags reads what stands between the parameters and the body.
func (p *parser) entryFlags(f *Func) {
	for p.tok.kind == tokDirect {
		word, pos := p.tok.text, p.tok.pos
		p.advance()
		switch {
		case slices.Contains(threeFlags, word):
			n := [3]uint32{1, 1, 1}
			for i := range n {
				n[i] = uint32(p.count("a number of threads", 1<<31))
				if !p.accept(",") {
					break
				}
			}
			switch word {
			case ".maxntid":
				f.MaxThreads = n
			case ".reqntid":
				f.ReqThreads = n
			case ".reqnctapercluster":
				f.ClusterSize = n
			}
		case slices.Contains(oneFlags, word):
			p.count("a number", 1<<31)
		case slices.Contains(bareFlags, word):
		case word == ".pragma":
			p.pragma()
		default:
			p.failAt(pos, "expected a directive of a function or its body, found %s", quoted(word))
		}
	}
}

// A body is where in the text the statements of a function are. They are read twice: once to know that they
// are good, and again, to be kept, when somebody asks for them. So what a module takes does not grow with
// functions that nobody runs.
type body struct {
	lex    lexer          // behind the {
	tok    token          // the {
	names  map[string]any // of the module
	file   string
	shared map[Pos]*Var // variables of the module's spaces that are declared in it
	frame  uint64       // bytes of the frame that parameters take
}

// Insts reads a function's statements; none of one that is defined elsewhere. The caller keeps them.
func (f *Func) Insts() []Inst {
	if !f.Defined {
		return nil
	}
	b := &f.body
	own := *f
	own.Regs, own.Vars, own.FrameSize = nil, nil, b.frame
	p := &parser{lex: b.lex, tok: b.tok,
		m:       &Module{File: b.file, Files: map[int]string{}, Labels: map[string]uint64{}},
		globals: b.names, hidden: map[string]*Var{}, pc: f.Start, again: true}
	p.statements(&own, outerScope(&own))
	p.resolve()
	return p.insts
}

// outerScope is the scope of a function's parameters.
func outerScope(f *Func) scope {
	outer := scope{vars: map[string]*Var{}}
	for _, list := range [][]*Var{f.Results, f.Params} {
		for _, v := range list {
			if v.Name != "_" {
				outer.vars[v.Name] = v
			}
		}
	}
	return outer
}

// define reads a function's body.
func (p *parser) define(f *Func) {
	p.f = f
	p.pc = align(p.pc, funcAlign)
	f.Start, f.Defined = p.pc, true
	f.body = body{lex: p.lex, tok: p.tok, names: p.globals, file: p.m.File, shared: map[Pos]*Var{}}
	outer := scope{vars: map[string]*Var{}}
	for _, list := range [][]*Var{f.Results, f.Params} {
		for _, v := range list {
			if outer.vars[v.Name] != nil && v.Name != "_" {
				p.failAt(v.Pos, "%s is declared already", quoted(v.Name))
			}
			if v.Name != "_" {
				outer.vars[v.Name] = v
			}
			p.allot(v)
		}
	}
	f.body.frame = f.FrameSize
	p.statements(f, outer)
	f.End = p.pc
	f.NumRegs = p.regsNow
	p.f = nil
	p.defined++
	p.wanted = append(p.wanted, p.strangers(f)...)
}

// statements reads a body from its { on.
func (p *parser) statements(f *Func, outer scope) {
	p.f, p.regsNow, p.insts = f, 0, p.insts[:0]
	p.args, p.bases = p.args[:0], p.bases[:0]
	p.scopes = []scope{outer}
	p.block()
	p.add(Inst{Op: "ret", Guard: -1, Text: "ret;", Pos: p.last.pos})
	if !p.again && len(p.m.Rows) > 0 {
		p.noteJumps()
	}
	p.scopes = nil
}

// allot places a variable in the frame, or a parameter in the arguments.
func (p *parser) allot(v *Var) {
	f := p.f
	at := &f.FrameSize
	if f.Entry && v.Space == Param && len(p.scopes) == 0 {
		at = &f.ParamSize
	}
	v.Addr = align(*at, v.Align)
	if *at = v.Addr + v.Size; *at > maxFrameSize {
		p.failAt(v.Pos, "the frame of %s has more than %d bytes", quoted(f.Name), maxFrameSize)
	}
	f.Align = max(f.Align, v.Align)
}

// add appends a statement.
func (p *parser) add(in Inst) {
	in.Addr = p.pc
	p.pc += InstSize
	p.insts = append(p.insts, in)
}

// block reads { … }. Labels are known in the block that they stand in, and in those in it: inline assembly
// that is compiled several times has one name in each.
func (p *parser) block() {
	if len(p.scopes) > maxNesting {
		p.failAt(p.tok.pos, "blocks are nested more than %d deep", maxNesting)
	}
	p.expect("{", "before a block")
	p.scopes = append(p.scopes, scope{vars: map[string]*Var{}})
	outer, from := p.labels, len(p.insts)
	p.labels = nil
	for !p.accept("}") {
		switch {
		case p.tok.is("{"):
			p.block()
		case p.tok.kind == tokDirect:
			t := p.tok
			p.advance()
			p.bodyDirective(t)
		case p.tok.kind == tokName && p.labelNext():
			p.label()
		case p.tok.kind == tokName || p.tok.is("@"):
			p.instruction()
		case p.accept(";"):
		default:
			p.expected(`an instruction, a label, a directive or "}"`)
		}
	}
	p.resolveLabels(p.insts[from:])
	p.labels = outer
	p.scopes = p.scopes[:len(p.scopes)-1]
}

func (p *parser) bodyDirective(t token) {
	switch t.text {
	case ".reg":
		p.registers()
	case ".local":
		p.frameVars(Local)
	case ".param":
		p.frameVars(Param)
	case ".shared":
		p.variables(Shared, linkage{})
	case ".global":
		p.variables(Global, linkage{})
	case ".const":
		p.variables(Const, linkage{})
	case ".loc":
		p.loc()
	case ".file":
		p.file()
	case ".pragma":
		p.pragma()
	default:
		p.failAt(t.pos, "expected .reg, .local, .param, .shared, .loc or .pragma, found %v", t)
	}
}

// frameVars reads local variables, and parameters of calls.
func (p *parser) frameVars(space Space) {
	proto := p.varType(space)
	for {
		v := p.variable(proto)
		if v.Size == 0 {
			p.failAt(v.Pos, "expected a size of %s", quoted(v.Name))
		}
		p.declareLocal(v)
		p.allot(v)
		p.f.Vars = append(p.f.Vars, v)
		if !p.accept(",") {
			break
		}
	}
	p.expect(";", "after a variable")
}

func (p *parser) declareLocal(v *Var) {
	s := &p.scopes[len(p.scopes)-1]
	if s.vars[v.Name] != nil {
		p.failAt(v.Pos, "%s is declared already", quoted(v.Name))
	}
	s.vars[v.Name] = v
	if _, ok := p.hidden[v.Name]; !ok && !p.again {
		p.hidden[v.Name] = v
		v.owner = uint16(p.defined)
	}
}

// registers reads a declaration of registers.
func (p *parser) registers() {
	if p.tok.kind != tokDirect {
		p.expected("the type of a register, as .b32")
	}
	t := p.tok
	p.advance()
	n, ok := typeBits[t.text[1:]]
	if !ok {
		p.failAt(t.pos, "expected the type of a register, as .b32, found %v", t)
	}
	for {
		r := Regs{Bits: n, Pred: n == 1, Base: p.regsNow}
		var pos Pos
		r.Name, pos = p.name("the name of a register")
		if p.accept("<") {
			r.Count = int(p.count("a number of registers", maxRegs))
			p.expect(">", "after a number of registers")
		}
		if r.Count > 0 || p.last.text != ">" {
			p.regsNow += max(r.Count, 1)
			p.f.Regs = append(p.f.Regs, r)
			s := &p.scopes[len(p.scopes)-1]
			s.regs = append(s.regs, r)
		}
		if p.regsNow > maxRegs {
			p.failAt(pos, "the function has more than %d registers", maxRegs)
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect(";", "after registers")
}

// lookup finds a register or a variable of the body.
func (p *parser) lookup(name string) (reg int, v *Var) {
	for i := len(p.scopes) - 1; i >= 0; i-- {
		s := &p.scopes[i]
		for j := range s.regs {
			if n, ok := s.regs[j].find(name); ok {
				return n, nil
			}
		}
		if v := s.vars[name]; v != nil {
			return -1, v
		}
	}
	return -1, nil
}

// labelNext reports whether the name that is next is a label.
func (p *parser) labelNext() bool {
	save := p.lex
	t := p.lex.next()
	p.lex = save
	return t.is(":")
}

func (p *parser) label() {
	name, pos := p.name("a label")
	p.expect(":", "after a label")
	if _, ok := p.labels[name]; ok {
		p.failAt(pos, "the label %s is defined already", quoted(name))
	}
	l := label{addr: p.pc}
	switch {
	case p.tok.is(".branchtargets") || p.tok.is(".calltargets"):
		p.advance()
		for {
			pos := p.tok.pos
			n, _ := p.name("a label")
			l.targets = append(l.targets, Operand{Kind: OpCode, Name: n, Pos: pos})
			if !p.accept(",") {
				break
			}
		}
		p.expect(";", "after a list of targets")
	case p.accept(".callprototype"):
		l.proto = p.prototype(name)
	default:
		if _, ok := p.m.Labels[name]; !ok {
			p.m.Labels[name] = p.pc
		}
	}
	if p.labels == nil {
		p.labels = map[string]label{}
	}
	p.labels[name] = l
}

// prototype reads what follows .callprototype.
func (p *parser) prototype(name string) *Func {
	f := &Func{Name: name, Pos: p.last.pos, Align: 1}
	if p.tok.is("(") {
		f.Results = p.parameters(f)
	}
	p.name("the _ of a prototype")
	if p.tok.is("(") {
		f.Params = p.parameters(f)
	}
	p.entryFlags(f)
	p.expect(";", "after a prototype")
	return f
}
