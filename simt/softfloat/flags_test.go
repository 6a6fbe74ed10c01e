package softfloat

import (
	_ "embed"
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"
)

// flagsOfX86 is what testdata/flags.c prints.
//
//go:embed testdata/flags.txt
var flagsOfX86 string

// TestFlags compares with the exceptions that an x86-64 processor raises, which numbers the rounding modes
// another way.
func TestFlags(t *testing.T) {
	modes := [4]uint8{RoundNearest, RoundDown, RoundUp, RoundZero}
	seen := map[string]int{}
	for line := range strings.Lines(flagsOfX86) {
		var op string
		var width, round, flush int
		var a, b, c uint64
		var want Flags
		if _, err := fmt.Sscanf(line, "%s %d %d %d %x %x %x %x", &op, &width, &round, &flush, &a, &b, &c,
			&want); err != nil {
			t.Fatal(err)
		}
		f, g := Single, Double
		if width == 64 {
			f, g = Double, Single
		}
		e := Env{Round: modes[round], KeepIn: flush == 0, KeepOut: flush == 0}
		var got Flags
		switch op {
		case "add":
			got = f.AddFlags(a, b, e)
		case "mul":
			got = f.MulFlags(a, b, e)
		case "div":
			got = f.DivFlags(a, b, e)
		case "sqrt":
			got = f.SqrtFlags(a, e)
		case "fma":
			got = f.FMAFlags(a, b, c, 0, e)
		case "convert":
			got = f.ConvertFlags(g, a, e, e)
		case "int":
			got = f.IntFlags(a, math.MinInt32, math.MaxInt32, e)
			want |= got & Denormal // which cvttsd2si does not tell
		default:
			t.Fatalf("%q", line)
		}
		seen[op]++
		if got != want {
			t.Errorf("%s: raises %06b, want %06b", strings.TrimSpace(line), got, want)
		}
	}
	if len(seen) != 7 {
		t.Errorf("there are %v", seen)
	}
}

// TestRoundFlags has halves, which x86 does not add.
func TestRoundFlags(t *testing.T) {
	keep := Env{KeepIn: true, KeepOut: true}
	for _, c := range []struct {
		x    float64
		e    Env
		want Flags
	}{
		{0, keep, 0}, {1, keep, 0}, {65504, keep, 0}, {65519, keep, Inexact},
		{65520, keep, Overflow | Inexact},
		{65520, Env{Round: RoundZero, KeepOut: true}, Inexact}, {0x1p-14, keep, 0}, {0x1p-24, keep, 0},
		{0x1p-25, keep, Underflow | Inexact}, {0x1p-24, Env{}, Underflow | Inexact},
		{1 + 0x1p-11, keep, Inexact},
		{0x1p-14 - 0x1p-26, keep, Inexact}, {0x1p-14 - 0x1p-24, keep, 0},
	} {
		if got := Half.RoundFlags(new(big.Float).SetFloat64(c.x), c.e); got != c.want {
			t.Errorf("%g with %+v raises %06b, want %06b", c.x, c.e, got, c.want)
		}
	}
}

func TestLdexpFlags(t *testing.T) {
	keep := Env{KeepIn: true, KeepOut: true}
	one := Single.One()
	for n, want := range map[int]Flags{0: 0, 127: 0, 128: Overflow | Inexact, -149: 0,
		-150: Underflow | Inexact, math.MinInt32: Underflow | Inexact} {
		if got := Single.LdexpFlags(one, n, keep); got != want {
			t.Errorf("1*2^%d raises %06b, want %06b", n, got, want)
		}
	}
	if got := Single.LdexpFlags(Single.Inf()|1, 3, keep); got != Invalid {
		t.Errorf("a signaling NaN raises %06b", got)
	}
	if got := Single.QuietFlags(keep, one, 1); got != Denormal {
		t.Errorf("a denormal operand raises %06b", got)
	}
}
