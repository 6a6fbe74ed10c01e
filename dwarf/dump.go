package dwarf

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"
)

// DumpOptions for DumpInfo and the other functions that print.
type DumpOptions struct {
	// Expr gives the text of an expression. Where it is nil the bytes are printed.
	Expr func(u *Unit, expr []byte) string
	// Verbose prints what is written as well as what it means: abbreviation codes, forms, indexes.
	Verbose bool
}

// DumpInfo prints the entries of .debug_info as llvm-dwarfdump 22 --debug-info does, and behind them those
// of .debug_types.
func DumpInfo(w io.Writer, d *Data, o DumpOptions) error {
	p := &infoPrinter{printer: newPrinter(w, o)}
	where := unitSection(0xff)
	for _, u := range d.units {
		if u.section != where {
			where = u.section
			p.printf("\n%v contents:\n", where)
		}
		if err := p.unit(u); err != nil {
			p.w.Flush()
			return err
		}
	}
	return p.w.Flush()
}

type printer struct {
	w *bufio.Writer
	o DumpOptions
}

func newPrinter(w io.Writer, o DumpOptions) printer {
	return printer{w: bufio.NewWriterSize(w, 1<<16), o: o}
}

func (p *printer) printf(format string, args ...any) { fmt.Fprintf(p.w, format, args...) }

func (p *printer) indent(n int) {
	for range n {
		p.w.WriteByte(' ')
	}
}

// addr prints an address with all its digits.
func (p *printer) addr(u *Unit, v uint64) { p.printf("0x%0*x", 2*int(u.AddrSize), v) }

func (p *printer) pcRange(u *Unit, r Range) {
	p.printf("[0x%0*x, 0x%0*x)", 2*int(u.AddrSize), r.Low, 2*int(u.AddrSize), r.High)
}

// offset prints an offset with the digits of the unit's format.
func (p *printer) offset(u *Unit, v uint64) { p.printf("0x%0*x", 2*u.offsetSize(), v) }

func (p *printer) expr(u *Unit, expr []byte) {
	switch {
	case len(expr) == 0:
		p.w.WriteString("<empty>")
	case p.o.Expr != nil:
		p.w.WriteString(p.o.Expr(u, expr))
	default:
		p.printf("% x", expr)
	}
}

func (p *printer) quoted(s []byte) {
	p.w.WriteByte('"')
	for _, c := range s {
		switch {
		case c == '\\' || c == '"':
			p.w.Write([]byte{'\\', c})
		case c == '\t':
			p.w.WriteString(`\t`)
		case c == '\n':
			p.w.WriteString(`\n`)
		case c < 0x20 || c > 0x7e:
			p.printf(`\%03o`, c)
		default:
			p.w.WriteByte(c)
		}
	}
	p.w.WriteByte('"')
}

type infoPrinter struct {
	printer
	lists int // entries of lists that were printed
}

// more counts an entry of a list and says whether it may be printed.
func (p *infoPrinter) more() bool {
	if p.lists++; p.lists == maxListEntries {
		p.printf(" <no more lists: they have %d entries so far>", p.lists)
	}
	return p.lists < maxListEntries
}

func (p *infoPrinter) unit(u *Unit) error {
	root, err := u.Root()
	kind := "Compile Unit"
	if u.Type.IsType() {
		kind = "Type Unit"
	}
	p.printf("0x%08x: %s: length = ", u.Offset, kind)
	p.offset(u, u.Length)
	p.printf(", format = DWARF%d, version = 0x%04x", 8*u.offsetSize(), u.Version)
	if u.Version >= 5 {
		p.printf(", unit_type = %v", u.Type)
	}
	p.printf(", abbr_offset = 0x%04x, addr_size = 0x%02x", u.AbbrevOffset, u.AddrSize)
	switch {
	case u.Type.IsType():
		name := ""
		if t := u.TypeDIE(); t != nil {
			name = t.Name()
		}
		p.printf(", name = '%s', type_signature = 0x%016x, type_offset = 0x%04x", name, u.Signature, u.TypeOffset-u.Offset)
	case u.Version >= 5 && (u.Type == UnitSkeleton || u.Type == UnitSplitCompile):
		p.printf(", DWO_id = 0x%016x", u.DWOID)
	}
	p.printf(" (next unit at 0x%08x)\n", u.End)
	if root != nil {
		p.entry(root, 0)
	}
	p.printf("\n")
	return err
}

