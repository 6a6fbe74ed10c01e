package gen

import (
	"os"
	"testing"

	"simtgdb/simt/simttest"
)

func TestMain(m *testing.M) { os.Exit(simttest.EveryPath(m)) }
