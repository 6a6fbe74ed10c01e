package gcn

import (
	"bytes"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/fidelity"
	"simtgdb/testdata/sweep"
)

// Registers that lead to memory, besides those of streams.
const (
	originBase    = 24 // a pair of scalar registers: where data are
	originBuffer  = 28 // four of them: their buffer
	originPrivate = 24 // a vector register: a place in private memory
)

// originInst encodes a row with random operands, nil if this test cannot.
func originInst(r *rand.Rand, op *Op) []uint32 {
	code, data := uint32(op.Code), uint32(r.IntN(streamVectors-4))
	data2, offset := uint32(r.IntN(streamVectors-4)), uint32(r.IntN(8)*8)
	const nowhere = 0x7f // no scalar address
	switch op.Enc {
	case VOP3P:
		w0 := 0xd3800000 | code<<16 | uint32(r.IntN(streamVectors))
		if op.flag&matrix == 0 {
			w0 |= uint32(r.IntN(8)) << 11
		}
		return []uint32{w0, randomSource(r) | randomSource(r)<<9 | randomSource(r)<<18 | uint32(
			r.IntN(4))<<27}
	case DS:
		if op.Name == "ds_swizzle_b32" {
			offset = uint32(r.IntN(1 << 16))
		}
		return []uint32{0xd8000000 | code<<17 | offset, data<<24 | data2<<16 | data<<8 | streamLDS}
	case GLOBAL:
		if r.IntN(2) == 0 {
			return []uint32{0xdc008000 | code<<18 | offset | uint32(r.IntN(2))<<16,
				data<<24 | originBase<<16 | data2<<8 | streamLDS}
		}
		return []uint32{0xdc008000 | code<<18 | offset | uint32(r.IntN(2))<<16,
			data<<24 | nowhere<<16 | data2<<8 | streamGlobal}
	case FLAT:
		return []uint32{0xdc000000 | code<<18 | uint32(r.IntN(2))<<16, data<<24 | data2<<8 | streamGlobal}
	case SCRATCH:
		return []uint32{0xdc004000 | code<<18 | offset, data<<24 | nowhere<<16 | data2<<8 | originPrivate}
	case MUBUF:
		return []uint32{0xe0001000 | code<<18 | offset | uint32(r.IntN(2))<<14,
			0x80<<24 | originBuffer/4<<16 | data<<8 | streamLDS}
	case SMEM:
		return []uint32{0xc0020000 | code<<18 | uint32(r.IntN(2))<<16 | uint32(r.IntN(4)*4)<<6 | originBase/2,
			uint32(r.IntN(64) * 4)}
	}
	return streamInst(r, op)
}

// An originState is a harness whose tracker says of some of its contents that they are inexact.
type originState struct {
	*harness
	t    *fidelity.Tracker
	o    *origins
	from fidelity.Origins
}

func newOriginState(h *harness) *originState {
	t, err := fidelity.New(h.m)
	if err != nil {
		h.t.Fatal(err)
	}
	t.Follow(h.m)
	s := &originState{harness: h, t: t}
	s.o = t.Registers(h.w, func() any { return &origins{t: t} }).(*origins)
	s.from = t.Ran(t.Site(1, "test", "far", false), 1)
	return s
}

// begin gives it contents, which in the other of two differ where they are inexact.
func (s *originState) begin(seed uint64, other bool) {
	h := s.harness
	(&stream{seed: seed, mode: streamModes[0], code: [][]uint32{{0xbf800000}}}).begin(h)
	h.regs.S[regM0] = 0
	setPair(h.regs, originBase, dataBase)
	copy(h.regs.S[originBuffer:], []uint32{dataBase, 0, dataSize, 0x00027000})
	r := rand.New(sweep.PCG(seed, 11))
	valid := func() uint32 { return uint32(r.IntN(64)) * 16 }
	h.vector(streamLDS, func(int) uint32 { return valid() })
	h.vector(originPrivate, func(int) uint32 { return valid() % 0x200 })
	h.address(streamGlobal, func(int) uint64 { return dataBase + uint64(valid()) })
	for range 1 + r.IntN(4) {
		s.makeVectorInexact(r, valid, other)
	}
	for range r.IntN(4) {
		reg := []int{r.IntN(streamScalars), r.IntN(streamScalars), regVCC, regVCC + 1}[r.IntN(4)]
		mask, value := r.Uint32()&r.Uint32(), r.Uint32()
		var from bitsOf
		for i := range 32 {
			if from[i] = s.o.bit(reg, i); mask>>i&1 != 0 {
				from[i] = s.from
			}
		}
		s.o.setBits(reg, 1, &from)
		if other {
			h.regs.S[reg] = h.regs.S[reg]&^mask | value&mask
		}
	}
	if r.IntN(3) == 0 {
		s.o.setScalar(regSCC, s.from)
		if v := uint32(r.IntN(2)); other {
			h.regs.S[regSCC] = v
		}
	}
	if r.IntN(2) == 0 {
		s.makeMemoryInexact(r, other)
	}
}

