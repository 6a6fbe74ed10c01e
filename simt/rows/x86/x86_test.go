package x86

import (
	"testing"

	"simtgdb/simt/rows/rowstest"
	"simtgdb/testdata/sweep"
)

// TestTranslator: random row code does what the interpreter says.
func TestTranslator(t *testing.T) {
	if !Available() {
		t.Skip("nothing is translated here")
	}
	rowstest.Translator{Translate: Translate, Can: Can, Fewer: sweep.Step(3)}.Test(t)
}
