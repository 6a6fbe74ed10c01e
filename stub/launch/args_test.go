package launch

import (
	"testing"

	"simtgdb/loader"
)

// TestKindsAreEscaped: what a file calls the kind of an argument is shown so that a terminal does nothing
// with it.
func TestKindsAreEscaped(t *testing.T) {
	p := parameter{Arg: loader.Arg{Kind: "odd\x1b[2J\n", TypeName: "t\r"}}
	if got, want := p.wants(), `an argument of kind odd\x1b[2J\n (t\r)`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
