// Package fidelity follows the results of inexact instructions, those that may give other bits than the
// hardware does, through registers and memory: which of them a run used, how often, and whether what they
// gave could reach an address, a branch or the choice of lanes that execute, or only data.
//
// What follows is data flow: a value comes from the instructions that its operands come from, a loaded one
// also from those that its address comes from. Where an inexact value decides a branch that is reported, and
// what the program does because of it is not followed. A value may be reported that would be the same in
// the end; one that could differ by data flow is never left out.
//
// A [Tracker] is an observer of one machine: [New] makes it, [Tracker.Follow] lets it look, and
// [Tracker.Report] says what it has seen. It keeps the memory; a machine finds it with [Of] when it decodes,
// and keeps what its registers come from, as sets of places in the program ([Origins]). The package knows no
// instruction set, no source and no debugger.
package fidelity
