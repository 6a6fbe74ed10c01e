package frames

import (
	"errors"
	"fmt"
	"testing"

	"simtgdb/dwarf"
	"simtgdb/dwarf/expr"
	"simtgdb/simt"
	"simtgdb/stub/symfile"
	"simtgdb/stub/threads"
)

// TestSlotOf: what it takes to evaluate a variable's location: its size, and whether gdb is to see another
// pointer than the program has.
func TestSlotOf(t *testing.T) {
	c, _ := context(testArch{})
	typ := func(tag dwarf.Tag, attrs ...dwarf.Attr) *dwarf.DIE { return dwarf.NewDIE(tag, attrs...) }
	class := func(n uint64) dwarf.Attr { return dwarf.UintAttr(dwarf.AttrAddressClass, n) }
	narrow := typ(dwarf.TagPointerType, class(expr.SpaceLocal))
	for _, x := range []struct {
		name     string
		of       *dwarf.DIE
		size     uint64
		pointers int
	}{
		{"int", typ(dwarf.TagBaseType, dwarf.UintAttr(dwarf.AttrByteSize, 4)), 4, 0},
		{"pointer", typ(dwarf.TagPointerType, dwarf.UintAttr(dwarf.AttrByteSize, 8)), 8, 0}, {"narrow",
			narrow, 4, 1},
		{"const narrow", typ(dwarf.TagConstType, dwarf.RefAttr(dwarf.AttrType, narrow)), 4, 1},
	} {
		d := typ(dwarf.TagVariable, dwarf.StringAttr(dwarf.AttrName, x.name), dwarf.RefAttr(dwarf.AttrType,
			x.of))
		s := c.Finder.SlotOf(d, []byte{0x51})
		if s.Name != x.name || s.Size != x.size || int(s.Pointers) != x.pointers || string(s.Expr) != "\x51" {
			t.Errorf("%s: %+v", x.name, s)
		}
	}
}

// TestReadFor: an address leads to memory that all have, to the workgroup's or to the lane's own, and nowhere
// in another lane.
func TestReadFor(t *testing.T) {
	c, _ := context(testArch{})
	mem := simt.NewMemory()
	if _, err := mem.Map("data", 0x1000, []byte{1, 2, 3, 4}, simt.PermRead); err != nil {
		t.Fatal(err)
	}
	fs, f := c.Finder, c.Frame
	fs.memory = mem
	f.Wave.ScratchLimit = 64
	copy(f.Wave.Group.LDS[8:], []byte{5, 6})
	if n, err := f.Wave.WriteScratch(f.Lane, 4, []byte{7, 8}); n != 2 || err != nil {
		t.Fatal(n, err)
	}
	own := int(threads.Of(f.Wave, f.Lane))
	for _, x := range []struct {
		addr  uint64
		want  string
		space simt.Space
		at    uint64
	}{
		{0x1001, "0203", simt.Global, 0x1001}, {aperture + 8, "0506", simt.LDS, 8},
		{fs.Window(threads.LDSWindow, 0, 8), "0506", simt.LDS, 8},
		{fs.Window(threads.ScratchWindow, own, 4), "0708", simt.Scratch, 4},
		{fs.Window(threads.ScratchWindow, own+1, 4), "another lane's memory", simt.Scratch, 4},
	} {
		var b [2]byte
		n, err := fs.ReadFor(f, x.addr, b[:])
		got := fmt.Sprintf("%x", b[:n])
		if err != nil {
			got = err.Error()
		}
		space, at, ok := fs.OwnPlace(f, x.addr)
		if got != x.want || space != x.space || at != x.at || ok != (err == nil) {
			t.Errorf("%#x: %s, want %s; %v at %#x, %v", x.addr, got, x.want, space, at, ok)
		}
	}
}

// TestHomes: where a dword of a register is, and in which of many alike.
func TestHomes(t *testing.T) {
	fs, w, _ := calls(t)
	r := fs.Of(w, 2)[1].Registers.(*ruledRegisters)
	memory := func(space, addr uint64) expr.Location {
		l, err := expr.MemoryAt(expr.AMDGPU, 8, space, addr, -1)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	for _, x := range []struct {
		l    expr.Location
		want home
		lane int
	}{
		{expr.RegisterAt(0, 0), home{"v7", true}, 0}, {expr.RegisterAt(0, 64), home{"v7", true}, 2},
		{expr.RegisterAt(1, 0), home{"s2", false}, 0}, {expr.RegisterAt(1, 32), home{"s2 bit 32", false}, 0},
		{memory(expr.SpacePrivateWave, 36), home{"scratch 0x8", true}, 1},
		{memory(expr.SpacePrivateWave, 38), home{"the wave's scratch 0x26", false}, 0},
		{memory(expr.SpaceGlobal, 36), home{"memory 0x24", false}, 0},
		{expr.Implicit([]byte{7, 0, 0, 0}), home{"the value 0x7", false}, 0},
	} {
		if h, lane := r.homeOf(x.l); h != x.want || lane != x.lane {
			t.Errorf("%v: %+v, lane %d, want %+v, lane %d", x.l, h, lane, x.want, x.lane)
		}
	}
}

// TestReadPointers: of an object of narrow pointers gdb reads wide ones, no more than there are.
func TestReadPointers(t *testing.T) {
	c, _ := context(testArch{})
	fs := c.Finder
	fs.Symbols = &symfile.File{Slots: []symfile.Slot{{Name: "p", Expr: []byte{0x50}, Size: 32, Pointers: 4}}}
	for _, x := range []struct {
		from int64
		n    int
		want string
	}{{0, 8, "0010203000000000"}, {8, 40, "011020300000000002102030000000000310203000000000"}, {30, 4,
		"0000"}} {
		b := make([]byte, x.n)
		n, err := fs.ReadObject(c.Frame, 0, x.from, b)
		if got := fmt.Sprintf("%x", b[:n]); got != x.want || err != nil {
			t.Errorf("%d bytes from %d: %s, %v, want %s", x.n, x.from, got, err, x.want)
		}
	}
	if _, err := fs.ReadObject(c.Frame, 0, 32, make([]byte, 1)); err == nil {
		t.Error("what is behind the object was read")
	}
}

// TestEnvRead: memory is read whole, or not at all.
func TestEnvRead(t *testing.T) {
	for _, x := range []struct {
		n    int
		err  error
		want bool
	}{{4, nil, true}, {3, nil, false}, {0, nil, false}, {4, errors.New("gone"), false}, {2,
		errors.New("gone"), false}} {
		e := &Env{ReadAt: func(uint64, []byte) (int, error) { return x.n, x.err }}
		if err := e.Read(0x40, make([]byte, 4)); (err == nil) != x.want {
			t.Errorf("%d of 4 bytes, %v: %v", x.n, x.err, err)
		}
	}
}
