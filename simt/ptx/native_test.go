package ptx_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"simtgdb/simt"
	machine "simtgdb/simt/ptx"
	"simtgdb/simt/rows/host"
	"simtgdb/simt/simttest"
	"simtgdb/testdata/sweep"
)

// A randomKernel is statements for random registers, with loops, branches that lanes take apart, and memory.
func randomKernel(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString(`.version 8.0
.target sm_80
.address_size 64
.entry k(.param .u64 k_a, .param .u64 k_b)
{
	.reg .b16 %h<6>;
	.reg .b32 %r<10>;
	.reg .b64 %rd<10>;
	.reg .f32 %f<6>;
	.reg .pred %p<5>;
	.shared .align 8 .b8 tile[1024];
	ld.param.u64 %rd8, [k_a];
	ld.param.u64 %rd9, [k_b];
	mov.u32 %r0, %tid.x;
	mov.u32 %r1, %ctaid.x;
	mov.u32 %r9, 0;
	and.b32 %r2, %r0, 63;
	mul.wide.u32 %rd0, %r2, 8;
	add.s64 %rd1, %rd8, %rd0;
	add.s64 %rd2, %rd9, %rd0;
	mov.u64 %rd3, tile;
	add.s64 %rd3, %rd3, %rd0;
	cvt.rn.f32.u32 %f0, %r0;
	setp.lt.u32 %p0, %r0, 20;
LOOP:
`)
	pick := func(s ...string) string { return s[r.IntN(len(s))] }
	num := func() string { return fmt.Sprintf("%%r%d", r.IntN(9)) }
	dst := func() string { return fmt.Sprintf("%%r%d", 3+r.IntN(6)) }
	flt := func() string { return fmt.Sprintf("%%f%d", r.IntN(6)) }
	wide := func() string { return fmt.Sprintf("%%rd%d", 4+r.IntN(4)) }
	half := func() string { return fmt.Sprintf("%%h%d", r.IntN(6)) }
	pred := func() string { return fmt.Sprintf("%%p%d", r.IntN(4)) }
	at := func() string {
		return fmt.Sprintf("%s+%d]", pick(".global.b32 [%rd1", ".global.b32 [%rd2", ".b32 [%rd1",
			".shared.b32 [%rd3"), 4*r.IntN(16))
	}
	label := 0
	var open []int
	for range 10 + r.IntN(30) {
		guard := ""
		if r.IntN(4) == 0 {
			guard = "@" + pick("", "!") + pred() + " "
		}
		s := ""
		switch r.IntN(15) {
		case 0:
			a := at()
			space, rest, _ := strings.Cut(a, " ")
			s = "ld" + space + " " + dst() + ", " + rest
		case 1:
			a := at()
			space, rest, _ := strings.Cut(a, " ")
			s = "st" + space + " " + rest + ", " + num()
		case 2:
			s = fmt.Sprintf("setp.%s.%s %s, %s, %s", pick("eq", "ne", "lt", "le", "gt", "ge"),
				pick("u32", "s32"), pred(),
				num(), num())
		case 3:
			s = fmt.Sprintf("setp.%s%s.f32 %s, %s, %s", pick("eq", "neu", "lt", "leu", "gt", "num"),
				pick("", ".ftz"), pred(), flt(), flt())
		case 4:
			s = fmt.Sprintf("selp.b32 %s, %s, %s, %s", dst(), num(), num(), pred())
		case 5:
			s = fmt.Sprintf("%s.f32 %s, %s, %s", pick("add", "sub", "mul", "div.rn", "add.ftz", "mul.ftz",
				"div.full.ftz", "min", "max.ftz"), flt(), flt(), flt())
		case 6:
			s = pick(fmt.Sprintf("fma.rn%s.f32 %s, %s, %s, %s", pick("", ".ftz"), flt(), flt(), flt(), flt()),
				"mov.b32 "+flt()+", "+num(), "mul.f32 "+flt()+", "+flt()+", 0f00400000",
				"neg.ftz.f32 "+flt()+", "+flt(), "cvt.rzi.ftz.s32.f32 "+dst()+", "+flt(),
				"rcp.approx.ftz.f32 "+flt()+", "+flt())
		case 7:
			s = fmt.Sprintf("mad.wide.s32 %s, %s, %s, %s", wide(), num(), num(), wide())
		case 8: // these have no row code
			s = pick("popc.b32 "+dst()+", "+num(), "brev.b32 "+dst()+", "+num(), "prmt.b32 "+dst()+", "+num()+
				", "+num()+", "+num(), "add.rz.f32 "+flt()+", "+flt()+", "+flt())
		case 11: // bytes and words
			space, rest, _ := strings.Cut(at(), " ")
			space, rest = strings.TrimSuffix(space, ".b32"), strings.TrimSuffix(rest, "]")+
				pick("", "", "+1", "+2")+"]"
			s = pick("ld"+space+pick(".u8 ", ".s8 ", ".u16 ", ".s16 ")+pick(half(), dst())+", "+rest,
				"ld"+space+pick(".v2.u8", ".v2.b16")+" {"+half()+", "+half()+"}, "+rest,
				"st"+space+pick(".u8 ", ".s8 ")+rest+", "+pick(half(), num()),
				"st"+space+pick(".b16 ", ".s16 ")+rest+", "+half(),
				"st"+space+".v2.b16 "+rest+", {"+half()+", "+half()+"}")
		case 12: // halves, and registers that are made of others
			s = pick(fmt.Sprintf("%s.f16 %s, %s, %s", pick("add", "sub", "mul"), half(), half(), half()),
				fmt.Sprintf("%s.f16x2 %s, %s, %s", pick("add", "sub", "mul"), dst(), num(), num()),
				"fma.rn.f16x2 "+dst()+", "+num()+", "+num()+", "+num(), "cvt.f32.f16 "+flt()+", "+half(),
				"fma.rn.f16 "+half()+", "+half()+", "+half()+", "+half(), "cvt.rn.f16.f32 "+half()+", "+flt(),
				fmt.Sprintf("cvt.rn.%s.f32 %s, %s, %s", pick("f16x2", "bf16x2"), dst(), flt(), flt()),
				"mov.b32 {"+half()+", "+half()+"}, "+num(), "mov.b32 "+dst()+", {"+half()+", "+half()+"}",
				"mov.b64 {"+dst()+", "+dst()+"}, "+wide(), "mov.b64 "+wide()+", {"+num()+", "+num()+"}",
				"copysign.f32 "+flt()+", "+flt()+", "+flt(),
				"dp4a.s32.u32 "+dst()+", "+num()+", "+num()+", "+num(),
				fmt.Sprintf("prmt.b32 %s, %s, %s, %#x", dst(), num(), num(), r.IntN(1<<16)))
		case 10: // what is of the place, and logic
			s = pick("and.pred "+pred()+", "+pred()+", "+pred(), "or.pred "+pred()+", "+pred()+", !"+pred(),
				"xor.pred "+pred()+", "+pred()+", "+pred(), "not.pred "+pred()+", "+pred(),
				"mov.u32 "+dst()+", "+pick("%tid.x", "%ctaid.x", "%warpid", "%laneid", "%ntid.x"),
				"ld.param.u64 "+wide()+", [k_b]", "ld.param.u32 "+dst()+", [k_a+4]")
		case 9:
			if len(open) > 0 {
				fmt.Fprintf(&b, "L%d:\n", open[len(open)-1])
				open = open[:len(open)-1]
				continue
			}
			label++
			open = append(open, label)
			s = fmt.Sprintf("bra L%d", label)
			guard = "@" + pick("", "!") + pred() + " "
		default:
			s = fmt.Sprintf("%s %s, %s, %s", pick("add.u32", "sub.s32", "mul.lo.u32", "xor.b32", "shl.b32", "shr.s32",
				"min.s32", "mul.hi.u32"), dst(), num(), num())
		}
		fmt.Fprintf(&b, "\t%s%s;\n", guard, s)
	}
	for i := len(open) - 1; i >= 0; i-- {
		fmt.Fprintf(&b, "L%d:\n", open[i])
	}
	b.WriteString(`	add.u32 %r9, %r9, 1;
	setp.lt.u32 %p4, %r9, 5;
	@%p4 bra LOOP;
	bar.sync 0;
	xor.b32 %r4, %r4, %r5;
	st.global.b32 [%rd1], %r4;
	ret;
}
`)
	return b.String()
}

