package profile_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/stub/launch"
	"simtgdb/stub/profile"
)

// made is a report of two lines and three instructions with figures of all kinds.
func made() *profile.Report {
	load := profile.Figures{Executed: 8, Lanes: 256, Possible: 512, Parted: 2, Loads: 8, Bytes: 1024,
		Lines:     24,
		BestLines: 16, Waited: 5}
	shared := profile.Figures{Executed: 4, Lanes: 256, Possible: 256, LDS: 4, Passes: 10, BestPass: 4,
		Scratch: 1}
	sum := profile.Figures{Executed: 4, Lanes: 64, Possible: 256, Floats: 2048, Integers: 512}
	r := &profile.Report{Program: "p", Kernel: "k", SourceName: "space::k<int>", Launches: 1, WaveSize: 64,
		WaveCount: 4,
		Turns:     100, Instructions: []profile.Instruction{
			{PC: 0, Text: "load", File: "a.cl", Line: 3, Figures: load},
			{PC: 4, Text: "shared", Function: "f", Figures: shared},
			{PC: 8, Text: "sum", Figures: sum}},
		Lines: []profile.Line{{File: "a.cl", Number: 3, Figures: load, Times: 8}, {Function: "f",
			Figures: shared, Times: 4},
			{Figures: sum, Times: 2}}}
	r.Total = profile.Figures{Executed: 16, Lanes: 576, Possible: 1024, Parted: 2, Loads: 8, Bytes: 1024,
		Lines:     24,
		BestLines: 16, Waited: 5, LDS: 4, Passes: 10, BestPass: 4, Scratch: 1, Floats: 2048, Integers: 512}
	return r
}

