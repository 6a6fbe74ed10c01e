package cfi

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/dwarf/expr"
)

// TestDefaultRules: what becomes of registers that no instruction names. The System V psABI of x86-64 (figure
// 3.4) and the AAPCS64 (sections 6.1.1 and 6.1.2) say which a function preserves; the stack pointer is the
// CFA. LLVM's AMDGPUUsage has all keep their values.
func TestDefaultRules(t *testing.T) {
	// Preserved registers.
	x86 := []uint64{3 /* rbx */, 6 /* rbp */, 12, 13, 14, 15}
	var arm []uint64
	for n := uint64(19); n <= 29; n++ { // x19 to x29
		arm = append(arm, n)
	}
	for n := uint64(64 + 8); n <= 64+15; n++ { // v8 to v15
		arm = append(arm, n)
	}
	for _, c := range []struct {
		name      string
		arch      *Arch
		preserved []uint64
		stack     uint64
	}{{"x86-64", AMD64, x86, 7}, {"AArch64", AArch64, arm, 31}, {"none", nil, nil, ^uint64(0)},
		{"none by default", &Arch{}, nil, ^uint64(0)}} {
		table, err := Parse(frameSection([]byte{0x0c, 7, 8}, []byte{0x07, 3}), Options{Arch: c.arch})
		if err != nil {
			t.Fatal(err)
		}
		row, err := table.FDE(0x1000).Row(0x1000)
		if err != nil {
			t.Fatal(err)
		}
		for n := range uint64(128) {
			want := Rule{Kind: Undefined}
			switch {
			case n == 3: // by the instruction
			case slices.Contains(c.preserved, n):
				want.Kind = SameValue
			case n == c.stack:
				want.Kind = ValOffset
			}
			if got := row.Rule(n); !cmp.Equal(got, want) {
				t.Errorf("%s: register %d: %+v, want %+v", c.name, n, got, want)
			}
		}
	}
	if got := AMDGPU.defaultRule(2600); !cmp.Equal(got, Rule{Kind: SameValue}) {
		t.Errorf("AMDGPU: %+v", got)
	}
}

// TestRememberedRules: what may be remembered has a bound, and restoring makes room for as much again.
func TestRememberedRules(t *testing.T) {
	const remember, restore = 0x0a, 0x0b
	many := func(op byte, n int) []byte { return bytes.Repeat([]byte{op}, n) }
	// States of 63 rules, and of none, up to the bound.
	var full []byte
	for n := range byte(63) {
		full = append(full, 0x07, n)
	}
	full = append(full, many(remember, maxKept/64-1)...)
	for n := range byte(63) {
		full = append(full, 0x06, n) // restored to what the CIE says, which is nothing
	}
	full = append(full, many(remember, 64)...)
	for _, c := range []struct {
		name  string
		more  []byte
		fails bool
	}{
		{"as many as may be", nil, false},
		{"one more", []byte{remember}, true},
		{"one restored", []byte{restore, remember}, false},
		{"one restored, two more", []byte{restore, remember, remember}, true},
		{"one with rules restored", append(many(restore, 65), remember, remember), false},
		{"one with rules restored, one more", append(many(restore, 65), remember, remember, remember), true},
	} {
		table, err := Parse(frameSection(nil, append(bytes.Clone(full), c.more...)), Options{Arch: AMD64})
		if err != nil {
			t.Fatal(err)
		}
		_, err = table.FDE(0x1000).Row(0x1000)
		if (err != nil) != c.fails || c.fails && !strings.Contains(err.Error(), "65536 rules remembered") {
			t.Errorf("%s: error %v", c.name, err)
		}
	}
}

