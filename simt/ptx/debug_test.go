package ptx_test

import (
	"context"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"

	"simtgdb/simt"
	machine "simtgdb/simt/ptx"
)

// debuggedKernel stores 1000 if %p1 and lone, %h1, %f1 as an integer, and what f makes of %r1, added up. The
// statement at mov.u32 %r5 is where tests look on.
const debuggedKernel = `.version 7.8
.target sm_80
.address_size 64
.func (.param .b32 r) f(.param .b32 a)
{
	.reg .b32 %r<3>;
	.reg .pred %p<2>;
	ld.param.u32 %r1, [a];
	setp.lt.u32 %p1, %r1, 3;
	add.u32 %r2, %r1, 100;
	@%p1 add.u32 %r2, %r2, 50;
	st.param.u32 [r], %r2;
	ret;
}
.func g() { ret; }
.entry k(.param .u64 p)
{
	.reg .b32 %r<6>;
	.reg .b64 %d<3>;
	.reg .b16 %h<2>;
	.reg .f32 %f<2>;
	.reg .pred %p<3>;
	.reg .b32 lone;
	ld.param.u64 %d1, [p];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %d2, %r1, 4;
	add.u64 %d1, %d1, %d2;
	mov.b32 lone, 7;
	mov.b16 %h1, 5;
	mov.f32 %f1, 0f41100000;
	setp.gt.u32 %p1, %r1, 15;
	mov.u32 %r4, 0;
AGAIN:
	{
		.param .b32 a; .param .b32 b;
		st.param.b32 [a], %r1;
		call (b), f, (a);
		ld.param.b32 %r2, [b];
	}
	add.u32 %r4, %r4, 1;
	setp.lt.u32 %p2, %r4, 2;
	@%p2 bra AGAIN;
	mov.u32 %r5, %r2;
	selp.b32 %r3, 1000, 0, %p1;
	add.u32 %r5, %r5, %r3;
	add.u32 %r5, %r5, lone;
	cvt.u32.u16 %r3, %h1;
	add.u32 %r5, %r5, %r3;
	cvt.rzi.u32.f32 %r3, %f1;
	add.u32 %r5, %r5, %r3;
	st.global.u32 [%d1], %r5;
	ret;
}
`

// A debugged launch is one wave of debuggedKernel, before the statement that a text begins.
type debugged struct {
	*testing.T
	p      *program
	m      *simt.Machine
	w      *simt.Wave
	out    []uint32
	finish func()
}

func debug(t *testing.T) *debugged {
	t.Helper()
	d := &debugged{T: t, p: parse(t, "t.ptx", debuggedKernel), out: make([]uint32, 32)}
	l := grid(32, 32)
	l.args = []any{d.out}
	d.m, d.finish = d.p.machine("k", &l)
	d.m.Track = true
	if err := d.m.Fill(); err != nil {
		t.Fatal(err)
	}
	d.w = d.m.Waves()[0]
	return d
}

// at is where a function's statement is that a text begins.
func (d *debugged) at(function, text string) uint64 {
	d.Helper()
	for _, in := range d.p.mod.Func(function).Insts() {
		if strings.HasPrefix(in.Text, text) {
			return in.Addr
		}
	}
	d.Fatalf("%s has no statement %q", function, text)
	return 0
}

// to steps up to an address.
func (d *debugged) to(addr uint64) {
	d.Helper()
	for d.w.PC != addr {
		ev, err := d.m.StepWave(d.w, 1)
		if err != nil || ev.Kind == simt.FaultEvent || d.w.State != simt.Ready {
			d.Fatal(ev, err)
		}
	}
}

// end runs to the end.
func (d *debugged) end() {
	d.Helper()
	for d.w.State == simt.Ready {
		if ev, err := d.m.StepWave(d.w, math.MaxInt32); err != nil || ev.Kind != simt.EndEvent {
			d.Fatal(ev, err)
		}
	}
	d.finish()
}

// named finds registers by their names.
type named interface {
	simt.Registers
	RegisterNamed(name string) (simt.Reg, simt.RegFile, bool)
}

func (d *debugged) read(regs simt.Registers, name string, lane int) uint64 {
	d.Helper()
	r, file, ok := regs.(named).RegisterNamed(name)
	if !ok {
		d.Fatalf("there is no register %s", name)
	}
	p := make([]byte, 8)
	if err := regs.Read(r, lane, p[:file.Bits/8]); err != nil {
		d.Fatalf("%s: %v", name, err)
	}
	return binary.LittleEndian.Uint64(p)
}

