// Package check finds what a program does wrong although the machine goes on: accesses that race,
// memory that is read before anything was written to it, barriers that not all come to. It is told
// of accesses, fences and barriers by package simt, of which it is an observer, and knows no
// instruction set, no source and no debugger.
//
// A [Checker] watches one machine: [New] makes it, [Checker.Attach] lets it look, and what it finds
// is a [Report], which goes to its Sink. The same two places of a program are reported once.
//
// Races are found by what happened before what (L. Lamport, "Time, Clocks, and the Ordering of
// Events in a Distributed System", CACM 1978), as FastTrack does it (C. Flanagan, S. Freund, PLDI
// 2009): each wave has a clock, and for each memory it knows up to which time the accesses of every
// other wave happened before its own. Barriers, and atomic accesses with the fences beside them,
// pass that knowledge on. The lanes of a wave go in step, so accesses of one wave are ordered, but
// for those of one instruction, and for those of lanes on two sides of a branch.
package check
