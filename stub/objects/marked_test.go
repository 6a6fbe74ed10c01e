package objects

import (
	"context"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/check"
	_ "simtgdb/stub/arch/all"
	"simtgdb/stub/launch"
	"simtgdb/testdata/sweep"
)

const checkObjects = "../../testdata/check/"

// programOf is what flags say, with what is known of its arrays by the sources in a folder.
func programOf(t *testing.T, folder string, args ...string) *launch.Program {
	t.Helper()
	var flags launch.Flags
	set := flag.NewFlagSet("run", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	flags.Register(set)
	if err := set.Parse(args); err != nil {
		t.Fatal(err)
	}
	s, err := flags.Spec(nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Load()
	if err != nil {
		t.Fatal(err)
	}
	Find(p, []string{folder})
	return p
}

// launched is a kernel of testdata/check for one workgroup of 128, whose first buffer counts from 0.
func launched(t *testing.T, object, kernel, folder string) *launch.Program {
	t.Helper()
	return programOf(t, folder, "--code-object", checkObjects+object, "--kernel", kernel, "--grid", "128",
		"--block", "128", "--arg", "buf:i32[512]=iota", "--arg", "buf:i32[512]=zero")
}

// run runs a program and gives what is found of some kinds.
func run(t *testing.T, p *launch.Program, kinds check.Kinds, sink func(*check.Report)) {
	t.Helper()
	c := check.New(p.Machine, kinds)
	c.Objects = p.Objects
	c.Sink = func(r *check.Report) bool { sink(r); return false }
	c.Attach()
	if ev, err := p.Run(context.Background(), 1); err != nil || ev.Kind == simt.FaultEvent {
		t.Fatalf("%+v, %v", ev, err)
	}
}

// A marked is a kernel that leaves an array, and what its source says of that. Work-item i reads i from its
// first buffer at i.
type marked struct {
	source, kernel string
	line           int
	twice          bool   // the element is read and written
	element        string // the array's text
	bytes          uint64
	subscript      string // what leads out of it, as it is said; "" where the access is in another array
	leaves         func(i int) bool
	objects        string // that are run, with * for the name; PTX and SPIR-V find some by themselves
}

const (
	manyObjects = "*.O0.co *.O2.co *.O2.ptx *.O0.ptx *.O0.gfx1100.co *.KERNEL.O0.zebin *.KERNEL.O2.zebin"
	noPTX       = "*.O0.co *.KERNEL.O0.zebin *.O0.gfx1100.co *.KERNEL.O2.zebin"
	noIntel     = "*.O0.co *.O2.co *.O2.ptx *.O0.ptx *.O0.gfx1100.co"
	inFrames    = "*.O0.co *.O0.ptx *.KERNEL.O0.zebin *.O0.gfx1100.co"
	inCalled    = "*.O2.co *.O0.co *.O0.ptx *.O0.gfx1100.co *.KERNEL.O0.zebin"
	inLanes     = "*.O0.co *.KERNEL.O0.zebin"
	withCalls   = "*.O0.co *.O0.ptx *.O0.gfx1100.co"
)

func last(of int) func(int) bool { return func(i int) bool { return i%of == of-1 } }

var allMarked = []marked{
	{"arrays", "before_bounds", 18, false, "b", 128, "", func(i int) bool { return i%32 == 0 }, noPTX},
	{"arrays", "store_bounds", 52, true, "b", 128, "", func(i int) bool { return i == 31 }, noPTX},
	{"arrays", "frame_bounds", 89, false, "b", 128, "",
		func(i int) bool { return i%64 < 16 || i%64 >= 48 }, inFrames},
	{"arrays", "called_bounds", 115, false, "first", 128, "",
		func(i int) bool { return i%64 >= 32 }, inCalled},
	{"rows", "column_bounds", 18, false, "tile", 512, "row: [x + 1] is 16, of 16",
		func(i int) bool { return i%16 == 15 && i < 112 }, manyObjects},
	{"rows", "plane_bounds", 49, true, "cube", 240, "row: [in[y] - 1] is -1, of 3",
		func(int) bool { return true }, inLanes},
	{"rows", "entry_bounds", 79, false, "weights", 48, "row: [column] is 4, of 4",
		func(i int) bool { return i%5 == 3 }, noIntel},
	{"members", "member_bounds", 29, false, "s.a", 32, "", last(8), noPTX},
	{"members", "arrow_bounds", 54, false, "p->b", 32, "[k - 1] is -1, of 8",
		func(i int) bool { return i%8 == 0 }, manyObjects},
	{"members", "element_bounds", 78, true, "t[y].a", 32, "[in[x] + 1] is 8, of 8", last(8), manyObjects},
	{"members", "cell_bounds", 105, false, "g->cell", 128, "row: [x + 1] is 8, of 8", last(8), manyObjects},
	{"members", "frame_bounds", 129, false, "s.a", 32, "", func(i int) bool { return i%16 >= 8 }, inFrames},
	{"members", "pointer_bounds", 156, false, "rows[y]", 32, "[x + 1] is 8, of 8", last(8), manyObjects},
	{"members", "called_bounds", 173, false, "rows[y]", 32, "[x + 1] is 8, of 8", last(8), withCalls},
}

// objectsOf are the files of a list, or if tests do not sweep the first one and one more, another each turn.
func objectsOf(list, source, kernel string, turn int) (names []string) {
	all := strings.Fields(strings.NewReplacer("*", source, "KERNEL", kernel).Replace(list))
	for i, name := range all {
		if i == 0 || sweep.All() || i == turn%len(all) {
			names = append(names, name)
		}
	}
	return names
}

// TestMarked: each work-item that leaves an array is told of, with the array, where that is, and the
// subscript, and no other.
func TestMarked(t *testing.T) {
	for n, m := range allMarked {
		for _, object := range objectsOf(m.objects, m.source, m.kernel, n) {
			t.Run(object+"/"+m.kernel, func(t *testing.T) {
				t.Parallel()
				found := map[bool]int{}
				p := launched(t, object, m.kernel, checkObjects+"src")
				run(t, p, check.Bounds, func(r *check.Report) {
					found[r.Write]++
					m.judge(t, p, r, strings.Contains(object, "O0"))
				})
				if found[false] == 0 || found[true] > 0 != m.twice {
					t.Errorf("%d reads and %d writes are found", found[false], found[true])
				}
			})
		}
	}
}

// place is what a report says of an array's place.
var place = regexp.MustCompile(`"(.*?)" is at \[(0x\w+),(0x\w+)\) in (\w+) memory, (\d+) bytes\.`)

// judge holds a report against the source. All work-items of a wave are wanted of code that does what a line
// says at once.
func (m *marked) judge(t *testing.T, p *launch.Program, r *check.Report, all bool) {
	t.Helper()
	if at, _ := p.Source.At(r.PC); filepath.Base(at.File) != m.source+".cl" || int(at.Line) != m.line {
		t.Errorf("it is at %v, want line %d", at, m.line)
	}
	what, advice := fmt.Sprintf("the source has an element of %q, and ", m.element), ""
	if says, ofRow := strings.CutPrefix(m.subscript, "row: "); m.subscript == "" {
		what += "the access is outside of it"
	} else if advice = says + " elements. "; ofRow {
		what += "a subscript leads out of its row"
	} else {
		what += "a subscript leads out of it"
	}
	says := place.FindAllStringSubmatch(r.Advice, -1)
	if r.What != what || !strings.HasPrefix(r.Advice, advice+`"`+m.element+`" is at`) || len(says) == 0 {
		t.Fatalf("%s: %s\nwant %s: %s", r.What, r.Advice, what, advice)
	}
	for i, s := range says {
		lo, _ := strconv.ParseUint(s[2], 0, 64)
		hi, _ := strconv.ParseUint(s[3], 0, 64)
		in := i > 0 || strings.HasPrefix(m.subscript, "row: ") // who leaves a row is in another one
		if i == 0 && (fmt.Sprint(hi-lo) != s[5] || hi-lo != m.bytes) || s[4] != r.Space.String() ||
			(r.Addr >= lo && r.Addr < hi) != in {
			t.Errorf("%s: the access is at %#x in %v memory, of %d bytes", s[0], r.Addr, r.Space, m.bytes)
		}
	}
	for l := range r.Wave.Size {
		i := int(r.Wave.WorkItem(l)[0])
		if got := r.Lanes>>l&1 != 0; got != m.leaves(i) && (got || all) {
			t.Errorf("work-item %d: reported is %v", i, got)
		}
	}
}

// TestNothingMarked: kernels that look like those, and leave no array, are not told of.
func TestNothingMarked(t *testing.T) {
	const objects = "*.O0.co *.O2.ptx *.O2.co *.O0.ptx *.O0.gfx1100.co"
	for source, kernels := range map[string]string{"arrays": "before store frame",
		"rows":    "column plane entry",
		"members": "member arrow element cell frame pointer called flexible union"} {
		for n, k := range strings.Fields(kernels) {
			for _, object := range objectsOf(objects, source, "", n) {
				t.Run(object+"/"+k, func(t *testing.T) {
					t.Parallel()
					p := launched(t, object, k+"_ok", checkObjects+"src")
					run(t, p, check.Bounds, func(r *check.Report) {
						at, _ := p.Source.At(r.PC)
						t.Errorf("%v: %s: %s", at, r.What, r.Advice)
					})
				})
			}
		}
	}
}
