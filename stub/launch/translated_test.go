package launch

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/gcn"
	"simtgdb/simt/vec"
	"simtgdb/testdata/sweep"
)

// coverage is what a launch executes that has a translation to code of the
// host, and what has none, by name.
type coverage struct {
	insts, translated uint64
	without           map[string]uint64
}

func (c *coverage) add(o *coverage) {
	c.insts += o.insts
	c.translated += o.translated
	for name, n := range o.without {
		c.without[name] += n
	}
}

func (c *coverage) share() float64 { return float64(c.translated) / float64(max(c.insts, 1)) }

// most lists what has no translation, with shares of all that is executed.
func (c *coverage) most(n int) string {
	names := make([]string, 0, len(c.without))
	for name := range c.without {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if d := int64(c.without[b]) - int64(c.without[a]); d != 0 {
			return int(max(-1, min(d, 1)))
		}
		return strings.Compare(a, b)
	})
	var b strings.Builder
	for _, name := range names[:min(n, len(names))] {
		fmt.Fprintf(&b, " %s %.2f%%", name, 100*float64(c.without[name])/float64(c.insts))
	}
	return b.String()
}

// covers executes a program an instruction at a time, or the beginning of a
// long one, less of it unless all is tried, and asks of each instruction whether it has a translation.
func covers(t *testing.T, p *Program) *coverage {
	t.Helper()
	most := uint64(sweep.Times(3_000, 30_000))
	c, isa, m := &coverage{without: map[string]uint64{}}, p.isa(), p.Machine
	by := map[uint64]string{} // "" for what has one
	if err := m.Fill(); err != nil {
		t.Fatal(err)
	}
	for waves := m.Waves(); len(waves) > 0 && c.insts < most; waves = m.Waves() {
		ran := false
		for _, w := range slices.Clone(waves) {
			for range 512 {
				pc, before := w.PC, w.Insts
				if w.State != simt.Ready {
					break
				}
				name, known := by[pc]
				if !known {
					in, err := isa.Decode(m.CodeAt(pc), pc)
					if err != nil {
						t.Fatal(err)
					}
					if !isa.Translates(in, gcn.ModeDenorm32|gcn.ModeDenorm64|gcn.ModeIEEE) {
						name = in.Op.Name
					}
					by[pc] = name
				}
				ev, err := m.StepWave(w, 1)
				if err != nil || ev.Kind == simt.FaultEvent {
					t.Fatal(ev, err)
				}
				ran = ran || w.Insts > before
				c.insts += w.Insts - before
				if name == "" {
					c.translated += w.Insts - before
				} else {
					c.without[name] += w.Insts - before
				}
			}
		}
		if !ran {
			t.Fatal("no wave can run")
		}
	}
	return c
}

// TestTranslated measures how much of what compiled kernels execute has a
// translation, at both levels; if SIMTGDB_SWEEP is set, of all targets and in
// both ways of translating. -v lists what has none. The bars are what was reached.
func TestTranslated(t *testing.T) {
	paths := []vec.Path{vec.Current()}
	if sweep.All() {
		paths = vec.Paths()[1:]
	}
	defer vec.Use(vec.Current())
	for _, p := range paths {
		t.Run(p.String(), func(t *testing.T) {
			vec.Use(p)
			testTranslated(t)
		})
	}
}

func testTranslated(t *testing.T) {
	bars := map[string]float64{"O0": 0.98, "O2": 0.92, "gfx10 on, O0": 0.98, "gfx10 on, O2": 0.95}
	if vec.Current() < vec.AVX512 {
		bars = map[string]float64{"O0": 0.96, "O2": 0.86, "gfx10 on, O0": 0.96, "gfx10 on, O2": 0.86}
	}
	if !sweep.All() {
		bars["gfx10 on, O2"] -= 0.02 // only the beginnings, of one processor
	}
	sums := map[string]*coverage{}
	files, err := filepath.Glob(filepath.Join(kernels, "launch", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		objects, err := filepath.Glob(filepath.Join(kernels, "co", name+".*.co"))
		if err != nil {
			t.Fatal(err)
		}
		later, err := filepath.Glob(filepath.Join(kernels, "rdna", "co", name+".*.co"))
		if err != nil {
			t.Fatal(err)
		}
		for _, object := range append(objects, later...) {
			part := strings.Split(filepath.Base(object), ".")
			target, level := part[1], part[2]
			few := []string{"gfx90a", "gfx1250"}
			if !sweep.All() && !slices.Contains(few, target) {
				continue
			}
			if slices.Contains(later, object) {
				level = "gfx10 on, " + level
			}
			s, err := ReadSpec(File{Path: file})
			if err != nil {
				t.Fatal(err)
			}
			s.CodeObject = File{Path: object}
			c := covers(t, load(t, s))
			t.Logf("%s: %.1f%% of %d;%s", filepath.Base(object), 100*c.share(), c.insts, c.most(6))
			for _, key := range []string{level, target} {
				if sums[key] == nil {
					sums[key] = &coverage{without: map[string]uint64{}}
				}
				// Each launch counts as much as any other.
				sums[key].add(c.scaled(1_000_000))
			}
		}
	}
	for key, c := range sums {
		t.Logf("%s: %.2f%%;%s", key, 100*c.share(), c.most(60))
		if c.share() < bars[key] {
			t.Errorf("%s: %.2f%% have a translation, less than %.2f%%", key, 100*c.share(), 100*bars[key])
		}
	}
}

// scaled is a coverage of n instructions.
func (c *coverage) scaled(n uint64) *coverage {
	s := &coverage{insts: n, without: map[string]uint64{}}
	s.translated = n
	for name, k := range c.without {
		s.without[name] = k * n / c.insts
		s.translated -= s.without[name]
	}
	return s
}
