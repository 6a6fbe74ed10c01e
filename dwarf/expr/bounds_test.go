package expr

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// TestRegisterAddress gives a register's value plus an offset in an address space, as
// DW_OP_LLVM_aspace_bregx does: of the bits of the space's addresses, within which sums wrap.
func TestRegisterAddress(t *testing.T) {
	s := newState()
	s.regs[36] = []byte{0x10, 0, 0, 0}
	s.regs[37] = []byte{0xf0, 0xff, 0xff, 0xff, 1, 0, 0, 0}
	for _, c := range []struct {
		space, reg uint64
		offset     int64
		want       string
		kind       ErrorKind
	}{
		{SpacePrivateWave, 36, 8, "memory space 6 address 0x18", 0},
		{SpacePrivateWave, 36, -8, "memory space 6 address 0x8", 0},
		{SpacePrivateLane, 36, 0, "memory space 5 address 0x10 lane 5", 0},
		{SpacePrivateWave, 37, 0x20, "memory space 6 address 0x10", 0},
		{SpaceGeneric, 37, 0x20, "memory space 1 address 0x200000010", 0},
		{SpaceGlobal, 36, 0, "memory space 0 address 0x10", 0},
		{9, 36, 0, "", IllFormed},
		{SpaceGlobal, 99, 0, "", NoRegister},
	} {
		l, err := RegisterAddress(s, Options{Arch: AMDGPU}, c.space, c.reg, c.offset)
		if KindOf(err) != c.kind || err == nil && l.String() != c.want {
			t.Errorf("register %d %+d in space %d: %v, %v; want %s", c.reg, c.offset, c.space, l, err, c.want)
		}
	}
	s.lane = -1
	if _, err := RegisterAddress(s, Options{Arch: AMDGPU}, SpacePrivateLane, 36,
		0); KindOf(err) != MissingContext {
		t.Errorf("a lane's memory without a lane: %v", err)
	}
}

// TestFbreg takes DW_OP_fbreg off the front of an expression, and puts it there.
func TestFbreg(t *testing.T) {
	for _, c := range []struct {
		code   string
		offset int64
		rest   string
		ok     bool
	}{{"9108", 8, "", true}, {"91807e 9f", -256, "9f", true}, {"917f06", -1, "06", true}, {"", 0, "", false},
		{"9008", 0, "", false}, {"9180", 0, "", false}} {
		code := unhex(squeeze(c.code))
		offset, rest, ok := CutFbreg(code)
		if offset != c.offset || !bytes.Equal(rest, unhex(c.rest)) || ok != c.ok {
			t.Errorf("%s: %d, % x, %v; want %d, %s, %v", c.code, offset, rest, ok, c.offset, c.rest, c.ok)
		}
		if c.ok && !bytes.Equal(append(AppendFbreg(nil, offset), rest...), code) {
			t.Errorf("%s: put together % x", c.code, AppendFbreg(nil, offset))
		}
	}
}

// TestOperations: each name once, each of a family's.
func TestOperations(t *testing.T) {
	names := Operations()
	for _, name := range []string{"DW_OP_addr", "DW_OP_lit0", "DW_OP_lit31", "DW_OP_reg31", "DW_OP_breg0",
		"DW_OP_LLVM_overlay", "DW_OP_entry_value"} {
		if n := len(slices.DeleteFunc(slices.Clone(names),
			func(s string) bool { return s != name })); n != 1 {
			t.Errorf("%s is there %d times", name, n)
		}
	}
	if slices.Contains(names, "DW_OP_lit32") || slices.Contains(names, "DW_OP_lit") {
		t.Error("a family has one too many")
	}
}

// others is a context with what state has not got.
type others struct {
	*state
	caller    Context
	observed  int
	places    map[uint64]Location
	iteration uint64
	failure   error
}

func (o *others) LanePushed() { o.observed++ }

func (o *others) Caller() (Context, error) { return o.caller, o.failure }

func (o *others) Iteration() (uint64, error) { return o.iteration, o.failure }

func (o *others) ObjectAddress() (Location, error) { return RegisterAt(36, 0), o.failure }

func (o *others) TLS(off uint64) (Location, error) { return RegisterAt(off, 0), o.failure }

func (o *others) Parameter(off uint64) ([]byte, Context, error) {
	return []byte{0x92, byte(off), 1}, o.caller, o.failure // bregx
}

func (o *others) RegisterLocation(num uint64) (Location, error) {
	if l, ok := o.places[num]; ok {
		return l, o.failure
	}
	return RegisterAt(num, 0), o.failure
}

