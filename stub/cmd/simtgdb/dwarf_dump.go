package main

import (
	"fmt"
	"io"

	"simtgdb/dwarf"
	"simtgdb/dwarf/cfi"
	"simtgdb/dwarf/dump"
	"simtgdb/dwarf/expr"
	"simtgdb/stub/launch"
)

// dumpParts are the parts of debug information in the order in which they are
// printed, which is llvm-dwarfdump's.
var dumpParts = []struct {
	name, usage string
	print       func(*dumper, io.Writer) error
}{
	{"info", "print debugging information entries", (*dumper).info},
	{"loc", "print location lists", (*dumper).locLists},
	{"frame", "print call frame information", (*dumper).frames},
	{"line", "print line tables", (*dumper).lines},
	{"ranges", "print range lists", (*dumper).rangeLists},
}

// dwarfDumpCommand prints debug information as llvm-dwarfdump does.
func dwarfDumpCommand(args []string, std stdio) int {
	const command = "dwarf dump"
	set := newFlags(command)
	chosen := make([]*bool, len(dumpParts))
	for i, p := range dumpParts {
		chosen[i] = set.Bool(p.name, false, p.usage+"; without such a flag all parts are printed")
	}
	var d dumper
	set.BoolVar(&d.verbose, "v", false, "print forms and indexes of entries as well")
	target := set.String("target", "", "which `TARGET` of an offload bundle, or of a program that holds one, to take, as gfx90a")
	old := set.Bool("old-encoding", false, "read the operations for heterogeneous devices in the encoding of early AMD producers")
	rest, status, done := parse(set, args, std)
	if done {
		return status
	}
	if *old {
		d.encoding = expr.Old
	}
	all := true
	for _, c := range chosen {
		all = all && !*c
	}
	err := d.open(rest, *target)
	if err == nil {
		_, err = fmt.Fprintf(std.out, "%s:\tfile format %s\n", rest[0], d.object.format)
	}
	if err != nil {
		return fail(std, command, err)
	}
	for i, p := range dumpParts {
		if all || *chosen[i] {
			d.fault(p.print(&d, std.out))
		}
	}
	if len(d.faults) > 0 {
		err := fmt.Errorf("%s: %w", rest[0], d.faults[0])
		if n := len(d.faults) - 1; n > 0 {
			err = fmt.Errorf("%w (and %d more)", err, n)
		}
		return fail(std, command, err)
	}
	return statusDone
}

// A dumper prints the debug information of one object. What is broken does not
// keep it from printing the rest.
type dumper struct {
	object   *debugObject
	dwarf    *dwarf.Data // nil if it cannot be read
	encoding *expr.Encoding
	verbose  bool
	faults   []error
	printers map[*dwarf.Unit]*expr.Printer
}

func (d *dumper) fault(err error) {
	if err != nil {
		d.faults = append(d.faults, err)
	}
}

func (d *dumper) open(args []string, target string) error {
	if len(args) != 1 {
		return fmt.Errorf("want one FILE, not %d", len(args))
	}
	f := launch.File{Path: args[0]}
	data, err := f.Read()
	if err != nil {
		return err
	}
	if err := d.read(data, target); err != nil {
		return fmt.Errorf("%s: %w", f, err)
	}
	return nil
}

// read reads an object from the bytes of a file.
func (d *dumper) read(data []byte, target string) error {
	var err error
	if d.object, err = openDebugObject(data, target); err != nil {
		return err
	}
	if len(d.object.sections) == 0 {
		return fmt.Errorf("no debug information: the file has neither %s* nor %s sections", debugPrefix, ehFrame)
	}
	d.printers = map[*dwarf.Unit]*expr.Printer{}
	if d.dwarf, err = d.object.data(); err != nil {
		d.dwarf = nil
		d.fault(err)
		return nil
	}
	for _, complaint := range d.dwarf.Complaints() {
		d.fault(complaint)
	}
	return nil
}

func (d *dumper) info(w io.Writer) error {
	if d.dwarf == nil {
		return nil
	}
	return dump.Info(w, d.dwarf, dump.Options{Expr: d.expression, Verbose: d.verbose})
}

// locLists prints the sections of location lists. llvm-dwarfdump prints them
// without the units they belong to, so base types have no names here.
func (d *dumper) locLists(w io.Writer) error {
	if d.dwarf == nil {
		return nil
	}
	return dump.LocLists(w, d.dwarf, dump.Options{Expr: func(u *dwarf.Unit, code []byte) string {
		p := d.printer(u)
		return p.String(code)
	}})
}

func (d *dumper) rangeLists(w io.Writer) error {
	if d.dwarf == nil {
		return nil
	}
	return dump.RangeLists(w, d.dwarf, dump.Options{})
}

func (d *dumper) lines(w io.Writer) error {
	if d.dwarf == nil || len(d.object.sections[".debug_line"]) == 0 {
		return nil
	}
	return dump.Lines(w, d.dwarf, dump.Options{})
}

// printer makes a printer of expressions outside of entries.
func (d *dumper) printer(u *dwarf.Unit) expr.Printer {
	return expr.Printer{
		Format:   expr.Format{AddressSize: int(u.AddrSize), DWARF64: u.Is64, Version: int(u.Version)},
		Encoding: d.encoding,
		Register: d.object.machine.register,
	}
}

// expression spells an expression of a unit's entry.
func (d *dumper) expression(u *dwarf.Unit, code []byte) string {
	p := d.printers[u]
	if p == nil {
		made := d.printer(u)
		p = &made
		p.Verbose = d.verbose
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
func (d *dumper) frames(w io.Writer) error {
	o := d.object
	for _, name := range []string{debugFrame, ehFrame} {
		data := o.sections[name]
		if len(data) == 0 {
			continue
		}
		if o.bigEndian {
			return fmt.Errorf("section %s of a big-endian file is not read", name)
		}
		if _, err := fmt.Fprintf(w, "\n%s contents:\n", name); err != nil {
			return err
		}
		options := cfi.Options{AddressSize: o.addrSize, Arch: o.machine.arch}
		if name == ehFrame {
			options.EH, options.Address = true, o.ehAddress
		}
		table, err := cfi.Parse(data, options)
		if err != nil {
			d.fault(fmt.Errorf("section %s: %w", name, err))
		}
		if table == nil {
			continue
		}
		if err := table.Print(w, o.machine.register); err != nil {
			d.fault(fmt.Errorf("section %s: %w", name, err))
		}
	}
	return nil
}
