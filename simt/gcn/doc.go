// Package gcn executes AMD's instruction sets from gfx9 to gfx1250 on a
// [simt.Machine] (package processor has the list of processors): it decodes,
// disassembles and executes, and starts waves as the amdhsa calling convention
// says, or as a graphics driver does. It knows no file format and no debugger.
//
// One table (the rows that the ops_*.go files register) holds, for each
// instruction, its encoding, name, operand types and semantics; decoding,
// text and execution all read it. An instruction with no semantics there
// decodes and prints, and faults as illegal when it is executed. What executes
// is in files named exec_*.go and, where it is one row's own, beside the row.
// Those rows are gfx9's; a later processor has what it shares with it by the
// list in generations.txt, under its own numbers and names, and rows of its own
// besides (ops_later*.go, ops_gfx12*.go and the like).
//
// Waves have 64 lanes, or 32 if the kernel says so.
//
// Entry points: [New] makes the [ISA] for a target; [ISA.Decode] decodes one
// instruction, whose String is its text in LLVM's syntax.
//
// Sources: "AMD Instinct MI200/MI300 Instruction Set Architecture" and "Vega
// Instruction Set Architecture", AMD's documents of RDNA 1 to 4 and CDNA 4 and 5
// (encodings, semantics), LLVM's "User Guide for
// AMDGPU Backend", section "Code Conventions / AMDHSA" (initial state).
package gcn
