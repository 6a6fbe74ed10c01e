// Package order knows which work of a device comes before which, and finds accesses to its memory that
// nothing orders, as launches of two streams make them.
//
// A device does all work in one order, which is one of those that a program allows. [Order] keeps what the
// program has said of it: which streams there are, what a stream waits for, what the host has waited for.
// [Shadow] keeps who has accessed each word of memory last, and compares.
//
// It knows no runtime's API. Where it has to forget something it takes work to be in order.
package order
