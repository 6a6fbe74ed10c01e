// Package dump prints debugging information in the words of llvm-dwarfdump 22, so that what this program
// reads can be compared line by line with what LLVM does.
//
// It knows no object files and no expressions: the text of an expression comes from a function of the
// caller's (Options.Expr). Call frame information prints itself, in package cfi. Damaged information is
// printed as far as it can be read, with what is wrong in its place.
//
// Entry points: [Info], [LocLists], [RangeLists], [Lines]; [TypeName] for the name of a type.
package dump
