package ptx

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"simtgdb/dwarf/line"
	"simtgdb/loader"
	"simtgdb/loader/fatbin"
	"simtgdb/loader/printable"
	text "simtgdb/loader/ptx"
	machine "simtgdb/simt/ptx"
	"simtgdb/stub/arch"
)

// Family is the machines that run PTX. It implements arch.Family.
type Family struct{}

func init() { arch.RegisterFamily(Family{}) }

// Name implements arch.Family.
func (Family) Name() string { return "PTX" }

// Files implements arch.Family.
func (Family) Files() string { return "PTX (text, or in a fat binary)" }

// Detect implements arch.Family.
func (Family) Detect(data []byte) bool { return text.Is(data) || fatbin.Is(data) }

// latest is the compute capability, by ten, of the device whose PTX is taken if nobody says which.
const latest = 90

// unpack gives the text that a fat binary has for a target.
func unpack(data []byte, target string) ([]byte, error) {
	arch := uint32(latest)
	if n, err := strconv.ParseUint(strings.TrimPrefix(target, "sm_"), 10, 16); err == nil {
		arch = uint32(n)
	}
	entries, err := fatbin.Entries(data)
	if err != nil {
		return nil, fmt.Errorf("fat binary: %w", err)
	}
	chosen, err := fatbin.ChoosePTX(entries, arch)
	if err != nil {
		return nil, err
	}
	return chosen.Data()
}

// Link implements arch.Linker.
func (Family) Link(names []string, files [][]byte, processor string) ([]byte, error) {
	var texts []string
	for i, data := range files {
		if fatbin.Is(data) {
			var err error
			if data, err = unpack(data, processor); err != nil {
				return nil, fmt.Errorf("%s: %w", names[i], err)
			}
		}
		if !text.Is(data) {
			return nil, fmt.Errorf("%s is no PTX", names[i])
		}
		texts = append(texts, strings.TrimRight(string(data), "\x00"))
	}
	linked, err := text.Link(names, texts)
	if err != nil {
		return nil, err
	}
	if _, err := text.Parse("linked", linked); err != nil {
		return nil, err
	}
	return []byte(linked), nil
}

// Open implements arch.Family. The debugging information of the module says all that the text's does in
// standard DWARF: see debugSections.
func (Family) Open(data []byte, o loader.Options) (*loader.Module, error) {
	if fatbin.Is(data) {
		var err error
		if data, err = unpack(data, o.Target); err != nil {
			return nil, err
		}
	}
	m, err := text.Open("", data)
	if err != nil {
		return nil, err
	}
	sections, err := debugSections(text.Of(m))
	if err != nil { // the code can be run without
		m.Warn("debugging information: %v", err)
		return m, nil
	}
	m.Sections = nil
	for _, name := range sectionNames {
		if b := sections[name]; len(b) > 0 {
			m.Sections = append(m.Sections, loader.Section{Name: name, Type: "text", Size: uint64(len(b)),
				Data: b})
		}
	}
	return loader.New(*m)
}

// AsWritten implements arch.Writer: names of registers are in the numbers, those of addresses in the
// text. What has no sections of entries is shown as Open makes them.
func (Family) AsWritten(m *loader.Module) *arch.Written {
	own := text.Of(m)
	w := &arch.Written{Format: fmt.Sprintf("PTX %d.%d, %s", own.Version[0], own.Version[1], own.Target),
		Sections: map[string][]byte{},
		Register: func(number uint64) string { return printable.Name(registerName(number)) },
		Address:  func(addr uint64) string { return own.Names[addr] }}
	if own.Debug {
		w.Format += ", debug"
	}
	for _, s := range own.Sections {
		w.Sections[s.Name] = s.Data
	}
	if len(w.Sections[".debug_info"]) == 0 {
		for _, s := range m.Sections {
			w.Sections[s.Name] = s.Data
		}
		return w
	}
	if table, err := lines(own).Append(nil, line.EncodeOptions{}); err == nil {
		w.Sections[".debug_line"] = table
	}
	return w
}

// Owns implements arch.Family.
func (Family) Owns(m *loader.Module) bool { return text.Of(m) != nil }

// Processors implements arch.Family: what a text is for changes nothing in what it means.
func (Family) Processors() []string {
	return []string{"sm_70", "sm_75", "sm_80", "sm_86", "sm_89", "sm_90"}
}

// Portable implements arch.Portable.
func (Family) Portable() {}

// Decoder implements arch.Family.
func (Family) Decoder(m *loader.Module) (arch.Decoder, error) {
	return machine.NewDecoder(Link(text.Of(m))), nil
}

// Rows implements arch.Rower.
func (Family) Rows(m *loader.Module) func(code []byte, pc uint64) []string {
	return machine.RowText(Link(text.Of(m)))
}

// Kernel implements arch.Family: there are no specialisation constants. The code is made ready for all
// launches.
func (Family) Kernel(m *loader.Module, k *loader.Kernel, constants []arch.Constant) (*loader.Kernel, error) {
	if len(constants) > 0 {
		return nil, errors.New("PTX has no specialisation constants")
	}
	isa, err := machine.NewKernel(Link(text.Of(m)), k.Entry, machine.Launch{})
	if err != nil {
		return nil, err
	}
	ready := *k
	ready.Native = &prepared{function: functionOf(k), isa: isa}
	return &ready, nil
}

// A prepared is what a kernel has that is ready for launches: loader.Kernel.Native.
type prepared struct {
	function *text.Func
	isa      *machine.ISA
}

// functionOf is a kernel as the module has it; nil if it is of another format.
func functionOf(k *loader.Kernel) *text.Func {
	if p, ok := k.Native.(*prepared); ok {
		return p.function
	}
	f, _ := k.Native.(*text.Func)
	return f
}
