package expr

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestWrittenPieces takes expressions apart without evaluating them.
func TestWrittenPieces(t *testing.T) {
	for _, tt := range []struct {
		name, code string
		want       []WrittenPiece
	}{
		{"no pieces", "9108", nil},
		{"empty", "", nil},
		{"two registers", "50 9304 51 9308", []WrittenPiece{{32, false}, {64, false}}},
		{"the second alone", "9304 51 9304", []WrittenPiece{{32, true}, {32, false}}},
		{"nothing", "9304 9302", []WrittenPiece{{32, true}, {16, true}}},
		{"bits", "50 9d0300 30 9f 9d0501", []WrittenPiece{{3, false}, {5, false}}},
		{"something behind the last piece", "50 9304 51", nil},
		{"a branch over nothing", "31 280100 96 50 9304", []WrittenPiece{{32, false}}},
		{"two ways to the same", "31 280600 50 9304 2f0300 51 9304", []WrittenPiece{{32, false}}},
		{"two ways to others", "31 280600 50 9304 2f0300 51 9302", nil},
		{"a branch back", "31 50 9304 28f9ff", nil},
		{"a branch into an operation", "31 280200 50 9304 51 9304", nil},
		{"a composite as an entry", "50 9304 e90a 9304", nil},
		{"more bits than there are", "50 93ffffffffffffffffff01", nil},
		{"cut off", "50 93", nil},
	} {
		got := WrittenPieces(unhex(squeeze(tt.code)), nil, Format{})
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", tt.name, diff)
		}
	}
}
