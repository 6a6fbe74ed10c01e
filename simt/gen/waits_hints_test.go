package gen

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/simt"
)

// TestHints: programs of hints.asm, by names; dependencies that nobody clears, and bytes that two
// instructions write of which one does not wait, are told of, and no sequence that is as it should be.
func TestHints(t *testing.T) {
	const (
		read  = "r10 is read, whose dependency NoDDClr has left set: the thread waits for ever"
		waits = "r10 is written without NoDDChk, and NoDDClr has left its dependency set: the thread waits for ever"
		twice = "bytes of r10 are written that an instruction writes for which NoDDChk does not wait"
	)
	a, used := assembledFrom(t, "testdata/hints.txt"), map[string]bool{}
	for program, want := range map[string][]string{
		"low-clr high-chk read":           nil,
		"low-clr high-chk store":          nil,
		"words-clr words-chk read":        nil,
		"low-clr high-both last-chk read": {twice},
		"low-clr other high-chk read":     nil,
		"low-clr high-chk low read":       nil,
		"low high-chk read":               nil, // the first may be done
		"low high low-clr high-chk":       nil,
		"low-clr high-both":               nil,

		"low-clr read":                   {read},
		"low-clr read-high":              {read}, // a register has one dependency
		"low-clr store":                  {read},
		"low-clr high-both read":         {read},
		"low-clr none-chk read":          {read},
		"low-clr high":                   {waits},
		"low-clr load":                   {waits},
		"low-clr low-clr":                {waits},
		"low-clr low-chk":                {twice},
		"low-clr high-both low-chk read": {twice},
		"low-clr high-both high-chk":     {twice},
		"low-clr read read":              {read},
	} {
		t.Run(program, func(t *testing.T) {
			b, j := newBench(t, 8), &judge{}
			b.m.AddObserver(j)
			var code []string
			names := strings.Fields(program)
			for _, name := range names {
				code, used[name] = append(code, a[name]), true
			}
			b.load(code...)
			for i := range 8 {
				b.r.setU32(offGRF+16*regBytes+8*i, uint32(b.data.Base)+8*uint32(i))
			}
			for range names {
				if ev := b.core.Run(b.w, 1); ev.Kind != simt.NoEvent && ev.Kind != simt.WatchEvent {
					t.Fatalf("%v %+v", ev.Kind, ev.Fault)
				}
			}
			var got []string
			for _, u := range j.seen {
				got = append(got, u.Text)
				if u.From < codeBase || u.From >= u.PC {
					t.Errorf("%#x, from %#x", u.PC, u.From)
				}
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
		})
	}
	for name := range a {
		if !used[name] {
			t.Errorf("no program has %s", name)
		}
	}
}
