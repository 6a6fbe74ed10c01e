//go:build amd64 && (linux || darwin)

package native

import "simtgdb/simt/vec"

// Available reports whether code for x86-64 can run here.
func Available() bool { return vec.Current() >= vec.AVX2 }

// AArch64 reports whether code for AArch64 can run here.
func AArch64() bool { return false }

// fetch needs nothing: the processor sees what has been written where it executes.
func fetch([]byte) {}

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

func routines32() (offsets, greatest, load, store, side uintptr)

func routines256x32() (offsets, greatest, load, store, side uintptr)

func routines() (offsets, greatest, load, store, side uintptr)

func narrow() (store8, store16 uintptr)

func routines256() (offsets, greatest, load, store, side uintptr)
