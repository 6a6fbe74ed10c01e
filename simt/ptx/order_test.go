package ptx_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/simt"
	"simtgdb/simt/check"
)

// A fenceWatch keeps the fences that it is told of, and who met at barriers that opened.
type fenceWatch struct {
	*check.Checker
	fences   []simt.Fence
	meetings []simt.Meeting
}

func (w *fenceWatch) Fence(wave *simt.Wave, f simt.Fence) {
	w.fences = append(w.fences, f)
	w.Checker.Fence(wave, f)
}

func (w *fenceWatch) Opened(m simt.Meeting) {
	w.meetings = append(w.meetings, m)
	w.Checker.Opened(m)
}

// watched runs a kernel of a body with a watch.
func watched(t *testing.T, body string, l launch) *fenceWatch {
	t.Helper()
	p := faultyProgram(t, body)
	l.args = []any{make([]uint32, 64)}
	m, _ := p.machine("k", &l)
	w := &fenceWatch{Checker: check.New(m, check.Race)}
	m.AddObserver(w)
	if ev, err := m.Run(context.Background(), 1); err != nil || ev.Kind != simt.EndEvent {
		t.Fatal(body, ev, ev.Fault, err)
	}
	return w
}

// TestFences: what fences order is what their qualifiers say (PTX ISA, "membar, fence"); those of proxies
// order nothing.
func TestFences(t *testing.T) {
	const both = simt.Acquire | simt.Release
	device := simt.Fence{Order: both, Spaces: simt.AllSpaces}
	group := simt.Fence{Order: both, Scope: simt.GroupScope, Spaces: simt.AllSpaces}
	for body, want := range map[string][]simt.Fence{
		"membar.cta;": {group}, "membar.gl;": {device}, "membar.sys;": {device},
		"fence.acq_rel.cta;": {group}, "fence.sc.gpu;": {device}, "fence.sc.sys;": {device},
		"fence.proxy.alias;":                        nil,
		"setp.gt.u32 %p2, %r1, 99; @%p2 membar.gl;": nil, // by none
	} {
		if got := watched(t, body, grid(32, 32)).fences; !slices.Equal(got, want) {
			t.Errorf("%s: %+v, want %+v", body, got, want)
		}
	}
}

// TestClusterMeetings: who meets at the barrier of a cluster are the waves of all its workgroups.
func TestClusterMeetings(t *testing.T) {
	l := grid(128, 64)
	l.cluster = [3]uint32{2, 1, 1}
	w := watched(t, "barrier.cluster.arrive; barrier.cluster.wait;", l)
	released := simt.Fence{Order: simt.Release, Scope: simt.GroupScope, Spaces: simt.AllSpaces}
	if !slices.Equal(w.fences, slices.Repeat([]simt.Fence{released}, 4)) {
		t.Errorf("arriving orders %+v", w.fences)
	}
	if len(w.meetings) != 1 {
		t.Fatalf("%+v", w.meetings)
	}
	m := w.meetings[0]
	if len(m.Waves) != 4 || !m.Cluster || !m.Part || !m.Anywhere {
		t.Errorf("%+v", m)
	}
	w = watched(t, "barrier.cluster.arrive.relaxed; barrier.cluster.wait;", l)
	if len(w.fences) != 0 {
		t.Errorf("arriving relaxed orders %+v", w.fences)
	}
}

// TestClusterUndefined: who arrives at the barrier of a cluster twice, or waits without having arrived, is
// told of.
func TestClusterUndefined(t *testing.T) {
	for body, want := range map[string]string{
		"barrier.cluster.arrive; barrier.cluster.wait;": "",
		"barrier.cluster.arrive; barrier.cluster.arrive; barrier.cluster.wait;": "" +
			"arrives once more before it has waited",
		"@!%p1 barrier.cluster.arrive; @%p1 barrier.cluster.arrive; barrier.cluster.wait;": "",
	} {
		l := grid(32, 32)
		l.cluster = [3]uint32{1, 1, 1}
		l.args = []any{make([]uint32, 64)}
		m, _ := faultyProgram(t, body).machine("k", &l)
		var told []string
		checker := check.New(m, check.Undefined)
		checker.Sink = func(r *check.Report) bool {
			told = append(told, r.What)
			return false
		}
		checker.Attach()
		if ev, err := m.Run(context.Background(), 1); err != nil || ev.Kind != simt.EndEvent {
			t.Fatal(body, ev, ev.Fault, err)
		}
		if got := strings.Join(told, "\n"); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}

// A storeWatch keeps what lanes 0 and 5 write to global memory, as they say it before they do, or nil.
type storeWatch struct {
	*check.Checker
	stored [][2][]byte
}

func (w *storeWatch) Observe(a *simt.Access) bool {
	if a.Write && a.Space == simt.Global {
		var of [2][]byte
		for i, lane := range []int{0, 5} {
			if a.Data != nil {
				of[i] = make([]byte, a.Size)
				a.Data(lane, of[i])
			}
		}
		w.stored = append(w.stored, of)
	}
	return w.Checker.Observe(a)
}

// TestStoredData: what lanes are about to store is known before it is there, but of atomic operations that
// compute it.
func TestStoredData(t *testing.T) {
	for body, want := range map[string][2][]byte{
		"st.global.u32 [%rd4], %r1;": {{0, 0, 0, 0}, {5, 0, 0, 0}},
		"st.global.u8 [%rd4], %r1;":  {{0}, {5}},
		"add.u64 %rd4, %rd4, %rd3; add.u32 %r2, %r1, 256; st.global.v2.u32 [%rd4], {%r1, %r2};": {
			{0, 0, 0, 0, 0, 1, 0, 0}, {5, 0, 0, 0, 5, 1, 0, 0}},
		"atom.global.exch.b32 %r2, [%rd4], %r1;": {{0, 0, 0, 0}, {5, 0, 0, 0}},
		"atom.global.add.u32 %r2, [%rd4], %r1;":  {},
		"red.global.add.u32 [%rd4], %r1;":        {},
	} {
		l := grid(8, 8)
		l.args = []any{make([]uint32, 64)}
		m, _ := faultyProgram(t, body).machine("k", &l)
		w := &storeWatch{Checker: check.New(m, check.Race)}
		m.AddObserver(w)
		if ev, err := m.Run(context.Background(), 1); err != nil || ev.Kind != simt.EndEvent {
			t.Fatal(body, ev, ev.Fault, err)
		}
		if d := cmp.Diff([][2][]byte{want}, w.stored); d != "" {
			t.Errorf("%s:\n%s", body, d)
		}
	}
}
