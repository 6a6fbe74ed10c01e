// Package gen executes the instruction sets of Intel's Gen8, Gen9, Gen11, Gen12LP, Xe-HPG and Xe-HPC on a
// [simt.Machine]: it decodes, disassembles and executes what the IGC compiler emits, and starts threads as
// its payload conventions say. It knows no file format and no debugger.
//
// One table (the rows of ops.go) holds, for each instruction, its opcode,
// name, operands and semantics; decoding, text and execution all read it. An
// instruction or message with no semantics there decodes and prints, and
// faults as illegal, by name, when it is executed.
//
// What a generation has otherwise than others is in its [Generation].
//
// Entry points: [Generation.Decode] decodes one instruction, whose String is its text as
// iga64 prints it; [New] makes the [ISA] for a kernel.
//
// Sources: "Intel Open Source HD Graphics Programmer's Reference Manual" for
// Skylake, volume 7 (execution unit, instruction encoding, flow control) and
// volume 2d (data port messages); the observations on IGC's code that
// docs/architecture.md names.
package gen
