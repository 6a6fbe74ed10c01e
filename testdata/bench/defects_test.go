package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"simtgdb/simt"
	checkers "simtgdb/simt/check"
	"simtgdb/stub/launch"
	"simtgdb/stub/objects"
	"simtgdb/testdata/sweep"
)

// Random programs with a defect that is put into each, and its twin without: checkers find the one and
// nothing in the other. A program is phases, each of which writes all of an array of workgroup memory, in one
// order, and reads it in another, with barriers between. A defect is a barrier that is not there, an element
// that nobody writes, an index that leaves the workgroup's memory or only the array, or lanes of one wave
// that meet: in one instruction, or on the two sides of a branch. Which elements meet is worked out here, for
// waves of up to 64 lanes.

const (
	defectItems = 128 // of a workgroup, and elements of an array
	widestWave  = 64
)

// A phase of a program: work-item i writes element i*Write+WriteAt of an array, and reads i*Read+ReadAt, each
// modulo the elements, by odd factors, so that each element is met once.
type phase struct {
	array, write, writeAt, read, readAt int
	loop                                int // how often it is done
	add                                 int
}

func (p *phase) written(i int) int { return (i*p.write + p.writeAt) % defectItems }
func (p *phase) reads(i int) int   { return (i*p.read + p.readAt) % defectItems }

// meet reports whether what some work-item accesses by one function another does by the other, of another
// wave.
func meet(one, other func(i int) int) bool {
	var by [defectItems]int
	for i := range by {
		by[one(i)] = i
	}
	for i := range by {
		if by[other(i)]/widestWave != i/widestWave {
			return true
		}
	}
	return false
}

// randomPhases makes some phases.
func randomPhases(r *rand.Rand) (all []phase) {
	odd := func() int { return 2*r.IntN(defectItems/2) + 1 }
	arrays := 1 + r.IntN(3)
	for range 2 + r.IntN(5) {
		p := phase{r.IntN(arrays), odd(), r.IntN(defectItems), odd(), r.IntN(defectItems), 1 + r.IntN(3),
			r.IntN(1000)}
		all = append(all, p)
	}
	return all
}

// A planted is a defect: its kind, and the phase that has it.
type planted struct {
	kind checkers.Kinds // 0 of the twin
	late bool           // the barrier behind the reads is missing, not that before them
	at   int
	name string

	near  bool // only the array is left, by one element, not the workgroup's memory
	pairs bool // two work-items write one element at once
	sides bool // of each pair of work-items one reads what the other writes, on another side of a branch
}

// in reports whether a machine's code still has the defect, and what tells it of others: that an array is
// left is known where the language has arrays, or debugging information of what is not optimised, which IGC
// leaves out where there are several kernels; and optimisers take branches away.
func (d *planted) in(machine string, optimised bool) bool {
	arrays := machine == "ptx" || machine == "spirv" || !optimised && amdgpu[machine]
	return (!d.near || arrays) && (!d.sides || !optimised)
}

// amdgpu are the machines that are AMD's.
var amdgpu = map[string]bool{"gcn": true, "gfx10": true, "gfx11": true, "gfx12": true}

// plant gives the defects that phases can have, one of each kind where there is room for it.
func plant(r *rand.Rand, all []phase) (list []planted) {
	list = append(list, planted{name: "ok"})
	k := r.IntN(len(all))
	if p := &all[k]; meet(p.written, p.reads) {
		list = append(list, planted{kind: checkers.Race, at: k, name: "race"})
	}
	for k := range all[1:] {
		p, next := &all[k], &all[k+1]
		if p.array == next.array && meet(p.reads, next.written) {
			list = append(list, planted{kind: checkers.Race, at: k, late: true, name: "late"})
			break
		}
	}
	list = append(list, planted{kind: checkers.Uninit, name: "uninit"}, // in the first phase: no array has anything yet
		planted{kind: checkers.Bounds, at: r.IntN(len(all)), name: "bounds"},
		planted{kind: checkers.Bounds, at: r.IntN(len(all)), name: "near", near: true},
		planted{kind: checkers.Race, at: r.IntN(len(all)), name: "pairs", pairs: true},
		planted{kind: checkers.Race, at: r.IntN(len(all)), name: "sides", sides: true})
	return list
}

// items are the numbers of work-items.
var items = func() (all [defectItems]int) {
	for i := range all {
		all[i] = i
	}
	return all
}()

// own are what kernels call of the library, for PTX where there is no libclc.
const own = `#ifdef OWN
typedef unsigned int uint;
#define CLK_LOCAL_MEM_FENCE 1
#define get_local_id(d) __nvvm_read_ptx_sreg_tid_x()
#define get_global_id(d) (__nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + get_local_id(d))
#define barrier(fence) __syncthreads()
#endif
`

