package expr

import (
	"errors"
	"fmt"
)

// An ErrorKind says which rule of the specification an evaluation broke. It is
// itself an error, so that errors.Is(err, expr.MissingContext) works.
type ErrorKind uint8

// The kinds of error, as "DWARF Extensions For Heterogeneous Debugging" A.2.5
// tells them apart: an expression is ill-formed by itself; the others depend on
// the state it is evaluated in.
const (
	IllFormed         ErrorKind = iota + 1 // the bytes break a rule, or go past a limit
	ReadUndefined                          // bits that have no value were needed
	OutOfRange                             // an offset or size leaves the location storage
	MissingContext                         // the context lacks what an operation needs
	StackUnderflow                         // an operation found too few stack entries
	NoRegister                             // the context has no such register
	MemoryUnavailable                      // the context has no such memory
	UnknownOp                              // no operation has this code
)

var errorKinds = [...]string{
	IllFormed:         "ill-formed",
	ReadUndefined:     "read-undefined",
	OutOfRange:        "out-of-range",
	MissingContext:    "missing-context",
	StackUnderflow:    "stack-underflow",
	NoRegister:        "no-register",
	MemoryUnavailable: "memory-unavailable",
	UnknownOp:         "unknown-op",
}

// String returns the kind's name, such as "ill-formed".
func (k ErrorKind) String() string {
	if int(k) < len(errorKinds) && errorKinds[k] != "" {
		return errorKinds[k]
	}
	return fmt.Sprintf("ErrorKind(%d)", uint8(k))
}

// Error makes a kind usable as the target of errors.Is.
func (k ErrorKind) Error() string { return k.String() }

// An Error is what every function of this package returns when it fails.
type Error struct {
	Kind   ErrorKind
	Op     string // the operation, "" when reading or writing a location
	Offset int    // byte offset of the operation in its expression
	Detail string // what was found and what was expected
	Err    error  // what the context answered, if it was the context
}

func (e *Error) Error() string {
	s := e.Kind.String()
	if e.Op != "" {
		s += fmt.Sprintf(": %s at offset %d", e.Op, e.Offset)
	}
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap gives the context's own error.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is the error's kind.
func (e *Error) Is(target error) bool {
	k, ok := target.(ErrorKind)
	return ok && k == e.Kind
}

// KindOf returns the kind of an error of this package, or 0.
func KindOf(err error) ErrorKind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return 0
}

// Errorf makes an error of a kind, for contexts that answer with one.
func Errorf(kind ErrorKind, format string, args ...any) *Error {
	return &Error{Kind: kind, Detail: fmt.Sprintf(format, args...)}
}

// asError keeps an error that already has a kind and gives others one.
func asError(kind ErrorKind, err error, format string, args ...any) error {
	var e *Error
	if errors.As(err, &e) {
		return err
	}
	e = Errorf(kind, format, args...)
	e.Err = err
	return e
}
