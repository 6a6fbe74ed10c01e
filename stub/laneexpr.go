package stub

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"simtgdb/dwarf"
	"simtgdb/dwarf/types"
	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/stub/symfile"
	"simtgdb/stub/unwind"
)

// A laneExpr is what monitor lanes print shows: a variable with members and elements behind it,
// `a.b[2]`, or a register, `$v3`, `%r12`.
type laneExpr struct {
	text     string
	register string
	name     string
	steps    []step
}

// A step is a member or an element.
type step struct {
	member string
	index  uint64
}

// parseLaneExpr reads an expression.
func parseLaneExpr(text string) (*laneExpr, error) {
	wrong := refuse(rsp.EINVAL, "%q is no variable with .MEMBER and [NUMBER] behind it, and no $REGISTER", text)
	e := &laneExpr{text: text}
	if strings.HasPrefix(text, "$") || strings.HasPrefix(text, "%") {
		e.register = strings.TrimPrefix(text, "$")
		if e.register == "" {
			return nil, wrong
		}
		return e, nil
	}
	rest := text
	name := func() string {
		n := 0
		for n < len(rest) && (rest[n] == '_' || rest[n] >= '0' && rest[n] <= '9' || rest[n]|0x20 >= 'a' &&
			rest[n]|0x20 <= 'z' ||
			rest[n] >= 0x80) {
			n++
		}
		out := rest[:n]
		rest = rest[n:]
		return out
	}
	if e.name = name(); e.name == "" {
		return nil, wrong
	}
	for rest != "" {
		switch rest[0] {
		case '.':
			rest = rest[1:]
			m := name()
			if m == "" {
				return nil, wrong
			}
			e.steps = append(e.steps, step{member: m})
		case '[':
			number, after, ok := strings.Cut(rest[1:], "]")
			n, err := strconv.ParseUint(number, 0, 32)
			if !ok || err != nil {
				return nil, wrong
			}
			rest = after
			e.steps = append(e.steps, step{index: n})
		default:
			return nil, wrong
		}
	}
	return e, nil
}

// laneValue is the text of the value that an expression has in a lane; in angle brackets, why it has none.
func (s *Session) laneValue(e *laneExpr, w *simt.Wave, lane int, format byte) string {
	list := s.frames.of(w, lane)
	if len(list) == 0 {
		return "<no frame>"
	}
	f := &list[0]
	if e.register != "" {
		r, file, ok := registerNamed(f.Registers.Files(), e.register)
		if !ok {
			r, file, ok = ownRegister(f.Registers, e.register)
		}
		if !ok {
			return "<no register " + e.register + ">"
		}
		b := make([]byte, file.Bits/8)
		if err := f.Registers.Read(r, lane, b); err != nil {
			return "<not available>"
		}
		if format == 0 {
			format = 'x'
		}
		return scalarText(b, 0, format)
	}
	d := s.variableAt(f, e.name)
	if d == nil {
		return "<no variable " + e.name + " here>"
	}
	b, err := s.variableBytes(f, d)
	if err != nil {
		return "<" + err.Error() + ">"
	}
	return s.objectText(d.TypeDIE(), b, e.steps, format)
}

// variableAt finds the variable of a name that is visible at a frame's pc, the innermost scope's first,
// then those of the unit.
func (s *Session) variableAt(f *unwind.Frame, name string) *dwarf.DIE {
	data := s.prog.Source.Data
	if data == nil {
		return nil
	}
	u := data.UnitAt(f.PC)
	if u == nil {
		return nil
	}
	scopes := u.ScopesAt(f.PC)
	for i := len(scopes) - 1; i >= 0; i-- {
		if d := variableIn(scopes[i], name); d != nil {
			return d
		}
		if scopes[i].Tag == dwarf.TagInlinedSubroutine {
			break // what is around it belongs to the frame outside
		}
	}
	root, err := u.Root()
	if err != nil {
		return nil
	}
	return variableIn(root, name)
}

func variableIn(scope *dwarf.DIE, name string) *dwarf.DIE {
	for _, d := range scope.Children {
		if (d.Tag == dwarf.TagVariable || d.Tag == dwarf.TagFormalParameter) && d.Name() == name {
			return d
		}
	}
	return nil
}

// errGone says that a variable has no value where the lane stands.
var errGone = fmt.Errorf("optimized out")

