// Package spirv reads SPIR-V modules: the instructions with the ids that they
// define, entry points with their modes, names, decorations, types with their
// layout, constants, global variables and functions. A module is its own text
// segment: instruction words in the host's order, the pc of a word is the base
// plus four times its index.
//
// It executes nothing and knows no debugger: what instructions compute is
// package simt/spirv's, what debug instructions mean stub/arch/spirv's. It is
// lenient where drivers are: debug instructions may refer to anything or
// nothing, ids of 0 included. Anything else that does not fit the
// specification's sections 2.3 (physical layout) and 3.42 (instructions) is an
// [Error] with the offset of the word.
//
// A reader of hostile bytes takes memory in proportion to the file and ends.
//
// Entry points: [Parse], [Module.Entry], [Module.Bindings].
package spirv