// TestAdvance: each way to advance (DWARF 5 section 6.4.2.1) counts in code alignment factors, here 4, and
// what would pass the end of all addresses is an error.
func TestAdvance(t *testing.T) {
	for _, c := range []struct {
		code []byte
		to   uint64 // where the rows meet
	}{
		{[]byte{0x41}, 0x1004},
		{[]byte{0x7f}, 0x1000 + 4*0x3f},
		{[]byte{0x02, 0x03}, 0x100c},
		{[]byte{0x03, 0x02, 0x00}, 0x1008},
		{[]byte{0x04, 0x05, 0, 0, 0}, 0x1014},
		{[]byte{0x1d, 0x06, 0, 0, 0, 0, 0, 0, 0}, 0x1018},
		{append([]byte{0x01}, littleEndian(0x1021, 8)...), 0x1021},
		{append([]byte{0x01}, littleEndian(0x1000, 8)...), 0x1000},
		{append([]byte{0x1d}, littleEndian(1<<62-0x400, 8)...), 0},
	} {
		code := append(append([]byte{0x0c, 7, 8}, c.code...), 0x0e, 16)
		table, err := Parse(frameSection(nil, code), Options{Arch: AMD64})
		if err != nil {
			t.Fatal(err)
		}
		f := table.FDE(0x1000)
		rows, err := f.Rows()
		if c.to == 0 {
			if err == nil || !strings.Contains(err.Error(), "advance by 0xfffffffffffff000 from 0x1000") {
				t.Errorf("% x: error %v", c.code, err)
			}
			continue
		}
		if err != nil || len(rows) != 2 || rows[0].Start != 0x1000 || rows[0].End != c.to ||
			rows[1].Start != c.to || rows[1].End != 0x1100 || rows[0].CFA.Offset != 8 ||
			rows[1].CFA.Offset != 16 {
			t.Errorf("% x: %+v, %v; want two rows that meet at 0x%x", c.code, rows, err, c.to)
		}
		for pc, want := range map[uint64]int64{c.to: 16, c.to - 1: 8, 0x10ff: 16, 0x1000: 8} {
			if pc < 0x1000 || pc == 0x1000 && c.to == 0x1000 {
				continue
			}
			row, err := f.Row(pc)
			if err != nil || row.CFA.Offset != want || pc < row.Start || pc >= row.End {
				t.Errorf("% x: at 0x%x %+v, %v; want an offset of %d", c.code, pc, row, err, want)
			}
		}
	}
}

// TestLines spells a row in lines: neighbouring registers with one rule have one line.
func TestLines(t *testing.T) {
	for _, c := range []struct {
		code []byte
		want []string
	}{
		{nil, []string{"CFA=unspecified"}},
		{[]byte{0x0c, 64, 8, 0x07, 32, 0x07, 33, 0x07, 34, 0x07, 36, 0x08, 37, 0x08, 39},
			[]string{"CFA=SGPR32+8", "SGPR0 to SGPR2=undefined", "SGPR4=undefined", "SGPR5=same",
				"SGPR7=same"}},
		{[]byte{0x30, 64, 0, 6, 0x85 /* reg5 */, 2, 0x09, 32, 33, 0x14, 34, 0, 0x16, 35, 1, 0x31},
			[]string{"CFA=SGPR32+0 in addrspace6", "reg5=[CFA+8]", "SGPR0=SGPR1", "SGPR2=CFA",
				"SGPR3=DW_OP_lit1"}},
		{[]byte{0x0f, 1, 0x31, 0x10, 32, 1, 0x32, 0x85, 0}, []string{"CFA=DW_OP_lit1", "reg5=[CFA]",
			"SGPR0=[DW_OP_lit2]"}},
	} {
		table, err := Parse(frameSection(nil, c.code), Options{Arch: AMDGPU})
		if err != nil {
			t.Fatal(err)
		}
		row, err := table.FDE(0x1000).Row(0x1000)
		if err != nil {
			t.Fatal(err)
		}
		got := table.Lines(&row, expr.Printer{Register: expr.AMDGPUDumpName})
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("% x (-want +got):\n%s", c.code, diff)
		}
	}
}

// TestBehindTerminator reads on behind an entry of no bytes, as linkers put crtend.o's in the middle.
func TestBehindTerminator(t *testing.T) {
	first := ehFrame(peU4, 0, 0x10, 0, 0, 0x10, 0, 0, 0, 0)
	second := ehFrame(peU4, 0, 0x20, 0, 0, 0x10, 0, 0, 0, 0)
	table, err := Parse(slices.Concat(first, make([]byte, 4), second), Options{EH: true})
	if err != nil || len(table.Entries) != 5 || table.FDE(0x1000) == nil || table.FDE(0x2000) == nil {
		t.Fatalf("%d entries, %v", len(table.Entries), err)
	}
	if e := table.Entries[2]; e.Offset != uint64(len(first)) || e.CIE != nil || e.FDE != nil {
		t.Errorf("the terminator: %+v", e)
	}
}

