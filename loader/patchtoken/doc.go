// Package patchtoken reads the container in which Intel's IGC delivered code for its GPUs before zebin files,
// and still does where ocloc is not told otherwise: a program header, and for each kernel its code, heaps of
// states and a list of tokens that say how it is launched ("patch" a command stream with it). ocloc wraps it
// in an ELF file that has the debug information besides. The package knows nothing of instructions.
//
// What it gives is what package zebin gives: modules whose object and kernels are that package's types.
//
// Entry points: [Is], [Open]. Files are untrusted: sizes and counts are bounded by the file.
//
// Sources: the headers of IGC (ocl_igc_shared/executable_format), what `ocloc disasm` says of files, observed
// files.
package patchtoken
