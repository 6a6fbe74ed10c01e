package ptx_test

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/ptx/numeric/numerictest"
)

// A row is a piece of PTX that computes a result of up to three inputs, and what the result is to be.
// The text finds the inputs in registers of 16, 32 and 64 bits (%ha, %wa, %xa; b, c) and as predicates
// (%pa, set if the input is odd), and puts the result into %hd, %wd, %xd or %pd. %m is memory of the
// lane's own, at first with input c in it.
type row struct {
	text string
	want func(a, b, c uint64) uint64
	// near: how far the result, a float of 32 or 64 bits, may be from the exact one, relatively.
	near float64
	head string // in front of the kernel
	// together: all lanes of the warp come to it.
	together bool
}

// run executes a row for all inputs and returns the results.
func (r row) run(t testing.TB, inputs [][3]uint64) []uint64 {
	t.Helper()
	return r.runWith(t, inputs, "")
}

// again executes a row's text a second time, in some lanes, with the inputs behind those of all lanes, and
// stores what the result's register has in each lane then.
const again = `
	@%once bra end_of_rounds;
	mov.u32 %some, 0x5ca3f017; shr.u32 %some, %some, %me; and.b32 %some, %some, 1;
	setp.eq.u32 %once, %some, 0;
	@%once bra end_of_rounds;
	setp.eq.u32 %once, %some, %some;
	add.u64 %in, %in, 32*LANES; add.u64 %m, %m, 32*LANES; add.u64 %out, %out, 8*LANES;
	bra next_round;
end_of_rounds:
	st.global.u64 [%last], %xd;`

// runTwice is run with a second round. It returns the results of the first, those of the second in the lanes
// that have one, and what all lanes have after that.
func (r row) runTwice(t testing.TB, inputs [][3]uint64) []uint64 {
	t.Helper()
	return r.runWith(t, append(slices.Clone(inputs), rotated(inputs)...), again)
}

// rotated are the inputs of the second round: each lane has the next one's.
func rotated(inputs [][3]uint64) [][3]uint64 {
	return append(slices.Clone(inputs[1:]), inputs[0])
}

// second reports whether a lane takes part in the second round.
func second(lane int) bool { return 0x5ca3f017>>(lane&31)&1 != 0 }

func (r row) runWith(t testing.TB, inputs [][3]uint64, again string) []uint64 {
	t.Helper()
	lanes := len(inputs)
	if again != "" {
		lanes /= 2
	}
	store := map[string]string{
		"%xd": "", "%wd": "cvt.u64.u32 %xd, %wd;", "%hd": "cvt.u64.u16 %xd, %hd;",
		"%pd": "selp.b64 %xd, 1, 0, %pd;",
	}
	finish := ""
	for reg, text := range store {
		if strings.Contains(r.text, reg) && (finish == "" || reg != "%xd") {
			finish = text
		}
	}
	kernel := strings.NewReplacer("32*LANES", fmt.Sprint(32*lanes), "8*LANES", fmt.Sprint(8*lanes),
		"16*LANES", fmt.Sprint(16*lanes)).Replace(`.version 8.6
.target sm_90
.address_size 64
` + r.head + `
.entry k(.param .u64 k_in, .param .u64 k_out)
{
	.reg .b64 %in, %out, %last, %lane, %xa, %xb, %xc, %xd, %xe, %m;
	.reg .b32 %w, %wa, %wb, %wc, %wd, %we, %me, %some;
	.reg .b16 %ha, %hb, %hc, %hd, %he;
	.reg .pred %pa, %pb, %pc, %pd, %pe, %once;
	.local .align 8 .b8 own[16];
	ld.param.u64 %in, [k_in];
	ld.param.u64 %out, [k_out];
	mov.u32 %w, %ctaid.x;
	mov.u32 %me, %tid.x;
	mad.lo.u32 %w, %w, 32, %me;
	mul.wide.u32 %lane, %w, 32;
	add.u64 %in, %in, %lane;
	add.u64 %m, %in, 16;
	mul.wide.u32 %lane, %w, 8;
	add.u64 %out, %out, %lane;
	add.u64 %last, %out, 16*LANES;
	setp.ne.u32 %once, %w, %w;
next_round:
	ld.global.v2.u64 {%xa, %xb}, [%in];
	ld.global.u64 %xc, [%in+16];
	cvt.u32.u64 %wa, %xa; cvt.u32.u64 %wb, %xb; cvt.u32.u64 %wc, %xc;
	cvt.u16.u64 %ha, %xa; cvt.u16.u64 %hb, %xb; cvt.u16.u64 %hc, %xc;
	{ .reg .b64 %one; and.b64 %one, %xa, 1; setp.ne.s64 %pa, %one, 0; and.b64 %one, %xb, 1;
	  setp.ne.s64 %pb, %one, 0; and.b64 %one, %xc, 1; setp.ne.s64 %pc, %one, 0; }
	` + r.text + "\n\t" + finish + `
	st.global.u64 [%out], %xd;` + again + `
	ret;
}`)
	p := parse(t, "row.ptx", kernel)
	in := make([]uint64, 4*len(inputs))
	for i, v := range inputs {
		copy(in[4*i:], v[:])
	}
	out := make([]uint64, 3*lanes)
	l := grid(uint32(lanes), 32)
	l.args = []any{in, out}
	m, finished := p.machine("k", &l)
	r.note(m)
	ev, err := m.Run(context.Background(), 1)
	if err != nil || ev.Kind != simt.EndEvent {
		t.Fatalf("%s: %v: %v %v", r.text, ev.Kind, ev.Fault, err)
	}
	finished()
	if again == "" {
		return out[:lanes]
	}
	return out
}

