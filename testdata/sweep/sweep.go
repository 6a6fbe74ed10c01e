// Package sweep says how much tests try that can try more than `make test` has time for: the same of many
// programs, processors, or states. They try a part, always the same one; with SIMTGDB_SWEEP=all, which `make
// check-all` sets, all. What is random in tests is made by the same numbers each time, with SIMTGDB_SEED by
// others.
package sweep

import (
	"fmt"
	"iter"
	mathrand "math/rand"
	"math/rand/v2"
	"os"
	"strconv"
)

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

// Seeds are the numbers of something random: so many from one on, or from 0 on as many as all is. Which they
// are may be chosen for what they show.
func Seeds(from, count, all uint64) iter.Seq[uint64] {
	if All() {
		from, count = 0, all
	}
	return func(yield func(uint64) bool) {
		for i := range count {
			if !yield(from + i) {
				return
			}
		}
	}
}

// PCG gives random numbers by two numbers, of which SIMTGDB_SEED is added to the first.
func PCG(seed, more uint64) *rand.PCG { return rand.NewPCG(seed+Seed(), more) }

// Source gives random numbers by a number that SIMTGDB_SEED is added to.
func Source(seed int64) mathrand.Source { return mathrand.NewSource(seed + int64(Seed())) }

// Seed is SIMTGDB_SEED, a number; 0 unless it is set.
func Seed() uint64 {
	text := os.Getenv("SIMTGDB_SEED")
	if text == "" {
		return 0
	}
	n, err := strconv.ParseUint(text, 10, 62)
	if err != nil {
		panic(fmt.Sprintf("SIMTGDB_SEED is %q, not a number of tests' random programs", text))
	}
	return n
}
