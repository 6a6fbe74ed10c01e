package launch_test

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/stub/launch"
	"simtgdb/stub/printf/host"
)

const pipelines = "../../testdata/pal/"

// runPipeline runs a pipeline of testdata/pal.
func runPipeline(t *testing.T, file, object string, change func(*launch.Spec)) ran {
	t.Helper()
	return runIn(t, pipelines, file, object, change)
}

// helloTexts are what hello.comp prints: a wave is a workgroup and does each
// statement for all its lanes.
func helloTexts(groups int) (want []string) {
	for g := range groups {
		want = append(want, fmt.Sprintf("group %d begins\n", g))
		for id := 64 * g; id < 64*g+64; id++ {
			if id&15 == 5 {
				want = append(want, fmt.Sprintf("100%% of %d: half %f, wide %d, double %s\n", id-70,
					float64(id)*0.5, id<<33, shortest(float64(id)/3)))
			}
		}
		if g == 1 {
			want = append(want, "no arguments\n")
		}
	}
	return want
}

// shortest is %g of C for the numbers that are printed here.
func shortest(v float64) string {
	s := fmt.Sprintf("%.*f", 6-len(fmt.Sprint(int(v))), v)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

func checkTexts(t *testing.T, object string, r ran, want []string) {
	t.Helper()
	var got []string
	for _, text := range r.texts {
		got = append(got, string(text.Text))
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s prints\n%q, want\n%q", object, got, want)
	}
	if r.event.Kind != simt.EndEvent || r.notice != nil {
		t.Errorf("%s: %v, %q", object, r.event.Kind, r.notice)
	}
}

// pipelineTargets are those that pipelines are built for, some with waves of 64 lanes where 32 are usual.
var pipelineTargets = []string{"gfx900", "gfx90a", "gfx1010.w64", "gfx1030", "gfx1100", "gfx1100.w64",
	"gfx1150", "gfx1200.w64", "gfx1250"}

// pipelineObjects are the objects of the names, linked or not; of each name but one of registers there is at
// least one.
func pipelineObjects(t *testing.T, names ...string) (objects []string) {
	t.Helper()
	for _, name := range names {
		paths, err := filepath.Glob(filepath.Join(pipelines, "co", name+".*o"))
		if paths = slices.DeleteFunc(paths, func(p string) bool {
			return strings.Contains(p, ".w64.") != strings.Contains(name, ".w64")
		}); err != nil || len(paths) == 0 && !strings.HasPrefix(name, "registers.") {
			t.Fatalf("%s: no objects (%v)", name, err)
		}
		for _, p := range paths {
			objects = append(objects, filepath.Base(p))
		}
	}
	return objects
}

// TestPipelines runs what LLPC's lowering leaves of shaders that print, linked
// and not, with metadata of versions 2 and 3.
func TestPipelines(t *testing.T) {
	for _, target := range pipelineTargets {
		width := 64
		if strings.HasPrefix(target, "gfx1") && !strings.HasSuffix(target, ".w64") {
			width = 32
		}
		for _, object := range pipelineObjects(t, "hello."+target, "registers."+target) {
			r := runPipeline(t, "hello", object, nil)
			checkTexts(t, object, r, helloTexts(3))
			for _, text := range r.texts {
				var id int
				if n, _ := fmt.Sscanf(string(text.Text), "100%% of %d:", &id); n == 1 {
					id += 70
					if text.From == nil || text.From.Lane != (host.Lane{Wave: id / width, Lane: id % width}) {
						t.Errorf("%s: %q is from %v", object, text.Text, text.From)
					}
				}
			}
			// Nobody needs to say where the printf buffer belongs.
			r = runPipeline(t, "hello", object, func(s *launch.Spec) { s.UserData = nil })
			checkTexts(t, object, r, helloTexts(3))
		}
		for _, object := range pipelineObjects(t, "scratch."+target) {
			var want []string
			for id := range 3 * 64 {
				if id&31 == 31 {
					want = append(want, fmt.Sprintf("%d picked %d\n", id, id*(id&63)))
				}
			}
			checkTexts(t, object, runPipeline(t, "hello", object, nil), want)
		}
	}
}

// TestPipelineTables runs tables.comp, which finds buffers and push constants by
// way of tables, against a model of its source.
func TestPipelineTables(t *testing.T) {
	for _, target := range pipelineTargets {
		object := fmt.Sprintf("tables.%s.o", target)
		r := runPipeline(t, "tables", object, nil)
		var want []string
		const scale, limit, groups = 3, 500, 3
		weights := [4]int{1, 10, 100, 1000}
		results := make([]int, groups*64)
		for g := range groups {
			var over, small []string
			for id := 64 * g; id < 64*g+64; id++ {
				value, other := id*scale, (64*g+63-id%64)*scale
				results[id] = value + other*weights[id&3]
				switch {
				case value > limit:
					over = append(over, fmt.Sprintf("%d of group %d of %d: %d over %d, bias 0.50\n",
						id, g, groups, value, limit))
				case id&7 == 3:
					small = append(small, fmt.Sprintf("%d small\n", value))
				}
			}
			want = append(append(want, small...), over...)
		}
		// Which arm comes first is the compiler's choice.
		slices.SortStableFunc(r.texts, func(a, b host.Text) int {
			if a.From.Group != b.From.Group {
				return int(a.From.Group[0]) - int(b.From.Group[0])
			}
			return cmp.Or(strings.Count(string(a.Text), "over")-strings.Count(string(b.Text), "over"),
				a.From.Lane.Wave-b.From.Lane.Wave)
		})
		checkTexts(t, object, r, want)
		for _, region := range r.prog.Memory.Regions() {
			if region.Name != "user data [0][1]" {
				continue
			}
			for id, want := range results {
				if got := int32(binary.LittleEndian.Uint32(region.Data[4*id:])); got != int32(want) {
					t.Fatalf("%s: results[%d] is %d, want %d", object, id, got, want)
				}
			}
			results = nil
		}
		if results != nil {
			t.Errorf("%s: the buffer of results is nowhere", object)
		}
	}
}

// TestPipelineExpectations: what a launch file expects of buffers in tables is compared.
func TestPipelineExpectations(t *testing.T) {
	dir := t.TempDir()
	r := runPipeline(t, "tables", "tables.gfx900.o", nil)
	for _, b := range r.prog.Buffers {
		if b.Name == "user data [0][1]" {
			if err := os.WriteFile(filepath.Join(dir, "right.bin"), b.Data(), 0o666); err != nil {
				t.Fatal(err)
			}
			wrong := slices.Clone(b.Data())
			wrong[4*7]++
			if err := os.WriteFile(filepath.Join(dir, "wrong.bin"), wrong, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, want := range map[string]int{"right": 0, "wrong": 1} {
		text := fmt.Sprintf(`{"groups": [3], "user_data": [{"table": [
			{"buffer": {"type": "i32", "count": 192, "init": "iota"}},
			{"buffer": {"type": "i32", "count": 192}, "expect": {"file": "%s.bin"}}]},
			{"i32": 3}, {"f32": 0.5}, "printf", {"i32": 500}]}`, name)
		file := filepath.Join(dir, name+".json")
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		expecting, err := launch.ReadSpec(launch.File{Path: file})
		if err != nil {
			t.Fatal(err)
		}
		r := runPipeline(t, "tables", "tables.gfx900.o",
			func(s *launch.Spec) { s.UserData = expecting.UserData })
		differ := r.prog.Check()
		if len(differ) != want || want > 0 && (differ[0].Count != 1 || differ[0].Differs[0].Index != 7) {
			t.Errorf("%s: %+v", name, differ)
		}
	}
}

// TestPipelineOverflow: whole entries of a buffer that is too small, and how
// much is missing.
func TestPipelineOverflow(t *testing.T) {
	const entry, room = 3*4 + 4*8*4, 16 // bytes: one text of a group and four of lanes
	whole := helloTexts(3)
	r := runPipeline(t, "hello", "hello.gfx900.o", func(s *launch.Spec) { s.PrintfBuffer = room + entry + 8 })
	if len(r.texts) != 5 || string(r.texts[4].Text) != whole[4] {
		t.Errorf("%d texts", len(r.texts))
	}
	want := fmt.Sprintf("DebugPrintf buffer: %d dwords of calls were dropped: the buffer, %d bytes, was full",
		3*entry/4+2-(entry+8)/4, room+entry+8)
	if !slices.Equal(r.notice, []string{want}) {
		t.Errorf("%q, want %q", r.notice, want)
	}
}

func TestPipelineErrors(t *testing.T) {
	for want, change := range map[string]func(*launch.Spec){
		"entries of user data, the pipeline has": func(s *launch.Spec) {
			s.UserData = make([]launch.UserDatum, 40)
			for i := range s.UserData {
				s.UserData[i].Printf = true
			}
		},
		"bytes of --printf-buffer": func(s *launch.Spec) { s.PrintfBuffer = 1 << 40 },
		"0 wanted":                 func(s *launch.Spec) { s.Args = make([]launch.Arg, 1) },
	} {
		s, err := launch.ReadSpec(launch.File{Path: pipelines + "launch/hello.json"})
		if err != nil {
			t.Fatal(err)
		}
		change(s)
		if _, err := s.Load(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
