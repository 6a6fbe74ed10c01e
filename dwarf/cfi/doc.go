// Package cfi reads call frame information, the tables by which the registers
// of a calling frame are found: the sections .debug_frame of DWARF 2 to 5 and
// .eh_frame of the Linux Standard Base, with the rules for address spaces and
// for arbitrary locations of LLVM's "DWARF Extensions For Heterogeneous
// Debugging" (A.6.4).
//
// [Parse] reads a section into a [Table]. [Table.FDE] finds the entry for a pc,
// [FDE.Row] the rules that hold there, and [Row.Unwind] evaluates them: the
// [Frame] it gives knows the canonical frame address and tells for each
// register the location of the caller's value. [Frame.Caller] is a context in
// which the caller's own rules and variables can be evaluated, so a whole
// stack is walked by doing the same again.
//
// A row without a CFA rule, which is all that clang up to 22 writes for AMDGPU,
// is reported as [ErrNoCFA]: the table has nothing to say, and another way of
// unwinding has to be asked.
//
// The package evaluates with package expr, through the same contexts, and does
// no input or output. [Table.Print] writes what llvm-dwarfdump --debug-frame
// and --eh-frame do.
package cfi
