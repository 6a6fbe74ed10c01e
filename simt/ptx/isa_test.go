package ptx_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"simtgdb/simt"
	machine "simtgdb/simt/ptx"
)

// A statement says where it goes, and whether the order of workgroups can be seen by it.
func TestInst(t *testing.T) {
	p := parse(t, "t.ptx", `.version 7.8
.target sm_80
.address_size 64
.extern .func (.param .b64 r) malloc(.param .b64 a);
.func f() { ret; }
.entry k(.param .u64 p)
{
	.reg .b64 %rd<4>; .reg .b32 %r<4>; .reg .pred %p<2>;
	.shared .b32 s;
	bra next;
next:
	@%p1 bra next;
	call f, ();
	bar.sync 0;
	trap;
	add.s32 %r1, %r2, 3;
	atom.global.add.u32 %r1, [%rd1], 1;
	atom.shared.add.u32 %r1, [s], 1;
	ld.volatile.global.u32 %r1, [%rd1];
	ld.global.u32 %r1, [%rd1];
	{ .param .b64 a; .param .b64 b; call (b), malloc, (a); }
	exit;
}`)
	isa, err := machine.New(p.prog, machine.Launch{})
	if err != nil {
		t.Fatal(err)
	}
	k := p.mod.Func("k")
	insts := k.Insts()
	for i, want := range []simt.Inst{
		{Flow: simt.FlowJump, Target: k.Start + 8}, {Flow: simt.FlowBranch, Target: k.Start + 8},
		{Flow: simt.FlowCall, Target: p.mod.Func("f").Start}, {Flow: simt.FlowBarrier},
		{Flow: simt.FlowTrap}, {},
		{GlobalAtomic: true}, {}, {GlobalAtomic: true}, {},
		{Flow: simt.FlowCall, Target: p.mod.Func("malloc").Start, GlobalAtomic: true}, {Flow: simt.FlowEnd},
	} {
		got, err := isa.Inst(nil, insts[i].Addr)
		want.Text, want.Size = insts[i].Text, 8
		if err != nil || got != want {
			t.Errorf("%s: %+v %v, want %+v", want.Text, got, err, want)
		}
	}
	if _, err := isa.Inst(nil, k.Start+4); err == nil {
		t.Error("a statement is between two")
	}
}

