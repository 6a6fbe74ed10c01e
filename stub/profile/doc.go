// Package profile runs a kernel and counts what its waves do: for each instruction and each source line how
// often it ran and with how many lanes, where lanes parted, what memory had to move, conflicts of LDS banks,
// the time that waves waited at barriers, when each wave ran, and by which calls waves came to where they
// executed. It writes that as text, as JSON, as a page of HTML, and as others' formats: pprof, speedscope,
// folded stacks; and compares two runs.
//
// It knows no machine: it steps waves by one instruction and observes their accesses to memory. Time is
// counted in turns, in each of which every resident wave that can run executes one instruction; it is no
// measure of hardware. What is counted is said with each figure of [Figures]. A program that is not
// profiled pays nothing.
//
// Entry points: [Run] for a loaded program; [Report.Text], [Report.HTML], [Report.Pprof], [Report.Compare]; a
// [Report] is JSON as it is. A [Session] joins the reports of several launches, by kernel.
package profile
