// Package loader has what all formats of GPU code come to: one [Module] with
// the segments to place in memory, the kernels with their arguments, the
// symbols, the relocations and the debug sections.
//
// It knows no format by name. The packages below it do, and import it: each
// makes a Module of its files and leaves what only it has, such as kernel
// descriptors and metadata, in Module.Native and Kernel.Native:
//
//	amdgpu      AMDGPU code objects, those in offload bundles, and PAL pipelines
//	zebin       Intel's zebin files
//	patchtoken  the container that Intel's compiler wrote before them
//	spirv       SPIR-V modules
//	ptx         PTX, as text
//
// Others read what modules lie in, or what is in them: bundle clang's offload
// bundles, fatbin NVIDIA's fat binaries, msgpack the encoding of AMD's metadata,
// cxxname names of C++, printable names that are put into messages.
//
// A reader of a format fills the exported fields of a Module and gives it to
// [New], which checks that they hold together and makes the indexes by name and
// address. For formats that are ELF files [ReadELF] reads the tables, notes,
// symbols and relocations of linked and of relocatable ones; [ELF.Linked] makes
// the parts of a Module that every linked ELF file has.
//
// For users of a Module: [Module.Kernel] finds a kernel, [Module.Relocate] gives
// the images to load, [Module.Section] a (decompressed) debug section,
// [Module.SymbolAt] the function at an address.
//
// The package knows no memory of a simulated machine, no instruction set and no
// DWARF: it hands out bytes, addresses and decoded settings. The rules of ELF
// are those of the System V ABI.
//
// Input is untrusted: every offset and count is checked against the file, and
// what is kept in memory stays in proportion to the file's size.
package loader
