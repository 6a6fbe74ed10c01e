package frames

import (
	"errors"
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
	}{{1, -8, 0xcd}, {1, 0, 0xcc}, {1, 8, 0xcc}, {2, -8, 0xcc}} {
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
	if err := write(1, 4, 0x55, 0x66); err != nil {
		t.Error(err)
	}
	expect("the inner frame's, written", read(1, 0, 8), "1111111155661111")
	expect("the kernel's then", read(0, 0, 8), "2222772222222222")
	if err := write(0, 7, 1, 2); err == nil {
		t.Error("more than the object was written")
	}
	expect("the kernel's still", read(0, 0, 8), "2222772222222222")
}

// TestLocated: a variable is in memory where it has an address that gdb can see, else what its location
// reads; it is gone where that cannot be evaluated.
func TestLocated(t *testing.T) {
	c, _ := context(testArch{})
	e := &Env{Finder: c.Finder, Frame: c.Frame}
	const register0, register1, addr, deref = 0x50, 0x51, 0x03, 0x06
	word := dwarf.NewDIE(dwarf.TagBaseType)
	for _, x := range []struct {
		name string
		slot symfile.Slot
		want string
	}{
		{"memory", symfile.Slot{Expr: []byte{addr, 0x40, 0, 0, 0, 0, 0, 0, 0}, Size: 4}, "at 0x40"},
		{"a register", symfile.Slot{Expr: []byte{register1}, Size: 8}, "0102030405060708"},
		{"a byte of it", symfile.Slot{Expr: []byte{register1}, Size: 1}, "01"},
		{"of all lanes", symfile.Slot{Expr: []byte{register0}, Size: 16}, "00102030011020300210203003102030"},
		{"more than it", symfile.Slot{Expr: []byte{register1}, Size: 9}, ErrGone.Error()},
		{"nothing of it", symfile.Slot{Expr: []byte{register1}}, "0 bytes"},
		{"too much", symfile.Slot{Expr: []byte{register1}, Size: maxRegisters + 1}, "65537 bytes"},
		{"no expression", symfile.Slot{Expr: []byte{deref}, Size: 4}, ErrGone.Error()},
	} {
		v, err := e.Located(word, &x.slot)
		got := fmt.Sprintf("%x", v.Data)
		if err != nil {
			got = err.Error()
		} else if v.InMemory {
			got = fmt.Sprintf("at %#x", v.Addr)
		}
		if got != x.want || err == nil && v.Type != word {
			t.Errorf("%s: %s, want %s", x.name, got, x.want)
		}
	}
}

// followArch follows a location to nothing.
type followArch struct{ testArch }

func (followArch) Follow(expr.Context, *dwarf.Unit, expr.Location, int, uint64) (expr.Location, error) {
	return expr.Location{}, errors.New("followed")
}

// TestFollow: the family follows where a location leads that could be evaluated, but not that of pointers.
func TestFollow(t *testing.T) {
	c, _ := context(followArch{})
	const register1, deref = 0x51, 0x06
	for _, x := range []struct {
		slot     symfile.Slot
		followed bool
	}{{symfile.Slot{Expr: []byte{register1}, Size: 8}, true}, {symfile.Slot{Expr: []byte{register1},
		Pointers: 2}, false},
		{symfile.Slot{Expr: []byte{deref}, Size: 8}, false}, {symfile.Slot{Expr: []byte{deref},
			Pointers: 2}, false}} {
		_, _, err := c.Finder.Locate(c.Frame, &x.slot)
		if (err != nil && err.Error() == "followed") != x.followed {
			t.Errorf("%x of %d pointers: %v", x.slot.Expr, x.slot.Pointers, err)
		}
		if (err == nil) != (x.slot.Expr[0] == register1 && !x.followed) {
			t.Errorf("%x: %v", x.slot.Expr, err)
		}
	}
}

// TestWriteNarrow: pointers that gdb writes become the low halves that the program has, and null its null.
func TestWriteNarrow(t *testing.T) {
	c, regs := context(testArch{})
	loc, err := expr.Evaluate(c, []byte{0x50}, expr.Options{})
	if err != nil {
		t.Fatal(err)
	}
	data := []byte{0x78, 0x56, 0x34, 0x12, 9, 9, 9, 9, 0, 0, 0, 0, 0, 0, 0, 0}
	if err := c.Finder.writePointers(loc, c, 8, data); err != nil {
		t.Fatal(err)
	}
	for lane, want := range []string{"00102030", "78563412", "ffffffff", "03102030"} {
		if got := fmt.Sprintf("%x", regs[place(simt.Reg{File: 0, Index: 7}, lane)]); got != want {
			t.Errorf("lane %d has %s, want %s", lane, got, want)
		}
	}
}
