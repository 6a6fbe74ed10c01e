package frames

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"simtgdb/dwarf/cfi"
	"simtgdb/dwarf/expr"
	"simtgdb/simt"
	"simtgdb/stub/arch"
	"simtgdb/stub/unwind"
)

// testCFI keeps register 0 where nothing is said of it.
var testCFI = &cfi.Arch{Expr: expr.AMDGPU, Default: func(reg uint64) cfi.Rule {
	if reg == 0 {
		return cfi.Rule{Kind: cfi.SameValue}
	}
	return cfi.Rule{Kind: cfi.Undefined}
}}

func (testArch) CFI() *cfi.Arch { return testCFI }

// Parts has a scalar register in two halves, and another with these in the other order.
func (testArch) Parts(r simt.Reg, lane, _ int) []arch.Part {
	switch r {
	case simt.Reg{File: 0, Index: 7}:
		return []arch.Part{{Number: 0, Offset: 4 * lane, Bytes: 4}}
	case simt.Reg{File: 1, Index: 2}:
		return []arch.Part{{Number: 1, Bytes: 4}, {Number: 1, Offset: 4, Bytes: 4}}
	case simt.Reg{File: 1, Index: 3}:
		return []arch.Part{{Number: 1, Offset: 4, Bytes: 4}, {Number: 1, Bytes: 4}}
	}
	return nil
}

// testState is that of a wave whose lanes stand at 0x108.
type testState struct{ testRegisters }

func (testState) Active(*simt.Wave) uint64       { return 0xf }
func (testState) LanePC(*simt.Wave, int) uint64  { return 0x108 }
func (testState) SetPC(*simt.Wave, uint64) error { return nil }
func (s testState) Clone() simt.WaveState        { return s }

const stackBase = 0x5000

// calls finds the frames of lane 2 of a wave that is in the second of two calls. The second function has
// saved register 0, and the first has lost register 3; what called the kernel is not known. Code at 0x400 is
// in the table, and without rules.
func calls(t *testing.T) (fs *Finder, w *simt.Wave, stack []byte) {
	t.Helper()
	cie := &cfi.CIE{CodeAlign: 1, DataAlign: -8, ReturnAddress: 2}
	data, err := cfi.Write([]*cfi.FDE{
		{CIE: cie, Start: 0x100, Range: 16,
			Instructions: cfi.Program(nil).DefCFA(1, 16).Offset(2, 1).Offset(1, 2).Offset(0, 8)},
		{CIE: cie, Start: 0x200, Range: 16,
			Instructions: cfi.Program(nil).DefCFA(1, 32).Offset(2, 1).ValOffset(1, 0).Undefined(3)},
		{CIE: cie, Start: 0x300, Range: 16, Instructions: cfi.Program(nil).DefCFA(1, 0).Undefined(2)},
		{CIE: cie, Start: 0x400, Range: 16},
	})
	if err != nil {
		t.Fatal(err)
	}
	table, err := cfi.Parse(data, cfi.Options{Arch: testCFI})
	if err != nil {
		t.Fatal(err)
	}
	stack = make([]byte, 0x200)
	for at, v := range map[int]uint64{0x108: 0x205, 0x100: stackBase + 0x140, 0x158: 0x305} {
		binary.LittleEndian.PutUint64(stack[at:], v)
	}
	copy(stack[0xd0:], "v7 of all lanes.")
	memory := simt.NewMemory()
	if _, err := memory.Map("stack", stackBase, stack, simt.PermRead|simt.PermWrite); err != nil {
		t.Fatal(err)
	}
	c, regs := context(testArch{})
	regs[place(simt.Reg{File: 1, Index: 2}, 2)] = binary.LittleEndian.AppendUint64(nil, stackBase+0x100)
	fs, w = c.Finder, c.Frame.Wave
	w.Valid, w.PC, w.Regs = 0xf, 0x108, testState{regs}
	fs.memory, fs.Providers = memory, []unwind.Provider{&callFrames{fs, []*cfi.Table{table}}}
	return fs, w, stack
}

// register reads a register of a frame, as a hexadecimal number of its bytes.
func register(f *unwind.Frame, file uint8, index uint16, lane, bytes int) string {
	p := make([]byte, bytes)
	if err := f.Registers.Read(simt.Reg{File: file, Index: index}, lane, p); err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%x", p)
}

