package gen

import (
	"bytes"
	"math/rand"
	"testing"

	"simtgdb/simt/rows/regions/x86"
	"simtgdb/testdata/sweep"
)

// templates are what random kernels of other generations than Gen9 are made of besides forms: instructions of
// programs that take channels apart, bring them together, and end a thread.
type templates struct{ apart, together, end []byte }

// knownTemplates are those of generations that a test has asked for: each path has the same.
var knownTemplates = map[*Generation]templates{}

func templatesOf(t *testing.T, g *Generation, folder string) (found templates) {
	t.Helper()
	if found, ok := knownTemplates[g]; ok {
		return found
	}
	codeSections(t, folder, func(_, _ string, code []byte, text []string) {
		at := 0
		for range text {
			in, err := g.Decode(code[at:], codeBase)
			if err != nil {
				t.Fatal(err)
			}
			c := bytes.Clone(code[at : at+in.Size])
			switch at += in.Size; {
			case in.Size != 16:
			case in.Op.Name == "goto" && in.pred != 0 && !in.noMask && !in.branch:
				found.apart = c
			case in.Op.Name == "join" && in.pred == 0 && !in.noMask:
				found.together = c
			case in.eot:
				found.end = c
			}
		}
	})
	if found.apart == nil || found.together == nil || found.end == nil {
		t.Fatalf("%s: %x: some are missing", g.Name, found)
	}
	knownTemplates[g] = found
	return found
}

// width is where instructions have for how many channels they are.
func (k *randomKernel) width() uint {
	switch {
	case k.gen.wide:
		return 18
	case k.gen.untyped:
		return 16
	}
	return 21
}

// all appends a template for all channels.
func (k *randomKernel) all(code []byte) (at int) {
	at = len(k.code)
	k.code = append(k.code, code...)
	k.field(at, k.width(), 3, map[int]uint64{8: 3, 16: 4, 32: 5}[k.simd])
	return at
}

// parts appends statements, some of which some channels go past.
func (k *randomKernel) parts(have *templates, n, deep int) {
	for range n {
		if deep == 0 || k.rnd.Intn(6) != 0 {
			k.form()
			continue
		}
		at := k.all(have.apart)
		if k.gen.untyped {
			k.field(at, 28, 1, uint64(k.rnd.Intn(2)))
		} else {
			k.field(at, 20, 1, uint64(k.rnd.Intn(2)))
		}
		k.parts(have, k.rnd.Intn(6), deep-1)
		first := k.all(have.together)
		k.field(first, 96, 32, 16)
		end := first
		if k.rnd.Intn(3) == 0 {
			k.parts(have, k.rnd.Intn(3), deep-1)
			end = k.all(have.together)
			k.field(end, 96, 32, 16)
		}
		k.target(at, first, end)
	}
}

// TestTranslatedAgreesLater is TestTranslatedAgrees for the other generations: code without loops, of the
// forms that IGC makes for each. Kernel 5 of Xe-HPC faults at once, and goes back from there.
func TestTranslatedAgreesLater(t *testing.T) {
	if !x86.Available() {
		t.Skip("no translated code")
	}
	translated := uint64(0)
	defer translating(1, func(n uint64) { translated += n })()
	seeds, used := []int64{0, 1, 2, 5}, 0
	if sweep.All() {
		seeds = seeds[:0]
		for seed := range int64(400) {
			seeds = append(seeds, seed)
		}
	}
	for _, c := range compiled[1:] {
		list, have, before := forms(t, c.generation), templatesOf(t, c.generation, c.folder), translated
		for _, seed := range seeds {
			rnd := rand.New(sweep.Source(seed))
			k := &randomKernel{gen: c.generation, rnd: rnd, forms: list, simd: 8 << rnd.Intn(3)}
			if c.generation.wide {
				k.simd = 16 << rnd.Intn(2)
			}
			k.parts(&have, 20+rnd.Intn(60), 2)
			k.code = append(k.code, have.end...)
			used += k.agree(t, seed)
		}
		t.Logf("%s: %d instructions in translated code", c.generation.Name, translated-before)
		if translated-before < 20*uint64(len(seeds)) {
			t.Errorf("%s: too few to tell", c.generation.Name)
		}
	}
	if t.Logf("%d uses of what has no contents", used); used < len(seeds) {
		t.Errorf("%d uses of what has no contents: too few to tell", used)
	}
}
