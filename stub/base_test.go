package stub

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"simtgdb/dwarf"
	"simtgdb/dwarf/expr"
	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/stub/arch"
	"simtgdb/stub/facade"
	"simtgdb/stub/frames"
	"simtgdb/stub/symfile"
	"simtgdb/stub/threads"
	"simtgdb/stub/unwind"
)

// baseLaunches are unoptimised programs that call functions, of the machines whose parameters have a base.
var baseLaunches = map[string][]string{
	"demo.gfx900": {"--launch", testdata + "/launch/demo.json",
		"--code-object", testdata + "/co/demo.gfx900.O0.co"},
	"calls.gfx90a": {"--launch", testdata + "/launch/calls.json",
		"--code-object", testdata + "/co/calls.gfx90a.O0.co"},
	"demo.gfx942": {"--launch", testdata + "/launch/demo.json",
		"--code-object", testdata + "/co/demo.gfx942.O0.co"},
	"demo.ptx": {"--grid", "64", "--block", "64", "--arg", "buf:i32[64]=iota", "--arg", "buf:i32[64]=zero",
		"--arg", "i32:64", "--code-object", testdata + "/ptx/co/demo.O0.ptx"},
	"vecadd.gfx90a.O2": {"--launch", testdata + "/launch/vecadd.json",
		"--code-object", testdata + "/co/vecadd.gfx90a.O2.co"},
}