// TestContextAbilities evaluates what only some contexts can answer: in one that can, in one without, and in
// one that fails with an error of its own.
func TestContextAbilities(t *testing.T) {
	inner, outer := newState(), newState()
	inner.regs[36], outer.regs[36] = []byte{0x34, 0x12, 0, 0}, []byte{0x78, 0x56, 0, 0}
	inner.put(0, 0x100, 0x99, 0, 0, 0)
	saved, err := MemoryAt(nil, 8, 0, 0x100, -1)
	if err != nil {
		t.Fatal(err)
	}
	failure := errors.New("gone")
	for _, c := range []struct {
		name, code string
		want       string // "" where the context must be another
		observed   int
		lacks      bool // a plain context cannot tell
		kind       ErrorKind
	}{
		// entry_value of regx 36, and of bregx 36, 1, in the calling frame
		{"register of the caller", "a3029024 9f", "constant 7856000000000000", 0, false, MissingContext},
		{"computed by the caller", "a303922401 9f", "constant 7956000000000000", 0, false, MissingContext},
		{"parameter", "fa24000000 9f", "constant 7956000000000000", 0, true, MissingContext},
		{"lane", "e903 9f", "constant 0500000000000000", 1, false, 0},
		{"iteration", "ee 9f", "constant 0700000000000000", 0, true, MissingContext},
		{"object", "97", "register 36", 0, true, MissingContext},
		{"thread-local", "3a 9b", "register 10", 0, true, MissingContext},
		{"register of the frame", "9025", "memory space 0 address 0x100", 0, false, NoRegister},
		{"value of the frame's register", "922500 9f", "constant 9900000000000000", 0, false, NoRegister},
		{"a part of it", "9025 9304 9024 9304",
			"{32 bits: memory space 0 address 0x100, 32 bits: register 36}", 0, false, NoRegister},
	} {
		code := unhex(squeeze(c.code))
		enc := Current
		if c.name == "iteration" {
			if enc, err = Current.Assign(0xee, "DW_OP_LLVM_push_iteration"); err != nil {
				t.Fatal(err)
			}
		}
		ctx := &others{state: inner, caller: outer, iteration: 7, places: map[uint64]Location{37: saved}}
		inner.regs[37] = []byte{0, 0, 0, 0}
		l, err := Evaluate(ctx, code, Options{Arch: AMDGPU, Encoding: enc})
		if err != nil || l.String() != c.want || ctx.observed != c.observed {
			t.Errorf("%s: %v, %v, observed %d; want %s", c.name, l, err, ctx.observed, c.want)
		}
		_, err = Evaluate(inner, code, Options{Arch: AMDGPU, Encoding: enc})
		if c.lacks != (KindOf(err) == MissingContext) {
			t.Errorf("%s without the ability: %v", c.name, err)
		}
		ctx.failure = failure
		_, err = Evaluate(ctx, code, Options{Arch: AMDGPU, Encoding: enc})
		if KindOf(err) != c.kind || c.kind != 0 && !errors.Is(err, failure) {
			t.Errorf("%s with a failure: %v, want %v", c.name, err, c.kind)
		}
	}
}

// TestBounds: each bound is exact.
func TestBounds(t *testing.T) {
	s := newState()
	s.procs = map[uint64]Procedure{1: {Code: unhex("9902000000")}, 2: {Code: unhex("96")}}
	repeat := func(n int, code string) []byte { return bytes.Repeat(unhex(code), n) }
	for _, c := range []struct {
		name   string
		code   []byte
		limits Limits
		want   string // "" where it is within
	}{
		{"operations", repeat(10, "96"), Limits{Steps: 10}, ""},
		{"operations", repeat(11, "96"), Limits{Steps: 10}, "more than 10 operations"},
		{"entries", repeat(10, "31"), Limits{Stack: 10}, ""},
		{"entries", repeat(11, "31"), Limits{Stack: 10}, "more than 10 stack entries"},
		{"calls", unhex("9901000000"), Limits{Calls: 3}, ""},
		{"calls", unhex("9901000000"), Limits{Calls: 2}, "nested more than 2 deep"},
		{"parts", repeat(10, "9304"), Limits{Parts: 10}, ""},
		{"parts", repeat(11, "9304"), Limits{Parts: 10}, "more than 10 composite parts"},
		{"elements", unhex("50e90b080a"), Limits{Parts: 10}, ""},
		{"elements", unhex("50e90b080b"), Limits{Parts: 10}, "too many"},
		{"elements and parts", unhex("50e90b080a50e90b0801"), Limits{Parts: 10},
			"more than 10 composite parts"},
		{"no operation", nil, Limits{}, ""},
		{"entries by default", repeat(1024, "31"), Limits{}, ""},
		{"entries by default", repeat(1025, "31"), Limits{}, "more than 1024 stack entries"},
		{"entries by default beside another bound", repeat(1025, "31"), Limits{Calls: 1},
			"more than 1024 stack entries"},
		{"operations by default", unhex("2ffdff"), Limits{}, "more than 100000 operations"},
	} {
		s.regs[0] = make([]byte, 256)
		_, err := Evaluate(s, c.code, Options{Arch: AMDGPU, Limits: c.limits})
		if c.want == "" && err != nil || c.want != "" &&
			(err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s, %+v: error %v, want %q", c.name, c.limits, err, c.want)
		}
	}
}

