// Package reference computes on the CPU what the test kernels compute, bit
// for bit: every rounding of a kernel is made where the kernel makes it.
//
// ReadLaunch reads a launch file and fills its buffers; Run changes them as
// the kernel would. Expectations of the launch files are made from the two,
// and a test that wants other sizes or inputs than the committed ones builds
// a Launch of its own. Run trusts its caller: it is for the tests of this
// project, not for launch files of users. The package knows nothing of code
// objects, of the simulator, or of the program's own launch-file reader, to
// which it is an independent second opinion.
package reference
