//go:build linux

package capture_test

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/simt"
	_ "simtgdb/stub/arch/all"
	"simtgdb/stub/capture"
	"simtgdb/stub/device"
	"simtgdb/stub/device/devicetest"
	"simtgdb/stub/launch"
)

// page is how much memory of a region is kept at a time.
const page = 4096

// counter counts in a variable of its own how often it was launched, and writes it to out; it reads another
// variable, and leaves a third alone.
const counter = `.version 7.8
.target sm_80
.address_size 64
.visible .global .u32 count = 5;
.visible .global .u32 step = 1;
.visible .global .u32 unused = 9;
.visible .entry next(.param .u64 out) {
	.reg .b32 %r<4>;
	.reg .b64 %d<2>;
	ld.global.u32 %r1, [count];
	ld.global.u32 %r2, [step];
	add.u32 %r1, %r1, %r2;
	st.global.u32 [count], %r1;
	ld.param.u64 %d1, [out];
	st.global.u32 [%d1], %r1;
	ret;
}
`

// A program is one whose launches are captured.
type program struct {
	*testing.T
	*devicetest.Client
	dir    string
	c      *capture.Capturer
	module uint64
	fail   error // of what runs launches
}

func start(t *testing.T) *program {
	p := &program{T: t, dir: filepath.Join(t.TempDir(), "captured")}
	var err error
	if p.c, err = capture.To(p.dir); err != nil {
		t.Fatal(err)
	}
	run := func(ctx context.Context, l *device.Launch) (simt.Event, error) {
		if p.fail != nil {
			return simt.Event{}, p.fail
		}
		return l.Program.Run(ctx, 1)
	}
	p.Client = devicetest.Connect(t, devicetest.Listen(t, device.Options{Strict: true,
		Run: func(ctx context.Context, l *device.Launch) (simt.Event, error) {
			return p.c.Run(ctx, l, run)
		}}))
	return p
}

// launch launches the kernel of the module in one workgroup, and waits for it.
func (p *program) launch(items int, args ...any) {
	p.Helper()
	sizes := []any{0, p.module, 0, items, 1, 1, items, 1, 1, 0, 0, 0, 0, 0, 0}
	p.Ask(device.OpLaunch, append(sizes, args...)...)
	p.Ask(device.OpWait, 0, 0, 0)
}

func number(v uint64, size int) string {
	return string(binary.LittleEndian.AppendUint64(nil, v)[:size])
}

// saxpy has y[i] += 2 * x[i] of n elements.
func (p *program) saxpy(n int, x, y uint64) {
	p.Helper()
	p.launch(64, 4, 0, number(uint64(n), 4), 0, number(uint64(math.Float32bits(2)), 4), 0, number(x, 8),
		0, number(y, 8))
}

func (p *program) load(file string) {
	p.Helper()
	p.module = devicetest.Word(p.Ask(device.OpLoad, file, 0), 0)
}

func (p *program) loadSaxpy() {
	p.Helper()
	file, err := os.ReadFile("../../testdata/co/saxpy.gfx90a.O2.co")
	if err != nil {
		p.Fatal(err)
	}
	p.load(string(file))
}

