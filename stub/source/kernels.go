package source

import (
	"errors"
	"slices"
	"strings"

	"simtgdb/loader"
	"simtgdb/loader/cxxname"
)

// Names are the names by which users know what FullName calls "a::step<b::T, 3>", spelled as [Spelling] does:
// step<b::T,3>, step, a::step<b::T,3> and a::step. Of "a::step<b::T, 3>(int)" they are those, and those with
// the types of the parameters.
func Names(full string) []string {
	full = Spelling(full)
	full, parameters := splitParameters(full)
	var names []string
	depth, arguments := 0, len(full) // where those of the last part begin
	for i := len(full) - 1; i >= 0; i-- {
		switch full[i] {
		case '>':
			depth++
		case '<':
			if depth--; depth == 0 && len(names) == 0 {
				arguments = i
			}
		case ':':
			if depth == 0 && strings.HasPrefix(full[i:], "::") {
				names = append(names, full[i+2:], full[i+2:max(arguments, i+2)])
			}
		}
	}
	names = append(names, full, full[:arguments])
	if parameters != "" {
		for _, name := range slices.Clone(names) {
			names = append(names, name+parameters)
		}
	}
	return names
}

// KernelNames are the names by which users know a kernel of a symbol that the source calls something, or "":
// the symbol's, and those of [Names] for what the source calls it and for what the symbol means.
func KernelNames(symbol, full string) []string {
	names := append([]string{symbol}, Names(full)...)
	if n, ok := cxxname.Parse(symbol); ok {
		names = append(names, Names(n.Signature())...)
	}
	return slices.DeleteFunc(names, func(name string) bool { return name == "" })
}

// Kernel finds a kernel by the names that [loader.Module.Kernel] knows, or by one of [KernelNames] if that is
// unique.
// The error lists kernels by their names in the source where each has another.
func (m *Map) Kernel(name string) (*loader.Kernel, error) {
	k, err := m.Module.Kernel(name)
	var failed *loader.KernelError
	if !errors.As(err, &failed) {
		return k, err
	}
	var found []int
	for i, k := range m.Module.Kernels {
		if slices.Contains(KernelNames(k.Name, m.FullName(k.Entry)), Spelling(name)) {
			found = append(found, i)
		}
	}
	if len(found) == 1 {
		return &m.Module.Kernels[found[0]], nil
	}
	if len(found) == 0 {
		for i := range m.Module.Kernels {
			found = append(found, i)
		}
	} else {
		failed.Err = loader.ErrAmbiguousKernel
	}
	names := m.KernelNames()
	failed.Available = make([]string, len(found))
	for i, k := range found {
		failed.Available[i] = names[k]
	}
	return nil, failed
}

// KernelNames are what users call the kernels, in the order of the module: what the source does, with the
// types of the parameters if several kernels are called so, or else the kernel's own name.
func (m *Map) KernelNames() []string {
	kernels := m.Module.Kernels
	full, signatures := make([]string, len(kernels)), make([]string, len(kernels))
	for i := range kernels {
		full[i] = m.FullName(kernels[i].Entry)
		if n, ok := cxxname.Parse(kernels[i].Name); ok {
			signatures[i] = n.Signature()
		}
	}
	names := make([]string, len(kernels))
	for i := range names {
		names[i] = kernels[i].Name
		for _, way := range [][]string{full, signatures} {
			if way[i] != "" && count(way, way[i]) == 1 {
				names[i] = way[i]
				break
			}
		}
	}
	return names
}

func count(all []string, one string) (n int) {
	for _, s := range all {
		if s == one {
			n++
		}
	}
	return n
}