// TestCallFrames: each frame's registers are where the rules of those inside it say, as far as the one whose
// registers are the wave's.
func TestCallFrames(t *testing.T) {
	fs, w, stack := calls(t)
	frames := fs.Of(w, 2)
	var at []string
	for _, f := range frames {
		at = append(at, fmt.Sprintf("%x", f.PC))
	}
	if got := strings.Join(at, " "); got != "108 205 305" || fs.Unwind(w, 2).Failed != nil {
		t.Fatalf("frames at %s, %v", got, fs.Unwind(w, 2).Failed)
	}
	for i, want := range []string{"0051000000000000", "4051000000000000", "6051000000000000"} {
		if got := register(&frames[i], 1, 2, 2, 8); got != want {
			t.Errorf("frame %d has s2 %s, expected %s", i, got, want)
		}
	}
	if got := register(&frames[1], 1, 2, 2, 6); got != "405100000000" {
		t.Errorf("six bytes of s2 are %s", got)
	}
	if got := register(&frames[1], 1, 3, 2, 8); got != "0000000040510000" {
		t.Errorf("s3 is %s", got)
	}
	for i, want := range []string{"01102030", fmt.Sprintf("%x", "f al"), fmt.Sprintf("%x", "f al")} {
		if got := register(&frames[i], 0, 7, 1, 4); got != want {
			t.Errorf("frame %d has v7 %s in lane 1, expected %s", i, got, want)
		}
	}
	err := frames[1].Registers.Read(simt.Reg{File: 3}, 2, make([]byte, 4))
	if !errors.Is(err, unwind.ErrNotSaved) {
		t.Errorf("a register without a number of DWARF's: %v", err)
	}
	written := []byte{1, 2, 3, 4, 5, 6, 7, 8}
	err = frames[1].Registers.Write(simt.Reg{File: 1, Index: 2}, 2, written)
	if err != nil || !slices.Equal(stack[0x100:0x108], written) {
		t.Errorf("s2 was saved as % x, %v", stack[0x100:0x108], err)
	}
}

// TestCFA: what expressions ask of call frame information.
func TestCFA(t *testing.T) {
	fs, w, _ := calls(t)
	frames := fs.Of(w, 2)
	for i, want := range []uint64{stackBase + 0x110, stackBase + 0x160, stackBase + 0x160} {
		l, err := (&Context{Finder: fs, Frame: &frames[i]}).CFA()
		if a, ok := l.Address(); !ok || a.Address != want || err != nil {
			t.Errorf("frame %d has its CFA at %v, %v, expected %#x", i, l, err, want)
		}
	}
	outside := frames[0]
	outside.At = 0x404
	if l, err := (&Context{Finder: fs, Frame: &outside}).CFA(); err == nil {
		t.Errorf("without a rule the CFA is %v", l)
	}
	if _, ok, err := fs.Providers[0].Caller(&outside); ok || err != nil {
		t.Errorf("without a rule there is a caller, %t, %v", ok, err)
	}
	l, err := (&Context{Finder: fs, Frame: &frames[0]}).EntryRegister(1)
	if data, _, ok := l.Constant(); !ok || err != nil || fmt.Sprintf("%x", data) != "4051000000000000" {
		t.Errorf("register 1 was %v, %v", l, err)
	}
	if _, err := (&Context{Finder: fs, Frame: &frames[2]}).EntryRegister(1); err == nil {
		t.Error("the kernel's caller has registers")
	}
}

// TestSaved: where registers of callers are, in words.
func TestSaved(t *testing.T) {
	fs, w, _ := calls(t)
	frames := fs.Of(w, 2)
	for i, want := range []string{1: "CFA of the callee: memory 0x5110; v7: memory 0x50d0; " +
		"s2: memory 0x5100, memory 0x5104; " +
		"pc: memory 0x5108, memory 0x510c",
		2: "CFA of the callee: memory 0x5160; v7: memory 0x50d0; " +
			"s2: the value 0x5160; pc: memory 0x5158, memory 0x515c; not saved: v0"} {
		if i == 0 {
			continue
		}
		if got := strings.Join(frames[i].Registers.(unwind.Describer).Saved(), "; "); got != want {
			t.Errorf("frame %d: %s, expected %s", i, got, want)
		}
	}
	r := frames[1].Registers.(*ruledRegisters)
	if got := r.names([]uint64{0, 1, 2, 5, 6, 8}); got != "v7-pc, register 5-register 6, register 8" {
		t.Error(got)
	}
	scratch := func(addr uint64) expr.Location {
		l, err := expr.MemoryAt(expr.AMDGPU, 8, expr.SpacePrivateWave, addr, -1)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	join := func(l ...expr.Location) expr.Location {
		var parts []expr.Part
		for _, one := range l {
			parts = append(parts, expr.Part{Bits: 32, Location: one})
		}
		all, err := expr.Compose(parts)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	lane := func(i uint64) expr.Location { return expr.RegisterAt(0, 32*i) }
	for _, x := range []struct {
		l    expr.Location
		want string
	}{
		{join(lane(0), lane(1), lane(2), lane(3)), "v7"},
		{join(lane(0), scratch(36), scratch(40), lane(3)),
			"v7 in lanes 0000000000000009, scratch 0x8 in lanes 0000000000000006"},
		{join(lane(0), lane(2), lane(1), lane(3)), "v7 lane 0, v7 lane 2, v7 lane 1, v7 lane 3"},
		{scratch(32), "scratch 0x8"},
	} {
		if got := r.describe(0, x.l); got != x.want {
			t.Errorf("%v: %s, expected %s", x.l, got, x.want)
		}
	}
	for addr, want := range map[uint64]string{32: "scratch 0x8, of the wave's 0x20",
		36: "the wave's scratch 0x24"} {
		if got := r.memory(expr.Addr{Space: expr.SpacePrivateWave, Address: addr}); got != want {
			t.Errorf("%d: %s, expected %s", addr, got, want)
		}
	}
}
