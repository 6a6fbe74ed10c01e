package cfi

import (
	"errors"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"debug/elf"

	"github.com/google/go-cmp/cmp"

	"simtgdb/dwarf/expr"
	"simtgdb/dwarf/internal/section"
	"simtgdb/testdata/sweep"
)

// wave is the registers and the scratch of a wave of 64 lanes.
type wave struct {
	regs    map[uint64][]byte
	scratch []byte // private_wave
}

func newWave() *wave {
	w := &wave{regs: map[uint64][]byte{}, scratch: make([]byte, 1<<14)}
	for n := uint64(32); n < 96; n++ {
		w.regs[n] = littleEndian(0x5000_0000+n-32, 4) // SGPRn
	}
	w.regs[16] = littleEndian(0x1234_5678_9abc, 8)
	w.regs[17] = littleEndian(^uint64(0), 8)
	for n := uint64(2560); n < 2624; n++ {
		w.regs[n] = vector(uint32(0x7000_0000 + (n-2560)<<16))
		w.regs[n+512] = vector(uint32(0x6000_0000 + (n-2560)<<16))
	}
	return w
}

// vector is a register of 64 lanes that count up.
func vector(first uint32) []byte {
	b := make([]byte, 256)
	for lane := range 64 {
		copy(b[4*lane:], littleEndian(uint64(first)+uint64(lane), 4))
	}
	return b
}

func (w *wave) AddressSize() int { return 8 }
func (w *wave) Lane() int        { return 5 }
func (w *wave) WaveSize() int    { return 64 }

func (w *wave) RegisterSize(n uint64) (int, error) {
	if r, ok := w.regs[n]; ok {
		return len(r), nil
	}
	return 0, expr.Errorf(expr.NoRegister, "register %d", n)
}

func (w *wave) ReadRegister(n uint64, off int, p []byte) error {
	copy(p, w.regs[n][off:off+len(p)])
	return nil
}

func (w *wave) ReadMemory(space uint64, lane int, addr uint64, p []byte) error {
	for i := range p {
		a := addr + uint64(i)
		if space == expr.SpacePrivateLane {
			a = expr.AMDGPUPrivateWave(a, lane, 64)
		} else if space != expr.SpacePrivateWave {
			return expr.Errorf(expr.MemoryUnavailable, "address space %d", space)
		}
		if a >= uint64(len(w.scratch)) {
			return expr.Errorf(expr.MemoryUnavailable, "address 0x%x", a)
		}
		p[i] = w.scratch[a]
	}
	return nil
}

func amdgpuTable(t testing.TB) (*Table, map[string]uint64) {
	t.Helper()
	obj := link(t, assemble(t, "amdgpu", "amdgcn-amd-amdhsa -mcpu=gfx90a"))
	f, err := elf.Open(obj)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	syms, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	addr := map[string]uint64{}
	for _, s := range syms {
		addr[s.Name] = s.Value
	}
	return load(t, obj, ".debug_frame", AMDGPU), addr
}