// TestTranslatedAgrees: random kernels do the same whether they are translated or not, after any number of
// instructions, to the bit.
func TestTranslatedAgrees(t *testing.T) {
	if !host.Available() {
		t.Skip("nothing is translated here")
	}
	translated := uint64(0)
	defer machine.TranslateAfter(1, func(n uint64) { translated += n })()
	for _, i := range simttest.Seeds("TranslatedAgrees", 60, 60) {
		r := rand.New(sweep.PCG(5, 6+i))
		text := randomKernel(r)
		p := parse(t, "k.ptx", text)
		build := func(interpret bool) *simt.Machine {
			m, _ := p.machine("k", &launch{grid: [3]uint32{160}, block: [3]uint32{80},
				args: []any{make([]uint32, 256), make([]uint32, 256)}})
			m.Interpret = interpret
			if i%8 == 4 {
				for _, r := range m.Mem.Regions() {
					if r.Name == "buffer" {
						r.Perm = simt.PermRead
					}
				}
			}
			return m
		}
		m := [2]*simt.Machine{build(true), build(false)}
		var told [2]accesses
		for k := range m {
			if told[k].wants = uint8(i); i%4 != 0 {
				m[k].AddObserver(&told[k])
			}
		}
		var quanta []uint64
		for range 12 {
			quanta = append(quanta, uint64(1+r.IntN(40)))
		}
		for step := 0; ; step++ {
			var ev [2]simt.Event
			var digest [2]string
			for k := range m {
				if step < len(quanta) {
					if step == 0 {
						if err := m[k].Fill(); err != nil {
							t.Fatal(err)
						}
					}
					var err error
					if ev[k], err = m[k].Advance(quanta[step]); err != nil {
						t.Fatal(err)
					}
				} else {
					var err error
					if ev[k], err = m[k].Run(context.Background(), 1); err != nil {
						t.Fatal(err)
					}
				}
				digest[k] = simttest.Digest(m[k])
			}
			if ev[0].Kind != ev[1].Kind || ev[0].PC != ev[1].PC || digest[0] != digest[1] {
				t.Fatalf("kernel %d, step %d: interpreted %v at %#x, translated %v at %#x, same state: %v\n%s", i, step,
					ev[0].Kind, ev[0].PC, ev[1].Kind, ev[1].PC, digest[0] == digest[1], text)
			}
			if told[0] != told[1] {
				t.Fatalf("kernel %d, step %d: observers are told of %d accesses, of %d translated ones, or of others\n%s",
					i, step, told[0].n, told[1].n, text)
			}

			// Behind a fault the other warps go on, with what code has learnt of memory from the first.
			if ev[0].Kind != simt.FaultEvent && step >= len(quanta) || step == 24 {
				break
			}
		}
	}
	if translated < 5000 {
		t.Errorf("translated code executed %d statements: too few to tell", translated)
	}
}

