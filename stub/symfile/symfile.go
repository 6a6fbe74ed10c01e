// Package symfile makes the file that a stock gdb reads instead of a GPU code
// object: an executable of the facade with the kernel's code, symbols and line table,
// with call frame information that leads gdb to the stub's frame handles, and
// with the debug information translated so that every variable is found by
// asking the stub: its location reads a slot of the frame (see [Layout]), and
// the [Slot] keeps the expression that the GPU's compiler wrote.
//
// It knows formats and where things go; it evaluates nothing.
//
// Entry point: [Build].
package symfile

import (
	"fmt"
	"iter"
	"reflect"
	"slices"
	"sort"

	"simtgdb/dwarf"
	"simtgdb/loader"
	"simtgdb/stub/arch"
	"simtgdb/stub/facade"
)

// A Layout says how the stub lays out the bytes of a frame around its handle,
// the CFA. The return address is at -8. Slots, of 8 bytes each, begin at
// slotBase; objects, for variables that are not in memory, follow the slots.
type Layout struct {
	Stride int64 // from one frame's handle to the next
	Low    int64 // how much of the stride lies below the handle

	Kernel   uint64 // entry of the kernel that is launched, of its body if that is a function of its own
	Dispatch uint64 // an address outside memory, for what calls kernels

	Launched *loader.Kernel // nil if it is not known

	Aliases map[string]uint64 // names for functions that have others

	// Arguments are where the launched kernel's are in memory, as they were launched, in the order of its
	// parameters.
	Arguments []Argument

	// Dynamic is the shared memory that the launch adds to a kernel's own and for which programs have no
	// name.
	Dynamic Argument

	// Bodies are the kernels that are two functions. What a launch enters has another
	// name (entryOf), no lines and no entry in the debugging information, and the
	// body has the kernel's name.
	Bodies []Body
	// Builtins are variables of every program with debugging information, and Macros what every unit is said
	// to define: a name, parameters if it has any, and what it stands for.
	Builtins []Builtin
	Macros   []string

	// BodyNames are the linkage names of what the user wrote of kernels, by the kernels' entries: functions
	// that may have been inlined into them.
	BodyNames map[uint64]string
}

// An Argument is a place in memory. A Shared one has an offset in shared memory, which gdb would take for an
// address where the argument's type does not tell.
type Argument struct {
	Addr, Size uint64
	Shared     bool
}

// A Body is the function that the user wrote of a kernel.
type Body struct {
	Name   string
	Entry  uint64
	Caller dwarf.Range // what a launch enters
}

// body finds the body that begins at an address.
func (l Layout) body(addr uint64) (Body, bool) {
	i := slices.IndexFunc(l.Bodies, func(b Body) bool { return b.Entry == addr })
	if i < 0 {
		return Body{}, false
	}
	return l.Bodies[i], true
}

// InCaller reports whether an address is in what calls the body of a kernel.
func (l Layout) InCaller(addr uint64) bool {
	return slices.ContainsFunc(l.Bodies, func(b Body) bool {
		return b.Caller.Low <= addr && addr < b.Caller.High
	})
}

// entryOf is before the name of what a launch enters, where the body has the kernel's name: a lane that has
// come back from the body is there.
const entryOf = "entry of "

// symbolName is what gdb is to call a symbol.
func (l Layout) symbolName(s *loader.Symbol) string {
	for _, b := range l.Bodies {
		switch {
		case b.Entry == s.Addr:
			return b.Name
		case b.Caller.Low == s.Addr:
			return entryOf + b.Name
		}
	}
	return s.Name
}

// ReturnOfKernel is the return address that the stub gives kernels: into the
// made-up function that calls them, which gdb does not show.
func (l Layout) ReturnOfKernel() uint64 { return l.Dispatch + dispatchSize/2 }

const (
	dispatchSize = 16
	dispatchName = "gpu_dispatch"
	mainName     = "main" // where gdb ends a backtrace
)

const (
	slotBase   = 0x100
	slotSize   = 8
	objectGap  = 64   // gdb reads memory in lines of 64 bytes
	maxInFrame = 4096 // bytes of an object that is in registers
)

// A Slot is one location expression of one variable.
type Slot struct {
	Name      string
	Unit      *dwarf.Unit
	Expr      []byte // as the compiler wrote it
	FrameBase []byte // that of the function, or nil
	Size      uint64 // bytes of the object as gdb sees it
	At        int64  // where in the frame gdb finds the object's address
	Object    int64  // where in the frame the object is, if it is not in memory

	// Pointers: the variable is a 32-bit pointer into an address space, or an array of
	// so many; gdb is told that they are 64-bit ones and reads them with the addresses that
	// the program has for what they lead to.
	Pointers uint64
	Space    uint64
}

// A Made variable is the stub's own.
type Made struct {
	Name     string
	Type     *dwarf.DIE
	Addr     uint64
	Function *dwarf.Range // the code that sees it; nil: all code
}

