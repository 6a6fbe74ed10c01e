package ptx_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/check"
)

// blankCases are what statements do with %r8, %rd7 and %p8, which nothing has written to: %rd4 is a place of
// the lane that others see, %p1 is true in lanes 4 and up. Where it does not say, what %r2 has in the end is
// stored.
var blankCases = []struct{ body, want string }{
	{"mov.u32 %r2, %r8;", "0xffffffff: %r2, which nothing has written to, is stored where others see it"},
	{"mov.u32 %r2, 7;", ""},
	{"@%p1 mov.u32 %r2, 7;", "0xf: %r2, which nothing has written to, is stored where others see it"},
	{"add.u32 %r2, %r8, 1;", "0xffffffff: %r2, which nothing has written to, is stored where others see it"},
	{"mad.lo.u32 %r2, %r1, %r1, %r8;",
		"0xffffffff: %r2, which nothing has written to, is stored where others see it"},
	{"and.b32 %r2, %r8, 0;", ""},
	{"and.b32 %r2, %r8, 255;",
		"0xffffffff: %r2, of which a part has not been written, is stored where others see it"},
	{"or.b32 %r2, %r8, -1;", ""},
	{"shl.b32 %r2, %r8, 4;",
		"0xffffffff: %r2, of which a part has not been written, is stored where others see it"},
	{"cvt.rn.f32.s32 %r2, %r8;",
		"0xffffffff: %r2, which nothing has written to, is stored where others see it"},
	{"setp.gt.u32 %p2, %r8, 3; selp.b32 %r2, 7, 8, %p2;",
		"0xffffffff: %r2, which nothing has written to, is stored where others see it"},
	{"selp.b32 %r2, %r8, 5, %p1;",
		"0xfffffff0: %r2, which nothing has written to, is stored where others see it"},
	{"selp.b32 %r2, 5, %r8, %p1;", "0xf: %r2, which nothing has written to, is stored where others see it"},
	{"setp.gt.and.u32 %p2, %r1, 3, %p8; selp.b32 %r2, 7, 8, %p2;",
		"0xfffffff0: %r2, which nothing has written to, is stored where others see it"},
	{"and.pred %p2, %p1, %p8; selp.b32 %r2, 7, 8, %p2;",
		"0xfffffff0: %r2, which nothing has written to, is stored where others see it"},
	{"or.pred %p2, %p1, %p8; selp.b32 %r2, 7, 8, %p2;",
		"0xf: %r2, which nothing has written to, is stored where others see it"},
	{"mov.b64 %rd5, {%r1, %r8}; mov.b64 {%r2, %r3}, %rd5;", ""},
	{"mov.b64 %rd5, {%r1, %r8}; mov.b64 {%r3, %r2}, %rd5;",
		"0xffffffff: %r2, which nothing has written to, is stored where others see it"},
	{"st.local.u32 [own], %r1; ld.local.u32 %r2, [own];", ""},
	{"ld.local.u32 %r2, [own+4];",
		"0xffffffff: %r2, which nothing has written to, is stored where others see it"},
	{"@%p1 st.local.u32 [own], %r1; ld.local.u32 %r2, [own];",
		"0xf: %r2, which nothing has written to, is stored where others see it"},
	{"st.local.v2.u32 [own], {%r1, %r8}; ld.local.v2.u32 {%r2, %r3}, [own];", ""},
	{"st.local.v2.u32 [own], {%r1, %r8}; ld.local.v2.u32 {%r3, %r2}, [own];",
		"0xffffffff: %r2, which nothing has written to, is stored where others see it"},
	{"st.global.v2.u32 [%rd1], {%r8, %r1}; mov.u32 %r2, 1;",
		"0xffffffff: %r8, which nothing has written to, is stored where others see it"},
	{"atom.global.add.u32 %r2, [%rd4], %r8; mov.u32 %r2, 1;",
		"0xffffffff: %r8, which nothing has written to, is stored where others see it"},
	{"red.global.add.u32 [%rd4], %r8; mov.u32 %r2, 1;",
		"0xffffffff: %r8, which nothing has written to, is stored where others see it"},
	{"atom.global.cas.b32 %r2, [%rd4], %r1, %r8; mov.u32 %r2, 1;",
		"0xffffffff: %r8, which nothing has written to, is stored where others see it"},
	{"and.b64 %rd5, %rd7, 4; add.u64 %rd5, %rd5, %rd1; st.global.u32 [%rd5], %r1; mov.u32 %r2, 1;",
		"0xffffffff: %rd5, of which a part has not been written, is an address"},
	{"@%p8 mov.u32 %r3, 1; mov.u32 %r2, 1;", ""}, // which decides nothing
	{"@%p8 bra OVER; OVER: mov.u32 %r2, 1;",
		"0xffffffff: what nothing has written to decides a branch"},
	{"{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r8; call (b), h, (a); ld.param.b32 %r2, [b]; }",
		"0xffffffff: %r2, which nothing has written to, is stored where others see it"},
	{"{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call (b), h, (a); ld.param.b32 %r2, [b]; }", ""},
	{"{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call (b), __nv_fabsf, (a); " +
		"ld.param.b32 %r2, [b]; }", ""},
	{"shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1;", ""},
}