func unwind(t testing.TB, table *Table, ctx expr.Context, pc uint64) *Frame {
	fde := table.FDE(pc)
	if fde == nil {
		t.Fatalf("no entry for 0x%x", pc)
	}
	row, err := fde.Row(pc)
	if err != nil {
		t.Fatal(err)
	}
	f, err := row.Unwind(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestUnwindAMDGPU(t *testing.T) {
	table, addr := amdgpuTable(t)
	fn := addr["func"]
	tests := []struct {
		name string
		pc   uint64
		cfa  string
		reg  uint64
		want string
	}{
		{"return address in a pair", fn, "memory space 6 address 0x50000020", 16,
			"{32 bits: register 62, 32 bits: register 63}"},
		{"same value by default", fn, "memory space 6 address 0x50000020", 67, "register 67"},
		{"FP in an SGPR", fn + 4, "memory space 6 address 0x50000020", 65, "register 40"},
		{"EXEC in a pair", fn + 4, "memory space 6 address 0x50000020", 17,
			"{32 bits: register 36, 32 bits: register 37}"},
		{"SGPR in a lane of a VGPR", fn + 12, "memory space 6 address 0x50000021", 77,
			"register 2601 bit 352"},
		{"SGPR as a part", fn + 12, "memory space 6 address 0x50000021", 78,
			"{32 bits: register 2601 bit 384}"},
		{"undefined", fn + 16, "memory space 6 address 0x5000001c", 2561, "undefined"},
		{"VGPR in an AGPR", fn + 16, "memory space 6 address 0x5000001c", 2562, "register 3074"},
		{"restored rule", fn + 16, "memory space 6 address 0x5000001c", 65, "register 65"},
		{"restored state", fn + 20, "memory address 0x50000030", 65, "register 40"},
		{"flat scratch", addr["flat"], "memory space 6 address 0x14000000", 32, "register 32"},
		{"the CFA itself", addr["flat"] + 1200, "memory space 6 address 0x14000000", 64, "constant 00000014"},
		{"value next to the CFA", addr["flat"] + 1500, "memory space 6 address 0x14000000", 66,
			"memory space 6 address 0x13fffff8"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWave()
			if strings.HasPrefix(tt.name, "flat") || strings.Contains(tt.name, "CFA") {
				w.regs[64] = littleEndian(0x50_0000, 4) // SGPR32
			}
			f := unwind(t, table, w, tt.pc)
			cfa := strings.Replace(f.CFA.String(), "space 0 ", "", 1)
			l, err := f.Register(tt.reg)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{tt.cfa, tt.want}, []string{cfa, l.String()}); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A VGPR spilled under the EXEC at entry is in memory for the lanes that were
// active then, and still in itself for the others.
func TestUnwindVectorOffset(t *testing.T) {
	table, addr := amdgpuTable(t)
	w := newWave()
	w.regs[64] = littleEndian(0x100, 4) // SP
	w.regs[65] = littleEndian(0x100, 4)
	w.regs[36] = littleEndian(0x0000_00f0, 4) // EXEC at entry: lanes 4 to 7 and 63
	w.regs[37] = littleEndian(0x8000_0000, 4)
	for lane := range 64 {
		copy(w.scratch[0x100+256+4*lane:], littleEndian(uint64(1000+lane), 4))
	}
	f := unwind(t, table, w, addr["func"]+8)
	l, err := f.Register(2600)
	if err != nil {
		t.Fatal(err)
	}
	got, err := l.Read(w, 0, 2048)
	if err != nil {
		t.Fatal(err)
	}
	want := append([]byte(nil), w.regs[2600]...)
	for _, lane := range []int{4, 5, 6, 7, 63} {
		copy(want[4*lane:], littleEndian(uint64(1000+lane), 4))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The caller of a frame is unwound with the registers that the frame saved.
func TestUnwindChain(t *testing.T) {
	table, addr := amdgpuTable(t)
	w := newWave()
	w.regs[64] = littleEndian(0x800, 4)
	w.regs[62] = littleEndian(addr["func"]+4, 4) // s30: return address into func
	w.regs[63] = littleEndian(0, 4)
	inner := unwind(t, table, w, addr["func"])
	pc, ok, err := inner.ReturnAddress()
	if err != nil || !ok || pc != addr["func"]+4 {
		t.Fatalf("return address 0x%x, %v, %v", pc, ok, err)
	}
	caller := inner.Caller()
	outer := unwind(t, table, caller, pc)
	if got, want := outer.CFA.String(), "memory space 6 address 0x800"; got != want {
		t.Errorf("outer CFA %s, want %s", got, want)
	}
	if l, err := outer.Register(65); err != nil || l.String() != "register 40" {
		t.Errorf("FP of the outermost caller: %v, %v", l, err)
	}
	v, err := expr.EvaluateValue(caller, []byte{0x92, 0x40, 8}, expr.Options{Arch: expr.AMDGPU})
	if err != nil || v.Uint64() != 0x808 {
		t.Errorf("an expression in the caller: %v, %v", v, err)
	}
	kernel := unwind(t, table, caller, addr["kernel"])
	if _, ok, err := kernel.ReturnAddress(); ok || err != nil {
		t.Errorf("the kernel has a caller: %v, %v", ok, err)
	}
	if l, err := kernel.Register(2600); err != nil || l.String() != "register 2600" {
		t.Errorf("same value through two frames: %v, %v", l, err)
	}
}

func TestNoCFA(t *testing.T) {
	table, addr := amdgpuTable(t)
	row, err := table.FDE(addr["empty"]).Row(addr["empty"])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := row.Unwind(newWave()); !errors.Is(err, ErrNoCFA) {
		t.Errorf("an empty entry gives %v, want ErrNoCFA", err)
	}
}

// frameSection builds a .debug_frame of one CIE and one FDE for [0x1000, 0x1100).
func frameSection(initial, instructions []byte) []byte {
	entry := func(id uint32, body []byte) []byte {
		b := littleEndian(uint64(4+len(body)), 4)
		b = append(b, littleEndian(uint64(id), 4)...)
		return append(b, body...)
	}
	cie := append([]byte{4, 0, 8, 0, 4, 4, 16}, initial...)
	fde := append(littleEndian(0x1000, 8), littleEndian(0x100, 8)...)
	return append(entry(0xffffffff, cie), entry(0, append(fde, instructions...))...)
}

func TestUnwindErrors(t *testing.T) {
	circular := []byte{
		0x0c, 64, 0, // def_cfa SGPR32, 0
		0x10, 36, 3, 0xe9, 7, 37, // expression SGPR4: call_frame_entry_reg SGPR5
		0x10, 37, 3, 0xe9, 7, 36, // and the other way round
	}
	tests := []struct {
		name string
		code []byte
		reg  uint64
		kind expr.ErrorKind
	}{
		{"circular", circular, 36, expr.IllFormed},
		{"CFA by a register that needs it", []byte{0x05, 36, 0, 0x0f, 3, 0xe9, 7, 36}, 0, expr.IllFormed},
		{"CFA not in memory", []byte{0x0f, 2, 0x90, 36}, 0, expr.IllFormed},
		{"CFA at a bit", []byte{0x0f, 7, 0x90, 36, 0x94, 4, 0x31, 0xe9, 6}, 0, expr.IllFormed},
		{"unknown space", []byte{0x30, 64, 0, 9}, 0, expr.IllFormed},
		{"no register", []byte{0x30, 120, 0, 6}, 0, expr.NoRegister},
		{"sizes of registers", []byte{0x0c, 64, 0, 0x09, 36, 16}, 36, expr.IllFormed},
		{"size of a value", []byte{0x0c, 64, 0, 0x16, 36, 1, 0x31}, 36, expr.IllFormed},
		{"size of an address", []byte{0x0c, 64, 0, 0x14, 36, 1}, 36, expr.IllFormed},
		{"below the space", []byte{0x30, 64, 0, 6, 0x11, 36, 0x80, 0x80, 0x80, 0x80, 0x7b}, 36,
			expr.OutOfRange},
		{"value needed", []byte{0x0c, 64, 0, 0x16, 36, 2, 0x90, 37}, 36, expr.IllFormed},
	}
	// Every operation that A.6.4.2 does not allow.
	for _, code := range [][]byte{
		{0xa1, 0}, {0xa2, 0}, {0x98, 0, 0}, {0x99, 0, 0, 0, 0}, {0x9a, 0, 0, 0, 0}, {0xa4, 1, 1, 0},
		{0xa8, 1}, {0xa6, 1, 1},
		{0x91, 0}, {0xa0, 0, 0, 0, 0, 0}, {0xa5, 36, 1}, {0xa9, 1}, {0xa7, 1, 1}, {0x97}, {0xe9, 3}, {0x9c},
		{0xa3, 1, 0x50},
	} {
		in := append([]byte{0x0c, 64, 0, 0x10, 36, byte(len(code))}, code...)
		name := expr.Printer{}
		tests = append(tests, struct {
			name string
			code []byte
			reg  uint64
			kind expr.ErrorKind
		}{name.String(code), in, 36, expr.IllFormed})
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			table, err := Parse(frameSection(nil, tt.code), Options{Arch: AMDGPU})
			if err != nil {
				t.Fatal(err)
			}
			row, err := table.FDE(0x1000).Row(0x1000)
			if err != nil {
				t.Fatal(err)
			}
			f, err := row.Unwind(newWave())
			if err == nil {
				_, err = f.Register(tt.reg)
			}
			if !errors.Is(err, tt.kind) {
				t.Errorf("got %v, want %v", err, tt.kind)
			}
		})
	}
}

func TestRowErrors(t *testing.T) {
	var manyRules []byte
	for reg := range uint64(8193) {
		manyRules = section.AppendULEB(append(manyRules, 0x07), reg)
	}
	tests := []struct {
		name          string
		initial, code []byte
		want          string
	}{
		{"restore without remember", nil, []byte{0x0b}, "no state is remembered"},
		{"offset without register", nil, []byte{0x0e, 8}, "no CFA rule with a register"},
		{"register without rule", nil, []byte{0x0d, 8}, "no CFA rule with a register"},
		{"offset of an expression", []byte{0x0f, 1, 0x30}, []byte{0x13, 8}, "no CFA rule with a register"},
		{"advance in a CIE", []byte{0x41}, nil, "not allowed in a CIE"},
		{"restore in a CIE", []byte{0xc1}, nil, "not allowed in a CIE"},
		{"where", nil, []byte{0, 0, 0x0b}, "DW_CFA_restore_state at offset 2: no state"},
		{"too many", nil, manyRules, "rules for more than 8192 registers"},
		{"unknown", nil, []byte{0x3f}, "instruction 0x3f at offset 0"},
		{"unknown behind others", nil, []byte{0, 0x0f, 1, 0x30, 0x3f}, "instruction 0x3f at offset 4"},
		{"another architecture's", nil, []byte{0x2c}, "instruction 0x2c at offset 0"},
		{"cut off", nil, []byte{0x0c, 7}, "1 bytes expected, 0 are left"},
		{"cut off block", nil, []byte{0x0f, 7, 1}, "7 bytes expected, 1 are left"},
		{"backwards", nil, []byte{0x01, 0, 0, 0, 0, 0, 0, 0, 0}, "below the current one"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			table, err := Parse(frameSection(tt.initial, tt.code), Options{Arch: AMDGPU})
			if err != nil {
				t.Fatal(err)
			}
			f := table.FDE(0x1000)
			if _, err = f.Row(0x1000); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
			if _, err = f.Rows(); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("all rows: got %v, want %q", err, tt.want)
			}
		})
	}
	for _, code := range []byte{0x2c, 0x2d} { // the second is ignored where it is not known
		table, _ := Parse(frameSection(nil, []byte{code}), Options{})
		if _, err := table.FDE(0x1000).Row(0x1000); (err == nil) != (code == 0x2d) {
			t.Errorf("instruction %#x of no architecture: %v", code, err)
		}
	}
	table, _ := Parse(frameSection(nil, nil), Options{})
	if _, err := table.FDE(0x1000).Row(0x1100); !errors.Is(err, ErrPC) {
		t.Errorf("address behind the entry: %v", err)
	}
	if f := table.FDE(0x1100); f != nil {
		t.Errorf("an entry for an address behind it")
	}
}

func TestParseAugmentation(t *testing.T) {
	got, err := ParseAugmentation("[abc:v0.0][def:v1.2:feature-a=on,feature-b=3]")
	want := []Augmentation{{"abc", 0, 0, ""}, {"def", 1, 2, "feature-a=on,feature-b=3"}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	for _, s := range []string{"]", "[", "[abc]", "[:v0.0]", "[abc:0.0]", "[abc:v0]", "[abc:v0.0",
		"[abc:v0.0]x", "x[abc:v0.0]", "x]", "[abc:v-1.0]", "[abc:v1.-1]", "[abc:vx.y]", "[abc:vx.1]",
		"[abc:v1.x]", "[abc:]", "[abc:v]", "[abc:v.]", "[abc:v.1]", "[abc:v1.]"} {
		if _, err := ParseAugmentation(s); err == nil {
			t.Errorf("%q accepted", s)
		}
	}
}

// The rules of every address in gdb's opinion: readelf -wF prints the rows of
// each entry in another form, made by other code.
func TestRowsLikeReadelf(t *testing.T) {
	tool, err := exec.LookPath("readelf")
	if err != nil {
		t.Skip("skipped: no readelf")
	}
	for _, path := range sweep.Some(2, "/bin/ls", "/lib/x86_64-linux-gnu/libc.so.6", "/usr/bin/perl") {
		out, err := exec.Command(tool, "-wF", path).Output()
		if err != nil {
			continue
		}
		table := load(t, path, ".eh_frame", AMD64)
		n := 0
		var columns []string
		for line := range strings.Lines(string(out)) {
			f := strings.Fields(line)
			switch {
			case len(f) > 1 && f[0] == "LOC":
				columns = f[2:]
			case len(f) == len(columns)+2 && len(f[0]) == 16:
				pc, err := strconv.ParseUint(f[0], 16, 64)
				if err != nil {
					continue
				}
				fde := table.FDE(pc)
				if fde == nil {
					continue // the row of a CIE
				}
				row, err := fde.Row(pc)
				if err != nil {
					t.Fatal(err)
				}
				if got, want := readelfRow(&row, columns), strings.Join(f[1:], " "); got != want {
					t.Errorf("%s 0x%x: %s, readelf has %s", path, pc, got, want)
				}
				n++
			}
		}
		if n < 100 {
			t.Errorf("%s: only %d rows compared", path, n)
		}
	}
}

// readelfRow spells a row as readelf does.
func readelfRow(r *Row, columns []string) string {
	names := map[string]uint64{"ra": 16}
	for i, n := range []string{"rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10",
		"r11", "r12", "r13", "r14", "r15", "rip"} {
		names[n] = uint64(i)
	}
	short := func(reg uint64) string {
		for n, i := range names {
			if i == reg && n != "ra" {
				return n
			}
		}
		return "?"
	}
	var b strings.Builder
	if r.CFA.Kind == CFAExpression {
		b.WriteString("exp")
	} else {
		b.WriteString(short(r.CFA.Register) + signed(r.CFA.Offset))
	}
	for _, c := range columns {
		b.WriteString(" ")
		i, ok := findRule(r.Registers, names[c])
		if !ok {
			b.WriteString("u")
			continue
		}
		switch rule := r.Registers[i].Rule; rule.Kind {
		case Offset:
			b.WriteString("c" + signed(rule.Offset))
		case ValOffset:
			b.WriteString("v" + signed(rule.Offset))
		case Expression:
			b.WriteString("exp")
		case ValExpression:
			b.WriteString("vexp")
		case SameValue:
			b.WriteString("s")
		case InRegister:
			b.WriteString(short(rule.Register))
		default:
			b.WriteString("u")
		}
	}
	return b.String()
}

func signed(n int64) string {
	if n < 0 {
		return strconv.FormatInt(n, 10)
	}
	return "+" + strconv.FormatInt(n, 10)
}

func BenchmarkUnwind(b *testing.B) {
	table, addr := amdgpuTable(b)
	w := newWave()
	w.regs[64] = littleEndian(0x100, 4)
	w.regs[62] = littleEndian(addr["func"]+4, 4)
	w.regs[63] = littleEndian(0, 4)
	b.ReportAllocs()
	for b.Loop() {
		f := unwind(b, table, w, addr["func"]+8)
		if _, ok, err := f.ReturnAddress(); !ok || err != nil {
			b.Fatal(ok, err)
		}
	}
}

// frames makes a wave that is n calls deep in a function whose frame has the
// caller's frame pointer at the CFA and the return address at CFA+8.
func frames(t testing.TB, n int) (*Table, *wave) {
	table, err := Parse(frameSection([]byte{0x30, 65, 0, 6},
		[]byte{0x05, 65, 0, 0x05, 16, 2, 0x44, 0x09, 40, 41}), Options{Arch: AMDGPU})
	if err != nil {
		t.Fatal(err)
	}
	w := newWave()
	w.regs[65] = littleEndian(uint64(16*n), 4)
	for i := 1; i <= n; i++ {
		copy(w.scratch[16*i:], littleEndian(uint64(16*(i-1)), 8))
		copy(w.scratch[16*i+8:], littleEndian(0x1008, 8))
	}
	return table, w
}

// backtrace counts the frames until the frame pointer is zero.
func backtrace(t testing.TB, table *Table, w *wave) (depth int, outermost *Frame) {
	var ctx expr.Context = w
	pc := uint64(0x1000)
	for {
		f := unwind(t, table, ctx, pc)
		depth++
		a, _ := f.CFA.Address()
		if a.Address == 0 {
			return depth, f
		}
		var err error
		if pc, _, err = f.ReturnAddress(); err != nil {
			t.Fatal(err)
		}
		ctx = f.Caller()
	}
}

func TestUnwindDeep(t *testing.T) {
	table, w := frames(t, 200)
	depth, f := backtrace(t, table, w)
	if depth != 201 {
		t.Errorf("%d frames, want 201", depth)
	}
	if l, err := f.Register(42); err != nil || l.String() != "register 42" {
		t.Errorf("a register that no frame has touched: %v, %v", l, err)
	}
}

func BenchmarkUnwind200(b *testing.B) {
	table, w := frames(b, 200)
	b.ReportAllocs()
	for b.Loop() {
		backtrace(b, table, w)
	}
}

func FuzzCFI(f *testing.F) {
	f.Add(frameSection([]byte{0x0c, 64, 0}, []byte{0x41, 0x0e, 8, 0x0a, 0x80, 1, 0x0b, 0x41, 0xc0}),
		uint64(0x1004), false)
	f.Add(frameSection([]byte{0x30, 64, 0, 6},
		[]byte{0x10, 16, 8, 0x90, 62, 0x93, 4, 0x90, 63, 0x93, 4, 0x31, 64, 4, 6}), uint64(0x1000), false)
	f.Add(frameSection([]byte{0x0f, 4, 0x30, 0x36, 0xe9, 2},
		[]byte{0x16, 36, 3, 0xe9, 7, 36, 0x2d, 0x2f, 36, 1}), uint64(0x1000), false)
	eh := append([]byte{20, 0, 0, 0, 0, 0, 0, 0, 1}, "zPLRSB\x00\x01\x78\x10\x05\x00\x1b\x1b\x0c\x07\x08"...)
	eh = append(eh, 20, 0, 0, 0, 28, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 4, 0, 0, 0, 0, 0x41, 0x0e, 16, 0, 0,
		0, 0)
	f.Add(eh, uint64(0x10020), true)
	f.Fuzz(func(t *testing.T, data []byte, pc uint64, isEH bool) {
		table, err := Parse(data, Options{EH: isEH, Arch: AMDGPU})
		if table == nil {
			t.Fatal("no table", err)
		}
		if fde := table.FDE(pc); fde != nil {
			if pc < fde.Start || pc-fde.Start >= fde.Range {
				t.Fatalf("entry [0x%x, 0x%x) for 0x%x", fde.Start, fde.End(), pc)
			}
			row, err := fde.Row(pc)
			if err == nil {
				if frame, err := row.Unwind(newWave()); err == nil {
					frame.Registers()
					frame.ReturnAddress()
				}
			}
		}
		var b strings.Builder
		if len(data) < 4096 {
			table.Print(&b, expr.AMDGPUDumpName)
		}
	})
}
