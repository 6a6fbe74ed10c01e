// Package native makes and runs code of the host: an assembler for the x86-64
// instructions that translated vector code is made of (general registers,
// AVX-512, AVX2), memory to run it from, and routines that such code calls. It knows
// no instruction set but the host's; what is translated, and when the code is
// out of date, is its user's business. Package a64 has the assembler for AArch64, whose
// code runs from here too, on Linux. macOS on that processor lets a page be written or executed,
// as each thread has it, which needs calls of the system's library: nothing is run there.
//
// Entry points: [Available] and [AArch64] say what code can run on this host; an [Assembler]
// makes code, [Load] makes it executable, [Code.Call] runs it.
//
// Code runs on the stack of the goroutine that calls it, without cgo. It must
// use no stack but for calls of the routines of [Routines], keep RSP and RBP,
// leave nothing in the upper halves of vector registers 0 to 15, and end soon:
// the runtime cannot stop the goroutine meanwhile. On AArch64 it must keep X18,
// X26 to X30 and the stack pointer.
//
// Sources: Intel, "64 and IA-32 Architectures Software Developer's Manual",
// volume 2, sections 2.1 (legacy encodings), 2.3 (VEX) and 2.7 (EVEX).
package native
