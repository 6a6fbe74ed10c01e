package cfi

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/dwarf/expr"
)

// ehFrame builds an .eh_frame of one CIE with the pointer encoding and one FDE
// with the bytes given after the CIE pointer.
func ehFrame(encoding byte, fde ...byte) []byte {
	cie := append([]byte{0, 0, 0, 0, 1}, "zR\x00\x01\x78\x10\x01"...)
	cie = append(cie, encoding, 0x0c, 7, 8)
	b := append(littleEndian(uint64(len(cie)), 4), cie...)
	at := len(b) + 4
	fde = append(littleEndian(uint64(at), 4), fde...)
	b = append(b, littleEndian(uint64(len(fde)), 4)...)
	return append(b, fde...)
}

func TestPointerEncodings(t *testing.T) {
	// The FDE's initial location is at offset 28 of the section.
	opt := Options{EH: true, Address: 0x40_0000, Text: 0x10_0000, Data: 0x20_0000}
	const at = 0x40_0000 + 28
	tests := []struct {
		name     string
		encoding byte
		bytes    []byte
		start    uint64
		size     uint64
	}{
		{"absptr", 0x00, append(littleEndian(0x1234, 8), littleEndian(0x10, 8)...), 0x1234, 0x10},
		{"uleb128", 0x01, []byte{0xb4, 0x24, 0x10}, 0x1234, 0x10},
		{"udata2", 0x02, []byte{0x34, 0xf2, 0x10, 0}, 0xf234, 0x10},
		{"udata4", 0x03, []byte{0x34, 0x12, 0, 0x80, 0x10, 0, 0, 0}, 0x80001234, 0x10},
		{"udata8", 0x04, append(littleEndian(0x1234, 8), littleEndian(0x10, 8)...), 0x1234, 0x10},
		{"sleb128 pc", 0x19, []byte{0x7c, 0x10}, at - 4, 0x10},
		{"sdata2 pc", 0x1a, []byte{0xfc, 0xff, 0x10, 0}, at - 4, 0x10},
		{"sdata4 pc", 0x1b, []byte{0xfc, 0xff, 0xff, 0xff, 0x10, 0, 0, 0}, at - 4, 0x10},
		{"sdata8 pc", 0x1c, append(littleEndian(^uint64(3), 8), littleEndian(0x10, 8)...), at - 4, 0x10},
		{"text", 0x23, []byte{4, 0, 0, 0, 0x10, 0, 0, 0}, 0x10_0004, 0x10},
		{"data", 0x33, []byte{4, 0, 0, 0, 0x10, 0, 0, 0}, 0x20_0004, 0x10},
		{"aligned", 0x50, append(make([]byte, 4),
			append(littleEndian(0x1234, 8), littleEndian(0x10, 8)...)...), 0x1234, 0x10},
		{"indirect", 0x83, []byte{4, 0, 0, 0, 0x10, 0, 0, 0}, 4, 0x10},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			table, err := Parse(ehFrame(tt.encoding, append(tt.bytes, 0)...), opt)
			if err != nil {
				t.Fatal(err)
			}
			f := table.FDE(tt.start)
			if f == nil || f.Start != tt.start || f.Range != tt.size {
				t.Fatalf("entry %+v, want [0x%x, +0x%x)", f, tt.start, tt.size)
			}
		})
	}
}

