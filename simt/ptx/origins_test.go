package ptx_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/fidelity"
	"simtgdb/testdata/sweep"
)

// A guarded kernel is random statements without branches, of which many have guards. Some of its registers
// come from a buffer that counts as inexact, none that addresses are made of.
func guardedKernel(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString(`.version 8.0
.target sm_80
.address_size 64
.entry k(.param .u64 k_a, .param .u64 k_b, .param .u64 k_secret)
{
	.reg .b16 %h<6>;
	.reg .b32 %r<10>;
	.reg .b64 %rd<12>;
	.reg .f32 %f<6>;
	.reg .pred %p<5>;
	.local .align 8 .b8 own[128];
	.shared .align 8 .b8 tile[1024];
	ld.param.u64 %rd8, [k_a];
	ld.param.u64 %rd9, [k_b];
	ld.param.u64 %rd10, [k_secret];
	mov.u32 %r0, %tid.x;
	mul.wide.u32 %rd0, %r0, 8;
	add.s64 %rd1, %rd8, %rd0;
	add.s64 %rd2, %rd9, %rd0;
	add.s64 %rd11, %rd10, %rd0;
	mov.u64 %rd3, tile;
	add.s64 %rd3, %rd3, %rd0;
`)
	pick := func(s ...string) string { return s[r.IntN(len(s))] }
	num := func() string { return fmt.Sprintf("%%r%d", r.IntN(9)) }
	dst := func() string { return fmt.Sprintf("%%r%d", 3+r.IntN(6)) }
	flt := func() string { return fmt.Sprintf("%%f%d", r.IntN(6)) }
	wide := func() string { return fmt.Sprintf("%%rd%d", 4+r.IntN(4)) }
	half := func() string { return fmt.Sprintf("%%h%d", r.IntN(6)) }
	pred := func() string { return fmt.Sprintf("%%p%d", r.IntN(5)) }
	at := func() (space, place string) {
		off := fmt.Sprintf("+%d]", 8*r.IntN(8))
		return [...]string{".global", ".global", "", ".shared", ".local"}[len(off)%2+r.IntN(4)], off
	}
	place := func() (space, place string) {
		space, place = at()
		switch space {
		case ".shared":
			return space, "[%rd3" + place
		case ".local":
			return space, "[own" + place
		}
		return space, pick("[%rd1", "[%rd2") + place
	}
	for i := range 9 {
		fmt.Fprintf(&b, "\tld.global.b32 %%r%d, [%%rd%d+%d];\n", 1+i%8, []int{1, 11}[r.IntN(2)], 4*i)
	}
	for i := range 6 {
		fmt.Fprintf(&b, "\tld.global.b16 %%h%d, [%%rd%d+%d];\n", i, []int{1, 11}[r.IntN(2)], 2*i)
		fmt.Fprintf(&b, "\tld.global.f32 %%f%d, [%%rd%d+%d];\n", i, []int{1, 11}[r.IntN(2)], 4*i)
	}
	for i := range 4 {
		fmt.Fprintf(&b, "\tld.global.b64 %%rd%d, [%%rd%d+%d];\n", 4+i, []int{1, 11}[r.IntN(2)], 8*i)
	}
	for i := range 5 {
		fmt.Fprintf(&b, "\tsetp.lt.s32 %%p%d, %s, %s;\n", i, num(), num())
	}
	for range 4 + r.IntN(24) {
		guard := ""
		if r.IntN(2) == 0 {
			guard = "@" + pick("", "!") + pred() + " "
		}
		space, where := place()
		s := ""
		switch r.IntN(12) {
		case 0:
			s = pick("ld"+space+".b32 "+dst()+", "+where, "ld"+space+".b64 "+wide()+", "+where,
				"ld"+space+".s8 "+dst()+", "+where, "ld"+space+".v2.b32 {"+dst()+", "+dst()+"}, "+where)
		case 1, 2:
			s = pick("st"+space+".b32 "+where+", "+num(), "st"+space+".b64 "+where+", "+wide(),
				"st"+space+".b8 "+where+", "+num(), "st"+space+".v2.b32 "+where+", {"+num()+", "+num()+"}")
		case 3:
			one := pick("[%rd8]", "[%rd1+8]")
			s = pick("atom.global.add.u32 "+dst()+", "+one+", "+num(), "red.global.max.s32 "+one+", "+num(),
				"atom.global.cas.b32 "+dst()+", "+one+", "+num()+", "+num(),
				"atom.global.exch.b32 "+dst()+", "+one+", "+num())
		case 4:
			s = pick(fmt.Sprintf("setp.%s.s32 %s, %s, %s", pick("eq", "lt", "ge"), pred(), num(), num()),
				fmt.Sprintf("setp.lt.f32 %s|%s, %s, %s", pred(), pred(), flt(), flt()),
				"and.pred "+pred()+", "+pred()+", !"+pred(), "not.pred "+pred()+", "+pred())
		case 5:
			s = fmt.Sprintf("selp.b32 %s, %s, %s, %s", dst(), num(), num(), pred())
		case 6:
			s = pick("add.cc.u32 "+dst()+", "+num()+", "+num(),
				"addc.u32 "+dst()+", "+num()+", "+num(), "subc.cc.u32 "+dst()+", "+num()+", "+num())
		case 7:
			s = pick(fmt.Sprintf("mad.wide.s32 %s, %s, %s, %s", wide(), num(), num(), wide()),
				"mov.b32 {"+half()+", "+half()+"}, "+num(), "mov.b32 "+dst()+", {"+half()+", "+half()+"}",
				"mov.b64 {"+dst()+", "+dst()+"}, "+wide())
		case 8: // operations of warps are executed by all
			guard, s = "", pick("shfl.sync.bfly.b32 "+dst()+", "+num()+", 1, 31, -1",
				"shfl.sync.down.b32 "+dst()+"|"+pred()+", "+num()+", 2, 31, -1",
				"vote.sync.any.pred "+pred()+", "+pred()+", -1",
				"vote.sync.ballot.b32 "+dst()+", "+pred()+", -1",
				"redux.sync.add.u32 "+dst()+", "+num()+", -1")
		case 9:
			s = pick("fma.rn.f32 "+flt()+", "+flt()+", "+flt()+", "+flt(), "mov.b32 "+flt()+", "+num(),
				"cvt.rzi.s32.f32 "+dst()+", "+flt(), "cvt.f32.f16 "+flt()+", "+half())
		default:
			s = fmt.Sprintf("%s %s, %s, %s", pick("add.u32", "mul.lo.u32", "xor.b32", "min.s32"), dst(),
				num(), num())
		}
		fmt.Fprintf(&b, "\t%s%s;\n", guard, s)
	}
	for i := range 5 {
		fmt.Fprintf(&b, "\tselp.b32 %%r0, 1, 0, %%p%d;\n\tst.global.b32 [%%rd2+%d], %%r0;\n", i, 256*(1+i))
	}
	for i := range 8 {
		fmt.Fprintf(&b, "\tst.global.b32 [%%rd2+%d], %%r%d;\n", 256*(6+i), 1+i)
	}
	for i := range 6 {
		fmt.Fprintf(&b, "\tst.global.f32 [%%rd2+%d], %%f%d;\n", 256*(14+i), i)
		fmt.Fprintf(&b, "\tst.global.b16 [%%rd2+%d], %%h%d;\n", 256*(20+i), i)
	}
	for i := range 4 {
		fmt.Fprintf(&b, "\tst.global.b64 [%%rd2+%d], %%rd%d;\n", 256*(26+i), 4+i)
	}
	for i := range 8 {
		fmt.Fprintf(&b, "\tld.shared.b64 %%rd4, [%%rd3+%d];\n\tst.global.b64 [%%rd2+%d], %%rd4;\n", 8*i,
			256*(30+i))
		fmt.Fprintf(&b, "\tld.local.b64 %%rd4, [own+%d];\n\tst.global.b64 [%%rd2+%d], %%rd4;\n", 8*i,
			256*(38+i))
	}
	return b.String() + "\tret;\n}\n"
}

