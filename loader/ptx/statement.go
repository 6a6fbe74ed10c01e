package ptx

import (
	"slices"
	"strings"
)

// instruction reads a statement that is executed (PTX ISA, "Instruction Statements").
func (p *parser) instruction() {
	in := Inst{Guard: -1, Pos: p.tok.pos}
	start, from := p.tok.off, len(p.args)
	if p.accept("@") {
		in.Not = p.accept("!")
		name, pos := p.name("a predicate register after @")
		reg, _ := p.lookup(name)
		if reg < 0 || p.f.RegBits(reg) != 1 {
			p.failAt(pos, "expected a predicate register, found %s", quoted(name))
		}
		in.Guard = reg
	}
	if p.tok.kind != tokName || strings.HasPrefix(p.tok.text, "%") {
		p.expected("an instruction")
	}
	in.Op = p.tok.text
	p.advance()
	call := in.Op == "call" || strings.HasPrefix(in.Op, "call.")
	for !p.tok.is(";") {
		if len(p.args) > from && !p.accept(",") {
			p.expected(`"," or ";" after an operand`)
		}
		p.subscripted = false
		o := p.operand(call, 0)
		if p.subscripted && !takesAddresses(in.Op) && o.Kind != OpMem {
			o = inBrackets(o)
		}
		p.args = append(p.args, o)
		if len(p.args)-from > 16 {
			p.failAt(in.Pos, "an instruction has more than 16 operands")
		}
	}
	in.Args = p.args[from:len(p.args):len(p.args)]
	if p.again {
		in.Args, p.args = slices.Clone(in.Args), p.args[:from]
		in.Text = strings.Join(strings.Fields(p.lex.text[start:p.tok.off]), " ") + ";"
	}
	p.expect(";", "after an instruction")
	p.add(in)
}

// operand reads one operand; names that are not of the body are resolved when the module has been read.
func (p *parser) operand(call bool, depth int) Operand {
	o := Operand{Reg: -1, Reg2: -1, Pos: p.tok.pos}
	if depth > 3 {
		p.failAt(p.tok.pos, "operands are nested more than 3 deep")
	}
	switch {
	case p.tok.is("{"):
		o.Kind = OpVector
		o.List = p.operands("{", "}", call, depth)
		if p.accept("|") {
			p.second(&o)
		}
	case call && p.tok.is("("):
		o.Kind = OpList
		o.List = p.operands("(", ")", call, depth)
	case p.tok.is("["):
		p.memory(&o)
	case p.tok.is("!"):
		p.advance()
		o = p.operand(call, depth+1)
		if o.Kind != OpReg || p.f.RegBits(o.Reg) != 1 {
			p.failAt(o.Pos, "expected a predicate register after !")
		}
		o.Not = true
	case p.tok.is("-") && p.registerNext():
		p.advance()
		o = p.operand(call, depth+1)
		if o.Kind != OpReg {
			p.failAt(o.Pos, "expected a register or a number after -")
		}
		o.Negated = true
	case p.tok.kind == tokName:
		p.named(&o)
	default:
		p.immediate(&o)
	}
	return o
}

// registerNext reports whether a name follows the next token.
func (p *parser) registerNext() bool {
	save := p.lex
	t := p.lex.next()
	p.lex = save
	return t.kind == tokName
}

func (p *parser) operands(open, end string, call bool, depth int) []Operand {
	p.expect(open, "before operands")
	list := []Operand{}
	for !p.accept(end) {
		if len(list) > 0 {
			p.expect(",", "between operands")
		}
		list = append(list, p.operand(call, depth+1))
		if len(list) > 256 {
			p.failAt(p.tok.pos, "a list has more than 256 operands")
		}
	}
	return list
}

func (p *parser) immediate(o *Operand) {
	v := p.constant("an operand")
	o.Kind, o.Value = OpInt, v.bits
	switch {
	case v.single:
		o.Kind = OpFloat32
	case v.float:
		o.Kind = OpFloat64
	}
}

// memory reads an address in brackets; with commas, as for textures, the rest is in List behind it.
func (p *parser) memory(o *Operand) {
	p.expect("[", "before an address")
	base := Operand{Reg: -1, Reg2: -1, Pos: p.tok.pos}
	if p.tok.kind == tokName {
		p.named(&base)
		o.Value, base.Value = base.Value, 0
	} else {
		p.immediate(&base)
	}
	if o.Kind = OpMem; p.again {
		o.List = []Operand{base}
	} else {
		p.bases = append(p.bases, base)
		o.List = slices.Clip(p.bases[len(p.bases)-1:])
	}
	for p.accept(",") {
		o.List = append(o.List, p.operand(false, 2))
	}
	p.expect("]", "after an address")
}

// named reads a register, a special register or the address of something, with an offset.
func (p *parser) named(o *Operand) {
	o.Name, _ = p.name("an operand")
	reg, v := p.lookup(o.Name)
	if dot := strings.LastIndexByte(o.Name, '.'); reg < 0 && v == nil && dot > 0 {
		if r, _ := p.lookup(o.Name[:dot]); r >= 0 {
			reg, o.Part = r, o.Name[dot+1:]
		}
	}
	switch {
	case reg >= 0:
		o.Kind, o.Reg = OpReg, reg
		if p.accept("|") {
			p.second(o)
			return
		}
	case v != nil:
		o.Kind, o.Var = OpVar, v
	case o.Name == "_":
		o.Kind = OpSink
		if p.accept("|") {
			p.second(o)
		}
		return
	case strings.HasPrefix(o.Name, "%"):
		if o.Kind = OpSpecial; !isSpecial(o.Name) {
			p.failAt(o.Pos, "the register %s is not declared", quoted(o.Name))
		}
		return
	default:
		o.Kind = OpCode // or a variable of the module: resolved later
	}
	if p.tok.is("[") && (o.Kind == OpVar || o.Kind == OpCode) {
		p.subscript(o)
	}
	if p.tok.is("+") || p.tok.is("-") {
		v := p.constant("an offset")
		if v.float {
			p.failAt(p.last.pos, "expected a whole number as an offset")
		}
		o.Value = v.bits
	}
}