// accesses is an observer that keeps a sum of what it is told of. It wants some kinds.
type accesses struct {
	wants  uint8
	n      int
	digest uint64
}

func (a *accesses) Wants(_ *simt.Wave, space simt.Space, write bool) bool {
	kind := 0
	if write {
		kind = 1
	}
	if space == simt.LDS {
		kind += 2
	}
	return a.wants>>kind&1 != 0 || a.wants%8 == 7
}

func (a *accesses) Observe(x *simt.Access) bool {
	if !a.Wants(x.Wave, x.Space, x.Write) { // who asks for some may be told of all
		return false
	}
	a.n++
	h := fnv.New64a()
	fmt.Fprint(h, a.digest, x.Wave.ID, x.PC, x.Space, x.Size, x.Lanes, x.Write)
	simt.Lanes(x.Lanes, func(l int) { fmt.Fprint(h, x.Addr[l]) })
	a.digest = h.Sum64()
	return false
}

// TestTranslatedTurns: paths that lanes part into get their turns after as many statements as without
// translated code.
func TestTranslatedTurns(t *testing.T) {
	defer machine.TranslateAfter(1, nil)()
	p := parse(t, "k.ptx", `.version 8.0
.target sm_80
.address_size 64
.entry k(.param .u64 k_a)
{
	.reg .b32 %r<3>;
	.reg .pred %p<3>;
	mov.u32 %r0, %tid.x;
	mov.u32 %r1, 0;
	setp.lt.u32 %p0, %r0, 9;
	@%p0 bra B;
A:
	add.u32 %r1, %r1, 1;
	setp.lt.u32 %p1, %r1, 3000;
	@%p1 bra A;
	ret;
B:
	add.u32 %r1, %r1, 2;
	setp.lt.u32 %p1, %r1, 5000;
	@%p1 bra B;
	ret;
}
`)
	var m [2]*simt.Machine
	for k := range m {
		m[k], _ = p.machine("k", &launch{args: []any{make([]uint32, 1)}})
		m[k].Interpret = k == 0
		if err := m[k].Fill(); err != nil {
			t.Fatal(err)
		}
	}
	for step := range 16 {
		var digest [2]string
		for k := range m {
			if _, err := m[k].Advance(1001); err != nil {
				t.Fatal(err)
			}
			digest[k] = simttest.Digest(m[k])
		}
		if digest[0] != digest[1] {
			t.Fatalf("after %d statements the states differ", 1001*(step+1))
		}
	}
}