// TestAugmentationData reads what a CIE says by the letters of its augmentation (LSB, "Augmentation String
// Format"), and what an FDE has for it.
func TestAugmentationData(t *testing.T) {
	for _, c := range []struct {
		letters string
		cie     []byte
		fde     []byte // augmentation data
		size    int    // of an address
		start   uint64
		want    CIE
		lsda    uint64
		err     string
	}{
		{letters: "zR", cie: []byte{peU4}, start: 0x1000},
		{letters: "zRB", cie: []byte{peU4}, start: 0x1000, want: CIE{BKey: true}},
		{letters: "zRS", cie: []byte{peU4}, start: 0x1000, want: CIE{SignalFrame: true}},
		{letters: "zRG", cie: []byte{peU4}, start: 0x1000},
		{letters: "zR?L", cie: []byte{peU4, 1, 2, 3}, start: 0x1000},
		{letters: "zPR", cie: []byte{peU2, 0x34, 0x12, peU4}, start: 0x1000,
			want: CIE{HasPersonality: true, Personality: 0x1234}},
		{letters: "zPR", cie: []byte{peOmit, peU4}, start: 0x1000},
		{letters: "zLR", cie: []byte{peU2, peU4}, fde: []byte{0x34, 0x12}, start: 0x1000, lsda: 0x1234},
		{letters: "zLR", cie: []byte{peFunc | peU2, peU4}, fde: []byte{0x34, 0x12}, start: 0x1000,
			lsda: 0x2234},
		{letters: "zLR", cie: []byte{peOmit, peU4}, fde: []byte{0x34, 0x12}, start: 0x1000},
		{letters: "zLR", cie: []byte{peU2, peU4}, start: 0x1000},
		{letters: "zLR", cie: []byte{peU8, peU4}, fde: []byte{1, 2}, err: "8 bytes expected, 2 are left"},
		{letters: "zLR", cie: []byte{peU8}, err: "1 bytes expected, 0 are left"},
		{letters: "eh", cie: make([]byte, 4), start: 0x1000, size: 4},
		// From its place, behind 17 bytes of a CIE, a length and the way to the CIE.
		{letters: "zR", cie: []byte{pePC | peS4}, start: 0x40_0000 + 17 + 8 + 0x1000},
	} {
		if c.size == 0 {
			c.size = 8
		}
		body := append([]byte{0, 0, 0, 0, 1}, c.letters+"\x00"...)
		if c.letters == "eh" {
			body = append(append(body, c.cie...), 1, 0x78, 16)
		} else {
			body = append(append(body, 1, 0x78, 16, byte(len(c.cie))), c.cie...)
		}
		b := append(littleEndian(uint64(len(body)), 4), body...)
		f := append(littleEndian(uint64(len(b)+4), 4), 0, 0x10, 0, 0, 0x20, 0, 0, 0)
		if c.letters != "eh" {
			f = append(append(f, byte(len(c.fde))), c.fde...)
		}
		b = append(append(b, littleEndian(uint64(len(f)), 4)...), f...)
		table, err := Parse(b, Options{EH: true, Address: 0x40_0000, AddressSize: c.size})
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%q, % x: error %v, want %q", c.letters, c.cie, err, c.err)
			}
			continue
		}
		if err != nil || len(table.Entries) != 2 {
			t.Errorf("%q, % x: %d entries, %v", c.letters, c.cie, len(table.Entries), err)
			continue
		}
		got, fde, w := table.Entries[0].CIE, table.Entries[1].FDE, c.want
		if got.BKey != w.BKey || got.SignalFrame != w.SignalFrame || got.HasPersonality != w.HasPersonality ||
			got.Personality != w.Personality || got.DataAlign != -8 || got.ReturnAddress != 16 {
			t.Errorf("%q, % x: %+v", c.letters, c.cie, got)
		}
		if fde.Start != c.start || fde.Range != 0x20 || fde.HasLSDA != (c.lsda != 0) || fde.LSDA != c.lsda {
			t.Errorf("%q, % x: %+v", c.letters, c.cie, fde)
		}
	}
	// Addresses of four bytes wrap.
	b := ehFrame(pePC|peS4, 0, 0, 0, 0x80, 0x10, 0, 0, 0, 0)
	table, err := Parse(b, Options{EH: true, Address: 0x9000_0000, AddressSize: 4})
	if err != nil || table.Entries[1].FDE.Start != 0x1000_001c {
		t.Errorf("%+v, %v", table.Entries, err)
	}
}

