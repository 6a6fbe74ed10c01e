package frames

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/dwarf"
	"simtgdb/dwarf/expr"
	"simtgdb/dwarf/types"
	"simtgdb/simt"
	"simtgdb/stub/arch"
	"simtgdb/stub/symfile"
	"simtgdb/stub/threads"
	"simtgdb/stub/unwind"
)

// testArch has four registers of DWARF's: 0 is one of a lane, 1 one of the wave, 2 the pc, 3 none. Address
// space 3 is LDS of which two bytes lie together, 5 a lane's private memory, 6 that of lane 1, 0 all memory.
// Addresses from aperture on are the program's own.
type testArch struct{ arch.Arch }

const aperture = 1 << 16

func (testArch) Register(n uint64) (arch.Register, bool) {
	all := []arch.Register{{Reg: simt.Reg{File: 0, Index: 7}, Bytes: 4, PerLane: true},
		{Reg: simt.Reg{File: 1, Index: 2}, Bytes: 8}, {Bytes: 8, PC: true}, {Bytes: 8, Zero: true}}
	if n >= uint64(len(all)) {
		return arch.Register{}, false
	}
	return all[n], true
}

func (testArch) Place(_ *simt.Wave, lane int, space, addr uint64) (arch.Place, error) {
	switch space {
	case expr.SpaceGlobal:
		return arch.Place{Space: simt.Global, Addr: addr}, nil
	case expr.SpaceLocal:
		return arch.Place{Space: simt.LDS, Addr: addr}, nil
	case expr.SpacePrivateLane:
		return arch.Place{Space: simt.Scratch, Addr: addr, Lane: lane}, nil
	case expr.SpacePrivateWave:
		return arch.Place{Space: simt.Scratch, Addr: addr, Lane: 1}, nil
	case 9: // LDS from 16 on, two bytes of which lie together
		return arch.Place{Space: simt.LDS, Addr: 16 + addr*2, Bytes: 2}, nil
	}
	return arch.Place{}, errors.New("no such space")
}

func (testArch) Aperture(addr uint64) (simt.Space, uint64, bool) {
	return simt.LDS, addr - aperture, addr >= aperture
}

func (testArch) Model() types.Model             { return types.AMDGPU }
func (testArch) ClassSpace(class uint64) uint64 { return class }

// genericArch is one whose programs have pointers to all memories alike.
type genericArch struct{ testArch }

func (genericArch) GenericAddress(space simt.Space, offset uint64) uint64 {
	return uint64(space)<<32 | offset
}

// testRegisters hold a byte for each of their numbers, lanes and files.
type testRegisters map[string][]byte

func place(r simt.Reg, lane int) string { return fmt.Sprint(r.File, r.Index, lane) }

func (testRegisters) Files() []simt.RegFile {
	return []simt.RegFile{{Name: "v", Bits: 32, Count: 256, PerLane: true}, {Name: "s", Bits: 64, Count: 4},
		{Name: "vcc", Bits: 64}, {Name: "sys", Bits: 32, Count: 2, Names: []string{"mode", "status"}}}
}

func (t testRegisters) Read(r simt.Reg, lane int, p []byte) error {
	copy(p, t[place(r, lane)])
	return nil
}

func (t testRegisters) Write(r simt.Reg, lane int, p []byte) error {
	t[place(r, lane)] = bytes.Clone(p)
	return nil
}

// context is one of lane 2 of a wave of four.
func context(a arch.Arch) (*Context, testRegisters) {
	regs := testRegisters{}
	w := &simt.Wave{ID: 5, Size: 4, Group: &simt.Workgroup{Index: 3, LDS: make([]byte, 64)}}
	for lane := range 4 {
		regs[place(simt.Reg{File: 0, Index: 7}, lane)] = []byte{byte(lane), 0x10, 0x20, 0x30}
	}
	regs[place(simt.Reg{File: 1, Index: 2}, 2)] = []byte{1, 2, 3, 4, 5, 6, 7, 8}
	fs := &Finder{Resident: threads.Resident{Windows: threads.WindowsOf(64)}, Arch: a}
	return &Context{Finder: fs, Frame: &unwind.Frame{Wave: w, Lane: 2, PC: 0x1234, Registers: regs}}, regs
}