// makeVectorInexact does it to some lanes of a register. Those that hold addresses get others.
func (s *originState) makeVectorInexact(r *rand.Rand, valid func() uint32, other bool) {
	reg, lanes := r.IntN(streamVectors), r.Uint64()
	value := func() uint32 { return uint32(sample(r, []typ{f32, u32}[reg%2])) }
	switch r.IntN(8) {
	case 0:
		reg, value = streamLDS, valid
	case 1:
		reg, value = originPrivate, func() uint32 { return valid() % 0x200 }
	case 2:
		reg, value = streamGlobal, func() uint32 { return dataBase + valid() }
	}
	var all fidelity.Lanes
	s.t.JoinAll(&all, s.from, lanes)
	s.o.setVector(reg, &all, lanes)
	for l := range s.regs.V[reg] {
		if v := value(); other && lanes>>l&1 != 0 {
			s.regs.V[reg][l] = v
		}
	}
}

// makeMemoryInexact does it to some bytes of each memory.
func (s *originState) makeMemoryInexact(r *rand.Rand, other bool) {
	s.w.GrowScratch(0x200 * uint64(s.w.Size))
	for _, space := range []simt.Space{simt.Global, simt.LDS, simt.Scratch} {
		for range 40 {
			l, at, value := r.IntN(s.w.Size), uint64(r.IntN(0x200)), byte(r.Uint32())
			s.t.Store(s.access(space, at), l, 0, 1, s.from)
			if other {
				*s.byteAt(space, l, at) = value
			}
		}
	}
}

// access is one of all lanes to one place, to look at.
func (s *originState) access(space simt.Space, at uint64) *fidelity.Access {
	a := &fidelity.Access{Access: simt.Access{Wave: s.w, Space: space}}
	if space == simt.Global {
		at += dataBase
	}
	fill(&a.Lane, at)
	return a
}

func (s *originState) byteAt(space simt.Space, l int, at uint64) *byte {
	switch space {
	case simt.Global:
		return &s.data.Data[at]
	case simt.LDS:
		return &s.group.LDS[at]
	}
	return &s.w.Scratch[s.w.SwizzledOffset(l, at)]
}

// leaks says what differs from another state though neither says that it is inexact, "" if nothing does.
func (s *originState) leaks(o *originState) string {
	for i := range 256 {
		differ := s.regs.S[i] ^ o.regs.S[i]
		for b := range 32 {
			if differ>>b&1 != 0 && i != regExec && i != regExec+1 && s.o.bit(i, b) == 0 &&
				o.o.bit(i, b) == 0 {
				return fmt.Sprintf("bit %d of s%d", b, i)
			}
		}
	}
	for i := range s.regs.V {
		if s.regs.V[i] == o.regs.V[i] {
			continue
		}
		a, b := s.o.vectorOf(i), o.o.vectorOf(i)
		for l := range s.w.Size { // nobody sees the others of a wave of 32
			if s.regs.V[i][l] != o.regs.V[i][l] && (a == nil || a[l] == 0) && (b == nil || b[l] == 0) {
				return fmt.Sprintf("lane %d of v%d: %#x and %#x", l, i, s.regs.V[i][l], o.regs.V[i][l])
			}
		}
	}
	s.w.GrowScratch(0x300 * uint64(s.w.Size))
	o.w.GrowScratch(0x300 * uint64(o.w.Size))
	same := map[simt.Space]bool{simt.Global: bytes.Equal(s.data.Data, o.data.Data),
		simt.LDS: bytes.Equal(s.group.LDS, o.group.LDS), simt.Scratch: bytes.Equal(s.w.Scratch, o.w.Scratch)}
	for _, space := range []simt.Space{simt.Global, simt.LDS, simt.Scratch} {
		if same[space] {
			continue
		}
		for at := range uint64(0x300) {
			for l := range s.w.Size {
				if *s.byteAt(space, l, at) != *o.byteAt(space, l, at) &&
					s.t.Load(s.access(space, at), l, 0, 1) == 0 &&
					o.t.Load(o.access(space, at), l, 0, 1) == 0 {
					return fmt.Sprintf("byte %#x of lane %d in %v", at, l, space)
				}
				if space != simt.Scratch {
					break
				}
			}
		}
	}
	return ""
}

// reaches reports whether an instruction said that something decides.
func (s *originState) reaches(kind fidelity.Kind) bool {
	for _, c := range s.t.Report().Counts {
		for _, r := range c.Reached {
			if r.Kind == kind {
				return true
			}
		}
	}
	return false
}

