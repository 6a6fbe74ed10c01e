// Package ptx reads PTX, the text that compilers write for NVIDIA's machines: versions 6.0 to 8.8 of
// the language as clang writes it, and what the language allows beyond.
//
// [Parse] makes a [Module] of a text: functions whose statements have addresses, operands with
// registers and names resolved, variables placed in their spaces with their initial contents, rows of
// source lines, and the sections of debugging information as bytes. PTX has no encoding, so the module
// says what its addresses are: see [Module.Text].
//
// The package knows the syntax of a statement and what its names stand for; which instructions there
// are and what they do is the machine's to know. Rules are those of NVIDIA's "Parallel Thread Execution
// ISA" ("PTX ISA").
package ptx