// source is a kernel of phases with a defect.
func (d *planted) source(name string, all []phase, skipped int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "__kernel void %s(__global uint *out) {\n", name)
	for a := range 3 { // one that is not used would leave it open where the others are in LDS
		if !slices.ContainsFunc(all, func(p phase) bool { return p.array == a }) {
			continue
		}
		fmt.Fprintf(&b, "  __local uint a%d[%d];\n", a, defectItems)
	}
	b.WriteString("  uint i = get_local_id(0), sum = 0;\n")
	for k := range all {
		p, here := &all[k], k == d.at
		guard, index, item := "", "", "i"
		if here && d.kind == checkers.Uninit {
			guard = fmt.Sprintf("if (i != %d) ", skipped)
		}
		if here && d.kind == checkers.Bounds {
			index = " + 65536"
		}
		if here && d.near {
			last := slices.IndexFunc(items[:], func(i int) bool { return p.reads(i) == defectItems-1 })
			index = fmt.Sprintf(" + (i == %d)", last)
		}
		if here && d.pairs {
			item = "(i & ~1u)"
		}
		loop := p.loop
		if here || k > 0 && all[k-1].array == p.array && d.late {
			loop = 1
		}
		fmt.Fprintf(&b, "  for (uint l = 0; l < %d; l++) {\n", loop)
		place := func(item string) string {
			return fmt.Sprintf("a%d[(%s * %d + %d) %% %d]", p.array, item, p.write, p.writeAt, defectItems)
		}
		value := fmt.Sprintf("i * sum + l + i + %d", p.add)
		fmt.Fprintf(&b, "    %s%s = %s;\n", guard, place(item), value)
		if here && d.sides {
			fmt.Fprintf(&b, "    barrier(CLK_LOCAL_MEM_FENCE);\n")
			fmt.Fprintf(&b, "    if (i & 1) %s = sum + 7; else sum += %s;\n", place("i"), place("(i + 1)"))
		}
		if missing := d.kind == checkers.Race && !d.late && !d.pairs && !d.sides; !here || !missing {
			b.WriteString("    barrier(CLK_LOCAL_MEM_FENCE);\n")
		}
		fmt.Fprintf(&b, "    sum = sum * 3 + a%d[(i * %d + %d) %% %d%s];\n", p.array, p.read, p.readAt,
			defectItems, index)
		if !here || !d.late {
			b.WriteString("    barrier(CLK_LOCAL_MEM_FENCE);\n")
		}
		b.WriteString("  }\n")
	}
	b.WriteString("  out[get_global_id(0)] = sum;\n}\n")
	return b.String()
}

// TestRandomDefects finds what is put into random programs, and nothing in their twins, on every machine
// whose compiler is here.
func TestRandomDefects(t *testing.T) {
	for _, c := range compilers {
		if *randomPrograms == few && c.machine != "gcn" && c.machine != "ptx" && c.machine != "spirv" &&
			c.machine != "gen" {
			continue
		}
		t.Run(c.machine, func(t *testing.T) {
			for _, tool := range c.tools {
				if _, err := exec.LookPath(tool); err != nil {
					t.Skipf("skipped: %v", err)
				}
			}
			for from := 0; from < *randomPrograms; from += *batchSize {
				c.findPlanted(t, *firstProgram+from, min(*batchSize, *randomPrograms-from))
			}
		})
	}
}

// findPlanted compiles some programs together and looks through them.
func (c *compiler) findPlanted(t *testing.T, first, n int) {
	t.Helper()
	folder := t.TempDir()
	var text strings.Builder
	text.WriteString(own)
	var defects []planted
	for seed := first; seed < first+n; seed++ {
		r := rand.New(sweep.PCG(uint64(seed), 7))
		all := randomPhases(r)
		for _, d := range plant(r, all) {
			d.name = fmt.Sprintf("k%d_%s", seed, d.name)
			text.WriteString(d.source(d.name, all, r.IntN(defectItems)))
			defects = append(defects, d)
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "k.cl"), []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	levels := slices.Concat(c.levels, c.rest)
	if *randomPrograms == few {
		levels = levels[:1]
	}
	for _, level := range levels {
		object, err := c.compile(folder, level)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range defects {
			if !d.in(c.machine, levelName(level) != "O0") {
				continue
			}
			kinds, what, err := lookThrough(object, d.name)
			switch {
			case err != nil:
				t.Errorf("%s %s: %v", level, d.name, err)
			case d.kind == 0 && kinds != 0:
				t.Errorf("%s %s is right, and is reported: %s", level, d.name, what)
			case d.kind&^kinds != 0:
				t.Errorf("%s %s: %v is not found, but %v: %s\n%s", level, d.name, d.kind, kinds, what,
					text.String())
			}
		}
	}
}

// lookThrough runs a kernel and gives the kinds of defect that are found; a fault is one of bounds.
func lookThrough(object, kernel string) (kinds checkers.Kinds, what string, err error) {
	spec := object + ".json"
	text := fmt.Sprintf(`{"code_object": %q, "kernel": %q, "grid": [%d,1,1], "block": [%d,1,1], "args": [
		{"buffer": {"type": "u32", "count": %d, "init": "zero"}}]}`, object, kernel, 2*defectItems, defectItems, 2*defectItems)
	if err := os.WriteFile(spec, []byte(text), 0o600); err != nil {
		return 0, "", err
	}
	s, err := launch.ReadSpec(launch.File{Path: spec})
	if err != nil {
		return 0, "", err
	}
	p, err := s.Load()
	if err != nil {
		return 0, "", err
	}
	objects.Find(p, nil)
	checker := checkers.New(p.Machine, checkers.All)
	checker.Objects = p.Objects
	checker.Sink = func(r *checkers.Report) bool {
		kinds |= r.Kind
		what += fmt.Sprintf("%v at %#x: %s %s; ", r.Kind, r.PC, r.What, r.Access())
		return false
	}
	checker.Attach()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	ev, err := p.Run(ctx, 1)
	if err == nil && ev.Kind == simt.FaultEvent {
		kinds |= checkers.Bounds
	}
	return kinds, what, err
}
