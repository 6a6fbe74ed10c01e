package spirv

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"simtgdb/simt"
	"simtgdb/simt/rows/host"
	"simtgdb/simt/simttest"
	"simtgdb/simt/vec"
	"simtgdb/testdata/sweep"
)

const (
	codeBase = 0x1_0000
	dataBase = 0x40_0000
)

// testModule reads a module of testdata/spirv.
func testModule(t testing.TB, name string) []uint32 {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "testdata", "spirv", name))
	if err != nil {
		t.Fatal(err)
	}
	return wordsOf(b)
}

func wordsOf(b []byte) []uint32 {
	w := make([]uint32, len(b)/4)
	for i := range w {
		w[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return w
}

// A launch is one run of a module.
type launch struct {
	o       Options
	groups  [3]uint32
	block   [3]uint32 // of kernels; shaders have their own
	offset  [3]uint32 // of global ids
	short   uint32    // work-items that the last workgroups lack in the first direction
	buffers map[Slot][]byte
	ranges  map[Slot]uint64 // how many bytes of buffers are bound, where it is not all
	images  map[Slot]picture
	nothing []Slot // bindings that are bound to nothing
	push    []byte
	args    []byte          // of a kernel; at the offsets in argBuffers go addresses of buffers
	pointer map[uint64]Slot // offset in args or push -> the buffer whose address goes there
	local   uint32          // bytes of workgroup memory behind the module's own, for arguments
	printed *[]Printf
	workers int
	track   bool
	sized   map[int]bool // results of 32 words that depend on the size of a subgroup
	tickets Slot         // a buffer of numbers that invocations draw, in any order
	joint   bool         // invocations see what others have stored: the module cannot be run in parts
}

// A ran is what a launch left behind.
type ran struct {
	p       *Program
	m       *simt.Machine
	isa     *ISA
	regions map[Slot]*simt.Region
	event   simt.Event
}

func (r *ran) words(s Slot) []uint32 { return wordsOf(r.regions[s].Data) }

func (r *ran) floats(s Slot) []float32 {
	var fs []float32
	for _, w := range r.words(s) {
		fs = append(fs, math.Float32frombits(w))
	}
	return fs
}

func compareSlots(a, b Slot) int {
	return cmp.Or(cmp.Compare(a.Set, b.Set), cmp.Compare(a.Binding, b.Binding),
		cmp.Compare(a.Element, b.Element))
}

// start loads a module and makes its machine.
func (l *launch) start(t testing.TB, words []uint32) *ran {
	t.Helper()
	l.o.Base, l.o.Data = codeBase, dataBase
	p, err := New(words, l.o)
	if err != nil {
		t.Fatal(err)
	}
	mem := simt.NewMemory()
	code := make([]byte, 0, 4*len(words))
	for _, w := range words {
		code = binary.LittleEndian.AppendUint32(code, w)
	}
	if _, err := mem.Map("code", codeBase, code, simt.PermRead|simt.PermExec); err != nil {
		t.Fatal(err)
	}
	r := &ran{p: p, regions: map[Slot]*simt.Region{}}
	alloc := func(name string, data []byte) *simt.Region {
		reg, err := mem.Alloc(name, uint64(len(data)), simt.PermRead|simt.PermWrite)
		if err != nil {
			t.Fatal(err)
		}
		copy(reg.Data, data)
		return reg
	}
	ln := Launch{Bindings: map[Slot]Buffer{}, Offset: l.offset}
	for _, slot := range l.nothing {
		ln.Bindings[slot] = Buffer{}
	}
	order := slices.SortedFunc(maps.Keys(l.buffers), compareSlots)
	for _, s := range order {
		r.regions[s] = alloc("buffer", l.buffers[s])
		size, part := l.ranges[s]
		if !part {
			size = uint64(len(l.buffers[s]))
		}
		ln.Bindings[s] = Buffer{r.regions[s].Base, size}
	}
	blocks := map[Slot]*simt.Region{}
	for _, s := range slices.SortedFunc(maps.Keys(l.images), compareSlots) {
		texels := alloc("texels", l.images[s].data)
		r.regions[s] = texels
		block := alloc("image", l.images[s].block(texels.Base))
		blocks[s] = block
		ln.Bindings[s] = Buffer{block.Base, uint64(len(block.Data))}
	}
	for at, s := range l.pointer {
		to := l.push
		if l.args != nil {
			to = l.args
		}
		region := r.regions[s]
		if b := blocks[s]; b != nil { // an image's value is where its block is
			region = b
		}
		binary.LittleEndian.PutUint64(to[at:], region.Base)
	}
	if l.push != nil {
		reg := alloc("push", l.push)
		ln.Push = Buffer{reg.Base, uint64(len(l.push))}
	}
	if l.args != nil {
		reg := alloc("args", l.args)
		ln.Args = Buffer{reg.Base, uint64(len(l.args))}
	}
	if l.printed != nil {
		ln.Print = func(_ *simt.Wave, _ int, p Printf) { *l.printed = append(*l.printed, p) }
	}
	if data := p.Data(); data != nil {
		if _, err := mem.Map("data", dataBase, data, simt.PermRead|simt.PermWrite); err != nil {
			t.Fatal(err)
		}
	}
	if r.isa, err = p.Bind(mem, ln); err != nil {
		t.Fatal(err)
	}
	block := p.WorkgroupSize()
	if block[0] == 0 {
		block = l.block
	}
	d := simt.Dispatch{Block: block, Entry: p.Entry(), LDSSize: uint32(p.LDSSize()) + l.local,
		ScratchSize: p.ScratchSize(), ScratchLimit: p.ScratchSize() + 64}
	for i := range d.Grid {
		d.Grid[i] = max(l.groups[i], 1) * block[i]
	}
	d.Grid[0] -= l.short
	if r.m, err = simt.New(mem, r.isa, d); err != nil {
		t.Fatal(err)
	}
	r.m.Track = l.track
	return r
}

// run runs a module to its end, and what can be divided again by [launch.runDivided], and
// translated and not.
func (l *launch) run(t testing.TB, words []uint32) *ran {
	t.Helper()
	r := l.start(t, words)
	r.p.note(t)
	var err error
	if r.event, err = r.m.Run(context.Background(), max(l.workers, 1)); err != nil {
		t.Fatal(err)
	}
	l.runDivided(t, words, r)
	l.runTranslated(t, words)
	l.runOther(t, words)
	if sweep.All() || host.Available() && (len(words)/5+int(vec.Current()))%2 == 0 { // in one of the paths
		l.runBulk(t, words)
	}
	return r
}

// RegisterBytes implements simttest.Registers.
func (s *State) RegisterBytes(lanes uint64) []byte {
	f := s.f[:s.p.slots*s.lanes]
	if lanes != ^uint64(0)>>(64-s.lanes) {
		all := f
		f = make([]uint64, 0, len(all))
		for ; len(all) > 0; all = all[s.lanes:] {
			simt.Lanes(lanes, func(l int) { f = append(f, all[l]) })
		}
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(f))), 8*len(f))
}

