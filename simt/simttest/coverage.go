package simttest

import (
	"flag"
	"fmt"
	"slices"
	"sync"
	"testing"

	"simtgdb/simt/vec"
)

// A Coverage is which rows of a machine's tables its tests have executed and compared with an expectation: in
// which path of package vec, with all lanes of a wave or with some of them.
type Coverage struct {
	mu   sync.Mutex
	seen map[execution]bool
}

// An execution is one way to execute a row.
type execution struct {
	row  string
	path vec.Path
	all  bool // all lanes that the wave has
}

func (e execution) String() string {
	lanes := "some lanes"
	if e.all {
		lanes = "all lanes"
	}
	return fmt.Sprintf("%s (%v, %s)", e.row, e.path, lanes)
}

// Note says that a row has been executed in the current path.
func (c *Coverage) Note(row string, all bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen == nil {
		c.seen = map[execution]bool{}
	}
	c.seen[execution{row, vec.Current(), all}] = true
}

// Missing are the rows that have not been executed in every path, with all lanes and with some. For those of
// wholeOnly all lanes are enough, for those of partOnly some.
func (c *Coverage) Missing(rows []string, wholeOnly, partOnly map[string]bool) (missing []string) {
	for _, row := range rows {
		for _, p := range vec.Paths() {
			for _, all := range []bool{true, false} {
				excused := wholeOnly[row] && !all || partOnly[row] && all
				if e := (execution{row, p, all}); !c.seen[e] && !excused {
					missing = append(missing, e.String())
				}
			}
		}
	}
	slices.Sort(missing)
	return missing
}

// MainCovering is EveryPath, and fails if missing names rows when all tests have run.
func MainCovering(m *testing.M, missing func() []string, some InBest) int {
	status := EveryPath(m, some)
	for _, name := range []string{"test.run", "test.skip", "test.bench", "test.fuzz", "test.list"} {
		if flag.Lookup(name).Value.String() != "" {
			return status
		}
	}
	if rows := missing(); status == 0 && len(rows) > 0 {
		fmt.Printf("FAIL: %d rows are executed by no test that checks their results: %q\n", len(rows), rows)
		return 1
	}
	return status
}
