package rsp

import (
	"strings"
	"testing"
)

// TestZeroRegisters writes registers of 0 of all sizes that there are, behind what is there already.
func TestZeroRegisters(t *testing.T) {
	for size := range 80 {
		w := RegisterWriter{text: []byte("ab")}
		w.Zero(size)
		if want := "ab" + strings.Repeat("00", size); string(w.text) != want {
			t.Errorf("%d bytes: %s, want %s", size, w.text, want)
		}
	}
}