// runOther is runTranslated with subgroups of another size than the usual one; which, a module decides.
func (l launch) runOther(t testing.TB, words []uint32) {
	t.Helper()
	sizes := []int{8, 16, 64}
	if !sweep.All() {
		k := len(words) % len(sizes)
		sizes = sizes[k : k+1]
		if (len(words)/3+int(vec.Current()))%2 != 0 {
			return // in one of the paths
		}
	}
	if l.o.SubgroupSize != 0 {
		return
	}
	for _, l.o.SubgroupSize = range sizes {
		o := l.o
		if _, err := New(words, o); err == nil { // else it is no module of this size
			l.runTranslated(t, words)
		}
	}
}

// variants are the modules of a source in testdata/spirv.
func variants(t testing.TB, source string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", "..", "testdata", "spirv", source+".*.spv"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no modules of %s (%v)", source, err)
	}
	for i, p := range paths {
		paths[i] = filepath.Base(p)
	}
	return paths
}

func bytes32(vs ...uint32) []byte {
	var b []byte
	for _, v := range vs {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return b
}

func floatBytes(vs ...float32) []byte {
	var b []byte
	for _, v := range vs {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return b
}

// random is a small generator of the same numbers everywhere.
type random uint64

func (r *random) next() uint32 {
	*r = *r*6364136223846793005 + 1442695040888963407
	return uint32(*r >> 33)
}

func (r *random) words(n int) []uint32 {
	w := make([]uint32, n)
	for i := range w {
		w[i] = r.next() << 1 >> (r.next() & 31)
	}
	return w
}

// forEach runs a test on all variants of a source, plainly and as under a debugger: each in one path of
// package vec, with `make check-all` all in each.
func forEach(t *testing.T, source string, f func(t *testing.T, words []uint32, track bool)) {
	t.Helper()
	forAll(t, simttest.Share(source, waysOf(t, source)...), f)
}

// A way is a module, run with a debugger's record or without.
type way struct {
	module string
	track  bool
}

func waysOf(t *testing.T, source string) (ways []way) {
	t.Helper()
	for _, name := range variants(t, source) {
		ways = append(ways, way{name, false}, way{name, true})
	}
	return ways
}

// forAll is forEach for given ways, all of them.
func forAll(t *testing.T, ways []way, f func(t *testing.T, words []uint32, track bool)) {
	t.Helper()
	for _, w := range ways {
		t.Run(fmt.Sprintf("%s/tracked %v", strings.TrimSuffix(w.module, ".spv"), w.track),
			func(t *testing.T) { f(t, testModule(t, w.module), w.track) })
	}
}