// TestHalf: floats of 16 bits as IEEE 754 has binary16: all of them there and back, and what is rounded to
// nearest, ties to even.
func TestHalf(t *testing.T) {
	for h := range 1 << 16 {
		f := HalfToFloat(uint16(h))
		if math.IsNaN(f) != (h&0x7fff > 0x7c00) {
			t.Errorf("%#x is %v", h, f)
		}
		if back := FloatToHalf(f); !math.IsNaN(f) && int(back) != h {
			t.Errorf("%#x is %v, which is %#x", h, f, back)
		}
	}
	for want, f := range map[uint16]float64{0x3c00: 1, 0xc000: -2, 0x7bff: 65504, 0x7c00: 65520,
		0x0001: 0x1p-24,
		0x0400: 0x1p-14, 0x03ff: 0x1.ff8p-15, 0x8000: math.Copysign(0, -1), 0xfc00: math.Inf(-1),
		0x6800: 2049, 0x6802: 2051, 0x6801: 2050.5, 0x0000: 0x1p-25, 0x0002: 0x1.8p-24, 0x3555: 1. / 3,
		0x4248: math.Pi, 0x7e00: math.NaN()} {
		if got := FloatToHalf(f); got != want {
			t.Errorf("%v is %#x, want %#x", f, got, want)
		}
	}
	if f := HalfToFloat(0x3555); f != 0x1.554p-2 {
		t.Errorf("0x3555 is %v", f)
	}
	if FloatToHalf(65519.99) != 0x7bff {
		t.Error("what is nearer to 65504 is not")
	}
}

// TestSeveralPlaces: an object in two places is read from the first that has it, written to both, moved in
// both.
func TestSeveralPlaces(t *testing.T) {
	s := newState()
	s.regs[36] = []byte{1, 2, 3, 4}
	s.put(0, 0x100, 9, 8, 7, 6)
	gone, err := MemoryAt(nil, 8, 0, 0x500, -1)
	if err != nil {
		t.Fatal(err)
	}
	there, _ := MemoryAt(nil, 8, 0, 0x100, -1)
	both := Union(Location{}, RegisterAt(36, 0), there)
	if got, want := both.String(), "register 36 and memory space 0 address 0x100"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	moved, err := both.Offset(s, 1, 8)
	if got, want := moved.String(), "register 36 bit 16 and memory space 0 address 0x102"; err != nil ||
		got != want {
		t.Errorf("moved: %s, %v, want %s", got, err, want)
	}
	if _, err := both.Offset(s, 4, 0); KindOf(err) != OutOfRange {
		t.Errorf("moved out of the register: %v", err)
	}
	if got := both.String(); got != "register 36 and memory space 0 address 0x100" {
		t.Errorf("after it was moved it is %s", got)
	}
	if b, err := Union(gone, both).Read(s, 0, 16); err != nil || !bytes.Equal(b, []byte{1, 2}) {
		t.Errorf("read from the second place: % x, %v", b, err)
	}
	if _, err := Union(gone, gone).Read(s, 0, 16); KindOf(err) != MemoryUnavailable {
		t.Errorf("read from no place: %v", err)
	}
	if err := both.Write(s, 8, 16, []byte{0xaa, 0xbb}); err != nil ||
		!bytes.Equal(s.regs[36], []byte{1, 0xaa, 0xbb, 4}) ||
		s.mem[0][0x101] != 0xaa || s.mem[0][0x102] != 0xbb || s.mem[0][0x103] != 6 {
		t.Errorf("written: % x, %v, %v", s.regs[36], s.mem[0], err)
	}
	if err := Union(both, gone).Write(s, 0, 8, []byte{0x55}); err == nil || s.regs[36][0] != 1 ||
		s.mem[0][0x100] != 9 {
		t.Errorf("one place cannot be written: %v, % x", err, s.regs[36])
	}
	if err := both.Write(s, 0, 24, []byte{1, 2}); KindOf(err) != OutOfRange {
		t.Errorf("24 bits of two bytes written: %v", err)
	}
	if both.Places() != 2 || both.Place(1).String() != there.String() {
		t.Errorf("%d places, the second %v", both.Places(), both.Place(1))
	}
}

