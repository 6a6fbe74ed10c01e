// Package loader reads what GPU compilers write and gives it as one [Module]:
// the segments to place in memory, the kernels with their arguments and
// hardware settings, the symbols, the dynamic relocations and the debug
// sections.
//
// It reads AMDGPU code objects (ELF64, EM_AMDGPU, ELFOSABI_AMDGPU_HSA, code
// object versions 4, 5 and 6) as linked by ld.lld, clang offload bundles that
// hold them, and host programs with such a bundle in .hip_fatbin. Formats that
// are recognised but cannot be used (an unlinked object, a compressed bundle,
// LLVM bitcode, code of another machine, ...) get an error that names the
// format and says what to do instead.
//
// The package knows no memory of a simulated machine, no instruction set and
// no DWARF: it hands out bytes, addresses and decoded settings. The rules are
// those of LLVM's "User Guide for AMDGPU Backend" (sections "ELF Code Object",
// "Code Object Metadata" and "Kernel Descriptor") and of the System V ABI.
//
// [Open] and [OpenWith] are the entry points; [Module.Kernel] finds a kernel,
// [Module.Relocate] gives the images to load, [Module.Section] a (decompressed)
// debug section, [Module.SymbolAt] the function at an address.
//
// Input is untrusted: every offset and count is checked against the file, and
// what is kept in memory stays in proportion to the file's size.
package loader
