package dump

import (
	"fmt"
	"io"

	"simtgdb/dwarf"
	"simtgdb/dwarf/cfi"
	"simtgdb/dwarf/expr"
	"simtgdb/dwarf/objfile"
)

// Parts are the parts of debugging information in the order in which llvm-dwarfdump prints them.
var Parts = []Part{
	{"info", "debugging information entries", (*Dumper).info},
	{"loc", "location lists", (*Dumper).locLists},
	{"frame", "call frame information", (*Dumper).frames},
	{"line", "line tables", (*Dumper).lines},
	{"ranges", "range lists", (*Dumper).rangeLists},
}

// A Part is one kind of debugging information.
type Part struct {
	Name, What string
	print      func(*Dumper, io.Writer) error
}

// Print prints the part of an object. What is wrong is added to the dumper's faults.
func (p *Part) Print(d *Dumper, w io.Writer) { d.fault(p.print(d, w)) }

// A Dumper prints the debugging information of one object. What is broken does not keep it from printing
// the rest.
type Dumper struct {
	Object   *objfile.Object
	Encoding *expr.Encoding // of expressions
	Verbose  bool           // see Options

	data     *dwarf.Data // nil if it cannot be read
	faults   []error
	printers map[*dwarf.Unit]*expr.Printer
}

// New makes a dumper.
func New(o *objfile.Object) *Dumper {
	d := &Dumper{Object: o, Encoding: o.Arch.Encoding, printers: map[*dwarf.Unit]*expr.Printer{}}
	var err error
	if d.data, err = o.Data(); err != nil {
		d.data = nil
		d.fault(err)
		return d
	}
	for _, complaint := range d.data.Complaints() {
		d.fault(complaint)
	}
	return d
}

// Faults are what was wrong so far.
func (d *Dumper) Faults() []error { return d.faults }

func (d *Dumper) fault(err error) {
	if err != nil {
		d.faults = append(d.faults, err)
	}
}

func (d *Dumper) info(w io.Writer) error {
	if d.data == nil {
		return nil
	}
	return Info(w, d.data, Options{Expr: d.expression, Address: d.Object.Arch.Address,
		Verbose: d.Verbose})
}

// locLists prints the sections of location lists. llvm-dwarfdump prints them
// without the units they belong to, so base types have no names here.
func (d *Dumper) locLists(w io.Writer) error {
	if d.data == nil {
		return nil
	}
	return LocLists(w, d.data, Options{Expr: func(u *dwarf.Unit, code []byte) string {
		p := d.printer(u)
		return p.String(code)
	}})
}

func (d *Dumper) rangeLists(w io.Writer) error {
	if d.data == nil {
		return nil
	}
	return RangeLists(w, d.data, Options{})
}

func (d *Dumper) lines(w io.Writer) error {
	if d.data == nil || len(d.Object.Sections[".debug_line"]) == 0 {
		return nil
	}
	return Lines(w, d.data, Options{})
}

// printer makes a printer of expressions outside of entries.
func (d *Dumper) printer(u *dwarf.Unit) expr.Printer {
	return expr.Printer{
		Format:   expr.Format{AddressSize: int(u.AddrSize), DWARF64: u.Is64, Version: int(u.Version)},
		Encoding: d.Encoding,
		Register: d.Object.Arch.Register,
		Address:  d.Object.Arch.Address,
	}
}

// expression spells an expression of a unit's entry.
func (d *Dumper) expression(u *dwarf.Unit, code []byte) string {
	p := d.printers[u]
	if p == nil {
		made := d.printer(u)
		p = &made
		p.Verbose = d.Verbose
		p.BaseType = func(offset uint64) (uint64, string, bool) {
			die := u.DIEAt(u.Offset + offset)
			if die == nil || die.Tag != dwarf.TagBaseType {
				return 0, "", false
			}
			name, _ := die.Str(dwarf.AttrName)
			return die.Offset, name, true
		}
		d.printers[u] = p
	}
	return p.String(code)
}

// frames prints the sections of call frame information.
func (d *Dumper) frames(w io.Writer) error {
	o := d.Object
	for _, name := range []string{objfile.DebugFrame, objfile.EHFrame} {
		data := o.Sections[name]
		if len(data) == 0 {
			continue
		}
		if o.BigEndian {
			return fmt.Errorf("section %s of a big-endian file is not read", name)
		}
		if _, err := fmt.Fprintf(w, "\n%s contents:\n", name); err != nil {
			return err
		}
		options := cfi.Options{AddressSize: o.AddrSize, Arch: o.Arch.CFI}
		if name == objfile.EHFrame {
			options.EH, options.Address = true, o.EHAddress
		}
		table, err := cfi.Parse(data, options)
		if err != nil {
			d.fault(fmt.Errorf("section %s: %w", name, err))
		}
		if table == nil {
			continue
		}
		if err := table.Print(w, o.Arch.Register); err != nil {
			d.fault(fmt.Errorf("section %s: %w", name, err))
		}
	}
	return nil
}
