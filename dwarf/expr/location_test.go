package expr

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// threeParts is 4 bytes of a register, 2 undefined bytes and 2 of memory.
func threeParts(t *testing.T, s *state) Location {
	t.Helper()
	s.regs[36] = []byte{0xaa, 0xbb, 0xcc, 0xdd}
	s.put(0, 0x100, 0xee, 0xff)
	l, err := Evaluate(s, unhex(squeeze("9024 9304 9302 0a0001 9302")), Options{Arch: AMDGPU})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestReadParts reads an object whose middle is undefined.
func TestReadParts(t *testing.T) {
	s := newState()
	l := threeParts(t, s)
	if _, err := l.Read(s, 0, 64); !errors.Is(err, ReadUndefined) {
		t.Errorf("the whole object: error %v", err)
	}
	for _, part := range []struct {
		bitOff uint64
		want   []byte
	}{{0, []byte{0xaa, 0xbb, 0xcc, 0xdd}}, {48, []byte{0xee, 0xff}}} {
		got, err := l.Read(s, part.bitOff, 8*uint64(len(part.want)))
		if diff := cmp.Diff(part.want, got); err != nil || diff != "" {
			t.Errorf("from bit %d: %v, %s", part.bitOff, err, diff)
		}
	}
}

func TestPieces(t *testing.T) {
	s := newState()
	l := threeParts(t, s)
	pieces, err := l.Pieces(s, 24, 32)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range pieces {
		got = append(got, fmt.Sprintf("%d+%d %v", p.BitOffset, p.Bits, p.Location))
	}
	want := []string{"0+8 register 36 bit 24", "8+16 undefined", "24+8 memory space 0 address 0x100"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, err := l.Pieces(s, 60, 8); !errors.Is(err, OutOfRange) {
		t.Errorf("pieces past the end: %v", err)
	}
}

// TestOverlayLeavesBit lays 31 bits of memory over a register of 32, whose last bit stays.
func TestOverlayLeavesBit(t *testing.T) {
	s := newState()
	s.regs[36] = make([]byte, 4)
	l, err := Evaluate(s, unhex(squeeze("9024 0a0001 30 4f ed")), Options{Arch: AMDGPU, Encoding: Old})
	const want = "{31 bits: memory space 0 address 0x100, 1 bits: register 36 bit 31}"
	if err != nil || l.String() != want {
		t.Errorf("%v, %v, want %s", l, err, want)
	}
}

// TestNarrowConstants: where addresses have four bytes, values of the generic type have, and of a longer
// constant there is no more (DWARF 5, 2.5.1.1).
func TestNarrowConstants(t *testing.T) {
	s := newState()
	s.size = 4
	l, err := Evaluate(s, unhex(squeeze("0e0400000001000000 31 25 9f")), Options{}) // halved
	if want := "constant 02000000"; err != nil || l.String() != want {
		t.Errorf("%v, %v, want %s", l, err, want)
	}
}

// What a location is, and what it is not.
func TestLocationKinds(t *testing.T) {
	s := newState()
	s.regs[36] = make([]byte, 4)
	private, err := MemoryAt(AMDGPU, 8, SpacePrivateLane, 0x1_0000_0010, 7)
	if err != nil {
		t.Fatal(err)
	}
	composite := threeParts(t, s)
	bit, _ := private.Offset(s, 0, 3)
	pointer, err := Evaluate(s, unhex("a06400000004"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name                                             string
		l                                                Location
		kind                                             Kind
		address, memory, register, constant, parts, toDI bool
	}{
		{"undefined", Location{}, Undefined, false, false, false, false, false, false},
		{"memory", private, Memory, true, true, false, false, false, false},
		{"memory at a bit", bit, Memory, false, true, false, false, false, false},
		{"register", RegisterAt(36, 8), Register, false, false, true, false, false, false},
		{"constant", Implicit([]byte{1, 2}), ImplicitValue, false, false, false, true, false, false},
		{"composite", composite, Composite, false, false, false, false, true, false},
		{"pointer", pointer, ImplicitPointer, false, false, false, false, false, true},
		{"two places", Union(private, RegisterAt(36, 0)), Memory, false, true, false, false, false, false},
		{"one place and none", Union(Location{}, private), Memory, true, true, false, false, false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, address := tt.l.Address()
			_, memory := tt.l.Memory()
			_, _, register := tt.l.Register()
			_, _, constant := tt.l.Constant()
			_, _, toDI := tt.l.Pointer()
			got := []any{tt.l.Kind(), address, memory, register, constant, tt.l.Parts() != nil, toDI}
			want := []any{tt.kind, tt.address, tt.memory, tt.register, tt.constant, tt.parts, tt.toDI}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	if a, _ := private.Address(); a != (Addr{SpacePrivateLane, 0x10, 7}) {
		t.Errorf("private address %v: 32 bits and a lane expected", a)
	}
	if n := private.AddressSize(); n != 4 {
		t.Errorf("addresses of %d bytes in private_lane", n)
	}
	if l, err := MemoryAt(AMDGPU, 8, SpaceLocal, 4, 7); err != nil ||
		l.String() != "memory space 3 address 0x4" {
		t.Errorf("a space that is not per lane: %v, %v", l, err)
	}
	if _, err := MemoryAt(nil, 8, 3, 4, 7); !errors.Is(err, IllFormed) {
		t.Errorf("a space of no architecture: %v", err)
	}
}

// A location stays bound to the lane it was made for.
func TestLaneBinding(t *testing.T) {
	s := newState()
	for lane := range 64 {
		s.put(SpacePrivateWave, AMDGPUPrivateWave(8, lane, 64), byte(lane), 0, 0, 0)
	}
	l, err := Evaluate(s, unhex("3835e902"), Options{Arch: AMDGPU})
	if err != nil {
		t.Fatal(err)
	}
	s.lane = 40
	if b, err := l.Read(s, 0, 32); err != nil || b[0] != 5 {
		t.Errorf("read %v, %v: lane 5's value expected", b, err)
	}
}

// The constant that a location is made of does not change with the caller's.
func TestImplicitIsCopied(t *testing.T) {
	data := []byte{1, 2}
	l := Implicit(data)
	data[0] = 9
	if b, _, _ := l.Constant(); b[0] != 1 {
		t.Errorf("constant %v", b)
	}
}

// readOnly is a context that cannot be written.
type readOnly struct{ Context }

func TestWriteErrors(t *testing.T) {
	s := newState()
	l := threeParts(t, s)
	tests := []struct {
		name   string
		ctx    Context
		l      Location
		off, n uint64
		kind   ErrorKind
	}{
		{"context", readOnly{s}, l, 0, 8, MissingContext},
		{"undefined", s, l, 24, 16, ReadUndefined},
		{"end", s, l, 60, 8, OutOfRange},
		{"constant", s, Implicit([]byte{1}), 0, 8, IllFormed},
		{"register", s, RegisterAt(99, 0), 0, 8, NoRegister},
		{"data", s, l, 0, 32, OutOfRange},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if err := tt.l.Write(tt.ctx, tt.off, tt.n, []byte{0, 0}); !errors.Is(err, tt.kind) {
				t.Errorf("got %v, want %v", err, tt.kind)
			}
		})
	}
	if diff := cmp.Diff([]byte{0xaa, 0xbb, 0xcc, 0xdd}, s.regs[36]); diff != "" {
		t.Errorf("a write that failed changed the register: %s", diff)
	}
}

// plain is a context without any optional ability.
type plain struct{}

func (plain) AddressSize() int                       { return 8 }
func (plain) RegisterSize(uint64) (int, error)       { return 0, errors.New("none here") }
func (plain) ReadRegister(uint64, int, []byte) error { return errors.New("none here") }
func (plain) ReadMemory(uint64, int, uint64, []byte) error {
	return errors.New("none here")
}

// A context's own errors get the kind of the operation that met them, and stay
// visible.
func TestContextErrors(t *testing.T) {
	tests := []struct {
		code string
		kind ErrorKind
		own  bool
	}{
		{"7000", NoRegister, true}, {"309401", MemoryUnavailable, true}, {"9100", MissingContext, false},
		{"9c", MissingContext, false},
		{"97", MissingContext, false}, {"309b", MissingContext, false}, {"982a00", MissingContext, false},
		{"a100", MissingContext, false},
		{"a82a", StackUnderflow, false}, {"30a82a", MissingContext, false}, {"e903", MissingContext, false},
		{"a30150", MissingContext, false},
		{"e90705", MissingContext, false}, {"fa00000000", MissingContext, false},
		{"fd00000000", MissingContext, false},
	}
	for _, tt := range tests {
		_, err := Evaluate(plain{}, unhex(tt.code), Options{Arch: AMDGPU})
		if !errors.Is(err, tt.kind) || KindOf(err) != tt.kind {
			t.Errorf("%s: %v, want %v", tt.code, err, tt.kind)
		}
		if own := err != nil && strings.HasSuffix(err.Error(), ": none here"); own != tt.own {
			t.Errorf("%s: %v hides the context's error", tt.code, err)
		}
		var e *Error
		if !errors.As(err, &e) || e.Op == "" {
			t.Errorf("%s: %v does not name the operation", tt.code, err)
		}
	}
}

func TestErrorText(t *testing.T) {
	for k, name := range map[ErrorKind]string{IllFormed: "ill-formed", ReadUndefined: "read-undefined",
		OutOfRange:     "out-of-range",
		MissingContext: "missing-context", StackUnderflow: "stack-underflow", NoRegister: "no-register",
		MemoryUnavailable: "memory-unavailable", UnknownOp: "unknown-op", 77: "ErrorKind(77)"} {
		if k.String() != name || k.Error() != name {
			t.Errorf("kind %d is %q, want %q", uint8(k), k, name)
		}
	}
	_, err := Evaluate(newState(), unhex("310a2000e902"), Options{Arch: AMDGPU})
	want := "ill-formed: DW_OP_LLVM_form_aspace_address at offset 4: " +
		"address space 32 is not one of the architecture's"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// Every bound holds, and holds for what is nested too.
func TestLimits(t *testing.T) {
	s := newState()
	s.procs = map[uint64]Procedure{0x10: {Code: unhex("9a10000000")}, 0x11: {Code: unhex("31")}}
	// Each composite is a part of the next, and lies in two parts of the one before.
	nested := "e908 e90b0102"
	for bits := 2; bits < 2+maxCompositeDepth; bits++ {
		nested += fmt.Sprintf("9d%02x00 9d0100 e90a", bits)
	}
	tests := []struct {
		name, code string
		limits     Limits
		want       string
	}{
		{"steps", "2ffdff", Limits{}, "more than 100000 operations executed"},
		{"fewer steps", "313131", Limits{Steps: 2}, "more than 2 operations executed"},
		{"stack", "312ffcff", Limits{}, "more than 1024 stack entries"},
		{"smaller stack", "313131", Limits{Stack: 2}, "more than 2 stack entries"},
		{"calls", "9a10000000", Limits{}, "expressions nested more than 64 deep"},
		{"fewer calls", "9a11000000", Limits{Calls: 1}, "expressions nested more than 1 deep"},
		{"parts", "e908 e90b08ffff03 13 e908 e90b08ffff03", Limits{}, "more than 65536 composite parts"},
		{"fewer parts", "930193019301", Limits{Parts: 2}, "more than 2 composite parts"},
		{"composite size", "93808080808080808040", Limits{}, "a piece of"},
		{"nesting", nested, Limits{}, "composites nested more than 64 deep"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Evaluate(s, unhex(squeeze(tt.code)), Options{Arch: AMDGPU, Limits: tt.limits})
			if !errors.Is(err, IllFormed) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

// A machine that is used again starts afresh.
func TestNothingIsLeftBehind(t *testing.T) {
	s := dialectState()
	for range 3 {
		Evaluate(s, unhex("31323334e903a3"), Options{Arch: AMDGPU, Dialect: StockClang(true), Encoding: Old})
		if _, err := Evaluate(s, unhex("12"), Options{}); !errors.Is(err, StackUnderflow) {
			t.Fatalf("got %v: the stack is not empty at the start", err)
		}
		if _, err := Evaluate(s, unhex("e1"), Options{}); !errors.Is(err, UnknownOp) {
			t.Fatalf("got %v: the encoding is another evaluation's", err)
		}
	}
}

func TestAssign(t *testing.T) {
	e, err := Current.Assign(0xee, "DW_OP_LLVM_overlay")
	if err == nil {
		e, err = e.Assign(0x10d, "DW_OP_LLVM_push_iteration")
	}
	if err != nil {
		t.Fatal(err)
	}
	p := Printer{Encoding: e}
	if got, want := p.String(unhex("eee90d")),
		"DW_OP_LLVM_overlay, DW_OP_LLVM_user DW_OP_LLVM_push_iteration"; got != want {
		t.Errorf("printed %q, want %q", got, want)
	}
	p.Encoding = nil
	if got, want := p.String(unhex("ee")), "<decoding error> ee"; got != want {
		t.Errorf("the encoding that was copied has changed: %q", got)
	}
	for code, name := range map[int]string{0: "DW_OP_nop", 0xe9: "DW_OP_nop", 0x100: "DW_OP_nop",
		0x300: "DW_OP_nop", 0xe0: "DW_OP_lit", 0xe1: "DW_OP_x"} {
		if _, err := Current.Assign(code, name); err == nil {
			t.Errorf("0x%x for %s accepted", code, name)
		}
	}
}

func TestInstructions(t *testing.T) {
	list, err := Instructions(unhex("91789e021122924108e907118f0150"), nil, Format{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range list {
		in := &list[i]
		reg, ok := in.Register()
		got = append(got, fmt.Sprintf("%d-%d %s %d %d %x %d %v", in.Offset, in.Next, in.Name(),
			int64(in.Operand(0)), int64(in.Operand(1)), in.Block(), reg, ok))
	}
	want := []string{
		"0-2 DW_OP_fbreg -8 0  0 false",
		"2-6 DW_OP_implicit_value 2 0 1122 0 false",
		"6-9 DW_OP_bregx 65 8  65 true",
		"9-12 DW_OP_LLVM_call_frame_entry_reg 17 0  17 true",
		"12-14 DW_OP_breg31 1 0  31 true",
		"14-15 DW_OP_reg0 0 0  0 true",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
