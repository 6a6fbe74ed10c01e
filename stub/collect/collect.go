// Package collect lets garbage be collected less often than Go does by itself.
package collect

import (
	"os"
	"runtime"
	gc "runtime/debug"
)

// Between two collections garbage may have as much room as what is in use, which is Go's own way, and up to
// four times as much as long as that is no more than plentiful.
const (
	plentiful  = 256 << 20 // bytes
	oftenest   = 100       // percent of what is in use, as GOGC is
	leastOften = 400
)

// LessOften lets garbage be collected less often while little memory is in use, unless the environment says
// how often: what follows a program makes much of it, and a fifth of the time went into its collection.
func LessOften() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	gc.SetGCPercent(leastOften)
	afterNext(leastOften)
}

// afterNext sets after the next collection how often there is one, which was `before` until then: a
// collection finds an object that nobody refers to.
func afterNext(before int) {
	runtime.AddCleanup(new([1 << 10]byte), func(before int) {
		now := percent(inUse(before))
		if now != before {
			gc.SetGCPercent(now)
		}
		afterNext(now)
	}, before)
}

// inUse is about how many bytes the last collection has found in use, from the size at which the next one is
// due. (Package runtime/metrics knows it, but costs each start of the program a third of a millisecond.)
func inUse(percent int) uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.NextGC * 100 / uint64(100+percent)
}

// percent is how large garbage may become beside what is in use before it is collected.
func percent(live uint64) int {
	return int(min(max(plentiful*100/max(live, 1), oftenest), leastOften))
}
