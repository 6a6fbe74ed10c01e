//go:build (amd64 && (linux || darwin)) || (arm64 && linux)

package native

import (
	"fmt"
	"runtime"
	"syscall"
	"unsafe"
)

// A Code is code in memory from which it can run. It is given back to the
// system when nothing refers to it.
type Code struct{ mem []byte }

// Load makes code executable.
func Load(code []byte) (*Code, error) {
	mem, err := syscall.Mmap(-1, 0, len(code), syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_PRIVATE|syscall.MAP_ANON|populate)
	if err != nil {
		return nil, fmt.Errorf("map %d bytes for code: %w", len(code), err)
	}
	copy(mem, code)
	fetch(mem)
	if err := syscall.Mprotect(mem, syscall.PROT_READ|syscall.PROT_EXEC); err != nil {
		_ = syscall.Munmap(mem)
		return nil, fmt.Errorf("make %d bytes of code executable: %w", len(code), err)
	}
	c := &Code{mem}
	runtime.AddCleanup(c, func(mem []byte) { _ = syscall.Munmap(mem) }, mem)
	return c, nil
}

// At is the address of an offset into the code.
func (c *Code) At(offset int) uintptr { return uintptr(unsafe.Pointer(&c.mem[offset])) }

// Call runs the code from its beginning, with a context in R9 or X0.
func (c *Code) Call(context unsafe.Pointer) {
	call(uintptr(unsafe.Pointer(&c.mem[0])), context)
	runtime.KeepAlive(c)
}

//go:noescape
func call(code uintptr, context unsafe.Pointer)
