//go:build !(amd64 && (linux || darwin)) && !(arm64 && linux)

package native

import (
	"errors"
	"unsafe"
)

// Available reports whether code for x86-64 can run here.
func Available() bool { return false }

// AArch64 reports whether code for AArch64 can run here.
func AArch64() bool { return false }

// A Code is code in memory from which it can run.
type Code struct{}

// Load makes code executable.
func Load([]byte) (*Code, error) { return nil, errors.New("this host runs no translated code") }

// At is the address of an offset into the code.
func (c *Code) At(int) uintptr { return 0 }

// Call runs the code from its beginning.
func (c *Code) Call(unsafe.Pointer) {}

// Routines512 are those for AVX-512.
func Routines512(int) Routines { return Routines{} }

// Routines256 are those for AVX2.
func Routines256(int) Routines { return Routines{} }
