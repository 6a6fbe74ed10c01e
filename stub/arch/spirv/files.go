package spirv

import (
	"simtgdb/loader"
	"simtgdb/loader/spirv"
)

// FileNames implements arch.FileNamer: a shader's are those of its DebugCompilationUnits
// (NonSemantic.Shader.DebugInfo.100), or those of OpSource.
func (Family) FileNames(m *loader.Module) []string {
	const debugUnit, debugSource = 1, 35
	native := moduleOf(m)
	if native.Kernel() {
		return nil
	}
	sources := map[uint32]string{} // by the id of DebugSource
	var units, plain []string
	for i := range native.Insts {
		in := &native.Insts[i]
		switch {
		case in.Op == spirv.OpSource && native.Strings[in.Arg(2)] != "":
			plain = append(plain, native.Strings[in.Arg(2)])
		case in.Op != spirv.OpExtInst || native.Imports[in.Arg(0)] != "NonSemantic.Shader.DebugInfo.100":
		case in.Arg(1) == debugSource:
			sources[in.Result] = native.Strings[in.Arg(2)]
		case in.Arg(1) == debugUnit && sources[in.Arg(4)] != "":
			units = append(units, sources[in.Arg(4)])
		}
	}
	if len(units) > 0 {
		return units
	}
	return plain
}
