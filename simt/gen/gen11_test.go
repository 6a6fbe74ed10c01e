package gen

import (
	"bytes"
	"encoding/hex"
	"math/bits"
	"math/rand"
	"testing"

	"simtgdb/simt"
	"simtgdb/testdata/sweep"
)

// A laterCase is an instruction with what it gives of rows of r12, r14 and r16, and leaves in the accumulator
// if it writes that.
type laterCase struct {
	text, code  string
	want        func(a, b, c uint32) uint32
	accumulator func(a, b uint32) uint32
}

// gen11Cases are instructions that are not Gen9's, as iga64 -p=11 assembles them.
var gen11Cases = []laterCase{
	{"rol r10:ud r12:ud r14:ud", "0f0060000802402180018d02c0018d00",
		func(a, b, _ uint32) uint32 { return bits.RotateLeft32(a, int(b&31)) }, nil},
	{"ror r10:ud r12:ud r14:ud", "0e0060000802402180018d02c0018d00",
		func(a, b, _ uint32) uint32 { return bits.RotateLeft32(a, -int(b&31)) }, nil},
	{"mach r10:d r12:d r14:d", "49006000280a402180018d0ac0018d00",
		func(a, b, _ uint32) uint32 { return a * b }, nil},
	{"mach r10:ud r12:ud r14:ud {AccWrEn}", "490060100802402180018d02c0018d00",
		func(a, b, _ uint32) uint32 { hi, _ := bits.Mul32(a, b); return hi },
		func(a, b uint32) uint32 { return a * b }},
	{"mach r10:d r12:d r14:d {AccWrEn}", "49006010280a402180018d0ac0018d00",
		func(a, b, _ uint32) uint32 { return uint32(int64(d(a)) * int64(d(b)) >> 32) },
		func(a, b uint32) uint32 { return a * b }},
	{"mad r10:d r12<8;1>:d r14<8;1>:d 7:w", "5b0060000060000a39c020071cec0000",
		func(a, b, _ uint32) uint32 { return a + 7*b }, nil},
	{"bfe r10:ud 5:uw r14<8;1>:ud r16<1>:ud", "180060000008000a2a0000071c800004",
		func(_, b, c uint32) uint32 { return uint32(field64(uint64(c), 5, b%32)) }, nil},
	{"mov r10:f r12:d", "01006000280b402180018d0000000000",
		func(a, _, _ uint32) uint32 { return fb(float32(d(a))) }, nil},
}

// of makes a bench's thread one of a generation.
func (b *bench) of(g *Generation) *bench {
	b.core.isa.Kernel.Generation = g
	control := b.r.u32(offCR)
	b.r.gen, b.r.file = g, newRegs(g).file
	b.r.setU32(r0Thread, b.r.slot)
	b.r.setU32(offCR, control)
	return b
}

func TestGen11(t *testing.T) { runLater(t, Gen11, gen11Cases) }

// runLater runs instructions of a generation on random numbers.
func runLater(t *testing.T, g *Generation, cases []laterCase) {
	t.Helper()
	r := rand.New(sweep.Source(11))
	for _, tt := range cases {
		b := newBench(t, 8).of(g)
		b.load(tt.code)
		for round := range 60 {
			b.w.Exec = uint64(someChannels(r, round))
			exec, before := b.w.Exec, b.get(10)
			var v [3][8]uint32
			for k := range v {
				for i := range v[k] {
					v[k][i] = randomWord(r)
				}
				b.set(12+2*k, v[k])
			}
			b.w.PC = codeBase
			if ev := b.core.Run(b.w, 1); ev.Kind != simt.NoEvent {
				t.Fatalf("%s: %v %v", tt.text, ev.Kind, ev.Fault)
			}
			for i, got := range b.get(10) {
				want := tt.want(v[0][i], v[1][i], v[2][i])
				if exec>>i&1 == 0 {
					want = before[i]
				}
				if got != want {
					t.Fatalf("%s: %#x of %#x %#x %#x, want %#x", tt.text, got, v[0][i], v[1][i], v[2][i],
						want)
				}
				if exec>>i&1 == 0 {
					continue
				}
				if tt.accumulator == nil {
					continue
				}
				if got, want := b.r.u32(offAcc+4*i), tt.accumulator(v[0][i], v[1][i]); got != want {
					t.Fatalf("%s: the accumulator has %#x of %#x %#x, want %#x", tt.text, got, v[0][i],
						v[1][i], want)
				}
			}
		}
	}
}

// TestGen11Goto: forward the channels jump whose predicate is true, which on Gen9 go on.
func TestGen11Goto(t *testing.T) {
	code := []string{"2e006100000e00202000000020000000", // (f0.0) goto: to the join
		"01006000080640210000000001000000", // mov r10 1
		"2f006000000000200000000e20000000", // join
		"01006000080660210000000002000000", // mov r11 2
		"7e000000000000000000000000000000"}
	b := newBench(t, 8).of(Gen11)
	b.load(code...)
	b.r.setFlags(0x0f)
	if ev := b.core.Run(b.w, 4); ev.Kind != simt.NoEvent {
		t.Fatalf("%v %v", ev.Kind, ev.Fault)
	}
	if got := b.get(10); got != [8]uint32{0, 0, 0, 0, 1, 1, 1, 1} {
		t.Errorf("behind the goto: %d", got)
	}
	if got := b.get(11); got != [8]uint32{2, 2, 2, 2, 2, 2, 2, 2} {
		t.Errorf("behind the join: %d", got)
	}
}

// TestGen11Ignored: bits that say what an instruction has not, a condition modifier or that it saturates, are
// nothing in its text; iga64 -p=11 prints the same with them.
func TestGen11Ignored(t *testing.T) {
	const modifier, saturates = 1 << 0, 1 << 7 // of its fourth byte
	for digits, ignored := range map[string][]byte{
		"180060000008000a2a0000071c800004": {modifier, saturates}, // bfe
		"19006000280ac02120018f1e03000300": {modifier},            // bfi1
		"1a0000000461000e0160644011ac0100": {modifier},            // bfi2
	} {
		code, err := hex.DecodeString(digits)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := Gen11.Describe(code, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, bit := range ignored {
			with := bytes.Clone(code)
			with[3] |= bit
			if got, err := Gen11.Describe(with, 0); err != nil || got.Text != plain.Text {
				t.Errorf("with bit %#x: %q, %v, want %q", bit, got.Text, err, plain.Text)
			}
		}
	}
}