func (p *infoPrinter) entry(d *DIE, indent int) {
	p.printf("\n0x%08x: ", d.Offset)
	p.indent(indent)
	p.w.WriteString(d.Tag.String())
	if p.o.Verbose {
		p.printf(" [%d] %c", d.abbrev, map[bool]byte{true: '*', false: ' '}[d.hasNull || len(d.Children) > 0])
		if d.Parent != nil {
			p.printf(" (0x%08x)", d.Parent.Offset)
		}
	}
	p.printf("\n")
	for i := range d.Attrs {
		p.attr(d, &d.Attrs[i], indent)
	}
	for _, c := range d.Children {
		p.entry(c, indent+2)
	}
	if d.hasNull {
		p.printf("\n0x%08x: ", d.null)
		p.indent(indent + 2)
		p.printf("NULL\n")
	}
}

// attrIndent is how far attributes stand to the right of their entry's tag, the offset included.
const attrIndent = 12

func (p *infoPrinter) attr(d *DIE, a *Attr, indent int) {
	p.indent(attrIndent + indent + 2)
	p.w.WriteString(a.Name.String())
	if p.o.Verbose {
		p.printf(" [%v]", a.Form)
	}
	p.w.WriteString("\t(")
	listIndent := attrIndent + indent + 4 + 3 // behind the bracket
	switch {
	case p.named(d, a):
	case a.Name == AttrHighPC && a.Class == ClassConstant && !p.o.Verbose:
		low, _ := d.Uint(AttrLowPC)
		p.addr(d.Unit, low+a.Val)
	case a.Name == AttrLowPC && a.Class == ClassAddress && a.Val == d.Unit.maxAddr():
		p.w.WriteString("dead code")
	case a.Class == ClassLocList:
		p.locList(d, a, listIndent-2)
	case a.Class == ClassExprLoc:
		p.expr(d.Unit, a.Bytes)
	default:
		p.value(d, a)
	}
	switch a.Name {
	case AttrSpecification, AttrAbstractOrigin, AttrCallOrigin, AttrImport:
		if name := originName(d.target(a)); name != "" {
			p.printf(" \"%s\"", name)
		}
	case AttrType, AttrContainingType:
		if target := d.target(a); target != nil {
			p.printf(" \"%s\"", TypeName(target))
		}
	case AttrRanges:
		p.ranges(d, a, listIndent-2)
	}
	p.w.WriteString(")\n")
}

// originName gives the linkage name of an entry, else its name.
func originName(d *DIE) string {
	if d == nil {
		return ""
	}
	if s := d.LinkageName(); s != "" {
		return s
	}
	return d.Name()
}

// named prints the attributes whose numbers have names, and those that are plain counts.
func (p *infoPrinter) named(d *DIE, a *Attr) bool {
	if (a.Class != ClassConstant && a.Class != ClassFlag) || a.Form == FormSdata || a.Form == FormData16 {
		return false
	}
	switch a.Name {
	case AttrDeclFile, AttrCallFile:
		path := d.Unit.FileName(a.Val)
		if path != "" {
			p.printf("\"%s\"", path)
		}
		return path != ""
	case AttrDeclLine, AttrDeclColumn, AttrCallLine, AttrCallColumn:
		p.printf("%d", a.Val)
		return true
	}
	name, ok := CodeName(a.Name, a.Val)
	p.w.WriteString(name)
	return ok
}

// value prints a value by its form.
func (p *infoPrinter) value(d *DIE, a *Attr) {
	u := d.Unit
	switch a.Form {
	case FormFlagPresent:
		p.w.WriteString("true")
	case FormFlag, FormData1:
		p.printf("0x%02x", a.Val)
	case FormData2:
		p.printf("0x%04x", a.Val)
	case FormData4:
		p.printf("0x%08x", a.Val)
	case FormData8, FormRefSig8:
		p.printf("0x%016x", a.Val)
	case FormData16:
		p.w.WriteString(hex.EncodeToString(a.Bytes))
	case FormSdata, FormImplicitConst:
		p.printf("%d", int64(a.Val))
	case FormUdata:
		p.printf("%d", a.Val)
	case FormSecOffset:
		p.offset(u, a.Raw)
	case FormRefAddr:
		p.printf("0x%016x", a.Val)
	case FormGNURefAlt, FormRefSup4, FormRefSup8:
		p.printf("<alt 0x%x>", a.Val)
	case FormGNUStrpAlt, FormStrpSup:
		p.printf("alt indirect string, offset: 0x%x", a.Val)
	case FormRnglistx:
		p.printf("indexed (0x%x) rangelist = 0x%08x", a.Raw, a.Val)
	case FormBlock, FormBlock1, FormBlock2, FormBlock4:
		p.block(a)
	default:
		p.byClass(u, a)
	}
}

