package amdgpu

import (
	"bytes"
	"debug/elf"
	"fmt"

	"simtgdb/loader"
	"simtgdb/loader/bundle"
	"simtgdb/loader/printable"
)

// Open reads a module from the bytes of a file, which it keeps.
func Open(data []byte) (*loader.Module, error) { return OpenWith(data, loader.Options{}) }

// OpenWith is Open with a choice of target.
func OpenWith(data []byte, o loader.Options) (*loader.Module, error) {
	switch {
	case bytes.HasPrefix(data, []byte(elf.ELFMAG)):
		return openELF(data, o)
	case bundle.Is(data):
		entries, err := bundle.Entries(data)
		if err != nil {
			return nil, fmt.Errorf("offload bundle: %w", err)
		}
		return openEntry(entries, o)
	}
	return nil, unknown(data)
}

// unknown says what a file is that cannot be opened.
func unknown(data []byte) error {
	if len(data) > 0 && bytes.HasPrefix([]byte(bundle.Magic), data) {
		return loader.Truncated(0, "magic number", uint64(len(bundle.Magic)), uint64(len(data)))
	}
	return loader.DescribeUnknown(data, "want an AMDGPU code object (ELF) or a clang offload bundle")
}

// openELF opens an ELF file: a code object, or a host program that carries some.
func openELF(data []byte, o loader.Options) (*loader.Module, error) {
	f, err := loader.ReadELFHeader(data)
	if err != nil {
		return nil, err
	}
	if f.Machine != elf.EM_AMDGPU {
		return openHost(f, o)
	}
	if err := identifyCodeObject(f); err != nil {
		return nil, err
	}
	if err := f.ReadTables(); err != nil {
		return nil, err
	}
	if f.OSABI == osABIPAL {
		return openPipeline(f, o)
	}
	return openCodeObject(f, o)
}

// openHost opens a code object in a program for the host.
func openHost(f *loader.ELF, o loader.Options) (*loader.Module, error) {
	if err := f.ReadTables(); err == nil {
		if i := f.SectionNamed(bundle.Section); i >= 0 {
			entries, err := bundle.InProgram(f, i)
			if err != nil {
				return nil, err
			}
			return openEntry(entries, o)
		}
	}
	want := fmt.Sprintf("want AMDGPU (%d)", uint16(elf.EM_AMDGPU))
	if f.Type == elf.ET_EXEC || f.Type == elf.ET_DYN {
		want += fmt.Sprintf("; a host program is read if it has a %s section, and run by simtgdb exec",
			bundle.Section)
	}
	return nil, loader.WrongMachine(f, want)
}

// asDelivered are the settings of a device that nobody has changed, one after the other: XNACK off, SRAM ECC
// on (AMDGPUUsage, "Target Features"). A runtime takes the code for these.
var asDelivered = []func(targetID) bool{
	func(id targetID) bool { return id.xnack != FeatureOn },
	func(id targetID) bool { return id.sramECC != FeatureOff },
}

// settled are those of some entries that a device as it is delivered takes.
func settled(entries []bundle.Entry) []bundle.Entry {
	for _, is := range asDelivered {
		var some []bundle.Entry
		for _, e := range entries {
			if id, _ := entryTarget(e); is(id) {
				some = append(some, e)
			}
		}
		if len(some) > 0 {
			entries = some
		}
	}
	return entries
}

// openEntry opens the entry of an offload bundle that the target of the options
// fits. If it fits several, one that it names exactly is meant, or the one for a device as it is delivered.
func openEntry(entries []bundle.Entry, o loader.Options) (*loader.Module, error) {
	var all, chosen, exact []bundle.Entry
	for _, e := range entries {
		id, ok := entryTarget(e)
		if !ok {
			continue
		}
		all = append(all, e)
		if o.Target == "" || matchesTarget(o.Target, e.ID, id) {
			chosen = append(chosen, e)
			if o.Target == e.ID || o.Target == id.String() {
				exact = append(exact, e)
			}
		}
	}
	if len(chosen) > 1 && len(exact) == 1 {
		chosen = exact
	}
	if o.Target != "" {
		chosen = settled(chosen)
	}
	if len(chosen) != 1 {
		return nil, &loader.TargetError{Want: o.Target, Available: bundle.IDs(all),
			Code: "AMD GPU code object"}
	}
	e := chosen[0]
	if bundle.Is(e.Data) {
		return nil, &loader.FormatError{Offset: int64(e.Offset), What: "offload bundle inside bundle entry " +
			printable.Name(e.ID),
			Err: loader.ErrUnsupported}
	}
	m, err := OpenWith(e.Data, loader.Options{})
	if err != nil {
		return nil, fmt.Errorf("bundle entry %s: %w", printable.Name(e.ID), err)
	}
	if id, _ := entryTarget(e); !Of(m).Target.is(id) {
		return nil, fmt.Errorf("bundle entry %s: %w", printable.Name(e.ID),
			&loader.TargetError{Want: e.ID, Available: []string{m.Target.String()}})
	}
	m.BundleID = e.ID
	return m, nil
}

// entryTarget gives the target ID of an entry; false if it is for another kind
// of machine.
func entryTarget(e bundle.Entry) (targetID, bool) {
	if e.Host() {
		return targetID{}, false
	}
	id, err := parseTargetTriple(e.Target)
	return id, err == nil
}