// faulty runs a kernel of a body.
func faulty(t *testing.T, body string) simt.Event {
	t.Helper()
	l := grid(32, 32)
	l.args = []any{make([]uint32, 32)}
	m, _ := faultyProgram(t, body).machine("k", &l)
	row{text: body}.note(m)
	ev, err := m.Run(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	return ev
}

// faultyProgram makes a kernel of a body, with an argument.
func faultyProgram(t *testing.T, body string) *program {
	t.Helper()
	return parse(t, "t.ptx", `.version 7.8
.target sm_80
.address_size 64
.func g() { ret; }
.entry k(.param .u64 p)
{
	.reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .pred %p<9>;
	.local .align 8 .b8 own[8];
	.shared .align 8 .b8 s[16];
	ld.param.u64 %rd1, [p];
	mov.u32 %r1, %tid.x;
	setp.gt.u32 %p1, %r1, 3;
	cvt.u64.u32 %rd2, %r1;
	mul.lo.u64 %rd3, %rd2, 4;
	add.u64 %rd4, %rd1, %rd3;
	`+body+"\n\tret;\n}")
}

// What goes wrong names the lanes and the reason.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		body  string
		kind  simt.FaultKind
		lanes uint64
		text  string
	}{
		{"ld.global.u32 %r2, [%rd4+64];", simt.Unmapped, 0xffff0000, "%rd4+64"},
		{"@%p1 st.global.u32 [%rd4+64], 0;", simt.Unmapped, 0xffff0000, ""},
		{"add.u64 %rd4, %rd4, 2; ld.u32 %r2, [%rd4];", simt.Misaligned, 0xffffffff, ""},
		{"ld.v2.u32 {%r2, %r3}, [%rd4];", simt.Misaligned, 0xaaaaaaaa, ""},
		{"st.param.u64 [p], %rd1;", simt.Forbidden, 0xffffffff, ""},
		{"ld.shared.u32 %r2, [%rd3];", simt.Unmapped, 0xfffffff0, ""},
		{"ld.local.u32 %r2, [own+131072];", simt.Unmapped, 0xffffffff, ""},
		{"@%p1 mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%r1}, {%r1}, {%r1}, {%r1};",
			simt.IllegalInstruction,
			0xfffffff0, "mma.sync"},
		{"wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r1}, [%rd1], %r1;", simt.IllegalInstruction,
			0xffffffff, "wmma"},
		{"add.frob.u32 %r1, %r1, %r1;", simt.IllegalInstruction, 0xffffffff, ".frob"},
		{"vadd4.u32.u32.u32 %r1.b13, %r1, %r1, %r1;", simt.IllegalInstruction, 0xffffffff, "descend from 3"},
		{"vadd2.u32.u32.u32 %r1, %r1.h4, %r1, %r1;", simt.IllegalInstruction, 0xffffffff, "2 digits"},
		{"vadd2.u32.u32.u32 %r1, %r1.h14, %r1, %r1;", simt.IllegalInstruction, 0xffffffff, "from 0 to 3"},
		{"mad.lo.u32 %r1, -%r1, %r1, %r1;", simt.IllegalInstruction, 0xffffffff, "minus"},
		{"red.shared.add.v2.f32 [s], {%r1, %r1};", simt.IllegalInstruction, 0xffffffff, "global memory"},
		{"red.global.add.v2.u32 [%rd1], {%r1, %r1};", simt.IllegalInstruction, 0xffffffff, "vectors of .u32"},
		{"red.global.add.v2.f32 [%rd4], {%r1, %r1};", simt.Misaligned, 0xaaaaaaaa, ""},
		{"add.u32 %r1, %r1;", simt.IllegalInstruction, 0xffffffff, "has 2 operands; expected 3"},
		{"call %rd2, (), pr; pr: .callprototype _ ();", simt.IllegalInstruction, 1, "no function begins"},
		{"bar.sync 1, 33;", simt.IllegalInstruction, 0xffffffff, "33 threads"},
		{"bar.sync 1, 64;", simt.IllegalInstruction, 0xffffffff, "cannot come"},
		{"@%p1 bra on; bar.warp.sync 0xffffffff; on: bar.sync 0;", simt.IllegalInstruction, 0xf,
			"cannot come"},
		{"list: .branchtargets a, b; brx.idx %r1, list; a: b:", simt.IllegalInstruction, 0xfffffffc,
			"behind its targets"},
		{"{ .param .b64 x; call g, (x); }", simt.IllegalInstruction, 0xffffffff, "other arguments"},
	} {
		ev := faulty(t, c.body)
		if ev.Kind != simt.FaultEvent {
			t.Errorf("%s: %v", c.body, ev.Kind)
			continue
		}
		f := ev.Fault
		if f.Kind != c.kind || f.Lanes != c.lanes || !strings.Contains(f.Text, c.text) {
			t.Errorf("%s: %v of lanes %#x, want %v of %#x with %q", c.body, f, f.Lanes, c.kind, c.lanes,
				c.text)
		}
	}
}

// A judge writes down what is undefined.
type judge []string

func (*judge) Observe(*simt.Access) bool { return false }

func (j *judge) Undefined(u *simt.Undefined) bool {
	*j = append(*j, fmt.Sprintf("%#x of %#x: %s", u.Lanes, u.Of, u.Text))
	return true
}