// TestCompositeBounds: what a composite can have.
func TestCompositeBounds(t *testing.T) {
	half := Part{Bits: 1 << 61}
	if l, err := Compose([]Part{half, half}); err != nil || len(l.Parts()) != 2 {
		t.Errorf("2^62 bits: %v, %v", l, err)
	}
	for _, parts := range [][]Part{{half, half, {Bits: 1}}, {{Bits: math.MaxUint64}, {Bits: 2}}} {
		if _, err := Compose(parts); KindOf(err) != IllFormed {
			t.Errorf("%v: %v", parts, err)
		}
	}
	l := Location{}
	for n := 1; n <= 65; n++ {
		nested, err := Compose([]Part{{Bits: 8, Location: l}})
		if (err != nil) != (n > 64) {
			t.Errorf("nested %d deep: %v", n, err)
		}
		l = nested
	}
}

// TestPartsWithin: what lies in one part of a composite is a part of that part, at its place in it.
func TestPartsWithin(t *testing.T) {
	s := newState()
	s.regs[36], s.regs[37] = make([]byte, 8), make([]byte, 8)
	memory, _ := MemoryAt(nil, 8, 0, 0x100, -1)
	first := RegisterAt(36, 0)
	second := Union(RegisterAt(37, 0), memory)
	l, err := Compose([]Part{{Bits: 64, Location: first}, {Bits: 64, Location: second}, {Bits: 12}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		off, n int64
		want   string
	}{
		{0, 64, "register 36"}, {8, 56, "register 36 bit 8"},
		{64, 8, "register 37 and memory space 0 address 0x100"},
		{76, 8, "register 37 bit 12 and memory space 0 address 0x101 bit 4"}, {130, 4, "undefined"},
	} {
		at, err := l.Offset(s, 0, c.off)
		if err != nil {
			t.Fatal(err)
		}
		if got := at.within(uint64(c.n)); got.String() != c.want {
			t.Errorf("%d bits at %d: %v, want %s", c.n, c.off, got, c.want)
		}
	}
	at, _ := l.Offset(s, 0, 8)
	if got := at.within(57); got.Kind() != Composite {
		t.Errorf("bits of two parts are in %v", got)
	}
	if got := second.String(); got != "register 37 and memory space 0 address 0x100" {
		t.Errorf("the part is %s afterwards", got)
	}
}

// TestImplicitPointerValue: a pointer that the program does not have, as a value.
func TestImplicitPointerValue(t *testing.T) {
	s := newState()
	s.regs[36] = make([]byte, 8)
	v, err := EvaluateValue(s, unhex("a0640000000406"), Options{})
	die, disp, ok := v.ImplicitPointer()
	if err != nil || die != 0x64 || disp != 4 || !ok {
		t.Errorf("entry 0x%x%+d, %v, %v", die, disp, ok, err)
	}
	if _, _, ok := NewValue(BaseType{Unsigned, 32}, 7).ImplicitPointer(); ok {
		t.Error("a number is an implicit pointer")
	}
}

// TestWideValues: values of more than 64 bits keep all their bytes, of which the low ones are the number.
func TestWideValues(t *testing.T) {
	data := counting(12)
	v := NewWideValue(BaseType{Unsigned, 90}, bytes.Repeat([]byte{0xff}, 12))
	if want := append(bytes.Repeat([]byte{0xff}, 11), 3); !bytes.Equal(v.Bytes(), want) {
		t.Errorf("90 bits: % x, want % x", v.Bytes(), want)
	}
	v = NewWideValue(BaseType{Unsigned, 96}, data)
	if got := v.Uint64(); got != 0x0706050403020100 {
		t.Errorf("the low 64 bits: %#x", got)
	}
	if b, bits, ok := implicitValue(v).Constant(); !bytes.Equal(b, data) || bits != 96 || !ok {
		t.Errorf("as a location: % x, %d bits", b, bits)
	}
	nan := Value{Type: BaseType{Float, 32}, low: uint64(math.Float32bits(float32(math.NaN())))}
	if zero, ok := nan.convert(BaseType{Signed, 96}); !ok || len(zero.wide) != 12 || !zero.zero() {
		t.Errorf("what is no number as 96 bits: %+v, %v", zero, ok)
	}
	small := NewWideValue(BaseType{Unsigned, 12}, []byte{0xff, 0xff, 0xff})
	if b, bits, _ := implicitValue(small).Constant(); small.Uint64() != 0xfff ||
		!bytes.Equal(b, []byte{0xff, 0x0f}) ||
		bits != 12 {
		t.Errorf("12 bits: %#x, % x, %d", small.Uint64(), b, bits)
	}
	if got := fmt.Sprint(BaseType{Unsigned, 96},
		BaseType{TypeEncoding(0x33), 8}); got != "unsigned96 encoding(0x33)8" {
		t.Errorf("types: %s", got)
	}
}