// variableBytes reads a variable in a frame.
func (s *Session) variableBytes(f *unwind.Frame, d *dwarf.DIE) ([]byte, error) {
	size := s.frames.arch.Model().Size(d.TypeDIE())
	if size == 0 || size > 1<<16 {
		return nil, fmt.Errorf("%d bytes", size)
	}
	if v, ok := d.Int(dwarf.AttrConstValue); ok {
		b := make([]byte, 8)
		for i := range b {
			b[i] = byte(v >> (8 * i))
		}
		return b[:min(size, 8)], nil
	}
	a, ok := d.Attr(dwarf.AttrLocation)
	if !ok {
		return nil, errGone
	}
	locs, err := d.Unit.LocList(a)
	if err != nil {
		return nil, err
	}
	for _, l := range locs {
		if a.Class == dwarf.ClassLocList && !l.Default && (f.PC < l.Low || f.PC >= l.High) {
			continue
		}
		slot := &symfile.Slot{Name: d.Name(), Unit: d.Unit, Expr: l.Expr, FrameBase: symfile.FrameBase(d),
			Size: size}
		if len(l.Expr) == 0 {
			return nil, errGone
		}
		loc, ctx, err := s.frames.locate(f, slot)
		if err != nil {
			return nil, errGone
		}
		b, err := loc.Read(ctx, 0, 8*size)
		if err != nil {
			return nil, errGone
		}
		return b, nil
	}
	return nil, errGone
}

// objectText follows steps into an object of a type and writes what is there.
func (s *Session) objectText(t *dwarf.DIE, b []byte, steps []step, format byte) string {
	m := s.frames.arch.Model()
	for _, st := range steps {
		t = types.Strip(t)
		size, at := uint64(0), uint64(0)
		switch {
		case t == nil:
		case st.member != "" && types.IsRecord(t):
			for c := range types.Members(t) {
				if c.Name() == st.member {
					at, _ = c.Uint(dwarf.AttrDataMemberLocation)
					t, size = c.TypeDIE(), m.Size(c.TypeDIE())
					break
				}
			}
		case st.member == "" && t.Tag == dwarf.TagArrayType && st.index < types.Elements(t):
			t = t.TypeDIE()
			size = m.Size(t)
			at = size * st.index
		}
		if size == 0 || at+size > uint64(len(b)) {
			return "<no such part>"
		}
		b = b[at:][:size]
	}
	return s.typedText(t, b, format, 0)
}

// maxElements bounds what is written of an array.
const maxElements = 16

// typedText writes an object of a type.
func (s *Session) typedText(t *dwarf.DIE, b []byte, format byte, depth int) string {
	m := s.frames.arch.Model()
	t = types.Strip(t)
	switch {
	case t == nil || depth > 4:
		return "{...}"
	case types.IsRecord(t):
		var parts []string
		for c := range types.Members(t) {
			at, _ := c.Uint(dwarf.AttrDataMemberLocation)
			size := m.Size(c.TypeDIE())
			if at+size <= uint64(len(b)) && c.Name() != "" {
				parts = append(parts, c.Name()+" = "+s.typedText(c.TypeDIE(), b[at:][:size], format, depth+1))
			}
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case t.Tag == dwarf.TagArrayType:
		var parts []string
		size := m.Size(t.TypeDIE())
		for i := uint64(0); size > 0 && i < types.Elements(t) && (i+1)*size <= uint64(len(b)); i++ {
			if i == maxElements {
				parts = append(parts, "...")
				break
			}
			parts = append(parts, s.typedText(t.TypeDIE(), b[i*size:][:size], format, depth+1))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case types.IsPointer(t) && format == 0:
		return scalarText(b, 0, 'x')
	}
	return scalarText(b, types.Encoding(t), format)
}

// scalarText writes a number: as a format says, or else as its encoding does.
func scalarText(b []byte, encoding uint64, format byte) string {
	v := uint64(0)
	for i := min(len(b), 8) - 1; i >= 0; i-- {
		v = v<<8 | uint64(b[i])
	}
	n := 8 * uint(min(len(b), 8))
	signed := int64(v<<(64-n)) >> (64 - n)
	if format == 0 {
		switch encoding {
		case dwarf.ATEFloat:
			format = 'f'
		case dwarf.ATESigned, dwarf.ATESignedChar:
			format = 'd'
		case dwarf.ATEBoolean:
			return strconv.FormatBool(v != 0)
		default:
			format = 'u'
		}
	}
	switch {
	case len(b) > 8:
		return fmt.Sprintf("0x%x", reversedBytes(b))
	case format == 'f' && n == 64:
		return strconv.FormatFloat(math.Float64frombits(v), 'g', -1, 64)
	case format == 'f' && n == 32:
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(v))), 'g', -1, 32)
	case format == 'd':
		return strconv.FormatInt(signed, 10)
	case format == 't':
		return strconv.FormatUint(v, 2)
	case format == 'u':
		return strconv.FormatUint(v, 10)
	}
	return fmt.Sprintf("%#x", v)
}

func reversedBytes(b []byte) []byte {
	out := make([]byte, len(b))
	for i := range b {
		out[len(b)-1-i] = b[i]
	}
	return out
}
