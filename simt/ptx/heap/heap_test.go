package heap

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"simtgdb/testdata/sweep"
)

// TestHeap takes and releases blocks at random: they never overlap, begin with zeros, keep what is written to
// them, and are one whole again when all are released.
func TestHeap(t *testing.T) {
	const size = 1 << 12
	r := rand.New(sweep.PCG(1, 2))
	heap := make([]byte, size)
	type block struct {
		at, size uint64
		fill     byte
	}
	var blocks []block
	refused := 0
	for step := range 20000 {
		if r.IntN(2) == 0 && len(blocks) > 0 {
			i := r.IntN(len(blocks))
			b := blocks[i]
			if got := heap[b.at:][:b.size]; bytes.Count(got, []byte{b.fill}) != len(got) {
				t.Fatalf(
					"step %d: a block of %d bytes at %d holds %x, all was %#x",
					step,
					b.size,
					b.at,
					got,
					b.fill,
				)
			}
			if !Release(heap, b.at) {
				t.Fatalf("step %d: the block at %d is not released", step, b.at)
			}
			if Release(heap, b.at) {
				t.Fatalf("step %d: the block at %d is released twice", step, b.at)
			}
			blocks = append(blocks[:i], blocks[i+1:]...)
			continue
		}
		b := block{size: 1 + r.Uint64N(200), fill: byte(1 + r.IntN(255))}
		var ok bool
		if b.at, ok = Take(heap, b.size); !ok {
			refused++
			continue
		}
		got := heap[b.at:][:b.size]
		if b.at%align != 0 || bytes.Count(got, []byte{0}) != len(got) {
			t.Fatalf("step %d: at %d are %x", step, b.at, got)
		}
		for i := range got {
			got[i] = b.fill
		}
		blocks = append(blocks, b)
	}
	if refused == 0 || refused > 5000 {
		t.Errorf("%d blocks of 20000 steps did not fit", refused)
	}
	for _, b := range blocks {
		Release(heap, b.at)
	}
	if at, ok := Take(heap, size-header); !ok || at != header {
		t.Errorf("all of it is at %d: %t", at, ok)
	}
}

// TestFirst: blocks are taken from the front, and one is as large as it needs to be.
func TestFirst(t *testing.T) {
	heap := make([]byte, 256)
	var at []uint64
	for range 4 {
		a, _ := Take(heap, 16)
		at = append(at, a)
	}
	for i, want := range []uint64{16, 48, 80, 112} {
		if at[i] != want {
			t.Errorf("block %d is at %d, want %d", i, at[i], want)
		}
	}
	Release(heap, 48)
	Release(heap, 80)
	if a, _ := Take(heap, 48); a != 48 { // two blocks and the header of one
		t.Errorf("a block in a gap is at %d, want 48", a)
	}
	if a, _ := Take(heap, 1); a != 144 {
		t.Errorf("a block behind a full gap is at %d, want 144", a)
	}
}

// TestRefused: what is no block, or does not fit.
func TestRefused(t *testing.T) {
	heap := make([]byte, 256)
	for _, n := range []uint64{0, 241, 256, ^uint64(0)} {
		if at, ok := Take(heap, n); ok {
			t.Errorf("%d bytes are at %d", n, at)
		}
	}
	if _, ok := Take(nil, 1); ok {
		t.Error("there is memory without a heap")
	}
	Take(heap, 16)
	for _, at := range []uint64{0, 15, 17, 32, 48, 272, ^uint64(0)} {
		if Release(heap, at) {
			t.Errorf("a block at %d is released", at)
		}
	}
	// A program may have written anything over the headers.
	for i := range heap {
		heap[i] = 0xff
	}
	if _, ok := Take(heap, 16); ok || Release(heap, 16) {
		t.Error("a heap without order has blocks")
	}
}
