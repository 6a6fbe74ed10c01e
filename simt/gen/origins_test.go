package gen

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/fidelity"
	"simtgdb/testdata/sweep"
)

// TestOrigins executes forms of instructions in two states that differ only where they are inexact: whatever
// differs afterwards must be known as inexact in both. So no operand, flag, accumulator or byte of memory is
// forgotten. Messages with a predicate are all tried, several times: what a channel would have stored or
// loaded must be inexact, too, in the state in which its flag is off.
func TestOrigins(t *testing.T) {
	for _, g := range []*Generation{Gen9, Gen11, Gen12LP, XeHPG, XeHPC} {
		one := 16 // of so many forms
		if sweep.All() {
			one = 1
		}
		b := newBench(t, 32).of(g)
		b.core.w, b.core.r = b.w, b.r
		b.core.isa.Kernel.GeneralBase = b.data.Base - 0x800
		rnd, differ := rand.New(sweep.Source(7)), 0
		all := forms(t, g)
		for i, code := range all {
			in, err := g.Decode(append(code[:len(code):len(code)], make([]byte, 16)...), codeBase)
			if err != nil {
				t.Fatal(err)
			}
			tries, chosen := 1, i%one == 0
			if in.pred != 0 && in.Op.isMessage() {
				tries = 8
			} else if !chosen {
				continue
			}
			in.prepare()
			s := newSecret(b, in)
			if s == nil {
				continue
			}
			differs, leak := false, ""
			for ; tries > 0 && leak == ""; tries-- {
				s.forgetMemory()
				differs, leak = s.try(rnd)
			}
			b.m.RemoveObserver(s.t)
			if leak != "" {
				t.Errorf("%s: %s: %s", g.Name, in.trimmed(), leak)
			}
			if differs && chosen {
				differ++
			}
		}
		if differ < len(all)/one/4 {
			t.Errorf("%s: of %d forms only %d gave another result", g.Name, len(all)/one, differ)
		}
	}
}

// A secret is an instruction that is executed in states which differ where they are inexact.
type secret struct {
	b    *bench
	in   *Inst
	t    *fidelity.Tracker
	s    *origins
	from fidelity.Origins
}

// newSecret follows an instruction, nil for one that this test cannot judge.
func newSecret(b *bench, in *Inst) *secret {
	if in.faults || in.exec == nil || in.eot || in.Op.flow != simt.FlowNext ||
		in.Op.isMessage() && (in.moves == nil || in.descInA0 || in.exDescInA0) {
		return nil
	}
	tracker, err := fidelity.New(b.m)
	if err != nil {
		b.t.Fatal(err)
	}
	tracker.Follow(b.m)
	b.core.tracker, b.core.want, b.core.beside = tracker, simt.Everything(), simt.Everything()
	s := &secret{b: b, in: in, t: tracker,
		s: &origins{t: tracker, file: make([]fidelity.Origins, len(b.r.file))}}
	tracker.Registers(b.w, func() any { return s.s })
	s.from = tracker.Ran(tracker.Site(1, "test", "far", false), 1)
	in.traced(tracker)
	return s
}

// inexact chooses bytes of registers: not those of addresses, since what is elsewhere faults.
func (s *secret) inexact(rnd *rand.Rand) []bool {
	secret := make([]bool, len(s.b.r.file))
	mark := func(from, to, one int) {
		for at := from; at+4 <= to; at += 4 {
			for i := range 4 {
				secret[at+i] = secret[at+i] || rnd.Intn(one) == 0
			}
		}
	}
	mark(offGRF, s.b.r.gen.grfEnd(), 1+rnd.Intn(6))
	mark(offAcc, offFlag, 4)
	mark(offFlag, offFlag+flagBits/8, 4)
	mark(offRest, offRest+8*restBytes, 4)
	if p := s.in.moves; p != nil {
		width := 4
		if p.wide {
			width = 8
		}
		clear(secret[p.address : p.address+width*p.slots])
	}
	return secret
}

// A secretEnd is what an instruction has left.
type secretEnd struct {
	file         []byte
	data, shared []byte
	origins      origins
	stopped      bool
}

