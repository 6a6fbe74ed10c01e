package gen

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/simt"
	"simtgdb/simt/check"
)

// Instructions of Xe-HPG as iga64 -p=12p71 assembles them.
const (
	codeLoad     = "3143030000000c0a140c00fb00000002" // send.ugm (8|M0) r10 r12 … {$3}, a load
	codeUse      = "6100030060060514040a100000000000" // mov r20:d r10:d
	codeUseDst   = "6123030060060514040a100000000000" // the same {$3.dst}
	codeOver     = "610003006006050a041e100000000000" // mov r10:d r30:d
	codeFree     = "610003006006050c041e100000000000" // mov r12:d r30:d
	codeFreeSrc  = "613303006006050c041e100000000000" // the same {$3.src}
	codeAllwr    = "01000000004201000000003008000000" // sync.allwr ($3)
	codeAllrd    = "01000000000001000000002000000000" // sync.allrd null
	codeOther    = "01240000000001000000000000000000" // sync.nop null {$4.dst}
	codeAgain    = "3143030000000c28140c00fb00000002" // send.ugm (8|M0) r40 r12 … {$3}
	codeMath     = "38450300a00a052a042c101000000000" // math.inv r42:f r44:f {$5}
	codeMathOver = "610003006006052c041e100000000000" // mov r44:d r30:d
	codeMathUse  = "6100030060060514042a100000000000" // mov r20:d r42:d
	codeDpas     = "59460300603e072804320404043c0446" // dpas.8x8 r40:d r50:d r60:b r70.0:b {$6}
	codeDpasUse  = "6100030060060514042f100000000000" // mov r20:d r47:d
	codeDpasOver = "610003006006054d041e100000000000" // mov r77:d r30:d

	codeFloat   = "61000300a00a050a041e100000000000" // mov r10:f r30:f
	codeUseF1   = "6111030060060514040a100000000000" // mov r20:d r10:d {F@1}
	codeUseI1   = "6119030060060514040a100000000000" // the same {I@1}
	codeUseA1   = "6109030060060514040a100000000000" // the same {A@1}
	codeUseF2   = "6112030060060514040a100000000000" // the same {F@2}
	codeFloat22 = "61000300a00a0516041e100000000000" // mov r22:f r30:f
	codeOverF1  = "611103006006050a041e100000000000" // mov r10:d r30:d {F@1}
	codeNopF1   = "01110080000001000000000000000000" // sync.nop null {F@1}
)

// TestTokens: what comes too early is told of, and what has been waited for is not.
func TestTokens(t *testing.T) {
	used := "r10 is used before the wait for $3.dst, when what writes it is done"
	near := func(wait string) string {
		return "r10 is used before the wait for " + wait + ", when what writes it is done"
	}
	freed := "r12 is written before the wait for $3.src, when it has been read"
	for _, c := range []struct {
		name string
		code []string
		want []string
	}{
		{"used", []string{codeLoad, codeUse}, []string{used}},
		{"used, and waited for", []string{codeLoad, codeUseDst}, nil},
		{"used behind sync.allwr", []string{codeLoad, codeAllwr, codeUse}, nil},
		{"used behind sync.allrd", []string{codeLoad, codeAllrd, codeUse}, []string{used}},
		{"used behind another's wait", []string{codeLoad, codeOther, codeUse}, []string{used}},
		{"used when the token is set again", []string{codeLoad, codeAgain, codeUse}, nil},
		{"written over", []string{codeLoad, codeOver},
			[]string{"r10 is written before the wait for $3.dst, when what writes it too is done"}},
		{"its payload written", []string{codeLoad, codeFree}, []string{freed}},
		{"its payload written, and waited for", []string{codeLoad, codeFreeSrc}, nil},
		{"its payload written behind sync.allrd", []string{codeLoad, codeAllrd, codeFree}, nil},
		{"of math", []string{codeMath, codeMathUse, codeMathOver},
			[]string{"r42 is used before the wait for $5.dst, when what writes it is done",
				"r44 is written before the wait for $5.src, when it has been read"}},
		{"of dpas", []string{codeDpas, codeDpasUse, codeDpasOver},
			[]string{"r47 is used before the wait for $6.dst, when what writes it is done",
				"r77 is written before the wait for $6.src, when it has been read"}},
		{"of another pipeline", []string{codeFloat, codeUse}, []string{near("F@1")}},
		{"and waited for", []string{codeFloat, codeUseF1}, nil},
		{"with a wait for its own", []string{codeFloat, codeUseI1}, []string{near("F@1")}},
		{"with a wait for all", []string{codeFloat, codeUseA1}, nil},
		{"with a wait that is one too far", []string{codeFloat, codeUseF2}, []string{near("F@1")}},
		{"two back, and waited for", []string{codeFloat, codeFloat22, codeUseF2}, nil},
		{"two back", []string{codeFloat, codeFloat22, codeUse}, []string{near("F@2")}},
		{"two back, with a wait for the nearer", []string{codeFloat, codeFloat22, codeUseF1}, nil},
		{"behind sync.nop", []string{codeFloat, codeNopF1, codeUse}, nil},
		{"of the same pipeline", []string{codeOver, codeUse}, []string{near("I@1")}},
		{"far enough behind", slices.Concat([]string{codeFloat}, slices.Repeat([]string{codeFloat22}, 10),
			[]string{codeUse}), nil},
		{"written over by another pipeline", []string{codeFloat, codeOver},
			[]string{"r10 is written before the wait for F@1, when what writes it too is done"}},
		{"written over, and waited for", []string{codeFloat, codeOverF1}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, 8).of(XeHPG)
			checker, got := check.New(b.m, check.Wait), []string(nil)
			checker.Sink = func(r *check.Report) bool {
				got = append(got, fmt.Sprint(r.What))
				return false
			}
			checker.Attach()
			b.load(c.code...)
			b.addresses(func(i int) uint64 { return b.data.Base + 8*uint64(i) })
			if ev := b.core.Run(b.w, uint64(len(c.code))); ev.Kind != simt.NoEvent {
				t.Fatalf("%v %+v", ev.Kind, ev.Fault)
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}