// notFollowed are instructions whose results are not followed on purpose: MODE and other state of the wave,
// and what ends it or waits.
var notFollowed = []string{"s_setreg", "s_set_gpr", "ds_gws_", "s_rfe", "s_cbranch_g", "s_cbranch_i",
	"s_cbranch_join", "s_endpgm", "s_barrier", "s_trap", "s_sethalt", "s_setvskip"}

// TestOrigins executes instructions in two states that differ only where they are inexact: whatever differs
// afterwards must be known as inexact. So no operand, flag or byte of memory is forgotten, in any row: once,
// and with `make check-all` several times on both processors.
func TestOrigins(t *testing.T) {
	seen, tried, times := map[string]int{}, map[string]bool{}, sweep.Times(1, 3)
	for _, processor := range []string{"gfx900", "gfx950"} {
		isa := newISA(t, processor, nil)
		for enc, rows := range isa.tables.rows {
			for _, op := range rows {
				if op == nil || op.Enc != Enc(enc) || !op.executes() || hasPrefix(op.Name, notFollowed) ||
					tried[op.Name] && !sweep.All() {
					continue
				}
				tried[op.Name] = true
				for n := range times {
					seed := uint64(op.Code)<<16 | uint64(enc)<<8 | uint64(n)
					words := originInst(rand.New(sweep.PCG(seed, 12)), op)
					if differsInSecret(t, processor, op, words, seed) {
						seen[op.Name]++
					}
				}
			}
		}
	}
	if least := map[bool]int{true: 900, false: 600}[sweep.All()]; len(seen) < least {
		t.Errorf("of %d instructions only a result differed", len(seen))
	}
}

// TestLaterOrigins is TestOrigins for the generations after gfx9, pairs of instructions among them: some rows
// of each machine, and with `make check-all` all.
func TestLaterOrigins(t *testing.T) {
	seen := map[string]int{}
	times, one, least := 1, 20, 150 // of so many rows
	if sweep.All() {
		times, one, least = 6, 1, 900
	}
	tried := 0
	for i, machine := range laterMachines {
		isa := newISA(t, machine, nil)
		seeds := laterCoderOf(isa, uint64(i), 12)
		try := func(op *Op, encode func(c *laterCoder) []uint32) {
			if tried++; tried%one != 0 {
				return
			}
			for range times {
				seed := seeds.Uint64()
				if differsInSecret(t, machine, op, encode(laterCoderOf(isa, seed, 12)), seed) {
					seen[op.Name]++
				}
			}
		}
		for enc, rows := range isa.tables.rows {
			for _, op := range rows {
				if op == nil || op.Enc != Enc(enc) || !op.executes() || hasPrefix(op.Name, notFollowed) {
					continue
				}
				try(op, func(c *laterCoder) []uint32 {
					if op.Enc >= DS && (op.mem == nil || op.Enc == MIMG || op.Enc == MTBUF) {
						return nil
					}
					return c.row(op)
				})
			}
		}
		for range 20 * int(isa.Target&gfx11P/max(isa.Target&gfx11P, 1)) {
			try(&pairRow, (*laterCoder).pair)
		}
	}
	if len(seen) < least || seen[pairRow.Name] == 0 {
		t.Errorf("of %d instructions only a result differed", len(seen))
	}
}

// differsInSecret executes a row in two states, and reports whether something that it gives differs.
func differsInSecret(t *testing.T, processor string, op *Op, words []uint32, seed uint64) bool {
	if words == nil {
		return false
	}
	var states [2]*originState
	for i := range states {
		s := newOriginState(newHarness(t, processor))
		s.begin(seed, i == 1)
		states[i] = s
		in, err := s.isa.Decode(wordsCode(words...), codeBase)
		if err != nil || in.Op != op || in.writesExec() && strings.HasPrefix(op.Name, "s_movrel") {
			return false
		}
		s.load(words[:in.Size/4], []uint32{0xbf810000})
		if ev := s.core.Run(s.w, 1); ev.Kind != simt.NoEvent {
			return false
		}
	}
	a, b := states[0], states[1]
	text := func() string {
		in, _ := a.isa.Decode(wordsCode(words...), codeBase)
		return fmt.Sprintf("%s, seed %#x, EXEC %#x: %v", processor, seed, a.w.Exec, in)
	}
	if what := a.leaks(b); what != "" {
		t.Errorf("%s: %s differs and counts as exact", text(), what)
	}
	if differ := a.w.Exec ^ b.w.Exec; differ != 0 && !a.reaches(fidelity.Chosen) &&
		!b.reaches(fidelity.Chosen) {
		t.Errorf("%s: which lanes execute differs (%d do)", text(), bits.OnesCount64(differ))
	}
	if a.w.PC != b.w.PC && !a.reaches(fidelity.Branch) && !b.reaches(fidelity.Branch) {
		t.Errorf("%s: the way differs", text())
	}
	return a.differsFrom(b.harness) != ""
}
