package dwarf

import (
	"bytes"
	"fmt"

	"simtgdb/dwarf/internal/section"
)

// A MacroKind is the type of an entry of .debug_macro (DWARF 5 section 7.23).
type MacroKind uint8

// The kinds; those by string offsets and indices are read as if they had the string.
const (
	MacroDefine    MacroKind = 0x01
	MacroUndef     MacroKind = 0x02
	MacroStartFile MacroKind = 0x03
	MacroEndFile   MacroKind = 0x04
)

// A Macro is an entry of a unit's part of .debug_macro.
type Macro struct {
	Kind MacroKind
	Line uint64 // of all but MacroEndFile
	File uint64 // MacroStartFile: its number in the line table
	Text string // MacroDefine: the name, its parameters if any, and the replacement; MacroUndef: the name
}

// maxMacros bounds what is read of the macros of a unit, maxMacroDepth how deep they import others.
const (
	maxMacros     = 1 << 20
	maxMacroDepth = 32
)

const (
	macroDefineStrp = 0x05
	macroUndefStrp  = 0x06
	macroImport     = 0x07
	macroDefineStrx = 0x0b
	macroUndefStrx  = 0x0c

	macroOffset64 = 1 << 0 // flags of the header
	macroHasLine  = 1 << 1
	macroOperands = 1 << 2
)

// Macros reads the macros of a unit; there are none if the unit names none, or the object has no
// .debug_macro.
func (u *Unit) Macros() ([]Macro, error) {
	top, err := u.Top()
	if err != nil {
		return nil, err
	}
	a := top.attr(AttrMacros)
	if a == nil {
		a = top.attr(AttrGNUMacros)
	}
	if a == nil || a.Class != ClassMacPtr || len(u.Data.sec.Macro) == 0 {
		return nil, nil
	}
	r := macroReader{u: u}
	err = r.read(a.Val, 0)
	return r.out, err
}

type macroReader struct {
	u   *Unit
	out []Macro
}

func (m *macroReader) read(offset uint64, depth int) error {
	d := m.u.Data
	r := section.NewReader(".debug_macro", d.sec.Macro, d.big)
	r.Seek(offset)
	version, flags := r.U16(), r.U8()
	if r.Err() == nil && (version < 4 || version > 5 || flags&macroOperands != 0 || depth > maxMacroDepth) {
		r.Fail("macros of version %d with flags %#x, %d deep", version, flags, depth)
	}
	is64 := flags&macroOffset64 != 0
	if flags&macroHasLine != 0 {
		r.SectionOffset(is64)
	}
	for r.Err() == nil && len(m.out) < maxMacros {
		kind := r.U8()
		e := Macro{Kind: MacroKind(kind)}
		switch kind {
		case 0:
			return r.Err()
		case byte(MacroDefine), byte(MacroUndef):
			e.Line, e.Text = r.ULEB(), string(r.CString())
		case macroDefineStrp, macroUndefStrp:
			e.Kind, e.Line = e.Kind-macroDefineStrp+MacroDefine, r.ULEB()
			e.Text = m.text(&r, r.SectionOffset(is64))
		case macroDefineStrx, macroUndefStrx:
			e.Kind, e.Line = e.Kind-macroDefineStrx+MacroDefine, r.ULEB()
			at, err := m.u.strOffset(r.ULEB())
			if err != nil {
				return err
			}
			e.Text = m.text(&r, at)
		case byte(MacroStartFile):
			e.Line, e.File = r.ULEB(), r.ULEB()
		case byte(MacroEndFile):
		case macroImport:
			if err := m.read(r.SectionOffset(is64), depth+1); err != nil {
				return err
			}
			continue
		default:
			r.Fail("macro entry of type %#x", kind)
		}
		m.out = append(m.out, e)
	}
	return r.Err()
}

// text is the string at an offset of .debug_str.
func (m *macroReader) text(r *section.Reader, at uint64) string {
	str := m.u.Data.sec.Str
	if at >= uint64(len(str)) {
		r.Fail("string at %#x of .debug_str, which has %#x bytes", at, len(str))
		return ""
	}
	s, _, _ := bytes.Cut(str[at:], []byte{0})
	return string(s)
}

// macroTable writes the unit's part of .debug_macro.
func (u *outUnit) macroTable() error {
	if len(u.Macros) == 0 {
		return nil
	}
	b := &u.w.macro
	u.macros = b.len()
	flags := uint64(0)
	if u.Is64 {
		flags |= macroOffset64
	}
	if u.Lines != nil {
		flags |= macroHasLine
	}
	u.w.uint(b, 2, 5)
	u.w.uint(b, 1, flags)
	if u.Lines != nil {
		u.w.uint(b, u.offsetSize(), u.w.tables[u.Lines])
	}
	for _, m := range u.Macros {
		u.w.uint(b, 1, uint64(m.Kind))
		switch m.Kind {
		case MacroDefine, MacroUndef:
			b.uleb(m.Line)
			b.bytes(append([]byte(m.Text), 0))
		case MacroStartFile:
			b.uleb(m.Line)
			b.uleb(m.File)
		case MacroEndFile:
		default:
			return fmt.Errorf("macro entry of kind %#x", byte(m.Kind))
		}
	}
	b.bytes([]byte{0})
	return nil
}
