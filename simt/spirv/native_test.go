package spirv

import (
	"bytes"
	"context"
	"maps"
	"math/rand/v2"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/rows/x86"
	"simtgdb/simt/simttest"
)

// translateSoon has blocks translated when they run for the first time, and tells how many instructions
// translated code executes.
func translateSoon(count *uint64) (undo func()) {
	after, on := translateAfter, onTranslated
	translateAfter, onTranslated = 1, func(n uint64) { *count += n }
	return func() { translateAfter, onTranslated = after, on }
}

// runTranslated runs a module a few instructions at a time, translated and not, and compares all that there is
// of the machine after each step. It returns how many instructions translated code has executed.
func (l launch) runTranslated(t testing.TB, words []uint32) (count uint64) {
	t.Helper()
	if !x86.Available() {
		return 0
	}
	defer translateSoon(&count)()
	l.track, l.printed = true, nil
	var m [2]*simt.Machine
	for k := range m {
		l.buffers, l.args, l.push = maps.Clone(l.buffers), bytes.Clone(l.args), bytes.Clone(l.push)
		m[k] = l.start(t, words).m
		m[k].Interpret = k == 0
		if err := m[k].Fill(); err != nil {
			t.Fatal(err)
		}
	}
	r := rand.New(rand.NewPCG(uint64(len(words)), 1))
	const steps = 40
	for step := range steps {
		n := uint64(1 + r.IntN(60))
		var ev [2]simt.Event
		var digest [2]string
		for k := range m {
			var err error
			if step < steps-1 {
				ev[k], err = m[k].Advance(n)
			} else {
				ev[k], err = m[k].Run(context.Background(), 1)
			}
			if err != nil {
				t.Fatal(err)
			}
			digest[k] = simttest.Digest(m[k])
		}
		if ev[0].Kind != ev[1].Kind || ev[0].PC != ev[1].PC || ev[0].Lanes != ev[1].Lanes || digest[0] != digest[1] {
			t.Fatalf("step %d: interpreted %v at %#x, translated %v at %#x, same state: %v", step, ev[0].Kind,
				ev[0].PC, ev[1].Kind, ev[1].PC, digest[0] == digest[1])
		}
		if ev[0].Kind == simt.FaultEvent || m[0].Done() || m[0].Stuck() {
			break
		}
	}
	return count
}

// TestMostIsTranslated: what the tests of this package compare is mostly executed by translated code.
func TestMostIsTranslated(t *testing.T) {
	if !x86.Available() {
		t.Skip("no AVX-512")
	}
	l := launch{groups: [3]uint32{2}, push: append(bytes32(128), floatBytes(0.25)...),
		buffers: map[Slot][]byte{{0, 0, 0}: make([]byte, 1<<11), {0, 1, 0}: make([]byte, 1<<11)}}
	for _, name := range variants(t, "nbody") {
		words := testModule(t, name)
		r := l.start(t, words)
		if _, err := r.m.Run(context.Background(), 1); err != nil {
			t.Fatal(err)
		}
		all, count := r.m.Stats().Insts, l.runTranslated(t, words)
		if count < all*3/4 {
			t.Errorf("%s: %d of %d instructions are executed by translated code", name, count, all)
		}
	}
}
