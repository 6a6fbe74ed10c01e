// Package ptx executes PTX, the language of NVIDIA's virtual machine, as it stands: statement by
// statement, with as many registers as the text declares.
//
// A [Program] is what the machine runs: functions of statements whose operands are resolved. It knows
// no file format. [NewKernel] makes the [ISA] of a program's kernel for simt.Machine, [NewDecoder] one
// for who only looks at statements; a statement stands at an address, eight bytes each.
//
// A warp has 32 lanes. Every call of a function has an activation of its own: registers, and a frame in
// the private memory of the lanes. Lanes that diverge go on in paths of their own, and come together
// again at the immediate post-dominator of the branch; a path that waits for another's lanes lets it
// run. Rules are those of NVIDIA's "Parallel Thread Execution ISA" ("PTX ISA").
package ptx