// What a warp operation does with lanes that it does not name is told to judges, and stops the wave behind
// it.
func TestUndefined(t *testing.T) {
	const open = "setp.lt.u32 %p1, %r1, 8;"
	for body, want := range map[string]string{
		"shfl.sync.idx.b32 %r2, %r1, 3, 31, 0xffffffff;":        "",
		"shfl.sync.down.b32 %r2, %r1, 8, 31, 0xffffffff;":       "",
		open + "@%p1 shfl.sync.idx.b32 %r2, %r1, 9, 31, 0xff;":  "0xff of 0x200: @%p1 shfl.sync.idx",
		open + "@%p1 shfl.sync.bfly.b32 %r2, %r1, 4, 31, 0xff;": "",
		open + "@%p1 shfl.sync.down.b32 %r2, %r1, 4, 31, 0xff;": "0xf0 of 0xf00: @%p1 shfl.sync.down",
		open + "@%p1 shfl.sync.up.b32 %r2, %r1, 4, 0, 0xf0;":    "0xf of 0x0: @%p1 shfl.sync.up",
		open + "@%p1 vote.sync.ballot.b32 %r2, 1, 0xff;":        "",
		open + "@%p1 bar.warp.sync 0x7f;":                       "0x80 of 0x0: @%p1 bar.warp.sync",
		"div.u32 %r2, 7, %r1;":                                  "0x1 of 0x0: div.u32 %r2",
		"rem.s32 %r2, %r1, 0;":                                  "0xffffffff of 0x0: rem.s32 %r2",
		open + "@!%p1 div.s32 %r2, 7, %r1;":                     "",
		"div.s64 %rd4, 7, %rd2;":                                "0x1 of 0x0: div.s64 %rd4",
		"rem.u64 %rd4, %rd2, 0;":                                "0xffffffff of 0x0: rem.u64 %rd4",
		"shl.b64 %rd4, %rd2, 32; rem.u64 %rd4, 7, %rd4;":        "0x1 of 0x0: rem.u64 %rd4",
		"neg.s64 %rd4, %rd2; div.s64 %rd5, 0x8000000000000000, %rd4;": "0x1 of 0x0: div.s64 %rd5, " +
			"0x8000000000000000, %rd4; divides by zero; " +
			"0x2 of 0x0: div.s64 %rd5, 0x8000000000000000, %rd4; has a quotient out of range",
		"add.u32 %r3, %r1, -3; rem.s32 %r2, 0x80000000, %r3;": "0x8 of 0x0: rem.s32 %r2, " +
			"0x80000000, %r3; divides by zero; 0x4 of 0x0: rem.s32 %r2, 0x80000000, %r3; has a quotient " +
			"out of range",
		"add.u32 %r3, %r1, 1; neg.s32 %r3, %r3; rem.u32 %r2, 0x80000000, %r3;": "",
		"or.b32 %r3, %r1, 2; neg.s32 %r3, %r3; div.s32 %r2, 0x80000000, %r3;":  "",
		"div.s32 %r2, %r1, 7;": "",
		open + "@!%p1 exit; shfl.sync.idx.b32 %r2, %r1, 9, 31, 0xffffffff;": "0xff of 0x200: shfl.sync.idx",
	} {
		p := faultyProgram(t, body)
		l := grid(32, 32)
		l.args = []any{make([]uint32, 32)}
		m, _ := p.machine("k", &l)
		var j judge
		m.AddObserver(&j)
		if err := m.Fill(); err != nil {
			t.Fatal(err)
		}
		watched := false
		for !m.Done() {
			ev, err := m.StepWave(m.Waves()[0], 1000)
			if err != nil || ev.Kind != simt.EndEvent && ev.Kind != simt.WatchEvent {
				t.Fatalf("%s: %v %v", body, ev, err)
			}
			watched = watched || ev.Kind == simt.WatchEvent
		}
		if got := strings.Join(j, "; "); !strings.HasPrefix(got, want) || watched != (want != "") ||
			(want == "") != (got == "") {
			t.Errorf("%s: %q, stopped %v, want %q", body, got, watched, want)
		}
	}
}

// Recursion without end is a fault where private memory ends.
func TestDeepRecursion(t *testing.T) {
	p := parse(t, "t.ptx", `.version 7.8
.target sm_80
.address_size 64
.func f() { .local .b8 own[1024]; call f, (); ret; }
.entry k(.param .u64 p) { call f, (); ret; }`)
	l := grid(32, 32)
	l.args = []any{make([]uint32, 1)}
	if ev := p.event("k", &l); ev.Kind != simt.FaultEvent || ev.Fault.Space != simt.Scratch {
		t.Errorf("stopped by %v: %v", ev.Kind, ev.Fault)
	}
}

// A trap and a breakpoint of the program stop the lanes that meet it.
func TestTraps(t *testing.T) {
	for body, want := range map[string]simt.Trap{"@%p1 trap;": simt.AbortTrap,
		"@%p1 brkpt;": simt.DebugTrap} {
		if ev := faulty(t, body); ev.Kind != simt.TrapEvent || ev.Trap != want || ev.Lanes != 0xfffffff0 {
			t.Errorf("%s: %v %v of %#x", body, ev.Kind, ev.Trap, ev.Lanes)
		}
	}
}

