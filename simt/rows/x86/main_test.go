package x86

import (
	"os"
	"testing"

	"simtgdb/simt/simttest"
)

func TestMain(m *testing.M) { os.Exit(simttest.EveryPath(m, simttest.InBest{})) }