// An inexactRun is a kernel that has run with a buffer that counts as inexact.
type inexactRun struct {
	buffers [2][]byte
	t       *fidelity.Tracker
	at      [2]uint64
}

// inexactly runs a kernel with two buffers, and one that counts as inexact.
func inexactly(t *testing.T, text string, a, secret []byte) *inexactRun {
	return inexactlyBy(t, 32, text, a, secret)
}

// inexactlyBy is that for so many threads.
func inexactlyBy(t *testing.T, threads uint32, text string, a, secret []byte) *inexactRun {
	run := &inexactRun{buffers: [2][]byte{a, make([]byte, 256*48)}}
	p := parse(t, "t.ptx", text)
	place := func(of int) func(*program) uint64 {
		return func(p *program) uint64 {
			r := p.alloc(run.buffers[of])
			run.buffers[of], run.at[of] = r.Data, r.Base
			return r.Base
		}
	}
	at := uint64(0)
	l := grid(threads, threads)
	l.args = []any{place(0), place(1), func(p *program) uint64 {
		at = p.alloc(secret).Base
		return at
	}}
	m, _ := p.machine("k", &l)
	tracker, err := fidelity.New(m)
	if err != nil {
		t.Fatal(err)
	}
	tracker.Follow(m)
	from := tracker.Ran(tracker.Site(1, "test", "far", false), 1)
	x := &fidelity.Access{Access: simt.Access{Wave: &simt.Wave{}, Space: simt.Global}}
	x.Lane[0] = at
	tracker.Store(x, 0, 0, len(secret), from)
	if ev, err := m.Run(context.Background(), 1); err != nil || ev.Kind != simt.EndEvent {
		t.Fatalf("%v, %v at %#x: %v\n%s", err, ev.Kind, ev.PC, ev.Fault, text)
	}
	run.t = tracker
	return run
}