// shownFile is the debugging information of the file that gdb reads.
func shownFile(t *testing.T, s *Session) *dwarf.Data {
	t.Helper()
	f, err := elf.NewFile(bytes.NewReader(s.SymbolFile()))
	if err != nil {
		t.Fatal(err)
	}
	sections := map[string][]byte{}
	for _, section := range f.Sections {
		if strings.HasPrefix(section.Name, ".debug_") {
			if sections[section.Name], err = section.Data(); err != nil {
				t.Fatal(err)
			}
		}
	}
	d, err := dwarf.New(dwarf.SectionsNamed(sections), dwarf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// parameters are those of the function that an address is in, by their names.
func parameters(d *dwarf.Data, pc uint64) map[string]*dwarf.DIE {
	found := map[string]*dwarf.DIE{}
	if u := d.UnitAt(pc); u != nil && u.FunctionAt(pc) != nil {
		for _, c := range u.FunctionAt(pc).Children {
			if c.Tag == dwarf.TagFormalParameter {
				found[c.Name()] = c
			}
		}
	}
	return found
}

// A baseCheck compares where gdb finds parameters, by the facade's register, with what the compiler wrote of
// them.
type baseCheck struct {
	*testing.T
	s       *Session
	shown   *dwarf.Data
	number  int // of the register
	checked int
}

// frame checks the parameters of one frame, for which gdb has found a value of the register.
func (c *baseCheck) frame(f *unwind.Frame, base uint64) {
	written := parameters(c.s.symbols.Data, f.Scope())
	for name, d := range parameters(c.shown, f.Scope()) {
		location, _ := frames.LocationAt(nil, d, f.Scope())
		distance, rest, ok := expr.CutFbreg(location)
		if !ok {
			continue
		}
		if !bytes.Equal(rest, []byte{expr.OpNop}) {
			c.Fatalf("%s: after DW_OP_fbreg comes %x", name, rest)
		}
		own := written[strings.TrimSuffix(name, "@entry")]
		want, inPrologue := c.s.symbols.InPrologue(own, f.Scope())
		if arg, _, ok := c.s.symbols.Launched(own); ok && own.Name() != name {
			want = arg.Addr
		} else if !inPrologue {
			location, _ = frames.LocationAt(c.s.frames.Arch, own, f.Scope())
			loc, _, err := c.s.frames.Locate(f, &symfile.Slot{Name: name, Unit: own.Unit, Expr: location,
				FrameBase: symfile.FrameBase(own)})
			if err != nil {
				c.Fatalf("%s at %#x: %v", name, f.PC, err)
			}
			a, _ := loc.Address()
			want, _ = c.s.frames.Visible(f, a)
		}
		if got := base + uint64(distance); got != want || want == 0 {
			c.Fatalf("%s at %#x, frame %d: gdb finds it at %#x, it is at %#x", name, f.PC, f.Level, got, want)
		}
		c.checked++
	}
}

// lane checks the frames of a lane as gdb finds their registers: that of a caller is in memory.
func (c *baseCheck) lane(w *simt.Wave, lane int) {
	frames := c.s.frames.Of(w, lane)
	b, err := c.s.contentsOf(w, lane, &c.s.registers[c.number])
	for i := range frames {
		if err != nil {
			c.Fatal(err)
		}
		c.frame(&frames[i], binary.LittleEndian.Uint64(b))
		handle := c.s.Handle(int(threads.Of(w, lane)), frames[i].Depth)
		b = make([]byte, 8)
		_, err = c.s.ReadMemory(threads.Of(w, lane), handle-16, b)
	}
}

// TestBases executes programs instruction by instruction: in all frames gdb finds the parameters where they
// are.
func TestBases(t *testing.T) {
	for name, args := range baseLaunches {
		t.Run(name, func(t *testing.T) {
			s := sessionFor(t, args...)
			c := &baseCheck{T: t, s: s, shown: shownFile(t, s), number: slices.IndexFunc(s.registers,
				func(r register) bool { return r.role == facade.Base })}
			w := s.machine.Waves()[0]
			for n := 0; w.State != simt.Ended && n < 2000; n++ {
				s.frames.Forget()
				if lane := bits.TrailingZeros64(w.Active()); lane < simt.MaxLanes {
					c.lane(w, lane)
				}
				if ev, err := s.machine.StepWave(w, 1); err != nil || ev.Kind == simt.FaultEvent {
					t.Fatalf("%#x: %v %v", w.PC, err, ev.Fault)
				}
			}
			if c.checked < 20 {
				t.Errorf("only %d places checked", c.checked)
			}
		})
	}
}

// TestWatchParameter watches what gdb has read a line of in one lane: a parameter there is that lane's, of a
// variable that is no parameter the line says nothing, and what lies in no line is nobody's.
func TestWatchParameter(t *testing.T) {
	s := launched(t, "demo", "")
	weigh := s.address(t, "_Z5weighii")
	if err := s.InsertSoftwareBreakpoint(rsp.Breakpoint{Address: weigh + 0x40}); err != nil {
		t.Fatal(err)
	}
	stop := resume(t, s, letAllRun)
	w, lane, err := s.view.lane(stop.Thread)
	if err != nil {
		t.Fatal(err)
	}
	f := &s.frames.Of(w, lane)[0]
	base, err := s.frames.Base(f)
	if err != nil {
		t.Fatal(err)
	}
	value := base + uint64(s.symbols.BaseAt(f.PC).Parameters[0].Distance)
	i := slices.IndexFunc(s.symbols.Slots, func(v symfile.Slot) bool { return v.Name == "total" })
	loc, _, err := s.frames.Locate(f, &s.symbols.Slots[i])
	a, _ := loc.Address()
	total, ok := s.frames.Visible(f, a)
	if err != nil || !ok || total&^(frames.MinLine-1) != value&^(frames.MinLine-1) {
		t.Fatalf("total at %#x is in another line than value at %#x: %v", total, value, err)
	}
	line := make([]byte, frames.MinLine)
	if n, err := s.ReadMemory(stop.Thread, value&^(frames.MinLine-1), line); err != nil ||
		n < frames.MinLine {
		t.Fatal(n, err)
	}
	meant := func(addr uint64) threads.Set {
		t.Helper()
		p := rsp.Watchpoint{Kind: rsp.WatchWrite, Address: addr, Size: 4}
		if err := s.InsertWatchpoint(p); err != nil {
			t.Fatal(err)
		}
		return s.watches.all[len(s.watches.all)-1].only
	}
	if only := meant(value); len(only) != 1 || only[w.ID] != 1<<lane {
		t.Errorf("value is watched in lanes %x, want %d of wave %d", only, lane, w.ID)
	}
	if only := meant(total); len(only) != 0 {
		t.Errorf("total is watched in lanes %x, which gdb has not asked for it", only)
	}
	s.Forget()
	s.RemoveSoftwareBreakpoint(weigh+0x40, 1)
	resume(t, s, stepping(stop.Thread)...)
	if only := meant(value); len(only) != 0 {
		t.Errorf("after a step value is watched in lanes %x, which gdb has not asked", only)
	}
}

// TestLastLine reads the last line of a lane's private memory whole, and nothing else behind the end.
func TestLastLine(t *testing.T) {
	s := launched(t, "saxpy", "saxpy.gfx90a.O0")
	w := s.machine.Waves()[0]
	end := w.ScratchLimit / uint64(w.Size)
	if end%frames.MinLine == 0 {
		t.Fatalf("%d bytes of private memory end with a line", end)
	}
	if n, err := w.WriteScratch(3, end-4, []byte{1, 2, 3, 4}); n != 4 || err != nil {
		t.Fatal(n, err)
	}
	at := func(offset uint64) uint64 {
		return s.arch.(arch.GenericAddresser).GenericAddress(simt.Scratch, offset)
	}
	first := end &^ (frames.MinLine - 1)
	line := bytes.Repeat([]byte{0xff}, frames.MinLine)
	want := make([]byte, frames.MinLine)
	copy(want[end-4-first:], []byte{1, 2, 3, 4})
	if n, err := s.ReadMemory(threads.Of(w, 3), at(first), line); n != frames.MinLine || err != nil ||
		!bytes.Equal(line, want) {
		t.Errorf("%x, %d, %v; want %x", line, n, err, want)
	}
	if n, err := s.ReadMemory(threads.Of(w, 3), at(end-4), line); n != 4 || err != nil {
		t.Errorf("%d bytes before the end, %v; want 4", n, err)
	}
	if n, err := s.ReadMemory(threads.Of(w, 3), at(first+frames.MinLine), line); err == nil {
		t.Errorf("%d bytes behind the end", n)
	}
}
