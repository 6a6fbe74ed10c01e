// Package spirv is a SIMT machine that executes SPIR-V as it is: compute shaders and OpenCL kernels. An
// instruction is decoded once into a function value for its operation and the shape of its type; a value is a
// run of slots, one for each scalar, and a slot has a place for every lane. Blocks run in an order in which
// all lanes of a construct meet again at its merge block, each with the lanes that wait for it.
//
// The pc of an instruction is the base of the module plus four times its word. The instructions that executes
// are those behind the phis of a block: what else is there has no moment of its own.
//
// The package knows no file formats beyond the words of a module, no debug information, and no host: it is
// given the addresses of buffers. Rules come from the SPIR-V specification 1.6 and, for what compute shaders
// and kernels see, from the Vulkan and OpenCL environments for it.
//
// Entry points: [New] for a program with one entry point, [Program.ISA] for what package simt runs.
package spirv
