// Package launch makes a kernel ready to run: it reads what to launch from
// launch files and flags, loads the file of code into the memory of a simulated
// machine, and lays out buffers; the machine's family (package arch) puts
// arguments where the kernel finds them. After the run it compares and saves
// buffers, and it explains faults. It knows no family and no debugger.
//
// A [Spec] says what to launch; [ReadSpec] reads one from a file, [Flags] from
// the command line, over a file's. [Spec.Load] gives the [Program], whose
// Machine is ready for its first instruction.
//
// docs/launch-files.md says what launch files may have, testdata/README.md
// what the initial contents of buffers are.
package launch
