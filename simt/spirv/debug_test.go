package spirv

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"simtgdb/simt"
)

// stepped executes the first wave of a launch step by step, and does something before each.
func (r *ran) stepped(t *testing.T, do func(w *simt.Wave)) {
	t.Helper()
	if err := r.m.Fill(); err != nil {
		t.Fatal(err)
	}
	w := r.m.Waves()[0]
	for w.State == simt.Ready {
		do(w)
		if ev, err := r.m.StepWave(w, 1); err != nil || ev.Kind == simt.FaultEvent {
			t.Fatal(ev, err)
		}
	}
}

// callsLaunch is a launch of calls.comp by one wave.
func callsLaunch() launch {
	return launch{track: true, buffers: map[Slot][]byte{{}: make([]byte, 16*16)}}
}

// TestBreakpoints: at each address of a program waves stop as often as they come by, with the lanes that do,
// and go on from there; a breakpoint at a label stops before what is behind it.
func TestBreakpoints(t *testing.T) {
	words := testModule(t, "calls.10.spv")
	l := callsLaunch()
	visits := map[uint64][]uint64{} // lanes, by address
	l.start(t, words).stepped(t, func(w *simt.Wave) { visits[w.PC] = append(visits[w.PC], w.Exec) })
	labels := 0
	for at := 5; at < len(words); at += int(words[at] >> 16) {
		addr := codeBase + 4*uint64(at)
		behind := addr // what is executed there, or first behind a label
		if words[at]&0xffff == opLabel {
			for visits[behind] == nil && behind < addr+100 {
				behind += 4 * uint64(words[(behind-codeBase)/4]>>16)
			}
		}
		want := visits[behind]
		switch label := words[at]&0xffff == opLabel; {
		case label && len(want) > 0:
			labels++
		case label || at%11 != 0 || len(want) == 0:
			continue
		}
		r := l.start(t, words)
		r.m.SetBreakpoint(addr)
		if err := r.m.Fill(); err != nil {
			t.Fatal(err)
		}
		w, got := r.m.Waves()[0], []uint64(nil)
		for w.State == simt.Ready {
			ev, err := r.m.StepWave(w, math.MaxInt32)
			if err != nil {
				t.Fatal(err)
			}
			if ev.Kind == simt.BreakEvent {
				if ev.PC != behind || w.PC != behind {
					t.Errorf("a breakpoint at %#x stops at %#x, want %#x", addr, ev.PC, behind)
				}
				got = append(got, ev.Lanes)
				w.SkipBreak = true
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("a breakpoint at %#x, %s, stops lanes %#x, want %#x", addr, row{"", words[at] & 0xffff},
				got, want)
		}
	}
	if labels < 9 {
		t.Errorf("%d breakpoints at labels", labels)
	}
}

// TestReuse: a core goes on with the next launch of its program, and its breakpoints.
func TestReuse(t *testing.T) {
	words := testModule(t, "calls.10.spv")
	l := callsLaunch()
	r := l.start(t, words)
	machine := func() *simt.Machine {
		m, err := simt.New(r.m.Mem, r.isa, r.m.Dispatch)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	first, next := machine(), machine()
	core := r.isa.NewCore(first).(simt.Reuser)
	if !core.Reuse(next) {
		t.Error("the next launch cannot have the core")
	}
	if other := l.start(t, words); core.Reuse(other.m) {
		t.Error("another program has the core")
	}
	var want []float32
	for i := range 16 {
		want = append(want, callsReference(i)...)
	}
	pool := &simt.CorePool{}
	for range 3 {
		clear(r.regions[Slot{}].Data)
		m := machine()
		m.Cores = pool
		if ev, err := m.Run(context.Background(), 1); err != nil || ev.Kind != simt.EndEvent {
			t.Fatal(ev, err)
		}
		same(t, r.floats(Slot{}), want)
	}
	m := machine()
	m.SetBreakpoint(r.p.Entry())
	m.Cores = pool
	if err := m.Fill(); err != nil {
		t.Fatal(err)
	}
	ev, err := m.StepWave(m.Waves()[0], 9)
	if err != nil || ev.Kind != simt.BreakEvent || ev.PC != r.p.Entry() {
		t.Error(ev, err)
	}
}

// TestReturned: after a call, what debuggers are told of the place of its value has that value.
func TestReturned(t *testing.T) {
	words := testModule(t, "calls.10.spv")
	l := callsLaunch()
	r := l.start(t, words)
	results := map[uint64]uint32{} // of calls, by their addresses
	for at := 5; at < len(words); at += int(words[at] >> 16) {
		if words[at]&0xffff == opFunctionCall {
			results[codeBase+4*uint64(at)] = words[at+2]
		} else if _, err := r.p.ReturnedBy(codeBase + 4*uint64(at)); err == nil {
			t.Errorf("word %d is no call, and has a value", at)
		}
	}
	if _, err := r.p.ReturnedBy(1); err == nil || !strings.Contains(err.Error(), "no call at 0x1") {
		t.Errorf("%v", err)
	}
	calls, before, compared := map[int]uint64{}, 0, 0
	r.stepped(t, func(w *simt.Wave) {
		s := w.Regs.(*State)
		if depth := len(s.frames); depth < before {
			site := calls[before]
			leaves, err := r.p.ReturnedBy(site)
			if err != nil {
				t.Fatal(err)
			}
			for k, leaf := range leaves {
				slot, ok := r.p.SlotOf(results[site], k)
				if !ok || leaf.Size != 4 || leaf.Offset != uint64(4*k) {
					t.Errorf("scalar %d of the call at %#x: %+v", k, site, leaf)
				}
				for lane := range s.lanes {
					if w.Exec>>lane&1 == 0 {
						continue
					}
					if got, want := s.f[leaf.Slot*s.lanes+lane], s.f[slot*s.lanes+lane]; got != want {
						t.Errorf("scalar %d of the call at %#x is %#x, want %#x", k, site, got, want)
					}
					compared++
				}
			}
		}
		before = len(s.frames)
		if words[(w.PC-codeBase)/4]&0xffff == opFunctionCall {
			calls[before+1] = w.PC
		}
	})
	if compared < 16*3 {
		t.Errorf("%d scalars were compared", compared)
	}
}
