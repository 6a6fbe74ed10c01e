package frames

import (
	"fmt"
	"testing"

	"simtgdb/dwarf"
	"simtgdb/dwarf/expr"
	"simtgdb/simt"
	"simtgdb/simt/simttest"
	"simtgdb/stub/symfile"
	"simtgdb/stub/threads"
	"simtgdb/stub/unwind"
)

func (testArch) Options(*dwarf.Unit) expr.Options { return expr.Options{} }

func (testArch) Follow(_ expr.Context, _ *dwarf.Unit, l expr.Location, _ int, _ uint64) (expr.Location,
	error) {
	return l, nil
}

// regs are of a frame whose scalar register has a byte eight times.
func regs(b byte) testRegisters {
	return testRegisters{place(simt.Reg{File: 1, Index: 2}, 1): {b, b, b, b, b, b, b, b}}
}

// TestWindow: in a frame's window are the address that it returns to and the objects that the registers of
// that frame have, and nothing else; objects alone can be written.
func TestWindow(t *testing.T) {
	m, err := simt.New(simt.NewMemory(), &simttest.ToyISA{}, simt.Dispatch{Grid: [3]uint32{4, 1, 1},
		Block: [3]uint32{4, 1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Fill(); err != nil {
		t.Fatal(err)
	}
	w := m.Waves()[0]
	const lane, thread = 1, 2
	const register1, size = 0x51, 8
	inner, kernel := regs(0x11), regs(0x22)
	fs := &Finder{Resident: threads.Resident{Windows: threads.WindowsOf(64), Machine: m}, Arch: testArch{},
		Symbols: &symfile.File{}, Layout: symfile.Layout{Dispatch: 0xd000}, Breakpoint: []byte{0xcc}}
	fs.known = map[laneKey]unwound{{w, lane}: {All: []unwind.Frame{
		{Wave: w, Lane: lane, PC: 0x1122334455667788, Depth: 1, Registers: inner},
		{Wave: w, Lane: lane, PC: 0xa1a2a3a4a5a6a7a8, Level: 1, Registers: kernel}}}}
	read := func(depth int, at int64, n int) string {
		got := make([]byte, n)
		for i := range got {
			got[i] = 0xee
		}
		n, err := fs.ReadWindow(thread, uint64(int64(threads.FrameTop-depth*threads.FrameStride)+at), got)
		if err != nil {
			return err.Error()
		}
		return fmt.Sprintf("%x", got[:n])
	}
	write := func(depth int, at int64, data ...byte) error {
		return fs.WriteWindow(thread, uint64(int64(threads.FrameTop-depth*threads.FrameStride)+at), data)
	}
	expect := func(what, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %s, expected %s", what, got, want)
		}
	}
	expect("what the inner frame returns to", read(1, -8, 8), "a8a7a6a5a4a3a2a1")
	expect("the middle of it", read(1, -6, 3), "a6a5a4")
	expect("what is around it", read(1, -12, 14), "00000000"+"a8a7a6a5a4a3a2a1"+"0000")
	expect("what the kernel returns to", read(0, -8, 8), "08d0000000000000")
	expect("a frame further in", read(2, -8, 8), "bad address: frame 2 of thread 2 is not there")
	if _, err := fs.ReadWindow(7, threads.FrameTop, nil); err == nil {
		t.Error("the window of a thread that is not there was read")
	}
	if err := write(1, -8, 0xcc); err != nil {
		t.Errorf("what gdb puts where a call is to return to: %v", err)
	}
	for _, x := range []struct {
		depth int
		at    int64
		data  byte
	}{{1, -8, 0xcd}, {1, 8, 0xcc}, {2, -8, 0xcc}} {
		if write(x.depth, x.at, x.data) == nil {
			t.Errorf("%#x was written at %d of frame %d", x.data, x.at, x.depth)
		}
	}

	fs.Symbols.Slots = []symfile.Slot{{Name: "x", Expr: []byte{register1}, Size: size}}
	expect("the inner frame's object", read(1, 0, 8), "1111111111111111")
	expect("the kernel's", read(0, 3, 2), "2222")
	expect("its end", read(0, 6, 9), "2222")
	expect("behind it", read(0, 9, 1), "bad address: x has 8 bytes")
	if err := write(0, 2, 0x77); err != nil {
		t.Error(err)
	}
	expect("the kernel's, written", read(0, 0, 8), "2222772222222222")
	expect("the inner frame's then", read(1, 0, 8), "1111111111111111")
}
