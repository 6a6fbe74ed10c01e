// Package sweep says how much tests try that can try more than `make test` has time for: the same of many
// programs, processors, or states. They try a part, always the same one; with SIMTGDB_SWEEP=all, which `make
// check-all` sets, all.
package sweep

import "os"

// All reports whether all is tried.
func All() bool { return os.Getenv("SIMTGDB_SWEEP") == "all" }

// Some are all, or every nth from the first on.
func Some[T any](n int, all ...T) []T {
	if All() {
		return all
	}
	var some []T
	for i := 0; i < len(all); i += n {
		some = append(some, all[i])
	}
	return some
}

// Step is how far apart the states are that are tried: one, or n.
func Step(n int) int {
	if All() {
		return 1
	}
	return n
}

// Times is how often something random is tried: n times, or as often as all is.
func Times(n, all int) int {
	if All() {
		return all
	}
	return n
}