// TestContextRegisters: a register with a part for each lane is all of them, one after the other; the pc and
// what is no register can be read, not written.
func TestContextRegisters(t *testing.T) {
	c, regs := context(testArch{})
	for _, x := range []struct {
		num  uint64
		off  int
		want string
	}{
		{0, 0, "00102030 01102030"}, {0, 6, "2030 0210"}, {0, 12, "03102030"}, {1, 0, "0102030405060708"},
		{1, 5, "060708"}, {2, 0, "3412000000000000"}, {3, 0, "0000000000000000"},
	} {
		want := strings.ReplaceAll(x.want, " ", "")
		got := bytes.Repeat([]byte{0xee}, len(want)/2)
		if err := c.ReadRegister(x.num, x.off, got); err != nil || fmt.Sprintf("%x", got) != want {
			t.Errorf("register %d from %d: %x, %v, expected %s", x.num, x.off, got, err, want)
		}
	}
	for num, size := range []int{16, 8, 8, 8} {
		if got, err := c.RegisterSize(uint64(num)); got != size || err != nil {
			t.Errorf("register %d has %d bytes, %v", num, got, err)
		}
	}
	for _, x := range []struct {
		num    uint64
		off, n int
	}{{0, 13, 4}, {0, -1, 2}, {1, 8, 1}, {4, 0, 1}} {
		if err := c.ReadRegister(x.num, x.off, make([]byte, x.n)); err == nil {
			t.Errorf("%d bytes from %d of register %d were read", x.n, x.off, x.num)
		}
	}
	if err := c.WriteRegister(0, 7, []byte{0xaa, 0xbb}); err != nil {
		t.Error(err)
	}
	for lane, want := range []string{"00102030", "011020aa", "bb102030", "03102030"} {
		if got := fmt.Sprintf("%x", regs[place(simt.Reg{File: 0, Index: 7}, lane)]); got != want {
			t.Errorf("lane %d has %s, expected %s", lane, got, want)
		}
	}
	for _, num := range []uint64{2, 3} {
		if err := c.WriteRegister(num, 0, []byte{1}); err == nil ||
			!strings.Contains(err.Error(), "no place") {
			t.Errorf("register %d: %v", num, err)
		}
	}
}

// TestContextMemory: bytes that do not lie together are moved piece by piece.
func TestContextMemory(t *testing.T) {
	c, _ := context(testArch{})
	lds := c.Frame.Wave.Group.LDS
	if err := c.WriteMemory(9, -1, 1, []byte{1, 2, 3, 4, 5}); err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprintf("%x", lds[16:28]), "000001020000030400000500"; got != want {
		t.Errorf("LDS has %s, expected %s", got, want)
	}
	got := make([]byte, 5)
	if err := c.ReadMemory(9, -1, 1, got); err != nil || !bytes.Equal(got, []byte{1, 2, 3, 4, 5}) {
		t.Errorf("read % x, %v", got, err)
	}
	if err := c.ReadMemory(expr.SpaceLocal, -1, 60, got); err == nil {
		t.Error("read past the end of LDS")
	}
	if err := c.ReadMemory(8, -1, 0, got); err == nil || !strings.Contains(err.Error(), "no such space") {
		t.Errorf("of a space that is none: %v", err)
	}
}

// TestVisible: what the program has an address for has that one, but for other lanes' memory; what is in
// pieces has none.
func TestVisible(t *testing.T) {
	plain, _ := context(testArch{})
	generic, _ := context(genericArch{})
	ws := plain.Finder.Windows
	plain.Frame.Wave.Group.Before, generic.Frame.Wave.Group.Before = 100, 100
	for _, x := range []struct {
		c     *Context
		space uint64
		want  uint64
	}{
		{plain, expr.SpaceGlobal, 40}, {generic, expr.SpaceGlobal, 40},
		{plain, expr.SpaceLocal, ws.Window(threads.LDSWindow, 3, 40)},
		{plain, expr.SpacePrivateLane, ws.Window(threads.ScratchWindow, 103, 40)},
		{plain, expr.SpacePrivateWave, ws.Window(threads.ScratchWindow, 102, 40)},
		{generic, expr.SpaceLocal, uint64(simt.LDS)<<32 | 40},
		{generic, expr.SpacePrivateLane, uint64(simt.Scratch)<<32 | 40},
		{generic, expr.SpacePrivateWave, ws.Window(threads.ScratchWindow, 102, 40)},
	} {
		got, ok := x.c.Finder.Visible(x.c.Frame, expr.Addr{Space: x.space, Address: 40})
		if !ok || got != x.want {
			t.Errorf("space %d of %T: %#x, %t, expected %#x", x.space, x.c.Finder.Arch, got, ok, x.want)
		}
	}
	for _, space := range []uint64{8, 9} {
		if _, ok := plain.Finder.Visible(plain.Frame, expr.Addr{Space: space}); ok {
			t.Errorf("space %d is visible", space)
		}
	}
}

