// Package printf holds kernels that print, with what they must print.
package printf