// check compares the results of a row, for all lanes and for some.
func (r row) check(t *testing.T, inputs [][3]uint64) {
	t.Helper()
	if r.together || leaves(r.text) {
		r.compare(t, inputs, r.run(t, inputs), nil)
		return
	}
	n, next := len(inputs), rotated(inputs)
	got := r.runTwice(t, inputs)
	r.compare(t, inputs, got[:n], nil)
	r.compare(t, next, got[n:2*n], second)
	r.compare(t, next, got[2*n:], second)
	r.compare(t, inputs, got[2*n:], func(lane int) bool { return !second(lane) })
}

// leaves reports whether a text ends its lanes: they have no second round.
func leaves(text string) bool {
	return strings.Contains(text, "exit;") || strings.Contains(text, "ret;")
}

// compare compares results, in the lanes that are told if any are.
func (r row) compare(t *testing.T, inputs [][3]uint64, got []uint64, lane func(l int) bool) {
	t.Helper()
	bad := 0
	for i, got := range got {
		v := inputs[i]
		if lane != nil && !lane(i) {
			continue
		}
		want := r.want(v[0], v[1], v[2])
		if got != want && !r.close(got, want) {
			if bad++; bad <= 3 {
				t.Errorf("%s\n  of %#x, %#x, %#x gives %#x, want %#x", r.text, v[0], v[1], v[2], got, want)
			}
		}
	}
}

// close reports whether a result is as near to what it should be as the row says.
func (r row) close(got, want uint64) bool {
	if r.near == 0 {
		return false
	}
	g, w := math.Float64frombits(got), math.Float64frombits(want)
	if strings.Contains(r.text, "%wd") {
		g, w = float64(math.Float32frombits(uint32(got))), float64(math.Float32frombits(uint32(want)))
	}
	return g != g && w != w || g == w || math.Abs(g-w) <= r.near*math.Max(math.Abs(w), 1e-30)
}

// The low bits of a number, with a sign and without.
var sext, low = numerictest.SignExtend, numerictest.Low

// reg is the name of a register of a width.
func reg(width int, which string) string {
	return map[int]string{16: "%h", 32: "%w", 64: "%x"}[width] + which
}