// An assertion that does not hold is told to the host, lane by lane, and stops the program.
func TestAssert(t *testing.T) {
	p := parse(t, "t.ptx", `.version 7.8
.target sm_80
.address_size 64
.extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 s);
.global .b8 message[6] = {120, 32, 60, 32, 51, 0};
.global .b8 file[5] = {97, 46, 99, 117, 0};
.const .b8 name[2] = {107, 0};
.entry k(.param .u64 p)
{
	.reg .b32 %r; .reg .pred %p; .reg .b64 %rd<4>;
	mov.u32 %r, %tid.x;
	setp.lt.u32 %p, %r, 30;
	@%p bra fine;
	mov.u64 %rd1, message; mov.u64 %rd2, file; mov.u64 %rd3, name;
	{ .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e;
	  st.param.b64 [a], %rd1; st.param.b64 [b], %rd2; st.param.b32 [c], 17; st.param.b64 [d], %rd3;
	  st.param.b64 [e], 1; call __assertfail, (a, b, c, d, e); }
fine:
	ret;
}`)
	host := &printer{}
	l := grid(32, 32)
	l.host, l.args = host, []any{make([]uint32, 1)}
	ev := p.event("k", &l)
	if ev.Kind != simt.TrapEvent || ev.Trap != simt.AbortTrap || ev.Lanes != 0xc0000000 {
		t.Errorf("stopped by %v %v of lanes %#x", ev.Kind, ev.Trap, ev.Lanes)
	}
	equal(t, "lines", host.lines, []string{"lane 30: x < 3 a.cu:17 k", "lane 31: x < 3 a.cu:17 k"})
}

// A state that was copied at any time goes on to the same end as the one it was copied from.
func TestClone(t *testing.T) {
	for _, name := range []string{"search", "interpreter"} {
		p := compiled(t, name, "O2")
		for _, steps := range []uint64{1, 50, 333, 1000, 2500} {
			l := grid(32, 32)
			l.args = []any{make([]int16, 32*12), make([]int16, 32*12), make([]int32, 64), int32(32)}
			if name == "interpreter" {
				l.args = []any{make([]byte, 32*20), make([]int32, 32), int32(20), int32(32)}
			}
			m, _ := p.machine(name, &l)
			if err := m.Fill(); err != nil {
				t.Fatal(err)
			}
			w := m.Waves()[0]
			if _, err := m.StepWave(w, steps); err != nil {
				t.Fatal(err)
			}
			if w.State != simt.Ready {
				continue
			}
			copied, scratch, pc := w.Regs.Clone(), append([]byte(nil), w.Scratch...), w.PC
			image := func() (s string) {
				for _, r := range p.mem.Regions() {
					s += string(r.Data)
				}
				return
			}
			before := map[*simt.Region][]byte{}
			for _, r := range p.mem.Regions() {
				before[r] = append([]byte(nil), r.Data...)
			}
			trace := func() string {
				var b strings.Builder
				for w.State == simt.Ready {
					ev, err := m.StepWave(w, 7)
					if err != nil {
						t.Fatal(err)
					}
					fmt.Fprintf(&b, "%v %#x %#x\n", ev.Kind, w.PC, w.Exec)
				}
				return b.String()
			}
			first := trace()
			end := image()
			w.Regs, w.Scratch, w.PC, w.State = copied, scratch, pc, simt.Ready
			w.Exec = w.Regs.Active(w)
			for r, data := range before {
				copy(r.Data, data)
			}
			second := ""
			if m.Done() { // the workgroup was the last; its wave runs on by itself
				core := m.ISA().NewCore(m)
				var b strings.Builder
				for w.State == simt.Ready {
					ev := core.Run(w, 7)
					fmt.Fprintf(&b, "%v %#x %#x\n", ev.Kind, w.PC, w.Exec)
				}
				second = b.String()
			} else {
				second = trace()
			}
			if first != second || image() != end {
				t.Errorf("%s after %d statements: the copy goes another way", name, steps)
			}
		}
	}
}

