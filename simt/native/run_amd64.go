//go:build amd64 && (linux || darwin)

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

// Routines512 are those for AVX-512, for rows of 64 or 32 lanes: they find the quarters of the mask in K1 to
// K4 as well, and use vector registers from 16 on, K5 to K7, RAX, R12 and R13.
func Routines512(lanes int) (r Routines) {
	if lanes == 32 {
		r.Offsets, r.Greatest, r.Load, r.Store, r.Side = routines32()
	} else {
		r.Offsets, r.Greatest, r.Load, r.Store, r.Side = routines()
	}
	r.Store8, r.Store16 = narrow()
	return r
}

// Routines256 are those for AVX2, which use vector registers from 0 on, RAX and
// R11 to R13. Instead of K1 to K4, Greatest, Load and Store want in RDX the
// address of a row of masks. Offsets must be less than 2 GiB.
func Routines256(lanes int) (r Routines) {
	if lanes == 32 {
		r.Offsets, r.Greatest, r.Load, r.Store, r.Side = routines256x32()
	} else {
		r.Offsets, r.Greatest, r.Load, r.Store, r.Side = routines256()
	}
	r.Store8, r.Store16 = narrow()
	return r
}

//go:noescape
func call(code uintptr, context unsafe.Pointer)

func routines32() (offsets, greatest, load, store, side uintptr)

func routines256x32() (offsets, greatest, load, store, side uintptr)

func routines() (offsets, greatest, load, store, side uintptr)

func narrow() (store8, store16 uintptr)

func routines256() (offsets, greatest, load, store, side uintptr)
