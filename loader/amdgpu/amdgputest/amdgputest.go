// Package amdgputest opens AMDGPU objects for the tests of other packages.
package amdgputest

import (
	"os"
	"testing"

	"simtgdb/loader"
	"simtgdb/loader/amdgpu"
)

// Open opens the object in a file. A test that cannot have it fails.
func Open(t testing.TB, file string) *loader.Module {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m, err := amdgpu.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
