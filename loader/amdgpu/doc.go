// Package amdgpu reads AMDGPU code objects (ELF64, EM_AMDGPU,
// ELFOSABI_AMDGPU_HSA, code object versions 4, 5 and 6) as linked by ld.lld, also
// those in clang's offload bundles and in host programs with such a bundle in
// .hip_fatbin. It also reads compute pipelines for AMD's PAL (ELFOSABI_AMDGPU_PAL,
// version 2 or 3 of the metadata), linked or as LLPC writes them (ET_REL). Formats
// that are recognised but cannot be used (an unlinked
// object, a compressed bundle, LLVM bitcode, code of another machine, ...) get an
// error that names the format and says what to do instead.
//
// What only these code objects have is in [Object] (targets of e_flags, metadata,
// printf formats, PAL's pipeline) and [Kernel] (kernel descriptors, registers, user
// data): [Of] and [KernelOf] give them for a module and its kernels. The compute
// stage of a pipeline is a kernel whose Descriptor says what one for HSA would.
//
// The package knows no memory of a simulated machine, no instruction set and no
// DWARF. The rules are those of LLVM's "User Guide for AMDGPU Backend", called
// AMDGPUUsage (sections "ELF Code Object", "Code Object Metadata" and "Kernel
// Descriptor").
//
// [Open] and [OpenWith] are the entry points; [DecodeDescriptor] and
// [ParsePrintf] decode parts.
package amdgpu