// TestNarrowPointers: gdb sees addresses where the program has 32 bits, and nothing where it has its null.
func TestNarrowPointers(t *testing.T) {
	c, _ := context(genericArch{})
	slot := &symfile.Slot{Space: expr.SpaceLocal, Pointers: 3}
	loc := expr.Implicit([]byte{0x10, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x20, 1, 0, 0})
	got := make([]byte, 20)
	n, err := c.Finder.readPointers(c.Frame, loc, c, slot, 0, got)
	want := fmt.Sprintf("10000000%02x000000"+"0000000000000000"+"20010000", byte(simt.LDS))
	if n != 20 || err != nil || fmt.Sprintf("%x", got) != want {
		t.Errorf("%x, %d, %v, expected %s", got, n, err, want)
	}
	if n, err = c.Finder.readPointers(c.Frame, loc, c, slot, 17, got[:3]); n != 3 || err != nil ||
		fmt.Sprintf("%x", got[:3]) != "010000" {
		t.Errorf("%x, %d, %v", got[:3], n, err)
	}
	for _, part := range []struct {
		from int64
		n    int
	}{{4, 8}, {0, 4}} {
		if c.Finder.writePointers(loc, c, part.from, make([]byte, part.n)) == nil {
			t.Errorf("%d bytes of a pointer from %d were written", part.n, part.from)
		}
	}
	e := &Env{Finder: c.Finder, Frame: c.Frame}
	for _, x := range []struct{ class, v, want uint64 }{
		{expr.SpaceLocal, 0x10, uint64(simt.LDS)<<32 | 0x10}, {expr.SpaceLocal, 0xffffffff, 0},
		{0, 0x10, 0x10},
	} {
		p := dwarf.NewDIE(dwarf.TagPointerType, dwarf.UintAttr(dwarf.AttrAddressClass, x.class))
		if got := e.Pointer(p, x.v); got != x.want {
			t.Errorf("%#x of class %d leads to %#x, expected %#x", x.v, x.class, got, x.want)
		}
	}
	if got := (&Env{Finder: c.Finder}).Pointer(dwarf.NewDIE(dwarf.TagPointerType), 7); got != 7 {
		t.Errorf("without a frame: %#x", got)
	}
}

// TestShown: lanes in which gdb was told of an object that holds a range, until the program goes on.
func TestShown(t *testing.T) {
	c, _ := context(testArch{})
	fs, w := c.Finder, c.Frame.Wave
	other := &simt.Wave{ID: 6}
	fs.Show(w, 2, aperture+8, 16)
	fs.Show(w, 3, aperture+8, 16)
	fs.Show(other, 0, aperture+16, 4)
	fs.Show(other, 1, aperture-1, 4) // in memory that all have
	for _, x := range []struct {
		addr, size uint64
		want       threads.Set
	}{
		{aperture + 8, 16, threads.Set{5: 12}}, {aperture + 16, 4, threads.Set{5: 12, 6: 1}},
		{aperture + 16, 8, threads.Set{5: 12}}, {aperture + 8, 17, threads.Set{}},
		{aperture + 7, 1, threads.Set{}}, {aperture + 24, 1, threads.Set{}}, {aperture - 1, 1, threads.Set{}},
	} {
		if d := cmp.Diff(x.want, fs.ShownIn(x.addr, x.size)); d != "" {
			t.Errorf("%d bytes at %#x: %s", x.size, x.addr, d)
		}
	}
	fs.ForgetShown()
	if got := fs.ShownIn(aperture+8, 16); len(got) > 0 {
		t.Errorf("%v is known", got)
	}
	for _, x := range []struct {
		addr, size uint64
		want       bool
	}{{128, 64, true}, {128, 128, true}, {64, 128, false}, {128, 32, false}, {192, 96, false},
		{0, 64, true}} {
		if IsLine(x.addr, x.size) != x.want {
			t.Errorf("%d bytes at %d are a line: %t", x.size, x.addr, !x.want)
		}
	}
	for i := range uint64(maxShown + 9) {
		fs.Show(w, 1, aperture+i, 1)
	}
	if len(fs.shown) != maxShown {
		t.Errorf("%d are remembered, expected %d", len(fs.shown), maxShown)
	}
}

// TestRegisterNames: what gdb calls registers, each way.
func TestRegisterNames(t *testing.T) {
	files := testRegisters{}.Files()
	for name, want := range map[string]simt.Reg{"v0": {}, "v255": {Index: 255}, "s3": {File: 1, Index: 3},
		"vcc": {File: 2}, "status": {File: 3, Index: 1}} {
		r, f, ok := RegisterNamed(files, name)
		if !ok || r != want || f.Name != files[want.File].Name {
			t.Errorf("%s is %v of %s, %t", name, r, f.Name, ok)
		}
		if got := RegisterName(files, want); got != name {
			t.Errorf("%v is called %s, expected %s", want, got, name)
		}
	}
	for _, name := range []string{"v256", "v", "v-1", "s4", "sys0", "vcc0", "x1"} {
		if r, _, ok := RegisterNamed(files, name); ok {
			t.Errorf("%s is %v", name, r)
		}
	}
	if got := RegisterName(files, simt.Reg{File: 4, Index: 9}); got != "register 9 of file 4" {
		t.Error(got)
	}
}

// TestConstant: a variable that is one, and one that is none.
func TestConstant(t *testing.T) {
	v, ok := Constant(dwarf.NewDIE(dwarf.TagVariable, dwarf.IntAttr(dwarf.AttrConstValue, -2)))
	if !ok || fmt.Sprintf("%x", v.Data) != "feffffffffffffff" {
		t.Errorf("%x, %t", v.Data, ok)
	}
	if _, ok := Constant(dwarf.NewDIE(dwarf.TagVariable)); ok {
		t.Error("one without a value is a constant")
	}
}
