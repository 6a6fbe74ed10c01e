package gen

import (
	"math/bits"
	"slices"
	"testing"

	"simtgdb/simt"
)

// dp4 adds to c the products of four bytes, of which f makes numbers.
func dp4(a, b, c uint32, f, g func(uint8) int32) uint32 {
	for i := range 4 {
		a += uint32(f(uint8(b>>(8*i))) * g(uint8(c>>(8*i))))
	}
	return a
}

func signedByte(v uint8) int32   { return int32(int8(v)) }
func unsignedByte(v uint8) int32 { return int32(v) }

// gen12Cases are instructions of Gen12LP as iga64 -p=12p1 assembles them: what it has that others have not,
// and the forms whose encoding is another.
var gen12Cases = []laterCase{
	{"dp4a r10:d r12:d r14:d r16:d", "580003006806040a040c0e06040e0510",
		func(a, b, c uint32) uint32 { return dp4(a, b, c, signedByte, signedByte) }, nil},
	{"dp4a r10:ud r12:ud r14:ud r16:ud", "580003002802040a040c0a02040e0510",
		func(a, b, c uint32) uint32 { return dp4(a, b, c, unsignedByte, unsignedByte) }, nil},
	{"dp4a (sat)r10:d r12:d r14:ud r16:d", "580003006c06040a040c0e02040e0510",
		func(a, b, c uint32) uint32 {
			sum := int64(d(a))
			for i := range 4 {
				sum += int64(unsignedByte(uint8(b>>(8*i)))) * int64(signedByte(uint8(c>>(8*i))))
			}
			return uint32(max(min(sum, 1<<31-1), -1<<31))
		}, nil},
	{"ror r10:ud r12:ud r14:ud", "6e0003002002050a050c4602050e4600",
		func(a, b, _ uint32) uint32 { return bits.RotateLeft32(a, -int(b&31)) }, nil},
	{"rol r10:ud r12:ud 5:uw", "6f0003002082050a050c460105000500",
		func(a, _, _ uint32) uint32 { return bits.RotateLeft32(a, 5) }, nil},
	{"mad r10:d r12:d r14:d 7:w", "5b0003006886040a040c0d06040e0700",
		func(a, b, _ uint32) uint32 { return a + 7*b }, nil},
	{"bfi2 r10:ud r12:ud r14:ud r16:ud", "7a0003002802040a040c0a02040e0510",
		func(a, b, c uint32) uint32 { return b&a | c&^a }, nil},
	{"bfe r10:ud 5:uw r14:ud r16:ud", "780003002041040a05000a02040e0510",
		func(_, b, c uint32) uint32 { return uint32(field64(uint64(c), 5, b%32)) }, nil},
	{"csel (lt) r10:d r12:d r14:d r16:d", "720003006806040a040c0e56040e0510",
		func(a, b, c uint32) uint32 {
			if d(c) < 0 {
				return a
			}
			return b
		}, nil},
	{"mov r10:f r12:d", "61000300a006050a050c460000000000",
		func(a, _, _ uint32) uint32 { return fb(float32(d(a))) }, nil},
	{"bfrev r10:ud r12:ud", "770003002002050a050c460000000000",
		func(a, _, _ uint32) uint32 { return bits.Reverse32(a) }, nil},
}

func TestGen12LP(t *testing.T) { runLater(t, Gen12LP, gen12Cases) }

// TestGen12Constant: a constant of 64 bits has its halves the other way round.
func TestGen12Constant(t *testing.T) {
	b := newBench(t, 8).of(Gen12LP)
	b.load("610003007047050afffffffffbffffff") // mov (8) r10:q -5:q
	if ev := b.core.Run(b.w, 1); ev.Kind != simt.NoEvent {
		t.Fatalf("%v %v", ev.Kind, ev.Fault)
	}
	if got := b.get(10); got != [8]uint32{^uint32(4), ^uint32(0), ^uint32(4), ^uint32(0), ^uint32(4),
		^uint32(0), ^uint32(4), ^uint32(0)} {
		t.Errorf("%x", got)
	}
}

// TestGen12Sync: what waits for tokens changes nothing, and a thread that nobody signals faults at a barrier.
func TestGen12Sync(t *testing.T) {
	for _, exec := range []uint64{0xff, 0x35} {
		testSync(t, exec)
	}
}

func testSync(t *testing.T, exec uint64) {
	b := newBench(t, 8).of(Gen12LP)
	b.load("01000000004201000000002012000000", "01230000000001000000000000000000", // sync.allrd, sync.nop
		"0100000000000100000000e000000000") // sync.bar
	b.w.Exec = exec
	before := slices.Clone(b.r.file)
	if ev := b.core.Run(b.w, 2); ev.Kind != simt.NoEvent || b.w.PC != codeBase+32 {
		t.Fatalf("%v %v at %#x", ev.Kind, ev.Fault, b.w.PC)
	}
	b.core.refresh(codeBase) // what follows from the pc
	clear(b.r.file[offTM:][:arfBytes])
	clear(before[offTM:][:arfBytes])
	clear(b.r.file[offIP:][:arfBytes])
	clear(before[offIP:][:arfBytes])
	clear(b.r.file[offCE:][:arfBytes])
	clear(before[offCE:][:arfBytes])
	if !slices.Equal(b.r.file, before) {
		t.Error("registers have changed")
	}
	b.r.setU32(offN, 0)
	if ev := b.core.Run(b.w, 1); ev.Kind != simt.FaultEvent {
		t.Errorf("at a barrier: %v", ev.Kind)
	}
}