// second reads the register behind a bar, or _ for none.
func (p *parser) second(o *Operand) {
	name, pos := p.name("a second register")
	if name == "_" {
		return
	}
	if o.Reg2, _ = p.lookup(name); o.Reg2 < 0 {
		p.failAt(pos, "the register %s is not declared", quoted(name))
	}
}

// subscript reads the number of an element behind the name of an array (PTX ISA, "Arrays as Operands"), which
// must have been declared.
func (p *parser) subscript(o *Operand) {
	v := o.Var
	if v == nil {
		v, _ = p.globals[o.Name].(*Var)
	}
	if v == nil {
		p.failAt(o.Pos, "expected the name of an array before [, found %s", quoted(o.Name))
	}
	p.expect("[", "before a subscript")
	n := p.constant("a subscript")
	if n.float {
		p.failAt(p.last.pos, "expected a whole number as a subscript")
	}
	p.expect("]", "after a subscript")
	o.Value += n.bits * uint64(typeBits[v.Type]) / 8
	p.subscripted = true
}

// takesAddresses reports whether an instruction's operand is the address of an element that has a subscript,
// and not what lies there.
func takesAddresses(op string) bool {
	return strings.HasPrefix(op, "mov.") || strings.HasPrefix(op, "cvta.")
}

// inBrackets is what lies at an address.
func inBrackets(o Operand) Operand {
	base := o
	base.Value = 0
	return Operand{Kind: OpMem, Reg: -1, Reg2: -1, Value: o.Value, Pos: o.Pos, List: []Operand{base}}
}

// resolveLabels finds the labels of the block that has been read in its statements. A name that is none of
// them may be that of a block around it.
func (p *parser) resolveLabels(of []Inst) {
	if len(p.labels) == 0 {
		return
	}
	for i := range of {
		for j := range of[i].Args {
			p.resolveLabel(&of[i].Args[j])
		}
	}
}

// noteJumps keeps where the statements of the body that has been read may jump to.
func (p *parser) noteJumps() {
	for i := range p.insts {
		for j := range p.insts[i].Args {
			p.f.noteJumps(p.insts[i].Addr, &p.insts[i].Args[j])
		}
	}
}

// noteJumps keeps where a statement may jump to, by an operand whose labels have been found.
func (f *Func) noteJumps(from uint64, o *Operand) {
	for i := range o.List {
		f.noteJumps(from, &o.List[i])
	}
	if o.Kind == OpCode && o.Name == "" && o.Func == nil {
		f.Jumps = append(f.Jumps, Jump{from, o.Value})
	}
}

func (p *parser) resolveLabel(o *Operand) {
	for i := range o.List {
		p.resolveLabel(&o.List[i])
	}
	if o.Kind != OpCode || o.Name == "" {
		return
	}
	l, ok := p.labels[o.Name]
	if !ok {
		return
	}
	switch {
	case l.proto != nil:
		o.Kind, o.Proto = OpProto, l.proto
	case l.targets != nil:
		o.Kind, o.List = OpTargets, append([]Operand(nil), l.targets...)
		for i := range o.List {
			if t, ok := p.labels[o.List[i].Name]; ok && t.targets == nil && t.proto == nil {
				o.List[i].Value, o.List[i].Name = t.addr, ""
			}
		}
	default:
		o.Value += l.addr
	}
	o.Name = ""
}

// uses notes that a function uses a variable of the module.
func (p *parser) uses(f *Func, v *Var) {
	if v.Space != Shared {
		return
	}
	if p.users == nil {
		p.users = map[*Var]*Func{}
	}
	if by, ok := p.users[v]; ok && by != f {
		f = nil
	}
	p.users[v] = f
}

// resolve finds the names of the module in the statements of a body.
func (p *parser) resolve() {
	for i := range p.insts {
		for j := range p.insts[i].Args {
			p.resolveName(&p.insts[i].Args[j])
		}
	}
}

// strangers are the operands of a function's body whose names have not been declared yet, as far as has been
// read. What the body uses of shared variables is noted.
func (p *parser) strangers(f *Func) (list []Operand) {
	var look func(o *Operand)
	look = func(o *Operand) {
		for i := range o.List {
			look(&o.List[i])
		}
		if o.Kind != OpCode || o.Name == "" {
			return
		}
		switch x := p.globals[o.Name].(type) {
		case nil:
			list = append(list, *o)
		case *Var:
			p.uses(f, x)
		}
	}
	for i := range p.insts {
		for j := range p.insts[i].Args {
			look(&p.insts[i].Args[j])
		}
	}
	return list
}

func (p *parser) resolveName(o *Operand) {
	for i := range o.List {
		p.resolveName(&o.List[i])
	}
	if o.Kind != OpCode || o.Name == "" {
		return
	}
	switch x := p.globals[o.Name].(type) {
	case *Var:
		o.Kind, o.Var = OpVar, x
	case *Func:
		o.Func = x
		o.Value += x.Start
	default:
		p.failAt(o.Pos, "expected a register, a variable, a function or a label; %s is not declared",
			quoted(o.Name))
	}
}