// plain is a context without what is optional.
type plain struct{ expr.Context }

// TestCallerOfPlainContext: a caller's context has what the innermost's has, and no more.
func TestCallerOfPlainContext(t *testing.T) {
	table, w := frames(t, 1)
	for _, c := range []struct {
		ctx        expr.Context
		lane, wave int
	}{{w, 5, 64}, {plain{w}, -1, 0}} {
		f := unwind(t, table, c.ctx, 0x1000)
		caller := f.Caller()
		l := caller.(expr.LaneContext)
		if l.Lane() != c.lane || l.WaveSize() != c.wave {
			t.Errorf("%T: lane %d of %d, want %d of %d", c.ctx, l.Lane(), l.WaveSize(), c.lane, c.wave)
		}
		if f.ctx.Lane() != c.lane || f.ctx.WaveSize() != c.wave {
			t.Errorf("%T: lane %d of %d in the frame", c.ctx, f.ctx.Lane(), f.ctx.WaveSize())
		}
		writer := caller.(expr.Writer)
		if err := writer.WriteRegister(40, 0, []byte{1}); !errors.Is(err, expr.MissingContext) {
			t.Errorf("%T: a register is written: %v", c.ctx, err)
		}
		if err := writer.WriteMemory(0, -1, 0, []byte{1}); !errors.Is(err, expr.MissingContext) {
			t.Errorf("%T: memory is written: %v", c.ctx, err)
		}
		if _, err := caller.(expr.TLSContext).TLS(0); !errors.Is(err, expr.MissingContext) {
			t.Errorf("%T: thread-local storage: %v", c.ctx, err)
		}
	}
}

// TestReturnAddressErrors: a return address that cannot be read is an error, one that is undefined is not.
func TestReturnAddressErrors(t *testing.T) {
	for _, c := range []struct {
		name  string
		code  []byte // of register 16
		kind  error
		pc    uint64
		found bool
	}{
		{"undefined", []byte{0x07, 16}, nil, 0, false},
		{"in memory that is not there", []byte{0x05, 16, 0xff, 0xff, 0xff, 0x7f}, expr.MemoryUnavailable, 0,
			false},
		{"a rule that cannot be", []byte{0x10, 16, 1, 0x22}, expr.StackUnderflow, 0, false},
		{"a value", []byte{0x16, 16, 3, 0x0a, 0x34, 0x12}, nil, 0x1234, true},
		{"of four bytes", []byte{0x09, 16, 16}, nil, 0x1234_5678_9abc, true},
	} {
		table, err := Parse(frameSection([]byte{0x30, 64, 0, 6}, c.code), Options{Arch: AMDGPU})
		if err != nil {
			t.Fatal(err)
		}
		w := newWave()
		w.regs[64] = littleEndian(0x100, 4)
		pc, ok, err := unwind(t, table, w, 0x1000).ReturnAddress()
		if pc != c.pc || ok != c.found || !errors.Is(err, c.kind) {
			t.Errorf("%s: 0x%x, %v, %v; want 0x%x, %v, %v", c.name, pc, ok, err, c.pc, c.found, c.kind)
		}
	}
}

// TestRulesByRules follows expressions that ask for each other, up to a bound.
func TestRulesByRules(t *testing.T) {
	for _, depth := range []int{maxBusy, maxBusy + 1} {
		var code []byte
		for n := range depth {
			next := []byte{0x90, byte(33 + n), 0x94, 4} // the register's value
			if n < depth-1 {                            // where the next register was on entry
				next = []byte{0xe9, 7, byte(33 + n)}
			}
			code = append(append(code, 0x10, byte(32+n), byte(len(next))), next...)
		}
		table, err := Parse(frameSection([]byte{0x30, 64, 0, 6}, code), Options{Arch: AMDGPU})
		if err != nil {
			t.Fatal(err)
		}
		_, err = unwind(t, table, newWave(), 0x1000).Register(32)
		if deep := err != nil && strings.Contains(err.Error(), "16 deep"); deep != (depth > maxBusy) {
			t.Errorf("%d rules: error %v", depth, err)
		}
	}
}