func textOf(t *testing.T, write func(w *strings.Builder) error) string {
	t.Helper()
	var b strings.Builder
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestText: totals, lines and instructions with their figures: percents are of the lanes that could execute,
// of lines of memory that had to be touched, and a dash stands where there is nothing.
func TestText(t *testing.T) {
	want := `space::k<int>: 4 waves of 64 lanes, 16 instructions in 100 turns
lanes active: 56 %; lanes parted 2 times
global memory: 8 accesses of waves, 1024 bytes, 24 lines of 64 bytes, coalescing 67 %
arithmetic: 2048 operations on floats, 512 on integers; for each byte of global memory 2 and 0.5
LDS: 4 accesses, 10 passes of 32 banks, 6 of them conflicts; scratch: 1 accesses
waited: 5 turns of waves

lines by instructions executed
  executed  times  lanes  parted  memory lines  coalescing  conflicts  waited          place
         8      8   50 %       2            24        67 %          -       5         a.cl:3
         4      4  100 %       -             -           -          6       -  no line, in f
         4      2   25 %       -             -           -          -       -        no line

lines by arithmetic
  floats  integers  bytes  floats/byte     place
    2048       512      -            -   no line

instructions by lines of global memory touched
        24  a.cl:3  load

instructions by lines of global memory beyond what was needed
         8  a.cl:3  load

instructions by conflicts of LDS banks
         6  no line, in f  shared

instructions behind which lanes parted
         2  a.cl:3  load

instructions at which waves waited, in turns
         5  a.cl:3  load
`
	got := textOf(t, func(w *strings.Builder) error { return made().Text(w) })
	words := func(s string) string { // with one blank between words: columns are as wide as they have to be
		var lines []string
		for l := range strings.SplitSeq(s, "\n") {
			lines = append(lines, strings.Join(strings.Fields(l), " "))
		}
		return strings.Join(lines, "\n")
	}
	if diff := cmp.Diff(words(want), words(got)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	r := made()
	r.Launches = 3
	if got := textOf(t, func(w *strings.Builder) error { return r.Text(w) }); !strings.HasPrefix(got,
		"space::k<int>: 3 launches, 4 waves") {
		t.Errorf("%.60s", got)
	}
	nothing := textOf(t, func(w *strings.Builder) error { return (&profile.Report{}).Text(w) })
	for _, want := range []string{"lanes active: 100 %", "coalescing -",
		"for each byte of global memory - and -"} {
		if !strings.Contains(nothing, want) {
			t.Errorf("nothing executed: no %q in\n%s", want, nothing)
		}
	}
	if strings.Contains(nothing, "lines by arithmetic") || strings.Contains(nothing, "instructions by") {
		t.Errorf("nothing executed:\n%s", nothing)
	}
}

// TestTextBounds: the hottest twenty lines are listed, the ten that compute most, and of each figure the ten
// instructions that have most of it, the first ones first.
func TestTextBounds(t *testing.T) {
	r := &profile.Report{SourceName: "k"}
	for i := range uint64(25) {
		f := profile.Figures{Executed: 100 + i, Parted: 1 + i%2, Floats: 1, Integers: i + 1}
		r.Lines = append(r.Lines, profile.Line{File: "a.cl", Number: int(i) + 1, Figures: f})
		r.Instructions = append(r.Instructions, profile.Instruction{Text: fmt.Sprintf("i%d", i), Figures: f})
	}
	text := textOf(t, func(w *strings.Builder) error { return r.Text(w) })
	parts := strings.Split(text, "\n\n")
	if len(parts) != 4 {
		t.Fatalf("%d parts\n%s", len(parts), text)
	}
	for i, want := range []struct {
		rows        int
		first, last string
	}{{22, "a.cl:25", "a.cl:6"}, {12, "a.cl:25", "a.cl:16"}, {11, "i1", "i19"}} {
		rows := strings.Split(strings.TrimSpace(parts[i+1]), "\n")
		head := want.rows - 20
		if i > 0 {
			head = want.rows - 10
		}
		if len(rows) != want.rows || !strings.HasSuffix(strings.TrimSpace(rows[head]), want.first) ||
			!strings.HasSuffix(strings.TrimSpace(rows[len(rows)-1]), want.last) {
			t.Errorf("%d rows, from %q to %q", len(rows), rows[head], rows[len(rows)-1])
		}
	}
}

// TestSessionWaits: a kernel's second launch comes behind the first one, with its waves and what they waited.
func TestSessionWaits(t *testing.T) {
	launch := func() *profile.Report {
		r := made()
		r.Waves = []profile.WaveTime{{Wave: 0, From: 1, To: 90, Waits: []profile.Span{{From: 10, To: 20},
			{From: 30, To: 31}}}}
		return r
	}
	var s profile.Session
	for range 3 {
		s.Add(launch())
	}
	k := s.Kernels[0]
	for i, w := range k.Waves {
		by := uint64(100 * i)
		want := []profile.Span{{From: 10 + by, To: 20 + by}, {From: 30 + by, To: 31 + by}}
		if w.Launch != i+1 || w.From != 1+by || w.To != 90+by || cmp.Diff(want, w.Waits) != "" {
			t.Errorf("launch %d: %+v", i+1, w)
		}
	}
	if len(k.Waves) != 3 || k.Turns != 300 || k.WaveCount != 12 ||
		k.WavesLeftOut != 9 || k.Total.Bytes != 3072 {
		t.Errorf("%d waves of %d, %d left out, %d turns", len(k.Waves), k.WaveCount, k.WavesLeftOut, k.Turns)
	}
	if len(s.Launches) != 3 || s.Launches[1].Nth != 2 ||
		s.Launches[1].Number != 2 || s.Launches[1].Turns != 100 {
		t.Errorf("%+v", s.Launches)
	}
}

// TestWaits: waves that come to a barrier together do not wait; one that comes some turns before does, for so
// long.
func TestWaits(t *testing.T) {
	for body, want := range map[string]int{"bar.sync 0;": 0,
		"setp.lt.u32 %p1, %r1, 32; @%p1 bra on; add.u32 %r2, %r2, 1; add.u32 %r2, %r2, 1; on: bar.sync " +
			"0;": 1} {
		r, _, err := profiled(t, written(t, 64, 64, 64, body))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, w := range r.Waves {
			n += len(w.Waits)
		}
		if n != want || (r.Total.Waited > 0) != (want > 0) {
			t.Errorf("%s: %d waits, %d turns", body, n, r.Total.Waited)
		}
	}
}

// TestLimit: a run ends when so many instructions have been executed, at the end of a turn of all waves;
// 0 is no limit.
func TestLimit(t *testing.T) {
	path := written(t, 32, 32, 64, "add.u32 %r2, %r2, 1; add.u32 %r2, %r2, 1;")
	all, _, err := profiled(t, path)
	if err != nil {
		t.Fatal(err)
	}
	for limit := range all.Total.Executed + 2 {
		s, err := launch.ReadSpec(launch.File{Path: path})
		if err != nil {
			t.Fatal(err)
		}
		p, err := s.Load()
		if err != nil {
			t.Fatal(err)
		}
		r, err := profile.Run(context.Background(), &profile.Program{M: p.Machine, Source: p.Source,
			Limit: limit})
		want := limit
		if limit == 0 || limit >= all.Total.Executed {
			want = all.Total.Executed
		}
		if r.Total.Executed != want || errors.Is(err, profile.ErrLimit) != (want < all.Total.Executed) {
			t.Errorf("limit %d: %d instructions of %d, %v", limit, r.Total.Executed, all.Total.Executed, err)
		}
	}
}