// TestGroupPredicate: any16h is of the flags of 16 channels, also in an instruction of one.
func TestGroupPredicate(t *testing.T) {
	for _, tt := range []struct {
		flags uint64
		want  uint32
	}{{0x0000, 7}, {0x8000, 1}, {0x10000, 7}} {
		b := newBench(t, 8).of(Gen12LP)
		b.load(groupPredicated)
		b.set(10, [8]uint32{7})
		b.r.setFlags(tt.flags)
		if ev := b.core.Run(b.w, 1); ev.Kind != simt.NoEvent {
			t.Fatalf("%v %v", ev.Kind, ev.Fault)
		}
		if got := b.get(10)[0]; got != tt.want {
			t.Errorf("with flags %#x: %d, want %d", tt.flags, got, tt.want)
		}
	}
}

// groupPredicated is (W&f0.0.any16h) mov (1|M0) r10.0<1>:d 1:d.
const groupPredicated = "6100008a6046050a0000000001000000"

// truth applies a function of three bits to each.
func truth(function uint8, a, b, c uint32) (out uint32) {
	for i := range 32 {
		k := a>>i&1 | b>>i&1<<1 | c>>i&1<<2
		out |= uint32(function>>k&1) << i
	}
	return out
}

// xeHPGCases are instructions of Xe-HPG as iga64 -p=12p71 assembles them.
var xeHPGCases = []laterCase{
	{"add3 r10.0<1>:d r12.0<1;0>:d -r14.0<1;0>:d r16.0<1>:d", "520003006806040a040c8e06040e0510",
		func(a, b, c uint32) uint32 { return a - b + c }, nil},
	{"bfn.0x96 r10.0<1>:ud r12.0<1;0>:ud r14.0<1;0>:ud r16.0<1>:ud", "6b0003002802040a040c6a92040e0510",
		func(a, b, c uint32) uint32 { return a ^ b ^ c }, nil},
	{"bfn.0xCA r10.0<1>:ud r12.0<1;0>:ud r14.0<1;0>:ud r16.0<1>:ud", "6b0003002802040a040caac2040e0510",
		func(a, b, c uint32) uint32 { return truth(0xca, a, b, c) }, nil},
	{"bfn.0x1 r10.0<1>:ud r12.0<1;0>:ud r14.0<1;0>:ud 0xF0F0:uw", "6b0003002882040a040c1902040ef0f0",
		func(a, b, _ uint32) uint32 { return truth(1, a, b, 0xf0f0) }, nil},
	{"dp4a r10.0<1>:d r12.0<1;0>:d r14.0<1;0>:d r16.0<1>:d", "580003006806040a040c0e06040e0510",
		func(a, b, c uint32) uint32 { return dp4(a, b, c, signedByte, signedByte) }, nil},
	{"mad r10.0<1>:d r12.0<1;0>:d r14.0<1;0>:d 7:w", "5b0003006886040a040c0d06040e0700",
		func(a, b, _ uint32) uint32 { return a + 7*b }, nil},
	{"mov r10.0<1>:f r12.0<1;1,0>:d", "61000300a006050a040c100000000000",
		func(a, _, _ uint32) uint32 { return fb(float32(d(a))) }, nil},
	{"csel (lt)f0.0 r10.0<1>:d r12.0<1;0>:d r14.0<1;0>:d r16.0<1>:d", "720003006806040a040c0e56040e0510",
		func(a, b, c uint32) uint32 {
			if d(c) < 0 {
				return a
			}
			return b
		}, nil},
}

func TestXeHPG(t *testing.T) { runLater(t, XeHPG, xeHPGCases) }

// TestBF converts floats to their upper halves, to nearest even, and back.
func TestBF(t *testing.T) {
	b := newBench(t, 8).of(XeHPG)
	in := [8]uint32{0x3f800000, 0x3f808000, 0x3f818000, 0x3f808001, 0xbf80ffff, 0x7f7fffff, 0x7f800001,
		0x00018000}
	want := [8]uint32{0x3f80, 0x3f80, 0x3f82, 0x3f81, 0xbf81, 0x7f80, 0x7fc0, 0x0002}
	b.load("61000300d00a060a040c100000000000") // mov (8|M0) r10.0<2>:bf r12.0<1;1,0>:f
	b.set(12, in)
	b.set(10, [8]uint32{})
	if ev := b.core.Run(b.w, 1); ev.Kind != simt.NoEvent {
		t.Fatalf("%v %v", ev.Kind, ev.Fault)
	}
	if got := b.get(10); got != want {
		t.Errorf("%x, want %x", got, want)
	}
	b.load("61000300a00d050a040c200000000000") // mov (8|M0) r10.0<1>:f r12.0<2;1,0>:bf
	b.set(12, want)
	if ev := b.core.Run(b.w, 1); ev.Kind != simt.NoEvent {
		t.Fatalf("%v %v", ev.Kind, ev.Fault)
	}
	for i, got := range b.get(10) {
		if got != want[i]<<16 {
			t.Errorf("%#x becomes %#x", want[i], got)
		}
	}
}