// Lanes that have nothing left to execute end, and do not wait for those that have.
func TestEnds(t *testing.T) {
	const low, high = 0xfffff, 0xfff00000
	for _, body := range []string{
		"@%p1 bra out; add.u32 %r2, %r1, 1; out: ret;",
		"@!%p1 bra on; bra.uni out; on: add.u32 %r2, %r1, 1; bra.uni out; out: exit;",
		"selp.u32 %r3, 1, 0, %p1; to: .branchtargets on, out; brx.idx %r3, to; on: add.u32 %r2, %r1, 1; " +
			"out: ret;",
		"@%p1 ret; add.u32 %r2, %r1, 1; ret;",
		"again: @%p1 bra out; add.u32 %r2, %r1, 1; setp.ge.u32 %p1, %r2, 1; bra.uni again; out: ret;",
		"call f; add.u32 %r2, %r1, 1; ret;",
	} {
		p := parse(t, "ends", `.version 7.0
.target sm_70
.address_size 64
.func f()
{
	.reg .pred %p<2>; .reg .b32 %r<2>;
	mov.u32 %r1, %tid.x;
	setp.ge.u32 %p1, %r1, 20;
	@%p1 bra out;
	ret;
out:
	exit;
}
.visible .entry ends()
{
	.reg .pred %p<2>; .reg .b32 %r<4>;
	mov.u32 %r1, %tid.x;
	setp.ge.u32 %p1, %r1, 20;
	`+body+" }")
		m, _ := p.machine("ends", &launch{})
		if err := m.Fill(); err != nil {
			t.Fatal(err)
		}
		w := m.Waves()[0]
		for range 20 {
			in, err := m.InstAt(w.PC)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(in.Text, "add") {
				break
			}
			if _, err := m.StepWave(w, 1); err != nil {
				t.Fatal(err)
			}
		}
		if ended, active := w.EndedLanes(), w.Active(); ended != high || active != low {
			t.Errorf("%s: lanes %#x have ended and %#x go on, want %#x and %#x", body, ended, active,
				uint64(high), uint64(low))
		}
	}
}

// What a kernel does not come to is not made ready for it, and described when somebody asks.
func TestReached(t *testing.T) {
	p := parse(t, "reached.ptx", `.version 8.6
.target sm_90
.address_size 64
.global .u64 table[1] = {other};
.func leaf() { exit; }
.func called() { call leaf; ret; }
.func other() { .reg .b64 %rd<2>; atom.global.add.u32 _, [%rd1], 1; ret; }
.entry k() { .reg .b32 %r<2>; add.u32 %r1, %r1, 1; call called; ret; }
.entry indirect(.param .u64 p)
{ .reg .b64 %rd<2>; ld.param.u64 %rd1, [p]; proto: .callprototype _ (); call %rd1, (), proto; ret; }
`)
	for kernel, want := range map[string]struct {
		ready  []string
		orders bool
	}{
		"k":        {[]string{"leaf", "called", "k"}, false},
		"indirect": {[]string{"leaf", "called", "other", "indirect"}, true},
	} {
		isa, err := machine.NewKernel(p.prog, p.mod.Func(kernel).Start, machine.Launch{})
		if err != nil {
			t.Fatal(err)
		}
		if got := isa.Ready(); !slices.Equal(got, want.ready) {
			t.Errorf("%s: ready are %v, want %v", kernel, got, want.ready)
		}
		if orders, known := isa.ReachesOrder(0); orders != want.orders || !known {
			t.Errorf("%s: order is shown: %v, which is known: %v", kernel, orders, known)
		}
		f := p.mod.Func("other")
		if in, err := isa.Inst(nil, f.Start); err != nil || !in.GlobalAtomic || in.Text != f.Insts()[0].Text {
			t.Errorf("%s: a statement elsewhere: %+v, %v", kernel, in, err)
		}
		if _, err := isa.Inst(nil, f.End); err == nil {
			t.Errorf("%s: a statement is behind a function", kernel)
		}
	}
	if _, err := machine.NewKernel(p.prog, 8, machine.Launch{}); err == nil {
		t.Error("a kernel begins where nothing is")
	}
}

// Programs that make no sense are refused.
func TestNewErrors(t *testing.T) {
	for _, p := range []*machine.Program{
		{}, {Funcs: []*machine.Func{{Name: "f", Defined: true, Start: 16, End: 8}}},
		{Funcs: []*machine.Func{{Name: "f", Defined: true, Start: 16, End: 32}}},
		{Funcs: []*machine.Func{{Name: "f", Defined: true, Start: 16, End: 24,
			Insts: func() []machine.Inst { return []machine.Inst{{Addr: 64, Op: "ret", Guard: -1}} }}}},
	} {
		if _, err := machine.New(p, machine.Launch{}); err == nil {
			t.Errorf("%+v is accepted", p)
		}
	}
}
