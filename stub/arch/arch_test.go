package arch

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"simtgdb/loader"
	"simtgdb/simt"
	"simtgdb/simt/texel"
)

// A family of the tests knows files by how they begin.
type family struct {
	Family
	name, begins string
	processors   []string
	module       *loader.Module
}

func (f family) Name() string               { return f.name }
func (f family) Detect(data []byte) bool    { return bytes.HasPrefix(data, []byte(f.begins)) }
func (f family) Owns(m *loader.Module) bool { return m == f.module }
func (f family) Processors() []string       { return f.processors }

// TestFamilies: families are found by the names of files, modules and processors, in the order of their names
// whatever the order in which they were registered, so that what two of them take is always the same one's.
func TestFamilies(t *testing.T) {
	was := families
	defer func() { families = was }()
	families = nil
	own := &loader.Module{}
	for _, f := range []family{
		{name: "Third", begins: "a", processors: []string{"p5"}},
		{name: "First", begins: "ab", processors: []string{"p1", "p2"}, module: own},
		{name: "Second", begins: "a", processors: []string{"p3", "p2"}},
	} {
		RegisterFamily(f)
	}
	var names []string
	for _, f := range Families() {
		names = append(names, f.Name())
	}
	if got := strings.Join(names, " "); got != "First Second Third" {
		t.Errorf("the families are %s", got)
	}
	for file, want := range map[string]string{"abc": "First", "acc": "Second", "b": ""} {
		if f := Detect([]byte(file)); f == nil && want != "" || f != nil && f.Name() != want {
			t.Errorf("%s is of %v, want %s", file, f, want)
		}
	}
	if f := Of(own); f == nil || f.Name() != "First" {
		t.Errorf("a module is of %v", f)
	}
	if f := Of(&loader.Module{}); f != nil {
		t.Errorf("a module of nobody is of %s", f.Name())
	}
	for processor, want := range map[string]string{"p2": "First", "p3": "Second", "p5": "Third"} {
		if f, err := OfProcessor(processor); err != nil || f.Name() != want {
			t.Errorf("%s is of %v, %v, want %s", processor, f, err, want)
		}
	}
	const want = `processor "p9" is not known; these are: p1, p2, p3, p2, p5`
	if f, err := OfProcessor("p9"); err == nil || err.Error() != want || f != nil {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestDimensions: what OpenCL's get_work_dim gives is what the host has named, or the fewest dimensions that
// the grid needs.
func TestDimensions(t *testing.T) {
	for _, c := range []struct {
		grid  [3]uint32
		named int
		want  int
	}{
		{[3]uint32{64, 1, 1}, 0, 1}, {[3]uint32{1, 1, 1}, 0, 1}, {[3]uint32{64, 2, 1}, 0, 2},
		{[3]uint32{64, 1, 2}, 0, 3}, {[3]uint32{1, 2, 2}, 0, 3}, {[3]uint32{64, 1, 1}, 1, 1},
		{[3]uint32{64, 1, 1}, 3, 3}, {[3]uint32{64, 2, 2}, 1, 1},
	} {
		if got := (&Launch{Grid: c.grid, WorkDim: c.named}).Dimensions(); got != c.want {
			t.Errorf("%v, named %d: %d dimensions, want %d", c.grid, c.named, got, c.want)
		}
	}
}

// TestOnly: what a launch gives that a kernel has no use for is an error that names it.
func TestOnly(t *testing.T) {
	given := map[string]func(l *Launch){
		"bindings":           func(l *Launch) { l.Bindings = make([]Binding, 1) },
		"push constants":     func(l *Launch) { l.Push = make([]byte, 1) },
		"user data":          func(l *Launch) { l.UserData = make([]Datum, 1) },
		"arguments":          func(l *Launch) { l.Params = make([]Param, 1) },
		"the size of a wave": func(l *Launch) { l.Subgroup = 32 },
		"contraction":        func(l *Launch) { l.Contract = true },
		"robust access":      func(l *Launch) { l.Robust = true },
	}
	for _, c := range []struct {
		name   string
		only   func(l *Launch) error
		refuse []string
	}{
		{"arguments", (*Launch).OnlyArguments, []string{"bindings", "push constants", "user data",
			"the size of a wave", "contraction"}},
		{"user data", (*Launch).OnlyUserData, []string{"bindings", "push constants", "arguments",
			"the size of a wave", "contraction"}},
		{"no robustness", (*Launch).NotRobust, []string{"robust access"}},
	} {
		if err := c.only(&Launch{}); err != nil {
			t.Errorf("only %s: nothing is given, and %v", c.name, err)
		}
		for what, give := range given {
			var l Launch
			give(&l)
			err := c.only(&l)
			if refused := err != nil; refused != slices.Contains(c.refuse, what) ||
				refused && !strings.Contains(err.Error(), what) {
				t.Errorf("only %s, given %s: %v", c.name, what, err)
			}
		}
	}
}

// TestDims: sizes are given unless all are zero, and are printed as CUDA's and HIP's documents write them.
func TestDims(t *testing.T) {
	if (Dims{}).Given() || !(Dims{0, 0, 1}).Given() || (Dims{1, 2, 3}).String() != "(1,2,3)" {
		t.Error((Dims{}).Given(), (Dims{0, 0, 1}).Given(), Dims{1, 2, 3})
	}
}

// TestPutUint: numbers are little-endian in as many bytes as there are, and zeros beyond eight.
func TestPutUint(t *testing.T) {
	for _, c := range []struct {
		v    uint64
		want []byte
	}{
		{0x0102030405060708, []byte{8, 7}}, {5, []byte{}},
		{0x0102030405060708, []byte{8, 7, 6, 5, 4, 3, 2, 1}},
	} {
		got := make([]byte, len(c.want))
		if PutUint(got, c.v); !bytes.Equal(got, c.want) {
			t.Errorf("%#x: % x, want % x", c.v, got, c.want)
		}
	}
}

// TestFlag: the flag that help shows for a binding is one that gives the launch what it needs.
func TestFlag(t *testing.T) {
	for _, c := range []struct {
		b    NeedBinding
		want string
	}{
		{NeedBinding{Set: 1, Number: 2, Kind: "storage", Type: "f32", Count: 64},
			"--binding 1.2=f32[64]=zero"},
		{NeedBinding{Number: 2, Element: 1, Kind: "uniform", Type: "u32", Count: 4},
			"--binding 0.2[1]=uniform:u32[4]=zero"},
		{NeedBinding{Kind: "sampler"}, "--binding 0.0=sampler:nearest"},
		{NeedBinding{Kind: "image", Format: "R32_SFLOAT"}, "--binding 0.0=image:R32_SFLOAT[16]=zero"},
		{NeedBinding{Kind: "image", Format: "R32_SFLOAT", Dimensions: 2},
			"--binding 0.0=image:R32_SFLOAT[16x16]=zero"},
		{NeedBinding{Kind: "image", Format: "R8_UINT", Dimensions: 3, Cube: true},
			"--binding 0.0=image:R8_UINT[16x16x16]:cube=zero"},
	} {
		if got := c.b.Flag(); got != c.want {
			t.Errorf("%+v: %s, want %s", c.b, got, c.want)
		}
	}
}

// TestDescribedImage: a kernel in OpenCL C is given the address of the description of an image, in memory of
// its own that it cannot write to; what is no image is refused.
func TestDescribedImage(t *testing.T) {
	memory := simt.NewMemory()
	if _, err := DescribedImage(memory, []byte{1, 2, 3}); err == nil || len(memory.Regions()) > 0 {
		t.Errorf("three bytes are an image: %v", err)
	}
	m := texel.NewImage(texel.ByName("r64_uint"), texel.Plane, [3]int{5, 2, 1}, 1, 1)
	block := make([]byte, texel.BlockBytes)
	m.Write(block)
	if _, err := DescribedImage(memory, block); err == nil || len(memory.Regions()) > 0 {
		t.Errorf("OpenCL has no such format, and an image of it is described: %v", err)
	}
	m = texel.NewImage(texel.ByName("r32_sfloat"), texel.Plane, [3]int{5, 2, 1}, 1, 1)
	m.Address = 0x1000
	m.Write(block)
	given, err := DescribedImage(memory, block)
	if err != nil || len(given) != 8 {
		t.Fatal(given, err)
	}
	at := binary.LittleEndian.Uint64(given)
	r := memory.Find(at)
	if r == nil || r.Perm != simt.PermRead {
		t.Fatalf("the description is in %+v", r)
	}
	described := r.Data[at-r.Base:]
	width, height := binary.LittleEndian.Uint32(described[16:]), binary.LittleEndian.Uint32(described[20:])
	if got := binary.LittleEndian.Uint64(described); got != m.Address || width != 5 || height != 2 {
		t.Errorf("texels at %#x, %dx%d", got, width, height)
	}
	if back, err := texel.ReadImage(r.Data); err != nil || back.Address != m.Address {
		t.Errorf("before it is no block of the image: %v", err)
	}
}
