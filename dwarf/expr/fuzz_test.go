package expr

import (
	"strings"
	"testing"
)

func fuzzSeeds(f *testing.F) {
	for _, s := range printed {
		f.Add(unhex(squeeze(s)), uint8(0))
	}
	for _, s := range []string{
		"9108351618", "92821400351618", "9041e90b2040", "30e908e908e90c2040", "e908930412",
		"302ffcff", "a3029041", "9a10000000", "908214e903341ee9049304e90a120202",
		"e1e2e3e405e5e611e7e84108eaeb0820ec0820edee",
	} {
		f.Add(unhex(s), uint8(1))
	}
}

// fuzzState has something of everything, and a procedure that calls itself.
func fuzzState() *state {
	s := dialectState()
	s.regs[17] = counting(8)
	s.regs[5] = counting(8)
	s.put(0, 0, counting(64)...)
	s.put(SpacePrivateWave, 0, counting(64)...)
	s.types[0x2a] = BaseType{Unsigned, 32}
	s.types[0x55] = BaseType{Float, 64}
	s.types[0x56] = BaseType{Signed, 128}
	s.procs = map[uint64]Procedure{
		0x2a: {Code: unhex("9a2a000000")},
		0x10: {Code: unhex("12229a10000000")},
		0x20: {Location: &Location{}},
	}
	s.entry = map[uint64]Location{17: RegisterAt(5, 8)}
	s.cfa = &Location{}
	return s
}

// Whatever the bytes, an evaluation ends, with a result or an error of a kind,
// and what it made can be read.
func FuzzEvaluate(f *testing.F) {
	fuzzSeeds(f)
	f.Fuzz(func(t *testing.T, code []byte, mode uint8) {
		s := fuzzState()
		opt := Options{Arch: AMDGPU, CallFrame: mode&2 != 0, Limits: Limits{Steps: 2000}}
		if mode&1 != 0 {
			opt.Encoding = Old
		}
		if mode&4 != 0 {
			opt.Dialect = StockClang(mode&8 != 0)
		}
		if mode&16 != 0 {
			s.size = 4
		}
		l, err := Evaluate(s, code, opt)
		if err == nil {
			_ = l.String()
			l.Read(s, 0, 64)
			l.Read(s, 3, 129)
			l.Write(s, 5, 9, []byte{0xff, 0xff})
			l.Pieces(s, 0, 128)
			l.Read(s, 0, 128)
		} else if KindOf(err) == 0 {
			t.Errorf("an error without a kind: %v", err)
		}
		if _, err := EvaluateValue(s, code, opt); err != nil && KindOf(err) == 0 {
			t.Errorf("an error without a kind: %v", err)
		}
	})
}

// Whatever the bytes, the spelling covers all of them, and decoding agrees
// with it.
func FuzzPrint(f *testing.F) {
	fuzzSeeds(f)
	f.Fuzz(func(t *testing.T, code []byte, mode uint8) {
		enc := Current
		if mode&1 != 0 {
			enc = Old
		}
		p := Printer{Encoding: enc, Register: AMDGPUDumpName}
		s := p.String(code)
		list, err := Instructions(code, enc, Format{})
		if (err != nil) != strings.HasSuffix(s, hexTail(code, list)) && err != nil {
			t.Errorf("%x printed as %q, but decoding says %v", code, s, err)
		}
		end := 0
		for i := range list {
			if list[i].Offset != end || list[i].Next <= end || !strings.Contains(s, list[i].Name()) {
				t.Errorf("%x: operation %d at [%d, %d) after %d in %q", code, i, list[i].Offset,
					list[i].Next, end, s)
			}
			end = list[i].Next
		}
		if err == nil && end != len(code) {
			t.Errorf("%x: %d bytes decoded", code, end)
		}
	})
}

// hexTail is how the bytes that cannot be decoded are printed.
func hexTail(code []byte, list []Instr) string {
	at := 0
	if len(list) > 0 {
		at = list[len(list)-1].Next
	}
	var b strings.Builder
	b.WriteString("<decoding error>")
	for _, c := range code[at:] {
		b.WriteString(" ")
		b.WriteByte("0123456789abcdef"[c>>4])
		b.WriteByte("0123456789abcdef"[c&15])
	}
	return b.String()
}