// exact reports whether a byte of a buffer counts as exact.
func (r *inexactRun) exact(buffer, at int) bool {
	x := &fidelity.Access{Access: simt.Access{Wave: &simt.Wave{}, Space: simt.Global}}
	x.Lane[0] = r.at[buffer] + uint64(at)
	return r.t.Load(x, 0, 0, 1) == 0
}

// TestOrigins runs kernels with two contents of a buffer that is inexact: whatever differs afterwards must be
// known as inexact in both runs, also what lanes would have stored or loaded had their guards been others.
// And not all is: what never meets anything inexact stays exact.
func TestOrigins(t *testing.T) {
	kernels, exact := sweep.Times(60, 1000), 0
	for seed := range kernels {
		r := rand.New(sweep.PCG(uint64(seed), 5))
		text := guardedKernel(r)
		fill := func(n int) []byte {
			b := make([]byte, n)
			for i := range b {
				b[i] = byte(r.Uint32())
			}
			return b
		}
		a, secret := fill(8*40+64), fill(8*40+64)
		x := inexactly(t, text, bytes.Clone(a), secret)
		y := inexactly(t, text, bytes.Clone(a), fill(len(secret)))
		for k := range x.buffers {
			for at := range x.buffers[k] {
				differs := x.buffers[k][at] != y.buffers[k][at]
				switch {
				case differs && (x.exact(k, at) || y.exact(k, at)):
					t.Fatalf("kernel %d: byte %#x of buffer %d differs and counts as exact\n%s", seed, at, k,
						text)
				case x.exact(k, at):
					exact++
				}
			}
		}
	}
	if exact < kernels*1000 {
		t.Errorf("only %d bytes of %d kernels are exact", exact, kernels)
	}
}

