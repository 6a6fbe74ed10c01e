// Package libm has the functions of C's mathematics and their relatives in double precision, computed
// with about 100 bits and rounded once: results are the nearest double but for about one in 2^40 whose
// exact value lies too near the middle of two. It does not know what instruction or library asks.
//
// Arguments and results are as in C (ISO/IEC 9899, annex F): infinities, NaNs and signed zeros included.
// Functions of a single number have the signature func(float64) float64.
package libm
