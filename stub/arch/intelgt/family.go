package intelgt

import (
	"encoding/binary"
	"errors"
	"maps"
	"path"
	"slices"
	"strings"

	"simtgdb/dwarf/visa"
	"simtgdb/loader"
	"simtgdb/loader/patchtoken"
	"simtgdb/loader/zebin"
	"simtgdb/simt"
	"simtgdb/simt/gen"
	"simtgdb/stub/arch"
)

// Family is Intel's family of machines. It implements arch.Family.
type Family struct{}

func init() { arch.RegisterFamily(Family{}) }

// generations are those whose code can be simulated, by name.
var generations = map[string]generation{gen.Gen8.Name: {gen.Gen8, visa.Gen9},
	gen.Gen9.Name: {gen.Gen9, visa.Gen9}, gen.Gen11.Name: {gen.Gen11, visa.Gen11},
	gen.Gen12LP.Name: {gen.Gen12LP, visa.Gen12LP}, gen.XeHPG.Name: {gen.XeHPG, visa.XeHPG},
	gen.XeHPC.Name: {gen.XeHPC, visa.XeHPC}}

// A generation is a machine, and what its vISA tables leave unsaid.
type generation struct {
	*gen.Generation
	tables visa.Target
}

// Name implements arch.Family.
func (Family) Name() string { return "Intel GT" }

// Files implements arch.Family.
func (Family) Files() string { return "an Intel zebin or patch-token file (ELF)" }

// Detect implements arch.Family.
func (Family) Detect(data []byte) bool { return zebin.Is(data) || patchtoken.Is(data) }

// Open implements arch.Family. A file has code for one device.
func (Family) Open(data []byte, o loader.Options) (*loader.Module, error) {
	read := zebin.Open
	if patchtoken.Is(data) {
		read = patchtoken.Open
	}
	m, err := read(data)
	if err == nil {
		m, err = withDebug(m)
	}
	if err != nil {
		return nil, err
	}
	if o.Target != "" && o.Target != m.Target.Name && o.Target != zebin.Of(m).Device {
		return nil, &loader.TargetError{Want: o.Target, Available: []string{m.Target.Name}, Code: m.Format}
	}
	return m, nil
}

// Owns implements arch.Family.
func (Family) Owns(m *loader.Module) bool { return zebin.Of(m) != nil }

// Processors implements arch.Family.
func (Family) Processors() []string { return slices.Sorted(maps.Keys(generations)) }

// Offsets implements arch.Offsetter.
func (Family) Offsets(k *loader.Kernel) bool {
	return slices.ContainsFunc(zebin.KernelOf(k).Args,
		func(a zebin.Arg) bool { return a.Type == argOffset && a.Size > 0 })
}

// Decoder implements arch.Family.
func (Family) Decoder(m *loader.Module) (arch.Decoder, error) {
	return decoder{generations[m.Target.Name].Generation}, nil
}

// Rows implements arch.Rower.
func (Family) Rows(m *loader.Module) func(code []byte, pc uint64) []string {
	return generations[m.Target.Name].Rows
}

// ProcessorDecoder implements arch.Assembler.
func (Family) ProcessorDecoder(processor string) (arch.Decoder, error) {
	return decoder{generations[processor].Generation}, nil
}

// A decoder reads instructions without a kernel.
type decoder struct{ generation *gen.Generation }

func (decoder) Align() int { return (*gen.ISA)(nil).Align() }

func (d decoder) Inst(code []byte, pc uint64) (simt.Inst, error) {
	return d.generation.Describe(code, pc)
}

// Kernel implements arch.Family: there are no specialisation constants.
func (Family) Kernel(_ *loader.Module, k *loader.Kernel, constants []arch.Constant) (*loader.Kernel,
	error) {
	if len(constants) > 0 {
		return nil, errors.New("zebin files have no specialisation constants")
	}
	err := zebin.KernelOf(k).Launchable()
	if about := (*loader.KernelError)(nil); errors.As(err, &about) {
		err = about.Err // whoever launches it names the kernel
	}
	return k, err
}

// IsTable implements arch.Tabled. ocloc writes other files of the same name.
func (Family) IsTable(data []byte) bool {
	return len(data) >= 4 && binary.LittleEndian.Uint32(data) == visa.Magic
}

// TableNames implements arch.Tabled: vISA tables of a program with one kernel.
func (Family) TableNames(program string) []string {
	return []string{strings.TrimSuffix(program, path.Ext(program)) + ".dbg"}
}
