package dump

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"simtgdb/dwarf"
)

// Options for all functions that print.
type Options struct {
	// Expr gives the text of an expression. Where it is nil the bytes are printed.
	Expr func(u *dwarf.Unit, expr []byte) string
	// Address names an address, "" if it has no name; it may be nil.
	Address func(addr uint64) string
	// Verbose prints what is written as well as what it means: abbreviation codes, forms, indexes.
	Verbose bool
}

// Info prints the entries of .debug_info as llvm-dwarfdump 22 --debug-info does, and behind them those of
// .debug_types.
func Info(w io.Writer, d *dwarf.Data, o Options) error {
	p := &infoPrinter{printer: newPrinter(w, o)}
	where := ""
	for _, u := range d.Units() {
		if name := u.SectionName(); name != where {
			where = name
			p.printf("\n%s contents:\n", where)
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
	o Options
}

func newPrinter(w io.Writer, o Options) printer {
	return printer{w: bufio.NewWriterSize(w, 1<<16), o: o}
}

func (p *printer) printf(format string, args ...any) { fmt.Fprintf(p.w, format, args...) }

func (p *printer) indent(n int) {
	for range n {
		p.w.WriteByte(' ')
	}
}

// addr prints an address with all its digits.
func (p *printer) addr(u *dwarf.Unit, v uint64) { p.printf("0x%0*x", 2*int(u.AddrSize), v) }

func (p *printer) pcRange(u *dwarf.Unit, r dwarf.Range) {
	p.printf("[0x%0*x, 0x%0*x)", 2*int(u.AddrSize), r.Low, 2*int(u.AddrSize), r.High)
}

// offset prints an offset with the digits of the unit's format.
func (p *printer) offset(u *dwarf.Unit, v uint64) { p.printf("0x%0*x", 2*u.OffsetSize(), v) }

func (p *printer) expr(u *dwarf.Unit, expr []byte) {
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

// visible gives a name where LLVM prints names as they are: but for what a terminal would obey, which is
// escaped as in [printer.quoted].
func visible(name string) string {
	if strings.IndexFunc(name, unicode.IsControl) < 0 {
		return name
	}
	var b strings.Builder
	for _, r := range name {
		if unicode.IsControl(r) {
			fmt.Fprintf(&b, `\%03o`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

type infoPrinter struct {
	printer
	lists int // entries of lists that were printed
}

// maxListEntries bounds what is printed of lists, since all attributes of a hostile file can lead to the same
// long one.
const maxListEntries = 1 << 22

// more counts an entry of a list and reports whether it may be printed.
func (p *infoPrinter) more() bool {
	if p.lists++; p.lists == maxListEntries {
		p.printf(" <no more lists: they have %d entries so far>", p.lists)
	}
	return p.lists < maxListEntries
}

func (p *infoPrinter) unit(u *dwarf.Unit) error {
	root, err := u.Root()
	kind := "Compile Unit"
	if u.Type.IsType() {
		kind = "Type Unit"
	}
	p.printf("0x%08x: %s: length = ", u.Offset, kind)
	p.offset(u, u.Length)
	p.printf(", format = DWARF%d, version = 0x%04x", 8*u.OffsetSize(), u.Version)
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
		p.printf(", name = '%s', type_signature = 0x%016x, type_offset = 0x%04x", visible(name), u.Signature,
			u.TypeOffset-u.Offset)
	case u.Version >= 5 && (u.Type == dwarf.UnitSkeleton || u.Type == dwarf.UnitSplitCompile):
		p.printf(", DWO_id = 0x%016x", u.DWOID)
	}
	p.printf(" (next unit at 0x%08x)\n", u.End)
	if root != nil {
		p.entry(root, 0)
	}
	p.printf("\n")
	return err
}

func (p *infoPrinter) entry(d *dwarf.DIE, indent int) {
	null, hasNull := d.ChildrenEnd()
	p.printf("\n0x%08x: ", d.Offset)
	p.indent(indent)
	p.w.WriteString(d.Tag.String())
	if p.o.Verbose {
		p.printf(" [%d] %c", d.AbbrevCode(),
			map[bool]byte{true: '*', false: ' '}[hasNull || len(d.Children) > 0])
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
	if hasNull {
		p.printf("\n0x%08x: ", null)
		p.indent(indent + 2)
		p.printf("NULL\n")
	}
}

// maxAddr is the highest address of a unit's address size; the linkers put it where code was removed.
func maxAddr(u *dwarf.Unit) uint64 { return ^uint64(0) >> (64 - 8*uint(u.AddrSize)) }

// attrIndent is how far attributes stand to the right of their entry's tag, the offset included.
const attrIndent = 12

func (p *infoPrinter) attr(d *dwarf.DIE, a *dwarf.Attr, indent int) {
	p.indent(attrIndent + indent + 2)
	p.w.WriteString(a.Name.String())
	if p.o.Verbose {
		p.printf(" [%v]", a.Form)
	}
	p.w.WriteString("\t(")
	listIndent := attrIndent + indent + 4 + 3 // behind the bracket
	switch {
	case p.named(d, a):
	case a.Name == dwarf.AttrHighPC && a.Class == dwarf.ClassConstant && !p.o.Verbose:
		low, _ := d.Uint(dwarf.AttrLowPC)
		p.addr(d.Unit, low+a.Val)
	case a.Name == dwarf.AttrLowPC && a.Class == dwarf.ClassAddress && a.Val == maxAddr(d.Unit):
		if p.o.Verbose {
			p.addr(d.Unit, a.Val)
			p.w.WriteString(" (dead code)")
		} else {
			p.w.WriteString("dead code")
		}
	case a.Class == dwarf.ClassLocList:
		p.locList(d, a, listIndent-2)
	case a.Class == dwarf.ClassExprLoc:
		p.expr(d.Unit, a.Bytes)
	default:
		p.value(d, a)
	}
	switch a.Name {
	case dwarf.AttrSpecification, dwarf.AttrAbstractOrigin, dwarf.AttrCallOrigin, dwarf.AttrImport:
		if name := originName(d.Target(a)); name != "" {
			p.printf(" \"%s\"", visible(name))
		}
	case dwarf.AttrType, dwarf.AttrContainingType:
		if target := d.Target(a); target != nil {
			p.printf(" \"%s\"", visible(TypeName(target)))
		}
	case dwarf.AttrRanges:
		p.ranges(d, a, listIndent-2)
	}
	p.w.WriteString(")\n")
}

// originName gives the linkage name of an entry, else its name.
func originName(d *dwarf.DIE) string {
	if d == nil {
		return ""
	}
	if s := d.LinkageName(); s != "" {
		return s
	}
	return d.Name()
}

// named prints the attributes whose numbers have names, and those that are plain counts.
func (p *infoPrinter) named(d *dwarf.DIE, a *dwarf.Attr) bool {
	if (a.Class != dwarf.ClassConstant && a.Class != dwarf.ClassFlag) || a.Form == dwarf.FormSdata ||
		a.Form == dwarf.FormData16 {
		return false
	}
	switch a.Name {
	case dwarf.AttrDeclFile, dwarf.AttrCallFile:
		path := d.Unit.FileName(a.Val)
		if path != "" {
			p.printf("\"%s\"", visible(path))
		}
		return path != ""
	case dwarf.AttrDeclLine, dwarf.AttrDeclColumn, dwarf.AttrCallLine, dwarf.AttrCallColumn:
		p.printf("%d", a.Val)
		return true
	}
	name, ok := dwarf.CodeName(a.Name, a.Val)
	p.w.WriteString(name)
	return ok
}

// value prints a value by its form.
func (p *infoPrinter) value(d *dwarf.DIE, a *dwarf.Attr) {
	u := d.Unit
	switch a.Form {
	case dwarf.FormFlagPresent:
		p.w.WriteString("true")
	case dwarf.FormFlag, dwarf.FormData1:
		p.printf("0x%02x", a.Val)
	case dwarf.FormData2:
		p.printf("0x%04x", a.Val)
	case dwarf.FormData4:
		p.printf("0x%08x", a.Val)
	case dwarf.FormData8, dwarf.FormRefSig8:
		p.printf("0x%016x", a.Val)
	case dwarf.FormData16:
		p.w.WriteString(hex.EncodeToString(a.Bytes))
	case dwarf.FormSdata, dwarf.FormImplicitConst:
		p.printf("%d", int64(a.Val))
	case dwarf.FormUdata:
		p.printf("%d", a.Val)
	case dwarf.FormSecOffset:
		p.offset(u, a.Raw)
	case dwarf.FormRefAddr:
		p.printf("0x%016x", a.Val)
	case dwarf.FormGNURefAlt, dwarf.FormRefSup4, dwarf.FormRefSup8:
		p.printf("<alt 0x%x>", a.Val)
	case dwarf.FormGNUStrpAlt, dwarf.FormStrpSup:
		p.printf("alt indirect string, offset: 0x%x", a.Val)
	case dwarf.FormRnglistx:
		p.printf("indexed (0x%x) rangelist = 0x%08x", a.Raw, a.Val)
	case dwarf.FormBlock, dwarf.FormBlock1, dwarf.FormBlock2, dwarf.FormBlock4:
		p.block(a)
	default:
		p.byClass(u, a)
	}
}

func (p *infoPrinter) byClass(u *dwarf.Unit, a *dwarf.Attr) {
	switch a.Class {
	case dwarf.ClassAddress:
		if p.o.Verbose && a.Form != dwarf.FormAddr {
			p.printf("indexed (%08x) address = ", a.Raw)
		}
		p.addr(u, a.Val)
		if p.o.Address != nil {
			if name := p.o.Address(a.Val); name != "" {
				p.printf(" %q", name)
			}
		}
	case dwarf.ClassString:
		if p.o.Verbose {
			p.stringPlace(u, a)
		}
		p.quoted(a.Bytes)
	case dwarf.ClassReference:
		if p.o.Verbose {
			p.printf("cu + 0x%0*x => {0x%08x}", refDigits[a.Form], a.Raw, a.Val)
		} else {
			p.printf("0x%08x", a.Val)
		}
	}
}

// refDigits has the digits that a reference is printed with.
var refDigits = map[dwarf.Form]int{dwarf.FormRef1: 2, dwarf.FormRef2: 4, dwarf.FormRef4: 4, dwarf.FormRef8: 8}

func (p *infoPrinter) stringPlace(u *dwarf.Unit, a *dwarf.Attr) {
	switch a.Form {
	case dwarf.FormString:
	case dwarf.FormStrp:
		p.printf(" .debug_str[0x%0*x] = ", 2*u.OffsetSize(), a.Raw)
	case dwarf.FormLineStrp:
		p.printf(" .debug_line_str[0x%0*x] = ", 2*u.OffsetSize(), a.Raw)
	default:
		p.printf("indexed (%08x) string = ", a.Raw)
	}
}

// blockDigits has the digits that the length of a block is printed with.
var blockDigits = map[dwarf.Form]int{dwarf.FormBlock1: 2, dwarf.FormBlock2: 4, dwarf.FormBlock4: 8}

func (p *infoPrinter) block(a *dwarf.Attr) {
	if len(a.Bytes) == 0 {
		return
	}
	p.printf("<0x%0*x> % x ", blockDigits[a.Form], len(a.Bytes), a.Bytes)
}

func (p *infoPrinter) ranges(d *dwarf.DIE, a *dwarf.Attr, indent int) {
	if a.Class != dwarf.ClassRngList {
		return
	}
	err := d.Unit.EachListEntry(*a, func(_ dwarf.ListEntry, r dwarf.Range) bool {
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

func (p *infoPrinter) locList(d *dwarf.DIE, a *dwarf.Attr, indent int) {
	u := d.Unit
	if a.Form == dwarf.FormLoclistx {
		p.printf("indexed (0x%x) loclist = ", a.Raw)
	}
	p.printf("0x%08x: ", a.Val)
	err := u.EachListEntry(*a, func(e dwarf.ListEntry, r dwarf.Range) bool {
		if !p.more() {
			return false
		}
		p.printf("\n")
		p.indent(indent)
		if e.Kind == dwarf.ListDefaultLocation {
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
func (p *printer) rawEntry(version5 bool, addrSize int, e dwarf.ListEntry) {
	a := "0x" + pad(e.A, 2*addrSize)
	b := "0x" + pad(e.B, 2*addrSize)
	operands := a + ", " + b
	switch e.Kind {
	case dwarf.ListEnd, dwarf.ListDefaultLocation:
		operands = ""
	case dwarf.ListBaseAddress, dwarf.ListBaseAddressx:
		operands = a
	}
	switch {
	case version5:
		p.printf("%-23s(%s)", "DW_LLE_"+e.Kind.String(), operands)
	case e.Kind == dwarf.ListEnd:
		p.w.WriteString("<End of list>")
	case e.Kind == dwarf.ListBaseAddress:
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
