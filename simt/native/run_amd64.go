//go:build amd64 && (linux || darwin || freebsd)

package native

import (
	"fmt"
	"runtime"
	"syscall"
	"unsafe"

	"simtgdb/simt/vec"
)

// Available reports whether translated code can run here.
func Available() bool { return vec.Current() >= vec.AVX2 }

// A Code is code in memory from which it can run. It is given back to the
// system when nothing refers to it.
type Code struct{ mem []byte }

// Load makes code executable.
func Load(code []byte) (*Code, error) {
	mem, err := syscall.Mmap(-1, 0, len(code), syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		return nil, fmt.Errorf("map %d bytes for code: %w", len(code), err)
	}
	copy(mem, code)
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

// Call runs the code from its beginning, with a context in R9.
func (c *Code) Call(context unsafe.Pointer) {
	call(uintptr(unsafe.Pointer(&c.mem[0])), context)
	runtime.KeepAlive(c)
}

// Routines are the addresses of what code may call. All of them expect a mask
// of lanes in R15 and its quarters in K1 to K4, and use vector registers from
// 16 on, K5 to K7, RAX, R12 and R13.
//
//   - offsets: into the row at RDI the low halves of the sums of R11 and the
//     numbers in the row at RSI, joined with the high halves in the row at RDX
//     if that is not 0, under the mask in RAX; in RAX then the lanes whose sum is
//     greater than RCX.
//   - greatest: in RAX the greatest number of the row at RSI.
//   - load: into the row at RDI the dwords at RSI plus the offsets in the row at
//     RCX.
//   - store: the other way.
func Routines() (offsets, greatest, load, store uintptr) { return routines() }

// Routines256 are those for AVX2, which use vector registers from 0 on, RAX and
// R11 to R13. Instead of K1 to K4, greatest, load and store want in RDX the
// address of a row of masks. Offsets must be less than 2 GiB.
func Routines256() (offsets, greatest, load, store uintptr) { return routines256() }

//go:noescape
func call(code uintptr, context unsafe.Pointer)

func routines() (offsets, greatest, load, store uintptr)

func routines256() (offsets, greatest, load, store uintptr)
