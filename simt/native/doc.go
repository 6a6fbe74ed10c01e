// Package native makes and runs code of the host: an assembler for the x86-64
// instructions that translated vector code is made of (general registers,
// AVX-512, AVX2), memory to run it from, and routines that such code calls. It knows
// no instruction set but the host's; what is translated, and when the code is
// out of date, is its user's business.
//
// Entry points: [Available] says whether this host can do it; an [Assembler]
// makes code, [Load] makes it executable, [Code.Call] runs it.
//
// Code runs on the stack of the goroutine that calls it, without cgo. It must
// use no stack but for calls of the routines of [Routines], keep RSP and RBP,
// leave nothing in the upper halves of vector registers 0 to 15, and end soon:
// the runtime cannot stop the goroutine meanwhile.
//
// Sources: Intel, "64 and IA-32 Architectures Software Developer's Manual",
// volume 2, sections 2.1 (legacy encodings), 2.3 (VEX) and 2.7 (EVEX).
package native
