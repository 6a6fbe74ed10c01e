//go:build (amd64 && (linux || darwin)) || (arm64 && linux)

package native

import (
	"fmt"
	"runtime"
	"syscall"
	"unsafe"
)

// A Code is code in memory from which it can run. Its memory is given back when nothing refers to it.
type Code struct{ mem []byte }

// Load makes code executable.
func Load(code []byte) (*Code, error) {
	mem, leave, err := room(code)
	if err != nil {
		return nil, err
	}
	c := &Code{mem}
	runtime.AddCleanup(c, func(leave func()) { leave() }, leave)
	return c, nil
}

// mapped is memory of the system's own for code, and what gives it back.
func mapped(code []byte) (mem []byte, leave func(), err error) {
	mem, err = syscall.Mmap(-1, 0, len(code), syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_PRIVATE|syscall.MAP_ANON|populate)
	if err != nil {
		return nil, nil, fmt.Errorf("map %d bytes for code: %w", len(code), err)
	}
	copy(mem, code)
	fetch(mem)
	if err := syscall.Mprotect(mem, syscall.PROT_READ|syscall.PROT_EXEC); err != nil {
		_ = syscall.Munmap(mem)
		return nil, nil, fmt.Errorf("make %d bytes of code executable: %w", len(code), err)
	}
	return mem, func() { _ = syscall.Munmap(mem) }, nil
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
