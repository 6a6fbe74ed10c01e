package launch_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simtgdb/simt"
	_ "simtgdb/stub/arch/all"
	"simtgdb/stub/launch"
	"simtgdb/stub/printf/host"
)

const printing = "../../testdata/printf/"

// ran is what came of a kernel that prints.
type ran struct {
	prog   *launch.Program
	event  simt.Event
	texts  []host.Text
	notice []string
}

// runPrinting runs a launch file of testdata/printf with one of its objects.
func runPrinting(t testing.TB, name, object string, change func(*launch.Spec)) ran {
	t.Helper()
	return runIn(t, printing, name, object, change)
}

// runIn runs a launch file of a folder with one of its objects.
func runIn(t testing.TB, folder, name, object string, change func(*launch.Spec)) ran {
	t.Helper()
	s, err := launch.ReadSpec(launch.File{Path: folder + "launch/" + name + ".json"})
	if err != nil {
		t.Fatal(err)
	}
	s.CodeObject = launch.File{Path: folder + "co/" + object}
	if change != nil {
		change(s)
	}
	var r ran
	if r.prog, err = s.Load(); err != nil {
		t.Fatal(err)
	}
	r.prog.Host.Sink = func(text host.Text) { r.texts = append(r.texts, text) }
	if r.event, err = r.prog.Run(context.Background(), 0); err != nil {
		t.Fatal(err)
	}
	r.notice = r.prog.Host.Notices()
	return r
}

func objects(t *testing.T, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(printing + "co/" + pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s: %v", pattern, err)
	}
	for i, p := range paths {
		paths[i] = filepath.Base(p)
	}
	return paths
}

// item is the work-item that a text of these kernels begins with.
func item(text []byte) (n int) {
	fmt.Sscanf(string(text), "%d:", &n)
	return n
}