// inexactStatements are what statements do with %r8, which is inexact in all lanes, and %r7, which is in
// lanes 4 and up, those of %p1, and the lanes in which what %r2 has in the end is then inexact; %p2 is so in
// all.
var inexactStatements = []struct {
	body  string
	lanes uint32
}{
	{"mov.u32 %r2, %r1;", 0},
	{"{ .param .b32 a; st.param.b32 [a], %r7; ld.param.b32 %r2, [a]; }", 0xfffffff0},
	{"mov.u32 %r2, %r7;", 0xfffffff0},
	{"add.u32 %r2, %r1, %r7;", 0xfffffff0},
	{"mov.u32 %r2, 0; @%p1 mov.u32 %r2, %r8;", 0xfffffff0},
	{"mov.u32 %r2, %r8; @%p1 mov.u32 %r2, 0;", 0xf},
	{"mov.u32 %r2, 0; @%p2 mov.u32 %r2, 1;", math.MaxUint32}, // as it would be another
	{"selp.b32 %r2, %r8, %r1, %p1;", 0xfffffff0},
	{"selp.b32 %r2, %r1, %r1, %p2;", math.MaxUint32},
	{"setp.gt.u32 %p3, %r7, 7; selp.b32 %r2, 1, 0, %p3;", 0xfffffff0},
	{"and.pred %p3, %p1, %p2; selp.b32 %r2, 1, 0, %p3;", math.MaxUint32},
	{"mov.b64 %rd5, {%r1, %r1}; cvt.u32.u64 %r2, %rd5;", 0},
	{"mov.b64 %rd5, {%r1, %r8}; cvt.u32.u64 %r2, %rd5;", math.MaxUint32},
	{"add.cc.u32 %r3, %r8, %r8; addc.u32 %r2, %r1, 0;", math.MaxUint32},
	{"add.cc.u32 %r3, %r1, %r1; addc.u32 %r2, %r1, 0;", 0},
	{"st.shared.u32 [s], %r1; ld.shared.u32 %r2, [s];", 0},
	{"st.shared.u32 [s], %r8; ld.shared.u32 %r2, [s];", math.MaxUint32},
	{"st.local.v2.u32 [own], {%r8, %r1}; ld.local.u32 %r2, [own+4];", 0},
	{"st.local.v2.u32 [own], {%r1, %r8}; ld.local.u32 %r2, [own+4];", math.MaxUint32},
	{"and.b32 %r3, %r8, 4; mov.u64 %rd5, own; cvt.u64.u32 %rd6, %r3; add.u64 %rd5, %rd5, %rd6; " +
		"ld.local.u32 %r2, [%rd5];", math.MaxUint32}, // from an inexact place
	{"st.local.u32 [own], %r1; { .param .b32 a; .param .b32 b; st.param.b32 [a], %r7; call (b), h, (a); " +
		"ld.param.b32 %r2, [b]; }", 0xfffffff0},
	{"{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call (b), h, (a); ld.param.b32 %r2, [b]; }", 0},
	{"{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call (b), __nv_sinf, (a); " +
		"ld.param.b32 %r2, [b]; }", math.MaxUint32},
	{"{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call (b), __nv_fabsf, (a); " +
		"ld.param.b32 %r2, [b]; }", 0},
	{"{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r7; call (b), __nv_fabsf, (a); " +
		"ld.param.b32 %r2, [b]; }", 0xfffffff0},
	{"st.global.u32 [%rd2+1024], %r8; atom.global.exch.b32 %r2, [%rd2+1024], %r1;", math.MaxUint32},
	{"atom.global.exch.b32 %r2, [%rd2+1024], %r8;", 0},
	{"red.global.add.u32 [%rd2+1024], %r7; ld.global.u32 %r2, [%rd2+1024];", 0xfffffff0},
	{"vote.sync.any.pred %p3, %p1, -1; selp.b32 %r2, 1, 0, %p3;", 0},
	{"vote.sync.any.pred %p3, %p2, -1; selp.b32 %r2, 1, 0, %p3;", math.MaxUint32},
	{"shfl.sync.idx.b32 %r2, %r1, 0, 31, -1;", 0},
	{"ex2.approx.f32 %r2, %r1;", math.MaxUint32},
	{"rcp.rn.f32 %r2, %r1;", 0},
	{"rcp.approx.f32 %r2, %r1;", math.MaxUint32},
	{"div.full.f32 %r2, %r1, %r1;", math.MaxUint32},
	{"div.rn.f32 %r2, %r1, %r1;", 0},
	{"sqrt.approx.f32 %r2, %r1;", math.MaxUint32},
	{"mov.u32 %r2, %clock;", math.MaxUint32},
	{"mov.u32 %r2, %laneid;", 0},
	{"mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%r2, %r3, %r4, %r5}, {%r1, %r1}, {%r1}, " +
		"{%r1, %r1, %r1, %r1};", 0},
	{"mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%r2, %r3, %r4, %r5}, {%r1, %r7}, {%r1}, " +
		"{%r1, %r1, %r1, %r1};", math.MaxUint32},
	{"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%r2, %r3, %r4, %r5}, {%r1, %r1}, {%r1}, " +
		"{%r1, %r1, %r1, %r1};", math.MaxUint32},
	{"mad.lo.u32 %r3, %r1, 16, 0; cvt.u64.u32 %rd5, %r3; mov.u64 %rd6, s; add.u64 %rd5, %rd5, %rd6; " +
		"st.shared.u32 [%rd5], %r1; ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r2}, [%rd5];", 0},
	{"mad.lo.u32 %r3, %r1, 16, 0; cvt.u64.u32 %rd5, %r3; mov.u64 %rd6, s; add.u64 %rd5, %rd5, %rd6; " +
		"st.shared.u32 [%rd5], %r8; ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r2}, [%rd5];", math.MaxUint32},
}

