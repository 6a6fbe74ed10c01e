package ptx

import (
	"errors"
	"os"
	"testing"
)

func seeds(f *testing.F) {
	f.Add(head + ".func (.param .b32 r) f(.param .b64 a[2]) { .reg .b32 %r<4>; x: @%r1 ld.b32 {%r1}, [a]; " +
		"bra x; }")
	f.Add(head + ".global .b64 a[2] = {generic(a)+8, 0xFF(a)}; .const .f32 c = 1.5; .shared .b8 s[];")
	f.Add(head + `.file 1 "x" .func f() { .loc 1 2 3, function_name $a, inlined_at 1 2 3 ret; } .alias g, f;`)
	if text, err := os.ReadFile("testdata/struct.O2.ptx"); err == nil {
		f.Add(string(text[:min(len(text), 4000)]))
	}
}

// Whatever the text is, it is read or refused with a place.
func FuzzParse(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		m, err := Parse("f.ptx", text)
		var e *Error
		if err != nil && !errors.As(err, &e) {
			t.Fatalf("error %v has no place", err)
		}
		if err != nil {
			return
		}
		for _, fn := range m.Funcs {
			for _, in := range fn.Insts() {
				if m.FuncAt(in.Addr) == nil {
					t.Fatalf("no function has %#x", in.Addr)
				}
			}
		}
	})
}

// Sections of any contents are assembled or refused.
func FuzzSections(f *testing.F) {
	f.Add(".b8 1, 2 $a: .b32 .debug_abbrev, $a .b64 f, v+8, $end-f")
	f.Add(".b16 -1, 0xFFFF .b64 depot")
	f.Add("} .section .debug_loc { $a: .b32 $b")
	f.Fuzz(func(t *testing.T, contents string) {
		m, err := Parse("f.ptx", head+".global .u32 v; .func f() { .local .b8 depot[8]; ret; $end: }\n"+
			".section .debug_info {"+contents+"}")
		var e *Error
		if err != nil && !errors.As(err, &e) {
			t.Fatalf("error %v has no place", err)
		}
		if err == nil && len(m.Sections) == 0 {
			t.Fatal("a section is gone")
		}
	})
}