// TestContents: values that nothing has been written to are followed through what statements do, to where
// they decide something.
func TestContents(t *testing.T) {
	for _, c := range blankCases {
		p := parse(t, "t.ptx", `.version 7.8
.target sm_80
.address_size 64
.extern .func (.param .b32 o) __nv_fabsf(.param .b32 i);
.func (.param .b32 o) h(.param .b32 i) { .reg .b32 %r<2>; ld.param.b32 %r1, [i]; st.param.b32 [o], %r1; ret; }
.entry k(.param .u64 p)
{
	.reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .pred %p<9>;
	.local .align 8 .b8 own[8];
	ld.param.u64 %rd1, [p];
	mov.u32 %r1, %tid.x;
	setp.gt.u32 %p1, %r1, 3;
	mul.wide.u32 %rd4, %r1, 4;
	add.u64 %rd4, %rd1, %rd4;
	`+c.body+"\n\tst.global.u32 [%rd4], %r2;\n\tret;\n}")
		l := grid(32, 32)
		l.args = []any{make([]uint32, 32)}
		if got := p.told(t, &l, check.Uninit); got != c.want {
			t.Errorf("%s\n%s\nwant %s", c.body, got, c.want)
		}
	}
}

// told is what a checker tells of a launch of the kernel k: lanes, and what of them, a line each.
func (p *program) told(t *testing.T, l *launch, kinds check.Kinds) string {
	t.Helper()
	m, _ := p.machine("k", l)
	var told []string
	checker := check.New(m, kinds)
	checker.Sink = func(r *check.Report) bool {
		told = append(told, fmt.Sprintf("%#x: %s", r.Lanes, r.What))
		return false
	}
	checker.Attach()
	if ev, err := m.Run(context.Background(), 1); err != nil || ev.Kind != simt.EndEvent {
		t.Fatal(ev, ev.Fault, err)
	}
	return strings.Join(told, "\n")
}

// TestMadeOfFinite: who looks for NaNs and infinities is told where a statement makes one of finite numbers,
// and of none that it hands on. %f1 is 0 in lane 0, 1 in lane 1, the greatest float in lane 2, infinite in
// lane 3 and a NaN in lane 4.
func TestMadeOfFinite(t *testing.T) {
	for body, want := range map[string]string{
		"add.f32 %f2, %f1, %f1;":                              "0x4: an infinity is made of finite numbers",
		"mul.f32 %f2, %f1, %f1;":                              "0x4: an infinity is made of finite numbers",
		"fma.rn.f32 %f2, %f1, %f1, %f1;":                      "0x4: an infinity is made of finite numbers",
		"sub.f32 %f2, %f1, %f1;":                              "",
		"rcp.rn.f32 %f2, %f1;":                                "0x1: an infinity is made of finite numbers",
		"div.rn.f32 %f2, %f1, %f1;":                           "0x1: a NaN is made of finite numbers",
		"neg.f32 %f2, %f1;":                                   "",
		"@%p1 div.rn.f32 %f2, %f1, %f1;":                      "",
		"cvt.rn.f16.f32 %h1, %f1;":                            "0x4: an infinity is made of finite numbers",
		"sub.f32 %f3, 0f00000000, %f1; sqrt.rn.f32 %f2, %f3;": "0x6: a NaN is made of finite numbers",
	} {
		p := parse(t, "t.ptx", `.version 7.8
.target sm_80
.address_size 64
.entry k(.param .u64 p)
{
	.reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .pred %p<9>; .reg .f32 %f<4>; .reg .b16 %h<2>;
	ld.param.u64 %rd1, [p];
	mov.u32 %r1, %tid.x;
	setp.gt.u32 %p1, %r1, 0;
	mul.wide.u32 %rd4, %r1, 4;
	add.u64 %rd4, %rd1, %rd4;
	ld.global.f32 %f1, [%rd4];
	`+body+"\n\tret;\n}")
		l := grid(5, 5)
		l.args = []any{[]uint32{0, 0x3f800000, 0x7f7fffff, 0x7f800000, 0x7fc00000}}
		if got := p.told(t, &l, check.NaN); got != want {
			t.Errorf("%s\n%s\nwant %s", body, got, want)
		}
	}
}
