package frames

import (
	"testing"

	"simtgdb/dwarf/expr"
	"simtgdb/simt"
	"simtgdb/stub/arch"
)

// wideArch has besides registers without lanes that are wider than a scalar of any machine's: 8 is such, and
// 9 another. It has no others.
type wideArch struct{ testArch }

func (wideArch) Register(n uint64) (arch.Register, bool) {
	if n == 8 || n == 9 {
		return arch.Register{Reg: simt.Reg{File: 1, Index: uint16(n - 8)}, Bytes: 16}, true
	}
	return testArch{}.Register(n)
}

// TestWideRegisters: of a wide register without lanes it is said in which register or where in memory it is
// if it is there in one piece, nothing if that is its own, and else where each of its dwords is.
func TestWideRegisters(t *testing.T) {
	fs, w, _ := calls(t)
	r := fs.Of(w, 2)[1].Registers.(*ruledRegisters)
	fs.Arch = wideArch{}
	memory := func(space, addr uint64) expr.Location {
		l, err := expr.MemoryAt(expr.AMDGPU, 8, space, addr, -1)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	halves, err := expr.Compose([]expr.Part{{Bits: 64, Location: expr.RegisterAt(9, 64)},
		{Bits: 64, Location: memory(expr.SpaceGlobal, 0x80)}})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		what    string
		l       expr.Location
		want    string
		inPlace bool
	}{
		{"itself", expr.RegisterAt(8, 0), "s0", true},
		{"another", expr.RegisterAt(9, 0), "s1", false},
		{"memory", memory(expr.SpaceGlobal, 0x80), "memory 0x80", false},
		{"the wave's memory", memory(expr.SpacePrivateWave, 32),
			"scratch 0x8 lane 0, scratch 0x8 lane 1, scratch 0x8 lane 2, scratch 0x8 lane 3", false},
		{"lanes of a vector", expr.RegisterAt(0, 0), "v7 lane 0, v7 lane 1, v7 lane 2, v7 lane 3", false},
		{"halves", halves, "s1 bit 64, s1 bit 96, memory 0x80, memory 0x84", false},
	} {
		if got := r.describe(8, x.l); got != x.want {
			t.Errorf("%s: %s, want %s", x.what, got, x.want)
		}
		if got := r.inPlace(8, x.l); got != x.inPlace {
			t.Errorf("%s is in place: %t", x.what, got)
		}
	}
	// A narrow register is told of wherever it is, and one that is not known has a location.
	if r.inPlace(1, expr.RegisterAt(1, 0)) || r.inPlace(7, expr.RegisterAt(7, 0)) {
		t.Error("s2 or a register that is not known is in place")
	}
	low, err := expr.Implicit([]byte{1, 0, 0, 0, 2, 0, 0, 0}).Offset(r.base, 4, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		num  uint64
		l    expr.Location
		want string
	}{
		{1, expr.Implicit([]byte{1, 0, 0, 0, 2, 0, 0, 0}), "the value 0x200000001"},
		{7, expr.RegisterAt(1, 0), expr.RegisterAt(1, 0).String()},
	} {
		if got := r.describe(x.num, x.l); got != x.want {
			t.Errorf("%v: %s, want %s", x.l, got, x.want)
		}
	}
	if v, ok := constant(low); ok {
		t.Errorf("the high half of a value is %s", v)
	}
}
