package main

import (
	"bytes"
	"debug/elf"
	"fmt"

	"simtgdb/dwarf/dump"
	"simtgdb/dwarf/expr"
	"simtgdb/dwarf/objfile"
	"simtgdb/loader/patchtoken"
	"simtgdb/loader/zebin"
	"simtgdb/stub/launch"
)

// dwarfDumpCommand prints debug information as llvm-dwarfdump does.
func dwarfDumpCommand(args []string, std stdio) int {
	const command = "dwarf dump"
	set := newFlags(command)
	chosen := make([]*bool, len(dump.Parts))
	for i, p := range dump.Parts {
		chosen[i] = set.Bool(p.Name, false, "print "+p.What+"; without such a flag all parts are printed")
	}
	verbose := set.Bool("v", false, "print forms and indexes of entries as well")
	target := set.String("target", "",
		"which `TARGET` of an offload bundle, or of a program that holds one, to take, as gfx90a")
	old := set.Bool("old-encoding", false,
		"read the operations for heterogeneous devices in the encoding of early AMD producers")
	rest, status, done := parse(set, args, std)
	if done {
		return status
	}
	all := true
	for _, c := range chosen {
		all = all && !*c
	}
	d, err := openDump(rest, *target)
	if err != nil {
		return fail(std, command, err)
	}
	d.Verbose = *verbose
	if *old {
		d.Encoding = expr.Old
	}
	if _, err := fmt.Fprintf(std.out, "%s:\tfile format %s\n", rest[0], d.Object.Format); err != nil {
		return fail(std, command, err)
	}
	for i, p := range dump.Parts {
		if all || *chosen[i] {
			p.Print(d, std.out)
		}
	}
	if faults := d.Faults(); len(faults) > 0 {
		err := fmt.Errorf("%s: %w", rest[0], faults[0])
		if n := len(faults) - 1; n > 0 {
			err = fmt.Errorf("%w (and %d more)", err, n)
		}
		return fail(std, command, err)
	}
	return statusDone
}

// openDump opens the object that the arguments name.
func openDump(args []string, target string) (*dump.Dumper, error) {
	if len(args) != 1 {
		return nil, fmt.Errorf("want one FILE, not %d", len(args))
	}
	f := launch.File{Path: args[0]}
	data, err := f.Read()
	if err != nil {
		return nil, err
	}
	d, err := dumperOf(data, target)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f, err)
	}
	return d, nil
}

// dumperOf opens an object from the bytes of a file.
func dumperOf(data []byte, target string) (*dump.Dumper, error) {
	o, err := openObject(data, target)
	if err != nil {
		return nil, err
	}
	if len(o.Sections) == 0 {
		return nil, fmt.Errorf("no debug information: the file has neither %s* nor %s sections",
			objfile.DebugPrefix, objfile.EHFrame)
	}
	return dump.New(o), nil
}

// openObject opens the debug sections of a file. target says which code object
// to take where there are several; a program for the host that holds code
// objects is itself dumped unless there is a target.
func openObject(data []byte, target string) (*objfile.Object, error) {
	if target == "" && bytes.HasPrefix(data, []byte(elf.ELFMAG)) && !patchtoken.Is(data) {
		return objfile.Open(data)
	}
	m, err := launch.OpenModuleData(data, target)
	if err != nil {
		return nil, err
	}
	if w := launch.AsWritten(m); w != nil {
		o := objfile.New(elf.EM_NONE, w.Sections, 0)
		o.Format, o.Arch.Register, o.Arch.Address = w.Format, w.Register, w.Address
		return o, nil
	}
	sections, err := m.DebugSections()
	if err != nil {
		return nil, err
	}
	var ehAddress uint64
	for _, s := range m.Sections {
		if s.Name == objfile.EHFrame {
			ehAddress = s.Addr
		}
	}
	machine := elf.EM_AMDGPU
	if patchtoken.Is(data) {
		machine = zebin.Machine
	}
	return objfile.New(machine, sections, ehAddress), nil
}
