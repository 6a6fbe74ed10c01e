package gcn

import (
	"bytes"
	"testing"
)

// TestHalfOfExec: who wants EXEC of 32 lanes reads and writes its lower half.
func TestHalfOfExec(t *testing.T) {
	var r Regs
	whole := []byte{1, 2, 3, 4, 5, 6, 7, 8}
	if err := r.Write(RegExec, 0, whole); err != nil {
		t.Fatal(err)
	}
	half := make([]byte, 4)
	if err := r.Read(RegExec, 0, half); err != nil || !bytes.Equal(half, whole[:4]) {
		t.Errorf("%x, %v", half, err)
	}
	if err := r.Write(RegExec, 0, []byte{9, 9, 9, 9}); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 8)
	if err := r.Read(RegExec, 0, got); err != nil || !bytes.Equal(got, []byte{9, 9, 9, 9, 5, 6, 7, 8}) {
		t.Errorf("%x, %v", got, err)
	}
}
