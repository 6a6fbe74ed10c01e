package arm64

import (
	"testing"

	"simtgdb/simt/rows/rowstest"
	"simtgdb/testdata/sweep"
)

// fewer is how many times less is tested than on other hosts: code is emulated on most.
const fewer = 8

// TestTranslator: random row code does what the interpreter says. On other hosts TestEmulated runs it.
func TestTranslator(t *testing.T) {
	if !Available() {
		t.Skip("nothing is translated for AArch64 here")
	}
	b := rowstest.Translator{Translate: Translate, Can: Can, Fewer: fewer}
	if sweep.All() {
		b.Fewer = 1
	}
	b.Test(t)
}
