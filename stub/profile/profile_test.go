package profile_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	_ "simtgdb/stub/arch/all"
	"simtgdb/stub/launch"
	"simtgdb/stub/profile"
	"simtgdb/stub/source"
)

const testdata = "../../testdata"

// profiled runs a launch file.
func profiled(t testing.TB, path string) (*profile.Report, *launch.Program, error) {
	t.Helper()
	s, err := launch.ReadSpec(launch.File{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Load()
	if err != nil {
		t.Fatal(err)
	}
	p.Machine.Resident = 32
	r, err := profile.Run(context.Background(),
		&profile.Program{Name: path, Kernel: p.Kernel.Name, M: p.Machine, Source: p.Source,
			Finder: &source.Finder{Folders: []string{testdata + "/src", testdata + "/ptx/src"}}})
	return r, p, err
}

// written puts a kernel in PTX and its launch file into a folder.
func written(t *testing.T, grid, block, words int, body string) string {
	t.Helper()
	folder := t.TempDir()
	text := `.version 7.8
.target sm_80
.address_size 64
.file 1 "a.cu"
.entry k(.param .u64 .ptr .global .align 4 p)
{
	.reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .pred %p<4>;
	.shared .align 8 .b8 s[8192];
	.loc 1 1 1
	ld.param.u64 %rd1, [p];
	mov.u32 %r1, %tid.x;
	cvt.u64.u32 %rd2, %r1;
	.loc 1 2 1
` + body + "\n\tret;\n}\n"
	spec := fmt.Sprintf(`{"code_object": "k.ptx", "kernel": "k", "grid": [%d], "block": [%d],
		"args": [{"buffer": {"type": "u32", "count": %d, "init": "zero"}}]}`, grid, block, words)
	for name, data := range map[string]string{"k.ptx": text, "launch.json": spec} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(folder, "launch.json")
}

// Figures are those that can be told by looking at a kernel of a few instructions.
func TestFigures(t *testing.T) {
	for _, c := range []struct {
		name        string
		grid, block int
		body        string
		at          string // the instruction that is looked at
		want        profile.Figures
	}{
		{"side by side", 64, 64, "shl.b64 %rd3, %rd2, 2; add.u64 %rd4, %rd1, %rd3; ld.global.u32 %r2, [%rd4];",
			"ld.global",
			profile.Figures{Executed: 2, Lanes: 64, Possible: 64, Loads: 2, Bytes: 256, Lines: 4,
				BestLines: 4}},
		{"far apart", 32, 32, "shl.b64 %rd3, %rd2, 7; add.u64 %rd4, %rd1, %rd3; st.global.u32 [%rd4], 1;",
			"st.global",
			profile.Figures{Executed: 1, Lanes: 32, Possible: 32, Stores: 1, Bytes: 128, Lines: 32,
				BestLines: 2}},
		{"all the same", 32, 32, "red.global.add.u32 [%rd1], 1;", "red.",
			profile.Figures{Executed: 1, Lanes: 32, Possible: 32, Loads: 1, Stores: 1, Bytes: 128, Lines: 1,
				BestLines: 1}},
		{"across lines", 32, 32, "shl.b64 %rd3, %rd2, 7; add.u64 %rd4, %rd1, %rd3; " +
			"ld.global.v2.u64 {%rd5, %rd6}, [%rd4+112];", "ld.global",
			profile.Figures{Executed: 1, Lanes: 32, Possible: 32, Loads: 1, Bytes: 512, Lines: 32,
				BestLines: 8}},
		{"banks in order", 32, 32, "shl.b64 %rd3, %rd2, 2; st.shared.u32 [%rd3], 1;", "st.shared",
			profile.Figures{Executed: 1, Lanes: 32, Possible: 32, LDS: 1, Passes: 1, BestPass: 1}},
		{"every second bank", 32, 32, "shl.b64 %rd3, %rd2, 3; st.shared.u32 [%rd3], 1;", "st.shared",
			profile.Figures{Executed: 1, Lanes: 32, Possible: 32, LDS: 1, Passes: 2, BestPass: 1}},
		{"one bank", 32, 32, "shl.b64 %rd3, %rd2, 7; st.shared.u32 [%rd3], 1;", "st.shared",
			profile.Figures{Executed: 1, Lanes: 32, Possible: 32, LDS: 1, Passes: 32, BestPass: 1}},
		{"one word", 32, 32, "ld.shared.u32 %r2, [s];", "ld.shared",
			profile.Figures{Executed: 1, Lanes: 32, Possible: 32, LDS: 1, Passes: 1, BestPass: 1}},
		{"a branch", 64, 64, "setp.lt.u32 %p1, %r1, 8; @%p1 bra on; add.u32 %r2, %r2, 1; on: add.u32 %r3, %r3, 1;",
			"@%p1 bra", profile.Figures{Executed: 2, Lanes: 64, Possible: 64, Parted: 1}},
		{"behind it", 64, 64, "setp.lt.u32 %p1, %r1, 8; @%p1 bra on; add.u32 %r2, %r2, 1; on: add.u32 %r3, %r3, 1;",
			"add.u32 %r2", profile.Figures{Executed: 2, Lanes: 56, Possible: 64, Partial: 1, Integers: 56}},
		{"together again", 64, 64,
			"setp.lt.u32 %p1, %r1, 8; @%p1 bra on; add.u32 %r2, %r2, 1; on: add.u32 %r3, %r3, 1;",
			"add.u32 %r3", profile.Figures{Executed: 2, Lanes: 64, Possible: 64, Integers: 64}},
		// The second warp comes three instructions later.
		{"a barrier", 64, 64, "setp.lt.u32 %p1, %r1, 32; @%p1 bra on; add.u32 %r2, %r2, 1; add.u32 %r2, " +
			"%r2, 1; add.u32 %r2, %r2, 1; on: bar.sync 0;",
			"bar.sync", profile.Figures{Executed: 2, Lanes: 64, Possible: 64, Waited: 3}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, p, err := profiled(t, written(t, c.grid, c.block, 4096, c.body))
			if err != nil {
				t.Fatal(err)
			}
			found := false
			for _, in := range r.Instructions {
				if strings.HasPrefix(in.Text, c.at) {
					found = true
					if in.Figures != c.want {
						t.Errorf("%s: %+v, want %+v", in.Text, in.Figures, c.want)
					}
					if in.Line != 2 || in.Function != "k" || in.File != "a.cu" {
						t.Errorf("%s is of %s, %s:%d", in.Text, in.Function, in.File, in.Line)
					}
				}
			}
			if !found {
				t.Errorf("no %s", c.at)
			}
			holds(t, r, p)
		})
	}
}

// memory are the figures of accesses to memories that waves share.
func memory(f profile.Figures) profile.Figures {
	return profile.Figures{Loads: f.Loads, Stores: f.Stores, Bytes: f.Bytes, Lines: f.Lines,
		BestLines: f.BestLines, LDS: f.LDS, Passes: f.Passes, BestPass: f.BestPass}
}

// TestFiguresGCN: figures of lines of kernels for gfx90a, worked out from their sources.
func TestFiguresGCN(t *testing.T) {
	for kernel, want := range map[string]map[int]profile.Figures{
		// 1024 work-items in 16 waves, two for each of 8 workgroups, of 1000 numbers.
		"reduction": {
			// Fifteen waves load 256 bytes, four lines of memory, the last one 160 bytes, two and a half;
			// each stores 64 words side by side to LDS, two passes of 32 banks.
			12: {Loads: 16, Bytes: 4000, Lines: 63, BestLines: 63, LDS: 16, Passes: 32, BestPass: 32},
			// Two loads and a store, of 64 lanes at first and of 32 to 1 in six rounds more, in each
			// workgroup.
			16: {LDS: 8 * 7 * 3, Passes: 8 * (2 + 6) * 3, BestPass: 8 * (2 + 6) * 3},
			// One lane of each workgroup loads from LDS and stores.
			20: {Stores: 8, Bytes: 32, Lines: 8, BestLines: 8, LDS: 8, Passes: 8, BestPass: 8},
		},
		// 64 waves, each of four rows of 16 lanes, go through 4 tiles of 16 x 16 words. Banks are 32, lines
		// 64 bytes.
		"matmul": {
			// A row of lanes loads a line, and a wave stores 64 words side by side.
			16: {Loads: 64 * 4, Bytes: 64 * 4 * 256, Lines: 64 * 4 * 4, BestLines: 64 * 4 * 4,
				LDS: 64 * 4, Passes: 64 * 4 * 2, BestPass: 64 * 4 * 2},
			// tile_a[row][k] is one word for each of four rows, 16 words apart: two banks, two words of each,
			// where one pass could give four banks. tile_b[k][col] are 16 words side by side, the same for
			// all rows.
			20: {LDS: 64 * 4 * 16 * 2, Passes: 64 * 4 * 16 * (2 + 1), BestPass: 64 * 4 * 16 * (1 + 1)},
			23: {Stores: 64, Bytes: 64 * 256, Lines: 64 * 4, BestLines: 64 * 4},
		},
	} {
		r, _, err := profiled(t, filepath.Join(testdata, "launch", kernel+".json"))
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range r.Lines {
			if alone := l.Number == 0; (l.Function == kernel) != alone || (l.Function != "") != alone {
				t.Errorf("%s, line %d: in function %q", kernel, l.Number, l.Function)
			}
			if w, ok := want[l.Number]; ok {
				delete(want, l.Number)
				if got := memory(l.Figures); got != w {
					t.Errorf("%s, line %d: %+v, want %+v", kernel, l.Number, got, w)
				}
			}
		}
		if len(want) > 0 {
			t.Errorf("%s: no lines %v", kernel, want)
		}
	}
}

// holds checks what is so of every report.
func holds(t *testing.T, r *profile.Report, p *launch.Program) {
	t.Helper()
	if s := p.Machine.Stats(); r.Total.Executed != s.Insts || len(r.Waves) != int(s.Waves) {
		t.Errorf("%d instructions of %d waves, the machine says %d of %d", r.Total.Executed, len(r.Waves),
			s.Insts, s.Waves)
	}
	var lines, waves uint64
	for _, l := range r.Lines {
		lines += l.Executed
		if l.Times > l.Executed {
			t.Errorf("line %d: %d times", l.Number, l.Times)
		}
	}
	for _, w := range r.Waves {
		waves += w.Executed
		if w.From == 0 || w.To < w.From || w.To > r.Turns {
			t.Errorf("wave %d from %d to %d of %d turns", w.Wave, w.From, w.To, r.Turns)
		}
	}
	if f := &r.Total; lines != f.Executed || waves != f.Executed || f.Lanes > f.Possible ||
		f.BestLines > f.Lines ||
		f.BestPass > f.Passes || f.Efficiency() > 1 || f.Coalescing() > 1 {
		t.Errorf("%d instructions by lines, %d by waves; %+v", lines, waves, f)
	}
}

// The same code profiles programs of all families, which compute what they do otherwise.
func TestMachines(t *testing.T) {
	gen := `{"code_object": %q, "kernel": "vecadd", "grid": [64], "block": [32], "args": [` +
		`{"buffer": {"type": "f32", "count": 64, "init": "iota"}}, ` +
		`{"buffer": {"type": "f32", "count": 64, "init": "iota"}}, {"buffer": {"type": "f32", "count": 64, "init": "zero"}}, {"i32": 64}]}`
	for _, path := range []string{"launch/reduction.json", "launch/lds.json", "launch/recursion.json",
		"spirv/launch/calls.json", "spirv/launch/shared.json", "igc/zebin/basic-O0.zebin",
		"igc/zebin/basic-O2.zebin"} {
		full, err := filepath.Abs(filepath.Join(testdata, path))
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(path, ".zebin") {
			text := fmt.Sprintf(gen, full)
			full = filepath.Join(t.TempDir(), "launch.json")
			if err := os.WriteFile(full, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		t.Run(path, func(t *testing.T) {
			r, p, err := profiled(t, full)
			if err != nil {
				t.Fatal(err)
			}
			holds(t, r, p)
			if bad := p.Check(); len(bad) > 0 {
				t.Errorf("%d results are wrong", len(bad))
			}
			if r.Total.Loads+r.Total.Stores == 0 || r.Total.Bytes == 0 {
				t.Errorf("no accesses to global memory: %+v", r.Total)
			}
			again, _, err := profiled(t, full)
			if err != nil || !reflect.DeepEqual(r, again) {
				t.Errorf("a second run gives another report: %v", err)
			}
			var back profile.Report
			data, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(data, &back); err != nil || back.Total != r.Total ||
				len(back.Lines) != len(r.Lines) {
				t.Errorf("JSON does not come back: %v", err)
			}
			for _, write := range []func(w *bytes.Buffer) error{
				func(w *bytes.Buffer) error { return r.Text(w) },
				func(w *bytes.Buffer) error { return r.HTML(w) }} {
				var b bytes.Buffer
				if err := write(&b); err != nil || b.Len() < 500 {
					t.Errorf("%d bytes: %v", b.Len(), err)
				}
				for _, bad := range []string{"ZgotmplZ", "<script", "http:", "https:", "%!"} {
					if strings.Contains(b.String(), bad) {
						t.Errorf("%q is in the output", bad)
					}
				}
			}
		})
	}
}

// A program that stops early has a report of what it did until then.
func TestStopped(t *testing.T) {
	r, _, err := profiled(t, written(t, 32, 32, 32, "add.u64 %rd4, %rd1, 65536; ld.global.u32 %r2, [%rd4];"))
	var stop *profile.StopError
	if !errors.As(err, &stop) || stop.Event.Fault == nil || r.Total.Executed < 4 {
		t.Errorf("%v after %d instructions", err, r.Total.Executed)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s, err := launch.ReadSpec(launch.File{Path: written(t, 32, 32, 32, "on: bra on;")})
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Load()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := profile.Run(ctx, &profile.Program{M: p.Machine}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Names out of files do not become part of the page.
func TestEscapes(t *testing.T) {
	r := &profile.Report{Kernel: "<script>alert(1)</script>", Program: `"><img src=x>`,
		Lines: []profile.Line{{File: "<b>", Number: 1, Text: "</td><script>"}}}
	var b bytes.Buffer
	if err := r.HTML(&b); err != nil || strings.Contains(b.String(), "<script") ||
		strings.Contains(b.String(), "<img") {
		t.Errorf("%v\n%s", err, b.String())
	}
}

// A browser shows the tables and the timeline: bars of lines and of waves, waits in the timeline, paper; on a
// wide screen, and on a narrow one that wants dark pages.
func TestChromium(t *testing.T) {
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium")
	}
	r, _, err := profiled(t, filepath.Join(testdata, "launch/reduction.json"))
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	page := filepath.Join(folder, "page.html")
	f, err := os.Create(page)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.HTML(f); err != nil {
		t.Fatal(err)
	}
	f.Close()
	// Both are shown by one browser, which takes seconds to start: a frame prefers the scheme it is given.
	const frame = `<iframe src="page.html" width="%d" height="%d" style="color-scheme:%s"></iframe>`
	both := filepath.Join(folder, "both.html")
	frames := fmt.Sprintf(frame, 1300, 2000, "light") + fmt.Sprintf(frame, 520, 2400, "dark")
	const style = "<style>body{margin:0} iframe{border:0;display:block}</style>"
	if err := os.WriteFile(both, []byte(style+frames), 0o600); err != nil {
		t.Fatal(err)
	}
	shot := filepath.Join(folder, "both.png")
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu",
		"--hide-scrollbars", "--user-data-dir="+filepath.Join(folder, "data"), "--window-size=1300,4400",
		"--screenshot="+shot, "file://"+both)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("chromium does not run here: %v\n%.300s", err, out)
	}
	for _, c := range []struct {
		name               string
		shown              image.Rectangle
		bars, waits, paper [3]uint32
	}{
		{"light", image.Rect(0, 0, 1300, 2000),
			[3]uint32{0x7a, 0xa6, 0xd8}, [3]uint32{0x33, 0x44, 0x55}, [3]uint32{0xff, 0xff, 0xff}},
		{"dark", image.Rect(0, 2000, 520, 4400),
			[3]uint32{0x36, 0x60, 0x8f}, [3]uint32{0xd9, 0xa4, 0x41}, [3]uint32{0x17, 0x19, 0x1d}},
	} {
		t.Run(c.name, func(t *testing.T) {
			colours := coloursOf(t, shot, c.shown)
			for name, colour := range map[string][3]uint32{"bars": c.bars, "waits": c.waits,
				"paper": c.paper} {
				if colours[colour] < 150 {
					t.Errorf("%s: %d points of colour %v", name, colours[colour], colour)
				}
			}
		})
	}
}

// coloursOf counts the points of each colour of a part of a picture, in every second row and column.
func coloursOf(t *testing.T, path string, part image.Rectangle) map[[3]uint32]int {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	colours := map[[3]uint32]int{}
	if !part.In(picture.Bounds()) {
		t.Fatalf("%v of a picture of %v", part, picture.Bounds())
	}
	for y := part.Min.Y; y < part.Max.Y; y += 2 {
		for x := part.Min.X; x < part.Max.X; x += 2 {
			red, green, blue, _ := picture.At(x, y).RGBA()
			colours[[3]uint32{red >> 8, green >> 8, blue >> 8}]++
		}
	}
	return colours
}
