package main

import (
	"context"
	"encoding/binary"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/vec"
	"simtgdb/stub/launch"
	"simtgdb/testdata/reference"
)

// The kernels that are measured compute what C says, on every machine and in every path that the host has for
// it. TestKernels runs them with less to do than the launch files say.

// A measured is a kernel with a dispatch, and what the dispatch leaves in the last buffer.
type measured struct {
	name  string
	grid  launch.Dims
	count []uint64 // of the elements of buffers
	ints  []uint32 // the other arguments
	want  func(fused bool) []uint32
}

const side, rounds, length = 64, 256, 8192

var kernels = []measured{
	{"matmul", launch.Dims{side, side, 1}, []uint64{side * side, side * side, side * side}, []uint32{side},
		product},
	{"mandelbrot", launch.Dims{side, side, 1}, []uint64{side * side}, []uint32{side, rounds}, picture},
	{"hash", launch.Dims{length, 1, 1}, []uint64{length}, []uint32{rounds}, hashes},
	{"vecadd", launch.Dims{length, 1, 1}, []uint64{length, length, length}, nil, sums},
	{"fir", launch.Dims{length, 1, 1}, []uint64{length + 15, 16, length}, nil, filtered},
}

// input is element i of an input buffer, as fill makes it.
func input(which, i int) float32 { return float32(i%(251+6*which))*0.5 - 60 }

// product needs no rounding: the factors are halves and small.
func product(bool) (want []uint32) {
	for y := range side {
		for x := range side {
			sum := float32(0)
			for k := range side {
				sum += input(0, y*side+k) * input(1, k*side+x)
			}
			want = append(want, math.Float32bits(sum))
		}
	}
	return want
}

// picture is the Mandelbrot set, with products that are added rounded by themselves or fused as clang fuses
// them.
func picture(fused bool) (want []uint32) {
	fma := reference.FMA32
	if !fused {
		fma = func(x, y, z float32) float32 {
			p := x * y // rounded: the assignment keeps Go from fusing
			return p + z
		}
	}
	for y := range side {
		for x := range side {
			cr, ci := -2+3*float32(x)/side, -1.5+3*float32(y)/side
			zr, zi, n := float32(0), float32(0), uint32(0)
			for n < rounds && fma(zr, zr, zi*zi) <= 4 {
				t := fma(zr, zr, -(zi*zi)) + cr
				zi = fma(2*zr, zi, ci)
				zr = t
				n++
			}
			want = append(want, n)
		}
	}
	return want
}

func hashes(bool) (want []uint32) {
	for i := range uint32(length) {
		h := i
		for round := range uint32(rounds) {
			h ^= h >> 16
			h *= 0x7feb352d
			h ^= h >> 15
			h *= 0x846ca68b
			h ^= h >> 16
			h += round
		}
		want = append(want, h)
	}
	return want
}

func sums(bool) (want []uint32) {
	for i := range length {
		want = append(want, math.Float32bits(input(0, i)+input(1, i)))
	}
	return want
}

func filtered(bool) (want []uint32) {
	for i := range length {
		sum := float32(0)
		for k := range 16 {
			sum += input(1, k) * input(0, i+k)
		}
		want = append(want, math.Float32bits(sum))
	}
	return want
}

func TestKernels(t *testing.T) {
	was := vec.Current()
	defer vec.Use(was)
	for _, target := range slices.Sorted(maps.Keys(programs)) {
		if strings.HasPrefix(programs[target], "gen/") {
			continue // TestGenerations runs it
		}
		for _, c := range kernels {
			want := c.want(target != "spirv") // SPIR-V has a multiplication and an addition
			for _, p := range vec.Paths() {
				vec.Use(p)
				for _, interpreted := range []bool{true, false} {
					if !interpreted && p == vec.Portable {
						continue // nothing is translated
					}
					c.compare(t, programs[target], p, interpreted, want)
				}
			}
		}
	}
}

// TestGenerations runs what IGC made for each generation at both levels.
func TestGenerations(t *testing.T) {
	names, err := filepath.Glob("gen/*.zebin")
	if err != nil || len(names) != 11 {
		t.Fatalf("%d objects: %v", len(names), err)
	}
	for _, c := range kernels {
		want := c.want(true)
		for _, name := range names {
			c.compare(t, name, vec.Current(), false, want)
		}
	}
}

// compare runs a kernel and compares what it leaves.
func (c *measured) compare(t *testing.T, object string, path vec.Path, interpreted bool, want []uint32) {
	t.Helper()
	s, err := launch.ReadSpec(launch.File{Path: c.name + ".json"})
	if err != nil {
		t.Fatal(err)
	}
	s.CodeObject.Path = filepath.Join(filepath.Dir(s.CodeObject.Path), object)
	s.Grid = c.grid
	count, ints := c.count, c.ints
	for i := range s.Args {
		if a := &s.Args[i]; a.Kind == launch.BufferArg {
			a.Buffer.Count, count = count[0], count[1:]
		} else {
			a.Value, ints = binary.LittleEndian.AppendUint32(nil, ints[0]), ints[1:]
		}
	}
	p, err := s.Load()
	if err != nil {
		t.Fatal(err)
	}
	fill(p)
	if a, ok := p.Machine.ISA().(simt.LDSAvoider); ok && a.AvoidsLDS() != (c.name != "matmul") {
		t.Errorf("%s of %s: it uses no LDS: %t", object, c.name, a.AvoidsLDS())
	}
	p.Machine.Interpret = interpreted
	ev, err := p.Run(context.Background(), 2)
	if err != nil || ev.Kind != simt.EndEvent {
		t.Fatalf("%s of %s: %v %v %v", object, c.name, ev.Kind, ev.Fault, err)
	}
	all, by := p.Machine.Stats().Insts, p.Machine.Translation()
	switch translates := !interpreted && path != vec.Portable; {
	case !translates && by != simt.Translation{}:
		t.Errorf("%s of %s by %v, interpreted %t: %+v is translated", object, c.name, path, interpreted, by)
	case translates && (by.Insts == 0 || by.Insts > all):
		t.Errorf("%s of %s by %v: %d of %d instructions are translated", object, c.name, path, by.Insts, all)
	case translates && c.name == "matmul" && !strings.HasSuffix(object, ".co") && by.Interludes < side*side/64: // at the barriers
		t.Errorf("%s of %s by %v: %d interludes", object, c.name, path, by.Interludes)
	}
	data := p.Buffers[len(p.Buffers)-1].Region.Data
	for i, w := range want {
		if got := binary.LittleEndian.Uint32(data[4*i:]); got != w {
			t.Errorf("%s of %s by %v, interpreted %t: element %d is %#x, want %#x", object, c.name, path,
				interpreted, i, got, w)
			return
		}
	}
}
