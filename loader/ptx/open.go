package ptx

import (
	"bytes"
	"regexp"
	"strings"
	"sync"

	"simtgdb/loader"
)

// Format is what modules of PTX text call their format.
const Format = "PTX"

// Of gives the module of text behind a neutral one, or nil if that is of another format.
func Of(m *loader.Module) *Module {
	o, _ := m.Native.(*Module)
	return o
}

// start is how a text of PTX begins, behind comments and empty lines.
var start = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)\A(\s*//[^\n]*\n|\s*/\*[^*]*\*/|\s)*\.version\s+[0-9]`)
})

// Is reports whether data looks like PTX: its first statement is .version.
func Is(data []byte) bool { return start().Match(data[:min(len(data), 1<<16)]) }

// Open reads a module from its text, which is called file in messages; see [Error].
func Open(file string, data []byte) (*loader.Module, error) {
	own, err := Parse(file, string(bytes.TrimRight(data, "\x00"))) // drivers are given it with a zero behind
	if err != nil {
		return nil, err
	}
	m := loader.Module{Format: Format, Target: loader.Target{Name: own.Target}, Warnings: own.Warnings,
		Native: own}
	text := own.Text()
	m.Segments = append(m.Segments, loader.Segment{Name: "code", Addr: CodeBase, MemSize: uint64(len(text)),
		Data: text, Read: true, Exec: true})
	for _, s := range own.Segments {
		m.Segments = append(m.Segments, loader.Segment{Name: s.Name, Addr: s.Addr, MemSize: s.Size,
			Data: s.Data, Read: true, Write: s.Name != Const.String()})
	}
	m.Symbols = own.symbols()
	for _, f := range own.Funcs {
		if f.Entry && f.Defined {
			m.Kernels = append(m.Kernels, own.kernel(f))
		}
	}
	for _, s := range own.Sections {
		m.Sections = append(m.Sections, loader.Section{Name: s.Name, Type: "text", Size: uint64(len(s.Data)),
			Data: s.Data})
	}
	return loader.New(m)
}

// symbols are the functions and variables with addresses.
func (m *Module) symbols() []loader.Symbol {
	var out []loader.Symbol
	for _, f := range m.Funcs {
		out = append(out, loader.Symbol{Name: f.Name, Addr: f.Start, Size: f.End - f.Start,
			Kind: loader.SymbolFunc, Global: f.Visible ||
				f.Entry, Weak: f.Weak, Undefined: !f.Defined, Section: "code"})
	}
	for _, v := range m.Vars {
		if v.Space == Const || v.Space == Global {
			out = append(out, loader.Symbol{Name: v.Name, Addr: v.Addr, Size: v.Size,
				Kind: loader.SymbolObject, Global: true, Section: v.Space.String()})
		}
	}
	return out
}

// A warp has warpSize lanes, and a workgroup at most maxThreads (CUDA C++ Programming Guide, "Technical
// Specifications per Compute Capability").
const (
	warpSize   = 32
	maxThreads = 1024
)

func (m *Module) kernel(f *Func) loader.Kernel {
	k := loader.Kernel{Name: f.Name, Entry: f.Start, ArgSize: f.ParamSize, ArgAlign: 8, LDSSize: f.SharedSize,
		PrivateSize: f.FrameSize, DynamicStack: true, WavefrontSize: warpSize,
		ReqdWorkgroupSize: f.ReqThreads, MaxFlatWorkgroupSize: maxThreads, Native: f}
	if n := f.MaxThreads; n[0] != 0 {
		k.MaxFlatWorkgroupSize = n[0] * max(n[1], 1) * max(n[2], 1)
	}
	for _, v := range f.Params {
		k.Args = append(k.Args, argument(v))
	}
	return k
}

// argument describes a parameter of an entry.
func argument(v *Var) loader.Arg {
	a := loader.Arg{Offset: v.Addr, Size: v.Size, Kind: loader.ByValue, TypeName: "." + v.Type}
	if strings.HasSuffix(v.Type, "8") && v.Size > 1 {
		a.TypeName = "" // a structure as bytes
	}
	// Compilers need not write .ptr, and nvcc does not (PTX ISA, "Kernel Function Parameter Attribute:
	// .ptr").
	a.MayPoint = v.Type == "u64" || v.Type == "b64" || v.Type == "s64"
	if p := v.Pointer; p != nil {
		a.MayPoint = false
		a.Kind, a.AddressSpace, a.TypeName = loader.GlobalBuffer, "generic", ""
		a.PointeeAlign = p.Align
		switch p.Space {
		case Shared:
			a.Kind, a.AddressSpace = loader.DynamicSharedPointer, "local"
		case Const:
			a.AddressSpace = "constant"
		case Global:
			a.AddressSpace = "global"
		}
	}
	return a
}