// integerRows are the operations that exist for several types.
func integerRows() []row {
	var rows []row
	add := func(text string, w int, f func(a, b, c uint64) uint64) {
		rows = append(rows, row{text: text, want: func(a, b, c uint64) uint64 {
			return low(f(a, b, c), w)
		}})
	}
	for _, typ := range []string{"u16", "s16", "u32", "s32", "u64", "s64"} {
		var w int
		fmt.Sscanf(typ[1:], "%d", &w)
		signed := typ[0] == 's'
		ext := func(v uint64) *big.Int {
			if signed {
				return big.NewInt(sext(v, w))
			}
			return new(big.Int).SetUint64(low(v, w))
		}
		of := func(b *big.Int) uint64 {
			return new(big.Int).And(b, new(big.Int).SetUint64(^uint64(0))).Uint64()
		}
		d, a, b, c := reg(w, "d"), reg(w, "a"), reg(w, "b"), reg(w, "c")
		two := func(name string, f func(x, y *big.Int) *big.Int) {
			add(fmt.Sprintf("%s.%s %s, %s, %s;", name, typ, d, a, b), w, func(a, b, _ uint64) uint64 {
				return of(f(ext(a), ext(b)))
			})
		}
		n := func() *big.Int { return new(big.Int) }
		two("add", func(x, y *big.Int) *big.Int { return n().Add(x, y) })
		two("sub", func(x, y *big.Int) *big.Int { return n().Sub(x, y) })
		two("mul.lo", func(x, y *big.Int) *big.Int { return n().Mul(x, y) })
		two("mul.hi", func(x, y *big.Int) *big.Int { return n().Rsh(n().Mul(x, y), uint(w)) })
		two("min", func(x, y *big.Int) *big.Int {
			if x.Cmp(y) < 0 {
				return x
			}
			return y
		})
		two("max", func(x, y *big.Int) *big.Int {
			if x.Cmp(y) > 0 {
				return x
			}
			return y
		})
		two("div", func(x, y *big.Int) *big.Int {
			if y.Sign() == 0 {
				return big.NewInt(-1)
			}
			return n().Quo(x, y)
		})
		two("rem", func(x, y *big.Int) *big.Int {
			if y.Sign() == 0 {
				return x
			}
			return n().Rem(x, y)
		})
		for _, half := range []string{"lo", "hi"} {
			shift := uint(0)
			if half == "hi" {
				shift = uint(w)
			}
			add(fmt.Sprintf("mad.%s.%s %s, %s, %s, %s;", half, typ, d, a, b, c), w, func(a, b, c uint64) uint64 {
				return of(n().Add(n().Rsh(n().Mul(ext(a), ext(b)), shift), ext(c)))
			})
		}
		if w < 64 {
			x := reg(2*w, "d")
			add(fmt.Sprintf("mul.wide.%s %s, %s, %s;", typ, x, a, b), 2*w, func(a, b, _ uint64) uint64 {
				return of(n().Mul(ext(a), ext(b)))
			})
			add(fmt.Sprintf("mad.wide.%s %s, %s, %s, %s;", typ, x, a, b, reg(2*w, "c")), 2*w,
				func(a, b, c uint64) uint64 {
					return of(n().Add(n().Mul(ext(a), ext(b)), big.NewInt(sext(c, 2*w))))
				})
		}
		add(fmt.Sprintf("sad.%s %s, %s, %s, %s;", typ, d, a, b, c), w, func(a, b, c uint64) uint64 {
			return of(n().Add(n().Abs(n().Sub(ext(a), ext(b))), ext(c)))
		})
		add(fmt.Sprintf("shr.%s %s, %s, %%wb;", typ, d, a), w, func(a, b, _ uint64) uint64 {
			return of(n().Rsh(ext(a), uint(min(low(b, 32), 200))))
		})
		if signed {
			add(fmt.Sprintf("neg.%s %s, %s;", typ, d, a), w, func(a, _, _ uint64) uint64 { return -a })
			add(fmt.Sprintf("abs.%s %s, %s;", typ, d, a), w, func(a, _, _ uint64) uint64 {
				return of(n().Abs(ext(a)))
			})
		}
		for name, f := range map[string]func(c int) bool{"eq": func(c int) bool { return c == 0 },
			"ne": func(c int) bool { return c != 0 }, "lt": func(c int) bool { return c < 0 },
			"le": func(c int) bool { return c <= 0 }, "gt": func(c int) bool { return c > 0 },
			"ge": func(c int) bool { return c >= 0 }, "lo": func(c int) bool { return c < 0 },
			"ls": func(c int) bool { return c <= 0 }, "hi": func(c int) bool { return c > 0 },
			"hs": func(c int) bool { return c >= 0 }} {
			if signed && strings.Contains("lo ls hi hs", name) {
				continue // of unsigned numbers only
			}
			add(fmt.Sprintf("setp.%s.%s %%pd, %s, %s;", name, typ, a, b), 64, func(a, b, _ uint64) uint64 {
				return truth(f(ext(a).Cmp(ext(b))))
			})
			add(fmt.Sprintf("setp.%s.and.%s %%pd|%%pe, %s, %s, !%%pc;", name, typ, a, b), 64,
				func(a, b, c uint64) uint64 { return truth(f(ext(a).Cmp(ext(b))) && c&1 == 0) })
			add(fmt.Sprintf("setp.%s.or.%s %%pe|%%pd, %s, %s, %%pc;", name, typ, a, b), 64,
				func(a, b, c uint64) uint64 { return truth(!f(ext(a).Cmp(ext(b))) || c&1 != 0) })
			add(fmt.Sprintf("set.%s.u32.%s %%wd, %s, %s;", name, typ, a, b), 32, func(a, b, _ uint64) uint64 {
				return -truth(f(ext(a).Cmp(ext(b))))
			})
		}
	}
	for _, w := range []int{16, 32, 64} {
		typ := fmt.Sprintf("b%d", w)
		d, a, b := reg(w, "d"), reg(w, "a"), reg(w, "b")
		add(fmt.Sprintf("and.%s %s, %s, %s;", typ, d, a, b), w, func(a, b, _ uint64) uint64 {
			return a & b
		})
		add(fmt.Sprintf("or.%s %s, %s, %s;", typ, d, a, b), w, func(a, b, _ uint64) uint64 { return a | b })
		add(fmt.Sprintf("xor.%s %s, %s, %s;", typ, d, a, b), w, func(a, b, _ uint64) uint64 {
			return a ^ b
		})
		add(fmt.Sprintf("not.%s %s, %s;", typ, d, a), w, func(a, _, _ uint64) uint64 { return ^a })
		add(fmt.Sprintf("cnot.%s %s, %s;", typ, d, a), w, func(a, _, _ uint64) uint64 {
			return truth(low(a, w) == 0)
		})
		add(fmt.Sprintf("mov.%s %s, %s;", typ, d, a), w, func(a, _, _ uint64) uint64 { return a })
		add(fmt.Sprintf("selp.%s %s, %s, %s, %%pc;", typ, d, a, b), w, func(a, b, c uint64) uint64 {
			if c&1 != 0 {
				return a
			}
			return b
		})
		add(fmt.Sprintf("shl.%s %s, %s, %%wb;", typ, d, a), w, func(a, b, _ uint64) uint64 {
			if low(b, 32) > 63 {
				return 0
			}
			return a << low(b, 32)
		})
		add(fmt.Sprintf("slct.%s.s32 %s, %s, %s, %%wc;", typ, d, a, b), w, func(a, b, c uint64) uint64 {
			if int32(c) >= 0 {
				return a
			}
			return b
		})
		add(fmt.Sprintf("setp.ne.%s %%pd, %s, %s;", typ, a, b), 64, func(a, b, _ uint64) uint64 {
			return truth(low(a, w) != low(b, w))
		})
		add(fmt.Sprintf("setp.eq.%s %%pd, %s, %s;", typ, a, b), 64, func(a, b, _ uint64) uint64 {
			return truth(low(a, w) == low(b, w))
		})
		add(fmt.Sprintf("shr.%s %s, %s, %%wb;", typ, d, a), w, func(a, b, _ uint64) uint64 {
			return low(a, w) >> low(b, 32)
		})
	}
	return rows
}

func truth(t bool) uint64 {
	if t {
		return 1
	}
	return 0
}

func TestIntegers(t *testing.T) {
	in := numerictest.Wholes()
	for _, r := range ofPath("Integers", integerRows()) {
		r.check(t, in)
	}
}
