package loader

import (
	"errors"
	"fmt"
	"strings"

	"simtgdb/loader/printable"
)

// Errors a caller may branch on with errors.Is. They come wrapped in an error
// that says where and what.
var (
	// ErrUnknownFormat: the file is none of the formats this package knows.
	ErrUnknownFormat = errors.New("unknown file format")
	// ErrNotLinked: a relocatable object; it has no addresses yet.
	ErrNotLinked = errors.New("not linked")
	// ErrCompressedBundle: a compressed offload bundle.
	ErrCompressedBundle = errors.New("compressed offload bundle")
	// ErrWrongMachine: code for a machine that the format does not have.
	ErrWrongMachine = errors.New("code for another machine")
	// ErrUnsupported: a known format, version or feature that is not read.
	ErrUnsupported = errors.New("not supported")
	// ErrTruncated: the file ends before something it announces.
	ErrTruncated = errors.New("truncated file")
	// ErrNoKernel: the module has no kernel of that name.
	ErrNoKernel = errors.New("no such kernel")
	// ErrAmbiguousKernel: several kernels answer to that name.
	ErrAmbiguousKernel = errors.New("ambiguous kernel name")
	// ErrNoSection: the module has no section of that name.
	ErrNoSection = errors.New("no such section")
	// ErrUndefinedSymbol: a relocation needs a symbol nobody defines.
	ErrUndefinedSymbol = errors.New("undefined symbol")
)

// FormatError says what is wrong with the bytes of a file and where.
type FormatError struct {
	Offset int64  // in the file, or in the bundle entry; negative if no single place is to blame
	What   string // what was found
	Want   string // what was expected, or what to do instead; may be empty
	Err    error  // kind of the error, for errors.Is; may be nil
}

func (e *FormatError) Error() string {
	var b strings.Builder
	if e.Offset >= 0 {
		fmt.Fprintf(&b, "offset %#x: ", e.Offset)
	}
	b.WriteString(e.What)
	if e.Want != "" {
		b.WriteString("; ")
		b.WriteString(e.Want)
	}
	return b.String()
}

func (e *FormatError) Unwrap() error { return e.Err }

// KernelError is about one kernel: it is not there, or its parts disagree.
type KernelError struct {
	Kernel    string   // the name asked for, or the kernel at fault
	Available []string // kernels the module has, when the name did not select one
	Err       error
}

func (e *KernelError) Error() string {
	s := fmt.Sprintf("kernel %.100q: %v", e.Kernel, e.Err)
	switch {
	case e.Available == nil:
		return s
	case len(e.Available) == 0:
		return s + "; the file has no kernels"
	}
	return s + "; the file has: " + printable.Names(e.Available)
}

func (e *KernelError) Unwrap() error { return e.Err }

// TargetError says that a file holds no code, or no single code object, for
// the target that was asked for.
type TargetError struct {
	Want      string   // Options.Target
	Available []string // entry or target names the file has
	Code      string   // what the file is to hold: "AMD GPU code object"; for a file that has none
}

func (e *TargetError) Error() string {
	list := printable.Names(e.Available)
	switch {
	case len(e.Available) == 0:
		return "the offload bundle has no " + e.Code
	case e.Want == "":
		return "several code objects, choose a target: " + list
	}
	return fmt.Sprintf("no single code object for target %.100q; the file has: %s", e.Want, list)
}

// SectionError is about one section of the file.
type SectionError struct {
	Section string
	Err     error
}

func (e *SectionError) Error() string {
	return fmt.Sprintf("section %s: %v", printable.Name(e.Section), e.Err)
}
func (e *SectionError) Unwrap() error { return e.Err }

// RelocError says why a relocation could not be applied.
type RelocError struct {
	Reloc Reloc
	Err   error
}

func (e *RelocError) Error() string {
	if e.Reloc.Symbol != "" {
		return fmt.Sprintf("relocation %s at %#x against symbol %.100q: %v", e.Reloc.Type, e.Reloc.Addr,
			e.Reloc.Symbol, e.Err)
	}
	return fmt.Sprintf("relocation %s at %#x: %v", e.Reloc.Type, e.Reloc.Addr, e.Err)
}

func (e *RelocError) Unwrap() error { return e.Err }
