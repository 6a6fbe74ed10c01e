// Package zebin reads zebin files, the container in which Intel's IGC delivers
// code for its GPUs: relocatable ELF with one section of code per kernel, a
// YAML text that says how each is launched, and DWARF. It knows nothing of
// instructions.
//
// A zebin has no addresses; [Open] lays its sections out, so that each section is a segment of the module and
// debug information speaks of those addresses. Code for Gen8, Gen9, Gen11, Gen12LP, Xe-HPG and Xe-HPC is
// read; that of other devices is refused by name. The older patch-token container is package patchtoken's,
// which gives the same kernels. [Kernel.Launchable] says of a kernel that cannot run why: of one that has
// images, or buffers that it says no way to.
//
// Entry points: [Open] gives a neutral module; [Of] gives the [Object] behind
// it. Files are untrusted: sizes, counts and depths are bounded.
//
// Sources: the zebin specification in the repository of IGC
// (IGC/ZEBinWriter/zebin/spec: elf.md, zeinfo.md) and observed files.
package zebin
