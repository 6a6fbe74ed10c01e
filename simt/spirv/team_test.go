package spirv

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/check"
	"simtgdb/simt/rows/host"
)

// A teamISA is one whose cores note the turns that waves have as a team.
type teamISA struct {
	*ISA
	turns *int
}

type teamCore struct {
	*core
	turns *int
}

func (a teamISA) NewCore(m *simt.Machine) simt.Core {
	return teamCore{a.ISA.NewCore(m).(*core), a.turns}
}

func (c teamCore) RunTeam(g *simt.Workgroup, n uint64, rounds int) (done, next int, kind simt.EventKind) {
	done, next, kind = c.core.RunTeam(g, n, rounds)
	c.Turns(func(int, uint64) { *c.turns++ })
	return done, next, kind
}

// An endsChecker counts waves that have ended.
type endsChecker struct {
	*check.Checker
	ends int
}

func (c *endsChecker) Ended(w *simt.Wave) {
	c.ends++
	c.Checker.Ended(w)
}

// TestCheckedTeam: checkers find the same in a product of matrices, with and without each of its barriers and
// stores, whether its waves have their turns as a team or are interpreted one by one.
func TestCheckedTeam(t *testing.T) {
	for _, kinds := range []check.Kinds{check.Race | check.Barrier, check.Race | check.Uninit, check.All} {
		t.Run(kinds.String(), func(t *testing.T) { checkedTeam(t, kinds) })
	}
}

func checkedTeam(t *testing.T, kinds check.Kinds) {
	b, err := os.ReadFile(filepath.Join("..", "..", "testdata", "bench", "bench.spv"))
	if err != nil {
		t.Fatal(err)
	}
	words := wordsOf(b)
	turns := 0
	if got := foundIn(t, kinds, words, &turns); len(got) > 0 {
		t.Errorf("with all that it has: %s", strings.Join(got, "\n"))
	}
	barriers, unset, runs := 0, 0, false
	functions := reached(words, "matmul")
	for at := 5; at < len(words); at += int(words[at] >> 16) {
		const function, controlBarrier, store, nop = 54, 224, 62, 1 << 16
		size, op := int(words[at]>>16), words[at]&0xffff
		if op == function {
			runs = functions[words[at+2]]
		}
		if !runs || op != controlBarrier && op != store {
			continue
		}
		without := slices.Clone(words)
		for i := range size {
			without[at+i] = nop
		}
		found := foundIn(t, kinds, without, &turns)
		switch {
		case op == store && strings.Contains(strings.Join(found, "\n"), "uninit"):
			unset++
		case op == controlBarrier && len(found) == 0:
			t.Errorf("without the barrier at word %d no race is found", at)
		case op == controlBarrier:
			barriers++
		}
	}
	if barriers != 2 {
		t.Errorf("%d barriers were taken away", barriers)
	}
	if kinds&check.Uninit != 0 && unset != 2 {
		t.Errorf("%d stores were missed", unset)
	}
	if host.Available() && turns < 100 {
		t.Errorf("%d turns in teams are too few to tell", turns)
	}
}

// reached are the functions of a module that an entry point comes to.
func reached(words []uint32, entry string) map[uint32]bool {
	const entryPoint, function, call = 15, 54, 57
	of, all := uint32(0), map[uint32]bool{}
	calls := map[uint32][]uint32{}
	var come func(to uint32)
	come = func(to uint32) {
		if !all[to] {
			all[to] = true
			for _, next := range calls[to] {
				come(next)
			}
		}
	}
	first := uint32(0)
	for at := 5; at < len(words); at += int(words[at] >> 16) {
		switch words[at] & 0xffff {
		case entryPoint:
			if bytes.HasPrefix(bytes32(words[at+3:]...), []byte(entry+"\x00")) {
				first = words[at+2]
			}
		case function:
			of = words[at+2]
		case call:
			calls[of] = append(calls[of], words[at+3])
		}
	}
	come(first)
	return all
}

// foundIn is what is found in a product of matrices, which must be the same interpreted.
func foundIn(t *testing.T, kinds check.Kinds, words []uint32, turns *int) (got []string) {
	t.Helper()
	defer func(old uint8) { translateAfter = old }(translateAfter)
	translateAfter = 1
	const side = 48
	args := make([]byte, 28)
	args[24] = side
	l := launch{groups: [3]uint32{side / 16, side / 16}, block: [3]uint32{16, 16, 1},
		args:    args,
		o:       Options{SubgroupSize: 32, Entry: "matmul"},
		pointer: map[uint64]Slot{0: {0, 0, 0}, 8: {0, 1, 0}, 16: {0, 2, 0}},
		buffers: map[Slot][]byte{}}
	for i := range uint32(3) {
		l.buffers[Slot{0, i, 0}] = make([]byte, 4*side*side)
	}
	var found [2][]string
	for k := range found {
		made := l.start(t, words).m
		m, err := simt.New(made.Mem, teamISA{made.ISA().(*ISA), turns}, made.Dispatch)
		if err != nil {
			t.Fatal(err)
		}
		m.Interpret = k == 0
		c := &endsChecker{Checker: check.New(m, kinds)}
		c.Sink = func(r *check.Report) bool {
			found[k] = append(found[k], fmt.Sprintf("%v %#x of wave %d, lanes %#x: %v %#x %v", r.Kind, r.PC,
				r.Wave.ID, r.Lanes, r.Space, r.Addr, r.Others))
			return false
		}
		m.AddObserver(c)
		if ev, err := m.Run(context.Background(), 1); err != nil || ev.Kind != simt.EndEvent {
			t.Fatal(err, ev.Kind, ev.Fault)
		}
		if waves := m.Stats().Waves; uint64(c.ends) != uint64(waves) {
			t.Errorf("the checker is told of the ends of %d waves of %d", c.ends, waves)
		}
	}
	if !slices.Equal(found[0], found[1]) {
		t.Errorf("interpreted\n%s\ntranslated\n%s", strings.Join(found[0], "\n"),
			strings.Join(found[1], "\n"))
	}
	return found[1]
}