// TestGuardsCount: a lane that a guard switches off does not count as executing an instruction, nor a branch
// that it does not take.
func TestGuardsCount(t *testing.T) {
	p := parse(t, "k.ptx", `.version 8.0
.target sm_80
.address_size 64
.entry k(.param .u64 k_a)
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<2>;
	.reg .pred %p<3>;
	ld.param.u64 %rd0, [k_a];
	mov.u32 %r0, %tid.x;
	mov.u32 %r1, 0;
	setp.lt.u32 %p0, %r0, 9;
A:
	@%p0 add.u32 %r2, %r2, 1;
	@!%p0 popc.b32 %r2, %r1;
	@%p0 setp.lt.u32 %p0, %r0, 7;
	@%p0 st.global.u32 [%rd0], %r1;
	add.u32 %r1, %r1, 1;
	setp.lt.u32 %p1, %r1, 100;
	@%p1 bra A;
	ret;
}
`)
	// In the first turn 9 lanes add, 23 count, 9 compare and 7 store, in the others 7, 25, 7 and 7; two more
	// have no guard, and nobody takes the last branch.
	const want = 32*4 + (9 + 23 + 9 + 7) + 99*(7+25+7+7) + 100*2*32 + 99*32 + 32
	for _, interpret := range []bool{true, false} {
		func() {
			defer machine.TranslateAfter(1, nil)()
			m, _ := p.machine("k", &launch{args: []any{make([]uint32, 1)}, block: [3]uint32{32}})
			m.Interpret = interpret
			if ev, err := m.Run(context.Background(), 1); err != nil || ev.Kind == simt.FaultEvent {
				t.Fatalf("%+v, %v", ev, err)
			}
			if got := m.Stats().LaneInsts; got != want {
				t.Errorf("interpreted %v: %d lane instructions, want %d", interpret, got, want)
			}
		}()
	}
}

// TestTranslatedSigned: translated loads of bytes and words give them their sign, in registers of 16 and of
// 32 bits.
func TestTranslatedSigned(t *testing.T) {
	translated := uint64(0)
	defer machine.TranslateAfter(1, func(n uint64) { translated += n })()
	p := parse(t, "k.ptx", `.version 8.0
.target sm_80
.address_size 64
.entry k(.param .u64 k_a, .param .u64 k_b)
{
	.reg .b16 %h<2>;
	.reg .b32 %r<9>;
	.reg .b64 %rd<4>;
	.reg .pred %p<1>;
	ld.param.u64 %rd0, [k_a];
	ld.param.u64 %rd1, [k_b];
	mov.u32 %r0, %tid.x;
	mul.wide.u32 %rd2, %r0, 4;
	add.s64 %rd0, %rd0, %rd2;
	add.s64 %rd1, %rd1, %rd2;
	mov.u32 %r1, 0;
	mov.u32 %r2, 0;
LOOP:
	ld.global.s8 %r3, [%rd0];
	ld.global.s16 %r4, [%rd0+2];
	ld.global.s8 %h0, [%rd0+1];
	mov.b32 %r5, {%h0, %h0};
	mul.lo.u32 %r4, %r4, 3;
	xor.b32 %r5, %r5, %r4;
	add.u32 %r2, %r2, %r3;
	xor.b32 %r2, %r2, %r5;
	add.u32 %r1, %r1, 1;
	setp.lt.u32 %p0, %r1, 9;
	@%p0 bra LOOP;
	st.global.b32 [%rd1], %r2;
	ret;
}
`)
	const lanes = 64
	from, want := make([]uint32, lanes), make([]uint32, lanes)
	r := rand.New(sweep.PCG(7, 8))
	for i := range from {
		v := r.Uint32()
		from[i] = v
		half := uint32(uint16(int8(v >> 8)))
		for range 9 {
			want[i] = (want[i] + uint32(int8(v))) ^ half<<16 ^ half ^ 3*uint32(int16(v>>16))
		}
	}
	got := make([]uint32, lanes)
	m, finish := p.machine("k", &launch{grid: [3]uint32{lanes}, block: [3]uint32{lanes},
		args: []any{from, got}})
	if _, err := m.Run(context.Background(), 1); err != nil {
		t.Fatal(err)
	}
	if finish(); !slices.Equal(got, want) {
		t.Errorf("%#x, want %#x", got, want)
	}
	if host.Available() && translated == 0 {
		t.Error("nothing was translated")
	}
}
