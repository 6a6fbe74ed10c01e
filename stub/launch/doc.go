// Package launch makes a kernel ready to run: it reads what to launch from
// launch files and flags, loads the code object into the memory of a simulated
// machine, and lays out buffers, arguments, dispatch packet and queue as the
// amdhsa convention promises them to a kernel. After the run it compares and
// saves buffers, and it explains faults. It knows no debugger.
//
// A [Spec] says what to launch; [ReadSpec] reads one from a file, [Flags] from
// the command line, over a file's. [Spec.Load] gives the [Program], whose
// Machine is ready for its first instruction.
//
// The rules are those of LLVM's "User Guide for AMDGPU Backend", section "Code
// Conventions / AMDHSA", and of the "HSA Runtime Programmer's Reference
// Manual" (packets, queues). The README beside the test kernels defines the
// launch file's initial contents of buffers.
package launch
