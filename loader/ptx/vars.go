package ptx

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// variables reads the variables of a declaration in const, global or shared (PTX ISA, "Variables").
func (p *parser) variables(space Space, l linkage) {
	p.list(p.varType(space), l)
}

// list reads the variables of a declaration behind their type.
func (p *parser) list(proto Var, l linkage) {
	space := proto.Space
	for {
		v := p.variable(proto)
		v.Extern = l.extern
		if v.Size == 0 && !(v.Space == Shared || v.Extern || p.tok.is("=")) {
			p.failAt(v.Pos, "expected a size of %s: only .extern and .shared arrays may do without",
				quoted(v.Name))
		}
		if p.f != nil && space == Shared || p.f != nil && space == Global || p.f != nil && space == Const {
			p.declareLocal(p.known(v))
		} else {
			p.declare(v.Name, v.Pos, v)
		}
		p.m.Vars = append(p.m.Vars, v)
		if reference(v.Type) && p.tok.is("=") {
			p.failAt(p.tok.pos, "%s is of the type .%s: such variables have no initial values here",
				quoted(v.Name), v.Type)
		}
		if p.accept("=") {
			p.initial(v)
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect(";", "after a variable")
}

// known is a variable that a body declares in a space of the module; where the body is read again, the one
// that there is.
func (p *parser) known(v *Var) *Var {
	if p.again {
		return p.f.body.shared[v.Pos]
	}
	p.f.body.shared[v.Pos] = v
	return v
}

// varType reads alignment, vector size and type. The result has no name yet.
func (p *parser) varType(space Space) Var {
	v := Var{Space: space}
	vector := uint64(1)
	for {
		if p.tok.kind != tokDirect {
			p.expected("the type of a variable, as .b32")
		}
		t := p.tok
		p.advance()
		word := t.text[1:]
		switch word {
		case "align":
			pos := p.tok.pos
			v.Align = p.count("an alignment", 1<<16)
			if bits.OnesCount64(v.Align) != 1 {
				p.failAt(pos, "expected an alignment that is a power of two, found %d", v.Align)
			}
			continue
		case "v2":
			vector = 2
			continue
		case "v4":
			vector = 4
			continue
		case "attribute":
			p.expect("(", "after .attribute")
			for !p.accept(")") {
				if p.tok.kind == tokEOF {
					p.expected(`")" after .attribute`)
				}
				p.advance()
			}
			continue
		case "ptr":
			p.failAt(t.pos, "expected the type of a variable in front of .ptr")
		}
		n, ok := typeBits[word]
		if !ok || n < 8 {
			p.failAt(t.pos, "expected the type of a variable, as .b32, found %v", t)
		}
		v.Type, v.Size = word, uint64(n)/8*vector
		break
	}
	if reference(v.Type) && (space == Global || space == Const) {
		v.Size, v.Align = ReferenceBytes, max(v.Align, referenceAlign)
	}
	v.Align = max(v.Align, v.Size&-v.Size)
	return v
}

// ReferenceBytes is the size of a variable of the types .texref, .samplerref and .surfref outside of
// parameters: a block that says what it refers to, which the host fills. A parameter of such a type is the
// address of one.
const (
	ReferenceBytes = 192
	referenceAlign = 64
)

func reference(typ string) bool { return typ == "texref" || typ == "samplerref" || typ == "surfref" }

// texture reads a variable in the state space .tex, which is a .texref in .global (PTX ISA, "Texture State
// Space").
func (p *parser) texture(l linkage) {
	if p.tok.kind != tokDirect || p.tok.text != ".u32" && p.tok.text != ".u64" {
		p.expected("the type of a variable in .tex, .u32 or .u64")
	}
	p.advance()
	p.list(Var{Space: Global, Type: "texref", Size: ReferenceBytes, Align: referenceAlign}, l)
}

// variable reads a name with the sizes of an array.
func (p *parser) variable(v Var) *Var {
	v.Name, v.Pos = p.name("the name of a variable")
	for p.accept("[") {
		if p.accept("]") {
			v.Size = 0
			continue
		}
		n := p.count("the size of an array", maxData)
		hi, lo := bits.Mul64(n, v.Size)
		if v.Size = lo; hi != 0 || lo > maxData {
			p.failAt(v.Pos, "%s has more than %d bytes", quoted(v.Name), maxData)
		}
		p.expect("]", "after the size of an array")
	}
	return &v
}

// An initialiser is an element with its place that waits for the names to be known.
type initialiser struct {
	v         *Var
	offset    uint64
	size      int
	value     uint64
	name      string // whose address is added
	masked    bool   // … of which the bits of mask are taken, moved down
	mask      uint64
	pos       Pos
	alias, to *Func // an alias that was declared as a function of its own
}

// initial reads the initial contents of a variable.
func (p *parser) initial(v *Var) {
	size := uint64(typeBits[v.Type]) / 8
	var next uint64
	if !p.tok.is("{") {
		p.element(v, 0, size)
		next = size
	} else {
		next = p.elements(v, 0, size, 0)
	}
	if v.Size == 0 {
		v.Size = next
	}
}

// elements reads a list of elements and returns the offset behind it.
func (p *parser) elements(v *Var, offset, size uint64, depth int) uint64 {
	if depth > maxNesting {
		p.failAt(p.tok.pos, "initialisers are nested more than %d deep", maxNesting)
	}
	p.expect("{", "before initial values")
	for !p.accept("}") {
		if v.Size != 0 && offset >= v.Size || offset > maxData {
			p.failAt(p.tok.pos, "%s has %d bytes, fewer than its initial values", quoted(v.Name), v.Size)
		}
		if p.tok.is("{") {
			offset = p.elements(v, offset, size, depth+1)
		} else {
			p.element(v, offset, size)
			offset += size
		}
		if !p.tok.is("}") {
			p.expect(",", "between initial values")
		}
	}
	return offset
}

// element reads one initial value: a constant, or the address of a name, perhaps generic(name), perhaps
// with an offset, perhaps a part of it: 0xFF00(name).
func (p *parser) element(v *Var, offset, size uint64) {
	in := initialiser{v: v, offset: offset, size: int(size), pos: p.tok.pos}
	if p.tok.kind == tokName {
		in.name, in.value = p.address()
	} else {
		c := p.constant("an initial value")
		in.value = p.convert(c, v.Type, in.pos)
		if p.accept("(") {
			in.masked, in.mask = true, c.bits
			in.name, in.value = p.address()
			p.expect(")", "after the name of a masked address")
		}
	}
	p.inits = append(p.inits, in)
}

// address reads name, generic(name), and an offset behind.
func (p *parser) address() (name string, offset uint64) {
	name, _ = p.name("a name")
	if name == "generic" && p.accept("(") {
		name, offset = p.address()
		p.expect(")", "after the name in generic(")
	}
	if p.tok.is("+") || p.tok.is("-") {
		offset += p.constant("an offset").bits
	}
	return name, offset
}

// convert gives a constant the form of a type.
func (p *parser) convert(c value, typ string, pos Pos) uint64 {
	switch {
	case !c.float:
		switch typ {
		case "f32":
			return uint64(math.Float32bits(float32(int64(c.bits))))
		case "f64":
			return math.Float64bits(float64(int64(c.bits)))
		}
	case c.single && typ == "f64":
		return math.Float64bits(float64(math.Float32frombits(uint32(c.bits))))
	case !c.single && typ == "f32":
		return uint64(math.Float32bits(float32(math.Float64frombits(c.bits))))
	case typ != "f32" && typ != "f64" && typ != "b32" && typ != "b64":
		p.failAt(pos, "expected a whole number for a variable of type .%s", typ)
	}
	return c.bits
}

// initialise fills the segments.
func (p *parser) initialise() {
	for _, in := range p.inits {
		if in.v == nil {
			continue
		}
		value := in.value
		if in.name != "" {
			addr, ok := p.addressOf(in.name)
			if !ok {
				p.failAt(in.pos, "%s is not declared", quoted(in.name))
			}
			value += addr
			if in.masked {
				if in.mask == 0 {
					p.failAt(in.pos, "expected a mask that is not zero")
				}
				value = value & in.mask >> bits.TrailingZeros64(in.mask)
			}
		}
		if in.v.Space == Shared {
			p.failAt(in.pos, "variables in .shared have no initial values")
		}
		for i := range p.m.Segments {
			s := &p.m.Segments[i]
			if at := in.v.Addr - s.Addr + in.offset; in.v.Addr >= s.Addr &&
				at+uint64(in.size) <= uint64(len(s.Data)) {
				var b [8]byte
				binary.LittleEndian.PutUint64(b[:], value)
				copy(s.Data[at:][:min(in.size, 8)], b[:])
			}
		}
	}
}

// addressOf is the address of a name of the module.
func (p *parser) addressOf(name string) (uint64, bool) {
	switch x := p.globals[name].(type) {
	case *Var:
		return x.Addr, true
	case *Func:
		return x.Start, true
	}
	addr, ok := p.m.Labels[name]
	return addr, ok
}