func (p *infoPrinter) byClass(u *Unit, a *Attr) {
	switch a.Class {
	case ClassAddress:
		if p.o.Verbose && a.Form != FormAddr {
			p.printf("indexed (%08x) address = ", a.Raw)
		}
		p.addr(u, a.Val)
	case ClassString:
		if p.o.Verbose {
			p.stringPlace(u, a)
		}
		p.quoted(a.Bytes)
	case ClassReference:
		if p.o.Verbose {
			p.printf("cu + 0x%0*x => {0x%08x}", refDigits[a.Form], a.Raw, a.Val)
		} else {
			p.printf("0x%08x", a.Val)
		}
	}
}

// refDigits has the digits that a reference is printed with.
var refDigits = map[Form]int{FormRef1: 2, FormRef2: 4, FormRef4: 4, FormRef8: 8}

func (p *infoPrinter) stringPlace(u *Unit, a *Attr) {
	switch a.Form {
	case FormString:
	case FormStrp:
		p.printf(" .debug_str[0x%0*x] = ", 2*u.offsetSize(), a.Raw)
	case FormLineStrp:
		p.printf(" .debug_line_str[0x%0*x] = ", 2*u.offsetSize(), a.Raw)
	default:
		p.printf("indexed (%08x) string = ", a.Raw)
	}
}

// blockDigits has the digits that the length of a block is printed with.
var blockDigits = map[Form]int{FormBlock1: 2, FormBlock2: 4, FormBlock4: 8}

func (p *infoPrinter) block(a *Attr) {
	if len(a.Bytes) == 0 {
		p.w.WriteString("NULL")
		return
	}
	p.printf("<0x%0*x> % x ", blockDigits[a.Form], len(a.Bytes), a.Bytes)
}

func (p *infoPrinter) ranges(d *DIE, a *Attr, indent int) {
	if a.Class != ClassRngList {
		return
	}
	err := d.Unit.readList(false, a.Val, func(_ ListEntry, r Range) bool {
		if !p.more() {
			return false
		}
		p.printf("\n")
		p.indent(indent)
		p.pcRange(d.Unit, r)
		return true
	})
	if err != nil {
		p.printf(" <%v>", err)
	}
}

func (p *infoPrinter) locList(d *DIE, a *Attr, indent int) {
	u := d.Unit
	if a.Form == FormLoclistx {
		p.printf("indexed (0x%x) loclist = ", a.Raw)
	}
	p.printf("0x%08x: ", a.Val)
	err := u.readList(true, a.Val, func(e ListEntry, r Range) bool {
		if !p.more() {
			return false
		}
		p.printf("\n")
		p.indent(indent)
		if e.Kind == ListDefaultLocation {
			p.w.WriteString("<default>")
		} else {
			p.pcRange(u, r)
		}
		p.w.WriteString(": ")
		p.expr(u, e.Expr)
		return true
	})
	if err != nil {
		p.printf(" <%v>", err)
	}
}

// rawEntry prints an entry of a location list as it is written.
func (p *printer) rawEntry(version5 bool, addrSize int, e ListEntry) {
	a := "0x" + pad(e.A, 2*addrSize)
	b := "0x" + pad(e.B, 2*addrSize)
	operands := a + ", " + b
	switch e.Kind {
	case ListEnd, ListDefaultLocation:
		operands = ""
	case ListBaseAddress, ListBaseAddressx:
		operands = a
	}
	switch {
	case version5:
		p.printf("%-23s(%s)", "DW_LLE_"+e.Kind.String(), operands)
	case e.Kind == ListEnd:
		p.w.WriteString("<End of list>")
	case e.Kind == ListBaseAddress:
		p.printf("(0x%s, %s)", pad(^uint64(0), 2*addrSize), a)
	default:
		p.printf("(%s)", operands)
	}
}

// pad gives the last digits of a number, with zeroes in front.
func pad(v uint64, digits int) string {
	if digits < 16 {
		v &= 1<<(4*digits) - 1
	}
	s := strconv.FormatUint(v, 16)
	for len(s) < digits {
		s = "0" + s
	}
	return s
}
