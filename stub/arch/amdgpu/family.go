package amdgpu

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"slices"
	"strings"

	"simtgdb/loader"
	"simtgdb/loader/amdgpu"
	"simtgdb/loader/bundle"
	"simtgdb/simt"
	"simtgdb/simt/gcn"
	"simtgdb/stub/arch"
	"simtgdb/stub/displace"
)

// Family is AMD's family of machines. It implements arch.Family.
type Family struct{}

func init() { arch.RegisterFamily(Family{}) }

// Name implements arch.Family.
func (Family) Name() string { return "AMDGPU" }

// Files implements arch.Family.
func (Family) Files() string { return "an AMDGPU code object (ELF) or a clang offload bundle" }

// Detect implements arch.Family. A program for the host may carry code objects.
func (Family) Detect(data []byte) bool {
	if bundle.Is(data) {
		return true
	}
	if !bytes.HasPrefix(data, []byte(elf.ELFMAG)) {
		return false
	}
	f, err := loader.ReadELFHeader(data)
	return err != nil || f.Machine == elf.EM_AMDGPU || f.Type == elf.ET_EXEC || f.Type == elf.ET_DYN
}

// Open implements arch.Family. Of a file that has code for several targets,
// none of which is asked for, it is the only one that can be simulated.
func (Family) Open(data []byte, o loader.Options) (*loader.Module, error) {
	m, err := amdgpu.OpenWith(data, o)
	var several *loader.TargetError
	if o.Target == "" && errors.As(err, &several) {
		if one := simulated(several.Available); len(one) == 1 {
			return amdgpu.OpenWith(data, loader.Options{Target: one[0]})
		}
	}
	return m, err
}

// Displace implements arch.Displacer.
func (Family) Displace(m *loader.Module, place func(size, align uint64) (uint64, error)) (
	*loader.Module, error) {
	extent, err := displace.Of(m.Image)
	if err != nil {
		return nil, err
	}
	to, err := place(extent.High-extent.Low, extent.Align)
	if err != nil {
		return nil, err
	}
	data, err := displace.File(m.Image, amdgpu.RelocRelative64, to)
	if err != nil {
		return nil, err
	}
	return amdgpu.Open(data)
}

// simulated picks the targets that can be simulated.
func simulated(targets []string) []string {
	return slices.DeleteFunc(slices.Clone(targets), func(t string) bool {
		return !slices.ContainsFunc(gcn.Processors(), func(p string) bool {
			_, id, _ := strings.Cut(t, "--")
			name, _, _ := strings.Cut(id, ":")
			return name == p
		})
	})
}

// Owns implements arch.Family.
func (Family) Owns(m *loader.Module) bool { return amdgpu.Of(m) != nil }

// Processors implements arch.Family.
func (Family) Processors() []string { return gcn.Processors() }

// Decoder implements arch.Family.
func (f Family) Decoder(m *loader.Module) (arch.Decoder, error) {
	return f.ProcessorDecoder(m.Target.Name)
}

// ProcessorDecoder implements arch.Assembler.
func (Family) ProcessorDecoder(processor string) (arch.Decoder, error) {
	isa, err := gcn.New(processor, simt.NewMemory(), gcn.Kernel{})
	if err != nil {
		return nil, err
	}
	return &gcn.Listing{ISA: isa}, nil
}

// Kernel implements arch.Family: there are no specialisation constants.
func (Family) Kernel(_ *loader.Module, k *loader.Kernel, constants []arch.Constant) (*loader.Kernel, error) {
	if len(constants) > 0 {
		return nil, errors.New("code objects have no specialisation constants")
	}
	return k, nil
}

// Offsets implements arch.Offsetter: kernels find the offset among the hidden
// arguments.
func (Family) Offsets(k *loader.Kernel) bool {
	_, ok := k.HiddenArg(amdgpu.HiddenGlobalOffsetX)
	return ok
}

// Lenient implements arch.Lenient: hardware reads 0 beyond a workgroup's LDS.
func (Family) Lenient() {}

// SizeHint implements arch.SizeHinter: clang compiles OpenCL kernels for 256
// work-items and HIP kernels for 1024 unless told otherwise.
func (Family) SizeHint(k *loader.Kernel, block arch.Dims) string {
	items := block[0] * block[1] * block[2]
	if k.Language == "OpenCL C" {
		return fmt.Sprintf("; compile it with __attribute__((reqd_work_group_size(%d, %d, %d))) or "+
			"__attribute__((amdgpu_flat_work_group_size(1, %d)))", block[0], block[1], block[2], items)
	}
	return fmt.Sprintf("; compile it with __launch_bounds__(%d)", items)
}
