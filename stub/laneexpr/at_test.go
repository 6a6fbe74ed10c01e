package laneexpr

import (
	"fmt"
	"testing"

	"simtgdb/dwarf"
	"simtgdb/simt"
	"simtgdb/stub/frames"
	"simtgdb/stub/symfile"
	"simtgdb/stub/unwind"
)

// testState is that of a wave whose lanes stand at 0x106.
type testState struct{ testRegisters }

func (testState) Active(*simt.Wave) uint64          { return 0xff }
func (testState) LanePC(*simt.Wave, int) uint64     { return 0x106 }
func (testState) SetPC(*simt.Wave, uint64) error    { return nil }
func (s testState) Clone() simt.WaveState           { return s }
func (testState) Write(simt.Reg, int, []byte) error { return nil }

// returns are where the frames of lanes return to.
type returns []uint64

func (returns) Name() string { return "the test" }

func (r returns) Caller(f *unwind.Frame) (unwind.Caller, bool, error) {
	if f.Level >= len(r) {
		return unwind.Caller{Outermost: true}, true, nil
	}
	return unwind.Caller{PC: r[f.Level], Registers: testRegisters{}}, true, nil
}

// TestAt: levels are those of gdb's frames, of which a call that was inlined has one of its own with what is
// in it, and what enters a kernel's body has none.
func TestAt(t *testing.T) {
	inner := entry(dwarf.TagLexicalBlock, "", code(0x105, 2), constant("where", 1))
	second := entry(dwarf.TagInlinedSubroutine, "", code(0x104, 4), constant("where", 2), inner)
	first := entry(dwarf.TagInlinedSubroutine, "", code(0x102, 8), constant("where", 3), second)
	block := entry(dwarf.TagLexicalBlock, "", code(0x101, 12), constant("where", 4), first)
	f := entry(dwarf.TagSubprogram, "f", code(0x100, 16), constant("where", 5), block)
	k := entry(dwarf.TagSubprogram, "k", code(0x110, 16), constant("where", 6))
	data := read(t, entry(dwarf.TagCompileUnit, "one", code(0x100, 0x40), constant("where", 7), f, k))
	finder := &frames.Finder{Providers: []unwind.Provider{returns{0x115, 0x135}}, Symbols: &symfile.File{},
		Layout: symfile.Layout{Bodies: []symfile.Body{{Caller: dwarf.Range{Low: 0x130, High: 0x140}}}}}
	w := &simt.Wave{Size: 8, Valid: 0xff, PC: 0x106, Exec: 0xff, Regs: testState{}, Group: &simt.Workgroup{}}
	for level, want := range []string{"0x106 1 in 2", "0x106 3 in 1", "0x106 4 in 2", "0x115 6 in 1",
		"none"} {
		got := "none"
		if e := At(testSession{}, finder, data, w, 3, level); e.Frame != nil {
			got = fmt.Sprintf("%#x %s in %d", e.Frame.PC, shown(e.Variable("where")), len(e.Scopes))
		} else if len(e.Scopes) > 0 {
			got = "scopes without a frame"
		}
		if got != want {
			t.Errorf("level %d: %s, expected %s", level, got, want)
		}
	}
	e := At(testSession{}, finder, nil, w, 3, 1)
	if e.Frame == nil || e.Frame.PC != 0x115 || e.Frame.Lane != 3 || len(e.Scopes) > 0 {
		t.Errorf("without debugging information: %+v", e.Frame)
	}
}
