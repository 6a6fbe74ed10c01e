// Package agent decodes, prints and evaluates agent expressions: the stack
// bytecode into which gdb compiles breakpoint conditions and dprintf commands
// so that a remote stub can evaluate them without stopping.
//
// The rules are those of the gdb manual, appendix "The GDB Agent Expression
// Mechanism", sections "General Bytecode Design" and "Bytecode Descriptions".
// Values are 64-bit integers; the floating-point and tracepoint bytecodes, which
// gdb does not emit in conditions, are refused when an expression is decoded.
//
// [Decode] checks a bytecode string once and gives a [Program]; [Program.Eval]
// runs it as often as wanted against a [Context], which answers for registers
// and memory. The package does no I/O, knows no machine and no byte order, and
// bounds the time and the memory that hostile bytecode can take.
package agent
