package ptx

import (
	"bytes"
	"encoding/binary"
	"strconv"
	"strings"
)

// A section as it is read: its bytes, with holes for names.
type section struct {
	Section
	pos    Pos
	labels map[string]uint64
	fixes  []fix
}

// A fix is a value of a section that is the address of a name, or the distance of two.
type fix struct {
	at    int
	size  int
	name  string
	minus string
	value uint64
	pos   Pos
}

// section reads .section NAME { … } (PTX ISA, ".section").
func (p *parser) section() {
	if p.tok.kind != tokDirect && p.tok.kind != tokName {
		p.expected("the name of a section, as .debug_info")
	}
	s := section{Section: Section{Name: p.tok.text}, pos: p.tok.pos, labels: map[string]uint64{}}
	p.advance()
	p.expect("{", "before the contents of a section")
	for !p.accept("}") {
		t := p.tok
		switch {
		case t.kind == tokDirect && (t.text == ".b8" || t.text == ".b16" || t.text == ".b32" ||
			t.text == ".b64"):
			p.advance()
			p.sectionValues(&s, typeBits[t.text[1:]]/8)
		case t.kind == tokName:
			p.advance()
			p.expect(":", "after a label")
			if _, ok := s.labels[t.text]; ok {
				p.failAt(t.pos, "the label %s is defined already", quoted(t.text))
			}
			s.labels[t.text] = uint64(len(s.Data))
		default:
			p.expected(`.b8, .b16, .b32, .b64, a label or "}"`)
		}
	}
	p.sections = append(p.sections, s)
}

// sectionValues reads values of one size.
func (p *parser) sectionValues(s *section, size int) {
	for {
		f := fix{at: len(s.Data), size: size, pos: p.tok.pos}
		if p.tok.kind == tokName || p.tok.kind == tokDirect {
			p.sectionName(&f)
			s.fixes = append(s.fixes, f)
		} else {
			v := p.constant("a value of a section")
			if f.value = v.bits; v.float {
				p.failAt(f.pos, "expected a whole number in a section")
			}
		}
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], f.value)
		s.Data = append(s.Data, b[:size]...)
		if !p.accept(",") {
			return
		}
	}
}

// sectionName reads NAME, NAME+n, NAME-n and NAME-NAME.
func (p *parser) sectionName(f *fix) {
	f.name = p.tok.text
	p.advance()
	if p.tok.is("-") {
		save, tok := p.lex, p.tok
		p.advance()
		if p.tok.kind == tokName || p.tok.kind == tokDirect {
			f.minus = p.tok.text
			p.advance()
			return
		}
		p.lex, p.tok = save, tok
	}
	if p.tok.is("+") || p.tok.is("-") {
		f.value = p.constant("an offset").bits
	}
}

// assemble puts the addresses of names into the sections. A name means: a label of a section its offset
// there, a section 0 or where its first part of that name begins, a label of code, a function or a
// variable its address in its space, as [Var.Addr] says.
func (p *parser) assemble() {
	merged := map[string]*section{}
	var order []*section
	labels := map[string]uint64{}
	for i := range p.sections {
		s := &p.sections[i]
		first := merged[s.Name]
		if first == nil {
			merged[s.Name] = s
			first = s
			order = append(order, s)
		} else {
			for j := range s.fixes {
				s.fixes[j].at += len(first.Data)
			}
			first.fixes = append(first.fixes, s.fixes...)
		}
		base := uint64(0)
		if first != s {
			base = uint64(len(first.Data))
			first.Data = append(first.Data, s.Data...)
		}
		for name, offset := range s.labels {
			if _, ok := labels[name]; ok {
				p.failAt(s.pos, "the label %s is defined in another section already", quoted(name))
			}
			labels[name] = base + offset
		}
	}
	for _, s := range order {
		for _, f := range s.fixes {
			value := f.value + p.nameInSection(f.name, labels, f.pos)
			if f.size == 8 && f.minus == "" {
				value += p.window(f.name, labels)
				if _, ok := p.m.Names[value]; !ok && f.value == 0 {
					p.m.Names[value] = f.name
				}
			}
			if f.minus != "" {
				value -= p.nameInSection(f.minus, labels, f.pos)
			}
			var b [8]byte
			binary.LittleEndian.PutUint64(b[:], value)
			copy(s.Data[f.at:][:f.size], b[:])
			if f.size < 8 && value>>(8*f.size) != 0 {
				p.failAt(f.pos, "the address %#x of %s does not fit into %d bytes", value, quoted(f.name),
					f.size)
			}
		}
		p.m.Sections = append(p.m.Sections, s.Section)
	}
	p.nameInlined(labels)
}

// nameInlined finds the names of functions that rows call inlined, in .debug_str, and the rows of their
// callers: where a caller is inlined itself, a row of its place comes before (PTX ISA, ".loc").
func (p *parser) nameInlined(labels map[string]uint64) {
	var strs []byte
	for _, s := range p.m.Sections {
		if s.Name == ".debug_str" {
			strs = s.Data
		}
	}
	type place struct{ file, line, col int }
	latest := map[place]*Row{}
	for i := range p.m.Rows {
		r := &p.m.Rows[i]
		if r.InlinedAt != nil {
			r.Function = nameAt(strs, labels, r.Function)
			at := *r.InlinedAt
			if caller := latest[place{at.File, at.Line, at.Col}]; caller != nil && caller.depth < maxInlined {
				at.Function, at.InlinedAt, at.depth = caller.Function, caller.InlinedAt, caller.depth
			}
			r.InlinedAt, r.depth = &at, at.depth+1
		}
		latest[place{r.File, r.Line, r.Col}] = r
	}
}

// maxInlined bounds how deep functions are inlined in each other.
const maxInlined = 64

// nameAt is the string at a label, perhaps with an offset; the label itself if there is none.
func nameAt(strs []byte, labels map[string]uint64, label string) string {
	name, offset, _ := strings.Cut(label, "+")
	n, err := strconv.ParseUint(offset, 10, 32)
	at, ok := labels[name]
	ok = ok || name == ".debug_str"
	if at += n; !ok || err != nil && offset != "" || at >= uint64(len(strs)) {
		return label
	}
	text, _, _ := bytes.Cut(strs[at:], []byte{0})
	return string(text)
}

// Where the addresses of shared and local variables begin that stand in sections as 64-bit numbers, so
// that they tell their spaces: SharedBase plus [Var.Addr]; LocalBase plus [Var.Addr] in the low 32 bits
// and a number of the function above them.
const (
	SharedBase = 1 << 48
	LocalBase  = 2 << 48
)

// window is what is added to the address of a name of a variable.
func (p *parser) window(name string, labels map[string]uint64) uint64 {
	if _, ok := labels[name]; ok {
		return 0
	}
	v, ok := p.globals[name].(*Var)
	if !ok {
		v = p.hidden[name]
	}
	if v == nil {
		return 0
	}
	return map[Space]uint64{Shared: SharedBase, Local: LocalBase + uint64(v.owner)<<32}[v.Space]
}

func (p *parser) nameInSection(name string, labels map[string]uint64, pos Pos) uint64 {
	if strings.HasPrefix(name, ".") {
		return 0 // sections are whole, and the one of lines is made of the rows
	}
	if n, ok := labels[name]; ok {
		return n
	}
	if n, ok := p.addressOf(name); ok {
		return n
	}
	if v := p.hidden[name]; v != nil {
		return v.Addr
	}
	p.failAt(pos, "expected a label, a variable, a function or a section; %s is not declared", quoted(name))
	return 0
}
