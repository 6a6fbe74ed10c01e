package profile_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestBounds: of very many waves, instructions and waits the page shows the first or the most executed and
// says how many it does not; the figures are of all, and JSON has all instructions.
func TestBounds(t *testing.T) {
	const block, kept, rows, bars = 32, 1 << 14, 4096, 400
	t.Run("waves", func(t *testing.T) {
		const waves = kept + 10
		r, _, err := profiled(t, written(t, waves*block, block, block, "add.u32 %r2, %r2, 1;"))
		if err != nil {
			t.Fatal(err)
		}
		if r.WaveCount != waves || len(r.Waves) != kept || r.WavesLeftOut != waves-kept ||
			r.Total.Executed != 5*waves {
			t.Errorf("%d waves, %d kept, %d left out, %d instructions", r.WaveCount, len(r.Waves),
				r.WavesLeftOut, r.Total.Executed)
		}
		var b bytes.Buffer
		if err := r.HTML(&b); err != nil {
			t.Fatal(err)
		}
		page := b.String()
		if want := "15994 further waves are not shown"; !strings.Contains(page, want) ||
			strings.Count(page, "<title>wave ") != bars {
			t.Errorf("%d bars, %q: %v",
				strings.Count(page, "<title>wave "), want, strings.Contains(page, want))
		}
	})
	t.Run("instructions and waits", func(t *testing.T) {
		const more = 6000
		body := "setp.lt.u32 %p1, %r1, 32;\n"
		for i := range 300 { // one warp waits for the other
			body += fmt.Sprintf("@%%p1 bra on%d; add.u32 %%r2, %%r2, 1; add.u32 %%r2, %%r2, 1; on%d: bar.sync 0;\n", i,
				i)
		}
		body += strings.Repeat("\tadd.u32 %r3, %r3, 1;\n", more)
		r, _, err := profiled(t, written(t, 2*block, 2*block, block, body))
		if err != nil {
			t.Fatal(err)
		}
		var back struct {
			Instructions []struct{ Executed uint64 }
			Waves        []struct{ Waits []struct{ From, To uint64 } }
		}
		if data, err := json.Marshal(r); err != nil || json.Unmarshal(data, &back) != nil {
			t.Fatal(err)
		}
		sum, waits := uint64(0), 0
		for _, in := range back.Instructions {
			sum += in.Executed
		}
		for _, w := range back.Waves {
			waits = max(waits, len(w.Waits))
		}
		if len(back.Instructions) < more || sum != r.Total.Executed || waits != 200 {
			t.Errorf("%d instructions in JSON, executed %d of %d times; %d waits", len(back.Instructions),
				sum, r.Total.Executed, waits)
		}
		var b bytes.Buffer
		if err := r.HTML(&b); err != nil {
			t.Fatal(err)
		}
		page := b.String()
		if !strings.Contains(page, " further instructions, which were executed less often, are not shown") ||
			strings.Count(page, ">add.u32 %r3, %r3, 1;<") > rows || len(page) > 8<<20 {
			t.Errorf("%d rows in %d bytes", strings.Count(page, ">add.u32 %r3, %r3, 1;<"), len(page))
		}
	})
}
