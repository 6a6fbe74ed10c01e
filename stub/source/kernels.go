package source

import (
	"errors"
	"slices"
	"strings"

	"simtgdb/loader"
)

// WithoutSpaces is a name as the names of [Names] are written.
func WithoutSpaces(name string) string { return strings.ReplaceAll(name, " ", "") }

// Names are the names by which users know what FullName calls "a::step<b::T, 3>", without spaces:
// step<b::T,3>, step, a::step<b::T,3> and a::step.
func Names(full string) []string {
	full = WithoutSpaces(full)
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
	return append(names, full, full[:arguments])
}

// Kernel finds a kernel by the names that [loader.Module.Kernel] knows, or by one of [Names] if that is unique.
// The error lists kernels by their names in the source where each has another.
func (m *Map) Kernel(name string) (*loader.Kernel, error) {
	k, err := m.Module.Kernel(name)
	var failed *loader.KernelError
	if !errors.As(err, &failed) || m.Data == nil {
		return k, err
	}
	var found []int
	for i, k := range m.Module.Kernels {
		if full := m.FullName(k.Entry); full != "" && slices.Contains(Names(full), WithoutSpaces(name)) {
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

// KernelNames are what the source calls the kernels, in the order of the module; the kernel's own name where the
// source has none, or several kernels of one name.
func (m *Map) KernelNames() []string {
	names, count := make([]string, len(m.Module.Kernels)), map[string]int{}
	for i := range names {
		names[i] = m.FullName(m.Module.Kernels[i].Entry)
		count[names[i]]++
	}
	for i, name := range names {
		if name == "" || count[name] > 1 {
			names[i] = m.Module.Kernels[i].Name
		}
	}
	return names
}
