//go:build linux

package native

import "unsafe"

// Available reports whether code for x86-64 can run here.
func Available() bool { return false }

// AArch64 reports whether code for AArch64 can run here.
func AArch64() bool { return true }

// fetch makes the processor fetch instructions from memory that has just been written: its caches of data and
// of instructions do not know of each other.
func fetch(code []byte) {
	begin := uintptr(unsafe.Pointer(unsafe.SliceData(code)))
	fetchLines(begin, begin+uintptr(len(code)))
}

//go:noescape
func fetchLines(begin, end uintptr)

// Routines512 are those for AVX-512.
func Routines512(int) Routines { return Routines{} }

// Routines256 are those for AVX2.
func Routines256(int) Routines { return Routines{} }
