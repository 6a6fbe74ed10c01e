// Package simt is a SIMT machine: memory spaces, waves of lanes, workgroups with
// barriers, the dispatch of a grid, and a deterministic scheduler. What executes
// instructions, and has the registers of waves, is an [ISA]; the machine itself
// knows no instruction set, no file format and no debugger.
//
// Entry points: [NewMemory] makes the address space a program is loaded into;
// [New] makes a [Machine] for one [Dispatch]; [Machine.Run] executes it to
// the end, [Machine.Advance] and [Machine.StepWave] execute it piecewise for
// a debugger. Everything that can stop a wave is an [Event].
package simt