// run executes the instruction in a state of which some bytes are inexact.
func (s *secret) run(file []byte, secret []bool) secretEnd {
	b := s.b
	copy(b.r.file, file)
	for at, is := range secret {
		o := fidelity.Origins(0)
		if is {
			o = s.from
		}
		if i := at - offFlag; i < 0 || i >= flagBits/8 {
			s.s.file[at] = o
		} else {
			s.s.set(at, 1, o)
		}
	}
	b.core.stop, b.core.lanes, b.w.State = simt.Event{}, 0, simt.Ready
	s.in.exec(b.core, s.in)
	end := secretEnd{file: slices.Clone(b.r.file), data: slices.Clone(b.data.Data),
		shared:  slices.Clone(b.w.Group.LDS),
		origins: *s.s, stopped: b.core.stop.Kind != simt.NoEvent}
	end.origins.file = slices.Clone(s.s.file)
	return end
}

// forgetMemory makes all memory exact again.
func (s *secret) forgetMemory() {
	if s.in.Op.isMessage() {
		a := &fidelity.Access{Access: simt.Access{Wave: s.b.w, Space: simt.Global}}
		a.Lane[0] = s.b.data.Base
		s.t.Store(a, 0, 0, len(s.b.data.Data), 0)
		a.Space, a.Lane[0] = simt.LDS, 0
		s.t.Store(a, 0, 0, len(s.b.w.Group.LDS), 0)
	}
}

// inMemory is where a byte of memory comes from.
func (s *secret) inMemory(space simt.Space, at uint64) fidelity.Origins {
	a := &fidelity.Access{Access: simt.Access{Wave: s.b.w, Space: space}}
	a.Lane[0] = at
	return s.t.Load(a, 0, 0, 1)
}

// try executes it in two states, and reports whether something that it gives differs, and what differs that
// counts as exact.
func (s *secret) try(rnd *rand.Rand) (differs bool, leak string) {
	b := s.b
	fillRegisters(b.r, rnd)
	b.r.setU32(offCR, crDenormDF|crDenormF)
	b.w.Exec = [...]uint64{0xffffffff, uint64(rnd.Uint32()) | 1, 0xff00ff}[rnd.Intn(3)]
	if s.in.moves != nil {
		b.fillAddresses(s.in.moves, rnd)
		rnd.Read(b.data.Data)
		rnd.Read(b.w.Group.LDS)
	}
	first, data, shared := slices.Clone(b.r.file), slices.Clone(b.data.Data), slices.Clone(b.w.Group.LDS)
	secret := s.inexact(rnd)
	other := slices.Clone(first)
	for at, is := range secret {
		if is {
			other[at] = byte(rnd.Uint32())
		}
	}
	x := s.run(first, secret)
	copy(b.data.Data, data)
	copy(b.w.Group.LDS, shared)
	s.forgetMemory()
	y := s.run(other, secret)
	if x.stopped || y.stopped {
		return false, ""
	}
	for at := range x.file {
		switch {
		case x.file[at] == y.file[at] || at >= offCE && at < offRest || at < offAcc:
			continue
		case !secret[at]:
			differs = true
		}
		if x.origins.of(at, 1) == 0 || y.origins.of(at, 1) == 0 {
			return true, fmt.Sprintf("byte %#x of the file differs and counts as exact (r%d), exec %#x", at,
				(at-offGRF)/b.r.gen.regBytes, b.w.Exec)
		}
	}
	for at := range x.data {
		if x.data[at] != y.data[at] {
			if differs = true; s.inMemory(simt.Global, b.data.Base+uint64(at)) == 0 {
				return true, fmt.Sprintf("byte %#x of memory differs and counts as exact", at)
			}
		}
	}
	for at := range x.shared {
		if x.shared[at] != y.shared[at] {
			if differs = true; s.inMemory(simt.LDS, uint64(at)) == 0 {
				return true, fmt.Sprintf("byte %#x of local memory differs and counts as exact", at)
			}
		}
	}
	return differs, ""
}
