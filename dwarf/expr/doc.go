// Package expr decodes, prints and evaluates DWARF expressions: every
// operation of DWARF 2 to 5, the GNU operations, and the operations of LLVM's
// "DWARF Extensions For Heterogeneous Debugging", which put locations on the
// stack so that a variable in one lane of a vector register, in per-lane
// memory or scattered over all of these can be described.
//
// [Evaluate] runs an expression and gives a [Location]: an immutable
// description of where an object is. [Location.Read] and [Location.Write] move
// bits through it, across the borders of composite parts.
// [EvaluateValue] gives a typed [Value] instead. A [Printer] spells an expression
// the way llvm-dwarfdump does, [Instructions] takes it apart.
//
// The package does no input or output and knows no debugger, no machine and no
// file format. Registers, memory, lanes, frames and debugging information
// entries are asked of a [Context]; what a context cannot answer is a
// [MissingContext] error of the operation that wanted it. Every error is an
// [*Error] of one of eight kinds, and hostile bytes cost bounded time and
// memory ([Limits]).
//
// One table (ops.go) says how each operation is encoded, spelled and executed.
// An [Encoding] maps bytes to its rows: [Current] is what LLVM and ROCgdb use
// today (0xe9 DW_OP_LLVM_user and a sub-operation), [Old] the single bytes of
// early AMD producers, [Intel] those of Intel's graphics compiler, which mean
// something else. The document gives no numbers to overlay, bit_overlay,
// push_iteration and aspace_implicit_pointer: [Old] has 0xee and 0xed for the
// first two, as the users/ branch of binutils-gdb does, and
// [Encoding.Assign] gives a consumer any other number for them.
//
// What stock clang writes for AMDGPU does not mean what it says; [Dialect]
// reads it as it was meant. It is never on by itself: the consumer decides, by
// producer.
//
// Little-endian targets only: bit 0 of a location is the least significant bit
// of its lowest byte.
package expr
