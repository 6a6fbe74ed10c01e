package check

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/testdata/sweep"
)

// TestLateAlike: the same is found whether reads are looked at when somebody writes, or at once.
func TestLateAlike(t *testing.T) {
	found := 0
	for seed := range uint64(sweep.Times(500, 2000)) {
		var all [2][]string
		for late := range all {
			all[late] = sharing(t, seed, late == 1)
		}
		if !slices.Equal(all[0], all[1]) {
			t.Fatalf("seed %d: at once\n%s\nlate\n%s", seed, strings.Join(all[0], "\n"),
				strings.Join(all[1], "\n"))
		}
		found += len(all[0])
	}
	if found == 0 {
		t.Error("nothing was found")
	}
}

// sharing is what is found in random accesses of two waves to LDS or global memory, with barriers and fences.
func sharing(t *testing.T, seed uint64, late bool) (found []string) {
	r := rand.New(sweep.PCG(seed, 3))
	w := newWorld(t)
	w.Look(Race)
	group := w.waves[0].Group
	space := []simt.Space{lds, global}[seed%2]
	wide := func(a *simt.Access) *simt.Access { // lanes side by side, all at one place, or somewhere
		a.Lanes = uint64(1 + r.IntN(15))
		step := uint64(4 * r.IntN(3))
		if a.Write {
			step = max(step, 4)
		}
		for l := range 3 {
			a.Addr[l+1] = a.Addr[l] + step
		}
		return a
	}
	for step := range 40 {
		if !late {
			w.group(group).late.written = true
			w.wrote(&simt.Access{Size: 1024, Lanes: 1, Addr: &[simt.MaxLanes]uint64{w.buffer.Base}}, spread{})
		}
		wave, pc, at := r.IntN(2), uint64(0x100+4*r.IntN(12)), uint64(4*r.IntN(6))
		before := len(w.found)
		switch r.IntN(8) {
		case 0, 1, 2, 3:
			w.Observe(wide(w.access(wave, pc, space, at, "read")))
		case 4:
			w.Observe(wide(w.access(wave, pc+0x100, space, at, "write")))
		case 5:
			w.Fence(w.waves[wave], simt.Fence{Order: simt.Acquire | simt.Release, Scope: simt.GroupScope,
				Spaces: simt.AllSpaces})
		case 6:
			if r.IntN(2) == 0 {
				w.Observe(w.access(wave, pc+0x200, space, at, "add acquire release group"))
			}
		default:
			for _, one := range w.waves[:2] {
				if r.IntN(8) > 0 {
					w.Fence(one, simt.Fence{Order: simt.Release, Scope: simt.GroupScope,
						Spaces: simt.AllSpaces})
				}
			}
			w.Opened(simt.Meeting{Waves: w.waves[:2]})
		}
		for _, one := range w.found[before:] {
			found = append(found, fmt.Sprintf("%d: %#x %v %v", step, one.PC, one.Addr, one.Others))
		}
	}
	return found
}

// BenchmarkRows looks for races in rows of 64 lanes: of global memory, which many waves read, and of LDS.
func BenchmarkRows(b *testing.B) {
	for _, space := range []simt.Space{global, lds} {
		for _, write := range []bool{false, true} {
			b.Run(fmt.Sprintf("%v/write=%v", space, write), func(b *testing.B) {
				w := newWorldOf(&testing.T{}, 64)
				w.Look(Race)
				var addr [simt.MaxLanes]uint64
				for l := range addr {
					if addr[l] = uint64(4 * l); space == global {
						addr[l] += w.buffer.Base
					}
				}
				a := &simt.Access{Space: space, Read: !write, Write: write, Size: 4, Lanes: ^uint64(0),
					Addr: &addr, PC: 0x100}
				for i := range b.N {
					a.Wave = w.waves[i&1]
					w.Observe(a)
					if i%64 == 63 {
						for _, one := range w.waves[:2] {
							w.Fence(one, simt.Fence{Order: simt.Release, Scope: simt.GroupScope,
								Spaces: simt.AllSpaces})
						}
						w.Opened(simt.Meeting{Waves: w.waves[:2]})
					}
				}
			})
		}
	}
}
