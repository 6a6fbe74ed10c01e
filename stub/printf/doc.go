// Package printf turns a format and typed values into text, as the printf of
// each device language does: C's (HIP, CUDA's vprintf), OpenCL C's with its
// vectors, and Khronos' NonSemantic.DebugPrintf. It reads no buffer and no
// memory, and does not know who compiled the program: readers of what kernels
// leave (package decode, package hostcall) find the values and call here.
//
// Parse reads a format once; Format.Append prints a call of it. Escape makes
// text that a kernel wrote fit for a terminal.
//
// Formats and values come from a program that is being debugged, so nothing
// about them is trusted: a conversion without a value is printed as it stands,
// %n stores nothing, and what a call may print is bounded. Problems say what
// was not as it should be.
//
// Sources: ISO C 2011, 7.21.6.1, as glibc interprets what C leaves open; the
// OpenCL C specification 2.0, 6.13.13; the Vulkan validation layers' document
// of debug printf and SPIR-V's NonSemantic.DebugPrintf.
package printf
