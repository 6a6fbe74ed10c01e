package frames

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/dwarf"
	"simtgdb/simt"
	_ "simtgdb/stub/arch/amdgpu" // the family of the test's kernel
	"simtgdb/stub/facade"
	"simtgdb/stub/launch"
	"simtgdb/stub/symfile"
	"simtgdb/stub/threads"
	"simtgdb/stub/unwind"
)

// inWeigh finds the frames of a kernel's first wave, whose lanes have called a function and have written its
// parameters and its first variable to private memory.
func inWeigh(t *testing.T) (*Finder, *simt.Wave) {
	t.Helper()
	const into = 0x40 // behind the function's prologue
	buffer := func() launch.Arg {
		b := &launch.BufferSpec{Type: "i32", Count: 64}
		return launch.Arg{Kind: launch.BufferArg, Buffer: *b}
	}
	count := launch.Arg{Kind: launch.ValueArg, Value: []byte{64, 0, 0, 0}}
	p, err := (&launch.Spec{CodeObject: launch.File{Path: "../../testdata/co/demo.gfx90a.O0.co"},
		Grid: launch.Dims{64, 1, 1}, Block: launch.Dims{64, 1, 1},
		Args: []launch.Arg{buffer(), buffer(), count}}).Load()
	if err != nil {
		t.Fatal(err)
	}
	p.Machine.Track = true // of calls
	if err := p.Machine.Fill(); err != nil {
		t.Fatal(err)
	}
	layout := symfile.Layout{Stride: threads.FrameStride, Low: threads.FrameLow, Kernel: p.Kernel.Entry,
		Launched: p.Kernel, Arguments: Arguments(p)}
	symbols, err := symfile.Build(p.Module, p.Source.Data, p.Arch, facade.Host(), layout)
	if err != nil {
		t.Fatal(err)
	}
	w := p.Machine.Waves()[0]
	weigh, ok := p.Module.Symbol("_Z5weighii")
	for n := 0; ok && w.PC != weigh.Addr+into; n++ {
		if ev, err := p.Machine.StepWave(w, 1); err != nil || ev.Fault != nil || n > 2000 {
			t.Fatal(n, ev.Fault, err)
		}
	}
	lanes := threads.Resident{Windows: threads.WindowsOf(64), Machine: p.Machine}
	return New(p, lanes, symbols, layout), w
}

// written is where gdb sees a variable of a frame by what the compiler wrote of it, whatever becomes of that
// in the file for gdb.
func written(t *testing.T, fs *Finder, f *unwind.Frame, name string) uint64 {
	t.Helper()
	function := fs.Symbols.Data.UnitAt(f.Scope()).FunctionAt(f.Scope())
	i := slices.IndexFunc(function.Children, func(d *dwarf.DIE) bool { return d.Name() == name })
	location, ok := LocationAt(fs.Arch, function.Children[i], f.Scope())
	loc, _, err := fs.Locate(f, fs.SlotOf(function.Children[i], location))
	a, isAddress := loc.Address()
	addr, visible := fs.Visible(f, a)
	if err != nil || !ok || !isAddress || !visible {
		t.Fatalf("%s: %v, %v", name, loc, err)
	}
	return addr
}

// TestLines: of a line of gdb's stack cache the parameters in it were read, of each frame, whole and in the
// lanes that gdb read it of; not what else lies there, and not when the program has gone on.
func TestLines(t *testing.T) {
	fs, w := inWeigh(t)
	const lane = 3
	frames := fs.Of(w, lane)
	if len(frames) != 2 {
		t.Fatalf("%d frames, %v, active %x", len(frames), fs.Unwind(w, lane).Failed, w.Active())
	}
	value := written(t, fs, &frames[0], "value")
	n, line := written(t, fs, &frames[1], "n"), value&^(MinLine-1)
	total := written(t, fs, &frames[0], "total")
	if total&^(MinLine-1) != line || n&^(MinLine-1) == line {
		t.Fatalf("value at %#x, total at %#x, n at %#x", value, total, n)
	}
	base, err := fs.Base(&frames[0])
	if err != nil {
		t.Fatal(err)
	}
	// Two more parameters: the last byte of the line, and one that goes on in the next.
	b, end := fs.Symbols.BaseAt(frames[0].PC), int64(line+MinLine-base)
	b.Parameters = append(b.Parameters, symfile.Extent{Distance: end - 1, Size: 1},
		symfile.Extent{Distance: end - 6, Size: 12})

	none, both := threads.Set{}, threads.Set{w.ID: 1<<lane | 1<<9}
	fs.Show(w, lane, line, MinLine)
	fs.Show(w, 9, line, MinLine)
	for _, x := range []struct {
		what       string
		addr, size uint64
		want       threads.Set
	}{
		{"a parameter", value, 4, both}, {"a part of it", value + 2, 2, both},
		{"more than it", value + 2, 4, none}, {"a variable", total, 4, none},
		{"the last byte", line + MinLine - 1, 1, both}, {"what begins here", line + MinLine - 6, 12, both},
		{"its end in the next line", line + MinLine, 6, none},
		{"the caller's parameter in another line", n, 4, none},
	} {
		if d := cmp.Diff(x.want, fs.ShownIn(x.addr, x.size)); d != "" {
			t.Errorf("%s: %s", x.what, d)
		}
	}
	fs.Show(w, lane, n&^(MinLine-1), MinLine)
	if d := cmp.Diff(threads.Set{w.ID: 1 << lane}, fs.ShownIn(n, 4)); d != "" {
		t.Errorf("the caller's parameter: %s", d)
	}
	fs.ForgetShown()
	if got := fs.ShownIn(value, 4); len(got) > 0 {
		t.Errorf("%v is known", got)
	}
}

// TestArguments: what a kernel was launched with, and nothing that the runtime adds, is in memory where its
// arguments are said to be.
func TestArguments(t *testing.T) {
	fs, _ := inWeigh(t)
	var values []uint64
	for _, a := range fs.Layout.Arguments {
		var b [8]byte
		if n, err := fs.memory.Read(a.Addr, b[:a.Size]); n != int(a.Size) || err != nil {
			t.Fatal(a, n, err)
		}
		values = append(values, binary.LittleEndian.Uint64(b[:]))
	}
	if len(values) != 3 || values[2] != 64 {
		t.Fatalf("%#x, want two pointers and 64", values)
	}
	for _, v := range values[:2] {
		if r := fs.memory.Find(v); r == nil || r.Base != v || len(r.Data) != 4*64 {
			t.Errorf("%#x is no buffer", v)
		}
	}
}
