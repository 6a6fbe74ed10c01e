package stub

import (
	"encoding/hex"
	"io"
	"slices"
	"testing"

	"simtgdb/rsp"
	"simtgdb/rsp/agent"
	"simtgdb/simt"
	"simtgdb/stub/facade"
	"simtgdb/stub/threads"
	"simtgdb/testdata/sweep"
)

// conditionAt is a session whose first wave has come to line 23 of a kernel, and a breakpoint there with a
// condition as gdb 13.1 compiles it.
func conditionAt(t testing.TB, code string) *Session {
	t.Helper()
	s := sessionFor(t, "--grid", "64,64", "--block", "16,16", "--arg", "buf:i32[4096]", "--arg", "i32:64",
		"--arg", "i32:64", "--arg", "i32:3500", "--arg", "f32:-0.2", "--arg", "f32:0.2", "--arg", "f32:0.006",
		"--code-object", testdata+"/co/mandelbrot.gfx90a.O0.co")
	bytes, err := hex.DecodeString(code)
	if err != nil {
		t.Fatal(err)
	}
	p, err := agent.Decode(bytes)
	if err != nil {
		t.Fatal(err)
	}
	const line23 = 0x26c4
	if err := s.InsertSoftwareBreakpoint(rsp.Breakpoint{Address: line23}); err != nil {
		t.Fatal(err)
	}
	if stop, err := s.Resume(t.Context(),
		rsp.Resumption{Actions: []rsp.Action{letAllRun}, Console: io.Discard}); err != nil || stop.Kind !=
		rsp.Stopped {
		t.Fatal(stop, err)
	}
	b := rsp.Breakpoint{Address: line23, Conditions: []*agent.Program{p}}
	if err := s.InsertSoftwareBreakpoint(b); err != nil {
		t.Fatal(err)
	}
	return s
}

// BenchmarkCondition evaluates conditions that hold for none of the 64 lanes of a wave.
func BenchmarkCondition(b *testing.B) {
	for _, c := range []struct{ text, code string }{
		{"step == -1", "260007230130021a19162022ff16081327"},
		{"step == -1 && limit == 7", "260007230130021a19162022ff16081320001621002d26000122180219162022071320002821002d220121002f220027"},
	} {
		b.Run(c.text, func(b *testing.B) {
			s := conditionAt(b, c.code)
			w := s.machine.Waves()[0]
			for b.Loop() {
				if s.triggers(w, w.Active()) != 0 {
					b.Fatal("it holds")
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(64*b.N), "ns/lane")
		})
	}
}

// TestCommonPlaces: what conditions find of an object, by a location that was perhaps evaluated for another
// lane, is what gdb finds by the lane's own frames.
func TestCommonPlaces(t *testing.T) {
	alike := 0 // values that are known to be the same in a wave
	sessions := map[string]func(t *testing.T) *Session{"gcn optimised": func(t *testing.T) *Session {
		return sessionFor(t, "--launch", testdata+"/launch/matmul.json",
			"--code-object", testdata+"/co/matmul.gfx90a.O2.co")
	}}
	for name := range reversible {
		sessions[name] = func(t *testing.T) *Session { return reversibleSession(t, name) }
	}
	for name, session := range sessions {
		t.Run(name, func(t *testing.T) {
			s := session(t)
			handle := slices.IndexFunc(s.registers, func(r register) bool { return r.role == facade.Handle })
			base := slices.IndexFunc(s.registers, func(r register) bool { return r.role == facade.Base })
			found := map[bool]int{}
			apart := sweep.Step(7)
			for n := range 40 {
				if _, err := s.advance(13); err != nil {
					t.Fatal(err)
				}
				s.frames.Forget()
				for _, w := range s.machine.Waves()[:min(2, len(s.machine.Waves()))] {
					ctx := laneContext{session: s, wave: w, places: commonPlaces{frames: s.frames, wave: w}}
					ofWave := map[agent.Field]uint64{}
					simt.Lanes(w.Active(), func(l int) {
						if (l+n)%apart != 0 {
							return
						}
						ctx.lane, ctx.thread = l, threads.Of(w, l)
						fields := []agent.Field{{Register: base, Offset: 8, Size: 4}}
						for _, slot := range s.symbols.Slots {
							at := agent.Field{Register: handle, Offset: uint64(slot.At), Size: 8}
							value := at
							value.Then = int(min(slot.Size, 4))
							fields = append(fields, at, value)
						}
						for _, f := range fields {
							v, ok, err := ctx.LoadField(&f)
							found[ok]++
							if !ok {
								continue
							}
							register, _ := ctx.Register(f.Register)
							want, err2 := ctx.Load(register+f.Offset, f.Size)
							if f.Then > 0 && err2 == nil {
								want, err2 = ctx.Load(want, f.Then)
							}
							if known, ok := (&sureOfValues{sureContext{s, w, l, sureOfWave}, &ctx}).KnownField(&f); ok {
								if first, seen := ofWave[f]; seen && first != known || known != want {
									t.Fatalf("%+v is %#x of the wave, and %#x in lane %d", f, first, want, l)
								}
								ofWave[f] = known
								alike++
							}
							if v != want || (err == nil) != (err2 == nil) {
								t.Fatalf("%+v in lane %d of wave %d at %#x: %#x %v, want %#x %v",
									f, l, w.ID, w.PC, v, err, want, err2)
							}
						}
					})
				}
			}
			if found[true] == 0 {
				t.Error("none is found so")
			}
		})
	}
	if alike == 0 {
		t.Error("no value is known of a wave")
	}
}
