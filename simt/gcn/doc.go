// Package gcn executes AMD's gfx9 instruction set (gfx900, gfx906, gfx908,
// gfx90a, gfx942, gfx950) on a [simt.Machine]: it decodes, disassembles and
// executes, and starts waves as the amdhsa calling convention says. It knows no
// file format and no debugger.
//
// One table (the rows that the ops_*.go files register) holds, for each
// instruction, its encoding, name, operand types and semantics; decoding,
// text and execution all read it. An instruction with no semantics there
// decodes and prints, and faults as illegal when it is executed. What executes
// is in files named exec_*.go and, where it is one row's own, beside the row.
//
// Waves have 64 lanes, or 32 if the kernel says so.
//
// Entry points: [New] makes the [ISA] for a target; [ISA.Decode] decodes one
// instruction, whose String is its text in LLVM's syntax.
//
// Sources: "AMD Instinct MI200/MI300 Instruction Set Architecture" and "Vega
// Instruction Set Architecture" (encodings, semantics), LLVM's "User Guide for
// AMDGPU Backend", section "Code Conventions / AMDHSA" (initial state).
package gcn