// TestPrinting compares what kernels print with what the same sources print on
// the host and with PoCL: the texts of each work-item in its order.
func TestPrinting(t *testing.T) {
	for _, name := range []string{"print_hip", "print_cl"} {
		want, err := os.ReadFile(printing + "expect/" + name + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		for _, object := range objects(t, name+".*") {
			r := runPrinting(t, name, object, nil)
			if r.event.Kind != simt.EndEvent || r.notice != nil || r.prog.Warnings != nil {
				t.Errorf("%s: %v, %q, %q", object, r.event.Kind, r.notice, r.prog.Warnings)
			}
			checkOrigins(t, object, r.texts)
			checkReturned(t, object, r)
			slices.SortStableFunc(r.texts, func(a, b host.Text) int { return item(a.Text) - item(b.Text) })
			var got bytes.Buffer
			for _, text := range r.texts {
				got.Write(text.Text)
			}
			if line, g, w := firstDifference(got.String(), string(want)); line != 0 {
				t.Errorf("%s: line %d: %q, want %q", object, line, g, w)
			}
		}
	}
}

// TestPrintingElsewhere runs the same sources on other machines: OpenCL C as
// SPIR-V, HIP as PTX.
func TestPrintingElsewhere(t *testing.T) {
	for _, c := range []struct{ name, object string }{
		{"print_cl", "../spirv/print_cl.spv"},
		{"print_hip", "../ptx/print_hip.O0.ptx"}, {"print_hip", "../ptx/print_hip.O2.ptx"},
	} {
		want, err := os.ReadFile(printing + "expect/" + c.name + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		r := runPrinting(t, c.name, c.object, nil)
		slices.SortStableFunc(r.texts, func(a, b host.Text) int { return item(a.Text) - item(b.Text) })
		var got bytes.Buffer
		for _, text := range r.texts {
			got.Write(text.Text)
		}
		if line, g, w := firstDifference(got.String(), string(want)); line != 0 || r.notice != nil {
			t.Errorf("%s: line %d: %q, want %q; %q", c.object, line, g, w, r.notice)
		}
	}
}

func firstDifference(got, want string) (line int, g, w string) {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(a), len(b)) {
		g, w = "", ""
		if i < len(a) {
			g = a[i]
		}
		if i < len(b) {
			w = b[i]
		}
		if g != w || i >= len(a) || i >= len(b) {
			return i + 1, g, w
		}
	}
	return 0, "", ""
}

// checkOrigins holds the lane of each text against the work-item that it
// begins with: workgroups have 70.
func checkOrigins(t *testing.T, object string, texts []host.Text) {
	t.Helper()
	width := 64
	if strings.Contains(object, ".gfx1") {
		width = 32
	}
	waves := (70 + width - 1) / width
	for _, text := range texts {
		n := item(text.Text)
		want := host.Origin{Lane: host.Lane{Wave: n/70*waves + n%70/width, Lane: n % 70 % width},
			Group: [3]uint32{uint32(n / 70)}, Item: [3]uint32{uint32(n % 70)}}
		if text.From == nil || *text.From != want {
			t.Fatalf("%s: %q is from %v, want %v", object, text.Text, text.From, want)
		}
	}
}

// checkReturned holds what printf returned: the number of characters of HIP's
// hostcalls, else 0.
func checkReturned(t *testing.T, object string, r ran) {
	t.Helper()
	results := r.prog.Buffers[len(r.prog.Buffers)-1].Region.Data
	for _, text := range r.texts {
		want := int32(0)
		if strings.Contains(object, "hostcall") {
			want = int32(len(text.Text))
		}
		got := int32(binary.LittleEndian.Uint32(results[4*item(text.Text):]))
		if strings.Contains(string(text.Text), ": start ") && got != want {
			t.Fatalf("%s: printf of %q returned %d, want %d", object, text.Text, got, want)
		}
	}
}

// TestPrintingRepeats runs kernels twice: the order of the texts is the same.
func TestPrintingRepeats(t *testing.T) {
	for name, object := range map[string]string{
		"print_hip": "print_hip.hostcall.gfx90a.O2.co", "print_cl": "print_cl.gfx90a.O2.co",
	} {
		var all [2]string
		for i := range all {
			for _, text := range runPrinting(t, name, object, nil).texts {
				all[i] += string(text.Text)
			}
		}
		if all[0] != all[1] {
			t.Errorf("%s prints in another order the second time", object)
		}
	}
}

// TestPrintingWorkers runs a shader that prints on several workers: it runs on one,
// so that texts come in the order of the workgroups.
func TestPrintingWorkers(t *testing.T) {
	s, err := launch.ReadSpec(launch.File{Path: "../../testdata/spirv/launch/say.json"})
	if err != nil {
		t.Fatal(err)
	}
	s.Groups[0], s.Bindings[0].Buffer.Count = 16, 64
	p, err := s.Load()
	if err != nil {
		t.Fatal(err)
	}
	last, count := uint32(0), 0
	p.Host.Sink = func(text host.Text) {
		if text.From.Group[0] < last {
			t.Errorf("workgroup %d prints after %d", text.From.Group[0], last)
		}
		last = text.From.Group[0]
		count++
	}
	if _, err := p.Run(context.Background(), 8); err != nil || count != 64 || p.Workers() != 1 {
		t.Errorf("%d texts on %d workers, %v", count, p.Workers(), err)
	}
}

// TestPrintfFull gives kernels a buffer without room for all texts: the first
// ones are printed, the others counted, and printf has returned -1 for them.
func TestPrintfFull(t *testing.T) {
	for name, object := range map[string]string{
		"print_hip": "print_hip.buffered.gfx90a.O2.co", "print_cl": "print_cl.gfx90a.O2.co",
	} {
		whole := runPrinting(t, name, object, nil)
		r := runPrinting(t, name, object, func(s *launch.Spec) { s.PrintfBuffer = 10000 })
		if len(r.texts) == 0 || len(r.texts) >= len(whole.texts) {
			t.Errorf("%s: %d texts in 10000 bytes, %d in all", object, len(r.texts), len(whole.texts))
		}
		want := fmt.Sprintf("printf buffer: %d of %d calls were dropped: the buffer, 10000 bytes, was full",
			len(whole.texts)-len(r.texts), len(whole.texts))
		if len(r.notice) != 1 || r.notice[0] != want {
			t.Errorf("%s: %q, want %q", object, r.notice, want)
		}
		printed := map[int]bool{}
		for _, text := range r.texts {
			if strings.Contains(string(text.Text), ": start ") {
				printed[item(text.Text)] = true
			}
		}
		results := r.prog.Buffers[len(r.prog.Buffers)-1].Region.Data
		for i := range 210 {
			got, want := int32(binary.LittleEndian.Uint32(results[4*i:])), int32(-1)
			if printed[i] {
				want = 0
			}
			if got != want {
				t.Fatalf("%s: printf of work-item %d returned %d, want %d", object, i, got, want)
			}
		}
	}
}

// TestPrintfStub runs an object whose printf is the library's stub.
func TestPrintfStub(t *testing.T) {
	r := runPrinting(t, "print_cl", "stub_cl.gfx90a.O2.co", nil)
	if r.event.Kind != simt.EndEvent || r.texts != nil || r.notice != nil || len(r.prog.Warnings) != 1 ||
		!strings.Contains(r.prog.Warnings[0], "this object's printf is the library's stub") {
		t.Errorf("%v, %d texts, %q, %q", r.event.Kind, len(r.texts), r.notice, r.prog.Warnings)
	}
}

// TestStripped runs objects that do not name the functions by which they print.
func TestStripped(t *testing.T) {
	for _, name := range []string{"hello", "hello_cl"} {
		var got [2]string
		for i, object := range []string{name + ".gfx90a.O2.co", name + ".stripped.gfx90a.O2.co"} {
			for _, text := range runPrinting(t, "hello", object, nil).texts {
				got[i] += string(text.Text)
			}
		}
		if strings.Count(got[0], "\n") != 8 || got[0] != got[1] {
			t.Errorf("%s prints %q, and %q without symbols", name, got[0], got[1])
		}
	}
}

// TestScribbles runs formats that no compiler stops, and a kernel that overwrites
// its own buffer.
func TestScribbles(t *testing.T) {
	r := runPrinting(t, "hello", "scribbles.gfx90a.O2.co", func(s *launch.Spec) {
		s.Kernel, s.Grid, s.Block = "scribbles", launch.Dims{2, 1, 1}, launch.Dims{2, 1, 1}
	})
	var got []string
	for _, text := range r.texts {
		got = append(got, string(text.Text))
	}
	const most = 64 << 10
	if r.event.Kind != simt.EndEvent || len(got) != 6 || got[0] != "0: before %\n" || got[3][:5] != "1:  %" ||
		len(got[4]) != most || !strings.HasPrefix(got[5], "1:      ") {
		t.Errorf("%v, %.200q", r.event.Kind, got)
	}
	notices := strings.Join(r.notice, "\n")
	for _, want := range []string{"is not in amdhsa.printf, which has 4: what follows is not printed",
		"a conversion that is not known", "%n, which is not executed", "a text that is too long"} {
		if strings.Count(notices, want) != 1 {
			t.Errorf("%q is not said once in\n%s", want, notices)
		}
	}
}

// TestAssertion: the texts come on standard error before the trap of the lanes
// that failed.
func TestAssertion(t *testing.T) {
	for _, object := range objects(t, "fails.*") {
		r := runPrinting(t, "fails", object, nil)
		if r.event.Kind != simt.TrapEvent || r.event.Trap != simt.AbortTrap ||
			r.event.Lanes != (1<<28-1)<<36 {
			t.Errorf("%s: %v, lanes %#x", object, r.event.Kind, r.event.Lanes)
		}
		for i, text := range r.texts {
			const want = "fails.hip:34: assertion `in[i] < 100' failed\n"
			from := host.Lane{Wave: 1, Lane: 36 + i}
			if string(text.Text) != want || !text.Stderr || text.From == nil || text.From.Lane != from {
				t.Errorf("%s: %q of %v, standard error %v", object, text.Text, text.From, text.Stderr)
			}
		}
		if len(r.texts) != 28 {
			t.Errorf("%s: %d texts", object, len(r.texts))
		}
	}
}

// TestDeviceMalloc compares the sums of lists with a model of the source.
func TestDeviceMalloc(t *testing.T) {
	for _, object := range objects(t, "allocates.*") {
		r := runPrinting(t, "allocates", object, nil)
		if r.event.Kind != simt.EndEvent || r.notice != nil {
			t.Errorf("%s: %v, %q", object, r.event.Kind, r.notice)
		}
		out := r.prog.Buffers[1].Region.Data
		for i := range 256 {
			want := 0
			for k := range i % 5 {
				want += i + k
			}
			if got := int32(binary.LittleEndian.Uint32(out[4*i:])); got != int32(want) {
				t.Fatalf("%s: work-item %d: %d, want %d", object, i, got, want)
			}
		}
	}
}

// TestPrintingSnapshots goes back to snapshots of machine and host in the middle
// of a run, which may be in the middle of calls: every text comes once, in the
// order of a run that never goes back.
func TestPrintingSnapshots(t *testing.T) {
	for name, object := range map[string]string{
		"print_hip": "print_hip.hostcall.gfx90a.O2.co", "print_cl": "print_cl.gfx90a.O0.co",
		"allocates": "allocates.gfx90a.O2.co",
	} {
		s, err := launch.ReadSpec(launch.File{Path: printing + "launch/" + name + ".json"})
		if err != nil {
			t.Fatal(err)
		}
		s.CodeObject = launch.File{Path: printing + "co/" + object}
		run := func(back bool) (got string, memory [][]byte) {
			p, err := s.Load()
			if err != nil {
				t.Fatal(err)
			}
			p.Host.Sink = func(text host.Text) { got += string(text.Text) }
			m := p.Machine
			if err := m.Fill(); err != nil {
				t.Fatal(err)
			}
			var before *simt.Snapshot
			var printed *host.Snapshot
			for n := 0; !m.Done(); n++ {
				if _, err := m.Advance(97); err != nil {
					t.Fatal(err)
				}
				switch {
				case !back:
				case n%500 == 20:
					before, printed = m.Snapshot(), p.Host.Snapshot()
				case n%500 == 200 && before != nil:
					m.Restore(before)
					p.Host.Restore(printed)
					m.Release(before)
					before = nil
				}
			}
			p.Host.Flush(true)
			for _, b := range p.Buffers {
				memory = append(memory, b.Region.Data)
			}
			return got, memory
		}
		want, memory := run(false)
		got, again := run(true)
		if line, g, w := firstDifference(got, want); line != 0 {
			t.Errorf("%s: line %d: %q, want %q", object, line, g, w)
		}
		for i := range memory {
			if !bytes.Equal(memory[i], again[i]) {
				t.Errorf("%s: buffer %d is another one", object, i)
			}
		}
	}
}