// TestOriginsOfStatements: what comes from an inexact number or statement is inexact, and nothing else.
func TestOriginsOfStatements(t *testing.T) {
	for _, c := range inexactStatements {
		x := inexactly(t, `.version 8.0
.target sm_80
.address_size 64
.func (.param .b32 o) h(.param .b32 i) { .reg .b32 %r<2>; ld.param.b32 %r1, [i]; st.param.b32 [o], %r1; ret; }
.extern .func (.param .b32 o) __nv_sinf(.param .b32 i);
.extern .func (.param .b32 o) __nv_fabsf(.param .b32 i);
.entry k(.param .u64 k_a, .param .u64 k_b, .param .u64 k_secret)
{
	.reg .b32 %r<10>; .reg .b64 %rd<12>; .reg .pred %p<5>;
	.local .align 8 .b8 own[16];
	.shared .align 16 .b8 s[512];
	ld.param.u64 %rd2, [k_b];
	ld.param.u64 %rd3, [k_secret];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd4, %r1, 4;
	add.u64 %rd2, %rd2, %rd4;
	add.u64 %rd3, %rd3, %rd4;
	ld.global.u32 %r8, [%rd3];
	setp.gt.u32 %p1, %r1, 3;
	setp.gt.u32 %p2, %r8, 3;
	selp.b32 %r7, %r8, %r1, %p1;
	`+c.body+"\n\tst.global.u32 [%rd2], %r2;\n\tret;\n}", nil, make([]byte, 128))
		lanes := uint32(0)
		for lane := range 32 {
			if !x.exact(1, 4*lane) {
				lanes |= 1 << lane
			}
		}
		if lanes != c.lanes {
			t.Errorf("%s\n%%r2 is inexact in %#x, want %#x", c.body, lanes, c.lanes)
		}
	}
}

// TestOriginsOfGroupProducts: a product by a group of warps comes from what was there if it is added to that,
// and of floats is inexact itself.
func TestOriginsOfGroupProducts(t *testing.T) {
	const sums = " {%r2, %r3, %r4, %r5}, %rd5, %rd6, "
	for statement, want := range map[string]bool{
		"wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8" + sums + "0;":               true,
		"wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8" + sums + "1;":               false,
		"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16" + sums + "0, 1, 1, 0, 0;": false,
	} {
		x := inexactlyBy(t, 128, `.version 8.0
.target sm_90a
.address_size 64
.entry k(.param .u64 k_a, .param .u64 k_b, .param .u64 k_secret)
{
	.reg .b32 %r<10>; .reg .b64 %rd<12>;
	.shared .align 128 .b8 s[8192];
	ld.param.u64 %rd2, [k_b];
	ld.param.u64 %rd3, [k_secret];
	ld.global.u32 %r2, [%rd3];
	mov.u32 %r3, %r2; mov.u32 %r4, %r2; mov.u32 %r5, %r2;
	mov.u64 %rd5, 0x0000000800080000;
	mov.u64 %rd6, 0x0000000800080100;
	wgmma.fence.sync.aligned;
	`+statement+`
	wgmma.commit_group.sync.aligned;
	wgmma.wait_group.sync.aligned 0;
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd4, %r1, 4;
	add.u64 %rd2, %rd2, %rd4;
	st.global.u32 [%rd2], %r2;
	ret;
}`, nil, make([]byte, 128))
		for _, thread := range []int{0, 31, 64, 127} {
			if got := x.exact(1, 4*thread); got != want {
				t.Errorf("%s\nexact in thread %d: %v, want %v", statement, thread, got, want)
			}
		}
	}
}
