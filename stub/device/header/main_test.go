package main

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestHeader: the header that clients are compiled with is what the service's constants come to.
func TestHeader(t *testing.T) {
	want, err := header("../protocol.go")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../client/src/protocol.h")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("client/src/protocol.h is out of date: go generate ./stub/device (-want +got):\n%s", diff)
	}
}