// files are the names of those that have been written.
func (p *program) files() (all []string) {
	entries, err := os.ReadDir(p.dir)
	if err != nil {
		p.Fatal(err)
	}
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func (p *program) read(name string) []byte {
	p.Helper()
	b, err := os.ReadFile(filepath.Join(p.dir, name))
	if err != nil {
		p.Fatal(err)
	}
	return b
}

// again runs a launch that was captured: it comes to what it came to. It gives how many things it expects.
func (p *program) again(file string) (expected int) {
	p.Helper()
	s, err := launch.ReadSpec(launch.File{Path: filepath.Join(p.dir, file)})
	if err != nil {
		p.Fatal(err)
	}
	l, err := s.Load()
	if err != nil {
		p.Fatal(err)
	}
	ev, err := l.Run(context.Background(), 1)
	if bad := l.Check(); err != nil || ev.Kind != simt.EndEvent || len(bad) > 0 {
		p.Errorf("%s: %v, %v, %d are not as they were", file, err, ev.Kind, len(bad))
	}
	for i := range l.Buffers {
		if l.Buffers[i].Expected() {
			expected++
		}
	}
	return expected
}

func putFloats(b []byte, v float32) {
	for i := 0; i < len(b); i += 4 {
		binary.LittleEndian.PutUint32(b[i:], math.Float32bits(v))
	}
}

// TestMemory: of what a kernel has touched a launch file has the regions, with what was in them before, and
// of those that it has written to what was in them afterwards. Memory of zeros needs no file, and what was
// not touched is not there.
func TestMemory(t *testing.T) {
	p := start(t)
	p.loadSaxpy()
	x, xs := p.Alloc(64 * 4)
	y, ys := p.Alloc(3*page + 2)
	p.Alloc(page)
	putFloats(xs, 1)
	putFloats(ys[2*page:3*page], 5)
	first := page - 32*4 // of y that is written to: in the second half of the first page, and in the second
	p.saxpy(64, x, y+uint64(first))
	p.saxpy(64, x, y+uint64(first))
	names := func(launch, x, y string) []string {
		return []string{launch + ".json", launch + "." + x + ".in.bin", launch + "." + y + ".in.bin",
			launch + "." + y + ".out.bin"}
	}
	mx, my := "m"+strings.TrimPrefix(hex(x), "0x"), "m"+strings.TrimPrefix(hex(y), "0x")
	want := slices.Concat(names("0001-saxpy", mx, my), names("0002-saxpy", mx, my), []string{"module1.bin"})
	got := p.files()
	slices.Sort(want)
	if d := cmp.Diff(want, got); d != "" {
		t.Fatal(d)
	}
	if string(p.read("module1.bin")[:4]) != "\x7fELF" {
		t.Error("the module is no code object")
	}
	var contents [3][]byte // of y before, between and after the launches
	for i := range contents {
		contents[i] = make([]byte, len(ys))
		putFloats(contents[i][2*page:3*page], 5)
		putFloats(contents[i][first:page+32*4], float32(2*i))
	}
	for i, name := range []string{"0001-saxpy", "0002-saxpy"} {
		in, out := p.read(name+"."+my+".in.bin"), p.read(name+"."+my+".out.bin")
		if !slices.Equal(in, contents[i]) || !slices.Equal(out, contents[i+1]) {
			t.Errorf("%s: y is not what it was", name)
		}
		if !slices.Equal(p.read(name+"."+mx+".in.bin"), xs) {
			t.Errorf("%s: x is not what it was", name)
		}
		if n := p.again(name + ".json"); n != 1 {
			t.Errorf("%s expects contents of %d buffers, want y's alone", name, n)
		}
	}
	text := string(p.read("0001-saxpy.json"))
	for _, part := range []string{`"u32"`, `"u8"`, `"gfx90a"`} { // x is words, y is not
		if !strings.Contains(text, part) {
			t.Errorf("no %s in %s", part, text)
		}
	}
	if p.c.Err() != nil {
		t.Error(p.c.Err())
	}
}

func hex(v uint64) string {
	const digits = "0123456789abcdef"
	var b []byte
	for ; v > 0; v /= 16 {
		b = append(b, digits[v%16])
	}
	slices.Reverse(b)
	return string(b)
}

// TestVariables: variables of the module that are not as its file has them, or that the kernel has changed,
// are in the launch file by their names, whoever has changed them.
func TestVariables(t *testing.T) {
	p := start(t)
	p.load(counter)
	out, data := p.Alloc(page)
	for n := range 2 {
		p.launch(1, 1, 0, number(out, 8))
		if got := binary.LittleEndian.Uint32(data); got != uint32(6+n) {
			t.Fatalf("launch %d counts %d", n+1, got)
		}
	}
	for i, name := range []string{"0001-next.json", "0002-next.json"} {
		text := string(p.read(name))
		if !strings.Contains(text, `"count"`) || strings.Contains(text, `"unused"`) ||
			strings.Contains(text, `"step"`) || strings.Contains(text, "gfx") {
			t.Errorf("launch %d: %s", i+1, text)
		}
		p.again(name)
	}
	var values []uint32
	for _, f := range p.files() {
		if strings.Contains(f, "-next.s") {
			values = append(values, binary.LittleEndian.Uint32(p.read(f)))
		}
	}
	if !slices.Equal(values, []uint32{5, 6, 6, 7}) {
		t.Errorf("the variable is %v, want before and after each launch", values)
	}
}

// TestFailed: what a launch that faults leaves behind is no expectation, and one that does not run is not
// written at all.
func TestFailed(t *testing.T) {
	p := start(t)
	p.loadSaxpy()
	x, xs := p.Alloc(64 * 4)
	y, _ := p.Alloc(32 * 4)
	putFloats(xs, 1)
	p.saxpy(64, x, y)
	files := p.files()
	if slices.ContainsFunc(files, func(f string) bool { return strings.HasSuffix(f, ".out.bin") }) ||
		!slices.Contains(files, "0001-saxpy.json") || strings.Contains(string(p.read("0001-saxpy.json")),
		"expect") {
		t.Errorf("of a launch that faults: %q", files)
	}
	p.Ask(device.OpReset)
	p.loadSaxpy()
	x, _ = p.Alloc(64 * 4)
	p.fail = errors.New("no")
	p.saxpy(64, x, x)
	if again := p.files(); !slices.Equal(again, files) {
		t.Errorf("of a launch that is not run: %q", again)
	}
}

// TestFolder: launches go to a folder that is made, and that is empty. What cannot be written there is told
// once, and the program runs on.
func TestFolder(t *testing.T) {
	p := start(t)
	p.loadSaxpy()
	x, xs := p.Alloc(64 * 4)
	putFloats(xs, 1)
	if err := os.RemoveAll(p.dir); err != nil {
		t.Fatal(err)
	}
	p.saxpy(64, x, x)
	if err := p.c.Err(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without its folder: %v", err)
	}
	if err := os.Mkdir(p.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	p.saxpy(64, x, x)
	if got := math.Float32frombits(binary.LittleEndian.Uint32(xs)); got != 9 || len(p.files()) > 0 ||
		!errors.Is(p.c.Err(), os.ErrNotExist) {
		t.Errorf("afterwards: %v, %q, %v", got, p.files(), p.c.Err())
	}
	if err := os.WriteFile(filepath.Join(p.dir, "file"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := capture.To(p.dir); err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Errorf("into a folder with a file: %v", err)
	}
	if _, err := capture.To(filepath.Join(p.dir, "file")); err == nil {
		t.Error("into a file")
	}
}

// TestWhole: who writes launches in its own way is given the launch file, and the files that it names.
func TestWhole(t *testing.T) {
	p := start(t)
	p.loadSaxpy()
	x, xs := p.Alloc(64 * 4)
	putFloats(xs, 1)
	var file string
	var named []string
	p.c.Whole(func(l *device.Launch, to string, text []byte, files map[string][]byte) error {
		file = to
		for name := range files {
			if !strings.Contains(string(text), name) {
				t.Errorf("the launch file does not name %s", name)
			}
			named = append(named, name)
		}
		return errors.New("full")
	})
	p.saxpy(64, x, x)
	slices.Sort(named)
	m := "0001-saxpy.m" + hex(x)
	want := []string{m + ".in.bin", m + ".out.bin", "module1.bin"}
	if file != filepath.Join(p.dir, "0001-saxpy") || !slices.Equal(named, want) || len(p.files()) > 0 ||
		p.c.Err() == nil {
		t.Errorf("%s with %q, %v; in the folder %q", file, named, p.c.Err(), p.files())
	}
}

// TestNames: files are called after the launch's number and what users call the kernel, as far as a file can
// be, and after the device's number from the second on.
func TestNames(t *testing.T) {
	p := start(t)
	p.load(strings.ReplaceAll(counter, "next", "_Z"+"52"+strings.Repeat("verylongname_", 4)+"Pj"))
	out, _ := p.Alloc(page)
	p.launch(1, 1, 0, number(out, 8))
	want := "0001-" + strings.Repeat("verylongname_", 4)[:40] + ".json"
	if files := p.files(); !slices.Contains(files, want) {
		t.Errorf("%q, want %s", files, want)
	}
}

// allocating has its first launch allocate memory, which the others read and write.
const allocating = `.version 7.8
.target sm_80
.address_size 64
.extern .func (.param .b64 block) malloc (.param .b64 size);
.visible .entry next(.param .u64 out) {
	.reg .b32 %r<4>;
	.reg .b64 %d<4>;
	.reg .pred %p;
	.param .b64 size;
	.param .b64 block;
	ld.param.u64 %d1, [out];
	ld.global.u64 %d2, [%d1];
	setp.ne.u64 %p, %d2, 0;
	@%p bra there;
	mov.u64 %d3, 64;
	st.param.b64 [size], %d3;
	call (block), malloc, (size);
	ld.param.b64 %d2, [block];
	st.global.u64 [%d1], %d2;
	mov.u32 %r1, 5;
	st.u32 [%d2], %r1;
there:
	ld.u32 %r1, [%d2];
	add.u32 %r1, %r1, 1;
	st.u32 [%d2], %r1;
	st.global.u32 [%d1+8], %r1;
	ret;
}
`

// TestHeap: memory that kernels have allocated is there again for a launch that touches it, and for no other.
func TestHeap(t *testing.T) {
	p := start(t)
	p.load(allocating)
	out, data := p.Alloc(16)
	for n := range 2 {
		p.launch(1, 1, 0, number(out, 8))
		if got := binary.LittleEndian.Uint32(data[8:]); got != uint32(6+n) {
			t.Fatalf("launch %d comes to %d", n+1, got)
		}
	}
	first, second := string(p.read("0001-next.json")), string(p.read("0002-next.json"))
	if strings.Contains(first, `"heap"`) || !strings.Contains(second, `"heap"`) {
		t.Errorf("the first: %s\nthe second: %s", first, second)
	}
	p.again("0002-next.json")
	p.load(counter)
	p.launch(1, 1, 0, number(out, 8))
	if third := string(p.read("0003-next.json")); strings.Contains(third, `"heap"`) {
		t.Errorf("one that does not touch it: %s", third)
	}
}

// TestBinding: what a shader is bound to that is part of an allocation is that part of it again, and the
// label by which the program calls the shader is in the files' names.
func TestBinding(t *testing.T) {
	p := start(t)
	shader, err := os.ReadFile("../../testdata/hostprograms/scale.spv")
	if err != nil {
		t.Fatal(err)
	}
	words := func(values ...uint32) string {
		var b []byte
		for _, v := range values {
			b = binary.LittleEndian.AppendUint32(b, v)
		}
		return string(b)
	}
	// Specialised to 32 lanes, which add 7 to what the push constants multiply by 2.
	module := devicetest.Word(p.Ask(device.OpLoad, string(shader), 2, 0, words(32), 1, words(7)), 0)
	addr, data := p.Alloc(512)
	for i := range 128 {
		binary.LittleEndian.PutUint32(data[4*i:], uint32(i))
	}
	p.Ask(device.OpDispatch, 0, module, 0, 1, 1, 1, 0, 0, 0, 0, 0, "scaled twice", words(32, 2, 0), 1,
		0, 0, 0, 0, addr+64, 128)
	p.Ask(device.OpWait, 0, 0, 0)
	if got := binary.LittleEndian.Uint32(data[64:]); got != 16*2+7 {
		t.Fatalf("the first element is %d", got)
	}
	const name = "0001-scaled-twice"
	text := string(p.read(name + ".json"))
	plain := strings.Join(strings.Fields(text), "")
	if !strings.Contains(plain, `"memory":{"name":"m`+hex(addr)+`","add":64}`) {
		t.Errorf("no binding of the allocation from byte 64 on in %s", text)
	}
	out := p.read(name + ".m" + hex(addr) + ".out.bin")
	if !slices.Equal(out, data) {
		t.Error("what the allocation has afterwards is not what it had")
	}
	if p.again(name+".json") != 1 {
		t.Error("nothing is expected")
	}
}