// A File is the symbol file and what the stub must know to answer for it.
type File struct {
	ELF     []byte
	BuildID []byte
	Slots   []Slot // by At
	Data    *dwarf.Data

	// NarrowPointers: memory that gdb reads has pointers that are narrower than addresses. gdb
	// follows them (pointers.go), but where it compiles an expression (ax-gdb.c), it
	// takes their values for addresses.
	NarrowPointers bool

	// Made are the variables that no compiler has described.
	Made []Made
	// Builtins are those that every program has.
	Builtins []Made
	// Statics are the variables of static duration of functions that have been inlined, by the entries that
	// their copies have in common.
	Statics map[*dwarf.DIE][]*dwarf.DIE
	// Lost are the locations of variables that the compiler has lost and the family has found.
	Lost map[*dwarf.DIE][]byte

	// Complaints are what of the debug information could not be used.
	Complaints []error

	bases       []baseRange // by their addresses
	arguments   *Base       // of the kernel where its parameters are where they were launched; nil: nowhere
	firstObject int64
	module      *loader.Module
	given       *dwarf.Data
	complaints  int // how many of Complaints are the file's own
	layout      Layout
	prologue    dwarf.Range // of the launched kernel
	arch        arch.Arch
	facade      facade.Facade
}

// Build makes the symbol file of a module that is loaded where it was linked,
// with its debugging information if it has any, for gdb to read as a file of a
// CPU.
func Build(m *loader.Module, d *dwarf.Data, a arch.Arch, cpu facade.Facade, l Layout) (*File, error) {
	f := &File{Lost: map[*dwarf.DIE][]byte{}, Statics: map[*dwarf.DIE][]*dwarf.DIE{},
		Data: d, module: m, given: d, layout: l, arch: a, facade: cpu}
	var debug map[string][]byte
	var err error
	if d == nil {
		f.Data, err = dwarf.New(dwarf.Sections{}, dwarf.Options{})
	} else if len(d.Units()) > 0 {
		f.Complaints = append(f.Complaints, d.Complaints()...)
		f.prologue = l.prologue(d)
		f.prologue.High = max(f.prologue.High, f.framed())
		if debug, err = f.translate(m, l); err != nil {
			// The code can be debugged without.
			f.Complaints, f.Slots, err = append(f.Complaints, err), nil, nil
		}
	}
	if err != nil {
		return nil, err
	}
	if debug == nil {
		debug = map[string][]byte{}
	}
	if debug[".debug_frame"], err = frames(m, cpu.Columns(), l); err != nil {
		return nil, err
	}
	f.complaints = len(f.Complaints)
	f.ELF, f.BuildID, err = writeELF(m, cpu, l, debug)
	return f, err
}

// Again gives what Build would make, without making it, if that is this file with another a; nil if it may be
// another file.
func (f *File) Again(m *loader.Module, d *dwarf.Data, a arch.Arch, cpu facade.Facade, l Layout) *File {
	if f == nil || f.module != m || f.given != d || f.facade != cpu || !sameArch(f.arch, a) ||
		!reflect.DeepEqual(f.layout, l) {
		return nil
	}
	again := *f
	again.arch, again.Complaints = a, slices.Clip(f.Complaints[:f.complaints])
	return &again
}

// sameArch reports whether two are the same but for what they are pointers to.
func sameArch(a, b arch.Arch) bool {
	v, w := reflect.ValueOf(a), reflect.ValueOf(b)
	if v.Type() != w.Type() || v.Kind() != reflect.Pointer {
		return false
	}
	return v.Elem().Comparable() && v.Elem().Equal(w.Elem())
}

// SlotsIn gives the slots that lie at least in part in [lo, hi) of a frame,
// and where.
func (f *File) SlotsIn(lo, hi int64) iter.Seq2[int, int64] {
	return func(yield func(int, int64) bool) {
		first := sort.Search(len(f.Slots), func(i int) bool { return f.Slots[i].At+slotSize > lo })
		for i := first; i < len(f.Slots) && f.Slots[i].At < hi; i++ {
			if !yield(i, f.Slots[i].At) {
				return
			}
		}
	}
}

// ObjectAt finds the slot whose object lies at a place of a frame, and how far
// into the object that is. Bytes between objects belong to the one before.
func (f *File) ObjectAt(at int64) (slot int, from int64, ok bool) {
	if at < f.firstObject || len(f.Slots) == 0 {
		return 0, 0, false
	}
	i := sort.Search(len(f.Slots), func(i int) bool { return f.Slots[i].Object > at }) - 1
	return i, at - f.Slots[i].Object, true
}

// place gives slots and objects their places in the frame.
func (f *File) place(l Layout) error {
	at := int64(slotBase)
	for i := range f.Slots {
		f.Slots[i].At = at
		at += slotSize
	}
	at = (at + 2*objectGap - 1) &^ (objectGap - 1)
	f.firstObject = at
	for i := range f.Slots {
		f.Slots[i].Object = at
		at += (int64(min(f.Slots[i].Size, maxInFrame)) + 15) &^ 15
	}
	if at > l.Stride-l.Low {
		return fmt.Errorf("%d locations of variables need %d bytes of each frame, which has %d",
			len(f.Slots), at, l.Stride-l.Low)
	}
	return nil
}