func TestParseErrors(t *testing.T) {
	cie := func(version byte, rest ...byte) []byte {
		b := append([]byte{0xff, 0xff, 0xff, 0xff, version}, rest...)
		return append(littleEndian(uint64(len(b)), 4), b...)
	}
	tests := []struct {
		name string
		data []byte
		eh   bool
		want string
	}{
		{"length", []byte{9, 0, 0, 0, 1}, false, "an entry of 9 bytes with 1 left"},
		{"64-bit length", []byte{0xff, 0xff, 0xff, 0xff, 1, 0}, false, "an entry of"},
		{"empty entry", []byte{0, 0, 0, 0}, false, "an entry of 0 bytes"},
		{"short entry", []byte{2, 0, 0, 0, 1, 2}, false, "too short"},
		{"version", cie(2, 0), false, "CIE version 2"},
		{"augmentation", cie(1, 'a', 'b'), false, "string without an end"},
		{"address size", cie(4, 0, 3, 0, 1, 1, 1), false, "address size 3"},
		{"segment size", cie(4, 0, 8, 9, 1, 1, 1), false, "segment size 9"},
		{"return address", cie(3, 0, 1, 1), false, "1 bytes expected, 0 are left"},
		{"augmentation data", cie(1, 'z', 0, 1, 1, 1, 9), false, "augmentation data cut off"},
		{"no CIE", append([]byte{20, 0, 0, 0, 0x99, 0, 0, 0}, make([]byte, 16)...), false,
			"FDE of a CIE at offset 0x99"},
		{"no CIE before", append([]byte{20, 0, 0, 0, 0, 1, 0, 0}, make([]byte, 16)...), true, "no CIE there"},
		{"FDE of an FDE", append(frameSection(nil, nil),
			append([]byte{20, 0, 0, 0, 15, 0, 0, 0}, make([]byte, 16)...)...), false, "no CIE there"},
		{"short FDE", append(frameSection(nil, nil), 6, 0, 0, 0, 0, 0, 0, 0, 1, 2), false,
			"8 bytes expected, 2 are left"},
		{"pointer encoding", ehFrame(0x0f, 0, 0, 0, 0, 0), true, "pointer encoding 0x0f"},
		{"pointer base", ehFrame(0x63, 0, 0, 0, 0, 0), true, "pointer encoding 0x63"},
		{"data of an FDE", ehFrame(0x03, 0, 0, 0, 0, 1, 0, 0, 0, 9), true, "augmentation data of 9 bytes"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			table, err := Parse(tt.data, Options{EH: tt.eh})
			if table == nil || err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
	if _, err := Parse(nil, Options{AddressSize: 3}); err == nil {
		t.Error("address size 3 accepted")
	}
}

// What is well-formed is there even if something else is not.
func TestParseKeepsGoodEntries(t *testing.T) {
	bad := []byte{5, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 99}
	table, err := Parse(append(frameSection([]byte{0x0c, 64, 0}, nil), bad...), Options{Arch: AMDGPU})
	var pe *ParseError
	if !errors.As(err, &pe) || pe.Offset != uint64(len(frameSection([]byte{0x0c, 64, 0}, nil))) {
		t.Errorf("error %v does not say where", err)
	}
	if table.FDE(0x1000) == nil {
		t.Error("the good entry is not there")
	}
}

// TestFDEAmongDropped: what a linker has made of entries of functions that it dropped, at the address of one
// that is there or without a length, does not hide that one's entry.
func TestFDEAmongDropped(t *testing.T) {
	c := &CIE{CodeAlign: 1, DataAlign: -8, ReturnAddress: 16}
	kept := &FDE{CIE: c, Range: 0x100}
	fdes := []*FDE{kept, {CIE: c, Range: 0x20}, {CIE: c, Range: 0x40}}
	for range 9 {
		fdes = append(fdes, &FDE{CIE: c, Start: 0x80})
	}
	data, err := Write(fdes)
	if err != nil {
		t.Fatal(err)
	}
	table, err := Parse(data, Options{Arch: AMD64})
	if err != nil {
		t.Fatal(err)
	}
	for _, pc := range []uint64{0x40, 0x90, 0xff} {
		if f := table.FDE(pc); f == nil || f.Range != kept.Range {
			t.Errorf("%+v covers %#x", f, pc)
		}
	}
	if f := table.FDE(0x100); f != nil {
		t.Errorf("%+v covers what is behind all", f)
	}
}

func TestAugmentation(t *testing.T) {
	build := func(augmentation string) []byte {
		b := append([]byte{0xff, 0xff, 0xff, 0xff, 4}, augmentation...)
		b = append(b, 0, 8, 0, 4, 4, 16, 0x30, 64, 0, 6)
		b = append(littleEndian(uint64(len(b)), 4), b...)
		b = append(b, 20, 0, 0, 0, 0, 0, 0, 0)
		return append(append(b, littleEndian(0x1000, 8)...), littleEndian(0x10, 8)...)
	}
	table, err := Parse(build("[amd:v0.0]"), Options{Arch: AMDGPU})
	if err != nil {
		t.Fatal(err)
	}
	want := []Augmentation{{Vendor: "amd"}}
	if diff := cmp.Diff(want, table.Entries[0].CIE.Vendors); diff != "" {
		t.Error(diff)
	}
	if row, err := table.FDE(0x1000).Row(0x1000); err != nil || row.CFA.Space != 6 {
		t.Errorf("row %+v, %v", row, err)
	}
	if table, err = Parse(build("S"), Options{Arch: AMDGPU}); err != nil {
		t.Fatal(err)
	}
	if row, err := table.FDE(0x1000).Row(0x1000); err != nil || row.CFA.Space != 6 ||
		!table.Entries[0].CIE.SignalFrame {
		t.Errorf("signal frame: row %+v, %v", row, err)
	}
	for _, s := range []string{"[amd:v0]", "armcc+"} {
		table, err := Parse(build(s), Options{Arch: AMDGPU})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := table.FDE(0x1000).Row(0x1000); err == nil ||
			!strings.Contains(err.Error(), "augmentation") {
			t.Errorf("augmentation %q: %v: the rules cannot be known", s, err)
		}
	}
}

// host is an x86-64 thread.
type host struct {
	regs map[uint64]uint64
	mem  map[uint64]byte
}

func (h *host) AddressSize() int                 { return 8 }
func (h *host) RegisterSize(uint64) (int, error) { return 8, nil }

func (h *host) ReadRegister(n uint64, off int, p []byte) error {
	copy(p, littleEndian(h.regs[n], 8)[off:])
	return nil
}

func (h *host) ReadMemory(_ uint64, _ int, addr uint64, p []byte) error {
	for i := range p {
		b, ok := h.mem[addr+uint64(i)]
		if !ok {
			return expr.Errorf(expr.MemoryUnavailable, "address 0x%x", addr+uint64(i))
		}
		p[i] = b
	}
	return nil
}

func (h *host) WriteRegister(n uint64, off int, p []byte) error {
	b := littleEndian(h.regs[n], 8)
	copy(b[off:], p)
	h.regs[n] = 0
	for i := range b {
		h.regs[n] |= uint64(b[i]) << (8 * i)
	}
	return nil
}

func (h *host) WriteMemory(_ uint64, _ int, addr uint64, p []byte) error {
	for i, b := range p {
		h.mem[addr+uint64(i)] = b
	}
	return nil
}

func (h *host) TLS(off uint64) (expr.Location, error) {
	return expr.MemoryAt(nil, 8, 0, 0x7000+off, -1)
}

func (h *host) push(v uint64) {
	h.regs[7] -= 8
	h.WriteMemory(0, -1, h.regs[7], littleEndian(v, 8))
}

// An x86-64 frame that has pushed RBP: what the caller's registers are, and
// that they can be written where they are.
func TestUnwindX86(t *testing.T) {
	h := &host{regs: map[uint64]uint64{7: 0x8000, 6: 0xbbbb, 3: 0x3333, 0: 1}, mem: map[uint64]byte{}}
	h.push(0x5005)
	h.push(h.regs[6])
	h.regs[6] = h.regs[7] // mov rbp, rsp
	data := ehFrame(0x03,
		append([]byte{0, 0x50, 0, 0, 0x10, 0, 0, 0, 0}, 0x90, 1, 0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6)...)
	table, err := Parse(data, Options{EH: true, Arch: AMD64})
	if err != nil {
		t.Fatal(err)
	}
	f := unwind(t, table, h, 0x5004)
	if a, _ := f.CFA.Address(); a.Address != 0x8000 {
		t.Errorf("CFA %v", f.CFA)
	}
	if pc, ok, err := f.ReturnAddress(); pc != 0x5005 || !ok || err != nil {
		t.Errorf("return address 0x%x, %v, %v", pc, ok, err)
	}
	want := map[uint64]string{
		3: "register 3", 6: "memory space 0 address 0x7ff0", 7: "constant 0080000000000000", 0: "undefined",
		16: "memory space 0 address 0x7ff8",
	}
	for reg, s := range want {
		if l, err := f.Register(reg); err != nil || l.String() != s {
			t.Errorf("register %d is %v, %v; want %s", reg, l, err, s)
		}
	}
	all, err := f.Registers()
	if err != nil || len(all) != 2 {
		t.Errorf("registers with rules: %v, %v", all, err)
	}
	caller := f.Caller()
	l, _ := f.Register(6)
	if err := l.Write(caller, 0, 64, littleEndian(0xcccc, 8)); err != nil || h.mem[0x7ff0] != 0xcc {
		t.Errorf("the saved register is not written: %v", err)
	}
	l, _ = f.Register(3)
	if err := l.Write(caller, 8, 8, []byte{0x44}); err != nil || h.regs[3] != 0x4433 {
		t.Errorf("the register is not written: 0x%x, %v", h.regs[3], err)
	}
	if l, err := expr.Evaluate(caller, []byte{0x34, 0x9b}, expr.Options{}); err != nil ||
		l.String() != "memory space 0 address 0x7004" {
		t.Errorf("thread-local storage of the caller: %v, %v", l, err)
	}
	if f.Signal() {
		t.Error("a signal frame")
	}
	f = unwind(t, table, h, 0x5000)
	row := Row{Start: 0x5000, End: 0x5001, CFA: CFARule{Kind: CFARegister, Register: 7, Offset: 8},
		FDE:       f.Row.FDE,
		Registers: []RegisterRule{{16, Rule{Kind: Offset, Offset: -8}}}}
	if diff := cmp.Diff(row, f.Row, cmp.Comparer(func(a, b *FDE) bool { return a == b })); diff != "" {
		t.Error(diff)
	}
}

func TestVendorInstruction(t *testing.T) {
	table, err := Parse(frameSection(nil, []byte{0x2d, 0x44, 0x2d, 0x44, 0x2d}), Options{Arch: AArch64})
	if err != nil {
		t.Fatal(err)
	}
	var got []Rule
	for _, pc := range []uint64{0x1000, 0x1010, 0x1020} {
		row, err := table.FDE(pc).Row(pc)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, row.Rule(34))
	}
	want := []Rule{{Kind: Architectural, Offset: 1}, {Kind: Architectural}, {Kind: Architectural, Offset: 1}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	// Of a register with another rule it toggles what is 0.
	other, err := Parse(frameSection(nil, []byte{0x09, 34, 30, 0x14, 34, 1, 0x2d}), Options{Arch: AArch64})
	if err != nil {
		t.Fatal(err)
	}
	if row, err := other.FDE(0x1000).Row(0x1000); !cmp.Equal(want[0], row.Rule(34)) {
		t.Errorf("toggled after another rule: %+v, %v", row.Rule(34), err)
	}
	row, _ := table.FDE(0x1000).Row(0x1000)
	for reg, kind := range map[uint64]RuleKind{19: SameValue, 72: SameValue, 31: ValOffset, 0: Undefined} {
		if r := row.Rule(reg); r.Kind != kind {
			t.Errorf("default rule of register %d: %v, want %v", reg, r.Kind, kind)
		}
	}
}

// TestRules: what instructions make of a register's rule (DWARF 5, 6.4.2.3). The factor of data is 4, and the
// CIE saves register 5 eight bytes behind the CFA.
func TestRules(t *testing.T) {
	for name, tt := range map[string]struct {
		code []byte
		want Rule
	}{
		"of the CIE":       {nil, Rule{Kind: Offset, Offset: 8}},
		"undefined":        {[]byte{0x07, 5}, Rule{Kind: Undefined}},
		"restored":         {[]byte{0x07, 5, 0xc5}, Rule{Kind: Offset, Offset: 8}},
		"restored, far":    {[]byte{0x07, 5, 0x06, 5}, Rule{Kind: Offset, Offset: 8}},
		"negative offset":  {[]byte{0x2f, 5, 3}, Rule{Kind: Offset, Offset: -12}},
		"signed offset":    {[]byte{0x11, 5, 0x7d}, Rule{Kind: Offset, Offset: -12}},
		"value's offset":   {[]byte{0x14, 5, 3}, Rule{Kind: ValOffset, Offset: 12}},
		"in another":       {[]byte{0x09, 5, 6}, Rule{Kind: InRegister, Register: 6}},
		"remembered":       {[]byte{0x0a, 0x07, 5, 0x0b}, Rule{Kind: Offset, Offset: 8}},
		"the same as ever": {[]byte{0x08, 5}, Rule{Kind: SameValue}},
	} {
		table, err := Parse(frameSection([]byte{0x85, 2}, tt.code), Options{Arch: AMD64})
		if err != nil {
			t.Fatal(err)
		}
		row, err := table.FDE(0x1000).Row(0x1000)
		if diff := cmp.Diff(tt.want, row.Rule(5)); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
}
