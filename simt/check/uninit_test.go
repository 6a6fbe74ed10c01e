package check

import (
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/simt"
)

// TestWritesRow: what lanes write side by side is noted as it is one by one.
func TestWritesRow(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	rows := 0
	for range 500 {
		size := []int{4, 8, 16, 2}[r.IntN(4)]
		first, n := r.IntN(60), 1+r.IntN(64)
		n = min(n, simt.MaxLanes-first)
		a := &simt.Access{Write: true, Size: size, Lanes: ^uint64(0) >> (simt.MaxLanes - n) << first,
			Addr: new([simt.MaxLanes]uint64)}
		if r.IntN(5) == 0 {
			a.Lanes &= r.Uint64() | 1<<first
		}
		at, step := 0x8000+uint64(r.IntN(0x1000))&^3, uint64([]int{size, size, size, 2 * size}[r.IntN(4)])
		for l := range a.Addr {
			a.Addr[l] = at + uint64(l)*step
		}
		const base = 0x7000 / wordSize
		c := &Checker{generation: 1}
		got, want := newDefined(), newDefined()
		if !c.writesRow(a, a.Lanes, got, base) {
			continue
		}
		rows++
		c.memory(a, a.Lanes, want, func(word uint64, _ int) uint64 { return word - base })
		if d := cmp.Diff(maps.Collect(want.All()), maps.Collect(got.All())); d != "" {
			t.Fatalf("%d bytes from %#x on, %d apart, lanes %#x: %s", size, at, step, a.Lanes, d)
		}
	}
	if rows < 50 {
		t.Errorf("%d rows", rows)
	}
}
