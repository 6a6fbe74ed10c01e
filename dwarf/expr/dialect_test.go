package expr

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/dwarf/internal/dwarftest"
	"simtgdb/testdata/sweep"
)

// The shapes of dialect.go, in a wave of 64 with lane 5 in focus. VGPR n holds
// 0x1000*n + lane in each lane, but VGPR 0 holds -1 - lane; SGPR33 is 0x1000, which is private address 0x40.
func dialectState() *state {
	s := newState()
	s.frameBase = unhex("9041") // regx SGPR33
	s.regs[65] = []byte{0, 0x10, 0, 0}
	s.regs[36] = []byte{0x78, 0x56, 0x34, 0x12}
	s.regs[37] = []byte{0xef, 0xcd, 0xab, 0x00}
	for n := range 4 {
		r := make([]byte, 256)
		for lane := range 64 {
			v := 0x1000*n + lane
			if n == 0 {
				v = -1 - lane
			}
			putLittle(r[4*lane:4*lane+4], uint64(v))
		}
		s.regs[uint64(2560+n)] = r
	}
	s.addrs = []uint64{0x80}
	s.types = map[uint64]BaseType{
		0x21: {Unsigned, 1}, 0x23: {Unsigned, 8}, 0x27: {Unsigned, 16}, 0x2b: {Unsigned, 32},
		0x2f: {Unsigned, 64},
	}
	return s
}

var dialectTests = []struct {
	name, code string
	flat       bool
	want       string // Location.String
	bits       uint64
	value      uint64 // what reading that many bits gives
}{
	{name: "HIP local", code: "9108 31 16 18", want: "memory space 5 address 0x48 lane 5"},
	{name: "OpenCL local", code: "9108 35 16 18", want: "memory space 5 address 0x48 lane 5"},
	{name: "flat scratch", code: "9108 31 16 18", flat: true, want: "memory space 5 address 0x1008 lane 5"},
	{name: "LDS", code: "a100 33 16 18", want: "memory space 3 address 0x80"},
	{name: "global in HIP", code: "a100 31 16 18", want: "memory space 1 address 0x80"},
	{name: "promoted to a VGPR", code: "92821400 35 16 18", want: "register 2562 bit 160", bits: 32,
		value: 0x2005},
	{name: "promoted, HIP", code: "92831400 31 16 18", want: "register 2563 bit 160", bits: 32,
		value: 0x3005},
	{
		name: "promoted double", code: "92811400 35 16 18 9304 92821400 35 16 18 9304",
		want: "{32 bits: register 2561 bit 160, 32 bits: register 2562 bit 160}", bits: 64,
		value: 0x2005_00001005,
	},
	{
		name: "second half known", code: "9304 92831400 31 16 18 9304",
		want: "{32 bits: undefined, 32 bits: register 2563 bit 160}",
	},
	{name: "constant", code: "1105 31 16 18 9f", want: "constant 0500000000000000", bits: 32, value: 5},
	{name: "literal", code: "30 31 16 18 9f", want: "constant 0000000000000000", bits: 32, value: 0},
	{name: "computed constant", code: "1103 1021 24 35 16 18 9f", want: "constant 0000000006000000",
		bits: 64, value: 3 << 33},
	{
		name: "computed from a VGPR", code: "92811400 a82b a82f 1021 24 35 16 18 9f",
		want: "constant 000000000a200000", bits: 64, value: 0x1005 << 33,
	},
	{name: "converted, and no more", code: "92811400 a82b a827", want: "constant 0510", bits: 16,
		value: 0x1005},
	{name: "converted without stack_value", code: "92811400 a82b a823 31 16 18", want: "constant 05",
		bits: 8, value: 5},
	{
		name: "converted in a part", code: "92811400 a82b a827 35 16 18 9302 92821400 a82b a827 9302",
		want: "{16 bits: constant 0510, 16 bits: constant 0520}", bits: 32, value: 0x20051005,
	},
	{name: "16 bits", code: "92811400 a82b a827 33 1e 31 16 18 9f", want: "constant 0f30", bits: 16,
		value: 0x1005 * 3},
	{name: "8 bits", code: "92811400 a82b a823 31 16 18 9f", want: "constant 05", bits: 8, value: 5},
	{name: "boolean", code: "92811400 30 2e a821 a823 31 16 18 9f", want: "constant 01", bits: 8, value: 1},
	{name: "signed comparison", code: "92801400 11fb00 2d a821 a823 31 16 18 9f", want: "constant 01",
		bits: 8, value: 1},
	{name: "negative constant", code: "92801400 1173 2d a821 a823 31 16 18 9f", want: "constant 00",
		bits: 8, value: 0},
	{name: "32-bit shift", code: "92801400 31 25 35 16 18 9f", want: "constant fdffff7f", bits: 32,
		value: 0x7ffffffd},
	{name: "truncated", code: "92811400 a821 a823 31 16 18 9f", want: "constant 01", bits: 8, value: 1},
	{name: "unsigned constant", code: "1064 31 16 18 9f", want: "constant 6400000000000000", bits: 32,
		value: 100},
	{name: "frame address as the value", code: "9108 31 16 18 9f", want: "constant 4800000000000000",
		bits: 32, value: 0x48},
	{
		name: "pointer in SGPRs", code: "9024 9304 9025 9304",
		want: "{32 bits: register 36, 32 bits: register 37}", bits: 64, value: 0x00abcdef_12345678,
	},
	{name: "whole VGPR", code: "908214", want: "register 2562 bit 160", bits: 32, value: 0x2005},
	{name: "promoted to an SGPR", code: "922400 35 16 18", want: "register 36", bits: 32, value: 0x12345678},
	{name: "frame pointer", code: "924104 35 16 18", want: "memory space 5 address 0x44 lane 5"},
	{name: "frame address and more", code: "9108 2304 35 16 18", want: "memory space 5 address 0x4c lane 5"},
	{name: "a multiple of a frame address", code: "9108 32 1e", want: "memory space 0 address 0x90"},
	{name: "bare frame address", code: "9108", want: "memory space 5 address 0x48 lane 5"},
}

