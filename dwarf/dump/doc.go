// Package dump prints debugging information in the words of llvm-dwarfdump 22, so that what this program
// reads can be compared line by line with what LLVM does.
//
// A Dumper prints an object by parts, with expressions and call frame information in the words of packages
// expr and cfi. The functions that it uses know no objects and no expressions: the text of an expression
// comes from a function of the caller's (Options.Expr). Damaged information is printed as far as it can be
// read, with what is wrong in its place.
//
// Entry points: [New] and [Parts]; [Info], [LocLists], [RangeLists], [Lines]; [TypeName] for the name of a
// type.
package dump
