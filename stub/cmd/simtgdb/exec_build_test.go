package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"simtgdb/stub/device"
)

// TestBuildsTold: what a compiler says of a program that it does not compile is said once, however often the
// program tries, and only of the first programs.
func TestBuildsTold(t *testing.T) {
	var out bytes.Buffer
	f := &buildFailures{out: &out, told: map[string]bool{}}
	log, file := "", []byte(nil)
	build := f.around(func(context.Context, *device.BuildRequest) (*device.Built, error) {
		return &device.Built{Log: log, File: file}, nil
	})
	try := func(text string) {
		log = text
		if _, err := build(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 {
		try("k.cl:1:2: error: no\n")
	}
	if want := "simtgdb exec: an OpenCL program does not compile:\n  k.cl:1:2: error: no\n"; out.String() !=
		want {
		t.Errorf("%q, want %q", &out, want)
	}
	for i := range 2 * toldBuilds {
		try(fmt.Sprintf("warning\nk.cl:%d:2: error: no\n", i))
	}
	if n := strings.Count(out.String(), "does not compile"); n != toldBuilds ||
		strings.Contains(out.String(), "warning") {
		t.Errorf("%d programs are told of:\n%s", n, &out)
	}
	told := out.Len()
	file = []byte{1}
	if try("error: none, there is a file"); out.Len() != told {
		t.Errorf("a program that is built is told of: %s", out.String()[told:])
	}
	f.debugged = true
	for range 2 {
		try("note: " + undescribed + "\n")
	}
	if got, want := out.String()[told:], "simtgdb exec: "+undescribed+"\n"; got != want {
		t.Errorf("of a program without debugging information is said %q, want %q", got, want)
	}
}
