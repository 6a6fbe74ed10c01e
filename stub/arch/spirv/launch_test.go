package spirv_test

import (
	"context"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"simtgdb/simt"
	_ "simtgdb/stub/arch/spirv"
	"simtgdb/stub/launch"
	"simtgdb/stub/printf/host"
)

// testFiles are the modules of testdata/spirv with a launch file.
func testFiles(t testing.TB, launchFile string) fstest.MapFS {
	t.Helper()
	fsys := fstest.MapFS{"l.json": {Data: []byte(launchFile)}}
	paths, err := filepath.Glob(filepath.Join("..", "..", "..", "testdata", "spirv", "*.spv"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no modules in testdata (%v)", err)
	}
	for _, p := range paths {
		b, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		fsys[filepath.Base(p)] = &fstest.MapFile{Data: b}
	}
	return fsys
}

// load loads what a launch file says.
func load(t testing.TB, launchFile string) (*launch.Program, error) {
	t.Helper()
	s, err := launch.ReadSpec(launch.File{Path: "l.json", FS: testFiles(t, launchFile)})
	if err != nil {
		t.Fatal(err)
	}
	return s.Load()
}

func run(t *testing.T, launchFile string) (*launch.Program, string) {
	t.Helper()
	p, err := load(t, launchFile)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	p.Host.Sink = func(x host.Text) { text.Write(x.Text) }
	ev, err := p.Run(context.Background(), 0)
	if err != nil || ev.Kind != simt.EndEvent {
		t.Fatalf("run: %v, %v", ev, err)
	}
	return p, text.String()
}

func words(p *launch.Program, buffer int) []uint32 {
	b := p.Buffers[buffer].Region.Data
	w := make([]uint32, len(b)/4)
	for i := range w {
		w[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return w
}

func TestNamesAndPrinting(t *testing.T) {
	p,
		text := run(t,
		`{"code_object": "say.Od.spv", "groups": [1], "bindings": [{"name": "r", "type": "u32", "count": 4}]}`)
	if w := words(p, 0); w[3] != 9 {
		t.Errorf("results %v", w)
	}
	want := "lane 0: 0.000000 1.000000, 0.000000, 2.500000 0\nlane 1: 0.500000 1.000000, 1.000000, 2.500000 -1\n" +
		"lane 2: 1.000000 1.000000, 2.000000, 2.500000 -2\nlane 3: 1.500000 1.000000, 3.000000, 2.500000 -3\n"
	if text != want {
		t.Errorf("printed\n%swant\n%s", text, want)
	}
}

func TestPointersAndConstants(t *testing.T) {
	p, _ := run(t, `{"code_object": "nodes.Od.spv", "groups": [1], "push": [{"u64": 0}, {"u32": 2}, {"u32": 0}],
		"bindings": [{"set": 0, "binding": 0, "type": "u32", "count": 8},
			{"kind": "memory", "name": "nodes", "type": "u32", "count": 8, "init": "iota"}],
		"pointers": [{"in": "push", "at": 0, "to": "nodes"}, {"in": "nodes", "at": 8, "to": "nodes", "add": 16},
			{"in": "nodes", "at": 24, "to": "nodes"}]}`)
	if w := words(p, 0); w[0] != 0 || w[1] != 0 || w[2] != 8 || w[7] != 8 {
		t.Errorf("results %v", w)
	}
	p, _ = run(t, `{"code_object": "spec.O.spv", "groups": [1], "bindings": [{"name": "r", "type": "f32", "count": 6}],
		"spec": {"0": {"u32": 3}, "1": {"u32": 2}, "2": {"i32": 1}, "3": {"f32": 2}, "4": {"bool": true}}}`)
	if w := words(p, 0); math.Float32frombits(w[5]) != 4*1+2*2+0+302 {
		t.Errorf("results %v", math.Float32frombits(w[5]))
	}
}

func TestKernelArguments(t *testing.T) {
	p, _ := run(t, `{"code_object": "cl_sum.cl.spv", "grid": [64], "block": [32], "args": [
		{"buffer": {"type": "i32", "count": 100, "init": "iota"}}, {"buffer": {"type": "i32", "count": 2}},
		{"local": 128}, {"i32": 100}]}`)
	if w := words(p, 1); w[0] != 31*32/2+(64+95)*32/2 || w[1] != (32+63)*32/2+(96+99)*4/2 {
		t.Errorf("results %v", w)
	}
}

func TestLaunchErrors(t *testing.T) {
	for launchFile, want := range map[string]string{
		`{"code_object": "shared.Od.spv", "groups": [1], "bindings": [{"name": "a", "type": "u32", "count": 64}]}`: `set 0, binding 1, element 0 ("Out") is used and has no buffer`,
		`{"code_object": "say.Od.spv", "groups": [1], "bindings": [{"name": "q", "type": "u32", "count": 4}]}`:     `the module has no buffer "q"; it has Out`,
		`{"code_object": "say.Od.spv", "groups": [1], "spec": {"9": {"u32": 1}}}`:                                  `the module has no specialisation constant 9`,
		`{"code_object": "mandel.O.spv", "groups": [1], "bindings": [{"name": "r", "type": "u32", "count": 4}]}`:   `push constants: none are given, the module has width (u32), limit (u32): give them, as --push width=u32:1 --push limit=u32:1`,
	} {
		if _, err := load(t, launchFile); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n got %v\nwant %s", launchFile, err, want)
		}
	}
}

// TestChoices: robust access and contraction are asked for in launch files.
func TestChoices(t *testing.T) {
	file := func(more string) string {
		return `{"code_object": "contract.Od.spv", "groups": [1], ` + more + ` "bindings": [
			{"set": 0, "binding": 0, "type": "f32", "count": 5, "init": "fill:1.1"},
			{"set": 0, "binding": 1, "type": "f32", "count": 16}]}`
	}
	p, _ := run(t, file(`"robust": true,`))
	x := float32(1.1)
	got := words(p, 1)
	if got[0] != math.Float32bits(x*x+x) || got[8] != math.Float32bits(x*x) {
		t.Errorf("robust: %v and %v", math.Float32frombits(got[0]), math.Float32frombits(got[8]))
	}
	once := float32(float64(x)*float64(x) + float64(x)) // the product is exact in 64 bits
	if once == x*x+x {
		t.Fatal("numbers that contraction does not change")
	}
	p, _ = run(t, file(`"robust": true, "contract": true,`))
	if got = words(p, 1); got[0] != math.Float32bits(once) {
		t.Errorf("contracted: %v, want %v", math.Float32frombits(got[0]), once)
	}
}
