package main

import (
	"path/filepath"
	"testing"
)

// TestPlaces: what mutants change is there, once.
func TestPlaces(t *testing.T) {
	for _, m := range mutants {
		if _, err := m.source(filepath.Join("..", "..")); err != nil {
			t.Error(err)
		}
	}
}