func TestStockClang(t *testing.T) {
	for _, tt := range dialectTests {
		t.Run(tt.name, func(t *testing.T) {
			s := dialectState()
			l, err := Evaluate(s, unhex(squeeze(tt.code)),
				Options{Arch: AMDGPU, Dialect: StockClang(tt.flat)})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, l.String()); diff != "" {
				t.Error(diff)
			}
			if tt.bits != 0 {
				b, err := l.Read(s, 0, tt.bits)
				if err != nil || little(b) != tt.value {
					t.Errorf("read %x, %v, want %x", b, err, tt.value)
				}
			}
		})
	}
}

// The dialect must never be read into another producer's expressions.
func TestDialectIsOptional(t *testing.T) {
	s := dialectState()
	s.put(SpacePrivateWave, AMDGPUPrivateWave(0x1008, 5, 64), 1, 0, 0, 0)
	s.put(SpacePrivateWave, AMDGPUPrivateWave(0x100c, 5, 64), 2, 0, 0, 0)
	l, err := Evaluate(s, unhex("9108351618"), Options{Arch: AMDGPU})
	if a, ok := l.Address(); err != nil || !ok || a != (Addr{0, 0x2_00000001, -1}) {
		t.Errorf("by the letter xderef loads: got %v, %v", l, err)
	}
}

// Every shape in the testdata objects must be one that TestStockClang knows.
func TestStockClangShapes(t *testing.T) {
	dwarftest.Need(t, "llvm-dwarfdump-22")
	objects, _ := filepath.Glob("../../testdata/co/*.co")
	if len(objects) == 0 {
		t.Skip("skipped: no objects in testdata/co")
	}
	objects = sweep.Some(5, objects...) // by turns of all processors, optimised and not
	known := map[string]bool{"DW_OP_regx SGPR": true, "DW_OP_addrx": true}
	p := Printer{Register: AMDGPUDumpName, BaseType: func(off uint64) (uint64, string, bool) {
		return off, fmt.Sprintf("DW_ATE_unsigned_%d", dialectState().types[off].Bits), true
	}}
	for _, tt := range dialectTests {
		known[shape(p.String(unhex(squeeze(tt.code))))] = true
	}
	for i, out := range dwarftest.Dumps(t, "llvm-dwarfdump-22", []string{"--debug-info"}, objects) {
		for _, m := range expression.FindAllString(out, -1) {
			if s := shape(m); !known[s] {
				known[s] = true
				t.Errorf("%s: new shape %q, as in %s", filepath.Base(objects[i]), s, m)
			}
		}
	}
}

var (
	expression = regexp.MustCompile(`DW_OP_.*`)
	numbers    = regexp.MustCompile(`(GPR)\d+|[ +-]+(?:0x)?[0-9a-f]+\b|(lit)[02468]\b|\(0x[0-9a-f]+\)`)
	private    = regexp.MustCompile(`DW_OP_lit[15], DW_OP_swap, DW_OP_xderef`)
	constants  = regexp.MustCompile(`DW_OP_(constu|consts|lit(?:[02468])?)(,|$)`)
)

// shape leaves the numbers out of an expression, but for the address spaces,
// and counts all constants as one.
func shape(s string) string {
	s = strings.TrimSuffix(strings.TrimSpace(s), ")")
	s = numbers.ReplaceAllString(s, "$1$2")
	s = private.ReplaceAllString(s, "private")
	return constants.ReplaceAllString(s, "DW_OP_constant$2")
}

func squeeze(s string) string {
	b := make([]byte, 0, len(s))
	for i := range len(s) {
		if s[i] != ' ' {
			b = append(b, s[i])
		}
	}
	return string(b)
}
