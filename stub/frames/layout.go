package frames

import (
	"simtgdb/loader"
	"simtgdb/stub/arch"
	"simtgdb/stub/launch"
	"simtgdb/stub/symfile"
)

// Arguments are where the kernel's are in memory.
func Arguments(p *launch.Program) []symfile.Argument {
	keeper, ok := p.Arch.(arch.ArgumentKeeper)
	if !ok {
		return nil
	}
	base, ok := keeper.ArgumentsAt(p.Machine.ISA())
	if !ok {
		return nil
	}
	var places []symfile.Argument
	for _, a := range p.Kernel.Args {
		if a.Hidden {
			continue
		}
		places = append(places, symfile.Argument{Addr: base + a.Offset, Size: a.Size,
			Shared: a.Kind == loader.DynamicSharedPointer})
	}
	return places
}

// BodyNames are the linkage names of the bodies of kernels, by the kernels' entries.
func BodyNames(p *launch.Program) map[uint64]string {
	names := map[uint64]string{}
	if finder, ok := p.Arch.(arch.BodyFinder); ok {
		for i := range p.Module.Kernels {
			k := &p.Module.Kernels[i]
			names[k.Entry] = finder.BodyName(k)
		}
	}
	return names
}
