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

// TestPrivateRows: what lanes read and write at one place of their private memory is noted, and found to have
// no contents, as it is one by one.
func TestPrivateRows(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	rows, bads := 0, 0
	for range 100 {
		c := &Checker{generation: 1, kinds: Uninit}
		w := &simt.Wave{Size: 8 << r.IntN(4)}
		got, want := newDefined(), newDefined()
		bytes := r.IntN(2) == 0
		for range 20 {
			kind := r.IntN(3)
			a := &simt.Access{Wave: w, Space: simt.Scratch, Read: kind != 1, Write: kind > 0, Deferred: true,
				Size: []int{4, 8, 16, 64, 2, 12}[r.IntN(6)], Addr: new([simt.MaxLanes]uint64),
				Lanes: r.Uint64() >> (64 - w.Size), Nothing: r.Uint64() & r.Uint64(), Spoilt: r.Uint64()}
			at := uint64(r.IntN(64)) &^ 3
			for l := range a.Addr {
				a.Addr[l] = at
			}
			if r.IntN(10) == 0 {
				a.Addr[r.IntN(64)] += 4
			}
			if bytes {
				a.Bytes = new([simt.MaxLanes]uint64)
				for l := range a.Bytes {
					a.Bytes[l] = r.Uint64() & r.Uint64() & (^uint64(0) >> (64 - a.Size))
				}
			}
			if a.Lanes == 0 {
				continue
			}
			b := *a
			if bytes {
				b.Bytes = new([simt.MaxLanes]uint64)
				*b.Bytes = *a.Bytes
			}
			bad, ok := c.privateRows(a, got)
			if !ok {
				c.memory(a, a.Lanes, got, privateIndex(a))
			} else {
				rows++
				c.blankRead(a, bad)
			}
			c.memory(&b, b.Lanes, want, privateIndex(&b))
			if a.Blank != 0 {
				bads++
			}
			if a.Blank != b.Blank || a.Spoilt != b.Spoilt || a.Amid != b.Amid ||
				bytes && *a.Bytes != *b.Bytes {
				t.Fatalf("%+v, one by one %+v", *a, b)
			}
		}
		if d := cmp.Diff(maps.Collect(want.All()), maps.Collect(got.All())); d != "" {
			t.Fatal(d)
		}
	}
	if rows < 300 || bads < 30 {
		t.Errorf("%d rows, %d without contents", rows, bads)
	}
}
