package displace

import (
	"encoding/binary"
	"testing"

	"simtgdb/dwarf"
	"simtgdb/dwarf/expr"
)

// TestExpressions: addresses in expressions move, but for those of another space, which their producers push
// a space's number and an operation for; so do those of the table of addresses.
func TestExpressions(t *testing.T) {
	const lit0, const1u, plus, xderef = 0x30, 0x08, 0x22, 0x18
	m := &mover{extent: Extent{Low: 0x1000, High: 0x2000}, by: 0x100000}
	address := func(v uint64, rest ...byte) []byte {
		return append(binary.LittleEndian.AppendUint64([]byte{expr.OpAddr}, v), rest...)
	}
	for _, c := range []struct {
		name string
		code []byte
		want uint64
	}{
		{"an address", address(0x1800), 0x101800},
		{"the last one", address(0x2000), 0x102000},
		{"of LDS", address(0x1800, lit0+3, xderef), 0x1800},
		{"of LDS, by a byte", address(0x1800, const1u, 3, xderef), 0x1800},
		{"of generic memory", address(0x1800, lit0+1, xderef), 0x101800},
		{"of memory, and 3 behind", address(0x1800, lit0+3, plus), 0x101800},
		{"of another file", address(0x2001), 0x2001},
		{"none", address(0), 0},
	} {
		m.place(dwarf.Place{Unit: &dwarf.Unit{AddrSize: 8, Version: 4}, Bytes: c.code, Expr: true},
			map[uint64]bool{})
		if got := binary.LittleEndian.Uint64(c.code[1:]); got != c.want {
			t.Errorf("%s: %#x, want %#x", c.name, got, c.want)
		}
	}
	for _, c := range []struct {
		p    dwarf.Place
		want uint64
	}{
		{dwarf.Place{Unit: &dwarf.Unit{AddrSize: 8}}, 0x101800},
		{dwarf.Place{Unit: &dwarf.Unit{AddrSize: 4}}, 0x1800},
		{dwarf.Place{Unit: &dwarf.Unit{AddrSize: 8}, Base: true}, 0x101800},
	} {
		c.p.Bytes = binary.LittleEndian.AppendUint64(nil, 0x1800)
		m.place(c.p, nil)
		if got := binary.LittleEndian.Uint64(c.p.Bytes); got != c.want {
			t.Errorf("%+v: %#x, want %#x", c.p, got, c.want)
		}
	}
	for base, want := range map[uint64]uint64{0: 0x100000, 0x3000: 0x3000} {
		b := binary.LittleEndian.AppendUint64(nil, base)
		m.place(dwarf.Place{Unit: &dwarf.Unit{AddrSize: 8}, Base: true, Bytes: b}, nil)
		if got := binary.LittleEndian.Uint64(b); got != want {
			t.Errorf("a base of %#x: %#x, want %#x", base, got, want)
		}
	}
}
