package amdgpu

import (
	"fmt"
	"slices"

	"simtgdb/loader"
	"simtgdb/loader/amdgpu"
	"simtgdb/simt"
	"simtgdb/stub/arch"
	"simtgdb/stub/printf/decode"
	"simtgdb/stub/printf/host"
)

// Memory for kernels that print, as the vendor's runtimes make it.
const (
	maxPrintfBuffer = 256 << 20
	// noRoom is a buffer for kernels that are passed one and do not print: its
	// two words say how much is used and how much there is.
	noRoom = 8
	// heapState is what the device libraries keep of the heap of malloc, zeros
	// at first.
	heapState = 128 << 10
)

// Functions of the device libraries that tell what a module does.
const (
	printfAlloc    = "__printf_alloc"           // takes room in the buffer of printf
	hostcallFunc   = "__ockl_hostcall_internal" // sends packets to the host
	printfBegin    = "__ockl_printf_begin"      // begins the message of a printf
	printfFunction = "printf"
)

// hasFunction reports whether the module has a function of its own with a name.
func (l *launch) hasFunction(name string) bool {
	return slices.ContainsFunc(l.Module.Symbols, func(s loader.Symbol) bool {
		return s.Name == name && s.Kind == loader.SymbolFunc
	})
}

// aliases let `break printf` find what the compiler has made of printf: the
// function of the library that every call begins with.
func (l *launch) aliases() map[string]uint64 {
	if l.hasFunction(printfFunction) {
		return nil
	}
	for _, name := range []string{printfAlloc, printfBegin, hostcallFunc} {
		for _, s := range l.Module.Symbols {
			if s.Name == name && s.Kind == loader.SymbolFunc && !s.Undefined {
				return map[string]uint64{printfFunction: s.Addr}
			}
		}
	}
	return nil
}

// stripped reports whether the module's own functions are not named: what it
// does has to be guessed from the arguments that it lists.
func (l *launch) stripped() bool {
	return !slices.ContainsFunc(l.Module.Sections, func(s loader.Section) bool { return s.Name == ".symtab" })
}

// lists reports whether the kernel's metadata lists a hidden argument.
func (l *launch) lists(kind loader.ValueKind) bool {
	return slices.ContainsFunc(l.Params, func(q arch.Param) bool { return q.Hidden && q.Kind == kind })
}

// printingArgs makes the memory by which the kernel reaches the host: for
// printf, assertions and malloc. It gives the values of those hidden arguments.
func (l *launch) printingArgs() (map[loader.ValueKind]uint64, error) {
	own := amdgpu.Of(l.Module)
	values := map[loader.ValueKind]uint64{}
	alloc := func(kind loader.ValueKind, name string, size uint64) (*simt.Region, error) {
		r, err := l.Memory.Alloc(name, size, simt.PermRead|simt.PermWrite)
		if err == nil {
			values[kind] = r.Base
		}
		return r, err
	}
	stub := l.hasFunction(printfFunction) && len(own.Printf) == 0
	if stub {
		l.warnings = append(l.warnings, "this object's printf is the library's stub, which prints nothing: "+
			"compile to bitcode first, without the device libraries, and link those in a second step")
	}
	switch {
	case !stub && (l.hasFunction(printfAlloc) || len(own.Printf) > 0 ||
		l.stripped() && l.lists(amdgpu.HiddenPrintfBuffer)):
		size, err := l.printfSize()
		if err != nil {
			return nil, err
		}
		r, err := alloc(amdgpu.HiddenPrintfBuffer, "printf buffer", size)
		if err != nil {
			return nil, err
		}
		l.Host.AddBuffer(r, decode.ReadStrings(own.Printf))
	case stub || l.lists(amdgpu.HiddenPrintfBuffer):
		if _, err := alloc(amdgpu.HiddenPrintfBuffer, "printf buffer", noRoom); err != nil {
			return nil, err
		}
	}
	if !l.hasFunction(hostcallFunc) && !(l.stripped() && l.lists(amdgpu.HiddenHostcallBuffer)) {
		return values, nil
	}
	waves := l.waves()
	r, err := alloc(amdgpu.HiddenHostcallBuffer, "hostcall buffer", uint64(host.HostcallSize(waves)))
	if err != nil {
		return nil, err
	}
	heap := l.Heap
	if heap == nil {
		heap = host.NewHeap(l.Memory)
	}
	if err := l.Host.AddHostcalls(r, waves, heap); err != nil {
		return nil, err
	}
	state, err := heap.State(heapState)
	if err == nil {
		values[amdgpu.HiddenHeapV1] = state.Base
	}
	return values, err
}

// printfSize is how many bytes the buffer of printf has.
func (l *launch) printfSize() (uint64, error) {
	switch size := l.PrintfBuffer; {
	case size == 0:
		return arch.PrintfBuffer, nil
	case size < noRoom || size > maxPrintfBuffer:
		return 0, fmt.Errorf("%d bytes of --printf-buffer, want %d to %d", size, noRoom, maxPrintfBuffer)
	default:
		return size, nil
	}
}

// waves is how many waves can be resident at most.
func (l *launch) waves() int {
	d := simt.Dispatch{Grid: l.Grid, Block: l.Block}
	n := uint64(1)
	for _, groups := range d.Groups() {
		n *= uint64(groups)
	}
	size := uint64(l.isa.WaveSize())
	items := uint64(1)
	for _, b := range d.Block {
		items *= uint64(b)
	}
	return int(min(n*((items+size-1)/size), host.MaxWaves))
}

// implicitPrintf is where kernels of code object version 5 find the buffer of
// printf among the implicit arguments (AMDGPUUsage, "Code Object V5 Metadata").
const implicitPrintf = 72

// unlistedPrintf is where in the kernarg segment the kernel finds the buffer of
// printf though its metadata does not list it, as the library's stub does.
func (l *launch) unlistedPrintf() (offset uint64, ok bool) {
	if own := amdgpu.Of(l.Module); own.MetadataVersion[0] != 1 || own.MetadataVersion[1] < 2 {
		return 0, false
	}
	base := uint64(0)
	for i := range l.Params {
		switch q := &l.Params[i]; {
		case q.Kind == amdgpu.HiddenPrintfBuffer:
			return 0, false
		case q.Kind == amdgpu.HiddenBlockCountX:
			return q.Offset + implicitPrintf, true
		case !q.Hidden:
			base = max(base, q.Offset+q.Size)
		}
	}
	return (base+7)&^7 + implicitPrintf, true
}