func (d *debugged) write(regs simt.Registers, name string, lane int, v uint64) error {
	d.Helper()
	r, file, ok := regs.(named).RegisterNamed(name)
	if !ok {
		d.Fatalf("there is no register %s", name)
	}
	return regs.Write(r, lane, binary.LittleEndian.AppendUint64(nil, v)[:file.Bits/8])
}

// TestRegisters: registers have in each lane what the program has put there, and it goes on with what is
// written to them.
func TestRegisters(t *testing.T) {
	d := debug(t)
	d.to(d.at("k", "mov.u32 %r5"))
	regs := d.w.Regs
	of := func(lane int) uint32 { // what f gives
		if lane < 3 {
			return uint32(lane + 150)
		}
		return uint32(lane + 100)
	}
	for lane := range 32 {
		for name, want := range map[string]uint64{"%r1": uint64(lane), "r1": uint64(lane), "%r4": 2,
			"lone": 7, "%h1": 5, "%f1": 0x41100000, "%p1": truth(lane > 15), "%d2": 4 * uint64(lane),
			"%r2": uint64(of(lane))} {
			if got := d.read(regs, name, lane); got != want {
				t.Errorf("%s of lane %d is %#x, want %#x", name, lane, got, want)
			}
		}
	}
	for _, w := range []struct {
		name string
		lane int
		v    uint64
	}{{"lone", 5, 9}, {"%p1", 5, 3}, {"%p1", 20, 2}, {"%h1", 6, 0xffff}, {"%f1", 7, 0x3f800000},
		{"%r2", 31, 1 << 31}} {
		if err := d.write(regs, w.name, w.lane, w.v); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, ok := regs.(named).RegisterNamed("%x1"); ok {
		t.Error("there is a register x1")
	}
	r, _, _ := regs.(named).RegisterNamed("%r1")
	for _, c := range []struct{ lane, size int }{{32, 4}, {0, 8}, {0, 2}} {
		if err := regs.Read(r, c.lane, make([]byte, c.size)); err == nil {
			t.Errorf("a register of %d bytes is read in lane %d", c.size, c.lane)
		}
	}
	r.Index = 77
	err := regs.Read(r, 0, make([]byte, 4))
	if err == nil || !strings.Contains(err.Error(), "k has no register %r77") {
		t.Error(err)
	}
	d.end()
	for lane := range 32 {
		want := of(lane) + 1000*uint32(truth(lane > 15)) + 7 + 5 + 9
		want += map[int]uint32{5: 1000 + 9 - 7, 6: 0xffff - 5, 7: ^uint32(7), 20: ^uint32(999),
			31: 1<<31 - of(31)}[lane]
		if d.out[lane] != want {
			t.Errorf("lane %d has stored %d, want %d", lane, d.out[lane], want)
		}
	}
}

// TestGeneralRegisters: what all functions have says where a lane is, and cannot be written.
func TestGeneralRegisters(t *testing.T) {
	p := parse(t, "t.ptx", debuggedKernel)
	l := launch{grid: [3]uint32{24, 8, 4}, block: [3]uint32{8, 4, 2}, args: []any{make([]uint32, 32)}}
	m, _ := p.machine("k", &l)
	if err := m.Fill(); err != nil {
		t.Fatal(err)
	}
	w := m.Waves()[3] // the second of the second workgroup
	for lane := range 32 {
		at := 32 + lane
		want := map[string]uint32{"tid_x": uint32(at % 8), "tid_y": uint32(at / 8 % 4),
			"tid_z": uint32(at / 32), "ntid_x": 8, "ntid_y": 4, "ntid_z": 2, "ctaid_x": 1, "ctaid_y": 0,
			"ctaid_z": 0, "nctaid_x": 3, "nctaid_y": 2, "nctaid_z": 2, "laneid": uint32(lane), "warpid": 1,
			"activemask": math.MaxUint32}
		for i, file := range w.Regs.Files() {
			v, has := want[file.Name]
			if !has {
				continue
			}
			delete(want, file.Name)
			var b [4]byte
			r := simt.Reg{File: uint8(i)}
			if err := w.Regs.Read(r, lane, b[:]); err != nil {
				t.Fatal(err)
			}
			if got := binary.LittleEndian.Uint32(b[:]); got != v {
				t.Errorf("%s of lane %d is %#x, want %#x", file.Name, lane, got, v)
			}
			err := w.Regs.Write(r, lane, b[:])
			if err == nil || !strings.Contains(err.Error(), "cannot be written") {
				t.Errorf("%s: %v", file.Name, err)
			}
		}
		if len(want) > 0 {
			t.Fatalf("there are no registers %v", want)
		}
	}
}

// TestFrames: while a function runs its caller's registers are those of its frame, and what it returns is
// found when it has.
func TestFrames(t *testing.T) {
	d := debug(t)
	d.to(d.at("f", "ret"))
	sites, whole := d.w.Regs.(simt.Caller).CallSites(d.w, 4, nil)
	if want := []uint64{d.at("k", "call")}; !whole || !slices.Equal(sites, want) {
		t.Errorf("called from %#x, want %#x", sites, want)
	}
	call := d.w.Track.Innermost[4]
	if call == nil || call.Site != d.at("k", "call") {
		t.Fatalf("%+v", call)
	}
	for lane := range 32 {
		if got := d.read(call.Regs, "%r1", lane); got != uint64(lane) {
			t.Errorf("%%r1 of the caller is %d in lane %d", got, lane)
		}
		if got := d.read(d.w.Regs, "%r2", lane); got < 100 {
			t.Errorf("%%r2 of the function is %d in lane %d", got, lane)
		}
	}
	if err := d.write(call.Regs, "lone", 3, 70); err != nil {
		t.Fatal(err)
	}
	if err := d.write(call.Regs, "lone", 0, 7); err != nil {
		t.Fatal(err)
	}
	d.to(d.at("k", "ld.param.b32 %r2"))
	var result [4]byte
	for lane := range 32 {
		if err := machine.Result(d.w, lane, call, result[:]); err != nil {
			t.Fatal(err)
		}
		if got := binary.LittleEndian.Uint32(result[:]); got != uint32(lane)+100+50*uint32(truth(lane < 3)) {
			t.Errorf("the function has returned %d in lane %d", got, lane)
		}
	}
	if err := machine.Result(d.w, 0, &simt.Call{Site: call.Site}, result[:]); err == nil {
		t.Error("a call of no record has a result")
	}
	if machine.Result(d.w, 0, &simt.Call{Site: call.Site + 8, Regs: call.Regs}, result[:]) == nil {
		t.Error("what is no call has a result")
	}
	d.end()
	if got := d.out[3]; got != 103+70+5+9 {
		t.Errorf("lane 3 has stored %d", got)
	}
}

// TestSetPC: lanes go on where they are put, in their function.
func TestSetPC(t *testing.T) {
	d := debug(t)
	d.to(d.at("k", "mov.u32 %r5"))
	if err := d.w.Regs.SetPC(d.w, d.at("g", "ret")); err == nil {
		t.Error("lanes go on in another function")
	}
	if err := d.w.Regs.SetPC(d.w, d.w.PC+1); err == nil {
		t.Error("lanes go on between two statements")
	}
	if err := d.write(d.w.Regs, "%r5", 0, 12345); err != nil {
		t.Fatal(err)
	}
	store := d.at("k", "st.global")
	if err := d.w.Regs.SetPC(d.w, store); err != nil || d.w.PC != store {
		t.Fatal(err)
	}
	d.end()
	if d.out[0] != 12345 || d.out[1] != 0 {
		t.Errorf("lanes 0 and 1 have stored %d and %d", d.out[0], d.out[1])
	}
}

// TestBreakpoints: at each statement waves stop as often as they come by, and go on from there, whether code
// is translated or not.
func TestBreakpoints(t *testing.T) {
	visits := map[uint64]int{}
	d := debug(t)
	for d.w.State == simt.Ready {
		visits[d.w.PC]++
		if ev, err := d.m.StepWave(d.w, 1); err != nil || ev.Kind == simt.FaultEvent {
			t.Fatal(ev, err)
		}
	}
	if len(visits) < 30 || visits[d.at("f", "ret")] != 2 || visits[d.at("k", "add.u32 %r4")] != 2 {
		t.Fatalf("%v", visits)
	}
	for at, want := range visits {
		d := debug(t)
		d.m.SetBreakpoint(at)
		got := 0
		for d.w.State == simt.Ready {
			ev, err := d.m.StepWave(d.w, math.MaxInt32)
			if err != nil {
				t.Fatal(err)
			}
			if ev.Kind == simt.BreakEvent {
				if ev.PC != at || d.w.PC != at || ev.Lanes != d.w.Exec {
					t.Errorf("a breakpoint at %#x stops at %#x, lanes %#x", at, ev.PC, ev.Lanes)
				}
				got++
				d.w.SkipBreak = true
			}
		}
		if got != want {
			t.Errorf("a breakpoint at %#x stops %d times, want %d", at, got, want)
		}
	}
}

// TestReuse: a core goes on with the next launch of its program, and the breakpoints of that.
func TestReuse(t *testing.T) {
	d := debug(t)
	first := d.m.ISA().NewCore(d.m).(simt.Reuser)
	again := func() *simt.Machine {
		m, err := simt.New(d.p.mem, d.m.ISA(), d.m.Dispatch)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	if !first.Reuse(again()) {
		t.Error("the next launch cannot have the core")
	}
	if first.Reuse(debug(t).m) {
		t.Error("another program has the core")
	}
	pool := &simt.CorePool{}
	for i := range 2 {
		m := again()
		m.Cores = pool
		if ev, err := m.Run(context.Background(), 1); err != nil || ev.Kind != simt.EndEvent {
			t.Fatal(ev, err)
		}
		if d.finish(); d.out[31] != 131+1000+7+5+9 {
			t.Errorf("launch %d has stored %d", i, d.out[31])
		}
	}
	m := again()
	m.Cores = pool
	m.SetBreakpoint(d.at("k", "st.global"))
	if err := m.Fill(); err != nil {
		t.Fatal(err)
	}
	if ev, err := m.StepWave(m.Waves()[0], math.MaxInt32); err != nil || ev.Kind != simt.BreakEvent {
		t.Error(ev, err)
	}
}

// TestReturnsApart: lanes come back from a function by several of its statements, one after the other, and go
// on together, whether the caller is a function itself or not.
func TestReturnsApart(t *testing.T) {
	const text = `.version 7.8
.target sm_80
.address_size 64
.func (.param .b32 r) f(.param .b32 a)
{
	.reg .b32 %r<4>;
	.reg .pred %p<3>;
	ld.param.u32 %r1, [a];
	add.u32 %r2, %r1, 100;
	st.param.u32 [r], %r2;
	setp.lt.u32 %p1, %r1, 7;
	@%p1 ret;
	add.u32 %r2, %r1, 200;
	st.param.u32 [r], %r2;
	setp.lt.u32 %p2, %r1, 20;
	@!%p2 bra FAR;
	ret;
FAR:
	add.u32 %r2, %r1, 300;
	st.param.u32 [r], %r2;
	ret;
}
.func (.param .b32 r) twice(.param .b32 a)
{
	.reg .b32 %r<4>;
	ld.param.u32 %r1, [a];
	{ .param .b32 x; .param .b32 y; st.param.b32 [x], %r1; call (y), f, (x); ld.param.b32 %r2, [y]; }
	vote.sync.ballot.b32 %r3, 1, -1;
	popc.b32 %r3, %r3;
	add.u32 %r2, %r2, %r3;
	st.param.u32 [r], %r2;
	ret;
}
.entry k(.param .u64 p)
{
	.reg .b32 %r<6>;
	.reg .b64 %d<3>;
	ld.param.u64 %d1, [p];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %d2, %r1, 4;
	add.u64 %d1, %d1, %d2;
	{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call (b), twice, (a); ld.param.b32 %r2, [b]; }
	st.global.u32 [%d1], %r2;
	ret;
}
`
	for _, track := range []bool{false, true} {
		p, out := parse(t, "t.ptx", text), make([]uint32, 32)
		l := grid(32, 32)
		l.args = []any{out}
		m, finish := p.machine("k", &l)
		m.Track, m.MaxInsts = track, 10000
		if ev, err := m.Run(context.Background(), 1); err != nil || ev.Kind != simt.EndEvent {
			t.Fatal(ev, ev.Fault, err)
		}
		finish()
		// 9 statements of k and 9 of twice, and of f 5 by all, 4 by those that go on, 1 by those before FAR,
		// 3 by those there.
		if got := m.Stats().Insts; got != 9+9+5+4+1+3 {
			t.Errorf("tracked %v: %d statements", track, got)
		}
		for lane, got := range out {
			want := uint32(lane + 300)
			switch {
			case lane < 7:
				want = uint32(lane + 100)
			case lane < 20:
				want = uint32(lane + 200)
			}
			if want += 32; got != want {
				t.Errorf("tracked %v: lane %d has %d, want %d", track, lane, got, want)
			}
		}
	}
}
